"""Which problem each scikit-learn class solves, and which of its parameters `certify` refuses."""

import math
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from linlearn.certificates.ball import rounded_sum
from linlearn.certificates.regularised_risk import (
    sparse_points,
)
from linlearn.certificates.sample_weights import check_sample_weight
from linlearn.certified.objectives import (
    AGAIN,
    LOSSES,
    SAID,
    Objective,
    fisher_objective,
    hinge_objective,
    logistic_objective,
    regularised_objective,
    soft_margin_objective,
    squares_objective,
)
from linlearn.certified.unwrap import Inside, not_fitted, refused
from linlearn.plane import Hyperplane
from linlearn.validation import (
    LARGEST,
    STEEPEST,
    Array,
    Bools,
    Ints,
    check_number,
    check_points,
    check_vector,
)


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """A model's hyperplane as a candidate for one of the objectives."""

    plane: Hyperplane
    a: Array  # its hyperplane in the samples of the objective
    objective: Objective
    duals: tuple[Array, ...] = ()  # multipliers that the model itself has
    share: float = 1.0  # how many times as large the objective is as the one that is reported
    remarks: tuple[str, ...] = ()


CRAMMER = (
    "`multi_class='crammer_singer'` minimises half of this: its C = {:g} counts twice, and `loss` "
    "and `penalty` do not count."
)
PENALISED = (
    "It penalises the intercept, too: b/{:g} is one more weight (`intercept_scaling`). "
    "Other solvers do not, and find another hyperplane."
)


class Planes(NamedTuple):
    """The samples as the hyperplanes of a model see them: as they came, or with their mirror images."""

    X: Array
    y: Array
    a: Array
    mirrored: bool = False
    remarks: tuple[str, ...] = ()

    @classmethod
    def of(cls, model: Any, X: Array, y: Array, plane: Hyperplane) -> "Planes":
        """Which hyperplanes are considered: all, or those with b = 0."""
        if model.fit_intercept:
            return cls(X, y, plane.a)
        return cls(*_mirrored(X, y), plane.a, True, ("It has no intercept.",))

    def shared(self, c: Array | None) -> Array | None:
        """The weights of these samples: an image takes half of its sample's."""
        return c if c is None or not self.mirrored else np.tile(c / 2, 2)


