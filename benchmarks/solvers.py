"""Compare the algorithms as taught with the solvers that run in their place, both in one run.

python -m benchmarks.solvers            prints the table in docs/dev/benchmarks.md; CPU time, best of a few
"""

import time
from collections import deque
from collections.abc import Callable

import numpy as np

import linlearn as ll
from linlearn.textbook.fisher import fisher_direction
from linlearn.textbook.gradient_descent import descend
from linlearn.textbook.ho_kashyap import raise_targets
from linlearn.textbook.k_nearest_neighbors import k_nearest
from linlearn.textbook.least_squares import gram_schmidt
from linlearn.textbook.linear_program import least_hinge_loss
from linlearn.textbook.lms import widrow_hoff
from linlearn.textbook.logistic import newton
from linlearn.textbook.perceptron import rosenblatt
from linlearn.textbook.separation import nearest_weights
from linlearn.textbook.smo import smo
from linlearn.textbook.zero_one import best_through_pairs

Race = tuple[str, str, Callable[[], object], Callable[[], object]]


def through(steps) -> None:
    deque(steps, maxlen=0)


def lifted(X):
    return np.column_stack([X, np.ones(len(X))])


def races() -> list[Race]:
    """Name, samples, as taught, with the engine and its certificate."""
    X, y = ll.data.gaussians(100_000, 50, delta=2.0)
    Xs, ys = ll.data.separable(2000, 20, margin=0.01)
    Xm, ym = ll.data.gaussians(2000, 20, delta=1.0)
    Xt, yt = ll.data.gaussians(300, 2, delta=1.0)
    mean, many, few, flat = "100,000 × 50", "2000 × 20", "300 × 2", len(ym)
    rate = 1 / np.square(lifted(Xm)).sum(axis=1).max()
    picks = np.tile(np.arange(flat), 5)
    order = np.random.default_rng(0).integers(flat, size=flat)
    one, Z = lambda k, a: order[k], ll.signed(Xm, ym)
    hinge = dict(loss="hinge", rate=0.01, decay=0, max_epochs=1, stochastic=True)
    return [
        ("perceptron", many, lambda: through(rosenblatt(ll.signed(Xs, ys))), lambda: ll.perceptron(Xs, ys)),
        ("separate", many, lambda: nearest_weights(ll.signed(Xs, ys)), lambda: ll.separate(Xs, ys)),
        ("fisher", mean, lambda: fisher_direction(X, y), lambda: ll.fisher(X, y)),
        ("least_squares", many, lambda: gram_schmidt(lifted(Xm), ym), lambda: ll.least_squares(Xm, ym)),
        ("lms", many, lambda: through(widrow_hoff(lifted(Xm), ym, picks, np.full(len(picks), rate))),
         lambda: ll.lms(Xm, ym, max_epochs=5)),
        ("ho_kashyap", many, lambda: through(raise_targets(Z, 0.5, np.ones(flat), 100)),
         lambda: ll.ho_kashyap(Xm, ym, max_updates=100)),
        ("logistic", mean, lambda: through(newton(lifted(X), y, np.zeros(51), 8)), lambda: ll.logistic(X, y)),
        ("gradient_descent", many, lambda: through(descend(Z, ll.losses.HINGE, 0.01, flat, one)),
         lambda: ll.gradient_descent(Xm, ym, **hinge)),
        ("linear_program", many, lambda: least_hinge_loss(Z, np.full(flat, 1 / flat)),
         lambda: ll.linear_program(Xm, ym)),
        ("svm", few, lambda: through(smo(Xt, yt, 0.01)), lambda: ll.svm(Xt, yt, C=0.01)),
        ("zero_one", few, lambda: best_through_pairs(Xt, yt), lambda: ll.zero_one(Xt, yt)),
        ("nearest", many, lambda: [k_nearest(Xm, x, 5) for x in Xm[:5]],
         lambda: ll.k_nearest_neighbors(Xm, ym, k=5).neighbours(Xm[:5])),
    ]  # fmt: skip


def seconds(run: Callable[[], object], times: int = 3) -> float:
    """CPU time of the quickest of a few runs."""
    found = []
    for _ in range(times):
        start = time.process_time()
        run()
        found.append(time.process_time() - start)
    return min(found)


if __name__ == "__main__":
    print("| function | samples | as taught, ms | engine and certificate, ms | quotient |")
    print("|---|---|--:|--:|--:|")
    for name, samples, taught, engine in races():
        a, b = seconds(taught), seconds(engine)
        print(f"| `{name}` | {samples} | {1e3 * a:.1f} | {1e3 * b:.1f} | {a / b:.1f} |", flush=True)
