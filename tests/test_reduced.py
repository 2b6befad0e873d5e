"""Features that others make up but for a rounding: every method closes, and every bound is true."""

import json
import math
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linlearn as ll
from linlearn import check
from linlearn.certificates import (
    enclose_fisher,
    enclose_hinge,
    enclose_least_squares,
    enclose_logistic,
    enclose_soft_margin,
    least_squares,
    reduced,
)
from linlearn.certificates.ball import Ball, U, ball
from linlearn.certificates.bound import WITHIN, moves, planes_within
from linlearn.certificates.logistic import recedes
from linlearn.certificates.prices import Priced
from linlearn.certificates.reduced import Rounded
from linlearn.certificates.samples import Samples
from linlearn.engines.normal_equations import by_squares
from linlearn.engines.sieve import by_interior_point


def rounded_sum(rng, x, digits):
    return np.column_stack([x, np.round(x.sum(axis=1), digits)])


def two_clocks(rng, x, digits):
    """Stamps of about 1.7e9 that differ in few last digits: by 0.1 at most for 1 digit."""
    stamp = 1.7e9 + np.round(1e5 * x[:, 0])
    late = np.round(rng.uniform(0, 10.0 ** -(digits - 5), len(x)), digits - 3)
    return np.column_stack([x[:, 1], stamp, stamp + late])


def two_scales(rng, x, digits):
    celsius = 20 + 5 * rng.standard_normal(len(x))
    return np.column_stack([x[:, 0], celsius, np.round(1.8 * celsius + 32, digits)])


def two_sums(rng, x, digits):
    """Two features that others make up, one of them by way of the other, and a group that is exact."""
    more = np.round(x.sum(axis=1), digits)
    twice = np.round(more - 0.5 * x[:, 0], digits - 1)
    group = 1.0 * (rng.integers(0, 2, len(x))[:, None] == np.arange(2))
    return np.column_stack([x, more, twice, group])


FAMILIES = [rounded_sum, two_clocks, two_scales, two_sums]
DIGITS = range(5, 14)


def sample(make, digits, seed, n=60, noise=1.0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, 2))
    y = np.where(x.sum(axis=1) + noise * rng.standard_normal(n) > 0, 1.0, -1.0)
    return make(rng, x, digits), y


families = pytest.mark.parametrize("make", FAMILIES)
METHODS = {
    "least squares": ll.least_squares,
    "hinge": ll.linear_program,
    "hinge, balanced": lambda X, y: ll.linear_program(X, y, prices="balanced"),
    "logistic": ll.logistic,
}
ENCLOSE = {
    "least squares": enclose_least_squares,
    "hinge": enclose_hinge,
    "logistic": enclose_logistic,
    "fisher": enclose_fisher,
}


@families
@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize("method", METHODS)
def test_every_gap_closes(method, digits, make):
    """For all planes, or for those in which no feature moves a score by more than 2²⁰.

    Of such scores each feature rounds up to 2²⁰·2⁻⁵³ away, so more features leave a little more than 1e-8.
    """
    for seed in range(2):
        X, y = sample(make, digits, seed)
        fit = METHODS[method](X, y)
        assert fit.certificate.relative_gap <= 1e-8 * max(1, X.shape[1] / 3), (seed, fit)
        assert fit.certificate.within in (math.inf, WITHIN)
        assert (fit.plane.a == fit.certificate.primal).all()
        if method == "logistic":
            assert fit.trace[-1].plane is fit.plane


@pytest.mark.parametrize("make", FAMILIES[:3])
@pytest.mark.parametrize("digits", range(5, 12))
def test_fishers_gap_closes(digits, make):
    for seed in range(2):
        X, y = sample(make, digits, seed)
        assert ll.fisher(X, y).certificate.relative_gap <= 1e-6
        w, lda = ll.fisher(X, y).plane.w, ll.lda(X, y)
        assert np.allclose(lda.plane.w, w * len(y), rtol=1e-9)
        if digits < 10:
            assert lda.certificate.relative_gap <= 1e-8


def exactly(R, X):
    """The entries that R stands for, and its columns' weights of a plane, in fractions."""
    x = [[Fraction(v) for v in np.ldexp(row, -R.S.k).tolist()] for row in X[:, R.kept]]
    M = [[Fraction(v) for v in column] for column in R.M.T.tolist()]
    of = R.S.e.argmax(axis=1)
    rows = [
        [(oracles.dot(c, row) - m) / t for c, m, t in zip(M, R.centre[g], R.t, strict=True)]
        for row, g in zip(x, of, strict=True)
    ]
    return rows, of


