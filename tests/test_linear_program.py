"""The linear program: duality for any witnesses, HiGHS's value, w = 0 exactly when the theorem says so."""

import json
from fractions import Fraction
from functools import cache

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from nasty import OVERLAP, SAMPLES
from scipy.optimize import linprog

import linlearn as ll
from linlearn.certificates import duality, enclose_hinge, hinge_exact
from linlearn.solvers import hinge, interior_point

rng = np.random.default_rng(0)
DUMMY = np.column_stack(
    [rng.standard_normal((400, 2)), rng.integers(0, 3, 400)[:, None] == range(3)]
)
NASTY = SAMPLES | {
    "one contradiction": (
        np.vstack([ll.data.separable(60, 10)[0], np.full((2, 10), 0.1)]),
        np.append(ll.data.separable(60, 10)[1], [1, -1]),
    ),
    "zero column": (np.column_stack([OVERLAP[0], np.zeros(28)]), OVERLAP[1]),
    "all dummies": (DUMMY, np.where(np.arange(400) % 3 > 0, 1.0, -1.0)),
    "grid": (
        rng.integers(-2, 3, (200, 3)).astype(float),
        np.where(rng.random(200) < 0.5, 1.0, -1.0),
    ),
    "large, sorted": (
        ll.data.gaussians(20_000, 10, delta=1.0)[0][np.argsort(ll.data.gaussians(20_000)[1])],
        np.sort(ll.data.gaussians(20_000)[1]),
    ),
    "large, every fourth flipped": (
        ll.data.separable(20_000, 10)[0],
        ll.data.separable(20_000, 10)[1] * np.where(np.arange(20_000) % 4, 1.0, -1.0),
    ),
}
SMALL = [k for k, (X, _) in NASTY.items() if X.size <= 200]


def shares(y, sample_weight):
    return (
        np.where(y > 0, 0.5 / (y > 0).sum(), 0.5 / (y < 0).sum())
        if sample_weight == "balanced"
        else 1 / len(y) + 0 * y
    )


def objective(X, y, a, sample_weight=None):
    return shares(y, sample_weight) @ np.maximum(0, 1 - y * (X @ a[:-1] + a[-1]))


def highs(X, y, sample_weight=None):
    """The optimal value, by HiGHS on the inequality form."""
    q, G, g = ll.inequality_form(X, y)
    q[X.shape[1] + 1 :] = shares(y, sample_weight)
    return linprog(q, A_ub=G, b_ub=g, bounds=(None, None), method="highs").fun


@pytest.mark.parametrize("sample_weight", [None, "balanced"])
@pytest.mark.parametrize("name", NASTY)
def test_strong_duality_on_nasty_samples(name, sample_weight):
    """lower = upper up to 1e-8 of max(upper, 1), where 1 is what w = 0 = b costs; and it verifies."""
    X, y = NASTY[name]
    fit = ll.linear_program(X, y, sample_weight=sample_weight)
    found = fit.verify(X, y)
    assert np.isfinite(fit.plane.a).all() and np.isfinite(found.gap)
    assert 0 <= found.gap <= 1e-8 * max(1, found.upper)
    assert objective(X, y, fit.plane.a, sample_weight) == pytest.approx(found.upper, abs=1e-8)


@cache
def fitted(name, sample_weight):
    """The fit that the examples of a property are compared with, made once."""
    return ll.linear_program(*NASTY[name], sample_weight=sample_weight).certificate


@pytest.mark.parametrize("name", SMALL)
@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_weak_duality_for_arbitrary_witnesses(name, data):
    """lower ≤ optimum ≤ upper for any plane and any multipliers, also for almost optimal ones."""
    X, y = NASTY[name]
    sample_weight = data.draw(st.sampled_from([None, "balanced"]))
    best = fitted(name, sample_weight)
    a = data.draw(hnp.arrays(float, X.shape[1] + 1, elements=st.floats(-1e6, 1e6)))
    wild = data.draw(hnp.arrays(float, len(y), elements=st.floats(width=32)))
    size = data.draw(st.sampled_from([0.0, 1e-12, 1e-6, 1e-2]))
    near = best.dual * (1 + size * np.sin(wild.clip(-9, 9))) if data.draw(st.booleans()) else wild
    found = enclose_hinge(X, y, primal=a, dual=near, sample_weight=sample_weight)
    assert 0 <= found.lower <= best.upper
    assert found.upper >= best.lower


