"""Enclose the largest Fisher ratio; decide in fractions whether it is infinite (a label has leaked)."""

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from linlearn._dispatch import out_of_core
from linlearn.certificates.ball import (
    Ball,
    NormBall,
    U,
    ball,
    norm,
    quietly,
    round_down,
    round_up,
    shrunk,
)
from linlearn.certificates.bound import CLOSED, WITHIN, residual_cost
from linlearn.certificates.certificate import Certificate, store_samples
from linlearn.certificates.projection import correction, fine_residual, projected
from linlearn.certificates.samples import Samples
from linlearn.exact.column_space import combination
from linlearn.validation import Array, check_samples, check_vector, name_columns

LARGEST = float(np.finfo(np.float64).max)
USEFUL = 1e-6  # of ‖β‖, up to which a bound for bounded hyperplanes is worth telling: six digits


@store_samples
@out_of_core
def enclose_fisher(
    X: ArrayLike, y: ArrayLike, *, primal: ArrayLike, dual: ArrayLike | None = None
) -> Certificate:
    """Enclose max over w of ⟨w, δ⟩₊²/‖X_W w‖² = min {‖β‖² : X_Wᵀβ = δ}.

    For any direction w and any β with X_Wᵀβ = δ, Cauchy and Schwarz give
    ⟨w, δ⟩ = ⟨X_W w, β⟩ ≤ ‖X_W w‖‖β‖: a direction bounds the largest ratio from below, dual variables bound
    it from above. Here δ = μ₊ - μ₋, and X_W holds the samples minus their class means.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (d,)
        Any vector w; its length does not matter. If ⟨w, δ⟩ ≤ 0, lower = 0.
    dual : shape (n,), optional
        Any vector β: it is projected onto the solutions of X_Wᵀβ = δ. If None, a multiple of X_W w.

    Returns
    -------
    Certificate
        Both bounds are +∞ if a label has leaked, that is, if some combination of the features is constant
        within each class and differs between the classes; this is decided in exact fractions.

    Notes
    -----
    After the projection, ρ = X_Wᵀβ - δ is a rounding error. Let B have the rows (xᵢ - m, e), where e is the
    indicator of the class: its columns span those of X_W and the shifts of the classes. Where
    ‖Bv‖ ≥ σ‖s∘v‖ is proved for all v, the distance from β to some β' with X_Wᵀβ' = δ is at most ‖ρ/s‖/σ.
    Columns that are exact combinations of others are left out. If columns are combinations of others only
    up to rounding, upper holds for directions in which no feature moves a score by more than
    `Certificate.score_bound` times ‖X_W w‖; it is +∞ if that is no help. The threshold b does not occur in
    the ratio, so it is not certified. Lesson "Fisher's discriminant".

    Examples
    --------
    >>> enclose_fisher([[0.0], [2.0], [3.0], [5.0]], [-1, -1, 1, 1], primal=[1], dual=[0, 0, 0, 0])
    Certificate(2.25 ≤ fisher ≤ 2.25)
    """
    X, y = check_samples(X, y)
    w = check_vector(primal, X.shape[1], "primal")
    beta = None if dual is None else check_vector(dual, len(y), "dual", each="samples")
    return fisher_certificate(by_class(X, y), y, w, beta)


def by_class(X: Array, y: Array) -> Samples:
    """The samples in two groups, +1 before -1."""
    return Samples(X, (y < 0).astype(np.intp))


def find_leak(X: Array, y: Array) -> list[Fraction] | None:
    """(w, b) with ⟨w, xᵢ⟩ + b = yᵢ for all samples, in fractions, or None where there is none.

    Such a w has X_W w = 0 and ⟨w, δ⟩ = 2, so that Fisher's ratio has no finite maximum. Of single features
    the first one serves.
    """
    plus, minus = X[y > 0], X[y < 0]
    constant = (plus == plus[0]).all(axis=0) & (minus == minus[0]).all(axis=0)
    alone = np.flatnonzero(constant & (plus[0] != minus[0]))
    found = combination(X[:, alone[:1]] if alone.size else X, y)
    if found is None or not alone.size:
        return found
    a = [Fraction(0)] * X.shape[1] + found[-1:]
    a[alone[0]] = found[0]
    return a


def describe_leak(w: Array) -> str:
    """In words: which columns a direction w without spread combines.

    >>> describe_leak(np.array([0.0, 0.5]))
    'column 1 is constant within each class'
    >>> describe_leak(np.array([1.0, 1.0]))
    'a combination of columns 0 and 1 is constant within each class'
    """
    used = np.flatnonzero(w).tolist()
    which = "" if len(used) == 1 else "a combination of "
    return f"{which}{name_columns(used)} is constant within each class"


