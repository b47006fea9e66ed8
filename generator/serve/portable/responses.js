/** From an answer to a response: conditions, ranges, and the headers every answer has, as `responses.py` gives them. */

import { HTML, isCompressible } from "./media.js";

export const COMMON_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "ETag, Content-Disposition, Content-Range, X-Content-SHA256",
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
};
export const PREFLIGHT = {
  ...COMMON_HEADERS,
  "access-control-allow-methods": "GET, HEAD, POST, OPTIONS",
  "access-control-allow-headers": "Accept, Authorization, Content-Type, If-None-Match, Range",
  "access-control-max-age": "86400",
};
const RANGE = /^bytes=([0-9]{0,18})-([0-9]{0,18})$/;
const NOTHING = new Uint8Array();

/** The response to an answer. `header` gives a header of the request, or an empty text. */
export function toResponse(answer, method, header) {
  const headers = { ...COMMON_HEADERS, "cache-control": answer.cache, ...answer.headers, "content-type": answer.type };
  if (answer.type === HTML) {
    headers["content-security-policy"] ??= "frame-ancestors 'none'";
    headers["x-frame-options"] = "DENY";
  }
  if (answer.status >= 400) {
    headers["cache-control"] = "no-store";
  } else if (answer.etag) {
    headers.etag = answer.etag;
    if (matches(header("if-none-match"), answer.etag)) return bare(304, headers);
  }
  let { status, body } = answer;
  if (answer.ranged) {
    headers["accept-ranges"] = "bytes";
    const wanted = header("range");
    if (wanted && method === "GET" && status === 200 && (header("if-range") || answer.etag) === answer.etag) {
      const found = byteRange(wanted, body.length);
      if (found?.start === found?.end && found) {
        headers["content-range"] = `bytes */${body.length}`;
        headers["cache-control"] = "no-store";
        return bare(416, { ...headers, "content-length": "0" });
      }
      if (found) {
        headers["content-range"] = `bytes ${found.start}-${found.end - 1}/${body.length}`;
        [status, body] = [206, body.subarray(found.start, found.end)];
      }
    }
  } else if (isCompressible(answer.type)) {
    headers.vary = "Accept-Encoding";
  }
  headers["content-length"] = String(body.length);
  return { status, headers, body: method === "HEAD" ? NOTHING : body };
}

/** A response without a body. */
export function bare(status, headers) {
  const { "content-type": _, ...kept } = headers;
  return { status, headers: kept, body: NOTHING };
}

/** Weak comparison, as `If-None-Match` wants; ClawHub's own unquoted hashes pass too. */
function matches(header, etag) {
  const unquoted = (text) => text.trim().replace(/^W\//, "").replace(/^"+|"+$/g, "");
  return header.trim() === "*" || header.split(",").some((one) => unquoted(one) === unquoted(etag));
}

/** Start and end (exclusive) of a single range, both 0 where nothing of it exists; null for a header to ignore. */
function byteRange(header, size) {
  const match = RANGE.exec(header.trim().replaceAll(" ", ""));
  if (!match || !(match[1] || match[2])) return null;
  const [first, last] = [match[1], match[2]];
  if (first && last && Number(last) < Number(first)) return null;
  const start = first ? Number(first) : Math.max(0, size - Number(last));
  const end = first && last ? Math.min(Number(last) + 1, size) : size;
  return start < end ? { start, end } : { start: 0, end: 0 };
}
