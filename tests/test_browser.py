"""The built pages in a real browser: nothing leaves, nothing fails, everything is typeset and fits."""

import re
import threading
import tomllib
from functools import partial
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml
from conftest import loud_skip
from guards import ROOT
from linlearn_lessons import lessons
from playwright.sync_api import Page, expect

from tools.chromium import CHROMIUM, launched
from tools.editions.plain import file_name

HTML = ROOT / "_build" / "html"
NAMES = sorted(
    str(path.relative_to(HTML)) for path in HTML.rglob("*.html") if "_static" not in path.parts
)
CHAPTERS = sorted(path.stem for path in (ROOT / "book").glob("[0-9][0-9]_*.ipynb"))
pytestmark = pytest.mark.slow(one_in=3, together=True)  # `make browser` runs all
WIDTHS = (1280, 390)

# What a page says about itself.
STATE = r"""() => {
  const shown = (element) => element.checkVisibility();
  const all = (selector) => [...document.querySelectorAll(selector)];
  const elsewhere = document.implementation.createHTMLDocument();  // a copy here would load the images again
  const article = elsewhere.importNode(document.querySelector("article") ?? document.body, true);
  const code = "pre, code, dt.sig, script, style, math";
  article.querySelectorAll(code).forEach((element) => element.remove());
  const words = (element) => element.textContent;
  // A long formula is broken into pieces; one in a table scrolls with it, a displayed one in its box.
  const pieces = all("article math:not(:is(table, .formula) *)").filter(shown)
    .flatMap((math) => math.matches(".long") ? [...math.children] : [math]);
  const room = (piece) => piece.closest("p, li, dd, dt, figcaption, summary, h1, h2, h3, h4, div");
  const right = (element) => element.getBoundingClientRect().right;
  const beyond = (piece) => right(piece) > right(room(piece)) + 1;
  // What follows a formula on the next line: a full stop or a comma that begins a line.
  const stray = (span) => {
    const next = span.nextSibling;
    if (next?.nodeType !== Node.TEXT_NODE || !/^[.,;:!?)\]]/.test(next.data)) return false;
    const mark = document.createRange();
    mark.setStart(next, 0);
    mark.setEnd(next, 1);
    const last = (span.querySelector("math.long > .end > mrow") ?? span).getBoundingClientRect();
    return mark.getBoundingClientRect().top > last.bottom;
  };
  const scrolls = (box) => box.matches(".formula") && box.scrollWidth > box.clientWidth;
  const images = (figure) => [...figure.querySelectorAll("img, .explorable")].filter(shown);
  const figures = all("figure").filter(shown).map(images);
  return {
    unset: all(".math:not(:has(math)), code.unset").map(words),
    stops: all(".math :not(.eqno *)").filter((part) => part.tabIndex >= 0 && !scrolls(part)).map(words),
    beyond: pieces.filter(beyond).map(words),
    stray: all("article span.math").filter(shown).filter(stray).map(words),
    raw: (document.title + article.textContent).match(/\$\$|\\[(\[]|\$[^$\n]+\$/g) ?? [],
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    drawings: figures.map((drawn) => drawn.length),
    uncaptioned: all("figcaption").filter((c) => !shown(c) || !c.clientHeight).map(words),
    broken: figures.flat().filter((image) => image.complete && !image.naturalWidth).map((image) => image.src),
  };
}"""


@pytest.fixture(scope="module")
def browser():
    if not NAMES:
        loud_skip("the pages in a browser (_build/html is missing)", "Run `make book` first.")
    if not CHROMIUM:
        loud_skip(
            "the pages in a browser (no Chromium was found)",
            "Install it: `apt-get install chromium`.",
        )
    with launched() as browser:
        yield browser


@pytest.fixture(scope="module")
def address():
    """The book, served on a free port of this machine by one thread for each request."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=HTML)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class Visitor:
    """One browser tab that writes down every request and every complaint."""

    def __init__(self, tab: Page):
        self.tab, self.requests, self.complaints = tab, [], []
        tab.on("request", lambda request: self.requests.append(request.url))
        tab.on("requestfailed", self.failed)
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        tab.on(
            "console",
            lambda said: self.complaints.append(said.text) if said.type == "error" else None,
        )

    def failed(self, request) -> None:
        if request.failure != "net::ERR_ABORTED":  # what the next visit cuts short
            self.complaints.append(f"failed: {request.url}")

    def visit(self, url: str) -> None:
        self.requests.clear(), self.complaints.clear()
        self.tab.goto(url)

    def state(self) -> dict:
        return self.tab.evaluate(STATE)

    def outside(self, home: str) -> list[str]:
        return [url for url in self.requests if not url.startswith((home, "data:", "blob:"))]


@pytest.fixture(scope="module")
def visitors(browser):
    """A tab on a desk and one on a phone; the theme follows the reader's system setting."""
    return {
        width: Visitor(browser.new_page(viewport={"width": width, "height": 900}))
        for width in WIDTHS
    }


@pytest.fixture
def visitor(visitors):
    return visitors[1280]


