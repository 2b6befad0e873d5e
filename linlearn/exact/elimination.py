"""Linear equations in rational arithmetic."""

from collections.abc import Sequence
from fractions import Fraction

from linlearn.checks import Array

Rational = list[Fraction]


def rational(Z: Array) -> list[Rational]:
    """Floats as the fractions that they are, row by row."""
    return [[Fraction(v) for v in row] for row in Z.tolist()]


def dot(u: Sequence[Fraction], v: Sequence[Fraction]) -> Fraction:
    return sum((s * t for s, t in zip(u, v, strict=True)), Fraction(0))


def combined(alpha: Rational, Z: list[Rational]) -> Rational:
    """Σ αᵢzᵢ."""
    used = [(v, z) for v, z in zip(alpha, Z, strict=True) if v]
    return [sum((v * z[j] for v, z in used), Fraction(0)) for j in range(len(Z[0]))]


def eliminated(rows: Sequence[Rational], unknowns: int) -> tuple[list[Rational], list[int]]:
    """The equations with row k solved for unknown pivots[k], and the pivots.

    A row holds a coefficient for each unknown, and may hold right-hand sides behind them.
    """
    rows = [list(row) for row in rows]
    pivots: list[int] = []
    for column in range(unknowns):
        r = len(pivots)
        found = next((i for i in range(r, len(rows)) if rows[i][column]), None)
        if found is None:
            continue
        rows[r], rows[found] = rows[found], rows[r]
        rows[r] = [v / rows[r][column] for v in rows[r]]
        for i, row in enumerate(rows):
            if i != r and row[column]:
                rows[i] = [u - row[column] * v for u, v in zip(row, rows[r], strict=True)]
        pivots.append(column)
    return rows, pivots


def kernel(rows: Sequence[Rational], unknowns: int) -> Rational | None:
    """A nonzero solution of rows · v = 0 if it is unique up to scale, else None."""
    rows, pivots = eliminated(rows, unknowns)
    free = [c for c in range(unknowns) if c not in pivots]
    if len(free) != 1:
        return None
    v = [Fraction(0)] * unknowns
    v[free[0]] = Fraction(1)
    for row, column in zip(rows, pivots, strict=False):
        v[column] = -row[free[0]]
    return v


def on_the_margin(Z: list[Rational], w: Rational, guess: Rational) -> Rational | None:
    """α and b that give mᵢ = 1 at the rows yᵢ(xᵢ, 1) of Z and balance Σ αᵢyᵢ, near the guess, or None.

    The weights are Σ αᵢyᵢxᵢ and what others, Σ αₖyₖ(xₖ, 1) = w, have added already.
    """
    equations = [[dot(u[:-1], v[:-1]) for v in Z] + [u[-1]] for u in Z]
    equations.append([v[-1] for v in Z] + [Fraction(0)])
    right = [1 - dot(w[:-1], z[:-1]) for z in Z] + [-w[-1]]
    return solve_near(equations, right, guess)


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
