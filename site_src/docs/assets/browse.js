// The browse page: the hub's search index, asked in the browser by the same rules as the API. Without scripts, or where
// the index cannot be read, the list in the page stays.
import {
  addPart, entryAt, filtered, INDEX_ROUTE, listSkills, loadIndex, missingParts, parseQuery, search,
} from "../search/search.js";
import { openFullText } from "./fulltext.js";

const BASE = new URL("../", import.meta.url);
const STEP = 60;
const TYPING_MS = 80;
const OPTIONS_MAX = 200;
// What the form and the address call the filters of a question.
const FIELDS = { topic: "tag", owner: "owner", agent: "host", license: "license", verdict: "verdict" };
const OTHER_KEY = /(?:^|\s)-?([A-Za-z]+)[:\uff1a](?=[^\s/])/g;

const page = document.querySelector("[data-sp-browse]");
const form = page.querySelector("[data-sp-filters]");
const list = page.querySelector("[data-sp-list]");
const count = page.querySelector("[data-sp-count]");
const verdicts = new Map([...form.elements.verdict.options].map((option) => [option.value, option.text]));
const fetching = new Map();
let index = null;
let fullText = null;
let limit = STEP;
let waiting = 0;
let composing = false;
let turn = 0;

restoreForm();
form.addEventListener("submit", (event) => { event.preventDefault(); show(); });
form.addEventListener("compositionstart", () => { composing = true; });
form.addEventListener("compositionend", () => { composing = false; showSoon(); });
form.addEventListener("input", (event) => { if (!composing && !event.isComposing) showSoon(event.target); });
form.classList.add("sp-filters--ready");
await start();

async function start() {
  if (location.search.length > 1) list.setAttribute("aria-busy", "true");
  try {
    // A build may end between two documents; what was kept in the browser is of the former one.
    index = await readIndex("default").catch(() => readIndex("reload"));
  } catch {
    form.classList.remove("sp-filters--ready");
    list.removeAttribute("aria-busy");
    count.textContent += ". The search index cannot be read: this is the list as it was built.";
    return;
  }
  offerChoices();
  show();
  // The first question needs the words of all skills: gather them before it is typed.
  (window.requestIdleCallback ?? setTimeout)(() => search(index, "a", { limit: 0 }));
}

async function readIndex(cache) {
  const found = loadIndex(await readDocument(INDEX_ROUTE, cache));
  for (const route of missingParts(found, [])) addPart(found, await readDocument(route, cache));
  return found;
}

async function readDocument(route, cache) {
  const answer = await fetch(new URL(route.slice(1), BASE), { cache });
  if (!answer.ok) throw new Error(`${route}: ${answer.status}`);
  return answer.json();
}

// --- the form and the address ----------------------------------------------------------------------

function restoreForm() {
  const asked = new URLSearchParams(location.search);
  form.elements.q.value = asked.get("q") ?? "";
  for (const name of Object.keys(FIELDS)) choose(form.elements[name], asked.get(name) ?? "");
}

function choose(select, value) {
  if (value && ![...select.options].some((option) => option.value === value)) select.append(new Option(value, value));
  select.value = value;
}

function readForm() {
  const asked = { q: form.elements.q.value.trim() };
  for (const name of Object.keys(FIELDS)) asked[name] = form.elements[name].value;
  return asked;
}

function keepInAddress(asked) {
  const kept = new URLSearchParams(Object.entries(asked).filter(([, value]) => value));
  const address = kept.size ? `?${kept}` : location.pathname;
  if (address !== (location.search || location.pathname)) history.replaceState(null, "", address);
}

function offerChoices() {
  const { columns, hosts } = index;
  offer(form.elements.topic, tally(columns.topics.flat()));
  offer(form.elements.owner, tally(columns.owner));
  offer(form.elements.license, tally(columns.license.flatMap(licensesIn)), { none: "No licence named" });
  const agents = new Map(hosts.filter((one) => one.agent).sort((a, b) => a.rank - b.rank).map((one) => [one.host, one.label]));
  offer(form.elements.agent, [...agents].map(([host, label]) => [host, `Loads in ${label}`]));
}

