"""`states`: run the search; yield a `ZeroOneStep` when a bound improves and every hundred nodes."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from linlearn.branch_and_bound.search import Search
from linlearn.trace import Step

EVERY = 100  # nodes between two steps that report no news,
EVERY_WORK = 10**9  # or so much work


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ZeroOneStep(Step):
    """The best hyperplane after a search of `nodes` cells, and lower ≤ fewest mistakes ≤ upper.

    `work` is the amount of work done so far, in the units of `max_work`.
    """

    nodes: int
    lower: int
    upper: int
    work: int

    @property
    def count(self) -> tuple[int, str]:
        return self.nodes, "cell"


def states(search: Search) -> Iterator[ZeroOneStep]:
    """Run the search; yield its state at the start, at every news, and now and then."""
    previous: ZeroOneStep | None = None
    for last in itertools.chain((False for _ in search.run()), [True]):
        now = ZeroOneStep(
            k=0 if previous is None else previous.k + 1,
            plane=search.plane,
            nodes=search.nodes,
            lower=search.lower,
            upper=search.upper,
            work=search.meter.work,
        )
        if previous is None or _is_news(now, previous) or (last and now.nodes > previous.nodes):
            yield now
            previous = now


def _is_news(now: ZeroOneStep, previous: ZeroOneStep) -> bool:
    moved = (now.lower, now.upper) != (previous.lower, previous.upper)
    return moved or now.nodes >= previous.nodes + EVERY or now.work >= previous.work + EVERY_WORK
