"""Examination papers and their keys, from the bank of problems."""

from typing import Any

from tools.editions.exam_bank import BANK, Item, Turn
from tools.editions.problems import ACCEPTED, DIGITS, listed, shown_all
from tools.editions.syllabus import week_of

LETTERS = ("A", "B")
RULES = (
    "Labels are $-1$ and $+1$ unless a problem says otherwise. Show how you found each answer, "
    f"and give it exactly or rounded to {DIGITS}; numbers that count something must be exact."
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


def paper(items: list[Item], letter: str, *, by_week: bool = False) -> str:
    """The problems with their points, as Markdown; `by_week`: below the week that teaches what they need."""
    total = sum(item.points for item in items)
    title = "problems for examinations" if by_week else "examination"
    lines = [f"# Linear classification: {title}, variant {letter}", ""]
    lines += [f"{total} points. {RULES}"]
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
    return f"{turn.said} ({worded(item, listed(turn.leads_to(**item.numbers[letter])))})"


def worded(item: Item, values: Any) -> str:
    """Numbers of an answer, each with what it is."""
    return item.answer.format(*shown_all(values))
