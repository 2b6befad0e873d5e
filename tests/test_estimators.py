"""The facade behaves as scikit-learn demands and answers as the functions do."""

import inspect
import json
import pickle
import re
import subprocess
import sys
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.exceptions import ConvergenceWarning, FitFailedWarning, NotFittedError
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import (
    GridSearchCV,
    TunedThresholdClassifierCV,
    cross_val_score,
    cross_validate,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MinMaxScaler,
    OneHotEncoder,
    SplineTransformer,
    StandardScaler,
)
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator

import linlearn as ll
from linlearn import check, estimators

# Some stop early here on purpose; that they then warn has a test of its own.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

NAMES = [name for name in estimators.__all__ if name[0].isupper()]
BUDGET = {
    "Perceptron": dict(max_updates=3000),
    "ZeroOne": dict(max_work=1e6),
    "HoKashyap": dict(max_updates=300),
}
RANDOM = "its labels are random, so that no plane separates the classes: there is no largest margin"
OVERLAP = "its classes overlap, so that no plane separates them: there is no largest margin"
REFUSED = {
    "MaxMargin": {
        "check_classifier_data_not_an_array": RANDOM,
        "check_classifiers_train": OVERLAP,
        "check_dtype_object": RANDOM,
        "check_estimators_dtypes": RANDOM,
        "check_estimators_nan_inf": RANDOM,
        "check_fit_check_is_fitted": RANDOM,
        "check_fit_idempotent": RANDOM,
        "check_fit_score_takes_y": RANDOM,
        "check_n_features_in": RANDOM,
        "check_n_features_in_after_fitting": RANDOM,
        "check_supervised_y_2d": RANDOM,
        "check_estimators_pandas": RANDOM,
    },
    "LinearProgram": {
        "check_sample_weight_equivalence_on_dense_data": "separable samples: many planes cost nothing",
    },
}
NOT_EVERYWHERE = {
    "check_estimators_pandas",  # only where pandas is installed
    "check_classifier_data_not_an_array",
    "check_dtype_object",  # before scikit-learn 1.8 a plane separates its labels
}
EXPECTED = {"MaxMargin": ll.NotSeparable, "LinearProgram": AssertionError}
X, Y = ll.data.drawn()
X_OVERLAP, Y_OVERLAP = ll.data.drawn(overlap=True)
WORDS = np.where(Y > 0, "ham", "spam")


def make(name):
    return getattr(estimators, name)(**BUDGET.get(name, {}))


@pytest.mark.parametrize("name", NAMES)
def test_it_passes_every_check_of_scikit_learn(name):
    """All of check_estimator; what must be refused is declared, and refused for the declared reason."""
    results = check_estimator(
        make(name), expected_failed_checks=REFUSED.get(name, {}), on_skip=None, on_fail=None
    )
    by_status = {s: [r for r in results if r["status"] == s] for s in ("passed", "failed", "xfail")}
    assert [(r["check_name"], r["exception"]) for r in by_status["failed"]] == []
    assert all(isinstance(r["exception"], EXPECTED[name]) for r in by_status["xfail"])
    assert len(by_status["passed"]) + len(by_status["xfail"]) >= 50
    declared = REFUSED.get(name, {}).keys() - NOT_EVERYWHERE
    assert declared <= {r["check_name"] for r in by_status["xfail"]}


@pytest.mark.parametrize("name", NAMES)
def test_parameters_are_the_functions_keywords(name):
    """Same names and defaults; C and weights are scikit-learn's, some keywords stay with the functions."""
    words = {"HoKashyap": "ho_kashyap", "LeastSquares": "least_squares", "MaxMargin": "max_margin"}
    words |= {"LinearProgram": "linear_program", "ZeroOne": "zero_one"}
    function = words.get(name, name.lower())
    theirs = {k: p.default for k, p in inspect.signature(getattr(ll, function)).parameters.items()}
    ours = getattr(estimators, name)().get_params()
    ours = {k: v for k, v in ours.items() if k not in ("C", "class_weight")}
    assert ours == {k: theirs[k] for k in ours}


@pytest.mark.parametrize("name", NAMES)
def test_the_plane_is_the_functions(name):
    """fit_ is the Fit of the function for labels ±1, the later label playing +1."""
    model = make(name).fit(X, WORDS)
    again = make(name)._learn(X, -Y)  # "spam" comes after "ham"
    assert model.classes_.tolist() == ["ham", "spam"]
    assert np.array_equal(model.fit_.plane.a, again.plane.a)
    assert np.array_equal(model.coef_, again.plane.w[None])
    assert np.array_equal(model.intercept_, [again.plane.b])
    assert model.n_iter_ == model.fit_.trace[-1].k
    model.fit_.verify(X, -Y)
    assert model.decision_function(X) == pytest.approx(model.fit_.plane.score(X))
    assert np.array_equal(model.predict(X) == "spam", model.fit_.plane.predict(X) > 0)


@pytest.mark.parametrize("labels", [(0, 1), (-1, 1), (1, 2), ("a", "b"), (False, True), (2.0, 7.0)])
@pytest.mark.parametrize("name", NAMES)
def test_any_two_labels_will_do(name, labels):
    model = make(name).fit(X, np.where(Y > 0, labels[1], labels[0]))
    assert set(model.predict(X).tolist()) <= set(labels)
    assert np.array_equal(model.coef_, make(name).fit(X, Y).coef_)


