"""Least squares by the normal equations of centred samples, summed in blocks and refined; else by QR."""

import numpy as np

from linlearn._scipy import linalg
from linlearn.checks import Array
from linlearn.engines.gram import factor, solve
from linlearn.engines.rows import Rows

TRUST = 1e-14  # reciprocal condition of the Gram matrix, columns scaled, below which it is not used
REFINE = 1e-4  # and below which the residual is looked at
SHORT = 1e-9  # spread of a direction, columns scaled, that takes weights of which scores keep six digits
SETTLED = 1e-14  # ⟨column, residual⟩, relative to both lengths, at which nothing is left to refine


def least_squares_plane(X: Array, t: Array) -> Array:
    """The minimiser a of ½‖X̄a - t‖², shape (d+1,); of several, the one with the shortest w in like units."""
    rows = Rows.centred(X)
    v = _normal_equations(rows, t)
    v = _by_qr(rows, t) if v is None else v
    return np.append(v[:-1], v[-1] - v[:-1] @ rows.centre())


def short_plane(X: Array, t: Array) -> Array:
    """The same without the directions in which the features hardly vary: weights that no rounding spoils."""
    rows = Rows.centred(X)
    v = _by_qr(rows, t, cut=SHORT)
    return np.append(v[:-1], v[-1] - v[:-1] @ rows.centre())


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
    # Where t is nearly in the span the residual is nothing to go by, and t's own length is.
    return v if left <= 1e-10 * float(np.linalg.norm(t)) else None


def _by_qr(rows: Rows, t: Array, cut: float = 0.0) -> Array:
    """The same from a complete orthogonal factorisation, least norm where there is a choice."""
    n = len(t)
    Z = rows.take(np.arange(n))[:, :-1]
    mean = Z.mean(axis=0)
    Z -= mean
    lengths = np.linalg.norm(Z, axis=0)
    # Centred entries are off by a rounding of the largest or two; and LAPACK's usual cut, n roundings.
    constant = lengths <= 4e-16 * np.sqrt(n) * np.abs(rows.X).max(axis=0)
    scale = 1 / np.where(constant, np.inf, lengths)
    Z *= scale
    u = linalg.lstsq(
        Z, t - t.mean(), cond=max(cut, n * 1e-16), lapack_driver="gelsy", check_finite=False
    )[0]
    w = scale * u
    return np.append(w, t.mean() - mean @ w)
