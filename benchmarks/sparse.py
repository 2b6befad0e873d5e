"""Certificates of scikit-learn's penalised models on text and wide tables: time and memory beside the fit.

python -m benchmarks.sparse small            CPU time on one thread; prints the table in docs/dev/sparse.md
python -m benchmarks.sparse 2e5 1e6          synthetic text of that size alone
"""

import importlib
import sys
import time
import warnings
from collections.abc import Iterator

import numpy as np
from scipy import sparse
from sklearn.datasets import load_digits
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC, LinearSVC

import linlearn as ll
from benchmarks.duel import peak_memory
from linlearn.certificates.regularised_risk import enclosed, regularised_risk
from linlearn.solvers.regularised_risk import minimised

MODULES = ("numpy", "numpy.linalg", "numpy.fft", "numpy.ma", "numpy.random",
           "scipy.linalg", "scipy.stats", "scipy.optimize", "scipy.sparse", "scipy.signal")  # fmt: skip


def zipf(n: int, d: int, words: int = 110) -> tuple[sparse.csr_matrix, np.ndarray]:
    """Documents of about 80 different words with Zipf frequencies, tf-idf rows of length 1."""
    rng = np.random.default_rng(0)
    frequency = 1 / np.arange(1, d + 1) ** 1.07
    length = np.maximum(10, rng.poisson(words, n))
    rows = np.repeat(np.arange(n), length)
    word = np.searchsorted(np.cumsum(frequency / frequency.sum()), rng.random(len(rows)))
    topic = rng.random(n) < 0.5
    own = word // 2 * 2 + ~topic[rows]  # each topic prefers one word of every pair
    word = np.minimum(np.where(rng.random(len(rows)) < 0.25, own, word), d - 1)
    X = sparse.csr_matrix((np.ones(len(rows)), (rows, word)), shape=(n, d))
    idf = np.log((1 + n) / (1 + np.bincount(X.indices, minlength=d))) + 1
    X.data = (1 + np.log(X.data)) * idf[X.indices]
    X.data /= np.repeat(np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel()), np.diff(X.indptr))
    return X, np.where(topic ^ (rng.random(n) < 0.05), 1.0, -1.0)


def docstrings() -> tuple[sparse.csr_matrix, np.ndarray]:
    """Docstrings of SciPy's public names (+1) and of NumPy's."""
    found: dict[str, float] = {}
    for module in map(importlib.import_module, MODULES):
        for name in sorted(vars(module)):
            text = getattr(getattr(module, name), "__doc__", None)
            if not name.startswith("_") and isinstance(text, str) and len(text) > 200:
                found.setdefault(text, 1.0 if module.__name__.startswith("scipy") else -1.0)
    return TfidfVectorizer().fit_transform(found), np.array(list(found.values()))


def wide(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    return X, np.where(X[:, :20].sum(axis=1) + rng.standard_normal(n) > 0, 1.0, -1.0)


def digits() -> tuple[np.ndarray, np.ndarray]:
    """Scans of 8 against those of other digits."""
    X, digit = load_digits(return_X_y=True)
    return X / 16, np.where(digit == 8, 1.0, -1.0)


MODELS = {
    "LogisticRegression": lambda: LogisticRegression(max_iter=1000),
    "LogisticRegression(tol=1e-8)": lambda: LogisticRegression(max_iter=1000, tol=1e-8),
    "LogisticRegression(liblinear)": lambda: LogisticRegression(solver="liblinear"),
    "LinearSVC": lambda: LinearSVC(),
    "LinearSVC(hinge)": lambda: LinearSVC(loss="hinge", max_iter=20_000),
    "SVC(linear)": lambda: SVC(kernel="linear"),
}
LOSSES = {"LogisticRegression": "logistic", "LinearSVC": "squared hinge", "SVC(linear)": "hinge"}


def timed(run):
    start = time.process_time()
    found = run()
    return time.process_time() - start, found


def size(X) -> int:
    """Bytes of the data."""
    if isinstance(X, np.ndarray):
        return X.nbytes
    return X.data.nbytes + X.indices.nbytes + X.indptr.nbytes


def row(name: str, X, y) -> str:
    """One model: the fit, what it costs to enclose its optimum from (w, b), and to close the gap."""
    seconds, model = timed(lambda: MODELS[name]().fit(X, y))
    w, b = (
        np.ravel(
            np.asarray(model.coef_.toarray() if sparse.issparse(model.coef_) else model.coef_)
        ),
        model.intercept_[0],
    )
    loss = (
        "hinge" if "hinge" in name else LOSSES[name.split("(")[0] if "SVC(l" not in name else name]
    )
    penalty = 1.0 if "Linear" in name or "liblinear" in name else 0.0

    def problem():
        return regularised_risk(X, y, loss=loss, C=1.0, sample_weight=None, penalty=penalty)

    def bound():
        F = problem()
        return enclosed(F, F.at(np.append(w, b)))

    first, own = timed(bound)
    whole, found = timed(lambda: ll.certify(model, X, y))
    beside = peak_memory(lambda: ll.certify(model, X, y)) / size(X)
    low, high = found.relative_excess
    whole, first = whole / seconds, first / seconds
    return (
        f"| `{name}` | {seconds:.2f} | {first:.2f} | {own.relative_gap:.0e} | {whole:.2f} | "
        f"{found.certificate.relative_gap:.0e} | {low:.1e} … {high:.1e} | {beside:.2f} |"
    )


def solver(X, y) -> str:
    """Ours from 0 against LIBLINEAR, both to a certified 1e-8."""
    peer, _ = timed(lambda: LogisticRegression(solver="liblinear", tol=1e-8).fit(X, y))
    own, found = timed(
        lambda: minimised(
            regularised_risk(X, y, loss="logistic", C=1.0, sample_weight=None, penalty=1.0),
            np.zeros(X.shape[1] + 1),
        )
    )
    gap = found.certificate.relative_gap
    return (
        f"own logistic solver from 0: {own:.2f} s, gap {gap:.0e}; LIBLINEAR {peer:.2f} s, "
        f"quotient {own / peer:.2f}"
    )


HEAD = (
    "| model | fit, s | bound / fit | its gap | certify / fit | its gap | excess | memory / data |\n"
    "|---|--:|--:|--:|--:|--:|--:|--:|"
)


def problems(sizes: list[str]) -> Iterator[tuple[str, tuple]]:
    if len(sizes) == 2:
        n, d = (int(float(v)) for v in sizes)
        yield f"Zipf text, {n:,} × {d:,}", zipf(n, d)
        return
    yield "Zipf text, 20,000 × 50,000", zipf(20_000, 50_000)
    X, y = docstrings()
    yield "docstrings of NumPy and SciPy, {:,} × {:,}".format(*X.shape), (X, y)
    yield "Gaussian, 60 × 7000", wide(60, 7000)
    yield "digits, 8 against others, 1797 × 64", digits()


def main() -> None:
    warnings.simplefilter("ignore")
    for title, (X, y) in problems(sys.argv[1:]):
        print(f"\n{title}\n\n{HEAD}")
        for name in MODELS:
            if name != "SVC(linear)" or len(y) < 5000:  # it takes time that grows with n²
                print(row(name, X, y), flush=True)
        print("\n" + solver(X, y), flush=True)


if __name__ == "__main__":
    main()
