"""A second build is quick, and gives file for file what a first one gives."""

import os
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import builds
import nbformat
import pytest
import yaml
from docutils import nodes
from docutils.utils import new_document
from guards import ROOT
from linlearn_again import bones, outline, surroundings
from sphinx.addnodes import toctree

from tools.notebooks import normalise

TOC = "format: jb-book\nroot: index\nparts:\n- numbered: 2\n  chapters:\n"
SURROUNDINGS = ("_config.yml", "_toc.yml", "requirements.txt", "book/references.bib")
SURROUNDINGS += ("book/_ext/linlearn_again.py", "book/assets/book.css", "book/_data/errata.csv")
PAGES = ("book/00_first", "book/01_second", "book/bibliography", "book/checked")

FIRST = """# The first page

What does it ask? See {cite:t}`fisher1936` and {ref}`sec-second`.
"""
THEOREM = "```{prf:theorem} A title\n:label: thm-KEY\n\nIt holds ($x$).\n```\n\n```{prf:proof}\nSee it.\n```"
EXERCISE = "```{exercise} A title\n:label: ex-KEY\n\nTry.\n```"
SOLUTION = "```{solution} ex-KEY\n:class: dropdown\n\nTried.\n```"
SECOND = """(sec-second)=
# The second page

{prf:ref}`thm-old`, {numref}`exercise %s <ex-last>`, {numref}`fig-last`, {ref}`sec-first`.
"""
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="{}" fill="#1f5fa8"/></svg>'


def figure(name, radius):
    cell = nbformat.v4.new_code_cell("plt.show()", execution_count=1)
    cell.metadata["tags"] = ["hide-input"]
    cell.metadata["mystnb"] = {
        "image": {"alt": "a disc"},
        "figure": {"caption": "A disc.", "name": name},
    }
    data = {"image/svg+xml": DRAWING.format(radius)}
    cell.outputs = [nbformat.v4.new_output("display_data", data)]
    return cell


def write(path, *cells):
    cells = [nbformat.v4.new_markdown_cell(c) if isinstance(c, str) else c for c in cells]
    for k, cell in enumerate(cells):
        cell.id = f"cell-{k}"
    path.write_text(normalise(nbformat.v4.new_notebook(cells=cells)), "utf8")


def write_first_page(book):
    write(
        book / "00_first.ipynb",
        FIRST,
        "(sec-first)=\n## A section",
        THEOREM.replace("KEY", "old"),
        *(text.replace("KEY", key) for key in ("cut", "last") for text in (EXERCISE, SOLUTION)),
        figure("fig-last", 3),
    )


def change_first_page(book):
    """Another work is cited, a heading is changed, a theorem and a figure come first, an exercise goes."""
    write(
        book / "00_first.ipynb",
        FIRST.replace("fisher1936", "agmon1954"),
        "(sec-first)=\n## A section with a new heading",
        figure("fig-new", 4),
        *(THEOREM.replace("KEY", key) for key in ("new", "old")),
        *(text.replace("KEY", "last") for text in (EXERCISE, SOLUTION)),
        figure("fig-last", 5),
    )
    os.utime(book / "00_first.ipynb", (0, 0))  # as if an old copy had been put back


