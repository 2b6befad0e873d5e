"""What counts as samples: the one door through which bad input is sent back with a reason."""

from collections.abc import Sequence
from fractions import Fraction
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linlearn._elsewhere import refuse_elsewhere

# What arrays hold, named once.
Array = NDArray[np.float64]
Index = NDArray[np.intp]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Floating = NDArray[np.floating[Any]]  # single precision or double

NUMBERS = int | float | np.integer | np.floating | np.bool_
LARGEST = 1e100  # squares of entries, summed over as many as fit in memory, stay finite
LEAST = 1 / LARGEST  # of a column's largest entry: a plane's weights are about its inverse
GLANCE = 256  # samples that tell of most columns where they are, and that they are not too small
STEEPEST = 1e140  # of a plane's weights: beyond LARGEST by the digits in which columns may differ


def check_samples(X: ArrayLike, y: ArrayLike, *, offset: bool = True) -> tuple[Array, Array]:
    """Return (X, y) as float arrays of shapes (n, d) and (n,), or say what is wrong with them.

    Samples are matched by position; the index of a pandas table is not looked at.

    Parameters
    ----------
    X : array-like, shape (n, d)
        Real, finite, n ≥ 1 samples of d ≥ 1 features.
    y : array-like, shape (n,)
        Labels, -1 or +1. Both must occur, unless `offset` is False: data that a plane through
        the origin has to separate may carry a single label.

    Raises
    ------
    ValueError
        With what was expected, what came, and what to do.

    >>> check_samples([[0.0], [1.0]], [0, 1])
    Traceback (most recent call last):
        ...
    ValueError: `y` must contain the labels -1 and +1 and no other; got [0. 1.]. \
Map them with `np.where(y == positive, 1, -1)`.
    """
    X = check_points(X)
    y = check_labels(y, offset=offset)
    if len(X) != len(y):
        raise ValueError(
            f"`X` and `y` must have the same number of samples; got {len(X)} rows and {len(y)} "
            "labels. Select the same samples from both."
        )
    return X, y


def check_training(X: ArrayLike, y: ArrayLike, *, offset: bool = True) -> tuple[Array, Array]:
    """`check_samples` for a method, which must answer with a plane of floats: no column may be too small.

    >>> check_training([[0.0], [1e-200]], [-1, 1])
    Traceback (most recent call last):
        ...
    ValueError: `X` must have 0 or at least 1e-100 as largest absolute value in each column; got 1e-200 \
in column 0. Rescale it first.
    """
    X, y = check_samples(X, y, offset=offset)
    asked = np.flatnonzero(np.abs(X[:GLANCE]).max(axis=0) < LEAST)
    largest = np.abs(X[:, asked]).max(axis=0)
    small = np.flatnonzero((largest > 0) & (largest < LEAST))
    if small.size:
        raise ValueError(
            f"`X` must have 0 or at least {LEAST:g} as largest absolute value in each column; got "
            f"{largest[small[0]]:g} in column {asked[small[0]]}. Rescale it first."
        )
    return X, y


def check_size(value: object, name: str, *, zero: bool = False) -> float:
    """Return value as a float between `LEAST` and `LARGEST`, or 0 if that is allowed."""
    number = check_number(value, name, least=0.0) if zero else check_number(value, name, above=0.0)
    if 0 < number < LEAST:
        raise ValueError(
            f"`{name}` must be {'0 or ' if zero else ''}at least {LEAST:g}; got {value!r}. Take a larger "
            "one, or rescale `X`."
        )
    return number


def check_targets(t: Array) -> Array:
    """Return the targets of a regression, shape (n,), unless all of them are too large or too small."""
    largest = float(np.abs(t).max())
    if largest >= LARGEST or 0 < largest < LEAST:
        raise ValueError(
            f"`targets` must have 0 or a number between {LEAST:g} and {LARGEST:g} as largest absolute value; "
            f"got {largest:g}. Rescale them first."
        )
    return t


def check_points(X: ArrayLike, *, d: int | None = None, name: str = "X") -> Array:
    """Return X as a finite float array of shape (n, d)."""
    refuse_elsewhere(X, "this function, which needs it whole", name)
    X = _floats(X, name)
    if X.ndim != 2:
        remedy = {
            0: "Pass a table with one row per sample",
            1: f"Use `{name}.reshape(-1, 1)` for one feature, `{name}.reshape(1, -1)` for one sample",
        }.get(X.ndim, f"Use `{name}.reshape(len({name}), -1)`")
        raise ValueError(
            f"`{name}` must have shape (n, d), one row per sample; got shape {X.shape}. {remedy}."
        )
    if 0 in X.shape:
        raise ValueError(
            f"`{name}` must hold at least one sample and one feature; got shape {X.shape}. "
            "Check the selection that produced it."
        )
    if d is not None and X.shape[1] != d:
        raise ValueError(
            f"`{name}` must have {d} columns, as many as the hyperplane has weights; got shape "
            f"{X.shape}. Pass the features the plane was fitted on, in the same order."
        )
    return _finite(X, name)


