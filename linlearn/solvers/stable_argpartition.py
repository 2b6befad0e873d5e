"""The indices of the smallest values, with ties decided alike on every processor."""

import numpy as np

from linlearn.validation import Array, Index


def stable_argpartition(values: Array, count: int) -> Index:
    """The indices of the `count` smallest of `values`, shape (n,), in ascending order; 0 < count ≤ n.

    Of equal values the first are taken. NumPy's `argpartition` leaves that, and the order of the indices, to
    the vector instructions of the processor; the value at the border is the same on all.

    >>> stable_argpartition(np.array([2.0, 1.0, 2.0, 0.0]), 3)
    array([0, 1, 3])
    """
    border = np.partition(values, count - 1)[count - 1]
    ties = np.flatnonzero(values == border)
    below = values < border
    below[ties[: count - np.count_nonzero(below)]] = True
    return np.flatnonzero(below)
