"""Examination papers and their keys, from the bank of problems."""

from fractions import Fraction

from tools.editions.exam_bank import BANK, Item
from tools.editions.problems import ACCEPTED, DIGITS, Problem
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
SIMPLE = 100  # the largest denominator of a key that is shown as a fraction


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
            f"**{number}.** ({item.points} points) **{answer(one)}.** {one.question.why} "
            f"Lesson {one.lesson_name}, week {week_of(item.lesson)}.",
            "",
            *(f"- {counted(points)}: {said}" for points, said in item.steps),
            "",
            "Common wrong turns, and what they still earn:",
            "",
            *(f"- {said} **{counted(points)}**" for points, said in item.turns),
        ]
    return "\n".join(lines) + "\n"


def heading(items: list[Item], number: int) -> list[str]:
    """The week of a problem, if the problem before it has another one."""
    before, own = (week_of(item.lesson) for item in (items[number - 2], items[number - 1]))
    return ["", f"## Week {own}"] if number == 1 or own != before else []


def counted(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}"


def answer(one: Problem) -> str:
    """The key of a problem, as fractions where these are simple."""
    return ", ".join(shown(float(word)) for word in one.question.answer.split(", "))


def shown(value: float) -> str:
    """A number as a fraction, if a simple one, or with four digits."""
    simple = Fraction(value).limit_denominator(SIMPLE)
    if abs(simple - Fraction(value)) < 1e-9:
        return str(simple).replace("-", "−")
    return f"{value:.4g}".replace("-", "−")
