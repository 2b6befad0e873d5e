"""The lessons as a map: what each enables, how long it takes and what comes before, from one table.

`book/_data/lessons.toml` lists them; the directive `lessons` draws the map of the front page, and each
lesson says its time below its first paragraph. A page in depth stands below the lessons of its chapter, in
the contents and in the map. What a reader has done is filled in by `practice.js`.
"""

import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from docutils import nodes
from linlearn_practice import BANK
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective

HALVES = ("", "½")
DEPTH = "d"  # in the number of a page in depth: 3d is below 3, and a chapter has no fourth lesson


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """One lesson, or a page in depth; `page` is its document."""

    stem: str
    can: str
    minutes: int
    after: tuple[str, ...] = ()
    knows: dict[str, str] = field(default_factory=dict)  # an idea and its label, which may be empty
    letter: str = ""
    name: str = ""
    depth: bool = False

    @property
    def chapter(self):
        """What the stems of its lessons and of its page in depth begin with."""
        return self.stem[:3]

    @property
    def page(self):
        return f"book/{self.stem}"

    @property
    def number(self):
        return f"{int(self.stem[:2])}{DEPTH if self.depth else self.letter}"

    @property
    def questions(self):
        """The names of its questions in the bank."""
        path = BANK / f"{self.stem}.toml"
        return list(tomllib.loads(path.read_text("utf8"))) if path.exists() else []

    @property
    def time(self):
        whole, half = divmod(round(self.minutes / 30), 2)
        return f"about {whole}{HALVES[half]} hour{'s' if whole > 1 or half else ''}"


def lessons(root):
    """The lessons of the book in this folder, by name."""
    path = Path(root, "book/_data/lessons.toml")
    return dict(_told(path.read_text("utf8") if path.exists() else ""))


@cache  # a build asks two hundred times
def _told(text):
    return {
        stem: Lesson(stem=stem, **{**row, "after": tuple(row.get("after", ()))})
        for stem, row in tomllib.loads(text).items()
    }


def below(lesson, known):
    """The page in depth that stands below this lesson, the last of its chapter; or None."""
    same = [one for one in known.values() if one.chapter == lesson.chapter]
    deep = [one for one in same if one.depth]
    return deep[0] if deep and lesson == [one for one in same if not one.depth][-1] else None


def number(page, known):
    """`book/03_perceptron` is 3, however many pages stand before it; further lessons of it have letters."""
    stem = Path(page).name
    if stem in known:
        return known[stem].number
    return str(int(stem[:2])) if stem[:2].isdigit() and stem[2] == "_" else None


class lesson_map(nodes.General, nodes.Element):
    """The list of all lessons."""


class lesson_place(nodes.General, nodes.Element):
    """One lesson in it."""


def to(page):
    """A link to a page, named by its title."""
    return addnodes.pending_xref(
        "", nodes.inline("", ""), refdomain="std", reftype="doc", reftarget=f"/{page}",
        refexplicit=False, refwarn=True,
    )  # fmt: skip


def idea(words, label):
    """What a reader should have heard of, with a link to where it is explained."""
    if not label:
        return words
    return addnodes.pending_xref(
        "", nodes.inline("", words), refdomain="std", reftype="ref", reftarget=label,
        refexplicit=True, refwarn=True,
    )  # fmt: skip


def listed(parts):
    """The parts with commas between them."""
    return [piece for part in parts for piece in (", ", part)][1:]


def line(*parts, **attributes):
    texts = (nodes.Text(part) if isinstance(part, str) else part for part in parts)
    return nodes.paragraph("", "", *texts, **attributes)


def needs(lesson, known):
    """What comes before, as parts of a line."""
    if lesson.after:
        yield " · after "
        yield from listed(to(known[stem].page) for stem in lesson.after)
    if lesson.knows:
        yield " · you know "
        yield from listed(idea(*each) for each in lesson.knows.items())


class Lessons(SphinxDirective):
    """The map."""

    def run(self):
        known = lessons(self.env.srcdir)
        self.env.metadata[self.env.docname]["practice"] = True
        places = [
            lesson_place(
                "",
                line(f"{lesson.number}  ", to(lesson.page), classes=["lesson-title"]),
                line(f"You will be able to {lesson.can}."),
                line(lesson.time.capitalize(), *needs(lesson, known), classes=["lesson-needs"]),
                *in_depth(below(lesson, known)),
                page=lesson.page,
                questions=" ".join(lesson.questions),
            )
            for lesson in known.values()
            if not lesson.depth
        ]
        return [lesson_map("", *places)]


def in_depth(page):
    """A page in depth, as a line of the lesson that it stands below."""
    if page:
        said = f"You will be able to {page.can} · {page.time}"
        yield line(f"In depth, {page.number}  ", to(page.page), classes=["lesson-depth"])
        yield line(said, classes=["lesson-depth", "lesson-needs"])


class StudyTime(SphinxTransform):
    """Say below a lesson's first paragraph how long it takes, and what comes before."""

    default_priority = 700

    def apply(self):
        known = lessons(self.env.srcdir)
        lesson = known.get(Path(self.env.docname).name)
        first = next(self.document.findall(nodes.paragraph), None)
        if lesson and lesson.page == self.env.docname and first:
            self.env.metadata[self.env.docname]["practice"] = True
            begin = f"In depth · {lesson.time}" if lesson.depth else lesson.time.capitalize()
            said = (begin, " with the exercises", *needs(lesson, known))
            first.parent.insert(first.parent.index(first) + 1, line(*said, classes=["study-time"]))


def open_map(translator, _node):
    translator.body.append('<ol class="lessons">\n')


def close_map(translator, _node):
    translator.body.append("</ol>\n")


def open_place(translator, node):
    data = {"data-page": node["page"], "data-questions": node["questions"]}
    translator.body.append(translator.starttag(node, "li", CLASS="lesson", **data))


def close_place(translator, _node):
    translator.body.append("</li>\n")


def plain(_translator, _node):
    """Outside HTML the paragraphs follow one another."""


def setup(app):
    others = dict.fromkeys(("latex", "text", "man", "texinfo"), (plain, plain))
    app.add_node(lesson_map, html=(open_map, close_map), **others)
    app.add_node(lesson_place, html=(open_place, close_place), **others)
    app.add_directive("lessons", Lessons)
    app.add_transform(StudyTime)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
