"""`Ball` (a radius per entry) and `NormBall` (one ℓ2 radius) bound rounding errors; sums rounded once."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from linlearn.validation import Array

U = 2.0**-53  # largest relative error of one rounded operation
ETA = 2.0**-1074  # the least float: more than what a product that underflows loses
TINY = 2.0**-1000  # a radius below this may come of products that underflowed
BLOCK = 1024  # numbers that are added in a row, before their sums are added


def gamma(k: int) -> float:
    """γ_k = kU/(1 - kU), rounded up: by this factor k rounded operations in a row err at most.

    So |fl(⟨u, v⟩) - ⟨u, v⟩| ≤ γ_k Σ|u_j v_j| for vectors of length k, summed in any order (Higham,
    Accuracy and Stability of Numerical Algorithms, section 3.1).
    """
    return k * U / (1 - k * U) * (1 + 4 * U)


def round_up(r: Any, k: int = 4) -> Any:
    """An upper bound on the exact result of k rounded operations on numbers ≥ 0, in a row; 0 stays 0.

    Their result is at least (1 - U)^k times the truth, less kη if products underflowed on the way; and
    (1 + 2(k + 2)U)(1 - U)^(k+1) ≥ 1 while kU ≤ 1/4.
    """
    return r * (1 + 2 * (k + 2) * U) + (r > 0) * (k * ETA)


def round_down(x: float) -> float:
    """A lower bound, ≥ 0, on the exact result of a dozen rounded operations on numbers ≥ 0."""
    return max(0.0, float(x * (1 - 32 * U) - 4 * ETA))


@dataclass(frozen=True, slots=True, eq=False)
class Ball:
    """All numbers within `rad` of `mid`; arrays, entry by entry. An operation holds all its possible results.

    For single numbers and for vectors of d + 1 entries, whose entries have different units; for
    vectors with an entry per sample see `NormBall`.

    The rules, for x = m ± r and x' = m' ± r', with one rounding of the middle (at most U times the
    result) added to what the radii allow:

    - x + x': r + r' + U|m + m'|. A sum of floats so small that it is denormal is exact.
    - x·x': |m|r' + r(|m'| + r') + U|mm'| + η; η only where the product may have underflowed.
    - x/c for a float c ≠ 0: r/|c| + U|m/c| + η.
    - Σx: Σr + γ Σ|m|, γ that of sums of sums of at most `BLOCK` terms, in any order.
    - Σx·x': Σ(|m|r' + r(|m'| + r')) + γ Σ|mm'|, and 8η for each product if one may have underflowed.

    Radii are floats, too: numbers ≥ 0 on which k operations are made, so that `round_up` makes good for them.
    What overflows has radius ∞ or NaN, and ends -∞ and +∞: true, and of no use.

    >>> third = ball(1.0) / 3.0
    >>> bool((third * 3.0).lo < 1 < (third * 3.0).hi), float((third * 3.0 - 1.0).mag)
    (True, 2.2204460492503234e-16)
    """

    mid: Any
    rad: Any
    __array_ufunc__ = None  # so that array + Ball asks Ball

    @property
    def lo(self) -> Any:
        """A lower bound on every member."""
        return self._end(self.mid, -1)

    @property
    def hi(self) -> Any:
        """An upper bound on every member."""
        return self._end(self.mid, 1)

    @property
    def mag(self) -> Any:
        """An upper bound on the modulus of every member."""
        return self._end(abs(self.mid), 1)

    def _end(self, mid: Any, side: int) -> Any:
        if isinstance(self.rad, float) and self.rad < math.inf:
            return math.nextafter(mid + side * self.rad, side * math.inf) if self.rad else mid
        outward = np.nextafter(mid + side * self.rad, side * np.inf)
        end = np.where(self.rad == 0, mid, outward)
        return np.where(self.rad < np.inf, end, side * np.inf)  # also for NaN

    def __getitem__(self, k: Any) -> "Ball":
        return Ball(self.mid[k], self.rad[k])

    def __neg__(self) -> "Ball":
        return Ball(-self.mid, self.rad)

    def __add__(self, other: Any) -> "Ball":
        other = ball(other)
        mid = self.mid + other.mid
        return Ball(mid, round_up(self.rad + other.rad + U * abs(mid)))

    __radd__ = __add__

    def __sub__(self, other: Any) -> "Ball":
        return self + -ball(other)

    def __rsub__(self, other: Any) -> "Ball":
        return -self + ball(other)

    def __mul__(self, other: Any) -> "Ball":
        other = ball(other)
        mid, size = self.mid * other.mid, abs(other.mid) + other.rad
        rad = round_up(abs(self.mid) * other.rad + self.rad * size + U * abs(mid), 8)
        nonzero = ((self.mid != 0) | (self.rad > 0)) & (size > 0)  # else the product is 0
        return Ball(mid, rad + (nonzero & (rad < TINY)) * (4 * ETA))

    __rmul__ = __mul__

    def __truediv__(self, c: Any) -> "Ball":
        mid = self.mid / c
        rad = round_up(self.rad / abs(c) + U * abs(mid), 6)
        nonzero = (self.mid != 0) | (self.rad > 0)
        return Ball(mid, rad + (nonzero & (rad < TINY)) * (4 * ETA))

    def sum(self) -> "Ball":
        """Σ of the entries."""
        total, k = _total(self.mid)
        size = float(self.rad.sum()) + gamma(k) * float(abs(self.mid).sum())
        return Ball(total, round_up(size, len(self.mid) + 4))

    def dot(self, other: Any) -> "Ball":
        """Σ xᵢx'ᵢ."""
        other = ball(other)
        total, k = _total(self.mid * other.mid)
        size, beside = abs(self.mid), abs(other.mid)
        rad = gamma(k + 1) * float(size.dot(beside)) + float(size.dot(other.rad))
        rad = round_up(rad + float(self.rad.dot(beside + other.rad)), len(size) + 8)
        if not rad >= TINY and ((size + self.rad > 0) & (beside + other.rad > 0)).any():
            rad += 8 * len(size) * ETA  # else all products are 0
        return Ball(total, rad)

    def squares(self) -> "Ball":
        """‖x‖², divided by a power of two before and multiplied after, so that no square is lost."""
        return _squares(*self._shrunk())

    def length(self) -> float:
        """An upper bound on ‖x‖."""
        k, unit = self._shrunk()
        root = float(np.sqrt(unit.dot(unit).hi)) * (1 + 4 * U)
        return float(np.ldexp(root, k)) + (ETA if k < 0 else 0.0) if k else root

    def _shrunk(self) -> tuple[int, "Ball"]:
        """k and x·2^-k, whose largest entry is about 1; k = 0 where squares stay among the floats anyway."""
        top = float((abs(self.mid) + self.rad).max(initial=0.0))
        if 2.0**-300 < top < 2.0**300:
            return 0, self
        k = int(np.frexp(min(top, 2.0**1023))[1]) if top > 0 else 0
        lost = 2 * ETA if k > 0 else 0.0  # entries that are multiplied by 2^-k may become denormal
        return k, Ball(np.ldexp(self.mid, -k), round_up(np.ldexp(self.rad, -k), 1) + lost)


