"""Turn a notebook of the book into a plain one, which any Jupyter, VS Code, Colab and GitHub can show.

The book's notebooks are written in MyST, whose directives and references only the build understands. Here
they become Markdown, with the numbers, titles and links of the built pages: the build writes these into
`_build/numbers.json` (`book/_ext/linlearn_numbers.py`), so that nothing here needs Sphinx.
"""

import base64
import json
import posixpath
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from linlearn.practice.bank import LETTERS, Question, bank

VARIANTS = {
    "reader": "everything that the book has, solutions and answers folded",
    "student": "no solutions, and cells for the answers in their place",
    "instructor": "open solutions, and with each question what students get wrong",
}
ROLE = re.compile(r"\{(prf:ref|numref|doc|ref|eq|term|download|cite:t|cite:p)\}`([^`]+)`")
WORDS = re.compile(r"(?P<words>.*?)\s*<(?P<target>[^<>]+)>", re.DOTALL)
LINK = re.compile(r"\[(?P<words>[^\]\[]*)\]\((?P<target>[^)\s]+)\)(?:\{[^}]*\})?")
LABEL = re.compile(r"\((?P<label>[\w-]+)\)=")
FENCE = re.compile(r"(?P<mark>`{3,}|:{3,})(?:\{(?P<name>[\w:-]+)\}\s*(?P<title>.*)|.*)")
OPTION = re.compile(r":(?P<name>\w+):\s*(?P<value>.*)")
DISPLAY = re.compile(r"\$\$(?P<tex>.+?)\$\$(?:[ \t]*\((?P<label>[\w-]+)\))?", re.DOTALL)
INSTALL = re.compile(r"# %pip install (?P<what>.*git\+(?P<repository>\S+?)\")\n")
ANCHOR = re.compile(r'<a id="[\w-]+"></a>')
COMMENT = re.compile(r"# (?:%pip install|Check:).*\n")  # what a cell of its own, or its title, says
ASKED = re.compile(r'practice\.ask\("(?P<name>[\w-]+)"\)')
TABLE = re.compile(r'(?:read_csv|with open)\("([\w/]+\.csv)"')
HIDDEN = {"hide-input", "hide-cell", "remove-input", "remove-cell", "check"}
NOT_SHOWN = {"index", "exercise-end"}

Lines = list[str]


@dataclass
class Book:
    """What the notebooks tell of the book: its numbers and titles, and the files beside its pages."""

    root: Path
    numbers: dict[str, Any]

    @classmethod
    def built(cls, root: Path, numbers: Path) -> "Book":
        return cls(root, json.loads(numbers.read_text("utf8")))

    @property
    def address(self) -> str:
        """Where the book is published, or nothing."""
        return self.numbers["address"]

    @cached_property
    def pages(self) -> list[str]:
        """The pages that are notebooks, in the order of the book."""
        return [page for page in self.numbers["titles"] if self.source(page).exists()]

    def source(self, page: str) -> Path:
        return self.root / f"{page}.ipynb"

    def notebook(self, page: str) -> NotebookNode:
        return nbformat.v4.reads(self.source(page).read_text("utf8"))

    @cached_property
    def package(self) -> str:
        """What a notebook needs, as its first cell names it for pip."""
        cells = (cell.source for page in self.pages for cell in self.notebook(page).cells)
        found = next(filter(None, map(INSTALL.match, cells)), None)
        return found["what"].strip('"') if found else ""

    def file_name(self, page: str) -> str:
        lesson = self.numbers["lessons"].get(page)
        return file_name(page, lesson["number"] if lesson else "")

    def files(self) -> list[str]:
        """The files that cells read or that a page offers, by their path from the pages' folder."""
        found = set()
        for page in self.pages:
            notebook = self.notebook(page)
            text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
            offered = (m[2] for m in ROLE.finditer(text) if m[1] == "download")
            found |= {*read_files(notebook), *(WORDS.fullmatch(m)["target"] for m in offered)}
        return sorted(found)


def file_name(page: str, number: str = "") -> str:
    """`03b_dual.ipynb` of lesson 3b: the number comes first, so that the names sort by it."""
    stem = page.rpartition("/")[2]
    if not number:
        return f"{stem}.ipynb"
    chapter, _, rest = stem.partition("_")
    return f"{chapter}{number.lstrip('0123456789')}_{rest}.ipynb"


