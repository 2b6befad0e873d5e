"""`Meter`, the budget of a search: work, counted alike on every machine, and optionally seconds."""

import time

from linlearn.validation import check_number

EXACT = 150  # units that a product of 64-bit numbers costs in integers
LOOK = 2_000  # units that it costs to look at a set of samples
CALL = 50_000  # units that a call of a solver costs besides its arithmetic


class Meter:
    """`work` done so far, in units of about a multiplication and an addition of floats."""

    def __init__(self, max_work: float, max_seconds: float | None) -> None:
        self.max_work = check_number(max_work, "max_work", least=0)
        self.end = float("inf")
        if max_seconds is not None:
            self.end = time.monotonic() + check_number(max_seconds, "max_seconds", above=0)
        self.work = 0

    def add(self, units: float) -> None:
        self.work += int(units)

    def add_exact(self, products: float) -> None:
        """Integers were multiplied."""
        self.add(EXACT * products)

    def add_sets(self, sets: int) -> None:
        """Sets of samples were looked at, in Python."""
        self.add(LOOK * sets)

    @property
    def left(self) -> float:
        return max(0.0, self.max_work - self.work)

    @property
    def spent(self) -> bool:
        return self.work >= self.max_work or time.monotonic() > self.end
