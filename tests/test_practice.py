"""The bank of questions: every answer, right or diagnosed, gets its own words, in Python and on the page."""

import json
import re
import shutil
import subprocess
import tomllib
from collections import Counter
from pathlib import Path

import linlearn_practice
import numpy as np
import pytest
from guards import ROOT, opened
from guards.words import retired
from scipy import stats

import linlearn as ll
from linlearn import practice
from linlearn.practice.bank import LETTERS, Choice, Question, Wrong, built, numbers
from tools.notebooks import pages

BANK = practice.bank()
TYPED = [name for name, question in BANK.items() if not question.choices]
ASKED = re.compile(r'practice\.ask\("([\w-]+)"\)')
by_name = pytest.mark.parametrize("name", BANK)
SAYS = Question(
    name="q",
    ask="?",
    answer="3/4, -1/4",
    why="since",
    wrong=(Wrong("1, 0", "swapped"),),
    hints=("h",),
)


@by_name
def test_the_bank_is_whole(name):
    """One right choice among several, or an answer in numbers; each with a reason, and no reason twice."""
    question = BANK[name]
    reasons = [c.why for c in question.choices] or [question.why, *(w.why for w in question.wrong)]
    assert all(len(reason) > 20 for reason in reasons) and len(set(reasons)) == len(reasons)
    assert bool(question.choices) != bool(question.answer)
    if question.choices:
        assert len(question.choices) >= 2 and sum(c.right for c in question.choices) == 1
        for choice in question.choices:  # a formula alone has no name for a screen reader
            assert bool(choice.spoken) == (not re.sub(r"\$[^$]*\$", "", choice.says).strip(" .")), (
                choice
            )
    else:
        assert question.hints and question.wrong, (
            "a typed answer needs hints and a diagnosed wrong answer"
        )


@pytest.mark.parametrize(
    "file", sorted(ROOT.glob("linlearn/practice/*.toml")), ids=lambda p: p.stem
)
def test_questions_use_the_fields_terms(file):
    """What is asked, and what can be chosen, is said as another textbook would say it."""
    for name, question in tomllib.loads(file.read_text("utf8")).items():
        for text in (question["ask"], *(choice["says"] for choice in question.get("choices", []))):
            assert not (said := list(retired(text, file.name))), f"{name}: {said[0]}"


@by_name
def test_every_answer_gets_its_own_words(name):
    """The right answer is right, and each wrong one that the bank diagnoses is answered by its reason."""
    question = BANK[name]
    if question.choices:
        for letter, choice in zip(LETTERS, question.choices, strict=False):
            said = practice.check(name, letter)
            assert (said.right, said.why) == (choice.right, choice.why)
        return
    assert practice.check(name, question.answer).right
    assert practice.check(name, numbers(question.answer)).right
    for wrong in question.wrong:
        said = practice.check(name, wrong.answer)
        assert (said.right, said.why) == (False, wrong.why)


@by_name
def test_a_question_may_be_left_open(name):
    """A cell that waits for its answer says so, and stops nobody who runs the whole notebook."""
    for nothing, written in ((None, "None"), (..., "...")):
        said = practice.check(name, nothing)
        assert not said.answered and not said.right
        assert repr(said).startswith("Not answered yet. Write ")
        assert repr(said).endswith(f"in place of {written}.")
    assert practice.check(name, "a" if BANK[name].choices else BANK[name].answer).answered


def test_no_position_is_right_more_often_than_chance_allows():
    """Of the questions with k choices, no position has more right answers than 999 of 1000 draws give."""
    right = Counter(
        (len(q.choices), place)
        for q in BANK.values()
        for place, choice in enumerate(q.choices)
        if choice.right
    )
    for k in {k for k, _ in right}:
        asked = sum(right[k, place] for place in range(k))
        most = stats.binom.ppf(0.999, asked, 1 / k)
        assert max(right[k, place] for place in range(k)) <= most, (k, right)


