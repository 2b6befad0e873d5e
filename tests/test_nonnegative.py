"""`nonnegative` reaches what SciPy's solver reaches, from any start, in few and cheap steps."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls

import linlearn as ll
from linlearn.engines import nonnegative as engine
from linlearn.engines.nonnegative import nonnegative


def lifted(Z):
    return np.column_stack([Z / (np.linalg.norm(Z, axis=1).max() or 1.0), np.ones(len(Z))])


def residual(S, u):
    return np.append(np.zeros(S.shape[1] - 1), 1.0) - S.T @ u


def rows(kind, seed):
    """Rows with ties, copies, dependent columns, hardly different directions, zeros."""
    rng = np.random.default_rng(seed)
    k, p = rng.integers(1, 50), rng.integers(1, 8)
    normal = rng.standard_normal((k, p))
    return {
        "whole": rng.integers(-2, 3, (k, p)).astype(float),
        "copies": np.repeat(normal, 3, axis=0),
        "a line": normal[:, :1] @ normal[:1],
        "a needle": np.eye(p)[0] + 1e-9 * normal,
        "units": normal * 10.0 ** rng.integers(-8, 8, p),
        "zeros": np.abs(normal) * rng.choice([0.0, 1.0, 1e-7], (k, p)),
    }[kind]


@pytest.mark.parametrize("kind", ["whole", "copies", "a line", "a needle", "units", "zeros"])
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
@example(seed=245)  # zeros: the row that helps is not among the first p,
@example(seed=386)  # and along it lies less of the residual than along many that do not
@example(seed=1256)
def test_the_updated_factors_reach_scipys_minimum(kind, seed):
    """From nothing and from the solution for half of the rows: the same distance, at most p rows used."""
    S = lifted(rows(kind, seed))
    _, least = nnls(S.T, residual(S, np.zeros(len(S))), maxiter=10**6)
    half = np.arange(len(S)) % 2 == 0
    start = np.zeros(len(S))
    with pytest.MonkeyPatch.context() as patch, np.errstate(all="raise", under="ignore"):
        patch.setattr(engine, "SHORT", 0)
        start[half] = nonnegative(S[half])
        for u in (nonnegative(S), nonnegative(S, start)):
            assert (u >= 0).all() and (u > 0).sum() <= S.shape[1]
            assert np.linalg.norm(residual(S, u)) == pytest.approx(least, abs=1e-13)


@pytest.fixture
def steps(monkeypatch):
    """The rows that were taken in; SciPy's solver is not to be called."""
    taken, with_row = [], engine._Support.with_row
    monkeypatch.setattr(engine.optimize, "nnls", None, raising=False)
    monkeypatch.setattr(
        engine._Support,
        "with_row",
        lambda self, i, row: taken.append(i) or with_row(self, i, row),
    )
    return taken


def test_many_features_take_few_steps(steps):
    """A hundred features: ten steps for each at most, two where 0 lies in the hull."""
    assert ll.separate(*ll.data.separable(3000, 100, margin=0.05)).certificate.lower > 0
    assert 100 < len(steps) < 1000
    steps.clear()
    X, _ = ll.data.gaussians(3000, 100, seed=1)
    y = np.where(np.random.default_rng(1).uniform(size=3000) < 0.5, -1.0, 1.0)
    assert ll.separate(X, y).certificate.upper < 1e-12
    assert 100 < len(steps) < 200


def test_a_start_saves_steps(steps):
    """With the solution as start nothing is left to do; with that of most rows, little."""
    S = lifted(ll.signed(*ll.data.separable(600, 60, margin=0.05)))
    u = nonnegative(S)
    fresh = len(steps)
    steps.clear()
    assert nonnegative(S, u) == pytest.approx(u, abs=1e-12) and not steps
    most = np.append(nonnegative(S[:590]), np.zeros(10))
    steps.clear()
    assert nonnegative(S, most) == pytest.approx(u, abs=1e-12) and len(steps) < fresh / 4


def test_rows_that_do_not_help_are_left_alone(steps):
    """Copies of the used rows and rows beyond them: one step for each used row."""
    S = lifted(np.vstack([np.eye(60), np.eye(60), 3 * np.eye(60)]))
    u = nonnegative(S)
    assert len(steps) == 60 and u[120:].max() == 0
