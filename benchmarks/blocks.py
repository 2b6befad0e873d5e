"""How long fits over blocks take, what they hold and send, and what a user would take instead, at the
accuracy reached.

python -m benchmarks.blocks 1e6          writes samples (n × 50, single precision) into a temporary folder,
fits them from a memory map, from Parquet files and with worker processes of Dask, each job in a process of
its own, and prints a line of `book/_data/blocks.csv` for each: job, millions of samples, CPU seconds of all
processes, MiB that anonymous memory grew by where you sit (a mapped file has none of it), readings, kB that
come back from one reading (the lower median) and from all, and how far the value is above the least one. The
peers read the same samples; how far their planes are from the optimum our certificates say.
--job runs one of them on a --folder that is there, --jobs those whose names begin so.
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
from pathlib import Path
from statistics import median_low

import numpy as np

D, ROWS, FILES = 50, 100_000, 10
LAM = 1e-6  # and C = 1/nλ
# The default rate begins at steps so large for this penalty that a pass ends twenty times above the optimum.
SGD = dict(learning_rate="constant", eta0=0.01, average=True, random_state=0)
JOBS = {
    "least_squares, memory map": "memmap",
    "least_squares, Parquet": "parquet",
    "logistic, memory map": "memmap",
    "logistic, Parquet": "parquet",
    "logistic, 1 worker": "1",
    "logistic, 2 workers": "2",
    "logistic, half on 1 worker": "half",
    "logistic, array in memory": "memory",
    "svm, memory map": "memmap",
    "svm, Parquet": "parquet",
    "svm, 1 worker": "1",
    "svm, 2 workers": "2",
    "svm, half on 1 worker": "half",
    "svm, array in memory": "memory",
    "linear_program, memory map": "memmap",
    "logistic, SGDClassifier, a pass": "memmap",
    "svm, SGDClassifier, a pass": "memmap",
    "logistic, statsmodels": "memory",
    "logistic, dask-ml": "2",
    "logistic, MLlib": "parquet",
    "svm, MLlib": "parquet",
}


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
    from linlearn.blocks.samples import Summed
    from linlearn.blocks.sources import DaskSource

    found: dict = {"readings": 0, "there": [], "back": []}
    total, read = Summed.total, DaskSource.read

    def counting(self, f, *args):
        found["readings"] += self.n > ROWS  # not those of the pilot
        return total(self, f, *args)

    def weighed(self, f, *args):
        found["there"].append(len(pickle.dumps(args)) / 1e3)
        found["back"].append(0.0)
        for nodes in read(self, f, *args):
            found["back"][-1] += len(pickle.dumps(nodes)) / 1e3
            yield nodes

    Summed.total, DaskSource.read = counting, weighed
    try:
        yield found
    finally:
        Summed.total, DaskSource.read = total, read


def samples(folder: Path, kind: str):
    """(X, y) as `linlearn` takes them."""
    if kind == "parquet":
        return folder / "files", "y"
    X, y = np.load(folder / "X.npy", mmap_mode="r"), np.load(folder / "y.npy")
    if kind in ("1", "2", "half"):
        n = len(y) // 2 if kind == "half" else len(y)
        return on_workers(folder, n, X.shape[1]), y[:n]
    return (np.array(X, dtype=np.float64) if kind == "memory" else X), y


def on_workers(folder: Path, n: int, d: int):
    """A Dask array whose chunks are read where the work is done: the file itself does not travel."""
    import dask
    import dask.array as da

    rows = 2**16
    cuts = [(a, min(a + rows, n)) for a in range(0, n, rows)]
    load = dask.delayed(chunk)
    parts = [
        da.from_delayed(load(str(folder / "X.npy"), a, b), (b - a, d), np.float32) for a, b in cuts
    ]
    return da.concatenate(parts)


def chunk(path: str, a: int, b: int):
    return np.load(path, mmap_mode="r")[a:b]


# -- what a user would take instead: (X, y, folder) ↦ (w, b) ---------------------------------------------


def sgd(X, y, folder: Path, method: str) -> np.ndarray:
    """A pass of scikit-learn's averaged stochastic gradient, standardised by the first rows."""
    from sklearn.linear_model import SGDClassifier

    mean, scale = X[:ROWS].mean(axis=0), X[:ROWS].std(axis=0)
    model = SGDClassifier(loss={"logistic": "log_loss", "svm": "hinge"}[method], alpha=LAM, **SGD)
    for rows in np.array_split(np.arange(len(y)), max(1, len(y) // ROWS)):
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


PEERS = {"SGDClassifier": sgd, "statsmodels": statsmodels, "dask-ml": dask_ml, "MLlib": mllib}


def run(folder: Path, name: str) -> dict[str, float]:
    """Fit and certificate of one job, in this process."""
    import linlearn as ll

    method, *rest = name.split(", ")
    kind, peer = JOBS[name], PEERS.get(rest[0])
    cluster = None
    if kind in ("1", "2", "half"):
        from distributed import Client, LocalCluster

        workers = 2 if kind == "2" else 1
        cluster = Client(
            LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)
        )
        ll.logistic(*samples(folder, kind), lam=1.0, max_updates=0)  # which imports, there
        before = cpu(cluster)
    X, y = samples(folder, kind)
    n = len(np.load(folder / "y.npy", mmap_mode="r"))
    n = n // 2 if kind == "half" else n
    options = {
        "logistic": {"lam": LAM},
        "svm": {"C": 1 / (LAM * n)},
        "linear_program": {"prices": "balanced"},
    }.get(method, {})
    with watched() as peak, counted() as sent:
        started, wall = time.process_time(), time.perf_counter()
        if peer is None:
            found = getattr(ll, method)(X, y, **options).certificate
        else:
            plane = peer(X, y, folder, method)
        done = {
            "cpu": time.process_time() - started,
            "wall": time.perf_counter() - wall,
            "peak": peak(),
        }
        if "MLlib" in name:
            done["cpu"] = children()
    if cluster is not None:
        done["cpu"] += cpu(cluster) - before
        cluster.shutdown()
    if peer is not None:
        found = judged(folder, method, plane, options)
    done |= {"n": n, "lower": found.lower, "upper": found.upper, **sent}
    return done


def judged(folder: Path, method: str, plane: np.ndarray, options: dict):
    """Both ends at a peer's plane, multipliers by the sides of its margins."""
    from linlearn import certificates

    X, y = samples(folder, "memmap")
    if method == "logistic":
        return certificates.enclose_logistic(X, y, primal=plane, **options)
    dual = certificates.Sides.by_width(0.0)
    return certificates.enclose_soft_margin(X, y, primal=plane, dual=dual, **options)


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
    parser.add_argument("n", type=float, nargs="?", default=1e6)
    parser.add_argument("--job")
    parser.add_argument("--jobs", default="")
    parser.add_argument("--folder", type=Path)
    asked = parser.parse_args()
    if asked.job:
        print(json.dumps(run(asked.folder, asked.job)))
        return
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        write(Path(folder), int(asked.n))
        least: dict[str, float] = {}
        print("job,millions,cpu,mib,readings,back,all,off", flush=True)
        for name in (name for name in JOBS if name.startswith(asked.jobs)):
            command = [sys.executable, "-m", "benchmarks.blocks", "--job", name, "--folder", folder]
            out = subprocess.run(command, capture_output=True, text=True, check=False)
            if out.returncode:
                print(f"# {name}: {out.stderr.strip().splitlines()[-1]}", flush=True)
                continue
            print(row(name, json.loads(out.stdout.splitlines()[-1]), least), flush=True)


def row(name: str, r: dict[str, float], least: dict[str, float]) -> str:
    """One line of the table: the last entry is at least what the value is above the optimum, over it.

    `least` are the optima that are known, by method: a peer's plane does not prove a sharp one.
    """
    method, ours = name.split(", ")[0], name.split(", ")[1] not in PEERS
    lower = r["lower"] if ours else max(least.get(method, 0.0), r["lower"])
    if ours and "half" not in name:
        least[method] = lower
    back = r["back"]
    sent = f"{median_low(back):.0f},{sum(back):.0f}" if back else ","
    off = r["upper"] / lower - 1 if lower else np.inf
    readings = r["readings"] or ""
    peak = "" if "MLlib" in name else f"{r['peak']:.0f}"  # whose memory is the JVM's
    return f'"{name}",{r["n"] / 1e6:g},{r["cpu"]:.1f},{peak},{readings},{sent},{off:.1e}'


if __name__ == "__main__":
    main()
