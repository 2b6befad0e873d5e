"""What an explorable shows is what linlearn computes: 240 shared sets of samples, to 1e-9 of their size.

They lie on the figures' grid of 1/8, where every sum is exact and a tie is a tie in both languages.
"""

import json
import re
import sys
from functools import cache
from itertools import pairwise
from types import ModuleType

import numpy as np
import pytest
from javascript import MODULES, call, module, node
from scipy import special

import linlearn as ll
from linlearn import certificates, data, estimators, explore
from linlearn.explore import _script
from linlearn.losses import LOGISTIC
from linlearn.textbook.logistic import newton

NEAR = 1e-9


def sets():
    """(X, y, offset, C): 2 to 24 samples, most separable, some of any labels, some dependent."""
    rng = np.random.default_rng(0)
    for case in range(240):
        n = int(rng.integers(2, 9 if case % 16 == 5 else 25))
        w, b = rng.normal(size=2), rng.normal()
        X = rng.integers(-40, 41, size=(n, 2)) / 8
        if case % 16 == 5:
            X[:, 1] = X[:, 0] / 2 if case % 32 == 5 else 1.5
        y = np.where(X @ w + b > 0, 1, -1)
        if case % 4 == 0:
            y = rng.choice([-1, 1], size=n)
        y[:2] = 1, -1
        yield X, y, bool(case % 3), float(10 ** rng.uniform(-3, 3))


SETS = list(sets())
SOME = SETS[::3]  # where `linlearn` fits all its methods, which takes longer


def size(X):
    return float(np.abs(X).max()) or 1.0


def derived(figures):
    """What the explorables make of the states that Python gives them."""
    names = {
        "far": "farSample",
        "fisher": "lookAlong",
        "hulls": "nearestHulls",
        "losses": "oneLoss",
        "soft": "softOrHard",
    }
    return call([[f.name, f"{names.get(f.name, f.name)}.derive", f.state] for f in figures])


def moved(figure, **state):
    """The figure after a reader's changes."""
    figure._first |= state
    return figure


# The perceptron -------------------------------------------------------------------------------


@cache
def perceptrons():
    return derived([explore.perceptron(X, y, fit_intercept=o) for X, y, o, _ in SETS])


def test_the_perceptrons_run_is_the_same_bit_for_bit():
    """Signed samples, the samples added, the samples read, and every state of the weights."""
    for (X, y, fit_intercept, _), d in zip(SETS, perceptrons(), strict=True):
        trace = ll.perceptron(X, y, fit_intercept=fit_intercept, max_updates=200).trace
        assert (ll.signed(X, y, fit_intercept=fit_intercept) == d["Z"]).all()
        assert [s["i"] for s in d["steps"]] == trace["i"].tolist()
        assert [s["reads"] for s in d["steps"]] == trace["reads"].tolist()
        assert (
            np.array([s["a"] for s in d["steps"]]) == trace["a" if fit_intercept else "w"]
        ).all()
        assert d["a"] == d["steps"][-1]["a"]  # it begins with the last state


def test_the_two_curves_are_linlearns():
    """γ* lies in the enclosure of `separate`, a* reaches it, R is the longest sample's length."""
    kinds = set()
    for (X, y, fit_intercept, _), d in zip(SETS, perceptrons(), strict=True):
        Z, found = (
            ll.signed(X, y, fit_intercept=fit_intercept),
            ll.separate(X, y, fit_intercept=fit_intercept).certificate,
        )
        R = np.linalg.norm(Z, axis=1).max()
        assert abs(d["R"] - R) <= NEAR * R
        assert found.lower - NEAR * R <= d["gamma"] <= found.upper + NEAR * R
        if d["gamma"]:
            assert (Z @ d["star"]).min() >= d["gamma"] - NEAR * R
            assert abs(np.linalg.norm(d["star"]) - 1) <= NEAR
        kinds.add((d["gamma"] > 0, found.lower > 0))
    assert kinds == {(True, True), (False, False)}  # both occur, and never for each other


def test_the_nearest_point_proves_itself():
    """Thousands of hulls, most around 0: weights on the simplex, and no row brings the point nearer to 0."""
    rng, given = np.random.default_rng(3), []
    for _ in range(3000):
        n, p = rng.integers(1, 20), rng.integers(2, 4)
        given.append(rng.integers(-12, 13, size=(n, p)) / 8)
    for Z, alpha in zip(
        given, call([["maths", "nearest", Z.tolist()] for Z in given]), strict=True
    ):
        alpha, R2 = np.array(alpha, dtype=float), (Z**2).sum(axis=1).max()
        point = Z.T @ alpha
        assert (alpha >= 0).all() and abs(alpha.sum() - 1) <= 1e-12
        assert (Z @ point >= point @ point - NEAR * R2).all()


# The two witnesses ----------------------------------------------------------------------------


def enclosed(X, y, plane, alpha):
    """linlearn's bounds of ρ*: 1/√(2·) of those of the hard margin, which swaps the ends."""
    hard = certificates.enclose_hard_margin(X, y, primal=plane, dual=alpha)
    lower = (2 * hard.upper) ** -0.5 if hard.upper < np.inf else None
    return lower, (2 * hard.lower) ** -0.5 if hard.lower else np.inf


def weights(y, rng):
    alpha = rng.random(len(y)) * (rng.random(len(y)) < 0.7) + 1e-3
    return alpha / np.where(y > 0, alpha[y > 0].sum(), alpha[y < 0].sum()) / 2


def test_a_line_and_two_points_prove_what_linlearn_says():
    """`certificate`: both bounds of any line and of any weights; below and above the best margin."""
    rng, figures = np.random.default_rng(1), []
    for k, (X, y, _, _) in enumerate(SETS):
        good = ll.separate(X, y).plane
        plane = good if k % 2 and good.w.any() else ll.Hyperplane(rng.normal(size=2), rng.normal())
        figures.append(explore.certificate(X, y, plane=plane, alpha=weights(y, rng)))
    best = [norm_of(X, y, alpha) for (X, y, *_), alpha in zip(SETS, nearest(), strict=True)]
    proofs = 0
    for (X, y, _, _), figure, d, rho in zip(SETS, figures, derived(figures), best, strict=True):
        s = figure.state
        lower, upper = enclosed(X, y, [*s["w"], s["b"]], s["alpha"])
        signed_distance = (y * (X @ s["w"] + s["b"])).min() / np.linalg.norm(s["w"])
        assert abs(d["lower"] - signed_distance) <= NEAR * size(X)
        assert lower is None if d["lower"] <= 0 else abs(d["lower"] - lower) <= NEAR * size(X)
        assert abs(d["upper"] - upper) <= NEAR * size(X)
        assert d["lower"] - NEAR * size(X) <= rho <= d["upper"] + NEAR * size(X)
        proofs += d["lower"] > 0
    assert 60 < proofs < 200


