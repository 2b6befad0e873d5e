"""`Deduplicated`: distinct samples with weights, independent columns, cached proofs of inseparable rows."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from linlearn.certificates.cells import Frame
from linlearn.certificates.inseparable_subsets import MOST_WORK, prove_origin_in_hull
from linlearn.certificates.zero_one_witnesses import Claim
from linlearn.exact.column_space import independent_columns
from linlearn.plane import signed
from linlearn.validation import Array, Ints


class Distinct(NamedTuple):
    """The distinct samples, their weights, and the mistakes that no hyperplane avoids.

    Of equal samples with both labels, one class is wrong: `unavoidable` counts the smaller class (and zᵢ = 0,
    which is always a mistake); `weights` is how many more the larger class has.
    """

    samples: Ints
    weights: Array
    unavoidable: int


def distinct(Z: Array) -> Distinct:
    """Group the rows of Z that are equal or opposite."""
    first = (Z != 0).argmax(axis=1)
    sign = np.sign(Z[np.arange(len(Z)), first])
    undirected = Z * sign[:, None] + 0.0
    group = np.unique(undirected, axis=0, return_inverse=True)[1].ravel()
    excess = np.bincount(group, weights=sign)
    unavoidable = (len(Z) - np.abs(excess).sum() - (sign == 0).sum()) / 2 + (sign == 0).sum()
    of_larger = np.flatnonzero(sign * np.sign(excess)[group] > 0)
    _, one = np.unique(group[of_larger], return_index=True)
    samples = np.sort(of_larger[one])
    return Distinct(samples, np.abs(excess)[group[samples]], int(unavoidable))


class Deduplicated:
    """Samples without the columns that others make up, and the `Distinct` ones among them as rows.

    `most` is the work that one proof may take; of what each took, `tell` is told.
    """

    def __init__(
        self,
        X: Array,
        y: Array,
        *,
        fit_intercept: bool,
        most: float = MOST_WORK,
        tell: Callable[[float], object] | None = None,
    ) -> None:
        kept = independent_columns(X, fit_intercept=fit_intercept)
        self.columns = kept if len(kept) else np.zeros(1, dtype=np.intp)  # all are constant
        self.d, self.fit_intercept, self.y = X.shape[1], fit_intercept, y
        X = X[:, self.columns]
        self.Z = signed(X, y, fit_intercept=fit_intercept)  # of all samples
        self.samples, self.weights, self.unavoidable = distinct(self.Z)
        self._distinct = X[self.samples], y[self.samples]
        self._most, self._tell = most, tell
        self._row = {sample: row for row, sample in enumerate(self.samples.tolist())}
        self._known: dict[tuple[int, ...], bool] = {}

    def for_all_columns(self, a: Sequence[Any]) -> list[Any]:
        """Weights for all columns, 0 for those that were left out; and the intercept, if there is one."""
        weights = dict(zip(self.columns.tolist(), a, strict=False))
        return [*(weights.get(j, 0) for j in range(self.d)), *a[len(weights) :]]

    def frame(self) -> Frame:
        """Coordinates in which the rows look round."""
        return Frame.of(*self._distinct, fit_intercept=self.fit_intercept)

    def framed(self, frame: Frame) -> tuple[Array, Array]:
        """The rows in these coordinates, and their slack."""
        return frame.rows(*self._distinct, fit_intercept=self.fit_intercept)

    def inseparable(self, rows: Ints) -> bool:
        """Whether no hyperplane has all of these rows right: proved, and asked once."""
        key = tuple(rows.tolist())
        if key not in self._known:
            proved, work = prove_origin_in_hull(self.Z[self.samples[rows]], max_work=self._most)
            if self._tell is not None:
                self._tell(work)
            self._known[key] = proved
        return self._known[key]

    def rows_of(self, claim: Claim) -> Ints:
        """The rows that a claim is about; none if its samples are not distinct rows: then it is void."""
        rows = [self._row.get(sample, -1) for sample in np.ravel(claim.samples).tolist()]
        known = min(rows, default=-1) >= 0 and len(set(rows)) == len(rows)
        return np.array(rows if known else [], dtype=np.int64)
