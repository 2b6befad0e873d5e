"""The fewest mistakes a plane can make, exactly: search all weight directions, cell by cell."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from numpy.typing import ArrayLike

from linlearn.certificates.mistakes import enclose_mistakes
from linlearn.checks import check_count, check_samples
from linlearn.fit import Fit
from linlearn.methods._search import Search
from linlearn.trace import Step, Trace

EVERY = 100  # nodes between two steps that report no news


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ZeroOneStep(Step):
    """The best plane after `nodes` cells were cut; the fewest mistakes lie between lower and upper."""

    nodes: int
    lower: int
    upper: int


def zero_one(X: ArrayLike, y: ArrayLike, *, offset: bool = True, max_nodes: int = 100_000) -> Fit:
    """Find the plane with the fewest mistakes, #{i : ⟨a, zᵢ⟩ ≤ 0}, and prove that none has fewer.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    offset : bool
        False searches planes through the origin, and may be given a single label.
    max_nodes : int ≥ 0
        Budget: how many cells may be cut, or rounds of inseparable sets made. When it is spent, the best
        plane found comes back, and the certificate says what is proved about the others.

    Returns
    -------
    Fit
        `certificate` encloses the optimum; gap 0 is the proof. Its dual is a `Packing` of inseparable sets
        where that is enough, else a `Cover`. The plane is the one of largest lifted margin on the samples it
        has right.

    Notes
    -----
    The problem is NP-hard when d is part of the input (chapter "Counting mistakes is hard"), and polynomial
    for fixed d.
    In a cell most samples are right or wrong whatever the direction; only the others go on to its pieces, and
    a cell that has as many samples wrong as the best plane known is done with. Cells with few samples left
    are settled by sets that cannot all be right in them (Parker and Ryan 1996; Codato and Fischetti 2006).
    Where a has six coordinates or more, such sets are first sought among all samples, and cells are cut only
    if that does not soon settle it; where it has more than seven, `lower` comes from such sets alone.

    >>> zero_one([[0.0], [1.0], [2.0], [3.0]], [1, -1, 1, 1]).certificate
    Certificate(1 ≤ mistakes ≤ 1)
    """
    search = _prepare(X, y, offset, max_nodes)
    steps = tuple(_steps(search))
    plane = steps[-1].plane
    primal = plane.a if offset else plane.w
    found = [
        enclose_mistakes(X, y, primal=primal, dual=dual, offset=offset)
        for dual in search.witnesses()
    ]
    return Fit(plane, Trace(steps), max(found, key=lambda certificate: certificate.lower))


def zero_one_steps(
    X: ArrayLike, y: ArrayLike, *, offset: bool = True, max_nodes: int = 100_000
) -> Iterator[ZeroOneStep]:
    """The progress of `zero_one`, same keywords: a step whenever a bound moves, and every hundred nodes.

    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [1, -1, 1, 1]
    >>> [(step.lower, step.upper) for step in zero_one_steps(X, y)][-1]
    (1, 1)
    """
    return _steps(_prepare(X, y, offset, max_nodes))


def _prepare(X: ArrayLike, y: ArrayLike, offset: bool, max_nodes: int) -> Search:
    X, y = check_samples(X, y, offset=offset)
    return Search(X, y, offset, check_count(max_nodes, "max_nodes"))


def _steps(search: Search) -> Iterator[ZeroOneStep]:
    """Run the search; yield its state at the start, at every news, and now and then."""
    k, told = 0, (-1, -1, 0)
    for last in itertools.chain((False for _ in search.run()), [True]):
        lower, upper, nodes = now = search.lower, search.upper, search.nodes
        news = now[:2] != told[:2] or nodes >= told[2] + EVERY
        if news or (last and now != told):
            yield ZeroOneStep(k=k, plane=search.plane, nodes=nodes, lower=lower, upper=upper)
            told, k = now, k + 1
