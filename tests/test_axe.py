"""Every built page under axe: whoever listens, uses the keyboard, or sees little contrast can read it."""
# ruff: noqa: F401, F811 - fixtures are imported, then asked for by their names

from importlib.resources import files

import pytest
from test_browser import NAMES, WIDTHS, address, browser, visitor, visitors

# The slowest family: `make test` runs one case in two hundred, `make axe` all.
pytestmark = pytest.mark.slow(one_in=200)
AXE = files("axe_playwright_python") / "axe.min.js"
# Of a rule that passes nothing is written down: it would be half of the work.
FAULTS = """async ([place, options]) =>
  (await axe.run(place ?? document, {preload: false, resultTypes: ["violations"], ...options})).violations
    .map((v) => [v.id, v.nodes.length, v.nodes[0].html.slice(0, 200), v.nodes[0].failureSummary])"""
# Contrast is judged for one element of each kind: the same colours on the same grounds, the same letters.
BY_KIND = """axe.configure({rules: [{id: "color-contrast", selector: "[data-kind]"}]})"""
KINDS = """() => {
  document.querySelectorAll("[data-kind]").forEach((e) => delete e.dataset.kind);
  const kinds = new Set(), grounds = new Map();
  const ground = (e) => {
    if (!e) return "";
    if (!grounds.has(e)) {
      const s = getComputedStyle(e);
      grounds.set(e, s.backgroundColor + s.opacity + ground(e.parentElement));
    }
    return grounds.get(e);
  };
  for (const e of document.querySelectorAll("body *")) {
    if (![...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim())) continue;
    if (!e.checkVisibility()) continue;
    const s = getComputedStyle(e), kind = [s.color, s.fontSize, s.fontWeight, ground(e)].join();
    if (!kinds.has(kind)) e.dataset.kind = "";
    kinds.add(kind);
  }
  return kinds.size;
}"""
ALL = {"rules": {"target-size": {"enabled": True}}}
# The other theme has the same elements at the same places.
COLOURS = {"runOnly": ["color-contrast"]}


def faults(visitor, **options) -> list:
    """What axe finds; before anything is judged it lays every element of the page out anew, so ask seldom."""
    assert visitor.tab.evaluate(KINDS) > 3
    return visitor.tab.evaluate(FAULTS, [None, options])


def bring_axe(visitor) -> None:
    visitor.tab.add_script_tag(path=str(AXE))
    visitor.tab.evaluate(BY_KIND)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", NAMES or ["index.html"])
def test_axe_finds_no_fault(name, width, visitors, address):
    """Nothing is excluded; colours are judged by day and by night, for each kind of text on the page."""
    visitor = visitors[width]
    visitor.tab.emulate_media(color_scheme="light", reduced_motion="reduce")
    visitor.visit(address + name)
    bring_axe(visitor)
    for theme, options in (("light", ALL), ("dark", COLOURS)):
        visitor.tab.emulate_media(color_scheme=theme)
        visitor.tab.wait_for_selector(f"html[data-theme={theme}]", state="attached", timeout=5000)
        assert faults(visitor, **options) == []


def test_axe_notices(visitor, tmp_path):
    """A page with faults of each sort is seen through: the checks above are not empty."""
    (tmp_path / "bad.html").write_text(
        """<html lang="en"><title>x</title><main><h1>x</h1>
        <details><summary></summary>x</details>
        <p style="color: #999; background: #aaa">grey <i style="color: #bbb">pale</i></p>
        <style>button { border: 0; height: 9px; padding: 0; width: 9px }</style>
        <div><button>a</button><button>b</button></div></main></html>"""
    )
    visitor.visit((tmp_path / "bad.html").as_uri())
    bring_axe(visitor)
    found = {rule: count for rule, count, *_ in faults(visitor, **ALL)}
    assert found.keys() >= {"summary-name", "target-size"} and found["color-contrast"] == 2
    [(rule, count, *_)] = faults(visitor, **COLOURS)
    assert (rule, count) == ("color-contrast", 2)
