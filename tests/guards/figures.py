"""Guards on figures: deterministic SVG with alternative text, caption, name and a reference."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from nbformat import NotebookNode

from guards.page import Page, figure_data, guard, outputs, tags
from guards.reading import targets
from linlearn.plot import FONT, HASHED

# Pixels: how wide a figure is shown on a phone, and how large its letters are at least.
PHONE, LEAST = 390, 10
# The size of a text: Matplotlib's glyphs are drawn at 100 points.
LETTERS = re.compile(r"scale\(([\d.]+) -[\d.]+\)")
PLACED = re.compile(
    r'<g id="text_\d+">(?:(?!<g id=).)*?transform="translate\(([-\d.]+) ([-\d.]+)\)'
    r"( rotate\([-\d.]+\))? scale\(([\d.]+) ",
    re.DOTALL,
)
GLYPHS = re.compile(r'href="#(?!f[0-9a-f]{8}-)([A-Za-z]\w*?(?:-[A-Za-z]+)?)-[0-9a-f]+"')
REFERENCE = re.compile(r'(?<=[("]#)[^()"]*(?=[)"])')
EXPLORABLE = re.compile(r'<div data-explore="\w+"(?: data-in="([^"]*)")?')


def images(cell: NotebookNode) -> list[dict]:
    """The data of each output that holds an image."""
    return [
        output.data
        for output in cell.outputs
        if any(mime.startswith("image/") for mime in output.get("data", {}))
    ]


def drawings(page: Page) -> Iterator[tuple[NotebookNode, str]]:
    """The SVG of each image, "" where it is something else, with its cell."""
    for cell in page.code:
        for data in images(cell):
            yield cell, data.get("image/svg+xml", "")


@guard
def figures_svg(page: Page) -> Iterator[str]:
    """Figures are SVG (nbval does not compare bitmaps), without date, maker or ids that vary."""
    for cell in page.code:
        for data in images(cell):
            svg = data.get("image/svg+xml", "")
            bitmaps = [
                mime for mime in data if mime.startswith("image/") and mime != "image/svg+xml"
            ]
            if bitmaps or not svg:
                yield (
                    f"{page.at(cell)}: a figure must be image/svg+xml only, got "
                    f"{', '.join(bitmaps)}. Call `plot.book_style()` first."
                )
            if "<dc:date>" in svg or "<dc:creator>" in svg:
                yield (
                    f"{page.at(cell)}: the SVG carries its date or maker. Call "
                    "`plot.book_style()` first, then `make outputs`."
                )
            if HASHED.search(svg):
                yield (
                    f"{page.at(cell)}: the SVG's ids depend on the processor. Call "
                    "`plot.book_style()` first, then `make outputs`."
                )


@guard
def figures_apart(page: Page) -> Iterator[str]:
    """Shown in one document, no figure borrows another's marker or frame: an id means one thing."""
    known: dict[str, str] = {}
    for cell, svg in drawings(page):
        for name, drawing in _referenced(svg or "<svg/>"):
            if known.setdefault(name, drawing) != drawing:
                yield (
                    f"{page.at(cell)}: the id `{name}` means something else in an earlier "
                    "figure. Call `plot.book_style()` first, then `make outputs`."
                )


@guard
def figures_legible(page: Page) -> Iterator[str]:
    """Letters are large enough on a phone, except the scripts of a formula, 0.7 of what they belong to."""
    for cell, svg in drawings(page):
        width = float((re.search(r'viewBox="0 0 ([\d.]+)', svg) or [0, "inf"])[1])
        high = min(map(float, LETTERS.findall(svg)), default=1) * 100 * PHONE / width
        if high < LEAST and svg:
            yield (
                f"{page.at(cell)}: on a phone the smallest letters are {high:.2f} px high; {LEAST} px "
                "are asked. Make the figure at most 5.6 inches wide and leave out `fontsize`."
            )


@guard
def figures_stars(page: Page) -> Iterator[str]:
    """A star is as large as a letter: as the superscript of a formula Matplotlib makes it a speck."""
    for cell, _ in drawings(page):
        for label in re.findall(r"[^\"'\n]*\^\*[^\"'\n]*", cell.source):
            yield (
                f"{page.at(cell)}: the star of `{label}` would be a speck. Write it outside the "
                "formula: `$p$*`, or `$(R/\\gamma$*$)^2$`."
            )


