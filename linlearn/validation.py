"""Input validation: what counts as samples and labels, and the error messages for what does not.

`floats_or_refusal` and `labels_or_refusal` say what a block of samples and of labels must be, wherever it
comes from. The functions `check_…` call them for arrays in memory, `linlearn.out_of_core` for each block.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from fractions import Fraction
from numbers import Number
from reprlib import Repr
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linlearn._dispatch import refuse_out_of_core

# What arrays hold, named once.
Array = NDArray[np.float64]
Index = NDArray[np.intp]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Floating = NDArray[np.floating[Any]]  # single precision or double

NUMBERS = int | float | np.integer | np.floating | np.bool_
GAPS = ("NoneType", "NAType", "NaTType")  # what stands for a missing value, beside NaN
FEW = 5  # values that a message lists
LARGEST = 1e100  # squares of entries, summed over as many as fit in memory, stay finite
LEAST = 1 / LARGEST  # of a column's largest entry: a hyperplane's weights are about its inverse
GLANCE = 256  # samples that suffice to see that most columns are not too small
NOT_TOO_SMALL = (
    "`X` must have, in every column that is not all zeros, an entry of absolute value at least {:g}"
)
ONLY_LABELS = "`y` must contain only the labels -1 and +1"
STEEPEST = (
    1e140  # the largest weight: LARGEST, times 1e40 since columns may differ in a few last digits
)


def check_samples(X: ArrayLike, y: ArrayLike, *, fit_intercept: bool = True) -> tuple[Array, Array]:
    """Return (X, y) as float arrays of shapes (n, d) and (n,), or say what is wrong with them.

    Samples are matched by position; the index of a pandas table is not looked at.

    Parameters
    ----------
    X : array-like, shape (n, d)
        Real, finite, n ≥ 1 samples of d ≥ 1 features.
    y : array-like, shape (n,)
        Labels, -1 or +1. Both must occur, unless `fit_intercept` is False: data that a hyperplane through
        the origin has to separate may carry a single label.

    Raises
    ------
    ValueError
        With what was expected, what came, and what to do.

    Examples
    --------
    >>> check_samples([[0.0], [1.0]], [0, 1])
    Traceback (most recent call last):
        ...
    ValueError: `y` must contain only the labels -1 and +1; got the labels [0, 1] (1 sample has \
another label: 0 at row 0). Map them with `np.where(np.asarray(y) == 1, 1, -1)`.
    """
    points = check_points(X)
    labels = check_labels(y, fit_intercept=fit_intercept, beside=X)
    check_lengths(len(points), len(labels))
    return points, labels


def check_lengths(rows: int, labels: int) -> None:
    """Refuse samples and labels that are not equally many."""
    if rows != labels:
        raise ValueError(
            f"`X` and `y` must have the same number of samples; got {rows} rows and {labels} "
            "labels. Select the same samples from both."
        )


def check_shape(shape: Sequence[int], name: str = "X") -> tuple[int, int]:
    """Return the shape of samples as (n, d), n ≥ 1 and d ≥ 1."""
    if 0 in shape:
        raise ValueError(
            f"`{name}` must hold at least one sample and one feature; got shape {tuple(shape)}. "
            "Check the selection that produced it."
        )
    if len(shape) != 2:
        remedy = {
            0: "Pass a table with one row per sample",
            1: f"Use `np.reshape({name}, (-1, 1))` for one feature, or `np.reshape({name}, (1, -1))` for one "
            "sample",
        }.get(len(shape), f"Use `np.reshape({name}, (len({name}), -1))`")
        raise ValueError(
            f"`{name}` must have shape (n, d), one row per sample; got shape {tuple(shape)}. {remedy}."
        )
    n, d = map(int, shape)
    return n, d


def check_training(
    X: ArrayLike, y: ArrayLike, *, fit_intercept: bool = True
) -> tuple[Array, Array]:
    """`check_samples` for a method, whose weights must be floats: no column may be too small.

    >>> check_training([[0.0], [1e-200]], [-1, 1])
    Traceback (most recent call last):
        ...
    ValueError: `X` must have, in every column that is not all zeros, an entry of absolute value at \
