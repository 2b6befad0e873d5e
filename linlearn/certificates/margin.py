"""Enclose the largest margin of the augmented samples: hyperplanes from below, convex weights from above."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from linlearn.certificates.ball import ETA, Ball, U, ball, gamma, product, quietly, shrunk
from linlearn.certificates.certificate import Certificate, store_samples
from linlearn.certificates.inseparable_subsets import MOST_WORK, prove_origin_in_hull
from linlearn.exact.dyadic import smallest_product
from linlearn.plane import radius, signed
from linlearn.validation import Array, check_fractions, check_vector, clean_multipliers

# An upper bound this small, relative to R, may be all rounding: then integers decide.
PERHAPS_ZERO = 1e-9


@store_samples
def enclose_margin(
    X: ArrayLike,
    y: ArrayLike,
    *,
    primal: ArrayLike,
    dual: ArrayLike,
    fit_intercept: bool = True,
    exact: Sequence[str] | None = None,
) -> Certificate:
    """Enclose γ* = max over ‖a‖ ≤ 1 of minᵢ⟨a, zᵢ⟩ = min over α ≥ 0, Σα = 1 of ‖Zᵀα‖.

    For any a ≠ 0 and any weights α on the simplex,
    minᵢ⟨a, zᵢ⟩/‖a‖ ≤ Σ αᵢ⟨a, zᵢ⟩/‖a‖ = ⟨a, Zᵀα⟩/‖a‖ ≤ ‖Zᵀα‖: a hyperplane bounds γ* from below, weights
    bound it from above. lower > 0 proves that the samples are separable, upper = 0 that they are not.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (p,), p = d + 1, or d when `fit_intercept` is False
        Any vector a. If it does not separate the samples, lower is 0, the value at a = 0.
    dual : shape (n,)
        Any weights: negative and non-finite ones are set to 0, and the others are scaled to sum 1. If none
        is positive, equal weights are used.
    fit_intercept : bool
        True: zᵢ = yᵢ(xᵢ, 1). False: zᵢ = yᵢxᵢ.
    exact : p fractions, such as "1/3", optional
        A second vector a for the lower bound, which floats cannot hold.

    Notes
    -----
    Where rounding would leave the answer open, integer arithmetic decides whether a separates the samples,
    and whether 0 lies in the convex hull of the zᵢ with positive weight, if these are at most p + 1. The
    duality is Gordan's theorem: lesson "Separability and Gordan's theorem".

    Examples
    --------
    >>> X, y = [[1.0], [-1.0]], [1, -1]
    >>> enclose_margin(X, y, primal=[1.0, 0.0], dual=[1.0, 1.0])
    Certificate(1 ≤ augmented margin ≤ 1)
    """
    Z = signed(X, y, fit_intercept=fit_intercept)
    return enclose_signed(Z, primal, dual, fit_intercept=fit_intercept, exact=exact)


@quietly
def enclose_signed(
    Z: Array,
    primal: ArrayLike,
    dual: ArrayLike,
    *,
    fit_intercept: bool,
    R: float | None = None,
    exact: Sequence[str] | None = None,
    inside: bool = False,
    max_work: float = MOST_WORK,
) -> Certificate:
    """`enclose_margin` for a caller that has the signed samples Z, shape (n, p), already, and maybe R.

    It may know that 0 is `inside` the hull of the samples with weight, else finding out may take `max_work`.
    """
    a, alpha = check_vector(primal, Z.shape[1], "primal"), simplex(dual, len(Z))
    R = radius(Z) if R is None else R
    lower, upper = _margin_below(Z, R, a), _margin_above(Z, alpha)
    plane = a.tolist() if exact is None else check_fractions(exact, a.size, "exact")
    if lower == 0 and any(plane):
        lower = _margin_exactly(Z, [Fraction(v) for v in plane])
    used = np.flatnonzero(alpha)
    may = lower == 0 < upper <= PERHAPS_ZERO * R and len(used) <= Z.shape[1] + 1
    if may and (inside or prove_origin_in_hull(Z[used], max_work=max_work)[0]):
        upper = 0.0
    options = {"fit_intercept": fit_intercept} | ({} if exact is None else {"exact": list(exact)})
    return Certificate("margin", lower, upper, a, alpha, options, R)


def _margin_exactly(Z: Array, a: list[Fraction]) -> float:
    """minᵢ⟨a, zᵢ⟩/‖a‖, rounded down; 0 if it is not positive, which most often a float can tell."""
    top = max(map(abs, a))
    rounded = np.array([float(v / top) for v in a])
    if (product(Z, _rounded(rounded)).hi < 0).any():
        return 0.0
    least = float(smallest_product(Z, a) / top)
    return max(0.0, float(np.nextafter(least, 0.0)) / _rounded(rounded).length() * (1 - 4 * U))


def _rounded(rounded: Array) -> Ball:
    """Numbers of at most 1 of which these are the nearest floats."""
    return Ball(rounded, U * np.abs(rounded) + ETA)


def _margin_below(Z: Array, R: float, a: Array) -> float:
    """At most minᵢ⟨a, zᵢ⟩/‖a‖, and not negative; R is about the length of the longest row."""
    if not a.any():
        return 0.0
    a = shrunk(a)
    m, length = Z @ a, ball(a).length()
    # None errs by more than γR‖a‖; so the smallest is among those that this could make the smallest.
    near = m <= m.min() + 4 * gamma(a.size + 8) * R * length
    smallest = float(product(Z[near], a).lo.min())
    return float(np.nextafter(smallest / length, 0.0)) if smallest > 0 else 0.0


def _margin_above(Z: Array, alpha: Array) -> float:
    used = np.flatnonzero(alpha)
    Z, alpha = Z[used], alpha[used]
    length, total = product(Z.T, alpha).length(), float(ball(alpha).sum().lo)
    return float(np.nextafter(length / total, np.inf)) if length else 0.0


def simplex(dual: ArrayLike, n: int) -> Array:
    """`dual` as weights ≥ 0 with sum 1, shape (n,)."""
    alpha = clean_multipliers(dual, n)
    if abs(alpha.sum() - 1) <= gamma(4 * n):
        return alpha  # weights already, to rounding: to scale them again would change their last digits
    if not alpha.any():
        return np.full(n, 1.0 / n)
    alpha = alpha / alpha.max()  # first, so that the sum is finite and not denormal
    return np.asarray(alpha / alpha.sum())
