"""Fisher's direction, along which the classes differ most, and the Gaussian model that adds a threshold."""

import numpy as np
from numpy.typing import ArrayLike

from linlearn._elsewhere import in_blocks
from linlearn.certificates.certificate import Certificate
from linlearn.certificates.fisher import by_class, enclose_checked
from linlearn.checks import STEEPEST, Array, check_number, check_training
from linlearn.engines.scatter import direction, directions
from linlearn.engines.thin import closer
from linlearn.fit import Fit
from linlearn.plane import Hyperplane
from linlearn.trace import Trace

TOO_STEEP = (
    "`X` must have more spread within the classes, beside what they are apart: S_W⁻¹δ has numbers beyond "
    f"{STEEPEST:g}. Drop the features with the least, or rescale."
)

Priors = str | tuple[float, float] | None


def fisher_direction(X: Array, y: Array) -> Array:
    """w = S_W⁻¹δ: the difference of the means in units of the scatter about them."""
    mu_plus, mu_minus = X[y > 0].mean(axis=0), X[y < 0].mean(axis=0)
    X_W = X - np.where(y[:, None] > 0, mu_plus, mu_minus)
    return np.linalg.solve(X_W.T @ X_W, mu_plus - mu_minus)


@in_blocks
def fisher(X: ArrayLike, y: ArrayLike) -> Fit:
    """Maximise ⟨w, δ⟩²/‖X_W w‖², δ = μ₊ - μ₋: the maximiser is w = S_W⁻¹δ, S_W = X_WᵀX_W.

    The ratio compares the distance of the projected class means with the spread of the projected
    samples about them. It chooses the direction and its orientation only; the threshold, which
    the certificate says nothing about, is put half-way between the projected means.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
        Or a memory map, a SciPy sparse matrix, paths of Parquet files and the name of the column of labels, a
        Dask array or data frame: these are read in blocks, see "Beyond one machine".

    Returns
    -------
    Fit
        Its certificate encloses the largest ratio and closes at once.

    Raises
    ------
    ValueError
        If the class means are equal, or if the within-class scatter S_W is singular: then a
        direction without spread exists and the ratio has no finite maximum. At least d + 2
        samples are needed.

    Notes
    -----
    Fisher (1936); lesson "Fisher's discriminant". S_W is summed in blocks and factored by Cholesky,
    both after scaling; if it is nearly singular, X_W is factored by QR instead.

    >>> fit = fisher([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [3.0, 2.0], [4.0, 2.0]], [-1, -1, -1, 1, 1])
    >>> fit.plane, fit.certificate
    (Hyperplane(w=[4, 4.5], b=-12.92), Certificate(20.1667 ≤ fisher ≤ 20.1667))
    """
    return _fit(*check_training(X, y), "fisher", weight=1.0, odds=0.0)


@in_blocks
def lda(X: ArrayLike, y: ArrayLike, *, priors: Priors = None) -> Fit:
    """Where the posterior of two Gaussian classes with a common covariance exceeds one half.

    ln P(+1|x)/P(-1|x) = ⟨w, x - (μ₊ + μ₋)/2⟩ + ln π₊/π₋ with w = Σ̂⁻¹δ, Σ̂ = S_W/n: Fisher's direction
    with a scale and a threshold, so that `score` is the log-odds and 1/(1 + e^-score) the posterior.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
        Or a memory map, a SciPy sparse matrix, paths of Parquet files and the name of the column of labels, a
        Dask array or data frame: these are read in blocks, see "Beyond one machine".
    priors : None or "empirical", "equal", or a pair (π₊, π₋) of positive numbers
        Probabilities of the classes: n₊/n and n₋/n by default; "equal" puts the threshold half-way
        between the projected means. A pair counts relative to its sum.

    Returns
    -------
    Fit
        Its certificate encloses Fisher's ratio, whose maximiser w is; it does not cover b.

    Raises
    ------
    ValueError
        As `fisher` does.

    Notes
    -----
    The divisor of Σ̂ is n (maximum likelihood). With another divisor w changes its length and, for
    unequal priors, the plane moves. Lesson "Fisher's discriminant".

    >>> lda([[0.0], [2.0], [4.0], [6.0]], [-1, -1, 1, 1], priors=(0.5, 0.5)).plane
    Hyperplane(w=[4], b=-12)
    """
    X, y = check_training(X, y)
    odds = log_odds(int(np.sum(y > 0)), int(np.sum(y < 0)), priors)
    return _fit(X, y, "lda", weight=float(len(y)), odds=odds)


def log_odds(plus: float, minus: float, priors: Priors) -> float:
    """ln π₊/π₋, of classes with so many samples."""
    if priors is None or (isinstance(priors, str) and priors == "empirical"):
        return float(np.log(plus / minus))
    if isinstance(priors, str) and priors == "equal":
        return 0.0
    if isinstance(priors, str) or np.shape(priors) != (2,):
        raise ValueError(
            '`priors` must be "empirical", "equal" or a pair (π₊, π₋) of positive numbers; '
            f"got {priors!r}."
        )
    first, second = (check_number(v, "priors", above=0) for v in priors)
    return float(np.log(first) - np.log(second))


def _fit(X: Array, y: Array, name: str, *, weight: float, odds: float) -> Fit:
    S = by_class(X, y)

    def enclose(primal: Array, dual: Array | None = None) -> Certificate:
        return enclose_checked(S, y, weight * primal, dual)

    w, middle = direction(S, name)
    if not weight * max(np.abs(w).max(), abs(float(w @ middle))) < STEEPEST:  # also true for NaN
        raise ValueError(TOO_STEEP)
    certificate = closer(X, enclose(w), directions, enclose, S.group)
    plane = Hyperplane(certificate.primal, odds - float(certificate.primal @ middle))
    return Fit(plane, Trace.closed_form(plane), certificate)