@pytest.mark.slow(one_in=36)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", NAMES or ["index.html"])
def test_page_is_whole(name, width, visitors, address):
    """On a desk and on a phone, by day and by night: typeset, fitting, silent, and at home."""
    visitor = visitors[width]
    visitor.tab.emulate_media(color_scheme="light")
    visitor.visit(address + name)
    for theme in ("light", "dark"):
        visitor.tab.emulate_media(color_scheme=theme)
        visitor.tab.wait_for_selector(f"html[data-theme={theme}]", state="attached", timeout=5000)
        state = visitor.state()
        assert not visitor.outside(address), "requests left the book: serve these files from it"
        assert not visitor.complaints, "the console shows errors"
        assert_typeset(state)
        assert not state["stops"], "formulas that the tab key stops at"
        assert not state["beyond"], "formulas that stick out of their text: display them"
        assert not state["stray"], "lines that begin with the full stop or comma after a formula"
        assert state["overflow"] <= 0, (
            "the page scrolls sideways: find the wide formula, table or figure"
        )
        assert set(state["drawings"]) <= {1}, (
            "a figure must show the drawing of its theme or what moves in its place, and only that"
        )
        assert not state["uncaptioned"], "captions that nobody sees"
        assert not state["broken"], "images that cannot be shown"


@pytest.mark.slow(one_in=48)
@pytest.mark.parametrize("name", NAMES or ["index.html"])
def test_page_opens_from_disk(name, visitor):
    """A page opened by a double click needs no server: typeset, silent, no request but to files."""
    visitor.visit((HTML / name).as_uri())
    assert not visitor.outside("file:")
    assert not visitor.complaints
    assert_typeset(visitor.state())


def assert_typeset(state):
    assert not state["unset"], "formulas that are not typeset: the build says why"
    assert not state["raw"], "TeX that was never recognised as mathematics"


BAD = r"""<html data-theme="light"><img src="https://example.org/a.png"><script>console.error("oh")</script>
<article><p style="width: 3000px">$$x$$</p><span class="math">\(y\)</span><code class="unset">z</code>
<p style="width: 1px"><span class="math"><math tabindex="0"><mi>u</mi><mi>v</mi></math></span></p></article>
<figure><img src="data:,"><img src="data:,"><figcaption hidden>c</figcaption></figure></html>"""


def test_visitor_notices(visitor, tmp_path):
    """A page with every fault at once is seen through: the checks above are not empty."""
    (tmp_path / "bad.html").write_text(BAD)
    visitor.visit((tmp_path / "bad.html").as_uri())
    state = visitor.state()
    assert visitor.outside("file:") == ["https://example.org/a.png"]
    assert "oh" in visitor.complaints
    assert (state["unset"], state["raw"]) == ([r"\(y\)", "z"], ["$$", "$$", r"\("])
    assert (state["stops"], state["beyond"]) == (["uv"], ["uv"])
    assert state["overflow"] > 0
    assert (state["drawings"], len(state["broken"]), state["uncaptioned"]) == ([2], 2, ["c"])


def test_pages_are_typeset_without_scripts(browser, address):
    """Formulas need no script: with none allowed, and none of them asked for, they are there."""
    with browser.new_context(java_script_enabled=False) as context:
        visitor = Visitor(context.new_page())
        visitor.visit(address + "book/05_regression.html")
        assert_typeset(visitor.state())
        assert not [url for url in visitor.requests if "math" in url and url.endswith("js")]
        tall = visitor.tab.locator(".formula math:visible").first.bounding_box()
        assert tall["height"] > 15 and tall["width"] > 50


TOKENS = re.compile(r"<m[ino](?:text)?\b[^>]*>[^<]+</m[ino](?:text)?>")


def test_the_font_draws_every_formula(browser, tmp_path):
    """Each identifier, number and sign of each formula comes out of the book's own font."""
    formulas = "".join(
        "".join(re.findall("<math.*?</math>", (HTML / name).read_text("utf8"))) for name in NAMES
    )
    tokens = sorted(set(TOKENS.findall(formulas)))
    assert len(tokens) > 300
    page = browser.new_page()
    (tmp_path / "tokens.html").write_text(
        f'<meta charset="utf-8"><link rel="stylesheet" href="{(HTML / "_static/math.css").as_uri()}">'
        + "".join(f"<math>{token}</math>" for token in [*tokens, "<mo>Я</mo>"]),
        encoding="utf8",
    )
    page.goto((tmp_path / "tokens.html").as_uri())
    page.evaluate("document.fonts.ready")
    tab = page.context.new_cdp_session(page)
    tab.send("DOM.enable"), tab.send("CSS.enable")
    body = tab.send("DOM.getDocument", {"depth": -1})["root"]["children"][-1]["children"][-1]

    def fonts(node: dict) -> list[dict]:
        return tab.send("CSS.getPlatformFontsForNode", {"nodeId": node["nodeId"]})["fonts"]

    foreign = [
        token
        for token, node in zip([*tokens, "Я"], body["children"], strict=True)
        if {font["familyName"] for font in fonts(node)} != {"STIX Two Math"}
    ]
    assert foreign == ["Я"], "the font lacks these: add them in tools/math_font.py"


def test_a_formula_that_is_too_wide_scrolls_and_says_so(visitor, address):
    """Its box fades where it goes on, and can be reached and scrolled with the keyboard."""
    visitor.visit(address + "book/05_regression.html")
    box = visitor.tab.locator(".formula:visible").first
    assert box.get_attribute("tabindex") is None
    box.evaluate("box => { box.style.maxWidth = '4rem'; dispatchEvent(new Event('resize')); }")
    expect(box).to_have_class("formula more-right")
    box.focus()
    visitor.tab.keyboard.press("End")
    visitor.tab.keyboard.press("ArrowRight")
    expect(box).to_contain_class("more-left")


