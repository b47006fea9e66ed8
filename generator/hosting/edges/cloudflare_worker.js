/**
 * Cloudflare Workers: the router before static assets.
 *
 * The Worker's assets are the output; `ASSETS` is their binding, `run_worker_first` is true, and `not_found_handling` is
 * `none`, so that what is missing is a 404 of the binding. With the binding `CF_VERSION_METADATA` the root document is read
 * once a version instead of once a request.
 */

import { createHandler, fileReader } from "./web.js";

const handle = createHandler();

export default {
  fetch(request, env) {
    const { origin } = new URL(request.url);
    const readFile = fileReader((path, headers) => env.ASSETS.fetch(new Request(origin + path, { headers })));
    return handle(request, readFile, env.CF_VERSION_METADATA?.id);
  },
};
