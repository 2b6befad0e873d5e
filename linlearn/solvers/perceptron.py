"""The perceptron with margins computed in blocks, update for update the same as sample by sample."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from math import hypot, sqrt

import numpy as np
from numpy import less_equal

from linlearn.certificates.ball import ETA
from linlearn.solvers.sample_path import BLOCK, Block
from linlearn.validation import Array, Index

CALL = 1e4  # products that take as long as a call of NumPy

Pick = Callable[[Index, Array], int]
Update = tuple[int, int, Array]  # its sample, the samples read until then, the state behind it


def blocks(updates: Iterable[Update], rate: float) -> Iterator[Block]:
    """The updates as a path stores them."""
    ahead = iter(updates)
    while some := list(islice(ahead, BLOCK)):
        i, reads, states = zip(*some, strict=True)
        yield Block(np.array(i), np.array(reads), np.full(len(i), rate), states[-1])


def read(
    Z: Array,
    R: float,
    a: Array,
    rate: float,
    rng: "np.random.Generator | None",
    max_updates: int,
    max_epochs: float,
) -> Iterator[Update]:
    """Read sample after sample; yield at every mistake; stop after an epoch without one.

    One product scores a block of samples ahead; its first mistake is the next one of the
    sample-by-sample loop, so nothing behind it is used. A longer block asks less often, and scores
    more in vain: near the cheapest is the geometric mean of the distance between mistakes and of
    the samples that could be scored while a call is made.
    """
    (n, p), steps, length = Z.shape, Z if rate == 1 else rate * Z, hypot(*a)
    gap, updates, epochs = 8.0, 0, 0  # the gap: samples from mistake to mistake, of late
    before = last = 0  # reads before this epoch; reads up to the last mistake
    while before - last < n and updates < max_updates and epochs < max_epochs:
        rows = None if rng is None else rng.permutation(n)
        error = _rounding_bound(p, R, hypot(length, rate * R * sqrt(updates + n)))
        here, limit = 0, np.array(error)  # with which NumPy compares faster
        while here < n and updates < max_updates:
            till = here + int(sqrt(CALL / p * gap)) + 8
            block = Z[here:till] if rows is None else Z[rows[here:till]]
            m = block.dot(a)
            j = int(less_equal(m, limit).argmax())  # the first that may be a mistake; 0 if none may
            margin = m.item(j)
            if margin >= -error:
                j = -1 if margin > error else _first_mistake(block, m, a, error)
                if j < 0:
                    here += len(m)
                    gap += 0.1 * max(before + here - last - gap, 0)
                    continue
            i = here + j if rows is None else int(rows[here + j])
            a = a + steps[i]
            here += j + 1
            gap += 0.1 * (before + here - last - gap)
            updates, last = updates + 1, before + here
            yield i, last, a
        before += n
        epochs += 1


def _rounding_bound(p: int, R: float, length: float) -> float:
    """By how much ⟨a, z⟩ may differ between two ways to round it, ‖a‖ ≤ length.

    Each way errs by p·1.1e-16·R‖a‖ at most; 4e-16 leaves room for the roundings of R and ‖a‖ themselves. The
    theorem's upper curve bounds ‖a‖ over the n updates that an epoch makes at most.
    """
    return 4e-16 * p * (R * length) + p * ETA


def _first_mistake(block: Array, m: Array, a: Array, error: float) -> int:
    """The first row z with ⟨a, z⟩ ≤ 0, as the sum over that row alone decides it, or -1.

    A matrix-vector product may round differently on another processor, and some dot products even where
    the row lies elsewhere in memory; NumPy's `sum` does not. Rows whose margin is within `error` of 0,
    more than that difference, are asked again, one by one, so that the sequence of updates is the
    textbook's to the last bit on every machine.
    """
    asked = (j for j in np.flatnonzero(m <= error) if m[j] < -error or (block[j] * a).sum() <= 0)
    return next((int(j) for j in asked), -1)


def chosen_mistake_updates(
    Z: Array, a: Array, rate: float, pick: Pick, budget: float
) -> Iterator[Update]:
    """Look at all margins, let `pick` choose a mistake, add it."""
    n, reads, updates = len(Z), 0, 0
    while updates < budget:
        m = Z @ a
        reads += n
        mistakes = np.flatnonzero(m <= 0)
        if not mistakes.size:
            return
        i = pick(mistakes, m[mistakes])
        if not isinstance(i, int | np.integer) or i not in mistakes:
            raise ValueError(
                f"`order` must return one of the mistakes passed to it; got {i!r}. "
                "Return an element of its first argument, not a position in it."
            )
        a = a + rate * Z[i]
        updates += 1
        yield int(i), reads, a
