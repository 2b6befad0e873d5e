"""How a page is found: search in an order of ours, titles without TeX, and what a shared link says."""

import functools
import re
import sys
import xml.etree.ElementTree as ET
from types import SimpleNamespace

from docutils import nodes
from linlearn_math import mathml
from linlearn_plain import SUBSCRIPTS, SUPERSCRIPTS
from sphinx.search import IndexBuilder
from sphinx.search.en import SearchEnglish

# Drawing such cards imports Matplotlib, half a second of every build; all pages have one picture.
NO_CARDS = SimpleNamespace(DEFAULT_SOCIAL_CONFIG={}, create_social_card=None)
sys.modules.setdefault("sphinxext.opengraph._social_cards", NO_CARDS)
import sphinxext.opengraph  # noqa: E402

BELOW = {letter: sign for sign, letter in SUBSCRIPTS.items()} | {"−": "₋"}
ABOVE = {letter: sign for sign, letter in SUPERSCRIPTS.items()} | {"−": "⁻", "⊤": "ᵀ"}
ACCENTS = {"¯": "\u0304", "^": "\u0302", "~": "\u0303", "‾": "\u0304"}  # a bar, a hat, a tilde
SCRIPTS = {"msub": [(BELOW, "_")], "munder": [(BELOW, "_")], "msup": [(ABOVE, "^")]}
SCRIPTS |= dict.fromkeys(("msubsup", "munderover"), SCRIPTS["msub"] + SCRIPTS["msup"])


def letters(formula):
    """A formula in letters and signs; indices and exponents are lowered and raised where there are signs."""
    parts = [letters(part) for part in formula]
    if formula.tag == "mfrac":
        return "/".join(parts)
    if formula.tag == "mover":
        return parts[0] + ACCENTS.get(parts[1], parts[1])
    for k, (signs, mark) in enumerate(SCRIPTS.get(formula.tag, ()), start=1):
        if set(parts[k]) <= signs.keys():
            parts[k] = "".join(map(signs.get, parts[k]))
        else:
            parts[k] = mark + (parts[k] if len(parts[k]) == 1 else f"({parts[k]})")
    return (formula.text or "").strip().replace("\u2061", "") + "".join(parts)


BYLINE = "study-time"  # below the title of a lesson: its track and its time
collect = IndexBuilder._word_collector


def words(text):
    """What a heading or a paragraph says, its formulas in letters and signs."""

    def part(child):
        if isinstance(child, nodes.math):
            return letters(ET.fromstring(mathml(child.astext(), display=False)))
        return "".join(map(part, child.children)) if child.children else child.astext()

    return " ".join(part(text).split())


def collect_words(index, page):
    found = collect(index, page)
    read = {
        title.astext(): words(title)
        for title in page.findall(nodes.title)
        if next(title.findall(nodes.math), None)
    }
    found.titles = [(read.get(title, title.strip()), place) for title, place in found.titles]
    return found


def description(page, most, _titles):
    """The first sentences of a page, as many as fit; what a shared link and a list of results say of it."""
    first = next(
        (one for one in page.findall(nodes.paragraph) if BYLINE not in one["classes"]), None
    )
    said = ""
    for sentence in re.split(r"(?<=[.?!])\s+", words(first)) if first else ():
        if said and len(f"{said} {sentence}") > most:
            break
        said = f"{said} {sentence}".strip()
    return said


def load(app, pagename, _template, _context, _doctree):
    if pagename == "search":
        app.add_js_file("search.js", loading_method="defer")


def setup(app):
    IndexBuilder._word_collector = collect_words
    SearchEnglish.stem = functools.cache(SearchEnglish.stem)  # most words stand on several pages
    sphinxext.opengraph.get_description = description
    app.connect("html-page-context", load)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
