"""Every end allows for its own rounding: exact fractions, on data where the answer is what rounding leaves.

Samples that almost lie on a plane, targets that a plane almost hits, weights that almost cancel: there the
computed number is noise, and an enclosure that forgot an allowance would claim too much.
"""

from fractions import Fraction
from itertools import product
from math import log

import numpy as np
import pytest

import linlearn as ll
from linlearn.certificates import (
    balance,
    cells,
    duality,
    enclose_empirical_risk,
    enclose_fisher,
    enclose_hard_margin,
    enclose_hinge,
    enclose_least_squares,
    enclose_logistic,
    enclose_margin,
    enclose_soft_margin,
)
from linlearn.certificates.ball import product as product_within
from linlearn.certificates.hinge_exact import solve_near
from linlearn.certificates.mistakes import right_exact

SEEDS = pytest.mark.parametrize("seed", range(8))


def fractions(A):
    """The floats as the rational numbers they are."""
    return [Fraction(v) for v in A] if np.ndim(A) == 1 else [fractions(v) for v in A]


def dot(u, v):
    return sum((s * t for s, t in zip(u, v, strict=True)), Fraction(0))


def combination(weights, rows):
    return [dot(weights, column) for column in zip(*rows, strict=True)]


def project(columns, t):
    """What is left of t when the columns are projected out (Gram and Schmidt, in fractions)."""
    basis = []
    for v in [*columns, t]:
        for u in basis:
            if any(u):
                c = dot(u, v) / dot(u, u)
                v = [p - c * q for p, q in zip(v, u, strict=True)]
        basis.append(v)
    return basis[-1]


def on_a_plane(seed, n=40, d=4, size=1e3):
    """(X, y, a): the scores of a are rounding errors, y their exact signs."""
    rng = np.random.default_rng(seed)
    a = rng.standard_normal(d + 1)
    X = size * rng.standard_normal((n, d))
    X[:, 0] -= (X @ a[:-1] + a[-1]) / a[0]
    exact = scores(X, a)
    kept = np.array([v != 0 for v in exact])
    return X[kept], np.array([1.0 if v > 0 else -1.0 for v in exact if v]), a


def scores(X, a):
    a = fractions(a)
    return [dot(x, a[:-1]) + a[-1] for x in fractions(X)]


def cancelling(seed, groups=12, d=3, size=1e3, noise=0.0):
    """(X, y, α): class sums of α are equal exactly, and Σ αᵢyᵢxᵢ = 0 up to rounding (and noise)."""
    rng = np.random.default_rng(seed)
    U, V = size * rng.standard_normal((2, groups, d))
    W = 0.25 * U + 0.75 * V + noise * rng.standard_normal((groups, d))
    return np.vstack([U, V, W]), np.repeat([1.0, 1, -1], groups), np.repeat([0.25, 0.75, 1], groups)


@SEEDS
def test_the_margin_is_no_rounding_error(seed):
    """On a plane up to rounding: lower is at most the exact margin of a, upper at least ‖Zᵀα‖/Σα."""
    X, y, a = on_a_plane(seed)
    m, squared = np.array(scores(X, a)) * fractions(y), dot(fractions(a), fractions(a))
    for two in zip(np.flatnonzero(y > 0), np.flatnonzero(y < 0), strict=False):
        lower = enclose_margin(X[[*two]], y[[*two]], primal=a, dual=[1, 1]).lower
        assert Fraction(lower) ** 2 * squared <= m[[*two]].min() ** 2
    X, y, alpha = cancelling(seed)
    found = enclose_margin(X, y, primal=np.zeros(4), dual=alpha)
    exact = combination(fractions(found.dual), fractions(ll.signed(X, y)))
    assert Fraction(found.upper) ** 2 * sum(fractions(found.dual)) ** 2 >= dot(exact, exact)
    assert found.upper < 1e-9


@pytest.mark.parametrize("size", [1e-100, 1e-150, 1e-160, 1e-200, 1e-300, 5e-324])
def test_what_underflows_is_allowed_for(size):
    """Samples ±size, whose squares and products may be 0: the ends hold γ* = size and 1/2ρ*² = 1/2size²."""
    X, y, exact = [[size], [-size]], [1, -1], Fraction(size)
    for lengths in ([1.0, 1.0], [1.0, 1e-200], [5e-324, 1.0], [1e-170, 1e-310]):
        found = enclose_margin(X, y, primal=[1.0], dual=lengths, fit_intercept=False)
        assert Fraction(found.lower) <= exact <= Fraction(found.upper)
        found = enclose_hard_margin(X, y, primal=[1.0, 0.0], dual=lengths)
        assert found.lower < np.inf and Fraction(found.lower) <= 1 / (2 * exact**2)
        assert found.upper == np.inf or Fraction(found.upper) >= 1 / (2 * exact**2)
        assert np.isfinite(found.dual).all()
    assert ll.plane.radius(np.array(X)) == pytest.approx(size)
    assert ll.plane.radius(np.zeros((2, 1))) == 0


