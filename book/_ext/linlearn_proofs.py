"""Show which theorems a machine has checked: the badge, the formal statement, the page that lists them.

`proofs/pairs.json` names them by their labels; `proofs/formal.py` reads the scripts. Nothing here needs Coq.
A badge stands only where both statements are those that somebody has read side by side.
"""

import json
import re
import sys
from collections.abc import Iterator
from functools import cache

from docutils import nodes
from docutils.parsers.rst import Directive
from linlearn_appendices import BOOK, Node, cells, chapter, link, paragraph, table
from linlearn_folds import folded
from linlearn_lessons import lessons
from linlearn_plain import written
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

PROOFS = BOOK.parent / "proofs"
sys.path.append(str(PROOFS))
import formal  # noqa: E402

PAGE = "machine_checked"
BASE = "Vectors"  # the words that all statements use, which stand once on the page of the proofs


@cache
def scripts() -> dict[str, formal.Script]:
    return formal.scripts(PROOFS)


@cache
def read() -> dict[str, dict]:
    """The pairs of statements that are now what they were when somebody read them."""
    found, text = formal.pairs(PROOFS), formal.prose(BOOK)
    return {
        label: pair
        for label, pair in found.items()
        if formal.now(label, pair, scripts(), text).items() <= pair.items()
    }


def badge(pair: dict) -> str:
    return f"machine-checked: {pair['part']}" if "part" in pair else "machine-checked"


def statement(label: str) -> nodes.literal_block:
    """What Coq has checked, after the definitions of its lesson."""
    script = formal.proved(label, scripts())
    common = [line for each in scripts()[BASE].definitions.values() for line in each]
    lines = formal.statement(script, formal.named(label), scripts())
    return listing([line for line in lines if line not in [*common, *scripts()[BASE].opened]])


def listing(lines: list[str]) -> nodes.literal_block:
    """Lines of a script; what is longer than one line stands apart."""
    text = "".join(f"\n{line}\n" if "\n" in line else f"{line}\n" for line in lines)
    text = text.replace("\n\n\n", "\n\n").strip("\n")
    return nodes.literal_block(text, text, language="text")


# On the page of the theorem -----------------------------------------------------------------


class Badges(SphinxTransform):
    """A theorem that a machine has checked says so in its title, and leads to what exactly was checked."""

    default_priority = 790  # before long proofs are folded

    def apply(self) -> None:
        for theorem, pair in proved_theorems(self.document):
            place = place_of_formal(theorem["label"])
            theorem[0] += nodes.reference("", badge(pair), refid=place, classes=["machine"])


def proved_theorems(document: nodes.document) -> Iterator[tuple[nodes.Element, dict]]:
    """The theorems of a page that a machine has checked, each with its pair of statements."""
    for theorem in document.findall(nodes.Admonition):
        pair = read().get(theorem.get("label"))
        if pair and "realtype" in theorem:
            yield theorem, pair


def place_of_formal(label: str) -> str:
    return f"{label}-formal"


def formal_statement(theorem: nodes.Element, pair: dict) -> nodes.Element:
    """What was checked, in Coq's language and compared with the page's in words, for the foot of the page."""
    label = theorem["label"]
    title = [part.deepcopy() for part in theorem[0].children[:-1]]  # the last is the badge
    back = addnodes.pending_xref(
        "", nodes.inline("", label), refdomain="prf", reftype="ref", reftarget=label,
        refexplicit=False, refwarn=True,
    )  # fmt: skip
    said = [back, nodes.Text(". "), nodes.strong("", "The same: "), *written(pair["same"])]
    said += [nodes.strong("", " Not the same: "), *written(pair["other"])]
    line = [nodes.Text(f"{theorem['realtype'].capitalize()}: "), *title]
    line += [nodes.Text(f", {pair['part']}")] if "part" in pair else []
    return folded(
        line, statement(label), paragraph(*said), classes=["formal"], ids=[place_of_formal(label)]
    )


# On the page of the proofs ------------------------------------------------------------------


