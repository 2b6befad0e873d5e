"""Between a plane and the array a that a method works with: (w, b), or w without an offset."""

import numpy as np

from linlearn.checks import Array
from linlearn.plane import Hyperplane


def first_state(start: Hyperplane | None, d: int, *, offset: bool = True) -> Array:
    """The array of `start`, 0 if there is none, shape (d+1,) or, without offset, (d,)."""
    if start is None:
        return np.zeros(d + bool(offset))
    if not isinstance(start, Hyperplane):
        raise ValueError(f"`start` must be a Hyperplane; got {type(start).__name__}.")
    if start.w.size != d:
        raise ValueError(f"`start` must have {d} weights, one per feature; got {start.w.size}.")
    if not offset and start.b != 0:
        raise ValueError(f"`start` must have b = 0 when `offset=False`; got {start.b:g}.")
    return start.a if offset else start.w


def plane_of(a: Array, *, offset: bool) -> Hyperplane:
    """The plane of that array."""
    return Hyperplane.from_homogeneous(a) if offset else Hyperplane(a)
