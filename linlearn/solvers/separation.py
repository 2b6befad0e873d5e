"""Separate the samples or prove them inseparable: in floats where they suffice, else exactly."""

from dataclasses import replace

import numpy as np

from linlearn.certificates import Certificate
from linlearn.certificates.margin import enclose_signed
from linlearn.exact.dyadic import nearby_float_plane
from linlearn.plane import radius, signed
from linlearn.solvers.exact_separability import exact_separability
from linlearn.solvers.min_norm_point import ENOUGH, min_norm_point
from linlearn.validation import LEAST, Array, name_columns

OPEN = 1e-9  # gap, relative to the upper bound, above which other coordinates are tried: nine digits suffice
WORK = 1e9  # products of 64 bits that deciding without rounding may take: a minute at most
QUICK = 1e5  # that proving what floats propose may take, while something else may still be proposed


def separation(
    X: Array, y: Array, *, fit_intercept: bool = True, max_work: float = WORK
) -> Certificate:
    """The enclosure of γ*, with a separating hyperplane as primal witness, or 0 where none was found.

    The nearest point of the hull in floats is its own hyperplane and weights. If they leave the gap open, it
    is sought again where columns are alike; if they leave open which answer it is, without rounding.
    """
    Z = signed(X, y, fit_intercept=fit_intercept)
    R = radius(Z)
    a, alpha = min_norm_point(Z)
    certificate = enclose_signed(Z, a, alpha, fit_intercept=fit_intercept, R=R, max_work=QUICK)
    if (
        certificate.gap > OPEN * certificate.upper
        and certificate.upper > ENOUGH * certificate.scale
    ):
        certificate = _retry_rescaled(X, y, Z, certificate, fit_intercept)
    if certificate.separable is None and max_work > 0:
        certificate = _decide_exactly(X, y, Z, certificate, fit_intercept, max_work)
    if certificate.lower == 0:  # which a = 0 attains
        certificate = replace(certificate, primal=np.zeros(Z.shape[1]))
    return certificate


def _decide_exactly(
    X: Array, y: Array, Z: Array, known: Certificate, fit_intercept: bool, max_work: float
) -> Certificate:
    """The certificate with a hyperplane or with Gordan's vector, unless the work is spent before."""
    found = exact_separability(X, y, fit_intercept=fit_intercept, max_work=max_work)
    a, alpha, exact = np.zeros(Z.shape[1]), known.dual, None
    if found.plane is not None:
        nearby = nearby_float_plane(Z, found.plane, fit_intercept=fit_intercept)
        a = a if nearby is None else nearby
        exact = [str(v) for v in found.plane] if nearby is None else None
    elif found.weights is not None:
        alpha = np.zeros(len(Z))
        for i, v in found.weights.items():
            alpha[i] = max(float(v), np.finfo(float).smallest_subnormal)
    inside = found.weights is not None
    certificate = enclose_signed(
        Z, a, alpha, fit_intercept=fit_intercept, R=known.scale, exact=exact, inside=inside
    )
    if found.plane is not None and certificate.separable is None:
        small = np.flatnonzero(((X != 0) & (np.abs(X) < LEAST)).any(axis=0)).tolist()
        remedy = (
            f"Set the entries below {LEAST:g} in {name_columns(small)} to 0"
            if small
            else "Standardise its columns"
        )
        raise ValueError(
            "`X` must hold samples whose margin is not below 5e-324, the smallest positive float; a "
            f"hyperplane separates these, but with a smaller margin. {remedy}."
        )
    return certificate


def _retry_rescaled(
    X: Array, y: Array, Z: Array, known: Certificate, fit_intercept: bool
) -> Certificate:
    """The better of both bounds, known and found in coordinates in which the columns are alike.

    Centring (with an intercept) and scaling map hyperplanes to hyperplanes and hulls to hulls, so whether 0
    is in the hull is the same question there, asked where rounding does not blur it.
    """
    mean = X.mean(axis=0) if fit_intercept else np.zeros(X.shape[1])
    spread = np.abs(X - mean).max(axis=0)
    spread[spread == 0] = 1.0
    there = signed((X - mean) / spread, y, fit_intercept=fit_intercept)
    a, alpha = min_norm_point(there)
    w = a[: X.shape[1]] / spread
    back = np.append(w, a[-1] - w @ mean) if fit_intercept else w
    found = enclose_signed(
        Z, back, alpha, fit_intercept=fit_intercept, R=known.scale, max_work=QUICK
    )
    plane = found if found.lower > known.lower else known
    weights = found if found.upper < known.upper else known
    best = (plane.primal, weights.dual)
    return enclose_signed(Z, *best, fit_intercept=fit_intercept, R=known.scale, max_work=QUICK)