def test_screen_readers_are_given_the_formulas(visitor, address):
    """Each visible formula is one in the browser's accessibility tree, with its structure."""
    visitor.visit(address + "book/05_regression.html")
    tab = visitor.tab.context.new_cdp_session(visitor.tab)
    nodes = tab.send("Accessibility.getFullAXTree")["nodes"]
    roles = [node["role"]["value"] for node in nodes if not node["ignored"]]
    shown = "[...document.querySelectorAll('math')].filter((m) => m.checkVisibility()).length"
    assert roles.count("MathMLMath") == visitor.tab.evaluate(shown) > 200
    assert {"MathMLSub", "MathMLFraction", "MathMLSquareRoot", "MathMLOperator"} <= set(roles)


def test_an_equation_is_reached_by_its_number(visitor, address):
    """A link "(5.1)" leads to the formula that carries this number."""
    visitor.visit(address + "book/05_regression.html")
    link = visitor.tab.locator("article a.reference[href*='#equation-']").first
    number = link.inner_text()
    link.click()
    target = visitor.tab.locator(f"[id='{visitor.tab.url.partition('#')[2]}']")
    expect(target).to_be_in_viewport()
    assert number in target.inner_text()


def test_formulas_are_copied_as_tex(visitor, address):
    """What is copied carries its formulas in LaTeX, and not letter by letter."""
    visitor.visit(address + "book/05_regression.html")
    copied = visitor.tab.evaluate("""() => {
      const math = document.querySelector("article p .math");
      getSelection().selectAllChildren(math.closest("p"));
      const event = new ClipboardEvent("copy", { clipboardData: new DataTransfer(), cancelable: true });
      document.dispatchEvent(event);
      return [math.dataset.tex, event.clipboardData.getData("text/plain")];
    }""")
    assert f"${copied[0]}$" in copied[1]


def test_code_is_copied_and_what_it_printed_is_not(visitor, address):
    """Each visible block of code has a button that the Tab key reaches; its output has none."""
    visitor.visit(f"{address}book/03_depth.html")
    buttons = visitor.tab.locator(".copybtn:visible")
    expect(buttons.first).to_be_visible()
    code = visitor.tab.locator(".bd-article .cell_input pre:visible").count()
    assert buttons.count() == code > 10
    assert visitor.tab.locator(".cell_output pre:visible").count() > 5
    assert visitor.tab.locator(".cell_output .copybtn").count() == 0
    buttons.first.press("Enter")
    expect(buttons.first).to_contain_class("success")


def test_marks_of_a_search_stay_out_of_formulas(visitor, address):
    """The theme marks the words that a reader searched for; a mark inside a formula would break it."""
    visitor.visit(address + "book/05_gradient.html?highlight=margin+min")
    expect(visitor.tab.locator("article .highlighted:visible").first).to_be_visible()
    expect(visitor.tab.locator("math .highlighted")).to_have_count(0)
    assert visitor.tab.locator("math mi", has_text="min").count()


def test_a_search_opens_what_alone_holds_the_word(visitor, address):
    """Who follows a result sees the word: where only a fold has it, the fold opens, and else none does."""
    tab, page = visitor.tab, f"{address}book/03_perceptron.html"
    marks = tab.locator("article .highlighted:visible")
    visitor.visit(page)
    folded = tab.locator("article details:not([open])").count()
    for word, opens in (("triangle", True), ("perceptron", False)):
        visitor.visit(f"{page}?highlight={word}")
        expect(marks.first).to_be_in_viewport() if opens else expect(marks.first).to_be_visible()
        still = tab.locator("article details:not([open])").count()
        assert (0 < folded - still < 4) if opens else folded == still


def search(visitor, address, words: str):
    """The results of a search."""
    visitor.visit(f"{address}search.html?q={words}")
    expect(visitor.tab.locator("#search-results .search-summary")).to_contain_text("finished")
    return visitor.tab.locator("#search-results li")


def test_search_box_leads_to_the_results(visitor, address):
    """The keys open the box; its words lead to the results; nothing leaves the book."""
    visitor.visit(address + "index.html")
    visitor.tab.keyboard.press("Control+k")
    visitor.tab.keyboard.type("perceptron")
    visitor.tab.keyboard.press("Enter")
    visitor.tab.wait_for_url("**/search.html?q=perceptron*")
    expect(visitor.tab.locator("#search-results a").first).to_contain_text("The perceptron")
    assert not visitor.outside(address)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("served", [True, False])
def test_search_shows_what_is_found(served, width, visitors, address):
    """The lesson, then the entry, each with what it says, from a disk as well; more of them by a button."""
    visitor = visitors[width]
    root = address if served else f"{HTML.as_uri()}/"
    results = search(visitor, root, "SVM")
    links = results.locator("> a")
    assert links.nth(0).get_attribute("href").startswith("book/09_svm.html#")
    assert links.nth(1).get_attribute("href").startswith("book/glossary.html#term-support-vector")
    assert "support vector machine" in results.first.locator("p.context").inner_text()
    assert visitor.state()["overflow"] <= 0
    results = search(visitor, root, "margin")
    excerpts = [text.strip() for text in results.locator("p.context").all_inner_texts()]
    assert sum(map(bool, excerpts)) > 0.8 * len(excerpts) == 16
    assert not [text for text in excerpts if re.search(r"\\[a-zA-Z(]|On this page", text)]
    more = visitor.tab.get_by_role("button", name="Show 20 more of 60 results")
    more.press("Enter")
    expect(results).to_have_count(40)
    expect(links.nth(20)).to_be_focused()
    hrefs = links.evaluate_all("all => all.map(a => a.getAttribute('href'))")
    assert len(set(hrefs)) == 40, "a place stands twice among the results"
    assert not visitor.complaints


