"""Loss functions φ(m) of the margin m = y f(x): zero-one and its surrogates."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from linlearn._scipy import expit, special
from linlearn.validation import Array, Bools

Function = Callable[[ArrayLike], Array]


@dataclass(frozen=True, slots=True, eq=False)
class Loss:
    """A loss function φ of the margin, with its derivatives φ′ and φ″ and its convex conjugate φ*.

    The conjugate is φ*(s) = sup_m (sm - φ(m)). Each of the four functions takes an array-like of any shape
    and returns an array of that shape. At a kink of φ, `slope` is the left derivative, which is a
    subgradient, and `curvature` is 0. `conjugate` is +∞ where the supremum is, and None for a loss that is
    not convex.

    >>> HINGE.value([-1.0, 0.0, 2.0])
    array([2., 1., 0.])
    """

    name: str
    value: Function
    slope: Function
    curvature: Function
    conjugate: Function | None = None

    @property
    def convex(self) -> bool:
        """Whether φ is convex; it then equals its biconjugate φ**."""
        return self.conjugate is not None

    def __repr__(self) -> str:
        return f"Loss({self.name})"


def _of(f: Callable[[Array], Array | Bools]) -> Function:
    return lambda m: np.asarray(f(np.asarray(m, dtype=np.float64)), dtype=np.float64)


def _on(domain: Callable[[Array], Bools], f: Callable[[Array], Array]) -> Function:
    """f where `domain` holds, +∞ elsewhere."""

    def conjugate(s: Array) -> Array:
        inside = domain(s)  # -½ is in every domain, and what comes of it is not used
        return np.where(inside, f(np.where(inside, s, -0.5)), np.inf)

    return _of(conjugate)


ZERO_ONE = Loss("zero-one", _of(lambda m: m <= 0), _of(np.zeros_like), _of(np.zeros_like))
"""The zero-one loss: φ(m) = 1 for m ≤ 0 (a mistake, ties included), else 0."""

PERCEPTRON = Loss(
    "perceptron",
    _of(lambda m: np.maximum(0.0, -m)),
    _of(lambda m: np.where(m <= 0.0, -1.0, 0.0)),
    _of(np.zeros_like),
    _on(lambda s: (s >= -1) & (s <= 0), np.zeros_like),
)
"""The perceptron loss φ(m) = max(0, -m). φ* = 0 on [-1, 0]."""

HINGE = Loss(
    "hinge",
    _of(lambda m: np.maximum(0.0, 1.0 - m)),
    _of(lambda m: np.where(m <= 1.0, -1.0, 0.0)),
    _of(np.zeros_like),
    _on(lambda s: (s >= -1) & (s <= 0), lambda s: s),
)
"""The hinge loss φ(m) = max(0, 1 - m): the slack. φ*(s) = s on [-1, 0]."""

SQUARED_HINGE = Loss(
    "squared hinge",
    _of(lambda m: np.maximum(0.0, 1.0 - m) ** 2),
    _of(lambda m: -2.0 * np.maximum(0.0, 1.0 - m)),
    _of(lambda m: np.where(m < 1.0, 2.0, 0.0)),
    _on(lambda s: s <= 0, lambda s: s + s**2 / 4),
)
"""The squared hinge loss φ(m) = max(0, 1 - m)². φ*(s) = s + s²/4 for s ≤ 0."""

LOGISTIC = Loss(
    "logistic",
    _of(lambda m: np.logaddexp(0.0, -m)),
    _of(lambda m: -expit(-m)),
    _of(lambda m: expit(m) * expit(-m)),
    _on(
        lambda s: (s >= -1) & (s <= 0),
        lambda s: special.xlogy(-s, -s) + special.xlogy(1 + s, 1 + s),
    ),
)
"""The logistic loss φ(m) = ln(1 + e^-m), in nats. φ*(s) = (-s)ln(-s) + (1+s)ln(1+s) on [-1, 0]."""

SIGMOID = Loss(
    "sigmoid",
    _of(lambda m: expit(-m)),
    _of(lambda m: -expit(m) * expit(-m)),
    _of(lambda m: expit(m) * expit(-m) * (expit(m) - expit(-m))),
)
"""The sigmoid loss φ(m) = 1/(1 + e^m): the zero-one loss smoothed; not convex."""

SQUARED = Loss(
    "squared",
    _of(lambda m: (1.0 - m) ** 2),
    _of(lambda m: 2.0 * (m - 1.0)),
    _of(lambda m: np.full_like(m, 2.0)),
    _of(lambda s: s + s**2 / 4),
)
"""The squared loss φ(m) = (1 - m)²: least squares on labels ±1. φ*(s) = s + s²/4."""

WITH_SLOPE = {
    loss.name: loss for loss in (PERCEPTRON, HINGE, SQUARED_HINGE, LOGISTIC, SIGMOID, SQUARED)
}
"""By name, those whose slope is not 0 everywhere, so that gradient descent moves."""

REGULARISED = {loss.name: loss for loss in (LOGISTIC, HINGE, SQUARED_HINGE)}
"""By name, the losses whose regularised risk can be minimised and certified by products with X alone."""
