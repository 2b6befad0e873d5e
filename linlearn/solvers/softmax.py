"""Minimise the multinomial logistic objective by truncated Newton steps, until its certificate closes."""

from collections.abc import Callable
from itertools import islice

import numpy as np

from linlearn._scipy import special
from linlearn.certificates.bound import CLOSED
from linlearn.certificates.certificate import Certificate, tighter_bounds
from linlearn.certificates.softmax import SoftmaxRisk
from linlearn.solvers.newton_cg import Point, newton_cg
from linlearn.validation import Array

STEPS = 100  # of Newton's method
BALANCING = 30  # steps to the best intercepts
BALANCED = 1e-14  # relative to Σk, how far the sums of the classes may be from their counts


def minimised(
    F: SoftmaxRisk, v: Array, *, target: float = 0.0, steps: int = STEPS
) -> tuple[Certificate, int]:
    """The best certificate on the way from v, and the number of steps; the parameters are its primal.

    It ends at the relative gap `target`, or where a step from a closed certificate gains little.
    """
    best = F.enclosed(v, F.multipliers(with_best_intercepts(F, v)))
    if best.relative_gap <= target:
        return best, 0
    unit = _column_scales(F, v.shape)
    flat = (v * unit).ravel()
    k = 0
    for k, (u, _) in enumerate(newton_cg(lambda u: _point(F, u, unit), flat)):
        here = with_best_intercepts(F, u.reshape(v.shape) / unit)
        found, before = F.enclosed(here), best.relative_gap
        closed = found.relative_gap <= CLOSED  # then later parameters are closer
        best = tighter_bounds(best, found, primal=closed)
        if best.relative_gap <= target or k == steps:
            break
        if k and before / 2 < best.relative_gap <= CLOSED:
            break
    return best, k


def with_best_intercepts(F: SoftmaxRisk, v: Array) -> Array:
    """With the best intercepts for W, found from the scores alone; they add up to 0."""
    if not F.fit_intercept:
        return v
    z = F.X @ v[:, :-1].T
    counts = np.bincount(F.y, F.k, F.K)

    def at(b: Array) -> Point:
        P = special.softmax(z + b, axis=1)
        kP = F.k[:, None] * P
        total = kP.sum(axis=0)
        H = np.diag(total) - P.T @ kP

        def along(p: Array) -> Callable[[float], float]:
            return lambda t: float(F.k @ F.losses(z + b + t * p))

        return Point(
            along(b)(0.0),
            _centre_intercepts(total - counts),
            lambda q: _centre_intercepts(H @ q),
            along,
        )

    b = v[:, -1]
    for step, point in islice(newton_cg(at, _centre_intercepts(b)), BALANCING):
        b = step
        if np.abs(point.gradient).max() <= BALANCED * F.total:
            break
    return np.column_stack([v[:, :-1], _centre_intercepts(b)])


def _centre_intercepts(b: Array) -> Array:
    """Less its mean, which moves no probability, so that roundings do not add up in that direction."""
    return np.asarray(b - b.mean())


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
        whole = np.column_stack([slope - (F.X.T @ V).T, -has * _centre_intercepts(V.sum(axis=0))])
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
