"""What others fitted: the objective is the model's own, its optimum known; all else is refused."""

import re
import subprocess
import sys
import tracemalloc
import warnings
from fractions import Fraction
from inspect import signature

import numpy as np
import oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn import config_context
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.covariance import LedoitWolf
from sklearn.decomposition import NMF, PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.experimental import (  # noqa: F401
    enable_halving_search_cv,
    enable_iterative_imputer,
)
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.feature_selection import RFE
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import (
    LinearRegression,
    LogisticRegression,
    LogisticRegressionCV,
    Perceptron,
    Ridge,
    RidgeClassifier,
    RidgeClassifierCV,
    SGDClassifier,
)
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    HalvingGridSearchCV,
    RandomizedSearchCV,
    TunedThresholdClassifierCV,
)
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    OneHotEncoder,
    StandardScaler,
    TargetEncoder,
)
from sklearn.semi_supervised import SelfTrainingClassifier
from sklearn.svm import SVC, LinearSVC
from sklearn.utils import all_estimators

import linlearn as ll
from linlearn import certificates, estimators
from linlearn.certified.models import IGNORED, USED
from linlearn.certified.unwrap import WRAPPERS, _made_otherwise

X, Y = ll.data.drawn()
OVERLAP = ll.data.drawn(overlap=True)
CANCER = ll.data.standardise(ll.data.breast_cancer()[0]), ll.data.breast_cancer()[1]
SETS = {"drawn": (X, Y), "overlap": OVERLAP, "cancer": CANCER}


