"""Practice questions, with a reason for every answer: `ask` shows one, `check` judges answers, `hint` helps.

The questions of each lesson are in a text file beside this one. The pages of the book, these functions and
the tests all read the same files.
"""

from typing import Any

from linlearn.practice.bank import Question, Verdict, bank, question

__all__ = ["Verdict", "ask", "bank", "check", "hint"]


def ask(name: str) -> Question:
    r"""Show the question `name`, with its choices; a notebook typesets its formulas.

    Raises
    ------
    ValueError
        If there is no question of this name; the message lists similar names.

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
    """Say whether an answer to the question `name` is right, and why.

    Parameters
    ----------
    name : str
        The name of the question, such as "pc-units".
    answer : str, number, sequence, array, `Hyperplane`, None or Ellipsis
        The letter of a choice; a number; several numbers as a sequence, an array or text such as "5/6, 1/6";
        or a hyperplane, which stands for the numbers w and b. None and Ellipsis, three dots, leave the
        question open.

    Raises
    ------
    ValueError
        If there is no such question, or the answer has the wrong form: a number where a letter is expected,
        for example.

    Examples
    --------
    >>> check("pc-units", "c").right
    True
    >>> check("pc-bound", "10").right, check("pc-bound", 5.1).right
    (True, False)
    >>> check("pc-bound", ...)
    Not answered yet. Write your answer in place of ....
    """
    return question(name).judge(answer)


def hint(name: str, step: int = 1) -> str:
    """Hint number `step`, counted from 1, for the question `name`.

    Raises
    ------
    ValueError
        If there is no such question, or it has fewer hints.

    Examples
    --------
    >>> hint("pc-bound")
    'Which of the two samples is longer, and what is the square of its length?'
    """
    return question(name).hint(step)
