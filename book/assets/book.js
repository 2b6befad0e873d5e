
// What scrolls sideways can be reached and scrolled with the keyboard, and fades at the side where it
// goes on.
const SCROLLERS = ".bd-article :is(pre, .formula, .pst-scrollable-table-container)";

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

// The words that a reader searched for are marked in the text; in a formula the marks would break it. A word that
// only what is folded holds is shown.
document.addEventListener("DOMContentLoaded", () => {
  setTimeout(() => { // after the theme, which waits for 10 ms
    for (const mark of document.querySelectorAll("math .highlighted")) mark.replaceWith(mark.textContent);
    const marks = [...document.querySelectorAll(".bd-article .highlighted")];
    const word = (mark) => mark.textContent.toLowerCase();
    const seen = new Set(marks.filter((mark) => mark.checkVisibility()).map(word));
    const folded = marks.filter((mark) => !seen.has(word(mark)) && mark.closest("details:not([open])"));
    folded.forEach(unfold);
    if (!location.hash) folded[0]?.scrollIntoView({ block: "center" });
  }, 50);
});

// A drawing is enlarged by its button, or by a click on it, in a window of its own that Escape closes.
const large = document.createElement("dialog");
large.className = "enlarged";
large.innerHTML = `<form method="dialog"><button>Close</button></form><div class="room" tabindex="0"></div>`;
large.addEventListener("click", ({ target }) => target === large && large.close());

function enlarge(figure) {
  const image = [...figure.querySelectorAll(".drawing img")].find((drawn) => drawn.checkVisibility());
  const copy = image.cloneNode();
  copy.style.setProperty("--ratio", image.getAttribute("width") / image.getAttribute("height"));
  large.setAttribute("aria-label", nameOf(figure));
  large.querySelector(".room").replaceChildren(copy);
  large.showModal();
}

const nameOf = (figure) => figure.querySelector(".caption-number")?.textContent.trim() ?? "Figure";

window.addEventListener("DOMContentLoaded", () => {
  for (const figure of document.querySelectorAll(".bd-article figure:has(.drawing)")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "enlarge";
    button.innerHTML = `Enlarge<span class="visually-hidden"> ${nameOf(figure)}</span>`;
    button.addEventListener("click", () => enlarge(figure));
    const drawing = figure.querySelector(".drawing");
    drawing.addEventListener("click", () => enlarge(figure));
    drawing.after(button);
  }
  document.body.append(large);
});

// Menus close by Escape, which gives the focus back to their button, and when the focus or a click goes elsewhere.
const menus = () => document.querySelectorAll("details.dropdown[open]");
function closeMenus({ target }) {
  for (const menu of menus()) if (!menu.contains(target)) menu.open = false;
}
document.addEventListener("click", closeMenus);
document.addEventListener("focusin", closeMenus);
document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  for (const menu of menus()) {
    if (menu.contains(document.activeElement)) menu.firstElementChild.focus();
    menu.open = false;
  }
});

// On a desk the contents at the left can be put away; on a phone the theme opens them as a window.
const contents = document.querySelector("#pst-primary-sidebar"), putAway = document.querySelector(".primary-toggle");
putAway?.addEventListener("click", (event) => {
  if (!matchMedia("(min-width: 992px)").matches) return;
  event.stopImmediatePropagation();
  const hidden = contents.classList.toggle("pst-sidebar-hidden");
  putAway.setAttribute("aria-expanded", String(!hidden));
}, true);

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

function unfold(place) {
  for (let fold = place.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
}

// The place on the page that the address names; none where it names none or is mangled.
function targeted() {
  try {
    return document.getElementById(decodeURIComponent(location.hash.slice(1)));
  } catch {
    return null;
  }
}

// A link that points into something folded opens it; a browser that does so by itself has nothing left to do.
function openTarget() {
  const target = targeted();
  if (!target || !target.closest("details:not([open])")) return;
  unfold(target);
  target.scrollIntoView();
}
window.addEventListener("hashchange", openTarget);
window.addEventListener("DOMContentLoaded", openTarget);

// Where the book is served, a reader may keep it, to read it without a network. Nothing is fetched before that.
const ROOT = document.documentElement.dataset.content_root;

function keepable(place) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "keep-book" });
  const notice = document.createElement("span");
  notice.setAttribute("role", "status");
  const kept = () => navigator.serviceWorker.getRegistration(ROOT);
  const show = async () => (button.textContent = (await kept()) ? "Remove the book from this device" : "Keep the book on this device");
  const say = (words) => (notice.textContent = words);

  async function keep() {
    say("Fetching the pages …");
    try {
      const registration = await navigator.serviceWorker.register(`${ROOT}worker.js`);
      const worker = registration.installing ?? registration.waiting ?? registration.active;
      worker.addEventListener("statechange", () => {
        if (worker.state === "activated") say("It can now be read without a network.");
        if (worker.state === "redundant") say("It could not be kept: a file was not found, or the device is full.");
        show();
      });
    } catch {
      say("This browser does not keep pages.");
    }
  }

  async function remove(registration) {
    await registration.unregister();
    for (const name of await caches.keys()) if (name.startsWith("linear-classification-")) await caches.delete(name);
    say("It is no longer kept here.");
    show();
  }

  button.addEventListener("click", async () => {
    const registration = await kept();
    if (registration) remove(registration);
    else keep();
  });
  addEventListener("appinstalled", keep);
  show();
  place.append(button, " ", notice);
}

if (location.protocol.startsWith("http") && "serviceWorker" in navigator) {
  window.addEventListener("DOMContentLoaded", () => {
    document.head.append(Object.assign(document.createElement("link"), { rel: "manifest", href: `${ROOT}manifest.webmanifest` }));
    const footer = document.querySelector(".bd-footer-content__inner");
    if (footer && DOCUMENTATION_OPTIONS.pagename === "index") keepable(footer);
  });
}
