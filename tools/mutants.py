"""Break a module in one place after another and see whether its tests notice.

python tools/mutants.py linlearn/certificates/margin.py --tests tests/test_certificates.py

A mutant that no test notices is printed with its diff: a test is missing, or the line does nothing.
Every mutant runs in a copy of the tree, by the tests that reach its line, quick ones first.
"""

import argparse
import ast
import contextlib
import difflib
import importlib
import json
import math
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from pathlib import Path
from queue import Queue
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SWAPS = {
    ast.Add: [ast.Sub],
    ast.Sub: [ast.Add],
    ast.Mult: [ast.Div],
    ast.Div: [ast.Mult],
    ast.FloorDiv: [ast.Div],
    ast.Mod: [ast.Div],
    ast.Pow: [ast.Mult],
    ast.BitAnd: [ast.BitOr],
    ast.BitOr: [ast.BitAnd],
    ast.And: [ast.Or],
    ast.Or: [ast.And],
    ast.Lt: [ast.LtE, ast.GtE],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.LtE],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
}
SAFE_SIDE = ("up", "down")  # rounding to the safe side
UNWRAPPED = ("abs", "max", "min", "maximum", "minimum", "clip", "ceil", "sort", "unique", "where")
LONGEST = 3600.0  # seconds for the tests of the unbroken module, which are followed line by line
BUSY = 20  # times as long may work last where other programs have the processors; or a test waits for ever
COPIED = ("linlearn", "tests", "benchmarks", "tools", "book/_data")  # what tests import and read
SAID = "said.txt"  # in a tree: what its last tests printed
DELETED = (ast.AugAssign, ast.Expr, ast.Raise, ast.Continue, ast.Break)
Line = int
NodeId = str


class Mutant(NamedTuple):
    """The changed source, and the first and last line of the change."""

    first: Line
    last: Line
    source: str


def mutants(source: str) -> Iterator[Mutant]:
    """Every mutant that still compiles.

    Text (docstrings, messages, annotations) is left alone. So are the arguments of `gamma(…)`, the number
    of operations in `up(…, k)` and the factors `1 ± gamma(…)` and `1 ± 8 * U`: how many roundings are
    allowed for is a proof's matter; the bounds are generous, and no test can tell 8 from 9. That there is an
    allowance at all is tested.
    """
    lines = source.splitlines(keepends=True)
    begins = [0]
    for line in lines:
        begins.append(begins[-1] + len(line.encode()))
    raw = source.encode()
    for node, changed in _changes(ast.parse(source)):
        first = begins[node.lineno - 1] + node.col_offset
        last = begins[node.end_lineno - 1] + node.end_col_offset
        text = changed if isinstance(changed, str) else f"({ast.unparse(changed)})"
        whole = (raw[:first] + text.encode() + raw[last:]).decode()
        try:
            if ast.dump(ast.parse(whole)) != ast.dump(ast.parse(source)):
                yield Mutant(node.lineno, node.end_lineno, whole)
        except SyntaxError:
            continue


def _changes(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST | str]]:
    """Pairs (node, what to put in its place) below node."""
    yield from _changes_here(node)
    if isinstance(node, ast.Call) and _called(node) == "gamma":
        return
    if isinstance(node, ast.Call) and _called(node) in SAFE_SIDE:
        yield from _changes(node.args[0])
        return
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "exc", "msg", "ops", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if (isinstance(child, ast.keyword) and child.arg == "strict") or _of_labels(node):
                continue
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr | ast.Import):
                continue
            text = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            if not text and not _last_digits(child):
                yield from _changes(child)


def _last_digits(node: ast.AST) -> bool:
    """Whether node is 1 ± gamma(…), or 1 ± a few U."""
    return isinstance(node, ast.BinOp) and bool(
        re.match(r"1 [+-] (gamma|\d+ \* U$|self\.gamma$)", ast.unparse(node))
    )


def _of_labels(node: ast.AST) -> bool:
    """Whether node is `y > 0` or the like: labels are ±1, so borders do not matter."""
    return isinstance(node, ast.Compare) and bool(
        re.fullmatch(r"y(\[.*\])? [<>] 0", ast.unparse(node))
    )


