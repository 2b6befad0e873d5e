"""What a loss tells the certificate of itself: by how much its bound falls when dual variables move."""

from decimal import Decimal, localcontext

import numpy as np
import pytest

from linlearn.certificates.ball import NormBall
from linlearn.certificates.duality import HingeTerms, LogisticTerms, entropy


@pytest.mark.parametrize("terms", [HingeTerms, LogisticTerms])
@pytest.mark.parametrize("seed", range(40))
def test_moving_votes_costs_no_more_than_it_says(terms, seed):
    """Within their room, in whatever direction, the worst too; there the hinge loses just as much."""
    rng = np.random.default_rng(seed)
    n = 12
    phi = terms(np.full(n, 1.0) if terms is LogisticTerms else rng.uniform(0.5, 2, n))
    alpha, m = phi.top * rng.random(n), NormBall(3.0 ** (seed % 5) * rng.standard_normal(n), 0.0)
    some, tau = np.flatnonzero(rng.random(n) < 0.6), rng.uniform(0.01, 0.49)
    delta = phi.subset(some).distance_to_bound(alpha[some])
    before, shift = phi.tangent(alpha, m), tau * delta
    floor = before - phi.drop(alpha, some, delta, 1.0, m)
    said = phi.drop(alpha, some, shift, tau, m)
    worst = np.sign((1 if terms is HingeTerms else 0) - m.mid[some])
    for k in range(50):
        way = rng.choice([-1.0, 1.0], len(some)) if k else -worst
        moved, far = alpha.copy(), alpha.copy()
        moved[some] += way * shift
        far[some] += way * delta
        loss = before.mid - phi.tangent(moved, m).mid
        assert loss <= said.hi + 1e-12
        assert phi.tangent(far, m).mid >= floor.lo - 1e-12
        if terms is HingeTerms and not k:
            assert loss == pytest.approx(said.mid, abs=1e-12)


@pytest.mark.parametrize("terms", [HingeTerms, LogisticTerms])
def test_votes_have_room_for_as_much_as_they_may_move(terms):
    """Either way they stay between 0 and their bound; at the ends there is no room."""
    rng = np.random.default_rng(0)
    phi = terms(rng.uniform(0.5, 2, 200))
    alpha = phi.top * np.append([0.0, 1.0], rng.random(198) ** 4)
    for share in (alpha, phi.top - alpha):
        distance_to_bound = phi.distance_to_bound(share)
        assert (
            (distance_to_bound >= 0).all()
            and (share - distance_to_bound >= 0).all()
            and (share + distance_to_bound <= phi.top).all()
        )
        assert distance_to_bound.max() > (0.2 if terms is HingeTerms else 0.05)


@pytest.mark.parametrize("seed", range(20))
def test_at_the_optimum_logistic_votes_move_at_second_order(seed):
    """At α = kσ(-m) the tangent's value is largest: a move costs by its square, and nearly what is said."""
    rng = np.random.default_rng(seed)
    k, m = rng.uniform(0.5, 2, 12), NormBall(rng.uniform(-4, 4, 12), 0.0)
    phi, alpha, every = LogisticTerms(k), k / (1 + np.exp(m.mid)), np.arange(12)
    for tau in (1.0, 0.3):
        shift = tau * phi.distance_to_bound(alpha)
        said = phi.drop(alpha, every, shift, tau, m)
        assert said.hi - said.lo < 1e-13
        for _ in range(20):
            way = rng.choice([-1.0, 1.0], 12)
            loss = phi.tangent(alpha, m).mid - phi.tangent(alpha + way * shift, m).mid
            assert 0.6 * said.mid < loss <= said.hi + 1e-14


def test_entropy_at_the_ends_and_between():
    """0 at both ends, and kH(α/k) between, for bounds that are 1 and that are not, to 25 digits."""
    k = np.array([1.0, 1.0, 1.0, 0.3, 0.3, 7.0, 7.0])
    alpha = k * [0.0, 1.0, 0.3, 1.0, 1 / 3, 1e-20, 1 - 2**-53]
    assert entropy(alpha[:2], k[:2]).lo <= 0 <= entropy(alpha[:2], k[:2]).hi < 1e-300
    for bound in (np.ones(7), k):
        alphas = np.minimum(alpha, bound)
        found, exact = entropy(alphas, bound), Decimal(0)
        with localcontext(prec=50):
            for u, v in zip(alphas.tolist(), bound.tolist(), strict=True):
                s = Decimal(u) / Decimal(v)
                exact -= Decimal(v) * sum(q * q.ln() for q in (s, 1 - s) if q)
        assert Decimal(float(found.lo)) <= exact <= Decimal(float(found.hi))
        assert found.hi - found.lo < 1e-12
