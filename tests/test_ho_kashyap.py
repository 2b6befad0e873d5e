"""Ho and Kashyap's theorem, line by line, along real runs."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import linlearn as ll

FAR = (np.array([[-1.0], [0.0], [1.0], [20.0]]), np.array([-1.0, -1.0, 1.0, 1.0]))
grids = hnp.arrays(np.int8, (7, 2), elements=st.integers(-3, 3))
labels = hnp.arrays(np.int8, 7, elements=st.sampled_from([-1, 1])).filter(
    lambda y: len(set(y)) == 2
)


def textbook(Z, rate, updates, b):
    """a = Z⁺b, e = Za - b, b ← b + 2η e⁺ with the pseudo-inverse: all (a, e)."""
    inverse, states = np.linalg.pinv(Z), []
    for _ in range(updates + 1):
        a = inverse @ b
        e = Z @ a - b
        states.append((a, e))
        b = b + 2 * rate * np.maximum(e, 0)
    return states


@pytest.mark.parametrize("samples", [FAR, ll.data.drawn(), ll.data.drawn(overlap=True)])
@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
def test_the_states_are_the_textbooks(samples, rate):
    X, y = samples
    b = np.linspace(0.5, 2, len(y))
    fit = ll.ho_kashyap(X, y, rate=rate, max_updates=40, targets=b)
    for step, (a, e) in zip(fit.trace, textbook(ll.signed(X, y), rate, 40, b), strict=False):
        assert step.plane.a == pytest.approx(a, rel=1e-9, abs=1e-10)
        assert step.error == pytest.approx(np.linalg.norm(e), rel=1e-9)
        assert step.excess == pytest.approx(np.linalg.norm(np.maximum(e, 0)), rel=1e-7, abs=1e-12)
        assert step.smallest == pytest.approx((ll.signed(X, y) @ a).min(), rel=1e-7, abs=1e-10)


@settings(deadline=None, max_examples=60)
@given(X=grids, y=labels, rate=st.sampled_from([0.05, 0.5, 0.95]))
def test_the_error_falls_as_the_theorem_says(X, y, rate):
    """‖e_{k+1}‖² = ‖e_k‖² - 4η(1-η)‖e_k⁺‖² - 4η²‖Pe_k⁺‖² ≤ ‖e_k‖² - 4η(1-η)‖e_k⁺‖²."""
    trace = ll.ho_kashyap(X, y, rate=rate, max_updates=60).trace
    error, excess = trace["error"] ** 2, trace["excess"] ** 2
    assert (error[1:] <= error[:-1] - 4 * rate * (1 - rate) * excess[:-1] + 1e-10).all()
    assert (error[1:] >= error[:-1] - 4 * rate * excess[:-1] - 1e-10).all()  # ‖Pe⁺‖ ≤ ‖e⁺‖


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("samples", [FAR, ll.data.drawn(), ll.data.separable(60, 3, margin=0.3)])
def test_separable_samples_are_separated_within_the_bound(samples, rate):
    """After at most 1 + ⌈ln(‖e_0‖²/β²)/q⌉ updates, q = 4η(1-η)/(1+κ²), κ = ‖v‖/min v for any v = Za > 0."""
    X, y = samples
    fit = ll.ho_kashyap(X, y, rate=rate)
    v = ll.margins(ll.separate(X, y).plane, X, y)
    q = 4 * rate * (1 - rate) / (1 + (np.linalg.norm(v) / v.min()) ** 2)
    bound = 1 + max(0, math.ceil(math.log(fit.trace[0].error ** 2) / q))
    assert len(fit.trace) - 1 <= bound
    assert ll.margins(fit.plane, X, y).min() > 0
    assert fit.verify(X, y).lower > 0
    assert (fit.trace["smallest"][:-1] <= 0).all()


def test_it_separates_where_least_squares_does_not():
    """On these samples least squares misses one, Ho–Kashyap continues from there and misses none."""
    assert ll.margins(ll.least_squares(*FAR).plane, *FAR).min() < 0
    fit = ll.ho_kashyap(*FAR)
    assert fit.trace[0].plane.a == pytest.approx(ll.least_squares(*FAR).plane.a)
    assert len(fit.trace) == 74 and fit.certificate.lower > 1e-3


@settings(deadline=None, max_examples=60)
@given(X=grids, y=labels)
def test_the_two_ends_tell_which_case_it_is(X, y):
    """Integer samples: lower > 0 where a plane exists, upper ≈ 0 (Gordan's vector) where none does."""
    fit = ll.ho_kashyap(X, y, max_updates=5000)
    c = fit.certificate
    if ll.separate(X, y).certificate.lower > 0:
        assert c.lower > 0
    else:
        assert c.lower == 0
        assert c.upper < 1e-3
        if fit.trace[-1].excess == 0:  # detected: -e is Gordan's vector up to rounding
            assert c.upper < 1e-12


def test_xor_is_refused_at_once_and_exactly():
    """e = -1 everywhere: -e gives the rational Gordan vector (¼, ¼, ¼, ¼)."""
    X, y = ll.data.xor()
    fit = ll.ho_kashyap(X, y)
    assert len(fit.trace) == 1 and fit.certificate.upper < 1e-15
    exact = ll.certificates.gordan_exact(X, y, dual=fit.certificate.dual)
    assert [str(v) for v in exact] == ["1/4"] * 4


@pytest.mark.parametrize(
    "X",
    [
        ll.data.drawn()[0][:, [0, 1, 0]],
        np.column_stack([ll.data.drawn()[0], np.ones(24), np.zeros(24)]),
        ll.data.drawn()[0] * [1e-6, 1e6],
        ll.data.drawn()[0] + 1000.0,
        np.hstack([ll.data.drawn()[0]] * 20),
    ],
)
def test_dependent_and_unscaled_features_make_no_difference(X):
    """Only the span of Z's columns matters: the same margins, the same number of updates."""
    X0, y = ll.data.drawn()
    same, fit = ll.ho_kashyap(X0, y), ll.ho_kashyap(X, y)
    assert len(fit.trace) == len(same.trace)
    assert fit.trace["error"] == pytest.approx(same.trace["error"], rel=1e-6)
    assert ll.margins(fit.plane, X, y) == pytest.approx(ll.margins(same.plane, X0, y), abs=1e-5)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 10**6))
