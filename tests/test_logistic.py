"""Logistic regression: duality, Newton's rate, existence of the estimate, oracles."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.optimize import brentq, linprog, minimize
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression

import linlearn as ll
from linlearn.certificates import enclose_logistic, recedes

OVERLAP = ll.data.drawn(overlap=True)
# The notes' "the log-likelihood is concave, and so the algorithm converges": it does not.
OVERSHOOT = (
    np.repeat([-1.0, 0.0, 3.0, 100.0], [1, 25, 1, 2])[:, None],
    np.repeat([-1.0, 1.0, -1.0, -1.0], [1, 25, 1, 2]),
)
rng = np.random.default_rng(0)
DUMMY = np.column_stack(
    [rng.standard_normal((120, 2)), rng.integers(0, 3, 120)[:, None] == range(3)]
)
NASTY = {
    "overlap": OVERLAP,
    "xor": ll.data.xor(),
    "overshoot": OVERSHOOT,
    "contradiction": (np.array([[1.0], [1.0]]), np.array([1.0, -1.0])),
    "copied column": (OVERLAP[0][:, [0, 1, 0]], OVERLAP[1]),
    "constant column": (np.column_stack([OVERLAP[0], np.full(28, 3.1)]), OVERLAP[1]),
    "all dummies": (DUMMY, np.where(np.arange(120) % 2, 1.0, -1.0)),
    "duplicates": (np.repeat(OVERLAP[0], 7, axis=0), np.repeat(OVERLAP[1], 7)),
    "unscaled": (
        ll.data.gaussians(300, 4)[0] * [1e-6, 1, 1e3, 1e6],
        ll.data.gaussians(300, 4)[1],
    ),
    "far from the origin": (OVERLAP[0] + 1e5, OVERLAP[1]),
    "99:1": (ll.data.gaussians(600, 3, seed=4)[0], np.where(np.arange(600) < 6, 1.0, -1.0)),
    "large": ll.data.gaussians(20_000, 10, delta=1.0),
}
SEPARABLE = {
    "drawn": ll.data.drawn(),
    "one per class": (np.array([[1.0, 2.0], [3.0, 5.0]]), np.array([1.0, -1.0])),
    "wide": ll.data.gaussians(10, 60, delta=0.5),
    "tiny margin": ll.data.separable(300, 3, margin=1e-5, seed=2),
    "large": ll.data.separable(20_000, 5, margin=0.01),
}
QUASI = {
    "tie": (np.array([[0.0], [1.0], [1.0], [2.0]]), np.array([-1.0, -1.0, 1.0, 1.0])),
    "a dummy of one class": (
        np.column_stack([OVERLAP[0], (np.arange(28) % 3 == 0) & (OVERLAP[1] > 0)]),
        OVERLAP[1],
    ),
    "thirds": (np.array([[0.0], [1 / 3], [1 / 3], [2.0]]) * 3, np.array([-1.0, -1.0, 1.0, 1.0])),
    "beyond 3": (np.column_stack([OVERLAP[0], OVERLAP[0][:, 0] > 3]), OVERLAP[1]),
}
numbers = st.floats(-1e3, 1e3)


def objective(X, y, a, lam):
    return float(np.logaddexp(0, -y * (X @ a[:-1] + a[-1])).mean() + lam / 2 * a[:-1] @ a[:-1])


def objective_exact(X, y, a, lam):
    """The same with 60 digits, of the floats as they are."""
    with localcontext() as context:
        context.prec = 60
        w, b = [Decimal(v) for v in a[:-1].tolist()], Decimal(float(a[-1]))
        total = Decimal(0)
        for x, t in zip(X.tolist(), y.tolist(), strict=True):
            m = Decimal(t) * (sum(u * Decimal(v) for u, v in zip(w, x, strict=True)) + b)
            total += max(-m, Decimal(0)) + (1 + (-abs(m)).exp()).ln()
        return total / len(y) + Decimal(lam) / 2 * sum(u * u for u in w)


def solve_offset(X, y, w):
    """b with Σ yᵢσ(-mᵢ) = 0."""
    f = X @ w
    far = float(np.abs(f).max()) + math.log(len(y)) + 1
    return brentq(lambda b: y @ expit(-y * (f + b)), -far, far, xtol=1e-15, rtol=1e-15)


@cache
def fitted(name, lam):
    """The fit that the examples of a property are compared with, made once."""
    return ll.logistic(*{**NASTY, **SEPARABLE, **QUASI}[name], lam=lam)


@pytest.mark.parametrize("lam", [0.0, 1e-8, 1e-2, 10.0])
@pytest.mark.parametrize("name", ["overlap", "xor", "constant column", "unscaled", "drawn", "tie"])
@settings(deadline=None, max_examples=20)
@given(data=st.data())
def test_weak_duality_for_arbitrary_witnesses(name, lam, data):
    """lower ≤ infimum ≤ upper for any a and any weights, however silly."""
    X, y = {**NASTY, **SEPARABLE, **QUASI}[name]
    a = data.draw(hnp.arrays(float, X.shape[1] + 1, elements=numbers))
    dual = data.draw(hnp.arrays(float, len(y), elements=st.floats(width=32)))
    certificate = enclose_logistic(X, y, primal=a, dual=dual, lam=lam)
    best = fitted(name, lam).certificate
    assert 0 <= certificate.lower <= best.upper
    assert best.lower <= certificate.upper < np.inf


@pytest.mark.parametrize("lam", [0.0, 1e-8, 1e-2, 10.0])
@pytest.mark.parametrize("name", ["overlap", "copied column", "unscaled"])
@settings(deadline=None, max_examples=20)
@given(data=st.data())
def test_the_dual_repairs_what_is_nearly_right(name, lam, data):
    """Weights near σ(-m), off the constraint by any small amount, still bound from below, and not badly."""
    X, y = NASTY[name]
    fit = fitted(name, lam)
    size = data.draw(st.sampled_from([1e-12, 1e-6, 1e-3]))
    noise = data.draw(hnp.arrays(float, len(y), elements=st.floats(-1, 1)))
    alpha = fit.certificate.dual * (1 + size * noise)
    found = enclose_logistic(X, y, primal=fit.plane.a, dual=alpha, lam=lam)
    assert found.lower <= fit.certificate.upper
    if lam == 0 or name != "unscaled":
        assert (
            found.lower
            >= fit.certificate.lower - 10 * size**2 / max(lam, 1e-2 if lam == 0 else lam) - 1e-9
        )


@settings(deadline=None, max_examples=30)
@given(a=hnp.arrays(float, 3, elements=numbers), lam=st.sampled_from([0.0, 1e-3, 5.0]))
def test_upper_is_safe_from_rounding(a, lam):
    """upper is not below the objective computed with 60 digits, nor far above it."""
    X, y = OVERLAP
    exact = objective_exact(X, y, a, lam)
    upper = enclose_logistic(X, y, primal=a, dual=np.zeros(28), lam=lam).upper
    assert exact <= Decimal(upper) <= exact * (1 + Decimal("1e-12")) + Decimal("1e-12")


@pytest.mark.parametrize("lam", [0.0, 1e-6, 1e-2, 10.0])
@pytest.mark.parametrize(
    "name", ["overlap", "xor", "overshoot", "copied column", "far from the origin"]
)
def test_lower_is_below_every_objective_computed_with_60_digits(name, lam):
    """At the answer nothing but rounding separates the ends, so an unsafe lower end would show."""
    X, y = NASTY[name]
    fit = ll.logistic(X, y, lam=lam)
    assert Decimal(fit.certificate.lower) <= objective_exact(X, y, fit.plane.a, lam)


@settings(deadline=None)
@given(w=hnp.arrays(float, 2, elements=st.floats(-3, 3)), lam=st.sampled_from([1e-3, 0.1, 10.0]))
def test_gradient_norm_is_a_duality_gap(w, lam):
    """With b solved for w, the gap of (w, σ(-m)) is ‖∇_w‖²/2λ."""
    X, y = OVERLAP
    a = np.append(w, solve_offset(X, y, w))
    alpha = expit(-y * (X @ w + a[-1]))
    gradient = lam * w - X.T @ (alpha * y) / len(y)
    gap = gradient @ gradient / (2 * lam)
    certificate = enclose_logistic(X, y, primal=a, dual=alpha, lam=lam)
    assume(certificate.upper - gap > 1e-3)  # else lower is 0, which is better
    assert certificate.gap == pytest.approx(gap, rel=1e-6, abs=1e-11)


def test_the_projected_dual_is_second_order_without_a_penalty():
    """λ = 0: ten times nearer to the minimiser, a hundred times smaller a gap."""
    X, y = OVERLAP
    best = ll.logistic(X, y).plane.a
    gaps = []
    for size in (1e-2, 1e-3, 1e-4):
        a = best + size * np.array([1.0, -1.0, 0.5])
        alpha = expit(-y * (X @ a[:-1] + a[-1]))
        gaps.append(enclose_logistic(X, y, primal=a, dual=alpha).gap)
    assert gaps[0] / gaps[1] == pytest.approx(100, rel=0.3)
    assert gaps[1] / gaps[2] == pytest.approx(100, rel=0.3)


@pytest.mark.parametrize("lam", [0.0, 1e-10, 1e-3, 1.0, 1e4])
@pytest.mark.parametrize("name", NASTY)
def test_the_gap_closes_on_nasty_samples(name, lam):
    """1e-8 relative to the value, and verified again from the samples."""
    X, y = NASTY[name]
    fit = ll.logistic(X, y, lam=lam)
    assert 0 <= fit.certificate.gap <= 1e-8 * fit.certificate.upper
    assert fit.verify(X, y).gap <= 1e-8 * fit.certificate.upper
    assert fit.certificate.options == {"lam": lam, "sample_weight": None}


@pytest.mark.parametrize("C", [1e-6, 1e-3, 1.0, 1e3, 1e6, 1e8])
@pytest.mark.parametrize("name", SEPARABLE)
def test_a_penalty_makes_an_answer_of_separable_samples(name, C):
    """Any λ > 0 has a minimiser; the enclosure closes even where the value is all but 0."""
    X, y = SEPARABLE[name]
    certificate = ll.logistic(X, y, lam=1 / (C * len(y))).certificate
    assert certificate.lower > 0
    assert certificate.gap <= 1e-7 * certificate.upper


def test_plain_newton_diverges_and_the_damped_one_does_not():
    """n = 29, one feature, a finite estimate, start 0; the notes' iteration leaves every bound."""
    X, y = OVERSHOOT
    Z, a = ll.signed(X, y), np.zeros(2)
    for _ in range(8):
        p = expit(-Z @ a)
        a = a + np.linalg.solve((Z * (p * (1 - p))[:, None]).T @ Z, Z.T @ p)
        if np.abs(a).max() > 500:
            break
    assert np.abs(a).max() > 500
    fit = ll.logistic(X, y)
    assert fit.plane.a == pytest.approx([-1.2038, 2.8938], abs=1e-4)
    assert 29 * fit.certificate.upper == pytest.approx(5.858633, abs=1e-6)
    assert fit.trace["rate"][1:].min() < 1 and (np.diff(fit.trace["objective"]) < 0).all()


