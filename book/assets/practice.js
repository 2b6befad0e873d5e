// Questions: a verdict that is read out, typed answers; and what a reader has done, which stays in this browser.

const STORE = "linlearn.practice"; // {question: "right" | "tried", page: "begun" | "done"}
const PLACE = "linlearn.place"; // where the reader was last: {page, title, place, section}
const STATES = ["right", "tried", "begun", "done"];

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
  return { right: false, why: wrong ? wrong.why : "That is not it." };
}

function kept(key) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? {};
  } catch {
    return {};  // a browser that keeps nothing, or somebody else's data
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
  read: () => kept(STORE),
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
  for (const form of forms()) form.dataset.done = done[form.dataset.practice] ?? "";
  document.querySelectorAll(".lesson").forEach((place) => showLesson(place, done));
  const said = document.querySelector(".practice-progress .count");
  if (said) said.textContent = lessons().length ? inAll(done) : onPage(done);
  document.querySelector("[data-do=done]")?.setAttribute("aria-pressed", done[here()] === "done");
}

const right = (names, done) => names.filter((name) => done[name] === "right").length;

function onPage(done) {
  const names = forms().map((form) => form.dataset.practice);
  return names.length ? `On this page: ${right(names, done)} of ${names.length} questions answered correctly.` : "";
}

// The front page -----------------------------------------------------------------------------

const here = () => DOCUMENTATION_OPTIONS.pagename;
const lessons = () => [...document.querySelectorAll(".lesson")];
const asked = (place) => place.dataset.questions.split(" ").filter(Boolean);

function showLesson(place, done) {
  const names = asked(place), state = done[place.dataset.page] ?? "";
  const said = [{ done: "Done", begun: "Begun" }[state]];
  if (names.some((name) => name in done)) said.push(`${right(names, done)} of ${names.length} questions right`);
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

// Beside the button that starts, one that goes on where the reader was.
function offerToGoOn() {
  const { page, title, place, section } = kept(PLACE);
  const start = document.querySelector(".bd-article a.start");
  const known = page && document.querySelector(`ol.lessons a[href="${page}.html"]`);
  if (!start || !known) return;
  const link = document.createElement("a");
  link.className = "go-on";
  link.href = `${page}.html${place ? `#${place}` : ""}`;
  link.textContent = `Go on: ${title}${section ? `, ${section}` : ""}`;
  start.after(" ", link);
}

// A lesson remembers that it was begun, and which section was in view last.
function rememberPlace() {
  const name = (heading) => {
    const copy = heading.cloneNode(true);
    for (const extra of copy.querySelectorAll(".headerlink, .section-number")) extra.remove();
    return copy.textContent.trim();
  };
  addEventListener("pagehide", () => {
    const above = [...document.querySelectorAll(".bd-article h2")].filter((h) => h.getBoundingClientRect().top < innerHeight / 2);
    const last = above.at(-1);
    keep(PLACE, {
      page: here(), title: name(document.querySelector(".bd-article h1")),
      ...(last && { place: last.closest("section").id, section: name(last) }),
    });
  });
  if (!progress.read()[here()]) progress.note(here(), "begun");
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
    <details><summary>Take it along, or forget it</summary>
    <p><button type="button" data-do="save">Save to a file</button>
    <button type="button" data-do="restore">Restore from a file</button>
    <button type="button" data-do="reset">Forget all</button>
    <input type="file" accept=".json,application/json" hidden aria-label="File with saved progress"></p></details>`;
  const file = footer.querySelector("input");
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
    try {
      const saved = JSON.parse(await file.files[0].text());
      const known = Object.entries(saved).filter(([, state]) => STATES.includes(state));
      progress.write({ ...progress.read(), ...Object.fromEntries(known) });
      showProgress();
    } catch {
      footer.querySelector(".count").textContent = "That file holds no progress of this book.";
    }
    file.value = "";
  });
  after.after(footer);
}

if (typeof document !== "undefined") {
  const map = document.querySelector("ol.lessons");
  forms().forEach(listen);
  addFooter(map ?? document.querySelector(".bd-article > :last-child"));
  if (map) offerToGoOn();
  else rememberPlace();
  showProgress();
}
if (typeof module !== "undefined") module.exports = { judge, numbersOf };
