"""Hinge loss and soft margin out of core: smoothed Newton steps, an interior point, and both bounds proved.

Let F(v) = Σ kᵢ(1 - mᵢ)₊ + (μ/2)‖w‖², mᵢ = ⟨Aᵢ, v⟩, with yᵢAᵢ the rows of `SampleSums`. At an optimum a
sample that violates margin 1 has the multiplier kᵢ and one beyond it has 0: only those at margin 1 are
unknowns. From afar the kink does not show: with a width ε around it smoothed to kε ln(1 + e^((1 - m)/ε)),
Newton's steps, sums over all samples, lead near an optimum, and the width falls. When few samples are within
eight widths of margin 1 they come here, the others stay on their sides as one sum, and the problem that is
left is solved as in memory. One pass at the new hyperplane gives both bounds and shows which samples have
changed sides.

For any multipliers 0 ≤ α ≤ k and any v, with ρ = μ(w, 0) - Σ αᵢAᵢ,

    inf F ≥ Σ αᵢ(1 - mᵢ) + (μ/2)‖w‖² - ‖ρ‖²/2μ    if the last entry of ρ is 0,

and for μ = 0 if all are. There are two ways to have that. One scales the heavier class down. The other, with
κᵢ = αᵢ(kᵢ - αᵢ)/(kᵢω) for some ω > 0 and H = Σ κᵢAᵢAᵢᵀ + μ diag(1, …, 1, 0), takes u = H⁻¹ρ and
α'ᵢ = αᵢ + κᵢ⟨Aᵢ, u⟩, which are in [0, kᵢ] if |⟨Aᵢ, u⟩| ≤ Rδ ≤ ω where κᵢ > 0 (δ, R as in `losses`). Then
ρ' = ρ - (H - μ diag(1, …, 1, 0))u = μ(u₁, …, u_d, 0), and

    inf F ≥ Σ αᵢ(1 - mᵢ) + (μ/2)‖w‖² - δ√(Σ κᵢ(1 - mᵢ)²) - δ²/2

by Cauchy and Schwarz, as Σ κᵢ⟨Aᵢ, u⟩² + μ‖u‖² ≤ ρᵀH⁻¹ρ ≤ δ². (Here ω is the width of `dual`, or 1.)

Rounding. α and κ are the floats that were computed, whatever they are; sums of them err as in `losses`.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from linlearn.certificates.ball import ETA, gamma, quietly
from linlearn.certificates.sparse_dual import SparseDual
from linlearn.out_of_core.losses import (
    DIGITS,
    LESS,
    MORE,
    Evaluation,
    decrement,
    lengths2,
    penalty_weights,
    rows,
    score_error,
)
from linlearn.out_of_core.newton import line_search
from linlearn.out_of_core.samples import PILOT, SampleSums
from linlearn.out_of_core.tree_reduction import Leaf, PartialSums, one_thread
from linlearn.solvers.hinge import STRETCH, TOLERANCE, solve_margins
from linlearn.solvers.interior_point import interior_point
from linlearn.validation import Array

NEGLIGIBLE = 1e-16  # of a weight: a curvature that is not worth a product of matrices
NEAR = 8.0  # widths from margin 1 within which a sample is doubtful
FALL = 8.0  # of the width, once a Newton step moves margins by less than it
SETTLED = 1e-8  # of its upper bound: a multiplier that counts as at a bound
CLOSE = 1e-6  # to margin 1: a sample that may be on it
NARROW = 1e-8  # width at which so many samples share one margin that they are not told apart
MOST = 20  # how often the doubtful are solved for
ROUGH = 1e-3  # relative gap at which a part of the samples has told where to begin


@dataclass(frozen=True, slots=True)
class Smoothed:
    """F with φ(m) = kε ln(1 + e^((1 - m)/ε)), ε = `width`; k and μ = `ridge` as for `losses.Logistic`.

    Nothing is proved: the lower bound is 0. `near` counts the samples within `NEAR` widths of margin 1.
    """

    rows: SampleSums
    weights: tuple[float, float]
    ridge: float
    width: float

    @quietly
    def at(self, v: Array) -> Evaluation:
        """One pass over the samples."""
        S = self.rows
        loss, slope, H, near = S.total(_smoothed, S.m, v, self.weights, self.width).sums
        ridge = penalty_weights(S, self.ridge)
        value, slope = float(loss) + 0.5 * float(ridge @ v**2), slope + ridge * v
        return Evaluation(v, value, slope, H + np.diag(ridge), 0.0, value, near=int(near))


def _smoothed(
    leaf: Leaf, m: Array, v: Array, weights: tuple[float, float], width: float
) -> PartialSums:
    z, k = rows(leaf, m), np.where(leaf.y > 0, *weights)
    t = (1 - leaf.y * (z @ v)) / width
    e = np.exp(-np.abs(t))
    value = width * (k @ (np.maximum(t, 0.0) + np.log1p(e)))
    slope = -(leaf.y * k * np.where(t > 0, 1.0, e) / (1 + e)) @ z
    curved = e > NEGLIGIBLE
    z = z[curved] * (np.sqrt(k[curved] * e[curved] / width) / (1 + e[curved]))[:, None]
    near = np.asarray(float((np.abs(t) <= NEAR).sum()))
    return PartialSums((np.asarray(value), slope, z.T @ z, near))


class Doubtful(NamedTuple):
    """Samples that may be at margin 1, rows (number, label, x); Σ αᵢAᵢ and Σ αᵢ of the others.

    `lengths` are those of the columns of all samples.
    """

    samples: Array
    moment: Array
    total: float
    lengths: Array


@dataclass(frozen=True, slots=True)
class Hinge:
    """F itself."""

    rows: SampleSums
    weights: tuple[float, float]
    ridge: float

    @quietly
    def at(self, v: Array, dual: SparseDual, near: float = -1.0) -> tuple[Evaluation, Doubtful]:
        """One pass: both bounds, proved by v and `dual`; doubtful are those of `dual`, and within `near`."""
        S, g, k = self.rows, self.rows.gamma(DIGITS), max(self.weights)
        found = S.total(_hinge, S.m, S.reach, v, self.weights, dual, near)
        hinge, plus, minus, modulus, spread, total = found.sums[0].tolist()
        class_sums, moment, H, squares = found.sums[1:]
        ridge = penalty_weights(S, self.ridge)
        penalty = 0.5 * float(ridge @ v**2)
        lengths = np.sqrt(squares) * (1 + g)
        margin_error = k * math.sqrt(S.n) * gamma(S.p + 8) * float(np.abs(v) @ lengths) * MORE
        moved = score_error(S, v)
        short = hinge * (1 + g) + margin_error if float(found.most[1]) > -moved else 0.0
        upper = (penalty * (1 + gamma(S.p + 8)) + short) * MORE
        slope = ridge * v - class_sums[0] + class_sums[1]
        sizes = lengths * math.sqrt(k * float(class_sums[:, -1].sum())) * (1 + g) + S.n * ETA
        lower = self._scaled(v, class_sums, (plus, minus), sizes, g) if self.ridge else 0.0
        omega = dual.width or 1.0
        H = H / omega + np.diag(ridge)
        delta, R = decrement(S, slope, (sizes + ridge * np.abs(v)) * g, H, g, ridge > 0)
        if math.sqrt(float(found.most[0])) * (1 + g) * R * delta < 0.99 * omega:
            root = (math.sqrt(spread) * (1 + g) + margin_error) / math.sqrt(omega)
            lower = max(lower, plus + minus + penalty - delta * (root + delta / 2) * MORE)
        lower -= (gamma(S.p + 8) * penalty + modulus * 4 * g + margin_error) * MORE
        upper = upper if upper < math.inf else math.inf  # NaN is more
        lower = min(max(0.0, lower * LESS), upper) if math.isfinite(lower) else 0.0
        reading = Evaluation(v, upper, slope, H, lower, upper, 1 - float(found.most[1]))
        return reading, Doubtful(found.rows, moment, total, lengths)

    def _scaled(
        self, v: Array, class_sums: Array, gains: tuple[float, float], sizes: Array, g: float
    ) -> float:
        """The dual value, with the multipliers of the heavier class scaled down to the sum of the other's."""
        totals = class_sums[:, -1]
        if not (totals > 0).all():
            return 0.0
        shares = np.minimum(1.0, totals[::-1] / totals)  # of the exact sums: within 3γ of these
        rest = self.ridge * v - shares[0] * class_sums[0] + shares[1] * class_sums[1]
        rest = (np.abs(rest) + 8 * g * (sizes + self.ridge * np.abs(v)))[:-1]
        value = 0.5 * self.ridge * float(v[:-1] @ v[:-1]) + float(shares @ gains)
        return value - float(rest @ rest) / (2 * self.ridge) * MORE

    def solve_doubtful(self, doubtful: Doubtful) -> tuple[Array, SparseDual]:
        """v and multipliers for the doubtful, the others held where they are."""
        S, (number, y, x) = self.rows, np.split(doubtful.samples, [1, 2], axis=1)
        size = np.where(S.reach > 0, doubtful.lengths / math.sqrt(S.n), math.inf)
        unit = np.append(1 / size[:-1], 1.0)
        A = np.column_stack([x - S.m, np.ones(len(x))]) * unit * y
        q = np.append(self.ridge * unit[:-1] ** 2, 0.0)
        c = np.where(y[:, 0] > 0, *self.weights)
        # No value is negative, and without a penalty one below a weight shows that no slack exceeds 1.
        enough = 0.0 if len(x) < S.n else -math.inf
        enough = enough if self.ridge else min(self.weights)
        goals = dict(tolerance=TOLERANCE / 2, constant=doubtful.total, enough=enough)
        with one_thread():
            u, alpha, _ = interior_point(A, q, -doubtful.moment * unit, c, **goals)
        t = 1 - A @ u
        beyond = (np.abs(alpha - np.where(t > 0, c, 0.0)) > SETTLED * c) | (np.abs(t) < CLOSE)
        return u * unit, SparseDual(number[beyond, 0].astype(np.int64), alpha[beyond])


