"""Soft and hard margins: duality for any witnesses, the two limits in C, support vectors, oracles."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from nasty import OVERLAP, SAMPLES
from scipy.optimize import linprog, minimize
from sklearn.svm import SVC

import linlearn as ll
from benchmarks.sets import noisy
from linlearn.certificates import (
    enclose_hard_margin,
    enclose_soft_margin,
    gordan_exact,
    hard_margin_exact,
    soft_margin_exact,
)
from linlearn.solvers import hinge, interior_point
from linlearn.solvers import svm as support

CANCER = ll.data.breast_cancer()
STANDARD = (ll.data.standardise(CANCER[0]), CANCER[1])
NASTY = SAMPLES | {
    "only constants": (np.full((4, 2), 0.1), np.array([1.0, 1, 1, -1])),
    "wide, unscaled": (
        ll.data.gaussians(20, 60, delta=0.5)[0] * np.geomspace(1e-6, 1e6, 60),
        ll.data.gaussians(20, 60)[1],
    ),
    "unscaled separable": (
        ll.data.separable(300, 5)[0] * [1e-6, 1e-3, 1, 1e3, 1e6],
        ll.data.separable(300, 5)[1],
    ),
    "cancer": STANDARD,
    "cancer, raw units": CANCER,
}
SEPARABLE = [k for k, (X, y) in NASTY.items() if ll.linear_program(X, y).certificate.upper < 1e-9]
SMALL = [k for k, (X, _) in NASTY.items() if X.size <= 200]
TRIANGLE = (np.array([[0.0, 0], [2, 0], [0, 2], [3, 3]]), np.array([-1.0, 1, 1, 1]))


def objective(X, y, a, C):
    short = np.maximum(0, 1 - y * (X @ a[:-1] + a[-1]))
    return a[:-1] @ a[:-1] / 2 + C * short.sum()


def test_a_feature_that_only_unseen_samples_have_counts():
    """Its scale comes from every second sample, where it is 0: it must not pass for a constant."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((3000, 3)), np.where(rng.random(3000) < 0.5, 1.0, -1.0)
    X[:, 2] = np.where(np.arange(3000) % 2, y, 0.0)
    for fit in (ll.svm(X, y, C=10.0), ll.linear_program(X, y)):
        assert fit.certificate.gap <= 1e-8 * fit.certificate.upper


@pytest.mark.parametrize("C", [1e-6, 1e-2, 1.0, 300.0, 1e4, 1e8])
@pytest.mark.parametrize("name", NASTY)
def test_strong_duality_for_every_C(name, C):
    """lower = upper up to 1e-8 of the value, from nC = 1e-6 to 1e8, and it verifies."""
    X, y = NASTY[name]
    C /= len(y)
    fit = ll.svm(X, y, C=C)
    found = fit.verify(X, y)
    assert np.isfinite(fit.plane.a).all() and found.upper > 0
    assert 0 <= found.gap <= 1e-8 * found.upper
    assert objective(X, y, fit.plane.a, C) == pytest.approx(found.upper, rel=1e-8)


def test_what_stays_open_is_no_error(monkeypatch):
    """An engine that gets nowhere leaves a gap, and samples that no plane separates are no less welcome."""
    none = np.zeros(3), np.zeros(28)
    monkeypatch.setattr(support, "solve_margins", lambda *given, **asked: none)
    fit = ll.svm(*OVERLAP, C=1.0)
    assert not fit.converged and fit.certificate.lower == 0
    assert fit.certificate.upper == pytest.approx(28, rel=1e-12)


@pytest.mark.parametrize("name", SEPARABLE)
def test_strong_duality_of_the_hard_margin(name):
    """The same for the hard margin, whose planes have margins ≥ 1 and w = Σ αᵢyᵢxᵢ."""
    X, y = NASTY[name]
    fit = ll.max_margin(X, y)
    found = fit.verify(X, y)
    assert 0 <= found.gap <= 1e-8 * found.upper
    assert ll.margins(fit.plane, X, y).min() == pytest.approx(1, abs=1e-6)
    assert found.dual.sum() == pytest.approx(2 * found.lower, rel=1e-9)


@pytest.mark.parametrize("name", [k for k in NASTY if k not in SEPARABLE])
def test_inseparable_samples_are_refused_with_gordans_vector(name):
    X, y = NASTY[name]
    with pytest.raises(
        ll.NotSeparable, match="convex hulls of its two classes have a common point"
    ) as caught:
        ll.max_margin(X, y)
    proof = caught.value.certificate
    assert proof.quantity == "margin" and proof.lower == 0
    scale = np.linalg.norm(ll.signed(X, y), axis=1).max()
    assert np.linalg.norm(ll.signed(X, y).T @ proof.dual) <= 1e-9 * scale
    if name in ("xor", "overlap"):
        assert sum(gordan_exact(X, y, dual=proof.dual)) == 1


