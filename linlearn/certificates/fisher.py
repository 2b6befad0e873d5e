"""How far can the class means be pulled apart? Directions bound it from below, weights from above."""

import numpy as np
from numpy.typing import ArrayLike

from linlearn.certificates._rows import CLOSE, PROJECTIONS, Rows
from linlearn.certificates.certificate import Certificate, rounding, shrunk
from linlearn.checks import Array, check_samples, check_vector


def enclose_fisher(
    X: ArrayLike, y: ArrayLike, *, primal: ArrayLike, dual: ArrayLike
) -> Certificate:
    """Enclose max over w of ⟨w, δ⟩₊²/‖X_W w‖² = min {‖β‖² : X_Wᵀβ = δ}.

    For any direction w and any β with X_Wᵀβ = δ, Cauchy and Schwarz give
    ⟨w, δ⟩ = ⟨X_W w, β⟩ ≤ ‖X_W w‖‖β‖: a direction bounds Fisher's ratio from below, weights bound it
    from above. δ = μ₊ - μ₋, and X_W holds the samples minus their class means.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (d,)
        Any vector w; its length does not matter. One that points the wrong way gives lower = 0.
    dual : shape (n,)
        Any weights β: they are moved to the nearest ones with X_Wᵀβ = δ.

    Notes
    -----
    What is left of X_Wᵀβ - δ after that is rounding; upper includes the most that its removal could
    add to ‖β‖. Where rounding hides whether the within-class scatter has rank d, upper is +∞. The
    threshold b is not part of the ratio, so it is not certified. Chapter "Fisher's discriminant".

    >>> enclose_fisher([[0.0], [2.0], [3.0], [5.0]], [-1, -1, 1, 1], primal=[1], dual=[0, 0, 0, 0])
    Certificate(2.25 ≤ fisher ≤ 2.25)
    """
    X, y = check_samples(X, y)
    w, beta = check_vector(primal, X.shape[1], "primal"), check_vector(dual, len(y), "dual")
    return enclose_checked(X, y, w, beta)


def enclose_checked(X: Array, y: Array, w: Array, beta: Array) -> Certificate:
    """`enclose_fisher` of arrays already checked."""
    rows = Rows.centred(X, (y < 0).astype(np.intp), 2)
    n_plus, n_minus = np.sum(y > 0), np.sum(y < 0)
    towards = np.where(y > 0, 1 / n_plus, -1 / n_minus)  # Xᵀ towards = δ
    apart = rows.centre(0) - rows.centre(1)
    goal = np.append(apart, (-1.0, 1.0))  # what Bᵀ(β - towards) is for a feasible β
    direction = shrunk(w)
    v = np.append(direction, (0.0, 0.0))
    upper, best = np.inf, beta
    for _ in range(PROJECTIONS + 1):
        t, found, lengths = rows.times_sums_lengths(v, beta - towards)
        size = float(np.linalg.norm(beta)) * (1 + rounding(len(y)))
        doubt = 2 * rows.allowance * lengths * (size + float(np.linalg.norm(towards)))
        rho = found - goal
        extra = rows.least_correction(np.abs(rho) + doubt + rounding(4) * np.abs(goal))
        bound = (size + extra) ** 2 * (1 + rounding(8))
        if bound < upper:
            upper, best = bound, beta
        if extra <= CLOSE * size or not np.isfinite(extra):
            break
        beta = beta - rows.shortest(rho)

    mean_plus, mean_minus = t[y > 0].mean(), t[y < 0].mean()
    error = 2 * rows.allowance * float(np.abs(v) @ lengths)  # of t, in length
    pulled = float(direction @ apart) + mean_plus - mean_minus
    pulled -= error * float(np.linalg.norm(towards))
    pulled -= rounding(X.shape[1] + 4) * float(np.abs(direction) @ np.abs(apart))
    spread = float(np.linalg.norm(t - np.where(y > 0, mean_plus, mean_minus))) + error
    lower = (max(0.0, pulled) / spread) ** 2 * (1 - rounding(len(y))) if pulled > 0 else 0.0
    return Certificate("fisher", float(lower), float(upper), w, best)
