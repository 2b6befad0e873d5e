"""Assignments and their grader: keys are proved, errors explained, and no submission hangs or cheats."""

import csv
import json
import math
import os
import re
import socket
import subprocess
import sys
import time
from dataclasses import replace
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from pathlib import Path

import nbformat
import numpy as np
import pytest
from conftest import LOUD
from guards import ROOT
from linlearn_lessons import lessons
from scipy import spatial
from sklearn.linear_model import LogisticRegression

import linlearn as ll
from linlearn import data
from linlearn.practice.bank import numbers
from tools.editions import assignments, exam, grader
from tools.editions import confined as confine
from tools.editions.assignments import SEED, WEEKS, notebook, variable
from tools.editions.exam import LETTERS
from tools.editions.exam_bank import BANK
from tools.editions.grader import Handed, marked, read, report
from tools.editions.problems import DIGITS, ROUNDED, posed, reason

SEEDS = (SEED, 2, 3)
MADE = {(week, seed): make(seed) for week, make in WEEKS.items() for seed in SEEDS}
CORE = [lesson for lesson in lessons(ROOT).values() if lesson.track == "core"]
STEMS = [lesson.stem for lesson in CORE]
TASKS = [task for (_, seed), one in MADE.items() if seed == SEED for task in one.tasks]
KEY_5A = numbers(MADE[5, SEED].tasks[0].question.answer)
every = pytest.mark.parametrize("assignment", MADE.values(), ids=lambda a: f"week {a.week}")
LATE = "ended early|did not end"  # which of the two, a busy machine decides
SHORT = dict(seconds=2, megabytes=2000)


@pytest.fixture(scope="module")
def confined():
    """Skip where the machine cannot confine a process, as the grader itself refuses to start there."""
    try:
        grader.check_machine()
    except OSError as error:
        pytest.skip(f"{LOUD} what a malicious notebook can do ({error})")


@every
def test_keys_are_proved(assignment):
    """The two bounds of each certificate agree, or two computations; ten points for each week."""
    assert assignment.points == 10
    for task in assignment.tasks:
        assert task.proved(), (task.name, task.proof)


def test_a_proof_is_needed_and_must_agree():
    """No proof is none, and two bounds with a gap between them are none either."""
    task = TASKS[0]
    assert task.proved() and not replace(task, proof=()).proved()
    assert not replace(task, proof=((1.0, 1.0), (1.0, 1.00001))).proved()


def test_a_week_asks_about_what_it_teaches():
    """Of the lessons since the last assignment at most one is left out, and never the first of them."""
    before = 0
    for week in WEEKS:
        asked = {STEMS.index(task.lesson) for task in MADE[week, SEED].tasks}
        taught = range(before, before + 4)
        assert asked <= set(taught) and before in asked and len(asked) >= 3, week
        before += 4
    assert before == len(STEMS)


@every
def test_every_error_gets_its_reason(assignment):
    """A wrong answer that a task knows earns no point and is explained; the right one earns all."""
    for task in assignment.tasks:
        if task.judged:
            continue
        assert task.question.judge(task.question.answer).right
        for wrong in task.question.wrong:
            said = task.judge([float(x) for x in wrong.answer.split(", ")])
            assert (said.right, said.why) == (False, wrong.why), task.name


@pytest.mark.parametrize("seed", SEEDS)
def test_standardising_by_all_rows_earns_no_points(seed):
    """The leak that lesson 0 warns of has its own reason, and so has no standardising at all."""
    one = MADE[1, seed]
    task, V, v = one.tasks[0], one.samples["V"], one.samples["v"]
    share = [float(x) for x in task.question.answer.split(", ")][2]
    for Z, said in (
        (data.standardise(V), "the test samples took part"),
        (V, "are not standardised"),
        (data.standardise(V, like=V[:21]), ""),
    ):
        wrong = ll.k_nearest_neighbors(Z[:21], v[:21], k=1).predict(Z) != v
        verdict = task.judge([wrong[:21].mean(), wrong[21:].mean(), share])
        assert verdict.right == (not said) and said in verdict.why


def test_most_tasks_know_an_error():
    """And all reasons are different: two errors with one reason would be one error."""
    reasons = [wrong.why for task in TASKS for wrong in task.question.wrong]
    assert len(reasons) >= 40
    for task in TASKS:
        own = [wrong.why for wrong in task.question.wrong]
        assert len(set(own)) == len(own) and (own or task.judged)


@pytest.mark.parametrize("seed", range(1, 13))
def test_features_standardised_by_all_rows_are_noticed(seed):
    """And every other error of the task: none gives the right answer by chance, whatever the seed."""
    task = WEEKS[1](seed).tasks[0]
    reasons = [wrong.why for wrong in task.question.wrong]
    assert len(reasons) == 7 and any("test samples took part" in why for why in reasons), reasons


def test_assignments_and_examination_share_no_line():
    """No weights of a line in a task are those of a problem of the examination."""
    weights = re.compile(r"w = (\([^)]*\))")
    posed = [item.variant(letter).question.ask for item in BANK for letter in LETTERS]
    examined = {w for ask in posed for w in weights.findall(ask)}
    handed_out = {
        w for one in MADE.values() for t in one.tasks for w in weights.findall(t.question.ask)
    }
    assert len(examined) >= 4 and handed_out and not examined & handed_out


def test_seeds_give_other_numbers():
    """Last year's answers do not help."""
    for week in WEEKS:
        answers = [[task.question.answer for task in MADE[week, seed].tasks] for seed in SEEDS]
        changed = sum(a != b for a, b in zip(answers[0], answers[1], strict=True))
        assert changed >= 3, week


