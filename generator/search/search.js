// Search over a hub's index documents: the same folding, words, filters, order and rows as the Python package beside
// this file (text.py, query.py, filters.py, ranking.py, lists.py, entries.py), where every rule is explained. An ES
// module without dependencies, for browsers, edge functions, Deno and Node 20. tests/search holds the two together.

export const SCHEMA = "skillpress.search.v2";
export const INDEX_ROUTE = "/search/index.json";

// --- text ------------------------------------------------------------------------------------------

// Pairs of numbers in base 36: from the end of the last range to the start of this one, and how many more it has. The
// general categories L, M and N of Unicode 14, so that no engine's own version decides what a letter is.
const LETTERS =
  "1c,9,8,p,7,p,1c,0,8,1,2,0,4,1,2,2,2,m,2,u,2,cp,5,b,f,4,8,0,2,0,i,38,2,1,3,3,2,0,7,0,2,2,2,0,2,j,2," +
  "2a,2,3u,2,4s,2,11,3,0,7,14,9,18,2,0,2,1,2,1,2,0,9,q,5,3,u,a,6,21,5,2t,2,7,3,9,2,i,3,0,h,1m,3,2s,f," +
  "1h,5,0,3,0,3,19,j,r,5,a,6,n,2,5,a,21,2,3k,3,9,2,i,2,7,3,1,3,l,2,6,2,0,4,3,3,8,3,1,3,3,9,0,5,1,2,4,3," +
  "b,3,5,3,0,2,0,3,2,2,5,5,1,3,l,2,6,2,1,2,1,2,1,3,0,2,4,5,1,3,2,4,0,8,3,2,0,8,f,c,2,2,8,2,2,2,l,2,6,2," +
  "1,2,4,3,9,2,2,2,2,3,0,g,3,3,9,a,6,2,2,2,7,3,1,3,l,2,6,2,1,2,4,3,8,3,1,3,2,8,2,5,1,2,4,3,9,2,6,b,1,2," +
  "5,4,2,2,3,4,1,2,0,2,1,4,1,4,2,4,b,5,4,4,2,2,3,3,0,7,0,f,c,e,c,2,2,2,m,2,f,3,8,2,2,2,3,8,1,2,2,3,0,3," +
  "3,3,9,9,6,2,3,2,7,2,2,2,m,2,9,2,4,3,8,2,2,2,3,8,1,7,1,2,3,3,9,2,1,e,c,2,2,2,1e,2,2,2,4,6,f,3,i,2,5," +
  "2,2,2,h,4,n,2,8,2,0,3,6,4,0,5,5,2,0,2,7,7,9,3,1,e,1l,6,e,2,9,14,1,2,0,2,4,2,n,2,0,2,m,3,4,2,0,2,5,3," +
  "9,3,3,x,0,o,1,7,j,2,0,2,0,2,0,5,9,2,z,5,j,2,h,2,z,a,0,1m,21,7,25,3,11,2,0,6,0,3,16,2,98,2,3,3,6,2,0," +
  "2,3,3,14,2,3,3,w,2,3,3,6,2,0,2,3,3,e,2,1k,2,3,3,1u,3,2,a,j,4,f,h,2d,3,5,4,h7,3,g,2,p,6,22,4,a,8,l,a," +
  "l,c,j,d,c,2,2,2,1,d,2b,4,0,5,1,3,9,7,9,i,2,2,a,7,2g,8,16,6,1x,b,u,2,b,5,b,b,13,3,4,c,17,5,p,7,a,12," +
  "r,5,1q,2,s,3,a,7,9,e,0,9,u,1e,24,4,9,i,8,d,37,d,1j,9,9,4,1c,3,8,8,16,3,2,h,2,2,12,6,et,3,5,3,11,3,5," +
  "3,7,2,0,2,0,2,0,2,u,3,1g,2,6,2,0,4,2,2,6,4,3,3,5,5,c,6,2,2,6,38,1,3,5,6,a,7,c,1g,w,i,0,5,0,3,9,2,0," +
  "4,4,7,0,2,0,2,0,2,3,2,a,3,3,6,4,5,0,2,1l,k7,1n,27,l,hj,t,vh,6c,7,8,a,0,3,11,2,0,6,0,3,1j,8,0,g,n,a," +
  "6,2,6,2,6,2,6,2,6,2,6,2,6,2,6,2,v,1c,0,d2,2,q,e,2,4,3,4,5,2d,3,1,3,2,2,2h,2,3,6,16,2,2l,4,3,b,v,1d," +
  "f,x,9,v,7,2,e,x,9,14,e,8x,533,1t,h3g,1w,19,3,7g,4,r,l,1e,2,9,2,36,12,8,3,2u,3,1r,6,1,2,0,2,4,p,1h,5," +
  "0,4,5,b,1f,d,1x,b,9,7,n,4,0,2,1c,3,z,d,s,4,1s,f,a,7,u,2,1i,a,d,3,9,7,m,4,20,p,2,3,f,3,4,b,5,3,5,3,5," +
  "a,6,2,6,2,16,2,d,7,3e,2,1,3,9,7,8mb,d,m,5,1c,6it,a5,3,2x,13,6,d,4,6,b,2,c,2,4,2,0,2,1,2,1,2,2z,y,a2," +
  "j,1r,3,1h,15,b,5,f,h,f,1t,4,2,3q,k,9,8,p,7,p,c,2g,4,5,3,5,3,5,3,2,10,b,2,p,2,i,2,1,2,e,3,d,z,3e,d," +
  "18,d,1k,i,1,36,0,3n,s,4,1c,g,r,5,z,a,t,6,16,6,t,3,z,5,7,2,4,17,4d,3,9,7,z,5,z,5,13,9,1f,d,a,2,e,2,6," +
  "2,1,2,a,2,e,2,6,2,1,1w,8m,a,l,b,7,p,5,2,15,2,8,1y,5,3,0,2,17,2,1,4,0,3,m,3,u,3,11,9,8,1d,i,2,1,6,w," +
  "5,p,1z,1j,5,j,3,1d,2,1,6,7,2,2,2,s,3,2,5,9,o,u,2,v,x,7,2,t,5,4,h,1h,b,l,3,q,6,p,o,6,29,20,1k,1e,e," +
  "1e,8,19,9,9,87,u,2,15,2,1,4,1,27,13,9,10,s,l,17,r,l,m,a,1y,c,z,a,1n,8,0,e,o,8,9,7,1g,2,9,5,3,9,z,3," +
  "0,a,1w,5,3,2,c,2,0,5,j,c,h,2,10,7,0,1u,6,2,0,2,3,2,e,2,9,8,1m,6,9,7,3,2,7,3,1,3,l,2,6,2,1,2,4,2,9,3," +
  "1,3,2,3,0,7,0,6,6,3,6,4,4,3w,22,6,9,5,3,v,1x,2,0,9,9,4n,1h,3,8,o,5,z,1s,4,0,c,9,13,1k,8,9,1j,q,3,e," +
  "5,b,5,6,56,1m,2u,2a,d,7,3,0,3,7,2,1,2,t,2,1,3,8,d,9,1z,7,3,19,3,7,2,1,s,1q,9,0,9,21,4,0,j,20,7c,8,2," +
  "18,2,8,g,s,6,t,3,l,2,d,22,6,2,1,2,17,4,0,2,1,2,8,9,9,7,5,2,1,2,10,2,1,2,5,8,9,8n,m,56,0,g,k,18,pl," +
  "2v,32,i,5f,219,2o,g,tq,34i,g6,6nu,fs,8,u,2,9,7,26,2,9,7,t,3,4,c,1i,a,3,d,9,2,6,2,k,6,i,j5,2e,2y,22," +
  "5,1k,8,g,1t,1,2,1,c,1,f,4qf,9,yd,17,8,6w8,3,2,6,2,1,2,82,1a,2,i,3,9,az,1s5,2y,6,c,4,8,8,9,4,1,3mq," +
  "19,3,m,f3,4,4,5,9,7,3,6,v,3,45,2,4c,j,31,o,3s,2c,2,1y,2,1,3,0,3,1,3,3,2,b,2,0,2,6,2,1s,2,3,3,7,2,6," +
  "2,r,2,3,2,4,2,0,4,6,2,9f,3,o,2,o,2,u,2,o,2,u,2,o,2,u,2,o,2,u,2,o,2,7,3,1d,e9,1i,5,1d,9,0,f,0,n,4,2," +
  "e,up,u,6a,6,2,g,3,6,2,1,2,4,5y,18,4,d,3,9,5,0,8y,u,i,1l,yv,6,2,3,2,1,2,e,2,5g,3,f,16,23,5,9,m0,1m,2," +
  "2,2,3,25,18,2,e,5f,3,2,q,2,1,2,0,3,0,2,9,2,3,2,0,2,0,7,0,5,0,2,0,2,0,2,2,2,1,2,0,3,0,2,0,2,0,2,0,2," +
  "0,2,1,2,0,3,3,2,6,2,3,2,3,2,0,2,9,2,g,6,2,2,4,2,g,g5,c,25g,9,sn,wyn,x,37c,8,65,3,4g1,f,5rk,2e8,f1," +
  "15v,3t6,fcmu,6n";

