"""Out of core: six methods, and `enclose_*`, which recompute their certificates; via `_dispatch`."""

import math
from typing import Any, NamedTuple

import numpy as np

from linlearn.certificates.certificate import Certificate
from linlearn.certificates.sample_weights import check_penalty
from linlearn.certificates.sparse_dual import SparseDual
from linlearn.fit import Fit
from linlearn.methods.fisher import log_odds
from linlearn.out_of_core.hinge import Hinge, improving_hyperplanes
from linlearn.out_of_core.losses import LESS, MORE, Evaluation, Logistic, Squares
from linlearn.out_of_core.newton import descent
from linlearn.out_of_core.samples import SampleSums
from linlearn.out_of_core.tree_reduction import Leaf, PartialSums
from linlearn.plane import Hyperplane
from linlearn.solvers.logistic import NewtonStep
from linlearn.trace import Trace
from linlearn.validation import (
    Array,
    check_count,
    check_size,
    check_vector,
    clean_multipliers,
    described,
)

# -- regression and Fisher's direction -----------------------------------------------------------------


def _targets(S: SampleSums, targets: Any) -> tuple[float, float]:
    """(t₊, t₋), as `least_squares` has them by name."""
    if isinstance(targets, str) and targets in ("labels", "fisher"):
        n, (plus, minus) = S.n, S.counts
        return (1.0, -1.0) if targets == "labels" else (float(n / plus), -float(n / minus))
    raise ValueError(
        '`targets` must be "labels" or "fisher" where samples are read in blocks; got '
        f"{described(targets)}. Pass samples that fit in memory as an array."
    )


def least_squares(X: Any, y: Any, *, targets: Any = "labels") -> Fit:
    S = SampleSums(X, y)
    loss = Squares(S, _targets(S, targets))
    *_, (now, _, _) = descent(loss, np.zeros(S.p))
    plane = Hyperplane.from_homogeneous(S.plane(now.v))
    return Fit(plane, Trace.closed_form(plane), _squares_certificate(loss, now, plane.a, targets))


def enclose_least_squares(
    X: Any, y: Any, *, primal: Any, dual: Any = None, targets: Any = "labels"
) -> Certificate:
    S = SampleSums(X, y)
    a, loss = check_vector(primal, S.p, "primal"), Squares(S, _targets(S, targets))
    return _squares_certificate(loss, loss.at(S.coordinates(a)), a, targets)


def _squares_certificate(loss: Squares, now: Evaluation, a: Array, targets: str) -> Certificate:
    n, scale = loss.rows.n, 0.5 * float(loss.rows.counts @ np.square(loss.targets))
    options = {"targets": targets}
    return Certificate("least squares", now.lower, now.upper, a, None, options, scale, n=n)


def fisher(X: Any, y: Any) -> Fit:
    return _fisher(SampleSums(X, y), "fisher")


def lda(X: Any, y: Any, *, priors: Any = None) -> Fit:
    return _fisher(SampleSums(X, y), "lda", priors)


def _fisher(S: SampleSums, name: str, priors: Any = None) -> Fit:
    """S_W⁻¹δ is along the regression on n/n₊ and -n/n₋, whose least value F makes the ratio: `_ratio`."""
    if (np.abs(S.means[0] - S.means[1]) <= 2 * S.mean_error).all():
        raise ValueError(
            f"`{name}` needs class means that differ; got equal means, so Fisher's ratio is 0 in "
            "every direction. Use a method that does not compare the means, such as `svm`."
        )
    *_, (now, _, _) = descent(Squares(S, _targets(S, "fisher")), np.zeros(S.p))
    if not now.lower > 0:
        raise ValueError(
            f"`{name}` needs features that vary within the classes by more than the rounding errors of "
            "sums over blocks; here a column, or a combination of columns, is constant within each class "
            "and differs between them, or columns are nearly dependent. Drop columns that reveal the "
            "label (leakage), or pass an array in memory: the message then names the columns."
        )
    plus, minus = S.counts
    w = now.v[:-1] * (S.n / (2 * (plus * minus / S.n) * now.value))
    weight, odds = 1.0, 0.0
    if name == "lda":
        weight, odds = float(S.n), log_odds(float(plus), float(minus), priors)
    w, b = weight * w, odds - weight * float(w @ (S.means[0] + S.means[1]) / 2)
    plane = Hyperplane(w, b)
    return Fit(plane, Trace.closed_form(plane), _ratio(S, now, plane.w))