@settings(deadline=None)
@given(
    X=hnp.arrays(np.int8, (7, 2), elements=st.integers(-3, 3)),
    plus=st.integers(1, 6),
    sample_weight=st.sampled_from([None, "balanced"]),
)
def test_the_floating_enclosure_contains_the_rational_optimum(X, plus, sample_weight):
    """Small integer data: the exact bounds meet, HiGHS agrees, and no allowance was too small."""
    X, y = X.astype(float), np.where(np.arange(7) < plus, 1.0, -1.0)
    found = ll.linear_program(X, y, sample_weight=sample_weight).certificate
    lower, upper = hinge_exact(
        X, y, primal=found.primal, dual=found.dual, sample_weight=sample_weight
    )
    assert isinstance(lower, Fraction) and isinstance(upper, Fraction)
    assert lower <= upper
    assert Fraction(found.lower) <= upper and lower <= Fraction(found.upper)
    assert float(upper - lower) <= 1e-6
    assert highs(X, y, sample_weight) == pytest.approx(float(lower), abs=1e-6)


@pytest.mark.parametrize(
    ("X", "y", "value"),
    [
        ([[0, 0], [1, 1], [1, 0], [0, 1]], [1, 1, -1, -1], "1"),
        ([[0], [-1], [1]], [1, -1, -1], "2/3"),
        ([[0.0], [1.0], [2.0], [3.0]], [-1, 1, -1, 1], "2/3"),
        ([[0.2, 0.1], [1, 0], [-1, 0], [0, 1], [0, -1], [1, 1]], [1, -1, -1, -1, -1, -1], "1/3"),
    ],
)
def test_known_optima_are_proved_as_fractions(X, y, value):
    """The errata's table: XOR costs 1, {0}₊ {-1, 1}₋ costs 2/3, one among five 1/3."""
    found = ll.linear_program(X, y).certificate
    lower, upper = hinge_exact(X, y, primal=found.primal, dual=found.dual)
    assert str(lower) == str(upper) == value


@pytest.mark.parametrize("unit", [2.0**-40, 1.0, 3e9, 2.0**60])
def test_the_free_numbers_are_simple_in_the_features_own_units(unit):
    """No equation decides: planes with margins 1, 1 and ⅔, 1 keep them in any unit, and fractions short."""
    X, y = [[0], [unit]], [-1, 1]
    assert hinge_exact(X, y, primal=[2 / unit, -1.0], dual=[0, 0]) == (0, 0)
    assert hinge_exact(X, y, primal=[2 * (1 - 1e-15) / unit, -1.0], dual=[0, 0]) == (0, 0)
    two = np.column_stack([X, np.zeros(2)])
    lower, upper = hinge_exact(two, y, primal=[5 / 3 / unit, 7.0, -2 / 3], dual=[0, 0])
    assert lower == 0 and float(upper) == pytest.approx(1 / 6, rel=1e-9)
    assert unit == 3e9 or upper.denominator < 2e7  # a float that is no power of 2 has a long one


@pytest.mark.parametrize("sample_weight", [None, "balanced"])
@pytest.mark.parametrize("name", ["drawn", "overlap", "xor", "grid", "99:1", "duplicates", "wide"])
def test_the_value_is_highs(name, sample_weight):
    X, y = NASTY[name]
    found = ll.linear_program(X, y, sample_weight=sample_weight).certificate
    assert found.upper == pytest.approx(highs(X, y, sample_weight), abs=1e-9)


