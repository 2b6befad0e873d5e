"""Run the search and yield its state whenever a bound improves."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from linlearn.trace import Step
from linlearn.zero_one.search import Search

EVERY = 100  # nodes between two steps that report no news,
EVERY_WORK = 10**9  # or so much work


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ZeroOneStep(Step):
    """The best hyperplane after `nodes` cells and `work`; lower ≤ fewest mistakes ≤ upper."""

    nodes: int
    lower: int
    upper: int
    work: int

    @property
    def count(self) -> tuple[int, str]:
        return self.nodes, "cell"


def states(search: Search) -> Iterator[ZeroOneStep]:
    """Run the search; yield its state at the start, at every news, and now and then."""
    told: ZeroOneStep | None = None
    for last in itertools.chain((False for _ in search.run()), [True]):
        now = ZeroOneStep(
            k=0 if told is None else told.k + 1,
            plane=search.plane,
            nodes=search.nodes,
            lower=search.lower,
            upper=search.upper,
            work=search.meter.work,
        )
        if told is None or _news(now, told) or (last and now.nodes > told.nodes):
            yield now
            told = now


def _news(now: ZeroOneStep, told: ZeroOneStep) -> bool:
    moved = (now.lower, now.upper) != (told.lower, told.upper)
    return moved or now.nodes >= told.nodes + EVERY or now.work >= told.work + EVERY_WORK