def _changes_here(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST | str]]:
    match node:
        case ast.BinOp(ast.AST(), ast.Mult(), right) if _last_digits(right):
            return
        case ast.BinOp(left, op, right):
            for swap in SWAPS.get(type(op), []):
                yield node, ast.BinOp(left, swap(), right)
            if isinstance(op, ast.Add | ast.Sub | ast.Mult | ast.Div | ast.BitAnd | ast.BitOr):
                yield node, left
            if isinstance(op, ast.Add | ast.Mult | ast.BitAnd | ast.BitOr):
                yield node, right
        case ast.BoolOp(op, values):
            yield node, ast.BoolOp(SWAPS[type(op)][0](), values)
            for k in range(len(values)):
                yield node, ast.BoolOp(op, values[:k] + values[k + 1 :])
        case ast.Compare(left, [op], right) if _of_labels(node):
            yield node, ast.Compare(left, [SWAPS[type(op)][-1]()], right)
        case ast.Compare(left, ops, right):
            for k, op in enumerate(ops):
                for swap in SWAPS.get(type(op), []):
                    yield node, ast.Compare(left, [*ops[:k], swap(), *ops[k + 1 :]], right)
        case ast.UnaryOp(_, operand):
            yield node, operand
        case ast.Constant(bool() as value):
            yield node, repr(not value)
        case ast.Constant(int() as value):
            yield node, repr(value + 1)
        case ast.Constant(float() as value):
            yield node, repr(2 * value if value else 1.0)
        case ast.Call(_, args) if _called(node) == "gamma":
            yield node, "0.0"
        case ast.Call(_, args) if _called(node) in SAFE_SIDE:
            yield node, args[0]
        case ast.Call(_, args) if _called(node) in UNWRAPPED:
            for arg in args[:3]:
                yield node, arg
        case ast.If(test) | ast.IfExp(test):
            yield test, "True"
            yield test, "False"
        case ast.Assign([ast.Subscript()]):
            yield node, "pass"
        case ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break():
            yield node, "pass"
        case ast.Expr(value) if not isinstance(value, ast.Constant | ast.Yield | ast.YieldFrom):
            yield node, "pass"


def _called(node: ast.Call) -> str:
    return ast.unparse(node.func).rpartition(".")[2]


class Reach:
    """A pytest plugin: which lines of one file each test reaches, and how long it takes."""

    def __init__(self, path: Path) -> None:
        self.path, self.lines, self.seconds = str(path), {}, {}
        self.now: set[Line] = set()
        self.imported = self.now
        sys.settrace(self._call)

    def _call(self, frame, event, arg):
        return self._line if frame.f_code.co_filename == self.path else None

    def _line(self, frame, event, arg):
        self.now.add(frame.f_lineno)
        return self._line

    def pytest_runtest_logstart(self, nodeid):
        self.now = self.lines.setdefault(nodeid, set())
        self.begun = time.process_time()  # of this process: others may be at work
        sys.settrace(self._call)

    def pytest_runtest_logfinish(self, nodeid):
        self.seconds[nodeid] = time.process_time() - self.begun
        self.now = set()


class Chosen:
    """A pytest plugin: these tests only, in this order."""

    def __init__(self, order: list[NodeId]) -> None:
        self.place = {nodeid: k for k, nodeid in enumerate(order)}

    def pytest_collection_modifyitems(self, items):
        items[:] = sorted(
            (item for item in items if item.nodeid in self.place),
            key=lambda item: self.place[item.nodeid],
        )


def in_a_child(tree: Path, work, seconds: float) -> int | None:
    """work()'s exit code in a forked process that stands in `tree`; None when its seconds are over.

    They are the processor's: others may be at work.
    """
    if not (pid := os.fork()):
        code = 99
        try:
            os.setsid()
            os.chdir(tree)
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), resource.RLIM_INFINITY))
            sys.path[:0] = [str(tree), str(tree / "tests")]
            said = sys.stdout = sys.stderr = (tree / SAID).open("w", 1, "utf-8")
            os.dup2(said.fileno(), 1)
            os.dup2(said.fileno(), 2)
            code = int(work())
        finally:
            os._exit(code)
    end = time.monotonic() + BUSY * seconds
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            return None if code == -signal.SIGXCPU else code
        time.sleep(0.02)
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None


def run_tests(tests: list[str], *plugins: object) -> int:
    import pytest

    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header"]
    return int(pytest.main([*options, *tests], plugins=list(plugins)))


def load_once(tests: list[str]) -> None:
    """Import what the tests and the package import from elsewhere, before the forks.

    Nothing that imports the package: the forks would find it loaded, unbroken.
    """
    ours = {path.stem for room in (ROOT, ROOT / "tests") for path in room.iterdir()}
    files = [Path(test.partition("::")[0]) for test in tests]
    for path in [*files, *(ROOT / "linlearn").rglob("*.py"), ROOT / "tests/conftest.py"]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module, *(f"{node.module}.{a.name}" for a in node.names)]
            for name in names:
                if name.partition(".")[0] not in ours:
                    with contextlib.suppress(ImportError):
                        importlib.import_module(name)


