"""Write the reference from the docstrings of the package.

A docstring is plain text with names in back-ticks, sections underlined with dashes, and doctests.
Nothing else is markup, so formulas may hold stars, bars and underscores; `linlearn_plain` finds them.
"""

import functools
import importlib
import inspect
import re
from collections.abc import Callable
from types import ModuleType

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from linlearn_lessons import lessons
from linlearn_plain import pieces
from sphinx.pycode import ModuleAnalyzer

import linlearn

ROOMS = (
    "capacity",
    "certificates",
    "data",
    "estimators",
    "explore",
    "hardness",
    "losses",
    "plot",
    "practice",
)
LISTS = (
    "Parameters",
    "Attributes",
    "Models",
    "Returns",
    "Raises",
)  # sections that are lists of entries
SECTIONS = (*LISTS, "Notes", "Examples")

Link = Callable[[str], str]


def public(module: ModuleType) -> list[str]:
    """What a module offers, in the order of its source: `__all__`, or what it defines itself."""
    if hasattr(module, "__all__"):
        return list(module.__all__)

    def own(value: object) -> bool:
        if callable(value):
            return getattr(value, "__module__", None) == module.__name__
        return type(value).__module__ == module.__name__

    return [name for name, value in vars(module).items() if name[0] != "_" and own(value)]


@functools.cache
def known() -> dict[str, str]:
    """Every public name as a docstring may write it, and the full name under which it stands here.

    Imports the whole package and scikit-learn: only builds that read docstrings need to.
    """
    names = {name: f"linlearn.{name}" for name in linlearn.__all__}
    for room in ROOMS:
        for name in public(importlib.import_module(f"linlearn.{room}")):
            full = f"linlearn.{room}.{name}"
            if room == "certificates":  # some of them stand at the front door, too
                full = names.setdefault(name, full)
            names[f"{room}.{name}"] = full
    return names


# From a docstring to reStructuredText --------------------------------------------------------


def escaped(text: str) -> str:
    return re.sub(r"([\\*|_])", r"\\\1", text)


def code(text: str) -> str:
    return f"\\ ``{text}``\\ "


def typeset(text: str) -> str:
    """Escaped text in which the formulas are marked as such."""
    return "".join(
        f"\\ :math:`{piece}`\\ " if formula else escaped(piece) for formula, piece in pieces(text)
    )


@functools.cache
def titles(app) -> dict[str, str]:
    """The documents of the lessons by their names, and that of the appendix which docstrings name."""
    named = {lesson.name: f"/{lesson.page}" for lesson in lessons(app.srcdir).values()}
    return named | {"Beyond one machine": "/book/beyond_one_machine"}


def linker(obj: object, name: str, titles: dict[str, str]) -> Link:
    """A function that escapes a text; names in back-ticks and quoted lessons become links in it."""
    room = getattr(obj, "__module__", None) or ""
    room = room.removeprefix("linlearn.").split(".")[0]
    try:
        own = {*inspect.signature(obj).parameters, name.split(".")[-1]}
    except (TypeError, ValueError):
        own = {name.split(".")[-1]}

    def role(shown: str) -> str:
        bare = shown.removeprefix("linlearn.")
        target = known().get(f"{room}.{bare}") or known().get(bare)
        if not target or shown in own:
            return code(shown)
        return f"\\ :py:obj:`{shown} <{target}>`\\ "

    def quoted(match: re.Match) -> str:
        if match[1] in titles:
            return f"\\ :doc:`{match[1]} <{titles[match[1]]}>`\\ "
        return code(match[0]) if match[1].islower() else f"“{escaped(match[1])}”"

    def link(text: str) -> str:
        parts = re.split(r"`([^`]+)`", text)
        for k, part in enumerate(parts):
            plain = [
                re.sub('"([^"]+)"', quoted, piece) if j % 2 else typeset(piece)
                for j, piece in enumerate(re.split(r'("[^"]+")', part))
            ]
            parts[k] = role(part) if k % 2 else "".join(plain)
        return "".join(parts)

    return link


def with_classes(text: str) -> str:
    """A type in which the classes of the package are links."""

    def role(match: re.Match) -> str:
        target = known().get(match[0])
        return f"\\ :py:obj:`{match[0]} <{target}>`\\ " if target else match[0]

    return re.sub(r"(?<![\w`.<])[A-Z]\w+(?![\w`>(])", role, text)


def sections(lines: list[str]) -> list[tuple[str, list[str]]]:
    """Pairs (title, lines)."""
    parts: list[tuple[str, list[str]]] = [("", [])]
    for line in lines:
        before = parts[-1][1][-1:]
        if before and before[0] in SECTIONS and line and set(line) == {"-"}:
            parts.append((parts[-1][1].pop(), []))
            continue
        parts[-1][1].append(line)
    return parts


