"""Bound the mistakes within one cell from below, by subsets that no hyperplane in it has all right."""

import numpy as np

from linlearn._scipy import optimize
from linlearn.branch_and_bound.inseparable_sets import Answer, Sets, all_right
from linlearn.branch_and_bound.work_budget import CALL, Meter
from linlearn.certificates.cells import Cells, refuted
from linlearn.certificates.deduplicated import Deduplicated
from linlearn.validation import Array, Index

LOOKS = 5_000  # at sets, for one lightest set of rows that meets them


def cell_inequalities(cells: Cells, k: int) -> Array:
    """The inequalities ⟨g, ã⟩ ≥ 0 of cell k, shape (2(p-1), p): |ãⱼ - centreⱼ·ã_f/±1| ≤ half·|ã_f|."""
    centre, f = cells.centres[k], cells.faces[k]
    E = np.delete(np.eye(len(centre)), f, axis=0)
    E[:, f] = -np.delete(centre, f) * centre[f]
    top = np.zeros_like(E)
    top[:, f] = cells.half * centre[f]
    return np.concatenate([top + E, top - E])


def shift_outward(Z: Array, G: Array, weights: Array, outward: Array) -> Array:
    """Move weights with Zᵀα + Gᵀβ = 0 so that the sum is -t · outward, t > 0, which no rounding hides."""
    used = np.concatenate([Z, G])
    beta = optimize.nnls(G.T, -(weights @ Z))[0] if len(G) else np.zeros(0)
    u = np.concatenate([weights, beta])
    keep = u > 1e-11 * u.max()
    move = np.zeros(len(u))
    move[keep] = np.linalg.lstsq(used[keep].T, -outward, rcond=None)[0]
    falling = move < 0
    t = 0.5 * float((u[falling] / -move[falling]).min(initial=1.0))
    return np.maximum(0.0, u + t * move)[: len(Z)]


class Leaf(Sets):
    """Sets of the undecided rows of cell k that are never all right in it."""

    def __init__(
        self,
        cells: Cells,
        k: int,
        Z: Array,
        slack: Array,
        rows: Index,
        deduplicated: Deduplicated,
        meter: Meter,
    ) -> None:
        super().__init__(Z, rows, deduplicated, meter)
        self.cells, self.k, self.slack = cells, k, slack
        self.G = cell_inequalities(cells, k)

    def find_inseparable(self, rows: Index) -> Answer:
        self.meter.add(CALL + (len(rows) + len(self.G)) * self.Z.shape[1] ** 2)
        answer = all_right(self.Z[rows], self.G)
        if answer.rows is None:
            return answer
        rows, weights = rows[answer.rows], answer.weights
        if not self._refuted(rows, weights):
            self.meter.add(CALL)
            outward = np.zeros(self.Z.shape[1])
            f = self.cells.faces[self.k]
            outward[f] = self.cells.centres[self.k, f] * np.abs(self.Z[rows]).max()
            weights = shift_outward(self.Z[rows], self.G, weights, outward)
            if not self._refuted(rows, weights) and not self.inseparable(rows):
                return Answer()
        return self.join(rows, weights)

    def _refuted(self, rows: Index, weights: Array) -> bool:
        return refuted(self.cells, self.k, self.Z[rows], self.slack[rows], weights)

    def refute(self, need: float, *, rounds: int) -> Answer | None:
        """Prove that rows of weight `need` at least are wrong in the cell: None if so.

        First disjoint sets, each found among the rows that no earlier one has; then, as long as some H
        lighter than `need` meets all sets, one more among the rows outside of H. A hyperplane that has all of
        those right has fewer mistakes than `need`, and is returned.
        """
        rest, packed = np.arange(len(self.Z)), 0.0
        for _ in range(rounds):
            if packed >= need:
                return None
            answer = self.find_inseparable(rest) if len(rest) and not self.meter.spent else Answer()
            if answer.rows is None:
                break
            packed += self.weights[answer.rows].min()
            rest = np.setdiff1d(rest, answer.rows)
        for _ in range(rounds):
            if self.meter.spent:
                break
            left, bound = self.lightest(need, max_work=LOOKS)
            if left is None:
                return None if bound >= need else Answer()
            if not len(left):
                return Answer(a=self.cells.centres[self.k])
            answer = self.find_inseparable(left)
            if answer.rows is None:
                return answer
        return Answer()