const SPACELESS =
  "\\u0e01-\\u0eff\\u1000-\\u109f\\u1100-\\u11ff\\u1780-\\u17ff\\u3005-\\u3007\\u3040-\\u312f\\u3130-\\u318f\\u31a0-\\u31ff" +
  "\\u3400-\\u4dbf\\u4e00-\\u9fff\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\u{20000}-\\u{3134f}";
const BLANKS = new RegExp(`[^!-~${letterClass()}]+`, "gu");
const WORDS = new RegExp(`[${SPACELESS}]+|(?:(?![${SPACELESS}])[a-z0-9\\u0080-\\u{10ffff}])+`, "gu");
const STARTS_SPACELESS = new RegExp(`^[${SPACELESS}]`, "u");
const SPELT = new RegExp(`^(?:(?![${SPACELESS}])[a-z\\u0080-\\uffff])+$`, "u");
const ASCII = /^[\0-\x7f]*$/;
const ACCENTS = /[\u0300-\u036f]+/g;
const REPLACED = {
  ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", ł: "l", ħ: "h", ı: "i", þ: "th", ς: "σ",
};
const REPLACING = /[ßæœøđðłħıþς]/g;
const STOP_WORDS = new Set(`
a about all am an and any are as at be by can could do does for from get give have help how i if in into is it its let
like make me my need of on one or our out please should show so some that the their them then there these this to us
use using want was we what when where which who why will with would you your
怎么 如何 什么 帮我 我想 请帮 一个 一下
`.trim().split(/\s+/));
const ENDINGS = ["ings", "ing", "ies", "ied", "ers", "er", "ed", "es", "s", "e", "y"];
const TYPO_MIN = 5;
const STEM_MIN = 4;

