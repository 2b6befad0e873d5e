"""How small can the mean loss be? Planes bound it from above, tangents of the loss from below."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from linlearn.certificates._rows import block_length, row_blocks
from linlearn.certificates.certificate import Certificate, rounding
from linlearn.checks import Array, check_number, check_samples, check_vector
from linlearn.losses import HINGE, LOGISTIC, PERCEPTRON, SIGMOID, SQUARED, Loss
from linlearn.plane import signed

LOSSES = {loss.name: loss for loss in (PERCEPTRON, HINGE, LOGISTIC, SIGMOID, SQUARED)}
SCALES = (1.0, 0.75, 0.5, 0.25, 0.0)  # of the dual witness; the best one serves


def enclose_empirical_risk(
    X: ArrayLike,
    y: ArrayLike,
    *,
    primal: ArrayLike,
    dual: ArrayLike,
    loss: str,
    radius: float,
) -> Certificate:
    """Enclose min over ‖a‖ ≤ ρ of (1/n)Σφ(mᵢ), mᵢ = ⟨a, zᵢ⟩: the best any plane of that size can do.

    For any slopes s, Fenchel's φ(m) ≥ sm - φ*(s) gives
    (1/n)Σφ(mᵢ) ≥ (1/n)⟨a, Zᵀs⟩ - (1/n)Σφ*(sᵢ) ≥ -ρ‖Zᵀs‖/n - (1/n)Σφ*(sᵢ), and no margin exceeds
    ρ‖zᵢ‖, so that the loss cannot be less than it is there. Whichever bound is higher is the
    lower end; for a loss that is not convex (sigmoid) only the second exists.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (d+1,)
        Any vector a; if it is longer than ρ its multiple of length ρ bounds the minimum.
    dual : shape (n,)
        Any slopes s, clipped to where φ* is finite and shrunk towards 0 if that is better.
    loss : "perceptron", "hinge", "logistic", "sigmoid" or "squared"
    radius : ρ > 0

    Notes
    -----
    With s = φ′(m) the gap is ⟨a, g⟩ + ρ‖g‖ ≤ 2ρ‖g‖, g the gradient at a: it closes where the gradient
    vanishes inside the ball. The ball is needed because a minimiser need not exist: on separable
    samples the logistic loss falls for ever. Both ends allow for rounding. Chapter "Losses".

    >>> X, y, a, s = [[0.0], [1.0], [2.0]], [-1, -1, 1], [1, -4 / 3], [2 / 3, -4 / 3, -2 / 3]
    >>> enclose_empirical_risk(X, y, primal=a, dual=s, loss="squared", radius=2.0)
    Certificate(0.222222 ≤ empirical risk ≤ 0.222222)
    """
    if loss not in LOSSES:
        raise ValueError(f"`loss` must be one of {', '.join(LOSSES)}; got {loss!r}.")
    radius = check_number(radius, "radius", above=0)
    X, y = check_samples(X, y)
    a, s = check_vector(primal, X.shape[1] + 1, "primal"), check_vector(dual, len(y), "dual")
    phi, Z = LOSSES[loss], signed(X, y)
    if phi is not SQUARED:
        s = np.clip(s, -1.0, 0.0)
    length = float(np.linalg.norm(a)) * (1 + rounding(a.size + 2))
    inside = a if length <= radius else a * (radius / length)
    m, lengths = Z @ inside, np.linalg.norm(Z, axis=1) * (1 + rounding(a.size + 2))
    doubt = rounding(a.size + 1) * lengths * min(length, radius) * 1.01
    upper = _mean(np.maximum(phi.value(m - doubt), phi.value(m + doubt)), up=True)
    farthest = lengths * radius
    lower = _mean(np.minimum(phi.value(farthest), phi.value(np.minimum(farthest, 1.0))), up=False)
    if phi.convex:
        lower = max(lower, *_duals(phi, Z, s, radius))
    options = {"loss": loss, "radius": radius}
    scale = float(phi.value(0.0)) or float(phi.value(-1.0))  # the perceptron loss is 0 at 0
    return Certificate("empirical risk", lower, upper, a, s, options, scale)


def _duals(phi: Loss, Z: Array, s: Array, radius: float) -> Iterator[float]:
    """-ρ‖Zᵀcs‖/n - (1/n)Σφ*(csᵢ) for some c in [0, 1], rounded down."""
    n, p = Z.shape
    total = np.sum([s[rows] @ Z[rows] for rows in row_blocks(n, p)], axis=0)
    terms = block_length(n, p) + n // block_length(n, p) + 4
    error = rounding(terms) * float(np.linalg.norm(s)) * np.linalg.norm(Z, axis=0)
    pull = float(np.linalg.norm(np.abs(total) + 1.01 * error)) * radius / n
    for c in SCALES:
        yield -_mean(phi.conjugate(c * s), up=True) - c * pull * (1 + rounding(p + 8))


def _mean(values: Array, *, up: bool) -> float:
    """The mean, rounded to the safe side: the values by 8 units each, their sum by what n allows."""
    size = float(np.abs(values).mean()) + 1.0 * (values != 0).any()
    slack = (rounding(8) + rounding(40 + len(values) // 128)) * size
    mean = float(values.mean())
    return mean if not slack else mean + slack if up else mean - slack
