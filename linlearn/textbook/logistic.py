"""Logistic regression by Newton's method, and the same steps as iteratively reweighted least squares."""

from collections.abc import Iterator

import numpy as np

from linlearn._scipy import expit
from linlearn.validation import Array


def newton(Xbar: Array, y: Array, a: Array, steps: int) -> Iterator[Array]:
    """Every state of a, from the first; it may diverge."""
    yield a
    for _ in range(steps):
        p = expit(Xbar @ a)
        H = (Xbar * (p * (1 - p))[:, None]).T @ Xbar
        a = a + np.linalg.solve(H, Xbar.T @ ((1 + y) / 2 - p))
        yield a


def reweighted(Xbar: Array, y: Array, a: Array, steps: int) -> Iterator[Array]:
    """The same states by least squares, with new weights and targets at each step."""
    yield a
    for _ in range(steps):
        p = expit(Xbar @ a)
        v = p * (1 - p)
        target = Xbar @ a + ((1 + y) / 2 - p) / v
        root = np.sqrt(v)
        a = np.linalg.lstsq(root[:, None] * Xbar, root * target)[0]
        yield a
