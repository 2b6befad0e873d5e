"""`linear_program`: minimise the mean slack from margin 1; `inequality_form`: its matrices for `linprog`."""

import numpy as np
from numpy.typing import ArrayLike

from linlearn._dispatch import out_of_core
from linlearn.certificates.certificate import store_samples
from linlearn.certificates.hinge import hinge_certificate
from linlearn.certificates.sample_weights import SampleWeights, Weights
from linlearn.certificates.samples import Samples
from linlearn.fit import Fit
from linlearn.plane import Hyperplane, signed
from linlearn.solvers.hinge import TOLERANCE, solve_margins
from linlearn.trace import Trace
from linlearn.validation import Array, check_samples, check_training


@store_samples
@out_of_core
def linear_program(X: ArrayLike, y: ArrayLike, *, sample_weight: Weights = None) -> Fit:
    """Minimise Σ sᵢξᵢ/Σ sᵢ subject to mᵢ ≥ 1 - ξᵢ, ξ ≥ 0: the minimum of the weighted mean of the slacks.

    For separable samples the minimum is 0, and the hyperplane found separates them. For inseparable
    samples w = 0 may be optimal. With equal weights it may even be the only optimum; with balanced weights
    there is always another one (Bennett and Mangasarian 1992). The minimiser need not be unique.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
        X may also be a memory map, a SciPy sparse matrix, a Dask array or data frame, or paths of Parquet
        files with the name of the label column as `y`. Such samples are read in blocks: see "Beyond one
        machine".
    sample_weight : None, "balanced" or s, shape (n,)
        None: sᵢ = 1. "balanced": n/(2n₊) and n/(2n₋), as in scikit-learn's `class_weight`, so that both
        classes have the same total weight. Numbers ≥ 0: weight 2 has the effect of duplicating the sample,
        weight 0 that of removing it; a common factor changes nothing.

    Returns
    -------
    Fit
        Its certificate encloses the minimum; the dual witness is a vector of dual variables with
        0 ≤ αᵢ ≤ sᵢ/Σs and Σ αᵢyᵢ(xᵢ, 1) = 0 up to rounding. If features are dependent up to rounding, so
        that the optimum needs weights too large for floats, the lower bound is proved only for bounded (w, b)
        (see `Certificate.score_bound`).

    Notes
    -----
    Smith (1968), Bennett and Mangasarian (1992); lesson "Linear programming".

    Examples
    --------
    >>> linear_program([[0.0], [1.0], [2.0], [3.0]], [-1, 1, -1, 1]).certificate
    Certificate(0.666667 ≤ hinge ≤ 0.666667)
    """
    X, y = check_training(X, y)
    s = SampleWeights.of(y, sample_weight)
    a, alpha = solve_margins(X, y, s.shares().rounded, lam=0.0, tolerance=TOLERANCE)
    best = hinge_certificate(Samples(X), y, s, a, alpha)
    plane = Hyperplane.from_homogeneous(best.primal)
    return Fit.of(X, plane, Trace.closed_form(plane), best)


def inequality_form(
    X: ArrayLike, y: ArrayLike, *, sample_weight: Weights = None
) -> tuple[Array, Array, Array]:
    """The linear program in inequality form: minimise ⟨q, u⟩ subject to Gu ≤ g, with u = (w, b, ξ).

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    sample_weight : as in `linear_program`

    Returns
    -------
    q, G, g : shapes (d+1+n,), (2n, d+1+n) and (2n,)
        The first n rows say -mᵢ - ξᵢ ≤ -1, the last n rows -ξᵢ ≤ 0. All variables are free: pass
        `bounds=(None, None)` to SciPy's `linprog`, which otherwise assumes u ≥ 0.

    Examples
    --------
    >>> q, G, g = inequality_form([[2.0], [0.0]], [1, -1])
    >>> G
    array([[-2., -1., -1.,  0.],
           [ 0.,  1.,  0., -1.],
           [ 0.,  0., -1.,  0.],
           [ 0.,  0.,  0., -1.]])
    """
    X, y = check_samples(X, y)
    Z, c = signed(X, y), SampleWeights.of(y, sample_weight).shares().rounded
    n, p = Z.shape
    one = np.eye(n)
    G = 0.0 - np.block([[Z, one], [np.zeros((n, p)), one]])
    return np.append(np.zeros(p), c), G, np.append(-np.ones(n), np.zeros(n))