def test_the_inequality_form_is_equivalent_to_the_linear_program():
    """q, G, g of the notes' exercise: 2n rows, d+1+n columns, and Gu ≤ g exactly for slacks that suffice."""
    X, y = OVERLAP
    n, d = X.shape
    q, G, g = ll.inequality_form(X, y)
    assert q.shape == (d + 1 + n,) and G.shape == (2 * n, d + 1 + n) and g.shape == (2 * n,)
    a = np.array([0.3, -2.0, 0.7])
    xi = np.maximum(0, 1 - y * (X @ a[:-1] + a[-1]))
    assert (G @ np.append(a, xi) <= g + 1e-12).all()
    assert not (G @ np.append(a, xi - 1e-6) <= g).all()
    assert q @ np.append(a, xi) == pytest.approx(objective(X, y, a))


def test_scipys_default_bounds_would_solve_another_problem():
    """With u ≥ 0 the separable drawn set with flipped labels costs something; free, nothing."""
    X, y = np.array([[2.0, 1], [3, 2], [-1, 0], [0, -2]]), np.array([-1.0, -1, 1, 1])
    q, G, g = ll.inequality_form(X, y)
    assert linprog(q, A_ub=G, b_ub=g).fun == pytest.approx(1)
    assert linprog(q, A_ub=G, b_ub=g, bounds=(None, None)).fun == pytest.approx(0)
    assert ll.linear_program(X, y).certificate.upper == 0


@pytest.mark.parametrize("name", NASTY)
def test_value_zero_means_separable(name):
    """Σξ = 0 if and only if a plane separates, and then the answer is one, with margins ≥ 1."""
    X, y = NASTY[name]
    fit = ll.linear_program(X, y)
    if ll.separate(X, y).certificate.lower > 0:
        assert fit.certificate.lower == 0 and fit.certificate.upper <= 1e-9
        assert ll.margins(fit.plane, X, y).min() >= 1 - 1e-9
    else:
        assert fit.certificate.lower > 0


@pytest.mark.parametrize("seed", range(60))
def test_w_is_zero_exactly_when_the_minority_mean_is_in_the_reduced_hull(seed):
    """w = 0 is optimal ⇔ m₊ = Σ λᵢxᵢ over the majority with Σλ = 1, 0 ≤ λ ≤ 1/n₊ (proof 3k)."""
    rng = np.random.default_rng(seed)
    n_plus = int(rng.integers(1, 4))
    n_minus = int(rng.integers(n_plus, 9))
    X = rng.integers(-3, 4, (n_plus + n_minus, 2)).astype(float)
    y = np.repeat([1.0, -1.0], [n_plus, n_minus])
    hull = linprog(
        np.zeros(n_minus),
        A_eq=np.vstack([X[n_plus:].T, np.ones(n_minus)]),
        b_eq=np.append(X[:n_plus].mean(axis=0), 1),
        bounds=(0, 1 / n_plus),
    )
    at_zero = 2 * n_plus / len(y)
    found = ll.linear_program(X, y).certificate
    assert found.upper <= at_zero + 1e-9
    assert (found.upper > at_zero - 1e-7) == (hull.status == 0)


