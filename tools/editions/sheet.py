"""How a text of the instructor's pack is written: as Markdown, and as a page of HTML to read or to print."""

import re
import shutil
from html import escape
from pathlib import Path

from linlearn_math import TOGETHER, inline
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from tools.editions import ROOT

STYLE = Path(__file__).with_name("sheet.css")
ASSETS = (
    "math.css",
    "stix-two-math.woff2",
    "stix-two-math-OFL.txt",
    "serif.woff2",
    "serif-italic.woff2",
    "source-OFL.txt",
)
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="{up}_static/math.css">
<link rel="stylesheet" href="{up}_static/sheet.css">
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""


def reader() -> MarkdownIt:
    """What turns Markdown with formulas into HTML; a table that is too wide scrolls by itself."""
    made = MarkdownIt("commonmark", {"html": False}).enable("table")
    made.use(dollarmath_plugin)
    made.add_render_rule("math_inline", lambda _self, tokens, k, *_: inline(tokens[k].content))
    scrolled = '<div class="wide" role="group" aria-label="Table" tabindex="0">\n<table>\n'
    made.add_render_rule("table_open", lambda *_: scrolled)
    made.add_render_rule("table_close", lambda *_: "</table>\n</div>\n")
    return made


MARKDOWN = reader()


def put(path: Path, text: str, *, up: str = "") -> None:
    """Write a text as Markdown and as HTML; `up` leads from there to the folder that has `_static`."""
    title = text.partition("\n")[0].lstrip("# ")
    body = re.sub(*TOGETHER, MARKDOWN.render(text))
    page = PAGE.format(title=escape(title), up=up, body=body)
    path.with_suffix(".md").write_text(text, encoding="utf8")
    path.with_suffix(".html").write_text(page, encoding="utf8")


def put_style(out: Path) -> None:
    """The style sheets and fonts of all pages, into `_static` of the folder."""
    (out / "_static").mkdir(exist_ok=True)
    for source in (STYLE, *(ROOT / "book" / "assets" / name for name in ASSETS)):
        shutil.copy(source, out / "_static")