def test_the_order_of_the_choices_is_not_that_of_the_file():
    """Turned round in the file, a question is the same; each choice keeps its own reason and its mark."""
    for file in Path(practice.__file__).parent.glob("*.toml"):
        for name, entry in tomllib.loads(file.read_text("utf8")).items():
            written = entry.get("choices", [])
            reversed_ = built(name, {**entry, "choices": written[::-1]})
            assert reversed_ == BANK[name] if written else not BANK[name].choices
            assert {Choice(**choice) for choice in written} == set(BANK[name].choices)


def gap(bits, delta):
    """That of `oc-four-bits`, with 100 samples."""
    return np.sqrt((bits * np.log(2) + np.log(1 / delta)) / 200)


FIT = -1 / 3  # the level line through the labels -1, 1, -1 at 0, 1, 2


@pytest.mark.parametrize(
    ("name", "names", "computed"),
    [
        ("oc-four-bits", "the word is missing", [gap(0, 0.05)]),
        ("oc-four-bits", r"$\delta$ is missing", [gap(4, 1)]),
        ("rm-certificate-error", "target minus margin", [1 - y * FIT for y in (-1, 1, -1)]),
        ("rm-certificate-error", "label minus score", [y - FIT for y in (-1, 1, -1)]),
        ("co-certificate", "mean of all samples", [25 / 4, 4 / 6.25, np.mean([0, 2, 5, 6, 7])]),
    ],
)
def test_a_reason_names_what_was_computed(name, names, computed):
    """The diagnosed answer is what somebody gets who makes the mistake that its reason names."""
    (found,) = [wrong for wrong in BANK[name].wrong if names in wrong.why]
    assert numbers(found.answer) == pytest.approx(computed, abs=max(BANK[name].within, 1e-9))


def test_an_answer_is_read_as_people_write_it():
    """Text, sequences, arrays, planes and fits; fractions and roots; any brackets."""
    assert numbers("(1, -2.5)") == [1, -2.5] == numbers("1;−2.5") == numbers(np.array([[1, -2.5]]))
    assert numbers("√8/2") == numbers("sqrt(8)/2") == pytest.approx([2**0.5]) and numbers(
        "3√4"
    ) == [6]
    assert numbers(["0", "1/9 ", 2]) == [0, 1 / 9, 2]
    fit = ll.max_margin([[0.0], [1], [3]], [-1, -1, 1])
    assert numbers(fit) == numbers(fit.plane) == pytest.approx([1, -2])
    assert SAYS.judge([0.75, -0.25]).right and SAYS.judge("1, 0").why == "swapped"


@pytest.mark.parametrize("word", ["", "x", "1/0", "1..2", "e5", "√", "-", "nan", "1/2/3"])
def test_what_is_no_number_is_refused(word):
    """An answer that cannot be read is named, or counted as none."""
    if word:
        with pytest.raises(ValueError, match="`answer` must be numbers such as"):
            SAYS.judge(word)
    else:
        assert "you gave 0" in SAYS.judge(word).why


def test_a_wrong_answer_gets_help():
    """Too few numbers are counted; an undiagnosed answer leads to the hints."""
    assert "asks for 2 numbers; you gave 1" in SAYS.judge(3).why
    assert 'practice.hint("q")' in SAYS.judge([3, 3]).why
    assert SAYS.hint(1) == "h"
    with pytest.raises(
        ValueError, match=r"`step` must be from 1 to 1, the number of hints for 'q'; got 2"
    ):
        SAYS.hint(2)


@pytest.mark.parametrize(
    ("question", "near", "far"),
    [
        (Question(name="q", ask="?", answer="2/3"), 2 / 3 + 1e-12, 0.6667),
        (Question(name="q", ask="?", answer="2/3", within=0.005), 0.67, 0.68),
        (Question(name="q", ask="?", answer="1, 2", scale=True), [3, 6], [-1, -2]),
        (Question(name="q", ask="?", answer="0, 1"), [1e-12, 1], [1e-6, 1]),
    ],
)
def test_how_near_is_near_enough(question, near, far):
    """Exact up to rounding, unless the question states a distance; a multiple only where it says so."""
    assert question.judge(near).right and not question.judge(far).right


