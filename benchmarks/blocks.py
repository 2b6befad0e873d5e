"""Measure out-of-core fits and what a user would take instead: time, memory, traffic, at equal accuracy.

python -m benchmarks.blocks 1e6 1e7      writes samples (n × 50, single precision) into a temporary folder,
fits them from a memory map, from Parquet files and with worker processes of Dask, and lets the peers fit the
same, each job in a process of its own. The jobs take turns, `--rounds` times over, until one has had
`--seconds`; how far the peers' planes are from the optimum our certificates say. After every job the table is
written anew, to `--out` or the screen, a line a job:

    job, millions of samples, runs; medians of CPU seconds of all processes and of seconds on the clock; the
    least and the most of those; how many processors others kept busy meanwhile; MiB that anonymous memory
    grew by where you sit (a mapped file has none of it), at most; readings; kB that come back from one
    reading (the lower median) and from all; how far the value is above the least one, at most.

--jobs takes those whose names begin so, --folder a place with room. What has not ended after --patience
seconds is left out, and said.
"""

import argparse
import json
import pickle
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from statistics import median, median_low

import numpy as np

D, ROWS, FILES = 50, 100_000, 10
LAM = 1e-6  # and C = 1/nλ
# The default rate begins at steps so large for this penalty that a pass ends twenty times above the optimum.
SGD = dict(learning_rate="constant", eta0=0.01, average=True, random_state=0)
# (fit, what reads it): how samples are given, up to how many of them.
JOBS = {
    "logistic, memory map": ("memmap", 1e7),
    "logistic, memory map, two readings": ("memmap", 1e7),
    "logistic, Parquet": ("parquet", 1e7),
    "logistic, one worker of Dask": ("1", 1e7),
    "logistic, two workers of Dask": ("2", 1e7),
    "logistic, two workers, small chunks": ("chunks", 1e6),
    "logistic, half of them on one worker": ("half", 1e6),
    "logistic, two workers, Parquet": ("frame", 1e7),
    "svm, memory map": ("memmap", 1e7),
    "svm, Parquet": ("parquet", 1e7),
    "svm, one worker of Dask": ("1", 1e6),
    "svm, two workers of Dask": ("2", 1e6),
    "svm, half of them on one worker": ("half", 1e6),
    "svm, two workers, Parquet": ("frame", 1e7),
    "linear_program, memory map": ("memmap", 1e6),
    "logistic, SGDClassifier, a pass": ("memmap", 1e7),
    "logistic, SGDClassifier, ten passes": ("memmap", 1e6),
    "svm, SGDClassifier, a pass": ("memmap", 1e7),
    "logistic, statsmodels, in memory": ("memory", 1e6),
    "logistic, dask-ml, two workers": ("2", 1e6),
    "logistic, Spark's MLlib": ("parquet", 1e7),
    "svm, Spark's MLlib": ("parquet", 1e6),
}
WORKERS = {"1": 1, "half": 1, "2": 2, "chunks": 2, "frame": 2}
HEAD = "job,millions,runs,cpu,wall,least,most,others,mib,readings,back,all,off"


