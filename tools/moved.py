"""After statements have moved to another page: bring the tables of `book/_data` in line.

python -m tools.moved [COMMIT]

The rows of `inventory.csv` and `errata.csv` follow their anchors. What a page of COMMIT (default: HEAD)
defined and another defines now enters `moved.csv`, so that links from outside are led on.
"""

import csv
import subprocess
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests"))
from guards.page import Page  # noqa: E402

Rows = list[dict[str, str]]


def anchors(page: Page) -> set[str]:
    return {label for _, label in page.anchors}


def before(commit: str, path: Path) -> set[str]:
    """What the page defined in that commit; nothing if it was not there."""
    name = f"{commit}:{path.relative_to(ROOT)}"
    shown = subprocess.run(["git", "show", name], cwd=ROOT, capture_output=True, text=True)
    if shown.returncode:
        return set()
    return anchors(Page(path, shown.stdout, nbformat.reads(shown.stdout, as_version=4)))


def follow(rows: Rows, page: str, anchor: str, now: dict[str, str]) -> Rows:
    """The rows, with the page on which their anchor stands now."""
    return [{**row, page: now.get(row[anchor], row[page])} for row in rows]


def moves(rows: Rows, old: dict[str, set[str]], now: dict[str, str]) -> Rows:
    """The table of what has moved: what it holds already, and what has moved since."""
    kept = {(row["page"], row["anchor"].removeprefix("equation-")): row["to"] for row in rows}
    new = {(page, anchor): "" for page, mine in old.items() for anchor in sorted(mine)}
    there = {key: now.get(key[1], to) for key, to in (new | kept).items()}
    order = [*kept, *(key for key in new if key not in kept)]
    return [
        {"page": page, "anchor": address(anchor), "to": there[page, anchor]}
        for page, anchor in order
        if there[page, anchor] not in (page, "")
    ]


def address(anchor: str) -> str:
    """Sphinx puts a word before an equation's label."""
    return f"equation-{anchor}" if anchor.startswith("eq-") else anchor


def rewrite(name: str, change) -> None:
    path = ROOT / "book/_data" / name
    with path.open(encoding="utf8", newline="") as file:
        rows = list(csv.DictReader(file))
    with path.open("w", encoding="utf8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(change(rows))


def main(commit: str = "HEAD") -> None:
    paths = sorted((ROOT / "book").glob("[0-9][0-9]_*.ipynb"))
    now = {anchor: path.stem for path in paths for anchor in anchors(Page.open(path))}
    old = {path.stem: before(commit, path) for path in paths}
    rewrite("inventory.csv", lambda rows: follow(rows, "chapter", "anchor", now))
    rewrite("errata.csv", lambda rows: follow(rows, "chapter", "chapter_anchor", now))
    rewrite("moved.csv", lambda rows: moves(rows, old, now))


if __name__ == "__main__":
    main(*sys.argv[1:])
