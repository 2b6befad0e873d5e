"""Columns that depend on each other are ordinary data: the families, and what every method makes of them."""

import numpy as np

FAMILIES = {
    "one-hot": lambda x, rng: [*((rng.integers(0, 3, len(x))[:, None] == np.arange(3)) * 1.0).T],
    "twice": lambda x, rng: [2 * x[:, 0]],
    "constant": lambda x, rng: [np.full(len(x), 3.1)],
    "sum": lambda x, rng: [x[:, 0] + x[:, 1]],
    "two units": lambda x, rng: two_units(np.round(20 + 5 * rng.standard_normal(len(x)), 1)),
    "standardised": lambda x, rng: [(x[:, 0] - x[:, 0].mean()) / x[:, 0].std()],
    "cents": lambda x, rng: [np.round(x[:, 0], 2)],
    "cents and their sum": lambda x, rng: cents(np.round(100 * rng.uniform(size=(len(x), 2)), 2)),
}


def two_units(celsius):
    return [celsius, 1.8 * celsius + 32]


def cents(amounts):
    return [*amounts.T, amounts.sum(axis=1)]


def family(name, seed, n=60, *, noise=1.0):
    """Two real columns, labels of a plane, noisy or not, and columns that others make up, rounded or not."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, 2))
    y = np.where(x.sum(axis=1) + noise * rng.standard_normal(n) > 0, 1.0, -1.0)
    return np.column_stack([x, *FAMILIES[name](x, rng)]), y
