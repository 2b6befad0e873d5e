"""Newton's method for logistic regression: `NewtonStep`; where labels separate, the limit's witnesses."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from linlearn._scipy import expit, lapack, linalg
from linlearn.certificates.logistic import recession_ties
from linlearn.certificates.samples import SEEN, Samples
from linlearn.plane import Hyperplane, margins
from linlearn.solvers.recession import Recession, recession
from linlearn.trace import Step
from linlearn.validation import Array

# When to stop, and what to spend: a certificate says afterwards how far that led.
MANY = 64  # samples per unknown from which a part of the samples gives a good start
PART = 7  # every PART-th sample makes the start: odd, since labels often alternate
# Squared decrement, relative to the objective, at which Newton stops: half of it is left to fall, to first
# order, and a sum of n losses is itself known to some hundred roundings, 1e-14, only.
SMALL = 1e-13
CERTIFIED = 1e-10  # if the duality gap, too, is at most this share of it, a tenth of what a certificate asks
FLOOR = (
    1e-10  # relative squared decrement at which it stops if a step no longer halves it (rounding)
)
SHARE = 0.25  # of the fall that the slope promises, a step must bring: at the end it brings ½
WORTH = 4  # passes over the samples that a new Hessian is worth
SLOW = 10  # steps after which an unpenalised run without an end looks for a direction of recession
# Part of a gradient that is nothing in a direction without curvature, in units of diagonal 1: sums err by a
# hundred roundings, 1e-14, of their size, which samples far from the hyperplane make large beside the
# curvature.
STILL = 1e-10


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NewtonStep(Step):
    """State of Newton's method after k steps.

    `objective` is the value of the objective, and `decrement` is √⟨g, H⁻¹g⟩; half its square is the
    suboptimality in the quadratic model. H may be the Hessian of an earlier step or of a part of the
    samples. `rate` is the size of the step that led here: 1 for a full Newton step, less after
    backtracking, 0 at the start, and inf for a step along a direction of recession. If floats cannot
    represent that direction, `exact` holds it as fractions.
    """

    objective: float
    decrement: float
    rate: float
    exact: list[Fraction] | None = None

    @property
    def count(self) -> tuple[int, str]:
        return self.k, "Newton step"


def newton_steps(
    X: Array, y: Array, c: Array, lam: float, start: Hyperplane | None, max_updates: int
) -> Iterator[NewtonStep]:
    """The states; c are the shares sᵢ/Σs of the samples, shape (n,)."""
    frame = _Frame.of(X, alike=not lam)
    objective = _Objective(frame.rows, y, c, lam)
    v, inverse = _start(objective) if start is None else (frame.state(X, start), None)
    for k, state in enumerate(_newton(objective, v, inverse)):
        yield NewtonStep(
            k=k,
            plane=frame.plane(state.v),
            objective=state.value,
            decrement=state.decrement,
            rate=state.rate,
        )
        if k == max_updates:
            return
        if lam == 0 and (state.least > 0 or k == SLOW):
            end = recession(X, y)
            if end is None and state.least > 0:
                end = Recession(frame.plane(state.v))
            if end is not None:
                yield along(X, y, c, k + 1, end)
                return


def along(X: Array, y: Array, c: Array, k: int, end: Recession) -> NewtonStep:
    """The limit along a direction of recession from 0: each sample on its hyperplane has loss ln 2."""
    ties = recession_ties(X, y, end.plane.a, end.exact)
    left = float(np.log(2)) * float(c[[] if ties is None else ties].sum())
    return NewtonStep(
        k=k, plane=end.plane, objective=left, decrement=0.0, rate=np.inf, exact=end.exact
    )


def witnesses(X: Array, y: Array, c: Array, last: NewtonStep, max_updates: int) -> dict[str, Any]:
    """Keyword arguments of `logistic_certificate`: the last state, or what proves an infimum.

    Of a direction of recession only the samples on its hyperplane still contribute to the loss. Their
    problem is solved, and the direction is followed from its solution.
    """
    positive = np.flatnonzero(c)
    ties = None
    if np.isinf(last.rate):
        ties = recession_ties(X[positive], y[positive], last.plane.a, last.exact)
    if ties is None:
        return {"primal": last.plane.a}
    ties = positive[ties]
    alpha, start = np.zeros(len(y)), None
    if len(set(y[ties])) == 2:
        *_, there = newton_steps(X[ties], y[ties], c[ties], 0.0, None, max_updates)
        if np.isfinite(there.rate):
            alpha[ties] = expit(-margins(there.plane, X[ties], y[ties]))
            start = there.plane.a
    return {"primal": last.plane.a, "dual": alpha, "start": start, "exact": last.exact}


@dataclass(frozen=True, slots=True, eq=False)
class _Frame:
    """Coordinates of the samples: the `rows` are (X - shift)B, where B = None stands for I."""

    rows: Samples
    shift: Array
    basis: Array | None = None

    @classmethod
    def of(cls, X: Array, *, alike: bool) -> "_Frame":
        """The samples themselves; if features outnumber them, what `_span` makes of them."""
        S = Samples(X, scaled=False)
        if S.d <= S.n:
            return cls(S, S.m[0])
        near = X - S.m[0]  # first, so that little is rounded when their mean is taken away
        mean = near.mean(axis=0)
        basis, coordinates = _span(near - mean, alike=alike)  # w is a combination of the samples
        return cls(Samples(coordinates, scaled=False, centred=False), S.m[0] + mean, basis)

    def plane(self, v: Array) -> Hyperplane:
        """The hyperplane of a state (w, b + ⟨w, shift⟩), w in coordinates."""
        w = v[:-1] if self.basis is None else self.basis @ v[:-1]
        return Hyperplane(w, float(v[-1] - w @ self.shift))

    def state(self, X: Array, start: Hyperplane) -> Array:
        """The state of a hyperplane, or of one with the same scores."""
        w, b = start.w, start.b + start.w @ self.shift
        if self.basis is not None:
            w = linalg.lstsq(self.rows.X, (X - self.shift) @ w)[0]
        return np.append(w, b)


def _span(X: Array, *, alike: bool) -> tuple[Array, Array]:
    """B, shape (d, r), and coordinates C = XB, shape (n, r), which tell all that X tells; r is X's rank.

    A direction that only roundings have would tell copies of one sample apart. B is orthonormal, unless
    features may first be made `alike` in size.
    """
    size = np.abs(X).max(axis=0)
    unit = 2.0 ** np.frexp(np.where(size > 0, size, 1.0))[1] if alike else np.ones(X.shape[1])
    basis, R, order = linalg.qr((X / unit).T, mode="economic", pivoting=True, check_finite=False)
    length = np.abs(np.diag(R))
    r = max(1, int((length > 4 * max(X.shape) * np.finfo(float).eps * length[0]).sum()))
    coordinates = np.empty((len(X), r))
    coordinates[order] = R[:r].T
    return basis[:, :r] / unit[:, None], coordinates


@dataclass(frozen=True, slots=True, eq=False)
class _State:
    v: Array
    value: float
    decrement: float
    rate: float
    least: float
    inverse: Callable[[Array], Array]


class _Objective:
    """Σ cᵢ ln(1 + exp(-mᵢ)) + (λ/2)‖w‖² as a function of v = (w, b), in the samples' coordinates."""

    def __init__(self, S: Samples, y: Array, c: Array, lam: float) -> None:
        self.S, self.y, self.c, self.lam = S, y, c, lam
        self.lams = np.append(np.full(S.d, lam), 0.0)
        self.many = S.n >= MANY * S.p

    def every_kth(self, k: int) -> "_Objective":
        """The same for every k-th sample."""
        c = self.c[::k] * (self.c.sum() / self.c[::k].sum())
        return _Objective(self.S.every_kth(k), self.y[::k], c, self.lam)

    def gap(self, g: Array) -> float:
        """The duality gap ‖∇_w‖²/2λ of a point where the intercept is solved for; 0 if λ = 0."""
        return float(g[:-1] @ g[:-1]) / (2 * self.lam) if self.lam else 0.0

    def evaluate(self, v: Array, *, hessian: bool) -> tuple[float, Array, Array, float]:
        """Value, gradient, Hessian (empty unless asked for) and least margin: the samples are read once."""
        w, b, least, p = v[:-1], v[-1], [], len(v)

        def block(x: Array, _: Array, y: Array, c: Array) -> Array:
            m = y * (x @ w + b)
            e = np.exp(-np.abs(m))
            value = c @ (np.log1p(e) - np.minimum(m, 0.0))
            r = c * y * np.where(m > 0, e, 1.0) / (1 + e)  # cyσ(-m), and e never overflows
            least.append(m.min())
            sums = np.concatenate([[value], -r @ x, [-r.sum()]])
            return np.append(sums, curvature(x, np.sqrt(c * e) / (1 + e))) if hessian else sums

        def curvature(x: Array, q: Array) -> Array:
            H, x = np.empty((p, p)), x * q[:, None]
            H[:-1, :-1], H[-1, :-1], H[-1, -1] = x.T @ x, q @ x, q @ q
            H[:-1, -1] = H[-1, :-1]
            return H

        sums = self.S.total(block, self.y, self.c)
        g, H = sums[1 : p + 1], sums[p + 1 :].reshape(-1, p)
        H = H + np.diag(self.lams) if hessian else H
        value = float(sums[0]) + float((self.lams * v) @ v) / 2
        return value, g + self.lams * v, H, float(min(least))


