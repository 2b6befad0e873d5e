"""Whether samples are separable, without rounding: floats propose, whole numbers decide."""

from fractions import Fraction

import numpy as np

from linlearn.checks import Array
from linlearn.engines.nearest_point import nearest_point
from linlearn.exact.columns import independent_columns
from linlearn.exact.simplex import WORD, Coordinates, Decision, decide_there
from linlearn.exact.whole import floats, least_product, power, shifted, units, whole
from linlearn.plane import radius

FLAT = 2.0**-20  # singular value, relative to the largest, below which floats do not see enough
BITS = 53  # of the numbers in a change of coordinates
ROWS = 40  # as many as features, to begin with


def decision(X: Array, y: Array, *, offset: bool, max_work: float) -> Decision:
    """A plane (w, b) in fractions, or Gordan's weights by sample, or neither when the work is spent.

    Few samples matter. So it works on a set of them, and lets those join that its plane has wrong.
    """
    D, m = shifted(X) if offset else (X, np.zeros(X.shape[1]))
    Z = np.column_stack([D, np.ones(len(D))][: 1 + offset]) * y[:, None]
    n, p = Z.shape
    rows, work = np.unique(np.linspace(0, n - 1, min(n, ROWS * p)).astype(int)), 0.0
    while True:
        found = _decided(Z[rows], max_work - work)
        work += found.work
        if found.weights is not None:
            weights = {int(rows[i]): v for i, v in found.weights.items()}
            return Decision(None, weights, work)
        if found.plane is None:
            return Decision(None, None, work)
        wrong = _wrong(Z, found.plane)
        if not wrong.size:
            break
        rows = np.union1d(rows, wrong[: len(rows)])
    plane = found.plane
    if offset:
        plane[-1] -= sum((w * Fraction(v) for w, v in zip(plane, m.tolist(), strict=False)), 0)
    return Decision(plane, None, work)


def _wrong(Z: Array, plane: list[Fraction]) -> np.ndarray:
    """Samples on the wrong side of the plane, the farthest first; at least one if there is any."""
    row, least = least_product(Z, plane)
    if least > 0:
        return np.array([], dtype=np.intp)
    top = max(map(abs, plane))
    m = Z @ np.array([float(v / top) for v in plane])
    order = np.argsort(m, kind="stable")
    return np.append(row, order[m[order] <= 0])


def _decided(Z: Array, max_work: float) -> Decision:
    """The same for all of the rows of Z.

    In exact coordinates, in which the samples are as round as they can be made, the nearest point of
    their hull is computed in floats. Mostly its plane separates, or its samples surround 0; where not, the
    simplex method starts from them.
    """
    kept = independent_columns(Z, offset=False)
    k = units(Z[:, kept])
    A = whole(Z[:, kept], k)
    there, work = _rounded(A, max_work)
    alpha, a = _proposal(there)
    if (A @ a > 0).all():
        found = Decision(a.tolist(), None, 0)
    else:
        order = np.argsort(-alpha, kind="stable")[: np.count_nonzero(alpha)]
        found = decide_there(A, there, order, max_work=max_work - work)
    plane = None
    if found.plane is not None:
        plane = [Fraction(0)] * Z.shape[1]
        for j, v, u in zip(kept.tolist(), found.plane, k.tolist(), strict=True):
            plane[j] = v / power(u)
    return Decision(plane, found.weights, work + found.work)


def _rounded(A: np.ndarray, max_work: float) -> tuple[Coordinates, float]:
    """Coordinates in which floats see every direction of the rows of A, and the work.

    Where columns depend on each other up to rounding, the samples are flat in some direction v. In whole
    numbers Av has digits that no float had; where they are flat in turn, another round begins.
    """
    p = A.shape[1]
    there, work = Coordinates.same(A), float(A.size)
    start, C, bits = there.bits, there.C, np.zeros(p, dtype=object)
    while True:
        _, size, V = np.linalg.svd(there.floats, full_matrices=False)
        if size[-1] > FLAT * size[0] or work + A.size * p > max_work:
            return there, work
        turn = np.rint(np.ldexp(V.T, BITS)).astype(np.int64).astype(object)
        C = C @ (turn << (max(bits) - bits)[:, None])
        F, bits, digits = _seen(A, start, C)
        work += A.size * p * (1 + digits // WORD)
        there = Coordinates(C << (max(start) - start)[:, None], F, bits + max(start))


def _seen(A: np.ndarray, start: np.ndarray, C: np.ndarray) -> tuple[Array, np.ndarray, int]:
    """AC with A in units of 2^start: floats, bits, and how many digits of A it takes to know them."""
    size, digits = floats(C)[1] + len(C).bit_length(), 2 * WORD
    while True:
        F, bits = floats(((A << digits) >> start) @ C)
        if (bits - size >= WORD).all():
            return F, bits - digits, digits
        digits *= 2


def _proposal(there: Coordinates) -> tuple[Array, np.ndarray]:
    """About the weights of the nearest point of the hull, in round coordinates; and its plane, whole."""
    U, size, V = np.linalg.svd(there.floats, full_matrices=False)
    W = U * np.sqrt(len(U))
    alpha = nearest_point(W, radius(W))
    a = (V.T / np.maximum(size, 2.0**-BITS * size[0])) @ (W.T @ alpha)
    a = np.rint(np.ldexp(a / (np.abs(a).max() or 1.0), BITS)).astype(np.int64).astype(object)
    return alpha, there.back(a)