least 1e-100; the largest in column 0 is 1e-200. Rescale column 0.
    """
    X, y = check_samples(X, y, fit_intercept=fit_intercept)
    asked = np.flatnonzero(abs(X[:GLANCE]).max(axis=0) < LEAST)
    if not asked.size:
        return X, y
    largest = abs(X[:, asked]).max(axis=0)
    small = np.flatnonzero((largest > 0) & (largest < LEAST))
    if small.size:
        raise ValueError(
            f"{NOT_TOO_SMALL.format(LEAST)}; the largest in column {asked[small[0]]} is "
            f"{largest[small[0]]:g}. Rescale column {asked[small[0]]}."
        )
    return X, y


def check_size(value: object, name: str, *, zero: bool = False, beside: str = "") -> float:
    """Return value as a float between `LEAST` and `LARGEST`, or 0 if that is allowed."""
    ends = {"least": 0.0} if zero else {"above": 0.0}
    number = check_number(value, name, beside=beside, **ends)
    if 0 < number < LEAST:
        raise ValueError(
            f"`{name}` must be {'0 or ' if zero else ''}at least {LEAST:g}; got {described(value)}. Pass a "
            "larger value, or rescale `X`."
        )
    return number


def check_targets(t: Array) -> Array:
    """Return the targets of a regression, shape (n,), unless all of them are too large or too small."""
    largest = float(np.abs(t).max())
    if largest >= LARGEST or 0 < largest < LEAST:
        raise ValueError(
            f"`targets` must have a largest absolute value between {LEAST:g} and {LARGEST:g}, unless all are "
            f"0; got {largest:g}. Pass `np.asarray(targets) / {largest:g}`."
        )
    return t


def check_points(
    X: ArrayLike,
    *,
    d: int | None = None,
    name: str = "X",
    of: str = "feature of the fit",
    where: str = "this call",
) -> Array:
    """Return X as a finite float array of shape (n, d); `of` and `where` are words for the messages."""
    refuse_out_of_core(X, where, name)
    values = as_array(X, name)
    shape = check_shape(values.shape, name)
    if d is not None:
        check_columns(shape, d, of, name)
    found = floats_or_refusal(values, name)
    if isinstance(found, Refusal):
        names = getattr(X, "columns", None)
        names = range(shape[1]) if names is None or len(names) != shape[1] else list(names)
        raise found.error(
            f"row {found.row}, {name_columns([names[found.column]])}", found.rescaled(names)
        )
    return found


def check_columns(shape: Sequence[int], d: int, of: str, name: str = "X") -> None:
    """Refuse samples with another number of features than d, one for each `of`."""
    if len(shape) == 2 and shape[1] != d:
        raise ValueError(
            f"`{name}` must have {d} column{'s' * (d > 1)}, one for each {of}; got shape {tuple(shape)}. "
            "Pass the same features, in the same order."
        )


def name_columns(names: Sequence[Any]) -> str:
    """Columns in a sentence by their names or numbers, the first few of many.

    >>> name_columns([3]), name_columns(["a", "b", "c"]), name_columns(range(7))
    ('column 3', "columns 'a', 'b' and 'c'", 'columns 0, 1, 2, 3, 4 and 2 others')
    """
    some = [repr(str(name)) if isinstance(name, str) else str(name) for name in names[:FEW]]
    if len(names) == 1:
        return f"column {some[0]}"
    more = len(names) - FEW
    last = some.pop() if more <= 0 else f"{more} other{'s' * (more > 1)}"
    return f"columns {', '.join(some)} and {last}"


def check_labels(y: ArrayLike, *, fit_intercept: bool = True, beside: Any = None) -> Array:
    """Return y as an array of -1.0 and +1.0, shape (n,); `beside` are the samples, for a remedy."""
    check_truth(fit_intercept, "fit_intercept")
    raw = as_column(y)
    labels = labels_or_refusal(raw)
    if isinstance(labels, Refusal):
        remedy = missing_labels_remedy(raw, y, beside) if labels.rank == GAP else ""
        raise labels.error(f"row {labels.row}", remedy)
    if fit_intercept and (labels == labels[0]).all():
        raise only_one_label(labels[0])
    return labels


def check_gaps(y: ArrayLike, beside: Any) -> None:
    """Refuse labels of any kind of which some are missing, with the line that drops their samples."""
    raw = (y if np.ma.isMaskedArray(y) else np.asarray(y)).ravel()
    fault = None if y is None else _missing_label(raw, 0)
    if fault is not None:
        raise fault.error(f"row {fault.row}", missing_labels_remedy(raw, y, beside))


def only_one_label(label: float) -> ValueError:
    """What is said where a method needs both classes."""
    return ValueError(
        f"`y` must contain both labels -1 and +1; got only {label:+.0f}. Add samples of the other class, or "
        "pass `fit_intercept=False` if the method accepts it: then a single class is allowed."
    )


def as_column(y: ArrayLike) -> NDArray[Any]:
    """The labels as one column of whatever they are, at least one of them; masks are kept."""
    if isinstance(y, str | bytes):
        raise ValueError(
            f"`y` must have shape (n,), one label per sample; got {y!r}. Pass the labels themselves; a "
            "column name is accepted only if `X` is a Parquet file or a Dask data frame."
        )
    raw: NDArray[Any] = as_array(y, "y")
    check_column(raw.shape)
    return raw


def check_column(shape: Sequence[int]) -> None:
    """Refuse labels that are not one column of at least one."""
    if len(shape) != 1:
        raise ValueError(
            f"`y` must have shape (n,), one label per sample; got shape {tuple(shape)}. "
            + ("Use `np.ravel(y)` if it is a single column." if shape else "Pass a list of labels.")
        )
    if shape[0] == 0:
        raise ValueError(
            "`y` must hold at least one label; got none. Check the selection that produced it."
        )


def check_vector(
    v: ArrayLike, size: int | None, name: str, *, each: str = "", below: float = STEEPEST
) -> Array:
    """Return v as a finite float array of shape (size,), of any length ≥ 1 if size is None.

    `each` is what has one number, in the plural, for the message.

    >>> check_vector("odd", 24, "targets", each="samples")
    Traceback (most recent call last):
        ...
    ValueError: `targets` must hold one number for each of the 24 samples; got 'odd'.
    """
    values = as_array(v, name)
    if len(values.shape) != 1 or 0 in values.shape or size not in (None, values.shape[0]):
        raise _wrong_size(v, values.shape, size, name, each)
    found = floats_or_refusal(values, name, below=below)
    if isinstance(found, Refusal):
        raise found.error(f"position {found.row}", "Pass finite real numbers")
    return found


def _wrong_size(v: Any, shape: tuple[int, ...], n: int | None, name: str, each: str) -> ValueError:
    wanted = f"hold one number for each of the {n} {each}" if each else f"hold {n} numbers"
    if n is None:
        wanted = "have shape (d,) with d ≥ 1"
    got = f"shape {shape}" if shape else described(v)
    return ValueError(f"`{name}` must {wanted}; got {got}.")


def clean_multipliers(dual: ArrayLike, n: int) -> Array:
    """Multipliers ≥ 0, shape (n,): negative and non-finite entries of `dual` become 0."""
    alpha = np.asarray(dual, dtype=np.float64)
    if alpha.shape != (n,):
        raise _wrong_size(dual, alpha.shape, n, "dual", "samples")
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
            f'`{name}` must be a list of {size} fractions, such as "1/3"; got {described(values)}. Give one '
            "for each weight, and the one for the intercept last."
        )
    return found


def check_number(
    value: object,
    name: str,
    *,
    above: float = -np.inf,
    least: float = -np.inf,
    below: float = LARGEST,
    most: float = np.inf,
    beside: str = "",
) -> float:
    """Return value as a finite float between the bounds; `least` and `most` themselves are allowed.

    `beside` is what else the caller accepts, for the message.
    """
    wanted = f" > {above:g}" if above > -np.inf else f" ≥ {least:g}" if least > -np.inf else ""
    if most < np.inf:
        wanted += f" and at most {most:g}"
    number = value if isinstance(value, int | float | np.integer | np.floating) else np.nan
    if isinstance(number, np.floating):
        number = float(number)  # in fewer bits the bounds would overflow
    inside = above < number < below and number > -below and least <= number <= most
    if isinstance(value, bool) or not inside:
        if below <= number < np.inf:
            wanted += f" and below {below:g}"
        raise ValueError(
            f"`{name}` must be a finite number{wanted}{beside}; got {described(value)}."
        )
    return float(number)


def check_truth(value: object, name: str) -> bool:
    """Return value as True or False, which it must be: a word such as "no" would count as True."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"`{name}` must be True or False; got {described(value)}.")
    return bool(value)


