"""An enclosure lower ≤ optimum ≤ upper, with the witnesses that prove it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from linlearn._html import certificate_html
from linlearn._shown import shown
from linlearn.certificates.sides import Sides
from linlearn.checks import Array


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
        None, since there the plane alone proves both ends, or `Sides` where the loss has a kink.)
    options : mapping
        Keywords of that function, such as `offset`.
    scale : float
        Size of the data in the units of the quantity, since the optimum itself may be 0: for a
        margin the length of the longest sample, for a loss its value at w = 0, b = 0.
    within : float
        B. The end that speaks of all planes (lower for a loss, upper for Fisher's ratio) is proved for
        all in which no feature, counted from a centre, moves a score by more than B, nor does the
        offset; +∞ means all planes, and is the rule. A finite B stands where features depend on each
        other up to rounding: weights of the size 1/rounding turn the roundings into one more feature.
    attained : True, False or None
        Whether some plane is proved to have the enclosed value. False where a logistic loss only tends to it:
        then `primal` is the direction along which the loss falls for ever, from the option `start`. None
        where neither is proved. The other losses attain theirs.

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
        return "lifted margin" if self.options.get("offset", True) else "margin through 0"

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
        return self.dual is None or isinstance(self.dual, Sides)

    def to_json(self) -> str:
        """The claim and its witnesses as text, floats in hexadecimal: what `linlearn/check.py` reads.

        That program checks it again against a CSV file of the samples, in fractions and with nothing but
        Python: `python -m linlearn.check certificate.json data.csv`.
        """
        if self.short:
            raise ValueError(
                "a certificate must have a dual witness, a number for each sample, to be checked in "
                f"fractions; got {self.dual}, since its samples were read in blocks. Call `Fit.verify` with "
                "samples in memory: what it returns has one."
            )
        sets = getattr(self.dual, "claims", None)
        claim = {
            "format": "linlearn certificate 2",
            "quantity": self.quantity,
            **{name: getattr(self, name) for name in ("lower", "upper", "within")},
            "options": dict(self.options),
            "primal": self.primal,
            "dual": self.dual if sets is None else {"kind": type(self.dual).__name__},
        }
        if sets is not None and hasattr(self.dual, "amounts"):
            amounts = self.dual.amounts.tolist()
            claim["dual"]["sets"] = [
                [one.samples.tolist(), one.weights, amount]
                for one, amount in zip(sets, amounts, strict=True)
            ]
        return json.dumps(_hexadecimal(claim), indent=1)

    def _repr_html_(self) -> str:
        return certificate_html(self)

    def __repr__(self) -> str:
        within = "" if self.within == np.inf else f" within {self.within:.6g}"
        return shown(f"Certificate({self.lower:.6g} ≤ {self.named} ≤ {self.upper:.6g}{within})")


def _hexadecimal(value: Any) -> Any:
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, Mapping):
        return {key: _hexadecimal(one) for key, one in value.items()}
    if isinstance(value, list | np.ndarray):
        return [
            _hexadecimal(one)
            for one in (value.tolist() if isinstance(value, np.ndarray) else value)
        ]
    return value


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
