"""scikit-learn estimators for all methods: any labels, sparse X, `verify` in pipelines, `save` and `load`."""

import io
import json
import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import partial, wraps
from typing import Any, Self, dataclass_transform
from zipfile import ZipFile

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linlearn._files import Stored, is_count, is_number, is_numbers, open_stored, write
from linlearn.certificates import Certificate
from linlearn.certificates.certificate import remember
from linlearn.certificates.regularised_risk import averaged, regularised_risk, sparse_points
from linlearn.certificates.sample_weights import check_sample_weight
from linlearn.certificates.softmax import enclose_softmax, softmax_risk
from linlearn.fit import (
    CERTAIN,
    CLAIM_KEYS,
    CONVERGED,
    Fit,
    check_rows,
    claim_from_dict,
    claim_holds,
    claim_to_dict,
    not_proved,
)
from linlearn.methods.fisher import fisher, lda
from linlearn.methods.ho_kashyap import ho_kashyap
from linlearn.methods.least_squares import least_squares
from linlearn.methods.linear_program import linear_program
from linlearn.methods.lms import lms
from linlearn.methods.logistic import logistic
from linlearn.methods.perceptron import perceptron
from linlearn.methods.svm import max_margin, svm
from linlearn.methods.zero_one import WORK, zero_one
from linlearn.multiclass import ROUTERS, is_several, parts
from linlearn.plane import Hyperplane
from linlearn.solvers.perceptron import Pick
from linlearn.solvers.regularised_risk import minimised as minimised_by_products
from linlearn.solvers.softmax import minimised
from linlearn.trace import Trace
from linlearn.unwrap import sklearn_name, unwrapped
from linlearn.validation import (
    LARGEST,
    Array,
    Ints,
    check_gaps,
    check_number,
    check_points,
    check_size,
    name_columns,
)

try:
    from scipy.special import expit, log_expit, log_softmax, softmax
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.pipeline import Pipeline
    from sklearn.utils.multiclass import type_of_target
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError:
    raise ModuleNotFoundError(
        "`linlearn.estimators` needs scikit-learn, which is not installed. "
        "Install it with: pip install scikit-learn"
    ) from None

__all__ = [
    "LDA",
    "LMS",
    "SVM",
    "Fisher",
    "HoKashyap",
    "LeastSquares",
    "LinearProgram",
    "Logistic",
    "MaxMargin",
    "Perceptron",
    "ZeroOne",
    "load",
    "save",
    "verify",
]

FORMAT = "linlearn model 5"

ClassWeight = str | Mapping[Any, float] | None


MORE = "Raise `{}`, standardise the features, or use another method"


class PerfectSeparationWarning(ConvergenceWarning):
    """Some columns separate the classes perfectly, so that the objective has no maximum."""


