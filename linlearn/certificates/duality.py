"""Lower bounds for hinge loss, soft margin and logistic loss, from dual variables that need not be feasible.

Let F(a) = Σφᵢ(mᵢ) + (λ/2)‖w‖² for a = (w, b), with convex φᵢ and mᵢ = ⟨a, zᵢ⟩, where zᵢ = yᵢ(xᵢ, 1) are the
signed samples, the rows of Z. (The rows uᵢ of `Samples` have no sign: zᵢ = yᵢuᵢ.) Let â = (ŵ, b̂) be
any hyperplane with margins m̂. For every α with φᵢ*(-αᵢ) finite and every hyperplane a, with d = a - â,

    F(a) ≥ T - ⟨d, ρ⟩ + (λ/2)‖d_w‖²,   T = Σ(-φᵢ*(-αᵢ) - αᵢm̂ᵢ) + (λ/2)‖ŵ‖²,   ρ = Zᵀα - λ(ŵ, 0).

*Proof.* Fenchel: φᵢ(mᵢ) ≥ -αᵢmᵢ - φᵢ*(-αᵢ), and mᵢ = m̂ᵢ + ⟨d, zᵢ⟩; sum, and write ‖w‖² = ‖ŵ + d_w‖² out. ∎
So α need not be feasible: a residual ρ costs its product with d. Witnesses may therefore be improved in
floating point without touching the proof; only the rounding of T and ρ has to be bounded.

How large can ⟨d, ρ⟩ be? A hyperplane worse than a known upper bound F̄ of the optimum need not be considered.
For the others there are three answers, each a method of `DualBound`.

- `by_completing_square`, for λ > 0: the multipliers are first moved to where Σαᵢyᵢ = 0 exactly, so that ρ has
  no entry for the intercept, and ⟨d, ρ⟩ - (λ/2)‖d_w‖² ≤ ‖ρ_w‖²/2λ.
- `by_moving_multipliers`. Let δᵢ ≥ 0 be such that φᵢ* is finite at -αᵢ - δᵢ and at -αᵢ + δᵢ. The inequality
  also holds with αᵢ + δᵢ for the samples whose margin is smaller with a than with â, and αᵢ - δᵢ for the
  others. It is then F̄ ≥ F(a) ≥ T' - ⟨d, ρ⟩ + Σδᵢ|⟨d, zᵢ⟩|, where T' is the smallest T over all choices of
  signs. Suppose that ‖(√δᵢ⟨d, zᵢ⟩)ᵢ‖ ≥ σ‖s∘d‖ is proved for some scales s > 0, and let κ = max‖zᵢ/s‖. Then
  Σδᵢ|⟨d, zᵢ⟩| ≥ Σδᵢ⟨d, zᵢ⟩²/max|⟨d, zᵢ⟩| ≥ σ²‖s∘d‖/κ. So ‖s∘d‖ ≤ (F̄ - T')/(σ²/κ - ‖ρ/s‖) if the
  denominator is positive, and ⟨d, ρ⟩ ≤ ‖s∘d‖‖ρ/s‖.
- `for_bounded_hyperplanes`. If no such σ can be proved, because columns depend on each other up to
  rounding, or T' is too small, because the witnesses are poor, the bound is claimed only for hyperplanes
  with bounded scores (`Certificate.score_bound`). The second method falls back to this at its own α.

The proof holds in any centred coordinates; the code uses those of `Samples`. Where the second method moves
multipliers that are all strictly inside their ranges to a residual of 0, it proves more: then Za ≥ 0 implies
Za = 0, so that a minimiser exists (`Bound.interior`). docs/dev/certificates.md explains the whole.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np

from linlearn._scipy import special
from linlearn.certificates.balance import balanced
from linlearn.certificates.ball import (
    ETA,
    Ball,
    NormBall,
    U,
    ball,
    gamma,
    norm,
    product,
    round_up,
)
from linlearn.certificates.bound import Bound, best_of, residual_cost
from linlearn.certificates.projection import fine_residual
from linlearn.certificates.sample_weights import Scaled
from linlearn.certificates.samples import Samples, inverse, smallest
from linlearn.validation import Array, Index

MOVES = 3  # times that α is moved towards a small residual
# A multiplier of the logistic loss may move by this share of α(1 - α). With a larger share T' is smaller, and
# with a smaller share fewer hyperplanes are excluded.
NEAR = 2.0**-3
SPARE = 2.0**-36  # share by which all α are reduced so that those at their upper limit can move
# Samples whose α is below this share of its limit are left out if the bound cannot be proved with them. That
# lowers the bound by as small a share.
SLIGHT = 1e-9


@dataclass(frozen=True, slots=True)
class Terms(ABC):
    """A loss as the bound sees it: φᵢ through its tangent lines; αᵢ is in [0, topᵢ]."""

    top: Array

    def subset(self, rows: Index) -> Self:
        """The same for some of the samples."""
        return replace(self, top=self.top[rows])

    @abstractmethod
    def tangent(self, alpha: Array, m: NormBall) -> Ball:
        """Σ(-φᵢ*(-αᵢ) - αᵢmᵢ)."""

    @abstractmethod
    def distance_to_bound(self, alpha: Array) -> Array:
        """δ: how far each α may move up or down."""

    @abstractmethod
    def drop(self, alpha: Array, rows: Index, shift: Array, tau: float, m: NormBall) -> Ball:
        """An upper bound on the drop of `tangent` when α of `rows` moves by at most `shift` ≤ τδ, τ ≤ 1."""


class HingeTerms(Terms):
    """φᵢ(m) = cᵢ(1 - m)₊: -φᵢ*(-α) = α for 0 ≤ α ≤ cᵢ, so that `tangent` is Σαᵢ(1 - m̂ᵢ)."""

    def tangent(self, alpha: Array, m: NormBall) -> Ball:
        return (1.0 - m).dot(alpha)

    def distance_to_bound(self, alpha: Array) -> Array:
        return np.minimum(alpha, self.top - alpha) * (1 - 4 * U)

    def drop(self, alpha: Array, rows: Index, shift: Array, tau: float, m: NormBall) -> Ball:
        return abs(1.0 - m[rows]).dot(shift)


class LogisticTerms(Terms):
    """φᵢ(m) = kᵢ ln(1 + exp(-m)): -φᵢ*(-α) = kᵢH(α/kᵢ), the binary entropy, for 0 ≤ α ≤ kᵢ."""

    def tangent(self, alpha: Array, m: NormBall) -> Ball:
        return entropy(alpha, self.top) - m.dot(alpha)

    def distance_to_bound(self, alpha: Array) -> Array:
        """`NEAR` times r = α(k - α)/k: after moves that small the entropy is still close to its tangent."""
        return alpha * (self.top - alpha) / self.top * (NEAR * (1 - 8 * U))

    def drop(self, alpha: Array, rows: Index, shift: Array, tau: float, m: NormBall) -> Ball:
        """By Taylor |H'(α/k) - m|s + s²/2r(1 - s/r)² for a move by s; the first term is 0 at α = kσ(-m).

        The second derivative of kH(α/k) is -k/α(k - α) = -1/r, and on the way neither α nor k - α falls below
        1 - s/r of what it was.
        """
        log_alpha, log_rest = np.log(alpha[rows]), np.log(self.top[rows] - alpha[rows])
        slope, t = m[rows] + (log_alpha - log_rest), tau * NEAR * (1 + 4 * U)
        lost = 16 * U * (norm(log_alpha) + norm(log_rest) + math.sqrt(len(rows)))  # in logarithms
        bend = t / 2 / (1 - t) ** 2 * (1 + 16 * U)
        return (abs(NormBall(slope.mid, float(round_up(slope.off + lost, 4)))) + bend).dot(shift)


def entropy(alpha: Array, k: Array) -> Ball:
    """ΣkᵢH(αᵢ/kᵢ), H(s) = -s ln s - (1 - s)ln(1 - s); libraries' logarithms are trusted to a few last digits.

    A ratio s = α/k that is rounded moves H by at most H(U) < 40U, as H is concave and 0 at both ends.
    """
    ratio, weighted = alpha / k, bool((k != 1).any())
    # At most 1 - 2⁻⁵³, so that the logarithm is finite; at 1 itself H = 0 either way.
    H = (special.entr(ratio) - (1 - ratio) * np.log1p(-np.minimum(ratio, 1 - U))) * k
    rounded = 64 * U * norm(k) if weighted else 0.0
    return NormBall(H, 16 * U * norm(H) + rounded + 8 * float(np.maximum(k, 1).sum()) * ETA).sum()


class Margins(NamedTuple):
    """The margins m, shape (n,), of a hyperplane a on the samples `S`; v is a in the coordinates of `S`."""

    S: Samples
    y: Array
    a: Array
    v: Ball
    m: NormBall

    @classmethod
    def of(cls, X: Array, y: Array, a: Array, *, scaled: bool) -> "Margins":
        return cls.at(Samples(X, scaled=scaled), y, a)

    @classmethod
    def at(cls, S: Samples, y: Array, a: Array) -> "Margins":
        v = S.coordinates(a)
        return cls(S, y, a, v, S.times(v).flipped(y))

    def hinge_loss(self, factors: Scaled) -> Ball:
        """Σcᵢ(1 - mᵢ)₊. Samples whose margin is 1 up to rounding are looked at one by one."""
        c, short = factors.rounded, 1.0 - self.m
        near = np.flatnonzero(abs(short.mid) <= 2 * short.off)
        far = np.flatnonzero(~(short.mid <= 2 * short.off))  # also what is no number
        f = product(self.S.take(near), self.v)
        each = Ball(f.mid * -self.y[near], f.rad) + 1.0
        little = float(round_up(np.maximum(each.hi, 0.0).dot(c[near]), len(near) + 2))
        found = short[far].dot(c[far]) + Ball(0.0, little)
        return found * Ball(1.0, factors.off) if factors.off else found

    def subset(self, rows: Index, columns: Index) -> "Margins":
        """Some samples and features, with a hyperplane that has about the same scores."""
        S, y = self.S.subset(rows, columns), self.y[rows]
        v = ball(S.solve(S.plain_sums(self.m.mid[rows] * y)))
        return Margins(S, y, self.a, v, S.times(v).flipped(y))


def lower_bound(
    margins: Margins, terms: Terms, alpha: Array, upper: float, *, scale: float, lam: float = 0.0
) -> Bound:
    """The best lower bound proved for inf F ≤ `upper`, from the margins of a hyperplane and multipliers α.

    `scale` is F(0). `_attempts` has the order in which the bounds are tried, until one loses next to nothing.
    """
    if not (upper > 0 and alpha.any()):
        return Bound(0.0, 0.0, dual=alpha)
    if upper > scale:  # 0 is the better hyperplane
        margins = Margins.at(margins.S, margins.y, np.zeros_like(margins.a))
        upper = scale * (1 + 8 * U)
    return best_of(_attempts(margins, terms, alpha, upper, lam), upper, scale, alpha)


def _attempts(
    margins: Margins, terms: Terms, alpha: Array, upper: float, lam: float
) -> Iterator[Bound]:
    """The answers of `DualBound` in turn.

    Without a penalty, moving multipliers is tried again on the samples whose α is not slight: φ ≥ 0 for the
    others, and fewer columns have to be independent.
    """
    everywhere = DualBound(margins, terms, upper, lam)
    if lam:
        yield everywhere.by_completing_square(alpha)
    if margins.S.n >= margins.S.p:  # otherwise the columns cannot be independent
        for spare in (0.0, SPARE):
            yield from everywhere.by_moving_multipliers(alpha * (1 - spare))
    if lam:
        return
    yield everywhere.for_bounded_hyperplanes(alpha)
    used = np.flatnonzero(alpha > SLIGHT * terms.top)
    kept = margins.S.spanning(used) if used.size else used
    if (len(used), len(kept)) in ((0, 0), (margins.S.n, margins.S.d)):
        return
    there = DualBound(margins.subset(used, kept), terms.subset(used), upper, lam, whole=False)
    for spare in (0.0, SPARE):
        for found in there.by_moving_multipliers(alpha[used] * (1 - spare)):
            yield found._replace(interior=found.interior and len(used) == margins.S.n)


class DualBound(NamedTuple):
    """The three answers of the module's docstring, for hyperplanes with F(a) ≤ `upper`."""

    margins: Margins
    terms: Terms
    upper: float
    lam: float
    whole: bool = True  # whether all features are there, so that hyperplanes may be bounded

    @property
    def _slope(self) -> Ball:
        """λ(ŵ, 0)."""
        return self.margins.v * np.append(np.full(self.margins.S.d, self.lam), 0.0)

    @property
    def _penalty(self) -> Ball | float:
        """(λ/2)‖ŵ‖²."""
        return half_square(self.margins.v[: self.margins.S.d], self.lam) if self.lam else 0.0

    def by_completing_square(self, alpha: Array) -> Bound:
        """T - ‖ρ_w‖²/2λ, with α moved to where the classes balance."""
        (S, y, _, v, m), d = self.margins, self.margins.S.d
        alpha = balanced(y, alpha)
        rho = S.sums(alpha * y)[:d] - (v[:d] if self.lam == 1 else v[:d] * self.lam)
        scaled = times_root(rho, self.lam, inverse=True)
        value = self.terms.tangent(alpha, m) + self._penalty
        # Entries of ρ that may be nothing but rounding belong to the allowance. The others are a residual of
        # the multipliers themselves, which no further digits would remove.
        residual = np.where(abs(rho.mid) <= 4 * rho.rad, 0.0, scaled.mid)
        unrounded = value.mid - 0.5 * float(residual.dot(residual))
        lower = (value - scaled.squares() * 0.5).lo
        return Bound(float(lower), float(unrounded - lower))

    def by_moving_multipliers(self, alpha: Array) -> Iterator[Bound]:
        """T less ‖s∘d‖‖ρ/s‖, with α moved to where ρ is small; a second bound has twice the digits."""
        (S, y, _, _, m), terms = self.margins, self.terms
        slope = self._slope
        rows = _farthest_from_bounds(terms.distance_to_bound(alpha), max(2000, 50 * S.p, S.n // 20))
        B = S.take(rows)
        for moves_left in range(MOVES, -1, -1):
            delta = terms.subset(rows).distance_to_bound(alpha[rows])
            rho = S.sums(alpha * y) - slope
            if not moves_left or (np.abs(rho.mid) <= 4 * rho.rad).all():
                break
            solve, moved = inverse((B * delta[:, None]).T @ B), alpha.copy()
            moved[rows] -= delta * y[rows] * (B @ solve(rho.mid))
            alpha = np.where(np.isfinite(moved), np.clip(moved, 0.0, terms.top), alpha)
        value = terms.tangent(alpha, m) + self._penalty
        floor = value - terms.drop(alpha, rows, delta, 1.0, m)
        inside = bool(((alpha > 0) & (alpha < terms.top)).all())
        yield self._bound(value, floor, rho, B, delta, inside)
        solve = inverse((B * delta[:, None]).T @ B)
        high, low = fine_residual(S, NormBall(alpha * y, 0.0), slope)
        shift = product(B, solve(high + low.mid))
        tau = float(np.max(shift.mag, initial=0.0))
        if tau < 0.5:  # α' = α - δ∘(Bh)∘y is in its range, and never rounded; ρ' = ρ - BᵀδBh
            shift = shift * delta
            rho = (ball(high) - product(B.T, shift)) + low
            drop = terms.drop(alpha, rows, shift.mag, tau, m)
            delta = delta * (1 - tau) * (1 - 8 * U)
            yield self._bound(value - drop, floor - drop, rho, B, delta, inside)

    def for_bounded_hyperplanes(self, alpha: Array) -> Bound:
        """T less the largest ⟨d, ρ⟩ of bounded hyperplanes, without a penalty.

        The best α may leave a residual in a direction in which the samples hardly differ.
        """
        S, y, _, v, m = self.margins
        high, low = fine_residual(S, NormBall(alpha * y, 0.0), ball(np.zeros(S.p)))
        most, score_bound = residual_cost(S, high + low, v)
        value = self.terms.tangent(alpha, m)
        lower = float((value - most).lo)
        return Bound(lower, float(value.mid) - lower, score_bound)

    def _bound(
        self, value: Ball, floor: Ball, rho: Ball, B: Array, delta: Array, inside: bool
    ) -> Bound:
        """T less the largest ⟨d, ρ⟩; `floor` is T'.

        Multipliers that are `inside` their ranges stay there when they move by less than δ, to where no
        residual is left.
        """
        excess = float((self.upper - floor).hi)
        most, score_bound, moved = self._largest_product(excess, rho, B, delta)
        lower = (value - most).lo
        return Bound(float(lower), float(value.mid - lower), score_bound, interior=inside and moved)

    def _largest_product(
        self, excess: float, rho: Ball, B: Array, delta: Array
    ) -> tuple[float, float, bool]:
        """An upper bound on ⟨d, ρ⟩ over all a with F(a) ≤ F̄, and its score bound; `excess` is F̄ - T'.

        Also whether some q with |qᵢ| ≤ δᵢ and Bᵀq = ρ is proved: q = δ∘Bh has |Bh| ≤ κ‖ρ/s‖/σ².
        """
        sigma, s = smallest(B * np.sqrt(delta)[:, None])
        if sigma > 0 and excess < math.inf:
            kappa = float(np.sqrt((np.square(B) @ (1 / s / s)).max())) * (1 + gamma(len(s) + 8))
            residual = norm(rho.mag / s) * (1 + 4 * U)
            denominator = sigma * sigma / kappa * (1 - 8 * U) - residual
            if denominator > 0:
                return float(round_up(residual * max(excess, 0.0) / denominator, 6)), math.inf, True
        if not self.whole:
            return math.inf, math.inf, False
        return *residual_cost(self.margins.S, rho, self.margins.v), False


def half_square(w: Ball, lam: float) -> Ball:
    """(λ/2)‖w‖², multiplied first, so that no square underflows alone."""
    return times_root(w, lam).squares() * 0.5


def times_root(w: Ball, lam: float, *, inverse: bool = False) -> Ball:
    """√λ·w, or w/√λ."""
    if lam == 1:  # as for a soft margin
        return w
    root = 1 / math.sqrt(lam) if inverse else math.sqrt(lam)
    return w * Ball(root, 4 * U * root)


def _farthest_from_bounds(distance_to_bound: Array, most: int) -> Index:
    """At most `most` samples farthest from their bounds, in order; none that is at a bound."""
    away = np.flatnonzero(distance_to_bound)
    if len(away) > most:  # to sort all would take longer than a pass over many samples
        least = np.partition(distance_to_bound[away], -most)[-most]
        away = away[distance_to_bound[away] >= least]
        away = np.sort(away[np.argsort(-distance_to_bound[away], kind="stable")[:most]])
    return away
