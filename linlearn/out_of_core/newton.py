"""Newton's method for samples out of memory, with one pass over them per step.

In memory (`solvers.logistic`) a gradient costs less than a Hessian, which is therefore reused as long as that
pays, and the rows are available to look for a direction of recession. Here a pass costs about the same
whatever is summed in it, so that each computes the curvature, and with it both bounds.
"""

import math
from collections.abc import Iterator

from linlearn.out_of_core.losses import Evaluation, Loss
from linlearn.solvers.logistic import FLOOR, SHARE, SMALL
from linlearn.validation import Array

# Squared decrement, relative to the first value, at which Newton stops: the rounding of targets that are met.
ROUNDING = 1e-28
LOST = 1e-14  # of the value: a fall that the sums do not show


def descent(loss: Loss, v: Array) -> Iterator[tuple[Evaluation, float, float]]:
    """(result of the pass, squared decrement, rate) of each state; the rate is halved by backtracking."""
    now, rate, before = loss.at(v), 0.0, math.inf
    rounding = ROUNDING * now.value
    while True:
        squared = now.squared
        yield now, squared, rate
        stalled = squared <= FLOOR * now.value and squared > before / 2
        if stalled or squared <= max(SMALL * now.value, rounding) or now.upper == 0:
            return
        found = line_search(loss, now, squared)
        if found is None:
            return
        (now, rate), before = found, squared


def line_search(loss: Loss, now: Evaluation, squared: float) -> tuple[Evaluation, float] | None:
    """The state after a step that lowers the value enough, and its rate; None where rounding leaves none.

    A value that stays where it was is taken for less as long as the decrement falls: else, of a column
    whose mean is 10^12 of its deviations, ever shorter steps would go on for ever.
    """
    S, rate, step = loss.rows, 1.0, now.step
    while rate * squared > LOST * now.value:
        trial = loss.at(S.coordinates(S.plane(now.v + rate * step)))
        if trial.value <= now.value * (1 + 1e-13) - SHARE * rate * squared:
            decreases = trial.value < now.value * (1 - LOST) or trial.squared <= squared / 2
            return (trial, rate) if decreases else None
        rate /= 2
    return None
