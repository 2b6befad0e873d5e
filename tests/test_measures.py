"""How a lesson looks, counted from the built pages.

Pages stand with their folds closed, at 1280 pixels. A figure counts up to 620 pixels, a table of results as a
figure. The table, `book/_data/measures.csv`, is shown on the page "How this book is checked".
`PYTHONPATH=.:book/_ext python tests/test_measures.py` writes it.
"""

import csv
import gzip
import re
from contextlib import contextmanager

import pytest
from conftest import loud_skip
from guards import ROOT
from linlearn_appendices import missed
from linlearn_book import TIDY
from linlearn_lessons import lessons

HTML = ROOT / "_build" / "html" / "book"
TABLE = ROOT / "book" / "_data" / "measures.csv"
PAGES = list(lessons(ROOT))
ROOM = 0.03  # browsers set text a little differently
COUNT = """() => {
  const article = document.querySelector(".bd-article");
  const all = (selector) => [...article.querySelectorAll(selector)].filter((e) => e.checkVisibility());
  const box = (e) => e.getBoundingClientRect(), tall = (e) => box(e).height;
  const top = box(article).top, height = tall(article);
  const figures = all("figure, table")
    .filter((e) => !e.closest("details") && !e.parentElement.closest("figure, table"));
  const cells = all("div.cell, details.check, details.imports").filter((e) =>
    !e.querySelector("figure, form.practice") && !e.parentElement.closest("div.cell, details"));
  const tables = cells.flatMap((e) => [...e.querySelectorAll("table")]);
  const sum = (list, f) => list.reduce((total, e) => total + f(e), 0);
  const ends = [...figures.map((e) => [box(e).top - top, box(e).bottom - top]), [height, height]];
  let before = 0, stretch = 0;
  for (const [start, end] of ends) {
    stretch = Math.max(stretch, start - before);
    before = Math.max(before, end);
  }
  const unfolded = () => {
    article.querySelectorAll("details").forEach((e) => { e.open = true; });
    return Math.round(document.documentElement.scrollHeight);
  };
  const words = (e) => (e.textContent.match(/[\\p{L}\\p{N}’'-]{2,}/gu) ?? []).length;
  return {
    height: Math.round(document.documentElement.scrollHeight),
    figures: Math.round(100 * sum(figures, (e) => Math.min(620, tall(e))) / height),
    code: Math.round(100 * (sum(cells, tall) - sum(tables, tall)) / height),
    first: Math.round(ends[0][0] + top), stretch: Math.round(stretch),
    open: all("div.cell.tag_check").length,
    words: sum(all("p, li")
      .filter((e) => !e.closest("details, figure, .moved") && !e.querySelector("p, li")), words),
    nodes: article.querySelectorAll("*").length,
    stops: new Set([...article.querySelectorAll("*")]
      .filter((e) => e.tabIndex >= 0 && e.checkVisibility({ visibilityProperty: true }))
      .map((e) => e.type === "radio" ? e.name : e)).size,  // a group of choices is one stop
    unfolded: unfolded(),  // the last, since it changes the page
  };
}"""


@contextmanager
def measuring():
    """A function that gives what the page of a name measures."""
    from playwright.sync_api import sync_playwright
    from test_browser import ARGUMENTS, CHROMIUM

    with sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        tab = browser.new_page(viewport={"width": 1280, "height": 1000})

        def measured(name: str) -> dict[str, int]:
            tab.goto(f"file://{HTML}/{name}.html")
            tab.wait_for_function("document.fonts.status === 'loaded'")
            return tab.evaluate(COUNT)

        yield measured
        browser.close()


def told() -> dict[str, dict[str, int]]:
    rows = csv.DictReader(TABLE.read_text("utf8").splitlines())
    return {row.pop("page"): {key: int(value) for key, value in row.items()} for row in rows}


@pytest.fixture(scope="module")
def measured():
    from test_browser import CHROMIUM

    if not HTML.exists() or not CHROMIUM:
        loud_skip("the measures of lessons", "Install Chromium, and run `make book` first.")
    with measuring() as found:
        yield found


@pytest.mark.slow(one_in=12)  # `make browser` measures all
@pytest.mark.parametrize("name", PAGES)
def test_the_table_is_true(name, measured):
    """What the page says is what is measured, up to how a browser sets text; and what every lesson keeps."""
    found = measured(name)
    for what, value in told()[name].items():
        allowed = max(1, ROOM * value)
        assert abs(found[what] - value) <= allowed, f"{what} is {found[what]}"
    assert not found["open"]  # checks are all there, and all folded
    assert found["nodes"] <= 12_000  # code that is folded included
    assert found["stops"] <= 100 or "depth" in name  # of the Tab key, of who reads by keyboard


def test_every_lesson_has_its_row():
    assert list(told()) == PAGES


def test_every_missed_aim_is_explained():
    """Why a page misses an aim stands below the table; a reason that is no longer needed goes."""
    with TABLE.with_name("exceptions.csv").open(encoding="utf8", newline="") as file:
        explained = [(e["page"], k) for e in csv.DictReader(file) for k in e["measures"].split()]
    rows = [{"page": name, **row} for name, row in told().items()]
    assert sorted(explained) == sorted((row["page"], k) for row in rows for k in missed(row))


def test_pages_are_little_to_send():
    """Compressed, a page, what it names, and all fonts are less than 400 kB; figures come when wanted."""
    fonts = set((HTML.parent / "_static").rglob("*.woff2"))

    def sent(path) -> int:
        data = path.read_bytes()
        return len(data if path in fonts else gzip.compress(data))

    for page in map("{}.html".format, PAGES):
        names = re.findall(r'"([^"?]+\.(?:css|js))[?"]', (HTML / page).read_text("utf8"))
        files = {(HTML / name).resolve() for name in (page, *names)}
        assert len(fonts) > 3 and len(files) > 9 and sum(map(sent, files | fonts)) < 400_000, page


def test_code_in_ink_needs_no_elements():
    """Names, signs and spaces stand in their line as text; what has a colour keeps it; no letter is lost."""
    ink = '<span class="n">a</span><span class="w"> </span><span class="o">&lt;</span>'
    page = f'<div class="highlight"><pre id="c"><span></span>{ink}<span class="mi">1</span>\n</pre>{ink}'
    tidied = TIDY[0][0].sub(TIDY[0][1], page)
    assert (
        tidied == f'<div class="highlight"><pre id="c">a &lt;<span class="mi">1</span>\n</pre>{ink}'
    )


if __name__ == "__main__":
    with measuring() as found:
        rows = [{"page": name, **found(name)} for name in PAGES]
    with TABLE.open("w", encoding="utf8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
