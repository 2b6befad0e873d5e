"""Sums over samples: every bound of an error holds against fractions, and is small."""

from fractions import Fraction

import numpy as np
import pytest

from linlearn.certificates.ball import ETA
from linlearn.certificates.samples import Samples, smallest

WORLDS = {
    "near 0": lambda x: x,
    "far from 0": lambda x: np.add(x, [1e9, -3e7, 0.1]),
    "other units": lambda x: x * [2.0**300, 2.0**-300, 1.0],
    "tiny": lambda x: x * [1e-160, 1e-300, 1e-310],
    "one value": lambda x: x * [1.0, 1.0, 0.0] + [0, 0, 3.1],
    "zeros": lambda x: x * [1.0, 0.0, 1e-200],
}


def samples(world, grouped, n=700, seed=0, *, scaled=True):
    """More than a block of 64 rows, cut small; two groups whose centres differ."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, 3))
    group = rng.integers(0, 2, n) if grouped else None
    if grouped:
        x[group == 1] += 1e5
    return Samples(WORLDS[world](x), group, scaled=scaled), rng


def exact_rows(found):
    """(x̃ - m, e) of each sample, in fractions."""
    centres = found.m if found.group is None else None
    for i, x in enumerate(found.X.tolist()):
        m = (centres[0] if found.group is None else found.m[found.group[i]]).tolist()
        yield [Fraction(u) - Fraction(v) for u, v in zip(x, m, strict=True)] + [
            Fraction(v) for v in found.e[i].tolist()
        ]


def exact_sums(found, r):
    rows = zip(exact_rows(found), map(Fraction, r.tolist()), strict=True)
    return [sum(column) for column in zip(*([u * q for u in z] for z, q in rows), strict=True)]


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("world", WORLDS)
def test_the_samples_are_the_samples(world, grouped):
    """Coordinates are exact: what was multiplied by powers of two is what it was."""
    found, _ = samples(world, grouped)
    assert (np.ldexp(found.X, found.k) == found.raw).all()


def test_a_unit_that_would_lose_digits_is_kept():
    X = np.array([[2.0**600, 1.0], [2.0**-1074, 2.0]])
    assert (np.ldexp(Samples(X).X, Samples(X).k) == X).all()
    assert Samples(X[:1]).k.tolist() == [601, 0]


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("world", WORLDS)
def test_sums_are_within_their_radius(world, grouped, scaled, monkeypatch):
    """Plain ones; fine ones, with a radius 10⁻²⁴ of what is added; in one block, and in many."""
    monkeypatch.setattr("linlearn.certificates.samples.ROOM", 64)
    found, rng = samples(world, grouped, scaled=scaled)
    for r in (
        rng.standard_normal(found.n),
        1e-20 * rng.random(found.n),
        1e-250 * rng.random(found.n),
    ):
        exact, plain = exact_sums(found, r), found.sums(r)
        high, low, rad = found.fine_sums(r)
        for j, s in enumerate(exact):
            assert abs(s - Fraction(float(plain.mid[j]))) <= Fraction(float(plain.rad[j]))
            assert abs(s - Fraction(float(high[j])) - Fraction(float(low[j]))) <= Fraction(
                float(rad[j])
            )
        most = found.n * found.reach * np.abs(r).max()
        assert (plain.rad <= 1e-12 * most + found.n * 2 * ETA).all()
        fine = (found.reach > 1e-100) & (np.abs(r).max() > 1e-25)
        assert (rad[fine] <= 1e-24 * most[fine]).all() or (
            found.reach[found.reach > 0] < 1e-200
        ).any()


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("world", WORLDS)
def test_lengths_are_no_shorter(world, grouped):
    """And hardly longer; none is forgotten because its square underflows. A Gram matrix has the squares."""
    for seed in range(6):
        found, _ = samples(world, grouped, seed=seed, scaled=seed < 4)
        if seed % 2:
            with np.errstate(all="ignore"):
                found.gram()
        rows = list(exact_rows(found))
        for j, length in enumerate(found.lengths.tolist()):
            square = sum(z[j] ** 2 for z in rows)
            assert square <= Fraction(length) ** 2 <= square * (1 + Fraction(1, 10**11))


@pytest.mark.parametrize("seed", range(30))
def test_the_smallest_stretch_is_proved(seed):
    """‖Za‖ ≥ σ‖s∘a‖ where it is hardest; σ is found for columns of any size that are nearly dependent."""
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((40, 4))
    near = 10.0 ** -rng.integers(0, 12)
    Z[:, 3] = Z[:, 0] + near * Z[:, 3]
    Z *= 10.0 ** rng.integers(-5, 5, 4)
    sigma, s = smallest(Z)
    a = np.linalg.svd(Z / s)[2][-1] / s
    stretched = [
        sum(Fraction(u) * Fraction(v) for u, v in zip(z, a.tolist(), strict=True))
        for z in Z.tolist()
    ]
    ratio = float(sum(v * v for v in stretched)) ** 0.5 / np.linalg.norm(s * a)
    assert 0.5 * ratio - 1e-13 < sigma <= ratio * (1 + 1e-12)
    assert smallest(Z[:3])[0] == 0
