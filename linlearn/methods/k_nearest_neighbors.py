"""k nearest neighbours: a point gets the majority label of the k samples nearest to it."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from linlearn._dispatch import requires_memory
from linlearn.solvers.k_nearest_neighbors import neighbours, tree
from linlearn.validation import Array, Index, check_choice, check_count, check_points, check_samples

METRICS = ("euclidean", "manhattan")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Neighbors:
    """A fitted k-nearest-neighbour classifier, made by `k_nearest_neighbors`: it stores the samples."""

    X: Array
    y: Array
    k: int
    metric: str
    _tree: Any = field(init=False, default=None)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_tree", tree(self.X, self.k))

    def neighbours(self, Q: ArrayLike) -> Index:
        """Indices of the k samples nearest to each row of Q, nearest first, shape (q, k).

        Among samples at the same distance, the one that comes first in X counts as nearer.
        """
        Q = check_points(Q, d=self.X.shape[1], name="Q", where="`neighbours`")
        return neighbours(self.X, Q, self.k, self.metric, self._tree)

    def predict(self, Q: ArrayLike) -> Array:
        """The majority label of the k samples nearest to each row of Q, shape (q,), in {-1, +1}.

        If an even k gives a tie, the nearest neighbour decides.
        """
        labels = self.y[self.neighbours(Q)]
        votes = labels.sum(axis=1)
        return np.where(votes != 0, np.sign(votes), labels[:, 0])

    def __repr__(self) -> str:
        n, d = self.X.shape
        return f"Neighbors(k={self.k}, {n} samples, {d} features, {self.metric})"


@requires_memory("it has to keep all the samples")
def k_nearest_neighbors(
    X: ArrayLike, y: ArrayLike, *, k: int = 1, metric: str = "euclidean"
) -> Neighbors:
    """Store the samples; a new point gets the majority label of the k samples nearest to it.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    k : int, 1 ≤ k ≤ n
        Number of neighbours. An odd k never gives a tie between two labels; for an even k the nearest
        neighbour breaks ties, so that k = 2 gives the same labels as k = 1.
    metric : "euclidean" or "manhattan"
        Together with the units of the features, the metric determines which samples are nearest.

    Returns
    -------
    Neighbors
        With the methods `predict(Q)` and `neighbours(Q)`. Among samples at the same distance, the one that
        comes first in X counts as nearer. A query costs O(nd): all distances are computed, and the k
        smallest are selected in O(n); for up to six features a tree avoids most distances.

    Raises
    ------
    ValueError
        If there are fewer than k samples.

    Notes
    -----
    Fix and Hodges (1951), Cover and Hart (1967); lesson "Classification". Its decision regions are
    not half-spaces, so there is no hyperplane and no certificate.

    Examples
    --------
    >>> k_nearest_neighbors([[0.0], [1.0], [3.0]], [-1, -1, 1], k=1).predict([[0.4], [2.0], [2.1]])
    array([-1., -1.,  1.])
    """
    X, y = check_samples(X, y)
    k = check_count(k, "k", least=1)
    if k > len(y):
        raise ValueError(f"`k` must be at most the number of samples, {len(y)}; got {k}.")
    check_choice(metric, "metric", METRICS)
    X, y = X.copy(), y.copy()
    X.flags.writeable = y.flags.writeable = False
    return Neighbors(X, y, k, metric)
