"""Linear separability: the hyperplane of largest augmented margin, Gordan's proof of none, or undecided."""

from numpy.typing import ArrayLike

from linlearn._dispatch import requires_memory
from linlearn.certificates.certificate import store_samples
from linlearn.fit import Fit
from linlearn.plane import plane_of
from linlearn.solvers.separation import WORK, separation
from linlearn.trace import Trace
from linlearn.validation import check_number, check_training


@store_samples
@requires_memory("it decides in exact arithmetic what floats leave open")
def separate(
    X: ArrayLike, y: ArrayLike, *, fit_intercept: bool = True, max_work: float = WORK
) -> Fit:
    """Find γ* = max over ‖a‖ ≤ 1 of minᵢ⟨a, zᵢ⟩ as the distance from 0 to the convex hull of the zᵢ.

    If the samples are separable, the plane (w, b) is the point of the hull nearest to 0: it maximises the
    margin of the augmented samples (`max_margin` maximises the geometric margin). If they are not, 0 lies
    in the hull, the plane is w = 0, b = 0, and the dual witness is a certificate of inseparability: weights
    α on at most d + 2 samples with Zᵀα = 0 (Gordan's alternative).

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    fit_intercept : bool
        False: consider hyperplanes through the origin only; a single label is then allowed.
    max_work : float ≥ 0
        Maximum number of 64-bit products in exact arithmetic, which is used where floats leave the answer
        open. The default takes at most a minute.

    Returns
    -------
    Fit
        `certificate.separable` has one of three values. True: separable, since the lower bound is positive.
        False: inseparable, since the upper bound is 0; `certificates.gordan_exact` turns the dual witness
        into fractions. None: undecided within `max_work`; a larger limit would decide. This happens only
        with about a hundred nearly dependent columns or more, such as high powers.

        For separable samples the gap closes unless γ* is at most a millionth of the length of the longest
        sample: then the enclosure may stay wide. If the samples are separable, but no separating hyperplane
        was found that floats can represent, the plane is w = 0, b = 0, and `certificate.options["exact"]`
        holds a separating hyperplane as fractions.

    Notes
    -----
    Gordan (1873). The nearest point is found by non-negative least squares (Lawson and Hanson 1974):
    minimising ‖Zᵀu‖² + (Σu - 1)² over u ≥ 0 gives u proportional to the weights of the nearest
    point. Where floats leave the answer open, a multiprecision simplex method decides (Dantzig 1963),
    and integer arithmetic proves it.

    Examples
    --------
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
