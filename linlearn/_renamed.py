"""Keywords that have another name today: whoever uses the old one is told the new one."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

RENAMED = {
    "balanced": '`prices="balanced"`, in an estimator `class_weight="balanced"`,',
    "batch": "`stochastic`, which is its opposite",
    "epochs": "`max_epochs`",
    "max_nodes": "`max_work`, in other units",
    "max_steps": "`max_updates`",
}

P = ParamSpec("P")
T = TypeVar("T")


def keywords_renamed(function: Callable[P, T]) -> Callable[P, T]:
    """The same function, which answers an old keyword with the new one.

    >>> keywords_renamed(lambda *, max_epochs: None)(epochs=5)
    Traceback (most recent call last):
        ...
    TypeError: `epochs` must be written as `max_epochs` now; got `epochs=5`.
    """

    @wraps(function)
    def told(*values: P.args, **options: P.kwargs) -> T:
        for old in RENAMED.keys() & options.keys():
            raise TypeError(
                f"`{old}` must be written as {RENAMED[old]} now; got `{old}={options[old]!r}`."
            )
        return function(*values, **options)

    return told
