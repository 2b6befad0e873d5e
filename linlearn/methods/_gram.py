"""Everything linear is a sum over rows: Gram matrices in blocks, without a second copy of the samples."""

import numpy as np
from scipy import linalg

from linlearn.certificates._rows import Rows, block_length, pilot, row_blocks
from linlearn.checks import Array

__all__ = ["Rows", "block_length", "factor", "gram", "pilot", "row_blocks", "solve"]


def gram(X: Array, *, weights: Array | None = None, shift: Array | None = None) -> Array:
    """Σ cᵢ x̃ᵢ x̃ᵢᵀ with x̃ᵢ = (xᵢ - shift, 1), shape (d+1, d+1), in one reading of X.

    Parameters
    ----------
    X : shape (n, d)
    weights : c ≥ 0, shape (n,); 1 if None
    shift : shape (d,); 0 if None. Near the mean it keeps the sums free of cancellation: see `pilot`.

    >>> gram(np.array([[1.0], [2.0]]))
    array([[5., 3.],
           [3., 2.]])
    """
    n, d = X.shape
    room, G = np.empty((block_length(n, d), d)), np.zeros((d + 1, d + 1))
    for rows in row_blocks(n, d):
        Z, c = X[rows], np.ones(rows.stop - rows.start) if weights is None else weights[rows]
        if shift is not None:
            Z = np.subtract(Z, shift, out=room[: len(Z)])
        G[d, :d] += c @ Z
        G[d, d] += c.sum()
        if weights is not None:
            Z = np.multiply(Z, np.sqrt(c)[:, None], out=room[: len(Z)])
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
    return scale * linalg.cho_solve((lower, True), scale * g, check_finite=False)
