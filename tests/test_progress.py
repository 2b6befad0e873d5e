"""`make test` says how far it is, and of slow families runs some cases, the same ones in every run."""

from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import numerical_files, sample
from progress import Progress

from tools.machines import numerical

HERE = Path(__file__).resolve().parent


class Terminal(StringIO):
    def isatty(self):
        return True


def progress(out, total):
    """The plugin in a session of `total` tests."""
    reporter = SimpleNamespace(_session=SimpleNamespace(testscollected=total))
    plugins = SimpleNamespace(get_plugin=lambda name: reporter)
    return Progress(SimpleNamespace(pluginmanager=plugins), out)


def run(shown, k, fails=False):
    for when in ("setup", "call", "teardown"):
        failed = fails and when == "call"
        shown.pytest_runtest_logreport(
            SimpleNamespace(nodeid=f"tests/test_a.py::test_{k}", when=when, failed=failed)
        )


def test_a_log_has_a_line_for_each_tenth_and_each_failure():
    out = StringIO()
    shown = progress(out, 50)
    for k in range(50):
        run(shown, k, fails=k == 7)
    lines = out.getvalue().splitlines()
    assert len(lines) == 11
    assert lines[:2] == [
        "5 of 50 tests, 0 failed; tests/test_a.py",
        "failed: tests/test_a.py::test_7",
    ]
    assert lines[-1] == "50 of 50 tests, 1 failed; tests/test_a.py"


def test_a_terminal_has_one_line_that_is_written_over():
    out = Terminal()
    shown = progress(out, 3)
    for k in range(3):
        run(shown, k)
    assert out.getvalue().count("\r") == 3 and out.getvalue().count("\n") == 1


def case(name, slow=pytest.mark.slow.mark, **cases):
    """Such a test; each is another one, as those of pytest are."""
    return Case(
        path="tests/test_x.py",
        name=name,
        originalname=name.partition("[")[0],
        get_closest_marker=lambda _: slow,
        **cases,
    )


class Case(SimpleNamespace):
    __hash__ = object.__hash__


def sampled(*cases, numerical=()):
    kept = sample(cases, numerical)
    return [one.name for one in cases if one in kept]


@pytest.mark.parametrize("family", ["test_page_is_whole", "test_notebook_downloads"])
@pytest.mark.parametrize(("slow", "one_in"), [({}, 3), ({"one_in": 9}, 9)])
def test_of_a_slow_family_some_cases_are_a_sample(family, slow, one_in):
    """By its name, so that a new page changes nothing for the others; what has no cases always runs."""
    names = [f"{family}[{k:03d}]" for k in range(900)]
    mark = pytest.mark.slow(**slow).mark
    cases = [case(name, mark, callspec=1) for name in names]
    kept = sampled(*cases)
    assert 0.6 * 900 < one_in * len(kept) < 1.4 * 900
    assert kept == sampled(*cases[::-1])[::-1]
    assert set(sampled(*cases[:450])) | set(sampled(*cases[450:])) == set(kept)
    assert sampled(*(case(name, None, callspec=1) for name in names)) == names
    assert sampled(*(case(name, mark) for name in names)) == names


def test_of_a_numerical_family_one_case_in_four_is_a_sample():
    """Unmarked as they are; the row `farthest` runs them whole."""
    cases = [case(f"test_{name}[{k}]", None, callspec=1) for name in "ab" for k in range(300)]
    kept = sampled(*cases, numerical=["tests/test_x.py"])
    assert {name[:6] for name in kept} == {"test_a", "test_b"}
    assert 0.6 * 600 < 4 * len(kept) < 1.4 * 600
    assert sampled(case("test_alone", None), numerical=["tests/test_x.py"]) == ["test_alone"]
    files = numerical_files()
    assert {
        HERE / f"test_{name}.py" for name in ("svm", "zero_one", "out_of_core", "ball")
    } <= files
    assert not files & {HERE / f"test_{name}.py" for name in ("book", "browser", "build", "nbval")}
    assert "--sample" not in numerical()


def test_of_the_tests_of_a_file_together_some_are_a_sample():
    mark = pytest.mark.slow(one_in=10**9, together=True).mark
    assert len(sampled(*(case(f"test_{name}", mark) for name in "abcdef"))) == 1


def test_of_the_smallest_family_a_case_is_left():
    rare = pytest.mark.slow(one_in=10**9).mark
    cases = [case(f"test_{name}[{k}]", rare, callspec=1) for name in "ab" for k in range(3)]
    assert [name[:6] for name in sampled(*cases)] == ["test_a", "test_b"]
