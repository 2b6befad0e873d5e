"""Linear equations in whole numbers, solved modulo a prime and lifted to its powers (Dixon 1982)."""

import numpy as np

SMALL = 2**31 - 19  # a prime that int64 can multiply with
FIRST = 16  # steps before the first attempt to read fractions; then twice as many
MOST_BITS = 2**16  # of numerators or the denominator that are looked for


def solution(A: np.ndarray, b: np.ndarray) -> tuple[list[int], int] | None:
    """N and D > 0 with A·N = D·b, checked, for whole numbers A, (k, k), and b, (k,), dtype object.

    None if A is singular modulo `SMALL`, or if there are none of `MOST_BITS` bits. With C = A⁻¹ modulo q
    the digits of the solution come one by one: c = C·r mod q, and the rest r becomes (r - A·c)/q. Euclid's
    algorithm reads short fractions from the digits (Wang 1981).

    >>> solution(np.array([[2, 1], [1, 1]], dtype=object), np.array([1, 0], dtype=object))
    ([1, -1], 1)
    """
    C = _inverse((A % SMALL).astype(np.int64))
    if C is None:
        return None
    x, r, q, steps = np.zeros(len(b), dtype=object), b, 1, FIRST
    while q.bit_length() <= 2 * MOST_BITS:
        for _ in range(steps):
            c = (C * (r % SMALL).astype(np.int64) % SMALL).sum(axis=1) % SMALL
            c = c.astype(object)
            x, r, q = x + q * c, (r - A @ c) // SMALL, q * SMALL
        found = short_fractions(x.tolist(), q)
        if found is not None and not (A @ np.array(found[0], dtype=object) - found[1] * b).any():
            return found
        steps *= 2
    return None


def echelon(A: np.ndarray) -> tuple[list[int], list[int], dict[int, list[int]]]:
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


def relation(A: np.ndarray) -> list[int] | None:
    """Whole numbers α ≠ 0 with Aᵀα = 0, checked, if they are unique up to a factor; A (k, p), dtype object.

    >>> relation(np.array([[2, 4], [-1, -2]], dtype=object))
    [1, 2]
    """
    at, pivots, others = echelon((A.T % SMALL).astype(np.int64))
    if len(others) != 1:
        return None
    [j], M = others, A.T[at]
    found = solution(M[:, pivots], -M[:, j])
    if found is None:
        return None
    alpha = np.zeros(len(A), dtype=object)
    alpha[pivots], alpha[j] = found
    return None if (A.T @ alpha).any() else alpha.tolist()


def _inverse(A: np.ndarray) -> np.ndarray | None:
    """A⁻¹ modulo `SMALL`, shape (k, k), or None."""
    k = len(A)
    M = np.concatenate([A, np.eye(k, dtype=np.int64)], axis=1)
    for c in range(k):
        found = np.flatnonzero(M[c:, c])
        if not found.size:
            return None
        M[[c, c + found[0]]] = M[[c + found[0], c]]
        M[c] = M[c] * pow(int(M[c, c]), -1, SMALL) % SMALL
        others = np.flatnonzero(M[:, c])
        others = others[others != c]
        M[others] = (M[others] - M[others, c, None] * M[c] % SMALL) % SMALL
    return M[:, k:]


def short_fractions(values: list[int], q: int) -> tuple[list[int], int] | None:
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
