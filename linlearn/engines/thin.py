"""Where features nearly make up others: answers in coordinates in which none does."""

from collections.abc import Callable, Iterator

import numpy as np

from linlearn.certificates.ball import quietly
from linlearn.certificates.bound import CLOSED
from linlearn.certificates.certificate import Certificate
from linlearn.certificates.reduced import Reduced, preference, reduced
from linlearn.certificates.samples import inverse
from linlearn.checks import STEEPEST, Array, Bools, Index

Pair = tuple[Array, Array]  # a plane, or its coordinates, and multipliers, one per sample
Solver = Callable[[Array, Array | None], Pair]  # of columns, beside scores that are given


@quietly
def closer(
    X: Array,
    best: Certificate,
    found: Callable[[Reduced], Iterator[Pair]],
    enclose: Callable[..., Certificate],
    group: Index | None = None,
) -> Certificate:
    """`best`, or a certificate whose ends are nearer, of what is found without thin directions."""
    if best.relative_gap <= CLOSED or (R := reduced(X, group)) is None:
        return best
    for a, dual in found(R):
        if np.abs(a).max() < STEEPEST:  # false for NaN
            best = min(best, enclose(primal=a, dual=dual), key=preference)
        if best.relative_gap <= CLOSED:
            break
    return best


def planes(solve: Solver) -> Callable[[Reduced], Iterator[Pair]]:
    """The optimum; then the best plane of those in which no feature moves a score by more than `WITHIN`.

    The optimum may need weights that no float plane has. The weights beyond their bound are put there.
    """

    def found(R: Reduced) -> Iterator[Pair]:
        v, fixed = np.zeros(R.p), np.zeros(R.d, dtype=bool)
        while True:
            free = np.flatnonzero(~fixed)
            given = R.X[:, fixed] @ v[: R.d][fixed] if fixed.any() else None
            v[[*free, R.d]], dual = solve(R.X[:, free], given)
            yield R.plane(v), dual
            if not _held(R, v, fixed):
                return

    return found


def _held(R: Reduced, v: Array, fixed: Bools) -> bool:
    """Put weights beyond their bound there, for good; whether there were any."""
    most = np.full(R.d, np.inf)
    most[R.thin] = R.limit
    beyond = (np.abs(v[: R.d]) > most) & ~fixed
    v[: R.d][beyond] = np.sign(v[: R.d][beyond]) * most[beyond]
    fixed |= beyond
    return bool(beyond.any())


def settled(Z: Array, y: Array, alpha: Array, room: Array) -> Array:
    """α moved, each by a share of its room, to where Σαᵢyᵢ(zᵢ, 1) is 0 up to rounding."""
    B = np.column_stack([Z, np.ones(len(y))])
    solve = inverse((B * room[:, None]).T @ B)
    for _ in range(2):
        alpha = alpha - room * y * (B @ solve((alpha * y) @ B))
    return alpha