@pytest.fixture
def small_book(tmp_path):
    """A folder with the book's own settings and extensions, and five small pages."""
    book = tmp_path / "book"
    for name in ("book/_ext", "book/assets", "proofs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("_config.yml", "requirements.txt", "book/references.bib", "book/bibliography.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    (book / "_data").mkdir()
    header = (ROOT / "book/_data/errata.csv").read_text("utf8").splitlines()[0]
    (book / "_data/errata.csv").write_text(header + "\n", "utf8")
    (tmp_path / "_toc.yml").write_text(
        TOC
        + "".join(f"  - file: {p}\n" for p in PAGES[:-1])
        + f"    sections:\n    - file: {PAGES[-1]}\n",
        "utf8",
    )
    (tmp_path / "index.md").write_text("# Linear classification\n", "utf8")
    (book / "checked.md").write_text("# Counted\n\n```{checked}\n```\n", "utf8")
    write(book / "01_second.ipynb", SECOND)
    write_first_page(book)
    return tmp_path


def build(folder, ends_well=True, **how):
    """Build; return how many pages were parsed, and how many were written."""
    code, said = builds.build(folder, **how)
    assert (code == 0) == ends_well, said
    return tuple(map(int, re.findall(r"(?:Parsing|Writing) (\d+) of 5 pages", said)))


def files(folder: Path) -> dict[str, bytes]:
    html = folder / "_build" / "html"
    return {str(p.relative_to(html)): p.read_bytes() for p in html.rglob("*") if p.is_file()}


def test_second_build_parses_what_changed_and_gives_what_a_first_one_gives(small_book):
    """Numbers, headings, citations, counts and drawings of one page that stand on others included."""
    assert build(small_book) == (5, 5)
    before = files(small_book)
    change_first_page(small_book / "book")
    assert build(small_book) == (2, 5)  # parsed: the page, and the page that counts in all
    second = files(small_book)
    shutil.rmtree(small_book / "_build")
    assert build(small_book, alone=True) == (5, 5)  # as `make book` starts it, and not in a fork
    first = files(small_book)
    assert second.keys() == first.keys() and second == first
    assert len([name for name in first if name.endswith(".dark.svg")]) == 2
    changed = {name for name in first if before.get(name) != first[name]}
    assert changed >= {f"{page}.html" for page in PAGES}, "the change must reach every page"


def test_where_only_words_change_only_their_page_is_written(small_book):
    """And what a search finds there; words put back give the pages that were there before."""
    assert build(small_book) == (5, 5)
    before = files(small_book)
    last = [f"{text}\n\nA word." for text in (SECOND, SECOND + "\n\nUnheard.")]
    for text in (*last, SECOND):
        write(small_book / "book/01_second.ipynb", text)
        assert build(small_book) == (
            2,
            4,
        )  # the page, the one above it, the one that counts, the front page
        seen = files(small_book)
        changed = {name for name in before if before[name] != seen[name]}
        page = {"book/01_second.html", "_sources/book/01_second.ipynb", "searchindex.js"}
        assert changed == (page if text != SECOND else set()) and seen.keys() == before.keys()
        assert (b"unheard" in seen["searchindex.js"]) == ("Unheard" in text)


TABLE = '<table ids="t"><title>Two</title></table>'
PAGE = f"""<document><section ids="a"><title>A</title><figure ids="f"><caption>One</caption></figure>
<section ids="b"><title>B</title><paragraph>Words <emphasis>here</emphasis>.</paragraph></section>
{TABLE}</section></document>"""
HANGS = {
    "a figure": ("<paragraph>", '<figure ids="g"/><paragraph>'),
    "a name": ('ids="f"', 'ids="g"'),
    "a caption": ("<caption>One</caption>", ""),
    "a title": ("<title>Two</title>", ""),
    "a place": (f"</section>\n{TABLE}", f"{TABLE}</section>"),
    "a kind": (TABLE, TABLE.replace("table", "image")),
    "a page below": ("<paragraph>", "<toctree/><paragraph>"),
}
DOES_NOT = {
    "words": ("Words", "Other words, and more of them"),
    "a paragraph": ("<paragraph>", "<paragraph>Before.</paragraph><paragraph>"),
    "a heading's words": (">B<", ">C<"),
    "a caption's words": (">One<", ">Three<"),
}


def page(text):
    """A parsed page, made of what would print like this."""
    kinds = {**vars(nodes), "toctree": toctree}

    def made(element):
        children = nodes.Text(element.text or ""), *map(made, element)
        return kinds[element.tag]("", *children, ids=element.get("ids", "").split())

    whole = new_document("")
    whole.extend(map(made, ElementTree.fromstring(text)))
    return whole


@pytest.mark.parametrize("what", [*HANGS, *DOES_NOT])
def test_numbers_hang_on_what_has_a_name_and_where(what):
    """And on no word: then nothing is numbered again."""
    old, new = {**HANGS, **DOES_NOT}[what]
    assert PAGE.count(old) == 1
    same = outline(bones(page(PAGE))) == outline(bones(page(PAGE.replace(old, new))))
    assert same == (what in DOES_NOT)


def test_a_build_that_failed_fails_again(small_book):
    """A warning that stops a build is not forgotten by the next one, which would not see it."""
    write(small_book / "book/01_second.ipynb", SECOND, "{ref}`nowhere`")
    assert build(small_book, ends_well=False)[0] == 5
    assert build(small_book, ends_well=False)[0] == 5


TWINS = {
    "sec-twin": "(sec-twin)=\n## Twins",
    "thm-twin": THEOREM.replace("KEY", "twin"),
    "ex-twin": EXERCISE.replace("KEY", "twin"),
    "eq-twin": "```{math}\n:label: eq-twin\nx\n```",
    "fig-twin": figure("fig-twin", 2),
    "twin": "```{glossary}\ntwin\n  One of two.\n```",
    "twins.found": "```{eval-rst}\n.. py:function:: twins.found\n```",
}
SLOWLY = """
import os, time

def read_slowly(app, name, source):
    print(f"{name} is read by {os.getpid()}", flush=True)
    time.sleep(1)

at_once = setup

def setup(app):
    app.connect("source-read", read_slowly)
    return at_once(app)
"""


def test_a_name_that_two_pages_give_stops_the_build(small_book):
    """Whatever has the name, and though two processes have read the pages, each of which saw one of them."""
    with (small_book / "book/_ext/linlearn_boxes.py").open("a") as file:
        file.write(SLOWLY)
    with (small_book / "_toc.yml").open("a") as file:
        file.write("  - file: book/02_third\n")
    pages = ("01_second", "02_third")
    for name in pages:
        write(small_book / f"book/{name}.ipynb", "# A page", *TWINS.values(), "Long. " * 999)
    write(small_book / "book/00_first.ipynb", "(sec-first)=\n# The first page")
    code, said = builds.build(small_book)
    assert code, said
    readers = {re.search(f"book/{name} is read by (.*)", said)[1] for name in pages}
    assert len(readers) == 2 or os.cpu_count() == 1
    for twin in TWINS:
        assert re.search(
            rf"duplicate .*\b{twin}\b.*, other instance in .*\b({'|'.join(pages)})\b", said
        ), twin


@pytest.mark.parametrize("name", SURROUNDINGS)
def test_whatever_else_changes_starts_afresh(name, small_book):
    """Beside the text of a page, nothing may change without all pages being parsed anew."""
    before = surroundings(small_book)
    (small_book / name).write_text((small_book / name).read_text("utf8") + "\n", "utf8")
    assert surroundings(small_book) != before


def test_what_is_edited_during_a_build_is_for_the_next(small_book):
    """The pages were made without it: an extension that adds to itself starts afresh each time."""
    with (small_book / "book/_ext/linlearn_boxes.py").open("a") as file:
        file.write("with open(__file__, 'a') as itself:\n    itself.write('# edited\\n')\n")
    assert build(small_book)[0] == build(small_book)[0] == 5


def test_titles_and_the_package_start_afresh_and_text_does_not(small_book):
    """The reference names the chapters by their titles, and is made from the package."""
    known = [surroundings(small_book)]
    change_first_page(small_book / "book")
    assert surroundings(small_book) == known[0]
    write(small_book / "book/01_second.ipynb", SECOND.replace("second page", "last page"))
    known.append(surroundings(small_book))
    (small_book / "linlearn").mkdir()
    (small_book / "linlearn/plane.py").write_text("")
    known.append(surroundings(small_book))
    assert len(set(known)) == 3


def test_an_address_is_named_where_one_is_set(small_book):
    """Published, a book has a sitemap, a shared link its picture, and pages lead to their repository."""
    config, home = small_book / "_config.yml", "https://you.example/course/"
    unset = config.read_text("utf8")
    repository = yaml.safe_load(unset)["repository"]["url"]
    assert unset.count('html_baseurl: ""') == 1
    config.write_text(unset.replace('html_baseurl: ""', f"html_baseurl: {home}"), "utf8")
    build(small_book)
    html = small_book / "_build" / "html"
    page, sitemap = ((html / name).read_text("utf8") for name in ("index.html", "sitemap.xml"))
    assert f'<meta property="og:url" content="{home}index.html" />' in page
    assert f'<meta property="og:image" content="{home}_static/card.png" />' in page
    notebook = (html / "book/01_second.html").read_text("utf8")
    for there in (f'{repository}"', f"{repository}/issues", "mybinder.org", "colab.research"):
        assert there in notebook
    assert {f"{home}{name}.html" for name in PAGES} <= set(re.findall("<loc>(.*?)</loc>", sitemap))
