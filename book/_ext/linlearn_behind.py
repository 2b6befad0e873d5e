"""The line *Behind this page* at a page's foot: sources, errata, checks, formal statements.

A page adds to it with the directive `behind`, wherever the matter comes up. The line is left out in print.
"""

from pathlib import Path

from docutils import nodes
from linlearn_appendices import errata_of, link, paragraph
from linlearn_folds import fold, folded, is_cell
from linlearn_lessons import lessons
from linlearn_proofs import formal_statement, proved_theorems
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective

CHECKED = "checked"  # the page that says how


class behind(nodes.General, nodes.Element):
    """Something to be moved to the foot of the page."""


class Behind(SphinxDirective):
    """A remark that is not part of the lesson: where it comes from, or what the package runs in its place."""

    has_content = True

    def run(self):
        remark = behind()
        self.state.nested_parse(self.content, self.content_offset, remark)
        return [remark]


class Foot(SphinxTransform):
    """Close a lesson, and each page that uses `behind`, with what stands behind it."""

    default_priority = 810  # after the folds, so that checks are there

    def apply(self):
        remarks = list(self.document.findall(behind))
        for remark in remarks:
            remark.parent.remove(remark)
        said = [node for remark in remarks for node in remark.children]
        stem = Path(self.env.docname).name
        if stem in lessons(self.env.srcdir):
            said += [*self.errata(stem, said), *self.algorithms(), *self.formal(), *self.checks()]
        if said:
            line = [nodes.Text("Behind this page")]
            foot = folded(line, *said, classes=["box", "behind"], ids=["behind"])
            next(self.document.findall(nodes.section)).append(foot)

    def errata(self, stem, said):
        """The entries that concern this page, except those to which a remark leads already."""
        named = {ref["reftarget"] for node in said for ref in node.findall(addnodes.pending_xref)}
        if entries := errata_of(stem, named):
            yield paragraph(nodes.emphasis("", "Errata to the notes"))
            yield nodes.bullet_list("", *entries)

    def formal(self):
        """The statements that Coq has checked, each folded once more."""
        if found := list(proved_theorems(self.document)):
            name = nodes.emphasis("", "Machine-checked statements")
            yield paragraph(name, " (", link("what this means", "machine_checked"), ")")
            yield from (formal_statement(theorem, pair) for theorem, pair in found)

    def algorithms(self):
        """That a cell which shows an algorithm shows the package's own."""
        if any("tag_algorithm" in cell["classes"] for cell in self.document.findall(is_cell)):
            name = nodes.emphasis("", "Algorithms")
            yield paragraph(
                name, ": the code shown is the package's own, without its type annotations."
            )

    def checks(self):
        """What a green line is, and where it is said what else is checked."""
        if any("check" in node["classes"] for node in self.document.findall(fold)):
            said = ": each green line opens to code that asserts what the line says. "
            how = link("How this book is checked", CHECKED)
            yield paragraph(nodes.emphasis("", "Checks"), said, how, ".")


def setup(app):
    app.add_directive("behind", Behind)
    app.add_transform(Foot)
    return {"version": "1"}
