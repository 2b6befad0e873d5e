"""The states of a method that adds multiples of rows, rebuilt from the multiples when they are asked for."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linlearn.checks import Array, Index
from linlearn.plane import Hyperplane
from linlearn.trace import Step

BLOCK = 64  # updates between two states that are kept


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SampleStep(Step):
    """State after k updates; `i` is the sample that made the last one, -1 at the start."""

    i: int


# Samples read, multiples of their rows added, the state behind them.
Block = tuple[Index, Array, Array]


def states(Z: Array, a: Array, block: Block) -> Array:
    """The states behind each update of a block that starts from a, shape (len(i), p)."""
    i, c, last = block
    A = a + np.cumsum(c[:, None] * Z[i], axis=0)
    A[-1] = last
    return A


def sample_steps(Z: Array, a: Array, blocks: Iterator[Block]) -> Iterator[SampleStep]:
    """The start, then the state after every update."""
    yield SampleStep(k=0, plane=Hyperplane.from_homogeneous(a), i=-1)
    k = 0
    for block in blocks:
        for state, i in zip(states(Z, a, block), block[0].tolist(), strict=True):
            k += 1
            yield SampleStep(k=k, plane=Hyperplane.from_homogeneous(state), i=i)
        a = block[2]


@dataclass(frozen=True, eq=False, repr=False)
class SamplePath(Sequence[SampleStep]):
    """a_k = a₀ + Σ_{j<k} c_j z_{i_j}, made on demand: an update is stored as two numbers."""

    Z: Array
    kept: Array
    i: Index
    c: Array

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
        a = self._state(k)
        return SampleStep(
            k=k, plane=Hyperplane.from_homogeneous(a), i=int(self.i[k - 1]) if k else -1
        )

    def __iter__(self) -> Iterator[SampleStep]:
        return sample_steps(self.Z, self.kept[0], self._blocks())

    def field(self, name: str) -> np.ndarray:
        """All values of a field, first to last."""
        if name == "k":
            return np.arange(len(self))
        if name == "i":
            return np.append(-1, self.i)
        if name not in ("w", "b", "a"):
            raise KeyError(f"a step of this method has no field {name!r}; it has k, i, w, b, a")
        parts = [
            states(self.Z, a, block) for a, block in zip(self.kept, self._blocks(), strict=False)
        ]
        A = np.vstack([self.kept[:1], *parts])
        return {"w": A[:, :-1], "b": A[:, -1], "a": A}[name]

    def _blocks(self) -> Iterator[Block]:
        for number, k in enumerate(range(0, len(self.i), BLOCK), start=1):
            yield self.i[k : k + BLOCK], self.c[k : k + BLOCK], self.kept[number]

    def _state(self, k: int) -> Array:
        number, rest = divmod(k, BLOCK)
        if k == len(self.i):
            return np.asarray(self.kept[-1])
        if not rest:
            return np.asarray(self.kept[number])
        here = slice(number * BLOCK, (number + 1) * BLOCK)
        block = self.i[here], self.c[here], self.kept[number + 1]
        return np.asarray(states(self.Z, self.kept[number], block)[rest - 1])


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
