"""`Certificate.to_json`: text that `check.py` accepts; witnesses are adjusted, bounds widened if need be."""

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np

from linlearn import check
from linlearn.certificates.certificate import in_words
from linlearn.certificates.inseparable_subsets import MOST_WORK
from linlearn.certificates.sample_weights import SampleWeights
from linlearn.certificates.zero_one_witnesses import Claim, Cover, Packing
from linlearn.collinearity import near_dependence
from linlearn.exact.column_space import independent_columns
from linlearn.exact.simplex import decide
from linlearn.plane import signed
from linlearn.validation import Array, Ints, check_number

GOOD = 1e-13  # relative to the value: what may be lost before other multipliers are tried,
MOST = 1e-6  # and what may be lost at all
NEAR = 2.0**-32  # share of its bound by which a multiplier may miss it, or 0


def certificate_json(claim: Any, limit: float) -> str:
    """`Certificate.to_json`."""
    limit = check_number(limit, "limit", above=0)
    X, y = _samples(claim)
    table, labels = X.tolist(), y.astype(int).tolist()
    best: tuple[float, str] | None = None
    for dual in _duals(claim, X, y):
        text = _text(claim, dual, (claim.lower, claim.upper))
        try:
            ends = check.proved(check.parsed(text), table, labels, limit=limit)
        except check.Refused as error:
            raise ValueError(
                f"the certificate cannot be checked in exact arithmetic: {error}. Use `Fit.verify`, which "
                "checks it in floating-point arithmetic."
            ) from None
        lower, upper = check.rounded_outward(ends[0], -inf), check.rounded_outward(ends[1], inf)
        loss = max(_loss(claim.lower, lower), _loss(upper, claim.upper))
        if best is None or loss < best[0]:
            kept = min(claim.lower, lower), max(claim.upper, upper)
            best = loss, _text(claim, dual, kept)
        if loss <= GOOD * _size(claim):
            break
    if best is None or best[0] > MOST * _size(claim):
        if claim.score_bound < inf:
            raise ValueError(
                "the certificate must hold for all hyperplanes to be checked in exact arithmetic; this one "
                "is proved only for those in which no feature moves a score by more than "
                f"{claim.score_bound:.6g}. {_remedy(X)} and fit again, or use `Fit.verify` instead."
            )
        raise ValueError(
            f"the witnesses must prove {claim.lower:.6g} ≤ {in_words(claim)} ≤ {claim.upper:.6g} in exact "
            f"arithmetic, too; they prove only the bounds {lower:.6g} and {upper:.6g}. {_remedy(X)} and "
            "fit again, or use `Fit.verify` instead."
        )
    return best[1]


def _remedy(X: Array) -> str:
    """What to change in the samples: nearly dependent columns, or else their scales."""
    cause = near_dependence(X)
    return cause.sentence() if cause else "Rescale the features (`StandardScaler`)"


def _samples(claim: Any) -> tuple[Array, Array]:
    if claim.quantity not in check.QUANTITIES:
        raise ValueError(
            f"`to_json` does not support certificates of {claim.quantity!r}, only of "
            f"{', '.join(check.QUANTITIES)}. Use `Fit.verify` instead."
        )
    if isinstance(claim.dual, Cover):
        raise ValueError(
            "`to_json` cannot write this certificate: its lower bound is a `Cover`, which cannot be checked "
            "in exact arithmetic. Use `Fit.verify`, which checks it in floating-point arithmetic."
        )
    if claim.dual_is_summary:
        raise ValueError(
            "the certificate must have a dual witness with an entry for each sample to be checked in exact "
            f"arithmetic; got {claim.dual}, because its samples were read in blocks. Call `Fit.verify` with "
            "the samples in memory: the certificate that it returns has such a witness."
        )
    if claim.samples is None:
        raise ValueError(
            "the certificate must contain its samples, since it is checked before it is written; this one "
            "does not, because it was loaded from a file or the samples have more than a million entries. "
            "Call `Fit.verify(X, y)`: the certificate that it returns contains the samples unless they are "
            "too many."
        )
    X, y = claim.samples
    return X, y


def _loss(more: float, less: float) -> float:
    return 0.0 if more <= less else more - less


def _size(claim: Any) -> float:
    return max(abs(float(v)) for v in (claim.lower, claim.upper, claim.scale) if v < inf)