def test_ties_go_to_the_first_class():
    """sgn(0) = -1, as everywhere in the course."""
    model = estimators.MaxMargin().fit([[0.0], [2.0]], ["left", "right"])
    assert model.predict([[1.0], [1.1]]).tolist() == ["left", "right"]


@pytest.mark.parametrize("name", NAMES)
def test_cloned_and_pickled(name):
    model = make(name).fit(X, WORDS)
    assert clone(model).get_params() == model.get_params()
    assert not hasattr(clone(model), "fit_")
    back = pickle.loads(pickle.dumps(model))
    assert np.array_equal(back.decision_function(X), model.decision_function(X))
    assert repr(back.fit_) == repr(model.fit_)
    with pytest.raises(NotFittedError):
        clone(model).predict(X)


@pytest.mark.parametrize("name", NAMES)
def test_feature_names_are_kept_and_compared(name):
    """A pandas table is its values; its column names are remembered, and another order is refused."""
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(X, columns=["width", "height"])
    model = make(name).fit(table, pandas.Series(WORDS))
    assert model.feature_names_in_.tolist() == ["width", "height"]
    assert np.array_equal(model.coef_, make(name).fit(X, WORDS).coef_)
    assert np.array_equal(model.predict(table), make(name).fit(X, WORDS).predict(X))
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(table[["height", "width"]])


@pytest.mark.parametrize("C", [1e-6, 0.01, 1.0, 100.0])
def test_C_is_scikit_learns(C):
    """Logistic: λ = 1/(C·n). SVM: the same C."""
    y = np.where(Y_OVERLAP > 0, "p", "n")
    ours = estimators.Logistic(C=C).fit(X_OVERLAP, y)
    theirs = LogisticRegression(C=C, solver="newton-cholesky", tol=1e-12).fit(X_OVERLAP, y)
    assert ours.coef_ == pytest.approx(theirs.coef_, rel=1e-5)
    assert ours.predict_proba(X_OVERLAP) == pytest.approx(theirs.predict_proba(X_OVERLAP), abs=1e-6)
    ours = estimators.SVM(C=C).fit(X_OVERLAP, y)
    theirs = SVC(kernel="linear", C=C, tol=1e-8).fit(X_OVERLAP, y)
    assert ours.coef_ == pytest.approx(theirs.coef_, rel=1e-4, abs=1e-7)
    assert ours.fit_.certificate.options["C"] == C


@pytest.mark.parametrize("name", ["Logistic", "SVM"])
@pytest.mark.parametrize("C", [0, -1, np.nan, "1"])
def test_a_C_that_is_no_penalty_parameter_is_refused(name, C):
    infinite = ", or `np.inf` for no penalty" if name == "Logistic" else ""
    with pytest.raises(ValueError, match=f"`C` must be a finite number > 0{infinite}; got"):
        getattr(estimators, name)(C=C).fit(X, Y)


@pytest.mark.parametrize("name", ["Logistic", "LDA"])
def test_probabilities(name):
    """Positive, summing to 1, monotone in the score, one half on the plane, logarithms to match."""
    model = make(name).fit(X_OVERLAP, Y_OVERLAP)
    P, f = model.predict_proba(X_OVERLAP), model.decision_function(X_OVERLAP)
    assert P.sum(axis=1) == pytest.approx(np.ones(28)) and P.min() > 0
    assert np.log(P[:, 1] / P[:, 0]) == pytest.approx(f)
    assert model.predict_log_proba(X_OVERLAP) == pytest.approx(np.log(P))
    assert np.isfinite(model.predict_log_proba(X_OVERLAP * 1e4)).all()


def test_who_has_no_probability_does_not_pretend():
    assert {n for n in NAMES if hasattr(getattr(estimators, n), "predict_proba")} == {
        "Logistic",
        "LDA",
    }


def test_the_estimated_probabilities_add_up_to_the_class_counts():
    """The offset is not penalised, so the mean probability is the share of the class (C = inf too)."""
    for C in (0.1, 10.0, np.inf):
        P = estimators.Logistic(C=C).fit(X_OVERLAP, Y_OVERLAP).predict_proba(X_OVERLAP)
        assert P[:, 1].sum() == pytest.approx((Y_OVERLAP > 0).sum(), abs=1e-6)


def test_without_a_minimiser_probabilities_are_the_limits(tmp_path):
    """Separable, C = inf: 0 and 1 away from the plane, 1/2 on it."""
    model = estimators.Logistic(C=np.inf).fit([[0.0], [1.0], [1.0], [2.0]], [0, 0, 1, 1])
    for _ in range(2):
        assert model.predict_proba([[0.0], [1.0], [2.0]]).tolist() == [[1, 0], [0.5, 0.5], [0, 1]]
        model.fit_.save(tmp_path / "fit.npz")
        model.fit_ = ll.Fit.load(tmp_path / "fit.npz")


def test_cross_validation_of_zero_one_returns_within_its_budget():
    """On indicators beside real columns; the same work on every machine."""
    rng = np.random.default_rng(0)
    hot = [rng.integers(0, k, 150)[:, None] == np.arange(k) for k in (4, 3)]
    X = np.column_stack([rng.standard_normal((150, 2)), *hot])
    y = np.where(X @ rng.standard_normal(9) + rng.standard_normal(150) > 0, "yes", "no")
    models = cross_validate(
        estimators.ZeroOne(max_work=5e8), X, y, return_estimator=True, error_score="raise"
    )["estimator"]
    assert all(model.fit_.trace[-1].work < 2e9 for model in models)
    assert all(model.fit_.certificate.lower <= model.fit_.certificate.upper for model in models)


