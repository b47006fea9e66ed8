/**
 * Netlify: an edge function before the published files. It reads them from the site itself; such a request carries a
 * header of ours, and passes.
 */

import { FILE_HEADER, createHandler, siteReader } from "./web.js";

const handle = createHandler();

export default async (request, context) =>
  request.headers.has(FILE_HEADER) ? undefined : handle(request, siteReader(request), context.deploy?.id);

export const config = { path: "/*" };
