"""Minimum-weight hitting set by branch and bound."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain

import numpy as np

from linlearn.validation import Array

Weights = Sequence[float] | Array


def lightest_hitting(
    sets: Sequence[frozenset[int]],
    weights: Weights,
    *,
    below: float = float("inf"),
    max_work: int = 300_000,
    tell: Callable[[int], object] | None = None,
) -> tuple[frozenset[int] | None, float]:
    """A lightest H that meets every set, if one lighter than `below` exists, and a proven lower bound.

    The bound is min(below, weight of H) when the search ended before it had looked at `max_work` sets;
    otherwise it is what a packing of the sets proves. How many it looked at, it tells, if asked to.

    >>> lightest_hitting([frozenset({0, 1}), frozenset({1, 2}), frozenset({0, 2})], [1, 1, 1])[1]
    2.0
    """
    own: list[float] = np.asarray(weights).tolist()  # Python adds its own floats faster
    sets = sorted(set(sets), key=lambda s: (len(s), sorted(s)))
    sets = [s for k, s in enumerate(sets) if not any(t <= s for t in sets[:k])]
    best: frozenset[int] | None = None
    weight, work = float(below), 0
    stack = [(frozenset[int](), 0.0, sets)]
    while stack:
        chosen, cost, left = stack.pop()
        work += len(left)
        if tell is not None:
            tell(len(left) + 1)
        if work > max_work:
            return best, min(weight, packed(sets, own))
        if cost + packed(left, own, enough=weight - cost) >= weight:
            continue
        if not left:
            best, weight = chosen, cost
            continue
        met = Counter(chain.from_iterable(left))
        members = sorted(left[0], key=lambda i: (-met[i], i))
        banned: set[int] = set()
        children = []
        for i in members:  # i is in H, the members before it are not
            rest = sorted((s - banned for s in left if i not in s), key=len)
            banned.add(i)
            if not rest or rest[0]:
                children.append((chosen | {i}, cost + own[i], rest))
        stack.extend(reversed(children))
    return best, float(weight)


def packed(
    sets: Sequence[frozenset[int]], weights: Sequence[float], *, enough: float = float("inf")
) -> float:
    """Σu_S ≤ weight of every H that meets all sets, if Σ_{S∋i}u_S ≤ weightᵢ: here u is chosen greedily.

    Weights are positive. It stops when it has `enough`.
    """
    left = list(weights)
    total = 0.0
    for s in sets:
        u = min([left[i] for i in s], default=float("inf"))
        total += u
        if total >= enough:
            break
        for i in s:
            left[i] -= u
    return total
