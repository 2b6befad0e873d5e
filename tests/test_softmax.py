"""Multinomial bounds against sixty digits, and certificates of models of several classes."""

import re
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_digits, load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC, LinearSVC

import linlearn as ll
from linlearn import check, estimators
from linlearn.certificates import to_json
from linlearn.certificates.certificate import remember
from linlearn.certificates.softmax import enclose_softmax, softmax_risk
from linlearn.solvers.softmax import minimised

X, Y = load_iris(return_X_y=True)
WORDS = np.array(["setosa", "versicolor", "virginica"])[Y]
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
S = np.random.default_rng(3).uniform(0.2, 3, len(Y))


def decimals(values):
    return [Decimal(float(v)) for v in values]


def value(X, y, k, v):
    """F(W, b) from its definition."""
    rows = [decimals(row) for row in v]
    total = sum(w * w for row in rows for w in row[:-1]) / 2
    for x, label, weight in zip(X, y, k, strict=True):
        z = [
            sum((u * w for u, w in zip(decimals(x), row[:-1], strict=True)), row[-1])
            for row in rows
        ]
        top = max(z)
        lse = top + sum((one - top).exp() for one in z).ln()
        total += Decimal(float(weight)) * (lse - z[label])
    return total


def dual_value(X, y, k, A, fit_intercept):
    """The dual function from its definition; A must be feasible, in fractions."""
    exact = [[Fraction(float(a)) for a in row] for row in A]
    assert all(sum(row) == 0 for row in exact)
    assert not fit_intercept or all(sum(column) == 0 for column in zip(*exact, strict=True))
    total = Decimal(0)
    for row, label, weight in zip(exact, y, k, strict=True):
        if weight == 0:
            assert not any(row)
            continue
        p = [(c == label) - a / Fraction(float(weight)) for c, a in enumerate(row)]
        assert min(p) >= 0 and sum(p) == 1
        p = [Decimal(one.numerator) / Decimal(one.denominator) for one in p]
        total -= Decimal(float(weight)) * sum(one * one.ln() for one in p if one)
    for column in A.T:
        for feature in X.T:
            pull = sum(
                (a * x for a, x in zip(decimals(column), decimals(feature), strict=True)),
                Decimal(0),
            )
            total -= pull * pull / 2
    return total


def drawn(seed):
    """A small problem of any scale; its parameters need not be good, nor its multipliers feasible."""
    rng = np.random.default_rng(seed)
    K, d = int(rng.integers(2, 6)), int(rng.integers(1, 9))
    n = int(rng.integers(K, K + 8))
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.6) * 10.0 ** rng.integers(-4, 5)
    X = X * 10.0 ** rng.integers(-2, 3, d)
    y = rng.permutation(np.append(np.arange(K), rng.integers(0, K, n - K)))
    k = np.full(n, 10.0 ** rng.uniform(-4, 4)) if seed % 3 else 10.0 ** rng.uniform(-3, 3, n)
    if seed % 7 == 0:
        k[0] = 0.0
    v = rng.normal(size=(K, d + 1)) * 10.0 ** rng.integers(-5, 2)
    fit_intercept = bool(seed % 4)
    if not fit_intercept:
        v[:, -1] = 0.0
    dual = None
    if (
        seed % 5 == 0
    ):  # any numbers, also so few that the columns cannot be balanced by lessening alone
        dual = -rng.random((n, K)) * k[:, None] * (rng.random((n, K)) < rng.random())
    return X, y, k, v, dual, fit_intercept


def check_both_ends(seed, dense):
    X, y, k, v, dual, fit_intercept = drawn(seed)
    given_X = X if dense else sparse.csr_array(X)
    found = enclose_softmax(
        given_X, y, primal=v, dual=dual, sample_weight=k, fit_intercept=fit_intercept
    )
    with localcontext(prec=60):
        true = value(X, y, k, v)
        proved = max(dual_value(X, y, k, found.dual, fit_intercept), Decimal(0))
        assert true <= Decimal(found.upper)
        assert Decimal(found.lower) <= proved
        scores = np.abs(X) @ np.abs(v[:, :-1]).T + np.abs(v[:, -1])
        size = max(true, Decimal(found.scale), Decimal(float(k.sum() * scores.max())))
        assert (
            Decimal(found.upper) - true <= Decimal("1e-13") * size
        )  # nor do the ends give much away
        assert proved - Decimal(found.lower) <= Decimal("1e-12") * max(size, proved)
    again = enclose_softmax(given_X, y, primal=v, dual=found.dual, **found.options)
    assert (again.lower, again.upper) == (found.lower, found.upper)


