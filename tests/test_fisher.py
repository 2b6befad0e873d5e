"""Fisher's direction is Fisher's of 1936; LDA puts the threshold where the Gaussian model does."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import linlearn as ll
from linlearn.certificates import enclose_fisher

drawn, overlap = ll.data.drawn(), ll.data.drawn(overlap=True)


def scatter(X, y):
    """S_W and δ by their definitions."""
    parts = [X[y > 0], X[y < 0]]
    S = sum((P - P.mean(axis=0)).T @ (P - P.mean(axis=0)) for P in parts)
    return S, parts[0].mean(axis=0) - parts[1].mean(axis=0)


def ratio(X, y, w):
    S, delta = scatter(X, y)
    return (w @ delta) ** 2 / (w @ S @ w)


def correlated(n=300, d=6, seed=0):
    X, y = ll.data.gaussians(n, d, delta=1.5, seed=seed)
    mix = np.random.default_rng(seed).standard_normal((d, d))
    return X @ mix + 3, y


NASTY = {
    "drawn": drawn,
    "overlap": overlap,
    "correlated": correlated(),
    "unscaled": (drawn[0] * [1e-6, 1e6], drawn[1]),
    "duplicates": (np.repeat(drawn[0], 5, axis=0), np.repeat(drawn[1], 5)),
    "far from the origin": (drawn[0] + 1e6, drawn[1]),
    "classes far apart": (drawn[0] + 1e6 * drawn[1][:, None], drawn[1]),
    "99:1": (
        ll.data.gaussians(200, 3, seed=4)[0],
        np.where(np.arange(200) < 2, 1.0, -1.0),
    ),
    "one sample against many": (drawn[0], np.where(np.arange(24) == 3, 1.0, -1.0)),
    "as few as possible": (
        np.array([[0.0, 0.0], [1, 0], [0, 1], [5, 5]]),
        np.array([-1, -1, -1, 1]),
    ),
    "large": ll.data.gaussians(20_000, 10),
    "nearly collinear": (
        np.column_stack([drawn[0], drawn[0].sum(axis=1) + 1e-7 * np.sin(np.arange(24))]),
        drawn[1],
    ),
    "breast cancer": ll.data.breast_cancer(),
}


def test_the_iris_discriminant_of_1936():
    """Fisher's means, scatter, coefficients and compound, to the digits he prints."""
    X, y = ll.data.iris(positive="versicolor", negative="setosa")
    S, delta = scatter(X, y)
    assert delta == pytest.approx([0.930, -0.658, 2.798, 1.080], abs=1e-12)
    assert np.diag(S) == pytest.approx([19.1434, 11.8658, 12.2978, 2.4604], abs=5e-5)
    w = ll.fisher(X, y).plane.w
    assert w == pytest.approx([-0.0311511, -0.1839075, 0.2221044, 0.3147370], abs=7e-7)
    # He scales sepal length to one and carries seven digits through; the last one he prints wavers.
    assert w / w[0] == pytest.approx([1, 5.9037, -7.1299, -10.1036], abs=1.1e-4)
    assert X[y < 0].mean(axis=0) @ w / w[0] == pytest.approx(12.3345, abs=1e-3)
    assert X[y > 0].mean(axis=0) @ w / w[0] == pytest.approx(-21.4815, abs=1e-3)
    assert (w @ delta) == pytest.approx(1.05341, abs=7e-6)  # = D = S in his table VI
    assert ll.fisher(X, y).certificate.upper == pytest.approx(1.05341, abs=7e-6)


@pytest.mark.parametrize("name", NASTY)
def test_the_gap_closes_on_nasty_samples(name):
    """Strong duality at S_W⁻¹δ, relative gap at most 1e-8, computed again from the samples.

    Rounding in X_Wᵀβ, times the condition 1e8 of the nearly collinear features, is what 1e-5 is.
    """
    X, y = NASTY[name]
    for fit in (ll.fisher(X, y), ll.lda(X, y, priors="equal")):
        c = fit.verify(X, y)
        assert 0 < c.lower <= c.upper < np.inf
        assert c.gap <= (1e-5 if name == "nearly collinear" else 1e-8) * c.upper


@cache
def fitted(name):
    """The fit that the examples of a property are compared with, made once."""
    return ll.fisher(*NASTY[name]).certificate


@pytest.mark.parametrize(
    "name", ["drawn", "overlap", "correlated", "unscaled", "far from the origin"]
)
@settings(deadline=None)
@given(data=st.data())
def test_weak_duality_for_arbitrary_witnesses(name, data):
    """lower ≤ max ratio ≤ upper for any w and any β, however silly."""
    X, y = NASTY[name]
    numbers = st.floats(-1e6, 1e6)
    w = data.draw(hnp.arrays(float, X.shape[1], elements=numbers))
    beta = data.draw(hnp.arrays(float, len(y), elements=numbers))
    c = enclose_fisher(X, y, primal=w, dual=beta)
    best = fitted(name)
    assert 0 <= c.lower <= best.upper
    assert best.lower <= c.upper


