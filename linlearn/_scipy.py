"""SciPy submodules, imported on first use: importing them all takes longer than most lessons."""

from importlib import import_module
from typing import Any


class LazyModule:
    """A module that is imported with the first name that is asked of it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(self._name), name)
        setattr(self, name, value)  # asked once
        return value


lapack, linalg = LazyModule("scipy.linalg.lapack"), LazyModule("scipy.linalg")
optimize, sparse, special = (
    LazyModule("scipy.optimize"),
    LazyModule("scipy.sparse"),
    LazyModule("scipy.special"),
)
spatial, distance = LazyModule("scipy.spatial"), LazyModule("scipy.spatial.distance")


def expit(s: Any) -> Any:
    """σ(s) = 1/(1 + e^-s), without overflow."""
    return special.expit(s)
