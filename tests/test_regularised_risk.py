"""Bounds of penalised losses by products alone, against sixty digits, dense and sparse."""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.svm import LinearSVC

from linlearn.certificates.regularised_risk import (
    enclose_regularised_risk,
    enclosed,
    regularised_risk,
)
from linlearn.solvers.regularised_risk import minimised, recovered

LOSSES = ("logistic", "hinge", "squared hinge")


def value(X, y, k, a, loss, penalty, r=0.0):
    """F(w, b) from its definition."""
    w, b, r = [Decimal(float(v)) for v in a[:-1]], Decimal(float(a[-1])), Decimal(float(r))
    total = sum(r * abs(v) + (1 - r) * v * v / 2 for v in w)
    total += Decimal(penalty or 0.0) * (r * abs(b) + (1 - r) * b * b / 2)
    for x, sign, weight in zip(X, y, k, strict=True):
        score = sum(Decimal(float(u)) * v for u, v in zip(x, w, strict=True)) + b
        m = int(sign) * score
        if loss == "logistic":
            each = (1 + (-abs(m)).exp()).ln() + max(Decimal(0), -m)
        else:
            each = max(Decimal(0), 1 - m) ** (1 if loss == "hinge" else 2)
        total += Decimal(float(weight)) * each
    return total


def dual_value(X, y, k, alpha, loss, penalty, r=0.0, most=None):
    """The dual function from its definition; it must be asked at a feasible α.

    For r = 1 α need not be. The infimum of the Lagrangian over ‖w‖₁ + ν|b| ≤ `most` bounds F there.
    """
    a, total = [Decimal(float(v)) for v in alpha], Decimal(0)
    for one, weight in zip(a, map(Decimal, k.tolist()), strict=True):
        s = one / weight
        assert one >= 0 and (s <= 1 or loss == "squared hinge")
        if loss == "logistic":
            total -= weight * sum(p * p.ln() for p in (s, 1 - s) if p)
        else:
            total += one - (one * s / 4 if loss == "squared hinge" else 0)
    pulls = [
        sum(v * int(s) * Decimal(float(x)) for v, s, x in zip(a, y, column, strict=True))
        for column in X.T
    ]
    if penalty == 0:
        assert sum(Fraction(v) * int(s) for v, s in zip(alpha.tolist(), y, strict=True)) == 0
    nu, r = Decimal(penalty or 0.0), Decimal(r)
    pulls += [sum(v * int(s) for v, s in zip(a, y, strict=True)) / nu] if penalty else []
    over = [max(abs(v) - r, Decimal(0)) for v in pulls]
    each = [Decimal(1)] * X.shape[1] + [nu]
    square = sum(c * v * v for c, v in zip(each, over, strict=False))
    costs = [square / (2 * (1 - r))] if r < 1 else []
    return total - min(costs + ([max(over) * most] if r else []))


def promised(X, k, a, m, loss, true):
    """The most by which the upper bound may exceed F(w, b): what rounding can do, on either side.

    The score of a row with d entries is d + 1 roundings away, each of at most |xᵢ||w| + |b|; φ is
    1-Lipschitz, or has at most the largest slope between a margin and its rounded value.
    """
    U, w = 2.0**-53, np.abs(a[:-1])
    lost = (len(w) + 2) * U * float(k @ (np.abs(X) @ w + abs(a[-1])))
    if loss == "squared hinge":
        lost *= 2 * max(0.0, 1 - m.min()) + lost / k.min()
    return Decimal(2.02 * (lost + 32 * U * float(true)))


