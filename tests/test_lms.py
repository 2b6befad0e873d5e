"""Widrow and Hoff's rule is the textbook's loop, converges where it should, and says where it would not."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linlearn as ll

drawn = ll.data.drawn()
FAR = (np.array([[-1.0], [0.0], [1.0], [20.0]]), np.array([-1.0, -1.0, 1.0, 1.0]))


def textbook(X, t, order, rate, decay, a):
    """a ← a + η_k(tᵢ - ⟨a, x̃ᵢ⟩)x̃ᵢ, one sample at a time: all states."""
    rows, states = np.column_stack([X, np.ones(len(X))]), [a]
    for k, i in enumerate(order):
        a = a + rate / (k + 1) ** decay * (t[i] - rows[i] @ a) * rows[i]
        states.append(a)
    return np.array(states)


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 90),
    d=st.integers(1, 5),
    epochs=st.integers(0, 4),
    decay=st.sampled_from([0.0, 0.5, 1.0]),
    size=st.sampled_from([0.3, 1.0, 1.9]),
)
def test_the_states_are_the_textbooks(seed, n, d, epochs, decay, size):
    """Blocks solved as triangular systems give the states of the sample-by-sample loop."""
    X, y = ll.data.gaussians(n, d, seed=seed)
    start = ll.Hyperplane(np.arange(1.0, d + 1))
    rate = size / (1 + (X**2).sum(axis=1).max())
    fit = ll.lms(X, y, rate=rate, decay=decay, max_epochs=epochs, start=start)
    order = list(range(n)) * epochs
    expected = textbook(X, y, order, rate, decay, start.a)
    assert fit.trace["i"].tolist() == [-1, *order]
    assert fit.trace["a"] == pytest.approx(expected, rel=1e-9, abs=1e-11)
    for k in {0, len(order) // 2, len(order)}:
        assert fit.trace[k].plane.a == pytest.approx(expected[k], rel=1e-9, abs=1e-11)
        assert (fit.trace[k].k, fit.trace[k].i) == (k, [-1, *order][k])
    assert np.array_equal(fit.trace[-1].plane.a, fit.plane.a)


def test_a_random_order_reads_every_sample_once_an_epoch():
    X, y = ll.data.gaussians(70, 2)
    fit = ll.lms(X, y, order="random", max_epochs=3, seed=4)
    i = fit.trace["i"][1:].reshape(3, 70)
    assert all(sorted(epoch) == list(range(70)) for epoch in i.tolist())
    assert not np.array_equal(i[0], i[1])
    rate = 1 / (1 + (X**2).sum(axis=1).max())
    expected = textbook(X, y, i.ravel(), rate, 0.0, np.zeros(3))
    assert fit.trace["a"] == pytest.approx(expected, abs=1e-12)
    assert np.array_equal(ll.lms(X, y, order="random", max_epochs=3, seed=4).plane.a, fit.plane.a)


@pytest.mark.parametrize("stochastic", [True, False])
def test_the_trace_has_every_step_and_they_share_no_memory(stochastic):
    X, y = drawn
    fit = ll.lms(X, y, stochastic=stochastic, max_epochs=5, decay=0.1)
    steps = list(fit.trace)
    assert len(steps) == len(fit.trace) == 1 + 5 * (24 if stochastic else 1)
    assert [s.k for s in steps] == fit.trace["k"].tolist() == [s.k for s in fit.trace]
    assert np.array([s.plane.a for s in steps]) == pytest.approx(fit.trace["a"], abs=1e-15)
    assert not any(np.shares_memory(p.plane.w, q.plane.w) for p, q in itertools.pairwise(steps))


@pytest.mark.parametrize("share", [0.5, 1.0, 1.9])
def test_batch_converges_below_two_over_lambda(share):
    """0 < η < 2/λ: the error shrinks by at most max|1 - ηλ_j| an update, so the gap closes."""
    X, y = drawn
    rows = np.column_stack([X, np.ones(24)])
    eigen = np.linalg.eigvalsh(rows.T @ rows)
    rate = share / eigen[-1]
    fit = ll.lms(X, y, stochastic=False, rate=rate, max_epochs=1500)
    best = ll.least_squares(X, y)
    error = np.linalg.norm((fit.trace["a"] - best.plane.a) @ np.linalg.qr(rows)[1].T, axis=1)
    factor = np.abs(1 - rate * eigen).max()
    assert (error[1:] <= factor * error[:-1] + 1e-12).all()
    assert fit.certificate.gap <= 1e-9 * 24
    assert fit.plane.a == pytest.approx(best.plane.a, abs=1e-8)


def test_the_step_size_condition_is_enforced_and_sharp():
    """From 2/λ (batch) or 2/R² (samples) on it is refused; the loop itself shows why."""
    X, y = FAR
    rows = np.column_stack([X, np.ones(4)])
    steepest = np.linalg.eigvalsh(rows.T @ rows)[-1]
    with pytest.raises(ValueError, match=r"`rate` must be below 0\.00496.*got 0\.0052"):
        ll.lms(X, y, stochastic=False, rate=2.1 / steepest)
    with pytest.raises(ValueError, match=r"`rate` must be below 0\.00498"):
        ll.lms(X, y, rate=2.2 / 401)
    a = np.zeros(2)
    for _ in range(400):
        a = a + 2.1 / steepest * rows.T @ (y - rows @ a)
    assert np.linalg.norm(a) > 1e10
    assert (
        ll.lms(X, y, stochastic=False, rate=1.9 / steepest, max_epochs=4000).certificate.gap < 1e-10
    )


def test_a_constant_rate_cycles_and_a_decaying_one_converges():
    """η = 1/R² ends in a cycle about the least squares plane, η/(k + 1)^¼ does not."""
    best = ll.least_squares(*FAR).plane.a
    constant = ll.lms(*FAR, max_epochs=4000)
    ends = constant.trace["a"][::4]
    assert np.linalg.norm(ends[-1] - best) == pytest.approx(0.0047, abs=1e-4)
    assert ends[-1] == pytest.approx(ends[-2], abs=1e-10)
    decaying = ll.lms(*FAR, decay=0.25, max_epochs=20_000)
    assert np.linalg.norm(decaying.plane.a - best) < 0.001
    assert decaying.certificate.gap < constant.certificate.gap


def test_consistent_targets_are_met_exactly():
    """Where a plane meets all targets, a constant rate converges to it."""
    X, y = drawn
    t = X @ [2.0, -1.0] + 3
    fit = ll.lms(X, y, targets=t, max_epochs=2000)
    assert fit.plane.a == pytest.approx([2, -1, 3], abs=1e-6)
    assert fit.certificate.upper < 1e-9 and fit.certificate.lower == 0


@pytest.mark.parametrize("stochastic", [True, False])
def test_the_certificate_holds_at_every_budget(stochastic):
    """lower ≤ least value ≤ upper at any time; the dual is projected, so lower is right at once."""
    X, y = ll.data.drawn(overlap=True)
    best = ll.least_squares(X, y, targets="fisher").certificate
    for epochs in (0, 1, 10):
        c = ll.lms(X, y, targets="fisher", stochastic=stochastic, max_epochs=epochs).verify(X, y)
        assert c.lower <= best.upper and best.lower <= c.upper
        assert c.lower == pytest.approx(best.lower, rel=1e-6)


def test_a_fit_is_saved_with_its_proof(tmp_path):
    fit = ll.lms(*drawn, max_epochs=2)
    fit.save(tmp_path / "lms.npz")
    back = ll.Fit.load(tmp_path / "lms.npz")
    assert back.verify(*drawn).gap == pytest.approx(fit.certificate.gap)
    assert "48 updates" in repr(back)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (dict(rate=0), "`rate` must be a finite number > 0; got 0"),
        (dict(decay=-1), "`decay` must be a finite number ≥ 0; got -1"),
        (dict(max_epochs=1.5), "`max_epochs` must be an integer ≥ 0; got 1.5"),
        (dict(order="sorted"), '`order` must be "cyclic" or "random"; got \'sorted\''),
        (dict(start=np.zeros(3)), "`start` must be a Hyperplane; got ndarray"),
        (dict(start=ll.Hyperplane([1.0])), "`start` must have 2 weights, one per feature; got 1"),
        (dict(targets="ones"), '`targets` must be "labels", "fisher" or one number per sample'),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        ll.lms(*drawn, **options)
