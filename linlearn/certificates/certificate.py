"""An enclosure lower ≤ optimum ≤ upper, with the witnesses that prove it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

from linlearn._console import shown
from linlearn._html import certificate_html
from linlearn.certificates.sparse_dual import SparseDual
from linlearn.checks import Array, check_samples

P = ParamSpec("P")
T = TypeVar("T")

KEPT = (
    2**20
)  # numbers of the samples that a certificate remembers; what is larger is not for fractions


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Certificate:
    """An enclosure lower ≤ optimal value ≤ upper with the two witnesses that prove it.

    Parameters
    ----------
    quantity : str
        What is enclosed; a key of `ENCLOSE`.
    lower, upper : float
        The ends. They hold for the data they were computed from, whatever the witnesses are.
    primal, dual : array
        The witnesses. `enclose_<quantity>` computes the ends again from them and the data. (For the
        number of mistakes, `dual` is a `Packing` or a `Cover`. From samples that were read in blocks it is
        None, since there the plane alone proves both ends, or `SparseDual` where the loss has a kink.)
    options : mapping
        Keywords of that function, such as `fit_intercept`.
    scale : float
        Size of the data in the units of the quantity, since the optimum itself may be 0: for a
        margin the length of the longest sample, for a loss its value at w = 0, b = 0.
    within : float
        A bound B on the hyperplanes for which the universal end is proved (lower for a loss, upper for
        Fisher's ratio): no feature, measured from a centre, changes a score by more than B, nor does the
        intercept. Usually +∞, which means all hyperplanes. B is finite if columns are linearly dependent
        up to rounding: weights of the size 1/rounding then turn the rounding errors into a feature.
    attained : True, False or None
        Whether some hyperplane provably attains the optimum. False if a logistic loss only approaches it:
        `primal` is then the direction along which the loss decreases for ever from the option `start`.
        None if neither is proved. The other losses always attain their minimum.

    Raises
    ------
    ValueError
        If lower > upper, or an end is not a number: then nothing is enclosed.
    """

    quantity: str
    lower: float
    upper: float
    primal: Array
    dual: Any
    options: Mapping[str, Any] = field(default_factory=dict)
    scale: float = 0.0
    within: float = np.inf
    attained: bool | None = True
    samples: tuple[Array, Array] | None = None

    def __getstate__(self) -> list[Any]:
        kept = [getattr(self, one.name) for one in fields(self)]
        return [*kept[:-1], None]  # a model that is sent somewhere does not take its samples along

    def __post_init__(self) -> None:
        if not self.lower <= self.upper:  # also true for NaN
            raise ValueError(
                f"`lower` must be at most `upper`; got {self.lower!r} and {self.upper!r} for "
                f"{self.named}. Such ends enclose nothing: recompute them from the witnesses."
            )

    @property
    def gap(self) -> float:
        """upper - lower: 0 when the optimum is known exactly, inf when one end is missing."""
        return self.upper - self.lower if self.lower < self.upper else 0.0

    @property
    def relative_gap(self) -> float:
        """The gap relative to the larger of |upper| and the data's scale."""
        size = max(abs(self.upper), self.scale)
        return self.gap / size if np.isfinite(size) and size > 0 else self.gap

    @property
    def named(self) -> str:
        """The quantity in words: of a margin, which one."""
        if self.quantity != "margin":
            return self.quantity
        return "augmented margin" if self.options.get("fit_intercept", True) else "margin through 0"

    @property
    def separable(self) -> bool | None:
        """True if a plane is proved to separate the samples, False if none does, None if the ends do not say.

        The margin, the hard margin and the fewest mistakes tell; other quantities never do.
        """
        proved, refuted = {
            "margin": (self.lower > 0, self.upper == 0),
            "hard margin": (self.upper < np.inf, self.lower == np.inf),
            "mistakes": (self.upper == 0, self.lower > 0),
        }.get(self.quantity, (False, False))
        return True if proved else False if refuted else None

    @property
    def short(self) -> bool:
        """Whether the dual witness is less than a number for each sample: those were read in blocks."""
        return self.dual is None or isinstance(self.dual, SparseDual)

    def to_json(self, *, limit: float = 30.0) -> str:
        """The claim and its witnesses as text, floats in hexadecimal: what `linlearn/check.py` reads.

        That program checks it again against a CSV file of the samples, in exact arithmetic and with
        Python alone: `python -m linlearn.check certificate.json data.csv`. It allows no tolerance, so this
        function asks it first: multipliers that must be 0 are dropped, and the ends are rounded outwards,
        until it accepts them. This takes about as long as one check. What is written holds for all
        hyperplanes, even if floats could prove it only for some (`within`).

        Parameters
        ----------
        limit : float > 0
            Seconds that checking may take, about; for more than 30 that program needs the same `--limit`.

        Raises
        ------
        ValueError
            If it would be refused, with the reason: a cover by cells, an empirical risk, too much work, or
            ends that the witnesses do not prove in fractions, up to a millionth. Or if the samples are not at
            hand: they are more than a million numbers, or came in blocks or from a file.
        """
        from linlearn.certificates.written import (
            written,
        )  # the checker is loaded only if it is asked

        return written(self, limit)

    def _repr_html_(self) -> str:
        return certificate_html(self)

    def __repr__(self) -> str:
        within = "" if self.within == np.inf else f" within {self.within:.6g}"
        return shown(f"Certificate({self.lower:.6g} ≤ {self.named} ≤ {self.upper:.6g}{within})")


class _WithProof(ValueError):
    """A refusal that carries its reason."""

    def __init__(self, message: str, certificate: Certificate) -> None:
        super().__init__(message)
        self.certificate = certificate

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.certificate)  # of `args` alone none can be made again


class NotSeparable(_WithProof):
    """The samples cannot be separated; `.certificate` holds Gordan's vector as its dual."""


class Undecided(_WithProof):
    """Neither a plane nor a proof that there is none was found; `.certificate` encloses the margin."""


def keeping(function: Callable[P, T]) -> Callable[P, T]:
    """The same function of X and y; the certificate that it returns, or raises, remembers them."""

    @wraps(function)
    def kept(*values: P.args, **options: P.kwargs) -> T:
        given = dict(zip(("X", "y"), values, strict=False)) | options
        try:
            found = function(*values, **options)
        except _WithProof as error:
            _remember(error.certificate, given)
            raise
        _remember(getattr(found, "certificate", found), given)
        return found

    return kept


def _remember(claim: Any, given: Mapping[str, Any]) -> None:
    if claim.short or np.shape(given["X"])[0] * claim.primal.size > KEPT:
        return
    X, y = check_samples(given["X"], given["y"], fit_intercept=False)
    object.__setattr__(claim, "samples", (X.copy(), y.copy()))
