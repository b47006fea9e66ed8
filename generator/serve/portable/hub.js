/** One deployment of a hub as the router knows it, and what is kept of it between requests. */

import { decode, sha256 } from "./texts.js";

const ROUTER_SCHEMA = "skillpress.router.v1";
const PACKS_BYTES = 8 * 1024 * 1024;
const API = "/api/v1";

/** What a process keeps: the deployment seen last, if any. Make one for each hub and pass it to every call. */
export function createMemory() {
  return { hub: null };
}

/** Which owners have which slug, and which routes do not answer with 200: `SlugIndex` of `router.py`. */
export class SlugIndex {
  constructor(document) {
    this.slugs = mapOf(document.slugs);
    this.statuses = mapOf(document.statuses);
    this.moved = mapOf(document.moved);
    this.movedSlugs = mapOf(document.movedSlugs);
    this.clawhub = document.clawhub !== false;
  }

  owners(slug) {
    return this.slugs.get(slug) ?? [];
  }

  holder(slug) {
    const owners = this.owners(slug);
    return !owners.length || this.statuses.get(`${API}/skills/${slug}`) === 409 ? null : owners[0];
  }

  isFormer(owner, slug) {
    if (owner === null) return !this.slugs.has(slug) && this.movedSlugs.has(slug);
    return !this.owners(slug).includes(owner) && this.moved.has(`${owner}/${slug}`);
  }

  /** What a skill is called as a package. `search` alone is the address of the search. */
  packageName(owner, slug) {
    return owner === this.holder(slug) && slug !== "search" ? slug : `@${owner}/${slug}`;
  }

  base(owner, slug) {
    return owner === this.holder(slug) ? `${API}/skills/${slug}` : `${API}/owners/${owner}/skills/${slug}`;
  }
}

/** A deployment: its index, and its packs and lists once they were read. */
class Hub {
  constructor(key, base, promised, router) {
    this.key = key;
    this.deployment = undefined;
    this.base = base;
    this.promised = promised;
    this.layout = router.layout;
    this.naming = router.naming;
    this.index = new SlugIndex(router);
    this.searches = null;
    this.packs = new Map();
    this.packsSize = 0;
  }

  /** The answers of a pack: parsed once, and kept while there is room. An absent pack has none. */
  async pack(name, readFile) {
    const kept = this.packs.get(name);
    if (kept) {
      this.packs.delete(name);
      this.packs.set(name, kept);
      return kept.answers;
    }
    const bytes = await readFile(name);
    if (bytes === null) return {};
    const { answers } = JSON.parse(decode(bytes));
    this.packs.set(name, { answers, size: bytes.length });
    this.packsSize += bytes.length;
    for (const [oldest, { size }] of this.packs) {
      if (this.packsSize <= PACKS_BYTES || this.packs.size === 1) break;
      this.packs.delete(oldest);
      this.packsSize -= size;
    }
    return answers;
  }
}

/**
 * The hub that lies behind `readFile` now.
 *
 * The root document is written last and names the digest of the router's index, so its own digest is the name of a
 * deployment: everything kept of another one is dropped together. While a deployment is being replaced the two do not
 * fit; then what was kept goes on answering, or what there is, without being kept. A host that has a name of its own for
 * each `deployment`, none of which ever changes, saves reading the root document again.
 */
export async function openHub(readFile, memory, deployment) {
  if (deployment !== undefined && memory.hub?.deployment === deployment) return memory.hub;
  const { hub, whole } = await look(readFile, memory);
  if (whole) {
    hub.deployment = deployment;
    memory.hub = hub;
  }
  return hub;
}

/** The hub that is there, and whether all of it is of one deployment. */
async function look(readFile, memory) {
  const bytes = await readFile("hub.json");
  const root = parse(bytes);
  const digest = bytes === null ? "" : await sha256(bytes);
  const promised = mapOf(root.documents);
  const expected = promised.get("/router.json");
  if (expected !== undefined && memory.hub?.key === digest) return { hub: memory.hub, whole: true };
  const router = await readFile("router.json");
  if (router === null) throw new Error("there is no router.json");
  const found = await sha256(router);
  const key = expected === undefined ? `${digest} ${found}` : digest;
  const whole = expected === undefined || expected === found;
  if (memory.hub && (memory.hub.key === key || !whole)) return { hub: memory.hub, whole };
  const document = JSON.parse(decode(router));
  if (document.schema !== ROUTER_SCHEMA) throw new Error("router.json is of another version of Skillpress");
  return { hub: new Hub(key, basePath(root.url), promised, document), whole };
}

function parse(bytes) {
  try {
    const document = JSON.parse(decode(bytes ?? new Uint8Array()));
    return typeof document === "object" && document !== null ? document : {};
  } catch {
    return {};
  }
}

/** The path part of the hub's address, without a slash at its end. */
function basePath(url) {
  try {
    return decodeURIComponent(new URL(url).pathname).replace(/\/+$/, "");
  } catch {
    return "";
  }
}

function mapOf(object) {
  return new Map(Object.entries(object ?? {}));
}
