// Fisher's discriminant: turn the direction of projection; two histograms, the ratio, and dual variables that bound it.
import { argmin, dot, margins, norm, plus, range, solve } from "./maths.js";
import { fisher, mean, scatter, singular } from "./learn.js";
import { around, atMost, button, many, number, samples, short, slider } from "./figure.js";
import { closed, highest, interval } from "./witnesses.js";

const DEGREE = Math.PI / 180, BINS = 20;
const angleOf = (w) => Math.atan2(w[1], w[0]) / DEGREE;

/**
 * Few dual variables with X_Wᵀβ = δ: on the two deviations that span the largest parallelogram, or, where all
 * are on one line, as δ then is, on the longest.
 */
export function fewDuals(rows, delta, X) {
  if (singular(scatter(rows), X)) {
    const longest = argmin(rows.map((row) => -dot(row, row))), row = rows[longest];
    return rows.map((_, i) => (i === longest ? dot(row, delta) / dot(row, row) : 0));
  }
  let pair = [0, 1], most = 0;
  for (const i of range(rows.length)) for (const j of range(i)) {
    const area = Math.abs(rows[i][0] * rows[j][1] - rows[i][1] * rows[j][0]);
    if (area > most) [pair, most] = [[j, i], area];
  }
  const duals = solve([0, 1].map((k) => pair.map((i) => rows[i][k])), delta);
  return rows.map((_, i) => (pair.includes(i) ? duals[pair.indexOf(i)] : 0));
}

