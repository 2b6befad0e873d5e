"""Whether samples are separable, without rounding: floats propose, whole numbers decide."""

from fractions import Fraction

import numpy as np

from linlearn._scipy import linalg
from linlearn.checks import Array
from linlearn.engines.nearest_point import nearest_point
from linlearn.exact.columns import independent_columns
from linlearn.exact.simplex import Decision, decide
from linlearn.exact.whole import in_like_units, power, products, shifted, smallest_product
from linlearn.plane import radius

FLAT = 2.0**-20  # singular value, relative to the largest, below which floats do not see enough
SHARPENED = 5  # times at most: each adds the digits of a float


def decision(X: Array, y: Array, *, offset: bool, max_work: float) -> Decision:
    """A plane (w, b) in fractions, or Gordan's weights by sample, or neither when the work is spent.

    In exact coordinates, in which the samples are as round as they can be made, the nearest point of
    their hull is computed in floats. Mostly its plane separates, or its samples surround 0; where not, the
    simplex method starts from them.
    """
    D, m = shifted(X) if offset else (X, np.zeros(X.shape[1]))
    Z, k = in_like_units(np.column_stack([D, np.ones(len(D))][: 1 + offset]) * y[:, None])
    kept = independent_columns(Z, offset=False)
    alpha, a = _proposal(Z[:, kept])
    if smallest_product(Z[:, kept], a) > 0:
        found = Decision(a, None, 0)
    else:
        found = decide(Z[:, kept], np.flatnonzero(alpha), max_work=max_work)
    if found.plane is None:
        return found
    plane = [Fraction(0)] * Z.shape[1]
    for j, v in zip(kept.tolist(), found.plane, strict=True):
        plane[j] = v / power(int(k[j]))
    if offset:
        plane[-1] -= sum((w * Fraction(v) for w, v in zip(plane, m.tolist(), strict=False)), 0)
    return Decision(plane, None, found.work)


def _proposal(Z: Array) -> tuple[Array, list[Fraction]]:
    """About the weights of the nearest point of the hull, in round coordinates; and its plane."""
    T, C = _sharpened(Z)
    U, size, V = np.linalg.svd(T, full_matrices=False)
    use = size > FLAT**2 * size[0]
    W = U[:, use] * np.sqrt(len(T))
    alpha = nearest_point(W, radius(W))
    a = (V[use].T / size[use]) @ (W.T @ alpha)
    return alpha, (C @ np.array([Fraction(v) for v in a.tolist()], dtype=object)).tolist()


def _sharpened(Z: Array) -> tuple[Array, np.ndarray]:
    """T about ZC, in which floats see every direction, and C, (p, p), in fractions.

    Where columns depend on each other up to rounding, Z is flat in some direction v. For one column of
    each such group T has Zv instead, what the others leave of it, computed in whole numbers.
    """
    p = Z.shape[1]
    T, C = Z.copy(), np.array([[Fraction(int(i == j)) for j in range(p)] for i in range(p)])
    for _ in range(SHARPENED):
        _, size, V = np.linalg.svd(T, full_matrices=False)
        flat = V[: len(size)][size <= FLAT * size[0]]
        if len(size) < p or not len(flat):
            break
        _, order = linalg.qr(flat, mode="r", pivoting=True)
        left = [C @ np.array([Fraction(v) for v in direction.tolist()]) for direction in flat]
        for j, direction in zip(order.tolist(), left, strict=False):
            T[:, j], unit = products(Z, direction)
            C[:, j] = direction / unit
    return T, C
