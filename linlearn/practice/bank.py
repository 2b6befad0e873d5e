"""The question bank: read the questions of each lesson from files, and judge answers."""

import difflib
import hashlib
import math
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from linlearn._console import printable

CLOSE = 1e-9  # relative: what double precision leaves of an exact value after a short computation
LETTERS = "abcdefgh"
NUMBER = re.compile(
    r"(?P<sign>[-+−]?)(?P<factor>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)?"
    r"(?:√(?P<root>\d+\.?\d*))?(?:/(?P<below>\d+\.?\d*))?"
)


@dataclass(frozen=True)
class Choice:
    """One choice of a question, and why it is right or wrong; `spoken` where it is a formula only."""

    says: str
    why: str
    right: bool = False
    spoken: str = ""


@dataclass(frozen=True)
class Wrong:
    """A plausible wrong answer, and the error behind it."""

    answer: str
    why: str


@dataclass(frozen=True, repr=False)
class Verdict:
    """Whether a question is answered, whether the answer is right, and why, in words."""

    right: bool
    why: str
    answered: bool = True

    @property
    def _said(self) -> str:
        if not self.answered:
            return "Not answered yet"
        return "Right" if self.right else "Not yet"

    def __repr__(self) -> str:
        return printable(f"{self._said}. {self.why}".strip())

    def _repr_markdown_(self) -> str:
        return f"**{self._said}.** {self.why}".strip()


@dataclass(frozen=True, repr=False, kw_only=True)
class Question:
    """A question whose answer is one of some choices, or one or more numbers.

    `within` is the distance that a number may have from the answer's, 0 for the exact value; `scale`
    says that every positive multiple of the answer is right, too.
    """

    name: str
    ask: str
    choices: tuple[Choice, ...] = ()
    answer: str = ""
    why: str = ""
    wrong: tuple[Wrong, ...] = ()
    within: float = 0.0
    scale: bool = False
    hints: tuple[str, ...] = ()

    def __repr__(self) -> str:
        lines = [f"  ({letter}) {c.says}" for letter, c in zip(LETTERS, self.choices, strict=False)]
        return printable("\n".join([self.ask, *lines, f"Answer with {self.call}."]))

    def _repr_markdown_(self) -> str:
        lines = [f"- ({letter}) {c.says}" for letter, c in zip(LETTERS, self.choices, strict=False)]
        return "\n".join(
            [f"**Now you.** {self.ask}", "", *lines, "", f"Answer with `{self.call}`."]
        )

    @property
    def call(self) -> str:
        example = '"a"' if self.choices else "…"
        return f'practice.check("{self.name}", {example})'

    def judge(self, answer: Any) -> Verdict:
        if answer is None or answer is ...:
            wanted = "the letter of your choice" if self.choices else "your answer"
            given = "None" if answer is None else "..."
            return Verdict(False, f"Write {wanted} in place of {given}.", answered=False)
        return self._chosen(answer) if self.choices else self._typed(numbers(answer))

    def hint(self, step: int) -> str:
        if not 1 <= step <= len(self.hints):
            raise ValueError(
                f"`step` must be from 1 to {len(self.hints)}, the number of hints for {self.name!r}; got "
                f"{step}."
            )
        return self.hints[step - 1]

    def _chosen(self, answer: Any) -> Verdict:
        letters = LETTERS[: len(self.choices)]
        letter = str(answer).strip("() ").lower()
        if len(letter) != 1 or letter not in letters:
            raise ValueError(
                f"`answer` must be the letter of a choice, {letters[0]} to {letters[-1]}; got {answer!r}."
            )
        choice = self.choices[letters.index(letter)]
        return Verdict(choice.right, choice.why)

    def _typed(self, given: list[float]) -> Verdict:
        wanted = numbers(self.answer)
        if len(given) != len(wanted):
            count = "one number" if len(wanted) == 1 else f"{len(wanted)} numbers"
            return Verdict(False, f"This asks for {count}; you gave {len(given)}.")
        if self._same(given, wanted):
            return Verdict(True, self.why)
        for wrong in self.wrong:
            if self._same(given, numbers(wrong.answer)):
                return Verdict(False, wrong.why)
        listed = ", ".join(f"{x:.6g}" for x in given)
        help_ = f' A hint: practice.hint("{self.name}").' if self.hints else ""
        return Verdict(False, f"The answer {listed} is not right.{help_}")

    def _same(self, given: Sequence[float], wanted: Sequence[float]) -> bool:
        if self.scale:
            given, wanted = unit(given), unit(wanted)
        return all(
            math.isclose(
                x, y, rel_tol=CLOSE, abs_tol=max(self.within, CLOSE * max(map(abs, wanted)))
            )
            for x, y in zip(given, wanted, strict=True)
        )


