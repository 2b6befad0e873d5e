"""Steps of LMS and (stochastic) gradient descent, stored by blocks; only LMS computes a block at once."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from linlearn._scipy import linalg
from linlearn.losses import Loss
from linlearn.plane import Hyperplane
from linlearn.solvers.sample_path import Block, SamplePath
from linlearn.solvers.schedule import Schedule
from linlearn.trace import Step
from linlearn.validation import Array


def lms_path(rows: Array, t: Array, stochastic: bool, schedule: Schedule) -> Sequence[Step]:
    """The start, then every state; sample by sample recorded by three numbers an update."""
    if stochastic:
        return SamplePath.record(rows, schedule.a, widrow_hoff_blocks(rows, t, schedule))
    return _steps(_whole(rows, lambda scores: scores - t, schedule, 1))


def descent_path(Z: Array, phi: Loss, stochastic: bool, schedule: Schedule) -> Sequence[Step]:
    """The start, then every state."""
    if stochastic:
        return SamplePath.record(Z, schedule.a, descent_blocks(Z, phi, schedule))
    states = _whole(Z, phi.slope, schedule, len(Z))
    return _steps(check_finite(a, schedule.rate) for a in states)


def mean_slopes(path: Sequence[Step], Z: Array, phi: Loss, schedule: Schedule) -> Array:
    """The mean of the slopes over the second half of the run, weighted by the step sizes."""
    n, late = len(Z), schedule.max_epochs // 2
    weighted = np.zeros(n)
    if isinstance(path, SamplePath):
        late *= n
        samples, multiples = path.i[late + 1 :], path.c[late + 1 :]
        weighted -= n * np.bincount(samples, multiples, minlength=n)
    else:
        for step in path[late:-1]:
            weighted += schedule.rates(step.k) * phi.slope(Z @ step.plane.a)
    return weighted / (np.sum(schedule.rates(np.arange(late, len(path) - 1.0))) or 1.0)


def widrow_hoff_blocks(rows: Array, t: Array, schedule: Schedule) -> Iterator[Block]:
    """The multiples c with a ← a + c x̃ᵢ, block by block: c = η(t - ⟨a, x̃⟩), a moved by those before."""
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
        yield Block(i, k + 1, c, check_finite(a, schedule.rate))


def check_finite(a: Array, rate: float) -> Array:
    """The state, if the steps have not made it overflow."""
    if not np.abs(a).max() < 1e100:
        raise ValueError(
            f"`rate` must be small enough for the weights to stay finite; they overflow with {rate:g}. Pass "
            "a smaller rate or leave it out, or standardise the samples."
        )
    return a


def _steps(states: Iterable[Array]) -> tuple[Step, ...]:
    return tuple(Step(k=k, plane=Hyperplane.from_homogeneous(a)) for k, a in enumerate(states))


def _whole(
    rows: Array, slope: Callable[[Array], Array], schedule: Schedule, n: int
) -> Iterator[Array]:
    """Every state, all samples at once, an update an epoch; the sum of their slopes is divided by n."""
    a = schedule.a
    yield a
    for k in schedule.epochs():
        a = a - schedule.rates(k) / n * (slope(rows @ a) @ rows)
        yield a
