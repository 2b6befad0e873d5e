"""Write the computed appendices: where each item of the notes is treated, errata, how the book is checked."""

import ast
import csv
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from linlearn_lessons import lessons, number
from linlearn_plain import written

BOOK = Path(__file__).parents[1]
FRONT = "../index"  # as the pages of `book/` see it
NOTES = range(5)
THEOREM = re.compile(r"^[`:]{3,}\{prf:(?:theorem|proposition|lemma|corollary)\}", re.MULTILINE)
EXERCISE = re.compile(r"^[`:]{3,}\{exercise(?:-start)?\}", re.MULTILINE)
VARIANTS = BOOK.parent / "tests" / "variants"
VARIED = ("constant: ", "hypothesis: ", "inequality: ", "claim: ")  # how a false variant begins
PINNED = ("numpy", "scipy", "matplotlib", "scikit-learn", "jupyter-book", "nbval")

KINDS = {  # of errata: a name, and what it means of the note's statement
    "wrong": (
        "The note is wrong, refuted by a run",
        "what the note says is false as it stands, and the example below the entry refutes it.",
    ),
    "hypothesis": (
        "Needs a hypothesis",
        "what the note says is true once a hypothesis is added that it leaves out. The example, where there "
        "is anything to run, shows what happens without it.",
    ),
    "remark": (
        "Remark",
        "about a convention, a name, a date, or a formula that can be read in two ways; or a true statement "
        "sharpened, a question answered. Nothing that the note says is refuted.",
    ),
}

Row = dict[str, str]
Node = nodes.Node | str


def rows(name: str) -> list[Row]:
    """The rows of a table in `_data`, ordered as in the notes: 0.9 (or S0.9) before 0.10."""
    return sorted(records(name), key=lambda row: numbers(row["id"]))


def records(name: str) -> list[Row]:
    """The rows of a table in `_data`, as they stand there."""
    with (BOOK / "_data" / name).open(encoding="utf8", newline="") as file:
        return list(csv.DictReader(file))


def numbers(item: str) -> list[int]:
    return [int(n) for n in item.lstrip("S").split(".")]


def cells(stem: str) -> list[dict]:
    page = json.loads((BOOK / f"{stem}.ipynb").read_text("utf8"))
    return [{**cell, "source": "".join(cell["source"])} for cell in page["cells"]]


def chapter(stem: str) -> str | None:
    return number(stem, lessons(BOOK.parent))


# Nodes --------------------------------------------------------------------------------------


def link(text: str, stem: str, anchor: str = "") -> nodes.reference:
    """A link from one page of `book/` to another; Sphinx puts a word before an equation's label."""
    place = f"equation-{anchor}" if anchor.startswith("eq-") else anchor
    uri = f"{stem}.html#{place}" if place else f"{stem}.html"
    number, rest = re.fullmatch(r"(\d+[a-z]?(?=$|  )|)(.*)", text).groups()  # 1c is no formula
    words = [nodes.Text(number), *written(rest)]
    return nodes.reference("", "", *words, internal=True, refuri=uri)


def paragraph(*parts: Node) -> nodes.paragraph:
    return nodes.paragraph("", "", *(nodes.Text(p) if isinstance(p, str) else p for p in parts))


def joined(parts: Iterable[Node], between: str) -> list[Node]:
    return [part for each in parts for part in (between, each)][1:]


def table(
    head: Iterable[str], body: Iterable[Iterable[list[Node]]], widths: tuple[int, ...]
) -> nodes.table:
    """A table of cells, each a list of texts and nodes; numbers stand to the right."""
    group = nodes.tgroup("", *(nodes.colspec(colwidth=w) for w in widths), cols=len(widths))
    group += nodes.thead("", row([[name] for name in head]))
    group += nodes.tbody("", *map(row, body))
    return nodes.table("", group)


def row(entries: Iterable[list[Node]]) -> nodes.row:
    return nodes.row(
        "", *(nodes.entry("", paragraph(*parts), classes=side(parts)) for parts in entries)
    )


def side(parts: list[Node]) -> list[str]:
    """Whole numbers stand to the right."""
    number = str(parts[0]) if parts else ""
    return ["text-right"] if number.replace(",", "").isdigit() else []


def section(name: str, label: str, *content: nodes.Node) -> nodes.section:
    return nodes.section("", nodes.title("", name), *content, ids=[label], names=[label])


# Directives ---------------------------------------------------------------------------------


class Coverage(Directive):
    """Every item of every note, in its order, with links to the places that treat it."""

    def run(self) -> list[nodes.Node]:
        return [self.note(k) for k in NOTES]

    def note(self, k: int) -> nodes.section:
        places: dict[str, list[Row]] = {}
        for item in rows("inventory.csv"):
            if numbers(item["id"])[0] == k:
                places.setdefault(item["id"].lstrip("S"), []).append(item)
        body = [
            ([number], joined(map(self.place, found), "; ")) for number, found in places.items()
        ]
        counted = paragraph(f"{len(places)} items.")
        listed = table(("item", "what it says, and the chapter that treats it"), body, (1, 9))
        return section(f"Note {k}", f"coverage-{k}", counted, listed)

    @staticmethod
    def place(item: Row) -> Node:
        stem = item["chapter"]
        return link(f"{item['title']} ({chapter(stem)})", stem, item["anchor"])


