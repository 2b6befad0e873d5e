"""Gram–Schmidt: the triangular R and Qᵀt of a least-squares problem; R a = Qᵀt is left to the caller."""

from math import fsum

import numpy as np

from linlearn.validation import Array


def gram_schmidt(A: Array, t: Array) -> Array:
    """R, and beside it Qᵀt, for A = QR: make the columns orthogonal one by one."""
    M, p = np.column_stack([A, t]), A.shape[1]
    R = np.zeros((p, p + 1))
    for k in range(p):
        R[k, k] = np.sqrt(fsum(M[:, k] ** 2))
        q = M[:, k] / R[k, k]
        for j in range(k + 1, p + 1):
            R[k, j] = fsum(q * M[:, j])
            M[:, j] = M[:, j] - R[k, j] * q
    return R