@cache
def nearest():
    return call([["maths", "hulls", X.tolist(), y.tolist()] for X, y, *_ in SETS])


def norm_of(X, y, alpha):
    return float(np.linalg.norm((np.array(alpha) * y) @ X))


def test_the_nearest_points_are_half_as_far_as_max_margin_says():
    """`hulls`: where they are apart, both bounds meet at 1/‖w‖ of `max_margin`; else it refuses."""
    for (X, y, *_), alpha in zip(SETS, nearest(), strict=True):
        alpha, found = np.array(alpha), norm_of(X, y, alpha)
        assert (alpha >= 0).all()
        assert np.allclose([alpha[y > 0].sum(), alpha[y < 0].sum()], 0.5, atol=1e-12)
        try:
            rho = 1 / np.linalg.norm(ll.max_margin(X, y).plane.w)
        except ll.NotSeparable:
            rho = 0.0
        assert abs(found - rho) <= NEAR * size(X)


def test_weights_bound_the_margin_twice():
    """`hulls`: the bounds of any weights and of the line half-way are linlearn's; a step never loses."""
    rng = np.random.default_rng(2)
    figures = [explore.hulls(X, y, alpha=weights(y, rng)) for X, y, *_ in SETS]
    steps = call(
        [["maths", "gilbert", f.state["X"], f.state["y"], f.state["alpha"]] for f in figures]
    )
    for (X, y, *_), figure, d, moved in zip(SETS, figures, derived(figures), steps, strict=True):
        alpha, plane = np.array(figure.state["alpha"]), [*d["plane"]["w"], d["plane"]["b"]]
        p, q = (2 * alpha[y == label] @ X[y == label] for label in (1, -1))
        assert np.allclose([d["plus"], d["minus"]], [p, q], atol=NEAR)
        assert np.allclose(plane, [*(p - q) / 2, (q @ q - p @ p) / 4], atol=NEAR * size(X) ** 2)
        lower, upper = enclosed(X, y, plane, alpha)
        assert lower is None if d["lower"] <= 0 else abs(d["lower"] - lower) <= NEAR * size(X)
        assert abs(d["upper"] - upper) <= NEAR * size(X)
        assert norm_of(X, y, moved) <= d["upper"] + 1e-12 * size(X)
        assert np.allclose([np.array(moved)[y == label].sum() for label in (1, -1)], 0.5)


def test_more_weight_for_one_sample_is_less_for_the_others_of_its_class():
    """The slider of `hulls`: the share asked for, the proportions of the others, each class's sum ½."""
    state = {"y": [1, 1, 1, -1, -1]}
    alpha = [0.1, 0.15, 0.25, 0.5, 0.0]
    given, taken, alone = call(
        [["hulls", "shared", state, alpha, i, t] for i, t in ((0, 0.6), (3, 0.5), (3, 0.0))]
    )
    assert np.allclose(given, [0.3, 0.075, 0.125, 0.5, 0])
    assert np.allclose(taken, [0.1, 0.15, 0.25, 0.25, 0.25])  # the others had none: in equal parts
    assert np.allclose(alone, [0.1, 0.15, 0.25, 0, 0.5])


# A direction ----------------------------------------------------------------------------------


@cache
def turned():
    """`fisher` with any direction and any dual variables: the set, the figure, and what is made of it."""
    rng, figures = np.random.default_rng(4), []
    for k, (X, y, *_) in enumerate(SETS):
        figures.append(moved(explore.fisher(X, y), t=(0.0, 1.0, rng.random())[k % 3]))
        if k % 4:
            moved(figures[-1], angle=rng.uniform(-180, 180))
    return list(zip(SETS, figures, derived(figures), strict=True))


def infinite(X, y):
    """Whether in some direction the class means differ and the samples have no spread about them."""
    means = [X[y == label].mean(axis=0) for label in (1, -1)]
    rows = X - np.where(y[:, None] > 0, *means)
    ranks = [
        np.linalg.matrix_rank(A, tol=NEAR * size(X)) for A in (rows, [*rows, means[0] - means[1]])
    ]
    return ranks[0] < ranks[1]


def collinear(X):
    return np.linalg.matrix_rank(X - X.mean(axis=0), tol=NEAR * size(X)) < 2


def test_a_direction_and_votes_prove_what_linlearn_says():
    """Both ends are those of `enclose_fisher`, for any direction and any dual variables.

    Where no ratio is the largest the figure shows no best direction.
    """
    seen = set()
    for (X, y, *_), figure, d in turned():
        if infinite(X, y) or (X[y > 0].mean(axis=0) == X[y < 0].mean(axis=0)).all():
            assert (d["best"], d["beta"], d["upper"]) == (None, None, "Infinity")
            seen.add("refused")
            continue
        best, beta, t = figure.fit, np.array(d["beta"]), figure.state["t"]
        means = [X[y == label].mean(axis=0) for label in (1, -1)]
        rows, delta = X - np.where(y[:, None] > 0, *means), means[0] - means[1]
        assert np.abs(rows.T @ beta - delta).max() <= NEAR * size(X)  # they add up to δ
        assert np.isclose(d["upper"], beta @ beta, rtol=NEAR, atol=0)
        found = certificates.enclose_fisher(X, y, primal=d["w"], dual=beta)
        assert np.isclose(d["lower"], found.lower, rtol=NEAR, atol=0)
        assert found.upper <= d["upper"] * (1 + NEAR)  # linlearn improves given dual variables
        assert d["lower"] <= best.certificate.upper * (1 + NEAR)
        assert d["upper"] >= best.certificate.lower * (1 - NEAR)
        if t == 0:
            assert np.count_nonzero(beta) <= 2 - collinear(X)
        if collinear(X):
            seen.add("collinear")
        if t == 1:
            assert np.isclose(d["upper"], best.certificate.upper, rtol=NEAR, atol=0)
        seen |= {("wrong way", d["apart"] < 0), ("t", t if t in (0, 1) else None)}
    assert seen == {
        "refused",
        "collinear",
        *(("wrong way", b) for b in (False, True)),
        *(("t", t) for t in (0, 1, None)),
    }


