"""Capacity: labellings that hyperplanes realise, sample sizes, bounds on errors and on updates."""

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from linlearn._scipy import special
from linlearn.certificates.mistakes import right_exact
from linlearn.solvers.separation import separation
from linlearn.validation import Array, Index, check_choice, check_count, check_number, check_points


def perceptron_bound(
    R: float, gamma: float, *, start_norm: float = 0.0, rate: float = 1.0
) -> float:
    """Novikoff's bound (R/γ)² + 2‖a₀‖/(ηγ) on the number of updates of the perceptron.

    Parameters
    ----------
    R : float ≥ 0
        max ‖zᵢ‖ over the samples.
    gamma : float > 0
        The margin minᵢ⟨a, zᵢ⟩/‖a‖ > 0 of any a; the largest margin gives the best bound.
    start_norm : float ≥ 0
        ‖a₀‖ of the start.
    rate : float > 0
        Step size η.

    Notes
    -----
    Novikoff (1962) for start 0; the general form is proved in lesson "The perceptron in depth".

    Examples
    --------
    >>> perceptron_bound(R=5.0, gamma=0.5)
    100.0
    """
    R = check_number(R, "R", least=0)
    gamma = check_number(gamma, "gamma", above=0)
    start_norm = check_number(start_norm, "start_norm", least=0)
    return (R / gamma) ** 2 + 2 * start_norm / (check_number(rate, "rate", above=0) * gamma)


def compression_bound(n: int, K: int, delta: float, *, rest_error: float) -> float:
    """Sample compression bound on the error of a hyperplane that K of the n samples determine.

    Let e = `rest_error`. With probability at least 1 - δ, er ≤ e + sqrt((ln C(n, K) + ln(n/δ))/(2(n - K))),
    and if e = 0 also er ≤ (ln C(n, K) + ln(n/δ))/(n - K). The smaller bound is returned.

    Parameters
    ----------
    n, K : int, 0 ≤ K < n
        Number of samples, and of those that determine the hyperplane (for the perceptron: the distinct
        samples that were ever added). K may depend on the samples.
    delta : float in (0, 1)
        Failure probability δ.
    rest_error : float in [0, 1]
        Misclassification rate on the other n - K samples.

    Notes
    -----
    It is a union bound over all index sets, with Hoeffding's inequality or (1 - ε)^(n-K) for each, as in
    Littlestone and Warmuth (1986); proved in lesson "The perceptron in depth". A bound above 1 says nothing:
    then 1 is returned.

    Examples
    --------
    >>> round(compression_bound(1000, 10, 0.05, rest_error=0.0), 3)
    0.064
    """
    n, K = check_count(n, "n", least=1), check_count(K, "K")
    delta = check_number(delta, "delta", above=0, below=1)
    rest_error = check_number(rest_error, "rest_error", least=0, most=1)
    if K >= n:
        raise ValueError(
            f"`K` must be below n, so that samples are left to test on; got K={K}, n={n}."
        )
    rootless = (float(_log_choose(n, K)) + math.log(n / delta)) / (n - K)
    bound = rest_error + math.sqrt(rootless / 2)
    return min(1.0, bound, rootless) if rest_error == 0 else min(1.0, bound)


class Radon(NamedTuple):
    """Two disjoint groups of points, `first` and `second`, and a `point` in both of their convex hulls.

    `weights`, shape (d+2,), satisfy Σ weightsᵢ = 0 and Σ weightsᵢ xᵢ = 0. They are positive on `first`,
    where they sum to 1, and negative on `second`.
    """

    first: Index
    second: Index
    weights: Array
    point: Array


