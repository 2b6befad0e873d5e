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
    """Minimise Σ cᵢξᵢ subject to mᵢ ≥ 1 - ξᵢ, ξ ≥ 0: the least mean shortfall from margin 1.

    Separable samples have value 0 and a separating plane as answer. On others w = 0 may be optimal,
    with cᵢ = 1/n even as the only optimum; balanced prices exclude the latter (Bennett and
    Mangasarian 1992). The plane need not be unique; its value is.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
        Or a memory map, a SciPy sparse matrix, paths of Parquet files and the name of the column of labels, a
        Dask array or data frame: these are read in blocks, see "Beyond one machine".
    prices : None, "balanced" or c, shape (n,)
        What a unit of shortfall costs. None: cᵢ = 1/n. "balanced": 1/n₊ and 1/n₋, each class counts the
        same. Numbers ≥ 0: a price of 2 is that of two samples in one place, of 0 that of none.

    Returns
    -------
    Fit
        Its certificate encloses the value; the dual witness are multipliers 0 ≤ α ≤ c with
        Σ αᵢyᵢ(xᵢ, 1) = 0 up to rounding. Where the optimum needs weights that no plane of floats has, since a
        feature is made up of others and rounded, it speaks of bounded planes (`within`).

    Notes
    -----
    Smith (1968), Bennett and Mangasarian (1992); chapter "Linear programming".

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
    """The same programme as min ⟨q, u⟩ subject to Gu ≤ g, with u = (w, b, ξ).

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    prices : as in `linear_program`

    Returns
    -------
    q, G, g : shapes (d+1+n,), (2n, d+1+n) and (2n,)
        The first n rows say -mᵢ - ξᵢ ≤ -1, the last n say -ξᵢ ≤ 0. All of u is free: SciPy's `linprog`
        assumes u ≥ 0 unless told `bounds=(None, None)`.

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