def enclose_fisher(X: Any, y: Any, *, primal: Any, dual: Any = None) -> Certificate:
    S = SampleSums(X, y)
    w = check_vector(primal, S.d, "primal")
    loss = Squares(S, _targets(S, "fisher"))
    way = w / (np.abs(w).max() or 1.0)
    squares, total, product = S.total(_along, S.m, way, loss.targets).sums
    spread = float(squares - total * total / S.n)
    c = max(0.0, float(product)) / spread if spread > 0 else 0.0
    v = c * np.append(way, -float(total) / S.n)
    return _ratio(S, loss.at(v), w)


def _along(leaf: Leaf, m: Array, w: Array, targets: tuple[float, float]) -> PartialSums:
    s, t = (leaf.x - m) @ w, np.where(leaf.y > 0, *targets)
    return PartialSums((np.asarray(s @ s), np.asarray(s.sum()), np.asarray(t @ s)))


def _ratio(S: SampleSums, now: Evaluation, w: Array) -> Certificate:
    """With κ = n₊n₋/n the least F of the regression and the largest ratio J have 2κF(1 + κJ) = n².

    For Σ(xᵢ - μ)tᵢ = nδ and Σ(xᵢ - μ)(xᵢ - μ)ᵀ = S_W + κδδᵀ, so that 2F = ‖t‖² - n²δᵀ(S_W + κδδᵀ)⁻¹δ, where
    ‖t‖² = n²/κ and, by Sherman and Morrison, δᵀ(S_W + κδδᵀ)⁻¹δ = J/(1 + κJ).
    """
    n, (plus, minus) = float(S.n), S.counts.tolist()
    kappa = plus * minus / n
    lower = n * n / (2 * kappa * kappa * now.upper) * LESS - MORE / kappa if now.upper else math.inf
    upper = n * n / (2 * kappa * kappa * now.lower) * MORE - LESS / kappa if now.lower else math.inf
    return Certificate("fisher", max(0.0, lower), upper, w, None, n=S.n)


# -- logistic regression -------------------------------------------------------------------------------


def _weights(S: SampleSums, sample_weight: Any) -> tuple[tuple[float, float], float]:
    """(k₊, k₋) and what divides them, so that they sum to 1 over the samples."""
    if sample_weight is None:
        return (1.0, 1.0), float(S.n)
    if isinstance(sample_weight, str) and sample_weight == "balanced":
        return (0.5 / float(S.counts[0]), 0.5 / float(S.counts[1])), 1.0
    raise ValueError(
        '`sample_weight` must be None or "balanced" where samples are read in blocks; got '
        f"{described(sample_weight)}. Pass samples that fit in memory as an array."
    )


def _logistic_loss(S: SampleSums, lam: float, sample_weight: Any) -> tuple[Logistic, float]:
    k, over = _weights(S, sample_weight)
    return Logistic(S, k, lam * over), over


def logistic(
    X: Any,
    y: Any,
    *,
    lam: float = 0.0,
    sample_weight: Any = None,
    start: Hyperplane | None = None,
    max_updates: int = 1000,
) -> Fit:
    lam, max_updates = check_size(lam, "lam", zero=True), check_count(max_updates, "max_updates")
    S = SampleSums(X, y)
    loss, over = _logistic_loss(S, lam, sample_weight)
    v = S.coordinates(_start(S, start, lam, sample_weight))
    steps: list[NewtonStep] = []
    try:
        for now, squared, rate in descent(loss, v):
            plane = Hyperplane.from_homogeneous(S.plane(now.v))
            objective, decrement = now.value / over, math.sqrt(squared / over)
            rate = rate if now.upper else math.inf
            step = NewtonStep(
                k=len(steps), plane=plane, objective=objective, decrement=decrement, rate=rate
            )
            steps.append(step)
            if len(steps) > max_updates:
                break
    except BaseException as error:  # nothing that was paid for need be lost
        if steps:
            last = steps[-1]
            error.plane = last.plane  # type: ignore[attr-defined]
            error.add_note(
                f"After {last.k} Newton steps the objective was {last.objective:.6g}, the decrement "
                f"{last.decrement:.1g}. The error's `plane` is the last one: go on with "
                "`start=error.plane`."
            )
        raise
    certificate = _logistic_certificate(S, now, plane.a, lam, sample_weight, None)
    return Fit(plane, Trace(steps), certificate)


