"""Widrow and Hoff's least mean squares: read a sample, move against its error."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from linlearn.certificates.least_squares import (
    Targets,
    enclose_checked,
    regression_targets,
)
from linlearn.checks import Array, check_count, check_number, check_targets, check_training
from linlearn.engines.gram import gram
from linlearn.engines.path import Block, SamplePath, reading_order, sample_steps
from linlearn.engines.state import first_state
from linlearn.fit import Fit
from linlearn.plane import Hyperplane
from linlearn.trace import Step, Trace


def lms(
    X: ArrayLike,
    y: ArrayLike,
    *,
    targets: Targets = "labels",
    batch: bool = False,
    rate: float | None = None,
    decay: float = 0.0,
    epochs: int = 100,
    order: str = "cyclic",
    start: Hyperplane | None = None,
    seed: int = 0,
) -> Fit:
    """Sample by sample a ← a + η(tᵢ - ⟨a, x̄ᵢ⟩)x̄ᵢ, x̄ = (x, 1): gradient steps on ½(tᵢ - ⟨a, x̄ᵢ⟩)².

    With `batch`, all samples at once: a ← a + ηX̄ᵀ(t - X̄a), once an epoch.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    targets : as in `least_squares`
    batch : bool
        Gradient descent on the whole sum instead of Widrow and Hoff's single samples.
    rate : float, optional
        First step size η. Batch: 0 < η < 2/λ, λ the largest eigenvalue of X̄ᵀX̄ (exactly then every
        start converges, with decay 0); 1/λ if None. Samples: 0 < η < 2/R², R = max‖x̄ᵢ‖ (else the
        error of a sample can grow by being read); 1/R² if None.
    decay : float ≥ 0
        Update k uses η/(1 + decay·k). Sample by sample, a constant rate ends in a cycle about the
        least squares plane, unless the targets are met exactly; a decaying one converges to it.
    epochs : int
        How often every sample is read.
    order : "cyclic" or "random"
        Of the samples in an epoch; "random" draws a fresh permutation each time, from `seed`.
    start : Hyperplane, optional
        First state; w = 0, b = 0 if None.

    Returns
    -------
    Fit
        `trace` has one step per update (`SampleStep` with the sample `i`, made on demand; plain
        `Step` with `batch`). The certificate encloses the least sum of squares, as that of
        `least_squares` does: its gap is what the updates have left.

    Raises
    ------
    ValueError
        For a step size outside its range, with the range.

    Notes
    -----
    Widrow and Hoff (1960); chapter "Regression on labels". A block of 64 updates is one triangular
    system: the error that sample i meets is its error at the block's start minus what the samples
    before it in the block have changed.

    >>> fit = lms([[0.0], [1.0], [2.0]], [-1, -1, 1], batch=True, epochs=500)
    >>> fit.plane, len(fit.trace) - 1
    (Hyperplane(w=[1], b=-1.333), 500)
    """
    X, y = check_training(X, y)
    rows, t, a, rate = _prepare(X, y, targets, batch, rate, decay, epochs, order, start)
    if batch:
        path = tuple(_batch(rows, t, a, rate, decay, epochs))
    else:
        path = SamplePath.record(rows, a, _online(rows, t, a, rate, decay, epochs, order, seed))
    plane = path[-1].plane
    certificate = enclose_checked(X, t, plane.a, None, targets)
    return Fit(plane, Trace(path), certificate)


def lms_steps(
    X: ArrayLike,
    y: ArrayLike,
    *,
    targets: Targets = "labels",
    batch: bool = False,
    rate: float | None = None,
    decay: float = 0.0,
    epochs: int = 100,
    order: str = "cyclic",
    start: Hyperplane | None = None,
    seed: int = 0,
) -> Iterator[Step]:
    """The states of `lms`, one at a time and with the same keywords: the start, then every update.

    >>> for step in lms_steps([[1.0], [-1.0]], [1, -1], epochs=1):
    ...     print(step.k, step.i, step.plane)
    0 -1 Hyperplane(w=[0], b=0)
    1 0 Hyperplane(w=[0.5], b=0.5)
    2 1 Hyperplane(w=[1], b=0)
    """
    X, y = check_training(X, y)
    rows, t, a, rate = _prepare(X, y, targets, batch, rate, decay, epochs, order, start)
    if batch:
        return _batch(rows, t, a, rate, decay, epochs)
    return sample_steps(rows, a, _online(rows, t, a, rate, decay, epochs, order, seed))


def _prepare(
    X: Array,
    y: Array,
    targets: Targets,
    batch: bool,
    rate: float | None,
    decay: float,
    epochs: int,
    order: str,
    start: Hyperplane | None,
) -> tuple[Array, Array, Array, float]:
    """Check the options; return X̄, t, the first a and the first rate."""
    t = check_targets(regression_targets(y, targets))
    check_number(decay, "decay", least=0)
    check_count(epochs, "epochs")
    if order not in ("cyclic", "random"):
        raise ValueError(f'`order` must be "cyclic" or "random"; got {order!r}.')
    a = first_state(start, X.shape[1])
    if batch:
        steepest, name = float(linalg.eigvalsh(gram(X))[-1]), "λ, λ the largest eigenvalue of X̄ᵀX̄"
    else:
        steepest, name = 1 + float(np.einsum("ij,ij->i", X, X).max()), "R², R = max‖(xᵢ, 1)‖"
    rate = 1 / steepest if rate is None else check_number(rate, "rate", above=0)
    if rate * steepest >= 2:
        raise ValueError(
            f"`rate` must be below 2/{name}, here {2 / steepest:.6g}, or errors can grow from update "
            f"to update; got {rate:g}. Leave it out for half of that, or standardise the samples."
        )
    return np.column_stack([X, np.ones(len(X))]), t, a, rate


def _batch(
    rows: Array, t: Array, a: Array, rate: float, decay: float, epochs: int
) -> Iterator[Step]:
    yield Step(k=0, plane=Hyperplane.from_homogeneous(a))
    for k in range(epochs):
        a = a + rate / (1 + decay * k) * ((t - rows @ a) @ rows)
        yield Step(k=k + 1, plane=Hyperplane.from_homogeneous(a))


def _online(
    rows: Array,
    t: Array,
    a: Array,
    rate: float,
    decay: float,
    epochs: int,
    order: str,
    seed: int,
) -> Iterator[Block]:
    """The multiples c with a ← a + c x̄ᵢ, block by block: c = η(t - ⟨a, x̄⟩), a moved by those before."""
    rng = np.random.default_rng(seed) if order == "random" else None
    k = 0
    for i in reading_order(len(rows), epochs, rng):
        block = rows[i]
        eta = rate / (1 + decay * np.arange(k, k + len(i)))
        # The errors as met: met + tril(BBᵀ)(η met) = t - Ba; the diagonal of 1 is understood.
        met, _ = linalg.lapack.dtrtrs(
            (block @ block.T) * eta, t[i] - block @ a, lower=True, unitdiag=True
        )
        c = eta * met
        a = a + c @ block
        k += len(i)
        yield i, c, a
