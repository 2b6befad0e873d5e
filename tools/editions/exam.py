"""Examination papers and their keys, from the bank of problems.

python -m tools.editions.exam NUMBER … [--out FOLDER]

writes a paper of the problems that have these numbers in the bank, and its key, for each variant.
"""

import argparse
import math
import sys
from pathlib import Path
from typing import Any

from tools.editions.exam_bank import BANK, Item, Turn
from tools.editions.problems import ACCEPTED, DIGITS, listed, shown_all
from tools.editions.sheet import put, put_style
from tools.editions.syllabus import week_of

LETTERS = ("A", "B")
PACE = 2.25  # minutes for a point
NAME = "Name: ______________________________  Student number: ____________________"
RULES = (
    "Labels are $-1$ and $+1$ unless a problem says otherwise. Show how you found each answer, "
    f"and give it exactly or rounded to {DIGITS}; numbers that count something must be exact."
)
ALLOWED = (
    "Allowed are a calculator without a network, a table of the normal distribution function $\\Phi$, and "
    "one sheet of handwritten notes. Write on separate sheets, each with your name, and number the problems "
    "as here."
)
MARKING = (
    f"{ACCEPTED} Numbers that count something must be exact. A step earns its points if it is right for "
    "what the steps before it have found: an error in arithmetic costs the points of its own step and "
    "no others."
)


def one_a_lesson() -> list[Item]:
    """The first problem of each lesson: a paper of two hours."""
    first: dict[str, Item] = {}
    for item in BANK:
        first.setdefault(item.lesson, item)
    return list(first.values())


def minutes(items: list[Item]) -> int:
    """How long an examination with these problems takes, in tens of minutes."""
    return 10 * math.ceil(PACE * total(items) / 10)


def total(items: list[Item]) -> int:
    """The points of all problems."""
    return sum(item.points for item in items)


def paper(items: list[Item], letter: str, *, by_week: bool = False) -> str:
    """The problems with their points, as Markdown; `by_week`: below the week that teaches what they need."""
    if by_week:
        lines = [f"# Linear classification: problems for examinations, variant {letter}", "", RULES]
    else:
        lines = [f"# Linear classification: examination, variant {letter}", "", NAME, ""]
        lines += [f"{minutes(items)} minutes, {total(items)} points. {ALLOWED} {RULES}"]
    for number, item in enumerate(items, 1):
        lines += heading(items, number) if by_week else []
        lines += ["", f"**{number}.** ({item.points} points) {item.variant(letter).question.ask}"]
    return "\n".join(lines) + "\n"


def key(items: list[Item], letter: str, *, by_week: bool = False) -> str:
    """The answers to a paper, each with the points of its steps and of wrong turns, as Markdown."""
    lines = [f"# Linear classification: key, variant {letter}", "", MARKING]
    for number, item in enumerate(items, 1):
        one = item.variant(letter)
        lines += heading(items, number) if by_week else []
        lines += [
            "",
            f"**{number}.** ({item.points} points) **{answer(item, letter)}.** {one.question.why} "
            f"Lesson {one.lesson_name}, week {week_of(item.lesson)}.",
            "",
            *(f"- {counted(points)}: {said}" for points, said in item.steps),
            "",
            "Common wrong turns, and what they still earn:",
            "",
            *(f"- {told(item, letter, turn)} **{counted(turn.points)}**" for turn in item.turns),
        ]
    return "\n".join(lines) + "\n"


def heading(items: list[Item], number: int) -> list[str]:
    """The week of a problem, if the problem before it has another one."""
    before, own = (week_of(item.lesson) for item in (items[number - 2], items[number - 1]))
    return ["", f"## Week {own}"] if number == 1 or own != before else []


def counted(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}"


def answer(item: Item, letter: str) -> str:
    """The key of a problem, with what each number is."""
    return worded(item, map(float, item.variant(letter).question.answer.split(", ")))


def told(item: Item, letter: str, turn: Turn) -> str:
    """A wrong turn, and the answer it leads to."""
    if turn.leads_to is None:
        return turn.said
    return f"{turn.said} Result: {worded(item, listed(turn.leads_to(**item.numbers[letter])))}."


def worded(item: Item, values: Any) -> str:
    """Numbers of an answer, each with what it is."""
    return item.answer.format(*shown_all(values))


def put_all(
    out: Path, name: str, items: list[Item], *, by_week: bool = False, up: str = ""
) -> None:
    """Write the paper and the key of each variant into a folder."""
    for letter in LETTERS:
        put(out / f"{name}_{letter}", paper(items, letter, by_week=by_week), up=up)
        put(out / f"{name}_{letter}_key", key(items, letter, by_week=by_week), up=up)


def main(arguments: list[str]) -> None:
    """Write a paper of the problems named by their numbers, in this order, and its key."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.editions.exam", description="Put an examination paper together."
    )
    parser.add_argument(
        "numbers", type=int, nargs="+", metavar="NUMBER", help="of a problem in the bank"
    )
    parser.add_argument("--out", type=Path, default=Path("paper"), help="the folder for the paper")
    wanted = parser.parse_args(arguments)
    for number in wanted.numbers:
        if not 1 <= number <= len(BANK):
            parser.error(f"the bank has the problems 1 to {len(BANK)}; got {number}.")
        if wanted.numbers.count(number) > 1:
            parser.error(f"a paper has each problem once; {number} was named twice.")
    items = [BANK[number - 1] for number in wanted.numbers]
    wanted.out.mkdir(parents=True, exist_ok=True)
    put_style(wanted.out)
    put_all(wanted.out, "paper", items)
    said = f"{len(items)} problems, {total(items)} points, {minutes(items)} minutes"
    print(f"  {wanted.out}: {said}")


if __name__ == "__main__":
    main(sys.argv[1:])
