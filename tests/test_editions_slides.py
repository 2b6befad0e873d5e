"""The slides: a deck has what its lesson's page has, fits every screen, and asks no other host."""

import re
from itertools import accumulate

import pytest
from bs4 import BeautifulSoup
from conftest import loud_skip
from guards import ROOT
from linlearn_lessons import lessons

from linlearn.practice.bank import bank
from tools.chromium import CHROMIUM, launched
from tools.editions import lecture, slides
from tools.editions.pages import article
from tools.editions.syllabus import MEETING, plan

HTML = ROOT / "_build" / "html"
CORE = [lesson for lesson in lessons(ROOT).values() if lesson.track == "core"]
SMALLEST = 0.7  # of the size at which it was laid out: letters are then half as large as a heading
MEASURES = """() => [...document.querySelectorAll(".slide")].map((slide) => {
  const box = slide.querySelector(".content").getBoundingClientRect();
  const inside = [...slide.querySelectorAll(".content :not(:is(svg, math) *)")];
  return {
    words: slide.innerText.slice(0, 50), bottom: box.bottom, height: box.height,
    fit: Number(slide.style.getPropertyValue("--fit")),
    right: Math.max(...inside.filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect().right)),
  };
})"""


@pytest.fixture(scope="module")
def decks(tmp_path_factory):
    """The folder with all decks."""
    if not (HTML / "index.html").exists():
        loud_skip("the slides (_build/html is missing)", "Run `make book` first.")
    out = tmp_path_factory.mktemp("slides")
    slides.write(HTML, out)
    return out


@pytest.fixture(scope="module")
def browser():
    if not CHROMIUM:
        loud_skip(
            "the slides in a browser (no Chromium was found)",
            "Install it: `apt-get install chromium`.",
        )
    with launched() as browser:
        yield browser


@pytest.fixture(scope="module")
def pages():
    """The text of the built page of each core lesson."""
    return {lesson.stem: article(HTML, lesson.stem) for lesson in CORE}


def opened(browser, path, width=1280, height=720):
    """A page with the deck, which fails at errors and at requests that leave the folder."""
    page = browser.new_page(viewport={"width": width, "height": height})
    page.on("pageerror", lambda error: pytest.fail(f"{path.stem}: {error}"))
    page.on("requestfailed", lambda request: pytest.fail(f"{path.stem}: {request.url}"))
    page.goto(path.as_uri())
    return page


@pytest.mark.parametrize("lesson", CORE, ids=lambda lesson: lesson.stem)
def test_a_deck_has_what_the_lesson_teaches(lesson, decks, pages):
    """Every section, statement and mistake, figures that move, questions of the text, the last sentences."""
    deck, page = (decks / f"{lesson.stem}.html").read_text("utf8"), pages[lesson.stem]
    for heading in page.select("h2"):
        words = slides.inner(heading).partition('<a class="headerlink"')[0]
        shown = f"<h2>{words}</h2>" in deck or f'<p class="of">{words}</p>' in deck
        assert shown or not slides.start(heading), heading.get_text()
    for box in page.select("div.proof.admonition, div.mistake"):
        if not box.find_parent("details"):
            assert deck.count(f'id="{box["id"]}"' if box.get("id") else "mistake") >= 1, (
                box.get_text()
            )
    assert deck.count("data-explore=") == len(page.select("figure ~ * [data-explore], [data-in]"))
    asked = [
        name
        for name in lesson.questions
        if f"<p>{slides.words(slides.spoken(bank()[name].ask))}</p>" in deck
    ]
    assert len(asked) == deck.count('class="reason"') >= 3
    for name in asked:
        wrong = [c.why for c in bank()[name].choices if not c.right] or [
            w.why for w in bank()[name].wrong
        ]
        assert all(slides.words(why) in deck for why in wrong), (
            "its notes say what students get wrong"
        )
    last = page.select("section:has(> h2) > ol")[-1]
    kept = deck[deck.rindex("sentences to keep") : deck.rindex("<details")]
    assert len(last.select("li")) == kept.count("<li>")
    assert not re.search(r'(?:src|href)="(?:https?:)?//', deck)


def test_no_slide_announces_what_it_does_not_show(decks):
    """None is a bare heading, none ends in a colon, and none shows a statement for a second time."""
    for lesson in CORE:
        deck = BeautifulSoup((decks / f"{lesson.stem}.html").read_text("utf8"), "html.parser")
        names = [box["id"] for box in deck.select(".content :is(.proof, figure)[id]")]
        assert len(names) == len(set(names)), lesson.stem
        for content in deck.select(".slide > .content"):
            shown = content.find_all(lambda tag: tag.name not in ("h1", "h2"), recursive=False)
            assert [tag for tag in shown if "of" not in tag.get("class", [])], content.get_text()
            assert not content.get_text().rstrip().endswith(":"), content.get_text()


