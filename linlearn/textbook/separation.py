"""`nearest_weights` of the hull's point nearest to 0, by NNLS; the hyperplane Zᵀα is left to the caller."""

import numpy as np

from linlearn._scipy import optimize
from linlearn.validation import Array


def nearest_weights(Z: Array) -> Array:
    """Weights α on the samples, Σ α = 1, that bring Zᵀα as near to 0 as can be."""
    n, p = Z.shape
    rows = np.column_stack([Z, np.ones(n)])
    u, _ = optimize.nnls(rows.T, np.append(np.zeros(p), 1.0))
    return u / u.sum()  # type: ignore[no-any-return]
