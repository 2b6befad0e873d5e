"""The fewest mistakes of any line in the plane (a number), for samples of which no three lie on a line."""

from itertools import combinations

import numpy as np

from linlearn.validation import Array


def best_through_pairs(X: Array, y: Array) -> int:
    """The fewest mistakes in the plane: look at the lines through two samples."""
    fewest: int = min((y > 0).sum(), (y < 0).sum())
    for i, j in combinations(range(len(X)), 2):
        (u1, u2), (v1, v2) = X[i], X[j]
        side = (X[:, 0] - u1) * (v2 - u2) - (X[:, 1] - u2) * (v1 - u1)
        others = np.delete(y * side, [i, j])
        if not others.all():
            raise ValueError("`X` must have no three samples on a line: use `zero_one`")
        fewest = min(fewest, (others <= 0).sum(), (others >= 0).sum())
    return fewest
