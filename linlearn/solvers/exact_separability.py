"""Decide linear separability without rounding: floats propose, integers decide."""

from fractions import Fraction

import numpy as np

from linlearn.exact.column_space import independent_columns
from linlearn.exact.dyadic import least_product, shifted, smallest_product
from linlearn.exact.simplex import Decision, decide
from linlearn.solvers.min_norm_point import min_norm_point
from linlearn.validation import Array

LEAST = 2.0**-53  # singular value, relative to the largest: what is less is rounding
ROWS = 40  # as many as features, to begin with


def exact_separability(X: Array, y: Array, *, fit_intercept: bool, max_work: float) -> Decision:
    """A hyperplane (w, b) in fractions, or Gordan's weights by sample, or neither when the work is spent.

    Few samples matter. So it works on a set of them, and lets those join that its hyperplane has wrong.
    """
    D, m = shifted(X) if fit_intercept else (X, np.zeros(X.shape[1]))
    Z = np.column_stack([D, np.ones(len(D))][: 1 + fit_intercept]) * y[:, None]
    n, p = Z.shape
    rows, work = np.unique(np.linspace(0, n - 1, min(n, ROWS * p)).astype(int)), 0.0
    while True:
        found = _decide_all_rows(Z[rows], max_work - work)
        work += found.work
        if found.weights is not None:
            weights = {int(rows[i]): v for i, v in found.weights.items()}
            return Decision(None, weights, work)
        if found.plane is None:
            return Decision(None, None, work)
        wrong = _misclassified(Z, found.plane)
        if not wrong.size:
            break
        rows = np.union1d(rows, wrong[: len(rows)])
    plane = found.plane
    if fit_intercept:
        plane[-1] -= sum((w * Fraction(v) for w, v in zip(plane, m.tolist(), strict=False)), 0)
    return Decision(plane, None, work)


def _misclassified(Z: Array, plane: list[Fraction]) -> np.ndarray:
    """Samples on the wrong side of the hyperplane, the farthest first; at least one if there is any."""
    row, least = least_product(Z, plane)
    if least > 0:
        return np.array([], dtype=np.intp)
    top = max(map(abs, plane))
    m = Z @ np.array([float(v / top) for v in plane])
    order = np.argsort(m, kind="stable")
    return np.append(row, order[m[order] <= 0])


def _decide_all_rows(Z: Array, max_work: float) -> Decision:
    """The same for all of the rows of Z.

    Of the samples made as round as floats can make them the nearest point of the hull is computed. Mostly
    its hyperplane separates, or its samples surround 0; where not, the simplex method starts from them.
    """
    kept = independent_columns(Z, fit_intercept=False)
    alpha, plane = _propose(Z[:, kept])
    if smallest_product(Z[:, kept], plane) > 0:
        found = Decision(plane, None, 0.0)
    else:
        order = np.argsort(-alpha, kind="stable")[: np.count_nonzero(alpha)]
        found = decide(Z[:, kept], order, max_work=max_work)
    if found.plane is None:
        return found
    whole = dict(zip(kept.tolist(), found.plane, strict=True))
    return Decision([whole.get(j, Fraction(0)) for j in range(Z.shape[1])], None, found.work)


def _propose(Z: Array) -> tuple[Array, list[Fraction]]:
    """Approximate weights of the hull's point nearest to 0, in whitened coordinates, and its hyperplane."""
    unit = np.frexp(np.abs(Z).max(axis=0))[1]  # powers of two: exact
    U, size, V = np.linalg.svd(np.ldexp(Z, -unit), full_matrices=False)
    W = U * np.sqrt(len(U))
    point, alpha = min_norm_point(W)
    a = (V.T / np.maximum(size, LEAST * size[0])) @ point
    entries = zip(a.tolist(), unit.tolist(), strict=True)
    return alpha, [Fraction(v) / Fraction(2) ** k for v, k in entries]
