"""Run notebooks and numerical tests as on other machines: processors, threads, versions, locales.

python tools/machines.py                     every row; writes the table in docs/dev/machines.md
python tools/machines.py default farthest    these rows only; the table keeps the others

Each row sets what another machine would have otherwise, then asks a notebook's kernel what took effect.
Where that is not what the row is about, the row is not run, and says so. PYTHONS="/path/to/python3.12 …"
names interpreters that are not on the PATH.
"""

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "_build" / "machines"
PAGE = ROOT / "docs" / "dev" / "machines.md"  # ends in the table
SPACES = WORK / "a path with spaces" / "linlearn"

Facts = dict[str, str]

# What the kernel is asked; every answer is a text.
PROBE = """
import json, locale, os, platform, sys, time
import numpy, scipy, scipy.linalg, threadpoolctl

blas = [pool for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]
joined = lambda values: ", ".join(sorted(set(map(str, values))))
print(json.dumps({
    "python": platform.python_version(),
    "prefix": sys.prefix,
    "folder": os.getcwd(),
    "numpy": numpy.__version__,
    "scipy": scipy.__version__,
    "kernel": joined(pool.get("architecture") for pool in blas),
    "threads": joined(pool["num_threads"] for pool in blas),
    "SIMD": " ".join(numpy.show_config(mode="dicts")["SIMD Extensions"].get("found", [])),
    "hash": str(hash("linlearn")),
    "encoding": locale.getencoding(),
    "UTF-8 mode": str(sys.flags.utf8_mode),
    "zone": time.strftime("%z", time.localtime(0)),
}))
"""

DEFAULTS = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
}
ROWS_SET = ("OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES", "TZ", "LC_ALL", "PYTHONUTF8")
ROWS_SET += ("PYTHONCOERCECLOCALE", "PYTHONIOENCODING", "PYTHONPATH", "VIRTUAL_ENV")

# OpenBLAS's kernels by processor, the plainest first, with the name that it reports where that differs.
KERNELS = {
    "x86_64": {"Prescott": "Katmai", "Sandybridge": "", "Haswell": "", "Zen": "", "SkylakeX": ""},
    "aarch64": {"ARMV8": "armv8", "NEOVERSEN1": "neoversen1"},
}
PYTHON_VERSIONS = ("3.11", "3.12", "3.13", "3.14")

# What a test imports that is about how the project is written, built and shown, not about what it computes.
NOT_NUMERICAL = {
    "conftest",
    "guards",
    "javascript",
    "mutants",
    "playwright",
    "sphinx",
    "test_browser",
    "tools",
}


@dataclass(frozen=True)
class Row:
    """One machine: the variables it sets, and what a kernel must then find, one of several texts each."""

    name: str
    sets: Mapping[str, str] = field(default_factory=dict)
    wants: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    packages: str = "pinned"
    python: str = sys.executable
    spaces: bool = False

    @property
    def own_environment(self) -> bool:
        return self.spaces or self.packages != "pinned" or self.python != sys.executable


class Outcome(NamedTuple):
    """What one run of pytest came to; `failed` are names of tests."""

    passed: int
    failed: tuple[str, ...]


# Rows ---------------------------------------------------------------------------------------


def rows() -> Iterator[Row]:
    """The default first: a row that finds what the default finds would be a row twice."""
    yield Row("default")
    kernels = KERNELS.get(platform.machine().replace("AMD64", "x86_64"), {})
    for kernel, reported in kernels.items():
        wanted = {"kernel": (kernel, reported) if reported else (kernel,)}
        yield Row(f"OpenBLAS {kernel}", {"OPENBLAS_CORETYPE": kernel}, wanted)
    for feature, sets, wants in without_simd():
        yield Row(f"NumPy without {feature}", sets, wants)
    yield Row("two threads", *THREADS)
    yield Row("another hash seed", *HASH)
    yield Row("another time zone", *ZONE)
    yield Row("LC_ALL=C", {"LC_ALL": "C"}, {"UTF-8 mode": ("1",)})
    yield Row("LC_ALL=C without UTF-8", *BARE)
    yield Row("a path with spaces", spaces=True, wants={"folder": (str(SPACES / "book"),)})
    for version, python in pythons().items():
        yield Row(f"Python {version}", wants={"python": (version_of(python),)}, python=python)
    yield Row("oldest packages", packages="oldest", python=next(iter(pythons().values()), ""))
    yield Row("newest packages", packages="newest")
    yield farthest(kernels)