quietly = np.errstate(over="ignore", invalid="ignore", divide="ignore", under="ignore")
"""Decorates enclosures: what overflows has an infinite radius, and needs no warning."""


def ball(x: Any) -> Ball:
    """x itself if it is a Ball, else the exact numbers x."""
    if isinstance(x, Ball):
        return x
    if isinstance(x, float):  # Python's arithmetic with single numbers is quicker than NumPy's
        return Ball(float(x), 0.0)
    x = np.asarray(x, dtype=np.float64)
    return Ball(x, np.zeros(x.shape))


@dataclass(frozen=True, slots=True, eq=False)
class NormBall:
    """All vectors x, one number per sample, with ‖x - mid‖ ≤ `off`: one radius for the whole.

    The rules: rounding each entry once moves a vector by at most U times its length; a function that
    stretches no distance between numbers, such as |·| or max(0, ·), stretches none between vectors; and
    |⟨x, r⟩ - ⟨mid, r⟩| ≤ off‖r‖ (Cauchy and Schwarz).
    """

    mid: Array
    off: float
    __array_ufunc__ = None

    def __getitem__(self, rows: Any) -> "NormBall":
        return NormBall(self.mid[rows], self.off)

    def __neg__(self) -> "NormBall":
        return NormBall(-self.mid, self.off)

    def __add__(self, other: Array | float) -> "NormBall":
        """With numbers known exactly, one or one per sample."""
        mid = self.mid + other
        return NormBall(mid, float(round_up(self.off + U * norm(mid), 4)))

    __radd__ = __add__

    def __sub__(self, other: Array | float) -> "NormBall":
        return self + -other

    def __rsub__(self, other: Array | float) -> "NormBall":
        return -self + other

    def __abs__(self) -> "NormBall":
        return NormBall(abs(self.mid), self.off)

    def flipped(self, y: Array) -> "NormBall":
        """xᵢyᵢ for signs y."""
        return NormBall(self.mid * y, self.off)

    def dot(self, r: Any) -> Ball:
        """⟨x, r⟩ for numbers r that are known exactly, or for those of another NormBall."""
        r, off = (r.mid, r.off) if isinstance(r, NormBall) else (r, 0.0)
        total, k = _total(self.mid * r)
        size, other = norm(self.mid), norm(r)
        rad = gamma(k + 1) * (size * other) + self.off * other + (size + self.off) * off
        lost = len(r) * ETA if size + self.off > 0 and other + off > 0 else 0.0
        return Ball(total, round_up(rad, 8) + 4 * lost)

    def sum(self) -> Ball:
        return self.dot(np.ones(len(self.mid)))

    def squares(self) -> Ball:
        """‖x‖², from a vector of length about 1, so that no square is lost."""
        return _squares(*self._shrunk())

    def length(self) -> float:
        """An upper bound on ‖x‖."""
        return float(round_up(norm(self.mid) + self.off, 2))

    def _shrunk(self) -> tuple[int, "NormBall"]:
        size = norm(self.mid) + self.off
        # Between these no square, and no product with a number of the same kind, leaves the floats.
        if 2.0**-300 < size < 2.0**300 or size == 0 or not size < np.inf:
            return 0, self
        k = int(np.frexp(size)[1])
        lost = len(self.mid) * ETA if k > 0 else 0.0  # entries may have become denormal
        off = float(round_up(np.ldexp(self.off, -k), 1)) + 2 * lost
        return k, NormBall(np.ldexp(self.mid, -k), off)