@guard
def figures_whole(page: Page) -> Iterator[str]:
    """No title or label is cut off: letters reach 0.7 of their size above their line, and 0.2 below."""
    for cell, svg in drawings(page):
        if not svg:
            continue
        wide, high = map(float, re.findall(r'(?<=viewBox="0 0 )(\S+) ([^"]+)', svg)[0])
        for x, y, turned, scale in PLACED.findall(svg):
            size, x, y = 100 * float(scale), float(x), float(y)
            at, end = (x, wide) if turned else (y, high)
            if at < 0.7 * size - 1 or at + 0.2 * size > end + 1:
                yield (
                    f"{page.at(cell)}: letters at {x:.0f}, {y:.0f} are cut off by the edge of the figure, "
                    f"{wide:g} by {high:g} points. Make the figure higher."
                )
                break


@guard
def figures_font(page: Page) -> Iterator[str]:
    """Every letter comes from the font that ships with the package, none from the machine."""
    for cell, svg in drawings(page):
        others = {*GLYPHS.findall(svg), *(["the reader's machine"] if "<text" in svg else [])}
        others = sorted(name for name in others if not name.startswith(FONT.replace(" ", "")))
        if others:
            yield (
                f"{page.at(cell)}: letters of the figure come from {', '.join(others)}. Call "
                "`plot.book_style()` first; a character that the font lacks enters `tools/text_fonts.py`."
            )


def _referenced(svg: str) -> Iterator[tuple[str, str]]:
    """The ids that the drawing refers to, each with the element that it names."""
    names = set(REFERENCE.findall(svg))
    for element in ElementTree.fromstring(svg).iter():
        name = element.get("id")
        if name in names:
            yield name, ElementTree.tostring(element, "unicode").strip()


@guard
def figures_alone(page: Page) -> Iterator[str]:
    """A figure cell puts out one figure and nothing else."""
    for cell in page.code:
        if images(cell) and len(cell.outputs) > 1:
            yield (
                f"{page.at(cell)}: puts out {len(cell.outputs)} things; one figure is expected. "
                "End it with `plt.show()` and print elsewhere."
            )


@guard
def figures_described(page: Page) -> Iterator[str]:
    """Every figure has an alternative text that says what is seen, a caption, and a name `fig-…`."""
    for cell in page.code:
        image, figure = figure_data(cell)
        if not images(cell):
            if image or figure:
                yield (
                    f"{page.at(cell)}: has figure metadata but puts out no figure. Run `make "
                    "outputs` or delete the metadata."
                )
            continue
        alt, caption, name = (
            _plain(image.get("alt")),
            _plain(figure.get("caption")),
            figure.get("name", ""),
        )
        if len(alt) < 40:
            yield (
                f"{page.at(cell)}: `mystnb.image.alt` must have at least 40 characters, got "
                f"{len(alt)}. "
                "Say what is seen and what follows from it."
            )
        if not caption:
            yield f"{page.at(cell)}: `mystnb.figure.caption` is missing. Say what the figure shows."
        if alt and alt.casefold() == caption.casefold():
            yield (
                f"{page.at(cell)}: the alternative text repeats the caption. Say in it what a "
                "reader sees."
            )
        if not re.fullmatch(r"fig(-[a-z0-9]+)+", name):
            yield (
                f"{page.at(cell)}: `mystnb.figure.name` must look like `fig-halfspaces`, got "
                f"{name!r}."
            )


@guard
def figures_mentioned(page: Page) -> Iterator[str]:
    """Every figure is sent for in the text, by number."""
    sent = {
        label
        for _, reading in page.readings
        for role, text in reading.roles
        if role == "numref"
        for label in targets(text)
    }
    named = [(cell, figure_data(cell)[1].get("name")) for cell in page.code if images(cell)]
    named += [
        (cell, d.options["name"])
        for cell, r in page.readings
        for d in r.directives
        if d.name == "figure" and "name" in d.options
    ]
    for cell, name in named:
        if name and name not in sent:
            yield (
                f"{page.at(cell)}: no sentence mentions the figure. Write {{numref}}`{name}` "
                "where the reader should look at it."
            )


@guard
def explorables(page: Page) -> Iterator[str]:
    """An explorable takes the place of a figure above it, which is there without a script; one for each."""
    figures, taken = set(), set()
    for cell in page.code:
        figures.add(figure_data(cell)[1].get("name"))
        for place in EXPLORABLE.findall("".join(text for _, text in outputs(cell))):
            if not place or place not in figures:
                yield (
                    f"{page.at(cell)}: `place` must name a figure of a cell above, got {place!r}. Name "
                    "the figure that the explorable stands for."
                )
            elif place in taken:
                yield f"{page.at(cell)}: {place} has an explorable already. Keep one of them."
            taken.add(place)
            if tags(cell) not in (["hide-input"], ["remove-input"]):
                yield f"{page.at(cell)}: an explorable's code is folded. Tag the cell `hide-input`."


def _plain(text: str | None) -> str:
    return " ".join((text or "").split())
