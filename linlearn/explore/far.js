// An outlier under least squares: the fitted line, and the squared loss (1 - m)² of each sample.
import { dot, margins, range, rosenblatt, signed } from "./maths.js";
import { leastSquares } from "./learn.js";
import { around, atLeast, atMost, many, number, samples } from "./figure.js";

const PATIENCE = 1000; // updates of the perceptron, whose line is drawn where it separates

export const farSample = {
  title: "What an outlier does to least squares",
  help: "Drag a sample, or focus it and use the arrow keys (Shift: larger steps); Page Up and Page Down reach the other samples, Space changes the label. A cross marks a mistake of the solid line. The dashed line is the perceptron's, where it separates the samples within 1,000 updates.",

  valid: () => true,

  derive({ X, y }) {
    const plane = leastSquares(X, y), m = margins(plane, X, y), squares = m.map((v) => (1 - v) ** 2);
    const r = y.map((v, i) => v * (1 - m[i])), cost = squares.reduce((sum, v) => sum + v, 0) / 2;
    const { a } = rosenblatt(signed(X, y), PATIENCE).at(-1), other = { w: a.slice(0, 2), b: a[2] };
    const separates = margins(other, X, y).every((v) => v > 0);
    return { plane, m, squares, r, cost, low: dot(y, r) - dot(r, r) / 2, other: separates ? other : null };
  },

  panels: [
    {
      title: "Samples and lines",
      basis: 380,
      labels: ["x₁", "x₂"],
      equal: true,
      frame: (s, d, first) => around(first.X),
      marks: (s, d, panel) => [
        panel.sides(d.plane), panel.line(d.plane, { class: "plane" }),
        d.other ? panel.line(d.other, { class: "star" }) : [],
        panel.crosses(s.X, d.m),
      ],
      handles: (s, d, panel) => samples(s, panel, (i) => `; margin ${number(d.m[i])}, squared residual ${number(d.squares[i])}`),
    },
    payments("(1 − m)²", ({ m, squares }) => ({ m, costs: squares, loss: (v) => (1 - v) ** 2 })),
  ],

  controls: () => [],

  says(s, d) {
    const wrong = d.m.filter((v) => v <= 0).length, i = d.squares.indexOf(Math.max(...d.squares));
    const pays = `Sample ${i + 1} has the largest loss, ${number(d.squares[i])}, with margin ${number(d.m[i])}.`;
    const other = d.other ? "The perceptron's line makes none." : "The perceptron's line has not separated the samples.";
    return `Least squares makes ${many(wrong, "mistake")}. ${other} ${pays} ` +
      `Half the sum of squares: ${atMost(d.cost)}. The residuals prove that no line has less than ${atLeast(d.low)}.`;
  },
};

/** The loss over the margins, and the loss of each sample; `of` finds margins, costs and loss in what was derived. */
export function payments(label, of) {
  return {
    title: "The loss of each sample",
    basis: 230,
    labels: ["margin m", label],
    frame: (s, d) => [Math.min(-0.6, ...d.m) - 0.1, Math.max(2.6, ...d.m) + 0.1, -0.1, 1.1 * Math.max(2, ...of(d).costs)],
    marks(s, d, panel) {
      const [x0, x1, y0, y1] = panel.frame, { m, costs, loss } = of(d), most = Math.max(...costs);
      const curve = range(121).map((i) => x0 + ((x1 - x0) * i) / 120).map((v) => [v, loss(v)]).filter(([, v]) => v <= y1);
      return [
        panel.path(curve, { class: "walk" }), panel.path([[0, y0], [0, y1]], { class: "next constraint" }),
        m.map((v, i) => paid(panel, [v, costs[i]], s.y[i])),
        range(s.y.length).filter((i) => most > 0 && costs[i] === most).map((i) => panel.text([m[i], costs[i]], String(i + 1), { class: "strong" })),
      ];
    },
  };
}

/** A small disc or square at the loss of a sample. */
export function paid(panel, at, label) {
  if (label > 0) return panel.dot(at, 4, { class: "paid plus" });
  const [x, y] = panel.to(at), corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
  return panel.area(corners.map(([i, j]) => panel.from([x + 3.6 * i, y + 3.6 * j])), { class: "paid minus" });
}
