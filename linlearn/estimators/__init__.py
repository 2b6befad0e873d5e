"""scikit-learn estimators for most methods: any labels, sparse X; `verify` in pipelines, `save`, `load`."""

try:
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError:
    raise ModuleNotFoundError(
        "`linlearn.estimators` needs scikit-learn, which is not installed. "
        "Install it with: pip install scikit-learn"
    ) from None

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linlearn.certificates import Certificate
from linlearn.certificates.certificate import remember
from linlearn.certificates.regularised_risk import averaged, regularised_risk
from linlearn.certificates.sample_weights import check_sample_weight
from linlearn.certificates.softmax import enclose_softmax, softmax_risk
from linlearn.certified.multiclass import ROUTERS, is_several, parts
from linlearn.certified.unwrap import sklearn_name, unwrapped
from linlearn.estimators.base import (
    ClassWeight,
    LinearClassifier,
    UnweightedClassifier,
    WeightedClassifier,
    WithProbability,
    with_parameters,
)
from linlearn.estimators.base import PerfectSeparationWarning as PerfectSeparationWarning
from linlearn.estimators.saving import load, save
from linlearn.fit import CERTAIN, Fit, check_rows, claim_holds, not_proved
from linlearn.methods.fisher import fisher, lda
from linlearn.methods.ho_kashyap import ho_kashyap
from linlearn.methods.least_squares import least_squares
from linlearn.methods.linear_program import linear_program
from linlearn.methods.lms import lms
from linlearn.methods.logistic import logistic
from linlearn.methods.perceptron import perceptron
from linlearn.methods.svm import max_margin, svm
from linlearn.methods.zero_one import WORK, zero_one
from linlearn.plane import Hyperplane
from linlearn.solvers.perceptron import Pick
from linlearn.solvers.regularised_risk import minimised as minimised_by_products
from linlearn.solvers.softmax import minimised
from linlearn.trace import Trace
from linlearn.validation import LARGEST, Array, check_size

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

MORE = "Raise `{}`, standardise the features, or use another method"
UNTIL = (
    "Raise `max_updates` or standardise the features. If the classes are inseparable, no number of updates "
    "makes all margins positive; then use `SVM`, which allows slack"
)


def _by_products(
    X: Any, y: Array, loss: str, C: float, weights: Array | None, *, mean: bool
) -> Fit:
    """The fit to sparse samples, by products with X alone; `mean` as in `enclose_regularised_risk`."""
    C = check_size(C, "C", beside=" if `X` is sparse")
    F = regularised_risk(X, y, loss=loss, C=C, sample_weight=weights, penalty=0.0)
    best = minimised_by_products(F, np.zeros(X.shape[1] + 1)).certificate
    if mean:
        best = averaged(F, best)
    remember(best, X, y)
    plane = Hyperplane.from_homogeneous(best.primal)
    return Fit(plane, Trace.closed_form(plane), best)


@with_parameters
class Perceptron(UnweightedClassifier):
    """`linlearn.perceptron`. On inseparable samples it stops after `max_updates` or `max_epochs`."""

    _method = staticmethod(partial(perceptron, progress=False))

    _remedy = UNTIL

    max_updates: int = 100_000
    max_epochs: int | None = None
    order: str | Pick = "cyclic"
    rate: float = 1.0
    start: Hyperplane | None = None
    seed: int = 0


@with_parameters
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


@with_parameters
class HoKashyap(UnweightedClassifier):
    """`linlearn.ho_kashyap`: least squares with targets that increase until all margins are positive."""

    _method = staticmethod(partial(ho_kashyap, progress=False))
    _remedy = UNTIL

    rate: float = 0.5
    max_updates: int = 10_000


@with_parameters
class Fisher(UnweightedClassifier):
    """`linlearn.fisher`, with the threshold half-way between the projected class means."""

    _method = staticmethod(fisher)


@with_parameters
class LDA(WithProbability, UnweightedClassifier):
    """`linlearn.lda`: Fisher's direction, with the probabilities of two Gaussian classes.

    `priors` is None, "empirical", "equal" or a pair (π₊, π₋): of `classes_[1]` and `classes_[0]`, in this
    order.
    """

    _method = staticmethod(lda)

    priors: str | tuple[float, float] | None = None


@with_parameters
class LeastSquares(UnweightedClassifier):
    """`linlearn.least_squares` with `targets` "labels" or "fisher"."""

    _method = staticmethod(least_squares)

    targets: str | ArrayLike = "labels"