def test_the_ratio_is_that_of_the_projected_samples():
    """J by its definition: squared distance of the projected means over the sum of the scatters."""
    flat = 0
    for (X, y, *_), figure, d in turned():
        angle = np.radians(figure.state["angle"])
        w = np.array([np.cos(angle), np.sin(angle)])
        assert np.allclose(d["w"], w, atol=1e-15)
        plus, minus = X[y > 0] @ w, X[y < 0] @ w
        scatter = ((plus - plus.mean()) ** 2).sum() + ((minus - minus.mean()) ** 2).sum()
        apart = plus.mean() - minus.mean()
        assert np.isclose(d["apart"], apart, rtol=NEAR, atol=NEAR * size(X))
        if d["J"] is None:
            flat += 1
            assert scatter <= (NEAR * size(X)) ** 2
        else:
            assert np.isclose(d["J"], apart**2 / scatter, rtol=1e-7, atol=NEAR)
        cut = (plus.mean() + minus.mean()) / 2
        assert np.allclose(d["m"], y * (X @ w - cut), atol=NEAR * size(X))
    assert flat > 0  # a sample a class, or all on one line that is looked along


# All methods on one drawing -------------------------------------------------------------------


@pytest.fixture(scope="module")
def learned():
    """For each set: what the explorable shows of each method, by name, and what linlearn learns."""
    figures = [explore.methods(X, y, C=C) for X, y, _, C in SOME]
    shown = [{m["name"]: m for m in d["found"]} for d in derived(figures)]
    return list(zip(SOME, shown, [figure.fit for figure in figures], strict=True))


def plane(found):
    return np.array([*found["plane"]["w"], found["plane"]["b"]])


@pytest.mark.parametrize("name", ["perceptron", "Fisher", "LDA", "least squares", "largest margin"])
def test_the_plane_is_linlearns(learned, name):
    """The same plane to 1e-9 of its size, a refusal for a refusal, Fisher's also for an infinite ratio."""
    refusals = on_a_line = 0
    for (X, y, *_), shown, fits in learned:
        refused = name not in fits or (name in ("Fisher", "LDA") and infinite(X, y))
        assert (shown[name]["plane"] is None) == refused
        refusals += refused
        if not refused:
            on_a_line += collinear(X)
            a = fits[name].plane.a if name != "perceptron" else fits[name].trace["a"][-1]
            assert np.abs(plane(shown[name]) - a).max() <= NEAR * np.abs(a).max()
    assert (refusals > 5) == (name in ("Fisher", "LDA", "largest margin")) and on_a_line > 2


def is_likeliest(found, X, y, lam, fit):
    """The plane after one more of Newton's steps than linlearn, which stops at a gap of 1e-13, would take."""
    Z, a = ll.signed(X, y), fit.plane.a
    s, q = 1 / (1 + np.exp(Z @ a)), np.array([lam] * (len(a) - 1) + [0])
    H = (Z.T * (s * (1 - s))) @ Z / len(y) + np.diag(q)
    a = a - np.linalg.solve(H, q * a - s @ Z / len(y))
    return np.abs(found - a).max() <= NEAR * np.abs(a).max()


def is_softest(found, X, y, C, fit):
    """A value as small, and w up to what linlearn's gap leaves open: ½‖w - w*‖² ≤ gap. b may differ.

    True if w is nearer than that asks, to 1e-9.
    """
    *w, b = found
    open_ = (2 * fit.certificate.gap) ** 0.5
    apart, small = np.linalg.norm(w - fit.plane.w), NEAR * max(np.linalg.norm(w), 1 / size(X))
    assert apart <= open_ + small
    value = np.dot(w, w) / 2 + C * np.maximum(0, 1 - y * (X @ w + b)).sum()
    assert value <= fit.certificate.upper * (1 + NEAR)
    return apart <= small


def test_logistic_regression_is_linlearns(learned):
    """Newton's next step leads to the plane that is shown."""
    for (X, y, _, C), shown, fits in learned:
        assert is_likeliest(plane(shown["logistic"]), X, y, 1 / (C * len(y)), fits["logistic"])


def test_the_soft_margin_is_linlearns(learned):
    """A value as small as linlearn's, nearly always with the same w to 1e-9."""
    near = [
        is_softest(plane(shown["soft margin"]), X, y, C, fits["soft margin"])
        for (X, y, _, C), shown, fits in learned
    ]
    assert sum(near) >= len(SOME) - 2


def test_no_line_makes_fewer_mistakes(learned):
    """The fewest mistakes are those of the exact search, and the line shown makes no more."""
    counts = {0}
    for (X, y, *_), shown, fits in learned:
        found, proof = shown["fewest mistakes"], fits["fewest mistakes"].certificate
        *w, b = plane(found)
        assert found["mistakes"] == (y * (X @ w + b) <= 0).sum() == proof.upper
        if np.linalg.matrix_rank(X - X.mean(axis=0)) == 2:  # else the search may end with a gap
            assert proof.lower == proof.upper
            counts.add(found["mistakes"])
    assert counts >= {0, 1, 2, 3, 4, 5}


def test_fewest_mistakes_of_samples_in_a_row_and_in_one_place():
    """Lines through many samples, which the grid seldom has: every label of four in a row, of equal ones."""
    rows = np.array([[0, 0], [1, 1], [1, 1], [2, 2], [3, 3], [0, 2]]) * 0.5
    cases = [np.array(c) for c in np.ndindex(*[2] * 6) if 0 < sum(c) < 6]
    found = call([["learn", "fewest", rows.tolist(), (2 * c - 1).tolist()] for c in cases])
    for c, one in zip(cases, found, strict=True):
        assert one["mistakes"] == ll.zero_one(rows, 2 * c - 1).certificate.upper


def test_mistakes_and_distances_of_the_table(learned):
    for (X, y, *_), shown, _ in learned:
        for one in shown.values():
            if one["plane"] is None:
                assert one["refusal"]
                continue
            *w, b = plane(one)
            m, length = y * (X @ w + b), np.linalg.norm(w)
            assert abs(one["mistakes"] - (m <= 0).sum()) <= (np.abs(m) < 1e-12).sum()
            assert one["rho"] is None if not length else np.isclose(one["rho"], m.min() / length)


