"""Bars of progress: drawn where somebody looks, silent elsewhere, and nothing else is changed by them."""

import io
import sys

import numpy as np
import pytest

import linlearn as ll
from linlearn import _progress_bar, estimators
from linlearn._progress_bar import with_progress

X, Y = ll.data.drawn()
X_OVERLAP, Y_OVERLAP = ll.data.drawn(overlap=True)
FITS = {
    "perceptron": (dict(max_updates=300), "updates"),
    "lms": (dict(max_epochs=20), "epochs"),
    "gradient_descent": (dict(loss="logistic", max_epochs=20), "epochs"),
    "ho_kashyap": (dict(max_updates=50), "updates"),
    "zero_one": (dict(max_work=1e7), "operations"),
}


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("name", FITS)
def test_a_bar_is_drawn_on_request_and_changes_nothing(name, capsys):
    pytest.importorskip("tqdm")
    options, unit = FITS[name]
    function = getattr(ll, name)
    silent = function(X_OVERLAP, Y_OVERLAP, **options)
    assert capsys.readouterr().err == ""
    fit = function(X_OVERLAP, Y_OVERLAP, **options, progress=True)
    assert f" {unit}/s" in capsys.readouterr().err
    assert repr(fit) == repr(silent) and np.array_equal(fit.trace["a"], silent.trace["a"])


def test_stochastic_epochs_are_counted(capsys):
    pytest.importorskip("tqdm")
    ll.lms(X, Y, max_epochs=7, progress=True)
    ll.gradient_descent(X, Y, loss="hinge", stochastic=True, max_epochs=7, progress=True)
    assert capsys.readouterr().err.count("0/7") >= 2


def test_without_a_terminal_the_steps_are_left_alone(monkeypatch):
    """Not even a generator is put around them, so that a loop is as fast as without."""
    steps = iter(range(3))
    assert with_progress(steps, total=3, unit="x", progress=None) is steps
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert with_progress(steps, total=3, unit="x", progress=False) is steps
    monkeypatch.setattr(sys, "stderr", None)  # as under pythonw
    assert with_progress(steps, total=3, unit="x", progress=None) is steps


def test_in_a_terminal_it_appears_by_itself_when_it_takes_long(monkeypatch):
    pytest.importorskip("tqdm")
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    ll.perceptron(X, Y)
    assert screen.getvalue() == ""  # done before anybody looks
    monkeypatch.setattr(_progress_bar, "PATIENCE", 0.0)
    ll.perceptron(X, Y)
    assert "updates" in screen.getvalue()
    before = screen.getvalue()
    estimators.Perceptron().fit(X, Y)
    assert screen.getvalue() == before


def test_a_bar_moves_by_what_is_done():
    pytest.importorskip("tqdm")
    steps = with_progress([10, 60, 100], total=100, unit="x", progress=True, done=lambda step: step)
    seen = [steps.gi_frame.f_locals["bar"].n for _ in steps]
    assert seen == [10, 60, 100]


def test_what_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    with pytest.raises(
        ModuleNotFoundError, match=r"`progress=True` needs tqdm, .* pip install tqdm"
    ):
        ll.perceptron(X, Y, progress=True)
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert ll.perceptron(X, Y).certificate.separable  # nobody asked for it
    with pytest.raises(ValueError, match="`progress` must be True, False or None; got 'yes'"):
        ll.zero_one(X, Y, progress="yes")