def fitted(model, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some are stopped early on purpose
        return model.fit(X, y)


def hinge(model, X, y, a, penalised):
    """½‖w‖² (and the offset's share, where it is penalised) + C Σ(1 - m)₊, in fractions."""
    m = [
        y_ * (sum(u * v for u, v in zip(a, [*x, 1], strict=True)))
        for x, y_ in zip(X, y, strict=True)
    ]
    loss = sum(max(Fraction(0), 1 - v) for v in m)
    weights = [*a[:-1], *([a[-1] / Fraction(model.intercept_scaling)] if penalised else [])]
    return sum(v * v for v in weights) / 2 + Fraction(model.C) * loss


def fractions(values):
    return [Fraction(float(v)) for v in values]


# -- what is enclosed is the model's own objective ----------------------------------------------------


@pytest.mark.parametrize(
    "model",
    [
        SVC(kernel="linear", C=0.5),
        SVC(kernel="linear", C=100.0),
        LinearSVC(loss="hinge", max_iter=3),
        LinearSVC(loss="hinge", intercept_scaling=10.0),
        LinearSVC(loss="hinge", intercept_scaling=0.3, C=2.0),
        LinearSVC(loss="hinge", fit_intercept=False),
    ],
    ids=str,
)
def test_the_value_of_a_hinge_is_that_of_fractions(model):
    """scikit-learn's formula, computed without rounding, lies between the two ends, which nearly meet."""
    X, y = OVERLAP
    found = ll.certify(fitted(model, X, y), X, y)
    a = fractions([*model.coef_[0], *(np.atleast_1d(model.intercept_))])
    penalised = isinstance(model, LinearSVC) and model.fit_intercept
    exact = hinge(model, [fractions(x) for x in X], fractions(y), a, penalised)
    assert found.value[0] <= exact <= found.value[1]
    assert found.value[1] - found.value[0] < 1e-12 * found.value[1]


def test_an_offset_that_is_penalised_has_another_optimum():
    """Samples 1 and 0 with a high weight: w + b ≥ 1, -b ≥ 1 give w = 2, b = -1, and b/s costs ½(1/s)²."""
    two, labels = [[1.0], [0.0]], [1, -1]
    free = ll.certify(SVC(kernel="linear", C=50.0).fit(two, labels), two, labels)
    assert free.optimum == pytest.approx((2, 2))
    for s in (1.0, 0.7, 4.0):
        model = LinearSVC(loss="hinge", C=50.0, intercept_scaling=s, max_iter=100_000, tol=1e-12)
        found = ll.certify(fitted(model, two, labels), two, labels)
        assert found.optimum == pytest.approx((2 + 0.5 / s**2,) * 2, rel=1e-9)
        assert any("penalises the intercept" in remark for remark in found.remarks)
    assert not any("penalises" in remark for remark in free.remarks)


@pytest.mark.parametrize("name", SETS)
def test_a_penalised_offset_is_a_weight_of_a_constant_feature(name):
    """LinearSVC on X is LinearSVC without offset on (X, s); liblinear's logistic regression likewise."""
    X, y = SETS[name]
    for make in (
        lambda **k: LinearSVC(loss="hinge", intercept_scaling=3.0, **k),
        lambda **k: LogisticRegression(solver="liblinear", intercept_scaling=3.0, **k),
    ):
        one = ll.certify(fitted(make(), X, y), X, y)
        wide = np.column_stack([X, np.full(len(y), 3.0)])
        other = ll.certify(fitted(make(fit_intercept=False), wide, y), wide, y)
        assert one.optimum == pytest.approx(other.optimum, rel=1e-9)


def test_the_logistic_optimum_of_three_samples():
    """+ at 0 and 2, - at 1: the best plane is flat, and the loss that of one in three."""
    three, labels = [[0.0], [1.0], [2.0]], ["+", "-", "+"]
    found = ll.certify(LogisticRegression(C=np.inf).fit(three, labels), three, labels)
    best = np.log(3) - 2 / 3 * np.log(2)
    assert found.optimum == pytest.approx((best, best), abs=1e-9)
    assert found.value[0] <= found.value[1] < best + 1e-8
    assert "λ" not in found.objective


def test_ridge_and_least_squares_by_normal_equations_in_fractions():
    """The optimum lies between the ends, with 0 and 1 for labels as with -1 and +1."""
    rng = np.random.default_rng(0)
    X = rng.integers(-4, 5, (12, 2)).astype(float)
    for labels in ((-1.0, 1.0), (0.0, 1.0), (3.0, 7.0)):
        y = np.where(rng.random(12) < 0.5, *labels)
        for model, alpha in ((Ridge(alpha=2.0), 2), (LinearRegression(), 0)):
            best = least(X, y, alpha) / (12 if alpha else 1)
            found = ll.certify(model.fit(X, y), X, y)
            assert found.optimum[0] <= best <= found.optimum[1]
            assert found.optimum[1] - found.optimum[0] < 1e-11
            assert found.excess[1] < 1e-11
            assert (found.plane.predict(X) > 0).tolist() == (
                model.predict(X) > sum(labels) / 2
            ).tolist()
        without = LinearRegression(fit_intercept=False).fit(X, y)
        found = ll.certify(without, X, y)
        best = least(X, y, 0, fit_intercept=False)
        assert found.optimum[0] <= best <= found.optimum[1] < float(best) + 1e-11


def least(X, t, alpha, *, fit_intercept=True):
    """min ½‖X̃a - t‖² + (α/2)‖w‖², by elimination in fractions."""
    rows = [[*fractions(x), *([Fraction(1)] if fit_intercept else [])] for x in X]
    p = len(rows[0])
    G = [
        [sum(r[i] * r[j] for r in rows) + (alpha if i == j < X.shape[1] else 0) for j in range(p)]
        for i in range(p)
    ]
    g = [sum(r[i] * v for r, v in zip(rows, fractions(t), strict=True)) for i in range(p)]
    for k in range(p):
        for i in range(k + 1, p):
            ratio = G[i][k] / G[k][k]
            G[i] = [u - ratio * v for u, v in zip(G[i], G[k], strict=True)]
            g[i] -= ratio * g[k]
    a = [Fraction(0)] * p
    for k in reversed(range(p)):
        a[k] = (g[k] - sum(G[k][j] * a[j] for j in range(k + 1, p))) / G[k][k]
    loss = sum(
        (sum(u * v for u, v in zip(a, r, strict=True)) - v) ** 2
        for r, v in zip(rows, fractions(t), strict=True)
    )
    return loss / 2 + alpha * sum(v * v for v in a[: X.shape[1]]) / 2


@pytest.mark.parametrize("scaled", [False, True])
def test_a_leaked_label_leaves_fishers_ratio_without_a_maximum(scaled):
    """Upper end +∞, and the column is named."""
    X, y = ll.data.drawn()
    X = np.column_stack([X, 3.0 * (y > 0) + 1])
    X = (X - X.mean(axis=0)) / X.std(axis=0) if scaled else X
    found = ll.certify(LinearDiscriminantAnalysis().fit(X, y), X, y)
    assert found.optimum == (np.inf, np.inf) and found.excess == (np.inf, np.inf)
    assert found.value[0] >= 0 and "column 2 is constant within each class" in str(found)


def test_fishers_ratio_is_what_lda_maximises():
    """Of a direction that is not the best the ends say by how much, and a longer w changes nothing."""
    X, y = OVERLAP
    model = LinearDiscriminantAnalysis().fit(X, y)
    good = ll.certify(model, X, y)
    assert good.excess[1] < 1e-12
    model.coef_ = 1e3 * np.array([[1.0, 0.0]])
    bad = ll.certify(model, X, y)
    x = X[:, 0]
    spread = sum(((x[y == c] - x[y == c].mean()) ** 2).sum() for c in (-1, 1))
    ratio = (x[y > 0].mean() - x[y < 0].mean()) ** 2 / spread
    assert bad.optimum == pytest.approx(good.optimum, rel=1e-9)
    assert bad.value == pytest.approx((ratio, ratio), rel=1e-12)
    assert bad.excess == pytest.approx((good.optimum[0] - ratio,) * 2, rel=1e-9)
    assert bad.value[1] - bad.value[0] < 1e-12


# -- the ends are true and tell -----------------------------------------------------------------------

MODELS = {
    "logistic": LogisticRegression(),
    "logistic stopped": LogisticRegression(max_iter=1),
    "logistic free": LogisticRegression(C=np.inf),
    "liblinear": LogisticRegression(solver="liblinear"),
    "no offset": LogisticRegression(fit_intercept=False),
    "svc": SVC(kernel="linear"),
    "svc loose": SVC(kernel="linear", tol=1.0),
    "linear svc": LinearSVC(loss="hinge", random_state=0),
    "sgd hinge": SGDClassifier(alpha=0.01, random_state=0),
    "sgd logistic": SGDClassifier(loss="log_loss", alpha=0.01, random_state=0),
    "sgd free": SGDClassifier(penalty=None, random_state=0),
    "lda": LinearDiscriminantAnalysis(),
    "lda lsqr": LinearDiscriminantAnalysis(solver="lsqr"),
    "ridge classifier": RidgeClassifier(),
    "ridge": Ridge(alpha=5.0, fit_intercept=False),
    "least squares": LinearRegression(),
}


@pytest.mark.parametrize("data", SETS)
@pytest.mark.parametrize("name", MODELS)
def test_every_model_is_certified_and_closed(name, data):
    """The optimum is known to eight digits, the value is not below it, and the excess is their difference."""
    X, y = SETS[data]
    found = ll.certify(fitted(MODELS[name], X, y), X, y)
    assert found.certificate.relative_gap < 1e-8
    assert found.excess[0] <= found.excess[1] < np.inf
    near, far = (
        (found.optimum, found.value) if name.startswith("lda") else (found.value, found.optimum)
    )
    assert found.excess[1] >= near[1] - far[0] and found.excess[0] <= max(0, near[0] - far[1])
    assert found.relative_excess[1] >= found.relative_excess[0] >= 0
    assert np.array_equal(found.plane.predict(X) > 0, MODELS[name].predict(X) > 0)
    assert "\n" not in repr(found) and str(found).startswith(type(MODELS[name]).__name__)


def test_what_stopped_early_is_told_from_what_has_arrived():
    X, y = CANCER
    arrived = ll.certify(fitted(LogisticRegression(tol=1e-10, max_iter=9999), X, y), X, y)
    stopped = ll.certify(fitted(LogisticRegression(max_iter=2), X, y), X, y)
    assert arrived.excess[1] < 1e-12 < 1e-3 < stopped.excess[0]
    assert stopped.optimum == pytest.approx(arrived.optimum, rel=1e-9)


WIDE = {
    "ridge": RidgeClassifier(),
    "ridge without offset": Ridge(fit_intercept=False),
    "logistic": LogisticRegression(),
    "logistic far": LogisticRegression(C=100.0, tol=0.1),
    "logistic free": LogisticRegression(C=np.inf),
    "liblinear": LogisticRegression(solver="liblinear"),
    "linear svc": LinearSVC(loss="hinge", random_state=0),
    "svc": SVC(kernel="linear"),
    "sgd hinge": SGDClassifier(random_state=0),
    "sgd logistic": SGDClassifier(loss="log_loss", random_state=0),
    "sgd free": SGDClassifier(penalty=None, random_state=0),
    "least squares": LinearRegression(),
    "lda": LinearDiscriminantAnalysis(),
}


@pytest.mark.parametrize("name", WIDE)
def test_a_wide_table_makes_no_matrix_of_features(name):
    """30 samples of 3000 features: what is allocated is a fraction of d × d, and the optimum is known."""
    rng = np.random.default_rng(0)
    n, d = 30, 3000
    X = rng.normal(size=(n, d))
    y = np.where(X[:, :5].sum(axis=1) + rng.normal(size=n) > 0, 1, -1)
    model = fitted(WIDE[name], X, y)
    tracemalloc.start()
    found = ll.certify(model, X, y)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 8 * d * d / 2
    assert name == "lda" or found.certificate.relative_gap < 1e-8  # no spread in some direction: +∞


@given(st.integers(0, 10**6))
def test_any_plane_and_any_multipliers_leave_the_ends_true(seed):
    """A fitted model whose attributes are noise: the optimum's ends stay true, and the excess follows."""
    rng = np.random.default_rng(seed)
    X, y = OVERLAP
    model = SVC(kernel="linear").fit(X, y)
    best = ll.certify(model, X, y)
    noise = SVC(kernel="linear").fit(X, y)
    a = rng.normal(size=3) * 10.0 ** rng.integers(-3, 4)
    noise._dual_coef_ = noise.dual_coef_ = rng.normal(size=noise.dual_coef_.shape) * 3
    noise.support_vectors_ = (
        np.linalg.pinv(noise.dual_coef_) @ a[None, :2]
    )  # so that `coef_` is what it is to be
    noise._intercept_ = noise.intercept_ = a[2:]
    found = ll.certify(noise, X, y)
    assert found.optimum[0] <= best.optimum[1] and best.optimum[0] <= found.optimum[1]
    exact = hinge(
        noise, [fractions(x) for x in X], fractions(y), fractions([*noise.coef_[0], a[2]]), False
    )
    assert found.value[0] <= exact <= found.value[1]
    assert found.excess[0] <= exact - Fraction(best.optimum[0])
    assert exact - Fraction(best.optimum[1]) <= found.excess[1]


@given(st.integers(0, 10**6))
def test_ridge_is_enclosed_by_any_witnesses(seed):
    rng = np.random.default_rng(seed)
    n, d = rng.integers(2, 9), rng.integers(1, 6)
    X = rng.normal(size=(n, d)) + 10.0 ** rng.integers(-2, 5)
    y = np.append([1.0, -1.0], rng.choice([-1.0, 1.0], n - 2))
    alpha = Fraction(float(10.0 ** rng.integers(-6, 7)))
    lam = float(alpha) / n
    best = least(X, y, Fraction(lam) * int(n)) / int(n)
    for primal, dual in ((rng.normal(size=d + 1), rng.normal(size=n)), (np.zeros(d + 1), y)):
        found = certificates.enclose_ridge(X, y, primal=primal, dual=dual, lam=lam)
        assert found.lower <= best <= found.upper


@pytest.mark.parametrize("n", [40, 400])
def test_ridge_closes_beside_a_time_stamp(n):
    """In milliseconds since 1970 it is 1e12 times as large as others: the exact optimum is enclosed."""
    rng = np.random.default_rng(n)
    time = np.floor(1.7e12 + rng.random(n) * 3e10)
    X = np.column_stack([rng.normal(size=n), time])
    y = np.where(X[:, 0] + (time - 1.715e12) / 3e10 + rng.normal(size=n) > 0, 1, -1)
    found = ll.certify(fitted(RidgeClassifier(), X, y), X, y)
    best = least(X, y, Fraction(1 / n) * n) / n
    assert found.optimum[0] <= best <= found.optimum[1] < float(best) * (1 + 1e-8)
    assert found.optimum[0] > float(best) * (1 - 1e-8)


def test_a_loose_bound_is_told_from_a_bad_model():
    """Without an intercept no centre can be taken away: the remark says that, and names the column."""
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    time = np.floor(1.7e12 + rng.random(300) * 3e10)
    table = pandas.DataFrame({"height": rng.normal(size=300), "time": time})
    y = np.where(table["height"] + rng.normal(size=300) > 0, 1, -1)
    found = ll.certify(fitted(Ridge(alpha=0.001, fit_intercept=False), table, y), table, y)
    assert found.certificate.relative_gap > 1e-6
    assert "may be due to the bound. Rescale column 'time', whose entries reach 1.7e+12" in str(
        found
    )
    table["time"] = (time - time.mean()) / time.std()
    found = ll.certify(fitted(Ridge(alpha=0.001, fit_intercept=False), table, y), table, y)
    assert found.certificate.relative_gap < 1e-9 and "Rescale" not in str(found)


def test_a_ridge_certificate_is_verified_and_stored_like_any_other(tmp_path):
    X, y = OVERLAP
    found = ll.certify(RidgeClassifier(alpha=3.0).fit(X, y), X, y)
    fit = ll.Fit(found.plane, ll.Trace.closed_form(found.plane), found.certificate)
    fit.save(tmp_path / "ridge.npz")
    assert ll.Fit.load(tmp_path / "ridge.npz").verify(X, y).relative_gap < 1e-9


# -- what is handed in --------------------------------------------------------------------------------


def test_labels_are_those_of_the_model():
    words = np.where(Y > 0, "ham", "spam")  # spam plays +1
    one, other = (ll.certify(SVC(kernel="linear").fit(X, y), X, y) for y in (words, Y))
    assert one.optimum == pytest.approx(other.optimum)
    assert one.plane.w == pytest.approx(-other.plane.w, rel=1e-3)
    model = SVC(kernel="linear").fit(X, words)
    with pytest.raises(ValueError, match=r"`y` must contain exactly the labels \['ham', 'spam'\]"):
        ll.certify(model, X, Y)
    with pytest.raises(ValueError, match=r"`y` must contain (only|exactly) the labels"):
        ll.certify(model, X, words[:-1])


def test_parameters_in_single_precision_are_numbers_like_others():
    X, y = OVERLAP
    single = np.float32(0.3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for model in (
            SVC(kernel="linear", C=single),
            LinearSVC(loss="hinge", C=single, intercept_scaling=single),
            LogisticRegression(C=single),
            SGDClassifier(alpha=single),
            RidgeClassifier(alpha=single),
        ):
            assert ll.certify(model.fit(X, y), X, y).certificate.relative_gap < 1e-8
    assert ll.svm(X, y, C=single).certificate.options["C"] == float(single)


def test_samples_are_those_of_the_model():
    model = SVC(kernel="linear").fit(X, Y)
    with pytest.raises(
        ValueError,
        match="`X` must have 2 columns, the same number of features as SVC was fitted on; got 1",
    ):
        ll.certify(model, X[:, :1], Y)
    with pytest.raises(
        ValueError, match="`X` must hold the 24 samples that SVC was fitted on; got 23"
    ):
        ll.certify(model, X[1:], Y[1:])
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(X, columns=["width", "height"])
    model = LogisticRegression().fit(table, Y)
    assert ll.certify(model, table, Y).excess[1] < 1e-6
    with pytest.raises(ValueError, match="`X` must have the columns that LogisticRegression"):
        ll.certify(model, table[["height", "width"]], Y)


def test_a_pipeline_is_judged_by_its_last_step_on_what_reaches_it():
    raw, y = ll.data.breast_cancer()
    pipe = make_pipeline(StandardScaler(), LogisticRegression()).fit(raw, y)
    found = ll.certify(pipe, raw, y)
    alone = ll.certify(pipe[-1], pipe[:-1].transform(raw), y)
    assert found.optimum == alone.optimum and found.name == "LogisticRegression"
    assert any("steps before it" in remark for remark in found.remarks)
    with pytest.raises(ValueError, match=r"got PCA in `model\[-1\]`"):
        ll.certify(make_pipeline(StandardScaler(), PCA()).fit(raw), raw, y)


THREE = np.arange(24) % 3
REFUSED = {
    "squared hinge": (SGDClassifier(loss="squared_hinge", penalty=None), Y, r"penalty\. Fit with `penal"),
    "rbf": (SVC(), Y, r"SVC with kernel='rbf'\. Only .*fit with `kernel='linear'`"),
    "elastic net": (SGDClassifier(penalty="elasticnet"), Y, r"SGDClassifier with penalty='elasticnet'"),
    "another loss": (SGDClassifier(loss="huber"), Y, r"loss='huber'\. Fit with `loss='hinge'`"),
    "set aside": (SGDClassifier(early_stopping=True), Y, r"early_stopping=True.*set aside"),
    "class weights": (RidgeClassifier(class_weight="balanced"), Y, r"class_weight='balanced'"),
    "a dictionary": (RidgeClassifier(class_weight={-1: 2}), Y, r"class_weight=\{-1: 2\}"),
    "multiclass": (LinearDiscriminantAnalysis(), THREE, r"Analysis with 3 classes\. Fit `OneVs"),
    "no penalty": (LogisticRegression(C=np.inf), THREE, r"no penalty\. The lower bound needs a penalty"),
    "three classes, l1": (LogisticRegression(l1_ratio=1.0, solver="saga"), THREE, "two classes only an ℓ2"),
    "jointly": (LinearSVC(multi_class="crammer_singer"), THREE, r"LinearSVC with 3 classes"),
    "three classes, rbf": (SVC(), THREE, r"SVC with kernel='rbf'"),
    "shrinkage": (LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.1), Y, r"fit with `shrinkage=None`"),
    "positive": (LinearRegression(positive=True), Y, r"positive=True"),
    "real targets": (Ridge(), X[:, 0], r"Ridge with \d+ distinct target values"),
    "two targets": (Ridge(), np.column_stack([Y, Y]), r"Ridge with 2 hyperplanes"),
    "neighbours": (KNeighborsClassifier(), Y, r"got KNeighborsClassifier. Fit one of the models"),
    "a perceptron": (Perceptron(), Y, r"got Perceptron, whose updates do not approach"),
    "a search": (GridSearchCV(SVC(), {"C": [1.0]}, cv=2), Y, r"got SVC with kernel='rbf'"),
    "a path": (LogisticRegressionCV(cv=2), Y, r"LogisticRegressionCV, which .*`certify\(LogisticReg"),
    "ours": (estimators.SVM(), Y, r"got SVM. It carries its certificate: call `linlearn.estimators.verify"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_understood_is_refused_by_name(name):
    model, y, says = REFUSED[name]
    model = fitted(model, X, y)
    with pytest.raises(ValueError, match=r"^`estimator` (cannot|must) be .*" + says):
        ll.certify(model, X, y)


@pytest.mark.parametrize("model", [SVC(kernel="linear"), make_pipeline(SVC(kernel="linear"))])
def test_what_is_not_fitted_is_refused(model):
    with pytest.raises(ValueError, match=r"must be fitted .* Call its `fit"):
        ll.certify(model, X, Y)


def test_what_is_no_model_is_named_by_its_type():
    with pytest.raises(
        ValueError, match=r"got int of builtins\. Other classes, even subclasses of"
    ):
        ll.certify(3, X, Y)


def test_the_remarks_translate_penalties_to_the_notation_of_this_package():
    told = {
        LogisticRegression(): "Its C is 1. In this package's notation λ = 1/(nC), with n samples.",
        Ridge(): "Its alpha is 1. In this package's notation λ = alpha/n, with n samples.",
        SGDClassifier(
            random_state=0
        ): "Its objective is alpha (0.0001) times the certified one, with "
        "C = 1/(n·alpha) and n samples.",
        SGDClassifier(
            "log_loss", random_state=0
        ): "Its alpha = 0.0001 is λ in this package's notation.",
        LinearDiscriminantAnalysis(): "Fisher's ratio determines only the direction of w, not the threshold.",
    }
    for model, remark in told.items():
        assert remark in ll.certify(fitted(model, X, Y), X, Y).remarks


def test_a_subclass_may_minimise_anything():
    class Mine(LogisticRegression):
        pass

    with pytest.raises(ValueError, match="got Mine"):
        ll.certify(Mine().fit(X, Y), X, Y)


def test_scikit_learn_is_not_needed_to_have_the_function():
    code = "import sys, linlearn; linlearn.certify; print('sklearn' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


# -- every parameter ----------------------------------------------------------------------------------

RNG = np.random.default_rng(5)
PX = RNG.normal(size=(60, 3)) @ np.diag([1.0, 2.0, 0.5]) + 0.3
PY = np.where(PX @ [1, -1, 0.5] + 0.8 * RNG.normal(size=60) + 0.7 > 0, 1, -1)
# Beside each parameter other values than its default: fitted with these the certified objective must be the
# one that `minimised` writes down, or the refusal must name the parameter.
HARMLESS = {
    "SVC": {
        "degree": 5, "gamma": 0.1, "coef0": 1.0, "shrinking": False, "probability": False, "tol": 1e-5,
        "cache_size": 10, "verbose": 0, "max_iter": 10**6, "decision_function_shape": "ovo",
        "break_ties": False, "random_state": 1,
    },
    "LinearSVC": {"dual": True, "tol": 1e-8, "verbose": 0, "random_state": 1, "max_iter": 10**5},
    "LogisticRegression": {
        "dual": False, "tol": 1e-9, "random_state": 1, "max_iter": 999, "verbose": 0, "warm_start": True,
        "n_jobs": 1,
    },
    "SGDClassifier": {
        "l1_ratio": 0.9, "max_iter": 2000, "tol": 1e-5, "shuffle": False, "verbose": 0, "epsilon": 0.5,
        "n_jobs": 1, "random_state": 3, "eta0": 0.1, "power_t": 0.3, "validation_fraction": 0.3,
        "n_iter_no_change": 9, "warm_start": True, "average": True,
    },
    "LinearDiscriminantAnalysis": {"n_components": 1, "store_covariance": True, "tol": 1e-6},
    "RidgeClassifier": {"copy_X": False, "max_iter": 99, "tol": 1e-9, "solver": "svd", "random_state": 1},
    "Ridge": {"copy_X": False, "max_iter": 99, "tol": 1e-9, "solver": "cholesky", "random_state": 1},
    "LinearRegression": {"copy_X": False, "tol": 1e-9, "n_jobs": 1},
}  # fmt: skip
CHANGES = {
    "SVC": {"C": [0.1, 10.0], "class_weight": ["balanced", {-1: 3.0}]},
    "LinearSVC": {
        "C": [0.1, 10.0], "multi_class": ["crammer_singer"], "fit_intercept": [False],
        "intercept_scaling": [0.3, 8.0], "loss": ["squared_hinge"],
        "class_weight": ["balanced", {1: 0.2, -1: 3.0}], "penalty": ["l1"],
    },
    "LogisticRegression": {
        "C": [0.1, np.inf], "fit_intercept": [False], "intercept_scaling": [3.0],
        "class_weight": ["balanced", {-1: 3.0}], "solver": ["liblinear", "newton-cholesky"],
        "penalty": ["l2", None], "l1_ratio": [0.5, 1.0],
    },
    "SGDClassifier": {
        "loss": ["log_loss", "squared_hinge"], "penalty": [None], "alpha": [1e-3, 0.3],
        "fit_intercept": [False], "class_weight": ["balanced", {-1: 3.0}],
        "learning_rate": ["invscaling", "adaptive"],
    },
    "LinearDiscriminantAnalysis": {"solver": ["lsqr", "eigen"], "priors": [[0.9, 0.1]]},
    "RidgeClassifier": {"alpha": [0.0, 7.0], "fit_intercept": [False]},
    "Ridge": {"alpha": [0.0, 7.0], "fit_intercept": [False]},
    "LinearRegression": {"fit_intercept": [False]},
}  # fmt: skip
REFUSES = {
    "SVC": {"kernel": ["rbf", "poly"]},
    "LinearSVC": {},
    "LogisticRegression": {},
    "SGDClassifier": {
        "loss": ["perceptron", "modified_huber", "squared_error"],
        "penalty": ["l1", "elasticnet"],
        "learning_rate": ["pa1", "pa2"], "early_stopping": [True],
    },
    "LinearDiscriminantAnalysis": {"shrinkage": ["auto", 0.3], "covariance_estimator": [LedoitWolf()]},
    "RidgeClassifier": {"positive": [True], "class_weight": ["balanced"]},
    "Ridge": {"positive": [True]},
    "LinearRegression": {"positive": [True]},
}  # fmt: skip
BESIDE = {  # what must be set for a value to be allowed
    ("LogisticRegression", "intercept_scaling"): {"solver": "liblinear"},
    ("LogisticRegression", "l1_ratio"): {"solver": "saga"},
    ("LinearSVC", "loss"): {"dual": True},
    ("LinearSVC", "penalty"): {"loss": "squared_hinge", "dual": False},
    ("SGDClassifier", "learning_rate"): {"eta0": 0.1},
    ("LinearDiscriminantAnalysis", "shrinkage"): {"solver": "lsqr"},
    ("LinearDiscriminantAnalysis", "covariance_estimator"): {"solver": "lsqr"},
    ("RidgeClassifier", "positive"): {"solver": "lbfgs"},
    ("Ridge", "positive"): {"solver": "lbfgs"},
}
BASE = {
    "SVC": SVC(kernel="linear"),
    "LinearSVC": LinearSVC(loss="hinge"),
    "LogisticRegression": LogisticRegression(),
    "SGDClassifier": SGDClassifier(random_state=0),
    "LinearDiscriminantAnalysis": LinearDiscriminantAnalysis(),
    "RidgeClassifier": RidgeClassifier(),
    "Ridge": Ridge(),
    "LinearRegression": LinearRegression(),
}
VALUES = [
    (name, parameter, value)
    for name in BASE
    for parameter, values in [
        *((p, [v]) for p, v in HARMLESS[name].items()),
        *CHANGES[name].items(),
        *REFUSES[name].items(),
    ]
    for value in values
]


def minimised(model, X, y, s=None):
    """What scikit-learn's documentation of a model says that it minimises, in the notation of `certify`, at
    its own plane: written without a look at how `certify` poses it."""
    kind = type(model).__name__
    s = np.ones(len(y)) if s is None else np.asarray(s, dtype=float)
    w, b = model.coef_.ravel(), float(np.ravel(model.intercept_)[0])
    if kind == "LinearDiscriminantAnalysis":
        own, other = (X[y == c] @ w for c in (1, -1))
        spread = ((own - own.mean()) ** 2).sum() + ((other - other.mean()) ** 2).sum()
        return (own.mean() - other.mean()) ** 2 / spread
    f, square = X @ w + b, w @ w
    if kind in ("RidgeClassifier", "Ridge", "LinearRegression"):
        loss, alpha = ((f - y) ** 2).sum() / 2, getattr(model, "alpha", 0)
        return loss / len(y) + alpha / len(y) * square / 2 if alpha else loss
    given = getattr(model, "class_weight", None)
    if given == "balanced":
        told = s if kind in ("LogisticRegression", "LinearSVC") else np.ones(len(y))
        given = {c: told.sum() / 2 / told[y == c].sum() for c in (-1, 1)}
    s = s * np.array([(given or {}).get(c, 1.0) for c in y])
    r = 1.0 if getattr(model, "penalty", "") == "l1" else 0.0
    if kind == "LogisticRegression" and model.penalty not in ("l2", None):
        r = model.l1_ratio
    absolute = np.abs(w).sum()
    if kind == "LinearSVC" or getattr(model, "solver", "") == "liblinear":
        extra = b / model.intercept_scaling if model.fit_intercept else 0.0
        square, absolute = square + extra**2, absolute + abs(extra)
    square = (1 - r) * square + 2 * r * absolute  # twice the penalty
    power = 2 if getattr(model, "loss", "") == "squared_hinge" else 1
    hinge, log = (s * np.maximum(0, 1 - y * f) ** power).sum(), (s * np.logaddexp(0, -y * f)).sum()
    if kind == "SGDClassifier":
        n, free = len(y), model.penalty is None
        if model.loss == "log_loss":
            return log / n + (0 if free else model.alpha * square / 2)
        return hinge / n if free else square / 2 + hinge / (n * model.alpha)
    if kind == "LogisticRegression":
        free = model.penalty is None or model.C == np.inf
        return log / s.sum() + (0 if free else square / 2 / (model.C * s.sum()))
    double = getattr(model, "multi_class", "") == "crammer_singer"
    return square / 2 + model.C * (2 if double else 1) * hinge


@pytest.mark.parametrize("name", BASE)
def test_every_parameter_is_in_the_table(name):
    known = {*HARMLESS[name], *CHANGES[name], *REFUSES[name]}
    assert known == set(BASE[name].get_params())
    assert set(HARMLESS[name]) <= IGNORED | USED
    assert not IGNORED & {*CHANGES[name], *REFUSES[name]}


@pytest.mark.parametrize(("name", "parameter", "value"), VALUES, ids=str)
def test_a_parameter_changes_the_objective_as_said_or_is_refused(name, parameter, value):
    model = clone(BASE[name]).set_params(**BESIDE.get((name, parameter), {}), **{parameter: value})
    model = fitted(model, PX.copy(), PY)
    if value in REFUSES[name].get(parameter, []):
        with pytest.raises(ValueError, match=f"got {name} with {parameter}="):
            ll.certify(model, PX, PY)
        return
    found = ll.certify(model, PX, PY)
    exact = minimised(model, PX, PY)
    assert found.value[0] * (1 - 1e-9) <= exact <= found.value[1] * (1 + 1e-9)
    assert found.certificate.relative_gap < 1e-8
    if name != "SGDClassifier":  # the others arrive where they minimise
        assert found.relative_excess[0] < 1e-2


@pytest.mark.parametrize("name", [name for name in BASE if name != "SGDClassifier"])
def test_what_has_arrived_has_no_excess(name):
    """With weights of samples and classes, where they are taken: a wrong objective would leave an excess."""
    s = RNG.integers(1, 6, 60) / 2
    fine = (
        {"tol": 1e-10, "max_iter": 10**6}
        if name in ("SVC", "LinearSVC", "LogisticRegression")
        else {}
    )
    for more in ({}, {"class_weight": "balanced"}, {"class_weight": {1: 0.1}}):
        model = clone(BASE[name]).set_params(**fine)
        if more and ("class_weight" not in model.get_params() or not fine):
            continue
        model.set_params(**more)
        with_them = {"sample_weight": s} if fine else {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(PX, PY, **with_them)
        found = ll.certify(model, PX, PY, **with_them)
        assert found.relative_excess[1] < 1e-6
        assert found.value[0] * (1 - 1e-9) <= minimised(model, PX, PY, s if fine else None)
        assert minimised(model, PX, PY, s if fine else None) <= found.value[1] * (1 + 1e-9)


CRAMMER = LinearSVC(multi_class="crammer_singer", C=0.01, tol=1e-10, max_iter=10**6)


@pytest.mark.parametrize(
    "more", [{}, {"intercept_scaling": 3.0}, {"fit_intercept": False}, {"C": 2.0}]
)
def test_crammer_and_singer_count_C_twice(more):
    """At its optimum it has no excess, also with the loss that it ignores."""
    model = fitted(clone(CRAMMER).set_params(**more), PX, PY)
    found = ll.certify(model, PX, PY)
    assert found.relative_excess[1] < 1e-6
    assert any("crammer_singer" in remark for remark in found.remarks)


def test_a_parameter_of_a_later_version_is_refused_unless_it_has_its_default(monkeypatch):
    model = fitted(LogisticRegression(tol=0.5), X, Y)
    monkeypatch.setattr("linlearn.certified.models.IGNORED", IGNORED - {"tol"})
    with pytest.raises(ValueError, match=r"with tol=0\.5, a parameter that this version"):
        ll.certify(model, X, Y)
    assert ll.certify(fitted(LogisticRegression(), X, Y), X, Y).excess[0] < 1e-3


@pytest.mark.parametrize("priors", [None, [0.5, 0.5], [0.9, 0.1]], ids=str)
@pytest.mark.parametrize("solver", ["svd", "lsqr", "eigen"])
def test_priors_change_the_ratio_for_two_of_three_solvers(solver, priors):
    model = LinearDiscriminantAnalysis(solver=solver, priors=priors).fit(PX, PY)
    if priors is None or solver == "svd":
        assert ll.certify(model, PX, PY).relative_excess[1] < 1e-9
        return
    with pytest.raises(ValueError, match=r"with priors=.*`solver='svd'`"):
        ll.certify(model, PX, PY)
    shares = [(PY < 0).mean(), (PY > 0).mean()]
    model = LinearDiscriminantAnalysis(solver=solver, priors=shares).fit(PX, PY)
    assert ll.certify(model, PX, PY).relative_excess[1] < 1e-9


# -- weights ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "model",
    [
        SVC(kernel="linear", C=0.5, tol=1e-10),
        LinearSVC(loss="hinge", tol=1e-10, max_iter=10**6),
        LogisticRegression(tol=1e-10),
        LogisticRegression(tol=1e-10, C=np.inf),
        LogisticRegression(solver="liblinear", tol=1e-10),
        LogisticRegression(tol=1e-10, fit_intercept=False),
    ],
    ids=str,
)
def test_weights_given_to_fit_are_part_of_the_objective(model):
    """With them no excess; the same by repeating samples; without them an excess, and a remark."""
    s = np.where(PY > 0, 1.0, 7.0) + (np.arange(60) % 3)
    s[[0, 7]] = 0
    model = clone(model).fit(PX, PY, sample_weight=s)
    found = ll.certify(model, PX, PY, sample_weight=s)
    assert found.relative_excess[1] < 1e-6
    rows = np.repeat(np.arange(60), s.astype(int))
    again = ll.certify(clone(model).fit(PX[rows], PY[rows]), PX[rows], PY[rows])
    assert again.optimum == pytest.approx(found.optimum, rel=1e-8)
    without = ll.certify(model, PX, PY)
    assert without.relative_excess[0] > 1e-3
    assert any("sample_weight" in remark for remark in without.remarks)
    assert not any("sample_weight" in remark for remark in found.remarks)
    ones = ll.certify(model, PX, PY, sample_weight=np.ones(60))
    assert (ones.optimum, ones.objective) == (without.optimum, without.objective)


def test_sgd_weighs_a_loss_and_not_the_penalty():
    """Its mean is over n samples, not over the sum of weights: twice the weights are half of alpha."""
    s = np.full(60, 2.0)
    for loss in ("hinge", "log_loss"):
        model = fitted(SGDClassifier(loss=loss, alpha=0.1, random_state=0), PX, PY)
        half = fitted(SGDClassifier(loss=loss, alpha=0.05, random_state=0), PX, PY)
        weighed = ll.certify(model, PX, PY, sample_weight=s)
        plain = ll.certify(half, PX, PY)
        assert weighed.optimum == pytest.approx(plain.optimum, rel=1e-8)
        assert loss == "hinge" or "Σsᵢ/n times the certified" in str(weighed.remarks)


@pytest.mark.parametrize(
    "model", [Ridge(), RidgeClassifier(), LinearRegression(), LinearDiscriminantAnalysis()]
)
def test_weights_that_cannot_be_certified_are_refused(model):
    with pytest.raises(ValueError, match=f"got {type(model).__name__} with `sample_weight`"):
        ll.certify(model.fit(PX, PY), PX, PY, sample_weight=np.full(60, 2.0))


@pytest.mark.parametrize(
    "bad", [-np.ones(60), np.ones(59), np.zeros(60), np.full(60, np.nan), "balanced", 0.0]
)
def test_weights_are_numbers_not_below_0(bad):
    with pytest.raises(ValueError, match="`sample_weight` must"):
        ll.certify(SVC(kernel="linear").fit(PX, PY), PX, PY, sample_weight=bad)


def test_weights_of_no_sample_of_a_class_are_not_those_of_the_fit():
    with pytest.raises(
        ValueError, match=r"only zeros in class -1\. Pass the weights that were passed to"
    ):
        ll.certify(fitted(SVC(kernel="linear"), PX, PY), PX, PY, sample_weight=(PY > 0) * 1.0)


def test_an_unweighted_excess_of_squares_says_that_none_with_weights_is_certified():
    model = RidgeClassifier().fit(PX, PY, sample_weight=np.where(PY > 0, 1.0, 9.0))
    assert any("cannot be certified" in remark for remark in ll.certify(model, PX, PY).remarks)


# -- what wraps a model -------------------------------------------------------------------------------

WORDS = np.where(PY > 0, "yes", "no")
LR = LogisticRegression(C=0.3, tol=1e-10)
OPENED = {
    "a search": GridSearchCV(LR, {"C": [0.3]}, cv=3),
    "a random search": RandomizedSearchCV(LR, {"C": [0.3]}, n_iter=1, cv=3),
    "a halving search": HalvingGridSearchCV(LR, {"C": [0.3]}, cv=3, min_resources=30),
    "frozen": FrozenEstimator(clone(LR).fit(PX, WORDS)),
    "calibrated": CalibratedClassifierCV(LR, ensemble=False, cv=3),
    "calibrated by temperature": CalibratedClassifierCV(
        LR, ensemble=False, cv=3, method="temperature"
    ),
    "calibrated frozen": CalibratedClassifierCV(FrozenEstimator(clone(LR).fit(PX, WORDS)), cv=3),
    "a tuned threshold": TunedThresholdClassifierCV(LR, cv=3, scoring="balanced_accuracy"),
    "a fixed threshold": FixedThresholdClassifier(LR, threshold=0.3, pos_label="yes"),
    "one against the rest": OneVsRestClassifier(LR),
    "one against one": OneVsOneClassifier(LR),
    "a pipeline": make_pipeline(FunctionTransformer(), LR),
    "a search in a pipeline": make_pipeline(
        FunctionTransformer(), GridSearchCV(LR, {"C": [0.3]}, cv=3)
    ),
    "a pipeline in a search": GridSearchCV(
        Pipeline([("nothing", "passthrough"), ("model", LR)]), {"model__C": [0.3]}, cv=3
    ),
    "wrapped twice": FrozenEstimator(
        CalibratedClassifierCV(OneVsRestClassifier(LR), ensemble=False, cv=3).fit(PX, WORDS)
    ),
    "features selected": RFE(LR, n_features_to_select=3),
}


@pytest.mark.parametrize("name", OPENED)
def test_one_model_on_all_samples_is_opened(name):
    """What is certified is the model inside, to the last bit."""
    model = fitted(clone(OPENED[name]), PX, WORDS)
    found, alone = ll.certify(model, PX, WORDS), ll.certify(clone(LR).fit(PX, WORDS), PX, WORDS)
    assert (found.name, found.objective) == ("LogisticRegression", alone.objective)
    assert found.optimum == pytest.approx(alone.optimum, rel=1e-9)
    assert found.relative_excess[1] < 1e-6
    for bad in (np.where(PY > 0, "yes", "maybe"), PY):
        with pytest.raises(ValueError, match=r"`y` must contain (only|exactly) the labels"):
            ll.certify(model, PX, bad)


def test_weights_reach_the_model_inside():
    s = 1.0 + np.arange(60) % 4
    with config_context(enable_metadata_routing=True):
        asking = SVC(kernel="linear", tol=1e-10).set_fit_request(sample_weight=True)
        model = OneVsRestClassifier(asking).fit(PX, WORDS, sample_weight=s)
    assert ll.certify(model, PX, WORDS, sample_weight=s).relative_excess[1] < 1e-6


THREE_WORDS = np.array(["a", "b", "c"])[np.arange(60) % 3]
TWO_COLUMNS = np.column_stack([PY > 0, PX[:, 0] > 0]).astype(int)
SEVERAL = {
    "folds": (CalibratedClassifierCV(LR, cv=3), PY),
    "no refit": (GridSearchCV(LR, {"C": [0.3, 1.0]}, cv=3, refit=False), PY),
    "a threshold on a part": (TunedThresholdClassifierCV(LR, cv=0.3, refit=False, random_state=0), PY),
    "two labels": (OneVsRestClassifier(LR), TWO_COLUMNS),
    "outputs": (MultiOutputClassifier(LR), TWO_COLUMNS),
    "votes": (VotingClassifier([("a", LR), ("b", SVC(kernel="linear"))]), WORDS),
    "a stack": (StackingClassifier([("a", LR)], cv=3), WORDS),
    "a chosen C": (LogisticRegressionCV(Cs=[0.3], cv=3, use_legacy_attributes=False, l1_ratios=(0.0,)), PY),
    "a chosen alpha": (RidgeClassifierCV(alphas=[0.5, 1.0]), WORDS),
    "cross-fitting": (make_pipeline(TargetEncoder(random_state=0), LR), PY),
}  # fmt: skip


@pytest.mark.parametrize("name", SEVERAL)
def test_a_refusal_holds_the_call_that_certifies_a_part(name):
    """The call in the message is made as it is written: it leads to a certificate, and in no circle."""
    model, y = SEVERAL[name]
    X = np.round(PX) if name == "cross-fitting" else PX
    model = fitted(clone(model), X, y)
    with pytest.raises(ValueError, match=r"^`estimator` cannot be certified; got") as refused:
        ll.certify(model, X, y)
    known = {"model": model, "X": X, "y": y, "np": np, "certify": ll.certify, "clone": clone,
             "LogisticRegression": LogisticRegression, "RidgeClassifier": RidgeClassifier}  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for made in re.findall(r"`(Z = [^`]*)`", str(refused.value)):
            exec(made, known)
        (call,) = re.findall(r"`(certify\(.*?\))`", str(refused.value))
        found = eval(call, known)
    assert found.certificate.relative_gap < 1e-8
    if found.name not in ("SGDClassifier", "SVC"):
        assert found.relative_excess[0] < 1e-4


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, kind in all_estimators(type_filter="classifier")
        if "estimator" in signature(kind).parameters
    ],
)
def test_every_wrapper_of_scikit_learn_is_known(name):
    """A new one is to be opened, or to be refused with a remedy."""
    assert name in WRAPPERS


@pytest.mark.parametrize(
    "model",
    [
        BaggingClassifier(LR),
        ClassifierChain(LR),
        OutputCodeClassifier(LR),
        SelfTrainingClassifier(LR),
    ],
    ids=lambda model: type(model).__name__,
)
def test_models_fitted_to_other_samples_are_refused(model):
    y = TWO_COLUMNS if isinstance(model, ClassifierChain) else TWO_COLUMNS[:, 0]
    with pytest.raises(ValueError, match=r"whose models were fitted to other samples, weights or"):
        ll.certify(fitted(model, PX, y), PX, y)


def test_what_is_not_fitted_inside_is_refused():
    for model in (GridSearchCV(LR, {"C": [1.0]}), OneVsRestClassifier(LR), FrozenEstimator(LR),
                  make_pipeline(StandardScaler(), LR), BaggingClassifier(LR)):  # fmt: skip
        with pytest.raises(ValueError, match=r"must be fitted .* Call its `fit"):
            ll.certify(model, PX, PY)


# -- steps before the model ---------------------------------------------------------------------------

GIVEN = {  # how a transformer is made that cannot be made without arguments
    "ColumnTransformer": {"transformers": [("a", StandardScaler(), [0])]},
    "FeatureUnion": {"transformer_list": [("a", StandardScaler())]},
    "GaussianRandomProjection": {"n_components": 2},
    "SparseRandomProjection": {"n_components": 2},
    "SparseCoder": {"dictionary": np.eye(3)},
    "PCA": {"n_components": 2},
}


@pytest.mark.parametrize("name", [name for name, _ in all_estimators(type_filter="transformer")])
def test_steps_that_pass_make_the_same_samples_twice(name):
    """Each transformer of scikit-learn, on its defaults: `fit_transform` is `transform`, or it is refused."""
    kind = dict(all_estimators(type_filter="transformer"))[name]
    if not hasattr(kind, "transform"):
        return
    more = GIVEN.get(name, {})
    seeded = {"random_state": 0} if "random_state" in signature(kind).parameters else {}
    rng = np.random.default_rng(0)
    X = np.abs(rng.normal(size=(60, 6)))
    try:
        step = kind(**more, **seeded)
        first = fitted_samples(step, X)
        second = step.transform(X)
    except (TypeError, ValueError, AttributeError):
        pytest.skip("needs other samples: words, dictionaries, matrices of distances, a model")
    first, second = (one.toarray() if hasattr(one, "toarray") else one for one in (first, second))
    if _made_otherwise(step) is None:
        assert np.shape(first) == np.shape(second)
        assert np.allclose(
            np.asarray(first, dtype=float), np.asarray(second, dtype=float), atol=1e-12
        )


def fitted_samples(step, X):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return step.fit_transform(X, (X[:, 0] > X[:, 1]).astype(int))


class Leaky(TransformerMixin, BaseEstimator):
    """Somebody's own step that makes other samples while fitting."""

    def fit(self, X, y=None):
        return self

    def fit_transform(self, X, y=None):
        return X + y[:, None]

    def transform(self, X):
        return X


CROSS = {
    "a target encoder": TargetEncoder(random_state=0),
    "in columns": ColumnTransformer(
        [("a", TargetEncoder(random_state=0), [0]), ("b", StandardScaler(), [1, 2])]
    ),
    "in a union": FeatureUnion([("a", StandardScaler()), ("b", TargetEncoder(random_state=0))]),
    "in a pipeline": make_pipeline(StandardScaler(), TargetEncoder(random_state=0)),
    "somebody's own": Leaky(),
    "random components": PCA(2, svd_solver="randomized", random_state=0),
    "a factorisation": NMF(2, random_state=0, max_iter=2),
}  # fmt: skip


@pytest.mark.parametrize("name", CROSS)
def test_steps_that_make_other_samples_are_refused(name):
    X = np.abs(np.round(2 * PX)) + (np.arange(3) % 2)
    model = fitted(make_pipeline(clone(CROSS[name]), LogisticRegression()), X, PY)
    with pytest.raises(
        ValueError,
        match=r"`fit_transform` may return different values from `transform`.*the samples once",
    ):
        ll.certify(model, X, PY)


def test_usual_steps_pass():
    steps = ColumnTransformer(
        [("a", make_pipeline(StandardScaler(), PCA(1)), [0, 1]), ("b", "passthrough", [2])]
    )
    for step in (
        steps,
        FeatureUnion([("a", StandardScaler())]),
        OneHotEncoder(handle_unknown="ignore"),
        PCA(2),
    ):
        X = np.round(PX) if isinstance(step, OneHotEncoder) else PX
        found = ll.certify(fitted(make_pipeline(step, LR), X, PY), X, PY)
        assert found.relative_excess[1] < 1e-6


# -- sparse ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "model",
    [
        SVC(kernel="linear"),
        LogisticRegression(),
        LinearSVC(loss="hinge"),
        RidgeClassifier(),
        SGDClassifier(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_sparse_samples_and_weights(model):
    """Fitted on a sparse matrix, certified on it or on its entries: the same; also after `sparsify`."""
    S = sparse.csr_matrix(np.where(np.abs(PX) > 0.5, PX, 0))
    model = fitted(model, S, PY)
    found = ll.certify(model, S, PY)
    assert found.certificate.relative_gap < 1e-8
    dense = ll.certify(model, S.toarray(), PY).optimum
    assert found.optimum[0] <= dense[1] and dense[0] <= found.optimum[1]
    if hasattr(model, "sparsify"):
        assert ll.certify(model.sparsify(), S, PY).optimum == found.optimum


def test_text_in_a_pipeline():
    said = [" ".join(RNG.choice(list("abcdef"), 5)) + (" xx" if k > 0 else " zz") for k in PY]
    model = make_pipeline(TfidfVectorizer(token_pattern=r"\w+"), SVC(kernel="linear", tol=1e-9))
    assert ll.certify(model.fit(said, WORDS), said, WORDS).relative_excess[1] < 1e-6


@pytest.mark.parametrize("loss", ["hinge", "log_loss", "squared_hinge"])
def test_text_is_not_written_out(loss):
    """60 × 100,000: no more is allocated than a few vectors of a number for each column."""
    words = np.random.default_rng(0).integers(0, 10**5, 6000)
    S = sparse.csr_matrix(
        (np.ones(6000), (np.repeat(np.arange(60), 100), words)), shape=(60, 10**5)
    )
    model = fitted(SGDClassifier(loss=loss, random_state=0), S, PY)
    tracemalloc.start()
    found = ll.certify(model, S, PY)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 40 * 8 * 10**5
    assert found.certificate.relative_gap < 1e-8
    assert any("products with X" in remark for remark in found.remarks)


def test_a_hinge_gap_is_closed_by_fitting_again():
    rng = np.random.default_rng(0)
    S = sparse.random_array((200, 500), density=0.05, rng=rng, format="csr")
    y = np.where(S @ rng.normal(size=500) > 0, "yes", "no")
    model = fitted(LinearSVC(loss="hinge", max_iter=10**5, random_state=0), S, y)
    found = ll.certify(model, S, y)
    assert found.certificate.relative_gap < 1e-8
    (remark,) = [r for r in found.remarks if "fitting the model again with `tol=1e-08`" in r]
    assert int(re.findall(r"(\d+) products", remark)[0]) < 200
    early = fitted(LinearSVC(loss="hinge", max_iter=2, random_state=0), S, y)
    assert ll.certify(early, S, y).certificate.relative_gap < 1e-8  # from what 20 iterations reach


def test_too_large_sparse_samples_are_refused_before_they_are_written_out():
    S = sparse.csr_matrix((np.ones(60), (np.arange(60), np.arange(60))), shape=(60, 10**6))
    with pytest.raises(
        ValueError,
        match=r"`X`, which is sparse, must have at most 10,000,000 .*got 60 × 1000000\. Fit.*X\.toarray",
    ):
        ll.certify(fitted(RidgeClassifier(), S, PY), S, PY)


# -- exact optima -------------------------------------------------------------------------------------


def leaked(rng, X, y):
    return np.column_stack([X, (y > 0) * 1.0])


def pure(rng, X, y):
    return np.column_stack([X, (np.arange(len(y)) < 3) & (y > 0)]).astype(float)


def one_hot(rng, X, y):
    return np.column_stack([X[:, :1], np.eye(3)[rng.integers(0, 3, len(y))]])


def words(rng, X, y):
    return rng.poisson(0.4, (len(y), 4)).astype(float)


def nearly_twice(rng, X, y):
    return np.column_stack([X, X[:, 0] * (1 + 1e-9)])


def beside_a_time(rng, X, y):
    return np.column_stack([X, np.floor(1.7e12 + 1e10 * rng.random(len(y)))])


HARD = [leaked, pure, one_hot, words, nearly_twice, beside_a_time]


@pytest.mark.parametrize("hard", HARD, ids=lambda f: f.__name__)
@pytest.mark.parametrize("seed", range(3))
def test_ends_hold_the_exact_optimum(hard, seed):
    """Optima to 60 digits (squares: exact) lie within the ends, on the samples that are hard for floats."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(14, 2)), 2)
    y = np.where(X[:, 0] + rng.normal(size=14) > 0, 1, -1)
    y[:2] = 1, -1
    X = hard(rng, X, y)
    for alpha in (0.5, 30.0):
        for model in (RidgeClassifier(alpha=alpha), Ridge(alpha=alpha, fit_intercept=False)):
            found = ll.certify(fitted(model, X, y), X, y)
            lam = Fraction(float(alpha) / 14) * 14
            best = least(X, y, lam, fit_intercept=model.fit_intercept) / 14
            assert found.optimum[0] <= best <= found.optimum[1]
    for model in (
        LogisticRegression(C=2.0), LogisticRegression(C=0.01, class_weight={1: 3.0}),
        LogisticRegression(C=2.0, solver="liblinear"), LogisticRegression(C=2.0, fit_intercept=False),
    ):  # fmt: skip
        found = ll.certify(fitted(model, X, y), X, y)
        low, high = logistic_optimum(model, X, y, found)
        assert found.optimum[0] <= high and low <= found.optimum[1]
    svc = SVC(
        kernel="linear", C=0.7, max_iter=9999
    )  # unscaled columns would keep it busy for hours
    for model in (svc, clone(svc).set_params(class_weight={1: 0.5})):
        found = ll.certify(fitted(model, X, y), X, y)
        low, high = margin_optimum(model, X, y, found)
        # else it would say little; floats of multipliers leave more beside a column of 1e12
        assert high - low < 1e-8 * high or hard is beside_a_time
        assert found.optimum[0] <= high and low <= found.optimum[1]


def logistic_optimum(model, X, y, found):
    """Ends of the optimum of Σcᵢ ln(1 + exp(-mᵢ)) + (λ/2)‖w‖², from the model's plane on, in 60 digits."""
    s = np.array([(model.class_weight or {}).get(int(k), 1.0) for k in y])
    lam = 1 / (model.C * s.sum())
    c = s / s.sum() if model.class_weight else [Fraction(1, len(y))] * len(y)
    Z = np.column_stack([X, np.ones(len(y))])[:, : X.shape[1] + model.fit_intercept]
    ridge = [lam] * X.shape[1] + [lam if model.solver == "liblinear" else 0.0]
    start = [*found.plane.w, found.plane.b][: Z.shape[1]]
    return oracles.penalised_logistic(Z, y, c, ridge[: Z.shape[1]], start)


def margin_optimum(model, X, y, found):
    """Ends of the soft margin's optimum in fractions: the plane of the certificate, and its multipliers."""
    given = model.class_weight or {}
    C = [Fraction(model.C * given.get(int(k), 1.0)) for k in y]
    rows = [fractions(x) for x in X]
    plane = fractions(found.certificate.primal)
    m = [
        int(k) * (sum(u * v for u, v in zip(plane, [*x, 1], strict=True)))
        for x, k in zip(rows, y, strict=True)
    ]
    high = sum(v * v for v in plane[:-1]) / 2 + sum(
        c * max(0, 1 - v) for c, v in zip(C, m, strict=True)
    )
    alpha = [
        min(c, max(Fraction(0), v))
        for c, v in zip(C, fractions(found.certificate.dual), strict=True)
    ]
    sums = [sum(v for v, k in zip(alpha, y, strict=True) if k == side) for side in (1, -1)]
    if not all(sums):
        return Fraction(0), high
    least = min(sums)
    alpha = [v * least / sums[0 if k > 0 else 1] for v, k in zip(alpha, y, strict=True)]
    w = [
        sum(v * int(k) * x[j] for v, k, x in zip(alpha, y, rows, strict=True))
        for j in range(X.shape[1])
    ]
    return sum(alpha) - sum(v * v for v in w) / 2, high


@pytest.mark.parametrize("call", [ll.certify, ll.estimators.verify], ids=["certify", "verify"])
def test_an_unfitted_pipeline_with_columns_is_to_be_fitted_first(call):
    """ColumnTransformer has no `transformers_` before: once this was all that was said."""
    columns = ColumnTransformer([("scaled", StandardScaler(), [0])])
    last = LogisticRegression() if call is ll.certify else ll.estimators.Logistic()
    argument, done = ("estimator", "certified") if call is ll.certify else ("model", "verified")
    with pytest.raises(
        ValueError, match=f"^`{argument}` must be fitted before it is {done}; got an unfitted Pipe"
    ):
        call(make_pipeline(columns, last), PX, PY)


def test_an_l1_penalty_of_descents_is_refused_without_talk_of_classes():
    with pytest.raises(ValueError, match=r"fit with `penalty='l2'`") as refused:
        ll.certify(SGDClassifier(penalty="l1").fit(PX, PY), PX, PY)
    assert "two classes" not in str(refused.value)