def farthest(kernels: Mapping[str, str]) -> Row:
    """All of it at once: the plainest kernel, no SIMD, and every other setting unlike the default."""
    parts = [THREADS, HASH, ZONE, BARE]
    parts += [(sets, wants) for _, sets, wants in list(without_simd())[:1]]
    for kernel, reported in list(kernels.items())[:1]:
        parts.append(({"OPENBLAS_CORETYPE": kernel}, {"kernel": (kernel, reported or kernel)}))
    sets = {name: value for some, _ in parts for name, value in some.items()}
    wants = {name: value for _, some in parts for name, value in some.items()}
    return Row("farthest", sets, {**wants, "folder": (str(SPACES / "book"),)}, spaces=True)


def hash_under(seed: str) -> str:
    """The hash that a Python with this seed gives."""
    done = subprocess.run(
        [sys.executable, "-c", "print(hash('linlearn'))"],
        env=os.environ | {"PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def without_simd() -> Iterator[tuple[str, dict[str, str], dict[str, tuple[str, ...]]]]:
    """For each SIMD level that NumPy has found here: a machine that ends below it."""
    import numpy

    found = numpy.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    for k, feature in enumerate(found):
        sets = {"NPY_DISABLE_CPU_FEATURES": " ".join(found[k:])}
        yield feature, sets, {"SIMD": (" ".join(found[:k]),)}


def version_of(python: str) -> str:
    """The version of an interpreter, "" where it does not run."""
    code = "import platform; print(platform.python_version())"
    try:
        done = subprocess.run([python, "-c", code], capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def pythons() -> dict[str, str]:
    """The interpreters to try, oldest first: those of PYTHONS, then those on the PATH; "" where none is."""
    offered = [*os.environ.get("PYTHONS", "").split(), *(f"python{v}" for v in PYTHON_VERSIONS)]
    found = {version_of(python).rpartition(".")[0]: python for python in reversed(offered)}
    return {version: found.get(version, "") for version in PYTHON_VERSIONS}


THREADS = ({"OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"}, {"threads": ("2",)})
HASH = ({"PYTHONHASHSEED": "7"}, {"hash": (hash_under("7"),)})
ZONE = ({"TZ": "Asia/Kolkata"}, {"zone": ("+0530",)})
BARE = (
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"UTF-8 mode": ("0",), "encoding": ("ANSI_X3.4-1968", "US-ASCII", "646")},
)


# Places -------------------------------------------------------------------------------------


def place(row: Row) -> tuple[Path, str]:
    """The folder and the interpreter of a row, made where they are missing. May raise OSError."""
    if not row.own_environment:
        return ROOT, sys.executable
    folder = copied() if row.spaces else ROOT
    venv = (folder if row.spaces else WORK / row.name) / ".venv"
    if not row.python:
        raise OSError("no such Python on the PATH or in PYTHONS")
    uv("venv", "--clear", "--python", row.python, str(venv), cwd=folder)
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    uv("pip", "install", "--python", str(python), *wanted_packages(row.packages), cwd=folder)
    itself = ["--no-build-isolation", "--no-deps", "--editable", "."]
    uv("pip", "install", "--python", str(python), *itself, cwd=folder)
    return folder, str(python)


def copied() -> Path:
    """The files that git knows or would take in, in a folder whose path has spaces."""
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    shutil.rmtree(SPACES, ignore_errors=True)
    for name in listed.splitlines():
        if (ROOT / name).is_file():
            (SPACES / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, SPACES / name)
    return SPACES


def uv(*command: str, cwd: Path) -> None:
    compiled = "1" if os.environ.get("PYTHONDONTWRITEBYTECODE") else "0"
    environment = os.environ | {"UV_PYTHON_DOWNLOADS": "never", "UV_COMPILE_BYTECODE": compiled}
    done = subprocess.run(
        [sys.executable, "-m", "uv", "-q", *command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise OSError(f"uv: {' '.join(done.stderr.split())}")


def wanted_packages(packages: str) -> list[str]:
    """What to ask uv for: the pins; or the lower bounds, or no bounds, of what linlearn needs."""
    if packages == "pinned":
        return ["--require-hashes", "-r", "requirements.txt"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))["project"]
    extras = project["optional-dependencies"]
    pandas = [need for need in extras["book"] if need.startswith("pandas")]
    needs = [
        *project["dependencies"],
        *extras["plot"],
        *extras["sklearn"],
        *extras["progress"],
        *pandas,
    ]
    if packages == "oldest":
        return ["--only-binary", ":all:", *(need.replace(">=", "==") for need in needs), *tools()]
    return [*(need.partition(">=")[0] for need in needs), *tools()]


def tools() -> list[str]:
    """What the tests themselves need, at its pins."""
    pins = (ROOT / "requirements.txt").read_text("utf8")
    names = "ipykernel nbclient nbformat nbval pytest pytest-xdist hypothesis threadpoolctl"
    names += " setuptools wheel pyyaml myst-parser matplotlib-inline"
    return [re.search(rf"^{name}==\S+", pins, re.MULTILINE)[0] for name in names.split()]


# Runs ---------------------------------------------------------------------------------------


def environment(row: Row) -> dict[str, str]:
    """The caller's, without what rows are about, then the defaults, then what the row sets."""
    kept = {name: value for name, value in os.environ.items() if name not in ROWS_SET}
    return kept | DEFAULTS | dict(row.sets)


def probe() -> None:
    """Print what a kernel finds that is started as those of the notebooks are."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(PROBE)])
    resources = {"metadata": {"path": str(Path("book").resolve())}}
    NotebookClient(notebook, kernel_name="python3", resources=resources).execute()
    print(notebook.cells[0].outputs[0].text.strip())


def found_in_kernel(row: Row, folder: Path, python: str) -> Facts:
    """What took effect, from a kernel of the row. Raises OSError where there is no answer."""
    done = subprocess.run(
        [python, str(folder / "tools" / "machines.py"), "--probe"],
        cwd=folder,
        env=environment(row),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise OSError(f"the kernel does not start: {done.stderr.strip().splitlines()[-1:]}")
    facts = json.loads(done.stdout.splitlines()[-1])
    if not Path(facts["prefix"]).samefile(Path(python).parent.parent):
        raise OSError(f"the kernel runs in {facts['prefix']}")
    return facts


def unmet_conditions(row: Row, facts: Facts, default: Facts | None) -> list[str]:
    """Why the row would not show what it is about: what did not take effect."""
    wrong = [
        f"{name} is {facts.get(name)!r}, not {' or '.join(filter(None, texts)) or 'empty'}"
        for name, texts in row.wants.items()
        if facts.get(name) not in texts
    ]
    same = default and row.wants and all(facts[n] == default.get(n) for n in row.wants)
    return wrong or (["the same as in the row `default`"] if same else [])


def tested(row: Row, folder: Path, python: str, what: str, *arguments: str) -> Outcome:
    """Run pytest in the row's environment; what ends without a report has failed."""
    report = WORK / f"{row.name}-{what}.xml".replace(" ", "-")
    report.unlink(missing_ok=True)
    options = ["-q", "-p", "progress", "-p", "no:cacheprovider", "-n", "auto", "--maxprocesses=4"]
    options += ["--dist", "loadfile", f"--junitxml={report}"]
    print(f"==> {row.name}: {what}", flush=True)
    done = subprocess.run(
        [python, "-m", "pytest", *options, *arguments], cwd=folder, env=environment(row)
    )
    return outcome(report, done.returncode)


def outcome(report: Path, code: int) -> Outcome:
    if not report.exists():
        return Outcome(0, (f"pytest ended with {code} and no report",))
    passed, failed = 0, []
    for case in ElementTree.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        if kinds & {"failure", "error"}:
            failed.append(f"{case.get('classname')}::{case.get('name')}")
        passed += not kinds & {"failure", "error", "skipped"}
    if code and not failed:
        failed.append(f"pytest ended with {code}")
    return Outcome(passed, tuple(failed))


def notebooks(row: Row) -> list[str]:
    """Compared with what is committed on the pins; elsewhere only what they assert."""
    mode = "--nbval" if row.packages == "pinned" else "--nbval-lax"
    options = [mode, "--nbval-current-env", "--nbval-sanitize-with", "tests/nbval_sanitize.cfg"]
    options += ["--nbval-cell-timeout=300", "-p", "kernels"]
    return ["index.ipynb", "book", "--ignore=book/_ext", *options]


def numerical() -> list[str]:
    """The package's own examples, and the tests of what it computes, of which `make test` samples some."""
    files = sorted((ROOT / "tests").glob("test_*.py"))
    files = [f"tests/{path.name}" for path in files if not imports(path) & NOT_NUMERICAL]
    return ["linlearn", "--doctest-modules", *files]


def imports(path: Path) -> set[str]:
    """The names that the head of a file imports, without what stands behind their first dot."""
    found = re.findall(r"^(?:from|import) (\w+)", path.read_text("utf8"), re.MULTILINE)
    return set(found)


# The table ----------------------------------------------------------------------------------

HEAD = ("row", "commit", "what a kernel found", "tests", "cells", "verdict")
NOT_RUN = "not run: "


def verdict(why_not: Iterable[str], outcomes: Mapping[str, Outcome]) -> str:
    """Green only where the row took effect, something ran, and nothing failed."""
    if reasons := list(why_not):
        return NOT_RUN + "; ".join(reasons)
    failed = [name for each in outcomes.values() for name in each.failed]
    if failed:
        return f"FAILED {len(failed)}: {', '.join(failed[:5])}{', …' if len(failed) > 5 else ''}"
    empty = [
        what for what in ("tests", "cells") if what not in outcomes or not outcomes[what].passed
    ]
    return f"FAILED: no {' and no '.join(empty)} ran" if empty else "green"


def facts_line(facts: Facts) -> str:
    """The facts in a line; the place of the folder is this machine's own affair."""
    if not facts:
        return ""
    threads = f"{facts['threads']} thread{'' if facts['threads'] == '1' else 's'}"
    return (
        f"Python {facts['python']}, NumPy {facts['numpy']}, SciPy {facts['scipy']}; "
        f"BLAS {facts['kernel']}, {threads}; SIMD {facts['SIMD'] or 'none'}; "
        f"hash {facts['hash']}; {facts['encoding']}, UTF-8 mode {facts['UTF-8 mode']}; {facts['zone']}"
    )


def commit() -> str:
    """What was run: the commit, and whether files differed from it (the table itself aside)."""
    asked = (
        ["git", "rev-parse", "--short=8", "HEAD"],
        ["git", "status", "-suall", ":!docs/dev/machines.md"],
    )
    try:
        done = [
            subprocess.run(a, cwd=ROOT, capture_output=True, text=True, check=True) for a in asked
        ]
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    name, changes = (each.stdout.strip() for each in done)
    return f"{name} and changes" if changes else name


def table(lines: Iterable[tuple[str, ...]]) -> str:
    cells = [HEAD, tuple("---" for _ in HEAD), *lines]
    return "".join(f"| {' | '.join(c.replace('|', '/') for c in line)} |\n" for line in cells)


def page() -> tuple[str, str]:
    """What the page says, and the table with which it ends."""
    said, head, rest = PAGE.read_text("utf8").partition(f"| {HEAD[0]} |")
    return said, head + rest


def kept_lines() -> dict[str, tuple[str, ...]]:
    """The lines of the committed table, by row."""
    found = [re.split(r" *\| *", line.strip()[1:-1].strip(" ")) for line in page()[1].splitlines()]
    return {cells[0]: tuple(cells) for cells in found[2:]}


def written(lines: Mapping[str, tuple[str, ...]]) -> str:
    return page()[0] + table(lines.values())


# Together -----------------------------------------------------------------------------------


def run(row: Row, default: Facts | None) -> tuple[str, ...]:
    """One row, as a line of the table."""
    facts: Facts = {}
    outcomes: dict[str, Outcome] = {}
    try:
        folder, python = place(row)
        facts = found_in_kernel(row, folder, python)
        why_not = unmet_conditions(row, facts, default)
    except (OSError, subprocess.CalledProcessError) as error:
        why_not = [" ".join(str(error).split())[:200]]
    if not why_not:
        outcomes["tests"] = tested(row, folder, python, "tests", *numerical())
        outcomes["cells"] = tested(row, folder, python, "cells", *notebooks(row))
    counts = [str(outcomes[what].passed) if what in outcomes else "" for what in ("tests", "cells")]
    return (row.name, commit(), facts_line(facts), *counts, verdict(why_not, outcomes))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="only these rows; `--list` names them")
    parser.add_argument("--list", action="store_true", help="name the rows and stop")
    parser.add_argument("--probe", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.probe:
        return probe()
    known = {row.name: row for row in rows()}
    if arguments.list:
        return print("\n".join(known))
    if unknown := set(arguments.names) - set(known):
        parser.error(f"no such row: {', '.join(sorted(unknown))}; --list names them")
    WORK.mkdir(parents=True, exist_ok=True)
    lines = kept_lines()
    default = found_in_kernel(known["default"], ROOT, sys.executable)
    for name in arguments.names or known:
        lines[name] = run(known[name], default if name != "default" else None)
        print(f"==> {name}: {lines[name][-1]}", flush=True)
    in_order = {name: lines[name] for name in [*known, *lines] if name in lines}
    if os.environ.get("CI") is None:
        PAGE.write_text(written(in_order), "utf8")
    ran = {name: lines[name][-1] for name in arguments.names or known}
    asked = set(arguments.names)  # a row that was asked for by name must run
    sys.exit(
        any(v != "green" and (n in asked or not v.startswith(NOT_RUN)) for n, v in ran.items())
    )


if __name__ == "__main__":
    main()
