"""Certify what others fitted: how far a scikit-learn model is from the optimum of what it minimises."""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from linlearn._shown import shown
from linlearn.certificates import (
    Certificate,
    enclose_fisher,
    enclose_hinge,
    enclose_least_squares,
    enclose_logistic,
    enclose_ridge,
    enclose_soft_margin,
)
from linlearn.certificates.ball import Ball, U, ball, quietly
from linlearn.certificates.bound import CLOSED
from linlearn.certificates.duality import View
from linlearn.certificates.logistic import mean_loss
from linlearn.checks import (
    LARGEST,
    STEEPEST,
    Array,
    Bools,
    check_number,
    check_points,
    check_vector,
)
from linlearn.methods.fisher import fisher
from linlearn.methods.least_squares import least_squares
from linlearn.methods.linear_program import linear_program
from linlearn.methods.logistic import logistic
from linlearn.methods.svm import svm
from linlearn.plane import Hyperplane

Ends = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Certified:
    """How far a model that another library fitted is from the optimum of its own objective.

    Attributes
    ----------
    name : str
        The model's class.
    objective : str
        What it minimises (Fisher's ratio: maximises), in the notation of the course.
    plane : Hyperplane
        The model's plane; the second of its classes plays +1.
    value, optimum, excess : pairs of floats
        Proved ends of the objective at the plane, of its optimum over all planes, and of the distance
        between the two. An end is +∞ where nothing is proved.
    certificate : Certificate
        The enclosure of the optimum, with its witnesses.
    remarks : tuple of str
        What one should know about the objective, or about the samples that the certificate speaks of.
    """

    name: str
    objective: str
    plane: Hyperplane
    value: Ends
    optimum: Ends
    excess: Ends
    certificate: Certificate
    remarks: tuple[str, ...]

    @property
    def relative_excess(self) -> Ends:
        """The excess relative to the larger of the optimum and the value at w = 0, b = 0."""
        size = max(abs(self.optimum[1]), self.certificate.scale)
        return (self.excess[0] / size, self.excess[1] / size) if 0 < size < np.inf else self.excess

    def __str__(self) -> str:
        """Everything, in a few lines."""
        (low, high), (far, near) = self.optimum, self.value
        lines = [
            f"{self.name}: {self.objective}",
            f"  optimum  {low:.10g} ≤ {self.certificate.quantity} ≤ {high:.10g}",
            f"  this fit {far:.10g} … {near:.10g}",
            f"  excess   {self.excess[0]:.3g} … {self.excess[1]:.3g}",
            *(f"  {remark}" for remark in self.remarks),
        ]
        return shown("\n".join(lines))

    def __repr__(self) -> str:
        low, high = self.excess
        return shown(
            f"Certified({self.name}, {self.optimum[0]:.6g} ≤ {self.certificate.quantity} ≤ "
            f"{self.optimum[1]:.6g}, {low:.2g} ≤ excess ≤ {high:.2g})"
        )


def certify(estimator: Any, X: ArrayLike, y: ArrayLike) -> Certified:
    """Enclose the optimum of what a fitted scikit-learn model minimises, and how far the model is from it.

    Known are LogisticRegression and SGDClassifier (hinge or logistic loss, ℓ2 or no penalty),
    LinearSVC(loss="hinge"), SVC(kernel="linear"), LinearDiscriminantAnalysis, RidgeClassifier, and Ridge and
    LinearRegression on two label values; and a Pipeline that ends in one of them.

    Parameters
    ----------
    estimator : the fitted model
    X, y : the samples that it was fitted on, shapes (n, d) and (n,), labels as it knows them
        Weights given to its `fit` are not recorded by scikit-learn: without them is what is certified.

    Returns
    -------
    Certified

    Raises
    ------
    ValueError
        With the model's name and a remedy, for any other model, another loss, ℓ1 and mixed penalties, more
        than two classes, class weights, shrinkage, or a model that is not fitted.

    Notes
    -----
    Upper ends come of planes, lower ones of multipliers: those that the model's plane (or, for SVC, its
    support vectors) suggest, and those of the method of this package where they leave a gap. All are true
    for the floats in X, whatever the model is. Without an offset, or with one that is penalised, the planes
    through the origin compete; take the samples together with their mirror images (-xᵢ, -yᵢ), and some best
    plane of all is one of them, by symmetry and convexity: the certificate then speaks of these samples. λ
    and C are the floats nearest to what the model's parameters say. Lesson "Certificates compared".

    >>> from sklearn.svm import SVC
    >>> X, y = [[0.0], [1.0], [3.0], [9.0]], ["no", "no", "yes", "yes"]
    >>> found = certify(SVC(kernel="linear", C=1.0).fit(X, y), X, y)
    >>> found.objective, found.certificate, found.excess[1] < 1e-9
    ('½‖w‖² + C Σ(1 - mᵢ)₊ with C = 1', Certificate(0.5 ≤ soft margin ≤ 0.5), True)
    """
    if _is(estimator, "Pipeline"):
        return _last_of(estimator, X, y)
    if not _known(estimator):
        raise _unknown(estimator)
    return _judged(type(estimator).__name__, _posed(estimator, X, y))