@families
@pytest.mark.parametrize("digits", [5, 8, 11])
@pytest.mark.parametrize("grouped", [False, True])
def test_the_coordinates_are_exact(grouped, digits, make):
    """Entries are rounded once, and a plane scores every sample there as it does here."""
    X, y = sample(make, digits, 1, n=24)
    X[:, 0] *= 2.0**100
    group = (y < 0).astype(np.intp) if grouped else None
    R = reduced.reduced(X, group)
    a = np.append(np.random.default_rng(0).standard_normal(X.shape[1]) * 1e7, 3.0)
    a[np.delete(np.arange(X.shape[1]), R.kept)] = 0.0
    assert R.holds(a) and R.thin
    rows, of = exactly(R, X)
    v = R.coordinates(a)
    for i, (row, g) in enumerate(zip(rows, of, strict=True)):
        for found, exact in zip(R.X[i].tolist(), row, strict=True):
            assert abs(Fraction(found) - exact) <= Fraction(U) * abs(exact)
        score = oracles.dot(
            [Fraction(w) for w in a[:-1].tolist()], oracles.rationals(X[i : i + 1])[0]
        )
        there = sum(Fraction(w) * z for w, z in zip(v.mid[: R.d].tolist(), row, strict=True))
        there += Fraction(float(v.mid[R.d + g]))
        most = sum(Fraction(r) * abs(z) for r, z in zip(v.rad[: R.d].tolist(), row, strict=True))
        assert abs(score + 3 - there) <= most + Fraction(float(v.rad[R.d + g]))
    if not grouped:
        assert (
            np.linalg.cond(np.column_stack([R.X / np.linalg.norm(R.X, axis=0), np.ones(24) / 5]))
            < 1e5
        )


@given(st.fractions(), st.integers(-400, 300))
def test_a_fraction_is_within_its_ball(exact, k):
    exact *= Fraction(10) ** k
    found = reduced._rounded([exact, -exact])
    for least, most, v in zip(found.lo.tolist(), found.hi.tolist(), (exact, -exact), strict=True):
        assert Fraction(least) <= v <= Fraction(most)


@families
def test_sums_in_other_coordinates_hold_the_exact_ones(make):
    """Also those that are asked to be fine: an entry there is rounded, and its last digit no digit."""
    X, _ = sample(make, 9, 2, n=24)
    R = reduced.reduced(X)
    rows, _ = exactly(R, X)
    part, some = R.part(np.arange(24), np.arange(R.d)), np.random.default_rng(1).standard_normal(24)
    for found, r in ((R, some), (part, some), (R, 0 * some)):
        high, low, rad = found.fine_sums(r)
        for j, (h, s, most) in enumerate(zip(high[:-1], low, rad, strict=False)):
            total = sum(Fraction(u) * row[j] for u, row in zip(r.tolist(), rows, strict=True))
            assert abs(Fraction(float(h)) + Fraction(float(s)) - total) <= Fraction(float(most))
    assert R.spanning(np.arange(3)).tolist() == list(range(R.d))


@pytest.mark.parametrize("seed", range(3))
def test_a_plane_that_uses_what_others_make_up_is_not_moved(seed):
    """What others make up exactly has no place in the other coordinates, so its weights must not be lost."""
    X, y = sample(two_sums, 8, seed, n=9)
    X = X[:, [0, 1, 2, 4, 5]]  # the last two add up to 1
    fit = ll.linear_program(X, y)
    a = fit.plane.a.copy()
    a[-2] += 3.0 * 2**12
    a[:3] += 1e4 * np.array([1.0, 1.0, -1.0])
    found = enclose_hinge(X, y, primal=a, dual=fit.certificate.dual)
    Z, exact = oracles.signed(X, y), [Fraction(v) for v in a.tolist()]
    there = sum(max(Fraction(0), 1 - oracles.dot(z, exact)) for z in Z) / 9
    assert Fraction(found.upper) >= there > 100