@given(st.integers(0, 10**9), st.booleans())
def test_both_ends_hold_to_sixty_digits(seed, dense):
    check_both_ends(seed, dense)


def test_columns_are_balanced_exactly_however_many_entries_are_missing():
    """Lessened where there is something to lessen, else raised where there is room."""
    F = softmax_risk(X[:6], [0, 0, 1, 1, 2, 2], C=1.0, sample_weight=None, fit_intercept=True)
    A = np.zeros((6, 3))
    A[0, 1] = A[2, 2] = -0.5  # 0 gives to 1, which gives to 2, which gives nothing
    feasible = F.feasible(A)
    assert not feasible.sum(axis=0).any() and not feasible.sum(axis=1).any() and feasible.any()
    full = -np.ones((6, 3))
    assert not F.feasible(full).sum(axis=0).any()


def test_two_classes_are_binary_regression_under_half_the_penalty():
    two = Y > 0
    model = LogisticRegression(C=2.0, tol=1e-10).fit(X, two)
    half = np.append(model.coef_, model.intercept_) / 2
    one = enclose_softmax(X, two, primal=[-half, half], C=1.0)
    lam = 1 / (2.0 * len(Y))
    binary = ll.certificates.enclose_logistic(X, np.where(two, 1, -1), primal=2 * half, lam=lam)
    assert one.upper == pytest.approx(binary.upper * len(Y), rel=1e-12)
    assert one.relative_gap < 1e-6


@pytest.mark.parametrize("solver", ["lbfgs", "newton-cg", "newton-cholesky", "sag", "saga"])
@pytest.mark.parametrize(
    "more", [{}, {"fit_intercept": False, "C": 30.0}, {"class_weight": "balanced"}]
)
def test_the_objective_is_that_of_every_solver(solver, more):
    """Weights and all: of a model that is fitted tightly no more than its tolerance is left."""
    steps = {"max_iter": 300 if "sag" in solver else 10_000}
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    model = LogisticRegression(solver=solver, tol=1e-10, **steps, **more)
    model.fit(Z, WORDS, sample_weight=S)
    found = ll.certify(model, Z, WORDS, sample_weight=S)
    assert found.certificate.relative_gap < 1e-9
    assert found.relative_excess[1] < (1e-3 if "sag" in solver else 1e-8)
    assert [plane.w.tolist() for plane in found.plane] == model.coef_.tolist()
    other = ll.certify(model, Z, WORDS)
    assert other.relative_excess[0] > 1e-6 and "sample_weight" in str(other)


def test_sparse_samples_are_certified_as_they_are():
    digits, labels = load_digits(return_X_y=True)
    wide = sparse.csr_array(
        sparse.hstack([sparse.csr_array(digits), sparse.csr_array((1797, 10**6))])
    )
    model = LogisticRegression(C=0.01, tol=1e-3).fit(sparse.csr_array(digits), labels)
    found = ll.certify(model, sparse.csr_array(digits), labels)
    dense = ll.certify(model, digits, labels)
    assert found.optimum == pytest.approx(dense.optimum, rel=1e-8)
    padded = np.hstack([model.coef_, np.zeros((10, 10**6))])
    again = enclose_softmax(
        wide, labels, primal=np.column_stack([padded, model.intercept_]), C=0.01
    )  # dense it would take 14 GB
    assert again.upper == pytest.approx(found.value[1], rel=1e-9)


@pytest.mark.parametrize("C", [0.01, 1.0, 1e4])
def test_the_estimator_finds_scikit_learns_optimum(C):
    ours = estimators.Logistic(C=C, class_weight={"setosa": 2.0}).fit(X, WORDS, sample_weight=S)
    theirs = LogisticRegression(C=C, tol=1e-12, max_iter=10**5, solver="newton-cholesky")
    theirs.set_params(class_weight={"setosa": 2.0}).fit(X, WORDS, sample_weight=S)
    assert ours.certificate_.relative_gap < 1e-9
    assert ours.coef_ == pytest.approx(theirs.coef_, rel=1e-3, abs=1e-4 * abs(ours.coef_).max())
    assert ours.predict_proba(X) == pytest.approx(theirs.predict_proba(X), abs=1e-4)
    assert np.exp(ours.predict_log_proba(X)) == pytest.approx(ours.predict_proba(X))
    assert ours.coef_.shape == (3, 4) and ours.intercept_.shape == (3,)
    assert (ours.predict(X) == theirs.predict(X)).all()
    assert ours.verify(X, WORDS).relative_gap < 1e-9
    with pytest.raises(ValueError, match="the certificate claims"):
        ours.verify(X[::-1], WORDS)


