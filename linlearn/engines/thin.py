"""Where features nearly make up others: answers in coordinates in which none does.

A direction is thin in which the samples hardly vary, so that rounding hides it: what others make up, and
what was rounded off. `certificates.reduced` puts a column of a usual size in its place.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

import numpy as np

from linlearn.certificates.ball import quietly
from linlearn.certificates.bound import CLOSED
from linlearn.certificates.certificate import Certificate
from linlearn.certificates.reduced import Reduced, preference, reduced
from linlearn.certificates.samples import inverse
from linlearn.checks import STEEPEST, Array, Index

Pair = tuple[Array, Array]  # a plane and multipliers, one per sample
Finder = Callable[[Reduced], Iterator[Pair]]  # what a method finds without thin directions


@quietly
def closer(
    X: Array,
    best: Certificate,
    found: Finder,
    enclose: Callable[..., Certificate],
    group: Index | None = None,
) -> Certificate:
    """`best`, or a certificate whose ends are nearer, of what is found without thin directions."""
    if best.relative_gap <= CLOSED or (R := reduced(X, group)) is None:
        return best
    return bettered(best, chain(found(R), found(R.quiet) if R.quiet else ()), enclose)


def bettered(
    best: Certificate, pairs: Iterable[Pair], enclose: Callable[..., Certificate]
) -> Certificate:
    """`best`, or a certificate of the pairs whose ends are nearer; of nearly closed ones, for all planes."""
    if best.relative_gap <= CLOSED and best.within == math.inf:
        return best
    for a, dual in pairs:
        if np.abs(a).max() < STEEPEST:  # false for NaN
            best = min(best, enclose(primal=a, dual=dual), key=preference)
        if best.relative_gap <= CLOSED:
            break
    return best


def settled(
    Z: Array,
    y: Array,
    alpha: Array,
    room: Array,
    ridge: float | Array = 0.0,
    v: float | Array = 0.0,
) -> Array:
    """α moved, each by a share of its room, to where Σαᵢyᵢ(zᵢ, 1) is 0 up to rounding.

    With a ridge, one number per column, to where Newton's step from v would lead: the sum nearly ridge∘v.
    """
    B = np.column_stack([Z, np.ones(len(y))])
    solve = inverse((B * room[:, None]).T @ B + ridge * np.eye(B.shape[1]))
    for _ in range(2):
        alpha = alpha - room * y * (B @ solve((alpha * y) @ B - ridge * v))
    return alpha
