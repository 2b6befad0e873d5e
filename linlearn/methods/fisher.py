"""Fisher's discriminant, with the threshold midway, and LDA, with the Gaussian threshold."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from linlearn._dispatch import out_of_core
from linlearn.certificates.certificate import Certificate, store_samples
from linlearn.certificates.fisher import (
    by_class,
    describe_leak,
    drop_leak,
    find_leak,
    fisher_certificate,
)
from linlearn.fit import Fit
from linlearn.plane import Hyperplane
from linlearn.solvers.fisher import direction
from linlearn.trace import Trace
from linlearn.validation import STEEPEST, Array, check_number, check_training, described

TOO_STEEP = (
    "`X` must vary more within the classes, relative to the distance between their means; got S_W⁻¹δ with "
    f"entries beyond {STEEPEST:g}. Drop the features that vary least within the classes, or rescale them."
)

Priors = str | tuple[float, float] | None


@store_samples
@out_of_core
def fisher(X: ArrayLike, y: ArrayLike) -> Fit:
    """Maximise ⟨w, δ⟩²/‖X_W w‖², δ = μ₊ - μ₋: the maximiser is w = S_W⁻¹δ, S_W = X_WᵀX_W.

    The ratio compares the distance between the projected class means with the spread of the projected
    samples about them; X_W holds the samples minus their class means. All nonzero multiples of w, -w
    included, have the same ratio; S_W⁻¹δ is one that gives class +1 the higher mean score. The threshold
    does not occur in the ratio, and the certificate does not cover it: it is placed half-way between the
    projected means.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
        X may also be a memory map, a SciPy sparse matrix, a Dask array or data frame, or paths of Parquet
        files with the name of the label column as `y`. Such samples are read in blocks: see "Beyond one
        machine".

    Returns
    -------
    Fit
        Its certificate encloses the largest ratio, and its gap is closed. If S_W is singular, w is the
        shortest maximiser, where each column is measured in units of its spread within the classes: constant
        columns get weight 0, and duplicates share a weight. If some combination of columns is constant within
        each class and differs between the classes (a leaked label, or too few samples: fewer than d + 2 in
        general position), the ratio has no finite maximum: w is that combination, and the certificate is
        ∞ ≤ fisher ≤ ∞.

    Raises
    ------
    ValueError
        If the class means are equal, or w would have entries beyond 1e140. For samples that are read in
        blocks, also if the ratio has no finite maximum, or if rounding hides whether it has one.

    Notes
    -----
    Fisher (1936); lesson "Fisher's discriminant". S_W is summed in blocks and factored by Cholesky,
    both after scaling; if it is nearly singular, X_W is factored by QR instead, and if it is singular, by
    its singular value decomposition. Whether a label has leaked is decided in exact fractions.

    Examples
    --------
    >>> fit = fisher([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [3.0, 2.0], [4.0, 2.0]], [-1, -1, -1, 1, 1])
    >>> fit.plane, fit.certificate
    (Hyperplane(w=[4, 4.5], b=-12.92), Certificate(20.1667 ≤ fisher ≤ 20.1667))
    """
    return _fit(*check_training(X, y), "fisher", weight=1.0, odds=0.0)


@store_samples
@out_of_core
def lda(X: ArrayLike, y: ArrayLike, *, priors: Priors = None) -> Fit:
    """Linear discriminant analysis: two Gaussian classes with a common covariance matrix.

    ln P(+1|x)/P(-1|x) = ⟨w, x - (μ₊ + μ₋)/2⟩ + ln π₊/π₋ with w = Σ̂⁻¹δ, Σ̂ = S_W/n: Fisher's direction
    with a scale and a threshold, so that f(x) = ⟨w, x⟩ + b is the estimate of the log-odds, and
    1/(1 + exp(-f(x))) that of P(+1|x).

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
        X may also be a memory map, a SciPy sparse matrix, a Dask array or data frame, or paths of Parquet
        files with the name of the label column as `y`. Such samples are read in blocks: see "Beyond one
        machine".
    priors : None or "empirical", "equal", or a pair (π₊, π₋) of positive numbers
        Prior probabilities of the classes. None or "empirical": n₊/n and n₋/n. "equal" puts the threshold
        half-way between the projected means. A pair is divided by its sum.

    Returns
    -------
    Fit
        Its certificate encloses the largest Fisher ratio, which w attains; it does not cover b.

    Raises
    ------
    ValueError
        If the class means are equal, or if some combination of columns is constant within each class and
        differs between the classes: then the Gaussian log-odds are infinite. If the samples are in memory,
        the message names the columns.

    Notes
    -----
    The divisor in Σ̂ is n (maximum likelihood). With another divisor, w would have another length and, for
    unequal priors, the hyperplane would be shifted. Lesson "Linear discriminant analysis".

    Examples
    --------
    >>> lda([[0.0], [2.0], [4.0], [6.0]], [-1, -1, 1, 1], priors=(0.5, 0.5)).plane
    Hyperplane(w=[4], b=-12)
    """
    X, y = check_training(X, y)
    odds = log_odds(int(np.sum(y > 0)), int(np.sum(y < 0)), priors)
    return _fit(X, y, "lda", weight=float(len(y)), odds=odds)


def log_odds(plus: float, minus: float, priors: Priors) -> float:
    """ln π₊/π₋, for classes with that many samples."""
    if priors is None or (isinstance(priors, str) and priors == "empirical"):
        return float(np.log(plus / minus))
    if isinstance(priors, str) and priors == "equal":
        return 0.0
    if isinstance(priors, str) or np.shape(priors) != (2,):
        raise ValueError(
            '`priors` must be "empirical", "equal" or a pair (π₊, π₋) of positive numbers; '
            f"got {described(priors)}."
        )
    first, second = (check_number(v, f"priors[{k}]", above=0) for k, v in enumerate(priors))
    return float(np.log(first) - np.log(second))


def _or_add(n: int, d: int) -> str:
    return f", or add samples, since {n} are fewer than d + 2 = {d + 2}" if n < d + 2 else ""


def _fit_of_leak(X: Array, y: Array, name: str, infinite: Certificate) -> Fit:
    """For `fisher` the combination of columns that is the label; for `lda` an error that names them."""
    a = np.array([float(v) for v in find_leak(X, y) or ()])
    if name == "lda":
        raise ValueError(
            f"`lda` needs features that vary within the classes; {describe_leak(a[:-1])} and differs between "
            f"them, so the log-odds are infinite. If the label has leaked, {drop_leak(a[:-1])} and fit again"
            f"{_or_add(*X.shape)}."
        )
    if not np.abs(a).max() < STEEPEST:
        raise ValueError(TOO_STEEP)
    plane = Hyperplane.from_homogeneous(a)
    return Fit(plane, Trace.closed_form(plane), replace(infinite, primal=plane.w))


def _fit(X: Array, y: Array, name: str, *, weight: float, odds: float) -> Fit:
    S = by_class(X, y)
    w, middle = direction(S, name)
    if not weight * max(np.abs(w).max(), abs(float(w @ middle))) < STEEPEST:  # also true for NaN
        raise ValueError(TOO_STEEP)
    certificate = fisher_certificate(S, y, weight * w)
    if certificate.lower == np.inf:
        return _fit_of_leak(X, y, name, certificate)
    plane = Hyperplane(certificate.primal, odds - float(certificate.primal @ middle))
    return Fit.of(X, plane, Trace.closed_form(plane), certificate)
