"""Make the font of the formulas: python tools/math_font.py STIXTwoMath-Regular.ttf

writes `book/assets/stix-two-math.woff2`, a part of STIX Two Math 2.11 with the characters that a course
needs and a few changes, each for a reason given below. The whole font is on PyPI in `ziamath==0.13`. The
same font gives the same bytes. Licence: `book/assets/stix-two-math-OFL.txt`.
"""

import functools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import Glyph, GlyphCoordinates
from fontTools.ttLib.tables.otTables import MathGlyphVariantRecord
from fontTools.ttLib.tables.ttProgram import Program

TARGET = Path(__file__).parents[1] / "book" / "assets" / "stix-two-math.woff2"

RANGES = (
    (0x20, 0x7E),
    (0xA0, 0xFF),  # Latin
    (0x131, 0x131),
    (0x237, 0x237),  # dotless i and j, under accents
    (0x2C6, 0x2DD),
    (0x300, 0x338),
    (0x20D0, 0x20EF),  # accents
    (0x391, 0x3F6),  # Greek
    (0x2002, 0x200A),
    (0x2010, 0x2064),  # spaces, dashes, primes, dots, invisible operators
    (0x2070, 0x208E),  # raised and lowered digits
    (0x2100, 0x214F),  # double-struck and script capitals
    (0x2190, 0x21D4),
    (0x27F5, 0x27FF),  # arrows
    (0x2200, 0x22F1),
    (0x27C2, 0x27C2),
    (0x29F5, 0x29F5),
    (0x2A7D, 0x2A7E),
    (0x25A0, 0x25AB),  # operators, relations, squares
    (0x2308, 0x230B),
    (0x27E8, 0x27EB),  # fences
    (0x1D400, 0x1D467),
    (0x1D49C, 0x1D503),
    (0x1D538, 0x1D56B),
    (0x1D6A4, 0x1D71B),
    (0x1D7CE, 0x1D7E1),  # bold, italic, script, double-struck
)

# TeX's proportions: a script beside y or d stands where it stands beside x, a fraction in a line is low
# enough for it, bars are as thin as the minus sign, and a root leaves air above a small letter.
CONSTANTS = {
    "SuperscriptBaselineDropMax": 386,
    "SubscriptBaselineDropMin": 50,
    "FractionNumeratorShiftUp": 394,
    "FractionDenominatorShiftDown": 345,
    "FractionNumeratorGapMin": 50,
    "FractionDenominatorGapMin": 50,
    "FractionRuleThickness": 48,
    "RadicalVerticalGap": 150,
    "RadicalRuleThickness": 48,
    "RadicalExtraAscender": 48,
}

# Browsers do not ask a font for the shape of a prime beside a letter (its feature `ssty`), and show
# the one for running text, too small and too high; so these characters get the right shape.
PRIMES = (0x2032, 0x2033, 0x2034, 0x2057)

# Chromium gives a fence or a root the width of its widest size, and leaves a gap beside a smaller one.
# So all sizes get nearly one width, and those that no lesson needs are dropped.
FENCES = "()[]{}⟨⟩⌊⌋⌈⌉"
FENCE_SIZES, WIDEST = 10, 1.12
BIG = 1.2 / 1.182  # the first larger size is just what `\\bigl` asks for, and not just too small

# Bars are put together from pieces, which Chromium makes too long and moves to the right.
BARS, BAR_SIZES = "|‖", (1205, 1450, 1690, 1930, 2170, 2410, 2700, 3000, 3400, 3900)

# The root's own sizes go from 1.2 to 1.9 of a letter's height, and most roots here would fall between.
ROOTS = (1000, 1200, 1450, 1750, 2150, 2650, 3300)
# Chromium sets the next letter where a slanted one's foot ends, and Y) or VX would touch.
SLANT = 40

HATS = (1.25, 1.5)  # sizes between those of a wide accent


def characters() -> set[int]:
    return {c for low, high in RANGES for c in range(low, high + 1)}


def redraw(
    font: TTFont,
    source: str,
    target: str,
    move: Callable[[int, int], tuple[float, float]],
    advance: float,
) -> None:
    """Give the glyph `target` the outline of `source`, its points moved."""
    points, ends, flags = font["glyf"][source].getCoordinates(font["glyf"])
    outline = Glyph()
    outline.numberOfContours, outline.endPtsOfContours, outline.flags = len(ends), ends, flags
    outline.coordinates = GlyphCoordinates(
        (round(x), round(y)) for x, y in (move(*point) for point in points)
    )
    outline.program = Program()
    outline.recalcBounds(font["glyf"])
    font["glyf"][target] = outline
    font["hmtx"][target] = (round(advance), outline.xMin)


def sizes(font: TTFont, signs: str, direction: str) -> Iterator[tuple[str, object]]:
    """The glyph of each sign and the record of its sizes, "Vert" or "Horiz"."""
    variants = font["MATH"].table.MathVariants
    covered = getattr(variants, f"{direction}GlyphCoverage").glyphs
    for sign in signs:
        name = font.getBestCmap()[ord(sign)]
        yield name, getattr(variants, f"{direction}GlyphConstruction")[covered.index(name)]


def record(glyph: str, size: float) -> MathGlyphVariantRecord:
    made = MathGlyphVariantRecord()
    made.VariantGlyph, made.AdvanceMeasurement = glyph, round(size)
    return made


