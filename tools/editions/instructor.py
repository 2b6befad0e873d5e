"""The instructor's pack: syllabus, outcomes beside textbooks, assignments with solutions, examinations."""

import tomllib
from collections import defaultdict
from pathlib import Path

import nbformat
from linlearn_lessons import Lesson

from tools.editions import ROOT, exam
from tools.editions.assignments import SEED, WEEKS, notebook
from tools.editions.exam_bank import BANK
from tools.editions.problems import DIGITS
from tools.editions.sheet import put, put_style
from tools.editions.syllabus import core, halves, plan, syllabus

TEXTBOOKS = ROOT / "book" / "_data" / "textbooks.toml"
README = """# Teach linear classification: the instructor's pack

This pack has what a course on the core needs beside the book: a plan, five assignments that are marked by a
program, and an examination. Each text is here as Markdown and as HTML.

| file | what it is for |
|---|---|
| `syllabus_5`, `syllabus_10` | five weeks or ten: meetings, reading, assignments, hours, outcomes |
| `outcomes` | for each lesson the sections of four textbooks that treat the same matter |
| `assignments/week_1.ipynb`, … | the assignments, to hand out |
| `solutions/week_1.ipynb`, … | their solutions, for you alone |
| `exam/paper_A`, `exam/paper_B` | a paper of two hours: one problem for each lesson, {points} points |
| `exam/bank_A`, `exam/bank_B` | all {problems} problems by week, for papers of your own |
| `exam/…_key` | the keys: the points of each step, and what common wrong turns still earn |

## What to do in week 1

This is week 1 of five. In a course of ten weeks it takes two.

1. **Before the course** send students `syllabus_5`, the page *What you need* of the book, and the
   command that installs the package from a copy of the repository: `python -m pip install .`
2. **Before the lecture** students read {before_lecture}. In your copy of the repository,
   `make editions EDITIONS=slides` writes the slides: {decks}.
   Press N for the notes, which say what students get wrong.
3. **Before the exercise class** students read {before_class}. In class
   they solve exercises of the week's lessons. The pages of the book fold the solutions away; the
   notebooks for students, from `make editions EDITIONS=notebooks`, leave them out. At the end hand out
   `assignments/week_1.ipynb`.
4. **A week later** collect the notebooks in a folder, mark them as described below, and return the reports.
   Discuss `solutions/week_1.ipynb` in the exercise class.

## Mark assignments

In a copy of the repository on Linux 6.2 or later, run `make venv-editions` once, and then

    .venv/bin/python -m tools.editions.grader 1 submissions/week_1 --out reports/week_1

For each notebook in the folder this writes a report with a reason for every wrong answer, and a row of
`reports/week_1/marks.csv`. Thirty notebooks take about a minute. If you interrupt it, the same command goes
on where it stopped. An answer is right if it is correctly rounded to {digits}. Students' code
has no network, and can neither read your data nor write any file; still, run the grader as a user who owns
nothing else.

| assignment | about | lessons, with their tasks |
|--:|---|---|
{assignments}

If you leave out a lesson, delete its tasks from the notebook, and count its points for nobody.

## Change the numbers

The data of the assignments were drawn with the random seed {seed}. To draw others, change `SEED` in
`tools/editions/assignments.py` and run `make editions EDITIONS=instructor` again. The course is published
with its sources, so students can find the problems of the examination: write numbers of your own into
`tools/editions/exam_bank.py`. The keys are computed from them, and the tests check their proofs.
"""


def readme() -> str:
    """What is in the pack, and what to do with it in the first week."""
    taught = plan(core(), 5)[0]
    first, second = (
        f"lessons {listed([f'{one.number} (*{one.name}*)' for one in part])}"
        for part in halves(taught)
    )
    rows = []
    for number, make in WEEKS.items():
        one, asked = make(SEED), defaultdict(list)
        for task in one.tasks:
            asked[task.lesson_name].append(task.name)
        lessons = "; ".join(f"*{name}*: {', '.join(tasks)}" for name, tasks in asked.items())
        rows.append(f"| {number} | {one.about} | {lessons} |")
    return README.format(
        seed=SEED,
        points=sum(item.points for item in exam.one_a_lesson()),
        problems=len(BANK),
        before_lecture=first,
        before_class=second,
        decks=listed([f"`{one.stem}.html`" for one in taught]),
        digits=DIGITS,
        assignments="\n".join(rows),
    )


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
