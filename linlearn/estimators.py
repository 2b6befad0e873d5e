"""The methods as scikit-learn classifiers: any two labels, pipelines, grid search."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linlearn.checks import Array, check_size
from linlearn.fit import Fit
from linlearn.methods.fisher import fisher, lda
from linlearn.methods.ho_kashyap import ho_kashyap
from linlearn.methods.least_squares import least_squares
from linlearn.methods.linear_program import linear_program
from linlearn.methods.lms import lms
from linlearn.methods.logistic import logistic
from linlearn.methods.perceptron import perceptron
from linlearn.methods.svm import max_margin, svm
from linlearn.methods.zero_one import WORK, zero_one

try:
    from scipy.special import expit, log_expit
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils.multiclass import type_of_target
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError:
    raise ModuleNotFoundError(
        "`linlearn.estimators` needs scikit-learn, which is not installed. "
        'Install it with: pip install "linlearn[sklearn]"'
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
]


class LinearClassifier(ClassifierMixin, BaseEstimator):
    """What the estimators share: a plane is fitted to two classes; parameters are the function's keywords.

    Attributes
    ----------
    classes_ : the two labels, sorted; the second one plays +1
    fit_ : Fit, with plane, trace and certificate
    coef_, intercept_ : the plane's w, shape (1, d), and b, shape (1,)
    n_iter_ : int, updates made
    n_features_in_, feature_names_in_ : of the samples, as scikit-learn has them
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> "LinearClassifier":
        """Fit the plane to samples, shape (n, d), and two kinds of labels, shape (n,)."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        kind = type_of_target(y, input_name="y", raise_unknown=True)
        if kind != "binary":
            raise ValueError(
                f"Only binary classification is supported. The type of the target is {kind}."
            )
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise ValueError(f"`y` must hold two classes; got 1 class, {self.classes_.tolist()}.")
        self.fit_ = self._learn(X, np.where(y == self.classes_[1], 1.0, -1.0))
        self.coef_, self.intercept_ = self.fit_.plane.w[None], np.array([self.fit_.plane.b])
        self.n_iter_ = self.fit_.trace[-1].k
        return self

    def _learn(self, X: Array, y: Array) -> Fit:
        raise NotImplementedError

    def decision_function(self, X: ArrayLike) -> Array:
        """f(x) = ⟨w, x⟩ + b for each row, shape (n,)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return X @ self.coef_[0] + self.intercept_[0]

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The second class where f(x) > 0, else the first, shape (n,)."""
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(int)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


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


class Perceptron(LinearClassifier):
    """`linlearn.perceptron`. On inseparable samples the budget ends it, with the plane it then has."""

    def __init__(
        self, *, max_updates=100_000, max_epochs=None, order="cyclic", rate=1.0, seed=0
    ) -> None:
        self.max_updates, self.max_epochs = max_updates, max_epochs
        self.order, self.rate, self.seed = order, rate, seed

    def _learn(self, X: Array, y: Array) -> Fit:
        return perceptron(X, y, **self.get_params())


class LMS(LinearClassifier):
    """`linlearn.lms`: Widrow and Hoff's steps towards the least squares plane."""

    def __init__(
        self,
        *,
        targets="labels",
        batch=False,
        rate=None,
        decay=0.0,
        epochs=100,
        order="cyclic",
        seed=0,
    ) -> None:
        self.targets, self.batch, self.rate, self.decay = targets, batch, rate, decay
        self.epochs, self.order, self.seed = epochs, order, seed

    def _learn(self, X: Array, y: Array) -> Fit:
        return lms(X, y, **self.get_params())


class HoKashyap(LinearClassifier):
    """`linlearn.ho_kashyap`: least squares with targets that rise until all margins are positive."""

    def __init__(self, *, rate=0.5, max_updates=10_000) -> None:
        self.rate, self.max_updates = rate, max_updates

    def _learn(self, X: Array, y: Array) -> Fit:
        return ho_kashyap(X, y, **self.get_params())


class Fisher(LinearClassifier):
    """`linlearn.fisher`, with the threshold half-way between the projected class means."""

    def _learn(self, X: Array, y: Array) -> Fit:
        return fisher(X, y)


class LDA(_WithProbability):
    """`linlearn.lda`: Fisher's direction, with the probabilities of two Gaussian classes.

    `priors` is None, "empirical", "equal" or a pair (of the second class, of the first).
    """

    def __init__(self, *, priors=None) -> None:
        self.priors = priors

    def _learn(self, X: Array, y: Array) -> Fit:
        return lda(X, y, priors=self.priors)


class LeastSquares(LinearClassifier):
    """`linlearn.least_squares` with `targets` "labels" or "balanced"."""

    def __init__(self, *, targets="labels") -> None:
        self.targets = targets

    def _learn(self, X: Array, y: Array) -> Fit:
        return least_squares(X, y, targets=self.targets)


class Logistic(_WithProbability):
    """`linlearn.logistic` with scikit-learn's C: λ = 1/(C·n); C = inf leaves the penalty out.

    If then no minimiser exists, the probabilities are the limits 0 and 1, and 1/2 on the plane.

    >>> model = Logistic().fit([[0.0], [1.0], [2.0], [3.0]], ["no", "yes", "no", "yes"])
    >>> model.predict([[-1.0], [9.0]]), model.predict_proba([[9.0]]).round(2)
    (array(['no', 'yes'], dtype='<U3'), array([[0.03, 0.97]]))
    """

    def __init__(self, *, C=1.0, max_steps=1000) -> None:
        self.C, self.max_steps = C, max_steps

    def _learn(self, X: Array, y: Array) -> Fit:
        lam = 0.0 if self.C == np.inf else 1 / _priced(self.C, len(y))
        return logistic(X, y, lam=lam, max_steps=self.max_steps)

    def _log_odds(self, X: ArrayLike) -> Array:
        f = self.decision_function(X)
        attained = self.fit_.certificate.attained
        return f if attained else np.where(f == 0, 0.0, np.copysign(np.inf, f))


class LinearProgram(LinearClassifier):
    """`linlearn.linear_program`: the least mean shortfall from margin 1."""

    def __init__(self, *, balanced=False) -> None:
        self.balanced = balanced

    def _learn(self, X: Array, y: Array) -> Fit:
        return linear_program(X, y, balanced=self.balanced)


class SVM(LinearClassifier):
    """`linlearn.svm` with scikit-learn's C, the price of one sample's shortfall: C·n in the notes' scaling.

    The offset is not penalised: compare with `sklearn.svm.SVC(kernel="linear")`, not with `LinearSVC`.
    """

    def __init__(self, *, C=1.0) -> None:
        self.C = C

    def _learn(self, X: Array, y: Array) -> Fit:
        return svm(X, y, C=_priced(self.C, len(y)))


class MaxMargin(LinearClassifier):
    """`linlearn.max_margin`. Raises `NotSeparable` where no plane separates the classes."""

    def _learn(self, X: Array, y: Array) -> Fit:
        return max_margin(X, y)


class ZeroOne(LinearClassifier):
    """`linlearn.zero_one`: the fewest mistakes in training, proved as far as `max_work` goes."""

    def __init__(self, *, max_work=WORK, max_nodes=None) -> None:
        self.max_work, self.max_nodes = max_work, max_nodes

    def _learn(self, X: Array, y: Array) -> Fit:
        return zero_one(X, y, **self.get_params())


def _priced(C: float, n: int) -> float:
    """C·n, the same price in the notes' scaling."""
    return check_size(check_size(C, "C") * n, "C")