@settings(deadline=None, max_examples=60)
@given(a=hnp.arrays(float, 2, elements=st.floats(-50, 50)))
def test_it_converges_from_every_start(a):
    """Strictly convex with compact level sets, and never uphill."""
    X, y = OVERSHOOT
    fit = ll.logistic(X, y, start=ll.Hyperplane.from_homogeneous(a))
    assert fit.trace[0].plane.a == pytest.approx(a, abs=1e-9)
    assert fit.certificate.gap < 1e-10


@pytest.mark.parametrize("w", [-1e5, -900.0, 900.0, 1e5])
def test_it_comes_back_from_where_the_curvature_is_0(w):
    """At margins of thousands σ(1 - σ) underflows: the Hessian is singular, the gradient is not 0."""
    fit = ll.logistic(*OVERSHOOT, start=ll.Hyperplane([w]))
    assert fit.certificate.gap < 1e-10


def test_copies_of_a_feature_share_its_weight():
    """Directions that change no score are not wandered in."""
    X, y = NASTY["copied column"]
    one, w = ll.logistic(*OVERLAP).plane.w, ll.logistic(X, y).plane.w
    assert w == pytest.approx([one[0] / 2, one[1], one[0] / 2], abs=1e-9)


@pytest.mark.parametrize("lam", [0.0, 1e-2])
@pytest.mark.parametrize("name", ["overlap", "overshoot", "copied column"])
def test_newton_converges_quadratically(name, lam):
    """λ_{k+1} ≤ cλ_k² once steps are full: a wrong Hessian reaches the same optimum, slowly."""
    decrement = ll.logistic(*NASTY[name], lam=lam).trace["decrement"]
    fast = [(u, v) for u, v in pairwise(decrement) if 1e-7 < u < 0.02]
    assert fast and all(v <= 5 * u**2 + 1e-14 for u, v in fast)


