"""`certify`: how far a fitted scikit-learn model is from its optimum, computed anew where a gap is left."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from linlearn.certified.comparison import compared
from linlearn.certified.models import (
    MODELS,
    class_weights,
    is_penalised,
    problem_of,
    refuse_unknown_parameters,
    weight_of_each,
    written_out,
)
from linlearn.certified.multiclass import ROUTERS, is_several, parts
from linlearn.certified.remedies import EXPLAINED, NO_WEIGHTS, WEIGHTS, gap_remark, remedies
from linlearn.certified.result import Certified, CertifiedParts
from linlearn.certified.softmax import softmax_certified
from linlearn.certified.unwrap import Inside, refused, sklearn_name, unwrapped

__all__ = ["Certified", "CertifiedParts", "certify"]


def certify(
    estimator: Any, X: ArrayLike, y: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> Certified | CertifiedParts:
    """Enclose the optimum of a fitted scikit-learn model's objective, and the model's distance from it.

    The objective is the one that scikit-learn minimises with the parameters of the model; the result states
    it in words. Sample weights and class weights multiply the loss of a sample. Parameters such as `tol`,
    `dual`, `warm_start` and `average` affect how the optimum is computed, but not what it is.

    Meta-estimators around one of the models below are unwrapped: Pipeline, FrozenEstimator, GridSearchCV and
    the other searches, CalibratedClassifierCV(ensemble=False), threshold classifiers, RFE. For several
    classifiers fitted to the same samples, the error message gives the call that certifies one of them.

    For more than two classes, LogisticRegression has a single objective, in which the probabilities are the
    softmax of the scores. LinearDiscriminantAnalysis is refused. The other classifiers, OneVsRestClassifier
    and OneVsOneClassifier fit a two-class model for each class against the rest, or for each pair of classes
    (SVC): each of these models gets its own certificate.

    Models
    ------
    LogisticRegression : mean ln(1 + exp(-mᵢ)) + (λ/2)‖w‖², λ = 1/(nC)
        Also with λ‖w‖₁ or a mixture of both as penalty; with `solver="liblinear"` the intercept is penalised
        as well. For more than two classes ½‖W‖² + C Σ(ln Σ_c exp(f_ic) - f_iy) with the scores fᵢ = Wxᵢ + b;
        refused: then another penalty, or none.
    SVC(kernel="linear") : ½‖w‖² + C Σ(1 - mᵢ)₊
        The model is compared with the optimum of the soft margin with its own C, over all (w, b); the
        intercept is not penalised. Refused: other kernels.
    LinearSVC : ½‖w‖² + (ν/2)b² + C Σ(1 - mᵢ)₊ or C Σ(1 - mᵢ)₊², ν = 1/`intercept_scaling`²
        Also with ‖w‖₁ as penalty. `multi_class="crammer_singer"` minimises half of ½‖w‖² + 2C Σ(1 - mᵢ)₊.
    SGDClassifier : mean φ(mᵢ) + (α/2)‖w‖², α = `alpha`
        The model is compared with the optimum of this objective on the samples given, whatever the schedule
        of its steps; φ is the logistic, the hinge or the squared hinge loss. For the hinge losses the
        objective is stated divided by α, as ½‖w‖² + C Σφ(mᵢ) with C = 1/(nα). Also without a penalty, except
        for the squared hinge loss. Refused: other losses, ℓ1 and mixed penalties, `early_stopping`,
        `learning_rate="pa1"` and `"pa2"`.
    LinearDiscriminantAnalysis : ⟨w, δ⟩²/‖X_W w‖², maximised
        The threshold is not part of this ratio. Refused: shrinkage, and `priors` unless `solver="svd"`.
    RidgeClassifier, Ridge : mean ½(f(xᵢ) - tᵢ)² + (λ/2)‖w‖², λ = `alpha`/n
        Ridge must have two target values. Refused: weights, `positive=True`.
    LinearRegression : ½ Σ(f(xᵢ) - tᵢ)²
        It must have two target values. Refused: weights, `positive=True`.

    Parameters
    ----------
    estimator : the fitted model
    X, y : the samples on which it was fitted, shapes (n, d) and (n,), with their own labels
        A sparse X, or sparse output of the steps of a pipeline, stays sparse for logistic and hinge losses
        with a penalty. For other objectives it is converted to a dense array, up to 10,000,000 entries.
    sample_weight : shape (n,), optional
        The weights that were passed to its `fit`, one for each sample; the model does not record them. If
        they are left out, the objective without weights is certified, and if the model is not optimal for
        that, a remark mentions this possibility. OneVsRestClassifier and OneVsOneClassifier pass weights on
        to a model that requests them (`set_fit_request`); around any other model weights are refused.

    Returns
    -------
    Certified
        The certificate of the objective, and by how much the model exceeds the optimum. For a model of
        several classes that consists of two-class models, a dict (`CertifiedParts`) from the classes, or
        pairs of classes, to one such result each.

    Raises
    ------
    ValueError
        If the model is not one of these, or not fitted; or if a step of a pipeline may give other values in
        `fit_transform` than in `transform`, as TargetEncoder does. The message names the model, the parameter
        that changes the objective, and the next call to make.

    Notes
    -----
    Upper bounds come from hyperplanes, lower bounds from dual variables: from those that the model's
    hyperplane (or, for SVC, its support vectors) suggests and, if these leave a gap, from those found by the
    corresponding method of this package. All bounds hold for the floats in X, whatever the model is. Sparse
    samples, samples with more features than samples, the squared hinge loss, and a penalised or missing
    intercept are certified by `enclose_regularised_risk`. Without an intercept, squared errors and losses
    without a penalty are certified on the samples together with their mirror images (-xᵢ, -yᵢ): by symmetry
    and convexity, some hyperplane through the origin is optimal for these. λ, C and the weights are rounded
    to floats. Lesson "Certificates compared".

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> X, y = [[0.0], [1.0], [3.0], [9.0]], ["no", "no", "yes", "yes"]
    >>> found = certify(SVC(kernel="linear", C=1.0).fit(X, y), X, y)
    >>> found.objective, found.certificate, found.excess[1] < 1e-9
    ('½‖w‖² + C Σ(1 - mᵢ)₊ with C = 1', Certificate(0.5 ≤ soft margin ≤ 0.5), True)
    """
    one = unwrapped(estimator, X, y, _is_known)
    if is_several(one.model, one.name):
        return _several(one, sample_weight)
    found = _certified(one, sample_weight)
    return replace(found, remarks=(*found.remarks, *remedies(one, found)))


def _is_known(model: Any) -> bool:
    name = sklearn_name(model)
    return name in MODELS or is_several(model, name)


def _certified(one: Inside, sample_weight: Any) -> Certified:
    """The certificate of a model with one objective."""
    if sample_weight is not None and one.router and not one.weighable:
        raise refused(
            one.router,
            f", whose {one.name} was fitted without weights, because it does not request `sample_weight`",
            "leave `sample_weight` out; or call `sklearn.set_config(enable_metadata_routing=True)` and fit "
            f"`{one.router}({one.name}().set_fit_request(sample_weight=True))` with the weights",
        )
    if one.name == "LogisticRegression" and np.size(getattr(one.model, "classes_", ())) > 2:
        found = softmax_certified(one, sample_weight)
    else:
        X = one.X if is_penalised(one.model) else written_out(one)
        found = compared(one.name, problem_of(one._replace(X=X), sample_weight))
    unweighed = sample_weight is None and one.weighable
    remark = WEIGHTS if MODELS[one.name].weighted else NO_WEIGHTS
    more = (remark,) if unweighed and found.relative_excess[0] > EXPLAINED else ()
    return replace(found, remarks=(*found.remarks, *one.remarks, *more, *gap_remark(one, found)))


def _several(one: Inside, sample_weight: Any) -> CertifiedParts:
    """A certificate for each of the two-class models inside."""
    weights = None
    if one.name in MODELS:
        refuse_unknown_parameters(one.model)
        if one.name not in ("SVC", "RidgeClassifier") and one.model.class_weight is not None:
            weights = class_weights(one, weight_of_each(sample_weight, len(one.y)))
    found = {}
    for part in parts(one, sample_weight, weights):
        try:
            inside = unwrapped(part.model, part.X, part.y, _is_known)
            inside = inside._replace(router=one.name if one.name in ROUTERS else "")
            each = _certified(inside, part.sample_weight)
        except ValueError as error:
            raise ValueError(f"{one.name}, for {part.said}: {error}") from None
        found[part.key] = replace(each, remarks=one.remarks + each.remarks)
    return CertifiedParts(one.name, found)
