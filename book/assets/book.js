// On file:// a page may not read its neighbours: results come without excerpts, and without errors.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

// What scrolls sideways can be reached and scrolled with the keyboard, and fades at the side where it
// goes on.
const SCROLLERS = ".bd-article :is(pre, .formula, .drawing, .pst-scrollable-table-container)";

function showMore(box, beyond = box.scrollWidth - box.clientWidth) {
  box.classList.toggle("more-left", box.scrollLeft > 1);
  box.classList.toggle("more-right", box.scrollLeft < beyond - 1);
}

function reachScrollers() {
  const boxes = [...document.querySelectorAll(SCROLLERS)];
  const beyond = boxes.map((box) => box.scrollWidth - box.clientWidth); // all measured before any is changed
  boxes.forEach((box, k) => {
    if (beyond[k] > 0) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
    showMore(box, beyond[k]);
  });
}

window.addEventListener("load", reachScrollers);
window.addEventListener("resize", reachScrollers);
document.addEventListener("toggle", reachScrollers, true); // what was folded had no width
document.addEventListener("scroll", ({ target }) => target.matches?.(SCROLLERS) && showMore(target), true);

// What is copied carries its formulas as TeX; a browser alone would put every letter on a line.
document.addEventListener("copy", (event) => {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return;
  const copy = document.createElement("div");
  copy.append(selection.getRangeAt(0).cloneContents());
  const formulas = copy.querySelectorAll("[data-tex]");
  if (!formulas.length) return;
  for (const formula of formulas) {
    const { tex } = formula.dataset;
    formula.replaceWith(formula.matches("div") ? `\n$$${tex}$$\n` : `$${tex}$`);
  }
  copy.style.cssText = "position: fixed; left: -9999px";
  document.body.append(copy); // only what is on the page knows where its lines end
  event.clipboardData.setData("text/plain", copy.innerText);
  copy.remove();
  event.preventDefault();
});

// The words that a reader searched for are marked in the text; in a formula the marks would break it.
document.addEventListener("DOMContentLoaded", () => {
  setTimeout(() => { // after the theme, which waits for 10 ms
    for (const mark of document.querySelectorAll("math .highlighted")) mark.replaceWith(mark.textContent);
  }, 50);
});

// On a phone a drawing is shown whole; a tap enlarges it, to be scrolled sideways.
document.addEventListener("click", (event) => {
  const drawing = event.target.closest(".drawing");
  if (!drawing || !matchMedia("(max-width: 767.98px)").matches) return;
  drawing.classList.toggle("enlarged");
  reachScrollers();
});

// Paper is white, and nothing can be unfolded on it.
let screenTheme;
window.addEventListener("beforeprint", () => {
  screenTheme = document.documentElement.dataset.theme;
  document.documentElement.dataset.theme = "light";
  for (const folded of document.querySelectorAll(".bd-article details:not([open]):not(.hide)")) {
    folded.open = true;
    folded.dataset.foldAgain = "";
  }
});
window.addEventListener("afterprint", () => {
  document.documentElement.dataset.theme = screenTheme;
  for (const folded of document.querySelectorAll("details[data-fold-again]")) {
    folded.open = false;
    delete folded.dataset.foldAgain;
  }
});

// A link that points into something folded opens it; a browser that does so by itself has nothing left to do.
function openTarget() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  let folded = target && target.closest("details:not([open])");
  if (!folded) return;
  for (; folded; folded = folded.parentElement.closest("details")) folded.open = true;
  target.scrollIntoView();
}
window.addEventListener("hashchange", openTarget);
window.addEventListener("DOMContentLoaded", openTarget);

// What has moved to another page is followed there; without a script its link is shown.
function followMoved() {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (place?.matches(".moved")) location.replace(place.firstChild.href);
}
window.addEventListener("hashchange", followMoved);
window.addEventListener("DOMContentLoaded", followMoved);
