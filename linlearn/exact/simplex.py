"""Does a plane separate? The simplex method in whole numbers: a plane, or Gordan's vector, as fractions."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from linlearn.checks import Array
from linlearn.exact.whole import in_like_units, power, units, whole

WORD = 64  # bits; work is counted in products of numbers of so many


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """A plane a with Za > 0, or weights α ≥ 0, Σα = 1, Zᵀα = 0 by row; neither if the work ran out."""

    plane: list[Fraction] | None
    weights: dict[int, Fraction] | None
    work: int


def decide(Z: Array, support: np.ndarray, *, max_work: float = float("inf")) -> Decision:
    """Gordan's alternative for the rows of Z, shape (n, p): Za > 0 for some a, or Zᵀα = 0 for weights α.

    The first phase of the simplex method for Zᵀα = 0, Σα = 1, α ≥ 0 (Dantzig 1963): it minimises what is
    missing, starting from the rows in `support`. At 0 the weights are found; at a positive minimum the
    prices π have ⟨π, (zᵢ, 1)⟩ ≤ 0 for all rows, and a = -π without its last entry separates. Each basis is
    solved in whole numbers. Floats choose the rows that enter, as long as their error leaves no doubt.

    Parameters
    ----------
    Z : shape (n, p)
    support : indices of rows that may carry weight
    max_work : number of products of 64 bits that may be spent

    >>> decide(np.array([[1.0], [-2.0]]), np.array([], dtype=int)).weights
    {0: Fraction(2, 3), 1: Fraction(1, 3)}
    >>> decide(np.array([[1.0, 1.0], [-0.5, 1.0]]), np.array([0])).weights is None
    True
    """
    Z, k = in_like_units(Z)
    tableau = _Tableau.started(Z, support, max_work)
    best: Fraction | None = None
    while tableau.work <= max_work:
        missing = tableau.missing()
        if missing == 0:
            return Decision(None, tableau.weights(), tableau.work)
        # Bland's rule while nothing improves (Bland 1977): no basis comes back.
        entering = tableau.entering(bland=missing == best)
        best = missing
        if entering is None:
            plane = [v / power(int(j)) for v, j in zip(tableau.plane(), k, strict=True)]
            return Decision(plane, None, tableau.work)
        tableau.take_in(entering)
    return Decision(None, None, tableau.work)


class _Tableau:
    """A basis B of columns (zᵢ, 1) and of artificial ones ±e_r, and N = det(B)·B⁻¹ in whole numbers.

    Where row r leaves for a column with d = N·column, every other row of N becomes (d_r·Nᵢ - dᵢ·N_r)/det, a
    division without remainder, and d_r is the next determinant (Bareiss 1968; Edmonds 1967).
    """

    def __init__(self, Z: Array) -> None:
        self.Z, m = Z, Z.shape[1] + 1
        self.units = units(Z)
        self.N = np.eye(m, dtype=int).astype(object)
        self.det = 1
        self.basis: list[int | None] = [None] * m  # None: artificial
        self.columns: dict[int, np.ndarray] = {}
        self.work = 0

    @classmethod
    def started(cls, Z: Array, support: np.ndarray, max_work: float) -> "_Tableau":
        """With rows of the support in the basis, as many as are independent and get no negative weight."""
        left, work = support.tolist(), 0
        while True:
            self = cls(Z)
            self.work = work
            for i in left:
                if self.work > max_work:
                    return self
                d = self.times(self.column(i))
                free = [r for r, j in enumerate(self.basis) if j is None and d[r]]
                if free:
                    self.pivot(max(free, key=lambda r: abs(d[r])), d, i)
            negative = {i for i, v in zip(self.basis, self.values(), strict=True) if v < 0}
            if not negative - {None}:
                break
            left, work = [i for i in left if i not in negative], self.work
        turned = [r for r, v in enumerate(self.values()) if v < 0]
        self.N[turned] = -self.N[turned]  # artificial columns of the other sign
        return self

    def column(self, i: int) -> np.ndarray:
        """(zᵢ, 1), each entry in the unit of its column."""
        if i not in self.columns:
            self.columns[i] = np.append(whole(self.Z[i], self.units), 1)
        return self.columns[i]

    def times(self, column: np.ndarray) -> np.ndarray:
        used = np.flatnonzero(column)
        self.work += len(self.N) * len(used) * self._words()
        return self.N[:, used] @ column[used]

    def values(self) -> list[int]:
        """The weights of the basis, times |det|: B⁻¹(0, 1)."""
        return (self.N[:, -1] * self._sign()).tolist()

    def missing(self) -> Fraction:
        """Σ of the artificial variables."""
        values = zip(self.basis, self.values(), strict=True)
        return Fraction(sum(v for i, v in values if i is None), abs(self.det))

    def weights(self) -> dict[int, Fraction]:
        values = zip(self.basis, self.values(), strict=True)
        return {i: Fraction(v, abs(self.det)) for i, v in values if i is not None and v}

    def prices(self) -> np.ndarray:
        """π times |det|: the sum of the artificial rows of B⁻¹."""
        own = [r for r, i in enumerate(self.basis) if i is None]
        return self.N[own].sum(axis=0) * self._sign()

    def plane(self) -> list[Fraction]:
        scaled = [-v / power(k) for v, k in zip(self.prices(), self.units.tolist(), strict=False)]
        top = max(map(abs, scaled))
        return [v / top for v in scaled]

    def entering(self, *, bland: bool) -> int | None:
        """A row with ⟨π, (zᵢ, 1)⟩ > 0, the first if `bland`; None if there is none."""
        pi = self.prices()
        scaled = [v / power(k) for v, k in zip(pi, [*self.units.tolist(), 0], strict=True)]
        top = max(map(abs, scaled))
        f = np.array([float(v / top) for v in scaled])
        value, p = self.Z @ f[:-1] + f[-1], len(f)
        doubt = (p + 6) * 2.0**-52 * (np.abs(self.Z) @ np.abs(f[:-1]) + abs(f[-1])) + p * 2.0**-1000
        if not bland and value.max() > doubt[value.argmax()]:
            return int(value.argmax())
        best, found = 0, None
        for i in np.flatnonzero(value >= -doubt).tolist():
            self.work += p * self._words()
            exact = pi @ self.column(i)
            if exact > best:
                best, found = exact, i
                if bland:
                    break
        return found

    def take_in(self, i: int) -> None:
        """The ratio test: artificial columns leave first, then the row with the smallest index."""
        d, sign, x = self.times(self.column(i)), self._sign(), self.values()
        rows = [r for r, v in enumerate(d) if sign * v > 0]

        def key(r: int) -> tuple[Fraction, int]:
            j = self.basis[r]
            return Fraction(x[r], sign * d[r]), -1 if j is None else j

        self.pivot(min(rows, key=key), d, i)

    def pivot(self, r: int, d: np.ndarray, i: int) -> None:
        top = self.N[r]
        self.N = (d[r] * self.N - np.outer(d, top)) // self.det
        self.N[r] = top
        self.det, self.basis[r] = d[r], i
        self.work += 2 * len(d) ** 2 * self._words()

    def _sign(self) -> int:
        return 1 if self.det > 0 else -1

    def _words(self) -> int:
        return 1 + self.det.bit_length() // WORD
