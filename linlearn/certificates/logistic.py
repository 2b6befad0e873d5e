"""What is the least logistic loss? A plane bounds it from above, balanced weights from below."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from linlearn._elsewhere import in_blocks
from linlearn._scipy import expit
from linlearn.certificates.ball import (
    ETA,
    Ball,
    Cloud,
    U,
    ball,
    down,
    norm,
    product,
    quietly,
    rounded_sum,
    up,
)
from linlearn.certificates.certificate import Certificate
from linlearn.certificates.duality import LogisticTerms, View, equalised, lower_end, sharpest
from linlearn.certificates.prices import Priced, Prices
from linlearn.certificates.reduced import closest
from linlearn.certificates.samples import Samples
from linlearn.checks import Array, Index, check_number, check_samples, check_vector, check_weights
from linlearn.exact.whole import products
from linlearn.plane import signed

LN2 = math.log(2) * (1 + 2 * U)  # at least ln 2


@in_blocks
@quietly
def enclose_logistic(
    X: ArrayLike,
    y: ArrayLike,
    *,
    primal: ArrayLike,
    dual: ArrayLike | None = None,
    lam: float = 0.0,
    start: ArrayLike | None = None,
    prices: Prices = None,
) -> Certificate:
    """Enclose inf mean ln(1 + exp(-mᵢ)) + (λ/2)‖w‖² = max mean H(αᵢ) - ‖Σ αᵢyᵢxᵢ/n‖²/2λ.

    The maximum is over 0 ≤ α ≤ 1 with Σ αᵢyᵢ = 0; H is the binary entropy in nats. For λ = 0 the
    penalty of the dual becomes the constraint Zᵀα = 0. Both directions follow from Fenchel's
    inequality ln(1 + exp(-m)) ≥ H(α) - αm, an equality for α = σ(-m).

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (d+1,)
        Any a = (w, b); upper is its objective. If λ = 0, Za ≥ 0 and Za ≠ 0 (decided without
        rounding), the loss falls along a for ever: no minimiser exists, and upper is the limit of
        the fall, what the samples on the plane cost at `start`: 0 if it separates. Then the certificate's
        `attained` is False, and its option `start` says from where.
    dual : shape (n,), optional
        Any weights; if None, σ(-mᵢ). They are clipped to [0, 1] (non-finite ones become 0) and moved
        towards the constraint: for λ > 0 the heavier class is scaled down, for λ = 0 they move in the
        metric of α(1 - α). What is left of it is paid for.
    lam : float ≥ 0
        λ; the offset is not penalised.
    start : shape (d+1,), optional
        Any plane, from which the fall along a is followed; if None, 0, where a sample costs ln 2.
    prices : None, "balanced" or c, shape (n,)
        As in `linear_program`: Σcᵢ takes the place of the mean, and 0 ≤ αᵢ ≤ 1 are shares of cᵢ.

    Notes
    -----
    The lower end is mean (H(αᵢ) - αᵢm̂ᵢ) + (λ/2)‖ŵ‖² at the plane at hand, less what the residual
    Σ αᵢyᵢxᵢ/n - λŵ may cost at planes that are no worse (`duality`). Chapter "Logistic regression".

    >>> X, y = [[0.0], [1.0], [2.0]], [1, -1, 1]
    >>> enclose_logistic(X, y, primal=[0.0, np.log(2)], dual=[1 / 3, 2 / 3, 1 / 3])
    Certificate(0.636514 ≤ logistic ≤ 0.636514)
    """
    X, y = check_samples(X, y)
    a, lam = check_vector(primal, X.shape[1] + 1, "primal"), check_number(lam, "lam", least=0)
    from_here = None if start is None else check_vector(start, a.size, "start")
    return enclose_checked(X, y, Priced.of(y, prices), lam, primal=a, dual=dual, start=from_here)


@quietly
def enclose_checked(
    X: Array,
    y: Array,
    c: Priced,
    lam: float,
    *,
    primal: Array,
    dual: ArrayLike | None = None,
    start: Array | None = None,
) -> Certificate:
    """`enclose_logistic` of samples already checked."""
    a, from_here = primal, np.zeros_like(primal) if start is None else start
    given = None if dual is None else np.minimum(check_weights(dual, len(y)), 1.0)
    options = {"lam": lam, "prices": c.given}
    if not c.parts.all():
        return _of_the_priced(X, y, c, given, primal=a, lam=lam, start=start)
    k, whole = c.parts, c.whole
    scale, terms, penalty = rounded_sum(k) * LN2, LogisticTerms(k), lam * whole * (1 - 4 * U)

    def seen(view: View) -> Certificate:
        # Fenchel's inequality is an equality at σ(-m).
        alpha = expit(-view.m.mid) if given is None else given
        limit = None if lam else _limit(view, X, k, from_here)
        total = _losses(view.m, k) + _penalty(a[:-1], lam) * whole if limit is None else limit
        votes = equalised(y, k * alpha) if lam else k * alpha
        lower = lower_end(view, terms, votes, float(total.hi), scale=scale, lam=penalty)
        kept = options | ({} if limit is None else {"start": from_here.tolist()})
        ends, size = (down(lower.lower / whole), float((total / whole).hi)), math.log(2) * c.total
        return Certificate("logistic", *ends, a, alpha, kept, size, lower.within)

    if lam:
        return sharpest(View.of(X, y, a, scaled=False), seen)
    return closest(Samples(X), a, lambda S: seen(View.seen(S, y, a)), c.times)


def _limit(view: View, X: Array, k: Array, start: Array) -> Ball | None:
    """Where the loss falls for ever along the plane in view: what its fall from `start` tends to."""
    if not (view.m.mid >= -view.m.off).all():
        return None
    ties = standing(X, view.y, view.a)  # only samples on the plane go on to cost something
    if ties is None:
        return None
    if not ties.size:
        return ball(0.0)
    return _losses(View.of(X[ties], view.y[ties], start, scaled=True).m, k[ties])


def _of_the_priced(X: Array, y: Array, c: Priced, alpha: Array | None, **given: Any) -> Certificate:
    """The certificate without the samples that cost nothing, whose multipliers are 0."""
    paid, dual = np.flatnonzero(c.parts), np.zeros(len(y))
    votes, own = None if alpha is None else alpha[paid], Priced.of(y[paid], c.parts[paid])
    found = enclose_checked(X[paid], y[paid], own, dual=votes, **given)
    dual[paid] = found.dual
    return replace(found, dual=dual, options={**found.options, "prices": c.given})


def recedes(X: ArrayLike, y: ArrayLike, a: ArrayLike) -> bool:
    """Whether Za ≥ 0 and Za ≠ 0, decided without rounding: then no logistic minimiser exists.

    Along such a direction the loss falls from every starting point (Albert and Anderson 1984;
    chapter "Logistic regression").

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    a : shape (d+1,)
        A direction (w, b).

    >>> recedes([[0.0], [1.0], [1.0], [2.0]], [-1, -1, 1, 1], [1.0, -1.0])
    True
    """
    X, y = check_samples(X, y)
    return standing(X, y, check_vector(a, X.shape[1] + 1, "a")) is not None


def standing(X: Array, y: Array, a: Array) -> Index | None:
    """The samples with ⟨a, zᵢ⟩ = 0, decided without rounding; None unless Za ≥ 0 and Za ≠ 0."""
    Z = signed(X, y)
    m = product(Z, a)
    if (m.hi < 0).any() or not a.any():
        return None
    near = np.flatnonzero(m.lo <= 0)  # rounding leaves their sign open, so whole numbers decide
    if not near.size:
        return near
    rows, which = np.unique(Z[near], axis=0, return_inverse=True)
    exact = products(rows, [Fraction(v) for v in a.tolist()])[0][which.ravel()]
    if (exact < 0).any() or (near.size == len(y) and not exact.any()):
        return None
    return np.asarray(near[exact == 0])


def _losses(m: Cloud, k: Array) -> Ball:
    """Σkᵢφ(mᵢ), φ(m) = ln(1 + exp(-m)); NumPy's logarithm is trusted to a few last digits.

    |φ(m + ε) - φ(m)| is at most |ε|, and at most (e^|ε| - 1)φ(m), which is less where m is large.
    """
    loss = (np.log1p(np.exp(-np.abs(m.mid))) - np.minimum(m.mid, 0.0)) * k
    least = 8 * float(np.maximum(k, 1).sum()) * ETA
    total = Cloud(loss, (16 + 2 * bool((k != 1).any())) * U * norm(loss) + least).sum()
    more = min(m.off * norm(k), float(np.expm1(min(m.off, 1.0)) * total.hi))
    more = more if m.off < 1 else m.off * float(k.sum())
    return total + Ball(np.float64(0.0), np.float64(up(more, len(k) + 8)))


def _penalty(w: Array, lam: float) -> Ball:
    """(λ/2)‖w‖², multiplied first, so that no square underflows alone."""
    root = math.sqrt(lam)
    return (ball(w) * Ball(root, 2 * U * root)).squares() * 0.5


def mean_loss(view: View, lam: float, c: Array | None = None) -> Ball:
    """mean ln(1 + exp(-mᵢ)) + (λ/2)‖w‖² at the plane in view, both ends proved; with c it is Σcᵢ ln(…)."""
    n = len(view.y)
    loss = _losses(view.m, np.ones(n)) / n if c is None else _losses(view.m, c)
    return loss + _penalty(view.a[:-1], lam)
