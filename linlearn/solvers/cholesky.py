"""`Factor`: the Cholesky factor of a Gram matrix scaled to unit diagonal, and 1/condition number."""

from typing import NamedTuple

import numpy as np

from linlearn._scipy import lapack
from linlearn.validation import Array


class Factor(NamedTuple):
    """The Cholesky factor of a Gram matrix S scaled to unit diagonal.

    `scale` is that scaling, `reciprocal_condition` about 1/condition number of the scaled matrix.
    """

    lower: Array
    scale: Array
    reciprocal_condition: float

    def solve(self, g: Array) -> Array:
        """S⁻¹g."""
        return np.asarray(self.scale * lapack.dpotrs(self.lower, self.scale * g, lower=True)[0])


def factor(S: Array) -> Factor | None:
    """S factored, if rounding has left it positive definite.

    Scaling first makes the answer independent of the units of the features.
    """
    diagonal = np.diag(S)
    if not (diagonal > 0).all():
        return None
    scale = 1 / np.sqrt(diagonal)
    unit = S * scale * scale[:, None]
    lower, failed = lapack.dpotrf(unit, lower=True)
    if failed:
        return None
    reciprocal_condition, _ = lapack.dpocon(lower, np.abs(unit).sum(0).max(), uplo="L")
    return Factor(lower, scale, float(reciprocal_condition))
