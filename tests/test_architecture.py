"""The house: imports go down, the front door is light, the wheel stands alone."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import linlearn

ROOM = Path(linlearn.__file__).parent
FLOORS = [
    {"_elsewhere", "_files", "_html", "_progress", "_shown", "_scipy", "unwrap"},
    {"check", "checks", "practice", "table"},
    {"plane", "losses"},
    {"exact"},
    {"data", "trace", "certificates", "near_dependence"},
    {"fit", "engines"},
    {"zero_one"},
    {"methods", "capacity", "hardness"},
    {"plot", "estimators", "explore", "others", "blocks"},
]


def floor(module: str) -> int:
    return next(i for i, rooms in enumerate(FLOORS) if module in rooms)


@pytest.mark.parametrize("path", sorted(ROOM.rglob("*.py")), ids=lambda p: str(p.relative_to(ROOM)))
def test_imports_go_down(path):
    """A module imports only from the floors below its own (methods may share an engine)."""
    if path == ROOM / "__init__.py":
        return
    own = path.relative_to(ROOM).with_suffix("").parts[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("linlearn"):
            room = [*node.module.split("."), ""][1]
            assert room, f"{path.name} imports from the front door"
            shared = (
                room
                == own
                in ("blocks", "certificates", "engines", "exact", "explore", "practice", "zero_one")
            )
            assert shared or floor(room) < floor(own), f"{own} imports {room}"


def test_the_front_door_is_light():
    """`import linlearn` loads neither matplotlib nor scikit-learn, nor what only some functions need."""
    code = (
        "import sys, numpy; known = set(sys.modules)\n"
        "import linlearn; print([m for m in ('matplotlib', 'sklearn', 'numpy.random', 'zipfile', 'tempfile')"
        " if m in sys.modules.keys() - known])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_scipy_is_entered_when_it_is_first_used():
    """`import linlearn` loads none of its larger rooms, whose import takes longer than most answers."""
    code = (
        "import sys, linlearn; print([m for m in ('linalg', 'optimize', 'sparse', 'spatial', 'special')"
        " if f'scipy.{m}' in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    for path in ROOM.rglob("*.py"):
        if path.name in ("_scipy.py", "plot.py", "estimators.py"):
            continue  # the last two are imported when first used
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
        if path.name in ("plot.py", "check.py", "estimators.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                assert called not in ("print", "warnings.warn", "np.random.seed"), (
                    f"{path.name}: {called}"
                )
                assert not called.startswith("plt."), f"{path.name}: {called}"
