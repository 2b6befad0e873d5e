"""What does a wide margin cost? Planes bound it from above, multipliers from below."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from linlearn._elsewhere import in_blocks
from linlearn.certificates.ball import ETA, Ball, Cloud, U, ball, gamma, norm, product, quietly, up
from linlearn.certificates.bound import CLOSED
from linlearn.certificates.certificate import Certificate
from linlearn.certificates.duality import HingeTerms, View, equalised, lower_end
from linlearn.certificates.prices import check_prices
from linlearn.certificates.samples import MODERATE, Samples
from linlearn.certificates.sides import Sides, multipliers
from linlearn.checks import (
    Array,
    check_fractions,
    check_number,
    check_samples,
    check_vector,
    check_weights,
)
from linlearn.exact.elimination import dot, rational, solve_near
from linlearn.exact.gordan import margin_exact
from linlearn.exact.whole import smallest_product
from linlearn.plane import radius, signed

LARGEST = float(np.finfo(np.float64).max)


@in_blocks
@quietly
def enclose_soft_margin(
    X: ArrayLike,
    y: ArrayLike,
    *,
    primal: ArrayLike,
    dual: ArrayLike | Sides,
    C: float | ArrayLike,
) -> Certificate:
    """Enclose min ½‖w‖² + C Σ(1 - mᵢ)₊ = max Σαᵢ - ½‖Σ αᵢyᵢxᵢ‖² over 0 ≤ α ≤ C, Σ αᵢyᵢ = 0.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (d+1,)
        Any plane a = (w, b).
    dual : shape (n,), or `Sides`
        Any multipliers: negative and non-finite ones are set to 0, the rest clipped to C, and the
        class with the larger sum is scaled down to the other's.
    C : float > 0, or shape (n,)
        The price of one sample's shortfall, as in scikit-learn; or the price of each.

    Notes
    -----
    The lower end is Σαᵢ(1 - m̂ᵢ) + ½‖ŵ‖² - ½‖Σ αᵢyᵢxᵢ - ŵ‖² at the plane at hand: the same number, without
    the cancellation (`duality`). Cortes and Vapnik (1995); chapter "Support vector machines".

    >>> enclose_soft_margin([[1.0], [-1.0]], [1, -1], primal=[1.0, 0.0], dual=[0.5, 0.5], C=2.0)
    Certificate(0.5 ≤ soft margin ≤ 0.5)
    """
    X, y = check_samples(X, y)
    unit, each = _unit_and_each(y, C)
    a, prices = check_vector(primal, X.shape[1] + 1, "primal"), unit * each
    alpha = check_weights(multipliers(dual, X, y, a, prices, ridge=1.0), len(y))
    alpha, scale = equalised(y, np.minimum(alpha, prices)), unit * math.fsum(each)
    view = View.of(X, y, a, scaled=False)
    loss = view.shortfall(each) * unit
    upper = float((ball(a[:-1]).squares() * 0.5 + loss).hi)
    lower = lower_end(view, HingeTerms(prices), alpha, upper, scale=scale, lam=1.0)
    options = {"C": unit if np.ndim(C) == 0 else each.tolist()}
    return Certificate("soft margin", lower.lower, upper, a, alpha, options, scale, lower.within)


def _unit_and_each(y: Array, C: float | ArrayLike) -> tuple[float, Array]:
    """Two factors of the prices, of which one is 1: a number, and numbers of shape (n,)."""
    if np.ndim(C) == 0:
        return check_number(C, "C", above=0), np.ones(len(y))
    return 1.0, check_prices(y, C, "C")


@quietly
def enclose_hard_margin(
    X: ArrayLike,
    y: ArrayLike,
    *,
    primal: ArrayLike,
    dual: ArrayLike,
    exact: Sequence[str] | None = None,
) -> Certificate:
    """Enclose min ½‖w‖² over planes with all mᵢ ≥ 1 = max Σαᵢ - ½‖Σ αᵢyᵢxᵢ‖² over α ≥ 0, Σ αᵢyᵢ = 0.

    The value is 1/(2ρ*²), ρ* the largest geometric margin; it is +∞ where no plane separates.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (d+1,)
        Any plane a = (w, b): its smallest margin γ > 0 makes upper = ‖w‖²/2γ², else upper = ∞.
    dual : shape (n,)
        Any multipliers: negative and non-finite ones are set to 0, the class with the larger sum is
        scaled down to the other's, and all are scaled by the best factor, Σαᵢ/‖Σ αᵢyᵢxᵢ‖².
    exact : d + 1 fractions, such as "1/3", optional
        Another plane, that floats cannot hold: for upper, and for lower if its w is a combination Σ αᵢyᵢxᵢ
        of the samples to which `dual` gives weight.

    Notes
    -----
    With α scaled best the dual value is (Σα)²/2‖Σ αᵢyᵢxᵢ‖². Vapnik and Lerner (1963);
    chapter "Support vector machines".

    >>> enclose_hard_margin([[1.0], [-1.0]], [1, -1], primal=[2.0, 0.0], dual=[1.0, 1.0])
    Certificate(0.5 ≤ hard margin ≤ 0.5)
    """
    X, y = check_samples(X, y)
    a, alpha = check_vector(primal, X.shape[1] + 1, "primal"), check_weights(dual, len(y))
    used, R = np.flatnonzero(alpha), radius(X)
    alpha[used] = equalised(y[used], alpha[used] / (float(alpha.max()) or 1.0))
    k = int(np.frexp(R)[1])  # one unit 2^k for all features, in which none is tiny
    k = k if k < -MODERATE else 0
    given, X = X, np.ldexp(X, -k) if k else X
    w, b = a[:-1], a[-1]  # (w, b2^-k), the plane in that unit, divided by a power of two
    t = max([_top(w)] * bool(w.any()) + [_top(b) - k] * bool(b), default=0)
    unit = np.append(np.ldexp(w, -t), np.ldexp(b, -k - t))
    low, high = _least(X, y, float(np.ldexp(R, -k)), unit)
    upper = _half_square(ball(unit[:-1]).length(), low, k) if low > 0 else math.inf
    if low <= 0 <= high and (decided := margin_exact(given, y, a=a)) > 0:
        upper = _cost(a.tolist(), decided)
    longer = [] if exact is None else check_fractions(exact, a.size, "exact")
    if longer and (decided := smallest_product(signed(given, y), longer)) > 0:
        upper = min(upper, _cost(longer, decided))
    lower = 0.0
    if alpha.any():
        used = np.flatnonzero(alpha)
        S = Samples(X[used], scaled=False)
        lower, best = _dual(S, y[used], alpha[used], k)
        if not upper - lower <= CLOSED * upper:
            lower, best = max((lower, best), _dual(S, y[used], alpha[used], k, fine=True))
        alpha = alpha * best
    if longer:
        lower = max(lower, _dual_exactly(signed(given, y)[alpha > 0], longer))
    options = {} if exact is None else {"exact": list(exact)}
    return Certificate("hard margin", lower, upper, a, alpha, options)


def _least(X: Array, y: Array, R: float, a: Array) -> tuple[float, float]:
    """At most and at least minᵢ⟨a, zᵢ⟩, R about the length of the longest sample."""
    m = y * (X @ a[:-1] + a[-1])
    # None errs by more than γ(R‖w‖ + |b|), so the smallest is among those that this could make the smallest.
    size = R * ball(a[:-1]).length() + abs(a[-1])
    near = m <= m.min() + 4 * gamma(a.size + 8) * float(size)
    found = product(np.column_stack([X[near], np.ones(near.sum())]) * y[near, None], a)
    return float(found.lo.min()), float(found.hi.min())


def _dual(S: Samples, y: Array, alpha: Array, k: int, *, fine: bool = False) -> tuple[float, float]:
    """(Σα)²/2‖Σ αᵢyᵢxᵢ‖² at least, and the factor by which α is scaled best.

    Some multipliers with equal class sums are within four roundings of α; for those xᵢ minus any
    point gives the same vector as xᵢ.
    """
    near = Cloud(alpha, float(up(4 * U * norm(alpha), 2)) + len(alpha) * ETA)
    if fine:
        high, low, rad = S.fine_sums(alpha * y)
        point = (ball(high) + Ball(low, rad) + S.sums(near - alpha))[: S.d]
    else:
        point = S.sums(near.flipped(y))[: S.d]
    total, length = float(near.sum().lo), point.length()
    if length == 0:
        return math.inf, 1.0
    return _half_square(total, length, k, above=False), min(total / length / length, LARGEST)


def _dual_exactly(Z: Array, plane: list[Fraction]) -> float:
    """(Σα)²/2‖w‖², rounded down, for α ≥ 0 with Zᵀα = (w, 0); 0 if there are none to be had."""
    w, none = plane[:-1], [Fraction(0)] * len(Z)
    alpha = solve_near(rational(Z.T), [*w, Fraction(0)], none)
    if not any(w) or alpha is None or min(alpha, default=-1) < 0:
        return 0.0
    return _rounded(sum(alpha, Fraction(0)) ** 2 / dot(w, w) / 2, above=False)


def _half_square(u: float, v: float, k: int, *, above: bool = True) -> float:
    """½(u/v)²·4^-k, rounded up or down; +∞ or the largest float where it is beyond the floats."""
    return _rounded((Fraction(u) / Fraction(v)) ** 2 / 2 * Fraction(4) ** -k, above=above)


def _cost(plane: Sequence[Any], gamma: Fraction) -> float:
    """‖w‖²/2γ², rounded up."""
    return _rounded(sum(Fraction(v) ** 2 for v in plane[:-1]) / gamma**2 / 2)


def _rounded(exact: Fraction, *, above: bool = True) -> float:
    if exact > LARGEST:
        return math.inf if above else LARGEST
    found = float(exact)
    return (
        float(np.nextafter(found, math.inf if above else 0.0))
        if Fraction(found) != exact
        else found
    )


def _top(v: Array | float) -> int:
    """The exponent of the largest entry."""
    return int(np.frexp(np.max(np.abs(v)))[1])
