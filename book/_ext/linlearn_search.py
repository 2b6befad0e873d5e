"""How a page is found: search in an order of ours, titles without TeX, and what a shared link says."""

import re
from html import unescape

import sphinxext.opengraph
from docutils import nodes
from linlearn_math import inline
from sphinx.search import IndexBuilder

collect = IndexBuilder._word_collector


def words(text):
    """What a heading or a paragraph says, its formulas in letters and signs."""

    def part(child):
        if isinstance(child, nodes.math):
            return unescape(re.sub(r"<[^>]+>", "", inline(child.astext())))
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
    first = next(page.findall(nodes.paragraph), None)
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
    sphinxext.opengraph.get_description = description
    app.connect("html-page-context", load)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
