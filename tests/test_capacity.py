"""How many labelings planes realise, why no d + 2 points are shattered, and how many samples are enough."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import linlearn as ll
from linlearn import capacity


@settings(deadline=None)
@given(seed=st.integers(0, 10**6), d=st.integers(1, 5), grid=st.booleans())
def test_radon_finds_a_common_point(seed, d, grid):
    """Both groups' weights are positive, sum to 1 and give the same point."""
    rng = np.random.default_rng(seed)
    X = (
        rng.integers(-2, 3, (d + 2, d)).astype(float)
        if grid
        else rng.standard_normal((d + 3, d)) * 10 + 100
    )
    found = capacity.radon(X)
    used = X[: d + 2]
    for group, sign in ((found.first, 1), (found.second, -1)):
        weights = sign * found.weights[group]
        assert weights.min() > 0 and weights.sum() == pytest.approx(1)
        assert weights @ used[group] == pytest.approx(found.point, rel=1e-9, abs=1e-9)
    assert not set(found.first) & set(found.second)


@settings(deadline=None)
@given(seed=st.integers(0, 10**6), d=st.integers(1, 4))
def test_radons_labels_are_inseparable(seed, d):
    """The sentence of Radon and the sentence of Gordan meet: the partition has no separating plane."""
    X = np.random.default_rng(seed).standard_normal((d + 2, d))
    y = np.where(np.isin(np.arange(d + 2), capacity.radon(X).first), 1, -1)
    assert ll.separate(X, y).certificate.lower == 0
    assert y.tolist() not in capacity.separable_labelings(X).tolist()


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("n", range(1, 8))
def test_covers_count_by_enumeration(n, d):
    """Points in general position have N(n, d) labelings through 0 and N(n, d+1) with offset."""
    X = np.random.default_rng(10 * n + d).standard_normal((n, d))
    assert len(capacity.separable_labelings(X, fit_intercept=False)) == capacity.cover_count(n, d)
    assert len(capacity.separable_labelings(X)) == capacity.cover_count(n, d + 1)


@pytest.mark.parametrize("seed", range(6))
def test_separable_labelings_agree_with_linear_programming(seed):
    """On points of a grid too, where there are fewer than Cover counts."""
    X = np.random.default_rng(seed).integers(0, 3, (6, 2)).astype(float)
    lifted = np.column_stack([X, np.ones(6)])
    found = capacity.separable_labelings(X).tolist()
    for bits in range(64):
        y = 2.0 * (bits >> np.arange(6) & 1) - 1
        best = linprog(
            np.zeros(3), A_ub=-y[:, None] * lifted, b_ub=-np.ones(6), bounds=[(None, None)] * 3
        )
        assert (best.status == 0) == (y.tolist() in found)
    assert len(found) <= capacity.cover_count(6, 3)


def test_a_point_at_the_origin_has_no_label():
    """Its margin is 0 for every plane through the origin."""
    assert len(capacity.separable_labelings([[0.0, 0.0], [1.0, 0.0]], fit_intercept=False)) == 0
    assert len(capacity.separable_labelings([[1.0, 0.0], [0.0, 0.0]], fit_intercept=False)) == 0
    assert not capacity.shattered([[1.0, 0.0], [0.0, 0.0]], fit_intercept=False)


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_the_vc_dimension(d):
    """The d + 1 corners of a simplex are shattered; through the origin the d unit vectors; no more."""
    simplex = np.vstack([np.zeros(d), np.eye(d)])
    assert capacity.shattered(simplex)
    assert capacity.shattered(np.eye(d), fit_intercept=False)
    assert not capacity.shattered(np.vstack([simplex, np.full(d, 0.3)]))
    assert not capacity.shattered(np.vstack([np.eye(d), np.ones(d)]), fit_intercept=False)
    assert not capacity.shattered(
        np.vstack([np.eye(d)[:1], 2 * np.eye(d)[:1]]), fit_intercept=False
    )


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_shattering_is_decided_by_separability(monkeypatch, fit_intercept):
    """No theorem is assumed: if all labelings were separable, any number of points would be shattered."""
    square = [[0.0, 1.0], [1.0, 0.0], [2.0, 3.0], [4.0, 1.0]]
    assert not capacity.shattered(square, fit_intercept=fit_intercept)

    def both(Z, y, a):
        return [(np.append(y, label), a) for label in (-1.0, 1.0)]

    monkeypatch.setattr(capacity, "_separable_extensions", both)
    assert capacity.shattered(square, fit_intercept=fit_intercept)


