// The perceptron, update by update: the line, the path of the weights, and the two bounds of the proof.
import { range, combine, dot, nearest, norm, rosenblatt, signed } from "./maths.js";
import { around, clip, number, samples, stepper, sub } from "./figure.js";

const MOST = 200; // updates; the state's k may be larger and then means the last
const last = (d) => d.steps.length - 1;
const at = (s, d) => d.steps[Math.min(s.k, last(d))];

export const perceptron = {
  title: "The perceptron, one update at a time",
  help: "Step through the updates. Drag a sample, or focus it and use the arrow keys (Shift: larger steps); Page Up and Page Down reach the other samples, Space changes the label. Each change makes a new run.",

  valid: (s) => Number.isInteger(s.k) && s.k >= 0,

  derive(s) {
    const Z = signed(s.X, s.y, s.fit_intercept), best = combine(Z, nearest(Z)), R = Math.max(...Z.map(norm));
    const gamma = norm(best) > 1e-9 * R ? norm(best) : 0, steps = rosenblatt(Z, MOST);
    const a = steps[Math.min(s.k, steps.length - 1)].a, m = Z.map((z) => dot(a, z));
    return { Z, R, gamma, star: best.map((v) => v / (gamma || 1)), steps, a, m, wrong: range(m.length).filter((i) => m[i] <= 0) };
  },

  panels: [
    {
      title: "Samples",
      basis: 300, // two panels beside each other in the column of a page
      labels: ["x₁", "x₂"],
      equal: true,
      frame: (s, d, first) => around([...first.X, [0, 0]], 0.15),
      marks(s, d, panel) {
        const plane = { w: d.a.slice(0, 2), b: d.a[2] ?? 0 }, size = norm(plane.w), { i } = at(s, d);
        const foot = plane.w.map((v) => (-plane.b * v) / size ** 2), tip = foot.map((v, j) => v + (0.16 * (panel.frame[1] - panel.frame[0]) * plane.w[j]) / size);
        return [
          panel.sides(plane), panel.line(plane, { class: "plane" }), size ? panel.arrow(foot, tip, { class: "plane" }) : [],
          i < 0 ? [] : panel.dot(s.X[i], 14, { class: "added" }),
          d.wrong.map((j) => panel.wrong(s.X[j])),
        ];
      },
      handles: (s, d, panel) => samples(s, panel, (i) => `; margin ${number(d.m[i])}`),
    },
    {
      title: "Weights",
      basis: 300,
      labels: ["w₁", "w₂"],
      equal: true,
      frame: (s, d) => around([...d.steps.map(({ a }) => a), [0, 0]], 0.2),
      marks(s, d, panel) {
        const { k } = at(s, d), walked = d.steps.slice(0, k + 1);
        return [
          s.fit_intercept ? [] : cone(s, d, panel),
          d.steps.slice(k).map(({ a }) => panel.dot(a, 1.6, { class: "ahead" })),
          walked.slice(1).map(({ a }, j) => panel.arrow(walked[j].a, a, { class: j === k - 1 ? "last walk" : "walk" })),
          panel.dot(d.a, 4.5, { class: "here" }),
          (last(d) < 9 ? walked : walked.slice(-1)).map((step) => name(step, d, panel)),
        ];
      },
    },
    {
      title: "The length of aₖ, between the two curves of the proof",
      labels: ["updates k", "length"],
      basis: 640,
      height: 210,
      frame: (s, d) => [0, horizon(d), 0, 1.1 * d.R * Math.sqrt(horizon(d))],
      marks(s, d, panel) {
        const T = horizon(d), { k } = at(s, d), curve = range(121).map((i) => [(i * T) / 120, d.R * Math.sqrt((i * T) / 120)]);
        const dots = d.steps.map((step) => panel.dot([step.k, norm(step.a)], step.k <= k ? 3 : 1.6, { class: step.k <= k ? "here" : "ahead" }));
        return [
          panel.path([[0, 0], [T, T * d.gamma]], { class: "bound" }), panel.path(curve, { class: "bound" }),
          panel.text(curve[75], "R√k", { class: "good" }, 0, -7), panel.text([curve[75][0], curve[75][0] * d.gamma], "kγ*", { class: "good" }, 4, d.gamma ? 15 : -5),
          dots, panel.dot([k, norm(d.a)], 6, { class: "added" }),
        ];
      },
    },
  ],

  controls: (state, set) => [stepper("Updates", { key: "k", last: () => last(perceptron.derive(state())) }, state, set)],

  says(s, d) {
    const { k, i } = at(s, d), T = last(d), { wrong } = d;
    const names = wrong.length ? `wrong or on the line: ${wrong.map((j) => j + 1).join(", ")}` : "none is wrong";
    const bound = d.gamma ? `The bound on k, (R/γ*)², is ${number((d.R / d.gamma) ** 2)}.` : "No line separates these samples: γ* = 0, and the run goes on for ever.";
    return `k = ${k} of ${T}${T === MOST ? " shown" : ""}: ${k ? `sample ${i + 1} was added` : "the start"}, ${names}. ` +
      `kγ* = ${number(k * d.gamma)}, ‖aₖ‖ = ${number(norm(d.a))}, R√k = ${number(d.R * Math.sqrt(k))}. ${bound}`;
  },
};

/** In the plane of the weights: the samples' lines, the cone of what separates, a* and the path's shadow on it. */
function cone(s, d, panel) {
  const separating = d.gamma ? d.Z.reduce((shape, z) => clip(shape, z, 0), panel.corners()) : [];
  const far = 2 * Math.max(...panel.frame.map(Math.abs)), { k } = at(s, d), next = d.steps[k + 1]?.i;
  const feet = d.steps.slice(0, k + 1).map(({ a }) => ({ a, foot: d.star.map((v) => v * dot(a, d.star)) }));
  return [
    separating.length ? panel.area(separating, { class: "good tint" }) : [],
    d.Z.map((z, i) => panel.line({ w: z, b: 0 }, { class: i === next ? "next constraint" : "constraint" })),
    d.gamma ? [
      panel.path([[0, 0], d.star.map((v) => v * far)], { class: "star" }),
      ...feet.flatMap(({ a, foot }) => [panel.path([a, foot], { class: "shadow" }), panel.dot(foot, 3, { class: "good" })]),
    ] : [],
  ];
}

/** Its name beside a state of the weights, away from where the next arrow goes. */
function name({ k, a }, d, panel) {
  const right = d.steps[k + 1]?.a[0] > a[0];
  return panel.text(a, `a${sub(k)}`, { class: "strong", "text-anchor": right ? "end" : "start" }, right ? -6 : 7, -6);
}

/** How many updates the third panel shows: up to where the curves cross, if that is not far. */
const horizon = (d) => Math.max(4, Math.min(d.gamma ? 1.05 * (d.R / d.gamma) ** 2 : Infinity, 4.5 * last(d)));
