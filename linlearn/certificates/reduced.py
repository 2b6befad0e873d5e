"""Features that others nearly make up: what is left of them, exactly, takes their place."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from linlearn._scipy import linalg
from linlearn.certificates.ball import ETA, Ball, U, down, gamma, up
from linlearn.certificates.bound import CLOSED, WITHIN, moves
from linlearn.certificates.certificate import Certificate
from linlearn.certificates.samples import Samples
from linlearn.checks import Array, Index
from linlearn.exact import independent_columns
from linlearn.exact.elimination import Rational, dot, eliminated
from linlearn.exact.whole import products

THIN = 2.0**-12  # spread of a direction, features of length 1, below which it is replaced
STEEP = 2.0**10  # by how much a feature moves scores where rounding of their sums begins to count
FAINT = 4 * CLOSED  # weight of a column, planes within `WITHIN`, with which it is as well left out
# Share of the thinnest spread that small entries may bring which are left out of a combination.
NOISE = 2.0**-8

Left = tuple[Array, Rational, Fraction]  # z, its centres, and t: a combination is zt + centre


class Rounded(Samples):
    """Rows with entries rounded once: all bounds allow for that, but those that need every digit."""

    features = False

    def __init__(self, X: Array, group: Index | None = None) -> None:
        super().__init__(np.ascontiguousarray(X), group, scaled=False, centred=False)

    def spanning(self, rows: Index) -> Index:
        """All columns: rounding hides which of them make up others."""
        return np.arange(self.d)

    def part(self, rows: Index, columns: Index) -> Samples:
        return Rounded(self.X[rows][:, columns])

    def fine_sums(self, r: Array) -> tuple[Array, Array, Array]:
        """The plain sums, which are fine enough where no direction is thin."""
        plain = self.sums(r)
        return plain.mid, 0 * plain.mid, plain.rad


class Reduced(Rounded):
    """The samples x̃ of S as rows ((x̃M - m)/t, e), computed without rounding, then rounded once.

    M is invertible, of floats, and the identity but for its columns `thin`: combinations of features that
    hardly vary. ⟨w, x̃⟩ = ⟨M⁻¹w, x̃M⟩, so the planes are the same, and M⁻¹w is solved for in fractions. Where
    a feature is made up of others and rounded, what was rounded off takes its place, in a usual size.

    `limit`, shape (d,), says how large the weight of a column in `thin` is where one feature moves a score by
    `WITHIN`; `quiet` leaves columns out that can do next to nothing then, the last digits of floats.
    """

    unheard: Array  # how far what `quiet` leaves out moves each score at most, for planes within `WITHIN`

    def __init__(
        self,
        S: Samples,
        kept: Index,
        given: int,
        M: Array,
        left: dict[int, Left],
        out: Sequence[int] = (),
    ) -> None:
        self.left, self.live = left, np.setdiff1d(np.arange(S.d), out)
        self.S, self.kept, self.given, self.M, self.thin = S, kept, given, M, sorted(left)
        self.centre, self.t = [[Fraction(v) for v in m] for m in S.m.tolist()], [Fraction(1)] * S.d
        X = S.take(np.arange(S.n))[:, : S.d]
        for j, (z, centres, t) in left.items():
            X[:, j], self.t[j] = z, t
            for m, centre in zip(self.centre, centres, strict=True):
                m[j] = centre
        super().__init__(X[:, self.live], S.group)
        moved = (np.abs(M[:, self.thin]) * S.reach[: S.d, None]).max(axis=0)
        limit = np.full(S.d, math.inf)
        limit[self.thin] = WITHIN * (1 - 2.0**-30) / moved * [float(self.t[j]) for j in self.thin]
        self.limit = limit[self.live]

    @cached_property
    def quiet(self) -> "Reduced | None":
        """The same without the columns that no plane within `WITHIN` makes heard; None if all or none are."""
        out = np.flatnonzero(self.limit <= FAINT)
        if len(self.kept) < self.given or not 0 < len(out) < len(self.thin):
            return None
        found = Reduced(self.S, self.kept, self.given, self.M, self.left, out.tolist())
        found.unheard = self._heard(out)
        return found

    def _heard(self, out: Index) -> Array:
        """At least how far these columns, all of them in `thin`, move each score of a plane within `WITHIN`.

        The rows `thin` of M⁻¹ are those of the inverse of M's block there. So column l moves sample i by
        zᵢₗtₗΣⱼ(M⁻¹)ₗⱼwⱼ, and |wⱼ| ≤ `WITHIN`/reachⱼ.
        """
        k = len(self.thin)
        unit = [[Fraction(i == j) for j in range(k)] for i in range(k)]
        solved, _ = eliminated(
            [b + u for b, u in zip(_block(self.M, self.thin), unit, strict=True)], k
        )
        most = [Fraction(WITHIN) / Fraction(v) for v in self.S.reach[self.thin].tolist()]
        weights = [  # each rounded once
            [float(self.t[j] * v * w) for v, w in zip(row[k:], most, strict=True)]
            for j, row in zip(self.thin, solved, strict=True)
            if j in out
        ]
        K = np.array(weights)
        moved = np.abs(self.X[:, out] @ K).sum(axis=1)  # of entries |zᵢₗ| ≤ 1
        return np.asarray(up(moved + gamma(2 * k + 8) * np.abs(K).sum(), k + 8))

    def holds(self, a: Array) -> bool:
        """Whether the plane uses no feature that others make up exactly."""
        return not np.delete(a[: self.given], self.kept).any()

    def coordinates(self, a: Array) -> Ball:
        """(M⁻¹w·t, b + ⟨M⁻¹w, m⟩), the offset for each group; each number is rounded once."""
        u, b = self._turned(a[:-1]), Fraction(float(a[-1]))
        return _rounded([*self._sized(u), *(b + dot(u, m) for m in self.centre)])

    def directed(self, w: Array) -> tuple[Ball, Ball]:
        u = self._turned(w)
        apart = dot(u, [p - q for p, q in zip(*self.centre, strict=True)])
        v = _rounded([*self._sized(u), apart])
        v = v * 2.0 ** -int(np.frexp(np.abs(v.mid[: self.d]).max())[1])
        return v[: self.d], v[self.d]

    @cached_property
    def apart(self) -> Ball:
        plus, minus = self.centre
        return _rounded([(plus[j] - minus[j]) / self.t[j] for j in self.live])

    def _sized(self, u: Rational) -> Rational:
        return [u[j] * self.t[j] for j in self.live]

    def _turned(self, w: Array) -> Rational:
        """M⁻¹w."""
        turned = [Fraction(v) for v in np.ldexp(w[self.kept], self.S.k).tolist()]
        rows = [[*map(Fraction, self.M[j, self.thin].tolist()), turned[j]] for j in self.thin]
        parts = [row[-1] for row in eliminated(rows, len(self.thin))[0]]
        for j, s in zip(self.thin, parts, strict=True):
            column = self.M[:, j].tolist()
            turned = [u - s * Fraction(c) if c else u for u, c in zip(turned, column, strict=True)]
        for j, s in zip(self.thin, parts, strict=True):
            turned[j] = s
        return turned

    def plane(self, v: Array) -> Array:
        """The plane (w, b) with these coordinates, rounded so that scores amid the samples hardly move."""
        if not np.isfinite(v).all():
            return np.full(self.given + 1, math.nan)
        u = [Fraction(0)] * self.S.d
        for j, s in zip(self.live, v.tolist(), strict=False):
            u[j] = Fraction(s) / self.t[j]
        exact = [dot(u, [*map(Fraction, row)]) for row in self.M.tolist()]
        w = np.array([float(one) for one in exact])
        lost = [one - Fraction(s) for one, s in zip(exact, w.tolist(), strict=True)]
        middle = [*map(Fraction, self.S.X.mean(axis=0).tolist())]
        a = np.zeros(self.given + 1)
        a[self.kept] = np.ldexp(w, -self.S.k)
        a[-1] = float(Fraction(float(v[self.d])) - dot(u, self.centre[0]) + dot(lost, middle))
        return a


def closest(
    S: Samples,
    a: Array,
    seen: Callable[[Samples], Certificate],
    change: Callable[[Array], float] | None = None,
) -> Certificate:
    """The certificate of a plane or direction a from S; if it stays open, also from `reduced` samples.

    There no rounding hides what a steep plane makes of thin directions. Of ends as near to each other as
    can be expected, those serve that speak of all planes. `change` is by how much the value falls at most
    where each score changes by so much: so lower ends of `quiet` samples hold for planes within `WITHIN`.
    """
    best = seen(S)
    if best.relative_gap <= CLOSED and best.within == math.inf:
        return best
    if len(a) > S.d and moves(S, S.coordinates(a)) < STEEP:  # a direction has no size
        return best
    R = reduced(S.raw, S.group)
    if R is None or not R.holds(a):
        return best
    there = seen(R)
    best, upper = min(best, there, key=preference), min(best.upper, there.upper)
    if best.relative_gap <= 10 * CLOSED or change is None or R.quiet is None:
        return best
    found = seen(R.quiet)
    lower = down(found.lower - change(R.quiet.unheard))
    found = replace(found, lower=min(lower, upper), upper=upper, within=WITHIN)
    return min(best, found, key=preference)


def preference(one: Certificate) -> tuple[float, float, float]:
    """How certificates of a quantity are sorted: nearly closed ones by `within`, others by their gaps."""
    return max(one.relative_gap, 10 * CLOSED), -one.within, one.gap


def reduced(X: Array, group: Index | None = None) -> Reduced | None:
    """The samples without thin directions; None where there are none, or too few samples to tell.

    As long as a direction is thin, the feature with the largest part in it gives way to the combination.
    """
    S = Samples(X, group)
    if S.n <= S.p or _thinnest(_about_means(S))[0] >= THIN:
        return None
    kept = independent_columns(np.unique(X, axis=0))
    S = Samples(np.ascontiguousarray(X[:, kept]), group)
    M, Z, left = np.eye(S.d), _about_means(S), dict[int, Left]()
    for _ in range(2 * S.d):
        spread, combined = _thinnest(Z)
        if not spread < THIN:
            break
        c, part = M @ (combined / _lengths(Z)), np.abs(combined)
        j = int(np.argmax(np.abs(c) * S.reach[: S.d] * (part > part.max() / 16)))
        M[:, j] = c * 2.0 ** -int(np.frexp(np.abs(c).max())[1])
        left[j] = _left_over(S, M[:, j])
        Z[:, j] = left[j][0]
        Z[:, j] -= S.e @ ((Z[:, j] @ S.e) / S.e.sum(axis=0))
    thin = sorted(left)
    if not left or len(eliminated(_block(M, thin), len(thin))[1]) < len(thin) or not spread >= THIN:
        return None
    return Reduced(S, kept, X.shape[1], M, left)


def _block(M: Array, thin: list[int]) -> list[Rational]:
    """The rows and columns `thin` of M, in fractions."""
    return [[*map(Fraction, row)] for row in M[np.ix_(thin, thin)].tolist()]


def _rounded(exact: Rational) -> Ball:
    v = np.array([float(one) for one in exact])
    return Ball(v, U * np.abs(v) + ETA)


def _about_means(S: Samples) -> Array:
    """The samples less the means of their groups, shape (n, d)."""
    Z = S.take(np.arange(S.n))[:, : S.d]
    return np.asarray(Z - S.e @ ((S.e.T @ Z) / S.e.sum(axis=0)[:, None]))


def _lengths(Z: Array) -> Array:
    lengths = np.linalg.norm(Z, axis=0)
    return np.where(lengths > 0, lengths, 1.0)


def _thinnest(Z: Array) -> tuple[float, Array]:
    """The least spread of a direction, columns of length 1, and that direction, without rounding's part."""
    unit = Z / _lengths(Z)
    square = float(linalg.eigvalsh(unit.T @ unit, check_finite=False)[0])
    if square > 2 * THIN**2:  # of which a Gram matrix keeps nine digits
        return math.sqrt(square), np.zeros(Z.shape[1])
    (R,) = linalg.qr(unit, mode="r", check_finite=False)
    _, spreads, V = linalg.svd(R[: Z.shape[1]], check_finite=False)
    least = max(float(spreads[-1]), 2.0**-53)
    return float(spreads[-1]), np.where(np.abs(V[-1]) * len(V) > NOISE * least, V[-1], 0.0)


def _left_over(S: Samples, c: Array) -> Left:
    """What the combination c of the features leaves, about a sample in the middle of each group."""
    used = np.flatnonzero(c)
    X, exact = S.X[:, used], [Fraction(v) for v in c[used].tolist()]
    about, _ = products(X, exact)
    groups = [np.flatnonzero(own) for own in S.e.T]
    amid = [own[np.abs(about[own] - about[own].mean()).argmin()] for own in groups]
    centres = [dot(exact, [Fraction(v) for v in X[i].tolist()]) for i in amid]
    z, t = products(np.column_stack([X, S.e]), [*exact, *(-m for m in centres)])
    return z, centres, t
