"""Falsify every statement of the book in one place after another: its own check must notice.

python -m tools.variants [thm-lunch cor-list ...]

`tests/variants/*.txt` lists, under the label of each theorem-like statement, the nearest false ones: a
constant, a hypothesis, an inequality or a claim changed, written as a change of text in the statement's
check. Each runs in a fork of its page, and must end in an AssertionError. One that survives is a
defect of the check, unless the entry says so and the page repeats it at the check.
"""

import argparse
import contextlib
import io
import multiprocessing
import os
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat import NotebookNode

from tools import notebooks

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "variants"
KINDS = ("constant", "hypothesis", "inequality", "claim")
FORK = multiprocessing.get_context("fork")
Label = str


class Variant(NamedTuple):
    """A statement made false: `why` in words, and the `edits` (old, new) that make its check say so.

    `survives` is empty, or the sentence that tells the reader why the check cannot notice.
    """

    label: Label
    kind: str
    why: str
    edits: list[tuple[str, str]]
    survives: str

    def __str__(self) -> str:
        return f"{self.label}, {self.kind}: {self.why}"

    def applied(self, source: str) -> str:
        for old, new in self.edits:
            source = source.replace(old, new)
        return source


class Verdict(NamedTuple):
    """What became of a variant: "killed", "named", or what has to be mended."""

    variant: Variant
    outcome: str

    @property
    def bad(self) -> bool:
        return self.outcome not in ("killed", "named")


def load(folder: Path = FOLDER) -> list[Variant]:
    """All variants, in the files' order."""
    return [v for path in sorted(folder.glob("*.txt")) for v in parse(path.read_text("utf8"))]


def parse(text: str) -> Iterator[Variant]:
    """Blocks between blank lines: `[label]`, or a variant of the statement with that label.

    A variant's first line is `kind: why`; then, as in a diff, lines of old text after `- ` and of new text
    after `+ `, more than once if it takes several edits; `= ` begins the sentence of one that survives,
    without any edit if nothing that runs could tell.
    """
    label = ""
    for block in re.split(r"\n\s*\n", text.strip()):
        if heading := re.fullmatch(r"\[(\S+)\]", block):
            label = heading[1]
            continue
        head, *lines = block.splitlines()
        kind, _, why = head.partition(": ")
        parts = [(k, "\n".join(x[2:] for x in g)) for k, g in groupby(lines, lambda x: x[:1])]
        said = "".join(text for mark, text in parts if mark == "=")
        parts = [part for part in parts if part[0] != "="]
        marks, texts = [mark for mark, _ in parts], [text for _, text in parts]
        if not label or kind not in KINDS or not why or marks != ["-", "+"] * (len(marks) // 2):
            raise ValueError(
                f"tests/variants: under `[label]` a variant must begin with `kind: why`, kind one of "
                f"{', '.join(KINDS)}, and go on with lines after `- `, `+ ` and `= `; got\n{block}"
            )
        yield Variant(label, kind, why, list(zip(texts[::2], texts[1::2], strict=True)), said)


def checked(cell: NotebookNode) -> list[Label]:
    """The labels that a cell's first line `# Check: label, label` names."""
    found = re.match(r"# Check:(.*)", cell.source)
    return [label.strip() for label in found[1].split(",")] if found else []


def stale(variant: Variant, cells: Iterable[NotebookNode]) -> str:
    """What an edit of the variant no longer fits: its old text must occur once in the label's checks."""
    checks = [cell.source for cell in cells if variant.label in checked(cell)]
    for old, _ in variant.edits:
        if (times := sum(source.count(old) for source in checks)) != 1:
            return f"stale: `{old}` must occur once in the checks of `{variant.label}`, got {times}"
    return ""


def run(source: str, name: str, namespace: dict) -> None:
    """Execute a cell quietly, and forget its figures."""
    source = re.sub(r"^\s*[%!].*$", "pass", source, flags=re.MULTILINE)
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(source, name, "exec"), namespace)
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


def noticed(variant: Variant, cells: list[NotebookNode], namespace: dict) -> str:
    """ "killed" if one of the label's checks, as changed, asserts something false; "survived" if all pass.

    The cells between them run, too, and what becomes of those does not matter.
    """
    warnings.simplefilter("ignore")
    for cell in cells:
        if variant.label not in checked(cell):
            with contextlib.suppress(Exception):
                run(cell.source, cell.id, namespace)
            continue
        try:
            run(variant.applied(cell.source), cell.id, namespace)
        except AssertionError:
            return "killed"
        except Exception as error:
            return f"no assertion fails, but {type(error).__name__}: {error}"
    return "survived"


