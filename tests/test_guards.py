"""Each guard is broken on purpose: the good page passes them all, one change makes the right one speak."""

import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import pytest
from guards import BOOK_GUARDS, GUARDS, ROOT, Page
from guards.built import (
    built_pages,
    dead_links,
    loads_elsewhere,
    poor_images,
    unset_formulas,
)
from guards.cells import (
    checks_have_labels,
    enough_exercises,
    theorems_checked,
    theorems_proved,
)
from guards.inventory import expected, inventory, labels_unique, rows
from guards.numbers import find, prose_numbers
from guards.reading import CITED, read
from nbformat import NotebookNode
from nbformat.v4 import new_output

GOOD = Page.open(Path(__file__).parent / "fixtures" / "good.ipynb")
CHAPTER = Path("99_good.ipynb")
RESULTS = '<table class="table results"><tr><th>w₁</th></tr></table>'


def broken(change: Callable[[NotebookNode], object]) -> Page:
    """The good page as a chapter, after one change."""
    notebook = deepcopy(GOOD.notebook)
    change(notebook)
    return Page.of(notebook, CHAPTER)


def cell(notebook: NotebookNode, name: str) -> NotebookNode:
    return next(cell for cell in notebook.cells if cell.id == name)


def say(old: str, new: str, name: str = "good-theorem"):
    """Replace text in a cell's source."""

    def change(notebook):
        assert old in cell(notebook, name).source
        cell(notebook, name).source = cell(notebook, name).source.replace(old, new)

    return change


def add(text: str, name: str = "good-theorem"):
    """Append text to a cell's source."""
    return lambda notebook: setattr(
        cell(notebook, name), "source", cell(notebook, name).source + "\n\n" + text
    )


def both(*changes):
    return lambda notebook: [change(notebook) for change in changes]


def put(name: str, **attributes):
    return lambda notebook: cell(notebook, name).update(attributes)


def tag(name: str, *names: str):
    return lambda notebook: cell(notebook, name).metadata.update(tags=list(names))


def output(name: str, *things: NotebookNode):
    return put(name, outputs=list(things))


def svg(old: str, new: str):
    def change(notebook):
        data = cell(notebook, "good-fig").outputs[0].data
        data["image/svg+xml"] = data["image/svg+xml"].replace(old, new)

    return change


def twin_figure(notebook):
    """The figure once more, with another marker under the same id."""
    data = cell(notebook, "good-fig").outputs[0].data
    other = re.sub(r'(<path id="[^"]*" d=")', r"\1M 0 0 ", data["image/svg+xml"], count=1)
    cell(notebook, "good-fig").outputs.append(
        new_output("display_data", data={"image/svg+xml": other})
    )


def mystnb(part: str, **values):
    return lambda notebook: cell(notebook, "good-fig").metadata["mystnb"][part].update(values)


def stream(text: str, name: str = "stdout") -> NotebookNode:
    return new_output("stream", name=name, text=text)


PNG = new_output("display_data", data={"image/png": "iVBORw0KGgo=", "text/plain": "<Figure>"})
HTML = new_output("display_data", data={"text/html": '<img src="https://example.org/a.png">'})
WIDGET = "application/vnd.jupyter.widget-view+json"
THEOREM = "```{prf:lemma}\n:label: lem-good-new\n\nScores are homogeneous.\n```"
PROOF = "```{prf:proof}\nBy linearity.\n```"


def explorable(place: str = ' data-in="fig-good-line"') -> NotebookNode:
    html = f'<div data-explore="hulls"{place} hidden>{{"X":[[3.1623,0.0]]}}</div>'
    return new_output(
        "display_data", data={"text/html": html, "text/plain": "explore.hulls(n = 2)"}
    )


