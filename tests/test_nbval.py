"""nbval itself fails on a wrong digit and on a swapped figure; what it overlooks, a guard catches."""

import os
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from xml.etree import ElementTree

import pytest
from guards import GUARDS, Page

HERE = Path(__file__).parent
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


def changed_source(cells):
    cells["good-algorithm"].source = cells["good-algorithm"].source.replace("w @ x", "2 * w @ x")


def unexecuted(cells):
    cells["good-solution"].update(outputs=[], execution_count=None)


def bitmap(cells):
    data = cells["good-fig"].outputs[0].data
    data["image/png"] = "iVBORw0KGgo="


CAUGHT = [wrong_digit, moved_point, swapped_figure, changed_source]
OVERLOOKED = {unexecuted: "executed", bitmap: "figures_svg"}


def mutated(change):
    notebook = deepcopy(GOOD.notebook)
    change({cell.id: cell for cell in notebook.cells})
    return Page.of(notebook, Path(f"{change.__name__}.ipynb"))


@pytest.fixture(scope="module")
def failed(tmp_path_factory):
    """Run nbval once over the good notebook and all its mutations; the names of those that fail."""
    folder = tmp_path_factory.mktemp("nbval")
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "good.ipynb").write_text(GOOD.text, "utf8")
    for change in [*CAUGHT, *OVERLOOKED]:
        (folder / f"{change.__name__}.ipynb").write_text(mutated(change).text, "utf8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--nbval",
        "--nbval-current-env",
        "-p",
        "no:cacheprovider",
    ]
    command += [
        "-p",
        "no:xdist",
        "--nbval-sanitize-with",
        str(HERE / "nbval_sanitize.cfg"),
        "--junitxml=report.xml",
        ".",
    ]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert (folder / "report.xml").exists(), done.stdout + done.stderr
    cases = ElementTree.parse(folder / "report.xml").iter("testcase")
    verdicts = {}
    for case in cases:
        name = case.get("classname").removesuffix(".ipynb").split(".")[-1]
        verdicts[name] = verdicts.get(name, False) or case.find("failure") is not None
    assert set(verdicts) == {"good", *(change.__name__ for change in [*CAUGHT, *OVERLOOKED])}, (
        done.stdout
    )
    return {name for name, bad in verdicts.items() if bad}


def test_unchanged_notebook_passes(failed):
    """The committed outputs are what the cells put out now."""
    assert "good" not in failed


@pytest.mark.parametrize("change", CAUGHT, ids=lambda change: change.__name__)
def test_nbval_catches(change, failed):
    """A wrong digit, a moved point or a swapped figure fails the notebook's test."""
    assert change.__name__ in failed


@pytest.mark.parametrize(
    ("change", "guard"), OVERLOOKED.items(), ids=lambda item: getattr(item, "__name__", item)
)
def test_guard_catches_what_nbval_overlooks(change, guard, failed):
    """A cell that never ran and a bitmap pass nbval; the guard named stops them."""
    assert change.__name__ not in failed
    assert GUARDS[guard](mutated(change))
