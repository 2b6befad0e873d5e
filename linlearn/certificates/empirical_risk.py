"""Bounds on the least mean loss over ‖a‖ ≤ ρ: from any hyperplane, and from any slopes of a convex loss."""

import numpy as np
from numpy.typing import ArrayLike

from linlearn.certificates.ball import (
    ETA,
    Ball,
    NormBall,
    U,
    ball,
    gamma,
    norm,
    quietly,
    round_down,
)
from linlearn.certificates.certificate import Certificate
from linlearn.certificates.samples import Samples
from linlearn.losses import SQUARED, SQUARED_HINGE, WITH_SLOPE, Function, Loss
from linlearn.validation import Array, check_choice, check_number, check_samples, check_vector

SCALES = (1.0, 0.75, 0.5, 0.25, 0.0)  # of the dual witness; the best one serves


@quietly
def enclose_empirical_risk(
    X: ArrayLike, y: ArrayLike, *, primal: ArrayLike, dual: ArrayLike, loss: str, radius: float
) -> Certificate:
    """Enclose min over ‖a‖ ≤ ρ of (1/n)Σφ(mᵢ), mᵢ = ⟨a, zᵢ⟩: the best that any such a can do.

    For any slopes s, Fenchel's φ(m) ≥ sm - φ*(s) gives
    (1/n)Σφ(mᵢ) ≥ (1/n)⟨a, Zᵀs⟩ - (1/n)Σφ*(sᵢ) ≥ -ρ‖Zᵀs‖/n - (1/n)Σφ*(sᵢ). Moreover, no margin exceeds
    ρ‖zᵢ‖, so that no loss is less than φ(ρ‖zᵢ‖). The lower bound is the higher of the two; for a loss
    that is not convex (sigmoid) only the second exists.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (d+1,)
        Any vector a; if it is longer than ρ, it is scaled to length ρ.
    dual : shape (n,)
        Any slopes s; they are clipped to where φ* is finite, and shrunk towards 0 if that is better.
    loss : "perceptron", "hinge", "squared hinge", "logistic", "sigmoid" or "squared"
    radius : ρ > 0

    Notes
    -----
    With s = φ′(m) the gap is ⟨a, g⟩ + ρ‖g‖ ≤ 2ρ‖g‖, g the gradient at a: it closes where the gradient
    vanishes inside the ball. The ball is needed because a minimiser need not exist: on separable
    samples the logistic loss decreases for ever. Lesson "Subgradients and regret".

    Examples
    --------
    >>> X, y, a, s = [[0.0], [1.0], [2.0]], [-1, -1, 1], [1, -4 / 3], [2 / 3, -4 / 3, -2 / 3]
    >>> enclose_empirical_risk(X, y, primal=a, dual=s, loss="squared", radius=2.0)
    Certificate(0.222222 ≤ empirical risk ≤ 0.222222)
    """
    check_choice(loss, "loss", WITH_SLOPE)
    radius = check_number(radius, "radius", above=0)
    X, y = check_samples(X, y)
    a = check_vector(primal, X.shape[1] + 1, "primal")
    s = check_vector(dual, len(y), "dual", each="samples")
    phi, S = WITH_SLOPE[loss], Samples(X, scaled=False, centred=False)
    if phi is not SQUARED:
        s = np.clip(s, -np.inf if phi is SQUARED_HINGE else -1.0, 0.0)
    total = _total_loss(phi, S.times(_inside(a, radius)).flipped(y))
    upper = float((total / len(y)).hi)
    farthest = S.per_sample(lambda x, e: np.sqrt(np.einsum("ij,ij->i", x, x) + 1)) * radius
    farthest *= 1 + gamma(a.size + 8)
    lower = float(_sum(np.minimum(phi.value(farthest), phi.value(np.minimum(farthest, 1.0)))).lo)
    if phi.conjugate is not None:
        some = NormBall(s * y, U * norm(s) + len(s) * ETA)  # products with a scale are rounded
        pull = S.sums(some).length() * radius * (1 + 4 * U)
        for c in SCALES:
            lower = max(lower, float((-_conjugate(phi.conjugate, c * s) - c * pull).lo))
    options = {"loss": loss, "radius": radius}
    scale = float(phi.value(0.0)) or float(phi.value(-1.0))  # the perceptron loss is 0 at 0
    lower = round_down(lower / len(y))
    return Certificate("empirical risk", lower, upper, a, s, options, scale)


def _inside(a: Array, radius: float) -> Array:
    """a, or its multiple of length ρ if it is longer."""
    length = ball(a).length()
    while length > radius:
        a = a * (radius / length * (1 - 4 * U))
        length = ball(a).length()
    return a


def _total_loss(phi: Loss, m: NormBall) -> Ball:
    """Σφ(mᵢ); that of a square by the squares of 1 - m, whose errors are bounded together."""
    short = 1.0 - m
    if phi is SQUARED_HINGE:  # (·)₊ moves no two numbers apart
        short = NormBall(np.maximum(short.mid, 0.0), short.off)
    return short.squares() if phi in (SQUARED, SQUARED_HINGE) else _sum(phi.value(m.mid), m.off)


def _sum(values: Array, off: float = 0.0) -> Ball:
    """Σ of values of a loss of slope at most 1, trusted to a few last digits."""
    return NormBall(values, off + 16 * U * norm(values) + 8 * len(values) * ETA).sum()


def _conjugate(conjugate: Function, s: Array) -> Ball:
    """Σφ*(sᵢ): sums of a few terms below 1 + s² each."""
    return NormBall(conjugate(s), 32 * U * norm(1 + np.square(s))).sum()
