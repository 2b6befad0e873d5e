"""The instructor's pack: keys of examinations are proved; syllabus and outcomes are those of the lessons."""

import json
import re
import tomllib

import nbformat
import pytest
from conftest import loud_skip
from guards import ROOT, opened
from guards.words import retired
from linlearn_glossary import entries
from linlearn_lessons import lessons
from test_glossary import BOLD, prose
from test_lessons import LINK

from tools.editions import exam, instructor
from tools.editions.__main__ import EDITIONS
from tools.editions.assignments import SEED, WEEKS
from tools.editions.exam_bank import BANK
from tools.editions.meetings import exercises
from tools.editions.problems import listed, shown_all
from tools.editions.sheet import put
from tools.editions.syllabus import (
    GLUE,
    MEETING,
    SHORTER,
    halves,
    handed_out,
    plan,
    shorter,
    syllabus,
    week_of,
)

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


@pytest.mark.parametrize("item", BANK, ids=lambda item: item.name)
def test_a_key_has_points_for_each_step(item):
    """They sum to the points on the paper; a wrong turn, of which there are two at least, earns fewer."""
    one = exam.key([item], "A")
    asked = int(re.search(r"\((\d) points\)", exam.paper([item], "A"))[1])
    steps = re.findall(r"^- (\d) points?: (.+\.)$", one, re.MULTILINE)
    turns = re.findall(r"^- (.+?\.)(?: Result: .+\.)? \*\*(\d) points?\*\*$", one, re.MULTILINE)
    assert len(steps) >= 2 and sum(int(points) for points, _ in steps) == asked
    assert len(turns) >= 2 and all(int(points) < asked for _, points in turns)
    assert len(steps) + len(turns) == one.count("\n- ")
    assert all(int(points) > 0 for points, _ in steps) and "1 points" not in one


@pytest.mark.parametrize("letter", exam.LETTERS)
@pytest.mark.parametrize("item", BANK, ids=lambda item: item.name)
def test_a_wrong_turn_leads_to_a_wrong_answer(item, letter):
    """And two that lead to the same answer earn the same, since nobody can tell them apart."""
    one = VARIANTS[letter][item.name]
    key = [float(x) for x in one.question.answer.split(", ")]
    earned = {}
    for turn in item.turns:
        if turn.leads_to is None:
            continue
        answer = listed(turn.leads_to(**item.numbers[letter]))
        counts = all(value.is_integer() for value in key)  # then 1336 is not 1337
        assert len(answer) == len(key) and answer != key, turn.said
        assert counts or not one.judge(answer).right, turn.said
        said = exam.worded(item, answer)
        assert earned.setdefault(said, turn.points) == turn.points, turn.said
        assert said in exam.key([item], letter)
    assert earned


def test_problems_use_the_fields_terms():
    """Those of the examination and of the assignments, as another textbook would pose them."""
    tasks = [task for make in WEEKS.values() for task in make(SEED).tasks]
    for one in (*VARIANTS["A"].values(), *tasks):
        errors = [wrong.why for wrong in one.question.wrong]
        for text in (one.question.ask, one.question.why, *errors):
            assert not (said := list(retired(text, f"{one.lesson}.toml"))), f"{one.name}: {said[0]}"
    for item in BANK:
        for text in said_of(item):
            assert not (said := list(retired(text, f"{item.lesson}.toml"))), (
                f"{item.name}: {said[0]}"
            )


def said_of(item):
    """The words of its steps and of its wrong turns."""
    return [*(text for _, text in item.steps), *(turn.said for turn in item.turns)]


def introduced(week):
    """The terms in bold, and the titles, of the lessons up to this week and of what everybody should know."""
    pages = [one.stem for own in plan(CORE, 5)[:week] for one in own]
    texts = [prose(ROOT / f"book/{stem}.ipynb") for stem in ("prerequisites", *pages)]
    text = "\n\n".join(texts).replace("$", "")
    titles = re.findall(r"^(?:#+|[`:]{3,}\{prf:\w+\}) (.+)$", text, re.MULTILINE)
    bold = [" ".join(words.split()) for words in BOLD.findall(text)]
    return {words.casefold() for words in bold}, "\n".join(titles).casefold()


def early(text, week):
    """The terms of the glossary that a text uses, outside formulas, before a lesson introduces them."""
    text = re.sub(r"\$[^$]*\$|`[^`]*`", "$", " ".join(text.split())).casefold()
    bold, titles = INTRODUCED[week]
    for entry in entries():
        names = [n.casefold() for n in entry["names"] if n not in entry.get("ambiguous", ())]
        used = [
            name
            for name in names
            if re.search(rf"(?<![\w-]){re.escape(name)}(?:s|es)?(?![\w-])", text)
        ]
        known = any(f"{n}{end}" in bold for n in names for end in ("", "s", "es"))
        if used and not known and not any(name in titles for name in names):
            yield used[0]


INTRODUCED = {week: introduced(week) for week in range(1, 6)}


