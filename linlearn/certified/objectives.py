"""The objectives of scikit-learn's linear models: value, enclosure, dual variables, and a solver."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from linlearn.certificates import (
    Certificate,
    enclose_fisher,
    enclose_hinge,
    enclose_least_squares,
    enclose_logistic,
    enclose_ridge,
    enclose_soft_margin,
)
from linlearn.certificates.ball import Ball, U, ball
from linlearn.certificates.bound import CLOSED
from linlearn.certificates.certificate import remember
from linlearn.certificates.duality import Margins
from linlearn.certificates.logistic import mean_loss
from linlearn.certificates.regularised_risk import (
    averaged,
    enclosed,
    regularised_risk,
)
from linlearn.certificates.sample_weights import SampleWeights
from linlearn.losses import HINGE
from linlearn.methods.fisher import fisher
from linlearn.methods.least_squares import least_squares
from linlearn.methods.linear_program import linear_program
from linlearn.methods.logistic import logistic
from linlearn.methods.svm import svm
from linlearn.solvers.regularised_risk import minimised as minimised_by_products
from linlearn.solvers.regularised_risk import recovered
from linlearn.validation import (
    Array,
)

if TYPE_CHECKING:
    from linlearn.certified.models import Fitted


class Objective(NamedTuple):
    """One of the problems of the book: F of a hyperplane, and what encloses its optimum."""

    says: str
    value: Callable[[Array], Ball]  # F(a) for a hyperplane (w, b)
    # from a hyperplane and multipliers; None: those that the hyperplane suggests
    enclose: Callable[[Array, Array | None], Certificate]
    solve: Callable[[], Certificate]
    maximised: bool = False
    closed: float = CLOSED  # relative gap up to which it need not be solved
    spent: Callable[[], tuple[str, ...]] = tuple  # a remark on what it took


def soft_margin_objective(X: Array, y: Array, C: float, s: Array | None) -> Objective:
    """½‖w‖² + C Σsᵢ(1 - mᵢ)₊."""
    says = f"½‖w‖² + C Σ{'' if s is None else 'sᵢ'}(1 - mᵢ)₊ with C = {C:.6g}"
    costs = SampleWeights.of(y, s).times(C)

    def value(a: Array) -> Ball:
        loss = Margins.of(X, y, a, scaled=False).hinge_loss(costs)
        return ball(a[:-1]).squares() * 0.5 + loss

    def enclose(a: Array, r: Array | None) -> Certificate:
        r = _below_margin(X, y, a, costs.rounded) if r is None else r
        return enclose_soft_margin(X, y, primal=a, dual=r, C=C, sample_weight=s)

    return Objective(says, value, enclose, lambda: svm(X, y, C=C, sample_weight=s).certificate)


LOSSES = {"log_loss": "logistic", "squared_hinge": "squared hinge", "hinge": "hinge"}
SAID = {"log_loss": "ln(1 + exp(-mᵢ))", "hinge": "(1 - mᵢ)₊", "squared_hinge": "(1 - mᵢ)₊²"}
# The tolerances of scikit-learn's solvers for an ℓ1 penalty and for the hinge loss, where the model's own
# leaves a gap.
SHARP, SHARP_HINGE = 1e-10, 1e-8
AGAIN = 10  # times its iterations, at most
PRODUCTS = 1e-8  # relative gap that is enough for a sparse X, with which products cost more


def regularised_objective(
    one: "Fitted", loss: str, C: float, penalty: float | None, says: str, *, mean: bool
) -> Objective:
    """P(w) + νP(b) + C Σsᵢφ(mᵢ), by products with X alone: sparse samples stay sparse.

    With `mean` it is divided by C Σsᵢ.
    """
    F = regularised_risk(
        one.X,
        one.y,
        loss=LOSSES[loss],
        C=C,
        sample_weight=one.weights,
        penalty=penalty,
        l1_ratio=one.l1_ratio,
    )
    spent: list[str] = []
    closed = CLOSED / 100 if isinstance(F.X, np.ndarray) else PRODUCTS

    def value(a: Array) -> Ball:
        low, high = F.value(F.at(a))
        middle = (low + high) / 2
        found = Ball(middle, (high - low) / 2 * (1 + 4 * U) + 2 * U * abs(middle))
        return found / F.total * Ball(1.0, 4 * U) if mean else found

    def enclose(a: Array, r: Any) -> Certificate:
        return kept(enclosed(F, F.at(a), r))

    def kept(found: Certificate) -> Certificate:
        found = averaged(F, found) if mean else found
        remember(found, F.X, F.y)
        return found

    def solve() -> Certificate:
        if F.l1_ratio:
            spent.append(
                f"The optimum was enclosed by fitting the model again with `tol={SHARP:g}`."
            )
            return enclose(one.sharper(SHARP), None)
        a, dual, more, how = one.plane.a, None, 0, "from a better hyperplane"
        if F.loss is HINGE and type(one.model).__name__ == "LinearSVC":
            how = f"by fitting the model again with `tol={SHARP_HINGE:g}`"
            a = one.sharper(SHARP_HINGE)
            dual, more = recovered(F, F.at(a))
        found = minimised_by_products(F, a, dual, target=closed)
        spent.append(
            f"The optimum was enclosed {how}, which took {found.products + more} products with X."
        )
        return kept(found.certificate)

    return Objective(says, value, enclose, solve, closed=closed, spent=lambda: tuple(spent))


def hinge_objective(X: Array, y: Array, s: Array | None) -> Objective:
    """Σsᵢ(1 - mᵢ)₊/Σs, or the mean."""
    shares = SampleWeights.of(y, s).shares()

    def enclose(a: Array, r: Array | None) -> Certificate:
        r = _below_margin(X, y, a, shares.rounded) if r is None else r
        return enclose_hinge(X, y, primal=a, dual=r, sample_weight=s)

    return Objective(
        "mean (1 - mᵢ)₊" if s is None else "Σsᵢ(1 - mᵢ)₊/Σsᵢ",
        lambda a: Margins.of(X, y, a, scaled=True).hinge_loss(shares),
        enclose,
        lambda: linear_program(X, y, sample_weight=s).certificate,
    )


def _below_margin(X: Array, y: Array, a: Array, most: Array) -> Array:
    return np.where(y * (X @ a[:-1] + a[-1]) < 1, most, 0.0)


def logistic_objective(X: Array, y: Array, lam: float, s: Array | None) -> Objective:
    """Σsᵢ ln(1 + exp(-mᵢ))/Σs + (λ/2)‖w‖², or the mean with it."""
    says = "mean ln(1 + exp(-mᵢ))" if s is None else "Σsᵢ ln(1 + exp(-mᵢ))/Σsᵢ"
    weights = SampleWeights.of(y, s)

    return Objective(
        says + (f" + (λ/2)‖w‖² with λ = {lam:.6g}" if lam else ""),
        lambda a: mean_loss(Margins.of(X, y, a, scaled=not lam), lam, weights),
        lambda a, r: enclose_logistic(X, y, primal=a, dual=r, lam=lam, sample_weight=s),
        lambda: logistic(X, y, lam=lam, sample_weight=s).certificate,
    )


def squares_objective(X: Array, y: Array, t: Array, lam: float) -> Objective:
    """½Σ(f(xᵢ) - tᵢ)², or its mean with (λ/2)‖w‖²."""
    n, said = len(y), "labels" if np.array_equal(t, y) else t

    def value(a: Array) -> Ball:
        scores = Margins.of(X, np.ones(n), a, scaled=not lam)
        loss = (t - scores.m).squares() * 0.5
        return loss if not lam else loss / n + ball(a[:-1]).squares() * lam * 0.5

    def enclose(a: Array, r: Array | None) -> Certificate:
        if not lam:
            return enclose_least_squares(X, y, primal=a, dual=r, targets=said)
        r = t - (X @ a[:-1] + a[-1]) if r is None else r
        return enclose_ridge(X, y, primal=a, dual=r, lam=lam, targets=said)

    def solve() -> Certificate:
        if not lam:
            return least_squares(X, y, targets=said).certificate
        return enclose(_ridge(X, t, n * lam), None)

    says = "½ Σ(f(xᵢ) - tᵢ)²"
    if lam:
        says = f"mean ½(f(xᵢ) - tᵢ)² + (λ/2)‖w‖² with λ = {lam:.6g}"
    return Objective(says, value, enclose, solve)


def _ridge(X: Array, t: Array, weight: float) -> Array:
    """The hyperplane (w, b) that minimises ½‖X̃a - t‖² + (weight/2)‖w‖², from singular values."""
    mean, centre = X.mean(axis=0), t.mean()
    P, s, Q = np.linalg.svd(X - mean, full_matrices=False)
    w = Q.T @ (s / (s * s + weight) * (P.T @ (t - centre)))
    return np.append(w, centre - mean @ w)


def fisher_objective(X: Array, y: Array) -> Objective:
    """⟨w, δ⟩²/‖X_W w‖², maximised."""
    return Objective(
        "⟨w, δ⟩²/‖X_W w‖², maximised",
        lambda a: _ratio(X, y, a[:-1]),
        lambda a, r: enclose_fisher(X, y, primal=a[:-1], dual=r),
        lambda: fisher(X, y).certificate,
        maximised=True,
    )


def _ratio(X: Array, y: Array, w: Array) -> Ball:
    """⟨w, δ⟩₊²/‖X_W w‖². A deviation about a point near a mean is too long by the two's distance, squared."""
    top = float(np.abs(w).max())
    w = w / 2.0 ** int(np.frexp(top)[1]) if top else w
    s = Margins.of(X, np.ones(len(y)), np.append(w, 0.0), scaled=False).m
    means = [s[own].sum() / own.sum() for own in (y > 0, y < 0)]
    spread = (s - np.where(y > 0, means[0].mid, means[1].mid)).squares()
    for mean, own in zip(means, (y > 0, y < 0), strict=True):
        spread = spread - Ball(0.0, float(mean.rad) ** 2 * int(own.sum()) * (1 + 8 * U))
    pulled = means[0] - means[1]
    low, high = max(0.0, float(pulled.lo)), max(0.0, float(pulled.hi))
    most = high * high / float(spread.lo) * (1 + 8 * U) if spread.lo > 0 else math.inf
    least = low * low / float(spread.hi) * (1 - 8 * U) if spread.hi > 0 else 0.0
    middle = least if most == math.inf else (least + most) / 2
    return Ball(middle, (most - least) / 2 * (1 + 8 * U) + 2 * U * middle)