def read_files(notebook: NotebookNode) -> list[str]:
    """The tables beside the page that its cells read."""
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    return sorted(set(TABLE.findall(code)))


def plain(
    book: Book, page: str, variant: str, draw: Callable[[str], bytes] | None = None
) -> NotebookNode:
    """The notebook of this page, for a reader, a student or an instructor.

    `draw` makes a PNG of an SVG; without it a figure is an image in HTML, which shows the SVG.
    """
    if variant not in VARIANTS:
        raise ValueError(f"`variant` must be one of {', '.join(VARIANTS)}; got {variant!r}.")
    return Writer(book, page, variant, draw).write()


def write_variant(
    book: Book, folder: Path, variant: str, draw: Callable[[str], bytes] | None = None
) -> None:
    """Write the notebooks of one variant, and the files that their cells read."""
    folder.mkdir(parents=True, exist_ok=True)
    for page in book.pages:
        written = text(plain(book, page, variant, draw))
        (folder / book.file_name(page)).write_text(written, encoding="utf-8")
    if book.package:  # what Binder installs, or whoever has nothing else of the course
        (folder / "requirements.txt").write_text(f"{book.package}\n", encoding="utf-8")
    for path in book.files():
        (folder / path).parent.mkdir(exist_ok=True)
        shutil.copy(book.root / "book" / path, folder / path)


def text(notebook: NotebookNode) -> str:
    """The notebook as it is stored: the same bytes from every run."""
    return nbformat.v4.writes(notebook, indent=1).rstrip("\n") + "\n"


