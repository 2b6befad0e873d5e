"""Time contestants fairly: alternate them in one run, compare round by round, never across runs."""

import statistics
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Contestant = Callable[[], Any]


@dataclass(frozen=True)
class Time:
    """One side of a duel: its answer, its median seconds, and median (its seconds / ours) by round.

    Seconds of the processor: on one thread that is what a clock shows on a machine that does nothing else.
    """

    answer: Any
    seconds: float
    ratio: float
    rounds: int


def duel(
    ours: Contestant, peers: dict[str, Contestant], *, rounds: int, budget: float
) -> dict[str, Time]:
    """Run ours and every peer in turn, `rounds` times or until `budget` seconds are spent (at least once).

    A peer that needs more than a third of the budget for one run is run once and compared with that
    round's time of ours. The first round warms caches and is dropped where there are others.
    """
    sides = {"ours": ours, **peers}
    seconds: dict[str, list[float]] = {name: [] for name in sides}
    answers: dict[str, Any] = {}
    started = time.perf_counter()
    for turn in range(rounds + 1):
        names = list(sides) if turn % 2 == 0 else list(sides)[::-1]
        for name in names:
            slow = seconds[name] and seconds[name][0] > budget / 3
            if slow or (turn and time.perf_counter() - started > budget):
                continue
            start = time.process_time()
            answers[name] = sides[name]()
            seconds[name].append(time.process_time() - start)
    kept = {name: s[1:] if len(s) > 1 else s for name, s in seconds.items()}
    own = statistics.median(kept["ours"])
    return {
        name: Time(
            answers[name],
            statistics.median(s),
            statistics.median(
                [t / o for t, o in zip(s, kept["ours"], strict=False)] or [s[0] / own]
            ),
            len(s),
        )
        for name, s in kept.items()
    }


def peak_memory(run: Contestant) -> int:
    """Bytes that a run allocates at most, beside its arguments (NumPy's arrays are counted)."""
    tracemalloc.start()
    run()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak
