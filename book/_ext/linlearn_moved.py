"""Old addresses keep working: where a statement has moved to another page, its old anchor leads there.

`book/_data/moved.csv` names the page that a reader's link leads to, the anchor, and the page it is on now.
The old page ends with one line for each, shown only to whom the address asks for it; `book.js` goes on.
"""

import csv
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.transforms import SphinxTransform


def moved(root):
    """The rows of the table of the book in this folder."""
    path = Path(root, "book/_data/moved.csv")
    return list(csv.DictReader(path.read_text("utf8").splitlines())) if path.exists() else []


class Moved(SphinxTransform):
    """Put the old anchors at the end of the page that they were on."""

    default_priority = 900

    def apply(self):
        for row in moved(self.env.srcdir):
            if self.env.docname == f"book/{row['page']}":
                anchor, to = escape(row["anchor"]), escape(row["to"])
                line = f'<p class="moved" id="{anchor}"><a href="{to}.html#{anchor}">This has moved.</a></p>'
                self.document.append(nodes.raw("", line, format="html"))


def setup(app):
    app.add_transform(Moved)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