def test_a_turned_line_has_linlearns_coordinates_and_labels():
    """`turn`: coordinates, threshold and distances of any line; a tie gets the label -1."""
    rng, wrong, ties = np.random.default_rng(11), set(), 0
    figures = []
    for k, (X, y, *_) in enumerate(SETS):
        w = rng.integers(-3, 4, size=2) / 2 + (rng.normal(size=2) if k % 3 else [0.25, 0])
        x = X[k % len(X)]  # through a sample in a third of the cases, where its score is exactly 0
        figures.append(
            explore.turn(X, y, plane=ll.Hyperplane(w, rng.normal() if k % 3 else -w @ x))
        )
    for (X, y, *_), figure, d in zip(SETS, figures, derived(figures), strict=True):
        plane = ll.Hyperplane(figure.state["w"], figure.state["b"])
        norm = np.linalg.norm(plane.w)
        assert np.abs(X @ plane.w / norm - d["coordinates"]).max() <= NEAR * size(X)
        assert abs(-plane.b / norm - d["t"]) <= NEAR * (size(X) + abs(plane.b / norm))
        assert np.abs(np.abs(plane.distance(X)) - d["apart"]).max() <= NEAR * (
            size(X) + abs(d["t"])
        )
        assert plane.predict(X).tolist() == d["labels"]
        assert d["wrong"] == (plane.predict(X) != y).sum()
        assert repr(figure).split(", ")[1] == f"{d['wrong']} misclassified)"
        wrong.add(d["wrong"])
        ties += (plane.score(X) == 0).any()
    assert len(wrong) > 8 and ties > 50


# A far sample -------------------------------------------------------------------------------


def test_the_nearest_line_is_linlearns():
    """`far`: the plane, every margin and square, both ends of the proof; a line that is dashed separates."""
    figures, dashed = [explore.far(X, y) for X, y, *_ in SETS], 0
    for (X, y, *_), figure, d in zip(SETS, figures, derived(figures), strict=True):
        fit, r = figure.fit, np.array(d["r"])
        a = np.array([*d["plane"]["w"], d["plane"]["b"]])
        m = y * (X @ fit.plane.w + fit.plane.b)
        assert np.abs(a - fit.plane.a).max() <= NEAR * np.abs(fit.plane.a).max()
        assert np.abs(m - d["m"]).max() <= NEAR * max(1, np.abs(m).max())
        assert np.allclose(d["squares"], (1 - m) ** 2, rtol=NEAR, atol=NEAR)
        assert np.abs(np.column_stack([X, np.ones(len(X))]).T @ r).max() <= NEAR * len(y) * size(X)
        assert np.isclose(d["cost"], fit.certificate.upper, rtol=NEAR, atol=NEAR)
        assert np.isclose(d["low"], fit.certificate.upper, rtol=NEAR, atol=NEAR)
        run = ll.perceptron(X, y, max_updates=1000)
        separates = ll.margins(run.plane, X, y).min() > 0
        assert (d["other"] is not None) == separates
        if separates:
            assert (np.array([*d["other"]["w"], d["other"]["b"]]) == run.plane.a).all()
        dashed += separates
    assert 100 < dashed < 220


# A cap on the shares --------------------------------------------------------------------------


def test_capped_hulls_meet_as_far_as_linlearns_value_says():
    """`capped`: the nearest points of the capped hulls, and both ends of n times `linear_program`'s value."""
    rng, figures, seen = np.random.default_rng(6), [], set()
    for X, y, *_ in SETS:
        most = min((y > 0).sum(), (y < 0).sum())
        figures.append(explore.capped(X, y, cap=1 / rng.uniform(1, most)))
    for (X, y, *_), figure, d in zip(SETS, figures, derived(figures), strict=True):
        found, alpha, cap, R = figure.fit.certificate, np.array(d["alpha"]), d["cap"], size(X)
        assert cap == max(figure.state["cap"], 1 / (y > 0).sum(), 1 / (y < 0).sum())
        assert (alpha >= 0).all() and (2 * alpha <= cap + 1e-12).all()
        assert np.allclose([alpha[y > 0].sum(), alpha[y < 0].sum()], 0.5, atol=1e-12)
        u = 2 * (alpha * y) @ X  # from q to p; no point of either capped hull is nearer along it
        shares = [np.clip(1 - cap * np.arange((y == label).sum()), 0, cap) for label in (1, -1)]
        ends = [
            np.sort(label * X[y == label] @ u) @ s for label, s in zip((1, -1), shares, strict=True)
        ]
        assert u @ u - sum(ends) <= NEAR * R**2
        assert np.isclose(d["apart"], np.linalg.norm(u), atol=NEAR * R)
        assert np.isclose(d["upper"], len(y) * found.upper, rtol=NEAR, atol=NEAR)
        w, b = d["plane"]["w"], d["plane"]["b"]
        assert np.isclose(d["upper"], np.maximum(0, 1 - y * (X @ w + b)).sum(), atol=NEAR)
        assert d["lower"] == (min(2 / cap, d["upper"]) if d["meet"] else 0)
        if abs(2 / cap - d["upper"]) > NEAR * d["upper"]:
            assert d["meet"] == (2 / cap < d["upper"])
        seen.add((d["meet"], d["upper"] > 1))
    assert seen == {(True, True), (False, True), (False, False)}


# One C --------------------------------------------------------------------------------------


def test_from_soft_to_hard_is_linlearns():
    """`soft`: cost and dual variables enclose linlearn's value, and both ends meet it, to 1e-9."""
    figures = [explore.soft(X, y, C=C) for X, y, _, C in SETS]
    for (X, y, _, C), figure, d in zip(SETS, figures, derived(figures), strict=True):
        found, alpha = figure.fit.certificate, np.array(d["alpha"])
        value, w = found.upper, np.array(d["plane"]["w"])
        assert (alpha >= 0).all() and (alpha <= C).all()
        assert abs(alpha @ y) <= 1e-12 * alpha.sum()
        m = y * (X @ w + d["plane"]["b"])
        assert np.abs(m - d["m"]).max() <= NEAR * max(1, np.abs(m).max())
        assert np.isclose(d["total"], np.maximum(0, 1 - m).sum(), rtol=NEAR, atol=NEAR)
        assert np.isclose(d["cost"], w @ w / 2 + C * np.maximum(0, 1 - m).sum(), rtol=NEAR)
        v = (alpha * y) @ X
        assert np.isclose(d["low"], alpha.sum() - v @ v / 2, rtol=NEAR, atol=NEAR * value)
        assert found.lower * (1 - NEAR) <= d["cost"] <= value * (1 + NEAR)
        assert value * (1 - NEAR) <= d["low"] <= value * (1 + NEAR)


