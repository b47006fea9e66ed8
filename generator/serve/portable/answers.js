/** From a plan to an answer, out of the tree: `answers.py`. */

import { JSON_TYPE, REVALIDATE, TEXT, inertType } from "./media.js";
import { VERSION_NOT_FOUND } from "./plans.js";
import { casefold, decode, dumpBytes, encode, sha256 } from "./texts.js";
import { etagOf, readRoute } from "./tree.js";

const API = "/api/v1";
const GONE = 410;
/** Bytes of a file that is given out alone; ClawHub's limit. */
const FILE_MAX = 10 * 1024 * 1024;
const NO_INDEX = "The search index of this hub cannot be read. Its operator can mend that: skillpress build.";
const BLOCKED = "Blocked: the security scan of this hub found this version malicious, so it is not served.";

/** A plain text; what is refused is never kept, so it needs no entity tag. */
export function sayText(status, text, headers = {}) {
  return { status, body: encode(text), type: TEXT, cache: REVALIDATE, etag: "", headers };
}

async function json(document) {
  const body = dumpBytes(document);
  return { status: 200, body, type: JSON_TYPE, cache: REVALIDATE, etag: await etagOf(body), headers: {} };
}

/** Answers plans about one hub. `searching` has `open(read)`, see `listing.js`. */
export class Answerer {
  constructor(hub, readFile, searching) {
    this.hub = hub;
    this.readFile = readFile;
    this.searching = searching;
  }

  answer(plan) {
    switch (plan.kind) {
      case "say":
        return sayText(plan.status, plan.text, plan.allow ? { allow: plan.allow } : {});
      case "pick":
        return this.pick(plan.routes, plan.missing);
      case "tagged":
        return this.tagged(plan);
      case "download":
        return this.download(plan);
      case "file":
        return this.file(plan);
      case "list":
        return this.list(plan);
      case "search":
        return this.find(plan);
      case "trending":
        return this.trending(plan);
      case "verdicts":
        return this.verdicts(plan);
    }
    throw new Error(`no such plan: ${plan.kind}`);
  }

  read(path) {
    return readRoute(this.hub, this.readFile, path);
  }

  async pick(routes, missing) {
    for (const route of routes) {
      const answer = await this.read(route);
      if (answer) return answer;
    }
    return sayText(404, missing);
  }

  async document(route) {
    const answer = await this.read(route);
    return answer && JSON.parse(decode(answer.body));
  }

  async tagged({ base, tag, document }) {
    const version = await this.versionOfTag(base, tag);
    return this.pick(version === null ? [] : [`${base}/versions/${version}/${document}`], VERSION_NOT_FOUND);
  }

  async versionOfTag(base, tag) {
    const tags = (await this.document(base))?.distTags ?? {};
    return Object.hasOwn(tags, tag) && typeof tags[tag] === "string" ? tags[tag] : null;
  }

  /** The version's document, the latest where none was asked for; null, or the refusal of one withdrawn. */
  async version(base, wanted) {
    let version = wanted;
    if (wanted === null) {
      const resolved = await this.document(`${base}/resolve`);
      if (!resolved) return null;
      if (resolved.latestVersion === null) {
        const install = await this.document(`${base}/install`);
        return install && !install.ok ? { refusal: sayText(install.status, install.message) } : null;
      }
      ({ version } = resolved.latestVersion);
    } else if (wanted.tag) {
      version = await this.versionOfTag(base, wanted.tag);
      if (version === null) return null;
    }
    const answer = await this.read(`${base}/versions/${version}`);
    if (!answer) return null;
    return answer.status === GONE ? { refusal: answer } : JSON.parse(decode(answer.body)).version;
  }

  /** The release whose archive may be given out, or the refusal. */
  async release(plan) {
    const release = await this.version(plan.base, plan.version);
    if (!release) return { refusal: sayText(404, VERSION_NOT_FOUND) };
    if (release.refusal) return release;
    return release.security.status === "malicious" ? { refusal: sayText(403, BLOCKED) } : release;
  }

  async download(plan) {
    const release = await this.release(plan);
    if (release.refusal) return release.refusal;
    const name = `${plan.slug}-${release.version}.zip`;
    const archive = await this.read(`/dl/${plan.owner}/${name}`);
    if (!archive) return sayText(404, VERSION_NOT_FOUND);
    return { ...archive, status: 200, cache: REVALIDATE, headers: { "content-disposition": `attachment; filename="${name}"` } };
  }

