/** Text as Python treats it: what the two routers must agree on, character by character. */

const BLANK = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const BEFORE = new RegExp(`^${BLANK}+`);
const ONE_BLANK = new RegExp(BLANK);
const LONE = /\p{Surrogate}/gu;
const LOWER_CHEROKEE = /[\u13f8-\u13fd\uab70-\uabbf]/gu;
const FULL_FOLDS = new RegExp(
  "[\\u00b5\\u00df\\u0149\\u017f\\u01f0\\u0345\\u0390\\u03b0\\u03c2\\u03d0-\\u03d6\\u03f0-\\u03f5\\u0587" +
    "\\u1c80-\\u1c88\\u1e96-\\u1e9b\\u1f50-\\u1f57\\u1f80-\\u1fff\\ufb00-\\ufb17]",
  "gu",
);
const ENCODER = new TextEncoder();
const LENIENT = new TextDecoder("utf-8", { ignoreBOM: true });

/** `str.strip`: other blanks than those of `trim`. */
export function strip(text) {
  const start = text.replace(BEFORE, "");
  let end = start.length;
  while (end > 0 && ONE_BLANK.test(start[end - 1])) end -= 1;
  return start.slice(0, end);
}

/** `str.casefold`: JavaScript has only lower case, which treats sigma by its place and keeps sharp s. */
export function casefold(text) {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .toLowerCase()
    .replace(FULL_FOLDS, (letter) => letter.toUpperCase().toLowerCase())
    .replace(LOWER_CHEROKEE, (letter) => letter.toUpperCase());
}

export function isAscii(text) {
  return /^[\x00-\x7f]*$/.test(text);
}

/** The order of two texts by code points; JavaScript's own compares half characters. */
export function compareTexts(one, other) {
  if (one === other) return 0;
  const [a, b] = [[...one], [...other]];
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    if (a[at] !== b[at]) return a[at].codePointAt(0) - b[at].codePointAt(0);
  }
  return a.length - b.length;
}

/** Characters as Python counts them. */
export function lengthOf(text) {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export function encode(text) {
  return ENCODER.encode(text);
}

export function decode(bytes) {
  return LENIENT.decode(bytes);
}

/** A percent-encoded text as UTF-8; what is no escape stays, what is no UTF-8 becomes U+FFFD. */
export function unquote(text) {
  if (!text.includes("%")) return text;
  const raw = encode(text);
  const out = new Uint8Array(raw.length);
  let size = 0;
  for (let at = 0; at < raw.length; at++) {
    const value = raw[at] === 0x25 ? hexPair(raw[at + 1], raw[at + 2]) : -1;
    out[size++] = value < 0 ? raw[at] : value;
    if (value >= 0) at += 2;
  }
  return decode(out.subarray(0, size));
}

function hexPair(high, low) {
  const pair = String.fromCharCode(high ?? 0, low ?? 0);
  return /^[0-9a-fA-F]{2}$/.test(pair) ? parseInt(pair, 16) : -1;
}

/** A path as it may stand in a `Location`. */
export function quotePath(path) {
  let out = "";
  for (const byte of encode(path)) {
    const letter = String.fromCharCode(byte);
    out += /[A-Za-z0-9/\-._~]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return out;
}

/** The parameters of a query: the first value of each name. A Map, so that no name means anything to JavaScript. */
export function parseQuery(query) {
  const found = new Map();
  for (const piece of query.split("&")) {
    if (!piece) continue;
    const at = piece.indexOf("=");
    const [name, value] = at < 0 ? [piece, ""] : [piece.slice(0, at), piece.slice(at + 1)];
    const key = unquote(name.replaceAll("+", " "));
    if (!found.has(key)) found.set(key, unquote(value.replaceAll("+", " ")));
  }
  return found;
}

/** A JSON document as our generator writes it: compact, never a `<`, half characters as `?`. */
export function dumpBytes(document) {
  const text = JSON.stringify(document, (_, value) => (typeof value === "string" ? value.replace(LONE, "?") : value));
  return encode(text.replaceAll("<", "\\u003c"));
}

/** The SHA-256 of bytes, in hexadecimal. */
export async function sha256(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
