"""How much can be learned from how much: bounds on updates and on the error of what was learned."""

import math

from linlearn.checks import check_count, check_number


def perceptron_bound(
    R: float, gamma: float, *, start_norm: float = 0.0, rate: float = 1.0
) -> float:
    """(R/γ)² + 2‖a₀‖/(ηγ): no run of the perceptron on these samples makes more updates.

    Parameters
    ----------
    R : float ≥ 0
        max ‖zᵢ‖ over the samples.
    gamma : float > 0
        Any margin minᵢ⟨a, zᵢ⟩/‖a‖ that some plane reaches; the largest gives the best bound.
    start_norm : float ≥ 0
        ‖a₀‖ of the start.
    rate : float > 0
        Step size η.

    Notes
    -----
    Novikoff (1962) for start 0; the general form is proved in chapter "The perceptron".

    >>> perceptron_bound(R=5.0, gamma=0.5)
    100.0
    """
    R = check_number(R, "R", least=0)
    gamma = check_number(gamma, "gamma", above=0)
    start_norm = check_number(start_norm, "start_norm", least=0)
    return (R / gamma) ** 2 + 2 * start_norm / (check_number(rate, "rate", above=0) * gamma)


def compression_bound(n: int, K: int, delta: float, *, rest_error: float) -> float:
    """With probability ≥ 1 - δ over n i.i.d. samples, a plane that K of them determine errs at most this.

    er ≤ e + sqrt((ln C(n, K) + ln(n/δ)) / (2(n - K))), and if e = 0 also
    er ≤ (ln C(n, K) + ln(n/δ))/(n - K); the smaller is returned, e = `rest_error`.

    Parameters
    ----------
    n, K : int, 0 ≤ K < n
        Samples, and how many of them determine the plane (for the perceptron: distinct samples
        that were ever added). K may be read off the run.
    delta : float in (0, 1)
    rest_error : float in [0, 1]
        Fraction of mistakes on the other n - K samples.

    Notes
    -----
    A union bound over all index sets, with Hoeffding's inequality or (1 - ε)^(n-K) for each; proved
    in chapter "The perceptron". Above 1 it says nothing, and 1 is returned.

    >>> round(compression_bound(1000, 10, 0.05, rest_error=0.0), 3)
    0.064
    """
    n, K = check_count(n, "n", least=1), check_count(K, "K")
    delta = check_number(delta, "delta", above=0)
    rest_error = check_number(rest_error, "rest_error", least=0)
    if K >= n:
        raise ValueError(
            f"`K` must be below n, so that samples are left to test on; got K={K}, n={n}."
        )
    if delta >= 1 or rest_error > 1:
        raise ValueError(
            f"`delta` must be below 1 and `rest_error` at most 1; got {delta:g} and {rest_error:g}."
        )
    log_sets = math.lgamma(n + 1) - math.lgamma(K + 1) - math.lgamma(n - K + 1)
    price = (log_sets + math.log(n / delta)) / (n - K)
    bound = rest_error + math.sqrt(price / 2)
    return min(1.0, bound, price) if rest_error == 0 else min(1.0, bound)
