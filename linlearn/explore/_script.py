"""Bundle the explorables' JavaScript into one script: pages opened from disk cannot import modules."""

import re
from functools import cache
from importlib.resources import files

# Each imports only from those before it; names are unique across all of them.
MODULES = (
    "maths",
    "learn",
    "figure",
    "witnesses",
    "perceptron",
    "capped",
    "certificate",
    "far",
    "losses",
    "turn",
    "fisher",
    "graph",
    "hulls",
    "methods",
    "soft",
    "newton",
    "regularisation",
    "softmax",
    "page",
)


def page() -> str:
    """A classic script that starts the explorables of a page."""
    return f'(() => {{\n"use strict";\n{_joined()}\nstart();\n}})();\n'


def module() -> str:
    """A module that imports nothing, as anywidget wants it."""
    return f"{_joined()}\nexport default {{ render }};\n"


def style() -> str:
    return (files("linlearn.explore") / "explore.css").read_text("utf8")


@cache
def _joined() -> str:
    folder = files("linlearn.explore")
    text = "\n".join((folder / f"{name}.js").read_text("utf8") for name in MODULES)
    text = re.sub(r'^import \{.*\} from "\./\w+\.js";\n', "", text, flags=re.MULTILINE)
    return re.sub(r"^export (?=const|function|class)", "", text, flags=re.MULTILINE)
