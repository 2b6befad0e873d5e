"""A deck of slides for each core lesson: its question, figures, statements, mistakes and questions.

A section begins with its question and its first figure; figures that move stay so. Notes for the lecturer
say what students get wrong, in the reasons of the question bank. A deck loads nothing from another host.
"""

import re
import shutil
from html import escape
from pathlib import Path

from bs4 import Tag
from linlearn_lessons import Lesson, lessons
from linlearn_practice import words

from linlearn.practice.bank import Question, bank
from tools.editions import ROOT
from tools.editions.pages import article, exercise_of

HERE = Path(__file__).parent
FONTS = ("stix-two-math.woff2", "serif.woff2", "serif-italic.woff2", "sans.woff2")
LICENCES = ("stix-two-math-OFL.txt", "source-OFL.txt")
STATIC = ("math.css", "explore.css", "explore.js", *FONTS, *LICENCES)
GONE = ".headerlink, .only-dark, .machine, .enlarge, .formal, script, .explore-note, details"
WANTED = "h2, figure, div.proof.admonition, div.mistake, form.practice"
MOST = 1160, 430  # pixels of a figure
KEYS = "Space or → for the next slide, ← back, N notes, P notes in a window, F full screen."
PAGE = """<!doctype html>
<html lang="en" data-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="_static/math.css">
<link rel="stylesheet" href="_static/explore.css">
<link rel="stylesheet" href="slides.css">
{scripts}
</head>
<body>
{slides}
<nav></nav>
</body>
</html>
"""


def write(html: Path, out: Path) -> None:
    """Write a deck for each core lesson, and a page that lists them, into the folder `out`."""
    core = [lesson for lesson in lessons(ROOT).values() if lesson.track == "core"]
    images: set[str] = set()
    for lesson in core:
        page = deck(lesson, article(html, lesson.stem))
        images |= set(re.findall(r'src="_images/([^"]+)"', page))
        (out / f"{lesson.stem}.html").write_text(page, encoding="utf8")
    (out / "index.html").write_text(contents(core), encoding="utf8")
    copy(images, html / "_images", out / "_images")
    copy(STATIC, html / "_static", out / "_static")
    copy(("slides.css", "slides.js"), HERE, out)


def copy(names, source: Path, to: Path) -> None:
    """Copy files of these names."""
    to.mkdir(exist_ok=True)
    for name in sorted(names):
        shutil.copy(source / name, to)


def contents(core: list[Lesson]) -> str:
    """The page that lists the decks."""
    links = (
        f'<li><a href="{one.stem}.html">{escape(f"{one.number} {one.title}")}</a></li>'
        for one in core
    )
    page = f'<main class="contents"><h2>Slides</h2><p>{KEYS}</p><ul>{"".join(links)}</ul></main>'
    return PAGE.format(title="Slides", scripts="", slides=page)


def deck(lesson: Lesson, text: Tag) -> str:
    """The deck of a lesson, from the text of its built page, which is changed."""
    tidy(text)
    scripts = '<script defer src="slides.js"></script>'
    if text.select("[data-explore]"):
        scripts = f'<script defer src="_static/explore.js"></script>\n{scripts}'
    slides = "\n".join([title(lesson, text), *sections(text)])
    return PAGE.format(title=escape(lesson.title), scripts=scripts, slides=slides)


def tidy(text: Tag) -> None:
    """Remove what only a page needs, and questions of exercises; put the data of a moving figure after it."""
    for form in text.select("form.practice"):
        if exercise_of(form):
            form.decompose()
    for place in text.select("[data-explore]"):
        if figure := text.find("figure", id=place.get("data-in")):
            figure.insert_after(place.extract())
    for element in text.select(GONE):
        element.decompose()
    for link in text.select("a"):
        link.unwrap()
    for image in text.select("img"):
        image["src"] = image["src"].removeprefix("../")
        del image["loading"]
        width, height = int(image["width"]), int(image["height"])
        larger = min(MOST[0] / width, MOST[1] / height)
        image["width"], image["height"] = round(larger * width), round(larger * height)