function letterClass() {
  const numbers = LETTERS.split(",").map((number) => parseInt(number, 36));
  let members = "";
  for (let at = 0, point = 0; at < numbers.length; at += 2) {
    point += numbers[at];
    members += `\\u{${point.toString(16)}}-`;
    point += numbers[at + 1];
    members += `\\u{${point.toString(16)}}`;
  }
  return members;
}

/** Text as it is compared. Folding it again changes nothing. */
export function fold(text) {
  if (ASCII.test(text)) return text.replace(/[^!-~]+/g, " ").replace(/^ | $/g, "").toLowerCase();
  return text.replace(BLANKS, " ").normalize("NFKD").replace(ACCENTS, "").toLowerCase()
    .replace(REPLACING, (letter) => REPLACED[letter]).normalize("NFC").replace(BLANKS, " ").replace(/^ | $/g, "");
}

/** The words of a folded text, in its order. */
export function words(folded) {
  return folded.match(ASCII.test(folded) ? /[a-z0-9]+/g : WORDS) || [];
}

/** What is looked for where a question has this word: itself, or every two characters of a spaceless script. */
export function units(word) {
  if (!isSpaceless(word)) return [word];
  const characters = Array.from(word);
  if (characters.length < 2) return [word];
  return characters.slice(1).map((character, place) => characters[place] + character);
}

/** What an English word starts with in its other forms, or null. */
export function stem(word) {
  if (!ASCII.test(word) || word.endsWith("ss")) return null;
  const ending = ENDINGS.find((one) => word.endsWith(one));
  if (ending === undefined) return null;
  let left = word.slice(0, -ending.length);
  const last = left.at(-1);
  if (left.length > STEM_MIN && last === left.at(-2) && last !== "l" && last !== "s") left = left.slice(0, -1);
  return left.length >= STEM_MIN ? left : null;
}

/** Whether one letter left out, added, replaced, or two neighbours exchanged make `typed` of `word`. */
export function oneEdit(typed, word) {
  const longer = typed.length - word.length;
  if (longer < -1 || longer > 1 || typed === word) return false;
  let at = 0;
  while (at < typed.length && at < word.length && typed[at] === word[at]) at += 1;
  if (longer > 0) return typed.slice(at + 1) === word.slice(at);
  if (longer < 0) return typed.slice(at) === word.slice(at + 1);
  if (typed.slice(at + 1) === word.slice(at + 1)) return true;
  return typed[at] === word[at + 1] && typed[at + 1] === word[at] && typed.slice(at + 2) === word.slice(at + 2);
}

function isSpaceless(word) {
  return STARTS_SPACELESS.test(word);
}

function joined(text) {
  return words(fold(text)).join(" ");
}

function compareText(a, b) {
  // As Python does: by code points, where JavaScript's own order is that of their halves.
  const left = Array.from(a), right = Array.from(b);
  for (let at = 0; at < left.length && at < right.length; at += 1) {
    if (left[at] !== right[at]) return left[at].codePointAt(0) - right[at].codePointAt(0);
  }
  return left.length - right.length;
}

// --- the question ----------------------------------------------------------------------------------

