"""Guards on the false variants in `tests/variants`: every statement has some, and each still fits its check.

Whether the checks notice them is another matter, and takes minutes: `make variants`.
"""

from collections.abc import Iterator

from guards.cells import THEOREMS, checked
from guards.page import Page, book_guard, code_without_magics
from tools.variants import Variant, load, stale


def statements(page: Page) -> Iterator[str]:
    """The labels of the theorems, propositions, lemmas and corollaries of a page."""
    for _, reading in page.readings:
        for directive in reading.directives:
            if directive.name in THEOREMS:
                yield directive.options.get("label", "")


@book_guard
def falsified(pages: list[Page], variants: list[Variant] | None = None) -> Iterator[str]:
    """Every statement of a page has false variants, and every variant a statement."""
    variants = load() if variants is None else variants
    told = {label for page in pages for label in statements(page)}
    for page in pages:
        for label in sorted(set(statements(page)) - {v.label for v in variants}):
            yield (
                f"{page.name}: `{label}` has no false variant. Add some to tests/variants, one for "
                "each constant, hypothesis and inequality, and run `make variants`."
            )
    for variant in variants:
        if variant.label not in told:
            yield f"tests/variants: no page states `{variant.label}`. Mend or delete its variants."


@book_guard
def variants_fit(pages: list[Page], variants: list[Variant] | None = None) -> Iterator[str]:
    """A variant changes its check into a program, and one that survives is named where the check stands."""
    checks = [(page, {label for cell in page.code for label in checked(cell)}) for page in pages]
    for variant in load() if variants is None else variants:
        for page, labels in checks:
            if variant.label not in labels:
                continue
            if what := stale(variant, page.code):
                yield f"{page.name}: {variant}: {what}. Follow the check, then `make variants`."
            elif not _compiles(variant, page):
                yield f"{page.name}: {variant}: the changed check is no program. Mend `+`."
            said = " ".join(variant.survives.split())
            if not variant.edits and not said:
                yield f"{page.name}: {variant}: must have an edit, or a sentence after `= `."
            if said not in _said_at(page, variant.label):
                yield (
                    f"{page.name}: {variant}: survives, so “{said}” must stand in a check of "
                    f"`{variant.label}` or in the text beside one."
                )


def _compiles(variant: Variant, page: Page) -> bool:
    try:
        for cell in page.code:
            if variant.label in checked(cell):
                compile(variant.applied(code_without_magics(cell)), cell.id, "exec")
    except SyntaxError:
        return False
    return True


def _said_at(page: Page, label: str) -> str:
    """The source of the label's checks, and of the nearest text before and after each."""
    cells, said = page.notebook.cells, []
    for k, cell in enumerate(cells):
        if cell.cell_type == "code" and label in checked(cell):
            before = [c.source for c in cells[:k] if c.cell_type == "markdown"]
            after = [c.source for c in cells[k:] if c.cell_type == "markdown"]
            said += [cell.source, *before[-1:], *after[:1]]
    return " ".join(" ".join(said).split())
