"""Map of the lessons from `_data/lessons.toml`: what each enables, how long it takes, what comes before.

`book/_data/lessons.toml` lists them, `_toc.yml` names their chapters, and a lesson's title stands in its
notebook alone. The directive `tracks` says what the tracks are and how long each takes; the directive
`lessons` draws the map of the front page. Each lesson says its track and time below its title. What a reader
has done is filled in by `practice.js`.
"""

import json
import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import yaml
from docutils import nodes
from linlearn_folds import folded
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective

HALVES = ("", "½")
DEPTH = "d"  # in the number of a page in depth: 3d closes chapter 3, which has no fourth lesson
LABEL = "the-way-through"  # the place on the front page where they are explained
TRACKS = {  # each with its name and what it holds
    "core": (
        "Core",
        "What a first course covers, in the recommended order. No core lesson depends on a lesson outside "
        "the core, or on the optional core lesson 6e.",
    ),
    "theory": (
        "Theory",
        "Optional lessons that branch off from the core: why a certificate always exists, how many samples "
        "are enough, and which problems are computationally hard.",
    ),
    "depth": (
        "In depth",
        "The last page of each chapter, for a second reading: sharper bounds and longer proofs.",
    ),
}


def hours(*minutes):
    """Each in halves, since nobody knows them better; several are added as they are shown."""
    whole, half = divmod(sum(round(each / 30) for each in minutes), 2)
    shown = f"{whole if whole or not half else ''}{HALVES[half]}"
    return f"{shown} hour{'' if shown in ('1', HALVES[1]) else 's'}"


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """One lesson, or a page in depth; `page` is its document."""

    stem: str
    can: str
    minutes: int
    track: str
    optional: bool = False  # may be left out of the core
    title: str = ""
    after: tuple[str, ...] = ()
    knows: dict[str, str] = field(default_factory=dict)  # an idea and its label, which may be empty
    letter: str = ""
    questions: tuple[str, ...] = ()  # those that its page asks, wherever the bank keeps them

    @property
    def name(self):
        """What a sentence calls it: its title without the question."""
        return self.title.partition(":")[0]

    @property
    def depth(self):
        return self.track == "depth"

    @property
    def kind(self):
        """Its track, and whether a course may leave it out."""
        return TRACKS[self.track][0] + ", optional" * self.optional

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
    def time(self):
        return f"about {hours(self.minutes)}"


def lessons(root):
    """The lessons of the book in this folder, by name."""
    path = Path(root, "book/_data/lessons.toml")
    table = _read(path.read_text("utf8") if path.exists() else "")
    read = {stem: _page(Path(root, f"book/{stem}.ipynb")) for stem in table}
    return {
        stem: Lesson(
            stem=stem,
            title=read[stem][0],
            questions=read[stem][1],
            **{**row, "after": tuple(row.get("after", ()))},
        )
        for stem, row in table.items()
    }


@cache  # a build asks two hundred times
def _read(text):
    return tomllib.loads(text)


def _page(notebook):
    """Its title, which stands in its first cell, and its questions; or nothing."""
    return _read_page(notebook, notebook.stat().st_mtime_ns) if notebook.exists() else ("", ())


@cache
def _read_page(notebook, _changed):
    cells = ["".join(cell["source"]) for cell in json.loads(notebook.read_text("utf8"))["cells"]]
    heading = re.search(r"^# (.+)$", cells[0], re.MULTILINE)
    asked = (re.fullmatch(r'practice\.ask\("([\w-]+)"\)', cell) for cell in cells)
    return heading[1].strip() if heading else "", tuple(found[1] for found in asked if found)


def chapters(root):
    """The names of the chapters, each with the names of its lessons, in the order of the contents."""
    path = Path(root, "_toc.yml")
    parts = yaml.safe_load(path.read_text("utf8")).get("parts", ()) if path.exists() else ()
    listed = (
        (part.get("caption", ""), [Path(page["file"]).name for page in part["chapters"]])
        for part in parts
    )
    return {name: stems for name, stems in listed if re.match(r"\d\d_", stems[0])}


def number(page, known):
    """`book/03_perceptron` is 3, however many pages stand before it; further lessons of it have letters."""
    stem = Path(page).name
    if stem in known:
        return known[stem].number
    return str(int(stem[:2])) if stem[:2].isdigit() and stem[2] == "_" else None


class lesson_map(nodes.General, nodes.Element):
    """The list of all chapters, or of lessons in one."""


class lesson_place(nodes.General, nodes.Element):
    """A chapter or a lesson in such a list."""


def to(page, words=""):
    """A link to a page: in these words, or by its name."""
    return addnodes.pending_xref(
        "", nodes.inline("", words), refdomain="std", reftype="doc", reftarget=f"/{page}",
        refexplicit=bool(words), refwarn=True,
    )  # fmt: skip


def to_label(words, label):
    """A link to a label; where there is none, the words."""
    if not label:
        return words
    return addnodes.pending_xref(
        "", nodes.inline("", words), refdomain="std", reftype="ref", reftarget=label,
        refexplicit=True, refwarn=True,
    )  # fmt: skip


