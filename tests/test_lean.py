"""What is left out of a style sheet matches nothing; what is kept is kept as it was."""

import pytest
from conftest import loud_skip
from fontTools.ttLib import TTFont
from guards import ROOT
from linlearn_lean import GLYPH, ICONS, blocks, used_rules

STATIC = ROOT / "_build" / "html" / "_static"


@pytest.mark.parametrize(
    ("sheet", "left"),
    [
        (".a{x:y}.b{x:y}", ".a{x:y}"),
        (".a.b{x:y}.a .c{x:y}a b{x:y}", "a b{x:y}"),
        (".b,.a:hover,.c{x:y}", ".a:hover{x:y}"),
        (".a:not(.b){x:y}:is(.b,.c) .a{x:y}", ".a:not(.b){x:y}:is(.b,.c) .a{x:y}"),
        ("@media print{.b{x:y}}@media (a){.a{x:y}.b{x:y}}", "@media (a){.a{x:y}}"),
        ('@charset "u;{";@font-face{x:url("a;}")}', '@charset "u;{";@font-face{x:url("a;}")}'),
        ('[t="{.b"]{x:y}/* .b{ */.a{content:"}"}', '[t="{.b"]{x:y}.a{content:"}"}'),
    ],
)
def test_rules_that_match_nothing_go(sheet, left):
    """With the one class `a`: lists of selectors, negations, media, strings with braces, comments."""
    assert used_rules(sheet, {"a"}) == left


def test_a_sheet_that_is_not_closed_is_refused():
    with pytest.raises(ValueError, match="is not closed"):
        list(blocks("@media print{.a{x:y}"))


def test_icons_are_there_and_no_others():
    """Each sign that a style sheet still writes is in one of the two fonts, which are small."""
    if not STATIC.exists():
        loud_skip("the icons (_build/html is missing)", "Run `make book` first.")
    fonts = sorted((STATIC / ICONS).iterdir())
    assert [font.name for font in fonts] == ["fa-brands-400.woff2", "fa-solid-900.woff2"]
    assert sum(font.stat().st_size for font in fonts) < 10_000
    written = "".join(path.read_text("utf8") for path in (STATIC / "styles").glob("*.css"))
    signs = {int(code, 16) for code in GLYPH.findall(written)}
    # No brand's sign is left while no page leads to a repository.
    drawn = {sign for font in fonts for sign in TTFont(font).getBestCmap() or ()}
    assert 10 < len(signs) and signs <= drawn
