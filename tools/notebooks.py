"""The notebooks' two chores: run them in place so that reruns change nothing; lay out their sources.

python tools/notebooks.py run index.ipynb book/*.ipynb
python tools/notebooks.py sources --into FOLDER index.ipynb book/*.ipynb
"""

import argparse
import os
import sys
import time
from copy import deepcopy
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError
from nbformat import NotebookNode

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))
from same_output import LIVE, difference, shown

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
# How outputs are made unless the caller says otherwise; they may be checked with any other value.
SAME_EVERYWHERE = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
}


def pages(root):
    """Every notebook of the book in this folder: the front page, then the others by name."""
    return [root / "index.ipynb", *sorted((root / "book").glob("*.ipynb"))]


class Client(NotebookClient):
    """A client that remembers which cell is running, to name it when it fails."""

    running = None

    async def async_execute_cell(self, cell, cell_index, **options):
        self.running = cell
        return await super().async_execute_cell(cell, cell_index, **options)


def normalise(notebook):
    """Keep what an author wrote and what the code said; drop clocks, versions and editor state."""
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            output.get("metadata", {}).pop("needs_background", None)
            for live in (output.get("data", {}), output.get("metadata", {})):
                live.pop(LIVE, None)
        if "outputs" in cell:
            cell.outputs = joined(cell.outputs)
    return nbformat.writes(notebook, indent=1).rstrip("\n") + "\n"


def joined(outputs):
    """Prints that follow one another, as one: how a kernel cuts them into messages is chance."""
    kept = []
    for output in outputs:
        stream = output.output_type == "stream"
        if stream and kept and kept[-1].output_type == "stream" and kept[-1].name == output.name:
            kept[-1] = NotebookNode(kept[-1], text=kept[-1].text + output.text)  # not in its place
        else:
            kept.append(output)
    return kept


def keep_what_is_the_same(notebook, committed):
    """Put back each output that the rule of `same_output` calls the same: reruns then change nothing."""
    for old, cell in zip(committed.cells, notebook.cells, strict=True):
        if "outputs" in cell and not difference(shown(old.outputs), shown(joined(cell.outputs))):
            cell.outputs = old.outputs


def run(path):
    """Execute one notebook in its own folder and write it back; say which cell failed, if one did."""
    notebook = nbformat.read(path, as_version=4)
    committed = deepcopy(notebook)
    client = Client(
        notebook,
        timeout=120,
        kernel_name="python3",
        record_timing=False,
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(path.parent)}},
    )
    try:
        client.execute()
    except (CellExecutionError, CellTimeoutError) as error:
        cell = client.running
        sys.exit(
            f"{path}, cell `{cell.id}`:\n\n{cell.source}\n\n{error}\n\n{path} was not written."
        )
    keep_what_is_the_same(notebook, committed)
    text = normalise(notebook)
    changed = text != path.read_text(encoding="utf-8")
    if changed:
        path.write_text(text, encoding="utf-8")
    return changed


def run_all(paths):
    os.environ |= {**SAME_EVERYWHERE, **os.environ}
    for path in paths:
        print(f"{path} ", end="", flush=True)
        start = time.perf_counter()
        changed = run(path)
        print(f"{time.perf_counter() - start:.1f} s, {'changed' if changed else 'unchanged'}")


def lay_out(paths, into):
    """One file per cell, FOLDER/<notebook>/<cell id>.md or .py, for tools that read plain text."""
    for path in paths:
        folder = into / path.stem
        folder.mkdir(parents=True, exist_ok=True)
        for cell in nbformat.read(path, as_version=4).cells:
            suffix = ".py" if cell.cell_type == "code" else ".md"
            (folder / f"{cell.id}{suffix}").write_text(cell.source + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    runner = commands.add_parser("run", help="execute notebooks in place")
    sources = commands.add_parser("sources", help="write every cell's source to a file of its own")
    sources.add_argument("--into", type=Path, required=True, metavar="FOLDER")
    for command in (runner, sources):
        command.add_argument("paths", type=Path, nargs="+", metavar="NOTEBOOK")
    arguments = parser.parse_args()
    if missing := [str(path) for path in arguments.paths if not path.is_file()]:
        parser.error(f"no such notebook: {', '.join(missing)}")
    if arguments.command == "run":
        run_all(arguments.paths)
    else:
        lay_out(arguments.paths, arguments.into)


if __name__ == "__main__":
    main()
