"""Exact minimisation of the zero-one loss: the hyperplane with the fewest mistakes, with a proof."""

from numpy.typing import ArrayLike

from linlearn._dispatch import requires_memory
from linlearn._progress_bar import with_progress
from linlearn.branch_and_bound.search import Search
from linlearn.branch_and_bound.steps import states
from linlearn.branch_and_bound.work_budget import Meter
from linlearn.certificates.certificate import store_samples, tightest
from linlearn.certificates.mistakes import enclose_mistakes
from linlearn.fit import Fit
from linlearn.trace import Trace
from linlearn.validation import check_training

WORK = 5e10  # some two minutes


@store_samples
@requires_memory(
    "its search needs access to any sample at any time and ends with a check in exact rational arithmetic"
)
def zero_one(
    X: ArrayLike,
    y: ArrayLike,
    *,
    fit_intercept: bool = True,
    max_work: float = WORK,
    max_seconds: float | None = None,
    progress: bool | None = None,
) -> Fit:
    """Find a hyperplane with the fewest mistakes, #{i : ⟨a, zᵢ⟩ ≤ 0}, and prove that none has fewer.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    fit_intercept : bool
        False: search hyperplanes through the origin only; a single label is then allowed.
    max_work : float ≥ 0
        Maximum amount of work, in units of about one multiplication and one addition, which are counted in
        the same way on every machine. The default takes a few minutes. When it is spent, the best hyperplane
        found so far is returned, and the certificate says what is proved about the optimum. Computing the
        certificate takes at most about as long again.
    max_seconds : float > 0, optional
        Time limit. Unlike `max_work`, it stops the search at a different point on each machine.
    progress : bool, optional
        Whether to show a progress bar (needs tqdm). None: only in a terminal, and if tqdm is installed.

    Returns
    -------
    Fit
        `certificate` encloses the smallest number of mistakes; a gap of 0 proves that the hyperplane is
        optimal. Its dual witness is a `Packing` of inseparable sets if that proves the lower bound, otherwise
        a `Cover`, by cells or by sets. Among the hyperplanes that classify the same samples correctly, the
        one with the largest augmented margin on these is returned. If a hyperplane with fewer mistakes was
        found that floats cannot represent, `certificate.options["exact"]` holds it as fractions, and the
        upper bound is its number of mistakes.

    Notes
    -----
    The problem is NP-hard if d is part of the input (lesson "NP-hardness"), and polynomial for fixed d.
    The method is branch and bound over cells of weight directions. Most samples are classified correctly by
    all directions in a cell, or by none; only the others are examined when the cell is split. A cell in
    which every direction makes at least as many mistakes as the best hyperplane known is discarded. Lower
    bounds come from inseparable sets of samples, too: every direction makes a mistake in each (Parker and
    Ryan 1996; Codato and Fischetti 2006). They are sought first as a packing; if a has six coordinates or
    more, also in greater number, and cells are split only if these do not suffice; if it has more than
    seven, `lower` comes from such sets alone. Among up to two hundred samples they are sought once more, in
    rational arithmetic, when many cells or tiny ones have not settled it.

    Examples
    --------
    >>> zero_one([[0.0], [1.0], [2.0], [3.0]], [1, -1, 1, 1]).certificate
    Certificate(1 ≤ mistakes ≤ 1)
    """
    meter = Meter(max_work, max_seconds)
    search = Search(*check_training(X, y, fit_intercept=fit_intercept), fit_intercept, meter)
    total, unit = meter.max_work, "operations"
    steps = tuple(
        with_progress(
            states(search), total=total, unit=unit, progress=progress, done=lambda step: step.work
        )
    )
    plane = steps[-1].plane
    primal = plane.a if fit_intercept else plane.w
    found = [
        enclose_mistakes(
            X, y, primal=primal, dual=dual, fit_intercept=fit_intercept, exact=search.exact
        )
        for dual in search.witnesses()
    ]
    return Fit(plane, Trace(steps), tightest(found))
