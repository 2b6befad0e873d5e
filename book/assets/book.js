// On file:// a page may not read its neighbours: results come without excerpts, and without errors.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

// A formula in the text that is wider than the text scrolls in its own box; in a table, the table does.
function boxWideFormulas() {
  for (const formula of document.querySelectorAll('.bd-article mjx-container:not([display="true"])')) {
    if (formula.closest("table")) continue;
    formula.classList.remove("wide");
    const room = formula.parentElement.closest("p, li, dd, figcaption, .bd-article").clientWidth;
    const wide = formula.getBoundingClientRect().width > room;
    formula.classList.toggle("wide", wide);
    if (wide) formula.tabIndex = 0;
  }
}

// What scrolls sideways can be reached and scrolled with the keyboard.
function reachScrollers() {
  const boxes = ".bd-article :is(pre, div.math, .drawing, mjx-container[display='true'], .pst-scrollable-table-container)";
  for (const box of document.querySelectorAll(boxes)) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  }
}

function fit() {
  boxWideFormulas();
  reachScrollers();
}

window.addEventListener("load", async () => {
  if (window.MathJax?.startup) await MathJax.startup.promise;
  fit();
  window.addEventListener("resize", fit);
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
