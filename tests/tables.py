"""Small tables as people have them: leaks, pure categories, words, copies that differ in a last digit."""

import numpy as np


def labels(rng, n):
    """n labels, of each class two or more."""
    y = np.where(rng.random(n) < rng.uniform(0.3, 0.7), 1.0, -1.0)
    y[:4] = 1.0, 1.0, -1.0, -1.0
    return rng.permutation(y)


def integers(rng, n, y):
    return rng.integers(-3, 4, (n, rng.integers(1, 4))).astype(float)


def leaked(rng, n, y):
    """A column that is constant within each class, beside others."""
    two = rng.choice([0.0, 1.0, 0.1, 4.0, -3.0, 1e6, 1 / 3], 2, replace=False)
    return np.column_stack([integers(rng, n, y), np.where(y > 0, *two)])


def combined(rng, n, y):
    """Two columns that give the label away together."""
    u = rng.integers(-3, 4, n)
    return np.column_stack([u, integers(rng, n, y), y - rng.integers(1, 3) * u])


def nearly_leaked(rng, n, y):
    """A leak that is off by 10⁻⁸ to 10⁻¹⁵ in some rows."""
    off = 10.0 ** -rng.integers(8, 16) * rng.integers(-2, 3, n)
    return np.column_stack([integers(rng, n, y), rng.choice([1.0, 0.3, 7.0]) * (y > 0) + off])


def pure(rng, n, y):
    """One-hot columns of a category, one level of which has one label; all levels, or all but one."""
    level = rng.integers(0, 3, n)
    level[np.argmax(y > 0)] = 3
    hot = np.eye(4)[level][:, : rng.choice([3, 4])]
    return np.column_stack([hot, integers(rng, n, y)[:, :1]])


def words(rng, n, y):
    """Counts, mostly 0."""
    return rng.poisson(0.5, (n, rng.integers(2, 5))).astype(float)


def copies(rng, n, y):
    """A column twice, and a constant one."""
    X = integers(rng, n, y)
    return np.column_stack([X, X[:, :1], np.full(n, rng.choice([1.0, 0.1]))])


def near_copies(rng, n, y):
    """A column twice, but for 10⁻⁸ to 10⁻¹⁵ of it in some rows."""
    X = integers(rng, n, y)
    off = 1 + 10.0 ** -rng.integers(8, 16) * rng.integers(-1, 2, n)
    return np.column_stack([X, X[:, 0] * off])


KINDS = (integers, leaked, combined, nearly_leaked, pure, words, copies, near_copies)


def standardised(X):
    spread = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)


def table(kind, seed, most=12):
    """(X, y) of one of `KINDS`, every third one standardised, every fifth in another unit."""
    rng = np.random.default_rng([KINDS.index(kind), seed])
    n = int(rng.integers(6, most + 1))
    y = labels(rng, n)
    X = kind(rng, n, y)
    X = standardised(X) if seed % 3 == 0 else X
    return X * 10.0 ** rng.integers(-3, 4, X.shape[1]) if seed % 5 == 0 else X, y
