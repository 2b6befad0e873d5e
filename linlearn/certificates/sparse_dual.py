"""`SparseDual`: dual variables of a hinge loss, stored only for the samples near margin 1."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from linlearn._scipy import expit
from linlearn.certificates.samples import inverse
from linlearn.plane import signed
from linlearn.validation import Array, Ints


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SparseDual:
    """Dual variables of a hinge loss that are stored only for the samples near margin 1.

    `amounts` are the multipliers αᵢ of the samples whose indices `samples` lists in increasing order. All
    others follow from the margin: αᵢ is its upper bound cᵢ if mᵢ < 1, and 0 otherwise; or, if `width` is
    positive, cᵢσ((1 - mᵢ)/width) with the logistic function σ, which decreases from cᵢ to 0 as the margin
    passes 1.
    """

    samples: Ints
    amounts: Array
    width: float = 0.0

    @classmethod
    def by_width(cls, width: float) -> "SparseDual":
        """All multipliers follow from the margin; none is stored."""
        return cls(np.zeros(0, dtype=np.int64), np.zeros(0), width)

    def of(self, margins: Array, bounds: Array, first: int = 0) -> Array:
        """α of samples `first`, `first` + 1, … with these margins and upper bounds cᵢ, in [0, cᵢ]."""
        if self.width:
            alpha = bounds * expit((1 - margins) / self.width)
        else:
            alpha = np.where(margins < 1, bounds, 0.0)
        own = self.among(first, len(margins))
        alpha[self.samples[own] - first] = self.amounts[own]
        return np.asarray(np.clip(alpha, 0.0, bounds))

    def among(self, first: int, n: int) -> slice:
        """Which of the amounts belong to samples `first`, …, `first` + n - 1."""
        return slice(*np.searchsorted(self.samples, [first, first + n]))

    def to_arrays(self) -> dict[str, np.ndarray]:
        """What `from_arrays` needs, as plain arrays."""
        return {"samples": self.samples, "amounts": self.amounts, "width": np.array(self.width)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> "SparseDual":
        samples, amounts = arrays["samples"], arrays["amounts"]
        if len(samples) != len(amounts) or (np.diff(samples, prepend=-1) <= 0).any():
            raise ValueError("`samples` must be strictly increasing and as long as `amounts`.")
        return cls(samples, amounts, float(arrays["width"]))

    def __repr__(self) -> str:
        return f"SparseDual({len(self.samples)} multipliers, others by their side of margin 1)"


def multipliers(dual: Any, X: Array, y: Array, a: Array, bounds: Array, *, lam: float = 0.0) -> Any:
    """Expand a `SparseDual` to one multiplier per sample; return anything else unchanged.

    With a width the margins' rounding, which is the processor's affair, shows in the multipliers of all that
    share one: they are moved until Σ αᵢyᵢ(xᵢ, 1) = λ(w, 0) again, as it was where they come from.
    """
    if not isinstance(dual, SparseDual):
        return dual
    Z, aim = signed(X, y), lam * np.append(a[:-1], 0.0)
    alpha = dual.of(Z @ a, bounds)
    for _ in range(2 if dual.width else 0):
        bent = alpha * (1 - alpha / np.where(bounds > 0, bounds, 1.0)) / dual.width
        moved = Z @ inverse(Z.T @ (bent[:, None] * Z))(alpha @ Z - aim)
        alpha = np.clip(alpha - bent * moved, 0.0, bounds)
    return alpha
