"""Find linearly independent columns that span all others, in integers, since rounding hides dependence."""

from fractions import Fraction

import numpy as np

from linlearn.exact.dyadic import products, units, whole
from linlearn.exact.elimination import kernel
from linlearn.validation import Array

PRIME = 2**31 - 19  # one that int64 can multiply with


def independent_columns(X: Array, *, fit_intercept: bool = True) -> np.ndarray:
    """Columns that, with the constant, span exactly what all columns and the constant span; indices, (r,).

    A column is left out only when fractions with xⱼ = c₀ + Σ cₖxₖ have been found, over columns k that stay,
    and checked in every row. Of columns that make up each other the first ones stay. Columns that depend on
    each other only up to rounding all stay.

    Parameters
    ----------
    X : shape (n, d), finite
    fit_intercept : bool
        False leaves the constant out of both spans.

    Notes
    -----
    A float is an integer times a power of two, and 2 has an inverse modulo an odd prime. Columns that
    are independent modulo a prime in some of the rows are independent. Each other column is solved for
    in integers. A row that refutes the solution joins the rows from which the next attempt is made.

    Examples
    --------
    >>> independent_columns(np.array([[1.0, 0, 2], [0, 1, 0], [1, 0, 2], [0, 1, 0]])).tolist()
    [0]
    >>> independent_columns(np.array([[0.1, 0.2, 0.3], [0.5, 1.0, 1.5], [0.7, 1.4, 2.1]])).tolist()
    [0, 2]
    """
    n = len(X)
    A = np.column_stack([np.ones(n), X]) if fit_intercept else X
    rows = np.unique(np.linspace(0, n - 1, min(n, 2 * A.shape[1] + 64)).astype(int))
    while True:
        at, pivots, made_up = _echelon(_modulo(A[rows], PRIME))
        kept, refuting = set(pivots), set[int]()
        if len(pivots) < n:  # as many as there are samples would span everything
            for j, others in made_up.items():
                refutes = _refuted(A, rows[at], [*others, j])
                if refutes is None:
                    continue
                if refutes in rows:
                    kept.add(j)  # dependent modulo `PRIME` only
                else:
                    refuting.add(refutes)
        if not refuting:
            return (
                np.array(sorted(kept - {0}) if fit_intercept else sorted(kept), dtype=np.intp)
                - fit_intercept
            )
        rows = np.union1d(rows, list(refuting))


def independent_rows(A: Array) -> np.ndarray:
    """Rows that are independent, as many as there are modulo a prime; indices, (r,).

    >>> independent_rows(np.array([[1.0, 2.0], [2.0, 4.0], [0.0, 1.0]])).tolist()
    [0, 2]
    """
    return np.sort(np.array(_echelon(_modulo(A, PRIME))[0], dtype=np.intp))


def combination(X: Array, t: Array) -> list[Fraction] | None:
    """Fractions c, d + 1 of them, with tᵢ = Σ cⱼxᵢⱼ + c_d in every row, or None where there are none.

    Parameters
    ----------
    X, t : shapes (n, d) and (n,), finite

    Examples
    --------
    >>> combination(np.array([[0.0, 1.0], [2.0, 0.0], [4.0, 1.0]]), np.array([1.0, 2.0, 3.0]))
    [Fraction(1, 2), Fraction(0, 1), Fraction(1, 1)]
    """
    n, d = X.shape
    kept = independent_columns(np.column_stack([X, t]))
    if d in kept:
        return None
    A = np.column_stack([X, np.ones(n), t])
    columns = [*kept.tolist(), d, d + 1]
    relation = _relation(A, independent_rows(A[:, columns[:-1]]), columns)
    if relation is None:
        return None  # the columns that stay are independent, but not modulo `PRIME`
    c = dict(zip(columns, (-v / relation[-1] for v in relation), strict=True))
    return [c.get(j, Fraction(0)) for j in range(d + 1)]


def _modulo(A: Array, q: int) -> np.ndarray:
    """The floats modulo q: mantissa times a power of two, which has an inverse."""
    m, e = np.frexp(A)
    exponents, at = np.unique(e, return_inverse=True)
    powers = np.array([pow(2, k - 53, q) for k in exponents.tolist()], dtype=np.int64)
    return np.ldexp(m, 53).astype(np.int64) % q * powers[at.reshape(e.shape)] % q


def _refuted(A: Array, rows: np.ndarray, columns: list[int]) -> int | None:
    """A row in which the one relation that these columns have in `rows` fails; None if it holds everywhere.

    If they have none there, the first of `rows`.
    """
    relation = _relation(A, rows, columns)
    if relation is None:
        return int(rows[0])
    wrong = np.flatnonzero(products(A[:, columns], relation)[0])
    return int(wrong[0]) if wrong.size else None


def _relation(A: Array, rows: np.ndarray, columns: list[int]) -> list[Fraction] | None:
    """The one relation that these columns have in `rows`, up to its scale, or None."""
    block = A[rows][:, columns]
    k = units(block)
    multiples = kernel(whole(block, k).tolist(), len(columns))
    if multiples is None:
        return None
    return [v / Fraction(2) ** j for v, j in zip(multiples, k.tolist(), strict=True)]


def _echelon(A: np.ndarray) -> tuple[list[int], list[int], dict[int, list[int]]]:
    """Rows and columns of a largest invertible block modulo `PRIME`; which of them make up each other one."""
    A, left = A.copy(), np.ones(len(A), dtype=bool)
    at: list[int] = []
    pivots: list[int] = []
    for j in range(A.shape[1]):
        found = np.flatnonzero(left & (A[:, j] != 0))
        if not found.size:
            continue
        i = int(found[0])
        A[i] = A[i] * pow(int(A[i, j]), -1, PRIME) % PRIME
        others = np.flatnonzero(A[:, j] != 0)
        others = others[others != i]
        A[others] = (A[others] - A[others, j, None] * A[i] % PRIME) % PRIME
        left[i] = False
        at.append(i)
        pivots.append(j)
    rest = [j for j in range(A.shape[1]) if j not in set(pivots)]
    return at, pivots, {j: [pivots[k] for k in np.flatnonzero(A[at, j])] for j in rest}
