"""The notebooks that were handed in, each under a name, and the table of their marks."""

import csv
import fcntl
import hashlib
import io
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from tools.editions.assignments import Assignment

QUOTED = 6  # of many numbers or names
TABLE, LOCK = "marks.csv", "marks.lock"
PARTIAL = ".partial"  # short, so that no name is too long
FORMULA = ("=", "+", "-", "@", "'")  # how a cell begins that a spreadsheet may compute, or shorten


def listed(paths: list[Path]) -> list[Path]:
    """The notebooks named, and those in the folders named; copies that Jupyter keeps are none."""
    found = []
    for path in paths:
        inside = [path]
        if path.is_dir():
            inside = sorted(path.rglob("*.ipynb"))
            inside = [one for one in inside if ".ipynb_checkpoints" not in one.parts]
        if not inside:
            raise ValueError(f"`notebook` must name notebooks; the folder {path} has none.")
        found += inside
    return found


def skipped(paths: list[Path], out: Path) -> list[str]:
    """The files in the folders named that are no notebooks; hidden ones and reports are not of interest."""
    return [
        legible(str(file.relative_to(path)))
        for path in paths
        for file in sorted(path.rglob("[!.]*"))
        if file.is_file()
        and file.suffix != ".ipynb"
        and not file.resolve().is_relative_to(out.resolve())
    ]


def named(notebooks: list[Path]) -> dict[str, Path]:
    """The notebooks, each by its path from the folder that all have in common, without `.ipynb`.

    A name in another encoding is read as Latin-1, as old archives have it.
    """
    paths = [Path(os.path.abspath(path)) for path in notebooks]
    if twice := [str(path) for path in dict.fromkeys(paths) if paths.count(path) > 1]:
        raise ValueError(f"`notebook` must name each file once; {', '.join(twice)} came twice.")
    if missing := [legible(str(path)) for path in paths if not path.is_file()]:
        raise ValueError(f"`notebook` must name files; there is no file {', '.join(missing)}.")
    if links := [legible(str(path)) for path in paths if path.is_symlink()]:
        raise ValueError(
            f"`notebook` must name files, no links, which could lead to a solution; {', '.join(links)} "
            "is one. Remove it, or put what was handed in there."
        )
    common = os.path.commonpath([path.parent for path in paths])
    found: dict[str, Path] = {}
    for path in paths:
        raw = os.fsencode(path.relative_to(common).as_posix().removesuffix(".ipynb"))
        try:
            name = legible(raw.decode("utf8"))
        except UnicodeDecodeError:
            name = legible(raw.decode("latin-1"))
        if name in found:
            raise ValueError(
                f"`notebook` must name files whose reports have different names, but two would be "
                f"called {name}.md. Rename one of them."
            )
        found[name] = path
    files = {TABLE, LOCK, *(f"{name}.md" for name in found)}
    for folder in (folder for name in found for folder in PurePosixPath(name).parents):
        if str(folder) in files or folder.name == PARTIAL:
            raise ValueError(
                f"`notebook` must be in no folder that is called like a file of the grader; {folder} is. "
                "Rename it."
            )
    return found


def written(path: Path, text: str) -> None:
    """Write a file, so that whoever reads it finds the old text or the new one, and no part of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(PARTIAL)
    with open(partial, "w", encoding="utf8", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(partial, path)


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep a folder for one grader: of two at once, each would write a table without the other's rows."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / LOCK, "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(
                f"`--out` must be a folder in which no other grader writes, but one does in {folder}. "
                "Wait until it has ended, or name another folder."
            ) from None
        yield


def as_text(name: str) -> str:
    """As it stands in a table: after an apostrophe, if a spreadsheet could take it for a formula."""
    return f"'{name}" if name.startswith(FORMULA) else name


class Table:
    """`marks.csv`: a row for each notebook, by `as_text` of its name, with the digest of what was marked."""

    def __init__(self, folder: Path, assignment: Assignment, seed: int) -> None:
        self.path, self.seed = folder / TABLE, seed
        self.header = ["notebook", *(task.name for task in assignment.tasks), "total", "digest"]
        self.rows: dict[str, list[str]] = {}
        if self.path.exists():
            with open(self.path, encoding="utf8", newline="") as file:
                header, *rows = list(csv.reader(file)) or [[]]
            if header != self.header or any(len(row) != len(header) for row in rows):
                raise ValueError(
                    f"`--out` must be a folder without marks, or with marks of the same tasks, but "
                    f"{self.path} is another table. Name another folder."
                )
            self.rows = {row[0]: row for row in rows}

    def digest(self, notebook: Path) -> str:
        """Of the seed, the place and the contents of a notebook."""
        told = hashlib.sha256(json.dumps([self.seed, os.path.abspath(notebook)]).encode())
        with open(notebook, "rb") as file:
            while part := file.read(1 << 20):
                told.update(part)
        return told.hexdigest()[:16]

    def left(self, notebooks: dict[str, Path], *, again: bool = False) -> dict[str, Path]:
        """The notebooks that have no row yet; and, if `again`, those whose row is about something else.

        Else such a row is an error, since it could be that of another student of the same name.
        """
        rows = {name: self.rows.get(as_text(name)) for name in notebooks}
        other = [
            name for name, row in rows.items() if row and row[-1] != self.digest(notebooks[name])
        ]
        if other and not again:
            raise ValueError(
                f"{self.path} has marks for {', '.join(other)}, but of another notebook, of an older "
                "version of it, or with another seed. To mark these anew, add `--again`; to keep both, "
                "name another folder with `--out`."
            )
        return {name: notebooks[name] for name, row in rows.items() if not row or name in other}

    def others(self, notebooks: dict[str, Path]) -> list[str]:
        """The names in rows of which none of the notebooks is, such as those of deleted ones."""
        return sorted(self.rows.keys() - set(map(as_text, notebooks)))

    def add(self, name: str, points: list[int], digest: str) -> None:
        """Put in a row, and write the table."""
        cell = as_text(name)
        self.rows[cell] = [cell, *map(str, points), str(sum(points)), digest]
        text = io.StringIO()
        csv.writer(text).writerows([self.header, *self.rows.values()])
        written(self.path, text.getvalue())


def legible(text: str) -> str:
    """The same in one line, with `?` for what cannot be written, or would steer a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def few(words: list[str]) -> str:
    """The first words of a list; `…` stands for the others."""
    return ", ".join([*words[:QUOTED], *(["…"] if len(words) > QUOTED else [])])
