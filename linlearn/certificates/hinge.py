"""How far must samples fall short of margin 1? Planes bound it from above, multipliers from below."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import linalg

from linlearn._order import smallest
from linlearn.certificates._sums import blocks, rounding_of_sum, shortfalls, weighted_sum, witnesses
from linlearn.certificates.certificate import UNIT, Certificate, rounding
from linlearn.certificates.hinge_exact import multipliers_exact
from linlearn.checks import Array, check_samples

NEAR = 1e-6  # relative size of what is meant to be 0
MOST_EXACT = 50_000  # operations with fractions: some tenths of a second
TINY = 1e-30  # the same, where only products must not underflow
SPARE = 2.0**-36  # share of all multipliers that is given up, so that those at their bound can move


def enclose_hinge(
    X: ArrayLike, y: ArrayLike, *, primal: ArrayLike, dual: ArrayLike, balanced: bool = False
) -> Certificate:
    """Enclose min over (w, b) of Σ cᵢ(1 - mᵢ)₊ = max Σαᵢ over 0 ≤ α ≤ c, Zᵀα = 0.

    For any plane and any such α, Σαᵢ = Σαᵢ(1 - mᵢ) ≤ Σ cᵢ(1 - mᵢ)₊. The weights are cᵢ = 1/n, or 1/n₊ and
    1/n₋ when balanced.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (d+1,)
        Any plane a = (w, b).
    dual : shape (n,)
        Any multipliers: negative and non-finite ones are set to 0 and the rest clipped to c. Each is
        then moved by at most its distance to 0 and c so that Zᵀα = 0. Where no such move is found,
        α = 0 serves and lower is 0.

    Notes
    -----
    With D = min(α, c - α) and (Zᵀ diag(D) Z)h = Zᵀα, the move -Dᵢ⟨zᵢ, h⟩ stays in the box if all
    |⟨zᵢ, h⟩| ≤ 1. Moves are made in floating point until Zᵀα is down to rounding; that a last, exact
    one exists is proved by a lower bound of the smallest eigenvalue, and its cost is subtracted.
    Where that eigenvalue may be 0 (columns that depend on each other, too few multipliers inside the
    box) small data are solved in rational arithmetic instead. Linear programming duality; chapter
    "The linear programme".

    >>> X, y = [[0.0], [1.0], [2.0]], [1, -1, 1]
    >>> enclose_hinge(X, y, primal=[0.0, 1.0], dual=[1 / 6, 1 / 3, 1 / 6])
    Certificate(0.666667 ≤ hinge ≤ 0.666667)
    """
    X, y = check_samples(X, y)
    a, alpha = witnesses(X, y, primal, dual)
    count = np.where(y > 0, (y > 0).sum(), (y < 0).sum()) if balanced else len(y)
    c = np.full(len(y), 1 / count) * (1 - 2 * UNIT)  # never above the weight itself
    alpha = np.minimum(alpha, c)
    upper = math.fsum(shortfalls(X, y, a) / count) * (1 + rounding(4))
    lower = _in_the_kernel(X, y, c, alpha) if upper > 0 else 0.0
    return Certificate(
        "hinge", lower, upper, a, alpha, {"balanced": balanced}, 2.0 if balanced else 1.0
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Columns:
    """Rows zᵢ in other coordinates, (xᵢ - mean, 1)·yᵢ/scale, in which Zᵀα = 0 means the same."""

    X: Array
    y: Array
    mean: Array
    scale: Array

    @classmethod
    def of(cls, X: Array, y: Array, rows: NDArray[np.intp], D: Array) -> "_Columns":
        """Such that Zᵀ diag(D) Z over these rows has a diagonal near 1."""
        mean = D @ X[rows] / D.sum()
        square = np.append(D @ (X[rows] - mean) ** 2, D.sum())
        return cls(X, y, mean, np.sqrt(np.where(square > 0, square, 1.0)))

    def rows(self, rows: NDArray[np.intp]) -> Array:
        Z = np.ones((len(rows), len(self.scale)))
        Z[:, :-1] = self.X[rows] - self.mean
        return Z * self.y[rows, None] / self.scale

    def moment(self, alpha: Array, used: NDArray[np.intp]) -> tuple[Array, Array]:
        """Zᵀα and a bound of its rounding error, over the rows in `used`."""
        total, size = np.zeros(len(self.scale)), np.zeros(len(self.scale))
        for part in blocks(len(used)):
            Z, weight = self.rows(used[part]), alpha[used[part]]
            total += weighted_sum(weight, Z)
            size += weight @ np.abs(Z, out=Z)
        return total, rounding_of_sum(len(used)) * size


def _in_the_kernel(X: Array, y: Array, c: Array, alpha: Array) -> float:
    """A lower bound of Σα over some α near the given one in the box with Zᵀα = 0 exactly, or 0."""
    alpha = np.where(alpha < TINY * c, 0.0, alpha)
    if not alpha.any():
        return 0.0
    found = _moved(X, y, c, alpha * (1 - SPARE))
    return max(0.0, _degenerate(X, y, c, alpha) if found is None else found)


def _moved(X: Array, y: Array, c: Array, alpha: Array) -> float | None:
    """Such a bound by the moves that `enclose_hinge` describes; None where they do not exist."""
    used, k = np.flatnonzero(alpha), X.shape[1] + 1
    room = np.minimum(alpha, c - alpha)
    most = min(len(used), 20 * k + 200)
    move = used[smallest(-room[used], most)]
    D, columns = room[move], _Columns.of(X, y, move, room[move])
    Z = columns.rows(move)
    H = Z.T @ (D[:, None] * Z)
    value, vector = np.linalg.eigh(H)
    least = float(value[0]) - 8 * k * rounding(len(move) + k)
    if least <= 0:
        return None
    spent = 0.0  # share of the room that the moves have taken
    for attempt in range(4):
        r, error = columns.moment(alpha, used)
        if attempt == 3 or (np.abs(r) <= error).all():
            break
        moves = Z @ ((vector / value) @ (r @ vector))
        spent += float(np.abs(moves).max())
        alpha[move] -= D * moves
    left = float(np.linalg.norm(np.abs(r) + error)) * (1 + rounding(k + 4))  # ≥ ‖Zᵀα‖
    longest = float(np.linalg.norm(Z, axis=1).max()) * (1 + rounding(k + 8))
    if not spent + longest * left / least <= 0.99:
        return None
    # The last move costs ⟨ZᵀD1, h⟩ = ⟨plane, Zᵀα⟩ with plane = H⁻¹ZᵀD1.
    total = D @ Z
    plane = (vector / value) @ (total @ vector)
    size = np.abs(plane).sum() + D @ np.abs(Z)  # |Z|ᵀ diag(D) |Z| has no entry above 1
    slip = np.abs(H @ plane - total) + 2 * rounding(len(move) + 2 * k) * size
    cost = (np.abs(r) + error) @ np.abs(plane) + left * float(np.linalg.norm(slip)) / least
    return math.fsum(alpha) * (1 - rounding(2)) - float(cost) * (1 + rounding(2 * k))


def _degenerate(X: Array, y: Array, c: Array, alpha: Array) -> float:
    """The same where columns depend on each other, or in rational arithmetic where data are small."""
    kept = _independent(X)
    if len(kept) < X.shape[1]:
        return _in_the_kernel(np.ascontiguousarray(X[:, kept]), y, c, alpha)
    used, k = np.flatnonzero(alpha >= NEAR * c), X.shape[1] + 1
    inside = min(int((alpha[used] < (1 - NEAR) * c[used]).sum()), 2 * k)
    if not used.size or k * (len(used) + 10 * inside * min(inside, k)) > MOST_EXACT:
        return 0.0
    exact = multipliers_exact(
        X[used], y[used], [Fraction(v) for v in c[used].tolist()], alpha[used]
    )
    return float(sum(exact, Fraction(0))) * (1 - rounding(2)) if exact else 0.0


def _independent(X: Array) -> NDArray[np.intp]:
    """Columns of which the others are sums and differences, times powers of 2, plus a constant: exactly.

    What the factorisation takes for such a combination is believed only where it holds without
    rounding in every row.
    """
    varies = np.flatnonzero((X != X[0]).any(axis=0))
    some = X[:: max(1, len(X) // 1024), varies]
    centred = some - some.mean(axis=0)
    length = np.linalg.norm(centred, axis=0)
    length[length == 0] = 1.0
    _, R, order = linalg.qr(centred / length, mode="economic", pivoting=True)
    size = np.abs(np.diag(R))
    rank = int((size > 1e-10 * size[0]).sum()) if varies.size else 0
    kept, rest = np.sort(varies[order[:rank]]), varies[order[rank:]]
    for j in rest:
        t, *_ = np.linalg.lstsq(
            X[:, kept] - X[:, kept].mean(0), X[:, j] - X[:, j].mean(), rcond=None
        )
        near = np.flatnonzero(np.abs(t) > NEAR * np.abs(t).max(initial=0.0))
        t = np.sign(t[near]) * 2.0 ** np.rint(np.log2(np.abs(t[near])))
        terms = np.column_stack([X[:, kept[near]] * t, -X[:, j]])
        constant = math.fsum(terms[0])
        if any(math.fsum([*row, -constant]) for row in terms.tolist()):
            kept = np.append(kept, j)
    return np.sort(kept)
