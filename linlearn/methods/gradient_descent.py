"""One method for every loss: go downhill on the mean loss of the margins."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from linlearn.certificates.empirical_risk import LOSSES, enclose_empirical_risk
from linlearn.checks import Array, check_count, check_number, check_training
from linlearn.engines.gram import gram
from linlearn.engines.path import Block, SamplePath, reading_order, sample_steps
from linlearn.engines.state import first_state
from linlearn.fit import Fit
from linlearn.losses import LOGISTIC, SIGMOID, SQUARED, Loss
from linlearn.plane import Hyperplane, signed
from linlearn.trace import Step, Trace

CURVATURE = {LOGISTIC: 1 / 4, SIGMOID: 1 / (6 * np.sqrt(3)), SQUARED: 2.0}  # largest |φ″|


def gradient_descent(
    X: ArrayLike,
    y: ArrayLike,
    *,
    loss: Loss | str,
    stochastic: bool = False,
    rate: float | None = None,
    decay: float | None = None,
    epochs: int = 1000,
    start: Hyperplane | None = None,
    seed: int = 0,
    radius: float | None = None,
) -> Fit:
    """Minimise F(a) = (1/n)Σφ(⟨a, zᵢ⟩) by a ← a - η F′(a), F′(a) = (1/n)Σφ′(mᵢ)zᵢ.

    With `stochastic`, by a ← a - η φ′(mᵢ)zᵢ for one sample after the other, in a fresh random order
    each epoch: an update costs O(d) instead of O(nd).

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    loss : one of `linlearn.losses` or its name
        "perceptron", "hinge", "logistic", "sigmoid" or "squared". Not zero-one: its slope is 0.
    rate : float > 0, optional
        First step size. None: for a smooth loss 1/L, L the largest |φ″| times the largest
        eigenvalue of ZᵀZ/n, with which F never rises; 1/R² for the losses with a kink; and
        stochastic 1/R² over max(1, |φ″|), R = max‖zᵢ‖.
    decay : float ≥ 0, optional
        Update k uses rate/(k + 1)^decay. None: 0 where the loss is smooth and all samples are
        used, else 1/2, without which the last states need not converge.
    epochs : int
        How often every sample is read.
    start : Hyperplane, optional
        First state; w = 0, b = 0 if None.
    seed : int
        For the stochastic order only.
    radius : float > 0, optional
        The certificate compares with all planes ‖a‖ ≤ radius; twice the length of the answer (and
        of the start) if None.

    Returns
    -------
    Fit
        `trace` has one step per update (stochastic: `SampleStep` with the sample `i`, made on
        demand). `certificate` encloses the least F in the ball; its dual are the slopes at the
        answer or their mean over the second half of the way, whichever proves more: kinks keep the
        slopes from settling, but Σ η_k F′(a_k) = a_j - a_k makes their mean go to 0.

    Raises
    ------
    ValueError
        For a loss without slope, a bad option, or steps so large that the states overflow.

    Notes
    -----
    Cauchy (1847), Robbins and Monro (1951); chapter "Losses". The perceptron loss makes it the
    batch or the sample-by-sample perceptron; the squared loss, Widrow and Hoff's rule.

    >>> fit = gradient_descent([[0.0], [1.0], [2.0]], [-1, 1, -1], loss="logistic")
    >>> fit.certificate, round(np.log(3) - 2 / 3 * np.log(2), 6)
    (Certificate(0.636514 ≤ empirical risk ≤ 0.636514), np.float64(0.636514))
    """
    X, y = check_training(X, y)
    run = _prepare(X, y, loss, stochastic, rate, decay, epochs, start, radius)
    Z, a, phi, rate, decay = run
    if stochastic:
        path = SamplePath.record(Z, a, _online(Z, a, phi, rate, decay, epochs, seed))
        late = epochs // 2 * len(y)  # the early slopes are those of other planes
        mean_slopes = np.bincount(path.i[late:], weights=-path.c[late:], minlength=len(y))
        total = rate * float(np.sum(np.arange(late + 1.0, len(path)) ** -decay)) / len(y)
    else:
        mean_slopes, steps, total = np.zeros(len(y)), [], 0.0
        for step, slopes, eta in _batch(Z, a, phi, rate, decay, epochs):
            steps.append(step)
            if step.k > epochs // 2:  # the early slopes are those of other planes
                mean_slopes, total = mean_slopes + eta * slopes, total + eta
        path = tuple(steps)
    plane = path[-1].plane
    if radius is None:
        radius = 2 * max(float(np.linalg.norm(v)) for v in (plane.a, a)) or 1.0
    duals = [phi.slope(Z @ plane.a)] + ([mean_slopes / total] if total else [])
    found = [
        enclose_empirical_risk(X, y, primal=plane.a, dual=s, loss=phi.name, radius=radius)
        for s in duals
    ]
    return Fit(plane, Trace(path), max(found, key=lambda c: c.lower))


def gradient_descent_steps(
    X: ArrayLike,
    y: ArrayLike,
    *,
    loss: Loss | str,
    stochastic: bool = False,
    rate: float | None = None,
    decay: float | None = None,
    epochs: int = 1000,
    start: Hyperplane | None = None,
    seed: int = 0,
) -> Iterator[Step]:
    """The states of `gradient_descent`, one at a time and with the same keywords (but `radius`).

    >>> for step in gradient_descent_steps([[1.0], [-1.0]], [1, -1], loss="squared", epochs=2):
    ...     print(step.k, step.plane)
    0 Hyperplane(w=[0], b=0)
    1 Hyperplane(w=[1], b=0)
    2 Hyperplane(w=[1], b=0)
    """
    X, y = check_training(X, y)
    Z, a, phi, rate, decay = _prepare(X, y, loss, stochastic, rate, decay, epochs, start, None)
    if stochastic:
        return sample_steps(Z, a, _online(Z, a, phi, rate, decay, epochs, seed))
    return (step for step, _, _ in _batch(Z, a, phi, rate, decay, epochs))


def _prepare(
    X: Array,
    y: Array,
    loss: Loss | str,
    stochastic: bool,
    rate: float | None,
    decay: float | None,
    epochs: int,
    start: Hyperplane | None,
    radius: float | None,
) -> tuple[Array, Array, Loss, float, float]:
    """Check the options; return Z, the first a, φ, the first rate and the decay."""
    name = loss.name if isinstance(loss, Loss) else loss
    if name not in LOSSES:
        why = " Its slope is 0 wherever it exists, so there is no downhill." * (name == "zero-one")
        raise ValueError(f"`loss` must be one of {', '.join(LOSSES)}; got {name!r}.{why}")
    phi = LOSSES[name]
    check_count(epochs, "epochs")
    if radius is not None:
        check_number(radius, "radius", above=0)
    smooth = phi in CURVATURE and not stochastic
    decay = (0.0 if smooth else 0.5) if decay is None else check_number(decay, "decay", least=0)
    if rate is not None:
        rate = check_number(rate, "rate", above=0)
    elif smooth:
        rate = len(y) / (CURVATURE[phi] * float(linalg.eigvalsh(gram(X))[-1]))
    else:
        longest = 1 + float(np.einsum("ij,ij->i", X, X).max())
        rate = 1 / (longest * max(1.0, CURVATURE.get(phi, 1.0)))
    return signed(X, y), first_state(start, X.shape[1]), phi, rate, decay


def _batch(
    Z: Array, a: Array, phi: Loss, rate: float, decay: float, epochs: int
) -> Iterator[tuple[Step, Array, float]]:
    """Triples (state, slopes that led to it, step size that led to it)."""
    n = len(Z)
    yield Step(k=0, plane=Hyperplane.from_homogeneous(a)), np.zeros(n), 0.0
    for k in range(epochs):
        slopes, eta = phi.slope(Z @ a), rate / (k + 1) ** decay
        a = a - eta / n * (slopes @ Z)
        _check_finite(a, rate)
        yield Step(k=k + 1, plane=Hyperplane.from_homogeneous(a)), slopes, eta


def _online(
    Z: Array, a: Array, phi: Loss, rate: float, decay: float, epochs: int, seed: int
) -> Iterator[Block]:
    """The multiples c with a ← a + c zᵢ, c = -η φ′(⟨a, zᵢ⟩), block by block.

    Inside a block the margins are kept up with the products ⟨zᵢ, zⱼ⟩, so an update is a short sum.
    """
    k = 0
    for i in reading_order(len(Z), epochs, np.random.default_rng(seed)):
        block = Z[i]
        m, products, c = block @ a, block @ block.T, np.zeros(len(i))
        eta = rate / np.arange(k + 1, k + 1 + len(i)) ** decay
        for j in range(len(i)):
            c[j] = -eta[j] * float(phi.slope(m[j] + products[j, :j] @ c[:j]))
        a = a + c @ block
        _check_finite(a, rate)
        k += len(i)
        yield i, c, a


def _check_finite(a: Array, rate: float) -> None:
    if not np.abs(a).max() < 1e100:
        raise ValueError(
            f"`rate` must be small enough for the states to stay finite; they overflow with {rate:g}. "
            "Leave it out, or standardise the samples."
        )
