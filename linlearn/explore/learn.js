// The methods of the course for samples in two dimensions: (X, y) → {w, b}, or null where there is no answer.
import { range, dot, norm, plus, combine, signed, margins, solve, hulls } from "./maths.js";

export const mean = (rows) => combine(rows, rows.map(() => 1 / rows.length));
export const scatter = (rows) => [0, 1].map((j) => [0, 1].map((k) => rows.reduce((sum, x) => sum + x[j] * x[k], 0)));
const flat = (S, X, j) => !(S[j][j] > 1e-24 * X.reduce((sum, x) => sum + x[j] ** 2, 0)); // but for rounding
export const singular = (S, X) => flat(S, X, 0) || flat(S, X, 1) || !(S[0][0] * S[1][1] - S[0][1] ** 2 > 1e-12 * S[0][0] * S[1][1]);

/** The solution of Sw = g; where S is singular the shortest in standard units, which is one if g is in S's range. */
function shortest(S, g, X) {
  if (!singular(S, X)) return solve(S, g);
  const spread = [0, 1].filter((j) => !flat(S, X, j));
  return [0, 1].map((j) => (spread.includes(j) ? g[j] / S[j][j] / spread.length : 0)); // each its part of one direction
}

/** Fisher's direction, S_W w = δ, and the threshold half-way; null for equal means and where no w is one. */
export function fisher(X, y) {
  const [up, down] = [1, -1].map((label) => mean(X.filter((_, i) => y[i] === label)));
  const S = scatter(X.map((x, i) => plus(x, y[i] > 0 ? up : down, -1))), delta = plus(up, down, -1);
  if (norm(delta) <= 1e-14 * (norm(up) + norm(down))) return null;
  const w = shortest(S, delta, X);
  if (norm(plus(S.map((row) => dot(row, w)), delta, -1)) > 1e-6 * norm(delta)) return null;
  return { w, b: -dot(w, plus(up, down)) / 2 };
}

/** The Gaussian model with one covariance S_W/n: Fisher's direction, moved by the classes' log-odds. */
export function lda(X, y) {
  const plane = fisher(X, y), n = y.length, positive = y.filter((v) => v > 0).length;
  return plane && { w: plane.w.map((v) => n * v), b: n * plane.b + Math.log(positive / (n - positive)) };
}

/** Regression on the labels; where a direction has no spread, the least weights in standard units. */
export function leastSquares(X, y) {
  const middle = mean(X), rows = X.map((x) => plus(x, middle, -1)), G = scatter(rows), g = combine(rows, y);
  const w = shortest(G, g, X);
  return { w, b: y.reduce((sum, v) => sum + v, 0) / y.length - dot(w, middle) };
}

export const softplus = (u) => Math.max(u, 0) + Math.log1p(Math.exp(-Math.abs(u)));
export const sigma = (u) => (u < 0 ? Math.exp(u) / (1 + Math.exp(u)) : 1 / (1 + Math.exp(-u)));

/** The mean of ln(1 + e^-m) over the margins of a. */
export const meanLoss = (Z, a) => Z.reduce((sum, z) => sum + softplus(-dot(a, z)), 0) / Z.length;

/** Its gradient and Hessian. */
export function slopes(Z, a) {
  const m = Z.map((z) => dot(a, z)), s = m.map((v) => sigma(-v)), c = m.map((v, i) => s[i] * sigma(v)), n = Z.length;
  const H = a.map((_, j) => a.map((_, k) => Z.reduce((sum, z, i) => sum + c[i] * z[j] * z[k], 0) / n));
  return { g: combine(Z, s).map((v) => -v / n), H };
}

/** The share of the step -d, halved until the value falls by a quarter of what the slope promises. */
export function damping(value, a, d, fall) {
  const now = value(a);
  let t = 1;
  while (t > 1e-9 && value(plus(a, d, -t)) > now - (t * fall) / 4) t /= 2;
  return t;
}

/** Newton's method on mean ln(1 + exp(-mᵢ)) + (λ/2)‖w‖², λ > 0, held back where it would overshoot. */
export function logistic(X, y, lam) {
  const Z = signed(X, y), q = [...X[0].map(() => lam), 0], value = (a) => meanLoss(Z, a) + dot(q, a.map((v) => v * v)) / 2;
  for (let a = q.map(() => 0), step = 0; ; step++) {
    const { g, H } = slopes(Z, a), slope = g.map((v, j) => v + q[j] * a[j]);
    const d = solve(H.map((row, j) => row.map((v, k) => (j === k ? v + q[j] : v))), slope), fall = d && dot(slope, d);
    const there = !(fall > 1e-12 * value(a)) || step > 200;
    a = d ? plus(a, d, there ? -1 : -damping(value, a, d, fall)) : a;
    if (there) return { w: a.slice(0, -1), b: a.at(-1) }; // the last step is a whole one: rounding hides what it gains
  }
}

/** The soft margin, ½‖w‖² + CΣ(1 - mᵢ)₊, in coordinates of size 1 about the samples' mean; with the dual variables on the way. */
export function softMargin(X, y, C) {
  const middle = mean(X), rows = X.map((x) => plus(x, middle, -1)), unit = Math.max(...rows.map(norm)) || 1;
  const Z = signed(rows.map((x) => x.map((v) => v / unit)), y), q = 1 / unit ** 2;
  const { v, trail } = shortfalls(Z, C, [q, q, 0]), w = v.slice(0, 2).map((vj) => vj / unit);
  return { w, b: v[2] - dot(w, middle), trail };
}

const LATER = 8; // steps

