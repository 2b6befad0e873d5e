"""Enclose the minimum of multinomial logistic regression, by products with X and its transpose alone.

The function is F(W, b) = ½‖W‖² + Σ kᵢ(ln Σ_c exp(f_ic) - f_iy), fᵢ = Wxᵢ + b, with kᵢ = C·sᵢ and y = yᵢ. Any
W and b give the upper bound. For any probabilities pᵢ, ln Σ_c exp(f_c) ≥ ⟨pᵢ, f⟩ + H(pᵢ), an equality for the
softmax of f. Write aᵢ = kᵢ(e_y - pᵢ). If Σaᵢ = 0 (asked only where there is an intercept), b drops out of the
sum of these inequalities; minimised over W, at W = AᵀX, it is

    F ≥ Σ kᵢH(pᵢ) - ½‖AᵀX‖².

A is known by its off-label entries, a_ic = -kᵢp_ic: they are rounded to integer multiples of a power of two,
the entry of the label is minus their sum, and so every row adds up to 0 without rounding. What the columns do
not is moved between integers. The direction b + t(1, …, 1), which moves no probability, costs nothing.

Rounding: with c_j ≥ Σkᵢ|x_ij| the scores, weighted by k, err by at most γ(Σ_j max_c|W_cj|c_j + max|b|Σk) in
all, and the loss is 2-Lipschitz in them; an entry of AᵀX errs by at most γc_j. See docs/dev/certificates.md.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from linlearn._scipy import special
from linlearn.certificates.balance import largest_first
from linlearn.certificates.ball import ETA, U, gamma, quietly
from linlearn.certificates.certificate import Certificate
from linlearn.certificates.regularised_risk import WeightedSamples, loss_factors, sparse_points
from linlearn.validation import (
    STEEPEST,
    Array,
    Ints,
    Refusal,
    as_array,
    check_lengths,
    check_points,
    floats_or_refusal,
)


@dataclass(frozen=True, eq=False)
class SoftmaxRisk(WeightedSamples):
    """F of parameters, arrays of shape (K, d + 1) with b as the last column; y holds 0, …, K - 1."""

    K: int
    fit_intercept: bool

    @cached_property
    def rows(self) -> Any:
        return np.arange(len(self.y))

    def scores(self, v: Array) -> Array:
        return np.asarray(self.X @ v[:, :-1].T + v[:, -1])

    def losses(self, z: Array) -> Array:
        """ln Σ_c exp(f_ic - f_iy), to U(8 times itself + 4K + 32)."""
        away = z - z[self.rows, self.y][:, None]
        best = away.argmax(axis=1)
        top = away[self.rows, best]
        e = np.exp(away - top[:, None])
        e[self.rows, best] = 0.0
        return np.asarray(top + np.log1p(e.sum(axis=1)))

    def value(self, v: Array) -> tuple[float, float]:
        """F(W, b), from below and from above."""
        risk = float(self.k @ self.losses(self.scores(v)))
        square = float(np.square(v[:, :-1]).sum()) / 2
        longest = self.longest + 2
        sizes = np.abs(v).max(axis=0)
        lost = gamma(longest) * (float(sizes[:-1] @ self.columns) + sizes[-1] * self.total)
        lost = 2 * lost * (1 + gamma(v.shape[1] + 8)) + longest * 8 * ETA * self.total
        lost += (4 * self.K + 32) * U * self.total + gamma(len(self.k) + 8) * risk
        lost = (lost + gamma(v.size + 8) * square) * (1 + 64 * U) + 8 * (len(self.k) + v.size) * ETA
        low, high = risk + square - lost, risk + square + lost
        return (low * (1 - 4 * U), high * (1 + 4 * U)) if high < math.inf else (0.0, math.inf)

    def multipliers(self, v: Array) -> Array:
        """Those that the parameters suggest: A = k(E - P)."""
        P = special.softmax(self.scores(v), axis=1)
        P[self.rows, self.y] -= 1.0
        return np.asarray(-self.k[:, None] * P)

    def feasible(self, A: Array) -> Array:
        """The multipliers as multiples of a power of two, with rows, and columns if b is free, of sum 0."""
        q = min(52 - math.frexp(self.k.max())[1], 60 - math.frexp(self.total)[1])
        cap = np.floor(np.ldexp(self.k, q)).astype(np.int64)
        mass = np.clip(np.nan_to_num(-A), 0.0, self.k[:, None])
        mass[self.rows, self.y] = 0.0
        whole = np.maximum(mass.sum(axis=1), 1e-300)
        mass *= np.minimum(1.0, self.k / whole)[:, None]
        t = np.floor(np.ldexp(mass, q)).astype(np.int64)
        t[self.rows, t.argmax(axis=1)] -= np.maximum(t.sum(axis=1) - cap, 0)
        if self.fit_intercept:
            self._balance(t, cap)
        t[self.rows, self.y] = -t.sum(axis=1)
        return np.ldexp(-t.astype(np.float64), -q)

    def _balance(self, t: Ints, cap: Ints) -> None:
        """Change entries until class c gets from others what its samples give to them; else 0 for all.

        From a class that gives too much to one that gets too much the entries are lessened, the largest
        first; where they do not suffice, those of the way back are raised, in rows that have room.
        """
        own = [np.flatnonzero(self.y == c) for c in range(self.K)]
        surplus = np.array([t[rows].sum() for rows in own]) - t.sum(axis=0)
        while surplus.any():
            a, c = int(surplus.argmax()), int(surplus.argmin())
            move = int(min(surplus[a], -surplus[c]))
            less = largest_first(move, t[own[a], c])
            more = largest_first(move - int(less.sum()), cap[own[c]] - t[own[c]].sum(axis=1))
            t[own[a], c] -= less
            t[own[c], a] += more
            moved = int(less.sum() + more.sum())
            if moved < move:
                t[:] = 0
                return
            surplus[a] -= moved
            surplus[c] += moved

    def lower(self, A: Array) -> float:
        """A lower bound of min F, from multipliers that `feasible` returned."""
        k = self.k
        u = A[self.rows, self.y] / self.positive  # what the label does not get
        p = np.maximum(-A / self.positive[:, None], 0.0)
        H = special.entr(p).sum(axis=1) - special.xlog1py(1 - u, -u)
        gain = float(k @ H)
        lost = gamma(len(k) + 2 * self.K + 64) * float(k @ (np.abs(H) + u))
        G = np.abs(self.X.T @ A)
        G += (gamma(len(k) + 2) * self.columns * (1 + 8 * U) + len(k) * ETA)[:, None]
        cost = float(np.square(G).sum()) / 2 * (1 + gamma(G.size + 8)) + G.size * ETA
        found = gain - (lost + cost) * (1 + 16 * U) - 8 * U * gain - len(k) * ETA
        return max(0.0, found) if math.isfinite(found) else 0.0

    def enclosed(self, v: Array, A: Array | None = None) -> Certificate:
        """The certificate from parameters and multipliers; no objective is negative."""
        dual = self.feasible(self.multipliers(v) if A is None else A)
        high, scale = float(self.value(v)[1]), math.log(self.K) * self.total  # F at 0
        options = {**self.options, "fit_intercept": self.fit_intercept}
        lower = min(float(self.lower(dual)), high)
        return Certificate("softmax", lower, high, v, dual, options, scale)


def softmax_risk(
    X: Any, y: ArrayLike, *, C: float, sample_weight: ArrayLike | None, fit_intercept: bool
) -> SoftmaxRisk:
    """F of samples and labels, once these are checked; classes are sorted."""
    X = sparse_points(X) if hasattr(X, "tocsr") else check_points(X)
    classes, codes = np.unique(np.asarray(y), return_inverse=True)
    check_lengths(X.shape[0], codes.size)
    if codes.ndim != 1 or len(classes) < 2:
        raise ValueError(f"`y` must contain at least two classes; got {classes.tolist()[:5]}.")
    k = loss_factors(codes.size, C, sample_weight)
    return SoftmaxRisk(X, codes, k, len(classes), fit_intercept)


@quietly
def enclose_softmax(
    X: Any,
    y: ArrayLike,
    *,
    primal: ArrayLike,
    dual: ArrayLike | None = None,
    C: float = 1.0,
    sample_weight: ArrayLike | None = None,
    fit_intercept: bool = True,
) -> Certificate:
    """Enclose min ½‖W‖² + C Σsᵢ(ln Σ_c exp(f_ic) - f_iy) with the scores fᵢ = Wxᵢ + b of K ≥ 2 classes.

    This is the objective of scikit-learn's `LogisticRegression` for more than two classes. With two classes
    the rows of the optimal W are -w/2 and w/2, w the usual weight vector, so that ½‖W‖² = ¼‖w‖² is half the
    penalty of `enclose_logistic`.

    Parameters
    ----------
    X : array or SciPy sparse array, shape (n, d)
    y : array-like, shape (n,)
        Labels of any kind; the K classes are the distinct labels, sorted.
    primal : array-like, shape (K, d + 1)
        A row (w, b) for each class; b = 0 without an intercept.
    dual : array-like, shape (n, K), optional
        Multipliers kᵢ(e_y - pᵢ), where kᵢ = C·sᵢ, e_y is the unit vector of the label, and pᵢ are any
        probabilities of the classes; if None, those of `primal`. The certificate holds feasible multipliers
        near them.
    C : float > 0
    sample_weight : array-like, shape (n,), optional
        Weights sᵢ ≥ 0.
    fit_intercept : bool

    Returns
    -------
    Certificate
        Of the quantity "softmax"; its `dual` is feasible.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0]], ["a", "b", "c"]
    >>> enclose_softmax(X, y, primal=[[-0.62, 0.58], [0.0, 0.08], [0.62, -0.66]])
    Certificate(2.68401 ≤ softmax ≤ 2.68404)
    """
    F = softmax_risk(X, y, C=C, sample_weight=sample_weight, fit_intercept=fit_intercept)
    shape = F.K, F.X.shape[1] + 1
    said = f"a row (w, b) of {F.X.shape[1]} weights and the intercept for each of the {F.K} classes"
    v = _table(primal, shape, "primal", said)
    if not fit_intercept and v[:, -1].any():
        raise ValueError(
            "`primal` must have only zeros in its last column, the intercepts, if `fit_intercept=False`; got "
            f"{v[:, -1][v[:, -1] != 0][0]:g}."
        )
    said = f"a row of {F.K} multipliers, one for each class, for each of the {len(F.y)} samples"
    table = None if dual is None else _table(dual, (len(F.y), F.K), "dual", said)
    return F.enclosed(v, table)


def _table(values: ArrayLike, shape: tuple[int, int], name: str, said: str) -> Array:
    """A witness as floats of this shape, whose rows and columns `said` explains."""
    table = as_array(values, name)
    if table.shape != shape:
        raise ValueError(f"`{name}` must hold {said}: shape {shape}; got shape {table.shape}.")
    found = floats_or_refusal(table, name, below=STEEPEST)
    if isinstance(found, Refusal):
        raise found.error(f"row {found.row}, column {found.column}", "Pass finite real numbers")
    return found
