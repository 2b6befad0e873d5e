"""Linear separability: the separating hyperplane of largest augmented margin, or Gordan's proof of none."""

from numpy.typing import ArrayLike

from linlearn._dispatch import requires_memory
from linlearn.certificates.certificate import keeping
from linlearn.checks import check_number, check_training
from linlearn.fit import Fit
from linlearn.plane import plane_of
from linlearn.solvers.separation import WORK, separation
from linlearn.trace import Trace


@keeping
@requires_memory("it decides in exact arithmetic what floats leave open")
def separate(
    X: ArrayLike, y: ArrayLike, *, fit_intercept: bool = True, max_work: float = WORK
) -> Fit:
    """Find γ* = max over ‖a‖ ≤ 1 of minᵢ⟨a, zᵢ⟩ as the distance from 0 to the convex hull of the zᵢ.

    Separable samples: the plane is the nearest point of the hull, the one with the largest
    margin among the lifted, homogeneous planes (not the largest geometric margin: that is
    `max_margin`). Others: 0 lies in the hull, the plane is w = 0, b = 0, and the dual witness is
    Gordan's vector: weights on at most d + 2 samples with Zᵀα = 0.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    fit_intercept : bool
        False looks for planes through the origin and may be given a single label.
    max_work : float ≥ 0
        How many products of 64 bits whole numbers may take where floats leave the answer open. The default
        is a minute at most.

    Returns
    -------
    Fit
        `certificate.separable` is one of three answers. True: the lower end is positive. False: the upper
        end is 0; `certificates.gordan_exact` turns the dual into fractions. None: undecided, since
        `max_work` was spent; more of it would decide. That takes a hundred columns that depend on each other
        almost exactly, as high powers do.

        The gap closes unless γ* is a millionth of the longest sample or less: then the enclosure may stay
        wide. Where only a plane with longer numbers than floats separates, the plane is w = 0, b = 0, and
        the certificate's option `exact` holds that one in fractions.

    Notes
    -----
    Gordan (1873). The nearest point is found by non-negative least squares (Lawson and Hanson 1974):
    minimising ‖Zᵀu‖² + (Σu - 1)² over u ≥ 0 gives u proportional to the weights of the nearest
    point. What floats leave open the simplex method decides (Dantzig 1963), with as many digits as it takes,
    and whole numbers prove it.

    >>> separate([[0.0], [4.0]], [-1, 1]).plane
    Hyperplane(w=[0.4], b=-0.8)
    >>> separate([[0.0], [1.0], [2.0]], [1, -1, 1]).certificate.dual
    array([0.25, 0.5 , 0.25])
    >>> separate([[1.0], [1.0 + 1e-15], [1.0]], [1, -1, 1]).certificate.separable
    True
    """
    X, y = check_training(X, y, fit_intercept=fit_intercept)
    max_work = check_number(max_work, "max_work", least=0)
    certificate = separation(X, y, fit_intercept=fit_intercept, max_work=max_work)
    plane = plane_of(certificate.primal, fit_intercept=fit_intercept)
    return Fit(plane, Trace.closed_form(plane), certificate)
