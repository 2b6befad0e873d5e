"""`Family`, `ExactFamily`: sets of samples that no hyperplane has all right, proved; their best packing."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from linlearn._scipy import optimize, sparse
from linlearn.branch_and_bound.work_budget import CALL, EXACT, Meter
from linlearn.certificates.deduplicated import Deduplicated
from linlearn.certificates.hitting_set import lightest_hitting
from linlearn.certificates.zero_one_witnesses import Claim, Packing
from linlearn.exact.simplex import decide
from linlearn.solvers.min_norm_point import nonnegative_least_squares
from linlearn.validation import Array, Index

NONE = np.zeros(0)
PROOF = 1e7  # products of 64 bits that a single proof may take


class Answer(NamedTuple):
    """A hyperplane that has the rows right, or some of them that cannot all be right, or neither."""

    a: Array | None = None  # in the coordinates of a frame
    exact: list[Fraction] | None = None  # or in those of the samples
    rows: Index | None = None
    weights: Array = NONE  # of these rows


class Family:
    """A growing collection of sets of rows that no hyperplane has all right, found in floats and proved.

    Rows are those of `deduplicated`, and `Z`, shape (m, p), has them in a frame. Each set has the weights
    that prove it.
    """

    def __init__(self, Z: Array, deduplicated: Deduplicated, meter: Meter) -> None:
        self.Z, self.deduplicated, self.meter = Z, deduplicated, meter
        self.weights = deduplicated.weights
        self.sets: dict[tuple[int, ...], Array] = {}
        self.rng = np.random.default_rng(0)

    def find_inseparable(self, rows: Index, row_scales: Array | None = None) -> Answer:
        """A hyperplane that has these rows right, or some that cannot all be right, which join; or neither.

        To stretch the rows differently, by `row_scales` of shape (m, 1), leads to different sets.
        """
        Z = self.Z[rows] if row_scales is None else self.Z[rows] * row_scales[rows]
        self.meter.add(CALL + 4 * len(Z) * Z.shape[1] ** 2)
        answer = _few_rows(Z)
        if answer.rows is None:
            return answer
        found = rows[answer.rows]
        self.meter.add(CALL)
        proved = self.deduplicated.inseparable(found)
        return self.join(found, answer.weights) if proved else Answer()

    def collect_disjoint(self, rows: Index, *, most: int) -> None:
        """Disjoint sets among these rows, one after the other, at most so many."""
        row_scales = np.exp(1.5 * self.rng.standard_normal((len(self.Z), 1)))
        for _ in range(most):
            asked = len(rows) and not self.meter.spent
            answer = self.find_inseparable(rows, row_scales) if asked else Answer()
            if answer.rows is None:
                return
            rows = np.setdiff1d(rows, answer.rows, assume_unique=True)

    def packing(self) -> Packing:
        """The largest packing of the family: max Σu_S subject to Σ_{S∋i}u_S ≤ weightᵢ, u ≥ 0."""
        if not self.sets:
            return Packing((), np.zeros(0))
        sizes, members = [len(s) for s in self.sets], np.concatenate(list(self.sets))
        self.meter.add(10 * CALL + 1_000 * len(members))
        entries = np.ones(len(members)), members, np.cumsum([0, *sizes])
        carried = sparse.csc_array(entries, shape=(len(self.Z), len(sizes)))
        best = optimize.linprog(-np.ones(len(sizes)), A_ub=carried, b_ub=self.weights)
        amounts = np.zeros(len(sizes)) if best.x is None else np.maximum(0.0, best.x)
        claims = self.claims()
        used = np.flatnonzero(amounts > 1e-9)  # the solver's zeros; fractions add up the bound
        return Packing(tuple(claims[k] for k in used), amounts[used])

    def join(self, rows: Index, weights: Array) -> Answer:
        self.sets.setdefault(tuple(rows.tolist()), weights)
        return Answer(rows=rows)

    def claims(self) -> list[Claim]:
        samples = self.deduplicated.samples
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


class ExactFamily(Family):
    """The same without rounding; a hyperplane may be none of floats."""

    def find_inseparable(self, rows: Index, row_scales: Array | None = None) -> Answer:
        Z = self.deduplicated.Z[self.deduplicated.samples[rows]]
        found = decide(Z, rows[:0], max_work=min(PROOF, self.meter.left / EXACT))
        self.meter.add(CALL)
        self.meter.add_exact(found.work)
        if found.weights is None:
            return Answer(exact=found.plane)
        used = sorted(found.weights)
        return self.join(rows[used], np.array([float(found.weights[k]) for k in used]))


def _few_rows(Z: Array) -> Answer:
    """Gordan's alternative for many rows: those that the hyperplane of a few treats worst join them."""
    p = Z.shape[1]
    rows = np.unique(np.linspace(0, len(Z) - 1, min(len(Z), 8 * p)).astype(int))
    while True:
        answer = _all_right(Z[rows])
        if answer.rows is not None:
            return answer._replace(rows=rows[answer.rows])
        if answer.a is None:
            return answer
        m = Z @ answer.a
        worst = np.argsort(m, kind="stable")[: 4 * p]
        join = np.setdiff1d(worst[m[worst] <= 0], rows)
        if not join.size:
            return answer
        rows = np.union1d(rows, join)


def _all_right(Z: Array) -> Answer:
    """Gordan's alternative: Z ã > 0 for some ã, or Zᵀα = 0 for some α ≥ 0, α ≠ 0.

    Non-negative least squares on ‖Zᵀα‖² + (Σα - 1)² answers both: its residual is the hyperplane.
    """
    size = np.abs(Z).max(axis=1)  # first, so that no square underflows
    length = size * np.linalg.norm(Z / size[:, None], axis=1)
    rows = Z / length[:, None]
    try:
        u = nonnegative_least_squares(np.column_stack([rows, np.ones(len(rows))]))
    except RuntimeError:  # it cycled: no answer
        return Answer()
    # Only a proposal, as are the weights: hyperplanes are counted in fractions, and claims are proved. Rows
    # have length 1, so that below 1e-12 and 1e-11 there may be nothing but rounding.
    a = u @ rows
    if (rows @ a).min() > 1e-12:
        return Answer(a=a)
    used = np.flatnonzero(u > 1e-11 * u.max())
    return Answer(rows=used, weights=u[used] / length[used]) if used.size else Answer()
