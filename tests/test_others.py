"""What others fitted: the objective is the model's own, its optimum known; all else is refused."""

import subprocess
import sys
import tracemalloc
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import (
    LinearRegression,
    LogisticRegression,
    LogisticRegressionCV,
    Perceptron,
    Ridge,
    RidgeClassifier,
    SGDClassifier,
)
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

import linlearn as ll
from linlearn import certificates, estimators

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
    """Samples 1 and 0 with a high price: w + b ≥ 1, -b ≥ 1 give w = 2, b = -1, and b/s costs ½(1/s)²."""
    two, labels = [[1.0], [0.0]], [1, -1]
    free = ll.certify(SVC(kernel="linear", C=50.0).fit(two, labels), two, labels)
    assert free.optimum == pytest.approx((2, 2))
    for s in (1.0, 0.7, 4.0):
        model = LinearSVC(loss="hinge", C=50.0, intercept_scaling=s, max_iter=100_000, tol=1e-12)
        found = ll.certify(fitted(model, two, labels), two, labels)
        assert found.optimum == pytest.approx((2 + 0.5 / s**2,) * 2, rel=1e-9)
        assert any("penalises the offset" in remark for remark in found.remarks)
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
        best = least(X, y, 0, offset=False)
        assert found.optimum[0] <= best <= found.optimum[1] < float(best) + 1e-11


def least(X, t, alpha, *, offset=True):
    """min ½‖X̄a - t‖² + (α/2)‖w‖², by elimination in fractions."""
    rows = [[*fractions(x), *([Fraction(1)] if offset else [])] for x in X]
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
    """60 samples of 3000 features: what is allocated is a fraction of d × d, and the optimum is known."""
    rng = np.random.default_rng(0)
    n, d = 60, 3000
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
    with pytest.raises(ValueError, match="`y` must hold the labels 'ham' and 'spam'"):
        ll.certify(model, X, Y)
    with pytest.raises(ValueError, match="`y` must hold the labels"):
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
        ValueError, match="`X` must have 2 columns, as many as SVC was fitted on; got 1"
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
    "squared hinge": (LinearSVC(), Y, r"LinearSVC with loss='squared_hinge': squares of shortfalls"),
    "rbf": (SVC(), Y, r"SVC with kernel='rbf'.*take `kernel='linear'`"),
    "l1": (LogisticRegression(l1_ratio=1.0, solver="saga"), Y, r"l1_ratio=1.0: the enclosures are for ℓ2"),
    "mixed": (LogisticRegression(l1_ratio=0.5, solver="saga"), Y, r"l1_ratio=0.5"),
    "elastic net": (SGDClassifier(penalty="elasticnet"), Y, r"SGDClassifier with penalty='elasticnet'"),
    "another loss": (SGDClassifier(loss="huber"), Y, r"loss='huber'.*fit with `loss='hinge'`"),
    "set aside": (SGDClassifier(early_stopping=True), Y, r"early_stopping=True.*set aside"),
    "class weights": (RidgeClassifier(class_weight="balanced"), Y, r"class_weight='balanced'"),
    "a dictionary": (RidgeClassifier(class_weight={-1: 2}), Y, r"class_weight=\{-1: 2\}"),
    "multiclass": (LogisticRegression(), THREE, r"LogisticRegression with 3 classes: fit `OneVs"),
    "shrinkage": (LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.1), Y, r"shrinkage=0.1"),
    "positive": (LinearRegression(positive=True), Y, r"positive=True"),
    "real targets": (Ridge(), X[:, 0], r"Ridge with \d+ target values"),
    "two targets": (Ridge(), np.column_stack([Y, Y]), r"Ridge with 2 planes"),
    "neighbours": (KNeighborsClassifier(), Y, r"got KNeighborsClassifier. Fit one of those"),
    "a perceptron": (Perceptron(), Y, r"got Perceptron with updates that minimise no"),
    "a search": (GridSearchCV(SVC(), {"C": [1.0]}, cv=2), Y, r"got SVC with kernel='rbf'"),
    "a path": (LogisticRegressionCV(cv=2), Y, r"LogisticRegressionCV with .*`certify\(LogisticReg"),
    "ours": (estimators.SVM(), Y, r"got SVM. Models of this package carry their proof"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_understood_is_refused_by_name(name):
    model, y, says = REFUSED[name]
    model = fitted(model, X, y)
    with pytest.raises(ValueError, match=r"`estimator` must be .*" + says):
        ll.certify(model, X, y)


@pytest.mark.parametrize("model", [SVC(kernel="linear"), make_pipeline(SVC(kernel="linear"))])
def test_what_is_not_fitted_is_refused(model):
    with pytest.raises(ValueError, match="not fitted: call its `fit"):
        ll.certify(model, X, Y)


def test_a_subclass_may_minimise_anything():
    class Mine(LogisticRegression):
        pass

    with pytest.raises(ValueError, match="got Mine"):
        ll.certify(Mine().fit(X, Y), X, Y)


def test_scikit_learn_is_not_needed_to_have_the_function():
    code = "import sys, linlearn; linlearn.certify; print('sklearn' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