# guard, what is done to the good page, what the message must name
BREAKS = [
    (
        "narrow",
        say("assert", "# " + 90 * "-" + "\nassert", "good-check"),
        "`good-check`: a line of code must have at most 88 characters, got 92",
    ),
    (
        "narrow",
        output("good-samples", stream(100 * "x")),
        "`good-samples`: a line of output must have at most 88 characters, got 100",
    ),
    (
        "executed",
        put("good-check", execution_count=None),
        "`good-check`: must have run as number 3, got None",
    ),
    (
        "executed",
        put("good-samples", execution_count=7),
        "must have run as number 2, got 7. Run `make outputs`",
    ),
    (
        "quiet",
        output("good-samples", new_output("error", ename="ValueError", evalue="no")),
        "raises ValueError",
    ),
    (
        "quiet",
        output("good-samples", stream("a warning", "stderr")),
        "writes to stderr ('a warning')",
    ),
    (
        "reproducible",
        output("good-samples", stream("read /home/ada/x.csv")),
        "a path of one machine",
    ),
    (
        "reproducible",
        output("good-samples", stream("<object at 0x7f0011223344>")),
        "address in memory",
    ),
    ("reproducible", output("good-samples", stream("np.float64(0.5)")), "NumPy's own notation"),
    ("reproducible", output("good-samples", stream("0.0012345678901")), "more than ten digits"),
    ("reproducible", output("good-samples", stream("-12.345678901")), "more than ten digits"),
    (
        "reproducible",
        add("from time import perf_counter", "good-import"),
        "reads the clock (`time`)",
    ),
    ("reproducible", add("%timeit score(X[0])", "good-algorithm"), "reads the clock (`%timeit`)"),
    ("reproducible", add("# NBVAL_SKIP", "good-algorithm"), "switches a comparison off"),
    ("metadata", lambda nb: nb.metadata.update(authors=[]), "metadata must be exactly"),
    (
        "metadata",
        lambda nb: cell(nb, "good-check").metadata.update(execution={}),
        "['execution'] (timing",
    ),
    ("metadata", lambda nb: nb.update(nbformat_minor=4), "must be in format 4.5"),
    ("metadata", put("good-check", execution_count="3"), "breaks the notebook format: "),
    ("identified", put("good-check", id="good-fig"), "`good-fig`: this id occurs twice"),
    ("identified", put("good-check", id="3f2a9c1e"), "must be words joined by hyphens"),
    ("tagged", tag("good-check", "hide"), "unknown tag `hide` on a code cell"),
    ("tagged", tag("good-theorem", "check"), "unknown tag `check` on a markdown cell"),
    ("tagged", tag("good-check", "check", "hide-cell"), "must have one tag at most"),
    (
        "short",
        add("a = 1\n" * 5, "good-samples"),
        "must have at most 8 lines that are not blank, got 12",
    ),
    ("short", add("a = 1\n" * 20, "good-import"), "must have at most 20 lines"),
    ("short", add("a = 1\n" * 13, "good-algorithm"), "must have at most 24 lines"),
    (
        "textbook",
        say("<= 0", "< 0", "good-algorithm"),
        "got `mistake = (a * Z[i]).sum() < 0` for `mistake",
    ),
    ("textbook", say("rate=1.0", "rate=2.0", "good-algorithm"), "for `def rosenblatt(Z, epochs"),
    (
        "textbook",
        say("        if quiet:\n            return", "", "good-algorithm"),
        "got `` for `if",
    ),
    (
        "textbook",
        say("rosenblatt", "mine", "good-algorithm"),
        "got `mine`. Put the algorithm there",
    ),
    ("textbook", add("a = 1", "good-algorithm"), "got `several statements`"),
    ("textbook", tag("good-score", "algorithm"), "`good-score`: must define one function"),
    ("short", add("a = 1\n" * 16, "good-fig"), "must have at most 18 lines"),
    ("imports", add("import math", "good-solution"), "Move the import to `good-import`"),
    ("imports", add("from math import *", "good-import"), "`import *` hides"),
    ("imports", add("import sklearn.svm as svm", "good-import"), "Import the part by `from`"),
    ("check_cells", tag("good-check"), "lacks the tag `check`"),
    (
        "check_cells",
        say("# Check: thm-good-odd", "# thm-good-odd", "good-check"),
        "must be `# Check: label[, label]`",
    ),
    (
        "check_cells",
        say("assert np.allclose(-X @ w, -(X @ w))", "assert True", "good-check"),
        "must contain an `assert`",
    ),
    (
        "check_cells",
        say("np.allclose(-X @ w, -(X @ w))", "X is X", "good-check"),
        "must contain an `assert`",
    ),
    (
        "check_cells",
        say("np.allclose(-X @ w, -(X @ w))", "(X, 'odd')", "good-check"),
        "must contain an `assert`",
    ),
    (
        "check_cells",
        say("w))\nlargest", "w)) or True\nlargest", "good-check"),
        "must contain an `assert`",
    ),
    ("exercises", say(":label: ex-good-1", "", "good-exercises"), "an exercise has no `:label:`"),
    (
        "exercises",
        say("{solution} ex-good-1", "{note} Hint", "good-exercises"),
        "`ex-good-1` has no solution",
    ),
    (
        "exercises",
        say(":class: dropdown", "", "good-gated"),
        "the solution of `ex-good-6` is not folded",
    ),
    (
        "exercises",
        say("{solution} ex-good-1", "{solution} ex-good-7", "good-exercises"),
        "solves `ex-good-7`",
    ),
    ("mistakes", add(":::{mistake} Far is sure\nNo.\n:::"), "must have the belief as its title"),
    ("mistakes", add(f":::{{mistake}}\n{20 * 'word '}\n:::"), "and a counterexample in it, got ''"),
    (
        "marks",
        say(":label: ex-good-1", ":label: ex-good-1\n:class: hard", "good-exercises"),
        "got hard",
    ),
    (
        "marks",
        say(":label: ex-good-1", ":label: ex-good-1\n:class: star-1 star-2", "good-exercises"),
        "must have one of the classes star-1, star-2, star-3, got star-1 star-2",
    ),
    (
        "marks",
        say(":label: ex-good-1", ":label: ex-good-1\n:class: star-1", "good-exercises"),
        "`good-gated`: the other exercises have stars",
    ),
    (
        "marks",
        add(":::{second-reading}\nlater\n:::"),
        "`second-reading` must be empty, got 'later'",
    ),
    ("hints", add(":::{hints} ex-good-6\n- look\n:::"), "must name an exercise above"),
    ("hints", add(2 * ":::{hints} ex-good-1\n- look\n:::\n\n", "good-exercises"), "has none yet"),
    (
        "hints",
        add(":::{hints} ex-good-1\nlook\n:::", "good-exercises"),
        "must be a list, got 'look'",
    ),
    ("gates_closed", put("good-gate-end", source="The end."), "`solution-start` is never closed"),
    (
        "gates_closed",
        say("```{exercise-end}\n```", "", "good-gated"),
        "is not closed before `solution-start`",
    ),
    ("gates_closed", add("```{exercise-end}\n```", "good-gated"), "`exercise-end` closes nothing"),
    ("figures_svg", output("good-fig", PNG), "must be image/svg+xml only, got image/png"),
    (
        "figures_svg",
        svg("<defs>", "<metadata><dc:date>2026-11-21</dc:date></metadata><defs>"),
        "carries its date",
    ),
    (
        "figures_svg",
        svg("<defs>", '<defs><path id="m0123456789"/>'),
        "the SVG's ids depend on the processor",
    ),
    ("figures_legible", svg('viewBox="0 0 144 ', 'viewBox="0 0 430 '), "letters are 9.98 px high"),
    ("figures_legible", svg("scale(0.11 -0.11)", "scale(0.03 -0.03)"), "letters are 8.12 px high"),
    (
        "figures_stars",
        put("good-fig", source="plt.title('$p^*$')\nplt.show()"),
        "the star of `$p^*$` would be a speck",
    ),
    ("figures_whole", svg("28.759061 79.81376", "28.759061 86"), "letters at 29, 86 are cut off"),
    ("figures_whole", svg("28.759061 79.81376", "28.759061 5"), "letters at 29, 5 are cut off"),
    ("figures_font", svg("#LinlearnSans-Regular-13f", "#DejaVuSans-31"), "come from DejaVuSans."),
    ("figures_font", svg("<defs>", "<text>0</text><defs>"), "come from the reader's machine"),
    ("figures_apart", twin_figure, "means something else in an earlier figure"),
    (
        "figures_alone",
        lambda nb: cell(nb, "good-fig").outputs.append(stream("Text(0.5, 1.0)")),
        "puts out 2 things",
    ),
    (
        "figures_described",
        mystnb("image", alt="Two points."),
        "must have at least 40 characters, got 11",
    ),
    (
        "figures_described",
        lambda nb: cell(nb, "good-fig").metadata["mystnb"].pop("image"),
        "40 characters, got 0",
    ),
    ("figures_described", mystnb("figure", caption=""), "`mystnb.figure.caption` is missing"),
    (
        "figures_described",
        mystnb("figure", name="line"),
        "must look like `fig-halfspaces`, got 'line'",
    ),
    (
        "figures_described",
        lambda nb: mystnb("figure", caption=cell(nb, "good-fig").metadata.mystnb.image.alt)(nb),
        "repeats the caption",
    ),
    ("figures_described", output("good-fig"), "puts out no figure"),
    (
        "figures_mentioned",
        say("{numref}`fig-good-line`", "The picture"),
        "no sentence mentions the figure",
    ),
    (
        "explorables",
        both(output("good-solution", explorable()), tag("good-solution", "algorithm")),
        "`good-solution`: an explorable's code is folded",
    ),
    (
        "explorables",
        both(output("good-solution", explorable("")), tag("good-solution", "hide-input")),
        "`good-solution`: `place` must name a figure of a cell above, got ''",
    ),
    (
        "explorables",
        both(output("good-samples", explorable()), tag("good-samples", "hide-input")),
        "must name a figure of a cell above, got 'fig-good-line'",  # which comes below
    ),
    (
        "explorables",
        both(
            output("good-solution", explorable(), explorable()), tag("good-solution", "hide-input")
        ),
        "fig-good-line has an explorable already",
    ),
    ("numbers", output("good-samples", explorable()), "the number 3.1623 (in"),
    (
        "numbers",
        say("is 2.0000,", "is 2.0001,"),
        "the number 2.0001 (in “The smallest margin is 2.0001, after",
    ),
    ("numbers", tag("good-samples", "remove-cell"), "the number 3.1623 (in"),
    ("numbers", both(say("40 %", "77 %"), add("# 77 %", "good-algorithm")), "the number 77 % (in"),
    ("numbers", output("good-samples"), "the number 3.1623 (in"),
    ("numbers", say("3.16,", "3.17,"), "the number 3.17 (in"),
    ("numbers", say("40 %", "41 %"), "the number 41 % (in"),
    ("numbers", say("12\u202f345", "12\u202f346"), "the number 12\u202f346 (in"),
    ("numbers", say(r"\rho = 0.6325", r"\rho = 0.6324", "good-intro"), "the number 0.6324 (in"),
    (
        "numbers",
        mystnb("image", alt="Two points on a rising line, at distance 3.17 from the origin."),
        "the number 3.17 (in",
    ),
    ("numbers", mystnb("figure", caption="Two samples, 17 apart."), "the number 17 (in"),
    ("numbers", say("Scores are odd", "All 17 scores are odd"), "the number 17 (in"),
    (
        "self_contained",
        add('<img src="https://example.org/a.png" alt="a">'),
        "loads https://example.org/a.png",
    ),
    ("self_contained", add("![a](//example.org/a.png)"), "loads //example.org/a.png"),
    (
        "self_contained",
        add("```{figure} http://example.org/a.svg\n:name: fig-a\n```"),
        "loads http://example.org/a.svg",
    ),
    (
        "self_contained",
        add('<script src="https://example.org/a.js"></script>'),
        "loads https://example.org/a.js",
    ),
    (
        "self_contained",
        add("<style>@import url('https://example.org/a.css')</style>"),
        "loads https://example.org/a.css",
    ),
    ("self_contained", output("good-samples", HTML), "loads https://example.org/a.png"),
    (
        "self_contained",
        add('np.loadtxt("https://example.org/a.csv")', "good-samples"),
        "https://example.org/a.csv",
    ),
    (
        "self_contained",
        add('fetch_openml("iris")', "good-samples"),
        "what `fetch_openml` downloads",
    ),
    ("described_images", add("![](a.svg)"), "image a.svg has no alternative text"),
    (
        "described_images",
        add("```{figure} a.svg\n:alt: A line.\n```"),
        "must have an `:alt:` of at least 40",
    ),
    ("named_by_the_field", add("## What does a vote prove?"), "term is convex combination"),
    ("named_by_the_field", mystnb("figure", caption="The border."), "term is decision boundary"),
    (
        "named_by_the_field",
        add("```{prf:remark} The most probable plane\nIt is unique.\n```"),
        "term is maximum-likelihood estimate",
    ),
    ("modest", add("This is obviously\ntrue."), "says “obviously”"),
    ("modest", add("It is easy\nto see that it holds."), "says “easy to see”"),
    ("modest", mystnb("figure", caption="Trivially two samples."), "says “Trivially”"),
    (
        "cited",
        add("Radon (1921) splits points."),
        "names a work, “Radon (1921)”. Cite it by {cite:t}",
    ),
    ("cited", add("Hard (Raz and\nSafra 1997)."), "names a work, “Raz and Safra 1997)”"),
    ("cited", add("See (for more, Ho–Kashyap, 1965)."), "Ho–Kashyap, 1965)”"),
    ("cited", add("Blumer et al. (1989a) count."), "“Blumer et al. (1989a)”"),
    ("cited", mystnb("figure", caption="After Györfi (1996)."), "“Györfi (1996)”"),
    ("cited", say("Scores are odd", "Cover (1965)"), "“Cover (1965)”"),
    ("no_emoji", add("Done \U0001f389"), "contains the emoji U+1F389"),
]


