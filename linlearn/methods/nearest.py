"""Nearest neighbours: a point is what most of the samples around it are."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from linlearn.checks import Array, check_count, check_points, check_samples

METRICS = ("euclidean", "manhattan")
ENTRIES = 2**21  # distances held at a time,
SAMPLES = 2**14  # to at most so many samples
GROUP = 32  # samples whose smallest distance is looked at first
TREE_UP_TO = 6  # features up to which a tree of boxes leaves most distances out
SPARE = 4  # neighbours that the tree is asked for beyond k
LARGE = 1e300  # in place of ∞, which is no sample's distance
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Neighbours:
    """The samples themselves, kept to be asked: made by `nearest`. It is no plane."""

    X: Array
    y: Array
    k: int
    metric: str
    _tree: cKDTree | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        n, d = self.X.shape
        if d <= TREE_UP_TO and n > GROUP * self.k:
            object.__setattr__(self, "_tree", cKDTree(self.X))

    def neighbours(self, Q: ArrayLike) -> Ints:
        """Indices of the k nearest samples of each row of Q, nearest first, shape (q, k).

        Of samples at the same distance the one that comes first in X is nearer.
        """
        Q = check_points(Q, d=self.X.shape[1], name="Q")
        found = np.empty((len(Q), self.k), dtype=np.intp)
        left = np.arange(len(Q)) if self._tree is None else self._ask_tree(Q, found)
        if not len(left):
            return found
        chunks = [slice(i, i + SAMPLES) for i in range(0, len(self.X), SAMPLES)]
        screens = [_Screen(self.X[chunk], self.k, self.metric) for chunk in chunks]
        width = screens[0].groups * screens[0].group
        size = min(len(left), max(1, ENTRIES // width))
        room = np.empty(size * width, np.float32)  # used again and again
        for first in range(0, len(left), size):
            block = left[first : first + size]
            pairs = [
                (q, i + chunk.start)
                for chunk, screen in zip(chunks, screens, strict=True)
                for q, i in screen.candidates(Q[block], room)
            ]
            q, i = (np.concatenate(part) for part in zip(*pairs, strict=True))
            found[block] = _nearest(self.X, Q[block], q, i, self.k, self.metric)
        return found

    def _ask_tree(self, Q: Array, found: Ints) -> Ints:
        """Fill in what the tree can decide; return the queries in which a tie may go on behind its answer."""
        most = self.k + SPARE
        distance, near = self._tree.query(Q, most, p=2 if self.metric == "euclidean" else 1)
        sure = distance[:, -1] > distance[:, self.k - 1] * (1 + 1e-9)
        asked = np.flatnonzero(sure)
        q = np.repeat(np.arange(len(asked)), most)
        found[asked] = _nearest(self.X, Q[asked], q, near[asked].ravel(), self.k, self.metric)
        return np.flatnonzero(~sure)

    def predict(self, Q: ArrayLike) -> Array:
        """The label of most of the k nearest samples, shape (q,), in {-1, +1}.

        When the votes are equal (k even) the nearest neighbour decides.
        """
        labels = self.y[self.neighbours(Q)]
        votes = labels.sum(axis=1)
        return np.where(votes != 0, np.sign(votes), labels[:, 0])

    def __repr__(self) -> str:
        n, d = self.X.shape
        return f"Neighbours(k={self.k}, {n} samples, {d} features, {self.metric})"


def _nearest(X: Array, Q: Array, q: Ints, i: Ints, k: int, metric: str) -> Ints:
    """For each query the k nearest of its candidates, pairs (q, i); here nothing is approximate."""
    gap = Q[q] - X[i]
    exact = (np.abs(gap) if metric == "manhattan" else gap * gap).sum(axis=1)
    order = np.lexsort((i, exact, q))
    start = np.searchsorted(q[order], np.arange(len(Q)))
    return i[order[start[:, None] + np.arange(k)]]


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

    def candidates(self, Q: Array, room: NDArray[np.float32]) -> Iterator[tuple[Ints, Ints]]:
        """Pairs (query, sample) that hold the k nearest samples of every query, and their ties.

        Single precision is twice as fast. Where it leaves too many, double precision is asked; where
        that does, too (ties, or a query far away), the exact distances, query by query.
        """
        last = self.metric == "manhattan"
        most = 8 * self.k + 64
        q, i = self._few(*(self._absolute(Q) if last else self._squared(Q, self.single, room)))
        count = np.bincount(q, minlength=len(Q))
        many = (count < self.k) | (count > most)
        yield q[~many[q]], i[~many[q]]
        again = np.flatnonzero(many)
        if not last and len(again):
            q, i = self._few(*self._squared(Q[again], self._factor(np.float64), None))
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
        D[:, :n] = cdist(Q, self.X, "cityblock")
        return D, 8 * (d + 8) * _eps(D) * D[:, :n].max(axis=1)

    def _factor(self, kind: DTypeLike) -> NDArray[np.floating]:
        """The samples as rows (z, ‖z‖²), scaled to ‖z‖ ≤ 1, and rows (0, ∞) to fill the last group."""
        n, d = self.Z.shape
        A = np.zeros((self.group * self.groups, d + 1), kind)
        A[:, d] = np.inf
        np.multiply(self.scale, self.Z, out=A[:n, :d], casting="unsafe")
        A[:n, d] = self.scale**2 * self.squares
        return A

    def _squared(
        self, Q: Array, A: NDArray[np.floating], room: NDArray[np.floating] | None
    ) -> tuple[NDArray[np.floating], Array]:
        """‖z‖² - 2⟨z, q⟩, the squared distances up to ‖q‖², and twice what they may err by.

        One matrix product instead of nd differences for each query; so they rank the samples only up
        to rounding.
        """
        Q = self.scale * (Q - self.centre)
        shape = len(Q), len(A)
        out = None if room is None else room[: shape[0] * shape[1]].reshape(shape)
        with np.errstate(over="ignore", invalid="ignore"):  # a far query is asked again
            factor = np.column_stack([-2 * Q, np.ones(len(Q))]).astype(A.dtype)
            D = np.matmul(factor, A.T, out=out)
        reach = self.scale**2 * self.squares.max() + np.einsum("ij,ij->i", Q, Q)
        return D, np.minimum(8 * (Q.shape[1] + 8) * _eps(D) * reach, LARGE)

    def _few(self, D: NDArray[np.floating], doubt: Array) -> tuple[Ints, Ints]:
        """The entries of each row up to its k-th smallest, and `doubt` more.

        The k-th smallest of the groups' minima is at least that, and rarely more; other groups than
        those whose minimum is as small hold nothing.
        """
        D = D.reshape(len(D), self.group, self.groups)
        least = D.min(axis=1)
        far = np.partition(least, self.k - 1, axis=1)[:, self.k - 1] + doubt
        q, group = np.nonzero(least <= far[:, None])
        which, place = np.nonzero(D[q, :, group] <= far[q][:, None])
        return q[which], place * self.groups + group[which]


def _eps(D: NDArray[np.floating]) -> float:
    return float(np.finfo(D.dtype).eps)


def nearest(X: ArrayLike, y: ArrayLike, *, k: int = 1, metric: str = "euclidean") -> Neighbours:
    """Keep the samples; a new point gets the label of most of its k nearest ones.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    k : int, 1 ≤ k ≤ n
        Number of votes. Odd k never tie between two labels; if an even one does, the nearest
        neighbour decides, so that k = 2 is k = 1.
    metric : "euclidean" or "manhattan"
        The choice, and the units of the features, decide who is near.

    Returns
    -------
    Neighbours
        With `.predict(Q)` and `.neighbours(Q)`. Ties of distance go to the sample that comes
        first. A query costs O(nd): all distances, and a selection of the k smallest in O(n)
        without sorting the others; up to six features a tree leaves most distances out.

    Raises
    ------
    ValueError
        If there are fewer than k samples.

    Notes
    -----
    Fix and Hodges (1951), Cover and Hart (1967); chapter "Classification". Its decision regions are
    not halfspaces, so it comes with no plane and no certificate.

    >>> nearest([[0.0], [1.0], [3.0]], [-1, -1, 1], k=1).predict([[0.4], [2.0], [2.1]])
    array([-1., -1.,  1.])
    """
    X, y = check_samples(X, y)
    k = check_count(k, "k", least=1)
    if k > len(y):
        raise ValueError(f"`k` must be at most the number of samples, {len(y)}; got {k}.")
    if metric not in METRICS:
        raise ValueError(f'`metric` must be "euclidean" or "manhattan"; got {metric!r}.')
    X, y = X.copy(), y.copy()
    X.flags.writeable = y.flags.writeable = False
    return Neighbours(X, y, k, metric)