@cache
def titles() -> dict[str, tuple[str, str]]:
    """For each statement of the book its title and its page, in the order of the lessons."""
    found = {}
    for stem in lessons(BOOK.parent):
        text = "\n".join(c["source"] for c in cells(stem) if c["cell_type"] == "markdown")
        for title, label in re.findall(r"\{prf:(?!proof)\w+\} *(.*)\n:label: (\S+)", text):
            found[label] = (title.strip(), stem)
    return found


def places() -> dict[str, tuple[str, str]]:
    """The machine-checked statements, each with its title and its page."""
    return {label: place for label, place in titles().items() if label in read()}


class Counted(Directive):
    """How many statements a machine has checked."""

    def run(self) -> list[nodes.Node]:
        self.state.document.settings.env.note_reread()  # whatever page has changed
        labels = list(places())
        whole = sum("part" not in read()[label] for label in labels)
        size = sum(formal.bare(s.source).count("\n") for s in scripts().values())
        return [
            paragraph(
                f"{len(labels)} statements are machine-checked, {whole} whole and the others in part, "
                f"by {len(scripts())} scripts with {size:,} lines."
            )
        ]


class Listed(Directive):
    """Every machine-checked statement."""

    def run(self) -> list[nodes.Node]:
        self.state.document.settings.env.note_reread()
        body = [self.row(label, *place) for label, place in places().items()]
        return [table(("statement", "page", "checked", "not the same"), body, (3, 1, 3, 4))]

    @staticmethod
    def row(label: str, title: str, stem: str) -> tuple[list[Node], ...]:
        pair = read()[label]
        name = link(title, stem, label)
        return [name], [str(chapter(stem))], written(pair["same"]), written(pair["other"])


class CommonWords(Directive):
    """The definitions that all statements use."""

    def run(self) -> list[nodes.Node]:
        base = scripts()[BASE]
        lines = [line for each in base.definitions.values() for line in each] + base.opened
        return [listing(formal.telling(list(dict.fromkeys(lines))))]


class TwoProofs(Directive):
    """The book's proof beside the script; each line of the script opens to what is left to show."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        path = PROOFS / f"{self.arguments[0]}.goals.json"
        self.state.document.settings.env.note_dependency(str(path))
        return [self.step(said, lines) for said, lines in steps(json.loads(path.read_text("utf8")))]

    @staticmethod
    def step(said: str, lines: list[tuple[str, str]]) -> nodes.container:
        book = nodes.container("", paragraph(*written(said)), classes=["said"])
        script = nodes.container("", *(shown(*line) for line in lines), classes=["script"])
        return nodes.container("", book, script, classes=["two-proofs"])


def steps(recorded: list[dict[str, str]]) -> list[tuple[str, list[tuple[str, str]]]]:
    """What the book says, each with the lines of the script below it; a bullet belongs to the next line."""
    found: list[tuple[str, list[tuple[str, str]]]] = []
    bullets = ""
    for line in recorded:
        comments = re.findall(r"\(\*.*?\*\)", line["text"], flags=re.DOTALL)
        said = [" ".join(q.split()) for c in comments for q in re.findall(r'"([^"]+)"', c)]
        code = formal.bare(line["text"]).strip()
        if said or not found or code.startswith(("Lemma", "Theorem")):
            found.append((said[0] if said else "", []))
        if re.fullmatch(r"[-+*{}]+", code):
            bullets += f"{code} "
        else:
            found[-1][1].append((bullets + code, line["left"]))
            bullets = ""
    return found


def shown(code: str, left: str) -> nodes.Node:
    line = nodes.literal(code, code)
    if not left:
        return nodes.paragraph("", "", line)
    return folded([line], listing([left]), classes=["goal"])


def setup(app):
    app.add_transform(Badges)
    app.add_directive("proofs-counted", Counted)
    app.add_directive("proofs-listed", Listed)
    app.add_directive("proofs-words", CommonWords)
    app.add_directive("two-proofs", TwoProofs)
    return {"version": "1"}
