// The search page: shows what rank.js finds. An excerpt comes with the index, so that a book on a disk has it too;
// where it does not say why a page was found, and pages can be fetched, a sentence of the page takes its place.

const SHOWN = 20; // results at a time
let book;

Search.query = (query) => {
  const [, keywords, , marked] = Search._parseQuery(query);
  book ??= prepare(Search._index);
  let { results, unknown } = rank(query, book);
  const other = unknown.length ? meant(query, unknown, book) : null;
  if (other) ({ results } = rank(other, book));
  Search.stopPulse();
  Search.title.textContent = "Search results";
  Search.status.setAttribute("role", "status");
  Search.status.textContent = `Search finished, found ${told(results.length)}.`;
  if (unknown.length) Search.status.after(misspelt(unknown, other));
  document.getElementById("search-progress")?.replaceChildren();
  show(results, [...new Set([...keywords, ...asked(other ?? query).map(root).map(stem)])], [...marked]);
};

const told = (count) => (count ? `${count === MOST ? "at least " : ""}${count} result${count > 1 ? "s" : ""}` : "nothing");

// On this page the results follow what is typed. With a keyboard they come next after the field.
const field = document.querySelector(".bd-search-container input[name=q]");
if (location.search && matchMedia("(pointer: fine)").matches) {
  window.addEventListener("load", () => field?.focus({ preventScroll: true }));
}
let waiting;
field?.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const query = field.value.trim();
    if (!query) return;
    document.getElementById("search-results").replaceChildren();
    Search.performSearch(query);
    if (location.protocol !== "file:") history.replaceState(null, "", `?${new URLSearchParams({ q: query })}`);
  }, 200);
});

function misspelt(unknown, other) {
  const line = document.createElement("p");
  line.className = "did-you-mean";
  line.append(`No page has ${unknown.map((word) => `“${word}”`).join(" or ")}.`);
  if (other) {
    const link = document.createElement("a");
    link.href = `?${new URLSearchParams({ q: other })}`;
    link.textContent = other;
    line.append(" Did you mean ", link, "?");
  }
  return line;
}

// Some of the results, and a button for more.
function show(results, words, marked) {
  const items = results.slice(0, SHOWN).map((result) => item(result, words, marked));
  Search.output.append(...items);
  const rest = results.slice(SHOWN);
  if (rest.length) {
    const more = document.createElement("button");
    more.type = "button";
    more.className = "more-results";
    more.textContent = `Show ${Math.min(SHOWN, rest.length)} more of ${results.length} results`;
    more.addEventListener("click", () => {
      const last = Search.output.lastElementChild;
      more.remove();
      show(rest, words, marked);
      last.nextElementSibling.querySelector("a").focus();
    });
    Search.output.after(more);
  }
}

function item({ page, anchor, title, html, says }, words, marked) {
  const element = document.createElement("li"), link = document.createElement("a"), summary = document.createElement("p");
  const { docnames, titles } = Search._index;
  link.href = docnames[page] + DOCUMENTATION_OPTIONS.LINK_SUFFIX + (anchor && `#${anchor}`);
  link.innerHTML = titles[page];
  if (anchor) {
    link.append(" > ");
    link.insertAdjacentHTML("beforeend", html || "<span></span>");
    if (!html) link.lastChild.textContent = title;
  }
  summary.className = "context";
  summary.textContent = says;
  element.append(link, summary);
  const mark = () => SPHINX_HIGHLIGHT_ENABLED && marked.forEach((word) => _highlightText(summary, word, "highlighted"));
  mark();
  const why = `${anchor ? title : titles[page]} ${says}`.toLowerCase();
  if (!words.every((word) => why.includes(word)) && location.protocol !== "file:") {
    seen.set(element, () => sentence(link.href, anchor, words).then((found) => {
      if (!found.length) return;
      summary.replaceChildren(...found);
      mark();
    }));
    watch.observe(element);
  }
  return element;
}

// What comes into view.
const seen = new Map();
const watch = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    watch.unobserve(target);
    seen.get(target)();
  }
});

// Sentences of a page ---------------------------------------------------------------------------

const read = new Map(); // a page that is found ten times is fetched and taken apart once
async function content(url) {
  const page = await (await fetch(url)).text();
  return new DOMParser().parseFromString(page, "text/html").querySelector("[role=main]");
}

async function sentence(href, anchor, words) {
  const url = href.split("#")[0];
  if (!read.has(url)) read.set(url, content(url));
  const main = await read.get(url);
  const target = anchor && main?.querySelector(`#${CSS.escape(anchor)}`);
  const place = (target?.matches?.("dt") ? target.nextElementSibling : target) || main; // a term is explained below it
  const blocks = [...(place?.querySelectorAll("p, figcaption") ?? [])].filter(
    (block) => !block.closest("nav, form, footer, .cell, .admonition-title, .study-time, .toc") && block.textContent.length > 40,
  );
  return blocks.length ? excerpt(blocks.map((block) => plain(block.cloneNode(true))), words) : [];
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
