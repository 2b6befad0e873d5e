"""Enclose the optima of the soft and the hard margin: hyperplanes from above, dual variables from below."""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from linlearn._dispatch import out_of_core
from linlearn.certificates.balance import scale_heavier_class
from linlearn.certificates.ball import (
    ETA,
    NormBall,
    U,
    ball,
    gamma,
    norm,
    product,
    quietly,
    round_up,
    rounded_sum,
    shrunk,
)
from linlearn.certificates.bound import CLOSED
from linlearn.certificates.certificate import Certificate, store_samples
from linlearn.certificates.duality import HingeTerms, Margins, lower_bound
from linlearn.certificates.projection import fine_residual
from linlearn.certificates.sample_weights import SampleWeights, Weights, check_penalty
from linlearn.certificates.samples import Samples
from linlearn.certificates.sparse_dual import SparseDual, multipliers
from linlearn.exact.dyadic import smallest_product
from linlearn.plane import radius
from linlearn.validation import Array, check_samples, check_vector, clean_multipliers

LARGEST = float(np.finfo(np.float64).max)
SETTLED = 1e-9  # relative distance from the best factor at which multipliers are left as they are


@store_samples
@out_of_core
@quietly
def enclose_soft_margin(
    X: ArrayLike,
    y: ArrayLike,
    *,
    primal: ArrayLike,
    dual: ArrayLike | SparseDual,
    C: float,
    sample_weight: Weights = None,
) -> Certificate:
    """Enclose min ½‖w‖² + C Σsᵢ(1 - mᵢ)₊ = max Σαᵢ - ½‖Σ αᵢyᵢxᵢ‖² over 0 ≤ α ≤ Cs, Σ αᵢyᵢ = 0.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (d+1,)
        Any hyperplane a = (w, b).
    dual : shape (n,), or `SparseDual`
        Any dual variables: negative and non-finite ones are set to 0, the others are clipped to Csᵢ, and
        those of the class with the larger sum are scaled down until the two sums are equal.
    C : float > 0
        Penalty parameter, as in scikit-learn.
    sample_weight : None, "balanced" or s, shape (n,)
        As in `svm`.

    Notes
    -----
    The lower bound is Σαᵢ(1 - m̂ᵢ) + ½‖ŵ‖² - ½‖Σ αᵢyᵢxᵢ - ŵ‖² at the given (ŵ, b̂). With Σαᵢyᵢ
    = 0 it equals Σαᵢ - ½‖Σ αᵢyᵢxᵢ‖², in which large terms cancel (`duality`). Cortes and Vapnik (1995);
    lesson "The soft-margin SVM".

    Examples
    --------
    >>> enclose_soft_margin([[1.0], [-1.0]], [1, -1], primal=[1.0, 0.0], dual=[0.5, 0.5], C=2.0)
    Certificate(0.5 ≤ soft margin ≤ 0.5)
    """
    X, y = check_samples(X, y)
    a, C = check_vector(primal, X.shape[1] + 1, "primal"), check_penalty(C)
    s = SampleWeights.of(y, sample_weight)
    alpha = multipliers(dual, X, y, a, s.times(C).rounded, lam=1.0)
    return soft_margin_certificate(Samples(X, scaled=False), y, C, s, a, alpha)


@quietly
def soft_margin_certificate(
    S: Samples, y: Array, C: float, s: SampleWeights, a: Array, dual: Array
) -> Certificate:
    """`enclose_soft_margin` of samples already checked."""
    costs = s.times(C)
    # Stored: at most Csᵢ, with class sums that are equal up to rounding. The proof moves one of them.
    alpha = scale_heavier_class(y, np.minimum(clean_multipliers(dual, len(y)), costs.below))
    scale, options = rounded_sum(costs.rounded), {"C": C, "sample_weight": s.given}

    margins = Margins.at(S, y, a)
    upper = float((ball(a[:-1]).squares() * 0.5 + margins.hinge_loss(costs)).hi)
    found = lower_bound(margins, HingeTerms(costs.below), alpha, upper, scale=scale, lam=1.0)
    return Certificate(
        "soft margin", found.lower, upper, a, alpha, options, scale, found.score_bound
    )


