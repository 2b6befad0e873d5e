"""Hyperplanes: distance, projection, scale, lifting."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import linlearn as ll

vectors = hnp.arrays(float, 3, elements=st.floats(-10, 10).map(lambda v: round(v, 3)))


@given(w=vectors, b=st.integers(-100, 100), x=vectors, other=vectors)
def test_the_projection_is_the_nearest_point(w, b, x, other):
    """It lies on the plane, at |distance|, and every other point of the plane is farther away."""
    assume(np.linalg.norm(w) > 0.1)
    plane = ll.Hyperplane(w, b)
    foot, distance = plane.project([x])[0], plane.distance([x])[0]
    assert plane.score([foot])[0] == pytest.approx(0, abs=1e-11)
    assert np.linalg.norm(x - foot) == pytest.approx(abs(distance), abs=1e-12)
    on_plane = plane.project([other])[0]
    assert np.linalg.norm(x - on_plane) >= abs(distance) - 1e-12
    assert np.sign(distance) == np.sign(plane.score([x])[0])


@given(w=vectors, b=st.floats(-10, 10), x=vectors, c=st.floats(0.01, 100))
def test_a_positive_factor_changes_nothing_and_a_negative_one_flips(w, b, x, c):
    assume(np.linalg.norm(w) > 0.1 and abs(w @ x + b) > 1e-9)
    plane = ll.Hyperplane(w, b)
    assert ll.Hyperplane(c * w, c * b).predict([x]) == plane.predict([x])
    assert ll.Hyperplane(-c * w, -c * b).predict([x]) == -plane.predict([x])
    assert ll.Hyperplane(c * w, c * b).distance([x]) == pytest.approx(plane.distance([x]))


def test_a_tie_is_predicted_negative_and_counts_as_a_mistake_for_both_labels():
    plane = ll.Hyperplane([1.0, 0.0], -2.0)
    assert plane.predict([[2.0, 5.0]]).tolist() == [-1]
    assert ll.margins(plane, [[2.0, 5.0], [2.0, 5.0]], [1, -1]).tolist() == [0, 0]


def test_lifting_keeps_scores_and_the_constant_comes_last():
    X, y = ll.data.drawn()
    plane = ll.Hyperplane([0.3, -2.0], 0.7)
    assert plane.a.tolist() == [0.3, -2.0, 0.7]
    back = ll.Hyperplane.from_homogeneous(plane.a)
    assert back.w.tolist() == [0.3, -2.0] and back.b == 0.7
    assert ll.signed(X, y) @ plane.a == pytest.approx(ll.margins(plane, X, y))
    assert np.array_equal(ll.signed(X, y, fit_intercept=False), y[:, None] * X)


def test_canonical_means_smallest_margin_one():
    X, y = ll.data.drawn()
    plane = ll.separate(X, y).plane
    canonical = plane.canonical(X, y)
    assert ll.margins(canonical, X, y).min() == pytest.approx(1)
    assert canonical.distance(X) == pytest.approx(plane.distance(X))
    with pytest.raises(ValueError, match="`canonical` needs a hyperplane that separates"):
        plane.canonical(X, -y)


def test_no_direction_no_geometry():
    """w = 0 scores and predicts, but has no distance, projection or canonical form."""
    nothing = ll.Hyperplane([0.0, 0.0], 1.0)
    X, y = ll.data.drawn()
    assert nothing.score(X).tolist() == [1] * 24 and nothing.predict(X).tolist() == [1] * 24
    for call in (
        lambda: nothing.distance(X),
        lambda: nothing.project(X),
        lambda: nothing.canonical(X, y),
    ):
        with pytest.raises(ValueError, match="needs a hyperplane; got w = 0"):
            call()


def test_a_plane_does_not_change():
    w = np.array([1.0, 2.0])
    plane = ll.Hyperplane(w)
    w[0] = 9
    assert plane.w[0] == 1
    with pytest.raises(ValueError, match="read-only"):
        plane.w[0] = 9
    with pytest.raises(AttributeError):
        plane.b = 3


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ll.Hyperplane([[1.0]]), r"`w` must have shape"),
        (lambda: ll.Hyperplane([]), r"`w` must have shape"),
        (lambda: ll.Hyperplane(["a"]), r"`w` must hold real numbers"),
        (lambda: ll.Hyperplane([np.nan]), r"`w` must be finite; got nan at position 0"),
        (lambda: ll.Hyperplane([1.0], np.inf), r"`b` must be a finite number; got inf"),
        (lambda: ll.Hyperplane.from_homogeneous([1.0]), r"`a` must have shape \(d\+1,\)"),
        (lambda: ll.Hyperplane([1.0, 2.0]).score([[1.0]]), r"`X` must have 2 columns"),
        (
            lambda: ll.margins(ll.Hyperplane([1.0]), [[1.0]], [1, -1]),
            r"same number of samples; got 1 rows and 2 labels",
        ),
    ],
)
def test_bad_planes_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_repr_is_one_short_line():
    assert (
        repr(ll.Hyperplane(np.arange(9) / 3, -2)) == "Hyperplane(w=[0, 0.3333, 0.6667, 1, …], b=-2)"
    )
