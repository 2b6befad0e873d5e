"""Exact simplex method for Gordan's alternative: multiprecision steps, proofs in integer arithmetic."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from linlearn.exact.dyadic import floats, units, whole
from linlearn.exact.elimination import kernel
from linlearn.validation import Array

WORD = 64  # bits; work is counted in products of numbers of so many
DIGITS = 256  # bits behind the binary point in the first attempt


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """A hyperplane a with Za > 0, or weights α ≥ 0, Σα = 1, Zᵀα = 0 by row; neither if the work ran out.

    The weights are proved to exist; these fractions may be off by rounding.
    """

    plane: list[Fraction] | None
    weights: dict[int, Fraction] | None
    work: float


def decide(Z: Array, support: np.ndarray, *, max_work: float = float("inf")) -> Decision:
    """Gordan's alternative for the rows of Z, shape (n, p): Za > 0 for some a, or Zᵀα = 0 for weights α.

    The first phase of the simplex method for Aᵀα = 0, Σα = 1, α ≥ 0 (Dantzig 1963), where A holds the rows
    in integers: it minimises the sum of the artificial variables, starting from the rows in `support`, with
    `DIGITS` digits. At 0 it proposes weights; at a positive minimum the simplex multipliers π have
    ⟨π, (aᵢ, 1)⟩ ≤ 0 for all rows, and -π without its last entry is proposed as a hyperplane. What cannot be
    proved in integers is sought again with twice as many digits. Where these outweigh every determinant of A,
    no sign is mistaken; so it ends.

    Parameters
    ----------
    Z : shape (n, p), columns that do not make up each other
    support : indices of rows that may carry weight, the weightiest first
    max_work : number of products of 64 bits that may be spent

    Examples
    --------
    >>> decide(np.array([[1.0], [-2.0]]), np.array([], dtype=int)).plane is None
    True
    >>> decide(np.array([[1.0, 1.0], [-0.5, 1.0]]), np.array([0])).weights is None
    True
    """
    k = units(Z)
    A, digits, work = whole(Z, k), DIGITS, 0.0
    while True:
        tableau = _Tableau(A, digits, max_work - work)
        plane, weights = tableau.decided(support)
        work += tableau.work
        if work > max_work:
            return Decision(None, None, work)
        if plane is not None:
            plane = [v / Fraction(2) ** j for v, j in zip(plane, k.tolist(), strict=True)]
        if plane is not None or weights is not None:
            return Decision(plane, weights, work)
        support, digits = np.array(tableau.samples(), dtype=np.intp), 2 * digits


class _Tableau:
    """A basis B of columns (aᵢ, 1) and of artificial ones ±e_r, and N, about 2^digits·B⁻¹.

    The aᵢ are rows of 2^-bits·A, so at most about 1. What is below 2^(-digits/2) counts as 0. The last column
    of N holds the weights: those of samples are α so far, the sum of the artificial ones is what is missing.
    """

    def __init__(self, A: np.ndarray, digits: int, max_work: float) -> None:
        m = A.shape[1] + 1
        self.A, self.digits, self.max_work = A, digits, max_work
        self.floats, self.bits = floats(A)
        self.one, self.zero = 1 << digits, 1 << digits // 2
        self.N = np.eye(m, dtype=int).astype(object) * self.one
        self.basis: list[int | None] = [None] * m  # None: artificial
        self.columns: dict[int, np.ndarray] = {}
        self.work = float(A.size)

    def decided(
        self, support: np.ndarray
    ) -> tuple[list[Fraction] | None, dict[int, Fraction] | None]:
        """A hyperplane or weights, proved; neither if digits or work do not suffice."""
        self.start(support)
        plane = self.run()
        if plane is not None:
            self.work += self.A.size * self._words()
            if not (self.A @ plane > 0).all():
                return None, None
            top = max(map(abs, plane))
            return [Fraction(v, top) for v in plane], None
        return None, self.proved()

    def start(self, support: np.ndarray) -> None:
        """Rows of the support join the basis, as many as are independent and get no negative weight."""
        for i in support.tolist() or [0]:
            if self.work > self.max_work:
                return
            d = self.times(self.column(i))
            free = self._artificial
            # The first takes the row of Σα = 1.
            r = max(free, key=lambda r: abs(d[r]), default=0) if len(free) < len(d) else len(d) - 1
            if free and abs(d[r]) > self.zero:
                self.pivot(r, d, i)
        while (negative := self._negative) and self.work <= self.max_work:
            r = min(negative, key=lambda r: self.N[r, -1])
            d = self.N[:, np.abs(self.N[r, :-1]).argmax()]
            self.pivot(r, d.copy(), None)
        turned = [r for r in self._artificial if self.N[r, -1] < 0]
        self.N[turned] = -self.N[turned]  # artificial columns of the other sign

    @property
    def _negative(self) -> list[int]:
        """Rows of samples with negative weight."""
        return [r for r, i in enumerate(self.basis) if i is not None and self.N[r, -1] < -self.zero]

    @property
    def _artificial(self) -> list[int]:
        return [r for r, i in enumerate(self.basis) if i is None]

    def run(self) -> np.ndarray | None:
        """The simplex method: a hyperplane for A; None if nothing is missing, or digits, or work."""
        best = None
        while self.work <= self.max_work:
            missing = self.missing()
            if missing <= self.zero:
                return None
            # Bland's rule while nothing improves (Bland 1977): no basis comes back.
            entering = self.entering(bland=best is not None and missing >= best - self.zero)
            best = missing
            if entering is None:
                return np.asarray(-self.multipliers()[:-1] << (max(self.bits) - self.bits))
            if not self.take_in(entering):
                return None
        return None

    def column(self, i: int) -> np.ndarray:
        """(aᵢ, 1) times 2^digits."""
        if i not in self.columns:
            self.columns[i] = np.append((self.A[i] << self.digits) >> self.bits, self.one)
            self.work += len(self.N) ** 2 * self._words()
        return self.columns[i]

    def times(self, column: np.ndarray) -> np.ndarray:
        used = np.flatnonzero(column)
        self.work += len(self.N) * len(used) * self._words()
        return np.asarray(self.N[:, used] @ column[used] >> self.digits)

    def samples(self) -> list[int]:
        """Those of the basis, the weightiest first."""
        held = [(-v, i) for i, v in zip(self.basis, self.N[:, -1], strict=True) if i is not None]
        return [i for _, i in sorted(held)]

    def missing(self) -> int:
        """Σ of the artificial variables."""
        return sum(max(v, 0) for v in self.N[self._artificial, -1])

    def multipliers(self) -> np.ndarray:
        """π: the sum of the artificial rows of B⁻¹."""
        return np.asarray(self.N[self._artificial].sum(axis=0))

    def entering(self, *, bland: bool) -> int | None:
        """A row with ⟨π, (aᵢ, 1)⟩ > 0, the first if `bland`; None if there is none.

        Floats choose it, unless their rounding errors could change the choice.
        """
        pi = self.multipliers()
        top = max(map(abs, pi))
        f = np.array([v / top for v in pi])
        F, p = self.floats, len(f)
        value = F @ f[:-1] + f[-1]
        error = (p + 6) * 2.0**-52 * (np.abs(F) @ np.abs(f[:-1]) + abs(f[-1]))
        error = error + 2.0**-56 * np.abs(f).sum()  # digits that `floats` do not have
        self.work += self.A.size / WORD
        if not bland and value.max() > error[value.argmax()]:
            return int(value.argmax())
        best, found = self.zero, None
        for i in np.flatnonzero(value >= -error).tolist():
            self.work += p * self._words()
            exact = pi @ self.column(i) >> self.digits
            if exact > best:
                best, found = exact, i
                if bland:
                    break
        return found

    def take_in(self, i: int) -> bool:
        """The ratio test: artificial columns leave first, then the row with the smallest index."""
        d, x = self.times(self.column(i)), self.N[:, -1]
        rows = [r for r, v in enumerate(d) if v > self.zero]

        def key(r: int) -> tuple[Fraction, int]:
            j = self.basis[r]
            return Fraction(x[r] if x[r] > self.zero else 0, d[r]), -1 if j is None else j

        if rows:
            self.pivot(min(rows, key=key), d, i)
        return bool(rows)

    def pivot(self, r: int, d: np.ndarray, i: int | None) -> None:
        top = (self.N[r] << self.digits) // d[r]
        self.N = self.N - (np.outer(d, top) >> self.digits)
        self.N[r], self.basis[r] = top, i
        self.work += 2 * len(d) ** 2 * self._words()

    def proved(self) -> dict[int, Fraction] | None:
        """The weights of the basis, if integers prove that such weights exist."""
        held = zip(self.basis, self.N[:, -1], strict=True)
        weights = {i: Fraction(v) for i, v in held if i is not None and v > self.zero}
        if len(weights) < len(self.basis):
            weights = self._related(list(weights))
        elif not self._surrounded():
            weights = {}
        total = sum(weights.values())
        return {i: v / total for i, v in weights.items()} or None

    def _surrounded(self) -> bool:
        """Whether the basis, all of it samples, has B⁻¹e > 0 for e = (0, …, 0, 1).

        If ‖NB - I‖ ≤ δ < ½, maximum norm, then B⁻¹e = (NB)⁻¹Ne is Ne up to 2δ‖Ne‖ in each entry.
        """
        m, most = len(self.basis), int(max(self.bits))
        rows = self.A[[i for i in self.basis if i is not None]] << (most - self.bits)
        B = np.column_stack([rows, np.full(m, 1 << most)]).T
        one = self.one << most
        self.work += 2 * m**3 * self._words()
        off = np.abs(self.N @ B - np.eye(m, dtype=int).astype(object) * one).sum(axis=1).max()
        x = self.N[:, -1]
        # δ < ½, too, where this holds: 2δ max x < min x.
        return bool(2 * off * x.max() < one * x.min())

    def _related(self, rows: list[int]) -> dict[int, Fraction]:
        """Positive α with Σ αᵢaᵢ = 0 for these rows, if there is one relation only; or {}."""
        self.work += len(rows) ** 3 * self._words()
        alpha = kernel(self.A[rows].T.tolist(), len(rows))
        if alpha is None or min(alpha) <= 0:
            return {}
        return dict(zip(rows, alpha, strict=True))

    def _words(self) -> int:
        return 1 + self.digits // WORD
