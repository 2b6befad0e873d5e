"""How long fits over blocks take, what they hold, and what a user would take instead, at the accuracy
reached.

python -m benchmarks.blocks 1e6          writes samples (n × 50, single precision) into a temporary folder,
fits them from a memory map, from Parquet files and with two worker processes of Dask, each in a process of
its own, and prints a table. Seconds are of the processor; memory is the growth of anonymous pages, which a
file that is mapped has none of. `SGDClassifier` reads the same memory map by `partial_fit`; how far its
plane is from the optimum our certificate says.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

D, ROWS, FILES = 50, 100_000, 10
# The default rate begins at steps so large for this penalty that a pass ends twenty times above the optimum.
SGD = dict(loss="log_loss", learning_rate="constant", eta0=0.01, average=True, random_state=0)
JOBS = {
    "least_squares, memory map": "memmap",
    "least_squares, Parquet": "parquet",
    "lda, memory map": "memmap",
    "logistic, memory map": "memmap",
    "logistic, Parquet": "parquet",
    "logistic, 2 workers": "workers",
    "logistic, in memory": "memory",
    "SGDClassifier, memory map": "memmap",
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


def samples(folder: Path, kind: str):
    """(X, y) as `linlearn` takes them."""
    if kind == "parquet":
        return folder / "files", "y"
    X, y = np.load(folder / "X.npy", mmap_mode="r"), np.load(folder / "y.npy")
    if kind == "workers":
        return on_workers(folder, *X.shape), y
    return (np.array(X, dtype=np.float64) if kind == "memory" else X), y


def on_workers(folder: Path, n: int, d: int):
    """A Dask array whose chunks are read where the work is done: the file itself does not travel."""
    import dask
    import dask.array as da

    rows = 2**18
    cuts = [(a, min(a + rows, n)) for a in range(0, n, rows)]
    load = dask.delayed(chunk)
    parts = [
        da.from_delayed(load(str(folder / "X.npy"), a, b), (b - a, d), np.float32) for a, b in cuts
    ]
    return da.concatenate(parts)


def chunk(path: str, a: int, b: int):
    return np.load(path, mmap_mode="r")[a:b]


def sgd(X, y, lam: float) -> np.ndarray:
    """A pass of scikit-learn's averaged stochastic gradient, standardised by the first rows."""
    from sklearn.linear_model import SGDClassifier

    mean, scale = X[:ROWS].mean(axis=0), X[:ROWS].std(axis=0)
    model = SGDClassifier(**SGD, alpha=lam)
    for rows in np.array_split(np.arange(len(y)), max(1, len(y) // ROWS)):
        model.partial_fit((X[rows] - mean) / scale, y[rows], classes=[-1, 1])
    w = model.coef_[0] / scale
    return np.append(w, model.intercept_[0] - w @ mean)


def run(folder: Path, name: str) -> dict[str, float]:
    """Fit and certificate of one job, in this process."""
    import linlearn as ll

    method, kind = name.split(", ")[0], JOBS[name]
    cluster = None
    if kind == "workers":
        from distributed import Client, LocalCluster

        cluster = Client(LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None))
        ll.logistic(*samples(folder, kind), lam=1.0, max_updates=0)  # which imports, there
        before = spent(cluster)
    X, y = samples(folder, kind)
    lam = 1e-6
    with watched() as peak:
        cpu, wall = time.process_time(), time.perf_counter()
        if method == "SGDClassifier":
            found = ll.certificates.enclose_logistic(X, y, primal=sgd(X, y, lam), lam=lam)
        else:
            options = {"lam": lam} if method == "logistic" else {}
            found = getattr(ll, method)(X, y, **options).certificate
        done = {
            "cpu": time.process_time() - cpu,
            "wall": time.perf_counter() - wall,
            "peak": peak(),
            "lower": found.lower,
            "upper": found.upper,
        }
    if cluster is not None:
        done |= {key: value - before[key] for key, value in spent(cluster).items()}
        cluster.shutdown()
    return done


def spent(client) -> dict[str, float]:
    """CPU seconds of the workers."""
    import psutil

    cpu = sum(client.run(lambda: sum(psutil.Process().cpu_times()[:2])).values())
    return {"workers_cpu": cpu}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("n", type=float, nargs="?", default=1e6)
    parser.add_argument("--job")
    parser.add_argument("--folder", type=Path)
    asked = parser.parse_args()
    if asked.job:
        print(json.dumps(run(asked.folder, asked.job)))
        return
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        write(Path(folder), int(asked.n))
        print(f"{int(asked.n):,} × {D}\n")
        print("| job | CPU s | wall s | MiB | off by |\n|---|--:|--:|--:|--:|", flush=True)
        lower = -np.inf
        for name in JOBS:
            print(f"| {name} |", end=" ", flush=True)
            command = [sys.executable, "-m", "benchmarks.blocks", "--job", name, "--folder", folder]
            out = subprocess.run(command, capture_output=True, text=True, check=False)
            if out.returncode:
                print(f"not finished: {out.stderr.strip().splitlines()[-1]} | | | |", flush=True)
                continue
            r = json.loads(out.stdout.splitlines()[-1])
            lower = r["lower"] if name.startswith("logistic") else lower  # SGD has the same optimum
            print(row(r, lower if name.startswith("SGD") else r["lower"]), flush=True)


def row(r: dict[str, float], lower: float) -> str:
    """One line of the table: the last entry is the value above the optimum, at most, over it."""
    cpu = f"{r['cpu']:.1f}" + (f" + {r['workers_cpu']:.1f}" if "workers_cpu" in r else "")
    return f"{cpu} | {r['wall']:.1f} | {r['peak']:.0f} | {r['upper'] / lower - 1:.1e} |"


if __name__ == "__main__":
    main()
