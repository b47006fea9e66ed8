// Reads texts with the YAML libraries of Node (or with Bun, where that runs this file) and says what they are.
import fs from "node:fs";
import { createRequire } from "node:module";

const [, , project, input, output] = process.argv;
const need = createRequire(`${project}/package.json`);

function shown(value, above) {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return { number: String(value) };
  if (value instanceof Date) return { date: true };
  if (value instanceof Uint8Array) return { binary: true };
  if (above.includes(value) || above.length > 40) return { endless: true };
  const inside = [...above, value];
  if (Array.isArray(value)) return { list: value.map((item) => shown(item, inside)) };
  if (value instanceof Map || value instanceof Set) return { collection: true };
  return { map: Object.keys(value).sort().map((key) => [key, shown(value[key], inside)]) };
}

function read(parse, text) {
  try {
    return { value: shown(parse(text), []) };
  } catch {
    return { refused: true };
  }
}

function libraries() {
  if (typeof Bun !== "undefined") return { "claude-code": (text) => Bun.YAML.parse(text) };
  const old = need("js-yaml-3");
  const current = need("js-yaml-4");
  const npm = need("yaml");
  return {
    "js-yaml-3": (text) => old.safeLoad(text),
    "js-yaml-4": (text) => current.load(text),
    "yaml-2": (text) => {
      const document = npm.parseDocument(text, { schema: "core", prettyErrors: false, logLevel: "error" });
      if (document.errors.length > 0) throw document.errors[0];
      return document.toJS();
    },
  };
}

const known = Object.entries(libraries());
const readings = JSON.parse(fs.readFileSync(input, "utf8")).map((text) =>
  Object.fromEntries(known.map(([name, parse]) => [name, read(parse, text)])),
);
fs.writeFileSync(output, JSON.stringify(readings));