def test_bad_requests_are_refused():
    """Names and letters that do not exist, values that are no numbers."""
    with pytest.raises(ValueError, match=r"`name` must name a question of the book, such as pc-"):
        practice.check("pc-rat", "a")
    with pytest.raises(
        ValueError, match=r"`answer` must be the letter of a choice, a to c; got 'd'"
    ):
        practice.check("pc-rate", "d")
    for answer in ([1, None], np.inf, "one", object()):
        with pytest.raises(ValueError, match="`answer` must be"):
            SAYS.judge(answer)


def test_every_question_is_asked_once():
    """Each question of the bank stands on one page, each cell that asks names one, and the cell is tagged."""
    cells = [c for path in pages(ROOT) for c in opened(path).code]
    asking = [c for c in cells if ASKED.search(c.source)]
    assert sorted(ASKED.search(c.source)[1] for c in asking) == sorted(BANK)
    for cell in asking:
        assert cell.source == f'practice.ask("{ASKED.search(cell.source)[1]}")'
        assert cell.metadata.get("tags") == ["practice"], cell.id


def test_the_form_says_what_the_bank_says():
    """Choices with a reason each, hints inside one another, innermost the answer; nothing unescaped."""
    risky = Question(
        name="q", ask="<b> & $a<b$", choices=(Choice("*yes*", "</script>", True), Choice("no", "n"))
    )
    form = linlearn_practice.form(risky)
    assert "&lt;b&gt; &amp;" in form and "<em>yes</em>" in form and "</script>" not in form
    assert (
        form.count('type="radio"') == form.count('class="why"') == 2
        and form.count("data-right") == 1
    )
    typed = linlearn_practice.form(BANK["pc-bound"])
    assert typed.count('<details class="hint">') == 2 and '<details class="answer">' in typed
    inside = typed[typed.index('<details class="hint">') : typed.index('<details class="answer">')]
    assert "</details>" not in inside, "the answer unfolds from the last hint"
    assert "aria-describedby" not in form + typed, "it would read a reason out before the choice"


def node():
    """The Node inside Playwright's wheel: nobody has to install one."""
    from playwright._impl._driver import compute_driver_executable

    return shutil.which(str(compute_driver_executable()[0]))


def test_the_page_judges_as_python_does():
    """The script of the page gives the verdicts of `practice.check`, on right, wrong and odd answers."""
    odd = [
        "",
        "1",
        "x",
        "1/3",
        "√2",
        "-√2/2 1",
        "sqrt(5)",
        "(5/6, 1/6)",
        "[0.5;0.5]",
        "1 0 | 1 0",
        "5e-1 5E-1",
        "1/0",
        "−1, 3",
    ]
    cases = []
    for name in TYPED:
        key = re.search(
            r'application/json">(.*?)</script>', linlearn_practice.form(BANK[name]), re.DOTALL
        )[1]
        answers = [BANK[name].answer, *(w.answer for w in BANK[name].wrong), *odd]
        cases += [(name, answer, json.loads(key.replace("<\\/", "</"))) for answer in answers]
    script = (
        f"const {{ judge }} = require({json.dumps(str(ROOT / 'book/assets/practice.js'))});"
        "const cases = JSON.parse(require('fs').readFileSync(0));"
        "console.log(JSON.stringify(cases.map(([, answer, key]) => judge(answer, key))));"
    )
    done = subprocess.run(
        [node(), "-e", script], input=json.dumps(cases), capture_output=True, text=True
    )
    assert not done.returncode, done.stderr
    for (name, answer, _), page in zip(cases, json.loads(done.stdout), strict=True):
        try:
            said = practice.check(name, answer)
        except ValueError:
            assert not page["right"] and page["why"].startswith("Type numbers"), answer
            continue
        assert page["right"] == said.right, (name, answer)
        if answer in (BANK[name].answer, *(w.answer for w in BANK[name].wrong)):
            assert page["why"] == linlearn_practice.words(said.why)