def test_votes_are_made_to_cancel():
    """`feasible`: between 0 and C, and each class has as much; those of the smaller sum stay."""
    y, alpha = [1, 1, -1, -1], [0.5, 0.75, 0.25, -1e-12]
    assert call([["soft", "feasible", y, alpha, 0.5]]) == [[0.125, 0.125, 0.25, 0]]
    assert call([["soft", "feasible", y, [0.0] * 4, 0.5]]) == [[0] * 4]


# One loss after another -----------------------------------------------------------------------


def test_each_loss_is_linlearns():
    """`losses`: the best plane of each, and what every sample pays there, to 1e-9."""
    figures = [explore.losses(X, y, loss=loss) for X, y, *_ in SOME for loss in explore.LOSSES]
    found, near = iter(derived(figures)), 0
    for X, y, *_ in SOME:
        fits = explore.losses(X, y).fit
        fewest = fits["zero-one"].certificate
        for loss in explore.LOSSES:
            d = next(found)
            phi = getattr(ll.losses, loss.upper().replace("-", "_"))
            m = ll.margins(ll.Hyperplane(d["plane"]["w"], d["plane"]["b"]), X, y)
            scale = 1 + np.abs(m).max()
            assert d["name"] == loss and np.abs(m - d["m"]).max() <= NEAR * scale
            assert np.abs(phi.value(d["m"]) - d["costs"]).max() <= NEAR * scale**2
            assert np.isclose(d["mean"], np.mean(d["costs"]), rtol=NEAR)
            assert d["wrong"] == (np.array(d["m"]) <= 0).sum()
            assert d["least"] == fewest.lower == fewest.upper <= d["wrong"]
            if loss == "zero-one":
                assert d["wrong"] == d["least"]
            elif loss == "perceptron":
                assert d["mean"] == 0 and not np.any(plane(d))
            elif loss == "hinge":
                C = 1 / (explore.PENALTY * len(y))
                near += is_softest(plane(d), X, y, C, fits["hinge"])
            elif loss == "logistic":
                assert is_likeliest(plane(d), X, y, explore.PENALTY, fits["logistic"])
            else:
                a = fits["squared"].plane.a
                assert np.abs(plane(d) - a).max() <= NEAR * np.abs(a).max()
    assert near >= len(SOME) - 2


# The strength of a penalty --------------------------------------------------------------------


def test_each_strength_is_linlearns():
    """For every λ the weights, and both errors, also of samples on which nothing was trained."""
    rng, figures = np.random.default_rng(1), []
    for i, (X, y, *_) in enumerate(SOME[::2]):
        new = rng.integers(-40, 41, size=(9, 2)) / 8, np.where(np.arange(9) % 2, 1, -1)
        figures.append(
            explore.regularisation(X, y, test=new, degree=1 + i % 4, lam=(0.001, 1)[i % 2])
        )
    for figure, d in zip(figures, derived(figures), strict=True):
        s = figure.state
        rows = np.array(s["X"]), np.array(s["T"])
        A, B = (explore._polynomial(rows[0], s["degree"], at=at) for at in rows)
        fits = zip(explore.STRENGTHS, figure.fit, d["planes"], d["errors"], strict=True)
        for lam, fit, found, errors in fits:
            assert is_likeliest(np.array([*found["w"], found["b"]]), A, s["y"], lam, fit)
            for Z, labels, error in ((A, s["y"], errors[0]), (B, s["t"], errors[1])):
                m = ll.margins(fit.plane, Z, labels)
                if np.abs(m).min() > 1e-6:  # else rounding decides
                    assert error == (m <= 0).mean()
        assert d["plane"] == d["planes"][s["k"]]
        assert np.allclose(d["lengths"], [np.linalg.norm(p["w"]) for p in d["planes"]])


# Softmax ---------------------------------------------------------------------------------------


def three_classes():
    """Figures of softmax regression: no constant feature, three classes, any C and factor."""
    rng = np.random.default_rng(2)
    for X, _, _, C in SOME:
        labels = rng.permutation(np.append([0, 1, 2], rng.integers(0, 3, len(X))))[: len(X)]
        if len(set(labels)) == 3 and np.ptp(X, axis=0).all():
            at, k = rng.integers(-40, 41, size=2) / 8, int(rng.integers(len(explore.FACTORS)))
            yield moved(explore.softmax(X, [f"class {k}" for k in labels], C=C, at=at), k=k)


@cache
def softmaxes():
    figures = list(three_classes())
    return list(zip(figures, derived(figures), strict=True))


def test_scores_and_probabilities_are_those_of_the_certified_fit():
    """Scores in the features' own units, their softmax, and the largest; the state's weights are optimal."""
    assert len(softmaxes()) >= 60
    for figure, d in softmaxes():
        X, y, s = figure.X, figure.y, figure.state
        model = estimators.Logistic(C=figure.fit.options["C"]).fit(data.standardise(X), y)
        at = data.standardise([s["at"]], like=X)
        scores = d["factor"] * model.decision_function(at)[0]
        W, b = np.array(s["W"]), np.array(s["b"])
        terms = np.abs(W) @ np.abs(s["at"]) + np.abs(b)  # each has the nine digits of the state
        assert (np.abs(scores - d["scores"]) <= d["factor"] * 5e-9 * terms).all()
        assert np.abs(special.softmax(d["scores"]) - d["p"]).max() <= NEAR
        assert d["predicted"] == np.argmax(d["scores"])
        primal = np.column_stack([W * X.std(axis=0), b + W @ X.mean(axis=0)])
        claim = certificates.enclose_softmax(
            data.standardise(X), y, primal=primal, C=figure.fit.options["C"]
        )
        assert claim.relative_gap <= NEAR


