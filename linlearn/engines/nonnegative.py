"""Non-negative least squares for Gordan's alternative: bring Σ uᵢsᵢ, u ≥ 0, nearest to (0, …, 0, 1)."""

from dataclasses import dataclass

import numpy as np

from linlearn._scipy import lapack, linalg, optimize
from linlearn.checks import Array, Index

SHORT = 48  # rows up to this length are left to SciPy's compiled loop
TINY = np.finfo(np.float64).tiny
HELPS = 1e-13  # share of the residual that must lie along a row for the row to be worth taking in


def nonnegative(S: Array, start: Array | None = None) -> Array:
    """Minimise ‖Sᵀu - e‖ over u ≥ 0, e = (0, …, 0, 1), for k rows of lengths about 1; u has shape (k,).

    For rows (zᵢ, 1) the solution is proportional to the weights of the point of their hull nearest to 0.
    `start` may be the solution for some of the rows, 0 on the others; it only saves time.

    Notes
    -----
    Lawson and Hanson (1974): the rows with uᵢ > 0 are independent, and u solves the least squares on them.
    Take in a row that the residual points along, and drop those whose weights would fall below 0 on
    the way to the new solution. SciPy changes all rows at every step, 4kp operations; here only the QR
    factors of the used rows are updated, some p². The p rows along which most of the residual lies are
    tried first. Where none of them helps another may: along a row that the used ones nearly span little
    of the residual lies, and yet the row brings the point nearer. So u is the solution when no row helps.
    """
    k, p = S.shape
    if p <= SHORT:
        found = optimize.nnls(S.T, np.append(np.zeros(p - 1), 1.0), maxiter=100 * (k + p))
        return np.asarray(found[0])
    support = _Support.empty(p) if start is None else _Support.of(S, start)
    tried = 0  # rows that do not help this support
    while True:
        along = S @ support.residual
        order = np.argsort(-along, kind="stable")
        candidates = order[along[order] > HELPS * support.distance][tried : tried + p]
        if not candidates.size:
            u = np.zeros(k)
            u[support.rows] = support.u
            return u
        known, support = support, _nearer(support, S[candidates], candidates)
        tried = tried + p if support is known else 0


def _nearer(support: "_Support", S: Array, names: Index) -> "_Support":
    """Try each row of S once, while any points along the residual; the same support if none helps."""
    fresh = np.ones(len(S))
    while True:
        along = fresh * (S @ support.residual)
        best = int(along.argmax())
        if along[best] <= HELPS * support.distance:
            return support
        fresh[best] = 0.0
        found = support.with_row(int(names[best]), S[best])
        support = found if found.distance < support.distance else support


@dataclass(frozen=True, slots=True, eq=False)
class _Support:
    """Independent rows, their weights u > 0, and factors Q, (p, p), and R with QR = S[rows]ᵀ."""

    rows: Index
    u: Array
    Q: Array
    R: Array

    @classmethod
    def empty(cls, p: int) -> "_Support":
        return cls(np.zeros(0, np.intp), np.zeros(0), np.eye(p, order="F"), np.zeros((p, 0)))

    @classmethod
    def of(cls, S: Array, start: Array) -> "_Support":
        rows = np.flatnonzero(start)
        return cls(rows, start[rows], *linalg.qr(S[rows].T, check_finite=False))._settled()

    @property
    def residual(self) -> Array:
        """e - Sᵀu, from what is orthogonal to the rows."""
        beyond = self.Q[:, len(self.rows) :]
        return np.asarray(beyond @ beyond[-1])

    @property
    def distance(self) -> float:
        return float(np.linalg.norm(self.Q[-1, len(self.rows) :]))

    def with_row(self, i: int, row: Array) -> "_Support":
        """One more row, and without those that are then in the way."""
        k = len(self.rows)
        column = row[:, None]
        Q, R = linalg.qr_insert(self.Q, self.R, column, k, which="col", check_finite=False)
        return _Support(np.append(self.rows, i), np.append(self.u, 0.0), Q, R)._settled()

    def _settled(self) -> "_Support":
        """Go from u towards the least squares on the rows, and drop a row where its weight reaches 0."""
        rows, u, Q, R = self.rows, self.u, self.Q, self.R
        while len(rows):
            k = len(rows)
            goal = lapack.dtrtrs(R, Q[-1, :k])[0]
            falls = np.flatnonzero(goal <= 0)
            if not falls.size:
                return _Support(rows, goal, Q, R)
            share = u[falls] / np.maximum(u[falls] - goal[falls], TINY)
            first = int(share.argmin())
            u = np.delete(u + share[first] * (goal - u), falls[first])
            Q, R = linalg.qr_delete(Q, R, int(falls[first]), which="col", check_finite=False)
            rows = np.delete(rows, falls[first])
        return _Support.empty(len(Q))