def test_half_the_squared_decrement_is_the_gap_to_first_order():
    """All of it above the optimum: the projected dual is better by one order."""
    fit = ll.logistic(*OVERLAP)
    step = next(s for s in fit.trace if s.decrement < 1e-2)
    X, y = OVERLAP
    alpha = expit(-y * step.plane.score(X))
    gap = enclose_logistic(X, y, primal=step.plane.a, dual=alpha).gap
    assert gap == pytest.approx(step.decrement**2 / 2, rel=0.05)
    assert step.objective - fit.certificate.lower == pytest.approx(step.decrement**2 / 2, rel=0.05)


def test_every_step_says_what_it_is():
    """Objectives are the objective's, numbers run from 0, memory is nobody's but the step's."""
    X, y = OVERLAP
    fit = ll.logistic(X, y, lam=0.1)
    steps = list(fit.trace)
    assert [s.k for s in steps] == list(range(len(steps)))
    for step in steps:
        assert step.objective == pytest.approx(objective(X, y, step.plane.a, 0.1), rel=1e-13)
    for s, t in pairwise(steps):
        assert not np.shares_memory(s.plane.w, t.plane.w)
    assert np.array_equal(fit.trace["a"], [s.plane.a for s in steps])
    assert np.array_equal(fit.plane.a, steps[-1].plane.a)
    assert len(ll.logistic(X, y, max_updates=2).trace) == 3


@pytest.mark.parametrize("name", SEPARABLE)
def test_separable_samples_are_answered_with_the_separating_plane(name):
    """No minimiser exists: the infimum 0 is proved, and every loss is positive. No number is huge."""
    X, y = SEPARABLE[name]
    fit = ll.logistic(X, y)
    assert (fit.certificate.lower, fit.certificate.upper) == (0, 0)
    assert (ll.margins(fit.plane, X, y) > 0).all() and recedes(X, y, fit.plane.a)
    assert fit.trace[-1].rate == np.inf and fit.trace[-1].objective == 0
    assert not fit.certificate.attained and fit.certificate.options["start"] == [0.0] * (
        X.shape[1] + 1
    )
    assert np.linalg.norm(fit.plane.a) < 1e3 * np.linalg.norm(ll.separate(X, y).plane.a)
    assert np.array_equal(fit.trace[-1].plane.a, fit.plane.a)
    assert fit.trace["k"].tolist() == list(range(len(fit.trace)))
    fit.verify(X, y)


