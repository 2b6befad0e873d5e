"""The perceptron's loop: which sample is added next, as the sample-by-sample reading has it."""

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from linlearn.checks import Array
from linlearn.plane import radius

Pick = Callable[[NDArray[np.intp], Array], int]
Update = tuple[
    int, int, Array
]  # (i, reads, a): the sample added, the samples read so far, the new a


def read(
    Z: Array,
    a: Array,
    rate: float,
    rng: np.random.Generator | None,
    max_updates: int,
    max_epochs: float,
) -> Iterator[Update]:
    """Read sample after sample; yield at every mistake; stop when n in a row were right.

    One product scores a block of samples ahead; its first mistake is the next one of the
    sample-by-sample loop, so nothing behind it is used. The block grows and shrinks with the
    distance between mistakes.
    """
    n = len(Z)
    steps = Z if rate == 1 else rate * Z
    R = radius(Z)
    doubt = 4e-16 * Z.shape[1] * R  # times ‖a‖: how far apart two ways to round a product can be
    length = float(np.linalg.norm(a))  # at least ‖a‖ throughout: the upper curve of the theorem
    updates = reads = clean = epochs = 0
    gap = 8.0
    while clean < n and updates < max_updates and epochs < max_epochs:
        rows = None if rng is None else rng.permutation(n)
        if rows is not None:
            clean = 0  # only a whole permutation without a mistake has seen every sample
        here = 0
        while here < n and clean < n and updates < max_updates:
            ahead = slice(here, here + int(0.8 * gap) + 8)
            block = Z[ahead] if rows is None else Z[rows[ahead]]
            j = _first_mistake(block, a, doubt * length)
            if j is None:
                here, reads, clean = here + len(block), reads + len(block), clean + len(block)
                gap += 0.1 * max(clean - gap, 0)
                continue
            i = here + j if rows is None else int(rows[here + j])
            a = a + steps[i]
            length = math.hypot(length, rate * R)
            here, reads, updates = here + j + 1, reads + j + 1, updates + 1
            gap += 0.1 * (clean + j + 1 - gap)
            clean = 0
            yield i, reads, a
        epochs += 1


def _first_mistake(block: Array, a: Array, doubt: float) -> int | None:
    """The first row z with ⟨a, z⟩ ≤ 0, as the dot product of that row alone decides it.

    A matrix-vector product may round differently from a dot product. Rows whose margin is within
    `doubt` of 0, more than that difference, are asked again, one by one, so that the sequence of
    updates is the textbook's to the last bit.
    """
    m = block.dot(a)
    suspects = m <= doubt
    j = int(suspects.argmax())
    if m[j] < -doubt:
        return j
    if not suspects[j]:
        return None
    asked = (j for j in np.flatnonzero(suspects) if m[j] < -doubt or block[j] @ a <= 0)
    return next((int(j) for j in asked), None)


def picked(Z: Array, a: Array, rate: float, pick: Pick, budget: float) -> Iterator[Update]:
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
                f"`order` must return one of the mistakes it is shown; got {i!r}. "
                "Return an element of its first argument, not a position in it."
            )
        a = a + rate * Z[i]
        updates += 1
        yield int(i), reads, a
