"""`lms` (least mean squares): options and certificate; the updates are in `solvers.gradient_descent`."""

import numpy as np
from numpy.typing import ArrayLike

from linlearn._dispatch import requires_memory
from linlearn.certificates.certificate import store_samples
from linlearn.certificates.least_squares import (
    Targets,
    least_squares_certificate,
    regression_targets,
)
from linlearn.certificates.samples import Samples
from linlearn.fit import Fit
from linlearn.plane import Hyperplane
from linlearn.solvers.gradient_descent import lms_path
from linlearn.solvers.schedule import lms_schedule
from linlearn.trace import Trace
from linlearn.validation import check_targets, check_training


@store_samples
@requires_memory("each step depends on the one before, in the order of the samples")
def lms(
    X: ArrayLike,
    y: ArrayLike,
    *,
    targets: Targets = "labels",
    stochastic: bool = True,
    rate: float | None = None,
    decay: float = 0.0,
    max_epochs: int = 100,
    order: str = "cyclic",
    start: Hyperplane | None = None,
    seed: int = 0,
    progress: bool | None = None,
) -> Fit:
    """Update a ← a + η(tᵢ - ⟨a, x̃ᵢ⟩)x̃ᵢ, x̃ = (x, 1), sample by sample: gradient steps on ½(tᵢ - ⟨a, x̃ᵢ⟩)².

    With `stochastic=False`, gradient descent on the whole sum: a ← a + ηX̃ᵀ(t - X̃a), once per epoch.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    targets : as in `least_squares`
    stochastic : bool
        True: one update per sample (Widrow and Hoff). False: one update per epoch.
    rate : float, optional
        Initial step size η. If `stochastic`, 0 < η < 2/R² with R = max‖x̃ᵢ‖ (beyond this, an update can
        increase the error of its own sample); None: 1/R². Otherwise 0 < η < 2/λ, where λ is the largest
        eigenvalue of X̃ᵀX̃ (for constant η this is necessary and sufficient for convergence from every
        start); None: 1/λ.
    decay : float ≥ 0
        The step size of update k is rate/(k + 1)^decay. With decay 0, the default, it is constant, and
        stochastic updates do not settle at the least-squares solution unless it attains all targets exactly:
        in cyclic order they approach a cycle near it, in random order they keep fluctuating. With
        0 < decay ≤ 1 they converge to it.
    max_epochs : int
        Number of passes over the samples.
    order : "cyclic" or "random"
        Order of the samples within an epoch; "random" draws a new permutation for each epoch.
    start : Hyperplane, optional
        The initial plane; if None, w = 0 and b = 0.
    seed : int
        For order "random" only.
    progress : bool, optional
        Whether to show a progress bar (needs tqdm). None: only in a terminal, and if tqdm is installed.

    Returns
    -------
    Fit
        `trace` has one step for the start and for each update (`SampleStep` with the sample `i`, made on
        demand; `Step` if `stochastic=False`). The certificate encloses half the least sum of squares, as for
        `least_squares`; its gap shows how far the last iterate is from that minimum.

    Raises
    ------
    ValueError
        If the step size is outside its range, which the message states.

    Notes
    -----
    Widrow and Hoff (1960); lesson "Gradient descent, LMS, SGD". A block of 64 updates is computed
    as one triangular system: the error at sample i is its error at the start of the block minus what
    the earlier updates of the block have changed.

    Examples
    --------
    >>> fit = lms([[0.0], [1.0], [2.0]], [-1, -1, 1], stochastic=False, max_epochs=500)
    >>> fit.plane, len(fit.trace) - 1
    (Hyperplane(w=[1], b=-1.333), 500)
    """
    X, y = check_training(X, y)
    t = check_targets(regression_targets(y, targets))
    schedule = lms_schedule(X, stochastic, rate, start, decay, max_epochs, seed, progress, order)
    path = lms_path(np.column_stack([X, np.ones(len(X))]), t, stochastic, schedule)
    plane = path[-1].plane
    certificate = least_squares_certificate(Samples(X), t, plane.a, None, targets)
    return Fit(plane, Trace(path), certificate)
