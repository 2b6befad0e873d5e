"""Every enclosure holds the exact optimum: at all sizes, for any witnesses, on dependent features.

`make test` draws some of the powers of two; with FUZZ=1 in the environment all of them are tried.
"""

import math
import os
from decimal import Decimal
from fractions import Fraction

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.optimize import linprog
from scipy.special import expit

import linlearn as ll
from linlearn.certificates import (
    enclose_empirical_risk,
    enclose_fisher,
    enclose_hard_margin,
    enclose_hinge,
    enclose_least_squares,
    enclose_logistic,
    enclose_margin,
    enclose_mistakes,
    enclose_soft_margin,
)
from linlearn.certificates.zero_one_witnesses import Packing

FUZZ = os.environ.get("FUZZ") == "1"
SOME = [-1074, -1022, -545, -200, -1, 0, 50, 320]  # where something changes
SCALES = range(-1074, 324) if FUZZ else SOME
SEEDS = range(12 if FUZZ else 2)
ROUNDS = settings(max_examples=2000 if FUZZ else 20, deadline=None)
scales, seeds = pytest.mark.parametrize("k", SCALES), pytest.mark.parametrize("seed", SEEDS)


def samples(seed, n=7, d=2):
    rng = np.random.default_rng(seed)
    X = rng.integers(-9, 10, (n, d)).astype(float) if seed % 2 else rng.standard_normal((n, d))
    return X, np.where(np.arange(n) % 2, 1.0, -1.0)


def scaled(X, k):
    """Two features in units 2^k and 2^(k + 40) (at most 2^323, since larger entries are refused)."""
    return np.ldexp(X, [k, min(k + 40, 323)])


def near(numbers, limit=1e99):
    """The nearest floats that are let in, 0 where there are none."""
    return np.array([float(v) if abs(v) < Fraction(limit) else 0.0 for v in numbers])


def simplified(numbers):
    """A multiple whose largest entry is 1."""
    top = max(map(abs, numbers)) or 1
    return near([v / top for v in numbers])


def holds(found, exact, tight=None):
    """lower ≤ exact ≤ upper, and the lower end is near."""
    assert Fraction(found.lower) <= exact
    assert found.upper == math.inf or exact <= Fraction(found.upper)
    if tight is not None:
        assert found.score_bound == math.inf
        assert float(exact - Fraction(found.lower)) <= tight * float(exact)


@scales
@seeds
def test_least_squares_at_every_scale(seed, k):
    X, y = samples(seed)
    X = scaled(X, k)
    value, a, r = oracles.least_squares(X, y)
    holds(enclose_least_squares(X, y, primal=near(a), dual=near(r)), value, 1e-9)
    t = X @ np.ones(2)
    if np.abs(t).max() > 0:  # targets that a plane meets up to rounding
        value, a, r = oracles.least_squares(X, t)
        for dual in (near(r), y):
            holds(enclose_least_squares(X, y, primal=near(a), dual=dual, targets=t), value)


@scales
def test_least_squares_of_targets_at_every_scale(k):
    X, y = samples(1)
    t = np.ldexp(y + np.arange(7) / 8, k)
    value, a, r = oracles.least_squares(X, t)
    found = enclose_least_squares(X, y, primal=near(a), dual=near(r), targets=t)
    holds(found, value, 1e-9 if -500 < k else None)


def multipliers(X, y):
    """About the optimal α of the linear program, from another solver."""
    size = np.abs(X).max(axis=0)
    Z = np.column_stack([np.ldexp(X, -np.frexp(size)[1]), np.ones(len(y))]) * y[:, None]
    return linprog(-np.ones(len(y)), A_eq=Z.T, b_eq=np.zeros(3), bounds=(0, 1 / len(y))).x


@scales
@seeds
def test_hinge_at_every_scale(seed, k):
    X, y = samples(seed)
    X = scaled(X, k)
    value, a = oracles.hinge(X, y)
    found = enclose_hinge(X, y, primal=near(a), dual=multipliers(X, y))
    holds(found, value, 1e-8)


@scales
@seeds
def test_fisher_at_every_scale(seed, k):
    X, y = samples(seed, n=8)
    X = scaled(X, k)
    found = oracles.fisher(X, y)
    if found is not None and found[0]:
        value, w = found
        e = enclose_fisher(X, y, primal=simplified(w), dual=np.zeros(8))
        holds(e, value)
        if (np.count_nonzero(X, axis=0) > 4).all() and k > -1020:
            assert e.upper <= float(value) * (1 + 1e-9)