@pytest.mark.parametrize("unit", [2.0**-500, 1.0, 2.0**300])
def test_the_middle_of_the_samples_stays_where_it_is(unit):
    """A plane that is made of coordinates scores there as it should, whatever its weights lose."""
    X, _ = sample(two_clocks, 8, 0)
    X *= unit
    R = reduced.reduced(X)
    v = np.array([1.0, 0.5, 2.0, 0.25])
    scores = Samples(X).times(Samples(X).coordinates(R.plane(v))).mid
    assert np.abs(scores - (R.X @ v[:-1] + v[-1])).max() < 1e-6


@families
@pytest.mark.parametrize("digits", [6, 8, 11, 14])
@pytest.mark.parametrize("seed", range(2))
def test_the_ends_hold_the_exact_optimum(seed, digits, make):
    """With the witnesses of the fit, and with others."""
    X, y = sample(make, digits, seed, n=8)
    if make is two_sums:
        X = X[:, :4]
    rng = np.random.default_rng(seed)
    exact = {
        "least squares": oracles.least_squares(X, y)[0],
        "hinge": oracles.hinge(X, y)[0],
        "fisher": (oracles.fisher(X, y) or [None])[0],
    }
    for name, value in exact.items():
        method = ll.fisher if name == "fisher" else METHODS[name]
        try:
            fit = method(X, y).certificate
        except ValueError:
            assert name == "fisher"  # whose scatter has no inverse
            continue
        near = fit.primal * (1 + 1e-9 * rng.standard_normal(len(fit.primal)))
        for primal in (fit.primal, near, np.round(fit.primal)):
            for dual in (fit.dual, fit.dual + 1e-6 * rng.standard_normal(8)):
                found = ENCLOSE[name](X, y, primal=primal, dual=dual)
                if found.within == math.inf or name != "fisher":
                    assert found.within < math.inf or Fraction(found.lower) <= value
                    assert found.upper == math.inf or Fraction(found.upper) >= value
                assert name != "fisher" or Fraction(found.lower) <= value


@families
@pytest.mark.parametrize("digits", [6, 8, 10])
@pytest.mark.parametrize("method", [*METHODS, "fisher"])
def test_another_program_proves_the_same(method, digits, make):
    """`check.py` knows fractions only, and neither coordinates nor rounding."""
    X, y = sample(make, digits, 3, n=14)
    X = X[:, :4]
    fit = (ll.fisher if method == "fisher" else METHODS[method])(X, y)
    claim, labels = json.loads(fit.certificate.to_json()), y.astype(int).tolist()
    rows = [[Fraction(v) for v in row] for row in X.tolist()]
    if fit.certificate.within == math.inf:
        assert check.holds(claim, check.proved(claim, rows, labels))
    else:
        with pytest.raises(check.Refused, match="some planes only"):
            check.proved(claim, rows, labels)


@families
@pytest.mark.parametrize("digits", [8, 10, 12])
@pytest.mark.parametrize("name", ["least squares", "hinge"])
def test_no_bounded_plane_is_below_a_bounded_lower_end(name, digits, make):
    """Nor is the exact optimum, cut down to the bound, whichever plane the certificate holds."""
    for seed in range(2):
        X, y = sample(make, digits, seed, n=8)
        X = X[:, :4]
        value, best = {"least squares": oracles.least_squares, "hinge": oracles.hinge}[name](X, y)[
            :2
        ]
        S = Samples(X)
        reach = [Fraction(float(s)) for s in S.reach]
        centred = [
            *best[:-1],
            best[-1] + oracles.dot(best[:-1], [Fraction(m) for m in S.m[0].tolist()]),
        ]
        size = max(abs(w) * s for w, s in zip(centred, reach, strict=True))
        share = min(Fraction(1), Fraction(WITHIN) / size)
        a = [share * w for w in best]
        for fit in (METHODS[name](X, y), METHODS[name](X[:, :2], y)):
            primal = np.zeros(X.shape[1] + 1)
            primal[[*range(len(fit.plane.w)), -1]] = fit.plane.a
            found = ENCLOSE[name](X, y, primal=primal, dual=fit.certificate.dual)
            lower = Fraction(found.lower)
            Z = oracles.signed(X, y)
            m = [oracles.dot(z, a) for z in Z]
            if name == "hinge":
                there = sum(max(Fraction(0), 1 - s) for s in m) / 8
            else:
                there = sum((1 - s) ** 2 for s in m) / 2
            assert lower <= there and (share < 1 or there == value)


numbers = st.floats(-9, 9)


