"""The fonts that ship with book and package: small, free to ship, with every character that is written."""

import json
import re
from html.parser import HTMLParser

import pytest
from conftest import loud_skip
from fontTools.ttLib import TTFont
from guards import ROOT

PAGES, PACKAGE = ROOT / "book" / "assets", ROOT / "linlearn" / "fonts"
TEXT = sorted(PAGES.glob("s*.woff2"))
TEXT = [path for path in TEXT if not path.name.startswith("stix")]
FIGURES = sorted(PACKAGE.glob("*.ttf"))
BUILT = sorted((ROOT / "_build" / "html").rglob("*.html"))
MONO = {"code", "pre", "kbd", "samp", "math", "script", "style", "dt"}  # dt: signatures
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}


def characters(path) -> set[str]:
    return set(map(chr, TTFont(path).getBestCmap()))


def test_the_fonts_of_a_page_are_small():
    assert [path.name for path in TEXT] == ["sans.woff2", "serif-italic.woff2", "serif.woff2"]
    assert sum(path.stat().st_size for path in TEXT) < 100_000


@pytest.mark.parametrize("path", TEXT + FIGURES, ids=lambda path: path.name)
def test_a_font_may_be_shipped(path):
    """Its licence stands beside it, and a part of a font does not carry the whole font's reserved name."""
    (licence,) = [p for p in path.parent.glob("*OFL.txt") if "stix" not in p.name]
    assert "SIL OPEN FONT LICENSE" in licence.read_text("utf8")
    names = TTFont(path)["name"]
    family = names.getDebugName(1)
    assert family in licence.read_text("utf8") and "Reserved Font Name" in names.getDebugName(0)
    assert not any("Source" in names.getDebugName(n) for n in (1, 4, 6))


@pytest.mark.parametrize("path", TEXT, ids=lambda path: path.name)
def test_a_font_of_pages_goes_from_regular_to_bold(path):
    (axis,) = TTFont(path)["fvar"].axes
    assert (axis.axisTag, axis.minValue, axis.maxValue) == ("wght", 400, 700)


class Prose(HTMLParser):
    """The characters of a page's article that are set in the fonts of text."""

    def __init__(self):
        super().__init__()
        self.open, self.said = [], ""

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        while tag in self.open and self.open.pop() != tag:
            pass

    def handle_data(self, text):
        if "article" in self.open and not MONO & set(self.open):
            self.said += text


@pytest.mark.parametrize("page", BUILT, ids=lambda path: path.stem)
def test_no_letter_of_a_page_comes_from_elsewhere(page):
    """What serif and sans lack is in the font of the formulas, so no machine's own font is asked."""
    known = set.intersection(*map(characters, TEXT)) | characters(PAGES / "stix-two-math.woff2")
    (reader := Prose()).feed(page.read_text("utf8"))
    lacking = {c for c in reader.said if not c.isspace() and c not in known}
    assert not lacking, (
        f"{page.name}: neither the fonts of text nor that of formulas has {sorted(lacking)}. Add them "
        "to `tools/text_fonts.py`, or write them as a formula or as code."
    )


def test_pages_were_looked_at():
    if not BUILT:
        loud_skip("the letters of the pages (_build/html is missing)", "Run `make book` first.")


def test_figures_have_every_character_that_formulas_use():
    """The words of all committed figures can be written in the shipped font."""
    known, said = set.intersection(*map(characters, FIGURES)), set()
    for path in (ROOT / "book").glob("*.ipynb"):
        svgs = re.findall(r"<!-- (.*?) -->", path.read_text("utf8"))
        said |= {c for text in svgs for c in json.loads(f'"{text}"')}
    assert not {c for c in said if not c.isspace()} - known
