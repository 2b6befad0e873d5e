"""What is being tested and how far it is, in one line: a pytest plugin, `-p progress`.

On a terminal the line is written over; elsewhere, as in a log, there is a line for each tenth.
"""

import sys

import pytest


def pytest_report_teststatus(report):
    """No dot for what is well; failures keep their letter for the summary, and a line of their own."""
    if report.passed:
        return ("passed" if report.when == "call" else ""), "", "PASSED"
    return None


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    if not hasattr(config, "workerinput"):  # the process that started the others, or the only one
        config.pluginmanager.register(Progress(config))


class Progress:
    """Counts the tests that have ended."""

    def __init__(self, config, out=None):
        self.out = out or sys.__stderr__
        self.over = self.out.isatty()
        self.reporter = config.pluginmanager.get_plugin("terminalreporter")
        self.done, self.failed, self.tenth = 0, 0, 0

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.failed += 1
            self.say(f"failed: {report.nodeid}", "\n")
        if report.when == "teardown":
            self.done += 1
            self.tell(report.nodeid.partition("::")[0])

    def tell(self, file):
        """The line, or each tenth of them; `file` is where the last test was that ended."""
        total = self.reporter._session.testscollected
        line = f"{self.done} of {total} tests, {self.failed} failed; {file}"
        if self.over:
            self.say(line, "\n" if self.done == total else "")
        elif (tenth := 10 * self.done // total) > self.tenth:
            self.tenth = tenth
            self.say(line, "\n")

    def say(self, line, end):
        before = "\r\x1b[K" if self.over else ""  # back to the margin, and wipe
        self.out.write(f"{before}{line[:100]}{end}")
        self.out.flush()
