"""Plain notebooks say what the pages say, under the same numbers, lead where these lead, and run alone."""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import cache
from html import unescape
from importlib import metadata

import kernels
import nbformat
import pytest
from conftest import loud_skip
from guards import ROOT
from jupyter_client.provisioning import local_provisioner
from linlearn_notebooks import launched
from nbclient import NotebookClient
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from linlearn.practice.bank import LETTERS, bank
from tools.editions import notebooks
from tools.editions.plain import VARIANTS, Book, blocks, file_name, plain, read_files, text
from tools.lab import lay_out
from tools.notebooks import pages as source_notebooks

HTML = ROOT / "_build" / "html"
NUMBERS = ROOT / "_build" / "numbers.json"
PAGES = [str(path.relative_to(ROOT).with_suffix("")) for path in source_notebooks(ROOT)]
ADDRESS = "https://book.example/"
MARKDOWN_LINK = re.compile(r"(?<!!)\[([^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]\(([^()\s]+)\)")
PAGE_LINK = re.compile(r'<a class="reference internal" href="([^"]+)"[^>]*>(.*?)</a>', re.DOTALL)
NUMBERED = re.compile(r"(?:[A-Z][a-z]+ \d+[a-z]?\.\d+|\(\d+[a-z]?\.\d+\))")
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.rpartition("/")[2])


@cache
def built(address: str = ADDRESS) -> Book:
    """The book as built, published at an address, so that every reference is a link."""
    if not NUMBERS.exists():
        loud_skip("plain notebooks (_build/numbers.json is missing)", "Run `make book` first.")
    book = Book.built(ROOT, NUMBERS)
    return replace(book, numbers={**book.numbers, "address": address})


def written(page: str, variant: str = "reader", address: str = ADDRESS):
    return once(page, variant, address)


@cache
def once(page: str, variant: str, address: str):
    return plain(built(address), page, variant)


def prose(notebook) -> str:
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


@cache
def html_of(name: str) -> str:
    return (HTML / name).read_text("utf8")


@cache
def ids(name: str) -> set[str]:
    return set(re.findall(r'\bid="([^"]+)"', html_of(name)))


@cache
def article(page: str) -> str:
    return re.search(r"<article.*?</article>", html_of(f"{page}.html"), re.DOTALL)[0]


def words(said: str) -> str:
    """What a page or a notebook says, without formulas, marks, and the shapes of quotes and dashes."""
    said = re.sub(r"<math.*?</math>", "", said, flags=re.DOTALL)
    said = unescape(re.sub(r"<[^>]+>", "", re.sub(r"\$[^$]*\$", "", said)))
    return " ".join(re.sub(r"[*`\\'’‘\"“”]", "", said).replace("--", "–").split())


# The numbers, titles and links of the pages ---------------------------------------------------


def place(page: str, href: str) -> tuple[str, str]:
    """Where a link of a built page leads: a page, and an anchor in it."""
    path, _, anchor = href.partition("#")
    target = (
        (HTML / f"{page}.html").parent.joinpath(path).resolve() if path else HTML / f"{page}.html"
    )
    return str(target.relative_to(HTML).with_suffix("")), anchor


def page_links(page: str, html: str) -> Counter:
    return Counter((words(said), *place(page, href)) for href, said in PAGE_LINK.findall(html))


def notebook_links(page: str) -> Counter:
    """The links of a notebook, as the book has them."""
    book, found = built(), Counter()
    pages = {book.file_name(each): each for each in book.pages}
    for said, target in MARKDOWN_LINK.findall(prose(written(page))):
        path, _, label = target.partition("#")
        if path.startswith(ADDRESS):
            found[words(said), path.removeprefix(ADDRESS).removesuffix(".html"), label] += 1
        elif not path or path in pages:
            anchor = book.numbers["labels"][label][1] if label else ""
            found[words(said), pages.get(path, page), anchor] += 1
    return found


@every_page
def test_references_are_those_of_the_page(page):
    """Each has the words and the place that it has on the page, and none is missing."""
    ours, theirs = notebook_links(page), page_links(page, article(page))
    if page == "index":  # its list of lessons has more links and other words there
        ours = Counter({key: n for key, n in ours.items() if key in theirs})
    moved = {
        key
        for key in ours
        if key[0].startswith("Figure") and f"move [{key[0]}]" in prose(written(page))
    }
    assert not [key for key in ours - theirs if key not in moved]
    reading = page_links(page, article(page).partition('id="behind"')[0])
    assert not [key for key in reading - ours if NUMBERED.fullmatch(key[0])]


