"""The reference leaves nothing out: every public name stands in it, explained and with an example."""

import doctest
import importlib
import inspect
import re

import pytest
from conftest import loud_skip
from guards import ROOT
from linlearn_lessons import lessons
from linlearn_reference import ROOMS, known, public

import linlearn
from tools.notebooks import pages as notebooks

PAGES = ROOT / "_build" / "html" / "book" / "reference"
MODULES = {f"linlearn.{room}" for room in ROOMS}
NAMES = sorted(set(known().values()))


def value(full: str) -> object:
    """What a full name means."""
    if full in MODULES:
        return importlib.import_module(full)
    found = linlearn
    for part in full.split(".")[1:]:
        found = getattr(found, part)
    return found


FUNCTIONS = [name for name in NAMES if inspect.isfunction(value(name))]
CLASSES = [name for name in NAMES if inspect.isclass(value(name))]


def test_the_list_of_public_names_is_whole():
    """The front door and every room of the package are in the list that the pages are counted by."""
    assert {f"linlearn.{name}" for name in linlearn.__all__} <= set(NAMES)
    for room in ROOMS:
        for name in public(importlib.import_module(f"linlearn.{room}")):
            assert known()[f"{room}.{name}"] in NAMES
    assert len(FUNCTIONS) > 60 and len(CLASSES) > 20


def test_every_public_name_is_in_the_built_reference():
    """Once each: under the name that a reader imports it by."""
    if not PAGES.exists():
        loud_skip("the built reference (_build/html is missing)", "Run `make book` first.")
    html = "".join(page.read_text("utf8") for page in sorted(PAGES.glob("*.html")))
    found = re.findall(r'id="(?:module-)?(linlearn[\w.]*)"', html)
    missing = sorted(set(NAMES) - set(found))
    assert not missing, f"add to a page in book/reference/: {missing}"
    twice = sorted(name for name in NAMES if found.count(name) > 1)
    assert not twice, f"stands twice in book/reference/: {twice}"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function_is_explained(name):
    """A docstring has an example that runs, and names each argument: in its list, if it has one."""
    function = value(name)
    parts = doctest.DocTestParser().parse(inspect.getdoc(function) or "")
    said = "".join(part for part in parts if isinstance(part, str))
    assert len(parts) > 1, f"{name} has no doctest"
    if "same keywords" in said:
        return
    listed = re.search(
        r"^Parameters\n-+\n(.*?)(?:\n\n\w+\n-+\n|\Z)", said, re.DOTALL | re.MULTILINE
    )
    where = "\n".join(re.findall(r"^(\w.*?) : ", listed[1], re.MULTILINE)) if listed else said
    for argument in inspect.signature(function).parameters.values():
        if argument.name not in ("ax", "style"):
            assert re.search(rf"(?<!\w){argument.name}(?!\w)", where), f"{name}: `{argument.name}`?"


@pytest.mark.parametrize("name", CLASSES)
def test_class_is_explained(name):
    """A class and each of its public methods says what it is."""
    own = value(name)
    assert own.__doc__ and not own.__doc__.startswith(f"{own.__name__}("), name
    for attribute, member in vars(own).items():
        if not attribute.startswith("_") and (callable(member) or isinstance(member, property)):
            assert inspect.getdoc(member), f"{name}.{attribute}"


def test_lessons_named_in_docstrings_exist():
    """The reference links from a docstring to the lesson that it names in quotes; a chapter is no page."""
    known = {lesson.name for lesson in lessons(ROOT).values()}
    for path in sorted((ROOT / "linlearn").rglob("*.py")):
        text = path.read_text("utf8")
        assert not re.search(r'chapter\s+"', text, re.IGNORECASE), f"{path.name}: name the lesson"
        for title in re.findall(r'lesson\s+"([^"]+)"', text, re.IGNORECASE):
            title = " ".join(title.split())
            assert title in known, f"{path.name} names the lesson {title!r}; there are {known}"


NAMED = re.compile(r"((?:[A-Z]\w+,? (?:and )?)*[A-Z]\w+)(?: et al\.)? \(?((?:1[789]|20)\d\d)\b")


def test_works_named_are_in_the_bibliography():
    """A docstring names works by authors and year; each has an entry, which some page of the book cites."""
    entries = (ROOT / "book/references.bib").read_text("utf8").split("\n@")
    pages = "".join(path.read_text("utf8") for path in notebooks(ROOT))
    cited = set(re.findall(r"\w+", " ".join(re.findall(r"\{cite:[pt]\}`([^`]*)`", pages))))
    texts = {name: " ".join((inspect.getdoc(value(name)) or "").split()) for name in NAMES}
    named = {(name, *work) for name, text in texts.items() for work in NAMED.findall(text)}
    assert len(named) > 30
    for name, authors, year in named:
        surnames = re.findall(r"[A-Z][a-z]+", authors)  # as far as BibTeX writes them in ASCII
        keys = {
            re.search(r"\{(\w+),", entry)[1]
            for entry in entries
            if re.search(rf"year\s*= \{{{year}\}}", entry) and all(s in entry for s in surnames)
        }
        assert keys & cited, (
            f"{name} names {authors} {year}: add the work to references.bib, and cite it on a page"
        )


def test_the_index_lists_ideas():
    """A name of a function is looked up in the reference, not between *Fisher's ratio* and *gap*."""
    page = ROOT / "_build" / "html" / "genindex.html"
    if not page.exists():
        loud_skip("the index (_build/html is missing)", "Run `make book` first.")
    listed = re.sub(r"<[^>]+>", "", page.read_text("utf8").split("<h1", 1)[1])
    assert "convex hull" in listed and not re.search(r"\w\(\)|in module|class in", listed)
