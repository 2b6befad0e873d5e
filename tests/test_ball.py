"""The rules of numbers with a radius, each against exact fractions, at every size of floats."""

import math
import os
from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linlearn.certificates.ball import (
    BLOCK,
    ETA,
    Ball,
    NormBall,
    ball,
    gamma,
    norm,
    product,
    round_down,
    round_up,
    rounded_sum,
)
from linlearn.certificates.samples import Samples, smallest

FUZZ = os.environ.get("FUZZ") == "1"
ROUNDS = settings(max_examples=5000 if FUZZ else 300, deadline=None)
FOUND = [75, 214]  # make fuzz: a member that rounding put outside; a column of zeros
SEEDS = pytest.mark.parametrize("seed", range(300) if FUZZ else [*range(20), *FOUND])


def quiet():
    return np.errstate(all="ignore")


anything = st.one_of(
    st.floats(-4, 4),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.0, 5e-324, -5e-324, 1e-310, 2.0**-537, 1e160, -1e308]),
)
radii = st.one_of(st.just(0.0), st.floats(0, 1), st.sampled_from([5e-324, 1e-310, 1e-160, 1e200]))
shares = st.integers(-4, 4)


def member(x: Ball, share: int) -> Fraction:
    """A number in the ball: its middle and share/4 of its radius."""
    return Fraction(float(x.mid)) + Fraction(float(x.rad)) * share / 4


def among(value: Fraction, x: Ball) -> bool:
    lo, hi = float(x.lo), float(x.hi)
    return (lo == -math.inf or Fraction(lo) <= value) and (hi == math.inf or value <= Fraction(hi))


@ROUNDS
@given(m=anything, r=radii, n=anything, s=radii, u=shares, v=shares)
def test_an_operation_holds_every_result(m, r, n, s, u, v):
    with quiet():
        x, y = Ball(np.float64(m), np.float64(r)), Ball(np.float64(n), np.float64(s))
        a, b = member(x, u), member(y, v)
        assert among(a, x) and among(b, y)
        assert among(a + b, x + y) and among(a - b, x - y) and among(a * b, x * y)
        assert among(-a, -x) and among(a + Fraction(n), x + n) and among(Fraction(n) - a, n - x)
        if n:
            assert among(a / Fraction(n), x / n)
        assert float(x.mag) == math.inf or abs(a) <= Fraction(float(x.mag))


@ROUNDS
@given(
    entries=st.lists(st.tuples(anything, radii, shares), min_size=1, max_size=6),
    others=st.lists(anything, min_size=6, max_size=6),
)
def test_sums_and_squares_hold_every_result(entries, others):
    with quiet():
        mid, rad, share = (np.array(v, dtype=float) for v in zip(*entries, strict=True))
        x, n = Ball(mid, rad), np.array(others[: len(mid)])
        some = [member(x[i], int(k)) for i, k in enumerate(share)]
        assert among(sum(some, Fraction(0)), x.sum())
        assert among(
            sum((s * Fraction(v) for s, v in zip(some, n, strict=True)), Fraction(0)), x.dot(n)
        )
        squares = sum((s * s for s in some), Fraction(0))
        assert among(squares, x.squares())
        assert x.length() == math.inf or squares <= Fraction(x.length()) ** 2
        A = np.array([n, mid])
        for row, found in zip(A, (product(A, x)[i] for i in range(2)), strict=True):
            assert among(
                sum((s * Fraction(v) for s, v in zip(some, row, strict=True)), Fraction(0)), found
            )