def test_search_follows_what_is_typed(visitor, address):
    """And a word with a wrong letter is mended; its link leads to the right one."""
    results = search(visitor, address, "margin")
    field = visitor.tab.locator(".bd-search-container input")
    field.fill("preceptron")
    mended = visitor.tab.locator(".did-you-mean a")
    expect(mended).to_have_text("perceptron")
    expect(results.first).to_contain_text("The perceptron")
    assert visitor.tab.url.endswith("?q=preceptron")
    mended.press("Enter")
    visitor.tab.wait_for_url("**/search.html?q=perceptron")
    expect(mended).to_have_count(0)
    field.fill('<img src=x onerror="alert(1)">')
    expect(visitor.tab.locator("#search-results img")).to_have_count(0)
    field.fill("zzyzx")
    expect(visitor.tab.locator(".search-summary")).to_contain_text("found nothing")


def test_search_typesets_formulas(visitor, address):
    """In titles always, in excerpts where a page can be fetched for them; no TeX is left."""
    for root in (address, f"{HTML.as_uri()}/"):
        results = search(visitor, root, "⟨w,x⟩ measure")
        name = results.locator("> a", has_text="What does")
        expect(name.locator("math").first).to_be_visible()
        assert not [text for text in results.all_inner_texts() if "\\" in text]
    results = search(visitor, address, "offset signed coordinate")
    expect(results.locator("p.context math").first).to_be_visible()


@pytest.mark.parametrize("width", WIDTHS)
def test_a_drawing_is_enlarged(width, visitors, address):
    """By its button or by a click on it, in a window that Escape closes; the focus returns to the button."""
    visitor = visitors[width]
    visitor.visit(f"{address}book/00_classification.html")
    tab = visitor.tab
    button = tab.get_by_role("button", name="Enlarge Figure 0.1")
    button.focus()
    expect(button).to_have_css("opacity", "1")
    tab.keyboard.press("Enter")
    large = tab.get_by_role("dialog", name="Figure 0.1").locator("img")
    small = tab.locator("figure .drawing img:visible").first
    assert large.bounding_box()["width"] > 1.2 * small.bounding_box()["width"]
    assert large.get_attribute("alt") == small.get_attribute("alt")
    assert visitor.state()["overflow"] <= 0
    tab.keyboard.press("Escape")
    expect(large).to_be_hidden()
    expect(button).to_be_focused()
    small.click()
    expect(large).to_be_visible()
    tab.get_by_role("button", name="Close").click()
    expect(large).to_be_hidden()


def test_menus_open_and_close(visitor, address):
    """A menu opens by the keyboard, closes by Escape with the focus where it was, and when one goes on."""
    visitor.visit(f"{address}book/{CHAPTERS[0]}.html")
    menu = visitor.tab.locator("details.dropdown-download-buttons")
    summary, link = menu.locator("summary"), menu.locator("a").first
    expect(link).to_be_hidden()
    summary.press("Enter")
    expect(link).to_be_visible()
    link.focus()
    visitor.tab.keyboard.press("Escape")
    expect(link).to_be_hidden()
    expect(summary).to_be_focused()
    summary.press("Enter")
    visitor.tab.locator("article h1").first.click()
    expect(link).to_be_hidden()


def test_the_contents_can_be_put_away(visitors, address):
    """On a desk the contents leave and come back, and the focus stays; on a phone they open as a window."""
    for width, hidden in ((1280, False), (390, True)):
        visitor = visitors[width]
        visitor.visit(f"{address}book/{CHAPTERS[0]}.html")
        button = visitor.tab.locator("button.primary-toggle")
        link = visitor.tab.locator(".bd-sidebar-primary a", has_text="Model selection").first
        expect(link).to_be_hidden() if hidden else expect(link).to_be_visible()
        button.press("Enter")
        expect(link).to_be_visible() if hidden else expect(link).to_be_hidden()
        if not hidden:
            expect(button).to_be_focused()
            expect(button).to_have_attribute("aria-expanded", "false")
            button.press("Enter")
            expect(link).to_be_visible()


CHAPTER_3 = ".bd-links details.chapter:nth-of-type(4) > summary"


@pytest.mark.parametrize("width", WIDTHS)
def test_a_chapter_of_the_contents_unfolds(width, browser, address):
    """Without a script, by keyboard: the reader's chapter is open, another opens, its lessons are links."""
    size = {"width": width, "height": 900}
    with browser.new_context(java_script_enabled=False, viewport=size) as context:
        tab = context.new_page()
        for page, chapter in (("index", None), ("book/02_hardness", 2), ("book/errata_3", 12)):
            tab.goto(f"{address}{page}.html")
            folds = tab.locator(".bd-links details.chapter")
            opened = [
                k for k in range(folds.count()) if folds.nth(k).get_attribute("open") is not None
            ]
            assert folds.count() == 14 and opened == ([] if chapter is None else [chapter])
            lesson = tab.locator(".bd-links a", has_text="The perceptron: why does it stop?")
            expect(lesson).to_be_hidden()
            box = tab.locator(CHAPTER_3).bounding_box()
            assert min(box["width"], box["height"]) >= 24
            tab.locator(CHAPTER_3).press("Enter")
            expect(lesson).to_contain_text("core")
            lesson.press("Enter")
            tab.wait_for_url("**/book/03_perceptron.html")


