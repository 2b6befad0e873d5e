"""Which problem each scikit-learn class solves, and which of its parameters `certify` refuses."""

import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any, NamedTuple

import numpy as np

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
NO_INTERCEPT = "It has no intercept."
PENALISED = (
    "It penalises the intercept, too: b/{:g} is one more weight (`intercept_scaling`). "
    "Other solvers do not, and find another hyperplane."
)


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
        value = value[0] if np.shape(value) == (1,) else value
        return check_number(value, name, above=above, least=least)

    def mirrored(self) -> tuple["Fitted", tuple[str, ...]]:
        """Without an intercept, the samples and their images (-x, -y), of half the weight; and a remark.

        For these (w, -b) is as good as (w, b), so that b = 0 is optimal.
        """
        if self.model.fit_intercept:
            return self, ()
        both = replace(
            self,
            X=np.vstack([self.X, -self.X]),
            y=np.append(self.y, -self.y),
            weights=None if self.weights is None else np.tile(self.weights / 2, 2),
            targets=None if self.targets is None else np.append(self.targets, -self.targets),
        )
        return both, (NO_INTERCEPT,)

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
            return None, (NO_INTERCEPT,)
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
    duals: tuple[Array, ...] = (),
    remarks: tuple[str, ...] = (),
) -> Problem:
    """A model with a penalty, from its own hyperplane; with λ = 1/(CΣs), its mean loss is reported."""
    s, r, (penalty, more) = one.weights, one.l1_ratio, one.penalty
    if not one.by_products and loss == "hinge":
        objective = soft_margin_objective(one.X, one.y, C, s)
    elif not one.by_products and lam is not None:
        objective = logistic_objective(one.X, one.y, lam, s)
    else:
        each = SAID[loss] if s is None else f"sᵢ{SAID[loss]}"
        size = "‖w‖₁" if r == 1 else "r‖w‖₁ + ½(1 - r)‖w‖²" if r else "½‖w‖²"
        mixed = f", r = {r:.6g}" if 0 < r < 1 else ""
        says = f"{size} + C Σ{each} with C = {C:.6g}{mixed}"
        if lam is not None:
            mean = f"mean {each}" if s is None else f"Σ{each}/Σsᵢ"
            times = {0.0: "(λ/2)‖w‖²", 1.0: "λ‖w‖₁"}.get(r, f"λ({size})")
            says = f"{mean} + {times} with λ = {lam:.6g}{mixed}"
        objective = regularised_objective(one, loss, C, penalty, says, mean=lam is not None)
    return Problem(one.plane, one.plane.a, objective, duals, remarks=remarks + more)


def _svc(one: Fitted) -> Problem:
    model, C = one.model, one.number("C", above=0)
    if model.shape_fit_[0] != len(one):
        raise ValueError(
            f"`X` must hold the {model.shape_fit_[0]} samples that SVC was fitted on; got {len(one)}. "
            "Pass the same samples, in the same order."
        )
    alpha = np.zeros(len(one))
    alpha[model.support_] = np.abs(dense(model.dual_coef_)).ravel()
    return _penalised(one, "hinge", C, duals=(alpha,))


def _linear_svc(one: Fitted) -> Problem:
    C = one.number("C", above=0)
    if one.model.multi_class == "crammer_singer":
        return _penalised(one, "hinge", 2 * C, remarks=(CRAMMER.format(C),))
    return _penalised(one, one.model.loss, C)


def _logistic(one: Fitted, C: float, lam: float, remark: str) -> Problem:
    """The mean logistic loss, with a penalty unless λ = 1/(CΣs) is 0."""
    if lam:
        return _penalised(one, "log_loss", C, lam=lam, remarks=(remark,))
    both, without = one.mirrored()
    objective = logistic_objective(both.X, both.y, 0.0, both.weights)
    return Problem(one.plane, one.plane.a, objective, remarks=without)


def _logistic_regression(one: Fitted) -> Problem:
    C, s = one.model.C, one.weights
    if one.model.penalty in (None, "none") or C == math.inf:
        return _logistic(one, math.inf, 0.0, "")
    C = one.number("C", above=0)
    lam_is = "1/(nC), with n samples"
    if s is not None:
        lam_is = "1/(CΣsᵢ), where sᵢ are the weights of the samples"
    remark = f"Its C is {C:g}. In this package's notation λ = {lam_is}."
    return _logistic(one, C, 1 / (C * (len(one) if s is None else rounded_sum(s))), remark)