@pytest.mark.parametrize(
    ("week", "name", "answer", "said"),
    [
        (1, "1c", [1.0, 0.0], "Five numbers"),
        (1, "1c", [0.0, 0.0, 0.0, 0.0, 1.0], "is not 0"),
        (1, "1c", [1e308] * 5, "must lie between"),
        (1, "1c", [-1e308, 1e308, -1e308, 0.0, 0.0], "must lie between"),
        (4, "4d", [0.0] * 20, "Other dual variables prove more"),
        (4, "4d", [9.0] * 20, "between 0 and"),
        (4, "4d", [0.5] + [0.0] * 19, "stationarity"),
    ],
)
def test_a_certificate_that_proves_less_is_refused(week, name, answer, said):
    """And the report says what it fails to do."""
    task = next(task for task in MADE[week, SEED].tasks if task.name == name)
    verdict = task.judge(answer)
    assert not verdict.right and said in verdict.why


def test_a_sample_that_halves_the_margin():
    """One that does not, one among the others, a line that is not best: each is told what it does."""
    one, task = MADE[1, SEED], MADE[1, SEED].tasks[2]
    X, y = one.samples["X"], one.samples["y"]
    right = [float(x) for x in task.question.answer.split(", ")]
    assert task.judge(right).right
    assert task.judge([*right[:2], *(7 * x for x in right[2:])]).right
    far = X[y == 1].mean(axis=0)
    inside = X[y == -1].mean(axis=0)
    old = ll.max_margin(X, y).plane.a
    for answer, said in (
        ([*far, *right[2:]], "half of the old one is"),
        ([*inside, *right[2:]], "no line separates"),
        ([*right[:2], *old], "your line has the margin"),
        ([*right[:2], *(-x for x in right[2:])], "your line has the margin -"),
    ):
        verdict = task.judge(answer)
        assert not verdict.right and said in verdict.why


def test_a_sample_on_the_edge_of_a_hull_is_refused():
    """On a negative sample, between two of them, and so near that rounding decides."""
    one, task = MADE[1, SEED], MADE[1, SEED].tasks[2]
    negative = one.samples["X"][one.samples["y"] == -1]
    corners = negative[spatial.ConvexHull(negative).vertices]
    middles = (corners + np.roll(corners, 1, axis=0)) / 2
    for at in (*corners, *middles):
        for moved in (0, 1e-15, -1e-12, 1e-9):
            verdict = task.judge([*map(float, at + moved), 1.0, 1.0, 0.0])
            assert not verdict.right and "no line separates" in verdict.why


def test_an_answer_that_cannot_be_judged_ends_nothing():
    """The other tasks are marked, and the report says what happened."""
    one = MADE[1, SEED]

    def fails(answer):
        raise ZeroDivisionError("float division by zero")

    broken = replace(one, tasks=(replace(one.tasks[0], judged=fails), *one.tasks[1:]))
    right = [float(x) for x in one.tasks[3].question.answer.split(", ")]
    handed = Handed({"answer_1a": [1.0], "answer_1d": right})
    marks = marked(broken, handed)
    assert [mark.points for mark in marks] == [0, 0, 0, 2]
    assert "cannot be judged (ZeroDivisionError)" in report("x", broken, handed, marks)


def test_one_call_does_not_solve_the_first_week():
    """What the package returns for the samples as they are is no answer to its certificates."""
    one = MADE[1, SEED]
    X, y = one.samples["X"], one.samples["y"]
    fit = ll.max_margin(X, y)
    lower, upper = assignments.largest_margin(X, y)
    returned = (fit.plane.a, fit.certificate.dual, [lower, upper], fit.plane.w, [lower])
    for task in one.tasks[1:3]:
        assert not any(task.judge(list(map(float, answer))).right for answer in returned), task.name


def test_a_notebook_to_hand_out_holds_no_answer():
    """Neither a key nor a solution; with solutions it has both kinds of cells."""
    for week in WEEKS:
        one = MADE[week, SEED]
        out, solved = (nbformat.writes(notebook(one, solved=s)) for s in (False, True))
        nbformat.validate(nbformat.reads(out, as_version=4))
        nbformat.validate(nbformat.reads(solved, as_version=4))
        for task in one.tasks:
            last = json.dumps(task.solution.splitlines()[-1])[1:-1]
            assert f"{variable(task)} = ..." in out and last not in out
            assert json.dumps(task.question.why)[1:-1] not in out
            assert f"{variable(task)} = {last}" in solved


@pytest.mark.slow(one_in=4)
@pytest.mark.parametrize("week", WEEKS)
def test_solutions_earn_all_points(week, tmp_path, confined):
    """The notebook with solutions, run as a student's, and the one handed out, which earns none."""
    one = MADE[week, SEED]
    for solved, points in ((True, 10), (False, 0)):
        path = tmp_path / "handed.ipynb"
        nbformat.write(notebook(one, solved=solved), path)
        handed, marks = grader.grade(one, path)
        assert not handed.problems
        assert sum(mark.points for mark in marks) == points, report("it", one, handed, marks)


def test_a_machine_that_cannot_confine_is_refused(monkeypatch):
    """The message says what is needed."""
    monkeypatch.setattr(grader, "landlock_version", lambda: 2)
    with pytest.raises(OSError, match="needs Linux 6"):
        grader.check_machine()


def run(*sources, limits=SHORT):
    return grader.run(list(sources), ["answer_1a", "answer_1b"], **limits)


def test_answers_of_every_form_are_handed_over(confined):
    """Numbers, arrays, planes and text; an error in a cell costs that cell alone."""
    handed = run(
        "import linlearn as ll",
        "answer_1a = ll.Hyperplane([1, 2], 3)",
        "1 / 0",
        "answer_1b = '3/4'",
    )
    assert handed.answers == {"answer_1a": [1, 2, 3], "answer_1b": [0.75]}
    assert handed.problems == ("Code cell 3: ZeroDivisionError: division by zero",)
    assert run("answer_1a = 'two'", "answer_1b = ...").answers == {}


