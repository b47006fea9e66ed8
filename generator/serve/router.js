/**
 * The hub's router for every place that runs JavaScript: a function from a request and a way to read files to a response.
 *
 * It answers as `skillpress serve` does, in both layouts, and needs nothing but the standard `crypto`, `TextEncoder` and
 * `URL`. Requests and responses are plain data; the edges below `generator/hosting/edges` turn those of each host
 * into them.
 */

import * as search from "../search/search.js";
import { Answerer, sayText } from "./portable/answers.js";
import { createMemory, openHub } from "./portable/hub.js";
import { HTML } from "./portable/media.js";
import { plan } from "./portable/plans.js";
import { COMMON_HEADERS, PREFLIGHT, bare, toResponse } from "./portable/responses.js";
import { parseQuery, quotePath, unquote } from "./portable/texts.js";

export { createMemory };

/** Bytes of a request's body. An edge need not read more than one byte beyond it. */
export const BODY_MAX = 256 * 1024;

const DISCOVERY = new Set(["/.well-known/clawhub.json", "/.well-known/clawdhub.json"]);

/**
 * Answer a request. Never throws: what cannot be read is a plain 500.
 *
 * @param request `{method, path, query, headers, body}`: `path` and `query` as they stand in the request line (`path`
 *   escaped, below the origin; `query` without its question mark), `headers` an object with names in lower case, `body`
 *   a Uint8Array.
 * @param readFile `(path, range?) => Promise<Uint8Array | null>` reads a file of the output, relative to its root;
 *   `range` is `{offset, length}`. Null where there is no such file.
 * @param options `memory` (from `createMemory`) keeps what was read between requests; `deployment` is the host's name for
 *   the files as they are now, where it has one; `searching` is a module with `open(read)`, as `search.js` has it; `base` replaces the path of the hub's own address.
 * @returns `{status, headers, body}`, the headers in lower case, the body a Uint8Array.
 */
export async function respond(request, readFile, options = {}) {
  try {
    return await answer(request, readFile, options);
  } catch {
    const failed = sayText(500, "This hub cannot be read just now.");
    return toResponse(failed, request.method, () => "");
  }
}

async function answer({ method, path: escaped, query, headers, body }, readFile, options) {
  if (method === "OPTIONS") return bare(204, PREFLIGHT);
  const header = (name) => (Object.hasOwn(headers, name) ? headers[name] : "");
  const hub = await openHub(readFile, options.memory ?? createMemory(), options.deployment);
  const base = options.base ?? hub.base;
  let path = unquote(escaped);
  // Clients look for it at the origin, whatever the base path of the hub.
  if (base && DISCOVERY.has(path)) path = base + path;
  if (base && (path === "/" || path === base)) return redirect(301, `${base}/`, query);
  if (!path.startsWith(`${base}/`)) return toResponse(sayText(404, "Not found"), method, header);
  path = path.slice(base.length);
  if (method === "POST" && body.length > BODY_MAX) {
    return toResponse(sayText(413, "The body is too large"), method, header);
  }
  const wanted = plan({ method, path, query: parseQuery(query), body }, hub.index);
  if (wanted.kind === "redirect") return redirect(308, base + wanted.path, query);
  const answerer = new Answerer(hub, readFile, options.searching ?? search);
  let found = await answerer.answer(wanted);
  if (found.status === 404 && !path.startsWith("/api/") && (method === "GET" || method === "HEAD")) {
    if (!path.endsWith("/") && (await answerer.read(`${path}/`))) return redirect(301, `${base}${path}/`, query);
    const page = header("accept").includes("text/html") ? await answerer.read("/404.html") : null;
    if (page) found = { ...page, status: 404, type: HTML, etag: "", ranged: false };
  }
  return toResponse(found, method, header);
}

function redirect(status, path, query) {
  const asked = query ? `?${query.replace(/[^\x21-\x7e]/g, encodeURIComponent)}` : "";
  return bare(status, { ...COMMON_HEADERS, location: quotePath(path) + asked, "content-length": "0" });
}
