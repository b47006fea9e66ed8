/** The routes of a hub, read out of its packs and files: `tree.py` over `readFile`. */

import { IMMUTABLE, TEXT, cacheOf, mediaTypeOf } from "./media.js";
import { placeOf } from "./places.js";
import { encode, sha256 } from "./texts.js";

const GONE = 410;
const VERSION = /^\/api\/v1\/.*\/versions\/[^/]+$/;

/**
 * The answer of the route at `path`, or null: `{status, body, type, cache, etag, ranged}`.
 *
 * `ranged` says that parts of the body may be asked for.
 */
export async function readRoute(hub, readFile, path) {
  const place = placeOf(path, hub.index, hub.layout, hub.naming);
  if (place.kind === "slice" || place.kind === "archive" || place.kind === "none") return null;
  // A page under its file's name is the page.
  const route = path.endsWith("/index.html") && !path.startsWith("/api/") ? path.slice(0, -"index.html".length) : path;
  if (place.kind === "pack") {
    const answers = await hub.pack(place.pack, readFile);
    if (Object.hasOwn(answers, route)) {
      const { status, body, type, cache } = answers[route];
      return answer(status, encode(body), type, cache);
    }
  }
  const bytes = await readFile(place.file);
  if (bytes === null) return null;
  const status = hub.index.statuses.get(route) ?? 200;
  const type = status === GONE && VERSION.test(route) ? TEXT : mediaTypeOf(route);
  return answer(status, bytes, type, cacheOf(route));
}

async function answer(status, body, type, cache) {
  return { status, body, type, cache, etag: await etagOf(body), ranged: cache === IMMUTABLE };
}

/** An entity tag by content, so that both layouts and every mirror give the same. */
export async function etagOf(body) {
  return `"${(await sha256(body)).slice(0, 32)}"`;
}
