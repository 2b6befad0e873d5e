"""What the book folds: every check is there, in one line of words, and opens to the code that ran."""

import html
import re

import pytest
from conftest import loud_skip
from docutils import nodes
from docutils.core import publish_doctree
from guards import ROOT, opened
from linlearn_folds import Fold

HTML = ROOT / "_build" / "html"
CHAPTERS = sorted((ROOT / "book").glob("[0-9][0-9]_*.ipynb"))
DETAILS = re.compile(
    r'<details class="check">\s*<summary>(.*?)</summary>(.*?)</details>', re.DOTALL
)


def cell(code, *printed, tag="tag_check"):
    """A code cell as the notebook's parser hands it on."""
    source = nodes.container("", nodes.literal_block(code, code), nb_element="cell_code_source")
    said = [nodes.literal_block(text, text) for text in printed]
    output = [nodes.container("", *said, nb_element="cell_code_output")] if said else []
    return nodes.container("", source, *output, nb_element="cell_code", classes=["cell", tag])


def folded(*content):
    """The page with this content, after the transform."""
    document = publish_doctree("")
    document += content
    Fold(document).apply()
    return document


def summaries(document):
    return [node.astext() for node in document.findall() if node.tagname == "summary"]


def test_a_check_says_what_it_printed():
    """The line is the cell's own first line; what was printed below it stays inside."""
    page = folded(
        cell("assert x", "3,000 planes, none better\n"), cell("assert y", "one line\na | table")
    )
    assert summaries(page) == ["3,000 planes, none better", "one line"]
    assert [block.astext() for block in page.findall(nodes.literal_block)] == [
        "assert x",
        "assert y",
        "a | table",
    ]


def test_a_silent_check_claims_no_words():
    """A check that printed nothing is still one line that opens to its code."""
    assert summaries(folded(cell("assert x"))) == ["Checked in code"]


@pytest.mark.parametrize(
    ("code", "folds"),
    [
        ("import numpy as np\nfrom a import b\nplot.book_style()", True),
        ("import a\nprint(a)", False),
        ("%matplotlib", False),
        ("# a", False),
        ("plot.book_style()", False),
    ],
)
def test_only_cells_of_imports_fold(code, folds):
    """A cell that does more than import stays open."""
    assert bool(summaries(folded(cell(code, tag="")))) is folds


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_every_check_is_on_the_page(path):
    """The built page has each check cell's code, folded, and in order."""
    built = HTML / "book" / f"{path.stem}.html"
    if not built.exists():
        loud_skip("the built pages (_build/html is missing)", "Run `make book` first.")
    shown = [
        re.sub("<[^>]*>", "", inside) for _, inside in DETAILS.findall(built.read_text("utf8"))
    ]
    checks = [c for c in opened(path).code if "check" in c.metadata.get("tags", [])]
    assert len(shown) == len(checks)
    for code, inside in zip(checks, shown, strict=True):
        assert code.source.strip() in html.unescape(inside), code.id
