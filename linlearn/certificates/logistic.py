"""Enclose the least logistic loss: parameters (w, b) bound it from above, dual variables from below."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from linlearn._dispatch import out_of_core
from linlearn._scipy import expit
from linlearn.certificates.balance import scale_heavier_class
from linlearn.certificates.ball import (
    ETA,
    Ball,
    NormBall,
    U,
    ball,
    norm,
    product,
    quietly,
    round_down,
    round_up,
)
from linlearn.certificates.certificate import Certificate, store_samples
from linlearn.certificates.duality import (
    LogisticTerms,
    Margins,
    half_square,
    lower_bound,
)
from linlearn.certificates.sample_weights import SampleWeights, Weights
from linlearn.certificates.samples import spread
from linlearn.exact.dyadic import products
from linlearn.plane import signed
from linlearn.validation import (
    Array,
    Index,
    check_fractions,
    check_number,
    check_samples,
    check_vector,
    clean_multipliers,
)

FEW = 64  # samples that are looked at first
LN2 = math.log(2) * (1 + 2 * U)  # at least ln 2


@store_samples
@out_of_core
@quietly
def enclose_logistic(
    X: ArrayLike,
    y: ArrayLike,
    *,
    primal: ArrayLike,
    dual: ArrayLike | None = None,
    lam: float = 0.0,
    start: ArrayLike | None = None,
    exact: Sequence[str] | None = None,
    sample_weight: Weights = None,
) -> Certificate:
    """Enclose inf mean ln(1 + exp(-mᵢ)) + (λ/2)‖w‖² = max mean H(αᵢ) - ‖Σ αᵢyᵢxᵢ/n‖²/2λ.

    The maximum is over 0 ≤ α ≤ 1 with Σ αᵢyᵢ = 0; H is the binary entropy in nats. For λ = 0 the
    penalty of the dual becomes the constraint Zᵀα = 0. Both directions follow from Fenchel's
    inequality ln(1 + exp(-m)) ≥ H(α) - αm, an equality for α = σ(-m).

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (d+1,)
        Any a = (w, b); upper is the objective at a. But if λ = 0, Za ≥ 0 and Za ≠ 0 (decided without
        rounding), the loss decreases along a for ever, so that no minimiser exists. Then upper is the limit:
        the loss at `start` of the samples on the hyperplane a, which is 0 if a separates all samples; the
        certificate's `attained` is False, and its option `start` is set. `attained` is True if λ > 0, or if
        it is proved that some α with Zᵀα = 0 has all αᵢ strictly between their bounds, since then Za ≥ 0
        implies Za = 0. Otherwise it is None.
    dual : shape (n,), optional
        Any dual variables; if None, σ(-mᵢ). They are clipped to [0, 1] (non-finite ones become 0) and
        moved towards the constraint: for λ > 0 those of the class with the larger sum are scaled down, for
        λ = 0 they are projected in the metric of α(1 - α). What the remaining residual can cost is
        subtracted from the bound.
    lam : float ≥ 0
        λ; the intercept is not penalised.
    start : shape (d+1,), optional
        Any (w, b), the point from which the loss is followed in the direction a; if None, 0, where each
        sample's loss is ln 2.
    exact : d + 1 fractions, such as "1/3", optional
        A direction of recession a that floats cannot hold; `primal` is then close to it.
    sample_weight : None, "balanced" or s, shape (n,)
        As in `linear_program`: all means are weighted, with cᵢ = sᵢ/Σs in place of 1/n.

    Notes
    -----
    The lower bound is mean (H(αᵢ) - αᵢm̂ᵢ) + (λ/2)‖ŵ‖² at the given â, minus the most that the residual
    Σ αᵢyᵢxᵢ/n - λŵ can cost at hyperplanes that are at least as good (`duality`). Lesson "Separation and
    duality".

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0]], [1, -1, 1]
    >>> enclose_logistic(X, y, primal=[0.0, np.log(2)], dual=[1 / 3, 2 / 3, 1 / 3])
    Certificate(0.636514 ≤ logistic ≤ 0.636514)
    """
    X, y = check_samples(X, y)
    a, lam = check_vector(primal, X.shape[1] + 1, "primal"), check_number(lam, "lam", least=0)
    from_here = None if start is None else check_vector(start, a.size, "start")
    fractions = None if exact is None else check_fractions(exact, a.size, "exact")
    s = SampleWeights.of(y, sample_weight)
    return logistic_certificate(X, y, s, lam, primal=a, dual=dual, start=from_here, exact=fractions)


@quietly
def logistic_certificate(
    X: Array,
    y: Array,
    s: SampleWeights,
    lam: float,
    *,
    primal: Array,
    dual: ArrayLike | None = None,
    start: Array | None = None,
    exact: Sequence[Fraction] | None = None,
) -> Certificate:
    """`enclose_logistic` of samples already checked."""
    a, from_here = primal, np.zeros_like(primal) if start is None else start
    given = None if dual is None else np.minimum(clean_multipliers(dual, len(y)), 1.0)
    options: dict[str, Any] = {"lam": lam, "sample_weight": s.given}
    # Samples of weight 0 have the multiplier 0, and no part in the proof.
    positive = slice(None) if s.parts.all() else np.flatnonzero(s.parts)
    stored = np.zeros(len(y))
    X, y = X[positive], y[positive]
    # With k = `parts`, which are exact, the mean is Σkᵢφ(mᵢ)/Σk. Bounds are proved for Σk times the
    # objective, and divided by Σk at the end.
    k, total = s.parts[positive], s.total
    scale, terms, lam_total = total * LN2 * (1 + 4 * U), LogisticTerms(k), lam * total * (1 - 4 * U)
    ties = None if lam else recession_ties(X, y, a, exact)
    limit = None if ties is None else _limit(X, y, k, ties, from_here)
    if limit is not None:
        options["start"] = from_here.tolist()
        if exact is not None:
            options["exact"] = [str(v) for v in exact]

    margins = Margins.of(X, y, a, scaled=not lam)
    # Fenchel's inequality is an equality at σ(-m).
    alpha = expit(-margins.m.mid) if given is None else given[positive]
    stored[positive] = alpha
    value = limit
    if value is None:
        value = _losses(margins.m, k) + half_square(ball(a[:-1]), lam) * Ball(total, U * total)
    # The certificate stores α in [0, 1]; it is weighted and balanced only for the proof.
    weighted = scale_heavier_class(y, k * alpha) if lam else k * alpha
    found = lower_bound(margins, terms, weighted, float(value.hi), scale=scale, lam=lam_total)
    attained = False if limit is not None else True if lam or found.interior else None
    bounds = round_down(found.lower / total), float(round_up((value / total).hi, 4))
    return Certificate(
        "logistic", *bounds, a, stored, options, math.log(2), found.score_bound, attained
    )


def _limit(X: Array, y: Array, k: Array, ties: Index, start: Array) -> Ball:
    """The limit of the loss from `start` along a: only samples on the direction's hyperplane contribute."""
    if not ties.size:
        return ball(0.0)
    return _losses(Margins.of(X[ties], y[ties], start, scaled=True).m, k[ties])


