"""k nearest neighbours: candidates from a tree or from matrix products, decided by exact distances."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from linlearn._scipy import distance, spatial
from linlearn.validation import Array, Floating, Index

ENTRIES = 2**21  # distances held at a time,
SAMPLES = 2**14  # to at most so many samples
GROUP = 32  # samples whose smallest distance is looked at first
TREE_UP_TO = 6  # features up to which a tree of boxes leaves most distances out
SPARE = 2  # neighbours that the tree is asked for beyond k
LARGE = 1e300  # in place of ∞, which is no sample's distance


def tree(X: Array, k: int) -> Any:
    """A tree of boxes where it leaves most distances out: few features, many samples."""
    n, d = X.shape
    return spatial.cKDTree(X) if d <= TREE_UP_TO and n > GROUP * k else None


def neighbours(X: Array, Q: Array, k: int, metric: str, boxes: Any) -> Index:
    """Indices of the k nearest rows of X for each row of Q, shape (q, k), nearest first."""
    found = np.empty((len(Q), k), dtype=np.intp)
    left = np.arange(len(Q)) if boxes is None else _ask(boxes, X, Q, metric, found)
    if not len(left):
        return found
    chunks = [slice(i, i + SAMPLES) for i in range(0, len(X), SAMPLES)]
    screens = [_Screen(X[chunk], k, metric) for chunk in chunks]
    size = max(1, ENTRIES // min(len(X), SAMPLES))
    for first in range(0, len(left), size):
        block = left[first : first + size]
        pairs = [
            (q, i + chunk.start)
            for chunk, screen in zip(chunks, screens, strict=True)
            for q, i in screen.candidates(Q[block])
        ]
        q, i = (np.concatenate(part) for part in zip(*pairs, strict=True))
        found[block] = _nearest(X, Q[block], q, i, k, metric)
    return found


def _ask(boxes: Any, X: Array, Q: Array, metric: str, found: Index) -> Index:
    """Fill in what the tree can decide; return the queries in which a tie may go on behind its answer."""
    k = found.shape[1]
    most = k + SPARE
    distance, near = boxes.query(Q, most, p=2 if metric == "euclidean" else 1)
    # The tree's distances err by about d roundings: 1e-9 has room for a million features.
    sure = distance[:, -1] > distance[:, k - 1] * (1 + 1e-9)
    asked = np.flatnonzero(sure)
    q = np.repeat(np.arange(len(asked)), most)
    found[asked] = _nearest(X, Q[asked], q, near[asked].ravel(), k, metric)
    return np.flatnonzero(~sure)


def _nearest(X: Array, Q: Array, q: Index, i: Index, k: int, metric: str) -> Index:
    """For each query the k nearest of its candidates, pairs (q, i); here nothing is approximate."""
    gap = Q[q] - X[i]
    exact = (np.abs(gap) if metric == "manhattan" else gap * gap).sum(axis=1)
    order = np.lexsort((i, exact, q))
    start = np.searchsorted(q[order], np.arange(len(Q)))
    return np.asarray(i[order[start[:, None] + np.arange(k)]])


class _Screen:
    """Some samples, and a quick way to find the few that can be among the k nearest of a query."""

    def __init__(self, X: Array, k: int, metric: str) -> None:
        self.X, self.k, self.metric = X, min(k, len(X)), metric
        self.group = max(1, min(GROUP, len(X) // (4 * self.k)))
        self.groups = -(-len(X) // self.group)
        if metric == "euclidean":
            self.centre = X.mean(axis=0)
            self.Z = X - self.centre
            self.squares = np.einsum("ij,ij->i", self.Z, self.Z)
            self.scale = 2.0 ** -np.frexp(np.sqrt(self.squares.max()))[1]
            self.single = self._factor(np.float32)

    def candidates(self, Q: Array) -> Iterator[tuple[Index, Index]]:
        """Pairs (query, sample) that hold the k nearest samples of every query, and their ties.

        Single precision is twice as fast. Where it leaves too many, double precision is asked; where
        that does, too (ties, or a query far away), the exact distances, query by query.
        """
        last = self.metric == "manhattan"
        most = 8 * self.k + 64
        q, i = self._few(*(self._absolute(Q) if last else self._squared(Q, self.single)))
        count = np.bincount(q, minlength=len(Q))
        many = (count < self.k) | (count > most)
        yield q[~many[q]], i[~many[q]]
        again = np.flatnonzero(many)
        if not last and len(again):
            q, i = self._few(*self._squared(Q[again], self._factor(np.float64)))
            q = again[q]
        for one in again.tolist():
            mine = i[slice(*np.searchsorted(q, [one, one + 1]))]
            if len(mine) > most:
                none = np.zeros_like(mine)
                mine = _nearest(self.X, Q[[one]], none, mine, self.k, self.metric)[0]
            yield np.full(len(mine), one), mine

    def _absolute(self, Q: Array) -> tuple[Array, Array]:
        """The Manhattan distances, and twice what they may err by."""
        n, d = self.X.shape
        D = np.full((len(Q), self.group * self.groups), np.inf)
        D[:, :n] = distance.cdist(Q, self.X, "cityblock")
        return D, 8 * (d + 8) * np.finfo(float).eps * D[:, :n].max(axis=1)

    def _factor(self, kind: DTypeLike) -> Floating:
        """The samples as rows (z, ‖z‖²), scaled to ‖z‖ ≤ 1, and rows (0, ∞) to fill the last group."""
        n, d = self.Z.shape
        A = np.zeros((self.group * self.groups, d + 1), kind)
        A[:, d] = np.inf
        np.multiply(self.scale, self.Z, out=A[:n, :d], casting="unsafe")
        A[:n, d] = self.scale**2 * self.squares
        return A

    def _squared(self, Q: Array, A: Floating) -> tuple[Floating, Array]:
        """‖z‖² - 2⟨z, q⟩, the squared distances up to ‖q‖², and twice what they may err by.

        One matrix product instead of nd differences for each query; so they rank the samples only up
        to rounding.
        """
        Q = self.scale * (Q - self.centre)
        with np.errstate(over="ignore", invalid="ignore"):  # a far query is asked again
            factor = np.column_stack([-2 * Q, np.ones(len(Q))]).astype(A.dtype)
            D = factor @ A.T
        reach = self.scale**2 * self.squares.max() + np.einsum("ij,ij->i", Q, Q)
        return D, np.minimum(8 * (Q.shape[1] + 8) * float(np.finfo(A.dtype).eps) * reach, LARGE)

    def _few(self, D: Floating, error: Array) -> tuple[Index, Index]:
        """The entries of each row up to its k-th smallest, and `error` more.

        The k-th smallest of the groups' minima is at least that, and rarely more; other groups than
        those whose minimum is as small hold nothing.
        """
        D = D.reshape(len(D), self.group, self.groups)
        least = D.min(axis=1)
        far = np.partition(least, self.k - 1, axis=1)[:, self.k - 1] + error
        q, group = np.nonzero(least <= far[:, None])
        which, place = np.nonzero(D[q, :, group] <= far[q][:, None])
        return q[which], place * self.groups + group[which]
