"""`Family`, `ExactFamily`: inseparable subsets of all samples, each proved, and their best packing."""

import numpy as np

from linlearn._scipy import optimize, sparse
from linlearn.branch_and_bound.inseparable_sets import Answer, Sets, all_right
from linlearn.branch_and_bound.work_budget import CALL, EXACT, Meter
from linlearn.certificates.deduplicated import Deduplicated
from linlearn.certificates.zero_one_witnesses import Packing
from linlearn.exact.simplex import decide
from linlearn.validation import Array, Index

PROOF = 1e7  # products of 64 bits that a single proof may take


class Family(Sets):
    """Sets that no hyperplane has all right, found in floats and proved."""

    def __init__(self, Z: Array, deduplicated: Deduplicated, meter: Meter) -> None:
        super().__init__(Z, np.arange(len(Z)), deduplicated, meter)
        self.rng = np.random.default_rng(0)

    def find_inseparable(self, rows: Index, row_scales: Array | None = None) -> Answer:
        """To stretch the rows differently, by `row_scales` of shape (m, 1), leads to different sets."""
        Z = self.Z[rows] if row_scales is None else self.Z[rows] * row_scales[rows]
        self.meter.add(CALL + 4 * len(Z) * Z.shape[1] ** 2)
        answer = _few_rows(Z)
        if answer.rows is None:
            return answer
        found = rows[answer.rows]
        self.meter.add(CALL)
        return self.join(found, answer.weights) if self.inseparable(found) else Answer()

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
    none = np.zeros((0, p))
    rows = np.unique(np.linspace(0, len(Z) - 1, min(len(Z), 8 * p)).astype(int))
    while True:
        answer = all_right(Z[rows], none)
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