@pytest.mark.parametrize("name", GUARDS)
def test_good_page_passes(name):
    """The good page breaks no rule: as a page, and as a chapter."""
    assert GUARDS[name](GOOD) == []
    assert GUARDS[name](Page.of(GOOD.notebook, CHAPTER)) == []


@pytest.mark.filterwarnings("ignore:Non-unique cell id")
@pytest.mark.parametrize(
    ("name", "change", "message"),
    BREAKS,
    ids=[f"{name}-{k}" for k, (name, *_) in enumerate(BREAKS)],
)
def test_guard_catches(name, change, message):
    """A page that breaks a rule is caught, with a message that names the file, the place and the remedy."""
    said = GUARDS[name](broken(change))
    assert any(message in line for line in said), said
    assert all(line.startswith("99_good.ipynb") and line.endswith((".", "`")) for line in said)


def test_a_table_is_read_as_html():
    """Text beside HTML may be wide, since no page shows it; text alone may not."""
    wide = {"text/plain": 100 * "x"}
    for data, times in ((wide, 1), (wide | {"text/html": "<table></table>"}, 0)):
        page = broken(output("good-samples", new_output("display_data", data=data)))
        assert len(GUARDS["narrow"](page)) == times


def test_normal_form():
    """A file with other white space than `make outputs` writes is caught."""
    live = GOOD.text.replace(
        '"image/svg+xml": [', f'"{WIDGET}": {{"model_id": "1"}},\n"image/svg+xml": ['
    )
    assert live != GOOD.text
    for text in (GOOD.text + "\n", GOOD.text.rstrip(), GOOD.text.replace("\n ", "\n  "), live):
        assert (
            "must be in normal form" in GUARDS["normal_form"](Page(CHAPTER, text, GOOD.notebook))[0]
        )


