"""What happens in each meeting: how long the lecture treats a lesson, and which exercises a class solves.

Both are proposals, made from the data of the lessons alone: their times, and the stars of their exercises.
"""

import json
import re
from dataclasses import dataclass

from linlearn_lessons import Lesson

from tools.editions import ROOT

STAR = {1: 15, 2: 20, 3: 30}  # minutes in class for an exercise of so many stars: an estimate
AT_A_COMPUTER = re.compile(r"librar|scikit-learn|[Yy]our own (?:data|table|costs)")
EXERCISE = re.compile(r"^`{3,}\{exercise-start\} *(.*)\n((?::.*\n)*)", re.MULTILINE)


@dataclass(frozen=True)
class Exercise:
    """An exercise of a lesson: its number on the page, its title and its difficulty."""

    number: str
    title: str
    stars: int

    @property
    def minutes(self) -> int:
        return STAR[self.stars]


def exercises(lesson: Lesson) -> list[Exercise]:
    """The exercises of a lesson in their order."""
    cells = json.loads((ROOT / "book" / f"{lesson.stem}.ipynb").read_text("utf8"))["cells"]
    text = "\n\n".join("".join(one["source"]) for one in cells if one["cell_type"] == "markdown")
    return [
        Exercise(f"{lesson.number}.{k}", title, int(re.search(r"star-(\d)", options)[1]))
        for k, (title, options) in enumerate(EXERCISE.findall(text), 1)
    ]


def sixth(minutes: int) -> int:
    """A sixth of a meeting, in fives: to introduce a lesson, or to discuss the solutions of an assignment."""
    return 5 * round(minutes / 30)


def lecture(read: list[Lesson], later: list[Lesson], minutes: int) -> list[tuple[Lesson, int]]:
    """The minutes of each lesson: those read before share the time in proportion to theirs, in fives."""
    left = minutes - sixth(minutes) * len(later)
    whole = sum(one.minutes for one in read)
    shares = [5 * round(left * one.minutes / whole / 5) for one in read]
    shares[-1] += left - sum(shares)
    return [*zip(read, shares, strict=True), *((one, sixth(minutes)) for one in later)]


def in_class(taught: list[Lesson], minutes: int) -> list[Exercise]:
    """Exercises on paper that fill the time: first the easiest one of each lesson, then the next ones.

    Those at a computer, with a library or with data of one's own, are better done at home.
    """
    waiting = [
        sorted(
            (one for one in exercises(lesson) if not AT_A_COMPUTER.search(one.title)),
            key=lambda one: one.stars,
        )
        for lesson in taught
    ]
    chosen: list[Exercise] = []
    while any(waiting):
        for own in filter(None, waiting):
            one = own.pop(0)
            if one.minutes <= minutes:
                minutes -= one.minutes
                chosen.append(one)
    order = [one.number for lesson in taught for one in exercises(lesson)]
    return sorted(chosen, key=lambda one: order.index(one.number))
