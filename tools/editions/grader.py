"""Mark handed-in assignments.

python -m tools.editions.grader WEEK NOTEBOOK … [--out FOLDER] [--seed N] [--without TASK] [--again]
    [--seconds S] [--megabytes M]

writes a report for each notebook, or each one in a folder that is named, with the reason for every wrong
answer, and `marks.csv` for all. Both name a notebook by its path from the folder that all have in common.
The table is written anew after each notebook, so that it is always whole. The same command goes on where an
interrupted one stopped; marks that exist are overwritten only with `--again`. A student's code runs in a
process of its own (`confined.py`), which has no network, can read only the files of Python and its packages,
can change none, can start no other process, and has limits of time and memory. It hands over numbers alone;
keys and marks are made here.
"""

import argparse
import json
import math
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from linlearn.practice.bank import Verdict
from tools.editions.assignments import IMPORTS, SEED, WEEKS, Assignment, variable, version
from tools.editions.confined import MOST_SAID, REFUSED, TIME_IS_UP, landlock_version, readable
from tools.editions.problems import Problem
from tools.editions.submissions import (
    QUOTED,
    Table,
    few,
    held,
    legible,
    listed,
    named,
    skipped,
    written,
)

PROGRAM = Path(__file__).with_name("confined.py")
# Namespaces of its own: of processes, which all end with the first; of the network, which is empty; of users.
NAMESPACES = ("--pid", "--net", "--ipc", "--user", "--map-current-user")
ALONE = ["unshare", *NAMESPACES, "--fork", "--kill-child"]
OLDEST_LANDLOCK = 3  # before, files could be truncated
LARGEST = 200 << 20  # bytes of a notebook that is read
MOST = 1 << 20  # bytes handed over; `confined.py` can write no more
START = 30  # seconds for starting and ending a process, beside those of the student's code


@dataclass(frozen=True)
class Handed:
    """What a student's process handed over: the answers, and what went wrong, in words.

    `running` is the number of the code cell in which the notebook ended early, 0 if all have run.
    """

    answers: dict[str, list[float]]
    problems: tuple[str, ...] = ()
    running: int = 0


def check_machine(megabytes: int = 2000) -> None:
    """Refuse to run foreign code where it could read keys or outlive its time, or where no code runs."""
    known = landlock_version() >= OLDEST_LANDLOCK and platform.machine() in REFUSED
    found = shutil.which(ALONE[0])
    if not known or not found or subprocess.run([*ALONE, "true"], capture_output=True).returncode:
        raise OSError(
            "Marking runs the code of others, and this machine cannot confine it: that needs Linux 6.2 or "
            "later with Landlock, on x86_64 or aarch64, and `unshare` of util-linux with user namespaces. "
            "Use another machine, or a virtual one."
        )
    handed = run([IMPORTS, "one = 1"], ["one"], megabytes=megabytes)
    if handed != Handed({"one": [1.0]}):
        raise OSError(
            f"Not even a notebook's first imports run here, confined and with {megabytes} megabytes, so "
            f"that nobody would get a point ({'; '.join(handed.problems)}). Allow more with "
            "`--megabytes`, or use another machine."
        )


def check_place(paths: Iterable[Path]) -> None:
    """Refuse files to be kept from students where Python and its packages are, which they can read."""
    folders = [folder.resolve() for folder in readable()]
    for path in map(Path.resolve, paths):
        for folder in folders:
            if path.is_relative_to(folder):
                raise ValueError(
                    f"A notebook can read all of {folder}, where Python finds its files, and {path} is "
                    "there. Move the course, the notebooks and the reports elsewhere."
                )