@settings(deadline=None)
@given(n=st.integers(1, 30), d=st.integers(1, 30))
def test_covers_recursion(n, d):
    """N(n+1, d+1) = N(n, d+1) + N(n, d); all labelings exactly for n ≤ d; half of them at n = 2d."""
    N = capacity.cover_count
    assert N(n + 1, d + 1) == N(n, d + 1) + N(n, d)
    assert (N(n, d) == 2**n) == (n <= d)
    assert 2 * N(2 * d, d) == 2 ** (2 * d)


def log_sauer(n, v):
    return math.log(sum(math.comb(n, k) for k in range(v + 1)))


@pytest.mark.parametrize("v", [1, 3, 31])
@pytest.mark.parametrize("epsilon", [0.3, 0.05])
@pytest.mark.parametrize("delta", [0.1, 1e-3])
def test_sample_sizes_are_the_first_that_their_inequality_allows(v, epsilon, delta):
    """It holds at n and from there on, and not at n - 1."""

    def realizable(n):
        return math.log(2) + log_sauer(2 * n, v) - math.log(2) * epsilon * n / 2

    def agnostic(n):
        return math.log(8) + log_sauer(n, v) - n * epsilon**2 / 128

    n = capacity.pac_sample_size(v, epsilon, delta)
    assert n >= 8 / epsilon and realizable(n) <= math.log(delta) + 1e-6
    assert realizable(n - 1) > math.log(delta) - 1e-6 or n - 1 < 8 / epsilon
    m = capacity.pac_sample_size(v, epsilon, delta, claim="agnostic")
    assert agnostic(m) <= math.log(delta) + 1e-6 and agnostic(m - 1) > math.log(delta) - 1e-6
    assert all(agnostic(k * m) < math.log(delta) for k in (2, 10))
    assert m > n


def test_needed_is_less_than_enough():
    for v, epsilon, delta in ((2, 0.125, 0.01), (30, 0.1, 1e-3), (1000, 0.01, 1e-6)):
        needed = capacity.pac_sample_size(v, epsilon, delta, claim="necessary")
        assert needed <= capacity.pac_sample_size(v, epsilon, delta)
    assert capacity.pac_sample_size(2, 0.1, 0.01, claim="necessary") == math.ceil(9 * math.log(100))
    assert capacity.pac_sample_size(3201, 0.1, 0.01, claim="necessary") == 1000


def test_enough_is_enough():
    """Uniform samples on [-1, 1], y = sgn(x): all consistent thresholds err ≤ ε in 199 of 200 runs."""
    n, rng = capacity.pac_sample_size(2, 0.2, 0.05), np.random.default_rng(0)
    bad = 0
    for _ in range(200):
        x = rng.uniform(-1, 1, n)
        worst = max(x[x > 0].min(initial=1.0), -x[x <= 0].max(initial=-1.0)) / 2
        bad += worst > 0.2
    assert bad <= 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: capacity.radon([[0.0], [1.0]]), "`X` must have at least d \\+ 2 = 3 rows; got 2"),
        (lambda: capacity.cover_count(0, 1), "`n` must be an integer ≥ 1"),
        (lambda: capacity.pac_sample_size(2, 1.0, 0.1), "`epsilon` must be .* and below 1"),
        (lambda: capacity.pac_sample_size(2, 0.1, 0.1, claim="never"), "`claim` must be"),
        (lambda: capacity.pac_sample_size(1, 0.1, 0.01, claim="necessary"), "requires v ≥ 2"),
        (lambda: capacity.pac_sample_size(2, 0.2, 0.01, claim="necessary"), "requires v ≥ 2"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
