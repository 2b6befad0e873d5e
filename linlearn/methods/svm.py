"""Support vector machines: the soft margin `svm` and the hard margin `max_margin`."""

from numpy.typing import ArrayLike

from linlearn._dispatch import out_of_core, requires_memory
from linlearn.certificates.certificate import store_samples
from linlearn.certificates.sample_weights import SampleWeights, Weights, check_penalty
from linlearn.fit import Fit
from linlearn.plane import Hyperplane
from linlearn.solvers.svm import hard_margin, soft_margin
from linlearn.trace import Trace
from linlearn.validation import check_size, check_training


@store_samples
@out_of_core
def svm(X: ArrayLike, y: ArrayLike, *, C: float, sample_weight: Weights = None) -> Fit:
    """Soft-margin support vector machine: minimise ½‖w‖² + C Σsᵢ(1 - mᵢ)₊.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
        X may also be a memory map, a SciPy sparse matrix, a Dask array or data frame, or paths of Parquet
        files with the name of the label column as `y`. Such samples are read in blocks: see "Beyond one
        machine".
    C : float > 0
        Penalty parameter C, one number, as in scikit-learn: it multiplies the sum, not the mean, of the
        slacks. C = 1/(nλ) corresponds to a mean loss with an L2 penalty of strength λ, as in `logistic`.
    sample_weight : None, "balanced" or s, shape (n,)
        As in scikit-learn, each slack costs C times the weight sᵢ of its sample. None: sᵢ = 1. "balanced":
        n/(2n₊) and n/(2n₋). Numbers ≥ 0: weight 2 has the effect of duplicating the sample, weight 0 that of
        removing it.

    Returns
    -------
    Fit
        Its certificate encloses the minimum. The dual witness holds the dual variables α; w = Σ αᵢyᵢxᵢ.
        For X in memory `np.flatnonzero(fit.certificate.dual)` lists the support vectors, up to
        a few with a tiny αᵢ: those with αᵢ = Csᵢ may violate the margin, those with 0 < αᵢ < Csᵢ lie on it
        (compare with `np.isclose`).

    Notes
    -----
    Cortes and Vapnik (1995); lesson "The soft-margin SVM". w is unique; b and α need not be. For separable
    samples w is that of `max_margin` if Csᵢ ≥ αᵢ for all i and some optimal dual variables α of `max_margin`.

    Examples
    --------
    >>> fit = svm([[0.0], [1.0], [3.0], [9.0]], [-1, -1, 1, 1], C=1.0)
    >>> fit.plane, fit.certificate.dual
    (Hyperplane(w=[1], b=-2), array([0. , 0.5, 0.5, 0. ]))
    """
    X, y = check_training(X, y)
    C = check_size(check_penalty(C), "C")
    best = soft_margin(X, y, C, SampleWeights.of(y, sample_weight))
    plane = Hyperplane.from_homogeneous(best.primal)
    return Fit.of(X, plane, Trace.closed_form(plane), best)


@store_samples
@requires_memory(
    "it must know whether a hyperplane separates the samples, which `separate` decides in exact arithmetic"
)
def max_margin(X: ArrayLike, y: ArrayLike) -> Fit:
    """Minimise ½‖w‖² subject to all margins ≥ 1: the separating hyperplane farthest from the samples.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1

    Returns
    -------
    Fit
        The plane is in canonical form: up to rounding, its smallest margin is 1, so that its geometric margin
        is ρ* = 1/‖w‖. The certificate encloses the minimum of ½‖w‖², which is 1/(2ρ*²). The dual witness
        holds the dual variables, w = Σ αᵢyᵢxᵢ; `np.flatnonzero(fit.certificate.dual)` lists the support
        vectors.

    Raises
    ------
    NotSeparable
        If the samples are inseparable; the exception's `.certificate` (see `separate`) proves it.
    Undecided
        If `separate` cannot decide within its default `max_work`.

    Notes
    -----
    Vapnik and Lerner (1963); lesson "The hard-margin SVM". The problem is solved as a soft margin with a
    sufficiently large C: some (w₀, b₀) with margins ≥ 1, from the linear program, bounds the dual variables
    by αᵢ ≤ Σα/2 = ‖w‖²/2 ≤ ‖w₀‖²/2, and for C ≥ maxᵢ αᵢ both problems have the same w.

    Examples
    --------
    >>> fit = max_margin([[0.0], [1.0], [3.0], [9.0]], [-1, -1, 1, 1])
    >>> fit.plane, fit.certificate.dual
    (Hyperplane(w=[1], b=-2), array([0. , 0.5, 0.5, 0. ]))
    """
    X, y = check_training(X, y)
    best = hard_margin(X, y)
    plane = Hyperplane.from_homogeneous(best.primal)
    return Fit.of(X, plane, Trace.closed_form(plane), best)
