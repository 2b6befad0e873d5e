"""Base classes of the estimators: check labels and weights, fit, warn, score, predict, verify."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self, dataclass_transform

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from linlearn._scipy import special
from linlearn.certificates import Certificate
from linlearn.certificates.regularised_risk import sparse_points
from linlearn.certificates.sample_weights import check_sample_weight
from linlearn.fit import CONVERGED, Fit
from linlearn.validation import (
    Array,
    Ints,
    check_gaps,
    check_number,
    check_points,
    described,
    name_columns,
)

ClassWeight = str | Mapping[Any, float] | None

KINDS: dict[str, "type[LinearClassifier]"] = {}  # the estimators by name: `load` builds no others


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
            found = ", ".join(sorted({type(label).__name__ for label in y.tolist()}))
            raise ValueError(
                f"`y` must have a dtype of numbers or strings; got dtype {y.dtype} with entries of type "
                f"{found} (Unknown label type). Convert it: `y = np.array(y.tolist())`."
            )
        if kind == "multiclass" and self._fit_several is not None:
            self.classes_ = np.unique(y)
            self._fit_several(points(X), y, sample_weight)
            if self.certificate_.relative_gap > CONVERGED:
                self._warn_of_gap()
            return self
        if kind != "binary":
            wrapped = f"OneVsRestClassifier({type(self).__name__}())"
            remedy = f" Fit `{wrapped}` from `sklearn.multiclass`." if kind == "multiclass" else ""
            raise ValueError(
                f"Only binary classification is supported. The type of the target is {kind}.{remedy}"
            )
        self.classes_, several = np.unique(y), self._fit_several is not None
        if len(self.classes_) < 2:
            raise ValueError(
                f"`y` must contain {'at least ' * several}two classes; got 1 class, "
                f"{self.classes_.tolist()}. Add samples of another class."
            )
        try:
            signs = np.where(y == self.classes_[1], 1.0, -1.0)
            fit = self._learn(points(X), signs, **self._weighted(signs, sample_weight))
        except ValueError as error:  # cross-validation shows the message alone
            error.args = (f"{type(self).__name__}: {error}", *error.args[1:])
            raise
        self._take(fit)
        self._warn_of_separation(fit)
        if not fit.converged:
            self._warn_of_gap(fit.diagnosis[:1].upper() + fit.diagnosis[1:])
        return self

    def _warn_of_gap(self, cause: str = "") -> None:
        name = type(self).__name__
        warnings.warn(
            f"{name} stopped before the two bounds of its certificate met: {self.certificate_!r}. "
            f"{cause or self._remedy}.",
            ConvergenceWarning,
            stacklevel=4,
        )

    def _warn_of_separation(self, fit: Fit) -> None:
        """Warn if labels are predicted so well that the optimum is a limit: an infinite one, for Fisher."""
        claim = fit.certificate
        leaked = claim.quantity == "fisher" and claim.lower == np.inf
        if not leaked and claim.attained is not False:
            return
        used = np.flatnonzero(fit.plane.w).tolist()
        names = getattr(self, "feature_names_in_", np.arange(fit.plane.w.size))
        named = name_columns(names[used].tolist())
        subject = f"A combination of {named}" if len(used) > 1 else named[:1].upper() + named[1:]
        if leaked:
            what = "is constant within each class and differs between the classes: Fisher's ratio is infinite"
            these = "these columns" if len(used) > 1 else "this column"
            remedy = f"If the label has leaked, drop {these} and fit again"
        else:
            whose, kind = ("some", "quasi-complete") if claim.upper else ("all", "complete")
            what = (
                f"predicts the labels of {whose} samples perfectly ({kind} separation): the likelihood has "
                "no maximum, and `predict_proba` gives the limiting probabilities"
            )
            dropped = "one of these columns" if len(used) > 1 else "the column"
            remedy = f"Use a finite C (λ > 0), or drop {dropped}"
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
    # "csr" where SciPy's sparse arrays are taken, without writing their zeros out
    _takes_sparse: bool | str = False

    _fit_several: Callable[..., None] | None = None  # of more than two classes, by one objective
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
        if len(self.coef_) == 1:
            return np.asarray(points(X) @ self.coef_[0] + self.intercept_[0])
        return np.asarray(points(X) @ self.coef_.T + self.intercept_)

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
        """The second class where f(x) > 0, else the first, shape (n,); of several that with the largest f."""
        f = self.decision_function(X)
        codes = (f > 0).astype(int) if f.ndim == 1 else f.argmax(axis=1)
        return np.asarray(self.classes_[codes])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self._fit_several is not None
        tags.input_tags.sparse = bool(self._takes_sparse)
        return tags


def _validated(model: LinearClassifier, X: Any, y: Any, *, reset: bool) -> tuple[Any, NDArray[Any]]:
    """The samples as they came, and the labels as an array, once scikit-learn has looked at both.

    It makes floats of what it is given, rounds, and forgets masks: `check_points` asks what came.
    """
    check_gaps(y, X)
    try:
        seen, labels = validate_data(
            model, X, y, dtype="numeric", reset=reset, accept_sparse=model._takes_sparse
        )
    except ValueError:
        _check_columns(X)
        raise
    return seen if hasattr(seen, "tocsr") else X, labels


def points(X: Any) -> Any:
    return sparse_points(X) if hasattr(X, "tocsr") else check_points(X)


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
        where, among = name_columns(list(text)), f" in {name!r}" if len(text) > 1 else ""
        raise ValueError(
            f"`X` must hold numbers; got text in {where}, such as {entry!r}{among}. Encode "
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
    """Base class of the estimators whose objective has no weights of samples or classes."""

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit the hyperplane to samples, shape (n, d), and labels of two classes, shape (n,).

        Issues a `ConvergenceWarning` if the fit has not converged (see `Fit.converged`), for instance because
        it reached its maximum number of updates. It has converged if the relative gap of the certificate is
        at most 1e-6; for `ZeroOne`, if there is no gap; for `Perceptron` and `HoKashyap`, if the certificate
        settles whether the samples are separable.
        """
        return self._fit(X, y, None)


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
                f'`class_weight` must be None, "balanced" or a dict from labels to weights; got '
                f"{described(given)}."
            )
        totals = np.bincount(codes, weights)
        return np.asarray(weights.sum() / (len(totals) * totals))[codes]


class WithProbability(LinearClassifier):
    """A linear classifier whose scores are log-odds; those of more than two classes, up to a constant."""

    def predict_proba(self, X: ArrayLike) -> Array:
        """P(class | x), shape (n, K)."""
        f = self._log_odds(X)
        if f.ndim == 2:
            return np.asarray(special.softmax(f, axis=1))
        return np.column_stack([special.expit(-f), special.expit(f)])

    def predict_log_proba(self, X: ArrayLike) -> Array:
        """ln P(class | x), shape (n, K), without underflow."""
        f = self._log_odds(X)
        if f.ndim == 2:
            return np.asarray(special.log_softmax(f, axis=1))
        return np.column_stack([special.log_expit(-f), special.log_expit(f)])

    def _log_odds(self, X: ArrayLike) -> Array:
        return self.decision_function(X)


@dataclass_transform(kw_only_default=True, eq_default=False)
def with_parameters(cls: type[Any]) -> Any:
    """The class, listed in `KINDS`, with a constructor that keeps its annotated names, which are keywords."""
    KINDS[cls.__name__] = made = dataclass(kw_only=True, eq=False, repr=False)(cls)
    return made