@settings(max_examples=200)
@given(st.lists(st.tuples(numbers, st.floats(0, 1), numbers), min_size=3, max_size=3), numbers)
def test_the_cost_of_a_residual_for_bounded_planes(entries, unit):
    """At least ⟨a - base, ρ⟩ at every corner of the box, and hardly more than at the worst."""
    X = np.array([[1.0, -3.0], [2.0, 1.0], [-2.0, 4.0]])
    S = Samples(X)
    mid, rad, base = (np.array(column) for column in zip(*entries, strict=True))
    base = base * 2.0**18 * abs(unit)
    cost, within = planes_within(S, Ball(mid, rad), ball(base))
    most = WITHIN / S.reach
    corners = [
        sum((s * w - b) * r for s, w, b, r in zip(signs, most, base, rho, strict=True))
        for signs in np.ndindex(2, 2, 2)
        for signs in [2 * np.array(signs) - 1]
        for rho in (mid - rad, mid + rad)
    ]
    assert within == WITHIN and cost >= max(corners) * (1 - 1e-12)
    apart = [
        max((s * w - b) * r for s in (1, -1) for r in (m - d, m + d))
        for w, b, m, d in zip(most, base, mid, rad, strict=True)
    ]
    assert cost <= sum(max(0.0, c) for c in apart) * (1 + 1e-12) + 1e-300


def test_nothing_is_said_of_bounded_planes_in_other_coordinates():
    S = Rounded(np.eye(3))
    assert planes_within(S, ball(np.zeros(4)), ball(np.zeros(4))) == (math.inf, math.inf)


def test_ordinary_samples_pay_nothing(monkeypatch):
    """What closes at once never asks for other coordinates."""
    monkeypatch.setattr(reduced, "reduced", None)
    for seed in range(3):
        X, y = sample(lambda rng, x, digits: x, 0, seed)
        for fit in (ll.least_squares, ll.linear_program, ll.logistic, ll.fisher):
            assert fit(X, y).certificate.relative_gap <= 1e-9


def test_samples_without_thin_directions_are_left_alone():
    X, _ = sample(lambda rng, x, digits: x, 0, 0)
    assert reduced.reduced(X) is None
    assert reduced.reduced(X[:2]) is None  # too few to tell
    assert reduced.reduced(np.column_stack([X, 2 * X[:, 0]])) is None  # made up exactly
    assert reduced.reduced(np.column_stack([X, np.full(60, 3.0)])) is None
    thin, _ = sample(rounded_sum, 8, 0)
    assert reduced.reduced(np.column_stack([thin, np.full(60, 3.0)])).kept.tolist() == [0, 1, 2]


# -- a penalty beside steep weights, and last digits beside rounded ones ---------------------------------


def stamps(seed, size, late, n=60):
    """A feature, and when something began and ended: in seconds, `size` apart, and lasting `late` or less."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, 2))
    y = np.where(x.sum(axis=1) + rng.standard_normal(n) > 0, 1.0, -1.0)
    begun = 1.7e9 + np.round(size * x[:, 0])
    return np.column_stack([x[:, 1], begun, begun + np.round(rng.uniform(0, late, n), 2)]), y


def accounts(seed, size, n=60):
    """Amounts to a cent: net, tax and discount of it, and two exact sums, of which floats keep less."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, 2))
    y = np.where(x.sum(axis=1) + rng.standard_normal(n) > 0, 1.0, -1.0)
    net = np.round(size * np.exp(x[:, 0]), 2)
    tax, off = np.round(0.19 * net, 2), np.round(0.03 * net, 2)
    return np.column_stack([x[:, 1], net, tax, net + tax, off, np.round(net - off, 2)]), y


PENALISED = {
    "logistic, 1e-3": lambda X, y: ll.logistic(X, y, lam=1e-3),
    "logistic, 1": lambda X, y: ll.logistic(X, y, lam=1.0),
    "soft margin": lambda X, y: ll.svm(X, y, C=1.0),
}


@pytest.mark.parametrize("late", [0.1, 1.0, 60.0])
@pytest.mark.parametrize("size", [1e5, 1e6, 1e7])
@pytest.mark.parametrize("method", PENALISED)
def test_a_penalty_beside_clocks_closes_for_all_planes(method, size, late):
    for seed in range(3):
        X, y = stamps(seed, size, late)
        fit = PENALISED[method](X, y)
        assert fit.certificate.relative_gap <= 1e-8 and fit.certificate.within == math.inf
        assert (fit.plane.a == fit.certificate.primal).all() and fit.converged
        again = fit.verify(X, y)
        assert again.relative_gap <= 1e-8


