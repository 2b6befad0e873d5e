"""`raise_targets`: the states of Ho and Kashyap's algorithm, least squares with targets that never fall."""

from collections.abc import Iterator

import numpy as np

from linlearn.validation import Array


def raise_targets(
    Z: Array, rate: float, t: Array, updates: int
) -> Iterator[tuple[Array, Array, Array]]:
    """The states a, t and e, until a test stops it or the updates are spent."""
    inverse = np.linalg.pinv(Z, rtol=None)  # cut where only rounding is left
    for _ in range(updates + 1):
        a = inverse @ t
        e = Z @ a - t
        yield a, t, e
        if (Z @ a > 0).all() or (e <= 1e-13 * t.max()).all():
            return
        t = t + 2 * rate * np.maximum(e, 0)
