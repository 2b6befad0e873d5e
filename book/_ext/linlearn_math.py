"""Typeset formulas while the book is built: LaTeX becomes MathML, which browsers draw without a script.

The font is in `assets`; a formula is text.

`math_core` reads the LaTeX; what it cannot read, or what the font lacks, is a warning with the place of
the formula. The rest of this file mends what browsers draw badly.
"""

import functools
import html
import re
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

from docutils import nodes
from fontTools.ttLib import TTFont
from math_core import LatexError, LatexToMathML
from sphinx.search import WordCollector
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

LOG = logging.getLogger(__name__)
FONT = Path(__file__).parents[1] / "assets" / "stix-two-math.woff2"

# Signs for which the font has a better shape than the one the converter takes, and TeX's own sizes.
BETTER = {"∖": "⧵"}
SIZES = {"1.2em": "1.2em", "1.623em": "1.8em", "2.047em": "2.4em", "2.470em": "3em"}


@functools.cache
def mathml(tex: str, display: bool) -> str:
    """The <math> element of a formula; LatexError where it cannot be read, or drawn."""
    read = LatexToMathML(fancy_error=False).convert_with_local_state
    text = read(tex, displaystyle=display).replace("&ApplyFunction;", "\u2061")
    formula = ET.fromstring(text.replace("\ufe00", ""))  # asks for another script font
    lacking = "".join(sorted(characters(formula) - drawable()))
    if lacking:
        raise LatexError(f"the font has no {lacking!r}; add it in tools/math_font.py")
    for part in list(formula.iter()):
        repair = REPAIRS.get(part.tag)
        if repair:
            repair(part)
    if not display:
        cut(formula)
    return ET.tostring(formula, encoding="unicode")


# The font -------------------------------------------------------------------------------------

# Mathematical italic letters by the letters that a browser slants when they stand alone in <mi>.
SLANTED = {
    unicodedata.normalize("NFKC", chr(code)): chr(code)
    for low, high in ((0x1D434, 0x1D467), (0x1D6A4, 0x1D6A5), (0x1D6E2, 0x1D71B))
    for code in range(low, high + 1)
    if unicodedata.name(chr(code), "")
} | {"h": "ℎ"}


@functools.cache
def drawable() -> frozenset[str]:
    """The characters that the font can draw."""
    with TTFont(FONT) as font:
        return frozenset(map(chr, font.getBestCmap()))


def characters(formula: ET.Element) -> set[str]:
    """The characters that a browser takes from the font for a formula."""
    found = set()
    for part in formula.iter():
        text = part.text or ""
        slanted = part.tag == "mi" and part.get("mathvariant") != "normal"
        found |= {SLANTED.get(text, text)} if slanted and len(text) == 1 else set(text)
    return found


# Spaces and sizes -----------------------------------------------------------------------------

RELATIONS = set("=≤≥<>≠∈∉→↦≈⇒⇔⟺∝⊆≔←")
SIGNS = set("+−±∓·×∘")
LARGE = set("∑∏⋂⋃⋁⋀∐")


def respell(sign: ET.Element) -> None:
    sign.text = BETTER.get(sign.text, sign.text)
    for limit in ("minsize", "maxsize"):
        if sign.get(limit) in SIZES:
            sign.set(limit, SIZES[sign.get(limit)])
    if sign.text == "\u2061" and sign.get("lspace"):
        sign.set("rspace", "0")  # else Firefox takes the space beside `max` twice


def continue_line(row: ET.Element) -> None:
    """A line of `aligned` that begins with a sign goes on from the line above: the sign has two sides.
    (In a matrix it has one.)"""
    for k, cell in enumerate(row):
        first = cell[0] if len(cell) else cell
        aligned = k % 2 and "padding-left: 0;" in cell.get("style", "")
        if first.tag == "mo" and first.text in (RELATIONS | SIGNS if aligned else RELATIONS):
            first.set("form", "infix")


def space(limits: ET.Element) -> None:
    """The space beside a sum is beside its limits, too: `i = 1` may be wider than the sign."""
    sign = limits[0]
    if sign.tag == "mo" and sign.text in LARGE:
        sides = [sign.get(side, "0.1667em") for side in ("lspace", "rspace")]
        limits.set("style", f"padding-inline: {' '.join(sides)}")
        sign.set("lspace", "0")
        sign.set("rspace", "0")


# Fences of a given size -----------------------------------------------------------------------

OPENING, CLOSING, EITHER = set("([{⟨⌊⌈"), set(")]}⟩⌋⌉"), set("|‖")
SCRIPTED = ("msub", "msup", "msubsup")


def kernel(part: ET.Element) -> ET.Element:
    """A part of a row without its scripts."""
    return part[0] if part.tag in SCRIPTED else part


def pair(row: ET.Element) -> None:
    """Put `\\bigl( … \\bigr)^2` into a row of its own: else only one of the two fences has its size,
    the script hangs on the other, and both are spaced like relations."""
    done: list[ET.Element] = []
    open_at: list[int] = []
    for part in list(row):
        fence = kernel(part)
        sign = fence.text if fence.tag == "mo" and fence.get("minsize") else None
        closes = sign in CLOSING or (
            sign in EITHER and open_at and kernel(done[open_at[-1]]).text == sign
        )
        if sign and closes:
            fence.set("form", "postfix")
            start = open_at.pop() if open_at else len(done)
            group = ET.Element("mrow")
            group.extend([*done[start:], fence])
            done[start:] = [group]
            if part is not fence:  # its script belongs to the whole group
                part[0] = group
                done[start] = part
            continue
        if sign in OPENING | EITHER:
            fence.set("form", "prefix")
            open_at.append(len(done))
        done.append(part)
    row[:] = done


