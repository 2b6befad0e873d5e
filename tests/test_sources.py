"""From every source numbers and labels are read alike, and what is none is refused alike, with its row."""

import os
import re
import signal
import threading
import time
from decimal import Decimal
from fractions import Fraction
from importlib.util import find_spec

import numpy as np
import pytest
from scipy import sparse

import linlearn as ll
from linlearn.out_of_core import sources
from linlearn.out_of_core.tree_reduction import one_thread

N, LATE = 160, 123
RNG = np.random.default_rng(0)
POINTS = RNG.integers(-9, 9, (N, 3)).astype(np.float64)
SIGNS = np.where(POINTS @ [1, -2, 0.5] + 4 * RNG.standard_normal(N) > 0, 1, -1)
LONG = np.longdouble


class Leaves(Exception):
    """A source cannot hold such entries."""


def needed(*modules):
    for module in modules:
        if find_spec(module) is None:
            pytest.skip(f"{module} not installed: an extra of linlearn that is not there")


def columns(X):
    """Its columns as a data frame, each of the kind that its entries have."""
    import pandas as pd

    if np.ma.isMaskedArray(X):
        raise Leaves
    found = {f"x{j}": pd.Series(X[:, j]) for j in range(3)}
    alike = {name for name, one in found.items() if len(set(map(type, one))) == 1}
    return pd.DataFrame({k: v.infer_objects() if k in alike else v for k, v in found.items()})


def requires_memory(X, y, folder):
    return X, y


def as_lists(X, y, folder):
    if np.ma.isMaskedArray(X) or X.dtype.kind in "M":
        raise Leaves
    return list(map(list, X)), y


def as_table(X, y, folder):
    needed("pandas")
    return columns(X), y


def as_map(X, y, folder):
    if X.dtype == object or np.ma.isMaskedArray(X):
        raise Leaves
    np.save(folder / "X.npy", X)
    return np.load(folder / "X.npy", mmap_mode="r"), y


def as_sparse(X, y, folder):
    if X.dtype.kind not in "biufc" or np.ma.isMaskedArray(X) or X.dtype == np.float16:
        raise Leaves
    return sparse.csr_array(X), y


def column(y):
    import pandas as pd

    return pd.array(y, dtype="Int64") if y.dtype == object else y


def as_file(X, y, folder):
    needed("pyarrow", "pandas")
    import pyarrow as pa
    import pyarrow.parquet as pq

    if X.dtype == object and {type(v) for v in X.ravel()} - {float, int, type(None), Decimal}:
        raise Leaves
    if {float, int} <= {type(v) for v in X.ravel()}:  # Arrow itself would round
        raise Leaves
    table = columns(X).assign(label=column(y))
    try:
        pq.write_table(pa.Table.from_pandas(table), folder / "X.parquet", row_group_size=17)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
        raise Leaves from None
    return folder / "X.parquet", "label"


def as_chunks(X, y, folder):
    needed("dask")
    import dask.array as da

    return da.from_array(X, chunks=64, asarray=False), y


def as_partitions(X, y, folder):
    needed("dask", "pandas")
    import dask.dataframe as dd

    if X.dtype == object:  # Dask makes text of objects
        raise Leaves
    return dd.from_pandas(columns(X).assign(label=column(y)), chunksize=64), "label"


