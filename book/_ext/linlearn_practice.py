"""Turn a cell that calls `practice.ask("name")` into a question on the page, from the same bank.

The page needs no server: what is said about a choice is there already and shown by the style sheet; a
typed answer is compared by `practice.js`, and without a script all answers can be unfolded.
"""

import ast
import html
import json
import re
from pathlib import Path

from docutils import nodes
from linlearn_folds import is_cell, part, replace
from linlearn_math import inline
from markdown_it import MarkdownIt
from math_core import LatexError
from mdit_py_plugins.dollarmath import dollarmath_plugin
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from linlearn import practice
from linlearn.practice.bank import CLOSE, LETTERS, numbers

LOG = logging.getLogger(__name__)
BANK = Path(practice.__file__).parent


MARKDOWN = MarkdownIt("commonmark", {"html": False}).use(
    dollarmath_plugin, renderer=lambda tex, _options: inline(tex)
)


class question_form(nodes.General, nodes.Element):
    """The place of one question on a page."""


WRAPPED = re.compile(
    r'<span class="math inline">(<span class="math (?:(?!</span>).)*</span>)</span>'
)


def words(text):
    """Markdown as HTML; each formula in one box, as elsewhere, so that a full stop can cling to it."""
    return WRAPPED.sub(r"\1", MARKDOWN.renderInline(text))


def spoken(choice):
    """The name of a choice that is a formula, for whom hears it."""
    return f' aria-label="{html.escape(choice.spoken)}"' if choice.spoken else ""


def choices(question):
    yield WITHOUT_SCRIPT
    for letter, choice in zip(LETTERS, question.choices, strict=False):
        verdict = "Right." if choice.right else "Not quite."
        yield (
            f'<div class="choice"><label>'
            f'<input type="radio" name="{question.name}" value="{letter}"'
            f"{spoken(choice)}{' data-right' if choice.right else ''}> "
            f"<span>{words(choice.says)}</span></label>"
            f'<p class="why"><strong>{verdict}</strong> {words(choice.why)}</p></div>'
        )
    yield VERDICT


VERDICT = '<p class="verdict" role="status"></p>'
# Open, it has the style sheet show all reasons; with a script a choice is answered by its own alone.
WITHOUT_SCRIPT = (
    '<noscript><details class="reasons"><summary>The answer and the reasons</summary>'
    "<p>Each choice is followed by its reason.</p></details></noscript>"
)


def typed(question):
    """A line to type into, hints one inside the other, and innermost the answer to unfold."""
    field = f"answer-{question.name}"
    key = {
        "answer": numbers(question.answer),
        "within": question.within,
        "scale": question.scale,
        "close": CLOSE,
        "why": words(question.why),
        "wrong": [{"answer": numbers(w.answer), "why": words(w.why)} for w in question.wrong],
    }
    shown = json.dumps(key).replace("</", r"<\/")  # nothing in it may end the script element
    yield (
        f'<p class="line" hidden><label for="{field}">Your answer</label> <input id="{field}" type="text" '
        f'autocomplete="off" spellcheck="false"> <button type="submit">Check</button></p>'
        f'{VERDICT}<script type="application/json">{shown}</script>'
    )
    folded = (
        f'<details class="answer"><summary>The answer</summary>'
        f"<p><strong>{html.escape(question.answer)}.</strong> {words(question.why)}</p></details>"
    )
    for step, hint in reversed(list(enumerate(question.hints, 1))):
        name = "A hint" if step == 1 else "Another hint"
        folded = (
            f'<details class="hint"><summary>{name}</summary><p>{words(hint)}</p>{folded}</details>'
        )
    yield folded


def form(question):
    """The question as a form of the page."""
    inside = "".join(choices(question) if question.choices else typed(question))
    return (
        f'<form class="practice" id="practice-{question.name}" data-practice="{question.name}">'
        f'<fieldset><legend><span class="call">Now you</span> {words(question.ask)}</legend>'
        f"{inside}</fieldset></form>"
    )


def asked(cell):
    """The name in a cell that is `practice.ask("name")` and nothing else, or None."""
    source = part(cell, "cell_code_source")
    try:
        [line] = ast.parse(next(source.findall(nodes.literal_block)).astext()).body
        call = line.value
        if ast.unparse(call.func) == "practice.ask":
            return call.args[0].value
    except (SyntaxError, ValueError, AttributeError, IndexError):
        pass
    return None


class Ask(SphinxTransform):
    """Replace the cells that ask by forms."""

    default_priority = 790  # before cells are folded

    def apply(self):
        for cell in list(self.document.findall(is_cell)):
            if name := asked(cell):
                replace(cell, lambda _, name=name: question_form(name=name))
                for path in BANK.glob("*.toml"):
                    self.env.note_dependency(str(path))
                self.env.metadata[self.env.docname]["practice"] = True


def write_form(translator, node):
    try:
        translator.body.append(form(practice.bank()[node["name"]]))
    except LatexError as error:
        LOG.warning("question `%s`: %s", node["name"], error, location=node)
    raise nodes.SkipNode


def load(app, pagename, _template, _context, _doctree):
    """Only a page that asks, or keeps what a reader has done, loads what this needs."""
    if app.env.metadata.get(pagename, {}).get("practice"):
        app.add_js_file("practice.js", loading_method="defer")


def setup(app):
    app.add_node(question_form, html=(write_form, None))
    app.add_transform(Ask)
    app.connect("html-page-context", load)
    return {"version": "1"}
