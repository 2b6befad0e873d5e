"""Hitting sets become samples and come back, whatever plane brings them."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import linlearn as ll
from linlearn import hardness

families = st.lists(st.frozensets(st.integers(0, 4), min_size=1, max_size=4), max_size=6)


def smallest(d, sets):
    """By trying all sets of elements, smallest first."""
    every = (set(H) for k in range(d + 1) for H in combinations(range(d), k))
    return len(next(H for H in every if all(H & set(s) for s in sets)))


@settings(deadline=None)
@given(sets=families)
def test_fewest_mistakes_are_the_smallest_hitting_set(sets):
    """The reduction keeps the value: no plane errs less often than the smallest hitting set has elements."""
    found = ll.zero_one(*hardness.hitting_set_samples(5, sets), fit_intercept=False)
    best = smallest(5, sets)
    assert (found.certificate.lower, found.certificate.upper) == (best, best)
    assert len(hardness.hitting_set_from(found.plane, 5, sets)) == best


@settings(deadline=None)
@given(sets=families, w=hnp.arrays(float, 5, elements=st.floats(-10, 10)))
def test_any_plane_yields_a_hitting_set_no_larger_than_its_mistakes(sets, w):
    plane = ll.Hyperplane(w)
    H = hardness.hitting_set_from(plane, 5, sets)
    assert all(H & s for s in sets)
    assert len(H) <= (ll.margins(plane, *hardness.hitting_set_samples(5, sets)) <= 0).sum()


@settings(deadline=None)
@given(sets=families, extra=st.frozensets(st.integers(0, 4)))
def test_any_hitting_set_yields_a_plane_with_as_many_mistakes(sets, extra):
    H = {min(s) for s in sets} | extra
    plane = hardness.hitting_set_plane(5, H)
    mistakes = np.flatnonzero(ll.margins(plane, *hardness.hitting_set_samples(5, sets)) <= 0)
    assert set(mistakes.tolist()) == H
    assert hardness.hitting_set_from(plane, 5, sets) == H


@pytest.mark.parametrize(("n", "cover"), [(3, 2), (5, 3), (6, 3), (7, 4)])
def test_vertex_cover_of_a_cycle(n, cover):
    """A cycle of n vertices is covered by ⌈n/2⌉ of them."""
    edges = [(i, (i + 1) % n) for i in range(n)]
    fit = ll.zero_one(*hardness.vertex_cover_samples(n, edges), fit_intercept=False)
    assert fit.certificate.lower == fit.certificate.upper == cover
    touched = hardness.hitting_set_from(fit.plane, n, edges)
    assert len(touched) == cover and all(touched & set(edge) for edge in edges)


def test_petersens_graph_needs_six():
    """Its largest independent set has 4 of 10 vertices, so its smallest cover has 6."""
    edges = [(i, (i + 1) % 5) for i in range(5)] + [(i, i + 5) for i in range(5)]
    edges += [(5 + i, 5 + (i + 2) % 5) for i in range(5)]
    fit = ll.zero_one(*hardness.vertex_cover_samples(10, edges), fit_intercept=False)
    assert (fit.certificate.lower, fit.certificate.upper) == (6, 6)


@settings(deadline=None)
@given(st.lists(st.frozensets(st.integers(0, 3), min_size=1), min_size=1, max_size=5))
def test_set_cover_is_hitting_set_of_the_owners(subsets):
    if set().union(*subsets) != {0, 1, 2, 3}:
        with pytest.raises(ValueError, match="`subsets` must cover all elements"):
            hardness.owners(4, subsets)
        return
    lists = hardness.owners(4, subsets)
    for chosen in (
        set(c) for k in range(len(subsets) + 1) for c in combinations(range(len(subsets)), k)
    ):
        covers = set().union(*(subsets[j] for j in chosen)) == {0, 1, 2, 3}
        assert covers == all(chosen & set(numbers) for numbers in lists)


def test_the_samples_of_two_sets():
    X, y = hardness.hitting_set_samples(3, [{0, 2}, [1, 1]])
    assert X.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 0]]
    assert y.tolist() == [-1, -1, -1, 1, 1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: hardness.hitting_set_samples(0, []), "`d` must be an integer ≥ 1"),
        (
            lambda: hardness.hitting_set_samples(2, [{0}, set()]),
            "`sets` must not contain an empty set; set 1",
        ),
        (
            lambda: hardness.hitting_set_samples(2, [{2}]),
            "`sets` must contain only integers from 0 to 1; got 2",
        ),
        (
            lambda: hardness.hitting_set_samples(2, [{-1}]),
            "`sets` must contain only integers from 0 to 1; got -1",
        ),
        (
            lambda: hardness.hitting_set_plane(2, {5}),
            "`elements` must contain only integers from 0 to 1; got 5",
        ),
        (
            lambda: hardness.vertex_cover_samples(3, [(0, 1, 2)]),
            "`edges` must be pairs of vertices",
        ),
        (
            lambda: hardness.hitting_set_from(ll.Hyperplane([1.0], 1.0), 1, [{0}]),
            "through the origin",
        ),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
