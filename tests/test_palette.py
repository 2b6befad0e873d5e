"""One palette: the style sheet, the plotting module, the dark twins and the pages use the same colours."""

import re

import pytest
from guards import ROOT

from linlearn import plot
from linlearn.explore import _script

linlearn_book = pytest.importorskip("linlearn_book")

NAMES = ("INK", "MUTED", "GRID", "PAPER", "BLUE", "ORANGE", "GREEN", "PURPLE", "RED")


def css(theme):
    """The colours that `book.css` sets for a theme, by name; a rule is called "line" there."""
    rules = (ROOT / "book" / "assets" / "book.css").read_text(encoding="utf-8")
    block = re.search(rf'html\[data-theme="{theme}"\] {{(.*?)}}', rules, re.DOTALL)[1]
    found = dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", block))
    return {name: found["line" if name == "GRID" else name.lower()] for name in NAMES}


def test_plots_and_pages_are_drawn_in_the_same_light_colours():
    assert css("light") == {name: getattr(plot, name) for name in NAMES}


def test_every_light_colour_has_its_dark_twin():
    light, dark = css("light"), css("dark")
    assert {light[name]: dark[name] for name in NAMES} == linlearn_book.LIGHT_TO_DARK


def test_the_style_sheet_uses_no_other_colour():
    sheet = (ROOT / "linlearn" / "book.mplstyle").read_text(encoding="utf-8")
    used = {f"#{c}" for c in re.findall(r"\b([0-9a-f]{6})\b", sheet)}
    assert used <= set(linlearn_book.LIGHT_TO_DARK)
    assert {plot.INK, plot.BLUE, plot.ORANGE} <= used


def test_explorables_use_no_other_colour():
    """They fall back on the whole palette, light and dark, where a notebook has no colours of its own."""
    used = set(re.findall(r"#[0-9a-f]{3,8}\b", _script.style()))
    assert used == {*linlearn_book.LIGHT_TO_DARK, *linlearn_book.LIGHT_TO_DARK.values()}


def test_a_drawing_is_darkened_colour_by_colour():
    """Known colours are exchanged, an unknown one is mirrored in lightness, black ink gets a colour."""
    svg = '<svg width="1"><path style="fill: #1F5FA8; stroke: #111111"/></svg>'
    assert linlearn_book.darken(svg) == (
        '<svg fill="#ffffff" width="1"><path style="fill: #79b8ff; stroke: #eeeeee"/></svg>'
    )
