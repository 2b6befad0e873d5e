"""Floats as whole numbers: every function against fractions, of floats from the least to the largest."""

from fractions import Fraction

import numpy as np
import pytest

from linlearn.exact import dyadic as module
from linlearn.exact.dyadic import (
    floats,
    least_product,
    products,
    shifted,
    smallest_product,
    units,
    whole,
)

SEEDS = pytest.mark.parametrize("seed", range(16))
EXPONENTS = [-1074, -1060, -600, 0, 0, 0, 200, 300]


def table(rng, n=6, p=3):
    """Floats of all sizes below 1e100, some of them 0, some columns of one size."""
    m = rng.integers(-(2**53), 2**53, (n, p)) * rng.choice([0, 1, 1, 1], (n, p))
    k = rng.choice(EXPONENTS, (n, p) if rng.random() < 0.5 else p)
    return np.ldexp(m.astype(float), k - 53 * (k > -1000)) * (rng.random(p) < 0.9)


def rational(rng, p=3):
    """Fractions that no float has, 0 among them, of any size."""
    long = [Fraction(int(u), int(v)) for u, v in rng.integers(1, 2**60, (p, 2))]
    sizes = [Fraction(2) ** int(k) for k in rng.integers(-1500, 1500, p) * (rng.random() < 0.5)]
    return [
        v * s * int(t) for v, s, t in zip(long, sizes, rng.choice([-1, 1, 1, 0], p), strict=True)
    ]


def by_hand(Z, a):
    return [sum((Fraction(u) * v for u, v in zip(z, a, strict=True)), Fraction(0)) for z in Z]


@SEEDS
def test_whole_numbers_are_the_floats(seed):
    """In the largest unit of which all are multiples: some entry of each column is odd."""
    Z = table(np.random.default_rng(seed))
    k = units(Z)
    A = whole(Z, k)
    for j, column in enumerate(A.T.tolist()):
        assert [v * Fraction(2) ** int(k[j]) for v in column] == [
            Fraction(u) for u in Z[:, j].tolist()
        ]
        assert any(v % 2**53 for v in column) or not any(column)  # no more than 52 bits are spare
        assert any(column) or k[j] == 0
    assert units(Z[:0]).tolist() == [0, 0, 0]


@SEEDS
def test_floats_are_the_whole_numbers_rounded_once(seed):
    rng = np.random.default_rng(seed)
    short, shift = rng.integers(-99, 99, (5, 3)), rng.integers(0, 900, (5, 3))
    A = short.astype(object) << shift.astype(object)
    A[:, 1] *= seed % 2
    found, bits = floats(A)
    for row, exact in zip(found.tolist(), A.tolist(), strict=True):
        for v, u, b in zip(row, exact, bits.tolist(), strict=True):
            assert abs(v) < 1 and v == float(Fraction(u, 1 << b))
    for column, b in zip(A.T.tolist(), bits.tolist(), strict=True):
        assert 2**b <= 2 * max(map(abs, column)) or b == 0


@SEEDS
def test_nothing_is_lost_by_a_shift(seed):
    """What is close together is moved to 0, unless a difference would be rounded; column by column."""
    rng = np.random.default_rng(seed)
    near = 1e15 + rng.integers(-1000, 1000, 9) / 8
    X = np.column_stack([near, table(rng, 9), rng.standard_normal(9)])
    D, m = shifted(X)
    for j in range(X.shape[1]):
        assert m[j] == 0 or m[j] in X[:, j]
        for u, v in zip(D[:, j].tolist(), X[:, j].tolist(), strict=True):
            assert Fraction(u) == Fraction(v) - Fraction(m[j])
    assert m[0] == np.sort(near)[4] and np.abs(D[:, 0]).max() < 300


@SEEDS
def test_products_are_those_of_fractions(seed, monkeypatch):
    """Each rounded once and of its own sign, and the least of them with its row, by one block or by many."""
    monkeypatch.setattr(module, "BLOCK", 1 + seed % 4)
    rng = np.random.default_rng(seed)
    Z, a = table(rng), rational(rng)
    exact = by_hand(Z.tolist(), a)
    found, unit = products(Z, a)
    assert np.abs(found).max() < 1
    for v, u in zip(found.tolist(), exact, strict=True):
        assert (v > 0) - (v < 0) == (u > 0) - (u < 0)
        assert v == float(u / unit) or abs(u / unit) < Fraction(1, 2**1074)
    for flip in (
        1,
        -1,
        np.where(np.array(exact) < 0, -1, 1)[:, None],
    ):  # of all signs, or none negative
        some = by_hand((Z * flip).tolist(), a)
        row, least = least_product(Z * flip, a)
        assert least == some[row] == min(some) == smallest_product(Z * flip, a)
        assert row == some.index(least)
    assert least_product(Z, [Fraction(0)] * 3) == (0, 0)


@SEEDS
@pytest.mark.parametrize("scale", [1.0, 2.0**-500, 2.0**300])
def test_the_least_of_products_that_floats_cannot_tell_apart(seed, scale):
    """Products with (1, -1, …) cancel but for a last digit; they differ by less than a rounding."""
    rng = np.random.default_rng(seed)
    base = rng.integers(2**51, 2**52, 40)
    less = rng.integers(1, 9, 40)
    Z = np.column_stack([base, base - less, np.ones(40)]) * scale
    a = [Fraction(1), -1 - Fraction(1, 2**70), Fraction(int(rng.integers(-9, 9)))]
    exact = by_hand(Z.tolist(), a)
    assert least_product(Z, a) == (exact.index(min(exact)), min(exact))
    assert np.sign(products(Z, a)[0]).tolist() == [(v > 0) - (v < 0) for v in exact]


def test_a_product_that_underflows_is_not_overlooked():
    """Weights 2¹⁰⁸⁰ apart: as a float the smaller one is 0, and yet it makes the least product."""
    Z = np.array([[0.0, 2.0**300], [0.0, -(2.0**300)], [0.0, 1.0]])
    assert least_product(Z, [Fraction(2) ** 1080, Fraction(1)]) == (1, -(2**300))
    Z = np.array([[2.0**52, 2.0**52 + 1, 0], [0, 0, 2.0**52]])  # products 1 and 2¹²⁵²
    assert (products(Z, [Fraction(-1), Fraction(1), Fraction(2) ** 1200])[0] > 0).all()
    Z = np.array([[2.0**-1074, 2.0**-1074], [2.0**-1074, -(2.0**-1074)]])
    assert least_product(Z, [Fraction(1, 3), Fraction(1, 2)])[0] == 1
