"""Sums over samples with bounds of their rounding errors, for the certificates that need margins."""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from linlearn.certificates.certificate import UNDERFLOW, UNIT, length, rounding
from linlearn.checks import Array, check_vector

BLOCK = 4096  # rows summed at a time: they stay in cache
SMALL = 1e-280  # a sum this large loses to underflow less than to one rounding


def blocks(n: int) -> Iterator[slice]:
    """Slices that cover n rows."""
    return (slice(i, i + BLOCK) for i in range(0, n, BLOCK))


def weighted_sum(weight: Array, Z: Array) -> Array:
    """Σ weightᵢZᵢ, shape (k,), added in pairs, pairs of pairs, …: only log₂ n roundings in a row."""
    parts = weight[:, None] * Z
    while len(parts) > 1:
        half = (len(parts) + 1) // 2
        parts[: len(parts) - half] += parts[half:]
        parts = parts[:half]
    return parts[0]


def rounding_of_sum(n: int) -> float:
    """Relative error of `weighted_sum` over n rows, block by block, with a few operations on each."""
    k = min(BLOCK, n).bit_length() + n // BLOCK + 12
    return rounding(k) * (1 + rounding(BLOCK))


def witnesses(X: Array, y: Array, primal: ArrayLike, dual: ArrayLike) -> tuple[Array, Array]:
    """A plane a of shape (d+1,) and multipliers α ≥ 0, finite, of shape (n,)."""
    a = check_vector(primal, X.shape[1] + 1, "primal")
    alpha = np.asarray(dual, dtype=np.float64)
    if alpha.shape != y.shape:
        raise ValueError(
            f"`dual` must have shape ({len(y)},), one multiplier per sample; got {alpha.shape}."
        )
    return a, np.where(np.isfinite(alpha) & (alpha > 0), alpha, 0.0)


def margins_within(X: Array, y: Array, a: Array) -> tuple[Array, Array]:
    """The margins mᵢ and bounds of their rounding errors, shapes (n,)."""
    w, b = a[:-1], float(a[-1])
    m, size = np.empty(len(y)), np.empty(len(y))
    for rows in blocks(len(y)):
        m[rows] = X[rows] @ w + b
        size[rows] = np.abs(X[rows]) @ np.abs(w)
    size += abs(b)
    return m * y, rounding(len(a) + 2) * (1 + rounding(len(a) + 2)) * size + UNDERFLOW


def shortfalls(X: Array, y: Array, a: Array) -> Array:
    """Upper bounds of (1 - mᵢ)₊, shape (n,)."""
    m, error = margins_within(X, y, a)
    return np.maximum((1 - m + error) * (1 + 4 * UNIT) + 2 * UNIT * np.abs(m), 0.0)


def equalised(y: Array, alpha: Array) -> tuple[Array, float]:
    """Scale one class down to the other's sum of multipliers; return them with their total.

    Where one class has next to nothing, all are 0: scaled so far down, they would underflow.
    """
    plus, minus = _total(alpha[y > 0]), _total(alpha[y < 0])
    less, more = min(plus, minus), max(plus, minus)
    if less <= SMALL * max(more, 1.0):
        return np.zeros_like(alpha), 0.0
    return alpha * np.where(y > 0, less / plus, less / minus), 2 * less


def _total(alpha: Array) -> float:
    """Σα within three roundings; as a rule many are equal to the largest, and need no adding."""
    largest = float(alpha.max(initial=0.0))
    return math.fsum(alpha[(alpha > 0) & (alpha < largest)]) + largest * int(
        (alpha == largest).sum()
    )


def length_of_combination(X: Array, y: Array, alpha: Array) -> float:
    """An upper bound of ‖Σ αᵢyᵢxᵢ‖ for multipliers whose sums over the two classes are equal.

    Then xᵢ minus any point gives the same vector as xᵢ; near their mean there is less to cancel.
    """
    used = np.flatnonzero(alpha)
    if not used.size:
        return 0.0
    mean = X[used[:: max(1, len(used) // 1024)]].mean(axis=0)
    point, size = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for rows in blocks(len(used)):
        part, weight = X[used[rows]] - mean, alpha[used[rows]]
        point += weighted_sum(weight * y[used[rows]], part)
        size += weight @ np.abs(part, out=part)
    largest = np.abs(point) + rounding_of_sum(len(used)) * size
    if largest.max() < SMALL:  # what is missing underflowed, unless there is nothing
        largest = np.maximum(largest, SMALL * (X[used] != X[used[0]]).any(axis=0))
    return length(largest) * (1 + rounding(len(point) + 6))
