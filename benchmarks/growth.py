"""Measure how time and memory grow with n and d, and how hard zero-one becomes."""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

import linlearn as ll
from benchmarks.duel import peak_memory
from benchmarks.sets import apart, flipped, noisy
from linlearn.branch_and_bound.search import Search
from linlearn.branch_and_bound.steps import states
from linlearn.branch_and_bound.work_budget import Meter
from linlearn.methods.zero_one import WORK

Samples = tuple[np.ndarray, np.ndarray]
JOBS: dict[str, tuple[Callable[[int, int], Samples], Callable]] = {
    "LDA": (noisy, ll.lda),
    "least squares": (noisy, ll.least_squares),
    "logistic, λ = 0": (noisy, ll.logistic),
    "linear program": (noisy, ll.linear_program),
    "SVM, C·Σξ with C = 1": (noisy, lambda X, y: ll.svm(X, y, C=1.0)),
    "separate, inseparable": (noisy, ll.separate),
    "separate, separable": (apart, ll.separate),
    "perceptron": (apart, lambda X, y: ll.perceptron(X, y, max_updates=10**7)),
    "100 queries of 5 neighbours": (
        noisy,
        lambda X, y: ll.k_nearest_neighbors(X, y, k=5).predict(X[:100]),
    ),
}
N, AT_D = (10**3, 10**4, 10**5, 10**6), 50
D, AT_N = (10, 50, 200, 800), 10**4
ZERO_ONE_N, ZERO_ONE_D = (10**2, 10**3, 10**4, 10**5), (1, 2, 3, 4, 5)
MOST_NODES = 30_000
PATIENCE = 1.5  # seconds beyond which a job is not asked for the next size


def growth(
    *,
    n: Sequence[int] = N,
    d: Sequence[int] = D,
    at: tuple[int, int] = (AT_N, AT_D),
    rounds: int = 3,
    only: str = "",
) -> Iterator[dict]:
    """One line for each job that contains `only`, and each size: n at d = at[1], then d at n = at[0]."""
    jobs = {job: how for job, how in JOBS.items() if only in job}
    last: dict[tuple[str, str], float] = {}
    for by, sizes in (("n", [(v, at[1]) for v in n]), ("d", [(at[0], v) for v in d])):
        for size in sizes:
            for make in dict.fromkeys(data for data, _ in jobs.values()):
                X, y = make(*size)
                for job, (data, run) in jobs.items():
                    if data is make and last.get((job, by), 0.0) <= PATIENCE:
                        line = {"job": job, "by": by, **_measured(run, X, y, rounds)}
                        last[job, by] = line["seconds"]
                        yield line


def zero_one_growth(
    *, n: Sequence[int] = ZERO_ONE_N, d: Sequence[int] = ZERO_ONE_D, most: int = MOST_NODES
) -> Iterator[dict]:
    """Nodes and time of the exact search, three labels in ten flipped; d ends where the budget does."""
    for rows in n:
        for features in d:
            X, y = flipped(rows, features)
            run = partial(_searched, most=most)
            line = {"job": "zero-one", "by": "both", **_measured(run, X, y, 0, _proved)}
            yield line
            if line["lower"] < line["upper"]:
                break


def _searched(X: np.ndarray, y: np.ndarray, *, most: int) -> ll.ZeroOneStep:
    """The last step, or the first one after so many nodes."""
    for step in states(Search(X, y, True, Meter(WORK, None))):
        if step.nodes >= most:
            break
    return step


def _proved(step: ll.ZeroOneStep) -> dict:
    return {"nodes": int(step.nodes), "lower": step.lower, "upper": step.upper}


def _measured(
    run: Callable, X: np.ndarray, y: np.ndarray, rounds: int, note: Callable = lambda answer: {}
) -> dict:
    """The median of some rounds after a first one, or the first if it takes long; then the memory."""
    seconds = []
    while len(seconds) <= rounds and (not seconds or seconds[0] < 20):
        start = time.perf_counter()
        answer = run(X, y)
        seconds.append(time.perf_counter() - start)
    return {
        "n": len(y),
        "d": X.shape[1],
        "seconds": statistics.median(seconds[1:] or seconds),
        "peak bytes": peak_memory(lambda: run(X, y)),
        **note(answer),
    }


def exponent(lines: Sequence[dict], by: str, what: str = "seconds") -> float:
    """The slope of log(what) against log(by), by least squares."""
    return float(np.polyfit(*np.log([[line[by], line[what]] for line in lines]).T, 1)[0])
