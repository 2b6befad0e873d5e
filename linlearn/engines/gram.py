"""Gram matrices: their sums in blocks, without a second copy of the samples, and their factors."""

import numpy as np

from linlearn._scipy import linalg
from linlearn.checks import Array
from linlearn.engines.rows import row_blocks


def gram(X: Array) -> Array:
    """Σ x̄ᵢ x̄ᵢᵀ with x̄ᵢ = (xᵢ, 1), shape (d+1, d+1), in one reading of X, shape (n, d).

    >>> gram(np.array([[1.0], [2.0]]))
    array([[5., 3.],
           [3., 2.]])
    """
    n, d = X.shape
    G = np.zeros((d + 1, d + 1))
    for rows in row_blocks(n, d):
        Z, ones = X[rows], np.ones(rows.stop - rows.start)
        G[d, :d] += ones @ Z
        G[d, d] += len(ones)
        G[:d, :d] += Z.T @ Z
    G[:d, d] = G[d, :d]
    return G


def factor(S: Array) -> tuple[Array, Array, float] | None:
    """Cholesky factor of S scaled to unit diagonal, that scale, and 1/cond; None if it is not there.

    Scaling first makes the answer independent of the units of the features.
    """
    diagonal = np.diag(S)
    if not (diagonal > 0).all():
        return None
    scale = 1 / np.sqrt(diagonal)
    unit = S * scale * scale[:, None]
    try:
        lower = linalg.cholesky(unit, lower=True, check_finite=False)
    except linalg.LinAlgError:
        return None
    return lower, scale, float(linalg.lapack.dpocon(lower, np.abs(unit).sum(0).max(), uplo="L")[0])


def solve(factors: tuple[Array, Array, float], g: Array) -> Array:
    """S⁻¹g from `factor(S)`."""
    lower, scale, _ = factors
    return np.asarray(scale * linalg.cho_solve((lower, True), scale * g, check_finite=False))
