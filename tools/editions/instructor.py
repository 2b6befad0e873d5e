"""The instructor's pack: syllabus, outcomes beside textbooks, assignments with solutions, examinations."""

import shutil
import tomllib
from html import escape
from pathlib import Path

import nbformat
from linlearn_lessons import Lesson, lessons
from linlearn_math import inline
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from tools.editions import ROOT, exam
from tools.editions.assignments import SEED, WEEKS, notebook
from tools.editions.exam_bank import BANK
from tools.editions.syllabus import syllabus

TEXTBOOKS = ROOT / "book" / "_data" / "textbooks.toml"
MARKDOWN = (
    MarkdownIt("commonmark", {"html": False})
    .enable("table")
    .use(dollarmath_plugin, renderer=lambda tex, _options: inline(tex))
)
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="{up}_static/math.css">
<style>
body {{ font: 17px/1.5 serif; margin: 2em auto; max-width: 46em; padding: 0 1em; }}
table {{ border-collapse: collapse; }}
td, th {{ border: 1px solid #999; padding: 0.3em 0.6em; text-align: left; vertical-align: top; }}
p {{ break-inside: avoid; }}
</style>
</head>
<body>
{body}
</body>
</html>
"""
README = """# For instructors

- `syllabus_5.md`, `syllabus_10.md`: the core in five weeks or in ten, with hours and outcomes
- `outcomes.md`: for each core lesson the sections of four textbooks that treat the same matter
- `assignments/`: a notebook to hand out for each of the five weeks; `solutions/` are for you alone
- `exam/`: a paper with one problem for each lesson, and all problems, each in two variants and with its key

## Install the package

Students need the package `linlearn`, and you need the packages of the book as well. The
package is not on PyPI. Students install it from a copy of the repository of the course:

    python -m pip install .

In a clone of the repository, `make venv-editions` installs all that you need into `.venv`.

## Mark assignments

The grader needs Linux 6.2 or later. In the clone, run the following command for the notebooks of week 1:

    .venv/bin/python -m tools.editions.grader 1 submissions/*.ipynb --out reports/week_1

It writes a report for each student and the table `marks.csv` into the folder after `--out`, which must not
hold marks already. Notebooks may have the same file name if they are in different folders
(`submissions/*/*.ipynb`). `--help` lists limits of time and memory.

## Change the numbers

The numbers in these assignments were drawn with the random seed {seed}. To draw others, change `SEED` in
`tools/editions/assignments.py` and run `make editions` again.

Each file is here as Markdown and as HTML. The course is published with its sources, so students can find the
problems of the examination. Use numbers of your own in `tools/editions/exam_bank.py`: the keys are computed
from them, and the tests check their proofs.
"""


def write(_html: Path, out: Path) -> None:
    """Write the pack into the folder `out`; the built pages are not needed."""
    core = [lesson for lesson in lessons(ROOT).values() if lesson.track == "core"]
    put(out / "README", README.format(seed=SEED))
    for weeks in (5, 10):
        put(out / f"syllabus_{weeks}", syllabus(core, weeks))
    put(out / "outcomes", outcomes(core))
    for folder, solved in (("assignments", False), ("solutions", True)):
        (out / folder).mkdir()
        for week, make in WEEKS.items():
            nbformat.write(notebook(make(SEED), solved=solved), out / folder / f"week_{week}.ipynb")
    (out / "exam").mkdir()
    (out / "_static").mkdir()
    for name in ("math.css", "stix-two-math.woff2", "stix-two-math-OFL.txt"):
        shutil.copy(ROOT / "book" / "assets" / name, out / "_static")
    for name, items in (("paper", exam.one_a_lesson()), ("bank", BANK)):
        for letter in exam.LETTERS:
            by_week = items is BANK
            for end, make in (("", exam.paper), ("_key", exam.key)):
                text = make(items, letter, by_week=by_week)
                put(out / "exam" / f"{name}_{letter}{end}", text, up="../")


def put(path: Path, text: str, *, up: str = "") -> None:
    """Write a text as Markdown and as HTML; `up` leads from there to the top of the pack."""
    title = text.partition("\n")[0].lstrip("# ")
    page = PAGE.format(title=escape(title), up=up, body=MARKDOWN.render(text))
    path.with_suffix(".md").write_text(text, encoding="utf8")
    path.with_suffix(".html").write_text(page, encoding="utf8")


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
