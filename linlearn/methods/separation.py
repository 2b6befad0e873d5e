"""Is there a separating plane? The best one in the lifted space, or Gordan's proof that there is none."""

import numpy as np
from numpy.typing import ArrayLike

from linlearn._nonnegative import nonnegative
from linlearn.certificates import Certificate
from linlearn.certificates.ball import gamma
from linlearn.certificates.margin import enclose_signed
from linlearn.checks import Array, check_samples
from linlearn.fit import Fit
from linlearn.methods._state import plane_of
from linlearn.plane import radius, signed
from linlearn.trace import Trace

OPEN = 1e-9  # gap, relative to the upper end, above which other coordinates are tried
CLOSED = 1e-13  # gap, relative to the longest sample, at which a set of rows is enough


def separate(X: ArrayLike, y: ArrayLike, *, offset: bool = True) -> Fit:
    """Find γ* = max over ‖a‖ ≤ 1 of minᵢ⟨a, zᵢ⟩ as the distance from 0 to the convex hull of the zᵢ.

    Separable samples: the plane is the nearest point of the hull, the one with the largest
    margin among the lifted, homogeneous planes (not the largest geometric margin: that is
    `max_margin`). Others: 0 lies in the hull, the plane is w = 0, b = 0, and the dual witness is
    Gordan's vector: weights on at most d + 2 samples with Zᵀα = 0.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    offset : bool
        False looks for planes through the origin and may be given a single label.

    Returns
    -------
    Fit
        Its certificate encloses γ*; lower > 0 proves separability, upper = 0 up to rounding (relative
        to `certificate.scale`) says that there is no plane, and `certificates.gordan_exact` takes
        the dual and proves it. The gap closes unless γ* is a millionth of the longest sample or
        less: then the enclosure may stay wide, and lower = 0 below a wide gap decides nothing.
        Standardise such samples first.

    Notes
    -----
    Gordan (1873). The nearest point is found by non-negative least squares (Lawson and Hanson 1974):
    minimising ‖Zᵀu‖² + (Σu - 1)² over u ≥ 0 gives u proportional to the weights of the nearest
    point. Few rows matter, so it works on a set of them and lets those join that the current
    answer treats worst.

    >>> separate([[0.0], [4.0]], [-1, 1]).plane
    Hyperplane(w=[0.4], b=-0.8)
    >>> separate([[0.0], [1.0], [2.0]], [1, -1, 1]).certificate.dual
    array([0.25, 0.5 , 0.25])
    """
    X, y = check_samples(X, y, offset=offset)
    Z = signed(X, y, offset=offset)
    R = radius(Z)
    alpha = _nearest_point(Z, R)
    certificate = enclose_signed(Z, Z.T @ alpha, alpha, offset=offset, R=R)
    if (
        certificate.gap > OPEN * certificate.upper
        and certificate.upper > CLOSED * certificate.scale
    ):
        certificate = _rescaled(X, y, Z, certificate, offset)
    if certificate.lower == 0:
        none = np.zeros(Z.shape[1])
        certificate = enclose_signed(Z, none, certificate.dual, offset=offset, R=R)
    plane = plane_of(certificate.primal, offset=offset)
    return Fit(plane, Trace.closed_form(plane), certificate)


def _rescaled(X: Array, y: Array, Z: Array, known: Certificate, offset: bool) -> Certificate:
    """The better of both ends, known and found in coordinates in which the columns are alike.

    Centring (with an offset) and scaling map planes to planes and hulls to hulls, so whether 0 is in
    the hull is the same question there, asked where rounding does not blur it.
    """
    mean = X.mean(axis=0) if offset else np.zeros(X.shape[1])
    spread = np.abs(X - mean).max(axis=0)
    spread[spread == 0] = 1.0
    there = signed((X - mean) / spread, y, offset=offset)
    alpha = _nearest_point(there, radius(there))
    a = there.T @ alpha
    w = a[: X.shape[1]] / spread
    back = np.append(w, a[-1] - w @ mean) if offset else w
    found = enclose_signed(Z, back, alpha, offset=offset, R=known.scale)
    plane = found if found.lower > known.lower else known
    weights = found if found.upper < known.upper else known
    return enclose_signed(Z, plane.primal, weights.dual, offset=offset, R=known.scale)


def _nearest_point(Z: Array, R: float) -> Array:
    """Weights α on the simplex, shape (n,), of the point Zᵀα of least norm."""
    n, p = Z.shape
    scale = R or 1.0
    rows = np.unique(np.linspace(0, n - 1, min(n, 8 * p)).astype(int))
    u = np.zeros(n)
    while True:
        part = Z[rows] / scale
        u[rows] = nonnegative(np.column_stack([part, np.ones(len(rows))]), u[rows])
        alpha = u / u.sum()
        point = alpha[rows] @ part
        distance = float(np.linalg.norm(point))
        short = distance**2 - Z @ point / scale  # > 0 where a row would bring the point nearer to 0
        worst = np.argsort(-short, kind="stable")[: 4 * p]
        join = np.setdiff1d(worst[short[worst] > CLOSED * distance], rows)
        if not join.size or distance <= gamma(p):
            return alpha
        rows = np.union1d(rows, join)
