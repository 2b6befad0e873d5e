"""Compare standard errors, intervals and tests of logistic regression with those of statsmodels.

python -m benchmarks.inference      CPU time on one thread; prints the table in docs/dev/benchmarks.md
"""

import time
from collections.abc import Iterator

import numpy as np
from scipy.stats import norm

import linlearn as ll

COLUMNS = (0, 1, 4, 8)  # of the tumours: few enough that the classes overlap


def problems() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    X, y = ll.data.breast_cancer()[:2]
    Z = X[:, COLUMNS]
    yield "tumours, standardised, 569 × 4", (Z - Z.mean(axis=0)) / Z.std(axis=0), y
    rng = np.random.default_rng(0)
    for n, d in ((200, 5), (2000, 20), (20_000, 20)):
        X = rng.standard_normal((n, d)) * 10.0 ** rng.integers(-2, 3, d)
        score = X @ rng.standard_normal(d) / np.linalg.norm(X) * np.sqrt(n)
        yield f"Gaussian, {n:,} × {d}", X, np.where(rng.logistic(size=n) < score, 1.0, -1.0)


def of_statsmodels(X: np.ndarray, y: np.ndarray) -> dict[str, np.ndarray]:
    """Its maximum, found by Newton's method, and likelihood-ratio tests by fits without each column.

    Its steps are not damped: some do not converge where columns have different scales.
    """
    import statsmodels.api as sm

    A, labels = np.column_stack([X, np.ones(len(X))]), (y + 1) / 2

    def fitted(columns: np.ndarray):
        options = dict(method="newton", tol=1e-12, maxiter=100, disp=0)
        found = sm.Logit(labels, A[:, columns]).fit(**options)
        assert found.mle_retvals["converged"]
        return found

    every = np.arange(A.shape[1])
    whole = fitted(every)
    return {
        "estimates": whole.params,
        "standard_errors": whole.bse,
        "wald": whole.conf_int(),
        "statistics": np.array([2 * (whole.llf - fitted(every[every != j]).llf) for j in every]),
        "log_likelihood": np.array(whole.llf),
        "null_log_likelihood": np.array(fitted(every[-1:]).llf),
    }


def difference(ours: np.ndarray, theirs: np.ndarray, unit: np.ndarray) -> float:
    return float(np.max(np.abs(np.asarray(ours) - theirs) / unit))


def compared(X: np.ndarray, y: np.ndarray) -> tuple[list[float], float, float]:
    """The largest differences (of estimates and ends in standard errors, of the others relative); seconds."""
    start = time.process_time()
    ours = ll.logistic(X, y).summary(X, y)
    middle = time.process_time()
    theirs = of_statsmodels(X, y)
    end = time.process_time()
    error = theirs["standard_errors"]
    assert np.allclose(ours.wald[:, 1] - ours.estimates, norm.ppf(0.975) * ours.standard_errors)
    found = [
        difference(ours.estimates, theirs["estimates"], error),
        difference(ours.standard_errors, error, error),
        difference(ours.wald, theirs["wald"], error[:, None]),
        difference(ours.statistics, theirs["statistics"], 1 + theirs["statistics"]),
        *(
            difference(getattr(ours, what), theirs[what], abs(theirs[what]))
            for what in ("log_likelihood", "null_log_likelihood")
        ),
    ]
    return found, middle - start, end - middle


def row(name: str, X: np.ndarray, y: np.ndarray) -> str:
    found, ours, theirs = compared(X, y)
    told = " | ".join(f"{one:.0e}" for one in found)
    return f"| {name} | {told} | {ours:.2f} | {theirs:.2f} |"


HEAD = (
    "| samples | estimates | standard errors | Wald | LR | log-likelihood | null | ours, s | "
    "statsmodels, s |\n"
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
)


def main() -> None:
    print(HEAD)
    for problem in problems():
        print(row(*problem), flush=True)


if __name__ == "__main__":
    main()
