// A deck: one slide at a time, with the keyboard, a click or a swipe. N shows the notes, P opens them in a window.
const slides = [...document.querySelectorAll(".slide")];
const phone = matchMedia("(max-width: 700px), (max-height: 500px)"); // as in slides.css
const OWN = "a, input, select, button, textarea, summary, .notes, .explorable"; // what a click or a finger is for there
const others = () => [opened, opener].filter((other) => other && !other.closed);
let at = 0, opened = null;

// Words are laid out on fewer pixels if they have room there, and every slide is made as wide as the screen;
// one that is then higher than 720 pixels is made smaller as a whole.
const LARGE = [1.3, 1.2, 1.1, 1];
function fit() {
  document.documentElement.style.setProperty("--scale", Math.min(innerWidth / 1280, innerHeight / 720));
  for (const slide of slides) {
    const content = slide.querySelector(".content"), most = content.querySelector("h1, figure") ? 1 : LARGE[0];
    for (const large of LARGE.filter((one) => one <= most)) {
      slide.style.setProperty("--large", large);
      const height = content.offsetHeight;
      slide.style.setProperty("--fit", phone.matches ? 1 : Math.min(1280 / content.offsetWidth, 712 / height));
      if (height * large <= 712) break;
    }
  }
}

function show(number, answered = false, tell = true) {
  at = Math.max(0, Math.min(slides.length - 1, number || 0));
  slides.forEach((slide, k) => {
    slide.classList.toggle("shown", k === at);
    slide.inert = k !== at && !phone.matches;
  });
  if (slides[at].querySelector(".reason")) slides[at].classList.toggle("answered", answered || phone.matches);
  document.querySelector("nav").textContent = `${at + 1} / ${slides.length}`;
  if (!phone.matches) history.replaceState(null, "", `#${at + 1}`);
  if (tell) for (const other of others()) other.postMessage({ at, answered }, "*");
}

// The answer of a question comes before the next slide.
function next() {
  const open = slides[at].querySelector(".reason") && !slides[at].classList.contains("answered");
  open ? show(at, true) : show(at + 1);
}

const KEYS = {
  ArrowRight: next, ArrowDown: next, PageDown: next, " ": next, Enter: next,
  ArrowLeft: () => show(at - 1), ArrowUp: () => show(at - 1), PageUp: () => show(at - 1),
  Home: () => show(0), End: () => show(slides.length - 1),
  n: () => document.body.classList.toggle("noted"),
  p: () => { opened = open(`${location.pathname}?notes#${at + 1}`, "notes", "width=1000,height=700"); },
  f: () => document.documentElement.requestFullscreen?.(),
};
addEventListener("keydown", (event) => {
  const busy = event.target.closest("input, select, button, textarea, summary, [tabindex]"); // a figure that moves
  const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (busy || !act || phone.matches || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  act();
});
addEventListener("click", (event) => {
  if (!phone.matches && !event.target.closest(OWN)) event.clientX < innerWidth / 4 ? show(at - 1) : next();
});
let finger = null; // where a swipe has begun
addEventListener("touchstart", ({ touches, target }) => { finger = touches.length === 1 && !target.closest(OWN) ? touches[0] : null; });
addEventListener("touchend", ({ changedTouches: [to] }) => {
  if (!finger || phone.matches) return;
  const dx = to.clientX - finger.clientX, dy = to.clientY - finger.clientY;
  if (Math.abs(dx) > Math.max(50, 2 * Math.abs(dy))) dx < 0 ? next() : show(at - 1);
});
addEventListener("message", ({ source, data }) => {
  if (others().includes(source) && Number.isInteger(data?.at)) show(data.at, data.answered === true, false);
});
addEventListener("resize", fit);
addEventListener("load", fit);
addEventListener("hashchange", () => /^#\d+$/.test(location.hash) && show(location.hash.slice(1) - 1));
phone.addEventListener("change", () => { fit(); show(at); });
document.body.classList.toggle("noted", location.search === "?notes");
for (const notes of document.querySelectorAll(".notes")) notes.open = !phone.matches;
if (phone.matches) for (const slide of slides) slide.classList.add("answered");
fit();
show(/^#\d+$/.test(location.hash) ? location.hash.slice(1) - 1 : 0);
