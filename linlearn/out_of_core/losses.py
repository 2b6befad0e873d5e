"""Squares and logistic loss out of core: value, gradient, Hessian, both bounds of the optimum, in one pass.

Let F(v) = Σ φ(⟨uᵢ, v⟩) + (μ/2)‖w‖², and at any v let g be the slope and H ≽ σ²·diag(s)² the curvature. Then

    F(v) - ½δ²·f(Rδ) ≤ inf F ≤ F(v),   f(x) = 2(x + (1 - x)ln(1 - x))/x², f(0) = 1,   if Rδ < 1,

where δ = ‖g/s‖/σ and R = max‖uᵢ/s‖/σ for the logistic loss, R = 0 for squares: the hyperplane alone bounds
the optimum from both sides, and no sample has a multiplier of its own.

*Proof.* Squares: F(v + d) = F(v) + ⟨g, d⟩ + ½‖d‖²_H ≥ F(v) - ½‖g‖²_H⁻¹, and ‖g‖_H⁻¹ ≤ δ. The logistic loss
has |φ'''| ≤ φ'', so along d, with T = ‖d‖_H and c = max|⟨uᵢ, d⟩| ≤ RT, the curvature falls no faster than
e^(-ct) (Bach 2010), and F(v + d) ≥ F(v) - δT + T²(e^-c + c - 1)/c². The last factor falls with c, so c = RT
is the worst; the least over T is at e^(-RT) = 1 - x, x = Rδ, where it is F(v) - (x + (1 - x)ln(1 - x))/R². ∎
As f(x) = Σ 2xᵏ/((k + 1)(k + 2)) over k ≥ 0, it is at most 1 + x/3 + x²/(6(1 - x)), without cancellation.

Rounding. A score errs by at most γ(p + 8)·Σ|v_j||u_ij|, so the vector of them by `score_errors` = γ
Σ|v_j|·lengths_j, and a sum over samples by `SampleSums.gamma` times the sum of moduli, which Cauchy's
inequality bounds by sums that are there.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from linlearn._scipy import linalg
from linlearn.certificates.ball import ETA, U, gamma, quietly
from linlearn.certificates.samples import inverse
from linlearn.out_of_core.samples import SampleSums
from linlearn.out_of_core.tree_reduction import Leaf, PartialSums
from linlearn.validation import Array, Bools

DIGITS = 40  # roundings that an exponential, a logarithm and what is done with them count for
MORE, LESS = 1 + 64 * U, 1 - 64 * U  # for a dozen operations with single numbers


class Evaluation(NamedTuple):
    """Value, slope and curvature at v, as computed; both bounds of the optimum, proved; the least margin.

    `near` are the samples whose loss is bent there, where that is asked.
    """

    v: Array
    value: float
    slope: Array
    curvature: Array
    lower: float
    upper: float
    least: float = -math.inf
    near: int = 0

    @property
    def step(self) -> Array:
        """Newton's."""
        return -inverse(self.curvature)(self.slope)

    @property
    def squared(self) -> float:
        """Newton's decrement, squared: twice what his step promises."""
        return max(0.0, -float(self.slope @ self.step))


class Loss(Protocol):
    """F, evaluated in one pass over the samples."""

    @property
    def rows(self) -> SampleSums: ...

    def at(self, v: Array) -> Evaluation: ...


@dataclass(frozen=True, slots=True)
class Squares:
    """φ(f) = ½(f - t)², t = `targets[0]` in the positive class and `targets[1]` in the other."""

    rows: SampleSums
    targets: tuple[float, float]

    @quietly
    def at(self, v: Array) -> Evaluation:
        """One pass over the samples."""
        S, g = self.rows, self.rows.gamma(8)
        value, slope, H = S.total(_squares, S.m, v, self.targets).sums
        lengths = np.sqrt(np.diag(H)) * (1 + g)
        size = math.sqrt(float(S.counts @ np.square(self.targets)))
        score_errors = gamma(S.p + 8) * (float(np.abs(v) @ lengths) + size) * MORE
        r = math.sqrt(float(value))
        upper = 0.5 * (r * (1 + g) + score_errors) ** 2 * MORE
        known = 0.5 * max(r * (1 - g) - score_errors, 0.0) ** 2 * LESS if math.isfinite(r) else 0.0
        off = lengths * (g * r * (1 + g) + score_errors) * MORE + S.n * ETA
        delta, _ = decrement(S, slope, off, H, g, np.zeros(S.p, dtype=bool))
        lower = max(0.0, known - _most_decrease(delta)) * LESS
        return Evaluation(v, float(value) / 2, slope, H, lower, upper)


