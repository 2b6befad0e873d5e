"""The mutation runner breaks code, and only code."""

import ast
import re
import sys
import time
from pathlib import Path

import dependent
import pytest

sys.path.append(str(Path(__file__).resolve().parent.parent / "tools"))
import mutants as tool
from mutants import ROOT, copied_tree, diff, in_a_child, mutants, reach_of

SOURCE = '''
def bound(x: int = 3) -> float:
    """At most 5 and at least 4."""
    if x > 0 and abs(x) < 2:
        raise ValueError(f"`x` must be {2 + 2}")
    total = x * (1 + gamma(8))
    total[0] = 0.5
    return total - gamma(7 + x)
'''
PLAIN = {ast.unparse(ast.parse(m.source)) for m in mutants(SOURCE)}


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("x > 0", "x >= 0"),
        ("x > 0", "x <= 0"),
        ("0 and abs", "0 or abs"),
        ("abs(x)", "x"),
        ("< 2", "< 3"),
        ("x > 0 and abs(x) < 2", "False"),
        ('raise ValueError(f"`x` must be {2 + 2}")', "pass"),
        ("total[0] = 0.5", "pass"),
        ("0.5", "1.0"),
        ("gamma(7 + x)", "0.0"),
        ("total - gamma(7 + x)", "total"),
        ("total - gamma", "total + gamma"),
    ],
)
def test_it_breaks(right, wrong):
    """Borders, connectives, wrappers, constants, branches, statements, terms and allowances."""
    assert ast.unparse(ast.parse(SOURCE.replace(right, wrong, 1))) in PLAIN


def test_it_leaves_text_and_last_digits_alone():
    """No mutant differs in the docstring, the message, the annotation or the number of roundings."""
    found = list(mutants(SOURCE))
    assert len({m.source for m in found}) == len(found)
    for m in found:
        assert "At most 5 and at least 4." in m.source and "x: int = " in m.source
        assert "{2 + 2}" in m.source or "pass" in m.source
        assert "(1 + gamma(8))" in m.source and diff(SOURCE, m.source)
        assert "7 + x" in m.source or "total" in diff(SOURCE, m.source)


def test_what_the_tests_import_and_read_is_copied(tmp_path):
    """Else they fail there, though they pass here, and nothing can be broken."""
    there = copied_tree(tmp_path)
    for path in (ROOT / "tests").glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            room = (getattr(node, "module", None) or "").partition(".")[0]
            if isinstance(node, ast.ImportFrom) and room and (ROOT / room).is_dir():
                assert (there / room).is_dir(), f"{path.name} imports {room}"
    assert (there / dependent.TABLE.relative_to(ROOT)).is_file()


def test_why_unbroken_tests_fail_is_said(tmp_path):
    """In their own words: else one looks for the reason in the wrong place."""
    test = tmp_path / "test_it.py"
    test.write_text("def test_it():\n    assert open('not there')")
    with pytest.raises(SystemExit, match="No such file or directory: 'not there'"):
        reach_of(tmp_path, tmp_path / "module.py", [str(test)])


def test_time_is_what_a_mutant_works_not_what_it_waits(monkeypatch, tmp_path):
    """Other programs may have the processors; but what waits for ever ends, too."""
    assert in_a_child(tmp_path, lambda: time.sleep(1.5) or 0, 1) == 0
    begun = time.monotonic()
    assert in_a_child(tmp_path, lambda: sum(iter(int, 1)), 1) is None
    assert time.monotonic() - begun < tool.BUSY
    monkeypatch.setattr(tool, "BUSY", 3)
    assert in_a_child(tmp_path, lambda: time.sleep(60), 0.2) is None


def test_the_table_of_the_last_look_adds_up():
    """Every change to a module that is still there was noticed by a test, or is explained below the table."""
    page = (ROOT / "docs" / "dev" / "mutants.md").read_text("utf8")
    row = r"^\| `(\S+)` \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$"
    found = re.findall(row, page, re.MULTILINE)
    assert found
    for module, *counts in found:
        places, broken, noticed, explained = map(int, counts)
        assert noticed + explained == broken <= places
        assert (ROOT / "linlearn" / f"{module}.py").exists()
