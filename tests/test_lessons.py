"""The lessons: one table in the order of the contents, each after those that it needs, under one name."""

import re
from collections.abc import Iterable
from html import unescape

import pytest
from conftest import loud_skip
from guards import ROOT, opened
from linlearn_lessons import DEPTH, TRACKS, Lesson, chapters, hours, lessons

HTML = ROOT / "_build" / "html"
BOOK = ROOT / "book"
LESSONS, CHAPTERS = lessons(ROOT), chapters(ROOT)


def test_the_contents_list_every_lesson():
    """The table lists the lessons of the contents, in their order, and a chapter's files have its number."""
    listed = [stem for stems in CHAPTERS.values() for stem in stems]
    assert list(LESSONS) == listed
    for k, (name, stems) in enumerate(CHAPTERS.items()):
        assert {int(stem[:2]) for stem in stems} == {k}, name


def test_a_title_begins_with_its_name():
    """The field's name for what the lesson is about, then a question; no two lessons have the same name."""
    for lesson in LESSONS.values():
        assert re.fullmatch(r"[^:?]{4,45}: [^:]{6,60}", lesson.title), lesson.title
        assert lesson.title.endswith("?")
    assert len({lesson.name for lesson in LESSONS.values()}) == len(LESSONS)


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


def test_the_core_stands_alone():
    """A core lesson needs core lessons that cannot be left out, and only a core lesson can be."""
    for lesson in LESSONS.values():
        needs = [LESSONS[need] for need in lesson.after]
        if lesson.track == "core":
            assert {need.track for need in needs} <= {"core"}, lesson.stem
            assert not any(need.optional for need in needs), (
                f"{lesson.stem} needs an optional lesson"
            )
        else:
            assert not lesson.optional, f"{lesson.stem}: every lesson outside the core is optional"
    [optional] = [lesson.number for lesson in LESSONS.values() if lesson.optional]
    assert f"the optional core lesson {optional}." in TRACKS["core"][1]


def shown(those: Iterable[Lesson]) -> float:
    """The hours of these lessons, as a reader adds them up."""
    return sum(int(re.search(r"\d+", one.time)[0]) + ("½" in one.time) / 2 for one in those)


def labels(stem: str) -> set[str]:
    """The labels of the statements on a page."""
    directives = (
        box for _, reading in opened(BOOK / f"{stem}.ipynb").readings for box in reading.directives
    )
    return {box.options.get("label", "") for box in directives if box.name.startswith("prf:")} - {
        ""
    }


def cited(stem: str) -> set[str]:
    """The labels of the statements that a page cites."""
    cells = opened(BOOK / f"{stem}.ipynb").notebook.cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return {label for _, label in re.findall(r"\{prf:ref\}`([^`<]*<)?([\w-]+)>?`", text)}


def understood(stem: str) -> set[str]:
    """The lessons that come before this one, because it needs them or they are needed by one of those."""
    return {stem}.union(*(understood(need) for need in LESSONS[stem].after))


def foreign(stem: str, homes: dict[str, str]) -> set[str]:
    """The earlier lessons whose statements a lesson cites though nobody was sent there before.

    A statement on a page in depth is cited for its proof, and so is one of the theory in a core lesson.
    """
    order = list(LESSONS)
    tracks = {"core"} if LESSONS[stem].track == "core" else {"core", "theory"}
    homes_cited = {homes[label] for label in cited(stem) if label in homes}
    return {
        home
        for home in homes_cited - understood(stem)
        if order.index(home) < order.index(stem) and LESSONS[home].track in tracks
    }


@pytest.mark.parametrize("stem", [stem for stem, lesson in LESSONS.items() if not lesson.depth])
def test_a_lesson_names_what_it_cites(stem):
    """Whoever has read what comes before a lesson has met the statements that it builds on."""
    homes = {label: home for home in LESSONS for label in labels(home)}
    assert len(homes) > 150
    assert not foreign(stem, homes), f"`after` of {stem} must lead to {foreign(stem, homes)}"


LINK = re.compile(r"\[([^\[\]]+)\]\((?:book/)?(\d\d_\w+)\.(?:ipynb|html)\)")
ROLE = re.compile(r"\{doc\}`(?!(?:The|Lesson|Chapter|Fisher's) )([^`<]+) <(?:\.\./)?(\d\d_\w+)>`")


def test_links_to_lessons_bear_their_names():
    """A link to a lesson whose words begin with a capital letter gives the name that the lesson has."""
    pages = [*BOOK.glob("*.ipynb"), *BOOK.rglob("*.md"), ROOT / "index.ipynb", ROOT / "README.md"]
    texts = {path.name: path.read_text("utf8") for path in pages}
    wrong = [
        f"{name}: {words!r} should be {LESSONS[stem].name!r}"
        for name, text in texts.items()
        for words, stem in [*LINK.findall(text), *ROLE.findall(text)]
        if words[0].isupper() and words not in (LESSONS[stem].name, "Start the course")
    ]
    assert not wrong, "\n".join(wrong)


