// Serves a hub in workerd as its wrangler.jsonc says: node cloudflare_server.mjs MINIFLARE WRANGLER_JSONC PORT
// miniflare reads no wrangler.jsonc, so each of its settings is handed on here; one that is not known is an error.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [miniflare, file, port] = process.argv.slice(2);
const { Miniflare } = await import(pathToFileURL(miniflare));
const text = readFileSync(file, "utf8").split("\n").filter((line) => !line.startsWith("//")).join("\n");
const { name, main, compatibility_date, assets, ...unknown } = JSON.parse(text);
const { directory, binding, run_worker_first, html_handling, not_found_handling, ...more } = assets;
const left = [...Object.keys(unknown), ...Object.keys(more)];
if (left.length) throw new Error(`settings that nobody hands on: ${left}`);
const home = dirname(resolve(file));
const server = new Miniflare({
  name,
  compatibilityDate: compatibility_date,
  host: "127.0.0.1",
  port: Number(port),
  modules: true,
  modulesRoot: home,
  modulesRules: [{ type: "ESModule", include: ["**/*.js"] }],
  scriptPath: resolve(home, main),
  assets: {
    directory: resolve(home, directory),
    binding,
    routerConfig: { invoke_user_worker_ahead_of_assets: run_worker_first, has_user_worker: true },
    assetConfig: { html_handling, not_found_handling },
  },
});
await server.ready;
process.stdin.resume().on("end", () => server.dispose().then(() => process.exit(0)));
