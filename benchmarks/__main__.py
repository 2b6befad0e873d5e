"""`make bench`: run the duels, print their table, keep it with the versions that ran, draw it."""

import argparse
import importlib.metadata
import json
import os
import platform
from pathlib import Path

import numpy as np

from benchmarks.duel import duel, peak_memory
from benchmarks.rows import Row, rows
from benchmarks.sets import samples

RESULTS = Path(__file__).parents[1] / "book" / "_data" / "benchmarks.json"
PACKAGES = ("numpy", "scipy", "scikit-learn", "clarabel", "statsmodels", "linlearn")


def measure(row: Row, *, rounds: int, budget: float) -> list[dict]:
    """One line for ours and one for each peer."""
    X, y = samples(row.on)
    times = duel(
        lambda: row.ours(X, y),
        {name: make(X, y) for name, make in row.peers.items()},
        rounds=rounds,
        budget=budget,
    )
    fit = times["ours"].answer
    bound = (fit.certificate.upper if row.best > 0 else fit.certificate.lower) if row.best else np.nan
    own = row.objective(fit.plane, X, y)
    scale = max(abs(own), 1e-300)
    lines = []
    for name, t in times.items():
        plane = fit.plane if name == "ours" else t.answer
        value = row.objective(plane, X, y)
        lines.append(
            {
                "job": row.job,
                "on": row.on,
                "n": len(y),
                "d": X.shape[1],
                "side": name,
                "seconds": t.seconds,
                "ratio": t.ratio,
                "rounds": t.rounds,
                "objective": value,
                "behind ours": (own - value) / scale * row.best,
                "certified gap": fit.certificate.gap / max(abs(fit.certificate.upper), 1e-300),
            }
        )
    del bound
    lines[0]["peak bytes"] = peak_memory(lambda: row.ours(X, y))
    return lines


def show(line: dict) -> str:
    behind = "" if line["side"] == "ours" else f"{line['behind ours']:+.1e}"
    return (
        f"{line['job']:28s} {line['on']:18s} {line['side']:30s} {line['seconds'] * 1e3:10.2f} ms "
        f"{line['ratio']:8.2f} × {behind:>9s}  gap {line['certified gap']:.0e}"
    )


def versions() -> dict[str, str]:
    found = {"python": platform.python_version(), "machine": f"{os.cpu_count()} cores, {platform.machine()}"}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("sizes", nargs="*", default=["small", "medium", "large", "wide"])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--budget", type=float, default=60.0, help="seconds for each row")
    parser.add_argument("--only", default="", help="rows whose job contains this word")
    parser.add_argument("--keep", action="store_true", help=f"write {RESULTS.name} for the book")
    arguments = parser.parse_args()
    table = []
    print("ratio = the side's time / ours, median by round; +accuracy = how far it is behind ours\n")
    for row in rows(arguments.sizes):
        if arguments.only not in row.job:
            continue
        for line in measure(row, rounds=arguments.rounds, budget=arguments.budget):
            print(show(line), flush=True)
            table.append(line)
    if arguments.keep:
        kept = {"versions": versions(), "rows": table}
        RESULTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        print(f"\nwritten to {RESULTS}")


if __name__ == "__main__":
    main()
