"""Nearest neighbours are the nearest, ties included, and do not depend on how they are computed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import linlearn as ll

grid = st.integers(-3, 3)


def by_hand(X, y, k, q, metric):
    """Sort all samples by (distance, index); vote; the nearest decides a tie."""
    gap = np.abs(X - q)
    distance = (gap**2).sum(axis=1) if metric == "euclidean" else gap.sum(axis=1)
    order = sorted(range(len(y)), key=lambda i: (distance[i], i))[:k]
    votes = sum(y[i] for i in order)
    return order, np.sign(votes) if votes else y[order[0]]


@settings(deadline=None)
@given(
    X=hnp.arrays(float, (9, 2), elements=grid),
    y=hnp.arrays(float, 9, elements=st.sampled_from([-1, 1])).filter(lambda y: len(set(y)) == 2),
    Q=hnp.arrays(float, (5, 2), elements=grid),
    k=st.integers(1, 9),
    metric=st.sampled_from(["euclidean", "manhattan"]),
    far=st.sampled_from([0.0, 1e6]),
)
def test_ties_follow_the_rule(X, y, Q, k, metric, far):
    """Integer samples are full of ties: the first in X is nearer, the nearest breaks equal votes."""
    X, Q = X + far, Q + far
    model = ll.k_nearest_neighbors(X, y, k=k, metric=metric)
    expected = [by_hand(X, y, k, q, metric) for q in Q]
    assert model.neighbours(Q).tolist() == [order for order, _ in expected]
    assert model.predict(Q).tolist() == [label for _, label in expected]


@given(k=st.integers(1, 24))
def test_one_neighbour_remembers_and_all_neighbours_forget(k):
    """k = 1 repeats the labels of distinct samples; k = n says the majority everywhere."""
    X, y = ll.data.drawn()
    assert ll.k_nearest_neighbors(X, y).predict(X).tolist() == y.tolist()
    y = np.where(np.arange(24) < 10, 1.0, -1.0)
    assert (ll.k_nearest_neighbors(X, y, k=24).predict(X) == -1).all()
    labels = ll.k_nearest_neighbors(X, y, k=k).predict(X)
    assert set(labels) <= {-1.0, 1.0}


def test_two_neighbours_are_one():
    X, y = ll.data.gaussians(60, 3)
    Q = ll.data.gaussians(40, 3, seed=1)[0]
    assert (
        ll.k_nearest_neighbors(X, y, k=2).predict(Q).tolist()
        == ll.k_nearest_neighbors(X, y, k=1).predict(Q).tolist()
    )


def test_blocks_change_nothing(monkeypatch):
    """However the distances are cut into blocks, whatever is asked first: the same neighbours."""
    X, y = ll.data.gaussians(300, 3)
    Q = ll.data.gaussians(31, 3, seed=1)[0]
    whole = ll.k_nearest_neighbors(X, y, k=5).neighbours(Q)
    settings = ll.Neighbors.neighbours.__globals__
    for entries, samples, group, features in (
        (1, 1000, 32, 0),
        (1200, 1000, 1, 0),
        (10_000, 7, 32, 0),
        (10_000, 3, 32, 0),
        (500, 100, 4, 6),
        (10_000, 1000, 1000, 0),
    ):
        monkeypatch.setitem(settings, "ENTRIES", entries)
        monkeypatch.setitem(settings, "SAMPLES", samples)
        monkeypatch.setitem(settings, "GROUP", group)
        monkeypatch.setitem(settings, "TREE_UP_TO", features)
        assert np.array_equal(ll.k_nearest_neighbors(X, y, k=5).neighbours(Q), whole)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
@pytest.mark.parametrize("features", [0, 9])
def test_ties_between_thousands_follow_the_rule(monkeypatch, features, metric):
    """The first of equally near samples, whether a tree is asked or all distances are."""
    monkeypatch.setitem(ll.Neighbors.neighbours.__globals__, "TREE_UP_TO", features)
    rng = np.random.default_rng(0)
    X, y = rng.integers(-3, 4, (2000, 2)).astype(float), rng.choice([-1.0, 1.0], 2000)
    X[1000:] = rng.standard_normal((1000, 2))
    Q = np.vstack([X[:20], X[1000:1020], [[0.5, 0.5], [1e9, 0], [1e25, 1e25], [1e90, 0]]])
    found = ll.k_nearest_neighbors(X, y, k=7, metric=metric).neighbours(Q)
    for q, near in zip(Q, found, strict=True):
        assert near.tolist() == by_hand(X, y, 7, q, metric)[0]


def test_single_precision_does_not_decide():
    """Samples that differ by less than its rounding, far from their centre: the nearest are the nearest."""
    rng = np.random.default_rng(0)
    X, y = 1 + 1e-9 * rng.standard_normal((3000, 8)), rng.choice([-1.0, 1.0], 3000)
    X[0] = 1e4
    Q = 1 + 1e-9 * rng.standard_normal((5, 8))
    found = ll.k_nearest_neighbors(X, y, k=3).neighbours(Q)
    assert found.tolist() == [by_hand(X, y, 3, q, "euclidean")[0] for q in Q]


@settings(deadline=None)
@given(seed=st.integers(0, 10**6))
def test_it_moves_with_the_samples(seed):
    """Rotation, translation and scale keep Euclidean neighbours; labels flipped flip the answer."""
    rng = np.random.default_rng(seed)
    X, y = ll.data.gaussians(30, 3, seed=seed)
    Q = rng.standard_normal((9, 3))
    R, _ = np.linalg.qr(rng.standard_normal((3, 3)))
    found = ll.k_nearest_neighbors(X, y, k=3).predict(Q)
    assert (
        ll.k_nearest_neighbors(2 * X @ R + 7, y, k=3).predict(2 * Q @ R + 7).tolist()
        == found.tolist()
    )
    assert ll.k_nearest_neighbors(X, -y, k=3).predict(Q).tolist() == (-found).tolist()


@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_the_neighbours_are_scikit_learns(metric):
    theirs = pytest.importorskip("sklearn.neighbors").KNeighborsClassifier(
        7, metric=metric, algorithm="brute"
    )
    X, y = ll.data.breast_cancer()
    X = ll.data.standardise(X)
    theirs.fit(X[:400], y[:400])
    ours = ll.k_nearest_neighbors(X[:400], y[:400], k=7, metric=metric)
    assert np.array_equal(ours.neighbours(X[400:]), theirs.kneighbors(X[400:])[1])
    assert np.array_equal(ours.predict(X[400:]), theirs.predict(X[400:]))


def test_the_samples_are_kept_safe():
    """A later change of the caller's arrays does not change the classifier."""
    X, y = ll.data.drawn()
    model = ll.k_nearest_neighbors(X, y)
    before = model.predict(X).copy()
    X += 100
    assert np.array_equal(model.predict(X - 100), before)
    with pytest.raises(ValueError, match="read-only"):
        model.X[0] = 0
    assert repr(model) == "Neighbors(k=1, 24 samples, 2 features, euclidean)"


