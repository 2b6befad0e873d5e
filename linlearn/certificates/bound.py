"""`Bound`, a lower bound of an optimum; `best_of` several; what a residual costs bounded hyperplanes."""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from linlearn.certificates.ball import Ball, U, ball, round_up
from linlearn.certificates.samples import Samples
from linlearn.validation import Array

# Where to stop trying; every bound is true. Nine digits are asked for, three more than a fit needs.
CLOSED = 1e-9  # relative gap at which nothing more is tried
CLOSED_AT_ZERO = 1e-18  # the same, relative to the scale of the data, where the optimum may be 0
WITHIN = 2.0**20  # what a feature may add to a score where no bound of it can be proved


class Bound(NamedTuple):
    """A lower bound, its allowance and its score bound.

    The allowance is what was given up for rounding and, without a penalty, for the residual. With a penalty
    the residual of the multipliers themselves is left out: only better multipliers reduce its cost.
    """

    lower: float
    allowance: float
    score_bound: float = math.inf
    dual: Array | None = None  # the witness, if it was improved
    interior: bool = False  # whether feasible multipliers are proved, none of them at its bound


def best_of(attempts: Iterable[Bound], upper: float, scale: float, dual: Array) -> Bound:
    """The highest of the bounds, stopping at the first tight one that holds for all hyperplanes.

    `scale` is the value at a = 0. A bound for all hyperplanes is preferred if nearly as high.
    """
    best, interior = Bound(0.0, math.inf), False
    for found in attempts:
        interior |= found.interior
        low, high = sorted((found, best), key=lambda bound: bound.lower)
        little = high.lower - low.lower <= 10 * CLOSED * upper
        best = low if little and low.score_bound > high.score_bound else high
        small = max(CLOSED * upper, CLOSED_AT_ZERO * scale)
        if min(best.allowance, upper - best.lower) <= small and best.score_bound == math.inf:
            break
    if not best.lower > 0:  # no hyperplane costs less than nothing
        return Bound(0.0, 0.0, dual=dual, interior=interior)
    kept = dual if best.dual is None else best.dual
    return Bound(min(best.lower, upper), best.allowance, best.score_bound, kept, interior)


def residual_cost(S: Samples, rho: Ball, base: Ball) -> tuple[float, float]:
    """An upper bound on ⟨d, ρ⟩, d = a - base, and the score bound under which it holds.

    It holds for hyperplanes in which neither the intercept nor a feature moves a score by over `WITHIN`.

    Each |aⱼ| is at most mostⱼ, so that -(most + base) ≤ d ≤ most - base. A column of zeros moves no score, so
    that its weight has no bound: where ρ is not 0 there, as for a feature that is constant within each class
    and not between them, nothing is proved.
    """
    live = S.reach > 0
    if rho.mid[~live].any():
        return math.inf, math.inf
    most, rho, base = ball(WITHIN / S.reach[live]) * (1 + 2 * U), rho[live], base[live]
    over, under = np.maximum((most - base).hi, 0.0), np.maximum((most + base).hi, 0.0)
    costs = np.maximum(over * np.maximum(rho.hi, 0.0), under * np.maximum(-rho.lo, 0.0))
    return float(round_up(costs.sum(), S.p + 4)), WITHIN