def test_a_bad_dual_is_projected_and_a_bad_direction_is_not_repaired():
    """β + anything orthogonal is longer and still feasible; -w proves nothing."""
    X, y = drawn
    best = ll.fisher(X, y).certificate
    c = enclose_fisher(X, y, primal=-best.primal, dual=np.ones(24))
    assert c.lower == 0 and c.upper >= best.upper - 1e-9
    back = enclose_fisher(X, y, primal=best.primal, dual=np.zeros(24))
    assert back.upper == pytest.approx(best.upper, rel=1e-9)
    assert back.dual == pytest.approx(best.dual, abs=1e-9)


@given(scale=st.floats(1e-60, 1e60))
def test_the_ratio_has_no_scale(scale):
    X, y = drawn
    best = ll.fisher(X, y).certificate
    c = enclose_fisher(X, y, primal=best.primal * scale, dual=best.dual)
    assert c.lower == pytest.approx(best.lower, rel=1e-12)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10**6))
def test_it_moves_with_the_samples(seed):
    """Flip labels: w and b change sign. Map x ↦ Ax + c: the classifier moves along. Copies change nothing."""
    rng = np.random.default_rng(seed)
    X, y = correlated(60, 3, seed)
    A, c = rng.standard_normal((3, 3)) + 3 * np.eye(3), rng.standard_normal(3)
    for method in (ll.fisher, ll.lda):
        fit = method(X, y)
        flipped = method(X, -y).plane
        assert flipped.a == pytest.approx(-fit.plane.a, rel=1e-6, abs=1e-9)
        moved = method(X @ A.T + c, y)
        assert moved.plane.score(X @ A.T + c) == pytest.approx(
            fit.plane.score(X), rel=1e-6, abs=1e-7
        )
        assert moved.certificate.upper == pytest.approx(fit.certificate.upper, rel=1e-7)
    twice = ll.lda(np.vstack([X, X]), np.append(y, y)).plane
    assert twice.a == pytest.approx(ll.lda(X, y).plane.a, rel=1e-8, abs=1e-10)


