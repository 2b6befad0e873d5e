"""Minimise the multinomial logistic objective by truncated Newton steps, until its certificate closes."""

from collections.abc import Callable

import numpy as np

from linlearn._scipy import special
from linlearn.certificates.bound import CLOSED
from linlearn.certificates.certificate import Certificate, tighter_bounds
from linlearn.certificates.softmax import SoftmaxRisk
from linlearn.solvers.newton_cg import Point, newton_cg
from linlearn.validation import Array

STEPS = 100  # of Newton's method


def minimised(
    F: SoftmaxRisk, v: Array, *, target: float = 0.0, steps: int = STEPS
) -> tuple[Certificate, int]:
    """The best certificate on the way from v, and the number of steps; the parameters are its primal.

    It ends at the relative gap `target`, or where a step from a closed certificate gains little.
    """
    best = F.enclosed(v)
    if best.relative_gap <= target:
        return best, 0
    unit = _column_scales(F, v.shape)
    flat = (v * unit).ravel()
    k = 0
    for k, (u, _) in enumerate(newton_cg(lambda u: _point(F, u, unit), flat)):
        found, before = F.enclosed(u.reshape(v.shape) / unit), best.relative_gap
        closed = found.relative_gap <= CLOSED  # then later parameters are closer
        best = tighter_bounds(best, found, primal=closed)
        if best.relative_gap <= target or k == steps:
            break
        if k and before / 2 < best.relative_gap <= CLOSED:
            break
    return best, k


def _column_scales(F: SoftmaxRisk, shape: tuple[int, ...]) -> Array:
    """The square roots of about the Hessian's diagonal, so that columns of all sizes count alike."""
    X = F.X
    if isinstance(X, np.ndarray):
        squares = np.einsum("i,ij,ij->j", F.k, X, X)
    else:
        k = np.repeat(F.k, np.diff(X.indptr))
        squares = np.bincount(X.indices, k * X.data * X.data, X.shape[1])
    share = (F.K - 1) / F.K**2
    return np.broadcast_to(np.sqrt(np.append(1 + share * squares, share * F.total)), shape)


def _point(F: SoftmaxRisk, u: Array, unit: Array) -> Point:
    """F at u/unit as a function of u."""
    v = u.reshape(unit.shape) / unit
    z, W = F.scores(v), v[:, :-1]
    A, P = F.multipliers(v), special.softmax(z, axis=1)
    has = float(F.fit_intercept)

    def flattened(slope: Array, V: Array) -> Array:
        # Less their mean, which moves no probability, so that roundings do not add up in that direction.
        b = V.sum(axis=0)
        whole = np.column_stack([slope - (F.X.T @ V).T, -has * (b - b.mean())])
        return np.asarray((whole / unit).ravel())

    def hessian(q: Array) -> Array:
        Q = q.reshape(unit.shape) / unit
        T = F.scores(Q)
        T = F.k[:, None] * P * ((P * T).sum(axis=1, keepdims=True) - T)
        return flattened(Q[:, :-1], T)

    def along(p: Array) -> Callable[[float], float]:
        Q = p.reshape(unit.shape) / unit
        move = F.scores(Q)

        def ahead(t: float) -> float:
            return (
                float(F.k @ F.losses(z + t * move)) + float(np.square(W + t * Q[:, :-1]).sum()) / 2
            )

        return ahead

    return Point(
        float(F.k @ F.losses(z)) + float(np.square(W).sum()) / 2, flattened(W, A), hessian, along
    )
