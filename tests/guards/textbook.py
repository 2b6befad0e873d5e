"""The guard on what is taught: an `algorithm` cell is the package's own source."""

import ast
import inspect
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import zip_longest
from pkgutil import iter_modules

import linlearn.textbook
from guards.page import Page, code_without_magics, guard, tags


def source(code: str) -> list[str]:
    """The lines of the one function that `code` defines, without types; none if it is anything else."""
    body = ast.parse(code).body
    if len(body) != 1 or not isinstance(body[0], ast.FunctionDef):
        return []
    taught = body[0]
    for one in (*taught.args.args, *taught.args.kwonlyargs):
        one.annotation = None
    head = f"def {taught.name}({ast.unparse(taught.args)}):"
    lines = code.rstrip().splitlines()[taught.body[0].lineno - 1 :]
    return [head, *(line.partition("  # type: ")[0] for line in lines)]


@cache
def package() -> dict[str, list[str]]:
    """The functions of `linlearn.textbook` by name, as a lesson shows them."""
    rooms = linlearn.textbook
    modules = [import_module(f"{rooms.__name__}.{m.name}") for m in iter_modules(rooms.__path__)]
    found = [
        function
        for module in modules
        for _, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__
    ]
    return {function.__name__: source(inspect.getsource(function)) for function in found}


@guard
def textbook(page: Page) -> Iterator[str]:
    """The algorithm that a page teaches is the package's, letter for letter but for the types."""
    known = package()
    for cell in page.code:
        if "algorithm" not in tags(cell):
            continue
        taught = source(code_without_magics(cell))
        name = taught[0][4:].partition("(")[0] if taught else ""
        if name not in known:
            yield (
                f"{page.at(cell)}: must define one function of `linlearn/textbook/` and nothing else, "
                f"got `{name or 'several statements'}`. Put the algorithm there, or drop the tag."
            )
        elif taught != known[name]:
            pairs = zip_longest(taught, known[name], fillvalue="")
            mine, theirs = next(pair for pair in pairs if pair[0] != pair[1])
            yield (
                f"{page.at(cell)}: must be the source of `{name}` in `linlearn/textbook/`, got "
                f"`{mine.strip()}` for `{theirs.strip()}`. Copy the function, without its types."
            )
