"""Run the code of one notebook where it can do no harm, and hand over the values of some of its variables.

A program of its own, which the grader starts. It reads {"cells": [source, …], "names": [name, …],
"limits": {…}} from its standard input, gives up the rights that it does not need, runs the cells one
after another, and writes {"answers": {name: [number, …]}, "problems": [what went wrong, …]} to what was
its standard output. No key and no mark is here: a student's code can forge an answer, and nothing else.
"""

import ctypes
import importlib.util
import json
import math
import os
import resource
import sys
import time
from pathlib import Path

# Of Landlock, the part of Linux by which a process gives up files: its calls, and the rights that it knows.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION_FLAG, PATH_BENEATH, NO_NEW_PRIVILEGES = 1, 1, 38
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
RIGHTS = {3: 15, 4: 15, 5: 16}  # how many there are in each version; since 3, truncating is one
LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long


class Ruleset(ctypes.Structure):
    """The kinds of access that are refused unless a rule allows them."""

    _fields_ = (("files", ctypes.c_uint64),)


class PathBeneath(ctypes.Structure):
    """What is allowed for a file, or for all that is beneath a folder."""

    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def landlock_version() -> int:
    """The version that this kernel has; 0 if it has none."""
    return (
        max(0, LIBC.syscall(CREATE_RULESET, None, 0, VERSION_FLAG))
        if sys.platform == "linux"
        else 0
    )


def call(number: int, *arguments) -> int:
    """Make a system call; its failure is an error."""
    found = LIBC.syscall(number, *arguments)
    if found < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return found


def readable() -> dict[Path, int]:
    """What Python and its packages need, each with the rights to it; nothing can be written."""
    package = Path(importlib.util.find_spec("linlearn").origin).parent
    folders = [
        sys.prefix,
        sys.base_prefix,
        "/usr",
        "/lib",
        "/lib64",
        "/bin",
        "/etc",
        "/sys/devices/system/cpu",
    ]
    found = dict.fromkeys(map(Path, [package, *folders]), EXECUTE | READ_FILE | READ_DIR)
    return found | {Path("/dev/null"): READ_FILE | WRITE_FILE, Path("/dev/urandom"): READ_FILE}


def give_up_files() -> None:
    """Refuse this process and its children every file but those of `readable`, for good."""
    rights = RIGHTS.get(landlock_version(), max(RIGHTS.values()))
    ruleset = Ruleset((1 << rights) - 1)
    rules = call(CREATE_RULESET, ctypes.byref(ruleset), ctypes.sizeof(ruleset), 0)
    for path, allowed in readable().items():
        if path.exists():
            folder = os.open(path, os.O_PATH)
            rule = PathBeneath(allowed, folder)
            call(ADD_RULE, rules, PATH_BENEATH, ctypes.byref(rule), 0)
            os.close(folder)
    if LIBC.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        raise OSError("this process cannot give up the right to gain privileges")
    call(RESTRICT_SELF, rules, 0)
    os.close(rules)


def limit(seconds: int, megabytes: int) -> None:
    """Limit time, of which what is already used does not count, memory, and what is written to the output."""
    seconds += math.ceil(time.process_time())
    for kind, most in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, megabytes << 20),
        (resource.RLIMIT_FSIZE, 1 << 20),
        (resource.RLIMIT_NOFILE, 256),
        (resource.RLIMIT_NPROC, 512),  # of the user, who must not be root: nothing limits root
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))


def shell():
    """What runs the cells, magics included, and keeps no history."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    return InteractiveShell.instance(config=config)


def run(cells: list[str], runner) -> list[str]:
    """Run every cell, also after one that fails; say which failed, and how."""
    problems = []
    for number, source in enumerate(cells, 1):
        result = runner.run_cell(source)
        if error := result.error_before_exec or result.error_in_exec:
            problems.append(f"Code cell {number}: {type(error).__name__}: {error}"[:300])
    return problems


def collect(names: list[str], values: dict) -> tuple[dict[str, list[float]], list[str]]:
    """The numbers that each name stands for, and what is wrong with the others; `...` is no answer yet."""
    from linlearn.practice.bank import numbers

    answers, problems = {}, []
    for name in names:
        if values.get(name, ...) is ...:
            continue
        try:
            answers[name] = numbers(values[name])
        except Exception as error:  # a student's object may raise anything
            problems.append(f"{name}: {error}"[:300])
    return answers, problems


def main() -> None:
    """Read the job, give up rights, run, and hand over."""
    os.setsid()  # a signal to the process group reaches nobody else
    job = json.load(sys.stdin)
    channel = os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)
    import matplotlib.pyplot  # noqa: F401  (it keeps a list of fonts, which it could not write later)

    runner = shell()
    give_up_files()
    limit(**job["limits"])
    problems = run(job["cells"], runner)
    answers, wrong = collect(job["names"], runner.user_ns)
    with os.fdopen(channel, "w", encoding="utf8") as handed:
        json.dump({"answers": answers, "problems": problems + wrong}, handed)
        handed.flush()
        os._exit(0)  # nothing of the student's runs at the end


if __name__ == "__main__":
    main()