def test_every_guard_is_broken_here():
    """No guard without a page that it catches."""
    assert {name for name, *_ in BREAKS} | {"normal_form"} == set(GUARDS)
    in_test_variants = {"falsified", "variants_fit"}
    assert set(BOOK_GUARDS) == {
        "checks_have_labels",
        "labels_unique",
        "enough_exercises",
        "theorems_checked",
        "theorems_proved",
        "inventory",
        *in_test_variants,
    }


def test_changes_break_little():
    """A removed alternative text, an unexecuted cell or a stale number is reported once, by one guard."""
    for name, change, _ in BREAKS:
        if name in ("executed", "modest", "no_emoji"):
            assert sum(len(guard(broken(change))) for guard in GUARDS.values()) == 1


def test_dates_are_no_works():
    """Dates, quoted sentences and citations are left alone."""
    for text in (
        "Written in January (1986), a lecture (of 19 February 2024).",
        "“was developed by Mangasarian in 1965” (the slides of spring 2020).",
        "See {cite:t}`cover1965` (and {cite:p}`cover1965`); $R^2$ (2000 of them).",
    ):
        assert GUARDS["cited"](broken(add(text))) == []


def test_labels_unique():
    """A label that two pages define is caught, with both places."""
    twin = Page.of(GOOD.notebook, Path("98_twin.ipynb"))
    said = labels_unique([GOOD, twin])
    assert len(said) == len(GOOD.anchors)
    assert (
        "98_twin.ipynb, cell `good-intro`: the label `sec-good` is already defined in "
        "tests/fixtures" in said[0]
    )
    assert labels_unique([GOOD]) == []


