"""The lower bound shared by all convex losses: Fenchel duality with multipliers that need not be feasible.

Let F(a) = Σφᵢ(mᵢ) + (λ/2)‖w‖² for a = (w, b), with convex φᵢ and mᵢ = ⟨a, zᵢ⟩, where zᵢ = yᵢ(xᵢ, 1) are the
rows of Z, and let â = (ŵ, b̂) be any hyperplane with margins m̂. For every α with φᵢ*(-αᵢ) finite and every
hyperplane a, with d = a - â,

    F(a) ≥ T - ⟨d, ρ⟩ + (λ/2)‖d_w‖²,   T = Σ(-φᵢ*(-αᵢ) - αᵢm̂ᵢ) + (λ/2)‖ŵ‖²,   ρ = Zᵀα - λ(ŵ, 0).

*Proof.* Fenchel: φᵢ(mᵢ) ≥ -αᵢmᵢ - φᵢ*(-αᵢ), and mᵢ = m̂ᵢ + ⟨d, zᵢ⟩; sum, and write ‖w‖² = ‖ŵ + d_w‖² out. ∎
So α need not be feasible: a residual ρ costs its product with d. Witnesses may therefore be improved in
floating point without a word of proof; only T and ρ are bounded.

How large can ⟨d, ρ⟩ be? A hyperplane that is worse than a known upper bound F̄ of the optimum need not be
looked at. For the others there are two answers.

- λ > 0: in each class some sample costs at most its share of F̄, so its margin is at least some -τ. Hence
  |d_b| ≤ τ + max m̂ + R‖d_w‖, R ≥ ‖xᵢ‖, and ⟨d, ρ⟩ - (λ/2)‖d_w‖² ≤ |ρ_b|(τ + max m̂) + (‖ρ_w‖ + R|ρ_b|)²/2λ.
- Let 0 ≤ δᵢ such that φᵢ*(-αᵢ ± δᵢ) is finite. With α + δ∘sgn(m̂ - m) in place of α the inequality reads
  F̄ ≥ F(a) ≥ T' - ⟨d, ρ⟩ + Σδᵢ|⟨d, zᵢ⟩|, T' the least value of T over those signs. And if
  ‖(√δᵢ⟨d, zᵢ⟩)ᵢ‖ ≥ σ‖s∘d‖ is proved for some scales s > 0, then
  Σδᵢ|⟨d, zᵢ⟩| ≥ Σδᵢ⟨d, zᵢ⟩²/max|⟨d, zᵢ⟩| ≥ σ²‖s∘d‖/κ, κ = max‖zᵢ/s‖. So
  ‖s∘d‖ ≤ (F̄ - T')/(σ²/κ - ‖ρ/s‖) if the denominator is positive, and ⟨d, ρ⟩ ≤ ‖s∘d‖‖ρ/s‖.

Where σ is not proved, d is bounded by decree: see `Certificate.score_bound`.
"""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple, Protocol

import numpy as np

from linlearn._scipy import special
from linlearn.certificates.ball import (
    ETA,
    Ball,
    NormBall,
    U,
    ball,
    fine_total,
    gamma,
    norm,
    product,
    round_up,
    rounded_sum,
)
from linlearn.certificates.bound import CLOSED, Bound, best_of, planes_within
from linlearn.certificates.certificate import Certificate, tightest
from linlearn.certificates.projection import fine_residual
from linlearn.certificates.sample_weights import Scaled
from linlearn.certificates.samples import Samples, inverse, smallest, spread, two_sum
from linlearn.exact.dyadic import products
from linlearn.plane import signed
from linlearn.validation import Array, Index

MOVES = 3  # times that α is moved towards a small residual
# Share of α(1 - α) by which a multiplier may move to bound the hyperplanes that matter: more bends H, less
# bounds fewer of them.
NEAR = 2.0**-3
SPARE = 2.0**-36  # share of all α that is given up where those at their bound must be able to move
# α, relative to its bound, that is left out where the rest cannot be settled with it; it costs as little.
SLIGHT = 1e-9


