"""`Samples`: centred samples in memory; scores and sums over them come with proved bounds of the rounding."""

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from linlearn._scipy import linalg
from linlearn.certificates.ball import (
    BLOCK,
    ETA,
    Ball,
    NormBall,
    U,
    ball,
    cut,
    gamma,
    norm,
    round_up,
)
from linlearn.exact import independent_columns
from linlearn.validation import GLANCE, Array, Index

MODERATE = 64  # columns whose largest entry is between 2^-64 and 2^64 keep their unit
PIECE = 64  # rows that are summed in a row
SEEN = 1e-13  # eigenvalue of a Gram matrix, of the largest: 1000·2⁻⁵³; less may be rounding
ROOM = 131072  # entries of a block: about a megabyte, which stays in cache


class Samples:
    """The rows uᵢ = (x′ᵢ - m, e), x′ᵢⱼ = xᵢⱼ·2^-kⱼ: each hyperplane has coordinates there, with its scores.

    The labels have no part in them: a signed sample is zᵢ = yᵢuᵢ.

    Parameters
    ----------
    X : shape (n, d)
    group : shape (n,), integers below g, optional
        e is then the indicator of the group, shape (g,), and each group has its centre m; without it e = (1).
    scaled : bool
        Whether columns may be multiplied by powers of two. That is exact (upwards always, downwards
        where no bit falls off), and takes each to where no square underflows.
    centred : bool
        Whether m may differ from 0. It is near the samples where they are far from 0, so that sums of
        them do not cancel; the subtraction's rounding is part of every bound.

    Notes
    -----
    Almost everything is made of passes over `blocks`: `total` is a sum over them, added in one binary tree,
    so that its error is known, and `per_sample` has one result for each sample.
    """

    def __init__(
        self, X: Array, group: Index | None = None, *, scaled: bool = True, centred: bool = True
    ) -> None:
        self.raw, self.group = X, group
        (self.n, self.d), self.g = X.shape, 1 if group is None else int(group.max()) + 1
        self.p: int = self.d + self.g
        self.k = np.zeros(self.d, dtype=int)
        self.m = np.zeros((self.g, self.d))
        self.X = X
        self.e = np.ones((self.n, 1)) if group is None else np.eye(self.g).take(group, axis=0)
        if scaled:
            self._scale()
        if centred:
            self._centre()
        self.shifted = bool(self.m.any())

    def _scale(self) -> None:
        some, top = abs(self._glance()).max(axis=0), 2.0**MODERATE
        if ((some > 1 / top) & (some < top)).all():
            return
        k = np.frexp(np.maximum(self.X.max(axis=0), -self.X.min(axis=0)))[1]
        for j in np.flatnonzero(np.abs(k) > MODERATE):
            scaled = np.ldexp(self.X[:, j], -k[j])
            if k[j] < 0 or (np.ldexp(scaled, k[j]) == self.X[:, j]).all():
                self.k[j] = k[j]
        if self.k.any():
            self.X = np.ldexp(self.X, -self.k)

    def _centre(self) -> None:
        width = np.empty_like(self.m)
        for g in range(self.g):
            some = self._glance(g)
            least, largest = some.min(axis=0), some.max(axis=0)
            self.m[g] = np.where(least == largest, least, some.sum(axis=0) / len(some))
            width[g] = largest - least
        near = (abs(self.m) <= 2 * width).all(axis=0)
        self.m[:, near] = 0.0

    def _glance(self, g: int | None = None) -> Array:
        """`GLANCE` rows, evenly spread, of all or of one group; all of them where they are no more."""
        if self.group is None or g is None:
            return self.X if self.n <= GLANCE else self.X[spread(self.n, GLANCE)]
        own = np.flatnonzero(self.group == g)
        return self.X[own[spread(len(own), GLANCE)]]

    # -- passes ----------------------------------------------------------------------------------

    def blocks(self) -> Iterator[tuple[slice, Array, Array]]:
        """Triples: rows, their x′ - m, and their e; each block may overwrite the one before."""
        size = self.block_length
        buffer = np.empty((size, self.d)) if self.shifted else None
        for first in range(0, self.n, size):
            rows = slice(first, min(first + size, self.n))
            out = None if buffer is None else buffer[: rows.stop - first]
            yield rows, self._moved(rows, out), self.e[rows]

    @cached_property
    def block_length(self) -> int:
        """Rows of a block, a power of two."""
        most: int = min(BLOCK, max(64, ROOM // self.p))
        return 1 << (most.bit_length() - 1)

    def _moved(self, rows: Index | slice, out: Array | None = None) -> Array:
        if not self.shifted:
            return self.X[rows]
        return np.subtract(self.X[rows], self._centres(rows), out=out)

    def _centres(self, rows: Index | slice) -> Array:
        return np.asarray(self.m[0] if self.group is None else self.m[self.group[rows]])

    def total(self, f: Callable[..., Array], *columns: Array) -> Array:
        """Σ over blocks of f(x, e, *columns); a column has an entry (or a row) per sample."""
        return _tree(f(x, e, *(c[rows] for c in columns)) for rows, x, e in self.blocks())

    def per_sample(self, f: Callable[..., Array], *columns: Array) -> Array:
        """f(x, e, *columns), one number per sample."""
        out = np.empty(self.n)
        for rows, x, e in self.blocks():
            out[rows] = f(x, e, *(c[rows] for c in columns))
        return out

    @cached_property
    def gamma(self) -> float:
        """γ of a sum over all samples: over pieces of blocks, then blocks, after a few operations."""
        length, blocks = min(self.n, self.block_length), -(-self.n // self.block_length)
        return gamma(2 * min(length, PIECE) + length // PIECE + 2 * blocks.bit_length() + 8)

    def every_kth(self, k: int) -> "Samples":
        """Each k-th of the samples, in the same coordinates; without groups."""
        part = Samples(self.X[::k], scaled=False, centred=False)
        part.raw, part.k, part.m, part.shifted = self.raw[::k], self.k, self.m, self.shifted
        return part

    def spanning(self, rows: Index) -> Index:
        """Columns that make up all the others on some of the samples."""
        return independent_columns(np.unique(self.raw[rows], axis=0))

    def subset(self, rows: Index, columns: Index) -> "Samples":
        """Some samples and features, in coordinates of their own; without groups."""
        return Samples(np.ascontiguousarray(self.raw[rows][:, columns]))

    def take(self, some: Index) -> Array:
        """The rows uᵢ, i in `some`, each entry rounded once, shape (k, p)."""
        return np.hstack([self._moved(some), self.e[some]])

    # -- the two linear maps -----------------------------------------------------------------------

    def coordinates(self, a: Array) -> Ball:
        """The hyperplane (w, b) in these coordinates: (w2^k, b + ⟨w2^k, m⟩), the intercept rounded once.

        Where w2^k is not a float it is rounded: that is then another hyperplane, known exactly.
        """
        w, b = np.ldexp(a[: self.d], self.k), float(a[self.d])
        if not self.shifted:
            return ball(np.append(w, b))
        pairs = zip(w.tolist(), self.m[0].tolist(), strict=True)
        moved = float(Fraction(b) + sum(Fraction(u) * Fraction(m) for u, m in pairs))
        return Ball(np.append(w, moved), np.append(0 * w, U * abs(moved) + ETA))

    def plane(self, v: Array) -> Array:
        """The hyperplane (w, b) that has these coordinates, up to rounding."""
        return np.append(np.ldexp(v[: self.d], -self.k), v[self.d] - v[: self.d] @ self.m[0])

    @property
    def centre_difference(self) -> Ball:
        """How far apart the centres of two groups are."""
        return ball(self.m[0]) - ball(self.m[1])

    def times(self, v: Any) -> NormBall:
        """The scores ⟨uᵢ, v⟩: each errs by at most γ Σ|uᵢⱼ||vⱼ|, the vector of them by γ Σ|vⱼ|‖columnⱼ‖."""
        v, g = ball(v), gamma(self.p + 4)
        mid = self.plain_times(v.mid)
        off = g * float(abs(v.mid).dot(self.lengths)) + float(v.rad.dot(self.lengths)) * (1 + g)
        return NormBall(mid, float(round_up(off, self.p + 8)) + self.n * self.p * ETA)

    def plain_times(self, v: Array) -> Array:
        """The same without a bound."""
        w, c = v[: self.d], v[self.d :]
        return self.per_sample(lambda x, e: x @ w + e @ c)

    def sums(self, r: Any) -> Ball:
        """Σ rᵢuᵢ, shape (p,): by Cauchy and Schwarz it errs by at most γ‖column‖‖r‖."""
        mid, off = (r.mid, r.off) if isinstance(r, NormBall) else (r, 0.0)

        def part(x: Array, e: Array, q: Array) -> Array:
            alone = q.sum() if self.group is None else _by_pieces(q, e)  # NumPy sums in pieces, too
            return np.append(_by_pieces(q, x), alone)

        total = self.total(part, mid)
        bound = self.gamma * norm(mid) + off * (1 + self.gamma)
        lost = np.where((self.lengths > 0) & (bound > 0), self.n * ETA, 0.0)
        return Ball(total, round_up(self.lengths * bound, 4) + lost)

    def plain_sums(self, r: Array) -> Array:
        """The same without a bound."""
        return self.total(lambda x, e, q: np.append(q @ x, q @ e), r)

    @cached_property
    def lengths(self) -> Array:
        """Upper bounds on the lengths of the columns, shape (p,); 0 for columns of zeros."""
        more, unit = 1 + gamma(BLOCK) + self.gamma, np.ones(self.d)
        squares = self.total(lambda x, e: _squares(x))
        # Between these no digit of a sum of squares has left the floats, which end at 2⁻¹⁰⁷⁴ and 2¹⁰²⁴;
        # else they may not be what they were to be.
        if not ((squares > 2.0**-900) & (squares < 2.0**900)).all():
            unit = np.where(self.reach > 0, self.reach, 1.0)[: self.d]
            squares = self.total(lambda x, e: _squares(x / unit))
        x = round_up(np.sqrt(round_up(squares * more, 4)) * unit, 4)
        return np.append(x, round_up(np.sqrt(np.ones(self.n).dot(self.e)), 2))

    @cached_property
    def reach(self) -> Array:
        """An upper bound on every |entry| of each column, shape (p,)."""
        features = np.max([np.abs(x).max(axis=0) for _, x, _ in self.blocks()], axis=0)
        most = np.append(features, np.ones(self.g))
        return np.asarray(round_up(most, 1) if self.shifted else most)

    def gram(self, *columns: Array) -> Array:
        """Σ vᵢvᵢᵀ, v = u or (u, t) with what other columns say of a sample, without a bound.

        What is solved with it is checked afterwards.
        """

        def part(*columns: Array) -> Array:
            v = np.column_stack(columns)
            return v.T @ v

        return self.total(part, *columns)

    @cached_property
    def solve(self) -> Callable[[Array], Array]:
        """About the inverse of the Gram matrix, which is not formed where it is larger than the samples."""
        if self.n < self.p:
            Z = self.take(np.arange(self.n))
            rows = inverse(Z @ Z.T)
            return lambda g: Z.T @ rows(rows(Z @ g))
        return inverse(self.gram())

    # -- twice the digits --------------------------------------------------------------------------

    def fine_sums(self, r: Array) -> tuple[Array, Array, Array]:
        """(high, low, rad): Σ rᵢuᵢ is within `rad` of high + low, which has about twice the usual digits.

        Proof. With `one` a power of two above a column's entries and `top` one above those of r, cut
        x = x₁ + x₂ + x₃ at the bits `one`·2⁻²⁰, `one`·2⁻⁴⁰ and r = r₁ + r₂ + r₃ at `top`·2⁻²¹,
        `top`·2⁻⁴², exactly: adding and subtracting 1.5·2⁵²·bit rounds to a multiple of the bit, and the
        differences are floats (Sterbenz). A product x₁r₁, x₁r₂ or x₂r₁ is a multiple of one unit and below
        2⁴³ of them; 2¹⁰ stay below 2⁵³, so that a matrix product adds a block of at most `BLOCK` rows
        without rounding, in any order. All else together is below n·`one`·`top`·2⁻⁴⁰, and is summed plainly
        within a block, with relative error γ. `math.fsum` joins the blocks without rounding.
        """
        # Then the least multiple that is added exactly, one·top·2⁻⁶², is 2⁻⁹⁶² or more: nothing underflows.
        d, top = self.d, 2.0 ** int(np.frexp(np.abs(r).max(initial=0.0))[1])
        one = 2.0 ** np.frexp(self.reach)[1]
        if not r.any() or (one[self.reach > 0] < 2.0**-800).any() or not 2.0**-100 < top < 2.0**100:
            plain = self.sums(r)
            return plain.mid, 0 * plain.mid, plain.rad
        r1 = cut(r, top * 2.0**-21)
        r2 = cut(r - r1, top * 2.0**-42)
        r3 = r - r1 - r2
        high, low = [], []
        for rows, x, e in self.blocks():
            q1, q2, q3, q = r1[rows], r2[rows], r3[rows], r[rows]
            x1 = cut(x, one[:d] * 2.0**-20)
            x2 = cut(x - x1, one[:d] * 2.0**-40)
            x3 = (x - x1) - x2
            if self.shifted:
                x3 = x3 + self._centring_error(rows)
            high.append(np.append(q1 @ x1, q1 @ e))
            high.append(np.append(q2 @ x1, q2 @ e))
            high.append(np.append(q1 @ x2, np.zeros(self.g)))
            low.append(np.append(q3 @ x1 + (q2 + q3) @ x2 + q @ x3, q3 @ e))
        parts = np.transpose([*high, *low]).tolist()
        total = np.array([math.fsum(column) for column in parts])
        tail = np.array([math.fsum((*c, -t)) for c, t in zip(parts, total.tolist(), strict=True)])
        rest = round_up(self.n * one * top * 2.0**-40, 3)
        rad = gamma(self.block_length + 16) * rest + U * np.abs(tail)
        return total, tail, round_up(rad, 16) + 8 * self.n * ETA

    def _centring_error(self, rows: slice) -> Array:
        """What the subtraction of the centres has lost, exactly."""
        return two_sum(self.X[rows], -self._centres(rows))[1]

    # -- independence --------------------------------------------------------------------------------

    @cached_property
    def independence(self) -> tuple[float, Array]:
        """(σ, s), proved: ‖(⟨uᵢ, a⟩)ᵢ‖ ≥ σ‖s∘a‖ for all a; σ = 0 where rounding hides the rank.

        Fewer rows can only lower the left side, so a few are asked first.
        """
        few = max(2 * self.p + 64, self.n // 128)
        for count in dict.fromkeys((min(few, self.n), self.n)):
            found = smallest(self.take(spread(self.n, count)))
            if found[0] > 0:
                return found
        return found


def smallest(Z: Array) -> tuple[float, Array]:
    """(σ, s), proved: ‖Za‖ ≥ σ‖s∘a‖ for all a, s about the lengths of Z's columns; σ = 0 if that is all.

    Z may differ by a few roundings from what it stands for. The eigenvalues of the Gram matrix are
    quick; singular values show ranks up to 1/U. LAPACK's err by at most 4√p·γ (eigenvalues by 4p·γ) times
    the norm of a matrix with unit columns.
    """
    n, p = Z.shape
    if n < p:
        return 0.0, np.ones(p)
    G = Z.T @ Z  # of which no entry leaves the floats for lengths between 2⁻⁴⁰⁰ and 2⁴⁰⁰
    size = np.sqrt(np.diag(G))
    if not ((size > 2.0**-400) & (size < 2.0**400)).all():
        return 0.0, np.ones(p)
    error = 4 * gamma(n + 8 * p)
    least = float(np.linalg.eigvalsh(G / size / size[:, None])[0]) - p * error
    if least > 16 * p * error:
        return float(np.sqrt(least)) * (1 - 4 * U), size
    least = float(linalg.svdvals(Z / size, check_finite=False)[-1]) - float(np.sqrt(p)) * error
    return max(least, 0.0), size


def inverse(G: Array) -> Callable[[Array], Array]:
    """About the inverse of a Gram matrix on the directions that it sees; nothing relies on it."""
    diagonal = np.diag(G)
    s = 1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    value, vector = np.linalg.eigh(G * s * s[:, None])
    use = value > SEEN * max(value[-1], 0.0)
    V = (vector[:, use] / np.sqrt(value[use])).T * s
    return lambda g: V.T @ (V @ g)


def _tree(parts: Iterable[Array]) -> Array:
    """The sum of the parts: neighbours first, then pairs of pairs, and so on."""
    stack: list[Array] = []
    for i, part in enumerate(parts, 1):
        while i % 2 == 0:
            part, i = stack.pop() + part, i // 2
        stack.append(part)
    total = stack.pop()
    while stack:
        total = stack.pop() + total
    return total


def _by_pieces(q: Array, x: Array) -> Array:
    """q @ x, summed over pieces of `PIECE` rows first: fewer roundings in a row."""
    pieces = len(q) // PIECE
    k = pieces * PIECE
    parts = np.matmul(q[:k].reshape(pieces, 1, PIECE), x[:k].reshape(pieces, PIECE, x.shape[1]))
    total = parts[:, 0].sum(axis=0)
    return np.asarray(total + q[k:] @ x[k:] if k < len(q) else total)


def _squares(x: Array) -> Array:
    return np.asarray(np.einsum("ij,ij->j", x, x))


def spread(n: int, most: int) -> Index:
    """At most `most` indices below n, evenly spread."""
    return np.arange(n) if n <= most else np.arange(most) * (n - 1) // max(most - 1, 1)


def two_sum(u: Array, v: Array) -> tuple[Array, Array]:
    """u + v as a float and what its rounding lost, exactly (Knuth)."""
    s = u + v
    z = s - u
    return s, (u - (s - z)) + (v - z)
