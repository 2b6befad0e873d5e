"""`SampleStep`, and the states of a method that adds multiples of samples, stored compactly."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from linlearn.plane import plane_of
from linlearn.trace import Step
from linlearn.validation import Array, Index

BLOCK = 64  # updates between two states that are kept


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SampleStep(Step):
    """State k of a method that updates on one sample at a time; `PerceptronStep` is the same class.

    `i` is the index of the sample of the last update (-1 at the start), and `reads` the number of samples
    read so far, including this one. The perceptron also reads samples that cause no update.
    """

    i: int
    reads: int


PerceptronStep = SampleStep


class Block(NamedTuple):
    """A few consecutive updates, stored by what they add.

    `i` holds their samples, `reads` the number of samples read up to each, `c` the multiples of the rows that
    were added, and `last` the state after all of them.
    """

    i: Index
    reads: Index
    c: Array
    last: Array


@dataclass(frozen=True, eq=False, repr=False)
class SamplePath(Sequence[SampleStep]):
    """a_k = a₀ + Σ_{0<j≤k} c_j z_{i_j}, made on demand from the states that are kept every `BLOCK` updates.

    `i`, `reads` and `c` have an entry for each state; at the start they are -1, 0 and 0.
    """

    Z: Array
    i: Index
    reads: Index
    c: Array
    kept: Array
    fit_intercept: bool

    @classmethod
    def record(
        cls, Z: Array, a: Array, blocks: Iterable[Block], *, fit_intercept: bool = True
    ) -> "SamplePath":
        """Run the updates through to the end: blocks of `BLOCK` of them, but for the last."""
        start = Block(np.array([-1]), np.array([0]), np.array([0.0]), a)
        *columns, kept = zip(start, *blocks, strict=True)
        i, reads, c = map(np.concatenate, columns)
        return cls(Z, i, reads, c, np.array(kept), fit_intercept)

    def __len__(self) -> int:
        return len(self.i)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return [self[k] for k in range(*key.indices(len(self)))]
        k = range(len(self))[key]
        number, rest = divmod(k, BLOCK)
        return self._step(k, self._states(number)[rest - 1] if rest else self.kept[number])

    def __iter__(self) -> Iterator[SampleStep]:
        yield self._step(0, self.kept[0])
        for number in range(len(self.kept) - 1):
            for k, a in enumerate(self._states(number), number * BLOCK + 1):
                yield self._step(k, a)

    def field(self, name: str) -> np.ndarray:
        """All values of a field of the steps or of their planes, first to last."""
        known = {"k": np.arange(len(self)), "i": self.i, "reads": self.reads}
        if name in known:
            return known[name].copy()
        A = np.vstack([self.kept[:1], *map(self._states, range(len(self.kept) - 1))])
        A = A if self.fit_intercept else np.column_stack([A, np.zeros(len(A))])
        return {"w": A[:, :-1], "b": A[:, -1], "a": A}[name]

    def _step(self, k: int, a: Array) -> SampleStep:
        plane = plane_of(a, fit_intercept=self.fit_intercept)
        return SampleStep(k=k, plane=plane, i=int(self.i[k]), reads=int(self.reads[k]))

    def _states(self, number: int) -> Array:
        """The states behind the updates of a block, shape (updates, p), added up as the method did."""
        here = slice(number * BLOCK + 1, (number + 1) * BLOCK + 1)
        added = self.c[here, None] * self.Z[self.i[here]]
        A = np.cumsum(np.vstack([self.kept[number], added]), axis=0)[1:]
        A[-1] = self.kept[number + 1]
        return A
