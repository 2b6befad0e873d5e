"""Examination papers and their keys, from the bank of problems."""

from fractions import Fraction

from tools.editions.exam_bank import BANK, Item
from tools.editions.problems import ACCEPTED, DIGITS, Problem

LETTERS = ("A", "B")
RULES = (
    "Labels are $-1$ and $+1$ unless a problem says otherwise. Show how you found each answer, "
    f"and give it exactly or rounded to {DIGITS}."
)
MARKING = (
    f"{ACCEPTED} A step earns its points if it is right for what the steps before it have found: an "
    "error in arithmetic costs the points of its own step and no others."
)
SIMPLE = 100  # the largest denominator of a key that is shown as a fraction


def one_a_lesson() -> list[Item]:
    """The first problem of each lesson: a paper of two hours."""
    first: dict[str, Item] = {}
    for item in BANK:
        first.setdefault(item.lesson, item)
    return list(first.values())


def paper(items: list[Item], letter: str) -> str:
    """The problems with their points, as Markdown."""
    problems = [item.variant(letter) for item in items]
    lines = [f"# Linear classification: examination, variant {letter}", ""]
    total = sum(one.points for one in problems)
    lines += [f"{total} points. {RULES}"]
    for number, one in enumerate(problems, 1):
        lines += ["", f"**{number}.** ({one.points} points) {one.question.ask}"]
    return "\n".join(lines) + "\n"


def key(items: list[Item], letter: str) -> str:
    """The answers to a paper, each with the idea and the lesson, as Markdown."""
    lines = [f"# Linear classification: key, variant {letter}", ""]
    lines += [MARKING]
    for number, item in enumerate(items, 1):
        one = item.variant(letter)
        lines += [
            "",
            f"**{number}.** ({one.points} points) **{answer(one)}.** {one.question.why} "
            f"Lesson {one.lesson_name}.",
        ]
    return "\n".join(lines) + "\n"


def answer(one: Problem) -> str:
    """The key of a problem, as fractions where these are simple."""
    return ", ".join(shown(float(word)) for word in one.question.answer.split(", "))


def shown(value: float) -> str:
    """A number as a fraction, if a simple one, or with four digits."""
    simple = Fraction(value).limit_denominator(SIMPLE)
    if abs(simple - Fraction(value)) < 1e-9:
        return str(simple).replace("-", "−")
    return f"{value:.4g}".replace("-", "−")