// The identifiers of an SPDX expression; "none" is what the filter calls a missing one.
function licensesIn(expression) {
  if (expression === null) return ["none"];
  return [...new Set(expression.split(/[ ()]+/))].filter((part) => part && !["AND", "OR", "WITH"].includes(part));
}

function tally(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, OPTIONS_MAX);
}

function offer(select, choices, names = {}) {
  const chosen = select.value;
  for (const option of [...select.options].slice(1)) option.remove();
  select.append(...choices.map(([value, told]) =>
    new Option(typeof told === "number" ? `${names[value] ?? value} (${format(told)})` : told, value)));
  choose(select, chosen);
}

// --- asking ----------------------------------------------------------------------------------------

function showSoon(field) {
  clearTimeout(waiting);
  limit = STEP;
  waiting = setTimeout(show, field?.tagName === "SELECT" ? 0 : TYPING_MS);
}

function show() {
  clearTimeout(waiting);
  const asked = readForm();
  keepInAddress(asked);
  if (!index) return;
  turn += 1;
  const filters = filtersOf(asked);
  const query = parseQuery(asked.q, filters);
  const open = !query.text && !query.filters.length;
  const results = open ? null : search(index, asked.q, { limit: Infinity, filters });
  const total = open ? index.skills : results.length;
  const entries = open ? listSkills(index, { limit }).items : results.slice(0, limit).map(({ entry }) => entry);
  const parts = query.text ? missingParts(index) : missingParts(index, entries);
  const parting = parts.length && query.text ? ", reading their summaries…" : "";
  count.textContent = (total === index.skills ? countOf(total) : `${format(total)} of ${countOf(index.skills)}`) + parting;
  list.removeAttribute("aria-busy");
  list.replaceChildren(
    total ? cardsOf(entries.map((entry) => card(entry, entry.summary))) : parting ? "" : emptyNote(asked, query),
    ...(total > limit ? [moreButton(total - limit)] : []),
  );
  if (parts.length) readParts(parts, turn);
  else if (query.text && page.dataset.fullText) showFullText(asked, query, results, turn);
}

function filtersOf(asked) {
  return Object.fromEntries(
    Object.entries(FIELDS).filter(([name]) => asked[name]).map(([name, key]) => [key, [asked[name]]]));
}

async function readParts(parts, asking) {
  const documents = parts.map((route) => {
    if (!fetching.has(route)) fetching.set(route, readDocument(route, "default"));
    return fetching.get(route);
  });
  try {
    for (const document of await Promise.all(documents)) addPart(index, document);
  } catch {
    // A new build, or no network: names can still be searched.
    if (asking === turn) count.textContent = count.textContent.replace(/, reading.*/, " by name. Reload the page to search summaries too.");
    return;
  }
  if (asking === turn) show();
}

async function showFullText(asked, query, results, asking) {
  fullText ??= openFullText(new URL(page.dataset.fullText, BASE));
  const shown = new Set(results.map(({ entry }) => `${entry.owner}/${entry.slug}`));
  const { owner, slug } = index.columns;
  const places = new Map(filtered(index, asked.q, filtersOf(asked)).map((place) => [`${owner[place]}/${slug[place]}`, place]));
  const wanted = (key) => places.has(key) && !shown.has(key);
  let hits;
  try {
    hits = await (await fullText)(query, wanted, () => asking === turn);
  } catch {
    return; // the names, topics and summaries have been searched
  }
  if (asking !== turn || !hits.length) return;
  const section = element("section", "sp-fulltext");
  section.append(
    element("h2", "", results.length ? "Also in the text" : "In the text"),
    cardsOf(hits.map(({ key, excerpt }) => card(entryAt(index, places.get(key)), excerpt))),
  );
  if (!results.length) list.querySelector(".sp-empty").replaceWith(note(`No name, topic or summary has “${asked.q}”.`));
  list.append(section);
  count.textContent += `, ${format(hits.length)} ${results.length ? "more " : ""}by their text`;
}