def test_part_of_the_contents_unfolds(visitor, address):
    """What unfolds the pages of an appendix has its name, a size, and works by the keyboard."""
    visitor.visit(address + "index.html")
    visitor.tab.locator(".bd-links summary", has_text="Appendices").press("Enter")
    toggle = visitor.tab.locator("summary[aria-label='Pages of “Errata to the notes”']")
    box = toggle.bounding_box()
    assert min(box["width"], box["height"]) >= 24
    page = visitor.tab.locator(".bd-sidebar-primary a", has_text="Errata to note 3")
    expect(page).to_be_hidden()
    toggle.press("Enter")
    expect(page).to_be_visible()


def test_the_magnifier_leaves_the_words_alone(visitor, address):
    """In the search field the icon ends before the text begins."""
    visitor.visit(address + "search.html?q=margin")
    icon, field = (
        visitor.tab.locator(f"article .bd-search {part}, main .bd-search {part}").first
        for part in ("i", "input")
    )
    begins = field.evaluate(
        "e => e.getBoundingClientRect().x + parseFloat(getComputedStyle(e).paddingLeft)"
    )
    box = icon.bounding_box()
    assert box["x"] + box["width"] <= begins


# What the focus changes: the look of the element itself, or of what is in it.
STOP = """() => {
  const focused = document.activeElement;
  if (focused === document.body) return null;
  const look = (e) => {
    const s = getComputedStyle(e);
    return [s.outlineStyle, s.outlineWidth, s.outlineColor, s.stroke, s.opacity].join();
  };
  const looks = () => [focused, ...focused.querySelectorAll("*")].slice(0, 30).map(look).join(";");
  const box = focused.getBoundingClientRect(), there = looks();
  focused.blur();
  const away = looks();
  focused.focus({ preventScroll: true });
  return { what: focused.outerHTML.slice(0, 120), seen: there !== away, size: [box.width, box.height] };
}"""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["index.html", "book/05_regression.html", "search.html"])
def test_the_focus_is_seen(name, width, visitors, address):
    """Wherever the Tab key stops, something looks different than without the focus, and can be seen."""
    tab = visitors[width].tab
    visitors[width].visit(address + name)
    tab.evaluate("document.activeElement.blur()")
    stops = []
    for _ in range(150):
        tab.keyboard.press("Tab")
        stop = tab.evaluate(STOP)
        if stop is None:
            break
        stops.append(stop)
    assert len(stops) > 4
    assert not [stop for stop in stops if not stop["seen"] or min(stop["size"]) < 1]


# A lesson from end to end ----------------------------------------------------------------------


class Keys:
    """A reader who has a keyboard and nothing else."""

    def __init__(self, tab: Page):
        self.tab = tab

    def press(self, *keys: str) -> None:
        for key in keys:
            self.tab.keyboard.press(key)

    def reach(self, selector: str) -> None:
        """Press Tab until an element of this kind has the focus."""
        for _ in range(400):
            self.press("Tab")
            if self.tab.evaluate("s => document.activeElement.matches(s)", selector):
                return
        raise AssertionError(f"the Tab key never comes to {selector}")

    def seen(self) -> bool:
        """Whether what has the focus is on the screen, and nothing lies on it."""
        return self.tab.evaluate("""() => {
          const e = document.activeElement, box = e.getBoundingClientRect();
          const [x, y] = [Math.min(box.width / 2, 60), Math.min(box.height / 2, 12)];
          const top = document.elementFromPoint(box.x + x, box.y + y);
          return box.top >= 0 && box.top < innerHeight && (e.contains(top) || top.contains(e));
        }""")


def test_a_lesson_by_keyboard(visitor, address):
    """From the front page: start, find a lesson, read, open a check, answer, move a figure, search, go on."""
    tab, keys = visitor.tab, Keys(visitor.tab)
    tab.emulate_media(color_scheme="light", reduced_motion="reduce")
    visitor.visit(address + "index.html")
    tab.evaluate("localStorage.clear()")
    keys.press("Tab")
    assert tab.evaluate("document.activeElement.textContent") == "Skip to main content"
    keys.press("Enter")
    keys.reach("a.start")
    assert keys.seen()
    keys.press("Enter")
    tab.wait_for_url("**/book/00_classification.html")
    keys.press("Tab")
    keys.reach(CHAPTER_3)
    assert keys.seen()
    keys.press("Enter")
    keys.reach(".bd-sidebar-primary a[href^='03_']")
    keys.press("Enter")
    tab.wait_for_url("**/book/03_perceptron.html")
    keys.press("Tab", "Enter")  # skip to the content
    before = tab.evaluate("scrollY")
    keys.press("Space")
    tab.wait_for_function("y => scrollY > y + 300", arg=before)
    keys.reach("details.check > summary")
    assert keys.seen()
    keys.press("Enter")
    expect(tab.locator("details.check[open] pre").first).to_be_visible()
    keys.reach("form.practice input[type=radio]")
    assert keys.seen()
    keys.press("Space")
    expect(tab.locator("form.practice .why:visible").first).to_be_visible()
    keys.reach("form.practice input[type=text]")
    keys.press("1", "Enter")
    expect(
        tab.locator("form.practice .verdict:not(:empty, .visually-hidden)").first
    ).to_contain_text("Not yet")
    visitor.visit(f"{address}book/03_perceptron.html#fig-run-weights")
    keys.reach(".explorable [role=slider]")
    assert keys.seen()
    says = tab.locator("#fig-run-weights .says")
    words = says.inner_text()
    keys.press("Shift+ArrowUp", "Shift+ArrowRight")
    expect(says).not_to_have_text(words)
    keys.press("Control+k")
    tab.keyboard.type("margin")
    keys.press("Enter")
    tab.wait_for_url("**/search.html?q=margin*")
    expect(tab.locator("#search-results li > a").first).to_be_visible()
    keys.reach("#search-results a")
    assert keys.seen()
    keys.press("Enter")
    tab.wait_for_url("**/book/0*")
    keys.press("End")
    keys.reach("a.right-next")
    keys.press("Enter")
    tab.wait_for_url("**/book/0*")
    assert not visitor.complaints and not visitor.outside(address)
    tab.emulate_media(reduced_motion="no-preference")


