"""The widest margin without rounding, for samples that are a few roundings apart."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from linlearn.checks import Array
from linlearn.exact.elimination import Rational, kernel, solve_near
from linlearn.exact.whole import least_product
from linlearn.plane import signed

MOST_WORK = 150_000  # products of fractions: half a minute at most, of long ones

Weights = dict[int, Fraction]


def widest(X: Array, y: Array, alpha: Array) -> tuple[Rational, Array] | None:
    """The plane (w, b) with the widest margin, in fractions, and its multipliers in floats, shape (n,).

    An active-set method for max Σα - ½‖Σ αᵢyᵢxᵢ‖² over α ≥ 0, Σ αᵢyᵢ = 0 (Wolfe 1976), started from the
    samples to which `alpha` gives weight. None where nothing separates or the work is spent.
    """
    Z, work = signed(X, y), 0
    weights = _support(Z, alpha) or _pair(Z, alpha)
    while weights and work <= MOST_WORK:
        rows = {i: _row(Z, i) for i in weights}
        work += len(rows) ** 3
        solved = _solved(rows)
        if solved is None:  # some combination of the weights leaves w alone, and adds to Σα
            columns = [list(c) for c in zip(*rows.values(), strict=True)]
            free = kernel(columns, len(rows)) or [Fraction(0)]
            step = [v / (sum(free) or 1) for v in free]
            if min(step) >= 0:  # there is none, or no end to it: Gordan's vector
                return None
            weights = _moved(weights, step, None)
        elif min(solved[0].values()) < 0:
            step = [solved[0][i] - v for i, v in weights.items()]
            weights = _moved(weights, step, Fraction(1))
        else:
            weights = {i: v for i, v in solved[0].items() if v}
            worst, least = least_product(Z, solved[1])
            if least >= 1:
                return solved[1], _floats(weights, len(y))
            weights[worst] = Fraction(0)
    return None


def _floats(weights: Weights, n: int) -> Array:
    alpha = np.zeros(n)
    alpha[list(weights)] = [float(v) for v in weights.values()]
    return alpha


def _support(Z: Array, alpha: Array) -> Weights | None:
    """Multipliers of the samples with weight, all with margin 1, if they may be the support vectors."""
    some = np.flatnonzero(alpha).tolist()
    solved = _solved({i: _row(Z, i) for i in some}) if 2 < len(some) <= Z.shape[1] else None
    return solved[0] if solved and min(solved[0].values()) > 0 else None


def _pair(Z: Array, alpha: Array) -> Weights:
    """One sample of each class, and the multipliers of the plane halfway between them."""
    ends = [max(np.flatnonzero(Z[:, -1] == s).tolist(), key=lambda i: alpha[i]) for s in (1, -1)]
    square = sum((u + v) ** 2 for u, v in zip(*(_row(Z, i) for i in ends), strict=True))
    return dict.fromkeys(ends, 2 / square) if square else {}


def _row(Z: Array, i: int) -> Rational:
    return [Fraction(v) for v in Z[i].tolist()]


def _solved(rows: dict[int, Rational]) -> tuple[Weights, Rational] | None:
    """α and (w, b) with w = Σ αᵢyᵢxᵢ, Σ αᵢyᵢ = 0 and mᵢ = 1 at these rows; None if there are none."""
    Z = list(rows.values())
    equations = [[_dot(u[:-1], v[:-1]) for v in Z] + [u[-1]] for u in Z]
    equations.append([v[-1] for v in Z] + [Fraction(0)])
    right = [Fraction(1)] * len(Z) + [Fraction(0)]
    solved = solve_near(equations, right, [Fraction(0)] * len(right))
    if solved is None:
        return None
    w = [_dot(solved, column) for column in zip(*Z, strict=True)][:-1]
    return dict(zip(rows, solved, strict=False)), [*w, solved[-1]]


def _moved(weights: Weights, step: Rational, most: Fraction | None) -> Weights:
    """As far along the step as no weight is negative; those that reach 0 leave."""
    shares = [-v / s for v, s in zip(weights.values(), step, strict=True) if s < 0]
    share = min([*shares, *([] if most is None else [most])])
    moved = {i: v + share * s for (i, v), s in zip(weights.items(), step, strict=True)}
    return {i: v for i, v in moved.items() if v}


def _dot(u: Sequence[Fraction], v: Sequence[Fraction]) -> Fraction:
    return sum((s * t for s, t in zip(u, v, strict=False)), Fraction(0))
