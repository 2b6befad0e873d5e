"""Rosenblatt's perceptron on signed rows: add each mistake, until an epoch has none or epochs run out."""

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from linlearn.validation import Array

Order = Callable[[int], Iterable[int]]


def rosenblatt(
    Z: Array,
    epochs: int = 1000,
    order: Order = range,
    start: Array | float = 0.0,
    rate: float = 1.0,
) -> Iterator[tuple[int, bool, Array]]:
    """For each sample read: its index, whether it was added, and a."""
    a = start + np.zeros(Z.shape[1])
    for _ in range(epochs):
        quiet = True
        for i in order(len(Z)):
            mistake = (a * Z[i]).sum() <= 0
            if mistake:
                a, quiet = a + rate * Z[i], False
            yield i, mistake, a
        if quiet:
            return
