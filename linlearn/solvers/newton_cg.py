"""Newton's method without a matrix: directions by conjugate gradients, steps by backtracking.

Only products of the Hessian with a vector are formed, so that memory is that of a few vectors. The system
of a step is solved as far as the step can use it (a truncated Newton method: Dembo, Eisenstat and Steihaug
1982).
"""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from linlearn.validation import Array

FORCING = 0.2  # of the gradient may be left as residual, at most
ARMIJO = 1e-4  # of the decrease that the slope promises, a step must bring
STEPS = 500  # of conjugate gradients in one direction


class Point(NamedTuple):
    """A smooth convex function at v: value, gradient, H·p, and the value at v + t·p as a function of t.

    `newton` is -H⁻¹g where that can be had directly.
    """

    value: float
    gradient: Array
    hessian: Callable[[Array], Array]
    along: Callable[[Array], Callable[[float], float]]
    newton: Callable[[], Array] | None = None


def newton_cg(
    at: Callable[[Array], Point], v: Array, *, enough: float = 0.0
) -> Iterator[tuple[Array, Point]]:
    """States and points from v on, without end: whoever asks decides when to stop.

    `enough` is the norm of a gradient that need not be smaller, so that no direction is more accurate.
    """
    while True:
        point = at(v)
        yield v, point
        p = point.newton() if point.newton is not None else direction(point, enough)
        ahead, slope, t = point.along(p), float(point.gradient @ p), 1.0
        limit = 1e-14 * abs(point.value)
        while ahead(t) > point.value + ARMIJO * t * slope + limit and t > 1e-10:
            t /= 2
        v = v + t * p


def direction(point: Point, enough: float) -> Array:
    """About -H⁻¹g, by conjugate gradients from 0."""
    p, r = np.zeros_like(point.gradient), -point.gradient
    q, square = r, float(r @ r)
    size = math.sqrt(square)
    want = max(min(FORCING, math.sqrt(size / (size + 1)) / 2) * size, enough)
    for _ in range(STEPS):
        Hq = point.hessian(q)
        bend = float(q @ Hq)
        if not bend > 0:  # a direction in which the function is straight to rounding
            return p if p.any() else r
        p = p + square / bend * q
        r = r - square / bend * Hq
        square, before = float(r @ r), square
        if math.sqrt(square) <= want:
            break
        q = r + square / before * q
    return p
