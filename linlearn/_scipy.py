"""SciPy submodules, imported on first use: importing them all takes longer than most lessons."""

from importlib import import_module
from typing import Any

import numpy as np


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


def least_norm(A: Any, b: Any, cond: float) -> Any:
    """The x of least norm among those with least ‖Ax - b‖, by a complete orthogonal factorisation.

    It is what `scipy.linalg.lstsq` does with the driver "gelsy", without its checks, which take longer than
    a small system. `cond` is the reciprocal condition below which columns are combinations of others.
    """
    n, k = A.shape
    right = np.zeros((max(n, k), 1))
    right[:n, 0] = b
    pivots, room = np.zeros(k, dtype=np.int32), 80 * (n + k + 2)
    return lapack.dgelsy(A, right, pivots, cond, room)[1][:k, 0]


def expit(s: Any) -> Any:
    """σ(s) = 1/(1 + e^-s), without overflow."""
    return special.expit(s)
