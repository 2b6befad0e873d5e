"""Why learning can be hard: families of samples that keep the perceptron busy for exponentially long."""

import numpy as np

from linlearn.checks import Array, check_count

Samples = tuple[Array, Array]


def slow_ternary(d: int) -> Samples:
    """d samples x_j = e_j - e_1 - … - e_{j-1} in {-1, 0, 1}^d, all labelled +1, without offset.

    From 0 the perceptron makes exactly (4^d - 1)/3 updates, in whatever order it picks its mistakes
    (chapter "The perceptron"), and ends in w = (1, 2, 4, …, 2^{d-1}).

    >>> slow_ternary(3)[0]
    array([[ 1.,  0.,  0.],
           [-1.,  1.,  0.],
           [-1., -1.,  1.]])
    """
    d = check_count(d, "d", least=1)
    return np.eye(d) - np.tril(np.ones((d, d)), -1), np.ones(d)


def slow_binary(d: int) -> Samples:
    """d samples x_j = e_j + e_{j-1} + e_{j-3} + e_{j-5} + … in {0, 1}^d, y_j = (-1)^{j-1}, without offset.

    From 0 the perceptron makes exactly F_{d+1} F_{d+2} - 1 updates (Fibonacci numbers, F_1 = F_2 = 1),
    in whatever order it picks its mistakes (chapter "The perceptron").

    >>> slow_binary(4)
    (array([[1., 0., 0., 0.],
           [1., 1., 0., 0.],
           [0., 1., 1., 0.],
           [1., 0., 1., 1.]]), array([ 1., -1.,  1., -1.]))
    """
    d = check_count(d, "d", least=1)
    j, i = np.indices((d, d))
    X = (i == j) | ((i < j) & ((j - i) % 2 == 1))
    return X.astype(float), np.where(np.arange(d) % 2 == 0, 1.0, -1.0)


def slow_pair(L: int) -> Samples:
    """Two samples (1, 0) and (-L, L+1), both labelled +1, without offset.

    From 0 the perceptron makes exactly L + 2 updates, in whatever order it picks its mistakes (chapter
    "The perceptron"). Two samples in the plane, log L bits each: no function of n and d alone bounds
    the updates.
    """
    L = check_count(L, "L", least=1)
    return np.array([[1.0, 0.0], [-L, L + 1.0]]), np.ones(2)
