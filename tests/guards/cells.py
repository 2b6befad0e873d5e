"""Guards on cells: few lines, known tags, and a Check for every theorem."""

import ast
import re
from collections.abc import Iterator

from nbformat import NotebookNode

from guards.page import (
    TAGS,
    Page,
    book_guard,
    code_without_magics,
    guard,
    lines,
    tags,
)
from tools.variants import checked

LIMITS = {"algorithm": 24, "hide-input": 18, "remove-input": 15, "check": 15, "imports": 20}
WIDTH = 88  # at 1280 pixels; a solution is narrower, a phone much narrower
IN_PARTS = {"scipy", "sklearn"}  # these import their parts one by one
THEOREMS = {
    "prf:theorem": "thm-",
    "prf:proposition": "prop-",
    "prf:lemma": "lem-",
    "prf:corollary": "cor-",
}


@guard
def tagged(page: Page) -> Iterator[str]:
    """Only the tags that the book's style knows."""
    for cell in page.notebook.cells:
        known = TAGS if cell.cell_type == "code" else ()
        for tag in sorted(set(tags(cell)) - set(known)):
            yield (
                f"{page.at(cell)}: unknown tag `{tag}` on a {cell.cell_type} cell. Known on "
                f"code: {', '.join(TAGS)}."
            )
        if len(tags(cell)) > 1:
            yield (
                f"{page.at(cell)}: must have one tag at most, got {', '.join(tags(cell))}. Split "
                "the cell."
            )


@guard
def short(page: Page) -> Iterator[str]:
    """A visible cell is one thought: 8 lines; more for an algorithm, a figure, a check, and the imports."""
    for k, cell in enumerate(page.code):
        tag = (tags(cell) or ["" if k else "imports"])[0]
        if tag not in ("remove-cell", "hide-cell") and len(lines(cell)) > (
            limit := LIMITS.get(tag, 8)
        ):
            yield (
                f"{page.at(cell)}: must have at most {limit} lines that are not blank, got "
                f"{len(lines(cell))}. "
                "Split it, or move what is not taught here into `linlearn`."
            )


@guard
def narrow(page: Page) -> Iterator[str]:
    """What a reader sees fits the column: no line of code or output that has to be scrolled.

    Of an output with HTML, such as a table, a reader sees the HTML, not its text.
    """
    for cell in page.code:
        if {"remove-cell", "practice"} & set(tags(cell)):  # a question is drawn from the bank
            continue
        shown = [("code", line) for line in cell.source.splitlines()]
        for output in cell.outputs:
            data = output.get("data", {})
            plain = "" if "text/html" in data else data.get("text/plain", "")
            shown += [("output", line) for line in output.get("text", plain).splitlines()]
        for what, line in shown:
            if len(line) > WIDTH:
                yield (
                    f"{page.at(cell)}: a line of {what} must have at most {WIDTH} characters, got "
                    f"{len(line)} ({line.strip()[:30]}…). Break it, or print less of it."
                )


@guard
def imports(page: Page) -> Iterator[str]:
    """One import cell, the first, no `import *`, and no package whose parts are there or not by chance."""
    for k, cell in enumerate(page.code):
        for node in ast.walk(ast.parse(code_without_magics(cell))):
            if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
                yield f"{page.at(cell)}: `import *` hides where names come from. Import the module."
            if isinstance(node, ast.Import) and (
                bare := {alias.name.partition(".")[0] for alias in node.names} & IN_PARTS
            ):
                yield (
                    f"{page.at(cell)}: which parts of {', '.join(sorted(bare))} are there depends on "
                    "what was imported before. Import the part by `from`."
                )
            if (
                isinstance(node, ast.Import | ast.ImportFrom)
                and k > 0
                and "remove-cell" not in tags(cell)
            ):
                yield (
                    f"{page.at(cell)}: imports outside the import cell. Move the import to "
                    f"`{page.code[0].id}`."
                )


@guard
def check_cells(page: Page) -> Iterator[str]:
    """A check cell is tagged `check`, names its labels, and asserts something that could fail."""
    for cell in page.code:
        named, is_check = any(checked(cell)), "check" in tags(cell)
        if is_check and not named:
            yield (
                f"{page.at(cell)}: tagged `check`, so its first line must be `# Check: label[, "
                "label]`."
            )
        if named and not is_check:
            yield f"{page.at(cell)}: begins with `# Check:` but lacks the tag `check`. Add the tag."
        if is_check and not any(map(_can_fail, ast.walk(ast.parse(code_without_magics(cell))))):
            yield (
                f"{page.at(cell)}: must contain an `assert` about computed values. Assert the "
                "theorem on the data."
            )


def _can_fail(node: ast.AST) -> bool:
    """Whether the node is an assertion that depends on a value, not `assert True` or `assert a == a`."""
    if not isinstance(node, ast.Assert) or isinstance(node.test, ast.Tuple):
        return False
    test = node.test
    if (
        isinstance(test, ast.Compare)
        and len({ast.dump(side) for side in (test.left, *test.comparators)}) == 1
    ):
        return False
    if (
        isinstance(test, ast.BoolOp)
        and isinstance(test.op, ast.Or)
        and any(isinstance(v, ast.Constant) for v in test.values)
    ):
        return False
    return any(isinstance(part, ast.Name) for part in ast.walk(test))


@book_guard
def theorems_checked(pages: list[Page]) -> Iterator[str]:
    """Every theorem, proposition, lemma and corollary has a label and a Check cell in its chapter."""
    for own in chapters(pages).values():
        done = {label for page in own for cell in page.code for label in checked(cell)}
        for page in own:
            yield from _unchecked(page, done)


