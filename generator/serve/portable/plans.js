/**
 * Which ready answer a request wants: the decisions of `router.py`, with the same texts.
 *
 * A plan is an object with a `kind`: say, redirect, pick, tagged, download, file, list, search, trending, verdicts.
 */

import { claimOf, presentPath } from "./places.js";
import { strip } from "./texts.js";
import { parseVerdicts } from "./verdicts.js";

const API = "/api/v1";
const GONE = 410;
const SKILL_NOT_FOUND = "Skill not found";
export const VERSION_NOT_FOUND = "Version not found";
const INDEX_OF_A_PAGE = "/.well-known/agent-skills/index.json";
const INDEX_OF_NO_PAGE = "/.well-known/agent-skills/missing.json";
const LIST_LIMIT = 25;
const LIST_LIMIT_MAX = 200;
const TRENDING_LIMIT = 20;
const TRENDING_LIMIT_MAX = 100;
const PACKAGES_MAX = 100;
const PACKAGE_NOT_FOUND = "Package not found";

const SORTS = new Map([
  ...["", "updated", "recommended", "default", "downloads", "stars", "rating", "installs", "installscurrent",
    "installsalltime", "installs-current", "installs-all-time", "trending"].map((word) => [word, "updated"]),
  ...["createdat", "created-at", "created", "newest"].map((word) => [word, "created"]),
  ["name", "name"],
]);

const SLUG = /^[a-z0-9-]{1,96}$/;
const VERSION = /^[0-9A-Za-z.-]{1,128}$/;
const TAG = /^[a-z][a-z0-9._-]{0,31}$/;
const HASH = /^[0-9a-fA-F]{64}$/;
const NUMBER = /^-?[0-9]{1,9}$/;
const CURSOR = /^[0-9]{1,9}$/;
const PAGE = /^\/([a-z0-9_-]+)\/skills\/([a-z0-9-]+)\/?$/;
const ARCHIVE = /^(\/dl\/([a-z0-9_-]+)\/([a-z0-9-]+)-([0-9]+\.[0-9A-Za-z.-]+))\.(?:zip|skill|tgz)$/;
const PACKAGE = /^((?:@([a-z0-9_-]+)\/)?([a-z0-9-]+))(\/file|\/versions(?:\/[0-9A-Za-z.-]+)?)?$/;
const JUDGED = new Set(["verify", "scan", "card", "security-verdict"]);
const ONCE = new Set(["versions", "install", "moderation"]);
const YES = new Set(["1", "true", "yes"]);

export function say(status, text, allow = null) {
  return { kind: "say", status, text, allow };
}

function pick(routes, missing) {
  return { kind: "pick", routes, missing };
}

/** What to answer. `request` is `{method, path, query: Map, body}`, its path decoded and below the hub's base. */
export function plan(request, index) {
  const { method, path, query } = request;
  const reads = method === "GET" || method === "HEAD";
  if (!path.startsWith("/api/") || path === "/api/" || path === "/api/index.md") {
    return reads ? plain(path, index) : say(405, "Method not allowed", "GET, HEAD, OPTIONS");
  }
  const parts = path.replace(/\/+$/, "").split("/").slice(1);
  const asked = parts.join("/");
  if (!index.clawhub && asked !== "api/v1/skill/list") return say(404, "Not found");
  if (method === "POST" && asked === "api/v1/skills/-/security-verdicts") return verdicts(request.body, index);
  if (!reads) return say(405, "This hub is made of files and takes no changes.", "GET, HEAD, OPTIONS");
  switch (asked) {
    case "api/v1/skills":
      return list(query);
    case "api/v1/search":
      return search(query);
    case "api/v1/trending":
      return trending(query);
    case "api/v1/resolve":
    case "api/v1/skills/resolve":
      return resolve(query, index);
    case "api/v1/download":
      return download(query, index);
    case "api/v1/openapi.json":
    case "api/v1/skill/list":
    case "api/v1/plugins":
    case "api/v1/code-plugins":
    case "api/v1/bundle-plugins":
      return pick([`/${asked}`], "Not found");
    case "api/v1/skills/-/security-verdicts":
      return say(405, "Ask with POST", "POST, OPTIONS");
  }
  if (parts[0] === "api" && parts[1] === "v1") {
    if (parts[2] === "packages") return packages(parts.slice(3), query, index);
    if (parts[2] === "skills" && parts.length > 3) {
      return aboutSkill(ownerOf(query), parts[3], parts.slice(4), query, index);
    }
    if (parts[2] === "owners" && parts[4] === "skills" && parts.length > 5) {
      return aboutSkill(parts[3], parts[5], parts.slice(6), query, index);
    }
  }
  return say(404, "Not found");
}