/**
 * v at the least ½⟨v, q∘v⟩ + cΣ(1 - ⟨v, zᵢ⟩)₊, by the predictor and corrector of Mehrotra (1992):
 * s and ξ are how far a margin is above 1 and below it, α and c - α their multipliers; the trail holds every α on the way.
 */
export function shortfalls(Z, c, q) {
  let v = q.map(() => 0), s = Z.map(() => 2), xi = Z.map(() => 3), alpha = Z.map(() => c / 2), beta = alpha;
  let there = null;
  const trail = [alpha]; // where rounding begins to show, an earlier α proves more than the last
  for (let step = 0; step < 100; step++) {
    const left = plus(v.map((vj, j) => q[j] * vj), combine(Z, alpha), -1), gap = dot(s, alpha) + dot(xi, beta);
    const value = dot(q, v.map((vj) => vj * vj)) / 2 + c * xi.reduce((sum, x, i) => sum + Math.max(x - s[i], 0), 0);
    if (gap <= 1e-18 * value) there ??= { v, step }; // from here on rounding moves v; some dual variables still get better
    if (there && !(gap > 0 && step < there.step + LATER)) break;
    const D = s.map((si, i) => 1 / (si / alpha[i] + xi[i] / beta[i]));
    const H = q.map((qj, j) => q.map((_, k) => Z.reduce((sum, z, i) => sum + D[i] * z[j] * z[k], j === k ? qj : 0)));
    const towards = (aim) => { // ds + (s/α)dα and dξ + (ξ/β)dβ are to be the two aims
      const target = plus(aim[0], aim[1], -1);
      const dv = solve(H, plus(combine(Z, target.map((t, i) => D[i] * t)), left, -1));
      const da = dv && Z.map((z, i) => D[i] * (target[i] - dot(z, dv)));
      return dv && { dv, da, ds: da.map((d, i) => aim[0][i] - (s[i] / alpha[i]) * d),
        dxi: da.map((d, i) => aim[1][i] + (xi[i] / beta[i]) * d) };
    };
    const longest = ({ da, ds, dxi }) => 1 / Math.max(1, ...da.map((d, i) =>
      -Math.min(d / alpha[i], -d / beta[i], ds[i] / s[i], dxi[i] / xi[i]) / 0.9995));
    const first = towards([s.map((si) => -si), xi.map((x) => -x)]);
    if (!first) break;
    const t = longest(first), product = [first.ds.map((d, i) => d * first.da[i]), first.dxi.map((d, i) => -d * first.da[i])];
    const total = product.flat().reduce((sum, p) => sum + p, 0);
    const mu = (Math.max(0, 1 - t + (t * t * total) / gap) ** 3 * gap) / (2 * Z.length);
    const second = towards([s.map((si, i) => (mu - product[0][i]) / alpha[i] - si), xi.map((x, i) => (mu - product[1][i]) / beta[i] - x)]);
    if (!second) break;
    const { dv, da, ds, dxi } = second, far = longest(second);
    [v, alpha, beta, s, xi] = [plus(v, dv, far), plus(alpha, da, far), plus(beta, da, -far), plus(s, ds, far), plus(xi, dxi, far)];
    trail.push(alpha);
  }
  return { v: there?.v ?? v, trail };
}

/** The separating plane farthest from the samples, in canonical form; null where the hulls meet. */
export function maxMargin(X, y) {
  const alpha = hulls(X, y), w = combine(signed(X, y, false), alpha), half = norm(w);
  if (half <= 1e-10 * Math.max(...X.map(norm))) return null;
  const plane = { w, b: -dot(w, combine(X, alpha)) }, least = Math.min(...margins(plane, X, y));
  return { w: w.map((v) => v / least), b: plane.b / least };
}

/**
 * The fewest samples that a line gets wrong, and a line that gets no more wrong. Every way to cut the
 * samples is that of a line through two of them, turned or shifted a little. The plane is null where rounding hides it.
 */
export function fewest(X, y) {
  let best = y.map(() => 1), least = y.filter((v) => v < 0).length;
  const propose = (count, labels) => { if (count < least) [least, best] = [count, labels()]; };
  propose(y.length - least, () => y.map(() => -1));
  for (const i of range(X.length)) for (const j of range(i)) {
    const d = plus(X[j], X[i], -1);
    if (!d[0] && !d[1]) continue;
    const side = X.map((x) => Math.sign(d[0] * (x[1] - X[i][1]) - d[1] * (x[0] - X[i][0])));
    const along = X.map((x) => dot(d, plus(x, X[i], -1)));
    const on = range(X.length).filter((k) => !side[k]).sort((k, l) => along[k] - along[l]);
    const wrong = y.reduce((sum, v, k) => sum + (side[k] === -v), 0), right = X.length - on.length - wrong;
    for (const turn of [1, -1]) { // the first `cut` samples on the line get the label `turn`, the others -`turn`
      let errs = on.filter((k) => y[k] === turn).length;
      for (let cut = 0; cut <= on.length; cut++) {
        if (cut) errs += y[on[cut - 1]] === turn ? -1 : 1;
        if (cut && cut < on.length && along[on[cut - 1]] === along[on[cut]]) continue; // the same place
        const put = (sign, c = cut) => () => side.map((v, k) => sign * v || (on.indexOf(k) < c ? turn : -turn));
        propose(errs + wrong, put(1));
        propose(errs + right, put(-1));
      }
    }
  }
  const keep = range(y.length).filter((k) => best[k] === y[k]), both = new Set(keep.map((k) => y[k])).size > 1;
  const plane = both ? maxMargin(keep.map((k) => X[k]), keep.map((k) => y[k])) : { w: [0, 0], b: best[keep[0]] };
  return { mistakes: least, plane };
}
