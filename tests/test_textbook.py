"""What a lesson shows and what runs in its place: the same steps, or the same enclosure."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nasty import SAMPLES

import linlearn as ll
from linlearn.textbook.fisher import fisher_direction
from linlearn.textbook.gradient_descent import descend
from linlearn.textbook.k_nearest_neighbors import k_nearest
from linlearn.textbook.least_squares import gram_schmidt
from linlearn.textbook.linear_program import least_hinge_loss
from linlearn.textbook.lms import widrow_hoff
from linlearn.textbook.logistic import newton, reweighted
from linlearn.textbook.separation import nearest_weights
from linlearn.textbook.smo import smo
from linlearn.textbook.zero_one import best_through_pairs

SEEDS = st.integers(0, 10**6)
SMALL = [name for name, (X, _) in SAMPLES.items() if len(X) < 1000]
ORDERS = ["cyclic", "random"]


def lifted(X):
    return np.column_stack([X, np.ones(len(X))])


def drawn(seed, n=40, d=3):
    """Samples that overlap, in units and about a centre of their own; whole numbers now and then, so that
    there are ties and copies."""
    rng = np.random.default_rng(seed)
    X, y = ll.data.gaussians(n, d, delta=rng.choice([0.0, 1.0, 4.0]), seed=seed)
    if seed % 3 == 0:
        X = np.rint(2 * X)
    return X * 10.0 ** rng.integers(-3, 4) + rng.normal(size=d), y


def same(path, states):
    """The same states, up to a billionth of the largest."""
    states = np.array(states)
    assert path.shape == states.shape
    assert np.abs(path - states).max() <= 1e-9 * np.abs(states).max(initial=1e-300)


def order_of(n, epochs, order, seed):
    rng = np.random.default_rng(seed)
    return np.concatenate(
        [np.arange(n) if order == "cyclic" else rng.permutation(n) for _ in range(epochs)]
    )


@given(seed=SEEDS, n=st.integers(2, 90), order=st.sampled_from(ORDERS), falling=st.booleans())
def test_least_mean_squares_makes_the_textbooks_steps(seed, n, order, falling):
    X, y = drawn(seed, n)
    rows, decay = lifted(X), 0.6 * falling
    first = 1 / np.square(rows).sum(axis=1).max()
    path = ll.lms(X, y, max_epochs=3, order=order, decay=decay, seed=seed).trace["a"]
    picks = order_of(n, 3, order, seed)
    same(path, list(widrow_hoff(rows, y, picks, first / np.arange(1, 3 * n + 1) ** decay)))


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("order", ORDERS)
def test_least_mean_squares_on_nasty_samples(name, order):
    X, y = SAMPLES[name]
    first = 1 / np.square(lifted(X)).sum(axis=1).max()
    path = ll.lms(X, y, max_epochs=2, order=order).trace["a"]
    picks = order_of(len(y), 2, order, 0)
    same(path, list(widrow_hoff(lifted(X), y, picks, np.full(len(picks), first))))


@given(
    seed=SEEDS,
    n=st.integers(2, 90),
    loss=st.sampled_from(["perceptron", "hinge", "logistic", "sigmoid", "squared"]),
    stochastic=st.booleans(),
    decay=st.sampled_from([0.0, 0.5, 1.0]),
)
def test_descent_makes_the_textbooks_steps(seed, n, loss, stochastic, decay):
    X, y = drawn(seed, n)
    X = X / np.abs(X).max()
    start = ll.Hyperplane(
        [0.31, -0.17, 0.23], 0.11
    )  # from 0 the kinks are met, and rounding decides
    options = dict(
        loss=loss, rate=0.05, start=start, max_epochs=2, stochastic=stochastic, seed=seed
    )
    path = ll.gradient_descent(X, y, decay=decay, **options).trace["a"]
    phi, picks = getattr(ll.losses, loss.upper()), order_of(n, 2, "random", seed)
    Z, a, states = ll.signed(X, y), start.a, [start.a]
    for k in range(len(path) - 1):  # the rate falls: one round at a time
        pick = (lambda _, a, k=k: picks[k]) if stochastic else (lambda _, a: slice(None))
        *_, a = descend(Z, phi, 0.05 / (k + 1) ** decay, 1, pick, a)
        states.append(a)
    same(path, states)


@given(seed=SEEDS, rate=st.sampled_from([0.1, 0.5, 0.9]))
def test_ho_kashyap_regresses_on_targets_that_rise(seed, rate):
    """It runs as taught; so here each regression is solved anew, by another solver."""
    X, y = drawn(seed)
    Z, t = ll.signed(X, y), np.ones(len(y))
    assume(np.linalg.cond(Z) < 1e6)
    A = ll.ho_kashyap(X, y, rate=rate, max_updates=30).trace["a"]
    for a in A:
        best = np.linalg.lstsq(Z, t)[0]
        assert np.abs(a - best).max() <= 1e-7 * np.abs(A).max()
        t = t + 2 * rate * np.maximum(Z @ best - t, 0)


@given(seed=SEEDS)
def test_newtons_first_steps_are_the_textbooks(seed):
    X, y = ll.data.gaussians(60, 3, delta=1.0, seed=seed)
    start = np.zeros(4)
    theirs = ll.logistic(X, y, max_updates=5).trace["a"]
    for way in (newton, reweighted):
        ours = np.array(list(way(lifted(X), y, start, 5)))[: len(theirs)]
        same(theirs, ours)


def test_newton_without_brakes_climbs_and_the_engine_does_not():
    """Which is why an engine runs in its place."""
    X, y = ll.data.gaussians(60, 1, delta=1.0, seed=3)
    start = np.array([2.5, 2.5])
    height = [
        ll.losses.LOGISTIC.value(ll.signed(X, y) @ a).mean() for a in newton(lifted(X), y, start, 1)
    ]
    assert height[1] > height[0]
    fit = ll.logistic(X, y, start=ll.Hyperplane.from_homogeneous(start))
    assert (np.diff(fit.trace["objective"]) <= 0).all() and fit.certificate.gap < 1e-12


@given(seed=SEEDS)
def test_fishers_direction_reaches_the_certified_ratio(seed):
    X, y = drawn(seed)
    found = ll.fisher(X, y)
    w = fisher_direction(X, y)
    assert np.allclose(w, found.plane.w, rtol=1e-6, atol=1e-9 * np.abs(w).max())
    reached = ll.certificates.enclose_fisher(X, y, primal=w, dual=found.certificate.dual)
    assert reached.gap <= 1e-9 * reached.upper


@given(seed=SEEDS)
def test_gram_and_schmidt_reach_the_certified_sum_of_squares(seed):
    X, y = drawn(seed)
    A = lifted(X)
    assume(np.linalg.cond(A / np.linalg.norm(A, axis=0)) < 1e6)
    R = gram_schmidt(A, y)
    a = np.linalg.solve(R[:, :-1], R[:, -1])
    found = ll.least_squares(X, y).certificate
    assert found.lower * (1 - 1e-9) <= np.square(A @ a - y).sum() / 2 <= found.upper * (1 + 1e-9)


@pytest.mark.parametrize("name", SMALL)
def test_the_solver_reaches_the_certified_shortfall(name):
    X, y = SAMPLES[name]
    found = ll.linear_program(X, y).certificate
    if name == "unscaled":
        X = X / np.abs(X).max(axis=0)  # the solver's tolerance is absolute; the value is the same
    value = least_hinge_loss(ll.signed(X, y), np.full(len(y), 1 / len(y))).fun
    assert found.lower - 1e-6 <= value <= found.upper + 1e-6


@given(seed=SEEDS, C=st.sampled_from([0.005, 0.05, 0.5]))
def test_pair_by_pair_reaches_the_certified_soft_margin(seed, C):
    X, y = drawn(seed, n=20, d=2)
    X = X / np.abs(X).max()
    *_, (w, b, alpha) = smo(X, y, C)
    found = ll.svm(X, y, C=C).certificate
    ours = ll.certificates.enclose_soft_margin(X, y, primal=[*w, b], dual=alpha, C=C)
    assert ours.lower <= found.upper and found.lower <= ours.upper
    assert ours.gap <= 1e-5 * C * len(y)


@given(seed=SEEDS)
def test_pair_by_pair_reaches_the_largest_margin(seed):
    X, y = ll.data.separable(15, 2, margin=0.1, seed=seed)
    *_, (w, b, alpha) = smo(X, y, np.inf)
    found = ll.max_margin(X, y)
    assert np.allclose([*w, b], found.plane.a, rtol=1e-4, atol=1e-4 * np.linalg.norm(w))
    assert np.isclose(2 * alpha.sum() - w @ w, 2 * found.certificate.lower, rtol=1e-4)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_the_nearest_weights_reach_the_certified_margin(name, fit_intercept):
    X, y = SAMPLES[name]
    Z = ll.signed(X, y, fit_intercept=fit_intercept)
    R = np.linalg.norm(Z, axis=1).max()
    alpha, found = (
        nearest_weights(Z / R),
        ll.separate(X, y, fit_intercept=fit_intercept).certificate,
    )
    assert np.isclose(alpha.sum(), 1) and (alpha >= 0).all()
    assert found.lower - 1e-9 * R <= np.linalg.norm(alpha @ Z) <= found.upper + 1e-6 * R


@given(seed=SEEDS, n=st.integers(2, 60), d=st.integers(1, 9), k=st.integers(1, 5))
def test_the_nearest_are_the_textbooks_ties_included(seed, n, d, k):
    rng = np.random.default_rng(seed)
    X, y = ll.data.gaussians(n, d, seed=seed)
    if seed % 2:  # half-way between whole numbers: distances are exact, and many are equal
        X, Q = np.rint(2 * X), np.rint(rng.normal(size=(8, d))) + 0.5
    else:
        Q = rng.normal(size=(8, d))
    k = min(k, n)
    assert ll.k_nearest_neighbors(X, y, k=k).neighbours(Q).tolist() == [
        k_nearest(X, x, k) for x in Q
    ]


@given(seed=SEEDS, n=st.integers(2, 30))
def test_lines_through_pairs_make_the_fewest_mistakes(seed, n):
    X, y = ll.data.gaussians(n, 2, delta=1.0, seed=seed)
    assert best_through_pairs(X, y) == ll.zero_one(X, y).certificate.lower


def test_one_sample_is_never_a_mistake():
    assert best_through_pairs(np.array([[1.0, 2.0]]), np.array([1.0])) == 0


def test_three_samples_on_a_line_are_refused():
    with pytest.raises(ValueError, match="no three samples on a line"):
        best_through_pairs(np.array([[0.0, 0], [1, 1], [2, 2]]), np.array([1.0, -1, 1]))