def test_checks_have_labels():
    """A Check cell for a statement that no page makes is caught."""
    page = broken(say("Check: thm-good-odd", "Check: thm-good-odd, thm-gone", "good-check"))
    assert checks_have_labels([GOOD]) == []
    assert ["`good-check`: checks `thm-gone`" in line for line in checks_have_labels([page])] == [
        True
    ]


def test_theorems_checked():
    """A statement without a label or a check is caught; the check may stand elsewhere in its chapter."""
    assert theorems_checked([GOOD]) == []
    [said] = theorems_checked([broken(say(":label: thm-good-odd\n", ""))])
    assert "a theorem must have a `:label:` that begins with `thm-`" in said
    new = broken(add(f"{THEOREM}\n\n{PROOF}"))
    [said] = theorems_checked([new])
    assert "lemma `lem-good-new` has no Check cell" in said
    checks = broken(say("Check: thm-good-odd", "Check: lem-good-new", "good-check"))
    depth, other = (
        Page.of(checks.notebook, new.path.with_name(f"{n}_depth.ipynb")) for n in (99, 98)
    )
    assert not [line for line in theorems_checked([new, depth]) if "lem-good-new" in line]
    assert [line for line in theorems_checked([new, other]) if "lem-good-new" in line]


def test_theorems_proved():
    """A statement without a proof is caught, unless one elsewhere in its chapter begins with its name."""
    assert theorems_proved([GOOD]) == []
    for page in (
        broken(add(THEOREM)),
        broken(add(f"{THEOREM}\n\n{THEOREM.replace('new', 'newer')}\n\n{PROOF}")),
    ):
        assert ["`lem-good-new` has no proof" in line for line in theorems_proved([page])] == [True]
    apart = PROOF.replace("By", "Of {prf:ref}`lem-good-new`. By")
    new, told = broken(add(THEOREM)), broken(add(apart))
    depth, other = (
        Page.of(told.notebook, new.path.with_name(f"{n}_depth.ipynb")) for n in (99, 98)
    )
    assert theorems_proved([new, depth]) == [] and len(theorems_proved([new, other])) == 1