def test_the_estimator_says_what_it_takes_with_more_than_two_classes():
    with pytest.raises(ValueError, match="Logistic: `start` must be None"):
        estimators.Logistic(start=ll.Hyperplane(np.zeros(4))).fit(X, WORDS)
    with pytest.raises(
        ValueError, match="`C` must be a finite number > 0 for more than two classes"
    ):
        estimators.Logistic(C=np.inf).fit(X, Y)
    with pytest.raises(
        ValueError, match=r"Fit `OneVsRestClassifier\(SVM\(\)\)` from `sklearn.multiclass`"
    ):
        estimators.SVM().fit(X, Y)
    with pytest.raises(ValueError, match="positive entry in each class"):
        estimators.Logistic().fit(X, Y, sample_weight=(Y > 0).astype(float))
    with pytest.warns(ConvergenceWarning, match="Raise `max_updates`"):
        estimators.Logistic(max_updates=1).fit(X, Y)
    model = OneVsRestClassifier(estimators.SVM()).fit(X, Y)
    assert all(part.certificate_.relative_gap < 1e-6 for part in model.estimators_)


def certified_alone(model, labels):
    return ll.certify(model.fit(X, labels), X, labels)


LR = LogisticRegression(C=2.0, tol=1e-9)
SEVERAL = {
    "one against the rest": (OneVsRestClassifier(LR), LR),
    "in a pipeline": (make_pipeline(FunctionTransformer(), OneVsRestClassifier(LR)), LR),
    "calibrated": (CalibratedClassifierCV(OneVsRestClassifier(LR), ensemble=False, cv=3), LR),
    "LinearSVC": (LinearSVC(loss="hinge"), LinearSVC(loss="hinge")),
    "SGDClassifier": (SGDClassifier(alpha=0.1), SGDClassifier(alpha=0.1)),
    "RidgeClassifier": (RidgeClassifier(), RidgeClassifier()),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_one_class_against_the_rest_has_a_certificate_each(name):
    model, alone = SEVERAL[name]
    found = ll.certify(model.fit(X, WORDS), X, WORDS)
    assert list(found) == ["setosa", "versicolor", "virginica"] and len(found) == 3
    for label, part in found.items():
        other = certified_alone(alone, (WORDS == label).astype(int))
        assert part.optimum == pytest.approx(other.optimum, rel=1e-7)
        assert repr(label) in repr(found) and part.objective in str(found)
        if name in ("one against the rest", "RidgeClassifier"):
            assert part.relative_excess[1] < 1e-7


@pytest.mark.parametrize("weights", [None, "balanced", {"setosa": 3.0, "virginica": 0.5}])
def test_weights_of_classes_count_for_the_class_and_not_for_the_rest(weights):
    model = LinearSVC(loss="hinge", C=0.1, tol=1e-9, max_iter=10**6, class_weight=weights)
    found = ll.certify(model.fit(X, WORDS, sample_weight=S), X, WORDS, sample_weight=S)
    assert max(part.relative_excess[1] for part in found.values()) < 1e-5


WRAPPERS = [OneVsRestClassifier, OneVsOneClassifier]


def asking(model):
    return model.set_fit_request(sample_weight=True)


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("name", ["logistic", "classes weighed", "in a pipeline"])
def test_weights_that_a_wrapper_passes_on_are_part_of_each_certificate(wrapper, name):
    """By scikit-learn's metadata routing; a pair has those of its own samples."""
    weights = "balanced" if name == "classes weighed" else None
    inside = LogisticRegression(C=2.0, tol=1e-10, max_iter=1000, class_weight=weights)
    with config_context(enable_metadata_routing=True):
        model = asking(inside)
        if name == "in a pipeline":
            model = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), model)
        model = wrapper(model).fit(X, WORDS, sample_weight=S)
    found = ll.certify(model, X, WORDS, sample_weight=S)
    assert max(part.relative_excess[1] for part in found.values()) < 1e-6
    for part in ll.certify(model, X, WORDS).values():
        assert part.relative_excess[0] > 1e-5
        assert any("If weights were passed to its `fit`, pass them" in r for r in part.remarks)


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("classes", [2, 3])
def test_weights_that_a_wrapper_did_not_pass_on_are_refused(wrapper, classes):
    """Once the model was said to have stopped early. The remedy is followed."""
    few = Y < classes
    samples, labels, s = X[few], WORDS[few], S[few]
    model = wrapper(LogisticRegression(tol=1e-10)).fit(samples, labels)
    with pytest.raises(
        ValueError, match="was fitted without weights, because it does not request"
    ) as no:
        ll.certify(model, samples, labels, sample_weight=s)
    setting, made = re.findall(r"`(sklearn\.set_config.*?)`.*`(OneVs.*?\))`", str(no.value))[0]
    import sklearn

    with config_context():
        eval(setting, {"sklearn": sklearn})
        known = {"LogisticRegression": LogisticRegression, wrapper.__name__: wrapper}
        again = eval(made, known)
        again.fit(samples, labels, sample_weight=s)
    found = ll.certify(again, samples, labels, sample_weight=s)
    assert max(one.excess[1] for one in (found.values() if classes == 3 else [found])) < 1e-3
    without = ll.certify(model, samples, labels)
    for one in without.values() if classes == 3 else [without]:
        assert one.relative_excess[1] < 1e-6


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("inside", [estimators.SVM(class_weight="balanced"), estimators.Logistic()])
def test_a_wrapper_around_our_models_is_verified_class_by_class(wrapper, inside):
    with config_context(enable_metadata_routing=True):
        model = wrapper(asking(clone(inside))).fit(X, WORDS, sample_weight=S)
    found = estimators.verify(model, X, WORDS)
    assert list(found) == list(ll.certify(wrapper(LR).fit(X, WORDS), X, WORDS))
    for (key, one), part in zip(found.items(), model.estimators_, strict=True):
        assert one.relative_gap < 1e-6 and repr(one) == repr(part.certificate_)
        own = np.isin(WORDS, key) | (wrapper is OneVsRestClassifier)
        alone = clone(inside).fit(
            X[own], WORDS[own] == (key if isinstance(key, str) else key[1]), sample_weight=S[own]
        )
        assert one.upper == pytest.approx(alone.certificate_.upper, rel=1e-6)
    with pytest.raises(
        ValueError, match=f"{wrapper.__name__}, for (class|the pair) .*these samples"
    ):
        estimators.verify(model, X[::-1], WORDS)
    with pytest.raises(ValueError, match=r"for (class|the pair) .*call `linlearn.certify"):
        estimators.verify(wrapper(LR).fit(X, WORDS), X, WORDS)