def check_labels(y: ArrayLike, *, offset: bool = True) -> Array:
    """Return y as an array of -1.0 and +1.0, shape (n,)."""
    raw = _column(y)
    numbers = raw.dtype.kind in "iuf" or _numbers(raw)
    labels = raw.astype(np.float64) if numbers else np.zeros(len(raw))
    if not (np.abs(labels) == 1).all():
        found = _few(np.unique(labels) if numbers else set(raw.tolist()))
        raise ValueError(
            f"`y` must contain the labels -1 and +1 and no other; got {found}. "
            "Map them with `np.where(y == positive, 1, -1)`."
        )
    if offset and (labels == labels[0]).all():
        raise ValueError(
            f"`y` must contain both labels -1 and +1; got only {labels[0]:+.0f}. Add samples of the "
            "other class (one class alone is allowed only with `offset=False`, where a method has it)."
        )
    return labels


def _column(y: ArrayLike) -> np.ndarray:
    """The labels as one column of whatever they are, at least one of them."""
    if hasattr(y, "toarray"):
        raise ValueError(
            f"`y` must be a dense array; got {type(y).__name__}. Use `.toarray().ravel()`."
        )
    if np.ma.isMaskedArray(y) and np.ma.getmaskarray(y).any():
        raise ValueError(
            "`y` must have no masked entries. Drop those samples from `X` and `y` first."
        )
    try:
        raw = np.asarray(y)
    except ValueError:
        raise ValueError(
            "`y` must have shape (n,), one label per sample; its entries differ in length."
        ) from None
    if raw.ndim != 1:
        raise ValueError(
            f"`y` must have shape (n,), one label per sample; got shape {raw.shape}. "
            "Use `np.ravel(y)` if it is a single column."
        )
    if raw.size == 0:
        raise ValueError("`y` must hold at least one label; got none. Check the selection.")
    return raw


def check_vector(v: ArrayLike, size: int | None, name: str, *, below: float = STEEPEST) -> Array:
    """Return v as a finite float array of shape (size,), of any length ≥ 1 if size is None."""
    v = _floats(v, name)
    if v.ndim != 1 or v.size == 0 or size not in (None, v.size):
        wanted = "(d,) with d ≥ 1" if size is None else f"({size},)"
        raise ValueError(f"`{name}` must have shape {wanted}; got shape {v.shape}.")
    return _finite(v, name, below)


def check_weights(dual: ArrayLike, n: int) -> Array:
    """Weights ≥ 0, shape (n,): negative and non-finite entries of `dual` become 0."""
    alpha = np.asarray(dual, dtype=np.float64)
    if alpha.shape != (n,):
        raise ValueError(
            f"`dual` must have shape ({n},), one weight per sample; got {alpha.shape}."
        )
    return np.where(np.isfinite(alpha) & (alpha > 0), alpha, 0.0)


def check_fractions(values: Sequence[str], size: int, name: str) -> list[Fraction]:
    """Return fractions such as "1/3" as numbers, a list of `size`.

    >>> check_fractions(["1/3", "-2"], 2, "exact")
    [Fraction(1, 3), Fraction(-2, 1)]
    """
    try:
        found = [Fraction(v) for v in values]
    except (TypeError, ValueError, ZeroDivisionError):
        found = []
    if isinstance(values, str) or len(found) != size:
        raise ValueError(
            f'`{name}` must be a list of {size} fractions, such as "1/3"; got {values!r}. Write an entry per '
            "weight, the offset last."
        )
    return found


def check_number(
    value: object,
    name: str,
    *,
    above: float = -np.inf,
    least: float = -np.inf,
    below: float = LARGEST,
) -> float:
    """Return value as a finite float with value > above and value ≥ least."""
    wanted = f" > {above:g}" if above > -np.inf else f" ≥ {least:g}" if least > -np.inf else ""
    number = value if isinstance(value, int | float | np.integer | np.floating) else np.nan
    if isinstance(number, np.floating):
        number = float(number)  # in fewer bits the bounds would overflow
    if isinstance(value, bool) or not (
        above < number < below and number > -below and number >= least
    ):
        raise ValueError(f"`{name}` must be a finite number{wanted}; got {value!r}.")
    return float(number)


