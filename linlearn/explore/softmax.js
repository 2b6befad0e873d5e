// Three linear scores of a point of the plane, and the probabilities that softmax makes of them: a point of a triangle.
import { argmin, dot, plus, range, solve } from "./maths.js";
import { mean, softplus } from "./learn.js";
import { clip, number, short, slider, snap, around, GRID } from "./figure.js";

const FACTORS = [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8], SURE = 0.9;
const CORNERS = [[0, 0], [0.5, Math.sqrt(3) / 2], [1, 0]]; // where each class is certain
const LOOKS = ["minus", "plus", "here"]; // their colours
const SHAPES_OF_CLASSES = ["m-3-3h6v6h-6z", "m-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0", "m0-4.2l3.8 6.6h-7.6z"];

/** e^fₖ / Σ e^fₗ, from scores that may be large. */
export function probabilities(scores) {
  const most = Math.max(...scores), powers = scores.map((f) => Math.exp(f - most)), sum = powers.reduce((s, v) => s + v, 0);
  return powers.map((v) => v / sum);
}

const others = (k) => range(3).filter((l) => l !== k);
const inTriangle = (p) => CORNERS[0].map((_, j) => p.reduce((sum, v, k) => sum + v * CORNERS[k][j], 0));
const certain = (k) => range(3).map((l) => +(l === k));
const mixed = (classes) => inTriangle(range(3).map((k) => (classes.includes(k) ? 1 / classes.length : 0)));

/** The line pₖ = q of the triangle. */
const level = (k, q) => others(k).map((l) => inTriangle(plus(certain(k).map((v) => v * q), certain(l), 1 - q)));

/** The same line in the plane, inside the corners of a frame: pₗ and pₘ share 1 - q, and the logarithms of quotients are differences of scores. */
export function curve({ W, b }, factor, k, q, corners) {
  const [l, m] = others(k), D = [l, m].map((j) => plus(W[j], W[k], -1)), from = [l, m].map((j) => b[j] - b[k]);
  const spread = corners.map((x) => factor * (dot(plus(W[l], W[m], -1), x) + b[l] - b[m])); // of ln pₗ - ln pₘ in the frame
  const low = Math.min(...spread), high = Math.max(...spread), odds = Math.log((1 - q) / q);
  const points = range(121).map((i) => {
    const u = low + ((high - low) * i) / 120, differences = [-u, u].map((v) => (odds - softplus(v)) / factor);
    return solve(D, differences.map((v, j) => v - from[j]));
  });
  return points.every((x) => x?.every(Number.isFinite)) ? points : []; // two equal rows of W have no such curve
}

export const softmax = {
  title: "Scores of three classes in the plane, and their probabilities in a triangle",
  help: "Drag the round handle in the plane, or focus it and use the arrow keys (Shift: larger steps). The slider multiplies all scores by a factor. On the dashed lines one probability is 0.9; on the solid lines across the triangle one is ½. The small marks are the training set.",

  valid: (s) => s.k in FACTORS && [...s.W, ...s.points].every((x) => x.length === 2)
    && s.classes.every((c) => c in LOOKS) && range(3).every((k) => s.classes.includes(k)),

  derive({ W, b, at, k }) {
    const factor = FACTORS[k], scores = W.map((w, j) => factor * (dot(w, at) + b[j])), p = probabilities(scores);
    return { factor, scores, p, predicted: argmin(scores.map((f) => -f)) };
  },

  panels: [
    {
      title: "The plane: decision regions, and a point",
      basis: 360,
      labels: ["x₁", "x₂"],
      frame: (s) => around(s.points, 0.06),
      marks(s, d, panel) {
        const [x0, x1, y0, y1] = panel.frame, [dx, dy] = [x1 - x0, y1 - y0]; // the regions' outer edges are out of sight
        const wide = [[x0 - dx, y0 - dy], [x1 + dx, y0 - dy], [x1 + dx, y1 + dy], [x0 - dx, y1 + dy]];
        const regions = range(3).map((k) => others(k).reduce((kept, l) => clip(kept, plus(s.W[k], s.W[l], -1), s.b[k] - s.b[l]), wide));
        const drawn = (k) => {
          const shape = panel.path([], { class: k === 2 ? "here" : `paid ${LOOKS[k]}` }), mine = s.points.filter((_, i) => s.classes[i] === k);
          shape.setAttribute("d", mine.map((x) => `M${panel.to(x).map((v) => v.toFixed(1)).join(" ")}${SHAPES_OF_CLASSES[k]}`).join(""));
          return shape;
        };
        return [
          regions.map((region, k) => panel.area(region, { class: `${LOOKS[k]} tint` })), range(3).map(drawn),
          regions.map((region) => panel.area(region, { class: "plane" })),
          range(3).map((k) => panel.path(curve(s, d.factor, k, SURE, panel.corners()), { class: "edge" })),
          range(3).map((k) => panel.text(mean(s.points.filter((_, i) => s.classes[i] === k)), s.names[k], { class: "strong", "text-anchor": "middle" }, 0, 4)),
        ];
      },
      handles: (s, d, panel) => [{
        at: s.at, shape: "disc grip", step: GRID, label: "Point",
        value: `${short(s.at[0])}, ${short(s.at[1])}; ${s.names[d.predicted]}, probability ${number(d.p[d.predicted])}`,
        move: (p) => ({ at: panel.inside(p).map(snap) }),
      }],
    },
    {
      title: "The triangle: its probabilities",
      basis: 240,
      bare: true,
      equal: true,
      frame: () => [-0.14, 1.14, -0.12, 0.98],
      marks: (s, d, panel) => [
        range(3).map((k) => panel.area([[k], [k, others(k)[0]], [0, 1, 2], [k, others(k)[1]]].map(mixed), { class: `${LOOKS[k]} tint` })),
        range(3).map((k) => panel.path(level(k, 1 / 2), { class: "walk" })), range(3).map((k) => panel.path(level(k, SURE), { class: "edge" })),
        range(3).map((k) => panel.path([mixed(others(k)), mixed([0, 1, 2])], { class: "plane" })), panel.area(CORNERS, { class: "walk" }),
        range(3).map((k) => panel.text(CORNERS[k], s.names[k], { "text-anchor": "middle" }, 0, k === 1 ? -8 : 18)),
        panel.dot(inTriangle(d.p), 8, { class: "point" }),
      ],
    },
  ],

  controls: (state, set) => [slider("Factor of the scores", {
    max: () => FACTORS.length - 1, value: (s) => s.k, says: (s) => `× ${short(FACTORS[s.k])}`, patch: (k) => ({ k }),
  }, set)],

  says(s, d) {
    const namedValues = (values, digits) => s.names.map((name, k) => `${name} ${number(values[k], digits)}`).join(", ");
    return `Point (${s.at.map(short).join(", ")}). Scores × ${short(d.factor)}: ${namedValues(d.scores, 2)}. ` +
      `Probabilities: ${namedValues(d.p, 3)}. Predicted: ${s.names[d.predicted]}.`;
  },
};
