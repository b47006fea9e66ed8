// A host with an edge of ours in front: deno run edge_site.mjs EDGE BEHIND PORT
// Like Netlify and Vercel it asks the edge first, and where that passes (nothing, or `x-middleware-next`) gives what is
// behind: a site at an address, or the files of a folder.
const [edge, behind, port] = Deno.args;
const { default: handle } = await import(edge);

const TYPES = new Map([["html", "text/html"], ["json", "application/json"], ["zip", "application/zip"]]);
const context = { deploy: { id: "1" } };

async function pass(request) {
  const { pathname, search } = new URL(request.url);
  if (behind.startsWith("http://")) {
    const { method, headers, body } = request;
    return fetch(behind + pathname + search, { method, headers, body, redirect: "manual" });
  }
  const path = behind + decodeURIComponent(pathname).replace(/\/$/, "");
  for (const name of [path, `${path}/index.html`]) {
    const bytes = await Deno.readFile(name).catch(() => null);
    if (bytes) return new Response(bytes, { headers: { "content-type": TYPES.get(name.split(".").at(-1)) ?? "text/plain" } });
  }
  return new Response("<h1>NOT_FOUND</h1>", { status: 404, headers: { "content-type": "text/html" } });
}

Deno.serve({ hostname: "127.0.0.1", port: Number(port), onListen() {} }, async (request) => {
  const answer = await handle(request, context);
  return answer && !answer.headers.has("x-middleware-next") ? answer : pass(request);
});