def test_a_dashed_curve_has_one_probability():
    """Each point of the curve pₖ = q, found from logarithms of odds, has this probability."""
    calls, wanted = [], []
    for i, (figure, d) in enumerate(softmaxes()):
        s, k, q = figure.state, i % 3, (0.5, 0.9)[i % 2]
        corners = [[-5, -5], [5, -5], [5, 5], [-5, 5]]
        calls.append(["softmax", "curve", {"W": s["W"], "b": s["b"]}, d["factor"], k, q, corners])
        wanted.append((np.array(s["W"]), np.array(s["b"]), d["factor"], k, q))
    drawn = 0
    for (W, b, factor, k, q), points in zip(wanted, call(calls), strict=True):
        if points:
            x = np.array(points)
            rounding = NEAR * factor * max(1, np.abs(x).max() * np.abs(W).max())
            p = special.softmax(factor * (x @ W.T + b), axis=1)
            assert np.abs(p[:, k] - q).max() <= rounding
            drawn += 1
    assert drawn >= 60


# Newton's steps ------------------------------------------------------------------------------


@cache
def walks():
    """For each set a start, and what `newton` shows of both runs from there."""
    rng = np.random.default_rng(4)
    starts = [(rng.integers(-8, 9, size=2) / 8 / size(X)).tolist() for X, *_ in SETS]
    starts = [s if k % 3 else [8 * v for v in s] for k, s in enumerate(starts)]  # a third far off
    figures = [explore.newton(X, y, start=s) for (X, y, *_), s in zip(SETS, starts, strict=True)]
    return list(zip(SETS, starts, derived(figures), strict=True))


def test_each_of_newtons_steps_is_newtons():
    """From every state the next is a share of the whole step: all of it, or the first that falls enough."""
    ends, taken, halved, textbook = {False: set(), True: set()}, 0, 0, 0
    for (X, y, *_), start, d in walks():
        Z = ll.signed(X, y, fit_intercept=False)
        for damped, run in zip((False, True), d["runs"], strict=True):
            ends[damped].add(run["end"])
            assert run["states"][0]["w"] == start
            if run["end"] == "there":  # nothing is left of the slope
                last = Z @ run["states"][-1]["w"]
                assert np.abs(LOGISTIC.slope(last) @ Z / len(y)).max() < 1e-6 * size(X)
            for now, then in pairwise(run["states"]):
                w, t = np.array(now["w"]), then["t"]
                g = LOGISTIC.slope(Z @ w) @ Z / len(y)
                H = (Z.T * LOGISTIC.curvature(Z @ w)) @ Z / len(y)
                if not np.linalg.cond(H) < 1e5:
                    continue  # rounding shows: no digits to compare
                step = -np.linalg.solve(H, g)
                reach = np.linalg.cond(H) * np.abs([w, step]).max()
                assert np.abs(then["w"] - w - t * step).max() <= NEAR * reach
                if np.abs(Z @ w).max() < 5:  # beyond, 1 - p in the textbook loses digits
                    assert np.abs(list(newton(X, y, w, 1))[1] - w - step).max() <= NEAR * reach
                    textbook += 1
                if damped and -g @ step > 1e-9:
                    tried = 0.5 ** np.arange(1 - np.log2(t))
                    fall = [
                        np.mean(LOGISTIC.value(Z @ w) - LOGISTIC.value(Z @ (w + u * step)))
                        for u in tried
                    ]
                    assert (fall >= -tried * (g @ step) / 4).tolist() == [False] * (
                        len(tried) - 1
                    ) + [True]
                    taken, halved = taken + 1, halved + (t < 1)
                assert damped or t == 1
    assert min(taken, textbook) > 500 and halved > 50, (taken, textbook, halved)
    assert ends[False] >= {"there", "away", "none"} and "away" not in ends[True]


def test_damped_newton_arrives_where_linlearn_does():
    """On the samples and their mirror images, where the offset stays 0, `logistic` finds the same weights."""
    found = {"there": 0, "open": 0}
    for (X, y, *_), _, d in walks():
        best = ll.logistic(np.vstack([X, -X]), np.append(y, -y))
        if not best.certificate.attained:
            assert d["star"] is None or np.linalg.norm(d["star"]) > 5 / size(
                X
            )  # a run without an end
            found["open"] += 1
        elif d["star"] is not None:
            w = best.plane.w
            assert np.abs(np.array(d["star"]) - w).max() <= 1e-6 * max(np.abs(w).max(), 1 / size(X))
            found["there"] += 1
    assert min(found.values()) > 20, found


# A graph ------------------------------------------------------------------------------------


def graphs():
    """All 1,024 graphs of five vertices, each with some vertices that have the weight 5."""
    rng = np.random.default_rng(5)
    for bits in range(2 ** len(explore.PAIRS)):
        edges = [pair for k, pair in enumerate(explore.PAIRS) if bits >> k & 1]
        yield explore.graph(edges, chosen=np.flatnonzero(rng.random(5) < 0.5).tolist())


def test_a_graphs_samples_and_counts_are_linlearns():
    """Samples, margins and mistakes are the package's; the cover is one, as small as the fewest mistakes."""
    figures, told = list(graphs()), set()
    for figure, d in zip(figures, derived(figures), strict=True):
        plane = ll.Hyperplane(np.where(np.array(figure.state["chosen"]) > 0, 5.0, -1.0))
        m = ll.margins(plane, figure.X, figure.y)
        assert d["X"] == figure.X.tolist() and d["y"] == figure.y.tolist()
        assert d["w"] == plane.w.tolist() and d["m"] == m.tolist()
        assert d["mistakes"] == (m <= 0).sum()
        assert all(d["cover"][i] or d["cover"][j] for i, j in d["drawn"])
        assert sum(d["cover"]) == d["fewest"] <= d["mistakes"]
        told.add(d["mistakes"] - d["fewest"])
    assert len(told) > 5
    for figure, d in list(zip(figures, derived(figures), strict=True))[::11]:
        found = figure.fit.certificate
        assert found.lower == found.upper == d["fewest"]


# The door -------------------------------------------------------------------------------------

SIX = (
    np.array([[-2, 1.5], [-2, 0], [2, 0.5], [-1.5, -1.5], [1, 1], [2.5, -1.5]]),
    [1, -1, 1, -1, 1, -1],
)


def regularised(X, y):
    return explore.regularisation(X, y, test=data.xor())


DOORS = [
    explore.capped,
    explore.perceptron,
    explore.certificate,
    explore.far,
    explore.fisher,
    explore.hulls,
    explore.losses,
    explore.methods,
    explore.newton,
    regularised,
    explore.soft,
    explore.turn,
]