@pytest.mark.slow(one_in=3)
@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("while True: pass", "did not end within 2 seconds"),
        ("import time; time.sleep(100)", "did not end"),
        ("import os; os._exit(0)", "ended early"),
        (
            "import signal; signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass",
            LATE,
        ),
    ],
)
def test_what_does_not_end_is_ended(source, said, confined, monkeypatch):
    """Endless loops, sleeping and leaving: the grader goes on soon, and what was answered before counts."""
    monkeypatch.setattr(grader, "START", 30)
    begun = time.monotonic()
    handed = run("answer_1a = 1", f"answer_1a = 2\n{source}", "answer_1b = 3")
    assert time.monotonic() - begun < 60
    assert handed.answers == {"answer_1a": [1]} and handed.running == 2
    assert re.search(said, handed.problems[0]) and "Code cell 2 was running" in handed.problems[0]


def test_an_answer_that_was_not_reached_is_told_why():
    """One in the cell that did not end, or after it; not one that was left out before."""
    one = MADE[1, SEED]
    sources = ["answer_1a = ...", "answer_1b = 1", "while True: pass", "answer_1d = 1"]
    problems = ("The notebook did not end within 60 seconds. Code cell 3 was running",)
    handed = Handed({"answer_1b": [1.0]}, problems, running=3)
    told = [mark.told() for mark in marked(one, handed, sources)]
    assert [problems[0] in text for text in told] == [False, False, False, True]


def test_memory_is_limited(confined):
    """More than is allowed is an error of the cell that asks for it."""
    handed = run("import numpy as np", "x = np.ones(10**9)", "answer_1a = 1")
    assert handed.answers == {"answer_1a": [1]} and "Unable to allocate" in handed.problems[0]
    assert "MemoryError" in run("x = [0] * 10**9").problems[0]


def test_nothing_is_written_and_no_key_is_read(confined, tmp_path):
    """Neither here nor elsewhere, by Python or by a program; not the grader's files, memory or arguments."""
    key = tmp_path / "key.txt"
    key.write_text("42")
    server = socket.create_server(("127.0.0.1", 0))
    handed = run(
        f"open({str(key)!r}, 'w')",
        f"answer_1a = open({str(key)!r}).read()",
        f"answer_1b = open({str(ROOT / 'tools/editions/assignments.py')!r}).read()",
        "open('here', 'w')",
        "import os; os.listdir('/proc')",
        "import tempfile; tempfile.mkstemp()",
        f"import subprocess; subprocess.run(['cat', {str(key)!r}], check=True)",
        f"subprocess.run(['tee', {str(key)!r}], input=b'1', check=True)",
        f"os.truncate({str(key)!r}, 0)",
        f"os.link({str(key)!r}, 'linked')",
        "import tools.editions.assignments",
        f"import socket; socket.create_connection({server.getsockname()}, timeout=1)",
    )
    server.close()
    assert handed.answers == {} and len(handed.problems) == 12, handed.problems
    assert key.read_text() == "42"


def test_the_grader_cannot_be_killed(confined):
    """Its processes are not visible, and the group of the notebook's is its own."""
    handed = run(
        "import os, signal",
        "os.kill(0, signal.SIGKILL)",
        f"os.kill({subprocess.os.getpid()}, signal.SIGKILL)",
        "answer_1a = 1",
    )
    assert handed.answers == {"answer_1a": [1]} and "ProcessLookupError" in handed.problems[0]


def test_a_notebook_starts_no_process(confined):
    """Each would have limits of its own, so that many together had none; threads share theirs."""
    handed = run(
        "import os, subprocess, threading",
        "os.fork()",
        "subprocess.run(['true'])",
        "answer_1b = os.system('true') != 0",
        "threads = [threading.Thread(target=int) for _ in range(20)]\n"
        "for one in threads: one.start()\nfor one in threads: one.join()\nanswer_1a = len(threads)",
    )
    assert handed.answers == {"answer_1a": [20], "answer_1b": [1]}
    assert len(handed.problems) == 2, handed.problems
    assert all("Operation not permitted" in said for said in handed.problems)


def test_no_service_is_reached_and_no_file_is_changed(confined, tmp_path):
    """A socket in a folder leads out of every namespace, to whatever listens there."""
    place, file = tmp_path / "socket", tmp_path / "file"
    file.write_text("42")
    file.chmod(0o640)
    before = file.stat()
    with socket.socket(socket.AF_UNIX) as service:
        service.bind(str(place))
        service.listen()
        handed = run(
            "import ctypes, os, socket\ncall = ctypes.CDLL(None, use_errno=True).syscall",
            f"socket.socket(socket.AF_UNIX).connect({str(place)!r})",
            "socket.socket(socket.AF_VSOCK)",
            f"os.chmod({str(file)!r}, 0o777)",
            f"os.utime({str(file)!r}, (0, 0))",
            f"os.chown({str(file)!r}, {os.getuid()}, {os.getgid()})",
            f"os.setxattr({str(file)!r}, 'user.x', b'1')",
            "answer_1a = call(425, 4, ctypes.create_string_buffer(200))  # io_uring_setup",
            "answer_1b = call(250 if os.uname().machine == 'x86_64' else 219, 0, -3, 0)  # keyctl",
        )
    assert handed.answers == {"answer_1a": [-1], "answer_1b": [-1]}
    assert len(handed.problems) == 6, handed.problems
    assert all("Operation not permitted" in said for said in handed.problems)
    after = file.stat()
    assert (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns)