/** A page or a file; a file of an archive, an archive under another address, an archive that is withdrawn. */
function plain(path, index) {
  const page = PAGE.exec(path);
  const moved = page && index.moved.get(`${page[1]}/${page[2]}`);
  if (moved) {
    const [owner, slug] = moved.split("/");
    return { kind: "redirect", path: `/${owner}/skills/${slug}/` };
  }
  const claim = claimOf(path);
  if (claim?.kind === "slice") {
    const skill = locate(claim.owner, claim.slug, index);
    return skill.base ? { kind: "file", ...skill, version: null, path: claim.rest, exact: true } : skill;
  }
  if (claim?.kind === "archive") {
    const skill = locate(claim.owner, claim.slug, index);
    return skill.base ? { kind: "download", ...skill, version: claim.rest } : skill;
  }
  const archive = ARCHIVE.exec(path);
  if (archive && index.statuses.get(`${archive[1]}.zip`) === GONE) {
    const skill = locate(archive[2], archive[3], index);
    if (skill.base) return pick([`${skill.base}/versions/${archive[4]}`], "Not found");
  }
  const route = presentPath(path, index) ?? path;
  return pick(path.endsWith(INDEX_OF_A_PAGE) ? [route, INDEX_OF_NO_PAGE] : [route], "Not found");
}

function ownerOf(query) {
  return query.get("ownerHandle") || query.get("owner") || null;
}

/** The skill a slug means as `{owner, slug, base}`, or the plan that refuses. */
function locate(owner, slug, index) {
  slug = strip(slug).toLowerCase();
  const owners = SLUG.test(slug) ? index.owners(slug) : [];
  if (owner === null) {
    if (!owners.length) return follow(index.movedSlugs.get(slug), index);
    const holder = index.holder(slug);
    const base = `${API}/skills/${slug}`;
    return holder === null ? pick([base], SKILL_NOT_FOUND) : { owner: holder, slug, base };
  }
  const wanted = strip(owner).replace(/^@/, "").toLowerCase();
  if (!owners.includes(wanted)) return follow(index.moved.get(`${wanted}/${slug}`), index);
  return { owner: wanted, slug, base: index.base(wanted, slug) };
}

function follow(present, index) {
  if (present === undefined) return say(404, SKILL_NOT_FOUND);
  const [owner, slug] = present.split("/");
  return { owner, slug, base: index.base(owner, slug) };
}

/** The version asked for, null for the latest, `{tag}`, or the plan that refuses. */
function versionOf(query) {
  const version = strip(query.get("version") ?? "");
  if (version) return VERSION.test(version) ? version : say(404, VERSION_NOT_FOUND);
  const tag = strip(query.get("tag") ?? "");
  if (tag === "" || tag === "latest") return null;
  return TAG.test(tag) ? { tag } : say(404, VERSION_NOT_FOUND);
}

function aboutSkill(owner, name, rest, query, index) {
  const skill = locate(owner, name, index);
  if (!skill.base) return skill;
  const { base } = skill;
  const [one, second, third] = rest;
  if (rest.length === 0) return pick([base], SKILL_NOT_FOUND);
  if (rest.length === 1) {
    if (ONCE.has(one)) return pick([`${base}/${one}`], "Not found");
    if (JUDGED.has(one)) {
      const version = versionOf(query);
      if (version?.kind) return version;
      if (version?.tag) return { kind: "tagged", base, tag: version.tag, document: one };
      return pick([version ? `${base}/versions/${version}/${one}` : `${base}/${one}`], VERSION_NOT_FOUND);
    }
    if (one === "file") return file(skill, query);
    if (one === "resolve") return pick([`${base}/resolve`], "Not found");
  }
  if (rest.length === 2 && one === "resolve") return match(skill, second);
  if (one === "versions" && VERSION.test(second ?? "")) {
    if (rest.length === 2) return pick([`${base}/versions/${second}`], VERSION_NOT_FOUND);
    if (rest.length === 3 && JUDGED.has(third)) {
      return pick([`${base}/versions/${second}/${third}`], VERSION_NOT_FOUND);
    }
  }
  return say(404, one === "versions" ? VERSION_NOT_FOUND : "Not found");
}

function resolve(query, index) {
  const slug = query.get("slug") ?? "";
  const hash = query.get("hash") ?? "";
  if (!strip(slug)) return say(400, "Missing slug");
  if (!HASH.test(hash)) return say(400, "Invalid hash");
  const skill = locate(ownerOf(query), slug, index);
  return skill.base ? match(skill, hash) : skill;
}