// --- what is shown ---------------------------------------------------------------------------------

function cardsOf(cards) {
  const made = element("ul", "sp-cards");
  made.append(...cards);
  return made;
}

function card(entry, text) {
  const item = element("li", "sp-card");
  const name = element("a", "sp-card__name");
  name.href = new URL(`${encodeURIComponent(entry.owner)}/skills/${encodeURIComponent(entry.slug)}/`, BASE).href;
  const emoji = element("span", "sp-emoji", entry.emoji || [...entry.displayName][0]?.toUpperCase());
  emoji.setAttribute("aria-hidden", "true");
  name.append(emoji, element("span", "", shorten(entry.displayName, 80)));
  const words = element("p", "sp-card__text");
  words.append(typeof text === "string" ? shorten(text, 180) : text ?? "");
  const foot = element("p", "sp-card__foot");
  const owner = element("a", "", entry.owner);
  owner.href = new URL(`${encodeURIComponent(entry.owner)}/`, BASE).href;
  foot.append(owner, element("span", "", entry.version));
  if (entry.verdict !== "allow") {
    foot.append(element("span", `sp-verdict sp-verdict--${entry.verdict}`, verdicts.get(entry.verdict) ?? entry.verdict));
  }
  const marks = { Deprecated: entry.deprecated, Archived: entry.archived !== null, Yanked: entry.withdrawn };
  for (const [mark, holds] of Object.entries(marks)) if (holds) foot.append(element("span", "sp-tag", mark));
  item.append(name, words, foot);
  return item;
}

function moreButton(left) {
  const more = element("button", "sp-button sp-button--quiet", `Show more (${format(left)})`);
  more.type = "button";
  more.addEventListener("click", () => { limit += STEP * 2; show(); });
  return more;
}

function emptyNote(asked, query) {
  const made = element("div", "sp-note sp-empty");
  const told = query.text ? `Nothing here answers “${asked.q}”` : "No skill has all of these filters";
  made.append(element("p", "", query.text && query.filters.length ? `${told} with these filters.` : `${told}.`));
  const tries = element("ul", "");
  const without = query.filters.length ? search(index, query.text, { limit: Infinity }).length : 0;
  if (query.filters.length) {
    const found = query.text ? `: ${countOf(without)}` : "";
    const button = element("button", "sp-link", `Leave the filters out${found}`);
    button.type = "button";
    button.addEventListener("click", () => {
      for (const name of Object.keys(FIELDS)) form.elements[name].value = "";
      form.elements.q.value = query.text;
      form.elements.q.focus();
      limit = STEP;
      show();
    });
    if (without || !query.text) tries.append(itemOf(button));
  }
  const known = Object.values(FIELDS);
  const others = [...new Set([...asked.q.matchAll(OTHER_KEY)].map((match) => match[1].toLowerCase()))];
  for (const other of others.filter((key) => !known.includes(key))) {
    tries.append(itemOf(`“${other}:” is no filter; filters are ${known.map((key) => `${key}:`).join(", ")}.`));
  }
  if (query.text && !without) tries.append(itemOf("Try fewer words, or what the skill is for: pdf, spreadsheet, code review."));
  if (tries.children.length) made.append(tries);
  return made;
}

function note(text) {
  return element("p", "sp-note", text);
}

function itemOf(content) {
  const item = element("li", "");
  item.append(content);
  return item;
}

function element(tag, classes, text) {
  const made = document.createElement(tag);
  if (classes) made.className = classes;
  if (text) made.textContent = text;
  return made;
}

function shorten(text, size) {
  return text.length > size ? `${text.slice(0, size - 1)}…` : text;
}

function countOf(many) {
  return `${format(many)} ${many === 1 ? "skill" : "skills"}`;
}

function format(value) {
  return value.toLocaleString("en");
}