@pytest.mark.parametrize("item", BANK, ids=lambda item: item.name)
def test_a_problem_uses_words_that_its_week_has_taught(item):
    """So that a paper for the first weeks can be made of their problems."""
    one, week = item.variant("A").question, week_of(item.lesson)
    said = [one.ask, one.why, *said_of(item)]
    assert not list(early(" ".join(said), week)), f"{item.name} belongs to a later week"


@pytest.mark.parametrize("week", WEEKS)
def test_an_assignment_uses_words_that_its_week_has_taught(week):
    for task in WEEKS[week](SEED).tasks:
        said = [task.question.ask, task.question.why, *(wrong.why for wrong in task.question.wrong)]
        assert not list(early(" ".join(said), week)), f"{task.name} belongs to a later assignment"


def test_what_counts_as_early():
    """Words of later lessons, in the plural, too; not those that begin a longer word."""
    assert list(early("the leave-one-out error", 1)) == ["leave-one-out"]
    assert not list(early("the leave-one-out error", 4))
    assert list(early("two ROC curves", 4)) == ["roc curve"] and not list(early("ROC curves", 5))
    assert not list(early("cross-validation with a test set", 1))


def test_a_paper_holds_no_key():
    """It has every problem with its points; the key has every answer."""
    items = exam.one_a_lesson()
    for letter in exam.LETTERS:
        paper, key = exam.paper(items, letter), exam.key(items, letter)
        for number, item in enumerate(items, 1):
            one = VARIANTS[letter][item.name]
            assert f"**{number}.** ({one.points} points) {one.question.ask}" in paper
            assert f"**{exam.answer(item, letter)}.** {one.question.why}" in key
            assert one.question.why not in paper
            assert "Common wrong turns" not in paper
    assert f"{exam.total(items)} points." in exam.paper(items, "A")


def test_a_paper_says_what_it_takes():
    """The time, in proportion to the points; what is allowed; and where the name belongs."""
    said = exam.paper(BANK[:3], "A")
    assert exam.total(BANK[:3]) == 8 and "20 minutes, 8 points." in said
    assert "Name: ___" in said and "calculator" in said and exam.RULES in said


def test_a_paper_of_ones_own(tmp_path, capsys):
    """Of the problems named, in their order, with both keys; a number that the bank has not is an error."""
    exam.main(["8", "3", "--out", str(tmp_path / "mine")])
    assert "2 problems, 7 points, 20 minutes" in capsys.readouterr().out
    said = (tmp_path / "mine" / "paper_B.md").read_text("utf8")
    asked = [BANK[k].variant("B").question.ask for k in (7, 2)]
    assert f"**1.** (4 points) {asked[0]}" in said and f"**2.** (3 points) {asked[1]}" in said
    assert (tmp_path / "mine" / "paper_A_key.html").is_file()
    assert (tmp_path / "mine" / "_static" / "sheet.css").is_file()
    for wrong, told in ((["0"], "problems 1 to 42; got 0"), (["3", "3"], "3 was named twice")):
        with pytest.raises(SystemExit):
            exam.main([*wrong, "--out", str(tmp_path / "other")])
        assert told in capsys.readouterr().err and not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([0.75], "0.75"),
        ([-7.0, 1.4], "-7, 1.4"),
        ([1 / 3, 0.5], "1/3, 1/2"),
        ([0.123456], "0.1235"),
        ([-0.0654296875, 2], "-0.06543, 2"),
        ([0, -1e-17], "0, 0"),
    ],
)
def test_a_key_has_decimals_or_fractions(values, said):
    """Decimals if all are short; else fractions where these are simple, and four digits where not."""
    assert ", ".join(shown_all(values)) == said


def test_five_weeks_are_those_of_the_front_page():
    """And ten weeks divide them."""
    cells = opened(ROOT / "index.ipynb").notebook.cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    rows = re.findall(r"^\| \w+, [a-z ]+ hours \| (\[[^|]+) \|", text, re.MULTILINE)
    front = [[stem for _, stem in LINK.findall(row)] for row in rows]
    assert [[one.stem for one in week] for week in plan(CORE, 5)] == front
    ten = plan(CORE, 10)
    assert len(ten) == 10 and all(ten) and [one for week in ten for one in week] == CORE
    assert {week[-1].stem for week in ten} >= {week[-1] for week in front}


def rows_of(text):
    """The cells of the rows that begin with a number."""
    rows = re.findall(r"^\| \d.*$", text.replace(GLUE, " "), re.MULTILINE)
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows]


