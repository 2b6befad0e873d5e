"""Certificates hold for any witnesses, close at the right ones, and survive rounding."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import linlearn as ll
from linlearn.certificates import enclose_margin, gordan_exact, margin_exact

SETS = {
    "separable": ll.data.drawn(),
    "overlap": ll.data.drawn(overlap=True),
    "xor": ll.data.xor(),
    "wide": ll.data.separable(4, 9, margin=0.3),
    "duplicates": (np.repeat(ll.data.xor()[0], 3, axis=0), np.repeat(ll.data.xor()[1], 3)),
    "unscaled": (ll.data.drawn()[0] * [1e-6, 1e6], ll.data.drawn()[1]),
}
BEST = {name: ll.separate(X, y) for name, (X, y) in SETS.items()}
numbers = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e6, max_value=1e6)


def exact_ends(X, y, a, alpha):
    """(lower², upper²) without rounding, signs kept, for the witnesses as the floats they are."""
    Z = [[Fraction(v) for v in z] for z in ll.signed(X, y).tolist()]
    a, alpha = [Fraction(v) for v in a.tolist()], [Fraction(v) for v in alpha.tolist()]
    smallest = min(sum(u * v for u, v in zip(a, z, strict=True)) for z in Z)
    point = [sum(w * z[j] for w, z in zip(alpha, Z, strict=True)) for j in range(len(a))]
    length = sum(v * v for v in a)
    lower = max(Fraction(0), smallest) ** 2 / length if length else Fraction(0)
    return lower, sum(v * v for v in point) / sum(alpha) ** 2


@cache
def fitted(name):
    """The fit that the examples of a property are compared with, made once."""
    return ll.separate(*SETS[name]).certificate


@pytest.mark.parametrize("name", SETS)
@given(data=st.data())
def test_weak_duality_for_arbitrary_witnesses(name, data):
    """lower ≤ γ* ≤ upper for any a and any α: no witness, however silly, can cross the other."""
    X, y = SETS[name]
    a = data.draw(hnp.arrays(float, X.shape[1] + 1, elements=numbers))
    dual = data.draw(hnp.arrays(float, len(y), elements=st.floats(width=32)))
    certificate = enclose_margin(X, y, primal=a, dual=dual)
    best = fitted(name)
    assert 0 <= certificate.lower <= best.upper
    assert np.isfinite(certificate.upper)
    assert certificate.upper >= best.lower


@pytest.mark.parametrize("name", SETS)
@given(data=st.data())
def test_the_ends_are_safe_from_rounding(name, data):
    """The computed ends lie outside the exact ones, and by no more than rounding explains."""
    X, y = SETS[name]
    # Near the best plane, where the margin is positive and rounding can tip it over.
    noise = data.draw(hnp.arrays(float, X.shape[1] + 1, elements=st.floats(-1e-3, 1e-3)))
    a = BEST[name].plane.a * (1 + noise) if BEST[name].plane.a.any() else noise
    dual = data.draw(hnp.arrays(float, len(y), elements=st.floats(0, 1e3)))
    found = enclose_margin(X, y, primal=a, dual=dual)
    lower, upper = exact_ends(X, y, found.primal, found.dual)
    assert Fraction(found.lower) ** 2 <= lower
    assert Fraction(found.upper) ** 2 >= upper
    scale = Fraction(float(np.abs(ll.signed(X, y)).sum(axis=1).max()))
    assert Fraction(found.upper) <= Fraction(float(upper) ** 0.5) + scale * Fraction(1, 10**13)
    assert Fraction(found.lower) >= Fraction(float(lower) ** 0.5) - scale * Fraction(1, 10**13)


def test_two_samples_at_distance_two_enclose_one():
    """{+1 at 1, -1 at -1}: the augmented margin is 1 along w and both witnesses reach it."""
    certificate = enclose_margin([[1.0], [-1.0]], [1, -1], primal=[5.0, 0.0], dual=[3.0, 3.0])
    assert certificate.lower == pytest.approx(1, rel=1e-14)
    assert certificate.upper == pytest.approx(1, rel=1e-14)
    assert certificate.lower <= 1 <= certificate.upper


def test_weights_are_left_alone_when_they_are_weights():
    """To normalise twice would change last digits, and a fit might then refuse its own certificate."""
    X, y = ll.data.breast_cancer()
    X = ll.data.standardise(X)
    dual = np.random.default_rng(0).uniform(size=len(y))
    once = enclose_margin(X, y, primal=np.ones(31), dual=dual)
    again = enclose_margin(X, y, primal=once.primal, dual=once.dual)
    assert np.array_equal(again.dual, once.dual) and again.upper == once.upper
    assert abs(once.dual.sum() - 1) < 1e-12


def test_a_gap_is_judged_by_the_size_of_the_data():
    """γ* = 0 has no size of its own: the longest sample gives the scale."""
    X, y = ll.data.xor()
    certificate = ll.separate(X, y).certificate
    assert certificate.scale == pytest.approx(np.sqrt(3))
    assert certificate.relative_gap == certificate.gap / certificate.scale < 1e-14


def test_bad_weights_are_repaired_and_bad_shapes_refused():
    """Negative and non-finite weights count as 0; the wrong number of them is an error."""
    X, y = ll.data.xor()
    repaired = enclose_margin(X, y, primal=[0, 0, 0], dual=[1, 1, np.nan, -np.inf])
    assert repaired.dual.tolist() == [0.5, 0.5, 0, 0]
    assert enclose_margin(X, y, primal=[0, 0, 0], dual=[1, 1, -1, 0]).dual.tolist() == [
        0.5,
        0.5,
        0,
        0,
    ]
    for weights in ([-1] * 4, [0.1] * 4, [1.7e308] * 4, [5e-324] * 4):
        found = enclose_margin(X, y, primal=[0, 0, 0], dual=weights)
        assert found.dual.tolist() == [0.25] * 4 and found.lower == 0
    half = enclose_margin(X, y, primal=[0, 0, 0], dual=[1, 1, np.inf, 0])
    assert half.dual.tolist() == [0.5, 0.5, 0, 0]
    with pytest.raises(
        ValueError, match=r"`dual` must hold one \w+ for each of the 4 samples.*got shape \(3,\)"
    ):
        enclose_margin(X, y, primal=[0, 0, 0], dual=[1, 1, 1])
    with pytest.raises(ValueError, match=r"`primal` must hold 3 numbers"):
        enclose_margin(X, y, primal=[0, 0], dual=[1, 1, 1, 1])


@given(scale=st.floats(1e-90, 1e90))
def test_the_primal_witness_has_no_scale(scale):
    """a and ca are the same plane, however large or small c is."""
    X, y = ll.data.drawn()
    a = ll.separate(X, y).plane.a
    once = enclose_margin(X, y, primal=a, dual=np.ones(len(y))).lower
    assert enclose_margin(X, y, primal=a * scale, dual=np.ones(len(y))).lower == pytest.approx(once)


def test_gordan_exact_is_a_proof():
    """The rational vector is on the simplex and Zᵀα is exactly 0."""
    X, y = ll.data.drawn(overlap=True)
    alpha = gordan_exact(X, y, dual=ll.separate(X, y).certificate.dual)
    Z = [[Fraction(v) for v in z] for z in ll.signed(X, y).tolist()]
    assert min(alpha) >= 0 and sum(alpha) == 1
    assert [sum(w * z[j] for w, z in zip(alpha, Z, strict=True)) for j in range(3)] == [0, 0, 0]


def test_gordan_exact_refuses_separable_samples():
    """Where a plane exists there is no such vector, and the message says what to do."""
    X, y = ll.data.drawn()
    with pytest.raises(ValueError, match="exactly one solution"):
        gordan_exact(X, y, dual=ll.separate(X, y).certificate.dual)


def test_a_relation_with_both_signs_is_no_proof():
    """0, 1 | 2 are separable: of their one relation, -z₁ + 2z₂ + z₃ = 0, no sign can be turned."""
    X, y = [[0], [1], [2]], [1, 1, -1]
    assert margin_exact(X, y, a=[-2, 3]) == 1
    with pytest.raises(ValueError, match="exactly one solution"):
        gordan_exact(X, y, dual=[1, 1, 1])
    assert gordan_exact(X, [1, -1, 1], dual=[1, 1, 1]) == (
        Fraction(1, 4),
        Fraction(1, 2),
        Fraction(1, 4),
    )


@given(
    X=hnp.arrays(np.int8, (5, 2), elements=st.integers(-3, 3)),
    y=hnp.arrays(np.int8, 5, elements=st.sampled_from([-1, 1])).filter(lambda y: len(set(y)) == 2),
)
def test_exactly_one_of_plane_and_gordan_vector_exists(X, y):
    """Gordan's alternative on integer samples, each side proved without rounding."""
    fit = ll.separate(X, y)
    if fit.certificate.lower > 0:
        assert margin_exact(X, y, a=fit.plane.a) > 0
        with pytest.raises(ValueError, match="exactly one solution"):
            gordan_exact(X, y, dual=fit.certificate.dual)
    else:
        assert sum(gordan_exact(X, y, dual=fit.certificate.dual)) == 1
        assert not fit.plane.a.any()
