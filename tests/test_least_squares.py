"""Least squares closes its gap, knows NumPy's answer, and says less where less is known."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import linlearn as ll
from linlearn.certificates import enclose_least_squares

drawn, overlap = ll.data.drawn(), ll.data.drawn(overlap=True)


def loss(X, t, plane):
    return 0.5 * np.sum((plane.score(X) - t) ** 2)


def cond(power, n=400, d=8):
    """Samples whose standardised features have condition 10^power."""
    rng = np.random.default_rng(power)
    U, _ = np.linalg.qr(rng.standard_normal((n, d)))
    V, _ = np.linalg.qr(rng.standard_normal((d, d)))
    X = (U * np.logspace(0, -power, d)) @ V.T * np.sqrt(n)
    return X, np.where(rng.standard_normal(n) + X[:, 0] > 0, 1.0, -1.0)


NASTY = {
    "drawn": drawn,
    "overlap": overlap,
    "xor": ll.data.xor(),
    "unscaled": (drawn[0] * [1e-6, 1e6], drawn[1]),
    "far from the origin": (drawn[0] + 1e8, drawn[1]),
    "duplicates": (np.repeat(drawn[0], 5, axis=0), np.repeat(drawn[1], 5)),
    "the same column twice": (drawn[0][:, [0, 1, 0]], drawn[1]),
    "a column and its negative": (np.column_stack([drawn[0], -drawn[0][:, 0]]), drawn[1]),
    "constant column": (np.column_stack([drawn[0], np.full(24, 0.1)]), drawn[1]),
    "constant columns only": (np.full((24, 2), 0.3), drawn[1]),
    "a column is the sum of two": (drawn[0] @ np.array([[1.0, 0, 1], [0, 1, 1]]), drawn[1]),
    "indicators that add up to one": (
        np.column_stack([drawn[0], np.eye(3)[np.arange(24) % 3]]),
        drawn[1],
    ),
    "three times x₁ is twice x₂ plus two": (
        np.array([[2.0, 2], [2, 2], [2, 2], [0, -1], [2, 2], [2, 2], [2, 2]]),
        np.array([-1.0, 1, 1, 1, 1, 1, 1]),
    ),
    "wide": ll.data.gaussians(10, 60, delta=0.5),
    "one sample per class": (np.array([[1.0, 2.0], [3.0, 5.0]]), np.array([1.0, -1.0])),
    "99:1": (ll.data.gaussians(200, 3)[0], np.where(np.arange(200) < 2, 1.0, -1.0)),
    "large": ll.data.gaussians(20_000, 10),
    "condition 1e3": cond(3),
    "condition 1e6": cond(6),
    "condition 1e9": cond(9),
    "breast cancer": ll.data.breast_cancer(),
}


@pytest.mark.parametrize("targets", ["labels", "fisher"])
@pytest.mark.parametrize("name", NASTY)
def test_the_gap_closes_on_nasty_samples(name, targets):
    """Strong duality: relative to the targets the enclosure is at most 1e-8 wide, and verifies.

    Rounding in X̃ᵀr is multiplied by the condition of the features: 1e-12 times it, where that is more.
    """
    X, y = NASTY[name]
    fit = ll.least_squares(X, y, targets=targets)
    n_plus = np.sum(y > 0)
    t = y if targets == "labels" else np.where(y > 0, len(y) / n_plus, -len(y) / (len(y) - n_plus))
    c = fit.verify(X, y)
    assert 0 <= c.lower <= c.upper
    condition = 10.0 ** int(name[-1]) if name.startswith("condition") else 1.0
    assert c.gap <= max(1e-8, 1e-12 * condition) * 0.5 * (t @ t)
    assert c.upper == pytest.approx(
        loss(X, t, fit.plane), rel=max(1e-6, 1e-14 * condition), abs=1e-9 * (t @ t)
    )


@cache
def fitted(name):
    """The fit that the examples of a property are compared with, made once."""
    return ll.least_squares(*NASTY[name]).certificate


@pytest.mark.parametrize("name", ["drawn", "overlap", "unscaled", "the same column twice", "wide"])
@settings(deadline=None)
@given(data=st.data())
def test_weak_duality_for_arbitrary_witnesses(name, data):
    """lower ≤ least value ≤ upper for any a and any r."""
    X, y = NASTY[name]
    numbers = st.floats(-1e6, 1e6)
    a = data.draw(hnp.arrays(float, X.shape[1] + 1, elements=numbers))
    r = data.draw(hnp.arrays(float, len(y), elements=numbers))
    c = enclose_least_squares(X, y, primal=a, dual=r)
    best = fitted(name)
    assert 0 <= c.lower <= best.upper
    assert best.lower <= c.upper


@settings(deadline=None, max_examples=40)
@given(
    X=hnp.arrays(np.int8, (7, 2), elements=st.integers(-3, 3)),
    y=hnp.arrays(np.int8, 7, elements=st.sampled_from([-1, 1])).filter(lambda y: len(set(y)) == 2),
)
def test_the_enclosure_holds_in_exact_arithmetic(X, y):
    """Rational normal equations on integer samples: the least value lies between the ends."""
    fit = ll.least_squares(X, y)
    rows = [[Fraction(int(v)) for v in x] + [Fraction(1)] for x in X]
    t = [Fraction(int(v)) for v in y]
    # Gram–Schmidt: what is left of t after the columns of (X, 1) are projected out.
    basis = []
    for j in range(3):
        v = [row[j] for row in rows]
        for u in basis:
            c = sum(p * q for p, q in zip(u, v, strict=True)) / sum(p * p for p in u)
            v = [p - c * q for p, q in zip(v, u, strict=True)]
        if any(v):
            basis.append(v)
    for u in basis:
        c = sum(p * q for p, q in zip(u, t, strict=True)) / sum(p * p for p in u)
        t = [p - c * q for p, q in zip(t, u, strict=True)]
    best = sum(p * p for p in t) / 2
    assert Fraction(fit.certificate.lower) <= best <= Fraction(fit.certificate.upper)
    if len(basis) > 1:
        assert float(best) - fit.certificate.lower <= 1e-10


@pytest.mark.parametrize(
    "name", ["drawn", "overlap", "99:1", "large", "breast cancer", "condition 1e3"]
)
def test_the_plane_is_numpys(name):
    """Against lstsq on standardised features."""
    X, y = NASTY[name]
    S = ll.data.standardise(X)
    theirs = np.linalg.lstsq(np.column_stack([S, np.ones(len(y))]), y, rcond=None)[0]
    ours = ll.least_squares(X, y).plane
    assert ours.w * X.std(axis=0) == pytest.approx(theirs[:-1], rel=1e-7, abs=1e-9)
    assert ours.score(X.mean(axis=0)[None])[0] == pytest.approx(theirs[-1], abs=1e-9)


@pytest.mark.parametrize("name", ["the same column twice", "wide", "constant column"])
def test_where_the_minimiser_is_not_unique_it_is_the_shortest(name):
    """Least norm of w in standardised features, as the pseudo-inverse gives it."""
    X, y = NASTY[name]
    spread = np.where(X.std(axis=0) > 1e-12, X.std(axis=0), np.inf)
    S = (X - X.mean(axis=0)) / spread
    theirs = np.linalg.pinv(S, rcond=1e-12) @ (y - y.mean())
    ours = ll.least_squares(X, y).plane.w
    assert ours * np.where(np.isfinite(spread), spread, 1) == pytest.approx(theirs, abs=1e-9)


def test_any_two_targets_give_fishers_direction():
    """w ∝ S_W⁻¹δ for labels, balanced, and 17 against -3 (lesson "Least squares on labels")."""
    X, y = ll.data.iris("virginica", "versicolor")
    w = ll.fisher(X, y).plane.w
    for targets in ("labels", "fisher", np.where(y > 0, 17.0, -3.0)):
        found = ll.least_squares(X, y, targets=targets).plane.w
        assert found / np.linalg.norm(found) == pytest.approx(w / np.linalg.norm(w), abs=1e-11)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10**6))
def test_it_moves_with_the_samples(seed):
    """Flip, translate, mix, scale the targets: the scores follow; weights of copies cancel."""
    rng = np.random.default_rng(seed)
    X, y = ll.data.gaussians(30, 3, seed=seed)
    t = rng.standard_normal(30)
    A, c = rng.standard_normal((3, 3)) + 3 * np.eye(3), 10 * rng.standard_normal(3)
    score = ll.least_squares(X, y, targets=t).plane.score(X)
    moved = ll.least_squares(X @ A.T + c, y, targets=t)
    assert moved.plane.score(X @ A.T + c) == pytest.approx(score, abs=1e-8)
    assert ll.least_squares(X, -y, targets=-2 * t).plane.score(X) == pytest.approx(
        -2 * score, abs=1e-9
    )
    assert ll.least_squares(X, -y).plane.a == pytest.approx(
        -ll.least_squares(X, y).plane.a, abs=1e-12
    )
    twice = ll.least_squares(np.vstack([X, X]), np.append(y, y), targets=np.append(t, t))
    assert twice.plane.score(X) == pytest.approx(score, abs=1e-9)


def test_least_squares_need_not_separate():
    """Samples -1, 0 | 1, 20: a gap at ½, but the outlier drags the plane to 5."""
    plane = ll.least_squares([[-1.0], [0.0], [1.0], [20.0]], [-1, -1, 1, 1]).plane
    assert -plane.b / plane.w[0] == pytest.approx(5)


def test_planes_are_bounded_where_rounding_is_a_feature():
    """A third feature that is the rounded sum of two: with huge weights its roundings would count."""
    X = drawn[0] @ np.array([[1.0, 0, 1], [0, 1, 1]]) * 0.1
    fit = ll.least_squares(X, drawn[1])
    assert fit.certificate.gap <= 1e-9 and fit.certificate.score_bound == 2.0**20
    assert fit.certificate.upper == pytest.approx(ll.least_squares(*drawn).certificate.upper)


def test_errors():
    with pytest.raises(ValueError, match='`targets` must be "labels", "fisher" or one number'):
        ll.least_squares(*drawn, targets="ones")
    with pytest.raises(
        ValueError,
        match=r"`targets` must hold one \w+ for each of the 24 samples; got shape \(3,\)",
    ):
        ll.least_squares(*drawn, targets=[1, 2, 3])
    with pytest.raises(ValueError, match=r"`dual` must hold one \w+ for each of the 24 samples"):
        enclose_least_squares(*drawn, primal=[0, 0, 0], dual=[0])


@pytest.mark.parametrize("targets", ["labels", "fisher", np.arange(24.0)])
def test_a_fit_is_saved_with_its_proof(tmp_path, targets):
    fit = ll.least_squares(*drawn, targets=targets)
    fit.save(tmp_path / "fit.npz")
    back = ll.Fit.load(tmp_path / "fit.npz")
    assert back.verify(*drawn).gap == pytest.approx(fit.certificate.gap)
    with pytest.raises(ValueError, match="the certificate claims"):
        back.verify(drawn[0][::-1] * [1, 2], -drawn[1])


@pytest.mark.parametrize("decimals", range(4, 17))
def test_a_sum_rounded_to_any_decimals(decimals):
    """Weights of about 1/rounding would spoil the scores; no plane is worse than that of two columns."""
    rng = np.random.default_rng(decimals)
    x = rng.standard_normal((60, 2))
    y = np.where(x.sum(axis=1) + rng.standard_normal(60) > 0, 1.0, -1.0)
    found = ll.least_squares(np.column_stack([x, np.round(x.sum(axis=1), decimals)]), y).certificate
    plain = ll.least_squares(x, y).certificate
    assert found.upper <= plain.upper * (1 + 1e-9) and found.relative_gap <= 1e-4
    assert found.relative_gap <= 1e-7 or 7 < decimals < 13


@pytest.mark.parametrize("seed", range(5))
def test_three_units_are_no_worse_than_one(seed):
    """Degrees Celsius, Fahrenheit and kelvin: the roundings of both conversions beside the feature."""
    rng = np.random.default_rng(seed)
    t = np.round(20 + 5 * rng.standard_normal(12), 1)
    y = np.where(np.arange(12) % 2, 1.0, -1.0)
    found = ll.least_squares(np.column_stack([t, 1.8 * t + 32, t + 273.15]), y).certificate
    assert found.upper <= ll.least_squares(t[:, None], y).certificate.upper * (1 + 1e-9)
    assert found.relative_gap <= 1e-8