def _squares(k: int, unit: Any) -> Ball:
    """‖x‖² of x = unit·2^k."""
    s: Ball = unit.dot(unit)
    if k == 0:
        return s
    return Ball(np.ldexp(s.mid, 2 * k), np.ldexp(s.rad, 2 * k) + (ETA if k < 0 else 0.0))


def norm(v: Array) -> float:
    """A close upper bound on ‖v‖ for the floats v."""
    square, more = float(np.vdot(v, v)), 1 + gamma(len(v) + 8)  # `vdot` does not warn
    if 2.0**-800 < square < 2.0**800:
        return math.sqrt(square) * more
    top = float(np.max(np.abs(v), initial=0.0))
    if not 0 < top < np.inf:
        return top
    k = int(np.frexp(top)[1])
    return float(np.ldexp(np.linalg.norm(np.ldexp(v, -k)) * more, k)) + (ETA if k < 0 else 0.0)


def product(A: Array, v: Any) -> Ball:
    """Av for a matrix of few rows or columns whose entries are rounded at most once."""
    v, size, k = ball(v), abs(A), A.shape[1] + 8
    rad = round_up(gamma(k) * size.dot(abs(v.mid)) + size.dot(v.rad) * (1 + gamma(k)), k)
    tiny = rad < TINY  # products may have underflowed, unless there is nothing
    if tiny.any() and v.mag.any():
        rad = rad + np.where(tiny & size.any(axis=1), 2 * k * ETA, 0.0)
    return Ball(A.dot(v.mid), rad)


def _total(v: Array) -> tuple[float, int]:
    """Σv, and the largest number of additions that any term passes through."""
    k = 0
    while len(v) > BLOCK:
        k += BLOCK
        v = np.add.reduceat(v, np.arange(0, len(v), BLOCK))
    return float(v.sum()), k + len(v)


def cut(v: Array, bit: Array | float) -> Array:
    """v to the nearest multiple of `bit`, a power of two; |v| ≤ 2⁵⁰ bits. The difference is exact."""
    return (v + 1.5 * 2.0**52 * bit) - 1.5 * 2.0**52 * bit


def rounded_sum(v: Array) -> float:
    """Σvᵢ, rounded once: what `math.fsum` says, which reads a list and is quicker for few.

    Cut at a bit of which all |vᵢ| together are less than 2⁵² multiples, leading bits add exactly.
    """
    if len(v) > BLOCK and 2.0**-800 < (top := float(abs(v).max())) < 2.0**800:
        high = cut(v, 2.0 ** (int(np.frexp(top)[1]) + len(v).bit_length() - 52))
        low, k = _total(v - high)
        rest = Ball(low, round_up(gamma(k) * norm(v - high) * math.sqrt(len(v)), 6))
        if (total := float(high.sum()) + rest.lo) == float(high.sum()) + rest.hi:
            return float(total)
    return math.fsum(v.tolist())


def shrunk(v: Array) -> Array:
    """v over a power of two, so that its largest entry is in [½, 1) and no product overflows.

    Exact, but for entries that fall below the smallest normal float.
    """
    return v / 2.0 ** int(np.frexp(np.abs(v).max())[1])
