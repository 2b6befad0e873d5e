"""When is what a cell puts out now the same as what is committed? A pytest plugin: nbval asks this.

The rule
--------
There are as many outputs, of the same kinds, in the same order. Text is the same letter for letter. A figure
is the same SVG letter for letter, ids, styles and words included, except for its coordinates: a number in
`d`, `x`, `y`, `width`, `height`, `viewBox` or `translate(…)` may differ by at most `DISTANCE`, a number in
another transformation by at most `LAST`, two units of the last decimal that Matplotlib writes.

What a widget shows live is not looked at: it is committed nowhere, since its number is another one each time.

Coordinates are let off because Matplotlib writes six decimals of them whatever they mean. Printed numbers are
not, because a cell prints the digits that the mathematics fixes and no more, ten at most: a guard counts.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import zip_longest

DISTANCE = 0.001  # in units of the drawing, 1/72 inch
LAST = 2e-6
LIVE = "application/vnd.jupyter.widget-view+json"  # the kind of output that a widget's live view is
NUMBER = re.compile(r"(-?\d+(?:\.\d+)?)")
NAME = re.compile(r"f[0-9a-f]{8}(?=-\d)")  # of a figure, in its ids: a hash of all but coordinates
Shown = tuple[str, str]  # kind and text


def pytest_configure(config) -> None:
    if config.pluginmanager.hasplugin("nbval"):
        from nbval.plugin import IPyNbCell

        IPyNbCell.compare_outputs = compare_outputs


def compare_outputs(cell, now, committed, skip_compare=None) -> bool:
    """In the place of nbval's method of this name, which asks for the same letters and skips bitmaps."""
    found = difference(shown(committed, cell.sanitize), shown(now, cell.sanitize))
    cell.comparison_traceback = [found or ""]
    return found is None


def shown(outputs: Iterable, sanitize: Callable[[str], str] = str) -> Iterator[Shown]:
    """Kind and text of all that a cell has put out, in order."""
    for output in outputs:
        if output.output_type == "stream":
            yield output.name, sanitize(output.text)
        elif output.output_type == "error":
            yield "error", sanitize(f"{output.ename}: {output.evalue}")
        else:
            kept = sorted((kind, text) for kind, text in output.data.items() if kind != LIVE)
            yield from ((kind, sanitize(str(text))) for kind, text in kept)


def difference(committed: Iterable[Shown], now: Iterable[Shown]) -> str | None:
    """What tells the two apart, in a sentence; None where the rule calls them the same."""
    for (kind, a), (other, b) in zip_longest(committed, now, fillvalue=("nothing", "")):
        if kind != other:
            return f"{kind} is committed, {other} is put out"
        if a == b:
            continue
        found = _figure(a, b) if kind == "image/svg+xml" else _text(a, b)
        if found:
            return f"{kind}, {found}"
    return None


def _text(a: str, b: str) -> str | None:
    for number, (left, right) in enumerate(zip_longest(a.split("\n"), b.split("\n")), start=1):
        if left != right:
            return f"line {number}: {left!r} is committed, {right!r} is put out"
    return None


def _figure(a: str, b: str) -> str | None:
    """Element by element: no attribute spans a `<`, and only pieces that are not the same need a look."""
    pieces = zip_longest(_pieces(a), b.split("<"), fillvalue="<")
    apart = [(k, one, other) for k, (one, other) in enumerate(pieces) if one != other]
    # One changed letter changes the name in every id, so the letter is looked for first.
    for look in (_letters, _names, _coordinates):
        for k, one, other in apart:
            if found := look(one, other):
                before = "<".join(_pieces(a)[:k])
                return f"line {before.count(chr(10)) + 1}: {found}"
    return None


# The tests compare one figure with a thousand that are damaged, so what was asked last is kept.
@lru_cache(maxsize=1)
def _pieces(svg: str) -> list[str]:
    return svg.split("<")


def _letters(a: str, b: str) -> str | None:
    """Where the two differ when their names and the space after them are left out."""
    return _names(NAME.sub("", a.strip()), NAME.sub("", b.strip()))


def _names(a: str, b: str) -> str | None:
    """Where the two differ in what is to be the same letter for letter."""
    from linlearn.plot import COORDINATES  # not above: the rest of the tests needs no Matplotlib

    one, other = COORDINATES.sub("…", a), COORDINATES.sub("…", b)
    return f"{one!r} is committed, {other!r} is put out" if one != other else None


def _coordinates(a: str, b: str) -> str | None:
    from linlearn.plot import COORDINATES

    for left, right in zip(COORDINATES.findall(a), COORDINATES.findall(b), strict=True):
        if left != right and (moved := _moved(left, right)):
            return moved
    return None


def _moved(a: str, b: str) -> str | None:
    """Where an attribute's words differ, or its numbers by more than the rule allows."""
    ours, others = NUMBER.split(a), NUMBER.split(b)  # words, a number, words, …
    if ours[::2] != others[::2]:
        return f"{_short(a)} is committed, {_short(b)} is put out"
    turns = a.startswith("transform")
    for k in range(1, len(ours), 2):
        off = abs(float(ours[k]) - float(others[k]))
        if off > DISTANCE or (off > LAST and turns and not _translates(ours[:k])):
            return f"{ours[k]} is committed, {others[k]} is put out, in {_short(a)}"
    return None


def _translates(before: list[str]) -> bool:
    """Whether the number after these words and numbers of a transformation moves and does not turn."""
    return "translate" in "".join(before).split(")")[-1]


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}…")
