"""Losses agree with their derivatives, their conjugates and their reputation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linlearn import losses

ALL = [
    losses.ZERO_ONE,
    losses.PERCEPTRON,
    losses.HINGE,
    losses.SQUARED_HINGE,
    losses.LOGISTIC,
    losses.SIGMOID,
    losses.SQUARED,
]
SMOOTH = [losses.SQUARED_HINGE, losses.LOGISTIC, losses.SIGMOID, losses.SQUARED]
CONVEX = [losses.PERCEPTRON, losses.HINGE, losses.SQUARED_HINGE, losses.LOGISTIC, losses.SQUARED]
m = np.array([-30.0, -2.3, -1.0, -0.4, 0.3, 0.9, 1.7, 25.0])


@pytest.mark.parametrize("loss", ALL, ids=repr)
def test_slope_is_the_derivative(loss):
    """Central differences, away from the kinks at 0 and 1."""
    h = 1e-5
    assert loss.slope(m) == pytest.approx(
        (loss.value(m + h) - loss.value(m - h)) / (2 * h), abs=2e-9 * 60
    )


@pytest.mark.parametrize("loss", SMOOTH, ids=repr)
def test_curvature_is_the_derivative_of_the_slope(loss):
    h = 1e-5
    assert loss.curvature(m) == pytest.approx(
        (loss.slope(m + h) - loss.slope(m - h)) / (2 * h), abs=1e-8
    )


@pytest.mark.parametrize("loss", CONVEX, ids=repr)
@given(m=st.floats(-20, 20), s=st.floats(-3, 3))
def test_fenchel_young(loss, m, s):
    """φ(m) + φ*(s) ≥ ms always, with equality at s = φ′(m)."""
    assert loss.value(m) + loss.conjugate(s) >= m * s - 1e-9
    at = loss.slope(m)
    assert loss.value(m) + loss.conjugate(at) == pytest.approx(m * at, abs=1e-8)


@pytest.mark.parametrize("loss", CONVEX, ids=repr)
def test_the_slope_is_a_subgradient_at_the_kinks(loss):
    for at in (0.0, 1.0):
        assert (loss.value(m) >= loss.value(at) + loss.slope(at) * (m - at) - 1e-12).all()


def test_convexity_and_bounds():
    """Who is convex, who bounds the zero-one loss, and that a tie is a mistake."""
    assert [loss.convex for loss in ALL] == [False, True, True, True, True, False, True]
    assert losses.ZERO_ONE.value([-1.0, 0.0, 1e-9]).tolist() == [1, 1, 0]
    mistakes = losses.ZERO_ONE.value(m)
    for loss in (losses.HINGE, losses.SQUARED_HINGE, losses.SQUARED):
        assert (loss.value(m) >= mistakes).all()
    assert (losses.LOGISTIC.value(m) / np.log(2) >= mistakes).all()
    assert not (losses.PERCEPTRON.value([-0.4, 0.0]) >= 1).any()


def test_no_overflow_far_out():
    far = np.array([-1e4, 1e4])
    with np.errstate(over="raise", invalid="raise"):
        assert losses.LOGISTIC.value(far).tolist() == [1e4, 0]
        assert losses.SIGMOID.value(far).tolist() == [1, 0]
        assert np.isposinf(losses.HINGE.conjugate([-1.5, 0.5])).all()