@dataclass
class Writer:
    """One notebook on its way. A solution may go on over several cells, so `solving` tells where we are."""

    book: Book
    page: str
    variant: str
    draw: Callable[[str], bytes] | None
    solving: str = ""  # the exercise whose solution this is
    behind: Lines = field(default_factory=list)  # for the foot of the page
    headings: list[str] = field(default_factory=list)  # the numbers of those still to come
    lines: Lines = field(default_factory=list)  # of the Markdown cell being written
    files: list[str] = field(default_factory=list)  # that its cells read

    def write(self) -> NotebookNode:
        source = self.book.notebook(self.page)
        self.files = read_files(source)
        self.headings = list(self.book.numbers["sections"].get(self.page, []))
        cells = []
        for cell in source.cells:
            made = self.markdown(cell.source) if cell.cell_type == "markdown" else self.code(cell)
            for k, new in enumerate(made):  # the same identifiers in every run
                new.id = f"{cell.id}-{k}" if k else cell.id
                if ANCHOR.fullmatch(new.source) and cells and cells[-1].cell_type == "markdown":
                    cells[-1].source += f"\n\n{new.source}"  # a cell of its own would leave a gap
                else:
                    cells.append(new)
        if self.headings:
            raise ValueError(f"{self.page}: there are no headings for {self.headings}.")
        if self.behind:
            cells.append(
                new_markdown_cell("\n".join(folded("Behind this page", self.behind)), id="behind")
            )
        return new_notebook(cells=cells, metadata=source.metadata, nbformat_minor=5)

    @property
    def left_out(self) -> bool:
        """Whether we are in a solution that the reader of this variant is to find."""
        return bool(self.solving) and self.variant == "student"

    # Links ----------------------------------------------------------------------------------

    def link(self, words: str, page: str, label: str = "", anchor: str = "") -> str:
        """A link to a page, or to a place in it: its label in a notebook, its anchor in the book."""
        if page == self.page and label:
            return f"[{words}](#{label})"
        if page in self.book.pages:
            return f"[{words}]({self.book.file_name(page)}{f'#{label}' if label else ''})"
        if self.book.address:
            return f"[{words}]({self.book.address}{page}.html{f'#{anchor}' if anchor else ''})"
        return words

    def place(self, label: str, words: str = "") -> str:
        """A link to a label: in these words, or by what the book calls it."""
        page, anchor, said = self.book.numbers["labels"][label]
        return self.link(words or said, page, label, anchor)

    def document(self, target: str, words: str = "") -> str:
        """A link to a page, by its path from this one."""
        here = posixpath.dirname(self.page)
        page = target.lstrip("/") if target.startswith("/") else posixpath.join(here, target)
        lesson = self.book.numbers["lessons"].get(page)
        name = lesson["name"] if lesson else self.book.numbers["titles"][page]
        return self.link(words or name, page)

    def reference(self, match: re.Match) -> str:
        """What stands in the place of a role, such as {ref}`words <label>`."""
        role, inside = match.groups()
        given = WORDS.fullmatch(inside)
        words, target = (given["words"], given["target"]) if given else ("", inside)
        if role.startswith("cite"):
            return self.citation(inside.split(","), in_sentence=role == "cite:t")
        if role == "doc":
            return self.document(target, words)
        if role == "term":
            anchor = self.book.numbers["terms"][target.lower()]
            return self.link(words or target, self.book.numbers["glossary"], "", anchor)
        if role == "download":
            return f"[{words}]({target})"
        return self.place(target, words)

    def citation(self, keys: list[str], in_sentence: bool) -> str:
        """`Block [1962]` in a sentence, otherwise `[Block, 1962]`, as in the book."""
        works = sorted(
            (self.book.numbers["works"][key.strip()] for key in keys),
            key=lambda work: work["place"],
        )
        page = self.book.numbers["bibliography"]
        if in_sentence:
            return ", ".join(
                f"{work['who']} [{self.link(work['year'], page, '', work['anchor'])}]"
                for work in works
            )
        said = (
            self.link(f"{work['who']}, {work['year']}", page, "", work["anchor"]) for work in works
        )
        return f"[{', '.join(said)}]"

    def markdown_link(self, match: re.Match) -> str:
        """A link in Markdown: to another page, or to a label."""
        words, target = match["words"], match["target"]
        stem, _, suffix = target.rpartition(".")
        if suffix in ("ipynb", "md") and "//" not in target:
            return self.document(stem, words)
        label = target.removeprefix("#")
        return self.place(label, words) if label in self.book.numbers["labels"] else match[0]

    def inline(self, text: str) -> str:
        """The text with its links, and each displayed formula on one line with its number."""

        def display(match: re.Match) -> str:
            tex, label = " ".join(match["tex"].split()), match["label"]
            if not label:
                return f"$$ {tex} $$"
            number = self.called(label).strip("()")
            return f'<a id="{label}"></a>$$ {tex} \\tag{{{number}}} $$'

        text = LINK.sub(self.markdown_link, text)
        return DISPLAY.sub(display, ROLE.sub(self.reference, text))

    # Markdown -------------------------------------------------------------------------------

    def markdown(self, source: str) -> Iterator[NotebookNode]:
        """The cells that this text becomes: several where a student is to write something."""
        going_on = self.solving
        self.lines = []
        for block in blocks(source):
            if block.name == "solution-start" and self.variant == "student":
                yield from self.flushed()
                yield new_markdown_cell(f"*Your answer to {self.called(block.title)}:*")
                yield new_code_cell("# your code")
            self.lines += self.block(block)
        if self.solving and not self.left_out and self.variant == "reader":
            self.lines += ["", "</details>"]
        if going_on and self.variant == "reader" and self.lines:
            summary = f"<details><summary>Solution to {going_on}, continued</summary>"
            self.lines = [summary, "", *self.lines]
        yield from self.flushed()

    def flushed(self) -> Iterator[NotebookNode]:
        text = re.sub(r"\n{3,}", "\n\n", "\n".join(self.lines)).strip()
        # a solution that begins or ends with code has nothing to fold here
        text = re.sub(r"<details><summary>[^<]*</summary>\s*</details>\s*", "", text).strip()
        self.lines = []
        if text:
            yield new_markdown_cell(text)

    def block(self, block: "Block") -> Lines:
        """A piece of the page in plain Markdown."""
        if block.name == "solution-start":
            self.solving = self.called(block.title)
            if self.left_out:
                return []
            if self.variant == "instructor":
                return [f"**Solution to {self.solving}.**", ""]
            return [f"<details><summary>Solution to {self.solving}</summary>", ""]
        if block.name == "solution-end":
            ends = "</details>" if self.variant == "reader" else "" if self.left_out else "∎"
            self.solving = ""
            return ["", ends, ""]
        if self.left_out or block.name in NOT_SHOWN:
            return []
        if block.name:
            return ["", *self.directive(block)]
        if block.code:
            return block.body
        return self.prose(block.body)

    def prose(self, lines: Lines) -> Lines:
        """Paragraphs: labels become anchors, headings get their numbers, references their words."""
        shown = []
        for line in lines:
            if label := LABEL.fullmatch(line):
                shown.append(f'<a id="{label["label"]}"></a>')
            elif heading := re.fullmatch(r"(##?) (.*)", line):
                number = f"{self.headings.pop(0)}. " if self.headings else ""
                shown += ["", f"{heading[1]} {number}{heading[2]}"]
                if heading[1] == "#":
                    shown += self.study_time()
            else:
                shown.append(line)
        return self.inline("\n".join(shown)).split("\n")

    def study_time(self) -> Lines:
        """The line below the title of a lesson: its track, its time, and what comes before."""
        lesson = self.book.numbers["lessons"].get(self.page)
        if not lesson:
            return []
        track = f"{{ref}}`{lesson['track']} <{self.book.numbers['way']}>`"
        said = f"{track} · {lesson['time']} with the exercises"
        if lesson["after"]:
            before = ((page, self.book.numbers["lessons"][page]) for page in lesson["after"])
            names = (f"{{doc}}`{one['number']} {one['name']} </{page}>`" for page, one in before)
            said += f" · after {'; '.join(names)}"
        if lesson["knows"]:
            ideas = (
                f"{{ref}}`{idea} <{at}>`" if at else idea for idea, at in lesson["knows"].items()
            )
            said += f" · you should know {', '.join(ideas)}"
        return ["", said]

    def content(self, block: "Block") -> Lines:
        """What stands inside a directive, which may have others in it."""
        return [line for inner in blocks("\n".join(block.body)) for line in self.block(inner)]

    def directive(self, block: "Block") -> Lines:
        """A box, a proof, hints … in Markdown that every front end shows."""
        label = block.options.get("label", "")
        anchor = [f'<a id="{label}"></a>', ""] if label else []
        name = self.called(label) if label else ""
        title = self.inline(block.title)
        match block.name:
            case "prf:proof":
                proof = [*self.content(block), "∎"]
                if "dropdown" in block.options.get("class", ""):
                    return folded("Proof", proof)
                return ["*Proof.*", "", *proof, ""]
            case "exercise-start":
                stars = re.search(r"star-(\d)", block.options.get("class", ""))
                level = f" {'⋆' * int(stars[1])}" if stars else ""
                return [*anchor, f"**{name}{level} {title}**", ""]
            case "mistake":
                return [*quoted([f"**A common mistake.** *{title}*", "", *self.content(block)]), ""]
            case "hints":
                hints = re.split(r"(?m)^- ", "\n".join(block.body))[1:]
                written = [self.prose(hint.replace("\n  ", "\n").split("\n")) for hint in hints]
                return hints_folded(written)
            case "behind":
                self.behind += self.content(block)
                return []
            case "second-reading":
                return ["*For second reading.*", ""]
            case "literalinclude":
                code = (self.book.source(self.page).parent / block.title).read_text("utf8")
                return ["```python", *code.rstrip("\n").split("\n"), "```", ""]
            case "tracks":
                tracks = self.book.numbers["tracks"]
                return [*(f"- **{t['name']}** · {t['time']}. {t['says']}" for t in tracks), ""]
            case "lessons":
                return list(self.contents())
            case statement if statement.startswith("prf:"):
                entitled = f" ({title})" if title else ""
                return [*anchor, *quoted([f"**{name}{entitled}.**", "", *self.content(block)]), ""]
        raise ValueError(
            f"{self.page}: there is no rule for the directive `{block.name}`; add one."
        )

    def contents(self) -> Iterator[str]:
        """All lessons by chapter, in their order."""
        lessons = self.book.numbers["lessons"]
        for chapter in self.book.numbers["chapters"]:
            yield from ("", f"**{chapter['name']}**", "")
            for page in chapter["pages"]:
                lesson = lessons[page]
                title = self.link(self.book.numbers["titles"][page], page)
                yield f"- {lesson['number']} · {title} ({lesson['track']}, {lesson['time']})"
        yield ""

    # Code -----------------------------------------------------------------------------------

    def code(self, cell: NotebookNode) -> Iterator[NotebookNode]:
        if self.left_out:
            return
        if asked := ASKED.fullmatch(cell.source.strip()):
            yield from self.question(bank()[asked["name"]])
            return
        meta = cell.metadata.get("mystnb", {})
        figure, tags = meta.get("figure", {}), set(cell.metadata.get("tags", []))
        install = INSTALL.match(cell.source)
        if install:
            yield self.installation(install)
        new = new_code_cell(COMMENT.sub("", cell.source), execution_count=cell.execution_count)
        explored = any("data-explore" in shown(output, "text/html") for output in cell.outputs)
        if not explored:
            new.outputs = [self.output(output, meta) for output in cell.outputs]
        if tags & HIDDEN or (self.solving and self.variant == "reader"):
            fold(new, self.title(cell, figure, tags, explored), outputs=bool(self.solving))
        if figure:
            yield new_markdown_cell(f'<a id="{figure["name"]}"></a>')
        yield new
        if figure:
            yield new_markdown_cell(
                f"**{self.called(figure['name'])}.** {self.inline(figure['caption'])}"
            )
        if explored:
            yield self.leads_to_the_page(cell)

    def title(self, cell: NotebookNode, figure: dict, tags: set[str], explored: bool) -> str:
        """What a folded cell is called."""
        if figure:
            return self.called(figure["name"])
        if explored:
            return "A figure to move"
        if "check" in tags:
            said = cell.source.partition("\n")[0].removeprefix("# Check:")
            checked = [self.called(label) for label in re.findall(r"[\w-]+", said)]
            return f"Check of {', '.join(checked)}" if checked else "Check"
        return f"Solution to {self.solving}" if self.solving else "Code"

    def called(self, label: str) -> str:
        return self.book.numbers["labels"][label][2]

    def installation(self, install: re.Match) -> NotebookNode:
        """A first cell that gets the package, and the files of this page, where they are missing."""
        lines = [
            "import importlib.util",
            "",
            'if importlib.util.find_spec("linlearn") is None:  # on Colab, for example',
            f"    %pip install -q {install['what']}",
        ]
        for path in self.files:
            url = f"{install['repository']}/raw/main/{posixpath.join(posixpath.dirname(self.page), path)}"
            lines += [
                "",
                "from pathlib import Path",
                "from urllib.request import urlretrieve",
                "",
                f'if not Path("{path}").exists():',
                f'    Path("{path}").parent.mkdir(exist_ok=True)',
                f'    urlretrieve("{url}", "{path}")',
            ]
        return fold(new_code_cell("\n".join(lines)), "Get the course's package, unless it is here")

    def leads_to_the_page(self, cell: NotebookNode) -> NotebookNode:
        """Where a figure that moves is found, if it does not move here."""
        drawn = re.search(r'place="([\w-]+)"', cell.source)
        name, place = (self.called(drawn[1]), f"#{drawn[1]}") if drawn else ("this page", "")
        if self.book.address:
            name = f"[{name}]({self.book.address}{self.page}.html{place})"
        return new_markdown_cell(f"*Run this cell to move the figure, or move {name} in the book.*")

    def output(self, output: NotebookNode, meta: dict) -> NotebookNode:
        """An output; a figure gets a second form, for where no SVG is shown."""
        svg = shown(output, "image/svg+xml")
        if not svg:
            return output
        width, height = (
            round(float(side) * 4 / 3)
            for side in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups()
        )
        alt = meta.get("image", {}).get("alt", "")
        if self.draw:
            output.data["image/png"] = base64.b64encode(self.draw(svg)).decode()
            output.metadata["image/png"] = {"width": width, "height": height, "alt": alt}
        else:
            coded = base64.b64encode(output.data.pop("image/svg+xml").encode()).decode()
            output.data["text/html"] = (
                f'<img src="data:image/svg+xml;base64,{coded}" width="{width}" height="{height}" '
                f'alt="{escape(alt)}" style="background: white">'
            )
        return output

    # Questions ------------------------------------------------------------------------------

    def question(self, asked: Question) -> Iterator[NotebookNode]:
        """The question, a cell for the answer, and what the variant says about it."""
        choices = [
            f"- ({letter}) {c.says}" for letter, c in zip(LETTERS, asked.choices, strict=False)
        ]
        hints = hints_folded([[hint] for hint in asked.hints])
        text = [f"**Now you.** {asked.ask}", "", *choices, "", *hints]
        yield new_markdown_cell(re.sub(r"\n{3,}", "\n\n", "\n".join(text)).strip())
        yield new_code_cell(f'practice.check("{asked.name}", ...)  # {what_to_write(asked)}')
        if self.variant == "reader":
            yield new_markdown_cell("\n".join(folded("The answer", [right(asked)])))
        if self.variant == "instructor":
            yield new_markdown_cell("\n".join(for_the_lecturer(asked)))


