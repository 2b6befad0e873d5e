"""Exact bounds on the least hinge loss, the soft and the hard margin, from witnesses near given ones."""

from fractions import Fraction
from math import inf

import numpy as np
from numpy.typing import ArrayLike

from linlearn.certificates.sample_weights import SampleWeights, Weights, check_penalty
from linlearn.exact.elimination import Rational, combined, dot, rational, solve_near
from linlearn.plane import signed
from linlearn.validation import Array, check_samples, check_vector, clean_multipliers

# A multiplier this near to 0 or its bound, relative to that, is meant to be there. It only says what is
# solved for; the bounds hold whatever is tried.
NEAR = 1e-6
SIMPLE = 10**6  # denominators of the numbers that the equations leave free


def hinge_exact(
    X: ArrayLike, y: ArrayLike, *, primal: ArrayLike, dual: ArrayLike, sample_weight: Weights = None
) -> tuple[Fraction, Fraction]:
    """Exact bounds (lower, upper) on min Σ sᵢ(1 - mᵢ)₊/Σ sᵢ, from rational witnesses near the given ones.

    The multipliers strictly between 0 and sᵢ/Σ s are solved for anew from Zᵀα = 0, and (w, b) from mᵢ = 1 at
    their samples. If the witnesses are nearly optimal, lower = upper: the optimum, as a fraction
    (linear programming duality; lesson "LP duality").

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
        Keep the data small: all arithmetic is done with fractions.
    primal : shape (d+1,)
        Any a = (w, b). What no equation determines is rounded to simple fractions, in units in which the
        features are about 1.
    dual : shape (n,)
        Dual variables: those strictly between 0 and their bound are solved for.
    sample_weight : None, "balanced" or s, shape (n,)
        As in `linear_program`; the float 0.1 is also a fraction, but it is not 1/10.

    Examples
    --------
    >>> lower, upper = hinge_exact(
    ...     [[0], [1], [2]], [1, -1, 1], primal=[1e-9, 1], dual=[0.1667, 1 / 3, 0.1667]
    ... )
    >>> str(lower), str(upper)
    ('2/3', '2/3')
    """
    X, y, a, alpha = _checked(X, y, primal, dual)
    c, Z = SampleWeights.of(y, sample_weight).exact_shares(), rational(signed(X, y))
    exact = _multipliers(Z, c, alpha) or [Fraction(0)] * len(y)
    inside = _inside(exact, c)
    order = np.argsort(-np.abs(a), kind="stable").tolist()
    equations = [[Z[i][j] for j in order] for i in inside]
    size = [*2.0 ** np.frexp(np.abs(X).max(axis=0))[1], 1.0]
    guess = [_simple(a[j] * size[j]) / Fraction(size[j]) for j in order]
    solved = solve_near(equations, [Fraction(1)] * len(inside), guess) or guess
    plane = [solved[order.index(j)] for j in range(len(order))]
    return sum(exact, Fraction(0)), _loss(plane, Z, c)


def soft_margin_exact(
    X: ArrayLike,
    y: ArrayLike,
    *,
    primal: ArrayLike,
    dual: ArrayLike,
    C: float,
    sample_weight: Weights = None,
) -> tuple[Fraction, Fraction]:
    """Exact bounds (lower, upper) on min ½‖w‖² + C Σsᵢ(1 - mᵢ)₊, from rational witnesses near the given ones.

    The multipliers strictly between 0 and Csᵢ and the intercept are solved for anew from mᵢ = 1 and
    Σ αᵢyᵢ = 0. If the witnesses are nearly optimal, lower = upper (Cortes and Vapnik 1995; lesson "The
    soft-margin SVM").

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
        Keep the data small: all arithmetic is done with fractions.
    primal : shape (d+1,)
        Any a = (w, b); b is used if no multiplier is strictly between its bounds.
    dual : shape (n,)
        Dual variables: those strictly between 0 and Csᵢ are solved for.
    C : float > 0
        The penalty parameter.
    sample_weight : None, "balanced" or s, shape (n,)
        As in `svm`.

    Examples
    --------
    >>> lower, upper = soft_margin_exact(
    ...     [[0], [3]], [-1, 1], primal=[0.6666, -1], dual=[0.2222, 0.2222], C=1
    ... )
    >>> str(lower), str(upper)
    ('2/9', '2/9')
    """
    X, y, a, alpha = _checked(X, y, primal, dual)
    costs = SampleWeights.of(y, sample_weight).exact_times(check_penalty(C))
    Z = rational(signed(X, y))
    exact, [*w, b] = _optimality_equations(Z, y, alpha, float(a[-1]), costs)
    # The loss bends in b where a margin is 1; its minimum, for this w, is at such a place.
    kinks = sorted(((1 - dot(w, z[:-1])) * z[-1] for z in Z), key=lambda kink: abs(kink - b))
    loss = min(_loss([*w, t], Z, costs) for t in [b, *kinks[:2]])
    norm = dot(w, w) / 2
    return sum(exact) - norm, norm + loss


