// Answers requests with router.js over folders on disk. One JSON object a line in, one out; see programs.py.
import { readFile as read, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { createInterface } from "node:readline";
import { createMemory, respond } from "../../../generator/serve/router.js";
import { SlugIndex } from "../../../generator/serve/portable/hub.js";
import { TABLE, placeOf, presentPath } from "../../../generator/serve/portable/places.js";
import { casefold, strip } from "../../../generator/serve/portable/texts.js";

const memories = new Map();

/** A `readFile` over a folder: regular files only, and none that a link leads out of it. */
function folderReader(root) {
  return async (path, range) => {
    try {
      const real = await realpath(join(root, path));
      if (!real.startsWith(root + sep) || !(await stat(real)).isFile()) return null;
      const bytes = new Uint8Array(await read(real));
      return range ? bytes.subarray(range.offset, range.offset + range.length) : bytes;
    } catch {
      return null;
    }
  };
}

async function answer({ root, target, method, headers, body, keep, deployment }) {
  const [path, ...query] = target.split("?");
  const memory = (keep && memories.get(root)) || createMemory();
  memories.set(root, memory);
  const request = { method, path, query: query.join("?"), headers, body: new Uint8Array(Buffer.from(body, "base64")) };
  const readFile = folderReader(await realpath(root));
  const read = [];
  const note = (path, range) => read.push(path) && readFile(path, range);
  const got = await respond(request, note, { memory, deployment: deployment ?? undefined });
  return { status: got.status, headers: got.headers, body: Buffer.from(got.body).toString("base64"), read };
}

function texts(text) {
  return [casefold(text), strip(text)];
}

/** What is left of targets that pass a URL on their way. */
function targets({ urls }) {
  return urls.map((target) => {
    const { pathname, search } = new URL(`http://hub.example${target}`);
    return pathname + search;
  });
}

async function tell(asked) {
  if (asked.texts) return asked.texts.map(texts);
  if (asked.urls) return targets(asked);
  return asked.paths ? places(asked) : answer(asked);
}

function places({ router, paths, layout }) {
  const index = new SlugIndex(router);
  const found = paths.map((path) => [placeOf(path, index, layout, "index.html"), presentPath(path, index)]);
  return { table: TABLE, found };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await tell(JSON.parse(line)))}\n`);
}