def _mirrored(X: Array, y: Array) -> tuple[Array, Array]:
    """The samples and their images (-x, -y): (w, -b) is as good as (w, b), so b = 0 is optimal."""
    return np.vstack([X, -X]), np.append(y, -y)


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A model, the samples that it was fitted on as it saw them, and its hyperplane."""

    model: Any
    X: Array
    y: Array  # ±1
    plane: Hyperplane
    weights: Array | None = None  # of samples and classes together; None where all are 1
    targets: Array | None = None  # of a regression

    def number(self, name: str, *, above: float = -np.inf, least: float = -np.inf) -> float:
        """A parameter that is a number, perhaps in an array of one."""
        value = getattr(self.model, name)
        return check_number(
            value.item() if np.size(value) == 1 and np.ndim(value) else value,
            name,
            above=above,
            least=least,
        )

    @property
    def planes(self) -> Planes:
        return Planes.of(self.model, self.X, self.y, self.plane)

    @property
    def l1_ratio(self) -> float:
        """r in the penalty r‖w‖₁ + ½(1 - r)‖w‖²."""
        return float(l1_ratio_of(settings_of(self.model)))

    def sharper(self, tol: float) -> Array:
        """The hyperplane of the same model, fitted to the same samples with this tolerance."""
        most = AGAIN * int(np.max(self.model.n_iter_))
        options = {"tol": tol, "max_iter": most, "class_weight": None, "random_state": 0}
        again = type(self.model)(**(self.model.get_params() | options))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the gap says whether it has converged
            again.fit(self.X, self.y, sample_weight=self.weights)
        return np.append(*_plane_of(again, self.X))

    @property
    def penalty(self) -> tuple[float | None, tuple[str, ...]]:
        """That of the intercept (None: there is none; 0: none is penalised), and a remark."""
        model = self.model
        if not getattr(model, "fit_intercept", True):
            return None, ("It has no intercept.",)
        if type(model).__name__ != "LinearSVC" and getattr(model, "solver", None) != "liblinear":
            return 0.0, ()
        s = self.number("intercept_scaling", above=0)
        return 1 / (s if self.l1_ratio else s**2), (PENALISED.format(s),)

    @property
    def by_products(self) -> bool:
        """Whether nothing of the size d × d should be formed, or the penalty is not the usual one."""
        wide = self.X.shape[0] < self.X.shape[1]
        known = self.l1_ratio == 0 and isinstance(self.X, np.ndarray)
        return wide or not known or self.penalty[0] != 0

    def __len__(self) -> int:
        return len(self.y)


def _penalised(
    one: Fitted,
    loss: str,
    C: float,
    *,
    lam: float | None = None,
    dual: Array | None = None,
    remarks: tuple[str, ...] = (),
) -> Problem:
    """A model with a penalty, from its own hyperplane; with λ = 1/(CΣs), its mean loss is reported."""
    penalty, more = one.penalty
    s, each = one.weights, SAID[loss] if one.weights is None else f"sᵢ{SAID[loss]}"
    r = one.l1_ratio
    size = "‖w‖₁" if r == 1 else "r‖w‖₁ + ½(1 - r)‖w‖²" if r else "½‖w‖²"
    mixed = f", r = {r:.6g}" if 0 < r < 1 else ""
    says, share = f"{size} + C Σ{each} with C = {C:.6g}{mixed}", 1.0
    by_n = s is not None and "alpha" in one.model.get_params()  # divides by n, not by Σs
    if lam is not None:
        share = 1 / lam if by_n else 1.0  # times the mean loss with its penalty is the sum
        mean = f"mean {each}" if s is None or by_n else f"Σ{each}/Σsᵢ"
        times = {0.0: "(λ/2)‖w‖²", 1.0: "λ‖w‖₁"}.get(r, f"λ({size})")
        says = f"{mean} + {times} with λ = {lam:.6g}{mixed}"
    objective = regularised_objective(
        one, loss, C, penalty, says, mean=lam is not None and not by_n
    )
    duals = () if dual is None else (dual,)
    return Problem(one.plane, one.plane.a, objective, duals, share, remarks + more)


def _svc(one: Fitted) -> Problem:
    model, C = one.model, one.number("C", above=0)
    if model.shape_fit_[0] != len(one):
        raise ValueError(
            f"`X` must hold the {model.shape_fit_[0]} samples that SVC was fitted on; got {len(one)}. "
            "Pass the same samples, in the same order."
        )
    alpha = np.zeros(len(one))
    alpha[model.support_] = np.abs(dense(model.dual_coef_)).ravel()
    if one.by_products:
        return _penalised(one, "hinge", C, dual=alpha)
    objective = soft_margin_objective(one.X, one.y, C, one.weights)
    return Problem(one.plane, one.plane.a, objective, (alpha,))


def _linear_svc(one: Fitted) -> Problem:
    C = one.number("C", above=0)
    if one.model.multi_class == "crammer_singer":
        return _penalised(one, "hinge", 2 * C, remarks=(CRAMMER.format(C),))
    return _penalised(one, one.model.loss, C)


def _logistic_regression(one: Fitted) -> Problem:
    model, s = one.model, one.weights
    free = model.penalty in (None, "none") or model.C == math.inf
    total = len(one) if s is None else rounded_sum(s)
    lam = 0.0 if free else 1 / (one.number("C", above=0) * total)
    lam_is = (
        "1/(nC), with n samples"
        if s is None
        else "1/(CΣsᵢ), where sᵢ are the weights of the samples"
    )
    remark = f"Its C is {model.C:g}. In this package's notation λ = {lam_is}."
    if lam and one.by_products:
        return _penalised(one, "log_loss", one.number("C", above=0), lam=lam, remarks=(remark,))
    planes = one.planes
    objective = logistic_objective(planes.X, planes.y, lam, planes.shared(s))
    remarks = () if free else (remark,)
    return Problem(one.plane, planes.a, objective, remarks=remarks + planes.remarks)


IS_LAM = "Its alpha = {:g} is λ in this package's notation."
TIMES = "Its objective is alpha ({:g}) times the certified one, with C = 1/(n·alpha) and n samples."


def _sgd(one: Fitted) -> Problem:
    model, s, n = one.model, one.weights, len(one)
    lam = 0.0 if model.penalty is None else one.number("alpha", least=0)
    read = getattr(model, "t_", 1.0) - 1
    remarks: tuple[str, ...] = ()
    if read % n:
        remarks = (
            f"It has read {read:.0f} samples, not a multiple of the {n} given: only the latter count here.",
        )
    if lam and (one.by_products or model.loss == "squared_hinge"):
        if model.loss == "log_loss":
            remarks = (IS_LAM.format(lam), *remarks)
            return _penalised(one, "log_loss", 1 / (lam * n), lam=lam, remarks=remarks)
        remarks = (TIMES.format(lam), *remarks)
        return _penalised(one, model.loss, 1 / (lam * n), remarks=remarks)
    if model.loss == "squared_hinge":
        raise refused(
            "SGDClassifier",
            "loss='squared_hinge' and no penalty",
            "fit with `penalty='l2'` and `alpha` > 0",
        )
    planes = one.planes
    if model.loss == "log_loss":
        remark = IS_LAM.format(lam)
        if s is not None:  # it divides by n, not by Σs
            share = rounded_sum(s) / n
            lam, remark = (
                lam / share,
                f"Its alpha is {lam:g}. In this package's notation λ = n·alpha/Σsᵢ, where sᵢ are the weights "
                "of the n samples; its objective is Σsᵢ/n times the certified one.",
            )
        objective = logistic_objective(planes.X, planes.y, lam, planes.shared(s))
    elif lam:
        objective = soft_margin_objective(planes.X, planes.y, 1 / (lam * n), planes.shared(s))
        remark = TIMES.format(lam)
    else:
        objective, remark = hinge_objective(planes.X, planes.y, planes.shared(s)), ""
    remarks = ((remark,) if lam else ()) + planes.remarks + remarks
    return Problem(one.plane, planes.a, objective, remarks=remarks)


def _regression(one: Fitted) -> Problem:
    alpha = one.number("alpha", least=0) if hasattr(one.model, "alpha") else 0.0
    planes, lam, t = one.planes, alpha / len(one), one.y if one.targets is None else one.targets
    targets = np.append(t, -t) if planes.mirrored else t
    objective = squares_objective(planes.X, planes.y, targets, lam)
    remarks = (
        (f"Its alpha is {alpha:g}. In this package's notation λ = alpha/n, with n samples.",)
        if lam
        else ()
    )
    share = 2.0 if planes.mirrored and not lam else 1.0
    return Problem(one.plane, planes.a, objective, share=share, remarks=remarks + planes.remarks)


def _discriminant(one: Fitted) -> Problem:
    model, shares = one.model, np.array([(one.y < 0).mean(), (one.y > 0).mean()])
    if model.solver != "svd" and not np.allclose(model.priors_, shares, rtol=1e-6, atol=0):
        raise refused(
            "LinearDiscriminantAnalysis",
            f"priors={model.priors!r} and solver={model.solver!r}, which weights the scatter of each "
            "class by its prior",
            "fit with `solver='svd'`, where the priors only move the threshold, or without `priors`",
        )
    remark = "Fisher's ratio determines only the direction of w, not the threshold."
    return Problem(one.plane, one.plane.a, fisher_objective(one.X, one.y), remarks=(remark,))


class Model(NamedTuple):
    """The problem that a scikit-learn class solves, and the meaning of each of its parameters.

    Those in `restricted` are refused unless they have the values there, with the remedy; those in `used` are
    part of the objective; those in `ignored` change how the optimum is computed, and not what it is. Any
    other, perhaps of a later version, is refused unless it has its default.
    """

    problem: Callable[[Fitted], Problem]
    restricted: Mapping[str, tuple[tuple[Any, ...], str]]
    used: tuple[str, ...]
    ignored: tuple[str, ...]
    weighted: bool = True  # whether weights of samples can be certified


SQUARES = (
    "squared errors can be certified only without `sample_weight` and `class_weight`; fit without them, or "
    "repeat samples"
)
SIGNS = "constraints on the signs of weights are not supported; fit with `positive=False`"
NO_L1_SGD = (
    "of this class only models with an ℓ2 penalty, or none, are supported; fit with `penalty='l2'` or "
    "`penalty=None`"
)
NO_L1_SOFTMAX = (
    "for more than two classes only an ℓ2 penalty is supported; fit with one, or fit "
    "`OneVsRestClassifier(model)` and certify that"
)
NO_RATIO = "the fit then no longer maximises Fisher's ratio of the samples; fit with `{}=None`"
UNDER = (
    "with it the updates do not approach the minimum of an objective; fit with another learning rate, such "
    "as `learning_rate='optimal'`"
)
RATES = ("optimal", "constant", "invscaling", "adaptive")
ONE = "two classes need only one hyperplane; leave it out"
LINEAR = "only the linear kernel gives a hyperplane in the space of `X`; fit with `kernel='linear'`"
HELD_OUT = "the model does not record which samples it set aside; fit with `early_stopping=False`"
REGRESSION = {"positive": ((False,), SIGNS)}
SEARCH = ("tol", "max_iter", "random_state", "solver", "copy_X")
MODELS = {
    "SVC": Model(
        _svc,
        {"kernel": (("linear",), LINEAR)},
        ("C", "class_weight"),
        ("degree", "gamma", "coef0", "shrinking", "probability", "tol", "cache_size", "verbose", "max_iter",
         "decision_function_shape", "break_ties", "random_state"),
    ),
    "LinearSVC": Model(
        _linear_svc,
        {
            "loss": (("hinge", "squared_hinge"), "fit with `loss='hinge'` or `loss='squared_hinge'`"),
            "multi_class": (("ovr", "crammer_singer"), "fit with `multi_class='ovr'`"),
        },
        ("C", "fit_intercept", "intercept_scaling", "class_weight", "penalty"),
        ("dual", "tol", "verbose", "random_state", "max_iter"),
    ),
    "LogisticRegression": Model(
        _logistic_regression,
        {
            "multi_class": (("auto", "ovr", "deprecated", "warn"), ONE),
        },
        ("C", "fit_intercept", "intercept_scaling", "class_weight", "solver", "penalty", "l1_ratio"),
        ("dual", "tol", "random_state", "max_iter", "verbose", "warm_start", "n_jobs"),
    ),
    "SGDClassifier": Model(
        _sgd,
        {
            "loss": (tuple(LOSSES), "fit with `loss='hinge'` or `loss='log_loss'`"),
            "penalty": (("l2", None), NO_L1_SGD),
            "learning_rate": (RATES, UNDER),
            "early_stopping": ((False,), HELD_OUT),
        },
        ("alpha", "fit_intercept", "class_weight"),
        ("l1_ratio", "max_iter", "tol", "shuffle", "verbose", "epsilon", "n_jobs", "random_state", "eta0",
         "power_t", "validation_fraction", "n_iter_no_change", "warm_start", "average"),
    ),
    "LinearDiscriminantAnalysis": Model(
        _discriminant,
        {
            name: ((None,), NO_RATIO.format(name))
            for name in ("shrinkage", "covariance_estimator")
        },
        ("priors", "solver"),
        ("n_components", "store_covariance", "tol"),
        weighted=False,
    ),
    "RidgeClassifier": Model(
        _regression,
        {**REGRESSION, "class_weight": ((None,), SQUARES)},
        ("alpha", "fit_intercept"),
        SEARCH,
        weighted=False,
    ),
    "Ridge": Model(_regression, REGRESSION, ("alpha", "fit_intercept"), SEARCH, weighted=False),
    "LinearRegression": Model(
        _regression, REGRESSION, ("fit_intercept",), ("copy_X", "tol", "n_jobs"), weighted=False
    ),
}  # fmt: skip
REGRESSORS = ("Ridge", "LinearRegression")


def settings_of(model: Any) -> dict[str, Any]:
    """The parameters that count: some rule others out."""
    found = {name: getattr(model, name) for name in type(model)._get_param_names()}
    if found.get("multi_class") == "multinomial" and np.size(getattr(model, "classes_", ())) > 2:
        del found["multi_class"]  # the objective of all solvers but liblinear
    if found.get("multi_class") == "crammer_singer":
        found |= {"loss": "hinge", "penalty": "l2"}
    if found.get("penalty") == "elasticnet" and found.get("l1_ratio") == 0:
        found["penalty"] = "l2"
    return found


def l1_ratio_of(settings: Mapping[str, Any]) -> float:
    """r in the penalty r‖w‖₁ + ½(1 - r)‖w‖² of these parameters."""
    penalty = settings.get("penalty", "l2")
    if penalty in ("elasticnet", "deprecated") and settings.get("C") != math.inf:
        return settings["l1_ratio"] or 0.0
    return 1.0 if penalty == "l1" else 0.0


def refuse_unknown_parameters(model: Any) -> None:
    """Refuse a parameter that makes another objective, by its name."""
    name, kind = type(model).__name__, MODELS[type(model).__name__]
    defaults = signature(type(model)).parameters
    settings = settings_of(model)
    for parameter, (allowed, remedy) in kind.restricted.items():
        found = settings.pop(parameter, allowed[0])
        if not any(found is v or (type(found) is not bool and _equal(found, v)) for v in allowed):
            raise refused(name, f"{parameter}={found!r}", remedy)
    for parameter in settings.keys() - {*kind.used, *kind.ignored}:
        found, default = settings[parameter], defaults[parameter].default
        if found is not default and not _equal(found, default):
            unknown = "a parameter that this version of `certify` does not support"
            raise refused(name, f"{parameter}={found!r}, {unknown}", "leave it at its default")


def _equal(found: Any, value: Any) -> bool:
    return np.ndim(found) == 0 and bool(found == value)


def problem_of(model: Any, X: Any, y: ArrayLike, sample_weight: Any) -> Problem:
    """The problem, or an error that names the model and says what to do."""
    name = type(model).__name__
    refuse_unknown_parameters(model)
    if not hasattr(model, "coef_"):
        raise not_fitted(name)
    check_same_features(model, X)
    X = sparse_points(X) if hasattr(X, "tocsr") else check_points(X)
    if sample_weight is not None and not MODELS[name].weighted:
        remedy = (
            SQUARES
            if "Discriminant" not in name
            else "its `fit` accepts no weights; leave them out"
        )
        raise refused(name, "`sample_weight`", remedy)
    if name in REGRESSORS:
        w, b = _plane_of(model, X)
        labels, t = _two_values(name, y, X.shape[0])
        plane = Hyperplane(w, b - float(t.max() + t.min()) / 2)
        problem = MODELS[name].problem(Fitted(model, X, labels, Hyperplane(w, b), targets=t))
        middle = "The decision boundary is where the score is halfway between the two targets."
        more = (middle,) if plane.b != b else ()
        return replace(problem, plane=plane, remarks=problem.remarks + more)
    labels = _two_classes(model, name, y, X.shape[0])
    weights = _weights(model, name, y, labels, sample_weight)
    return MODELS[name].problem(Fitted(model, X, labels, Hyperplane(*_plane_of(model, X)), weights))


def _weights(model: Any, name: str, y: ArrayLike, labels: Array, given: Any) -> Array | None:
    """What each sample counts, by itself and by its class; None where all count 1."""
    s = np.ones(len(labels))
    if given is not None:
        remedy = (
            "Pass the weights that were passed to `fit`, or leave `sample_weight` out if there "
            "were none."
        )
        s = check_sample_weight(
            labels, weight_of_each(given, len(labels)), model.classes_.tolist(), remedy
        )
    if getattr(model, "class_weight", None) is not None:
        s = s * np.where(labels > 0, *reversed(class_weights(model, name, y, s)))
    return None if (s == 1).all() else s


def class_weights(model: Any, name: str, y: ArrayLike, s: Array) -> list[float]:
    """What a sample of each class counts, as scikit-learn says it."""
    if hasattr(model, "class_weight_"):
        return list(map(float, model.class_weight_))
    from sklearn.utils.class_weight import compute_class_weight

    weighs = (
        name != "SGDClassifier" and "sample_weight" in signature(compute_class_weight).parameters
    )
    found = compute_class_weight(
        model.class_weight,
        classes=model.classes_,
        y=np.asarray(y),
        **({"sample_weight": s} if weighs else {}),
    )
    return list(map(float, found))


DENSE = 10_000_000  # entries of a sparse matrix that are written out: 80 MB


def dense(values: Any) -> Any:
    """Written out, if it is a sparse matrix."""
    return values.toarray() if hasattr(values, "toarray") else values


def written_out(one: Inside) -> Any:
    """The samples, dense; an error where too many zeros would have to be written."""
    if hasattr(one.X, "toarray") and math.prod(one.X.shape) > DENSE:
        n, d = one.X.shape
        raise ValueError(
            f"`X`, which is sparse, must have at most {DENSE:,} entries, zeros included, because it "
            "is converted to "
            f"a dense array; got {n} × {d}. Fit on fewer columns (`max_features` of a vectoriser, "
            f"`SelectKBest`), or, if there is enough memory, call `certify({one.at}, {one.X_at}.toarray(), "
            f"{one.y_at})`, where `model` is your estimator."
        )
    return dense(one.X)


def _plane_of(model: Any, X: Array) -> tuple[Array, float]:
    w = np.asarray(dense(model.coef_), dtype=np.float64).ravel()
    b = np.asarray(model.intercept_, dtype=np.float64).ravel()
    name = type(model).__name__
    if len(b) != 1:
        raise refused(name, f"{len(b)} hyperplanes", "fit one target at a time")
    check_same_count(name, len(w), X.shape[1])
    return check_vector(w, None, "coef_", below=STEEPEST), float(b[0])


def check_same_count(name: str, known: int, given: int) -> None:
    if known != given:
        raise ValueError(
            f"`X` must have {known} columns, the same number of features as {name} was fitted on; got "
            f"{given}. Pass the samples it was fitted on."
        )


def _two_classes(model: Any, name: str, y: ArrayLike, n: int) -> Array:
    classes, y = np.asarray(model.classes_), np.asarray(y)
    if len(classes) != 2:
        raise refused(
            name,
            f"{len(classes)} classes",
            "fit `OneVsRestClassifier(model)` and certify that as a whole",
        )
    return _labels(y == classes[0], y == classes[1], y, n, classes.tolist())


def _two_values(name: str, y: ArrayLike, n: int) -> tuple[Array, Array]:
    t = check_vector(y, None, "y", below=LARGEST)
    values = np.unique(t)
    if len(values) != 2:
        raise refused(
            name,
            f"{len(values)} distinct target values",
            "only regression on two distinct target values, such as -1 and +1, can be certified",
        )
    return _labels(t == values[0], t == values[1], t, n, values.tolist()), t


def _labels(first: Bools, second: Bools, y: Array, n: int, known: list[Any]) -> Array:
    if first.shape != (n,) or not (first | second).all() or not (first.any() and second.any()):
        raise ValueError(
            f"`y` must contain exactly the labels {known[0]!r} and {known[1]!r}, one label for each of the "
            f"{n} samples; got shape {y.shape} with the labels {np.unique(y)[:5].tolist()}. Pass the labels "
            "that the model was fitted on."
        )
    return np.where(second, 1.0, -1.0)


def check_same_features(model: Any, X: Any) -> None:
    """A table's columns by name, if the model knows theirs."""
    known, given = getattr(model, "feature_names_in_", None), getattr(X, "columns", None)
    if known is not None and given is not None and list(known) != list(given):
        raise ValueError(
            f"`X` must have the columns that {type(model).__name__} was fitted on, in the same order; got "
            f"{list(given)[:4]} instead of {list(known)[:4]}. Select them with `X[model.feature_names_in_]`."
        )


