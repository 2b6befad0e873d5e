"""Hard instances: reductions that prove NP-hardness, and samples that make the perceptron slow."""

from collections.abc import Iterable, Sequence

import numpy as np

from linlearn.plane import Hyperplane, margins
from linlearn.validation import Array, check_count, check_edges

Samples = tuple[Array, Array]
Sets = Iterable[Iterable[int]]


def hitting_set_samples(d: int, sets: Sets) -> Samples:
    """Reduce the hitting set problem to minimising mistakes: the two minima are equal.

    Each element v becomes the unit vector e_v with label -1, and each of the N sets its indicator vector with
    label +1: d + N samples in {0, 1}^d, for hyperplanes without intercept. The fewest mistakes are the size
    of a smallest hitting set, a set that meets all N sets. So an algorithm that minimises mistakes solves the
    hitting set problem, one of the first NP-complete problems (Karp 1972), and one that minimises them up to
    a factor solves it up to that factor (lesson "NP-hardness").

    Parameters
    ----------
    d : int ≥ 1
        The elements are 0, …, d - 1.
    sets : iterable of non-empty iterables of elements

    Examples
    --------
    >>> X, y = hitting_set_samples(3, [{0, 1}, {1, 2}])
    >>> X.astype(int).tolist(), y.astype(int).tolist()
    ([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1]], [-1, -1, -1, 1, 1])
    """
    d, sets = check_count(d, "d", least=1), _sets(d, sets)
    X = np.zeros((d + len(sets), d))
    X[:d] = np.eye(d)
    for row, members in zip(X[d:], sets, strict=True):
        row[members] = 1
    return X, np.repeat([-1.0, 1.0], [d, len(sets)])


def hitting_set_plane(d: int, elements: Iterable[int]) -> Hyperplane:
    """Turn a hitting set H into a hyperplane with |H| mistakes: w_v = d for v in H, -1 otherwise, b = 0.

    Elements outside H are classified correctly, those in H are mistakes, and a set that meets H has a score
    of at least d - (d - 1) = 1.

    Parameters
    ----------
    d : int ≥ 1
        The elements are 0, …, d - 1.
    elements : the members of H

    Examples
    --------
    >>> hitting_set_plane(3, {1})
    Hyperplane(w=[-1, 3, -1], b=0)
    """
    w = np.full(check_count(d, "d", least=1), -1.0)
    w[_elements(d, elements, "elements")] = d
    return Hyperplane(w)


def hitting_set_from(plane: Hyperplane, d: int, sets: Sets) -> frozenset[int]:
    """Turn a hyperplane through 0 into a hitting set of at most as many elements as the plane has mistakes.

    It consists of the elements v for which e_v is a mistake, and one element of each set that is a mistake. A
    set that is classified correctly has Σ w_v > 0, so it contains some v with w_v > 0, and e_v is a mistake.

    Parameters
    ----------
    plane : Hyperplane with b = 0
    d, sets : as in `hitting_set_samples`

    Examples
    --------
    >>> from linlearn import margins
    >>> sets = [{0, 1}, {1, 2}]
    >>> plane = Hyperplane([-1.0, -1.0, -1.0])
    >>> sorted(hitting_set_from(plane, 3, sets)), (margins(plane, *hitting_set_samples(3, sets)) <= 0).sum()
    ([0, 1], np.int64(2))
    """
    sets = _sets(d, sets)
    if plane.b != 0:
        raise ValueError(
            f"`plane` must pass through the origin; got b = {plane.b:g}. Fit it with `fit_intercept=False`."
        )
    mistakes = np.flatnonzero(margins(plane, *hitting_set_samples(d, sets)) <= 0).tolist()
    chosen = {v for v in mistakes if v < d}
    return frozenset(chosen | {sets[j - d][0] for j in mistakes if j >= d})


def vertex_cover_samples(vertices: int, edges: Sets) -> Samples:
    """Reduce vertex cover to minimising mistakes: the fewest mistakes equal the size of a smallest cover.

    Each edge is a set of two vertices. `hitting_set_from(plane, vertices, edges)` turns a hyperplane into a
    cover.

    >>> vertex_cover_samples(3, [(0, 1), (1, 2)])[1]
    array([-1., -1., -1.,  1.,  1.])
    """
    return hitting_set_samples(vertices, check_edges(edges))


def owners(elements: int, subsets: Sequence[Iterable[int]]) -> list[list[int]]:
    """Reduce set cover to the hitting set problem: list, for each element, the subsets that contain it.

    A selection of subsets covers all elements if and only if their indices hit every list. So the fewest
    mistakes on `hitting_set_samples(len(subsets), owners(elements, subsets))` equal the number of subsets in
    a smallest cover.

    >>> owners(3, [{0, 1}, {1, 2}])
    [[0], [0, 1], [1]]
    """
    members = [set(s) for s in _sets(elements, subsets, "subsets")]
    lists = [[j for j, s in enumerate(members) if v in s] for v in range(elements)]
    if [] in lists:
        raise ValueError(
            f"`subsets` must cover all elements; element {lists.index([])} is in none of them."
        )
    return lists


def _sets(d: int, sets: Sets, name: str = "sets") -> list[list[int]]:
    d = check_count(d, "d", least=1)
    lists = [_elements(d, members, name) for members in sets]
    if [] in lists:
        raise ValueError(
            f"`{name}` must not contain an empty set; set {lists.index([])} is empty, so no element "
            "can hit it."
        )
    return lists


def _elements(d: int, members: Iterable[int], name: str) -> list[int]:
    """The members, ascending and distinct, if all are among 0, …, d - 1."""
    members = list(members)
    for v in members:
        if isinstance(v, bool) or not isinstance(v, int | np.integer) or not 0 <= v < d:
            raise ValueError(f"`{name}` must contain only integers from 0 to {d - 1}; got {v!r}.")
    return sorted({int(v) for v in members})


def slow_ternary(d: int) -> Samples:
    """d samples x_j = e_j - e_1 - … - e_{j-1} in {-1, 0, 1}^d, all labelled +1, without intercept.

    From 0 the perceptron makes exactly (4^d - 1)/3 updates, in whatever order it picks its mistakes
    (lesson "The perceptron in depth"), and ends at w = (1, 2, 4, …, 2^{d-1}).

    >>> slow_ternary(3)[0]
    array([[ 1.,  0.,  0.],
           [-1.,  1.,  0.],
           [-1., -1.,  1.]])
    """
    d = check_count(d, "d", least=1)
    return np.eye(d) - np.tril(np.ones((d, d)), -1), np.ones(d)


def slow_binary(d: int) -> Samples:
    """d samples x_j = e_j + e_{j-1} + e_{j-3} + e_{j-5} + … in {0, 1}^d, y_j = (-1)^{j-1}, no intercept.

    From 0 the perceptron makes exactly F_{d+1} F_{d+2} - 1 updates (Fibonacci numbers, F_1 = F_2 = 1),
    in whatever order it picks its mistakes (lesson "The perceptron in depth").

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
    """Two samples (1, 0) and (-L, L+1), both labelled +1, without intercept.

    From 0 the perceptron makes exactly L + 2 updates, in whatever order it picks its mistakes (lesson "The
    perceptron in depth"). So no function of n and d alone bounds the number of updates: here n = d = 2, and
    each number has about log₂ L bits.

    >>> slow_pair(9)
    (array([[ 1.,  0.],
           [-9., 10.]]), array([1., 1.]))
    """
    L = check_count(L, "L", least=1)
    return np.array([[1.0, 0.0], [-L, L + 1.0]]), np.ones(2)
