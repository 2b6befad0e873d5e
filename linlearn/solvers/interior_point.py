"""Interior-point method for hinge losses: minimise ½⟨v, q∘v⟩ + ⟨g, v⟩ + Σ cᵢ(1 - ⟨Aᵢ, v⟩)₊."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from linlearn._scipy import lapack
from linlearn.validation import Array, Floating

# None of these is trusted: the gap is measured at every step, and what comes back is enclosed afterwards.
MOST_STEPS = 100  # about 20 are needed
LATE = 1e-2  # relative gap from which on unscaled features need their steps refined
BOUNDARY = 0.999  # share of the way to the boundary that a step may take
# The gap down to which single precision will do in the matrix of the steps, in half the time: some hundred of
# its roundings, 2⁻²⁴ each, make a step err by 1e-5 of its length.
SINGLE = 1e-4
MANY = 8  # columns with which that matrix is most of the work
LARGE = 1e15  # entries whose squares, a hundred million of them, stay below 3e38, where single precision ends
MOST_SINGLE = 10  # steps of that kind; where they are not enough, precision may be what is missing
# Columns this near to a combination of the others, relative to the largest entry, are one: the Gram matrix of
# unit columns and its eigenvalues err by some hundred roundings each.
ALIKE = 1e-13
# Added to a unit diagonal; the smallest with which Cholesky's factorisation succeeds is used. With a larger
# one steps are shorter, not wrong.
RIDGES = (1e-15, 1e-12, 1e-9, 1e-6)


def interior_point(
    A: Array,
    q: Array,
    g: Array,
    c: Array,
    *,
    tolerance: float,
    constant: float = 0.0,
    enough: float = -np.inf,
) -> tuple[Array, Array, bool]:
    """Minimise ½⟨v, q∘v⟩ + ⟨g, v⟩ + Σ cᵢ(1 - ⟨Aᵢ, v⟩)₊ over v: the form of every margin problem.

    Parameters
    ----------
    A : shape (n, k)
        One row per sample.
    q, g : shape (k,)
        Curvature q ≥ 0 and slope of the smooth part.
    c : shape (n,)
        Weights > 0 of the hinges, and so the upper bounds of the multipliers.
    tolerance : float
        Stop when the duality gap is this small relative to the value plus `constant`.
    enough : float
        Stop as soon as the value plus `constant` is below this.

    Returns
    -------
    v, alpha, finished : shapes (k,) and (n,), and bool
        The minimiser and the multipliers; `finished` is False if it stopped because of `enough`.

    Notes
    -----
    With slacks ξ - s = 1 - Av and multipliers α + β = c, all positive, an optimum has q∘v + g =
    Aᵀα, αs = 0 and βξ = 0. ξ - s = 1 - Av and α + β = c hold from the start, and Newton steps keep them;
    q∘v + g - Aᵀα is the `residual`, the rest the gap. Eliminating all but the change of v leaves one k×k
    system per step, with matrix diag(q) + Aᵀ diag(D) A and D = 1/(s/α + ξ/β). Each step is computed twice
    with the same factor: aiming at αs = βξ = 0, then at what this showed to be reachable and corrected for
    the products it had left out (Mehrotra 1992).
    """
    (n, k), v = A.shape, np.zeros(A.shape[1])
    point = np.empty((4, n))  # rows s, ξ, α, β
    point[0], point[1], point[2:] = 2.0, 3.0, c / 2
    primal, dual, alpha = point[:2], point[2:], point[2]
    # Without curvature there may be many minimisers; rounding in rough steps would choose among them.
    unique = tolerance >= SINGLE or bool(q.any())
    single = unique and k >= MANY and float(abs(A).max()) < LARGE
    rows: Floating = A.astype(np.float32) if single else A
    weighted = np.empty_like(rows)
    flat = None if q.any() else _flat(A)
    rounding = 1e-16 * float(c.sum())  # of the value, which is Σc at v = 0
    for step in range(MOST_STEPS):
        residual = q * v + g - alpha.dot(A)
        gap = float(np.vdot(primal, dual))
        slack = point[1] - point[0]  # 1 - Av
        value = float(v.dot(q * v / 2 + g) + c.dot(np.maximum(slack, 0))) + constant
        goal = tolerance * (abs(value) + rounding)
        # A gap a millionth of what is asked for: further steps leave the residual as it is.
        if gap <= goal and (gap + cost(residual, v, q) <= goal or gap <= 1e-6 * goal):
            break
        if value < enough:
            return v, alpha, False
        if single and (step == MOST_SINGLE or gap <= SINGLE * abs(value)):
            single, rows, weighted = False, A, np.empty_like(A)
        ratio = primal / dual
        D = 1 / (ratio[0] + ratio[1])
        H = _weighted_gram(rows, D, weighted)
        system = System(A, q, D, ratio, residual, _solver(H, q))
        dv, change = system.step(-primal, refined=False)
        aim = _aim(point, change, gap)
        dv, change = system.step(aim, refined=gap < LATE * abs(value))
        t = _longest(point, change)
        v = v + t * (dv if flat is None else dv - flat @ (dv @ flat))
        point += t * change
    return v, alpha, True


def _weighted_gram(rows: Floating, D: Array, room: Floating) -> Array:
    """rowsᵀ diag(D) rows; in single precision weights are scaled to 1, so that none overflows."""
    if rows.dtype == np.float64:
        np.multiply(rows, np.sqrt(D)[:, None], out=room)
        return np.asarray(room.T.dot(room))
    largest = float(D.max())
    np.multiply(rows, np.sqrt(D / largest).astype(rows.dtype)[:, None], out=room)
    return largest * np.asarray(room.T.dot(room), dtype=np.float64)


def _aim(point: Array, change: Array, gap: float) -> Array:
    """Where the second step aims, after `change`, the first, has aimed at αs = βξ = 0."""
    primal, dual = point[:2], point[2:]
    t, product = _longest(point, change), change[:2] * change[2:]
    # Aiming at 0, αds + sdα = -αs and βdξ + ξdβ = -βξ: so this share of the gap is left.
    reached = 1 - t + t**2 * float(np.vdot(change[:2], change[2:])) / gap
    mu = reached**3 * gap / primal.size
    return (mu - product) / dual - primal


def cost(residual: Array, v: Array, q: Array) -> float:
    """What q∘v + g - Aᵀα ≠ 0 takes off the dual value: residual²/2q where q > 0, else |residual·v|."""
    curved = q > 0
    flat = abs(residual * v)[~curved]
    return float((residual[curved] ** 2).dot(0.5 / q[curved]) + flat.sum())


class System(NamedTuple):
    """The linear equations of a Newton step at one point."""

    A: Array
    q: Array
    D: Array
    ratio: Array
    residual: Array
    solve: Callable[[Array], Array]

    def step(self, aim: Array, *, refined: bool) -> tuple[Array, Array]:
        """dv, and rows ds, dξ, dα, dβ, with ds + (s/α)dα and dξ + (ξ/β)dβ equal to the rows of `aim`."""
        target = aim[0] - aim[1]
        dv = self.solve((self.D * target).dot(self.A) - self.residual)
        dalpha = self.D * (target - self.A.dot(dv))
        if refined:
            again = self.solve(dalpha.dot(self.A) - self.q * dv - self.residual)
            dv = dv + again
            dalpha -= self.D * self.A.dot(again)
        step = np.empty((4, len(dalpha)))
        step[2], step[3] = dalpha, -dalpha
        np.subtract(aim, self.ratio * step[2:], out=step[:2])
        return dv, step


def _longest(point: Array, step: Array) -> float:
    """The longest step ≤ 1 that keeps everything positive."""
    return 1 / max(1.0, -float((step / point).min()) / BOUNDARY)


def _flat(A: Array) -> Array | None:
    """Directions along which no margin changes, orthonormal columns of shape (k, r), r ≥ 0.

    None if the Gram matrix shows none. Without curvature nothing else holds v there, and rounding would send
    it far away. The margins confirm each of them, since the Gram matrix has only half of their digits.
    """
    length = np.linalg.norm(A, axis=0)
    scale = 1 / np.where(length > 0, length, 1.0)
    value, vector = np.linalg.eigh(A.T @ A * scale * scale[:, None])
    if value[0] >= ALIKE:
        return None
    basis, _ = np.linalg.qr(vector[:, value < ALIKE] * scale[:, None])
    return basis[:, np.abs(A @ basis).max(axis=0) <= ALIKE * np.abs(A).max()]


def _solver(H: Array, q: Array) -> Callable[[Array], Array]:
    """rhs ↦ (H + diag(q))⁻¹ rhs by Cholesky, which is the same whatever the units of v."""
    of_diagonal = slice(None, None, len(q) + 1)
    diagonal = H.ravel()[of_diagonal] + q
    diagonal[~(diagonal > 0)] = 1.0
    for ridge in RIDGES:
        H.ravel()[of_diagonal] = diagonal * (1 + ridge)
        factor, failed = lapack.dpotrf(H)
        if not failed:
            break
    return lambda rhs: lapack.dpotrs(factor, rhs)[0]
