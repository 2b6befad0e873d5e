"""Why we believe an answer: lower ≤ optimum ≤ upper, each end with a witness anyone can check."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from linlearn.checks import Array, check_samples, check_vector
from linlearn.plane import signed

UNIT = float(np.finfo(np.float64).eps) / 2  # largest relative error of one rounded operation


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
        The witnesses. `enclose_<quantity>` computes the ends again from them and the data.
    options : mapping
        Keywords of that function, such as `offset`.
    """

    quantity: str
    lower: float
    upper: float
    primal: Array
    dual: Array
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def gap(self) -> float:
        """upper - lower: 0 when the optimum is known exactly, inf when one end is missing."""
        return self.upper - self.lower

    def __repr__(self) -> str:
        return f"Certificate({self.lower:.6g} ≤ {self.quantity} ≤ {self.upper:.6g})"


class NotSeparable(ValueError):
    """The samples cannot be separated; `.certificate` holds Gordan's vector as its dual."""

    def __init__(self, message: str, certificate: Certificate) -> None:
        super().__init__(message)
        self.certificate = certificate


def enclose_margin(
    X: ArrayLike, y: ArrayLike, *, primal: ArrayLike, dual: ArrayLike, offset: bool = True
) -> Certificate:
    """Enclose γ* = max over ‖a‖ ≤ 1 of minᵢ⟨a, zᵢ⟩ = min over α ≥ 0, Σα = 1 of ‖Zᵀα‖.

    For any a ≠ 0 and any weights α on the simplex,
    minᵢ⟨a, zᵢ⟩/‖a‖ ≤ Σ αᵢ⟨a, zᵢ⟩/‖a‖ = ⟨a, Zᵀα⟩/‖a‖ ≤ ‖Zᵀα‖: a plane bounds γ* from below, weights
    bound it from above. lower > 0 proves that the samples are separable; upper = 0 would prove
    that they are not (`gordan_exact` does so without rounding).

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (p,), p = d + 1, or d when `offset` is False
        Any vector a. If it separates nothing, lower is 0, which a = 0 attains.
    dual : shape (n,)
        Any weights: negative and non-finite ones are set to 0 and the rest scaled to sum 1; if
        nothing is left, uniform weights serve.
    offset : bool
        Whether z_i = y_i (x_i, 1) or z_i = y_i x_i.

    Notes
    -----
    Both ends include an allowance for the rounding of their own computation: |fl(⟨u, v⟩) - ⟨u, v⟩|
    ≤ γ_k Σ|u_j v_j| with γ_k = kε/(1 - kε) for k operations (Higham, Accuracy and Stability of
    Numerical Algorithms, section 3.1). The duality is Gordan's theorem; chapter "The perceptron".

    >>> X, y = [[1.0], [-1.0]], [1, -1]
    >>> enclose_margin(X, y, primal=[1.0, 0.0], dual=[1.0, 1.0])
    Certificate(1 ≤ margin ≤ 1)
    """
    X, y = check_samples(X, y, offset=offset)
    Z = signed(X, y, offset=offset)
    a, alpha = check_vector(primal, Z.shape[1], "primal"), _simplex(dual, len(y))
    lower, upper = _margin_below(Z, a), _margin_above(Z, alpha)
    return Certificate("margin", lower, upper, a, alpha, {"offset": offset})


def _margin_below(Z: Array, a: Array) -> float:
    largest = np.abs(a).max()
    if largest == 0:
        return 0.0
    a = a / 2.0 ** np.frexp(largest)[1]  # a power of two: exact, and ‖a‖ cannot under- or overflow
    error = _gamma(Z.shape[1]) * (np.abs(Z) @ np.abs(a)) * (1 + _gamma(Z.shape[1]))
    smallest = float((Z @ a - error).min())
    return max(0.0, smallest / float(np.linalg.norm(a)) * (1 - _gamma(Z.shape[1] + 4)))


def _margin_above(Z: Array, alpha: Array) -> float:
    used = np.flatnonzero(alpha)
    Z, alpha = Z[used], alpha[used]
    error = _gamma(len(used)) * (np.abs(Z).T @ alpha) * (1 + _gamma(len(used)))
    longest = float(np.linalg.norm(np.abs(Z.T @ alpha) + error))
    return longest / float(alpha.sum()) * (1 + _gamma(len(used) + Z.shape[1] + 4))


