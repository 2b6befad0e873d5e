// Surrogate losses compared on the same samples: the best line for each, and the loss of each sample.
import { margins } from "./maths.js";
import { fewest, leastSquares, logistic, softMargin, softplus } from "./learn.js";
import { around, many, number, samples, slider } from "./figure.js";
import { payments } from "./far.js";

const PENALTY = 1e-3; // on half the squared weights of hinge and logistic loss: a best line exists, whatever is dragged

const NONE = { w: [0, 0], b: 0 };

/** Each loss: its name, its value, and the plane that is best for it. */
const LOSSES = [
  ["zero-one", (m) => +(m <= 0), (X, y) => fewest(X, y).plane ?? NONE],
  ["perceptron", (m) => Math.max(0, -m), () => NONE],
  ["hinge", (m) => Math.max(0, 1 - m), (X, y) => softMargin(X, y, 1 / (PENALTY * y.length))],
  ["logistic", (m) => softplus(-m), (X, y) => logistic(X, y, PENALTY)],
  ["squared", (m) => (1 - m) ** 2, leastSquares],
];

export const oneLoss = {
  title: "Surrogate losses on the same samples",
  help: "Choose a loss with the slider. Drag a sample, or focus it and use the arrow keys (Shift: larger steps); Page Up and Page Down reach the other samples, Space changes the label. A cross marks a mistake of the solid line. The dashed line makes the fewest mistakes. Hinge and logistic loss have a small L2 penalty, λ = 0.001, so that a minimiser exists.",

  valid: (s) => Number.isInteger(s.k) && s.k >= 0 && s.k < LOSSES.length,

  derive({ X, y, k }) {
    const [name, loss, best] = LOSSES[k], { mistakes: least, plane: other } = fewest(X, y);
    const { w, b } = best(X, y), m = margins({ w, b }, X, y), costs = m.map(loss);
    const mean = costs.reduce((sum, v) => sum + v, 0) / y.length;
    return { name, loss, plane: { w, b }, m, costs, mean, wrong: m.filter((v) => v <= 0).length, least, other };
  },

  panels: [
    {
      title: "Samples and lines",
      basis: 380,
      labels: ["x₁", "x₂"],
      equal: true,
      frame: (s, d, first) => around(first.X, 0.25), // room to drag a sample farther out
      marks: (s, d, panel) => [
        panel.sides(d.plane), panel.line(d.plane, { class: "plane" }), s.k && d.other ? panel.line(d.other, { class: "star" }) : [],
        panel.crosses(s.X, d.m),
      ],
      handles: (s, d, panel) => samples(s, panel, (i) => `; margin ${number(d.m[i])}, loss ${number(d.costs[i])}`),
    },
    payments("loss", (d) => d),
  ],

  controls: (state, set) => [slider("Loss", {
    max: () => LOSSES.length - 1, value: (s) => s.k, says: (s) => LOSSES[s.k][0], patch: (k) => ({ k }),
  }, set)],

  says(s, d) {
    const i = d.costs.indexOf(Math.max(...d.costs)), few = `the fewest that a line makes ${d.least === 1 ? "is" : "are"} ${d.least}.`;
    if (d.plane.w.every((v) => !v)) return `Loss: ${d.name}. Its least mean is ${number(d.mean)}, with both weights 0: no line at all, and ${many(d.wrong, "mistake")}; ${few}`;
    return `Loss: ${d.name}. Its best line makes ${many(d.wrong, "mistake")}; ${few} Mean loss ${number(d.mean, 3)}. ` +
      `Sample ${i + 1} has the largest loss, ${number(d.costs[i])}, with margin ${number(d.m[i])}.`;
  },
};
