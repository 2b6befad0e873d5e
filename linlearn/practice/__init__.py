"""Practice questions, with a reason for every answer: `ask` shows one, `check` judges, `hint` helps.

The questions stand in one readable file for each chapter, beside this one; the pages of the book, these
functions and the tests read the same files.
"""

from typing import Any

from linlearn.practice.bank import Question, Verdict, bank, question

__all__ = ["Verdict", "ask", "bank", "check", "hint"]


def ask(name: str) -> Question:
    r"""Show the question `name`, with its choices; a notebook typesets its formulas.

    Raises
    ------
    ValueError
        There is no question of this name; the message lists those that are near.

    Examples
    --------
    >>> ask("pc-tie")
    Every margin is now $\ge 0$, and one of them is exactly 0. What does the perceptron do?
      (a) it stops: no sample is on the wrong side
      (b) it adds the sample with margin 0
    Answer with practice.check("pc-tie", "a").
    """
    return question(name)


def check(name: str, answer: Any) -> Verdict:
    """Judge an answer to the question `name`: a choice's letter, or the numbers asked for; and say why.

    Parameters
    ----------
    answer : str, number, sequence, array or `Hyperplane`
        A letter; a number; several numbers as a sequence, an array or text such as "5/6, 1/6";
        or a hyperplane, which counts as its numbers w and b.

    Raises
    ------
    ValueError
        There is no such question, or the answer cannot be read as one to it.

    Examples
    --------
    >>> check("pc-units", "c").right
    True
    >>> check("pc-bound", "10").right, check("pc-bound", 5.1).right
    (True, False)
    """
    return question(name).judge(answer)


def hint(name: str, step: int = 1) -> str:
    """The hint number `step` to the question `name`, from 1.

    Raises
    ------
    ValueError
        There is no such question, or it has fewer hints.

    Examples
    --------
    >>> hint("pc-bound")
    'Which of the two samples is longer, and what is the square of its length?'
    """
    return question(name).hint(step)
