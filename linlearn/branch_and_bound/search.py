"""`Search` for the fewest mistakes: packings, hitting sets of inseparable subsets, cells in few columns."""

import heapq
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from linlearn.branch_and_bound.angular_sweep import improve
from linlearn.branch_and_bound.inseparable_sets import PROOF, ExactFamily, Family
from linlearn.branch_and_bound.work_budget import CALL, LOOK, Meter
from linlearn.certificates.cells import SMALLEST, Cells, all_directions, judge
from linlearn.certificates.deduplicated import Deduplicated
from linlearn.certificates.mistakes import packing_bound, right_exact
from linlearn.certificates.zero_one_witnesses import Claim, Cover, Packing
from linlearn.exact.dyadic import nearby_float_plane, products
from linlearn.plane import Hyperplane, plane_of
from linlearn.solvers.min_norm_point import min_norm_point
from linlearn.validation import Array, Index

SETS_FROM = 6  # homogeneous dimension from which inseparable sets are tried before cells,
SETS_UP_TO = 10  # for so many mistakes of the lightest sample to be proved,
TRIED = 3e8  # with so much work; and
CELLS_UP_TO = 7  # the one beyond which nothing else is tried
SWEPT = 600_000  # rows that the sweeps for a first hyperplane may sort in all
PACKED_UP_TO = 100  # mistakes beyond which no packing is looked for
EXACTLY_UP_TO = 200  # samples up to which integers are tried, when cells shrink to nothing, or
PATIENCE = 1e8  # have taken so much work; then they may take ten times as much, or half of the rest
TINY = 2.0**-12  # half-width of cells that are left only where many hyperplanes ⟨ã, z̃⟩ = 0 meet
MOST_LOOKS = 300_000  # at sets, for one lightest set of rows that meets them


class Node(NamedTuple):
    """A cell still to be cut: its proved mistakes, its place in the tree, and the rows undecided in it."""

    bound: float
    order: int  # breaks ties, so that cells are never compared
    split: int
    piece: int
    cells: Cells
    undecided: Index


