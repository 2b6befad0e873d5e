"""A page of the book as the guards see it, and the registries that the guards join."""

import re
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, cached_property, wraps
from pathlib import Path

from nbformat import NotebookNode, v4

from guards.reading import ROOT, Reading, read
from tools.notebooks import normalise

TAGS = (
    "hide-input",
    "remove-input",
    "remove-cell",
    "hide-cell",
    "algorithm",
    "check",
    "practice",
)


@dataclass(frozen=True)
class Page:
    """A notebook, or a Markdown file read as a notebook of one cell."""

    path: Path
    text: str
    notebook: NotebookNode

    @classmethod
    def open(cls, path: Path) -> "Page":
        text = path.read_text("utf8")
        if path.suffix == ".md":
            cell = v4.new_markdown_cell(text, id="page")
            return cls(path, text, v4.new_notebook(cells=[cell]))
        return cls(path, text, v4.reads(text))  # `nbformat.reads` would mend doubled ids

    @classmethod
    def of(cls, notebook: NotebookNode, path: Path) -> "Page":
        return cls(path, normalise(deepcopy(notebook)), notebook)

    @property
    def name(self) -> str:
        return str(
            self.path.relative_to(ROOT) if self.path.is_relative_to(ROOT) else self.path.name
        )

    def at(self, cell: NotebookNode) -> str:
        return f"{self.name}, cell `{cell.id}`"

    @property
    def is_chapter(self) -> bool:
        return self.path.suffix == ".ipynb" and bool(re.match(r"\d\d_", self.path.stem))

    @cached_property
    def code(self) -> list[NotebookNode]:
        return [cell for cell in self.notebook.cells if cell.cell_type == "code"]

    @cached_property
    def readings(self) -> list[tuple[NotebookNode, Reading]]:
        """Each Markdown cell with what it says; captions and alternative texts are read as prose too."""
        found = [
            (cell, read(cell.source))
            for cell in self.notebook.cells
            if cell.cell_type == "markdown"
        ]
        for cell in self.code:
            image, figure = figure_data(cell)
            found += [
                (cell, read(text)) for text in (image.get("alt"), figure.get("caption")) if text
            ]
        return found

    @cached_property
    def anchors(self) -> list[tuple[NotebookNode, str]]:
        """Every label that the page defines, in any of MyST's ways, and its figures' names."""
        found = [(cell, label) for cell, reading in self.readings for label in reading.labels]
        return found + [
            (cell, name) for cell in self.code if (name := figure_data(cell)[1].get("name"))
        ]


@cache
def opened(path: Path) -> Page:
    """A page of the book, read once for all tests of a process: none changes it."""
    return Page.open(path)


def tags(cell: NotebookNode) -> list[str]:
    return cell.metadata.get("tags", [])


def figure_data(cell: NotebookNode) -> tuple[dict, dict]:
    """The `image` and the `figure` part of a cell's mystnb metadata."""
    mystnb = cell.metadata.get("mystnb", {})
    return mystnb.get("image", {}), mystnb.get("figure", {})


def lines(cell: NotebookNode) -> list[str]:
    """The lines of a cell that are not blank."""
    return [line for line in cell.source.splitlines() if line.strip()]


def outputs(cell: NotebookNode) -> Iterator[tuple[str, str]]:
    """(mime type, text) of everything that a code cell put out."""
    for output in cell.outputs:
        if output.output_type == "stream":
            yield f"stream/{output.name}", output.text
        for mime, content in output.get("data", {}).items():
            yield mime, content if isinstance(content, str) else str(content)


def code_without_magics(cell: NotebookNode) -> str:
    return re.sub(r"^\s*[%!].*$", "pass", cell.source, flags=re.MULTILINE)


GUARDS: dict[str, Callable[[Page], list[str]]] = {}
BOOK_GUARDS: dict[str, Callable[[list[Page]], list[str]]] = {}


def guard(function: Callable[[Page], Iterable[str]]) -> Callable[[Page], list[str]]:
    """Register a rule for one page: it yields one message for each place that breaks it."""
    GUARDS[function.__name__] = wraps(function)(lambda page: list(function(page)))
    return GUARDS[function.__name__]


def book_guard(function: Callable[..., Iterable[str]]) -> Callable[..., list[str]]:
    """Register a rule for all pages together."""
    BOOK_GUARDS[function.__name__] = wraps(function)(
        lambda pages, *data: list(function(pages, *data))
    )
    return BOOK_GUARDS[function.__name__]
