"""Guards on what is committed: every cell has run, in order, and the file is in its normal form."""

import ast
import re
from collections.abc import Iterator
from copy import deepcopy
from itertools import zip_longest

from nbformat.validator import iter_validate

from guards.page import Page, code_without_magics, guard, outputs
from tools.notebooks import METADATA, normalise

HUMAN = r"[a-z][a-z0-9]*(-[a-z0-9]+)+"
RANDOM = r"[0-9a-f]{8}(-[0-9a-f]{4,12})*"
UNSTABLE = {
    r"(?<![\w.~])/(work|home|tmp|root|Users|private|var)/": "a path of one machine",
    r"\bat 0x[0-9a-fA-F]{6,}": "an object's address in memory",
    r"\bnp\.(float|int|bool)\w*\(": "NumPy's own notation for a number",
    r"(?<![\w.])(?:0\.0*[1-9]\d{10,}|(?=[\d.]{12,})[1-9]\d*\.\d+)": "more than ten digits of a float",
}
CLOCKS = {"time", "timeit", "datetime"}


@guard
def executed(page: Page) -> Iterator[str]:
    """Every code cell has run, from first to last: counts 1..n."""
    for expected, cell in enumerate(page.code, start=1):
        if cell.execution_count != expected:
            yield (
                f"{page.at(cell)}: must have run as number {expected}, got {cell.execution_count}. "
                "Run `make outputs`."
            )


@guard
def quiet(page: Page) -> Iterator[str]:
    """No cell ends in an error or writes to stderr."""
    for cell in page.code:
        for output in cell.outputs:
            if output.output_type == "error":
                yield (
                    f"{page.at(cell)}: raises {output.ename}. Mend it; show an expected error by "
                    "`try: … except ValueError as error: print(error)`."
                )
            if output.get("name") == "stderr":
                yield (
                    f"{page.at(cell)}: writes to stderr ({output.text.strip()[:60]!r}). Remove "
                    "what warns."
                )


@guard
def reproducible(page: Page) -> Iterator[str]:
    """Outputs depend on nothing but the code: no clock, machine path, address or unformatted float."""
    for cell in page.code:
        for mime, text in outputs(cell):
            for pattern, what in UNSTABLE.items():
                if mime != "image/svg+xml" and (found := re.search(pattern, text)):
                    yield f"{page.at(cell)}: prints {what} ({found[0]!r}). Format what is printed."
        for clock in sorted(
            _clocks(code_without_magics(cell)) | set(re.findall(r"%%?time\w*", cell.source))
        ):
            yield (
                f"{page.at(cell)}: reads the clock (`{clock}`). Count operations, updates or "
                "nodes instead."
            )
        if "nbval" in cell.source.lower():
            yield (
                f"{page.at(cell)}: an NBVAL comment switches a comparison off. Make the output "
                "reproducible instead."
            )


@guard
def metadata(page: Page) -> Iterator[str]:
    """The notebook says which kernel it needs and nothing else; cells carry tags and figure data only."""
    if page.path.suffix == ".md":
        return
    if page.notebook.metadata != METADATA:
        yield (
            f"{page.name}: metadata must be exactly {METADATA}; got "
            f"{dict(page.notebook.metadata)}. Run `make outputs`."
        )
    if (page.notebook.nbformat, page.notebook.nbformat_minor) != (4, 5):
        yield f"{page.name}: must be in format 4.5. Open and save it with a current JupyterLab."
    for error in iter_validate(page.notebook):
        yield (
            f"{page.name}: breaks the notebook format: {error.message[:80]}. Open and save it "
            "with JupyterLab."
        )
    for cell in page.notebook.cells:
        if foreign := sorted(set(cell.metadata) - {"tags", "mystnb"}):
            yield (
                f"{page.at(cell)}: metadata {foreign} (timing, editor state) changes at every run. "
                "Run `make outputs`, or delete it."
            )


@guard
def identified(page: Page) -> Iterator[str]:
    """Cell ids are unique and say what the cell is, so that messages and diffs can be read."""
    seen = set()
    for cell in page.notebook.cells if page.path.suffix != ".md" else []:
        if cell.id in seen:
            yield f"{page.at(cell)}: this id occurs twice. Rename one."
        if not re.fullmatch(HUMAN, cell.id) or re.fullmatch(RANDOM, cell.id):
            yield (
                f"{page.at(cell)}: the id must be words joined by hyphens, such as `hp-intro`. "
                "Rename it."
            )
        seen.add(cell.id)


@guard
def normal_form(page: Page) -> Iterator[str]:
    """The file is byte for byte what `make outputs` writes, so diffs show changes only."""
    if page.path.suffix == ".md":
        return
    found, normal = page.text.split("\n"), normalise(deepcopy(page.notebook)).split("\n")
    if found != normal:
        pairs = enumerate(zip_longest(found, normal), start=1)
        line = next(k for k, (mine, right) in pairs if mine != right)
        yield f"{page.name}, line {line}: must be in normal form (order, no leftovers). Run `make outputs`."


def _clocks(source: str) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            found.add((node.module or "").split(".")[0])
    return found & CLOCKS
