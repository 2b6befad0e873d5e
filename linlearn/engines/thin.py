"""Where features nearly make up others: answers in coordinates in which none does."""

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from linlearn._scipy import expit, linalg
from linlearn.certificates.ball import quietly
from linlearn.certificates.bound import CLOSED
from linlearn.certificates.certificate import Certificate
from linlearn.certificates.reduced import Reduced, preference, reduced
from linlearn.certificates.samples import Samples, inverse
from linlearn.checks import STEEPEST, Array, Bools
from linlearn.engines.interior_point import interior_point
from linlearn.engines.newton import minimised
from linlearn.engines.sieve import TOLERANCE, solve_margins

Solution = tuple[Array, Array]  # coordinates of a plane, and multipliers, one per sample
Solver = Callable[[Array, Array | None], Solution]  # of columns, beside scores that are given


@quietly
def closer(
    X: Array, best: Certificate, solve: Solver, enclose: Callable[[Array, Array], Certificate]
) -> Certificate:
    """`best`, or a certificate whose ends are nearer, from coordinates without thin directions.

    The optimum may need weights that no float plane has, where a feature is made up of others and rounded.
    Then the best plane is sought of those in which no feature moves a score by more than `WITHIN`.
    """
    if best.relative_gap <= CLOSED or (R := reduced(X)) is None:
        return best
    return _best(best, _planes(R, solve), enclose)


@quietly
def closer_direction(
    S: Samples, best: Certificate, enclose: Callable[[Array, Array], Certificate]
) -> Certificate:
    """The same for Fisher's ratio, of samples in two groups."""
    if best.relative_gap <= CLOSED or (R := reduced(S.raw, S.group)) is None:
        return best
    return _best(best, _directions(R), enclose)


def _best(
    best: Certificate,
    found: Iterable[tuple[Array, Array]],
    enclose: Callable[[Array, Array], Certificate],
) -> Certificate:
    for a, dual in found:
        if np.abs(a).max() < STEEPEST:  # false for NaN
            best = min(best, enclose(a, dual), key=preference)
        if best.relative_gap <= CLOSED:
            break
    return best


def _planes(R: Reduced, solve: Solver) -> Iterator[tuple[Array, Array]]:
    """The optimum; then what is left of it when weights beyond their bound are put there."""
    v, fixed = np.zeros(R.p), np.zeros(R.d, dtype=bool)
    while True:
        free = np.flatnonzero(~fixed)
        given = R.X[:, fixed] @ v[: R.d][fixed] if fixed.any() else None
        v[[*free, R.d]], dual = solve(R.X[:, free], given)
        yield R.plane(v), dual
        if not _held(R, v, fixed):
            return


def _held(R: Reduced, v: Array, fixed: Bools) -> bool:
    """Put weights beyond their bound there, for good; whether there were any."""
    most = np.full(R.d, np.inf)
    most[R.thin] = R.limit
    beyond = (np.abs(v[: R.d]) > most) & ~fixed
    v[: R.d][beyond] = np.sign(v[: R.d][beyond]) * most[beyond]
    fixed |= beyond
    return bool(beyond.any())


def _directions(R: Reduced) -> Iterator[tuple[Array, Array]]:
    """The same for the largest ⟨w, δ⟩/‖X_W w‖: beside given ones Cauchy's inequality settles the rest."""
    counts = R.e.sum(axis=0)
    means = (R.e.T @ R.X) / counts[:, None]
    Z, delta = R.X - R.e @ means, means[0] - means[1] + R.apart.mid
    w, fixed = np.zeros(R.d), np.zeros(R.d, dtype=bool)
    while True:
        free = np.flatnonzero(~fixed)
        Q, T = linalg.qr(Z[:, free], mode="economic", check_finite=False)
        given = Z[:, fixed] @ w[fixed]
        left = given - Q @ (Q.T @ given)
        towards = linalg.solve_triangular(T, delta[free], trans="T", check_finite=False)
        stretch = np.sqrt(max(0.0, 1 - left @ left)) / np.linalg.norm(
            towards
        )  # so that ‖X_W w‖ = 1
        w[free] = linalg.solve_triangular(T, stretch * towards - Q.T @ given, check_finite=False)
        scores = left + stretch * (Q @ towards)
        yield R.plane(np.append(w * (delta @ w), 0.0))[:-1], scores / stretch
        if not _held(R, w, fixed):
            return


def by_squares(t: Array) -> Solver:
    """Minimise ½‖X̄v + given - t‖²; the dual is the residual."""

    def solve(Z: Array, given: Array | None) -> Solution:
        mean, left = Z.mean(axis=0), t if given is None else t - given
        w = linalg.lstsq(Z - mean, left - left.mean(), check_finite=False)[0]
        v = np.append(w, left.mean() - mean @ w)
        return v, left - Z @ w - v[-1]

    return solve


def by_newton(y: Array, c: Array) -> Solver:
    """Minimise Σcᵢ ln(1 + exp(-mᵢ)); the dual is σ(-m)."""

    def solve(Z: Array, given: Array | None) -> Solution:
        v = minimised(Samples(Z, scaled=False, centred=False), y, c, given)
        share = expit(-y * (Z @ v[:-1] + v[-1] + (0.0 if given is None else given)))
        alpha = _settled(Z, y, c * share, c * share * (1 - share))
        return v, np.where(c > 0, alpha / np.where(c > 0, c, 1.0), 0.0)

    return solve


def by_interior_point(y: Array, c: Array) -> Solver:
    """Minimise Σcᵢ(1 - mᵢ)₊. Beside given scores o it is Σcᵢrᵢ(1 - mᵢ/rᵢ)₊ with r = 1 - yo > 0."""

    def solve(Z: Array, given: Array | None) -> Solution:
        if given is None:
            return solve_margins(Z, y, c, penalty=0.0, tolerance=TOLERANCE)
        r, none, paid = 1 - y * given, np.zeros(Z.shape[1] + 1), np.flatnonzero(c)
        A, alpha = (
            (np.column_stack([Z, np.ones(len(y))]) * (y / r)[:, None])[paid],
            np.zeros(len(y)),
        )
        v, alpha[paid], _ = interior_point(A, none, none, (c * r)[paid], tolerance=TOLERANCE)
        alpha = np.clip(alpha / r, 0.0, c)
        return v, _settled(Z, y, alpha, np.minimum(alpha, c - alpha))

    return solve


def _settled(Z: Array, y: Array, alpha: Array, room: Array) -> Array:
    """α moved, each by a share of its room, to where Σαᵢyᵢ(zᵢ, 1) is 0 up to rounding."""
    B = np.column_stack([Z, np.ones(len(y))])
    solve = inverse((B * room[:, None]).T @ B)
    for _ in range(2):
        alpha = alpha - room * y * (B @ solve((alpha * y) @ B))
    return alpha