def _gamma(k: int) -> float:
    return k * UNIT / (1 - k * UNIT)


def _simplex(dual: ArrayLike, n: int) -> Array:
    """The nearest sense that can be made of `dual` as weights ≥ 0 with sum 1, shape (n,)."""
    alpha = np.asarray(dual, dtype=np.float64)
    if alpha.shape != (n,):
        raise ValueError(
            f"`dual` must have shape ({n},), one weight per sample; got {alpha.shape}."
        )
    alpha = np.where(np.isfinite(alpha) & (alpha > 0), alpha, 0.0)
    if not alpha.any():
        return np.full(n, 1.0 / n)
    alpha = alpha / alpha.max()  # first, so that the sum is finite and not denormal
    return alpha / alpha.sum()


def margin_exact(X: ArrayLike, y: ArrayLike, a: ArrayLike, *, offset: bool = True) -> Fraction:
    """minᵢ⟨a, zᵢ⟩ in rational arithmetic, of the floats as they are: its sign is beyond doubt.

    >>> margin_exact([[0.5], [-1.0]], [1, -1], [1.0, 0.25])
    Fraction(3, 4)
    """
    Z = signed(X, y, offset=offset)
    a = [Fraction(v) for v in check_vector(a, Z.shape[1], "a").tolist()]
    return min(sum(u * Fraction(v) for u, v in zip(a, z, strict=True)) for z in Z.tolist())


def gordan_exact(
    X: ArrayLike, y: ArrayLike, dual: ArrayLike, *, offset: bool = True
) -> tuple[Fraction, ...]:
    """Gordan's vector in rational arithmetic: α ≥ 0, Σα = 1 and Zᵀα = 0 exactly, length n.

    Its existence proves that no plane separates the samples (Gordan 1873; chapter "The
    perceptron"). `dual` only says where to look: the linear system is solved afresh on the
    samples to which it gives weight.

    Raises
    ------
    ValueError
        If there is no such α on those samples, or more than one direction of them (then remove
        samples: d + 2 always suffice; `separate` returns such a support).

    >>> X, y = [[0, 0], [1, 1], [1, 0], [0, 1]], [1, 1, -1, -1]
    >>> [str(v) for v in gordan_exact(X, y, [1, 1, 1, 1])]
    ['1/4', '1/4', '1/4', '1/4']
    """
    Z = signed(X, y, offset=offset)
    used = np.flatnonzero(_simplex(dual, len(Z)))
    kernel = _kernel([[Fraction(v) for v in row] for row in Z[used].T.tolist()], len(used))
    if kernel is None or min(kernel) < 0 < max(kernel):
        raise ValueError(
            "`dual` must be positive on samples with exactly one relation Zᵀα = 0, α ≥ 0; there is "
            f"none on these {len(used)}. Pass the dual of `separate`; if it fails too, its zero is "
            "only a rounded one."
        )
    alpha = [Fraction(0)] * len(Z)
    for i, v in zip(used.tolist(), kernel, strict=True):
        alpha[i] = v / sum(kernel)
    return tuple(alpha)


def _kernel(rows: list[list[Fraction]], k: int) -> list[Fraction] | None:
    """A nonzero solution of rows · v = 0 in k unknowns if it is unique up to scale, else None."""
    pivots: list[int] = []
    for column in range(k):
        r = len(pivots)
        found = next((i for i in range(r, len(rows)) if rows[i][column]), None)
        if found is None:
            continue
        rows[r], rows[found] = rows[found], rows[r]
        rows[r] = [v / rows[r][column] for v in rows[r]]
        for i in range(len(rows)):
            if i != r and rows[i][column]:
                factor = rows[i][column]
                rows[i] = [u - factor * v for u, v in zip(rows[i], rows[r], strict=True)]
        pivots.append(column)
    free = [c for c in range(k) if c not in pivots]
    if len(free) != 1:
        return None
    v = [Fraction(0)] * k
    v[free[0]] = Fraction(1)
    for r, column in enumerate(pivots):
        v[column] = -rows[r][free[0]]
    return v


ENCLOSE: dict[str, Callable[..., Certificate]] = {"margin": enclose_margin}
