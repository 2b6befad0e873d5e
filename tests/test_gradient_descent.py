"""Gradient descent descends on every loss, becomes the methods it contains, and knows how good it is."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.optimize import minimize

import linlearn as ll
from linlearn import losses
from linlearn.certificates import enclose_empirical_risk

drawn, overlap = ll.data.drawn(), ll.data.drawn(overlap=True)
ALL = ["perceptron", "hinge", "squared hinge", "logistic", "sigmoid", "squared"]
CONVEX = ["perceptron", "hinge", "squared hinge", "logistic", "squared"]
SMOOTH = ["squared hinge", "logistic", "sigmoid", "squared"]
PHI = {name: getattr(losses, name.upper().replace(" ", "_")) for name in ALL}


def risk(a, Z, loss):
    return PHI[loss].value(Z @ a).mean()


def textbook(X, y, loss, rate, decay, epochs):
    """a ← a - η_k (1/n) Σ φ′(mᵢ) zᵢ, sample by sample in the sum: all states."""
    Z = ll.signed(X, y)
    a, states = np.zeros(Z.shape[1]), []
    for k in range(epochs + 1):
        states.append(a)
        g = sum(PHI[loss].slope(z @ a) * z for z in Z) / len(Z)
        a = a - rate / (k + 1) ** decay * g
    return np.array(states)


@pytest.mark.parametrize("loss", ALL)
@pytest.mark.parametrize("decay", [0.0, 0.5])
def test_the_states_are_the_textbooks(loss, decay):
    fit = ll.gradient_descent(*overlap, loss=loss, rate=0.05, decay=decay, max_epochs=12)
    assert fit.trace["a"] == pytest.approx(
        textbook(*overlap, loss, 0.05, decay, 12), rel=1e-9, abs=1e-11
    )
    assert np.array_equal(fit.trace[-1].plane.a, fit.plane.a)


@pytest.mark.parametrize("loss", ALL)
@settings(deadline=None, max_examples=15)
@given(seed=st.integers(0, 10**6), decay=st.sampled_from([0.0, 0.5, 1.0]))
def test_the_stochastic_states_are_the_textbooks(loss, seed, decay):
    """Blocks with their products give the states of the sample-by-sample loop, in the order of `i`."""
    X, y = ll.data.gaussians(41, 3, seed=seed)
    start = ll.Hyperplane([1.0, -1.0, 0.5])
    fit = ll.gradient_descent(
        X,
        y,
        loss=loss,
        stochastic=True,
        rate=0.1,
        decay=decay,
        max_epochs=4,
        seed=seed,
        start=start,
    )
    i = fit.trace["i"][1:]
    assert all(sorted(epoch) == list(range(41)) for epoch in i.reshape(4, 41).tolist())
    Z, a = ll.signed(X, y), start.a
    for k, j in enumerate(i):
        a = a - 0.1 / (k + 1) ** decay * PHI[loss].slope(Z[j] @ a) * Z[j]
        if k % 23 == 0:
            assert fit.trace[k + 1].plane.a == pytest.approx(a, rel=1e-9, abs=1e-11)
    assert fit.plane.a == pytest.approx(a, rel=1e-9, abs=1e-11)


@pytest.mark.parametrize("loss", SMOOTH)
@pytest.mark.parametrize("samples", [drawn, overlap, (drawn[0] * [1e-3, 1e3], drawn[1])])
def test_with_the_default_rate_the_loss_never_rises(loss, samples):
    """Descent lemma at η = 1/L: F(a_{k+1}) ≤ F(a_k) - ‖F′(a_k)‖²/2L."""
    Z = ll.signed(*samples)
    A = ll.gradient_descent(*samples, loss=loss, max_epochs=60).trace["a"]
    F = np.array([risk(a, Z, loss) for a in A])
    top = {"logistic": 1 / 4, "sigmoid": 1 / (6 * np.sqrt(3))}.get(loss, 2.0)
    L = top * np.linalg.eigvalsh(Z.T @ Z / len(Z))[-1]
    g = np.array([PHI[loss].slope(Z @ a) @ Z / len(Z) for a in A[:-1]])
    assert (F[1:] <= F[:-1] - (g**2).sum(axis=1) / (2 * L) + 1e-12).all()
    assert A[1] - A[0] == pytest.approx(-g[0] / L, rel=1e-9)


@pytest.mark.parametrize("loss", ["logistic", "squared"])
def test_the_gap_is_at_most_twice_radius_times_gradient_and_closes(loss):
    """With s = φ′(m) the gap is ⟨a, g⟩ + ρ‖g‖ ≤ 2ρ‖g‖; on inseparable samples it goes to 0."""
    Z = ll.signed(*overlap)
    for epochs in (3, 30, 300, 30_000 if loss == "logistic" else 3000):
        fit = ll.gradient_descent(*overlap, loss=loss, max_epochs=epochs)
        c, a = fit.verify(*overlap), fit.plane.a
        g = PHI[loss].slope(Z @ a) @ Z / len(Z)
        assert 0 <= c.gap <= 2 * c.options["radius"] * np.linalg.norm(g) + 1e-12
    assert c.gap < 1e-8


def test_the_minimum_is_the_oracles():
    """Logistic loss on inseparable samples, against BFGS."""
    Z = ll.signed(*overlap)
    oracle = minimize(lambda a: risk(a, Z, "logistic"), np.zeros(3), method="BFGS", tol=1e-10)
    fit = ll.gradient_descent(*overlap, loss="logistic", max_epochs=30_000)
    assert fit.certificate.lower <= oracle.fun + 1e-10
    assert fit.certificate.upper == pytest.approx(oracle.fun, abs=1e-9)
    assert fit.plane.a == pytest.approx(oracle.x, abs=1e-3)


@pytest.mark.parametrize("loss", ALL)
@pytest.mark.parametrize("samples", [drawn, overlap, ll.data.xor()])
@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_weak_duality_for_arbitrary_witnesses(loss, samples, data):
    """No plane in the ball has a mean loss below lower, whatever the slopes; upper is attained there."""
    X, y = samples
    numbers = st.floats(-100, 100)
    radius = data.draw(st.sampled_from([1e-3, 1.0, 30.0]))
    a = data.draw(hnp.arrays(float, 3, elements=numbers))
    other = data.draw(hnp.arrays(float, 3, elements=numbers))
    s = data.draw(hnp.arrays(float, len(y), elements=st.floats(-3, 3)))
    c = enclose_empirical_risk(X, y, primal=a, dual=s, loss=loss, radius=radius)
    Z = ll.signed(X, y)
    other = other * min(1.0, radius / max(np.linalg.norm(other), 1e-300))
    assert c.lower <= c.upper
    assert c.lower <= risk(other, Z, loss) + 1e-12
    inside = a * min(1.0, radius / max(np.linalg.norm(a), 1e-300))
    assert c.upper >= risk(inside, Z, loss) - 1e-12
    assert c.upper == pytest.approx(risk(inside, Z, loss), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("loss", ["perceptron", "hinge", "squared hinge", "squared"])
def test_the_upper_bound_holds_in_fractions_where_digits_cancel(loss, seed):
    """Scores of terms near 1e10 that cancel to about 100: the squares then err by 200 times as much."""
    rng = np.random.default_rng(seed)
    x = 1e10 * rng.standard_normal(5)
    X, y = np.column_stack([x, x + 100 * rng.standard_normal(5)]), np.array([1, -1, 1, -1, 1])
    a = np.array([-1.0, 1.0, 0.0]) * rng.uniform(1, 2) + [1e-9, 0.0, 0.0]
    s = np.zeros(5)
    c = enclose_empirical_risk(X, y, primal=a, dual=s, loss=loss, radius=10.0)
    w = [Fraction(v) for v in a.tolist()]
    total = Fraction(0)
    for (u, v), t in zip(X.tolist(), y.tolist(), strict=True):
        m = t * (w[0] * Fraction(u) + w[1] * Fraction(v) + w[2])
        short = (0 if loss == "perceptron" else 1) - m
        short = short if loss == "squared" else max(short, Fraction(0))
        total += short**2 if "squared" in loss else short
    assert 0 <= Fraction(c.upper) - total / 5 <= total / 1000


@pytest.mark.parametrize("loss", CONVEX)
def test_averaged_slopes_prove_what_the_last_ones_cannot(loss):
    """Σ η_k F′(a_k) = a_0 - a_K: the mean slope tends to 0, so kinks do not keep the gap open."""
    X, y = ll.data.standardise(overlap[0]), overlap[1]
    few, many = (
        ll.gradient_descent(X, y, loss=loss, max_epochs=epochs, radius=10.0).certificate
        for epochs in (100, 10_000)
    )
    best = minimize(
        lambda a: risk(a, ll.signed(X, y), loss),
        ll.gradient_descent(X, y, loss=loss, max_epochs=3000).plane.a,
        method="Nelder-Mead",
        options=dict(xatol=1e-9, fatol=1e-12, maxiter=4000),
    ).fun
    assert many.lower - 1e-9 <= best <= many.upper + 1e-9
    assert many.gap <= max(0.35 * few.gap, 1e-9)
    assert many.gap < (0.15 if loss == "hinge" else 1e-3)


def test_on_separable_samples_the_logistic_loss_has_no_minimum_and_the_ball_says_so():
    """The further the ball reaches, the lower the enclosed minimum; every plane separates in the end."""
    X, y = ll.data.standardise(drawn[0]), drawn[1]
    fit = ll.gradient_descent(X, y, loss="logistic", max_epochs=3000)
    assert ll.margins(fit.plane, X, y).min() > 0
    near, far = (
        ll.gradient_descent(X, y, loss="logistic", max_epochs=3000, radius=r).certificate
        for r in (2.0, 200.0)
    )
    assert near.lower > far.upper > 0
    assert np.linalg.norm(fit.plane.a) == pytest.approx(fit.certificate.options["radius"] / 2)


def test_the_sigmoid_has_a_lower_bound_too():
    """Not convex, so no dual; but no margin in the ball exceeds ρ‖zᵢ‖."""
    c = ll.gradient_descent(*overlap, loss="sigmoid", max_epochs=50, radius=0.5).certificate
    Z = ll.signed(*overlap)
    assert c.lower == pytest.approx((1 / (1 + np.exp(0.5 * np.linalg.norm(Z, axis=1)))).mean())
    assert c.upper > c.lower


def test_the_perceptron_loss_is_the_perceptron():
    """Sample by sample with rate 1: the updates of `perceptron` in random order, with zero steps between."""
    X, y = drawn
    fit = ll.perceptron(X, y, order="random", seed=3)
    epochs = -(-fit.trace[-1].reads // 24)
    same = ll.gradient_descent(
        X, y, loss="perceptron", stochastic=True, rate=1, decay=0, seed=3, max_epochs=epochs
    )
    assert same.plane.a == pytest.approx(fit.plane.a, abs=1e-12)
    moved = np.flatnonzero(np.abs(np.diff(same.trace["a"], axis=0)).sum(axis=1) > 0)
    assert same.trace["i"][1:][moved].tolist() == fit.trace["i"][1:].tolist()


def test_the_squared_loss_is_widrow_and_hoffs_rule():
    """(1 - m)² = (y - f)² with labels ±1: batch LMS at rate η is gradient descent at rate nη/2."""
    X, y = overlap
    lms = ll.lms(X, y, stochastic=False, rate=1e-3, max_epochs=50)
    same = ll.gradient_descent(X, y, loss="squared", rate=1e-3 * len(y) / 2, max_epochs=50)
    assert same.trace["a"] == pytest.approx(lms.trace["a"], rel=1e-9, abs=1e-12)
    best = ll.least_squares(X, y).certificate.upper
    long = ll.gradient_descent(X, y, loss="squared", max_epochs=3000, radius=10.0)
    assert long.certificate.upper * len(y) / 2 == pytest.approx(best, rel=1e-6)


@pytest.mark.parametrize("loss", ALL)
def test_it_moves_with_the_samples(loss):
    """Labels flipped: the opposite plane. Copies and the order of samples change nothing."""
    X, y = overlap
    a = ll.gradient_descent(X, y, loss=loss, max_epochs=40).plane.a
    for X2, y2, sign in (
        (X, -y, -1),
        (np.vstack([X, X]), np.append(y, y), 1),
        (X[::-1], y[::-1], 1),
    ):
        found = ll.gradient_descent(X2, y2, loss=loss, max_epochs=40).plane.a
        assert found == pytest.approx(sign * a, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("stochastic", [False, True])
@pytest.mark.parametrize("loss", ALL)
def test_the_trace_has_every_step_and_they_share_no_memory(loss, stochastic):
    options = dict(loss=PHI[loss], stochastic=stochastic, max_epochs=3, seed=2)
    trace = ll.gradient_descent(*drawn, **options).trace
    steps = list(trace)
    assert len(steps) == len(trace) == 1 + 3 * (24 if stochastic else 1)
    assert np.array([s.plane.a for s in steps]) == pytest.approx(trace["a"], abs=1e-14)
    assert not any(np.shares_memory(p.plane.w, q.plane.w) for p, q in itertools.pairwise(steps))


def test_a_fit_is_saved_with_its_proof(tmp_path):
    fit = ll.gradient_descent(*overlap, loss="hinge", max_epochs=200)
    fit.save(tmp_path / "gd.npz")
    back = ll.Fit.load(tmp_path / "gd.npz")
    assert back.verify(*overlap).lower == pytest.approx(fit.certificate.lower)
    with pytest.raises(ValueError, match="the certificate claims"):
        back.verify(overlap[0], -overlap[1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (dict(loss="zero-one"), "`loss` must be .*got 'zero-one'. Its derivative is 0"),
        (dict(loss=losses.ZERO_ONE), "`loss` must be .*got 'zero-one'. Its derivative is 0"),
        (dict(loss="cubic"), '`loss` must be "perceptron", "hinge", .*got \'cubic\''),
        (dict(loss="hinge", rate=0), "`rate` must be a finite number > 0; got 0"),
        (dict(loss="hinge", decay=-1), "`decay` must be a finite number ≥ 0; got -1"),
        (dict(loss="hinge", max_epochs=-1), "`max_epochs` must be an integer ≥ 0; got -1"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        ll.gradient_descent(*drawn, **options)


def test_overflow_and_a_bad_ball_are_named():
    with pytest.raises(
        ValueError, match="`rate` must be small enough for the weights to stay finite"
    ):
        ll.gradient_descent(*drawn, loss="squared", rate=100.0)
    with pytest.raises(ValueError, match="`radius` must be a finite number > 0; got 0"):
        ll.gradient_descent(*drawn, loss="hinge", radius=0)


def test_on_two_samples_the_ball_term_is_exact():
    """{+1 at 1, -1 at -1}, hinge, ‖a‖ ≤ ½: w = ½ is best, its loss is 1 - ρ, s = (-1, -1) proves it."""
    c = enclose_empirical_risk(
        [[1.0], [-1.0]], [1, -1], primal=[0.5, 0.0], dual=[-1, -1], loss="hinge", radius=0.5
    )
    assert 0.5 - 1e-12 <= c.lower <= 0.5 <= c.upper <= 0.5 + 1e-12


def test_stochastic_slopes_average_to_a_proof():
    """Each epoch reads every sample once, so the slopes of the late epochs average to a feasible dual."""
    X, y = ll.data.standardise(overlap[0]), overlap[1]
    fit = ll.gradient_descent(X, y, loss="hinge", stochastic=True, max_epochs=1000, radius=10.0)
    assert fit.certificate.gap < 0.01