@every_page
def test_citations_are_those_of_the_page(page):
    cited = Counter(
        words(said)
        for said in re.findall(
            r'\[<a class="reference internal" href="[^"]*bibliography.*?\]',
            article(page),
            re.DOTALL,
        )
    )
    unlinked = MARKDOWN_LINK.sub(r"\1", prose(written(page)))
    found = Counter(map(words, re.findall(r"\[[^\[\]$]*(?:\b\d{4}|n\.d\.)\]", unlinked)))
    assert found == cited


@every_page
def test_headings_are_those_of_the_page(page):
    headings = re.findall(r"<h[12]>(.*?)<a class=\"headerlink", article(page), re.DOTALL)
    bare = re.sub(r"^```.*?^```", "", prose(written(page)), flags=re.MULTILINE | re.DOTALL)
    ours = re.findall(r"^##? (.*)$", bare, re.MULTILINE)
    assert [*map(words, ours)] == [*map(words, headings)]


@every_page
def test_statements_figures_and_equations_are_numbered_as_on_the_page(page):
    html, ours = article(page), prose(written(page))
    titles = re.findall(
        r'<span class="caption-number">([^<]*\d) </span>(.*?)'
        r'(?:<a class="(?:machine|headerlink)|</p>|<span class="caption-text)',
        html,
        re.DOTALL,
    )
    boxes = re.findall(r"^> \*\*([A-Z]\w+ \d\w*\.\d+)(?: \((.*)\))?\.\*\*$", ours, re.MULTILINE)
    figures = re.findall(r"^\*\*(Figure [\w.]*\d)\.\*\*()", ours, re.MULTILINE)
    exercises = re.findall(r"^\*\*(Exercise \d\w*\.\d+)(?: ⋆+)? ?(.*)\*\*$", ours, re.MULTILINE)
    found = Counter((name, words(title)) for name, title in (*boxes, *figures, *exercises))
    assert found == Counter((words(name), words(title)) for name, title in titles)
    equations = re.findall(r'<span class="eqno">\((.*?)\)<', html)
    assert sorted(re.findall(r"\\tag\{(.*?)\}", ours)) == sorted(equations)


# Plain Markdown -------------------------------------------------------------------------------


@every_page
@pytest.mark.parametrize("variant", VARIANTS)
def test_no_myst_is_left_and_what_opens_closes(page, variant):
    notebook = written(page, variant)
    nbformat.validate(notebook)
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            assert not re.search(
                r"\{[\w:-]+\}`|^\s*(`{3,}|:{3,})\{|^:::|^\([\w-]+\)=", cell.source, re.MULTILINE
            )
            assert cell.source.count("<details>") == cell.source.count("</details>")
            assert cell.source.count("$$") % 2 == 0 and cell.source.count("```") % 2 == 0
        assert not re.search(r"practice\.ask|# %pip", cell.source)


# Front ends other than JupyterLab --------------------------------------------------------------

CODE = re.compile(r"```.*?```|`[^`]+`", re.DOTALL)
FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$]+?\$", re.DOTALL)


def formulas(source: str) -> list[str]:
    return [found[0] for found in FORMULA.finditer(source)]


@every_page
def test_formulas_are_found_by_every_front_end(page):
    """VS Code looks at what is beside a dollar."""
    for cell in written(page, "instructor").cells:
        if cell.cell_type != "markdown":
            continue
        bare = CODE.sub("`code`", cell.source)
        for found in FORMULA.finditer(bare):
            tex, after = found[0].strip("$"), bare[found.end() : found.end() + 1]
            if not found[0].startswith("$$"):
                assert tex == tex.strip() and "\n\n" not in tex, found[0]
                assert not re.match(r"\w", bare[found.start() - 1 : found.start()]), found[0]
                assert not re.match(r"\w", after), found[0] + after


def test_nbconvert_keeps_every_formula():
    """GitHub's reader of notebooks and nbviewer are nbconvert's."""
    filters = pytest.importorskip("nbconvert.filters", reason="nbconvert: run `make venv-lab`")
    for page in PAGES:
        kept_formulas(page, filters.markdown2html)


def kept_formulas(page, markdown2html):
    for cell in written(page, "instructor").cells:
        if cell.cell_type != "markdown":
            continue
        bare = CODE.sub("`code`", cell.source)
        shown = re.sub(r"<(pre|code).*?</\1>", "", markdown2html(cell.source), flags=re.DOTALL)
        assert formulas(unescape(re.sub(r"<[^>]+>", "", shown))) == formulas(bare)


