"""Columns that depend on each other: the families, and which certificates close or name the columns.

`python tests/dependent.py` writes `book/_data/dependent.csv`, which the book prints.
"""

import csv
import re
from pathlib import Path

import numpy as np

import linlearn as ll

TABLE = Path(__file__).parents[1] / "book" / "_data" / "dependent.csv"
SEEDS = range(3)


def two_units(celsius):
    return [celsius, 1.8 * celsius + 32]


def to_cents(amounts):
    return [*amounts.T, amounts.sum(axis=1)]


def clocks(begun, rng):
    """When something began and ended, in seconds, over months; it lasts a minute at most."""
    return [begun, begun + np.round(rng.uniform(0, 60, len(begun)))]


def accounts(net):
    """Amounts to a cent: the tax on them, which is rounded to one, and the sum, which only floats round."""
    tax = np.round(0.19 * net, 2)
    return [net, tax, net + tax]


EXACT = {
    "one-hot": lambda x, rng: [*((rng.integers(0, 3, len(x))[:, None] == np.arange(3)) * 1.0).T],
    "twice": lambda x, rng: [2 * x[:, 0]],
    "constant": lambda x, rng: [np.full(len(x), 3.1)],
}
ROUNDED = {
    "sum": lambda x, rng: [x[:, 0] + x[:, 1]],
    "two units": lambda x, rng: two_units(np.round(20 + 5 * rng.standard_normal(len(x)), 1)),
    "standardised": lambda x, rng: [(x[:, 0] - x[:, 0].mean()) / x[:, 0].std()],
    "to a cent": lambda x, rng: [np.round(x[:, 0], 2)],
    "sum to 8 digits": lambda x, rng: [np.round(x.sum(axis=1), 8)],
    "sum to 11 digits": lambda x, rng: [np.round(x.sum(axis=1), 11)],
    "sum of cents": lambda x, rng: to_cents(np.round(100 * rng.uniform(size=(len(x), 2)), 2)),
    "accounts": lambda x, rng: accounts(np.round(1e5 * np.exp(x[:, 0]), 2)),
    "clocks": lambda x, rng: clocks(1.7e9 + np.round(3e6 * x[:, 0]), rng),
}
FAMILIES = EXACT | ROUNDED


def family(name, seed, n=60, *, noise=1.0):
    """Two real columns, labels of a plane, noisy or not, and columns that others make up, rounded or not."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, 2))
    y = np.where(x.sum(axis=1) + noise * rng.standard_normal(n) > 0, 1.0, -1.0)
    return np.column_stack([x, *FAMILIES[name](x, rng)]), y


def heeded(method):
    """The method on what is left when the features that its error names are dropped."""

    def fit(X, y):
        while True:
            try:
                return method(X, y)
            except ValueError as error:
                named = re.search(r"Drop .* for example ([\d, ]+)", str(error))
                if not named:
                    raise
                X = np.delete(X, [int(j) for j in named[1].split(",")], axis=1)

    return fit


def contradictory(method):
    """The method on samples that each stand there thrice, once with the other label."""
    return lambda X, y: method(np.vstack([X, X, X]), np.concatenate([y, y, -y]))


NOISY, CLEAN = 1.0, 0.0
CLOSING = {
    "least squares": (NOISY, ll.least_squares),
    "Fisher": (NOISY, heeded(ll.fisher)),
    "LDA": (NOISY, heeded(ll.lda)),
    "logistic": (NOISY, ll.logistic),
    "logistic, each sample thrice": (NOISY, contradictory(ll.logistic)),
    "logistic, separable": (CLEAN, ll.logistic),
    "logistic, λ = 0.1": (NOISY, lambda X, y: ll.logistic(X, y, lam=0.1)),
    "linear program": (NOISY, ll.linear_program),
    "linear program, balanced": (
        NOISY,
        lambda X, y: ll.linear_program(X, y, sample_weight="balanced"),
    ),
    "soft margin": (NOISY, lambda X, y: ll.svm(X, y, C=1.0)),
    "hard margin": (CLEAN, ll.max_margin),
    "separation": (CLEAN, ll.separate),
    "separation, inseparable": (NOISY, ll.separate),
    "fewest mistakes, 12 samples": (NOISY, lambda X, y: ll.zero_one(X[:12], y[:12], max_work=3e8)),
}
OPEN = {  # they seek something else than the enclosed optimum, or stop before
    "Ho and Kashyap, inseparable": (NOISY, ll.ho_kashyap),
    "LMS": (NOISY, ll.lms),
    "perceptron": (CLEAN, ll.perceptron),
    "Ho and Kashyap": (CLEAN, ll.ho_kashyap),
}
METHODS = CLOSING | OPEN


def reached(method, name):
    """Over the seeds: "closed" for all planes, "closed within 2²⁰", or the columns that keep it open."""
    noise, fit = METHODS[method]
    found = [fit(*family(name, seed, noise=noise)) for seed in SEEDS]
    if all(one.converged for one in found):
        bounded = min(one.certificate.score_bound for one in found) < np.inf
        return "closed within 2²⁰" if bounded else "closed"
    named = {re.sub(r" \(relative .*", "", one.diagnosis) for one in found if not one.converged}
    return "; ".join(sorted(named)) or "open"


def table():
    """Rows of the CSV file: method, family, what its certificates say."""
    for method in METHODS:
        for name in FAMILIES:
            yield {"method": method, "family": name, "certificate": reached(method, name)}


def main():
    rows = list(table())
    with TABLE.open("w", encoding="utf8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
