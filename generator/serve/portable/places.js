/** Where the answer of a URL path lies: the table of `places.py`, held to the same cases by `tests/serve/places.json`. */

import { RAW } from "./media.js";
import { lengthOf } from "./texts.js";

export const TABLE = [
  ["/api/v1/skills/{slug}", "pack"],
  ["/api/v1/skills/{slug}/{rest}", "pack"],
  ["/api/v1/owners/{owner}/skills/{slug}", "pack"],
  ["/api/v1/owners/{owner}/skills/{slug}/{rest}", "pack"],
  ["/api/v1/packages/@{owner}/{slug}", "pack"],
  ["/api/v1/packages/@{owner}/{slug}/{rest}", "pack"],
  ["/api/v1/packages/{slug}", "pack"],
  ["/api/v1/packages/{slug}/{rest}", "pack"],
  ["/{owner}/skills/{slug}/", "page"],
  ["/{owner}/skills/{slug}/diff/{rest}", "file"],
  ["/{owner}/skills/{slug}/{rest}", "pack"],
  ["/npm/@{owner}/{slug}", "pack"],
  ["/v1/packages/{owner}/{slug}/versions", "pack"],
  ["/v1/packages/{owner}/{slug}/versions/{version}/download", "archive"],
  ["/bundles/{owner}/{slug}.json", "pack"],
  ["/bundles/{slug}.json", "pack"],
  ["/agentskills/{slug}/index.json", "pack"],
  ["/agentskills/{slug}/{rest}", "slice"],
  ["/.well-known/skills/{slug}/{rest}", "slice"],
];

const PIECES = new Map([
  ["{owner}", "(?<owner>[a-z0-9_-]+)"],
  ["{slug}", "(?<slug>[a-z0-9-]+)"],
  ["{version}", "(?<rest>[0-9A-Za-z.-]+)"],
  ["{rest}", "(?<rest>[^\\n]+)"],
]);
const PIECE = /\{[a-z]+\}/g;
const SEGMENT = /^[^\x00-\x1f\x7f\\/]+$/;
const STORAGE = ["/packs/", "/pages/"];
const PATH_MAX = 1024;
const ROWS = TABLE.map(([template, kind]) => [compile(template), template, kind]);
const NOWHERE = Object.freeze({ kind: "none", file: "", pack: "" });

function compile(template) {
  const pieces = template.split(/(\{[a-z]+\})/);
  const source = pieces.map((piece) => PIECES.get(piece) ?? piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${source.join("")}$`);
}

/** The skill that a path would belong to, or null; whether there is one is not asked. */
export function claimOf(path) {
  for (const [pattern, template, kind] of ROWS) {
    const match = pattern.exec(path);
    if (match) {
      const { owner = null, slug, rest = "" } = match.groups;
      return { kind, owner, slug, rest, template };
    }
  }
  return null;
}

/** Where the answer of `path` (decoded, below the base) lies: `{kind, file, pack}`. */
export function placeOf(path, index, layout, naming) {
  if (path.startsWith(RAW)) {
    const relative = path.slice(RAW.length);
    return isSafe(`/${relative}`) && !path.endsWith("/") ? at("file", relative) : NOWHERE;
  }
  if (path.endsWith("/index.html") && !path.startsWith("/api/")) path = path.slice(0, -"index.html".length);
  if (!isSafe(path) || STORAGE.some((folder) => path.startsWith(folder))) return NOWHERE;
  if (path.startsWith("/api/v1/") && /\/index\.(html|json)$/.test(path)) return NOWHERE;
  const claim = claimOf(path);
  if (claim && (claim.kind === "slice" || claim.kind === "archive")) return at(claim.kind, "");
  let file = fileFor(path, naming);
  if (!claim || layout !== "packed") return at("file", file);
  const owner = claim.owner ?? index.holder(claim.slug);
  if (owner === null || !index.owners(claim.slug).includes(owner)) return at("file", file);
  if (claim.kind === "page") return at("page", `pages/${owner}/${claim.slug}.html`);
  // A packed hub has it once, below its owner.
  if (claim.template === "/bundles/{slug}.json") file = `bundles/${owner}/${claim.slug}.json`;
  if (claim.kind === "pack") return at("pack", file, `packs/${owner}/${claim.slug}.json`);
  return at("file", file);
}

function at(kind, file, pack = "") {
  return { kind, file, pack };
}

/** The path that a skill's answer has now, where `path` has the skill's former address; else null. */
export function presentPath(path, index) {
  const claim = path.startsWith("/api/") ? null : claimOf(path);
  if (!claim || claim.kind !== "pack" || !index.isFormer(claim.owner, claim.slug)) return null;
  const present = claim.owner === null ? index.movedSlugs.get(claim.slug) : index.moved.get(`${claim.owner}/${claim.slug}`);
  const [owner, slug] = present.split("/");
  if (claim.owner === null && index.holder(slug) !== owner) return null;
  const values = new Map([["{owner}", owner], ["{slug}", slug]]);
  return claim.template.replace(PIECE, (piece) => values.get(piece) ?? claim.rest);
}

/** Whether a decoded URL path can be a route of a hub at all. */
export function isSafe(path) {
  if (!path.startsWith("/") || (path.length > PATH_MAX && lengthOf(path) > PATH_MAX)) return false;
  const segments = path.slice(1).split("/");
  if (segments.at(-1) === "") segments.pop();
  return segments.every((one) => SEGMENT.test(one) && (!one.startsWith(".") || one === ".well-known"));
}

/** The file of a route where every route is a file: `file_for` of `layout.py`. */
function fileFor(path, naming) {
  const relative = path.slice(1);
  if (path.endsWith("/")) return `${relative}index.html`;
  if (/^\/(?:api\/v1|v1\/packages)\//.test(path) && !path.endsWith("/openapi.json")) return `${relative}/${naming}`;
  return relative;
}