def what_to_write(asked: Question) -> str:
    if asked.choices:
        return 'replace ... by a letter, such as "a"'
    count = asked.answer.count(",") + 1
    example = ", ".join(["1/2"] * count)
    return f'replace ... by {"a number" if count == 1 else f"{count} numbers"}, such as "{example}"'


def right(asked: Question) -> str:
    """The right answer, and why it is."""
    for letter, choice in zip(LETTERS, asked.choices, strict=False):
        if choice.right:
            return f"**({letter})** {choice.why}"
    return f"**{asked.answer}.** {asked.why}".strip()


def for_the_lecturer(asked: Question) -> Lines:
    """The right answer, and what is behind each wrong one."""
    if asked.choices:
        wrong = [
            (f"({letter}) {choice.says}", choice.why)
            for letter, choice in zip(LETTERS, asked.choices, strict=False)
            if not choice.right
        ]
    else:
        wrong = [(each.answer, each.why) for each in asked.wrong]
    note = [f"**For the lecturer.** Right: {right(asked)}"]
    if wrong:
        note += ["", "What students get wrong:", "", *(f"- “{says}”. {why}" for says, why in wrong)]
    return quoted(note)


def shown(output: NotebookNode, kind: str) -> str:
    return "".join(output.get("data", {}).get(kind, ""))


