// Questions: a verdict that is read out, typed answers; and what a reader has done, which stays in this browser.

const STORE = "linlearn.practice"; // {question: "right" | "tried", page: "begun" | "done"}
const PLACE = "linlearn.place"; // where the reader was last: {page, place}, place the id of a section
const STATES = ["right", "tried", "begun", "done"];
const NAME = /^[a-z0-9][\w-]{0,99}(\/[\w-]{1,99}){0,3}$/i; // of a page or a question
const ID = /^[a-z][\w-]{0,199}$/i; // of a section
const LARGEST = 1e6; // bytes of a file with progress

// The numbers in what was typed, as linlearn.practice reads them: 26, -0.5, 3/4, √5/2, sqrt(5)/2; null if it is none.
function numberOf(word) {
  const m = /^([-+−]?)(\d*\.?\d*(?:[eE][-+]?\d+)?)(?:√(\d+\.?\d*))?(?:\/(\d+\.?\d*))?$/.exec(word);
  if (!m || !/\d/.test(word)) return null;
  const factor = m[2] === "" && m[3] ? 1 : Number.parseFloat(m[2]);
  const value = (factor * Math.sqrt(Number(m[3] ?? 1))) / Number(m[4] ?? 1);
  if (!Number.isFinite(value)) return null;
  return m[1] === "-" || m[1] === "−" ? -value : value;
}

function numbersOf(text) {
  const bare = text.replace(/sqrt\(([^()]*)\)/g, "√$1").replace(/[()[\]|]/g, " ");
  const words = bare.split(/[\s,;]+/).filter(Boolean).map(numberOf);
  return words.length && !words.includes(null) ? words : null;
}

function same(given, wanted, { within, scale, close }) {
  const unit = (values) => {
    const size = Math.hypot(...values);
    return size ? values.map((value) => value / size) : values;
  };
  const [x, y] = scale ? [unit(given), unit(wanted)] : [given, wanted];
  const least = Math.max(within, close * Math.max(...y.map(Math.abs)));
  return x.every((value, i) => Math.abs(value - y[i]) <= Math.max(least, close * Math.max(Math.abs(value), Math.abs(y[i]))));
}

// What linlearn.practice.check answers, for the same key: {right, why}.
function judge(text, key) {
  const given = numbersOf(text);
  if (!given) return { right: false, why: "Type numbers, such as 26, -0.5, 3/4 or √5/2." };
  if (given.length !== key.answer.length) {
    const count = key.answer.length === 1 ? "one number" : `${key.answer.length} numbers`;
    return { right: false, why: `This asks for ${count}; you gave ${given.length}.` };
  }
  if (same(given, key.answer, key)) return { right: true, why: key.why };
  const wrong = key.wrong.find((one) => same(given, one.answer, key));
  const listed = given.map((value) => Number(value.toPrecision(6))).join(", ");
  return { right: false, why: wrong ? wrong.why : `The answer ${listed} is not right.` };
}

// What a browser keeps or a file holds may be anything. The two readers below take what is written here, and leave the
// rest out; no text of it is shown, and none becomes an address or a selector.

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRecord = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

// {done: states by name, whole: whether nothing was left out}
function progressIn(value) {
  const entries = isRecord(value) ? Object.entries(value) : [];
  const good = entries.filter(([name, state]) => NAME.test(name) && STATES.includes(state));
  return { done: Object.fromEntries(good), whole: isRecord(value) && good.length === entries.length };
}

// {page, place}, each undefined if it is none
function placeIn(value) {
  const word = (key, form) => (isRecord(value) && typeof value[key] === "string" && form.test(value[key]) ? value[key] : undefined);
  return { page: word("page", NAME), place: word("place", ID) };
}

function kept(key) {
  try {
    return parsed(localStorage.getItem(key) ?? "{}");
  } catch {
    return {}; // a browser that keeps nothing
  }
}

function keep(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // nothing can be kept here: the questions work all the same
  }
}

const progress = {
  read: () => progressIn(kept(STORE)).done,
  write: (done) => keep(STORE, done),
  note(name, state) {
    const done = this.read();
    if (done[name] !== "right") this.write({ ...done, [name]: state });
    showProgress();
  },
};

const forms = () => [...document.querySelectorAll("form.practice")];

function showProgress() {
  const done = progress.read();
  for (const form of forms()) form.dataset.done = stateOf(form.dataset.practice, done, "right", "tried");
  document.querySelectorAll(".lesson").forEach((place) => showLesson(place, done));
  const said = document.querySelector(".practice-progress .count");
  if (said) said.textContent = lessons().length ? inAll(done) : onPage(done);
  document.querySelector("[data-do=done]")?.setAttribute("aria-pressed", done[here()] === "done");
}

// The state of a question or a page, if it is one of these.
function stateOf(name, done, ...states) {
  return Object.hasOwn(done, name) && states.includes(done[name]) ? done[name] : "";
}

const right = (names, done) => names.filter((name) => done[name] === "right").length;

function onPage(done) {
  const names = forms().map((form) => form.dataset.practice);
  return names.length ? `On this page: ${right(names, done)} of ${names.length} questions answered correctly.` : "";
}

// The front page -----------------------------------------------------------------------------

const here = () => DOCUMENTATION_OPTIONS.pagename;
const lessons = () => [...document.querySelectorAll(".lesson")];
const asked = (place) => (place.dataset.questions ?? "").split(" ").filter(Boolean);