def cells(notebook: Path, kind: str = "code") -> list[str]:
    """The sources of the code cells, or of those of another kind."""
    if notebook.stat().st_size > LARGEST:
        raise ValueError(
            f"{notebook.name} has more than {LARGEST >> 20} megabytes: clear its outputs, and hand it "
            "in again."
        )
    try:
        found = json.loads(notebook.read_text("utf-8-sig"))  # some editors begin with a mark
        return ["".join(cell["source"]) for cell in found["cells"] if cell["cell_type"] == kind]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(
            f"{notebook.name} is not a notebook as Jupyter saves it ({type(error).__name__}: {error}): "
            "open it there, save it, and hand it in again."
        ) from None


def stated(notebook: Path) -> str:
    """The version that a notebook says it is; empty if it does not say, or is no notebook."""
    try:
        found = re.search(r"Version (\d-[0-9a-f]{6})", "\n".join(cells(notebook, "markdown")))
    except ValueError:
        return ""
    return found[1] if found else ""


def check_versions(assignment: Assignment, notebooks: Iterable[Path]) -> None:
    """Refuse notebooks that are all of another week, or of another seed: nobody would get a point."""
    found = {stated(path) for path in notebooks} - {""}
    if found and version(assignment) not in found:
        raise ValueError(
            f"`week` and `--seed` must be those of the notebooks, which are of version "
            f"{', '.join(sorted(found))}, but this command marks version {version(assignment)}. A version "
            "begins with its week. If the week is right, name by `--seed` the seed that `SEED` was when "
            "they were handed out."
        )


def run(
    sources: list[str], names: list[str], *, seconds: int = 60, megabytes: int = 2000
) -> Handed:
    """Run code cells in a confined process, and read the numbers that these variables stand for.

    If a cell does not end, those before it count.
    """
    limits = {"seconds": seconds, "megabytes": megabytes}
    keep = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryFile() as job,
        tempfile.TemporaryFile() as out,
    ):
        job.write(json.dumps({"cells": sources, "names": names, "limits": limits}).encode())
        job.seek(0)
        process = subprocess.Popen(
            [*ALONE, sys.executable, "-I", str(PROGRAM)],
            stdin=job, stdout=out, stderr=subprocess.DEVNULL, cwd=folder, start_new_session=True,
            env={**keep, **threads, "MPLBACKEND": "Agg", "HOME": folder, "IPYTHONDIR": folder},
        )  # fmt: skip
        try:
            status = process.wait(timeout=seconds + START)
        except subprocess.TimeoutExpired:
            status = TIME_IS_UP
        finally:
            process.kill()  # and with it, all that it started
            process.wait()
        out.seek(0)
        handed = read(out.read(MOST), names)
    if not handed.running:
        return handed
    why = "ended early: it took too much time or memory, or stopped Python"
    if status == TIME_IS_UP:
        why = f"did not end within {seconds} seconds"
    said = f"The notebook {why}. Code cell {handed.running} was running; the cells after it were not reached."
    return replace(handed, problems=(said, *handed.problems))


def read(handed: bytes, names: list[str]) -> Handed:
    """Of the first line that a process wrote, the finite numbers under these names, and its problems."""
    if not handed:
        return Handed({}, ("The notebook was ended before its first code cell.",))
    try:
        found = json.loads(handed.partition(b"\n")[0])
        given = found["answers"]
        answers = {name: finite(given[name]) for name in names if name in given}
        problems = tuple(str(problem)[:300] for problem in found["problems"][:MOST_SAID])
        return Handed(answers, problems, int(found["running"]))
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return Handed({}, ("What the notebook handed over cannot be read.",))


def finite(values: list[float]) -> list[float]:
    """The same as floats, if all are finite numbers."""
    found = [float(value) for value in values]
    if not all(map(math.isfinite, found)):
        raise ValueError("an answer must have finite numbers only")
    return found


