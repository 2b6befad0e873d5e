"""Columns that depend on each other are ordinary data: every method answers, and every certificate closes."""

import csv

import dependent
import numpy as np
import pytest
from dependent import CLOSING, FAMILIES, METHODS, SEEDS, family, reached

import linlearn as ll
from linlearn.certificates.bound import moves
from linlearn.certificates.samples import Samples

NEAR = 2  # powers of ten by which another machine's roundings may change a gap
with dependent.TABLE.open(encoding="utf8", newline="") as file:
    ROWS = list(csv.DictReader(file))


@pytest.mark.parametrize("method", METHODS)
def test_the_books_table_is_what_a_run_gives(method):
    """No gap has opened, and no proof speaks of fewer planes than the table says."""
    mine = [row for row in ROWS if row["method"] == method]
    assert [row["family"] for row in mine] == list(FAMILIES)
    for row in mine:
        exponent, within = reached(method, row["family"])
        assert f"{within:g}" == row["within"], row
        assert abs(exponent - int(row["exponent"])) <= (NEAR if exponent > -12 else 16), row
        assert exponent <= int(row["exponent"]) or exponent <= -8 or method not in CLOSING, row


def test_what_the_table_says():
    """A row for every method and family; whatever closes does so to 1e-8, for all planes or within 2²⁰."""
    assert [row["method"] for row in ROWS] == [m for m in METHODS for _ in FAMILIES]
    for row in ROWS:
        assert row["within"] in ("inf", f"{2.0**20:g}")
        if row["method"] in CLOSING:
            assert int(row["exponent"]) <= -8, row
        if row["family"] in dependent.EXACT:
            assert row["within"] == "inf", row


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
    beyond = walked.within < moves(S, S.coordinates(best.primal))
    assert (beyond or walked.lower <= best.upper) and walked.upper >= best.lower
    X, y = family(name, seed, noise=0.0)
    best = ll.separate(X, y).certificate
    for walk in (ll.perceptron, ll.ho_kashyap):
        found = walk(X, y).certificate
        assert found.separable is not False
        assert found.lower <= best.upper and found.upper >= best.lower
