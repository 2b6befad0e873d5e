"""Inseparable sets among all samples: how many can be packed, and how few samples meet all of them."""

from typing import Any

import numpy as np

from linlearn._scipy import optimize, sparse
from linlearn.certificates.hitting import lightest_hitting
from linlearn.certificates.inseparable import Inseparable
from linlearn.certificates.mistakes import Distinct
from linlearn.certificates.witnesses import Claim, Packing
from linlearn.checks import Array
from linlearn.zero_one.cells import Answer, all_right
from linlearn.zero_one.meter import CALL, EXACT, Meter


class Family:
    """A growing family of sets of rows of Z, shape (m, p), all of them proved inseparable."""

    def __init__(self, Z: Array, rows: Distinct, inseparable: Inseparable, meter: Meter) -> None:
        self.meter = meter
        self.Z, self.samples, self.weights = Z, rows.samples, rows.weights
        self.inseparable = inseparable
        self.rng = np.random.default_rng(0)
        self.sets: dict[tuple[int, ...], Array] = {}

    def ask(self, rows: np.ndarray, stretch: Array | None = None) -> Answer:
        """A plane that has these rows right, or an inseparable set of them, which joins the family.

        To stretch the rows differently leads to different sets.
        """
        Z = self.Z[rows] if stretch is None else self.Z[rows] * stretch[rows, None]
        self.meter.add(CALL + 4 * len(Z) * Z.shape[1] ** 2)
        answer = _few_rows(Z)
        if answer.rows is None or not len(answer.rows):
            return Answer(a=answer.a)
        found = np.sort(rows[answer.rows])
        before = self.inseparable.work
        proved = self.inseparable(self.samples[found])
        self.meter.add(CALL + EXACT * (self.inseparable.work - before))
        if not proved:
            return Answer()
        assert answer.weights is not None  # they come with rows
        self.sets.setdefault(tuple(found.tolist()), answer.weights[np.argsort(answer.rows)])
        return Answer(rows=found)

    def harvest(self, rows: np.ndarray, *, most: int) -> None:
        """Disjoint sets among these rows, one after the other, at most so many."""
        stretch = np.exp(1.5 * self.rng.standard_normal(len(self.Z)))
        for _ in range(most):
            asked = len(rows) and not self.meter.spent
            answer = self.ask(rows, stretch) if asked else Answer()
            if answer.rows is None:
                return
            rows = np.setdiff1d(rows, answer.rows, assume_unique=True)

    def packing(self) -> Packing:
        """The largest packing of the family: max Σu_S subject to Σ_{S∋i}u_S ≤ weightᵢ, u ≥ 0."""
        if not self.sets:
            return Packing((), np.zeros(0))
        members = self._members()
        self.meter.add(10 * CALL + 1_000 * members.nnz)
        best = optimize.linprog(
            -np.ones(len(self.sets)), A_ub=members.T, b_ub=self.weights, method="highs"
        )
        amounts = np.zeros(len(self.sets)) if best.x is None else np.maximum(0.0, best.x)
        claims = self.claims()
        used = np.flatnonzero(
            amounts > 1e-9
        )  # the solver's zeros; the bound is added up in fractions
        return Packing(tuple(claims[k] for k in used), amounts[used])

    def lightest(self, below: float, *, max_work: int) -> tuple[np.ndarray | None, float]:
        """Rows of least weight that meet every set, None if none are lighter than `below`; a lower bound."""
        sets = [frozenset(s) for s in self.sets]
        H, bound = lightest_hitting(
            sets, self.weights, below=below, max_work=max_work, tell=self.meter.look
        )
        return None if H is None else np.array(sorted(H), dtype=np.int64), bound

    def claims(self) -> list[Claim]:
        return [Claim(self.samples[list(s)], alpha) for s, alpha in self.sets.items()]

    def _members(self) -> Any:
        rows = np.repeat(np.arange(len(self.sets)), [len(s) for s in self.sets])
        columns = np.concatenate([np.array(s) for s in self.sets])
        shape = (len(self.sets), len(self.Z))
        return sparse.csr_array((np.ones(len(columns)), (rows, columns)), shape)


def _few_rows(Z: Array) -> Answer:
    """Gordan's alternative for many rows: those that the plane of a few treats worst join them."""
    p = Z.shape[1]
    none = np.zeros((0, p))
    rows = np.unique(np.linspace(0, len(Z) - 1, min(len(Z), 8 * p)).astype(int))
    while True:
        answer = all_right(Z[rows], none)
        if answer.a is None:
            return (
                answer if answer.rows is None else Answer(None, rows[answer.rows], answer.weights)
            )
        m = Z @ answer.a
        worst = np.argsort(m, kind="stable")[: 4 * p]
        join = np.setdiff1d(worst[m[worst] <= 0], rows)
        if not join.size:
            return answer
        rows = np.union1d(rows, join)
