// Reduced convex hulls, with a cap on each sample's weight: a common point bounds every line's total slack.
import { argmin, combine, dot, margins, nearest, norm, plus, range, signed } from "./maths.js";
import { mean, shortfalls } from "./learn.js";
import { atLeast, atMost, button, many, number, samples, short, slider } from "./figure.js";
import { closed, drawHulls, frame, hull, interval, point } from "./witnesses.js";

/** The corner of a class's capped hull that is farthest along u: its shares, farthest samples first. */
function corner({ X, y }, label, cap, u) {
  const order = range(y.length).filter((i) => y[i] === label).sort((i, j) => dot(u, X[j]) - dot(u, X[i]));
  const share = y.map(() => 0);
  order.forEach((i, k) => (share[i] = Math.max(0, Math.min(cap, 1 - k * cap))));
  return share;
}

/** The least cap at which both classes have a point left: then one of them has its mean only. */
export const least = (y) => Math.max(...[1, -1].map((label) => 1 / y.filter((v) => v === label).length));

/** Weights, each class's sum ½ and none above cap/2, whose points p and q are nearest: corner after corner, by `nearest`. */
export function cappedNearest(s, cap) {
  const Z = signed(s.X, s.y, false), R2 = Math.max(...Z.map((z) => dot(z, z)), Number.MIN_VALUE);
  let corners = [], u = [0, 0];
  for (let round = 0; round < 50 * s.y.length; round++) {
    const [up, down] = [corner(s, 1, cap, u.map((v) => -v)), corner(s, -1, cap, u)];
    const alpha = up.map((v, i) => (v + down[i]) / 2), z = combine(Z, alpha);
    if (corners.length && dot(u, z) >= dot(u, u) - 1e-15 * R2) break;
    corners.push({ alpha, z, part: 0 });
    nearest(corners.map((one) => one.z)).forEach((part, k) => (corners[k].part = part));
    corners = corners.filter((one) => one.part > 0);
    u = combine(corners.map((one) => one.z), corners.map((one) => one.part));
  }
  return combine(corners.map((one) => one.alpha), corners.map((one) => one.part));
}

const total = (m) => m.reduce((sum, v) => sum + Math.max(0, 1 - v), 0);

/** A line with the least total shortfall Σ(1 - mᵢ)₊: along the axes that the samples spread over, in units of their spread. */
export function leastShortfall({ X, y }) {
  const middle = mean(X), rows = X.map((x) => plus(x, middle, -1)), unit = Math.max(...rows.map(norm)) || 1;
  const far = rows[argmin(rows.map((x) => -norm(x)))].map((v) => v / unit); // samples in a row spread over this axis only
  const inRow = rows.every((x) => Math.abs(x[0] * far[1] - x[1] * far[0]) < 1e-9 * unit), axes = inRow ? [far] : [[1, 0], [0, 1]];
  const Z = signed(rows.map((x) => axes.map((axis) => dot(axis, x) / unit)), y);
  const { v } = shortfalls(Z, 1, Z[0].map((_, j) => (j < axes.length ? 1e-13 : 0))); // hardly any penalty on w
  const w = combine(axes, v).map((t) => t / unit), plane = { w, b: v.at(-1) - dot(w, middle) };
  return { plane, m: margins(plane, X, y) };
}

/** The boundary of a class's reduced hull, from its corners in many directions. */
const border = (s, label, cap) => hull(range(180).map((k) => {
  const share = corner(s, label, cap, [Math.cos((k * Math.PI) / 90), Math.sin((k * Math.PI) / 90)]);
  return combine(s.X, share);
}));

export const capped = {
  title: "Reduced convex hulls: no sample has more weight than the cap",
  help: "Lower the cap, and the hulls shrink; while they still have a common point, every line has a total slack of at least 2 over the cap. Drag a sample, or focus it and use the arrow keys (Shift: larger steps); Page Up and Page Down reach the other samples, Space changes a label. A ring around a sample is as large as its weight; a cross marks a mistake.",

  valid: (s) => s.cap > 0 && s.cap <= 1,

  derive(s) {
    const cap = Math.max(s.cap, least(s.y)), alpha = cappedNearest(s, cap), { plane, m } = leastShortfall(s), upper = total(m);
    const apart = 2 * norm(combine(signed(s.X, s.y, false), alpha)), meet = apart <= 1e-8 * Math.max(...s.X.map(norm));
    return { cap, alpha, plane, m, apart, meet, upper, lower: meet ? Math.min(2 / cap, upper) : 0, plus: point(s, alpha, 1), minus: point(s, alpha, -1) };
  },

  panels: [
    {
      title: "Samples, their reduced hulls, and the two nearest points of these",
      labels: ["x₁", "x₂"],
      basis: 640,
      height: 340,
      equal: true,
      frame,
      marks: (s, d, panel) => [
        [1, -1].map((label) => panel.area(hull(s.X.filter((_, i) => s.y[i] === label)), { class: "edge" })),
        drawHulls(s, d, panel, (label) => border(s, label, d.cap)),
        [1, -1].map((t) => panel.line({ w: d.plane.w, b: d.plane.b - t }, { class: "edge" })), panel.line(d.plane, { class: "plane" }),
        [d.plus, d.minus].map((at) => panel.dot(at, 4, { class: "good" })), panel.rings(s.X, d.alpha),
      ],
      handles: (s, d, panel) => samples(s, panel, (i) => `; margin ${number(d.m[i])}, weight ${number(2 * d.alpha[i], 3)}`),
    },
    interval((s) => capped.derive(s), { title: "The least total slack of any line lies in the bar", low: "dual variables", high: "line" }),
  ],

  controls(state, set) {
    const most = (s) => 1 / least(s.y);
    const share = slider("Cap on a weight", {
      min: 1, max: () => most(state()), step: 0.01,
      value: (s) => Math.min(1 / s.cap, most(s)), says: (s) => number(Math.max(s.cap, least(s.y)), 3), patch: (v) => ({ cap: 1 / v }),
    }, set);
    return [
      share,
      button("Until they touch", () => {
        const s = state(), { upper } = capped.derive(s);
        set({ cap: upper < 1 ? 1 : Math.min(1, Math.max(least(s.y), (2 / upper) * (1 + 4e-9))) }, true);
      }),
    ];
  },

  says(s, d) {
    const cap = `No weight above ${number(d.cap, 3)}:`, fall = d.upper < 1e-9 ? "0" : atMost(d.upper);
    if (d.upper < 1e-6) return `${cap} the hulls are apart, and a line separates the samples without slack.`;
    const points = d.meet ? `the hulls have a common point, so every line has a total slack of at least ${atLeast(d.lower)}.` : "the hulls are apart, and give no lower bound.";
    const end = closed(d) ? "The bounds meet: no line has less slack." : "";
    return `${cap} ${points} The line has total slack ${fall}, with ${many(d.m.filter((v) => v <= 0).length, "mistake")}. ${end}`.trim();
  },
};
