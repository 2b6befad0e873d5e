"""Enclose the fewest mistakes: a hyperplane from above; inseparable sets, or a cover by cells, from below."""

import math
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from linlearn.certificates.ball import product, shrunk
from linlearn.certificates.cells import SMALLEST, all_directions, judge
from linlearn.certificates.certificate import Certificate, store_samples
from linlearn.certificates.deduplicated import Deduplicated
from linlearn.certificates.hitting_set import lightest_hitting
from linlearn.certificates.zero_one_witnesses import Cover, Packing
from linlearn.exact.dyadic import products
from linlearn.plane import signed
from linlearn.validation import Array, Bools, check_fractions, check_samples, check_vector


@store_samples
def enclose_mistakes(
    X: ArrayLike,
    y: ArrayLike,
    *,
    primal: ArrayLike,
    dual: Packing | Cover,
    fit_intercept: bool = True,
    exact: Sequence[str] | None = None,
) -> Certificate:
    """Enclose min over a of the number of samples with ⟨a, zᵢ⟩ ≤ 0.

    The bounds hold for the floats in X, whatever the witnesses are: wherever rounding could matter to
    whether a sample is classified correctly, is a mistake in a whole cell, or a set is inseparable, rational
    arithmetic decides.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (p,), p = d + 1, or d when `fit_intercept` is False
        Any vector a; upper is the number of its mistakes, counted exactly.
    dual : Packing or Cover
        For a Packing, lower is the sum of the amounts u_S, rounded up, over those of its sets S that rational
        arithmetic proves inseparable; amounts that add up to more than 1 on a sample are scaled down first.
        For a Cover, lower is the larger of two numbers: of the samples that are mistakes in a whole cell, the
        smallest over its cells; and of the fewest samples that meet each of its sets that rational arithmetic
        proves inseparable.
    fit_intercept : bool
        True: zᵢ = yᵢ(xᵢ, 1). False: zᵢ = yᵢxᵢ.
    exact : p fractions, such as "1/3", optional
        A second vector a for the upper bound, which floats cannot hold.

    Notes
    -----
    For both bounds, exactly dependent columns are left out, since the same labellings can be realised without
    them. Where duplicate samples have opposite labels, those of the rarer label are counted beforehand, since
    at least that many of the duplicates are mistakes.
    Lesson "Exact zero–one loss".

    Examples
    --------
    >>> from linlearn.certificates import Claim
    >>> X, y = [[0.0], [1.0], [2.0]], [1, -1, 1]
    >>> three = Claim(np.array([0, 1, 2]), np.array([1.0, 2.0, 1.0]))
    >>> enclose_mistakes(X, y, primal=[1.0, 0.5], dual=Packing((three,), np.array([1.0])))
    Certificate(1 ≤ mistakes ≤ 1)
    """
    X, y = check_samples(X, y, fit_intercept=fit_intercept)
    Z = signed(X, y, fit_intercept=fit_intercept)
    a = check_vector(primal, Z.shape[1], "primal")
    if not isinstance(dual, Packing | Cover):
        raise ValueError(
            f"`dual` must be a Packing or a Cover; got {type(dual).__name__}. Pass "
            "`zero_one(X, y).certificate.dual`, or make one with the classes in `linlearn.certificates`."
        )
    upper = int((~right_exact(Z, a)).sum())
    if exact is not None:
        longer = check_fractions(exact, a.size, "exact")
        upper = min(upper, int((products(Z, longer)[0] <= 0).sum()))
    deduplicated = Deduplicated(X, y, fit_intercept=fit_intercept)
    lower = unavoidable = deduplicated.unavoidable
    if isinstance(dual, Packing):
        lower += packing_bound(dual, deduplicated)
    else:
        lower += _cover_bound(dual, deduplicated, upper - unavoidable)
    options = {"fit_intercept": fit_intercept} | ({} if exact is None else {"exact": list(exact)})
    return Certificate("mistakes", float(lower), float(upper), a, dual, options, n=len(Z))


def right_exact(Z: Array, a: Array) -> Bools:
    """Which rows have ⟨a, zᵢ⟩ > 0, shape (n,): rational arithmetic decides where rounding could."""
    if not a.any():
        return np.zeros(len(Z), dtype=bool)
    m = product(Z, shrunk(a))
    right: Bools = m.lo > 0
    # `shrunk` loses entries that underflow: so little that `product` may not see it.
    doubtful = np.abs(m.mid) <= m.rad + 2.0**-1000 * np.abs(Z).sum(axis=1)
    if doubtful.any():
        right[doubtful] = products(Z[doubtful], [Fraction(v) for v in a.tolist()])[0] > 0
    return right


def packing_bound(packing: Packing, deduplicated: Deduplicated) -> int:
    """Σ u_S over the inseparable sets, rounded up, u scaled down where a row carries more than its weight."""
    load: defaultdict[int, Fraction] = defaultdict(Fraction)
    total = Fraction(0)
    for claim, amount in zip(packing.claims, packing.amounts.tolist(), strict=False):
        rows = deduplicated.rows_of(claim)
        if not (0 < amount < np.inf and len(rows) and deduplicated.inseparable(rows)):
            continue
        packed = Fraction(min(amount, float(deduplicated.weights[rows].min())))
        total += packed
        for row in rows.tolist():
            load[row] += packed
    shares = [v / Fraction(deduplicated.weights[row]) for row, v in load.items()]
    return math.ceil(total / max([Fraction(1), *shares]))


def _cover_bound(cover: Cover, deduplicated: Deduplicated, enough: int) -> int:
    """What the sets prove, or the cells if that is more; beyond `enough` nobody asks."""
    of_claims = [deduplicated.rows_of(claim) for claim in cover.claims]
    proved = [frozenset(r.tolist()) for r in of_claims if len(r) and deduplicated.inseparable(r)]
    least_met = lightest_hitting(proved, deduplicated.weights, below=float(enough))[1]
    return int(max(least_met, _least_certain(cover, deduplicated, float(enough))))


def _least_certain(cover: Cover, deduplicated: Deduplicated, enough: float) -> float:
    """The fewest certain mistakes of a cell; 0 without cells, `enough` if all have as many."""
    if not len(cover.parent) or not cover.frame.holds(
        deduplicated.Z.shape[1], fit_intercept=deduplicated.fit_intercept
    ):
        return 0.0
    (Z, slack), below = deduplicated.framed(cover.frame), cover.below()
    stack = [(0, all_directions(Z.shape[1]), 0.0, np.arange(len(Z)))]
    lower = enough
    while stack:
        split, cells, base, rows = stack.pop()
        verdict = judge(cells, Z[rows], slack[rows])
        bounds = base + verdict.mistakes(deduplicated.weights[rows])
        inner = below.get(split, {}) if cells.half > SMALLEST else {}
        for piece in np.flatnonzero(bounds < lower).tolist():
            if piece in inner:
                undecided = rows[verdict.open(piece)]
                stack.append((inner[piece], cells.cut(piece), float(bounds[piece]), undecided))
            else:
                lower = min(lower, float(bounds[piece]))
    return lower