@pytest.mark.parametrize("door", DOORS, ids=lambda f: f.__name__)
def test_bad_samples_are_sent_back(door):
    """Everything that `check_samples` refuses, and what cannot be drawn or held."""
    with pytest.raises(
        ValueError, match=r"`X` must have 2 columns to be drawn .* got shape \(2, 3\)"
    ):
        door(np.eye(3)[:2], [1, -1])
    with pytest.raises(ValueError, match=r"at most 100 samples.* got 569.*`X\[::6\]`"):
        door(*data.gaussians(569))
    with pytest.raises(ValueError, match="`y` must contain both labels"):
        door([[0, 1], [1, 0]], [1, 1])
    with pytest.raises(ValueError, match="`X` must be finite"):
        door([[0, np.nan], [1, 0]], [1, -1])


def test_bad_witnesses_are_sent_back():
    for bad in ([1, 0, 1, 0, 1, 0], [-1, 1, 1, 1, 1, 1]):
        with pytest.raises(
            ValueError, match="`alpha` must be ≥ 0, with a positive entry in each class"
        ):
            explore.hulls(*SIX, alpha=bad)
    with pytest.raises(ValueError, match=r"`alpha` must hold one \w+ for each of the 6 samples"):
        explore.certificate(*SIX, alpha=[1, 1])
    with pytest.raises(ValueError, match="`plane` must be a line in ℝ²"):
        explore.certificate(*SIX, plane=ll.Hyperplane([0.0, 0.0], 1.0))
    with pytest.raises(ValueError, match="`plane` must be a line in ℝ²"):
        explore.turn(*SIX, plane=ll.Hyperplane([1.0, 0.0, 0.0], 1.0))
    with pytest.raises(ValueError, match="`C` must be a finite number > 0"):
        explore.methods(*SIX, C=0)
    with pytest.raises(ValueError, match=r"`cap` must be .* > 0 and at most 1; got 1\.5"):
        explore.capped(*SIX, cap=1.5)
    with pytest.raises(ValueError, match="`cap` must be a finite number > 0"):
        explore.capped(*SIX, cap=0)
    with pytest.raises(ValueError, match=r'`loss` must be "zero-one", .*; got \'sigmoid\''):
        explore.losses(*SIX, loss="sigmoid")
    for bad, got in ((3, "3"), ([(0, 1, 2)], r"\[0, 1, 2\]"), ([(0, 1), 2], "2")):
        with pytest.raises(ValueError, match=f"`edges` must be pairs of vertices; got {got}"):
            explore.graph(bad)
    for bad in ([(0, 5)], [(1, 1)], [(0, "a")]):
        with pytest.raises(
            ValueError, match=r"`edges` must be pairs of different vertices from 0 to 4"
        ):
            explore.graph(bad)
    with pytest.raises(ValueError, match=r"`chosen` must hold vertices 0, …, 4; got 5"):
        explore.graph([(0, 1)], chosen=[5])
    with pytest.raises(ValueError, match=r"`start` must hold 2 numbers"):
        explore.newton(*SIX, start=[1, 2, 3])
    for bad in ([1, -1, 1, -1, 1, -1], range(6)):
        with pytest.raises(ValueError, match=r"`y` must hold three classes.*; got [26]: "):
            explore.softmax(SIX[0], bad)
    three = SIX[0], list("abcabc")
    with pytest.raises(ValueError, match=r"`X` must have 2 columns to be drawn .* shape \(3, 3\)"):
        explore.softmax(np.eye(3), [0, 1, 2])
    with pytest.raises(ValueError, match=r"`at` must hold 2 numbers"):
        explore.softmax(*three, at=[1])
    with pytest.raises(ValueError, match="`C` must be a finite number > 0"):
        explore.softmax(*three, C=0)
    with pytest.raises(ValueError, match="`degree` must be 1, 2, 3 or 4; got 5"):
        explore.regularisation(*SIX, test=SIX, degree=5)
    with pytest.raises(ValueError, match=r"`lam` must be .* ≥ 0\.001 and at most 10; got 20"):
        explore.regularisation(*SIX, test=SIX, lam=20)


def test_what_is_said_of_a_state_is_true():
    """The repr is an output that the book compares, so it says what is seen."""
    three = [[0, 0], [1, 0], [3, 0]], [-1, -1, 1]
    assert (
        repr(explore.perceptron(*SIX, fit_intercept=False))
        == "explore.perceptron(n = 6, 5 updates)"
    )
    assert repr(explore.perceptron(*data.xor())).endswith("200 updates and more)")
    # Half-way between the means, 0.5 and 3: the nearest sample is 0.75 away.
    assert repr(explore.certificate(*three)) == "explore.certificate(n = 3, 0.75 ≤ ρ* ≤ 1.25)"
    upright = ll.Hyperplane([0.0, 1.0], 0.0)
    assert (
        repr(explore.certificate(*three, plane=upright)) == "explore.certificate(n = 3, ρ* ≤ 1.25)"
    )
    assert (
        repr(explore.newton(*SIX, start=[1, 0.5])) == "explore.newton(n = 6, undamped from 1, 0.5)"
    )
    assert repr(explore.turn(*data.xor())) == "explore.turn(n = 4, 2 misclassified)"  # one mean
    assert repr(explore.hulls(*data.xor())) == "explore.hulls(n = 4, ρ* ≤ 0)"  # two points are one
    overlap = explore.methods(*data.drawn(overlap=True), C=3)
    assert repr(overlap) == "explore.methods(n = 28, C = 3)"
    assert set(overlap.fit) == {m[0] for m in learners()} - {"largest margin"}


def learners():
    """The table's rows: name, and why the method may refuse."""
    text = f'console.log(JSON.stringify((await import("{MODULES.as_uri()}/methods.js")).LEARNERS))'
    return json.loads(module(text))


def test_through_the_origin_one_label_will_do():
    figure = explore.perceptron([[1, 0], [0, 1]], [1, 1], fit_intercept=False)
    assert figure.fit.plane.w.tolist() == [1, 1]


# The page and the notebook --------------------------------------------------------------------