REPAIRS = {
    "mo": respell,
    "mtr": continue_line,
    **dict.fromkeys(("munder", "mover", "munderover"), space),
    **dict.fromkeys(("math", "mrow", "mtd"), pair),
}


# A formula in the text that is wider than a phone ---------------------------------------------

LONG = 12  # leaves; a shorter formula stays whole


def cut(formula: ET.Element) -> None:
    """Cut a long formula before its relations, outside brackets; there a line may end."""
    if sum(1 for each in formula.iter() if not len(each)) < LONG:
        return
    rows: list[list[ET.Element]] = [[]]
    depth = 0
    for part in formula:
        if part.tag == "mo" and part.text in RELATIONS and not depth and rows[-1]:
            part.set("form", "infix")
            part.set("lspace", "0")  # its space ends the line before: math.css
            rows.append([])
        depth += turn(kernel(part))
        rows[-1].append(part)
    if len(rows) > 1:
        formula.set("class", "long")
        formula[:] = []
        for row in rows:
            ET.SubElement(formula, "mrow").extend(row)
        last = formula[-1]  # in a box of its own, which clings to what follows: math.css
        last[:], inner = [], list(last)
        last.set("class", "end")
        ET.SubElement(last, "mrow").extend(inner)


def turn(part: ET.Element) -> int:
    """One where a bracket opens, minus one where it closes, else nothing."""
    if part.tag != "mo":
        return 0
    if part.text in EITHER:
        return {"prefix": 1, "postfix": -1}.get(part.get("form"), 0)
    return (part.text in OPENING) - (part.text in CLOSING)


# What Sphinx writes ---------------------------------------------------------------------------


CLASSES = "math notranslate nohighlight"


def typeset(node: nodes.Element, display: bool) -> str:
    tex = node.astext().strip()
    try:
        return mathml(in_lines(tex) if display else tex, display)
    except LatexError as error:
        LOG.warning("this formula cannot be typeset (%s): %s", error, tex, location=node)
        return f'<code class="unset">{html.escape(tex)}</code>'


def in_lines(tex: str) -> str:
    """A displayed formula as the converter reads it: paragraphs are lines, and Sphinx numbers them."""
    blocks = [block for block in re.split(r"\n\s*\n", tex) if block.strip()]
    bare = re.sub(r"\\begin\{(\w+\*?)\}.*?\\end\{\1\}", "", tex, flags=re.DOTALL)
    if len(blocks) > 1 or r"\\" in bare:
        return r"\begin{gathered}" + r"\\".join(blocks) + r"\end{gathered}"
    return re.sub(r"\\(begin|end)\{(align|alignat|equation|gather)\}", r"\\\1{\2*}", tex)


TOGETHER = (
    r'([(\[“‘]?)(<span class="math [^>]*>(?:(?!</span>).)*</span>)([.,;:!?)\]’”]*)',
    lambda m: f'<span class="together">{m[0]}</span>' if m[1] or m[3] else m[0],
)
"""A formula and the punctuation that clings to it, and how they stay on one line of a page."""


def inline(tex: str) -> str:
    """A formula as a piece of a page that is written as text; LatexError where it cannot be typeset."""
    source = html.escape(tex)
    return f'<span class="{CLASSES}" data-tex="{source}">{mathml(tex, display=False)}</span>'


def visit_inline(translator, node: nodes.math) -> None:
    start = opening(translator, node, "span")
    translator.body.append(f"{start}{typeset(node, display=False)}</span>")
    raise nodes.SkipNode


def visit_display(translator, node: nodes.math_block) -> None:
    start = opening(translator, node, "div")
    translator.body.append(f'{start}<div class="formula">{typeset(node, display=True)}</div>')
    if node["number"]:
        number = get_node_equation_number(translator, node)
        translator.body.append(f'<span class="eqno">({number})')
        translator.add_permalink_ref(node, "Link to this equation")
        translator.body.append("</span>")
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def opening(translator, node: nodes.Element, tag: str) -> str:
    """The start of a formula's box, which keeps its source for those who copy it."""
    tex = {"data-tex": node.astext().strip()}
    return translator.starttag(node, tag, "", CLASS=CLASSES, **tex)


# Search ---------------------------------------------------------------------------------------


def plain(tex: str) -> str:
    """A formula as a line of characters, for a place that can show nothing else."""
    try:
        text = "".join(ET.fromstring(mathml(tex, display=False)).itertext())
    except LatexError:  # said where it stands
        return ""
    return re.sub(f"([{''.join(RELATIONS)}])", r" \1 ", text.replace("\u2061", "")).strip()


def with_plain_formulas(title: nodes.title) -> nodes.title:
    copy = title.deepcopy()
    for formula in list(copy.findall(nodes.math)):
        formula.parent.replace(formula, nodes.Text(plain(formula.astext())))
    copy.parent = title.parent
    return copy


def without_formulas(collect: Callable) -> Callable:
    """Nobody searches for `lVert` or `frac`, and no title in a list of results should show them."""

    def dispatch_visit(collector: WordCollector, node: nodes.Node) -> None:
        if isinstance(node, nodes.math | nodes.math_block):
            raise nodes.SkipNode
        collect(collector, with_plain_formulas(node) if isinstance(node, nodes.title) else node)

    return dispatch_visit


def setup(app):
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_display, None))
    app.config.html_math_renderer = "mathml"
    WordCollector.dispatch_visit = without_formulas(WordCollector.dispatch_visit)
    return {"version": "1"}