def joined(lines: list[str], *, listed: bool = False) -> list[str]:
    """Each paragraph in one line, so that no name, title or formula is broken; doctests as they are.
    In a list of entries only what is said below them are paragraphs."""
    out, code = [], False
    for line in lines:
        before = out[-1] if out else ""
        goes_on = before.strip() and line.strip() and indent(line) == indent(before) and not code
        code = line.startswith(">>>") or (code and bool(line.strip()))
        if goes_on and not code and (indent(line) or not listed):
            out[-1] += f" {line.strip()}"
        else:
            out.append(line)
    return out


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def prose(lines: list[str], link: Link) -> list[str]:
    """Paragraphs; doctests are left alone."""
    out, code = [], False
    for line in joined(lines):
        code = line.startswith(">>>") or (code and bool(line.strip()))
        out.append(line if code else link(line))
    return out


def entries(lines: list[str], link: Link, *, named: bool) -> list[str]:
    """A definition list of entries `name : type` with what is said about each below it."""
    out: list[str] = []
    lines = joined(lines, listed=True)
    for k, line in enumerate(lines):
        if not line or line.startswith(" "):
            out.append(link(line))
            continue
        name, _, kind = line.partition(" : ")
        if named or kind:
            head = f"{escaped(name)} : {with_classes(link(kind))}" if kind else escaped(name)
        else:
            head = with_classes(escaped(name))
        out += ["", head]
        if not "".join(lines[k + 1 : k + 2]).startswith(" "):
            out += ["    ..", ""]  # nothing more is said: an empty body
    return out


def rewrite(app, what, name, obj, options, lines):
    """Turn a docstring of the package into reStructuredText, in place."""
    link = linker(obj, name, titles(app))
    out: list[str] = []
    for title, part in sections(lines):
        if title:
            out += ["", f".. rubric:: {title}", ""]
        listed = title in LISTS
        named = title in ("Parameters", "Attributes")
        out += entries(part, link, named=named) if listed else prose(part, link)
    lines[:] = [*out, ""]


def returned(app, what, name, obj, options, signature, annotation):
    """Say what comes back where that is a class of the package; shapes stand in the text."""
    if what not in ("function", "method"):
        return None
    kind = inspect.signature(obj).return_annotation
    shown = kind.__name__ if inspect.isclass(kind) and "[" not in str(kind) else str(kind)
    found = re.fullmatch(r"(?:(Iterator|list)\[)?(\w+)\]?", re.sub(r"\w+\.", "", shown))
    if not found or found[2] not in known():
        return None
    ours = f"~{known()[found[2]]}"
    return signature, f"{found[1]}[{ours}]" if found[1] else ours


# A table of names ---------------------------------------------------------------------------


class Glance(Directive):
    """Names with the first sentence of their docstrings; a module stands for all that it offers."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        names = []
        for name in " ".join(self.content).split():
            room = importlib.import_module(f"linlearn.{name}") if name in ROOMS else None
            names += [f"{name}.{each}" for each in public(room)] if room else [name]
        lines = [".. list-table::", "   :class: glance", "   :widths: auto", ""]
        for name in names:
            said = linker(None, name, {})(first_sentence(name))
            lines += [f"   * - :py:obj:`{name} <{known()[name]}>`", f"     - {said}"]
        box = nodes.container()
        self.state.nested_parse(StringList(lines, "glance"), self.content_offset, box)
        return box.children


def first_sentence(name: str) -> str:
    """The first sentence of what a public name says about itself."""
    value, module = linlearn, linlearn
    for part in name.split("."):
        module, value = value, getattr(value, part)
    said = inspect.getdoc(value) or ""
    if not (callable(value) or inspect.ismodule(value)):  # a constant: its text stands below it
        said = ModuleAnalyzer.for_module(module.__name__).find_attr_docs()["", name.split(".")[-1]][
            0
        ]
    sentence = re.split(r"(?<=[^.\s])[.:;](?:\s|$)", " ".join(said.split("\n\n")[0].split()))
    return sentence[0]


def leave_index(app, env):
    """The index lists ideas; names of functions stand in the reference, in the order of their rooms."""
    entries = env.get_domain("index").entries
    for page in entries:
        if page.startswith("book/reference/"):
            entries[page] = []


def setup(app):
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("env-updated", leave_index)
    app.add_directive("glance", Glance)
    app.connect("autodoc-process-docstring", rewrite)
    app.connect("autodoc-process-signature", returned)
    return {"version": "1"}
