"""A direction along which the logistic loss falls for ever, proved exactly, with few samples on its plane."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from linlearn._scipy import optimize, sparse
from linlearn.certificates.logistic import signed_scores
from linlearn.exact.column_space import independent_rows
from linlearn.exact.dyadic import over_one_denominator, products, smallest_product, units, whole
from linlearn.exact.elimination import eliminated
from linlearn.plane import Hyperplane, signed
from linlearn.solvers.min_norm_point import min_norm_point
from linlearn.validation import Array, Bools, Index

Exact = list[Fraction]
SHORT = 20  # bits of integers that are shown as they are
BITS = (20, 60)  # of an entry that may be chosen, relative to the largest: few, or else all


class Recession(NamedTuple):
    """A direction a with Za ≥ 0, Za ≠ 0, and in fractions where the floats are only near it."""

    plane: Hyperplane
    exact: Exact | None = None

    @classmethod
    def of(cls, a: Sequence[Fraction]) -> "Recession":
        """Integers without a common factor; large ones are divided by a power of two and rounded."""
        numerators, _ = over_one_denominator(a)
        divisor = math.gcd(*numerators)
        top = max(v.bit_length() for v in numerators) - divisor.bit_length()
        exact = [Fraction(v, divisor << (top if top > SHORT else 0)) for v in numerators]
        plane = Hyperplane.from_homogeneous([float(v) for v in exact])
        held = [Fraction(v) for v in plane.a.tolist()] == exact
        return cls(plane, None if held else exact)


def recession(X: Array, y: Array) -> Recession | None:
    """A direction, or None where none was found: one that separates all samples, or else most of them.

    The samples on its hyperplane are asked again for a direction of their own, until they have none: a large
    multiple of the first direction, and the next one, leave fewer of them.
    """
    Z = signed(X, y)
    separating, _ = min_norm_point(Z)
    if separating.any() and smallest_product(Z, [Fraction(v) for v in separating.tolist()]) > 0:
        return Recession(Hyperplane.from_homogeneous(separating))
    rows, found = np.arange(len(Z)), None
    while rows.size and (a := _direction(Z[rows])) is not None:
        found = a if found is None else _combine(Z, found, a)
        rows = rows[products(Z[rows], a)[0] == 0]
    return None if found is None else Recession.of(found)


def _combine(Z: Array, first: Exact, second: Exact) -> Exact:
    """A direction that is positive where the first is, and as the second where that is 0."""
    m, t = products(Z, first)
    k, s = products(Z, second)
    off = m > 0
    # |k| < 1; floats of the quotients err by less than a half of them.
    most = max(np.max(-k[off] / m[off], initial=0.0), 0.0)
    times = Fraction(2) ** math.ceil(math.log2(2 * most + 1)) * s / t
    return [times * u + v for u, v in zip(first, second, strict=True)]


def _direction(Z: Array) -> Exact | None:
    """a with Za ≥ 0 and Za ≠ 0 in fractions, or None where none is found or proved.

    A linear program in floats says which samples are on the hyperplane. Those determine it up to a choice,
    which is made about as the program's, in few digits if they serve.
    """
    unit = 2.0 ** np.frexp(np.abs(Z).max(axis=0))[1]  # powers of two: exact
    a = _propose(Z / unit)
    if a is None:
        return None
    m = Z / unit @ a
    a = a / np.abs(a).max()
    # Where ties come from simple numbers a multiple is whole.
    for multiple in range(1, 61):
        simple = np.rint(multiple * a)
        if np.abs(simple - multiple * a).max() < 1e-7 and _recedes(Z, simple / unit):
            return [Fraction(v) for v in (simple / unit).tolist()]
    for bits in BITS:
        found = _vanishing_on(Z / unit, m < 0.5, a, bits)
        exact = [v / Fraction(u) for v, u in zip(found, unit.tolist(), strict=True)]
        if _recedes(Z, np.array([float(v) for v in exact]), exact):
            return exact
    return None


def _recedes(Z: Array, a: Array, exact: Exact | None = None) -> bool:
    m = signed_scores(Z, a, exact, least=0.0)
    return m is not None and bool(m.any())


def _vanishing_on(Z: Array, ties: Bools, a: Array, bits: int) -> Exact:
    """A direction in fractions that is 0 on these samples, about as near to a as so many bits allow."""
    p = Z.shape[1]
    block = np.unique(Z[ties], axis=0)
    if not block.size:
        return [Fraction(v) for v in a.tolist()]
    block = block[independent_rows(block)]
    k = units(block)
    rows, pivots = eliminated(whole(block, k).tolist(), p)
    free = [j for j in range(p) if j not in pivots]
    # In the units of the integers: ⟨a, z⟩ = Σ aⱼ2^kⱼ·(zⱼ2^-kⱼ).
    size = [Fraction(2) ** j for j in k.tolist()]
    chosen = {j: Fraction(round(Fraction(float(a[j])) * 2**bits), 2**bits) for j in free}
    if len(free) == 1:
        chosen = {free[0]: Fraction(1 if a[free[0]] > 0 else -1)}
    v = [chosen.get(j, Fraction(0)) * size[j] for j in range(p)]
    for row, j in zip(rows, pivots, strict=False):
        v[j] = -sum((row[i] * v[i] for i in free), Fraction(0))
    return [u / s for u, s in zip(v, size, strict=True)]


def _propose(Z: Array) -> Array | None:
    """About a with Za ≥ 0, and Za ≥ 1 for as many samples as were asked for, or None if for none.

    The linear program max Σ sᵢ, s ≤ Za, 0 ≤ s ≤ 1 keeps as many samples off the hyperplane as it can; it
    starts with some rows, and the violated ones join.
    """
    n, p = Z.shape
    rows: Index = np.unique(np.linspace(0, n - 1, min(n, 2000 + 8 * p)).astype(int))
    while True:
        k = len(rows)
        found = optimize.linprog(
            np.repeat([0.0, -1.0], [p, k]),
            A_ub=sparse.hstack([-Z[rows], sparse.eye_array(k)]),
            b_ub=np.zeros(k),
            bounds=[(None, None)] * p + [(0, 1)] * k,
            options={"primal_feasibility_tolerance": 1e-10},  # the least it takes
        )
        if found.x is None or found.x[p:].sum() < 0.5:
            return None
        a: Array = found.x[:p]
        m = Z @ a
        join = np.setdiff1d(np.argsort(m, kind="stable")[: 4 * p], rows)
        join = join[m[join] < -1e-9 * np.abs(a).max()]  # ten times that
        if not join.size:
            return a
        rows = np.union1d(rows, join)
