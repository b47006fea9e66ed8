/**
 * Vercel: routing middleware (`middleware.js` at the project's root) before the published files. It reads them from the
 * deployment itself; such a request carries a header of ours, and is told to go on.
 */

import { FILE_HEADER, createHandler, siteReader } from "./web.js";

const handle = createHandler();

export default async function middleware(request) {
  if (request.headers.has(FILE_HEADER)) return new Response(null, { headers: { "x-middleware-next": "1" } });
  return handle(request, siteReader(request), globalThis.process?.env?.VERCEL_DEPLOYMENT_ID);
}

export const config = { matcher: "/(.*)" };
