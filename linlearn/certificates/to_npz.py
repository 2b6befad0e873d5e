"""Turn a certificate and its witnesses into arrays for a .npz file, and back, validating everything read."""

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from linlearn._npz import Stored, is_number, is_numbers, is_words
from linlearn.certificates import ENCLOSE, Certificate, Cover, Packing, SparseDual
from linlearn.validation import Array

# The numbers of a certificate that a file keeps.
BOUNDS = ("lower", "upper", "scale", "score_bound")
# Dual witnesses that are more than one array.
SETS: dict[str, Any] = {kind.__name__: kind for kind in (Packing, Cover, SparseDual)}
CLAIMS = ("start", "samples", "weights")
WITNESSES = {  # the arrays of each
    "Packing": (*CLAIMS, "amounts"),
    "Cover": (*CLAIMS, "centre", "scale", "A", "parent", "piece"),
    "SparseDual": ("samples", "amounts", "width"),
}
SHAPES = {"A": (None, None), "width": ()}  # of the others: one dimension
WHOLE = ("start", "samples", "parent", "piece")  # numbers; the others are floats
CLAIM_KEYS = ("quantity", "options", "dual", "attained", "n")


def claim_to_dict(claim: Certificate) -> tuple[dict[str, Any], dict[str, Any]]:
    """A certificate as a dict for JSON, with the keys of CLAIM_KEYS, and arrays by name."""
    listed = {k: v.tolist() for k, v in claim.options.items() if isinstance(v, np.ndarray)}
    head = {
        "quantity": claim.quantity,
        "options": {**claim.options, **listed},
        "dual": type(claim.dual).__name__,
        "attained": claim.attained,
        "n": claim.n,
    }
    bounds = np.array([getattr(claim, name) for name in BOUNDS], dtype=np.float64)
    return head, {"bounds": bounds, "primal": claim.primal, **_kept(claim.dual)}


def claim_from_dict(head: Mapping[str, Any], stored: Stored, primal: Array) -> Certificate:
    """The certificate of which `claim_to_dict` made the dict and the arrays; the primal one has been read."""
    bounds = dict(zip(BOUNDS, stored.array("bounds", "f", len(BOUNDS)).tolist(), strict=True))
    if not (bounds["scale"] >= 0 and bounds["score_bound"] >= 0):  # nor NaN
        raise ValueError("its 'bounds' contain a negative number")
    _check_options(head["quantity"], head["options"])
    if not (head["attained"] is None or isinstance(head["attained"], bool)):
        raise ValueError("`attained` in 'head' must be true, false or null")
    if not (head["n"] is None or (type(head["n"]) is int and head["n"] > 0)):
        raise ValueError("`n` in 'head' must be a positive integer or null")
    return Certificate(
        head["quantity"],
        primal=primal,
        dual=_dual(head["dual"], stored, primal.ndim),
        options=head["options"],
        attained=head["attained"],
        n=head["n"],
        **bounds,
    )


def _kept(dual: Any) -> dict[str, Any]:
    """A dual witness as plain arrays by name; none where the hyperplane alone is the witness."""
    if type(dual).__name__ in SETS:
        return {f"dual.{name}": v for name, v in dual.to_arrays().items()}
    return {} if dual is None else {"dual": dual}


def _dual(kind: object, stored: Stored, ndim: int) -> Any:
    """The dual witness of which `_kept` made arrays; a plain one has as many dimensions as the primal."""
    if kind == "NoneType":
        return None
    if kind == "ndarray":
        return stored.array("dual", "f", *[None] * ndim)
    if not isinstance(kind, str) or kind not in SETS:
        raise ValueError(f"its dual witness has the unknown type {kind!r}")

    def array(name: str) -> Array:
        kinds, dtype = ("i", np.int64) if name in WHOLE else ("f", np.float64)
        found = stored.array(f"dual.{name}", kinds, *SHAPES.get(name, (None,)))
        return found.astype(dtype, copy=False)

    return SETS[kind].from_arrays({name: array(name) for name in WITNESSES[kind]})


def _fractions(value: object) -> bool:
    whole = re.compile(r"-?[0-9]+(/[0-9]+)?")
    return is_words(value) and all(map(whole.fullmatch, value))  # type: ignore[call-overload]


# What the options of a certificate may be in a file.
OPTIONS: dict[str, Callable[[Any], bool]] = {
    "C": is_number,
    "exact": lambda v: v is None or _fractions(v),
    "lam": is_number,
    "loss": lambda v: isinstance(v, str),
    "fit_intercept": lambda v: isinstance(v, bool),
    "sample_weight": lambda v: v is None or isinstance(v, str) or is_numbers(v),
    "intercept_penalty": is_number,
    "l1_ratio": is_number,
    "mean": lambda v: isinstance(v, bool),
    "radius": is_number,
    "start": lambda v: v is None or is_numbers(v),
    "targets": lambda v: isinstance(v, str) or is_numbers(v),
}


def _check_options(quantity: object, options: object) -> None:
    """Refuse what no function in `ENCLOSE` takes."""
    if not isinstance(quantity, str) or quantity not in ENCLOSE:
        raise ValueError(f"its quantity {quantity!r} is unknown")
    keywords = inspect.signature(ENCLOSE[quantity]).parameters.values()
    known = {one.name: one for one in keywords if one.name not in ("X", "y", "primal", "dual")}
    needed = {name for name, one in known.items() if one.default is one.empty}
    if not isinstance(options, dict) or not needed <= set(options) <= set(known):
        raise ValueError(f"its options do not match the quantity {quantity!r}")
    for name, value in options.items():
        if not OPTIONS[name](value):
            raise ValueError(f"its option {name!r} has an invalid value")
