"""Samples that are centred on the way, block by block."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

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

    @property
    def _length(self) -> int:
        n, p = self.shape
        return min(n, self.most, max(64, 65536 // p))
