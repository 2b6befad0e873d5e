"""Find the model that `certify` can judge inside a scikit-learn wrapper, with its samples, or refuse."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from inspect import signature
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


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

    @property
    def codes(self) -> NDArray[np.intp]:
        """The labels as 0, 1, … in the order of the classes that the model knows; each must occur."""
        y, classes, n = np.asarray(self.y), np.asarray(self.model.classes_), np.shape(self.X)[0]
        if y.shape != (n,) or not np.array_equal(np.unique(y), classes):
            raise ValueError(
                f"`y` must contain exactly the labels {classes.tolist()}, one label for each of the {n} "
                f"samples; got shape {y.shape} with the labels {np.unique(y)[:5].tolist()}. Pass the labels "
                f"that {self.name} was fitted on."
            )
        return np.searchsorted(classes, y)

    def inside(self, inner: Any, attribute: str, remark: str = "") -> "Inside":
        """A model in an attribute, fitted on the same samples, perhaps on 0, 1, … in place of the labels."""
        at, remarks = f"{self.at}.{attribute}", self.remarks + ((remark,) if remark else ())
        found = self._replace(model=inner, at=at, remarks=remarks)
        own: Any = getattr(self.model, "classes_", None)
        classes: Any = getattr(inner, "classes_", None)
        same = own is None or classes is None or np.array_equal(own, classes)
        if same or not np.array_equal(classes, np.arange(len(own))):
            return found
        return found._replace(
            y=self.codes, y_at=f"np.searchsorted({self.at}.classes_, {self.y_at})"
        )

    def instead(self, found: str, *arguments: str, first: str = "") -> ValueError:
        """A refusal whose remedy is a call that can be made; `first` says what it does of several things.

        In all texts {at}, {X} and {y} stand for the model and its samples as they are written, {n} for the
        number of models inside.
        """
        call = f"`{{call}}({', '.join(arguments)})`"
        cloned = " and `clone` is `sklearn.base.clone`" if "clone(" in call else ""
        remedy = f"{first}call {call}, where `model` is your estimator{cloned}"
        n = len(getattr(self.model, "estimators_", ()))
        names = {"at": self.at, "X": self.X_at, "y": self.y_at, "call": self.call, "n": n}
        return self.refused(found.format(**names), remedy.format(**names))

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
        _check_fitted(one)
        one = WRAPPERS[name](one)
    return one


def _check_fitted(one: Inside) -> None:
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    try:
        check_is_fitted(one.model)
    except NotFittedError:
        raise not_fitted(one.name, one.call) from None


# -- each kind of wrapper ------------------------------------------------------------------------------

Wrapper = Callable[[Inside], Inside]
FIRST = "{at}.estimators_[0]"
ONE_BY_ONE = "{call} its models one at a time; for the first, "


def _instead(found: str, *call: str, first: str = "") -> Wrapper:
    """None that is certified as a whole: what it is, and the call to make instead, as for `instead`."""

    def opened(one: Inside) -> Inside:
        raise one.instead(found, *call, first=first)

    return opened


def _refused(found: str, remedy: str) -> Wrapper:
    """None that is certified, nor a part of it."""

    def opened(one: Inside) -> Inside:
        raise one.refused(found, remedy)

    return opened


def _chosen(model: str, by: str) -> Wrapper:
    """Of models that choose a parameter themselves: fit one with what they chose."""
    return _instead(
        f", which chose its {by} by cross-validation",
        f"{model}({by}=np.ravel({{at}}.{by}_)[0]).fit({{X}}, {{y}})",
        "{X}",
        "{y}",
        first=f"fit {model} with this `{by}` and your other parameters, and {{call}} that: ",
    )


def _again(setting: str) -> tuple[str, ...]:
    """The call for a model that is fitted again with another setting."""
    return f"clone({{at}}).set_params({setting}).fit({{X}}, {{y}})", "{X}", "{y}"


def _frozen(one: Inside) -> Inside:
    remark = "It was fitted before it was frozen, perhaps on other samples than those given."
    return one.inside(one.model.estimator, "estimator", remark)


def _search(one: Inside) -> Inside:
    if not hasattr(one.model, "best_estimator_"):
        raise one.instead(f"refit={one.model.refit!r}", *_again("refit=True"))
    remark = f"It is the `best_estimator_` of {one.name}."
    return one.inside(one.model.best_estimator_, "best_estimator_", remark)


def _calibrated(one: Inside) -> Inside:
    models = one.model.calibrated_classifiers_
    if len(models) > 1:
        found = f"{len(models)} models, each fitted on only some of the samples"
        raise one.instead(found, *_again("ensemble=False"))
    remark = "It is what CalibratedClassifierCV calibrates."
    return one.inside(models[0].estimator, "calibrated_classifiers_[0].estimator", remark)


def _threshold(one: Inside) -> Inside:
    if not getattr(one.model, "refit", True) and getattr(one.model, "cv", None) != "prefit":
        found = "refit=False, so it was fitted on only some of the samples"
        raise one.instead(found, *_again("refit=True"))
    moved = "Its own threshold is certified, not the one that was chosen afterwards."
    return one.inside(one.model.estimator_, "estimator_", moved)


def _two_classes(one: Inside) -> Inside:
    """One model for both classes; of several labels that a sample may have at once, one for each label."""
    if len(one.model.estimators_) > 1:
        found = "multilabel targets and a model for each of the {n} labels"
        raise one.instead(found, FIRST, "{X}", "{y}[:, 0]", first=ONE_BY_ONE)
    inner = one.inside(one.model.estimators_[0], "estimators_[0]")
    return inner._replace(y=one.codes, router=one.name)


def _votes(one: Inside) -> Inside:
    found, first = "{n} models", one.inside(one.model.estimators_[0], "estimators_[0]")
    if hasattr(one.model, "final_estimator_"):
        found = "a final model, fitted to the predictions of other models"
    raise one.instead(found, first.at, first.X_at, first.y_at, first=ONE_BY_ONE)


def _selected(one: Inside) -> Inside:
    remark = f"Its samples are the features that {one.name} kept."
    found = one.inside(one.model.estimator_, "estimator_", remark)
    return found._replace(
        X=one.model.transform(one.X), X_at=f"{one.at}.transform({one.X_at})", names=None
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
    try:
        X = one.model[:-1].transform(one.X)
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
SEARCHES = ("GridSearchCV", "RandomizedSearchCV", "HalvingGridSearchCV", "HalvingRandomSearchCV")
_updates = _refused(
    ", whose updates do not approach the minimum of an objective",
    "fit a model that does, such as `SGDClassifier(loss='hinge')`",
)
COMBINED = (
    "AdaBoostClassifier", "BaggingClassifier", "ClassifierChain", "OutputCodeClassifier",
    "SelfTrainingClassifier",
)  # fmt: skip
_combined = _refused(
    ", whose models were fitted to other samples, weights or labels than those given",
    "certify a model that you fitted separately",
)
WRAPPERS: Mapping[str, Wrapper] = {
    "Pipeline": _pipeline,
    "FrozenEstimator": _frozen,
    **dict.fromkeys(SEARCHES, _search),
    **dict.fromkeys(COMBINED, _combined),
    "CalibratedClassifierCV": _calibrated,
    "FixedThresholdClassifier": _threshold,
    "TunedThresholdClassifierCV": _threshold,
    "OneVsRestClassifier": _two_classes,
    "OneVsOneClassifier": _two_classes,
    "MultiOutputClassifier": _instead(
        "{n} hyperplanes, one for each output", FIRST, "{X}", "{y}[:, 0]", first=ONE_BY_ONE
    ),
    "VotingClassifier": _votes,
    "StackingClassifier": _votes,
    "RFE": _selected,
    "RFECV": _selected,
    "LogisticRegressionCV": _chosen("LogisticRegression", "C"),
    "RidgeClassifierCV": _chosen("RidgeClassifier", "alpha"),
    "Perceptron": _updates,
    "PassiveAggressiveClassifier": _updates,
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