@store_samples
@quietly
def enclose_hard_margin(
    X: ArrayLike, y: ArrayLike, *, primal: ArrayLike, dual: ArrayLike
) -> Certificate:
    """Enclose min{½‖w‖² : all mᵢ ≥ 1} = max{Σαᵢ - ½‖Σ αᵢyᵢxᵢ‖² : α ≥ 0, Σ αᵢyᵢ = 0}.

    The minimum is 1/(2ρ*²), where ρ* is the largest geometric margin; it is +∞ if no hyperplane separates
    the samples.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (d+1,)
        Any hyperplane a = (w, b). If its smallest margin γ is positive, upper = ‖w‖²/2γ², else upper = ∞.
    dual : shape (n,)
        Any dual variables: negative and non-finite ones are set to 0, those of the class with the larger sum
        are scaled down until the two sums are equal, and all are multiplied by the best factor,
        Σαᵢ/‖Σ αᵢyᵢxᵢ‖².

    Notes
    -----
    With the best factor, the dual value is (Σα)²/2‖Σ αᵢyᵢxᵢ‖². Vapnik and Lerner (1963); lesson "The
    hard-margin SVM".

    Examples
    --------
    >>> enclose_hard_margin([[1.0], [-1.0]], [1, -1], primal=[2.0, 0.0], dual=[1.0, 1.0])
    Certificate(0.5 ≤ hard margin ≤ 0.5)
    """
    X, y = check_samples(X, y)
    a, alpha = check_vector(primal, X.shape[1] + 1, "primal"), clean_multipliers(dual, len(y))
    size, alpha = _balanced(y, alpha)
    upper, lower, used = _above(X, y, a), 0.0, np.flatnonzero(alpha)
    if used.size:
        S = Samples(X[used], scaled=False)
        lower, best, error = _sharp_dual(S, y[used], alpha[used], upper)
        if abs(best / size - 1) > max(SETTLED, error):
            # The bound is computed from what is stored, so that it comes out again from that, bit for bit.
            size, alpha = _balanced(y, alpha * best)
            lower, *_ = _sharp_dual(S, y[used], alpha[used], upper)
    return Certificate("hard margin", lower, upper, a, alpha * size)


def _balanced(y: Array, alpha: Array) -> tuple[float, Array]:
    """A power of two, and α divided by it, with equal class sums and entries near 1 at most."""
    size = float(np.ldexp(1.0, min(int(np.frexp(alpha.max())[1]), 1023)))
    return size, scale_heavier_class(y, alpha / size)


def _above(X: Array, y: Array, a: Array) -> float:
    """An upper bound on ‖w‖²/2γ², where γ is the smallest margin of (w, b); +∞ unless γ > 0."""
    a = shrunk(a)
    m, length = y * (X @ a[:-1] + a[-1]), ball(a[:-1]).length()
    # None errs by more than γ(R‖w‖ + |b|), or by what underflows in its products; so the smallest is among
    # those that this could make the smallest.
    error = gamma(a.size + 8) * (radius(X) * length + abs(a[-1])) + a.size * ETA
    near = m <= m.min() + 4 * error
    Z = np.column_stack([X[near], np.ones(near.sum())]) * y[near, None]
    margins = product(Z, a)
    if (margins.lo > 0).all():
        return _half_square(length, float(margins.lo.min()))
    if (margins.hi < 0).any():
        return math.inf
    exact = [Fraction(v) for v in a.tolist()]
    least, squares = smallest_product(Z, exact), sum(v * v for v in exact[:-1])
    return _rounded(squares / least**2 / 2) if least > 0 else math.inf


def _sharp_dual(S: Samples, y: Array, alpha: Array, upper: float) -> tuple[float, float, float]:
    """`_dual`, with twice the digits if it leaves a gap."""
    found = _dual(S, y, alpha)
    if upper - found[0] <= CLOSED * upper:
        return found
    return max(found, _dual(S, y, alpha, fine=True))


def _dual(S: Samples, y: Array, alpha: Array, *, fine: bool = False) -> tuple[float, float, float]:
    """A lower bound of (Σα)²/2‖Σ αᵢyᵢxᵢ‖², the best factor for α, and the relative error of that.

    Some multipliers with equal class sums are within four roundings of α; for those xᵢ minus any
    point gives the same vector as xᵢ.
    """
    near = NormBall(alpha, float(round_up(4 * U * norm(alpha), 2)) + len(alpha) * ETA)
    if fine:
        high, low = fine_residual(S, near.flipped(y), ball(np.zeros(S.p)))
        point = high + low
    else:
        point = S.sums(near.flipped(y))
    total, length = float(near.sum().lo), point[: S.d].length()
    if length == 0:
        return math.inf, 1.0, 0.0
    best = min(total / length / length, LARGEST)
    error = 4 * (1 - norm(point.mid[: S.d]) / length)
    return _half_square(total, length, above=False), best, error


def _half_square(u: float, v: float, *, above: bool = True) -> float:
    """½(u/v)², rounded up or down; +∞ or the largest float where it is beyond the floats."""
    return _rounded((Fraction(u) / Fraction(v)) ** 2 / 2, above=above)


def _rounded(exact: Fraction, *, above: bool = True) -> float:
    if exact > LARGEST:
        return math.inf if above else LARGEST
    found = float(exact)
    if Fraction(found) == exact:
        return found
    return float(np.nextafter(found, math.inf if above else 0.0))
