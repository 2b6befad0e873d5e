// All methods compared on the reader's samples: the line and the mistakes of each.
import { margins, norm, range, rosenblatt, signed } from "./maths.js";
import { fewest, fisher, lda, leastSquares, logistic, maxMargin, softMargin } from "./learn.js";
import { around, button, el, GRID, many, MOST_SAMPLES, number, samples, short, slider } from "./figure.js";

const UPDATES = 1000;
const [LEAST_C, MOST_C] = [-3, 3]; // of the slider, powers of ten

const NO_DIRECTION = "the means are equal, or in some direction they differ and neither class has any spread, so that the ratio is infinite";

/** Each method: its name here and in linlearn, how it learns, and why it may refuse. */
export const LEARNERS = [
  ["perceptron", (X, y) => { const { a } = rosenblatt(signed(X, y), UPDATES).at(-1); return { w: a.slice(0, 2), b: a[2] }; }],
  ["Fisher", fisher, NO_DIRECTION],
  ["LDA", lda, NO_DIRECTION],
  ["least squares", leastSquares],
  ["logistic", (X, y, C) => logistic(X, y, 1 / (C * y.length))],
  ["soft margin", softMargin],
  ["largest margin", maxMargin, "no line separates these samples"],
  ["fewest mistakes", (X, y) => fewest(X, y).plane, "samples of both classes are too near to each other to draw its line"],
];

/** Every method's plane on the state's samples with its mistakes and its least signed distance. */
export const learn = ({ X, y, C }) => LEARNERS.map(([name, method, refusal]) => {
  const plane = method(X, y, C), m = plane && margins(plane, X, y), length = plane && norm(plane.w);
  return { name, refusal, plane, mistakes: m && m.filter((v) => v <= 0).length, rho: length ? Math.min(...m) / length : null };
});

export const methods = {
  title: "All methods on the same samples",
  grows: true, // samples may come and go
  help: "Logistic regression has λ = 1/(nC), the soft margin C. Drag a sample, or focus it and use the arrow keys (Shift: larger steps); Page Up and Page Down reach the other samples, Space changes a label, Delete takes the sample away. A row of the table shows or hides a line; point at it to find the line.",
  valid: (s) => s.C >= 10 ** LEAST_C && s.C <= 10 ** MOST_C && s.shown.every((v) => v === 0 || v === 1),
  derive: (s) => ({ found: learn(s), least: fewest(s.X, s.y).mistakes }),

  panels: [{
    title: "Samples and lines",
    labels: ["x₁", "x₂"],
    basis: 360,
    height: 380,
    equal: true,
    frame: (s, d, first) => around(first.X),
    marks: (s, d, panel) => d.found.map(({ plane }, k) => s.shown[k] && plane && panel.line(plane, { class: `learned m${k}` })),
    handles: (s, d, panel) => samples(s, panel).map((one, i) => ({ ...one, remove: () => without(s, i) })),
  }],

  controls(state, set) {
    const penalty = slider("Penalty parameter C", {
      min: LEAST_C, max: () => MOST_C, step: 0.25,
      value: (s) => Math.log10(s.C), says: (s) => short(s.C), patch: (v) => ({ C: +(10 ** v).toPrecision(6) }),
    }, set);
    const add = (label) => button(`Add a ${label > 0 ? "disc (+1)" : "square (−1)"}`, () => set(grown(state(), label), true));
    return [penalty, add(1), add(-1), results(state, set)];
  },

  says(s, d) {
    const shown = d.found.filter((_, k) => s.shown[k]), made = shown.filter(({ plane }) => plane).map(({ name, mistakes }) => `${name} ${mistakes}`);
    const refused = shown.filter(({ plane }) => !plane).map(({ name, refusal }) => ` No ${name}: ${refusal}.`);
    return `${many(s.y.length, "sample")}. No line makes fewer than ${many(d.least, "mistake")}. ` +
      `Mistakes: ${made.join(", ") || "no line is shown"}.${refused.join("")}`;
  },
};

/** One sample less, if both classes stay. */
function without(s, i) {
  const keep = (list) => list.filter((_, j) => j !== i), y = keep(s.y);
  return y.includes(1) && y.includes(-1) ? { X: keep(s.X), y } : {};
}

/** One sample more: on the middle of its class, moved to where no sample is. */
function grown(s, label) {
  if (s.y.length >= MOST_SAMPLES) return {};
  const own = s.X.filter((_, i) => s.y[i] === label);
  const at = [0, 1].map((j) => Math.round(own.reduce((sum, x) => sum + x[j], 0) / own.length / GRID) * GRID);
  while (s.X.some((x) => x[0] === at[0] && x[1] === at[1])) at[0] += 2 * GRID;
  return { X: [...s.X, at], y: [...s.y, label] };
}

/** A row for each method: shown or not, its line's look, its mistakes and its least distance. */
function results(state, set) {
  const rows = LEARNERS.map(([name], k) => {
    const box = el("input", { type: "checkbox", onchange: () => set({ shown: state().shown.map((v, j) => (j === k ? +box.checked : v)) }, true) });
    const look = el("svg", { width: 24, height: 12, "aria-hidden": "true" }, el("path", { d: "M0 6h24", class: `learned m${k}` }));
    return { box, wrong: el("td"), rho: el("td"), label: el("label", {}, box, look, name), class: `m${k}` };
  });
  const head = ["method", "mistakes", "least distance"].map((h) => el("th", { scope: "col" }, h));
  const body = rows.map((row) => el("tr", { class: row.class }, el("th", { scope: "row" }, row.label), row.wrong, row.rho));
  const update = (now, d) => rows.forEach((row, k) => {
    const { plane, mistakes, rho } = d.found[k];
    row.box.checked = now.shown[k];
    row.wrong.textContent = plane ? String(mistakes) : "refuses";
    row.rho.textContent = rho === null ? "—" : number(rho);
  });
  return { beside: true, node: el("table", { class: "results" }, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...body)), update };
}
