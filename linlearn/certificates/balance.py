"""Multipliers whose sums over the two classes agree: up to rounding, or exactly, as multiples of 2^-q."""

import math

import numpy as np

from linlearn.certificates.ball import U, rounded_sum
from linlearn.validation import Array, Ints

LEAST = 2.0**-900  # instead of 0, so that q is finite


def scale_heavier_class(y: Array, alpha: Array) -> Array:
    """α with the class of the larger sum scaled down until the sums of both classes agree.

    Some multipliers with exactly equal class sums are then within four roundings of these, entry by entry.
    Multipliers whose sums differ by two roundings or less are that near already, since each sum is rounded
    once: (1 - 2U)(1 - U)/(1 + U) > 1 - 4U. Scaling would move some off their upper limit by a last digit.
    """
    plus, minus = (rounded_sum(np.where(own, alpha, 0.0)) for own in (y > 0, y < 0))
    less, most = sorted((plus, minus))
    if most - less <= 2 * U * most:
        return alpha
    if less <= LEAST * most:  # nothing, or so little that it would underflow
        return np.zeros_like(alpha)
    return alpha * np.where(y > 0, less / plus, less / minus)


def balanced(y: Array, alpha: Array) -> Array:
    """α ≥ 0, slightly smaller, with Σαᵢyᵢ = 0 exactly, for signs y; all 0 if one class has nothing.

    The entries become integers times a power of two, whose sums are exact. The surplus of the heavier
    class is taken from its largest entries.
    """
    top, total = max(float(alpha.max()), LEAST), rounded_sum(alpha) + LEAST
    q = min(52 - math.frexp(top)[1], 60 - math.frexp(total)[1])
    t = np.floor(np.ldexp(alpha, q)).astype(np.int64)
    surplus = int((t * y.astype(np.int64)).sum())
    own = np.flatnonzero(y == np.sign(surplus))
    t[own] -= largest_first(abs(surplus), t[own])
    return np.ldexp(t.astype(np.float64), -q)


def largest_first(amount: int, most: Ints) -> Ints:
    """The amount as a sum of integers up to `most`, the largest first; all of `most` if that is less."""
    order, parts = np.argsort(-most, kind="stable"), np.zeros_like(most)
    if amount:
        before = np.cumsum(most[order]) - most[order]
        parts[order] = np.clip(amount - before, 0, most[order])
    return parts
