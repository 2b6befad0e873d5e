"""A problem to be marked: a question whose answer was computed, its points, and what proves the answer."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from linlearn_lessons import lessons

from linlearn import practice
from linlearn.practice.bank import CLOSE, Question, Verdict, Wrong, numbers
from tools.editions import ROOT

# One rule for assignments and examinations. Rounding to three significant digits changes a number by less
# than this part of it. It changes most if it is near 1.005 and becomes 1.00 or 1.01.
ROUNDED = 5e-3
DIGITS = "three significant digits"
ACCEPTED = "An answer is right if each of its numbers differs from the key by 0.5 % at most."
SIMPLE = 100  # the largest denominator of a number that is shown as a fraction


@dataclass(frozen=True, repr=False, kw_only=True)
class Computed(Question):
    """A question whose answer was computed: each number may be rounded to three significant digits."""

    def _same(self, given: Sequence[float], wanted: Sequence[float]) -> bool:
        factor = 1.0
        if self.scale:  # half-way between the largest and the smallest that a number suggests
            factors = [x / y for x, y in zip(given, wanted, strict=True) if y]
            factor = (min(factors) + max(factors)) / 2
        floor = CLOSE * max(1.0, *map(abs, wanted))  # a 0 may come out as a rounding error
        return 0 < factor < math.inf and all(
            abs(x - factor * y) <= factor * (ROUNDED * abs(y) + floor)
            for x, y in zip(given, wanted, strict=True)
        )

    def _typed(self, given: list[float]) -> Verdict:
        verdict = super()._typed(given)
        known = verdict.right or any(verdict.why == error.why for error in self.wrong)
        said = "" if known else misread(given, numbers(self.answer))
        return replace(verdict, why=f"{verdict.why} {said}") if said else verdict


def misread(given: list[float], key: list[float]) -> str:
    """What a wrong answer says if numbers are read as the key's in another form; else nothing."""
    if len(given) == 2 * len(key):
        return "If a comma is meant as a decimal point, write a point: 0.5, not 0,5."
    if same_rounded([x / 100 for x in given], key):
        return "Give proportions, not per cent."
    if same_rounded(given, key):
        return f"Two digits are too few: give {DIGITS}."
    return ""


def same_rounded(given: list[float], key: list[float]) -> bool:
    """Whether all are the numbers of the key, rounded to two digits or more."""
    ties = (1 - CLOSE, 1 + CLOSE)  # 0.125 may be rounded to 0.12 or to 0.13
    two = [{float(f"{y * tie:.1e}") for tie in ties} for y in key]
    return len(given) == len(key) and all(
        x in rounded or abs(x - y) <= max(ROUNDED * abs(y), CLOSE)
        for x, y, rounded in zip(given, key, two, strict=True)
    )


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A question of a lesson with its points.

    `proof` has pairs of numbers that agree if the answer is right: the two bounds of a certificate, or a
    number computed in two ways. `solution` is code for the answer: an expression, or lines of which the last
    is one. `judged` marks a task with many right answers; in the others the question does.
    """

    question: Question
    lesson: str
    points: int
    proof: tuple[tuple[float, float], ...]
    solution: str = ""
    judged: Callable[[list[float]], Verdict] | None = None

    @property
    def name(self) -> str:
        return self.question.name

    @property
    def lesson_name(self) -> str:
        """What the front page calls its lesson."""
        lesson = lessons(ROOT)[self.lesson]
        return f"{lesson.number} {lesson.name}"

    def judge(self, answer: list[float]) -> Verdict:
        return (self.judged or self.question.judge)(answer)

    def proved(self) -> bool:
        """Whether there is a proof, and all of its pairs agree."""
        pairs = [math.isclose(*pair, rel_tol=1e-6, abs_tol=1e-9) for pair in self.proof]
        return bool(pairs) and all(pairs)


def posed(
    name: str,
    ask: str,
    key: float | Sequence[float],
    why: str,
    wrong: Sequence[tuple[float | Sequence[float], str]] = (),
    *,
    scale: bool = False,
) -> Question:
    """A question with this key; if `scale`, every positive multiple of it is right, too.

    `wrong` has pairs of a number, or numbers, and the reason. One that by chance gives the right answer, or
    that of an error before it, is left out.
    """
    errors = tuple(Wrong(written(value), said) for value, said in wrong)
    question = Computed(name=name, ask=ask, answer=written(key), why=why, scale=scale, wrong=errors)
    told = [error for error in errors if question.judge(error.answer) == Verdict(False, error.why)]
    return replace(question, wrong=tuple(told))


def listed(value: Any) -> list[float]:
    """One number or several, as a list."""
    return [float(value)] if np.isscalar(value) else [float(x) for x in value]


def shown(value: float) -> str:
    """A number in TeX."""
    return shown_all([value])[0]


def shown_all(values: Iterable[float]) -> list[str]:
    """Numbers in TeX: decimals if all have three at most, else fractions where these are simple."""
    found = [float(value) for value in values]
    short = all(abs(number - round(number, 3)) < 1e-9 for number in found)
    said = []
    for number in found:
        simple = Fraction(number).limit_denominator(SIMPLE)
        fraction = not short and abs(simple - Fraction(number)) < 1e-9
        said.append(str(simple) if fraction else f"{round(number, 9) + 0.0:.4g}")
    return said


def written(value: Any) -> str:
    """As the question bank writes answers."""
    return ", ".join(f"{x:.12g}" for x in listed(value))


def reason(name: str, answer: str) -> str:
    """What the question bank says to this answer of its question `name`."""
    verdict, asked = practice.check(name, answer), practice.bank()[name]
    if verdict.right or verdict.why not in {one.why for one in (*asked.wrong, *asked.choices)}:
        raise ValueError(f"`answer` must be an error that {name!r} diagnoses; got {answer!r}.")
    return verdict.why


def bounds(fit: Any) -> tuple[float, float]:
    """The two bounds of a fit's certificate."""
    return fit.certificate.lower, fit.certificate.upper