def recedes(X: ArrayLike, y: ArrayLike, a: ArrayLike) -> bool:
    """Whether a is a direction of recession: Za ≥ 0 and Za ≠ 0, decided in exact arithmetic.

    Along such a direction the logistic loss decreases for ever from every starting point, so that it has no
    minimiser (Albert and Anderson 1984; lesson "Separation and duality").

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    a : shape (d+1,)
        A direction (w, b).

    Examples
    --------
    >>> recedes([[0.0], [1.0], [1.0], [2.0]], [-1, -1, 1, 1], [1.0, -1.0])
    True
    """
    X, y = check_samples(X, y)
    return recession_ties(X, y, check_vector(a, X.shape[1] + 1, "a")) is not None


def recession_ties(
    X: Array, y: Array, a: Array, exact: Sequence[Fraction] | None = None
) -> Index | None:
    """The samples with ⟨a, zᵢ⟩ = 0, decided without rounding; None unless Za ≥ 0 and Za ≠ 0.

    `exact`, if given, replaces a: fractions that a holds up to rounding.
    """
    first_rows = spread(len(X), FEW)  # mostly these tell already
    Z = np.column_stack([X[first_rows], np.ones(len(first_rows))]) * y[first_rows, None]
    if exact is None and (product(Z, a).hi < 0).any():
        return None
    m = signed_scores(signed(X, y), a, exact, least=0.0)
    if m is None or not m.any():
        return None
    return np.flatnonzero(m == 0)


def signed_scores(
    Z: Array, a: Array, exact: Sequence[Fraction] | None = None, *, least: float = -math.inf
) -> Array | None:
    """⟨a, zᵢ⟩ for the rows of Z, shape (n,), with the signs that they have in truth; 0 only where it is 0.

    None where one is below `least`, which is 0 or -∞. `exact` as in `recession_ties`.
    """
    m = product(Z, a if exact is None else Ball(a, 2 * U * np.abs(a) + ETA))
    scores, near = m.mid, np.flatnonzero((m.lo <= 0) & (m.hi >= 0))
    if (m.hi < least).any():
        return None
    if near.size and (a.any() or exact is not None):
        rows, which = np.unique(Z[near], axis=0, return_inverse=True)
        fractions = [Fraction(v) for v in a.tolist()] if exact is None else exact
        true = products(rows, fractions)[0][which.ravel()]
        size = np.maximum(np.abs(scores[near]), ETA)
        scores[near] = np.where(true == 0, 0.0, np.copysign(size, true))
    return None if (scores < least).any() else scores


def _losses(m: NormBall, k: Array) -> Ball:
    """Σkᵢφ(mᵢ), φ(m) = ln(1 + exp(-m)); NumPy's logarithm is trusted to a few last digits.

    |φ(m + ε) - φ(m)| is at most |ε|, and at most (e^|ε| - 1)φ(m), which is less where m is large.
    """
    loss = (np.log1p(np.exp(-np.abs(m.mid))) - np.minimum(m.mid, 0.0)) * k
    least = 8 * float(np.maximum(k, 1).sum()) * ETA
    total = NormBall(loss, (16 + 2 * bool((k != 1).any())) * U * norm(loss) + least).sum()
    more = min(m.off * norm(k), float(np.expm1(min(m.off, 1.0)) * total.hi))
    more = more if m.off < 1 else m.off * float(k.sum())
    return total + Ball(np.float64(0.0), np.float64(round_up(more, len(k) + 8)))


def mean_loss(margins: Margins, lam: float, s: SampleWeights) -> Ball:
    """Σsᵢ ln(1 + exp(-mᵢ))/Σs + (λ/2)‖w‖², with a proved radius."""
    loss = _losses(margins.m, s.parts) / s.total
    return loss * Ball(1.0, 4 * U) + half_square(ball(margins.a[:-1]), lam)
