"""The states of a method that adds multiples of rows, rebuilt from the multiples when they are asked for."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np

from linlearn.checks import Array, Index
from linlearn.engines.state import plane_of
from linlearn.trace import Step

BLOCK = 64  # updates between two states that are kept


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SampleStep(Step):
    """State after k updates; `i` is the sample that made the last one, -1 at the start."""

    i: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PerceptronStep(SampleStep):
    """State after k updates; `i` is the sample just added (-1 at the start), `reads` the number of
    samples looked at so far, this one included."""

    reads: int


# Samples read, multiples of their rows added, the state behind them.
Block = tuple[Index, Array, Array]
# The sample of one update, the samples read until then (-1: nobody counts), the state behind it.
Update = tuple[int, int, Array]


def sample_steps(
    a: Array, updates: Iterable[Update], *, offset: bool = True, reads: int = -1
) -> Iterator[SampleStep]:
    """The start a, then the state after every update; `reads` is 0 where they are counted."""
    yield _step(0, -1, reads, a, offset)
    for k, (i, reads, a) in enumerate(updates, start=1):
        yield _step(k, i, reads, a, offset)


def _step(k: int, i: int, reads: int, a: Array, offset: bool) -> SampleStep:
    plane = plane_of(a, offset=offset)
    if reads < 0:
        return SampleStep(k=k, plane=plane, i=i)
    return PerceptronStep(k=k, plane=plane, i=i, reads=reads)


def one_by_one(Z: Array, a: Array, blocks: Iterable[Block]) -> Iterator[Update]:
    """The updates of which blocks consist, from a on."""
    for i, c, last in blocks:
        yield from zip(i.tolist(), repeat(-1), _states(Z, a, i, c, last), strict=False)
        a = last


def _states(Z: Array, a: Array, i: Index, c: Array, last: Array) -> Array:
    """The states behind each update of a block, shape (len(i), p), added up as the method did: one by one."""
    A = np.cumsum(np.vstack([a, c[:, None] * Z[i]]), axis=0)[1:]
    A[-1] = last
    return A


@dataclass(frozen=True, eq=False, repr=False)
class SamplePath(Sequence[SampleStep]):
    """a_k = a₀ + Σ_{j<k} c_j z_{i_j}, made on demand from the states that are kept every `BLOCK` updates.

    An update is stored as two numbers: its sample, and its multiple or how many samples were read.
    """

    Z: Array
    kept: Array
    i: Index
    c: Array
    reads: Index | None = None
    offset: bool = True

    @classmethod
    def record(cls, Z: Array, a: Array, blocks: Iterator[Block]) -> "SamplePath":
        """Run the updates through to the end."""
        kept, samples, multiples = [a], [np.zeros(0, dtype=np.intp)], [np.zeros(0)]
        for i, c, a in blocks:
            kept.append(a)
            samples.append(i)
            multiples.append(c)
        return cls(Z, np.array(kept), np.concatenate(samples), np.concatenate(multiples))

    def __len__(self) -> int:
        return len(self.i) + 1

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return [self[k] for k in range(*key.indices(len(self)))]
        k = range(len(self))[key]
        number, rest = divmod(k, BLOCK)
        a = self._block(number)[rest - 1] if rest else self.kept[number]
        reads = self._unread if self.reads is None or not k else int(self.reads[k - 1])
        return _step(k, int(self.i[k - 1]) if k else -1, reads, a, self.offset)

    def __iter__(self) -> Iterator[SampleStep]:
        states = (a for number in range(len(self.kept) - 1) for a in self._block(number))
        updates = zip(self.i.tolist(), self._reads, states, strict=False)
        return sample_steps(self.kept[0], updates, offset=self.offset, reads=self._unread)

    def field(self, name: str) -> np.ndarray:
        """All values of a field, first to last."""
        known = {"k": np.arange(len(self)), "i": np.append(-1, self.i)}
        if self.reads is not None:
            known["reads"] = np.append(0, self.reads)
        if name in known:
            return known[name]
        if name not in ("w", "b", "a"):
            raise KeyError(
                f"a step of this method has no field {name!r}; it has {', '.join(known)}, w, b, a"
            )
        A = np.vstack([self.kept[:1], *map(self._block, range(len(self.kept) - 1))])
        A = A if self.offset else np.column_stack([A, np.zeros(len(A))])
        return {"w": A[:, :-1], "b": A[:, -1], "a": A}[name]

    def _block(self, number: int) -> Array:
        """The states behind the updates of a block."""
        here = slice(number * BLOCK, (number + 1) * BLOCK)
        return _states(self.Z, self.kept[number], self.i[here], self.c[here], self.kept[number + 1])

    @property
    def _unread(self) -> int:
        return -1 if self.reads is None else 0

    @property
    def _reads(self) -> Iterable[int]:
        return repeat(-1) if self.reads is None else self.reads.tolist()


def reading_order(
    n: int, epochs: Iterable[int], rng: "np.random.Generator | None"
) -> Iterator[Index]:
    """Blocks of sample indices: 0, …, n-1 again and again, or a fresh permutation each epoch."""
    rest = np.zeros(0, dtype=np.intp)
    for _ in epochs:
        rest = np.append(rest, np.arange(n) if rng is None else rng.permutation(n))
        while len(rest) >= BLOCK:
            yield rest[:BLOCK]
            rest = rest[BLOCK:]
    if len(rest):
        yield rest