def radon(X: ArrayLike) -> Radon:
    """Radon's partition of the first d + 2 rows of X, (n, d): a labelling that no hyperplane realises.

    Any d + 2 points are affinely dependent. The positive and the negative coefficients of the dependence,
    each divided by their sum, give the same point. So no hyperplane has `first` on one side and `second` on
    the other, and no d + 2 points are shattered (Radon 1921; lesson "VC dimension and sample complexity").

    >>> square = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]
    >>> [sorted(side.tolist()) for side in radon(square)[:2]], radon(square).point.round(12)
    ([[0, 1], [2, 3]], array([0.5, 0.5]))
    """
    X = check_points(X)
    d = X.shape[1]
    if len(X) < d + 2:
        raise ValueError(f"`X` must have at least d + 2 = {d + 2} rows; got {len(X)}.")
    X = X[: d + 2]
    centred = X - X.mean(axis=0)
    scale = np.abs(centred).max(axis=0)
    augmented = np.column_stack([centred / np.where(scale > 0, scale, 1.0), np.ones(d + 2)])
    relation = np.linalg.svd(augmented.T)[2][-1]
    # The decomposition errs by some d·2⁻⁵³: for d up to 1000 a coordinate below 1e-12 is meant to be 0.
    relation[np.abs(relation) < 1e-12 * np.abs(relation).max()] = 0.0
    relation = relation * np.sign(relation[relation.nonzero()[0][0]])
    relation = relation / relation[relation > 0].sum()
    first, second = np.flatnonzero(relation > 0), np.flatnonzero(relation < 0)
    return Radon(first, second, relation, relation[first] @ X[first])


def separable_labelings(X: ArrayLike, *, fit_intercept: bool = True) -> Array:
    """All linearly separable labellings of the points in X, shape (N, n).

    They are the labellings that some hyperplane realises with positive margins; with an intercept, they
    include the two labellings with a single class. A labelling is extended point by point, and abandoned as
    soon as the points so far are inseparable. Since the opposite of a separable labelling is separable, only
    half of them are searched. A hyperplane that realises a labelling also realises one of its two extensions;
    whether the other one is separable is decided by the distance from 0 to the hull of the zᵢ, as in
    `separate`.

    Parameters
    ----------
    X : shape (n, d)
        Points in general position have `cover_count` such labellings: keep n small.
    fit_intercept : bool
        False: only hyperplanes through the origin.

    Examples
    --------
    >>> separable_labelings([[0.0], [1.0]]).astype(int).tolist()
    [[-1, -1], [-1, 1], [1, -1], [1, 1]]
    """
    X = check_points(X)
    *_, half = _labelings_of_prefixes(X, fit_intercept=fit_intercept)
    labelings = np.array([y for y, _ in half]).reshape(-1, len(X))
    both = np.concatenate([-labelings, labelings])
    return both[np.lexsort(both.T[::-1])]


def shattered(X: ArrayLike, *, fit_intercept: bool = True) -> bool:
    """Whether the n points in X, (n, d), are shattered: whether hyperplanes realise all 2ⁿ labellings.

    Margins must be positive. Some sets of d + 1 points are shattered, but no set of d + 2 points is, by
    Radon's theorem: the VC dimension is d + 1 (with `fit_intercept=False`, it is d). See lesson "VC
    dimension and sample complexity". The theorem is not used here: the labellings of the first k points are
    counted for k = 1, 2, …, since every subset of a shattered set is shattered.

    >>> [shattered(np.eye(3)[:k]) for k in (1, 2, 3)], shattered([[0.0], [1.0], [2.0]])
    ([True, True, True], False)
    """
    X = check_points(X)
    halves = enumerate(_labelings_of_prefixes(X, fit_intercept=fit_intercept))
    return all(len(half) == 2**k for k, half in halves)


def cover_count(n: int, d: int) -> int:
    """The number of labellings that hyperplanes through 0 realise on n points in general position (Cover).

    It is N(n, d) = 2 Σ_{k<d} C(n-1, k) for n points in ℝ^d such that any d or fewer of them are linearly
    independent. With an intercept it is N(n, d + 1). N(n, d) = 2ⁿ if and only if n ≤ d, and N(2d, d) is half
    of 2^{2d}. Cover (1965); lesson "VC dimension and sample complexity".

    >>> [cover_count(n, 2) for n in (1, 2, 3, 4)]
    [2, 4, 6, 8]
    """
    n, d = check_count(n, "n", least=1), check_count(d, "d", least=1)
    return 2 * sum(math.comb(n - 1, k) for k in range(min(n, d)))


