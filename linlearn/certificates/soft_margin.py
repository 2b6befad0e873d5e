"""What does a wide margin cost? Planes bound it from above, multipliers from below."""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from linlearn.certificates._sums import (
    equalised,
    length_of_combination,
    margins_within,
    shortfalls,
    witnesses,
)
from linlearn.certificates.certificate import UNDERFLOW, UNIT, Certificate, rounding, shrunk
from linlearn.checks import check_number, check_samples
from linlearn.exact.gordan import margin_exact

LARGEST = float(np.finfo(np.float64).max)
LEAST = 1e-153  # a margin whose square does not underflow


def enclose_soft_margin(
    X: ArrayLike, y: ArrayLike, *, primal: ArrayLike, dual: ArrayLike, C: float
) -> Certificate:
    """Enclose min ½‖w‖² + (C/n) Σ(1 - mᵢ)₊ = max Σαᵢ - ½‖Σ αᵢyᵢxᵢ‖² over 0 ≤ α ≤ C/n, Σ αᵢyᵢ = 0.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (d+1,)
        Any plane a = (w, b).
    dual : shape (n,)
        Any multipliers: negative and non-finite ones are set to 0, the rest clipped to C/n, and the
        class with the larger sum is scaled down to the other's.
    C : float > 0
        In the scaling of the notes: C/n is what scikit-learn calls C.

    Notes
    -----
    Both ends include an allowance for the rounding of their own computation. Cortes and Vapnik (1995);
    chapter "Support vector machines".

    >>> enclose_soft_margin([[1.0], [-1.0]], [1, -1], primal=[1.0, 0.0], dual=[0.5, 0.5], C=4.0)
    Certificate(0.5 ≤ soft margin ≤ 0.5)
    """
    X, y = check_samples(X, y)
    C = check_number(C, "C", above=0)
    a, alpha = witnesses(X, y, primal, dual)
    alpha, total = equalised(y, np.minimum(alpha, C / len(y) * (1 - 2 * UNIT)))
    length = length_of_combination(X, y, alpha)
    lower = max(0.0, total * (1 - rounding(6)) - length * length / 2 * (1 + rounding(4)))
    w, short = a[:-1], shortfalls(X, y, a)
    loss = C / len(y) * math.fsum(short[short > 0])
    upper = (float(w @ w) / 2 + loss) * (1 + rounding(len(w) + 6)) + UNDERFLOW
    return Certificate("soft margin", lower, upper, a, alpha, {"C": C}, C)


def enclose_hard_margin(
    X: ArrayLike, y: ArrayLike, *, primal: ArrayLike, dual: ArrayLike
) -> Certificate:
    """Enclose min ½‖w‖² over planes with all mᵢ ≥ 1 = max Σαᵢ - ½‖Σ αᵢyᵢxᵢ‖² over α ≥ 0, Σ αᵢyᵢ = 0.

    The value is 1/(2ρ*²), ρ* the largest geometric margin; it is +∞ where no plane separates.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (d+1,)
        Any plane a = (w, b): its smallest margin γ > 0 makes upper = ‖w‖²/2γ², else upper = ∞.
    dual : shape (n,)
        Any multipliers: negative and non-finite ones are set to 0, the class with the larger sum is
        scaled down to the other's, and all are scaled by the best factor, Σαᵢ/‖Σ αᵢyᵢxᵢ‖².

    Notes
    -----
    Both ends include an allowance for the rounding of their own computation. Vapnik and Lerner (1963);
    chapter "Support vector machines".

    >>> enclose_hard_margin([[1.0], [-1.0]], [1, -1], primal=[2.0, 0.0], dual=[1.0, 1.0])
    Certificate(0.5 ≤ hard margin ≤ 0.5)
    """
    X, y = check_samples(X, y)
    a, alpha = witnesses(X, y, primal, dual)
    alpha, total = equalised(y, alpha / (float(alpha.max()) or 1.0))
    length = length_of_combination(X, y, alpha)
    if total == 0:
        lower = 0.0
    elif length == 0:
        lower = math.inf
    else:
        lower = min(total / length * (total / length) / 2 * (1 - rounding(14)), LARGEST)
        alpha = alpha * min(total / length / length, LARGEST)
    unit = shrunk(a)
    m, error = margins_within(X, y, unit)
    gamma, w = float((m - error).min()), unit[:-1]
    upper = math.inf
    if gamma > LEAST:
        upper = float(w @ w) / 2 / gamma**2 * (1 + rounding(len(w) + 6))
    elif (m >= -error).all() and (exact := margin_exact(X, y, a)) > 0:
        squared = sum(Fraction(v) ** 2 for v in a[:-1].tolist()) / exact**2 / 2
        upper = float(squared) * (1 + rounding(2)) if squared < LARGEST else math.inf
    return Certificate("hard margin", lower, upper, a, alpha)
