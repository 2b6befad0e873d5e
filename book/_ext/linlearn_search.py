"""Build the index of the search: pages, sections and terms, with their order, and what a shared link says.

The index that Sphinx writes for its search page gets three more parts. `places` are all that can be found:
pages, sections, statements, exercises and terms of the glossary, each with its title and what it says first,
so that results have an excerpt where a page may not be fetched, too. `names` are the names of the glossary's
terms, each with its entry and the place that introduces it. `tiers` say which pages come first.
`assets/search.js` ranks them.
"""

import functools
import re
import sys
import xml.etree.ElementTree as ET
from html import escape
from pathlib import Path
from types import SimpleNamespace

from docutils import nodes
from linlearn_glossary import entries
from linlearn_lessons import TRACKS, lessons
from linlearn_math import mathml
from linlearn_plain import SUBSCRIPTS, SUPERSCRIPTS
from sphinx import addnodes
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
MARKS = {"machine", "headerlink"}  # what is said beside a title
# Titles that stand on many pages.
UNASKED = {"Solution", "Exercises", "Practice", "Five sentences to keep"}
# Pages on which one looks something up.
LAST = tuple(
    f"book/{name}" for name in ["reference", "errata", "coverage", "checked", "machine_checked"]
)
LONGEST = 170  # letters of an excerpt, unless its first sentence is longer


# What the words of a page say ------------------------------------------------------------------


def words(text):
    """What a heading or a paragraph says, its formulas in letters and signs, without marks of ours."""
    return " ".join(_sentence_text(text).split())


def _sentence_text(node):
    if isinstance(node, nodes.math):
        return letters(ET.fromstring(mathml(node.astext(), display=False)))
    if isinstance(node, nodes.Element) and MARKS & set(node["classes"]):
        return ""
    return "".join(map(_sentence_text, node.children)) if node.children else node.astext()


def typeset(title):
    """The HTML of a title that has formulas."""
    if isinstance(title, nodes.math):
        return mathml(title.astext(), display=False)
    if isinstance(title, nodes.Element) and MARKS & set(title["classes"]):
        return ""
    return "".join(map(typeset, title.children)) if title.children else escape(title.astext())


def sentences(text):
    return re.split(r"(?<=[.?!])\s+", text)


def beginning(said, most):
    """The first of these sentences, as many as fit; the first in any case."""
    text = ""
    for sentence in said:
        if text and len(f"{text} {sentence}") > most:
            break
        text = f"{text} {sentence}".strip()
    return text


def paragraphs(place):
    return (one for one in place.findall(nodes.paragraph) if BYLINE not in one["classes"])


def description(page, most, _titles):
    """What a shared link and a list of results say of a page."""
    first = next(paragraphs(page), None)
    return beginning(sentences(words(first)), most) if first else ""


# What can be found -----------------------------------------------------------------------------


def places(page):
    """Each place of a page that has a name: its title, all its targets of links, and what it says."""
    found = []
    for node in page.findall(nodes.Element):
        name, ids = title_and_targets(node)
        if name and name not in UNASKED:
            place = node.parent
            formulas = isinstance(node, nodes.title) and next(node.findall(nodes.math), None)
            found.append(
                {
                    "title": name,
                    "html": typeset(node).strip() if formulas and words(node) == name else "",
                    "ids": ids,
                    "says": description(place, LONGEST, None),
                    "bold": introduced_terms(place) if ids else {},
                }
            )
    return found


def title_and_targets(node):
    """The name of the place that this is the title of, and its targets; else no name."""
    place = node.parent
    if isinstance(node, nodes.title) and isinstance(place, nodes.admonition):
        name = ": ".join(filter(None, map(words, node)))  # "A common mistake", and which
        return name, place["ids"] or place.parent["ids"]
    if isinstance(node, nodes.title):
        return re.sub(r"^\((.*)\)$", r"Exercise: \1", words(node)), place["ids"]
    if isinstance(node, nodes.term) and place.next_node(nodes.term) is node and node["ids"]:
        return words(node), node["ids"]  # the terms after the first are synonyms
    if isinstance(node, addnodes.desc_signature) and node["ids"]:
        return node["ids"][0].removeprefix("linlearn."), node["ids"]
    return "", []


def introduced_terms(place):
    """What a place introduces: each term in bold, and the sentences that begin with the one that has it."""
    found = {}
    for paragraph in paragraphs(place):
        said = sentences(words(paragraph))
        for term in map(words, paragraph.findall(nodes.strong)):
            first = next((k for k, one in enumerate(said) if term in one), 0)
            found.setdefault(term.casefold(), beginning(said[first:], LONGEST))
    return found


def tier(docname, known):
    """The track of a lesson; then appendices, what explains words, and what is looked up."""
    if docname in known:
        return list(TRACKS).index(known[docname].track)
    if docname.startswith(LAST):
        return len(TRACKS) + 2
    return len(TRACKS) + (docname in ("book/glossary", "book/notation"))


def search_index(index):
    """What the search page reads: Sphinx's words, and our places, names and tiers."""
    data = freeze(index)
    for part in ("alltitles", "indexentries", "objects", "objnames", "objtypes"):
        del data[part]  # among the places and the names
    known = {lesson.page: lesson for lesson in lessons(Path(index.env.srcdir)).values()}
    terms = entries() if "book/glossary" in index.places else []
    rows, where = [], {}
    for number, docname in enumerate(data["docnames"]):
        for k, place in enumerate(index.places[docname]):
            for name in place["ids"]:
                where.setdefault((docname, name), (len(rows), place))
            anchor = place["ids"][0] if k and place["ids"] else ""  # the first is the page itself
            row = [number, anchor, place["title"], place["says"], place["html"]]
            can = [known[docname].can] if docname in known and not k else []
            rows.append([*row, *can] if can else row if row[-1] else row[:-1])
    return data | {
        "tiers": [tier(docname, known) for docname in data["docnames"]],
        "places": rows,
        "names": [named(entry, index.env, where) for entry in terms],
    }


def named(entry, env, where):
    """An entry's names, other words for it, names in code, its place and the one that introduces it."""
    label = entry.get("at")
    in_glossary, _ = where[env.domaindata["std"]["objects"]["term", entry["names"][0]]]
    code = re.findall(r"`(\w+)`", entry.get("sklearn", ""))
    row = [entry["names"], entry.get("asked", []), code, in_glossary]
    statement = getattr(env, "proof_list", {}).get(label)
    section = env.domaindata["std"]["anonlabels"].get(label, [""])
    page = statement["docname"] if statement else section[0]
    if (page, label) not in where:
        return row
    number, place = where[page, label]
    return [*row, number, place["bold"].get(entry["names"][0].casefold(), "")]


feed, freeze = IndexBuilder.feed, IndexBuilder.freeze


def add_places(index, docname, filename, title, page):
    feed(index, docname, filename, title, page)
    index.places = {**index.places, docname: places(page)}


def load(app, pagename, _template, _context, _doctree):
    if pagename == "search":
        app.add_js_file("rank.js", loading_method="defer")
        app.add_js_file("search.js", loading_method="defer")


def setup(app):
    IndexBuilder.places = {}
    IndexBuilder.feed, IndexBuilder.freeze = add_places, search_index
    SearchEnglish.stem = functools.cache(SearchEnglish.stem)  # most words stand on several pages
    sphinxext.opengraph.get_description = description
    app.connect("html-page-context", load)
    return {"version": "1"}