def pac_sample_size(v: int, epsilon: float, delta: float, *, claim: str = "realizable") -> int:
    """PAC sample size: how many samples suffice, or are needed, for error ε with a class of VC dimension v.

    Parameters
    ----------
    v : int ≥ 1
        VC dimension: d for hyperplanes through the origin, d + 1 for hyperplanes with an intercept.
    epsilon, delta : float in (0, 1)
        Error ε, and failure probability δ.
    claim : "realizable", "agnostic" or "necessary"
        "realizable": for every distribution for which some member of the class has error 0, with probability
        at least 1 - δ every member with training error 0 has error at most ε. It is sufficient that
        2 S(2n) 2^{-εn/2} ≤ δ and n ≥ 8/ε (Blumer et al. 1989); such n are of order
        (v ln(1/ε) + ln(1/δ))/ε.
        "agnostic": for every distribution, with probability at least 1 - δ every member with the fewest
        training errors has an error at most ε above the least error in the class. It is sufficient that
        8 S(n) e^{-nε²/128} ≤ δ (Vapnik and Chervonenkis 1971; Devroye, Györfi and Lugosi 1996, theorem 12.6);
        such n are of order 1/ε².
        "necessary": for every deterministic learning algorithm there is a distribution for which some member
        has error 0, but with fewer samples than this the algorithm has an error above ε with probability
        greater than δ. The number is max((1-ε) ln(1/δ), (v-1)/32)/ε (Ehrenfeucht et al. 1989), for v ≥ 2,
        ε ≤ 1/8 and δ ≤ 1/100.
        Here S(n) = Σ_{k≤v} C(n, k), which bounds the number of labellings of n points (Sauer 1972).

    Notes
    -----
    These bounds count samples, not computing time. To find a hyperplane without training errors is a linear
    program; to find one with the fewest is NP-hard. For hyperplanes through the origin, `zero_one(X, y,
    fit_intercept=False)` need not find one, because it counts ties as mistakes (lesson "NP-hardness").

    Examples
    --------
    >>> [pac_sample_size(3, 0.1, 0.01, claim=c) for c in ("necessary", "realizable", "agnostic")]
    [42, 733, 571672]
    """
    v, epsilon = check_count(v, "v", least=1), check_number(epsilon, "epsilon", above=0, below=1)
    delta = check_number(delta, "delta", above=0, below=1)
    if claim == "necessary":
        if v < 2 or epsilon > 1 / 8 or delta > 1 / 100:
            raise ValueError(
                '`claim="necessary"` requires v ≥ 2, `epsilon` ≤ 1/8 and `delta` ≤ 1/100, since the bound is '
                f"proved only there; got {v}, {epsilon:g} and {delta:g}."
            )
        return math.ceil(max((1 - epsilon) * math.log(1 / delta), (v - 1) / 32) / epsilon)
    if claim == "realizable":
        log2 = math.log(2)
        enough = _first(lambda n: log2 + _log_sauer(2 * n, v) - log2 * epsilon * n / 2, delta)
        return max(enough, math.ceil(8 / epsilon))
    check_choice(claim, "claim", ("realizable", "agnostic", "necessary"))
    return _first(lambda n: math.log(8) + _log_sauer(n, v) - n * epsilon**2 / 128, delta)


def _labelings_of_prefixes(X: Array, *, fit_intercept: bool) -> Iterator[list[tuple[Array, Array]]]:
    """For k = 1, 2, …: the separable labellings of the first k points, +1 on the first, with hyperplanes."""
    Z = np.column_stack([X, np.ones(len(X))]) if fit_intercept else X
    half = [(np.ones(1), Z[0])] if Z[0].any() else []
    yield half
    for k in range(2, len(Z) + 1):
        half = [longer for y, a in half for longer in _separable_extensions(Z[:k], y, a)]
        yield half


def _separable_extensions(Z: Array, y: Array, a: Array) -> Iterator[tuple[Array, Array]]:
    """The separable extensions, each with a hyperplane, of the labelling y, which a realises."""
    for label in (-1.0, 1.0):
        longer = np.append(y, label)
        if right_exact(label * Z[-1:], a)[0]:
            yield longer, a
            continue
        found = separation(Z, longer, fit_intercept=False, max_work=0)
        if found.lower > 0:
            yield longer, found.primal


def _log_sauer(n: int, v: int) -> float:
    return float(special.logsumexp(_log_choose(n, np.arange(min(n, v) + 1))))


def _log_choose(n: int, k: int | Index) -> Any:
    """ln C(n, k)."""
    return special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)


def _first(log_risk: Callable[[int], float], delta: float) -> int:
    """The n from which on log_risk(n) ≤ ln δ; it is concave and starts above."""
    below, n = 0, 1
    while log_risk(n) > math.log(delta):
        below, n = n, 2 * n
    while n - below > 1:
        middle = (below + n) // 2
        below, n = (middle, n) if log_risk(middle) > math.log(delta) else (below, middle)
    return n
