"""Builds of a book, each in a fork of one process that has imported what they need.

To import it takes longer than to build five small pages. A fork has the modules and nothing else: it
reads the book's own extensions from its folder, and what they change in Sphinx ends with it. What is not
on Linux starts from nothing, as `make book` does.
"""

import atexit
import os
import subprocess
import sys
import traceback
from functools import cache
from importlib import import_module
from pathlib import Path

ARGUMENTS = ["build", ".", "-q", "-W", "-n", "--keep-going"]
ALONE = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()", *ARGUMENTS]
# What takes long: Jupyter Book, extensions, and what these and the book's own import.
WANTED = (
    "jupyter_book.cli.main jupyter_book.sphinx linkify_it myst_nb.sphinx_ext pydata_sphinx_theme"
)
WANTED += " sphinx.builders.latex sphinx.domains.cpp sphinx.domains.python sphinx.ext.mathjax"
WANTED += " sphinx_book_theme sphinx_comments sphinx_copybutton sphinx_exercise sphinx_external_toc"
WANTED += " sphinx_multitoc_numbering sphinx_proof sphinxcontrib.bibtex sphinxext.opengraph"
WANTED += " fontTools.ttLib linlearn.estimators linlearn.explore linlearn.plot linlearn.practice math_core"


def build(folder: Path, alone: bool = sys.platform != "linux") -> tuple[int, str]:
    """How a build in this folder ended, and what it said."""
    if alone:
        done = subprocess.run(ALONE, cwd=folder, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr
    nursery = start()
    nursery.stdin.write(f"{folder}\n")
    nursery.stdin.flush()
    return int(nursery.stdout.readline()), (folder / "said.txt").read_text("utf8")


@cache
def start() -> subprocess.Popen:
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    process = subprocess.Popen([sys.executable, __file__], **pipes)
    atexit.register(process.stdin.close)
    return process


def serve() -> None:
    """In the process that is forked: for each folder that is read, a build, whose end is written."""
    for module in WANTED.split():
        import_module(module)
    while folder := sys.stdin.readline().strip():
        pid = os.fork()
        if not pid:
            become(folder)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


def become(folder: str) -> None:
    """What the command `ALONE` does in this folder, and nothing else; does not return."""
    os.chdir(folder)
    said = os.open("said.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(said, 1)
    os.dup2(said, 2)
    sys.path[0] = ""
    code = 1
    try:
        import_module("jupyter_book.cli.main").main(ARGUMENTS)
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    os._exit(code)


if __name__ == "__main__":
    serve()
