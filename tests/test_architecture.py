"""The house: imports go down, the front door is light, the wheel stands alone."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import linlearn

ROOM = Path(linlearn.__file__).parent
# From the ground up: a module imports from its own folder, or from what stands before it.
FLOORS = [
    {"_console", "_dispatch", "_html", "_npz", "_scipy"},
    {"check", "practice", "table", "validation"},
    {"_progress_bar", "plane", "losses"},
    {"textbook", "exact"},
    {"data", "trace", "collinearity"},
    {"certificates"},
    {"inference"},
    {"fit", "solvers"},
    {"branch_and_bound"},
    {"methods", "capacity", "hardness"},
    {"certified"},
    {"plot", "estimators", "explore", "out_of_core"},
]
FOLDERS = {
    "branch_and_bound",
    "certificates",
    "certified",
    "estimators",
    "exact",
    "explore",
    "out_of_core",
    "practice",
    "solvers",
}


def floor(module: str) -> int:
    return next(i for i, modules in enumerate(FLOORS) if module in modules)


def imported(tree: ast.AST) -> list[str]:
    """The modules of the package that a module names, also to `import_module`."""
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "linlearn":
            names += [f"linlearn.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names.append(node.module or "")
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            names += [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
    return [name for name in names if name.split(".")[0] == "linlearn"]


@pytest.mark.parametrize("path", sorted(ROOM.rglob("*.py")), ids=lambda p: str(p.relative_to(ROOM)))
def test_imports_go_down(path):
    if path == ROOM / "__init__.py":
        return
    own = path.relative_to(ROOM).with_suffix("").parts[0]
    for name in imported(ast.parse(path.read_text(encoding="utf-8"))):
        module = [*name.split("."), ""][1]
        assert module, f"{path.name} imports the package itself"
        inside = module == own and own in FOLDERS
        assert inside or floor(module) < floor(own), f"{own} imports {module}"


def test_the_guard_reads_every_kind_of_import():
    code = "from linlearn import plot\nimport linlearn.fit\nfrom linlearn.plane import signed\n"
    code += "import_module('linlearn.out_of_core')"
    assert sorted(imported(ast.parse(code))) == [
        "linlearn.fit", "linlearn.out_of_core", "linlearn.plane", "linlearn.plot"
    ]  # fmt: skip


def after(code):
    """What a fresh interpreter prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_import_loads_nothing_that_only_a_call_needs():
    """`import linlearn` costs hardly more than `import numpy`: these modules, and no others."""
    code = (
        "import sys, numpy, numpy.typing, importlib; known = set(sys.modules)\n"
        "import linlearn; print(*sorted(sys.modules.keys() - known))"
    )
    assert after(code) == "linlearn linlearn._dispatch"


def test_no_function_has_the_name_of_a_module():
    """Importing the module would replace the function, which `linlearn.name` gives on demand."""
    packages = {path.parent.name for path in ROOM.glob("*/__init__.py")}
    modules = packages | {path.stem for path in ROOM.glob("*.py")}
    assert "plane" in modules and not modules & set(linlearn._HOME)


def test_type_checkers_read_what_is_imported_on_demand():
    tree = ast.parse((ROOM / "__init__.py").read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    read = {}
    for node in block.body:
        (alias,) = node.names
        assert alias.name == alias.asname, "only so is a name public to them"
        read.setdefault(node.module, set()).add(alias.name)
    modules = read.pop("linlearn")
    homes = {f"linlearn.{home}": set(names.split()) for home, names in linlearn._DEFINED_IN.items()}
    assert read == homes
    assert modules | set().union(*homes.values()) == set(linlearn.__all__)


def test_scipy_is_entered_when_it_is_first_used():
    """`import linlearn` loads none of its larger rooms, whose import takes longer than most answers."""
    code = (
        "import sys, linlearn as ll; [getattr(ll, name) for name in ll._HOME]\n"
        "print([m for m in ('linalg', 'optimize', 'sparse', 'spatial', 'special')"
        " if f'scipy.{m}' in sys.modules])"
    )
    assert after(code) == "[]"
    for path in ROOM.rglob("*.py"):
        if path.name in ("_scipy.py", "plot.py"):
            continue  # the last is imported when first used
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(n.split(".")[0] == "scipy" for n in names), path.name


def test_every_public_name_exists_and_is_documented():
    for name in linlearn.__all__:
        assert getattr(linlearn, name).__doc__, name
    assert sorted(linlearn.__all__) == linlearn.__all__
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        linlearn.nonsense  # noqa: B018


def test_the_core_is_silent():
    """Methods never print, warn, draw or use global random state."""
    for path in ROOM.rglob("*.py"):
        if path.name in ("plot.py", "check.py") or path.parent.name == "estimators":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                assert called not in ("print", "warnings.warn", "np.random.seed"), (
                    f"{path.name}: {called}"
                )
                assert not called.startswith("plt."), f"{path.name}: {called}"
