"""The fewest mistakes are the fewest, and the certificate proves it to somebody who trusts nobody."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, count

import dependent
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp

import linlearn as ll
from linlearn.branch_and_bound.angular_sweep import sweep
from linlearn.branch_and_bound.work_budget import Meter
from linlearn.capacity import separable_labelings
from linlearn.certificates import Claim, Cover, Packing, enclose_mistakes, gordan_exact
from linlearn.certificates.cells import Frame, all_directions, judge
from linlearn.certificates.deduplicated import distinct
from linlearn.certificates.hitting_set import lightest_hitting
from linlearn.certificates.inseparable_subsets import origin_in_hull_by_floats
from linlearn.certificates.mistakes import right_exact
from linlearn.exact.dyadic import nearby_float_plane, smallest_product

CANCER = ["mean radius", "mean texture", "mean perimeter"]
WORST = ["worst radius", "worst texture", "worst smoothness", "worst concavity"]


def small(seed):
    """Few samples of every degenerate kind: reals, a grid, corners of a cube, unscaled columns."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 9)), int(rng.integers(1, 4))
    X = [
        rng.standard_normal((n, d)),
        rng.integers(-2, 3, (n, d)).astype(float),
        rng.integers(0, 2, (n, d)).astype(float),
        rng.integers(-1, 2, (n, d)) * np.array([1e-6, 1e6, 0.1])[:d],
    ][seed % 4]
    fit_intercept = bool(seed // 4 % 2)
    y = rng.choice([-1.0, 1.0], n)
    y[:2] = (1.0, -1.0) if fit_intercept else y[:2]
    return X, y, fit_intercept


def by_enumeration(X, y, fit_intercept):
    """The least Hamming distance from y to a labeling that planes realise; samples at 0 are always wrong."""
    away = np.abs(X).sum(axis=1) > 0 if not fit_intercept else np.ones(len(y), dtype=bool)
    scaled = X / np.maximum(np.abs(X).max(axis=0), 1e-300)
    if not away.any():
        return len(y)
    labels = separable_labelings(scaled[away], fit_intercept=fit_intercept)
    return int((labels != y[away]).sum(axis=1).min() + (~away).sum())


def noisy(n, d, noise, seed=0):
    rng = np.random.default_rng(seed)
    X, w = rng.standard_normal((n, d)), rng.standard_normal(d)
    return X, np.where(
        X @ w / np.linalg.norm(w) + 0.3 + noise * rng.standard_normal(n) > 0, 1.0, -1.0
    )


@pytest.mark.parametrize("block", range(10))
def test_it_agrees_with_the_enumeration_of_all_labelings(block):
    """On hundreds of small samples, ties and copies included, lower = upper = the enumerated optimum."""
    for seed in range(40 * block, 40 * block + 40):
        X, y, fit_intercept = small(seed)
        fit = ll.zero_one(X, y, fit_intercept=fit_intercept)
        best = by_enumeration(X, y, fit_intercept)
        found = fit.certificate
        assert (found.lower, found.upper) == (best, best), seed
        assert (ll.margins(fit.plane, X, y) <= 0).sum() == best, seed


def by_milp(X, y, M=100.0):
    """Big-M formulation with the scale Za ≥ 1, solved by HiGHS."""
    Z = ll.signed(X, y)
    n, p = Z.shape
    rows = LinearConstraint(np.hstack([Z, M * np.eye(n)]), lb=1)
    bounds = (
        np.append(np.full(p, -np.inf), np.zeros(n)),
        np.append(np.full(p, np.inf), np.ones(n)),
    )
    cost = np.append(np.zeros(p), np.ones(n))
    return round(milp(cost, constraints=rows, integrality=cost, bounds=Bounds(*bounds)).fun)


@pytest.mark.parametrize("seed", range(3))
def test_it_agrees_with_mixed_integer_programming(seed):
    X, y = noisy(40, 2, 0.3, seed)
    assert ll.zero_one(X, y).certificate.upper == by_milp(X, y)


TARGETS = {
    "two features": (*ll.data.breast_cancer(CANCER[:2]), 55),
    "three features": (*ll.data.breast_cancer(CANCER[:3]), 42),
    "four features": (*ll.data.breast_cancer(WORST), 11),
    "virginica": (*ll.data.iris("virginica", "versicolor"), 1),
    "drawn": (*ll.data.drawn(overlap=True), 3),
    "separable": (*ll.data.drawn(), 0),
    "xor": (*ll.data.xor(), 1),
    "4 times xor": (np.repeat(ll.data.xor()[0], 4, axis=0), np.repeat(ll.data.xor()[1], 4), 4),
    "every place contradicts itself": ([[0.0], [0.0], [2.0], [2.0]], [1, -1, 1, -1], 2),
}


@pytest.mark.parametrize("name", TARGETS)
def test_the_optimum_is_proved(name):
    X, y, best = TARGETS[name]
    fit = ll.zero_one(X, y)
    assert (fit.certificate.lower, fit.certificate.upper) == (best, best)
    assert fit.verify(X, y).gap == 0
    assert (ll.margins(fit.plane, X, y) <= 0).sum() == best


def test_planted_mistakes_are_found():
    """200 samples of 5 features, 10 labels flipped: a plane has three of them right, and none has more."""
    X, y = noisy(200, 5, 0.0, seed=1)
    y[:10] *= -1
    fit = ll.zero_one(X, y)
    assert fit.certificate.gap == 0 and fit.certificate.upper == 7


def test_ten_thousand_samples_with_thirty_percent_noise():
    rng = np.random.default_rng(0)
    X, y = noisy(10_000, 3, 0.0)
    y = np.where(rng.random(10_000) < 0.3, -y, y)
    fit = ll.zero_one(X, y)
    assert fit.certificate.gap == 0 and 2900 < fit.certificate.upper < 3100


def test_few_mistakes_in_many_dimensions_are_proved_by_inseparable_sets():
    """Nine features: no cells any more, a packing is enough or all sets at once are."""
    for seed, best, proof in ((2, 2, Packing), (3, 5, Cover)):
        X, y = noisy(100, 9, 0.3, seed)
        fit = ll.zero_one(X, y)
        assert fit.certificate.gap == 0 and fit.certificate.upper == best
        assert isinstance(fit.certificate.dual, proof)
        assert fit.verify(X, y).gap == 0


@pytest.mark.parametrize("copies", [1, 4])
@pytest.mark.parametrize("vertices", [6, 7])
def test_covers_of_graphs_need_no_cells(vertices, copies):
    """Six and seven coordinates full of ties, which no cell separates: sets of samples settle it at once."""
    edges = list(combinations(range(vertices), 2))
    ring = [(v, (v + 1) % vertices) for v in range(vertices)]
    drawn = [edges[i] for i in np.random.default_rng(0).permutation(len(edges))[: 2 * vertices]]
    for graph, best in ((edges, vertices - 1), (ring, -(-vertices // 2)), (drawn, None)):
        X, y = ll.hardness.vertex_cover_samples(vertices, graph)
        X, y = np.repeat(X, copies, axis=0), np.repeat(y, copies)
        fit = ll.zero_one(X, y, fit_intercept=False)
        cover = ll.hardness.hitting_set_from(fit.plane, vertices, graph)
        assert fit.trace["nodes"][-1] <= 12
        assert fit.certificate.gap == 0 and fit.verify(X, y).gap == 0
        assert fit.certificate.upper == copies * len(cover)
        assert best in (None, len(cover)) and all(cover & set(edge) for edge in graph)


def test_in_six_dimensions_sets_are_tried_first_and_cells_after_them():
    """Four mistakes are settled by a few sets, eight are not; the budget holds for both together."""
    few = ll.zero_one(*noisy(60, 6, 0.6, seed=2))
    assert (few.certificate.lower, few.certificate.upper) == (4, 4) and few.trace["nodes"][-1] <= 12
    X, y = noisy(60, 5, 0.8, seed=2)
    fit = ll.zero_one(X, y)
    assert (fit.certificate.lower, fit.certificate.upper) == (8, 8)
    assert 100 < len(fit.certificate.dual.parent) == fit.trace["nodes"][-1] < 5000
    for share in (0, 0.01, 0.3):
        cut = ll.zero_one(X, y, max_work=share * fit.trace[-1].work)
        assert cut.certificate.lower <= 8 <= cut.certificate.upper
        assert cut.trace[-1].work < fit.trace[-1].work
        assert cut.certificate.lower == cut.trace[-1].lower


@pytest.mark.parametrize("seed", range(4))
def test_it_moves_with_the_samples(seed):
    """Flips, permutations, invertible affine maps keep the optimum; k copies multiply it by k."""
    X, y = noisy(40, 2, 0.6, seed)
    rng = np.random.default_rng(seed)
    best = ll.zero_one(X, y).certificate.upper
    order, A = rng.permutation(40), rng.standard_normal((2, 2)) + 2 * np.eye(2)
    for same in ((X, -y), (X[order], y[order]), (X @ A + [1e3, -7], y), (X * [1e-5, 1e4], y)):
        found = ll.zero_one(*same).certificate
        assert (found.lower, found.upper) == (best, best)
    found = ll.zero_one(np.tile(X, (3, 1)), np.tile(y, 3)).certificate
    assert (found.lower, found.upper) == (3 * best, 3 * best)


def test_no_method_makes_fewer_mistakes():
    X, y = ll.data.drawn(overlap=True)
    best = ll.zero_one(X, y).certificate.lower
    for step in ll.perceptron(X, y, max_updates=300).trace:
        assert (ll.margins(step.plane, X, y) <= 0).sum() >= best


@pytest.mark.parametrize("share", [0, 0.001, 0.01, 0.3])
def test_when_the_budget_ends_the_bounds_are_honest(share):
    X, y = noisy(300, 3, 0.8, seed=2)
    whole = ll.zero_one(X, y)
    best, spent = whole.certificate, whole.trace[-1].work
    fit = ll.zero_one(X, y, max_work=share * spent)
    assert best.gap == 0
    assert fit.certificate.lower <= best.lower and best.upper <= fit.certificate.upper
    assert fit.certificate.lower < fit.certificate.upper
    assert fit.trace[-1].work < spent and fit.certificate.lower == fit.trace[-1].lower
    assert (ll.margins(fit.plane, X, y) <= 0).sum() == fit.certificate.upper == fit.trace[-1].upper


def one_hot(n, seed):
    """Two real columns beside the indicators of five kinds and of two others: rank 8 of 9."""
    X, y = noisy(n, 2, 0.8, seed)
    rng = np.random.default_rng(seed)
    hot = [rng.integers(0, k, n)[:, None] == np.arange(k) for k in (5, 2)]
    return np.column_stack([X, *hot]), y


def close(kind):
    """A column that is a copy but for its last bits; samples nearly in one place; small numbers."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((12, 3))
    if kind == "column":
        X[:, 2] = X[:, 0] * (1 + rng.integers(-3, 4, 12) * 2.0**-52)
    elif kind == "samples":
        X[6:] = X[:6] * (1 + rng.integers(-3, 4, (6, 3)) * 2.0**-50)
    return np.ldexp(X, -290) if kind == "small" else X, np.repeat([1.0, -1.0], 6)


@pytest.mark.parametrize("kind", ["column", "samples", "small"])
def test_samples_that_rounding_hides_are_settled(kind):
    """In whole numbers, with a hundredth of the budget; the same work each time."""
    X, y = close(kind)
    fit = ll.zero_one(X, y, max_work=5e9)
    some = ((k, gone) for k in range(7) for gone in combinations(range(12), k))
    best = next(
        k
        for k, gone in some
        if ll.separate(np.delete(X, gone, 0), np.delete(y, gone)).certificate.separable
    )
    assert fit.certificate.lower == best and fit.verify(X, y).lower == best
    assert ll.zero_one(X, y, max_work=5e9).trace["work"].tolist() == fit.trace["work"].tolist()


@pytest.mark.parametrize(("name", "seed"), [("sum", 1), ("two units", 2), ("standardised", 7)])
def test_a_plane_that_floats_cannot_hold(name, seed, tmp_path):
    """The last digits of a column separate, by weights that round away: counted in fractions, and kept."""
    X, y = dependent.family(name, seed, n=60)
    X, y = np.insert(X[:12], 1, 3.1, axis=1), y[:12]  # and a column that is left out
    fit = ll.zero_one(X, y, max_work=3e8)
    plane = [Fraction(v) for v in fit.certificate.options["exact"]]
    assert smallest_product(ll.signed(X, y), plane) > 0
    assert (ll.margins(fit.plane, X, y) <= 0).any()
    fit.save(tmp_path / "fit.npz")
    assert ll.Fit.load(tmp_path / "fit.npz").verify(X, y).upper == fit.certificate.upper == 0
    same = {"primal": fit.plane.a, "dual": fit.certificate.dual}
    minus = [str(-v) for v in plane]
    plain = ll.certificates.enclose_mistakes(X, y, **same).upper
    assert ll.certificates.enclose_mistakes(X, y, exact=minus, **same).upper == plain > 0
    tie = {"primal": [0, 0], "dual": Packing((), np.zeros(0)), "exact": ["1", "-1"]}
    assert enclose_mistakes([[0.0], [1.0], [2.0]], [-1, 1, 1], **tie).upper == 1  # the sample at 1
    with pytest.raises(ValueError, match="`exact` must be a list of"):
        ll.certificates.enclose_mistakes(X, y, exact=["1"], **same)


@pytest.mark.parametrize("seed", range(3))
def test_columns_that_others_make_up_are_left_out(seed):
    """The same search as without them, the same proof; their weights are 0."""
    X, y = noisy(60, 2, 0.6, seed)
    more = np.column_stack([X[:, 0], X, 2 * X[:, 0], np.full(60, 3.1), X[:, 1] == X[:, 1]])
    fit, plain = ll.zero_one(more, y), ll.zero_one(X, y)
    assert fit.certificate.lower == fit.certificate.upper == plain.certificate.upper
    assert fit.trace["nodes"].tolist() == plain.trace["nodes"].tolist()
    assert np.flatnonzero(fit.plane.w).tolist() == [0, 2]
    assert fit.verify(more, y).gap == 0
    constant = ll.zero_one(np.ones((5, 2)), [1, 1, -1, 1, -1]).certificate
    assert (constant.lower, constant.upper) == (2, 2)


@pytest.mark.parametrize("max_work", [0, 1e6, 1e8, 1e9])
def test_the_budget_counts_work(max_work):
    """It is overspent by one step at most, and the bounds are honest; seconds end it, too."""
    X, y = one_hot(60, 0)
    fit = ll.zero_one(X, y, max_work=max_work)
    assert fit.trace[-1].work <= max_work + 1e9 and (np.diff(fit.trace["work"]) >= 0).all()
    assert fit.certificate.lower <= fit.certificate.upper
    assert (ll.margins(fit.plane, X, y) <= 0).sum() == fit.certificate.upper
    hurried = ll.zero_one(X, y, max_seconds=1e-9)
    assert hurried.trace[-1].work <= 1e9
    with pytest.raises(ValueError, match="`max_seconds` must be"):
        ll.zero_one(X, y, max_seconds=0)
    with pytest.raises(ValueError, match="`max_work` must be"):
        ll.zero_one(X, y, max_work=np.nan)


def test_progress_is_seen():
    """Also while no bound moves: a step at every 10⁹ units of work, or soon after."""
    X, y = noisy(100, 12, 0.8, seed=2)
    work = ll.zero_one(X, y, max_work=2e9).trace["work"]
    assert len(work) >= 3 and np.diff(work).max() < 2e9


def test_the_bounds_close_in_step_by_step():
    """lower never falls, upper never rises; the last step says what the certificate proves."""
    X, y = noisy(300, 3, 0.8, seed=2)
    fit = ll.zero_one(X, y)
    steps = list(fit.trace)
    lower, upper, nodes, k = (
        np.array([getattr(s, f) for s in steps]) for f in ("lower", "upper", "nodes", "k")
    )
    assert (
        (np.diff(lower) >= 0).all() and (np.diff(upper) <= 0).all() and (np.diff(nodes) >= 0).all()
    )
    assert k.tolist() == list(range(len(steps)))
    assert [int((ll.margins(s.plane, X, y) <= 0).sum()) for s in steps] == upper.tolist()
    assert (fit.certificate.lower, fit.certificate.upper) == (lower[-1], upper[-1])
    assert fit.trace["lower"].tolist() == lower.tolist()


def test_bad_options_are_named():
    with pytest.raises(ValueError, match="`max_work` must be a finite number ≥ 0"):
        ll.zero_one(*ll.data.xor(), max_work=-1)
    with pytest.raises(ValueError, match="`y` must contain both labels"):
        ll.zero_one([[1.0]], [1])
    with pytest.raises(ValueError, match="`dual` must be a Packing or a Cover; got ndarray"):
        enclose_mistakes(*ll.data.xor(), primal=[0, 0, 1], dual=np.ones(4))


@pytest.mark.parametrize(
    ("X", "best"),
    [([[0.0, 0.0]], 1), ([[1.0, 0.0], [-2.0, 0.0]], 1), ([[1.0, 0.0], [0.0, 1.0]], 0)],
)
def test_one_label_through_the_origin(X, best):
    """A sample at 0 is always a mistake; of two opposite ones, one."""
    fit = ll.zero_one(X, [1] * len(X), fit_intercept=False)
    assert (fit.certificate.lower, fit.certificate.upper) == (best, best) and fit.plane.b == 0


# the certificate


def proofs():
    X, y = noisy(60, 2, 0.6, seed=5)
    cover = ll.zero_one(X, y)
    X_wide, y_wide = noisy(40, 5, 0.8, seed=1)
    sets = ll.zero_one(X_wide, y_wide)
    packing = ll.zero_one(*ll.data.xor())
    loose = ll.zero_one(*ll.data.drawn(overlap=True), max_work=4e6)
    assert repr(cover.certificate.dual) == "Cover(14 splits)"
    assert re.fullmatch(r"Cover\([0-9]+ inseparable sets\)", repr(sets.certificate.dual))
    assert isinstance(packing.certificate.dual, Packing)
    assert isinstance(loose.certificate.dual, Packing | Cover)
    overlap = ll.data.drawn(overlap=True)
    return {
        "cover": (X, y, cover),
        "sets": (X_wide, y_wide, sets),
        "packing": (*ll.data.xor(), packing),
        "loose packing": (*overlap, loose),
    }


PROOFS = proofs()


@pytest.mark.parametrize("name", PROOFS)
def test_saved_and_loaded_the_proof_still_proves(tmp_path, name):
    X, y, fit = PROOFS[name]
    fit.save(tmp_path / "fit")
    back = ll.Fit.load(tmp_path / "fit")
    assert type(back.certificate.dual) is type(fit.certificate.dual)
    assert back.verify(X, y).gap == fit.certificate.gap and repr(back) == repr(fit)


@pytest.mark.parametrize("name", PROOFS)
def test_a_proof_does_not_fit_other_labels(name):
    X, y, fit = PROOFS[name]
    with pytest.raises(ValueError, match="the certificate claims"):
        fit.verify(X, np.where(ll.margins(fit.plane, X, y) <= 0, -y, y))
    claim = replace(
        fit.certificate, lower=fit.certificate.lower - 1, upper=fit.certificate.lower - 1
    )
    with pytest.raises(ValueError, match="the certificate claims"):
        replace(fit, certificate=claim).verify(X, y)


@settings(deadline=None, max_examples=150)
@given(data=st.data())
def test_weak_duality_for_arbitrary_packings(data):
    """Whatever sets and amounts are given, lower ≤ optimum: what is not inseparable does not count."""
    X, y = ll.data.drawn(overlap=True)
    sets = data.draw(st.lists(st.lists(st.integers(-2, 30), max_size=5), max_size=6))
    honest = PROOFS["loose packing"][2].certificate.dual
    claims = tuple(Claim(np.array(s, dtype=int), np.ones(len(s))) for s in sets) + honest.claims
    amounts = data.draw(st.lists(st.floats(), min_size=len(claims), max_size=len(claims)))
    found = enclose_mistakes(X, y, primal=[1, 1, 1], dual=Packing(claims, np.array(amounts)))
    assert 0 <= found.lower <= 3 <= found.upper


@pytest.mark.parametrize("amount", [np.nan, np.inf, -np.inf, -1.0, 0.0])
@pytest.mark.parametrize("samples", [[0, 1, 9], [-1, 0, 1], [0, 0, 1], [], [0, 1]])
def test_what_is_no_claim_is_left_out(amount, samples):
    """Samples that do not exist, are named twice or are separable prove nothing; nor do wrong amounts."""
    X, y = [[0.0], [1.0], [2.0], [3.0], [4.0]], [1, -1, 1, -1, 1]
    first, last = np.array([0, 1, 2]), np.array([2, 3, 4])
    strange = Claim(np.array(samples, dtype=int), np.ones(len(samples)))
    three = Claim(last, np.ones(3))
    for claims, amounts in (
        ((strange, three), [1.0, 1]),
        ((Claim(first, np.ones(3)), three), [amount, 1]),
    ):
        packing = Packing(claims, np.array(amounts))
        assert enclose_mistakes(X, y, primal=[1, 0.5], dual=packing).lower == 1


def test_huge_amounts_are_cut_to_what_their_samples_can_carry():
    X, y, fit = PROOFS["packing"]
    claims = fit.certificate.dual.claims
    packing = Packing(claims * 2, np.full(2, 1.7e308))
    assert enclose_mistakes(X, y, primal=fit.plane.a, dual=packing).lower == 1


@settings(deadline=None, max_examples=150)
@given(data=st.data())
def test_weak_duality_for_arbitrary_covers(data):
    """Whatever tree, frame and claims are given, lower ≤ optimum."""
    change = data.draw(st.sampled_from(["parent", "piece", "claims", "frame", "cut off"]))
    X, y, fit = PROOFS["sets" if change == "claims" else "cover"]
    cover, best = fit.certificate.dual, fit.certificate.lower
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    if change in ("parent", "piece"):
        values = rng.permutation(getattr(cover, change)) + rng.integers(-1, 2)
        false = replace(cover, **{change: values})
    elif change == "claims":
        claims = (
            Claim(rng.permutation(len(y))[: len(c.samples)], rng.normal(1, 1, len(c.weights)))
            for c in cover.claims
        )
        false = replace(cover, claims=tuple(claims))
    elif change == "frame":
        A = np.triu(rng.standard_normal((3, 3)))
        A[rng.integers(3), :] *= rng.integers(0, 2)
        false = replace(cover, frame=Frame(cover.frame.centre, cover.frame.scale * 2.0, A))
    else:
        k = int(rng.integers(len(cover.parent)))
        false = replace(cover, parent=cover.parent[:k], piece=cover.piece[:k])
    assert enclose_mistakes(X, y, primal=fit.plane.a, dual=false).lower <= best


def test_the_cells_cover_all_directions():
    """Every direction meets one face, one piece of that, one piece of this, and so on."""
    rng = np.random.default_rng(0)
    for _ in range(300):
        a = rng.standard_normal(3)
        a = a / np.abs(a).max()
        f = int(np.abs(a).argmax())
        cells = all_directions(3)
        for _ in range(4):
            near = np.abs(cells.centres - a) <= cells.half
            on = (cells.faces == f) & (cells.centres[:, f] == a[f])
            [k] = np.flatnonzero(on & np.delete(near, f, axis=1).all(axis=1))
            cells = cells.cut(int(k))


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 10**6))
def test_what_a_cell_says_holds_for_all_its_directions(seed):
    """Judged wrong: wrong at random directions and corners of the cell, in rational arithmetic."""
    rng = np.random.default_rng(seed)
    X, y = noisy(30, 2, 0.5, seed)
    frame = Frame.of(X, y, fit_intercept=True)
    Z, slack = frame.rows(X, y, fit_intercept=True)
    cells = all_directions(3)
    for _ in range(int(rng.integers(1, 4))):
        cells = cells.cut(int(rng.integers(len(cells.faces))))
    k = int(rng.integers(len(cells.faces)))
    verdict = judge(cells, Z, slack)
    free = np.arange(3) != cells.faces[k]
    for corner in (rng.choice([-1.0, 1.0], 3), rng.uniform(-1, 1, 3)):
        a = frame.plane(cells.centres[k] + cells.half * corner * free, fit_intercept=True)
        right = right_exact(ll.signed(X, y), a)
        assert not (right & verdict.wrong[k]).any()
        assert right[~verdict.wrong[k] & ~verdict.open(k)].all()


def test_a_cover_proves_what_its_sets_or_its_cells_prove():
    """Without cells or without sets, what the others prove; with both, the larger number and no sum."""
    X, y = noisy(400, 2, 3.0)
    frame = Frame.of(X, y, fit_intercept=True)
    verdict = judge(all_directions(3), *frame.rows(X, y, fit_intercept=True))
    certain = verdict.wrong.sum(axis=1).min()
    three = tuple(Claim(np.arange(40 * k, 40 * k + 40), np.ones(40)) for k in range(3))
    none, root = np.array([], dtype=int), np.array([-1])
    single = tuple(Claim(np.array([i]), np.ones(1)) for i in np.flatnonzero(verdict.wrong[0]))
    proofs = [(none, three), (root, ()), (root, three), (root, single), (none, ())]
    found = [
        enclose_mistakes(X, y, primal=np.zeros(3), dual=Cover(frame, split, split, sets)).lower
        for split, sets in proofs
    ]
    assert found == [3, certain, certain, certain, 0] and certain > 3


@pytest.mark.parametrize("weight", [1, 2**24 - 400, 2**30 + 1])
def test_what_is_wrong_is_weighed_without_rounding(weight):
    """Single precision counts to 2²⁴; beyond, double precision is taken."""
    X, y = noisy(400, 2, 3.0)
    verdict = judge(
        all_directions(3), *Frame.of(X, y, fit_intercept=True).rows(X, y, fit_intercept=True)
    )
    weights = np.ones(400)
    weights[verdict.wrong[0].argmax()] = weight
    exact = [sum(int(w) for w in weights[row]) for row in verdict.wrong]
    assert verdict.mistakes(weights).tolist() == exact


@pytest.mark.parametrize("p", range(2, 9))
def test_the_pieces_of_a_cell_fill_it_without_rounding(p):
    """In rational arithmetic the pieces' sides are the cell's, cut into equal parts, at any depth."""
    rng = np.random.default_rng(p)
    cells = all_directions(p)
    while cells.half > 2.0**-40:
        k = int(rng.integers(len(cells.faces)))
        parts, half = cells.cut(k), Fraction(cells.half)
        j = (int(cells.faces[k]) + 1) % p
        g = round(len(parts.faces) ** (1 / (p - 1)))
        centre = Fraction(float(cells.centres[k, j]))
        sides = {
            Fraction(v) + s * Fraction(parts.half)
            for v in parts.centres[:, j].tolist()
            for s in (-1, 1)
        }
        assert sides == {centre - half + 2 * half * m / g for m in range(g + 1)}
        cells = parts


@pytest.mark.parametrize("size", [1e-17, 1e-16, 1e-15])
def test_surrounded_is_right_where_rounding_decides(size):
    """u, -u + εv, v: 0 is inside or outside by a hair. What is called inside is so in rational arithmetic."""
    rng = np.random.default_rng(0)
    for _ in range(100):
        u, v = rng.standard_normal((2, 2))
        Z = np.array([u, -u + size * rng.standard_normal() * v, v])
        if origin_in_hull_by_floats(Z):
            assert sum(gordan_exact(Z, np.ones(3), dual=np.ones(3), fit_intercept=False)) == 1


def test_a_mistake_is_counted_without_rounding():
    """0.1 · 3 and 0.3 differ by one rounding: the sample on the wrong side by that much is a mistake."""
    Z = np.array([[0.1, -0.3], [-0.1, 0.3], [0.5, -1.5]])
    a = np.array([3.0, 1.0])
    exact = [
        sum(Fraction(u) * Fraction(v) for u, v in zip(z, a.tolist(), strict=True)) > 0
        for z in Z.tolist()
    ]
    assert right_exact(Z, a).tolist() == exact == [True, False, False]
    assert not right_exact(Z, np.zeros(2)).any()
    two = ll.signed([[0.0], [1.0]], [1, -1])  # 1e99 times as large, and the offset still decides
    assert right_exact(two, np.array([-1e99, 1e-300])).all()


def test_surrounded_proves_only_what_is_so():
    """0 well inside a simplex is proved in floating point; on its border, or outside, it is not."""
    simplex = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    assert origin_in_hull_by_floats(simplex) and origin_in_hull_by_floats(simplex * [1e-9, 1e9])
    assert not origin_in_hull_by_floats(np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]]))
    assert not origin_in_hull_by_floats(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
    assert not origin_in_hull_by_floats(simplex[:2])


@settings(deadline=None)
@given(
    rows=st.lists(st.tuples(st.integers(-1, 1), st.sampled_from([-1, 1])), min_size=2, max_size=12)
)
def test_samples_of_one_place_are_counted_once(rows):
    """Each place costs its smaller class; its larger class remains, with the difference as weight."""
    X, y = (
        np.array([[r[0]] for r in rows], dtype=float),
        np.array([r[1] for r in rows], dtype=float),
    )
    Z = np.column_stack([X, np.ones(len(y))]) * y[:, None]
    found = distinct(Z)
    counts = {x: [sum(r == (x, s) for r in rows) for s in (-1, 1)] for x in (-1, 0, 1)}
    assert found.unavoidable == sum(min(c) for c in counts.values())
    assert found.weights.sum() == sum(abs(c[0] - c[1]) for c in counts.values())
    for i, weight in zip(found.samples, found.weights, strict=True):
        smaller, larger = sorted(counts[rows[i][0]])
        assert weight == larger - smaller and sum(r == rows[i] for r in rows) == larger


@settings(deadline=None)
@given(
    sets=st.lists(st.frozensets(st.integers(0, 5), min_size=1, max_size=4), max_size=7),
    weights=st.lists(st.integers(1, 4), min_size=6, max_size=6),
    below=st.integers(1, 12),
)
def test_the_lightest_hitting_set_is_the_lightest(sets, weights, below):
    every = [{v for v in range(6) if mask >> v & 1} for mask in range(64)]
    lightest = min(sum(weights[v] for v in H) for H in every if all(H & s for s in sets))
    H, bound = lightest_hitting(sets, weights, below=below)
    assert bound == min(lightest, below)
    assert (H is None) == (lightest >= below)
    if H is not None:
        assert all(H & s for s in sets) and sum(weights[v] for v in H) == lightest
    assert lightest_hitting(sets, weights, below=below, max_work=1)[1] <= bound


@settings(deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_sweep_finds_the_best_angle(seed):
    """Against the middle of every arc between two angles where something changes."""
    rng = np.random.default_rng(seed)
    Z, weights = rng.standard_normal((12, 2)), rng.integers(1, 4, 12).astype(float)
    theta, mistakes = sweep(Z[:, 0], Z[:, 1], weights)
    a = np.array([np.cos(theta), np.sin(theta)])
    assert weights[Z @ a <= 0].sum() == mistakes
    angles = np.sort(np.concatenate([np.arctan2(Z[:, 0], -Z[:, 1]), np.arctan2(-Z[:, 0], Z[:, 1])]))
    middles = (angles + np.roll(angles, -1)) / 2
    middles[-1] += np.pi
    A = np.column_stack([np.cos(middles), np.sin(middles)])
    assert mistakes == ((Z @ A.T <= 0) * weights[:, None]).sum(axis=0).min()


SEARCHES = """
import numpy as np, linlearn as ll
print(np.show_config(mode="dicts")["SIMD Extensions"].get("found", []))
for d, n in ((3, 30), (5, 30), (5, 60)):
    trace = ll.zero_one(*ll.data.gaussians(n, d, delta=1.0), max_work=2e8).trace
    print(d, n, [(step.nodes, step.lower, step.upper) for step in trace])
"""


def test_the_search_is_the_same_without_vector_instructions():
    """NumPy chooses its loops by the processor; what is cut, and how often, must not hang on them."""
    found = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    if not found:
        pytest.skip("NumPy finds no vector instructions here that it could do without")
    already = os.environ.get("NPY_DISABLE_CPU_FEATURES", "")  # on a machine that is emulated
    printed = [
        subprocess.run(
            [sys.executable, "-c", SEARCHES],
            env=os.environ | {"NPY_DISABLE_CPU_FEATURES": " ".join([already, *off]).strip()},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split("\n", 1)
        for off in ([], found)
    ]
    (on, search), (off, other) = printed
    assert (on, off) == (str(found), "[]")
    assert search == other


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("seed", [16, 29])
def test_rows_whose_squares_underflow(seed):
    """Samples between 1e-99 and 1e99: their directions alone count, and are known."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((12, 2))
    y = np.where(x.sum(axis=1) + rng.standard_normal(12) > 0, 1.0, -1.0)
    found = ll.zero_one(
        x * 10.0 ** rng.integers(-99, 99, (12, 2)), y, fit_intercept=False
    ).certificate
    assert found.gap == 0 < found.lower


APART = np.array([-3e-64, 2.4e88, -3e-31, -3.3e63, 1.5e-33, -1.9e61])[:, None]  # no frame sees all


def test_a_plane_of_no_weights_is_a_plane_too():
    """What whole numbers find for the samples of one class has w = 0; nothing may be divided by it."""
    y = np.array([1.0, -1, -1, 1, 1, 1])
    found = ll.zero_one(APART, y).certificate
    assert (found.lower, found.upper) == (1, 1)
    assert (
        nearby_float_plane(
            ll.signed(APART, y)[y > 0], [Fraction(0), Fraction(1, 3)], fit_intercept=True
        )[1]
        > 0
    )


@pytest.mark.parametrize("asked", range(0, 60, 3))
def test_time_may_run_out_at_any_moment(monkeypatch, asked):
    """Between two looks at the clock, too: bounds that hold, and no error."""
    looks = count()
    monkeypatch.setattr(Meter, "spent", property(lambda meter: next(looks) >= asked))
    found = ll.zero_one(APART, [1, -1, -1, 1, 1, 1]).certificate
    assert 0 <= found.lower <= 1 <= found.upper