def in_a_fork(work: Callable[[], str], seconds: float) -> str:
    """work()'s answer from a copy of this process, which it cannot change."""
    ours, theirs = FORK.Pipe(duplex=False)
    child = FORK.Process(target=lambda: theirs.send(work()))
    child.start()
    theirs.close()
    try:
        return ours.recv() if ours.poll(seconds) else f"not done after {seconds:g} seconds"
    except EOFError:
        return "the process died"
    finally:
        child.kill()
        child.join()


def judge(variant: Variant, cells: list[NotebookNode], namespace: dict, seconds: float) -> Verdict:
    """Run the cells up to the last check of the label, changed as the variant says, in a fork."""
    last = max(k for k, cell in enumerate(cells) if variant.label in checked(cell))
    outcome = in_a_fork(lambda: noticed(variant, cells[: last + 1], namespace), seconds)
    if variant.survives:
        outcome = {"survived": "named", "killed": "killed after all: delete its sentence"}.get(
            outcome, outcome
        )
    return Verdict(variant, outcome)


def judge_page(path: Path, variants: list[Variant], seconds: float = 60.0) -> list[Verdict]:
    """Run a page's cells in order, without its figures; before a check that a variant changes, judge it.

    What a check says of a variant counts only if it passes as it is.
    """
    os.chdir(path.parent)
    cells, namespace = code_cells(path), {"__name__": "__main__"}
    verdicts = [Verdict(v, stale(v, cells)) for v in variants if stale(v, cells)]
    verdicts += [Verdict(v, "named" if v.survives else "no edit") for v in variants if not v.edits]
    left = [v for v in variants if v.edits and not stale(v, cells)]
    for k, cell in enumerate(cells):
        if not left:
            return verdicts
        now = [
            v for v in left if v.label in checked(cell) and v.applied(cell.source) != cell.source
        ]
        new_verdicts = [judge(v, cells[k:], namespace, seconds) for v in now]
        try:
            run(cell.source, f"{path.stem}, cell `{cell.id}`", namespace)
        except Exception as error:
            broken = f"not tried, since {path.stem}, cell `{cell.id}`, fails as it is ({error!r})"
            return verdicts + [Verdict(v, broken) for v in left]
        verdicts += new_verdicts
        left = [v for v in left if v not in now]
    return verdicts + [Verdict(v, "changes nothing") for v in left]


def code_cells(path: Path) -> list[NotebookNode]:
    """A notebook's cells of code; those that draw figures are left out, since no check may need them."""
    cells = [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
    return [c for c in cells if "hide-input" not in c.metadata.get("tags", [])]


def by_page(variants: list[Variant], pages: list[Path]) -> dict[Path, list[Variant]]:
    """The variants whose checks stand on each page."""
    checks = {path: {x for cell in code_cells(path) for x in checked(cell)} for path in pages}
    found = {path: [v for v in variants if v.label in here] for path, here in checks.items()}
    return {path: mine for path, mine in found.items() if mine}


def report(verdicts: Iterable[Verdict]) -> str:
    """What has to be mended, and how many of each kind were killed or named."""
    verdicts = list(verdicts)
    bad = [v for v in verdicts if v.bad]
    lines = [f"{v.variant}: {v.outcome}" for v in bad if not v.outcome.startswith("not tried")]
    missed = Counter(v.outcome for v in bad if v.outcome.startswith("not tried"))
    lines += [f"{times} {why}" for why, times in missed.items()]
    counts = Counter((v.variant.kind, v.outcome) for v in verdicts)
    lines += [
        f"{kind:10s} {counts[kind, 'killed']:4d} killed {counts[kind, 'named']:4d} named"
        for kind in KINDS
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("labels", nargs="*", help="only these statements")
    labels = parser.parse_args().labels
    os.environ.update(notebooks.SAME_EVERYWHERE, MPLBACKEND="agg")
    wanted = [v for v in load() if v.label in labels or not labels]
    pages = by_page(wanted, notebooks.pages(ROOT))
    with ProcessPoolExecutor(os.cpu_count(), mp_context=FORK) as pool:
        verdicts = [v for page in pool.map(judge_page, pages, pages.values()) for v in page]
    placed = [v for mine in pages.values() for v in mine]
    verdicts += [Verdict(v, "no page checks this") for v in wanted if v not in placed]
    print(report(verdicts))
    sys.exit(not wanted or any(v.bad for v in verdicts))


if __name__ == "__main__":
    main()
