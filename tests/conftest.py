"""What all tests share: fixtures are no notebooks of the book, every run draws the same examples, and
a skipped check is said aloud."""

import os
from collections import defaultdict
from zlib import crc32

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

collect_ignore_glob = ["fixtures/*"]
LOUD = "not checked:"

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
    parser.addoption("--sample", action="store_true", help="of slow families, some of the cases")


def pytest_configure(config) -> None:
    config.addinivalue_line(
        "markers", "slow(one_in=3): of its cases, `make test` runs one in so many"
    )


def pytest_collection_modifyitems(config, items) -> None:
    draw_more(items)
    if config.getoption("--sample"):
        kept = sample(items)
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = [item for item in items if item in kept]


def sample(items) -> set:
    """Of a family marked slow, one case in three or `one_in`, chosen by its name; one at least."""
    families = defaultdict(list)
    for item in items:
        family = (item.path, item.originalname) if hasattr(item, "callspec") else item
        families[family].append(item)
    return {item for cases in families.values() for item in some(cases)}


def some(cases) -> list:
    slow = cases[0].get_closest_marker("slow")
    if not slow:
        return cases
    number = {case: crc32(case.name.encode()) for case in cases}
    one_in = slow.kwargs.get("one_in", 3)
    return [case for case in cases if number[case] % one_in == 0] or [min(cases, key=number.get)]


def draw_more(items) -> None:
    """Under EXAMPLES=10, ten times the examples that each property asks for."""
    times = int(os.environ.get("EXAMPLES", "1"))
    for test in {item.obj for item in items if item.get_closest_marker("hypothesis")}:
        wanted = test._hypothesis_internal_use_settings
        test._hypothesis_internal_use_settings = settings(
            wanted, max_examples=times * wanted.max_examples
        )


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
