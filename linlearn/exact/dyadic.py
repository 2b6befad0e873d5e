"""Floats as integers times powers of two: exact scores and margins, and planes rounded back to floats."""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from linlearn.validation import Array

BLOCK = 4096  # rows whose integers are in memory at a time
LEAST = 2.0**-1074  # the least float
LENGTHS = 16  # multiples of a hyperplane that are rounded to floats: one of them may still separate


def units(Z: Array) -> np.ndarray:
    """Exponents k with every entry of column j a multiple of 2^kⱼ, shape (p,); 0 for columns of zeros."""
    m, e = np.frexp(Z)
    lowest = np.where(m != 0, e - 53, 2000).min(axis=0, initial=2000)
    return np.where(lowest < 2000, lowest, 0)


def whole(Z: Array, k: np.ndarray) -> np.ndarray:
    """Z·2^-k in Python's integers, shape (n, p); k as `units` gives it."""
    m, e = np.frexp(Z)
    shift = np.where(m != 0, e - 53 - k, 0)
    return np.asarray(np.ldexp(m, 53).astype(np.int64).astype(object) << shift.astype(object))


def floats(A: np.ndarray) -> tuple[Array, np.ndarray]:
    """A·2^-b rounded once, shape (n, p), for integers A, and bits b, (p,), with all entries below 1."""
    bits = [max(v.bit_length() for v in column) for column in A.T.tolist()]
    scaled = [[v / (1 << b) for v, b in zip(row, bits, strict=True)] for row in A.tolist()]
    return np.array(scaled), np.array(bits, dtype=object)


def shifted(X: Array) -> tuple[Array, Array]:
    """X - m and m, shape (d,): m is an entry from the middle of a column if no difference is rounded, else 0.

    What lies close together far from 0 is then as good as near 0: hyperplanes for X - m are hyperplanes for
    X.
    """
    m = np.sort(X, axis=0)[len(X) // 2]
    D = X - m
    lost = (X - (D - (D - X))) - (m + (D - X))  # what the subtraction rounded away (Knuth)
    m = np.where((lost == 0).all(axis=0), m, 0.0)
    return X - m, m


def over_one_denominator(values: Sequence[int | Fraction]) -> tuple[list[int], int]:
    """Numerators, and the least common denominator."""
    common = math.lcm(*(v.denominator for v in values))
    return [int(v * common) for v in values], common


def smallest_product(Z: Array, a: Sequence[Fraction]) -> Fraction:
    """minᵢ⟨a, zᵢ⟩ over the rows of Z, shape (n, p), without rounding."""
    return least_product(Z, a)[1]


def least_product(Z: Array, a: Sequence[Fraction]) -> tuple[int, Fraction]:
    """The row of Z, shape (n, p), with the smallest ⟨a, zᵢ⟩, and that product, without rounding.

    Floats tell which rows it can be; integers decide among those.
    """
    top = max(map(abs, a))
    if not top:
        return 0, Fraction(0)
    f, size = np.array([float(v / top) for v in a]), np.abs(Z)
    # p products and sums, a and its quotient: less than p + 4 roundings, and what underflows.
    error = (len(f) + 4) * 2.0**-52 * (size @ np.abs(f)) + 2.0**-1000 * (size.sum(axis=1) + 1)
    m = Z @ f
    near = np.flatnonzero(m - error <= (m + error).min())
    k, plane, common = _whole_plane(Z[near], a)
    blocks = (near[i : i + BLOCK] for i in range(0, len(near), BLOCK))
    least, row = min(_least(whole(Z[rows], k) @ plane, rows) for rows in blocks)
    return row, Fraction(least, common)


def _least(values: np.ndarray, rows: np.ndarray) -> tuple[int, int]:
    return min(zip(values.tolist(), rows.tolist(), strict=True))


def nearby_float_plane(Z: Array, plane: list[Fraction], *, fit_intercept: bool) -> Array | None:
    """A separating hyperplane of floats near the given one, or None; several lengths are tried."""
    top = max(map(abs, plane[: Z.shape[1] - fit_intercept])) or abs(
        plane[-1]
    )  # w = 0 has one class right
    lengths = [Fraction(LENGTHS + k, LENGTHS) / top for k in range(LENGTHS)]
    tried = [
        (rounded_plane(Z, [v * s for v in plane], fit_intercept=fit_intercept), s) for s in lengths
    ]
    (margin, best), _ = max(tried, key=lambda one: one[0][0] / one[1])
    return best if margin > 0 else None


def rounded_plane(
    Z: Array, plane: list[Fraction], *, fit_intercept: bool
) -> tuple[Fraction, Array]:
    """A hyperplane of floats near the given one, and its smallest margin, without rounding.

    With an intercept, w is rounded first, and b is put in the middle of the room that this leaves.
    """
    fit_intercept = (
        fit_intercept and len(set(Z[:, -1].tolist())) == 2
    )  # one class alone leaves b any room
    a = [Fraction(float(v)) for v in plane[: len(plane) - fit_intercept]]
    if fit_intercept:
        ends = [smallest_product(Z[Z[:, -1] == s], [*a, Fraction(0)]) for s in (1, -1)]
        a.append(Fraction(float((ends[1] - ends[0]) / 2)))
    return smallest_product(Z, a), np.array([float(v) for v in a])


def products(Z: Array, a: Sequence[Fraction]) -> tuple[Array, Fraction]:
    """About ⟨a, zᵢ⟩/t, shape (n,), rounded once, below 1 in absolute value and of its own sign, and t.

    What is not 0 never becomes 0: the least float stands for all that is less.
    """
    k, plane, common = _whole_plane(Z, a)
    blocks = [whole(Z[i : i + BLOCK], k) @ plane for i in range(0, len(Z), BLOCK)]
    found = np.concatenate(blocks).tolist()
    top = 2 ** max(v.bit_length() for v in found)
    near = [v / top or LEAST * ((v > 0) - (v < 0)) for v in found]
    return np.array(near), Fraction(top, common)


def _whole_plane(Z: Array, a: Sequence[Fraction]) -> tuple[np.ndarray, np.ndarray, int]:
    """The units k of Z, and integers over a common denominator: ⟨a, z⟩ = ⟨plane, z·2^-k⟩/common."""
    k = units(Z)
    scaled = [v * Fraction(2) ** j for v, j in zip(a, k.tolist(), strict=True)]
    plane, common = over_one_denominator(scaled)
    return k, np.array(plane, dtype=object), common
