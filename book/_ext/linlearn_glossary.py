"""Make the page of the glossary from `_data/glossary.toml`, the one place where a term is described.

An entry has `names`: the standard term, then synonyms, abbreviations and other spellings. Each is a term of
Sphinx's, so a line of the index and a result of the search. `says` is what it means, in a sentence or two.
There may be a `symbol`, and what `sklearn` calls it. `at` is the label of the statement or section that
introduces it; what this course leaves out has `read` instead, a place to read on. Names that are
`ambiguous` have other meanings. By the words in `asked` the search finds it, too.
"""

import functools
import re
import tomllib
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

DATA = Path(__file__).parents[1] / "_data" / "glossary.toml"
STATEMENT = re.compile(r"(def|thm|prop|lem|cor|alg)-")


@functools.cache
def entries():
    return tomllib.loads(DATA.read_text("utf8"))["term"]


def markdown(entry):
    """An entry as the directive `glossary` reads it."""
    facts = []
    if "symbol" in entry:
        facts.append(f"Symbol: {entry['symbol']}")
    if "sklearn" in entry:
        facts.append(f"In scikit-learn: {entry['sklearn']}")
    if "at" in entry:
        label = entry["at"]  # a statement has a number, a section a title
        facts.append(f"See {{prf:ref}}`{label}`" if STATEMENT.match(label) else f"See [](#{label})")
    else:
        facts.append(f"Not in this course; see {entry['read']}")
    said = " ".join(entry["says"].split())
    return "\n".join([*entry["names"], f"  {said}", "", f"  {' · '.join(facts)}", ""])


class Terms(SphinxDirective):
    """All entries in the order of the alphabet, below a line that leads to each letter."""

    def run(self):
        self.env.note_dependency(str(DATA))
        text = "\n".join(["````{glossary}", ":sorted:", "", *map(markdown, entries()), "````"])
        page = nodes.Element()
        self.state.nested_parse(StringList(text.split("\n"), str(DATA)), 0, page)
        first = {}
        for item in page.findall(nodes.definition_list_item):
            term = item.next_node(nodes.term)
            first.setdefault(term.astext()[0].upper(), term["ids"][0])
        letters = nodes.paragraph(classes=["letters"])
        for letter, place in first.items():
            letters += [nodes.reference("", letter, internal=True, refid=place), nodes.Text(" ")]
        return [letters, *page.children]


def setup(app):
    app.add_directive("terms", Terms)
    return {"version": "1"}
