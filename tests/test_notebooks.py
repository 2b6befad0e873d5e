"""`make outputs` leaves a notebook alone where the rule calls its outputs the same, and only there."""

import re
import shutil
from pathlib import Path

import nbformat
import pytest

from tools.notebooks import joined, run

GOOD = Path(__file__).parent / "fixtures" / "good.ipynb"


def coordinates(text, off):
    """The notebook with all coordinates of its figures moved."""
    return re.sub(r"(?<= )\d+\.\d{6}", lambda found: f"{float(found[0]) + off:.6f}", text)


@pytest.mark.parametrize(("off", "changed"), [(0, False), (1e-6, False), (1e-2, True)])
def test_outputs_that_are_the_same_are_left_alone(off, changed, tmp_path):
    path = tmp_path / "page.ipynb"
    shutil.copy(GOOD, path)
    committed = coordinates(path.read_text("utf8"), off)
    path.write_text(committed, "utf8")
    assert run(path) == changed
    assert (path.read_text("utf8") != committed) == changed
    assert path.read_text("utf8") == (GOOD.read_text("utf8") if changed else committed)


def test_a_cell_that_fails_leaves_the_notebook_and_is_named(tmp_path):
    path = tmp_path / "page.ipynb"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 / 0")])
    nbformat.write(notebook, path)
    before = path.read_text("utf8")
    with pytest.raises(SystemExit, match=rf"`{notebook.cells[0].id}`(?s:.)*was not written"):
        run(path)
    assert path.read_text("utf8") == before


def test_prints_are_joined_once():
    """However the kernel cut them, and however often they are joined: what is looked at stays as it was."""
    cut = [nbformat.v4.new_output("stream", name="stdout", text=text) for text in ("a\n", "b\n")]
    for _ in range(2):
        assert [output.text for output in joined(cut)] == ["a\nb\n"]
    assert [output.text for output in cut] == ["a\n", "b\n"]
