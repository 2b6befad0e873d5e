"""Fisher's direction and the middle of the means: by Cholesky, or by SVD for nearly dependent columns."""

import numpy as np

from linlearn._scipy import linalg
from linlearn.certificates.samples import Samples
from linlearn.solvers.cholesky import factor
from linlearn.validation import Array

EPS = float(np.finfo(np.float64).eps)
# Reciprocal condition κ of S_W, columns scaled: its roundings, about 100·2⁻⁵³, make an error of 1e-14/κ in w,
# which costs the ratio the square of that. Below REFINE one refinement squares the error; below TRUST, where
# that would leave 1e-4, the singular values of X_W are taken instead.
TRUST, REFINE = 1e-12, 1e-4


def direction(S: Samples, name: str) -> tuple[Array, Array]:
    """w with S_W w = δ and (μ₊ + μ₋)/2, both of shape (d,), for samples in two groups.

    Where S_W has no inverse w is the shortest solution, columns scaled to the same length: constant features
    get weight 0, copies share theirs. Where δ is outside the range of S_W no w is one, and this is about it.
    """
    n, d = S.n, S.d
    if n < d + 2:  # the rank is at most n - 2
        means = (S.e.T @ S.take(np.arange(n))[:, :d]) / S.e.sum(axis=0)[:, None]
        squares, scatter = np.einsum("ij,ij->j", S.X, S.X), None
    else:
        moments = S.gram()
        squares, counts = np.diag(moments)[:d], np.diag(moments)[d:]
        means = moments[d:, :d] / counts[:, None]  # counted from the centres
        scatter = factor(moments[:d, :d] - (means.T * counts) @ means)
    delta = S.m[0] - S.m[1] + (means[0] - means[1])
    size = np.sqrt(squares / n) + np.abs(S.m[0])
    # Equal, up to a few roundings of numbers of this size.
    if (np.abs(delta) <= 4 * EPS * size).all():
        raise ValueError(
            f"`{name}` needs class means that differ; got equal means, so Fisher's ratio is 0 in "
            "every direction. Use a method that does not compare the means, such as `svm`."
        )
    if scatter is None or scatter.reciprocal_condition < TRUST:
        w = _solve_by_svd(S, delta)
    else:
        w = scatter.solve(delta)
        if scatter.reciprocal_condition < REFINE:
            beta = S.plain_times(np.append(w, -means @ w))  # X_W w
            w = w + scatter.solve(delta - S.plain_sums(beta)[:d])
    middle = (S.m[0] + S.m[1]) / 2 + (means[0] + means[1]) / 2
    return np.ldexp(w, -S.k), np.ldexp(middle, S.k)


def _solve_by_svd(S: Samples, delta: Array) -> Array:
    """S_W⁻¹δ from X_W, whose singular values keep the digits that forming S_W would square away."""
    n, d = S.n, S.d
    X_W = S.take(np.arange(n))[:, :d]
    for g in range(2):
        X_W[S.group == g] -= X_W[S.group == g].mean(axis=0)
    lengths = np.linalg.norm(X_W, axis=0)
    # Centred entries are off by a few roundings of the largest; and LAPACK's usual cut, max(n, d) of them.
    constant = lengths <= 4 * EPS * np.sqrt(n) * np.abs(S.X).max(axis=0)
    scale = 1 / np.where(constant, np.inf, lengths)
    _, sizes, V = linalg.svd(X_W * scale, full_matrices=False, check_finite=False)
    use = sizes > max(n, d) * EPS * sizes[0]
    V = V[use] / sizes[use, None]
    return np.asarray(scale * (V.T @ (V @ (scale * delta))))
