"""An enclosure lower ≤ optimum ≤ upper, with the witnesses that prove it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

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
        number of mistakes, `dual` is a `Packing` or a `Cover`.)
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

    def __post_init__(self) -> None:
        if not self.lower <= self.upper:  # also true for NaN
            raise ValueError(
                f"`lower` must be at most `upper`; got {self.lower!r} and {self.upper!r} for "
                f"{self.quantity}. Such ends enclose nothing: recompute them from the witnesses."
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

    def __repr__(self) -> str:
        within = "" if self.within == np.inf else f" within {self.within:.6g}"
        return f"Certificate({self.lower:.6g} ≤ {self.quantity} ≤ {self.upper:.6g}{within})"


class NotSeparable(ValueError):
    """The samples cannot be separated; `.certificate` holds Gordan's vector as its dual."""

    def __init__(self, message: str, certificate: Certificate) -> None:
        super().__init__(message)
        self.certificate = certificate


def shrunk(v: Array) -> Array:
    """v over a power of two, so that its largest entry is in [½, 1): exact, and no product overflows."""
    return v / _power(v)


def _power(v: Array) -> float:
    """The least power of two above all entries."""
    return 2.0 ** int(np.frexp(np.abs(v).max())[1])