def test_enough_exercises():
    """The lessons of a chapter share the count of six; a chapter with fewer is caught."""
    few = broken(lambda nb: nb.cells.pop(8))
    said = enough_exercises([few])
    assert enough_exercises([GOOD]) == [] and "must have at least 6 exercises, got 1" in said[0]
    second = Page.of(GOOD.notebook, few.path.with_name("99_second.ipynb"))
    other = Page.of(GOOD.notebook, few.path.with_name("98_other.ipynb"))
    assert enough_exercises([few, second]) == [] and len(enough_exercises([few, other])) == 1


CHAPTERS = [
    {"stem": "99_good", "first": "S0.1", "last": "S0.2"},
    {"stem": "98_later", "first": "S1.1", "last": "S1.9"},
]
ITEMS = [
    {"id": "S0.1", "title": "Section", "chapter": "99_good", "anchor": "sec-good"},
    {"id": "S0.2", "title": "Score", "chapter": "99_good", "anchor": "eq-good-score"},
]


def test_inventory_passes():
    """Every kind of label serves as an anchor; chapters that are not written yet are not asked for."""
    for anchor in (
        "sec-good",
        "thm-good-odd",
        "eq-good-score",
        "ex-good-1",
        "ex-good-6",
        "fig-good-line",
    ):
        assert inventory([broken(str)], [ITEMS[0], {**ITEMS[1], "anchor": anchor}], CHAPTERS) == []