def test_no_margin_is_made_of_products_that_underflow():
    """3a - 3.05a < 0, in units of the smallest float, of which each product is a whole number."""
    X, a = 5e-324 * np.array([[3.0, 3.0, -5.0]]), [0.5, 0.5, 0.61]
    assert (X @ a > 0).all()
    assert enclose_margin(X, [1], primal=a, dual=[1], fit_intercept=False).lower == 0
    assert product_within(X, np.array(a)).lo[0] <= 0


def test_nothing_is_added_where_nothing_can_underflow():
    """A sample at 0, and one with both labels: the ends are 0 and +∞, not a float next to them."""
    assert enclose_margin([[0.0]], [1], primal=[1], dual=[1], fit_intercept=False).upper == 0
    assert enclose_hard_margin([[2.0], [2.0]], [1, -1], primal=[1, 0], dual=[1, 1]).lower == np.inf


@pytest.mark.parametrize("C", [5e-324, 1e-323, 1e-320, 1e-300, 1e-270, 1e99])
@pytest.mark.parametrize("size", [1.0, 1e99])
def test_the_soft_margin_at_any_penalty(C, size):
    """-1 between +1 and +1: w = 0, b = 1 is best and costs 2C, be C a denormal or its square infinite."""
    X, y = [[0.0], [size], [2 * size]], [1, -1, 1]
    best = 2 * Fraction(C)
    for share in (1.0, 0.3):
        found = enclose_soft_margin(X, y, primal=[0, 1], dual=np.full(3, share * C), C=C)
        assert Fraction(found.lower) <= best <= Fraction(found.upper)


@SEEDS
@pytest.mark.parametrize("near", ["answer", "perturbed"])
def test_least_squares_of_targets_that_a_plane_nearly_hits(seed, near):
    """t = fl(Xw + b): what is left is rounding, and the ends hold the exact least value."""
    rng = np.random.default_rng(seed)
    X, a = 1e3 * rng.standard_normal((12, 3)), rng.standard_normal(4)
    t = X @ a[:-1] + a[-1]
    y = np.where(np.arange(12) % 2, 1.0, -1.0)
    columns = [*map(list, zip(*fractions(X), strict=True)), [Fraction(1)] * 12]
    rest = project(columns, fractions(t))
    best = dot(rest, rest) / 2
    r = np.array([float(v) for v in rest])
    if near == "perturbed":
        r = r + 1e-3 * np.abs(r).max() * rng.standard_normal(12)
    found = enclose_least_squares(X, y, primal=a, dual=r, targets=t)
    assert Fraction(found.lower) <= best
    left = [s - u for s, u in zip(scores(X, a), fractions(t), strict=True)]
    assert Fraction(found.upper) >= dot(left, left) / 2 >= best
    beside = a * (1 + 1e-12 * rng.standard_normal(4))
    for primal in (beside, np.zeros(4)):
        found = enclose_least_squares(X, y, primal=primal, dual=r, targets=t)
        assert Fraction(found.lower) <= best
    t = t + y  # no longer hit: now a good residual is worth its length, however bad the plane
    rest = project(columns, fractions(t))
    dual = np.array([float(v) for v in rest])
    found = enclose_least_squares(X, y, primal=1e9 * a, dual=dual, targets=t)
    best = dot(rest, rest) / 2
    assert best * (1 - Fraction(1, 10**9)) <= Fraction(found.lower) <= best


@SEEDS
def test_least_squares_where_scores_are_rounding(seed):
    """Targets of the size of rounding, a plane on which all samples almost lie: nothing is known for free."""
    X, y, a = on_a_plane(seed, n=16)
    t = 1e-13 * np.random.default_rng(seed).standard_normal(len(y))
    columns = [*map(list, zip(*fractions(X), strict=True)), [Fraction(1)] * len(y)]
    rest = project(columns, fractions(t))
    left = [s - u for s, u in zip(scores(X, a), fractions(t), strict=True)]
    dual = np.array([float(v) for v in rest])
    found = enclose_least_squares(X, y, primal=a, dual=dual, targets=t)
    assert Fraction(found.lower) <= dot(rest, rest) / 2
    assert Fraction(found.upper) >= dot(left, left) / 2


