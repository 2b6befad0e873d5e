"""Is there a separating plane? The best one in the lifted space, or Gordan's proof that there is none."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import nnls

from linlearn.certificates import enclose_margin
from linlearn.checks import Array, check_samples
from linlearn.fit import Fit
from linlearn.plane import Hyperplane, signed
from linlearn.trace import Trace

CLOSED = 1e-13  # gap, relative to the longest sample, at which a set of rows is enough


def separate(X: ArrayLike, y: ArrayLike, *, offset: bool = True) -> Fit:
    """Find γ* = max over ‖a‖ ≤ 1 of minᵢ⟨a, zᵢ⟩ as the distance from 0 to the convex hull of the zᵢ.

    Separable samples: the plane is the nearest point of the hull, the one with the largest
    margin among the lifted, homogeneous planes (not the largest geometric margin: that is
    `max_margin`). Others: 0 lies in the hull, the plane is w = 0, b = 0, and the dual witness is
    Gordan's vector: weights on at most d + 2 samples with Zᵀα = 0.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    offset : bool
        False looks for planes through the origin and may be given a single label.

    Returns
    -------
    Fit
        Its certificate encloses γ* and closes up to rounding. `certificate.lower > 0` proves
        separability; for the opposite, `certificates.gordan_exact` takes the dual.

    Notes
    -----
    Gordan (1873). The nearest point is found by non-negative least squares (Lawson and Hanson 1974):
    minimising ‖Zᵀu‖² + (Σu - 1)² over u ≥ 0 gives u proportional to the weights of the nearest
    point. Few rows matter, so it works on a set of them and lets those join that the current
    answer treats worst.

    >>> separate([[0.0], [4.0]], [-1, 1]).plane
    Hyperplane(w=[0.4], b=-0.8)
    >>> separate([[0.0], [1.0], [2.0]], [1, -1, 1]).certificate.dual
    array([0.25, 0.5 , 0.25])
    """
    X, y = check_samples(X, y, offset=offset)
    Z = signed(X, y, offset=offset)
    alpha = _nearest_point(Z)
    certificate = enclose_margin(X, y, primal=Z.T @ alpha, dual=alpha, offset=offset)
    if certificate.lower == 0:
        none = np.zeros(Z.shape[1])
        certificate = enclose_margin(X, y, primal=none, dual=alpha, offset=offset)
    a = certificate.primal
    plane = Hyperplane.from_homogeneous(a) if offset else Hyperplane(a)
    return Fit(plane, Trace.closed_form(plane), certificate)


def _nearest_point(Z: Array) -> Array:
    """Weights α on the simplex, shape (n,), of the point Zᵀα of least norm."""
    n, p = Z.shape
    scale = float(np.sqrt(np.einsum("ij,ij->i", Z, Z).max())) or 1.0
    rows = np.unique(np.linspace(0, n - 1, min(n, 8 * p)).astype(int))
    while True:
        alpha = _simplex_least_squares(Z[rows] / scale)
        point = Z[rows].T @ alpha / scale
        m = Z @ point / scale
        short = float(point @ point) - m  # > 0 where a row would bring the point nearer to 0
        worst = np.argsort(-short, kind="stable")[: 4 * p]
        join = np.setdiff1d(worst[short[worst] > CLOSED * float(np.linalg.norm(point))], rows)
        if not join.size or not point.any():
            weights = np.zeros(n)
            weights[rows] = alpha
            return weights
        rows = np.union1d(rows, join)


def _simplex_least_squares(Z: Array) -> Array:
    """Minimise ‖Zᵀα‖ over α ≥ 0, Σα = 1, for rows of length at most 1."""
    k, p = Z.shape
    system = np.vstack([Z.T, np.ones(k)])
    u, _ = nnls(system, np.append(np.zeros(p), 1.0), maxiter=100 * (k + p))
    return u / u.sum()