def drawn(seed):
    """A small problem of any scale, and a hyperplane that need not be good."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(2, 14), rng.integers(1, 20)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.5) * 10.0 ** rng.integers(-4, 5)
    X = X * 10.0 ** rng.integers(-2, 3, d)
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    y[:2] = 1, -1
    k = np.full(n, 10.0 ** rng.uniform(-4, 4)) if seed % 3 else 10.0 ** rng.uniform(-3, 3, n)
    penalty = (None, 0.0, 1.0, 1 / 9)[seed % 4]
    w = rng.normal(size=d) * 10.0 ** rng.integers(-5, 2)
    b = 0.0 if penalty is None else rng.normal()
    dual = rng.random(n) * k if seed % 5 == 0 else None
    return X, y, k, np.append(w, b), penalty, dual, LOSSES[seed % 7 % 3]


@given(st.integers(0, 10**9), st.booleans())
def test_both_ends_hold_to_sixty_digits(seed, dense):
    X, y, k, a, penalty, dual, loss = drawn(seed)
    free = dict(fit_intercept=penalty is not None, intercept_penalty=penalty or 0.0)
    given_X = X if dense else sparse.csr_array(X)
    found = enclose_regularised_risk(
        given_X, y, primal=a, dual=dual, loss=loss, sample_weight=k, **free
    )
    with localcontext(prec=60):
        true = value(X, y, k, a, loss, penalty)
        assert true <= Decimal(found.upper)
        proved = dual_value(X, y, k, found.dual, loss, penalty)
        assert Decimal(found.lower) <= max(proved, Decimal(0))
        m = y * (X @ a[:-1] + a[-1])
        assert Decimal(found.upper) - true <= promised(X, k, a, m, loss, true)
    again = enclose_regularised_risk(given_X, y, primal=a, dual=found.dual, **found.options)
    assert again.upper == found.upper
    mean = enclose_regularised_risk(
        given_X, y, primal=a, dual=found.dual, **found.options, mean=True
    )
    total = sum(map(Fraction, k.tolist()))
    assert (
        Fraction(mean.lower) * total <= again.lower and again.upper <= Fraction(mean.upper) * total
    )
    assert mean.relative_gap == pytest.approx(again.relative_gap, rel=1e-6, abs=1e-14)


def near_the_minimum(X, y, k, loss, penalty, r):
    """(w, b) by a solver of SciPy, with w = u - v and u, v ≥ 0."""
    d, nu = X.shape[1], penalty or 0.0
    Z = np.column_stack([X, np.ones(len(y)) * (penalty is not None)]) * y[:, None]
    each = np.append(np.ones(d), nu)

    def at(uv):
        a = uv[: d + 1] - uv[d + 1 :]
        m = Z @ a
        short = np.maximum(1 - m, 0)
        risk, slope = {
            "logistic": (np.logaddexp(0, -m), -expit(-m)),
            "squared hinge": (short**2, -2 * short),
        }[loss]
        g = Z.T @ (k * slope) + (1 - r) * each * a
        value = k @ risk + r * each @ (uv[: d + 1] + uv[d + 1 :]) + (1 - r) * each @ (a * a) / 2
        return value, np.append(g + r * each, r * each - g)

    bounds = [(0, None)] * (2 * d + 2)
    options = dict(maxiter=3000, maxfun=30_000, ftol=1e-15, gtol=1e-12)
    uv = minimize(at, np.zeros(2 * d + 2), jac=True, bounds=bounds, options=options).x
    a = uv[: d + 1] - uv[d + 1 :]
    a[-1] *= penalty is not None
    return a


@given(st.integers(0, 10**9), st.booleans())
def test_both_ends_hold_to_sixty_digits_with_an_l1_penalty(seed, dense):
    X, y, k, a, penalty, dual, loss = drawn(seed)
    r = (1.0, 0.5, 1.0, 0.999, 0.01)[seed % 11 % 5]
    free = dict(fit_intercept=penalty is not None, intercept_penalty=penalty or 0.0, l1_ratio=r)
    best = near_the_minimum(X, y, k, loss, penalty, r) if loss != "hinge" else a
    given_X = X if dense else sparse.csr_array(X)
    for one, alpha in ((a, dual), (best, None)):
        found = enclose_regularised_risk(
            given_X, y, primal=one, dual=alpha, loss=loss, sample_weight=k, **free
        )
        with localcontext(prec=60):
            true = value(X, y, k, one, loss, penalty, r)
            assert true <= Decimal(found.upper)
            assert Decimal(found.lower) <= value(X, y, k, best, loss, penalty, r)
            most = true / Decimal(r)
            proved = dual_value(X, y, k, found.dual, loss, penalty, r, most)
            assert Decimal(found.lower) <= max(proved, Decimal(0))
            m = y * (X @ one[:-1] + one[-1])
            assert Decimal(found.upper) - true <= promised(X, k, one, m, loss, true)
    again = enclose_regularised_risk(given_X, y, primal=best, dual=found.dual, **found.options)
    assert again.upper == found.upper and again.lower == found.lower


@pytest.mark.parametrize("r", [0.0, 0.5, 1.0])
def test_the_lower_bound_allows_for_cancellation_in_the_column_sums(r):
    """Large entries that cancel: rounding errors of Σαᵢyᵢxᵢ are far larger than those of all other sums."""
    decided = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        y, alpha = np.where(np.arange(12) % 2, 1.0, -1.0), rng.uniform(0.2, 0.8, 12)
        x = 1e8 * rng.normal(size=12)
        x[-1] = (1.05 - (alpha * y)[:-1] @ x[:-1]) / (alpha * y)[-1]
        found = enclose_regularised_risk(
            x[:, None], y, primal=[0, 0], dual=alpha, fit_intercept=False, l1_ratio=r
        )
        most = found.upper / r if r else None
        with localcontext(prec=60):
            given = x[:, None], y, np.ones(12), found.dual
            proved = dual_value(*given, "logistic", None, r, most and Decimal(most))
        decided += proved > 0
        assert Decimal(found.lower) <= max(proved, Decimal(0))
    assert decided > 20


def test_sparse_and_dense_samples_give_the_same_bounds():
    for seed in range(40):
        X, y, k, a, penalty, _, loss = drawn(seed)
        free = dict(fit_intercept=penalty is not None, intercept_penalty=penalty or 0.0)
        ends = [
            enclose_regularised_risk(Z, y, primal=a, loss=loss, sample_weight=k, **free)
            for Z in (X, sparse.csr_array(X), sparse.csc_array(X), sparse.coo_matrix(X))
        ]
        for one in ends[1:]:
            assert one.upper == pytest.approx(ends[0].upper, rel=1e-9)
            assert one.lower == pytest.approx(ends[0].lower, rel=1e-7, abs=1e-9 * one.scale)


def test_the_lower_bound_takes_an_intercept_that_is_already_the_best():
    """Of samples x and -x with opposite labels the best intercept is 0, where the slope is exactly 0."""
    X, y = np.array([[1.0], [-1.0]]), [1, -1]
    w = minimize(lambda w: w[0] ** 2 / 2 + 2 * np.log1p(np.exp(-w[0])), [0.5], tol=1e-12).x
    found = enclose_regularised_risk(sparse.csr_array(X), y, primal=[*w, 0.0])
    assert found.relative_gap < 1e-9


def test_entries_that_are_stored_twice_are_added():
    twice = sparse.csr_array(([1.0, 2.0, 1.0], [0, 0, 0], [0, 2, 3]), shape=(2, 1))
    ends = [
        enclose_regularised_risk(X, [1, -1], primal=[0.3, 0.1]) for X in (twice, [[3.0], [1.0]])
    ]
    assert ends[0].upper == ends[1].upper and ends[0].lower == ends[1].lower
    assert twice.nnz == 3  # of the caller's matrix nothing has changed


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (dict(loss="squared"), '`loss` must be "logistic", "hinge" or "squared hinge"'),
        (dict(primal=[1.0]), "`primal` must hold 2 numbers"),
        (dict(primal=[1.0, 2.0], fit_intercept=False), "must end with b = 0"),
        (dict(sample_weight=[1.0, -1.0]), "`sample_weight` must be ≥ 0"),
        (dict(C=0), "`C` must be"),
        (dict(l1_ratio=1.5), "`l1_ratio` must be from 0 to 1; got 1.5"),
        (dict(mean="yes"), "`mean` must be True or False"),
        (dict(X=sparse.csr_array([[1.0], [inf]])), "`X` must be finite; got inf at row 1"),
    ],
)
def test_bad_input_is_named(change, says):
    given = dict(X=[[1.0], [2.0]], y=[1, -1], primal=[1.0, 0.5]) | change
    with pytest.raises(ValueError, match=says):
        enclose_regularised_risk(given.pop("X"), given.pop("y"), **given)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("dense", [True, False])
def test_multipliers_of_the_hinge_loss_are_recovered_from_a_sharp_hyperplane(intercept, dense):
    """Those of samples at the margin are not at their bounds; without them the gap is far from closed."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 400)) * (rng.random((300, 400)) < 0.1)
    y, s = np.where(X[:, 0] + 0.3 * rng.normal(size=300) > 0, 1.0, -1.0), rng.uniform(0.5, 2, 300)
    model = LinearSVC(loss="hinge", C=0.2, tol=1e-9, max_iter=10**6, fit_intercept=intercept)
    model.fit(X, y, sample_weight=s)
    a = np.append(model.coef_, model.intercept_)
    F = regularised_risk(
        X if dense else sparse.csr_array(X), y, loss="hinge", C=0.2, sample_weight=s,
        penalty=1.0 if intercept else None,
    )  # fmt: skip
    alpha, products = recovered(F, F.at(a))
    assert ((alpha > 0) & (alpha < F.k)).sum() > 100 and products < 400
    assert enclosed(F, F.at(a), alpha).relative_gap < 1e-8
    assert enclosed(F, F.at(a)).relative_gap > 1e-3


def test_newtons_method_refuses_an_l1_penalty():
    F = regularised_risk(
        np.eye(2), [1, -1], loss="logistic", C=1.0, sample_weight=None, penalty=0.0, l1_ratio=0.5
    )
    with pytest.raises(ValueError, match=r"`l1_ratio` must be 0 .*got 0\.5"):
        minimised(F, np.zeros(3))
