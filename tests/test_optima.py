"""No end is false: enclosures against the optimum in fractions, or with 40 digits, on tables as people have.

`make test` tries some tables of each kind; with FUZZ=1 in the environment some hundred are tried.
"""

import math
import os
from fractions import Fraction

import numpy as np
import oracles
import pytest
from scipy import sparse
from tables import KINDS, table

import linlearn as ll
from linlearn import certificates

FUZZ = os.environ.get("FUZZ") == "1"
SEEDS = range(400 if FUZZ else 6)
FEW = range(60 if FUZZ else 2)  # where the oracle takes a second
INF = math.inf
kinds = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
seeds = pytest.mark.parametrize("seed", SEEDS)
few = pytest.mark.parametrize("seed", FEW)


def below(end, value):
    """end ≤ value, without rounding."""
    return value == INF or (end < INF and Fraction(end) <= Fraction(value))


def holds(found, value, *, near=0):
    """lower ≤ value ≤ upper, `lower` if it is for all planes; `near` is what the oracle does not know."""
    assert below(found.lower, value + near) or found.score_bound < INF, found
    assert found.upper == INF or (value != INF and Fraction(value) - near <= Fraction(found.upper))


def witnesses(X, y, seed):
    """Planes (w, b) and multipliers, silly ones too."""
    rng, d, n = np.random.default_rng(seed), X.shape[1], len(y)
    planes = [np.zeros(d + 1), np.eye(d + 1)[0], rng.normal(size=d + 1), rng.integers(-2, 3, d + 1)]
    return zip(planes, [np.zeros(n), np.ones(n), rng.random(n), rng.random(n)], strict=True)


def answered(method, *samples, **options):
    """The certificate of a method, or None where it refuses these samples."""
    try:
        return method(*samples, **options).certificate
    except ValueError:
        return None


def ratio(X, y, w):
    """Fisher's ratio in fractions, ∞ without spread; 0/0 is 0."""
    scores = [oracles.dot([Fraction(v) for v in w.tolist()], x) for x in oracles.rationals(X)]
    groups = [[s for s, k in zip(scores, y, strict=True) if k == sign] for sign in (1, -1)]
    means = [sum(g) / len(g) for g in groups]
    spread = sum((s - m) ** 2 for g, m in zip(groups, means, strict=True) for s in g)
    pulled = max(means[0] - means[1], 0) ** 2
    return pulled / spread if spread else (INF if pulled else Fraction(0))


def spread_and_moves(X, y, w):
    """‖X_W w‖², and the square of the most that a feature moves a score, from the middle of its class."""
    spread, moved = Fraction(0), Fraction(0)
    for own in (X[y > 0], X[y < 0]):
        scores = [oracles.dot([Fraction(v) for v in w.tolist()], x) for x in oracles.rationals(own)]
        spread += sum((s - sum(scores) / len(scores)) ** 2 for s in scores)
        for c, column in zip(w.tolist(), own.T.tolist(), strict=True):
            half = (Fraction(max(column)) - Fraction(min(column))) / 2
            moved = max(moved, (Fraction(c) * half) ** 2)
    return spread, moved


@kinds
@seeds
def test_fishers_ratio(kind, seed):
    """∞ where a label has leaked, whatever the witnesses, in memory and read in blocks."""
    X, y = table(kind, seed)
    exact = oracles.fisher(X, y)
    value = INF if exact is None else exact[0]
    ends = [
        certificates.enclose_fisher(X, y, primal=a[:-1], dual=r) for a, r in witnesses(X, y, seed)
    ]
    ends += [certificates.enclose_fisher(X, y, primal=a[:-1]) for a, _ in witnesses(X, y, seed)]
    for a, _ in witnesses(X, y, seed):
        if 0 < a.size <= len(y) and (np.abs(X).max(axis=0) > 1e-60).all():
            ends.append(certificates.enclose_fisher(sparse.csr_array(X), y, primal=a[:-1]))
    ends += [found for method in (ll.fisher, ll.lda) if (found := answered(method, X, y))]
    for found in ends:
        assert below(found.lower, value)
        if found.score_bound == INF:
            assert below(value, found.upper), (found, value)
        else:  # of directions that it speaks of, none does better
            for w in (a[:-1] for a, _ in witnesses(X, y, seed)):
                spread, moved = spread_and_moves(X, y, w)
                if spread and moved <= Fraction(found.score_bound) ** 2 * spread:
                    assert below(ratio(X, y, w), found.upper), (found, w)
    if exact is None:
        assert answered(ll.fisher, X, y).lower == INF and answered(ll.lda, X, y) is None


