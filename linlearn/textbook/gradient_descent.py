"""Gradient descent on the mean loss, over all samples or over a subset at each step."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from linlearn.losses import Loss
from linlearn.validation import Array


def everything(k: int, a: Array) -> slice:
    """All samples, whatever the step and the state."""
    return slice(None)


def descend(
    Z: Array,
    phi: Loss,
    rate: float,
    rounds: int,
    pick: Callable[[int, Array], Any] = everything,
    start: Array | float = 0.0,
) -> Iterator[Array]:
    """Every state of a; `pick` says which samples a step looks at."""
    a = np.zeros(Z.shape[1]) + start
    yield a
    for k in range(rounds):
        rows = np.atleast_2d(Z[pick(k, a)])
        a = a - rate * (phi.slope(rows @ a) @ rows) / len(rows)
        yield a