def slide(content: str, *, of: str = "", notes: str = "") -> str:
    """One slide, below the name of its section, with notes for the lecturer."""
    above = f'<p class="of">{of}</p>' if of else ""
    if notes:
        summary = "<summary>Notes for the lecturer</summary>"
        notes = f'<details class="notes">{summary}{notes}</details>'
    inside = f'<div class="content bd-article">{above}{content}</div>{notes}'
    return f'<section class="slide">{inside}</section>'


def inner(element: Tag) -> str:
    """What an element holds, as HTML."""
    return element.decode_contents().strip()


def title(lesson: Lesson, text: Tag) -> str:
    """The question of the lesson, and the paragraph that asks it."""
    heading, opening = text.h1, text.select_one("h1 ~ p:not(.study-time)")
    known = lessons(ROOT)
    before = "; ".join(f"{known[stem].number} {known[stem].name}" for stem in lesson.after)
    notes = [f"Afterwards students can {lesson.can}.", f"Time with the exercises: {lesson.time}."]
    notes += [f"Before it: {before}."] if before else []
    said = "".join(f"<p>{escape(note)}</p>" for note in notes)
    return slide(f"<h1>{inner(heading)}</h1><p>{inner(opening)}</p>", notes=said)


def sections(text: Tag) -> list[str]:
    """The slides of all sections, in the order of the page.

    Of its figures a section shows the first, with its question if nothing is between, and those that move.
    A heading with nothing below it, such as that of the exercises, has no slide.
    """
    found: list[str] = []
    of, below, alone, first = "", "", False, True
    for element in text.select(WANTED):
        if element.name == "h2":
            of, below, first = inner(element), start(element), True
            if below:
                found.append(slide(f"<h2>{of}</h2>{below}"))
        elif element.name == "figure":
            if alone:
                if below:
                    found.pop()
                found.append(slide(f"<h2>{of}</h2>{element}{moved(element)}"))
            elif first or moved(element):
                found.append(slide(f"{element}{moved(element)}", of=of))
            first = False
        elif element.name == "form":
            found.append(asked(bank()[element["data-practice"]], of))
        else:
            found.append(slide(str(element), of=of))
        alone = element.name == "h2"
    return found


def start(heading: Tag) -> str:
    """What stands below the question of a section that has no figure there: sentences, or a paragraph.

    A paragraph that ends in a colon comes with what it announces: a formula, a list, or a cell's output.
    """
    section = heading.parent
    keep = "sentences to keep" in heading.get_text()
    first = section.find("ol" if keep else "p", recursive=False)
    if first is None:
        return ""
    if keep or not first.get_text().rstrip().endswith(":"):
        return str(first)
    after = first.find_next_siblings(["div", "ul", "ol", "p"])
    shown = (e.select_one(".cell_output") if "cell" in e.get("class", []) else e for e in after)
    return f"{first}{next(filter(None, shown), '')}"


def moved(figure: Tag) -> str:
    """The data of the figure that moves in its place, if there is one."""
    after = figure.find_next_sibling()
    return str(after) if after is not None and after.has_attr("data-explore") else ""


def asked(question: Question, of: str) -> str:
    """A question; its answer and the reason appear at the next key."""
    if question.choices:
        right = next(choice for choice in question.choices if choice.right)
        listed = (
            f"<li{' class=right' if choice.right else ''}>{words(choice.says)}</li>"
            for choice in question.choices
        )
        said, why = f'<ol class="choices">{"".join(listed)}</ol>', right.why
        errors = [(choice.says, choice.why) for choice in question.choices if not choice.right]
    else:
        said, why = "", f"**{question.answer}.** {question.why}"
        errors = [(wrong.answer, wrong.why) for wrong in question.wrong]
    reasons = "".join(
        f"<li><em>{words(says)}</em>: {words(reason)}</li>" for says, reason in errors
    )
    call = '<p class="admonition-title"><span class="call">Question</span></p>'
    content = f'{call}<p>{words(question.ask)}</p>{said}<p class="reason">{words(why)}</p>'
    return slide(content, of=of, notes=f"<p>What students get wrong:</p><ul>{reasons}</ul>")
