"""The map of the lessons: one table, in the order of the contents, each lesson after those it needs."""

import re
from html import unescape

import pytest
import yaml
from conftest import loud_skip
from guards import ROOT
from linlearn_lessons import Lesson, lessons

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
        before[stem] = understood | set(lesson.after)


def test_what_one_can_do_ends_a_sentence():
    """`can` completes "You will be able to …", and fits a phone's screen."""
    for stem, lesson in LESSONS.items():
        assert re.fullmatch(r"[a-z][^.]{30,130}", lesson.can), stem


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
    return " ".join(words.split())


def test_the_front_page_shows_the_map(front):
    """Every lesson with its title, what it enables, its time, and links to what comes before."""
    places = re.findall(r'<li class="lesson"(.*?)</li>', front, re.DOTALL)
    assert len(places) == len(LESSONS)
    for place, lesson in zip(places, LESSONS.values(), strict=True):
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
    assert plain(said).startswith(f"{LESSONS[stem].time.capitalize()} with the exercises")
    assert plain(said).count(" · ") == bool(LESSONS[stem].after) + bool(LESSONS[stem].knows)