@pytest.mark.parametrize("name", QUASI)
def test_quasi_separable_samples_are_recognised(name):
    """Za ≥ 0 with equality on some samples: the infimum is not attained; it is what these cost, alone."""
    X, y = QUASI[name]
    fit = ll.logistic(X, y)
    m = ll.margins(fit.plane, X, y)
    assert recedes(X, y, fit.plane.a) and (m == 0).any() and np.abs(fit.plane.a).max() < 1e3
    assert ll.separate(X, y).certificate.lower == 0
    enclosed, penalised = fit.certificate, ll.logistic(X, y, lam=1e-9).certificate
    assert 0 <= enclosed.gap <= 1e-9 * enclosed.upper
    assert enclosed.lower <= penalised.upper == pytest.approx(enclosed.upper, abs=1e-5)
    assert enclosed.upper <= np.log(2) * (m == 0).mean() * (1 + 1e-12)
    assert fit.verify(X, y).lower == enclosed.lower


def test_the_infimum_is_followed_from_any_start():
    """Two samples at 1 with both labels, one at 3 alone: 2 ln 2 from 0 or on the ray, more from elsewhere."""
    X, y, u = [[0.0], [1.0], [1.0], [3.0]], [-1, -1, 1, 1], [1.0, -1.0]
    tie = [0.0, 0.5, 0.5, 0.0]
    best = 2 * math.log(2) / 4
    for start in (None, [0.0, 0.0], [5.0, -5.0]):
        found = enclose_logistic(X, y, primal=u, dual=tie, start=start)
        assert found.lower <= best <= found.upper and found.gap < 1e-14
        assert found.options["start"] == (start or [0.0, 0.0])
    away = enclose_logistic(X, y, primal=u, dual=tie, start=[1.0, 0.0]).upper
    assert away == pytest.approx((np.logaddexp(0, 1) + np.logaddexp(0, -1)) / 4, rel=1e-14)
    # A plane that does not recede has its own loss, whatever the start.
    at = enclose_logistic(X, y, primal=[1.0, -0.5], dual=tie, start=[9.0, 9.0]).upper
    assert at == pytest.approx(objective(np.array(X), np.array(y), np.array([1.0, -0.5]), 0))
    with pytest.raises(ValueError, match=r"`start` must hold 2 numbers"):
        enclose_logistic(X, y, primal=u, dual=tie, start=[1.0])


@pytest.mark.parametrize("name", QUASI)
@settings(deadline=None, max_examples=20)
@given(data=st.data())
def test_weak_duality_holds_from_any_start(name, data):
    X, y = QUASI[name]
    fit = fitted(name, 0.0)
    start = data.draw(hnp.arrays(float, X.shape[1] + 1, elements=numbers))
    dual = data.draw(hnp.arrays(float, len(y), elements=st.floats(0, 1)))
    found = enclose_logistic(X, y, primal=fit.plane.a, dual=dual, start=start)
    assert fit.certificate.lower <= found.upper and found.lower <= fit.certificate.upper


def test_weights_on_ties_alone_are_repaired_there():
    """σ(-m) = ½ on both samples at 1, and what is left of the others far away: proved to ten digits."""
    X, y = [[0.0], [1.0], [1.0], [2.0]], [-1, -1, 1, 1]
    for left in (0.0, 1e-300, 1e-14):
        lower = enclose_logistic(X, y, primal=[1, -1], dual=[left, 0.5, 0.5, left]).lower
        assert lower == pytest.approx(math.log(2) / 2, rel=1e-10)
    for worthless in ([0, 1, 1, 0], [0, 0, 1e-12, 0]):
        assert enclose_logistic(X, y, primal=[1, -1], dual=worthless).lower < 1e-6


