"""The states of a method that adds multiples of rows, rebuilt from the multiples when they are asked for."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

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


class Block(NamedTuple):
    """A few updates: their samples, the multiples of rows added, the state behind all of them."""

    i: Index
    c: Array
    last: Array
    reads: Index | None = None  # samples read until each update, where that is counted


def sample_steps(
    Z: Array, a: Array, blocks: Iterable[Block], *, offset: bool = True, counted: bool = False
) -> Iterator[SampleStep]:
    """The start a, then the state after every update; `counted` says whether blocks hold `reads`."""
    yield _step(0, -1, 0 if counted else None, a, offset)
    k = 0
    for i, c, last, reads in blocks:
        for j, state in enumerate(_states(Z, a, i, c, last)):
            k += 1
            yield _step(k, int(i[j]), None if reads is None else int(reads[j]), state, offset)
        a = last


def _step(k: int, i: int, reads: int | None, a: Array, offset: bool) -> SampleStep:
    plane = plane_of(a, offset=offset)
    if reads is None:
        return SampleStep(k=k, plane=plane, i=i)
    return PerceptronStep(k=k, plane=plane, i=i, reads=reads)


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
    def record(
        cls,
        Z: Array,
        a: Array,
        blocks: Iterable[Block],
        *,
        offset: bool = True,
        counted: bool = False,
    ) -> "SamplePath":
        """Run the updates through to the end: blocks of `BLOCK` of them, but for the last."""
        nothing = Block(np.zeros(0, np.intp), np.zeros(0), a, np.zeros(0, np.intp))
        samples, multiples, kept, reads = zip(nothing, *blocks, strict=True)
        i, c = np.concatenate(samples), np.concatenate(multiples)
        return cls(Z, np.array(kept), i, c, np.concatenate(reads) if counted else None, offset)

    def __len__(self) -> int:
        return len(self.i) + 1

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return [self[k] for k in range(*key.indices(len(self)))]
        k = range(len(self))[key]
        number, rest = divmod(k, BLOCK)
        a = self._states(number)[rest - 1] if rest else self.kept[number]
        if not k:
            return _step(0, -1, None if self.reads is None else 0, a, self.offset)
        reads = None if self.reads is None else int(self.reads[k - 1])
        return _step(k, int(self.i[k - 1]), reads, a, self.offset)

    def __iter__(self) -> Iterator[SampleStep]:
        blocks, counted = map(self._block, range(len(self.kept) - 1)), self.reads is not None
        return sample_steps(self.Z, self.kept[0], blocks, offset=self.offset, counted=counted)

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
        A = np.vstack([self.kept[:1], *map(self._states, range(len(self.kept) - 1))])
        A = A if self.offset else np.column_stack([A, np.zeros(len(A))])
        return {"w": A[:, :-1], "b": A[:, -1], "a": A}[name]

    def _block(self, number: int) -> Block:
        here = slice(number * BLOCK, (number + 1) * BLOCK)
        reads = None if self.reads is None else self.reads[here]
        return Block(self.i[here], self.c[here], self.kept[number + 1], reads)

    def _states(self, number: int) -> Array:
        """The states behind the updates of a block."""
        return _states(self.Z, self.kept[number], *self._block(number)[:3])
