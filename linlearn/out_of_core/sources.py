"""Sources of samples (arrays, sparse, Parquet, Dask), read in pieces and summed on threads or workers."""

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from linlearn._progress_bar import with_progress
from linlearn.out_of_core.tree_reduction import LARGE, Node, Read, merged, read
from linlearn.validation import (
    GAP,
    LABEL,
    Refusal,
    as_column,
    check_column,
    check_lengths,
    check_shape,
    floats_or_refusal,
    mapping_remedy,
    missing_labels_remedy,
)

LEAF = 2**17  # entries of a leaf: a megabyte of float64, which stays in cache
PIECE = 2**20  # entries of a piece, of which each thread holds one: 8 MiB
GROUP = 16  # pieces whose parts are joined on a worker before they travel


class Source:
    """Samples in pieces. This class: what can be sliced, such as an array, a memory map or a CSR matrix."""

    names: Sequence[Any] = ()  # of the features, where they have any

    def __init__(self, X: Any, y: Any) -> None:
        self._shape(X.shape)
        self.X, self.y = X, as_column(y)
        check_lengths(self.n, len(self.y))
        size = self.leaf * 2 ** max(0, int(np.log2(PIECE / self.d / self.leaf)))
        self.lengths = [min(size, self.n - at) for at in range(0, self.n, size)]

    def _shape(self, shape: Sequence[int]) -> None:
        self.n, self.d = check_shape(shape)
        self.leaf = 2 ** int(np.clip(np.log2(LEAF / self.d), 6, 12))

    @property
    def _columns(self) -> Sequence[Any]:
        """What messages call the features: their names, or else numbers."""
        return self.names or range(self.d)

    @property
    def leaves(self) -> list[int]:
        """How many leaves each piece has."""
        return [-(-length // self.leaf) for length in self.lengths]

    def pieces(self) -> Iterator[Any]:
        """(x, y) of each piece in order, or what loads them where the work is done."""
        for first, length in zip(self._starts(self.lengths), self.lengths, strict=True):
            yield partial(_sliced, self.X, self.y, slice(first, first + length))

    def read(self, f: Read, *args: Any) -> Iterator[list[Node]]:
        """The nodes of each piece, in order; at most one piece more than there are threads is held."""
        workers, total = min(threads(), len(self.lengths)), len(self.lengths)
        pieces = with_progress(self.pieces(), total=total, unit="blocks read", progress=None)
        tasks = ((*task, self.leaf, f, args) for task in self._tasks(pieces))
        if workers == 1:
            yield from (read(*task) for task in tasks)
            return
        waiting: deque[Any] = deque()
        with ThreadPoolExecutor(workers) as pool:
            try:
                for task in tasks:
                    waiting.append(pool.submit(read, *task))
                    if len(waiting) > workers:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                pool.shutdown(cancel_futures=True)

    def place(self, row: int, column: int) -> str:
        """Where a sample lies, for whoever must find it there; column -1 is the label."""
        return f"row {row}" + (f", column {self._columns[column]!r}" if column >= 0 else "")

    def refused(self, fault: Refusal) -> ValueError:
        """What is told of the first fault among the samples: where it is, and what to do about it there."""
        remedy = fault.rescaled(self._columns) or self._remedy(fault)
        return fault.error(self.place(fault.row, fault.column), remedy)

    def _remedy(self, fault: Refusal) -> str:
        """What is better done about the labels of this source than what is said of an array's, or ""."""
        return missing_labels_remedy(self.y, self.y, self.X) if fault.rank == GAP else ""

    def _tasks(self, pieces: Iterable[Any]) -> Iterator[tuple[Any, int, int]]:
        """Each piece with the numbers of its first sample and of its first leaf."""
        firsts, first_leaves = self._starts(self.lengths), self._starts(self.leaves)
        return zip(pieces, firsts, first_leaves, strict=True)

    @staticmethod
    def _starts(lengths: Sequence[int]) -> list[int]:
        return list(accumulate(lengths, initial=0))[:-1]


def _sliced(X: Any, y: Any, rows: slice) -> tuple[Any, Any]:
    return X[rows], y[rows]


def threads() -> int:
    """How many pieces are worked on at once: OMP_NUM_THREADS if that is set, else the processors."""
    given = os.environ.get("OMP_NUM_THREADS", "")
    if given.isdecimal() and int(given):
        return int(given)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class ParquetSource(Source):
    """Parquet files, one after the other; every column but `label` and the index of pandas is a feature."""

    def __init__(self, X: Any, label: Any) -> None:
        self.paths = _files([X] if isinstance(X, str | os.PathLike) else X)
        if not isinstance(label, str):
            raise ValueError(
                f"`y` must be the name of the column of labels if `X` is a path; got {type(label).__name__}."
            )
        self.label, self.rows, self.names = label, [], []
        for path in self.paths:
            with self._opened(path) as file:
                self._check(path, file.schema_arrow)
                self.rows.append(file.metadata.num_rows)
        n, d = sum(self.rows), len(self.names)
        super().__init__(np.broadcast_to(0.0, (n, d)), np.broadcast_to(0.0, (n,)))

    def _check(self, path: str, schema: Any) -> None:
        if twice := {name for name in schema.names if schema.names.count(name) > 1}:
            raise ValueError(
                f"`X` must have columns whose names differ within each file; {path} has {min(twice)!r} more "
                "than once. Rename one of them."
            )
        index = (schema.pandas_metadata or {}).get("index_columns", [])
        known = [name for name in schema.names if name not in index]
        self.names = self.names or [name for name in known if name != self.label]
        missing = {*self.names, self.label} - set(schema.names)
        if missing:
            raise ValueError(
                f"`X` must have the column {min(missing)!r} in every file; {path} does not have it. Its "
                f"columns are {', '.join(schema.names[:8])}."
            )

    def _opened(self, path: str) -> Any:
        try:
            parquet = import_module("pyarrow.parquet")
        except ImportError:
            raise ModuleNotFoundError(
                "a path as `X` needs pyarrow, which is not installed. Install it with: pip install pyarrow"
            ) from None
        try:
            # Read ahead, row groups would stay in memory until their file is closed.
            return parquet.ParquetFile(path, buffer_size=2**15, pre_buffer=False)
        except FileNotFoundError:
            raise
        except (ValueError, OSError) as error:
            raise _unreadable(path, 0, error) from error

    def pieces(self) -> Iterator[Any]:
        """Of the lengths that are asked for, wherever a file or a group of its rows ends."""
        lengths = iter(self.lengths)
        held, wanted = [], next(lengths)
        for x, y in self._batches(wanted):
            while len(y):
                held.append((x[:wanted], y[:wanted]))
                x, y, wanted = x[wanted:], y[wanted:], wanted - len(held[-1][1])
                if not wanted:
                    yield tuple(map(np.concatenate, zip(*held, strict=True)))
                    held, wanted = [], next(lengths, 0)

    def _batches(self, size: int) -> Iterator[tuple[Any, Any]]:
        """The features and labels of some rows."""
        for path, rows in zip(self.paths, self.rows, strict=True):
            done = 0
            try:
                with self._opened(path) as file:
                    names = [*self.names, self.label]
                    for batch in file.iter_batches(size, columns=names, use_threads=False):
                        x = np.column_stack([_entries(batch[name], "biuf") for name in self.names])
                        yield x, _entries(batch[self.label], "iuf")
                        done += len(batch)
            except (ValueError, OSError) as error:
                raise _unreadable(path, done, error) from error
            if done != rows:
                raise _unreadable(path, done, f"it had {rows} rows when it was opened")

    def place(self, row: int, column: int) -> str:
        starts = self._starts(self.rows)
        k = int(np.searchsorted(starts, row, side="right")) - 1
        name = self.names[column] if column >= 0 else self.label
        return f"row {row - starts[k]} of {self.paths[k]}, column {name!r}"

    def _remedy(self, fault: Refusal) -> str:
        if fault.rank == GAP:
            return (
                "Drop those rows and write the file again: "
                f"`pandas.read_parquet(path).dropna(subset=[{self.label!r}]).to_parquet(path, index=False)`"
            )
        column = f"table[{self.label!r}]"
        how = (
            f"`table = pandas.read_parquet(path); {column} = np.where({column} == {{}}, 1, -1); "
            "table.to_parquet(path, index=False)` for each file"
        )
        return mapping_remedy(fault.found, how) if fault.rank == LABEL else ""


def _entries(column: Any, kinds: str) -> Any:
    """Floats, if they are of these kinds and exact; else what Python has, to be refused with its row."""
    values = column.to_numpy(zero_copy_only=False)
    if values.dtype.kind in kinds:
        floats = values.astype(np.float64)
        if values.dtype.kind == "f" or (np.abs(floats) < 2.0**53).all():
            return floats
    return np.fromiter(column.to_pylist(), object, len(column))


def _files(paths: Sequence[Any]) -> list[str]:
    """A folder stands for the Parquet files in it, in the order of their names."""
    found: list[str] = []
    for path in map(Path, paths):
        found += map(str, sorted(path.glob("*.parquet"))) if path.is_dir() else [str(path)]
    if not found:
        raise ValueError(
            f"`X` must name at least one Parquet file; no file that ends in .parquet was found in "
            f"{list(map(str, paths))}."
        )
    return found


def _unreadable(path: str, rows: int, why: object) -> ValueError:
    cause = str(why).rstrip(". ")
    return ValueError(
        f"`X` must consist of intact Parquet files; {path} cannot be read beyond row {rows}: {cause}. Write "
        "that file again."
    )


class DaskSource(Source):
    """A Dask array or data frame, on whichever scheduler is current. Its chunks are the pieces."""

    def __init__(self, X: Any, y: Any) -> None:
        self.X, self.y = X, y
        if getattr(X, "ndim", 2) == 1 and not hasattr(X, "chunks"):  # one column of a data frame
            check_shape((sum(_lengths(X.to_delayed())),))
        if hasattr(X, "columns"):
            self.names = _features(list(X.columns), y)
            delayed = list(X.to_delayed())
            lengths, d = _lengths(delayed), len(self.names)
        else:
            lengths, d, X = _known(X), X.shape[1], X.rechunk({1: -1})
            delayed = list(np.ravel(np.asarray(X.to_delayed(), dtype=object)))
        self._shape((sum(lengths), d))
        # A column is taken where its rows are: asked for alone, Dask might read it in other partitions.
        named = isinstance(y, str) and hasattr(X, "columns")
        labels = [y] * len(lengths) if named else _labels(y, lengths)
        kept = [k for k, length in enumerate(lengths) if length]
        self.lengths = [lengths[k] for k in kept]
        self.delayed = [(delayed[k], labels[k]) for k in kept]

    def _remedy(self, fault: Refusal) -> str:
        named, column = isinstance(self.y, str), f"X[{self.y!r}]"
        if fault.rank == LABEL and named:
            how = f"`{column} = 2 * ({column} == {{}}).astype(int) - 1`"
            return mapping_remedy(fault.found, how)
        if fault.rank != GAP:
            return ""
        if named:
            return f"Drop those rows: `X = X.dropna(subset=[{self.y!r}])`"
        if self.names:
            return "Make the labels a column of `X`, and drop those rows: `X = X.dropna(subset=[name])`"
        if hasattr(self.y, "to_delayed"):
            masked = fault.got == "a masked one"
            kept = "~np.ma.getmaskarray(y)" if masked else "pandas.notna(y)"
            return f"Drop those samples: `y = y.compute(); keep = {kept}; X, y = X[keep], y[keep]`"
        return missing_labels_remedy(as_column(self.y), self.y, self.X)

    def read(self, f: Read, *args: Any) -> Iterator[list[Node]]:
        dask = import_module("dask")
        args = dask.delayed(args, traverse=False, pure=False)  # sent once
        on, together = (dask.delayed(one, pure=False, traverse=False) for one in (_on, _merged))
        parts = [
            on(x, y, first, place, self.leaf, f, args)
            for (x, y), first, place in self._tasks(self.delayed)
        ]
        groups = [together(*parts[k : k + GROUP]) for k in range(0, len(parts), GROUP)]
        try:
            return iter(dask.compute(*groups))
        except Exception as error:
            if type(error).__name__ != "KilledWorker":
                raise
            raise RuntimeError(
                "each chunk of `X` must be readable by a worker; several workers died one after the other "
                "while reading the same chunk. Most often it does not fit in a worker's memory: call "
                "`X.rechunk` with fewer rows per chunk, or give the workers more memory."
            ) from error


def _on(x: Any, y: Any, *task: Any) -> list[Node]:
    """One task for a chunk: between two, the chunk might travel."""
    if isinstance(y, str):
        x, y = x.drop(columns=y), x[y]
    if hasattr(x, "iloc"):  # a table is checked column by column: as one array it might be rounded
        x = floats_or_refusal(x, first=task[0], below=LARGE)
        if isinstance(x, Refusal):
            return [Node(0, task[1], x)]
    return read((x, y if np.ma.isMaskedArray(y) else np.asarray(y)), *task)


def _features(columns: list[Any], label: Any) -> list[Any]:
    """The names of the columns that are features."""
    if isinstance(label, str) and columns.count(label) != 1:
        found = "several" if label in columns else "only " + ", ".join(map(str, columns[:8]))
        raise ValueError(
            f"`X` must have the column {label!r} of the labels exactly once; it has {found}. Pass the "
            "name of one column as `y`."
        )
    return [name for name in columns if not (isinstance(label, str) and name == label)]


def _merged(*parts: list[Node]) -> list[Node]:
    return merged(node for part in parts for node in part)


def _lengths(delayed: Sequence[Any]) -> list[int]:
    """How many rows the partitions have that are read."""
    dask = import_module("dask")
    return list(dask.compute(*map(dask.delayed(len), delayed)))


def _known(X: Any) -> list[int]:
    """The lengths of an array's chunks of rows."""
    if not hasattr(X, "chunks"):
        raise ValueError(
            f"`X` must be a Dask array or data frame; got {type(X).__name__}. Convert it with "
            "`.to_dataframe()`."
        )
    if len(X.shape) != 2:
        check_shape(X.shape)
    _check_known(X.shape, "X")
    return list(X.chunks[0])


def _check_known(shape: Sequence[float], name: str) -> None:
    if np.isnan(shape).any():
        raise ValueError(
            f"`{name}` must have chunks of known lengths; got unknown ones. Call "
            f"`{name}.compute_chunk_sizes()` first."
        )


def _labels(y: Any, lengths: list[int]) -> list[Any]:
    """The labels of each chunk, delayed or here."""
    n = sum(lengths)
    if hasattr(y, "to_delayed"):
        if hasattr(y, "rechunk"):
            check_column(y.shape)
            _check_known(y.shape, "y")
            check_lengths(n, y.shape[0])
            y = y.rechunk({0: tuple(lengths)})
        elif _lengths(y.to_delayed()) != lengths:
            raise ValueError(
                "`y` must have the partitions of `X`; their lengths differ. Pass the name of the "
                "label column instead."
            )
        return list(y.to_delayed())
    here = as_column(y)
    check_lengths(n, len(here))
    ends = np.cumsum(lengths).tolist()
    return [here[end - length : end] for end, length in zip(ends, lengths, strict=True)]


def source(X: Any, y: Any) -> Source:
    """What reads these samples."""
    if hasattr(X, "to_delayed"):
        return DaskSource(X, y)
    if isinstance(X, str | os.PathLike | list | tuple):
        return ParquetSource(X, y)
    return Source(X.tocsr() if hasattr(X, "tocsr") else X, y)
