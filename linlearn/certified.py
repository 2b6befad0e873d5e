"""`certify`: how far a fitted scikit-learn model is from its optimum, computed anew where a gap is left."""

import math
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from linlearn._console import printable
from linlearn.certificates import (
    Certificate,
    enclose_fisher,
    enclose_hinge,
    enclose_least_squares,
    enclose_logistic,
    enclose_ridge,
    enclose_soft_margin,
)
from linlearn.certificates.ball import Ball, U, ball, quietly, rounded_sum
from linlearn.certificates.bound import CLOSED
from linlearn.certificates.certificate import remember
from linlearn.certificates.duality import Margins
from linlearn.certificates.fisher import describe_leak, drop_leak
from linlearn.certificates.logistic import mean_loss
from linlearn.certificates.regularised_risk import (
    averaged,
    enclosed,
    regularised_risk,
    sparse_points,
)
from linlearn.certificates.sample_weights import SampleWeights, check_sample_weight
from linlearn.certificates.softmax import softmax_risk
from linlearn.losses import HINGE
from linlearn.methods.fisher import fisher
from linlearn.methods.least_squares import least_squares
from linlearn.methods.linear_program import linear_program
from linlearn.methods.logistic import logistic
from linlearn.methods.svm import svm
from linlearn.multiclass import ROUTERS, is_several, parts
from linlearn.plane import Hyperplane
from linlearn.remedies import remedies
from linlearn.solvers.regularised_risk import minimised as minimised_by_products
from linlearn.solvers.regularised_risk import recovered
from linlearn.solvers.softmax import minimised
from linlearn.unwrap import Inside, not_fitted, refused, sklearn_name, unwrapped
from linlearn.validation import (
    LARGEST,
    STEEPEST,
    Array,
    Bools,
    Ints,
    check_number,
    check_points,
    check_vector,
    name_columns,
)

Ends = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Certified:
    """How far a fitted scikit-learn model is from the optimum of its own objective.

    Attributes
    ----------
    name : str
        The model's class.
    objective : str
        What it minimises (for LDA: maximises), in the notation of the book.
    plane : Hyperplane
        The model's hyperplane; the second of its classes is treated as +1. If one objective covers more than
        two classes, a tuple with a hyperplane for each class.
    value, optimum, excess : pairs of floats
        Proved bounds on the objective at the model's hyperplane, on its optimum over all hyperplanes, and on
        the difference between the two. A bound is +∞ if nothing is proved.
    certificate : Certificate
        The enclosure of the optimum, with its witnesses.
    remarks : tuple of str
        Remarks on the objective, on the samples that the certificate is about, and on what keeps the model
        from the optimum, with the call that mends this.
    """

    name: str
    objective: str
    plane: Hyperplane | tuple[Hyperplane, ...]
    value: Ends
    optimum: Ends
    excess: Ends
    certificate: Certificate
    remarks: tuple[str, ...]

    @property
    def relative_excess(self) -> Ends:
        """The excess relative to the larger of the optimum and the value at w = 0, b = 0."""
        best, high = self.certificate, self.optimum[1]
        # the certificate may enclose a multiple of what is reported
        size = max(abs(high), best.scale * high / best.upper if best.upper > 0 else best.scale)
        return (self.excess[0] / size, self.excess[1] / size) if 0 < size < np.inf else self.excess

    def __str__(self) -> str:
        """A report of a few lines."""
        (low, high), (far, near) = self.optimum, self.value
        lines = [
            f"{self.name}: {self.objective}",
            f"  optimum  {low:.10g} ≤ {self.certificate.named} ≤ {high:.10g}",
            f"  this fit {far:.10g} … {near:.10g}",
            f"  excess   {self.excess[0]:.3g} … {self.excess[1]:.3g}",
            *(f"  {remark}" for remark in self.remarks),
        ]
        return printable("\n".join(lines))

    def __repr__(self) -> str:
        low, high = self.excess
        return printable(
            f"Certified({self.name}, {self.optimum[0]:.6g} ≤ {self.certificate.named} ≤ "
            f"{self.optimum[1]:.6g}, {low:.2g} ≤ excess ≤ {high:.2g})"
        )