def unit(values: Sequence[float]) -> list[float]:
    size = math.hypot(*values)
    return [value / size for value in values] if size else list(values)


def numbers(answer: Any) -> list[float]:
    """The numbers of an answer: typed as text, given as a number, a sequence, an array or a plane.

    Raises
    ------
    ValueError
        Something in it is not a finite number.
    """
    if isinstance(answer, str):
        bare = re.sub(r"[()\[\]|]", " ", re.sub(r"sqrt\(([^()]*)\)", r"√\1", answer))
        return [number(word) for word in re.split(r"[\s,;]+", bare) if word]
    answer = getattr(answer, "plane", answer)  # of a fit
    answer = getattr(answer, "a", answer)
    try:
        values = np.ravel(np.asarray(answer, dtype=object))
        found = [number(x.strip()) if isinstance(x, str) else float(x) for x in values]
    except (TypeError, ValueError):
        found = [math.nan]
    if not all(map(math.isfinite, found)):
        raise ValueError(
            f"`answer` must be finite numbers, such as 3 or [0.5, 0.5]; got {answer!r}."
        )
    return found


def number(word: str) -> float:
    """A number as people type it: 26, -0.5, 3/4, √5/2 or sqrt(5)/2."""
    match = NUMBER.fullmatch(word)
    below = float(match["below"] or 1) if match else 0.0
    if not match or not below or not (match["factor"] or match["root"]):
        raise ValueError(f"`answer` must be numbers such as 26, -0.5, 3/4 or √5/2; got {word!r}.")
    value = float(match["factor"] or 1) * math.sqrt(float(match["root"] or 1)) / below
    return -value if match["sign"] in ("-", "−") else value


@cache
def bank() -> dict[str, Question]:
    """A dict of all questions by name, in the order of the lessons; their choices are shuffled.

    >>> bank()["pc-bound"].answer
    '10'
    """
    files = [file for file in resources.files(__package__).iterdir() if file.name.endswith(".toml")]
    found: dict[str, Question] = {}
    for file in sorted(files, key=lambda file: file.name):
        for name, entry in tomllib.loads(file.read_text("utf8")).items():
            if name in found:
                raise ValueError(
                    f"{file.name}: the question {name!r} occurs twice, in this file or in two."
                )
            found[name] = built(name, entry)
    return found


def shuffled(name: str, choices: list[Choice]) -> tuple[Choice, ...]:
    """The choices in an order drawn by a hash of their words: always the same, whatever the file's."""

    def draw(choice: Choice) -> bytes:
        return hashlib.sha256(f"{name}: {choice.says}".encode()).digest()

    return tuple(sorted(choices, key=draw))


def built(name: str, entry: dict[str, Any]) -> Question:
    """A question from its entry in the file."""
    entry = entry | {
        "choices": shuffled(name, [Choice(**choice) for choice in entry.get("choices", ())]),
        "wrong": tuple(Wrong(**wrong) for wrong in entry.get("wrong", ())),
        "hints": tuple(entry.get("hints", ())),
    }
    return Question(name=name, **entry)


def question(name: str) -> Question:
    """The question of this name; else those whose names are near are listed."""
    if name in bank():
        return bank()[name]
    near = difflib.get_close_matches(str(name), bank(), n=3, cutoff=0.3) or list(bank())[:3]
    raise ValueError(
        f"`name` must name a question of the book, such as {', '.join(near)}; got {name!r}."
    )
