"""Exact minimisation of the zero-one loss: the hyperplane with the fewest mistakes, with a proof."""

from collections.abc import Iterator

from numpy.typing import ArrayLike

from linlearn._dispatch import requires_memory
from linlearn._progress import shown
from linlearn.certificates.certificate import keeping, tightest
from linlearn.certificates.mistakes import enclose_mistakes
from linlearn.fit import Fit
from linlearn.trace import Trace
from linlearn.validation import check_training
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
    """Find a hyperplane with the fewest mistakes, #{i : ⟨a, zᵢ⟩ ≤ 0}, and prove that none has fewer.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    fit_intercept : bool
        False searches hyperplanes through the origin, and allows a single label.
    max_work : float ≥ 0
        Budget, in units of about one multiplication and one addition, counted alike on every machine. The
        default is a few minutes. When it is spent, the best hyperplane found is returned, and the
        certificate says what is proved about the optimum; computing the certificate takes at most about as
        long again.
    max_seconds : float > 0, optional
        Time limit. Unlike `max_work`, it stops the search at a different point on each machine.
    progress : bool, optional
        Whether a bar shows how much of the budget is spent (tqdm draws it); None: in a terminal only.

    Returns
    -------
    Fit
        `certificate` encloses the optimum; a gap of 0 proves it. Its dual witness is a `Packing` of
        inseparable sets if that suffices, else a `Cover`. The hyperplane is the one of largest augmented
        margin on the samples that it has right. If a hyperplane with more digits than floats have makes
        fewer mistakes, the certificate's option `exact` holds it in fractions, and its mistakes are counted.

    Notes
    -----
    The problem is NP-hard when d is part of the input (lesson "NP-hardness"), and polynomial
    for fixed d.
    It is branch and bound over cells of weight directions. In a cell most samples are right or wrong for
    every direction; only the others are examined in its pieces, and a cell with as many mistakes as the best
    hyperplane known is discarded. Cells with few undecided samples are settled by sets that cannot all be
    right in them (Parker and Ryan 1996; Codato and Fischetti 2006). If a has six coordinates or more, such
    sets are first sought among all samples, and cells are split only if these do not suffice; if it has
    more than seven, `lower` comes from such sets alone.

    Examples
    --------
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
    return Fit(plane, Trace(steps), tightest(found))


def zero_one_steps(
    X: ArrayLike,
    y: ArrayLike,
    *,
    fit_intercept: bool = True,
    max_work: float = WORK,
    max_seconds: float | None = None,
) -> Iterator[ZeroOneStep]:
    """The progress of `zero_one`, with the same keywords: a step whenever a bound improves, and occasionally.

    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [1, -1, 1, 1]
    >>> [(step.lower, step.upper) for step in zero_one_steps(X, y)][-1]
    (1, 1)
    """
    meter = Meter(max_work, max_seconds)
    return states(Search(*check_training(X, y, fit_intercept=fit_intercept), fit_intercept, meter))
