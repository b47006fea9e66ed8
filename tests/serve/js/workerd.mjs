// Serves a folder through the Cloudflare edge in workerd: node workerd.mjs MINIFLARE EDGE FOLDER. Prints its address.
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [miniflare, edge, folder] = process.argv.slice(2).map((path) => resolve(path));
const { Miniflare } = await import(pathToFileURL(miniflare));
const server = new Miniflare({
  compatibilityDate: "2026-04-01",
  host: "127.0.0.1",
  port: 0,
  modules: true,
  modulesRoot: resolve(dirname(edge), "../.."),
  modulesRules: [{ type: "ESModule", include: ["**/*.js"] }],
  scriptPath: edge,
  assets: {
    directory: folder,
    binding: "ASSETS",
    routerConfig: { invoke_user_worker_ahead_of_assets: true, has_user_worker: true },
    assetConfig: { html_handling: "none", not_found_handling: "none" },
  },
});
process.stdout.write(`${await server.ready}\n`);
process.stdin.on("data", () => {});
process.stdin.on("end", () => server.dispose().then(() => process.exit(0)));
