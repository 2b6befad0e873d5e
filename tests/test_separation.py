"""`separate` closes its gap, knows its oracle, and moves with the data."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nasty import SAMPLES
from scipy.optimize import linprog, minimize

import linlearn as ll
from linlearn.certificates import gordan_exact, margin_exact


def scale(X, y):
    return np.linalg.norm(ll.signed(X, y), axis=1).max()


def feasible(X, y):
    """Za ≥ 1 has a solution, says HiGHS."""
    Z = ll.signed(X, y)
    p = Z.shape[1]
    return (
        linprog(np.zeros(p), A_ub=-Z, b_ub=-np.ones(len(Z)), bounds=[(None, None)] * p).status == 0
    )


DRAWN = ll.data.drawn()
NASTY = SAMPLES | {
    "apart, copied column": (DRAWN[0][:, [0, 1, 0]], DRAWN[1]),
    "apart, constant column": (np.column_stack([DRAWN[0], np.full(24, 3.0)]), DRAWN[1]),
    "apart, duplicates": (np.repeat(DRAWN[0], 7, axis=0), np.repeat(DRAWN[1], 7)),
    "apart, far from the origin": (DRAWN[0] + 1000, DRAWN[1]),
    "very wide": ll.data.gaussians(10, 60, delta=0.5),
    "2 of 200": (ll.data.gaussians(200, 3, seed=4)[0], np.where(np.arange(200) < 2, 1.0, -1.0)),
}


@pytest.mark.parametrize("name", NASTY)
def test_the_gap_closes_on_nasty_samples(name):
    """Relative to the longest sample the enclosure of γ* is at most 1e-9 wide, and verifies."""
    X, y = NASTY[name]
    fit = ll.separate(X, y)
    assert 0 <= fit.certificate.gap <= 1e-9 * scale(X, y)
    assert fit.verify(X, y).relative_gap <= 1e-9


UNSCALED = {
    "in nanometres": (ll.data.drawn()[0] * 1e8, ll.data.drawn()[1]),
    "time stamps": (ll.data.drawn()[0] + 1e5, ll.data.drawn()[1]),
    "mixed units": (ll.data.drawn()[0] * [1e-6, 1e6], ll.data.drawn()[1]),
    "raw table": ll.data.breast_cancer(),
}


@pytest.mark.parametrize("name", UNSCALED)
def test_unscaled_columns_do_not_hide_a_plane(name):
    """Where the gap cannot close, the lower end still proves what there is to prove."""
    X, y = UNSCALED[name]
    fit = ll.separate(X, y)
    assert 0 < fit.certificate.lower <= fit.certificate.upper
    assert margin_exact(X, y, a=fit.plane.a) > 0
    assert fit.verify(X, y).lower > 0


def test_unscaled_columns_do_not_hide_gordans_vector():
    X, y = ll.data.drawn(overlap=True)
    for unscaled in (X * 1e8, X + 1e5, X * [1e-6, 1e6]):
        fit = ll.separate(unscaled, y)
        assert fit.certificate.upper <= 1e-12 * fit.certificate.scale
        assert not fit.plane.a.any()


@pytest.mark.parametrize("name", NASTY)
def test_separability_agrees_with_a_linear_program(name):
    assert (ll.separate(*NASTY[name]).certificate.lower > 0) == feasible(*NASTY[name])


@pytest.mark.parametrize("name", NASTY)
def test_the_dual_is_sparse(name):
    """At most d + 2 samples prove either answer (Carathéodory)."""
    X, y = NASTY[name]
    assert (ll.separate(X, y).certificate.dual > 0).sum() <= X.shape[1] + 2


def test_the_plane_is_the_oracles():
    """Against SLSQP on min ‖a‖², Za ≥ 1: the same direction."""
    X, y = ll.data.drawn()
    Z = ll.signed(X, y)
    oracle = minimize(
        lambda a: a @ a,
        ll.perceptron(X, y).plane.a * 200,
        jac=lambda a: 2 * a,
        method="SLSQP",
        constraints={"type": "ineq", "fun": lambda a: Z @ a - 1, "jac": lambda a: Z},
        options={"ftol": 1e-15, "maxiter": 500},
    ).x
    a = ll.separate(X, y).plane.a
    assert a / np.linalg.norm(a) == pytest.approx(oracle / np.linalg.norm(oracle), abs=1e-6)


@settings(deadline=None)
@given(seed=st.integers(0, 10**6), c=st.sampled_from([1e-3, 0.5, 40.0]))
def test_it_moves_with_the_samples(seed, c):
    """γ* is invariant under flips, rotations, permutations and copies; it scales with homogeneous data."""
    X, y = ll.data.separable(25, 3, margin=0.1, seed=seed)
    rng = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(rng.standard_normal((3, 3)))
    order = rng.permutation(25)
    value = ll.separate(X, y).certificate.upper
    for same in ((X, -y), (X @ Q, y), (X[order], y[order]), (np.vstack([X, X]), np.append(y, y))):
        assert ll.separate(*same).certificate.upper == pytest.approx(value, rel=1e-7)
    through_origin = ll.separate(X, y, fit_intercept=False).certificate.upper
    scaled = ll.separate(c * X, y, fit_intercept=False).certificate.upper
    assert scaled == pytest.approx(c * through_origin, rel=1e-7, abs=1e-12 * c)


def test_one_label_is_enough_without_offset():
    """(1, 0) and (0, 1), both +1: the nearest point of their hull is (1/2, 1/2)."""
    fit = ll.separate(np.eye(2), [1, 1], fit_intercept=False)
    assert fit.plane.w == pytest.approx([0.5, 0.5]) and fit.plane.b == 0
    assert fit.certificate.upper == pytest.approx(np.sqrt(0.5))


def test_breast_cancer_is_separable_and_its_certificate_closes():
    """All 30 features, standardised: a plane exists, though no perceptron finds it in a million updates."""
    X, y = ll.data.breast_cancer()
    fit = ll.separate(ll.data.standardise(X), y)
    assert fit.certificate.lower > 0.00139
    assert fit.certificate.gap < 1e-9


def test_many_features_are_proved_either_way():
    """150 features: one plane, exactly; or Gordan's vector on d + 2 samples at most; as for few."""
    X, y = ll.data.separable(500, 150, margin=0.05)
    fit = ll.separate(X, y)
    assert fit.certificate.gap <= 1e-12 * scale(X, y)
    assert margin_exact(X[:20], y[:20], a=fit.plane.a) > 0
    flipped = np.where(np.arange(500) % 3 == 0, -y, y)
    hopeless = ll.separate(X, flipped).certificate
    assert hopeless.lower == 0 and hopeless.upper <= 1e-12 * scale(X, y)
    assert (hopeless.dual > 0).sum() <= 152


def test_gordans_vector_is_exact_on_overlapping_samples():
    X, y = ll.data.drawn(overlap=True)
    assert sum(gordan_exact(X, y, dual=ll.separate(X, y).certificate.dual)) == 1