TIMES = "Its objective is alpha ({:g}) times the certified one, with C = 1/(n·alpha) and n samples."


def _sgd(one: Fitted) -> Problem:
    model, n = one.model, len(one)
    alpha = 0.0 if model.penalty is None else one.number("alpha", least=0)
    C = 1 / (alpha * n) if alpha else math.inf
    if model.loss == "log_loss":
        lam, remark = alpha, f"Its alpha = {alpha:g} is λ in this package's notation."
        if one.weights is not None:  # it divides by n, not by Σs
            lam = alpha / (rounded_sum(one.weights) / n)
            remark = (
                f"Its alpha is {alpha:g}. In this package's notation λ = n·alpha/Σsᵢ, where sᵢ are the "
                "weights of the n samples; its objective is Σsᵢ/n times the certified one."
            )
        return _logistic(one, C, lam, remark)
    if alpha:
        return _penalised(one, model.loss, C, remarks=(TIMES.format(alpha),))
    if model.loss == "squared_hinge":
        raise refused(
            "SGDClassifier",
            "loss='squared_hinge' and no penalty",
            "fit with `penalty='l2'` and `alpha` > 0",
        )
    both, without = one.mirrored()
    objective = hinge_objective(both.X, both.y, both.weights)
    return Problem(one.plane, one.plane.a, objective, remarks=without)


