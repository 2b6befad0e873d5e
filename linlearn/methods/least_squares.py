"""Least squares on the labels: linear regression used as a classifier."""

from numpy.typing import ArrayLike

from linlearn._dispatch import out_of_core
from linlearn.certificates.bound import CLOSED
from linlearn.certificates.certificate import Certificate, store_samples, tightest
from linlearn.certificates.least_squares import (
    Targets,
    least_squares_certificate,
    regression_targets,
)
from linlearn.certificates.samples import Samples
from linlearn.fit import Fit
from linlearn.plane import Hyperplane
from linlearn.solvers.least_squares import least_squares_plane, short_plane
from linlearn.trace import Trace
from linlearn.validation import Array, check_targets, check_training


@store_samples
@out_of_core
def least_squares(X: ArrayLike, y: ArrayLike, *, targets: Targets = "labels") -> Fit:
    """Minimise ½‖X̃a - t‖² over a = (w, b), X̃ = (X, 1): the minimiser solves X̃ᵀX̃a = X̃ᵀt.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
        X may also be a memory map, a SciPy sparse matrix, a Dask array or data frame, or paths of Parquet
        files with the name of the label column as `y`. Such samples are read in blocks: see "Beyond one
        machine".
    targets : "labels", "fisher" or t, shape (n,)
        "labels": t = y. "fisher": t = n/n₊ for class +1 and -n/n₋ for class -1; over all samples these sum to
        0, so that the hyperplane passes through the mean of all samples. Any two values, the larger one for
        class +1, give the direction of `fisher`; the threshold depends on them.

    Returns
    -------
    Fit
        Its certificate encloses the minimum, and its gap closes even if features are linearly dependent. In
        that case (or if n ≤ d) the minimiser is not unique, and the one with the least norm of w in
        standardised features is returned. If features are dependent only up to rounding, the lower bound is
        proved only for bounded (w, b) (see `Certificate.score_bound`), and directions in which the features
        hardly vary are left out if this narrows the gap.

    Notes
    -----
    Legendre (1805), Gauss (1809); lesson "Least squares on labels". The Gram matrix of the centred
    samples is summed in blocks, scaled and factored by Cholesky; the residual decides whether the
    answer is refined. Nearly dependent features go to a QR factorisation with column pivoting.

    Examples
    --------
    >>> least_squares([[0.0], [1.0], [2.0]], [-1, -1, 1]).plane
    Hyperplane(w=[1], b=-1.333)
    """
    X, y = check_training(X, y)
    t = check_targets(regression_targets(y, targets))
    S = Samples(X)

    def enclose(primal: Array, dual: Array | None = None) -> Certificate:
        return least_squares_certificate(S, t, primal, dual, targets)

    best = enclose(least_squares_plane(S, t))
    if best.relative_gap > CLOSED:  # features depend on each other up to rounding, or nearly
        best = tightest((best, enclose(short_plane(S, t))))
    plane = Hyperplane.from_homogeneous(best.primal)
    return Fit.of(X, plane, Trace.closed_form(plane), best)
