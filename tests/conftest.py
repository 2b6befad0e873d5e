"""What all tests share: fixtures are no notebooks of the book, and a skipped check is said aloud."""

import os

import pytest
from hypothesis import settings

collect_ignore_glob = ["fixtures/*"]
LOUD = "not checked:"

# A busy machine is no failure; where CI is set, every run draws the same examples.
settings.register_profile("course", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("course")


def loud_skip(what: str, remedy: str) -> None:
    """Skip with a message in the summary; where CI is set, nothing may be skipped, so fail."""
    message = f"{LOUD} {what}. {remedy}"
    pytest.fail(message, pytrace=False) if os.environ.get("CI") else pytest.skip(message)


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
