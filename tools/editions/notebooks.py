"""Plain notebooks for readers, students and instructors: one folder each."""

from functools import cache
from pathlib import Path

from tools.editions.plain import VARIANTS, Book, write_variant

ROOT = Path(__file__).resolve().parents[2]
SHARP = 144  # dots per inch of the PNG, which is shown at 96


def write(html: Path, out: Path) -> None:
    """Write every page that is a notebook into the folders `reader`, `student` and `instructor`."""
    book = Book.built(ROOT, html.with_name("numbers.json"))
    for variant in VARIANTS:
        write_variant(book, out / variant, variant, png)


@cache
def png(svg: str) -> bytes:
    """The drawing in pixels. The letters of our figures are outlines, so no fonts are needed."""
    import resvg_py

    return bytes(
        resvg_py.svg_to_bytes(svg_string=svg, dpi=SHARP, background="white", skip_system_fonts=True)
    )