const UNITS_MAX = 48;
const KEYS = new Set(["owner", "tag", "host", "license", "verdict"]);
const FILTER =
  /(^|[ \t\n\r\u00a0\u3000])(-?)([A-Za-z]+)[:\uff1a](?:"([^"]*)(?:"|$)|([^ \t\n\r\u00a0\u3000"]*))(?=[ \t\n\r\u00a0\u3000]|$)/g;

/** A question, taken apart: `{text, joined, units, filters: [{key, values, negative}]}`. `filters` are further ones,
 * `{key: [values]}`. */
export function parseQuery(question, filters = {}) {
  const asked = new Map();
  const text = fold(question.replace(FILTER, (whole, before, minus, name, quoted, plain) => {
    const key = name.toLowerCase();
    if (!KEYS.has(key)) return whole;
    const kind = minus + key;
    if (!asked.has(kind)) asked.set(kind, { key, values: [], negative: minus === "-" });
    asked.get(kind).values.push(quoted ?? plain);
    return " ";
  }));
  const given = Object.entries(filters).map(([key, values]) => ({ key, values, negative: false }));
  const found = words(text);
  const lookedFor = [...new Set(found.flatMap(units))];
  const telling = lookedFor.filter((unit) => !STOP_WORDS.has(unit));
  return {
    text,
    joined: found.join(" "),
    units: (telling.length ? telling : lookedFor).slice(0, UNITS_MAX),
    filters: [...given, ...asked.values()]
      .map((one) => ({ ...one, values: [...new Set(one.values.map(fold))].filter(Boolean) }))
      .filter((one) => one.values.length),
  };
}

// --- the index -------------------------------------------------------------------------------------

const NAME_DEFAULTS = {
  slug: "", owner: "", name: null, title: null, version: "", updated: 0, age: 0, shared: false, topics: [],
  category: null, taxonomy: null, license: null, verdict: "allow", outcomes: "", emoji: null, homepage: null,
  setup: [], os: [], files: 0, size: 0, findings: 0, retained: false, withdrawn: false, deprecated: null,
  archived: null, featured: null, tags: [],
};
const TEXT_DEFAULTS = { summary: "", changelog: "" };

/** The index of a parsed `/search/index.json`. In a large hub its other documents follow with `addPart`; until then
 * search sees what is there: nothing, then the names, then the summaries. */
export function loadIndex(document) {
  if (document?.schema !== SCHEMA) throw new Error(`Not a search index of this version (${document?.schema})`);
  const index = {
    build: document.build,
    hub: document.hub,
    skills: document.skills,
    snapshot: document.snapshot,
    hosts: document.hosts.map(([id, host, label, agent, rank]) => ({ id, host, label, agent, rank })),
    chunk: document.chunk ?? document.skills,
    names: document.names ?? null,
    summaries: document.summaries ?? [],
    columns: null,
    vocabulary: null,
  };
  if (document.columns) {
    index.columns = { ...decode(NAME_DEFAULTS, document.columns, index.skills),
                      ...decode(TEXT_DEFAULTS, document.columns, index.skills) };
  }
  return index;
}

/** The routes of the documents that are still to be fetched: all of them, or those that the entries given need. */
export function missingParts(index, entries = null) {
  if (!index.names) return [];
  if (!index.columns) return entries ? [index.names] : [index.names, ...index.summaries];
  const needed = entries && new Set(entries.map((entry) => Math.floor(entry.place / index.chunk)));
  return index.summaries.filter(
    (_, part) => index.columns.summary[part * index.chunk] === undefined && (!needed || needed.has(part)),
  );
}

/** Take in a parsed `/search/names.json` or `/search/summaries-N.json`; the names first. */
export function addPart(index, document) {
  if (document?.schema !== SCHEMA) throw new Error(`Not a search index of this version (${document?.schema})`);
  if (document.build !== index.build) throw new Error("A part of the search index of another build; read it all again");
  if (document.from === undefined) {
    index.columns = { summary: [], changelog: [], ...decode(NAME_DEFAULTS, document.columns, index.skills) };
  } else {
    const size = Math.min(index.chunk, index.skills - document.from);
    const texts = decode(TEXT_DEFAULTS, document.columns, size);
    for (const name of Object.keys(TEXT_DEFAULTS)) {
      for (let place = 0; place < size; place += 1) index.columns[name][document.from + place] = texts[name][place];
    }
  }
  index.vocabulary = null;
  return index;
}

/** The whole index. `read(route)` gives a parsed document, or null; it may be asynchronous. */
export async function openIndex(read) {
  const index = loadIndex(await read(INDEX_ROUTE));
  for (const part of missingParts(index)) addPart(index, await read(part));
  return index;
}

