"""Data sets (cancer, iris, penguins, drawn, synthetic), `standardise`, and the results of benchmarks."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from linlearn.validation import Array, check_count, check_number, check_points, name_columns

Samples = tuple[Array, Array]
HERE = Path(__file__).parent


def drawn(*, overlap: bool = False) -> Samples:
    """The course's example, drawn by hand: separable samples X, shape (n, 2), and labels y, shape (n,).

    `overlap` adds four samples on the wrong side, so that no line separates the classes.

    >>> [len(drawn(overlap=o)[1]) for o in (False, True)]
    [24, 28]
    """
    text = (HERE / "drawn.csv").read_text(encoding="utf-8")
    table = np.array([row.split(",") for row in text.split()[1:]], dtype=np.float64)
    table = table if overlap else table[table[:, 3] == 0]
    return table[:, :2].copy(), table[:, 2].copy()


def benchmarks() -> dict[str, Any]:
    """Running times of the methods and of other libraries, as last measured on one machine.

    Returns {"versions": {name: version}, "rows": [one dict for each side of each comparison], "growth":
    [one dict for each size of each method]}. A row has "job", "on", "n", "d", "side" ("ours" or a library),
    "seconds" and "ratio" (the library's time divided by ours). `benchmarks/` in the repository repeats the
    measurement.

    >>> row = benchmarks()["rows"][0]
    >>> row["job"], row["side"]
    ('LDA', 'ours')
    """
    found: dict[str, Any] = json.loads((HERE / "benchmarks.json").read_text("utf-8"))
    return found


def breast_cancer(columns: Sequence[str] | None = None) -> Samples:
    """Wisconsin breast cancer: 569 tumours, 30 features of their cell nuclei; +1 malignant, -1 benign.

    Returns X (n, d) and y (n,).

    Parameters
    ----------
    columns : names of the features to keep, e.g. ["mean radius", "mean texture"]; all if None

    Notes
    -----
    Street, Wolberg and Mangasarian (1993), as shipped with scikit-learn, in its raw units. Needs the
    extra: pip install scikit-learn.

    Examples
    --------
    >>> X, y = breast_cancer(["mean radius", "mean texture"])
    >>> X.shape, int((y > 0).sum())
    ((569, 2), 212)
    """
    table = _bundled("load_breast_cancer")
    X = _select(table.data, list(table.feature_names), columns)
    return X, np.where(table.target == 0, 1.0, -1.0)


def iris(
    positive: str = "versicolor", negative: str = "setosa", columns: Sequence[str] | None = None
) -> Samples:
    """Two species of Anderson's irises: 50 flowers of each, with 4 lengths and widths in cm.

    Returns X (n, d) and y (n,).

    Parameters
    ----------
    positive, negative : "setosa", "versicolor" or "virginica", the species labelled +1 and -1
    columns : names of the features to keep, e.g. ["petal length (cm)"]; all if None

    Notes
    -----
    Fisher (1936), as shipped with scikit-learn. Needs the extra: pip install scikit-learn.

    Examples
    --------
    >>> X, y = iris(columns=["petal length (cm)"])
    >>> X.shape, X[y < 0].max(), X[y > 0].min()
    ((100, 1), np.float64(1.9), np.float64(3.0))
    """
    table = _bundled("load_iris")
    species = list(table.target_names)
    for argument, name in (("positive", positive), ("negative", negative)):
        if name not in species:
            raise ValueError(f"`{argument}` must be one of {', '.join(species)}; got {name!r}.")
    if positive == negative:
        raise ValueError(f"`positive` and `negative` must differ; got {positive!r} twice.")
    keep = np.isin(table.target, [species.index(positive), species.index(negative)])
    y = np.where(table.target[keep] == species.index(positive), 1.0, -1.0)
    return _select(table.data[keep], list(table.feature_names), columns), y


def penguins() -> Path:
    """The Palmer penguins as a CSV file: 344 birds of three species, with text and missing values.

    Returns its path. The columns are species, island, bill_length_mm, bill_depth_mm, flipper_length_mm,
    body_mass_g, sex and year; a missing value is written NA.

    Notes
    -----
    Measured by Gorman, Williams and Fraser (2014) and published by Horst, Hill and Gorman (2020), who
    dedicated the file to the public domain (CC0 1.0). This is a copy of it.

    Examples
    --------
    >>> with penguins().open() as file:
    ...     head, first, *_ = file.read().splitlines()
    >>> first
    'Adelie,Torgersen,39.1,18.7,181,3750,male,2007'
    """
    return HERE / "penguins.csv"


def standardise(X: ArrayLike, *, like: ArrayLike | None = None) -> Array:
    """Standardise columns: subtract the mean, divide by the standard deviation (divisor n); shape (n, d).

    Parameters
    ----------
    X : shape (n, d)
    like : shape (k, d), optional
        Compute means and standard deviations from these rows instead: from the training set, if X is a test
        set.

    Raises
    ------
    ValueError
        If a column is constant up to rounding, since its standard deviation is then 0.

    Examples
    --------
    >>> standardise([[1.0], [3.0]])
    array([[-1.],
           [ 1.]])
    """
    X = check_points(X)
    rows = X if like is None else check_points(like, name="like")
    if rows.shape[1] != X.shape[1]:
        raise ValueError(
            f"`like` must have the same number of columns as `X` ({X.shape[1]}); got shape {rows.shape}. "
            "Pass the samples whose means and standard deviations are to be used, with the same features."
        )
    mean = rows.mean(axis=0)
    spread = np.sqrt(((rows - mean) ** 2).mean(axis=0))
    # What the mean's own error can fake.
    rounded = 1e-14 * np.sqrt(len(rows)) * np.abs(rows).max(axis=0)
    constant = np.flatnonzero((spread <= rounded) | (rows.max(axis=0) == rows.min(axis=0)))
    if constant.size:
        found = constant.tolist()
        verb, these = ("are", "them") if len(found) > 1 else ("is", "it")
        raise ValueError(
            f"`X` must have columns that vary; {name_columns(found)} {verb} constant. Drop {these}: "
            f"`X = np.delete(X, {found}, axis=1)`."
        )
    return np.asarray((X - mean) / spread)


def gaussians(n: int, d: int = 2, *, delta: float = 2.0, seed: int = 0) -> Samples:
    """n samples in d dimensions, half of them from each of the two classes N(±(delta/2)e₁, I).

    If n is odd, class +1 has one more. The class means are `delta` ≥ 0 standard deviations apart; the Bayes
    error is Φ(-delta/2). Returns X (n, d) and y (n,), which are the same for the same `seed`.

    >>> X, y = gaussians(5, 3)
    >>> X.shape, y
    ((5, 3), array([ 1., -1.,  1., -1.,  1.]))
    """
    n, d = check_count(n, "n", least=2), check_count(d, "d", least=1)
    delta = check_number(delta, "delta", least=0)
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    X = np.random.default_rng(seed).standard_normal((n, d))
    X[:, 0] += y * delta / 2
    return X, y


def separable(n: int, d: int = 2, *, margin: float = 0.1, seed: int = 0) -> Samples:
    """n samples from N(0, I) in d dimensions, moved apart to a given geometric margin.

    A random hyperplane near the origin separates them, both labels occur, and every sample is at least
    `margin` > 0 away from it. Returns X (n, d) and y (n,), which are the same for the same `seed`.

    >>> X, y = separable(50, 3, margin=0.2)
    >>> X.shape, sorted(set(y.tolist()))
    ((50, 3), [-1.0, 1.0])
    """
    n, d = check_count(n, "n", least=2), check_count(d, "d", least=1)
    margin = check_number(margin, "margin", above=0)
    rng = np.random.default_rng(seed)
    w = rng.standard_normal(d)
    w = w / np.linalg.norm(w)
    b = rng.uniform(-0.5, 0.5)
    X = rng.standard_normal((n, d))
    y = np.where(X @ w + b > 0, 1.0, -1.0)
    for k, label in enumerate((1.0, -1.0)):  # never one class alone
        if not (y == label).any():
            X[k], y[k] = X[k] + (label - b - X[k] @ w) * w, label
    return X + np.outer(margin * y, w), y


def xor() -> Samples:
    """XOR: the corners of a square, (0, 0) and (1, 1) labelled +1, the others -1; no line separates them.

    >>> X, y = xor()
    >>> X.astype(int).tolist(), y.astype(int).tolist()
    ([[0, 0], [1, 1], [1, 0], [0, 1]], [1, 1, -1, -1])
    """
    X = np.array([[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    return X, np.array([1.0, 1.0, -1.0, -1.0])


@cache
def _bundled(loader: str) -> Any:
    """A table parsed from text, some twenty milliseconds, once; those who get it must not write into it."""
    try:
        from sklearn import datasets
    except ImportError:
        raise ModuleNotFoundError(
            "this data set is loaded from scikit-learn, which is not installed. "
            "Install it with: pip install scikit-learn"
        ) from None
    return getattr(datasets, loader)()


def _select(X: Array, names: list[str], columns: Sequence[str] | None) -> Array:
    if columns is None:
        return np.array(X, dtype=np.float64)  # a copy: the table is kept
    columns = [columns] if isinstance(columns, str) else list(columns)
    unknown = [c for c in columns if c not in names]
    if unknown or not columns:
        raise ValueError(f"`columns` must be among {', '.join(names)}; got {unknown or 'none'}.")
    return np.ascontiguousarray(X[:, [names.index(c) for c in columns]], dtype=np.float64)
