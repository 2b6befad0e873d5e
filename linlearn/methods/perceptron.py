"""`perceptron`: arguments and certificate; updates are in `solvers.perceptron`."""

import numpy as np
from numpy.typing import ArrayLike

from linlearn._dispatch import requires_memory
from linlearn._progress_bar import with_progress
from linlearn.certificates.certificate import store_samples
from linlearn.certificates.margin import enclose_signed
from linlearn.fit import Fit
from linlearn.plane import Hyperplane, first_state, radius, signed
from linlearn.solvers.perceptron import Pick, blocks, chosen_mistake_updates, read
from linlearn.solvers.sample_path import SamplePath
from linlearn.trace import Trace
from linlearn.validation import check_choice, check_count, check_number, check_training


@store_samples
@requires_memory("each update depends on all the updates before it, in the order of the samples")
def perceptron(
    X: ArrayLike,
    y: ArrayLike,
    *,
    max_updates: int = 100_000,
    max_epochs: int | None = None,
    order: str | Pick = "cyclic",
    rate: float = 1.0,
    start: Hyperplane | None = None,
    fit_intercept: bool = True,
    seed: int = 0,
    progress: bool | None = None,
) -> Fit:
    """Start from a = `start`, and update a ← a + rate·zᵢ whenever ⟨a, zᵢ⟩ ≤ 0, until no such sample is left.

    On separable samples a run that starts at 0 stops after at most (R/γ*)² updates, where R = max‖zᵢ‖
    (Novikoff 1962; lesson "The perceptron"). On inseparable samples it never stops by itself; it ends at
    `max_updates` or `max_epochs`, and the certificate says what has been proved.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    max_updates, max_epochs : int
        Maximum numbers of updates and of epochs. An epoch is one pass over the samples; if `order` is a
        function, each call of it counts as an epoch.
    order : "cyclic", "random" or a function
        "cyclic" visits the samples 0, …, n-1, 0, …; "random" visits them in a new random order in each
        epoch. A function `pick(mistakes, margins)` chooses among all current mistakes: it is given their
        indices, in increasing order, and their margins, and returns the index of the sample to add.
    rate : float > 0
        Step size; in a run that starts at 0 it only rescales the iterates.
    start : Hyperplane, optional
        The initial plane; if None, w = 0 and b = 0.
    fit_intercept : bool
        False: no constant feature, so that the hyperplane passes through the origin.
    seed : int
        For order "random" only.
    progress : bool, optional
        Whether to show a progress bar (needs tqdm). None: only in a terminal, and if tqdm is installed.

    Returns
    -------
    Fit
        `trace` has one `PerceptronStep` for the start and for each update, made on demand; `certificate`
        encloses γ*, with αᵢ = (times i was added)/k as its dual witness after k updates. lower > 0 proves
        separability; the gap need not close.

    Raises
    ------
    ValueError
        If a function `pick` returns something other than one of the mistakes it was given.

    Examples
    --------
    >>> fit = perceptron([[1.0, 2.0], [2.0, 1.0], [-1.0, 1.5]], [1, -1, 1], fit_intercept=False)
    >>> fit.plane, len(fit.trace) - 1, fit.trace["i"]
    (Hyperplane(w=[-1, 1], b=0), 2, array([-1,  0,  1]))
    """
    Z = signed(*check_training(X, y, fit_intercept=fit_intercept), fit_intercept=fit_intercept)
    rate, max_updates = check_number(rate, "rate", above=0), check_count(max_updates, "max_updates")
    epochs = np.inf if max_epochs is None else check_count(max_epochs, "max_epochs")
    seed = check_count(seed, "seed")
    a = first_state(start, Z.shape[1] - bool(fit_intercept), fit_intercept=fit_intercept)
    R = radius(Z)
    if callable(order):
        updates = chosen_mistake_updates(Z, a, rate, order, min(max_updates, epochs))
    else:
        why = " Or pass a function that picks one of the mistakes."
        check_choice(order, "order", ("cyclic", "random"), why=why)
        rng = np.random.default_rng(seed) if order == "random" else None
        updates = read(Z, R, a, rate, rng, max_updates, epochs)
    steps = with_progress(updates, total=max_updates, unit="updates", progress=progress)
    path = SamplePath.record(Z, a, blocks(steps, rate), fit_intercept=fit_intercept)
    added = path.i[1:]
    shares = np.bincount(added, minlength=len(Z)) / (len(added) or 1)
    certificate = enclose_signed(Z, path.kept[-1], shares, fit_intercept=fit_intercept, R=R)
    return Fit(path[-1].plane, Trace(path), certificate)