class Errata(Directive):
    """Every erratum, sorted by kind, with links to its entry and to the place where it matters."""

    def run(self) -> list[nodes.Node]:
        listed = rows("errata.csv")
        return [self.of_kind(kind, [e for e in listed if e["kind"] == kind]) for kind in KINDS]

    @staticmethod
    def of_kind(kind: str, listed: list[Row]) -> nodes.section:
        name, meaning = KINDS[kind]
        body = [
            (
                [erratum["id"]],
                [link(erratum["title"], erratum["page"], erratum["anchor"])],
                [link(chapter(erratum["chapter"]), erratum["chapter"], erratum["chapter_anchor"])],
            )
            for erratum in listed
        ]
        entries = table(("entry", "what it is about", "chapter"), body, (1, 6, 1))
        return section(
            name, f"errata-{kind}", paragraph(f"{len(listed)} entries: {meaning}"), entries
        )


class Checked(Directive):
    """How much a machine has checked, in all pages together, and the versions it was run on."""

    def run(self) -> list[nodes.Node]:
        self.state.document.settings.env.note_reread()  # whatever page has changed
        stems = [path.stem for path in BOOK.glob("*.ipynb")]
        if (BOOK / f"{FRONT}.ipynb").exists():
            stems.append(FRONT)
        found = sum(map(counts, map(cells, stems)), Counter())
        refuted, named = falsified()
        variants = (
            f"Of {refuted + named:,} false variants, {refuted:,} are refuted by their check, and the "
            f"pages name the other {named:,}."
        )
        return [
            paragraph(
                f"The book has {found['theorems']:,} theorems, propositions, lemmas and corollaries, "
                f"{found['check cells']:,} checks with {found['assertions']:,} assertions, and "
                f"{found['exercises']:,} exercises with solutions. {found['cells run again']:,} cells are "
                f"run again, and {found['figures compared']:,} figures compared. {variants}"
            ),
            paragraph(f"The outputs were made with {', '.join(versions())}."),
        ]


def counts(page: list[dict]) -> Counter:
    """What a notebook holds that is checked, by kind."""
    found = Counter()
    for cell in page:
        source = cell["source"]
        if cell["cell_type"] == "markdown":
            found["theorems"] += len(THEOREM.findall(source))
            found["exercises"] += len(EXERCISE.findall(source))
        if cell["cell_type"] == "code":
            found["check cells"] += "check" in cell["metadata"].get("tags", [])
            found["assertions"] += assertions(source)
            found["cells run again"] += 1
            found["figures compared"] += sum(
                "image/svg+xml" in o.get("data", {}) for o in cell["outputs"]
            )
    return found


def assertions(source: str) -> int:
    if "assert" not in source:  # to parse all cells takes a second of a build
        return 0
    tree = ast.parse(re.sub(r"^\s*[%!].*$", "pass", source, flags=re.MULTILINE))
    return sum(isinstance(node, ast.Assert) for node in ast.walk(tree))


def falsified() -> tuple[int, int]:
    """How many false variants of statements their checks refute, and how many a page names instead."""
    texts = [path.read_text("utf8") for path in sorted(VARIANTS.glob("*.txt"))]
    blocks = [block for text in texts for block in text.split("\n\n")]
    variants = [block for block in blocks if block.startswith(VARIED)]
    named = sum("\n= " in block for block in variants)
    return len(variants) - named, named


def versions() -> Iterator[str]:
    """The pinned packages that the outputs depend on most."""
    pinned = (BOOK.parent / "requirements.txt").read_text("utf8")
    known = dict(re.findall(r"^([\w-]+)==(\S+)", pinned, re.MULTILINE))
    return (f"{name} {known[name]}" for name in PINNED)


class Dependent(Directive):
    """Where columns depend on each other: which certificates close, and which name the columns instead."""

    def run(self) -> list[nodes.Node]:
        by_method: dict[str, list[Row]] = {}
        for each in records("dependent.csv"):
            by_method.setdefault(each["method"], []).append(each)
        body = [
            ([method], *map(self.families, self.answers(mine)))
            for method, mine in by_method.items()
        ]
        return [
            table(
                ("method", "closes", "closes for bounded hyperplanes", "names columns"),
                body,
                (2, 3, 3, 3),
            )
        ]

    @staticmethod
    def answers(mine: list[Row]) -> tuple[list[Row], list[Row], list[Row]]:
        """The families whose certificates close, close for bounded planes only, and stay open."""
        closed = [each for each in mine if each["certificate"] == "closed"]
        bounded = [each for each in mine if each["certificate"].startswith("closed within")]
        return closed, bounded, [each for each in mine if each not in closed + bounded]

    @staticmethod
    def families(found: list[Row]) -> list[Node]:
        return [", ".join(each["family"] for each in found)]


# Chapters -----------------------------------------------------------------------------------


def errata_of(stem: str, named: set[str]) -> list[nodes.list_item]:
    """The entries that concern a page, except those of these anchors."""
    mine = (e for e in rows("errata.csv") if e["chapter"] == stem and e["anchor"] not in named)
    return [item(erratum) for erratum in mine]


def item(erratum: Row) -> nodes.list_item:
    entry = link(erratum["title"], erratum["page"], erratum["anchor"])
    kind = KINDS[erratum["kind"]][0].lower()
    return nodes.list_item("", paragraph(f"Note {erratum['id'][0]}: ", entry, f" ({kind})"))


def mark_errata(app, doctree: nodes.document) -> None:
    """Say of which kind an entry is, below its heading."""
    kinds = {erratum["anchor"]: KINDS[erratum["kind"]][0] for erratum in rows("errata.csv")}
    for entry in doctree.findall(nodes.section):
        for anchor in kinds.keys() & set(entry["ids"]):
            entry.insert(1, paragraph(nodes.emphasis("", f"{kinds[anchor]}.")))


def setup(app):
    app.add_directive("coverage", Coverage)
    app.add_directive("errata", Errata)
    app.add_directive("checked", Checked)
    app.add_directive("dependent", Dependent)
    app.connect("doctree-read", mark_errata)
    return {"version": "1"}
