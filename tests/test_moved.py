"""An old address leads to where its statement stands now."""

import re

import pytest
from conftest import loud_skip
from guards import ROOT
from linlearn_moved import moved

HTML = ROOT / "_build" / "html"
ROWS = moved(ROOT)


@pytest.fixture(scope="module")
def page():
    if not (HTML / "index.html").exists():
        loud_skip("moved anchors (_build/html is missing)", "Run `make book` first.")
    return lambda stem: (HTML / f"book/{stem}.html").read_text("utf8")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['page']}-{row['anchor']}")
def test_what_has_moved_is_found(row, page):
    """The old page has the anchor once, with a link to the page that defines it."""
    anchor = f'id="{row["anchor"]}"'
    old, new = page(row["page"]), page(row["to"])
    assert len(re.findall(anchor, old)) == 1 and len(re.findall(anchor, new)) == 1
    assert f'<p class="moved" {anchor}><a href="{row["to"]}.html#{row["anchor"]}">' in old
    assert 'class="moved"' not in new.partition(anchor)[0].rpartition("<")[2]


def test_something_has_moved():
    """The test above has rows to look at."""
    assert ROWS


@pytest.mark.parametrize("script", [True, False])
def test_a_reader_is_led_on(script, page):
    """With a script at once; without it, by the only line of the kind that is shown."""
    sync_api = pytest.importorskip("playwright.sync_api")
    from test_browser import CHROMIUM

    row = ROWS[-1]
    with sync_api.sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        tab = browser.new_context(java_script_enabled=script).new_page()
        tab.goto(f"file://{HTML}/book/{row['page']}.html#{row['anchor']}")
        if not script:
            assert [line.is_visible() for line in tab.locator(".moved").all()].count(True) == 1
            tab.locator(".moved:target a").click()
        tab.wait_for_url(f"**/{row['to']}.html#{row['anchor']}")
        browser.close()
