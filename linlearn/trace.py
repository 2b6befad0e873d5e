"""`Trace` and `Step`: the states that an iterative method went through."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from linlearn.plane import Hyperplane


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Step:
    """State k of a method; k = 0 is the start. Methods add fields of their own."""

    k: int
    plane: Hyperplane

    @property
    def count(self) -> tuple[int, str]:
        """How much was done to get here, and what a method counts: ("" where an answer comes at once)."""
        return self.k, "update"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LastStep(Step):
    """The answer of a method that keeps no states on the way, or what a file keeps of a path."""

    done: int = 0
    unit: str = ""

    @property
    def count(self) -> tuple[int, str]:
        return self.done, self.unit


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HoKashyapStep(Step):
    """State k of `ho_kashyap`: the hyperplane that fits the targets t_k best.

    `error` is ‖e_k‖, e_k = Za_k - t_k, which never increases; `excess` is ‖e_k⁺‖, the norm of its positive
    part, which determines the next step and tends to 0; `smallest` is the smallest margin.
    """

    error: float
    excess: float
    smallest: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Trace(Sequence[Step]):
    """The states of one run, from first to last; `len(trace) - 1` updates were made.

    `trace[k]` is state k. `trace["w"]` is an array of the values of a field in all states: a field of the
    step, or "w", "b" or "a" of its hyperplane. The states may be any sequence, including one that computes
    them on demand; such a sequence may have a method `field(name)`.
    """

    steps: Sequence[Step]

    @classmethod
    def closed_form(cls, plane: Hyperplane) -> "Trace":
        """The trace of a method that keeps no states on the way: the answer alone."""
        return cls((LastStep(k=0, plane=plane),))

    def last_alone(self) -> "Trace":
        """The last state without the path to it, and so without the samples from which a path is computed."""
        last = self[-1]
        done, unit = last.count
        return Trace((LastStep(k=last.k, plane=last.plane, done=done, unit=unit),))

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    @overload
    def __getitem__(self, key: int) -> Step: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Step]: ...
    @overload
    def __getitem__(self, key: str) -> np.ndarray: ...
    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return self._field(key)
        if isinstance(key, int) and not -len(self) <= key < len(self):
            raise IndexError(f"index {key} is out of range for a trace of {len(self)} steps")
        return self.steps[key]

    def _field(self, name: str) -> np.ndarray:
        of_plane = name in ("w", "b", "a")
        if not of_plane and not hasattr(self[-1], name):
            known = [f for f in self[-1].__dataclass_fields__ if f != "plane"] + ["w", "b", "a"]
            raise KeyError(f"a step has no field {name!r}; it has {', '.join(known)}")
        if hasattr(self.steps, "field"):
            return np.asarray(self.steps.field(name))
        return np.array([getattr(step.plane if of_plane else step, name) for step in self])

    def __repr__(self) -> str:
        return f"Trace({len(self) - 1} updates)"