@pytest.mark.parametrize("sparsely", [False, True])
@pytest.mark.parametrize(
    "model", [SVC(kernel="linear", tol=1e-9, class_weight="balanced"), OneVsOneClassifier(LR)]
)
def test_pairs_have_a_certificate_each(model, sparsely):
    samples = sparse.csr_matrix(X) if sparsely else X
    found = ll.certify(model.fit(samples, WORDS), samples, WORDS)
    assert list(found) == [
        ("setosa", "versicolor"), ("setosa", "virginica"), ("versicolor", "virginica")
    ]  # fmt: skip
    assert max(part.relative_excess[1] for part in found.values()) < 1e-6


def test_labels_that_do_not_fit_are_named():
    model = LogisticRegression().fit(X, WORDS)
    with pytest.raises(
        ValueError, match=r"`y` must contain exactly the labels \['setosa'.*fitted on"
    ):
        ll.certify(model, X, Y)
    with pytest.raises(ValueError, match="`X` must have 4 columns"):
        ll.certify(model, X[:, :3], WORDS)
    with pytest.raises(ValueError, match="must be fitted"):
        ll.certify(LogisticRegression(), X, WORDS)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            dict(primal=[[0.0] * 5] * 2),
            r"`primal` must hold a row .* each of the 3 classes: shape \(3, 5\); got shape \(2, 5\)",
        ),
        (
            dict(dual=[[0.0] * 3]),
            r"`dual` must hold a row .* each of the 150 samples: shape \(150, 3\)",
        ),
        (
            dict(dual=np.where(np.arange(450).reshape(150, 3) == 7, np.nan, 0.0)),
            "`dual` must be finite; got nan at row 2, column 1",
        ),
        (
            dict(primal=[[1.0] * 5] * 3, fit_intercept=False),
            "`primal` must have only zeros in its last column",
        ),
        (dict(sample_weight=-S), "`sample_weight` must be ≥ 0"),
        (
            dict(sample_weight=1e-60 * S, C=1e-60),
            "`sample_weight` must hold weights that are 0 or.*or pass a larger C",
        ),
        (dict(y=[1] * 150), "`y` must contain at least two classes"),
        (dict(C=0), "`C` must be"),
        (dict(X=sparse.csr_array(np.where(X < 7, X, np.inf))), "`X` must be finite"),
    ],
)
def test_bad_input_is_named(change, says):
    given = dict(X=X, y=Y, primal=np.zeros((3, 5))) | change
    with pytest.raises(ValueError, match=says):
        enclose_softmax(given.pop("X"), given.pop("y"), **given)


