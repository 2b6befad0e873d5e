"""Ho and Kashyap's updates in an orthonormal basis of Z's columns, dependent features included."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from linlearn.checks import Array
from linlearn.plane import Hyperplane
from linlearn.trace import Step

NOTHING = 1e-13  # excess over the targets, relative to the largest of them, that is only rounding


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HoKashyapStep(Step):
    """State k: the plane that fits the targets b_k best.

    `error` is ‖e_k‖, e_k = Za_k - b_k, which never grows; `excess` is ‖e_k⁺‖, the length of its
    positive part, which drives the next step and tends to 0; `smallest` is the smallest margin.
    """

    error: float
    excess: float
    smallest: float


def states(
    Z: Array, b: Array, rate: float, max_updates: int
) -> Iterator[tuple[HoKashyapStep, Array]]:
    """Pairs (step, e_k)."""
    Q, R, order, scale = _basis(Z)
    c = b @ Q  # coordinates of Za in the basis
    for k in range(max_updates + 1):
        m = Q @ c
        e = m - b
        up = np.maximum(e, 0.0)
        a = np.zeros(Z.shape[1])
        a[order] = linalg.solve_triangular(R, c, check_finite=False)
        plane = Hyperplane.from_homogeneous(scale * a)
        error, excess = float(np.linalg.norm(e)), float(np.linalg.norm(up))
        smallest = float((Z @ plane.a).min())
        yield (
            HoKashyapStep(k=k, plane=plane, error=error, excess=excess, smallest=smallest),
            e,
        )
        if smallest > 0 or up.max() <= NOTHING * b.max():
            return
        b = b + 2 * rate * up
        c = c + 2 * rate * (up @ Q)


def _basis(Z: Array) -> tuple[Array, Array, Array, Array]:
    """Z[:, order]·scale = QR on columns that span Z's, so that a with Za = Qc is scale·R⁻¹c there."""
    lengths = np.linalg.norm(Z, axis=0)
    scale = 1 / np.where(lengths > 0, lengths, np.inf)
    Q, R, order = linalg.qr(Z * scale, mode="economic", pivoting=True, check_finite=False)
    sizes = np.abs(np.diag(R))
    rank = int(np.sum(sizes > max(Z.shape) * np.finfo(np.float64).eps * sizes[0]))
    return np.ascontiguousarray(Q[:, :rank]), R[:rank, :rank], order[:rank], scale