def level_fences(font: TTFont) -> None:
    axis = font["MATH"].table.MathConstants.AxisHeight.Value
    for _, made in sizes(font, "/\\", "Vert"):
        made.MathGlyphVariantRecord = made.MathGlyphVariantRecord[:2]
    for name, made in sizes(font, FENCES, "Vert"):
        made.MathGlyphVariantRecord = made.MathGlyphVariantRecord[: FENCE_SIZES + 1]
        larger = made.MathGlyphVariantRecord[1:]
        parts = made.GlyphAssembly.PartRecords if made.GlyphAssembly else []
        limit = WIDEST * font["hmtx"][name][0]
        for each in larger:
            squeeze(font, each.VariantGlyph, limit, lambda y: axis + BIG * (y - axis))
            each.AdvanceMeasurement = round(BIG * each.AdvanceMeasurement)
        for glyph in {part.glyph for part in parts}:
            squeeze(font, glyph, limit, lambda y: y)


def squeeze(font: TTFont, glyph: str, limit: float, lift: Callable[[float], float]) -> None:
    """Make a glyph no wider than `limit`, and move its points upwards by `lift`."""
    width = font["hmtx"][glyph][0]
    factor = min(1, limit / width)
    redraw(font, glyph, glyph, lambda x, y: (factor * x, lift(y)), factor * width)


def grade_bars(font: TTFont) -> None:
    axis = font["MATH"].table.MathConstants.AxisHeight.Value
    for name, made in sizes(font, BARS, "Vert"):
        (first,), made.GlyphAssembly = made.MathGlyphVariantRecord, None
        for size in BAR_SIZES:
            glyph, factor = f"{name}.{size}", size / first.AdvanceMeasurement
            lift = functools.partial(lambda x, y, k: (x, axis + k * (y - axis)), k=factor)
            redraw(font, name, glyph, lift, font["hmtx"][name][0])
            made.MathGlyphVariantRecord.append(record(glyph, size))


def grade_roots(font: TTFont) -> None:
    """Lengthen the root's strokes only: its width and the bar that it ends in stay as they are."""
    (name, made), rule = next(sizes(font, "√", "Vert")), CONSTANTS["RadicalRuleThickness"]
    shape, advance = font["glyf"][name], font["hmtx"][name][0]
    foot, top, old_rule = shape.yMin, shape.yMax, 68
    for size in reversed(ROOTS):  # the first of them replaces the sign itself
        head = foot + size

        def move(x, y, head=head):
            if y > top - old_rule - 1:  # the bar: as thick as the rule that goes on from it
                return x, head if y == top else head - rule
            return x, foot + (y - foot) * (head - rule - foot) / (top - old_rule - foot)

        redraw(font, name, f"{name}.{size}" if size > ROOTS[0] else name, move, advance)
    made.MathGlyphVariantRecord = [
        record(name, ROOTS[0]),
        *(record(f"{name}.{size}", size) for size in ROOTS[1:]),
    ]
    made.GlyphAssembly = None


def widen_slanted(font: TTFont) -> None:
    """Give a letter the room that its slant takes, all but `SLANT`, which only a script may enter."""
    slants = font["MATH"].table.MathGlyphInfo.MathItalicsCorrectionInfo
    letters = {name for code, name in font.getBestCmap().items() if chr(code).isalpha()}
    for name, slant in zip(slants.Coverage.glyphs, slants.ItalicsCorrection, strict=True):
        if name in letters and slant.Value > SLANT:
            advance, start = font["hmtx"][name]
            font["hmtx"][name] = (advance + slant.Value - SLANT, start)
            slant.Value = SLANT


def grade_hats(font: TTFont) -> None:
    """Wide accents in steps of a quarter, so that one fits the letters below it."""
    for _, made in sizes(font, "\u0302\u0303", "Horiz"):
        graded = []
        for each in made.MathGlyphVariantRecord:
            graded.append(each)
            for factor in HATS if each is not made.MathGlyphVariantRecord[0] else ():
                glyph = f"{each.VariantGlyph}.{factor}"
                width = factor * each.AdvanceMeasurement
                redraw(font, each.VariantGlyph, glyph, lambda x, y, k=factor: (k * x, y), width)
                graded.append(record(glyph, width))
        made.MathGlyphVariantRecord = graded


def shape_primes(font: TTFont) -> None:
    features = font["GSUB"].table.FeatureList.FeatureRecord
    lookups = {k for f in features if f.FeatureTag == "ssty" for k in f.Feature.LookupListIndex}
    shapes = {}
    for k in lookups:
        for part in font["GSUB"].table.LookupList.Lookup[k].SubTable:
            shapes |= getattr(getattr(part, "ExtSubTable", part), "alternates", {})
    for table in font["cmap"].tables:
        for prime in PRIMES:
            if table.isUnicode() and table.cmap.get(prime) in shapes:
                table.cmap[prime] = shapes[table.cmap[prime]][0]


def main(source: str) -> None:
    options = subset.Options(
        flavor="woff2",
        layout_features=["dtls"],
        hinting=False,
        name_IDs=[0, 1, 2, 4, 5, 6, 13, 14],
        notdef_outline=True,
        glyph_names=False,
    )
    font = subset.load_font(source, options, lazy=False)
    for change in (shape_primes, level_fences, grade_bars, grade_roots, grade_hats, widen_slanted):
        change(font)
    font.setGlyphOrder(font["glyf"].glyphOrder)  # with the glyphs that are new
    for name, value in CONSTANTS.items():
        getattr(font["MATH"].table.MathConstants, name).Value = value
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=characters())
    cutter.subset(font)
    subset.save_font(font, TARGET, options)
    print(f"{TARGET}: {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