@pytest.mark.parametrize("seed", range(30))
def test_balanced_weights_allow_w_zero_only_where_the_means_agree(seed):
    """With 1/n₊ and 1/n₋ the value is 2 ⇔ m₊ = m₋, and then every small w costs 2, too (3k, part 2)."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (8, 2)).astype(float)
    y = np.repeat([1.0, -1.0], [2 + seed % 4, 6 - seed % 4])
    if seed % 2:
        X[0] += y.clip(0).sum() * (X[y < 0].mean(axis=0) - X[y > 0].mean(axis=0))
    equal = np.allclose(X[y > 0].mean(axis=0), X[y < 0].mean(axis=0))
    assert (ll.linear_program(X, y, sample_weight="balanced").certificate.upper > 1 - 1e-7) == equal
    if equal:
        w = rng.standard_normal(2) / 100
        assert objective(X, y, np.append(w, 0.0), sample_weight="balanced") == pytest.approx(1)


def test_w_zero_can_be_the_only_optimum():
    """{0} against {-1, 1} with weights 1/3 (3k, part 3): the answer is w = 0, b = -1, though not 'a line'."""
    plane = ll.linear_program([[0.0], [-1.0], [1.0]], [1, -1, -1]).plane
    assert plane.a == pytest.approx([0, -1], abs=1e-6)


def test_one_outlier_can_cost_the_linear_program_more_mistakes_than_necessary():
    """The shortfall is not bounded: on these samples it makes 3 mistakes where sign(x) makes 1."""
    x = np.array([1.0, 2, 3, -40, -1, -2, -3])[:, None]
    y = np.array([1.0, 1, 1, 1, -1, -1, -1])
    plane = ll.linear_program(x, y).plane
    assert (ll.margins(plane, x, y) <= 0).sum() == 3
    assert (ll.margins(ll.Hyperplane([1.0]), x, y) <= 0).sum() == 1


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 10**6), sample_weight=st.sampled_from([None, "balanced"]))
def test_the_value_is_affinely_invariant(seed, sample_weight):
    """Flips, permutations, copies and every invertible affine map of the features leave the value alone."""
    rng = np.random.default_rng(seed)
    X, y = ll.data.gaussians(40, 3, delta=1.0, seed=seed)
    M, shift, order = rng.standard_normal((3, 3)), 10 * rng.standard_normal(3), rng.permutation(40)
    value = ll.linear_program(X, y, sample_weight=sample_weight).certificate.upper
    assert value > 0.1
    for same in (
        (X, -y),
        (X[order], y[order]),
        (np.vstack([X, X]), np.append(y, y)),
        (X @ M + shift, y),
        (X * [1e-6, 1, 1e6], y),
    ):
        found = ll.linear_program(*same, sample_weight=sample_weight).certificate
        assert found.upper == pytest.approx(value, rel=1e-8)


@pytest.mark.parametrize("sample_weight", [None, "balanced"])
def test_the_dual_witness_is_what_it_is_called(sample_weight):
    """0 ≤ α ≤ c, Zᵀα = 0, Σα the value; α = c where a sample falls short, 0 where it is beyond."""
    X, y = NASTY["large"]
    fit = ll.linear_program(X, y, sample_weight=sample_weight)
    alpha, m, c = fit.certificate.dual, ll.margins(fit.plane, X, y), shares(y, sample_weight)
    assert (alpha >= 0).all() and (alpha <= c).all()
    assert ll.signed(X, y).T @ alpha == pytest.approx(np.zeros(11), abs=1e-9)
    assert alpha.sum() == pytest.approx(fit.certificate.upper, rel=1e-9)
    assert (alpha / c)[m < 1 - 1e-4] == pytest.approx(1, abs=1e-3)
    assert (alpha / c)[m > 1 + 1e-4] == pytest.approx(0, abs=1e-3)


def test_almost_feasible_multipliers_are_not_believed():
    """Opposite labels 1e-6 apart contradict each other less than at distance 0: Zᵀα ≈ 0 proves nothing."""
    X, y = NASTY["near contradiction"]
    lower = enclose_hinge(X, y, primal=[0, 0], dual=[1 / 3, 1 / 3, 0]).lower
    assert Fraction(lower) <= oracles.hinge(X, y)[0]
    X = np.array([[1.0], [1.0], [2.0]])
    assert enclose_hinge(X, y, primal=[0, 0], dual=[1 / 3, 1 / 3, 0]).lower == pytest.approx(2 / 3)


def test_a_combination_of_columns_is_believed_only_if_it_is_exact():
    """x₃ = x₁ + x₂ up to the last bit is another feature; in integers it is none, and the gap closes."""
    rng = np.random.default_rng(1)
    y = np.where(np.arange(300) % 2, 1.0, -1.0)
    whole = rng.integers(-50, 50, (300, 6)).astype(float)
    for X in (whole, np.column_stack([whole, whole[:, 0] - whole[:, 3]]), whole[:, [0, 1, 1, 2]]):
        found = ll.linear_program(X, y).certificate
        assert found.lower > 0.5 and found.gap <= 1e-8


@pytest.mark.parametrize("name", ["large", "large separable", "large, every fourth flipped"])
def test_the_sieve_finds_what_all_samples_at_once_give(name):
    X, y = NASTY[name]
    rows, c = hinge.ScaledRows.of(X, y), np.full(len(y), 1 / len(y))
    none = np.zeros(11)
    v, alpha, _ = interior_point.interior_point(rows.matrix(), none, none, c, tolerance=1e-9)
    whole = enclose_hinge(X, y, primal=rows.plain(v), dual=alpha)
    found = ll.linear_program(X, y).certificate
    assert found.upper == pytest.approx(whole.upper, abs=1e-8)


@pytest.mark.parametrize("name", ["overlap", "grid", "unscaled", "heavy tails", "all dummies"])
def test_the_engine_takes_few_steps(name, monkeypatch):
    """Newton with Mehrotra's correction needs about 20 steps; a wrong one would still arrive, but later."""
    monkeypatch.setattr(interior_point, "MOST_STEPS", 24)
    X, y = NASTY[name]
    assert ll.linear_program(X, y).certificate.gap <= 1e-8