@pytest.mark.slow(one_in=48)
@pytest.mark.parametrize("name", ["index", *(f"book/{chapter}" for chapter in CHAPTERS)])
def test_a_lesson_needs_no_script(name, browser, address):
    """Without scripts everything is there: drawings, formulas, menus, and all that folds opens by a click."""
    with browser.new_context(java_script_enabled=False, reduced_motion="reduce") as context:
        visitor = Visitor(context.new_page())
        visitor.visit(f"{address}{name}.html")
        state = visitor.state()
        assert_typeset(state)
        assert set(state["drawings"]) <= {1} and state["overflow"] <= 0
        empty = visitor.tab.evaluate("""
          [...document.querySelectorAll(".bd-article :is(section, figure, form, details, ol, p, div.cell)")]
            .filter((e) => e.checkVisibility() && !e.matches(".verdict") && !e.closest("[hidden], td"))
            .filter((e) => !e.textContent.trim() && !e.querySelector("img"))
            .map((e) => e.outerHTML.slice(0, 100))""")
        assert not empty
        dead = visitor.tab.evaluate("""[...document.querySelectorAll(".bd-article button")]
          .filter((e) => e.checkVisibility()).map((e) => e.outerHTML.slice(0, 100))""")
        assert not dead, "buttons that do nothing without a script"
        for kind in ("check", "solution", "imports"):
            folded = visitor.tab.locator(f".bd-article details.{kind}").first
            if folded.count():
                folded.locator("> summary").click()
                expect(folded.locator("> :not(summary)").first).to_be_visible()
        menu = visitor.tab.locator("details.dropdown-download-buttons")
        menu.locator("summary").click()
        expect(menu.locator("a").first).to_be_visible()


def test_paper_has_page_numbers(browser, address):
    """Printed, pages carry their numbers."""
    page = browser.new_page()
    page.goto(address + "index.html")
    sheets = page.evaluate("""[...document.styleSheets].flatMap((s) => [...s.cssRules])
      .filter((r) => r instanceof CSSPageRule).map((r) => r.cssText).join()""")
    assert "counter(page)" in sheets
    printed = page.pdf(prefer_css_page_size=True)
    assert printed.startswith(b"%PDF") and printed.count(b"/Type /Page\n") > 1
    page.close()


@pytest.mark.parametrize("name", ["03_perceptron", "09_svm"])
def test_paper_shows_all_of_a_lesson(name, browser, address):
    """On a sheet nothing is folded, cut or to be pressed; what checks the book is left out."""
    page = browser.new_page(viewport={"width": 700, "height": 1000})  # A4 between its margins
    page.goto(f"{address}book/{name}.html")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    folded, cut, tools, reasons, drawings = page.evaluate("""() => {
      const all = (selector) => [...document.querySelectorAll(selector)];
      const shown = (selector) => all(selector).filter((e) => e.checkVisibility());
      const right = (e) => e.getBoundingClientRect().right;
      const edge = right(document.querySelector(".bd-article"));
      const left = ".explorable, .practice-progress, .behind, .check, .imports, .formal";
      return [
        all(".bd-article details:not(.hide) > *")
          .filter((e) => !e.checkVisibility() && !e.closest(left))
          .map((e) => e.outerHTML.slice(0, 100)),
        [...shown(".bd-article :is(pre, .formula)").filter((e) => e.scrollWidth > e.clientWidth + 1),
          ...shown(".bd-article :is(table, img, math)").filter((e) => right(e) > edge + 1)]
          .map((e) => e.outerHTML.slice(0, 100)),
        shown(`button, nav, .machine, .bd-sidebar-primary, .prev-next-area, ${left}`)
          .map((e) => e.outerHTML.slice(0, 100)),
        [all(".why").length, shown(".why").length],
        all("figure").map((f) => [...f.querySelectorAll("img")].filter((e) => e.checkVisibility()).length),
      ];
    }""")
    assert not folded and not cut and not tools
    assert reasons[0] == reasons[1] > 10 and set(drawings) == {1}
    page.close()


def met(page: Path):
    """What a page's head says of it, as those read it who run no scripts."""
    for tag in re.findall(r"<meta [^>]*content=[^>]*>", page.read_text("utf8")):
        said = {key: unescape(value) for key, value in re.findall(r'([\w:]+)="([^"]*)"', tag)}
        yield said.get("property") or said.get("name"), said["content"]


