"""Bounds of `capacity` and families of `hardness`."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

import linlearn as ll
from linlearn import capacity, hardness


@given(
    seed=st.integers(0, 10**6),
    size=st.sampled_from([0.0, 1.0, 30.0]),
    rate=st.sampled_from([0.1, 1.0, 5.0]),
)
def test_the_perceptron_bound_holds_from_any_start_and_rate(seed, size, rate):
    """(R/γ)² + 2‖a₀‖/(ηγ) bounds the updates of every run."""
    X, y = ll.data.separable(15, 2, margin=0.15, seed=seed)
    start = ll.Hyperplane.from_homogeneous(size * np.random.default_rng(seed).standard_normal(3))
    R, gamma = np.linalg.norm(ll.signed(X, y), axis=1).max(), ll.separate(X, y).certificate.lower
    updates = len(ll.perceptron(X, y, start=start, rate=rate).trace) - 1
    assert updates <= capacity.perceptron_bound(
        R, gamma, start_norm=np.linalg.norm(start.a), rate=rate
    )


def test_the_perceptron_bound_is_attained():
    """One unit sample: bound 1, one update. The slow families come within a factor d."""
    assert (
        capacity.perceptron_bound(1, 1)
        == 1
        == len(ll.perceptron([[1.0]], [1], fit_intercept=False).trace) - 1
    )
    X, y = hardness.slow_ternary(5)
    R = np.linalg.norm(X, axis=1).max()
    bound = capacity.perceptron_bound(R, ll.separate(X, y, fit_intercept=False).certificate.lower)
    assert bound == pytest.approx(5 * (4**5 - 1) / 3, rel=1e-6)


def test_the_compression_bound_by_hand():
    """n = 100, K = 2: C(100, 2) = 4950 pairs, each with confidence δ/(100·4950)."""
    complexity = (math.log(4950) + math.log(100 / 0.1)) / 98
    assert capacity.compression_bound(100, 2, 0.1, rest_error=0.2) == pytest.approx(
        0.2 + math.sqrt(complexity / 2)
    )
    assert capacity.compression_bound(100, 2, 0.1, rest_error=0.0) == pytest.approx(complexity)
    assert capacity.compression_bound(100, 90, 0.1, rest_error=0.0) == 1.0
    assert capacity.compression_bound(100, 60, 0.1, rest_error=0.9) == 1.0


@pytest.mark.parametrize(("n", "K"), [(200, 0), (200, 3), (1000, 20)])
def test_the_compression_bound_pays_for_every_index_set(n, K):
    """Each of the C(n, K) sets may fail with probability δ/(n C(n, K)) and no more: exact binomial tails."""
    delta, rest_error = 0.05, 0.1
    bound = capacity.compression_bound(n, K, delta, rest_error=rest_error)
    tail = binom.logcdf(math.floor(rest_error * (n - K)), n - K, bound)
    assert tail + math.log(math.comb(n, K)) <= math.log(delta / n)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: capacity.perceptron_bound(1, 0), "`gamma` must be a finite number > 0"),
        (lambda: capacity.perceptron_bound(-1, 1), "`R` must be a finite number ≥ 0"),
        (lambda: capacity.compression_bound(10, 10, 0.1, rest_error=0), "`K` must be below n"),
        (lambda: capacity.compression_bound(10, 1, 1.5, rest_error=0), "`delta` must .* below 1"),
        (lambda: hardness.slow_ternary(0), "`d` must be an integer ≥ 1"),
        (lambda: hardness.slow_pair(2.5), "`L` must be an integer ≥ 1"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("d", range(1, 9))
def test_the_families_are_what_they_are_called(d):
    """Entries in {-1, 0, 1} and {0, 1}; the ends are the powers of two and the Fibonacci numbers."""
    X, _ = hardness.slow_ternary(d)
    assert set(X.ravel()) <= {-1.0, 0.0, 1.0}
    assert np.linalg.solve(X, np.ones(d)).tolist() == [2.0**j for j in range(d)]
    X, y = hardness.slow_binary(d)
    assert set(X.ravel()) <= {0.0, 1.0} and set(y) <= {-1.0, 1.0}
    F = [1, 2]
    while len(F) < d:
        F.append(F[-1] + F[-2])
    assert np.abs(np.linalg.solve(y[:, None] * X, np.ones(d))) == pytest.approx(F[:d])


@pytest.mark.parametrize("L", [1, 10, 1000])
def test_the_pair_takes_two_updates_more_than_its_parameter(L):
    assert len(ll.perceptron(*hardness.slow_pair(L), fit_intercept=False).trace) - 1 == L + 2