def _start(S: SampleSums, start: Hyperplane | None, lam: float, sample_weight: Any) -> Array:
    """The first state (w, b): what was given, the minimiser of every k-th sample, or 0."""
    if start is not None:
        return check_vector(start.a, S.p, "start")
    if S.pilot is None:
        return np.zeros(S.p)
    loss, _ = _logistic_loss(S.pilot, lam, sample_weight)
    *_, (now, _, _) = descent(loss, np.zeros(S.p))
    return S.pilot.plane(now.v)


def enclose_logistic(
    X: Any,
    y: Any,
    *,
    primal: Any,
    dual: Any = None,
    lam: float = 0.0,
    start: Any = None,
    exact: Any = None,
    sample_weight: Any = None,
) -> Certificate:
    lam, S = check_size(lam, "lam", zero=True), SampleSums(X, y)
    a = check_vector(primal, S.p, "primal")
    now = _logistic_loss(S, lam, sample_weight)[0].at(S.coordinates(a))
    return _logistic_certificate(S, now, a, lam, sample_weight, start)


def _logistic_certificate(
    S: SampleSums, now: Evaluation, a: Array, lam: float, sample_weight: Any, start: Any
) -> Certificate:
    over = _weights(S, sample_weight)[1]
    options: dict[str, Any] = {"lam": lam, "sample_weight": sample_weight}
    if not now.upper:  # then the loss falls to 0 along a
        options["start"] = np.zeros(S.p).tolist() if start is None else start
    # A positive lower bound rests on Rδ < 1, with which the loss rises in every direction.
    attained = True if lam or now.lower > 0 else None if now.upper else False
    bounds = now.lower / over * LESS, now.upper / over * MORE
    scale = math.log(2)
    return Certificate("logistic", *bounds, a, None, options, scale, attained=attained, n=S.n)


# -- soft margin and linear program --------------------------------------------------------------------


class _HingeProblem(NamedTuple):
    """What `svm` or `linear_program` minimises, and what its certificate says of it."""

    F: Hinge
    quantity: str
    options: dict[str, Any]
    scale: float

    def fit(self) -> Fit:
        """The best of the hyperplanes that come: the one with the least gap."""
        found = improving_hyperplanes(self.F)
        now, dual = min(found, key=lambda one: one[0].upper - one[0].lower)
        plane = Hyperplane.from_homogeneous(self.F.rows.plane(now.v))
        return Fit(plane, Trace.closed_form(plane), self.certificate(now, plane.a, dual))

    def enclose(self, primal: Any, dual: Any) -> Certificate:
        S = self.F.rows
        a = check_vector(primal, S.p, "primal")
        if not isinstance(dual, SparseDual):
            dual = SparseDual(np.arange(S.n), clean_multipliers(dual, S.n))
        return self.certificate(self.F.at(S.coordinates(a), dual)[0], a, dual)

    def certificate(self, now: Evaluation, a: Array, dual: SparseDual) -> Certificate:
        """The weights of F are within some roundings of the true ones, and so is its value."""
        bounds, n = (now.lower * LESS, now.upper * MORE), self.F.rows.n
        return Certificate(self.quantity, *bounds, a, dual, self.options, self.scale, n=n)


def _soft_margin(X: Any, y: Any, C: Any, sample_weight: Any) -> _HingeProblem:
    S, C = SampleSums(X, y), check_penalty(C)
    (plus, minus), over = _weights(S, sample_weight)
    each = C * (S.n / over)
    F = Hinge(S, (each * plus, each * minus), 1.0)
    options = {"C": C, "sample_weight": sample_weight}
    return _HingeProblem(F, "soft margin", options, C * S.n)


def svm(X: Any, y: Any, *, C: float, sample_weight: Any = None) -> Fit:
    return _soft_margin(X, y, C, sample_weight).fit()


def enclose_soft_margin(
    X: Any, y: Any, *, primal: Any, dual: Any, C: float, sample_weight: Any = None
) -> Certificate:
    return _soft_margin(X, y, C, sample_weight).enclose(primal, dual)


def _mean_hinge(X: Any, y: Any, sample_weight: Any) -> _HingeProblem:
    S = SampleSums(X, y)
    (plus, minus), over = _weights(S, sample_weight)
    F = Hinge(S, (plus / over, minus / over), 0.0)
    return _HingeProblem(F, "hinge", {"sample_weight": sample_weight}, 1.0)


def linear_program(X: Any, y: Any, *, sample_weight: Any = None) -> Fit:
    return _mean_hinge(X, y, sample_weight).fit()


def enclose_hinge(
    X: Any, y: Any, *, primal: Any, dual: Any, sample_weight: Any = None
) -> Certificate:
    return _mean_hinge(X, y, sample_weight).enclose(primal, dual)
