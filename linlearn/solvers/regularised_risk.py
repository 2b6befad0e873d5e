"""Minimise a loss with an ℓ2 penalty by products with X and its transpose, until the certificate closes.

Smooth losses: truncated Newton steps. Hinge loss: the proximal method of multipliers (Rockafellar 1976). Each
round minimises a smooth function, ½‖w‖² plus Σ θ(αᵢ + σ(1 - mᵢ))/σ with θ′(u) = min(max(u, 0), kᵢ), whose
slope is that of the Lagrangian at multipliers that are feasible by construction; these are the next α.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from linlearn.certificates.certificate import tighter_bounds
from linlearn.certificates.regularised_risk import RegularisedRisk, Scores, enclosed
from linlearn.losses import HINGE
from linlearn.solvers.newton_cg import Point, newton_cg
from linlearn.validation import Array

Parts = Callable[[Array], tuple[float, Array, Any]]  # of margins: Σφ, -φ′ and φ″

NEWTON = 60  # steps, or rounds of the proximal method
DIRECT = 250  # samples that bend the function: as many rows has a system that is solved directly
INNER = 30  # Newton steps in a round
START = 1.0  # of σ, over the usual ‖x‖²
GROWTH = 2.0  # of σ from round to round
AT_MARGIN = 1e-6  # how far from 1 a margin of a sharp hyperplane is that may belong to the margin
RECOVERED = 1e-5  # of the first residual of the multipliers there may be left
RECOVERING = 300  # steps of conjugate gradients
LEFT = 0.01  # of the first gradient of a round, where the next begins


class Found:
    """The best certificate so far, and what it took."""

    def __init__(self, F: RegularisedRisk, a: Array, dual: Array | None, target: float) -> None:
        self.F, self.target = F, target
        self._last = a, F.at(a)
        self.certificate = enclosed(F, self.at(a), dual)
        self.products = 0

    @property
    def closed(self) -> bool:
        return self.certificate.relative_gap <= self.target

    @property
    def enough(self) -> float:
        """The norm of ρ that costs a few per cent of the gap that is asked for: the cost is ½‖ρ‖²."""
        size = max(self.certificate.upper, self.certificate.scale)
        return 0.2 * math.sqrt(2 * self.target * size)

    def at(self, a: Array) -> Scores:
        """The scores of a hyperplane, computed once for a step from it and for its certificate."""
        if a is not self._last[0]:
            self._last = a, self.F.at(a)
        return self._last[1]

    def update(self, a: Array, dual: Array | None = None) -> None:
        """Take the better of both bounds, each with its witness."""
        found = enclosed(self.F, self.at(a), dual)
        self.certificate = tighter_bounds(self.certificate, found)


def minimised(
    F: RegularisedRisk,
    a: Array,
    dual: Array | None = None,
    *,
    target: float = 1e-8,
    most: int = 2000,
) -> Found:
    """Improve the hyperplane a until its certificate closes, or `most` products with X are spent."""
    if F.l1_ratio:
        raise ValueError(
            f"`l1_ratio` must be 0 for Newton steps, since |w| has a kink; got {F.l1_ratio:g}. Pass the "
            "hyperplane of another solver to `enclose_regularised_risk`."
        )
    best = Found(F, a, dual, target)
    if best.closed:
        return best
    if best.certificate.upper > best.certificate.scale:  # worse than w = 0, b = 0
        a = np.zeros_like(a)
        best.update(a)
    (_proximal if F.loss is HINGE else _newton_steps)(best, a, best.certificate.dual, most)
    proved = best.certificate
    best.certificate = enclosed(F, F.at(proved.primal), proved.dual)
    return best


def _newton_steps(best: Found, a: Array, _alpha: Array, most: int) -> None:
    F = best.F

    def parts(m: Array) -> tuple[float, Array, Any]:
        return (
            float(F.k @ F.loss.value(m)),
            -F.k * F.loss.slope(m),
            F.k * F.loss.curvature(m),
        )

    def at(v: Array) -> Point:
        return _point(best, v, parts)

    states = newton_cg(at, a, enough=best.enough)
    next(states)
    for _, (v, point) in zip(range(NEWTON), states, strict=False):
        before = best.certificate.gap
        best.update(v)
        if best.closed or best.products > most:
            break
        flat = float(np.linalg.norm(point.gradient)) <= best.enough
        if flat and best.certificate.gap > before / 2:  # what is left is rounding
            break


def _proximal(best: Found, a: Array, alpha: Array, most: int) -> None:
    F = best.F
    sigma = START / max(_usual_square(F), 1e-300)
    tolerance = LEFT
    for _ in range(NEWTON):

        def parts(m: Array, alpha: Array = alpha, sigma: float = sigma) -> tuple[float, Array, Any]:
            u = alpha + sigma * (1 - m)
            v = np.clip(u, 0.0, F.k)
            return float(v @ (u - v / 2)) / sigma, v, sigma * ((u > 0) & (u < F.k))

        def at(v: Array, parts: Parts = parts) -> Point:
            return _point(best, v, parts)

        first = None
        states = newton_cg(at, a, enough=best.enough)
        for k, (v, point) in zip(range(INNER), states, strict=False):
            a, size = v, float(np.linalg.norm(point.gradient))
            first = size if first is None else first
            if (k and size <= tolerance * first) or size <= best.enough or best.products > most:
                break
        alpha = parts(F.y * (best.at(a).s + a[-1]))[1]
        best.update(a, alpha)
        if best.closed or best.products > most:
            return
        sigma *= GROWTH


def recovered(F: RegularisedRisk, at: Scores) -> tuple[Array, int]:
    """Multipliers of the hinge loss from a sharp hyperplane, and the number of products with X they took.

    Only those of samples at the margin are unknown. The dual function is quadratic in them; it is maximised
    by conjugate gradients from their middle, without the bounds, which hold at an optimum.
    """
    m = F.y * (at.s + at.b)
    S = np.flatnonzero(np.abs(1 - m) <= AT_MARGIN)
    alpha = np.where(m < 1, F.k, 0.0)
    alpha[S] = F.k[S] / 2
    B, y = F.X[S], F.y[S]

    def pull(v: Array, total: float) -> Array:
        """The margins on S of the hyperplane of multipliers with Σαᵢyᵢxᵢ = v and this Σαᵢyᵢ."""
        return np.asarray(y * (B @ v + (total / F.penalty if F.penalty else 0.0)))

    r = 1 - pull(F.X.T @ (alpha * F.y), float(alpha @ F.y))
    p, square = r, float(r @ r)
    enough = RECOVERED**2 * square
    for products in range(2, most := 2 * RECOVERING, 2):
        if square <= enough:
            return alpha, products
        H = pull(B.T @ (p * y), float(p @ y))
        step = square / float(p @ H)
        alpha[S] += step * p
        r = r - step * H
        square, before = float(r @ r), square
        p = r + square / before * p
    return alpha, most


def _usual_square(F: RegularisedRisk) -> float:
    """The median of ‖xᵢ‖²."""
    if isinstance(F.X, np.ndarray):
        return float(np.median(np.einsum("ij,ij->i", F.X, F.X)))
    squares = np.add.reduceat(np.append(np.square(F.X.data), 0.0), F.X.indptr[:-1])
    return float(np.median(np.where(np.diff(F.X.indptr), squares, 0.0)))


def _point(best: Found, v: Array, parts: Parts) -> Point:
    """The penalised sum of `parts` at v = (w, b)."""
    F, w, b = best.F, v[:-1], float(v[-1])
    X, y, nu = F.X, F.y, F.penalty or 0.0
    has = F.penalty is not None
    s = best.at(v).s
    risk, alpha, bend = parts(y * (s + b))
    value = risk + (float(w @ w) + nu * b * b) / 2
    slope = np.append(w - X.T @ (alpha * y), nu * b - float(alpha @ y) if has else 0.0)
    best.products += 1

    rows = np.flatnonzero(bend)
    few = len(rows) <= min(DIRECT, X.shape[1])
    part = len(rows) < len(bend) and (few or 2 * len(rows) < len(bend))
    B, h = (X[rows], bend[rows]) if part else (X, bend)

    def hessian(p: Array) -> Array:
        t = h * (B @ p[:-1] + (p[-1] if has else 0.0))
        best.products += 1
        return np.append(p[:-1] + B.T @ t, nu * p[-1] + float(t.sum()) if has else 0.0)

    def along(p: Array) -> Callable[[float], float]:
        best.products += 1
        moved, q = X @ p[:-1] + p[-1], p[:-1]
        squares = float(w @ w), float(w @ q), float(q @ q)

        def ahead(t: float) -> float:
            square = squares[0] + 2 * t * squares[1] + t * t * squares[2]
            square += nu * (b + t * float(p[-1])) ** 2
            return parts(y * (s + b + t * moved))[0] + square / 2

        return ahead

    newton = partial(_newton, B, h, slope, F.penalty) if few else None
    return Point(value, slope, hessian, along, newton)


def _newton(B: Any, h: Array, slope: Array, penalty: float | None) -> Array:
    """-H⁻¹g for H = I + BᵀhB and the intercept, from a system of the size of B's rows (Woodbury)."""
    if not len(h):
        return -slope
    G = B @ B.T
    G = (
        np.asarray(G.toarray() if hasattr(G, "toarray") else G)
        + np.diag(1 / h)
        + (1 / penalty if penalty else 0)
    )
    g, right = slope[:-1], B @ slope[:-1] + (slope[-1] / penalty if penalty else 0)
    one, z = np.linalg.solve(G, np.column_stack([np.ones(len(h)), right])).T
    b = 0.0
    if penalty == 0:  # Σzᵢ = the slope in b
        b = (z.sum() - slope[-1]) / one.sum()
        z = z - b * one
    elif penalty:
        b = (z.sum() - slope[-1]) / penalty
    return np.append(-(g - B.T @ z), b)
