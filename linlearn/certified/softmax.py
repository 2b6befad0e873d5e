"""Certify a LogisticRegression of more than two classes, whose objective is one for all classes."""

import math
from typing import Any

import numpy as np

from linlearn.certificates.bound import CLOSED
from linlearn.certificates.certificate import remember
from linlearn.certificates.softmax import softmax_risk
from linlearn.certified.comparison import excess
from linlearn.certified.models import (
    NO_L1_SOFTMAX,
    check_same_count,
    check_same_features,
    class_weights,
    dense,
    l1_ratio_of,
    refuse_unknown_parameters,
    settings_of,
    weight_of_each,
)
from linlearn.certified.result import Certified
from linlearn.certified.unwrap import Inside, refused
from linlearn.plane import Hyperplane
from linlearn.solvers.softmax import minimised
from linlearn.validation import (
    STEEPEST,
    check_number,
    check_vector,
)


def softmax_certified(one: Inside, sample_weight: Any) -> Certified:
    """LogisticRegression with more than two classes, whose objective is one for all."""
    model, name = one.model, one.name
    refuse_unknown_parameters(model)
    check_same_features(model, one.X)
    if model.solver == "liblinear" or getattr(model, "multi_class", None) == "ovr":
        wrapper = "fit `OneVsRestClassifier(model)`, and certify that"
        raise refused(name, "a model for each class", wrapper)
    if model.penalty in (None, "none") or model.C == math.inf:
        raise refused(
            name,
            "more than two classes and no penalty",
            "the lower bound needs a penalty; fit with a finite `C`, or fit `OneVsRestClassifier(model)`",
        )
    if r := l1_ratio_of(settings_of(model)):
        raise refused(name, f"more than two classes and l1_ratio={r!r}", NO_L1_SOFTMAX)
    codes, s = one.codes, weight_of_each(sample_weight, len(one.y))
    if model.class_weight is not None:
        s = s * np.array(class_weights(one, s))[codes]
    C = check_number(model.C, "C", above=0)
    F = softmax_risk(one.X, codes, C=C, sample_weight=s, fit_intercept=bool(model.fit_intercept))
    W = np.asarray(dense(model.coef_), dtype=np.float64)
    check_same_count(name, W.shape[1], F.X.shape[1])
    v = np.column_stack([W, model.intercept_])
    low, high = F.value(check_vector(v.ravel(), v.size, "coef_", below=STEEPEST).reshape(v.shape))
    best, steps = minimised(F, v, target=CLOSED)
    remember(best, F.X, codes)
    weights = "" if (s == 1).all() else "sᵢ"
    says = f"½‖W‖² + C Σ{weights}(ln Σ_c exp(f_ic) - f_iy) with C = {C:g}"
    planes = tuple(Hyperplane(w, float(b)) for w, b in zip(W, v[:, -1], strict=True))
    spent = (f"The optimum was bounded by {steps} Newton steps from this fit.",) if steps else ()
    ends, optimum = (low, high), (best.lower, best.upper)
    return Certified(name, says, planes, ends, optimum, excess(ends, optimum), best, spent)
