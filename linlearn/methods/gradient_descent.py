"""Gradient descent, full or stochastic, on the mean of any differentiable loss of the margins."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from linlearn._dispatch import requires_memory
from linlearn.certificates.certificate import tightest
from linlearn.certificates.empirical_risk import enclose_empirical_risk
from linlearn.fit import Fit
from linlearn.losses import Loss
from linlearn.plane import Hyperplane, signed
from linlearn.solvers.step_sizes import descent_schedule, with_slopes
from linlearn.solvers.stochastic import descent_path, descent_states, mean_slopes
from linlearn.trace import Step, Trace
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

    With `stochastic`, by a ← a - η φ′(mᵢ)zᵢ for one sample after the other, in a fresh random order
    each epoch: an update costs O(d) instead of O(nd).

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    loss : one of `linlearn.losses` or its name
        "perceptron", "hinge", "logistic", "sigmoid" or "squared". Not zero-one: its slope is 0.
    rate : float > 0, optional
        Initial step size. None: for a smooth loss 1/L, where L is the largest |φ″| times the largest
        eigenvalue of ZᵀZ/n, with which F never increases; 1/R² for losses with a kink; with
        `stochastic`, 1/R² over max(1, |φ″|), R = max‖zᵢ‖.
    decay : float ≥ 0, optional
        Update k uses rate/(k + 1)^decay. None: 0 if the loss is smooth and every update uses all
        samples, else 1/2, without which the iterates need not converge.
    max_epochs : int
        Number of passes over the samples.
    start : Hyperplane, optional
        First state; w = 0, b = 0 if None.
    seed : int
        For the stochastic order only.
    radius : float > 0, optional
        The certificate compares with all (w, b) of norm ‖a‖ ≤ radius; if None, twice the norm of the
        answer (and of the start).
    progress : bool, optional
        Whether a bar shows how much of the budget is spent (tqdm draws it); None: in a terminal only.

    Returns
    -------
    Fit
        `trace` has one step per update (stochastic: `SampleStep` with the sample `i`, made on
        demand). `certificate` encloses the least F in the ball. Its dual witness holds the slopes at
        the answer or their mean over the second half of the run, whichever proves more: at kinks the
        slopes do not converge, but their weighted mean does.

    Raises
    ------
    ValueError
        For a loss whose derivative is 0, an invalid option, or a step size with which the iterates overflow.

    Notes
    -----
    Cauchy (1847), Robbins and Monro (1951); chapter "Surrogate losses". The perceptron loss makes it the
    batch or the sample-by-sample perceptron; the squared loss, Widrow and Hoff's rule.

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


def gradient_descent_steps(
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
) -> Iterator[Step]:
    """The states of `gradient_descent`, one at a time, with the same keywords except `radius`.

    >>> for step in gradient_descent_steps([[1.0], [-1.0]], [1, -1], loss="squared", max_epochs=2):
    ...     print(step.k, step.plane)
    0 Hyperplane(w=[0], b=0)
    1 Hyperplane(w=[1], b=0)
    2 Hyperplane(w=[1], b=0)
    """
    X, y = check_training(X, y)
    phi = with_slopes(loss)
    schedule = descent_schedule(X, phi, stochastic, rate, start, decay, max_epochs, seed)
    return descent_states(signed(X, y), phi, stochastic, schedule)
