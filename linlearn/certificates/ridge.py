"""Enclose the optimum of ridge regression: parameters (w, b) bound it from above, residuals from below."""

import numpy as np
from numpy.typing import ArrayLike

from linlearn.certificates.ball import Ball, NormBall, U, ball, down, quietly
from linlearn.certificates.certificate import Certificate, store_samples
from linlearn.certificates.least_squares import Targets, regression_targets
from linlearn.certificates.projection import fine_residual
from linlearn.certificates.samples import Samples
from linlearn.validation import Array, check_number, check_samples, check_vector


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
    r = _summing_to_0(r - r.mean())
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
    return Certificate("ridge", down(lower / n), upper, a, r, {"lam": lam, "targets": kept}, scale)


def _summing_to_0(r: Array) -> Array:
    """r to about 52 bits of its largest entry, moved by a bit or two so that Σrᵢ = 0 exactly."""
    top = float(np.abs(r).max())
    bit = 2.0 ** (int(np.frexp(top)[1]) - 52)
    if not 2.0**-900 < bit < 2.0**900:  # rounding would leave the floats
        return np.zeros_like(r)
    bits = np.rint(r / bit).astype(np.int64)  # below 2⁵³
    left = int((bits >> 26).sum()) * 2**26 + int((bits & (2**26 - 1)).sum())
    each, some = divmod(abs(left), len(r))
    bits -= np.sign(left) * (each + (np.arange(len(r)) < some))
    return np.asarray(bits * bit)