class LinearClassifier(ClassifierMixin, BaseEstimator):
    """Base class of the estimators: one hyperplane for two classes (`Logistic` takes more).

    Attributes
    ----------
    classes_ : the two labels, sorted; the second one is treated as +1
    fit_ : Fit, with the hyperplane, the trace and the certificate
    certificate_ : Certificate, the one of `fit_`
    coef_, intercept_ : w, shape (1, d), and b, shape (1,)
    n_iter_ : int, number of updates
    n_features_in_, feature_names_in_ : as in scikit-learn
    """

    def _fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None) -> Self:
        X, y = _validated(self, X, y, reset=True)
        kind = type_of_target(y, input_name="y")
        if kind == "unknown":
            found = sorted({type(label).__name__ for label in y.tolist()})
            dtypes = {
                ("bool",): "bool",
                ("int",): "int",
                ("float",): "float",
                ("float", "int"): "float",
            }
            raise ValueError(
                f"`y` must have a dtype of numbers or strings; got dtype {y.dtype} with entries of type "
                f"{', '.join(found)} (Unknown label type). Convert it: "
                f"`y = y.astype({dtypes.get(tuple(found), 'str')})`."
            )
        if kind == "multiclass" and self._fit_several is not None:
            self.classes_ = np.unique(y)
            return self._fit_several(_points(X), y, sample_weight)
        if kind != "binary":
            wrapped = f"OneVsRestClassifier({type(self).__name__}())"
            remedy = f" Fit `{wrapped}` from `sklearn.multiclass`." if kind == "multiclass" else ""
            raise ValueError(
                f"Only binary classification is supported. The type of the target is {kind}.{remedy}"
            )
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise ValueError(
                f"`y` must contain two classes; got 1 class, {self.classes_.tolist()}. "
                "Add samples of another class."
            )
        name = type(self).__name__
        try:
            signs = np.where(y == self.classes_[1], 1.0, -1.0)
            fit = self._learn(_points(X), signs, **self._weighted(signs, sample_weight))
        except ValueError as error:  # cross-validation shows the message alone
            error.args = (f"{name}: {error}", *error.args[1:])
            raise
        self._take(fit)
        if self._perfect(fit):
            self._warn_of_separation(fit)
        if not fit.converged:
            cause = fit.diagnosis[:1].upper() + fit.diagnosis[1:]
            warnings.warn(
                f"{name} stopped before the two bounds of its certificate met: {self.certificate_!r}. "
                f"{cause or self._remedy}.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    @staticmethod
    def _perfect(fit: Fit) -> bool:
        """Whether labels are predicted so well that the optimum is a limit: an infinite one, for Fisher."""
        return fit.certificate.attained is False or (
            fit.certificate.quantity == "fisher" and fit.certificate.lower == np.inf
        )

    def _warn_of_separation(self, fit: Fit) -> None:
        used = np.flatnonzero(fit.plane.w).tolist()
        names = getattr(self, "feature_names_in_", np.arange(fit.plane.w.size))
        named = name_columns(names[used].tolist())
        subject = f"A combination of {named}" if len(used) > 1 else named[:1].upper() + named[1:]
        if fit.certificate.quantity == "fisher":
            what = "is constant within each class and differs between the classes: Fisher's ratio is infinite"
            these = "these columns" if len(used) > 1 else "this column"
            remedy = f"If the label has leaked, drop {these} and fit again"
        else:
            whose, kind = (
                ("some", "quasi-complete") if fit.certificate.upper else ("all", "complete")
            )
            what = (
                f"predicts the labels of {whose} samples perfectly ({kind} separation): the likelihood has "
                "no maximum, and `predict_proba` gives the limiting probabilities"
            )
            remedy = f"Use a finite C (λ > 0), or drop the column{'s' * (len(used) > 1)}"
        warnings.warn(
            f"{type(self).__name__}: {subject} {what}. {remedy}.",
            PerfectSeparationWarning,
            stacklevel=4,
        )

    def _take(self, fit: Fit) -> None:
        self.fit_, self.certificate_ = fit, fit.certificate
        self.coef_, self.intercept_ = fit.plane.w[None], np.array([fit.plane.b])
        self.n_iter_ = fit.trace[-1].k

    _method: Callable[..., Fit]
    _takes_sparse = False  # SciPy's sparse arrays, without writing their zeros out

    _fit_several: Callable[..., Self] | None = None  # of more than two classes, by one objective
    # What to do if the bounds did not meet, and nothing in the samples explains it.
    _remedy = "Standardise the features, or use another method"

    def _learn(self, X: Array, y: Array) -> Fit:
        return self._method(X, y, **self.get_params())

    def _weighted(self, y: Array, sample_weight: ArrayLike | None) -> dict[str, Array]:
        return {}

    def decision_function(self, X: ArrayLike) -> Array:
        """f(x) = ⟨w, x⟩ + b for each row, shape (n,)."""
        check_is_fitted(self)
        validate_data(self, X, dtype="numeric", reset=False, accept_sparse=self._takes_sparse)
        return np.asarray(_points(X) @ self.coef_[0] + self.intercept_[0])

    def verify(self, X: ArrayLike, y: ArrayLike) -> Certificate:
        """Recompute the certificate from the samples and labels that `fit` was given.

        Raises
        ------
        ValueError
            If the witnesses do not prove the claim of `certificate_` on these data.
        """
        check_is_fitted(self)
        X, y = _validated(self, X, y, reset=False)
        if not np.isin(y, self.classes_).all():
            raise ValueError(
                f"`y` must contain only the labels {self.classes_.tolist()}; got "
                f"{np.setdiff1d(y, self.classes_)[:3].tolist()}. Pass the labels that the model was "
                "fitted on."
            )
        return self._verified(X, y)

    def _verified(self, X: ArrayLike, y: NDArray[Any]) -> Certificate:
        return self.fit_.verify(X, np.where(y == self.classes_[1], 1.0, -1.0))

    def __getstate__(self) -> dict[str, Any]:
        """What a pickle keeps: of the path the last state alone, since the rest is made of the samples."""
        state: dict[str, Any] = super().__getstate__()
        if "fit_" in state:
            fit = state["fit_"]
            state = state | {"fit_": replace(fit, trace=fit.trace.last_alone())}
        return state

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The second class where f(x) > 0, else the first, shape (n,)."""
        positive = self.decision_function(X) > 0
        return np.asarray(self.classes_[positive.astype(int)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self._fit_several is not None
        tags.input_tags.sparse = self._takes_sparse
        return tags


def _validated(model: LinearClassifier, X: Any, y: Any, *, reset: bool) -> tuple[Any, NDArray[Any]]:
    """The samples as they came, and the labels as an array, once scikit-learn has looked at both.

    It makes floats of what it is given, rounds, and forgets masks: `check_points` asks what came.
    """
    check_gaps(y, X)
    try:
        _, labels = validate_data(
            model, X, y, dtype="numeric", reset=reset, accept_sparse=model._takes_sparse
        )
    except ValueError:
        _check_columns(X)
        raise
    return X, labels


def _points(X: Any) -> Any:
    return sparse_points(X) if hasattr(X, "tocsr") else check_points(X)


def _by_products(
    X: Any, y: Array, loss: str, C: float, weights: Array | None, *, mean: bool
) -> Fit:
    """The fit to sparse samples, by products with X alone; `mean` as in `enclose_regularised_risk`."""
    if C == np.inf:
        raise ValueError(
            "`C` must be finite if `X` is sparse; got inf. Pass a finite `C`, or `X.toarray()`."
        )
    F = regularised_risk(X, y, loss=loss, C=check_size(C, "C"), sample_weight=weights, penalty=0.0)
    best = minimised_by_products(F, np.zeros(X.shape[1] + 1)).certificate
    if mean:
        best = averaged(F, best)
    remember(best, X, y)
    plane = Hyperplane.from_homogeneous(best.primal)
    return Fit(plane, Trace.closed_form(plane), best)


def _check_columns(X: Any) -> None:
    """Name the columns of a data frame that hold text or gaps, where scikit-learn names an entry at most."""
    text, gaps = {}, []
    for name in getattr(X, "columns", ()):
        column = np.asarray(X[name])
        try:
            if np.isnan(column.astype(np.float64)).any():
                gaps.append(name)
        except (TypeError, ValueError):
            text[name] = next(
                (entry for entry in column.tolist() if isinstance(entry, str)), column[0]
            )
    if text:
        name, entry = next(iter(text.items()))
        where = name_columns(list(text))
        raise ValueError(
            f"`X` must hold numbers; got text in {where}, such as {entry!r} in {name!r}. Encode "
            "words with `OneHotEncoder` in a `ColumnTransformer`; in a column that should hold numbers, "
            '`pandas.to_numeric(X[name], errors="coerce")` turns all other entries into NaN.'
        )
    if gaps:
        where = name_columns(gaps)
        raise ValueError(
            f"`X` must have no missing values (NaN); got some in {where}. Fill them with "
            "`SimpleImputer` in a pipeline, or drop these rows from `X` and `y`."
        )


class UnweightedClassifier(LinearClassifier):
    """Base class of the estimators without weights: `sample_weight` and `class_weight` may only be None."""

    def fit(self, X: ArrayLike, y: ArrayLike, **others: Any) -> Self:
        """Fit the hyperplane to samples, shape (n, d), and labels of two classes, shape (n,).

        Issues a `ConvergenceWarning` if the fit has not converged (see `Fit.converged`), for instance because
        it reached its maximum number of updates. It has converged if the relative gap of the certificate is
        at most 1e-6; for `ZeroOne`, if there is no gap; for `Perceptron` and `HoKashyap`, if the certificate
        settles whether the samples are separable.
        """
        for other, value in others.items():
            if other != "sample_weight":
                raise TypeError(
                    f"{type(self).__name__}.fit() got an unexpected keyword argument {other!r}"
                )
            if value is not None:
                raise _has_no_weights(self, other)
        return self._fit(X, y, None)


def _refuses_class_weight(init: Callable[..., None]) -> Callable[..., None]:
    """The same constructor, which says why it takes no `class_weight`."""

    @wraps(init)
    def constructor(self: Any, *values: Any, **options: Any) -> None:
        if options.pop("class_weight", None) is not None:
            raise _has_no_weights(self, "class_weight")
        init(self, *values, **options)

    return constructor


def _has_no_weights(model: Any, word: str) -> TypeError:
    name = type(model).__name__
    return TypeError(
        f"{name}: `{word}` is not supported, since the objective of {name} has no sample weights. "
        "Use LinearProgram, SVM or Logistic, which accept weights."
    )


class WeightedClassifier(LinearClassifier):
    """Base class of the estimators that support `sample_weight` and `class_weight`; their product is used.

    `class_weight` is None, "balanced" (all classes get the same total weight) or a dict from labels to
    weights; a class that is not in the dict has weight 1. A key that is not a label raises a `ValueError`.
    """

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the classifier to samples, (n, d), and labels, (n,), optionally with sample weights ≥ 0, (n,).

        Weight 2 has the effect of duplicating a sample, weight 0 that of removing it. The certificate
        contains the weights, so that `verify` needs only the samples and labels.
        """
        return self._fit(X, y, sample_weight)

    def _weighted(self, y: Array, sample_weight: ArrayLike | None) -> dict[str, Array]:
        if sample_weight is None and self.class_weight is None:
            return {}
        one = np.ones(len(y)) if sample_weight is None else sample_weight
        weights = check_sample_weight(y, one, self.classes_.tolist())
        return {"weights": weights * self._class_weights((y > 0).astype(int), weights)}

    class_weight: ClassWeight

    def _class_weights(self, codes: Ints, weights: Array) -> Array:
        """What the class of each sample counts; samples of class c have code c."""
        given = self.class_weight
        if given is None:
            return np.ones(len(codes))
        if isinstance(given, Mapping):
            labels = self.classes_.tolist()
            if unknown := [key for key in given if key not in labels]:
                raise ValueError(
                    f"`class_weight` must have only labels from `y` as its keys, here {labels}; got the key "
                    f"{unknown[0]!r}. Write each label as in `y`."
                )
            each = [
                check_number(given.get(label, 1.0), f"class_weight[{label!r}]", above=0)
                for label in labels
            ]
            return np.array(each)[codes]
        if not isinstance(given, str) or given != "balanced":
            raise ValueError(
                f'`class_weight` must be None, "balanced" or a dict from labels to weights; got {given!r}.'
            )
        totals = np.bincount(codes, weights)
        return np.asarray(weights.sum() / (len(totals) * totals))[codes]


class _WithProbability(LinearClassifier):
    """A linear classifier whose scores are log-odds."""

    def predict_proba(self, X: ArrayLike) -> Array:
        """P(class | x) for the two classes, shape (n, 2)."""
        f = self._log_odds(X)
        return np.column_stack([expit(-f), expit(f)])

    def predict_log_proba(self, X: ArrayLike) -> Array:
        """ln P(class | x), shape (n, 2), without underflow."""
        f = self._log_odds(X)
        return np.column_stack([log_expit(-f), log_expit(f)])

    def _log_odds(self, X: ArrayLike) -> Array:
        return self.decision_function(X)


@dataclass_transform(kw_only_default=True, eq_default=False)
def _with_parameters(cls: type[Any]) -> Any:
    """The class, with a constructor that keeps its annotated names, which are keywords."""
    made: Any = dataclass(kw_only=True, eq=False, repr=False)(cls)
    if issubclass(cls, UnweightedClassifier):
        made.__init__ = _refuses_class_weight(made.__init__)
    return made


@_with_parameters
class Perceptron(UnweightedClassifier):
    """`linlearn.perceptron`. On inseparable samples it stops after `max_updates` or `max_epochs`."""

    _method = staticmethod(partial(perceptron, progress=False))

    _remedy = MORE.format("max_updates")

    max_updates: int = 100_000
    max_epochs: int | None = None
    order: str | Pick = "cyclic"
    rate: float = 1.0
    start: Hyperplane | None = None
    seed: int = 0


@_with_parameters
class LMS(UnweightedClassifier):
    """`linlearn.lms`: Widrow and Hoff's updates towards the least squares solution."""

    _method = staticmethod(partial(lms, progress=False))
    _remedy = MORE.format("max_epochs")

    targets: str | ArrayLike = "labels"
    stochastic: bool = True
    rate: float | None = None
    decay: float = 0.0
    max_epochs: int = 100
    order: str = "cyclic"
    start: Hyperplane | None = None
    seed: int = 0


@_with_parameters
class HoKashyap(UnweightedClassifier):
    """`linlearn.ho_kashyap`: least squares with targets that increase until all margins are positive."""

    _method = staticmethod(partial(ho_kashyap, progress=False))
    _remedy = MORE.format("max_updates")

    rate: float = 0.5
    max_updates: int = 10_000


@_with_parameters
class Fisher(UnweightedClassifier):
    """`linlearn.fisher`, with the threshold half-way between the projected class means."""

    _method = staticmethod(fisher)


@_with_parameters
class LDA(_WithProbability, UnweightedClassifier):
    """`linlearn.lda`: Fisher's direction, with the probabilities of two Gaussian classes.

    `priors` is None, "empirical", "equal" or a pair (second class, first class).
    """

    _method = staticmethod(lda)

    priors: str | tuple[float, float] | None = None


@_with_parameters
class LeastSquares(UnweightedClassifier):
    """`linlearn.least_squares` with `targets` "labels" or "fisher"."""

    _method = staticmethod(least_squares)

    targets: str | ArrayLike = "labels"


@_with_parameters
class Logistic(_WithProbability, WeightedClassifier):
    """`linlearn.logistic` with scikit-learn's C: λ = 1/(nC), n the number of samples or sum of weights.

    C = inf means no penalty. X may be sparse if C is finite: the fit then uses X only in matrix products,
    and the proof of its bounds needs a penalty. (`linlearn.logistic` also accepts a sparse X with λ = 0,
    since it forms matrices with d² entries.) The certificate encloses the minimum of mean loss plus penalty.

    For K > 2 classes it minimises scikit-learn's objective ½‖W‖² - C Σsᵢ ln P(yᵢ | xᵢ), where the
    probabilities P are the softmax of Wx + b: see `certificates.enclose_softmax`. Then `coef_` has shape
    (K, d), `intercept_` (K,), scores and probabilities (n, K); C must be finite, and there is no `fit_`.

    If C = inf and the classes are completely or quasi-completely separated, no maximum-likelihood estimate
    exists: the loss has an infimum, which the certificate encloses, but no minimiser. Then `fit` warns
    (`PerfectSeparationWarning`), and `predict_proba` returns the limits of the probabilities as the loss
    approaches its infimum: 0 or 1 for points off the hyperplane given by `coef_` and `intercept_`. If samples
    lie on it (quasi-complete separation), the probabilities there are those of `fit_.limit`.

    >>> model = Logistic().fit([[0.0], [1.0], [2.0], [3.0]], ["no", "yes", "no", "yes"])
    >>> model.predict([[-1.0], [9.0]]), model.predict_proba([[9.0]]).round(2)
    (array(['no', 'yes'], dtype='<U3'), array([[0.03, 0.97]]))
    """

    C: float = 1.0
    class_weight: ClassWeight = None
    start: Hyperplane | None = None
    max_updates: int = 1000
    _takes_sparse = True
    _remedy = MORE.format("max_updates")

    def _learn(self, X: Any, y: Array, weights: Array | None = None) -> Fit:
        if hasattr(X, "tocsr"):
            return _by_products(X, y, "logistic", self.C, weights, mean=True)
        n = len(y) if weights is None else float(weights.sum())
        beside = ", or `np.inf` for no penalty"
        if self.C != np.inf and check_size(self.C, "C", beside=beside) * n > LARGEST:
            raise ValueError(
                f"`C` must be at most {LARGEST / n:.6g}, which is {LARGEST:g} divided by the total weight of "
                f"the samples, {n:g}; got {self.C!r}. Pass a smaller value, or `C=np.inf` for no penalty."
            )
        return logistic(
            X,
            y,
            lam=0.0 if self.C == np.inf else 1 / check_size(self.C * n, "C"),
            sample_weight=weights,
            start=self.start,
            max_updates=self.max_updates,
        )

    def _fit_several(self, X: Array, y: NDArray[Any], sample_weight: ArrayLike | None) -> Self:
        """Fit more than two classes by one objective."""
        if hasattr(self, "fit_"):
            del self.fit_  # of two classes, if it was fitted before
        codes = np.searchsorted(self.classes_, y)
        weights = np.ones(len(y))
        if sample_weight is not None:
            for c in range(len(self.classes_)):  # each has a positive one
                own = np.where(codes == c, 1.0, -1.0)
                names = (f"other than {self.classes_[c]}", self.classes_.tolist()[c])
                weights = check_sample_weight(own, sample_weight, names)
        if self.C == np.inf:
            raise ValueError(
                "Logistic: `C` must be finite for more than two classes, since the certificate needs a "
                "penalty; got inf. Pass a finite `C`."
            )
        if self.start is not None:
            raise ValueError(
                "Logistic: `start` must be None for more than two classes; got "
                f"{self.start!r}. Leave it out."
            )
        weights = weights * self._class_weights(codes, weights)
        F = softmax_risk(
            X, codes, C=check_size(self.C, "C"), sample_weight=weights, fit_intercept=True
        )
        zero = np.zeros((F.K, X.shape[1] + 1))
        claim, steps = minimised(F, zero, steps=self.max_updates)
        remember(claim, X, codes)
        self._take_several(claim, steps)
        if claim.relative_gap > CONVERGED:
            warnings.warn(
                f"Logistic stopped before the two bounds of its certificate met: {claim!r}. Raise "
                "`max_updates`, or standardise the features.",
                ConvergenceWarning,
                stacklevel=4,
            )
        return self

    def _take_several(self, claim: Certificate, steps: int) -> None:
        self.certificate_, self.n_iter_ = claim, steps
        self.coef_, self.intercept_ = claim.primal[:, :-1], claim.primal[:, -1]

    @property
    def _is_several(self) -> bool:
        return len(getattr(self, "classes_", ())) > 2

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The class with the largest score, shape (n,); with two classes, the second if f(x) > 0."""
        if not self._is_several:
            return super().predict(X)
        return np.asarray(self.classes_[self.decision_function(X).argmax(axis=1)])

    def predict_proba(self, X: ArrayLike) -> Array:
        """P(class | x), shape (n, K)."""
        if not self._is_several:
            return super().predict_proba(X)
        return np.asarray(softmax(self.decision_function(X), axis=1))

    def predict_log_proba(self, X: ArrayLike) -> Array:
        """ln P(class | x), shape (n, K), without underflow."""
        if not self._is_several:
            return super().predict_log_proba(X)
        return np.asarray(log_softmax(self.decision_function(X), axis=1))

    def _verified(self, X: ArrayLike, y: NDArray[Any]) -> Certificate:
        if not self._is_several:
            return super()._verified(X, y)
        claim, codes = self.certificate_, np.searchsorted(self.classes_, y)
        check_rows(claim, codes)
        found = enclose_softmax(X, codes, primal=claim.primal, dual=claim.dual, **claim.options)
        whole = np.array_equal(claim.primal, np.column_stack([self.coef_, self.intercept_]))
        if not (whole and claim_holds(claim, found)):
            raise ValueError(not_proved(claim, found))
        return found

    def decision_function(self, X: ArrayLike) -> Array:
        """f(x) = ⟨w, x⟩ + b for each row, shape (n,); if there is no minimiser, see `Fit.decision_function`.

        For K > 2 classes Wx + b, shape (n, K).
        """
        check_is_fitted(self)
        if self._is_several:
            validate_data(self, X, dtype="numeric", reset=False, accept_sparse=True)
            return np.asarray(_points(X) @ self.coef_.T + self.intercept_)
        if self.fit_.limit is None:
            return super().decision_function(X)
        return self.fit_.decision_function(validate_data(self, X, dtype=np.float64, reset=False))

    def _log_odds(self, X: ArrayLike) -> Array:
        scores = self.decision_function(X)
        certain = (np.abs(scores) >= CERTAIN) & (self.fit_.limit is not None)
        return np.where(certain, np.copysign(np.inf, scores), scores)


@_with_parameters
class LinearProgram(WeightedClassifier):
    """`linlearn.linear_program`: minimises the weighted mean of the slacks, without a penalty."""

    class_weight: ClassWeight = None

    def _learn(self, X: Array, y: Array, weights: Array | None = None) -> Fit:
        return linear_program(X, y, sample_weight=weights)


@_with_parameters
class SVM(WeightedClassifier):
    """`linlearn.svm`: the soft margin with penalty parameter C and sample weights; X may be sparse.

    The intercept is not penalised: compare with `sklearn.svm.SVC(kernel="linear")`, not with `LinearSVC`.
    """

    C: float = 1.0
    class_weight: ClassWeight = None
    _takes_sparse = True

    def _learn(self, X: Any, y: Array, weights: Array | None = None) -> Fit:
        if hasattr(X, "tocsr"):
            return _by_products(X, y, "hinge", self.C, weights, mean=False)
        return svm(X, y, C=self.C, sample_weight=weights)


@_with_parameters
class MaxMargin(UnweightedClassifier):
    """`linlearn.max_margin`. Raises `NotSeparable` if no hyperplane separates the classes."""

    _method = staticmethod(max_margin)


@_with_parameters
class ZeroOne(UnweightedClassifier):
    """`linlearn.zero_one`: the fewest mistakes on the training set, as far as `max_work` allows a proof."""

    _method = staticmethod(partial(zero_one, progress=False))
    _remedy = "Raise `max_work`"

    max_work: float = WORK


# -- with the steps before it -------------------------------------------------------------------------


def verify(model: Any, X: ArrayLike, y: ArrayLike) -> Certificate | dict[Any, Certificate]:
    """Verify an estimator of this module on the samples given to its `fit`, also in a pipeline or a search.

    Parameters
    ----------
    model : a fitted estimator of this module, or such an estimator inside a meta-estimator
        Any meta-estimator that `linlearn.certify` accepts: Pipeline, GridSearchCV,
        CalibratedClassifierCV(ensemble=False) and others.
    X, y : samples and labels as they were passed to `fit`: a data frame, a list of texts, …

    Returns
    -------
    Certificate
        Recomputed from the samples; weights are part of it. For OneVsRestClassifier and OneVsOneClassifier
        with more than two classes, a dict with a certificate for each class, or pair of classes.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["no", "yes", "no", "yes"]
    >>> model = make_pipeline(StandardScaler(), LeastSquares()).fit(X, y)
    >>> verify(model, X, y)
    Certificate(1.6 ≤ least squares ≤ 1.6)
    """
    one = unwrapped(model, X, y, _is_verified, call="verify")
    if isinstance(one.model, LinearClassifier):
        return one.model.verify(one.X, one.y)
    found: dict[Any, Any] = {}
    for part in parts(one.model, one.name, one.X, one.y, None, None):
        try:
            found[part.key] = verify(part.model, part.X, part.y)
        except ValueError as error:
            raise ValueError(f"{one.name}, for {part.said}: {error}") from None
    return found


def _is_verified(model: Any) -> bool:
    """Whether it has a certificate, or consists of models for more than two classes that may have some."""
    name = sklearn_name(model)
    return isinstance(model, LinearClassifier) or (name in ROUTERS and is_several(model, name))


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted estimator, or a pipeline that ends in one, to `path`; nothing in the file is pickled.

    The file (NumPy's .npz) contains everything that `predict` and `verify` need: parameters, classes, names
    of features, hyperplanes, the certificate with its witnesses, and the steps before the estimator, as skops
    (https://skops.readthedocs.io) writes them. It does not contain the samples, the trace, or the `memory` of
    the pipeline.

    Parameters
    ----------
    model : a fitted estimator of this module, or a Pipeline that ends in one
        Its other steps may be any scikit-learn transformers: ColumnTransformer, TfidfVectorizer and so on.
    path : the file to write; pass it to `load`

    Raises
    ------
    ModuleNotFoundError
        If the pipeline has other steps and skops is not installed.
    ValueError
        If the model is of another kind, or if a step contains a function or class from outside scikit-learn.

    Examples
    --------
    >>> import tempfile, os
    >>> model = LDA().fit([[0.0], [1.0], [2.0], [3.0]], ["no", "yes", "no", "yes"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(model, os.path.join(folder, "m"))
    ...     os.listdir(folder)
    ['m']
    """
    pipeline = model if type(model) is Pipeline else None
    last = _ours(model if pipeline is None else model[-1], inside=pipeline is not None)
    check_is_fitted(last)
    head = {
        "format": FORMAT,
        "model": type(last).__name__,
        "parameters": {name: _plain(name, v) for name, v in last.get_params().items()},
        "objects": last.classes_.dtype == object,
    }
    arrays: dict[str, Any] = {"classes": _text(last.classes_)}
    if hasattr(last, "feature_names_in_"):
        arrays["features"] = _text(last.feature_names_in_)
    if pipeline is not None:
        arrays["steps"] = np.frombuffer(_pipeline_bytes(pipeline), np.uint8)
    arrays["model"] = json.dumps(head)
    if hasattr(last, "fit_"):
        last.fit_.save(path, beside=arrays)
        return
    claim, witnesses = claim_to_dict(last.certificate_)
    claim |= {"format": FORMAT, "k": last.n_iter_}
    write(path, arrays | witnesses | {"claim": json.dumps(claim)})


def load(path: str | os.PathLike[str]) -> Any:
    """Read a model written by `save`, ready to predict; `verify` it before you rely on it.

    Parameters
    ----------
    path : the path that was given to `save`

    Examples
    --------
    >>> import tempfile, os
    >>> model = LDA().fit([[0.0], [1.0], [2.0], [3.0]], ["no", "yes", "no", "yes"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(model, os.path.join(folder, "m"))
    ...     load(os.path.join(folder, "m")).predict([[9.0]]).tolist()
    ['yes']
    """
    with open_stored(path, "estimators.save", FORMAT) as stored:
        return _read(stored)


HEAD = ("model", "parameters", "objects")
# Nothing but these is built from a file, whatever it says.
KINDS: dict[str, type[LinearClassifier]] = {
    kind.__name__: kind
    for kind in (
        *(LDA, LMS, SVM, Fisher, HoKashyap, LeastSquares),
        *(LinearProgram, Logistic, MaxMargin, Perceptron, ZeroOne),
    )
}
NONE = type(None)
PARAMETERS: dict[str, tuple[type, ...]] = {  # what each may be, in any of them
    "C": (float,),
    "class_weight": (NONE, str, dict),
    "decay": (float,),
    "max_epochs": (NONE, int),
    "max_updates": (int,),
    "max_work": (float,),
    "order": (str,),
    "priors": (NONE, str, tuple, list),
    "rate": (NONE, float),
    "seed": (int,),
    "start": (NONE, Hyperplane),
    "stochastic": (bool,),
    "targets": (str, list, np.ndarray),
}


def _read(stored: Stored) -> Any:
    """The model among the members of an open file."""
    if "model" not in stored.members:
        raise ValueError("it holds no model. If `Fit.save` wrote it, use `Fit.load`")
    head = stored.head("model", FORMAT, HEAD)
    if not isinstance(head["model"], str) or head["model"] not in KINDS:
        raise ValueError(f"{head['model']!r} is not a classifier of `linlearn.estimators`")
    kind = KINDS[head["model"]]
    given = _with_keys(head["parameters"], kind().get_params())
    parameters = {name: _restored(value) for name, value in given.items()}
    for name, value in parameters.items():
        if not _may_be(name, value):
            raise ValueError(f"its parameter {name!r} must be {_kinds(name)}; got {value!r}")
    model = kind(**parameters)
    classes = stored.array("classes", "biufU", None)
    if (
        len(classes) < 2
        or not (classes[:-1] < classes[1:]).all()
        or not _are_truths(head["objects"])
    ):
        raise ValueError("'classes' must hold two labels or more in ascending order")
    model.classes_ = classes.astype(object) if head["objects"] else classes
    if len(classes) > 2:
        _read_several(model, stored)
    else:
        model._take(Fit.read(stored))
    model.n_features_in_ = d = model.coef_.shape[1]
    if stored.has("features"):
        model.feature_names_in_ = stored.array("features", "U", d).astype(object)
    if not stored.has("steps"):
        return model
    pipeline = _restored_pipeline(stored.array("steps", "u", None).tobytes())
    pipeline.steps[-1] = (pipeline.steps[-1][0], model)
    return pipeline


def _read_several(model: LinearClassifier, stored: Stored) -> None:
    """Give the model of more than two classes its parameters and its certificate."""
    if not isinstance(model, Logistic):
        raise ValueError(f"{type(model).__name__} has two classes, and 'classes' has more")
    head = stored.head("claim", FORMAT, (*CLAIM_KEYS, "k"))
    primal = stored.array("primal", "f", len(model.classes_), None)
    if primal.shape[1] < 2 or not np.isfinite(primal).all() or not is_count(head["k"]):
        raise ValueError("'primal' must hold finite numbers for each class, and 'k' a count")
    claim = claim_from_dict(head, stored, primal)
    dual = claim.dual
    fits = isinstance(dual, np.ndarray) and dual.shape[1] == len(primal)
    if claim.quantity != "softmax" or not fits:
        raise ValueError("its certificate is not that of a softmax objective of these classes")
    model._take_several(claim, head["k"])


# What scikit-learn's steps hold beside what skops trusts by itself; no other function or class is built.
TRUSTED = (
    "numpy.dtype",
    "sklearn.compose._column_transformer.make_column_selector",
    "sklearn.feature_selection._univariate_selection.chi2",
)


def _skops() -> Any:
    try:
        import skops.io
    except ImportError:
        raise ModuleNotFoundError(
            "saving or loading the steps of a pipeline needs skops, which is not installed. Install "
            "it with: pip install skops"
        ) from None
    return skops.io


def _pipeline_bytes(pipeline: Pipeline) -> bytes:
    """The pipeline with nothing in its estimator's place, as skops writes it."""
    skops, shell = _skops(), copy(pipeline)
    shell.steps, shell.memory = [*pipeline.steps[:-1], (pipeline.steps[-1][0], "passthrough")], None
    data, unknown = _dumped(skops, shell)
    if unknown:
        name, found = next(
            (name, found) for name, step in shell.steps if (found := _dumped(skops, step)[1])
        )
        raise ValueError(
            "`model` must not have steps with functions or classes that cannot be saved safely; got the "
            f"step {name!r}, which contains {', '.join(found)}. Apply this step before the pipeline, or "
            "replace it by another transformer of scikit-learn, and fit again."
        )
    return data


def _dumped(skops: Any, step: Any) -> tuple[bytes, list[str]]:
    """A step as skops writes it, and what in it cannot be loaded without trust in the file."""
    try:
        data: bytes = skops.dumps(step)
    except (AttributeError, TypeError) as error:  # a function that has no name to be found by
        return b"", [str(error)]
    return data, sorted(set(skops.get_untrusted_types(data=data)) - set(TRUSTED))


def _restored_pipeline(data: bytes) -> Pipeline:
    with ZipFile(io.BytesIO(data)) as file:
        if any(one.compress_type or one.filename.endswith(".npz") for one in file.infolist()):
            raise ValueError("its steps are compressed")  # and may be larger than the file
    found = _skops().loads(data, trusted=list(TRUSTED))
    if type(found) is not Pipeline or found.steps[-1][1] != "passthrough":
        raise ValueError("its steps do not form a pipeline")
    return found


def _with_keys(given: Any, keys: Iterable[str]) -> dict[str, Any]:
    if not isinstance(given, dict) or set(given) != set(keys):
        raise ValueError(f"it must give values for {', '.join(keys)}; got {given!r}")
    return given


def _are_truths(*values: Any) -> bool:
    return all(isinstance(value, bool) for value in values)


def _may_be(name: str, value: Any) -> bool:
    kinds = PARAMETERS[name]
    if isinstance(value, bool):
        return bool in kinds
    return isinstance(value, kinds) or (float in kinds and isinstance(value, int))


CALLED = {
    NONE: "None",
    bool: "True or False",
    dict: "a dict",
    float: "a number",
    Hyperplane: "a Hyperplane",
    int: "an integer",
    list: "a list",
    np.ndarray: "an array",
    str: "a string",
    tuple: "a tuple",
}


def _kinds(name: str) -> str:
    """What a parameter may be, in words.

    >>> _kinds("C"), _kinds("class_weight")
    ('a number', 'None, a string or a dict')
    """
    *first, last = (CALLED[kind] for kind in PARAMETERS[name])
    return f"{', '.join(first)} or {last}" if first else last


def _ours(model: Any, *, inside: bool) -> LinearClassifier:
    if isinstance(model, LinearClassifier):
        return model
    name = f"{'a Pipeline that ends in ' if inside else ''}{type(model).__name__}"
    remedy = "To save a scikit-learn model, call `skops.io.dump(model, path)`"
    if hasattr(model, "best_estimator_"):
        remedy = "Save the model that was chosen: `save(model.best_estimator_, path)`"
    raise ValueError(
        "`model` must be an estimator of `linlearn.estimators`, or a Pipeline that ends in one; got "
        f"{name}. {remedy}."
    )


def _plain(name: str, value: Any) -> Any:
    """A parameter as JSON has it; what JSON has not is marked by its kind."""
    value = _item(value)
    value = dict(value) if isinstance(value, Mapping) else value
    if callable(value):
        raise ValueError(
            f"`{name}` must not be a function if the model is to be saved; got {value!r}. Fit with "
            "a value that is not a function."
        )
    if not _may_be(name, value):
        raise ValueError(
            f"`{name}` must be {_kinds(name)} for the model to be saved; got {value!r}. Call "
            f"`set_params({name}=…)` with such a value, and fit again."
        )
    if isinstance(value, Hyperplane):
        return {"plane": value.a.tolist()}
    if isinstance(value, dict):
        return {"pairs": [[_item(key), _item(one)] for key, one in value.items()]}
    if isinstance(value, np.ndarray | tuple):
        return {"array" if isinstance(value, np.ndarray) else "tuple": np.asarray(value).tolist()}
    return value


def _item(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _restored(value: Any) -> Any:
    """What `_plain` has written."""
    if isinstance(value, list) and not is_numbers(value):
        raise ValueError(f"it must hold numbers; got {value!r}")
    if not isinstance(value, dict):
        return value
    ((mark, given),) = value.items()
    if mark == "pairs":
        if not all(isinstance(k, str | int | float) and is_number(v) for k, v in given):
            raise ValueError(
                f"its class weights must be pairs of a label and a number; got {given!r}"
            )
        return dict(given)
    if not is_numbers(given):
        raise ValueError(f"it must hold numbers; got {given!r}")
    made: Any = {"plane": Hyperplane.from_homogeneous, "tuple": tuple, "array": np.array}[mark]
    return made(given)


def _text(values: NDArray[Any]) -> NDArray[Any]:
    """Labels or names as an array without Python's objects."""
    if values.dtype == object:
        if not all(isinstance(v, str) for v in values.tolist()):
            raise ValueError(
                f"only labels that are numbers or strings can be saved; got {values.tolist()[:3]}. Map "
                "them to strings and fit again."
            )
        return values.astype(str)
    return values