def _start(objective: _Objective) -> tuple[Array, Callable[[Array], Array] | None]:
    """Start at 0 or, if n ≥ 64(d + 1), near the minimiser on a subset of the samples, with its Hessian."""
    p = objective.S.p
    if not objective.many:
        return np.zeros(p), None
    part = objective.every_kth(PART)
    for k, state in enumerate(_newton(part, *_start(part))):
        # The part's minimiser errs by about p/n anyway; on separated samples there is none.
        near = state.decrement**2 <= 0.01 * p / len(part.y)
        if near or k == SLOW or (objective.lam == 0 and state.least > 0):
            break
    # A Hessian kept from a part of the part would shrink the error less with every step from here on.
    inverse = _solver(part.evaluate(state.v, hessian=True)[2]) if part.many else state.inverse
    return state.v, inverse


def _newton(
    objective: _Objective, v: Array, inverse: Callable[[Array], Array] | None = None
) -> Iterator[_State]:
    """Newton's method with a backtracking line search (Armijo's condition).

    With many samples the start is good, and a Hessian, even that of a subset, is reused as long as the
    decrement shrinks fast: such a step costs one pass over the samples and no matrix product.
    """
    value, g, H, least = objective.evaluate(v, hessian=inverse is None)
    inverse, rate, before = inverse or _solver(H), 0.0, np.inf
    while True:
        step = -inverse(g)
        squared = max(0.0, -float(g @ step))
        yield _State(v, value, squared**0.5, rate, least, inverse)
        goal = SMALL * value
        if squared <= goal and objective.gap(g) <= CERTIFIED * value:
            return
        if squared <= FLOOR * value and squared > before / 2:
            return
        rate, before, old = 1.0, squared, value
        while True:
            value, g, H, least = objective.evaluate(v + rate * step, hessian=not objective.many)
            # Sums in blocks err by far less than a thousand roundings; a smaller change cannot be seen.
            if value <= old * (1 + 1e-13) - SHARE * rate * squared:
                break
            rate /= 2
            if rate * squared <= 1e-16 * old:
                return  # a step so short changes the objective by less than a rounding
        v = v + rate * step
        if not objective.many:
            inverse = _solver(H)
        elif _passes_left(float(g @ inverse(g)), squared, goal) > WORTH:
            inverse = _solver(objective.evaluate(v, hessian=True)[2])


