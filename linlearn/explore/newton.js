// Newton's method for the logistic loss, damped or not: the path of the weights, and the starts that converge.
import { combine, dot, nearest, norm, plus, range, signed, solve } from "./maths.js";
import { damping, meanLoss, slopes } from "./learn.js";
import { around, button, el, GRID, number, samples, short, snap, stepper } from "./figure.js";

const STEPS = 30, AWAY = 1e4, TILES = 40; // steps that are made, a length of w that counts as lost, tiles of the map
const clock = (runs) => Math.max(4, ...runs.map((run) => run.states.length - 1));

/** States {w, t} from a start, t the share of each step that is taken; `end` is "there", "away", "none" or "still". */
export function walk(Z, start, damped) {
  const states = [{ w: start, t: 0 }];
  for (;;) {
    const { w } = states.at(-1), { g, H } = slopes(Z, w), d = solve(H, g), fall = d && dot(g, d);
    if (!d || !(fall >= 0 && norm(d) < Infinity)) return { states, end: "none" };
    const loss = (a) => meanLoss(Z, a), there = fall <= 1e-12 * loss(w);
    const t = damped && !there ? damping(loss, w, d, fall) : 1;
    states.push({ w: plus(w, d, -t), t });
    if (there) return { states, end: "there" };
    if (norm(states.at(-1).w) > AWAY) return { states, end: "away" };
    if (states.length > STEPS) return { states, end: "still" };
  }
}

let drawn = {}; // the map of the last samples: it does not change while the start is moved

/** The starts, middles of tiles of a frame, from which the walk without damping arrives. */
function arrivals(s, Z, [x0, x1, y0, y1]) {
  const key = JSON.stringify([s.X, s.y, x0, x1, y0, y1]);
  if (drawn.key !== key) {
    const dx = (x1 - x0) / TILES, rows = Math.ceil((y1 - y0) / dx);
    const tiles = range(TILES * rows).map((i) => [x0 + dx * (i % TILES), y0 + dx * Math.floor(i / TILES)]);
    drawn = { key, dx, tiles: tiles.filter((p) => walk(Z, plus(p, [dx / 2, dx / 2]), false).end === "there") };
  }
  return drawn;
}

export const newton = {
  title: "Newton's method, damped or not",
  help: "Drag the start in the plane of the weights, or focus it and use the arrow keys (Shift: larger steps); green: from here undamped steps arrive. Drag a sample, or focus it and use the arrow keys; Page Up and Page Down reach the other samples, Space changes a label.",

  valid: (s) => Number.isInteger(s.k) && s.k >= 0,

  derive(s) {
    const Z = signed(s.X, s.y, false), runs = [false, true].map((damped) => walk(Z, s.start, damped)), run = runs[+s.damped];
    const k = Math.min(s.k, run.states.length - 1), { w, t } = run.states[k];
    const best = combine(Z, nearest(Z)), separated = norm(best) > 1e-9 * Math.max(...Z.map(norm));
    return { Z, runs, run, k, w, t, separated, loss: meanLoss(Z, w), star: runs[1].end === "there" ? runs[1].states.at(-1).w : null };
  },

  panels: [
    {
      title: "Samples, and the line through 0",
      basis: 300,
      labels: ["x₁", "x₂"],
      equal: true,
      frame: (s, d, first) => around([...first.X, [0, 0]], 0.15),
      marks: (s, d, panel) => [panel.sides({ w: d.w, b: 0 }), panel.line({ w: d.w, b: 0 }, { class: "plane" })],
      handles: (s, d, panel) => samples(s, panel, (i) => `; margin ${number(dot(d.w, d.Z[i]))}`),
    },
    {
      title: "Weights, and the steps",
      basis: 300,
      labels: ["w₁", "w₂"],
      equal: true,
      frame: (s, d, first) => around([first.start, first.start.map((v) => -v), [0, 0]], 0.4),
      marks(s, d, panel) {
        const { dx, tiles } = arrivals(s, d.Z, panel.frame), edge = 20 * (panel.frame[1] - panel.frame[0]);
        const near = (w) => w.map((v) => v * Math.min(1, edge / norm(w))); // no farther off than a drawing can say
        const shown = d.run.states.slice(0, d.k + 1).map(({ w }) => (norm(w) ? near(w) : w));
        const corner = ([x, y]) => `M${panel.to([x, y])}L${panel.to([x + dx, y])}L${panel.to([x + dx, y + dx])}L${panel.to([x, y + dx])}Z`;
        return [
          el("path", { class: "good tint", d: tiles.map(corner).join("") }),
          d.star ? panel.dot(d.star, 6, { class: "added" }) : [],
          shown.slice(1).map((w, j) => panel.arrow(shown[j], w, { class: j === d.k - 1 ? "last walk" : "walk" })),
          panel.dot(shown.at(-1), 4.5, { class: "here" }),
        ];
      },
      handles: (s, d, panel) => [{
        at: s.start, shape: "disc grip", step: GRID, label: "Start", value: `${short(s.start[0])}, ${short(s.start[1])}; ${ENDS[d.run.end]}`,
        move: (p) => ({ start: panel.inside(p).map(snap) }),
      }],
    },
    {
      title: "Loss on the way, in powers of ten (at most 3): damped (green) and undamped",
      labels: ["step", ""],
      basis: 640,
      height: 170,
      frame: (s, d) => [0, 1.05 * clock(d.runs), -1.5, 3.2],
      marks: (s, d, panel) => d.runs.map(({ states }, damped) => {
        const points = states.map(({ w }, k) => [k, Math.max(-1.4, Math.min(3, Math.log10(meanLoss(d.Z, w))))]);
        return [panel.path(points, { class: damped ? "bound" : "walk" }), points.map((p) => panel.dot(p, 2.5, { class: damped ? "good" : "here" })),
          +s.damped === damped ? panel.dot(points[d.k], 6, { class: "added" }) : []];
      }),
    },
  ],

  controls: (state, set) => [
    stepper("Steps", { key: "k", last: () => newton.derive(state()).run.states.length - 1 }, state, set),
    toggled(button("Damped", () => set({ damped: !state().damped }, true)), (s) => s.damped),
  ],

  says(s, d) {
    const last = d.run.states.length - 1, share = d.k && d.t < 1 ? `, ${short(d.t)} of the step` : "";
    const none = d.separated ? " A line separates these samples, so there is nothing to arrive at." : "";
    return `${s.damped ? "Damped" : "Undamped"}, step ${d.k} of ${last}${share}: w = (${d.w.map((v) => large(v, 2)).join(", ")}), mean loss ${large(d.loss, 4)}. This run ${ENDS[d.run.end]}.${none}`;
  },
};

const ENDS = {
  there: "arrives where the loss is least",
  away: "leaves for ever",
  none: "ends where the curvature is lost to rounding",
  still: `has not arrived after ${STEPS} steps`,
};

/** Some digits, or of a large number the power of ten alone. */
const large = (v, digits) => (Math.abs(v) < 1e4 ? number(v, digits)
  : `${v < 0 ? "−" : ""}10${String(Math.floor(Math.log10(Math.abs(v)))).replace(/\d/g, (c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[c])}`);

/** A button that is pressed or not, as the state says. */
function toggled(one, pressed) {
  return { ...one, update: (now) => one.node.setAttribute("aria-pressed", pressed(now)) };
}
