"""Sums over the rows (xᵢ - m, e), in blocks that stay in cache: fast, and unproved."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from linlearn.checks import Array, Index


def row_blocks(n: int, p: int) -> Iterator[slice]:
    """Slices that cover range(n) in order; a block of rows of length p takes about a megabyte.

    >>> [rows.stop for rows in row_blocks(3000, 50)]
    [2621, 3000]
    """
    size = block_length(n, p)
    return (slice(first, min(first + size, n)) for first in range(0, n, size))


def block_length(n: int, p: int) -> int:
    """Rows in one block."""
    return min(n, max(64, 131072 // p))


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The matrix B, shape (n, d + k), with rows (xᵢ - m, e_g), g the group of sample i; never stored.

    The last k columns are the groups' indicators. One group: B spans what (X, 1) spans. Two
    groups, the classes: B without its last columns is X minus the class means, up to shifts that
    these columns make good. Centres m near the means keep the sums free of cancellation; they
    need not be the means.

    Parameters
    ----------
    X : shape (n, d)
    centres : shape (k, d), one for each group; (1, d), the same for all; or None for m = 0
    group : shape (n,), integers below k, or None for a single group
    k : number of groups
    """

    X: Array
    centres: Array | None = None
    group: Index | None = None
    k: int = 1

    @classmethod
    def centred(cls, X: Array, group: Index | None = None, k: int = 1) -> "Rows":
        """Rows with centres where the samples need them: far from 0, or groups far from each other."""
        if group is None:
            some = [X[_spread(len(X), 256)]]
        else:
            members = (np.flatnonzero(group == g) for g in range(k))
            some = [X[own[_spread(len(own), 256)]] for own in members]
        means = np.array([part.mean(axis=0) for part in some])
        reach = 8 * np.sqrt(sum(((s - m) ** 2).sum(0) for s, m in zip(some, means, strict=True)))
        reach = reach / np.sqrt(sum(map(len, some)))
        middle = means.mean(axis=0)
        if (np.abs(means) <= reach).all():
            return cls(X, None, group, k)
        near = (np.abs(means - middle) <= reach).all()
        return cls(X, middle[None] if near else means, group, k)

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d + k)."""
        return len(self.X), self.X.shape[1] + self.k

    def centre(self, g: int = 0) -> Array:
        """The centre of group g, shape (d,)."""
        if self.centres is None:
            return np.zeros(self.X.shape[1])
        return np.asarray(self.centres[g if len(self.centres) > 1 else 0])

    def blocks(self) -> Iterator[tuple[slice, Array, Array]]:
        """Triples (rows, shifted samples, indicators); each block may overwrite the one before."""
        n, d = self.X.shape
        room = np.empty((block_length(n, d), d))
        ones = np.ones((len(room), 1))
        for rows in row_blocks(n, d):
            size = rows.stop - rows.start
            group = None if self.group is None else self.group[rows, None]
            E = ones[:size] if group is None else 1.0 * (group == np.arange(self.k))
            yield rows, self._shifted(rows, room[:size]), E

    def take(self, rows: Index) -> Array:
        """B[rows] as an array of its own."""
        group = np.zeros(len(rows), dtype=np.intp) if self.group is None else self.group[rows]
        return np.hstack([self._shifted(rows), group[:, None] == np.arange(self.k)])

    def times(self, v: Array) -> Array:
        """Bv, shape (n,)."""
        d, out = self.X.shape[1], np.empty(len(self.X))
        for rows, Z, E in self.blocks():
            out[rows] = Z @ v[:d] + E @ v[d:]
        return out

    def sums(self, r: Array) -> Array:
        """Bᵀr, shape (d + k,)."""
        parts = [np.append(r[rows] @ Z, r[rows] @ E) for rows, Z, E in self.blocks()]
        return np.asarray(np.sum(parts, axis=0))

    def gram(self, t: Array | None = None) -> tuple[Array, Array]:
        """BᵀB, shape (d + k, d + k), and Bᵀt, shape (d + k,), 0 if there is no t."""
        d, p = self.X.shape[1], self.shape[1]
        G = np.zeros((p + 1, p + 1))  # of (B, t)
        for rows, Z, E in self.blocks():
            beside = np.column_stack([E, np.zeros(len(E)) if t is None else t[rows]])
            G[:d, :d] += Z.T @ Z
            G[d:, :d] += beside.T @ Z
            G[d:, d:] += beside.T @ beside
        G[:d, d:] = G[d:, :d].T
        return G[:p, :p], G[p, :p]

    def _shifted(self, rows: Index | slice, out: Array | None = None) -> Array:
        if self.centres is None:
            return self.X[rows]
        if self.group is None or len(self.centres) == 1:
            return np.asarray(np.subtract(self.X[rows], self.centres[0], out=out))
        return np.subtract(self.X[rows], self.centres[self.group[rows]], out=out)


def _spread(n: int, most: int) -> Index:
    """At most `most` indices below n, evenly spread."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).astype(np.intp))
