"""Run the code of one notebook where it can do no harm, and hand over the values of some of its variables.

A program of its own, which the grader starts. It reads {"cells": [source, …], "names": [name, …],
"limits": {…}} from its standard input, gives up the rights that it does not need, and runs the cells one
after another. Before each, and at the end, it writes a line {"answers": {name: [number, …]}, "problems":
[what went wrong, …], "running": the number of the cell that begins, or 0} into the file that was its standard
output, in place of the line before. No key and no mark is here: a student's code can forge an answer, and
nothing else.
"""

import ctypes
import errno
import importlib.util
import json
import math
import os
import platform
import resource
import signal
import stat
import sys
import time
from pathlib import Path

# What is handed over stays far below a megabyte, the most that can be written.
LONGEST = 1000  # numbers of an answer
MOST_SAID = 20  # problems
TIME_IS_UP = 128 + signal.SIGXCPU  # the exit status of a notebook that used up its time

# Of Landlock, the part of Linux by which a process gives up files: its calls, and the rights that it knows.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION_FLAG, PATH_BENEATH, NO_NEW_PRIVILEGES = 1, 1, 38
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
RIGHTS = {3: 15, 4: 15, 5: 16}  # how many there are in each version; since 3, truncating is one
LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long

# Of seccomp, the part of Linux by which a process gives up system calls: the instructions of a filter, where
# a call has its number, processor and first argument, and what may be the answer.
SET_FILTER, FILTER = 22, 2
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, PROCESSOR, FIRST_ARGUMENT = 0, 4, 16
ALLOW, ERROR, KILL = 0x7FFF0000, 0x00050000, 0x80000000
OTHER_NUMBERS = 1 << 30  # of x32, a second way to make the same calls
THREAD = 1 << 16  # of `clone`: no process of its own

# What Landlock and namespaces do not prevent, by the numbers in <asm/unistd.h> for either processor. A socket
# reaches services by their files, such as that of Docker or of the user's systemd, which start anything
# outside. `io_uring_setup` makes calls that no filter sees. Keys are those of the user's session. Other
# processes have limits of their own, so that many together have none.
CALLS = {  # on x86_64, on aarch64
    "socket": (41, 198),
    "fchmod": (91, 52),
    "fchown": (93, 55),
    "ptrace": (101, 117),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "fchownat": (260, 54),
    "fchmodat": (268, 53),
    "unshare": (272, 97),
    "utimensat": (280, 88),
    "io_uring_setup": (425, 425),
    "fchmodat2": (452, 452),
    "setxattrat": (463, 463),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
    "fork": (57, None),
    "vfork": (58, None),
    "chmod": (90, None),
    "chown": (92, None),
    "lchown": (94, None),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
}
REFUSED = {
    machine: {name: numbers[k] for name, numbers in CALLS.items() if numbers[k] is not None}
    for k, machine in enumerate(("x86_64", "aarch64"))
}
PROCESSORS = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
CLONE = {"x86_64": 56, "aarch64": 220}
CLONE3 = 435  # its flags are in memory, where a filter cannot read; without it, `clone` is used


class Ruleset(ctypes.Structure):
    """The kinds of access that are refused unless a rule allows them."""

    _fields_ = (("files", ctypes.c_uint64),)


class PathBeneath(ctypes.Structure):
    """What is allowed for a file, or for all that is beneath a folder."""

    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


class Instruction(ctypes.Structure):
    """One of a filter: how far to jump if what it asks is true, and if not."""

    _fields_ = (
        ("code", ctypes.c_uint16),
        ("true", ctypes.c_uint8),
        ("false", ctypes.c_uint8),
        ("operand", ctypes.c_uint32),
    )


class Program(ctypes.Structure):
    """A filter, as the kernel is told where it is."""

    _fields_ = (("length", ctypes.c_uint16), ("first", ctypes.POINTER(Instruction)))


def landlock_version() -> int:
    """The version that this kernel has; 0 if it has none."""
    if sys.platform != "linux":
        return 0
    return max(0, LIBC.syscall(CREATE_RULESET, None, 0, VERSION_FLAG))


def call(number: int, *arguments) -> int:
    """Make a system call; its failure is an error."""
    found = LIBC.syscall(number, *arguments)
    if found < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return found


def public(folder: Path) -> list[Path]:
    """The folder itself, if everybody may read all in it; else those parts of it of which this is true.

    What only root may read, such as passwords in /etc, stays hidden also if root runs the grader. A link is
    left out, because what it leads to would be readable.
    """
    found, hidden = [], False
    for path in sorted(folder.iterdir()):
        mode = path.lstat().st_mode
        needed = stat.S_IROTH | stat.S_IXOTH if stat.S_ISDIR(mode) else stat.S_IROTH
        parts = []
        if not stat.S_ISLNK(mode) and mode & needed == needed:
            parts = public(path) if stat.S_ISDIR(mode) else [path]
        hidden |= parts != [path] and not stat.S_ISLNK(mode)
        found += parts
    return found if hidden else [folder]