def _regression(one: Fitted) -> Problem:
    alpha = one.number("alpha", least=0) if hasattr(one.model, "alpha") else 0.0
    lam, (both, remarks) = alpha / len(one), one.mirrored()
    t = both.y if both.targets is None else both.targets
    share = len(both) / len(one)  # of a sum; a mean stays the same
    if lam:
        share, said = 1.0, f"Its alpha is {alpha:g}. In this package's notation λ = alpha/n"
        remarks = (f"{said}, with n samples.", *remarks)
    objective = squares_objective(both.X, both.y, t, lam)
    return Problem(one.plane, one.plane.a, objective, share=share, remarks=remarks)


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

    Those in `restricted` are refused unless they have the values there, with the remedy. Those in `USED` are
    part of the objectives, those in `IGNORED` change how an optimum is computed, and not what it is. Any
    other, perhaps of a later version, is refused unless it has its default.
    """

    problem: Callable[[Fitted], Problem]
    restricted: Mapping[str, tuple[tuple[Any, ...], str]]
    weighted: bool = True  # whether weights of samples can be certified


USED = frozenset((
    "C", "alpha", "class_weight", "fit_intercept", "intercept_scaling", "l1_ratio", "penalty", "priors",
    "solver",
))  # fmt: skip
IGNORED = frozenset((
    "average", "break_ties", "cache_size", "coef0", "copy_X", "decision_function_shape", "degree", "dual",
    "epsilon", "eta0", "gamma", "max_iter", "n_components", "n_iter_no_change", "n_jobs", "power_t",
    "probability", "random_state", "shrinking", "shuffle", "store_covariance", "tol", "validation_fraction",
    "verbose", "warm_start",
))  # fmt: skip
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
ONE = "two classes need only one hyperplane; leave it out"
LINEAR = "only the linear kernel gives a hyperplane in the space of `X`; fit with `kernel='linear'`"
HELD_OUT = "the model does not record which samples it set aside; fit with `early_stopping=False`"
REGRESSION = {"positive": ((False,), SIGNS)}
MODELS = {
    "SVC": Model(_svc, {"kernel": (("linear",), LINEAR)}),
    "LinearSVC": Model(
        _linear_svc,
        {
            "loss": (("hinge", "squared_hinge"), "fit with `loss='hinge'` or 'squared_hinge'"),
            "multi_class": (("ovr", "crammer_singer"), "fit with `multi_class='ovr'`"),
        },
    ),
    "LogisticRegression": Model(
        _logistic_regression, {"multi_class": (("auto", "ovr", "deprecated", "warn"), ONE)}
    ),
    "SGDClassifier": Model(
        _sgd,
        {
            "loss": (tuple(LOSSES), "fit with `loss='hinge'` or `loss='log_loss'`"),
            "penalty": (("l2", None), NO_L1_SGD),
            "learning_rate": (("optimal", "constant", "invscaling", "adaptive"), UNDER),
            "early_stopping": ((False,), HELD_OUT),
        },
    ),
    "LinearDiscriminantAnalysis": Model(
        _discriminant,
        {name: ((None,), NO_RATIO.format(name)) for name in ("shrinkage", "covariance_estimator")},
        weighted=False,
    ),
    "RidgeClassifier": Model(
        _regression, {**REGRESSION, "class_weight": ((None,), SQUARES)}, weighted=False
    ),
    "Ridge": Model(_regression, REGRESSION, weighted=False),
    "LinearRegression": Model(_regression, REGRESSION, weighted=False),
}
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
    for parameter in settings.keys() - USED - IGNORED:
        found, default = settings[parameter], defaults[parameter].default
        if found is not default and not _equal(found, default):
            unknown = "a parameter that this version of `certify` does not support"
            raise refused(name, f"{parameter}={found!r}, {unknown}", "leave it at its default")


def _equal(found: Any, value: Any) -> bool:
    return np.ndim(found) == 0 and bool(found == value)


def problem_of(one: Inside, sample_weight: Any) -> Problem:
    """The problem, or an error that names the model and says what to do."""
    model, name, kind = one.model, one.name, MODELS[one.name]
    refuse_unknown_parameters(model)
    if not hasattr(model, "coef_"):
        raise not_fitted(name)
    check_same_features(model, one.X)
    X = sparse_points(one.X) if hasattr(one.X, "tocsr") else check_points(one.X)
    if sample_weight is not None and not kind.weighted:
        remedy = SQUARES
        if name == "LinearDiscriminantAnalysis":
            remedy = "its `fit` accepts no weights; leave them out"
        raise refused(name, "`sample_weight`", remedy)
    if name in REGRESSORS:
        return _regression_problem(one, X)
    if len(model.classes_) != 2:
        raise refused(
            name,
            f"{len(model.classes_)} classes",
            "fit `OneVsRestClassifier(model)` and certify that as a whole",
        )
    labels = np.where(one.codes == 1, 1.0, -1.0)
    weights = _weights(one, labels, sample_weight)
    return kind.problem(Fitted(model, X, labels, Hyperplane(*_plane_of(model, X)), weights))


def _regression_problem(one: Inside, X: Array) -> Problem:
    """That of a regression on two values, which decides halfway between them."""
    w, b = _plane_of(one.model, X)
    t = check_vector(one.y, X.shape[0], "y", below=LARGEST, each="samples")
    values = np.unique(t)
    if len(values) != 2:
        raise refused(
            one.name,
            f"{len(values)} distinct target values",
            "only regression on two distinct target values, such as -1 and +1, can be certified",
        )
    labels, plane = np.where(t == values[1], 1.0, -1.0), Hyperplane(w, b - float(values.sum()) / 2)
    problem = MODELS[one.name].problem(Fitted(one.model, X, labels, Hyperplane(w, b), targets=t))
    middle = "The decision boundary is where the score is halfway between the two targets."
    more = (middle,) if plane.b != b else ()
    return replace(problem, plane=plane, remarks=problem.remarks + more)


def _weights(one: Inside, labels: Array, given: Any) -> Array | None:
    """What each sample counts, by itself and by its class; None where all count 1."""
    s = weight_of_each(given, len(labels))
    remedy = "Pass the weights that were passed to `fit`, or leave `sample_weight` out."
    s = check_sample_weight(labels, s, one.model.classes_.tolist(), remedy)
    if getattr(one.model, "class_weight", None) is not None:
        s = s * np.array(class_weights(one, s))[one.codes]
    return None if (s == 1).all() else s


def class_weights(one: Inside, s: Array) -> list[float]:
    """What a sample of each class counts, as scikit-learn says it."""
    if hasattr(one.model, "class_weight_"):
        return list(map(float, one.model.class_weight_))
    from sklearn.utils.class_weight import compute_class_weight

    found = compute_class_weight(
        one.model.class_weight,
        classes=one.model.classes_,
        y=np.asarray(one.model.classes_)[one.codes],
        sample_weight=None if one.name == "SGDClassifier" else s,
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
    if sample_weight is None:
        return np.ones(n)
    return check_vector(sample_weight, n, "sample_weight", each="samples")
