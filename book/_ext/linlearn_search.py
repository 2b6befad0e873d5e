"""Search: the page orders and shows its results by a script of ours; titles hold no TeX."""

import re
from html import unescape

from docutils import nodes
from linlearn_math import inline
from sphinx.search import IndexBuilder

collect = IndexBuilder._word_collector


def words(title):
    """The text of a heading, its formulas in letters and signs."""

    def part(child):
        if isinstance(child, nodes.math):
            return unescape(re.sub(r"<[^>]+>", "", inline(child.astext())))
        return "".join(map(part, child.children)) if child.children else child.astext()

    return part(title).strip()


def collect_words(index, page):
    found = collect(index, page)
    read = {
        title.astext(): words(title)
        for title in page.findall(nodes.title)
        if next(title.findall(nodes.math), None)
    }
    found.titles = [(read.get(title, title.strip()), place) for title, place in found.titles]
    return found


def load(app, pagename, _template, _context, _doctree):
    if pagename == "search":
        app.add_js_file("search.js", loading_method="defer")


def setup(app):
    IndexBuilder._word_collector = collect_words
    app.connect("html-page-context", load)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
