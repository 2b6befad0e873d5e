"""The least mean square with a penalty: planes bound it from above, residuals from below."""

import math

from numpy.typing import ArrayLike

from linlearn.certificates.ball import Ball, Cloud, U, down, norm, quietly, up
from linlearn.certificates.certificate import Certificate
from linlearn.certificates.least_squares import Targets, regression_targets
from linlearn.certificates.samples import Samples
from linlearn.checks import check_number, check_samples, check_vector


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

    For any plane and any such r, ½‖X̄a - t‖² ≥ ⟨t - X̄a, r⟩ - ½‖r‖², and what r makes of w costs at most
    ‖Xᵀr‖²/2nλ: complete the square.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (d+1,)
        Any vector a = (w, b).
    dual : shape (n,)
        Any vector r: its mean is taken away.
    lam : float > 0
        λ; the offset is not penalised. scikit-learn's `alpha` is nλ.
    targets : "labels", "fisher" or t, shape (n,)
        See `least_squares`.

    Notes
    -----
    The lower end is taken at the plane â at hand, where nothing cancels. With ρ = X̄ᵀr it is, n times, the sum
    of ⟨t - X̄â, r⟩ - ½‖r‖², of (nλ/2)‖ŵ‖² - ‖ρ_w - nλŵ‖²/2nλ, and of -|ρ_b||b - b̂|. The last is rounding; a
    plane of value U at most has ‖w‖² ≤ 2U/λ and a mean score within √(2U) of the mean target, which bounds b.

    >>> X, y = [[0.0], [1.0], [2.0]], [-1, -1, 1]
    >>> enclose_ridge(X, y, primal=[0.5, -5 / 6], dual=[-1 / 6, -2 / 3, 5 / 6], lam=2 / 3)
    Certificate(0.277778 ≤ ridge ≤ 0.277778)
    """
    X, y = check_samples(X, y)
    n, d = X.shape
    a, r = check_vector(primal, d + 1, "primal"), check_vector(dual, n, "dual")
    lam = check_number(lam, "lam", above=0)
    t = regression_targets(y, targets)
    r = r - r.mean()
    S = Samples(X, scaled=False)
    v = S.coordinates(a)
    misfit, weight = t - S.times(v), Ball(n * lam, 2 * U * n * lam)
    penalty = v[:d].squares() * weight * 0.5
    upper = float(((misfit.squares() * 0.5 + penalty) / n).hi)
    scale = float((Cloud(t, 0.0).squares() * (0.5 / n)).hi)  # the value of a = 0
    rho, over = S.sums(r), Ball(1 / weight.mid, 8 * U / weight.mid)
    bent = (rho[:d] - v[:d] * weight).squares() * over * 0.5
    value = misfit.dot(r) - Cloud(r, 0.0).squares() * 0.5 + penalty - bent
    known = math.sqrt(2 * min(upper, scale))
    reach = norm(S.lengths[:d]) * known * math.sqrt(n * float(over.hi)) / math.sqrt(n)
    offset = float(v.mag[d]) + float(abs(t).max()) + known + reach
    lower = float((value - float(up(rho.mag[d] * offset, 16))).lo)
    kept = targets if isinstance(targets, str) else t.tolist()
    return Certificate("ridge", down(lower / n), upper, a, r, {"lam": lam, "targets": kept}, scale)
