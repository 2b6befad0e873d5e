"""Which columns make up the others: the answer of whole numbers against elimination in fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linlearn.exact import independent_columns
from linlearn.exact.column_space import PRIME
from linlearn.exact.elimination import eliminated


def pivots(X, *, fit_intercept=True):
    """The first columns, from the left, of which the others are combinations, in fractions."""
    rows = [[Fraction(v) for v in ([1.0] * fit_intercept + row)] for row in X.tolist()]
    return [
        j - fit_intercept
        for j in eliminated(rows, X.shape[1] + fit_intercept)[1]
        if j >= fit_intercept
    ]


@st.composite
def matrices(draw):
    """Products of short whole matrices, so that the rank is low, in units that are powers of two."""
    n, d, rank = (draw(st.integers(1, k)) for k in (12, 6, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    X = (rng.integers(-3, 4, (n, rank)) @ rng.integers(-3, 4, (rank, d))).astype(float)
    X[rng.random(X.shape) < draw(st.sampled_from([0.0, 0.1]))] += draw(
        st.sampled_from([1.0, 2**-40])
    )
    return np.ldexp(
        X, draw(st.lists(st.sampled_from([-1074, -1030, -30, 0, 300]), min_size=d, max_size=d))
    )


@given(matrices(), st.booleans())
def test_agrees_with_fractions(X, fit_intercept):
    assert independent_columns(X, fit_intercept=fit_intercept).tolist() == pivots(
        X, fit_intercept=fit_intercept
    )


EXACT = {
    "copies": lambda x, hot: np.column_stack([x, x[:, ::-1]]),
    "opposite": lambda x, hot: np.column_stack([x, -x[:, 0]]),
    "twice": lambda x, hot: np.column_stack([x, 2 * x[:, 0]]),
    "one-hot": lambda x, hot: np.column_stack([x, hot, hot[:, 0] + hot[:, 1]]),
    "a constant": lambda x, hot: np.column_stack([x, np.full(len(x), 3.1)]),
    "nothing": lambda x, hot: np.column_stack([x, 0 * x[:, 0]]),
    "degrees": lambda x, hot: np.column_stack(
        [x[:, 0], np.rint(50 * x[:, 1]) * 5, np.rint(50 * x[:, 1]) * 9 + 32]
    ),
}
ROUNDED = {
    "a sum": lambda x: np.column_stack([x, x.sum(axis=1)]),
    "three times": lambda x: np.column_stack([x, 3 * x[:, 0]]),
    "degrees": lambda x: np.column_stack([x, 1.8 * x[:, 0] + 32]),
    "standardised": lambda x: np.column_stack([x, (x[:, 0] - x[:, 0].mean()) / x[:, 0].std()]),
    "one entry": lambda x: np.column_stack([x, np.append(x[:-1, 0], np.nextafter(x[-1, 0], 9))]),
}


def drawn(n, seed):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, 2)), (rng.integers(0, 3, n)[:, None] == np.arange(3)) * 1.0


@pytest.mark.parametrize("n", [60, 3000])
@pytest.mark.parametrize("name", EXACT)
def test_exact_combinations_are_left_out(name, n):
    X = EXACT[name](*drawn(n, seed=n))
    kept = independent_columns(X)
    assert kept[:2].tolist() == [0, 1] and len(kept) < X.shape[1]
    assert len(kept) == {"one-hot": 4, "degrees": 2}.get(name, 2)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ROUNDED)
def test_rounded_combinations_stay(name, seed):
    """Their roundings are a feature of their own, to those who count mistakes."""
    X = ROUNDED[name](drawn(60, seed)[0])
    assert independent_columns(X).tolist() == [0, 1, 2]


def test_one_row_among_many_decides():
    """It is not among the rows that are looked at first."""
    x, _ = drawn(5000, seed=1)
    X = np.column_stack([x, x[:, 0], x[:, 0]])
    X[1234, 2:] += 1.0  # the same in both: the last is still a copy
    assert independent_columns(X).tolist() == [0, 1, 2]


def test_fractions_longer_than_the_first_prime_shows():
    """31 columns of rank 30, made with factors of 12 bits: the one relation has minors of 430 bits."""
    rng = np.random.default_rng(0)
    A = rng.integers(-9, 9, (200, 30)) @ rng.integers(-2048, 2048, (30, 31))
    assert len(independent_columns(A.astype(float))) == 30


def test_a_column_that_vanishes_modulo_the_prime_stays():
    x, hot = drawn(40, seed=2)
    X = np.column_stack([x, hot[:, 0] * PRIME, x[:, 0]])
    assert independent_columns(X).tolist() == [0, 1, 2]
    only = np.column_stack([x[:, 0], x[:, 0] + 0.0])
    only[3] = [0.0, PRIME]
    assert independent_columns(only).tolist() == [0, 1]


def test_more_columns_than_samples():
    X = np.random.default_rng(3).standard_normal((5, 40))
    assert (
        len(independent_columns(X)) == 4 and len(independent_columns(X, fit_intercept=False)) == 5
    )


def test_groups_of_indicators_among_many_samples():
    """Ten groups of three indicators beside twenty features: each group loses one."""
    rng = np.random.default_rng(0)
    hot = [rng.integers(0, 3, 20_000)[:, None] == np.arange(3) for _ in range(10)]
    X = np.column_stack([rng.standard_normal((20_000, 20)), *hot])
    assert len(independent_columns(X)) == 40