def test_the_place_in_the_page_holds_the_state(monkeypatch):
    """The output that is committed, as without anywidget: words, and a hidden place with the state."""
    monkeypatch.setitem(sys.modules, "anywidget", None)
    explore._widget_class.cache_clear()
    bundle, metadata = explore.hulls(*SIX, place='fig-"a"')._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"} and metadata == {}
    found = re.match(
        r'<div data-explore="hulls" data-in="fig-&quot;a&quot;" hidden>(.*)</div>',
        bundle["text/html"],
    )
    assert json.loads(found[1]) == explore.hulls(*SIX).state
    assert "install anywidget" in bundle["text/html"]


@pytest.fixture
def anywidget(monkeypatch):
    """A stand-in for anywidget: what the door uses of it."""
    traitlets = pytest.importorskip("traitlets")

    class AnyWidget(traitlets.HasTraits):
        def _repr_mimebundle_(self):
            return {"text/plain": "Widget()", "live": 1}, {"colab": 2}

    module = ModuleType("anywidget")
    module.AnyWidget = AnyWidget
    monkeypatch.setitem(sys.modules, "anywidget", module)
    explore._widget_class.cache_clear()
    yield module
    explore._widget_class.cache_clear()


def test_a_notebook_sees_what_the_reader_moves(anywidget):
    """`state`, `X`, `y`, `fit` follow the widget; `observe` is told; the committed part stays as it was."""
    figure, told = explore.certificate([[0, 0], [1, 0], [3, 0]], [-1, -1, 1]), []
    before, metadata = figure._repr_mimebundle_()
    assert before["live"] == 1 and metadata == {"colab": 2} and "Widget" not in before["text/plain"]
    assert np.isclose(1 / figure.fit.plane.w[0], 1)
    figure.observe(told.append)
    moved = figure.state | {"X": [[0, 0], [1, 0], [5, 0]], "y": [-1, -1, 1]}
    figure.widget().state = moved
    assert told == [moved]
    assert figure.X.tolist() == moved["X"] and figure.y.tolist() == [-1, -1, 1]
    assert np.isclose(1 / figure.fit.plane.w[0], 2)  # and the plane is half-way again
    assert figure._repr_mimebundle_()[0] == before
    figure.state["X"] = None  # a copy
    assert figure.X.tolist() == moved["X"]


def test_a_link_changes_what_it_may_and_nothing_when_mangled():
    """`changed(first, query, spec)`: every value of its kind and shape, or null for the whole link."""
    first = explore.hulls(*SIX).state
    grown = explore.methods(*SIX).state
    drawn = explore.graph([(0, 1), (3, 4)], chosen=[0]).state
    three = explore.softmax(SIX[0], [0, 1, 2, 0, 1, 2], at=[0, 0]).state
    cases = {
        "i=3": ("hulls", first, {"i": 3}),
        "y=1;1;1;-1;1;-1&i=0": ("hulls", first, {"y": [1, 1, 1, -1, 1, -1], "i": 0}),
        "alpha=0;1;1;1;-0;1e-300": ("hulls", first, {"alpha": [0, 1, 1, 1, 0, 0]}),
        "C=2.5&shown=1;0;0;0;0;0;0;1": (
            "methods",
            grown,
            {"C": 2.5, "shown": [1, 0, 0, 0, 0, 0, 0, 1]},
        ),
        "chosen=1;1;0;0;1": ("graph", drawn, {"chosen": [1, 1, 0, 0, 1]}),
        "edges=0;0;0;0;0;0;0;0;0;1": ("graph", drawn, {"edges": 9 * [0] + [1]}),
        "X=0,1;2,3&y=1;-1": ("methods", grown, {"X": [[0, 1], [2, 3]], "y": [1, -1]}),
        "at=1;-0.5&k=0": ("softmax", three, {"at": [1, -0.5], "k": 0}),
    }
    nothing = {
        "hulls": ["i=6", "i=0.5", "i=", "i=x", "alpha=-1;1;1;1;1;1", "alpha=1;1",
                  "i=3&unknown=1", "toString=1", "__proto__=1", "i=0x1", "i=1e999", "y=1;1;1;1;1;1", "i=1e9",
                  "y=1;-1;2;1;1;1", "X=1,2;3,4&y=1;-1&alpha=1;1", "X=1,2,3;1;1;1;1;1", "X=nonsense"],
        "softmax": ["names=1;2;3", "names=0;1;2", "k=7", "k=0.5", "at=1", "at=1,2", "at=1;2;3", "W=1,2;3,4",
                    "W=1;2;3", "classes=0;0;0;1;1;1", "classes=0;1;2;0;1;3", "points=1,2;3,4"],
        "graph": ["chosen=1;1;0;0;2", "chosen=1;1", "edges=1;1;1;1;1", "edges=1", "chosen=x;1;0;0;1"],
        "methods": ["C=0", "C=-1", "shown=1;0", "shown=2;0;0;0;0;0;0;0", "X=0,1;2,3", "X=0,1;2,3&y=1;1",
                    "C=1e-9", "C=1e5",
                    "X=" + ";".join(101 * ["0,1"]) + "&y=" + ";".join(50 * ["1"] + 51 * ["-1"])],
    }  # fmt: skip
    cases |= {
        q: (name, {"hulls": first, "graph": drawn, "methods": grown, "softmax": three}[name], None)
        for name in nothing
        for q in nothing[name]
    }
    source = f"""
      const {{ changed, EXPLORABLES }} = await import("{MODULES.as_uri()}/page.js");
      const cases = JSON.parse((await import("node:fs")).readFileSync(0, "utf8"));
      console.log(JSON.stringify(cases.map(([q, name, first]) => changed(first, q, EXPLORABLES[name]))));"""
    given = [[q, name, state] for q, (name, state, _) in cases.items()]
    for (query, (_, state, patch)), now in zip(
        cases.items(), json.loads(module(source, json.dumps(given))), strict=True
    ):
        assert now == (None if patch is None else state | patch), query


def test_joined_script_is_one_that_browsers_read(tmp_path):
    """Names are unique across the modules, no import is left, and each names only modules before it."""
    for name, text in (("page.js", _script.page()), ("module.mjs", _script.module())):
        (tmp_path / name).write_text(text, "utf8")
        node("--check", str(tmp_path / name))
    assert not re.search(r"^(import|export (?!default))", _script.module(), re.MULTILINE)
    known = set()
    for name in _script.modules():
        text = (MODULES / f"{name}.js").read_text("utf8")
        assert set(re.findall(r'^import .* from "./(\w+)\.js";', text, re.MULTILINE)) <= known, name
        known.add(name)
