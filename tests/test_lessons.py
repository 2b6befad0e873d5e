"""The map of the lessons: one table, in the order of the contents, each lesson after those it needs."""

import re
from html import unescape

import pytest
import yaml
from conftest import loud_skip
from guards import ROOT, opened
from linlearn_lessons import DEPTH, Lesson, below, lessons

HTML = ROOT / "_build" / "html"
LESSONS = lessons(ROOT)


def test_the_map_has_every_chapter():
    """The table lists the chapters of the contents, in their order."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf8"))
    listed = [page["file"] for page in toc["parts"][0]["chapters"]]
    assert [lesson.page for lesson in LESSONS.values()] == listed


def test_a_lesson_comes_after_what_it_needs():
    """Nobody is sent to a later lesson, and no need is said twice: theirs are understood."""
    before: dict[str, set[str]] = {}
    for stem, lesson in LESSONS.items():
        assert set(lesson.after) <= before.keys(), f"{stem} needs a lesson that is not before it"
        understood = set().union(*(before[need] for need in lesson.after))
        assert not understood & set(lesson.after), f"{stem}: {understood & set(lesson.after)}"
        assert len(lesson.after) > 0 or not before, f"{stem} needs nothing"
        assert not any(LESSONS[need].depth for need in lesson.after), (
            f"{stem} needs a page in depth"
        )
        before[stem] = understood | set(lesson.after)


def test_what_one_can_do_ends_a_sentence():
    """`can` completes "You will be able to …", and fits a phone's screen."""
    for stem, lesson in LESSONS.items():
        assert re.fullmatch(r"[a-z][^.]{30,130}", lesson.can), stem


def test_a_page_in_depth_closes_its_chapter():
    """It stands below the last of its chapter's lessons, and has its letter for itself."""
    order = list(LESSONS.values())
    for lesson in order:
        assert lesson.letter != DEPTH
        if lesson.depth:
            assert re.fullmatch(r"\d\d_depth", lesson.stem) and lesson.number.endswith(DEPTH)
            above = order[order.index(lesson) - 1]
            assert above.chapter == lesson.chapter and below(above, LESSONS) == lesson
            assert [one for one in order if below(one, LESSONS) == lesson] == [above]


def headings(stem: str) -> dict[str, str]:
    """The sections of a page by their titles, as they are written."""
    cells = opened(ROOT / f"book/{stem}.ipynb").notebook.cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return dict(part.split("\n", 1) for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:])


@pytest.mark.parametrize("stem", [stem for stem, lesson in LESSONS.items() if lesson.depth])
def test_a_chapter_with_depth_closes_twice(stem):
    """Its lessons with sentences to keep, as many as they say; its depth with what is certified by whom."""
    claims = headings(stem)["What we can now certify"]
    assert "| claim | witness | checked by |" in claims and "**Where this stops.**" in claims
    for lesson in LESSONS.values():
        if lesson.chapter == LESSONS[stem].chapter and not lesson.depth:
            title, said = list(headings(lesson.stem).items())[-1]
            assert title.endswith(" sentences to keep")
            count = len(re.findall(r"^\d\. ", said, re.MULTILINE))
            assert count == ["Three", "Four", "Five"].index(title.split()[0]) + 3


@pytest.mark.parametrize(
    ("minutes", "said"),
    [
        (70, "1 hour"),
        (90, "1½ hours"),
        (135, "2 hours"),
        (164, "2½ hours"),
        (166, "3 hours"),
        (300, "5 hours"),
    ],
)
def test_times_are_said_in_half_hours(minutes, said):
    """Nobody knows them better."""
    assert Lesson(stem="00_x", can="", minutes=minutes).time == f"about {said}"


@pytest.fixture(scope="module")
def front():
    if not (HTML / "index.html").exists():
        loud_skip("the front page (_build/html is missing)", "Run `make book` first.")
    return (HTML / "index.html").read_text("utf8")


def plain(html: str) -> str:
    words = unescape(re.sub(r"<[^>]+>", " ", html)).replace("’", "'")
    return re.sub(r" (?=[.,;:])", "", " ".join(words.split()))


def test_the_front_page_shows_the_map(front):
    """Every lesson with its title, what it enables, its time, and links to what comes before."""
    places = re.findall(r'<li class="lesson"(.*?)</li>', front, re.DOTALL)
    shown = [lesson for lesson in LESSONS.values() if not lesson.depth]
    assert len(places) == len(shown)
    for place, lesson in zip(places, shown, strict=True):
        if deep := below(lesson, LESSONS):
            assert f'href="{deep.page}.html"' in place and deep.can in plain(place)
            assert f"In depth, {deep.number} " in plain(place) and deep.time in plain(place)
        assert f'href="{lesson.page}.html"' in place and f'data-page="{lesson.page}"' in place
        assert lesson.can in plain(place) and lesson.time.capitalize() in plain(place)
        for need in lesson.after:
            assert f'href="book/{need}.html"' in place
        assert f'data-questions="{" ".join(lesson.questions)}"' in place


@pytest.mark.parametrize("stem", LESSONS)
def test_each_lesson_says_its_time(stem, front):
    """Below its first paragraph, once."""
    page = (HTML / f"book/{stem}.html").read_text("utf8")
    [said] = re.findall(r'<p class="study-time">(.*?)</p>', page, re.DOTALL)
    lesson = LESSONS[stem]
    begin = f"In depth · {lesson.time}" if lesson.depth else lesson.time.capitalize()
    assert plain(said).startswith(f"{begin} with the exercises")
    assert plain(said).count(" · ") == bool(lesson.after) + bool(lesson.knows) + lesson.depth


def test_a_page_in_depth_is_set_in(front):
    """In the contents beside every page it is marked, on its own page, too; and no other page is."""
    deep = {lesson.number for lesson in LESSONS.values() if lesson.depth}
    for page in (front, *((HTML / f"{LESSONS[s].page}.html").read_text("utf8") for s in LESSONS)):
        listed = re.findall(r'<li class="toctree-l1([^"]*)">\s*<a [^>]*>\s*(\w+)\. ', page)
        assert {number for marks, number in listed if "in-depth" in marks} == deep
