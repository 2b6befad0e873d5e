"""Committed outputs are damaged in every way that applies, and the comparison notices each time.

Every text is, and one figure in four.

`pytest -rP` on this file prints how many damages that were.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import cycle, pairwise

import pytest
from guards import ROOT, opened
from nbformat.v4 import new_output
from same_output import DISTANCE, LAST, LIVE, NAME, NUMBER, Shown, difference, shown

from tools.notebooks import pages


@cache
def cells() -> list[list[Shown]]:
    """What each cell of the book that puts something out has put out."""
    code = [cell for path in pages(ROOT) for cell in opened(path).code]
    return [list(shown(cell.outputs)) for cell in code if cell.outputs]


@cache
def figures() -> list[str]:
    """Of the book's figures, which are all written by one function, one in four."""
    return [text for cell in cells() for kind, text in cell if kind == "image/svg+xml"][::4]


def texts() -> list[str]:
    return [text for cell in cells() for kind, text in cell if kind != "image/svg+xml"]


def few(pattern: str, text: str) -> list[re.Match]:
    """The first, the last and some matches between."""
    found = list(re.finditer(pattern, text))
    return found[:: max(1, len(found) // 4)] + found[-1:]


def put(text: str, found: re.Match, new: str, group: int = 0) -> str:
    return text[: found.start(group)] + new + text[found.end(group) :]


# What may go wrong in a text: each function yields the text with one damage, wherever it applies.


def wrong_digit(text: str) -> Iterator[str]:
    """Every digit, one more than it was."""
    for found in re.finditer(r"\d", text):
        yield put(text, found, str((int(found[0]) + 1) % 10))


def lost_sign(text: str) -> Iterator[str]:
    for found in re.finditer(r"[-−+](?=\.?\d)", text):
        yield put(text, found, "")


def changed_word(text: str) -> Iterator[str]:
    for found in re.finditer(r"[^\W\d_]+", text):
        yield put(text, found, found[0].swapcase())


def lost_line(text: str) -> Iterator[str]:
    lines = text.splitlines(keepends=True)
    for k in range(len(lines)):
        yield "".join(lines[:k] + lines[k + 1 :])


def lost_space(text: str) -> Iterator[str]:
    for found in few(r"[ \n]", text):
        yield put(text, found, "")


# What may go wrong in a figure.


def moved(svg: str, attribute: str, by: float) -> Iterator[str]:
    """Its last number, by so much."""
    for found in few(rf' {attribute}="[^"]*\d[^"]*"', svg):
        *_, last = NUMBER.finditer(svg, *found.span())
        yield put(svg, last, f"{float(last[0]) + by:.6f}")


def moved_point(svg: str) -> Iterator[str]:
    """A coordinate of each kind, by a hundredth of a pixel."""
    for attribute in ("x", "y", "d", "width", "height", "viewBox"):
        yield from moved(svg, attribute, 0.01)


def moved_group(svg: str) -> Iterator[str]:
    for found in few(r"translate\((-?[\d.]+)", svg):
        yield put(svg, found, f"{float(found[1]) - 0.01:.6f}", group=1)


def scaled_letter(svg: str) -> Iterator[str]:
    """By a thousandth of its size, or turned by as many degrees."""
    for found in few(r"(?:scale|rotate)\((-?[\d.]+)", svg):
        yield put(svg, found, f"{float(found[1]) * 1.001:.6f}", group=1)


def added_point(svg: str) -> Iterator[str]:
    for found in few(r'\nL [-\d.]+ [-\d.]+ (?=\n")', svg):
        yield put(svg, found, 2 * found[0])


def curved_line(svg: str) -> Iterator[str]:
    for found in few(r"(?<=\n)L(?= )", svg):
        yield put(svg, found, "M")


def swapped_colour(svg: str) -> Iterator[str]:
    """Each colour for the next one, everywhere and in the last place only."""
    colours = sorted(set(re.findall(r"#[0-9a-f]{6}", svg)))
    for one, other in pairwise([*colours, colours[0]]):
        yield svg.replace(one, other)
        yield other.join(svg.rsplit(one, 1))


def changed_style(svg: str) -> Iterator[str]:
    for found in few(r"(?:stroke-width|opacity|stroke-dasharray|font-size): ([\d.]+)", svg):
        yield put(svg, found, f"{found[1]}5", group=1)


def removed_element(svg: str) -> Iterator[str]:
    for tag in ("use", "path", "rect", "text"):
        for found in few(rf"<{tag}\b[^>]*(?:/>|>[^<]*</{tag}>)\n", svg):
            yield put(svg, found, "")


def doubled_element(svg: str) -> Iterator[str]:
    for found in few(r"<(?:use|path)\b[^>]*/>\n", svg):
        yield put(svg, found, 2 * found[0])


def other_end(svg: str) -> Iterator[str]:
    """Cut short before an element, or gone on with."""
    for found in few(r"<", svg):
        yield svg[: found.start()]
    yield svg + "<g/>"


def changed_label(svg: str) -> Iterator[str]:
    """The words and numbers of ticks, titles and notes: each stands in a comment and as glyphs."""
    for found in few(r"(?<=<!-- ).+?(?= -->)", svg):
        yield put(svg, found, found[0] + "0")
    for found in few(r'(?<=xlink:href="#)\w+-[0-9a-f]+(?=")', svg):
        yield put(svg, found, "DejaVuSans-3f")


def changed_reference(svg: str) -> Iterator[str]:
    for found in few(r'(?:url\(|href=")#f[0-9a-f]{8}-(\d+)', svg):
        yield put(svg, found, str(int(found[1]) + 1), group=1)
    for found in few(NAME.pattern, svg):
        yield put(svg, found, "f00000000")


DAMAGES = {
    "text": [wrong_digit, lost_sign, changed_word, lost_line, lost_space],
    "figure": [
        moved_point,
        moved_group,
        scaled_letter,
        added_point,
        curved_line,
        swapped_colour,
        changed_style,
        removed_element,
        doubled_element,
        other_end,
        changed_label,
        changed_reference,
    ],
}
KIND = {"text": "stdout", "figure": "image/svg+xml"}


@pytest.mark.parametrize(
    ("what", "damage"),
    [(what, damage) for what in DAMAGES for damage in DAMAGES[what]],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_every_damage_to_every_output_is_noticed(what: str, damage: Callable[[str], Iterator[str]]):
    kind, counts = KIND[what], Counter()
    for whole in {"text": texts, "figure": figures}[what]():
        damaged = [text for text in damage(whole) if text != whole]
        counts["outputs"] += bool(damaged)
        counts["damages"] += len(damaged)
        missed = [text for text in damaged if not difference([(kind, whole)], [(kind, text)])]
        assert not missed, f"{len(missed)} of {len(damaged)} pass: {missed[0][:200]}"
    print(f"{damage.__name__}: {counts['damages']} in {counts['outputs']} outputs, all noticed")
    assert counts["outputs"] > 0


def test_every_cell_that_puts_out_more_less_or_other_things_is_noticed():
    lost = [cell[1:] for cell in cells()]
    doubled = [[*cell, cell[-1]] for cell in cells()]
    renamed = [[("stderr", cell[0][1]), *cell[1:]] for cell in cells()]
    bitmap = [[*cell, ("image/png", "iVBORw0KGgo=")] for cell in cells()]
    turned = [cell[::-1] if len(cell) > 1 else [] for cell in cells()]
    for changed in (lost, doubled, renamed, bitmap, turned):
        for committed, now in zip(cells(), changed, strict=True):
            assert difference(committed, now) and difference(now, committed)
    print(f"{5 * len(cells())} damages to {len(cells())} cells, all noticed")


def test_a_swapped_figure_is_noticed():
    """Another figure of the book in the place of each, and a figure's text in its place."""
    for one, other in pairwise([*figures(), figures()[0]]):
        assert difference([("image/svg+xml", one)], [("image/svg+xml", other)])
        assert difference([("image/svg+xml", one)], [("text/plain", one)])
    print(f"{2 * len(figures())} damages to {len(figures())} figures, all noticed")


def shaken(svg: str, *by: float) -> str:
    """All coordinates moved, up and down by turns, by so much; what is not a coordinate stays."""
    steps = cycle((*by, *(-step for step in by)))

    def moved(found: re.Match) -> str:
        parts = NUMBER.split(found[0])
        parts[1::2] = [f"{float(number) + next(steps):.6f}" for number in parts[1::2]]
        return "".join(parts)

    attribute = re.compile(r' (?:d|x|y|width|height|viewBox)="[^"]*"|translate\([^)]*\)')
    return attribute.sub(moved, svg)


def test_what_a_processor_may_decide_is_passed_over():
    """By turns one unit of the last decimal, and nearly as much as the rule allows."""
    for svg in figures():
        other = shaken(svg, 1e-6, 0.9 * DISTANCE)
        assert other != svg
        assert difference([("image/svg+xml", svg)], [("image/svg+xml", other)]) is None


def test_a_live_view_is_passed_over_and_nothing_beside_it():
    """Where anywidget is installed, a cell puts out a live view beside what is committed."""

    def put_out(**data):
        return list(shown([new_output("execute_result", data={"text/plain": "a figure", **data})]))

    assert difference(put_out(), put_out(**{LIVE: {"model_id": "1"}})) is None
    assert difference(put_out(), put_out(**{LIVE: {}, "text/html": "<p>"})) is not None


def test_the_rule_ends_where_it_says():
    def pair(attribute, by):
        return [[("image/svg+xml", f'<g {attribute.format(v)}"/>')] for v in (1.5, 1.5 + by)]

    for attribute in ('x="{:.6f}', 'd="M 3 {:.6f}\nL 4 5', 'transform="translate({:.6f} 3)'):
        assert not difference(*pair(attribute, 0.99 * DISTANCE))
        assert difference(*pair(attribute, 1.01 * DISTANCE))
    for attribute in (
        'transform="scale({:.6f} 1)',
        'transform="rotate({:.6f})',
        'transform="translate(3 4) matrix(1 0 0 {:.6f} 0 0)',
    ):
        assert not difference(*pair(attribute, LAST / 2)) and difference(*pair(attribute, 2 * LAST))
    assert difference(*pair('style="stroke-width: {:.6f}', 1e-6))


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ([("stdout", "a\n1.0")], [("stdout", "a\n1.1")], "stdout, line 2: '1.0' is committed, "),
        ([("stdout", "a")], [], "stdout is committed, nothing is put out"),
        ([], [("image/png", "")], "nothing is committed, image/png is put out"),
    ],
)
def test_a_difference_is_told_in_a_sentence(one: list[Shown], other: list[Shown], said: str):
    assert said in difference(one, other)


def test_a_changed_colour_is_told_and_not_the_ids_that_follow():
    svg = max((svg for svg in figures() if "#1f5fa8" in svg), key=len)
    name = NAME.search(svg)[0]
    other = svg.replace("#1f5fa8", "#b3261e").replace(name, "f00000000")
    said = difference([("image/svg+xml", svg)], [("image/svg+xml", other)])
    assert "1f5fa8" in said and "b3261e" in said