function decode(defaults, columns, count) {
  const found = {};
  for (const [name, usual] of Object.entries(defaults)) {
    const form = columns[name];
    let values;
    if (Array.isArray(form)) {
      values = form;
    } else if (form.only) {
      values = new Array(count).fill(usual);
      for (const [place, value] of Object.entries(form.only)) values[place] = value;
    } else {
      values = form.at.map((place) => form.of[place]);
    }
    if (values.length !== count) throw new Error(`The search index has a column of the wrong length (${name})`);
    found[name] = values;
  }
  return found;
}

/** One skill as a plain object. `summary` and `changelog` are undefined while their document is missing. */
export function entryAt(index, place) {
  const columns = index.columns;
  const slug = columns.slug[place];
  const name = columns.name[place] ?? slug;
  const taxonomy = columns.taxonomy[place];
  const deprecated = columns.deprecated[place];
  return {
    place,
    slug,
    owner: columns.owner[place],
    name,
    displayName: columns.title[place] ?? name,
    summary: columns.summary[place],
    changelog: columns.changelog[place],
    version: columns.version[place],
    updatedAt: columns.updated[place],
    createdAt: columns.updated[place] - columns.age[place],
    holdsSlug: !columns.shared[place],
    topics: columns.topics[place],
    category: columns.category[place],
    taxonomy: taxonomy && {
      track: taxonomy[0], language: taxonomy[1], domains: taxonomy[2], stages: taxonomy[3], forms: taxonomy[4],
      audiences: taxonomy[5],
    },
    license: columns.license[place],
    verdict: columns.verdict[place],
    outcomes: columns.outcomes[place],
    emoji: columns.emoji[place],
    homepage: columns.homepage[place],
    setup: columns.setup[place],
    os: columns.os[place],
    files: columns.files[place],
    size: columns.size[place],
    findings: columns.findings[place],
    retained: columns.retained[place],
    withdrawn: columns.withdrawn[place],
    deprecated: deprecated && { reason: deprecated[0], successor: deprecated[1] },
    archived: columns.archived[place],
    featured: columns.featured[place],
    tags: columns.tags[place],
  };
}

// --- filters ---------------------------------------------------------------------------------------

/** The places of the skills that the filters of a question leave, in the order of the index. */
export function filtered(index, question, filters = {}) {
  return keep(index, parseQuery(question, filters).filters, "", false);
}

function keep(index, filters, owner, cleanOnly) {
  const { owner: owners, verdict: verdicts } = index.columns ?? { owner: [] };
  if (!filters.length && !owner && !cleanOnly) return [...owners.keys()];
  const tests = filters.map((one) => makeTest(index, one));
  const places = [];
  for (let place = 0; place < owners.length; place += 1) {
    if (owner && owners[place] !== owner) continue;
    if (cleanOnly && verdicts[place] !== "allow") continue;
    if (tests.every((test) => test(place))) places.push(place);
  }
  return places;
}

function makeTest(index, { key, values, negative }) {
  const holds = HOLDING[key](index, values);
  return negative ? (place) => !holds(place) : holds;
}

const HOLDING = {
  owner({ columns }, values) {
    const owners = new Set(values.map((value) => value.replace(/^@/, "")));
    return (place) => owners.has(columns.owner[place]);
  },
  tag({ columns }, values) {
    const wanted = new Set(values.map((value) => words(value).join(" ")).filter(Boolean));
    const holds = remember((tag) => wanted.has(joined(tag)));
    return (place) =>
      columns.topics[place].some(holds) || (columns.category[place] !== null && holds(columns.category[place]));
  },
  host(index, values) {
    const places = hostColumns(index, values);
    return (place) => places.some((column) => index.columns.outcomes[place][column] === "l");
  },
  license({ columns }, values) {
    const wanted = new Set(values);
    const holds = remember((expression) => {
      if (expression === null) return wanted.has("none");
      const folded = fold(expression);
      return wanted.has(folded) || folded.split(/[ ()]+/).some((part) => wanted.has(part));
    });
    return (place) => holds(columns.license[place]);
  },
  verdict({ columns }, values) {
    const wanted = new Set(values);
    return (place) => wanted.has(columns.verdict[place]);
  },
};

/** The letters in `outcomes` that names of hosts mean; of a host that works with skills and installs them, the former. */
export function hostColumns(index, values) {
  const wanted = new Set(values.map(fold));
  const named = [...index.hosts.keys()].filter((place) => {
    const { id, host, label } = index.hosts[place];
    return [id, host, label].some((name) => wanted.has(fold(name)));
  });
  const agents = named.filter((place) => index.hosts[place].agent);
  return agents.length ? agents : named;
}

function remember(compute) {
  const known = new Map();
  return (value) => {
    if (!known.has(value)) known.set(value, compute(value));
    return known.get(value);
  };
}

