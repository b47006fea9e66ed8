// Skills whose text answers a question, through the Pagefind index of a hub that has one. Fetched when first asked.
import { fold, stem } from "../search/search.js";

const HITS = 12;
const LOOKED_AT = 48;

/** Opens the index in a folder: a function of a parsed question, of a test for `owner/slug`, and of whether anybody still
 * waits for the answer. It gives the best hits that pass, each with its key and an excerpt. */
export async function openFullText(folder) {
  const pagefind = await import(new URL("pagefind.js", folder).href);
  const { languages } = await (await fetch(new URL("pagefind-entry.json", folder))).json();
  await pagefind.options({ basePath: folder.href, excerptLength: 24 });
  await pagefind.init();
  const first = firstOf(languages);
  for (const language of Object.keys(languages)) {
    // Another spelling of the same folder: Pagefind skips what looks like the index it already reads.
    if (language !== first) await pagefind.mergeIndex(`${folder.href}./`, { language });
  }
  return (query, wanted, isAwaited) => ask(pagefind, query, wanted, isAwaited);
}

// The language that Pagefind begins with on a page in English.
function firstOf(languages) {
  if (languages.en) return "en";
  return Object.entries(languages).sort(([, a], [, b]) => b.page_count - a.page_count)[0]?.[0];
}

async function ask(pagefind, query, wanted, isAwaited) {
  const { results } = await pagefind.search(query.text);
  const hits = [];
  for (let at = 0; at < Math.min(results.length, LOOKED_AT) && hits.length < HITS && isAwaited(); at += HITS) {
    const found = await Promise.all(results.slice(at, at + HITS).map((result) => result.data()));
    for (const { meta, content, excerpt } of found) {
      const key = `${meta.owner}/${meta.slug}`;
      if (wanted(key) && hits.length < HITS && holds(fold(content), query.units)) hits.push({ key, excerpt: excerptOf(excerpt) });
    }
  }
  return hits;
}

// Pagefind takes shorter words where it has no more (`m` for `memory`). Of neighbouring characters of a script without
// spaces some only meet by chance: half are enough.
function holds(text, units) {
  const missing = units.filter((unit) => !text.includes(stem(unit) ?? unit));
  return missing.every((unit) => unit > "\u0e00") && missing.length * 2 <= units.length;
}

// Only text and marks of it: the words are an author's.
function excerptOf(html) {
  const made = document.createDocumentFragment();
  for (const node of new DOMParser().parseFromString(html, "text/html").body.childNodes) {
    if (node.nodeName === "MARK") made.append(Object.assign(document.createElement("mark"), { textContent: node.textContent }));
    else made.append(node.textContent);
  }
  return made;
}
