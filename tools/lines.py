"""Count the lines to read for each method: its own file, then solvers, certificates and fractions.

python tools/lines.py            writes the table in docs/dev/package.md
"""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOM = ROOT / "linlearn"
PAGE = ROOT / "docs" / "dev" / "package.md"
TABLE = re.compile(r"(?<=<!-- lines: python tools/lines.py -->\n).*?(?=<!-- lines -->)", re.S)
# What every method rests on, read once: samples and planes, numbers with a radius, sums, what comes back.
CORE = {"validation", "plane", "data", "losses", "trace", "fit", "_console", "_progress_bar"} | {
    f"certificates/{name}" for name in ("__init__", "ball", "samples", "certificate")
}


@cache
def tree(module: str) -> ast.Module:
    """A module of the package, by its path without the ending."""
    return ast.parse((ROOM / f"{module}.py").read_text(encoding="utf-8"))


def code(found: ast.AST) -> set[int]:
    """The lines on which something stands that is not an import, a docstring or a comment."""
    left = set()
    for node in ast.walk(found):
        if isinstance(node, ast.Import | ast.ImportFrom | ast.alias) or _is_docstring(node):
            continue
        if isinstance(node, ast.stmt) and hasattr(node, "body"):
            left |= set(range(node.lineno, node.body[0].lineno))
        elif isinstance(node, ast.stmt):
            left |= set(range(node.lineno, node.end_lineno + 1))
    return left - _uncounted_lines(found)


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _uncounted_lines(found: ast.AST) -> set[int]:
    """Lines of docstrings and imports."""
    nodes = (
        n for n in ast.walk(found) if _is_docstring(n) or isinstance(n, ast.Import | ast.ImportFrom)
    )
    return {line for node in nodes for line in range(node.lineno, node.end_lineno + 1)}


@cache
def length(module: str) -> int:
    """Lines of code of a module, without blank ones and comments that stand alone."""
    text = (ROOM / f"{module}.py").read_text(encoding="utf-8").splitlines()
    lines = (text[line - 1].strip() for line in code(tree(module)))
    return sum(1 for line in lines if line and not line.startswith("#"))


@cache
def imported(module: str) -> set[str]:
    """The modules of the package that a module names."""
    found = set()
    for node in ast.walk(tree(module)):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("linlearn"):
            continue
        path = "/".join(node.module.split(".")[1:])
        if (ROOM / path).is_dir():
            found |= {_defines(path, alias.name) for alias in node.names}
        else:
            found.add(path)
    return found


def _defines(package: str, name: str) -> str:
    """The module that a package's name stands for, or from which it comes."""
    if (ROOM / package / f"{name}.py").exists():
        return f"{package}/{name}"
    for node in tree(f"{package}/__init__").body:
        if isinstance(node, ast.ImportFrom) and name in [alias.name for alias in node.names]:
            return "/".join(node.module.split(".")[1:])
    return f"{package}/__init__"


def reached(module: str) -> set[str]:
    """All modules beside the core that are read with this one."""
    found, ahead = set(), {module}
    while ahead:
        one = ahead.pop()
        found.add(one)
        ahead |= imported(one) - found - CORE
    return found - {module}


def methods() -> list[str]:
    """The names of the files of methods/."""
    return sorted(path.stem for path in (ROOM / "methods").glob("[a-z]*.py"))


@cache
def rows() -> dict[str, list[int]]:
    """For each file of methods/: its lines, and those of solvers, certificates and fractions behind it."""
    found = {}
    for name in methods():
        module = f"methods/{name}"
        rest = {one: length(one) for one in reached(module)}
        rooms = [("solvers", "branch_and_bound"), ("certificates",), ("exact",)]
        behind = [
            sum(n for one, n in rest.items() if one.split("/")[0] in names) for names in rooms
        ]
        found[name] = [length(module), *behind]
    return found


def table() -> str:
    """The rows as Markdown."""
    lines = ["| `methods/` | own | solvers | certificate | fractions |", "|---|--:|--:|--:|--:|"]
    lines += [f"| `{name}` | {' | '.join(map(str, counts))} |" for name, counts in rows().items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(
        TABLE.sub(lambda _: table(), PAGE.read_text(encoding="utf-8")), encoding="utf-8"
    )
    print(table(), end="")
