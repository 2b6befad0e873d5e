"""Which columns make up all the others? Decided in whole numbers, since rounding hides it."""

import numpy as np

from linlearn.checks import Array

SMALL = 2**31 - 19  # a prime that int64 can multiply with: it finds columns that are independent
LARGE = (521, 4423)  # 2^k - 1 are primes: they find fractions N/D with |N|, D below 2^(k/2 - 1)

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
    modulo a large prime, from whose remainders Euclid's algorithm reads short fractions (Wang 1981).
    A row that refutes them joins the rows from which the next attempt is made. A column whose fractions
    need more than 2200 bits stays.

    >>> independent_columns(np.array([[1.0, 0, 2], [0, 1, 0], [1, 0, 2], [0, 1, 0]])).tolist()
    [0]
    >>> independent_columns(np.array([[0.1, 0.2, 0.3], [0.5, 1.0, 1.5], [0.7, 1.4, 2.1]])).tolist()
    [0, 2]
    """
    n = len(X)
    A = _in_like_units(np.column_stack([np.ones(n), X]) if offset else X)
    rows = np.unique(np.linspace(0, n - 1, min(n, 2 * A.shape[1] + 64)).astype(int))
    while True:
        at, pivots, relations = _echelon(_modulo(A[rows], SMALL))
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


def _echelon(A: np.ndarray) -> tuple[list[int], list[int], dict[int, list[int]]]:
    """Rows and columns of a largest invertible block modulo `SMALL`; which pivots make up the others."""
    A, left = A.copy(), np.ones(len(A), dtype=bool)
    at: list[int] = []
    pivots: list[int] = []
    for j in range(A.shape[1]):
        found = np.flatnonzero(left & (A[:, j] != 0))
        if not found.size:
            continue
        i = int(found[0])
        A[i] = A[i] * pow(int(A[i, j]), -1, SMALL) % SMALL
        others = np.flatnonzero(A[:, j] != 0)
        others = others[others != i]
        A[others] = (A[others] - A[others, j, None] * A[i] % SMALL) % SMALL
        left[i] = False
        at.append(i)
        pivots.append(j)
    rest = [j for j in range(A.shape[1]) if j not in set(pivots)]
    return at, pivots, {j: np.flatnonzero(A[at, j]).tolist() for j in rest}


def _lifted(A: Array, support: list[int], j: int, pivots: list[int]) -> Relation | None:
    """Column j from the pivots in its support, in whole numbers, by the rows of the invertible block.

    Modulo `SMALL` other pivots have no part in it; so only few unknowns are solved for.
    """
    columns = [pivots[k] for k in support]
    rows = _echelon(_modulo(A[:, columns], SMALL))[0]
    for bits in LARGE:
        q = 2**bits - 1
        solved = _solved(
            [[_residue(v, q) for v in row] for row in A[rows][:, [*columns, j]].tolist()], q
        )
        fractions = None if solved is None else _short_fractions(solved, q)
        if fractions is not None:
            N, D = fractions
            return dict(zip(columns, N, strict=True)) | {j: -D}
    return None


def _residue(v: float, q: int) -> int:
    numerator, denominator = v.as_integer_ratio()
    return numerator * pow(denominator, -1, q) % q


def _solved(M: list[list[int]], q: int) -> list[int] | None:
    """The solution of a square system modulo the prime q, right-hand sides last; None if it is singular."""
    for c in range(len(M)):
        r = next((i for i in range(c, len(M)) if M[i][c]), None)
        if r is None:
            return None
        M[c], M[r] = M[r], M[c]
        inverse = pow(M[c][c], -1, q)
        top = M[c] = [v * inverse % q for v in M[c]]
        M = [
            row
            if i == c or not row[c]
            else [(u - row[c] * v) % q for u, v in zip(row, top, strict=True)]
            for i, row in enumerate(M)
        ]
    return [row[-1] for row in M]


def _short_fractions(values: list[int], q: int) -> tuple[list[int], int] | None:
    """N, D with values ≡ N/D modulo q, shorter than half of q, by Euclid's algorithm; None without such."""
    limit, D = q.bit_length() // 2 - 1, 1
    for v in values:
        r, s = (q, v * D % q), (0, 1)
        while r[1] >> limit:
            k = r[0] // r[1]
            r, s = (r[1], r[0] - k * r[1]), (s[1], s[0] - k * s[1])
        D *= abs(s[1])
        if D >> limit:
            return None
    N = [v * D % q for v in values]
    N = [v - q if v > q // 2 else v for v in N]
    return (N, D) if all(abs(v) >> limit == 0 for v in N) else None


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