@cache
def fitted(method, name, **options):
    """The fit that the examples of a property are compared with, made once."""
    return method(*NASTY[name], **options).certificate


@pytest.mark.parametrize("name", SMALL)
@settings(deadline=None, max_examples=30)
@given(data=st.data(), C=st.sampled_from([1e-7, 0.1, 1e7]))
def test_weak_duality_for_arbitrary_witnesses(name, data, C):
    """lower ≤ optimum ≤ upper for any plane and any multipliers, soft and hard."""
    X, y = NASTY[name]
    a = data.draw(hnp.arrays(float, X.shape[1] + 1, elements=st.floats(-1e6, 1e6)))
    dual = data.draw(hnp.arrays(float, len(y), elements=st.floats(width=32)))
    best, found = (
        fitted(ll.svm, name, C=C),
        enclose_soft_margin(X, y, primal=a, dual=dual, C=C),
    )
    assert 0 <= found.lower <= best.upper
    assert found.upper >= best.lower
    found = enclose_hard_margin(X, y, primal=a, dual=dual)
    assert 0 <= found.lower and found.upper > 0
    if name in SEPARABLE:
        best = fitted(ll.max_margin, name)
        assert found.lower <= best.upper and found.upper >= best.lower
    else:
        assert found.upper == np.inf


@settings(deadline=None)
@given(
    X=hnp.arrays(np.int8, (6, 2), elements=st.integers(-3, 3)),
    plus=st.integers(1, 5),
    C=st.sampled_from([0.125, 0.5, 8.0]),
)
def test_the_floating_enclosure_contains_the_rational_optimum(X, plus, C):
    """Small integer data: the optimum as a fraction lies between the floating ends, soft and hard."""
    X, y = X.astype(float), np.where(np.arange(6) < plus, 1.0, -1.0)
    found = ll.svm(X, y, C=C).certificate
    lower, upper = soft_margin_exact(X, y, primal=found.primal, dual=found.dual, C=C)
    assert isinstance(lower, Fraction) and lower <= upper
    assert Fraction(found.lower) <= upper and lower <= Fraction(found.upper)
    assert upper - lower <= upper * Fraction(1, 10**5)
    if ll.separate(X, y).certificate.lower > 0:
        found = ll.max_margin(X, y).certificate
        lower, upper = hard_margin_exact(X, y, primal=found.primal, dual=found.dual)
        assert Fraction(found.lower) <= upper and lower <= Fraction(found.upper)
        assert lower <= upper <= lower * (1 + Fraction(1, 10**5))


@settings(deadline=None)
@given(
    X=hnp.arrays(np.int8, (6, 2), elements=st.integers(-3, 3)),
    plus=st.integers(1, 5),
    a=hnp.arrays(np.int8, 3, elements=st.integers(-3, 3)),
    alpha=hnp.arrays(float, 6, elements=st.floats(0, 1.25)),
    C=st.sampled_from([0.125, 0.5, 8.0]),
)
def test_rational_bounds_hold_for_any_witnesses(X, plus, a, alpha, C):
    """Whatever the witnesses, the exact ends enclose; no plane that errs bounds the hard margin."""
    X, y = X.astype(float), np.where(np.arange(6) < plus, 1.0, -1.0)
    lower, upper = soft_margin_exact(X, y, primal=a, dual=alpha * C, C=C)
    found = ll.svm(X, y, C=C).certificate
    assert lower <= Fraction(found.upper) and Fraction(found.lower) <= upper
    lower, upper = hard_margin_exact(X, y, primal=a, dual=alpha)
    if ll.separate(X, y).certificate.lower > 0:
        found = ll.max_margin(X, y).certificate
        assert lower <= Fraction(found.upper) and Fraction(found.lower) <= upper
    else:
        assert upper == np.inf


def test_a_sample_on_the_margin_need_not_be_a_support_vector():
    """(2, 1) has margin 1 and multiplier 0 in the only dual solution: the answer lands on it."""
    X, y = np.array([[0.0, 1.0], [2.0, 1.0], [0.0, -1.0]]), np.array([1.0, 1.0, -1.0])
    for fit in (ll.max_margin(X, y), ll.svm(X, y, C=20.0)):
        assert np.flatnonzero(fit.certificate.dual).tolist() == [0, 2]
        assert np.allclose(fit.plane.a, [0, 1, 0], atol=1e-14)


