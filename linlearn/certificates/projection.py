"""Project r, one number per sample, onto Σ rᵢuᵢ = goal, and bound what rounding leaves of the difference."""

import math
from collections.abc import Iterator

import numpy as np

from linlearn.certificates.ball import Ball, NormBall, ball, round_up
from linlearn.certificates.samples import Samples, two_sum
from linlearn.validation import Array

PROJECTIONS = 2  # the second one removes what rounding left of the first


def projected(S: Samples, r: NormBall, goal: Ball) -> Iterator[tuple[NormBall, Ball, Array]]:
    """Triples (r, ρ, floats): r moved to where ρ = Σ rᵢuᵢ - goal is rounding, and the floats it came from.

    With plain sums, then with twice the digits; the last r are no floats, but known exactly enough.
    """
    for left in range(PROJECTIONS, -1, -1):
        rho = S.sums(r) - goal
        yield r, rho, r.mid
        if not left or (np.abs(rho.mid) <= 2 * rho.rad).all():
            break
        r = NormBall(r.mid - S.plain_times(S.solve(rho.mid)), r.off)
    high, low = fine_residual(S, r, goal)
    gone = S.times(S.solve(high + low.mid))  # r - gone is never rounded
    exact, rho = r.mid - gone, ball(high) - S.sums(gone) + low
    yield NormBall(exact.mid, float(round_up(exact.off + r.off, 2))), rho, r.mid


def fine_residual(S: Samples, r: NormBall, goal: Ball) -> tuple[Array, Ball]:
    """Σ rᵢuᵢ - goal as floats and the rest, with twice the digits."""
    high, tail, rad = S.fine_sums(r.mid)
    high, lost = two_sum(high, -goal.mid)
    low = Ball(tail, round_up(rad + goal.rad, 2)) + lost
    return high, low + S.sums(r - r.mid) if r.off else low


def correction(S: Samples, rho: Ball) -> float:
    """An upper bound on the length of the shortest q with Σ qᵢuᵢ = ρ, +∞ where no rank can be shown."""
    sigma, s = S.independence
    return float(round_up(ball(rho.mag / s).length() / sigma, 8)) if sigma > 0 else math.inf