def _hinge(
    leaf: Leaf,
    m: Array,
    reach: Array,
    v: Array,
    weights: tuple[float, float],
    dual: SparseDual,
    near: float,
) -> PartialSums:
    z, plus = rows(leaf, m), leaf.y > 0
    margins, k = leaf.y * (z @ v), np.where(plus, *weights)
    t = 1 - margins
    alpha = dual.of(margins, k, leaf.first)
    gains, kappa = alpha * t, alpha * (k - alpha) / k
    class_sums = np.array([np.where(plus, alpha, 0.0) @ z, np.where(plus, 0.0, alpha) @ z])
    doubtful = np.abs(t) <= near
    doubtful[dual.samples[dual.among(leaf.first, len(t))] - leaf.first] = near >= 0
    frozen = np.where(doubtful, 0.0, alpha)
    moment, squares = (frozen * leaf.y) @ z, np.einsum("ij,ij->j", z, z)
    curved = kappa > NEGLIGIBLE * k
    z, kappa = z[curved], kappa[curved]
    longest = lengths2(z, reach).max(initial=0.0)
    numbers = [k @ np.maximum(t, 0.0), gains[plus].sum(), gains[~plus].sum(), np.abs(gains).sum()]
    numbers += [kappa @ t[curved] ** 2, frozen.sum()]
    z *= np.sqrt(kappa)[:, None]
    number = leaf.first + np.flatnonzero(doubtful)
    samples = np.column_stack([number, leaf.y[doubtful], leaf.x[doubtful]])
    most = np.array([longest, t.max()])
    return PartialSums((np.array(numbers), class_sums, moment, z.T @ z, squares), most, samples)


