"""The book keeps the rules of `guards`, and the built pages lead nowhere that does not exist."""

import pytest
import yaml
from conftest import loud_skip
from guards import BOOK_GUARDS, GUARDS, ROOT, opened
from guards.built import (
    built_pages,
    dead_links,
    loads_elsewhere,
    poor_images,
    unset_formulas,
)

from tools.notebooks import pages

HTML = ROOT / "_build" / "html"
NOTEBOOKS = pages(ROOT)
TEXTS = sorted([*ROOT.glob("*.md"), *(ROOT / "book").glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FOR_TEXTS = ("self_contained", "modest", "cited", "described_images", "no_emoji")


def obey(messages):
    assert not messages, "\n" + "\n".join(messages)


def chapters() -> list[str]:
    """The pages that the table of contents lists, front page first."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf8"))
    return [
        toc["root"],
        *(
            page["file"]
            for part in toc["parts"]
            for chapter in part["chapters"]
            for page in (chapter, *chapter.get("sections", []))
        ),
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_obeys(path):
    """Every notebook keeps every rule."""
    obey([message for guard in GUARDS.values() for message in guard(opened(path))])


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_text_obeys(path):
    """Every Markdown page loads nothing, cites works, describes its images, and calls nothing easy."""
    obey([message for name in FOR_TEXTS for message in GUARDS[name](opened(path))])


@pytest.mark.parametrize("guard", BOOK_GUARDS)
def test_book_obeys(guard):
    """Labels are unique, Checks name labels that exist, and every item of the notes is treated."""
    pages = [
        opened(path)
        for path in [*NOTEBOOKS, *TEXTS]
        if path.suffix == ".ipynb" or path.parent.name == "book"
    ]
    obey(BOOK_GUARDS[guard](pages))


def test_contents_are_complete():
    """Every page in the table of contents exists, and every notebook is in it."""
    listed = chapters()
    missing = [name for name in listed if not list(ROOT.glob(f"{name}.*"))]
    assert not missing, f"_toc.yml lists {missing}: write the page or delete the line"
    unlisted = {str(path.relative_to(ROOT).with_suffix("")) for path in NOTEBOOKS} - set(listed)
    assert not unlisted, f"_toc.yml does not list {sorted(unlisted)}: add `- file: …`"


# The built book --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pages():
    if not (HTML / "index.html").exists():
        loud_skip("the built pages (_build/html is missing)", "Run `make book` first.")
    return built_pages(HTML)


def test_every_page_is_built(pages):
    """The table of contents leads to a built page each."""
    there = {page.name for page in pages}
    obey(
        [
            f"{name}: has no page. Run `make book`."
            for name in chapters()
            if f"{name}.html" not in there
        ]
    )


def test_internal_links_resolve(pages):
    """Every link inside the book leads to a file, and to a place in it, that exists."""
    obey(list(dead_links(pages)))


def test_nothing_is_loaded_from_elsewhere(pages):
    """No built page or style sheet names another host, but in links that a reader may follow."""
    obey(list(loads_elsewhere(pages)))


def test_no_page_leads_to_a_repository_that_is_not_there(pages):
    """Once the book is published, buttons lead to the repository and to launchers; before that none do."""
    settings = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))
    name = settings["repository"]["url"].removeprefix("https://github.com")
    leading = [page.name for page in pages if any(name in url for _, url in page.links)]
    assert bool(leading) == bool(settings["sphinx"]["config"]["html_baseurl"]), leading


def test_images_are_described_in_both_themes(pages):
    """Each built image says what it shows; each figure has its dark twin."""
    obey(list(poor_images(pages)))


def test_formulas_are_typeset(pages):
    """No formula is left in the text of a page, those of the docstrings included."""
    obey(list(unset_formulas(pages)))