def test_every_slide_has_notes(decks):
    """Its minutes; a figure in words; of a statement the idea, the proof, or what the page says; all once."""
    for lesson in CORE:
        deck = BeautifulSoup((decks / f"{lesson.stem}.html").read_text("utf8"), "html.parser")
        before = set()
        for slide in deck.select(".slide"):
            minutes, *words = slide.select_one(".notes").find_all(recursive=False)[1:]
            assert "minute" in minutes.get_text()
            assert words, slide.get_text()
            said = {str(one) for one in words} - {slides.ASK_FIRST, slides.ERRORS}
            assert not said & before, "a slide repeats the notes of the one before it"
            before = said


def test_no_proof_stops_before_its_end(decks):
    """The notes of a statement have the whole proof that the page shows without its idea."""
    counted = 0
    for lesson in CORE:
        page = article(HTML, lesson.stem)
        slides.tidy(page)
        deck = BeautifulSoup((decks / f"{lesson.stem}.html").read_text("utf8"), "html.parser")
        told = [" ".join(proof.get_text().split()) for proof in deck.select(".notes .proof-text")]
        for proof in page.select(".proof-text"):
            assert " ".join(proof.get_text().split()) in told, proof.get_text()
            counted += 1
    assert counted > 25


def test_notes_speak_of_nothing_that_is_not_there(decks):
    """Of no table or cell elsewhere on the page; a short table that they speak of is in them."""
    for lesson in CORE:
        deck = BeautifulSoup((decks / f"{lesson.stem}.html").read_text("utf8"), "html.parser")
        for said in deck.select(".notes > p:not(:has(strong, em))"):
            assert not slides.ELSEWHERE.search(said.get_text()), said.get_text()
            assert not slides.ONLY_SAYS_THAT.fullmatch(said.get_text()), said.get_text()
        if lesson.stem == "00_choice":
            chosen = deck.select_one(".slide:has(.mistake) .notes")
            assert "0.065" in chosen.select_one("table + *, div:has(table) + p").get_text()
            assert "0.065" in chosen.table.get_text()


def test_a_sentence_is_left_out_whole():
    """Formulas, names with a full stop and characters that HTML escapes stay as they are."""
    start, end = "<p>As in <em>A. B</em> &lt; 1. <b>So x.</b>", " Why? <span>End.</span></p>"
    paragraph = BeautifulSoup(f"{start} The table shows <i>y</i>, z.{end}", "html.parser").p
    slides.leave_out_elsewhere(paragraph)
    assert str(paragraph) == start + end


def test_the_slides_of_a_week_fill_its_lecture(decks):
    """The minutes of a week's decks sum to the lecture; titles and last sentences are never in reserve."""
    for week in plan(CORE, lecture.WEEKS):
        totals = []
        for lesson in week:
            deck = (decks / f"{lesson.stem}.html").read_text("utf8")
            time = r"<strong>(?:(\d+) minutes?, up to minute (\d+) of (\d+)|Reserve slide)"
            times = re.findall(time, deck)
            spent = [int(time) for time, _, _ in times if time]
            assert [int(end) for time, end, _ in times if time] == list(accumulate(spent))
            assert {int(total) for *_, total in times if total} == {sum(spent)}
            assert times[0][0] and times[-1][0] and len(spent) > len(times) / 2
            totals.append(sum(spent))
        assert sum(totals) == MEETING[lecture.WEEKS]


def test_a_proof_has_two_minutes(decks):
    """Unless the plan has at most two questions that could go into reserve for it."""
    short = []
    for lesson in CORE:
        deck = BeautifulSoup((decks / f"{lesson.stem}.html").read_text("utf8"), "html.parser")
        notes = deck.select(".slide:has(.proof-text) .notes > p:first-of-type strong")
        asked = deck.select(".slide:has(.reason) .notes > p:first-of-type strong")
        if any(time.get_text().startswith("1 minute,") for time in notes):
            short.append(lesson.stem)
            assert sum("up to" in time.get_text() for time in asked) <= lecture.ASKED, lesson.stem
    assert len(short) <= 3, short


def test_nobody_types_in_a_lecture(decks):
    """Questions ask for an answer to be found; minus signs are none of them hyphens."""
    for lesson in CORE:
        deck = BeautifulSoup((decks / f"{lesson.stem}.html").read_text("utf8"), "html.parser")
        for asked in deck.select(".content:has(.reason)"):
            assert not re.search(r"\btype|\bcomma|(?:^|[ (])-\d", asked.get_text(), re.I), asked


