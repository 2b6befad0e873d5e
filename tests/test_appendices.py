"""The appendices tell the truth: every item of the notes, every erratum, every count."""

import re

import pytest
from conftest import loud_skip
from guards import ROOT, Page, opened
from guards.cells import THEOREMS, checked
from guards.figures import images
from guards.inventory import rows
from guards.page import tags
from linlearn_appendices import KINDS

from tools.notebooks import pages
from tools.variants import load

ITEMS_OF_NOTE = {0: 45, 1: 104, 2: 22, 3: 31, 4: 32}
ITEMS = rows(ROOT / "book/_data/inventory.csv")
ERRATA = rows(ROOT / "book/_data/errata.csv")
STEMS = [path.stem for path in pages(ROOT)]


def page_of(stem: str) -> Page:
    return opened(next(path for path in pages(ROOT) if path.stem == stem))


def anchors(stem: str) -> set[str]:
    return {label for _, label in page_of(stem).anchors}


def built(name: str) -> str:
    path = ROOT / "_build/html/book" / f"{name}.html"
    if not path.exists():
        loud_skip(f"the built page {name} (_build/html is missing)", "Run `make book` first.")
    return path.read_text("utf8")


def table(html: str, k: int) -> list[list[str]]:
    """The rows of a page's k-th table, as texts."""
    body = re.findall(r"<table.*?</table>", html, re.DOTALL)[k]
    found = re.findall(r"<tr.*?</tr>", body, re.DOTALL)
    cells = [re.findall(r"<t[dh].*?</t[dh]>", row, re.DOTALL) for row in found]
    return [[" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in row] for row in cells]


def test_every_item_of_every_note_is_treated():
    """The inventory of the notes has no gap: note by note, from the first item to the last."""
    treated = {row["id"] for row in ITEMS}
    there = {f"S{note}.{k}" for note, last in ITEMS_OF_NOTE.items() for k in range(1, last + 1)}
    assert treated == there, (
        f"not treated: {sorted(there - treated)}; unknown: {sorted(treated - there)}"
    )


def test_coverage_lists_every_place():
    """The appendix has a row for each item and a link for each of its places."""
    html = built("coverage")
    for note, last in ITEMS_OF_NOTE.items():
        assert [row[0] for row in table(html, note)[1:]] == [
            f"{note}.{k}" for k in range(1, last + 1)
        ]
    for row in ITEMS:
        label = f"equation-{row['anchor']}" if row["anchor"].startswith("eq-") else row["anchor"]
        assert f'href="{row["chapter"]}.html#{label}"' in html, f"{row['id']} has no link"


@pytest.mark.parametrize("row", ERRATA, ids=lambda row: row["id"])
def test_erratum_has_its_entry(row):
    """An erratum has an entry at its anchor and a place in a chapter; what is called wrong is run."""
    assert re.fullmatch(r"[0-4]\.\d+", row["id"]) and row["title"].strip()
    assert row["kind"] in KINDS
    assert row["anchor"] in anchors(row["page"]), f"{row['page']} defines no {row['anchor']}"
    place = row["chapter_anchor"]
    assert place in anchors(row["chapter"]), f"{row['chapter']} defines no {place!r}"
    runs = row["anchor"] in {label for cell in page_of(row["page"]).code for label in checked(cell)}
    assert runs == (row["runs"] == "yes"), f"the table says that an example runs: {row['runs']}"
    assert runs or row["kind"] != "wrong", "called wrong, and no run refutes it"


def test_every_entry_is_listed():
    """What the pages of errata enter, the table lists."""
    entered = {
        label
        for stem in STEMS
        if stem.startswith("errata_")
        for label in anchors(stem)
        if re.fullmatch(r"err-\d-\d+", label)
    }
    assert entered == {row["anchor"] for row in ERRATA}


def test_errata_are_named_where_they_matter():
    """A chapter closes with links to the entries that concern it."""
    for row in ERRATA:
        link = f'href="{row["page"]}.html#{row["anchor"]}"'
        assert link in built(row["chapter"]), f"{row['chapter']} does not name {row['id']}"
        assert link in built("errata")


def test_errata_are_sorted():
    """The appendix lists each kind apart and counts it; every entry says its own kind."""
    listed = built("errata")
    for k, (kind, (name, meaning)) in enumerate(KINDS.items()):
        mine = [row for row in ERRATA if row["kind"] == kind]
        assert {row[0] for row in table(listed, k)[1:]} == {row["id"] for row in mine}
        assert f"<p>{len(mine)} entries: {meaning}</p>" in listed
        for row in mine:
            entry = built(row["page"]).split(f'id="{row["anchor"]}"')[1]
            assert re.search(r"</h2>\s*<p><em>(.*?)\.</em></p>", entry)[1] == name


def test_counts_are_counted():
    """The sentence counts what the guards see, and the false variants."""
    pages = [page_of(stem) for stem in STEMS]
    directives = [
        d.name for page in pages for _, reading in page.readings for d in reading.directives
    ]
    code = [cell for page in pages for cell in page.code]
    named = sum(bool(variant.survives) for variant in load())
    for said in (
        f"{sum(name in THEOREMS for name in directives):,} theorems, propositions",
        f"{sum('check' in tags(cell) for cell in code):,} checks with",
        f"{sum(name in ('exercise', 'exercise-start') for name in directives):,} exercises",
        f"{len(code):,} cells are run again",
        f"{sum(len(images(cell)) for cell in code):,} figures compared",
        f"Of {len(load()):,} false variants, {len(load()) - named:,} are refuted",
        f"the other {named:,}.",
    ):
        assert said in built("checked")