def cost(X, y, a, lam):
    """mean ln(1 + exp(-mᵢ)) + (λ/2)‖w‖² of the plane as it is, to 50 digits."""
    a = [Fraction(v) for v in a.tolist()]
    with localcontext(prec=60):
        m = [oracles.dot(z, a) for z in oracles.signed(X, y)]
        exact = [Decimal(v.numerator) / Decimal(v.denominator) for v in m]
        square = oracles.dot(a[:-1], a[:-1])
        penalty = Decimal(lam) * Decimal(square.numerator) / Decimal(square.denominator) / 2
        return sum((1 + (-v).exp()).ln() for v in exact) / len(y) + penalty


@pytest.mark.parametrize("lam", [1e-9, 1e-3, 1.0])
@pytest.mark.parametrize("size", [1e5, 1e7, 1e9])
@pytest.mark.parametrize("seed", range(3))
def test_steep_planes_cost_what_is_said(seed, size, lam):
    """With any α, or none; the ends of the plane's own cost as near as margins that are rounded once."""
    X, y = stamps(seed, size, 1.0, n=9)
    rng, fit = np.random.default_rng(seed), ll.logistic(X, y, lam=lam)
    best = cost(X, y, fit.plane.a, lam)
    steep = np.array([0.3, 1.0, -1.0, rng.standard_normal()])
    for a in (fit.plane.a, np.round(fit.plane.a, 3), steep):
        exact = cost(X, y, a, lam)
        for dual in (None, fit.certificate.dual, rng.random(9), np.arange(9) / 1e3):
            found = enclose_logistic(X, y, primal=a, dual=dual, lam=lam)
            assert Decimal(found.lower) <= best and exact <= Decimal(found.upper)
    assert Decimal(fit.certificate.upper) - best <= Decimal("1e-9")


@pytest.mark.parametrize("C", [1e-3, 1.0])
@pytest.mark.parametrize("size", [1e5, 1e7])
@pytest.mark.parametrize("seed", range(3))
def test_the_soft_margin_beside_clocks_holds_the_exact_optimum(seed, size, C):
    X, y = stamps(seed, size, 1.0, n=5)
    y[:2] = 1.0, -1.0
    rng, value = np.random.default_rng(seed), oracles.soft_margin(X, y, C)[0]
    fit = ll.svm(X, y, C=C).certificate
    assert fit.relative_gap <= 1e-8
    for primal in (fit.primal, np.round(fit.primal, 3), 1e-3 * rng.standard_normal(4)):
        for dual in (fit.dual, C * rng.random(5), np.full(5, C)):
            found = enclose_soft_margin(X, y, primal=primal, dual=dual, C=C)
            assert Fraction(found.lower) <= value <= Fraction(found.upper)


