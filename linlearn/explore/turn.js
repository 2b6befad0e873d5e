// A linear classifier as projection and threshold: turn the line, and move the threshold on its normal.
import { dot, norm, plus } from "./maths.js";
import { around, button, many, number, samples } from "./figure.js";
import { lineHandles, pose, through } from "./certificate.js";
import { paid } from "./far.js";

const ORIGIN = [0, 0];

export const turn = {
  title: "A line, and the coordinate of every sample along its normal",
  help: "Drag the line by its two round handles, the threshold on the axis, or a sample; or focus one of them and use the arrow keys (Shift: larger steps). Page Up and Page Down reach the other samples, Space changes a label. A cross marks a misclassified sample.",

  valid: (s) => norm(s.w) > 0,

  derive({ X, y, w, b }) {
    const { n, foot } = pose({ X, w, b }), t = dot(n, foot), coordinates = X.map((x) => dot(n, x));
    const labels = X.map((x) => (dot(w, x) + b > 0 ? 1 : -1)), apart = coordinates.map((c) => Math.abs(c - t));
    const right = y.map((v, i) => v * labels[i]); // 1, or -1 where the label is wrong
    return { n, t, coordinates, labels, right, apart, wrong: right.filter((v) => v < 0).length };
  },

  panels: [
    {
      title: "Samples, a line, and the axis of its normal",
      labels: ["x₁", "x₂"],
      basis: 640,
      height: 330,
      equal: true,
      frame: (s, d, first) => around([...first.X, ORIGIN]),
      marks(s, d, panel) {
        const across = [-d.n[1], d.n[0]], long = 0.22 * (panel.frame[3] - panel.frame[2]);
        return [
          panel.sides(s), panel.line({ w: across, b: 0 }, { class: "along" }),
          s.X.map((x, i) => panel.path([x, d.n.map((v) => v * d.coordinates[i])], { class: "shadow" })),
          panel.line(s, { class: "plane" }), panel.arrow(ORIGIN, d.n.map((v) => long * v), { class: "last walk" }),
          panel.dot(ORIGIN, 4, { class: "ahead" }), panel.text(ORIGIN, "0", { class: "strong" }, 6, 16),
          panel.crosses(s.X, d.right),
        ];
      },
      handles: (s, d, panel) => [
        ...samples(s, panel, (i) => `; coordinate ${number(d.coordinates[i])}`), ...lineHandles(s, panel, `threshold ${number(d.t)}`),
      ],
    },
    {
      title: "The same samples by their coordinate alone: above +1, below −1",
      labels: ["coordinate"],
      basis: 640,
      height: 130,
      flat: true,
      frame(s, d, first) {
        const reach = 1.05 * Math.max(...first.X.map(norm));
        return [-reach, reach, -2, 2];
      },
      marks(s, d, panel) {
        const on = (i) => [d.coordinates[i], s.y[i]], [left, right, low, high] = panel.frame;
        const half = (from, to, label) => panel.area([[from, low], [to, low], [to, high], [from, high]], { class: `${label} tint` });
        return [
          half(left, d.t, "minus"), half(d.t, right, "plus"), panel.path([[d.t, low], [d.t, high]], { class: "plane" }),
          s.y.map((v, i) => paid(panel, on(i), v)), panel.crosses(s.y.map((_, i) => on(i)), d.right),
        ];
      },
      handles: (s, d, panel) => [
        { at: [d.t, 0], shape: "disc grip", step: 1 / 8, label: "Threshold", value: number(d.t),
          move: (q) => through(d.n.map((v) => v * panel.inside(q)[0]), d.n) },
      ],
    },
  ],

  controls: (state, set) => [
    button("Turn the arrow round", () => { const { w, b } = state(); set({ w: w.map((v) => 0 - v), b: 0 - b }, true); }),
  ],

  says(s, d) {
    const nearest = d.apart.indexOf(Math.min(...d.apart));
    const labels = d.wrong ? `${many(d.wrong, "sample")} of ${s.y.length} ${d.wrong === 1 ? "is" : "are"} misclassified.` : "No sample is misclassified.";
    return `Label +1 where the coordinate along (${number(d.n[0])}, ${number(d.n[1])}) is above ${number(d.t)}. ${labels} ` +
      `Nearest to the line is sample ${nearest + 1}, at the distance ${number(d.apart[nearest])}.`;
  },
};
