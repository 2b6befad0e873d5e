"""The runner that falsifies statements: it calls killed what an assertion refuted, and nothing else."""

import os
import subprocess
import sys

import nbformat
import pytest
from guards import ROOT, Page
from guards.variants import falsified, variants_fit

from tools.variants import KINDS, Verdict, by_page, judge_page, load, parse, report

STATED = """```{prf:theorem} Squares
:label: thm-squares

For $x\\ge1$, $x^2\\ge x$.
```
"""
CELLS = {
    "sq-start": "# %pip install nothing\nlargest = 3",
    "sq-check": "# Check: thm-squares\nfor x in range(1, largest):\n    assert x**2 >= x",
    "sq-between": "both = [1, 4]",
    "sq-check-two": "# Check: thm-squares, lem-other\nassert [1, 2**2] == both  # the case of equality",
}
ENTRY = "[thm-squares]\n\n{kind}: {why}\n- {old}\n+ {new}\n"


@pytest.fixture
def page(tmp_path, monkeypatch):
    """A page with one theorem, as a file, after changes of its cells; the tests' own folder stays."""
    monkeypatch.chdir(tmp_path)

    def write(**changed):
        cells = [nbformat.v4.new_markdown_cell(STATED, id="sq-text")]
        for name, source in {**CELLS, **changed}.items():
            tags = ["check"] if "check" in name else ["hide-input"] if "# figure" in source else []
            cell = nbformat.v4.new_code_cell(source, id=name)
            cell.metadata.tags = tags
            cells.append(cell)
        path = tmp_path / "09_page.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
        return path

    return write


def variant(old, new, kind="constant", why="it is so", said=""):
    return next(parse(ENTRY.format(kind=kind, why=why, old=old, new=new) + said))


def outcome(path, *variants, seconds=20.0):
    return [verdict.outcome for verdict in judge_page(path, list(variants), seconds)]


def test_a_variant_is_killed_by_an_assertion(page):
    """In the cell that it changes, or in a later check of the statement, with what stands between."""
    assert outcome(page(), variant("x**2 >= x", "x**2 > x")) == ["killed"]
    assert outcome(page(), variant("2**2", "2**3")) == ["killed"]
    later = page(
        **{
            "sq-check": "# Check: thm-squares\ntwo = 2\nassert two",
            "sq-between": "both = [1, two**2]",
        }
    )
    assert outcome(later, variant("two = 2", "two = 1")) == ["killed"]


def test_a_surviving_variant_is_a_defect(page):
    """Unless its sentence says so; and a sentence that is no longer true is one, too."""
    weaker = "x**2 >= x", "x**2 >= x - 1"
    assert outcome(page(), variant(*weaker)) == ["survived"]
    assert outcome(page(), variant(*weaker, said="= it is not sharp")) == ["named"]
    stale = outcome(page(), variant("x**2 >= x", "x**2 > x", said="= it is not sharp"))
    assert stale == ["killed after all: delete its sentence"]
    nothing = "[thm-squares]\n\nclaim: P = NP\n= checked: the reduction only"
    assert outcome(page(), *parse(nothing)) == ["named"]
    assert Verdict(variant(*weaker), "survived").bad and not Verdict(variant(*weaker), "named").bad


def test_another_error_is_no_refutation(page):
    """A name that does not exist, a check that never ends, a process that dies: none of them kills."""
    (said,) = outcome(page(), variant("x**2 >= x", "x**2 >= y"))
    assert said.startswith("no assertion fails, but NameError")
    assert outcome(page(), variant("assert x**2 >= x", "while x: pass"), seconds=1) == [
        "not done after 1 seconds"
    ]
    assert outcome(page(), variant("assert x**2 >= x", "__import__('os')._exit(0)")) == [
        "the process died"
    ]


def test_a_stale_variant_is_named(page):
    """Its text is gone, or stands twice, or only in the check of another statement."""
    for old in ("x**3", "assert", "largest = 3"):
        (said,) = outcome(page(), variant(old, "x"))
        assert said.startswith(f"stale: `{old}` must occur once in the checks of `thm-squares`")
    assert outcome(page(), variant("2**2", "2**2")) == ["changes nothing"]
    elsewhere = parse(
        ENTRY.format(kind="claim", why="so", old="x**2 >= x", new="0").replace(
            "thm-squares", "lem-other"
        )
    )
    assert outcome(page(), *elsewhere)[0].startswith("stale")


