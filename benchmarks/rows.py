"""List what is compared with what: one `Row` for each job and size, all at equal accuracy."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from scipy.spatial.distance import cdist

import linlearn as ll
from benchmarks import peers
from benchmarks.sets import queries, samples


def lower(fit: ll.Fit) -> float:
    return fit.certificate.lower


def upper(fit: ll.Fit) -> float:
    return fit.certificate.upper


@dataclass(frozen=True)
class Row:
    """A job on one set of samples: ours, the peers, and the objective that both sides are judged by.

    `bound` is what our certificate proves about the best value of the objective: a side's accuracy
    is its distance from that bound, relative to it, whoever computed the plane.
    """

    job: str
    on: str
    ours: Callable[[np.ndarray, np.ndarray], ll.Fit]  # or the labels of some points
    objective: Callable[[ll.Hyperplane, np.ndarray, np.ndarray], float]
    bound: Callable[[ll.Fit], float] = lower
    peers: dict[str, Callable] = field(default_factory=dict)


def ratio(plane, X, y):
    """Fisher's ratio."""
    delta = X[y > 0].mean(axis=0) - X[y < 0].mean(axis=0)
    spread = X @ plane.w
    within = sum(((spread[s] - spread[s].mean()) ** 2).sum() for s in (y > 0, y < 0))
    return float((plane.w @ delta) ** 2 / within)


def half_squares(plane, X, y):
    return float(((plane.score(X) - y) ** 2).sum() / 2)


def mean_logistic(lam):
    def value(plane, X, y):
        loss = ll.losses.LOGISTIC.value(ll.margins(plane, X, y)).mean()
        return float(loss + lam / 2 * plane.w @ plane.w)

    return value


def mean_hinge(plane, X, y):
    return float(ll.losses.HINGE.value(ll.margins(plane, X, y)).mean())


def soft(C):
    """½‖w‖² + C Σξ."""

    def value(plane, X, y):
        return float(
            plane.w @ plane.w / 2 + C * ll.losses.HINGE.value(ll.margins(plane, X, y)).sum()
        )

    return value


def geometric_margin(plane, X, y):
    return float(ll.margins(plane, X, y).min() / np.linalg.norm(plane.w))


def mistakes(plane, X, y):
    return float((ll.margins(plane, X, y) <= 0).sum())


SIZES = {
    "small": ["noisy 100×2", "cancer"],
    "medium": ["noisy 1e4×50", "noisy 1e5×50"],
    "large": ["noisy 1e6×50"],
    "wide": ["wide 200×5000"],
}


def rows(sizes: list[str]) -> Iterator[Row]:
    """The rows of these sizes, from "small", "medium", "large", "wide"."""
    for size in sizes:
        for on in SIZES[size]:
            yield from _rows(size, on)
    if "small" in sizes:
        hard = {"LIBSVM, C = 1e8": peers.svc(1e8)}
        yield Row("max margin", "cancer", ll.max_margin, geometric_margin, widest, hard)
        yield Row("separate", "cancer", ll.separate, lifted_margin, upper)
        yield Row(
            "zero-one, 2 features", "iris", lambda X, y: ll.zero_one(X[:, :2], y), _two(mistakes)
        )
        yield _perceptron("separable 100×2")
        yield _perceptron_swept("noisy 100×2", sweeps=20)
        yield _nearest("noisy 1000×5", ("brute", "kd_tree"))
    if "medium" in sizes:
        on = "separable 1e5×20"
        hard = {"LIBSVM, C = 1e8": peers.svc(1e8)}
        yield Row("max margin", on, ll.max_margin, geometric_margin, widest, hard)
        yield Row("separate", on, ll.separate, lifted_margin, upper)
        yield Row("zero-one", "flipped 1e4×3", ll.zero_one, mistakes)
        for n in ("1000", "1e4", "1e5"):
            for d in (20, 50):
                yield _perceptron(f"separable {n}×{d}")
        for on in ("flipped 1e4×3", "noisy 1e4×50"):
            yield _perceptron_swept(on, sweeps=20)
        for on in ("noisy 1e4×5", "noisy 1e5×5"):
            yield _nearest(on, ("brute", "kd_tree"))
        for on in ("noisy 1e4×50", "noisy 1e5×50"):
            yield _nearest(on, ("brute",))


def _two(objective):
    return lambda plane, X, y: objective(plane, X[:, :2], y)


def widest(fit: ll.Fit) -> float:
    """ρ* from a lower bound of ½‖w‖², w canonical."""
    return float(1 / np.sqrt(2 * fit.certificate.lower))


def lifted_margin(plane, X, y):
    return float(ll.margins(plane, X, y).min() / np.linalg.norm(plane.a))