@pytest.mark.parametrize("priors", ["empirical", None, "equal", (0.2, 0.8), (3, 1)])
def test_lda_is_the_gaussian_log_odds(priors):
    """score(x) = ln π₊N(x; μ₊, Σ̂) - ln π₋N(x; μ₋, Σ̂), from the densities themselves."""
    X, y = correlated(90, 3, 5)
    y[:20] = 1.0
    S, _ = scatter(X, y)
    inverse = np.linalg.inv(S / len(y))
    log = {}
    for label in (1.0, -1.0):
        Z = X - X[y == label].mean(axis=0)
        log[label] = -0.5 * np.einsum("ij,jk,ik->i", Z, inverse, Z)
    odds = {"equal": 1.0, (0.2, 0.8): 0.25, (3, 1): 3.0}.get(priors, np.sum(y > 0) / np.sum(y < 0))
    expected = log[1.0] - log[-1.0] + np.log(odds)
    assert ll.lda(X, y, priors=priors).plane.score(X) == pytest.approx(expected, rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("solver", ["lsqr", "eigen"])
def test_lda_is_scikit_learns(solver):
    """The same plane to nine digits: its divisor of Σ̂ is n too."""
    discriminant = pytest.importorskip("sklearn.discriminant_analysis")
    X, y = NASTY["breast cancer"]
    X = ll.data.standardise(X)
    theirs = discriminant.LinearDiscriminantAnalysis(solver=solver).fit(X, y)
    ours = ll.lda(X, y).plane
    assert ours.w == pytest.approx(theirs.coef_.ravel(), rel=1e-9, abs=1e-9)
    assert ours.b == pytest.approx(theirs.intercept_[0], rel=1e-9)


def test_fishers_threshold_is_half_way_and_lda_shifts_it():
    X, y = drawn[0], np.where(np.arange(24) < 6, 1.0, -1.0)
    middle = (X[y > 0].mean(axis=0) + X[y < 0].mean(axis=0)) / 2
    assert ll.fisher(X, y).plane.score(middle[None])[0] == pytest.approx(0, abs=1e-12)
    assert ll.lda(X, y).plane.score(middle[None])[0] == pytest.approx(np.log(6 / 18))
    assert ll.lda(X, y).plane.w == pytest.approx(24 * ll.fisher(X, y).plane.w)


def test_four_thresholds():
    """From the middle, in units of Σ̂⁻¹δ: 0; -ln r; -sinh(ln r); +((n₊ - n₋)/2n)Δ² (proved in the chapter)."""
    rng = np.random.default_rng(0)
    y = np.repeat([1.0, -1.0], [30, 10])
    X = rng.standard_normal((40, 3)) * [1, 2, 0.5] + (y > 0)[:, None] * [1.0, 1.0, 0.0]
    g = ll.lda(X, y, priors="equal").plane
    middle = -g.b
    squared = 40 * ll.fisher(X, y).certificate.upper  # Δ² = nD²

    def threshold(plane):
        return -plane.b * (g.w @ g.w) / (plane.w @ g.w) - middle

    assert threshold(ll.lda(X, y).plane) == pytest.approx(-np.log(3), rel=1e-9)
    assert threshold(ll.least_squares(X, y).plane) == pytest.approx(-np.sinh(np.log(3)), rel=1e-9)
    balanced = ll.least_squares(X, y, targets="fisher").plane
    assert threshold(balanced) == pytest.approx(20 / 80 * squared, rel=1e-9)


levels = np.arange(24) % 3
SPARE = {
    "copies": drawn[0][:, [0, 1, 0]],
    "constant": np.column_stack([drawn[0], np.full(24, 0.1)]),
    "a combination": np.column_stack(
        [np.round(drawn[0], 3), np.round(drawn[0], 3) @ [1.0, 2.0] + 1e3]
    ),
    "one-hot": np.column_stack([drawn[0], np.eye(3)[levels]]),
}


@pytest.mark.parametrize("name", SPARE)
def test_spare_columns_change_neither_the_ratio_nor_a_score(name):
    """S_W has no inverse; the largest ratio is that of the columns which span all, and w gives the scores."""
    X, y = SPARE[name], drawn[1]
    kept = X[:, [0, 1, 2, 3] if name == "one-hot" else [0, 1]]
    for method in (ll.fisher, ll.lda):
        fit, other = method(X, y), method(kept, y)
        assert fit.converged and fit.verify(X, y).gap <= 1e-8 * fit.certificate.upper
        assert fit.certificate.upper == pytest.approx(other.certificate.upper, rel=1e-7)
        assert fit.plane.score(X) == pytest.approx(other.plane.score(kept), rel=1e-6, abs=1e-7)
    assert ll.fisher(SPARE["constant"], y).plane.w[2] == 0
    w = ll.fisher(SPARE["copies"], y).plane.w
    assert w[0] == pytest.approx(w[2])


LEAKS = {
    "the label": (np.column_stack([drawn[0], drawn[1]]), "column 2 is"),
    "0.2 and 0.4": (np.column_stack([drawn[0], 0.3 + 0.1 * drawn[1]]), "column 2 is"),
    "0 and 1": (np.column_stack([drawn[1] > 0, drawn[0]]).astype(float), "column 0 is"),
    "a sum": (
        np.column_stack([levels, drawn[0], drawn[1] - levels]),
        "a combination of columns 0 and 3 is .*If the label has leaked, drop one of columns 0 and 3",
    ),
    "few samples": (np.random.default_rng(0).normal(size=(24, 60)), "are fewer than d [+] 2 = 62"),
}


@pytest.mark.parametrize("name", LEAKS)
def test_a_leaked_label_makes_the_ratio_infinite(name):
    """A direction without spread that tells the classes apart; any witnesses prove as much and no less."""
    X, y = LEAKS[name][0], drawn[1]
    fit = ll.fisher(X, y)
    assert (fit.certificate.lower, fit.certificate.upper) == (np.inf, np.inf)
    assert fit.plane.score(X) == pytest.approx(y, abs=1e-9) and fit.verify(X, y).upper == np.inf
    for w in (np.eye(X.shape[1])[0], np.ones(X.shape[1]), 0 * X[0]):
        for dual in (None, y, 0 * y):
            assert enclose_fisher(X, y, primal=w, dual=dual).upper == np.inf
    with pytest.raises(ValueError, match=rf"`lda` needs features that vary.*{LEAKS[name][1]}"):
        ll.lda(X, y)


def test_equal_means_and_bad_priors_are_named():
    with pytest.raises(ValueError, match="`lda` needs class means that differ"):
        ll.lda(*ll.data.xor())
    with pytest.raises(ValueError, match=r"`priors` must be .*got 'flat'"):
        ll.lda(*drawn, priors="flat")
    with pytest.raises(ValueError, match=r"`priors\[0\]` must be a finite number > 0; got 0"):
        ll.lda(*drawn, priors=(0, 1))


def test_a_fit_is_saved_with_its_proof(tmp_path):
    fit = ll.lda(*drawn)
    fit.save(tmp_path / "lda.npz")
    back = ll.Fit.load(tmp_path / "lda.npz")
    assert back.verify(*drawn).gap <= 1e-9 and repr(back) == repr(fit)
    with pytest.raises(ValueError, match="the certificate claims"):
        back.verify(overlap[0][-24:], overlap[1][-24:])


@pytest.mark.parametrize("method", [ll.fisher, ll.lda])
def test_a_plane_beyond_the_floats_that_are_let_in_is_told_of_the_samples(method):
    """Classes 1e75 apart with a spread of 1e-13 in one direction: the offset would be 1e146."""
    X = [[0, 7e75], [-6e70, -500], [2e-68, 0.06], [-9e74, 1e-6], [-3e-13, -7e-9]]
    with pytest.raises(ValueError, match="`X` must vary more within the classes"):
        method(X, [1, -1, -1, -1, -1])