def fold(cell: NotebookNode, title: str, outputs: bool = False) -> NotebookNode:
    """Hide the source, in the ways of Jupyter and of Colab; its first line says what it is."""
    cell.metadata = nbformat.from_dict({"jupyter": {"source_hidden": True}, "cellView": "form"})
    if outputs:
        cell.metadata.jupyter.outputs_hidden = True
    cell.source = f"# @title {title}\n{cell.source}"
    return cell


def folded(summary: str, lines: Lines) -> Lines:
    return [f"<details><summary>{summary}</summary>", "", *lines, "", "</details>", ""]


def hints_folded(hints: list[Lines]) -> Lines:
    names = ("A hint", *("Another hint" for _ in hints))
    return [line for name, hint in zip(names, hints, strict=False) for line in folded(name, hint)]


def quoted(lines: Lines) -> Lines:
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    return [f"> {line}".rstrip() for line in text.split("\n")]


# The blocks of a page -----------------------------------------------------------------------


@dataclass
class Block:
    """A directive with its title and options, a block of code, or (without a name) lines of text."""

    name: str = ""
    title: str = ""
    body: Lines = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    code: bool = False


def blocks(source: str) -> Iterator[Block]:
    """The text, cut at its directives and blocks of code."""
    lines, text = source.split("\n"), Block()
    while lines:
        line = lines.pop(0)
        fence = FENCE.fullmatch(line)
        if not fence:
            text.body.append(line)
            continue
        if any(text.body):
            yield text
        text = Block()
        body = []
        while lines and lines[0].strip() != fence["mark"]:
            body.append(lines.pop(0))
        if not lines:
            raise ValueError(f"The block that begins with {line!r} has no end.")
        end = lines.pop(0)
        if not fence["name"]:
            yield Block(code=True, body=[line, *body, end, ""])
            continue
        options = {}
        while body and (option := OPTION.fullmatch(body[0])):
            options[option["name"]] = option["value"]
            body.pop(0)
        if fence["name"] in ("exercise", "solution"):  # short for what begins and ends
            yield Block(f"{fence['name']}-start", fence["title"], [], options)
            yield from blocks("\n".join(body))
            yield Block(f"{fence['name']}-end")
        else:
            yield Block(fence["name"], fence["title"], body, options)
    if any(text.body):
        yield text