def test_points_that_are_no_round_numbers_are_ties_too():
    """Two points with both labels, all else on one side of their line: no relation of columns is whole."""
    points = np.repeat([[0.1, 0.3], [0.7, 0.2], [0.1, 0.9], [0.6, 0.8]], [3, 2, 1, 1], axis=0)
    y = np.array([1.0, -1.0, -1.0, 1.0, -1.0, 1.0, 1.0])
    fit = ll.logistic(points, y)
    third, half = math.log(3) - 2 / 3 * math.log(2), math.log(2)
    assert fit.certificate.lower == pytest.approx((3 * third + 2 * half) / 7, abs=1e-10)
    assert fit.certificate.gap < 1e-8


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 10**6), unit=st.sampled_from([1.0, 0.5, 0.3, 0.1]))
def test_every_infimum_is_enclosed_tightly(seed, unit):
    """Few different points, so that ties are frequent: attained or not, the gap closes."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (9, 2)) * unit
    y = np.where(np.arange(9) < rng.integers(1, 9), 1.0, -1.0)
    assert ll.logistic(X, y).certificate.gap < 1e-8


@settings(deadline=None, max_examples=100)
@given(
    X=hnp.arrays(np.int8, (7, 2), elements=st.integers(-3, 3)).map(np.float64),
    y=hnp.arrays(np.int8, 7, elements=st.sampled_from([-1, 1])).filter(lambda y: len(set(y)) == 2),
)
def test_a_minimiser_exists_unless_some_direction_recedes(X, y):
    """Albert and Anderson (1984), both alternatives proved, against a linear program."""
    fit = ll.logistic(X, y)
    Z = ll.signed(X, y)
    oracle = linprog(-Z.sum(axis=0), A_ub=-Z, b_ub=np.zeros(7), bounds=[(-1, 1)] * 3)
    if -oracle.fun > 1e-7:
        assert recedes(X, y, fit.plane.a) and not fit.certificate.attained
    else:
        assert fit.certificate.attained and "start" not in fit.certificate.options
        assert not recedes(X, y, fit.plane.a)
        assert fit.certificate.lower > 0 and fit.certificate.gap < 1e-8


def test_recedes_is_decided_without_rounding():
    """0.1 + 0.2 is not 0.3: a margin of 5e-17 is no tie, and its sign counts."""
    X, y = [[0.1, 0.2], [9.0, 9.0]], [1, -1]
    assert recedes(X, y, [-1.0, -1.0, 0.3]) is (0.1 + 0.2 <= 0.3 - 5e-17)
    assert recedes(X, y, [-1.0, -1.0, 0.5])
    assert recedes([[1.0], [1.0], [2.0]], [1, -1, 1], [1.0, -1.0])
    assert not recedes([[1.0], [1.0], [2.0]], [1, -1, 1], [0.0, 0.0])
    assert not recedes([[1.0], [1.0], [2.0]], [1, -1, -1], [1.0, -1.0])
    # The margins are 6e222, -1e-176 and 1e139: beside the first one the second is less than any float.
    X, a = (
        [[1e99 * (1 + 2**-50), 1e99], [4e-300, 4e-300], [-1, 0]],
        [1e139, -1e139 * (1 + 2**-52), 0],
    )
    assert not recedes(X, [1, 1, -1], a) and not recedes(X[:2] + X[1:], [1, 1, -1, -1], a)
    assert recedes(X, [1, -1, -1], a)


@pytest.mark.parametrize("lam", [0.0, 1e-4, 1e-1])
@pytest.mark.parametrize("name", ["overlap", "99:1", "large"])
def test_the_plane_is_scikit_learns(name, lam):
    """newton-cholesky at tolerance 1e-12, with C = 1/(λn)."""
    X, y = NASTY[name]
    C = 1 / (lam * len(y)) if lam else np.inf
    oracle = LogisticRegression(C=C, solver="newton-cholesky", tol=1e-12, max_iter=200).fit(X, y)
    theirs = np.append(oracle.coef_, oracle.intercept_)
    fit = ll.logistic(X, y, lam=lam)
    assert fit.plane.a == pytest.approx(theirs, abs=2e-6 * np.abs(theirs).max())
    assert fit.certificate.lower <= objective(X, y, theirs, lam)


def test_the_value_is_that_of_a_general_optimiser():
    X, y = OVERLAP
    found = minimize(lambda a: objective(X, y, a, 0.01), np.zeros(3), method="BFGS", tol=1e-9)
    certificate = ll.logistic(X, y, lam=0.01).certificate
    assert certificate.lower <= found.fun == pytest.approx(certificate.upper, rel=1e-9)


def test_one_binary_feature_has_a_closed_form():
    """b and w + b are the log-odds of the two groups."""
    X = np.repeat([0.0, 1.0], [10, 20])[:, None]
    y = np.where(np.isin(np.arange(30), [0, 1, 2, 10, 11, 12, 13, 14]), 1.0, -1.0)
    plane = ll.logistic(X, y).plane
    assert [plane.b, plane.w[0] + plane.b] == pytest.approx([logit(3 / 10), logit(5 / 20)])


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 10**6), lam=st.sampled_from([0.0, 0.05]))
def test_it_moves_with_the_samples(seed, lam):
    """Flip, translate, rotate, permute, copy, rescale."""
    X, y = ll.data.gaussians(60, 3, delta=1.0, seed=seed)
    plane = ll.logistic(X, y, lam=lam).plane
    assume(np.linalg.norm(plane.w) < 10 and not recedes(X, y, plane.a))
    rng = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(rng.standard_normal((3, 3)))
    order, shift = rng.permutation(60), rng.standard_normal(3)
    two = np.repeat(X, 2, axis=0), np.repeat(y, 2)
    expected = {
        "flip": (ll.logistic(X, -y, lam=lam), -plane.w, -plane.b),
        "translate": (ll.logistic(X + shift, y, lam=lam), plane.w, plane.b - plane.w @ shift),
        "rotate": (ll.logistic(X @ Q, y, lam=lam), Q.T @ plane.w, plane.b),
        "permute": (ll.logistic(X[order], y[order], lam=lam), plane.w, plane.b),
        "copy": (ll.logistic(*two, lam=lam), plane.w, plane.b),
        "rescale": (ll.logistic(3 * X, y, lam=9 * lam), plane.w / 3, plane.b),
    }
    for what, (fit, w, b) in expected.items():
        assert np.append(fit.plane.w, fit.plane.b) == pytest.approx(np.append(w, b), abs=1e-5), what


@pytest.mark.parametrize("lam", [0.0, 1e-3])
def test_a_part_of_the_samples_only_helps_to_start(lam):
    """The start changes the number of steps, not the answer; also where every 7th label is the same."""
    X, y = ll.data.gaussians(7 * 600, 3, delta=1.0)
    order = np.argsort(y, kind="stable")  # 2100 of each: make every 7th one of the first class
    late = np.flatnonzero(np.arange(len(y)) % 7)
    rows = np.empty(len(y), dtype=int)
    rows[::7], rows[late] = order[:600], order[600:]
    for X_, y_ in ((X, y), (X[rows], y[rows])):
        fit, slow = (
            ll.logistic(X_, y_, lam=lam),
            ll.logistic(X_, y_, lam=lam, start=ll.Hyperplane([0.0] * 3)),
        )
        assert fit.plane.a == pytest.approx(slow.plane.a, abs=1e-5)
        assert fit.certificate.gap < 1e-9
    assert ll.logistic(X, y, lam=lam).trace[0].decrement < 0.1


def test_more_features_than_samples_cost_no_more_than_the_samples():
    """w is a combination of the samples; the answer is that of the full problem."""
    X, y = ll.data.gaussians(12, 40, delta=0.5)
    fit = ll.logistic(X, y, lam=0.1, start=ll.Hyperplane(np.zeros(40)))
    oracle = LogisticRegression(C=1 / 1.2, solver="lbfgs", tol=1e-12, max_iter=1000).fit(X, y)
    assert fit.plane.w == pytest.approx(oracle.coef_[0], abs=1e-6)
    assert fit.certificate.gap < 1e-12


def test_saved_and_loaded_it_still_proves_itself(tmp_path):
    X, y = OVERLAP
    fit = ll.logistic(X, y, lam=0.25)
    fit.save(tmp_path / "fit.npz")
    back = ll.Fit.load(tmp_path / "fit.npz")
    assert back.verify(X, y).lower == fit.certificate.lower
    with pytest.raises(ValueError, match="the certificate claims"):
        back.verify(X + np.outer(y, [1.0, 0.0]), y)
    X, y = QUASI["beyond 3"]
    fit = ll.logistic(X, y)
    fit.save(tmp_path / "fit.npz")
    assert ll.Fit.load(tmp_path / "fit.npz").verify(X, y).upper == fit.certificate.upper


def test_bad_options_are_named():
    X, y = OVERLAP
    with pytest.raises(ValueError, match="`lam` must be a finite number ≥ 0; got -1"):
        ll.logistic(X, y, lam=-1)
    with pytest.raises(ValueError, match="`max_updates` must be an integer ≥ 0; got 1"):
        ll.logistic(X, y, max_updates=1.5)
    with pytest.raises(ValueError, match="`start` must be a Hyperplane; got list"):
        ll.logistic(X, y, start=[0.0])
    with pytest.raises(ValueError, match="`start` must have 2 weights, one per feature; got 1"):
        ll.logistic(X, y, start=ll.Hyperplane([0.0]))
    with pytest.raises(ValueError, match="`y` must contain both labels"):
        ll.logistic(X, np.ones(28))


def test_witnesses_of_the_wrong_shape_are_refused():
    X, y = OVERLAP
    with pytest.raises(
        ValueError, match=r"`dual` must hold one \w+ for each of the 28 samples.*got shape \(3,\)"
    ):
        enclose_logistic(X, y, primal=[0, 0, 0], dual=[1, 1, 1])
    with pytest.raises(ValueError, match=r"`primal` must hold 3 numbers"):
        enclose_logistic(X, y, primal=[0, 0], dual=np.ones(28))


@pytest.mark.parametrize("far", [0.0, 1e5])
@pytest.mark.parametrize(("n", "d"), [(10, 60), (3, 200), (10, 8)])
@pytest.mark.parametrize("seed", range(3))
def test_copies_with_other_labels_stay_copies_in_the_span(seed, n, d, far):
    """More features than samples, each of which stands in both classes."""
    rng = np.random.default_rng(seed)
    x = np.round(rng.standard_normal((n, d)), 3) * 10.0 ** rng.integers(-3, 4, d) + far
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    X, labels = np.vstack([x, x, x]), np.concatenate([y, y, -y])
    for lam in (0.0, 1e-3):
        start = ll.Hyperplane(rng.standard_normal(d) / 10, 1.0)
        ends = [ll.logistic(X, labels, lam=lam, start=s).certificate for s in (None, start)]
        assert all(found.relative_gap <= 1e-8 and found.attained for found in ends)
        if d > n and not lam:  # each sample on its own: two labels against one
            best = (2 * np.log1p(0.5) + np.log1p(2)) / 3
            assert [found.upper for found in ends] == pytest.approx([best, best], rel=1e-8)
            assert all(found.score_bound == np.inf for found in ends)


# sample weights


def weighted(seed, n=60, d=3):
    """Overlapping samples with integer weights from 0 to 3, some positive in each class."""
    X, y = ll.data.gaussians(n, d, delta=1.0, seed=seed)
    sample_weight = np.random.default_rng(seed).integers(0, 4, n).astype(float)
    sample_weight[:2] = 2.0
    return X, y, sample_weight


@pytest.mark.parametrize("lam", [0.0, 1e-3, 1.0])
@pytest.mark.parametrize("seed", range(4))
def test_a_weight_of_two_is_two_samples(seed, lam):
    """Integer weights are copies, 0 is none: the same plane, and two enclosures of one value."""
    X, y, sample_weight = weighted(seed)
    copies = sample_weight.astype(int)
    ours = ll.logistic(X, y, lam=lam, sample_weight=sample_weight)
    theirs = ll.logistic(np.repeat(X, copies, axis=0), np.repeat(y, copies), lam=lam)
    found, other = ours.verify(X, y), theirs.certificate
    assert max(found.gap, other.gap) <= 1e-9 * found.upper
    assert found.lower <= other.upper and other.lower <= found.upper
    assert ours.plane.a == pytest.approx(theirs.plane.a, rel=1e-5, abs=1e-8)


@pytest.mark.parametrize("seed", range(3))
def test_a_weighted_fit_of_many_samples_starts_from_a_part(seed):
    """64 samples an unknown and more: a part with its own weights makes the start."""
    X, y, sample_weight = weighted(seed, n=3000, d=4)
    fit = ll.logistic(X, y, lam=0.01, sample_weight=sample_weight)
    assert fit.trace[0].plane.w.any() and fit.certificate.gap <= 1e-9 * fit.certificate.upper
    loss = sample_weight / sample_weight.sum() @ np.logaddexp(0, -ll.margins(fit.plane, X, y))
    assert fit.certificate.upper == pytest.approx(loss + 0.005 * fit.plane.w @ fit.plane.w)
    assert fit.trace[-1].objective == pytest.approx(fit.certificate.upper)


@pytest.mark.parametrize("lam", [0.0, 0.1])
@pytest.mark.parametrize("seed", range(4))
def test_weighted_bounds_hold_for_any_witnesses(seed, lam):
    X, y, sample_weight = weighted(seed)
    sample_weight *= np.where(np.arange(60) % 3, 0.3, 1e-4)
    rng = np.random.default_rng(seed)
    best = ll.logistic(X, y, lam=lam, sample_weight=sample_weight).certificate
    for _ in range(20):
        found = enclose_logistic(
            X,
            y,
            primal=rng.normal(size=4),
            dual=rng.random(60),
            lam=lam,
            sample_weight=sample_weight,
        )
        assert found.lower <= best.upper and best.lower <= found.upper


def test_balanced_weights_are_one_over_the_classes_size():
    X, y = ll.data.gaussians(50, 2, delta=1.0)
    X, y = X[10:], y[10:]
    named = ll.logistic(X, y, sample_weight="balanced").certificate
    each = np.where(y > 0, 1 / (y > 0).sum(), 1 / (y < 0).sum())
    given = ll.logistic(X, y, sample_weight=each).certificate
    assert named.upper == pytest.approx(given.upper) and named.lower == pytest.approx(given.lower)
    assert named.options["sample_weight"] == "balanced" and named.scale == pytest.approx(np.log(2))


def test_a_weighted_loss_that_falls_for_ever():
    """Only samples with a positive weight must be separated; ties cost their share of ln 2 and no less."""
    X, y = [[0.0], [1.0], [1.0], [2.0], [3.0]], [-1, -1, 1, 1, -1]
    fit = ll.logistic(X, y, sample_weight=[1.0, 2.0, 2.0, 1.0, 0.0])
    assert not fit.certificate.attained and fit.certificate.separable is None
    assert fit.certificate.upper == pytest.approx(4 / 6 * np.log(2))
    assert fit.verify(X, y).gap <= 1e-9
    with pytest.raises(
        ValueError, match="`sample_weight` must be ≥ 0, with a positive entry in each"
    ):
        ll.logistic(X, y, sample_weight=[1.0, 2.0, 0.0, 0.0, 1.0])


# quasi-complete separation: what is predicted is the limit


def dummies(seed, n=60, scaled=False):
    """Age, and two dummies that predict their labels perfectly; standardised or not."""
    rng = np.random.default_rng(seed)
    age = rng.integers(20, 70, n).astype(float)
    y = np.where(rng.random(n) < expit((age - 45) / 6), 1.0, -1.0)
    hot = np.zeros((n, 2))
    hot[:8, 0], y[:8] = 1, 1
    hot[8:14, 1], y[8:14] = 1, -1
    X = np.column_stack([hot, age])
    return (ll.data.standardise(X) if scaled else X), y


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_what_is_predicted_under_quasi_separation_is_what_is_certified(seed, scaled):
    """0 and 1 for those with a dummy, the others' own maximum-likelihood probabilities for the others."""
    X, y = dummies(seed, scaled=scaled)
    fit, on = ll.logistic(X, y), np.arange(60) >= 14
    own = ll.logistic(X[on][:, 2:], y[on])
    scores = fit.decision_function(X)
    assert fit.certificate.attained is False and fit.converged
    assert np.logaddexp(0, -y * scores).mean() == pytest.approx(fit.certificate.upper, rel=1e-9)
    assert scores[on] == pytest.approx(own.decision_function(X[on][:, 2:]), abs=1e-5)
    assert (y * scores)[~on].min() > 700 and fit.score(X, y) == (y * scores > 0).mean()
    assert "quasi-separated: where f(x) = 0 decides w=" in repr(fit)
    assert "quasi-separated" in fit._repr_html_()


