"""`Certified`, what `certify` returns for one objective; `CertifiedParts`, for several two-class models."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from linlearn._console import printable
from linlearn.certificates import (
    Certificate,
)
from linlearn.plane import Hyperplane

Ends = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Certified:
    """How far a fitted scikit-learn model is from the optimum of its own objective.

    Attributes
    ----------
    name : str
        The model's class.
    objective : str
        What it minimises (for LDA: maximises), in the notation of the book.
    plane : Hyperplane
        The model's hyperplane; the second of its classes is treated as +1. If one objective covers more than
        two classes, a tuple with a hyperplane for each class.
    value, optimum, excess : pairs of floats
        Proved bounds on the objective at the model's hyperplane, on its optimum over all hyperplanes, and on
        the difference between the two. A bound is +∞ if nothing is proved.
    certificate : Certificate
        The enclosure of the optimum, with its witnesses.
    remarks : tuple of str
        Remarks on the objective, on the samples that the certificate is about, and on what keeps the model
        from the optimum, with the call that mends this.
    """

    name: str
    objective: str
    plane: Hyperplane | tuple[Hyperplane, ...]
    value: Ends
    optimum: Ends
    excess: Ends
    certificate: Certificate
    remarks: tuple[str, ...]

    @property
    def relative_excess(self) -> Ends:
        """The excess relative to the larger of the optimum and the value at w = 0, b = 0."""
        best, high = self.certificate, self.optimum[1]
        # the certificate may enclose a multiple of what is reported
        size = max(abs(high), best.scale * high / best.upper if best.upper > 0 else best.scale)
        return (self.excess[0] / size, self.excess[1] / size) if 0 < size < np.inf else self.excess

    def __str__(self) -> str:
        """A report of a few lines."""
        (low, high), (far, near) = self.optimum, self.value
        lines = [
            f"{self.name}: {self.objective}",
            f"  optimum  {low:.10g} ≤ {self.certificate.named} ≤ {high:.10g}",
            f"  this fit {far:.10g} … {near:.10g}",
            f"  excess   {self.excess[0]:.3g} … {self.excess[1]:.3g}",
            *(f"  {remark}" for remark in self.remarks),
        ]
        return printable("\n".join(lines))

    def __repr__(self) -> str:
        low, high = self.excess
        return printable(
            f"Certified({self.name}, {self.optimum[0]:.6g} ≤ {self.certificate.named} ≤ "
            f"{self.optimum[1]:.6g}, {low:.2g} ≤ excess ≤ {high:.2g})"
        )


class CertifiedParts(dict[Any, Certified]):
    """The certificates of a multiclass model built from two-class models.

    It is a dict from each class, or pair of classes, to a `Certified`.

    Parameters
    ----------
    name : str
        The model's class.
    parts : mapping
        A `Certified` for each class, or pair of classes.
    """

    def __init__(self, name: str, parts: Mapping[Any, Certified]) -> None:
        super().__init__(parts)
        self.name = name

    def __str__(self) -> str:
        """The report of each part."""
        return "\n".join(f"{key!r}: {part}" for key, part in self.items())

    def __repr__(self) -> str:
        lines = [
            f"  {key!r}: {one.excess[0]:.2g} ≤ excess ≤ {one.excess[1]:.2g}, optimum "
            f"{one.optimum[0]:.6g} … {one.optimum[1]:.6g}"
            for key, one in self.items()
        ]
        return printable("\n".join([f"{self.name} of {len(self)} models of two classes:", *lines]))