def _text(claim: Any, dual: Any, ends: tuple[float, float]) -> str:
    """A key a line."""
    found = {
        "format": check.FORMAT,
        "quantity": claim.quantity,
        "lower": ends[0],
        "upper": ends[1],
        "score_bound": inf,  # in fractions nothing has to be bounded
        "options": {**claim.options, **_mirrored(claim)},
        "primal": claim.primal,
        "dual": dual,
    }
    lines = (f" {json.dumps(key)}: {json.dumps(_plain(value))}" for key, value in found.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _plain(value: Any) -> Any:
    """Floats in hexadecimal, fractions as p/q."""
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    return [_plain(one) for one in value] if isinstance(value, list) else value


def _mirrored(claim: Any) -> dict[str, Any]:
    """The option that says that `certify` added the mirror images of the samples."""
    (X, y), half = claim.samples, len(claim.samples[1]) // 2
    if claim.quantity not in check.EXTENDED or len(y) % 2 or (y[half:] != -y[:half]).any():
        return {}
    return {} if (X[half:] != -X[:half]).any() else {"mirrored": True}


def _duals(claim: Any, X: Array, y: Array) -> Iterator[Any]:
    """The dual witness, and others near it that may satisfy its equations where it cannot."""
    if isinstance(claim.dual, Packing):
        Z = signed(X, y, fit_intercept=claim.options["fit_intercept"])
        yield _packing(claim.dual, lambda one: one.weights)
        yield _packing(claim.dual, lambda one: _relation(Z, one.samples))
        return
    yield claim.dual
    if (claim.quantity == "margin" and not claim.upper) or claim.lower == inf:
        Z = signed(X, y, fit_intercept=claim.options.get("fit_intercept", True))
        yield _relation(Z, np.arange(len(Z)), claim.dual)
    elif claim.quantity in ("hinge", "soft margin", "logistic"):
        penalised = claim.options.get("lam", 1.0)
        alpha = claim.dual if penalised else _reduce_residual(signed(X, y), claim, y)
        pairs = zip(alpha.tolist(), _top(claim, y), strict=True)
        yield [_snap_to_bound(v, most) for v, most in pairs]


def _top(claim: Any, y: Array) -> list[Fraction]:
    """What a multiplier is at most."""
    if claim.quantity == "logistic":
        return [Fraction(1)] * len(y)
    s = SampleWeights.of(y, claim.options["sample_weight"])
    return s.exact_shares() if claim.quantity == "hinge" else s.exact_times(claim.options["C"])


def _snap_to_bound(v: float, most: Fraction) -> float | Fraction:
    """The multiplier, or its bound where that is near."""
    if v < NEAR * most:
        return 0.0
    return v if v < (1 - NEAR) * most else most


def _reduce_residual(Z: Array, claim: Any, y: Array) -> Array:
    """Shares α of the weights c, moved towards Σ cᵢαᵢzᵢ = 0 as far as floats can, each as it has room."""
    alpha = claim.dual
    c = SampleWeights.of(y, claim.options["sample_weight"]).shares().rounded
    Z = Z / np.maximum(np.abs(Z).max(axis=0), 1e-300)
    for _ in range(3):
        weighted = np.sqrt(c * alpha * (1 - alpha))[:, None] * Z
        h = np.linalg.lstsq(weighted.T @ weighted, (c * alpha) @ Z, rcond=None)[0]
        alpha = np.clip(alpha - alpha * (1 - alpha) * (Z @ h), 0.0, 1.0)
    return np.asarray(alpha)


def _packing(packing: Packing, weights: Callable[[Claim], Any]) -> dict[str, Any]:
    amounts = packing.amounts.tolist()
    sets = [
        [one.samples.tolist(), weights(one), amount]
        for one, amount in zip(packing.claims, amounts, strict=True)
        if amount > 0
    ]
    return {"kind": "Packing", "sets": sets}


def _relation(Z: Array, at: Ints, near: Array | None = None) -> Array:
    """Weights ≥ 0 with which these rows of Z make 0, or would but for rounding; 0 where there are none."""
    rows = Z[at][:, independent_columns(Z[at], fit_intercept=False)]
    support = np.argsort(-near, kind="stable")[: (near > 0).sum()] if near is not None else at[:0]
    weights = np.zeros(len(at))
    for i, v in (decide(rows, support, max_work=MOST_WORK).weights or {}).items():
        weights[i] = float(v)
    return weights
