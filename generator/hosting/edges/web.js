/** What the edges that speak the Fetch API share: a Request into the router's own shape, and its answer into a Response. */

import { BODY_MAX, createMemory, respond } from "../../serve/router.js";

/** A request with this header asks for a file of the output, and passes an edge untouched. */
export const FILE_HEADER = "x-skillpress-file";

/**
 * A handler for one hub: `(request, readFile, deployment?) => Promise<Response>`.
 *
 * What it reads is kept for as long as the process lives, and `deployment` stays the same (the host's name for the files
 * that are published), or the root document of the hub, where the host has no such name.
 */
export function createHandler() {
  const memory = createMemory();
  return async (request, readFile, deployment) => {
    const { pathname, search } = new URL(request.url);
    const { method } = request;
    const headers = Object.fromEntries(request.headers);
    const body = method === "POST" ? await readBody(request.body) : new Uint8Array();
    const asked = { method, path: pathname, query: search.slice(1), headers, body };
    const got = await respond(asked, readFile, { memory, deployment });
    return new Response(got.body.length ? got.body : null, { status: got.status, headers: got.headers });
  };
}

/** A body, or its beginning where it is larger than any that is taken. */
async function readBody(stream) {
  const chunks = [];
  let size = 0;
  if (stream) {
    for await (const chunk of stream) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > BODY_MAX) break;
    }
  }
  const body = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}

/**
 * A `readFile` over HTTP. `get` is `(path, headers) => Promise<Response>`, its path absolute and escaped.
 *
 * Hosts give a page for what is a folder, or for what is missing; it is no file that was asked for. An error of the
 * host is thrown, for it must not look as if a skill did not exist.
 */
export function fileReader(get) {
  return async (path, range) => {
    const escaped = `/${path.split("/").map(encodeURIComponent).join("/")}`;
    const last = range && range.offset + Math.max(range.length, 1) - 1;
    const headers = range ? { range: `bytes=${range.offset}-${last}`, "accept-encoding": "identity" } : {};
    const response = await get(escaped, headers);
    const { status } = response;
    const page = response.headers.get("content-type")?.startsWith("text/html") && !path.endsWith(".html");
    if ((status !== 200 && status !== 206) || page) {
      await response.body?.cancel();
      if (status >= 500 || status === 429) throw new Error(`${path}: the host answered ${status}`);
      return null;
    }
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (!range) return bytes;
    const start = status === 206 ? 0 : range.offset;
    return bytes.subarray(start, start + range.length);
  };
}

/** Files of the site that a request was sent to, past this very edge. */
export function siteReader(request) {
  const { origin } = new URL(request.url);
  return fileReader(async (path, headers) => {
    // Many hosts redirect from a page's file to its address without `.html` or `index.html`.
    const response = await fetch(origin + path, { headers: { ...headers, [FILE_HEADER]: "1" } });
    if (new URL(response.url).origin === origin) return response;
    await response.body?.cancel();
    throw new Error(`${path}: the host sent us elsewhere`);
  });
}
