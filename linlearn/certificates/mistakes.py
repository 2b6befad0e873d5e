"""How few mistakes can a plane make? A plane is an upper bound; samples never all right give lower ones."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from linlearn.certificates.ball import product, shrunk
from linlearn.certificates.cells import (
    SMALLEST,
    Cells,
    Frame,
    all_directions,
    judge,
    refuted,
)
from linlearn.certificates.certificate import Certificate
from linlearn.certificates.hitting import lightest_hitting
from linlearn.certificates.inseparable import Inseparable
from linlearn.certificates.witnesses import Claim, Cover, Packing
from linlearn.checks import Array, Bools, Ints, check_fractions, check_samples, check_vector
from linlearn.exact.columns import independent_columns
from linlearn.exact.whole import products
from linlearn.plane import signed


class Distinct(NamedTuple):
    """The samples as far as they matter: one of each place, and mistakes that no plane avoids.

    Of the samples in one place the smaller class is wrong or the larger one is: `forced` counts the
    smaller classes (and zᵢ = 0, which is always wrong); `weights` is how many more the larger one has.
    """

    samples: Ints
    weights: Array
    forced: int


def distinct(Z: Array) -> Distinct:
    """Group the rows of Z that are equal or opposite."""
    first = (Z != 0).argmax(axis=1)
    sign = np.sign(Z[np.arange(len(Z)), first])
    places = Z * sign[:, None] + 0.0
    group = np.unique(places, axis=0, return_inverse=True)[1].ravel()
    excess = np.bincount(group, weights=sign)
    forced = (len(Z) - np.abs(excess).sum() - (sign == 0).sum()) / 2 + (sign == 0).sum()
    of_larger = np.flatnonzero(sign * np.sign(excess)[group] > 0)
    _, one = np.unique(group[of_larger], return_index=True)
    samples = np.sort(of_larger[one])
    return Distinct(samples, np.abs(excess)[group[samples]], int(forced))


def enclose_mistakes(
    X: ArrayLike,
    y: ArrayLike,
    *,
    primal: ArrayLike,
    dual: Packing | Cover,
    offset: bool = True,
    exact: Sequence[str] | None = None,
) -> Certificate:
    """Enclose min over a of the number of samples with ⟨a, zᵢ⟩ ≤ 0.

    Whatever the witnesses are, the ends are proved for the floats in X as they are: a sample is right,
    wrong in a whole cell, or a set inseparable, only when no rounding can have decided it; where rounding
    might, rational arithmetic decides.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (p,), p = d + 1, or d when `offset` is False
        Any vector a; upper is its number of mistakes, counted exactly.
    dual : Packing or Cover
        A Packing: lower is Σ u_S, rounded up, over those of its sets that rational arithmetic finds
        inseparable, u scaled down where a sample carries too much.
        A Cover: lower is the least over its cells of (samples wrong in all of the cell) + (fewest samples
        that meet all sets proved never to be all right in it). Claims that are not proved are left out.
    offset : bool
        Whether z_i = y_i (x_i, 1) or z_i = y_i x_i.
    exact : p fractions, such as "1/3", optional
        Another plane, for upper, that floats cannot hold.

    Notes
    -----
    In both, columns that others make up exactly are left out: planes can do as much without them. The
    samples of one place with opposite labels are counted first: the fewer of them are mistakes anyway.
    Chapter "Fewest mistakes".

    >>> X, y = [[0.0], [1.0], [2.0]], [1, -1, 1]
    >>> three = Claim(np.array([0, 1, 2]), np.array([1.0, 2.0, 1.0]))
    >>> enclose_mistakes(X, y, primal=[1.0, 0.5], dual=Packing((three,), np.array([1.0])))
    Certificate(1 ≤ mistakes ≤ 1)
    """
    X, y = check_samples(X, y, offset=offset)
    Z = signed(X, y, offset=offset)
    a = check_vector(primal, Z.shape[1], "primal")
    if not isinstance(dual, Packing | Cover):
        raise ValueError(f"`dual` must be a Packing or a Cover; got {type(dual).__name__}.")
    upper = int((~right_exact(Z, a)).sum())
    if exact is not None:
        longer = check_fractions(exact, a.size, "exact")
        upper = min(upper, int((products(Z, longer)[0] <= 0).sum()))
    X = X[:, spanning(X, offset=offset)]
    inseparable = Inseparable(X, y, offset=offset)
    rows = distinct(inseparable.Z)
    if isinstance(dual, Packing):
        lower = rows.forced + packing_bound(dual, rows, inseparable)
    else:
        lower = rows.forced + _cover_below(dual, rows, inseparable, upper - rows.forced)
    options = {"offset": offset} | ({} if exact is None else {"exact": list(exact)})
    return Certificate("mistakes", float(lower), float(upper), a, dual, options)


def spanning(X: Array, *, offset: bool) -> Ints:
    """Columns with which a plane can do all that it can with the others; one, if all are constant."""
    kept = independent_columns(X, offset=offset)
    return kept if len(kept) else np.zeros(1, dtype=np.int64)


def right_exact(Z: Array, a: Array) -> Bools:
    """Which rows have ⟨a, zᵢ⟩ > 0, shape (n,): rational arithmetic decides where rounding could."""
    if not a.any():
        return np.zeros(len(Z), dtype=bool)
    m = product(Z, shrunk(a))
    right: Bools = m.lo > 0
    exact = [Fraction(v) for v in a.tolist()]
    # `shrunk` loses entries that underflow: so little that `product` may not see it.
    doubtful = np.abs(m.mid) <= m.rad + 2.0**-1000 * np.abs(Z).sum(axis=1)
    for i in np.flatnonzero(doubtful).tolist():
        right[i] = sum(u * Fraction(v) for u, v in zip(exact, Z[i].tolist(), strict=True)) > 0
    return right


def packing_bound(packing: Packing, rows: Distinct, inseparable: Inseparable) -> int:
    n = len(inseparable.y)
    room = np.zeros(n)
    room[rows.samples] = rows.weights
    sets, amounts = [], []
    for claim, amount in zip(packing.claims, packing.amounts.tolist(), strict=False):
        samples = _inside(claim.samples, n)
        if 0 < amount < np.inf and room[samples].all() and inseparable(samples):
            sets.append(samples)
            amounts.append(min(amount, float(room[samples].min())))
    load: dict[int, Fraction] = {}
    for samples, amount in zip(sets, map(Fraction, amounts), strict=True):
        for i in samples.tolist():
            load[i] = load.get(i, Fraction(0)) + amount
    overload = max([Fraction(1), *(v / Fraction(room[i]) for i, v in load.items())])
    return math.ceil(sum(map(Fraction, amounts)) / overload)


def _cover_below(cover: Cover, rows: Distinct, inseparable: Inseparable, enough: int) -> int:
    """The least that is proved over the cells; beyond `enough` nobody asks."""
    p = inseparable.Z.shape[1]
    d = p - bool(inseparable.offset)
    claims: dict[tuple[int, int], list[Claim]] = {}
    for cell, claim in zip(cover.cell.tolist(), cover.claims, strict=False):
        claims.setdefault((cell[0], cell[1]), []).append(claim)
    shapes = (cover.frame.centre.shape, cover.frame.scale.shape, cover.frame.A.shape)
    if not len(cover.parent) or shapes != ((d,), (d,), (p, p)):
        return whole_space_bound(claims.get((-1, 0), []), rows, inseparable, enough)
    if not cover.frame.valid:
        return 0
    framed, below = _Framed.of(cover.frame, rows, inseparable), cover._below()
    stack = [(0, all_directions(p), 0.0, np.arange(len(rows.samples)))]
    lower = float(enough)
    while stack:
        split, cells, base, K = stack.pop()
        verdict = judge(cells, framed.Z[K], framed.slack[K])
        bounds = base + verdict.mistakes(rows.weights[K])
        inner = below.get(split, {}) if cells.half > SMALLEST else {}
        for piece in np.flatnonzero(bounds < lower).tolist():
            bound, undecided = float(bounds[piece]), K[verdict.open(piece)]
            if piece in inner:
                stack.append((inner[piece], cells.cut(piece), bound, undecided))
                continue
            sets = framed.sets(claims.get((split, piece), []), cells, piece, undecided)
            _, more = lightest_hitting(sets, rows.weights, below=lower - bound)
            lower = min(lower, bound + more)
    return int(lower)


class _Framed(NamedTuple):
    """The distinct samples in a cover's coordinates: rows, their slack, and which row a sample is, or -1."""

    Z: Array
    slack: Array
    row: Ints
    inseparable: Inseparable

    @classmethod
    def of(cls, frame: Frame, rows: Distinct, inseparable: Inseparable) -> "_Framed":
        X, y, offset = inseparable.X, inseparable.y, inseparable.offset
        row = np.full(len(y), -1)
        row[rows.samples] = np.arange(len(rows.samples))
        return cls(*frame.rows(X[rows.samples], y[rows.samples], offset=offset), row, inseparable)

    def sets(
        self, claims: Sequence[Claim], cells: Cells, piece: int, undecided: Ints
    ) -> list[frozenset[int]]:
        """Sets of undecided rows of which the claims prove that they are never all right in the piece."""
        found = []
        for claim in claims:
            at = self.row[_inside(claim.samples, len(self.row))]
            if not len(claim.weights) == len(at) > 0 or not np.isin(at, undecided).all():
                continue
            here = refuted(cells, piece, self.Z[at], self.slack[at], claim.weights)
            if here or self.inseparable(claim.samples):
                found.append(frozenset(at.tolist()))
        return found


def whole_space_bound(
    claims: Sequence[Claim], rows: Distinct, inseparable: Inseparable, enough: int
) -> int:
    n = len(inseparable.y)
    weight = np.zeros(n)
    weight[rows.samples] = rows.weights
    known = [_inside(claim.samples, n) for claim in claims]
    sets = [frozenset(at.tolist()) for at in known if weight[at].all() and inseparable(at)]
    return int(lightest_hitting(sets, weight, below=float(enough))[1])


def _inside(samples: Any, n: int) -> Ints:
    """The samples as distinct indices below n; none if they are not, of which no claim can be true."""
    samples = np.asarray(samples)
    known = samples.ndim == 1 and samples.dtype.kind in "iu" and len(samples) > 0
    known = known and 0 <= samples.min() and samples.max() < n
    known = known and len(set(samples.tolist())) == len(samples)
    return samples.astype(np.int64) if known else np.zeros(0, dtype=np.int64)