@scales
@seeds
def test_margins_at_every_scale(seed, k):
    X, y = samples(seed, n=5)
    X[:, 0] += 20 * y * (seed % 3 > 0)
    X = np.ldexp(X, k)
    square, alpha = oracles.margin(X, y)
    weights = np.array([float(alpha.get(i, 0)) for i in range(5)])
    Z = oracles.signed(X, y)
    a = [sum((v * Z[i][j] for i, v in alpha.items()), Fraction(0)) for j in range(3)]
    found = enclose_margin(X, y, primal=simplified(a), dual=weights)
    assert Fraction(found.lower) ** 2 <= square <= Fraction(found.upper) ** 2
    widest = oracles.hard_margin(X, y)
    for dual in (weights, np.ones(5)):
        found = enclose_hard_margin(X, y, primal=simplified(a), dual=dual)
        assert found.upper == math.inf if widest is None else True
        if widest is not None:
            holds(found, widest[0])
    if widest is not None:
        value, alpha, plane = widest
        found = enclose_hard_margin(X, y, primal=simplified(plane), dual=simplified(alpha))
        holds(found, value)
        if -500 < k < 300 and found.upper < 1e300:
            assert found.gap <= 1e-9 * found.upper


@scales
@pytest.mark.parametrize("C", [1e-90, 1.0, 1e90])
def test_soft_margin_at_every_scale(C, k):
    X, y = samples(1, n=5, d=1)
    X = np.ldexp(X, k)
    value, alpha, plane = oracles.soft_margin(X, y, C)
    found = enclose_soft_margin(X, y, primal=near(plane), dual=near(alpha), C=C)
    holds(found, value, 1e-8 if near(plane).any() and abs(k) < 100 and C == 1 else None)
    holds(enclose_soft_margin(X, y, primal=[0, 0], dual=np.full(5, C), C=C), value)


@pytest.mark.parametrize("lam", [5e-324, 1e-300, 1e-200, 1e-165, 1e-100, 1e-18, 1e-3, 1.0, 1e20])
@pytest.mark.parametrize("k", range(-330, 331, 30) if FUZZ else [-200, 0, 200])
@pytest.mark.parametrize("kind", ["separable", "overlap"])
def test_logistic_with_a_penalty_at_every_scale(kind, lam, k):
    """The optimum is known to 40 digits."""
    X = np.ldexp(np.array([[-2.0], [-1.0], [1.0], [3.0], [4.0]]), k)
    y = np.array([-1.0, -1, 1, 1, 1]) if kind == "separable" else np.array([-1.0, 1, -1, 1, 1])
    falls = Decimal(4) ** k / Decimal(lam)
    start = falls.ln() / Decimal(2) ** k if kind == "separable" and falls > 1 else 0
    value, a, alpha = oracles.logistic(X, y, lam, start)
    for plane in (a, (0.0, 0.0), (a[0], -a[1])):
        plane = [v if abs(v) < 1e99 else 0.0 for v in plane]
        found = enclose_logistic(X, y, primal=plane, dual=alpha, lam=lam)
        assert Decimal(found.lower) <= value <= Decimal(found.upper)
    found = enclose_logistic(
        X, y, primal=[v if abs(v) < 1e99 else 0.0 for v in a], dual=alpha, lam=lam
    )
    if kind == "overlap" and value > Decimal("1e-3") and abs(a[0]) < 1e99:
        assert found.gap <= 1e-9 * found.upper and found.score_bound == math.inf


@scales
def test_what_has_no_unit_is_known_as_well_in_every_unit(k):
    """Least squares, hinge, Fisher's ratio and the logistic loss without a penalty, at 1 and at 2^k."""
    X = np.array([[-2.0, 1], [-2, 1], [-1, 0], [1, 3], [1, 3], [3, 1], [2, 2], [0, 1]])
    y = np.array([-1.0, 1, 1, -1, 1, -1, -1, 1])
    fits = {
        enclose_least_squares: ll.least_squares(X, y),
        enclose_hinge: ll.linear_program(X, y),
        enclose_fisher: ll.fisher(X, y),
        enclose_logistic: ll.logistic(X, y),
    }
    for enclose, fit in fits.items():
        one = fit.certificate
        w = np.ldexp(one.primal[:2], -k) if k > -300 else np.zeros(2)
        there = enclose(np.ldexp(X, k), y, primal=[*w, *one.primal[2:]], dual=one.dual)
        if enclose is enclose_fisher:
            assert there.upper == pytest.approx(one.upper, rel=1e-9)
        else:
            assert (
                there.lower == pytest.approx(one.lower, rel=1e-9) and there.score_bound == math.inf
            )
        if -300 < k < 300:
            assert there.lower == pytest.approx(one.upper, rel=1e-9)


