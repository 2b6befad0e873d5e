// A line bounds the best margin from below, two points of the hulls from above: close the interval.
import { bisector, combine, dot, enclose, hulls, norm, plus } from "./maths.js";
import { atLeast, button, GRID, number, samples, snap } from "./figure.js";
import { diamond, drawHulls, frame, interval, point, proved, weights } from "./witnesses.js";

const TURN = Math.PI / 90;
const clean = (v) => (Math.abs(v) < 1e-12 ? 0 : v); // an upright line is exactly upright

/** The line as a foot (its point nearest to the samples' mean), a unit normal, and a unit along it. */
export function pose({ X, w, b }) {
  const n = w.map((v) => v / norm(w)), middle = combine(X, X.map(() => 1 / X.length));
  return { n, foot: plus(middle, n, -(dot(n, middle) + b / norm(w))), along: [-n[1], n[0]] };
}
export const through = (p, w) => ({ w, b: -dot(w, p) });
const turned = (p, angle) => through(p, [Math.cos(angle), Math.sin(angle)].map(clean));

/** Two handles of a line: one shifts it, one turns it; `value` says what is seen. */
export function lineHandles(s, panel, value) {
  const { n, foot, along } = pose(s), reach = 0.3 * (panel.frame[3] - panel.frame[2]);
  const angle = (u) => Math.round((Math.atan2(u[1], u[0]) - Math.PI / 2) / TURN) * TURN; // of n, for `along` = u
  return [
    { at: foot, shape: "disc grip", step: GRID, label: "Shift the line", value,
      move: (q) => through(panel.inside(q).map(snap), n) },
    { at: plus(foot, along, reach), shape: "disc grip", step: TURN, label: "Turn the line",
      value: `normal ${number(n[0])}, ${number(n[1])}; ${value}`,
      move: (q) => turned(foot, angle(plus(q, foot, -1))),
      nudge: ([dx, dy], t) => turned(foot, angle(along) + (dy - dx) * t) },
  ];
}

export const certificate = {
  title: "A line, and the proof that no line does better",
  help: "Drag the line by its two round handles, the points p and q inside their hulls, or a sample; or focus one of them and use the arrow keys (Shift: larger steps). Page Up and Page Down reach the other samples, Space changes a label.",

  valid: (s) => norm(s.w) > 0 && Math.min(...s.alpha) >= 0,

  derive(s) {
    const alpha = weights(s);
    return { ...enclose(s.X, s.y, s, alpha), alpha, plus: point(s, alpha, 1), minus: point(s, alpha, -1) };
  },

  panels: [
    {
      title: "Samples, a line, and a point of each class",
      labels: ["x₁", "x₂"],
      basis: 640,
      height: 300,
      equal: true,
      frame,
      marks(s, d, panel) {
        const { n, foot } = pose(s), edge = (v) => panel.line(through(plus(foot, n, v), n), { class: "edge" });
        const near = s.X.filter((_, i) => d.m[i] <= norm(s.w) * (d.lower + 1e-9));
        return [
          panel.sides(s), drawHulls(s, d, panel),
          d.lower > 0 ? [edge(d.lower), edge(-d.lower)] : [],
          near.map((x) => panel.path([x, plus(x, n, -dot(n, plus(x, foot, -1)))], { class: "room" })),
          panel.line(s, { class: "plane" }),
        ];
      },
      handles(s, d, panel) {
        return [
          ...samples(s, panel, (i) => `; distance ${number(d.m[i] / norm(s.w))}`),
          diamond(s, d, 1), diamond(s, d, -1), ...lineHandles(s, panel, `lower bound ${atLeast(d.lower)}`),
        ];
      },
    },
    interval((s) => certificate.derive(s)),
  ],

  controls: (state, set) => [
    button("Show the answer", () => {
      const s = state(), alpha = hulls(s.X, s.y), plane = bisector(s.X, s.y, alpha);
      set({ alpha, ...(norm(plane.w) > 1e-9 ? plane : {}) }, true);
    }),
  ],

  says: (s, d) => proved(d),
};
