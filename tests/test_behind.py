"""What stands behind a page is at its foot, folded, and nowhere else."""

import re

import pytest
from conftest import loud_skip
from guards import ROOT
from linlearn_lessons import lessons
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

HTML = ROOT / "_build" / "html" / "book"
FOOT = re.compile(r'<details class="box behind" id="behind">\s*<summary>Behind this page</summary>')
# What a student need not read: sources, errata, formal statements, what the package runs.
BELONG = (
    "<em>From the notes</em>",
    "<em>In the package</em>",
    'href="errata_',
    '<details class="formal"',
)

TEXT = """# A page

Text.

:::{behind}
*Source*: a book.
:::

## Later

More.

:::{behind}
*In the package*: $x$.
:::
"""
CONFIG = """
extensions = ["myst_parser", "sphinx_exercise", "linlearn_math", "linlearn_folds", "linlearn_behind"]
myst_enable_extensions = ["colon_fence", "dollarmath"]
"""


def test_remarks_are_gathered_at_the_foot(tmp_path):
    """From wherever they stand, in their order, below the last section."""
    (tmp_path / "index.md").write_text(TEXT, "utf8")
    (tmp_path / "conf.py").write_text(CONFIG, "utf8")
    out = tmp_path / "out"
    with docutils_namespace():  # another test of the same process may have registered nodes
        Sphinx(tmp_path, tmp_path, out, out / "trees", "html", status=None).build()
    html = (out / "index.html").read_text("utf8")
    before, foot = FOOT.split(html)
    assert "More." in before and "Source" not in before and "In the package" not in before
    assert foot.index("Source") < foot.index("In the package") < foot.index("</details>")


@pytest.mark.parametrize("stem", lessons(ROOT))
def test_a_lesson_keeps_it_at_its_foot(stem):
    """A reader of the lesson meets one folded line, and what belongs behind the page only in it."""
    path = HTML / f"{stem}.html"
    if not path.exists():
        loud_skip(f"the foot of {stem} (_build/html is missing)", "Run `make book` first.")
    article = path.read_text("utf8").split('<article class="bd-article">')[1]
    before, foot = FOOT.split(article)
    assert "How this book is checked" in foot
    assert not [words for words in BELONG if words in before]