def cloud_of(seed):
    """A cloud, and one of its members as fractions; sizes from denormal to 1e290."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(1, 40)), int(rng.choice([-1074, -1060, -600, -300, 0, 0, 300, 900]))
    mid = np.ldexp(rng.standard_normal(n), k)
    off = float(np.ldexp(rng.choice([0.0, 1e-13, 0.1]), k))
    way = rng.standard_normal(n)
    way *= 0.99 * off / max(norm(way), 1e-9)
    return (
        rng,
        NormBall(mid, off),
        [Fraction(u) + Fraction(v) for u, v in zip(mid, way, strict=True)],
    )


def inside(x, cloud):
    if not cloud.off < np.inf:
        return True
    square = sum(((u - Fraction(v)) ** 2 for u, v in zip(x, cloud.mid, strict=True)), Fraction(0))
    return square <= Fraction(cloud.off) ** 2


@SEEDS
def test_a_cloud_holds_every_result(seed):
    with quiet():
        rng, cloud, x = cloud_of(seed)
        n, k = len(x), int(np.frexp(cloud.mid)[1].max())
        t = np.ldexp(rng.standard_normal(n), k if seed % 2 else 0)
        y, c = np.sign(t) + (t == 0), np.abs(t)
        assert inside([u + Fraction(v) for u, v in zip(x, t, strict=True)], cloud + t)
        assert inside([Fraction(v) - u for u, v in zip(x, t, strict=True)], t - cloud)
        assert inside([u * int(v) for u, v in zip(x, y, strict=True)], cloud.flipped(y))
        assert inside([abs(u) for u in x], abs(cloud))
        dot = sum((u * Fraction(v) for u, v in zip(x, c, strict=True)), Fraction(0))
        assert among(dot, cloud.dot(c)) and among(sum(x, Fraction(0)), cloud.sum())
        wide = 1.01 * cloud.off * norm(c) + 1e-13 * norm(cloud.mid) * norm(c)
        assert cloud.dot(c).rad <= wide + 8 * n * ETA or not wide < np.inf
        squares = sum((u * u for u in x), Fraction(0))
        assert among(squares, cloud.squares()) and among(squares, cloud.dot(cloud))
        assert cloud.length() == np.inf or squares <= Fraction(cloud.length()) ** 2


@SEEDS
def test_lengths_and_totals_are_bounds(seed):
    with quiet():
        _, cloud, _ = cloud_of(seed)
        v = [Fraction(u) for u in cloud.mid]
        squares = sum((u * u for u in v), Fraction(0))
        length = Fraction(norm(cloud.mid))
        assert squares <= length**2
        assert length**2 <= squares * (1 + Fraction(1, 10**12)) + Fraction(ETA) * len(v) * 9
        with suppress(OverflowError):  # of what is too large for floats there is no rounded sum
            many = np.append(np.zeros(BLOCK), cloud.mid)
            assert rounded_sum(many) == math.fsum(many.tolist())


def test_a_sum_is_rounded_once(monkeypatch):
    """Of ordinary numbers, without reading a list; also where a plain sum, and the leading bits, tie."""
    rng = np.random.default_rng(0)
    usual = [rng.uniform(size=n) * 10.0 ** rng.integers(-3, 4) for n in (2000, 9999, 50_000)]
    ties = [np.append(np.zeros(2000), [1.0, 2.0**-53, s * 2.0**-106]) for s in (1, 0, -1)]
    wanted = [math.fsum(v.tolist()) for v in (*usual, *ties)]
    assert len(set(wanted[-3:])) == 2
    assert [rounded_sum(v) for v in (*usual, *ties)] == wanted
    monkeypatch.setattr(math, "fsum", None)
    assert [rounded_sum(v) for v in usual] == wanted[:3]


@given(r=st.floats(0, 1e300), k=st.integers(1, 2000))
def test_up_and_down_are_on_the_safe_side(r, k):
    exact = Fraction(r) / (1 - Fraction(1, 2**53)) ** k
    assert Fraction(float(round_up(r, k))) >= exact and round_up(0.0, k) == 0
    assert (
        Fraction(round_down(r)) <= Fraction(r) * (1 - Fraction(12, 2**53)) + 0
        if r > 1e-300
        else True
    )
    assert 0 <= round_down(r) <= r
    assert Fraction(gamma(k)) >= Fraction(k, 2**53 - k)


@SEEDS
@pytest.mark.parametrize("groups", [1, 2])
def test_sums_over_samples_are_known_within_their_radius(seed, groups):
    """Of the exact rows, far from 0 or not, in any unit: scores, sums, fine sums, lengths."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 90)) if seed % 4 else 2100
    X = rng.standard_normal((n, 3)) + rng.choice([0.0, 1e8])
    if seed % 3 == 0:
        X = X * 2.0 ** rng.integers(-1074, 300, 3)
    group = None if groups == 1 else np.arange(n) % 2
    S = Samples(X, group, scaled=bool(seed % 2), centred=bool(seed % 5))
    unit = [Fraction(2) ** -int(k) for k in S.k]
    some = range(0, n, max(1, n // 40))
    r = np.zeros(n)
    r[list(some)] = rng.standard_normal(len(some)) * 2.0 ** float(rng.integers(-90, 90))
    rows = []
    for i in some:
        centre = S.m[0 if group is None else group[i]]
        e = [Fraction(int(g == (0 if group is None else group[i]))) for g in range(groups)]
        rows.append(
            [Fraction(v) * u - Fraction(m) for v, u, m in zip(X[i], unit, centre, strict=True)] + e
        )
    exact = [
        sum((Fraction(r[i]) * row[j] for i, row in zip(some, rows, strict=True)), Fraction(0))
        for j in range(3 + groups)
    ]
    sums, (high, low, rad) = S.sums(r), S.fine_sums(r)
    for j, total in enumerate(exact):
        assert among(total, sums[j])
        assert abs(total - Fraction(high[j]) - Fraction(low[j])) <= Fraction(rad[j])
        squares = sum((row[j] ** 2 for row in rows), Fraction(0))
        assert squares <= Fraction(S.lengths[j]) ** 2
        assert max(abs(row[j]) for row in rows) <= Fraction(S.reach[j])
    if seed % 3:
        live = S.reach > 0  # in a column of zeros plain sums are exact
        assert (rad <= 1e-6 * sums.rad + 1e-300)[live].all()
        assert (sums.rad <= 1e-12 * S.lengths * norm(r)).all()
    v = rng.standard_normal(3 + groups)
    scores = S.times(v)
    assert np.array_equal(scores.mid, S.plain_times(v))
    off = sum(
        (
            (
                sum((u * Fraction(w) for u, w in zip(row, v, strict=True)), Fraction(0))
                - Fraction(scores.mid[i])
            )
            ** 2
            for i, row in zip(some, rows, strict=True)
        ),
        Fraction(0),
    )
    assert off <= Fraction(scores.off) ** 2


@SEEDS
def test_a_plane_keeps_its_scores_in_other_coordinates(seed):
    rng = np.random.default_rng(seed)
    X = (rng.standard_normal((9, 2)) + 1e7) * [1e-40, 1e30]
    a = np.array([1e38, -1e-33, 3.0]) * rng.standard_normal(3)
    S = Samples(X)
    v = S.coordinates(a)
    assert S.k.any() and S.m.any()
    for row in X:
        score = sum(
            (Fraction(w) * Fraction(x) for w, x in zip(a, row, strict=False)), Fraction(a[2])
        )
        moved = [
            Fraction(x) * Fraction(2) ** -int(k) - Fraction(m)
            for x, k, m in zip(row, S.k, S.m[0], strict=True)
        ]
        inner = sum(
            (Fraction(w) * z for w, z in zip(v.mid, moved, strict=False)), Fraction(v.mid[2])
        )
        assert abs(inner - score) <= Fraction(v.rad[2]) <= abs(Fraction(v.mid[2])) / 2**52


@SEEDS
@pytest.mark.parametrize("ulps", [1, 2**10, 2**21])
def test_no_rank_is_claimed_that_rounding_may_have_made(seed, ulps):
    """A feature constant up to `ulps` last digits, beside the column of ones: sin² of half their angle."""
    rng = np.random.default_rng(seed)
    x = 1 + 2.0**-52 * ulps * rng.integers(0, 4, 40)
    exact = [Fraction(v) for v in x]
    total, squares = sum(exact), sum(v * v for v in exact)
    cosine_squared = total**2 / (40 * squares)
    sigma, size = smallest(np.column_stack([x, np.ones(40)]))
    # σ² ≤ 1 - cos, that is cos ≤ 1 - σ²
    assert cosine_squared <= (1 - Fraction(sigma) ** 2) ** 2
    if sigma:
        assert size == pytest.approx([math.sqrt(squares), math.sqrt(40)])
    assert smallest(rng.standard_normal((40, 2)))[0] > 0.3


def test_sums_over_blocks_hold_the_exact_ones():
    rng = np.random.default_rng(0)
    X, r = rng.standard_normal((4096, 5)), rng.standard_normal(4096)
    S = Samples(X, centred=False)
    assert S.block_length < len(X)
    found, rows = S.sums(r), S.take(np.arange(4096))
    for column, mid, rad in zip(rows.T.tolist(), found.mid, found.rad, strict=True):
        exact = sum(Fraction(x) * Fraction(v) for x, v in zip(column, r.tolist(), strict=True))
        assert abs(exact - Fraction(mid)) <= Fraction(rad) < 1e-9
    assert ball(S.gram()).mid == pytest.approx(rows.T @ rows)


@pytest.mark.parametrize("size", [1.0, 2.0**60, 2.0**-60])
def test_roundings_add_up(size):
    """One rounding is forgiven by the ends, which are a float farther out; two hundred are not."""
    more = size * 1.1
    total, exact = ball(size), Fraction(size)
    for _ in range(200):
        total, exact = total + 2.0**-54 * size, exact + Fraction(2) ** -54 * Fraction(size)
    assert total.lo <= exact <= total.hi < size * (1 + 1e-12)
    for step, back in ((lambda x: x * 1.1, 1), (lambda x: x / 1.1, -1)):
        found, exact = ball(more), Fraction(more)
        for _ in range(200):
            found, exact = step(found), exact * Fraction(1.1) ** back
            assert found.lo <= exact <= found.hi
        assert found.hi - found.lo <= 1e-12 * found.mid
