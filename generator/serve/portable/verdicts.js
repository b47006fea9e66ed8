/** The body of `POST /api/v1/skills/-/security-verdicts`, as `verdict_request.py` reads it. */

import { lengthOf } from "./texts.js";

const TARGETS_MAX = 100;
const TEXT_MAX = 200;
const STRICT = new TextDecoder("utf-8", { fatal: true });

/** The 1 to 100 targets as `{slug, version, owner}`, or a text that says what is wrong. */
export function parseVerdicts(body) {
  let document;
  try {
    document = JSON.parse(STRICT.decode(body));
  } catch {
    return "The body must be JSON";
  }
  const items = isObject(document) ? own(document, "items") : null;
  if (!Array.isArray(items) || items.length < 1 || items.length > TARGETS_MAX) {
    return `items must be a list of 1 to ${TARGETS_MAX}`;
  }
  const targets = items.map(targetOf);
  return targets.includes(null)
    ? "Each item must be {slug, version} with an optional ownerHandle, all texts"
    : targets;
}

function targetOf(item) {
  if (!isObject(item)) return null;
  const [slug, version, owner] = [own(item, "slug"), own(item, "version"), own(item, "ownerHandle")];
  return isName(slug) && isName(version) && (owner === null || isName(owner)) ? { slug, version, owner } : null;
}

function own(object, key) {
  return Object.hasOwn(object, key) ? object[key] : null;
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isName(value) {
  return typeof value === "string" && value.length > 0 && value.length <= 2 * TEXT_MAX && lengthOf(value) <= TEXT_MAX;
}
