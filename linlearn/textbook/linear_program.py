"""The linear program of classification, solved by SciPy's `linprog`."""

from typing import Any

import numpy as np

from linlearn._scipy import optimize
from linlearn.validation import Array


def least_hinge_loss(Z: Array, c: Array) -> Any:
    """Minimise Σ cᵢξᵢ subject to Za ≥ 1 - ξ, ξ ≥ 0, over u = (a, ξ), by a solver."""
    n, p = Z.shape
    q = np.append(np.zeros(p), c)
    G = -np.block([[Z, np.eye(n)], [np.zeros((n, p)), np.eye(n)]])
    g = np.repeat([-1.0, 0.0], n)
    return optimize.linprog(q, A_ub=G, b_ub=g, bounds=(None, None))