  async file(plan) {
    const release = await this.release(plan);
    if (release.refusal) return release.refusal;
    const entry = findFile(release.files, plan);
    const archive = `dl/${plan.owner}/${plan.slug}-${release.version}.zip`;
    const range = entry && entry.size <= FILE_MAX ? { offset: entry.offset, length: entry.size } : { offset: 0, length: 0 };
    const body = await this.readFile(archive, range);
    if (body === null) return sayText(404, VERSION_NOT_FOUND);
    if (!entry) return sayText(404, "File not found");
    if (entry.size > FILE_MAX) return sayText(413, "File exceeds 10 MB");
    if ((await sha256(body)) !== entry.sha256) {
      return sayText(500, "The archive on this server does not hold the file its index names");
    }
    return {
      status: 200,
      body,
      type: inertType(entry.contentType),
      cache: REVALIDATE,
      etag: `"${entry.sha256}"`,
      headers: {
        "content-disposition": "attachment",
        "content-security-policy": "default-src 'none'; sandbox",
        "x-content-sha256": entry.sha256,
        "x-content-size": String(entry.size),
      },
    };
  }

  async list(plan) {
    const found = await this.search();
    if (!found) return sayText(500, NO_INDEX);
    if (!plan.limit) return json({ items: [], nextCursor: null });
    const { items, nextCursor } = found.list(plan);
    return json({ items: plan.packages ? items.map((row) => this.packageOf(row)) : items, nextCursor });
  }

  async find(plan) {
    const found = await this.search();
    if (!found) return sayText(500, NO_INDEX);
    const rows = plan.limit ? found.search(plan) : [];
    if (!plan.packages) return json({ results: rows });
    return json({ results: rows.map((row) => ({ score: row.score, package: this.packageOf(row) })) });
  }

  /** A row as one of ClawHub's packages: `package_item` of `clawhub_packages.py`. */
  packageOf(row) {
    const { slug, ownerHandle: owner, latestVersion } = row;
    const { category } = row.skillpress;
    return {
      name: this.hub.index.packageName(owner, slug),
      displayName: row.displayName,
      family: "skill",
      channel: "community",
      isOfficial: false,
      summary: row.summary,
      ownerHandle: owner,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      latestVersion: latestVersion ? latestVersion.version : null,
      topics: row.topics,
      categories: category ? [category] : [],
    };
  }

  /** The lists of this deployment, read once; null where they cannot be read. A document of another one is not kept. */
  async search() {
    if (this.hub.searches) return this.hub.searches;
    let whole = true;
    const read = async (route) => {
      const answer = await this.read(route);
      const promised = this.hub.promised.get(route);
      if (answer && promised !== undefined && (await sha256(answer.body)) !== promised) whole = false;
      return answer && answer.body;
    };
    const found = await this.searching.open(read).catch(() => null);
    if (whole && found) this.hub.searches = found;
    return found;
  }

  async trending({ limit }) {
    const document = await this.document(`${API}/trending`);
    return document ? json({ ...document, items: document.items.slice(0, limit) }) : sayText(404, "Not found");
  }

  async verdicts({ targets, routes }) {
    const items = [];
    for (const [at, target] of targets.entries()) items.push(await this.verdict(target, routes[at]));
    return json({ schema: "clawhub.skill.security-verdicts.v1", items });
  }

  async verdict({ slug, version, owner }, route) {
    const asked = { requestedSlug: slug, requestedVersion: version };
    if (owner !== null) asked.requestedOwnerHandle = owner;
    const item = route && (await this.document(route));
    const { index } = this.hub;
    if (item) {
      // A client that knows the former address compares what it gets with what it asked for.
      const former = index.isFormer(owner, slug) ? { slug, publisherHandle: owner ?? item.publisherHandle } : {};
      return { ...asked, ...item, ...former };
    }
    const failed = { ...asked, ok: false, decision: "fail" };
    const owners = index.owners(slug);
    if (owner === null && owners.length > 1 && index.holder(slug) === null) {
      const names = owners.map((one) => `@${one}/${slug}`).join(", ");
      const error = { code: "AMBIGUOUS_SKILL_SLUG", message: `${slug} is on this hub as ${names}` };
      return { ...failed, reasons: ["skill.ambiguous"], error };
    }
    const error = { code: "version.not_found", message: `${slug} ${version} is not on this hub` };
    return { ...failed, reasons: ["version.not_found"], error };
  }
}

/** The entry of a file: under its very name, or where that may differ in case, so. */
function findFile(files, { path, exact }) {
  const found = files.find((one) => one.path === path);
  if (found || exact) return found;
  const folded = casefold(path);
  return files.find((one) => casefold(one.path) === folded);
}
