"""Minimise a hinge loss, with or without L2 penalty: guess support vectors on a subset, check on all."""

from dataclasses import dataclass

import numpy as np

from linlearn.certificates.samples import SEEN
from linlearn.solvers.interior_point import cost, interior_point
from linlearn.solvers.stable_argpartition import stable_argpartition
from linlearn.validation import Array, Bools, Index

# Down to LATE, these say only what is tried first, and for how long: whether an answer will do is decided by
# the duality gap over all samples. They were chosen by timing.
PART = 4  # one sample in so many decides which of all are doubtful
FIRST = 3e-2  # relative gap that is good enough on a part, to tell who is doubtful
# Relative gap on all samples until few turn out to be frozen wrongly: min(ROUGH, UNSETTLED/n). The smaller
# the gap, the fewer multipliers are between 0 and c: a few times UNSETTLED of them, whatever n.
ROUGH, UNSETTLED = 1e-3, 100
NEAR = 10  # below so many times that gap, full accuracy is asked for
BETWEEN = 0.05  # a multiplier this near to 0 or c, relative to c, has taken its side
MOST_ATTEMPTS = 20
LATE = 8  # attempts after which all samples are worked on at once
# Relative gap asked of it: a tenth of what a certificate is content with, a million roundings of the value.
TOLERANCE = 1e-10
# A margin of p terms errs by p·2⁻⁵³ times their moduli: stretched so far it is ≥ 1 after rounding, too, where
# these are below 9e6/p. Beyond, the value found is as small as that rounding, and the certificate says so.
STRETCH = 1 + 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class ScaledRows:
    """The matrix with rows Aᵢ = yᵢ((xᵢ - mean)/scale, 1), formed only for the samples asked for.

    Vectors it is multiplied with are hyperplanes for centred, scaled features; `plain` maps them back.
    """

    X: Array
    y: Array
    mean: Array
    scale: Array

    @classmethod
    def of(cls, X: Array, y: Array) -> "ScaledRows":
        """Mean and deviation come from about a thousand samples: any numbers of their size serve.

        A constant column is divided by ∞, and so gets the weight 0.
        """
        sample = X[:: max(1, len(X) // 1024)]
        mean = sample.mean(axis=0)
        scale = np.sqrt(((sample - mean) ** 2).mean(axis=0))
        # A mean of up to 2047 floats, added in turn, errs by 2.3e-13 of its size at most, and mostly by less
        # than 1e-14: where less than 1e-12 is seen all samples are asked, and less than 1e-14 is nothing.
        flat = scale <= 1e-12 * abs(mean)
        if flat.any():
            scale[flat] = abs(X[:, flat] - mean[flat]).max(axis=0)
            scale[scale <= 1e-14 * abs(mean)] = np.inf
        return cls(X, y, mean, scale)

    def subset(self, rows: Index) -> "ScaledRows":
        return ScaledRows(self.X.take(rows, axis=0), self.y[rows], self.mean, self.scale)

    def matrix(self, rows: Index | slice = slice(None)) -> Array:
        """Aᵢ for some samples, shape (len(rows), k)."""
        y = self.y[rows]
        A = np.empty((len(y), len(self.mean) + 1))
        Z = self.X[rows] - self.mean
        Z /= self.scale
        np.multiply(Z, y[:, None], out=A[:, :-1])
        A[:, -1] = y
        return A

    def slacks(self, v: Array) -> Array:
        """1 - Av, shape (n,)."""
        a = self.plain(v)
        return np.asarray(1 - self.y * (self.X @ a[:-1] + a[-1]))

    def moment(self, alpha: Array) -> Array:
        """Aᵀα, shape (k,)."""
        signed = alpha * self.y
        total = signed.sum()
        return np.append((signed @ self.X - total * self.mean) / self.scale, total)

    def plain(self, v: Array) -> Array:
        """The hyperplane (w, b) for the features as they came."""
        w = v[:-1] / self.scale
        return np.append(w, v[-1] - self.mean @ w)


def solve_margins(
    X: Array, y: Array, c: Array, *, lam: float, tolerance: float
) -> tuple[Array, Array]:
    """Minimise (λ/2)‖w‖² + Σ cᵢ(1 - mᵢ)₊; return (w, b) of shape (d+1,) and multipliers (n,)."""
    if not c.all():
        positive, alpha = np.flatnonzero(c), np.zeros(len(y))
        a, alpha[positive] = solve_margins(
            X[positive], y[positive], c[positive], lam=lam, tolerance=tolerance
        )
        return a, alpha
    Z, basis = _reduced_by_gram(X) if X.shape[1] > len(X) else (X, None)
    rows = ScaledRows.of(Z, y)
    v, alpha = _active_set(rows, np.append(lam / rows.scale**2, 0.0), c, tolerance)
    a = rows.plain(v)
    if basis is not None:
        mean, directions = basis
        w = directions @ a[:-1]
        a = np.append(w, a[-1] - mean @ w)
    return a, alpha


def _active_set(rows: ScaledRows, q: Array, c: Array, tolerance: float) -> tuple[Array, Array]:
    """The problem of `interior_point` with g = 0 for many rows; v of shape (k,) and α of shape (n,).

    At an optimum α = c for samples with margin below 1 and α = 0 for those with margin above 1, so only
    samples near margin 1 are unknowns. A rough solution on a subset shows which those may be; the
    multipliers of the others are frozen at 0 or c. The duality gap over all samples shows whether that was
    right; if not, the wrongly frozen ones are freed. High accuracy is asked for last, since it would be lost
    again while the frozen set still changes. Where samples are few, all are unknowns at once.
    """
    n, k = len(rows.y), len(q)
    linear = not q.any()
    separates = float(c.min()) if linear else -np.inf  # below this value no slack exceeds 1
    size = most = _initial_size(n, k, tolerance)
    if size == n:
        v, alpha, _ = interior_point(
            rows.matrix(), q, 0 * q, c, tolerance=tolerance / 2, enough=separates
        )
        return _scaled_past_one(v, 1 - rows.slacks(v)) if linear else v, alpha
    slack = rows.slacks(_subset_solution(rows, q, c))
    free, at_upper_bound = _nearest_to_margin_one(slack, size), slack > 0
    goal = max(min(ROUGH, UNSETTLED / n), tolerance)
    for attempt in range(MOST_ATTEMPTS):
        enough = -np.inf
        if linear:
            enough = separates
        elif len(free) < n:  # no value is negative: one below 0 shows that too much is frozen
            enough = 0.0
        v, alpha, moment, finished = solve_free(rows, free, at_upper_bound, q, c, goal / 2, enough)
        slack = rows.slacks(v)
        if linear and slack.max() < 1:
            return _scaled_past_one(v, 1 - slack), alpha
        value = v @ (q * v / 2) + c @ np.maximum(slack, 0)
        gap = value - alpha.sum() + cost(moment, v, q)  # what Aᵀα costs in the dual value
        wrongly_frozen = (slack > 0) != at_upper_bound
        wrongly_frozen[free] = False
        last = goal == tolerance and (len(free) == n or (finished and not wrongly_frozen.any()))
        if gap <= tolerance * value or last:
            break
        at_upper_bound = slack > 0
        if (not finished and not linear) or wrongly_frozen.sum() > len(free) or attempt > LATE:
            size, goal = n, tolerance
        elif gap <= NEAR * goal * value:
            between = _count_between_bounds(alpha[free], c[free])
            size, goal = min(size, max(8 * k, 4 * between)), tolerance
        wrongly_frozen[free if size == most else _nearest_to_margin_one(slack, size)] = True
        free = np.flatnonzero(wrongly_frozen)
    return v, alpha


def _subset_solution(rows: ScaledRows, q: Array, c: Array) -> Array:
    """v for a part of the samples."""
    part, share = _part(rows.y)
    v, _ = _active_set(rows.subset(part), q, share * c[part], FIRST)
    return v


def _count_between_bounds(alpha: Array, c: Array) -> int:
    """How many multipliers are strictly between their bounds."""
    return int((np.abs(alpha / c - 0.5) < 0.5 - BETWEEN).sum())


def solve_free(
    rows: ScaledRows,
    free: Index,
    at_upper_bound: Bools,
    q: Array,
    c: Array,
    tolerance: float,
    enough: float,
) -> tuple[Array, Array, Array, bool]:
    """v, α, Aᵀα and whether it finished, with the samples in `free` unknown and the others frozen."""
    alpha = np.where(at_upper_bound, c, 0.0)
    alpha[free] = 0.0
    frozen, A, constant = rows.moment(alpha), rows.matrix(free), float(alpha.sum())
    v, alpha[free], finished = interior_point(
        A, q, -frozen, c[free], tolerance=tolerance, constant=constant, enough=enough
    )
    return v, alpha, frozen + alpha[free] @ A, finished


def _initial_size(n: int, k: int, tolerance: float) -> int:
    """With how many samples as unknowns to begin: all where they are few."""
    most = (40 if tolerance >= FIRST else 16) * k + 500
    return n if n <= most else min(n // PART, int(3 * np.sqrt(PART * k * n)))


def _part(y: Array) -> tuple[Index, Array]:
    """Every fourth sample of each class, at least 100 if there are so many; how many each stands for."""
    represents = np.zeros(len(y))
    for label in (-1.0, 1.0):
        rows = np.flatnonzero(y == label)
        part = rows[:: max(1, min(PART, len(rows) // 100))]
        represents[part] = len(rows) / max(1, len(part))
    part = np.flatnonzero(represents)
    return part, represents[part]


def _nearest_to_margin_one(slack: Array, size: int) -> Index:
    """The samples nearest to margin 1, and all with margin below 1 if they are few."""
    at_upper_bound = slack > 0
    few_below = at_upper_bound.sum() <= size // 2
    distance = np.where(at_upper_bound & few_below, 0.0, np.abs(slack))
    n = len(distance)
    return stable_argpartition(distance, size) if size < n / 2 else np.arange(n)


def _scaled_past_one(v: Array, m: Array) -> Array:
    """Without a penalty a longer v costs nothing: if all margins are positive, let them be ≥ 1."""
    least = m.min()
    return v / least * STRETCH if 0 < least < STRETCH else v


def _reduced_by_gram(X: Array) -> tuple[Array, tuple[Array, Array]]:
    """For d > n: Z (n, m), m ≤ n, and mean, B (d, m) with X - mean = ZBᵀ and BᵀB = I.

    An optimal w is a combination of the samples (the representer theorem), so it is Bu with the u
    that is optimal for the rows of Z. The factors come from the eigenvectors of the Gram matrix of
    the samples, which is n×n only.
    """
    mean = X.mean(axis=0)
    centred = X - mean
    value, vector = np.linalg.eigh(centred @ centred.T)
    keep = value > SEEN * value[-1]
    keep[-1] = True
    root = np.sqrt(np.maximum(value, 0.0)[keep])
    directions = centred.T @ (vector[:, keep] / np.where(root > 0, root, 1.0))
    return vector[:, keep] * root, (mean, directions)
