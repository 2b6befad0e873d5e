"""JupyterLab: a figure that moves keeps its keys for itself, in a notebook as a student has it."""

import os
import socket
import subprocess
import sys
import time
from types import SimpleNamespace
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from conftest import loud_skip
from guards import ROOT

from tools.chromium import CHROMIUM, launched
from tools.editions.plain import Book, plain, text
from tools.lab import LAB

NUMBERS = ROOT / "_build" / "numbers.json"
PAGE, NAME = "book/03_perceptron", "03_perceptron.ipynb"
OWN = ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR", "LAB_SETTINGS_DIR", "LAB_WORKSPACES_DIR")
# What a notebook in command mode does at these keys: select, fold or add a cell, cut one.
KEYS = ("ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft", "a", "j", "x")
PLACE = """() => [
  document.querySelector(".jp-Cell.jp-mod-active").dataset.windowedListIndex,
  document.querySelectorAll(".jp-Notebook .jp-Cell").length,
  document.querySelectorAll(".jp-MarkdownHeadingCollapsed").length,
  document.activeElement.closest(".explorable") !== null,
]"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A server with two variants of a notebook, of which it trusts one; settings are its own."""
    for needed in ("jupyterlab", "anywidget"):
        pytest.importorskip(needed, reason="JupyterLab: run `make venv-lab` to open a notebook")
    if not CHROMIUM or not NUMBERS.exists():
        loud_skip("a notebook in JupyterLab", "Install Chromium, and run `make book` first.")
    folder, home = tmp_path_factory.mktemp("notebooks"), tmp_path_factory.mktemp("home")
    env = os.environ | {
        f"JUPYTER{'_' * ('LAB' not in name)}{name}": str(home / name) for name in OWN
    }
    for variant in ("student", "reader"):  # a signature is of the contents, so these must differ
        (folder / variant).mkdir()
        written = text(plain(Book.built(ROOT, NUMBERS), PAGE, variant))
        (folder / variant / NAME).write_text(written, "utf8")
    trust = [sys.executable, "-m", "jupyter", "trust", str(folder / "student" / NAME)]
    subprocess.run(trust, env=env, check=True, capture_output=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "jupyterlab", str(folder), *LAB, "--no-browser"]
    command += ["--allow-root", f"--port={port}", "--ServerApp.port_retries=0"]
    with (home / "log").open("w") as log:
        server = subprocess.Popen(
            [*command, "--IdentityProvider.token=here"], env=env, stdout=log, stderr=log
        )
    address = f"http://127.0.0.1:{port}"
    try:
        answers(f"{address}/api/status?token=here", server, home / "log")
        yield address
    finally:
        server.terminate()  # it ends its kernels
        server.wait(timeout=30)


def answers(url, server, log):
    """Wait until the server does; say what it said if it ends."""
    until = time.monotonic() + 60
    while time.monotonic() < until and server.poll() is None:
        try:
            with urlopen(url, timeout=5):
                return
        except URLError:
            time.sleep(0.2)
    pytest.fail(f"JupyterLab does not answer:\n{log.read_text('utf8')}")


@pytest.fixture(params=["student", "reader"], ids=["trusted", "untrusted"])
def opened(request, lab):
    """The notebook in Lab after all its cells have run, and the figure in it."""
    with launched() as browser:
        tab = browser.new_page(viewport={"width": 1280, "height": 900})
        tab.goto(f"{lab}/lab/tree/{request.param}/{NAME}?token=here&reset")
        idle = tab.get_by_text("Python 3 (ipykernel) | Idle")
        idle.wait_for(timeout=60_000)
        trust = tab.locator(".jp-StatusItem-trust").get_attribute("title")
        assert trust.startswith("Notebook trusted") == (request.param == "student"), trust
        tab.get_by_role("menuitem", name="Run", exact=True).click()
        tab.get_by_text("Run All Cells", exact=True).click()
        tab.wait_for_selector(".explorable", timeout=60_000)
        idle.wait_for(timeout=60_000)
        yield SimpleNamespace(tab=tab, figure=tab.locator(".explorable"))


@pytest.mark.slow(one_in=2)
def test_keys_move_the_figure_and_not_the_notebook(opened):
    """With the focus on whatever takes it: no key selects, folds, adds or cuts a cell; arrows move it."""
    tab, figure = opened.tab, opened.figure
    figure.locator("summary").click()
    figure.locator("input[type=number]").first.wait_for()
    for kind in (".handle", "button", "input[type=range]", "summary", "input[type=number]"):
        figure.locator(kind).first.focus()
        before = tab.evaluate(PLACE)
        assert before[-1], f"{kind} does not take the focus"
        for key in KEYS:
            tab.keyboard.press(key)
            tab.wait_for_timeout(50)
            assert tab.evaluate(PLACE) == before, f"{key} at {kind}"
    sample, slider = figure.locator(".handle").first, figure.locator("input[type=range]").first
    for place, key, read in (
        (sample, "ArrowRight", lambda: sample.get_attribute("aria-valuetext")),
        (slider, "ArrowLeft", slider.input_value),
    ):
        was, said = read(), figure.locator(".says").inner_text()
        place.focus()
        tab.keyboard.press(key)
        tab.wait_for_timeout(200)
        assert read() != was and figure.locator(".says").inner_text() != said, key