class Search:
    """What has been found and proved so far, and how to go on.

    First a hyperplane (`_try` turns it, `_keep` counts it) and sets of rows that no hyperplane has all right:
    how many can be packed (`_pack`), and how few rows meet them (`_search_hitting_sets`). Then cells, cut
    best first (`_branch_and_bound`, `_enter`), and once in between sets again, found without rounding.
    `lower` and `upper` count all mistakes; `bound` and `need` those beyond `unavoidable`, which every
    hyperplane makes.
    """

    def __init__(self, X: Array, y: Array, fit_intercept: bool, meter: Meter) -> None:
        self.fit_intercept, self.meter = fit_intercept, meter
        self.deduplicated = Deduplicated(
            X, y, fit_intercept=fit_intercept, most=PROOF, tell=meter.add_exact
        )
        self.unavoidable, self.weights = self.deduplicated.unavoidable, self.deduplicated.weights
        self.lower, self.upper = self.unavoidable, len(y)
        self.plane = Hyperplane(np.zeros(X.shape[1]))
        self.exact: list[str] | None = None  # a better hyperplane, which floats cannot hold
        self.packing, self.packing_value = Packing((), np.zeros(0)), 0
        self.nodes = 0
        self.queue: list[Node] = []
        self.unsplit_bound = np.inf  # fewest proved mistakes of a cell too small to be cut
        self.splits: list[tuple[int, int]] = []
        self.claims: list[Claim] = []
        if len(self.weights):
            self.frame = self.deduplicated.frame()
            self.Z, self.slack = self.deduplicated.framed(self.frame)
            self.all_rows = np.arange(len(self.Z))

    @property
    def open(self) -> bool:
        """Whether there is something left to prove, and work to do it with."""
        return self.lower < self.upper and not self.meter.spent

    def witnesses(self) -> Iterator[Packing | Cover]:
        """What has been proved, as dual witnesses, the simpler one first."""
        yield self.packing
        if self.claims:
            none = np.zeros(0, np.int64)
            yield Cover(self.frame, none, none, tuple(self.claims))
        if self.splits:
            parent, piece = np.array(self.splits, dtype=np.int64).T.copy()
            yield Cover(self.frame, parent, piece, ())

    def run(self) -> Iterator[None]:
        """Search until lower = upper, or the budget is spent; stop at every news, or more often."""
        if not len(self.weights):  # whatever is not on the hyperplane cancels
            rng = np.random.default_rng(0)
            while self.upper > self.unavoidable:
                self._keep(rng.standard_normal(self.deduplicated.Z.shape[1:]))
            yield
            return
        a: Array = np.linalg.lstsq(self.Z, np.ones(len(self.Z)), rcond=None)[0].astype(np.float64)
        sweeps = 2 if len(a) == 2 else min(60, 4 + SWEPT // len(self.Z))
        self._try(a if a.any() else np.eye(len(a))[0], rounds=sweeps)
        yield
        family = Family(self.Z, self.deduplicated, self.meter)
        yield from self._pack(family)
        p, need = self.Z.shape[1], self.upper - self.unavoidable
        if p > CELLS_UP_TO:
            yield from self._search_hitting_sets(family, self.meter.max_work)
        elif p >= SETS_FROM and need <= SETS_UP_TO * self.weights.min():
            yield from self._search_hitting_sets(family, self.meter.work + TRIED)
        if p <= CELLS_UP_TO:
            yield from self._branch_and_bound()

    def _try(self, a: Array, *, rounds: int) -> None:
        """Turn the hyperplane a to fewer mistakes, and keep it if it has fewer than the best one so far."""
        self.meter.add(CALL + rounds * (CALL + 50 * len(self.Z)))
        a = improve(self.Z, self.weights, a, rounds=rounds, seed=self.nodes)
        self._keep(self.frame.plane(a, fit_intercept=self.fit_intercept))

    def _keep(self, a: Array) -> None:
        """Keep a, or one of larger margin on the samples that a has right, if it is the best so far."""
        Z = self.deduplicated.Z
        self.meter.add(CALL + Z.size)
        right = right_exact(Z, a)
        found = int((~right).sum())
        if found >= self.upper:
            return
        labels = set(self.deduplicated.y[right].tolist())
        if labels and (not self.fit_intercept or len(labels) == 2):
            self.meter.add(2 * CALL + 10 * Z.size * Z.shape[1])
            clear, _ = min_norm_point(Z[right])
            found_clear = int((~right_exact(Z, clear)).sum())
            if found_clear <= found:
                a, found = clear, found_clear
        self.upper, self.exact = found, None
        whole = np.array(self.deduplicated.for_all_columns(a.tolist()), dtype=np.float64)
        self.plane = plane_of(whole, fit_intercept=self.fit_intercept)

    def _keep_exactly(self, a: list[Fraction]) -> None:
        """The same for a hyperplane that floats may not hold."""
        Z = self.deduplicated.Z
        right = products(Z, a)[0] > 0
        if right.any():
            near = nearby_float_plane(Z[right], a, fit_intercept=self.fit_intercept)
            self._keep(np.zeros(len(a)) if near is None else near)
        found = int((~right).sum())
        if found < self.upper:
            self.upper, self.exact = found, [str(v) for v in self.deduplicated.for_all_columns(a)]

    def _pack(self, family: Family) -> Iterator[None]:
        """Try to prove the bound by a packing of inseparable sets alone."""
        need = self.upper - self.unavoidable
        if need > PACKED_UP_TO:
            return
        for _ in range(10):
            if not self.open:
                return
            before = len(family.sets)
            family.collect_disjoint(self.all_rows, most=2 * need)
            if self._raise_packing(family) < need / 2 or len(family.sets) == before:
                break
            yield

    def _raise_packing(self, family: Family) -> int:
        packing = family.packing()
        bound = packing_bound(packing, self.deduplicated)
        if bound > self.packing_value:
            self.packing_value, self.packing = bound, packing
        self.lower = max(self.lower, self.unavoidable + bound)
        return bound

    def _search_hitting_sets(self, family: Family, most: float) -> Iterator[None]:
        """Few rows that meet all inseparable sets known; if the others are inseparable too, more sets.

        If not, their hyperplane has fewer mistakes. It ends where `most` work is done.
        """
        if self.open and self.upper - self.unavoidable <= PACKED_UP_TO:
            self._repair(family, self.all_rows)
        while self.open and self.meter.work < most:
            most_nodes = min(MOST_LOOKS, int((most - self.meter.work) / LOOK))
            rest, bound = family.lightest(self.upper - self.unavoidable, max_work=most_nodes)
            if self.unavoidable + bound > self.lower:
                self.lower, self.claims = self.unavoidable + int(bound), family.claims()
            if rest is None:
                break
            before = len(family.sets), self.upper
            self._repair(family, rest)
            if (len(family.sets), self.upper) == before:
                break
            yield
        self._raise_packing(family)

    def _repair(self, family: Family, rows: Index) -> None:
        """Give up one row of each inseparable set that is met, until a hyperplane has the others right."""
        answer = family.find_inseparable(rows)
        while answer.rows is not None and len(rows) and not self.meter.spent:
            lightest = answer.rows[self.weights[answer.rows].argmin()]
            rows = rows[rows != lightest]
            answer = family.find_inseparable(rows)
        if answer.exact is not None:
            self._keep_exactly(answer.exact)
        elif answer.a is not None:
            self._try(answer.a, rounds=10)

    def _branch_and_bound(self) -> Iterator[None]:
        """Cut the cell with the fewest proved mistakes, until none has fewer than the best hyperplane."""
        if not self.open:
            return
        root = Node(0.0, 0, -1, -1, all_directions(self.Z.shape[1]), self.all_rows)
        self._enter(root, root.cells)
        yield
        exactly = len(self.Z) <= EXACTLY_UP_TO
        while self.queue and self.open:
            cells = self.queue[0].cells
            if exactly and (cells.half < TINY or self.meter.work > PATIENCE):
                exactly = False
                most = self.meter.work + min(10 * PATIENCE, self.meter.left / 2)
                family = ExactFamily(self.Z, self.deduplicated, self.meter)
                yield from self._search_hitting_sets(family, most)
                continue
            node = heapq.heappop(self.queue)
            self._enter(node, cells.cut(node.piece))
            self._raise_lower()
            yield
        self._raise_lower()
        yield

    def _raise_lower(self) -> None:
        """To the fewest mistakes proved in the cells that are left."""
        left = min(self.queue[0].bound if self.queue else np.inf, self.unsplit_bound)
        self.lower = max(self.lower, int(min(self.unavoidable + left, self.upper)))

    def _enter(self, node: Node, cells: Cells) -> None:
        """Judge the pieces of a cell; those that are not done with join the queue."""
        rows = node.undecided
        split = len(self.splits)
        self.splits.append((node.split, node.piece))
        self.nodes += 1
        self.meter.add(CALL + 2 * cells.centres.size * len(rows))
        verdict = judge(cells, self.Z[rows], self.slack[rows])
        weights = self.weights[rows]
        bounds = node.bound + verdict.mistakes(weights)
        improvable = np.flatnonzero(self.unavoidable + bounds < self.upper)
        if improvable.size:
            centres = node.bound + (verdict.value[improvable] <= 0) @ weights
            best = int(centres.argmin())
            if self.unavoidable + centres[best] < self.upper:
                self._try(cells.centres[improvable[best]], rounds=4)
        for k in np.flatnonzero(self.unavoidable + bounds < self.upper).tolist():
            if cells.half <= SMALLEST:
                self.unsplit_bound = min(self.unsplit_bound, float(bounds[k]))
            else:
                order = len(self.splits) * len(bounds) + k
                open_rows = rows[verdict.open(k)]
                child = Node(float(bounds[k]), order, split, k, cells, open_rows)
                heapq.heappush(self.queue, child)