def test_a_check_that_fails_as_it_is(page):
    """Nothing is called killed then."""
    broken = page(**{"sq-start": "largest = 3\nassert largest < 0"})
    (said,) = outcome(broken, variant("x**2 >= x", "x**2 > x"))
    assert said.startswith("not tried, since 09_page, cell `sq-start`, fails as it is")
    wrong = page(**{"sq-check-two": "# Check: thm-squares\nassert 2**2 == 5"})
    (said,) = outcome(wrong, variant("2**2", "2**3"))
    assert said.startswith("not tried, since 09_page, cell `sq-check-two`, fails as it is")


def test_a_check_does_not_lean_on_a_figure(page):
    """Cells of figures do not run, so a check that needs one fails as it is."""
    leaning = page(**{"sq-start": "largest = 3  # figure"})
    (said,) = outcome(leaning, variant("x**2 >= x", "x**2 > x"))
    assert "NameError" in said


def test_two_edits_and_several_lines(page):
    """Edits apply together, also in two cells, and a text may have several lines."""
    two_lines = "- range(1, largest):\n-     assert\n+ [0.5]:\n+     assert\n"
    text = f"[thm-squares]\n\nhypothesis: x may be 0.5\n{two_lines}- [1, 2**2]\n+ [1, 4]\n"
    assert [v.edits for v in parse(text)] == [
        [("range(1, largest):\n    assert", "[0.5]:\n    assert"), ("[1, 2**2]", "[1, 4]")]
    ]
    assert outcome(page(), *parse(text)) == ["killed"]


@pytest.mark.parametrize(
    "block",
    [
        "constant: without a label\n- a\n+ b",
        "[x]\n\nwrong: a kind\n- a\n+ b",
        "[x]\n\nclaim: c\n- a",
    ],
)
def test_a_bad_entry_is_refused(block):
    """A variant belongs to a label, is of a known kind, and says what it puts for what."""
    with pytest.raises(ValueError, match="must begin with `kind: why`"):
        list(parse(block))


def test_pages_and_counts(page):
    """A variant goes to the page that checks its statement; the report counts by kind."""
    one = variant("x**2 >= x", "x**2 > x", kind="inequality")
    assert by_page([one], [page()]) == {page(): [one]}
    told = report([Verdict(one, "killed"), Verdict(one, "survived"), Verdict(one, "named")])
    assert "thm-squares, inequality: it is so: survived" in told
    assert "inequality    1 killed    1 named" in told and "claim         0 killed" in told


# The guards ------------------------------------------------------------------------------------


def test_the_guards_see_what_is_missing(page):
    """A statement without variants, a variant without statement, a stale one, one that is no program."""
    pages, fine = [Page.open(page())], variant("x**2 >= x", "x**2 > x")
    assert falsified(pages, [fine]) == variants_fit(pages, [fine]) == []
    assert "`thm-squares` has no false variant" in falsified(pages, [])[0]
    other = fine._replace(label="thm-gone")
    assert "no page states `thm-gone`" in falsified(pages, [fine, other])[0]
    assert "stale: `x**3`" in variants_fit(pages, [variant("x**3", "x")])[0]
    assert "is no program" in variants_fit(pages, [variant("x**2 >= x", "x**2 >=")])[0]


def test_the_guards_want_a_survivor_named_at_its_check(page):
    """In the check itself or in the text beside it, whatever its line breaks."""
    named = variant("x**2 >= x", "x**2 >= x - 1", said="= the case of equality")
    assert variants_fit([Page.open(page())], [named]) == []
    beside = named._replace(survives="For $x\\ge1$, $x^2\\ge x$.")
    assert variants_fit([Page.open(page())], [beside]) == []
    silent = named._replace(survives="it is not sharp")
    assert "“it is not sharp” must stand" in variants_fit([Page.open(page())], [silent])[0]
    assert (
        "must have an edit"
        in variants_fit([Page.open(page())], [named._replace(edits=[], survives="")])[0]
    )


# The book --------------------------------------------------------------------------------------


def test_every_kind_is_tried():
    """Constants, hypotheses, inequalities and claims are falsified, and most statements in several places."""
    variants = load()
    assert {v.kind for v in variants} == set(KINDS)
    assert len({(v.label, v.why, str(v.edits)) for v in variants}) == len(variants)


def test_a_sample_of_the_book():
    """The checks of three statements on three pages notice; `make variants` tries all of them."""
    labels = ("prop-coordinate", "prop-enclosure", "thm-fisher")
    command = [sys.executable, "-m", "tools.variants", *labels]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "constant " in done.stdout and "survived" not in done.stdout
