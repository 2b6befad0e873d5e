"""What a loss tells the certificate of itself: by how much its bound falls when votes move."""

import numpy as np
import pytest

from linlearn.certificates.ball import Cloud
from linlearn.certificates.duality import HingeTerms, LogisticTerms


@pytest.mark.parametrize("terms", [HingeTerms, LogisticTerms])
@pytest.mark.parametrize("seed", range(40))
def test_moving_votes_costs_no_more_than_it_says(terms, seed):
    """Within their room, in whatever direction; the hinge loses just as much in the worst one."""
    rng = np.random.default_rng(seed)
    n = 12
    phi = terms(np.full(n, 1.0) if terms is LogisticTerms else rng.uniform(0.5, 2, n))
    alpha, m = phi.top * rng.random(n), Cloud(3 * rng.standard_normal(n), 0.0)
    some, tau = np.flatnonzero(rng.random(n) < 0.6), rng.uniform(0.01, 0.49)
    delta = phi.of(some).room(alpha[some])
    before, floor = phi.tangent(alpha, m), phi.floor(alpha, some, delta, m)
    shift = tau * delta
    said = phi.move(alpha, some, shift, tau, m)
    worst = np.sign(1 - m.mid[some])
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
