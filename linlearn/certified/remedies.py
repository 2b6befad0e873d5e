"""Advice by `certify` on a scikit-learn model: what is wrong with its fit, and the call that helps."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from linlearn.certified.result import Certified
from linlearn.certified.unwrap import Inside
from linlearn.collinearity import near_dependence
from linlearn.exact.column_space import independent_columns
from linlearn.validation import Array, name_columns

EXPLAINED = 1e-6  # relative excess, or gap, that a remark explains
LOOSENING = 1e4  # a column this many times as large as 1, or as most are, may loosen a bound
FAR = 1e3  # a column this many times as large as another keeps a solver from converging
FINE = 1e-8  # a tolerance whose excess no remark mentions
ROWS = 1024  # of a sparse X that are read at a time
WEIGHTS = (
    "If weights were passed to its `fit`, pass them to `certify` as well, as `sample_weight`; otherwise "
    "`certify` bounds a different objective."
)
NO_WEIGHTS = "If weights were passed to its `fit`, it minimised another objective, which cannot be certified."


def remedies(one: Inside, found: Certified) -> Iterator[str]:
    """Remarks on a certified model, each with the call or the parameter that cures what it names.

    Parameters
    ----------
    one : the model, and how it is written in a call
    found : its certificate
    """
    X = one.X if hasattr(one.X, "tocsr") else np.asarray(one.X)
    if found.certificate.attained is False:
        used = np.flatnonzero(np.asarray(found.certificate.primal)[: X.shape[1]])
        cause = ("a combination of " if len(used) > 1 else "") + _named(one, used)
        dropped = "one of these columns" if len(used) > 1 else "this column"
        penalty = "C=1.0" if getattr(one.model, "penalty", "l2") else "penalty='l2'"
        yield (
            f"No hyperplane attains the optimum, since {cause} predicts labels perfectly: call "
            f"`clone({one.at}).set_params({penalty}).fit({one.X_at}, {one.y_at})`, "
            f"or drop {dropped}."
        )
        return
    if found.relative_excess[0] > EXPLAINED and getattr(one.model, "n_iter_", None) is not None:
        yield _stopped(one, X, len(one.y))
    if np.isfinite(found.certificate.score_bound):
        yield f"{_dependent(one, X)}."


def _stopped(one: Inside, X: Any, n: int) -> str:
    """Why its solver stopped early, and the call that goes on."""
    model, size = one.model, _sizes(X)
    again = f".fit({one.X_at}, {one.y_at})"
    used = np.flatnonzero(size)
    large, small = used[size[used].argmax()], used[size[used].argmin()]
    if size[large] > FAR * size[small]:
        scaler = "StandardScaler()" if isinstance(X, np.ndarray) else "MaxAbsScaler()"
        return (
            f"Its features have different scales, from {size[small]:.1g} ({_named(one, [small])}) to "
            f"{size[large]:.1g} ({_named(one, [large])}), which slows its solver down: call "
            f"`make_pipeline({scaler}, clone({one.at})){again}`."
        )
    most, tol = model.max_iter or -1, model.tol
    ended = f"max_iter={most}" if 0 < most <= np.max(model.n_iter_) else f"tol={tol:g}"
    if one.name == "SGDClassifier" and model.alpha and model.penalty and model.fit_intercept:
        kind = "LogisticRegression" if model.loss == "log_loss" else "SVC"
        options = (
            f"C={1 / (model.alpha * n):.12g}, class_weight={model.class_weight!r}, tol={FINE:g}"
        )
        options += ", max_iter=10000" if kind == "LogisticRegression" else ", kernel='linear'"
        return (
            f"It stopped at {ended}. Its steps are random; `{kind}({options}){again}` minimises the same "
            "objective without randomness."
        )
    more = f"max_iter={max(10_000, 10 * most)}, " if most > 0 else ""
    return (
        f"Its solver stopped at {ended}: call `clone({one.at}).set_params({more}tol={FINE:g}){again}`. "
        "If these are not the samples that it was fitted on, pass those instead."
    )


def _sizes(X: Any) -> Array:
    """The largest absolute value in each column."""
    if not hasattr(X, "tocsr"):
        return np.asarray(np.abs(np.asarray(X, dtype=np.float64)).max(axis=0))
    X, largest = X.tocsr(), np.zeros(X.shape[1])
    for row in range(0, X.shape[0], ROWS):  # no copy of all entries
        at = slice(X.indptr[row], X.indptr[min(row + ROWS, X.shape[0])])
        np.maximum.at(largest, X.indices[at], np.abs(X.data[at]))
    return largest


def _named(one: Inside, columns: Any) -> str:
    """Columns by their names, or numbers."""
    names = _names(one)
    return name_columns([j if names is None else names[j] for j in columns])


def _names(one: Inside) -> Any:
    """The names of the columns, or None."""
    return getattr(one.X, "columns", None) if one.names is None else one.names


def _dependent(one: Inside, X: Any) -> str:
    """Which columns others make up, and what to do about them."""
    penalty = ", or fit with a penalty" if "penalty" in one.model.get_params() else ""
    X = X.toarray() if hasattr(X, "toarray") else X  # as its certificate was made
    if (cause := near_dependence(X)) is not None:
        return f"{cause.sentence(_names(one))}{penalty}"
    rest = np.setdiff1d(np.arange(X.shape[1]), independent_columns(np.unique(X, axis=0)))
    constant = rest[(X[:, rest] == X[0, rest]).all(axis=0)]
    verb = "duplicate" if len(constant) > 1 else "duplicates"
    why = f"; {_named(one, constant)} {verb} the intercept" if len(constant) else ""
    return f"Its features are dependent: drop {_named(one, rest)}{penalty}{why}"


def gap_remark(one: Inside, found: Certified) -> tuple[str, ...]:
    """A remark if the gap of the enclosure, not the model, may account for the excess, and what to do."""
    gap = found.optimum[1] - found.optimum[0]
    if not found.certificate.relative_gap > EXPLAINED or gap == math.inf:
        return ()
    remark = f"The optimum is known only to within {gap:.2g}: as much of the excess may be due to the bound."
    size = _sizes(one.X)
    j, usual = int(size.argmax()), float(np.median(size[size > 0]))
    if size[j] > LOOSENING * min(usual, 1.0):
        reached = f"whose entries reach {size[j]:.2g} (`StandardScaler`)"
        remark += f" Rescale {_named(one, [j])}, {reached}, and fit again."
    return (remark,)
