"""What `make machines` reports: green only for what took effect, ran and passed."""

import re
import subprocess

import pytest
from guards import ROOT

from tools import machines
from tools.machines import Outcome, Row, environment, outcome, unmet_conditions, verdict

FACTS = {"kernel": "SkylakeX", "threads": "1", "SIMD": "X86_V3 X86_V4", "zone": "+0000"}
ZEN = Row("Zen", {"OPENBLAS_CORETYPE": "Zen"}, {"kernel": ("Zen",)})
RAN = {"tests": Outcome(100, ()), "cells": Outcome(10, ())}


def test_a_row_that_took_effect_and_passed_is_green():
    assert verdict(unmet_conditions(ZEN, FACTS | {"kernel": "Zen"}, FACTS), RAN) == "green"


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        ({}, "kernel is 'SkylakeX', not Zen"),  # the setting did nothing
        ({"kernel": "Haswell"}, "kernel is 'Haswell', not Zen"),  # it did something else
        ({"kernel": ""}, "kernel is '', not Zen"),
    ],
)
def test_a_row_that_did_not_take_effect_is_not_run(found, reason):
    """Whatever the tests would say: they would say it of another machine."""
    assert verdict(unmet_conditions(ZEN, FACTS | found, FACTS), RAN) == f"not run: {reason}"


def test_a_row_that_is_the_default_again_is_not_run():
    """Its wish is fulfilled, but nothing is other than in the first row."""
    row = Row("SkylakeX", wants={"kernel": ("SkylakeX",)})
    assert verdict(unmet_conditions(row, FACTS, FACTS), RAN).startswith("not run: the same as")
    assert unmet_conditions(Row("default"), FACTS, None) == []


def test_every_wish_must_be_fulfilled():
    row = Row("both", wants={"threads": ("2",), "zone": ("+0530",)})
    assert unmet_conditions(row, FACTS | {"threads": "2"}, FACTS) == ["zone is '+0000', not +0530"]


@pytest.mark.parametrize(
    "outcomes",
    [
        {},
        {"tests": Outcome(0, ()), "cells": Outcome(10, ())},
        {"tests": Outcome(99, ("a::b",)), "cells": Outcome(10, ())},
        {"tests": Outcome(100, ()), "cells": Outcome(9, ("c::d",))},
    ],
)
def test_what_failed_or_never_ran_is_not_green(outcomes):
    assert verdict([], outcomes).startswith("FAILED")


REPORT = """<testsuites><testsuite><testcase classname="a" name="good"/>
<testcase classname="a" name="bad"><failure/></testcase>
<testcase classname="a" name="worse"><error/></testcase>
<testcase classname="a" name="left"><skipped/></testcase></testsuite></testsuites>"""


def test_failures_and_errors_are_counted_and_a_crash_is_a_failure(tmp_path):
    report = tmp_path / "report.xml"
    assert outcome(report, 0).failed  # ended without a word
    report.write_text(REPORT)
    assert outcome(report, 1) == Outcome(1, ("a::bad", "a::worse"))
    report.write_text('<testsuites><testcase classname="a" name="good"/></testsuites>')
    assert outcome(report, 0) == Outcome(1, ())
    assert outcome(report, 3).failed  # all well, and yet pytest says no


def test_a_row_begins_from_the_defaults(monkeypatch):
    """What the caller has set for itself does not reach a row that is about something else."""
    for name in ("OPENBLAS_CORETYPE", "OMP_NUM_THREADS", "PYTHONHASHSEED", "TZ"):
        monkeypatch.setenv(name, "5")
    found = environment(Row("two threads", *machines.THREADS))
    assert found["OMP_NUM_THREADS"] == "2" and found["PYTHONHASHSEED"] == "0"
    assert "OPENBLAS_CORETYPE" not in found and "TZ" not in found


def test_the_farthest_row_is_other_in_everything():
    """Kernel, SIMD, threads, hashes, time zone, encoding and folder at once."""
    far = machines.farthest({"Prescott": "Katmai", "Haswell": ""})
    assert far.wants.keys() >= {"threads", "hash", "zone", "UTF-8 mode", "encoding", "folder"}
    assert far.wants["kernel"] == ("Prescott", "Katmai") and " " in str(machines.SPACES)


def test_oldest_packages_are_the_lower_bounds():
    asked = machines.wanted_packages("oldest")
    assert {"numpy==2.0", "scipy==1.16"} <= set(asked) and not [a for a in asked if ">=" in a]
    assert {"numpy", "scipy"} <= set(machines.wanted_packages("newest"))


def test_a_missing_python_is_not_run():
    row = Row("Python 9.9", wants={"python": ("9.9",)}, python="")
    assert machines.run(row, FACTS)[-1].startswith("not run: no such Python")


def test_a_row_says_what_it_was_run_on(tmp_path, monkeypatch):
    """The commit, whether files differ from it, and nothing made up where git has no answer."""
    monkeypatch.setattr(machines, "ROOT", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert machines.commit() == "unknown"
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], [*who, "commit", "-q", "--allow-empty", "-m", "a"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    clean = machines.commit()
    assert re.fullmatch("[0-9a-f]{8}", clean)
    (tmp_path / "docs" / "dev").mkdir(parents=True)
    (tmp_path / "docs" / "dev" / "machines.md").write_text("a row")
    assert machines.commit() == clean
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_a.py").write_text("")
    assert machines.commit() == f"{clean} and changes"


def test_the_committed_table_has_no_failure_and_can_be_read_back():
    """A row that failed is mended before its line is committed."""
    lines = machines.kept_lines()
    assert lines and all(
        line[-1] == "green" or line[-1].startswith("not run: ") for line in lines.values()
    )
    assert machines.written(lines) == machines.PAGE.read_text("utf8")


def test_rows_run_what_is_computed_and_not_how_the_book_is_made():
    """Told by what a file imports, so that no list can forget one."""
    chosen = [name for name in machines.numerical() if name.endswith(".py")]
    assert {"tests/test_svm.py", "tests/test_perceptron.py"} <= set(chosen)
    shown = ("browser", "axe", "explore_pages", "guards", "math")
    assert not {f"tests/test_{name}.py" for name in shown} & set(chosen)
    assert all((ROOT / name).is_file() for name in chosen)


@pytest.mark.parametrize("forbidden", [True, False])
def test_uv_is_told_whether_to_compile(forbidden, tmp_path, monkeypatch):
    """In a word that it takes, whether or not Python may keep what it compiles."""
    told = {}

    def run(command, *, env, **rest):
        told.update(env)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(machines.subprocess, "run", run)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1" if forbidden else "")
    machines.uv("pip", "check", cwd=tmp_path)
    assert told["UV_COMPILE_BYTECODE"] == ("1" if forbidden else "0")