wild = st.one_of(
    st.floats(-2, 2),
    st.floats(-1e99, 1e99),
    st.sampled_from([0.0, 5e-324, -1e-310, 1e-160, 1e99, -1e99]),
)


@pytest.mark.parametrize("seed", range(8 if FUZZ else 2))
@ROUNDS
@given(data=st.data())
def test_any_witnesses_give_true_ends(seed, data):
    """Huge, denormal, zero or random: wide, never wrong; what is not finite is refused or counts as 0."""
    X, y = samples(seed)
    X = X * 10.0 ** np.random.default_rng(seed).integers(-20, 20, 2) + (1e6 if seed > 2 else 0.0)
    a = data.draw(hnp.arrays(float, 3, elements=wild))
    dual = data.draw(hnp.arrays(float, 7, elements=wild))
    holds(enclose_least_squares(X, y, primal=a, dual=dual), oracles.least_squares(X, y)[0])
    odd = np.append(dual[:-1], data.draw(st.sampled_from([np.nan, np.inf, -np.inf, 1.0])))
    holds(enclose_hinge(X, y, primal=a, dual=odd), oracles.hinge(X, y)[0])
    ratio = oracles.fisher(X, y)
    if ratio is not None:
        holds(enclose_fisher(X, y, primal=a[:2], dual=dual), ratio[0])
    best = oracles.soft_margin(X[:5, :1], y[:5], 2.0)[0]
    holds(enclose_soft_margin(X[:5, :1], y[:5], primal=a[:2], dual=odd[2:], C=2.0), best)
    for lam in (0.0, 0.5):
        found = enclose_logistic(X, y, primal=a, dual=odd, lam=lam)
        here = ll.logistic(X, y, lam=lam).certificate
        assert found.lower <= here.upper and found.upper >= here.lower
    with pytest.raises(ValueError, match="`primal`"):
        enclose_hinge(X, y, primal=[np.nan, 0, 0], dual=dual)


