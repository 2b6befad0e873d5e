"""Gradient descent, full or stochastic, on the mean of a loss of the margins: any but the zero-one loss."""

import numpy as np
from numpy.typing import ArrayLike

from linlearn._dispatch import requires_memory
from linlearn.certificates.certificate import tightest
from linlearn.certificates.empirical_risk import enclose_empirical_risk
from linlearn.fit import Fit
from linlearn.losses import Loss
from linlearn.plane import Hyperplane, signed
from linlearn.solvers.gradient_descent import descent_path, mean_slopes
from linlearn.solvers.schedule import descent_schedule, with_slopes
from linlearn.trace import Trace
from linlearn.validation import check_number, check_training


@requires_memory(
    "it records every step of its path; `logistic` needs only a few passes over the samples"
)
def gradient_descent(
    X: ArrayLike,
    y: ArrayLike,
    *,
    loss: Loss | str,
    stochastic: bool = False,
    rate: float | None = None,
    decay: float | None = None,
    max_epochs: int = 1000,
    start: Hyperplane | None = None,
    seed: int = 0,
    radius: float | None = None,
    progress: bool | None = None,
) -> Fit:
    """Minimise F(a) = (1/n)Σφ(⟨a, zᵢ⟩) by a ← a - η F′(a), F′(a) = (1/n)Σφ′(mᵢ)zᵢ.

    If `stochastic`, by a ← a - η φ′(mᵢ)zᵢ for one sample after another, in a new random order in each
    epoch: an update then costs O(d) instead of O(nd).

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    loss : one of `linlearn.losses` or its name
        "perceptron", "hinge", "squared hinge", "logistic", "sigmoid" or "squared". The zero-one loss is not
        accepted, because its derivative is 0 wherever it exists.
    stochastic : bool
        True: one sample for each update. False: all samples.
    rate : float > 0, optional
        Initial step size. None: for a smooth loss 1/L, where L is the largest |φ″| times the largest
        eigenvalue of ZᵀZ/n, so that F never increases; for a loss with a kink 1/R², R = max‖zᵢ‖. If
        `stochastic`, 1/R² divided by the larger of 1 and the largest |φ″|.
    decay : float ≥ 0, optional
        The step size of update k is rate/(k + 1)^decay. None: 0 if the loss is smooth and every update uses
        all samples; otherwise 1/2, since with a constant step size the iterates need not converge.
    max_epochs : int
        Number of passes over the samples.
    start : Hyperplane, optional
        The initial plane; if None, w = 0 and b = 0.
    seed : int
        For the random order; used only if `stochastic`.
    radius : float > 0, optional
        The certificate compares the last iterate with all a = (w, b) of norm ‖a‖ ≤ radius. If None, twice the
        norm of the last iterate or of the start, whichever is larger.
    progress : bool, optional
        Whether to show a progress bar (needs tqdm). None: only in a terminal, and if tqdm is installed.

    Returns
    -------
    Fit
        `trace` has one step for the start and for each update (if `stochastic`, a `SampleStep` with the
        sample `i`, made on demand). `certificate` encloses the minimum of F over the ball ‖a‖ ≤ radius. Its
        dual witness holds the slopes φ′(mᵢ) at the last iterate, or their mean over the second half of the
        run, weighted by the step sizes, whichever proves more: at kinks the slopes do not converge, but this
        mean does.

    Raises
    ------
    ValueError
        If the loss is not one of those named, or the step size makes the iterates overflow.

    Notes
    -----
    Cauchy (1847), Robbins and Monro (1951); lesson "Subgradients and regret". With `decay=0`, the perceptron
    loss gives the batch perceptron or, if `stochastic`, the perceptron in random order; the squared loss with
    `stochastic=True` gives the rule of Widrow and Hoff (with step size 2η).

    Examples
    --------
    >>> fit = gradient_descent([[0.0], [1.0], [2.0]], [-1, 1, -1], loss="logistic")
    >>> fit.certificate, round(np.log(3) - 2 / 3 * np.log(2), 6)
    (Certificate(0.636514 ≤ empirical risk ≤ 0.636514), np.float64(0.636514))
    """
    X, y = check_training(X, y)
    if radius is not None:
        check_number(radius, "radius", above=0)
    phi, Z = with_slopes(loss), signed(X, y)
    schedule = descent_schedule(X, phi, stochastic, rate, start, decay, max_epochs, seed, progress)
    path = descent_path(Z, phi, stochastic, schedule)
    plane = path[-1].plane
    if radius is None:
        radius = 2 * max(float(np.linalg.norm(v)) for v in (plane.a, schedule.a)) or 1.0
    found = [
        enclose_empirical_risk(X, y, primal=plane.a, dual=s, loss=phi.name, radius=radius)
        for s in (phi.slope(Z @ plane.a), mean_slopes(path, Z, phi, schedule))
    ]
    return Fit(plane, Trace(path), tightest(found))
