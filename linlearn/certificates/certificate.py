"""`Certificate`, an interval with two witnesses; `NotSeparable`, `Undecided`; a copy of its samples."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

from linlearn._console import printable
from linlearn._html import bounded_in_words, certificate_html
from linlearn.certificates.sparse_dual import SparseDual
from linlearn.validation import Array, check_points, check_samples

P = ParamSpec("P")
T = TypeVar("T")

# A certificate keeps samples of at most so many numbers; larger ones would take the exact checker too long.
KEPT = 2**20


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Certificate:  # numpydoc ignore=PR02
    """An enclosure, lower ≤ optimal value ≤ upper, with the two witnesses that prove it.

    Parameters
    ----------
    quantity : str
        What is enclosed; a key of `certificates.ENCLOSE`.
    lower, upper : float
        The two bounds. They hold for the data from which they were computed, whatever the witnesses are.
    primal, dual : array
        The witnesses, from which `enclose_<quantity>` recomputes the bounds, given the data. For the number
        of mistakes, `dual` is a `Packing` or a `Cover`. For samples that were read in blocks it is None,
        because the hyperplane alone proves both bounds, or a `SparseDual` if the loss has a kink.
    options : mapping
        Keywords of that function, such as `fit_intercept`.
    scale : float
        The size with which a gap is compared, in the units of the quantity, since the optimum itself may be
        0: for a margin the length of the longest sample, for a loss its value at w = 0, b = 0.
    score_bound : float
        A bound B on scores. The dual bound (the lower one for a loss, the upper one for Fisher's ratio) is
        proved for all hyperplanes in which the intercept, and the contribution of each centred feature to a
        score, are at most B in absolute value. Usually B = +∞, which means all hyperplanes. B is finite if
        features are dependent up to rounding, because weights as large as the inverse of the rounding unit
        could turn rounding errors into one more feature, or if the witnesses are poor.
    attained : True, False or None
        True if some hyperplane attains the optimal value, where it is finite. False if it is proved that a
        logistic loss only approaches it: then `primal` is a direction in which the loss decreases for ever,
        from the option `start`. None if neither is proved. All other losses attain their minimum.
    n : int or None
        The number of samples, if `dual` does not have an entry for each of them.

    Raises
    ------
    ValueError
        If lower > upper, or a bound is NaN.
    """

    quantity: str
    lower: float
    upper: float
    primal: Array
    dual: Any
    options: Mapping[str, Any] = field(default_factory=dict)
    scale: float = 0.0
    score_bound: float = np.inf
    attained: bool | None = True
    n: int | None = None
    samples: tuple[Array, Array] | None = None

    def __getstate__(self) -> list[Any]:
        # A model that is sent somewhere does not take its samples along.
        return [*(getattr(self, one.name) for one in fields(self)[:-1]), None]

    def __post_init__(self) -> None:
        if not self.lower <= self.upper:  # also true for NaN
            raise ValueError(
                f"`lower` must be at most `upper`; got {self.lower!r} and {self.upper!r} for "
                f"{self.named}. Recompute both bounds from the witnesses."
            )

    @property
    def gap(self) -> float:
        """upper - lower: 0 if they are equal, both infinite included; inf if only one is infinite."""
        return self.upper - self.lower if self.lower < self.upper else 0.0

    @property
    def relative_gap(self) -> float:
        """The gap relative to the larger of |upper| and the data's scale."""
        size = max(abs(self.upper), self.scale)
        return self.gap / size if np.isfinite(size) and size > 0 else self.gap

    @property
    def named(self) -> str:
        """The quantity as it is printed: for a margin, which one; for a regularised mean loss, which loss."""
        if self.quantity == "regularised risk" and self.options.get("mean"):
            return str(self.options["loss"])
        if self.quantity != "margin":
            return self.quantity
        return "augmented margin" if self.options.get("fit_intercept", True) else "margin through 0"

    @property
    def separable(self) -> bool | None:
        """True if the samples are proved separable, False if proved inseparable, None if neither is proved.

        Only the margin, the hard margin and the fewest mistakes can prove either; for other quantities it is
        None.
        """
        proved, refuted = {
            "margin": (self.lower > 0, self.upper == 0),
            "hard margin": (self.upper < np.inf, self.lower == np.inf),
            "mistakes": (self.upper == 0, self.lower > 0),
        }.get(self.quantity, (False, False))
        return proved if proved or refuted else None

    @property
    def sample_count(self) -> int | None:
        """The number of samples, if the certificate knows it."""
        return len(self.dual) if isinstance(self.dual, np.ndarray) else self.n

    @property
    def dual_is_summary(self) -> bool:
        """Whether the dual witness is not stored for each sample, as for samples that were read in blocks."""
        return self.dual is None or isinstance(self.dual, SparseDual)

    def to_json(self, *, limit: float = 30.0) -> str:
        """Write the claim and its witnesses as JSON, for the independent checker `linlearn/check.py`.

        The checker needs only Python, and verifies the claim in exact fractions against a CSV file of the
        samples: `python -m linlearn.check certificate.json data.csv`. Its labels are -1 and +1; for a softmax
        objective the numbers 0, 1, … of the classes, which are sorted. Because it allows no tolerance, this
        function drops multipliers that must be 0 and rounds the bounds outwards until the checker accepts
        them, which takes about as long as the check itself. The written claim holds for all hyperplanes,
        even if floats could prove it only for some (`score_bound`).

        Parameters
        ----------
        limit : float > 0
            Time in seconds, approximately, that the check may take. Above 30, pass the same `--limit` to the
            checker.

        Raises
        ------
        ValueError
            If the checker would refuse the certificate, with the reason: a cover by cells, an empirical risk,
            too much work, or bounds that the witnesses do not prove in fractions up to a relative 1e-6. Also
            if the certificate does not contain the samples, because they have more than a million entries or
            were read in blocks, or because the certificate was loaded from a file.
        """
        # The checker is loaded only if it is asked.
        from linlearn.certificates.to_json import certificate_json

        return certificate_json(self, limit)

    def _repr_html_(self) -> str:
        return certificate_html(self)

    def __repr__(self) -> str:
        bounds = f"{self.lower:.6g} ≤ {self.named} ≤ {self.upper:.6g}"
        return printable(f"Certificate({bounds}{bounded_in_words(self)})")


def in_words(claim: Certificate) -> str:
    """What a certificate encloses, in a sentence: "logistic objective", "Fisher's ratio"."""
    kinds = {"margin": claim.named, "fisher": "Fisher's ratio", "mistakes": "number of mistakes"}
    return kinds.get(claim.quantity, f"{claim.named} objective")


def tightest(certificates: Iterable[Certificate]) -> Certificate:
    """The one with the smallest gap; among equals one that holds for all hyperplanes, then the first."""
    return min(certificates, key=lambda one: (one.gap, one.score_bound < np.inf))


def tighter_bounds(best: Certificate, found: Certificate, *, primal: bool = False) -> Certificate:
    """`best`, with each tighter bound of `found` and its witness; with its upper one anyway if `primal`."""
    if primal or found.upper < best.upper:
        best = replace(best, upper=found.upper, primal=found.primal)
    if found.lower > best.lower:
        best = replace(best, lower=min(found.lower, best.upper), dual=found.dual)
    return best


class _WithProof(ValueError):
    """An error that carries the certificate which proves it."""

    def __init__(self, message: str, certificate: Certificate) -> None:
        super().__init__(message)
        self.certificate = certificate

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.certificate)  # of `args` alone none can be made again


