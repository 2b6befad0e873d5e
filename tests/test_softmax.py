"""Bounds of the multinomial logistic objective against sixty digits; certificates of scikit-learn's models."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression

from linlearn.certificates import softmax
from linlearn.certificates.softmax import enclose_softmax, softmax_risk
from linlearn.solvers.softmax import minimised


def decimals(values):
    return [Decimal(float(v)) for v in values]


def value(X, y, k, v):
    """F(W, b) from its definition."""
    rows = [decimals(row) for row in v]
    total = sum(w * w for row in rows for w in row[:-1]) / 2
    for x, label, weight in zip(X, y, k, strict=True):
        z = [
            sum((u * w for u, w in zip(decimals(x), row[:-1], strict=True)), row[-1])
            for row in rows
        ]
        top = max(z)
        lse = top + sum((one - top).exp() for one in z).ln()
        total += Decimal(float(weight)) * (lse - z[label])
    return total


def dual_value(X, y, k, A, fit_intercept):
    """The dual function from its definition; A must be feasible, in fractions."""
    exact = [[Fraction(float(a)) for a in row] for row in A]
    assert all(sum(row) == 0 for row in exact)
    assert not fit_intercept or all(sum(column) == 0 for column in zip(*exact, strict=True))
    total = Decimal(0)
    for row, label, weight in zip(exact, y, k, strict=True):
        if weight == 0:
            assert not any(row)
            continue
        p = [(c == label) - a / Fraction(float(weight)) for c, a in enumerate(row)]
        assert min(p) >= 0 and sum(p) == 1
        p = [Decimal(one.numerator) / Decimal(one.denominator) for one in p]
        total -= Decimal(float(weight)) * sum(one * one.ln() for one in p if one)
    for column in A.T:
        for feature in X.T:
            pull = sum(
                (a * x for a, x in zip(decimals(column), decimals(feature), strict=True)), Decimal(0)
            )
            total -= pull * pull / 2
    return total


def drawn(seed):
    """A small problem of any scale; its parameters need not be good, nor its multipliers feasible."""
    rng = np.random.default_rng(seed)
    K, d = int(rng.integers(2, 6)), int(rng.integers(1, 9))
    n = int(rng.integers(K, K + 8))
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.6) * 10.0 ** rng.integers(-4, 5)
    X = X * 10.0 ** rng.integers(-2, 3, d)
    y = rng.permutation(np.append(np.arange(K), rng.integers(0, K, n - K)))
    k = np.full(n, 10.0 ** rng.uniform(-4, 4)) if seed % 3 else 10.0 ** rng.uniform(-3, 3, n)
    if seed % 7 == 0:
        k[0] = 0.0
    v = rng.normal(size=(K, d + 1)) * 10.0 ** rng.integers(-5, 2)
    fit_intercept = bool(seed % 4)
    if not fit_intercept:
        v[:, -1] = 0.0
    dual = None
    if seed % 5 == 0:  # any numbers, also so few that the columns cannot be balanced by lessening alone
        dual = -rng.random((n, K)) * k[:, None] * (rng.random((n, K)) < rng.random())
    return X, y, k, v, dual, fit_intercept


def check_both_ends(seed, dense):
    X, y, k, v, dual, fit_intercept = drawn(seed)
    given_X = X if dense else sparse.csr_array(X)
    found = enclose_softmax(
        given_X, y, primal=v, dual=dual, sample_weight=k, fit_intercept=fit_intercept
    )
    with localcontext(prec=60):
        true = value(X, y, k, v)
        proved = max(dual_value(X, y, k, found.dual, fit_intercept), Decimal(0))
        assert true <= Decimal(found.upper)
        assert Decimal(found.lower) <= proved
        scores = np.abs(X) @ np.abs(v[:, :-1]).T + np.abs(v[:, -1])
        size = max(true, Decimal(found.scale), Decimal(float(k.sum() * scores.max())))
        assert Decimal(found.upper) - true <= Decimal(1e-13) * size  # nor do the ends give much away
        assert proved - Decimal(found.lower) <= Decimal(1e-12) * max(size, proved)
    again = enclose_softmax(given_X, y, primal=v, dual=found.dual, **found.options)
    assert (again.lower, again.upper) == (found.lower, found.upper)


@given(st.integers(0, 10**9), st.booleans())
def test_both_ends_hold_to_sixty_digits(seed, dense):
    check_both_ends(seed, dense)
