"""In a notebook an answer is drawn: the interval as a bar, with the same in words for who does not see it."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

import linlearn as ll

X, Y = ll.data.drawn()
FITS = {
    "perceptron": ll.perceptron(X, Y),
    "separate": ll.separate(X, Y),
    "svm": ll.svm(X, Y, C=3.0),
    "stopped": ll.zero_one(*ll.data.drawn(overlap=True), max_work=1),
    "inseparable": ll.separate(*ll.data.xor()),
}


def bar(html):
    """The drawing: left end and width of the interval, in pixels."""
    _, _, interval = ElementTree.fromstring(
        re.search("<svg.*</svg>", html)[0].replace("&#x27;", "'")
    )
    return float(interval.get("x")), float(interval.get("width"))


@pytest.mark.parametrize("name", FITS)
def test_what_is_seen_is_said(name):
    """Well-formed, the ends and the plane in words, an accessible name, no colour of its own."""
    fit = FITS[name]
    html = fit._repr_html_()
    root = ElementTree.fromstring(html)
    said = "".join(root.itertext())
    low, high = f"{fit.certificate.lower:.6g}", f"{fit.certificate.upper:.6g}"
    assert f"{low} ≤ {fit.certificate.named} ≤ {high}" in said and repr(fit.plane)[11:-1] in said
    drawing = root.find(".//svg")
    assert drawing.get("role") == "img" and low in drawing.get("aria-label")
    assert "#" not in html and set(re.findall(r'fill="(.*?)"', html)) == {"currentColor"}
    assert ("not converged" in said) is not fit.converged
    assert fit.certificate._repr_html_() in html


def test_what_was_proved_is_said():
    assert "proved: the samples are separable" in FITS["perceptron"]._repr_html_()
    assert "proved: the samples are inseparable" in FITS["inseparable"]._repr_html_()
    svm = FITS["svm"].certificate
    half = replace(svm, lower=svm.upper - 0.03 * svm.scale)
    assert "relative gap 3e-02" in half._repr_html_()


def test_the_bar_is_as_wide_as_the_gap():
    """Half of the track for an interval from 0 to half of the other's, a line where it is closed."""
    one = ll.Certificate("soft margin", 0.0, 1.0, np.zeros(1), np.zeros(1))
    half = ll.Certificate("soft margin", 0.5, 1.0, np.zeros(1), np.zeros(1))
    closed = ll.Certificate("soft margin", 1.0, 1.0, np.zeros(1), np.zeros(1))
    (left, whole), (middle, part), (end, line) = map(
        bar, (c._repr_html_() for c in (one, half, closed))
    )
    assert part == pytest.approx(whole / 2, abs=0.2) and middle == pytest.approx(
        left + whole / 2, abs=0.2
    )
    assert line == 2 and end == pytest.approx(left + whole, abs=0.2)


@pytest.mark.parametrize(
    "ends", [(0.0, np.inf), (np.inf, np.inf), (0.0, 0.0), (-1e-300, 1e300), (-np.inf, 1.0)]
)
def test_every_interval_stays_inside_the_drawing(ends):
    left, width = bar(ll.Certificate("margin", *ends, np.zeros(1), np.zeros(1))._repr_html_())
    assert left >= 20 and 2 <= width and left + width <= 302.1


def test_where_the_lower_end_is_missing_all_below_the_upper_one_is_drawn():
    left, width = bar(
        ll.Certificate("margin", -np.inf, 1.0, np.zeros(1), np.zeros(1))._repr_html_()
    )
    above = bar(ll.Certificate("margin", 0.0, 1.0, np.zeros(1), np.zeros(1))._repr_html_())
    assert (left, width) == above
