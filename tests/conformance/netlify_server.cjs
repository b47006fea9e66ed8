// A file server in front of which Netlify's own redirect engine decides (npm netlify-redirector).
// node netlify_server.cjs ENGINE TREE PORT
// Forced rules first, then files, then the other rules, then 404.html; _headers as Netlify documents them.
"use strict";
const fs = require("fs");
const http = require("http");
const path = require("path");

const [engine, tree, port] = process.argv.slice(2);
const redirector = require(engine);
const TYPES = {
  html: "text/html; charset=UTF-8", css: "text/css; charset=UTF-8", js: "application/javascript; charset=UTF-8",
  json: "application/json", txt: "text/plain; charset=UTF-8", md: "text/markdown; charset=UTF-8",
  xml: "application/xml", zip: "application/zip", tgz: "application/gzip", png: "image/png", svg: "image/svg+xml",
};

function headerRules(text) {
  const rules = [];
  for (const line of text.split("\n")) {
    if (!line.trim()) continue;
    if (!/^\s/.test(line)) rules.push({ pattern: line.trim(), headers: [] });
    else rules.at(-1).headers.push(line.trim().split(/:\s*(.*)/s).slice(0, 2));
  }
  return rules;
}

function headersFor(rules, pathname) {
  const found = {};
  for (const rule of rules) {
    const hit = rule.pattern.endsWith("/*") ? pathname.startsWith(rule.pattern.slice(0, -1)) : pathname === rule.pattern;
    if (!hit) continue;
    for (const [name, value] of rule.headers) found[name] = found[name] ? `${found[name]}, ${value}` : value;
  }
  return found;
}

function fileFor(pathname) {
  const inner = path.posix.normalize(pathname);
  if (inner.startsWith("..") || inner.includes("\0")) return null;
  const full = path.join(tree, inner);
  for (const one of [full, `${full}.html`, path.join(full, "index.html")]) {
    if (fs.existsSync(one) && fs.statSync(one).isFile()) return one;
  }
  return null;
}

(async () => {
  const rules = await redirector.parsePlain(fs.readFileSync(path.join(tree, "_redirects"), "utf8"), {});
  const headers = headerRules(fs.readFileSync(path.join(tree, "_headers"), "utf8"));
  const server = http.createServer((request, response) => {
    const url = new URL(request.url, "http://localhost");
    const pathname = decodeURIComponent(url.pathname);
    const send = (status, file, more = {}) => {
      const body = file ? fs.readFileSync(file) : Buffer.from("Not Found");
      const type = file ? TYPES[path.extname(file).slice(1)] || "application/octet-stream" : "text/plain";
      response.writeHead(status, { "Content-Type": type, ...headersFor(headers, pathname), ...more, "Content-Length": body.length });
      response.end(request.method === "HEAD" ? "" : body);
    };
    if (request.method !== "GET" && request.method !== "HEAD") {
      request.resume();
      return send(405, null);
    }
    const match = rules.match({
      scheme: "http", host: url.host, path: url.pathname, query: url.search.slice(1),
      getHeader: () => "", getCookie: () => "",
    });
    const apply = () => {
      if (match.status >= 300 && match.status < 400) return send(match.status, null, { Location: match.to });
      const file = fileFor(decodeURIComponent(match.to.split("?")[0]));
      return file ? send(match.status, file) : send(404, fileFor("/404.html"));
    };
    if (match && match.force) return apply();
    const file = fileFor(pathname);
    if (file) {
      // A page asked for without its slash gets one; documents do not.
      return send(200, file);
    }
    return match ? apply() : send(404, fileFor("/404.html"));
  });
  server.listen(Number(port), "127.0.0.1");
})();
