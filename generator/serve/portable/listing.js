/**
 * Lists and search over the document `/api/v1/search`: `ranking.py` and the lists of `answers.py`.
 *
 * What a router wants of a search is `open(read)`: it reads documents by their route and gives
 * `{list(plan) -> {items, nextCursor}, search(plan) -> results}`.
 */

import { casefold, compareTexts, decode, isAscii, strip } from "./texts.js";

const WORD = /[\p{L}\p{N}]+/gu;
const SUMMARY_WORD_MIN = 3;
const WORDS_MAX = 16;

export async function open(read) {
  const bytes = await read("/api/v1/search");
  const rows = bytes === null ? [] : JSON.parse(decode(bytes)).results;
  const candidates = rows.map(candidate).sort(byTie);
  return { list: (plan) => list(candidates, plan), search: (plan) => search(candidates, plan) };
}

function fold(text) {
  return strip(casefold(text.normalize("NFKC")));
}

function words(text) {
  return text.match(WORD) ?? [];
}

function spaced(texts) {
  return ` ${texts.flatMap(words).join(" ")} `;
}

function candidate(row) {
  const { slug, ownerHandle: owner } = row;
  const names = [slug, row.name, row.displayName].map(fold);
  const facets = [...row.topics, row.skillpress.category ?? "", row.track ?? "", row.language ?? ""];
  for (const key of ["domains", "stages", "forms", "audiences"]) facets.push(...(row[key] ?? []));
  return {
    row,
    exact: new Set([...names, `${owner}/${slug}`, `@${owner}/${slug}`]),
    names: spaced([...names, owner]),
    facets: spaced(facets.map(fold)),
    summary: spaced([fold(row.summary)]),
  };
}

function byTie({ row: one }, { row: other }) {
  return (
    other.updatedAt - one.updatedAt ||
    compareTexts(one.slug, other.slug) ||
    compareTexts(one.ownerHandle, other.ownerHandle)
  );
}

function shown(candidates, { owner, cleanOnly }) {
  return candidates.filter(
    ({ row }) => (!owner || row.ownerHandle === owner) && (!cleanOnly || row.skillpress.verdict === "allow"),
  );
}

function list(candidates, plan) {
  let found = shown(candidates, plan);
  if (plan.prefix) {
    const start = fold(plan.prefix);
    found = found.filter(({ row }) => [row.slug, row.name, row.displayName].some((text) => fold(text).startsWith(start)));
  }
  if (plan.order === "created") {
    found.sort((one, other) => other.row.createdAt - one.row.createdAt);
  } else if (plan.order === "name" || plan.prefix) {
    const names = new Map(found.map((one) => [one, fold(one.row.displayName)]));
    found.sort((one, other) => compareTexts(names.get(one), names.get(other)));
  }
  const end = plan.offset + plan.limit;
  return {
    items: found.slice(plan.offset, end).map(({ row }) => row),
    nextCursor: end < found.length ? String(end) : null,
  };
}

function search(candidates, plan) {
  const wanted = fold(plan.question);
  if (!wanted) return [];
  const asked = plan.exact ? [] : words(wanted).slice(0, WORDS_MAX).map(askFor);
  const found = [];
  for (const one of shown(candidates, plan)) {
    const score = one.exact.has(wanted) ? 6000 : scoreOf(one, asked);
    if (score) found.push({ ...one.row, score });
  }
  return found.sort((one, other) => other.score - one.score).slice(0, plan.limit);
}

function askFor(word) {
  const spaceless = !isAscii(word);
  return {
    word,
    whole: ` ${word} `,
    start: spaceless ? word : ` ${word}`,
    inSummaries: spaceless || word.length >= SUMMARY_WORD_MIN,
  };
}

function scoreOf(one, asked) {
  let [counted, found, points, worst] = [0, 0, 0, 0];
  for (const word of asked) {
    const tier = tierOf(one, word);
    if (tier === 0 && !word.inSummaries) continue;
    counted += 1;
    if (tier === 0) continue;
    found += 1;
    points += (5 - tier) * 10;
    worst = Math.max(worst, tier);
  }
  if (!found || found * 2 < counted) return 0;
  return (6 - (found === counted ? worst : 5)) * 1000 + Math.min(points, 999);
}

/** The tier in which a word is found, 0 where it is not. */
function tierOf(one, word) {
  if (one.names.includes(word.whole)) return 1;
  if (one.names.includes(word.start)) return 2;
  if (one.facets.includes(word.start)) return 3;
  return word.inSummaries && one.summary.includes(word.word) ? 4 : 0;
}
