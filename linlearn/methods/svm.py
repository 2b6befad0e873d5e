"""Support vector machines: of all planes, the one that keeps the samples farthest away."""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import ArrayLike

from linlearn._elsewhere import in_blocks, in_memory
from linlearn.certificates.certificate import keeping
from linlearn.certificates.prices import check_prices
from linlearn.checks import Array, check_size, check_training
from linlearn.engines.support import hard_margin, soft_margin
from linlearn.fit import Fit
from linlearn.plane import Hyperplane
from linlearn.trace import Trace


def pair_by_pair(
    X: Array, y: Array, C: float, tolerance: float = 1e-6
) -> Iterator[tuple[Array, float, Array]]:
    """The states w, b, α; a step moves the two multipliers that are most at odds."""
    alpha = np.zeros(len(y))
    while True:
        # Plain sums: how `@` rounds is the processor's affair, and would decide ties.
        w = (alpha * y * X.T).sum(axis=1)
        wish = y - (X * w).sum(axis=1)  # the offset with which a sample has margin 1
        up = np.where(y > 0, C - alpha, alpha)  # room for αᵢyᵢ to rise,
        down = np.where(y > 0, alpha, C - alpha)  # and to fall
        i = np.where(up > 0, wish, -np.inf).argmax()
        j = np.where(down > 0, wish, np.inf).argmin()
        yield w, (wish[i] + wish[j]) / 2, alpha
        if wish[i] - wish[j] <= tolerance:
            return
        far = ((X[i] - X[j]) ** 2).sum()
        t = min(up[i], down[j], (wish[i] - wish[j]) / far if far else np.inf)
        alpha = alpha + t * y * (np.eye(len(y))[i] - np.eye(len(y))[j])


@keeping
@in_blocks
def svm(X: ArrayLike, y: ArrayLike, *, C: float | ArrayLike) -> Fit:
    """Minimise ½‖w‖² + C Σ(1 - mᵢ)₊: a wide margin, paid for with shortfalls from it.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
        Or a memory map, a SciPy sparse matrix, paths of Parquet files and the name of the column of labels, a
        Dask array or data frame: these are read in blocks, see "Beyond one machine".
    C : float > 0, or shape (n,)
        Price of one sample's shortfall, as in scikit-learn: twice as many samples weigh twice as much.
        C = 1/(nλ) holds the penalty λ of a mean loss, as in `logistic`. Numbers ≥ 0, one for each sample:
        a price of 2C is that of two samples in one place, of 0 that of none.

    Returns
    -------
    Fit
        Its certificate encloses the value. The dual witness are the multipliers, w = Σ αᵢyᵢxᵢ; the
        support vectors are `np.flatnonzero(fit.certificate.dual)`: those at C fall short of margin
        1, those between have it.

    Notes
    -----
    Cortes and Vapnik (1995); chapter "Support vector machines". w is unique, b and α need not be. From
    C = min‖α‖_∞ (over the multipliers of `max_margin`) on, w is that of `max_margin`.

    >>> fit = svm([[0.0], [1.0], [3.0], [9.0]], [-1, -1, 1, 1], C=1.0)
    >>> fit.plane, fit.certificate.dual
    (Hyperplane(w=[1], b=-2), array([0. , 0.5, 0.5, 0. ]))
    """
    X, y = check_training(X, y)
    best = soft_margin(X, y, check_size(C, "C") if np.ndim(C) == 0 else check_prices(y, C, "C"))
    plane = Hyperplane.from_homogeneous(best.primal)
    return Fit.of(X, plane, Trace.closed_form(plane), best)


def svm_path(X: ArrayLike, y: ArrayLike, *, Cs: Iterable[float]) -> list[Fit]:
    """The fits of `svm` for each C in turn.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    Cs : the prices of one sample, each > 0

    >>> fits = svm_path([[0.0], [1.0], [3.0], [9.0]], [-1, -1, 1, 1], Cs=[0.01, 1.0])
    >>> [round(float(fit.plane.w[0]), 6) for fit in fits]
    [0.11, 1.0]
    """
    if not isinstance(Cs, Iterable) or isinstance(Cs, str):
        raise ValueError(f"`Cs` must be a list of numbers > 0; got {Cs!r}.")
    return [svm(X, y, C=C) for C in Cs]


@keeping
@in_memory("every sample on its margin has a multiplier of its own")
def max_margin(X: ArrayLike, y: ArrayLike) -> Fit:
    """Minimise ½‖w‖² over planes with all margins ≥ 1: the separating plane farthest from the samples.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1

    Returns
    -------
    Fit
        In canonical form: the smallest margin is 1 up to rounding, the geometric margin ρ* = 1/‖w‖. Its
        certificate encloses ½‖w‖² = 1/2ρ*². The dual witness are the multipliers, w = Σ αᵢyᵢxᵢ; the support
        vectors are `np.flatnonzero(fit.certificate.dual)`.

    Raises
    ------
    NotSeparable
        If it is proved that no plane separates; its `.certificate` (see `separate`) holds Gordan's vector.
    Undecided
        If `separate` leaves open whether one does.

    Notes
    -----
    Vapnik and Lerner (1963); chapter "Support vector machines". It is the soft margin with a C that is
    large enough: a plane (w₀, b₀) with margins ≥ 1, from the linear programme, bounds the multipliers
    by αᵢ ≤ Σα/2 = ‖w‖²/2 ≤ ‖w₀‖²/2, and from C = maxᵢ αᵢ on both problems have the same w.

    >>> fit = max_margin([[0.0], [1.0], [3.0], [9.0]], [-1, -1, 1, 1])
    >>> fit.plane, fit.certificate.dual
    (Hyperplane(w=[1], b=-2), array([0. , 0.5, 0.5, 0. ]))
    """
    X, y = check_training(X, y)
    best = hard_margin(X, y)
    plane = Hyperplane.from_homogeneous(best.primal)
    return Fit.of(X, plane, Trace.closed_form(plane), best)
