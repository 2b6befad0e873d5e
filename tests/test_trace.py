"""A trace is a sequence of steps from which fields can be stacked."""

import numpy as np
import pytest

import linlearn as ll


def steps(n):
    return tuple(ll.Step(k=k, plane=ll.Hyperplane([k, 2.0 * k], -k)) for k in range(n))


def test_fields_are_stacked():
    trace = ll.Trace(steps(4))
    assert trace["k"].tolist() == [0, 1, 2, 3] and trace["b"].tolist() == [0, -1, -2, -3]
    assert trace["w"].shape == (4, 2) and trace["a"].shape == (4, 3)
    assert np.array_equal(trace["a"][:, :2], trace["w"])
    with pytest.raises(KeyError, match="a step has no field 'objective'; it has k, w, b, a"):
        trace["objective"]


def test_it_is_a_sequence():
    trace = ll.Trace(steps(4))
    assert len(trace) == 4 and trace[-1].k == 3 and [s.k for s in trace[1:3]] == [1, 2]
    assert [s.k for s in trace] == [0, 1, 2, 3]
    assert repr(trace) == "Trace(3 updates)"


def test_a_closed_form_has_one_state():
    trace = ll.Trace.closed_form(ll.Hyperplane([1.0]))
    assert len(trace) == 1 and trace[0].k == 0