@pytest.mark.parametrize("scaled", [False, True])
def test_new_points_are_asked_the_direction_first_and_then_the_limit(scaled):
    X, y = dummies(0, scaled=scaled)
    fit = ll.logistic(X, y)
    plain, first, second = X[20], X[0], X[8]
    new = np.array([plain, first, second, [*plain[:2], 99.0], [*first[:2], -99.0]])
    limit = fit.limit.score(new)
    scores = fit.decision_function(new)
    assert scores[[0, 3]] == pytest.approx(limit[[0, 3]]) and abs(scores[3]) < 1000
    assert scores[1] > 700 and scores[2] < -700 and scores[4] > 700
    assert fit.predict(new[1:3]).tolist() == [1, -1]


def test_a_direction_that_floats_cannot_hold_is_kept_in_fractions(tmp_path):
    """Standardised dummies: no plane of floats has all ties on it. Saved and loaded it is the same."""
    X, y = dummies(0, scaled=True)
    fit = ll.logistic(X, y)
    exact = [Fraction(v) for v in fit.certificate.options["exact"]]
    Z = [[Fraction(v) * int(s) for v in [*x, 1.0]] for x, s in zip(X.tolist(), y, strict=True)]
    margins = [sum(a * v for a, v in zip(exact, z, strict=True)) for z in Z]
    assert min(margins) == 0 and margins.count(0) == 46
    assert not recedes(X, y, fit.plane.a)
    fit.save(tmp_path / "fit.npz")
    back = ll.Fit.load(tmp_path / "fit.npz")
    assert back.verify(X, y).attained is False
    assert (back.decision_function(X) == fit.decision_function(X)).all()
    with pytest.raises(ValueError, match="`exact` must be a list of 4 fractions"):
        enclose_logistic(X, y, primal=fit.plane.a, exact=["1"])


