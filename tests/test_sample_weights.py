"""Sample weights mean what they mean in scikit-learn: for every method that takes them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

import linlearn as ll
from linlearn import estimators

METHODS = {
    "linear_program": ll.linear_program,
    "logistic": ll.logistic,
    "logistic, penalised": lambda X, y, **o: ll.logistic(X, y, lam=0.1, **o),
    "svm": lambda X, y, **o: ll.svm(X, y, C=0.3, **o),
}
SOME = st.integers(0, 10**6)


def drawn(seed, n=30):
    X, y = ll.data.gaussians(n, 2, delta=1.0, seed=seed)
    copies = np.random.default_rng(seed).integers(0, 4, n)
    copies[[y.argmin(), y.argmax()]] = 2
    return X, y, copies


@pytest.mark.parametrize("name", METHODS)
@given(seed=SOME)
def test_an_integer_weight_repeats_its_sample(name, seed):
    """The value, and each enclosure contains what the other one does."""
    X, y, copies = drawn(seed)
    found = METHODS[name](X, y, sample_weight=copies).certificate
    other = METHODS[name](np.repeat(X, copies, axis=0), np.repeat(y, copies)).certificate
    assert max(found.lower, other.lower) <= min(found.upper, other.upper)
    assert found.upper == pytest.approx(other.upper, rel=1e-8, abs=1e-12)


@pytest.mark.parametrize("name", METHODS)
@given(seed=SOME)
def test_equal_weights_change_nothing(name, seed):
    X, y, _ = drawn(seed)
    none, ones = METHODS[name](X, y), METHODS[name](X, y, sample_weight=np.ones(len(y)))
    assert np.array_equal(none.plane.a, ones.plane.a)
    ends = [(one.certificate.lower, one.certificate.upper) for one in (none, ones)]
    assert ends[0] == ends[1]


@pytest.mark.parametrize("name", [name for name in METHODS if name != "svm"])
@given(seed=SOME, factor=st.sampled_from([1e-90, 0.1, 3.0, 1e90]))
def test_a_common_factor_changes_no_mean(name, seed, factor):
    X, y, copies = drawn(seed)
    once, again = (METHODS[name](X, y, sample_weight=k * copies).certificate for k in (1.0, factor))
    assert max(once.lower, again.lower) <= min(once.upper, again.upper)
    assert once.upper == pytest.approx(again.upper, rel=1e-8, abs=1e-12)


@pytest.mark.parametrize("class_weight", ["balanced", {1: 0.5, -1: 1.5}])
def test_class_weights_are_those_of_scikit_learn(class_weight):
    X, y, _ = drawn(1, n=60)
    X, y = X[8:], y[8:]  # unequal classes, and w ≠ 0
    theirs = LogisticRegression(
        C=0.7, class_weight=class_weight, solver="newton-cholesky", tol=1e-10
    )
    ours = estimators.Logistic(C=0.7, class_weight=class_weight)
    assert ours.fit(X, y).coef_ == pytest.approx(theirs.fit(X, y).coef_, rel=1e-5)
    assert ll.certify(theirs, X, y).excess[1] <= 1e-9
    theirs = SVC(kernel="linear", C=0.7, class_weight=class_weight, tol=1e-9)
    ours = estimators.SVM(C=0.7, class_weight=class_weight)
    assert ours.fit(X, y).coef_ == pytest.approx(theirs.fit(X, y).coef_, rel=1e-5)
    assert ll.certify(theirs, X, y).excess[1] <= 1e-6
