"""Enclose the minimum of a loss with an ℓ2, ℓ1 or mixed penalty, by products with X and its transpose alone.

The function is F(w, b) = Σ kᵢφ(mᵢ) + ½‖w‖² + (ν/2)b² with kᵢ = C·sᵢ. Any hyperplane (w, b) gives an
upper bound. The lower bound is the dual function at any α with φ*(-αᵢ/kᵢ) < ∞, and with Σαᵢyᵢ = 0 where the
intercept is free (ν = 0). By Fenchel's inequality, summed over samples, and by completing the square about
(w, b),

    F ≥ Σ(-kᵢφ*(-αᵢ/kᵢ) - αᵢmᵢ) + ½‖w‖² + (ν/2)b² - ½‖ρ‖² - ρ_b²/2ν,
    ρ = Σαᵢyᵢxᵢ - w,   ρ_b = Σαᵢyᵢ - νb   (no ρ_b without an intercept, or with a free one).

This equals the dual function whatever (w, b) is; near the optimum ρ is small, and its rounding enters
squared.

With r‖w‖₁ + ½(1 - r)‖w‖² in place of ½‖w‖², and ν times the same of b, write v = Σαᵢyᵢxᵢ and v_b = Σαᵢyᵢ/ν.
Where |vⱼ| ≤ r, the penalty outweighs what wⱼ gains. What exceeds it, eⱼ = (|vⱼ| - r)₊, costs at most
U max(eⱼ)/r, since r(‖w‖₁ + ν|b|) ≤ U for each hyperplane with F ≤ U; and for r < 1 at most
(Σeⱼ² + νe_b²)/2(1 - r):

    F ≥ Σ -kᵢφ*(-αᵢ/kᵢ) - the smaller of the two.

No matrix is formed, and |X| is multiplied once, by the weights: with cⱼ ≥ Σkᵢ|xᵢⱼ| and r entries in the
longest row, the errors of the scores, weighted by k, add up to at most γ_(r+2)(Σ|wⱼ|cⱼ + |b|Σk), and those
of (Σαᵢyᵢxᵢ)ⱼ are at most γ cⱼ max α/k. A free intercept asks for Σαᵢyᵢ = 0 exactly: α is rounded to integer
multiples of a power of two, whose sums are exact.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from linlearn._scipy import optimize
from linlearn.certificates.balance import balanced
from linlearn.certificates.ball import ETA, U, gamma, quietly, rounded_sum
from linlearn.certificates.certificate import Certificate
from linlearn.losses import HINGE, LOGISTIC, REGULARISED, SQUARED_HINGE, Loss
from linlearn.validation import (
    Array,
    check_choice,
    check_number,
    check_points,
    check_truth,
    check_vector,
)

BLOCK = 256  # rows of a dense X whose absolute values are formed at a time


@dataclass(frozen=True, eq=False)
class WeightedSamples:
    """Samples with factors k of their losses, and what rounding errors of products with them depend on.

    X is an array or a CSR matrix, and is not copied.
    """

    X: Any
    y: Any
    k: Array

    @cached_property
    def total(self) -> float:
        """An upper bound on Σk."""
        return rounded_sum(self.k) * (1 + 2 * U)

    @cached_property
    def longest(self) -> int:
        """How many entries the longest row has."""
        X = self.X
        return X.shape[1] if isinstance(X, np.ndarray) else int(np.diff(X.indptr).max())

    @cached_property
    def columns(self) -> Array:
        """An upper bound on Σkᵢ|xᵢⱼ| for each column j; of a dense X a few rows at a time."""
        X, k = self.X, self.k
        if isinstance(X, np.ndarray):
            blocks = range(0, len(X), BLOCK)
            sums = sum(k[a : a + BLOCK] @ np.abs(X[a : a + BLOCK]) for a in blocks)
        else:
            sums = type(X)((np.abs(X.data), X.indices, X.indptr), shape=X.shape).T @ k
        return np.asarray(sums * (1 + gamma(len(k) + 4)) + len(k) * ETA)

    @cached_property
    def positive(self) -> Array:
        """k, with 1 in place of 0: what multipliers are divided by."""
        return np.where(self.k > 0, self.k, 1.0)

    @property
    def options(self) -> dict[str, Any]:
        """What gives these factors: one number C where they are equal, else sample weights."""
        if (self.k == self.k[0]).all():
            return {"C": float(self.k[0]), "sample_weight": None}
        return {"C": 1.0, "sample_weight": self.k}


@dataclass(frozen=True, eq=False)
class RegularisedRisk(WeightedSamples):
    """F; `penalty` is ν: None without an intercept, 0 for a free one. `l1_ratio` is r."""

    loss: Loss
    penalty: float | None
    l1_ratio: float = 0.0

    def at(self, a: Array) -> "Scores":
        """The hyperplane a = (w, b) with its scores: the one product with X that both bounds need."""
        return Scores(a[:-1], float(a[-1]), self.X @ a[:-1])

    def margins(self, at: "Scores") -> tuple[Array, float]:
        """The margins, and at least Σkᵢ|error of mᵢ|."""
        longest = self.longest + 2
        sizes = float(np.abs(at.w) @ self.columns) * (1 + gamma(len(at.w) + 8))
        lost = gamma(longest) * (sizes + abs(at.b) * self.total) + longest * 4 * ETA * self.total
        return self.y * (at.s + at.b), lost * (1 + 8 * U)

    def value(self, at: "Scores") -> tuple[float, float]:
        """F(w, b), from below and from above."""
        m, lost = self.margins(at)
        if self.loss is SQUARED_HINGE:  # |φ(m + e) - φ(m)| ≤ 2(1 - m)₊|e| + e²
            worst = lost / float(self.k[self.k > 0].min()) * (1 + 2 * U)
            lost *= 2 * float(np.maximum(1 - m, 0).max()) + worst
        risk = rounded_sum(self.k * self.loss.value(m))
        penalty = self.penalty_at(at.w, at.b)
        lost = (lost + 32 * U * (risk + penalty)) * (1 + 64 * U) + 16 * (len(m) + len(at.w)) * ETA
        return risk + penalty - lost, risk + penalty + lost

    def penalty_at(self, w: Array, b: float) -> float:
        """r‖w‖₁ + ½(1 - r)‖w‖², and ν times the same of b; to 16 roundings."""
        r, nu = self.l1_ratio, self.penalty or 0.0
        square = (rounded_sum(w * w) + nu * b * b) / 2
        return r * (rounded_sum(np.abs(w)) + nu * abs(b)) + (1 - r) * square if r else square

    def with_best_intercept(self, at: "Scores") -> "Scores":
        """About the best free intercept for these scores: where the slope of the risk changes its sign."""

        def slope(b: float) -> float:
            return float((self.k * self.loss.slope(self.y * (at.s + b))) @ self.y)

        low, high = -float(at.s.max()) - 40, 40 - float(at.s.min())
        if not slope(low) < 0 < slope(high):  # a class has no weight
            return at
        return at._replace(b=optimize.brentq(slope, low, high, xtol=1e-15, rtol=8 * U))

    def multipliers(self, at: "Scores") -> Array:
        """Those that the hyperplane suggests: αᵢ = -kᵢφ′(mᵢ)."""
        return np.asarray(self.k * -self.loss.slope(self.margins(at)[0]))

    def feasible(self, alpha: Array) -> Array:
        """α ≥ 0, at most k for a bounded slope, with Σαᵢyᵢ = 0 if b is free."""
        bounded = self.loss is not SQUARED_HINGE
        alpha = np.clip(np.nan_to_num(alpha), 0.0, self.k if bounded else self.k * 2.0**40)
        return balanced(self.y, alpha) if self.penalty == 0 else alpha

    def _gains(self, alpha: Array) -> tuple[Array, Array, float]:
        """-kφ*(-α/k), of the entropy up to 64U k, since its argument has been rounded; α/k; max α/k or 1."""
        share = alpha / self.positive
        gains = alpha if self.loss is HINGE else alpha - alpha * share / 4
        if self.loss is LOGISTIC:
            gains = self.k * -LOGISTIC.conjugate(-np.minimum(share, 1.0))  # type: ignore[misc]
        return gains, share, max(1.0, float(share.max()) * (1 + 2 * U))

    def lower_by_norm(self, alpha: Array, upper: float) -> float:
        """A lower bound of min F ≤ `upper` for r > 0, from multipliers that `feasible` returned."""
        r, nu, n = self.l1_ratio, self.penalty, len(alpha)
        gains, share, top = self._gains(alpha)
        lost = 8 * U * rounded_sum(np.abs(gains) + alpha * share) + 64 * U * self.total
        reach = np.abs(self.X.T @ (alpha * self.y)) + gamma(n + 2) * self.columns * top + n * ETA
        each = np.ones(len(reach))  # 1, and ν for the intercept
        if nu:
            reach = np.append(reach, abs(rounded_sum(alpha * self.y)) / nu)
            each = np.append(each, nu)
        over = np.maximum(reach * (1 + 8 * U) - r, 0.0)
        cost = upper * float(over.max()) / r
        if r < 1:
            cost = min(cost, rounded_sum(each * over * over) / (2 * (1 - r)))
        gain = rounded_sum(gains)
        lost += 16 * U * (abs(gain) + cost)
        return gain - cost - lost * (1 + 16 * U) - 16 * (n + len(reach)) * ETA

    def lower(self, at: "Scores", alpha: Array) -> float:
        """A lower bound of min F for r = 0, from multipliers that `feasible` returned."""
        m, lost = self.margins(at)
        w, b = at.w, at.b
        gains, share, top = self._gains(alpha)
        first = rounded_sum(gains - alpha * m)
        sizes = np.abs(gains) + alpha * (share / 2 + np.abs(m))
        lost = lost * top + 8 * U * rounded_sum(sizes) + 64 * U * self.total
        rough = gamma(len(m) + 2) * self.columns * top + 4 * U * np.abs(w)
        rho = np.abs(self.X.T @ (alpha * self.y) - w) + rough * (1 + 8 * U) + len(m) * ETA
        square, cost = rounded_sum(w * w) / 2, rounded_sum(rho * rho) / 2 + len(w) * ETA
        if self.penalty:
            pull = rounded_sum(alpha * self.y) - self.penalty * b
            pull = abs(pull) + 4 * U * (rounded_sum(alpha) + self.penalty * abs(b))
            square += self.penalty * b * b / 2
            cost += pull * pull / (2 * self.penalty)
        lost += 32 * U * (abs(first) + square + cost)
        return first + square - cost - lost * (1 + 64 * U) - 16 * (len(m) + len(w)) * ETA


class Scores(NamedTuple):
    """A hyperplane (w, b) with its scores s = Xw, without the intercept."""

    w: Array
    b: float
    s: Array


@quietly
def enclose_regularised_risk(
    X: Any,
    y: ArrayLike,
    *,
    primal: ArrayLike,
    dual: ArrayLike | None = None,
    loss: str = "logistic",
    C: float = 1.0,
    sample_weight: ArrayLike | None = None,
    fit_intercept: bool = True,
    intercept_penalty: float = 0.0,
    l1_ratio: float = 0.0,
    mean: bool = False,
) -> Certificate:
    """Enclose min P(w) + νP(b) + C Σsᵢφ(mᵢ), P(w) = r‖w‖₁ + ½(1 - r)‖w‖², ν ≥ 0, 0 ≤ r ≤ 1.

    It uses only a few matrix-vector products with X and Xᵀ, and so also accepts sparse samples and more
    features than samples. ν is `intercept_penalty`, and r is `l1_ratio`. The other enclosures form
    d × d matrices; they prove more digits if the witnesses are poor.

    Parameters
    ----------
    X : array or SciPy sparse array, shape (n, d)
    y : array-like, shape (n,), labels -1 and +1
    primal : array-like, shape (d + 1,)
        (w, b); b = 0 without an intercept.
    dual : array-like, shape (n,), optional
        Multipliers αᵢ ≥ 0. If None, those that the hyperplane suggests, -C sᵢφ′(mᵢ).
    loss : "logistic", "hinge" or "squared hinge"
    C : float > 0
    sample_weight : array-like, shape (n,), optional
        Weights sᵢ ≥ 0.
    fit_intercept : bool
    intercept_penalty : float ≥ 0
        ν; 0 leaves the intercept free.
    l1_ratio : float from 0 to 1
        r; 0 is the ℓ2 penalty, 1 the ℓ1 penalty.
    mean : bool
        Whether to divide by C Σsᵢ. The minimum is then that of Σsᵢφ(mᵢ)/Σsᵢ + (λ/2)‖w‖² + (λν/2)b² with
        λ = 1/(C Σsᵢ), as in `enclose_logistic`.

    Returns
    -------
    Certificate
        Its quantity is "regularised risk", which is printed as the name of the loss if `mean`. Its `dual` is
        feasible, and close to the given one.

    Examples
    --------
    >>> from scipy import sparse
    >>> X, y = sparse.csr_array([[0.0, 1], [1, 0], [0, 3]]), [-1, -1, 1]
    >>> enclose_regularised_risk(X, y, primal=[-0.4, 0.6, -0.8]).gap < 0.5
    True
    """
    nu = check_number(intercept_penalty, "intercept_penalty", least=0) if fit_intercept else None
    F = regularised_risk(
        X, y, loss=loss, C=C, sample_weight=sample_weight, penalty=nu, l1_ratio=l1_ratio
    )
    a = check_vector(primal, F.X.shape[1] + 1, "primal")
    if not fit_intercept and a[-1]:
        raise ValueError(f"`primal` must end with b = 0 when `fit_intercept=False`; got {a[-1]:g}.")
    given = None if dual is None else check_vector(dual, len(F.y), "dual", each="samples")
    found = enclosed(F, F.at(a), given)
    return averaged(F, found) if check_truth(mean, "mean") else found


def regularised_risk(
    X: Any,
    y: ArrayLike,
    *,
    loss: str,
    C: float,
    sample_weight: Any,
    penalty: float | None,
    l1_ratio: float = 0.0,
) -> RegularisedRisk:
    """F of checked samples."""
    check_choice(loss, "loss", REGULARISED)
    if not 0 <= check_number(l1_ratio, "l1_ratio") <= 1:
        raise ValueError(f"`l1_ratio` must be from 0 to 1; got {l1_ratio!r}.")
    X = sparse_points(X) if hasattr(X, "tocsr") else check_points(X)
    signs = check_vector(y, X.shape[0], "y", each="samples")
    k = loss_factors(len(signs), C, sample_weight)
    return RegularisedRisk(X, signs, k, REGULARISED[loss], penalty, l1_ratio)


def loss_factors(n: int, C: float, sample_weight: ArrayLike | None) -> Array:
    """k = Cs for checked sample weights s, which are 1 if None."""
    given = np.ones(n) if sample_weight is None else sample_weight
    s = check_vector(given, n, "sample_weight", each="samples")
    C = check_number(C, "C", above=0)
    if not ((s >= 0).all() and s.any()):
        raise ValueError(
            "`sample_weight` must be ≥ 0, with at least one positive entry; got weights from "
            f"{s.min():g} to {s.max():g}."
        )
    least = s[s > 0].min()
    if C * least <= 1e-100:
        raise ValueError(
            "`sample_weight` must hold weights that are 0 or, multiplied by C, exceed 1e-100; got the weight "
            f"{least:g} with C = {C:g}. Set weights this small to 0, or pass a larger C."
        )
    return C * s


def sparse_points(X: Any) -> Any:
    """A sparse X as CSR floats, each entry once; an error if an entry is not finite."""
    X = X.tocsr().astype(np.float64, copy=False)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    if X.ndim != 2 or 0 in X.shape:
        raise ValueError(
            f"`X` must have shape (n, d) with at least one sample and one feature; got {X.shape}."
        )
    if not math.isfinite(X.data.sum()) and not np.isfinite(X.data).all():
        row = int(np.searchsorted(X.indptr, np.flatnonzero(~np.isfinite(X.data))[0], "right")) - 1
        raise ValueError(
            f"`X` must be finite; got {X[[row]].data[~np.isfinite(X[[row]].data)][0]} at row {row}. Drop or "
            "impute such values first."
        )
    return X


def enclosed(F: RegularisedRisk, at: Scores, dual: Array | None = None) -> Certificate:
    """The certificate from a hyperplane and multipliers."""
    _, high = F.value(at)
    primal = np.append(at.w, at.b)
    if dual is None:
        at = F.with_best_intercept(at) if F.penalty == 0 else at
        dual = F.multipliers(at)
    alpha = F.feasible(dual)
    lower = max(0.0, F.lower_by_norm(alpha, high) if F.l1_ratio else F.lower(at, alpha))
    options = {
        "loss": F.loss.name,
        **F.options,
        "fit_intercept": F.penalty is not None,
        "intercept_penalty": F.penalty or 0.0,
        "l1_ratio": F.l1_ratio,
    }
    scale = float(F.loss.value(0.0)) * F.total
    return Certificate("regularised risk", min(lower, high), high, primal, alpha, options, scale)


def averaged(F: RegularisedRisk, found: Certificate) -> Certificate:
    """A certificate of F as one of F/Σk, for the same witnesses; F.total is from Σk to (1 + 4U)Σk."""
    return replace(
        found,
        lower=found.lower / F.total * (1 - 4 * U),
        upper=found.upper / F.total * (1 + 8 * U),
        options={**found.options, "mean": True},
        scale=found.scale / F.total,
    )