def test_max_margin_lands_on_its_plane_where_samples_stand_in_a_grid():
    """Many samples on the margin, some with multiplier 0: the gap is one of rounding, not of the method."""
    rng = np.random.default_rng(5)
    for _ in range(60):
        X = rng.integers(0, 3, (8, 2)).astype(float)
        y = np.where(X.sum(axis=1) > 2, 1.0, -1.0)
        if abs(y.sum()) < 8:
            assert ll.max_margin(X, y).certificate.relative_gap < 1e-12


@pytest.mark.parametrize("unit", [2.0**-20, 1.0, 2.0**20])
@pytest.mark.parametrize("C", [0.0004, 0.01, 0.4])
def test_support_vectors_are_few_and_where_they_belong(C, unit):
    """What is listed as a support vector has margin 1 between its bounds, and less at C; in any unit."""
    X, y = STANDARD[0][::2] * unit, STANDARD[1][::2]
    C /= unit**2
    fit = ll.svm(X, y, C=C)
    alpha, m = fit.certificate.dual, ll.margins(fit.plane, X, y)
    capped = alpha == C
    assert np.allclose(m[(alpha > 0) & ~capped], 1, atol=1e-9)
    assert (m[capped] <= 1 + 1e-9).all() and (m[alpha == 0] >= 1 - 1e-9).all()
    assert 0 < (alpha > 0).sum() < len(y)


@pytest.mark.parametrize("part", [slice(0, None, 2), slice(1, None, 3)], ids=["half", "third"])
def test_a_multiplier_at_C_is_C_to_the_last_digit(part):
    """Whoever asks which samples pay in full compares with C: rounding takes nothing from those."""
    X, y = STANDARD[0][part], STANDARD[1][part]
    for C in (0.003, 0.01, 0.03, 0.1, 0.3, 0.7):
        fit = ll.svm(X, y, C=C)
        short = ll.margins(fit.plane, X, y) < 1 - 1e-6
        assert short.any() and (fit.certificate.dual[short] == C).all()


def test_known_optima_are_proved_as_fractions():
    """The triangle: the nearest points of the hulls are (0, 0) and (1, 1), so ρ* = √2/2, ½‖w‖² = 1."""
    X, y = TRIANGLE
    found = ll.max_margin(X, y).certificate
    assert [str(v) for v in hard_margin_exact(X, y, primal=found.primal, dual=found.dual)] == [
        "1",
        "1",
    ]
    found = ll.svm(X, y, C=0.5).certificate
    lower, upper = soft_margin_exact(X, y, primal=found.primal, dual=found.dual, C=0.5)
    assert lower == upper == Fraction(3, 4)


@pytest.mark.parametrize("C", [0.001, 0.05, 1.0])
@pytest.mark.parametrize("name", ["drawn", "overlap", "duplicates", "99:1", "cancer", "wide"])
def test_scikit_learns_C_is_ours(name, C):
    """SVC(C=C) has the same w and no smaller objective; LIBSVM stops earlier."""
    X, y = NASTY[name]
    oracle = SVC(kernel="linear", C=C, tol=1e-6).fit(X, y)
    fit = ll.svm(X, y, C=C)
    theirs = objective(X, y, np.append(oracle.coef_[0], oracle.intercept_), C)
    assert fit.certificate.upper <= theirs * (1 + 1e-8)
    assert theirs <= fit.certificate.upper * (1 + 1e-4)
    distance = np.sqrt(2 * (theirs - fit.certificate.lower))  # strong convexity in w
    assert np.linalg.norm(fit.plane.w - oracle.coef_[0]) <= distance * (1 + 1e-6) + 1e-9


@pytest.mark.parametrize("data", [ll.data.drawn(), TRIANGLE], ids=["drawn", "triangle"])
def test_the_widest_margin_is_slsqps(data):
    X, y = data
    start = ll.linear_program(X, y).plane.a
    Z = ll.signed(X, y)
    oracle = minimize(
        lambda a: a[:-1] @ a[:-1] / 2,
        start,
        jac=lambda a: np.append(a[:-1], 0.0),
        method="SLSQP",
        constraints={"type": "ineq", "fun": lambda a: Z @ a - 1, "jac": lambda a: Z},
        options={"ftol": 1e-14},
    )
    fit = ll.max_margin(X, y)
    assert fit.plane.a == pytest.approx(oracle.x, abs=1e-6)
    rho = (y * fit.plane.distance(X)).min()
    assert (
        fit.certificate.lower <= 1 / (2 * rho**2) * (1 + 1e-9) <= fit.certificate.upper * (1 + 1e-8)
    )