// --- ranking ---------------------------------------------------------------------------------------

const FOUND_EXACTLY = 6000;
const INSIDE_MIN = 3;
const ENOUGH = 2;
const SUMMARY = 2;
// Tier and points by where a word stands: name, facet, summary.
const WHOLE = [[1, 9], [3, 5], [4, 3]];
const START = [[2, 7], [3, 4], [4, 2]];
const STEM = [[2, 6], [3, 4], [4, 2]];
const INSIDE = [[4, 1], [4, 1], [4, 1]];
const CORRECTED = [[5, 6], [5, 4], [5, 2]];

/** The skills that answer a question, best first: `[{entry, score}]`. Options: `limit` (200), `exact`, `owner`,
 * `cleanOnly`, `filters` (`{owner: [...], tag: [...], host: [...], license: [...], verdict: [...]}`). */
export function search(index, question, options = {}) {
  const { limit = 200, exact = false, owner = "", cleanOnly = false, filters = {} } = options;
  const query = parseQuery(question, filters);
  const places = keep(index, query.filters, owner, cleanOnly);
  if (!query.text) {
    const shown = query.filters.length ? places.slice(0, limit) : [];
    return shown.map((place) => ({ entry: entryAt(index, place), score: 0 }));
  }
  const known = vocabularyOf(index);
  const shown = places.length < known.names.length ? new Set(places) : null;
  const scores = exact ? new Map() : scoreUnits(known, shown, places.length, query.units);
  const named = [...(known.exact.get(query.text) ?? []), ...((!exact && known.joined.get(query.joined)) || [])];
  for (const place of named) {
    if (!shown || shown.has(place)) scores.set(place, FOUND_EXACTLY);
  }
  return [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, limit)
    .map(([place, score]) => ({ entry: entryAt(index, place), score }));
}

function scoreUnits(known, shown, skills, asked) {
  const tallies = new Map();
  let counted = 0, weight = 0, missing = 0;
  for (const unit of asked.map(makeUnit)) {
    const levels = findLevels(known, shown, unit);
    if (!levels.size && (unit.pair || unit.short)) {
      if (unit.pair) missing += 1;
      continue;
    }
    const rarity = bitLength(Math.floor(skills / Math.max(levels.size, 1)));
    counted += 1;
    weight += 9 * rarity;
    for (const [place, [tier, points]] of levels) {
      let tally = tallies.get(place);
      if (!tally) tallies.set(place, (tally = { found: 0, wholes: 0, worst: 0, points: 0 }));
      tally.found += 1;
      if (tier === 1) tally.wholes += 1;
      tally.worst = Math.max(tally.worst, tier);
      tally.points += points * rarity;
    }
  }
  const scores = new Map();
  for (const [place, { found, wholes, worst, points }] of tallies) {
    const all = found === counted && !missing;
    if (all && worst < 5) {
      const { size } = known.names[place];
      const part = Math.floor((99 * Math.min(wholes, size)) / size);
      scores.set(place, (6 - worst) * 1000 + Math.floor((900 * points) / weight) + part);
    } else if (found * 2 >= counted || found >= ENOUGH || wholes) {
      scores.set(place, 1000 + (all ? 500 : 0) + Math.floor((499 * points) / weight));
    }
  }
  return scores;
}

function bitLength(number) {
  return 32 - Math.clz32(number);
}

function makeUnit(text) {
  const spaceless = isSpaceless(text);
  const letters = Array.from(text).length;
  const root = stem(text);
  return {
    text, letters, root, core: root ?? text, spaceless,
    pair: spaceless && letters > 1,
    short: !spaceless && letters < INSIDE_MIN,
  };
}

function findLevels(known, shown, unit) {
  const levels = new Map();
  for (const word of containing(known, unit.core)) {
    const found = levelsOf(word, unit);
    if (found) takeBest(levels, known, shown, word, found);
  }
  if (levels.size || unit.letters < TYPO_MIN || !SPELT.test(unit.text)) return levels;
  for (const word of meantBy(known, unit.text)) takeBest(levels, known, shown, word, CORRECTED);
  return levels;
}

function takeBest(levels, known, shown, word, found) {
  for (const posting of known.postings.get(word)) {
    const place = posting >> 2, level = found[posting & 3];
    if (!level || (shown && !shown.has(place))) continue;
    const best = levels.get(place);
    if (!best || level[0] < best[0] || (level[0] === best[0] && level[1] > best[1])) levels.set(place, level);
  }
}

function levelsOf(word, unit) {
  const { text } = unit;
  if (word === text) return unit.short && unit.letters === 1 ? WHOLE.slice(0, SUMMARY) : WHOLE;
  if (unit.spaceless) return unit.pair ? WHOLE : START;
  if (word.startsWith(text)) return unit.short ? START.slice(0, SUMMARY) : START;
  if (unit.root && word.startsWith(unit.root)) return STEM;
  return !unit.short && word.includes(text) ? INSIDE : null;
}