def _unchecked(page: Page, done: set[str]) -> Iterator[str]:
    for cell, reading in page.readings:
        for directive in reading.directives:
            if directive.name not in THEOREMS:
                continue
            kind, label, prefix = (
                directive.name[4:],
                directive.options.get("label", ""),
                THEOREMS[directive.name],
            )
            if not label.startswith(prefix):
                yield (
                    f"{page.at(cell)}: a {kind} must have a `:label:` that begins with "
                    f"`{prefix}`, got {label!r}. Add it."
                )
            elif label not in done:
                yield (
                    f"{page.at(cell)}: {kind} `{label}` has no Check cell. Add a cell tagged "
                    "`check` that begins "
                    f"with `# Check: {label}` and asserts it on the page's data."
                )


@book_guard
def theorems_proved(pages: list[Page]) -> Iterator[str]:
    """Every theorem-like statement is followed by its proof, cites it, or is proved elsewhere in its chapter.

    A proof that stands apart from its statement begins with "Of {prf:ref}`its-label`".
    """
    for own in chapters(pages).values():
        apart = {
            found[1]
            for page in own
            for _, reading in page.readings
            for directive in reading.directives
            if directive.name == "prf:proof"
            and (found := re.match(r"Of \{prf:ref\}`([\w-]+)`", directive.body.strip()))
        }
        for page in own:
            yield from _unproved_of(page, apart)


def chapters(pages: list[Page]) -> dict[str, list[Page]]:
    """The pages of each chapter, lessons and depth together; any other page is alone."""
    found: dict[str, list[Page]] = {}
    for page in pages:
        stem = page.path.stem
        found.setdefault(stem[:3] if page.is_chapter else stem, []).append(page)
    return found


def _unproved_of(page: Page, apart: set[str]) -> Iterator[str]:
    open_, where = None, None
    for cell, reading in page.readings:
        for directive in reading.directives:
            if directive.name in THEOREMS and open_:
                yield _unproved(page, where, open_)
            if directive.name in THEOREMS:
                cites = "{cite" in directive.argument + directive.body
                label = directive.options.get("label", "?")
                open_, where = (None if cites or label in apart else label), cell
            elif directive.name == "prf:proof":
                open_ = None
    if open_:
        yield _unproved(page, where, open_)


def _unproved(page: Page, cell: NotebookNode, label: str) -> str:
    remedy = "Add a `prf:proof` right after it, or one in its chapter that begins with its name, or cite."
    return f"{page.at(cell)}: `{label}` has no proof. {remedy}"


@book_guard
def checks_have_labels(pages: list[Page]) -> Iterator[str]:
    """Every label named by a Check cell exists in the book."""
    known = {label for page in pages for _, label in page.anchors}
    for page in pages:
        for cell in page.code:
            for label in checked(cell):
                if label not in known:
                    yield (
                        f"{page.at(cell)}: checks `{label}`, which no page defines. Mend the "
                        "label or add the statement."
                    )


@guard
def exercises(page: Page) -> Iterator[str]:
    """Each exercise has a label and a folded solution."""
    listed, solved = [], {}
    for cell, reading in page.readings:
        for directive in reading.directives:
            if directive.name in ("exercise", "exercise-start"):
                listed.append((cell, directive.options.get("label", "")))
            if directive.name in ("solution", "solution-start"):
                solved[directive.argument] = (cell, directive.options.get("class", ""))
    for cell, label in listed:
        if not label:
            yield (
                f"{page.at(cell)}: an exercise has no `:label:`. Add one, and a solution that "
                "names it."
            )
        elif label not in solved:
            yield (
                f"{page.at(cell)}: exercise `{label}` has no solution. Add `{{solution-start}} "
                f"{label}` after it."
            )
        elif "dropdown" not in solved[label][1].split():
            yield (
                f"{page.at(solved[label][0])}: the solution of `{label}` is not folded. Add "
                "`:class: dropdown`."
            )
    for label, (cell, _) in solved.items():
        if label not in [known for _, known in listed]:
            yield (
                f"{page.at(cell)}: solves `{label}`, which is no exercise of this page. Mend the "
                "label."
            )


@book_guard
def enough_exercises(pages: list[Page]) -> Iterator[str]:
    """A chapter has at least six exercises, on one of its pages or another."""
    for own in chapters([page for page in pages if page.is_chapter]).values():
        directives = [
            d.name for page in own for _, reading in page.readings for d in reading.directives
        ]
        if (count := sum(name in ("exercise", "exercise-start") for name in directives)) < 6:
            yield (
                f"{own[0].name}: its chapter must have at least 6 exercises, got {count}. Add some that "
                "ask to predict, to compute, to break."
            )


@guard
def gates_closed(page: Page) -> Iterator[str]:
    """`exercise-start` and `solution-start` are each closed by their `-end` before the next gate opens."""
    opened = None
    gates = [(cell, d.name) for cell, reading in page.readings for d in reading.directives]
    for cell, name in [
        gate for gate in gates if re.fullmatch(r"(exercise|solution)-(start|end)", gate[1])
    ]:
        if name.endswith("-start") and opened:
            yield (
                f"{page.at(opened[0])}: `{opened[1]}` is not closed before `{name}`. Close it by "
                "its `-end`."
            )
        if name.endswith("-end") and (not opened or opened[1] != name.replace("-end", "-start")):
            yield f"{page.at(cell)}: `{name}` closes nothing. Open it, or delete it."
        opened = (cell, name) if name.endswith("-start") else None
    if opened:
        yield f"{page.at(opened[0])}: `{opened[1]}` is never closed. Close it by its `-end`."
