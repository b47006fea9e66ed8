/** The media type and cache rule of a route that lies on disk as a plain file: the table of `media.py`. */

export const HTML = "text/html; charset=utf-8";
export const JSON_TYPE = "application/json";
export const TEXT = "text/plain; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";
const ATOM = "application/atom+xml; charset=utf-8";
const BYTES = "application/octet-stream";

export const IMMUTABLE = "public, max-age=31536000, immutable";
export const REVALIDATE = "public, max-age=60, must-revalidate";

/** Below it every file of the output lies as it is on disk, for mirrors. */
export const RAW = "/tree/";

const BY_SUFFIX = new Map([
  ["css", "text/css; charset=utf-8"],
  ["gif", "image/gif"],
  ["html", HTML],
  ["ico", "image/x-icon"],
  ["jpeg", "image/jpeg"],
  ["jpg", "image/jpeg"],
  ["js", "text/javascript; charset=utf-8"],
  ["json", JSON_TYPE],
  ["jsonl", "application/x-ndjson"],
  ["map", JSON_TYPE],
  ["md", MARKDOWN],
  ["mjs", "text/javascript; charset=utf-8"],
  ["png", "image/png"],
  ["skill", "application/zip"],
  ["svg", "image/svg+xml; charset=utf-8"],
  ["tgz", "application/gzip"],
  ["txt", TEXT],
  ["webmanifest", "application/manifest+json"],
  ["webp", "image/webp"],
  ["woff", "font/woff"],
  ["woff2", "font/woff2"],
  ["xml", "application/xml; charset=utf-8"],
  ["zip", "application/zip"],
]);
const READABLE = ["json", "jsonl", "json5", "xml", "yaml", "javascript", "toml", "/x-sh"];
const PICTURES = new Set(["image/gif", "image/jpeg", "image/png", "image/webp"]);
const COMPRESSIBLE = ["text/", "application/json", "application/x-ndjson", "image/svg+xml", "application/xml"];

/** The media type of a route by its path. Documents of the protocols are JSON, but for the skill card. */
export function mediaTypeOf(path) {
  if (path.startsWith("/api/v1/")) return path.endsWith("/card") ? MARKDOWN : JSON_TYPE;
  if (path.startsWith(RAW)) return BYTES;
  if (path.startsWith("/npm/") || path.startsWith("/v1/packages/")) return JSON_TYPE;
  if (path.endsWith("/")) return HTML;
  if (path.startsWith("/feeds/") && path.endsWith(".xml")) return ATOM;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return (dot >= 0 && BY_SUFFIX.get(name.slice(dot + 1).toLowerCase())) || BYTES;
}

/** How long a route may be kept: an archive's name never gets other bytes, everything else may change. */
export function cacheOf(path) {
  return path.startsWith("/dl/") ? IMMUTABLE : REVALIDATE;
}

/** A type under which an author's file is never active: text as plain text, pictures as they are. */
export function inertType(mediaType) {
  const essence = mediaType.split(";")[0].trim().toLowerCase();
  if (PICTURES.has(essence)) return essence;
  return essence.startsWith("text/") || READABLE.some((ending) => essence.endsWith(ending)) ? TEXT : BYTES;
}

export function isCompressible(mediaType) {
  return COMPRESSIBLE.some((start) => mediaType.startsWith(start));
}
