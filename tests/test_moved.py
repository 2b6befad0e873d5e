"""An old address leads to where its statement stands now."""

from functools import cache

import pytest
from conftest import loud_skip
from guards import ROOT
from linlearn_moved import moved
from test_browser import HTML, browser  # noqa: F401 - a fixture

from tools.moved import follow, moves

ROWS = moved(ROOT)


@pytest.fixture(scope="module")
def page():
    if not (HTML / "index.html").exists():
        loud_skip("moved anchors (_build/html is missing)", "Run `make book` first.")
    return cache(lambda stem: (HTML / f"book/{stem}.html").read_text("utf8"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['page']}-{row['anchor']}")
def test_what_has_moved_is_found(row, page):
    """The old page has the anchor once, with a link to the page that defines it."""
    anchor = f'id="{row["anchor"]}"'
    old, new = page(row["page"]), page(row["to"])
    assert old.count(anchor) == new.count(anchor) == 1
    assert f'<p class="moved" {anchor}><a href="{row["to"]}.html#{row["anchor"]}">' in old
    assert 'class="moved"' not in new.partition(anchor)[0].rpartition("<")[2]


def test_something_has_moved():
    """The test above has rows to look at."""
    assert ROWS


def test_rows_follow_their_anchors():
    """A row names the page that its anchor is on now; an anchor that is nowhere is for a guard to find."""
    rows = [{"chapter": "01_a", "anchor": "thm-x"}, {"chapter": "01_a", "anchor": "gone"}]
    said = [row["chapter"] for row in follow(rows, "chapter", "anchor", {"thm-x": "01_depth"})]
    assert said == ["01_depth", "01_a"]


def test_old_addresses_are_entered():
    """What another page defines now; what has come back leaves the table, and what moves on is led on."""
    rows = [
        {"page": "01_a", "anchor": "thm-back", "to": "01_depth"},
        {"page": "01_a", "anchor": "equation-eq-on", "to": "01_depth"},
    ]
    now = {"thm-back": "01_a", "eq-on": "02_b", "thm-new": "01_depth", "thm-same": "01_a"}
    found = moves(rows, {"01_a": {"thm-new", "thm-same", "thm-gone", "eq-on"}}, now)
    assert [tuple(row.values()) for row in found] == [
        ("01_a", "equation-eq-on", "02_b"),
        ("01_a", "thm-new", "01_depth"),
    ]


@pytest.mark.parametrize("script", [True, False])
def test_a_reader_is_led_on(script, page, browser):  # noqa: F811
    """With a script at once; without it, by the only line of the kind that is shown."""
    row = ROWS[-1]
    tab = browser.new_context(java_script_enabled=script).new_page()
    tab.goto(f"file://{HTML}/book/{row['page']}.html#{row['anchor']}")
    if not script:
        assert [line.is_visible() for line in tab.locator(".moved").all()].count(True) == 1
        tab.locator(".moved:target a").click()
    tab.wait_for_url(f"**/{row['to']}.html#{row['anchor']}")
    tab.context.close()
