// Vectors, convex hulls and the perceptron for the few samples of a figure; tested against linlearn.

export const range = (n) => [...Array(n).keys()];
export const dot = (u, v) => u.reduce((sum, ui, j) => sum + ui * v[j], 0);
export const norm = (u) => Math.sqrt(dot(u, u));
export const plus = (u, v, c = 1) => u.map((ui, j) => ui + c * v[j]);
export const argmin = (values) => values.indexOf(Math.min(...values));

/** Zᵀα */
export const combine = (Z, alpha) => Z[0].map((_, j) => Z.reduce((sum, z, i) => sum + alpha[i] * z[j], 0));

/** Rows zᵢ = yᵢ(xᵢ, 1), or yᵢxᵢ without offset. */
export const signed = (X, y, offset = true) =>
  X.map((x, i) => (offset ? [...x, 1] : x).map((v) => y[i] * v));

/** The margins yᵢ(⟨w, xᵢ⟩ + b) of a plane. */
export const margins = ({ w, b }, X, y) => X.map((x, i) => y[i] * (dot(w, x) + b));

/** The solution of Ax = c by elimination, the largest pivot first; null where a pivot is 0. */
export function solve(A, c) {
  const rows = A.map((row, i) => [...row, c[i]]);
  for (let k = 0; k < rows.length; k++) {
    const pivot = k + argmin(rows.slice(k).map((row) => -Math.abs(row[k])));
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    if (!rows[k][k]) return null;
    for (const row of rows) if (row !== rows[k]) {
      const factor = row[k] / rows[k][k];
      rows[k].forEach((v, j) => (row[j] -= factor * v));
    }
  }
  return rows.map((row, k) => row.at(-1) / row[k]);
}

/** Rosenblatt's perceptron, in the order of the samples: states {k, i, reads, a}, at most `most` updates. */
export function rosenblatt(Z, most) {
  const steps = [{ k: 0, i: -1, reads: 0, a: Z[0].map(() => 0) }];
  for (let reads = 1, quiet = 0; quiet < Z.length && steps.length <= most; reads++) {
    const { k, a } = steps.at(-1), i = (reads - 1) % Z.length;
    if (dot(a, Z[i]) > 0) quiet++;
    else { steps.push({ k: k + 1, i, reads, a: plus(a, Z[i]) }); quiet = 0; }
  }
  return steps;
}

/** Weights on the simplex for which ‖Zᵀα‖ is smallest (Wolfe 1976): the hull's point nearest to 0. */
export function nearest(Z) {
  const R2 = Math.max(...Z.map((z) => dot(z, z)), Number.MIN_VALUE);
  let rows = [argmin(Z.map((z) => dot(z, z)))], weights = [1];
  rounds: for (let round = 0; round < 50 * Z.length; round++) {
    const point = combine(rows.map((i) => Z[i]), weights);
    const scores = Z.map((z) => dot(point, z)), i = argmin(scores);
    if (rows.length > point.length) break; // a simplex around 0: more rows would depend on these
    if (rows.includes(i) || scores[i] >= dot(point, point) - 1e-15 * R2) break;
    rows.push(i);
    weights.push(0);
    for (;;) { // to the nearest point of the affine hull, or as far towards it as the hull reaches
      const to = affine(rows.map((i) => Z[i]), R2);
      if (!to) break rounds; // rounding cannot tell the rows apart: the weights found so far stay
      if (to.every((t) => t > 0)) { weights = to; break; }
      const t = Math.min(1, ...weights.map((v, j) => (to[j] < v && to[j] <= 0 ? v / (v - to[j]) : 1)));
      weights = weights.map((v, j) => v + t * (to[j] - v));
      const out = argmin(weights.map((v, j) => (to[j] <= 0 ? v : Infinity)));
      rows.splice(out, 1);
      weights.splice(out, 1);
    }
  }
  const alpha = Z.map(() => 0);
  rows.forEach((i, j) => (alpha[i] = weights[j]));
  return alpha;
}

/** Weights with sum 1, of any sign, for which the combination of the rows is shortest; null where rounding hides them. */
function affine(rows, R2) {
  const u = solve(rows.map((p) => rows.map((q) => dot(p, q) / R2 + 1)), rows.map(() => 1)); // (G + 11ᵀ)u = 1
  const sum = u?.reduce((total, v) => total + v, 0);
  return u && u.map((v) => v / sum);
}

/** Weights for which the points p = 2Σ₊αᵢxᵢ and q = 2Σ₋αᵢxᵢ of the hulls are nearest to each other. */
export function hulls(X, y) {
  const of = (label) => range(y.length).filter((i) => y[i] === label);
  const pairs = of(1).flatMap((i) => of(-1).map((j) => [i, j]));
  const alpha = X.map(() => 0);
  nearest(pairs.map(([i, j]) => plus(X[i], X[j], -1))).forEach((t, k) => {
    for (const i of pairs[k]) alpha[i] += t / 2;
  });
  return alpha;
}

/** One step of Gilbert's (1966): towards the samples with the smallest margins of w = Σ αᵢyᵢxᵢ. */
export function gilbert(X, y, alpha) {
  const Z = signed(X, y, false), p = combine(Z, alpha), m = Z.map((z) => dot(p, z));
  const least = [1, -1].map((label) => argmin(m.map((v, i) => (y[i] === label ? v : Infinity))));
  const corner = X.map((_, i) => (least.includes(i) ? 0.5 : 0)), d = plus(p, combine(Z, corner), -1);
  const t = dot(d, d) ? Math.min(1, Math.max(0, dot(p, d) / dot(d, d))) : 0;
  return alpha.map((v, i) => v + t * (corner[i] - v));
}

/**
 * Any plane bounds the best geometric margin ρ* from below, by its least signed distance; any weights
 * with Σ₊α = Σ₋α = ½ bound it from above, by half the distance of their two points.
 */
export function enclose(X, y, plane, alpha) {
  const m = margins(plane, X, y), length = norm(plane.w);
  return { m, lower: length ? Math.min(...m) / length : -Infinity, upper: norm(combine(signed(X, y, false), alpha)) };
}

/** The plane halfway between p and q, across the line that joins them. */
export function bisector(X, y, alpha) {
  const w = combine(signed(X, y, false), alpha);
  return { w, b: -dot(w, combine(X, alpha)) };
}