def fishers_parts(X, y):
    """(δ, the columns of X_W) as fractions."""
    classes = {s: [x for x, t in zip(fractions(X), y, strict=True) if t == s] for s in (1, -1)}
    means = {s: [sum(c) / len(xs) for c in zip(*xs, strict=True)] for s, xs in classes.items()}
    delta = [p - q for p, q in zip(means[1], means[-1], strict=True)]
    within = [
        [p - q for p, q in zip(x, means[int(t)], strict=True)]
        for x, t in zip(fractions(X), y, strict=True)
    ]
    return delta, list(zip(*within, strict=True))


@SEEDS
@pytest.mark.parametrize("witness", ["answer", "nearly feasible", "nothing"])
def test_fishers_ratio_of_features_that_almost_agree(seed, witness):
    """The exact ratio δᵀS⁻¹δ lies between the ends where its digits cancel."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(14) % 2, 1.0, -1.0)
    x = rng.standard_normal(14)
    X = np.column_stack([x, x + 1e-5 * (rng.standard_normal(14) + y), rng.standard_normal(14)])
    delta, columns = fishers_parts(X, y)
    S = [[dot(u, v) for v in columns] for u in columns]
    w = solve_near(S, delta, [Fraction(0)] * 3)
    ratio = dot(w, delta)
    beta = np.array([float(dot(row, w)) for row in zip(*columns, strict=True)])
    beta *= {"answer": 1, "nearly feasible": 1 - 1e-9, "nothing": 0}[witness]
    rough = np.array([float(v) for v in w])
    found = enclose_fisher(X, y, primal=rough, dual=beta)
    assert Fraction(found.lower) <= ratio <= Fraction(found.upper)
    assert float(ratio) * (1 - 1e-6) <= found.lower and found.upper <= float(ratio) * (1 + 1e-6)
    assert enclose_fisher(X, y, primal=-rough, dual=beta).lower == 0


@SEEDS
@pytest.mark.parametrize("case", ["no spread", "no distance", "means that agree"])
def test_fishers_ratio_of_a_direction_that_cancels(seed, case):
    """lower is at most ⟨w, δ⟩²/‖X_W w‖² of that w, though numerator or denominator be rounding errors."""
    X, _, a = on_a_plane(seed, n=16, size=1.0)
    y, w = np.where(np.arange(len(X)) % 2, 1.0, -1.0), a[:-1]
    if case == "no spread":
        X = X + 10 * y[:, None] * w
    if case == "no distance":
        X = (
            X
            + np.random.default_rng(seed)
            .standard_normal((len(X) // 2, 4))
            .repeat(2, axis=0)[: len(X)]
        )
    if case == "means that agree":
        w = np.array([1.0, -1.0, 0.5, 0.25])
        delta, _ = fishers_parts(X, y)
        X[:, 0] -= y * float(dot(fractions(w), delta)) / 2
    delta, columns = fishers_parts(X, y)
    spread = (
        combination(fractions(w), list(zip(*columns, strict=True)))
        if False
        else [dot(fractions(w), row) for row in zip(*columns, strict=True)]
    )
    for sign in (1, -1):
        lower = enclose_fisher(X, y, primal=sign * w, dual=np.zeros(len(y))).lower
        pulled = max(Fraction(0), sign * dot(fractions(w), delta))
        assert Fraction(lower) * dot(spread, spread) <= pulled**2


@pytest.mark.parametrize("n", range(3, 60))
def test_multipliers_never_exceed_their_bound(n):
    """αᵢ ≤ 1/n and αᵢ ≤ C as fractions, though the float 1/n may be larger than 1/n."""
    X, y = np.arange(n)[:, None] % 3.0, np.where(np.arange(n) % 2, 1.0, -1.0)
    y[-1] = 1.0
    dual = enclose_hinge(X, y, primal=[0, 0], dual=np.ones(n)).dual
    assert max(fractions(dual)) <= Fraction(1, n)
    dual = enclose_hinge(X, y, primal=[0, 0], dual=np.ones(n), sample_weight="balanced").dual
    assert max(fractions(dual[y > 0])) <= Fraction(1, int((y > 0).sum()))
    for C in (1.0, 0.7):
        dual = enclose_soft_margin(X, y, primal=[0, 0], dual=np.ones(n), C=C).dual
        assert max(fractions(dual)) <= Fraction(C)


@SEEDS
@pytest.mark.parametrize("far", [0.0, 1e4])
def test_the_last_move_of_the_hinge_multipliers_is_paid_for(seed, far, monkeypatch):
    """Features that almost agree make the last move dear; without the spare, only its cost is left."""
    monkeypatch.setattr(duality, "SPARE", 0.0)
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal(40), np.where(np.arange(40) % 2, 1.0, -1.0)
    X = np.column_stack([x, x + 1e-4 * (rng.standard_normal(40) + y)]) + far
    fit = ll.linear_program(X, y).certificate
    found = enclose_hinge(X, y, primal=fit.primal, dual=fit.dual)
    lower, upper = ll.certificates.hinge_exact(X, y, primal=found.primal, dual=found.dual)
    assert Fraction(found.lower) <= upper
    if lower == upper:
        assert Fraction(found.lower) >= lower - Fraction(1, 10**6)


@SEEDS
def test_the_soft_margin_of_multipliers_that_almost_cancel(seed):
    """lower is at most the exact dual value, upper at least the exact primal one."""
    X, y, alpha = cancelling(seed, noise=1e-9)
    rng = np.random.default_rng(seed)
    C = 2.0
    found = enclose_soft_margin(X, y, primal=rng.standard_normal(4) / 1e3, dual=alpha, C=C)
    lower, upper = ll.certificates.soft_margin_exact(
        X, y, primal=found.primal, dual=found.dual, C=C
    )
    point = combination(fractions(alpha * y), fractions(X))
    assert Fraction(found.lower) <= sum(fractions(alpha)) - dot(point, point) / 2
    assert found.lower == pytest.approx(float(alpha.sum()))
    a = fractions(found.primal)
    loss = sum(
        max(Fraction(0), 1 - t * m)
        for t, m in zip(fractions(y), scores(X, found.primal), strict=True)
    )
    exact = dot(a[:-1], a[:-1]) / 2 + Fraction(C) * loss
    assert exact <= Fraction(found.upper) <= exact * (1 + Fraction(1, 10**9))
    assert lower <= upper


def test_the_logistic_dual_of_large_samples_stays_balanced():
    """The same where plain sums know Σ αᵢyᵢxᵢ up to 10: balanced, the multipliers prove their worth."""
    X = 1e17 * np.array([[-1.0], [1.0], [-1.0], [1.0], [-1.0], [1.0]])
    y = np.array([1.0, 1.0, 1.0, 1.0, -1.0, -1.0])
    found = enclose_logistic(X, y, primal=[0, log(2)], dual=np.full(6, 0.5), lam=1e3)
    quarter = (
        2 * log(2) - 3 * log(3) / 4
    )  # the entropy of ¼, which the four of the larger class give way to
    best = (4 * quarter + 2 * log(2)) / 6
    assert best * (1 - 1e-13) <= found.lower <= best * (1 + 1e-15)


def test_the_logistic_dual_stays_balanced_where_rounding_is_dear():
    """α = ½ everywhere cancels Σ αᵢyᵢxᵢ but not Σ αᵢyᵢ: the offset alone does better than ln 2, H(⅓)."""
    X = np.array([[-1.0], [1.0], [-1.0], [1.0], [-1.0], [1.0]])
    y = np.array([1.0, 1.0, 1.0, 1.0, -1.0, -1.0])
    best = log(3) - 2 * log(2) / 3
    for lam in (1.0, 1e-10, 1e-25, 1e-30, 1e-40):
        found = enclose_logistic(X, y, primal=[0, log(2)], dual=np.full(6, 0.5), lam=lam)
        assert found.lower <= best * (1 + 1e-15) and found.upper == pytest.approx(best)


@SEEDS
@pytest.mark.parametrize("loss", ["perceptron", "hinge", "squared"])
def test_the_empirical_risk_of_samples_on_the_bend(seed, loss):
    """upper ≥ the exact mean loss of a; lower ≤ the exact dual value where a radius magnifies rounding."""
    phi, bend = {
        "perceptron": (lambda m: max(Fraction(0), -m), 0),
        "hinge": (lambda m: max(Fraction(0), 1 - m), 1),
        "squared": (lambda m: (1 - m) ** 2 / 2, 1),
    }[loss]
    X, y, a = on_a_plane(seed)
    X[:, 0] -= bend * y / a[0]
    y = -y  # now all margins are a little less than where the loss bends, or rounding
    m = np.array(scores(X, a)) * fractions(y)
    radius = 2 * float(np.linalg.norm(a))
    for two in zip(np.flatnonzero(y > 0), np.flatnonzero(y < 0), strict=False):
        here = X[[*two]], y[[*two]]
        found = enclose_empirical_risk(*here, primal=a, dual=[0, 0], loss=loss, radius=radius)
        assert Fraction(found.upper) >= sum(map(phi, m[[*two]])) / 2
        assert found.upper < 1e-9
    rng = np.random.default_rng(seed)
    s, Z = rng.uniform(size=3), 1e3 * rng.standard_normal((3, 3))
    y = np.array([1.0, 1, -1])
    s[2] = s[0] + s[1]
    s /= 2
    Z[2] = (s[0] * Z[0] + s[1] * Z[1]) / s[2]
    found = enclose_empirical_risk(Z, y, primal=np.zeros(4), dual=-s, loss="hinge", radius=1e9)
    point = combination(fractions(s), fractions(ll.signed(Z, y)))
    # -ρc‖Zᵀs‖/n - mean of φ*(cs) = c(mean s - ρ‖Zᵀs‖/n), best at c = 1.
    spare = sum(fractions(s)) - Fraction(found.lower) * 3
    assert spare >= 0 and spare**2 >= Fraction(10**18) * dot(point, point)


@SEEDS
def test_the_logistic_dual_does_not_take_rounding_for_cancellation(seed):
    """Two samples and a third between them up to rounding: separable, so with hardly a penalty inf ≈ 0."""
    rng = np.random.default_rng(seed)
    U, V = rng.standard_normal((2, 2))
    X, y = np.array([U, V, 0.25 * U + 0.75 * V]), np.array([1.0, 1, -1])
    u, v, third = fractions(X)
    w = [u[1] - v[1], v[0] - u[0]]
    apart = dot(w, third) - dot(w, u)
    if not apart:
        return
    # Margins of 60 for all three: w times 120/|⟨w, x₃ - x₁⟩|.
    penalty = Fraction(1, 10**43) / 2 * dot(w, w) * (120 / apart) ** 2
    least = float(penalty) + np.exp(-60)
    for alpha in ([0.125, 0.375, 0.5], [0.1, 0.3, 0.4]):
        found = enclose_logistic(X, y, primal=[0, 0, 0], dual=alpha, lam=1e-43)
        assert least < 1e-3 and (found.lower <= least or found.score_bound <= 2.0**20)


@SEEDS
def test_cells_believe_no_sign_that_rounding_may_have_made(seed):
    """In a cell of no size around a, a sample on the plane is wrong only if it is wrong exactly."""
    X, y, a = on_a_plane(seed)
    f = int(np.abs(a).argmax())
    centre = a / a[f]
    Z = np.column_stack([X, np.ones(len(y))])
    Z[:, 0] -= (Z @ centre) / centre[0]
    exact = [dot(fractions(z), fractions(centre)) for z in Z]
    cell = cells.Cells(centre[None], np.array([f]), 2.0**-80)
    verdict = cells.judge(cell, Z, np.zeros(len(Z)))
    for k, value in enumerate(exact):
        assert not verdict.wrong[0, k] or value <= 0
        assert verdict.wrong[0, k] or verdict.open(0)[k] or value > 0


@SEEDS
@pytest.mark.parametrize("p", [2, 3, 4])
def test_cells_are_judged_by_their_corners(seed, p):
    """⟨ã, z⟩ is linear: what holds at all corners of a cell holds in it, and nothing more is claimed."""
    rng = np.random.default_rng(seed)
    Z, slack = rng.integers(-9, 10, (30, p)) / 8, np.zeros(30)
    whole = cells.all_directions(p)
    pieces = whole.cut(0)
    assert len(np.unique(pieces.centres, axis=0)) * pieces.half ** (p - 1) == 1  # they fill face 0
    assert np.abs(pieces.centres - whole.centres[0]).max() + pieces.half == 1
    for part in (whole, whole.cut(int(rng.integers(2 * p)))):
        verdict = cells.judge(part, Z, slack)
        for k in rng.choice(len(part.centres), 4):
            f = part.faces[k]
            corners = np.array(list(product((-part.half, part.half), repeat=p)))
            corners[:, f] = 0
            values = (part.centres[k] + corners) @ Z.T
            sure = np.abs(values).min(axis=0) > 1e-9
            wrong, right = (values <= 0).all(axis=0), (values > 0).all(axis=0)
            assert (verdict.wrong[k] == wrong)[sure].all() and not verdict.wrong[k][right].any()
            assert (verdict.open(k) == ~(wrong | right))[sure].all()
            assert not cells.judge(part, Z, slack + 10 * p).wrong.any()


@SEEDS
def test_a_sample_is_right_only_if_it_is_right_exactly(seed):
    X, _, a = on_a_plane(seed)
    right = right_exact(np.column_stack([X, np.ones(len(X))]), a)
    assert right.tolist() == [m > 0 for m in scores(X, a)]


@SEEDS
def test_coordinates_for_weights_are_known_within_their_slack(seed):
    """⟨ã, z̃⟩ of the computed z̃ is off by at most `slack` for |ã| ≤ 1, and frames map planes one to one."""
    X, y, _ = on_a_plane(seed, n=20, d=2)
    X = X + 1e7
    frame = cells.Frame.of(X, y, fit_intercept=True)
    Z, slack = frame.rows(X, y, fit_intercept=True)
    A = fractions(frame.A)
    for x, t, row, s in zip(
        fractions(X), fractions(y), fractions(Z), fractions(slack), strict=True
    ):
        scaled = [
            t * (u - c) / v
            for u, c, v in zip(x, fractions(frame.centre), fractions(frame.scale), strict=True)
        ]
        exact = combination([*scaled, t], A)
        assert sum(abs(u - v) for u, v in zip(row, exact, strict=True)) <= s
    tilted = np.array([0.3, -1.0, 0.5])
    plane = frame.plane(tilted, fit_intercept=True)
    assert ll.signed(X, y) @ plane == pytest.approx(Z @ tilted, abs=1e-6)


@SEEDS
def test_the_heavier_class_is_scaled_down(seed):
    """Then the sums agree; the lighter class keeps its weights, and none is left without the other."""
    rng = np.random.default_rng(seed)
    y, alpha = np.where(np.arange(9) < 3, 1.0, -1.0), rng.uniform(size=9)
    alpha[rng.integers(3)] = 1.0
    for labels in (y, -y):
        scaled = balance.scale_heavier_class(labels, alpha)
        assert scaled @ labels == pytest.approx(0, abs=1e-14)
        light = labels == -np.sign(alpha @ labels)
        assert np.array_equal(scaled[light], alpha[light]) and (scaled <= alpha).all()
        exact = balance.balanced(labels, scaled)
        assert sum(fractions(exact * labels)) == 0 and (abs(exact - scaled) < 1e-14).all()
        for side in (1, -1):
            assert not balance.scale_heavier_class(labels, alpha * (labels == side)).any()
    for dual in ([1, 1, 1], [7, 1e300, 2]):
        found = enclose_logistic(np.ones((3, 1)), [1, 1, -1], primal=[0, 0], dual=dual, lam=1.0)
        assert found.lower == pytest.approx(2 / 3 * log(2))  # H(½), H(½), H(1)
        assert found.dual.tolist() == [1, 1, 1]
    for dual in ([np.nan, 0.5, 0.5], [-1, 0.5, 0.5], [np.inf, 0.5, 0.5], [-np.inf, 0.5, 0.5]):
        found = enclose_logistic(np.ones((3, 1)), [1, 1, -1], primal=[0, 0], dual=dual, lam=1.0)
        assert found.dual.tolist() == [0, 0.5, 0.5]


@SEEDS
def test_multipliers_with_equal_class_sums_are_near(seed):
    """Within four roundings of each αᵢ: what `enclose_hard_margin` allows for."""
    rng = np.random.default_rng(seed)
    y, alpha = np.where(np.arange(30) % 3, 1.0, -1.0), rng.uniform(size=30)
    found = balance.scale_heavier_class(y, alpha)
    plus, minus = (sum(fractions(alpha[y == s])) for s in (1, -1))
    less = min(plus, minus)
    assert np.array_equal(balance.scale_heavier_class(y, found), found)  # near already
    for s, total in ((1, plus), (-1, minus)):
        for u, v in zip(fractions(found[y == s]), fractions(alpha[y == s]), strict=True):
            assert abs(u - v * less / total) <= u * Fraction(4, 2**53)