def _rows(size: str, on: str) -> Iterator[Row]:
    big = size == "large"
    if size != "wide":
        solvers = ("lsqr", "eigen", "svd")
        yield Row(
            "LDA", on, ll.lda, ratio, upper, {f"scikit-learn {s}": peers.lda(s) for s in solvers}
        )
        yield Row(
            "least squares",
            on,
            ll.least_squares,
            half_squares,
            lower,
            {"numpy lstsq": peers.lstsq, "scikit-learn": peers.linear_regression},
        )
        if on != "cancer":
            loose = {
                "scikit-learn newton-cholesky": peers.logistic_regression(
                    "newton-cholesky", lam=0, tol=1e-8
                ),
                "scikit-learn lbfgs": peers.logistic_regression("lbfgs", lam=0, tol=1e-8),
            }
            yield Row(
                "logistic, λ = 0",
                on,
                ll.logistic,
                mean_logistic(0),
                lower,
                loose | _statsmodels(big),
            )
    lam = 1e-3
    yield Row(
        "logistic, λ = 1e-3",
        on,
        lambda X, y: ll.logistic(X, y, lam=lam),
        mean_logistic(lam),
        lower,
        {
            f"scikit-learn {s}": peers.logistic_regression(s, lam=lam, tol=1e-8)
            for s in (("lbfgs",) if size == "wide" else ("newton-cholesky", "lbfgs"))
        },
    )
    if size != "wide":
        slow = {} if size == "large" else {"HiGHS": peers.highs_lp}
        yield Row("linear program", on, ll.linear_program, mean_hinge, lower, slow)
    for C in (0.01, 1.0, 100.0) if size != "large" else (0.01, 1.0):
        yield Row(
            f"SVM, C·Σξ with C = {C:g}",
            on,
            lambda X, y, C=C: ll.svm(X, y, C=C),
            soft(C),
            lower,
            _svms(C, size, on),
        )


def _svms(C: float, size: str, on: str) -> dict[str, Callable]:
    n = len(samples(on)[1])
    chosen: dict[str, Callable] = {}
    if n * C <= 1e6:  # beyond, one run takes minutes
        chosen["LIBLINEAR"] = peers.linear_svc(C)
    if on in ("noisy 100×2", "cancer", "noisy 1e4×50", "wide 200×5000") and C <= 1:
        chosen["LIBSVM"] = peers.svc(C)
    if size in ("small", "medium") and on != "noisy 1e5×50":
        for name, make in (("Clarabel", peers.clarabel_svm), ("OSQP", peers.osqp_svm)):
            if peers.installed(name.lower()):
                chosen[name] = partial(make, C=C)
    return chosen


def _statsmodels(big: bool) -> dict[str, Callable]:
    return (
        {"statsmodels": peers.statsmodels_logit}
        if peers.installed("statsmodels") and not big
        else {}
    )


def _perceptron(on: str) -> Row:
    """Both run the textbook's algorithm; scikit-learn is told how many epochs it takes."""
    X, y = samples(on)
    run = ll.perceptron(X, y, max_updates=10**7)
    epochs = -(-(int(run.trace["reads"][-1]) + len(y)) // len(y))
    return Row(
        f"perceptron, {len(run.trace) - 1} updates",
        on,
        lambda X, y: ll.perceptron(X, y, max_updates=10**7),
        mistakes,
        lambda fit: 0.0,
        {"scikit-learn": peers.perceptron(epochs=epochs)},
    )


def _perceptron_swept(on: str, *, sweeps: int) -> Row:
    """Where the classes overlap most readings may be mistakes: both stop after so many sweeps.

    Both make the same updates, which the plane proves: its distance from that of our run is the objective.
    """

    def ours(X, y):
        return ll.perceptron(X, y, max_updates=sweeps * len(y), max_epochs=sweeps)

    run = ours(*samples(on))

    def elsewhere(plane, X, y):
        return float(np.linalg.norm(plane.a - run.plane.a) / np.linalg.norm(run.plane.a))

    return Row(
        f"perceptron, {sweeps} sweeps, {len(run.trace) - 1} updates",
        on,
        ours,
        elsewhere,
        lambda fit: 0.0,
        {"scikit-learn": peers.perceptron(epochs=sweeps)},
    )


def _nearest(on: str, algorithms: tuple[str, ...], k: int = 5) -> Row:
    """The labels of a thousand points by their neighbours; all sides must say what all distances say."""
    X, y = samples(on)
    Q = queries(on)
    near = [cdist(q[None], X)[0].argpartition(k)[:k] for q in Q]
    expected = np.sign(y[np.array(near)].sum(axis=1))
    return Row(
        f"{k} nearest neighbours",
        on,
        lambda X, y: ll.k_nearest_neighbors(X, y, k=k).predict(Q),
        lambda labels, X, y: float((labels != expected).sum()),
        lambda labels: 0.0,
        {f"scikit-learn {a}": peers.neighbours(a, Q, k=k) for a in algorithms},
    )
