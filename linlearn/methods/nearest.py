"""Nearest neighbours: a point is what most of the samples around it are."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist

from linlearn.checks import Array, check_count, check_points, check_samples

METRICS = ("euclidean", "manhattan")
ENTRIES = 2**21  # distances held at a time
EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Neighbours:
    """The samples themselves, kept to be asked: made by `nearest`. It is no plane."""

    X: Array
    y: Array
    k: int
    metric: str

    def neighbours(self, Q: ArrayLike) -> NDArray[np.intp]:
        """Indices of the k nearest samples of each row of Q, nearest first, shape (q, k).

        Of samples at the same distance the one that comes first in X is nearer.
        """
        Q = check_points(Q, d=self.X.shape[1], name="Q")
        n, k = len(self.X), self.k
        found = np.empty((len(Q), k), dtype=np.intp)
        stride, size = max(1, min(32, n // (8 * k))), max(1, ENTRIES // n)
        distances = _distances(self.X, self.metric)
        for first in range(0, len(Q), size):
            D, doubt = distances(Q[first : first + size])
            # The k-th smallest of some distances is at least the k-th smallest of all.
            most = np.partition(D[:, ::stride], k - 1, axis=1)[:, k - 1] + doubt
            for q, (row, far) in enumerate(zip(D, most, strict=True), start=first):
                near = np.flatnonzero(row <= far)
                gap = Q[q] - self.X[near]
                exact = (np.abs(gap) if self.metric == "manhattan" else gap * gap).sum(axis=1)
                found[q] = near[np.argsort(exact, kind="stable")[:k]]
        return found

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


def _distances(X: Array, metric: str) -> Callable[[Array], tuple[Array, Array]]:
    """A function of Q: distances up to a constant for each row, and twice what they may err by.

    Squared Euclidean ones are ‖x‖² - 2⟨x, q⟩ + ‖q‖², one matrix product instead of nd differences
    for each query; so they rank the samples only up to rounding.
    """
    d, centre = X.shape[1], X.mean(axis=0)
    Z = X - centre
    squares = np.einsum("ij,ij->i", Z, Z)

    def euclidean(Q: Array) -> tuple[Array, Array]:
        Q = Q - centre
        D = (-2 * Q) @ Z.T
        D += squares
        reach = squares.max() + np.einsum("ij,ij->i", Q, Q)
        return D, 16 * (d + 8) * EPS * reach

    def manhattan(Q: Array) -> tuple[Array, Array]:
        D = cdist(Q, X, "cityblock")
        return D, 16 * (d + 8) * EPS * D.max(axis=1)

    return euclidean if metric == "euclidean" else manhattan


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
        without sorting the others.

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
