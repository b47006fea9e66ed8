/**
 * Deno, on a machine of one's own or on Deno Deploy: the router over a folder.
 *
 *     deno run --allow-net --allow-read deno_serve.js public 8000
 */

import { createHandler } from "./web.js";

const [folder = "public", port = "8000"] = Deno.args;
const root = await Deno.realPath(folder);
const handle = createHandler();

/** A regular file of the folder, or a part of it; none that a link leads out of it. */
async function readFile(path, range) {
  const real = await Deno.realPath(`${root}/${path}`).catch(() => null);
  if (!real?.startsWith(`${root}/`) || !(await Deno.stat(real)).isFile) return null;
  return range ? readPart(real, range) : Deno.readFile(real);
}

async function readPart(path, { offset, length }) {
  using file = await Deno.open(path);
  await file.seek(offset, Deno.SeekMode.Start);
  const part = new Uint8Array(length);
  let size = 0;
  while (size < length) {
    const read = await file.read(part.subarray(size));
    if (read === null) break;
    size += read;
  }
  return part.subarray(0, size);
}

Deno.serve({ port: Number(port) }, (request) => handle(request, readFile));