@pytest.mark.parametrize("name", SEPARABLE)
def test_no_separating_plane_keeps_farther_away(name):
    """ρ of the perceptron's, the linear program's and the augmented separator is at most ρ*."""
    X, y = NASTY[name]
    best = np.sqrt(0.5 / ll.max_margin(X, y).certificate.lower)
    for other in (ll.linear_program(X, y), ll.separate(X, y)):
        if other.plane.w.any():  # `separate` cannot tell the smallest margins from 0
            assert (y * other.plane.distance(X)).min() <= best * (1 + 1e-9)


@pytest.mark.parametrize("copies", [1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_soft_is_hard_exactly_from_the_threshold_on(seed, copies):
    """w(C) = w* ⇔ C ≥ min‖α‖_∞ over the optimal multipliers of the hard margin (theorem F1)."""
    X, y = TRIANGLE if seed == 0 else ll.data.separable(20, 2, margin=0.3, seed=seed)
    X, y = np.repeat(X, copies, axis=0), np.repeat(y, copies)
    n, d = X.shape
    plane = ll.max_margin(X, y).plane
    on = ll.margins(plane, X, y) < 1 + 1e-6
    threshold = linprog(
        np.append(np.zeros(n), 1),
        A_ub=np.column_stack([np.eye(n), -np.ones(n)]),
        b_ub=np.zeros(n),
        A_eq=np.column_stack([(y[:, None] * np.column_stack([X, np.ones(n)])).T, np.zeros(d + 1)]),
        b_eq=np.append(plane.w, 0),
        bounds=[(0, None if i else 0) for i in on] + [(0, None)],
    ).fun
    assert ll.svm(X, y, C=1.01 * threshold).plane.w == pytest.approx(plane.w, rel=1e-5, abs=1e-8)
    below = ll.svm(X, y, C=0.9 * threshold).plane.w
    assert np.linalg.norm(below - plane.w) > 1e-3 * np.linalg.norm(plane.w)
    if seed == 0:
        assert n * threshold == pytest.approx(4)  # copies share the multipliers


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_small_C_follows_a_straight_path(seed):
    """n₊ < n₋ (theorem F2a): w(C) = C·v with v = n₊(m₊ - p), p the point of the majority's reduced hull
    nearest to m₊; b(C) = -1 + C·s; so small enough a C gives every sample the majority's label."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(13, 2))
    X[:4] += [2.5, 1]
    y = np.repeat([1.0, -1.0], [4, 9])
    nearest = minimize(
        lambda beta: ((X[:4].sum(0) - beta @ X[4:]) ** 2).sum() / 2,
        np.full(9, 4 / 9),
        jac=lambda beta: -X[4:] @ (X[:4].sum(0) - beta @ X[4:]),
        method="SLSQP",
        bounds=[(0, 1)] * 9,
        constraints={"type": "eq", "fun": lambda b: b.sum() - 4, "jac": lambda b: np.ones(9)},
        options={"ftol": 1e-15, "maxiter": 500},
    ).x
    v = X[:4].sum(axis=0) - nearest @ X[4:]
    for C in (1e-2, 1e-3, 1e-5):
        plane = ll.svm(X, y, C=C).plane
        assert plane.w / C == pytest.approx(v, rel=1e-4, abs=1e-4)
        s = (plane.b + 1) / C
        scores = X[4:] @ v + s
        assert (scores[nearest > 1 - 1e-6] >= -1e-3).all()
        assert (scores[nearest < 1e-6] <= 1e-3).all()
    assert (plane.predict(X) == -1).all()


def test_small_C_on_classes_of_one_size_gives_the_difference_of_means():
    """n₊ = n₋ (theorem F2b): w = Cv, v = (n/2)(m₊ - m₋), up to
    C₀ = 2/(max₊⟨v, x⟩ - min₋⟨v, x⟩), and no further;
    b lies in an interval that tends to [-1, 1]."""
    X, y = ll.data.gaussians(12, 2, delta=2.0, seed=1)
    v = 6 * (X[y > 0].mean(axis=0) - X[y < 0].mean(axis=0))
    C0 = 2 / ((X[y > 0] @ v).max() - (X[y < 0] @ v).min())
    for k in (0.999, 0.1, 1e-4):
        plane = ll.svm(X, y, C=k * C0).plane
        assert plane.w == pytest.approx(k * C0 * v, rel=1e-5)
        low, high = -1 - k * C0 * (X[y < 0] @ v).min(), 1 - k * C0 * (X[y > 0] @ v).max()
        assert low - 1e-6 <= plane.b <= high + 1e-6
    assert ll.svm(X, y, C=1.5 * C0).plane.w != pytest.approx(1.5 * C0 * v, rel=1e-3)


@pytest.mark.parametrize("C", [0.002, 0.2, 20.0, 2e3])
def test_w_is_zero_for_every_C_if_the_minority_mean_is_in_the_reduced_hull(C):
    """Theorem F2c, on the errata's five against one."""
    X = np.array([[0.2, 0.1], [1, 0], [-1, 0], [0, 1], [0, -1], [1, 1]])
    fit = ll.svm(X, [1, -1, -1, -1, -1, -1], C=C)
    assert np.linalg.norm(fit.plane.w) <= 1e-4 * np.sqrt(C)
    assert fit.certificate.upper == pytest.approx(2 * C)


@settings(deadline=None, max_examples=15)
@given(seed=st.integers(0, 10**6), C=st.sampled_from([0.0025, 0.25, 25.0]))
def test_it_moves_with_the_samples(seed, C):
    """Flips, permutations, copies at half of C, rotations and translations move (w, b) as the plane."""
    rng = np.random.default_rng(seed)
    X, y = ll.data.gaussians(41, 3, delta=1.0, seed=seed)
    w = ll.svm(X, y, C=C).plane.w
    value = ll.svm(X, y, C=C).certificate.upper
    Q, _ = np.linalg.qr(rng.standard_normal((3, 3)))
    order = rng.permutation(41)
    for same, its_C, expected in (
        ((X, -y), C, -w),
        ((X[order], y[order]), C, w),
        ((np.vstack([X, X]), np.append(y, y)), C / 2, w),
        ((X @ Q, y), C, w @ Q),
        ((X + 100 * rng.standard_normal(3), y), C, w),
    ):
        fit = ll.svm(*same, C=its_C)
        assert fit.certificate.upper == pytest.approx(value, rel=1e-8)
        assert fit.plane.w == pytest.approx(expected, rel=1e-3, abs=1e-4 * np.linalg.norm(w))
    scaled = ll.svm(7 * X, y, C=C / 49)
    assert 49 * scaled.certificate.upper == pytest.approx(value, rel=1e-8)
    assert 7 * scaled.plane.w == pytest.approx(w, rel=1e-3, abs=1e-4 * np.linalg.norm(w))


@pytest.mark.parametrize("C", [0.001, 0.1, 2.0])
@pytest.mark.parametrize("name", ["overlap", "cancer", "large"])
def test_support_vectors_carry_the_plane(name, C):
    """α = 0 beyond margin 1, α = C short of it, between on it; w = Σ αᵢyᵢxᵢ; the others can go."""
    X, y = NASTY[name]
    fit = ll.svm(X, y, C=C)
    alpha, m = fit.certificate.dual, ll.margins(fit.plane, X, y)
    support, full = alpha > 0, alpha > C * (1 - 1e-9)
    assert (m[~support] >= 1 - 1e-4).all()
    assert (m[full] <= 1 + 1e-4).all()
    assert m[support & ~full] == pytest.approx(1, abs=1e-3)
    assert not support[m > 1 + 1e-3].any()
    w = (alpha * y) @ X
    assert fit.plane.w == pytest.approx(w, rel=1e-3, abs=1e-4 * np.linalg.norm(w))
    assert (alpha @ y) == pytest.approx(0, abs=1e-12 * C * len(y))
    fewer = ll.svm(X[support], y[support], C=C)
    assert fewer.certificate.upper == pytest.approx(fit.certificate.upper, rel=1e-6)


def test_breast_cancer_has_a_margin_even_in_raw_units():
    """ρ* is 1/24171 of a unit there; the gap closes to 1e-9 of ½‖w‖²."""
    fit = ll.max_margin(*CANCER)
    assert 1 / np.linalg.norm(fit.plane.w) == pytest.approx(1 / 24171.5, rel=1e-4)
    assert fit.certificate.gap <= 1e-9 * fit.certificate.upper


@pytest.mark.parametrize("C", [5e-5, 0.05, 5e3])
def test_more_features_than_samples_are_no_other_problem(C):
    """Rotating 60 features into the 20 dimensions of the samples changes neither value nor multipliers."""
    X, y = NASTY["wide"]
    _, _, rotation = np.linalg.svd(X, full_matrices=False)
    wide, narrow = ll.svm(X, y, C=C), ll.svm(X @ rotation.T, y, C=C)
    assert wide.certificate.upper == pytest.approx(narrow.certificate.upper, rel=1e-8)
    assert wide.plane.w == pytest.approx(narrow.plane.w @ rotation, rel=1e-3, abs=1e-5)


@pytest.mark.parametrize("C", [1e-8, 1e-4, 1.0])
@pytest.mark.parametrize("name", ["large", "large separable", "1 of 20000"])
def test_the_sieve_finds_what_all_samples_at_once_give(name, C):
    X, y = NASTY[name]
    rows, c = hinge.ScaledRows.of(X, y), np.full(len(y), C)
    q = np.append(1 / rows.scale**2, 0.0)
    v, alpha, _ = interior_point.interior_point(rows.matrix(), q, 0 * q, c, tolerance=1e-9)
    whole = enclose_soft_margin(X, y, primal=rows.plain(v), dual=alpha, C=C)
    assert ll.svm(X, y, C=C).certificate.upper == pytest.approx(whole.upper, rel=1e-8)


def _worked_on(monkeypatch, X, y, C):
    """The numbers of samples that the engine was given, and the gaps asked of it."""
    asked = []

    def counted(A, q, g, c, *, tolerance, **others):
        asked.append((len(A), tolerance))
        return interior_point.interior_point(A, q, g, c, tolerance=tolerance, **others)

    monkeypatch.setattr(hinge, "interior_point", counted)
    found = ll.svm(X, y, C=C).certificate
    assert found.gap <= 1e-9 * found.upper
    return asked


@pytest.mark.parametrize("C", [1e-2, 1.0, 1e2])
def test_digits_are_asked_of_few_samples(monkeypatch, C):
    """All others have taken their sides by then: a tenth of the samples is worked on to the last digit."""
    X, y = ll.data.gaussians(5000, 10, delta=1.0, seed=3)
    asked = _worked_on(monkeypatch, X, y, C)
    assert all(size <= len(y) // 10 for size, tolerance in asked if tolerance < 1e-6)
    assert max(size for size, _ in asked) <= len(y) // 2


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("name", ["overlap", "cancer", "99:1"])
def test_one_enclosure_is_enough(monkeypatch, name, C):
    """What solved equations have closed is not enclosed again, from the same or from worse multipliers."""
    made = []
    enclose = support.soft_margin_certificate
    monkeypatch.setattr(
        support,
        "soft_margin_certificate",
        lambda *given, **named: made.append(enclose(*given, **named)) or made[-1],
    )
    ll.svm(*NASTY[name], C=C)
    assert len(made) == 1


def test_multipliers_beyond_C_are_put_on_it_and_the_rest_is_solved_for_again():
    """So the equations leave some hundred roundings, not what the interior point left."""
    assert ll.svm(*NASTY["two points"], C=1.0).certificate.relative_gap <= 100 * 2.0**-52


@pytest.mark.parametrize(("n", "d", "seed"), [(10_000, 4, 3), (12_000, 3, 4)])
def test_single_precision_is_left_where_it_does_not_arrive(n, d, seed):
    """A narrow gap between many samples: rough steps in single precision would go on for ever."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    found = ll.max_margin(X, np.where(X @ rng.standard_normal(d) > 0, 1.0, -1.0)).certificate
    assert found.gap <= 1e-8 * found.upper


@pytest.mark.parametrize(("n", "d", "seed"), [(4000, 3, 9), (12_000, 5, 5), (12_000, 5, 7)])
def test_ties_do_not_call_all_samples_in(monkeypatch, n, d, seed):
    """One sample in a hundred: the best w is nearly 0 and most others sit on margin 1 together."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    f = X.sum(axis=1) + np.sqrt(d) * rng.standard_normal(n)
    asked = _worked_on(monkeypatch, X, np.where(f > 3 * np.sqrt(d), 1.0, -1.0), 1.0)
    assert max(size for size, _ in asked) < n // 3


@pytest.mark.parametrize("C", [1e-3, 1e-2, 0.1, 1.0, 100.0])
def test_it_lands_on_the_support_vectors(C):
    """What the method leaves a little off an end is put there; the equations of the others find the rest."""
    X, y = noisy(5000, 30)
    found = ll.svm(X, y, C=C).certificate
    assert found.gap <= 1e-11 * found.upper


@pytest.mark.parametrize("name", ["overlap", "unscaled", "heavy tails", "cancer", "99:1"])
def test_the_engine_takes_few_steps(name, monkeypatch):
    """Newton with Mehrotra's correction needs about 20 steps; a wrong one would still arrive, but later."""
    monkeypatch.setattr(interior_point, "MOST_STEPS", 24)
    X, y = NASTY[name]
    for C in (1e-4, 1e-2, 10.0):
        found = ll.svm(X, y, C=C).certificate
        assert found.gap <= 1e-8 * found.upper


def test_the_value_is_concave_in_C():
    """The value is a minimum of linear functions of C: increasing, concave, at most nC."""
    X, y = OVERLAP
    Cs = np.linspace(0.02, 2, 20)
    path = [ll.svm(X, y, C=C) for C in Cs]
    value = np.array([fit.certificate.upper for fit in path])
    norm = np.array([np.linalg.norm(fit.plane.w) for fit in path])
    assert (np.diff(value) > 0).all() and (np.diff(value, 2) < 1e-7).all()
    assert (value <= len(y) * Cs).all()
    assert (np.diff(norm) > -1e-5).all()


@pytest.mark.parametrize("method", [lambda X, y: ll.svm(X, y, C=3.0), ll.max_margin])
def test_a_fit_is_kept_and_believed_again(tmp_path, method):
    X, y = ll.data.drawn()
    before = X.copy(), y.copy()
    fit = method(X, y)
    fit.save(tmp_path / "svm.npz")
    back = ll.Fit.load(tmp_path / "svm.npz")
    assert back.verify(X, y).lower == pytest.approx(fit.certificate.lower, rel=1e-14)
    assert np.array_equal(method(X, y).plane.a, fit.plane.a)
    assert np.array_equal(X, before[0]) and np.array_equal(y, before[1])
    with pytest.raises(ValueError, match="the certificate claims"):
        back.verify(X, -y)


def test_witnesses_have_the_right_scale():
    """The hard margin's enclosure does not care for the length of its witnesses; the soft one's does."""
    X, y = TRIANGLE
    best = ll.max_margin(X, y).certificate
    for t in (1e-60, 1e-3, 1e60):
        found = enclose_hard_margin(X, y, primal=t * best.primal, dual=t * best.dual)
        assert found.lower == pytest.approx(best.lower) and found.upper == pytest.approx(best.upper)
        assert found.dual == pytest.approx(best.dual, abs=1e-9)
    half = enclose_soft_margin(X, y, primal=best.primal, dual=best.dual / 2, C=100.0)
    assert half.lower == pytest.approx(0.75 * best.lower)


@pytest.mark.parametrize("C", [0, -1.0, np.inf, np.nan, "1", True])
def test_errors_name_the_place(C):
    X, y = OVERLAP
    with pytest.raises(ValueError, match=r"`C` must be a finite number > 0; got"):
        ll.svm(X, y, C=C)
    with pytest.raises(ValueError, match="both labels"):
        ll.max_margin(X, np.ones(28))
    with pytest.raises(ValueError, match=r"`dual` must hold one \w+ for each of the 28 samples"):
        enclose_soft_margin(X, y, primal=[0, 0, 0], dual=[1.0], C=1.0)


@pytest.mark.parametrize("seed", range(12))
def test_the_lower_bound_is_safe_from_rounding(seed):
    """Where Σ αᵢyᵢxᵢ cancels to a fiftieth, the exact dual value of the witness is still not below lower."""
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal(2000), np.where(rng.random(2000) < 0.5, 1.0, -1.0)
    alpha = rng.random(2000)
    x /= abs((alpha * y) @ x) / np.sqrt(alpha.sum())
    found = enclose_soft_margin(x[:, None], y, primal=[0, 0], dual=alpha, C=1.0)
    sums = {s: sum(Fraction(v) for v in alpha[y == s].tolist()) for s in (1, -1)}
    less, exact = min(sums.values()), [Fraction(v) for v in alpha.tolist()]
    exact = [v * less / sums[int(s)] for v, s in zip(exact, y, strict=True)]
    v = sum(a * Fraction(s * t) for a, s, t in zip(exact, y.tolist(), x.tolist(), strict=True))
    value = 2 * less - v * v / 2
    assert value * (1 - Fraction(1, 10**9)) <= Fraction(found.lower) <= value


# sample weights


def weighted(seed, n=40, d=3):
    """Overlapping samples with whole weights from 0 to 3, some positive in each class."""
    X, y = ll.data.gaussians(n, d, delta=1.0, seed=seed)
    weights = np.random.default_rng(seed).integers(0, 4, n).astype(float)
    weights[:2] = 2.0
    return X, y, weights


@pytest.mark.parametrize("C", [0.001, 1.0, 100.0])
@pytest.mark.parametrize("seed", range(4))
def test_a_weight_of_two_is_two_samples(seed, C):
    """Whole weights are copies, 0 is none: the same w, and two enclosures of one value."""
    X, y, weights = weighted(seed)
    copies = weights.astype(int)
    ours = ll.svm(X, y, C=C, sample_weight=weights)
    theirs = ll.svm(np.repeat(X, copies, axis=0), np.repeat(y, copies), C=C)
    found, other = ours.verify(X, y), theirs.certificate
    assert found.gap <= 1e-8 * found.upper and (found.dual <= C * weights).all()
    assert found.lower <= other.upper and other.lower <= found.upper
    assert ours.plane.w == pytest.approx(theirs.plane.w, rel=1e-5, abs=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_equal_weights_multiply_the_penalty(seed):
    X, y, _ = weighted(seed)
    one, each = (
        ll.svm(X, y, C=0.3).certificate,
        ll.svm(X, y, C=0.1, sample_weight=np.full(40, 3.0)).certificate,
    )
    assert each.options["sample_weight"] == [3.0] * 40 and one.options["sample_weight"] is None
    assert each.lower <= one.upper and one.lower <= each.upper
    assert each.scale == pytest.approx(one.scale)


@pytest.mark.parametrize("seed", range(4))
def test_weighted_bounds_hold_for_any_witnesses(seed):
    """The exact optimum lies between the ends, whatever the witnesses, with weights far apart."""
    X, y, weights = weighted(seed, n=12, d=2)
    weights = (weights + 0.1) * np.where(np.arange(12) % 3, 1.0, 1e-3)
    rng = np.random.default_rng(seed)
    best = ll.svm(X, y, C=1.0, sample_weight=weights).certificate
    lower, upper = soft_margin_exact(
        X, y, primal=best.primal, dual=best.dual, C=1.0, sample_weight=weights
    )
    assert lower == upper and Fraction(best.lower) <= lower <= Fraction(best.upper)
    for _ in range(20):
        a, alpha = rng.normal(size=3), rng.random(12) * 4
        found = enclose_soft_margin(X, y, primal=a, dual=alpha, C=1.0, sample_weight=weights)
        low, high = soft_margin_exact(X, y, primal=a, dual=alpha, C=1.0, sample_weight=weights)
        assert found.lower <= lower <= found.upper and low <= lower <= high
        assert (found.dual <= weights).all()


@pytest.mark.parametrize("s", [[1.0], [-1.0] + [1.0] * 27, [0.0] * 28, [np.nan] * 28, [[1.0] * 28]])
def test_what_is_no_sample_weight_is_refused(s):
    with pytest.raises(ValueError, match="`sample_weight` must"):
        ll.svm(*OVERLAP, C=1.0, sample_weight=s)


def test_a_penalty_parameter_for_each_sample_is_refused():
    with pytest.raises(ValueError, match=r"`C` must be one number > 0; .* pass `sample_weight`"):
        ll.svm(*OVERLAP, C=[1.0] * 28)


@pytest.mark.parametrize("C", [1e20, 1e40, 9e99])
def test_a_penalty_that_leaves_no_sight_of_the_width_buys_the_widest_margin(C):
    """Separable samples, and C far above the multipliers of `max_margin`: that plane, and a closed gap."""
    X, y = ll.data.drawn()
    fit, widest = ll.svm(X, y, C=C), ll.max_margin(X, y)
    assert fit.certificate.gap <= 1e-9 * fit.certificate.upper
    assert fit.certificate.upper == pytest.approx(widest.certificate.upper, rel=1e-9)
    fit.verify(X, y)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("unit", [[1e-99, 1e-99], [1e98, 1e98], [1e-98, 1e98]])
@pytest.mark.parametrize("C", [1e-100, 1.0, 9e99])
@pytest.mark.parametrize("overlap", [False, True])
def test_the_farthest_units_and_C_warn_of_nothing(unit, C, overlap):
    X, y = ll.data.drawn(overlap=overlap)
    fit = ll.svm(X * unit, y, C=C)
    assert fit.converged
    if not overlap:
        found = ll.max_margin(X * unit, y).certificate
        # Where features are 196 orders of magnitude apart, the ends are true and stay apart.
        assert found.separable and (found.gap <= 1e-9 * found.upper or unit[0] != unit[1])


@pytest.mark.parametrize("seed", range(40))
def test_the_bound_of_the_hard_margin_comes_again_from_what_is_stored(seed):
    """Bit for bit, also where columns of very different sizes make it sensitive to the last digits of α."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 7))
    X, y = ll.data.separable(int(rng.integers(10, 80)), d, seed=seed)
    X = X * 10.0 ** rng.integers(-6, 7, d)
    claim = ll.max_margin(X, y).certificate
    found = enclose_hard_margin(X, y, primal=claim.primal, dual=claim.dual)
    assert (found.lower, found.upper) == (claim.lower, claim.upper)
    assert np.array_equal(found.dual, claim.dual)
