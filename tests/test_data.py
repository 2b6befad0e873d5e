"""Samples are what their docstrings say, and the same everywhere."""

import hashlib
import sys

import numpy as np
import pytest

import linlearn as ll
from linlearn import data


def test_the_drawn_set_is_separable_until_four_samples_are_added():
    X, y = data.drawn()
    more = data.drawn(overlap=True)
    assert X.shape == (24, 2) and (y > 0).sum() == 12
    assert np.array_equal(more[0][:24], X) and len(more[1]) == 28
    assert ll.separate(X, y).certificate.lower > 0.3
    assert sum(ll.certificates.gordan_exact(*more, dual=ll.separate(*more).certificate.dual)) == 1
    assert (4 * X == np.round(4 * X)).all()  # quarters: exact in floating point


def test_the_drawn_set_is_a_copy():
    data.drawn()[0][:] = 0
    assert data.drawn()[0].any()


def test_breast_cancer_counts():
    """Street, Wolberg and Mangasarian 1993: 357 benign, 212 malignant, 30 features."""
    X, y = data.breast_cancer()
    assert X.shape == (569, 30) and (y == 1).sum() == 212 and (y == -1).sum() == 357
    two, _ = data.breast_cancer(columns=["mean texture", "mean radius"])
    assert np.array_equal(two, X[:, [1, 0]])


def test_the_penguins_are_as_published():
    """Horst, Hill and Gorman 2020: 344 birds, 11 of them without a sex, 2 without measurements."""
    text = data.penguins().read_bytes().replace(b"\r\n", b"\n")
    head, *rows = [line.split(",") for line in text.decode().splitlines()]
    assert len(head) == 8 and {len(row) for row in rows} == {8} and len(rows) == 344
    species, sex = [row[0] for row in rows], [row[head.index("sex")] for row in rows]
    assert [species.count(kind) for kind in ("Adelie", "Chinstrap", "Gentoo")] == [152, 68, 124]
    assert [sex.count(word) for word in ("female", "male", "NA")] == [165, 168, 11]
    assert sum(row.count("NA") == 5 for row in rows) == 2
    digest = "f204db2c753b0937caac3cb35258562c14f073e4bbc76be24b4c51ce22767a93"
    assert hashlib.sha256(text).hexdigest() == digest  # not a letter was changed


def test_iris_means_are_fishers():
    """Fisher 1936, table II: mean sepal length 5.006 (setosa) and 5.936 (versicolor) cm."""
    X, y = data.iris()
    assert X[y < 0, 0].mean() == pytest.approx(5.006) and X[y > 0, 0].mean() == pytest.approx(5.936)
    assert data.iris("virginica", "versicolor", columns="petal width (cm)")[0].shape == (100, 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: data.breast_cancer(columns=["radius"]),
            r"`columns` must be among mean radius.* got \['radius'\]",
        ),
        (lambda: data.breast_cancer(columns=[]), "`columns` must be among mean radius.* got none"),
        (
            lambda: data.iris("rose"),
            r"`positive` must be one of setosa, versicolor, virginica; got 'rose'",
        ),
        (lambda: data.iris("setosa", "setosa"), r"must differ"),
        (
            lambda: data.standardise([[1.0, 2.0], [1.0, 3.0]]),
            r"`X` must have .*; column 0 is constant\. Drop it: `X = np\.delete\(X, \[0\], axis=1\)`",
        ),
        (lambda: data.standardise([[0.1]] * 7), r"column 0 is constant"),
        (lambda: data.standardise(np.full((1000, 1), 0.1)), r"column 0 is constant"),
        (lambda: data.standardise(np.full((10**6, 1), 0.1)), r"column 0 is constant"),
        (
            lambda: data.standardise(0.1 + 1e-17 * np.arange(1000.0)[:, None]),
            r"column 0 is constant",
        ),
        (
            lambda: data.standardise([[1.0, 2.0]], like=[[1.0], [3.0]]),
            r"`like` must have the same number of columns as `X` \(2\); got shape \(2, 1\)",
        ),
        (lambda: data.gaussians(1), r"`n` must be an integer ≥ 2; got 1"),
        (lambda: data.separable(5, margin=0), r"`margin` must be a finite number > 0"),
    ],
)
def test_bad_requests_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_without_scikit_learn_the_tables_say_how_to_get_them(monkeypatch):
    data._bundled.cache_clear()
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(ModuleNotFoundError, match="pip install scikit-learn"):
        data.iris()


def test_standardise():
    """Mean 0 and deviation 1, with the training rows' numbers for new ones; no digits lost at an offset."""
    X = np.random.default_rng(0).standard_normal((500, 3)) * [1, 1e-3, 1e3] + 1e6
    S = data.standardise(X)
    assert S.mean(axis=0) == pytest.approx([0, 0, 0], abs=1e-6) and S.std(axis=0) == pytest.approx(
        [1, 1, 1], rel=1e-9
    )
    assert data.standardise(X[:1], like=X) == pytest.approx(S[:1])


@pytest.mark.parametrize("d", [1, 2, 7])
@pytest.mark.parametrize("margin", [0.01, 2.0])
def test_separable_keeps_its_promise(d, margin):
    """Some plane has at least that geometric margin, and both labels occur, even for two samples."""
    for n in (2, 3, 50):
        X, y = data.separable(n, d, margin=margin, seed=n)
        assert set(y) == {-1.0, 1.0}
        closest = min(np.linalg.norm(u - v) for u in X[y > 0] for v in X[y < 0])
        assert closest >= 2 * margin * (1 - 1e-12)
        assert ll.separate(X, y).certificate.lower > 0


def test_gaussians_have_their_means():
    X, y = data.gaussians(20_001, 3, delta=3.0, seed=5)
    assert (y > 0).sum() == 10_001
    assert X[y > 0].mean(axis=0) == pytest.approx([1.5, 0, 0], abs=0.05)
    assert X[y < 0].mean(axis=0) == pytest.approx([-1.5, 0, 0], abs=0.05)


def test_seeds_decide():
    assert np.array_equal(data.gaussians(9, seed=3)[0], data.gaussians(9, seed=3)[0])
    assert not np.array_equal(data.gaussians(9, seed=3)[0], data.gaussians(9, seed=4)[0])
