"""Enclose the least sum of squares: parameters (w, b) bound it from above, residuals from below."""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from linlearn._dispatch import out_of_core
from linlearn.certificates.ball import Ball, NormBall, ball, quietly, round_down, round_up, shrunk
from linlearn.certificates.bound import Bound, best_of, residual_cost
from linlearn.certificates.certificate import Certificate, store_samples
from linlearn.certificates.projection import correction, fine_residual, projected
from linlearn.certificates.samples import Samples
from linlearn.validation import Array, check_samples, check_vector, described

Targets = str | ArrayLike


def regression_targets(y: Array, targets: Targets) -> Array:
    """The targets t of the regression, shape (n,): labels ±1, Fisher's n/n₊ and -n/n₋, or those given.

    >>> regression_targets(np.array([1.0, -1.0, -1.0, -1.0]), "fisher")
    array([ 4.        , -1.33333333, -1.33333333, -1.33333333])
    """
    if isinstance(targets, str):
        if targets not in ("labels", "fisher"):
            raise ValueError(
                f'`targets` must be "labels", "fisher" or one number per sample; got {described(targets)}.'
            )
        if targets == "labels":
            return y
        n, n_plus = len(y), np.sum(y > 0)
        return np.where(y > 0, n / n_plus, -n / (n - n_plus))
    return check_vector(targets, len(y), "targets", each="samples")


@store_samples
@out_of_core
def enclose_least_squares(
    X: ArrayLike,
    y: ArrayLike,
    *,
    primal: ArrayLike,
    dual: ArrayLike | None = None,
    targets: Targets = "labels",
) -> Certificate:
    """Enclose min over a of ½‖X̃a - t‖² = max {⟨t, r⟩ - ½‖r‖² : X̃ᵀr = 0}, X̃ = (X, 1).

    For any a and any r with X̃ᵀr = 0, ⟨t, r⟩ = ⟨t - X̃a, r⟩ ≤ ½‖t - X̃a‖² + ½‖r‖²: a hyperplane bounds the
    least sum of squares from above, a vector orthogonal to the features from below.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (d+1,)
        Any vector a = (w, b).
    dual : shape (n,), optional
        Any vector r: it is projected onto the solutions of X̃ᵀr = 0 and scaled optimally. If None, the
        residual t - X̃a.
    targets : "labels", "fisher" or t, shape (n,)
        See `least_squares`.

    Notes
    -----
    Because of rounding, no r in floats is exactly orthogonal. With ρ = X̃ᵀr and the given hyperplane â, every
    hyperplane a has ½‖X̃a - t‖² ≥ ⟨t - X̃â, r⟩ - ½‖r‖² - ⟨a - â, ρ⟩. If a is at least as good as â, whose
    value is U, then ‖X̃(a - â)‖ ≤ 2√(2U); so where ‖X̃d‖ ≥ σ‖s∘d‖ is proved for all d, the last term is at
    most ‖ρ/s‖·2√(2U)/σ. Columns that are exact combinations of others are left out; if columns are
    combinations of others only up to rounding, the bound is proved only for
    bounded (w, b) (`Certificate.score_bound`). Lesson "Least squares on labels".

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0]], [-1, -1, 1]
    >>> enclose_least_squares(X, y, primal=[1, -4 / 3], dual=[1, 1, 1])
    Certificate(0 ≤ least squares ≤ 0.333333)
    >>> enclose_least_squares(X, y, primal=[1, -4 / 3], dual=[1, 0, 0])
    Certificate(0.333333 ≤ least squares ≤ 0.333333)
    """
    X, y = check_samples(X, y)
    a = check_vector(primal, X.shape[1] + 1, "primal")
    r = None if dual is None else check_vector(dual, len(y), "dual", each="samples")
    return least_squares_certificate(Samples(X), regression_targets(y, targets), a, r, targets)


@quietly
def least_squares_certificate(
    S: Samples, t: Array, a: Array, r: Array | None, targets: Targets
) -> Certificate:
    """`enclose_least_squares` of samples already checked; without r it takes the residual t - X̃a."""
    kept = targets if isinstance(targets, str) else t.tolist()
    scale = float((NormBall(t, 0.0).squares() * 0.5).hi)  # the value of a = 0
    v = S.coordinates(a)
    misfit = t - S.times(v)
    upper = float((misfit.squares() * 0.5).hi)
    r = misfit.mid if r is None else r
    if upper > scale:  # 0 is the better hyperplane
        v, misfit = ball(np.zeros(S.p)), NormBall(t, 0.0)
    known = min(upper, scale)
    best = best_of(_attempts(S, t, v, misfit, r), known, scale, r)
    options = {"targets": kept}
    return Certificate(
        "least squares", best.lower, upper, a, best.dual, options, scale, best.score_bound
    )


def _attempts(
    S: Samples, t: Array, v: Ball, misfit: NormBall, r: Array, *, whole: bool = True
) -> Iterator[Bound]:
    """Plain sums; twice the digits; columns that span the same; hyperplanes that are bounded."""
    r = shrunk(r) if r.any() else r
    for exact, rho, near in projected(S, NormBall(r, 0.0), ball(np.zeros(S.p))):
        # Hyperplanes with F(a) ≤ F(â) have ‖X̃(a - â)‖ ≤ √(2F(a)) + √(2F(â)).
        cost = float(round_up(correction(S, rho) * 2 * misfit.length(), 8))
        yield _bound(misfit, exact, cost, near)
    if not whole:
        return
    every = np.arange(S.n)
    kept = S.spanning(every)
    if len(kept) < S.d:
        part = S.subset(every, kept)
        w = ball(part.solve(part.sums(t - misfit.mid).mid))
        yield from _attempts(part, t, w, t - part.times(w), near, whole=False)
    high, low = fine_residual(S, NormBall(r, 0.0), ball(np.zeros(S.p)))
    for one, left, floats in ((exact, rho, near), (NormBall(r, 0.0), high + low, r)):
        cost, score_bound = residual_cost(S, left, v)
        yield _bound(misfit, one, cost, floats, score_bound)


def _bound(
    misfit: NormBall, r: NormBall, cost: float, dual: Array, score_bound: float = math.inf
) -> Bound:
    """½⟨t - X̃â, r⟩²/‖r‖² less what ρ costs, r scaled as is best."""
    product, length = r.dot(misfit), r.length()
    top = float((product - cost).lo)
    if not top > 0:
        return Bound(0.0, math.inf, score_bound)
    lower = round_down(0.5 * (top / length) * (top / length))
    return Bound(lower, 2 * lower * (float(product.mid) - top) / top, score_bound, dual)
