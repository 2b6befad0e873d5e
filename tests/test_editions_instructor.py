"""The instructor's pack: keys of examinations are proved; syllabus and outcomes are those of the lessons."""

import re
import tomllib

import nbformat
import pytest
from guards import ROOT, opened
from guards.words import retired
from linlearn_lessons import lessons
from test_lessons import LINK

from tools.editions import exam, instructor
from tools.editions.assignments import SEED, WEEKS
from tools.editions.exam_bank import BANK

CORE = [lesson for lesson in lessons(ROOT).values() if lesson.track == "core"]
STEMS = [lesson.stem for lesson in CORE]
VARIANTS = {letter: {item.name: item.variant(letter) for item in BANK} for letter in exam.LETTERS}


@pytest.mark.parametrize("letter", exam.LETTERS)
@pytest.mark.parametrize("name", [item.name for item in BANK])
def test_a_key_is_proved(letter, name):
    """The bounds of a certificate agree, or two computations; the key itself is a right answer."""
    one = VARIANTS[letter][name]
    assert one.proved(), (name, one.proof)
    assert one.judge([float(x) for x in one.question.answer.split(", ")]).right
    assert (
        one.points >= 2 and one.question.ask.endswith((".", "?")) and one.question.why.endswith(".")
    )


def test_the_bank_covers_the_core():
    """Thirty problems at least, one for each core lesson, in the order of the lessons."""
    assert len(BANK) >= 30 and len({item.name for item in BANK}) == len(BANK)
    asked = [STEMS.index(item.lesson) for item in BANK]
    assert asked == sorted(asked) and set(asked) == set(range(len(STEMS)))
    assert [item.lesson for item in exam.one_a_lesson()] == STEMS


@pytest.mark.parametrize("name", [item.name for item in BANK])
def test_variants_have_other_numbers_and_other_keys(name):
    """Nobody gains by looking at the neighbour's sheet."""
    a, b = (VARIANTS[letter][name] for letter in exam.LETTERS)
    assert a.question.ask != b.question.ask and a.question.answer != b.question.answer
    assert a.points == b.points


def test_problems_use_the_fields_terms():
    """Those of the examination and of the assignments, as another textbook would pose them."""
    tasks = [task for make in WEEKS.values() for task in make(SEED).tasks]
    for one in (*VARIANTS["A"].values(), *tasks):
        errors = [wrong.why for wrong in one.question.wrong]
        for text in (one.question.ask, one.question.why, *errors):
            assert not (said := list(retired(text, f"{one.lesson}.toml"))), f"{one.name}: {said[0]}"


def test_a_paper_holds_no_key():
    """It has every problem with its points; the key has every answer."""
    items = exam.one_a_lesson()
    for letter in exam.LETTERS:
        paper, key = exam.paper(items, letter), exam.key(items, letter)
        for number, item in enumerate(items, 1):
            one = VARIANTS[letter][item.name]
            assert f"**{number}.** ({one.points} points) {one.question.ask}" in paper
            assert f"**{exam.answer(one)}.** {one.question.why}" in key
            assert one.question.why not in paper
    total = sum(item.points for item in items)
    assert f"{total} points." in exam.paper(items, "A")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.75, "3/4"),
        (-7.0, "−7"),
        (1 / 3, "1/3"),
        (0.123456, "0.1235"),
        (-0.0654296875, "−0.06543"),
        (0, "0"),
    ],
)
def test_a_key_is_a_fraction_where_that_is_simple(value, said):
    """Else it has four digits."""
    assert exam.shown(value) == said


def test_five_weeks_are_those_of_the_front_page():
    """And ten weeks divide them."""
    cells = opened(ROOT / "index.ipynb").notebook.cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    rows = re.findall(r"^\| \w+, [a-z ]+ hours \| (\[[^|]+) \|", text, re.MULTILINE)
    front = [[stem for _, stem in LINK.findall(row)] for row in rows]
    assert [[one.stem for one in week] for week in instructor.plan(CORE, 5)] == front
    ten = instructor.plan(CORE, 10)
    assert len(ten) == 10 and all(ten) and [one for week in ten for one in week] == CORE
    assert {week[-1].stem for week in ten} >= {week[-1] for week in front}
    said = instructor.syllabus(CORE, 10)
    assert len(re.findall(r"^\| \d+ \|", said, re.MULTILINE)) == 10
    assert all(lesson.can in said and f"{lesson.number} {lesson.name}" in said for lesson in CORE)


def test_sections_of_textbooks_have_their_place():
    """Each entry is a core lesson and a known book; sections are numbers, in the columns of their books."""
    table = tomllib.loads(instructor.TEXTBOOKS.read_text("utf8"))
    books, sections = table["books"], table["sections"]
    assert list(sections) == [stem for stem in STEMS if stem in sections] and len(sections) == len(
        STEMS
    )
    for stem, treated in sections.items():
        assert treated and treated.keys() <= books.keys(), stem
        for numbers in treated.values():
            assert numbers and all(re.fullmatch(r"\d+(\.\d+){1,2}", number) for number in numbers)
    said = instructor.outcomes(CORE)
    row = next(line for line in said.splitlines() if line.startswith("| 3 The perceptron"))
    assert row.endswith("| – | 4.1.7 | 9.1.2 | – |")


def test_the_pack_is_whole(tmp_path):
    """Assignments without solutions and with, papers with keys, everything as Markdown and as HTML."""
    instructor.write(ROOT, tmp_path)
    texts = sorted(path.relative_to(tmp_path).with_suffix("") for path in tmp_path.rglob("*.md"))
    pages = sorted(path.relative_to(tmp_path).with_suffix("") for path in tmp_path.rglob("*.html"))
    assert texts == pages and len(texts) == 4 + 8
    for folder, missing in (("assignments", True), ("solutions", False)):
        made = sorted((tmp_path / folder).iterdir())
        assert [path.name for path in made] == [f"week_{k}.ipynb" for k in range(1, 6)]
        for path in made:
            nbformat.validate(nbformat.read(path, as_version=4))
            assert ("= ..." in path.read_text("utf8")) == missing
    for path in tmp_path.rglob("*.html"):
        said = path.read_text("utf8")
        [style] = re.findall(r'(?:src|href)="([^"]*)', said)
        assert "$" not in said and (path.parent / style).is_file(), path.name
        assert "<math" in said or path.parent == tmp_path
