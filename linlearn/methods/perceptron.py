"""Rosenblatt's perceptron: while a sample is on the wrong side, add it."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from linlearn.certificates.margin import enclose_signed
from linlearn.checks import Array, check_count, check_number, check_training
from linlearn.engines.reading import Pick, Update, picked, read
from linlearn.engines.state import first_state, plane_of
from linlearn.fit import Fit
from linlearn.plane import Hyperplane, radius, signed
from linlearn.trace import Step, Trace


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PerceptronStep(Step):
    """State after k updates; `i` is the sample just added (-1 at the start), `reads` the number of
    samples looked at so far, this one included."""

    i: int
    reads: int


def perceptron(
    X: ArrayLike,
    y: ArrayLike,
    *,
    max_updates: int = 100_000,
    max_epochs: int | None = None,
    order: str | Pick = "cyclic",
    rate: float = 1.0,
    start: Hyperplane | None = None,
    offset: bool = True,
    seed: int = 0,
) -> Fit:
    """From a = `start`, set a ← a + rate·zᵢ at every sample read with ⟨a, zᵢ⟩ ≤ 0, until none is left.

    On separable samples it stops after at most (R/γ*)² updates from 0, R = max‖zᵢ‖ (Novikoff 1962;
    chapter "The perceptron"). On others it would run forever: a budget ends it, and the
    certificate says how much is known.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    max_updates, max_epochs : int
        Budget. An epoch reads every sample once. With a `pick`, an epoch is one choice.
    order : "cyclic", "random" or a function
        "cyclic" reads 0, …, n-1, 0, …; "random" reads a fresh permutation each epoch; a function
        `pick(mistakes, margins)` is shown the indices of all mistakes, ascending, with their
        margins, and returns the index to add (the batch perceptron).
    rate : float > 0
        Step size; from the start 0 it only rescales the run.
    start : Hyperplane, optional
        First state; w = 0, b = 0 if None.
    offset : bool
        False learns a plane through the origin, without the constant feature.
    seed : int
        For order "random" only.

    Returns
    -------
    Fit
        `trace` has one `PerceptronStep` per update, made on demand; `certificate` encloses γ*, with
        αᵢ = (times i was added)/k as its upper witness. lower > 0 is success; the gap need not close.

    Raises
    ------
    ValueError
        For bad samples (see `check_samples`), options, or a `pick` that picks no mistake.

    >>> fit = perceptron([[1.0, 2.0], [2.0, 1.0], [-1.0, 1.5]], [1, -1, 1], offset=False)
    >>> fit.plane, len(fit.trace) - 1, fit.trace["i"]
    (Hyperplane(w=[-1, 1], b=0), 2, array([-1,  0,  1]))
    """
    Z, R, first, updates = _prepare(X, y, max_updates, max_epochs, order, rate, start, offset, seed)
    a, added, reads = first, array("q"), array("q")
    for update in updates:
        i, r, a = update
        added.append(i)
        reads.append(r)
    n, k = len(Z), len(added)
    alpha = np.bincount(added, minlength=n) / k if k else np.full(n, 1 / n)
    certificate = enclose_signed(Z, a, alpha, offset=offset, R=R)
    run = Run(Z, first, a, rate, offset, added, reads)
    return Fit(plane_of(a, offset=offset), Trace(run), certificate)


def perceptron_steps(
    X: ArrayLike,
    y: ArrayLike,
    *,
    max_updates: int = 100_000,
    max_epochs: int | None = None,
    order: str | Pick = "cyclic",
    rate: float = 1.0,
    start: Hyperplane | None = None,
    offset: bool = True,
    seed: int = 0,
) -> Iterator[PerceptronStep]:
    """The states of `perceptron`, one at a time and with the same keywords: the start, then every update.

    >>> for step in perceptron_steps([[1.0], [-1.0]], [1, -1]):
    ...     print(step.k, step.i, step.plane)
    0 -1 Hyperplane(w=[0], b=0)
    1 0 Hyperplane(w=[1], b=1)
    2 1 Hyperplane(w=[2], b=0)
    """
    _, _, a, updates = _prepare(X, y, max_updates, max_epochs, order, rate, start, offset, seed)
    return _steps(a, updates, offset)


def _steps(a: Array, updates: Iterator[Update], offset: bool) -> Iterator[PerceptronStep]:
    yield PerceptronStep(k=0, plane=plane_of(a, offset=offset), i=-1, reads=0)
    for k, (i, reads, a) in enumerate(updates, start=1):
        yield PerceptronStep(k=k, plane=plane_of(a, offset=offset), i=i, reads=reads)


def _prepare(
    X: ArrayLike,
    y: ArrayLike,
    max_updates: int,
    max_epochs: int | None,
    order: str | Pick,
    rate: float,
    start: Hyperplane | None,
    offset: bool,
    seed: int,
) -> tuple[Array, float, Array, Iterator[Update]]:
    """Check samples and options; return Z, its radius, the first a, and the updates still to be made."""
    Z, rate = (
        signed(*check_training(X, y, offset=offset), offset=offset),
        check_number(rate, "rate", above=0),
    )
    R = radius(Z)
    check_count(max_updates, "max_updates")
    epochs = np.inf if max_epochs is None else check_count(max_epochs, "max_epochs")
    check_count(seed, "seed")
    named = isinstance(order, str) and order in ("cyclic", "random")
    if not (named or callable(order)):
        raise ValueError(f'`order` must be "cyclic", "random" or a function; got {order!r}.')
    a = first_state(start, Z.shape[1] - bool(offset), offset=offset)
    if callable(order):
        updates = picked(Z, a, rate, order, min(max_updates, epochs))
    else:
        rng = np.random.default_rng(seed) if order == "random" else None
        updates = read(Z, R, a, rate, rng, max_updates, epochs)
    return Z, R, a, updates


@dataclass(frozen=True, eq=False, repr=False)
class Run(Sequence[PerceptronStep]):
    """The states of a run, rebuilt on demand from the sequence of samples added.

    A million updates are two million integers. The additions are repeated in the order of the run,
    from the nearest of the states kept every √k updates, so every state is the run's to the last bit.
    """

    Z: Array
    first: Array
    last: Array
    rate: float
    offset: bool
    i: "array[int]"
    reads: "array[int]"

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