def test_a_section_shows_its_first_figure(decks, pages):
    """Unless it is folded away on the page."""
    for lesson in CORE:
        deck = (decks / f"{lesson.stem}.html").read_text("utf8")
        for section in pages[lesson.stem].select("section:has(> h2)"):
            figures = [f for f in section.select("figure[id]") if not f.find_parent("details")]
            assert not figures or f'id="{figures[0]["id"]}"' in deck, (
                lesson.stem,
                figures[0]["id"],
            )


@pytest.mark.slow(one_in=4)
@pytest.mark.parametrize("lesson", CORE, ids=lambda lesson: lesson.stem)
def test_no_slide_is_higher_than_the_screen(lesson, decks, browser):
    """On 1280 × 720 and on 1920 × 1080, nothing is cut off, and nothing is made very small."""
    for width, height in ((1280, 720), (1920, 1080)):
        page = opened(browser, decks / f"{lesson.stem}.html", width, height)
        page.wait_for_load_state("load")
        for one in page.evaluate(MEASURES):
            assert one["bottom"] <= height + 1 and one["right"] <= width + 1, one
            assert one["fit"] >= SMALLEST, one
        page.close()


@pytest.mark.slow(one_in=4)
@pytest.mark.parametrize("lesson", CORE, ids=lambda lesson: lesson.stem)
@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
def test_a_phone_shows_all_slides_one_below_the_other(lesson, width, height, decks, browser):
    """Upright and on its side: nothing sticks out, figures fit, answers are shown, the text is large."""
    page = opened(browser, decks / f"{lesson.stem}.html", width, height)
    page.wait_for_load_state("load")
    wide, shown, all_, high, small = page.evaluate("""() => {
      const slides = [...document.querySelectorAll(".slide")], visible = { visibilityProperty: true };
      const size = (e) => parseFloat(getComputedStyle(e).fontSize);
      const texts = [...document.querySelectorAll(".content :is(h1, h2, p, li):not(.explorable *)")];
      return [
        document.documentElement.scrollWidth, slides.filter((slide) => slide.checkVisibility(visible)).length,
        slides.length, Math.max(0, ...[...document.images].map((image) => image.offsetHeight)),
        Math.min(...texts.map(size)),
      ];
    }""")
    assert wide <= width and shown == all_
    assert high <= height and small >= 15
    assert all(page.evaluate("slides.map((slide) => !slide.inert)"))
    page.close()


SWIPE = """([x, y, dx, dy]) => {
  const target = document.elementFromPoint(x, y), at = (t) =>
    new Touch({ identifier: 0, target, clientX: x + t * dx, clientY: y + t * dy });
  const send = (kind, touches, changedTouches) => target.dispatchEvent(
    new TouchEvent(kind, { touches, changedTouches, bubbles: true, cancelable: true }));
  send("touchstart", [at(0)], [at(0)]);
  for (const t of [0.5, 1]) send("touchmove", [at(t)], [at(t)]);
  send("touchend", [], [at(1)]);
}"""


def test_a_finger_turns_the_slides(decks, browser):
    """A tap and a swipe go on, a swipe to the right goes back; up and down, or in a figure, nothing does.

    The events of a swipe are the page's own, since Chromium drops those of a device if a page answers late.
    """
    context = browser.new_context(viewport={"width": 1024, "height": 768}, has_touch=True)
    page = context.new_page()
    page.goto((decks / "03_perceptron.html").as_uri())

    def swipe(x, y, dx, dy):
        page.evaluate(SWIPE, [x, y, dx, dy])
        return page.evaluate("at")

    page.mouse.click(600, 400)
    page.wait_for_function("at === 1")
    ways = (-200, 10), (0, 200), (-30, 0), (200, 0)
    assert [swipe(600, 400, *way) for way in ways] == [2, 2, 2, 1]
    moving = page.evaluate("slides.findIndex((slide) => slide.querySelector('.explorable'))")
    page.evaluate(f"show({moving})")
    box = page.locator(".explorable").bounding_box()
    assert swipe(box["x"] + box["width"] - 20, box["y"] + 100, -200, 0) == moving
    page.mouse.click(box["x"] + box["width"] + 20, box["y"] + 100)
    page.wait_for_function(f"at === {moving + 1}")
    context.close()