def test_a_fit_is_kept_and_believed_again(tmp_path):
    X, y = OVERLAP
    fit = ll.linear_program(X, y, sample_weight="balanced")
    fit.save(tmp_path / "lp.npz")
    back = ll.Fit.load(tmp_path / "lp.npz")
    assert json.dumps(dict(back.certificate.options)) == '{"sample_weight": "balanced"}'
    assert back.verify(X, y).lower == fit.certificate.lower
    assert np.array_equal(back.plane.a, fit.plane.a)
    with pytest.raises(ValueError, match="the certificate claims"):
        back.verify(X[::-1], y)


def test_arguments_are_not_changed_and_answers_repeat():
    X, y = OVERLAP
    before = X.copy(), y.copy()
    one, two = ll.linear_program(X, y), ll.linear_program(X, y)
    assert np.array_equal(one.plane.a, two.plane.a)
    assert np.array_equal(X, before[0]) and np.array_equal(y, before[1])


def test_errors_name_the_place():
    X, y = OVERLAP
    with pytest.raises(ValueError, match="`sample_weight` must be None"):
        ll.linear_program(X, y, sample_weight="yes")
    with pytest.raises(ValueError, match=r"`y` must contain both labels"):
        ll.linear_program(X, np.ones(28))
    with pytest.raises(
        ValueError, match=r"`dual` must hold one \w+ for each of the 28 samples.*got shape \(3,\)"
    ):
        enclose_hinge(X, y, primal=[0, 0, 0], dual=[1, 2, 3])
    with pytest.raises(ValueError, match=r"`primal` must hold 3 numbers"):
        enclose_hinge(X, y, primal=[0, 0], dual=np.ones(28))


@pytest.mark.parametrize("seed", range(12))
def test_the_lower_bound_is_safe_from_rounding(seed, monkeypatch):
    """Without the spare 2⁻³⁶ that hides it, the cost of the last move keeps lower below the exact optimum."""
    monkeypatch.setattr(duality, "SPARE", 0.0)
    X, y = ll.data.gaussians(40, 2, delta=3.0, seed=seed)
    found = ll.linear_program(X * [1e3, 1], y, sample_weight="balanced").certificate
    lower, upper = hinge_exact(
        X * [1e3, 1], y, primal=found.primal, dual=found.dual, sample_weight="balanced"
    )
    assert lower == upper
    assert lower - Fraction(1, 10**8) <= Fraction(found.lower) <= lower


def test_an_almost_copied_column_can_hold_the_answer():
    """x₃ = x₁ + 2⁻⁴⁰y separates every sample, with weights of 2⁴⁰: lower can only speak of smaller ones."""
    X, y = OVERLAP
    X = np.round(X * 256) / 256
    multipliers = ll.linear_program(X, y).certificate.dual
    hidden = np.column_stack([X, X[:, 0] + 2.0**-40 * y])
    assert ((hidden[:, 2] - hidden[:, 0]) * y * 2.0**40 == 1).all()
    assert enclose_hinge(X, y, primal=[0, 0, 0], dual=multipliers).lower > 0.3
    found = enclose_hinge(hidden, y, primal=[0, 0, 0, 0], dual=multipliers)
    assert found.lower == 0 or found.score_bound <= 2.0**20


# sample weights