CORE = [lesson for lesson in LESSONS.values() if lesson.track == "core"]


def front_text() -> str:
    cells = opened(ROOT / "index.ipynb").notebook.cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def in_words(time: float) -> str:
    """Hours of a week: 7.5 is seven and a half."""
    whole = ("six", "seven", "eight", "nine")[int(time) - 6]
    return whole + " and a half" * (time % 1 == 0.5)


def test_the_plan_for_instructors_is_the_core():
    """Its five weeks list the core in its order, are about equally long, and say how long and what is
    optional."""
    found = re.findall(r"^\| \w+, ([a-z ]+) hours \| (\[[^|]+) \|", front_text(), re.M)
    said, rows = zip(*found, strict=True)
    weeks = [[LESSONS[stem] for _, stem in LINK.findall(row)] for row in rows]
    assert len(weeks) == 5 and [lesson for week in weeks for lesson in week] == CORE
    assert list(said) == [in_words(shown(week)) for week in weeks]
    assert "With it, the third week and the fourth are the longest." in " ".join(
        front_text().split()
    )
    assert min(map(shown, weeks[2:4])) > max(map(shown, weeks[:2] + weeks[4:]))
    for week in weeks:
        assert 6.5 <= shown(one for one in week if not one.optional) <= 8.5
    for row, week in zip(rows, weeks, strict=True):
        marked = re.findall(r"(\d\d_\w+)\.ipynb\) \(if time allows\)", row)
        assert marked == [one.stem for one in week if one.optional]


def test_the_plan_says_what_a_shorter_course_leaves_out():
    """All core lessons that no other core lesson requires, and the hours that they take."""
    [listed] = re.findall(
        r"leave out lessons ([^:]+), in this order: [^.]*the core takes seven hours less\.",
        " ".join(front_text().split()),
    )
    needed = {need for lesson in CORE for need in lesson.after}
    left_out = {lesson.number for lesson in CORE if lesson.stem not in needed}
    assert set(re.findall(r"\d+[a-z]?", listed)) == left_out
    assert shown(one for one in CORE if one.number in left_out) == 7


@pytest.mark.parametrize("stem", LESSONS)
def test_a_lesson_says_what_it_takes_from_elsewhere(stem):
    """Every place on the page "What you need" to which a lesson leads is known from its header, or from that
    of a lesson before it."""
    linked = set(re.findall(r"\bneed-\w+", (BOOK / f"{stem}.ipynb").read_text("utf8")))
    known = {label for one in understood(stem) for label in LESSONS[one].knows.values()}
    assert linked <= known, f"`knows` of {stem} must contain {sorted(linked - known)}"


def test_what_one_can_do_ends_a_sentence():
    """`can` completes "You will be able to …", and fits a phone's screen."""
    for stem, lesson in LESSONS.items():
        assert re.fullmatch(r"[a-z][^.]{30,150}", lesson.can), stem


@pytest.mark.parametrize("stem", LESSONS)
def test_a_lesson_has_the_questions_that_its_page_asks(stem):
    """The front page counts these: who has answered all of a page has done all of its lesson."""
    cells = opened(BOOK / f"{stem}.ipynb").notebook.cells
    asked = [c.source[14:-2] for c in cells if "practice" in c.metadata.get("tags", ())]
    assert list(LESSONS[stem].questions) == asked


def test_a_page_in_depth_closes_its_chapter():
    """It stands last in its chapter, and has its letter for itself."""
    for stems in CHAPTERS.values():
        for lesson in map(LESSONS.get, stems):
            assert lesson.letter != DEPTH
            assert lesson.depth == (lesson.stem == stems[-1])
            assert lesson.depth == bool(re.fullmatch(r"\d\d_depth", lesson.stem))


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
        (30, "½ hour"),
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
    assert hours(minutes) == said


def test_a_total_adds_the_times_that_are_shown():
    """Whoever adds up the times of the lessons on the front page gets the time of the track."""
    assert hours(100, 100, 100) == "4½ hours"  # 5 hours, but each is shown as 1½
    core = [lesson for lesson in LESSONS.values() if lesson.track == "core"]
    assert hours(*(one.minutes for one in core)) == hours(60 * shown(core))


@pytest.fixture(scope="module")
def front():
    if not (HTML / "index.html").exists():
        loud_skip("the front page (_build/html is missing)", "Run `make book` first.")
    return (HTML / "index.html").read_text("utf8")


def plain(html: str) -> str:
    words = unescape(re.sub(r"<[^>]+>", " ", html)).replace("’", "'")
    return re.sub(r" (?=[.,;:])", "", " ".join(words.split()))


def close(html: str) -> str:
    """Without spaces, for a tooltip may begin or end within a word."""
    return plain(html).replace(" ", "")


