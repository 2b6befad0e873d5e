"""What boxes and marks become on a page."""

import re
from html import unescape

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

TEXT = """# A page

## Later

:::{second-reading}
:::

Text.

:::{mistake} A far sample of *any* kind is sure
The sample $3$ is far and wrong.
:::

```{exercise-start} Try it
:label: ex-try
:class: star-2
```

Do it.

```{exercise-end}
```

:::{hints} ex-try
- Look at the first.
- Add $1$.
- Stop.
:::
"""
CONFIG = """
extensions = ["myst_parser", "sphinx_exercise", "linlearn_math", "linlearn_folds", "linlearn_boxes"]
myst_enable_extensions = ["colon_fence", "dollarmath"]
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("boxes")
    (folder / "index.md").write_text(TEXT, "utf8")
    (folder / "conf.py").write_text(CONFIG, "utf8")
    out = folder / "out"
    trees = out / "trees"
    with docutils_namespace():  # another test of the same process may have registered nodes
        Sphinx(folder, folder, out, trees, "html", status=None, warningiserror=True).build()
    html = (out / "index.html").read_text("utf8")
    return html[html.index('<div class="body"') : html.index('<div class="sphinxsidebar"')]


def text(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", "", html)).split())


def test_a_mistake_is_a_box_with_its_belief(page):
    [box] = re.findall(r'<div class="mistake admonition">(.*?)</div>', page, re.DOTALL)
    assert text(box).startswith("A common mistake A far sample of any kind is sure The sample 3")
    assert "<em>any</em>" in box and "<math>" in box


def test_hints_open_one_after_the_other(page):
    """Each item is folded into the one before, and none is open."""
    hints = page[page.index('<details class="hint">') :]
    words = ("A hint Look at the first.", "Another hint Add 1.", "Another hint Stop.")
    assert text(hints).startswith(" ".join(words))
    assert (
        hints.count("<details") == 3 == hints.count("</details>")
        and "open" not in hints.split("Stop")[0]
    )
    assert hints.index("Stop.") < hints.index("</details>")


def test_stars_are_seen_and_heard(page):
    assert '<span role="img" aria-label="Difficulty: 2 of 3">⋆⋆</span>' in page
    assert page.index("Try it") < page.index("⋆⋆") < page.index("Do it.")


def test_second_reading_marks_its_section(page):
    [section] = re.findall(r'<section id="later">(.*?)Text\.', page, re.DOTALL)
    assert text(section.replace("#", "")).endswith("For second reading")
