"""Which columns make up all the others? Decided in whole numbers, since rounding hides it."""

import numpy as np

from linlearn.checks import Array
from linlearn.exact.lifting import SMALL, echelon, solution
from linlearn.exact.whole import units, whole

Relation = dict[int, int]  # Σ multiple · column = 0, the column in question among them


def independent_columns(X: Array, *, offset: bool = True) -> np.ndarray:
    """Columns that, with the constant, span exactly what all columns and the constant span; indices, (r,).

    A column is left out only when whole numbers D ≠ 0, N₀, Nₖ with D·xⱼ = N₀ + Σ Nₖxₖ have been found,
    over columns k that stay, and checked in every row. Of columns that make up each other the first ones
    stay. Columns that depend on each other only up to rounding all stay.

    Parameters
    ----------
    X : shape (n, d), finite
    offset : bool
        False leaves the constant out of both spans.

    Notes
    -----
    A float is a whole number times a power of two, and 2 has an inverse modulo an odd prime. Columns that
    are independent modulo a prime in some of the rows are independent. Each other column is solved for
    in whole numbers. A row that refutes the solution joins the rows from which the next attempt is made.
    A column whose fractions need more than 65,536 bits stays.

    >>> independent_columns(np.array([[1.0, 0, 2], [0, 1, 0], [1, 0, 2], [0, 1, 0]])).tolist()
    [0]
    >>> independent_columns(np.array([[0.1, 0.2, 0.3], [0.5, 1.0, 1.5], [0.7, 1.4, 2.1]])).tolist()
    [0, 2]
    """
    n = len(X)
    A = _in_like_units(np.column_stack([np.ones(n), X]) if offset else X)
    rows = np.unique(np.linspace(0, n - 1, min(n, 2 * A.shape[1] + 64)).astype(int))
    while True:
        at, pivots, relations = echelon(_modulo(A[rows], SMALL))
        kept, refuting = set(pivots), set[int]()
        if len(pivots) < n:  # as many as there are samples would span everything
            for j, support in relations.items():
                relation = _lifted(A[rows[at]], support, j, pivots)
                row = None if relation is None else _violated(A, relation)
                if relation is None or (row is not None and row in rows):
                    kept.add(j)  # dependent modulo `SMALL` only
                elif row is not None:
                    refuting.add(row)
        if not refuting:
            return np.array(sorted(kept - {0}) if offset else sorted(kept), dtype=np.intp) - offset
        rows = np.union1d(rows, list(refuting))


def _in_like_units(A: Array) -> Array:
    """Each column over a power of two, so that its largest entry is in [½, 1), wherever that is exact."""
    k = np.frexp(np.abs(A).max(axis=0))[1]
    scaled = np.ldexp(A, -k)
    return np.where((np.ldexp(scaled, k) == A).all(axis=0), scaled, A)


def _modulo(A: Array, q: int) -> np.ndarray:
    """The floats modulo q: mantissa times a power of two, which has an inverse."""
    m, e = np.frexp(A)
    exponents, at = np.unique(e, return_inverse=True)
    powers = np.array([pow(2, k - 53, q) for k in exponents.tolist()], dtype=np.int64)
    return np.ldexp(m, 53).astype(np.int64) % q * powers[at.reshape(e.shape)] % q


def _lifted(A: Array, support: list[int], j: int, pivots: list[int]) -> Relation | None:
    """Column j from the pivots in its support, in whole numbers, by the rows of the invertible block.

    Modulo `SMALL` other pivots have no part in it; so only few unknowns are solved for.
    """
    columns = [pivots[k] for k in support]
    rows = echelon(_modulo(A[:, columns], SMALL))[0]
    M = A[rows][:, [*columns, j]].T
    M = whole(M, units(M)).T  # each equation in units of its own
    found = solution(M[:, :-1], M[:, -1])
    return None if found is None else dict(zip(columns, found[0], strict=True)) | {j: -found[1]}


def _violated(A: Array, relation: Relation) -> int | None:
    """The first row in which the relation fails, None if it holds everywhere: in whole numbers."""
    multiples = list(relation.values())
    m, e = np.frexp(A[:, list(relation)])
    whole, shift = (
        np.ldexp(m, 53).astype(np.int64),
        np.where(m == 0, 0, e - e[m != 0].min(initial=0)),
    )
    for i, (u, s) in enumerate(zip(whole.tolist(), shift.tolist(), strict=True)):
        if sum(k * (v << t) for k, v, t in zip(multiples, u, s, strict=True)):
            return i
    return None
