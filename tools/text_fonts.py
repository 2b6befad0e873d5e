"""Make the fonts of text and figures: python tools/text_fonts.py FOLDER

FOLDER holds the whole fonts as their maker publishes them, unpacked from the npm packages
`source-sans@3.52.0` and `source-serif@4.5.1`. The book gets a serif for its prose and a sans for headings,
captions and tables, each with the weights from regular to bold in one file; the package gets the same sans
for its figures, upright and slanted. Pages keep the characters of `PROSE` and take any other from the font
of the formulas; figures, which have no second font, keep those of `FORMULAS`, too. The licence reserves
the name Source for the whole fonts, so the parts have names of their own. The same fonts give the same bytes.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

ROOT = Path(__file__).parents[1]
PAGES, FIGURES = ROOT / "book" / "assets", ROOT / "linlearn" / "fonts"

PROSE = (
    (0x20, 0x7E),
    (0xA0, 0xFF),  # Latin
    (0x107, 0x107),
    (0x10D, 0x10D),
    (0x131, 0x131),
    (0x151, 0x151),
    (0x160, 0x161),  # letters of mathematicians' names
    (0x2009, 0x2026),
    (0x202F, 0x203A),
    (0x2212, 0x2212),  # spaces, dashes, quotation marks, dots, primes, minus
    (0x2190, 0x2193),
    (0x2248, 0x2248),
    (0x2260, 0x2265),  # arrows and relations
    (0x2713, 0x2717),  # a tick, a cross
)
FORMULAS = (
    (0x391, 0x3C9),  # Greek
    (0x2044, 0x2044),
    (0x2070, 0x209C),  # raised and lowered digits
    (0x21D0, 0x21D4),
    (0x2202, 0x2265),
    (0x22C5, 0x22C5),  # arrows, operators and relations
    (0x25A0, 0x25CF),  # squares, triangles, discs
    (0x27E8, 0x27E9),  # brackets of an inner product
)
WEIGHTS = (400, 700)
TEXT_SIZE = 18  # of the serif's drawings for different sizes, the one for prose


@dataclass(frozen=True)
class Face:
    """A font to be made: from which file, where to, its name, and where its axes end."""

    source: str
    target: Path
    name: str
    axes: dict

    @property
    def characters(self) -> set[int]:
        ranges = PROSE if self.target.parent == PAGES else PROSE + FORMULAS
        return {c for low, high in ranges for c in range(low, high + 1)}


SERIF = {"opsz": TEXT_SIZE, "wght": WEIGHTS}
FACES = (
    Face("SourceSerif4Variable-Roman.ttf", PAGES / "serif.woff2", "Linlearn Serif", SERIF),
    Face("SourceSerif4Variable-Italic.ttf", PAGES / "serif-italic.woff2", "Linlearn Serif", SERIF),
    Face("SourceSans3VF-Upright.ttf", PAGES / "sans.woff2", "Linlearn Sans", {"wght": WEIGHTS}),
    Face("SourceSans3-Regular.ttf", FIGURES / "sans.ttf", "Linlearn Sans", {}),
    Face("SourceSans3-It.ttf", FIGURES / "sans-italic.ttf", "Linlearn Sans", {}),
)


def rename(font: TTFont, family: str) -> None:
    style = font["name"].getDebugName(2)
    known = {1: family, 2: style, 4: f"{family} {style}", 6: f"{family}-{style}".replace(" ", "")}
    for number in (3, 16, 17, 25):
        font["name"].removeNames(nameID=number)
    for number, text in known.items():
        font["name"].removeNames(nameID=number)
        font["name"].setName(text, number, 3, 1, 0x409)


def make(face: Face, folder: Path) -> None:
    """Cut one font to its weights and characters, and write it."""
    (source,) = folder.rglob(face.source)
    options = subset.Options(
        flavor="woff2" if face.target.suffix == ".woff2" else None,
        layout_features=["kern"],
        hinting=False,
        name_IDs=[0, 1, 2, 4, 5, 6, 7, 13, 14],
        name_languages=[0x409],
        notdef_outline=True,
        glyph_names=False,
        drop_tables=["DSIG", "meta", "BASE", "MVAR"],
    )
    font = subset.load_font(source, options, lazy=False)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=face.characters)
    cutter.subset(font)
    if face.axes:
        font = instantiateVariableFont(font, face.axes)
    rename(font, face.name)
    subset.save_font(font, face.target, options)
    print(
        f"{face.target}: {face.target.stat().st_size} bytes, {len(font.getBestCmap())} characters"
    )


if __name__ == "__main__":
    for each in FACES:
        make(each, Path(sys.argv[1]))