@kinds
@seeds
def test_least_squares_and_ridge(kind, seed):
    X, y = table(kind, seed)
    value, lam = oracles.least_squares(X, y)[0], (0.01, 1.0)[seed % 2]
    penalised = oracles.ridge(X, y, lam)
    holds(ll.least_squares(X, y).certificate, value)
    for a, r in witnesses(X, y, seed):
        holds(certificates.enclose_least_squares(X, y, primal=a, dual=r), value)
        holds(certificates.enclose_ridge(X, y, primal=a, dual=r, lam=lam), penalised)
        if a.size <= len(y):
            holds(certificates.enclose_least_squares(sparse.csr_array(X), y, primal=a), value)


@kinds
@few
def test_hinge_margin_and_mistakes(kind, seed):
    X, y = table(kind, seed, most=6)
    if X.shape[1] > 4:
        X = X[:, -4:]
    value, square = oracles.hinge(X, y)[0], oracles.margin(X, y)[0]
    best, hard = oracles.fewest(X, y), oracles.hard_margin(X, y)
    hard = INF if hard is None else hard[0]
    holds(ll.linear_program(X, y).certificate, value)
    margins = [ll.separate(X, y).certificate]
    zero_one = ll.zero_one(X, y).certificate
    holds(zero_one, best)
    for a, r in witnesses(X, y, seed):
        holds(certificates.enclose_hinge(X, y, primal=a, dual=r), value)
        margins.append(certificates.enclose_margin(X, y, primal=a, dual=r))
        holds(certificates.enclose_mistakes(X, y, primal=a, dual=zero_one.dual), best)
        found = certificates.enclose_hard_margin(X, y, primal=a, dual=r)
        assert below(found.lower, hard) and below(hard, found.upper), (found, hard)
    for found in margins:
        assert Fraction(found.lower) ** 2 <= square <= Fraction(found.upper) ** 2, (found, square)
    if hard < INF and (
        found := answered(ll.max_margin, X, y)
    ):  # else it says that no floats separate
        holds(found, hard)


@kinds
@few
@pytest.mark.parametrize("C", [0.125, 8.0])
def test_soft_margin(kind, seed, C):
    X, y = table(kind, seed, most=6)
    value = oracles.soft_margin(X, y, C)[0]
    holds(ll.svm(X, y, C=C).certificate, value)
    for a, r in witnesses(X, y, seed):
        holds(certificates.enclose_soft_margin(X, y, primal=a, dual=r * C, C=C), value)


@kinds
@few
@pytest.mark.parametrize("lam", [0.0, 0.01])
def test_logistic_loss(kind, seed, lam):
    """Attained or not, which is never claimed falsely; and what is predicted costs what is certified."""
    X, y = table(kind, seed)
    value, attained = oracles.logistic_infimum(X, y, lam)
    value, near = Fraction(value), Fraction(1, 10**30)
    fit = ll.logistic(X, y, lam=lam)
    holds(fit.certificate, value, near=near)
    for a, r in witnesses(X, y, seed):
        found = certificates.enclose_logistic(X, y, primal=a, dual=r, lam=lam)
        holds(found, value, near=near)
        assert found.attained in (None, attained) or lam
    assert fit.certificate.attained in (None, attained) or lam
    steep = max(np.abs(plane.a).max() for plane in (fit.plane, fit.limit) if plane is not None)
    if not lam and steep * np.abs(X).max() < 1e6:  # else scores are rounded
        cost = np.logaddexp(0, -y * fit.decision_function(X)).mean()
        assert cost == pytest.approx(fit.certificate.upper, rel=1e-8, abs=1e-12)