def test_many_samples_are_searched_by_a_threshold_and_none_is_lost():
    """With thousands of samples only those below a bound are sorted; the answer is that of the definition."""
    X, y = ll.data.gaussians(5000, 8)
    X = np.round(10 * X)  # ties
    Q = np.round(10 * ll.data.gaussians(40, 8, seed=1)[0])
    for k, metric in ((1, "euclidean"), (15, "euclidean"), (15, "manhattan")):
        expected = [by_hand(X, y, k, q, metric)[0] for q in Q]
        assert ll.k_nearest_neighbors(X, y, k=k, metric=metric).neighbours(Q).tolist() == expected


def test_errors():
    X, y = ll.data.drawn()
    with pytest.raises(ValueError, match="`k` must be at most the number of samples, 24; got 25"):
        ll.k_nearest_neighbors(X, y, k=25)
    with pytest.raises(ValueError, match="`k` must be an integer ≥ 1; got 0"):
        ll.k_nearest_neighbors(X, y, k=0)
    with pytest.raises(
        ValueError, match='`metric` must be "euclidean" or "manhattan"; got \'cosine\''
    ):
        ll.k_nearest_neighbors(X, y, metric="cosine")
    with pytest.raises(ValueError, match="`Q` must have 2 columns"):
        ll.k_nearest_neighbors(X, y).predict([[1.0]])