class CertifiedParts(Mapping[Any, Certified]):
    """The certificates of a multiclass model built from two-class models.

    It is a mapping from each class, or pair of classes, to a `Certified`.

    Parameters
    ----------
    name : str
        The model's class.
    parts : mapping
        A `Certified` for each class, or pair of classes.
    """

    def __init__(self, name: str, parts: Mapping[Any, Certified]) -> None:
        self.name = name
        self._parts: dict[Any, Certified] = dict(parts)

    def __getitem__(self, key: Any) -> Certified:
        return self._parts[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def __str__(self) -> str:
        """The report of each part."""
        return "\n".join(f"{key!r}: {part}" for key, part in self.items())

    def __repr__(self) -> str:
        lines = [
            f"  {key!r}: {one.excess[0]:.2g} ≤ excess ≤ {one.excess[1]:.2g}, optimum "
            f"{one.optimum[0]:.6g} … {one.optimum[1]:.6g}"
            for key, one in self.items()
        ]
        return printable("\n".join([f"{self.name} of {len(self)} models of two classes:", *lines]))


def certify(
    estimator: Any, X: ArrayLike, y: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> Certified | CertifiedParts:
    """Enclose the optimum of a fitted scikit-learn model's objective, and the model's distance from it.

    The objective is the one that scikit-learn minimises with the parameters of the model; the result states
    it in words. Sample weights and class weights multiply the loss of a sample. Parameters such as `tol`,
    `dual`, `warm_start` and `average` affect how the optimum is computed, but not what it is.

    Meta-estimators around one of the models below are unwrapped: Pipeline, FrozenEstimator, GridSearchCV and
    the other searches, CalibratedClassifierCV(ensemble=False), threshold classifiers, RFE,
    TransformedTargetRegressor. For an ensemble of several models, the error message gives the call that
    certifies one of them.

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
        several classes that consists of two-class models, a mapping (`CertifiedParts`) from the classes, or
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
    return replace(found, remarks=(*found.remarks, *remedies(one, found, EXPLAINED)))


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
        return _softmax(one, sample_weight)
    X = one.X if _is_penalised(one.model) else _written_out(one)
    found = _certify_problem(one.name, _problem(one.model, X, one.y, sample_weight))
    unweighed = sample_weight is None and one.weighable
    remark = WEIGHTS if MODELS[one.name].weighted else NO_WEIGHTS
    more = (remark,) if unweighed and found.relative_excess[0] > EXPLAINED else ()
    return replace(found, remarks=(*found.remarks, *one.remarks, *more, *_gap_remark(found, X)))


EXPLAINED = 1e-6  # relative excess, or gap, that a remark explains
WEIGHTS = (
    "If weights were passed to its `fit`, pass them to `certify` as well, as `sample_weight`; otherwise "
    "`certify` bounds a different objective."
)
NO_WEIGHTS = "If weights were passed to its `fit`, it minimised another objective, which cannot be certified."


def _gap_remark(found: Certified, X: Any) -> tuple[str, ...]:
    """A remark if the gap of the enclosure, not the model, may account for the excess, and what to do."""
    gap = found.optimum[1] - found.optimum[0]
    if not found.certificate.relative_gap > EXPLAINED or gap == math.inf:
        return ()
    remark = f"The optimum is known only to within {gap:.2g}: as much of the excess may be due to the bound."
    if hasattr(X, "tocsr"):
        size = abs(X).max(axis=0).toarray().ravel()
    else:
        size = np.abs(np.asarray(X, dtype=np.float64)).max(axis=0)
    j, usual = int(size.argmax()), float(np.median(size[size > 0]))
    if size[j] > FAR * min(usual, 1.0):
        names = getattr(X, "columns", None)
        which = name_columns([j if names is None else names[j]])
        reached = f"whose entries reach {size[j]:.2g} (`StandardScaler`)"
        remark += f" Rescale {which}, {reached}, and fit again."
    return (remark,)


FAR = 1e4  # a column this many times as large as 1, or as most are, may loosen a bound


# -- the objectives ----------------------------------------------------------------------------------


class Objective(NamedTuple):
    """One of the problems of the book: F of a hyperplane, and what encloses its optimum."""

    says: str
    value: Callable[[Array], Ball]  # F(a) for a hyperplane (w, b)
    enclose: Callable[[Array, Any], Certificate]  # from a hyperplane and multipliers
    dual: Callable[[Array], Array | None]  # multipliers that a hyperplane suggests
    solve: Callable[[], Certificate]
    maximised: bool = False
    closed: float = CLOSED  # relative gap up to which it need not be solved
    spent: Callable[[], tuple[str, ...]] = tuple  # a remark on what it took


def _soft_margin(X: Array, y: Array, C: float, s: Array | None) -> Objective:
    """½‖w‖² + C Σsᵢ(1 - mᵢ)₊."""
    says = f"½‖w‖² + C Σ{'' if s is None else 'sᵢ'}(1 - mᵢ)₊ with C = {C:.6g}"
    costs = SampleWeights.of(y, s).times(C)
    return Objective(
        says,
        lambda a: (
            ball(a[:-1]).squares() * 0.5 + Margins.of(X, y, a, scaled=False).hinge_loss(costs)
        ),
        lambda a, r: enclose_soft_margin(X, y, primal=a, dual=r, C=C, sample_weight=s),
        lambda a: _below_margin(X, y, a, costs.rounded),
        lambda: svm(X, y, C=C, sample_weight=s).certificate,
    )


LOSSES = {"log_loss": "logistic", "squared_hinge": "squared hinge", "hinge": "hinge"}
SAID = {"log_loss": "ln(1 + exp(-mᵢ))", "hinge": "(1 - mᵢ)₊", "squared_hinge": "(1 - mᵢ)₊²"}
# The tolerances of scikit-learn's solvers for an ℓ1 penalty and for the hinge loss, where the model's own
# leaves a gap.
SHARP, SHARP_HINGE = 1e-10, 1e-8
AGAIN = 10  # times its iterations, at most
PRODUCTS = 1e-8  # relative gap at which no more products with a sparse X are made


def _regularised(
    one: "Fitted", loss: str, C: float, penalty: float | None, says: str, *, mean: bool
) -> Objective:
    """P(w) + νP(b) + C Σsᵢφ(mᵢ), by products with X alone: sparse samples stay sparse.

    With `mean` it is divided by C Σsᵢ.
    """
    F = regularised_risk(
        one.X,
        one.y,
        loss=LOSSES[loss],
        C=C,
        sample_weight=one.weights,
        penalty=penalty,
        l1_ratio=one.l1_ratio,
    )
    spent: list[str] = []
    closed = (
        CLOSED / 100 if isinstance(F.X, np.ndarray) else PRODUCTS
    )  # of a dense X they cost little

    def value(a: Array) -> Ball:
        low, high = F.value(F.at(a))
        middle = (low + high) / 2
        found = Ball(middle, (high - low) / 2 * (1 + 4 * U) + 2 * U * abs(middle))
        return found / F.total * Ball(1.0, 4 * U) if mean else found

    def enclose(a: Array, r: Any) -> Certificate:
        found = enclosed(F, F.at(a), r)
        return kept(found)

    def kept(found: Certificate) -> Certificate:
        found = averaged(F, found) if mean else found
        remember(found, F.X, F.y)
        return found

    def solve() -> Certificate:
        if F.l1_ratio:
            spent.append(
                f"The optimum was enclosed by fitting the model again with `tol={SHARP:g}`."
            )
            return enclose(one.sharper(SHARP), None)
        a, dual, more, how = one.plane.a, None, 0, "from a better hyperplane"
        if F.loss is HINGE and type(one.model).__name__ == "LinearSVC":
            a, how = (
                one.sharper(SHARP_HINGE),
                f"by fitting the model again with `tol={SHARP_HINGE:g}`",
            )
            dual, more = recovered(F, F.at(a))
        found = minimised_by_products(F, a, dual, target=closed)
        spent.append(
            f"The optimum was enclosed {how}, which took {found.products + more} products with X."
        )
        return kept(found.certificate)

    return Objective(
        says, value, enclose, lambda a: None, solve, closed=closed, spent=lambda: tuple(spent)
    )


def _hinge(X: Array, y: Array, s: Array | None) -> Objective:
    """Σsᵢ(1 - mᵢ)₊/Σs, or the mean."""
    shares = SampleWeights.of(y, s).shares()
    return Objective(
        "mean (1 - mᵢ)₊" if s is None else "Σsᵢ(1 - mᵢ)₊/Σsᵢ",
        lambda a: Margins.of(X, y, a, scaled=True).hinge_loss(shares),
        lambda a, r: enclose_hinge(X, y, primal=a, dual=r, sample_weight=s),
        lambda a: _below_margin(X, y, a, shares.rounded),
        lambda: linear_program(X, y, sample_weight=s).certificate,
    )


def _below_margin(X: Array, y: Array, a: Array, most: Array) -> Array:
    return np.where(y * (X @ a[:-1] + a[-1]) < 1, most, 0.0)


def _logistic(X: Array, y: Array, lam: float, s: Array | None) -> Objective:
    """Σsᵢ ln(1 + exp(-mᵢ))/Σs + (λ/2)‖w‖², or the mean with it."""
    says = "mean ln(1 + exp(-mᵢ))" if s is None else "Σsᵢ ln(1 + exp(-mᵢ))/Σsᵢ"
    weights = SampleWeights.of(y, s)

    def dual(a: Array) -> Array:
        m: Array = y * (X @ a[:-1] + a[-1])
        return np.asarray(np.exp(-np.logaddexp(0.0, m)))

    return Objective(
        says + (f" + (λ/2)‖w‖² with λ = {lam:.6g}" if lam else ""),
        lambda a: mean_loss(Margins.of(X, y, a, scaled=not lam), lam, weights),
        lambda a, r: enclose_logistic(X, y, primal=a, dual=r, lam=lam, sample_weight=s),
        dual,
        lambda: logistic(X, y, lam=lam, sample_weight=s).certificate,
    )


def _squares(X: Array, y: Array, t: Array, lam: float) -> Objective:
    """½Σ(f(xᵢ) - tᵢ)², or its mean with (λ/2)‖w‖²."""
    n, said = len(y), "labels" if np.array_equal(t, y) else t

    def value(a: Array) -> Ball:
        scores = Margins.of(X, np.ones(n), a, scaled=not lam)
        loss = (t - scores.m).squares() * 0.5
        return loss if not lam else loss / n + ball(a[:-1]).squares() * lam * 0.5

    def dual(a: Array) -> Array:
        residual: Array = t - (X @ a[:-1] + a[-1])
        return residual

    def solve() -> Certificate:
        if not lam:
            return least_squares(X, y, targets=said).certificate
        a = _ridge(X, t, n * lam)
        return enclose_ridge(X, y, primal=a, dual=dual(a), lam=lam, targets=said)

    if not lam:
        return Objective(
            "½ Σ(f(xᵢ) - tᵢ)²",
            value,
            lambda a, r: enclose_least_squares(X, y, primal=a, dual=r, targets=said),
            dual,
            solve,
        )
    return Objective(
        f"mean ½(f(xᵢ) - tᵢ)² + (λ/2)‖w‖² with λ = {lam:.6g}",
        value,
        lambda a, r: enclose_ridge(X, y, primal=a, dual=r, lam=lam, targets=said),
        dual,
        solve,
    )


def _ridge(X: Array, t: Array, weight: float) -> Array:
    """The hyperplane (w, b) that minimises ½‖X̃a - t‖² + (weight/2)‖w‖², from singular values."""
    mean, centre = X.mean(axis=0), t.mean()
    P, s, Q = np.linalg.svd(X - mean, full_matrices=False)
    w = Q.T @ (s / (s * s + weight) * (P.T @ (t - centre)))
    return np.append(w, centre - mean @ w)


def _fisher(X: Array, y: Array) -> Objective:
    """⟨w, δ⟩²/‖X_W w‖², maximised."""

    def projected(a: Array) -> Array:
        s = X @ a[:-1]
        return np.asarray(s - np.where(y > 0, s[y > 0].mean(), s[y < 0].mean()))

    def dual(a: Array) -> Array:
        s, beta = X @ a[:-1], projected(a)
        return np.asarray(beta * (s[y > 0].mean() - s[y < 0].mean()) / (beta @ beta or 1.0))

    return Objective(
        "⟨w, δ⟩²/‖X_W w‖², maximised",
        lambda a: _ratio(X, y, a[:-1]),
        lambda a, r: enclose_fisher(X, y, primal=a[:-1], dual=r),
        dual,
        lambda: fisher(X, y).certificate,
        maximised=True,
    )


def _ratio(X: Array, y: Array, w: Array) -> Ball:
    """⟨w, δ⟩₊²/‖X_W w‖². A deviation about a point near a mean is too long by the two's distance, squared."""
    top = float(np.abs(w).max())
    w = w / 2.0 ** int(np.frexp(top)[1]) if top else w
    s = Margins.of(X, np.ones(len(y)), np.append(w, 0.0), scaled=False).m
    means = [s[own].sum() / own.sum() for own in (y > 0, y < 0)]
    spread = (s - np.where(y > 0, means[0].mid, means[1].mid)).squares()
    for mean, own in zip(means, (y > 0, y < 0), strict=True):
        spread = spread - Ball(0.0, float(mean.rad) ** 2 * int(own.sum()) * (1 + 8 * U))
    pulled = means[0] - means[1]
    low, high = max(0.0, float(pulled.lo)), max(0.0, float(pulled.hi))
    most = high * high / float(spread.lo) * (1 + 8 * U) if spread.lo > 0 else math.inf
    least = low * low / float(spread.hi) * (1 - 8 * U) if spread.hi > 0 else 0.0
    middle = least if most == math.inf else (least + most) / 2
    return Ball(middle, (most - least) / 2 * (1 + 8 * U) + 2 * U * middle)


# -- the models --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """A model's hyperplane as a candidate for one of the objectives."""

    plane: Hyperplane
    a: Array  # its hyperplane in the samples of the objective
    objective: Objective
    duals: tuple[Array, ...] = ()  # multipliers that the model itself has
    share: float = 1.0  # how many times as large the objective is as the one that is reported
    remarks: tuple[str, ...] = ()


CRAMMER = (
    "`multi_class='crammer_singer'` minimises half of this: its C = {:g} counts twice, and `loss` "
    "and `penalty` do not count."
)
PENALISED = (
    "It penalises the intercept, too: b/{:g} is one more weight (`intercept_scaling`). "
    "Other solvers do not, and find another hyperplane."
)


class Planes(NamedTuple):
    """The samples as the hyperplanes of a model see them: as they came, or with their mirror images."""

    X: Array
    y: Array
    a: Array
    mirrored: bool = False
    remarks: tuple[str, ...] = ()

    @classmethod
    def of(cls, model: Any, X: Array, y: Array, plane: Hyperplane) -> "Planes":
        """Which hyperplanes are considered: all, or those with b = 0."""
        if model.fit_intercept:
            return cls(X, y, plane.a)
        return cls(*_mirrored(X, y), plane.a, True, ("It has no intercept.",))

    def shared(self, c: Array | None) -> Array | None:
        """The weights of these samples: an image takes half of its sample's."""
        return c if c is None or not self.mirrored else np.tile(c / 2, 2)


def _mirrored(X: Array, y: Array) -> tuple[Array, Array]:
    """The samples and their images (-x, -y): (w, -b) is as good as (w, b), so b = 0 is optimal."""
    return np.vstack([X, -X]), np.append(y, -y)


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A model, the samples that it was fitted on as it saw them, and its hyperplane."""

    model: Any
    X: Array
    y: Array  # ±1
    plane: Hyperplane
    weights: Array | None = None  # of samples and classes together; None where all are 1
    targets: Array | None = None  # of a regression

    def number(self, name: str, *, above: float = -np.inf, least: float = -np.inf) -> float:
        """A parameter that is a number, perhaps in an array of one."""
        value = getattr(self.model, name)
        return check_number(
            value.item() if np.size(value) == 1 and np.ndim(value) else value,
            name,
            above=above,
            least=least,
        )

    @property
    def planes(self) -> Planes:
        return Planes.of(self.model, self.X, self.y, self.plane)

    @property
    def l1_ratio(self) -> float:
        """r in the penalty r‖w‖₁ + ½(1 - r)‖w‖²."""
        return float(_l1_ratio(_settings(self.model)))

    def sharper(self, tol: float) -> Array:
        """The hyperplane of the same model, fitted to the same samples with this tolerance."""
        most = AGAIN * int(np.max(self.model.n_iter_))
        options = {"tol": tol, "max_iter": most, "class_weight": None, "random_state": 0}
        again = type(self.model)(**(self.model.get_params() | options))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the gap says whether it has converged
            again.fit(self.X, self.y, sample_weight=self.weights)
        return np.append(*_plane_of(again, self.X))

    @property
    def penalty(self) -> tuple[float | None, tuple[str, ...]]:
        """That of the intercept (None: there is none; 0: none is penalised), and a remark."""
        model = self.model
        if not getattr(model, "fit_intercept", True):
            return None, ("It has no intercept.",)
        if type(model).__name__ != "LinearSVC" and getattr(model, "solver", None) != "liblinear":
            return 0.0, ()
        s = self.number("intercept_scaling", above=0)
        return 1 / (s if self.l1_ratio else s**2), (PENALISED.format(s),)

    @property
    def by_products(self) -> bool:
        """Whether nothing of the size d × d should be formed, or the penalty is not the usual one."""
        wide = self.X.shape[0] < self.X.shape[1]
        known = self.l1_ratio == 0 and isinstance(self.X, np.ndarray)
        return wide or not known or self.penalty[0] != 0

    def __len__(self) -> int:
        return len(self.y)


def _penalised(
    one: Fitted,
    loss: str,
    C: float,
    *,
    lam: float | None = None,
    dual: Array | None = None,
    remarks: tuple[str, ...] = (),
) -> Problem:
    """A model with a penalty, from its own hyperplane; with λ = 1/(CΣs), its mean loss is reported."""
    penalty, more = one.penalty
    s, each = one.weights, SAID[loss] if one.weights is None else f"sᵢ{SAID[loss]}"
    r = one.l1_ratio
    size = "‖w‖₁" if r == 1 else "r‖w‖₁ + ½(1 - r)‖w‖²" if r else "½‖w‖²"
    mixed = f", r = {r:.6g}" if 0 < r < 1 else ""
    says, share = f"{size} + C Σ{each} with C = {C:.6g}{mixed}", 1.0
    by_n = s is not None and "alpha" in one.model.get_params()  # divides by n, not by Σs
    if lam is not None:
        share = 1 / lam if by_n else 1.0  # times the mean loss with its penalty is the sum
        mean = f"mean {each}" if s is None or by_n else f"Σ{each}/Σsᵢ"
        times = {0.0: "(λ/2)‖w‖²", 1.0: "λ‖w‖₁"}.get(r, f"λ({size})")
        says = f"{mean} + {times} with λ = {lam:.6g}{mixed}"
    objective = _regularised(one, loss, C, penalty, says, mean=lam is not None and not by_n)
    duals = () if dual is None else (dual,)
    return Problem(one.plane, one.plane.a, objective, duals, share, remarks + more)


def _svc(one: Fitted) -> Problem:
    model, C = one.model, one.number("C", above=0)
    if model.shape_fit_[0] != len(one):
        raise ValueError(
            f"`X` must hold the {model.shape_fit_[0]} samples that SVC was fitted on; got {len(one)}. "
            "Pass the same samples, in the same order."
        )
    alpha = np.zeros(len(one))
    alpha[model.support_] = np.abs(_dense(model.dual_coef_)).ravel()
    if one.by_products:
        return _penalised(one, "hinge", C, dual=alpha)
    objective = _soft_margin(one.X, one.y, C, one.weights)
    return Problem(one.plane, one.plane.a, objective, (alpha,))


def _linear_svc(one: Fitted) -> Problem:
    C = one.number("C", above=0)
    if one.model.multi_class == "crammer_singer":
        return _penalised(one, "hinge", 2 * C, remarks=(CRAMMER.format(C),))
    return _penalised(one, one.model.loss, C)


def _logistic_regression(one: Fitted) -> Problem:
    model, s = one.model, one.weights
    free = model.penalty in (None, "none") or model.C == math.inf
    total = len(one) if s is None else rounded_sum(s)
    lam = 0.0 if free else 1 / (one.number("C", above=0) * total)
    lam_is = (
        "1/(nC), with n samples"
        if s is None
        else "1/(CΣsᵢ), where sᵢ are the weights of the samples"
    )
    remark = f"Its C is {model.C:g}. In this package's notation λ = {lam_is}."
    if lam and one.by_products:
        return _penalised(one, "log_loss", one.number("C", above=0), lam=lam, remarks=(remark,))
    planes = one.planes
    objective = _logistic(planes.X, planes.y, lam, planes.shared(s))
    remarks = () if free else (remark,)
    return Problem(one.plane, planes.a, objective, remarks=remarks + planes.remarks)


IS_LAM = "Its alpha = {:g} is λ in this package's notation."
TIMES = "Its objective is alpha ({:g}) times the certified one, with C = 1/(n·alpha) and n samples."


def _sgd(one: Fitted) -> Problem:
    model, s, n = one.model, one.weights, len(one)
    lam = 0.0 if model.penalty is None else one.number("alpha", least=0)
    read = getattr(model, "t_", 1.0) - 1
    remarks: tuple[str, ...] = ()
    if read % n:
        remarks = (
            f"It has read {read:.0f} samples, not a multiple of the {n} given: only the latter count here.",
        )
    if lam and (one.by_products or model.loss == "squared_hinge"):
        if model.loss == "log_loss":
            remarks = (IS_LAM.format(lam), *remarks)
            return _penalised(one, "log_loss", 1 / (lam * n), lam=lam, remarks=remarks)
        remarks = (TIMES.format(lam), *remarks)
        return _penalised(one, model.loss, 1 / (lam * n), remarks=remarks)
    if model.loss == "squared_hinge":
        raise refused(
            "SGDClassifier",
            "loss='squared_hinge' and no penalty",
            "fit with `penalty='l2'` and `alpha` > 0",
        )
    planes = one.planes
    if model.loss == "log_loss":
        remark = IS_LAM.format(lam)
        if s is not None:  # it divides by n, not by Σs
            share = rounded_sum(s) / n
            lam, remark = (
                lam / share,
                f"Its alpha is {lam:g}. In this package's notation λ = n·alpha/Σsᵢ, where sᵢ are the weights "
                "of the n samples; its objective is Σsᵢ/n times the certified one.",
            )
        objective = _logistic(planes.X, planes.y, lam, planes.shared(s))
    elif lam:
        objective = _soft_margin(planes.X, planes.y, 1 / (lam * n), planes.shared(s))
        remark = TIMES.format(lam)
    else:
        objective, remark = _hinge(planes.X, planes.y, planes.shared(s)), ""
    remarks = ((remark,) if lam else ()) + planes.remarks + remarks
    return Problem(one.plane, planes.a, objective, remarks=remarks)


def _regression(one: Fitted) -> Problem:
    alpha = one.number("alpha", least=0) if hasattr(one.model, "alpha") else 0.0
    planes, lam, t = one.planes, alpha / len(one), one.y if one.targets is None else one.targets
    targets = np.append(t, -t) if planes.mirrored else t
    objective = _squares(planes.X, planes.y, targets, lam)
    remarks = (
        (f"Its alpha is {alpha:g}. In this package's notation λ = alpha/n, with n samples.",)
        if lam
        else ()
    )
    share = 2.0 if planes.mirrored and not lam else 1.0
    return Problem(one.plane, planes.a, objective, share=share, remarks=remarks + planes.remarks)


def _discriminant(one: Fitted) -> Problem:
    model, shares = one.model, np.array([(one.y < 0).mean(), (one.y > 0).mean()])
    if model.solver != "svd" and not np.allclose(model.priors_, shares, rtol=1e-6, atol=0):
        raise refused(
            "LinearDiscriminantAnalysis",
            f"priors={model.priors!r} and solver={model.solver!r}, which weights the scatter of each "
            "class by its prior",
            "fit with `solver='svd'`, where the priors only move the threshold, or without `priors`",
        )
    remark = "Fisher's ratio determines only the direction of w, not the threshold."
    return Problem(one.plane, one.plane.a, _fisher(one.X, one.y), remarks=(remark,))


class Model(NamedTuple):
    """The problem that a scikit-learn class solves, and the meaning of each of its parameters.

    Those in `restricted` are refused unless they have the values there, with the remedy; those in `used` are
    part of the objective; those in `ignored` change how the optimum is computed, and not what it is. Any
    other, perhaps of a later version, is refused unless it has its default.
    """

    problem: Callable[[Fitted], Problem]
    restricted: Mapping[str, tuple[tuple[Any, ...], str]]
    used: tuple[str, ...]
    ignored: tuple[str, ...]
    weighted: bool = True  # whether weights of samples can be certified


SQUARES = (
    "squared errors can be certified only without `sample_weight` and `class_weight`; fit without them, or "
    "repeat samples"
)
SIGNS = "constraints on the signs of weights are not supported; fit with `positive=False`"
NO_L1_SGD = (
    "of this class only models with an ℓ2 penalty, or none, are supported; fit with `penalty='l2'` or "
    "`penalty=None`"
)
NO_L1_SOFTMAX = (
    "for more than two classes only an ℓ2 penalty is supported; fit with one, or fit "
    "`OneVsRestClassifier(model)` and certify that"
)
NO_RATIO = "the fit then no longer maximises Fisher's ratio of the samples; fit with `{}=None`"
UNDER = (
    "with it the updates do not approach the minimum of an objective; fit with another learning rate, such "
    "as `learning_rate='optimal'`"
)
RATES = ("optimal", "constant", "invscaling", "adaptive")
ONE = "two classes need only one hyperplane; leave it out"
LINEAR = "only the linear kernel gives a hyperplane in the space of `X`; fit with `kernel='linear'`"
HELD_OUT = "the model does not record which samples it set aside; fit with `early_stopping=False`"
REGRESSION = {"positive": ((False,), SIGNS)}
SEARCH = ("tol", "max_iter", "random_state", "solver", "copy_X")
MODELS = {
    "SVC": Model(
        _svc,
        {"kernel": (("linear",), LINEAR)},
        ("C", "class_weight"),
        ("degree", "gamma", "coef0", "shrinking", "probability", "tol", "cache_size", "verbose", "max_iter",
         "decision_function_shape", "break_ties", "random_state"),
    ),
    "LinearSVC": Model(
        _linear_svc,
        {
            "loss": (("hinge", "squared_hinge"), "fit with `loss='hinge'` or `loss='squared_hinge'`"),
            "multi_class": (("ovr", "crammer_singer"), "fit with `multi_class='ovr'`"),
        },
        ("C", "fit_intercept", "intercept_scaling", "class_weight", "penalty"),
        ("dual", "tol", "verbose", "random_state", "max_iter"),
    ),
    "LogisticRegression": Model(
        _logistic_regression,
        {
            "multi_class": (("auto", "ovr", "deprecated", "warn"), ONE),
        },
        ("C", "fit_intercept", "intercept_scaling", "class_weight", "solver", "penalty", "l1_ratio"),
        ("dual", "tol", "random_state", "max_iter", "verbose", "warm_start", "n_jobs"),
    ),
    "SGDClassifier": Model(
        _sgd,
        {
            "loss": (tuple(LOSSES), "fit with `loss='hinge'` or `loss='log_loss'`"),
            "penalty": (("l2", None), NO_L1_SGD),
            "learning_rate": (RATES, UNDER),
            "early_stopping": ((False,), HELD_OUT),
        },
        ("alpha", "fit_intercept", "class_weight"),
        ("l1_ratio", "max_iter", "tol", "shuffle", "verbose", "epsilon", "n_jobs", "random_state", "eta0",
         "power_t", "validation_fraction", "n_iter_no_change", "warm_start", "average"),
    ),
    "LinearDiscriminantAnalysis": Model(
        _discriminant,
        {
            name: ((None,), NO_RATIO.format(name))
            for name in ("shrinkage", "covariance_estimator")
        },
        ("priors", "solver"),
        ("n_components", "store_covariance", "tol"),
        weighted=False,
    ),
    "RidgeClassifier": Model(
        _regression,
        {**REGRESSION, "class_weight": ((None,), SQUARES)},
        ("alpha", "fit_intercept"),
        SEARCH,
        weighted=False,
    ),
    "Ridge": Model(_regression, REGRESSION, ("alpha", "fit_intercept"), SEARCH, weighted=False),
    "LinearRegression": Model(
        _regression, REGRESSION, ("fit_intercept",), ("copy_X", "tol", "n_jobs"), weighted=False
    ),
}  # fmt: skip
REGRESSORS = ("Ridge", "LinearRegression")


def _settings(model: Any) -> dict[str, Any]:
    """The parameters that count: some rule others out."""
    found = {name: getattr(model, name) for name in type(model)._get_param_names()}
    if found.get("multi_class") == "multinomial" and np.size(getattr(model, "classes_", ())) > 2:
        del found["multi_class"]  # the objective of all solvers but liblinear
    if found.get("multi_class") == "crammer_singer":
        found |= {"loss": "hinge", "penalty": "l2"}
    if found.get("penalty") == "elasticnet" and found.get("l1_ratio") == 0:
        found["penalty"] = "l2"
    return found


def _l1_ratio(settings: Mapping[str, Any]) -> float:
    """r in the penalty r‖w‖₁ + ½(1 - r)‖w‖² of these parameters."""
    penalty = settings.get("penalty", "l2")
    if penalty in ("elasticnet", "deprecated") and settings.get("C") != math.inf:
        return settings["l1_ratio"] or 0.0
    return 1.0 if penalty == "l1" else 0.0


def _refuse_unknown_parameters(model: Any) -> None:
    """Refuse a parameter that makes another objective, by its name."""
    name, kind = type(model).__name__, MODELS[type(model).__name__]
    defaults = signature(type(model)).parameters
    settings = _settings(model)
    for parameter, (allowed, remedy) in kind.restricted.items():
        found = settings.pop(parameter, allowed[0])
        if not any(found is v or (type(found) is not bool and _equal(found, v)) for v in allowed):
            raise refused(name, f"{parameter}={found!r}", remedy)
    for parameter in settings.keys() - {*kind.used, *kind.ignored}:
        found, default = settings[parameter], defaults[parameter].default
        if found is not default and not _equal(found, default):
            unknown = "a parameter that this version of `certify` does not support"
            raise refused(name, f"{parameter}={found!r}, {unknown}", "leave it at its default")


def _equal(found: Any, value: Any) -> bool:
    return np.ndim(found) == 0 and bool(found == value)


def _problem(model: Any, X: Any, y: ArrayLike, sample_weight: Any) -> Problem:
    """The problem, or an error that names the model and says what to do."""
    name = type(model).__name__
    _refuse_unknown_parameters(model)
    if not hasattr(model, "coef_"):
        raise not_fitted(name)
    _same_features(model, X)
    X = sparse_points(X) if hasattr(X, "tocsr") else check_points(X)
    if sample_weight is not None and not MODELS[name].weighted:
        remedy = (
            SQUARES
            if "Discriminant" not in name
            else "its `fit` accepts no weights; leave them out"
        )
        raise refused(name, "`sample_weight`", remedy)
    if name in REGRESSORS:
        w, b = _plane_of(model, X)
        labels, t = _two_values(name, y, X.shape[0])
        plane = Hyperplane(w, b - float(t.max() + t.min()) / 2)
        problem = MODELS[name].problem(Fitted(model, X, labels, Hyperplane(w, b), targets=t))
        middle = "The decision boundary is where the score is halfway between the two targets."
        more = (middle,) if plane.b != b else ()
        return replace(problem, plane=plane, remarks=problem.remarks + more)
    labels = _two_classes(model, name, y, X.shape[0])
    weights = _weights(model, name, y, labels, sample_weight)
    return MODELS[name].problem(Fitted(model, X, labels, Hyperplane(*_plane_of(model, X)), weights))


def _weights(model: Any, name: str, y: ArrayLike, labels: Array, given: Any) -> Array | None:
    """What each sample counts, by itself and by its class; None where all count 1."""
    s = np.ones(len(labels))
    if given is not None:
        remedy = (
            "Pass the weights that were passed to `fit`, or leave `sample_weight` out if there "
            "were none."
        )
        s = check_sample_weight(labels, _each(given, len(labels)), model.classes_.tolist(), remedy)
    if getattr(model, "class_weight", None) is not None:
        s = s * np.where(labels > 0, *reversed(_class_weights(model, name, y, s)))
    return None if (s == 1).all() else s


def _class_weights(model: Any, name: str, y: ArrayLike, s: Array) -> list[float]:
    """What a sample of each class counts, as scikit-learn says it."""
    if hasattr(model, "class_weight_"):
        return list(map(float, model.class_weight_))
    from sklearn.utils.class_weight import compute_class_weight

    weighs = (
        name != "SGDClassifier" and "sample_weight" in signature(compute_class_weight).parameters
    )
    found = compute_class_weight(
        model.class_weight,
        classes=model.classes_,
        y=np.asarray(y),
        **({"sample_weight": s} if weighs else {}),
    )
    return list(map(float, found))


DENSE = 10_000_000  # entries of a sparse matrix that are written out: 80 MB


def _dense(values: Any) -> Any:
    """Written out, if it is a sparse matrix."""
    return values.toarray() if hasattr(values, "toarray") else values


def _written_out(one: Inside) -> Any:
    """The samples, dense; an error where too many zeros would have to be written."""
    if hasattr(one.X, "toarray") and math.prod(one.X.shape) > DENSE:
        n, d = one.X.shape
        raise ValueError(
            f"`X`, which is sparse, must have at most {DENSE:,} entries, zeros included, because it "
            "is converted to "
            f"a dense array; got {n} × {d}. Fit on fewer columns (`max_features` of a vectoriser, "
            f"`SelectKBest`), or, if there is enough memory, call `certify({one.at}, {one.X_at}.toarray(), "
            f"{one.y_at})`, where `model` is your estimator."
        )
    return _dense(one.X)


def _plane_of(model: Any, X: Array) -> tuple[Array, float]:
    w = np.asarray(_dense(model.coef_), dtype=np.float64).ravel()
    b = np.asarray(model.intercept_, dtype=np.float64).ravel()
    name = type(model).__name__
    if len(b) != 1:
        raise refused(name, f"{len(b)} hyperplanes", "fit one target at a time")
    _same_count(name, len(w), X.shape[1])
    return check_vector(w, None, "coef_", below=STEEPEST), float(b[0])


def _same_count(name: str, known: int, given: int) -> None:
    if known != given:
        raise ValueError(
            f"`X` must have {known} columns, the same number of features as {name} was fitted on; got "
            f"{given}. Pass the samples it was fitted on."
        )


def _two_classes(model: Any, name: str, y: ArrayLike, n: int) -> Array:
    classes, y = np.asarray(model.classes_), np.asarray(y)
    if len(classes) != 2:
        raise refused(
            name,
            f"{len(classes)} classes",
            "fit `OneVsRestClassifier(model)` and certify that as a whole",
        )
    return _labels(y == classes[0], y == classes[1], y, n, classes.tolist())


def _two_values(name: str, y: ArrayLike, n: int) -> tuple[Array, Array]:
    t = check_vector(y, None, "y", below=LARGEST)
    values = np.unique(t)
    if len(values) != 2:
        raise refused(
            name,
            f"{len(values)} distinct target values",
            "only regression on two distinct target values, such as -1 and +1, can be certified",
        )
    return _labels(t == values[0], t == values[1], t, n, values.tolist()), t


def _labels(first: Bools, second: Bools, y: Array, n: int, known: list[Any]) -> Array:
    if first.shape != (n,) or not (first | second).all() or not (first.any() and second.any()):
        raise ValueError(
            f"`y` must contain exactly the labels {known[0]!r} and {known[1]!r}, one label for each of the "
            f"{n} samples; got shape {y.shape} with the labels {np.unique(y)[:5].tolist()}. Pass the labels "
            "that the model was fitted on."
        )
    return np.where(second, 1.0, -1.0)


def _same_features(model: Any, X: Any) -> None:
    """A table's columns by name, if the model knows theirs."""
    known, given = getattr(model, "feature_names_in_", None), getattr(X, "columns", None)
    if known is not None and given is not None and list(known) != list(given):
        raise ValueError(
            f"`X` must have the columns that {type(model).__name__} was fitted on, in the same order; got "
            f"{list(given)[:4]} instead of {list(known)[:4]}. Select them with `X[model.feature_names_in_]`."
        )


def _is_penalised(model: Any) -> bool:
    """Whether the objective has an ℓ2 penalty and a loss of margins, so that sparse samples stay sparse."""
    settings = _settings(model)
    free = settings.get("penalty", "l2") in (None, "none") or settings.get("C", 1) == math.inf
    return type(model).__name__ in BY_MARGINS and not free and bool(settings.get("alpha", 1))


BY_MARGINS = ("LogisticRegression", "LinearSVC", "SVC", "SGDClassifier")


# -- more than two classes ----------------------------------------------------------------------------


def _several(one: Inside, sample_weight: Any) -> CertifiedParts:
    """A certificate for each of the two-class models inside."""
    weights = None
    if one.name in MODELS:
        _refuse_unknown_parameters(one.model)
        _codes(one)
        if one.name == "LogisticRegression" and one.model.class_weight is not None:
            raise refused(
                one.name,
                "`class_weight` and a model for each class, whose weights depend on the solver",
                "fit `OneVsRestClassifier(model)`, and certify that",
            )
        if one.name not in ("SVC", "RidgeClassifier") and one.model.class_weight is not None:
            s = _each(sample_weight, len(one.y))
            weights = _class_weights(one.model, one.name, one.y, s)
    found = {}
    for part in parts(one.model, one.name, one.X, one.y, sample_weight, weights):
        try:
            inside = unwrapped(part.model, part.X, part.y, _is_known)
            inside = inside._replace(router=one.name if one.name in ROUTERS else "")
            each = _certified(inside, part.sample_weight)
        except ValueError as error:
            raise ValueError(f"{one.name}, for {part.said}: {error}") from None
        found[part.key] = replace(each, remarks=one.remarks + each.remarks)
    return CertifiedParts(one.name, found)


def _softmax(one: Inside, sample_weight: Any) -> Certified:
    """LogisticRegression with more than two classes, whose objective is one for all."""
    model, name = one.model, one.name
    _refuse_unknown_parameters(model)
    _same_features(model, one.X)
    if model.penalty in (None, "none") or model.C == math.inf:
        raise refused(
            name,
            "more than two classes and no penalty",
            "the lower bound needs a penalty; fit with a finite `C`, or fit `OneVsRestClassifier(model)`",
        )
    if r := _l1_ratio(_settings(model)):
        raise refused(name, f"more than two classes and l1_ratio={r!r}", NO_L1_SOFTMAX)
    codes, s = _codes(one), _each(sample_weight, len(one.y))
    if model.class_weight is not None:
        s = s * np.array(_class_weights(model, name, one.y, s))[codes]
    C = check_number(model.C, "C", above=0)
    F = softmax_risk(one.X, codes, C=C, sample_weight=s, fit_intercept=bool(model.fit_intercept))
    W = np.asarray(_dense(model.coef_), dtype=np.float64)
    _same_count(name, W.shape[1], F.X.shape[1])
    v = np.column_stack([W, model.intercept_])
    low, high = F.value(check_vector(v.ravel(), v.size, "coef_", below=STEEPEST).reshape(v.shape))
    best, steps = minimised(F, v, target=CLOSED)
    remember(best, F.X, codes)
    excess = (max(0.0, _next(low - best.upper, -1)), max(0.0, _next(high - best.lower, 1)))
    weights = "" if (s == 1).all() else "sᵢ"
    says = f"½‖W‖² + C Σ{weights}(ln Σ_c exp(f_ic) - f_iy) with C = {C:g}"
    planes = tuple(Hyperplane(w, float(b)) for w, b in zip(W, v[:, -1], strict=True))
    spent = (f"The optimum was bounded by {steps} Newton steps from this fit.",) if steps else ()
    found = Certified(
        name, says, planes, (low, high), (best.lower, best.upper), excess, best, one.remarks + spent
    )
    more = (WEIGHTS,) if sample_weight is None and found.relative_excess[0] > EXPLAINED else ()
    gap_remark = () if hasattr(one.X, "tocsr") else _gap_remark(found, one.X)
    return replace(found, remarks=(*found.remarks, *more, *gap_remark))


def _each(sample_weight: Any, n: int) -> Array:
    """Sample weights ≥ 0, shape (n,)."""
    given = 1.0 if sample_weight is None else sample_weight
    if isinstance(given, str):
        raise ValueError(
            f"`sample_weight` must be the weights that were passed to `fit`, one for each sample; got "
            f"{given!r}. Leave it out if there were none: `class_weight` is read from the model."
        )
    if np.ndim(given) == 0:
        with suppress(ValueError):
            return np.full(n, check_number(given, "sample_weight", above=0))
        raise ValueError(
            "`sample_weight` must hold one weight per sample, or be one number > 0 for all; got the number "
            f"{given!r}. Pass the weights that were passed to `fit`."
        )
    return check_vector(given, n, "sample_weight", each="samples")


def _codes(one: Inside) -> Ints:
    """The labels as 0, 1, …; each class must occur."""
    y, classes = np.asarray(one.y), np.asarray(one.model.classes_)
    n = np.shape(one.X)[0]
    if y.shape != (n,) or not np.array_equal(np.unique(y), classes):
        raise ValueError(
            f"`y` must contain exactly the labels {classes.tolist()}, one label for each of the {n} samples; "
            f"got shape {y.shape} with the labels {np.unique(y).tolist()[:5]}. Pass the labels that "
            f"{one.name} was fitted on."
        )
    return np.searchsorted(classes, y)


# -- the comparison ----------------------------------------------------------------------------------


@quietly
def _certify_problem(name: str, problem: Problem) -> Certified:
    F, share = problem.objective, problem.share
    best = min(_enclosures(problem), key=_least_open)
    value = F.value(problem.a)
    ends = _outward(max(0.0, float(value.lo)), float(value.hi), share)  # no objective is negative
    optimum = _outward(best.lower, best.upper, share)
    (low, high), (least, most) = (optimum, ends) if F.maximised else (ends, optimum)
    excess = (max(0.0, _next(low - most, -1)), max(0.0, _next(high - least, 1)))
    remarks = problem.remarks + _of_the_optimum(F, best) + F.spent()
    return Certified(name, F.says, problem.plane, ends, optimum, excess, best, remarks)


def _least_open(one: Certificate) -> tuple[Any, ...]:
    """Closed ones first, and of these the one that proves that no hyperplane attains the optimum."""
    closed = one.relative_gap <= CLOSED
    return not closed, closed and one.attained is not False, one.gap, one.score_bound < np.inf


def _of_the_optimum(F: Objective, best: Certificate) -> tuple[str, ...]:
    """For which hyperplanes the open end is proved; which columns leave the ratio without a maximum."""
    if F.maximised and best.lower == math.inf:
        return (
            f"The ratio has no finite maximum: {describe_leak(w := F.solve().primal)} and differs between "
            f"them. If the label has leaked, {drop_leak(w)} and fit again.",
        )
    if best.score_bound < math.inf:
        end = "upper" if F.maximised else "lower"
        return (
            f"Some features are dependent, at least nearly, so the {end} bound is proved only for "
            f"hyperplanes in which no feature moves a score by more than {best.score_bound:.6g}.",
        )
    return ()


def _enclosures(problem: Problem) -> Iterator[Certificate]:
    """Enclose by the model's own witnesses, or by this package's method if they leave a gap."""
    F, closed = problem.objective, False
    for dual in (*problem.duals, F.dual(problem.a)):
        found = F.enclose(problem.a, dual)
        closed = (
            closed or found.relative_gap <= F.closed
        )  # then the package's own method need not be asked
        yield found
    if not closed:
        with suppress(ValueError):  # what the method refuses keeps the enclosure at hand
            yield F.solve()


def _outward(lower: float, upper: float, share: float) -> Ends:
    exact = math.frexp(share)[0] == 0.5
    return lower / share * (1 - 8 * U * (not exact)), upper / share * (1 + 8 * U * (not exact))


def _next(x: float, side: int) -> float:
    """The next float: what a difference may have lost."""
    return x if x == 0 or math.isinf(x) else float(np.nextafter(x, side * math.inf))
