// Bounds of the margin from a line and from a point of each hull, shared by certificate.js and hulls.js.
import { range, combine, nearest, norm, plus } from "./maths.js";
import { around, atLeast, atMost, GRID, many, number, short } from "./figure.js";

/** The state's weights, each class scaled to ½ (a label may have changed): any such weights prove a bound. */
export function weights({ y, alpha }) {
  const total = (label) => alpha.reduce((sum, a, i) => sum + (y[i] === label ? a : 0), 0);
  const size = (label) => y.filter((v) => v === label).length;
  return y.map((v, i) => (total(v) ? alpha[i] / total(v) : 1 / size(v)) / 2);
}

/** The point of a class's hull that the weights mean. */
export const point = ({ X, y }, alpha, label) => combine(X, alpha.map((a, i) => (y[i] === label ? 2 * a : 0)));

/** Its handle: it follows the pointer as far as its hull reaches, and the weights follow it. */
export const diamond = (s, d, label) => ({
  at: label > 0 ? d.plus : d.minus, shape: "diamond", step: GRID,
  label: label > 0 ? "p, a point of the positive hull" : "q, a point of the negative hull",
  value: `${(label > 0 ? d.plus : d.minus).map((v) => number(v, 3)).join(", ")}; half the distance of p and q is ${atMost(d.upper)}`,
  move(q) {
    const rows = range(s.X.length).filter((i) => s.y[i] === label), near = nearest(rows.map((i) => plus(s.X[i], q, -1)));
    return { alpha: d.alpha.map((a, i) => (s.y[i] === label ? near[rows.indexOf(i)] / 2 : a)) };
  },
});

/** The hulls, or other sets `of` the classes, the two points and what joins them. */
export function drawHulls(s, d, panel, of = (label) => hull(s.X.filter((_, i) => s.y[i] === label))) {
  return [
    panel.area(of(1), { class: "plus hull" }), panel.area(of(-1), { class: "minus hull" }),
    panel.path([d.plus, d.minus], { class: "bridge" }),
    panel.text(d.plus, "p", { class: "strong" }, 16, 4), panel.text(d.minus, "q", { class: "strong" }, 16, 4),
    panel.crosses(s.X, d.m),
  ];
}

/** Both bounds on one axis; `first` is the derived first state, which sets its length. A line with samples on the
    wrong side has a bound below 0, and the axis reaches down to it. */
export const interval = (derive, { title = "ρ*, the largest margin ρ of any line, lies in the bar", low: lower = "line", high = "points" } = {}) => ({
  title,
  height: 112,
  basis: 640,
  flat: true,
  frame(s, d, first) {
    const top = 1.25 * Math.max(...[derive(first).upper, d.upper, d.lower].filter(Number.isFinite), 1e-9);
    return [d.lower < 0 ? Math.max(1.25 * d.lower, -3 * top) : 0, top, 0, 1];
  },
  marks(s, d, panel) {
    const [left, right] = panel.frame, low = Math.max(d.lower, left), up = Math.min(d.upper, right);
    const end = (v, look) => panel.path([[v, 0.3], [v, 0.8]], { class: look });
    const across = (v) => (v - left) / (right - left);
    const side = (v) => ({ class: "strong", "text-anchor": across(v) < 0.3 ? "start" : across(v) > 0.7 ? "end" : "middle" });
    return [
      panel.area([[low, 0.38], [low, 0.72], [up, 0.72], [up, 0.38]], { class: "interval" }),
      closed(d) ? panel.dot([low, 0.55], 9, { class: "closed" }) : [], up === d.upper && end(up, "upper end"), low > left ? end(low, "end") : [],
      panel.text([low, 0.3], `${lower}: ${lowest(d)}`, side(low), 0, 13), panel.text([up, 0.8], `${high}: ${highest(d)}`, side(up), 0, -5),
    ];
  },
});

const coincide = (d) => d.upper < 1e-9; // p and q are one point: the bound is 0, up to rounding
export const closed = (d) => d.upper - d.lower < 1e-8 * d.upper;

/** Where both bounds are one number: its digits, with dots if there are more. */
function met(v) {
  const near = Math.round(v * 1e4) / 1e4;
  return Math.abs(v - near) < 1e-8 * v ? short(near) : `${(Math.floor(v * 1e5) / 1e5).toFixed(5)}…`;
}
const lowest = (d) => (closed(d) ? met(d.upper) : atLeast(d.lower));
export const highest = (d) => (d.upper === Infinity ? "none" : coincide(d) ? "0" : closed(d) ? met(d.upper) : atMost(d.upper));

/** What the two witnesses prove, in a sentence each. */
export function proved(d) {
  const wrong = d.m.filter((v) => v <= 0).length, [low, high] = [lowest(d), highest(d)];
  const plane = d.lower === -Infinity ? "There is no line half-way." : wrong ? `The line has ${many(wrong, "sample")} on the wrong side or on it.` : `The line has ρ = ${low}.`;
  const points = coincide(d) ? "The two points are one: the hulls meet, and no line separates." : `No line has more than ${high}, half the distance of p and q.`;
  const end = closed(d) ? `The bounds meet at ρ* = ${high}. No line does better.` : `${low} ≤ ρ* ≤ ${high}. The gap is ${atMost(d.upper - d.lower)}.`;
  const said = `${plane} ${points}${coincide(d) || d.lower === -Infinity ? "" : ` ${end.replace(/ (≤|=) /g, "\u00a0$1\u00a0")}`}`;
  return said.replaceAll("….", "…");
}

/** The corners of the smallest convex polygon around points (Andrew's monotone chain). */
export function hull(points) {
  const sorted = [...points].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const turns = (o, p, q) => (p[0] - o[0]) * (q[1] - o[1]) > (p[1] - o[1]) * (q[0] - o[0]);
  const half = (list) => list.reduce((chain, p) => {
    while (chain.length > 1 && !turns(chain.at(-2), chain.at(-1), p)) chain.pop();
    return [...chain, p];
  }, []);
  return [...half(sorted), ...half([...sorted].reverse()).slice(1)];
}

export const frame = (s, d, first) => around(first.X);
