"""A second build gives file for file what a first one gives, and `make` knows when it is needed."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import builds
import linlearn_book
import nbformat
import pytest
import yaml
from conftest import loud_skip
from guards import ROOT

from tools.notebooks import normalise

TOC = "format: jb-book\nroot: index\nparts:\n- numbered: 2\n  chapters:\n"
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
    for name in ("book/_ext", "book/assets", "proofs", "tools/editions"):
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
    code, said = builds.build(folder, **how)
    assert (code == 0) == ends_well, said
    return said


def files(folder: Path) -> dict[str, bytes]:
    html = folder / "_build" / "html"
    return {str(p.relative_to(html)): p.read_bytes() for p in html.rglob("*") if p.is_file()}


def test_a_second_build_gives_what_a_first_one_gives(small_book):
    """Whatever has changed: pages, what they show of one another, an extension, the style sheet."""
    write(small_book / "book/02_gone.ipynb", "# A page that goes", figure("fig-gone", 2))
    toc = (small_book / "_toc.yml").read_text("utf8")
    (small_book / "_toc.yml").write_text(toc + "  - file: book/02_gone\n", "utf8")
    build(small_book)
    before = files(small_book)
    (small_book / "book/02_gone.ipynb").unlink()
    (small_book / "_toc.yml").write_text(toc, "utf8")
    change_first_page(small_book / "book")
    extension = small_book / "book/_ext/linlearn_book.py"
    source = extension.read_text("utf8")
    assert source.count('"only-dark"') == 1
    extension.write_text(source.replace('"only-dark"', '"only-dark late"'), "utf8")
    with (small_book / "book/assets/book.css").open("a") as sheet:
        sheet.write("\n.unheard { color: red; }\n")
    build(small_book)
    second = files(small_book)
    shutil.rmtree(small_book / "_build")
    build(small_book, alone=True)  # as `make book` starts it, and not in a fork
    first = files(small_book)
    assert second.keys() == first.keys() and second == first
    assert len([name for name in first if name.endswith(".dark.svg")]) == 2
    assert "book/02_gone.html" in before.keys() - first.keys()
    changed = {name for name in first if before.get(name) != first[name]}
    assert changed >= {f"{page}.html" for page in PAGES}, "the change must reach every page"
    assert b"only-dark late" in first["book/00_first.html"]


def test_a_folder_that_no_build_wrote_is_not_emptied(small_book):
    """Whoever names a folder that holds something else does not lose it."""
    kept = small_book / "_build/html/thesis.txt"
    kept.parent.mkdir(parents=True)
    kept.write_text("Not ours.", "utf8")
    build(small_book)
    assert kept.exists()


@pytest.mark.parametrize(
    ("builder", "command"),
    [
        ("latex", "make editions EDITIONS=pdf"),
        ("singlehtml", "make editions EDITIONS=pdf"),  # of Jupyter Book's `pdfhtml`
        ("epub", "make editions EDITIONS=offline"),
        ("text", "make editions"),
    ],
)
def test_another_builder_says_what_to_use(builder, command):
    app = SimpleNamespace(builder=SimpleNamespace(name=builder))
    with pytest.raises(SystemExit, match=f"`{builder}` cannot .* run `{command}`") as refused:
        linlearn_book.refuse_other_builders(app)
    assert "\n" not in refused.value.code


def test_another_builder_leaves_the_pages_alone(small_book):
    """It stops with its one line before it has removed or written a page."""
    page = small_book / "_build/html/index.html"
    page.parent.mkdir(parents=True)
    (page.parent / ".buildinfo").touch()
    page.touch()
    command = [*builds.ALONE, "--builder", "pdfhtml"]
    done = subprocess.run(command, cwd=small_book, capture_output=True, text=True)
    assert done.returncode and page.exists()
    [line] = done.stderr.splitlines()
    assert "run `make editions EDITIONS=pdf`" in line


def test_a_build_that_failed_fails_again(small_book):
    """A warning that stops a build is not forgotten by the next one."""
    write(small_book / "book/01_second.ipynb", SECOND, "{ref}`nowhere`")
    assert "nowhere" in build(small_book, ends_well=False)
    assert "nowhere" in build(small_book, ends_well=False)


TWINS = {
    "sec-twin": "(sec-twin)=\n## Twins",
    "thm-twin": THEOREM.replace("KEY", "twin"),
    "ex-twin": EXERCISE.replace("KEY", "twin"),
    "eq-twin": "```{math}\n:label: eq-twin\nx\n```",
    "fig-twin": figure("fig-twin", 2),
    "twin": "```{glossary}\ntwin\n  One of two.\n```",
    "twins.found": "```{eval-rst}\n.. py:function:: twins.found\n```",
}


def test_a_name_that_two_pages_give_stops_the_build(small_book):
    """Whatever has the name."""
    with (small_book / "_toc.yml").open("a") as file:
        file.write("  - file: book/02_third\n")
    pages = ("01_second", "02_third")
    for name in pages:
        write(small_book / f"book/{name}.ipynb", "# A page", *TWINS.values())
    write(small_book / "book/00_first.ipynb", "(sec-first)=\n# The first page")
    said = build(small_book, ends_well=False)
    for twin in TWINS:
        assert re.search(
            rf"duplicate .*\b{twin}\b.*\bother instance in .*\b({'|'.join(pages)})\b", said
        ), twin


@pytest.fixture
def made(tmp_path):
    """A folder with the Makefile, files that a book is made from, and the mark of a book made after them."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in MADE_FROM:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "_build").mkdir()
    (tmp_path / "_build/book").touch()
    now = (tmp_path / "_build/book").stat().st_mtime
    for path in tmp_path.rglob("*"):
        os.utime(path, (now - 60, now - 60) if path.name != "book" or path.is_dir() else None)
    return tmp_path


MADE_FROM = ("_config.yml", "_toc.yml", "requirements.txt", "index.ipynb", "genindex.md")
MADE_FROM += ("book/01_page.ipynb", "book/_ext/linlearn_x.py", "book/_data/errata.csv")
MADE_FROM += (
    "linlearn/plane.py",
    "linlearn/practice/01.toml",
    "proofs/pairs.json",
    "tools/editions/plain.py",
)


def builds_anew(folder):
    if not shutil.which("make"):
        loud_skip("when a book is built (make is missing)", "Install make.")
    done = subprocess.run(["make", "-n", "book"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return "jupyter_book" in done.stdout


@pytest.mark.parametrize("name", MADE_FROM)
def test_make_builds_a_book_again_when_a_file_has_changed(made, name):
    assert not builds_anew(made)
    (made / name).touch()
    assert builds_anew(made)


def test_make_builds_a_book_again_when_a_file_is_gone(made):
    """And not when a checkpoint or compiled code is new."""
    for name in ("book/.ipynb_checkpoints/01_page.ipynb", "linlearn/__pycache__/plane.pyc"):
        (made / name).parent.mkdir()
        (made / name).touch()
        os.utime((made / name).parent.parent, (0, 0))  # the first time, a new folder counts
    assert not builds_anew(made)
    (made / "proofs/pairs.json").unlink()
    assert builds_anew(made)


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
    plain = ("/notebooks?urlpath=lab/tree/01_second.ipynb", "/blob/notebooks/01_second.ipynb")
    for there in (
        f'{repository}"',
        f"{repository}/issues",
        "mybinder.org",
        "colab.research",
        *plain,
    ):
        assert there in notebook
    assert {f"{home}{name}.html" for name in PAGES} <= set(re.findall("<loc>(.*?)</loc>", sitemap))
