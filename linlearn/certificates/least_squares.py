"""How well can a plane's score imitate the targets? Planes bound it from above, residuals from below."""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from linlearn.certificates._rows import CLOSE, PROJECTIONS, Rows
from linlearn.certificates.certificate import Certificate, rounding, shrunk
from linlearn.checks import Array, check_samples, check_vector

Targets = str | ArrayLike
GRID = 1024  # entries are multiples of 1/GRID
FINE = 315 * GRID  # coefficients of 1/FINE: halves, thirds, fifths, sevenths


def regression_targets(y: Array, targets: Targets) -> Array:
    """The numbers t to regress on, shape (n,): labels ±1, balanced n/n₊ and -n/n₋, or given.

    >>> regression_targets(np.array([1.0, -1.0, -1.0, -1.0]), "balanced")
    array([ 4.        , -1.33333333, -1.33333333, -1.33333333])
    """
    if isinstance(targets, str):
        if targets not in ("labels", "balanced"):
            raise ValueError(
                f'`targets` must be "labels", "balanced" or one number per sample; got {targets!r}.'
            )
        if targets == "labels":
            return y
        n, n_plus = len(y), np.sum(y > 0)
        return np.where(y > 0, n / n_plus, -n / (n - n_plus))
    return check_vector(targets, len(y), "targets")


def enclose_least_squares(
    X: ArrayLike,
    y: ArrayLike,
    *,
    primal: ArrayLike,
    dual: ArrayLike,
    targets: Targets = "labels",
) -> Certificate:
    """Enclose min over a of ½‖X̄a - t‖² = max {⟨t, r⟩ - ½‖r‖² : X̄ᵀr = 0}, X̄ = (X, 1).

    For any a and any r with X̄ᵀr = 0, ⟨t, r⟩ = ⟨t - X̄a, r⟩ ≤ ½‖t - X̄a‖² + ½‖r‖²: a plane bounds the
    least sum of squares from above, a vector orthogonal to the features from below.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (d+1,)
        Any vector a = (w, b).
    dual : shape (n,)
        Any vector r: it is projected on X̄ᵀr = 0 and scaled as is best.
    targets : "labels", "balanced" or t, shape (n,)
        See `least_squares`.

    Notes
    -----
    What is left of X̄ᵀr after the projection is rounding; lower gives away the most that its removal
    could cost. Where n ≤ d, or where rounding hides whether the features are independent, lower is 0.
    Constant columns and copies are seen through, and if all features are short binary numbers exact
    combinations, too: indicators that add up to 1, but not beside real numbers. Chapter "Regression on
    labels".

    >>> X, y = [[0.0], [1.0], [2.0]], [-1, -1, 1]
    >>> enclose_least_squares(X, y, primal=[1, -4 / 3], dual=[1, 1, 1])
    Certificate(0 ≤ least squares ≤ 0.333333)
    >>> enclose_least_squares(X, y, primal=[1, -4 / 3], dual=[1, 0, 0])
    Certificate(0.333333 ≤ least squares ≤ 0.333333)
    """
    X, y = check_samples(X, y)
    a, r = check_vector(primal, X.shape[1] + 1, "primal"), check_vector(dual, len(y), "dual")
    return enclose_checked(X, regression_targets(y, targets), a, r, targets)


def enclose_checked(X: Array, t: Array, a: Array, r: Array | None, targets: Targets) -> Certificate:
    """`enclose_least_squares` of arrays already checked; without r it takes the residual t - X̄a."""
    n, d = X.shape
    kept = targets if isinstance(targets, str) else t.tolist()
    rows = Rows.centred(X)
    v = np.append(a[:d], _moved_offset(a, rows))
    given, r = r, None if r is None else shrunk(r)
    lower, best = 0.0, r
    for _ in range(PROJECTIONS + 1):
        score, rho, lengths = rows.times_sums_lengths(v, r, t=t)
        if r is None:
            best = given = r = t - score
        length = float(np.linalg.norm(r)) * (1 + rounding(n))
        doubt = 2 * rows.allowance * lengths * length
        extra = rows.least_correction(np.abs(rho) + doubt)
        error = 2 * rows.allowance * float(np.abs(v) @ lengths + np.linalg.norm(t))
        misfit = t - score
        for u, doubt in ((misfit, error), (t, 0.0)):
            bound = _below(u, r, length, extra, doubt)
            if bound > lower:
                lower, best = bound, r
        if extra <= CLOSE * length or not np.isfinite(extra):
            break
        r = r - rows.shortest(rho)
    upper = 0.5 * (float(np.linalg.norm(misfit)) * (1 + rounding(n)) + error) ** 2
    if not np.isfinite(extra):
        lower = _from_fewer_columns(X, t, a, given)
    upper *= 1 + rounding(8)
    return Certificate("least squares", lower, upper, a, best, {"targets": kept}, float(t @ t) / 2)


