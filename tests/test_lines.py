"""How much is read for a method: a short file, and a table that says what stands behind it."""

import ast

import pytest

from tools import lines

OWN = 60  # lines of code of a method's own file, without imports and docstrings


@pytest.mark.parametrize("name", lines.methods())
def test_a_method_is_read_on_one_page(name):
    """The algorithm as the lesson has it, and what calls its engine."""
    assert lines.rows()[name][0] <= OWN


def test_the_table_is_the_count():
    """`python tools/lines.py` writes it."""
    assert lines.TABLE.search(lines.PAGE.read_text("utf8"))[0] == lines.table()


def test_what_counts_as_a_line():
    """Code, however it is broken; no comment, docstring, blank line or import."""
    text = '''"""One."""

import os


def f(
    x,
):
    """Two.

    More."""
    # why
    return g(
        x
    )
'''
    assert lines.code(ast.parse(text)) == {6, 7, 8, 13, 14, 15}
    assert lines.imported("methods/separation") >= {"solvers/separation", "fit"}
    assert "exact/simplex" in lines.reached("methods/separation")
    assert not lines.reached("methods/separation") & lines.CORE