@every_page
@pytest.mark.parametrize("variant", VARIANTS)
def test_nothing_depends_on_html_that_front_ends_remove(page, variant):
    """In the text anchors and folds alone; no image from another file; each output has a plain form."""
    for cell in written(page, variant).cells:
        bare = FORMULA.sub("", CODE.sub("", cell.source)) if cell.cell_type == "markdown" else ""
        tags = set(re.findall(r"<(?:/|\w)[^>]*>", bare))
        kept = {"</a>", "<details>", "</details>", "<summary>", "</summary>"}
        assert not [t for t in tags - kept if not re.fullmatch(r'<a id="[\w-]+">', t)]
        assert "![" not in bare and not cell.get("attachments")
        for output in cell.get("outputs", []):
            if "data" in output:
                assert "text/plain" in output.data
                assert not re.search("<script|<iframe|<link", output.data.get("text/html", ""))


@pytest.mark.parametrize(
    ("variant", "address"),
    [*((variant, ADDRESS) for variant in VARIANTS), ("reader", ""), ("instructor", "")],
    ids=lambda value: "published" if "//" in value else value or "unpublished",
)
def test_every_link_leads_somewhere(variant, address):
    """To a notebook or a file beside it, and an anchor there; to the book only where it is published."""
    book = built(address)
    found = {book.file_name(page): prose(written(page, variant, address)) for page in book.pages}
    anchors = {name: set(re.findall(r'<a id="([^"]+)"></a>', said)) for name, said in found.items()}
    files, led_to_book = book.files(), 0
    for name, said in found.items():
        for _, target in MARKDOWN_LINK.findall(said):
            path, _, anchor = target.partition("#")
            if address and path.startswith(address):
                led_to_book += 1
                assert not anchor or anchor in ids(path.removeprefix(address)), target
            elif "//" in path or path.startswith("mailto:"):
                assert ADDRESS not in path
            elif path and path not in found:
                assert path in files, f"{name}: {target}"
            elif anchor:
                assert anchor in anchors[path or name], f"{name}: {target}"
    assert bool(led_to_book) == bool(address)


def test_an_unknown_directive_is_named(tmp_path):
    """A new one needs a rule here; a block without end is no block."""
    source = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_markdown_cell("```{newest} A box\n```")]
    )
    nbformat.write(source, tmp_path / "page.ipynb")
    numbers = {"address": "", "titles": {"page": ""}, "sections": {}, "labels": {}, "lessons": {}}
    with pytest.raises(ValueError, match="no rule for the directive `newest`"):
        plain(Book(tmp_path, numbers), "page", "reader")
    with pytest.raises(ValueError, match="has no end"):
        list(blocks("```{hints} x\n- one"))
    with pytest.raises(
        ValueError, match="`variant` must be one of reader, student, instructor; got 'x'"
    ):
        plain(Book(tmp_path, numbers), "page", "x")


def test_two_runs_write_the_same_bytes():
    for page in PAGES[:4]:
        assert text(plain(built(), page, "reader")) == text(written(page))


def test_names_sort_by_the_numbers_of_the_lessons():
    assert file_name("book/03_dual", "3b") == "03b_dual.ipynb"
    assert file_name("book/quickstart") == "quickstart.ipynb"
    numbered = {
        built().file_name(p): each["number"] for p, each in built().numbers["lessons"].items()
    }
    assert len(numbered) > 40
    by_number = sorted(
        numbered, key=lambda name: numbered[name].zfill(2 + numbered[name][-1].isalpha())
    )
    assert sorted(numbered) == by_number


# Figures and folds ----------------------------------------------------------------------------


def figures(notebook) -> list:
    return [
        output
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "image/svg+xml" in output.get("data", {})
        or "<img" in output.get("data", {}).get("text/html", "")
    ]


def test_figures_are_shown_where_svg_is_not():
    """A PNG beside the drawing; or the drawing in HTML, which has its description."""
    pytest.importorskip("resvg_py", reason="PNG of figures: run `make editions` first")
    page = "book/03_perceptron"
    drawn, light = figures(plain(built(), page, "reader", notebooks.png)), figures(written(page))
    assert len(drawn) == len(light) == 7
    for one, other in zip(drawn, light, strict=True):
        assert {"image/svg+xml", "image/png"} <= one.data.keys()
        said = re.search(
            '<img src="data:image/svg[^"]*" width="(.*?)" height="(.*?)" alt="(.+?)"',
            other.data["text/html"],
        )
        size = one.metadata["image/png"]
        assert (said[1], said[2], unescape(said[3])) == (
            str(size["width"]),
            str(size["height"]),
            size["alt"],
        )


