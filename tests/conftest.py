"""What all tests share: fixtures are no notebooks of the book, every run draws the same examples, and
a skipped check is said aloud."""

import os
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

collect_ignore_glob = ["fixtures/*"]
LOUD = "not checked:"
# Of a numerical family, one in so many of the cases and of the examples is in the sample.
NUMERICAL = 4

# `make test` draws the same examples in every run and on every machine; `make fuzz` draws others,
# EXAMPLES times as many. A busy machine is no failure.
settings.register_profile("course", deadline=None, derandomize=True, database=None)
settings.register_profile("fuzz", deadline=None, database=None, print_blob=True)
settings.load_profile("course")

# Hypothesis also draws numbers that it finds in the modules imported so far, which depends on the
# tests that ran before in the same process.
providers._get_local_constants = lambda: providers._local_constants


def loud_skip(what: str, remedy: str) -> None:
    """Skip with a message in the summary; where CI is set, nothing may be skipped, so fail."""
    message = f"{LOUD} {what}. {remedy}"
    pytest.fail(message, pytrace=False) if os.environ.get("CI") else pytest.skip(message)


def pytest_addoption(parser) -> None:
    parser.addoption("--sample", action="store_true", help="of what takes long, some of the cases")


def pytest_configure(config) -> None:
    config.addinivalue_line(
        "markers",
        "slow(one_in=3, together=False): of its cases, or those of all tests of its file together, "
        "`make test` runs one in so many",
    )


def pytest_collection_modifyitems(config, items) -> None:
    whole = not config.getoption("--sample")
    numerical = set() if whole else numerical_files()
    draw(items, Fraction(os.environ.get("EXAMPLES", 1)), numerical)
    if not whole:
        kept = sample(items, numerical)
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = [item for item in items if item in kept]


def numerical_files() -> set[Path]:
    """The files of which `make test` samples every family, and `make machines` runs all cases."""
    from tools.machines import ROOT, numerical

    return {ROOT / name for name in numerical() if name.startswith("tests/")}


def sample(items, numerical=frozenset()) -> set:
    """Some cases of every numerical family, of one marked slow as many as it says; one at least."""
    families = defaultdict(list)
    for item in items:
        families[family(item)].append(item)
    return {item for cases in families.values() for item in some(cases, numerical)}


def family(item):
    slow = item.get_closest_marker("slow")
    if slow and slow.kwargs.get("together"):
        return item.path
    return (item.path, item.originalname) if hasattr(item, "callspec") else item


def some(cases, numerical) -> list:
    """Chosen by their names, so that a new case changes nothing for the others."""
    slow = cases[0].get_closest_marker("slow")
    if not slow and cases[0].path not in numerical:
        return cases
    number = {case: crc32(case.name.encode()) for case in cases}
    one_in = slow.kwargs.get("one_in", 3) if slow else NUMERICAL
    return [case for case in cases if number[case] % one_in == 0] or [min(cases, key=number.get)]


def draw(items, times, numerical) -> None:
    """So many times the examples that each property asks for; of a numerical one some of that."""
    properties = [item for item in items if item.get_closest_marker("hypothesis")]
    for test, path in {item.obj: item.path for item in properties}.items():
        wanted = test._hypothesis_internal_use_settings
        share = times / NUMERICAL if path in numerical else times
        examples = max(1, int(share * wanted.max_examples))
        test._hypothesis_internal_use_settings = settings(wanted, max_examples=examples)


def pytest_terminal_summary(terminalreporter) -> None:
    reasons = [
        report.longrepr[2]
        for report in terminalreporter.stats.get("skipped", [])
        if isinstance(report.longrepr, tuple)
    ]
    loud = sorted({reason.removeprefix("Skipped: ") for reason in reasons if LOUD in reason})
    if loud:
        terminalreporter.section("NOT EVERYTHING WAS CHECKED", sep="!", red=True, bold=True)
    for reason in loud:
        terminalreporter.line(f"{reasons.count('Skipped: ' + reason)} tests {reason}", yellow=True)
