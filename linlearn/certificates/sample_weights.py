"""Sample weights sᵢ: all equal, balanced between the classes, or as given; and the penalty parameter C."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from linlearn.certificates.ball import U, rounded_sum
from linlearn.validation import Array, check_number, check_size, check_vector, described

Weights = str | ArrayLike | None
OFF = 4 * U  # of two roundings, more than enough


def check_sample_weight(
    y: Array,
    sample_weight: ArrayLike,
    classes: Sequence[Any] = (-1, 1),
    remedy: str = "Give a positive weight to at least one of its samples.",
) -> Array:
    """Return sample weights ≥ 0 as floats of shape (n,), if each class has a positive one.

    `classes` are what the caller's labels -1 and +1 are called; `remedy` is what to do if a class has only
    zeros.
    """
    s = check_vector(sample_weight, len(y), "sample_weight", each="samples")
    wanted = "`sample_weight` must be ≥ 0, with a positive entry in each class"
    least = int(s.argmin())
    if s[least] < 0:
        raise ValueError(
            f"{wanted}; got {s[least]:g} at position {least}. Pass 0 for samples that should not count."
        )
    for label, name in zip((-1, 1), classes, strict=True):
        if not s[y == label].any():
            raise ValueError(f"{wanted}; got only zeros in class {name!r}. {remedy}")
    check_size(float(s[s > 0].min()), "sample_weight")
    return s


def check_penalty(C: object) -> float:
    """Return the penalty parameter C as a float, which is one number for all samples."""
    if np.asarray(C).ndim:
        raise ValueError(
            f"`C` must be one number > 0; got an array of shape {np.asarray(C).shape}. "
            "To weight samples, pass `sample_weight`: the slack of each costs C times its weight."
        )
    return check_number(C, "C", above=0)


class Scaled(NamedTuple):
    """Factors of the losses, shape (n,): floats, each within a share `off` of the true one."""

    rounded: Array
    off: float

    @property
    def below(self) -> Array:
        """A lower bound on each true factor."""
        return self.rounded * (1 - 2 * self.off) if self.off else self.rounded


@dataclass(frozen=True, slots=True, eq=False)
class SampleWeights:
    """Weights sᵢ = unit · partsᵢ, parts of shape (n,), kept as fractions since n/2n₊ need not be a float.

    Equal weights have parts 1, and the parts of given weights are less than 2: a common factor does not
    matter to the weighted mean Σ sᵢφᵢ/Σ sᵢ.
    """

    given: str | list[float] | None
    parts: Array
    unit: Fraction

    @classmethod
    def of(cls, y: Array, sample_weight: Weights) -> "SampleWeights":
        """None: sᵢ = 1. "balanced": n/2n₊ and n/2n₋. Or numbers ≥ 0, with a positive one in each class."""
        n, one = len(y), np.ones(len(y))
        if sample_weight is None:
            return cls(None, one, Fraction(1))
        if isinstance(sample_weight, str):
            if sample_weight != "balanced":
                raise ValueError(
                    '`sample_weight` must be None, "balanced" or one number ≥ 0 per sample; got '
                    f"{described(sample_weight)}."
                )
            plus = int((y > 0).sum())
            common = math.gcd(plus, n - plus)
            parts = np.where(y > 0, float((n - plus) // common), float(plus // common))
            return cls(sample_weight, parts, Fraction(n * common, 2 * plus * (n - plus)))
        s = check_sample_weight(y, sample_weight)
        if (s == s[0]).all():
            return cls(s.tolist(), one, Fraction(float(s[0])))
        exponent = int(np.frexp(s.max())[1]) - 1
        return cls(s.tolist(), np.ldexp(s, -exponent), Fraction(2) ** exponent)

    @property
    def total(self) -> float:
        """Σ of the parts, rounded once."""
        return rounded_sum(self.parts)

    def shares(self) -> Scaled:
        """sᵢ/Σs, by which a weighted mean multiplies the losses."""
        return Scaled(self.parts / self.total, OFF)

    def exact_shares(self) -> list[Fraction]:
        parts = [Fraction(part) for part in self.parts.tolist()]
        total = sum(parts)
        return [part / total for part in parts]

    def times(self, C: float) -> Scaled:
        """C·sᵢ, which the slack of each sample costs in a support vector machine."""
        if self.given is None:
            return Scaled(self.parts * C, 0.0)
        unit = Fraction(C) * self.unit
        exact = float(unit) == unit and (self.parts == 1).all()
        if not exact:
            check_size(C, "C")  # so that no product underflows
        return Scaled(self.parts * float(unit), 0.0 if exact else OFF)

    def exact_times(self, C: float) -> list[Fraction]:
        return [Fraction(C) * self.unit * Fraction(part) for part in self.parts.tolist()]
