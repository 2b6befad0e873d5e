"""`Table`: rows to show, not to read from; HTML in a notebook, aligned text in a terminal."""

from collections.abc import Iterable, Sequence
from html import escape
from numbers import Number
from typing import Any

import numpy as np

from linlearn._console import printable

WIDTH = 88  # characters of a line of text
PAGE = """<div class="pst-scrollable-table-container">
<table class="table results">
<thead>
{}
</thead>
<tbody>
{}
</tbody>
</table>
</div>"""


class Table:
    """Rows under headers; a notebook shows it as HTML, `print` as text.

    A header is the name of a column, optionally followed by a colon and a format for its numbers, as in an
    f-string: `"seconds:.2f"`. Each of `rows` has a cell for each header; the first cell is the name of the
    row. None is written as a dash, True and False as yes and no. Numbers are aligned to the right. A table
    wider than 88 characters is printed in parts, each of which begins with the first column.

    >>> Table("method", "mistakes", "margin:.3f", rows=[("fisher", 0, 0.58812), ("svm", 3, None)])
    method  mistakes  margin
    fisher         0   0.588
    svm            3       —
    """

    def __init__(self, *headers: str, rows: Iterable[Sequence[Any]]) -> None:
        if not headers:
            raise ValueError(
                "`headers` must name at least one column; got none. Write, for example, "
                '`Table("method", "seconds:.2f", rows=rows)`.'
            )
        rows, cells = [tuple(row) for row in rows], f"{len(headers)} cell{'s' * (len(headers) > 1)}"
        for i, row in enumerate(rows):
            if len(row) != len(headers):
                short = len(row) < len(headers)
                remedy = (
                    "Write None for an empty cell" if short else "Remove a cell or add a header"
                )
                raise ValueError(
                    f"`rows` must have {cells} in each row, one for each header; got {len(row)} in row {i}. "
                    f"{remedy}."
                )
        names, _, specs = zip(*(header.partition(":") for header in headers), strict=True)
        texts = [[_text(v, spec) for v, spec in zip(row, specs, strict=True)] for row in rows]
        self.lines = [list(names), *texts]
        self.right = [_numeric(column) for column in zip(*rows, strict=True)] or [False] * len(
            names
        )

    def __repr__(self) -> str:
        widths = [max(map(len, column)) for column in zip(*self.lines, strict=True)]
        sides = [f"{'>' if right else '<'}{w}" for w, right in zip(widths, self.right, strict=True)]
        parts = [
            "\n".join(
                "  ".join(format(line[k], sides[k]) for k in columns).rstrip()
                for line in self.lines
            )
            for columns in _parts(widths)
        ]
        return printable("\n\n".join(parts))

    def _repr_html_(self) -> str:
        head, *body = (self._row(line, first=not i) for i, line in enumerate(self.lines))
        return PAGE.format(head, "\n".join(body))

    def _row(self, line: list[str], first: bool) -> str:
        cells = []
        for k, (text, right) in enumerate(zip(line, self.right, strict=True)):
            tag, scope = (
                ("th", f' scope="{"col" if first else "row"}"') if first or not k else ("td", "")
            )
            side = ' class="text-right"' if right else ""
            cells.append(f"<{tag}{scope}{side}>{escape(text, quote=False)}</{tag}>")
        return f"<tr>{''.join(cells)}</tr>"


def _parts(widths: Sequence[int]) -> list[list[int]]:
    """Columns side by side, as many as fit, behind the first one.

    >>> _parts([20, 40, 30, 70])
    [[0, 1], [0, 2], [0, 3]]
    """
    parts, used = [[0]], widths[0]
    for k, width in enumerate(widths[1:], 1):
        if len(parts[-1]) > 1 and used + 2 + width > WIDTH:
            parts, used = [*parts, [0]], widths[0]
        parts[-1].append(k)
        used += 2 + width
    return parts


def _text(value: Any, spec: str) -> str:
    if value is None:
        return "—"
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if not isinstance(value, Number):
        return str(value)
    number: Any = value
    try:
        text = format(number + 0, spec)  # + 0: no zero has a sign
    except ValueError as error:
        raise ValueError(
            f"`headers` must end in formats that suit the numbers below them; got the format {spec!r} for "
            f"{number} ({error}). Write it as in an f-string, such as 'seconds:.2f'."
        ) from None
    return text.replace("-", "−").replace("inf", "∞")


def _numeric(column: Sequence[Any]) -> bool:
    """Whether there are numbers in a column, and beside them at most what is missing."""
    kept = [value for value in column if value is not None]
    return bool(kept) and all(isinstance(v, Number) and not isinstance(v, bool) for v in kept)
