"""Write an estimator, or a pipeline that ends in one, to a .npz file without pickle, and read it back."""

import io
import json
import os
from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from linlearn._npz import Stored, is_count, is_number, is_numbers, open_stored, write
from linlearn.certificates.to_npz import CLAIM_KEYS, claim_from_dict, claim_to_dict
from linlearn.estimators.base import KINDS, LinearClassifier
from linlearn.fit import Fit
from linlearn.plane import Hyperplane

FORMAT = "linlearn model 6"


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted estimator, or a pipeline that ends in one, to `path`; nothing in the file is pickled.

    The file (NumPy's .npz) contains everything that `predict` and `verify` need: parameters, classes, names
    of features, hyperplanes, the certificate with its witnesses, and the steps before the estimator, as skops
    (https://skops.readthedocs.io) writes them. It does not contain the samples, the trace, or the `memory` of
    the pipeline.

    Parameters
    ----------
    model : a fitted estimator of this module, or a Pipeline that ends in one
        Its other steps may be any scikit-learn transformers: ColumnTransformer, TfidfVectorizer and so on.
    path : the file to write; pass it to `load`

    Raises
    ------
    ModuleNotFoundError
        If the pipeline has other steps and skops is not installed.
    ValueError
        If the model is of another kind, or if a step contains a function or class from outside scikit-learn.

    Examples
    --------
    >>> import tempfile, os
    >>> from linlearn.estimators import LDA
    >>> model = LDA().fit([[0.0], [1.0], [2.0], [3.0]], ["no", "yes", "no", "yes"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(model, os.path.join(folder, "m"))
    ...     os.listdir(folder)
    ['m']
    """
    pipeline = model if type(model) is Pipeline else None
    last = _ours(model if pipeline is None else model[-1], inside=pipeline is not None)
    check_is_fitted(last)
    head = {
        "format": FORMAT,
        "model": type(last).__name__,
        "parameters": {name: _plain(name, v) for name, v in last.get_params().items()},
        "objects": last.classes_.dtype == object,
    }
    arrays: dict[str, Any] = {"classes": _text(last.classes_)}
    if hasattr(last, "feature_names_in_"):
        arrays["features"] = _text(last.feature_names_in_)
    if pipeline is not None:
        arrays["steps"] = np.frombuffer(_pipeline_bytes(pipeline), np.uint8)
    arrays["model"] = json.dumps(head)
    if hasattr(last, "fit_"):
        last.fit_.save(path, beside=arrays)
        return
    claim, witnesses = claim_to_dict(last.certificate_)
    claim |= {"format": FORMAT, "k": last.n_iter_}
    write(path, arrays | witnesses | {"claim": json.dumps(claim)})


def load(path: str | os.PathLike[str]) -> Any:
    """Read a model written by `save`, ready to predict; `verify` it before you rely on it.

    Parameters
    ----------
    path : the path that was given to `save`

    Examples
    --------
    >>> import tempfile, os
    >>> from linlearn.estimators import LDA
    >>> model = LDA().fit([[0.0], [1.0], [2.0], [3.0]], ["no", "yes", "no", "yes"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(model, os.path.join(folder, "m"))
    ...     load(os.path.join(folder, "m")).predict([[9.0]]).tolist()
    ['yes']
    """
    with open_stored(path, "estimators.save", FORMAT) as stored:
        return _read(stored)


HEAD = ("model", "parameters", "objects")


def _read(stored: Stored) -> Any:
    """The model among the members of an open file."""
    if "model" not in stored.members:
        raise ValueError("it holds no model. If `Fit.save` wrote it, use `Fit.load`")
    head = stored.head("model", FORMAT, HEAD)
    if not isinstance(head["model"], str) or head["model"] not in KINDS:
        raise ValueError(f"{head['model']!r} is not a classifier of `linlearn.estimators`")
    kind = KINDS[head["model"]]
    given = _with_keys(head["parameters"], kind().get_params())
    model = kind(**{name: _restored(value) for name, value in given.items()})
    classes = stored.array("classes", "biufU", None)
    if (
        len(classes) < 2
        or not (classes[:-1] < classes[1:]).all()
        or not isinstance(head["objects"], bool)
    ):
        raise ValueError("'classes' must hold two labels or more in ascending order")
    model.classes_ = classes.astype(object) if head["objects"] else classes
    if len(classes) > 2:
        _read_several(model, stored)
    else:
        model._take(Fit.read(stored))
    model.n_features_in_ = d = model.coef_.shape[1]
    if stored.has("features"):
        model.feature_names_in_ = stored.array("features", "U", d).astype(object)
    if not stored.has("steps"):
        return model
    pipeline = _restored_pipeline(stored.array("steps", "u", None).tobytes())
    pipeline.steps[-1] = (pipeline.steps[-1][0], model)
    return pipeline


def _read_several(model: LinearClassifier, stored: Stored) -> None:
    """Give the model of more than two classes its parameters and its certificate."""
    if model._fit_several is None:
        raise ValueError(f"{type(model).__name__} has two classes, and 'classes' has more")
    head = stored.head("claim", FORMAT, (*CLAIM_KEYS, "k"))
    primal = stored.array("primal", "f", len(model.classes_), None)
    if primal.shape[1] < 2 or not np.isfinite(primal).all() or not is_count(head["k"]):
        raise ValueError("'primal' must hold finite numbers for each class, and 'k' a count")
    claim = claim_from_dict(head, stored, primal)
    dual = claim.dual
    fits = isinstance(dual, np.ndarray) and dual.shape[1] == len(primal)
    if claim.quantity != "softmax" or not fits:
        raise ValueError("its certificate is not that of a softmax objective of these classes")
    model._take_several(claim, head["k"])


# What scikit-learn's steps hold beside what skops trusts by itself; no other function or class is built.
TRUSTED = (
    "numpy.dtype",
    "sklearn.compose._column_transformer.make_column_selector",
    "sklearn.feature_selection._univariate_selection.chi2",
)


def _skops() -> Any:
    try:
        import skops.io
    except ImportError:
        raise ModuleNotFoundError(
            "saving or loading the steps of a pipeline needs skops, which is not installed. Install "
            "it with: pip install skops"
        ) from None
    return skops.io


def _pipeline_bytes(pipeline: Pipeline) -> bytes:
    """The pipeline with nothing in its estimator's place, as skops writes it."""
    skops, shell = _skops(), copy(pipeline)
    for name, step in pipeline.steps[:-1]:
        if found := _unsafe(skops, step):
            raise ValueError(
                "`model` must not have steps with functions or classes that cannot be saved safely; got the "
                f"step {name!r}, which contains {', '.join(found)}. Apply this step before the pipeline, or "
                "replace it by another transformer of scikit-learn, and fit again."
            )
    shell.steps, shell.memory = [*pipeline.steps[:-1], (pipeline.steps[-1][0], "passthrough")], None
    data: bytes = skops.dumps(shell)
    return data


def _unsafe(skops: Any, step: Any) -> list[str]:
    """What in a step cannot be loaded without trust in the file."""
    try:
        data = skops.dumps(step)
    except (AttributeError, TypeError) as error:  # a function that has no name to be found by
        return [str(error)]
    return sorted(set(skops.get_untrusted_types(data=data)) - set(TRUSTED))


def _restored_pipeline(data: bytes) -> Pipeline:
    with ZipFile(io.BytesIO(data)) as file:
        if any(one.compress_type or one.filename.endswith(".npz") for one in file.infolist()):
            raise ValueError("its steps are compressed")  # and may be larger than the file
    found = _skops().loads(data, trusted=list(TRUSTED))
    if type(found) is not Pipeline or found.steps[-1][1] != "passthrough":
        raise ValueError("its steps do not form a pipeline")
    return found


def _with_keys(given: Any, keys: Iterable[str]) -> dict[str, Any]:
    if not isinstance(given, dict) or set(given) != set(keys):
        raise ValueError(f"it must give values for {', '.join(keys)}; got {given!r}")
    return given


def _ours(model: Any, *, inside: bool) -> LinearClassifier:
    if isinstance(model, LinearClassifier):
        return model
    name = f"{'a Pipeline that ends in ' if inside else ''}{type(model).__name__}"
    remedy = "To save a scikit-learn model, call `skops.io.dump(model, path)`"
    if hasattr(model, "best_estimator_"):
        remedy = "Save the model that was chosen: `save(model.best_estimator_, path)`"
    raise ValueError(
        "`model` must be an estimator of `linlearn.estimators`, or a Pipeline that ends in one; got "
        f"{name}. {remedy}."
    )


def _plain(name: str, value: Any) -> Any:
    """A parameter as JSON has it; what JSON has not is marked by its kind."""
    if isinstance(value, Hyperplane):
        return {"plane": value.a.tolist()}
    if isinstance(value, Mapping):
        return {"pairs": [[_item(key), _item(one)] for key, one in value.items()]}
    if isinstance(value, np.ndarray | tuple):
        return {"array" if isinstance(value, np.ndarray) else "tuple": np.asarray(value).tolist()}
    value = _item(value)
    if not (value is None or isinstance(value, str | int | float) or is_numbers(value)):
        raise ValueError(
            f"`{name}` must be None, a number, a string, a Hyperplane, numbers in a list, tuple or array, or "
            f"a dict for the model to be saved; got {value!r}. Fit with such a value."
        )
    return value


def _item(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _restored(value: Any) -> Any:
    """What `_plain` has written."""
    if isinstance(value, list) and not is_numbers(value):
        raise ValueError(f"it must hold numbers; got {value!r}")
    if not isinstance(value, dict):
        return value
    ((mark, given),) = value.items()
    if mark == "pairs":
        if not all(isinstance(k, str | int | float) and is_number(v) for k, v in given):
            raise ValueError(
                f"its class weights must be pairs of a label and a number; got {given!r}"
            )
        return dict(given)
    if not is_numbers(given):
        raise ValueError(f"it must hold numbers; got {given!r}")
    made: Any = {"plane": Hyperplane.from_homogeneous, "tuple": tuple, "array": np.array}[mark]
    return made(given)


def _text(values: NDArray[Any]) -> NDArray[Any]:
    """Labels or names as an array without Python's objects."""
    if values.dtype == object:
        if not all(isinstance(v, str) for v in values.tolist()):
            raise ValueError(
                f"only labels that are numbers or strings can be saved; got {values.tolist()[:3]}. Map "
                "them to strings and fit again."
            )
        return values.astype(str)
    return values