@dataclass(frozen=True)
class Mark:
    """What one task earned, and why; the answer, if there is one, and what went wrong with its cells."""

    task: Problem
    verdict: Verdict
    given: str = ""
    errors: tuple[str, ...] = ()

    @property
    def points(self) -> int:
        return self.task.points * self.verdict.right

    def told(self) -> str:
        """What the report says about it, as Markdown."""
        said = self.verdict.why
        if self.verdict.right:
            return f"right. {said}"
        if self.given:
            repeated = said.startswith(f"The answer {self.given} ")
            said = f"wrong. {said}" if repeated else f"wrong. You gave {self.given}. {said}"
        return " ".join(
            [said, *(f"An error occurred: {quoted(error.rstrip('.'))}." for error in self.errors)]
        )


def brief(answer: list[float]) -> str:
    """An answer as a report quotes it: its first numbers."""
    said = few([f"{x:.6g}" for x in answer])
    return said if len(answer) <= QUOTED else f"{said} ({len(answer)} numbers)"


def errors_of(name: str, handed: Handed, sources: Sequence[str]) -> tuple[str, ...]:
    """Of what went wrong, what concerns the variable `name`: its value, or a cell that assigns it."""
    assigned = re.compile(rf"^[ \t]*{name}[ \t]*=", re.MULTILINE)
    at = [k for k, text in enumerate(sources, 1) if assigned.search(text)]
    begins = [f"{name}: ", *(f"Code cell {k}: " for k in at)]
    if handed.running and at and at[-1] >= handed.running:
        begins.append("The notebook ")  # ended before it reached the answer
    return tuple(said for said in handed.problems if said.startswith(tuple(begins)))


def marked(assignment: Assignment, handed: Handed, sources: Sequence[str] = ()) -> list[Mark]:
    """The mark of each task; `sources` are the code cells, in which an answer may have failed."""
    found = []
    for task in assignment.tasks:
        name = variable(task)
        errors = errors_of(name, handed, sources)
        if name in handed.answers:
            answer = handed.answers[name]
            found.append(Mark(task, judged(task, answer), brief(answer), errors))
        else:
            found.append(Mark(task, Verdict(False, f"no answer in `{name}`."), "", errors))
    return found


def judged(task: Problem, answer: list[float]) -> Verdict:
    """The verdict; an answer on which judging fails must not end the marking of all the others."""
    try:
        return task.judge(answer)
    except Exception as error:
        return Verdict(False, f"It cannot be judged ({type(error).__name__}): please ask.")


def report(name: str, assignment: Assignment, handed: Handed, marks: list[Mark]) -> str:
    """What the student reads, as Markdown."""
    total = sum(mark.points for mark in marks)
    title = quoted(name) if re.search(r"[<&`\\\]]", name) else name  # no HTML, no link
    lines = [f"# Assignment {assignment.week}: {title}", ""]
    lines += [f"**{total} of {assignment.points} points.**", ""]
    for mark in marks:
        lines += [f"- **{mark.task.name}** ({mark.points} of {mark.task.points}), {mark.told()}"]
        if not mark.verdict.right:
            lines += [f"  Reread lesson {mark.task.lesson_name}."]
    if handed.problems:
        lines += ["", "What went wrong in the notebook:", ""]
        lines += [f"- {quoted(problem)}" for problem in handed.problems]
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """Words of a student's process, so that they cannot look like words of the report."""
    return f"`{legible(' '.join(text.split())).replace('`', chr(39))}`"


def grade(
    assignment: Assignment, notebook: Path, *, seconds: int = 60, megabytes: int = 2000
) -> tuple[Handed, list[Mark]]:
    """Run one notebook and mark its answers; what is no notebook, or not of this assignment, has none."""
    names = [variable(task) for task in assignment.tasks]
    try:
        sources = cells(notebook)
        if (found := stated(notebook)) not in ("", version(assignment)):
            raise ValueError(
                f"It is version {found} of an assignment, but version {version(assignment)} is marked "
                "(a version begins with its week): hand in that one."
            )
    except ValueError as error:
        handed = Handed({}, (str(error),))
        return handed, marked(assignment, handed)
    handed = run(sources, names, seconds=seconds, megabytes=megabytes)
    return handed, marked(assignment, handed, sources)