def hard_margin_exact(
    X: ArrayLike, y: ArrayLike, *, primal: ArrayLike, dual: ArrayLike
) -> tuple[Fraction, Fraction | float]:
    """Exact bounds (lower, upper) on min{½‖w‖² : all mᵢ ≥ 1}, from rational witnesses near the given ones.

    Like `soft_margin_exact`, but without an upper bound on α; upper is ∞ unless (w, b) separates the samples
    (Vapnik and Lerner 1963; lesson "The hard-margin SVM").

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
        Keep the data small: all arithmetic is done with fractions.
    primal, dual : shapes (d+1,) and (n,)
        As in `soft_margin_exact`.

    Examples
    --------
    >>> lower, upper = hard_margin_exact(
    ...     [[0], [3]], [-1, 1], primal=[0.6666, -1], dual=[0.2222, 0.2222]
    ... )
    >>> str(lower), str(upper)
    ('2/9', '2/9')
    """
    X, y, a, alpha = _checked(X, y, primal, dual)
    Z = rational(signed(X, y))
    exact, plane = _optimality_equations(Z, y, alpha, float(a[-1]), None)
    smallest_margin = min(dot(plane, z) for z in Z)
    norm = dot(plane[:-1], plane[:-1]) / 2
    return sum(exact) - norm, norm / smallest_margin**2 if smallest_margin > 0 else inf


def _checked(
    X: ArrayLike, y: ArrayLike, primal: ArrayLike, dual: ArrayLike
) -> tuple[Array, Array, Array, Array]:
    X, y = check_samples(X, y)
    return X, y, check_vector(primal, X.shape[1] + 1, "primal"), clean_multipliers(dual, len(y))


def _loss(plane: Rational, Z: list[Rational], c: Rational) -> Fraction:
    """Σcᵢ(1 - mᵢ)₊."""
    return dot(c, [max(Fraction(0), 1 - dot(plane, z)) for z in Z])


def _multipliers(Z: list[Rational], c: Rational, alpha: Array) -> Rational | None:
    """0 ≤ α ≤ c with Zᵀα = 0 exactly, near the given α; None if there are none where it points.

    Multipliers near 0 or c are put there; of the others, those with most room are solved for.
    """
    near = _snap_to_bounds(alpha, c)
    inside = sorted(_inside(near, c), key=lambda i: -min(near[i], c[i] - near[i]))
    inside, moment = inside[: 2 * len(Z[0])], combined(near, Z)
    equations = [[Z[i][j] for i in inside] for j in range(len(moment))]
    change = solve_near(equations, [-v for v in moment], [Fraction(0)] * len(inside))
    if change is None:
        return None
    for i, v in zip(inside, change, strict=True):
        near[i] += v
    return near if all(0 <= v <= w for v, w in zip(near, c, strict=True)) else None


def _optimality_equations(
    Z: list[Rational], y: Array, alpha: Array, b: float, c: Rational | None
) -> tuple[Rational, Rational]:
    """Multipliers in [0, c] with Σ αᵢyᵢ = 0, and (Σ αᵢyᵢxᵢ, b) with mᵢ = 1 where 0 < αᵢ < cᵢ."""
    bound = c or [Fraction(2 * float(alpha.max()) or 1.0)] * len(y)
    near = _snap_to_bounds(alpha, bound)
    inside = _inside(near, bound)
    fixed = [v if i not in inside else Fraction(0) for i, v in enumerate(near)]
    guess = [near[i] for i in inside] + [_simple(b)]
    solved = _on_the_margin([Z[i] for i in inside], combined(fixed, Z), guess)
    found = dict(zip(inside, solved or (), strict=False))
    if solved and all(0 <= v and (c is None or v <= c[i]) for i, v in found.items()):
        near, offset = [found.get(i, v) for i, v in enumerate(near)], solved[-1]
    else:
        near, offset = _scale_heavier_class(near, y), _simple(b)
    return near, [*combined(near, Z)[:-1], offset]


def _scale_heavier_class(near: Rational, y: Array) -> Rational:
    """Scale the class with the larger sum down to the other's."""
    pairs = list(zip(near, y.tolist(), strict=True))
    sums = {s: sum((v for v, t in pairs if t == s), Fraction(0)) for s in (1, -1)}
    less = min(sums.values())
    return [v * less / sums[t] if less else Fraction(0) for v, t in pairs]


def _snap_to_bounds(alpha: Array, c: Rational) -> Rational:
    """α in [0, c], put on the bound where it is near to it."""

    def snapped(v: float, w: Fraction) -> Fraction:
        ratio = v / float(w) if w else 0.0
        return Fraction(0) if ratio < NEAR else w if ratio > 1 - NEAR else Fraction(v)

    return [snapped(v, w) for v, w in zip(alpha.tolist(), c, strict=True)]


def _inside(alpha: Rational, c: Rational) -> list[int]:
    return [i for i, (v, w) in enumerate(zip(alpha, c, strict=True)) if 0 < v < w]


def _simple(value: float) -> Fraction:
    return Fraction(value).limit_denominator(SIMPLE)


def _on_the_margin(Z: list[Rational], w: Rational, guess: Rational) -> Rational | None:
    """α and b that give mᵢ = 1 at the rows yᵢ(xᵢ, 1) of Z and balance Σ αᵢyᵢ, near the guess, or None.

    The weights are Σ αᵢyᵢxᵢ and what others, Σ αₖyₖ(xₖ, 1) = w, have added already.
    """
    equations = [[dot(u[:-1], v[:-1]) for v in Z] + [u[-1]] for u in Z]
    equations.append([v[-1] for v in Z] + [Fraction(0)])
    right = [1 - dot(w[:-1], z[:-1]) for z in Z] + [-w[-1]]
    return solve_near(equations, right, guess)