def listed(parts, between=", "):
    """The parts with commas between them; names of lessons, which may have commas, need semicolons."""
    return [piece for part in parts for piece in (between, part)][1:]


def line(*parts, **attributes):
    texts = (nodes.Text(part) if isinstance(part, str) else part for part in parts)
    return nodes.paragraph("", "", *texts, **attributes)


def needs(lesson, known):
    """What comes before, as parts of a line."""
    if lesson.after:
        yield " · after "
        before = (known[stem] for stem in lesson.after)
        yield from listed((to(one.page, f"{one.number} {one.name}") for one in before), "; ")
    if lesson.knows:
        yield " · you should know "
        yield from listed(to_label(*each) for each in lesson.knows.items())


class Tracks(SphinxDirective):
    """What the tracks are, and how long each of them takes."""

    def run(self):
        known = lessons(self.env.srcdir).values()
        terms = []
        for track, (name, said) in TRACKS.items():
            own = [lesson for lesson in known if lesson.track == track]
            pages = "pages" if track == "depth" else "lessons"
            count = f"{len(own)} {pages}, about {hours(*(lesson.minutes for lesson in own))}"
            terms.append(
                nodes.definition_list_item(
                    "", nodes.term("", "", nodes.strong("", name), nodes.Text(f" · {count}")),
                    nodes.definition("", line(said)),
                )
            )  # fmt: skip
        return [nodes.definition_list("", *terms, classes=["tracks"])]


class Lessons(SphinxDirective):
    """The map: the core as the path, and off each chapter its branches, folded."""

    def run(self):
        known = lessons(self.env.srcdir)
        self.env.metadata[self.env.docname]["practice"] = True
        places = [
            self.chapter(name, [known[stem] for stem in stems], known)
            for name, stems in chapters(self.env.srcdir).items()
        ]
        return [lesson_map("", *places, classes=["lessons"])]

    def chapter(self, name, own, known):
        core = [lesson_entry(one, known) for one in own if one.track == "core"]
        others = [one for one in own if one.track != "core"]
        parts = [nodes.rubric("", f"{int(own[0].stem[:2])}  {name}", classes=["chapter-title"])]
        if core:
            parts.append(lesson_map("", *core))
        if others:
            said, places = (
                nodes.Text(branches(others)),
                (lesson_entry(one, known) for one in others),
            )
            parts.append(folded([said], lesson_map("", *places), classes=["branches"]))
        return lesson_place("", *parts, classes=["chapter"])


def branches(others):
    """What opens the theory and the page in depth of a chapter: their names, and the time of all."""
    parts = []
    for track, (said, _) in TRACKS.items():
        own = [f"{one.number} {one.name}" for one in others if one.track == track]
        parts += [f"{said}: {'; '.join(own)}"] if own else []
    return " · ".join([*parts, hours(*(one.minutes for one in others))])


def lesson_entry(lesson, known):
    """One lesson: its title, what it enables, its track, its time, its needs; most are plainly core."""
    track = "" if lesson.kind == TRACKS["core"][0] else f"{lesson.kind} · "
    return lesson_place(
        "",
        line(f"{lesson.number}  ", to(lesson.page, lesson.title), classes=["lesson-title"]),
        line(f"{lesson.can[0].upper()}{lesson.can[1:]}.", classes=["lesson-can"]),
        line(track + lesson.time, *needs(lesson, known), classes=["lesson-needs"]),
        classes=["lesson", lesson.track],
        page=lesson.page,
        questions=" ".join(lesson.questions),
    )


class Names(SphinxTransform):
    """Say below a lesson's title its track, how long it takes and what comes before; and where a page leads
    to a lesson without words of its own, call it by its name, for its title is a question."""

    default_priority = 700

    def apply(self):
        known = lessons(self.env.srcdir)
        self.call(known)
        lesson = known.get(Path(self.env.docname).name)
        title = next(self.document.findall(nodes.title), None)
        if lesson and lesson.page == self.env.docname and title:
            self.env.metadata[self.env.docname]["practice"] = True
            track = to_label(lesson.kind, LABEL)
            said = (track, f" · {lesson.time} with the exercises", *needs(lesson, known))
            title.parent.insert(title.parent.index(title) + 1, line(*said, classes=["study-time"]))

    def call(self, known):
        for link in self.document.findall(addnodes.pending_xref):
            lesson = known.get(Path(link["reftarget"]).name)
            if lesson and link.get("reftype") == "doc" and not link["refexplicit"]:
                link["refexplicit"] = True
                link.children[0].clear()
                link.children[0] += nodes.Text(lesson.name)


def open_map(translator, node):
    translator.body.append(translator.starttag(node, "ol"))


def close_map(translator, _node):
    translator.body.append("</ol>\n")


def open_place(translator, node):
    data = {f"data-{name}": node[name] for name in ("page", "questions") if name in node}
    translator.body.append(translator.starttag(node, "li", **data))


def close_place(translator, _node):
    translator.body.append("</li>\n")


def setup(app):
    app.add_node(lesson_map, html=(open_map, close_map))
    app.add_node(lesson_place, html=(open_place, close_place))
    app.add_directive("lessons", Lessons)
    app.add_directive("tracks", Tracks)
    app.add_transform(Names)
    return {"version": "1"}
