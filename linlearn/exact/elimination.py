"""Gaussian elimination in rational arithmetic."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from linlearn.exact.dyadic import over_one_denominator
from linlearn.validation import Array

Number = int | Fraction
Rational = list[Fraction]


def rational(Z: Array) -> list[Rational]:
    """Floats as the fractions that they are, row by row."""
    return [[Fraction(v) for v in row] for row in Z.tolist()]


def dot(u: Sequence[Number], v: Sequence[Fraction]) -> Fraction:
    return sum((s * t for s, t in zip(u, v, strict=True)), Fraction(0))


def combined(alpha: Rational, Z: list[Rational]) -> Rational:
    """Σ αᵢzᵢ."""
    used = [(v, z) for v, z in zip(alpha, Z, strict=True) if v]
    return [sum((v * z[j] for v, z in used), Fraction(0)) for j in range(len(Z[0]))]


def eliminated(
    equations: Sequence[Sequence[Number]], unknowns: int
) -> tuple[list[Rational], list[int]]:
    """The equations with row k solved for unknown pivots[k], and the pivots.

    A row holds a coefficient for each unknown, and may hold right-hand sides behind them. It is done in whole
    numbers, each row divided by the common factor of its own, so that they stay short.
    """
    M = np.array([over_one_denominator(row)[0] for row in equations], dtype=object)
    pivots: list[int] = []
    for column in range(unknowns):
        r = len(pivots)
        found = next((i for i in range(r, len(M)) if M[i, column]), None)
        if found is None:
            continue
        M[[r, found]] = M[[found, r]]
        others = np.flatnonzero(M[:, column])
        others = others[others != r]
        M[others] = M[r, column] * M[others] - np.outer(M[others, column], M[r])
        M[others] //= np.maximum(np.gcd.reduce(M[others], axis=1), 1)[:, None]
        pivots.append(column)
    leads = [M[k, column] for k, column in enumerate(pivots)] + [1] * (len(M) - len(pivots))
    solved = zip(M.tolist(), leads, strict=True)
    return [[Fraction(v, lead) for v in row] for row, lead in solved], pivots


def kernel(rows: Sequence[Sequence[Number]], unknowns: int) -> Rational | None:
    """A nonzero solution of rows · v = 0 if it is unique up to scale, else None."""
    rows, pivots = eliminated(rows, unknowns)
    free = [c for c in range(unknowns) if c not in pivots]
    if len(free) != 1:
        return None
    v = [Fraction(1)] * unknowns
    for row, column in zip(rows, pivots, strict=False):
        v[column] = -row[free[0]]
    return v


def solve_near(equations: Sequence[Rational], right: Rational, guess: Rational) -> Rational | None:
    """A solution of the linear equations that keeps the guess in all unknowns but the pivots, or None."""
    rows = [[*row, value] for row, value in zip(equations, right, strict=True)]
    rows, pivots = eliminated(rows, len(guess))
    if any(row[-1] for row in rows[len(pivots) :]):
        return None
    free = [j for j in range(len(guess)) if j not in pivots]
    solution = list(guess)
    for row, column in zip(rows, pivots, strict=False):
        solution[column] = row[-1] - sum((row[j] * guess[j] for j in free), Fraction(0))
    return solution
