"""Link names of the package to the reference, and terms to the glossary, where they are first used.

A name is linked once in each section of the contents, in prose and in code; a term once on each page, unless
the page has defined it by then, with its definition as a tooltip.
"""

import functools
import re
from html import escape

from docutils import nodes
from linlearn_folds import summary
from linlearn_glossary import entries
from linlearn_reference import ROOMS, known
from linlearn_search import words
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

READS = re.compile(r"index|book/(?:\d\d_|errata_).*")  # the pages to be read from top to bottom
ROOM = "|".join(("ll", *ROOMS))
IN_CODE = re.compile(
    rf'<span class="n">(?P<room>{ROOM})</span><span class="o">\.</span><span class="n">(?P<name>\w+)</span>'
)
IN_PROSE = re.compile(
    rf'(?<!">)<code class="docutils literal notranslate">'
    rf'<span class="pre">(?P<room>{ROOM})\.(?P<name>\w+)(?:\([^<]*\))?</span></code>'
)


def places(app):
    """The address of each public name: its page in the reference, and the place there."""
    names, objects = app.env.linlearn_names, app.env.get_domain("py").objects
    return {
        short: (objects[full].docname, objects[full].node_id)  # a module's place is `module-…`
        for short, full in names.items()
        if full in objects
    }


def keep_names(app, env):
    env.linlearn_names = known()


def link_names(body, address):
    """The page with a link on each name at its first use in a section; `address` may answer None."""

    def linked(section):
        seen = set()

        def first(match):
            short = match["name"] if match["room"] == "ll" else f"{match['room']}.{match['name']}"
            target = address(short)
            if target is None or short in seen:
                return match[0]
            seen.add(short)
            return f'<a class="api" href="{target}">{match[0]}</a>'

        return IN_CODE.sub(first, IN_PROSE.sub(first, section))

    return "".join(linked(section) for section in re.split(r"(?=<h2\b)", body))


def link_page(app, pagename, _template, context, _doctree):
    if not (READS.fullmatch(pagename) and context.get("body")):
        return
    known = places(app)

    def address(short):
        if short not in known:
            return None
        page, place = known[short]
        return f"{app.builder.get_relative_uri(pagename, page)}#{place}"

    context["body"] = add_tooltips(link_names(context["body"], address), app.env.linlearn_terms)


# Terms ----------------------------------------------------------------------------------------

GLOSSARY = "book/glossary"
TO_A_TERM = re.compile(
    r'(?<=<a class="reference internal" )href="[^"]*#(?P<term>term-[^"]+)"(?=><span class="[^"]*\bstd-term">)'
)


def ambiguous(name, entry):
    """Whether a name has other meanings, too, as common words do: score, recall, margin, vote."""
    return re.fullmatch("[a-z]+", name) is not None or name in entry.get("ambiguous", ())


@functools.cache
def heads(everything=True):
    """The names in the glossary, as they stand within a sentence or at its beginning, each with the first of
    its entry; all of them, or those that have one meaning."""
    return {
        written: entry["names"][0]
        for entry in entries()
        for name in entry["names"]
        if everything or not ambiguous(name, entry)
        for spelt in (name, name.replace("–", "-"))
        for written in (spelt, spelt[0].upper() + spelt[1:])
    }


@functools.cache
def pattern(everything):
    longest = "|".join(sorted(map(re.escape, heads(everything)), key=len, reverse=True))
    return re.compile(rf"(?<![\w-])({longest})(?:e?s)?(?![\w-])")


def mentions(said, seen, everything=False):
    """Where a text names an entry that is not among the `seen`; it is one of them then."""
    for match in pattern(everything).finditer(said):
        if heads()[match[1]] not in seen:
            seen.add(heads()[match[1]])
            yield match


# Text that is a link, a formula, code, a heading, a picture's text, or what opens a fold already is
# something else.
NOT_PROSE = (
    nodes.title,
    nodes.rubric,
    nodes.reference,
    nodes.literal,
    nodes.caption,
    nodes.math,
    nodes.FixedTextElement,
    nodes.raw,
    nodes.emphasis,
    addnodes.pending_xref,
    summary,
)


def ancestors(node):
    while node.parent is not None:
        node = node.parent
        yield node


class Terms(SphinxPostTransform):
    """Link each term of the glossary where the page uses it first; in the plural, too.

    A name of several words, a compound, an abbreviation or a proper name is linked. A common word is not,
    unless its author marks it (`{term}`); then no other use on the page is linked. A term in bold is
    defined here: no reader of this definition needs another."""

    default_priority = 5  # before Sphinx resolves references, at 10

    def run(self):
        if not READS.fullmatch(self.env.docname) or GLOSSARY not in self.env.found_docs:
            return
        seen = {
            heads().get(link["reftarget"])
            for link in self.document.findall(addnodes.pending_xref)
            if link["reftype"] == "term"
        }
        for text in list(self.document.findall(nodes.Text)):
            if any(isinstance(above, NOT_PROSE) for above in ancestors(text)):
                continue
            if isinstance(text.parent, nodes.strong):
                list(mentions(text.astext(), seen, everything=True))
            elif len(parts := list(self.parts(text.astext(), seen))) > 1:
                text.parent.replace(text, parts)

    def parts(self, said, seen):
        """The text, cut where it names a term for the first time, with a reference in its place."""
        end = 0
        for match in mentions(said, seen):
            yield nodes.Text(said[end : match.start()])
            yield addnodes.pending_xref(
                "",
                nodes.inline("", match[0], classes=["std-term"]),
                refdomain="std",
                reftype="term",
                reftarget=heads()[match[1]],
                refexplicit=True,
                refdoc=self.env.docname,
                refwarn=True,
            )
            end = match.end()
        yield nodes.Text(said[end:])


def collect_definitions(app, env):
    """What the glossary says of each term, by its place: its name and the first paragraph, what it means."""
    glossary = env.get_doctree(GLOSSARY) if GLOSSARY in env.found_docs else nodes.section()
    env.linlearn_terms = {
        term["ids"][0]: f"{term.astext()}: {words(item.next_node(nodes.paragraph))}"
        for item in glossary.findall(nodes.definition_list_item)
        for term in item.findall(nodes.term)
        if term["ids"]
    }


def add_tooltips(body, said):
    """The page with what the glossary says at each link that leads to a term."""

    def titled(match):
        return f'{match[0]} title="{escape(said[match["term"]])}"'

    return TO_A_TERM.sub(titled, body)


def setup(app):
    app.connect("env-updated", keep_names)
    app.connect("env-updated", collect_definitions)
    app.connect("html-page-context", link_page)
    app.add_post_transform(Terms)
    return {"version": "1"}