@every_page
def test_code_that_the_page_folds_is_folded(page):
    """In the ways of Jupyter and of Colab, under a title; and no other code is."""
    source = built().notebook(page)
    folded = {"hide-input", "hide-cell", "check", "remove-input", "remove-cell"}
    wanted = {c.id for c in source.cells if folded & set(c.metadata.get("tags", []))}
    for cell in written(page, "instructor").cells:
        if cell.cell_type == "code":
            hidden = cell.metadata.get("jupyter", {}).get("source_hidden", False)
            assert (
                hidden
                == (cell.metadata.get("cellView") == "form")
                == cell.source.startswith("# @title ")
            )
            stem = (
                cell.id if cell.id in {c.id for c in source.cells} else cell.id.rpartition("-")[0]
            )
            assert hidden == (stem in wanted or "find_spec" in cell.source), cell.id


# Variants -------------------------------------------------------------------------------------


def solutions(page: str) -> list[str]:
    return [
        block.title
        for cell in built().notebook(page).cells
        if cell.cell_type == "markdown"
        for block in blocks(cell.source)
        if block.name == "solution-start"
    ]


def inside_solutions(page: str) -> tuple[list[str], list[str]]:
    """The code of the solutions, and how the lines of their text begin, up to the first reference."""
    code, lines, inside = [], [], False
    for cell in built().notebook(page).cells:
        if cell.cell_type == "code":
            code += [cell.source] * inside
            continue
        for block in blocks(cell.source):
            inside = block.name == "solution-start" or (inside and block.name != "solution-end")
            lines += [re.split(r"[{\[]|\$\$", line)[0] for line in block.body] if inside else []
    return code, [line for line in lines if len(line) > 15 and not line.endswith(")=")]


@every_page
def test_students_get_places_for_answers_and_no_solutions(page):
    """For each exercise a place to write; no line of a solution, and no reason of the bank."""
    names = [built().numbers["labels"][label][2] for label in solutions(page)]
    student, reader, lecturer = (
        prose(written(page, v)) for v in ("student", "reader", "instructor")
    )
    solving, saying = inside_solutions(page)
    assert bool(names) == bool(saying)
    assert not {cell.source for cell in written(page, "student").cells} & set(solving)
    assert not [line for line in saying if line in student]
    assert not [line for line in saying if line not in reader or line not in lecturer]
    code = "\n".join(c.source for c in written(page).cells if c.cell_type == "code")
    for name in names:
        assert student.count(f"*Your answer to {name}:*") == 1
        assert f"Solution to {name}" not in student
        assert f"Solution to {name}</summary>" in reader or f"@title Solution to {name}" in code
        assert (
            f"**Solution to {name}.**" in lecturer
            and f"<summary>Solution to {name}" not in lecturer
        )
    asked = re.findall(
        r'practice\.ask\("([\w-]+)"\)', "\n".join(c.source for c in built().notebook(page).cells)
    )
    places = "\n".join(c.source for c in written(page, "student").cells if c.cell_type == "code")
    for question in map(bank().get, asked):
        assert f'practice.check("{question.name}", ...)' in places
        for each in (*question.choices, *question.wrong):
            assert each.why not in student or each.why in question.ask
            if not getattr(each, "right", False):
                assert each.why in lecturer


def answer(name: str) -> str:
    question = bank()[name]
    for letter, choice in zip(LETTERS, question.choices, strict=False):
        if choice.right:
            return letter
    return question.answer


@pytest.fixture(scope="session")
def learner(tmp_path_factory):
    """The environment of a learner: the package is what pip installs, and no folder of the course is seen."""
    sources, installed = tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("installed")
    for name in ("LICENSE", "MANIFEST.in", "README.md", "pyproject.toml"):
        shutil.copy(ROOT / name, sources)
    shutil.copytree(ROOT / "linlearn", sources / "linlearn")
    command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--no-deps"]
    command += ["--no-build-isolation", "--target", str(installed), str(sources)]
    subprocess.run(command, check=True)
    with pytest.MonkeyPatch.context() as patch:
        nursery = kernels.Nursery(local_provisioner.launch_kernel)
        if sys.platform == "linux":
            patch.setattr(local_provisioner, "launch_kernel", nursery)
        yield {**os.environ, "PYTHONPATH": str(installed)}
        if nursery.process:
            nursery.process.stdin.close()
            nursery.process.wait(timeout=10)