def test_the_front_page_shows_the_map(front):
    """Every lesson with its title, what it enables, its time and what comes before; the core unfolded."""
    places = re.findall(r'<li class="(lesson \w+)"(.*?)</li>', front, re.DOTALL)
    branches = "".join(re.findall(r'<details class="branches">.*?</details>', front, re.DOTALL))
    listed = {re.search(r'data-page="book/(\w+)"', place)[1]: (own, place) for own, place in places}
    assert len(places) == len(listed) and set(listed) == set(LESSONS)
    for stem, lesson in LESSONS.items():
        classes, place = listed[stem]
        assert classes == f"lesson {lesson.track}"
        assert f'href="{lesson.page}.html"' in place and f'data-page="{lesson.page}"' in place
        assert plain(lesson.title) in plain(place)
        assert close(f"{lesson.can[0].upper()}{lesson.can[1:]}.") in close(place)
        assert lesson.time in plain(place)
        assert (f"{lesson.kind} · " in plain(place)) == (lesson.kind != "Core")
        assert (f'data-page="{lesson.page}"' in branches) == (lesson.track != "core")
        for need in lesson.after:
            assert f'href="{LESSONS[need].page}.html"' in place
        assert f'data-questions="{" ".join(lesson.questions)}"' in place


def test_the_front_page_says_how_long_the_tracks_take(front):
    """Their hours are the sums of those that the lessons show."""
    for track, (name, said) in TRACKS.items():
        own = [lesson.minutes for lesson in LESSONS.values() if lesson.track == track]
        count = f"{len(own)} {'pages' if track == 'depth' else 'lessons'}, about {hours(*own)}"
        assert f"{name} · {count} {said}" in plain(front)


@pytest.mark.parametrize("stem", LESSONS)
def test_each_lesson_says_its_track_and_time(stem):
    """Below its title, once; and the title is its own, in the tab, too."""
    page = (HTML / f"book/{stem}.html").read_text("utf8")
    lesson = LESSONS[stem]
    [said] = re.findall(r'</h1>\s*<p class="study-time">(.*?)</p>', page, re.DOTALL)
    begin = f"{lesson.kind} · {lesson.time} with the exercises"
    assert plain(said).startswith(begin)
    assert plain(said).count(" · ") == 1 + bool(lesson.after) + bool(lesson.knows)
    for need in lesson.after:
        assert f"{LESSONS[need].number} {LESSONS[need].name}" in plain(said)
    [tab] = re.findall(r"<title>(.*?)</title>", page)
    assert plain(tab) == f"{lesson.number}. {lesson.title} — Linear classification"
    assert begin not in re.search(r'<meta name="description" content="([^"]*)"', page)[1]


def test_the_contents_unfold(front):
    """Beside every page are the twelve chapters, the appendices and the reference, each with its pages; the
    reader's own is open, and core lessons say that they are."""
    pages = {"": front} | {s: (HTML / f"{LESSONS[s].page}.html").read_text("utf8") for s in LESSONS}
    for here, page in pages.items():
        folds = re.findall(
            r'<details class="chapter"( open)?><summary>(.*?)</summary>(.*?)\n</ul>',
            page,
            re.DOTALL,
        )
        numbered = [f"{k} {name}" for k, name in enumerate(CHAPTERS)]
        assert [plain(name) for _, name, _ in folds] == [*numbered, "Appendices", "Reference"]
        for opened_, name, inside in folds:
            stems = CHAPTERS.get(plain(name).partition(" ")[2], [])
            assert bool(opened_) == (here in stems)
            listed = re.findall(r'<li class="toctree-l1([^"]*)"><a [^>]*>(.*?)</a>', inside)
            for stem, (classes, said) in zip(stems, listed, strict=bool(stems)):
                lesson = LESSONS[stem]
                core = " core" * (lesson.track == "core")
                assert plain(said) == f"{lesson.number}. {lesson.title}{core}"
                assert lesson.track in classes.split()


@pytest.mark.parametrize("stem", LESSONS)
def test_numbers_depend_on_the_page_alone(stem):
    """Statements, figures and equations are counted from 1 on each page, after the number of its file:
    whatever is added to the contents, no number of another page moves."""
    page = (HTML / f"book/{stem}.html").read_text("utf8")
    captions = re.findall(r'<span class="caption-number">([A-Z][a-z]+) (\w+)\.(\d+)', page)
    captions += [("Equation", *n) for n in re.findall(r'class="eqno">\((\w+)\.(\d+)\)', page)]
    counters: dict[str, list[int]] = {}
    for kind, chapter, k in captions:
        assert chapter == LESSONS[stem].number, (kind, chapter, k)
        shared = (
            kind if kind in ("Figure", "Table", "Equation", "Exercise", "Solution") else "Theorem"
        )
        counters.setdefault(shared, []).append(int(k))
    assert counters["Theorem"]
    for kind, counted in counters.items():
        if kind != "Solution":
            assert counted == list(range(1, len(counted) + 1)), kind
