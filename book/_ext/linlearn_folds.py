"""Fold what a reader opens when wanted: checks, imports, long proofs, solutions, `dropdown` boxes.

All are `<details>` of the browser itself: they open without a script, for Ctrl-F, for a link that points
into them, and for the keyboard.
"""

import ast

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx_exercise.nodes import solution_node


class fold(nodes.General, nodes.Element):
    """A box that is shut at first; its first child is the line that opens it."""


class summary(nodes.General, nodes.TextElement):
    """The line that stays visible."""


def folded(line, *content, **attributes):
    return fold("", summary("", "", *line), *content, **attributes)


def part(cell, name):
    """The input or the output of a cell, or None."""
    return next((child for child in cell.children if child.get("nb_element") == name), None)


def printed(output):
    """What the cell printed: the first block of its output, or None."""
    return next(output.findall(nodes.literal_block), None) if output else None


def check(cell):
    """One line in words, printed by the cell, that opens to the code; tables below it stay inside."""
    output = part(cell, "cell_code_output")
    said = printed(output)
    if said is None:
        words = "Checked in code"
    else:
        words, _, rest = said.astext().strip("\n").partition("\n")
        if rest:
            said.replace_self(nodes.literal_block(rest, rest, **{**said.attributes, "ids": []}))
        else:
            said.parent.remove(said)
            if not output.children:
                cell.remove(output)
    return folded([nodes.Text(words)], cell, classes=["check"])


def only_imports(cell):
    code = next(cell.findall(nodes.literal_block)).astext()
    try:
        statements = ast.parse(code).body
    except SyntaxError:  # a magic of the notebook
        return False
    others = [s for s in statements if not isinstance(s, (ast.Import, ast.ImportFrom))]
    return len(others) < len(statements) and {ast.unparse(s) for s in others} <= {STYLE}


def imports(cell):
    return folded([nodes.Text("Imports")], cell, classes=["imports"])


def proof(steps):
    """The idea of a long proof stands before it; its steps fold."""
    first = next(steps.findall(nodes.Text))
    first.parent.replace(first, nodes.Text(first.astext().removeprefix("Proof. ")))
    steps["classes"].remove("dropdown")
    return folded([nodes.Text("Proof")], steps, classes=["steps"])


def box(admonition):
    """A box marked `dropdown`: its title is the line that opens it."""
    title, *content = admonition.children
    classes = [name for name in admonition["classes"] if name != "dropdown"]
    return folded(title.children, *content, classes=["box", *classes], ids=admonition["ids"])


STYLE = "plot.book_style()"  # how every chapter's cell of imports ends


def is_cell(node):
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code"


class Fold(SphinxTransform):
    """Fold what is folded by rule: check cells, cells of imports, proofs and boxes marked `dropdown`."""

    default_priority = 800

    def apply(self):
        for cell in list(self.document.findall(is_cell)):
            if "tag_check" in cell["classes"]:
                replace(cell, check)
            elif "tag_remove-cell" not in cell["classes"] and only_imports(cell):
                replace(cell, imports)
        for admonition in list(self.document.findall(nodes.admonition)):
            if "dropdown" in admonition["classes"]:
                replace(admonition, proof if "proof" in admonition["classes"] else box)


def replace(node, shape):
    """Put shape(node) where the node stands; it may hold the node itself, so that labels stay true."""
    parent, place = node.parent, node.parent.index(node)
    parent[place] = shape(node)


def open_details(translator, node):
    translator.body.append(translator.starttag(node, "details"))


def close_details(translator, node):
    translator.body.append("</details>\n")


def open_summary(translator, node):
    translator.body.append("<summary>")


def close_summary(translator, node):
    translator.body.append("</summary>\n")


def open_solution(translator, node):
    translator.body.append(translator.starttag(node, "details", CLASS="admonition"))


def setup(app):
    app.add_node(fold, html=(open_details, close_details))
    app.add_node(summary, html=(open_summary, close_summary))
    app.add_node(solution_node, override=True, html=(open_solution, close_details))
    app.add_transform(Fold)
    return {"version": "1"}