@pytest.mark.slow(one_in=26)  # `make students` runs all
@every_page
def test_a_student_can_run_it_alone(page, learner, tmp_path):
    """In a folder with its own tables: every second question is answered, and the others are still open."""
    notebook = plain(built(), page, "student")
    for path in read_files(built().notebook(page)):  # what its first cell fetches
        (tmp_path / path).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / "book" / path, tmp_path / path)
    asked = [cell for cell in notebook.cells if cell.source.startswith("practice.check(")]
    for cell in asked[::2]:
        name = re.search(r'"([\w-]+)"', cell.source)[1]
        cell.source = f"practice.check({name!r}, {answer(name)!r})"
    notebook.cells.append(nbformat.v4.new_code_cell("import linlearn\nlinlearn.__file__"))
    resources = {"metadata": {"path": str(tmp_path)}}
    client = NotebookClient(notebook, timeout=120, kernel_name="python3", resources=resources)
    client.execute(env=learner)
    said = [cell.outputs[0].data["text/plain"].partition(".")[0] for cell in asked]
    assert said == [("Right", "Not answered yet")[k % 2] for k in range(len(asked))]
    assert learner["PYTHONPATH"] in notebook.cells[-1].outputs[0].data["text/plain"]
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output.text for output in outputs if output.get("name") == "stderr"]


@cache
def installed_by(name: str, extras: tuple[str, ...] = ()) -> frozenset[str]:
    """What pip installs with this distribution; of those that are missing here, the name alone."""
    found = {canonicalize_name(name)}
    with suppress(metadata.PackageNotFoundError):
        for need in map(Requirement, metadata.requires(name) or ()):
            if not need.marker or any(need.marker.evaluate({"extra": e}) for e in ("", *extras)):
                found |= installed_by(need.name, tuple(sorted(need.extras)))
    return frozenset(found)


def imported(notebook) -> set[str]:
    """The packages that the cells import."""
    code = [c.source for c in notebook.cells if c.cell_type == "code" and "%pip" not in c.source]
    tree = ast.parse("\n".join(code))
    names = [a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names]
    names += [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {name.partition(".")[0] for name in names} - sys.stdlib_module_names


def test_a_student_has_installed_what_is_imported():
    """What the first cell installs brings every package that a cell imports, whatever the variant."""
    there, homes = installed_by("linclass", ("book",)), metadata.packages_distributions()
    assert {"linclass", "scikit-learn", "matplotlib"} <= there and "pytest" not in there
    for page in PAGES:
        for module in set().union(*(imported(written(page, variant)) for variant in VARIANTS)):
            assert there & set(map(canonicalize_name, homes[module])), f"{page}: {module}"


# Where readers find them ----------------------------------------------------------------------


def test_the_page_offers_its_plain_notebook():
    """The reader's variant is beside the pages; each page leads to its own, and none to its source."""
    book = Book.built(ROOT, NUMBERS)
    for page in book.pages:
        name = book.file_name(page)
        ours = text(written(page, "reader", book.address))
        assert (HTML / "notebooks" / name).read_text("utf8") == ours
        assert f'notebooks/{name}"' in html_of(f"{page}.html")
    for path in HTML.rglob("*.html"):
        assert "_sources/" not in html_of(str(path.relative_to(HTML))), path.name
    assert not (HTML / "_sources").exists() and not list(HTML.rglob("numbers.json"))
    assert all((HTML / "notebooks" / path).exists() for path in book.files())


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        (
            "https://hub.example/v2/gh/us/course/main?urlpath=lab/tree/book/03_dual.ipynb",
            "https://hub.example/v2/gh/us/course/notebooks?urlpath=lab/tree/03b_dual.ipynb",
        ),
        (
            "https://colab.example/github/us/course/blob/main/book/03_dual.ipynb",
            "https://colab.example/github/us/course/blob/notebooks/03b_dual.ipynb",
        ),
    ],
)
def test_launchers_open_the_plain_notebook(url, wanted):
    assert launched(url, "book/03_dual.ipynb", "03b_dual.ipynb") == wanted
    with pytest.raises(ValueError, match="no address of Binder or Colab"):
        launched(url.replace("main", ""), "book/03_dual.ipynb", "03b_dual.ipynb")


def test_what_a_learner_has_written_is_kept(tmp_path, monkeypatch):
    """`make lab` writes what is not there, and never writes a file again."""
    monkeypatch.setattr(
        "tools.editions.plain.plain", lambda _, page, which, draw: written(page, which)
    )
    new = lay_out(built(), tmp_path, "student")
    assert {"index.ipynb", "03b_dual.ipynb", "_data/blocks.csv"} <= set(new)
    (tmp_path / "index.ipynb").write_text("mine", "utf8")
    (tmp_path / "03b_dual.ipynb").unlink()
    assert lay_out(built(), tmp_path, "student") == ["03b_dual.ipynb"]
    assert (tmp_path / "index.ipynb").read_text("utf8") == "mine"