def drop_leak(w: Array) -> str:
    """What to do if this combination is the label: a direction w has one column or several.

    >>> drop_leak(np.array([0.0, 0.5])), drop_leak(np.array([1.0, 1.0]))
    ('drop column 1', 'drop one of columns 0 and 1')
    """
    used = np.flatnonzero(w).tolist()
    return f"drop {'one of ' if len(used) > 1 else ''}{name_columns(used)}"


@quietly
def fisher_certificate(S: Samples, y: Array, w: Array, beta: Array | None = None) -> Certificate:
    """`enclose_fisher` of samples `by_class`, already checked."""
    # So few samples span everything, as a rule.
    if S.n < S.d + 2 and find_leak(S.raw, y) is not None:
        dual = np.zeros(S.n) if beta is None else beta
        return Certificate("fisher", math.inf, math.inf, w, dual)
    found = _enclosed(S, y, w, beta)
    if found.upper == math.inf and find_leak(S.raw, y) is not None:
        return replace(found, lower=math.inf)
    return found


def _enclosed(S: Samples, y: Array, w: Array, beta: Array | None) -> Certificate:
    pulled, spread = _scores(S, y, w)
    if beta is None:  # X_W w·⟨w, δ⟩/‖X_W w‖², at which Cauchy's inequality is an equality
        beta = spread.mid * (pulled.mid / (spread.mid @ spread.mid or 1.0))
    best = _Above(math.inf, math.inf, beta)
    for found in _attempts(S, y, beta):
        best = min(best, found, key=lambda one: one.length)
        if best.score_bound == math.inf and best.length <= norm(best.beta) * (1 + CLOSED / 4):
            break
    lower, upper = _below(pulled, spread), float(round_up(best.length * best.length, 2))
    if best.score_bound < math.inf:  # w itself may be beyond
        upper = max(lower, upper)
    return Certificate("fisher", lower, upper, w, best.beta, score_bound=best.score_bound)


def _scores(S: Samples, y: Array, w: Array) -> tuple[Ball, NormBall]:
    """⟨w, δ⟩ and X_W w of a multiple of w; about other points than the means the latter is longer."""
    v = ball(shrunk(np.ldexp(shrunk(w), S.k)))
    s = S.times(Ball(np.append(v.mid, (0.0, 0.0)), np.append(v.rad, (0.0, 0.0))))
    plus, minus = (s.dot(own.astype(np.float64)) / own.sum() for own in (y > 0, y < 0))
    return plus - minus + v.dot(S.centre_difference), s - np.where(y > 0, plus.mid, minus.mid)


def _below(pulled: Ball, spread: NormBall) -> float:
    """⟨w, δ⟩₊²/‖X_W w‖², rounded down."""
    least, length = float(pulled.lo), spread.length()
    if not least > 0:
        return 0.0
    return min(round_down(least / length * (least / length)), LARGEST) if length else math.inf


class _Above(NamedTuple):
    """An upper bound on the length of some feasible β' near β, and for which directions that counts."""

    length: float
    score_bound: float
    beta: Array


def _attempts(S: Samples, y: Array, beta: Array, *, whole: bool = True) -> Iterator[_Above]:
    """Plain sums; twice the digits; columns that span the same; directions that are bounded."""
    towards = np.where(y > 0, 1 / (y > 0).sum(), -1 / (y < 0).sum())  # Xᵀ towards = δ
    apart = S.centre_difference
    goal = Ball(np.append(apart.mid, (-1.0, 1.0)), np.append(apart.rad, (0.0, 0.0)))
    given = beta - NormBall(towards, U * norm(towards))
    for exact, rho, near in projected(S, given, goal):
        length, beta = (exact + towards).length(), near + towards
        yield _Above(length + correction(S, rho), math.inf, beta)
    if not whole:
        return
    kept = S.spanning(np.arange(S.n))
    if 0 < len(kept) < S.d:
        part = Samples(np.ascontiguousarray(S.raw[:, kept]), S.group)
        yield from _attempts(part, y, beta, whole=False)
    high, low = fine_residual(S, given, goal)
    unmoved = (given + towards).length(), high + low, given.mid + towards
    for least, left, weights in ((length, rho, beta), unmoved):
        most = residual_cost(S, left, ball(np.zeros(S.p)))[0]
        # A class moves by at most d·B with its features.
        extra = most + WITHIN * S.d * float(left.mag[S.d :].sum())
        if extra <= USEFUL * least:
            yield _Above(least + extra, WITHIN, weights)
