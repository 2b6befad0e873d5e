"""Newton's method, one reading of the samples a step."""

import math
from collections.abc import Iterator

from linlearn.blocks.losses import Loss, Reading
from linlearn.checks import Array
from linlearn.engines.newton import CLOSED, FLOOR, SHARE

# Squared decrement, relative to the first value, at which Newton stops: the rounding of targets that are met.
NOTHING = 1e-28
LOST = 1e-14  # of the value: a fall that the sums do not show


def descent(loss: Loss, v: Array) -> Iterator[tuple[Reading, float, float]]:
    """(reading, squared decrement, rate) of each state; the rate is halved until the value falls."""
    now, rate, before = loss.at(v), 0.0, math.inf
    nothing = NOTHING * now.value
    while True:
        squared = max(0.0, -float(now.slope @ now.step))
        yield now, squared, rate
        stuck = squared <= FLOOR * now.value and squared > before / 2
        if stuck or squared <= max(CLOSED * now.value, nothing) or now.upper == 0:
            return
        found = shorter(loss, now, squared)
        if found is None:
            return
        (now, rate), before = found, squared


def shorter(loss: Loss, now: Reading, squared: float) -> tuple[Reading, float] | None:
    """The state after a step that lowers the value enough, and its rate; None where rounding leaves none."""
    S, rate, step = loss.rows, 1.0, now.step
    while rate * squared > LOST * now.value:
        ahead = loss.at(S.coordinates(S.plane(now.v + rate * step)))
        if ahead.value <= now.value * (1 + 1e-13) - SHARE * rate * squared:
            return ahead, rate
        rate /= 2
    return None
