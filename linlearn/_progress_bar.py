"""Progress bars for long fits, drawn by tqdm if it is installed."""

import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any, TypeVar

from linlearn.validation import described

PATIENCE = 1.0  # seconds before a bar appears for which nobody asked: most fits are done by then

T = TypeVar("T")


def with_progress(
    steps: Iterable[T],
    *,
    total: float,
    unit: str,
    progress: bool | None,
    done: Callable[[T], float] | None = None,
) -> Iterable[T]:
    """The steps as they are; where a bar is wanted, they move it as they are taken.

    Parameters
    ----------
    total, unit : the budget, and what it counts
    progress : True, False or None
        None shows the bar where standard error is a terminal, if tqdm is there to draw it.
    done : how much of the budget is spent after a step; if None, each step is one
    """
    if progress is not None and not isinstance(progress, bool):
        raise ValueError(
            f"`progress` must be True, False or None; got {described(progress)}. With None, a progress bar "
            "appears only if standard error is a terminal."
        )
    if progress is False or (progress is None and not (sys.stderr and sys.stderr.isatty())):
        return steps
    try:
        tqdm = import_module("tqdm").tqdm
    except ImportError:
        if progress is None:
            return steps
        raise ModuleNotFoundError(
            "`progress=True` needs tqdm, which is not installed. Install it with: pip install tqdm, or omit "
            "`progress`."
        ) from None
    look = dict(total=total, unit=f" {unit}", unit_scale=True, file=sys.stderr, leave=False)
    look["delay"] = 0.0 if progress else PATIENCE
    found: Iterable[T] = (
        tqdm(steps, **look) if done is None else _advance(tqdm(**look), steps, done)
    )
    return found


def _advance(bar: Any, steps: Iterable[T], done: Callable[[T], float]) -> Iterator[T]:
    with bar:
        for step in steps:
            bar.update(done(step) - bar.n)
            yield step