def _below(u: Array, r: Array, length: float, extra: float, error: float) -> float:
    """½⟨t, r'⟩²/‖r'‖² at least, r' the feasible vector nearest to r, u = t - X̄a known up to `error`."""
    size = float(np.linalg.norm(u)) * (1 + rounding(len(r)))
    product = float(u @ r) - rounding(len(r)) * size * length - extra * (size + error)
    product -= error * length
    return 0.5 * (product / length) ** 2 * (1 - rounding(len(r) + 8)) if product > 0 else 0.0


def _from_fewer_columns(X: Array, t: Array, a: Array, r: Array) -> float:
    """The lower end from columns that, with the constant, span the same space beyond doubt."""
    columns = _independent(X, _distinct(X))
    if not columns:
        return _from_the_constant(t, r)
    if len(columns) == X.shape[1]:
        return 0.0
    fewer = np.ascontiguousarray(X[:, columns])
    return enclose_checked(fewer, t, np.append(a[columns], a[-1]), r, "labels").lower


def _from_the_constant(t: Array, r: Array) -> float:
    """The lower end where no feature varies: then Σr' = 0 is all that is asked of r'."""
    r = r - r.mean()
    length = float(np.linalg.norm(r)) * (1 + rounding(len(r)))
    extra = abs(math.fsum(r)) / math.sqrt(len(r)) * (1 + rounding(4))
    return _below(t, r, length, extra, 0.0) if length > 0 else 0.0


def _distinct(X: Array) -> list[int]:
    """Columns without those that are constant, or equal to another one or to its negative."""
    sign = np.sign(np.take_along_axis(X, (X != 0).argmax(axis=0)[None], axis=0))
    _, first = np.unique(X * sign, axis=1, return_index=True)
    return [int(j) for j in np.sort(first) if (X[:, j] != X[0, j]).any()]


def _independent(X: Array, columns: list[int]) -> list[int]:
    """Columns without those that others make up exactly, by multiples of 1/FINE of entries on the grid.

    A factorisation guesses which and how; integer arithmetic decides.
    """
    units = X[:, columns] * GRID
    if not columns or (np.abs(units) >= 2.0**30).any() or (units != np.rint(units)).any():
        return columns
    Z = X[:, columns] - X[:, columns].mean(axis=0)
    R, order = linalg.qr(Z / np.linalg.norm(Z, axis=0), mode="r", pivoting=True)
    rank = int(np.sum(np.abs(np.diag(R)) > 1e-12))
    kept, others = order[:rank], order[rank:]
    basis = np.column_stack([X[:, columns][:, kept], np.ones(len(X))])
    U, found = units.astype(np.int64), set(kept.tolist())
    for j in others.tolist():
        c = np.rint(linalg.lstsq(basis, FINE // GRID * units[:, j])[0])
        small = np.abs(c).sum() < 2.0**31  # so that no sum overflows
        made = U[:, kept] @ c[:-1].astype(np.int64) + GRID * int(c[-1]) if small else U[:, j] + 1
        if not np.array_equal(made, FINE * U[:, j]):
            found.add(j)
    return [columns[j] for j in sorted(found)]


def _moved_offset(a: Array, rows: Rows) -> float:
    """b + ⟨w, m⟩, rounded once: the offset of the same plane when the samples are moved by -m."""
    if rows.centres is None:
        return float(a[-1])
    pairs = zip(a[:-1].tolist(), rows.centre().tolist(), strict=True)
    return float(Fraction(float(a[-1])) + sum(Fraction(w) * Fraction(m) for w, m in pairs))
