"""In one cell of weight directions: can these samples all be right? And how few of them must be wrong?"""

from dataclasses import dataclass

import numpy as np

from linlearn._scipy import optimize
from linlearn.certificates.cells import Cells, refuted
from linlearn.certificates.hitting import lightest_hitting
from linlearn.certificates.inseparable import Inseparable
from linlearn.certificates.witnesses import Claim
from linlearn.checks import Array
from linlearn.engines.nearest_point import nonnegative
from linlearn.zero_one.meter import CALL, EXACT, Meter


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """A plane a of the cell that has all rows right, or rows that cannot all be right, or neither."""

    a: Array | None = None
    rows: np.ndarray | None = None
    weights: Array | None = None


def sides(cells: Cells, k: int) -> Array:
    """The inequalities ⟨g, ã⟩ ≥ 0 of cell k, shape (2(p-1), p): |ãⱼ - centreⱼ·ã_f/±1| ≤ half·|ã_f|."""
    centre, f = cells.centres[k], cells.faces[k]
    E = np.delete(np.eye(len(centre)), f, axis=0)
    E[:, f] = -np.delete(centre, f) * centre[f]
    top = np.zeros_like(E)
    top[:, f] = cells.half * centre[f]
    return np.concatenate([top + E, top - E])


def all_right(Z: Array, G: Array) -> Answer:
    """Gordan's alternative in a cone: Z ã > 0 and G ã ≥ 0 for some ã, or Zᵀα + Gᵀβ = 0 for α, β ≥ 0, α ≠ 0.

    Non-negative least squares on ‖Zᵀα + Gᵀβ‖² + (Σα - 1)² answers both: its residual is the plane.
    """
    size = np.abs(Z).max(axis=1)  # first, so that no square underflows
    length = size * np.linalg.norm(Z / size[:, None], axis=1)
    rows = np.concatenate([Z / length[:, None], G / np.linalg.norm(G, axis=1)[:, None]])
    system = np.column_stack([rows, np.arange(len(rows)) < len(Z)])
    try:
        u = nonnegative(system)
    except RuntimeError:  # it cycled: no answer
        return Answer()
    # Only a proposal, as are the weights: planes are counted in fractions, and claims are proved. Rows have
    # length 1, so that below 1e-12 and 1e-11 there may be nothing but rounding.
    a = u @ rows
    if (rows[: len(Z)] @ a).min() > 1e-12 and (rows[len(Z) :] @ a).min(initial=1.0) > -1e-14:
        return Answer(a=a)
    used = np.flatnonzero(u > 1e-11 * u.max())
    inside = used[used < len(Z)]
    return Answer(rows=inside, weights=u[inside] / length[inside])


def sharpened(Z: Array, G: Array, weights: Array, outward: Array) -> Array:
    """Move weights with Zᵀα + Gᵀβ = 0 so that the sum is -t · outward, t > 0, which no rounding hides."""
    used = np.concatenate([Z, G])
    beta, _ = optimize.nnls(G.T, -(weights @ Z)) if len(G) else (np.zeros(0), 0.0)
    u = np.concatenate([weights, beta])
    keep = u > 1e-11 * u.max()
    move = np.zeros(len(u))
    move[keep] = np.linalg.lstsq(used[keep].T, -outward, rcond=None)[0]
    falling = move < 0
    t = 0.5 * float((u[falling] / -move[falling]).min(initial=1.0))
    return np.maximum(0.0, u + t * move)[: len(Z)]


class Leaf:
    """The undecided samples of one cell, and the claims found among them."""

    def __init__(
        self,
        cells: Cells,
        k: int,
        Z: Array,
        slack: Array,
        samples: np.ndarray,
        inseparable: Inseparable,
        meter: Meter,
    ) -> None:
        self.meter = meter
        self.cells, self.k, self.Z, self.slack = cells, k, Z, slack
        self.samples, self.inseparable = samples, inseparable
        self.G = sides(cells, k)
        self.claims: list[Claim] = []
        self.sets: list[frozenset[int]] = []

    def ask(self, rows: np.ndarray) -> Answer:
        """Either a plane in the cell that has `rows` right, or a proved claim, or neither (both None)."""
        self.meter.add(CALL + (len(rows) + len(self.G)) * self.Z.shape[1] ** 2)
        answer = all_right(self.Z[rows], self.G)
        if answer.a is not None or answer.rows is None or not len(answer.rows):
            return Answer(a=answer.a)
        rows = rows[answer.rows]
        assert answer.weights is not None  # they come with rows
        Z, slack, weights = self.Z[rows], self.slack[rows], answer.weights
        if not refuted(self.cells, self.k, Z, slack, weights):
            outward = np.zeros(Z.shape[1])
            f = self.cells.faces[self.k]
            outward[f] = self.cells.centres[self.k, f] * np.abs(Z).max()
            weights = sharpened(Z, self.G, weights, outward)
            proved = refuted(self.cells, self.k, Z, slack, weights)
            before = self.inseparable.work
            proved = proved or self.inseparable(self.samples[rows])
            self.meter.add(CALL + EXACT * (self.inseparable.work - before))
            if not proved:
                return Answer()
        order = np.argsort(self.samples[rows])
        self.claims.append(Claim(self.samples[rows[order]], weights[order]))
        self.sets.append(frozenset(rows.tolist()))
        return Answer(rows=rows)

    def refute(self, weights: Array, need: float, *, rounds: int) -> Answer | None:
        """Prove that rows of weight `need` at least are wrong in the cell: None if so.

        First disjoint sets, each found among the rows that no earlier one has; then, as long as some H
        lighter than `need` meets all sets, one more among the rows outside of H. A plane that has all of
        those right has fewer mistakes than `need`, and is returned.
        """
        rest = np.arange(len(self.Z))
        packed = 0.0
        for _ in range(rounds):
            if packed >= need:
                return None
            if not len(rest) or self.meter.spent:
                break
            answer = self.ask(rest)
            if answer.rows is None:
                break
            packed += weights[answer.rows].min()
            rest = np.setdiff1d(rest, answer.rows)
        for _ in range(rounds):
            if self.meter.spent:
                break
            H, bound = lightest_hitting(
                self.sets, weights, below=need, max_work=5000, tell=self.meter.look
            )
            if H is None:
                return None if bound >= need else Answer()
            rest = np.setdiff1d(np.arange(len(self.Z)), list(H))
            if not len(rest):
                return Answer(a=self.cells.centres[self.k])
            answer = self.ask(rest)
            if answer.rows is None:
                return answer
        return Answer()