// The words of the index and the skills that have them: `names` of every skill (`folded`: slug, name, display name;
// `size`: words of the shortest), `exact` and `joined` from a name and from its words to places, `postings` from a word
// to a number a skill (four times its place, and where the word stands), `all` words between line feeds.
function vocabularyOf(index) {
  if (index.vocabulary) return index.vocabulary;
  const known = { names: [], exact: new Map(), joined: new Map(), postings: new Map(), all: "", spelt: null, ranks: null };
  for (let place = 0; place < (index.columns?.slug.length ?? 0); place += 1) {
    const { slug, owner, name, displayName, summary } = entryAt(index, place);
    const folded = [fold(slug), fold(name), fold(displayName)];
    const split = [...new Set(folded)].map(words).filter((one) => one.length);
    known.names.push({ folded, size: split.length ? Math.min(...split.map((one) => one.length)) : 1 });
    const address = `${owner}/${slug}`;
    for (const one of new Set([...folded, address, `@${address}`])) addTo(known.exact, one, place);
    for (const one of new Set(split.map((found) => found.join(" ")))) addTo(known.joined, one, place);
    addPostings(known.postings, split.flat(), place * 4);
    addPostings(known.postings, facetWords(index.columns, place), place * 4 + 1);
    addPostings(known.postings, words(fold(summary ?? "")), place * 4 + SUMMARY);
  }
  known.all = ["", ...known.postings.keys(), ""].join("\n");
  return (index.vocabulary = known);
}

function addTo(map, key, place) {
  const places = map.get(key);
  if (places) places.push(place);
  else map.set(key, [place]);
}

function addPostings(postings, found, posting) {
  for (const word of found) {
    const known = postings.get(word);
    if (!known) postings.set(word, [posting]);
    else if (known[known.length - 1] >> 2 !== posting >> 2) known.push(posting);
  }
}

function facetWords(columns, place) {
  const [track, language, ...groups] = columns.taxonomy[place] ?? [];
  const facets = [...columns.topics[place], columns.category[place], columns.owner[place], track, language, ...groups.flat()];
  return facets.flatMap((facet) => (facet ? words(fold(facet)) : []));
}

function* containing(known, core) {
  const { all } = known;
  for (let at = all.indexOf(core); at >= 0; ) {
    const end = all.indexOf("\n", at);
    yield all.slice(all.lastIndexOf("\n", at) + 1, end);
    at = all.indexOf(core, end);
  }
}

function meantBy(known, typed) {
  if (!known.spelt) {
    known.spelt = new Map();
    for (const word of known.postings.keys()) {
      if (SPELT.test(word)) addTo(known.spelt, word.length, word);
    }
  }
  return [-1, 0, 1].flatMap((more) =>
    (known.spelt.get(typed.length + more) ?? []).filter((word) => oneEdit(typed, word)));
}

// --- lists and rows --------------------------------------------------------------------------------

/** A page of the list: `{items: [entry], nextCursor}`. Options: `order` (`updated`, `created`, `name`), `limit` (25),
 * `offset`, `prefix`, `owner`, `cleanOnly`, `filters` as for `search`. */
export function listSkills(index, options = {}) {
  const { order = "updated", limit = 25, offset = 0, prefix = "", owner = "", cleanOnly = false, filters = {} } = options;
  let shown = keep(index, parseQuery("", filters).filters, owner, cleanOnly);
  if (prefix) {
    const start = fold(prefix), { names } = vocabularyOf(index);
    shown = shown.filter((place) => names[place].folded.some((name) => name.startsWith(start)));
  }
  if (order === "created") {
    const { updated, age } = index.columns;
    const created = (place) => updated[place] - age[place];
    shown.sort((a, b) => created(b) - created(a) || a - b);
  } else if (order === "name" || prefix) {
    const ranks = nameRanks(index);
    shown.sort((a, b) => ranks[a] - ranks[b]);
  }
  const end = offset + limit;
  return {
    items: shown.slice(offset, end).map((place) => entryAt(index, place)),
    nextCursor: end < shown.length ? String(end) : null,
  };
}

function nameRanks(index) {
  const known = vocabularyOf(index);
  if (!known.ranks) {
    const names = known.names.map((one) => one.folded[2]);
    const order = [...names.keys()].sort((a, b) => compareText(names[a], names[b]) || a - b);
    known.ranks = [];
    order.forEach((place, rank) => { known.ranks[place] = rank; });
  }
  return known.ranks;
}