HERE = {"array": requires_memory, "lists": as_lists, "table": as_table}
BLOCKS = {"map": as_map, "sparse": as_sparse, "file": as_file, "chunks": as_chunks}
BLOCKS["partitions"] = as_partitions
SOURCES = HERE | BLOCKS


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Three blocks of 64 rows at most."""
    monkeypatch.setattr(sources, "PIECE", 2**6)
    monkeypatch.setattr(sources, "LEAF", 2**6)


def source(name, X, y, folder):
    try:
        return SOURCES[name](X, y, folder)
    except Leaves:
        pytest.skip("such entries cannot lie there")


def spoiled(entry, kind=None, points=POINTS):
    """The samples with one entry of another kind, in row 123, column 1."""
    X = points.astype(object if kind is None else kind)
    X[LATE, 1] = entry
    return X


REAL, HELD = "must hold real numbers", "must hold numbers that float64 represents exactly"
FINITE = "must be finite"
BAD = {
    "a gap": (spoiled(np.nan, float), f"{FINITE}; got nan", LATE, 1),
    "infinity": (spoiled(-np.inf, float), f"{FINITE}; got -inf", LATE, 1),
    "too large": (spoiled(1e200, float), "must be below 1e", LATE, 1),
    "whole numbers": (spoiled(2**60 + 1, np.int64), HELD, LATE, 1),
    "positive ones": (spoiled(2**64 - 1, np.uint64, np.abs(POINTS)), HELD, LATE, 1),
    "whole among others": (np.where(POINTS == 9, 0.5, spoiled(2**53 + 1)), HELD, LATE, 1),
    "None": (spoiled(None), rf"({REAL}; got None|{FINITE}; got nan)", LATE, 1),
    "a mask": (
        np.ma.masked_array(POINTS, spoiled(7e9, float) == 7e9),
        "must have no masked entries",
        LATE,
        1,
    ),
    "complex": (POINTS + 0j, rf"{REAL}; got .* of type complex", 0, 0),
    "dates": (POINTS.astype("M8[s]"), rf"{REAL}; got .* of type (datetime|timestamp)", 0, 0),
    "words": (POINTS.astype(str), rf"{REAL}; got .* of type", 0, 0),
    "a word": (spoiled("ten"), rf"{REAL}; got 'ten' of type str", LATE, 1),
    "a decimal": (spoiled(Decimal("0.1")), rf"{REAL}; got Decimal\('0.1'\)", LATE, 1),
    "a fraction": (spoiled(Fraction(1, 3)), rf"{REAL}; got Fraction\(1, 3\)", LATE, 1),
}
if np.finfo(LONG).nmant > 52:
    longer = LONG(1) + LONG(2) ** -60
    BAD["longer floats"] = (spoiled(longer, LONG), HELD, LATE, 1)
    BAD["a longer float"] = (spoiled(longer), HELD, LATE, 1)


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("kind", BAD)
def test_what_is_no_number_is_refused_alike(kind, name, tmp_path):
    entries, said, row, column = BAD[kind]
    X, y = source(name, entries, SIGNS, tmp_path)
    where = f"row {row}(| of .*), column ({column}|'x{column}')"
    with pytest.raises(ValueError, match=rf"^`X` {said}.* at {where}") as told:
        ll.least_squares(X, y)
    assert "{}" not in str(told.value)  # the remedy names the columns


GOOD = {
    "doubles": POINTS,
    "single": POINTS.astype(np.float32),
    "half": POINTS.astype(np.float16),
    "long": POINTS.astype(LONG),
    "whole": POINTS.astype(np.int64),
    "short": POINTS.astype(np.int8),
    "objects": POINTS.astype(object),
    "whole objects": POINTS.astype(int).astype(object),
    "long objects": np.array([list(map(LONG, row)) for row in POINTS], dtype=object),
    "no mask": np.ma.masked_array(POINTS),
    "columns": np.ascontiguousarray(POINTS.T).T,
}


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("kind", GOOD)
def test_what_is_a_number_is_read_alike(kind, name, tmp_path):
    """The same bits from all that lies in memory, and from all that does not."""
    X, y = source(name, GOOD[kind], SIGNS, tmp_path)
    known = ll.least_squares(POINTS if name in HERE else sparse.csr_array(POINTS), SIGNS)
    assert np.array_equal(ll.least_squares(X, y).plane.a, known.plane.a)


def test_truth_values_and_columns_of_several_kinds_are_numbers(tmp_path):
    needed("pandas", "dask", "pyarrow")
    import dask.dataframe as dd
    import pandas as pd

    table = pd.DataFrame(
        {
            "old": POINTS[:, 0] > 0,
            "size": POINTS[:, 1].astype(np.int64) + 2**20,
            "share": POINTS[:, 2] / 7,
            "count": pd.array(POINTS[:, 0].astype(int) ** 2, dtype="Int64"),
        }
    )
    X = table.to_numpy(np.float64)
    known = ll.logistic(sparse.csr_array(X), SIGNS, lam=0.1)
    assert ll.logistic(table, SIGNS, lam=0.1).certificate.upper == pytest.approx(
        known.certificate.upper
    )
    whole = table.assign(label=SIGNS)
    whole.to_parquet(tmp_path / "X.parquet")
    for found in (tmp_path / "X.parquet", dd.from_pandas(whole, chunksize=64)):
        assert np.array_equal(ll.logistic(found, "label", lam=0.1).plane.a, known.plane.a)


def test_columns_of_a_table_are_not_rounded_together():
    """NumPy makes floats of a column of whole numbers that stands beside one of floats."""
    needed("pandas")
    import pandas as pd

    table = pd.DataFrame({"time": [2**60 + 1, 2**60], "share": [0.5, 0.5]})
    for method in (ll.separate, ll.estimators.LeastSquares().fit):
        with pytest.raises(
            ValueError, match=r"float64 represents exactly; got 1152921504606846977 at "
        ):
            method(table, [-1, 1])
    with pytest.raises(ValueError, match="9007199254740993 at row 1, column 0"):
        ll.separate([[0.5], [2**53 + 1]], [-1, 1])
    masked = np.ma.masked_array([[1.0], [2.0]], [[True], [False]])
    for X in (masked, list(masked)):
        for method in (ll.separate, ll.estimators.LeastSquares().fit):
            with pytest.raises(ValueError, match="masked entries; got a masked one at row 0"):
                method(X, [-1, 1])


# -- labels ---------------------------------------------------------------------------------------------


def labels(entry, kind=object):
    y = SIGNS.astype(kind)
    y[LATE] = entry
    return y


GAPS = {
    "nan": labels(np.nan, float),
    "None": labels(None),
    "masked": np.ma.masked_array(SIGNS, np.arange(N) == LATE),
}
OTHERS = {
    "zeros and ones": (
        np.maximum(SIGNS, 0),
        r"\[0, 1\] \(\d+ samples have other labels, such as 0 at",
        1,
    ),
    "words": (np.where(SIGNS > 0, "spam", "ham"), r"\['ham', 'spam'\]", "spam"),
    "digits": (SIGNS.astype(str), r"\['-1', '1'\]", "1"),
    "truths": (SIGNS > 0, r"\[False, True\]", True),
    "many": (
        np.arange(N),
        r"\[0, 1, 2, 3, 4, …\] \(\d+ samples have other labels, such as 0 at row 0",
        None,
    ),
}


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("kind", GAPS)
def test_missing_labels_are_refused_and_the_remedy_drops_them(kind, name, tmp_path):
    """What the message says is run: the samples with a label are left, and no other sample is made."""
    if kind == "masked" and name in ("file", "partitions"):
        pytest.skip("columns of tables have no masks")
    X, y = source(name, POINTS, GAPS[kind], tmp_path)
    with pytest.raises(
        ValueError, match=r"^`y` must have no missing labels; got .* row 123"
    ) as told:
        ll.least_squares(X, y)
    left = np.arange(N) != LATE
    if name == "chunks":  # labels in chunks, too
        import dask.array as da

        there = da.from_array(y, chunks=50, asarray=False)
        with pytest.raises(ValueError, match=r"no missing labels; got .* row 123") as also:
            ll.least_squares(X, there)
        dropped = run_remedy(also, X, there)
        assert ll.least_squares(dropped["X"], dropped["y"]).certificate.lower > 0
        with pytest.raises(ValueError, match="`y` must have chunks of known lengths"):
            ll.least_squares(X, there[there != 7])
    known = ll.least_squares(POINTS[left], SIGNS[left]).certificate
    world = run_remedy(told, X, y)
    found = ll.least_squares(world["X"], world["y"]).certificate
    assert found.upper == pytest.approx(known.upper)


def run_remedy(told, X, y):
    """What the code in a message makes of X and y."""
    import pandas

    world = {"np": np, "pandas": pandas, "X": X, "y": y, "path": X}
    remedy = str(told.value).split("). ")[-1]
    lines = re.findall(r"`([^`]*[=(][^`]*)`", remedy)
    assert lines, remedy
    for line in lines:
        if line.startswith("np.where"):
            world["y"] = eval(line, world)
        else:
            exec(line, world)
    return world


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("kind", OTHERS)
def test_other_labels_are_refused_and_the_remedy_maps_them(kind, name, tmp_path):
    y, said, positive = OTHERS[kind]
    X, y = source(name, POINTS, y, tmp_path)
    with pytest.raises(
        ValueError, match=rf"^`y` must contain only the labels -1 and \+1; got .*{said}"
    ) as told:
        ll.least_squares(X, y)
    if positive is None:
        assert "from all others" in str(told.value)
        return
    world = run_remedy(told, X, y)
    found = ll.least_squares(world["X"], world["y"]).certificate
    assert found.upper == pytest.approx(ll.least_squares(POINTS, SIGNS).certificate.upper)


@pytest.mark.parametrize("name", ["array", "map", "sparse", "chunks"])
def test_shapes_are_refused_alike(name, tmp_path):
    X, y = source(name, POINTS, SIGNS, tmp_path)
    for labels_, said in (
        (
            SIGNS[:-1],
            "`X` and `y` must have the same number of samples; got 160 rows and 159 labels",
        ),
        (SIGNS[:, None], r"`y` must have shape \(n,\), one label per sample; got shape \(160, 1\)"),
        (SIGNS[:0], "`y` must hold at least one label; got none"),
        ("label", "`y` must have (shape|the column|.*label)"),
        (np.ones(N), r"`y` must contain both labels -1 and \+1; got only \+1"),
        (sparse.csr_array(SIGNS[None]), "`y` must be a dense array; got csr_array"),
    ):
        with pytest.raises(ValueError, match=said):
            ll.least_squares(X, labels_)
    for shape in ((N,), (N, 3, 1)):
        if name == "sparse" and len(shape) > 2:
            continue
        if name == "sparse":
            odd = sparse.coo_array(POINTS[:, 0])
        else:
            odd, _ = source(name, POINTS.ravel()[: int(np.prod(shape))].reshape(shape), y, tmp_path)
        with pytest.raises(ValueError, match=r"`X` must have shape \(n, d\), .*; got shape \(160,"):
            ll.least_squares(odd, SIGNS)
    if name != "map":  # of an empty file there is no map
        none, _ = source(name, POINTS[:0], y, tmp_path)
        with pytest.raises(
            ValueError, match=r"at least one sample and one feature; got shape \(0, 3\)"
        ):
            ll.least_squares(none, SIGNS)
        with pytest.raises(ValueError, match=r"one feature; got shape \(160, 0\)"):
            ll.least_squares(source(name, POINTS[:, :0], y, tmp_path)[0], SIGNS)


def test_columns_of_labels_must_be_there_once(tmp_path):
    needed("pyarrow", "pandas", "dask")
    import dask.dataframe as dd
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq

    frame = dd.from_pandas(columns(POINTS).assign(label=SIGNS), npartitions=2)
    with pytest.raises(ValueError, match=r"`X` must have the column 'target' .* x0, x1, x2, label"):
        ll.fisher(frame, "target")
    with pytest.raises(ValueError, match=r"got Bag|must be a Dask array or data frame"):
        ll.fisher(frame.to_bag(), "label")
    with pytest.raises(ValueError, match="must have shape"):
        ll.fisher(frame["x0"], SIGNS)
    twice = pa.Table.from_arrays([pa.array(POINTS[:, 0])] * 2 + [pa.array(SIGNS)], ["a", "a", "y"])
    pq.write_table(twice, tmp_path / "twice.parquet")
    with pytest.raises(ValueError, match=r"names differ within each file; .*twice.parquet has 'a'"):
        ll.fisher(tmp_path / "twice.parquet", "y")
    pq.write_table(twice.select([2]), tmp_path / "none.parquet")
    with pytest.raises(ValueError, match=r"one feature; got shape \(160, 0\)"):
        ll.fisher(tmp_path / "none.parquet", "y")
    empty = pd.DataFrame({"a": [1.0], "y": [1]})[:0]
    empty.to_parquet(tmp_path / "empty.parquet")
    with pytest.raises(ValueError, match=r"one feature; got shape \(0, 1\)"):
        ll.fisher(tmp_path / "empty.parquet", "y")


def test_the_first_fault_of_all_blocks_is_told_and_all_are_counted(tmp_path):
    """Whichever worker is done first, and however the blocks are cut."""
    X = np.repeat(POINTS, 125, axis=0)
    X[[11_111, 19_999], [2, 0]] = np.nan
    for name in ("array", "map", "sparse", "chunks", "file"):
        there, y = source(name, X, np.repeat(SIGNS, 125), tmp_path)
        said = r"got nan at row 11111(| of .*), column .*2'? \(2 such entries\)"
        with pytest.raises(ValueError, match=said):
            ll.least_squares(there, y)


# -- processes -------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_no_fork_waits_for_a_lock_of_its_parent():
    """Forty of them while another thread has it, as it does for a moment in every reading."""
    X, held, go = sparse.csr_array(POINTS), threading.Event(), threading.Event()
    known = ll.least_squares(X, SIGNS).plane.a

    def hold():
        with one_thread(), one_thread().lock:
            held.set()
            go.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    children = []
    try:
        for _ in range(40):
            pid = os.fork()
            if not pid:
                right = np.array_equal(ll.least_squares(X, SIGNS).plane.a, known)
                os._exit(0 if right and one_thread().users == 0 else 1)
            children.append(pid)
            if len(children) % 20 == 0:
                assert [finished(child) for child in children[-20:]] == [0] * 20
    finally:
        go.set()
        thread.join()
    assert one_thread().users == 0 and one_thread().limit is None


def finished(pid):
    """The exit code of a process, which is ended if it takes too long."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return "it waits for ever"