@pytest.mark.parametrize("weeks", [5, 10])
def test_a_syllabus_has_meetings_reading_assignments_and_hours(weeks):
    """Every lesson is read once, before a meeting; an assignment comes when all is taught that it asks."""
    said = syllabus(CORE, weeks)
    rows = rows_of(said.partition("## Meetings")[0])
    assert [row[0] for row in rows] == [str(week) for week in range(1, weeks + 2)]
    read = "; ".join(cell for row in rows for cell in row[1:3])
    names = [f"{lesson.number} {lesson.name}" for lesson in CORE]
    places = [read.index(name) for name in names]
    assert places == sorted(places) and all(f"- {name}: " in said for name in names)
    assert all(lesson.can in said for lesson in CORE)
    out, due = ([row[k] for row in rows] for k in (3, 4))
    assert [number for number in out if number != "–"] == list("12345")
    assert due == ["–", *out[:-1]]
    for week, number in enumerate(out[:-1], 1):
        if number != "–":
            asked = {week_of(task.lesson, weeks) for task in WEEKS[int(number)](SEED).tasks}
            assert max(asked) == week
    half_hours = lambda cell: [  # noqa: E731
        2 * int(whole or 0) + (half == "½") for whole, half in re.findall(r"(\d*)(½?) hours?", cell)
    ]
    in_class, home = (sum(sum(half_hours(row[k])) for row in rows) for k in (5, 6))
    [told] = re.findall(r"together (.*) in class and (.*) at home\.", said)
    assert [half_hours(cell) for cell in told] == [[in_class], [home]]
    lessons_alone = sum(round(lesson.minutes / 30) for lesson in CORE)
    assert (
        in_class == 30 and in_class / 2 + home == lessons_alone + 5 * 3
    )  # a class is of the lessons


@pytest.mark.parametrize("weeks", [5, 10])
def test_meetings_fit_their_time(weeks):
    """The lessons of a week fill the lecture; solutions and exercises fit into the class, one or more."""
    minutes = MEETING[weeks]
    table = syllabus(CORE, weeks).partition("## Meetings")[2].partition("##")[0]
    for (week, talk, solved), taught in zip(rows_of(table), plan(CORE, weeks), strict=True):
        assert sum(map(int, re.findall(r"\((\d+)\)", talk))) == minutes
        assert all(f"{one.number} {one.name} (" in talk for one in taught)
        assert minutes - 20 <= sum(map(int, re.findall(r"\((\d+)\)", solved))) <= minutes
        assert ("solutions" in solved) == (int(week) - 1 in handed_out(weeks)) and "⋆" in solved


def test_exercises_have_the_numbers_of_their_pages():
    """Those of the built pages; and every exercise of the core has its stars."""
    built = ROOT / "_build/numbers.json"
    if not built.exists():
        loud_skip("numbers of exercises (_build/numbers.json is missing)", "Run `make book` first.")
    labels = json.loads(built.read_text("utf8"))["labels"].values()
    for lesson in CORE:
        own = [said for page, _, said in labels if page == lesson.page and said[:9] == "Exercise "]
        numbers = [f"Exercise {one.number}" for one in exercises(lesson)]
        assert numbers == sorted(own, key=lambda said: int(said.rpartition(".")[2])) and numbers


def test_what_to_leave_out_is_what_the_front_page_says():
    """In the same order, with the tasks and problems that go with each lesson."""
    cells = opened(ROOT / "index.ipynb").notebook.cells
    text = " ".join(" ".join(cell.source.split()) for cell in cells)
    numbers = [next(one.number for one in CORE if one.stem == stem) for stem in SHORTER]
    told = f"leave out lessons {', '.join(numbers[:-1])} and {numbers[-1]}, in this order"
    assert told in text and told in shorter(CORE) and told in instructor.readme()
    assert "| 7 Surrogate losses | 1½ hours | 4a | 26, 27 |" in instructor.readme()


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
    said = (tmp_path / "README.md").read_text("utf8")
    named = re.findall(r"`((?:syllabus|outcomes|assignments/|solutions/|exam/)[\w./]*)`", said)
    assert len(named) >= 10
    for name in named:
        assert (tmp_path / name).exists() or (tmp_path / f"{name}.md").exists(), name
    first, second = halves(plan(CORE, 5)[0])
    for word, part in (("lecture", first), ("exercise class", second)):
        told = re.search(rf"\*\*Before the {word}\*\* students read ([^.]*)\.", said)[1]
        assert re.findall(r"\*(.+?)\*", told) == [one.name for one in part]
    assert [f"{stem}.html" for stem in STEMS[:4]] == re.findall(r"`(\d\w+\.html)`", said)
    assert len(said.split()) <= 1000 and set(re.findall(r"^\| `(\w+)` \|", said, re.MULTILINE)) == {
        *EDITIONS,
        "outcomes",
    }
    for folder, missing in (("assignments", True), ("solutions", False)):
        made = sorted((tmp_path / folder).iterdir())
        assert [path.name for path in made] == [f"week_{k}.ipynb" for k in range(1, 6)]
        for path in made:
            nbformat.validate(nbformat.read(path, as_version=4))
            assert ("= ..." in path.read_text("utf8")) == missing
    for path in tmp_path.rglob("*.html"):
        said = path.read_text("utf8")
        styles = re.findall(r'(?:src|href)="([^"]*)', said)
        assert "$" not in said and all((path.parent / style).is_file() for style in styles), (
            path.name
        )
        assert "<math" in said or path.parent == tmp_path


def test_a_formula_and_its_full_stop_stay_on_one_line(tmp_path):
    put(tmp_path / "text", "# Title\n\nThe standard error is $0.25$. Give the odds ratio.")
    said = (tmp_path / "text.html").read_text("utf8")
    assert re.search(r'<span class="together"><span class="math .*</math></span>\.</span>', said)