@pytest.mark.parametrize(
    ("machine", "header"),
    [
        ("x86_64", "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
        ("aarch64", "/usr/include/asm-generic/unistd.h"),
    ],
)
def test_system_calls_have_the_numbers_of_linux(machine, header):
    """A wrong number would refuse another call; old headers do not know the newest calls."""
    if not Path(header).exists():
        pytest.skip(f"no {header}")
    known = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", Path(header).read_text()))
    told = confine.REFUSED[machine] | {"clone": confine.CLONE[machine], "clone3": confine.CLONE3}
    found = {name: int(known.get(name, number)) for name, number in told.items()}
    assert found == told and len(known.keys() & told.keys()) >= 15


def test_what_not_everybody_may_read_is_hidden(tmp_path):
    """And of a folder that holds such a file, only the rest is shown; links are not followed."""
    for name in ("open/a", "mixed/b", "mixed/secret", "mixed/in/c", "closed/d"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("42")
        file.chmod(0o600 if file.name == "secret" else 0o644)
    (tmp_path / "mixed/in/link").symlink_to("../secret")
    (tmp_path / "mixed/link").symlink_to("secret")
    for folder in (tmp_path, *(path for path in tmp_path.rglob("*") if path.is_dir())):
        folder.chmod(0o700 if folder.name == "closed" else 0o755)
    found = [str(path.relative_to(tmp_path)) for path in confine.public(tmp_path)]
    assert found == ["mixed/b", "mixed/in", "open"]
    assert confine.public(tmp_path / "mixed/in") == [tmp_path / "mixed/in"]


def test_what_a_notebook_can_read_holds_nothing_to_keep_from_it(tmp_path):
    """Neither the course nor the notebooks of others are among Python's files."""
    grader.check_place([grader.PROGRAM, tmp_path / "hw.ipynb"])
    with pytest.raises(ValueError, match="Move the course, the notebooks and the reports"):
        grader.check_place([tmp_path / "hw.ipynb", Path(sys.prefix) / "course" / "hw.ipynb"])


def test_a_machine_on_which_nothing_runs_is_refused(confined):
    """Everybody would get no point."""
    with pytest.raises(OSError, match="imports run here, confined and with 20 megabytes"):
        grader.check_machine(20)


def test_lines_of_jupyter_cost_nothing(confined):
    """Figures in the notebook, packages of another machine, leaving: what follows them runs."""
    handed = run(
        "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1])\nplt.show()\nquit()\n"
        "import asyncio\nawait asyncio.sleep(0)\nanswer_1a = 1",
        "!pip install linclass\n%pip install linclass\nanswer_1b = 2",
    )
    assert handed.answers == {"answer_1a": [1], "answer_1b": [2]}
    assert [said.partition(": ")[0] for said in handed.problems] == ["Code cell 2"] * 2
    assert "no program can be started here: pip install linclass" in handed.problems[0]


def test_an_error_without_words_costs_its_own_answer(confined):
    """One whose words are another error, and an answer that ends Python when it is read."""
    handed = run(
        "class E(Exception):\n    def __str__(self): raise E()",
        "raise E()",
        "class N(float):\n    def __float__(self): raise SystemExit",
        "answer_1b = N(1)\nanswer_1a = 1",
    )
    assert handed.answers == {"answer_1a": [1]}
    assert handed.problems == ("Code cell 2: E", "answer_1b: SystemExit: ")


def test_a_forged_result_is_an_answer_and_nothing_more(confined):
    """Whatever is written in place of the result: marks are made from a key that the process never had."""
    forged = {
        "answers": {"answer_1a": [7.0]},
        "problems": [],
        "running": 0,
        "points": 10,
        "total": 10,
        "right": True,
    }
    write = (
        "import os\nfor fd in range(3, 20):\n    try: os.write(fd, {!r})\n    except OSError: pass"
    )
    text = json.dumps(forged).encode()
    handed = run(write.format(text) + "\nos._exit(0)")
    assert handed.answers in ({"answer_1a": [7.0]}, {})
    assert sum(mark.points for mark in marked(MADE[1, SEED], handed)) == 0
    assert run(write.format(text), "answer_1a = 1").answers == {"answer_1a": [1]}  # the last counts


def test_a_flood_of_output_is_cut(confined):
    """What is printed is not kept, and what is handed over is at most a megabyte."""
    assert run("for _ in range(10**5): print('x' * 1000)", "answer_1a = 1").answers == {
        "answer_1a": [1]
    }
    flood = """import os, signal, stat
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
written = {}
for fd in range(3, 20):
    try:
        while stat.S_ISREG(os.fstat(fd).st_mode):
            written[fd] = written.get(fd, 0) + os.write(fd, b"1" * 10**5)
    except OSError: pass
"""
    assert run(flood, "answer_1a = 1").answers == {"answer_1a": [1]}
    assert run(flood + "os._exit(0)", "answer_1a = 1").answers == {}
    long = run("answer_1a = 1", "answer_1b = range(10**6)")
    assert long.answers == {"answer_1a": [1]} and "has 1000000 numbers" in long.problems[0]
    undo = "for fd in written: os.ftruncate(fd, 0), os.lseek(fd, 0, 0)\nanswer_1a = max(written.values())"
    assert run(flood, undo).answers == {"answer_1a": [grader.MOST]}


@pytest.mark.parametrize(
    "handed",
    [
        b"",
        b"[" * 10**5,
        b'{"answers": {"answer_1a": [NaN]}, "problems": [], "running": 0}',
        b'{"answers": {"answer_1a": [1e999]}, "problems": [], "running": 0}',
        b'{"answers": {"answer_1a": [[1]]}, "problems": [], "running": 0}',
        b'{"answers": {"answer_1a": 1}, "problems": [], "running": 0}',
        b'{"answers": {"answer_1a": [' + b"9" * 5000 + b']}, "problems": [], "running": 0}',
        b'{"answers": {"answer_1a": [1]}, "problems": [], "running": Infinity}',
        b"\xff",
        b"1",
    ],
)
def test_what_cannot_be_read_is_no_answer(handed):
    """Forms that no honest process hands over are refused without an error."""
    found = read(handed, ["answer_1a"])
    assert found.answers == {} and len(found.problems) == 1


def test_a_report_quotes_what_a_process_says():
    """Its words stay in one line, in quotes, below the marks."""
    one = MADE[1, SEED]
    handed = Handed({}, ("`\n\n**10 of 10 points**",))
    said = report("x", one, handed, marked(one, handed))
    assert "**0 of 10 points.**" in said and "- `' **10 of 10 points**`" in said


def by_solution(assignment, task):
    """What the code of the solution hands in."""
    place = {**assignment.samples}
    exec(f"{assignments.IMPORTS}\n{assignments.solution(task)}", place)
    return numbers(place[variable(task)])


@every
def test_three_digits_are_enough(assignment):
    """As a notebook asks for and a report says: each number of a solution may be rounded to three."""
    for task in assignment.tasks:
        found = by_solution(assignment, task)
        assert task.judge(found).right, task.name
        assert task.judge([float(f"{x:.2e}") for x in found]).right, task.name


@pytest.mark.parametrize("seed", range(1, 21))
def test_a_fit_by_scikit_learn_is_right(seed):
    """With its default tolerance, in years to come, too; but not with its default `C`."""
    one = WEEKS[3](seed)
    X, y, task = one.samples["X"], one.samples["y"], one.tasks[1]
    for C, right in ((1e6, True), (1.0, False)):
        fit = LogisticRegression(C=C).fit(X, y)
        assert task.judge([*fit.coef_[0], float(fit.intercept_[0])]).right == right


LEADING = [1.0, 1.005, 1.00499, 1.0051, 1.04, 1.0949, 1.995, 4.445, 9.985, 9.995, 9.9949]


@pytest.mark.parametrize("leading", LEADING)
@pytest.mark.parametrize("power", [-3, 0, 2])
def test_rounding_to_three_digits_is_accepted(leading, power):
    """Up and down from a tie, beside larger numbers and smaller ones; the next number of three is not."""
    key = leading * 10.0**power
    unit = Decimal(1).scaleb(power - 2)
    down, up = (
        float((Decimal(repr(leading)).scaleb(power) / unit).to_integral_value(way) * unit)
        for way in (ROUND_HALF_DOWN, ROUND_HALF_UP)
    )
    for beside in (0.1, 1.0, 100.0):
        question = posed("q", "?", (key, -beside), "so")
        for given in (down, up):
            assert question.judge((given, -beside)).right
            assert not question.judge((given, -1.011 * beside)).right
        assert not question.judge((key * 1.006, -beside)).right
        assert not question.judge((key * 0.994, -beside)).right
    multiple = posed("q", "?", (3 * key, -0.7 * key), "so", scale=True)
    for given in (down, up):
        assert multiple.judge((given, -0.7 / 3 * key)).right
    assert not multiple.judge((1.011 * key, -0.7 / 3 * key)).right
    assert not multiple.judge((-3 * key, 0.7 * key)).right
    assert not multiple.judge((1e308, -1e308)).right and not multiple.judge((0, 0)).right


def test_the_rule_of_rounding_is_said_where_it_is_asked():
    """In the notebook and on the paper of the examination; the key has the tolerance alone."""
    for text in (notebook(MADE[1, SEED]).cells[0].source, exam.RULES):
        assert DIGITS in text
    assert f"{100 * ROUNDED:g} %" in exam.MARKING and DIGITS not in exam.MARKING


@pytest.mark.parametrize(
    ("key", "given", "said"),
    [
        ((0, 1 / 9, 4 / 9), (0, 0.11, 0.44), f"Two digits are too few: give {DIGITS}."),
        (0.125, 0.13, f"Two digits are too few: give {DIGITS}."),
        (0.125, 0.12, f"Two digits are too few: give {DIGITS}."),
        ((0, 1 / 9, 4 / 9), (0, 11.1, 44.4), "Give proportions, not per cent."),
        ((0, 1 / 9, 4 / 9), (0, 11, 44), "Give proportions, not per cent."),
        (0.0859, (0, 859), "a decimal point, write a point: 0.5, not 0,5."),
        ((0, 1 / 9, 4 / 9), (0, 0.11, 0.45), "The answer 0, 0.11, 0.45 is not right."),
        ((0, 1 / 9, 4 / 9), (0, 0.22, 0.44), "The answer 0, 0.22, 0.44 is not right."),
        (0.6, 1, "The answer 1 is not right."),
        (0.4, 0, "The answer 0 is not right."),
        (0.22, 0.11, "twice"),
        (0.6, 0.11, "known"),
    ],
)
def test_the_key_in_another_form_is_noticed(key, given, said):
    """Too few digits, per cent, a decimal comma; where it is something else, nothing is added."""
    question = posed("q", "?", key, "so", [(0.11, "known" if key == 0.6 else "twice")])
    verdict = question.judge(given)
    assert not verdict.right and verdict.why.endswith(said)


def test_a_report_says_what_was_handed_in_and_what_failed():
    """A wrong answer is quoted; a missing one comes with the error of its own cell, not of another."""
    one = MADE[1, SEED]
    sources = ["1 / 0", "x = 2\nanswer_1b = [1, 2", "answer_1d = 'two'"]
    problems = (
        "Code cell 1: ZeroDivisionError: division by zero",
        "Code cell 2: SyntaxError: '[' was never closed",
        "answer_1d: a number is expected",
    )
    handed = Handed({"answer_1a": [77.5] * 3, "answer_1c": [1.0] * 15}, problems)
    lines = report("x", one, handed, marked(one, handed, sources)).splitlines()
    first, second, third, last = (line for line in lines if line.startswith("- **"))
    assert first.endswith("The answer 77.5, 77.5, 77.5 is not right.")
    assert (
        "no answer in `answer_1b`." in second and problems[1] in second and "cell 1" not in second
    )
    assert "You gave 1, 1, 1, 1, 1, 1, … (15 numbers). Five numbers are" in third
    assert "no answer" in last and problems[2] in last and "Code cell" not in last


def test_what_is_read_as_a_notebook(tmp_path, monkeypatch):
    """Also with a byte order mark; what is none, or too large to read, comes with what to do."""
    file = tmp_path / "hw.ipynb"
    file.write_text(
        json.dumps({"cells": [{"cell_type": "code", "source": ["a", "b"]}]}), "utf-8-sig"
    )
    assert grader.cells(file) == ["ab"]
    monkeypatch.setattr(grader, "LARGEST", 1 << 20)
    for text, said in (
        ("", "hw.ipynb is not a notebook as Jupyter saves it"),
        ('{"worksheets": []}', "open it there, save it, and hand it in again"),
        ("[" * 10**6, "RecursionError"),
        (" " * (1 << 20) + "{}", "clear its outputs"),
    ):
        file.write_text(text)
        with pytest.raises(ValueError, match=said):
            grader.cells(file)


def test_the_command_writes_reports_and_marks(tmp_path, confined, capsys):
    """One report for each notebook, and a table of all; a file that is no notebook earns nothing."""
    good, bad = tmp_path / "ada.ipynb", tmp_path / "bob.ipynb"
    nbformat.write(notebook(MADE[5, 2], solved=True), good)
    bad.write_text("no notebook")
    grader.main(["5", str(good), str(bad), "--out", str(tmp_path / "out"), "--seed", "2"])
    marks = (tmp_path / "out" / "marks.csv").read_text().splitlines()
    assert [row.rpartition(",")[0] for row in marks] == [
        "notebook,5a,5b,5c,5d,total",
        "ada,2,2,3,3,10",
        "bob,0,0,0,0,0",
    ]
    assert "is not a notebook" in (tmp_path / "out" / "bob.md").read_text()


@pytest.fixture
def quick(monkeypatch):
    """The command without the confined process: every notebook hands in nothing."""
    monkeypatch.setattr(grader, "check_machine", lambda *_: None)
    monkeypatch.setattr(grader, "check_place", lambda _: None)
    monkeypatch.setattr(grader, "run", lambda *_, **__: Handed({}))


def folders(tmp_path):
    """Two notebooks of one name."""
    paths = [tmp_path / folder / "hw.ipynb" for folder in ("ada", "bob")]
    for path in paths:
        path.parent.mkdir()
        nbformat.write(notebook(MADE[5, SEED], solved=False), path)
    return [str(path) for path in paths]


def test_equal_file_names_keep_their_reports(tmp_path, quick):
    """A report and a row are named by the path from the common folder."""
    out = tmp_path / "out"
    grader.main(["5", *folders(tmp_path), "--out", str(out)])
    rows = (out / "marks.csv").read_text().splitlines()[1:]
    assert [row.split(",")[0] for row in rows] == ["ada/hw", "bob/hw"]
    for name in ("ada/hw", "bob/hw"):
        assert f"# Assignment 5: {name}\n" in (out / f"{name}.md").read_text()


def test_rows_of_other_notebooks_are_named(tmp_path, quick, capsys):
    """One that was deleted keeps its row; so does one that has another name in another common folder."""
    ada, bob = folders(tmp_path)
    out = ["--out", str(tmp_path / "out")]
    grader.main(["5", ada, bob, *out])
    assert "rows of other" not in capsys.readouterr().out
    grader.main(["5", ada, *out])
    said = capsys.readouterr().out
    assert "marks.csv also has rows of other notebooks: ada/hw, bob/hw\n" in said


def contents(folder):
    return {path: path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_marks_are_not_overwritten(tmp_path, quick, capsys):
    """By marks of another notebook of this name, of a later version, with another seed, of another week."""
    ada, bob = folders(tmp_path)
    out = tmp_path / "out"
    grader.main(["5", ada, "--out", str(out)])
    before = contents(out)
    nbformat.write(notebook(MADE[5, SEED], solved=True), bob)
    for arguments, said in (
        (["5", bob], "of another notebook"),
        (["5", ada, "--seed", "7"], "with another seed"),
        (["4", ada], "is another table"),
    ):
        with pytest.raises(SystemExit):
            grader.main([*arguments, "--out", str(out)])
        assert said in capsys.readouterr().err and contents(out) == before
    nbformat.write(notebook(MADE[5, SEED], solved=True), ada)
    with pytest.raises(SystemExit):
        grader.main(["5", ada, "--out", str(out)])
    assert (
        "an older version" in " ".join(capsys.readouterr().err.split()) and contents(out) == before
    )


def test_a_notebook_that_was_handed_in_again_is_marked_anew(tmp_path, quick, monkeypatch, capsys):
    """With `--again`; the others are not, and the rows keep their order."""
    ada, bob = folders(tmp_path)
    command = ["5", ada, bob, "--out", str(tmp_path / "out"), "--again"]
    grader.main(command)
    nbformat.write(notebook(MADE[5, SEED], solved=True), ada)
    monkeypatch.setattr(grader, "run", lambda *_, **__: Handed({"answer_5a": KEY_5A}))
    capsys.readouterr()
    for said in (
        "  1 of 2 are marked already\n  2 of 2: ada/hw, 2 of 10 points\n",
        "  2 of 2 are marked already\n",
    ):
        grader.main(command)
        assert capsys.readouterr().out == said
    assert [row[:2] for row in table_of(tmp_path / "out")] == [["ada/hw", "2"], ["bob/hw", "0"]]


def test_a_task_that_was_deleted_is_not_counted(tmp_path, quick, capsys):
    """Neither in the table nor in a report; a name that is no task's is an error."""
    ada, _ = folders(tmp_path)
    out = tmp_path / "out"
    command = ["5", ada, "--out", str(out), "--without"]
    with pytest.raises(SystemExit):
        grader.main([*command, "4a"])
    assert "must be one of 5a, 5b, 5c, 5d; got 4a" in capsys.readouterr().err
    grader.main([*command, "5a", "--without", "5c"])
    assert (out / "marks.csv").read_text().startswith("notebook,5b,5d,total,digest\n")
    said = (out / "hw.md").read_text()
    assert "**0 of 5 points.**" in said and "5a" not in said


def test_another_week_or_seed_is_noticed(tmp_path, quick, capsys):
    """Of all notebooks, which is a mistake of who marks; of one, whose report says so."""
    ada, bob = folders(tmp_path)
    out, version = tmp_path / "out", {key: assignments.version(one) for key, one in MADE.items()}
    for arguments in (["4", ada, bob], ["5", ada, "--seed", "2"]):
        with pytest.raises(SystemExit):
            grader.main([*arguments, "--out", str(out)])
        said = capsys.readouterr().err
        assert f"of version {version[5, SEED]}, but" in said and not (out / "marks.csv").exists()
    nbformat.write(notebook(MADE[4, SEED], solved=True), bob)
    grader.main(["5", ada, bob, "--out", str(out)])
    why = f"It is version {version[4, SEED]} of an assignment, but version {version[5, SEED]} is"
    assert why not in (out / "ada/hw.md").read_text() and why in (out / "bob/hw.md").read_text()
    assert f"bob/hw, 0 of 10 points: {why}" in capsys.readouterr().out
    assert len({*version.values()}) == len(MADE)


def test_a_notebook_without_its_first_cell_is_marked(tmp_path, quick):
    """Nothing tells then of which week it is."""
    made = notebook(MADE[5, SEED])
    del made.cells[0]
    nbformat.write(made, tmp_path / "hw.ipynb")
    assert grader.stated(tmp_path / "hw.ipynb") == ""
    assert grader.grade(MADE[4, SEED], tmp_path / "hw.ipynb")[0] == Handed({})


def test_an_interrupted_run_is_resumed(tmp_path, quick, monkeypatch, capsys):
    """The table is always whole, also if writing fails; nothing is marked twice; progress is shown."""
    for k in range(30):
        nbformat.write(notebook(MADE[5, SEED]), tmp_path / f"student_{k:02}.ipynb")
    out = tmp_path / "out"
    command = ["5", str(tmp_path), "--out", str(out)]
    grade, ran = grader.grade, []

    def interrupted(assignment, path, **limits):
        if len(ran) == 12:
            raise KeyboardInterrupt
        ran.append(path.stem)
        return grade(assignment, path, **limits)

    monkeypatch.setattr(grader, "grade", interrupted)
    with pytest.raises(SystemExit, match="18 notebooks are not marked"):
        grader.main(command)
    table = (out / "marks.csv").read_text()
    assert [row.split(",")[0] for row in table.splitlines()] == ["notebook", *ran]

    monkeypatch.setattr(grader, "grade", grade)
    replace_file = grader.os.replace

    def full(source, target):
        raise OSError("no space left")

    monkeypatch.setattr(grader.os, "replace", full)
    with pytest.raises(OSError, match="no space left"):
        grader.main(command)
    assert (out / "marks.csv").read_text() == table

    monkeypatch.setattr(grader.os, "replace", replace_file)
    capsys.readouterr()
    grader.main(command)
    said = capsys.readouterr().out.splitlines()
    assert said[0].strip() == "12 of 30 are marked already" and len(said) == 19
    assert said[1].startswith("  13 of 30: student_12, 0 of 10 points; about ")
    assert said[-1] == "  30 of 30: student_29, 0 of 10 points"
    rows = (out / "marks.csv").read_text().splitlines()
    assert [row.split(",")[0] for row in rows[1:]] == [f"student_{k:02}" for k in range(30)]
    assert (out / "marks.csv").read_text().startswith(table)
    assert len(list(out.glob("*.md"))) == 30 and not list(out.glob(".*"))


def test_a_folder_stands_for_its_notebooks(tmp_path, quick, capsys):
    """Without the copies that Jupyter keeps; one without notebooks is an error."""
    folders(tmp_path)
    kept = tmp_path / "ada" / ".ipynb_checkpoints" / "hw-checkpoint.ipynb"
    kept.parent.mkdir()
    kept.write_text("{}")
    assert [path.parent.name for path in grader.listed([tmp_path])] == ["ada", "bob"]
    (tmp_path / "none").mkdir()
    with pytest.raises(SystemExit):
        grader.main(["5", str(tmp_path / "none"), "--out", str(tmp_path / "out")])
    assert "has none" in capsys.readouterr().err


def test_other_files_are_said_to_be_skipped(tmp_path, quick, capsys):
    """Not hidden ones, nor what the grader itself wrote there."""
    folders(tmp_path)
    for name in ("ada/notes.py", "zip", "bob/.DS_Store"):
        (tmp_path / name).write_text("x")
    for _ in range(2):
        grader.main(["5", str(tmp_path), "--out", str(tmp_path / "out")])
        said = capsys.readouterr().out.splitlines()
        assert said[0] == "  skipped, not notebooks: ada/notes.py, zip"


def test_a_notebook_must_exist_and_be_named_once(tmp_path, quick, capsys):
    """Otherwise nothing is marked."""
    ada, bob = folders(tmp_path)
    for names, said in (((ada, bob, ada), "came twice"), ((ada, bob + "x"), "there is no file")):
        with pytest.raises(SystemExit):
            grader.main(["5", *names, "--out", str(tmp_path / "out")])
        assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def table_of(out):
    with open(out / "marks.csv", encoding="utf8", newline="") as file:
        return list(csv.reader(file))[1:]


def test_a_file_name_is_no_formula(tmp_path, quick, capsys):
    """A spreadsheet would compute a cell that begins with one of these; the same command finds the rows."""
    names = ["=1+2", "+1", "-1", "@sum", "'=1", "an =1"]
    for name in names:
        nbformat.write(notebook(MADE[5, SEED]), tmp_path / f"{name}.ipynb")
    out = tmp_path / "out"
    for _ in range(2):
        grader.main(["5", str(tmp_path), "--out", str(out)])
        rows = [row[0] for row in table_of(out)]
        assert sorted(rows) == sorted(["'=1+2", "'+1", "'-1", "'@sum", "''=1", "an =1"])
    assert "6 of 6 are marked already" in capsys.readouterr().out
    assert {f"{name}.md" for name in names} == {path.name for path in out.glob("*.md")}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names themselves")
@pytest.mark.parametrize(
    ("raw", "name"),
    [
        (b"M\xfcller", "Müller"),
        ("Jürgen Müßig".encode(), "Jürgen Müßig"),
        (b"x\n\x1b[31m", "x??[31m"),
        (b"n" * 249, "n" * 249),
    ],
)
def test_every_file_name_gets_its_report(raw, name, tmp_path, quick, capsys):
    """Also one in another encoding, with control characters, or as long as can be."""
    handed = tmp_path / "handed"
    handed.mkdir()
    with open(os.fsencode(handed) + b"/" + raw + b".ipynb", "w", encoding="utf8") as file:
        nbformat.write(notebook(MADE[5, SEED]), file)
    out = tmp_path / "out"
    grader.main(["5", str(handed), "--out", str(out)])
    assert table_of(out)[0][0] == name
    assert f"# Assignment 5: {name}\n" in (out / f"{name}.md").read_text("utf8")


def test_reports_of_one_name_are_an_error(tmp_path, quick, capsys):
    """One would overwrite the other."""
    for raw in (b"/x\n.ipynb", b"/x\t.ipynb"):
        with open(os.fsencode(tmp_path) + raw, "w", encoding="utf8") as file:
            nbformat.write(notebook(MADE[5, SEED]), file)
    with pytest.raises(SystemExit):
        grader.main(["5", str(tmp_path), "--out", str(tmp_path / "out")])
    assert "two would be called x?.md" in capsys.readouterr().err


@pytest.mark.parametrize("folder", ["marks.csv", "marks.lock", "hw.md", "hw.md/b", "b/.partial"])
def test_a_folder_named_like_a_file_of_the_grader_is_an_error(folder, tmp_path, quick, capsys):
    """Its reports would stand where a file is written."""
    for place in (tmp_path, tmp_path / folder):
        place.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook(MADE[5, SEED]), place / "hw.ipynb")
    with pytest.raises(SystemExit):
        grader.main(["5", str(tmp_path), "--out", str(tmp_path / "out")])
    assert "called like a file of the grader" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("<img src=x>", "`<img src=x>`"),
        ("[a](b)", "`[a](b)`"),
        ("&lt;", "`&lt;`"),
        ("a`<b>`", "`a'<b>'`"),
        ("ada_l [2]", "`ada_l [2]`"),
        ("ada_l (2)", "ada_l (2)"),
    ],
)
def test_a_name_is_no_html(name, title):
    """Nor a link: a report would show something else."""
    one = MADE[1, SEED]
    said = report(name, one, Handed({}), marked(one, Handed({})))
    assert said.startswith(f"# Assignment 1: {title}\n")