def _passes_left(squared: float, before: float, goal: float) -> float:
    """Steps left to the goal if the squared decrement keeps shrinking as it did."""
    if squared <= goal:
        return 0.0
    return np.log(squared / goal) / np.log(before / squared) if squared < before else np.inf


def _solver(H: Array) -> Callable[[Array], Array]:
    """g ↦ H⁻¹g in units that make the diagonal 1.

    Directions without curvature are left out if g has no part in them: dependent features. If it has,
    the samples are so far from the hyperplane that the curvature has vanished, and the step is long.
    """
    diagonal = np.diag(H)
    # Below 1e-200 a curvature is gone, and its root's inverse would leave the floats in products.
    scale = 1 / np.sqrt(np.where(diagonal > 1e-200, diagonal, 1.0))
    unit = H * scale * scale[:, None]
    lower, failed = lapack.dpotrf(unit, lower=True)
    if not failed and np.diag(lower).min() ** 2 > SEEN:
        return lambda g: scale * lapack.dpotrs(lower, scale * g, lower=True)[0]
    values, U = linalg.eigh(unit, check_finite=False)
    flat = values <= SEEN * values[-1]
    values = np.where(flat, SEEN, values)

    def inverse(g: Array) -> Array:
        parts = U.T @ (scale * g)
        return np.asarray(
            scale * (U @ (np.where(flat & (np.abs(parts) < STILL), 0.0, parts) / values))
        )

    return inverse
