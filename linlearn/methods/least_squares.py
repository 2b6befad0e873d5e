"""Regression on labels: the plane whose scores are nearest to the targets in the sum of squares."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from linlearn.certificates.least_squares import (
    Targets,
    enclose_checked,
    regression_targets,
)
from linlearn.checks import Array, check_targets, check_training
from linlearn.engines.gram import factor, solve
from linlearn.engines.rows import Rows
from linlearn.fit import Fit
from linlearn.plane import Hyperplane
from linlearn.trace import Trace

TRUST = 1e-14  # reciprocal condition of the Gram matrix, columns scaled, below which it is not used
REFINE = 1e-4  # and below which the residual is looked at
SETTLED = 1e-14  # ⟨column, residual⟩, relative to both lengths, at which nothing is left to refine


def least_squares(X: ArrayLike, y: ArrayLike, *, targets: Targets = "labels") -> Fit:
    """Minimise ½‖X̄a - t‖² over a = (w, b), X̄ = (X, 1): the minimiser solves X̄ᵀX̄a = X̄ᵀt.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    targets : "labels", "balanced" or t, shape (n,)
        "labels": t = y. "balanced": t = n/n₊ on the positive class and -n/n₋ on the negative one,
        which gives both classes the same weight in b. Any two values give the direction of
        `fisher`; the threshold depends on them.

    Returns
    -------
    Fit
        Its certificate encloses the least value and closes at once if the features are independent,
        beside copies and constants; where others depend on each other (indicators that add up to 1
        beside real numbers, say) its lower end may be 0, see `enclose_least_squares`. There (or if
        n ≤ d) the minimiser is not unique; the plane is the one with the least norm of w in
        standardised features.

    Notes
    -----
    Legendre (1805), Gauss (1809); chapter "Regression on labels". The Gram matrix of the centred
    samples is summed in blocks, scaled and factored by Cholesky; the residual decides whether the
    answer is refined. Nearly dependent features go to a QR factorisation with column pivoting.

    >>> least_squares([[0.0], [1.0], [2.0]], [-1, -1, 1]).plane
    Hyperplane(w=[1], b=-1.333)
    """
    X, y = check_training(X, y)
    t = check_targets(regression_targets(y, targets))
    rows = Rows.centred(X)
    v = _normal_equations(rows, t)
    v = _by_qr(rows, t) if v is None else v
    plane = Hyperplane(v[:-1], b=float(v[-1] - v[:-1] @ rows.centre()))
    certificate = enclose_checked(X, t, plane.a, None, targets)
    return Fit(plane, Trace.closed_form(plane), certificate)


def _normal_equations(rows: Rows, t: Array) -> Array | None:
    """(w, offset behind the shift), shape (d+1,), or None where Cholesky cannot be trusted."""
    n, p = rows.shape
    if n <= p:
        return None
    G, g = rows.gram(t)
    mean = G[-1, :-1] / n
    factors = factor(G[:-1, :-1] - n * np.outer(mean, mean))  # of the scatter about the mean
    if factors is None or factors[2] < TRUST:
        return None

    def plane(g: Array) -> Array:
        w = solve(factors, g[:-1] - mean * g[-1])
        return np.append(w, g[-1] / n - mean @ w)

    v = plane(g)
    if factors[2] > REFINE:
        return v
    lengths = np.sqrt(np.diag(G))
    for _ in range(4):
        residual = t - rows.times(v)
        g = rows.sums(residual)
        left = float(np.max(np.abs(g) / lengths))
        if left <= SETTLED * float(np.linalg.norm(residual)):
            return v
        v = v + plane(g)
    return v if left <= 1e-10 * float(np.linalg.norm(t)) else None


def _by_qr(rows: Rows, t: Array) -> Array:
    """The same from a complete orthogonal factorisation, least norm where there is a choice."""
    n = len(t)
    Z = rows.take(np.arange(n))[:, :-1]
    mean = Z.mean(axis=0)
    Z -= mean
    lengths = np.linalg.norm(Z, axis=0)
    constant = lengths <= 4e-16 * np.sqrt(n) * np.abs(rows.X).max(axis=0)
    scale = 1 / np.where(constant, np.inf, lengths)
    Z *= scale
    u = linalg.lstsq(Z, t - t.mean(), cond=n * 1e-16, lapack_driver="gelsy", check_finite=False)[0]
    w = scale * u
    return np.append(w, t.mean() - mean @ w)
