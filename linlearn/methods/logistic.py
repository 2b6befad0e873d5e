"""`logistic`: options and certificate, also with no minimiser; Newton steps are in `solvers.logistic`."""

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from linlearn._dispatch import out_of_core
from linlearn.certificates.certificate import store_samples
from linlearn.certificates.logistic import logistic_certificate
from linlearn.certificates.sample_weights import SampleWeights, Weights
from linlearn.fit import Fit
from linlearn.plane import Hyperplane, first_state
from linlearn.solvers.logistic import SLOW, along, newton_steps, witnesses
from linlearn.solvers.recession import recession
from linlearn.trace import Trace
from linlearn.validation import check_count, check_size, check_training


@store_samples
@out_of_core
def logistic(
    X: ArrayLike,
    y: ArrayLike,
    *,
    lam: float = 0.0,
    sample_weight: Weights = None,
    start: Hyperplane | None = None,
    max_updates: int = 1000,
) -> Fit:
    """Minimise mean ln(1 + exp(-mᵢ)) + (λ/2)‖w‖²: for λ = 0, maximum likelihood if P(y = +1 | x) = σ(f(x)).

    Here mᵢ = yᵢ(⟨w, xᵢ⟩ + b), and Z has the rows yᵢ(xᵢ, 1). With λ = 0 a minimiser exists if and only if
    there is no direction a with Za ≥ 0 and Za ≠ 0 (Albert and Anderson 1984). If there is such a direction,
    the fit returns one in place of a minimiser: a hyperplane that separates the samples if there is one
    (complete separation; `separate` may find a larger margin), else a direction whose hyperplane contains as
    few samples as possible (quasi-complete separation). Its scale has no meaning; `attained` is False, and
    the certificate encloses the infimum, which the loss approaches along t·plane + limit as t → ∞. The plane
    `Fit.limit` is the maximum-likelihood estimate for the samples on the hyperplane; `predict` and
    `decision_function` return limits. `attained` is True if a minimiser is proved to exist, and None if
    nothing is proved.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
        X may also be a memory map, a SciPy sparse matrix, a Dask array or data frame, or paths of Parquet
        files with the name of the label column as `y`. Such samples are read in blocks: see "Beyond one
        machine".
    lam : float ≥ 0
        Strength λ of the L2 penalty; the intercept is not penalised.
    sample_weight : None, "balanced" or s, shape (n,)
        As in `linear_program`: the mean becomes Σ sᵢ ln(1 + exp(-mᵢ))/Σ sᵢ.
    start : Hyperplane, optional
        The initial plane. If None, w = 0 and b = 0, or, for n ≥ 64(d+1), an approximate solution of the
        problem restricted to every seventh sample.
    max_updates : int
        Maximum number of Newton steps; if they do not suffice, the certificate's gap stays open.

    Returns
    -------
    Fit
        `trace` has one `NewtonStep` per step; for X in memory the dual witness is αᵢ = σ(-mᵢ). If there is
        no minimiser, αᵢ is 0 for the samples off the hyperplane; for those on it, α is the dual witness of
        the problem restricted to them, whose solution is `certificate.options["start"]`.
        Samples of weight 0 have αᵢ = 0.

    Notes
    -----
    Newton's method without a line search may diverge although the objective is strictly convex and has a
    minimiser; a backtracking line search prevents this. Lesson "Logistic regression".

    Examples
    --------
    >>> fit = logistic([[0.0], [1.0], [2.0], [3.0]], [-1, 1, -1, 1])
    >>> fit.plane, fit.certificate.gap < 1e-12
    (Hyperplane(w=[0.9082], b=-1.362), True)
    >>> logistic([[0.0], [1.0], [2.0], [3.0]], [-1, -1, 1, 1])
    Fit(w=[0.1538], b=-0.2308, 2 Newton steps, 0 ≤ logistic ≤ 0)
    """
    X, y = check_training(X, y)
    lam, max_updates = check_size(lam, "lam", zero=True), check_count(max_updates, "max_updates")
    first_state(start, X.shape[1])  # refuses what is no start
    s = SampleWeights.of(y, sample_weight)
    c, enclose = s.shares().rounded, partial(logistic_certificate, X, y, s, lam)
    positive = slice(None) if c.all() else np.flatnonzero(c)
    steps = tuple(newton_steps(X[positive], y[positive], c[positive], lam, start, max_updates))
    certificate = enclose(**witnesses(X, y, c, steps[-1], max_updates))
    # It may have converged before a direction of recession was looked for.
    early = certificate.attained is None and steps[-1].k < min(SLOW, max_updates)
    if early and (way := recession(X[positive], y[positive])) is not None:
        steps = (*steps, along(X[positive], y[positive], c[positive], steps[-1].k + 1, way))
        certificate = enclose(**witnesses(X, y, c, steps[-1], max_updates))
    return Fit.of(X, steps[-1].plane, Trace(steps), certificate)
