"""A deck of slides for each core lesson: its question, figures, statements, mistakes and questions.

A section begins with its question and its first figure; figures that move stay so. Each slide has notes for
the lecturer: its minutes in the plan of the lecture, and what the page says there or, with a question, what
students get wrong, in the reasons of the question bank. A deck loads nothing from another host.
"""

import re
import shutil
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from linlearn_lessons import Lesson, lessons
from linlearn_practice import words

from linlearn.practice.bank import Question, bank
from tools.editions import ROOT, lecture
from tools.editions.pages import article, exercise_of
from tools.editions.syllabus import core

HERE = Path(__file__).parent
FONTS = ("stix-two-math.woff2", "serif.woff2", "serif-italic.woff2", "sans.woff2")
LICENCES = ("stix-two-math-OFL.txt", "source-OFL.txt")
STATIC = ("math.css", "explore.css", "explore.js", *FONTS, *LICENCES)
GONE = ".headerlink, .machine, .enlarge, .formal, script, .explore-note, details"
WANTED = "h2, figure, div.proof.admonition, div.mistake, form.practice"
TABLE = "div.pst-scrollable-table-container"
SAID = f"section > :is(p, ul, ol, div.math, {TABLE}):not(.admonition *, .study-time), .proof-text"
"""The text between slides, and proofs."""
FIGURE = re.compile(r"Figure\s(\d+[a-z]?\.\d+)")
HERE_IS = re.compile(
    r"\s*\((?:<span[^>]*>)?(?:Here is the proof|[^()<]*\bfolded code)[^()<]*(?:</span>)?\.?\)\.?"
)
ELSEWHERE = re.compile(
    r"\b[Tt]he (?:\w+ )?(?:table (?:shows|lists)|cell)\b|\bfollowing (?:\w+ )?samples\b"
)
"""In a sentence of the page that speaks of a table, samples or a cell before or after it."""
ONLY_SAYS_THAT = re.compile(r"There (?:is|are) (?:\w+ ){2,6}\w+\.")
"""A paragraph of one sentence, which announces what the following text explains."""
MOST = 1160, 500  # pixels of a figure
NARROW = 1.35  # a figure whose width is less than this many heights has its caption at its right
MOST_NARROW = 820, 590
ROWS = 7  # of a table
WORDS = 90  # of the page in the notes of a slide
ASK_FIRST = "<p>Ask the class whether the title is true before you show this slide.</p>"
ERRORS = "<p>What students get wrong:</p>"
KEYS = (
    "Space or → for the next slide, ← back, P the notes in a window of their own, N the notes on the slide, "
    "F full screen."
)
PAGE = """<!doctype html>
<html lang="en">
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


@dataclass
class Slide:
    """A slide; if `headed`, it shows the name of its section as a heading, else above the content."""

    content: str
    kind: str
    section: str = ""
    headed: bool = False
    figure: str = ""  # its number
    notes: list[str] = field(default_factory=list)


@dataclass
class Said:
    """Sentences of the page, their section, and the slide that is shown while one says them."""

    slide: int
    section: str
    words: list[Tag]


def write(html: Path, out: Path) -> None:
    """Write a deck for each core lesson, and a page that lists them, into the folder `out`."""
    images: set[str] = set()
    for lesson in core():
        page = deck(lesson, article(html, lesson.stem))
        images |= set(re.findall(r'src="_images/([^"]+)"', page))
        (out / f"{lesson.stem}.html").write_text(page, encoding="utf8")
    (out / "index.html").write_text(contents(core()), encoding="utf8")
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
        f'<li><a href="{one.stem}.html">{escape(f"{one.number} {one.title}")}</a>, '
        f"{lecture.share(one)} minutes</li>"
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
    slides = [title(lesson, text)]
    add_sections(slides, text)
    minutes = lecture.plan([(one.kind, one.section) for one in slides], lecture.share(lesson))
    if spared := [str(k) for k, time in enumerate(minutes, 1) if not time]:
        numbers = f"slide{'s' * (len(spared) > 1)} {', '.join(spared)}"
        slides[0].notes.append(f"<p>In reserve: {numbers} of {len(slides)}.</p>")
    shown = "\n".join(map(written, slides, lecture.words(minutes)))
    return PAGE.format(title=escape(lesson.title), scripts=scripts, slides=shown)


def tidy(text: Tag) -> None:
    """Remove what only a page needs, and questions of exercises; put the data of a moving figure after it."""
    for form in text.select("form.practice"):
        if exercise_of(form):
            form.decompose()
    for place in text.select("[data-explore]"):
        if figure := text.find("figure", id=place.get("data-in")):
            figure.insert_after(place.extract())
    for fold in text.select("details.steps"):
        unfold(fold)
    for element in text.select(GONE):
        element.decompose()
    for link in text.select("a"):
        link.unwrap()
    for image in text.select("img"):
        image["src"] = image["src"].removeprefix("../")
        del image["loading"]
        width, height = int(image["width"]), int(image["height"])
        most, figure = MOST, image.find_parent("figure")
        if figure is not None and width < NARROW * height:
            most, figure["class"] = MOST_NARROW, ["narrow"]
        larger = min(most[0] / width, most[1] / height)
        image["width"], image["height"] = round(larger * width), round(larger * height)


def unfold(proof: Tag) -> None:
    """Open a folded proof for the notes, unless the page gives its idea in short."""
    before = proof.find_previous_sibling()
    if before is None or not before.get_text().startswith("Idea."):
        proof.summary.decompose()
        proof.div.unwrap()
        proof.p.insert(0, BeautifulSoup("<em>Proof.</em> ", "html.parser"))
        proof.name, proof["class"] = "div", ["proof-text"]


def written(one: Slide, minutes: str) -> str:
    """A slide as HTML, with its minutes and its notes."""
    if one.headed:
        above = f"<h2>{one.section}</h2>"
    else:
        above = f'<p class="of">{one.section}</p>' if one.section else ""
    notes = f"<p><strong>{minutes}</strong></p>{''.join(one.notes)}"
    return (
        f'<section class="slide"><div class="content bd-article">{above}{one.content}</div>'
        f'<details class="notes"><summary>Notes for the lecturer</summary>{notes}</details></section>'
    )


def inner(element: Tag) -> str:
    """What an element holds, as HTML."""
    return element.decode_contents().strip()


def title(lesson: Lesson, text: Tag) -> Slide:
    """The question of the lesson, the paragraph that asks it, and its table if it has one."""
    heading, opening = text.h1, text.select_one("h1 ~ p:not(.study-time)").extract()
    known = lessons(ROOT)
    before = "; ".join(f"{known[stem].number} {known[stem].name}" for stem in lesson.after)
    notes = [f"Afterwards students can {lesson.can}.", f"Time with the exercises: {lesson.time}."]
    if before:
        notes += [f"Prerequisite{'s' * (len(lesson.after) > 1)}: {before}."]
    said = [f"<p>{escape(note)}</p>" for note in notes]
    table = text.select_one(f":scope > section > .cell > .cell_output {TABLE}") or ""
    content = f"<h1>{inner(heading)}</h1><p>{inner(opening)}</p>{table}"
    return Slide(content, "title", notes=said)


def add_sections(slides: list[Slide], text: Tag) -> None:
    """Add the slides of all sections, in the order of the page, and give all slides their notes.

    Of its figures a section shows the first, with its question if no slide comes between, and those that
    move. A heading with nothing below it, such as that of the exercises, has no slide.
    """
    elements = text.select(f"{WANTED}, {SAID}")
    wanted = [element for element in elements if element.css.match(WANTED)]
    next_wanted = dict(zip(map(id, wanted), [*wanted[1:], None], strict=True))
    said: list[Said] = []
    shown: set[int] = set()
    section, first, headed = "", True, False
    for element in elements:
        if id(element) in shown:
            continue
        if id(element) not in next_wanted:
            said.append(Said(len(slides) - 1 + headed, section, [element]))
        elif element.name == "h2":
            section, first = inner(element), True
            following = next_wanted[id(element)]
            headed = following is not None and following.name == "figure"
            if not headed and (below := start(element)):
                shown |= set(map(id, below))
                kind = "statement" if "proof" in below[-1].get("class", ()) else "start"
                kind = "keep" if keeps(element) else kind
                slides.append(Slide("".join(map(str, below)), kind, section, headed=True))
        elif element.name == "figure":
            if first or moved(element):
                slides.append(drawn(element, section, headed=headed))
            first = headed = False
        elif element.name == "form":
            slides.append(asked(bank()[element["data-practice"]], section))
        elif "mistake" in element["class"]:
            slides.append(Slide(str(element), "mistake", section, notes=[ASK_FIRST]))
        else:
            kind = "definition" if "definition" in element["class"] else "statement"
            slides.append(Slide(str(element), kind, section))
    tell(slides, said)


def keeps(heading: Tag) -> bool:
    """Whether a section holds the sentences to keep."""
    return "sentences to keep" in heading.get_text()


def start(heading: Tag) -> list[Tag]:
    """What stands below the question of a section that has no figure there: sentences, or a paragraph.

    With a paragraph that does not end there, or announces something, comes what follows: a formula, a
    list, or a cell's output. After it comes the first table of the section, with the paragraph before it.
    """
    section = heading.parent
    if keeps(heading):
        return [section.find("ol", recursive=False)]
    first = section.find("p", recursive=False)
    if first is None:
        return []
    shown = [first]
    if not ended(first):
        after = first.find_next_siblings(["div", "ul", "ol", "p"])
        follow = (
            e.select_one(".cell_output") if "cell" in e.get("class", ()) else e for e in after
        )
        shown += filter(None, [next(filter(None, follow), None)])
    table = section.select_one(f":scope > {TABLE}, :scope > .cell > .cell_output {TABLE}")
    if table is None or len(table.select("tr")) > ROWS:
        return shown
    before = (table.find_parent("div", class_="cell") or table).find_previous_sibling()
    if before is first and len(shown) == 1:
        return [first, table]
    return [*shown, before, table] if before is not first and before.name == "p" else shown


def ended(element: Tag) -> bool:
    """Whether a sentence ends where an element of the text does."""
    return element.get_text().rstrip().endswith((".", "?", "!", ")", "”"))


def drawn(figure: Tag, section: str, *, headed: bool) -> Slide:
    """A figure, with the data of one that moves; the notes say in words what the drawing shows."""
    number = FIGURE.search(figure.get_text())
    alt = escape(figure.img["alt"])
    return Slide(
        f"{figure}{moved(figure)}",
        "figure",
        section,
        headed,
        number[1] if number else "",
        [f"<p><em>The drawing.</em> {alt}</p>"],
    )


def moved(figure: Tag) -> str:
    """The data of the figure that moves in its place, if there is one."""
    after = figure.find_next_sibling()
    return str(after) if after is not None and after.has_attr("data-explore") else ""


def tell(slides: list[Slide], said: list[Said]) -> None:
    """Put what the page says into the notes of the slide there, or of the figure there that it names.

    A proof is there from its first to its last word: the notes scroll, and half a proof helps nobody. Other
    text ends where it gets long; what names a figure that the deck does not show is left out, and so are what
    announces something that does not follow and sentences that speak of something elsewhere on the page. A
    question has notes of its own. What then has none gets what was too much for the slide before it, or says
    what comes next; no notes are repeated. A statement whose proof is there counts as proved in the plan.
    """
    places = {one.figure: k for k, one in enumerate(slides) if one.figure}
    counts = [0] * len(slides)
    unsaid: dict[int, list[str]] = {}
    for one in joined(said):
        proof = "proof-text" in one.words[0].get("class", ())
        if not proof:
            leave_out_elsewhere(one.words[0])
        words = " ".join(element.get_text() for element in one.words)
        named = FIGURE.findall(words)
        partial = not set(named) <= set(places) or not ended(one.words[-1])
        if not proof and (partial or ONLY_SAYS_THAT.fullmatch(words.strip())):
            continue
        figures = (
            places[f] for f in named if not proof and slides[places[f]].section == one.section
        )
        at = next(figures, one.slide)
        counts[at] += len(words.split())
        page = [HERE_IS.sub("", str(element)) for element in one.words]
        if (table := printed_above(one.words[0])) and not any(table in s.content for s in slides):
            page.insert(0, table)
        room = proof or counts[at] <= WORDS or not slides[at].notes
        if slides[at].kind != "question" and room:
            slides[at].notes += page
        else:
            unsaid[at] = page
    for k, shown in enumerate(slides):
        if shown.kind == "statement" and any('"proof-text"' in note for note in shown.notes):
            shown.kind = "proved"
        if not shown.notes and slides[k - 1].section == shown.section:
            shown.notes += unsaid.get(k - 1, [])
        if not shown.notes:
            shown.notes.append(f"<p>Next: {called(slides[k + 1])}.</p>")


def called(one: Slide) -> str:
    """What a slide shows, in a few words."""
    if one.figure:
        return f"Figure {one.figure}"
    if one.kind in ("question", "mistake"):
        return {"question": "a question", "mistake": "a common mistake"}[one.kind]
    box = BeautifulSoup(one.content, "html.parser").select_one(".admonition-title")
    return inner(box) if box else one.section


def printed_above(paragraph: Tag) -> str:
    """The table that the cell above a paragraph prints, of which the paragraph speaks, if it is short."""
    cell = paragraph.find_previous_sibling()
    table = cell and cell.css.match(".cell") and cell.select_one(f".cell_output {TABLE}")
    return str(table) if table and len(table.select("tr")) <= ROWS else ""


def leave_out_elsewhere(paragraph: Tag) -> None:
    """Remove the sentences that speak of something elsewhere on the page."""
    if paragraph.name != "p" or not ELSEWHERE.search(paragraph.get_text()):
        return
    kept = [one for one in sentences(paragraph) if not ELSEWHERE.search(text_of(one))]
    paragraph.clear()
    paragraph.append(BeautifulSoup(" ".join(kept), "html.parser"))


def text_of(html: str) -> str:
    """The words of some HTML."""
    return BeautifulSoup(html, "html.parser").get_text()


def sentences(paragraph: Tag) -> list[str]:
    """The sentences of a paragraph, as HTML: one ends before a space after a full stop."""
    found, before = [""], ""
    for child in paragraph.children:
        here = child.get_text()
        if isinstance(child, Tag):
            found[-1] += str(child)
        else:
            ends = re.split(r"(?<=[.?!])\s+", before[-1:] + here)
            found[-1] += escape(ends[0][len(before[-1:]) :], quote=False)
            found += [escape(words, quote=False) for words in ends[1:]]
        before = here
    return found


def joined(said: list[Said]) -> list[Said]:
    """What the page says, with each paragraph the formulas and lists that continue it."""
    found: list[Said] = []
    for one in said:
        last = found[-1].words[-1] if found else None
        if last is not None and not ended(last) and one.words[0].find_previous_sibling() is last:
            found[-1].words.extend(one.words)
        else:
            found.append(one)
    return found


def asked(question: Question, section: str) -> Slide:
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
        said, why = "", f"**{typeset(question.answer)}.** {question.why}"
        errors = [(typeset(wrong.answer), wrong.why) for wrong in question.wrong]
    reasons = "".join(
        f"<li><em>{words(says)}</em>: {words(reason)}</li>" for says, reason in errors
    )
    call = '<p class="admonition-title"><span class="call">Question</span></p>'
    content = f'{call}<p>{words(spoken(question.ask))}</p>{said}<p class="reason">{words(why)}</p>'
    notes = [f"{ERRORS}<ul>{reasons}</ul>"]
    return Slide(content, "question", section, notes=notes)


def typeset(answer: str) -> str:
    """An answer with minus signs, not hyphens."""
    return answer.replace("-", "−")


def spoken(ask: str) -> str:
    """A question as it is put to a class, where nobody types an answer."""
    ask = re.sub(r" Type (?:a|one|two|three|four) (?:fractions?|numbers?)\.$", "", ask)
    ask = re.sub(r" [^.?]*\btyped\.", "", ask)
    ask = re.sub(r",? separated by commas?|, with commas", "", ask)
    return re.sub(r"\bType\b", "Find", ask)
