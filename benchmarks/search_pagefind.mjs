// Ask a Pagefind index on disk, as a browser would: English first, every other language merged.
// node search_pagefind.mjs FOLDER < questions: a question a line (JSON); prints the addresses of the first five, and at
// the end what was fetched.
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const folder = pathToFileURL(`${process.argv[2]}/`).href;
let requests = 0, bytes = 0;
globalThis.fetch = async (address) => {
  const data = await readFile(new URL(String(address).split("?")[0]));
  requests += 1;
  bytes += data.length;
  return new Response(data);
};
globalThis.document = { querySelector: () => ({ getAttribute: () => "en" }), currentScript: null };

const entry = JSON.parse(await readFile(new URL("pagefind-entry.json", folder)));
const source = await readFile(new URL("pagefind.js", folder), "utf8");
const module = `data:text/javascript;base64,${Buffer.from(source).toString("base64")}`;
const pagefind = await import(module);
await pagefind.options({ basePath: folder });
await pagefind.init();
for (const language of Object.keys(entry.languages)) {
  // Another spelling of the same folder: Pagefind skips what looks like the index it already reads.
  if (language !== "en") await pagefind.mergeIndex(`${folder}./`, { language });
}
const [startRequests, startBytes] = [requests, bytes];
let asked = 0, spent = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const started = performance.now();
  const { results } = await pagefind.search(JSON.parse(line));
  const shown = await Promise.all(results.slice(0, 5).map((result) => result.data()));
  spent += performance.now() - started;
  asked += 1;
  console.log(JSON.stringify(shown.map((one) => one.raw_url ?? one.url)));
}
console.log(JSON.stringify({
  startRequests, startBytes, requests: (requests - startRequests) / asked, bytes: (bytes - startBytes) / asked,
  milliseconds: spent / asked,
}));
process.exit(0);
