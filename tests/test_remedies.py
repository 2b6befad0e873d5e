"""What `certify` advises is made as it is written, and cures what it names."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import (
    LinearRegression,
    LogisticRegression,
    RidgeClassifier,
    SGDClassifier,
)
from sklearn.model_selection import GridSearchCV, TunedThresholdClassifierCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler, OneHotEncoder, StandardScaler
from sklearn.svm import SVC, LinearSVC

import linlearn as ll

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 4))
Y = np.where(X @ [1.0, 2.0, -1.0, 0.5] + RNG.normal(size=200) > 0, "yes", "no")
SCALED = X * [1e-3, 1.0, 1e3, 1e6]
WORLD = {
    one.__name__: one
    for one in (clone, make_pipeline, StandardScaler, MaxAbsScaler, LogisticRegression, SVC,
                TunedThresholdClassifierCV)
}  # fmt: skip


def fitted(model, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y)


def followed(model, X, y, said):
    """The model that the one remark with these words asks for."""
    (remark,) = [r for r in ll.certify(model, X, y).remarks if re.search(said, r)]
    (call,) = re.findall(r"`([^`]*\.fit\(.*?\))`", remark)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return eval(call, {"model": model, "X": X, "y": y, "np": np, **WORLD})


EARLY = {
    "few steps": (LogisticRegression(max_iter=3), "max_iter=3"),
    "a coarse tolerance": (LogisticRegression(tol=0.1), "tol=0.1"),
    "liblinear": (LogisticRegression(solver="liblinear", tol=1.0), "tol=1"),
    "LinearSVC": (LinearSVC(loss="hinge", max_iter=20, random_state=0), "max_iter=20"),
    "SVC": (SVC(kernel="linear", max_iter=50), "max_iter=50"),
    "ridge": (RidgeClassifier(solver="sag", max_iter=2, random_state=0), "max_iter=2"),
    "random steps": (SGDClassifier(loss="log_loss", max_iter=5, random_state=0), "max_iter=5"),
    "random steps, hinge": (
        SGDClassifier(class_weight="balanced", alpha=0.01, random_state=0), "tol=0.001"
    ),
    "three classes": (LogisticRegression(max_iter=3), "max_iter=3"),
    "in a pipeline": (make_pipeline(FunctionTransformer(), LogisticRegression(max_iter=3)), "max_iter=3"),
    "in a search": (GridSearchCV(LogisticRegression(max_iter=3), {"C": [1.0, 10.0]}), "max_iter=3"),
}  # fmt: skip


@pytest.mark.parametrize("name", EARLY)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_solver_that_stopped_early_is_told_to_go_on(name):
    model, parameter = EARLY[name]
    y = np.where(X[:, 3] > 1, "third", Y) if name == "three classes" else Y
    model = fitted(clone(model), X, y)
    assert ll.certify(model, X, y).relative_excess[0] > 1e-6
    better = followed(model, X, y, re.escape(f"stopped at {parameter}"))
    inside = X if name != "in a pipeline" else model[:-1].transform(X)
    assert ll.certify(better, inside, y).relative_excess[1] < 1e-6


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "model", [LogisticRegression(), SVC(kernel="linear", max_iter=10_000)], ids=["logistic", "SVC"]
)
def test_features_of_different_scales_are_to_be_scaled(model):
    """By their names; afterwards the excess is a thousandth at most."""
    import pandas

    table = pandas.DataFrame(SCALED, columns=["gram", "kg", "tonne", "µg"])
    model = fitted(model, table, Y)
    before = ll.certify(model, table, Y).relative_excess
    better = followed(model, table, Y, r"from 0\.003 \(column 'gram'\) to 4e\+06 \(column 'µg'\)")
    assert ll.certify(better, table, Y).relative_excess[1] < max(before[0] / 1e3, 1e-6)


def test_what_separates_is_named_as_the_steps_name_it():
    """A word that predicts: the penalty is advised, and no further steps."""
    import pandas

    word = np.where(np.arange(200) < 9, "leak", np.where(X[:, 3] > 0, "a", "b"))
    y = np.where(word == "leak", "yes", Y)
    table = pandas.DataFrame({"x": X[:, 0], "word": word})
    steps = ColumnTransformer([("n", StandardScaler(), ["x"]), ("w", OneHotEncoder(), ["word"])])
    model = fitted(make_pipeline(steps, LogisticRegression(C=np.inf)), table, y)
    found = ll.certify(model, table, y)
    assert not any("stopped" in remark for remark in found.remarks)
    (remark,) = [r for r in found.remarks if "No hyperplane attains the optimum" in r]
    assert "w__word_leak" in remark
    better = followed(model, table, y, "No hyperplane attains the optimum")
    Z = model[:-1].transform(table)
    assert not any("attains" in r for r in ll.certify(better, Z, y).remarks)


def test_dependent_columns_are_named():
    near = np.column_stack([X, X[:, 0] + 1e-9 * X[:, 1]])
    for Z in (near, np.column_stack([X, X[:, 0] + X[:, 1]])):
        model = fitted(LogisticRegression(C=np.inf), Z, Y)
        (remark,) = [r for r in ll.certify(model, Z, Y).remarks if "are nearly dependent (" in r]
        column = int(re.findall(r"Columns .*?(\d+) and \d+ are", remark)[0])
        less = np.delete(Z, column, axis=1)
        found = ll.certify(fitted(LogisticRegression(C=np.inf), less, Y), less, Y)
        assert not any("dependent" in r for r in found.remarks)


def test_a_good_model_gets_no_advice():
    found = ll.certify(fitted(LogisticRegression(tol=1e-8), X, Y), X, Y)
    assert found.remarks == ("Its C is 1. In this package's notation λ = 1/(nC), with n samples.",)


def test_a_constant_column_is_said_to_duplicate_the_intercept():
    from linlearn.certified.remedies import _dependent
    from linlearn.certified.unwrap import Inside

    A = np.column_stack([X[:, :2], np.full(len(X), 3.0)])
    model = LinearRegression().fit(A, Y == Y[0])
    assert "drop column 2; column 2 duplicates the intercept" in _dependent(Inside(model, A, Y), A)


def test_nearly_dependent_columns_are_named_as_in_the_data_frame():
    x = np.random.default_rng(0).normal(size=(200, 3))
    table = pd.DataFrame(
        {"metres": x[:, 0], "feet": 3.28 * x[:, 0] + 1e-12 * x[:, 1], "age": x[:, 2]}
    )
    y = x[:, 0] + x[:, 1] > 0
    remarks = ll.certify(LogisticRegression(C=np.inf).fit(table, y), table, y).remarks
    assert any("Columns 'metres' and 'feet' are nearly dependent" in remark for remark in remarks)
