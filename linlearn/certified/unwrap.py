"""Find the model that `certify` can judge inside a scikit-learn wrapper, with its samples, or refuse."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from inspect import signature
from typing import Any, NamedTuple

import numpy as np


class Inside(NamedTuple):
    """A fitted model with its samples, and how to write each of them in a call."""

    model: Any
    X: Any
    y: Any
    at: str = "model"
    X_at: str = "X"
    y_at: str = "y"
    remarks: tuple[str, ...] = ()
    names: Any = None  # of X's columns, if steps of a pipeline made them
    call: str = "certify"  # the function that was called, and whose remedies are calls of it
    # A wrapper around it whose `fit` passes weights only to a model that requests them.
    router: str = ""

    @property
    def name(self) -> str:
        return type(self.model).__name__

    @property
    def weighable(self) -> bool:
        """Whether its `fit` may have had weights of samples."""
        if "sample_weight" not in signature(self.model.fit).parameters:
            return False
        if not self.router:
            return True
        asked = self.model.get_metadata_routing().fit.requests.get("sample_weight")
        return asked not in (None, False)

    def fitted(self, attribute: str) -> Any:
        """What `fit` leaves in an attribute, or an error that says it has not been called."""
        found = getattr(self.model, attribute, None)
        if found is None:
            raise not_fitted(self.name, self.call)
        return found

    def at_attribute(self, attribute: str, *, remark: str = "") -> "Inside":
        """The model in an attribute, fitted on the same samples."""
        inner = self.fitted(attribute.removesuffix("[0]"))
        return self.inside(inner[0] if attribute.endswith("[0]") else inner, attribute, remark)

    def inside(self, inner: Any, attribute: str, remark: str = "") -> "Inside":
        """A model fitted on the same samples, perhaps on labels 0, 1, … in place of those given."""
        at, remarks = f"{self.at}.{attribute}", self.remarks + ((remark,) if remark else ())
        found = self._replace(model=inner, at=at, remarks=remarks)
        if not self._counts(inner):
            return found
        classes, y = np.asarray(self.model.classes_), np.asarray(self.y)
        if not np.isin(y, classes).all():
            raise ValueError(
                f"`y` must contain only the labels {classes.tolist()}; got {np.unique(y).tolist()[:5]}. Pass "
                f"the labels that {self.name} was fitted on."
            )
        return found._replace(y=np.searchsorted(classes, y), y_at=self.labels_at(inner))

    def _counts(self, inner: Any) -> bool:
        """Whether the model inside has 0, 1, … as classes, and this one others."""
        own, classes = (getattr(one, "classes_", None) for one in (self.model, inner))
        if own is None or classes is None or np.array_equal(own, classes):
            return False
        return bool(np.array_equal(classes, np.arange(len(own))))

    def labels_at(self, inner: Any) -> str:
        """How the labels that the model inside was fitted on are written."""
        if self._counts(inner):
            return f"np.searchsorted({self.at}.classes_, {self.y_at})"
        return self.y_at

    def instead(self, found: str, *arguments: str, first: str = "", more: str = "") -> ValueError:
        """A refusal whose remedy is a call that can be made.

        `first` says what the call does of several things, `more` is a sentence on the others.
        """
        call = f"`{self.call}({', '.join(arguments)})`"
        cloned = " and `clone` is `sklearn.base.clone`" if "clone(" in call else ""
        return self.refused(
            found, f"{first}call {call}, where `model` is your estimator{cloned}{more}"
        )

    @property
    def one_by_one(self) -> str:
        """What to do with a model that consists of several."""
        return f"{self.call} its models one at a time; for the first, "

    def refused(self, found: str, remedy: str) -> ValueError:
        """The error that `refused` makes, for this model and the function that was called."""
        return refused(self.name, found, remedy, self.call)


# The argument that takes the model, and what is done with it.
CALLS = {"certify": ("estimator", "certified"), "verify": ("model", "verified")}


def not_fitted(name: str, call: str = "certify") -> ValueError:
    argument, done = CALLS[call]
    return ValueError(
        f"`{argument}` must be fitted before it is {done}; got an unfitted {name}. Call its `fit(X, y)` "
        "first."
    )


def refused(name: str, found: str, remedy: str, call: str = "certify") -> ValueError:
    """What the model was found with, or, after a comma, a clause about it; and what to do."""
    argument, done = CALLS[call]
    got = name + (found if found.startswith(",") else f" with {found}")
    remedy = remedy[:1].upper() + remedy[1:]
    return ValueError(f"`{argument}` cannot be {done}; got {got}. {remedy}.")


def sklearn_name(estimator: Any) -> str:
    """The name of a class of scikit-learn; empty for others, subclasses too: those may do anything."""
    kind = type(estimator)
    return kind.__name__ if kind.__module__.split(".")[0] == "sklearn" else ""


def unwrapped(
    estimator: Any, X: Any, y: Any, known: Callable[[Any], bool], *, call: str = "certify"
) -> Inside:
    """The one known model inside, fitted on all the samples; a ValueError where there is none."""
    one = Inside(estimator, X, y, call=call)
    while not known(one.model):
        name = sklearn_name(one.model)
        if name not in WRAPPERS:
            raise _unknown(one)
        one = WRAPPERS[name](one)
    return one


# -- each kind of wrapper ------------------------------------------------------------------------------


def _frozen(one: Inside) -> Inside:
    remark = "It was fitted before it was frozen, perhaps on other samples than those given."
    return one.at_attribute("estimator", remark=remark)


def _search(one: Inside) -> Inside:
    if hasattr(one.model, "cv_results_") and not hasattr(one.model, "best_estimator_"):
        raise _again(one, f"refit={one.model.refit!r}", "refit=True")
    return one.at_attribute("best_estimator_", remark=f"It is the `best_estimator_` of {one.name}.")


def _calibrated(one: Inside) -> Inside:
    models, whole = one.fitted("calibrated_classifiers_"), one.model.ensemble
    if whole == "auto":
        whole = sklearn_name(one.model.estimator) != "FrozenEstimator"
    if whole:
        raise _again(
            one, f"{len(models)} models, each fitted on only some of the samples", "ensemble=False"
        )
    remark = "It is what CalibratedClassifierCV calibrates."
    return one.inside(models[0].estimator, "calibrated_classifiers_[0].estimator", remark)


def _threshold(one: Inside) -> Inside:
    if not getattr(one.model, "refit", True) and getattr(one.model, "cv", None) != "prefit":
        raise _again(one, "refit=False, so it was fitted on only some of the samples", "refit=True")
    moved = "Its own threshold is certified, not the one that was chosen afterwards."
    return one.at_attribute("estimator_", remark=moved)


def _again(one: Inside, found: str, setting: str) -> ValueError:
    return one.instead(found, f"clone({one.at}).set_params({setting}).fit({one.X_at}, {one.y_at})",
                       one.X_at, one.y_at)  # fmt: skip


def _labels_of_their_own(one: Inside) -> Inside:
    """A model for each of several labels that a sample may have at once; of two classes a single one."""
    models = one.fitted("estimators_")
    if len(models) > 1:
        found = f"multilabel targets and a model for each of the {len(models)} labels"
        raise one.instead(
            found, f"{one.at}.estimators_[0]", one.X_at, f"{one.y_at}[:, 0]", first=one.one_by_one
        )
    return _two_of_them(one)


def _two_of_them(one: Inside) -> Inside:
    one.fitted("estimators_")
    y, classes = np.asarray(one.y), one.model.classes_
    if y.ndim != 1 or not np.isin(y, classes).all():
        raise ValueError(
            f"`y` must contain only the labels {np.asarray(classes).tolist()}, one for each sample; got "
            f"shape {y.shape} with the labels {np.unique(y).tolist()[:5]}. Pass the labels that {one.name} "
            "was fitted on."
        )
    own = (y == classes[1]).astype(int)
    at, y_at = f"{one.at}.estimators_[0]", f"{one.y_at} == {one.at}.classes_[1]"
    return one._replace(model=one.model.estimators_[0], y=own, at=at, y_at=y_at, router=one.name)


def _codes(one: Inside) -> Inside:
    count = len(one.fitted("estimators_"))
    codes = f"{one.at}.code_book_[np.searchsorted({one.at}.classes_, {one.y_at}), 0].astype(int)"
    raise one.instead(
        f"{count} hyperplanes, one for each bit of the code",
        f"{one.at}.estimators_[0]",
        one.X_at,
        codes,
        first=one.one_by_one,
    )


def _columns(one: Inside) -> Inside:
    count = len(one.fitted("estimators_"))
    column = f"{one.at}.order_[0]" if hasattr(one.model, "order_") else "0"
    raise one.instead(
        f"{count} hyperplanes, one for each output",
        f"{one.at}.estimators_[0]",
        one.X_at,
        f"{one.y_at}[:, {column}]",
        first=one.one_by_one,
        more=_earlier_outputs(one),
    )


def _earlier_outputs(one: Inside) -> str:
    """On which samples the later models of a chain were fitted; nothing for models side by side."""
    if not hasattr(one.model, "order_"):
        return ""
    if one.model.cv is not None:
        return (
            ". The later models were fitted on cross-validated predictions of the earlier labels as well, "
            "which the chain does not keep"
        )
    return (
        ". The later models need the earlier labels as further columns: model k was fitted on "
        f"`np.column_stack([{one.X_at}, {one.y_at}[:, {one.at}.order_[:k]]])`"
    )


def _draws(one: Inside) -> Inside:
    models, rows = one.fitted("estimators_"), one.model.estimators_samples_
    columns, first, n = one.model.estimators_features_[0], models[0], int(np.shape(one.y)[0])
    whole = np.array_equal(columns, np.arange(one.model.n_features_in_))
    if len(models) == 1 and whole and np.array_equal(np.sort(rows[0]), np.arange(n)):
        return one.at_attribute("estimators_[0]")
    labels, drawn = one.labels_at(first), f"{one.at}.estimators_samples_[0]"
    wide = one.X_at if whole else f"{one.X_at}[:, {one.at}.estimators_features_[0]]"
    call: tuple[str, ...] = f"{wide}[{drawn}]", f"({labels})[{drawn}]"
    if "sample_weight" in signature(first.fit).parameters and sklearn_name(first) not in SQUARES:
        call = wide, labels, f"sample_weight=np.bincount({drawn}, minlength=len({one.y_at}))"
    found = f"{len(models)} models, each fitted on a random sample"
    raise one.instead(found, f"{one.at}.estimators_[0]", *call, first=one.one_by_one)


SQUARES = ("LinearRegression", "Ridge", "RidgeClassifier")  # weights of theirs have no enclosure


def _votes(one: Inside) -> Inside:
    models = one.fitted("estimators_")
    if len(models) == 1 and not hasattr(one.model, "final_estimator_"):
        return one.at_attribute("estimators_[0]")
    labels = one.labels_at(models[0])
    found = f"{len(models)} models"
    if len(models) == 1:
        found = "a final model that was fitted to the predictions of another model"
        only = f"{one.call} the model that makes these predictions: "
        raise one.instead(found, f"{one.at}.estimators_[0]", one.X_at, labels, first=only)
    raise one.instead(found, f"{one.at}.estimators_[0]", one.X_at, labels, first=one.one_by_one)


def _boosted(one: Inside) -> Inside:
    raise one.refused(", which does not keep the weights with which it fitted its models",
                  "certify a model that you fitted separately")  # fmt: skip


def _self_training(one: Inside) -> Inside:
    one.fitted("estimator_")
    labels = f"{one.at}.transduction_"
    rows = f"{labels} != -1"
    call = f"{one.at}.estimator_", f"{one.X_at}[{rows}]", f"{labels}[{rows}]"
    first = f"{one.call} its final model on the labels it used: "
    raise one.instead(", which may assign labels itself", *call, first=first)


def _inliers(one: Inside) -> Inside:
    one.fitted("estimator_")
    rows = f"[{one.at}.inlier_mask_]"
    raise one.instead(
        ", which excluded some samples as outliers",
        f"{one.at}.estimator_",
        one.X_at + rows,
        one.y_at + rows,
    )


def _selected(one: Inside) -> Inside:
    found = one.at_attribute("estimator_")
    if one.name == "SelectFromModel":
        return found
    remark = f"Its samples are the features that {one.name} kept."
    return found._replace(
        X=one.model.transform(one.X),
        X_at=f"{one.at}.transform({one.X_at})",
        names=None,
        remarks=(*found.remarks, remark),
    )


def _targets(one: Inside) -> Inside:
    found = one.at_attribute("regressor_")
    t = one.model.transformer_.transform(np.reshape(one.y, (-1, 1))).ravel()
    y_at = f"{one.at}.transformer_.transform(np.reshape({one.y_at}, (-1, 1))).ravel()"
    return found._replace(y=t, y_at=y_at, remarks=(*found.remarks, "Its targets are transformed."))


def _chosen(by: str) -> Callable[[Inside], Inside]:
    """Of models that choose a parameter themselves: fit one with what they chose."""

    def opened(one: Inside) -> Inside:
        one.fitted("coef_")
        plain = one.name.removesuffix("CV")
        if plain == "LogisticRegression":
            chosen = f"C=np.ravel({one.at}.C_)[0]"
        else:
            chosen = f"alpha=float({one.at}.alpha_)"
        call = f"{plain}({chosen}).fit({one.X_at}, {one.y_at})"
        found = f", which chose its {by} by cross-validation"
        first = f"fit {plain} with this `{by}` and your other parameters, and {one.call} that: "
        raise one.instead(found, call, one.X_at, one.y_at, first=first)

    return opened


def _updates(one: Inside) -> Inside:
    hinge = "SGDClassifier(loss='hinge')" if one.name != "PassiveAggressiveRegressor" else "Ridge()"
    raise one.refused(
        ", whose updates do not approach the minimum of an objective",
        f"fit a model that does, such as `{hinge}`",
    )


def _pipeline(one: Inside) -> Inside:
    """The last step, on what the steps before make of X."""
    steps = one.model.steps
    if steps[-1][1] in (None, "passthrough"):
        raise one.refused("no model as its last step", "append a model and fit the pipeline")
    last = one._replace(model=steps[-1][1], at=f"{one.at}[-1]")
    if len(steps) == 1:
        return last
    odd = next(filter(None, (_made_otherwise(step) for _, step in steps[:-1])), None)
    before = f"clone({one.at}[:-1]).fit_transform({one.X_at}, {one.y_at})"
    if odd is not None:
        raise one.refused(
            f"the step {type(odd).__name__}, whose `fit_transform` may return different values from "
            "`transform`, so the samples on which its model was fitted cannot be recomputed",
            f"transform the samples once, `Z = {before}`, and call `{one.call}(clone({last.at}).fit(Z, "
            f"{one.y_at}), Z, {one.y_at})`, where `model` is your estimator and `clone` is "
            "`sklearn.base.clone`",
        )
    from sklearn.exceptions import NotFittedError

    try:
        X = one.model[:-1].transform(one.X)
    except NotFittedError:
        raise not_fitted(one.name, one.call) from None
    except (ValueError, TypeError, KeyError, AttributeError) as error:  # a step's, on other samples
        why = " ".join(str(error).split()).rstrip(".")
        order = f": `{one.X_at}[{one.at}.feature_names_in_]`" if hasattr(one.X, "columns") else ""
        raise ValueError(
            f"`{one.X_at}` must hold the samples on which the pipeline was fitted; got a "
            f"{type(one.X).__name__} that the steps of the pipeline reject: “{why}”. Pass those samples, "
            f"with their columns in the same order{order}."
        ) from error
    names = None
    with suppress(AttributeError, ValueError):  # a step that has no names for what it makes
        names = one.model[:-1].get_feature_names_out()
    where = f"Its samples are what the steps before it make of `{one.X_at}`."
    return last._replace(
        X=X, X_at=f"{one.at}[:-1].transform({one.X_at})", remarks=(*one.remarks, where), names=names
    )


def _made_otherwise(step: Any) -> Any:
    """The first transformer inside whose `fit_transform` may make other samples than its `transform`."""
    name = sklearn_name(step)
    if name in PARTS:
        inside = (part[1] for part in getattr(step, PARTS[name], ()))  # none before it is fitted
        return next(filter(None, map(_made_otherwise, inside)), None)
    owner = next((kind for kind in type(step).__mro__ if "fit_transform" in vars(kind)), None)
    if isinstance(step, str) or owner is None or owner.__name__ == "TransformerMixin":
        return None  # then a Pipeline calls `fit` and `transform`
    return None if name in ALIKE and ALIKE[name](step) else step


PARTS = {
    "Pipeline": "steps",
    "FeatureUnion": "transformer_list",
    "ColumnTransformer": "transformers_",
}
ALWAYS = (
    "BisectingKMeans", "CountVectorizer", "DictVectorizer", "FastICA", "HashingVectorizer", "KMeans",
    "KNeighborsTransformer", "LatentDirichletAllocation", "MiniBatchKMeans", "MissingIndicator",
    "PowerTransformer", "RadiusNeighborsTransformer", "RandomTreesEmbedding", "StackingRegressor",
    "TfidfVectorizer", "TruncatedSVD", "VotingClassifier", "VotingRegressor",
)  # fmt: skip
# Which write `fit_transform` anew only to save work, and when.
ALIKE: Mapping[str, Callable[[Any], bool]] = dict.fromkeys(ALWAYS, lambda step: True) | {
    "PCA": lambda step: getattr(step, "_fit_svd_solver", step.svd_solver) != "randomized",
    "KernelPCA": lambda step: step.eigen_solver != "randomized",
    "IterativeImputer": lambda step: not step.sample_posterior,
}
WRAPPERS: Mapping[str, Callable[[Inside], Inside]] = {
    "Pipeline": _pipeline,
    "FrozenEstimator": _frozen,
    **dict.fromkeys(
        ("GridSearchCV", "RandomizedSearchCV", "HalvingGridSearchCV", "HalvingRandomSearchCV"),
        _search,
    ),
    "CalibratedClassifierCV": _calibrated,
    **dict.fromkeys(("FixedThresholdClassifier", "TunedThresholdClassifierCV"), _threshold),
    "OneVsRestClassifier": _labels_of_their_own,
    "OneVsOneClassifier": _two_of_them,
    "OutputCodeClassifier": _codes,
    **dict.fromkeys(
        ("MultiOutputClassifier", "MultiOutputRegressor", "ClassifierChain", "RegressorChain"),
        _columns,
    ),
    **dict.fromkeys(("BaggingClassifier", "BaggingRegressor"), _draws),
    **dict.fromkeys(
        ("VotingClassifier", "VotingRegressor", "StackingClassifier", "StackingRegressor"), _votes
    ),
    **dict.fromkeys(("AdaBoostClassifier", "AdaBoostRegressor"), _boosted),
    "SelfTrainingClassifier": _self_training,
    "RANSACRegressor": _inliers,
    **dict.fromkeys(("RFE", "RFECV", "SelectFromModel"), _selected),
    "TransformedTargetRegressor": _targets,
    "LogisticRegressionCV": _chosen("C"),
    **dict.fromkeys(("RidgeCV", "RidgeClassifierCV"), _chosen("alpha")),
    **dict.fromkeys(
        ("Perceptron", "PassiveAggressiveClassifier", "PassiveAggressiveRegressor"), _updates
    ),
}


def _unknown(one: Inside) -> ValueError:
    kind = type(one.model)
    name = kind.__name__
    where = f" in `{one.at}`" if one.at != "model" else ""
    if one.call == "verify":
        return ValueError(
            "`model` must be an estimator of `linlearn.estimators`, or a wrapper around one; got "
            f"{name}{where}. For a scikit-learn model, call `linlearn.certify(model, X, y)`, where `model` "
            "is the whole estimator that you passed."
        )
    if hasattr(one.model, "fit_"):
        remedy = (
            "It carries its certificate: call `linlearn.estimators.verify(model, X, y)`, where `model` is "
            "your estimator"
        )
    elif not sklearn_name(one.model):
        if kind.__module__ == "builtins":
            name = f"an object of type {name}"
        elif kind.__module__ != "__main__":
            name += f" of {kind.__module__}"
        remedy = (
            "Other classes, even subclasses of scikit-learn's, may have any objective: pass a model of "
            "scikit-learn itself"
        )
    else:
        remedy = "Fit one of the models listed there, or use a method of this package"
    return ValueError(
        "`estimator` must be a fitted linear scikit-learn model that `certify` supports (its "
        f"docstring lists them), or a meta-estimator around one; got {name}{where}. {remedy}."
    )
