"""The samples of the benchmark: real tables, and drawn ones of any size."""

from functools import cache

import numpy as np

import linlearn as ll

Samples = tuple[np.ndarray, np.ndarray]


@cache
def samples(name: str) -> Samples:
    """By name: "cancer", "iris", "noisy n×d", "separable n×d", "wide n×d", "flipped n×d"."""
    if name == "cancer":
        X, y = ll.data.breast_cancer()
        return ll.data.standardise(X), y
    if name == "iris":
        X, y = ll.data.iris("virginica", "versicolor")
        return ll.data.standardise(X), y
    kind, size = name.split()
    n, d = (int(float(v)) for v in size.split("×"))
    return {"noisy": noisy, "separable": apart, "wide": noisy, "flipped": flipped}[kind](n, d)


def queries(name: str) -> np.ndarray:
    """A thousand more points of "noisy n×d", drawn with another seed."""
    return noisy(1000, samples(name)[0].shape[1], seed=2)[0]


def noisy(n: int, d: int, seed: int = 1) -> Samples:
    """Correlated Gaussian features and labels from a plane with noise: about a fifth on the wrong side."""
    rng = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(rng.standard_normal((d, d)))
    X = rng.standard_normal((n, d)) @ (Q * np.geomspace(1, 0.1, d)) + 0.5
    f = X @ rng.standard_normal(d)
    f = (f - f.mean()) / f.std()
    return X, np.where(f + 0.2 + 0.7 * rng.standard_normal(n) > 0, 1.0, -1.0)


def apart(n: int, d: int) -> Samples:
    """Separable with geometric margin 0.05."""
    return ll.data.separable(n, d, margin=0.05, seed=1)


def flipped(n: int, d: int) -> Samples:
    """The same with three labels in ten wrong."""
    X, y = apart(n, d)
    return X, np.where(np.random.default_rng(1).uniform(size=n) < 0.3, -y, y)