@pytest.mark.parametrize(
    ("items", "message"),
    [
        (ITEMS[:1], "`99_good` must treat S0.2"),
        ([*ITEMS, ITEMS[0]], "this row occurs twice"),
        (
            [ITEMS[0], {**ITEMS[1], "anchor": "eq-gone"}],
            "line 3 (S0.2): `99_good` defines no label `eq-gone`",
        ),
        ([*ITEMS, {**ITEMS[1], "chapter": "97_gone"}], "there is no page `97_gone`"),
        ([*ITEMS, {**ITEMS[1], "id": "E0.4"}], "must have an id such as S0.12"),
        ([ITEMS[0], {**ITEMS[1], "title": " "}], "and a title"),
    ],
)
def test_inventory_catches(items, message):
    """An item without a row, a row without an anchor, a malformed or doubled row is caught."""
    assert any(message in line for line in inventory([broken(str)], items, CHAPTERS))


def test_chapter_map_covers_the_notes():
    """The chapter map leaves no gap between the first and the last item of each of the five notes."""
    ids = set.union(*expected(rows(ROOT / "book/_data/chapters.csv")).values())
    last = {"S0": 45, "S1": 104, "S2": 22, "S3": 31, "S4": 32}
    assert ids == {f"{note}.{k}" for note, n in last.items() for k in range(1, n + 1)}


@pytest.mark.parametrize(
    ("prose", "token", "same"),
    [
        ("1,365", "1365", True),
        ("1\u202f365", "1,365", True),
        ("1 365", "1365", False),
        ("−0.5", "-0.5", True),
        ("0.34", "0.3427", True),
        ("0.343", "0.3427", True),
        ("0.342", "0.3427", False),
        ("0.3", "0.3427", False),
        ("0.50", "0.5", False),
        ("2.0", "2", False),
        ("12", "12.3", True),
        ("5", "4.9", False),
        ("4.9", "4.87", True),
        ("34 %", "0.34", True),
        ("34 %", "34.0%", True),
        ("34.3 percent", "0.3427", True),
        ("35 %", "0.3427", False),
        ("0.34", "34.27%", True),
        ("0.5", "-0.5", True),
        ("-0.5", "0.5", False),
        ("1.5×10⁻⁸", "1.53e-08", True),
        ("1.6×10^-8", "1.53e-08", False),
        ("5th", "5", True),
        ("0.12", "0.125", True),
        ("0.13", "0.125", True),
    ],
)
def test_rounding_rule(prose, token, same):
    """A number stands for a token that it equals or correctly rounds to two significant digits or more."""
    (number,), (other,) = find(prose)[:1], find(token)
    assert number.stands_for(other) == same