/** The document of `GET /trending` with its first `limit` items: the newest that the hub may put forward. */
export function trending(index, limit = 20, hub = index.hub) {
  const shown = [];
  for (let place = 0; place < index.skills && shown.length < 100; place += 1) {
    const entry = entryAt(index, place);
    if (isRecommended(entry)) shown.push(entry);
  }
  return {
    kind: "skills",
    snapshotId: index.snapshot,
    snapshotCursor: null,
    generatedAt: shown.reduce((latest, entry) => Math.max(latest, entry.updatedAt), 0),
    windowHours: 0,
    rankingVersion: "recent-v1",
    totalItems: shown.length,
    items: shown.slice(0, limit).map((entry, place) => ({ ...expand(entry, hub), rank: place + 1, lane: "recent" })),
    nextCursor: null,
  };
}

/** Search as a router wants it. `read(route)` gives the bytes of a document, or null; the answer has `list(plan)`
 * (`{items, nextCursor}`), `search(plan)` (rows) and `trending(limit)`, a plan being options of `listSkills`, or those
 * of `search` with a `question`. */
export async function open(read) {
  const decoder = new TextDecoder();
  const index = await openIndex(async (route) => {
    const bytes = await read(route);
    return bytes && JSON.parse(decoder.decode(bytes));
  });
  return {
    list: (plan) => {
      const { items, nextCursor } = listSkills(index, plan);
      return { items: items.map((entry) => expand(entry, index.hub)), nextCursor };
    },
    search: (plan) =>
      search(index, plan.question, plan).map(({ entry, score }) => ({ ...expand(entry, index.hub), score })),
    trending: (limit) => trending(index, limit),
  };
}

/** Whether the hub may put a skill forward. */
export function isRecommended(entry) {
  return !entry.withdrawn && entry.verdict !== "block" && !entry.deprecated && entry.archived === null;
}

/** The row of the ClawHub API, exactly as the build writes it. `hub` needs its `url` only. */
export function expand(entry, hub) {
  if (entry.summary === undefined) throw new Error("The summaries of this skill are not loaded; see missingParts");
  const { owner, slug } = entry;
  const page = pageUrl(hub, owner, slug);
  const latest = {
    version: entry.version, createdAt: entry.updatedAt, changelog: entry.changelog,
    license: entry.license === "MIT-0" ? "MIT-0" : null,
  };
  return {
    slug,
    displayName: entry.displayName,
    name: entry.name,
    summary: entry.summary,
    description: entry.summary,
    version: entry.version,
    ...(entry.withdrawn ? {} : { latestVersion: latest }),
    tags: { ...(entry.withdrawn ? {} : { latest: entry.version }), ...Object.fromEntries(entry.tags) },
    stats: { downloads: 0, stars: 0 },
    topics: entry.topics,
    keywords: entry.topics,
    createdAt: entry.createdAt,
    updatedAt: entry.updatedAt,
    ownerHandle: owner,
    owner: { handle: owner, displayName: owner, image: null, htmlUrl: `${hub.url}/${owner}/`, kind: "user" },
    publisher: { kind: "user", handle: owner, displayName: owner, image: null, official: false },
    source: "clawhub",
    score: 0,
    official: false,
    canonicalUrl: page,
    install: { kind: "clawhub", reference: `@${owner}/${slug}`, sourceUrl: entry.homepage },
    links: { canonical: page, source: entry.homepage },
    metrics: { rolling60DayInstalls: null, bookmarks: null, updatedAt: entry.updatedAt },
    metadata: {
      setup: entry.setup.map((key) => ({ key, required: true })),
      os: entry.os.length ? entry.os : null,
      systems: null,
    },
    spdxLicense: entry.license,
    skillpress: hubFacts(entry, hub),
    ...taxonomyFacts(entry.taxonomy),
    ...(entry.featured === null ? {} : { featured: true }),
  };
}

function hubFacts(entry, hub) {
  const facts = {
    verdict: entry.verdict, emoji: entry.emoji, category: entry.category, homepage: entry.homepage,
    files: entry.files, size: entry.size, findings: entry.findings, retained: entry.retained,
  };
  if (entry.deprecated) {
    const { reason, successor } = entry.deprecated;
    facts.deprecated = { reason, successor, url: successor === null ? null : pageUrl(hub, ...successor.split("/")) };
  }
  if (entry.archived !== null) facts.archived = { reason: entry.archived };
  if (entry.featured !== null) facts.featured = entry.featured;
  return facts;
}

function taxonomyFacts(taxonomy) {
  if (!taxonomy) return {};
  return Object.fromEntries(Object.entries(taxonomy).filter(([, value]) => value?.length));
}

function pageUrl(hub, owner, slug) {
  return `${hub.url}/${owner}/skills/${slug}/`;
}
