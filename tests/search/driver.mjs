// One long-lived Node process that answers requests on standard input, a JSON document a line, with search.js.
import { createInterface } from "node:readline";
import * as engine from "../../generator/search/search.js";

let index = null;
const ANSWERS = {
  fold: ({ texts }) => texts.map(engine.fold),
  words: ({ texts }) => texts.map((text) => engine.words(engine.fold(text))),
  units: ({ words }) => words.map(engine.units),
  stem: ({ words }) => words.map(engine.stem),
  edit: ({ pairs }) => pairs.map(([typed, word]) => engine.oneEdit(typed, word)),
  // Every code point in [first, last]; what folds to itself is left out.
  foldAll: ({ first, last }) => {
    const changed = {};
    for (let point = first; point <= last; point += 1) {
      const folded = engine.fold(String.fromCodePoint(point));
      if (folded !== String.fromCodePoint(point)) changed[point] = folded;
    }
    return changed;
  },
  parse: ({ question, filters }) => engine.parseQuery(question, filters),
  load: async ({ documents, stopAfter }) => {
    index = engine.loadIndex(documents[engine.INDEX_ROUTE]);
    const parts = engine.missingParts(index);
    for (const part of parts.slice(0, stopAfter ?? parts.length)) engine.addPart(index, documents[part]);
    return engine.missingParts(index);
  },
  open: async ({ documents }) => {
    index = await engine.openIndex(async (route) => documents[route] ?? null);
    return engine.missingParts(index);
  },
  router: async ({ documents, plans }) => {
    const encoder = new TextEncoder();
    const found = await engine.open(async (route) =>
      documents[route] ? encoder.encode(JSON.stringify(documents[route])) : null);
    return plans.map(([what, plan]) => found[what](plan));
  },
  missingFor: ({ options }) => engine.missingParts(index, engine.listSkills(index, options).items),
  search: ({ question, options }) =>
    engine.search(index, question, options).map(({ entry, score }) => [`${entry.owner}/${entry.slug}`, score]),
  rows: () => Array.from({ length: index.skills }, (_, place) => engine.expand(engine.entryAt(index, place), index.hub)),
  list: ({ options }) => {
    const { items, nextCursor } = engine.listSkills(index, options);
    return { items: items.map(({ owner, slug }) => `${owner}/${slug}`), nextCursor };
  },
  trending: ({ limit }) => engine.trending(index, limit),
  // CPU milliseconds from the texts of the documents to the answer of the first question.
  timeOpen: async ({ documents, question }) => {
    const started = process.cpuUsage();
    index = await engine.openIndex(async (route) => JSON.parse(documents[route]));
    engine.search(index, question, { limit: 25 });
    return milliseconds(started);
  },
  time: ({ questions, repeat }) => {
    const started = process.cpuUsage();
    for (let turn = 0; turn < repeat; turn += 1) {
      for (const question of questions) engine.search(index, question, { limit: 25 });
    }
    return milliseconds(started) / (questions.length * repeat);
  },
};

function milliseconds(started) {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const request = JSON.parse(line);
  let answer;
  try {
    answer = { answer: await ANSWERS[request.ask](request) };
  } catch (error) {
    answer = { error: String(error.message) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