function match({ base }, fingerprint) {
  if (!HASH.test(fingerprint)) return say(400, "Invalid hash");
  return pick([`${base}/resolve/${fingerprint.toLowerCase()}`, `${base}/resolve`], SKILL_NOT_FOUND);
}

function download(query, index) {
  const slug = query.get("slug") ?? "";
  if (!strip(slug)) return say(400, "Missing slug");
  const skill = locate(ownerOf(query), slug, index);
  if (!skill.base) return skill;
  const version = versionOf(query);
  return version?.kind ? version : { kind: "download", ...skill, version };
}

function file(skill, query) {
  const version = versionOf(query);
  const path = query.get("path") ?? "";
  if (!path) return say(400, "Missing path");
  return version?.kind ? version : { kind: "file", ...skill, version, path, exact: false };
}

function limitOf(query, usual, most) {
  const text = strip(query.get("limit") ?? "");
  if (!text) return usual;
  return NUMBER.test(text) ? Math.max(1, Math.min(parseInt(text, 10), most)) : say(400, "Invalid limit");
}

function shared(query) {
  return {
    owner: (ownerOf(query) ?? "").replace(/^@/, "").toLowerCase(),
    cleanOnly: YES.has((query.get("nonSuspiciousOnly") ?? "").toLowerCase()),
  };
}

function list(query) {
  const order = SORTS.get(strip(query.get("sort") ?? "").toLowerCase());
  const limit = limitOf(query, LIST_LIMIT, LIST_LIMIT_MAX);
  const cursor = query.get("cursor") ?? "";
  if (order === undefined) return say(400, "Invalid sort");
  if (limit.kind) return limit;
  if (cursor && !CURSOR.test(cursor)) return say(400, "Invalid cursor");
  const prefix = strip(query.get("prefix") ?? "");
  return { kind: "list", order, limit, offset: parseInt(cursor || "0", 10), prefix, ...shared(query) };
}

function search(query) {
  const mode = query.get("mode") ?? "";
  if (mode !== "" && mode !== "exact") return say(400, "Invalid mode");
  const limit = limitOf(query, LIST_LIMIT, LIST_LIMIT_MAX);
  if (limit.kind) return limit;
  return { kind: "search", question: query.get("q") ?? "", limit, exact: mode === "exact", ...shared(query) };
}

/** Skills as ClawHub's packages; other families have none here. */
function packages(rest, query, index) {
  const name = rest.join("/");
  if (!rest.length || name === "search") {
    let limit = limitOf(query, LIST_LIMIT, PACKAGES_MAX);
    const cursor = query.get("cursor") ?? "";
    if (limit.kind) return limit;
    if (cursor && !CURSOR.test(cursor)) return say(400, "Invalid cursor");
    const official = YES.has((query.get("isOfficial") ?? "").toLowerCase());
    if ((query.get("family") ?? "skill") !== "skill" || official) limit = 0;
    const common = { limit, owner: "", cleanOnly: false, packages: true };
    if (rest.length) return { kind: "search", question: query.get("q") ?? "", exact: false, ...common };
    return { kind: "list", order: "updated", offset: parseInt(cursor || "0", 10), prefix: "", ...common };
  }
  const named = PACKAGE.exec(name);
  const skill = named && locate(named[2] ?? null, named[3], index);
  if (!skill?.base) return say(404, PACKAGE_NOT_FOUND);
  if (named[4] === "/file") return file(skill, query);
  const held = index.packageName(skill.owner, skill.slug);
  const inner = named[4] ?? "";
  return pick([`${API}/packages/${held}${inner}`], inner ? VERSION_NOT_FOUND : PACKAGE_NOT_FOUND);
}

function trending(query) {
  if (!["", "skills"].includes(strip(query.get("kind") ?? ""))) return say(400, "Unsupported trending kind");
  const limit = limitOf(query, TRENDING_LIMIT, TRENDING_LIMIT_MAX);
  return limit.kind ? limit : { kind: "trending", limit };
}

function verdicts(body, index) {
  const targets = parseVerdicts(body);
  if (typeof targets === "string") return say(400, targets);
  const routes = targets.map(({ slug, version, owner }) => {
    const skill = locate(owner, slug, index);
    return skill.base && VERSION.test(version) ? `${skill.base}/versions/${version}/security-verdict` : null;
  });
  return { kind: "verdicts", targets, routes };
}
