"""`make bench`: run the duels, print their table, keep it with the versions that ran, draw it."""

import argparse
import importlib.metadata
import json
import os
import platform
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np

import linlearn
from benchmarks.duel import duel, peak_memory
from benchmarks.growth import growth, zero_one_growth
from benchmarks.results import draw, markdown
from benchmarks.rows import SIZES, Row, rows
from benchmarks.sets import samples

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "linlearn" / "benchmarks.json"
TABLE, PICTURE = ROOT / "benchmarks" / "RESULTS.md", ROOT / "benchmarks" / "results.svg"
MANY = 100_000  # samples from which on the floor is raced, too
FLOORS = {"readings": lambda X: np.dot(X.ravel(), X.ravel()), "grams": lambda X: X.T @ X}
PACKAGES = ("numpy", "scipy", "scikit-learn", "clarabel", "osqp", "statsmodels")


def measure(row: Row, *, rounds: int, budget: float) -> list[dict]:
    """One line for ours and one for each peer."""
    X, y = samples(row.on)
    floors = FLOORS if len(y) >= MANY else {}
    peers = {name: make(X, y) for name, make in row.peers.items()}
    least = {name: partial(run, X) for name, run in floors.items()}
    times = duel(lambda: row.ours(X, y), peers | least, rounds=rounds, budget=budget)
    floor = {name: 1 / times.pop(name).ratio for name in floors}
    fit = times["ours"].answer
    bound = row.bound(fit)
    certified = isinstance(fit, linlearn.Fit)
    size = max(abs(bound), fit.certificate.scale if certified else 1.0)
    lines = []
    for name, t in times.items():
        plane = fit.plane if name == "ours" and certified else t.answer
        adjusted = getattr(row.peers.get(name), "adjusted", None)
        value = row.objective(adjusted(plane, X, y) if adjusted else plane, X, y)
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
                "suboptimality": abs(value - bound) / size if size else 0.0,
            }
        )
    lines[0] |= {"peak bytes": peak_memory(lambda: row.ours(X, y)), **floor}
    return lines


def show(line: dict) -> str:
    return (
        f"{line['job']:26s} {line['on']:17s} {line['side']:30s} {line['seconds'] * 1e3:10.2f} ms "
        f"{line['ratio']:8.2f} ×  {line['suboptimality']:.0e}"
    )


def versions() -> dict[str, str]:
    found = {
        "python": platform.python_version(),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}",
    }
    found["linlearn"] = linlearn.__version__
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def merged(found: dict) -> dict:
    """What was raced now, in its old place among what was kept; kept of other versions is let go."""
    kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else found
    if kept["versions"] != found["versions"]:
        return found
    for part, names in (("rows", ("job", "on")), ("growth", ("job", "by", "n", "d"))):
        duels = grouped(kept.get(part, []), names) | grouped(found[part], names)
        found[part] = [line for duel in duels.values() for line in duel]
    return found


def grouped(lines: list[dict], names: tuple[str, ...]) -> dict[tuple, list[dict]]:
    """The lines that agree in these names, together."""
    found: dict[tuple, list[dict]] = {}
    for line in lines:
        found.setdefault(tuple(line[name] for name in names), []).append(line)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("sizes", nargs="*", default=[*SIZES, "growth"])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--budget", type=float, default=60.0, help="seconds for each row")
    parser.add_argument(
        "--only", default="", help="rows whose job contains this word; kept among the others"
    )
    parser.add_argument("--keep", action="store_true", help="write the results for the book")
    arguments = parser.parse_args()
    table = []
    print(
        "time; ratio = the side's time / ours, median by round; suboptimality against our certified bound\n"
    )
    for row in rows([size for size in arguments.sizes if size in SIZES]):
        if arguments.only not in row.job:
            continue
        for line in measure(row, rounds=arguments.rounds, budget=arguments.budget):
            print(show(line), flush=True)
            table.append(line)
    grown = []
    if "growth" in arguments.sizes:
        hard = zero_one_growth() if arguments.only in "zero-one" else ()
        for line in chain(growth(only=arguments.only), hard):
            print("  ".join(f"{k} {v}" for k, v in line.items()), flush=True)
            grown.append(line)
    if arguments.keep:
        kept = merged({"versions": versions(), "rows": table, "growth": grown})
        RESULTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        TABLE.write_text(markdown(kept), encoding="utf-8")
        draw(kept, PICTURE)
        print(f"\nkept in {RESULTS.name}, {TABLE.name} and {PICTURE.name}")


if __name__ == "__main__":
    main()