class Terms(Protocol):
    """The interface of a loss for the bound: φᵢ through its tangent lines."""

    @property
    def top(self) -> Array:
        """αᵢ is in [0, topᵢ]."""

    def of(self, rows: Index) -> "Terms":
        """The same for some of the samples."""

    def tangent(self, alpha: Array, m: NormBall) -> Ball:
        """Σ(-φᵢ*(-αᵢ) - αᵢmᵢ)."""

    def distance_to_bound(self, alpha: Array) -> Array:
        """δ: by how much each α may move either way."""

    def move(self, alpha: Array, rows: Index, shift: Array, tau: float, m: NormBall) -> Ball:
        """At least what it loses when the α of `rows` move by at most `shift` ≤ τδ, τ ≤ 1."""


class HingeTerms(NamedTuple):
    """φᵢ(m) = cᵢ(1 - m)₊: -φᵢ*(-α) = α for 0 ≤ α ≤ cᵢ, so that T = Σαᵢ(1 - m̂ᵢ)."""

    top: Array

    def of(self, rows: Index) -> "HingeTerms":
        return HingeTerms(self.top[rows])

    def tangent(self, alpha: Array, m: NormBall) -> Ball:
        return (1.0 - m).dot(alpha)

    def distance_to_bound(self, alpha: Array) -> Array:
        return np.minimum(alpha, self.top - alpha) * (1 - 4 * U)

    def move(self, alpha: Array, rows: Index, shift: Array, tau: float, m: NormBall) -> Ball:
        return abs(1.0 - m[rows]).dot(shift)


class LogisticTerms(NamedTuple):
    """φᵢ(m) = kᵢ ln(1 + exp(-m)): -φᵢ*(-α) = kᵢH(α/kᵢ), the binary entropy, for 0 ≤ α ≤ kᵢ."""

    top: Array

    def of(self, rows: Index) -> "LogisticTerms":
        return LogisticTerms(self.top[rows])

    def tangent(self, alpha: Array, m: NormBall) -> Ball:
        return entropy(alpha, self.top) - m.dot(alpha)

    def distance_to_bound(self, alpha: Array) -> Array:
        """A part of r = α(k - α)/k, on which H is nearly its tangent."""
        return alpha * (self.top - alpha) / self.top * (NEAR * (1 - 8 * U))

    def move(self, alpha: Array, rows: Index, shift: Array, tau: float, m: NormBall) -> Ball:
        """By Taylor |H'(α/k) - m|s + s²/2r(1 - s/r)² for a move s; the first term is 0 at α = kσ(-m).

        The second derivative of kH(α/k) is -k/α(k - α) = -1/r, and on the way neither α nor k - α falls below
        1 - s/r of what it was.
        """
        log_alpha, log_rest = np.log(alpha[rows]), np.log(self.top[rows] - alpha[rows])
        slope, t = m[rows] + (log_alpha - log_rest), tau * NEAR * (1 + 4 * U)
        lost = 16 * U * (norm(log_alpha) + norm(log_rest) + math.sqrt(len(rows)))  # by logarithms
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
    """A hyperplane a, seen from the samples: v in the coordinates of `S`, with its margins m, shape (n,)."""

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

    def with_exact_margins(self) -> "Margins":
        """The same with exact margins, each rounded once: where large weights would make them inaccurate."""
        Z, a = signed(self.S.raw, self.y), [Fraction(v) for v in self.a.tolist()]
        ratios, t = products(Z, a)
        m = ratios * float(t)
        return self._replace(m=NormBall(m, float(round_up(2 * U * norm(m) + len(m) * ETA, 4))))

    def with_plane(self, a: Array) -> "Margins":
        """The same samples from another hyperplane."""
        return self.at(self.S, self.y, a)

    def hinge_loss(self, factors: Scaled) -> Ball:
        """Σcᵢ(1 - mᵢ)₊. Samples whose margin is 1 up to rounding are looked at one by one."""
        c, short = factors.rounded, 1.0 - self.m
        near = np.flatnonzero(np.abs(short.mid) <= 2 * short.off)
        far = np.flatnonzero(~(short.mid <= 2 * short.off))  # also what is no number
        each = product(self.S.take(near), self.v) * -self.y[near] + 1.0
        little = float(round_up(np.maximum(each.hi, 0.0) @ c[near], len(near) + 2))
        found = short[far].dot(c[far]) + Ball(np.float64(0.0), np.float64(little))
        return found * Ball(1.0, factors.off) if factors.off else found

    def part(self, rows: Index, columns: Index) -> "Margins":
        """Some samples and features, from a hyperplane with about the same scores."""
        S, y = self.S.part(rows, columns), self.y[rows]
        v = ball(S.solve(S.plain_sums(self.m.mid[rows] * y)))
        return Margins(S, y, self.a, v, S.times(v).flipped(y))