def check_choice(value: object, name: str, choices: Iterable[str], *, why: str = "") -> str:
    """Return value, which must be one of these words; `why` ends the message if it is not.

    >>> check_choice("cyclic", "order", ("cyclic", "random"))
    'cyclic'
    """
    if isinstance(value, str) and value in choices:
        return value
    *others, last = (f'"{word}"' for word in choices)
    raise ValueError(
        f"`{name}` must be {', '.join(others)} or {last}; got {described(value)}.{why}"
    )


def check_names(X: Any, names: Sequence[str] | None) -> list[str] | None:
    """The names of X's columns, as given, or a data frame's own; None if there are none.

    >>> check_names([[0.0, 1.0]], ["dose", "age"])
    ['dose', 'age']
    """
    d = check_shape(np.shape(X))[1]
    own = getattr(X, "columns", None)
    given = own if names is None and len(own if own is not None else ()) == d else names
    if given is None:
        return None
    found = [str(name) for name in given]
    if isinstance(names, str) or len(found) != d or len(set(found)) < d:
        wanted = "1 name" if d == 1 else f"{d} distinct names"
        got = f"the string {names!r}" if isinstance(names, str) else f"{names!r}"
        raise ValueError(f"`names` must be a list of {wanted}, one for each column; got {got}.")
    return found


