"""`Sets`, base class of collections of inseparable subsets; `all_right`, which proposes new ones."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from linlearn.branch_and_bound.work_budget import Meter
from linlearn.certificates.deduplicated import Deduplicated
from linlearn.certificates.hitting_set import lightest_hitting
from linlearn.certificates.zero_one_witnesses import Claim
from linlearn.solvers.min_norm_point import nonnegative_least_squares
from linlearn.validation import Array, Index

NONE = np.zeros(0)


class Answer(NamedTuple):
    """A hyperplane that has the rows right, or some of them that cannot all be right, or neither."""

    a: Array | None = None  # in the coordinates of a frame
    exact: list[Fraction] | None = None  # or in those of the samples
    rows: Index | None = None
    weights: Array = NONE  # of these rows


class Sets:
    """A growing collection of sets of rows, proved never to be all right, with the weights that prove it.

    Rows are numbered from 0 here; they are the `rows` of `deduplicated`, and `Z`, shape (m, p), in a frame.
    Each kind of collection has a method `find_inseparable`. It returns a hyperplane that has the given rows
    right, or some of them that cannot all be right, which join the collection; or neither.
    """

    def __init__(self, Z: Array, rows: Index, deduplicated: Deduplicated, meter: Meter) -> None:
        self.Z, self.rows, self.deduplicated, self.meter = Z, rows, deduplicated, meter
        self.weights = deduplicated.weights[rows]
        self.sets: dict[tuple[int, ...], Array] = {}

    def inseparable(self, rows: Index) -> bool:
        """Whether no hyperplane at all has these rows right: proved."""
        return self.deduplicated.inseparable(self.rows[rows])

    def join(self, rows: Index, weights: Array) -> Answer:
        self.sets.setdefault(tuple(rows.tolist()), weights)
        return Answer(rows=rows)

    def claims(self) -> list[Claim]:
        samples = self.deduplicated.samples[self.rows]
        return [Claim(samples[list(rows)], weights) for rows, weights in self.sets.items()]

    def lightest(self, below: float, *, max_work: int) -> tuple[Index | None, float]:
        """Rows that are left when the lightest ones that meet every set are gone, and at least their weight.

        None if there are none lighter than `below`.
        """
        sets = [frozenset(rows) for rows in self.sets]
        H, bound = lightest_hitting(
            sets, self.weights, below=below, max_work=max_work, tell=self.meter.add_sets
        )
        return None if H is None else np.setdiff1d(np.arange(len(self.Z)), list(H)), bound


def all_right(Z: Array, G: Array) -> Answer:
    """Gordan's alternative in a cone: Z ã > 0 and G ã ≥ 0 for some ã, or Zᵀα + Gᵀβ = 0 for α, β ≥ 0, α ≠ 0.

    Non-negative least squares on ‖Zᵀα + Gᵀβ‖² + (Σα - 1)² answers both: its residual is the hyperplane.
    """
    size = np.abs(Z).max(axis=1)  # first, so that no square underflows
    length = size * np.linalg.norm(Z / size[:, None], axis=1)
    rows = np.concatenate([Z / length[:, None], G / np.linalg.norm(G, axis=1)[:, None]])
    system = np.column_stack([rows, np.arange(len(rows)) < len(Z)])
    try:
        u = nonnegative_least_squares(system)
    except RuntimeError:  # it cycled: no answer
        return Answer()
    # Only a proposal, as are the weights: hyperplanes are counted in fractions, and claims are proved. Rows
    # have length 1, so that below 1e-12 and 1e-11 there may be nothing but rounding.
    a = u @ rows
    if (rows[: len(Z)] @ a).min() > 1e-12 and (rows[len(Z) :] @ a).min(initial=1.0) > -1e-14:
        return Answer(a=a)
    used = np.flatnonzero(u > 1e-11 * u.max())
    inside = used[used < len(Z)]
    return Answer(rows=inside, weights=u[inside] / length[inside]) if inside.size else Answer()