def retry_with_exact_margins(
    view: Margins, certificate_at: Callable[[Margins], Certificate]
) -> Certificate:
    """The certificate of a view; if open, also of the `with_exact_margins` one, where that can matter.

    The loss changes by at most what margins do, on average off/√n.
    """
    best = certificate_at(view)
    if best.relative_gap <= CLOSED or view.m.off <= CLOSED * math.sqrt(view.S.n):
        return best
    return tightest((best, certificate_at(view.with_exact_margins())))


def lower_end(
    view: Margins, terms: Terms, alpha: Array, upper: float, *, scale: float, lam: float = 0.0
) -> Bound:
    """The best lower end proved for inf F ≤ `upper`, near the hyperplane in view and the multipliers α.

    `scale` is F(0). Tried in turn until the proof costs next to nothing: completing the square (λ > 0), with
    plain sums and with twice the digits; then multipliers that are moved, with either, and all α a little
    inside their range; without a penalty the same only for the samples with α > 0 (φ ≥ 0 for the others),
    among which fewer columns need be independent.
    """
    if not (upper > 0 and alpha.any()):
        return Bound(0.0, 0.0, dual=alpha)
    if upper > scale:  # 0 is the better hyperplane
        view, upper = view.with_plane(np.zeros_like(view.a)), scale * (1 + 8 * U)
    return best_of(_attempts(view, terms, alpha, upper, lam), upper, scale, alpha)


def _attempts(
    view: Margins, terms: Terms, alpha: Array, upper: float, lam: float
) -> Iterator[Bound]:
    here = DualBound(view, terms, upper, lam)
    if lam:
        yield here.penalised(alpha)
        yield here.penalised(alpha, fine=True)
    if view.S.n >= view.S.p:  # else no rank of all columns can be shown
        for spare in (0.0, SPARE):
            yield from here.near(alpha * (1 - spare))
    if not lam:
        yield here.as_it_is(alpha)
    for threshold in (0.0, SLIGHT) if not lam else ():
        used = np.flatnonzero(alpha > threshold * terms.top)
        if not used.size:
            break
        kept = view.S.spanning(used)
        if (len(used), len(kept)) != (view.S.n, view.S.d):
            there = DualBound(view.part(used, kept), terms.of(used), upper, lam, whole=False)
            for spare in (0.0, SPARE):
                for found in there.near(alpha[used] * (1 - spare)):
                    yield found._replace(interior=found.interior and len(used) == view.S.n)


