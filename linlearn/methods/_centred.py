"""Sums over samples that are centred on the way, block by block, with what rounding may do to them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linlearn.certificates.ball import gamma
from linlearn.checks import Array


@dataclass(frozen=True, slots=True, eq=False)
class Centred:
    """The rows (xᵢ - centre, 1), block by block: with a centre near the mean no digits are lost."""

    X: Array
    centre: Array
    most: int = 1024  # rows in a block: short ones round less, long ones are quicker

    @classmethod
    def of(cls, X: Array, most: int = 1024) -> "Centred":
        """Centred at 0 where that is near the samples, else at the mean of some of them.

        A feature that is constant is centred exactly.
        """
        some = X[:: 1 + len(X) // 256]
        mean, least, largest = some.mean(axis=0), some.min(axis=0), some.max(axis=0)
        near = (np.abs(mean) < 2 * (largest - least)).all()
        return cls(
            X, np.zeros_like(mean) if near else np.where(least == largest, least, mean), most
        )

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d+1)."""
        return len(self.X), self.X.shape[1] + 1

    def blocks(self) -> Iterator[tuple[slice, Array, Array]]:
        """Triples: rows, their xᵢ - centre (read only), and room of the same shape, which may hold it."""
        (n, p), size = self.shape, self._length
        room = np.empty((size, p - 1))
        shifted = self.centre.any()
        for first in range(0, n, size):
            rows = slice(first, min(first + size, n))
            free = room[: rows.stop - first]
            x = np.subtract(self.X[rows], self.centre, out=free) if shifted else self.X[rows]
            yield rows, x, free

    def sums(self, r: Array) -> Array:
        """Σ rᵢ(xᵢ - centre, 1), shape (d+1,)."""
        parts = [np.append(r[rows] @ x, r[rows].sum()) for rows, x, _ in self.blocks()]
        return _pairwise(np.array(parts))

    def sums_and_sizes(self, r: Array) -> tuple[Array, Array]:
        """The same, and the same with moduli instead of all numbers."""
        parts = []
        for rows, x, room in self.blocks():
            total, s = np.append(r[rows] @ x, r[rows].sum()), np.abs(r[rows])
            parts.append((total, np.append(s @ np.abs(x, out=room), s.sum())))
        total, size = _pairwise(np.array(parts))
        return total, size

    def take(self, every: int) -> Array:
        """Every `every`-th row, as an array of its own."""
        x = self.X[::every]
        return np.column_stack([x - self.centre, np.ones(len(x))])

    def features(self, columns: NDArray[np.intp] | slice) -> "Centred":
        """The same with some of the features."""
        return Centred(self.X[:, columns], self.centre[columns], self.most)

    @property
    def allowance(self) -> float:
        """γ: `sums` errs by at most γ times the sums of moduli."""
        return gamma(self._length + int(len(self.X) // self._length).bit_length() + 8)

    @property
    def _length(self) -> int:
        n, p = self.shape
        return min(n, self.most, max(64, 65536 // p))


def _pairwise(parts: Array) -> Array:
    """The sum over the first axis, halved again and again: few roundings on the way of each part."""
    while len(parts) > 1:
        half = len(parts) // 2
        parts = np.concatenate([parts[:half] + parts[half : 2 * half], parts[2 * half :]])
    return parts[0]