def test_keys_move_answers_and_notes(decks, browser):
    """The answer of a question comes before the next slide; notes open; the address keeps the place."""
    page = opened(browser, decks / "03_perceptron.html")
    at = "document.querySelector('nav').textContent.split(' ')[0]"
    for key, place in (
        ("ArrowRight", "2"),
        ("PageDown", "3"),
        (" ", "4"),
        (" ", "4"),
        (" ", "5"),
        ("ArrowLeft", "4"),
        ("Home", "1"),
    ):
        page.keyboard.press(key)
        assert page.evaluate(at) == place, key
    assert page.evaluate("location.hash") == "#1"
    notes = page.locator(".shown .notes")
    assert not notes.is_visible()
    page.keyboard.press("n")
    assert notes.is_visible() and "Afterwards students can" in notes.inner_text()
    page.goto(f"{(decks / '03_perceptron.html').as_uri()}#4")
    page.reload()
    reason = page.locator(".shown .reason")
    assert not reason.is_visible()
    page.keyboard.press("Enter")
    assert reason.is_visible() and page.locator(".shown .right").count() == 1
    page.close()


def test_notes_in_a_window_follow(decks, browser):
    """A second window shows the same slide with its notes."""
    page = opened(browser, decks / "03_perceptron.html")
    with page.expect_popup() as opening:
        page.keyboard.press("p")
    window = opening.value
    window.wait_for_load_state("load")
    page.keyboard.press("ArrowRight")
    window.wait_for_function("document.querySelector('nav').textContent.startsWith('2 ')")
    window.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('nav').textContent.startsWith('3 ')")
    assert window.evaluate("document.body.className") == "noted"
    window.close()
    page.close()


def test_figures_move_in_a_deck(decks, browser):
    """An explorable takes the place of its drawing; its keys do not turn the page."""
    page = opened(browser, decks / "03_perceptron.html")
    assert page.locator(".explorable").count() == 1
    number = page.evaluate("slides.findIndex((slide) => slide.querySelector('.explorable')) + 1")
    page.evaluate(f"show({number - 1})")
    page.locator(".explorable input[type=range]").first.focus()
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("at") == number - 1
    assert "4 of 5" in page.locator(".explorable").inner_text()
    sample = page.locator(".explorable .handle").first
    was = sample.get_attribute("aria-valuetext")
    sample.focus()
    for key in ("ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    page.wait_for_timeout(100)
    assert sample.get_attribute("aria-valuetext") != was and page.evaluate("at") == number - 1
    page.close()


def test_paper_has_one_slide_a_page(decks, browser):
    """Chromium prints as many pages as there are slides, without the notes."""
    page = opened(browser, decks / "03_perceptron.html")
    pdf = page.pdf(prefer_css_page_size=True)
    count = page.locator(".slide").count()
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == count
    page.close()


def test_letters_of_moving_figures_are_large(decks, browser):
    """On 1280 × 720 they are larger than on the page, and panels stand side by side or in two columns."""
    for lesson in CORE:
        if "data-explore=" not in (decks / f"{lesson.stem}.html").read_text("utf8"):
            continue
        page = opened(browser, decks / f"{lesson.stem}.html")
        page.wait_for_load_state("load")
        tops = "(e) => [...e.querySelectorAll('.panel')].map((p) => p.getBoundingClientRect().top)"
        for figure in page.locator(".explorable").all():
            fit = figure.evaluate(
                "(e) => Number(e.closest('.slide').style.getPropertyValue('--fit'))"
            )
            assert fit > 1.15, lesson.stem
            first, *others = figure.evaluate(tops)
            assert not others or abs(first - others[0]) < 1, lesson.stem
        page.close()


def test_a_deck_follows_the_colours_of_the_system(decks, browser):
    """Dark on a dark screen, with the figures' dark twins; on paper light, with drawings of all figures."""
    page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme="dark")
    page.goto((decks / "03_perceptron.html").as_uri())
    page.wait_for_load_state("load")
    look = """() => [
      getComputedStyle(document.body).backgroundColor,
      [...document.querySelectorAll("img.only-dark")].filter((e) => e.checkVisibility()).length,
      [...document.querySelectorAll("img.only-light")].filter((e) => e.checkVisibility()).length,
    ]"""
    still = page.locator("figure:not(.explored)").count()
    drawn = page.locator("figure").count()
    assert page.evaluate(look) == ["rgb(13, 17, 23)", still, 0]
    page.emulate_media(media="print")
    assert page.evaluate(look) == ["rgb(255, 255, 255)", 0, drawn]
    page.emulate_media(media="screen", color_scheme="light")
    assert page.evaluate(look) == ["rgb(255, 255, 255)", 0, still]
    page.close()
