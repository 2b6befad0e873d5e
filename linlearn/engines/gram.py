"""Gram matrices, factored after scaling."""

import numpy as np

from linlearn._scipy import linalg
from linlearn.checks import Array


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
