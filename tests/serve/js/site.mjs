// A host of files with an edge of ours before it: deno run site.mjs EDGE FOLDER STYLE. Prints its address.
// Like Netlify and Vercel it asks the edge first and serves the file where the edge passes. `pretty` and `clean` are
// their ways with pages: no `index.html` in an address, or no `.html` at all; `clean` gives ranges. While there is a file
// `.broken`, no file can be read.
const [edge, folder, style] = Deno.args;
const { default: handle } = await import(edge);

const context = { deploy: { id: "1" } };
const TYPES = new Map([["html", "text/html"], ["json", "application/json"], ["zip", "application/zip"]]);

async function file(request) {
  if (await Deno.stat(`${folder}/.broken`).catch(() => null)) return new Response("broken", { status: 503 });
  const url = new URL(request.url);
  const shorter = url.pathname.replace(style === "clean" ? /(\/index)?\.html$/ : /index\.html$/, "");
  if (shorter !== url.pathname) return Response.redirect(new URL(shorter || "/", url), 308);
  const path = folder + decodeURIComponent(url.pathname).replace(/\/$/, "");
  for (const name of [path, `${path}.html`, `${path}/index.html`]) {
    const bytes = await Deno.readFile(name).catch(() => null);
    if (!bytes) continue;
    const headers = { "content-type": TYPES.get(name.split(".").at(-1)) ?? "application/octet-stream" };
    const range = style === "clean" && /^bytes=(\d+)-(\d+)$/.exec(request.headers.get("range") ?? "");
    if (!range) return new Response(bytes, { headers });
    return new Response(bytes.subarray(Number(range[1]), Number(range[2]) + 1), { status: 206, headers });
  }
  const html = { "content-type": "text/html; charset=utf-8" };
  return new Response("<h1>The host's own page</h1>", { status: 404, headers: html });
}

const onListen = ({ hostname, port }) => console.log(`http://${hostname}:${port}/`);
Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, async (request) => {
  const answer = await handle(request, context);
  return answer && !answer.headers.has("x-middleware-next") ? answer : file(request);
});