def most_in_memory(S: SampleSums) -> int:
    """How many samples may be solved for here: 16 MiB, or some for each feature."""
    return max(PILOT // 2 // S.p, 16 * S.p + 500)


def smoothed_start(F: Hinge) -> tuple[Array, float, float]:
    """v near an optimum, the width, and how far from margin 1 samples are doubtful: +∞ all, -1 too many."""
    S = F.rows
    if S.n <= most_in_memory(S):
        return np.zeros(S.p), 0.0, math.inf
    v, width = _pilot_start(F)
    loss = Smoothed(S, F.weights, F.ridge, width)
    now = loss.at(v)
    before = now.v
    while True:
        squared = now.squared
        # That is how far a step moves margins where the loss is bent, in the mean.
        at_minimum = squared <= loss.width**2 * now.curvature[-1, -1]
        stay = at_minimum and loss.width > NARROW
        found = None if stay else line_search(loss, now, squared)
        if found is not None:
            now = found[0]
            continue
        if loss.width <= NARROW:
            return now.v, loss.width, -1.0
        v = S.coordinates(S.plane(now.v + now.step)) if at_minimum else now.v
        if now.near <= most_in_memory(S):
            return v, loss.width, NEAR * loss.width
        # Of a loss whose samples share few margins the minimisers are about linear in the width.
        loss, ahead, before = replace(loss, width=loss.width / FALL), v + (v - before) / FALL, v
        now = loss.at(S.coordinates(S.plane(ahead)))


def _pilot_start(F: Hinge) -> tuple[Array, float]:
    """Where to begin and with which width: of some of the samples the minimiser, which is off by as much."""
    S, P = F.rows, F.rows.pilot
    if P is None:
        return np.zeros(S.p), 1.0
    X, y = P.source.X, np.asarray(P.source.y, dtype=np.float64)
    plus, minus = F.weights * S.counts / P.counts
    c = np.where(y > 0, plus, minus)
    with one_thread():
        a, _ = solve_margins(X, y, c, lam=F.ridge, tolerance=ROUGH)
    return S.coordinates(a), math.sqrt(P.p / P.n)


def improving_hyperplanes(F: Hinge) -> Iterator[tuple[Evaluation, SparseDual]]:
    """Ever better hyperplanes and multipliers, the last ones enough or as good as they get."""
    v, width, near = smoothed_start(F)
    dual = SparseDual.by_width(width)
    now, doubtful = F.at(v, dual, near)
    yield now, dual
    for _ in range(MOST if near < math.inf else 1):  # of all samples once is enough
        if now.upper - now.lower <= TOLERANCE * now.upper or near < 0:
            return
        ahead, multipliers, others = _improve(F, doubtful, near)
        if ahead.upper < now.upper or ahead.lower > now.lower:
            now, dual, doubtful = ahead, multipliers, others
            yield now, dual
        else:  # too few were doubtful
            near *= 4
            now, doubtful = F.at(now.v, dual, near)
        if len(doubtful.samples) > 4 * most_in_memory(F.rows):
            return


def _improve(F: Hinge, doubtful: Doubtful, near: float) -> tuple[Evaluation, SparseDual, Doubtful]:
    """The result of a pass for a hyperplane and the multipliers of the doubtful samples."""
    S, (v, dual) = F.rows, F.solve_doubtful(doubtful)
    now, others = F.at(S.coordinates(S.plane(v)), dual, near)
    if not F.ridge and now.least > 0:  # a hyperplane separates: longer, it costs nothing
        dual = SparseDual.by_width(0.0)
        now, others = F.at(S.coordinates(S.plane(now.v / now.least * STRETCH)), dual, near)
    return now, dual, others
