"""Split a scikit-learn model fitted one-vs-rest or one-vs-one into its two-class models."""

from collections.abc import Iterator
from copy import copy
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linlearn.certified.unwrap import Inside


class Part(NamedTuple):
    """A fitted model of two classes, and the samples and labels that it was fitted on."""

    key: Any  # a class, or a pair of them
    model: Any
    X: Any
    y: NDArray[Any]
    sample_weight: Any

    @property
    def said(self) -> str:
        """Which one it is, for a message."""
        return f"the pair {self.key!r}" if isinstance(self.key, tuple) else f"class {self.key!r}"


AGAINST_REST = ("OneVsRestClassifier", "LinearSVC", "SGDClassifier", "RidgeClassifier")
IN_PAIRS = ("OneVsOneClassifier", "SVC")
# Their `fit` takes weights only by scikit-learn's metadata routing.
ROUTERS = ("OneVsRestClassifier", "OneVsOneClassifier")


def is_several(model: Any, name: str) -> bool:
    """Whether a model, fitted on more than two classes, is several of two; wrappers of one model are not."""
    if name not in AGAINST_REST + IN_PAIRS or getattr(model, "multilabel_", False):
        return False
    joint = getattr(model, "multi_class", None) == "crammer_singer"
    return np.size(getattr(model, "classes_", ())) > 2 and not joint


def parts(one: Inside, sample_weight: Any = None, weights: Any = None) -> Iterator[Part]:
    """The two-class models, one by one; `weights` are those of the classes, or None."""
    model, classes, codes = one.model, np.asarray(one.model.classes_).tolist(), one.codes
    wrapped = one.name in ROUTERS
    if one.name in AGAINST_REST:
        for j, label in enumerate(classes):
            inner = model.estimators_[j] if wrapped else _row(model, j, weights)
            yield Part(label, inner, one.X, (codes == j).astype(int), sample_weight)
        return
    from sklearn.utils import _safe_indexing

    for k, (i, j) in enumerate(combinations(range(len(classes)), 2)):
        rows = np.flatnonzero((codes == i) | (codes == j))
        s = None if sample_weight is None else np.asarray(sample_weight)[rows]
        inner = model.estimators_[k] if wrapped else _pair(model, k, i, j, rows)
        # libsvm's scores are positive for the first class of a pair
        own = codes[rows] == (j if wrapped else i)
        key = (classes[i], classes[j])
        yield Part(key, inner, _safe_indexing(one.X, rows), own.astype(int), s)


def _row(model: Any, j: int, weights: Any) -> Any:
    """The model of class j against the rest, which count 1."""
    part, K = copy(model), len(model.classes_)
    part.coef_, part.intercept_ = model.coef_[[j]], np.broadcast_to(model.intercept_, K)[[j]]
    part.classes_ = np.arange(2)
    if weights is not None:
        part.class_weight = {0: 1.0, 1: float(weights[j])}
    return part


def _pair(model: Any, k: int, i: int, j: int, rows: NDArray[Any]) -> Any:
    """The SVC of classes i and j, with its multipliers: row j - 1 for class i, and row i for class j."""
    part, starts = copy(model), np.append(0, np.cumsum(model.n_support_))
    first, second = (np.arange(starts[c], starts[c + 1]) for c in (i, j))
    dual = model.dual_coef_
    dual = dual.toarray() if hasattr(dual, "toarray") else dual
    both = np.append(first, second)
    part.dual_coef_ = np.append(dual[j - 1, first], dual[i, second])[None]
    part.support_ = np.searchsorted(rows, model.support_[both])
    part.support_vectors_ = model.support_vectors_[both]
    part.intercept_, part.classes_ = model.intercept_[[k]], np.arange(2)
    part.class_weight_ = model.class_weight_[[j, i]]
    part.shape_fit_ = (len(rows), model.shape_fit_[1])
    return part