def readable() -> dict[Path, int]:
    """What Python and its packages need, each with the rights to it; nothing can be written."""
    package = Path(importlib.util.find_spec("linlearn").origin).parent
    system = ["/usr", "/lib", "/lib64", "/bin", "/sys/devices/system/cpu"]
    folders = map(Path, [package, sys.prefix, sys.base_prefix, *system])
    found = dict.fromkeys(folders, EXECUTE | READ_FILE | READ_DIR)
    for path in public(Path("/etc")):
        found[path] = READ_FILE | READ_DIR if path.is_dir() else READ_FILE
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


def give_up_calls() -> None:
    """Refuse this process the system calls of `REFUSED`, and new processes, for good; it keeps threads."""
    machine = platform.machine()
    refuse = (RETURN, 0, 0, ERROR | errno.EPERM)
    steps = [
        (LOAD, 0, 0, PROCESSOR),
        (EQUAL, 1, 0, PROCESSORS[machine]),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
        (AT_LEAST, 0, 1, OTHER_NUMBERS),
        refuse,
    ]
    for number in REFUSED[machine].values():
        steps += [(EQUAL, 0, 1, number), refuse]
    steps += [
        (EQUAL, 0, 1, CLONE3),
        (RETURN, 0, 0, ERROR | errno.ENOSYS),
        (EQUAL, 0, 3, CLONE[machine]),
        (LOAD, 0, 0, FIRST_ARGUMENT),
        (ANY_BIT, 1, 0, THREAD),
        refuse,
        (RETURN, 0, 0, ALLOW),
    ]
    program = Program(len(steps), (Instruction * len(steps))(*steps))
    if LIBC.prctl(SET_FILTER, FILTER, ctypes.byref(program), 0, 0):
        raise OSError("this process cannot give up system calls")


def limit(seconds: int, megabytes: int) -> None:
    """Limit time, of which what is already used does not count, memory, and what is written to the output."""
    seconds += math.ceil(time.process_time())
    signal.signal(signal.SIGXCPU, lambda *_: os._exit(TIME_IS_UP))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 2))  # then the signal; then the end
    for kind, most in (
        (resource.RLIMIT_AS, megabytes << 20),
        (resource.RLIMIT_FSIZE, 1 << 20),
        (resource.RLIMIT_NOFILE, 256),
        (resource.RLIMIT_NPROC, 512),  # threads; memory limits those of root, too
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))


def shell():
    """What runs the cells, magics included, keeps no history, and takes figures, which nobody sees."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    made = InteractiveShell.instance(config=config)
    made.enable_gui = lambda gui=None: None  # for `%matplotlib inline`
    made.ask_exit = lambda: None  # for `quit()`
    return made


def run(cells: list[str], names: list[str], runner, channel: int) -> None:
    """Run every cell, also after one that fails, and hand over before each, since it may never end.

    A line such as `!pip install …` does nothing, and the lines after it run, as where it fails in Jupyter.
    """
    problems: list[str] = []

    def hand_over(running: int) -> None:
        answers, wrong = collect(names, runner.user_ns)
        told = problems[: MOST_SAID - len(wrong)] + wrong
        found = {"answers": answers, "problems": told, "running": running}
        os.pwrite(channel, json.dumps(found).encode() + b"\n", 0)  # a longer line before ends later

    for number, source in enumerate(cells, 1):
        hand_over(number)
        runner.system = lambda line, number=number: problems.append(
            f"Code cell {number}: no program can be started here: {line}"[:300]
        )
        result = runner.run_cell(source)
        if error := result.error_before_exec or result.error_in_exec:
            problems.append(f"Code cell {number}: {said(error)}"[:300])
    hand_over(0)


def said(error: BaseException) -> str:
    """The kind of an error, and its words, unless asking for these is another error."""
    try:
        return f"{type(error).__name__}: {error}"
    except BaseException:
        return type(error).__name__


def collect(names: list[str], values: dict) -> tuple[dict[str, list[float]], list[str]]:
    """The numbers that each name stands for, and what is wrong with the others; `...` is no answer yet."""
    from linlearn.practice.bank import numbers

    answers, problems = {}, []
    for name in names:
        if values.get(name, ...) is ...:
            continue
        try:
            found = numbers(values[name])
            if len(found) > LONGEST:
                raise ValueError(f"no answer has {len(found)} numbers")
            answers[name] = found
        except ValueError as error:
            problems.append(f"{name}: {error}"[:300])
        except BaseException as error:  # a student's object may raise anything
            problems.append(f"{name}: {said(error)}"[:300])
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

    import linlearn.practice  # noqa: F401  (for `collect`, whose time is not the notebook's)

    runner = shell()
    give_up_files()
    give_up_calls()
    limit(**job["limits"])
    run(job["cells"], job["names"], runner, channel)
    os._exit(0)  # nothing of the student's runs at the end


if __name__ == "__main__":
    main()
