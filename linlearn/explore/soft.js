// The soft margin as C grows: the line, its margin, the slacks, and the dual variables that bound the objective.
import { combine, dot, margins, norm, range, signed } from "./maths.js";
import { softMargin } from "./learn.js";
import { around, atLeast, atMost, clip, many, number, samples, short, slider } from "./figure.js";

const [CHEAP, DEAR] = [-3, 2]; // of the slider, powers of ten

/**
 * Dual variables 0 ≤ α ≤ C, made to satisfy Σαᵢyᵢ = 0: in the class with the smaller sum, those between 0 and C are raised, which
 * costs least; where these have no room, the class that has more is scaled down.
 */
export function feasible(y, alpha, C) {
  const within = alpha.map((a) => Math.min(C, Math.max(0, a)));
  const total = (label) => within.reduce((sum, a, i) => sum + (y[i] === label ? a : 0), 0);
  const poor = total(1) < total(-1) ? 1 : -1, least = total(poor), missing = total(-poor) - least;
  const room = within.map((a, i) => (y[i] === poor && a ? C - a : 0)), all = room.reduce((sum, r) => sum + r, 0);
  if (missing <= all) return within.map((a, i) => (missing && room[i] ? a + room[i] * (missing / all) : a));
  return within.map((a, i) => (least ? (y[i] === poor ? a : a * (least / total(-poor))) : 0));
}

/** The dual objective of feasible α: no line has an objective below Σαᵢ - ½‖Σαᵢyᵢxᵢ‖². */
function bound(Z, alpha) {
  const v = combine(Z, alpha);
  return { alpha, low: alpha.reduce((sum, a) => sum + a, 0) - dot(v, v) / 2 };
}

export const softOrHard = {
  title: "From the soft margin to the hard margin",
  help: "A larger penalty parameter C leaves fewer samples inside the margin; a cross marks a mistake, a fine line the slack of a sample. Drag a sample, or focus it and use the arrow keys (Shift: larger steps); Page Up and Page Down reach the other samples, Space changes a label. A ring around a sample shows its dual variable, relative to the largest.",

  valid: (s) => s.C >= 10 ** CHEAP && s.C <= 10 ** DEAR,

  derive({ X, y, C }) {
    const { w, b, trail } = softMargin(X, y, C), Z = signed(X, y, false), m = margins({ w, b }, X, y);
    const proofs = trail.map((found) => bound(Z, feasible(y, found, C))), low = Math.max(...proofs.map((one) => one.low));
    const slack = m.map((v) => Math.max(0, 1 - v)), total = slack.reduce((sum, v) => sum + v, 0);
    const { alpha } = proofs.find((one) => one.low === low), cost = dot(w, w) / 2 + C * total;
    return { plane: { w, b }, alpha, m, slack, total, cost, low, room: 1 / norm(w) };
  },

  panels: [{
    title: "Samples, the line, and the margin on both sides of it",
    labels: ["x₁", "x₂"],
    basis: 640,
    height: 340,
    equal: true,
    frame: (s, d, first) => around(first.X),
    marks(s, d, panel) {
      const { w, b } = d.plane, far = dot(w, w);
      const strip = clip(clip(panel.corners(), w, b + 1), w.map((v) => -v), 1 - b);
      return [
        strip.length ? panel.area(strip, { class: "strip tint" }) : [],
        [1, -1].map((t) => panel.line({ w, b: b - t }, { class: "edge" })), panel.line(d.plane, { class: "plane" }),
        range(s.y.length).filter((i) => far && d.slack[i] > 1e-7).map((i) =>
          panel.path([s.X[i], s.X[i].map((v, j) => v + (s.y[i] * d.slack[i] * w[j]) / far)], { class: "short" })),
        panel.rings(s.X, d.alpha),
        panel.crosses(s.X, d.m),
      ];
    },
    handles: (s, d, panel) => samples(s, panel, (i) => `; margin ${number(d.m[i])}, α = ${number(d.alpha[i], 3)}`),
  }],

  controls: (state, set) => [slider("Penalty parameter C", {
    min: CHEAP, max: () => DEAR, step: 0.05,
    value: (s) => Math.log10(s.C), says: (s) => short(s.C), patch: (v) => ({ C: +(10 ** v).toPrecision(4) }),
  }, set)],

  says(s, d) {
    const wrong = d.m.filter((v) => v <= 0).length, shorts = d.slack.filter((v) => v > 1e-7).length;
    const reach = d.room < 1e6 ? `The margin reaches ${number(d.room)} to either side.` : "The weights are 0: there is no line.";
    const fall = shorts ? `${many(shorts, "sample")} ${shorts === 1 ? "violates" : "violate"} the margin, with total slack ${number(d.total)}; ${many(wrong, "mistake")}.`
      : "No sample violates the margin: this is the hard margin, the line farthest from all samples.";
    return `C = ${short(s.C)}. ${reach} ${fall} Objective ½‖w‖² + CΣξ: ${atMost(d.cost)}. The dual variables prove that no line has less than ${atLeast(d.low)}.`;
  },
};