@with_parameters
class Logistic(WithProbability, WeightedClassifier):
    """`linlearn.logistic` with scikit-learn's C: λ = 1/(nC), where n is the sum of the weights.

    C = inf means no penalty. X may be sparse if C is finite: the fit then uses X only in matrix products,
    and the proof of its bounds needs a penalty. (`linlearn.logistic` also accepts a sparse X with λ = 0,
    since it forms matrices with d² entries.) For two classes the certificate encloses the minimum of
    mean loss plus penalty.

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
    _takes_sparse = "csr"
    _remedy = MORE.format("max_updates")

    def _learn(self, X: Any, y: Array, weights: Array | None = None) -> Fit:
        if hasattr(X, "tocsr"):
            return _by_products(X, y, "logistic", self.C, weights, mean=True)
        n = len(y) if weights is None else float(weights.sum())
        lam = 0.0
        if self.C != np.inf:
            C = check_size(self.C, "C", beside=", or `np.inf` for no penalty")
            if C * n > LARGEST:
                raise ValueError(
                    f"`C` must be at most {LARGEST / n:.6g}, which is {LARGEST:g} divided by the total "
                    f"weight of the samples, {n:g}; got {C!r}. Pass a smaller value, or `C=np.inf` for no "
                    "penalty."
                )
            lam = 1 / (C * n)
        return logistic(
            X,
            y,
            lam=lam,
            sample_weight=weights,
            start=self.start,
            max_updates=self.max_updates,
        )

    def _fit_several(self, X: Array, y: NDArray[Any], sample_weight: ArrayLike | None) -> None:
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
        C = check_size(self.C, "C", beside=" for more than two classes")
        if self.start is not None:
            raise ValueError(
                "Logistic: `start` must be None for more than two classes; got "
                f"{self.start!r}. Leave it out."
            )
        weights = weights * self._class_weights(codes, weights)
        F = softmax_risk(X, codes, C=C, sample_weight=weights, fit_intercept=True)
        zero = np.zeros((F.K, X.shape[1] + 1))
        claim, steps = minimised(F, zero, steps=self.max_updates)
        remember(claim, X, codes)
        self._take_several(claim, steps)

    def _take_several(self, claim: Certificate, steps: int) -> None:
        self.certificate_, self.n_iter_ = claim, steps
        self.coef_, self.intercept_ = claim.primal[:, :-1], claim.primal[:, -1]

    def _verified(self, X: ArrayLike, y: NDArray[Any]) -> Certificate:
        if len(self.classes_) == 2:
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
        if not self._is_limit:
            return super().decision_function(X)
        return self.fit_.decision_function(validate_data(self, X, dtype=np.float64, reset=False))

    def _log_odds(self, X: ArrayLike) -> Array:
        scores = self.decision_function(X)
        certain = (np.abs(scores) >= CERTAIN) & self._is_limit
        return np.where(certain, np.copysign(np.inf, scores), scores)

    @property
    def _is_limit(self) -> bool:
        """Whether two classes are separated, so that there is no minimiser."""
        return hasattr(self, "fit_") and self.fit_.limit is not None


@with_parameters
class LinearProgram(WeightedClassifier):
    """`linlearn.linear_program`: minimises the weighted mean of the slacks, without a penalty."""

    class_weight: ClassWeight = None

    def _learn(self, X: Array, y: Array, weights: Array | None = None) -> Fit:
        return linear_program(X, y, sample_weight=weights)


@with_parameters
class SVM(WeightedClassifier):
    """`linlearn.svm`: the soft margin with penalty parameter C and sample weights; X may be sparse.

    The intercept is not penalised: compare with `sklearn.svm.SVC(kernel="linear")`, not with `LinearSVC`.
    """

    C: float = 1.0
    class_weight: ClassWeight = None
    _takes_sparse = "csr"

    def _learn(self, X: Any, y: Array, weights: Array | None = None) -> Fit:
        if hasattr(X, "tocsr"):
            return _by_products(X, y, "hinge", self.C, weights, mean=False)
        return svm(X, y, C=self.C, sample_weight=weights)


@with_parameters
class MaxMargin(UnweightedClassifier):
    """`linlearn.max_margin`. Raises `NotSeparable` or `Undecided`, as it does."""

    _method = staticmethod(max_margin)


@with_parameters
class ZeroOne(UnweightedClassifier):
    """`linlearn.zero_one`: minimises the number of training mistakes; `max_work` limits the search."""

    _method = staticmethod(partial(zero_one, progress=False))
    _remedy = "Raise `max_work`"

    max_work: float = WORK


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
    for part in parts(one):
        try:
            found[part.key] = verify(part.model, part.X, part.y)
        except ValueError as error:
            raise ValueError(f"{one.name}, for {part.said}: {error}") from None
    return found


def _is_verified(model: Any) -> bool:
    """Whether it has a certificate, or consists of models for more than two classes that may have some."""
    name = sklearn_name(model)
    return isinstance(model, LinearClassifier) or (name in ROUTERS and is_several(model, name))