export const lookAlong = {
  title: "Fisher's discriminant: the direction of projection",
  help: "Turn the dashed line by its round handle or by the slider: the samples are projected onto it. Drag a sample, or focus it and use the arrow keys (Shift: larger steps); Page Up and Page Down reach the other samples, Space changes a label. A cross marks a sample on the wrong side of the threshold; a ring around a sample shows its dual variable, relative to the largest.",

  valid: (s) => s.t >= 0 && s.t <= 1 && Math.abs(s.angle) <= 180,

  derive({ X, y, angle, t }) {
    const w = [Math.cos(angle * DEGREE), Math.sin(angle * DEGREE)];
    const means = [1, -1].map((label) => mean(X.filter((_, i) => y[i] === label)));
    const rows = X.map((x, i) => plus(x, means[y[i] > 0 ? 0 : 1], -1)), delta = plus(means[0], means[1], -1);
    const middle = plus(means[0], means[1]).map((v) => v / 2), plane = { w, b: -dot(w, middle) };
    const apart = dot(w, delta), along = rows.map((row) => dot(w, row)), within = dot(along, along);
    const spread = within > 1e-24 * X.reduce((sum, x) => sum + dot(x, x), 0), best = fisher(X, y), two = best && fewDuals(rows, delta, X);
    const beta = best && rows.map((row, i) => (1 - t) * two[i] + t * dot(best.w, row));
    return { w, means, middle, plane, delta, apart, best, beta, m: margins(plane, X, y), J: spread ? apart ** 2 / within : null,
      lower: spread ? Math.max(0, apart) ** 2 / within : 0, upper: beta ? dot(beta, beta) : Infinity };
  },

  panels: [
    {
      title: "Samples, and a line to project them on",
      labels: ["x₁", "x₂"],
      basis: 640,
      height: 340,
      equal: true,
      frame: (s, d, first) => around(first.X),
      marks(s, d, panel) {
        const across = [-d.w[1], d.w[0]];
        return [
          panel.line({ w: across, b: -dot(across, d.middle) }, { class: "along" }), panel.line(d.plane, { class: "plane" }),
          d.beta && panel.rings(s.X, d.beta),
          d.means.map((p, i) => [panel.dot(p, 4, { class: "ahead" }), panel.drop(p, 84, { class: "walk" }),
            panel.text(p, i ? "μ₋" : "μ₊", { class: "strong", "text-anchor": "middle" }, 0, 98)]),
          panel.crosses(s.X, d.m),
        ];
      },
      handles(s, d, panel) {
        const reach = 0.4 * (panel.frame[3] - panel.frame[2]);
        return [
          ...samples(s, panel, (i) => `; coordinate ${number(s.y[i] * d.m[i])}${d.beta ? `, β = ${number(d.beta[i], 3)}` : ""}`),
          { at: plus(d.middle, d.w, reach), shape: "disc grip", step: 1, label: "Turn the direction",
            value: `${number(s.angle, 1)} degrees${d.J === null ? "" : `; ratio ${number(d.J, 4)}`}`,
            move: (q) => ({ angle: Math.round(angleOf(plus(q, d.middle, -1))) }),
            nudge: ([dx, dy], step) => ({ angle: wrapped(s.angle + (dy - dx) * step) }) },
        ];
      },
    },
    {
      title: "The projected samples, counted along the line",
      height: 150,
      basis: 640,
      flat: true,
      frame(s, d, first) {
        const reach = 1.05 * Math.max(...first.X.map((x) => norm(plus(x, mean(first.X), -1))));
        return [-reach, reach, 0, 1.1 * Math.max(3, ...counts(s, d, reach).flat())];
      },
      marks(s, d, panel) {
        const reach = panel.frame[1], wide = (2 * reach) / BINS, found = counts(s, d, reach);
        const steps = (list) => list.flatMap((c, k) => [[k * wide - reach, c], [(k + 1) * wide - reach, c]]);
        const bars = (label, list) => panel.area([[-reach, 0], ...steps(list), [reach, 0]], { class: `${label} hull` });
        return [bars("minus", found[1]), bars("plus", found[0]), panel.path([[0, 0], [0, panel.frame[3]]], { class: "plane" })];
      },
    },
    interval((s) => lookAlong.derive(s), { title: "The largest ratio J of any direction lies in the bar", low: "direction", high: "dual variables" }),
  ],

  controls: (state, set) => [
    slider("Direction", { min: -180, max: () => 180, step: 1, value: (s) => s.angle, says: (s) => `${short(+s.angle.toFixed(1))}°`, patch: (angle) => ({ angle }) }, set),
    slider("Dual variables", {
      max: () => 1, step: 0.05, value: (s) => s.t, patch: (t) => ({ t }),
      says: ({ t }) => (t === 0 ? "of two samples" : t === 1 ? "the best ones" : `${number(100 * t, 0)} % the best ones`),
    }, set),
    button("Line of the means", () => { const { delta } = lookAlong.derive(state()); if (norm(delta)) set({ angle: angleOf(delta) }, true); }),
    button("Fisher’s direction", () => { const { best } = lookAlong.derive(state()); if (best) set({ angle: angleOf(best.w) }, true); }),
  ],

  says(s, d) {
    const wrong = d.m.filter((v) => v <= 0).length, r = d.J === null ? 0 : Math.sqrt(s.y.length * d.J);
    const seen = d.J === null ? "Along this line neither class has any spread."
      : `The means are ${number(r)} standard deviations apart: J = ${number(d.J, 4)}. The midpoint threshold has ${many(wrong, "sample")} on the wrong side or on it.`;
    const turn = d.J && d.apart < 0 ? " The direction has the wrong orientation." : "";
    const proof = !d.best ? norm(d.delta) ? "In some direction the means differ and neither class has any spread: there the ratio is infinite." : "The means are equal: the ratio is 0 in every direction."
      : closed(d) ? `The bounds meet at ${highest(d)}: no direction is better.` : `The dual variables prove that no direction has more than ${atMost(d.upper)}.`;
    return `${seen}${turn} ${proof}`.replaceAll("….", "…");
  },
};

const wrapped = (angle) => (angle > 180 ? angle - 360 : angle < -180 ? angle + 360 : angle);

/** How many samples of each class fall into each bin of the line, from -reach to reach about the threshold. */
function counts(s, d, reach) {
  const bin = (i) => Math.max(0, Math.min(BINS - 1, Math.floor(((s.y[i] * d.m[i] + reach) / (2 * reach)) * BINS)));
  return [1, -1].map((label) => {
    const list = range(BINS).map(() => 0);
    s.y.forEach((v, i) => { if (v === label) list[bin(i)]++; });
    return list;
  });
}
