"""`ho_kashyap`: its options and certificate; the iteration itself is in `textbook.ho_kashyap`."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from linlearn._dispatch import requires_memory
from linlearn._progress_bar import with_progress
from linlearn.certificates import enclose_margin
from linlearn.certificates.certificate import store_samples
from linlearn.fit import Fit
from linlearn.plane import Hyperplane, signed
from linlearn.textbook.ho_kashyap import raise_targets
from linlearn.trace import HoKashyapStep, Trace
from linlearn.validation import Array, check_count, check_number, check_training, check_vector


@store_samples
@requires_memory(
    "it keeps a target for every sample, and decides separability in exact rational arithmetic"
)
def ho_kashyap(
    X: ArrayLike,
    y: ArrayLike,
    *,
    rate: float = 0.5,
    max_updates: int = 10_000,
    targets: ArrayLike | None = None,
    progress: bool | None = None,
) -> Fit:
    """Decrease ‖Za - t‖ alternately in a and in the targets t > 0: a = Z⁺t, e = Za - t, t ← t + 2η e⁺.

    Targets never decrease, so the margins Za = t + e are positive as soon as the error is smaller
    than the smallest initial target. The algorithm stops when Za > 0, so that the hyperplane separates
    the samples; on separable samples this takes finitely many updates. It also stops when e ≤ 0,
    e ≠ 0, which proves the samples inseparable, since -e then satisfies Zᵀ(-e) = 0 (Gordan's
    alternative); or after `max_updates`. On inseparable samples e⁺ tends to 0, but it need not reach 0.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    rate : float
        Step size η, 0 < η < 1: the range for which the error is proved to decrease. Often the update is
        written t ← t + η(e + |e|); this is the same η.
    max_updates : int
        Maximum number of updates.
    targets : initial targets t₀ > 0, shape (n,); 1 if None
    progress : bool, optional
        Whether to show a progress bar (needs tqdm). None: only in a terminal, and if tqdm is installed.

    Returns
    -------
    Fit
        `trace` has one `HoKashyapStep` for the start and for each update; `certificate` encloses γ*, with
        (-e)⁺ as its dual witness. lower > 0 proves the samples separable; upper = 0 proves that they are not.

    Raises
    ------
    ValueError
        If the rate is not between 0 and 1, or a target is not positive.

    Notes
    -----
    Ho and Kashyap (1965); lesson "Ho–Kashyap". Columns are scaled to equal length. One pseudo-inverse
    serves all updates, and features may be linearly dependent.

    Examples
    --------
    >>> fit = ho_kashyap([[-1.0], [0.0], [1.0], [20.0]], [-1, -1, 1, 1])
    >>> fit
    Fit(w=[0.3554], b=-0.3548, 73 updates, 0.00115271 ≤ augmented margin ≤ 0.6673)
    >>> ho_kashyap([[0.0], [1.0], [2.0]], [1, -1, 1]).certificate.upper < 1e-12
    True
    """
    X, y = check_training(X, y)
    rate = check_number(rate, "rate", above=0)
    if rate >= 1:
        raise ValueError(
            f"`rate` must satisfy 0 < η < 1, for which the error ‖Za - t‖ never increases; got "
            f"{rate:g}. For η ≥ 1 the proof fails, and large rates diverge even on separable samples."
        )
    t = np.ones(len(y))
    if targets is not None:
        t = check_vector(targets, len(y), "targets", each="samples")
    if not (t > 0).all():
        raise ValueError(
            f"`targets` must be positive; got {t.min():g} at position {int(t.argmin())}."
        )
    max_updates = check_count(max_updates, "max_updates")
    states = _states(signed(X, y), t, rate, max_updates)
    steps, e = [], np.zeros(len(y))
    for step, e in with_progress(states, total=max_updates, unit="updates", progress=progress):  # noqa: B007
        steps.append(step)
    plane = steps[-1].plane  # and the last e is the upper witness
    certificate = enclose_margin(X, y, primal=plane.a, dual=np.maximum(-e, 0.0))
    return Fit(plane, Trace(tuple(steps)), certificate)


def _states(
    Z: Array, t: Array, rate: float, max_updates: int
) -> Iterator[tuple[HoKashyapStep, Array]]:
    """Pairs (step, e_k), from columns of length 1."""
    lengths = np.linalg.norm(Z, axis=0)
    scale = 1 / np.where(lengths > 0, lengths, np.inf)
    Z = Z * scale
    for k, (a, _, e) in enumerate(raise_targets(Z, rate, t, max_updates)):
        plane = Hyperplane.from_homogeneous(scale * a)
        error, excess = (float(np.linalg.norm(v)) for v in (e, np.maximum(e, 0.0)))
        smallest = float((Z @ a).min())
        yield HoKashyapStep(k=k, plane=plane, error=error, excess=excess, smallest=smallest), e
