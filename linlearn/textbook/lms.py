"""Widrow and Hoff's rule (LMS): a step against the gradient of one sample's squared error."""

from collections.abc import Iterable, Iterator

import numpy as np

from linlearn.validation import Array, Index


def widrow_hoff(rows: Array, t: Array, picks: Index, rates: Iterable[float]) -> Iterator[Array]:
    """Every state of a; one run for each column of picks."""
    a = np.zeros(np.shape(picks[0]) + rows.shape[1:])
    yield a
    for i, eta in zip(picks, rates):
        error = t[i] - (rows[i] * a).sum(axis=-1)
        a = a + eta * error[..., None] * rows[i]
        yield a
