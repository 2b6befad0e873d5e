// Convex hulls: weights on the samples give a point of each hull and the line halfway, and so both bounds.
import { bisector, enclose, gilbert, hulls, norm } from "./maths.js";
import { button, number, samples, slider } from "./figure.js";
import { diamond, drawHulls, frame, interval, point, proved, weights } from "./witnesses.js";

/** Give sample i the share t of its class; the others of the class keep their proportions. */
export function shared({ y }, alpha, i, t) {
  const rest = 0.5 - alpha[i], others = y.filter((v) => v === y[i]).length - 1;
  const left = (0.5 * (1 - t)) / (rest || 1);
  return alpha.map((a, j) => {
    if (y[j] !== y[i]) return a;
    if (j === i) return others ? t / 2 : 0.5;
    return rest ? a * left : (0.5 * (1 - t)) / others;
  });
}

export const nearestHulls = {
  title: "Two points of the hulls, and the line halfway between them",
  help: "Drag p and q inside their hulls, choose a sample and give it more weight, or step towards the nearest pair. Drag a sample, or focus it and use the arrow keys (Shift: larger steps); Page Up and Page Down reach the other samples, Space changes a label. A ring around a sample is as large as its weight.",

  valid: (s) => Math.min(...s.alpha) >= 0 && s.X[s.i] !== undefined,

  derive(s) {
    const alpha = weights(s), plane = bisector(s.X, s.y, alpha);
    return { ...enclose(s.X, s.y, plane, alpha), plane, alpha, plus: point(s, alpha, 1), minus: point(s, alpha, -1) };
  },

  panels: [
    {
      title: "Samples, their hulls, and a point of each",
      labels: ["x₁", "x₂"],
      basis: 640,
      height: 340,
      equal: true,
      frame,
      marks(s, d, panel) {
        const { w, b } = d.plane, half = norm(w) ** 2; // f = ±1 in canonical form: through p and q
        return [
          drawHulls(s, d, panel),
          [1, -1].map((t) => panel.line({ w, b: b - t * half }, { class: "edge" })), panel.line(d.plane, { class: "plane" }),
          d.alpha.map((a, i) => a > 1e-9 && panel.dot(s.X[i], 9 + 32 * a, { class: "weight" })),
          panel.dot(s.X[s.i], 11.5, { class: "chosen" }),
        ];
      },
      handles: (s, d, panel) => [
        ...samples(s, panel, (i) => `; weight ${number(2 * d.alpha[i], 3)}`).map((one) => ({ ...one, chosen: () => ({ i: one.index }) })),
        diamond(s, d, 1), diamond(s, d, -1),
      ],
    },
    interval((s) => nearestHulls.derive(s)),
  ],

  controls(state, set) {
    const share = slider("Weight", {
      max: () => 1, step: 0.01,
      value: (s) => 2 * weights(s)[s.i], says: (s) => `of sample ${s.i + 1}: ${number(2 * weights(s)[s.i], 3)}`,
      patch: (t) => ({ alpha: shared(state(), weights(state()), state().i, t) }),
    }, set);
    const { update } = share;
    share.update = (now) => { // alone in its class a sample has all the weight
      share.input.min = now.y.filter((v) => v === now.y[now.i]).length > 1 ? 0 : 1;
      update(now);
    };
    return [
      share,
      button("Step closer", () => { const s = state(); set({ alpha: gilbert(s.X, s.y, weights(s)) }, true); }),
      button("Nearest points", () => { const s = state(); set({ alpha: hulls(s.X, s.y) }, true); }),
    ];
  },

  says: (s, d) => proved(d),
};
