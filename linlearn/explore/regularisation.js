// Overfitting and its cure: logistic regression on polynomial features, over the strength of an L2 penalty.
import { margins, norm, range } from "./maths.js";
import { logistic } from "./learn.js";
import { around, many, number, samples, short, slider } from "./figure.js";
import { paid } from "./far.js";

const STRENGTHS = range(17).map((k) => 10 ** (k / 4 - 3)), DEGREES = 4; // λ; the largest degree
const TILE = 1 / 36; // of the frame's width: the decision regions are painted in tiles
const mistakes = (m) => m.filter((v) => v <= 0).length;

/** All products of at most `degree` coordinates, in units in which the rows of X have mean 0 and spread 1: a function of a point. */
function polynomial(X, degree) {
  const powers = range(degree).flatMap((k) => range(k + 2).map((j) => [k + 1 - j, j]));
  const products = (x) => powers.map(([i, j]) => x[0] ** i * x[1] ** j), one = standard(X);
  const two = standard(X.map((x) => products(one(x))));
  return (x) => two(products(one(x)));
}

/** What takes the mean from a row and divides by the spread, column by column; a constant column becomes 0. */
function standard(rows) {
  const columns = rows[0].map((_, j) => rows.map((row) => row[j]));
  const units = columns.map((column) => {
    const middle = column.reduce((sum, v) => sum + v, 0) / column.length, off = column.map((v) => v - middle);
    const spread = norm(off) / Math.sqrt(column.length);
    return [middle, spread > 1e-12 * Math.max(...column.map(Math.abs)) ? spread : Infinity];
  });
  return (row) => row.map((v, j) => (v - units[j][0]) / units[j][1]);
}

let fitted = {}; // the fits for the last samples and degree: they do not change while λ does

function fits(s) {
  const key = JSON.stringify([s.X, s.y, s.T, s.t, s.degree]);
  if (fitted.key !== key) {
    const features = polynomial(s.X, s.degree), A = s.X.map(features), B = s.T.map(features);
    const planes = STRENGTHS.map((lam) => logistic(A, s.y, lam));
    const errors = planes.map((plane) => [[A, s.y], [B, s.t]].map(([rows, labels]) => mistakes(margins(plane, rows, labels)) / labels.length));
    fitted = { key, features, A, planes, errors };
  }
  return fitted;
}

const upright = (panel, k, look) => panel.path([[Math.log10(STRENGTHS[k]), panel.frame[2]], [Math.log10(STRENGTHS[k]), panel.frame[3]]], look);
const over = (values) => values.map((v, k) => [Math.log10(STRENGTHS[k]), v]);

export const regularisation = {
  title: "The strength of an L2 penalty, and the errors",
  help: "Move λ or the degree of the polynomial. Drag a sample of the training set, or focus it and use the arrow keys (Shift: larger steps); Page Up and Page Down reach the other samples, Space changes the label. A cross marks a mistake on the training set. The small marks are the test set, which takes no part in the fit.",

  valid: (s) => Number.isInteger(s.k) && s.k >= 0 && s.k < STRENGTHS.length && Number.isInteger(s.degree) && s.degree >= 1 && s.degree <= DEGREES
    && s.T.every((x) => x.length === 2) && s.t.every((v) => v === 1 || v === -1),

  derive(s) {
    const { features, A, planes, errors } = fits(s), plane = planes[s.k];
    return { features, planes, errors, plane, m: margins(plane, A, s.y), lengths: planes.map(({ w }) => norm(w)) };
  },

  panels: [
    {
      title: "Training set (large) and test set (small), and the decision regions",
      basis: 400,
      labels: ["x₁", "x₂"],
      equal: true,
      frame: (s, d, first) => around([...first.X, ...first.T], 0.15),
      marks(s, d, panel) {
        const [x0, x1, y0, y1] = panel.frame, step = TILE * (x1 - x0), tiles = { true: "", false: "" };
        for (const i of range(Math.ceil(1 / TILE))) for (const j of range(Math.ceil((y1 - y0) / step))) {
          const [x, y] = [x0 + i * step, y0 + j * step], corners = [[x, y], [x + step, y], [x + step, y + step], [x, y + step]];
          const score = margins(d.plane, [d.features([x + step / 2, y + step / 2])], [1])[0];
          tiles[score > 0] += `M${corners.map((p) => panel.to(p).map((v) => v.toFixed(1))).join("L")}Z`;
        }
        const painted = (look, side) => { const shape = panel.path([], { class: `${look} tint` }); shape.setAttribute("d", tiles[side]); return shape; };
        return [painted("plus", true), painted("minus", false), s.T.map((x, i) => paid(panel, x, s.t[i])), panel.crosses(s.X, d.m)];
      },
      handles: (s, d, panel) => samples(s, panel, (i) => `; margin ${number(d.m[i])}`),
    },
    {
      title: "Weights over log₁₀ λ",
      basis: 230,
      labels: ["log₁₀ λ", ""],
      frame: (s, d) => { const most = Math.max(1, ...d.planes.flatMap(({ w }) => w.map(Math.abs))); return [-3.1, 1.1, -1.05 * most, 1.05 * most]; },
      marks: (s, d, panel) => [upright(panel, s.k, { class: "constraint" }),
        d.plane.w.map((_, j) => panel.path(over(d.planes.map(({ w }) => w[j])), { class: "walk" })),
        d.plane.w.map((v) => panel.dot([Math.log10(STRENGTHS[s.k]), v], 2.5, { class: "here" }))],
    },
    {
      title: "Error over log₁₀ λ: training set, and test set (green)",
      basis: 230,
      labels: ["log₁₀ λ", ""],
      frame: (s, d) => [-3.1, 1.1, -0.02, 1.1 * Math.max(0.2, ...d.errors.flat())],
      marks: (s, d, panel) => [upright(panel, s.k, { class: "constraint" }),
        ["walk", "bound"].map((look, j) => panel.path(over(d.errors.map((e) => e[j])), { class: look })),
        ["here", "good"].map((look, j) => panel.dot([Math.log10(STRENGTHS[s.k]), d.errors[s.k][j]], 4, { class: look }))],
    },
  ],

  controls: (state, set) => [
    slider("λ", { max: () => STRENGTHS.length - 1, value: (s) => s.k, says: (s) => strength(s.k), patch: (k) => ({ k }) }, set),
    slider("Degree", { min: 1, max: () => DEGREES, value: (s) => s.degree, says: (s) => String(s.degree), patch: (degree) => ({ degree }) }, set),
  ],

  says(s, d) {
    const [train, test] = d.errors[s.k], tests = d.errors.map((e) => e[1]), least = Math.min(...tests), n = s.t.length;
    const where = strength(tests.lastIndexOf(least)); // the strongest penalty
    return `Degree ${s.degree}, λ = ${strength(s.k)}: ${many(d.plane.w.length, "weight")}, of length ${number(d.lengths[s.k])}. ` +
      `Misclassified: ${Math.round(train * s.y.length)} of the ${s.y.length} training samples, ${Math.round(test * n)} of the ${n} test samples. ` +
      `The test set has the fewest, ${Math.round(least * n)}, for λ = ${where}.`;
  },
};

const strength = (k) => short(+STRENGTHS[k].toPrecision(2));