def check_count(value: int, name: str, *, least: int = 0) -> int:
    """Return value as an int ≥ least."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"`{name}` must be an integer ≥ {least}; got {described(value)}.")
    return int(value)


# -- what a block must be ------------------------------------------------------------------------------

MASKED, KIND, LONGER, SIZE, GAP, LABEL, NONE = range(7)  # the order in which faults are looked for


class Refusal(NamedTuple):
    """A fault of a block of samples or labels: what must be, the first entry that is not, how many there are.

    `row` counts from the first sample of all, `column` is -1 for a label or a vector. `found` are the first
    of the labels of the block, in order, if the fault is among them; `columns` are all that have the fault.
    Of two refusals the one with less `rank` is told.
    """

    rank: int
    row: int
    column: int
    wanted: str
    got: str
    times: int
    remedy: str = ""
    found: Sequence[Any] = ()
    columns: frozenset[int] = frozenset()

    def rescaled(self, names: Sequence[Any]) -> str:
        """The remedy for entries that are too large, with the names of their columns; else nothing."""
        if self.remedy != RESCALE or not self.columns:
            return ""
        return RESCALE.format(name_columns([names[j] for j in sorted(self.columns)]))

    def error(self, place: str, remedy: str = "") -> ValueError:
        """What is told of it, with the name of the place, and another remedy where there is a better one."""
        got, remedy = f"{self.got} at {place}", remedy or self.remedy
        if self.rank == LABEL:
            have = "samples have other labels, such as"
            if self.times == 1:
                have = "sample has another label:"
            got = f"the labels {_few(self.found)} ({self.times} {have} {got})"
            remedy = remedy or mapping_remedy(self.found, "`np.where(np.asarray(y) == {}, 1, -1)`")
        else:
            one, several = ("label", "labels") if self.rank == GAP else ("entry", "entries")
            got += f" ({self.times} such {one if self.times == 1 else several})"
        return ValueError(f"{self.wanted}; got {got}. {remedy}.")


def merged_refusal(refusals: Iterable[Refusal]) -> Refusal:
    """The one that is told of several, with the count of all that are like it.

    >>> nan, none = (Refusal(SIZE, row, 0, "`X` must be finite", "nan", 2) for row in (7, 3))
    >>> merged_refusal([nan, none]).row, merged_refusal([nan, none]).times
    (3, 4)
    """
    refusals = list(refusals)
    first = min(refusals, key=lambda one: one[:3])
    alike = [one for one in refusals if one.wanted == first.wanted]
    found = _first_labels([label for one in alike for label in one.found])
    columns = frozenset().union(*(one.columns for one in alike))
    return first._replace(times=sum(one.times for one in alike), found=found, columns=columns)


class Columns(NamedTuple):
    """A table whose columns are of different kinds: as one array they might be rounded."""

    columns: list[NDArray[Any]]

    @property
    def shape(self) -> tuple[int, int]:
        return (len(self.columns[0]) if self.columns else 0, len(self.columns))


def as_array(values: Any, name: str) -> Any:
    """What came as an array of whatever it holds, masks and all, or as `Columns`; nothing is rounded."""
    if type(values) is np.ndarray or isinstance(values, Columns):
        return values
    if hasattr(values, "toarray"):
        raise ValueError(
            f"`{name}` must be a dense array; got {type(values).__name__}. Use `.toarray()`."
        )
    if np.ma.isMaskedArray(values):
        return values
    if (columns := _columns(values)) is not None:
        return Columns([np.asarray(column) for column in columns])
    try:
        if isinstance(values, list | tuple) and any(map(np.ma.isMaskedArray, values)):
            return np.ma.array(values)
        raw = np.asarray(values)
        if isinstance(values, list | tuple) and _maybe_converted(raw):
            return np.asarray(values, dtype=object)
    except ValueError:
        raise ValueError(
            f"`{name}` must be a rectangular array; got rows of different lengths. Give every row "
            "the same number of values."
        ) from None
    return raw


def _maybe_converted(raw: NDArray[Any]) -> bool:
    """Whether NumPy may have rounded integers among others in a list, or made text of numbers."""
    return raw.dtype.kind in "USc" or (raw.dtype == float and bool((np.abs(raw) >= 2**53).any()))


def _columns(values: Any) -> Any:
    """The columns of a table of pandas, polars or Arrow that are of more than one kind, else None."""
    if hasattr(values, "iloc") and hasattr(values, "columns"):
        kinds = set(values.dtypes)
        if len(kinds) == 1 and isinstance(next(iter(kinds)), np.dtype):
            return None
        return [values.iloc[:, j] for j in range(len(values.columns))]
    for columns in ("get_columns", "itercolumns"):
        if hasattr(values, columns):
            return list(getattr(values, columns)())
    return None


def floats_or_refusal(
    values: Any, name: str = "X", *, first: int = 0, below: float = LARGEST
) -> Array | Refusal:
    """A block as floats, if it is real numbers that floats hold, finite and less than `below`.

    `first` is the row of its first entry among all samples.
    """
    if type(values) is not np.ndarray:
        values = as_array(values, name)
    if isinstance(values, Columns):
        return _columns_or_refusal(values, name, first, below)
    floats = _floats(values, name, first)
    return floats if isinstance(floats, Refusal) else _finite(floats, name, first, below)


def _columns_or_refusal(table: Columns, name: str, first: int, below: float) -> Array | Refusal:
    found = [floats_or_refusal(column, name, first=first, below=below) for column in table.columns]
    refusals = [
        one._replace(column=j, columns=frozenset([j]))
        for j, one in enumerate(found)
        if isinstance(one, Refusal)
    ]
    return merged_refusal(refusals) if refusals else np.column_stack(found)  # type: ignore[arg-type]


def _refusal(
    rank: int, wanted: str, got: Any, bad: Bools, first: int, remedy: str, **more: Any
) -> Refusal:
    """About the entries of a block that are `bad`, of which `got` is the first."""
    row, *column = np.argwhere(bad)[0].tolist()
    if column:
        more["columns"] = frozenset(np.flatnonzero(bad.any(axis=0)).tolist())
    place = (first + row, column[0] if column else -1)
    return Refusal(rank, *place, wanted, got, int(bad.sum()), remedy, **more)


def _floats(values: NDArray[Any], name: str, first: int) -> Array | Refusal:
    """The numbers of an array as floats, none of them rounded or left out."""
    if np.ma.is_masked(values):
        wanted, remedy = f"`{name}` must have no masked entries", "Drop or impute such values first"
        return _refusal(MASKED, wanted, "a masked one", np.ma.getmaskarray(values), first, remedy)
    raw = np.asarray(values)
    kind = raw.dtype.kind
    if kind in "iufb" and (floats := _exact(raw)) is not None:
        return np.ascontiguousarray(floats)
    entries = raw.ravel().astype(object) if kind in "iuf" else raw.ravel()
    faults = np.array([_fault(v) for v in entries]).reshape(raw.shape)
    rank = faults.min()
    if rank == NONE:
        return np.ascontiguousarray(raw.astype(np.float64))
    one = raw[faults == rank][0]
    if rank == KIND:
        wanted, remedy = "hold real numbers", _remedy(one).format(name)
        got = f"{_short(one)} of type {type(one).__name__ if kind == 'O' else raw.dtype}"
    elif rank == LONGER:
        wanted, got = "hold numbers that float64 represents exactly", str(one)
        remedy = (
            "Subtract a constant, such as the column's minimum, from the column first, or accept "
            f"rounding: `np.asarray({name}, dtype=float)`"
        )
    else:
        wanted, got, remedy = f"be below {LARGEST:g} in absolute value", _short(one), RESCALE
    return _refusal(rank, f"`{name}` must {wanted}", got, faults == rank, first, remedy)


def _exact(raw: NDArray[Any]) -> Array | None:
    """Numbers as floats, if it is known at a glance that none of them is rounded."""
    if raw.dtype.kind == "f":
        return raw.astype(np.float64, copy=False) if raw.dtype.itemsize <= 8 else None
    floats = raw.astype(np.float64)
    return floats if (np.abs(floats) < 2.0**53).all() else None


def _is_number(value: Any) -> bool:
    """Whether it is a real number; lengths of time are integers to NumPy alone."""
    return isinstance(value, NUMBERS) and not isinstance(value, np.timedelta64)


def _fault(value: Any) -> int:
    """Why an entry is no float: what is proved of a rounded one may be false of the entry itself."""
    if not _is_number(value):
        return KIND
    exact = int(value) if isinstance(value, np.integer) else value
    try:
        with np.errstate(over="ignore"):
            near = float(exact)
    except OverflowError:
        return SIZE
    if exact == near or exact != exact:
        return NONE
    return SIZE if np.isinf(near) else LONGER


def _remedy(odd: Any) -> str:
    """What to do about entries that are no real numbers, of which `odd` is one."""
    if type(odd).__name__ in GAPS:
        odd = None
    return next(remedy for kind, remedy in REMEDIES.items() if isinstance(odd, kind))


RESCALE = "Rescale {} first"  # the columns
REMEDIES: dict[Any, str] = {  # by the first type that fits
    type(None): "Drop or impute missing values first",
    np.datetime64: "Convert dates to numbers: subtract a reference date and divide by "
    "`np.timedelta64(1, 's')`",
    np.timedelta64: "Convert durations to numbers: divide by `np.timedelta64(1, 's')`",
    date: "Convert a column of dates to numbers: `np.array(dates, dtype='M8[s]').astype(float)` counts "
    "seconds from 1970",
    complex | np.complexfloating: "Pass the real and imaginary parts as separate features",
    str | bytes: "Encode text and categories as numbers first",
    Number: "Convert them with `np.asarray({}, dtype=float)`, which rounds them to about 16 digits",
    object: "Pass an array of numbers, or a list of rows of numbers",
}


def _finite(values: Array, name: str, first: int, below: float) -> Array | Refusal:
    flat = values.ravel()
    square = np.vdot(flat, flat)  # without a warning if it overflows
    # Half of below² leaves room for roundings. All is false for NaN; most is decided in one pass.
    if square < below * below / 2 or (values.min() > -below and values.max() < below):
        return values
    bad = ~(np.abs(values) < below)  # also true for NaN
    value = values[tuple(np.argwhere(bad)[0])]
    limit, remedy = "finite", "Drop or impute such values first"
    if np.isfinite(value):
        limit, remedy = f"below {below:g} in absolute value", RESCALE
    return _refusal(SIZE, f"`{name}` must be {limit}", f"{value:g}", bad, first, remedy)


def labels_or_refusal(raw: NDArray[Any], *, first: int = 0) -> Array | Refusal:
    """A block of labels as -1.0 and +1.0, if each of them is one of the two."""
    plain = np.asarray(raw)
    if plain.dtype.kind in "iuf":
        right = np.asarray(abs(plain) == 1)
    else:
        right = np.array([_is_label(v) for v in plain], dtype=bool)
    if right.all() and not np.ma.is_masked(raw):
        return plain.astype(np.float64)
    if (fault := _missing_label(raw, first)) is not None:
        return fault
    found = _first_labels([_plain(v) for v in plain.tolist()])
    got = _short(plain[np.argmin(right)])
    return _refusal(LABEL, ONLY_LABELS, got, ~right, first, "", found=found)


def _is_label(value: Any) -> bool:
    return _is_number(value) and not isinstance(value, bool | np.bool_) and abs(value) == 1


def _missing_label(raw: NDArray[Any], first: int) -> Refusal | None:
    gaps = np.ma.getmaskarray(raw) | _missing(np.asarray(raw))
    if not gaps.any():
        return None
    at = int(np.argmax(gaps))
    got = "a masked one" if np.ma.getmaskarray(raw)[at] else _short(raw[at])
    remedy = "Drop the samples without a label first"
    return _refusal(GAP, "`y` must have no missing labels", got, gaps, first, remedy)


def _missing(raw: NDArray[Any]) -> Bools:
    if raw.dtype.kind == "O":
        gaps = [type(v).__name__ in GAPS or (_is_number(v) and v != v) for v in raw]
        return np.array(gaps, dtype=bool)
    return np.isnan(raw) if raw.dtype.kind == "f" else np.zeros(len(raw), dtype=bool)


def _first_labels(labels: Sequence[Any]) -> Sequence[Any]:
    """The first distinct labels in their order, one more than a message lists."""
    try:
        return sorted(set(labels))[: FEW + 1]
    except TypeError:  # labels of several types, text last, or without a hash
        distinct = {_short(label): label for label in labels}.values()
        return sorted(distinct, key=lambda v: (isinstance(v, str | bytes), str(v)))[: FEW + 1]


def mapping_remedy(found: Sequence[Any], how: str) -> str:
    """What makes -1 and +1 of other labels, none of them by mistake; `how` has room for the second one."""
    if len(found) == 2:
        return f"Map them with {how.format(repr(found[1]))}"
    if len(found) < 2:
        return "Pass -1 for the samples of one class and +1 for those of the other"
    one = how.format("label")
    return f"Keep two classes and map them to -1 and +1, or separate one `label` from all others with {one}"


def missing_labels_remedy(raw: NDArray[Any], y: Any, X: Any) -> str:
    """The line that drops the samples without a label, for what came."""
    if np.ma.isMaskedArray(raw):
        kept = "~np.ma.getmaskarray(y)"
    elif hasattr(y, "notna"):
        kept = "y.notna().to_numpy()"
    else:
        kept = "pandas.notna(y)" if raw.dtype == object else "~np.isnan(y)"
    chosen = [
        f"{name}[keep]" if _sliced_by_masks(values) else f"np.asarray({name})[keep]"
        for name, values in (("X", X), ("y", y))
    ]
    return f"Drop those samples: `keep = {kept}; X, y = {', '.join(chosen)}`"


def _sliced_by_masks(values: Any) -> bool:
    return isinstance(values, np.ndarray) or any(
        hasattr(values, name) for name in ("iloc", "tocsr", "to_delayed")
    )


_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 40


def _short(value: Any) -> str:
    """An entry, for a message: 0 for 0.0, 'a' for np.str_('a')."""
    value = _plain(value)
    if isinstance(value, np.longdouble):
        return str(value)
    return f"{value:g}" if isinstance(value, float) else _SHORT.repr(value)


def _plain(value: Any) -> Any:
    """Python's value of one of NumPy's, where it is the same."""
    same = isinstance(value, np.generic) and not isinstance(value, np.longdouble)
    return value.item() if same and value.dtype.kind not in "mMV" else value


def check_edges(edges: Any) -> list[list[Any]]:
    """Return `edges` as lists of two vertices.

    >>> check_edges(3)
    Traceback (most recent call last):
        ...
    ValueError: `edges` must be pairs of vertices; got 3.
    """
    ends = [_list_of_edges(edge) for edge in _list_of_edges(edges)]
    if wrong := [edge for edge in ends if len(edge) != 2]:
        raise ValueError(f"`edges` must be pairs of vertices; got {described(wrong[0])}.")
    return ends


def _list_of_edges(edges: Any) -> list[Any]:
    if not isinstance(edges, Iterable):
        raise ValueError(f"`edges` must be pairs of vertices; got {described(edges)}.")
    return list(edges)


def described(value: Any) -> str:
    """An argument, for a message: an array by its shape, anything else as it was written, if that is short.

    >>> described(np.zeros((24, 2))), described("odd"), described([1, 2])
    ('an array of shape (24, 2)', "'odd'", '[1, 2]')
    """
    shape = getattr(value, "shape", ())
    return f"an array of shape {shape}" if shape else _SHORT.repr(_plain(value))


def _few(values: Sequence[Any]) -> str:
    """At most five of the values, for a message."""
    return f"[{', '.join(map(_short, values[:FEW]))}{', …' if len(values) > FEW else ''}]"