def test_what_a_shared_link_shows():
    """Each lesson has a description in sentences, without TeX; where an address is set, what needs one."""
    home = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))["sphinx"]["config"][
        "html_baseurl"
    ]
    for name in ("index", *(f"book/{chapter}" for chapter in CHAPTERS)):
        meta = dict(met(HTML / f"{name}.html"))
        said = meta["description"]
        assert said == meta["og:description"]
        assert 30 < len(said) <= 400 and said[-1] in ".?!:" and "\\" not in said
        if not home:
            assert "og:title" in meta and not {"og:url", "og:image", "og:image:alt"} & meta.keys()
            continue
        assert meta["og:url"] == f"{home}{name}.html"
        assert (HTML / meta["og:image"].removeprefix(home)).is_file()
        assert f"<loc>{home}{name}.html</loc>" in (HTML / "sitemap.xml").read_text("utf8")
    assert (HTML / "sitemap.xml").exists() == bool(home)


# Everyone --------------------------------------------------------------------------------------


# What is pressed and is less than 24 pixels high or wide; not links in a text, nor marks with a larger label.
SMALL = """() => {
  const size = ({ width, height }) => Math.min(width, height), box = (e) => e.getBoundingClientRect();
  const inText = (e) => e.matches("a") && getComputedStyle(e).display === "inline";
  const small = (e) => size(box(e)) > 1 && size(box(e)) < 23.9;  // 1: said to those who listen
  return [...document.querySelectorAll("a[href], button, summary, input, select, [role=slider]")]
    .filter((e) => e.checkVisibility({ visibilityProperty: true }) && !inText(e) && small(e))
    .filter((e) => !e.closest("label") || small(e.closest("label"))).map((e) => e.outerHTML.slice(0, 200));
}"""


@pytest.mark.slow(one_in=48)
@pytest.mark.parametrize("name", NAMES or ["index.html"])
def test_narrow_and_still(name, visitors, address):
    """At 320 pixels no page scrolls sideways, fingers find all targets; who wants no motion gets none."""
    visitor = visitors[390]
    visitor.tab.emulate_media(color_scheme="light", reduced_motion="reduce")
    visitor.tab.set_viewport_size({"width": 320, "height": 800})
    try:
        visitor.visit(address + name)
        assert visitor.state()["overflow"] <= 0
        assert visitor.tab.evaluate(SMALL) == []
        moving = visitor.tab.evaluate(
            """[...document.querySelectorAll("*")].filter((e) => { const s = getComputedStyle(e);
            return parseFloat(s.transitionDuration) > 0 || parseFloat(s.animationDuration) > 0; })
            .map((e) => e.outerHTML.slice(0, 100))"""
        )
        assert not moving
    finally:
        visitor.tab.set_viewport_size({"width": 390, "height": 900})
        visitor.tab.emulate_media(reduced_motion="no-preference")


@pytest.mark.slow(one_in=48)
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_solution_unfolds(chapter, visitor, address):
    """A solution is folded at first, opens by a click, and closes by the keyboard."""
    visitor.visit(f"{address}book/{chapter}.html")
    solution = visitor.tab.locator("details.solution").first
    answer = solution.locator(":scope > :not(summary)").first
    expect(answer).to_be_hidden()
    solution.locator("summary").first.click()
    expect(answer).to_be_visible()
    visitor.tab.keyboard.press("Enter")
    expect(answer).to_be_hidden()


def test_check_unfolds(visitor, address):
    """A check is one line that opens to its code by the keyboard, and is left out on paper."""
    visitor.visit(f"{address}book/05_regression.html")
    checks = visitor.tab.locator("details.check")
    code = checks.first.locator("pre").first
    expect(code).to_be_hidden()
    checks.first.locator("summary").focus()
    visitor.tab.keyboard.press("Enter")
    expect(code).to_be_visible()
    visitor.tab.emulate_media(media="print")
    expect(code).to_be_hidden()
    visitor.tab.emulate_media(media="screen")
    assert checks.count() > 1


def test_link_opens_what_is_folded(visitor, address):
    """A link that points into something folded opens it, when the page is loaded and afterwards."""
    page = f"{address}book/05_regression.html"
    visitor.visit(page)
    inside = "d => d.querySelector('[id]').id"
    names = visitor.tab.locator("details.solution:has([id])").evaluate_all(
        f"all => all.map({inside})"
    )
    visitor.visit(f"{page}#{names[0]}")
    expect(visitor.tab.locator(f"[id='{names[0]}']")).to_be_visible()
    visitor.tab.evaluate("name => { location.hash = name }", names[1])
    expect(visitor.tab.locator(f"[id='{names[1]}']")).to_be_visible()


