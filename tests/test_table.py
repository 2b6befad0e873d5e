"""A table says the same in a terminal, on a page and to a screen reader."""

import re

import numpy as np
import pytest

import linlearn as ll

ROWS = [("a < b", 1, -0.25, True), ("c", None, 12.5, np.False_)]
TABLE = ll.Table("name", "count", "size:.1f", "proved", rows=ROWS)


def test_a_terminal_shows_aligned_columns():
    assert repr(TABLE).split("\n") == [
        "name   count  size  proved",
        "a < b      1  −0.2  yes",
        "c          —  12.5  no",
    ]


def test_a_page_shows_the_same_texts():
    html = TABLE._repr_html_()
    cells = [re.sub("&lt;", "<", cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", html)]
    assert cells == re.split(r"  +|\n", repr(TABLE))


def test_a_screen_reader_is_told_the_headers_of_columns_and_rows():
    html = TABLE._repr_html_()
    assert re.findall(r'<th scope="(\w+)"', html) == ["col"] * 4 + ["row"] * 2
    assert html.count("<td") == 6


def test_numbers_are_aligned_on_the_right_and_words_are_not():
    assert TABLE.right == [False, True, True, False]
    assert TABLE._repr_html_().count('class="text-right"') == 2 * 3


def test_integers_of_numpy_are_numbers_and_nothing_is_an_empty_table():
    assert ll.Table("n", "k", rows=[("x", np.int64(3))]).right == [False, True]
    assert repr(ll.Table("n", "k", rows=[])) == "n  k"


def test_a_wide_table_is_printed_in_parts_that_name_their_rows():
    headers = ["name", *(f"a long header, number {k}" for k in range(7))]
    rows = [(f"row {i}", *(10.0**k * i for k in range(7))) for i in range(3)]
    parts = [part.split("\n") for part in repr(ll.Table(*headers, rows=rows)).split("\n\n")]
    assert len(parts) == 3
    for lines in parts:
        assert [line[:5] for line in lines] == ["name ", "row 0", "row 1", "row 2"]
        assert len({*map(len, lines)}) == 1 and len(lines[0]) <= 88  # numbers end where headers do
    said = [h.strip() for lines in parts for h in lines[0].split("  ")[1:] if h.strip()]
    assert said == headers[1:]
    assert max(map(len, repr(ll.Table("n", "x" * 99, rows=[])).split("\n"))) == 102  # cut nowhere


def test_a_row_of_another_length_is_refused():
    with pytest.raises(
        ValueError, match=r"`rows` must have 2 cells in .*got 1 in row 1\. Write None"
    ):
        ll.Table("n", "k", rows=[("x", 1), ("x",)])
    with pytest.raises(
        ValueError,
        match=r"1 cell in each row, one for each header; got 2 in row 0\. Remove a cell or add a header\.$",
    ):
        ll.Table("n", rows=[("x", 1)])


def test_headers_are_asked_for_and_their_formats_checked():
    with pytest.raises(ValueError, match="`headers` must name at least one column; got none"):
        ll.Table(rows=[])
    with pytest.raises(ValueError, match=r"`headers` must end in .* got the format '\.q' for 1\.5"):
        ll.Table("n:.q", rows=[(1.5,)])


def test_a_terminal_without_unicode_gets_ascii(monkeypatch):
    monkeypatch.setattr("sys.stdout", type("Plain", (), {"encoding": "ascii"}))
    assert repr(TABLE).isascii() and "-0.2" in repr(TABLE)
