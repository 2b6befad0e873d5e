"""What a reader downloads from a page, or launches, is its plain notebook, not the source in MyST.

The build writes these notebooks into the folder `notebooks` beside the pages. Binder and Colab take them from
the branch of this name in the repository (docs/dev/publishing.md).
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT))
from linlearn_lessons import lessons  # noqa: E402
from linlearn_numbers import NAME  # noqa: E402
from sphinx.errors import ExtensionError  # noqa: E402

from tools.editions.plain import Book, file_name, write_variant  # noqa: E402

FOLDER = BRANCH = "notebooks"
SOURCE, LAUNCH = "download-source-button", "launch-buttons"


def lead_to_notebooks(app, pagename, templatename, context, doctree):
    """Point the buttons of a notebook's page to the plain notebook; other pages have no source to offer."""
    name = None
    if context.get("page_source_suffix") == ".ipynb":
        known = {lesson.page: lesson.number for lesson in lessons(app.srcdir).values()}
        name = file_name(pagename, known.get(pagename, ""))
    for group in context.get("header_buttons", []):
        buttons = group.get("buttons", [])
        buttons[:] = [each for each in buttons if name or each.get("label") != SOURCE]
        for button in buttons:
            if button.get("label") == SOURCE:
                button["url"] = context["pathto"](f"{FOLDER}/{name}", 1)
                button["tooltip"] = "Download this page as a notebook"
            elif group.get("label") == LAUNCH:
                button["url"] = launched(button["url"], f"{pagename}.ipynb", name)


def launched(url, source, name):
    """The address of a launcher, with the branch and the file of the plain notebook."""
    to_branch, count = re.subn(
        r"(/gh/[^/]+/[^/]+/|/blob/)[^/?]+(?=[/?])", rf"\g<1>{BRANCH}", url, count=1
    )
    if not count or not to_branch.endswith(source):
        raise ValueError(f"{url!r} is no address of Binder or Colab; has the theme changed?")
    return to_branch.removesuffix(source) + name


def write(app, exception):
    """All of them, and the tables that their cells read."""
    if exception or app.builder.format != "html":
        return
    book = Book.built(Path(app.srcdir), Path(app.outdir).with_name(NAME))
    try:
        write_variant(book, Path(app.outdir) / FOLDER, "reader")
    except ValueError as error:  # a directive for which there is no rule, for example
        raise ExtensionError(str(error)) from error


def setup(app):
    app.connect(
        "html-page-context", lead_to_notebooks, priority=800
    )  # the theme has written its own
    app.connect("build-finished", write, priority=600)  # after the numbers
    return {"version": "1"}