class DualBound(NamedTuple):
    """The tangent bound at the hyperplane in view, for hyperplanes with F(a) ≤ `upper`."""

    view: Margins
    terms: Terms
    upper: float
    lam: float
    whole: bool = True  # whether all features are there, whose hyperplanes may be bounded

    @property
    def _root(self) -> Ball:
        """√λ."""
        root = math.sqrt(self.lam)
        return Ball(root, 2 * U * root)

    @property
    def _slope(self) -> Ball:
        """λ(ŵ, 0)."""
        return self.view.v * np.append(np.full(self.view.S.d, self.lam), 0.0)

    @property
    def _penalty(self) -> Ball | float:
        """(λ/2)‖ŵ‖²."""
        w = self.view.v[: self.view.S.d]
        return (w * self._root).squares() * 0.5 if self.lam else 0.0

    def penalised(self, alpha: Array, *, fine: bool = False) -> Bound:
        """The first answer, λ > 0: T - ‖ρ_w‖²/2λ - |ρ_b||d_b|; on request with twice the digits in ρ."""
        (S, y, _, _, m), d = self.view, self.view.S.d
        alpha, imbalance = with_zero_class_sum(y, alpha)
        if fine:
            high, low = fine_residual(S, NormBall(alpha * y, 0.0), self._slope)
            rho = (ball(high) + low)[:d]
        else:
            rho = (S.sums(alpha * y) - self._slope)[:d]
        over = Ball(1 / self._root.mid, 8 * U / self._root.mid)
        value = self.terms.tangent(alpha, m) + self._penalty
        # What may be rounding is what the proof costs; the rest of the residual is α's own.
        chosen = np.where(np.abs(rho.mid) <= 4 * rho.rad, 0.0, rho.mid)
        target = value.mid - (ball(chosen) * over).squares().mid * 0.5
        value = value - (rho * over).squares() * 0.5
        if imbalance:
            smaller = min(self.terms.top[y > 0].sum(), self.terms.top[y < 0].sum())
            fixed = self.upper / smaller * (1 + gamma(len(y))) + max(
                float(m.mid.max()) + m.off, 0.0
            )
            more = imbalance * norm(S.lengths[:d]) * over.hi
            value = value - round_up(imbalance * fixed + more * ((rho * over).length() + more), 16)
        return Bound(float(value.lo), float(target - value.lo))

    def near(self, alpha: Array) -> Iterator[Bound]:
        """The second answer, with plain sums and then with twice the digits."""
        (S, y, *_), terms = self.view, self.terms
        slope = self._slope
        rows = _farthest_from_bounds(terms.distance_to_bound(alpha), max(2000, 50 * S.p, S.n // 20))
        B = S.take(rows)
        for moves_left in range(MOVES, -1, -1):
            delta = terms.of(rows).distance_to_bound(alpha[rows])
            rho = S.sums(alpha * y) - slope
            if not moves_left or (np.abs(rho.mid) <= 4 * rho.rad).all():
                break
            solve, moved = inverse((B * delta[:, None]).T @ B), alpha.copy()
            moved[rows] -= delta * y[rows] * (B @ solve(rho.mid))
            alpha = np.where(np.isfinite(moved), np.clip(moved, 0.0, terms.top), alpha)
        m = self.view.m
        value = terms.tangent(alpha, m) + self._penalty
        floor = value - terms.move(alpha, rows, delta, 1.0, m)
        inside = bool(((alpha > 0) & (alpha < terms.top)).all())
        yield self._bound(value, floor, rho, B, delta, inside)
        solve = inverse((B * delta[:, None]).T @ B)
        high, tail, rad = S.fine_sums(alpha * y)
        high, lost = two_sum(high, -slope.mid)
        low = Ball(tail, round_up(rad + slope.rad, 2)) + lost
        shift = product(B, solve(high + low.mid))
        tau = float(np.max(shift.mag, initial=0.0))
        if tau < 0.5:  # α' = α - δ∘(Bh)∘y is in its range, and never rounded; ρ' = ρ - BᵀδBh
            shift = shift * delta
            rho = (ball(high) - product(B.T, shift)) + low
            cost = terms.move(alpha, rows, shift.mag, tau, m)
            delta = delta * (1 - tau) * (1 - 8 * U)
            yield self._bound(value - cost, floor - cost, rho, B, delta, inside)

    def as_it_is(self, alpha: Array) -> Bound:
        """For bounded hyperplanes: the best one may leave a residual in a direction of little spread."""
        S, y, _, v, m = self.view
        high, low = fine_residual(S, NormBall(alpha * y, 0.0), ball(np.zeros(S.p)))
        cost, score_bound = planes_within(S, high + low, v)
        value = self.terms.tangent(alpha, m)
        lower = float((value - cost).lo)
        return Bound(lower, float(value.mid) - lower, score_bound)

    def _bound(
        self, value: Ball, floor: Ball, rho: Ball, B: Array, delta: Array, inside: bool
    ) -> Bound:
        """T less what the residual may cost; `floor` is T'.

        Multipliers that are `inside` their ranges stay there when they move by less than δ, to where no
        residual is left.
        """
        cost, score_bound, moved = self._reach(float((self.upper - floor).hi), rho, B, delta)
        lower = (value - cost).lo
        return Bound(float(lower), float(value.mid - lower), score_bound, interior=inside and moved)

    def _reach(self, most: float, rho: Ball, B: Array, delta: Array) -> tuple[float, float, bool]:
        """At least ⟨d, ρ⟩ for all d that count, and within which bound of hyperplanes; `most` is F̄ - T'.

        Also whether some q with |qᵢ| ≤ δᵢ and Bᵀq = ρ is proved: q = δ∘Bh has |Bh| ≤ κ‖ρ/s‖/σ².
        """
        sigma, s = smallest(B * np.sqrt(delta)[:, None])
        if sigma > 0 and most < math.inf:
            kappa = float(np.sqrt((np.square(B) @ (1 / s / s)).max())) * (1 + gamma(len(s) + 8))
            residual = norm(rho.mag / s) * (1 + 4 * U)
            denominator = sigma * sigma / kappa * (1 - 8 * U) - residual
            if denominator > 0:
                return float(round_up(residual * max(most, 0.0) / denominator, 6)), math.inf, True
        if not self.whole:
            return math.inf, math.inf, False
        return *planes_within(self.view.S, rho, self.view.v), False


def with_zero_class_sum(y: Array, alpha: Array) -> tuple[Array, float]:
    """`with_equal_class_sums` α with Σαᵢyᵢ = 0 up to the rounding of one αᵢ, and a bound of |Σαᵢyᵢ|.

    The largest αᵢ of the class that has too much gives way.
    """
    left = fine_total(alpha * y)
    heavier = np.where(y == np.sign(left.mid), alpha, 0.0)
    k = int(heavier.argmax())
    if not heavier[k] > abs(left.mid):
        return alpha, float(left.mag)
    alpha = alpha.copy()
    alpha[k] -= abs(left.mid)
    return alpha, float(round_up(left.rad + U * heavier[k], 2))


def with_equal_class_sums(y: Array, alpha: Array) -> Array:
    """The class with the larger sum of α scaled down to the other's.

    No αᵢ is then farther than four roundings from one with equal class sums. Where these differ by two
    roundings or less, and each by one from what it is, α is that near already: (1 - 2U)(1 - U)/(1 + U) >
    1 - 4U. Scaling anyway would move those at their upper bound off it by a last digit.
    """
    plus, minus = (rounded_sum(np.where(own, alpha, 0.0)) for own in (y > 0, y < 0))
    less, most = sorted((plus, minus))
    if most - less <= 2 * U * most:
        return alpha
    if less <= 2.0**-900 * most:  # nothing, or so little that it would underflow
        return np.zeros_like(alpha)
    return alpha * np.where(y > 0, less / plus, less / minus)


def _farthest_from_bounds(distance_to_bound: Array, most: int) -> Index:
    """At most `most` samples farthest from their bounds, in order; equals are evenly spread."""
    kth = np.partition(distance_to_bound, -most)[-most] if len(distance_to_bound) > most else 0.0
    ample = np.flatnonzero(distance_to_bound >= max(kth, distance_to_bound.max(initial=0.0) / 8))
    if len(ample) >= most:
        return ample[spread(len(ample), most)]
    above, equal = (
        np.flatnonzero(distance_to_bound > kth),
        np.flatnonzero((distance_to_bound == kth) & (distance_to_bound > 0)),
    )
    return np.sort(np.append(above, equal[spread(len(equal), most - len(above))]))
