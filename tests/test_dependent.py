"""Columns that depend on each other are ordinary data: every method answers, and every certificate closes."""

import csv

import dependent
import numpy as np
import pytest
from dependent import CLOSING, FAMILIES, METHODS, SEEDS, family, reached

import linlearn as ll
from linlearn.certificates.samples import Samples

with dependent.TABLE.open(encoding="utf8", newline="") as file:
    ROWS = list(csv.DictReader(file))


@pytest.mark.parametrize("method", METHODS)
def test_the_books_table_is_what_a_run_gives(method):
    """To the word for exactly dependent columns; for the others the last digits of a processor choose between
    closed, closed for bounded hyperplanes, and columns that are named."""
    mine = {row["family"]: row["certificate"] for row in ROWS if row["method"] == method}
    assert list(mine) == list(FAMILIES)
    for name, said in mine.items():
        found = reached(method, name)
        rounded = method in CLOSING and name not in dependent.EXACT
        assert found == said or (rounded and found.startswith(("closed", "columns")))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['method']}-{row['family']}")
def test_a_certificate_closes_or_names_the_columns(row):
    """For exactly dependent columns it closes for all planes; for the others it may name them instead."""
    if row["method"] in CLOSING:
        named = row["family"] not in dependent.EXACT and row["certificate"].startswith("columns")
        bounded = row["family"] not in dependent.EXACT and row["certificate"] == "closed within 2²⁰"
        assert row["certificate"] == "closed" or named or bounded


def test_dropping_the_named_columns_closes_the_certificate():
    """The tax to a cent and the sum of both are each nearly made up by the net amount."""
    X, y = family("accounts", 0)
    for named in ("2, 3 and 4", "2 and 3"):
        fit = ll.linear_program(X, y)
        assert not fit.converged and f"columns {named} are nearly dependent" in repr(fit)
        X = X[:, :-1]
    assert ll.linear_program(X, y).converged


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("method", [m for m, (noise, _) in CLOSING.items() if noise])
def test_the_plane_is_of_use(method, name):
    """At most as many mistakes as least squares makes on the two columns alone, and a few; verified."""
    for seed in SEEDS:
        X, y = family(name, seed)
        fit = METHODS[method][1](X, y)
        plain = ll.least_squares(X[:, :2], y).plane
        allowed = (ll.margins(plain, X[:, :2], y) <= 0).sum() + 6
        if method.startswith(("least", "linear", "support", "logistic, λ")):
            assert (ll.margins(fit.plane, X, y) <= 0).sum() <= allowed
            fit.verify(X, y)
        assert fit.certificate.lower <= fit.certificate.upper < np.inf


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", FAMILIES)
def test_they_are_inseparable_and_that_is_proved(name, seed):
    X, y = family(name, seed)
    assert ll.separate(X, y).certificate.separable is False
    with pytest.raises(ll.NotSeparable):
        ll.max_margin(X, y)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", FAMILIES)
def test_walks_enclose_the_optimum_too(name, seed):
    """They leave a gap, since they seek something else; but none that the optimum could slip through.

    A lower end for bounded planes may be above what a plane beyond the bound costs.
    """
    X, y = family(name, seed)
    best, walked = ll.least_squares(X, y).certificate, ll.lms(X, y).certificate
    S = Samples(X)
    moved = np.abs(S.coordinates(best.primal).mid[:-1]) * S.reach[:-1]
    beyond = walked.score_bound < moved.max()
    assert (beyond or walked.lower <= best.upper) and walked.upper >= best.lower
    X, y = family(name, seed, noise=0.0)
    best = ll.separate(X, y).certificate
    for walk in (ll.perceptron, ll.ho_kashyap):
        found = walk(X, y).certificate
        assert found.separable is not False
        assert found.lower <= best.upper and found.upper >= best.lower
