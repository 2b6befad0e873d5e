"""Enclose the optimum of ridge regression: parameters (w, b) bound it from above, residuals from below."""

import numpy as np
from numpy.typing import ArrayLike

from linlearn.certificates.balance import balanced
from linlearn.certificates.ball import Ball, NormBall, U, ball, quietly, round_down
from linlearn.certificates.certificate import Certificate, store_samples
from linlearn.certificates.least_squares import Targets, regression_targets
from linlearn.certificates.projection import fine_residual
from linlearn.certificates.samples import Samples
from linlearn.validation import check_number, check_samples, check_vector


@store_samples
@quietly
def enclose_ridge(
    X: ArrayLike,
    y: ArrayLike,
    *,
    primal: ArrayLike,
    dual: ArrayLike,
    lam: float,
    targets: Targets = "labels",
) -> Certificate:
    """Enclose min mean ½(f(xᵢ) - tᵢ)² + (λ/2)‖w‖² = max (⟨t, r⟩ - ½‖r‖² - ‖Xᵀr‖²/2nλ)/n over Σrᵢ = 0.

    For any a and any such r, ½‖X̃a - t‖² ≥ ⟨t - X̃a, r⟩ - ½‖r‖²; completing the square in w gives the
    last term.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (d+1,)
        Any vector a = (w, b).
    dual : shape (n,)
        Any vector r: it is centred, and then rounded so that its sum is exactly 0.
    lam : float > 0
        λ; the intercept is not penalised. scikit-learn's `alpha` is nλ.
    targets : "labels", "fisher" or t, shape (n,)
        See `least_squares`.

    Notes
    -----
    The lower bound is computed at the given hyperplane â, where nothing cancels. With ρ = Xᵀr it is, times n,
    the sum of ⟨t - X̃â, r⟩ - ½‖r‖² and (nλ/2)‖ŵ‖² - ‖ρ - nλŵ‖²/2nλ. The entries of r are rounded to integer
    multiples of a power of two that add up to exactly 0: so b does not occur, and the features may be
    centred. ρ is summed with twice the usual precision, because features with large values magnify the
    rounding errors of r.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0]], [-1, -1, 1]
    >>> enclose_ridge(X, y, primal=[0.5, -5 / 6], dual=[-1 / 6, -2 / 3, 5 / 6], lam=2 / 3)
    Certificate(0.277778 ≤ ridge ≤ 0.277778)
    """
    X, y = check_samples(X, y)
    n, d = X.shape
    a, r = check_vector(primal, d + 1, "primal"), check_vector(dual, n, "dual", each="samples")
    lam = check_number(lam, "lam", above=0)
    t = regression_targets(y, targets)
    r = r - r.mean()
    r = np.copysign(balanced(np.sign(r), np.abs(r)), r)
    S = Samples(X, scaled=False)
    v = S.coordinates(a)
    misfit, weight = t - S.times(v), Ball(n * lam, 2 * U * n * lam)
    penalty = v[:d].squares() * weight * 0.5
    upper = float(((misfit.squares() * 0.5 + penalty) / n).hi)
    scale = float((NormBall(t, 0.0).squares() * (0.5 / n)).hi)  # the value of a = 0
    over = Ball(1 / weight.mid, 8 * U / weight.mid)
    high, low = fine_residual(S, NormBall(r, 0.0), ball(np.zeros(S.p)))
    rho = ball(high) + low
    bent = (rho[:d] - v[:d] * weight).squares() * over * 0.5
    value = misfit.dot(r) - NormBall(r, 0.0).squares() * 0.5 + penalty - bent
    lower = float(value.lo)
    kept = targets if isinstance(targets, str) else t.tolist()
    return Certificate(
        "ridge", round_down(lower / n), upper, a, r, {"lam": lam, "targets": kept}, scale
    )