def is_penalised(model: Any) -> bool:
    """Whether the objective has an ℓ2 penalty and a loss of margins, so that sparse samples stay sparse."""
    settings = settings_of(model)
    free = settings.get("penalty", "l2") in (None, "none") or settings.get("C", 1) == math.inf
    return type(model).__name__ in BY_MARGINS and not free and bool(settings.get("alpha", 1))


BY_MARGINS = ("LogisticRegression", "LinearSVC", "SVC", "SGDClassifier")


def weight_of_each(sample_weight: Any, n: int) -> Array:
    """Sample weights ≥ 0, shape (n,)."""
    given = 1.0 if sample_weight is None else sample_weight
    if isinstance(given, str):
        raise ValueError(
            f"`sample_weight` must be the weights that were passed to `fit`, one for each sample; got "
            f"{given!r}. Leave it out if there were none: `class_weight` is read from the model."
        )
    if np.ndim(given) == 0:
        with suppress(ValueError):
            return np.full(n, check_number(given, "sample_weight", above=0))
        raise ValueError(
            "`sample_weight` must hold one weight per sample, or be one number > 0 for all; got the number "
            f"{given!r}. Pass the weights that were passed to `fit`."
        )
    return check_vector(given, n, "sample_weight", each="samples")


def class_codes(one: Inside) -> Ints:
    """The labels as 0, 1, …; each class must occur."""
    y, classes = np.asarray(one.y), np.asarray(one.model.classes_)
    n = np.shape(one.X)[0]
    if y.shape != (n,) or not np.array_equal(np.unique(y), classes):
        raise ValueError(
            f"`y` must contain exactly the labels {classes.tolist()}, one label for each of the {n} samples; "
            f"got shape {y.shape} with the labels {np.unique(y).tolist()[:5]}. Pass the labels that "
            f"{one.name} was fitted on."
        )
    return np.searchsorted(classes, y)
