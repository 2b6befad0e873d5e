"""Sequential minimal optimisation (SMO) of the soft margin: move the most violating pair of multipliers."""

from collections.abc import Iterator

import numpy as np

from linlearn.validation import Array


def smo(
    X: Array, y: Array, C: float, tolerance: float = 1e-6
) -> Iterator[tuple[Array, float, Array]]:
    """The states w, b, α; a step moves the two multipliers that are most at odds."""
    alpha = np.zeros(len(y))
    while True:
        # Plain sums: how `@` rounds is the processor's affair, and would decide ties.
        w = (alpha * y * X.T).sum(axis=1)
        wish = y - (X * w).sum(axis=1)  # the offset with which a sample has margin 1
        up = np.where(y > 0, C - alpha, alpha)  # room for αᵢyᵢ to rise,
        down = np.where(y > 0, alpha, C - alpha)  # and to fall
        i = np.where(up > 0, wish, -np.inf).argmax()
        j = np.where(down > 0, wish, np.inf).argmin()
        yield w, (wish[i] + wish[j]) / 2, alpha
        if wish[i] - wish[j] <= tolerance:
            return
        far = ((X[i] - X[j]) ** 2).sum()
        t = min(up[i], down[j], (wish[i] - wish[j]) / far if far else np.inf)
        alpha = alpha + t * y * (np.eye(len(y))[i] - np.eye(len(y))[j])
