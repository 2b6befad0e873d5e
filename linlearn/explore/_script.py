"""Bundle the explorables' JavaScript into one script: pages opened from disk cannot import modules."""

import re
from functools import cache
from importlib.resources import files

FOLDER = files("linlearn.explore")
SHARED, LAST = ("maths", "learn", "figure", "witnesses"), "page"


def page() -> str:
    """A classic script that starts the explorables of a page."""
    return f'(() => {{\n"use strict";\n{_joined()}\nstart();\n}})();\n'


def module() -> str:
    """A module that imports nothing, as anywidget wants it."""
    return f"{_joined()}\nexport default {{ render }};\n"


def style() -> str:
    return (FOLDER / "explore.css").read_text("utf8")


def modules() -> list[str]:
    """Each imports only from those before it: a figure from the shared ones, and by name."""
    found = {file.name[:-3] for file in FOLDER.iterdir() if file.name.endswith(".js")}
    return [*SHARED, *sorted(found - {*SHARED, LAST}), LAST]


@cache
def _joined() -> str:
    """All modules as one, in which names are unique."""
    text = "\n".join((FOLDER / f"{name}.js").read_text("utf8") for name in modules())
    text = re.sub(r'^import \{.*\} from "\./\w+\.js";\n', "", text, flags=re.MULTILINE)
    return re.sub(r"^export (?=const|function|class)", "", text, flags=re.MULTILINE)
