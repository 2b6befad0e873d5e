"""`Schedule` of `lms` and `gradient_descent`: start, step sizes, decay, epochs and order of the samples."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from linlearn._progress_bar import with_progress
from linlearn._scipy import linalg
from linlearn.certificates.samples import Samples
from linlearn.losses import LOGISTIC, SIGMOID, SQUARED, SQUARED_HINGE, WITH_SLOPE, Loss
from linlearn.plane import Hyperplane, first_state
from linlearn.solvers.sample_path import BLOCK
from linlearn.validation import Array, Index, check_choice, check_count, check_number, check_truth

# The largest |φ″|.
CURVATURE = {LOGISTIC: 1 / 4, SIGMOID: 1 / (6 * np.sqrt(3)), SQUARED: 2.0, SQUARED_HINGE: 2.0}


@dataclass(frozen=True, slots=True, eq=False)
class Schedule:
    """Start, step sizes and order of the samples of a stochastic method."""

    a: Array
    rate: float
    decay: float
    max_epochs: int
    seed: int
    progress: bool | None
    order: str = "random"

    def __post_init__(self) -> None:
        check_number(self.decay, "decay", least=0)
        check_count(self.max_epochs, "max_epochs")
        check_choice(self.order, "order", ("cyclic", "random"))

    def epochs(self) -> Iterable[int]:
        """0, 1, …, as many as the budget has."""
        budget = range(self.max_epochs)
        return with_progress(budget, total=self.max_epochs, unit="epochs", progress=self.progress)

    def rates(self, k: Array | Index | int) -> Any:
        """The step size of update k, or of several."""
        return self.rate / (k + 1) ** float(self.decay)

    def blocks(self, n: int) -> Iterator[tuple[Index, Index]]:
        """Indices of samples, at most `BLOCK`, and the numbers k of the updates that read them.

        The samples are read from 0 to n-1 again and again, or in a fresh permutation each epoch.
        """
        rng = np.random.default_rng(self.seed) if self.order == "random" else None
        rest, k = np.zeros(0, dtype=np.intp), 0
        for _ in self.epochs():
            rest = np.append(rest, np.arange(n) if rng is None else rng.permutation(n))
            while len(rest) >= BLOCK:
                yield rest[:BLOCK], np.arange(k, k + BLOCK)
                rest, k = rest[BLOCK:], k + BLOCK
        if len(rest):
            yield rest, np.arange(k, k + len(rest))


def lms_schedule(
    X: Array, stochastic: bool, rate: float | None, start: Hyperplane | None, *others: Any
) -> Schedule:
    """The first rate is half of what the theorem allows; `others` are the other fields."""
    steepest = _longest(X) if check_truth(stochastic, "stochastic") else _largest(X)
    rate = 1 / steepest if rate is None else check_number(rate, "rate", above=0)
    if rate * steepest >= 2:
        raise ValueError(
            f"`rate` must be below {2 / steepest:.6g} on these samples, since with larger rates errors can "
            f"grow from update to update; got {rate:g}. Pass a smaller rate, leave it out to use half of "
            "this limit, or standardise the samples."
        )
    return Schedule(first_state(start, X.shape[1]), rate, *others)


def descent_schedule(
    X: Array,
    phi: Loss,
    stochastic: bool,
    rate: float | None,
    start: Hyperplane | None,
    decay: float | None,
    max_epochs: int,
    seed: int,
    progress: bool | None,
) -> Schedule:
    """The first rate is one with which F never rises, where there is one."""
    smooth = not check_truth(stochastic, "stochastic") and phi in CURVATURE
    if rate is not None:
        rate = check_number(rate, "rate", above=0)
    elif smooth:
        rate = len(X) / (CURVATURE[phi] * _largest(X))
    else:
        rate = 1 / (_longest(X) * max(1.0, CURVATURE.get(phi, 1.0)))
    decay = (0.0 if smooth else 0.5) if decay is None else decay
    return Schedule(first_state(start, X.shape[1]), rate, decay, max_epochs, seed, progress)


def _longest(X: Array) -> float:
    """max‖(xᵢ, 1)‖²."""
    return 1 + float(np.einsum("ij,ij->i", X, X).max())


def _largest(X: Array) -> float:
    """The largest eigenvalue of X̃ᵀX̃."""
    return float(linalg.eigvalsh(Samples(X, scaled=False, centred=False).gram())[-1])


def with_slopes(loss: Loss | str) -> Loss:
    """The loss of that name, if descent can use it."""
    name = loss.name if isinstance(loss, Loss) else loss
    flat = isinstance(name, str) and name == "zero-one"
    why = " Its derivative is 0, so gradient descent would not move." if flat else ""
    return WITH_SLOPE[check_choice(name, "loss", WITH_SLOPE, why=why)]
