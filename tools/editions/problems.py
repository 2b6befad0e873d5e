"""A problem to be marked: a question whose answer was computed, its points, and what proves the answer."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from linlearn_lessons import lessons

from linlearn import practice
from linlearn.practice.bank import Question, Verdict, Wrong
from tools.editions import ROOT

ROUNDED = 2e-3  # relative: three digits are enough


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A question of a lesson with its points.

    `proof` has pairs of numbers that agree if the answer is right: the two bounds of a certificate, or a
    number computed in two ways. `solution` is an expression for the answer. `judged` marks a task with many
    right answers; in the others the question does.
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
    within: float | None = None,
    scale: bool = False,
) -> Question:
    """A question with this key; answers may differ by the rounding of the third digit, or by `within`.

    `wrong` has pairs of a number, or numbers, and the reason. One that by chance gives the right answer, or
    that of an error before it, is left out.
    """
    if within is None:
        within = ROUNDED * max(map(abs, listed(key)))
    errors = tuple(Wrong(written(value), said) for value, said in wrong)
    question = Question(
        name=name, ask=ask, answer=written(key), why=why, within=within, scale=scale, wrong=errors
    )
    told = [error for error in errors if question.judge(error.answer) == Verdict(False, error.why)]
    return replace(question, wrong=tuple(told))


def listed(value: Any) -> list[float]:
    """One number or several, as a list."""
    return [float(value)] if np.isscalar(value) else [float(x) for x in value]


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
