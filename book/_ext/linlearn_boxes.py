"""Boxes and marks of a lesson: a common mistake, hints in steps, difficulty, and what is for second reading.

How each is written stands in docs/dev/writing.md; `tests/guards/boxes.py` knows the rules.
"""

import re

from docutils import nodes
from docutils.parsers.rst import directives
from linlearn_folds import folded
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective
from sphinx_exercise.nodes import exercise_enumerable_node, exercise_node

STARS = re.compile(r"star-([123])")


class Mistake(SphinxDirective):
    """A box with what many believe as its title, and the smallest counterexample in it."""

    has_content = True
    required_arguments = 1
    final_argument_whitespace = True

    def run(self):
        said, messages = self.state.inline_text(self.arguments[0], self.lineno)
        call = nodes.inline("", "A common mistake", classes=["call"])
        box = nodes.admonition(
            "", nodes.title("", "", call, nodes.Text(" "), *said), classes=["mistake"]
        )
        self.state.nested_parse(self.content, self.content_offset, box)
        return [box, *messages]


class Hints(SphinxDirective):
    """A list of hints to an exercise, each folded into the one before."""

    has_content = True
    required_arguments = 1
    option_spec = {"class": directives.class_option}  # noqa: RUF012 - docutils reads it so

    def run(self):
        parsed = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, parsed)
        inner = []
        for step, item in reversed(list(enumerate(parsed[0].children))):
            line = nodes.Text("Another hint" if step else "A hint")
            inner = [folded([line], *item.children, *inner, classes=["hint"])]
        return inner


class SecondReading(SphinxDirective):
    """A line which says that the section or the box that it stands in may be left out at first."""

    def run(self):
        return [nodes.paragraph("", "For second reading", classes=["second-reading"])]


class difficulty(nodes.General, nodes.Element):
    """One to three stars."""


class Stars(SphinxTransform):
    """An exercise of the class `star-2` shows two stars, and says so to whoever hears the page."""

    default_priority = 780

    def apply(self):
        for kind in (exercise_node, exercise_enumerable_node):
            for exercise in list(self.document.findall(kind)):
                for name in exercise["classes"]:
                    if match := STARS.fullmatch(name):
                        exercise.insert(1, difficulty(stars=int(match[1])))


def write_stars(translator, node):
    k = node["stars"]
    translator.body.append(
        f'<p class="stars"><span role="img" aria-label="Difficulty: {k} of 3">{"⋆" * k}</span></p>\n'
    )
    raise nodes.SkipNode


def setup(app):
    app.add_node(difficulty, html=(write_stars, None))
    app.add_directive("mistake", Mistake)
    app.add_directive("hints", Hints)
    app.add_directive("second-reading", SecondReading)
    app.add_transform(Stars)
    return {"version": "1"}