def families(seed, n=60):
    """Features that others make up: exactly, and up to rounding."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, 2))
    y = np.where(x.sum(axis=1) + rng.standard_normal(n) > 0, 1.0, -1.0)
    celsius = np.round(20 + 5 * rng.standard_normal(n), 1)
    cents = np.round(100 * rng.uniform(size=(n, 2)), 2)
    hot = 1.0 * (rng.integers(0, 3, n)[:, None] == np.arange(3))
    exactly = {
        "one-hot": np.column_stack([x, hot]),
        "one-hot, in units": np.column_stack([x, 0.3 * hot]),
        "twice": np.column_stack([x, 2 * x[:, 0]]),
        "constant": np.column_stack([x, np.full(n, 3.1)]),
        "whole degrees": np.column_stack(
            [x[:, 0], 5 * np.round(celsius), 9 * np.round(celsius) + 32]
        ),
    }
    rounded = {
        "degrees": np.column_stack([x[:, 0], celsius, celsius * 1.8 + 32]),
        "standardised copy": np.column_stack([x, (x[:, 0] - x[:, 0].mean()) / x[:, 0].std()]),
        "sum": np.column_stack([x, x.sum(axis=1)]),
        "three times": np.column_stack([x, 3 * x[:, 0]]),
        "cents": np.column_stack([x[:, 0], cents, cents.sum(axis=1)]),
    }
    return exactly, rounded, y


NAMES = [*families(0)[0], *families(0)[1]]
METHODS = {
    "least squares": ll.least_squares,
    "hinge": ll.linear_program,
    "logistic": ll.logistic,
    "logistic, penalised": lambda X, y: ll.logistic(X, y, lam=0.01),
    "soft margin": lambda X, y: ll.svm(X, y, C=1.0),
}


@pytest.mark.parametrize("seed", range(20 if FUZZ else 3))
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("method", METHODS)
def test_certificates_close_on_dependent_features(method, name, seed):
    """To 1e-8: for all planes where features depend exactly, else within a bound that is stated."""
    exactly, rounded, y = families(seed)
    X = (exactly | rounded)[name]
    found = METHODS[method](X, y).certificate
    assert found.gap <= 1e-8 * found.upper
    if name in exactly or method in ("logistic, penalised", "soft margin"):
        assert found.score_bound == math.inf
    if method == "least squares":
        value = oracles.least_squares(X, y)[0]
        if found.score_bound == math.inf:
            holds(found, value)
        elif name in rounded:  # the roundings are a feature, for weights that no plane here has
            assert value <= Fraction(found.upper)


@pytest.mark.parametrize("name", families(0)[1])
def test_the_bound_within_is_a_bound(name):
    """The exact optimum uses the roundings by weights beyond the bound; cut down to it, it is no better."""
    _, rounded, y = families(0)
    X = rounded[name]
    found = ll.least_squares(X, y).certificate
    if found.score_bound == math.inf:
        return
    _, best, _ = oracles.least_squares(X, y)
    reach = [Fraction(float(v)) for v in np.ptp(X, axis=0)]
    big = max(abs(w) * s for w, s in zip(best, reach, strict=False))
    assert big > Fraction(found.score_bound)
    share = Fraction(found.score_bound) / big / 2
    mixed = [share * u + (1 - share) * Fraction(v) for u, v in zip(best, found.primal, strict=True)]
    Z = [[*row, Fraction(1)] for row in oracles.rationals(X)]
    misfit = [Fraction(t) - oracles.dot(z, mixed) for z, t in zip(Z, y, strict=True)]
    assert oracles.dot(misfit, misfit) / 2 >= Fraction(found.lower)


# -- what was once wrong -------------------------------------------------------------------------------


@pytest.mark.parametrize("lam", [5e-324, 1e-200, 1e-165, 1e-163, 1e-162])
def test_a_tiny_penalty_does_not_underflow(lam):
    """Squares of λw underflowed, and the ends crossed."""
    for X, y in (([[1.0], [-1.0]], [1, -1]), ll.data.drawn()):
        a = 1e3 * ll.separate(X, y).plane.a
        found = enclose_logistic(X, y, primal=a, dual=expit(-ll.signed(X, y) @ a), lam=lam)
        assert found.lower <= found.upper
    assert (
        enclose_logistic([[1.0], [-1.0]], [1, -1], primal=[800, 0], dual=[0, 0], lam=lam).upper > 0
    )


@pytest.mark.parametrize("size", [1e-170, 1e-161, 1e-160, 1e-158, 1e-157, 5e-324])
def test_fishers_ratio_of_tiny_samples(size):
    X, y = [[0.0], [2 * size], [3 * size], [5 * size]], [-1, -1, 1, 1]
    exact = oracles.fisher(np.array(X), y)[0]
    found = enclose_fisher(X, y, primal=[1], dual=np.zeros(4))
    holds(found, exact)
    assert found.gap <= 1e-9 * found.upper


def test_the_hinge_of_a_column_of_denormals():
    """w = (-1, 1.2·2¹⁰⁷⁴) separates, though no float plane does."""
    x = np.array([0.6, 1.4, 0.7, 0, 0.4, 0.2])
    X, y = np.column_stack([x, x * 2.0**-1074]), np.array([1.0, -1, 1, -1, -1, -1])
    dual = [1 / 6, 1 / 12, 1 / 12, 1 / 6, 0, 0]
    assert oracles.hinge(X, y)[0] == 0
    assert enclose_hinge(X, y, primal=[0, 0, -1], dual=dual).lower == 0


@pytest.mark.parametrize("seed", range(400) if FUZZ else [166, 169, 190, 343, 390])
def test_the_upper_end_of_least_squares_allows_for_underflow(seed):
    rng = np.random.default_rng(seed)
    x = np.ldexp(rng.standard_normal(5), -545)
    X = np.column_stack([x, x * (1 + 2.0**-52 * rng.integers(-3, 4, 5))])
    a = np.array([1.1, -1.1, 0.0]) * 2.0**331
    t = X @ a[:2]
    value = oracles.least_squares(X, t)[0]
    holds(
        enclose_least_squares(X, np.array([1.0, -1, 1, -1, 1]), primal=a, dual=t, targets=t), value
    )


def test_a_mistake_is_not_made_by_shrinking_the_plane():
    """(-1e99, 1e-300) is right on 0 and 1, though in units of its largest weight b is 0."""
    none = Packing((), np.zeros(0))
    found = enclose_mistakes([[0.0], [1.0]], [1, -1], primal=[-1e99, 1e-300], dual=none)
    assert found.upper == 0


@pytest.mark.parametrize("loss", ["logistic", "sigmoid"])
def test_a_loss_that_is_never_0_is_not_said_to_be(loss):
    X, y = [[1.0], [-1.0]], [1, -1]
    kept = dict(primal=[800.0, 0.0], dual=[0.0, 0.0], loss=loss, radius=1000.0)
    assert enclose_empirical_risk(X, y, **kept).upper > 0
    if loss == "logistic":
        assert enclose_logistic(X, y, primal=[800, 0], dual=[0, 0], lam=1e-320).upper > 0
