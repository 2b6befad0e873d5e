"""Is there a direction along which the logistic loss falls for ever? Then it has no minimiser."""

from contextlib import suppress

import numpy as np

from linlearn._scipy import optimize, sparse
from linlearn.certificates.logistic import recedes
from linlearn.checks import Array
from linlearn.engines.separation import Indistinct, separation
from linlearn.plane import Hyperplane, signed


def recession(X: Array, y: Array) -> Hyperplane | None:
    """A plane with Za ≥ 0, Za ≠ 0, proved, or None: if it can, one that separates all samples."""
    with suppress(Indistinct):
        separating = separation(X, y).primal
        if separating.any():
            return Hyperplane.from_homogeneous(separating)
    Z = signed(X, y)
    unit = 2.0 ** np.frexp(np.abs(Z).max(axis=0))[1]  # powers of two: exact
    a = _direction(Z / unit)
    if a is None:
        return None
    # The programme knows a to about 1e-9, and 60a to 6e-8; where ties come from simple numbers a multiple is
    # whole. Whether it recedes is then decided in fractions.
    for multiple in range(1, 61):
        whole = np.rint(multiple * a)
        if np.abs(whole - multiple * a).max() < 1e-7 and recedes(X, y, whole / unit):
            return Hyperplane.from_homogeneous(whole / unit)
    return Hyperplane.from_homogeneous(a / unit) if recedes(X, y, a / unit) else None


def _direction(Z: Array) -> Array | None:
    """a ≠ 0 with Za ≥ 0, Za ≠ 0 up to rounding, largest entry 1, or None.

    The linear programme max Σ sᵢ, s ≤ Za, 0 ≤ s ≤ 1 keeps as many samples off the plane as it can; it
    starts with some rows, and the violated ones join.
    """
    n, p = Z.shape
    rows = np.unique(np.linspace(0, n - 1, min(n, 2000 + 8 * p)).astype(int))
    while True:
        k = len(rows)
        found = optimize.linprog(
            np.repeat([0.0, -1.0], [p, k]),
            A_ub=sparse.hstack([-Z[rows], sparse.eye_array(k)]),
            b_ub=np.zeros(k),
            bounds=[(None, None)] * p + [(0, 1)] * k,
            options={"primal_feasibility_tolerance": 1e-10},  # the least it takes
        )
        if found.x is None or found.x[p:].sum() < 0.5:
            return None
        a: Array = found.x[:p] / np.abs(found.x[:p]).max()
        m = Z @ a
        join = np.setdiff1d(np.argsort(m, kind="stable")[: 4 * p], rows)
        join = join[m[join] < -1e-9]  # ten times that
        if not join.size:
            return a
        rows = np.union1d(rows, join)