def weighted(seed, n=40, d=3):
    """Overlapping samples with integer weights from 0 to 3, some positive entry in each class."""
    X, y = ll.data.gaussians(n, d, delta=1.0, seed=seed)
    sample_weight = np.random.default_rng(seed).integers(0, 4, n).astype(float)
    sample_weight[:2] = 2.0
    return X, y, sample_weight


@pytest.mark.parametrize("seed", range(6))
def test_a_weight_of_two_is_two_samples(seed):
    """Integer weights are copies, 0 is none; the answer encloses the value of the copies, and they its."""
    X, y, sample_weight = weighted(seed)
    copies = sample_weight.astype(int)
    ours = ll.linear_program(X, y, sample_weight=sample_weight)
    theirs = ll.linear_program(np.repeat(X, copies, axis=0), np.repeat(y, copies)).certificate
    found = ours.verify(X, y)
    assert found.gap <= 1e-8 * found.upper
    assert theirs.lower <= found.upper and found.lower <= theirs.upper
    shares = sample_weight / sample_weight.sum()
    assert (found.dual <= shares).all() and found.scale == 1


@pytest.mark.parametrize("seed", range(4))
def test_weighted_bounds_hold_for_any_witnesses(seed):
    X, y, sample_weight = weighted(seed)
    sample_weight *= 0.3
    rng = np.random.default_rng(seed)
    best = ll.linear_program(X, y, sample_weight=sample_weight).certificate
    for _ in range(20):
        a, alpha = rng.normal(size=4), rng.random(40) * 3
        found = enclose_hinge(X, y, primal=a, dual=alpha, sample_weight=sample_weight)
        total = sum(map(Fraction, sample_weight.tolist()))
        cost = sum(
            Fraction(c)
            / total
            * max(Fraction(0), 1 - sum(map(Fraction.__mul__, map(Fraction, z), map(Fraction, a))))
            for c, z in zip(sample_weight.tolist(), ll.signed(X, y).tolist(), strict=True)
        )
        assert found.lower <= best.upper and cost <= Fraction(found.upper)


@pytest.mark.parametrize("scale", [1e-50, 1e-3, 1.0, 1e50])
def test_weights_may_have_any_unit(scale):
    X, y, sample_weight = weighted(1)
    once = ll.linear_program(X, y, sample_weight=sample_weight).certificate
    found = ll.linear_program(X, y, sample_weight=scale * sample_weight).certificate
    assert found.upper == pytest.approx(once.upper, rel=1e-8)
    assert found.gap <= 1e-8 * found.upper


def test_weighted_optima_are_fractions():
    """The samples 0, 1, 2 with labels +, -, +: either side alone costs twice its share, at w = 0."""
    X, y = [[0], [1], [2]], [1, -1, 1]
    for sample_weight, best in (
        ([1, 5, 1], Fraction(4, 7)),
        ([1, 2, 1], 1),
        ([2, 1, 3], Fraction(2, 6)),
    ):
        found = ll.linear_program(X, y, sample_weight=sample_weight).certificate
        lower, upper = hinge_exact(
            X, y, primal=found.primal, dual=found.dual, sample_weight=sample_weight
        )
        assert lower == upper == best
    q, _, _ = ll.inequality_form(X, y, sample_weight=[1, 5, 1])
    assert q.tolist() == [0, 0, 1 / 7, 5 / 7, 1 / 7]


@pytest.mark.parametrize(
    ("sample_weight", "says"),
    [
        ("yes", '`sample_weight` must be None, "balanced" or one number ≥ 0 per sample'),
        ([1.0, 2.0], r"`sample_weight` must hold one \w+ for each of the 28 samples"),
        (
            [-1.0] + [1.0] * 27,
            "`sample_weight` must be ≥ 0, with a positive entry in each class; got -1 at position 0",
        ),
        ([0.0] * 28, "positive entry in each class"),
        ([1e-200] + [1.0] * 27, "`sample_weight` must be at least 1e-100"),
    ],
)
def test_weights_that_are_none_are_refused(sample_weight, says):
    with pytest.raises(ValueError, match=says):
        ll.linear_program(*OVERLAP, sample_weight=sample_weight)