def write(folder: Path, n: int) -> None:
    """X.npy, y.npy and the same in Parquet files."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    r = np.random.default_rng(0)
    w, scale = r.standard_normal(D) / 7, np.geomspace(0.2, 5, D)
    X = np.lib.format.open_memmap(folder / "X.npy", "w+", np.float32, (n, D))
    y = np.empty(n, dtype=np.int8)
    (folder / "files").mkdir()
    for k, part in enumerate(np.array_split(np.arange(n), FILES)):
        writer = None
        for rows in np.array_split(part, max(1, len(part) // ROWS)):
            z = r.standard_normal((len(rows), D), dtype=np.float32)
            y[rows] = np.where(z @ w + r.logistic(size=len(rows)) > 0, 1, -1)
            X[rows] = z * scale + 1
            columns = {f"x{j}": X[rows, j] for j in range(D)} | {"y": y[rows]}
            table = pa.table(columns)
            writer = writer or pq.ParquetWriter(folder / f"files/{k:02}.parquet", table.schema)
            writer.write_table(table)
        writer.close()
    np.save(folder / "y.npy", y)


@contextmanager
def watched() -> Iterator[Callable[[], float]]:
    """What anonymous memory has grown by at most, in MiB, looked at every 10 ms."""
    start, most, stop = anonymous(), [0.0], threading.Event()

    def look() -> None:
        while not stop.wait(0.01):
            most[0] = max(most[0], anonymous() - start)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield lambda: most[0]
    finally:
        stop.set()
        thread.join()


def anonymous() -> float:
    lines = Path("/proc/self/status").read_text("utf8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon")) / 1024


@contextmanager
def counted() -> Iterator[dict]:
    """Readings, and kB that each sends to every worker and gets back: of the pickles that travel."""
    from linlearn.out_of_core.samples import SampleSums
    from linlearn.out_of_core.sources import DaskSource

    found: dict = {"readings": 0, "there": [], "back": []}
    total, read = SampleSums.total, DaskSource.read

    def counting(self, f, *args):
        found["readings"] += self.n > ROWS  # not those of the pilot
        return total(self, f, *args)

    def weighed(self, f, *args):
        found["there"].append(len(pickle.dumps(args)) / 1e3)
        found["back"].append(0.0)
        for nodes in read(self, f, *args):
            found["back"][-1] += len(pickle.dumps(nodes)) / 1e3
            yield nodes

    SampleSums.total, DaskSource.read = counting, weighed
    try:
        yield found
    finally:
        SampleSums.total, DaskSource.read = total, read


def samples(folder: Path, kind: str):
    """(X, y) as `linlearn` takes them."""
    if kind == "parquet":
        return folder / "files", "y"
    X, y = np.load(folder / "X.npy", mmap_mode="r"), np.load(folder / "y.npy")
    if kind == "frame":
        import dask.dataframe as dd

        return dd.read_parquet(folder / "files", split_row_groups=True), "y"
    if kind in WORKERS:
        n = len(y) // 2 if kind == "half" else len(y)
        return on_workers(folder, n, X.shape[1], 2**12 if kind == "chunks" else 2**16), y[:n]
    return (np.array(X, dtype=np.float64) if kind == "memory" else X), y


def on_workers(folder: Path, n: int, d: int, rows: int):
    """A Dask array whose chunks are read where the work is done: the file itself does not travel."""
    import dask
    import dask.array as da

    cuts = [(a, min(a + rows, n)) for a in range(0, n, rows)]
    load = dask.delayed(chunk)
    parts = [
        da.from_delayed(load(str(folder / "X.npy"), a, b), (b - a, d), np.float32) for a, b in cuts
    ]
    return da.concatenate(parts)


def chunk(path: str, a: int, b: int):
    return np.load(path, mmap_mode="r")[a:b]


# -- what a user would take instead: (X, y, folder) ↦ (w, b) ---------------------------------------------


def sgd(X, y, folder: Path, method: str, passes: int = 1) -> np.ndarray:
    """Passes of scikit-learn's averaged stochastic gradient, standardised by the first rows."""
    from sklearn.linear_model import SGDClassifier

    mean, scale = X[:ROWS].mean(axis=0), X[:ROWS].std(axis=0)
    model = SGDClassifier(loss={"logistic": "log_loss", "svm": "hinge"}[method], alpha=LAM, **SGD)
    for rows in np.array_split(np.arange(len(y)), max(1, len(y) // ROWS)) * passes:
        model.partial_fit((X[rows] - mean) / scale, y[rows], classes=[-1, 1])
    w = model.coef_[0] / scale
    return np.append(w, model.intercept_[0] - w @ mean)


def statsmodels(X, y, folder: Path, method: str) -> np.ndarray:
    """Maximum likelihood by Newton: no penalty, which at λ = 1e-6 changes the objective by less than 1e-6."""
    from statsmodels.api import Logit, add_constant

    found = Logit((y > 0).astype(float), add_constant(X, prepend=False)).fit(disp=0)
    return np.asarray(found.params)


def dask_ml(X, y, folder: Path, method: str) -> np.ndarray:
    """Its Newton, which like the others takes no memory map: a Dask array on the same workers."""
    import dask.array as da
    from dask_ml.linear_model import LogisticRegression

    model = LogisticRegression(solver="newton", penalty="l2", C=1 / (LAM * len(y)), max_iter=20)
    model.fit(X, da.from_array((y > 0).astype(float), chunks=(X.chunks[0],)))
    return np.append(model.coef_, model.intercept_)


def mllib(X, y, folder: Path, method: str) -> np.ndarray:
    """Spark's own, on two threads of this machine, without its standardisation."""
    from pyspark.ml.classification import LinearSVC, LogisticRegression
    from pyspark.ml.feature import VectorAssembler
    from pyspark.sql import SparkSession
    from pyspark.sql.functions import expr

    spark = SparkSession.builder.master("local[2]").config("spark.driver.memory", "4g")
    frame = spark.config("spark.ui.enabled", "false").getOrCreate().read.parquet(str(X))
    names = [name for name in frame.columns if name != y]
    frame = VectorAssembler(inputCols=names, outputCol="features").transform(frame)
    frame = frame.withColumn("label", expr(f"cast({y} > 0 as double)"))
    one = {"logistic": LogisticRegression, "svm": LinearSVC}[method]
    model = one(regParam=LAM, maxIter=100, standardization=False).fit(frame)
    return np.append(model.coefficients.toArray(), model.intercept)


PEERS = {  # and what is imported before the clock runs
    "SGDClassifier, a pass": (sgd, "sklearn.linear_model"),
    "SGDClassifier, ten passes": (partial(sgd, passes=10), "sklearn.linear_model"),
    "statsmodels, in memory": (statsmodels, "statsmodels.api"),
    "dask-ml, two workers": (dask_ml, "dask_ml.linear_model"),
    "Spark's MLlib": (mllib, "pyspark.ml.classification"),
}


def run(folder: Path, name: str) -> dict:
    """Fit and certificate of one job, in this process."""
    import linlearn as ll

    method, _, reader = name.partition(", ")
    kind, (peer, module) = JOBS[name][0], PEERS.get(reader, (None, "linlearn.out_of_core.methods"))
    import_module(module)
    cluster, before = None, 0.0
    if kind in WORKERS:
        from distributed import Client, LocalCluster

        cluster = Client(
            LocalCluster(n_workers=WORKERS[kind], threads_per_worker=1, dashboard_address=None)
        )
        X, y = samples(folder, kind)
        some = (X.partitions[:2], y) if kind == "frame" else (X[: 2**17], y[: 2**17])
        ll.logistic(*some, lam=1.0, max_updates=0)  # which imports, there
        before = cpu(cluster)
    X, y = samples(folder, kind)
    n = len(np.load(folder / "y.npy", mmap_mode="r"))
    n = n // 2 if kind == "half" else n
    options = {
        "logistic": {"lam": LAM},
        "svm": {"C": 1 / (LAM * n)},
        "linear_program": {"sample_weight": "balanced"},
    }[method]
    steps = {"max_updates": 0} if "two readings" in name else {}
    with watched() as peak, counted() as sent:
        started, wall, busy = time.process_time(), time.perf_counter(), machine()
        if peer is None:
            found = getattr(ll, method)(X, y, **options, **steps).certificate
        else:
            plane = peer(X, y, folder, method)
        wall, busy = time.perf_counter() - wall, machine() - busy
        done = {"cpu": time.process_time() - started, "wall": wall, "peak": peak()}
        if "MLlib" in name:
            done["cpu"] = children()
    if cluster is not None:
        done["cpu"] += cpu(cluster) - before
        cluster.shutdown()
    done["others"] = max(0.0, busy - done["cpu"]) / wall
    if peer is not None:
        found = enclose_peer(folder, method, plane, options)
    return done | {"n": n, "lower": found.lower, "upper": found.upper, **sent}


def enclose_peer(folder: Path, method: str, plane: np.ndarray, options: dict):
    """Both ends at a peer's plane, multipliers by the sides of its margins."""
    from linlearn import certificates

    X, y = samples(folder, "memmap")
    if method == "logistic":
        return certificates.enclose_logistic(X, y, primal=plane, **options)
    dual = certificates.SparseDual.by_width(0.0)
    return certificates.enclose_soft_margin(X, y, primal=plane, dual=dual, **options)


def machine() -> float:
    """CPU seconds that all processes of this machine have had, and others of its host in their place."""
    import psutil

    spent = psutil.cpu_times()
    return sum(spent) - spent.idle - getattr(spent, "iowait", 0.0)


def cpu(client) -> float:
    """CPU seconds of the workers."""
    import psutil

    return sum(client.run(lambda: sum(psutil.Process().cpu_times()[:2])).values())


def children() -> float:
    """CPU seconds of the processes below this one: of Spark's, which is not Python."""
    import psutil

    below = psutil.Process().children(recursive=True)
    return sum(sum(one.cpu_times()[:2]) for one in below)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("n", type=float, nargs="*", default=[1e6])
    parser.add_argument("--job")
    parser.add_argument("--jobs", default="")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--patience", type=float, default=300)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--out", type=Path, default=Path("/dev/stdout"))
    asked = parser.parse_args()
    if asked.job:
        print(json.dumps(run(asked.folder, asked.job)))
        return
    lines: list[str] = []
    for n in asked.n:
        with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
            write(Path(folder), int(n))
            names = [name for name in JOBS if name.startswith(asked.jobs) and n <= JOBS[name][1]]
            done: dict[str, list[dict]] = {name: [] for name in names}
            for name in names * asked.rounds:
                runs = done[name]
                if name not in done or sum(run["wall"] for run in runs) > asked.seconds:
                    continue
                try:
                    runs.append(in_own_process(folder, name, asked.patience))
                except subprocess.SubprocessError as error:
                    print(f"# {name}: {message(error)}", file=sys.stderr, flush=True)
                    continue
                print(name, json.dumps(runs[-1]), file=sys.stderr, flush=True)
                asked.out.write_text("\n".join([HEAD, *lines, *table(done)]) + "\n", "utf8")
            lines += table(done)


def in_own_process(folder: str, name: str, patience: float) -> dict:
    """`run` in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.blocks", "--job", name, "--folder", folder]
    out = subprocess.run(command, capture_output=True, text=True, check=True, timeout=patience)
    return json.loads(out.stdout[out.stdout.rindex("{") :])


def message(error: subprocess.SubprocessError) -> str:
    last = (getattr(error, "stderr", None) or str(error)).strip().splitlines()[-1]
    return str(error) if isinstance(error, subprocess.TimeoutExpired) else last


def table(done: dict[str, list[dict]]) -> list[str]:
    """A line for each job that has run.

    What a value is measured by is the largest lower end that any run has proved for the same samples: a
    peer's plane does not prove a sharp one.
    """
    least: dict[tuple[str, int], float] = {}
    for name, runs in done.items():
        for one in runs:
            key = name.split(", ")[0], one["n"]
            least[key] = max(least.get(key, 0.0), one["lower"])
    return [
        row(name, runs, least[name.split(", ")[0], runs[0]["n"]])
        for name, runs in done.items()
        if runs
    ]


def row(name: str, runs: list[dict], least: float) -> str:
    walls, back = [one["wall"] for one in runs], runs[0]["back"]
    middle = [median(one[key] for one in runs) for key in ("cpu", "wall", "others")]
    peak = "" if "MLlib" in name else f"{max(one['peak'] for one in runs):.0f}"  # the JVM has it
    off = max(one["upper"] for one in runs) / least - 1 if least else np.inf
    sent = (
        f"{median_low(back):.0f},{sum(back):.0f}"
        if back and name.split(", ", 1)[1] not in PEERS
        else ","
    )
    return (
        f'"{name}",{runs[0]["n"] / 1e6:g},{len(runs)},{middle[0]:.1f},{middle[1]:.1f},{min(walls):.1f},'
        f"{max(walls):.1f},{middle[2]:.1f},{peak},{runs[0]['readings'] or ''},{sent},{off:.1e}"
    )


if __name__ == "__main__":
    main()
