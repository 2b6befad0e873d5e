"""Columns that depend on each other are ordinary data: every method answers, and every certificate closes."""

import numpy as np
import pytest

import linlearn as ll
from linlearn.exact import independent_columns


def family(name, seed, n=60):
    """Two real columns, labels of a noisy plane, and columns that others make up, rounded or not."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, 2))
    y = np.where(x.sum(axis=1) + rng.standard_normal(n) > 0, 1.0, -1.0)
    celsius = np.round(20 + 5 * rng.standard_normal(n), 1)
    more = {
        "one-hot": [*((rng.integers(0, 3, n)[:, None] == np.arange(3)) * 1.0).T],
        "twice": [2 * x[:, 0]],
        "constant": [np.full(n, 3.1)],
        "sum": [x[:, 0] + x[:, 1]],
        "degrees": [celsius, 1.8 * celsius + 32],
        "standardised": [(x[:, 0] - x[:, 0].mean()) / x[:, 0].std()],
        "cents": [np.round(x[:, 0], 2)],
    }[name]
    return np.column_stack([x, *more]), y


FAMILIES = ("one-hot", "twice", "constant", "sum", "degrees", "standardised", "cents")
METHODS = {
    "least_squares": ll.least_squares,
    "linear_program": ll.linear_program,
    "linear_program, balanced": lambda X, y: ll.linear_program(X, y, balanced=True),
    "logistic": ll.logistic,
    "logistic, penalty": lambda X, y: ll.logistic(X, y, lam=0.1),
    "svm": lambda X, y: ll.svm(X, y, C=len(y)),
    "fisher": ll.fisher,
    "lda": ll.lda,
    "zero_one": lambda X, y: ll.zero_one(X, y, max_work=3e8),
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("method", METHODS)
def test_the_plane_is_of_use(method, name, seed):
    """At most as many mistakes as least squares makes on the two columns alone, and a few; verified."""
    X, y = family(name, seed)
    try:
        fit = METHODS[method](X, y)
    except ValueError as error:
        assert method in ("fisher", "lda") and "Drop" in str(error), error
        return
    plain = ll.least_squares(X[:, :2], y).plane
    allowed = (ll.margins(plain, X[:, :2], y) <= 0).sum() + 6
    assert (ll.margins(fit.plane, X, y) <= 0).sum() <= allowed
    assert fit.certificate.lower <= fit.certificate.upper
    assert fit.certificate.upper < np.inf
    fit.verify(X, y)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", FAMILIES)
def test_they_are_inseparable_and_that_is_proved(name, seed):
    X, y = family(name, seed)
    assert ll.separate(X, y).certificate.separable is False
    with pytest.raises(ll.NotSeparable):
        ll.max_margin(X, y)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("method", sorted(set(METHODS) - {"zero_one"}))
def test_the_certificate_closes(method, name, seed):
    X, y = family(name, seed)
    if method in ("fisher", "lda"):
        X = X[:, independent_columns(X)]
    try:
        assert METHODS[method](X, y).certificate.relative_gap <= 1e-8
    except ValueError as error:
        assert method in ("fisher", "lda") and "Drop" in str(error)
