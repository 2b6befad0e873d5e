"""The instructor's pack: syllabus, outcomes beside textbooks, assignments with solutions, examinations."""

import tomllib
from pathlib import Path

import nbformat
import yaml
from linlearn_lessons import Lesson, hours

from tools.editions import ROOT, exam
from tools.editions.assignments import SEED, WEEKS, notebook
from tools.editions.exam_bank import BANK
from tools.editions.sheet import put, put_style
from tools.editions.syllabus import SHORTER, URLS, core, halves, minutes, plan, shorter, syllabus

TEXTBOOKS = ROOT / "book" / "_data" / "textbooks.toml"
README = """# Teach linear classification: the instructor's pack

This pack has what a course on the core needs besides the book: a plan, five assignments that a program
marks, and an examination. The core is a first course of {core} lessons; the missing numbers are
optional lessons, on theory and further depth. Each text is Markdown and HTML.

| file | what it is for |
|---|---|
| `syllabus_5`, `syllabus_10` | five weeks or ten: meetings with minutes, reading, assignments, rules |
| `outcomes` | for each lesson the sections of four textbooks that cover the same material |
| `assignments/week_1.ipynb`, … | the assignments, to hand out |
| `solutions/week_1.ipynb`, … | their solutions |
| `exam/paper_A`, `exam/paper_B` | {minutes} minutes: one problem for each lesson, {points} points |
| `exam/bank_A`, `exam/bank_B` | all {problems} problems by week, for papers of your own |
| `exam/…_key` | the keys: the points of each step, and what common wrong turns still earn |

## Get the course

    git clone {address}

{published}
You need Git, `make` and Python 3.11 or later. In the copy, `make editions` sets up an environment, builds the
book, and writes into `_build/editions`. The first time this takes about ten minutes and needs a network;
`make editions EDITIONS=slides` writes only one edition:

| edition | what it has |
|---|---|
| `slides` | a deck for each core lesson |
| `pdf` | the core, and all lessons, on paper; needs Chromium |
| `offline` | the book as an archive for students, who unpack it and open `index.html` |
| `notebooks` | the lessons as notebooks; those in `student` have no solutions |
| `moodle` | the questions of the lessons, as `moodle.xml` |
| `instructor` | this pack |

## What to do in week 1

In the ten-week plan these steps are spread over two weeks.

1. **Two weeks before**, draw data of your own (see *Change the data of the assignments*): those in this pack
   are published with their solutions. Edit the rules in `syllabus_5`, and send it to the students. It says
   what they should know and install. {install}
2. **Before the lecture** students read {before_lecture},
   in about {first_hours}. The slides are {decks}.
   Press P for a second window with your notes; N shows them on the slide itself. Each note gives its minutes.
   They add up to less than the syllabus does, which includes discussion and the slides in reserve. Of
   lessons that are read later, show the question and the first figures only.
3. **Before the exercise class** students read {before_class}.
   The syllabus names exercises for the class; the pages of the book fold the solutions away. At the end
   hand out `assignments/week_1.ipynb`.
4. **A week later** collect the notebooks, mark them, and return the reports. Discuss
   `solutions/week_1.ipynb` in the exercise class.

## Mark assignments

You need Linux with a kernel 6.2 or later; on macOS and Windows, use a virtual machine. In your copy of the
course, run `make venv-editions` once, and then

    .venv/bin/python -m tools.editions.grader 1 submissions/week_1 --out reports/week_1

Ask students to name the file after themselves (`smith_anna.ipynb`). For each notebook in the folder and its
subfolders, this writes a report, and a row of `reports/week_1/marks.csv`: the name, the points of each task,
their total, and a digest that tells which version was marked. It names the other files, which it skips.
Thirty notebooks take one to three minutes. If you interrupt it, the same command goes on where it stopped;
`--again` re-marks resubmitted notebooks. Students' code has no network access, and can neither read your data
nor write any file; still, run the grader as a user who owns nothing but a copy of the course and the
submissions (`sudo adduser grader`).

## If time is short

{shorter}
Delete their tasks from the notebooks, and mark without them: `--without {task}`.

| lesson | time | tasks | problems of the bank |
|---|---|---|---|
{left_out}

## Set an examination

This writes a paper of four problems of the bank, and its key, in both variants:

    .venv/bin/python -m tools.editions.exam 1 4 8 13 --out my_paper

The numbers are those of `exam/bank_A`; a paper that is already in the folder is replaced. Students can find
the problems in the published course, so change their data: in `tools/editions/exam_bank.py` each problem is a
function, and the lines above it, `a=dict(…)` and `b=dict(…)`, hold the numbers of variants A and B. Edit
these and run the command again: the key and the results of wrong turns are computed anew. Then check all
keys:

    .venv/bin/python -m pytest -q tests/test_editions_instructor.py

## Change the data of the assignments

They were drawn with the random seed {seed}, which is published: any student can generate the solutions. So
before you hand anything out, change `SEED` in `tools/editions/assignments.py`, keep it to yourself, and run
`make editions EDITIONS=instructor`. If it changes later, mark with the old one, by `--seed`.
All students get the same data, so equal answers prove nothing; ask how they were found.
"""


