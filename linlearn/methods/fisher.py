"""Fisher's direction, along which the classes differ most, and the Gaussian model that adds a threshold."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from linlearn.certificates.fisher import enclose_checked
from linlearn.checks import Array, check_number, check_training
from linlearn.engines.gram import factor, solve
from linlearn.engines.rows import Rows
from linlearn.fit import Fit
from linlearn.plane import Hyperplane
from linlearn.trace import Trace

REFINE = 1e-4  # reciprocal condition of S_W, columns scaled, below which one refinement pays
EPS = float(np.finfo(np.float64).eps)
TRUST = 1e-12  # and below which S_W is not formed at all: X_W is factored instead

Priors = str | tuple[float, float] | None


def fisher(X: ArrayLike, y: ArrayLike) -> Fit:
    """Maximise ⟨w, δ⟩²/‖X_W w‖², δ = μ₊ - μ₋: the maximiser is w = S_W⁻¹δ, S_W = X_WᵀX_W.

    The ratio compares the distance of the projected class means with the spread of the projected
    samples about them. It chooses the direction and its orientation only; the threshold, which
    the certificate says nothing about, is put half-way between the projected means.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1

    Returns
    -------
    Fit
        Its certificate encloses the largest ratio and closes at once.

    Raises
    ------
    ValueError
        If the class means are equal, or if the within-class scatter S_W is singular: then a
        direction without spread exists and the ratio has no finite maximum. At least d + 2
        samples are needed.

    Notes
    -----
    Fisher (1936); chapter "Fisher's discriminant". S_W is summed in blocks and factored by Cholesky,
    both after scaling; if it is nearly singular, X_W is factored by QR instead.

    >>> fit = fisher([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [3.0, 2.0], [4.0, 2.0]], [-1, -1, -1, 1, 1])
    >>> fit.plane, fit.certificate
    (Hyperplane(w=[4, 4.5], b=-12.92), Certificate(20.1667 ≤ fisher ≤ 20.1667))
    """
    X, y = check_training(X, y)
    return _fit(X, y, *_direction(X, y, "fisher"), weight=1.0, log_odds=0.0)


def lda(X: ArrayLike, y: ArrayLike, *, priors: Priors = None) -> Fit:
    """Where the posterior of two Gaussian classes with a common covariance exceeds one half.

    ln P(+1|x)/P(-1|x) = ⟨w, x - (μ₊ + μ₋)/2⟩ + ln π₊/π₋ with w = Σ̂⁻¹δ, Σ̂ = S_W/n: Fisher's direction
    with a scale and a threshold, so that `score` is the log-odds and 1/(1 + e^-score) the posterior.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    priors : None or "empirical", "equal", or a pair (π₊, π₋) of positive numbers
        Probabilities of the classes: n₊/n and n₋/n by default; "equal" puts the threshold half-way
        between the projected means. A pair counts relative to its sum.

    Returns
    -------
    Fit
        Its certificate encloses Fisher's ratio, whose maximiser w is; it does not cover b.

    Raises
    ------
    ValueError
        As `fisher` does.

    Notes
    -----
    The divisor of Σ̂ is n (maximum likelihood). With another divisor w changes its length and, for
    unequal priors, the plane moves. Chapter "Fisher's discriminant".

    >>> lda([[0.0], [2.0], [4.0], [6.0]], [-1, -1, 1, 1], priors=(0.5, 0.5)).plane
    Hyperplane(w=[4], b=-12)
    """
    X, y = check_training(X, y)
    log_odds = _log_odds(y, priors)
    return _fit(X, y, *_direction(X, y, "lda"), weight=float(len(y)), log_odds=log_odds)


def _log_odds(y: Array, priors: Priors) -> float:
    if priors is None or (isinstance(priors, str) and priors == "empirical"):
        return float(np.log(np.sum(y > 0) / np.sum(y < 0)))
    if isinstance(priors, str) and priors == "equal":
        return 0.0
    if isinstance(priors, str) or np.shape(priors) != (2,):
        raise ValueError(
            '`priors` must be "empirical", "equal" or a pair (π₊, π₋) of positive numbers; '
            f"got {priors!r}."
        )
    plus, minus = (check_number(v, "priors", above=0) for v in priors)
    return float(np.log(plus) - np.log(minus))


def _fit(
    X: Array, y: Array, w: Array, middle: Array, beta: Array, *, weight: float, log_odds: float
) -> Fit:
    plane = Hyperplane(weight * w, b=log_odds - weight * float(w @ middle))
    certificate = enclose_checked(X, y, plane.w, beta)
    return Fit(plane, Trace.closed_form(plane), certificate)


def _direction(X: Array, y: Array, name: str) -> tuple[Array, Array, Array]:
    """w = S_W⁻¹δ, (μ₊ + μ₋)/2 and β = X_W w, shapes (d,), (d,) and (n,)."""
    d = X.shape[1]
    rows = Rows.centred(X, (y < 0).astype(np.intp), 2)
    if len(y) < d + 2:
        _solve_by_qr(rows, np.zeros(d), name)  # raises: the rank is at most n - 2
    moments, _ = rows.gram()
    counts = np.diag(moments)[d:]
    means = moments[d:, :d] / counts[:, None]  # counted from the centres
    delta = rows.centre(0) - rows.centre(1) + (means[0] - means[1])
    size = np.sqrt(np.diag(moments)[:d] / len(y)) + np.abs(rows.centre(0))
    if (np.abs(delta) <= 4 * EPS * size).all():
        raise ValueError(
            f"`{name}` needs class means that differ; got equal means, so the ratio is 0 in every "
            "direction. No linear statistic tells these classes apart by their means."
        )
    factors = factor(moments[:d, :d] - (means.T * counts) @ means)  # of S_W
    if factors is None or factors[2] < TRUST:
        w = _solve_by_qr(rows, delta, name)
    else:
        w = solve(factors, delta)
        if factors[2] < REFINE:
            w = w + solve(factors, delta - rows.sums(_weights(rows, means, w))[:d])
    middle = (rows.centre(0) + rows.centre(1)) / 2 + (means[0] + means[1]) / 2
    return w, middle, _weights(rows, means, w)


def _weights(rows: Rows, means: Array, w: Array) -> Array:
    """X_W w, shape (n,)."""
    return rows.times(np.append(w, -means @ w))


def _solve_by_qr(rows: Rows, delta: Array, name: str) -> Array:
    """S_W⁻¹δ from X_W = QR, which keeps the digits that forming S_W would square away."""
    n, d = rows.X.shape
    X_W = rows.take(np.arange(n))[:, :d]
    for g in range(2):
        X_W[rows.group == g] -= X_W[rows.group == g].mean(axis=0)
    lengths = np.linalg.norm(X_W, axis=0)
    constant = lengths <= 4 * EPS * np.sqrt(n) * np.abs(rows.X).max(axis=0)
    scale = 1 / np.where(constant, np.inf, lengths)
    R, order = linalg.qr(X_W * scale, mode="r", pivoting=True, check_finite=False)
    sizes = np.abs(np.diag(R))
    rank = int(np.sum(sizes > max(n, d) * EPS * sizes.max(initial=0)))
    if rank < d:
        drop = np.sort(order[rank:])
        listed = ", ".join(map(str, drop[:5])) + (", …" if len(drop) > 5 else "")
        more = f" or add samples: at least d + 2 = {d + 2}" if n < d + 2 else ""
        raise ValueError(
            f"`{name}` needs a within-class scatter S_W of rank d = {d}: else some direction has no "
            f"spread and the ratio no finite maximum; got rank {rank} from n = {n} samples. Drop "
            f"{len(drop)} feature(s) that the others determine within the classes, for example "
            f"{listed} (counted from 0){more}."
        )
    w = np.empty(d)
    half = linalg.solve_triangular(R[:d], (scale * delta)[order], trans="T", check_finite=False)
    w[order] = linalg.solve_triangular(R[:d], half, check_finite=False)
    return scale * w
