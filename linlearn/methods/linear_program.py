"""The linear program of classification: minimise the weighted sum of slacks from margin 1."""

import numpy as np
from numpy.typing import ArrayLike

from linlearn._dispatch import out_of_core
from linlearn.certificates.certificate import keeping
from linlearn.certificates.hinge import enclose_checked
from linlearn.certificates.sample_weights import Priced, Prices
from linlearn.certificates.samples import Samples
from linlearn.checks import Array, check_samples, check_training
from linlearn.fit import Fit
from linlearn.plane import Hyperplane, signed
from linlearn.solvers.active_set import TOLERANCE, solve_margins
from linlearn.trace import Trace


@keeping
@out_of_core
def linear_program(X: ArrayLike, y: ArrayLike, *, prices: Prices = None) -> Fit:
    """Minimise Σ cᵢξᵢ subject to mᵢ ≥ 1 - ξᵢ, ξ ≥ 0: the least weighted sum of slacks ξ.

    For separable samples the value is 0 and the answer separates them. For others w = 0 may be
    optimal, and with cᵢ = 1/n even the only optimum; balanced weights exclude the latter (Bennett and
    Mangasarian 1992). The optimal value is unique; the minimiser need not be.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
        Or a memory map, a SciPy sparse matrix, paths of Parquet files and the name of the column of labels, a
        Dask array or data frame: these are read in blocks, see "Beyond one machine".
    prices : None, "balanced" or c, shape (n,)
        The sample weights. None: cᵢ = 1/n. "balanced": 1/n₊ and 1/n₋, so that each class has total
        weight 1. Numbers ≥ 0: doubling a weight is the same as duplicating the sample, 0 removes it.

    Returns
    -------
    Fit
        Its certificate encloses the value; the dual witness is a vector of dual variables 0 ≤ α ≤ c with
        Σ αᵢyᵢ(xᵢ, 1) = 0 up to rounding. If features are dependent up to rounding, so that the optimum
        needs weights too large for floats, the certificate holds for bounded hyperplanes (`score_bound`).

    Notes
    -----
    Smith (1968), Bennett and Mangasarian (1992); chapter "Linear programming".

    Examples
    --------
    >>> linear_program([[0.0], [1.0], [2.0], [3.0]], [-1, 1, -1, 1]).certificate
    Certificate(0.666667 ≤ hinge ≤ 0.666667)
    """
    X, y = check_training(X, y)
    c = Priced.of(y, prices)
    a, alpha = solve_margins(X, y, c.floats / c.total, penalty=0.0, tolerance=TOLERANCE)
    best = enclose_checked(Samples(X), y, c, a, alpha * c.total)
    plane = Hyperplane.from_homogeneous(best.primal)
    return Fit.of(X, plane, Trace.closed_form(plane), best)


def standard_form(
    X: ArrayLike, y: ArrayLike, *, prices: Prices = None
) -> tuple[Array, Array, Array]:
    """Write the linear program in standard form: minimise ⟨q, u⟩ subject to Gu ≤ g, with u = (w, b, ξ).

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    prices : as in `linear_program`

    Returns
    -------
    q, G, g : shapes (d+1+n,), (2n, d+1+n) and (2n,)
        The first n rows are -mᵢ - ξᵢ ≤ -1, the last n are -ξᵢ ≤ 0. All of u is free: SciPy's `linprog`
        assumes u ≥ 0 unless it is given `bounds=(None, None)`.

    Examples
    --------
    >>> q, G, g = standard_form([[2.0], [0.0]], [1, -1])
    >>> G
    array([[-2., -1., -1.,  0.],
           [ 0.,  1.,  0., -1.],
           [ 0.,  0., -1.,  0.],
           [ 0.,  0.,  0., -1.]])
    """
    X, y = check_samples(X, y)
    Z, c = signed(X, y), Priced.of(y, prices).floats
    n, p = Z.shape
    one = np.eye(n)
    G = 0.0 - np.block([[Z, one], [np.zeros((n, p)), one]])
    return np.append(np.zeros(p), c), G, np.append(-np.ones(n), np.zeros(n))