def check_count(value: int, name: str, *, least: int = 0) -> int:
    """Return value as an int ≥ least."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"`{name}` must be an integer ≥ {least}; got {value!r}.")
    return int(value)


def _floats(values: ArrayLike, name: str) -> Array:
    if type(values) is np.ndarray and values.dtype == np.float64 and values.ndim:
        return np.ascontiguousarray(values)  # most of what comes, and nothing to ask
    if hasattr(values, "toarray"):
        raise ValueError(
            f"`{name}` must be a dense array; got {type(values).__name__}. Use `.toarray()`."
        )
    if np.ma.isMaskedArray(values) and np.ma.getmaskarray(values).any():
        raise ValueError(f"`{name}` must have no masked entries. Drop or fill them first.")
    try:
        raw = np.asarray(values)
    except ValueError:
        raise ValueError(
            f"`{name}` must be a rectangular array; its rows differ in length."
        ) from None
    if raw.dtype.kind not in "iufb" and not _numbers(raw):
        odd = next((v for v in raw.ravel().tolist() if not isinstance(v, NUMBERS)), None)
        kind = type(odd).__name__ if raw.dtype.kind == "O" else str(raw.dtype)
        raise ValueError(
            f"`{name}` must hold real numbers; got entries of type {kind}. {_remedy(raw, odd)}."
        )
    try:
        with np.errstate(over="ignore"):  # what is too large is refused, and needs no warning
            floats = raw.astype(np.float64, copy=False)
    except OverflowError:
        raise ValueError(
            f"`{name}` must be below {LARGEST:g} in absolute value. Rescale it first."
        ) from None
    if not floats.ndim:
        return floats
    _check_held(raw, floats, name)
    return np.ascontiguousarray(floats)


def _remedy(raw: NDArray[Any], odd: object) -> str:
    """What to do about entries that are no real numbers, of which `odd` is one."""
    if raw.dtype.kind == "O" and (odd is None or type(odd).__name__ == "NAType"):
        return "Drop or impute missing values first"
    if raw.dtype.kind in "mM":
        return "Subtract a date, and divide by `np.timedelta64(1, 's')`"
    if isinstance(odd, complex):
        return "Make features of real and imaginary parts"
    if isinstance(odd, Number):
        return "Convert them with `float`"
    if isinstance(odd, str | bytes):
        return "Encode text and categories as numbers first"
    return "Pass an array of numbers, or a list of rows of them"


def _check_held(raw: NDArray[Any], floats: Array, name: str) -> None:
    """Refuse longer numbers than floats: what is proved of the rounded ones may be false of them."""
    if raw.dtype.kind == "f":
        if raw.dtype.itemsize <= floats.itemsize:
            return
        lost = (floats.astype(raw.dtype) != raw) & ~np.isnan(raw)
    else:
        lost = (np.abs(floats) >= 2.0**53) & np.isfinite(floats)
        lost[lost] = [int(u) != int(v) for u, v in zip(raw[lost], floats[lost], strict=True)]
    if lost.any():
        first = raw[tuple(np.argwhere(lost)[0])]
        raise ValueError(
            f"`{name}` must hold numbers that a float of 64 bits holds; got {first!s} ({_such(lost)}), which "
            f"would be rounded. Subtract a common number first, or round: `np.asarray({name}, dtype=float)`."
        )


def _numbers(raw: NDArray[Any]) -> bool:
    """Whether an object array (a mixed pandas table, say) holds numbers only."""
    return raw.dtype.kind == "O" and all(isinstance(v, NUMBERS) for v in raw.ravel().tolist())


def _finite(values: Array, name: str, below: float = LARGEST) -> Array:
    flat = values.ravel()
    with np.errstate(all="ignore"):
        square = np.dot(flat, flat)
    # Half of below² leaves room for roundings. All is false for NaN; most is decided in one reading.
    if square < below * below / 2 or (values.min() > -below and values.max() < below):
        return values
    bad = ~(np.abs(values) < below)  # also true for NaN
    where = tuple(int(k) for k in np.argwhere(bad)[0])
    place = "row {}, column {}".format(*where) if len(where) == 2 else f"position {where[0]}"
    value = values[where]
    limit, remedy = "finite", "Drop or impute it"
    if np.isfinite(value):
        limit, remedy = f"below {below:g} in absolute value", "Rescale it"
    raise ValueError(
        f"`{name}` must be {limit}; got {value:g} at {place} ({_such(bad)}). {remedy} first."
    )


def _such(bad: NDArray[np.bool_]) -> str:
    """How many entries are like the one that is named."""
    count = int(bad.sum())
    return f"{count} such {'entry' if count == 1 else 'entries'}"


def _few(values: Any) -> str:
    """At most five of the values, for a message."""
    items: Sequence[Any] = sorted(values, key=str) if isinstance(values, set) else values
    if len(items) <= 5:
        return str(items)
    return str(items[:5]).rstrip("]") + ", …]"