def test_it_moves_with_the_samples(seed):
    """Labels flipped, samples moved and permuted: the margins follow."""
    X, y = ll.data.gaussians(20, 2, delta=4.0, seed=seed)
    fit = ll.ho_kashyap(X, y, max_updates=50)
    assume(fit.trace["smallest"].max() < -1e-9 or fit.trace[-1].smallest > 1e-9)
    m, order = ll.margins(fit.plane, X, y), np.random.default_rng(seed).permutation(20)
    for X2, y2, back in ((X, -y, m), (X[order], y[order], m[order]), (3 * X + 5, y, m)):
        plane = ll.ho_kashyap(X2, y2, max_updates=len(fit.trace) - 1).plane
        assert ll.margins(plane, X2, y2) == pytest.approx(back, abs=1e-7)


def test_the_trace_has_every_step_and_they_share_no_memory():
    trace = ll.ho_kashyap(*FAR, rate=0.3).trace
    steps = list(trace)
    assert [s.plane.a.tolist() for s in steps] == trace["a"].tolist()
    assert [s.k for s in steps] == list(range(len(trace)))
    assert not any(np.shares_memory(p.plane.w, q.plane.w) for p, q in itertools.pairwise(steps))


def test_a_fit_is_saved_with_its_proof(tmp_path):
    fit = ll.ho_kashyap(*FAR)
    fit.save(tmp_path / "hk.npz")
    assert ll.Fit.load(tmp_path / "hk.npz").verify(*FAR).lower == pytest.approx(
        fit.certificate.lower
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (dict(rate=1.0), "`rate` must satisfy 0 < η < 1.*got 1"),
        (dict(rate=0.0), "`rate` must be a finite number > 0; got 0"),
        (dict(max_updates=-1), "`max_updates` must be an integer ≥ 0; got -1"),
        (dict(targets=[1, 1, 0, 1]), "`targets` must be positive; got 0 at position 2"),
        (
            dict(targets=[1, 1]),
            r"`targets` must hold one number .* the 4 samples; got shape \(2,\)",
        ),
        (dict(targets="odd"), "must hold one number for each of the 4 samples; got 'odd'"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        ll.ho_kashyap(*FAR, **options)
