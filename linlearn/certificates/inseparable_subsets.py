"""Prove that given samples are inseparable, 0 in the hull of their zᵢ, without computing the weights."""

import numpy as np

from linlearn.certificates.ball import gamma
from linlearn.exact.simplex import decide
from linlearn.validation import Array

MOST_WORK = 1e8  # products of 64 bits that one proof may take: some ten seconds


def origin_in_hull_by_floats(Z: Array) -> bool:
    """Whether 0 lies in the hull of the p + 1 rows of Z, (p+1, p), and clearly so: proved in floating point.

    Some α is computed with Zᵀα ≈ 0, and B with ZᵀB ≈ I. If ‖I - ZᵀB‖ < 1, then α - B(ZᵀB)⁻¹Zᵀα solves Zᵀα = 0
    exactly; it is positive when no entry of α is as small as ‖B‖‖Zᵀα‖/(1 - ‖I - ZᵀB‖), maximum norms.
    """
    k, p = Z.shape
    if k != p + 1:
        return False
    scale = np.abs(Z).max(axis=0)
    if not scale.all():
        return False
    Z = Z / 2.0 ** np.frexp(scale)[1]
    alpha = np.linalg.svd(Z.T)[2][-1]
    alpha = alpha * np.sign(alpha.sum())
    if alpha.min() <= 0:
        return False
    B, size = np.linalg.pinv(Z.T), np.abs(Z.T)
    error = 1.01 * gamma(k + 4)
    off = (np.abs(Z.T @ B - np.eye(p)) + error * (size @ np.abs(B) + 1)).sum(axis=1).max()
    rest = (np.abs(Z.T @ alpha) + error * (size @ alpha)).max()
    move = np.abs(B).sum(axis=1).max() * rest
    return bool(off < 0.5 and 3 * move < alpha.min())


def prove_origin_in_hull(Z: Array, *, max_work: float = MOST_WORK) -> tuple[bool, float]:
    """Whether 0 is proved to lie in the hull of the rows of Z, so that no hyperplane has all right; the work.

    In floating point where that is enough, else in integers, with at most so much work.
    """
    if origin_in_hull_by_floats(Z):
        return True, 0.0
    found = decide(Z, np.arange(len(Z)), max_work=max_work)
    return found.weights is not None, found.work