def copied_tree(folder: Path) -> Path:
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def reach_of(tree: Path, module: Path, tests: list[str]) -> tuple[set[Line], dict, dict]:
    """Lines run on import, lines of each test, seconds of each test: of the unchanged module."""
    kept = tree / "reach.json"

    def work() -> int:
        reach = Reach(tree / module)
        code = run_tests(tests, reach)
        lines = {nodeid: sorted(found) for nodeid, found in reach.lines.items()}
        kept.write_text(json.dumps([sorted(reach.imported), lines, reach.seconds]))
        return code

    code = in_a_child(tree, work, LONGEST)
    if code is None:
        sys.exit(
            f"The unbroken tests took more than {LONGEST} s, line by line; name fewer of them."
        )
    if code:
        said = (tree / SAID).read_text(encoding="utf-8", errors="replace").strip()
        sys.exit(f"{said[-2000:]}\nUnbroken, these tests fail in a copy of the tree: {COPIED}.")
    imported, lines, seconds = json.loads(kept.read_text())
    return set(imported), {nodeid: set(found) for nodeid, found in lines.items()}, seconds


def diff(old: str, new: str) -> str:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm="")
    return "\n".join(
        f"    {line}" for line in lines if line[:3] not in ("---", "+++") and line[0] != "@"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("module", type=Path)
    parser.add_argument("--tests", nargs="+", required=True, help="files, or file::test")
    parser.add_argument("--sample", type=int, default=10**6, help="at most so many mutants")
    parser.add_argument("--seed", type=int, default=0, help="which sample")
    parser.add_argument("--lines", default="1-1000000", help="first-last line to break")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=20.0, help="spare time for a mutant")
    parser.add_argument(
        "--most", type=float, default=float("inf"), help="seconds of tests for a mutant"
    )
    options = parser.parse_args()
    load_once(options.tests)
    os.environ.update(
        CI="1", PYTHONDONTWRITEBYTECODE="1"
    )  # CI: Hypothesis draws the same each time
    sys.dont_write_bytecode = True
    module = options.module.resolve().relative_to(ROOT)
    source = (ROOT / module).read_text(encoding="utf-8")
    first, last = map(int, options.lines.split("-"))
    found = [m for m in mutants(source) if first <= m.first <= last]
    some = random.Random(options.seed).sample(found, min(options.sample, len(found)))
    some.sort(key=lambda m: m.first)
    with tempfile.TemporaryDirectory() as folder:
        trees: Queue[Path] = Queue()
        for k in range(options.workers):
            trees.put(copied_tree(Path(folder).resolve() / str(k)))
        tree = trees.get()
        imported, lines, seconds = reach_of(tree, module, options.tests)
        trees.put(tree)
        print(f"{module}: {len(some)} of {len(found)} mutants, {len(seconds)} tests", flush=True)

        def verdict_of(mutant: Mutant) -> str:
            span = set(range(mutant.first, mutant.last + 1))
            order = [i for i in seconds if span & lines[i] or span & imported]
            order.sort(key=seconds.__getitem__)
            until = accumulate(seconds[i] for i in order)
            order = [i for i, end in zip(order, until, strict=True) if end <= options.most]
            if not order:
                return "not reached"
            tree = trees.get()
            try:
                (tree / module).write_text(mutant.source, encoding="utf-8")
                limit = options.seconds + 4 * sum(seconds[i] for i in order)
                tests = sorted({i.partition("::")[0] for i in order})
                code = in_a_child(tree, lambda: run_tests(tests, Chosen(order)), limit)
            finally:
                (tree / module).write_text(source, encoding="utf-8")
                trees.put(tree)
            return "survived" if code == 0 else "late" if code is None else "killed"

        counts: dict[str, int] = {}
        with ThreadPoolExecutor(options.workers) as pool:
            for mutant, verdict in zip(some, pool.map(verdict_of, some), strict=True):
                counts[verdict] = counts.get(verdict, 0) + 1
                if verdict in ("survived", "not reached"):
                    print(
                        f"{module}:{mutant.first}: {verdict}\n{diff(source, mutant.source)}",
                        flush=True,
                    )
    print(f"{module}: " + ", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items())))


if __name__ == "__main__":
    main()