# -- the objectives ----------------------------------------------------------------------------------


class Objective(NamedTuple):
    """One of the problems of the course: F of a plane, and what encloses its optimum."""

    says: str
    value: Callable[[Array], Ball]  # F(a) for a plane (w, b)
    enclose: Callable[[Array, Array], Certificate]  # from a plane and multipliers
    dual: Callable[[Array], Array]  # multipliers that a plane suggests
    solve: Callable[[], Certificate]
    maximised: bool = False


def _hinge(X: Array, y: Array, C: float | None, n: int) -> Objective:
    """½‖w‖² + CΣ(1 - mᵢ)₊ for n samples, also where X holds their mirror images; without a C, the mean
    shortfall alone."""
    price = 1.0 / len(y) if C is None else C / (len(y) // n)

    def value(a: Array) -> Ball:
        loss = View.of(X, y, a, scaled=C is None).shortfall(np.ones(len(y))) * price
        return loss if C is None else ball(a[:-1]).squares() * 0.5 + loss

    def dual(a: Array) -> Array:
        return np.where(y * (X @ a[:-1] + a[-1]) < 1, price, 0.0)

    if C is None:
        return Objective(
            "mean (1 - mᵢ)₊",
            value,
            lambda a, r: enclose_hinge(X, y, primal=a, dual=r),
            dual,
            lambda: linear_program(X, y).certificate,
        )
    return Objective(
        f"½‖w‖² + C Σ(1 - mᵢ)₊ with C = {C:.6g}",
        value,
        lambda a, r: enclose_soft_margin(X, y, primal=a, dual=r, C=price),
        dual,
        lambda: svm(X, y, C=price).certificate,
    )


def _logistic(X: Array, y: Array, lam: float) -> Objective:
    """mean ln(1 + exp(-mᵢ)) + (λ/2)‖w‖²."""

    def dual(a: Array) -> Array:
        m: Array = y * (X @ a[:-1] + a[-1])
        return np.asarray(np.exp(-np.logaddexp(0.0, m)))

    return Objective(
        "mean ln(1 + exp(-mᵢ))" + (f" + (λ/2)‖w‖² with λ = {lam:.6g}" if lam else ""),
        lambda a: mean_loss(View.of(X, y, a, scaled=not lam), lam),
        lambda a, r: enclose_logistic(X, y, primal=a, dual=r, lam=lam),
        dual,
        lambda: logistic(X, y, lam=lam).certificate,
    )


def _squares(X: Array, y: Array, t: Array, lam: float) -> Objective:
    """½Σ(f(xᵢ) - tᵢ)², or its mean with (λ/2)‖w‖²."""
    n, said = len(y), "labels" if np.array_equal(t, y) else t

    def value(a: Array) -> Ball:
        view = View.of(X, np.ones(n), a, scaled=not lam)
        loss = (t - view.m).squares() * 0.5
        return loss if not lam else loss / n + ball(a[:-1]).squares() * lam * 0.5

    def dual(a: Array) -> Array:
        residual: Array = t - (X @ a[:-1] + a[-1])
        return residual

    def solve() -> Certificate:
        if not lam:
            return least_squares(X, y, targets=said).certificate
        a = _ridge(X, t, n * lam)
        return enclose_ridge(X, y, primal=a, dual=dual(a), lam=lam, targets=said)

    if not lam:
        return Objective(
            "½ Σ(f(xᵢ) - tᵢ)²",
            value,
            lambda a, r: enclose_least_squares(X, y, primal=a, dual=r, targets=said),
            dual,
            solve,
        )
    return Objective(
        f"mean ½(f(xᵢ) - tᵢ)² + (λ/2)‖w‖² with λ = {lam:.6g}",
        value,
        lambda a, r: enclose_ridge(X, y, primal=a, dual=r, lam=lam, targets=said),
        dual,
        solve,
    )


def _ridge(X: Array, t: Array, weight: float) -> Array:
    """The plane (w, b) that minimises ½‖X̄a - t‖² + (weight/2)‖w‖², from singular values."""
    mean, centre = X.mean(axis=0), t.mean()
    P, s, Q = np.linalg.svd(X - mean, full_matrices=False)
    w = Q.T @ (s / (s * s + weight) * (P.T @ (t - centre)))
    return np.append(w, centre - mean @ w)


def _fisher(X: Array, y: Array) -> Objective:
    """⟨w, δ⟩²/‖X_W w‖², maximised."""

    def projected(a: Array) -> Array:
        s = X @ a[:-1]
        return np.asarray(s - np.where(y > 0, s[y > 0].mean(), s[y < 0].mean()))

    def dual(a: Array) -> Array:
        s, beta = X @ a[:-1], projected(a)
        return np.asarray(beta * (s[y > 0].mean() - s[y < 0].mean()) / (beta @ beta or 1.0))

    return Objective(
        "⟨w, δ⟩²/‖X_W w‖², maximised",
        lambda a: _ratio(X, y, a[:-1]),
        lambda a, r: enclose_fisher(X, y, primal=a[:-1], dual=r),
        dual,
        lambda: fisher(X, y).certificate,
        maximised=True,
    )


def _ratio(X: Array, y: Array, w: Array) -> Ball:
    """⟨w, δ⟩₊²/‖X_W w‖². A deviation about a point near a mean is too long by the two's distance, squared."""
    top = float(np.abs(w).max())
    w = w / 2.0 ** int(np.frexp(top)[1]) if top else w
    s = View.of(X, np.ones(len(y)), np.append(w, 0.0), scaled=False).m
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


# -- the models --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Posed:
    """A model's plane as a candidate for one of the objectives."""

    plane: Hyperplane
    a: Array  # its plane in the samples of the objective
    objective: Objective
    duals: tuple[Array, ...] = ()  # multipliers that the model itself has
    copies: int = 1  # samples of the objective for each of the model's, where it is a sum
    off: float = 0.0  # how far F at `a` may be from F at the plane, by the rounding of `a`
    remarks: tuple[str, ...] = ()


class Planes(NamedTuple):
    """The samples as the planes of a model see them: as they came, or with their mirror images."""

    X: Array
    y: Array
    a: Array
    mirrored: bool = False
    rounded: float = 0.0  # at most |b - s·a_d| where the offset is a weight of the feature s
    remarks: tuple[str, ...] = ()

    @classmethod
    def of(cls, model: Any, X: Array, y: Array, plane: Hyperplane) -> "Planes":
        """Which planes compete: all, those without an offset, or those whose offset is one more weight."""
        if not model.fit_intercept:
            return cls(*_mirrored(X, y), plane.a, True, 0.0, ("It has no offset.",))
        if not _penalises_offset(model):
            return cls(X, y, plane.a)
        s = check_number(model.intercept_scaling, "intercept_scaling", above=0)
        weight = plane.b / s
        wider, remark = (
            np.column_stack([X, np.full(len(y), s)]),
            (
                f"It penalises the offset, too: b/{s:g} is one more weight (`intercept_scaling`). "
                "Another solver would not, and find another plane."
            ),
        )
        rounded = 0.0 if math.frexp(s)[0] == 0.5 else 2 * U * abs(plane.b)
        a = np.append(plane.w, (weight, 0.0))
        return cls(*_mirrored(wider, y), a, True, rounded, (remark,))


def _mirrored(X: Array, y: Array) -> tuple[Array, Array]:
    """The samples and their images (-x, -y): (w, -b) is as good as (w, b), so some best plane has b = 0."""
    return np.vstack([X, -X]), np.append(y, -y)


def _penalises_offset(model: Any) -> bool:
    """liblinear's way."""
    return type(model).__name__ == "LinearSVC" or getattr(model, "solver", None) == "liblinear"


def _svc(model: Any, X: Array, y: Array, plane: Hyperplane) -> Posed:
    n, C = len(y), check_number(model.C, "C", above=0)
    if model.shape_fit_[0] != n:
        raise ValueError(
            f"`X` must hold the {model.shape_fit_[0]} samples that SVC was fitted on; got {n}."
        )
    alpha = np.zeros(n)
    alpha[model.support_] = np.abs(np.asarray(model.dual_coef_, dtype=np.float64).ravel())
    return Posed(plane, plane.a, _hinge(X, y, C, n), (alpha,))


def _linear_svc(model: Any, X: Array, y: Array, plane: Hyperplane) -> Posed:
    C, planes = check_number(model.C, "C", above=0), Planes.of(model, X, y, plane)
    # A score moves by `rounded` at most, the penalty by its derivative.
    off = planes.rounded * (C * len(y) + abs(plane.b) / model.intercept_scaling**2) * (1 + 8 * U)
    objective = _hinge(planes.X, planes.y, C, len(y))
    return Posed(plane, planes.a, objective, off=off, remarks=planes.remarks)


def _logistic_regression(model: Any, X: Array, y: Array, plane: Hyperplane) -> Posed:
    free = getattr(model, "penalty", "l2") in (None, "none") or model.C == math.inf
    lam = 0.0 if free else 1 / (check_number(model.C, "C", above=0) * len(y))
    planes = Planes.of(model, X, y, plane)
    off = planes.rounded * (1 + lam * abs(plane.b) / model.intercept_scaling**2) * (1 + 8 * U)
    remarks = () if free else (f"Its C = {model.C:g} is 1/(nλ).",)
    objective = _logistic(planes.X, planes.y, lam)
    return Posed(plane, planes.a, objective, off=off, remarks=remarks + planes.remarks)


def _sgd(model: Any, X: Array, y: Array, plane: Hyperplane) -> Posed:
    lam = 0.0 if model.penalty is None else check_number(model.alpha, "alpha", least=0)
    planes = Planes.of(model, X, y, plane)
    if model.loss == "log_loss":
        objective, remark = _logistic(planes.X, planes.y, lam), f"Its alpha = {lam:g} is λ."
    else:
        objective = _hinge(planes.X, planes.y, 1 / (lam * len(y)) if lam else None, len(y))
        remark = f"It minimises alpha = {lam:g} times this: alpha is 1/(nC)."
    remarks = (remark,) if lam else ()
    return Posed(plane, planes.a, objective, remarks=remarks + planes.remarks)


def _regression(model: Any, X: Array, y: Array, plane: Hyperplane, t: Array) -> Posed:
    alpha = check_number(getattr(model, "alpha", 0.0), "alpha", least=0)
    planes, lam = Planes.of(model, X, y, plane), alpha / len(y)
    targets = np.append(t, -t) if planes.mirrored else t
    objective = _squares(planes.X, planes.y, targets, lam)
    remarks = (f"Its alpha = {alpha:g} is nλ.",) if lam else ()
    copies = 2 if planes.mirrored and not lam else 1
    return Posed(plane, planes.a, objective, copies=copies, remarks=remarks + planes.remarks)


def _on_labels(model: Any, X: Array, y: Array, plane: Hyperplane) -> Posed:
    return _regression(model, X, y, plane, y)


def _discriminant(model: Any, X: Array, y: Array, plane: Hyperplane) -> Posed:
    remark = "The ratio fixes the direction of w; its threshold is not part of it."
    return Posed(plane, plane.a, _fisher(X, y), remarks=(remark,))


class Model(NamedTuple):
    """How a class of scikit-learn is posed, and which values of its parameters are understood."""

    pose: Callable[..., Posed]
    understood: Mapping[str, tuple[tuple[Any, ...], str]]


ALIKE = "the enclosures weigh all samples alike: fit without, or weigh by repeating samples"
SIGNS = "it keeps weights from being negative: fit with `positive=False`"
L1 = "the enclosures are for ℓ2 penalties: fit with that, or with none"
WEIGHTS = {"class_weight": ((None,), ALIKE)}
REGRESSION = {"positive": ((False,), SIGNS)}
MODELS = {
    "SVC": Model(_svc, {
        "kernel": (("linear",), "another kernel has no plane in the space of `X`: take `kernel='linear'`"),
        **WEIGHTS,
    }),
    "LinearSVC": Model(_linear_svc, {
        "loss": (("hinge",), "squares of shortfalls have no enclosure here: fit with `loss='hinge'`"),
        "penalty": (("l2",), L1),
        **WEIGHTS,
    }),
    "LogisticRegression": Model(_logistic_regression, {
        "penalty": (("l2", "deprecated", None, "none"), L1),
        "l1_ratio": ((0, None), L1),
        "multi_class": (("auto", "ovr", "deprecated", "warn"), "two classes need one plane: leave it out"),
        **WEIGHTS,
    }),
    "SGDClassifier": Model(_sgd, {
        "loss": (("hinge", "log_loss"), "fit with `loss='hinge'` or `loss='log_loss'`"),
        "penalty": (("l2", None), L1),
        "early_stopping": ((False,), "it does not say which samples it set aside: fit without"),
        **WEIGHTS,
    }),
    "LinearDiscriminantAnalysis": Model(_discriminant, {
        "shrinkage": ((None,), "with it, it maximises no ratio of the samples: fit without"),
        "covariance_estimator": ((None,), "with it, it maximises no ratio of the samples: fit without"),
    }),
    "RidgeClassifier": Model(_on_labels, REGRESSION | WEIGHTS),
    "Ridge": Model(_regression, REGRESSION),
    "LinearRegression": Model(_regression, REGRESSION),
}  # fmt: skip
REGRESSORS = ("Ridge", "LinearRegression")


def _posed(model: Any, X: ArrayLike, y: ArrayLike) -> Posed:
    """The problem, or an error that names the model and says what to do."""
    name = type(model).__name__
    for parameter, (allowed, remedy) in MODELS[name].understood.items():
        found = getattr(model, parameter, allowed[0])
        if not any(found is v or (found == v and type(found) is not bool) for v in allowed):
            raise _refused(name, f"{parameter}={found!r}", remedy)
    if not hasattr(model, "coef_"):
        raise _refused(name, "no plane yet", "it is not fitted: call its `fit(X, y)` first")
    _same_features(model, X)
    X = check_points(X)
    if name in REGRESSORS:
        w, b = _plane_of(model, X)
        labels, t = _two_values(name, y, len(X))
        plane = Hyperplane(w, b - float(t.max() + t.min()) / 2)
        posed = MODELS[name].pose(model, X, labels, Hyperplane(w, b), t)
        middle = "The classifier's plane is where its score is half-way between the two targets."
        return Posed(plane, posed.a, posed.objective, posed.duals, posed.copies, posed.off,
                     (*posed.remarks, *([middle] if plane.b != b else [])))  # fmt: skip
    labels = _two_classes(model, name, y, len(X))
    return MODELS[name].pose(model, X, labels, Hyperplane(*_plane_of(model, X)))


def _plane_of(model: Any, X: Array) -> tuple[Array, float]:
    w = np.asarray(model.coef_, dtype=np.float64).ravel()
    b = np.asarray(model.intercept_, dtype=np.float64).ravel()
    name = type(model).__name__
    if len(b) != 1:
        raise _refused(name, f"{len(b)} planes", "fit one target at a time")
    if len(w) != X.shape[1]:
        raise ValueError(
            f"`X` must have {len(w)} columns, as many as {name} was fitted on; got {X.shape[1]}. Pass the "
            "samples it was fitted on."
        )
    return check_vector(w, None, "coef_", below=STEEPEST), float(b[0])


def _two_classes(model: Any, name: str, y: ArrayLike, n: int) -> Array:
    classes, y = np.asarray(model.classes_), np.asarray(y)
    if len(classes) != 2:
        raise _refused(
            name,
            f"{len(classes)} classes",
            "fit one class against the others, and certify each plane",
        )
    return _labels(y == classes[0], y == classes[1], y, n, classes.tolist())


def _two_values(name: str, y: ArrayLike, n: int) -> tuple[Array, Array]:
    t = check_vector(y, None, "y", below=LARGEST)
    values = np.unique(t)
    if len(values) != 2:
        raise _refused(
            name,
            f"{len(values)} target values",
            "certified is regression on two labels, such as -1 and +1",
        )
    return _labels(t == values[0], t == values[1], t, n, values.tolist()), t


def _labels(first: Bools, second: Bools, y: Array, n: int, known: list[Any]) -> Array:
    if first.shape != (n,) or not (first | second).all() or not (first.any() and second.any()):
        raise ValueError(
            f"`y` must hold the labels {known[0]!r} and {known[1]!r}, both of them and no other, one for "
            f"each of {n} samples; got shape {y.shape} with {len(np.unique(y))} kinds. Pass the labels "
            "that the model was fitted on."
        )
    return np.where(second, 1.0, -1.0)


def _same_features(model: Any, X: Any) -> None:
    """A table's columns by name, if the model knows theirs."""
    known, given = getattr(model, "feature_names_in_", None), getattr(X, "columns", None)
    if known is not None and given is not None and list(known) != list(given):
        raise ValueError(
            f"`X` must have the columns that {type(model).__name__} was fitted on, in their order; got "
            f"{list(given)[:4]} for {list(known)[:4]}. Select them: `X[model.feature_names_in_]`."
        )


# -- the judgement -----------------------------------------------------------------------------------


@quietly
def _judged(name: str, posed: Posed) -> Certified:
    F, share = posed.objective, posed.copies
    best = min(_enclosures(posed), key=lambda one: (one.gap, one.within < np.inf))
    value = F.value(posed.a) + Ball(0.0, posed.off)
    ends = _outward(float(value.lo), float(value.hi), share)
    optimum = _outward(best.lower, best.upper, share)
    (low, high), (least, most) = (optimum, ends) if F.maximised else (ends, optimum)
    excess = (max(0.0, _next(low - most, -1)), max(0.0, _next(high - least, 1)))
    remarks = posed.remarks + (() if best.within == np.inf else (f"{WITHIN} {best.within:.6g}.",))
    return Certified(name, F.says, posed.plane, ends, optimum, excess, best, remarks)


WITHIN = (
    "Dependent features: the lower end is for planes in which no feature moves a score by more than"
)


def _enclosures(posed: Posed) -> Iterator[Certificate]:
    """By the model's own plane and multipliers; by the method of this package, if they leave a gap."""
    F, closed = posed.objective, False
    for dual in (*posed.duals, F.dual(posed.a)):
        found = F.enclose(posed.a, dual)
        closed = (
            closed or found.relative_gap <= CLOSED
        )  # then the package's own method need not be asked
        yield found
    if not closed:
        with suppress(ValueError):  # what the method refuses keeps the enclosure at hand
            yield F.solve()


def _outward(lower: float, upper: float, share: int) -> Ends:
    return (lower, upper) if share == 1 else (lower / share, upper / share)  # a half, exactly


def _next(x: float, side: int) -> float:
    """The next float: what a difference may have lost."""
    return x if x == 0 or math.isinf(x) else float(np.nextafter(x, side * math.inf))


# -- who is who --------------------------------------------------------------------------------------


def _is(estimator: Any, name: str) -> bool:
    kind = type(estimator)
    return kind.__module__.split(".")[0] == "sklearn" and kind.__name__ == name


def _known(estimator: Any) -> bool:
    return any(_is(estimator, name) for name in MODELS)


def _last_of(pipeline: Any, X: ArrayLike, y: ArrayLike) -> Certified:
    """The last step, on what the steps before make of X."""
    last = pipeline.steps[-1][1]
    if not _known(last):
        raise _unknown(last, " as the last step of a Pipeline")
    if not hasattr(last, "coef_"):
        raise _refused("Pipeline", "no plane yet", "it is not fitted: call its `fit(X, y)` first")
    if len(pipeline.steps) > 1:
        X = pipeline[:-1].transform(X)
        dense = getattr(X, "toarray", None)
        X = dense() if dense else X
    posed = _posed(last, np.asarray(X), y)
    found = _judged(type(last).__name__, posed)
    where = "Its samples are what the steps before it make of `X`."
    return replace(found, remarks=(*found.remarks, where))


def _refused(name: str, found: str, remedy: str) -> ValueError:
    return ValueError(
        f"`estimator` must be a model that can be certified; got {name} with {found}: {remedy}."
    )


def _unknown(estimator: Any, where: str = "") -> ValueError:
    name = type(estimator).__name__
    best = getattr(estimator, "best_estimator_", None)
    if best is not None:
        remedy = "Pass its `best_estimator_`"
    elif hasattr(estimator, "fit_"):
        remedy = "Models of this package carry their proof: see `fit_.certificate`"
    elif name == "LogisticRegressionCV":
        remedy = "Fit a LogisticRegression with the C that it chose (`C_`)"
    else:
        remedy = "Fit one of those, or a method of this package"
    known = ", ".join(MODELS)
    return ValueError(
        f"`estimator` must be {known}, or a Pipeline that ends in one; got {name}{where}. {remedy}."
    )
