"""The smallest values are chosen by value, then by place: nothing is left to the processor."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from linlearn.solvers.stable_argpartition import stable_argpartition


@given(values=st.lists(st.integers(-3, 3), min_size=1, max_size=600), data=st.data())
def test_the_smallest_and_of_equals_the_first(values, data):
    count = data.draw(st.integers(1, len(values)))
    expected = sorted(sorted(range(len(values)), key=lambda i: (values[i], i))[:count])
    assert stable_argpartition(np.array(values, dtype=float), count).tolist() == expected
