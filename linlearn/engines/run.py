"""The record of a perceptron's run: which samples were added; from these every state is made on demand."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from linlearn._progress import shown
from linlearn.checks import Array
from linlearn.engines.reading import Reading, Update
from linlearn.engines.state import first_state, plane_of
from linlearn.plane import radius
from linlearn.trace import Step


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PerceptronStep(Step):
    """State after k updates; `i` is the sample just added (-1 at the start), `reads` the number of
    samples looked at so far, this one included."""

    i: int
    reads: int


def steps(Z: Array, reading: Reading) -> Iterator[PerceptronStep]:
    """The start, then the state after every update."""
    a = first_state(reading.start, Z.shape[1] - bool(reading.offset), offset=reading.offset)
    return _steps(a, reading.updates(Z, radius(Z), a), reading.offset)


def _steps(a: Array, updates: Iterator[Update], offset: bool) -> Iterator[PerceptronStep]:
    yield PerceptronStep(k=0, plane=plane_of(a, offset=offset), i=-1, reads=0)
    for k, (i, reads, a) in enumerate(updates, start=1):
        yield PerceptronStep(k=k, plane=plane_of(a, offset=offset), i=i, reads=reads)


@dataclass(frozen=True, eq=False, repr=False)
class Run(Sequence[PerceptronStep]):
    """The states of a run, rebuilt on demand from the sequence of samples added.

    A million updates are two million integers. The additions are repeated in the order of the run,
    from the nearest of the states kept every √k updates, so every state is the run's to the last bit.
    """

    Z: Array
    R: float
    first: Array
    last: Array
    rate: float
    offset: bool
    i: "array[int]"
    reads: "array[int]"

    @classmethod
    def of(cls, Z: Array, reading: Reading) -> "Run":
        """Read the samples to the end."""
        first = first_state(reading.start, Z.shape[1] - bool(reading.offset), offset=reading.offset)
        a, R, added, reads = first, radius(Z), array("q"), array("q")
        updates = reading.updates(Z, R, first)
        for i, r, a in shown(  # noqa: B007, the last a is the answer
            updates, total=reading.max_updates, unit="updates", progress=reading.progress
        ):
            added.append(i)
            reads.append(r)
        return cls(Z, R, first, a, float(reading.rate), reading.offset, added, reads)

    @property
    def shares(self) -> Array:
        """(times i was added)/k, shape (n,); uniform at k = 0."""
        n, k = len(self.Z), len(self.i)
        return np.bincount(self.i, minlength=n) / k if k else np.full(n, 1 / n)

    def __len__(self) -> int:
        return len(self.i) + 1

    def __iter__(self) -> Iterator[PerceptronStep]:
        updates = zip(self.i, self.reads, self._states(self.first, 0), strict=True)
        return _steps(self.first, iter(updates), self.offset)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return [self[k] for k in range(*key.indices(len(self)))]
        k = range(len(self))[key]
        i, reads = (self.i[k - 1], self.reads[k - 1]) if k else (-1, 0)
        return PerceptronStep(
            k=k, plane=plane_of(self._state(k), offset=self.offset), i=i, reads=reads
        )

    def field(self, name: str) -> np.ndarray:
        """All values of a field, first to last."""
        if name == "k":
            return np.arange(len(self))
        if name in ("i", "reads"):
            head = {"i": -1, "reads": 0}[name]
            return np.concatenate([[head], np.frombuffer(getattr(self, name), dtype=np.int64)])
        if name not in ("w", "b", "a"):
            raise KeyError(f"a perceptron step has no field {name!r}; it has k, i, reads, w, b, a")
        A = np.vstack([self.first, *self._states(self.first, 0)])
        if not self.offset:
            A = np.column_stack([A, np.zeros(len(A))])
        return {"w": A[:, :-1], "b": A[:, -1], "a": A}[name]

    def _states(self, a: Array, k: int) -> Iterator[Array]:
        """States k+1, k+2, … from state k."""
        for i in self.i[k:]:
            a = a + self.rate * self.Z[i]
            yield a

    def _state(self, k: int) -> Array:
        if k == len(self.i):
            return self.last
        a = self._kept[k // self._every]
        for i in self.i[k - k % self._every : k]:
            a = a + self.rate * self.Z[i]
        return a

    @property
    def _every(self) -> int:
        return 1 + int(len(self.i) ** 0.5)

    @cached_property
    def _kept(self) -> list[Array]:
        states = enumerate(self._states(self.first, 0), start=1)
        return [self.first] + [a for k, a in states if k % self._every == 0]