def readme() -> str:
    """What is in the pack, and what to do with it in the first week."""
    taught, paper = plan(core(), 5)[0], exam.one_a_lesson()
    parts = halves(taught)
    first, second = (
        f"lessons {listed([f'{one.number} (*{one.name}*)' for one in part])}" for part in parts
    )
    return README.format(
        core=len(core()),
        minutes=exam.minutes(paper),
        points=exam.total(paper),
        problems=len(BANK),
        address=URLS["Homepage"],
        published=published(),
        before_lecture=first,
        first_hours=hours(*map(minutes, parts[0])),
        before_class=second,
        decks=listed([f"`{one.stem}.html`" for one in taught]),
        shorter=shorter(core()),
        left_out="\n".join(map(left_out, SHORTER)),
        seed=SEED,
        install=installed(),
        task=next(
            task.name
            for make in WEEKS.values()
            for task in make(SEED).tasks
            if task.lesson == SHORTER[0]
        ),
    )


def published() -> str:
    """Where the book is read, if it has an address."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))
    if address := config["sphinx"]["config"]["html_baseurl"]:
        return f"The book is read at {address}."
    return (
        "The course is not published yet, and this address is a placeholder: use the copy from which this "
        "pack was made,\nand give students an archive of it, and of the `offline` book."
    )


def installed() -> str:
    """What the install command of the syllabus is to be replaced by while its address is a placeholder."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))
    if config["sphinx"]["config"]["html_baseurl"]:
        return ""
    return (
        "Replace its command by:\n   unpack the archive, enter its folder, "
        '`python -m pip install jupyterlab ".[book]"`.'
    )


def left_out(stem: str) -> str:
    """A lesson that may be left out, with its tasks and problems, as a row."""
    [lesson] = [one for one in core() if one.stem == stem]
    tasks = [
        task.name for make in WEEKS.values() for task in make(SEED).tasks if task.lesson == stem
    ]
    asked = [str(number) for number, item in enumerate(BANK, 1) if item.lesson == stem]
    cells = (
        f"{lesson.number} {lesson.name}",
        hours(lesson.minutes),
        ", ".join(tasks),
        ", ".join(asked),
    )
    return f"| {' | '.join(cells)} |"


def listed(words: list[str]) -> str:
    """Words with commas, and `and` before the last."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def write(_html: Path, out: Path) -> None:
    """Write the pack into the folder `out`; the built pages are not needed."""
    put(out / "README", readme())
    for weeks in (5, 10):
        put(out / f"syllabus_{weeks}", syllabus(core(), weeks))
    put(out / "outcomes", outcomes(core()))
    for folder, solved in (("assignments", False), ("solutions", True)):
        (out / folder).mkdir()
        for week, make in WEEKS.items():
            nbformat.write(notebook(make(SEED), solved=solved), out / folder / f"week_{week}.ipynb")
    put_style(out)
    (out / "exam").mkdir()
    exam.put_all(out / "exam", "paper", exam.one_a_lesson(), up="../")
    exam.put_all(out / "exam", "bank", BANK, by_week=True, up="../")


def outcomes(core: list[Lesson]) -> str:
    """A table of the core lessons: what students can do, and the sections of each textbook."""
    table = tomllib.loads(TEXTBOOKS.read_text("utf8"))
    books, sections = table["books"], table["sections"]
    lines = ["# Outcomes, and where textbooks treat them", ""]
    lines += [f"- **{name}**: {title}" for name, title in books.items()]
    lines += [
        "",
        f"| lesson | students can | {' | '.join(books)} |",
        "|---|---|" + "---|" * len(books),
    ]
    for lesson in core:
        treated = sections.get(lesson.stem, {})
        cells = " | ".join(", ".join(treated.get(book, ["–"])) for book in books)
        lines += [f"| {lesson.number} {lesson.name} | {lesson.can} | {cells} |"]
    return "\n".join(lines) + "\n"