class NotSeparable(_WithProof):
    """The samples are not separable; the dual witness of `.certificate` proves it (Gordan's alternative)."""


class Undecided(_WithProof):
    """Separability is undecided: neither a separating hyperplane nor a proof of inseparability was found.

    `.certificate` encloses the margin.
    """


def store_samples(function: Callable[P, T]) -> Callable[P, T]:
    """Decorate a function of X and y so that the certificate it returns or raises stores a copy of them."""

    @wraps(function)
    def wrapper(*values: P.args, **options: P.kwargs) -> T:
        given = dict(zip(("X", "y"), values, strict=False)) | options
        try:
            found = function(*values, **options)
        except _WithProof as error:
            remember(error.certificate, given["X"], given["y"])
            raise
        remember(getattr(found, "certificate", found), given["X"], given["y"])
        return found

    return wrapper


def remember(claim: Any, X: Any, y: Any) -> None:
    """Let a certificate hold the samples that it is about, unless they are many."""
    if claim.dual_is_summary or np.shape(X)[0] * claim.primal.size > KEPT:
        return
    X = X.toarray() if hasattr(X, "toarray") else X
    if claim.quantity == "softmax":  # its labels are numbers of classes, and were checked
        X, y = check_points(X), np.asarray(y)
    else:
        X, y = check_samples(X, y, fit_intercept=False)
    object.__setattr__(claim, "samples", (X.copy(), y.copy()))