def chain(seed, digits, n=60):
    """Five columns, each a rounded combination of the two before, which may be rounded by floats alone."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, 2))
    y = np.where(x.sum(axis=1) + rng.standard_normal(n) > 0, 1.0, -1.0)
    columns = [*x.T]
    for _ in range(5):
        more = columns[-1] + rng.choice([0.5, -0.5, 1.0, 0.3]) * columns[-2]
        columns.append(np.round(more, digits))
    return np.column_stack(columns), y


@pytest.mark.parametrize("make", [accounts, chain])
@pytest.mark.parametrize("size", [4, 6, 8])
@pytest.mark.parametrize("method", METHODS)
def test_rounded_columns_beside_exact_sums_close(method, size, make):
    """Also where a plane at the bound scores samples beyond 1 by what was rounded off."""
    for seed in range(4):
        X, y = make(seed, size if make is chain else 10.0**size)
        found = METHODS[method](X, y).certificate
        assert found.relative_gap <= 1e-8 * X.shape[1] / 3, (seed, found)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_left_out_is_not_heard(seed):
    """No plane within the bound scores a sample otherwise by more than is said, and some nearly do."""
    X, _ = accounts(seed, 1e6, n=24)
    R = reduced.reduced(X)
    Q = R.quiet
    rows, _ = exactly(R, X)
    out = np.setdiff1d(R.live, Q.live).tolist()
    M = [[Fraction(v) for v in row] for row in R.M.tolist()]
    worst = [Fraction(0)] * len(X)
    for signs in product((-1, 1), repeat=R.S.d):
        w = [
            Fraction(WITHIN) * s / Fraction(v)
            for s, v in zip(signs, R.S.reach.tolist(), strict=False)
        ]
        u = oracles.solve(M, w)
        moved = [abs(sum(u[j] * R.t[j] * row[j] for j in out)) for row in rows]
        worst = [*map(max, worst, moved)]
    for said, found in zip(Q.unheard.tolist(), worst, strict=True):
        assert found <= Fraction(said) <= found + max(worst) * Fraction(1, 10**12)
    assert Q.quiet is None and Q.d == R.d - len(out) and (Q.X == R.X[:, Q.live]).all()


@pytest.mark.parametrize("name", ["least squares", "hinge"])
def test_a_lower_end_without_columns_allows_for_what_they_do(name, monkeypatch):
    """Also of columns that do much: planes within the bound that use them cost less."""
    better = 0
    for seed in range(8):
        X, y = accounts(seed, 1e4)
        a, limit = METHODS[name](X, y).plane.a, reduced.reduced(X).limit
        if moves(S := Samples(X), S.coordinates(a)) > WITHIN:
            continue
        m = [oracles.dot([Fraction(v) for v in a.tolist()], z) for z in oracles.signed(X, y)]
        squares, shortfalls = sum((1 - v) ** 2 for v in m) / 2, sum(max(0, 1 - v) for v in m) / 60
        monkeypatch.setattr(reduced, "FAINT", np.sort(limit[limit < math.inf])[-2])
        Q = reduced.reduced(X).quiet
        assert len(Q.live) == X.shape[1] - len(Q.thin) + 1
        finder = (
            by_squares(y) if name == "least squares" else by_interior_point(y, np.full(60, 1 / 60))
        )
        without, dual = next(finder(Q))
        found = ENCLOSE[name](X, y, primal=without, dual=dual)
        value = squares if name == "least squares" else shortfalls
        assert Fraction(found.lower) <= value
        better += value < Fraction(found.upper) * (1 - Fraction(1, 10**6))
    assert better > 2


@pytest.mark.parametrize("seed", range(4))
def test_how_far_a_sum_of_squares_falls_where_scores_move(seed, monkeypatch):
    """Of planes no worse than 0; the misfit that falls most is t itself, moved along itself."""
    rng, asked = np.random.default_rng(seed), []
    X, y = rng.standard_normal((9, 2)), np.where(np.arange(9) % 2, 1.0, -1.0)
    t = y * rng.uniform(0.5, 2.0, 9)
    monkeypatch.setattr(least_squares, "closest", lambda *given: asked.append(given[-1]))
    enclose_least_squares(X, y, primal=np.zeros(3), targets=t)
    for c in (1e-12, 1e-6, 1e-3):
        moved = c * t
        exact = [
            (Fraction(u), Fraction(e)) for u, e in zip(t.tolist(), moved.tolist(), strict=True)
        ]
        fall = sum(u**2 - (u - e) ** 2 for u, e in exact) / 2
        assert fall <= Fraction(asked[0](np.abs(moved))) <= fall * (1 + Fraction(c))


@pytest.mark.parametrize("prices", [None, "balanced", [1.0, 0.5, 0.25, 0.1, 3.0]])
def test_how_far_losses_of_slope_1_change_where_margins_do(prices):
    y, moved = np.array([1.0, -1.0, 1.0, -1.0, -1.0]), np.array([0.1, 0.3, 1e-9, 7.0, 1 / 3])
    c = Priced.of(y, prices)
    exact = oracles.dot(c.exact(), [*map(Fraction, moved.tolist())])
    if prices == "balanced":  # the parts are floats, and whole numbers
        assert c.exact() == [Fraction(1, 2 if label > 0 else 3) for label in y]
    assert exact <= Fraction(c.times(moved)) <= exact * (1 + Fraction(1, 10**14))


def test_where_ever_so_little_separates_the_loss_is_known_to_vanish():
    """Margins below their own rounding: whole numbers say that no sample stands on the plane."""
    X, y = np.array([[1.0, 1.0], [1.0, 1.0 + 2.0**-50]]), np.array([-1.0, 1.0])
    a = np.array([-1e5, 1e5, -(2.0**-36)])
    assert recedes(X, y, a)
    found = enclose_logistic(X, y, primal=a)
    assert (found.lower, found.upper, found.attained) == (0.0, 0.0, False)
