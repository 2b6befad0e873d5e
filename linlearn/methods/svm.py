"""Support vector machines: the soft margin `svm` and the hard margin `max_margin`."""

from collections.abc import Iterable

from numpy.typing import ArrayLike

from linlearn._dispatch import out_of_core, requires_memory
from linlearn.certificates.certificate import keeping
from linlearn.certificates.sample_weights import SampleWeights, Weights, check_penalty
from linlearn.fit import Fit
from linlearn.plane import Hyperplane
from linlearn.solvers.svm import hard_margin, soft_margin
from linlearn.trace import Trace
from linlearn.validation import check_size, check_training


@keeping
@out_of_core
def svm(X: ArrayLike, y: ArrayLike, *, C: float, sample_weight: Weights = None) -> Fit:
    """Soft-margin support vector machine: minimise ½‖w‖² + C Σsᵢ(1 - mᵢ)₊.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
        Or a memory map, a SciPy sparse matrix, paths of Parquet files and the name of the column of labels, a
        Dask array or data frame: these are read in blocks, see "Beyond one machine".
    C : float > 0
        Penalty parameter C, as in scikit-learn: it multiplies the sum, not the mean, of the slacks.
        C = 1/(nλ) corresponds to a mean loss with penalty λ, as in `logistic`.
    sample_weight : None, "balanced" or s, shape (n,)
        As in scikit-learn, each slack costs C times the weight sᵢ of its sample. None: sᵢ = 1. "balanced":
        n/2n₊ and n/2n₋. Numbers ≥ 0: 2 is the same as duplicating the sample, 0 removes it.

    Returns
    -------
    Fit
        Its certificate encloses the value. The dual witness holds the dual variables α, w = Σ αᵢyᵢxᵢ;
        the support vectors are `np.flatnonzero(fit.certificate.dual)`: those with αᵢ = Csᵢ may violate the
        margin, those with 0 < αᵢ < Csᵢ lie on it (compare by `np.isclose` if samples have weights).

    Notes
    -----
    Cortes and Vapnik (1995); chapter "Support vector machines". w is unique, b and α need not be. For
    C ≥ min‖α‖_∞ (over the dual variables of `max_margin`), w is that of `max_margin`.

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


def svm_path(X: ArrayLike, y: ArrayLike, *, Cs: Iterable[float]) -> list[Fit]:
    """The fits of `svm` for each C in turn.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    Cs : values of the penalty parameter C, each > 0

    Examples
    --------
    >>> fits = svm_path([[0.0], [1.0], [3.0], [9.0]], [-1, -1, 1, 1], Cs=[0.01, 1.0])
    >>> [round(float(fit.plane.w[0]), 6) for fit in fits]
    [0.11, 1.0]
    """
    if not isinstance(Cs, Iterable) or isinstance(Cs, str):
        raise ValueError(f"`Cs` must be a list of numbers > 0; got {Cs!r}.")
    return [svm(X, y, C=C) for C in Cs]


@keeping
@requires_memory("every sample on the margin has its own dual variable")
def max_margin(X: ArrayLike, y: ArrayLike) -> Fit:
    """Minimise ½‖w‖² subject to all margins ≥ 1: the separating hyperplane farthest from the samples.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1

    Returns
    -------
    Fit
        In canonical form: the smallest margin is 1 up to rounding, the geometric margin ρ* = 1/‖w‖. Its
        certificate encloses ½‖w‖² = 1/2ρ*². The dual witness holds the dual variables, w = Σ αᵢyᵢxᵢ; the
        support vectors are `np.flatnonzero(fit.certificate.dual)`.

    Raises
    ------
    NotSeparable
        If the samples are proved inseparable; its `.certificate` (see `separate`) holds Gordan's vector.
    Undecided
        If `separate` cannot decide within its budget.

    Notes
    -----
    Vapnik and Lerner (1963); chapter "Support vector machines". It is solved as the soft margin with a
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
