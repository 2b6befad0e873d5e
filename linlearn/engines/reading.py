"""The perceptron's engine: which sample is added next, as the sample-by-sample reading has it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import hypot, sqrt

import numpy as np
from numpy import less_equal

from linlearn.certificates.ball import ETA
from linlearn.checks import Array, Index, check_count, check_number
from linlearn.plane import Hyperplane

OFTEN = 8  # updates between two looks at how long a block should be, and what is in doubt
CALL = 1e4  # products that take as long as a call of NumPy

Pick = Callable[[Index, Array], int]
Update = tuple[
    int, int, Array
]  # (i, reads, a): the sample added, the samples read so far, the new a


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """How the samples are read: the options of `perceptron`."""

    max_updates: int
    max_epochs: int | None
    order: str | Pick
    rate: float
    start: Hyperplane | None
    offset: bool
    seed: int
    progress: bool | None = False

    def __post_init__(self) -> None:
        check_number(self.rate, "rate", above=0)
        check_count(self.max_updates, "max_updates")
        if self.max_epochs is not None:
            check_count(self.max_epochs, "max_epochs")
        check_count(self.seed, "seed")
        named = isinstance(self.order, str) and self.order in ("cyclic", "random")
        if not (named or callable(self.order)):
            raise ValueError(
                f'`order` must be "cyclic", "random" or a function; got {self.order!r}.'
            )

    def updates(self, Z: Array, R: float, a: Array) -> Iterator[Update]:
        """The updates from a on, for signed samples Z of which the longest is R long."""
        rate, epochs = float(self.rate), np.inf if self.max_epochs is None else self.max_epochs
        if callable(self.order):
            return picked(Z, a, rate, self.order, min(self.max_updates, epochs))
        rng = np.random.default_rng(self.seed) if self.order == "random" else None
        return read(Z, R, a, rate, rng, self.max_updates, epochs)


def read(
    Z: Array,
    R: float,
    a: Array,
    rate: float,
    rng: "np.random.Generator | None",
    max_updates: int,
    max_epochs: float,
) -> Iterator[Update]:
    """Read sample after sample; yield at every mistake; stop when n in a row were right.

    One product scores a block of samples ahead; its first mistake is the next one of the
    sample-by-sample loop, so nothing behind it is used. A longer block asks less often, and scores
    more in vain: near the cheapest is the geometric mean of the distance between mistakes and of
    the samples that could be scored while a call is made.
    """
    n, steps, pace = len(Z), Z if rate == 1 else rate * Z, _Pace(Z, R, rate, a)
    limit = pace.limit  # which the pace changes in place
    epochs = before = last = 0  # reads before this epoch; reads up to the last mistake
    while before - last < n and pace.updates < max_updates and epochs < max_epochs:
        rows = None if rng is None else rng.permutation(n)
        if rows is not None:
            last = before  # only a whole permutation without a mistake has seen every sample
        here, end = 0, n + last - before
        while here < end and pace.updates < max_updates:
            till = here + pace.ahead
            block = Z[here:till] if rows is None else Z[rows[here:till]]
            m = block.dot(a)
            j = int(less_equal(m, limit).argmax())
            least = m.item(j)
            if least >= -pace.near:
                j = -1 if least > pace.near else _asked(block, m, a, pace.near)
                if j < 0:
                    here += len(m)
                    pace.quiet(before + here - last)
                    continue
            i = here + j if rows is None else int(rows[here + j])
            a = a + steps[i]
            here += j + 1
            pace.mistake(before + here - last)
            last, end = before + here, n
            yield i, last, a
        before += n
        epochs += 1


class _Pace:
    """How many samples are scored at once, and within how much of 0 a margin is in doubt.

    `gap` are the samples from mistake to mistake, of late; `limit` is `near` as an array, with which
    NumPy compares faster.
    """

    __slots__ = ("R", "ahead", "gap", "limit", "near", "p", "start", "step", "updates")

    def __init__(self, Z: Array, R: float, rate: float, a: Array) -> None:
        self.p, self.R, self.step, self.start = Z.shape[1], R, rate * R, hypot(*a)
        self.gap, self.updates, self.limit = 8.0, 0, np.array(0.0)
        self._look()

    def quiet(self, since: int) -> None:
        """So many samples without a mistake."""
        self.gap += 0.1 * max(since - self.gap, 0)
        self.ahead = self._length()

    def mistake(self, since: int) -> None:
        """The last of so many samples was one."""
        self.gap += 0.1 * (since - self.gap)
        self.updates += 1
        if self.updates % OFTEN == 0:
            self._look()

    def _look(self) -> None:
        """Each way to round a product of p terms errs by p·1.1e-16·R‖a‖ at most, so two differ by twice that.

        4e-16 leaves room for the roundings of R and ‖a‖ themselves; ‖a‖ is bounded by the theorem's upper
        curve, a few updates ahead, until the next look.
        """
        longest = hypot(self.start, self.step * sqrt(self.updates + OFTEN))
        self.near = 4e-16 * self.p * (self.R * longest) + self.p * ETA
        self.limit[()] = self.near
        self.ahead = self._length()

    def _length(self) -> int:
        return int(sqrt(CALL / self.p * self.gap)) + 8


def _asked(block: Array, m: Array, a: Array, doubt: float) -> int:
    """The first row z with ⟨a, z⟩ ≤ 0, as the sum over that row alone decides it, or -1.

    A matrix-vector product may round differently on another processor, and some dot products even where
    the row lies elsewhere in memory; NumPy's `sum` does not. Rows whose margin is within `doubt` of 0,
    more than that difference, are asked again, one by one, so that the sequence of updates is the
    textbook's to the last bit on every machine.
    """
    asked = (j for j in np.flatnonzero(m <= doubt) if m[j] < -doubt or (block[j] * a).sum() <= 0)
    return next((int(j) for j in asked), -1)


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
