"""Dispatch on samples that are not an array in memory: to the out-of-core method, or to a clear error."""

import os
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

Find = Callable[[str], Callable[..., Any]]

P = ParamSpec("P")
T = TypeVar("T")

SUMS = "Only `fisher`, `lda`, `least_squares`, `linear_program`, `logistic` and `svm` can read {} in blocks"
REMEDIES = {  # how to bring them to memory, and what they are
    "a path": ("Read the file, or some of its rows, into an array", "a file"),
    "a list of paths": ("Read the files, or some of their rows, into an array", "files"),
    "a Dask collection": ("Call `.compute()` on it, or on some of its rows", "a Dask collection"),
}


def out_of_core_kind(X: Any) -> str:
    """What such samples are called, or "" for an array in memory.

    >>> out_of_core_kind("samples.parquet"), out_of_core_kind([[0.0], [1.0]])
    ('a path', '')
    """
    if isinstance(X, str | os.PathLike):
        return "a path"
    if isinstance(X, list | tuple) and X and all(isinstance(one, str | os.PathLike) for one in X):
        return "a list of paths"
    if hasattr(X, "to_delayed"):
        return "a Dask collection"
    if hasattr(X, "tocsr"):
        return "a sparse matrix"
    return "a memory map" if isinstance(X, np.memmap) else ""


_find: list[Find] = []


def register(find: Find) -> None:
    """Store what finds the out-of-core version of a method by its name: `linlearn` does so on import."""
    _find[:] = [find]


def out_of_core(function: Callable[P, T]) -> Callable[P, T]:
    """Decorator: pass samples that are not an array in memory to the registered function of that name."""

    @wraps(function)
    def chosen(*values: P.args, **options: P.kwargs) -> T:
        if out_of_core_kind(_samples(values, options)):
            answer: T = _find[0](function.__name__)(*values, **options)
            return answer
        return function(*values, **options)

    return chosen


def requires_memory(why: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Decorator: refuse samples that are not in memory, with the reason and what to do instead."""

    def refusing(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def checked(*values: P.args, **options: P.kwargs) -> T:
            refuse_out_of_core(_samples(values, options), f"`{function.__name__}`, since {why}")
            return function(*values, **options)

        return checked

    return refusing


def _samples(values: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """X among the arguments of a call."""
    return values[0] if values else options.get("X")


def refuse_out_of_core(X: Any, where: str, name: str = "X") -> None:
    """Say that samples in a file or on workers must come to memory first; a memory map is an array."""
    if (kind := out_of_core_kind(X)) in REMEDIES:
        remedy, what = REMEDIES[kind]
        raise ValueError(
            f"`{name}` must be an array in memory for {where}; got {kind}. {remedy}. {SUMS.format(what)}."
        )