def test_parameters_that_overflow_prove_nothing_false():
    found = enclose_softmax(X, Y, primal=np.full((3, 5), 1e130))
    assert found.lower <= found.upper
    assert (
        minimised(
            softmax_risk(X, Y, C=1e-6, sample_weight=None, fit_intercept=True), np.zeros((3, 5))
        )[0].relative_gap
        < 1e-9
    )


@pytest.mark.parametrize("seed", range(60))
def test_the_checker_proves_what_sixty_digits_say(seed):
    """Any witnesses, weights of 0 among them, however poor: no more and not much less."""
    X, y, k, v, dual, fit_intercept = drawn(seed)
    found = enclose_softmax(X, y, primal=v, dual=dual, sample_weight=k, fit_intercept=fit_intercept)
    remember(found, X, y)
    claim = check.parsed(to_json._text(found, found.dual, (found.lower, found.upper)))
    low, high = check.proved(claim, X.tolist(), y.tolist())
    assert found.lower <= low and high <= found.upper
    with localcontext(prec=60):
        true = value(X, y, k, v)
        proved = max(dual_value(X, y, k, found.dual, fit_intercept), Decimal(0))
        ends = (Decimal(one.numerator) / Decimal(one.denominator) for one in (low, high))
        size = max(true, proved, Decimal(found.scale)) * Decimal("1e-24")
        assert 0 <= proved - next(ends) <= size and 0 <= next(ends) - true <= size


def test_the_checker_says_what_is_wrong_with_a_softmax_certificate():
    claim = check.parsed(estimators.Logistic().fit(X, Y).certificate_.to_json())

    def says(y=Y, **changes):
        with pytest.raises(check.Refused) as error:
            check.proved(claim | changes, X.tolist(), y.tolist())
        return str(error.value)

    dual = claim["dual"]
    assert "the labels must be 0, 1, 2" in says(Y + 1)
    assert "`primal` must have 3 rows, one for each class; got [[" in says(
        primal=claim["primal"][1:]
    )
    assert "`primal` must have 3 rows, one for each class; got None" in says(primal=None)
    assert "`dual` must have 150 rows, one per sample; got [[" in says(dual=dual[1:])
    assert "`dual` must have 150 rows, one per sample; got None" in says(dual=None)
    assert "`dual[0]` must have 3 numbers, one for each class; got 2" in says(
        dual=[dual[0][1:], *dual[1:]]
    )
    for row in (["0.1", "0.0", "0.0"], ["-0.5", "0.5", "0.0"]):
        assert "`dual[1]` must be C times the weight of sample 1" in says(
            dual=[dual[0], row, *dual[2:]]
        )
    assert "each column of `dual` must add up to 0" in says(dual=[["0.0"] * 3, *dual[1:]])
    assert "must end with 0" in says(options=claim["options"] | {"fit_intercept": False})


def test_a_model_of_several_classes_is_saved_with_its_certificate(tmp_path):
    model = estimators.Logistic(class_weight="balanced").fit(X, WORDS, sample_weight=S)
    estimators.save(model, tmp_path / "m")
    back = estimators.load(tmp_path / "m")
    assert repr(back.certificate_) == repr(model.certificate_)
    assert back.n_iter_ == model.n_iter_ and back.get_params() == model.get_params()
    assert np.array_equal(back.predict_proba(X), model.predict_proba(X))
    assert back.verify(X, WORDS).relative_gap < 1e-9
    with pytest.raises(ValueError, match="the certificate claims"):
        back.verify(X, WORDS[::-1])
    with pytest.raises(ValueError, match=r"a multiclass model. Use `estimators.load`"):
        ll.Fit.load(tmp_path / "m")