def test_samples_that_the_linear_program_was_not_asked_about_leave_the_plane_too():
    """Rare dummies of which few are among the first rows asked: 0 … ln 2 it was, and every probability ½."""
    rng = np.random.default_rng(0)
    X = (rng.random((2600, 30)) < rng.uniform(0.0005, 0.01, 30)).astype(float)
    y = np.where(rng.random(2600) < expit(X @ rng.normal(size=30) * 1.5 - 0.2), 1.0, -1.0)
    fit = ll.logistic(X, y)
    assert fit.certificate.attained is False and fit.converged
    cost = np.logaddexp(0, -y * fit.decision_function(X)).mean()
    assert cost == pytest.approx(fit.certificate.upper, rel=1e-9) and cost < 0.68
    pure = [j for j in range(30) if len(set(y[X[:, j] > 0])) == 1]
    assert (fit.plane.w[pure] != 0).all()  # as many samples as possible are off the plane


def test_dependent_columns_forbid_no_minimiser():
    """Za = 0 for a ≠ 0: copies, constants, one-hot columns. A minimiser exists, and that is proved."""
    X, y = ll.data.drawn(overlap=True)
    hot = np.eye(3)[np.arange(len(y)) % 3]
    for wide in (X[:, [0, 1, 0]], np.column_stack([X, 0 * y + 7]), np.column_stack([X, hot])):
        fit = ll.logistic(wide, y)
        assert fit.certificate.attained is True and fit.limit is None and fit.converged


def test_a_budget_that_runs_out_proves_neither():
    """One step on separable samples: no minimiser is claimed, and none is denied."""
    X, y = QUASI["beyond 3"]
    fit = ll.logistic(X, y, max_updates=0)
    assert fit.certificate.attained is None and fit.limit is None
    assert fit.verify(X, y).attained is None


def test_samples_of_weight_0_have_no_part_in_the_last_state():
    """The direction of a quasi-separation is found without them, so they do not limit the step along it."""
    more = ll.logistic([[0.0], [0.0], [1.0], [2.0]], [1, -1, 1, -1], sample_weight=[1, 1, 1e-12, 0])
    less = ll.logistic([[0.0], [0.0], [1.0]], [1, -1, 1], sample_weight=[1, 1, 1e-12])
    assert more.trace[-1].objective == less.trace[-1].objective == pytest.approx(np.log(2))