def test_a_link_is_refused(tmp_path, quick, capsys):
    """It could lead to the solution, which would earn all points."""
    solved, handed = tmp_path / "solved.ipynb", tmp_path / "handed"
    nbformat.write(notebook(MADE[5, SEED], solved=True), solved)
    handed.mkdir()
    (handed / "hw.ipynb").symlink_to(solved)
    with pytest.raises(SystemExit):
        grader.main(["5", str(handed), "--out", str(tmp_path / "out")])
    assert "no links" in capsys.readouterr().err and not (tmp_path / "out").exists()


def test_one_grader_writes_in_a_folder(tmp_path, quick, capsys):
    """The second ends at once, and writes nothing; when the first has ended, the folder is free."""
    ada, _ = folders(tmp_path)
    out = tmp_path / "out"
    with grader.held(out), pytest.raises(SystemExit):
        grader.main(["5", ada, "--out", str(out)])
    assert "no other grader writes" in capsys.readouterr().err
    assert not (out / "marks.csv").exists()
    grader.main(["5", ada, "--out", str(out)])
    assert len(table_of(out)) == 1


def test_what_a_process_says_can_be_written(tmp_path):
    """Half of a surrogate pair cannot, and a terminal obeys control characters."""
    one, handed = MADE[1, SEED], Handed({}, ("\ud800 \x1b[31m é",))
    grader.written(tmp_path / "x.md", report("x", one, handed, marked(one, handed)))
    assert "- `? ?[31m é`" in (tmp_path / "x.md").read_text("utf8")


def test_a_long_cell_is_searched_in_no_time():
    """A search that tried every line from every line would take hours on a million of them."""
    begun = time.monotonic()
    said = ("Code cell 2: NameError", "Code cell 3: NameError")
    sources = ["\n" * 10**6, " " * 10**6, "  answer_1a = x"]
    assert grader.errors_of("answer_1a", Handed({}, said), sources) == said[1:]
    assert time.monotonic() - begun < 10


def test_problems_check_their_reasons():
    """A reason must be one that the bank gives; an error that is right by chance is dropped."""
    with pytest.raises(ValueError, match="must be an error that 'pc-bound' diagnoses"):
        reason("pc-bound", "10")
    with pytest.raises(ValueError, match="must be an error"):
        reason("pc-bound", "77")
    question = posed("q", "?", 1.0, "so", [(1.004, "by chance"), (math.pi, "an error")])
    assert [wrong.why for wrong in question.wrong] == ["an error"]
