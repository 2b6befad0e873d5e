"""Least squares by the normal equations of centred samples, refined, or by QR if ill-conditioned."""

import numpy as np

from linlearn._scipy import least_norm
from linlearn.certificates.samples import Samples
from linlearn.solvers.cholesky import factor
from linlearn.validation import Array

# Reciprocal condition κ of the Gram matrix, columns scaled: its roundings, about 100·2⁻⁵³, make an error of
# 1e-14/κ in the plane, which costs the square of that. So above REFINE nothing is seen of it, and below TRUST
# nothing is left of the hyperplane; between, each refinement multiplies the error by 1e-14/κ again.
TRUST, REFINE = 1e-14, 1e-4
SETTLED = 1e-14  # ⟨column, residual⟩, relative to both lengths, which some ninety roundings make
SHORT = 1e-9  # spread of a direction, columns scaled, that takes weights of which scores keep six digits


def least_squares_plane(S: Samples, t: Array) -> Array:
    """The minimiser a of ½‖X̃a - t‖², shape (d+1,); of several, the one with the shortest w in like units."""
    v = _normal_equations(S, t)
    return S.plane(_by_qr(S, t) if v is None else v)


def short_plane(S: Samples, t: Array) -> Array:
    """The same without the directions in which the features hardly vary: weights that no rounding spoils."""
    return S.plane(_by_qr(S, t, cut=SHORT))


def _normal_equations(S: Samples, t: Array) -> Array | None:
    """(w, b) in the coordinates of S, shape (d+1,), or None where Cholesky cannot be trusted."""
    n, d = S.n, S.d
    if n <= S.p:
        return None
    G = S.gram(t)  # of (x, 1, t)
    mean = G[d, :d] / n
    scatter = factor(G[:d, :d] - n * np.outer(mean, mean))
    if scatter is None or scatter.reciprocal_condition < TRUST:
        return None

    def solved(g: Array) -> Array:
        w = scatter.solve(g[:d] - mean * g[d])
        return np.append(w, g[d] / n - mean @ w)

    v = solved(G[: d + 1, -1])
    if scatter.reciprocal_condition > REFINE:
        return v
    lengths = np.sqrt(np.diag(G)[: d + 1])
    for _ in range(4):
        residual = t - S.plain_times(v)
        g = S.plain_sums(residual)
        left = float(np.max(np.abs(g) / lengths))
        if left <= SETTLED * float(np.linalg.norm(residual)):
            return v
        v = v + solved(g)
    # Where t is nearly in the span the residual is nothing to go by, and t's own length is. What is left then
    # costs up to d·1e-20/κ of the value at a = 0; it is a proposal, and the certificate tells.
    return v if left <= 1e-10 * float(np.linalg.norm(t)) else None


def _by_qr(S: Samples, t: Array, cut: float = 0.0) -> Array:
    """The same from a complete orthogonal factorisation, least norm where there is a choice."""
    n = S.n
    Z = S.take(np.arange(n))[:, :-1]
    mean = Z.mean(axis=0)
    Z -= mean
    lengths = np.linalg.norm(Z, axis=0)
    # Centred entries are off by a rounding of the largest or two; and LAPACK's usual cut, n roundings.
    constant = lengths <= 4e-16 * np.sqrt(n) * np.abs(S.X).max(axis=0)
    scale = 1 / np.where(constant, np.inf, lengths)
    Z *= scale
    w = scale * least_norm(Z, t - t.mean(), max(cut, n * 1e-16))
    return np.append(w, t.mean() - mean @ w)