def test_question_is_answered_by_keyboard(visitor, address):
    """Arrow keys choose, the reason appears and is announced; a typed answer is judged; progress is kept."""
    tab, page = visitor.tab, f"{address}book/03_perceptron.html"
    visitor.visit(page)
    tab.evaluate("localStorage.clear()")
    choice = tab.locator("#practice-pc-forecast")
    reasons = choice.locator(".why")
    expect(reasons.first).to_be_hidden()
    choice.locator("input").first.focus()
    tab.keyboard.press("Space")
    expect(reasons.first).to_be_visible()
    expect(choice.locator("[role=status]")).to_contain_text("not a prediction")
    tab.keyboard.press("ArrowDown")
    expect(reasons.first).to_be_hidden()
    expect(reasons.nth(1)).to_be_visible()
    typed = tab.locator("#practice-pc-bound")
    typed.locator("input").focus()
    for answer, verdict in (
        ("√10", "Not yet. That is"),
        ("3 3", "one number; you gave 2"),
        ("10", "Right."),
    ):
        tab.keyboard.press("Control+a")
        tab.keyboard.type(answer)
        tab.keyboard.press("Enter")
        expect(typed.locator("[role=status]")).to_contain_text(verdict)
    expect(tab.locator(".practice-progress .count")).to_contain_text("2 of 8")
    visitor.visit(page)
    assert typed.get_attribute("data-done") == choice.get_attribute("data-done") == "right"
    tab.locator(".practice-progress summary").press("Enter")
    with tab.expect_download() as download:
        tab.get_by_role("button", name="Save to a file").press("Enter")
    saved = download.value.path()
    tab.get_by_role("button", name="Forget all").press("Enter")
    expect(tab.locator(".practice-progress .count")).to_contain_text("0 of 8")
    tab.locator(".practice-progress input").set_input_files(saved)
    expect(tab.locator(".practice-progress .count")).to_contain_text("2 of 8")
    assert not visitor.complaints and not visitor.outside(address)


def test_the_front_page_knows_what_was_done(visitor, address):
    """The map shows what was begun and done; one goes on where one was, and all can be forgotten."""
    tab, front = visitor.tab, address + "index.html"
    visitor.visit(front)
    tab.evaluate("localStorage.clear()")
    visitor.visit(front)
    place = tab.locator("li.lesson[data-page='book/03_perceptron']")
    expect(place.locator(".lesson-state")).to_be_hidden()
    expect(tab.locator("a.go-on")).to_have_count(0)
    expect(tab.locator("a.start")).to_have_attribute("href", re.compile("book/00_"))
    visitor.visit(f"{address}book/03_perceptron.html")
    tab.locator("#practice-pc-forecast input[data-right]").check()
    tab.locator("#why-does-it-stop h2").first.evaluate(
        "h => scrollTo({top: h.offsetTop, behavior: 'instant'})"
    )
    visitor.visit(front)
    expect(place.locator(".lesson-state")).to_have_text("Begun · 1 of 8 questions right")
    go_on = tab.locator("a.go-on")
    expect(go_on).to_have_text("Go on: The perceptron: why does it stop?")
    go_on.press("Enter")
    tab.wait_for_url("**/book/03_perceptron.html#why-does-it-stop")
    done = tab.get_by_role("button", name="This lesson is done")
    done.press("Enter")
    expect(done).to_have_attribute("aria-pressed", "true")
    visitor.visit(front)
    expect(place.locator(".lesson-state")).to_contain_text("Done")
    count = tab.locator(".practice-progress .count")
    bank = (ROOT / "linlearn" / "practice").glob("*.toml")
    asked = sum(len(tomllib.loads(path.read_text("utf8"))) for path in bank)
    tracks = [lesson.track for lesson in lessons(ROOT).values()]
    core, others = tracks.count("core"), len(tracks) - tracks.count("core")
    expect(count).to_contain_text(
        f"Done: 1 of {core} core lessons, 0 of {others} others, 1 of {asked} questions"
    )
    tab.locator(".practice-progress summary").press("Enter")
    tab.get_by_role("button", name="Forget all").press("Enter")
    expect(count).to_contain_text(
        f"Done: 0 of {core} core lessons, 0 of {others} others, 0 of {asked} questions"
    )
    expect(go_on).to_have_count(0)
    assert not visitor.complaints and not visitor.outside(address)


@pytest.mark.slow(one_in=12)
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_questions_need_no_script(chapter, browser, address):
    """Without a script each question shows its choices and, when unfolded, its answer and all reasons."""
    with browser.new_context(java_script_enabled=False) as context:
        tab = context.new_page()
        tab.goto(f"{address}book/{chapter}.html")
        for form in tab.locator("form.practice").all():
            choices, reasons = form.locator(".choice"), form.locator(".why")
            expect(reasons.locator("visible=true")).to_have_count(0)
            if choices.count():
                choices.last.locator("input").check()
                expect(reasons.locator("visible=true")).to_have_count(1)
                form.locator("summary").click()
                expect(reasons.locator("visible=true")).to_have_count(choices.count())
                expect(form.locator(".choice:has([data-right]) .why")).to_contain_text("Right.")
            else:
                expect(form.locator("input")).to_be_hidden()
                for summary in form.locator("summary").all():
                    summary.click()
                expect(form.locator(".answer p")).to_be_visible()


def test_with_a_script_a_question_keeps_its_reasons(visitor, address):
    """Nothing unfolds all reasons before a choice is made."""
    visitor.visit(f"{address}book/03_perceptron.html")
    expect(visitor.tab.locator("#practice-pc-forecast")).to_be_visible()
    expect(visitor.tab.locator("form.practice .reasons")).to_have_count(0)


@pytest.mark.slow(one_in=48)
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_notebook_downloads(chapter, visitor, address):
    """The download button delivers the plain notebook that the build has written."""
    visitor.visit(f"{address}book/{chapter}.html")
    visitor.tab.locator(".dropdown-download-buttons > summary").first.click()
    name = file_name(chapter, lessons(ROOT)[chapter].number)
    with visitor.tab.expect_download() as download:
        visitor.tab.locator(f"a[href$='{name}']:visible").first.click()
    assert download.value.path().read_bytes() == (HTML / "notebooks" / name).read_bytes()
