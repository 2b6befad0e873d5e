"""The point of a convex hull nearest to 0, by non-negative least squares on an active set of rows."""

import numpy as np

from linlearn._scipy import optimize
from linlearn.certificates.ball import gamma
from linlearn.plane import radius
from linlearn.validation import Array

# Gap, relative to the longest sample, at which a set of rows is enough: a hundred roundings of products make
# 1e-14. The weights only propose; `enclose_margin` says what they prove.
ENOUGH = 1e-13


def min_norm_point(Z: Array) -> tuple[Array, Array]:
    """The point Zᵀα of least norm in the hull of Z's rows, shape (p,), and its convex weights α, shape (n,).

    As a hyperplane it has the largest margin on the rows; it is 0 if none separates them. Few rows matter, so
    it works on a set of them and lets those join that the current answer treats worst.
    """
    n, p = Z.shape
    scale = radius(Z) or 1.0
    rows = np.unique(np.linspace(0, n - 1, min(n, 8 * p)).astype(int))
    while True:
        part, u = Z[rows] / scale, np.zeros(n)
        u[rows] = nonnegative_least_squares(np.column_stack([part, np.ones(len(rows))]))
        alpha: Array = u / u.sum()
        point = alpha[rows] @ part
        distance = float(np.linalg.norm(point))
        short = distance**2 - Z @ point / scale  # > 0 where a row would bring the point nearer to 0
        worst = np.argsort(-short, kind="stable")[: 4 * p]
        join = np.setdiff1d(worst[short[worst] > ENOUGH * distance], rows)
        if not join.size or distance <= gamma(p):
            return Z.T @ alpha, alpha
        rows = np.union1d(rows, join)


def nonnegative_least_squares(S: Array) -> Array:
    """Minimise ‖Sᵀu - e‖ over u ≥ 0, e = (0, …, 0, 1), for k rows of lengths about 1; u has shape (k,).

    For rows (zᵢ, 1) the solution is proportional to the weights of the point of their hull nearest to 0
    (Lawson and Hanson 1974). Rows are taken in and left a few times; there is room for a hundred.
    """
    k, p = S.shape
    e = np.append(np.zeros(p - 1), 1.0)
    return np.asarray(optimize.nnls(S.T, e, maxiter=100 * (k + p))[0])
