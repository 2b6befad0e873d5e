"""Sample weights cᵢ of a sum of losses: 1/n each, balanced between the classes, or as given."""

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from linlearn.certificates.ball import U, rounded_sum
from linlearn.checks import Array, check_number, check_size, check_vector

Prices = str | ArrayLike | None


def check_prices(y: Array, prices: ArrayLike, name: str) -> Array:
    """Return sample weights ≥ 0 as floats of shape (n,), if each class has a positive one."""
    c = check_vector(prices, len(y), name)
    if not (c >= 0).all() or not c[y > 0].any() or not c[y < 0].any():
        found = "only zeros in a class" if (c >= 0).all() else f"{c.min():g}"
        raise ValueError(
            f"`{name}` must be ≥ 0, with a positive entry in each class; got {found}. "
            "Give a positive weight to every sample that should count."
        )
    check_size(float(c[c > 0].min()), name)
    return c


def price_of_each(y: Array, C: float | ArrayLike) -> Array:
    """The weights of the samples, shape (n,): one number > 0 for all, or one each."""
    if np.ndim(C) == 0:
        return np.full(len(y), check_number(C, "C", above=0))
    return check_prices(y, C, "C")


class Priced(NamedTuple):
    """Weights cᵢ = parts/whole, parts of shape (n,), kept as fractions since 1/n need not be a float."""

    given: str | list[float] | None
    parts: Array
    whole: int
    total: float  # Σ cᵢ, the cost of w = 0, b = 0

    @classmethod
    def of(cls, y: Array, prices: Prices) -> "Priced":
        """None: cᵢ = 1/n. "balanced": 1/n₊ and 1/n₋. Or numbers ≥ 0, with a positive one in each class."""
        if prices is None:
            return cls(None, np.ones(len(y)), len(y), 1.0)
        if isinstance(prices, str):
            if prices != "balanced":
                raise ValueError(
                    f'`prices` must be None, "balanced" or one number ≥ 0 per sample; got {prices!r}.'
                )
            own = np.where(y > 0, (y > 0).sum(), (y < 0).sum())
            whole = math.lcm(*own[[y.argmax(), y.argmin()]].tolist())
            return cls(prices, whole / own, whole, 2.0)
        c = check_prices(y, prices, "prices")
        return cls(c.tolist(), c, 1, rounded_sum(c))

    @property
    def floats(self) -> Array:
        return self.parts / self.whole

    @property
    def below(self) -> Array:
        """The weights rounded down."""
        return self.parts if self.whole == 1 else self.floats * (1 - 2 * U)

    @property
    def above(self) -> Array:
        """The weights rounded up."""
        return self.parts if self.whole == 1 else self.floats * (1 + 2 * U)

    def exact(self) -> list[Fraction]:
        return [Fraction(part) / self.whole for part in self.parts.tolist()]
