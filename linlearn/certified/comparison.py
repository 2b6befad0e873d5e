"""Compare a model with the optimum of its objective, by its own witnesses or by this package's method."""

import math
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from linlearn.certificates import (
    Certificate,
)
from linlearn.certificates.ball import U, quietly
from linlearn.certificates.bound import CLOSED
from linlearn.certificates.fisher import describe_leak, drop_leak
from linlearn.certified.models import Problem
from linlearn.certified.objectives import Objective
from linlearn.certified.result import Certified, Ends


@quietly
def compared(name: str, problem: Problem) -> Certified:
    F, share = problem.objective, problem.share
    best = min(_enclosures(problem), key=_least_open)
    value = F.value(problem.a)
    ends = _outward(max(0.0, float(value.lo)), float(value.hi), share)  # no objective is negative
    optimum = _outward(best.lower, best.upper, share)
    above = excess(optimum, ends) if F.maximised else excess(ends, optimum)
    remarks = problem.remarks + _of_the_optimum(F, best) + F.spent()
    return Certified(name, F.says, problem.plane, ends, optimum, above, best, remarks)


def _least_open(one: Certificate) -> tuple[Any, ...]:
    """Closed ones first, and of these the one that proves that no hyperplane attains the optimum."""
    closed = one.relative_gap <= CLOSED
    return not closed, closed and one.attained is not False, one.gap, one.score_bound < np.inf


def _of_the_optimum(F: Objective, best: Certificate) -> tuple[str, ...]:
    """For which hyperplanes the open end is proved; which columns leave the ratio without a maximum."""
    if F.maximised and best.lower == math.inf:
        return (
            f"The ratio has no finite maximum: {describe_leak(w := F.solve().primal)} and differs between "
            f"them. If the label has leaked, {drop_leak(w)} and fit again.",
        )
    if best.score_bound < math.inf:
        end = "upper" if F.maximised else "lower"
        return (
            f"Some features are dependent, at least nearly, so the {end} bound is proved only for "
            f"hyperplanes in which no feature moves a score by more than {best.score_bound:.6g}.",
        )
    return ()


def _enclosures(problem: Problem) -> Iterator[Certificate]:
    """Enclose by the model's own witnesses, or by this package's method if they leave a gap."""
    F, closed = problem.objective, False
    for dual in (*problem.duals, None):
        found = F.enclose(problem.a, dual)
        closed = closed or found.relative_gap <= F.closed
        yield found
    if not closed:
        with suppress(ValueError):  # what the method refuses keeps the enclosure at hand
            yield F.solve()


def _outward(lower: float, upper: float, share: float) -> Ends:
    exact = math.frexp(share)[0] == 0.5
    return lower / share * (1 - 8 * U * (not exact)), upper / share * (1 + 8 * U * (not exact))


def excess(larger: Ends, smaller: Ends) -> Ends:
    """Bounds ≥ 0 on the difference of two numbers, of which the first is not the smaller one."""
    low, high = larger[0] - smaller[1], larger[1] - smaller[0]
    return max(0.0, _next_float(low, -1)), max(0.0, _next_float(high, 1))


def _next_float(x: float, side: int) -> float:
    """The next float: what a difference may have lost."""
    return x if x == 0 or math.isinf(x) else float(np.nextafter(x, side * math.inf))
