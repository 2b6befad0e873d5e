"""Exact margins, and certificates of inseparability solved for on the support of a dual witness."""

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from linlearn.exact.dyadic import smallest_product
from linlearn.exact.elimination import kernel, rational
from linlearn.plane import signed
from linlearn.validation import check_vector, clean_multipliers


def margin_exact(
    X: ArrayLike, y: ArrayLike, *, a: ArrayLike, fit_intercept: bool = True
) -> Fraction:
    """The smallest margin minᵢ⟨a, zᵢ⟩ in rational arithmetic: floats are taken as exact, so its sign is too.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    a : shape (p,), p = d + 1, or d when `fit_intercept` is False
        Any weights. Divide by ‖a‖ for a lower bound of γ*.
    fit_intercept : bool
        True: zᵢ = yᵢ(xᵢ, 1). False: zᵢ = yᵢxᵢ.

    Examples
    --------
    >>> margin_exact([[0.5], [-1.0]], [1, -1], a=[1.0, 0.25])
    Fraction(3, 4)
    """
    Z = signed(X, y, fit_intercept=fit_intercept)
    return smallest_product(Z, [Fraction(v) for v in check_vector(a, Z.shape[1], "a").tolist()])


def gordan_exact(
    X: ArrayLike, y: ArrayLike, *, dual: ArrayLike, fit_intercept: bool = True
) -> tuple[Fraction, ...]:
    """A certificate of inseparability in fractions: α ≥ 0, Σα = 1 and Zᵀα = 0 exactly, n entries.

    Its existence proves that no hyperplane separates the samples (Gordan 1873; lesson "Separability and
    Gordan's theorem").

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    dual : shape (n,)
        Only its support is used: the linear system is solved anew for the samples with positive weight, or
        for all samples if none has.
    fit_intercept : bool
        True: zᵢ = yᵢ(xᵢ, 1). False: zᵢ = yᵢxᵢ.

    Raises
    ------
    ValueError
        If no such α exists on those samples, or if it is not unique (then remove samples: d + 2 always
        suffice; the dual witness of `separate` has such a support).

    Examples
    --------
    >>> X, y = [[0, 0], [1, 1], [1, 0], [0, 1]], [1, 1, -1, -1]
    >>> [str(v) for v in gordan_exact(X, y, dual=[1, 1, 1, 1])]
    ['1/4', '1/4', '1/4', '1/4']
    """
    Z = signed(X, y, fit_intercept=fit_intercept)
    used = np.flatnonzero(clean_multipliers(dual, len(Z)))
    used = used if used.size else np.arange(len(Z))
    relation = kernel(rational(Z[used].T), len(used))
    if relation is None or min(relation) < 0 < max(relation):
        raise ValueError(
            "`dual` must be positive on samples for which Zᵀα = 0 has exactly one solution α ≥ 0 up "
            f"to scale; got {len(used)} samples with none or several. "
            "Pass `separate(X, y).certificate.dual`. If you did, its Zᵀα is 0 only up to rounding: see "
            "`separate(X, y).certificate.separable`, which says whether the samples are separable."
        )
    alpha = [Fraction(0)] * len(Z)
    for i, v in zip(used.tolist(), relation, strict=True):
        alpha[i] = v / sum(relation)
    return tuple(alpha)
