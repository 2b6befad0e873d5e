// What a search finds, best first. What bears the name that is asked for comes before titles with its words, and
// these before pages whose text has them. A name leads to the place that introduces it, then to its entry in the
// glossary. Among equals lessons come first: core, theory, depth; then appendices, and the reference last.
// The index is Sphinx's, with the places, names and tiers that linlearn_search.py writes.

// Words -----------------------------------------------------------------------------------------

// What a question says beside what it asks for; unless it says nothing else.
const UNASKED = new Set(`a about actually all also am an and any are as at be been being but by can could did do does
doing explain explanation find for from get give given good had happens has have help here how i if in into is it its
know like made make many me much my need of on onto or our please say says should show so some tell than that the their
them then there these they this those to too understand us use used using want was we were what when where whether which
while who whom whose why will with would you your`.split(/\s+/));

const split = (text) =>
  text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
    .replace(/['’]s?(?![\p{L}\p{N}])/gu, "").match(/[\p{L}\p{N}]+/gu) ?? [];

// One spelling for British and American, singular and plural. What this makes of other words does not matter, since
// what is asked and what is found are treated alike.
const SPELLINGS = [
  [/(ia|ea|[^suai])s$/, "$1"],
  [/(matr|vert|ind|simpl)ice$/, "$1ix"],
  [/ie$/, "y"],
  [/(ss|x|ch|sh|z)e$/, "$1"],
  [/(..)is(e|ed|er|ing|ation)$/, "$1iz$2"],
  [/ys(e|ed|er|ing)$/, "yz$1"],
  [/(..)our(ed|ing|ite|hood)?$/, "$1or$2"],
  [/(cent|met|fib|lit|theat)re(d)?$/, "$1er$2"],
  [/gramme$/, "gram"],
];
const root = (word) => (word.length < 4 ? word : SPELLINGS.reduce((now, [from, to]) => now.replace(from, to), word));

// The book's text is in British.
const BRITISH = [
  [/(..)iz(e|ed|er|ing|ation)$/, "$1is$2"],
  [/yz(e|ed|er|ing)$/, "ys$1"],
  [/or(ed|ing)?$/, "our$1"],
  [/er(ed)?$/, "re$1"],
];
const british = (word) => BRITISH.reduce((now, [from, to]) => now.replace(from, to), word);

const stemmer = new Stemmer(), known = new Map(); // Sphinx's, which is slow
function stem(word) {
  if (!known.has(word)) known.set(word, stemmer.stemWord(word));
  return known.get(word);
}
const asked = (text) => {
  const all = split(text), wanted = all.filter((word) => !UNASKED.has(word));
  return wanted.length ? wanted : all;
};

// The index -------------------------------------------------------------------------------------

const add = (map, key, value) => (map.has(key) ? map.get(key).push(value) : map.set(key, [value]));

// Each name of an entry in words, with the places it leads to: the standard one first, then synonyms, other words
// that are asked for it, and names in code, which several entries may have.
function namesOf([names, also, code, glossary, lesson, says]) {
  const QUALITIES = [names.map((_, k) => (k ? 0.99 : 1)), also.map((_, k) => 0.95 - 0.005 * k), code.map((_, k) => 0.9 - 0.02 * k)].flat();
  return [...names, ...also, ...code].map((name, k) => {
    const roots = asked(name).map(root);
    const phrase = ` ${split(name).map(root).join(" ")} `; // with the words that a question has, too
    return { name, roots, phrase, key: roots.join(""), stems: roots.map(stem), quality: QUALITIES[k], glossary, lesson, says };
  });
}

const ASIDE = /^(Exercise|A common mistake): /;
const pairs = (words) => words.slice(1).map((word, k) => `${words[k]} ${word}`);

// What is read of the index again and again is made once.
function prepare(index) {
  const stemsOf = (text) => new Set(asked(text).map(root).map(stem));
  const places = index.places.map(([page, anchor, title, says, html, can]) => {
    const roots = new Set(asked(title).map(root));
    const known = { roots, stems: stemsOf(title), said: stemsOf(`${says} ${can ?? ""}`), pairs: new Set(pairs(split(title).map(root))) };
    return { page, anchor, title, says, html, tier: index.tiers[page], ...known };
  });
  const names = index.names.flatMap(namesOf);
  const byKey = new Map(), byStems = new Map(), counts = new Map(), pages = new Map();
  for (const name of names) {
    add(byKey, name.key, name);
    add(byStems, name.stems.join(""), name);
  }
  for (const { stems } of [...places, ...names]) for (const word of new Set(stems)) counts.set(word, (counts.get(word) ?? 0) + 1);
  places.forEach(({ page, anchor }, k) => anchor || pages.set(page, k));
  const words = new Set([...places, ...names].flatMap(({ roots }) => [...roots]));
  return { index, places, names, byKey, byStems, counts, words: [...words], pages };
}

// The pages whose text has a word, or, of a word that is still being typed, what begins with it.
function pagesWith(word, { index }, typed) {
  const found = new Set();
  const take = (list) => [list ?? []].flat().forEach((page) => found.add(page));
  for (const spelling of new Set([word, stem(word), stem(british(word))])) {
    for (const part of [index.terms, index.titleterms]) if (Object.hasOwn(part, spelling)) take(part[spelling]);
  }
  if (!found.size && typed) for (const term in index.terms) if (term.startsWith(word)) take(index.terms[term]);
  return found;
}

// The query ---------------------------------------------------------------------------------------

const WHOLE = 1 - 1e-9; // of a query, but for rounding

// The words of a query with what the ranking asks of them; `all` are their numbers.
function understand(query, book) {
  const said = asked(query).slice(0, 20), words = said.map(root), stems = words.map(stem), all = [...words.keys()];
  const typed = (k) => k === words.length - 1 && words[k].length > 2; // may be the beginning of a word
  const begins = (k, others) => typed(k) && [...others].some((other) => other.startsWith(words[k]));
  const texts = all.map((k) => pagesWith(words[k], book, typed(k)));
  const known = all.map((k) => texts[k].size > 0 || book.counts.has(stems[k]) || begins(k, book.words) || begins(k, book.byKey.keys()));
  // A word that few places have says more of what is asked.
  const weights = all.map((k) => {
    const places = (book.counts.get(stems[k]) ?? 0) + texts[k].size / 2;
    return known[k] ? Math.log(1 + book.places.length / (1 + places)) : 0;
  });
  const sum = (of) => of.reduce((total, k) => total + weights[k], 0), total = sum(all) || 1;
  const share = (of) => sum(of) / total;
  const raw = split(query).map(root), question = raw.length > 2 && /^(how|why|when|which|can|should)\b/i.test(query.trim());
  const says = all.some((k) => known[k] && (words[k].length > 1 || all.length === 1)); // a letter among unknown words does not
  return { query: query.trim(), words, stems, all, begins, texts, share, raw, question, says, unknown: said.filter((_, k) => !known[k]) };
}

// Ranking -----------------------------------------------------------------------------------------

const MOST = 60; // results
const LATER = [0, 0.05, 0.1, 0.15, 0.2, 0.4]; // what a place of a tier is behind one of a core lesson

// A score is about 3 where a name is the query, 2 where a title has all its words, and below 1 for texts.
function rank(query, book) {
  const asking = understand(query, book);
  const scores = new Map(); // by the number of a place
  const give = (k, score, says) => {
    if (!(scores.get(k)?.score >= score)) scores.set(k, { score, says });
  };
  if (asking.says) {
    giveNames(asking, book, ({ glossary, lesson, says, quality }, score) => {
      if (lesson !== undefined) give(lesson, score * quality + 0.001, says);
      give(glossary, score * quality);
    });
    givePlaces(asking, book, give);
  }
  const results = [...scores].map(([k, { score, says }]) => ({ k, score, ...book.places[k], says: says || book.places[k].says }));
  results.sort((a, b) => b.score - a.score || a.tier - b.tier || a.k - b.k);
  const once = new Map();
  for (const result of results) {
    const place = `${result.page}#${result.anchor}`;
    if (once.size < MOST && !once.has(place)) once.set(place, result);
  }
  return { results: [...once.values()], unknown: asking.unknown };
}

function giveNames({ words, stems, all, begins, share, raw, question }, book, give) {
  // Names that are words of the query in a row: all of them, or some. A question asks for more than a definition.
  for (const i of all) {
    for (let j = i + 1; j <= words.length; j++) {
      const part = share(all.slice(i, j)), score = part < WHOLE ? 0.6 + 1.1 * part : question ? 2.2 : 3;
      book.byKey.get(words.slice(i, j).join(""))?.forEach((name) => give(name, score));
      book.byStems.get(stems.slice(i, j).join(""))?.forEach((name) => give(name, 0.95 * score));
    }
  }
  const key = words.join(""), phrase = ` ${raw.join(" ")} `;
  for (const name of book.names) {
    const close = Math.min(1, key.length / name.key.length);
    const has = all.filter((k) => name.stems.includes(stems[k]));
    if (name.roots.length > 1 && phrase.includes(name.phrase) && name.phrase.length > 0.8 * phrase.length) {
      give(name, 2.9); // nearly the question itself
    } else if (!question && key.length > 1 && name.key.startsWith(key)) {
      give(name, 2.2 + 0.3 * close + (name.roots[0] === words[0] ? 0.2 : 0)); // as one types
    } else if (!question && all.every((k) => has.includes(k) || begins(k, name.roots))) {
      give(name, 2 + 0.3 * close); // a longer name
    } else if (has.length > 1 && has.length >= name.roots.length) {
      give(name, 1.6 * share(has)); // in another order
    }
  }
}

// A word counts most in the title, less in what is said below it, and least in the rest of the page.
function givePlaces({ query, words, stems, all, begins, texts, share, raw, question }, book, give) {
  const terms = new Set(book.names.map(({ glossary }) => glossary)); // whose titles are names
  const found = book.places.map(({ page, anchor, roots, stems: titled, said }, k) => {
    const title = terms.has(k) ? [] : all.filter((i) => roots.has(words[i]) || titled.has(stems[i]) || begins(i, roots));
    const below = all.filter((i) => !title.includes(i) && said.has(stems[i]));
    const beside = all.filter((i) => !title.includes(i) && !below.includes(i) && texts[i].has(page));
    const evidence = share(title) + 0.6 * share(below) + (anchor ? 0.2 : 0.4) * share(beside);
    return { part: share(title), of: Math.min(1, title.length / Math.max(1, roots.size)), evidence };
  });
  const enough = Math.min(0.39, 0.8 * Math.max(0, ...found.map(({ evidence }) => evidence))); // a page with all words has 0.4
  const asked = pairs(raw);
  book.places.forEach(({ anchor, title, tier, pairs: own }, k) => {
    const { part, of, evidence } = found[k];
    if (!evidence || evidence < enough) return;
    const alike = asked.length ? asked.filter((pair) => own.has(pair)).length / asked.length : 0;
    const whole = (part > WHOLE ? 0.3 : 0) + (title === query ? 1 : 0) + (question ? 1.2 : 0.4) * alike * part;
    give(k, 1.5 * evidence + whole + (0.2 * of + (anchor ? 0 : 0.1)) * part - LATER[tier] - (ASIDE.test(title) ? 0.2 : 0));
  });
}

// Misspelt --------------------------------------------------------------------------------------

// Whether one letter is missing, too many or wrong, or two neighbours are exchanged.
function near(a, b) {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false;
  let k = 0;
  while (a[k] === b[k]) k++;
  const [x, y] = [a.slice(k), b.slice(k)];
  return x.slice(1) === y.slice(1) || x.slice(1) === y || x === y.slice(1) || (x[0] === y[1] && x[1] === y[0] && x.slice(2) === y.slice(2));
}

// The query with each word that nothing has replaced by one that is nearly it; null where there is none.
function meant(query, unknown, book) {
  const named = [...book.names].sort((a, b) => b.quality - a.quality);
  let found = query;
  for (const word of unknown) {
    const close = word.length > 3 && (
      named.find(({ key }) => near(root(word), key))?.name ??
      named.flatMap(({ name }) => split(name)).find((other) => near(word, other)) ??
      book.places.flatMap(({ title }) => split(title)).find((other) => near(word, other))
    );
    if (close) found = found.replace(new RegExp(word, "iu"), close);
  }
  return found === query ? null : found;
}