function showLesson(place, done) {
  const names = asked(place), state = stateOf(place.dataset.page, done, "begun", "done");
  const said = [{ done: "Done", begun: "Begun" }[state]];
  if (names.some((name) => stateOf(name, done, "right", "tried"))) said.push(`${right(names, done)} of ${names.length} questions right`);
  place.dataset.state = state;
  let line = place.querySelector(".lesson-state");
  if (!line) place.append((line = Object.assign(document.createElement("p"), { className: "lesson-state" })));
  line.textContent = said.filter(Boolean).join(" · ");
}

function inAll(done) {
  const core = lessons().filter((place) => place.matches(".core")), others = lessons().filter((place) => !place.matches(".core"));
  const of = (places) => `${places.filter((place) => done[place.dataset.page] === "done").length} of ${places.length}`;
  const names = lessons().flatMap(asked);
  return `Done: ${of(core)} core lessons, ${of(others)} others, ${right(names, done)} of ${names.length} questions answered correctly.`;
}

// Beside the button that starts, one that goes on where the reader was: a link of the map, with its own address and words.
function offerToGoOn() {
  const { page, place } = placeIn(kept(PLACE));
  const start = document.querySelector(".bd-article a.start");
  const known = [...document.querySelectorAll(".lessons a[href]")].find((link) => link.getAttribute("href") === `${page}.html`);
  if (!start || !known) return;
  const link = document.createElement("a");
  link.className = "go-on";
  link.href = known.getAttribute("href") + (place ? `#${place}` : "");
  link.textContent = `Go on: ${known.textContent.trim()}`;
  start.after(" ", link);
}

// A lesson remembers that it was begun, and which section was in view last.
function rememberPlace() {
  addEventListener("pagehide", () => {
    const above = [...document.querySelectorAll(".bd-article h2")].filter((h) => h.getBoundingClientRect().top < innerHeight / 2);
    keep(PLACE, { page: here(), place: above.at(-1)?.closest("section")?.id });
  });
  if (!stateOf(here(), progress.read(), "begun", "done")) progress.note(here(), "begun");
}

// Questions -----------------------------------------------------------------------------------

function answered(form, { right, why }) {
  const verdict = form.querySelector(".verdict");
  verdict.innerHTML = `<strong>${right ? "Right." : "Not yet."}</strong> ${why}`;
  verdict.classList.toggle("right", right);
  progress.note(form.dataset.practice, right ? "right" : "tried");
}

function listen(form) {
  const key = form.querySelector("script[type='application/json']");
  if (key) {
    form.querySelector(".line").hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      answered(form, judge(form.querySelector("input").value, JSON.parse(key.textContent)));
    });
    return;
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", (event) => {
    const verdict = form.querySelector(".verdict");
    verdict.classList.add("visually-hidden");  // the reason stands below the choice; this is for screen readers
    verdict.replaceChildren(...event.target.closest(".choice").querySelector(".why").cloneNode(true).childNodes);
    progress.note(form.dataset.practice, event.target.hasAttribute("data-right") ? "right" : "tried");
  });
}

// One line at the end of a lesson, or below the map: how far; what is kept can be taken along or thrown away.
function addFooter(after) {
  const footer = document.createElement("section");
  footer.className = "practice-progress";
  footer.setAttribute("aria-label", "Your progress");
  footer.innerHTML = `<p><span class="count"></span> Kept in this browser only.</p>
    <p><button type="button" data-do="done" hidden>This lesson is done</button></p>
    <p class="notice" role="status"></p>
    <details><summary>Take it along, or forget it</summary>
    <p><button type="button" data-do="save">Save to a file</button>
    <button type="button" data-do="restore">Restore from a file</button>
    <button type="button" data-do="reset">Forget all</button>
    <input type="file" accept=".json,application/json" hidden aria-label="File with saved progress"></p></details>`;
  const file = footer.querySelector("input");
  const notice = (words) => (footer.querySelector(".notice").textContent = words);
  footer.querySelector("[data-do=done]").hidden = lessons().length > 0;
  const acts = {
    done() {
      const done = progress.read();
      progress.write({ ...done, [here()]: done[here()] === "done" ? "begun" : "done" });
      showProgress();
    },
    save() {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([JSON.stringify(progress.read(), null, 1)], { type: "application/json" }));
      link.download = "linear-classification-progress.json";
      link.click();
      URL.revokeObjectURL(link.href);
    },
    restore: () => file.click(),
    reset() {
      progress.write({});
      keep(PLACE, {});
      notice("");
      document.querySelector("a.go-on")?.remove();
      for (const form of forms()) {
        form.reset();
        form.querySelector(".verdict").textContent = "";
      }
      showProgress();
    },
  };
  footer.addEventListener("click", (event) => acts[event.target.dataset.do]?.());
  file.addEventListener("change", async () => {
    const [chosen] = file.files;
    if (!chosen) return;
    const { done, whole } = progressIn(chosen.size <= LARGEST ? parsed(await chosen.text()) : undefined);
    const some = Object.keys(done).length > 0;
    if (some) progress.write({ ...progress.read(), ...done });
    notice(!some ? "That file holds no progress of this book." : whole ? "" : "Some of that file is no progress of this book, and was left out.");
    showProgress();
    file.value = "";
  });
  after.after(footer);
  if (!progressIn(kept(STORE)).whole) notice("Some of the progress kept here could not be read, and is left out.");
}

if (typeof document !== "undefined") {
  const map = document.querySelector(".lessons");
  forms().forEach(listen);
  addFooter(map ?? document.querySelector(".bd-article > :last-child"));
  if (map) offerToGoOn();
  else rememberPlace();
  showProgress();
}
if (typeof module !== "undefined") module.exports = { judge, numbersOf };
