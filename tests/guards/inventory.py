"""Guards on the whole book: labels are unique, and every item of the notes is treated where the data says."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from guards.page import ROOT, Page, book_guard

ITEM = re.compile(r"S([0-4])\.(\d+)")


def rows(path: Path) -> list[dict[str, str]]:
    """The rows of a table with a header; a table that is missing has none."""
    if not path.exists():
        return []
    with path.open(encoding="utf8", newline="") as file:
        return list(csv.DictReader(file))


def expected(chapters: list[dict[str, str]]) -> dict[str, set[str]]:
    """chapter -> the ids that it must treat, from rows `stem, first, last`."""
    ids: dict[str, set[str]] = {}
    for row in chapters:
        (note, first), (_, last) = (
            ITEM.fullmatch(row["first"]).groups(),
            ITEM.fullmatch(row["last"]).groups(),
        )
        ids.setdefault(row["stem"], set()).update(
            f"S{note}.{k}" for k in range(int(first), int(last) + 1)
        )
    return ids


@book_guard
def labels_unique(pages: list[Page]) -> Iterator[str]:
    """A label is defined once in the book."""
    seen: dict[str, str] = {}
    for page in pages:
        for cell, label in page.anchors:
            if label in seen:
                yield (
                    f"{page.at(cell)}: the label `{label}` is already defined in {seen[label]}. "
                    "Rename one of the two."
                )
            seen.setdefault(label, page.at(cell))


@book_guard
def inventory(
    pages: list[Page],
    items: list[dict[str, str]] | None = None,
    chapters: list[dict[str, str]] | None = None,
) -> Iterator[str]:
    """Every item of the notes is treated in its chapter, at an anchor that exists."""
    items = rows(ROOT / "book/_data/inventory.csv") if items is None else items
    must = expected(rows(ROOT / "book/_data/chapters.csv") if chapters is None else chapters)
    anchors = {page.path.stem: {label for _, label in page.anchors} for page in pages}
    seen = set()
    for k, row in enumerate(items, start=2):
        place = f"book/_data/inventory.csv, line {k} ({row['id']})"
        if not ITEM.fullmatch(row["id"]) or not row["title"].strip():
            yield f"{place}: must have an id such as S0.12 and a title in our words."
        if row["chapter"] not in anchors:
            yield (
                f"{place}: there is no page `{row['chapter']}`. Mend the file stem, or write the "
                "chapter first."
            )
        elif row["anchor"] not in anchors[row["chapter"]]:
            yield (
                f"{place}: `{row['chapter']}` defines no label `{row['anchor']}`. Put "
                f"`({row['anchor']})=` where "
                "the item is treated, or mend the row."
            )
        if (key := (row["id"], row["chapter"], row["anchor"])) in seen:
            yield f"{place}: this row occurs twice. Delete one."
        seen.add(key)
    for stem in sorted(must.keys() & anchors.keys()):
        chapter = stem[:3]  # its lessons share the number
        treated = {row["id"] for row in items if row["chapter"].startswith(chapter)}
        missing = sorted(
            must[stem] - treated, key=lambda item: [int(n) for n in item[1:].split(".")]
        )
        if missing:
            yield (
                f"book/_data/inventory.csv: `{stem}` must treat {', '.join(missing)}; no row says "
                "where. Treat them there and add the rows."
            )