@pytest.mark.parametrize(
    "text",
    [
        "two classes",
        "since 1962",
        "note 0, notes 1, 2 and 4",
        "chapters 01–03",
        "on 19 February 2024",
        "a 2-D set in 3D",
        "item S0.12",
        "Python 3.11",
        "version 1.2.3",
        "the x2 of layer_3",
        "1950s",
        "2. Two lines",
    ],
)
def test_not_computed(text):
    """Years, dates, notes, chapters, versions, dimensions and names are not taken for computed numbers."""
    assert prose_numbers(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Exercise 14.3 of {cite:t}`a`",
        "see {cite:t}`a`, pages 3–7, and",
        "({cite:p}`a`, theorem 9.1)",
    ],
)
def test_places_in_the_literature(text):
    """The number of an exercise or a page in a cited book is not this page's to compute."""
    assert prose_numbers(read(text).prose[0]) == []
    assert prose_numbers(read(text).prose[0].replace(CITED, "this book")) != []


ALT = "A line between two samples, which are its mirror images."
SITE = f"""<h1 id="top">Book</h1><math><mi>⟨</mi></math><pre>a₀</pre><a href="b.html#there">b</a> <a href="https://example.org">elsewhere</a>
<img src="_images/f.svg" alt="{ALT}"><img src="_images/f.dark.svg" alt="{ALT}">"""


@pytest.fixture
def site(tmp_path):
    """A built book of two pages and one figure, and a function that reads it after a change."""
    (tmp_path / "_images").mkdir()
    for name in ("f.svg", "f.dark.svg"):
        (tmp_path / "_images" / name).write_text("<svg/>")
    (tmp_path / "b.html").write_text('<p id="there">b</p>')

    def build(old="", new=""):
        (tmp_path / "index.html").write_text(SITE.replace(old, new))
        return built_pages(tmp_path)

    return build


@pytest.mark.parametrize("guard", [dead_links, loads_elsewhere, poor_images, unset_formulas])
def test_good_site_passes(site, guard):
    """A site whose links resolve, whose figures are described and doubled, passes."""
    assert list(guard(site())) == []


@pytest.mark.parametrize(
    ("guard", "old", "new", "message"),
    [
        (
            dead_links,
            "b.html#there",
            "c.html",
            "index.html: <a> leads to c.html, which does not exist",
        ),
        (dead_links, "b.html#there", "b.html#gone", "but that page has no such place"),
        (dead_links, "b.html#there", "#gone", "but that page has no such place"),
        (
            loads_elsewhere,
            "<h1",
            '<script src="//example.org/a.js"></script><h1',
            "loads //example.org/a.js",
        ),
        (
            loads_elsewhere,
            "<h1",
            '<link rel="preload" href="https://example.org/f"><h1',
            "loads https://example.org/f",
        ),
        (poor_images, ALT, "", "has no alternative text"),
        (poor_images, ALT, "../_images/f.svg", "has no alternative text"),
        (poor_images, ALT, "A line.", "needs an alternative text of 40 characters"),
        (poor_images, "f.dark.svg", "f.svg", "has no dark twin f.dark.svg"),
        (unset_formulas, ">Book", ">Book of ⟨a,zᵢ⟩", "index.html: ⟨a,zᵢ⟩ is not typeset"),
        (unset_formulas, ">Book", "><code>x₁</code> &#8214;x", "index.html: ‖x is not typeset"),
        (unset_formulas, ">Book", f">{RESULTS} x₂", "index.html: x₂ is not typeset"),
    ],
)
def test_bad_site_is_caught(site, guard, old, new, message):
    """A dead link, a foreign script, an undescribed or undoubled figure is caught on the built page."""
    assert any(message in line for line in guard(site(old, new)))


def test_a_foreign_style_is_caught(site, tmp_path):
    """A style sheet that loads a font from another host."""
    (tmp_path / "a.css").write_text("@font-face { src: url(https://example.org/a.woff2) }")
    assert "a.css: loads https://example.org/a.woff2" in next(loads_elsewhere(site()))
