"""The widest margin without rounding, for samples that are a few roundings apart."""

from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from linlearn.checks import Array
from linlearn.exact.elimination import Rational, combined, kernel, on_the_margin, rational
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
        work += len(weights) ** 3
        solved = _solved(weights, Z)
        if solved is None:  # some combination of the weights leaves w alone, and adds to Σα
            free = kernel(rational(Z[list(weights)].T), len(weights)) or [Fraction(0)]
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
    solved = _solved(some, Z) if 2 < len(some) <= Z.shape[1] else None
    return solved[0] if solved and min(solved[0].values()) > 0 else None


def _pair(Z: Array, alpha: Array) -> Weights:
    """One sample of each class, and the multipliers of the plane halfway between them."""
    ends = [max(np.flatnonzero(Z[:, -1] == s).tolist(), key=lambda i: alpha[i]) for s in (1, -1)]
    square = sum((u + v) ** 2 for u, v in zip(*rational(Z[ends]), strict=True))
    return dict.fromkeys(ends, 2 / square) if square else {}


def _solved(weights: Iterable[int], Z: Array) -> tuple[Weights, Rational] | None:
    """α and (w, b) with w = Σ αᵢyᵢxᵢ, Σ αᵢyᵢ = 0 and mᵢ = 1 at these samples; None if there are none."""
    some = list(weights)
    rows = rational(Z[some])
    none = [Fraction(0)] * Z.shape[1]
    solved = on_the_margin(rows, none, [Fraction(0)] * (len(rows) + 1))
    if solved is None:
        return None
    return dict(zip(some, solved, strict=False)), [*combined(solved[:-1], rows)[:-1], solved[-1]]


def _moved(weights: Weights, step: Rational, most: Fraction | None) -> Weights:
    """As far along the step as no weight is negative; those that reach 0 leave."""
    shares = [-v / s for v, s in zip(weights.values(), step, strict=True) if s < 0]
    share = min([*shares, *([] if most is None else [most])])
    moved = {i: v + share * s for (i, v), s in zip(weights.items(), step, strict=True)}
    return {i: v for i, v in moved.items() if v}
