"""Diagnose nearly dependent columns, which keep a certificate open, and name those to drop."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from linlearn._scipy import linalg
from linlearn.exact.column_space import independent_columns
from linlearn.validation import Array, Index, name_columns

# Least singular value, columns of length 1, below which rounding shows in a certificate.
NEAR = 2.0**-12
SHARE = 2.0**-4  # of the largest coefficient in the combination: columns with less are not named
ROWS = 20_000  # that are looked at: a combination that is small on all of them is small on these


class NearDependence(NamedTuple):
    """Columns with a combination that hardly varies, and how little, relative to columns of length 1."""

    columns: Index
    relative: float

    def __str__(self) -> str:
        """What to do about it.

        >>> print(NearDependence(np.array([3, 7]), 3.2e-12))
        columns 3 and 7 are nearly dependent (a combination of them varies by only 3e-12 of their spread): \
drop one of them
        """
        return self.told(None)

    def told(self, names: Sequence[str] | None) -> str:
        """The same, with the columns' names in the place of their numbers."""
        several = len(self.columns) > 1
        verb = "are nearly dependent" if several else "is nearly constant"
        drop = "drop one of them" if several else "drop it"
        named = name_columns([j if names is None else names[j] for j in self.columns])
        what = "a combination of them" if several else "it"
        return f"{named} {verb} ({what} varies by only {self.relative:.0e} of their spread): {drop}"

    def sentence(self, names: Sequence[str] | None = None) -> str:
        """The same with a capital letter."""
        told = self.told(names)
        return f"{told[0].upper()}{told[1:]}"


def near_dependence(X: Array) -> NearDependence | None:
    """The columns of the combination of X's features that varies least, if it nearly vanishes; else None.

    Columns that others make up exactly are left out first: they cost no certificate anything.

    >>> x = np.arange(9.0)
    >>> X = np.column_stack([x, x * x, x + 1e-9 * np.cos(x)])
    >>> print(near_dependence(X))
    columns 0 and 2 are nearly dependent (a combination of them varies by only 2e-10 of their spread): \
drop one of them
    >>> near_dependence(X[:, :2]) is None
    True
    """
    X = X[:: -(-len(X) // ROWS)]
    kept = independent_columns(np.unique(X, axis=0))
    Z = X[:, kept] - X[:, kept].mean(axis=0)
    if not 0 < len(kept) < len(Z):
        return None
    Z = Z / np.linalg.norm(Z, axis=0)
    (R,) = linalg.qr(Z, mode="r", check_finite=False)
    _, values, V = linalg.svd(R[: len(kept)], check_finite=False)
    if not values[-1] < NEAR:
        return None
    part = np.abs(V[-1])
    return NearDependence(kept[part > SHARE * part.max()], max(float(values[-1]), 2.0**-53))
