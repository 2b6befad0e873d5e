"""Reduce the mistakes of a hyperplane: turn it, cos θ · a + sin θ · u, to the best of all angles, often."""

import numpy as np

from linlearn.solvers.stable_argpartition import stable_argpartition
from linlearn.validation import Array


def sweep(s: Array, t: Array, weights: Array) -> tuple[float, float]:
    """θ with the least weight of rows cos θ · sᵢ + sin θ · tᵢ ≤ 0, and that weight, in O(n log n).

    Row i is right on the open half circle of angles within π/2 of its own, so the count changes at
    2n angles only. The middle of the best arc is returned; arcs too short to have a middle are passed over.
    """
    turn = 2 * np.pi
    phi = np.arctan2(t, s)
    on, off = (phi - np.pi / 2) % turn, (phi + np.pi / 2) % turn
    angle = np.concatenate([on, off])
    order = np.argsort(angle, kind="stable")
    angle = angle[order]
    right = weights[on > off].sum() + np.cumsum(np.concatenate([weights, -weights])[order])
    arc = np.append(angle[1:], angle[0] + turn) - angle
    # Angles up to 2π are rounded to 1e-15: a thousand times that has its middle between its ends.
    best = int(np.where(arc > 1e-12, right, -1.0).argmax())
    theta = angle[best] + arc[best] / 2
    return float(theta), float(weights.sum() - right[best])


def improve(Z: Array, weights: Array, a: Array, *, rounds: int, seed: int) -> Array:
    """Turn the hyperplane a in hyperplanes through it, each time to the best angle; shape (p,).

    Every other pencil is spanned by a random direction, the others by a mixture of the rows nearest to the
    hyperplane, which are those whose verdict a small turn can change.
    """
    rng = np.random.default_rng(seed)
    best, s = mistaken(Z, weights, a), Z @ a
    for k in range(rounds):
        u = rng.standard_normal(Z.shape[1:])
        if k % 2:
            count = min(len(Z), 4 * Z.shape[1])
            near = stable_argpartition(np.abs(s), count)
            u = rng.standard_normal(count) @ Z[near]
        if not u.any():
            continue
        u = u / np.linalg.norm(u)
        t = Z @ u
        theta, _ = sweep(s, t, weights)
        turned = np.cos(theta) * a + np.sin(theta) * u
        turned = turned / (np.linalg.norm(turned) or 1.0)
        found = mistaken(Z, weights, turned)
        if found <= best:
            a, best = turned, found
            s = Z @ a
    return a


def mistaken(Z: Array, weights: Array, a: Array) -> float:
    """The weight of the rows with ⟨a, z⟩ ≤ 0."""
    return float(weights[Z @ a <= 0].sum())
