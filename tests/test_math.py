"""Formulas become MathML: what is read, what is mended, and what stops the build."""

import re
import sys
import xml.etree.ElementTree as ET
from io import StringIO

import pytest
from fontTools.ttLib import TTFont
from guards import ROOT
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import linlearn_math as lm

from tools import math_font


def tree(tex: str, display: bool = False) -> ET.Element:
    return ET.fromstring(lm.mathml(tex, display))


def shape(part: ET.Element) -> str:
    """A formula's structure in one line: `msup(mrow(mo mi mo) mn)`."""
    inner = " ".join(map(shape, part))
    return f"{part.tag}({inner})" if inner else part.tag


def build(tmp_path, text: str) -> tuple[str, str]:
    """The page and the warnings that Sphinx writes for a text."""
    (tmp_path / "index.rst").write_text(text, encoding="utf8")
    warnings = StringIO()
    out = tmp_path / "out"
    overrides = {"extensions": ["linlearn_math"], "html_theme": "basic"}
    with docutils_namespace():  # Sphinx registers its nodes for a whole process otherwise
        Sphinx(tmp_path, None, out, out, "html", overrides, StringIO(), warnings).build()
    return (out / "index.html").read_text("utf8"), warnings.getvalue()


def test_formulas_are_written_into_the_page(tmp_path):
    """In headings, text and displays; with their source, their numbers and no script."""
    page, warnings = build(
        tmp_path,
        "The :math:`n`\n=============\n\nText :math:`x < 1`, see :eq:`one`.\n\n"
        ".. math:: a = b\n   :label: one\n",
    )
    assert not warnings
    assert page.count("<math") >= 3 and "mathjax" not in page.lower()
    assert 'data-tex="x &lt; 1"' in page
    assert re.search(r'id="equation-one".*?<math display="block">.*?<span class="eqno">\(1\)', page)
    assert 'href="#equation-one">(1)</a>' in page
    assert "<title>The n" in page


@pytest.mark.parametrize(
    ("tex", "why"), [(r"\frac{1", "end of input"), (r"\nosuch x", "nosuch"), (r"\mathfrak A", "𝔄")]
)
def test_what_cannot_be_typeset_is_a_warning_with_its_place(tmp_path, tex, why):
    """File, line and formula are named; with `-W`, as here in `make book`, the build fails."""
    page, warnings = build(tmp_path, f"Title\n=====\n\nText\n\n.. math:: {tex}\n")
    assert "index.rst:6: WARNING: this formula cannot be typeset" in warnings
    assert tex in warnings and why.lower() in warnings.lower()
    assert 'class="unset"' in page


def test_sized_fences_pair_up():
    """A script belongs to the pair; a bar opens and closes; what stands alone stays alone."""
    assert shape(tree(r"\bigl(x\bigr)^2y")) == "math(msup(mrow(mo mi mo) mn) mi)"
    assert shape(tree(r"\Bigl\lVert\bigl[x\bigr]\Bigr\rVert")) == "math(mrow(mo mrow(mo mi mo) mo))"
    assert shape(tree(r"x\bigr)y")) == "math(mi mrow(mo) mi)"
    forms = [mo.get("form") for mo in tree(r"\bigl|x\bigr|+\bigl|y\bigr|").iter("mo")]
    assert forms == ["prefix", "postfix", None, "prefix", "postfix"]


def test_sizes_are_those_of_tex():
    sizes = [mo.get("minsize") for mo in tree(r"\big(\Big(\bigg(\Bigg(x").iter("mo")]
    assert sizes == ["1.2em", "1.8em", "2.4em", "3em"]


def test_long_formulas_end_lines_before_relations_outside_brackets():
    long = tree(r"f(x\le y)=\langle a,z_i\rangle+b\ge\{c:d>e\}")
    assert long.get("class") == "long"
    assert ["".join(row.itertext()) for row in long] == ["f(x≤y)", "=⟨a,zi⟩+b", "≥{c:d>e}"]
    assert long[1][0].get("lspace") == "0"
    assert [row.get("class") for row in long] == [None, None, "end"] and len(long[2]) == 1
    assert tree("a=b").get("class") is None
    assert tree(r"f(x\le y)=\langle a,z_i\rangle+b", display=True).get("class") is None


def test_lines_go_on_with_both_sides_of_their_sign():
    aligned = tree(r"\begin{aligned}a&=b\\&+c\end{aligned}", display=True)
    assert [mo.get("form") for mo in aligned.iter("mo")] == ["infix", "infix"]
    matrix = tree(r"\begin{pmatrix}a&-b\end{pmatrix}", display=True)
    assert [mo.get("form") for mo in matrix.iter("mo") if mo.text == "−"] == [None]


def test_space_beside_a_sum_is_beside_its_limits():
    limits = tree(r"2\sum_{i=1}^nx+\sum_i(y)", display=True)
    assert limits.find("munderover").get("style") == "padding-inline: 0.1667em 0.1667em"
    assert limits.find("munder").get("style") == "padding-inline: 0 0"
    assert {mo.get("lspace") for mo in limits.iter("mo") if mo.text == "∑"} == {"0"}


def test_displayed_lines_and_environments():
    """Blank lines part lines of a display, as Sphinx has it; numbers come from Sphinx alone."""
    assert shape(tree(lm.in_lines("a\n\nb"), display=True)).count("mtr") == 2
    assert shape(tree(lm.in_lines(r"a\\b"), display=True)).count("mtr") == 2
    assert lm.in_lines(r"\begin{aligned}a\\b\end{aligned}").startswith(r"\begin{aligned}")
    assert "(1)" not in lm.mathml(lm.in_lines(r"\begin{align}a&=b\end{align}"), display=True)


def test_a_formula_as_plain_text():
    assert lm.plain(r"f(a)=\max(1-a)") == "f(a) = max(1−a)"
    assert lm.plain(r"C\to\infty") == "C → ∞"
    assert lm.plain(r"\nosuch") == ""


def test_characters_are_those_that_a_browser_draws():
    """A single letter is slanted unless it says otherwise; h has a place of its own."""
    assert lm.characters(tree(r"h_1\Gamma+\mathrm{ab}")) == set("ℎ1Γ+ab")
    assert lm.characters(tree(r"\beta")) == {"𝛽"}


def test_the_font_is_the_one_that_its_tool_makes():
    """What can be known without the whole font: its proportions, the sizes of roots and bars, its licence."""
    with TTFont(lm.FONT) as font:
        constants = font["MATH"].table.MathConstants
        for name, value in math_font.CONSTANTS.items():
            assert getattr(constants, name).Value == value, name
        for sign, sizes in (("√", math_font.ROOTS), *((b, math_font.BAR_SIZES) for b in "|‖")):
            _, made = next(math_font.sizes(font, sign, "Vert"))
            found = [each.AdvanceMeasurement for each in made.MathGlyphVariantRecord]
            assert found[-len(sizes) :] == list(sizes) and not made.GlyphAssembly
    assert "SIL OPEN FONT LICENSE" in (lm.FONT.parent / "stix-two-math-OFL.txt").read_text("utf8")
