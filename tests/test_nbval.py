"""nbval, with the rule of `same_output`, catches damages; what it overlooks, a guard catches."""

import os
import re
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import pytest
from guards import GUARDS, Page

HERE = Path(__file__).parent
SANITIZE = HERE / "nbval_sanitize.cfg"
GOOD = Page.open(HERE / "fixtures" / "good.ipynb")


def wrong_digit(cells):
    cells["good-samples"].outputs[0].text = (
        cells["good-samples"].outputs[0].text.replace("3.1623", "3.1624")
    )


def moved_point(cells):
    svg = cells["good-fig"].outputs[0].data["image/svg+xml"]
    start = svg.index('x="', svg.index("<use ")) + len('x="')
    cells["good-fig"].outputs[0].data["image/svg+xml"] = svg[:start] + "1" + svg[start:]


def swapped_figure(cells):
    other = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="9"/></svg>'
    cells["good-fig"].outputs[0].data["image/svg+xml"] = other


def last_decimal(cells):
    """Every coordinate of the figure by one unit of the last decimal that is written."""
    data = cells["good-fig"].outputs[0].data
    data["image/svg+xml"] = re.sub(
        r"\d+\.\d{6}", lambda found: f"{float(found[0]) + 1e-6:.6f}", data["image/svg+xml"]
    )


def changed_source(cells):
    cells["good-score"].source = cells["good-score"].source.replace("w @ x", "2 * w @ x")


def unexecuted(cells):
    cells["good-solution"].update(outputs=[], execution_count=None)


def bitmap(cells):
    data = cells["good-fig"].outputs[0].data
    data["image/png"] = "iVBORw0KGgo="


CAUGHT = [wrong_digit, moved_point, swapped_figure, changed_source, bitmap]
PASSED = [last_decimal]
OVERLOOKED = {unexecuted: "executed"}
ALL = [*CAUGHT, *PASSED, *OVERLOOKED]


def mutated(change):
    notebook = deepcopy(GOOD.notebook)
    change({cell.id: cell for cell in notebook.cells})
    return Page.of(notebook, Path(f"{change.__name__}.ipynb"))


def all_in_one():
    """The good notebook, and after it each changed cell: one kernel runs them all."""
    notebook = deepcopy(GOOD.notebook)
    for change in ALL:
        pairs = zip(GOOD.notebook.cells, mutated(change).notebook.cells, strict=True)
        (changed,) = (after for before, after in pairs if after != before)
        changed.id = change.__name__.replace("_", "-")
        notebook.cells.append(changed)
    return notebook


@pytest.fixture(scope="module")
def failed(tmp_path_factory):
    """Run nbval over the good notebook and all changed cells; the names of those that fail."""
    folder, notebook = tmp_path_factory.mktemp("nbval"), all_in_one()
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "all.ipynb").write_text(nbformat.writes(notebook), "utf8")
    command = (
        "-m pytest -q --nbval --nbval-current-env -p same_output -p no:cacheprovider -p no:xdist"
    )
    options = ["--nbval-sanitize-with", str(SANITIZE), "--junitxml=report.xml", "."]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    done = subprocess.run(
        [sys.executable, *command.split(), *options],
        cwd=folder,
        env=environment | {"PYTHONPATH": str(HERE)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (folder / "report.xml").exists(), done.stdout + done.stderr
    cases = [*ElementTree.parse(folder / "report.xml").iter("testcase")]
    names = [cell.id for cell in notebook.cells if cell.cell_type == "code"]
    assert [case.get("name") for case in cases] == [f"Cell {k}" for k in range(len(names))]
    return {
        name.replace("-", "_")
        for name, case in zip(names, cases, strict=True)
        if case.find("failure") is not None
    }


def test_unchanged_notebook_passes(failed):
    """The committed outputs are what the cells put out now, or as near as the rule asks."""
    assert not [name for name in failed if name.startswith("good")]
    assert not {change.__name__ for change in PASSED} & failed


@pytest.mark.parametrize("change", CAUGHT, ids=lambda change: change.__name__)
def test_nbval_catches(change, failed):
    """A wrong digit, a moved point, a swapped figure or a bitmap fails the notebook's test."""
    assert change.__name__ in failed


@pytest.mark.parametrize(
    ("change", "guard"), OVERLOOKED.items(), ids=lambda item: getattr(item, "__name__", item)
)
def test_guard_catches_what_nbval_overlooks(change, guard, failed):
    """A cell that never ran passes nbval; the guard named stops it."""
    assert change.__name__ not in failed
    assert GUARDS[guard](mutated(change))
