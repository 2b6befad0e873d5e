// The search page: lessons first, then their depth and the appendices, then what explains words, then the
// reference. An excerpt is made of whole sentences, and its formulas and those of headings are typeset.

const TIERS = [/^book\/\d\d_(?!depth)/, /^(index$|book\/(?!reference|glossary|notation))/, /^book\/(glossary|notation)$/];

function tier(docname) {
  const k = TIERS.findIndex((pages) => pages.test(docname));
  return k < 0 ? TIERS.length : k;
}

// What Sphinx finds at one place more than once stands once, with its best score: a word of the index leads to its
// page, a page's own heading is the page, and a term has its name. Shown is the last result first.
const find = Search._performSearch;
const WORDS_ALONE = { __proto__: null, hasOwnProperty: Object.prototype.hasOwnProperty }; // Sphinx would find `constructor` in any table
Search._performSearch = (...query) => {
  for (const table of [Search._index.terms, Search._index.titleterms]) Object.setPrototypeOf(table, WORDS_ALONE);
  const places = new Map();
  for (const result of find(...query).reverse().map(named)) {
    const [page, , anchor, , score] = result, known = places.get(page + anchor);
    if (!known) places.set(page + anchor, result);
    else known[4] = Math.max(known[4], score);
  }
  return [...places.values()].sort((a, b) => tier(a[0]) - tier(b[0]) || b[4] - a[4]).reverse();
};

const bare = (title) => title.replace(/<[^>]*>/g, "").trim();
function named([page, title, anchor, ...rest]) {
  const [, own, section] = title.match(/^(.*) > (.*)$/) ?? [];
  if (anchor.startsWith("#term-")) return [page, `${title} > ${anchor.slice(6).replaceAll("-", " ")}`, anchor, ...rest];
  if (anchor.startsWith("#index-")) return [page, title, "", ...rest];
  return own && bare(own).endsWith(section) ? [page, own, "", ...rest] : [page, title, anchor, ...rest];
}

// A block's sentences, each a list of nodes.
function sentences(block) {
  const found = [[]];
  for (const node of block.childNodes) {
    const parts = node.nodeType === Node.TEXT_NODE ? node.data.split(/(?<=[.!?][”’)]?)\s+(?=[“‘(]?\p{Lu})/u) : [node];
    parts.forEach((part, k) => {
      if (k) found.push([]);
      found.at(-1).push(typeof part === "string" ? document.createTextNode(part) : part);
    });
  }
  return found;
}

const said = (nodes) => nodes.map((node) => node.textContent).join("").toLowerCase();
const holds = (text, words) => words.filter((word) => text.includes(word)).length;

// From the sentence that holds most of the words on, until there is enough to go by.
function excerpt(blocks, words) {
  const hits = (block) => holds(block.textContent.toLowerCase(), words);
  const best = blocks.reduce((best, block) => (hits(block) > hits(best) ? block : best), blocks[0]);
  const all = sentences(best);
  const counts = all.map((nodes) => holds(said(nodes), words));
  const chosen = [];
  for (let k = counts.indexOf(Math.max(...counts)); k < all.length && said(chosen).length < 140; k++) {
    chosen.push(...all[k], document.createTextNode(" "));
  }
  return chosen;
}

// Nothing in a result leads anywhere but the result itself, and no name stands twice in the page.
function plain(element) {
  for (const extra of element.querySelectorAll(".headerlink, script, style, img")) extra.remove();
  for (const link of element.querySelectorAll("a")) link.replaceWith(...link.childNodes);
  for (const part of element.querySelectorAll("[id]")) part.removeAttribute("id");
  return element;
}

const read = new Map(); // a page that is found ten times is taken apart once
function content(page) {
  if (!read.has(page)) read.set(page, new DOMParser().parseFromString(page, "text/html").querySelector("[role=main]"));
  return read.get(page);
}

Search.makeSearchSummary = (page, keywords, anchor) => {
  const main = content(page);
  const target = anchor ? main?.querySelector(`#${CSS.escape(anchor.slice(1))}`) : null;
  const place = (target?.matches("dt") ? target.nextElementSibling : target) ?? main; // a term is explained below it
  const blocks = [...(place?.querySelectorAll("p, figcaption") ?? [])].filter(
    (block) => !block.closest("nav, form, footer, .cell, .admonition-title, .study-time, .toc") && block.textContent.length > 40,
  );
  const summary = document.createElement("p");
  summary.className = "context";
  if (blocks.length) summary.append(...excerpt(blocks.map((block) => plain(block.cloneNode(true))), [...keywords]));
  const heading = target?.querySelector("h1, h2, h3, h4, .admonition-title");
  // Once Sphinx has put the excerpt below it, the result's name shows its formulas.
  if (heading?.querySelector("math")) setTimeout(() => nameTypeset(summary, plain(heading.cloneNode(true))));
  return summary;
};

function nameTypeset(summary, heading) {
  const link = summary.parentElement?.querySelector("a");
  const page = link?.textContent.match(/^.* > /);
  link?.replaceChildren(page ? page[0] : "", ...heading.childNodes);
}
