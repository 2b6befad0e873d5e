"""Compare this version with an earlier one: the same rows, in two processes that take turns in one run.

python -m benchmarks.before COMMIT [small medium large wide] [--only WORD] [--rounds 9]

Each side imports `linlearn` and `benchmarks` from its own tree, the earlier one from `git archive`. What is
printed is the CPU time of one call, certificate included, and before ÷ now, the median of quotients by round.
"""

import argparse
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from types import TracebackType

from benchmarks.rows import SIZES

ROOT = Path(__file__).parents[1]
WORKER = """
import sys, time
from benchmarks.rows import rows
from benchmarks.sets import samples
told, sys.stdout = sys.stdout, sys.stderr
mine = {f"{row.job} | {row.on}": row for row in rows(sys.argv[1:])}
print(*mine, sep="\\t", file=told, flush=True)
for line in sys.stdin:
    row = mine[line.strip()]
    start = time.process_time()
    row.ours(*samples(row.on))
    print(time.process_time() - start, file=told, flush=True)
"""


class Side:
    """A process that runs the rows of one tree when asked."""

    def __init__(self, tree: Path, sizes: list[str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-X", "utf8", "-c", WORKER, *sizes],
            cwd=tree,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf8",
        )
        self.rows = self._reply().split("\t")

    def seconds(self, row: str) -> float:
        print(row, file=self.process.stdin, flush=True)
        return float(self._reply())

    def _reply(self) -> str:
        line = self.process.stdout.readline() if self.process.stdout else ""
        if not line:
            raise SystemExit("One side has stopped; what it said stands above.")
        return line.rstrip("\n")

    def __enter__(self) -> "Side":
        return self

    def __exit__(
        self, kind: type | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.communicate()  # waits, and closes both pipes


def unpacked(commit: str, into: Path) -> Path:
    """The package and its rows as they were at that commit."""
    command = ["git", "archive", commit, "linlearn", "benchmarks"]
    packed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as tree:
        tree.extractall(into, filter="data")
    return into


def quotients(sides: list[Side], row: str, rounds: int) -> list[tuple[float, float]]:
    """Seconds of both, round by round; who was first is second in the next. The first round warms up."""
    found = []
    for turn in range(rounds + 1):
        pair = {side: side.seconds(row) for side in sides[:: 1 if turn % 2 else -1]}
        found.append((pair[sides[0]], pair[sides[1]]))
    return found[1:]


def table(commit: str, sizes: list[str], only: str, rounds: int) -> Iterable[str]:
    yield f"| job | on | {commit}, ms | now, ms | before ÷ now |"
    yield "|---|---|--:|--:|--:|"
    with ExitStack() as stack:
        there = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        old = stack.enter_context(Side(unpacked(commit, there), sizes))
        new = stack.enter_context(Side(ROOT, sizes))
        for row in (row for row in new.rows if only in row and row in old.rows):
            timed = quotients([old, new], row, rounds)
            before, now = (1e3 * statistics.median(s) for s in zip(*timed, strict=True))
            ratio = statistics.median(b / a for b, a in timed)
            yield f"| {row} | {before:.3g} | {now:.3g} | {ratio:.2f} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.before", description=__doc__)
    parser.add_argument("commit")
    parser.add_argument("sizes", nargs="*", default=["medium", "large", "wide"])
    parser.add_argument("--only", default="", help="rows that contain this word")
    parser.add_argument("--rounds", type=int, default=9)
    asked = parser.parse_args()
    sizes = [size for size in asked.sizes if size in SIZES]
    for line in table(asked.commit, sizes, asked.only, asked.rounds):
        print(line, flush=True)


if __name__ == "__main__":
    main()
