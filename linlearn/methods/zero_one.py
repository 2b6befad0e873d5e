"""Exact minimisation of the zero-one loss: the hyperplane with the fewest mistakes, with a proof."""

from collections.abc import Iterator

from numpy.typing import ArrayLike

from linlearn._dispatch import requires_memory
from linlearn._progress import shown
from linlearn.certificates.certificate import keeping
from linlearn.certificates.mistakes import enclose_mistakes
from linlearn.checks import check_training
from linlearn.fit import Fit
from linlearn.trace import Trace
from linlearn.zero_one.meter import Meter
from linlearn.zero_one.progress import ZeroOneStep, states
from linlearn.zero_one.search import Search

WORK = 5e10  # some two minutes


@keeping
@requires_memory(
    "its search looks at samples one by one and in sets, and finishes in exact fractions"
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
    """Find the plane with the fewest mistakes, #{i : ⟨a, zᵢ⟩ ≤ 0}, and prove that none has fewer.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    fit_intercept : bool
        False searches planes through the origin, and may be given a single label.
    max_work : float ≥ 0
        Budget, in units of about a multiplication and an addition: whatever the search does is counted, and
        the count is the same on every machine. The default is a few minutes. When it is spent, the best
        plane found comes back, and the certificate says what is proved about the others; to compute it
        takes about as much again at most.
    max_seconds : float > 0, optional
        Ends it earlier, but elsewhere on each machine.
    progress : bool, optional
        Whether a bar shows how much of the budget is spent (tqdm draws it); None: in a terminal only.

    Returns
    -------
    Fit
        `certificate` encloses the optimum; gap 0 is the proof. Its dual is a `Packing` of inseparable sets
        where that is enough, else a `Cover`. The plane is the one of largest augmented margin on the samples
        it has right. Where one with longer numbers than floats has fewer mistakes, the certificate's option
        `exact` holds that one in fractions, and it is the one that is counted.

    Notes
    -----
    The problem is NP-hard when d is part of the input (lesson "NP-hardness"), and polynomial
    for fixed d.
    In a cell most samples are right or wrong whatever the direction; only the others go on to its pieces, and
    a cell that has as many samples wrong as the best plane known is done with. Cells with few samples left
    are settled by sets that cannot all be right in them (Parker and Ryan 1996; Codato and Fischetti 2006).
    Where a has six coordinates or more, such sets are first sought among all samples, and cells are cut only
    if that does not soon settle it; where it has more than seven, `lower` comes from such sets alone.

    >>> zero_one([[0.0], [1.0], [2.0], [3.0]], [1, -1, 1, 1]).certificate
    Certificate(1 ≤ mistakes ≤ 1)
    """
    meter = Meter(max_work, max_seconds)
    search = Search(*check_training(X, y, fit_intercept=fit_intercept), fit_intercept, meter)
    total, unit = meter.max_work, "operations"
    steps = tuple(
        shown(
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
    return Fit(plane, Trace(steps), max(found, key=lambda certificate: certificate.lower))


def zero_one_steps(
    X: ArrayLike,
    y: ArrayLike,
    *,
    fit_intercept: bool = True,
    max_work: float = WORK,
    max_seconds: float | None = None,
) -> Iterator[ZeroOneStep]:
    """The progress of `zero_one`, same keywords: a step whenever a bound moves, and now and then.

    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [1, -1, 1, 1]
    >>> [(step.lower, step.upper) for step in zero_one_steps(X, y)][-1]
    (1, 1)
    """
    meter = Meter(max_work, max_seconds)
    return states(Search(*check_training(X, y, fit_intercept=fit_intercept), fit_intercept, meter))
