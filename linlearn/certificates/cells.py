"""`Cells` of weight directions, coordinates for them (`Frame`), and the mistakes certain in each."""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from linlearn._scipy import linalg
from linlearn.certificates.ball import gamma
from linlearn.validation import Array

SMALLEST = 2.0**-40  # half-width below which centres would no longer be exact in floating point


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """Coordinates for the weights: z ↦ z̃ = (y(x - centre)/scale, y) A, so that ⟨a, z⟩ = ⟨ã, z̃⟩ for a ↔ ã.

    Any centre (d,), scale (d,) > 0 and upper triangular A (p, p) without a zero on its diagonal will do:
    then the map of hyperplanes is one to one. `of` takes those in which the samples look round.
    Without intercept there is no last coordinate, and the centre is 0.
    """

    centre: Array
    scale: Array
    A: Array

    @classmethod
    def of(cls, X: Array, y: Array, *, fit_intercept: bool) -> "Frame":
        spread = X.std(axis=0) if fit_intercept else np.sqrt((X**2).mean(axis=0))
        # Any scale and any A make a frame; these numbers only keep both finite.
        scale = np.where(spread > 1e-12 * np.abs(X).max(axis=0), spread, 1.0)
        # Off the mean by odd amounts: symmetric data would put samples on the border of cells.
        shift = 0.05 * np.sqrt(2 + np.arange(X.shape[1])) * scale
        centre = X.mean(axis=0) + shift if fit_intercept else np.zeros(X.shape[1])
        Z = _standard(X, y, centre, scale, fit_intercept=fit_intercept)
        gram = Z.T @ Z / len(Z)
        R = linalg.cholesky(gram + 1e-10 * np.trace(gram) * np.eye(len(gram)))
        return cls(centre, scale, np.triu(linalg.solve_triangular(R, np.eye(len(R)))))

    def rows(self, X: Array, y: Array, *, fit_intercept: bool) -> tuple[Array, Array]:
        """The z̃ᵢ, shape (n, p), and for each how far ⟨ã, z̃ᵢ⟩ may be off for |ã| ≤ 1 through rounding."""
        Z = _standard(X, y, self.centre, self.scale, fit_intercept=fit_intercept)
        p = Z.shape[1]
        return Z @ self.A, gamma(p + 8) * (np.abs(Z) @ np.abs(self.A).sum(axis=1))

    def plane(self, a: Array, *, fit_intercept: bool) -> Array:
        """The a = (w, b), or w without intercept, of the ã given."""
        u = self.A @ a
        w = u[: len(self.scale)] / self.scale
        return np.append(w, u[-1] - w @ self.centre) if fit_intercept else w

    def holds(self, p: int, *, fit_intercept: bool) -> bool:
        """Whether every hyperplane of p weights has coordinates here."""
        d = p - bool(fit_intercept)
        if (self.centre.shape, self.scale.shape, self.A.shape) != ((d,), (d,), (p, p)):
            return False
        finite = all(np.isfinite(v).all() for v in (self.centre, self.scale, self.A))
        triangular = not np.tril(self.A, -1).any() and np.diag(self.A).all()
        return bool(finite and (self.scale > 0).all() and triangular)


class Cells(NamedTuple):
    """Cells {ã : ã_f = centre_f = ±1, |ãⱼ - centreⱼ| ≤ half, j ≠ f} of one size, on one face if half < 1."""

    centres: Array  # (k, p)
    faces: np.ndarray  # (k,)
    half: float

    def cut(self, k: int) -> "Cells":
        """Cell number k, cut into pieces^(p-1) equal ones that cover it exactly."""
        f, p = int(self.faces[k]), self.centres.shape[1]
        grid = _grid(p, f)
        centres = self.centres[k] + self.half * grid
        return Cells(centres, np.full(len(grid), f), self.half / pieces(p))


def pieces(p: int) -> int:
    """Into how many a cell is cut along each of its p - 1 sides: a power of two keeps centres exact."""
    return {2: 64, 3: 8, 4: 4}.get(p, 2)


@cache
def _grid(p: int, f: int) -> Array:
    """Centres of the pieces of the cube [-1, 1]^(p-1), with a coordinate f = 0 put in, shape (g^(p-1), p)."""
    g = pieces(p)
    axes = [[0.0] if j == f else (2 * np.arange(g) + 1 - g) / g for j in range(p)]
    return np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, p)


def all_directions(p: int) -> Cells:
    """The 2p faces of the cube max|ãⱼ| = 1: every direction ã ≠ 0 meets one of them."""
    centres = np.concatenate([np.eye(p), -np.eye(p)])
    return Cells(centres, np.tile(np.arange(p), 2), 1.0)


class Verdict(NamedTuple):
    """What ⟨ã, z̃⟩ can be in each cell: `value` at its centre, shape (cells, rows), give or take `reach`."""

    value: Array
    reach: Array
    wrong: np.ndarray  # (cells, rows): wrong in all of the cell, proved

    def open(self, k: int) -> np.ndarray:
        """Which rows may be either in cell k, shape (rows,)."""
        return np.asarray((self.value[k] < self.reach[k]) & ~self.wrong[k])

    def mistakes(self, weights: Array) -> Array:
        """The weight of the rows that are wrong in all of each cell, shape (cells,).

        Weights are integers; below 2²⁴ single precision adds them without rounding.
        """
        kind = np.float32 if weights.sum() < 2**24 else np.float64
        return np.asarray(self.wrong.astype(kind) @ weights.astype(kind), dtype=np.float64)


def judge(cells: Cells, Z: Array, slack: Array) -> Verdict:
    """⟨ã, z̃⟩ differs from its value at the centre by at most half · Σ_{j≠f}|z̃ⱼ| in a cell."""
    size = np.abs(Z)
    total = size @ np.ones(Z.shape[1])
    own = size[:, cells.faces if cells.half == 1 else cells.faces[:1]].T  # one face, one reach
    reach = cells.half * (total - own) + (slack + gamma(Z.shape[1] + 8) * 2 * total)
    V = cells.centres @ Z.T
    return Verdict(V, np.broadcast_to(reach, V.shape), V <= -reach)


def _standard(X: Array, y: Array, centre: Array, scale: Array, *, fit_intercept: bool) -> Array:
    """Rows y((x - centre)/scale, 1): each entry is off by two roundings at most."""
    Z = (X - centre) / scale * y[:, None]
    return np.column_stack([Z, y]) if fit_intercept else Z