def without(assignment: Assignment, names: list[str]) -> Assignment:
    """The assignment without the tasks of these names, so that nobody's report counts them."""
    known = [task.name for task in assignment.tasks]
    if unknown := [name for name in names if name not in known]:
        raise ValueError(
            f"`--without` must be one of {', '.join(known)}; got {', '.join(unknown)}."
        )
    tasks = tuple(task for task in assignment.tasks if task.name not in names)
    return replace(assignment, tasks=tasks)


def remaining(seconds: float) -> str:
    """A time to wait, in words."""
    return f"{seconds / 60:.0f} minutes" if seconds >= 90 else f"{seconds:.0f} seconds"


def mark_all(
    assignment: Assignment, left: dict[str, Path], table: Table, done: int, limits: dict[str, int]
) -> None:
    """Write a report and a row for each notebook, and say how far it is; `done` are marked already."""
    begun = time.monotonic()
    for number, (name, path) in enumerate(left.items(), 1):
        digest = table.digest(path)  # before it runs: the file may change meanwhile
        handed, marks = grade(assignment, path, **limits)
        points = [mark.points for mark in marks]
        written(table.path.parent / f"{name}.md", report(name, assignment, handed, marks))
        table.add(name, points, digest)
        said = f"{name}, {sum(points)} of {assignment.points} points"
        if handed.problems and not handed.answers:
            said += f": {legible(handed.problems[0].rstrip('.'))}"
        if number < len(left):
            rest = (time.monotonic() - begun) / number * (len(left) - number)
            said += f"; about {remaining(rest)} left"
        print(f"  {done + number} of {done + len(left)}: {said}", flush=True)


def main(arguments: list[str]) -> None:
    """Mark the notebooks named, one after another."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.editions.grader", description="Mark assignments."
    )
    option = parser.add_argument
    option("week", type=int, choices=WEEKS)
    option("notebooks", type=Path, nargs="+", metavar="notebook", help="or a folder")
    option("--out", type=Path, default=Path("reports"), help="the folder for reports")
    option("--seed", type=int, default=SEED, help="the seed of the assignments handed out")
    option("--without", action="append", default=[], metavar="TASK", help="a task that you deleted")
    option("--again", action="store_true", help="mark anew what changed since it was marked")
    option("--seconds", type=int, default=60, help="of one notebook")
    option("--megabytes", type=int, default=2000, help="of one notebook")
    wanted = parser.parse_args(arguments)
    with ExitStack() as stack:
        try:
            assignment = without(WEEKS[wanted.week](wanted.seed), wanted.without)
            notebooks = named(listed(wanted.notebooks))
            check_place([PROGRAM, wanted.out, *notebooks.values()])
            stack.enter_context(held(wanted.out))
            table = Table(wanted.out, assignment, wanted.seed)
            left = table.left(notebooks, again=wanted.again)
            check_versions(assignment, notebooks.values())
        except ValueError as error:
            parser.error(str(error))
        check_machine(wanted.megabytes)
        if other := skipped(wanted.notebooks, wanted.out):
            print(f"  skipped, not notebooks: {few(other)}", flush=True)
        if other := table.others(notebooks):
            print(f"  {table.path.name} also has rows of other notebooks: {few(other)}", flush=True)
        if done := len(notebooks) - len(left):
            print(f"  {done} of {len(notebooks)} are marked already", flush=True)
        limits = {"seconds": wanted.seconds, "megabytes": wanted.megabytes}
        try:
            mark_all(assignment, left, table, done, limits)
        except KeyboardInterrupt:
            unmarked = len(table.left(notebooks, again=wanted.again))
            sys.exit(f"Interrupted: {unmarked} notebooks are not marked. The same command goes on.")


if __name__ == "__main__":
    main(sys.argv[1:])
