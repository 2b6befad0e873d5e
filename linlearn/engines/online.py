"""Steps of least mean squares and of descent; sample by sample they come in blocks of 64."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from linlearn._scipy import linalg
from linlearn.checks import Array
from linlearn.engines.path import Block, SamplePath, sample_steps
from linlearn.engines.schedule import Schedule
from linlearn.losses import Loss
from linlearn.plane import Hyperplane
from linlearn.trace import Step


def lms_states(rows: Array, t: Array, stochastic: bool, schedule: Schedule) -> Iterator[Step]:
    """The start, then every state."""
    if stochastic:
        return sample_steps(rows, schedule.a, widrow_hoff_blocks(rows, t, schedule))
    states = _whole(rows, lambda scores: scores - t, schedule, 1)
    return (Step(k=k, plane=Hyperplane.from_homogeneous(a)) for k, (a, _, _) in enumerate(states))


def lms_path(rows: Array, t: Array, stochastic: bool, schedule: Schedule) -> Sequence[Step]:
    """The same, recorded; sample by sample by three numbers an update."""
    if stochastic:
        return SamplePath.record(rows, schedule.a, widrow_hoff_blocks(rows, t, schedule))
    return tuple(lms_states(rows, t, stochastic, schedule))


def descent_states(Z: Array, phi: Loss, stochastic: bool, schedule: Schedule) -> Iterator[Step]:
    """The start, then every state."""
    if stochastic:
        return sample_steps(Z, schedule.a, descent_blocks(Z, phi, schedule))
    return (step for step, _, _ in _descent_whole(Z, phi, schedule))


def descent_path(
    Z: Array, phi: Loss, stochastic: bool, schedule: Schedule
) -> tuple[Sequence[Step], Array]:
    """The same, recorded, and the mean of the slopes met on the second half, weighted by the steps.

    The early slopes are those of other planes.
    """
    return (_sampled if stochastic else _summed)(Z, phi, schedule)


def widrow_hoff_blocks(rows: Array, t: Array, schedule: Schedule) -> Iterator[Block]:
    """The multiples c with a ← a + c x̄ᵢ, block by block: c = η(t - ⟨a, x̄⟩), a moved by those before."""
    a = schedule.a
    for i, k in schedule.blocks(len(rows)):
        block = rows[i]
        eta = schedule.rates(k)
        # The errors as met: met + tril(BBᵀ)(η met) = t - Ba; the diagonal of 1 is understood.
        met, _ = linalg.lapack.dtrtrs(
            (block @ block.T) * eta, t[i] - block @ a, lower=True, unitdiag=True
        )
        c = eta * met
        a = a + c @ block
        yield Block(i, k + 1, c, a)


def descent_blocks(Z: Array, phi: Loss, schedule: Schedule) -> Iterator[Block]:
    """The multiples c with a ← a + c zᵢ, c = -η φ′(⟨a, zᵢ⟩), block by block."""
    a = schedule.a
    for i, k in schedule.blocks(len(Z)):
        c = np.empty(len(i))
        for j, (z, eta) in enumerate(zip(Z[i], schedule.rates(k), strict=True)):
            c[j] = -eta * phi.slope(z @ a)
            a = a + c[j] * z
        check_finite(a, schedule.rate)
        yield Block(i, k + 1, c, a)


def check_finite(a: Array, rate: float) -> None:
    if not np.abs(a).max() < 1e100:
        raise ValueError(
            f"`rate` must be small enough for the states to stay finite; they overflow with {rate:g}. "
            "Leave it out, or standardise the samples."
        )


def _sampled(Z: Array, phi: Loss, schedule: Schedule) -> tuple[Sequence[Step], Array]:
    n = len(Z)
    path = SamplePath.record(Z, schedule.a, descent_blocks(Z, phi, schedule))
    late = schedule.max_epochs // 2 * n
    samples, steps = path.i[late + 1 :], path.c[late + 1 :]
    slopes = np.bincount(samples, weights=-steps, minlength=n)
    total = float(np.sum(schedule.rates(np.arange(late, len(path) - 1.0)))) / n
    return path, slopes / (total or 1.0)


def _summed(Z: Array, phi: Loss, schedule: Schedule) -> tuple[Sequence[Step], Array]:
    mean_slopes, steps, total = np.zeros(len(Z)), [], 0.0
    for step, slopes, eta in _descent_whole(Z, phi, schedule):
        steps.append(step)
        if step.k > schedule.max_epochs // 2:
            mean_slopes, total = mean_slopes + eta * slopes, total + eta
    return tuple(steps), mean_slopes / (total or 1.0)


def _descent_whole(Z: Array, phi: Loss, schedule: Schedule) -> Iterator[tuple[Step, Array, float]]:
    for k, (a, slopes, eta) in enumerate(_whole(Z, phi.slope, schedule, len(Z))):
        check_finite(a, schedule.rate)
        yield Step(k=k, plane=Hyperplane.from_homogeneous(a)), slopes, eta


def _whole(
    rows: Array, slope: Callable[[Array], Array], schedule: Schedule, n: int
) -> Iterator[tuple[Array, Array, float]]:
    """All samples at once, an update an epoch: each a, with the slopes and the step size that led to it.

    The sum of the slopes is divided by n.
    """
    a = schedule.a
    yield a, np.zeros(len(rows)), 0.0
    for k in schedule.epochs():
        slopes, eta = slope(rows @ a), schedule.rates(k)
        a = a - eta / n * (slopes @ rows)
        yield a, slopes, eta
