"""What a page costs a reader's machine, and a hand on the keyboard: each lesson stays within these limits."""

import gzip
import re
from pathlib import Path

import pytest
from conftest import loud_skip
from guards import ROOT
from linlearn_book import TIDY
from linlearn_lessons import lessons

from tools.chromium import CHROMIUM, launched

HTML = ROOT / "_build" / "html" / "book"
ELEMENTS = 12_000  # folded code included
# Of the Tab key, in a lesson with its eight or so questions; a page in depth may have more.
STOPS = 125
BYTES = 400_000  # compressed, before the figures, which come when they are wanted
COUNT = """() => {
  const article = document.querySelector(".bd-article");
  const elements = [...article.querySelectorAll("*")];
  const reached = (e) => e.tabIndex >= 0 && e.checkVisibility({ visibilityProperty: true });
  return {
    elements: elements.length,
    stops: new Set(elements.filter(reached)
      .map((e) => e.type === "radio" ? e.name : e)).size,  // a group of choices is one stop
    open: [...article.querySelectorAll("div.cell.tag_check")].filter((e) => e.checkVisibility()).length,
  };
}"""


@pytest.fixture(scope="module")
def tab():
    if not HTML.exists() or not CHROMIUM:
        loud_skip("what a page costs", "Install Chromium, and run `make book` first.")
    with launched() as browser:
        yield browser.new_page(viewport={"width": 1280, "height": 1000})


@pytest.mark.slow(one_in=12)  # `make browser` opens all
@pytest.mark.parametrize("lesson", lessons(ROOT).values(), ids=lambda lesson: lesson.stem)
def test_a_page_is_light(lesson, tab):
    """Few elements, few stops of the Tab key, and no check whose code stands open."""
    tab.goto(f"file://{HTML}/{lesson.stem}.html")
    found = tab.evaluate(COUNT)
    assert found["elements"] <= ELEMENTS
    assert lesson.depth or found["stops"] <= STOPS
    assert not found["open"]


def test_pages_are_little_to_send():
    """A page, the style sheets and scripts that it names, and all fonts together."""
    if not HTML.exists():
        loud_skip("what a page sends", "Run `make book` first.")
    fonts = set((HTML.parent / "_static").rglob("*.woff2"))

    def sent(path: Path) -> int:
        data = path.read_bytes()
        return len(data if path in fonts else gzip.compress(data))

    for stem in lessons(ROOT):
        page = HTML / f"{stem}.html"
        names = re.findall(r'"([^"?]+\.(?:css|js))[?"]', page.read_text("utf8"))
        files = {(HTML / name).resolve() for name in (page, *names)}
        assert len(fonts) > 3 and len(files) > 9 and sum(map(sent, files | fonts)) < BYTES, stem


def test_code_in_ink_needs_no_elements():
    """Names, signs and spaces stand in their line as text; what has a colour keeps it; no letter is lost."""
    ink = '<span class="n">a</span><span class="w"> </span><span class="o">&lt;</span>'
    page = f'<div class="highlight"><pre id="c"><span></span>{ink}<span class="mi">1</span>\n</pre>{ink}'
    tidied = TIDY[0][0].sub(TIDY[0][1], page)
    assert (
        tidied == f'<div class="highlight"><pre id="c">a &lt;<span class="mi">1</span>\n</pre>{ink}'
    )
