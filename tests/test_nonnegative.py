"""The point of a hull nearest to 0: no row brings it nearer, whatever the rows, and few carry weight."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls

import linlearn as ll
from linlearn.plane import radius
from linlearn.solvers.min_norm_point import min_norm_point, nonnegative_least_squares


def lifted(Z):
    return np.column_stack([Z / (np.linalg.norm(Z, axis=1).max() or 1.0), np.ones(len(Z))])


def residual(S, u):
    return np.append(np.zeros(S.shape[1] - 1), 1.0) - S.T @ u


def rows(kind, seed, *, wide=False):
    """Rows with ties, copies, dependent columns, hardly different directions, zeros."""
    rng = np.random.default_rng(seed)
    k, p = rng.integers(1, 50), rng.integers(1, 8) + 45 * wide
    normal = rng.standard_normal((k, p))
    return {
        "whole": rng.integers(-2, 3, (k, p)).astype(float),
        "copies": np.repeat(normal, 3, axis=0),
        "a line": normal[:, :1] @ normal[:1],
        "a needle": np.eye(p)[0] + 1e-9 * normal,
        "units": normal * 10.0 ** rng.integers(-8, 8, p),
        "zeros": np.abs(normal) * rng.choice([0.0, 1.0, 1e-7], (k, p)),
    }[kind]


KINDS = pytest.mark.parametrize("kind", ["whole", "copies", "a line", "a needle", "units", "zeros"])


@KINDS
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), wide=st.booleans())
@example(seed=245, wide=False)  # zeros: the row that helps is not among the first p,
@example(seed=386, wide=False)  # and along it lies less of the residual than along many that do not
@example(seed=1256, wide=False)
def test_no_row_brings_the_point_nearer(kind, seed, wide):
    """Weights ≥ 0 on at most p rows; what is left over points along none, so nothing less can be left."""
    S = lifted(rows(kind, seed, wide=wide))
    u = nonnegative_least_squares(S)
    assert (u >= 0).all() and (u > 0).sum() <= S.shape[1]
    left = residual(S, u)
    assert (S @ left).max() <= 1e-13 and abs(u @ S @ left) <= 1e-13


@KINDS
@pytest.mark.parametrize("seed", [*range(10), 245, 386, 1256])
def test_few_rows_give_the_point_of_all(kind, seed):
    """The nearest point by rows that join is that of all rows at once."""
    Z = np.vstack([rows(kind, seed)] * 3)
    R = radius(Z)
    point, alpha = min_norm_point(Z)
    assert alpha.sum() == pytest.approx(1.0) and (alpha >= 0).all()
    u, _ = nnls(np.column_stack([Z / (R or 1.0), np.ones(len(Z))]).T, [0.0] * Z.shape[1] + [1.0])
    least = np.linalg.norm(u @ Z) / u.sum()
    assert np.linalg.norm(point) == pytest.approx(least, abs=1e-12 * R)
    assert np.allclose(point, alpha @ Z, rtol=0, atol=1e-15 * R)


def test_many_features_are_decided():
    """A hundred of them: a plane, or Gordan's vector on few samples."""
    assert ll.separate(*ll.data.separable(3000, 100, margin=0.05)).certificate.lower > 0
    X, _ = ll.data.gaussians(3000, 100, seed=1)
    y = np.where(np.random.default_rng(1).uniform(size=3000) < 0.5, -1.0, 1.0)
    found = ll.separate(X, y).certificate
    assert found.upper < 1e-12 and np.count_nonzero(found.dual) <= 102
