// Questions: a verdict that is read out, typed answers, and progress that stays in this browser.

const STORE = "linlearn.practice";

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
  const bare = text.replace(/sqrt\(([^()]*)\)/g, "√$1").replace(/[()[\]]/g, " ");
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

const progress = {
  read() {
    try {
      return JSON.parse(localStorage.getItem(STORE)) ?? {};
    } catch {
      return {};  // a browser that keeps nothing, or somebody else's data
    }
  },
  write(done) {
    try {
      localStorage.setItem(STORE, JSON.stringify(done));
    } catch {
      // nothing can be kept here: the questions work all the same
    }
  },
  note(name, right) {
    const done = this.read();
    if (done[name] !== "right") this.write({ ...done, [name]: right ? "right" : "tried" });
    showProgress();
  },
};

const forms = () => [...document.querySelectorAll("form.practice")];

function showProgress() {
  const done = progress.read();
  for (const form of forms()) form.dataset.done = done[form.dataset.practice] ?? "";
  const right = forms().filter((form) => form.dataset.done === "right").length;
  const said = document.querySelector(".practice-progress .count");
  if (said) said.textContent = `On this page: ${right} of ${forms().length} questions answered rightly.`;
}

function answered(form, { right, why }) {
  const verdict = form.querySelector(".verdict");
  verdict.innerHTML = `<strong>${right ? "Right." : "Not yet."}</strong> ${why}`;
  verdict.classList.toggle("right", right);
  progress.note(form.dataset.practice, right);
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
    progress.note(form.dataset.practice, event.target.hasAttribute("data-right"));
  });
}

// One line at the end of the page: how far, and what is kept can be taken along or thrown away.
function addFooter() {
  const footer = document.createElement("section");
  footer.className = "practice-progress";
  footer.setAttribute("aria-label", "Your progress");
  footer.innerHTML = `<p><span class="count"></span> Kept in this browser only.</p>
    <p><button type="button" data-do="save">Save to a file</button>
    <button type="button" data-do="restore">Restore from a file</button>
    <button type="button" data-do="reset">Forget all</button>
    <input type="file" accept=".json,application/json" hidden aria-label="File with saved progress"></p>`;
  const file = footer.querySelector("input");
  const acts = {
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
      const known = Object.entries(saved).filter(([, state]) => state === "right" || state === "tried");
      progress.write({ ...progress.read(), ...Object.fromEntries(known) });
      showProgress();
    } catch {
      footer.querySelector(".count").textContent = "That file holds no progress of this book.";
    }
    file.value = "";
  });
  document.querySelector(".bd-article").append(footer);
}

if (typeof document !== "undefined" && forms().length) {
  forms().forEach(listen);
  addFooter();
  showProgress();
}
if (typeof module !== "undefined") module.exports = { judge, numbersOf };