@dataclass(frozen=True, slots=True)
class Logistic:
    """φ(m) = k ln(1 + e^-m), k = `weights[0]` in the positive class, else `weights[1]`; μ = `ridge`."""

    rows: SampleSums
    weights: tuple[float, float]
    ridge: float

    @quietly
    def at(self, v: Array) -> Evaluation:
        """One pass over the samples."""
        S, g, k = self.rows, self.rows.gamma(DIGITS), max(self.weights)
        found = S.total(_logistic, S.m, S.reach, v, self.weights)
        loss, slope, H, squares = found.sums
        ridge = penalty_weights(S, self.ridge)
        penalty = 0.5 * self.ridge * float(v[:-1] @ v[:-1]) if self.ridge else 0.0
        lengths = np.sqrt(squares) * (1 + g)
        score_errors = gamma(S.p + 8) * float(np.abs(v) @ lengths) * MORE
        error = float(loss) * g + k * math.sqrt(S.n) * score_errors
        error = (error + gamma(S.p + 8) * penalty) * MORE
        # A slope's weights q = kσ(-m) ≤ k have Σq² ≤ k Σ φ; they move by at most k/4 times a score's error.
        off = lengths * (g * math.sqrt(k * float(loss)) * (1 + g) + k / 4 * score_errors)
        off = (off + gamma(4) * ridge * np.abs(v)) * MORE + S.n * ETA
        moved = score_error(S, v)
        value, slope, H = float(loss) + penalty, slope + ridge * v, H + np.diag(ridge)
        longest = math.sqrt(float(found.most[1])) * (1 + g)
        delta, R = decrement(S, slope, off, H, g + moved, ridge > 0)
        cost = _most_decrease(delta, longest * R * delta)
        if not self.ridge and float(found.most[0]) < -moved:  # all margins are positive
            return Evaluation(v, value, slope, H, 0.0, 0.0, -float(found.most[0]))
        lower = max(0.0, (value - error - cost) * LESS)
        return Evaluation(v, value, slope, H, lower, (value + error) * MORE)


def _squares(leaf: Leaf, m: Array, v: Array, targets: tuple[float, float]) -> PartialSums:
    z = rows(leaf, m)
    r = z @ v - np.where(leaf.y > 0, *targets)
    return PartialSums((np.asarray(r @ r), r @ z, z.T @ z))


def _logistic(
    leaf: Leaf, m: Array, reach: Array, v: Array, weights: tuple[float, float]
) -> PartialSums:
    z, k = rows(leaf, m), np.where(leaf.y > 0, *weights)
    margins = leaf.y * (z @ v)
    e = np.exp(-np.abs(margins))  # which never overflows
    loss = k @ (np.log1p(e) - np.minimum(margins, 0.0))
    slope = -(leaf.y * k * np.where(margins > 0, e, 1.0) / (1 + e)) @ z
    squares = np.einsum("ij,ij->j", z, z)
    longest = lengths2(z, reach).max()
    z *= (np.sqrt(k * e) / (1 + e))[:, None]
    most = np.array([-margins.min(), longest])
    return PartialSums((np.asarray(loss), slope, z.T @ z, squares), most)


def lengths2(z: Array, reach: Array) -> Array:
    """‖uᵢ/reach‖², shape (k,)."""
    return np.asarray(((z / np.where(reach > 0, reach, 1.0)) ** 2).sum(axis=1))


def rows(leaf: Leaf, m: Array) -> Array:
    """(x - m, 1), shape (k, d + 1)."""
    z = np.ones((len(leaf.x), len(m) + 1))
    np.subtract(leaf.x, m, out=z[:, :-1])
    return z


def penalty_weights(S: SampleSums, ridge: float) -> Array:
    """What each coordinate's square is penalised with: the intercept is free."""
    return np.append(np.full(S.d, ridge), 0.0)


def score_error(S: SampleSums, v: Array) -> float:
    """By how much rounding moves any score of v, at most."""
    return gamma(S.p + 8) * float(np.abs(v) @ S.reach) * MORE


def decrement(
    S: SampleSums, slope: Array, off: Array, H: Array, error: float, penalised: Bools
) -> tuple[float, float]:
    """Upper bounds on δ, and on R for samples with ‖uᵢ/reach‖ = 1; +∞ where rounding hides σ.

    `error` bounds the error of an entry of the curvature, over the roots of its two diagonal entries. A
    column that is constant is 0 here, and one that is `redundant` a combination of others: neither moves
    anything unless it is penalised.
    """
    use = np.asarray(S.reach > 0) | penalised
    found = _within(S, slope, off, H, error, use)
    if found is None and not penalised.any() and S.redundant.any():
        found = _within(S, slope, off, H, error, use & ~S.redundant)
    return found or (math.inf, math.inf)


def _within(
    S: SampleSums, slope: Array, off: Array, H: Array, error: float, use: Bools
) -> tuple[float, float] | None:
    """δ and R along these coordinates."""
    s, p = np.sqrt(np.diag(H)[use]), int(use.sum())
    if not ((s > 1e-140) & (s < 1e140)).all():
        return None
    unit = H[np.ix_(use, use)] / s / s[:, None]
    least = float(linalg.eigvalsh(unit, check_finite=False)[0]) - p * 4 * (error + gamma(8 * p))
    if not least > 0:
        return None
    far = (gamma(4 * p) + 1) / math.sqrt(least) * MORE
    delta = float(np.linalg.norm((np.abs(slope) + off)[use] / s)) * far
    return delta, float((S.reach[use] / s).max()) * far


def _most_decrease(delta: float, x: float = 0.0) -> float:
    """An upper bound on ½δ²·f(x), +∞ unless x < 1."""
    if not x < 1:
        return math.inf
    return 0.5 * delta * delta * min(1 + x / 3 + x * x / 6 / (1 - x), 2.0) * MORE