def test_it_works_in_pipelines_and_grid_searches():
    X, y = ll.data.breast_cancer()
    names = np.where(y > 0, "malignant", "benign")
    assert (
        cross_val_score(make_pipeline(StandardScaler(), estimators.Logistic()), X, names).mean()
        > 0.97
    )
    search = GridSearchCV(
        make_pipeline(StandardScaler(), estimators.SVM()), {"svm__C": [1e-3, 1e-1]}, cv=3
    )
    assert search.fit(X, names).best_params_["svm__C"] == 0.1
    assert search.best_estimator_[-1].fit_.certificate.gap < 1e-6


def test_what_cannot_be_learned_is_refused_with_a_reason():
    with pytest.raises(ll.NotSeparable):
        estimators.MaxMargin().fit(*ll.data.xor())
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        estimators.Fisher().fit(np.eye(3), [0, 1, 2])
    with pytest.raises(ValueError, match=r"`y` must contain two classes; got 1 class, \[7\]"):
        estimators.LDA().fit(np.eye(3), [7, 7, 7])
    with pytest.raises(ValueError, match=r"`y` must contain at least two classes; got 1 class"):
        estimators.Logistic().fit(np.eye(3), [7, 7, 7])


def test_they_are_loaded_when_first_asked_for():
    """`linlearn.estimators` needs no import of its own, and scikit-learn is not loaded before."""
    code = (
        "import sys, linlearn; before = 'sklearn' in sys.modules;"
        "print(before, linlearn.estimators.SVM().C, 'sklearn' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "1.0", "True"]


def test_without_scikit_learn_the_message_says_what_to_install():
    code = "import sys; sys.modules['sklearn.base'] = None; import linlearn; linlearn.estimators"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install scikit-learn" in done.stderr.splitlines()[-1]


# -- what proves it, kept and checked again -------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_certificate_is_verified_on_the_labels_one_has(name):
    """Also in a pipeline, on the samples as they came, by their names; other labels do not pass."""
    pandas = pytest.importorskip("pandas")
    model = make(name).fit(X, WORDS)
    assert model.certificate_ is model.fit_.certificate
    assert repr(model.verify(X, WORDS)) == repr(model.certificate_)
    table = pandas.DataFrame(1000 * X + 7, columns=["width", "height"])
    pipe = make_pipeline(StandardScaler(), make(name)).fit(table, pandas.Series(WORDS))
    found = estimators.verify(pipe, table, pandas.Series(WORDS))
    assert repr(found) == repr(pipe[-1].certificate_)
    with pytest.raises(ValueError, match="`y` must contain only the labels"):
        model.verify(X, Y)
    with pytest.raises(ValueError, match=r"the certificate claims|these data"):
        model.verify(X, np.where(X[:, 0] > 2, "ham", "spam"))


def test_only_models_of_this_package_are_verified():
    with pytest.raises(
        ValueError,
        match=r"`model` must be an estimator of `linlearn.estimators`.*got SVC\. .*`linlearn.certify",
    ):
        estimators.verify(SVC(), X, Y)


def test_an_open_gap_warns_and_an_answer_does_not():
    with pytest.warns(
        ConvergenceWarning,
        match="Perceptron stopped before the two bounds of its certificate met: Certificate",
    ):
        estimators.Perceptron(max_updates=5).fit(X_OVERLAP, Y_OVERLAP)
    with pytest.warns(ConvergenceWarning, match=r"ZeroOne stopped .*\. Raise `max_work`\.$"):
        estimators.ZeroOne(max_work=1).fit(X_OVERLAP, Y_OVERLAP)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        estimators.ZeroOne().fit(X_OVERLAP, Y_OVERLAP)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kind in (estimators.SVM, estimators.Logistic, estimators.LDA, estimators.LinearProgram):
            kind().fit(X_OVERLAP, Y_OVERLAP)


def test_a_refusal_names_the_estimator_where_cross_validation_hides_it():
    samples, labels = [[0.0], [1.0], [2.0], [3.0], [0.5]], [0, 0, 1, 1, 1]
    apart, mixed = ([0, 1, 2, 3], [4]), ([0, 1, 2, 3, 4], [0])
    with pytest.warns(FitFailedWarning, match="NotSeparable: MaxMargin: `X` must be separable"):
        cross_val_score(estimators.MaxMargin(), samples, labels, cv=[apart, mixed])
    with pytest.raises(ValueError, match=r"^SVM: `C` must be a finite number"):
        estimators.SVM(C=-1.0).fit(X, Y)


def test_a_start_is_passed_on():
    begin = ll.Hyperplane([1.0, 2.0], -4.0)
    assert (
        estimators.Perceptron(start=begin).fit(X, Y).n_iter_
        == ll.perceptron(X, Y, start=begin).trace[-1].k
    )
    far = ll.Hyperplane([3.0, -2.0], 1.0)
    for kind in (estimators.Logistic, estimators.LMS):
        model = kind(start=far).fit(X_OVERLAP, Y_OVERLAP)
        first = clone(model)._learn(X_OVERLAP, Y_OVERLAP).trace[0].plane
        assert first.a == pytest.approx(far.a)


@pytest.mark.parametrize("name", ["Perceptron", "LMS", "Logistic", "ZeroOne"])
def test_a_pickle_holds_no_samples(name):
    """Fifty times the samples leave it as small, but for the numbers of the dual witness."""
    sizes = []
    for times in (1, 50):
        tall, labels = np.repeat(X, times, axis=0), np.repeat(Y, times)
        model = make(name).fit(np.column_stack([tall, np.zeros((len(tall), 20))]), labels)
        sizes.append(len(pickle.dumps(model)))
        assert repr(pickle.loads(pickle.dumps(model)).fit_) == repr(model.fit_)
    assert sizes[1] - sizes[0] < 8 * 49 * 24 * 2.5  # a float of the witness, and an index at most


LABELS = [
    np.where(Y > 0, "ham", "spam"),
    np.where(Y > 0, "ham", "spam").astype(object),
    Y > 0,
    (3 * Y).astype(int),
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("labels", LABELS, ids=["words", "objects", "booleans", "numbers"])
def test_saved_and_loaded_a_model_predicts_and_proves(tmp_path, name, labels):
    model = make(name).fit(X, labels)
    estimators.save(model, tmp_path / "m")
    back = estimators.load(tmp_path / "m")
    assert type(back) is type(model) and back.get_params() == model.get_params()
    assert (
        back.classes_.tolist() == model.classes_.tolist()
        and back.classes_.dtype == model.classes_.dtype
    )
    assert np.array_equal(back.predict(X), model.predict(X))
    assert repr(back.fit_) == repr(model.fit_) and back.n_iter_ == model.n_iter_
    assert repr(back.verify(X, labels)) == repr(model.certificate_)
    assert repr(ll.Fit.load(tmp_path / "m")) == repr(model.fit_)  # it is a fit's file, too


def test_names_of_features_and_a_scaler_are_kept(tmp_path):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(1000 * X + 7, columns=["width", "height"])
    for scaler in (
        StandardScaler(),
        StandardScaler(with_mean=False),
        StandardScaler(with_std=False),
    ):
        pipe = make_pipeline(scaler, estimators.SVM(C=2.0)).fit(table, WORDS)
        estimators.save(pipe, tmp_path / "m.npz")
        back = estimators.load(tmp_path / "m.npz")
        assert np.array_equal(back.decision_function(table), pipe.decision_function(table))
        assert back.feature_names_in_.tolist() == ["width", "height"]
        assert estimators.verify(back, table, WORDS).gap < 1e-6
        with pytest.raises(ValueError, match="feature names should match"):
            back.predict(table[["height", "width"]])
    begin = ll.Hyperplane([1.0, 2.0], -4.0)
    estimators.save(estimators.Perceptron(start=begin).fit(X, Y), tmp_path / "p")
    assert np.array_equal(estimators.load(tmp_path / "p").start.a, begin.a)


@pytest.mark.parametrize("labels", [WORDS, np.arange(len(Y)) % 3], ids=["two", "three"])
def test_a_model_alone_keeps_the_names_of_its_features(tmp_path, labels):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(X, columns=["width", "height"])
    estimators.save(estimators.Logistic().fit(table, labels), tmp_path / "m")
    back = estimators.load(tmp_path / "m")
    assert back.feature_names_in_.tolist() == ["width", "height"]
    with pytest.raises(ValueError, match="feature names should match"):
        back.predict(table[["height", "width"]])


def table_of_everything():
    """A frame with words, gaps, numbers and texts, and labels in words."""
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(5)
    y = np.where(rng.random(80) < 0.4, "spam", "ham")
    table = pandas.DataFrame(
        {
            "length": np.where(rng.random(80) < 0.2, np.nan, 1e4 * rng.normal(size=80)),
            "sender": rng.choice(["known", "new", None], 80),
            "text": [f"{rng.choice(['buy', 'meet'])} {rng.choice(['now', 'later'])}" for _ in y],
        }
    )
    numbers = make_pipeline(SimpleImputer(add_indicator=True), StandardScaler())
    steps = [
        ("numbers", numbers, make_column_selector(dtype_include="number")),
        ("words", OneHotEncoder(handle_unknown="ignore"), ["sender"]),
        ("texts", TfidfVectorizer(ngram_range=(1, 2)), "text"),
    ]
    return ColumnTransformer(steps, sparse_threshold=0), table, y


IN_ANOTHER_PROCESS = """
import json, sys
import pandas
from linlearn import estimators
for line in sys.stdin:
    model, table, *column = json.loads(line)
    model, X = estimators.load(model), pandas.read_csv(table)
    X = X[column[0]] if column else X
    print(json.dumps([model.predict(X).tolist(), model.decision_function(X).tolist()]), flush=True)
"""


@pytest.fixture(scope="module")
def elsewhere():
    """Another process, which never sees what a model was fitted on: what it predicts with a saved one."""
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with subprocess.Popen([sys.executable, "-c", IN_ANOTHER_PROCESS], **pipes) as process:

        def predicted(*names):
            process.stdin.write(json.dumps([*map(str, names)]) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield predicted


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("first", ["columns", "sparse columns", "texts"])
@pytest.mark.parametrize("name", ["Logistic", "SVM"])
def test_a_whole_pipeline_predicts_elsewhere_without_the_data(
    name, first, classes, tmp_path, elsewhere
):
    """In another process, on rows with an unknown word and a gap, to the last bit."""
    columns, table, y = table_of_everything()
    new = table[:5].copy()
    new.loc[0, "sender"], new.loc[1, "length"], new.loc[2, "text"] = (
        "never seen",
        np.nan,
        "unheard of",
    )
    new.to_csv(tmp_path / "new.csv", index=False)
    if classes == 3:
        if name == "SVM":
            pytest.skip("two classes only")
        y = np.where(np.arange(80) % 4 == 0, "to read", y)
    step, column = (TfidfVectorizer(), ["text"]) if first == "texts" else (columns, [])
    if first == "sparse columns":
        columns.set_params(sparse_threshold=1.0)
    old, new = (table["text"], new["text"]) if column else (table, new)
    pipe = make_pipeline(step, make(name)).fit(old, y)
    assert sparse.issparse(pipe[:-1].transform(new)) == (first != "columns")
    assert pipe[-1].certificate_.relative_gap < 1e-6
    estimators.save(pipe, tmp_path / "m")
    assert b"pickle" not in (tmp_path / "m").read_bytes()
    words, scores = elsewhere(tmp_path / "m", tmp_path / "new.csv", *column)
    assert words == pipe.predict(new).tolist()
    assert scores == pipe.decision_function(new).tolist()
    back = estimators.load(tmp_path / "m")
    assert repr(back[-1].certificate_) == repr(pipe[-1].certificate_)
    assert estimators.verify(back, old, y).relative_gap < 1e-6
    with pytest.raises(ValueError, match="the certificate claims"):
        estimators.verify(back, old, np.sort(y))


def test_what_wraps_an_estimator_is_verified_too():
    columns, table, y = table_of_everything()
    pipe = make_pipeline(columns, estimators.Logistic())
    for wrapped in (
        GridSearchCV(pipe, {"logistic__C": [0.1, 1.0]}),
        CalibratedClassifierCV(pipe, ensemble=False),
        TunedThresholdClassifierCV(pipe, cv=3),
    ):
        assert estimators.verify(wrapped.fit(table, y), table, y).relative_gap < 1e-6
    bags = CalibratedClassifierCV(pipe, ensemble=True, cv=3).fit(table, y)
    with pytest.raises(ValueError, match="Call `verify") as refused:
        estimators.verify(bags, table, y)
    (call,) = re.findall(r"`(verify\(.*\))`", str(refused.value))
    known = {"model": bags, "X": table, "y": y, "verify": estimators.verify, "clone": clone}
    assert eval(call, known).relative_gap < 1e-6


def test_labels_in_an_array_of_objects_are_refused_with_the_array_to_make():
    labels = np.array([int(v > 0) for v in Y], dtype=object)
    with pytest.raises(
        ValueError,
        match=r"`y` must have a dtype of numbers .*; got dtype object with entries of type int",
    ) as no:
        estimators.SVM().fit(X, labels)
    (remedy,) = re.findall(r"`y = (.*)`", str(no.value))
    assert estimators.SVM().fit(X, eval(remedy, {"np": np, "y": labels})).classes_.tolist() == [
        0,
        1,
    ]


@pytest.mark.parametrize("other", ["order", "word", "one text", "fewer columns"])
def test_other_samples_than_a_pipeline_was_fitted_on_are_refused_by_its_steps_reason(other):
    """Also by `certify`; the remedy selects the columns in their order."""
    columns, table, y = table_of_everything()
    columns.set_params(words__handle_unknown="error", numbers__simpleimputer__strategy="median")
    given = {
        "order": None,
        "word": table.assign(sender="never seen"),
        "one text": "buy now",
        "fewer columns": table[["length", "text"]],
    }[other]
    if given is None:
        two = table.assign(age=np.arange(80.0))[["length", "age"]].fillna(0)
        scaled = make_pipeline(StandardScaler(), LogisticRegression()).fit(two, y)
        given = two[["age", "length"]]
        with pytest.raises(ValueError, match=r"`X` must hold the samples.*same order") as no:
            ll.certify(scaled, given, y)
        (remedy,) = re.findall(r"`(X\[.*\])`", str(no.value))
        assert ll.certify(scaled, eval(remedy, {"X": given, "model": scaled}), y).excess[1] < 1e-6
        return
    for last, call in (
        (LogisticRegression(), ll.certify),
        (estimators.Logistic(), estimators.verify),
    ):
        model = make_pipeline(columns, last).fit(table, y)
        with pytest.raises(
            ValueError, match="`X` must hold the samples on which the pipeline was fitted"
        ):
            call(model, given, y)


def test_a_pipeline_of_ours_is_sent_from_certify_to_verify():
    columns, table, y = table_of_everything()
    pipe = make_pipeline(columns, estimators.Logistic()).fit(table, y)
    with pytest.raises(ValueError, match=r"call `linlearn.estimators.verify\(model, X, y\)`"):
        ll.certify(pipe, table, y)


def test_without_skops_a_pipeline_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "skops.io", None)
    estimators.save(estimators.SVM().fit(X, Y), tmp_path / "alone")  # which needs none
    with pytest.raises(ModuleNotFoundError, match="pip install skops"):
        estimators.save(make_pipeline(StandardScaler(), estimators.SVM()).fit(X, Y), tmp_path / "m")


def twice(X):
    return 2 * X


def test_what_cannot_be_saved_or_loaded_says_so(tmp_path):
    with pytest.raises(
        ValueError,
        match=r"`model` must be .*got a Pipeline that ends in SVC.*`skops.io.dump\(model, path\)`",
    ):
        estimators.save(make_pipeline(MinMaxScaler(), SVC()).fit(X, Y), tmp_path / "m")
    for step in (
        FunctionTransformer(lambda X: 2 * X),
        FunctionTransformer(twice),
        SplineTransformer(),
    ):
        pipe = make_pipeline(step, estimators.SVM()).fit(X, Y)
        with pytest.raises(
            ValueError,
            match=rf"cannot be saved safely; got the step '{type(step).__name__.lower()}', which",
        ):
            estimators.save(pipe, tmp_path / "m")
    search = GridSearchCV(estimators.SVM(), {"C": [0.1, 1.0]}).fit(X, Y)
    with pytest.raises(ValueError, match=r"`save\(model.best_estimator_, path\)`"):
        estimators.save(search, tmp_path / "m")
    assert not (tmp_path / "m").exists()
    with pytest.raises(NotFittedError):
        estimators.save(estimators.SVM(), tmp_path / "m")
    picky = estimators.Perceptron(order=lambda wrong, scores: int(wrong[0])).fit(X, Y)
    with pytest.raises(ValueError, match="`order` must be None, a number"):
        estimators.save(picky, tmp_path / "m")
    ll.separate(X, Y).save(tmp_path / "fit")
    with pytest.raises(
        ValueError, match=r"`path` must be a file written by `estimators.save`.*`Fit.load`"
    ):
        estimators.load(tmp_path / "fit")
    estimators.save(estimators.SVM().fit(X, Y), tmp_path / "m")
    with np.load(tmp_path / "m") as stored:
        arrays = {name: stored[name] for name in stored.files}
    for change in (
        {"format": "linlearn model 9"},
        {"model": "os"},
        {"model": "load"},
        {"parameters": {"D": 1}},
    ):
        head = json.loads(str(arrays["model"])) | change
        np.savez(tmp_path / "other.npz", **(arrays | {"model": np.array(json.dumps(head))}))
        with pytest.raises(ValueError, match=r"`path` must be a file written by `estimators.save`"):
            estimators.load(tmp_path / "other.npz")
    damaged = bytearray((tmp_path / "m").read_bytes())
    damaged[damaged.find(arrays["classes"].tobytes())] ^= 1  # behind the fit, which reads well
    (tmp_path / "damaged").write_bytes(damaged)
    with pytest.raises(
        ValueError, match=r"by `estimators.save`.*Bad CRC-32 for file 'classes.npy'"
    ):
        estimators.load(tmp_path / "damaged")


# weights

WEIGHTED = [
    name for name in NAMES if issubclass(getattr(estimators, name), estimators.WeightedClassifier)
]
COUNTS = np.random.default_rng(0).integers(0, 4, len(Y_OVERLAP))
COUNTS[:2] = COUNTS[-2:] = 2
COPIES = np.repeat(X_OVERLAP, COUNTS, axis=0), np.repeat(np.where(Y_OVERLAP > 0, "p", "n"), COUNTS)
LABELS = np.where(Y_OVERLAP > 0, "p", "n")


def assert_one_value(one, other):
    """Two enclosures of the same number, both closed."""
    assert one.lower <= other.upper * (1 + 1e-12) and other.lower <= one.upper * (1 + 1e-12)
    assert max(one.relative_gap, other.relative_gap) < 1e-8


@pytest.mark.parametrize("class_weight", [None, "balanced", {"p": 3.0}])
@pytest.mark.parametrize("name", WEIGHTED)
def test_a_weight_of_two_is_two_samples(name, class_weight):
    """The same value, enclosed twice; `verify` needs no weights, since the certificate has them."""
    make = getattr(estimators, name)
    ours = make(class_weight=class_weight).fit(X_OVERLAP, LABELS, sample_weight=COUNTS)
    theirs = make(class_weight=class_weight).fit(*COPIES)
    assert_one_value(ours.verify(X_OVERLAP, LABELS), theirs.verify(*COPIES))
    if name != "LinearProgram":  # whose plane need not be unique
        assert ours.coef_ == pytest.approx(theirs.coef_, rel=1e-5, abs=1e-8)
    with pytest.raises(ValueError, match="the certificate claims"):
        ours.verify(X_OVERLAP[::-1], LABELS[::-1])


@pytest.mark.parametrize("name", WEIGHTED)
def test_weights_of_classes_multiply_those_of_samples(name):
    make = getattr(estimators, name)
    given = {"p": 3.0, "n": 0.5}
    ours = make(class_weight=given).fit(X_OVERLAP, LABELS, COUNTS).certificate_
    each = COUNTS * np.where(Y_OVERLAP > 0, 3.0, 0.5)
    assert_one_value(ours, make().fit(X_OVERLAP, LABELS, sample_weight=each).certificate_)
    balanced = make(class_weight="balanced").fit(X_OVERLAP, LABELS).certificate_
    each = np.where(Y_OVERLAP > 0, 14 / (Y_OVERLAP > 0).sum(), 14 / (Y_OVERLAP < 0).sum())
    assert_one_value(balanced, make().fit(X_OVERLAP, LABELS, each).certificate_)


@pytest.mark.parametrize("class_weight", [None, "balanced", {0: 2.0, 1: 5.0}])
def test_the_weighted_plane_is_scikit_learns(class_weight):
    y = (Y_OVERLAP > 0).astype(int)
    ours = estimators.SVM(C=0.7, class_weight=class_weight).fit(
        X_OVERLAP, y, sample_weight=1 + COUNTS
    )
    theirs = SVC(kernel="linear", C=0.7, class_weight=class_weight, tol=1e-8)
    if class_weight == "balanced":  # theirs counts samples, ours their weights
        total = (1 + COUNTS).sum() / 2
        theirs.class_weight = {k: total / (1 + COUNTS)[y == k].sum() for k in (0, 1)}
    theirs.fit(X_OVERLAP, y, sample_weight=1 + COUNTS)
    assert ours.coef_ == pytest.approx(theirs.coef_, rel=1e-4, abs=1e-7)


@pytest.mark.parametrize("name", sorted(set(NAMES) - set(WEIGHTED)))
def test_where_the_theory_has_no_weights_there_is_no_such_argument(name):
    with pytest.raises(TypeError, match="unexpected keyword argument 'sample_weight'"):
        make(name).fit(X, Y, sample_weight=np.ones(24))
    with pytest.raises(TypeError, match="unexpected keyword argument 'class_weight'"):
        getattr(estimators, name)(class_weight="balanced")
    with pytest.raises(ValueError, match=rf"'class_weight' for estimator {name}\("):
        make(name).set_params(class_weight="balanced")


@pytest.mark.parametrize(
    ("options", "weights", "says"),
    [
        (
            {"class_weight": {"P": 2.0}},
            None,
            r"must have only labels from `y` as its keys, here \['n', 'p'\]; got the key 'P'",
        ),
        (
            {"class_weight": {"p": 2.0, 1: 1.0}},
            None,
            r"must have only labels from `y` as its keys, .*; got the key 1\. Write",
        ),
        ({"class_weight": [1.0, 2.0]}, None, '`class_weight` must be None, "balanced" or a dict'),
        ({"class_weight": np.ones(2)}, None, '`class_weight` must be None, "balanced" or a dict'),
        ({"class_weight": "even"}, None, '`class_weight` must be None, "balanced" or a dict'),
        (
            {"class_weight": {"p": -1.0}},
            None,
            r"`class_weight\['p'\]` must be a finite number > 0; got -1",
        ),
        ({}, -np.ones(28), "`sample_weight` must be ≥ 0, .* got -1"),
        (
            {},
            np.where(Y_OVERLAP > 0, 1.0, 0.0),
            r"positive entry in each class; got only zeros in class 'n'\. Give a positive weight",
        ),
        ({}, np.ones(27), r"`sample_weight` must hold one \w+ for each of the 28 samples"),
    ],
)
@pytest.mark.parametrize("name", WEIGHTED)
def test_weights_that_are_none_are_refused(name, options, weights, says):
    with pytest.raises(ValueError, match=rf"^{name}: .*{says}|^{name}: {says}"):
        getattr(estimators, name)(**options).fit(X_OVERLAP, LABELS, sample_weight=weights)


def test_a_weighted_model_is_saved_and_verified(tmp_path):
    model = estimators.SVM(class_weight={"p": 3.0}).fit(X_OVERLAP, LABELS, sample_weight=COUNTS)
    estimators.save(model, tmp_path / "m")
    back = estimators.load(tmp_path / "m")
    assert back.class_weight == {"p": 3.0}
    assert back.verify(X_OVERLAP, LABELS).gap == pytest.approx(model.certificate_.gap)


def perfect(seed=0, n=60):
    """A dummy that predicts one class, beside age."""
    rng = np.random.default_rng(seed)
    age = rng.integers(20, 70, n).astype(float)
    y = np.where(rng.random(n) < 1 / (1 + np.exp(-(age - 45) / 6)), "yes", "no")
    z = np.where(np.arange(n) < 8, 1.0, 0.0)
    y[:8] = "yes"
    return np.column_stack([z, age]), y


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_logistic_regression_predicts_the_limit_that_it_certifies(seed, scaled, tmp_path):
    """Quasi-complete separation: a warning that names the column; probabilities that cost what is proved."""
    X, y = perfect(seed)
    model = (
        make_pipeline(StandardScaler(), estimators.Logistic(C=np.inf))
        if scaled
        else estimators.Logistic(C=np.inf)
    )
    with pytest.warns(
        estimators.PerfectSeparationWarning,
        match=r"Column 0 predicts .* some samples perfectly \(quasi-complete",
    ):
        model.fit(X, y)
    last = model[-1] if scaled else model
    P, signs = model.predict_proba(X)[:, 1], np.where(y == "yes", 1, -1)
    cost = -np.log(np.where(signs > 0, P, 1 - P)).mean()
    assert cost == pytest.approx(last.certificate_.upper, rel=1e-9)
    assert (P[:8] == 1).all() and ((P[8:] > 0) & (P[8:] < 1)).all()
    assert ((P > 0.5) == (model.predict(X) == "yes")).all() and model.score(X, y) > 0.7
    scores = model.decision_function(X)
    assert np.isfinite(scores).all() and ((scores > 0) == (P > 0.5)).all()
    assert model.predict_log_proba(X)[:8, 0].max() == -np.inf
    estimators.save(model, tmp_path / "model.npz")
    assert (estimators.load(tmp_path / "model.npz").predict_proba(X)[:, 1] == P).all()


def test_a_warning_of_separation_is_scikit_learns_and_says_what_to_do():
    pandas = pytest.importorskip("pandas")
    X, y = perfect()
    assert issubclass(estimators.PerfectSeparationWarning, ConvergenceWarning)
    named = pandas.DataFrame(X, columns=["smoker", "age"])
    with pytest.warns(
        ConvergenceWarning, match=r"Column 'smoker' .* \(λ > 0\), or drop the column\."
    ):
        estimators.Logistic(C=np.inf).fit(named, y)
    with pytest.warns(ConvergenceWarning, match=r"\(λ > 0\), or drop one of these columns\."):
        estimators.Logistic(C=np.inf).fit(*ll.data.separable(24, seed=0))
    with pytest.warns(ConvergenceWarning, match=r"labels of all samples perfectly \(complete"):
        estimators.Logistic(C=np.inf).fit([[0.0], [1.0], [2.0]], [0, 1, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        estimators.Logistic().fit(X, y)


def test_a_leaked_label_is_named_by_fisher_and_refused_by_lda():
    X, y = perfect()
    leaked = np.column_stack([X, np.where(y == "yes", 4.0, 1.0)])
    with pytest.warns(
        ConvergenceWarning, match=r"Column 2 is constant within each class .* infinite"
    ):
        model = estimators.Fisher().fit(leaked, y)
    assert model.certificate_.upper == np.inf and model.score(leaked, y) == 1
    with pytest.raises(
        ValueError, match=r"^LDA: `lda` needs features that vary .* column 2 is constant within"
    ):
        estimators.LDA().fit(leaked, y)
    for spare in (X[:, [0, 1, 1]], np.column_stack([X, 0 * X[:, 0] + 0.1, 1 - X[:, 0]])):
        found = estimators.LDA().fit(spare, y)
        assert found.predict_proba(spare) == pytest.approx(
            estimators.LDA().fit(X, y).predict_proba(X), abs=1e-7
        )


def test_columns_of_text_and_with_gaps_are_named():
    pandas = pytest.importorskip("pandas")
    y = ["no", "yes", "yes"]
    words = pandas.DataFrame(
        {"mass": [1.0, 2, 3], "sex": ["m", "f", "m"], "bill": ["3 g", "4", "5"]}
    )
    with pytest.raises(
        ValueError, match=r"got text in columns 'sex' and 'bill', such as 'm' in 'sex'.*OneHot"
    ):
        estimators.Logistic().fit(words, y)
    with pytest.raises(ValueError, match=r"got text in column 'sex', such as 'm'\. Encode"):
        estimators.Logistic().fit(words[["mass", "sex"]], y)
    gaps = pandas.DataFrame({"mass": [1.0, 2, 3], "depth": [1, None, 2.0]})
    with pytest.raises(
        ValueError, match=r"missing values \(NaN\); got some in column 'depth'.*SimpleImputer"
    ):
        estimators.SVM().fit(gaps, y)


# -- sparse samples -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "model",
    [estimators.Logistic(), estimators.SVM(C=3.0), estimators.SVM(class_weight="balanced")],
    ids=str,
)
def test_sparse_samples_give_the_same_hyperplane_and_a_certificate(model):
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(40, 6)) * (rng.random((40, 6)) < 0.4), 2)
    y = np.where(X.sum(axis=1) + rng.normal(size=40) > 0, "yes", "no")
    dense = clone(model).fit(X, y)
    S = sparse.csr_matrix(X)
    thin = clone(model).fit(S, y)
    np.testing.assert_allclose(thin.coef_, dense.coef_, atol=2e-4)
    assert thin.certificate_.relative_gap < 1e-8 and thin.fit_.converged
    assert thin.verify(S, y).relative_gap < 1e-8 and thin.verify(X, y).relative_gap < 1e-8
    np.testing.assert_array_equal(thin.predict(S), thin.predict(X))
    with pytest.raises(ValueError, match=r"dual solutions prove .* fit again"):
        thin.verify(2 * S, y)


@pytest.mark.parametrize(
    "weights", [None, np.random.default_rng(0).uniform(0.2, 3, len(Y_OVERLAP))]
)
@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_sparse_and_dense_samples_have_one_objective(weights, class_weight):
    """One-hot columns make a table sparse: its certificate is about the same mean, and says so."""
    model = estimators.Logistic(C=2.0, class_weight=class_weight)
    dense = clone(model).fit(X_OVERLAP, Y_OVERLAP, weights).certificate_
    thin = clone(model).fit(sparse.csr_array(X_OVERLAP), Y_OVERLAP, weights).certificate_
    assert_one_value(dense, thin)
    assert repr(thin) == repr(dense) and thin.scale == pytest.approx(dense.scale)
    told = json.loads(thin.to_json())
    ends = check.proved(told, X_OVERLAP.tolist(), Y_OVERLAP.astype(int).tolist())
    assert check.holds(told, ends) and float(ends[1] - ends[0]) < 1e-7


@pytest.mark.parametrize(
    "weights", [None, np.random.default_rng(0).uniform(0.2, 3, len(Y_OVERLAP))]
)
@pytest.mark.parametrize("model", [LogisticRegression(tol=1e-9), SGDClassifier("log_loss")])
def test_what_certify_reports_is_what_its_certificate_encloses(model, weights):
    """Sparse or dense: but for weights of SGDClassifier, which divides by n and not by their sum."""
    found = []
    for samples in (X_OVERLAP, sparse.csr_array(X_OVERLAP)):
        one = ll.certify(
            clone(model).fit(samples, Y_OVERLAP, sample_weight=weights),
            samples,
            Y_OVERLAP,
            sample_weight=weights,
        )
        found.append(one.certificate)
        if weights is None or "alpha" not in model.get_params():
            assert one.optimum == pytest.approx((one.certificate.lower, one.certificate.upper))
    if weights is None or "alpha" not in model.get_params():
        assert_one_value(*found)
        assert found[0].named == found[1].named


def test_without_a_penalty_sparse_samples_are_refused():
    with pytest.raises(
        ValueError, match="`C` must be a finite number > 0 if `X` is sparse; got inf"
    ):
        estimators.Logistic(C=np.inf).fit(sparse.eye_array(4, format="csr"), [0, 1, 0, 1])
