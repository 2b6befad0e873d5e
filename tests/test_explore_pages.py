"""Every explorable is operated by mouse, touch and keyboard, and left alone by paper and without a script."""

import re
from math import dist

import pytest
from playwright.sync_api import Locator, Page, expect
from test_axe import AXE, FAULTS
from test_browser import HTML, Visitor, address, browser  # noqa: F401 - the last two are fixtures

pytestmark = pytest.mark.slow(one_in=12, together=True)  # `make browser` runs all
PLACES = {
    "capped": ("book/08_duality", "fig-lp-capped"),
    "certificate": ("index", "fig-front"),
    "perceptron": ("book/03_perceptron", "fig-run-weights"),
    "far": ("book/05_regression", "fig-rg-outlier"),
    "newton": ("book/06_logistic", "fig-lg-basin"),
    "fisher": ("book/04_fisher", "fig-fi-line"),
    "regularisation": ("book/06_overfitting", "fig-ov-strength"),
    "hulls": ("book/09_svm", "fig-sv-hulls"),
    "soft": ("book/09_soft", "fig-sv-open"),
    "losses": ("book/07_losses", "fig-lo-first"),
    "methods": ("book/10_comparison", "fig-co-one"),
    "graph": ("book/02_hardness", "fig-hd-graph"),
    "turn": ("book/01_hyperplanes", "fig-hp-score"),
    "softmax": ("book/11_multiclass", "fig-mc-penguins"),
}
SAMPLED = [name for name in PLACES if name not in ("graph", "softmax")]  # samples move
DESK = {"viewport": {"width": 1280, "height": 1000}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


class Explored:
    """An explorable of a built page, and the tab that it is in."""

    def __init__(self, tab: Page, figure: str):
        self.tab, self.figure = tab, tab.locator(f"#{figure}")
        self.root = self.figure.locator(".explorable")

    def says(self) -> str:
        self.tab.wait_for_timeout(50)  # the next frame has been drawn
        return self.root.locator(".says").inner_text()

    def slider(self, name: str) -> Locator:
        return self.root.get_by_role("slider", name=name, exact=True)

    def box(self, name: str) -> Locator:
        return self.root.get_by_role("checkbox", name=name, exact=True)

    def press(self, name: str) -> None:
        self.root.get_by_role("button", name=name).click()

    def keys(self, *keys: str) -> str:
        for key in keys:
            self.tab.keyboard.press(key)
        return self.says()

    def swipe(self, x: float, y: float, dx: float, dy: float) -> None:
        """A finger from (x, y), as the browser sees it: `tap` does not drag."""
        finger = self.tab.context.new_cdp_session(self.tab)
        for t in range(9):
            points = [{"x": x + dx * t / 8, "y": y + dy * t / 8}]
            kind = "touchMove" if t else "touchStart"
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
            self.tab.wait_for_timeout(20)
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        self.tab.wait_for_timeout(200)


def centre(handle: Locator) -> tuple[float, float]:
    box = handle.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.fixture
def visit(browser, address):  # noqa: F811
    """Open an explorable's page; at the end nothing may have failed or left the book."""
    opened = []

    def go(name: str, query: str = "", *, script: bool = True, **options) -> Explored:
        page, figure = PLACES[name]
        options["java_script_enabled"] = script
        context = browser.new_context(**DESK | options)
        visitor = Visitor(context.new_page())
        visitor.visit(f"{address}{page}.html{query}")
        found = Explored(visitor.tab, figure)
        if script:
            found.root.scroll_into_view_if_needed()
            found.tab.wait_for_timeout(300)
        else:
            visitor.complaints.clear()  # of the scripts that it may not load
        opened.append((context, visitor))
        return found

    yield go
    for context, visitor in opened:
        assert not visitor.complaints and not visitor.outside(address)
        context.close()


# Three ways -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SAMPLED)
def test_by_mouse(name, visit):
    """A sample follows the pointer to the grid's nearest point, the words follow, and Reset undoes it."""
    shown = visit(name)
    before, handle = shown.says(), shown.slider("Sample 1")
    shown.tab.evaluate("y => scrollBy({top: y - 400, behavior: 'instant'})", centre(handle)[1])
    shown.tab.wait_for_timeout(300)
    value, (x, y) = handle.get_attribute("aria-valuetext"), centre(handle)
    shown.tab.mouse.move(x, y)
    shown.tab.mouse.down()
    shown.tab.mouse.move(x + 40, y + 60, steps=5)
    shown.tab.mouse.up()
    expect(handle).not_to_have_attribute("aria-valuetext", value)
    assert dist(centre(handle), (x + 40, y + 60)) < 8
    shown.press("Reset")
    expect(shown.root.locator(".says")).to_have_text(before)
    expect(handle).to_have_attribute("aria-valuetext", value)


@pytest.mark.parametrize("name", SAMPLED)
def test_by_touch(name, visit):
    """A finger moves a sample and not the page, beside it the page and no sample; targets are large."""
    shown = visit(name, **PHONE)
    handle = shown.slider("Sample 2")
    handle.scroll_into_view_if_needed()
    shown.tab.evaluate("y => scrollBy({top: y - 400, behavior: 'instant'})", centre(handle)[1])
    shown.tab.wait_for_timeout(300)
    value, scrolled = handle.get_attribute("aria-valuetext"), shown.tab.evaluate("scrollY")
    shown.swipe(*centre(handle), 30, -60)
    expect(handle).not_to_have_attribute("aria-valuetext", value)
    assert shown.tab.evaluate("scrollY") == scrolled
    value = handle.get_attribute("aria-valuetext")
    shown.swipe(*centre(shown.root.locator(".says")), 0, -200)
    assert shown.tab.evaluate("scrollY") > scrolled + 100
    expect(handle).to_have_attribute("aria-valuetext", value)
    for target in shown.root.locator("[role=slider], button, label, summary, a").all():
        box = target.bounding_box()
        assert min(box["width"], box["height"]) >= 24, target


@pytest.mark.parametrize("name", SAMPLED)
def test_by_keyboard(name, visit):
    """Arrows move the sample in focus, which is seen; the samples are one stop of the Tab key."""
    shown = visit(name)
    here, first = shown.tab.url, shown.slider("Sample 1")
    shown.root.locator("[tabindex='0']").first.focus()
    expect(first).to_be_focused()
    x = float(first.get_attribute("aria-valuenow"))
    words = shown.keys("ArrowRight", "Shift+ArrowRight", "ArrowUp")
    expect(first).to_have_attribute("aria-valuenow", f"{x + 9 / 8:g}")
    ring = first.locator(".ring").evaluate("ring => getComputedStyle(ring).stroke")
    assert ring not in ("none", "transparent")
    shown.keys("PageDown")
    expect(shown.slider("Sample 2")).to_be_focused()
    label = re.compile(r"label −1").search(shown.slider("Sample 2").get_attribute("aria-valuetext"))
    assert shown.keys("Space") != words
    turned = "label \\+1" if label else "label −1"
    expect(shown.slider("Sample 2")).to_have_attribute("aria-valuetext", re.compile(turned))
    shown.keys("Tab")
    assert not shown.root.locator(".roving:focus").count()
    shown.keys("Shift+Tab")
    expect(shown.slider("Sample 2")).to_be_focused()
    assert shown.tab.url == here  # arrows and Page Down turned no page
    shown.tab.wait_for_timeout(400)
    assert shown.root.locator("[role=status]").inner_text() == shown.says()


# What each has of its own ---------------------------------------------------------------------


def test_perceptron_walks(visit):
    """Step by step through the run, to its ends and no farther; a change makes a new run."""
    shown = visit("perceptron")
    assert "k = 5 of 5" in shown.says() and "none is wrong" in shown.says()
    shown.root.get_by_role("button", name="Previous").focus()
    for k in (4, 3, 2, 1, 0, 0):
        assert f"k = {k} of 5" in shown.keys("Enter")
    assert "the start, wrong or on the line: 1, 2, 3, 4, 5, 6" in shown.says()
    expect(shown.root.get_by_role("button", name="Previous")).to_be_focused()
    expect(shown.root.get_by_role("button", name="Previous")).to_have_attribute(
        "aria-disabled", "true"
    )
    shown.slider("Updates").focus()
    assert "k = 1 of 5: sample 1 was added" in shown.keys("ArrowRight")
    assert "k = 5 of 5" in shown.keys("End")
    shown.slider("Sample 4").focus()
    assert "No line separates these samples" in shown.keys("Space")


def test_a_line_turns(visit):
    """The line's handles, the threshold on the strip and the button change the words; the labels follow."""
    shown = visit("turn")
    first = shown.says()
    assert "No sample is misclassified" in first and "is above 2.01" in first
    shown.slider("Threshold").focus()
    moved = shown.keys(*3 * ["Shift+ArrowRight"])
    assert "is above 5.01" in moved and "samples of 24 are misclassified" in moved
    shown.press("Reset")
    shown.press("Turn the arrow round")
    assert (
        "24 samples of 24 are misclassified" in shown.says()
        and "(−0.45, −0.89) is above −2.01" in shown.says()
    )
    shown.press("Reset")
    shown.slider("Turn the line").focus()
    assert "(0.45, 0.89)" in first and "(0.45, 0.89)" not in shown.keys("ArrowRight")
    shown.slider("Shift the line").focus()
    assert "is above 2.01" not in shown.keys("Shift+ArrowUp")


def test_certificate_closes(visit):
    """The line and the points move; each bound follows its own witness; a button closes the gap."""
    shown = visit("certificate")
    first = gap(shown.says())
    shown.slider("Shift the line").focus()
    assert gap(shown.keys("ArrowRight", "ArrowRight")) > first
    shown.slider("Turn the line").focus()
    turned = gap(shown.keys("ArrowRight"))
    shown.slider("p, a point of the positive hull").focus()
    assert gap(shown.keys("ArrowLeft", "ArrowLeft", "ArrowLeft")) < turned
    shown.press("Show the answer")
    assert "No line does better" in shown.says()


def test_hulls_close(visit):
    """p and q leave the nearest pair and come back; weight goes where the slider puts it."""
    shown = visit("hulls")
    assert "No line does better" in shown.says()
    shown.slider("p, a point of the positive hull").focus()
    gaps = [gap(shown.keys("ArrowRight", "ArrowUp", "ArrowUp"))]
    for _ in range(3):
        shown.press("Step closer")
        gaps.append(gap(shown.says()))
    assert gaps[0] > gaps[1] > gaps[-1]
    shown.slider("Sample 1").focus()
    share = shown.slider("Weight")
    share.focus()
    expect(share).to_be_focused()
    shown.keys("End")
    expect(share).to_have_attribute("aria-valuetext", "of sample 1: 1.000")
    assert gap(shown.says()) > gaps[0]
    shown.press("Nearest points")
    assert "No line does better" in shown.says()


def test_capped_hulls_shrink_until_they_touch(visit):
    """The slider lowers the cap, which raises the bound; the button closes it, a moved sample opens it."""
    shown = visit("capped")
    assert "every line has a total slack of at least 8." in shown.says()
    shown.slider("Cap on a weight").focus()
    assert "hulls are apart" in shown.keys("End")
    assert "at least 2." in shown.keys("Home")
    shown.press("Until they touch")
    assert "The bounds meet" in shown.says() and "total slack 9.2059" in shown.says()
    shown.slider("Sample 1").focus()
    assert "The bounds meet" not in shown.keys(*4 * ["Shift+ArrowLeft"])


def test_a_direction_turns(visit):
    """Handle, slider and buttons turn the line; the dual variables lower the upper bound until both meet."""
    shown = visit("fisher")
    first = shown.says()
    assert "1.48 standard deviations apart: J = 0.0778" in first and "6 samples" in first
    shown.slider("Turn the direction").focus()
    assert ratio(shown.keys("ArrowRight", "ArrowRight")) > ratio(first)  # towards Fisher's
    shown.slider("Direction").focus()
    assert "wrong orientation" in shown.keys("Home")
    shown.press("Line of the means")
    assert shown.says() == first
    shown.press("Fisher’s direction")
    best = shown.says()
    assert "2 samples on the wrong side" in best and "no direction has more than" in best
    alpha = shown.slider("Dual variables")
    expect(alpha).to_have_attribute("aria-valuetext", "of two samples")
    alpha.focus()
    assert "The bounds meet at 0.3826" in shown.keys("End")
    bars = shown.root.locator(".panel").nth(1).locator(".hull")
    before = [bar.get_attribute("d") for bar in bars.all()]
    shown.press("Line of the means")
    shown.says()
    assert before != [bar.get_attribute("d") for bar in bars.all()]
    for sample in (1, 3):
        shown.slider(f"Sample {sample}").focus()
        shown.keys("Space")
    assert ratio(shown.says()) < ratio(first)  # with two false labels


def test_a_graph_is_drawn_by_mouse(visit):
    """A click draws an edge and deletes it, and changes a weight; table and words follow; Reset undoes it."""
    shown = visit("graph")
    first, rows = shown.says(), shown.root.locator(".results tbody tr")
    assert "makes 4 mistakes (vertices 1 and 3; edges 2–5 and 4–5)" in first
    assert "fewest of any plane: 3." in first and rows.count() == 11
    shown.tab.mouse.click(*centre(shown.box("Edge between 1 and 3")))
    expect(shown.box("Edge between 1 and 3")).to_have_attribute("aria-checked", "true")
    expect(rows).to_have_count(12)
    assert rows.nth(6).inner_text().split() == ["edge", "1–3", *"10100", "+1", "10"]
    shown.tab.mouse.click(*centre(shown.box("Edge between 1 and 3")))
    expect(rows).to_have_count(11)
    shown.tab.mouse.click(*centre(shown.box("Weight 5 for vertex 5")))
    assert "makes 3 mistakes (vertices 1, 3 and 5). No plane makes fewer." in shown.says()
    shown.press("Reset")
    expect(shown.root.locator(".says")).to_have_text(first)
    shown.press("Smallest cover")
    assert "makes 3 mistakes" in shown.says() and "No plane makes fewer." in shown.says()
    shown.press("No edges")
    assert "The smallest vertex cover has 0 vertices" in shown.says()


AT_REST = """() => new Promise((answer) => {
  const before = scrollY;
  setTimeout(() => answer(scrollY === before), 200);
})"""


def test_a_graph_is_drawn_by_touch(visit):
    """A tap clicks; a finger that moves scrolls the page, from a vertex, too; targets are large."""
    shown = visit("graph", **PHONE)
    vertex, first = shown.box("Weight 5 for vertex 2"), shown.says()
    shown.tab.evaluate("y => scrollBy({top: y - 400, behavior: 'instant'})", centre(vertex)[1])
    shown.tab.wait_for_timeout(300)
    scrolled = shown.tab.evaluate("scrollY")
    shown.swipe(*centre(vertex), 0, -150)
    assert shown.tab.evaluate("scrollY") > scrolled + 50 and shown.says() == first
    shown.tab.wait_for_function(AT_REST)  # or the tap would come where the vertex has been
    shown.tab.touchscreen.tap(*centre(vertex))
    expect(vertex).to_have_attribute("aria-checked", "true")
    assert "vertices 1, 2 and 3" in shown.says()
    boxes = [b.bounding_box() for b in shown.root.locator("[role=checkbox], button, a").all()]
    assert all(min(box["width"], box["height"]) >= 24 for box in boxes)


def test_a_graph_is_drawn_by_keyboard(visit):
    """One stop of the Tab key; arrows lead round all vertices and edges, Space and Enter click."""
    shown = visit("graph")
    here, last = shown.tab.url, shown.box("Edge between 4 and 5")
    shown.root.locator("[tabindex='0']").first.focus()
    expect(shown.box("Weight 5 for vertex 1")).to_be_focused()
    assert "makes 4 mistakes (vertex" not in shown.keys("Space")
    expect(shown.box("Weight 5 for vertex 1")).to_have_attribute("aria-checked", "false")
    shown.keys("ArrowLeft")
    expect(last).to_be_focused()
    ring = last.locator(".ring").evaluate("ring => getComputedStyle(ring).stroke")
    assert ring not in ("none", "transparent")
    before = shown.says()
    assert shown.keys("Enter") != before
    expect(last).to_have_attribute("aria-checked", "false")
    shown.keys("ArrowDown", "ArrowRight", "PageDown", "PageUp")
    expect(shown.box("Weight 5 for vertex 2")).to_be_focused()
    shown.keys("Tab")
    assert not shown.root.locator(".roving:focus").count()
    shown.keys("Shift+Tab")
    expect(shown.box("Weight 5 for vertex 2")).to_be_focused()
    assert shown.tab.url == here
    shown.tab.wait_for_timeout(400)
    assert shown.root.locator("[role=status]").inner_text() == shown.says()


def test_a_link_brings_a_graph_back(visit):
    """As drawn and as weighted; mangled it changes nothing."""
    shown = visit("graph")
    first = shown.says()
    shown.box("Weight 5 for vertex 4").focus()
    shown.keys("Space", "ArrowRight", "ArrowRight", "Space")
    says, link = shown.says(), shown.root.get_by_role("link", name="Link").get_attribute("href")
    assert says != first and "chosen=" in link and "edges=" in link
    assert visit("graph", link).says() == says
    assert visit("graph", link.replace("edges=", "edges=2%3B")).says() == first


def ratio(says: str) -> float:
    return float(re.search(r"J = ([\d.]+\d)", says)[1])


def gap(says: str) -> float:
    return 0.0 if "No line does better" in says else float(re.search(r"gap is ([\d.]+\d)", says)[1])


def test_a_large_C_hardens(visit):
    """A small C lets samples into the strip; at the largest none falls short, and the proof is closed."""
    shown = visit("soft")
    assert "7 samples violate the margin" in shown.says()
    shown.slider("Penalty parameter C").focus()
    low = shown.keys("Home")
    assert low.startswith("C = 0.001.") and "24 samples violate the margin" in low
    hard = shown.keys("End")
    assert hard.startswith("C = 100.") and "No sample violates the margin" in hard
    assert "reaches 0.73" in hard and "0.9428" in hard


def test_a_far_sample_comes_back(visit):
    """Far away it costs mistakes of others; brought back towards its class it costs none."""
    shown = visit("far")
    assert "Least squares makes 2 mistakes. The perceptron's line makes none." in shown.says()
    assert "Sample 25 has the largest loss" in shown.says()
    shown.slider("Sample 25").focus()
    near = shown.keys(*["Shift+ArrowLeft"] * 8, *["Shift+ArrowDown"] * 4)
    assert "Least squares makes 0 mistakes" in near and "Sample 25 has the largest loss" not in near


def test_one_loss_after_another(visit):
    """Each has its line but the perceptron's; farther out, the far sample turns the hinge's line, too."""
    shown = visit("losses")
    assert "Loss: hinge. Its best line makes 1 mistake" in shown.says()
    slider = shown.slider("Loss")
    slider.focus()
    expect(slider).to_have_attribute("aria-valuetext", "hinge")
    none = shown.keys("ArrowLeft")
    assert "Loss: perceptron. Its least mean is 0.00" in none and "13 mistakes" in none
    assert "Loss: zero-one. Its best line makes 1 mistake" in shown.keys("Home")
    assert "Loss: squared. Its best line makes 2 mistakes" in shown.keys("End")
    shown.keys("Home", "ArrowRight", "ArrowRight")
    shown.slider("Sample 7").focus()
    far = shown.keys("Shift+ArrowUp", *["Shift+ArrowLeft"] * 2)
    assert "Its best line makes 2 mistakes; the fewest that a line makes is 1" in far


def test_methods_come_and_go(visit):
    """Rows show lines and hide them; samples come and go; C turns two of the lines."""
    shown = visit("methods")
    lines = shown.root.locator(".panel .learned")
    assert lines.count() == 7 and "No largest margin" in shown.says()
    shown.root.get_by_label("perceptron").uncheck()
    assert "perceptron" not in shown.says() and lines.count() == 6
    before = [line.get_attribute("d") for line in lines.all()]
    shown.slider("Penalty parameter C").focus()
    shown.keys("ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft")
    after = [line.get_attribute("d") for line in lines.all()]
    assert [a != b for a, b in zip(after, before, strict=True)] == [False] * 3 + [True] * 2 + [
        False
    ]
    shown.press("Add a disc")
    assert "29 samples" in shown.says()
    shown.slider("Sample 29").focus()
    assert "28 samples" in shown.keys("Delete")
    expect(shown.slider("Sample 28")).to_be_focused()
    for sample in (25, 25, 25, 25):  # the four intruders
        shown.slider(f"Sample {sample}").focus()
        shown.keys("Delete")
    assert "24 samples. No line makes fewer than 0 mistakes" in shown.says()
    assert lines.count() == 7 and "No largest margin" not in shown.says()


def test_newton_is_held_back(visit):
    """Undamped it leaves, damped it arrives; from a nearer start both arrive."""
    shown = visit("newton")
    assert "Undamped, step 4 of 4" in shown.says() and "leaves for ever" in shown.says()
    damped = shown.root.get_by_role("button", name="Damped")
    damped.click()
    expect(damped).to_have_attribute("aria-pressed", "true")
    assert "Damped, step 5 of 5" in shown.says()
    assert "arrives where the loss is least" in shown.says()
    shown.root.get_by_role("button", name="Previous").focus()
    assert "step 1 of 5, 0.5 of the step" in shown.keys("Enter", "Enter", "Enter", "Enter")
    damped.click()
    shown.slider("Start").focus()
    assert "arrives where the loss is least" in shown.keys("Shift+ArrowLeft")
    assert "leaves for ever" in shown.keys("Shift+ArrowRight")
    shown.slider("Sample 5").focus()
    shown.keys("Space", "PageDown")
    assert "nothing to arrive at" not in shown.says()


def test_a_penalty_and_a_degree_can_be_chosen(visit):
    """λ and the degree move the fit, the weights and both errors; the samples move all of it."""
    shown = visit("regularisation")
    weak = shown.says()
    assert "Degree 4, λ = 0.001: 14 weights" in weak and "of the 100 test samples" in weak
    shown.slider("λ").focus()
    strong = shown.keys("End")
    assert "λ = 10:" in strong
    length = lambda says: float(re.search(r"of length (\d+(?:\.\d+)?)", says)[1])  # noqa: E731
    assert length(strong) < length(weak) / 10
    shown.slider("Degree").focus()
    assert "Degree 1, λ = 10: 2 weights" in shown.keys("Home")
    before = shown.says()
    shown.slider("Sample 1").focus()
    shown.keys("Space")
    assert shown.says() != before


def dot(shown: Explored) -> tuple[float, float]:
    """Where the three probabilities are in the triangle."""
    return centre(shown.root.locator("circle.point"))


def test_a_factor_moves_probabilities_and_no_boundary(visit):
    """The slider leaves regions and prediction, and moves the curves and the point of the triangle."""
    shown = visit("softmax")
    plane, triangle = shown.root.locator(".panel").all()
    drawn = lambda look: [p.get_attribute("d") for p in plane.locator(look).all()]  # noqa: E731
    first, regions, curves = shown.says(), drawn(".plane"), drawn(".edge")
    assert "Chinstrap 0.544" in first and "Predicted: Chinstrap" in first
    assert len(regions) == len(curves) == triangle.locator(".edge").count() == 3
    start, top = dot(shown), centre(triangle.get_by_text("Chinstrap"))
    shown.slider("Factor of the scores").focus()
    sharp = shown.keys("End")
    assert "Scores × 8:" in sharp and "Chinstrap 0.997" in sharp and "Predicted: Chinstrap" in sharp
    assert drawn(".plane") == regions and drawn(".edge") != curves
    assert dist(dot(shown), top) < dist(start, top) / 2
    assert "Scores × 0.125:" in shown.keys("Home") and dist(dot(shown), top) > dist(start, top)
    shown.press("Reset")
    assert shown.says() == first


def test_a_point_moves_in_the_plane_and_in_the_triangle(visit):
    """By mouse and by keys; the words and the triangle follow; a link brings it back, mangled it does not."""
    shown = visit("softmax")
    first, point, start = shown.says(), shown.slider("Point"), dot(shown)
    x, y = centre(point)
    shown.tab.mouse.move(x, y)
    shown.tab.mouse.down()
    shown.tab.mouse.move(x - 60, y - 20, steps=5)
    shown.tab.mouse.up()
    assert "Predicted: Adelie" in shown.says()
    assert dist(centre(point), (x - 60, y - 20)) < 8
    corner = centre(shown.root.locator(".panel").nth(1).get_by_text("Adelie"))
    assert dist(dot(shown), corner) < dist(start, corner) / 2
    shown.press("Reset")
    expect(shown.root.locator(".says")).to_have_text(first)
    point.focus()
    says = shown.keys(*["Shift+ArrowRight"] * 2, *["Shift+ArrowDown"] * 2, "ArrowLeft")
    assert "Point (45.875, 15)" in says and "Predicted: Gentoo" in says
    expect(point).to_have_attribute("aria-valuetext", re.compile("^45.875, 15; Gentoo"))
    shown.tab.wait_for_timeout(400)
    assert shown.root.locator("[role=status]").inner_text() == says
    link = shown.root.get_by_role("link", name="Link").get_attribute("href")
    assert visit("softmax", link).says() == says
    assert visit("softmax", link.replace("at=", "at=1%2C")).says() == first


def test_a_point_moves_by_touch(visit):
    """A finger on the handle moves it and not the page; targets are large."""
    shown = visit("softmax", **PHONE)
    point = shown.slider("Point")
    shown.tab.evaluate("y => scrollBy({top: y - 400, behavior: 'instant'})", centre(point)[1])
    shown.tab.wait_for_timeout(300)
    scrolled = shown.tab.evaluate("scrollY")
    shown.swipe(*centre(point), -30, -60)
    assert "Predicted: Adelie" in shown.says() and shown.tab.evaluate("scrollY") == scrolled
    for target in shown.root.locator("[role=slider], button, label, a").all():
        box = target.bounding_box()
        assert min(box["width"], box["height"]) >= 24, target


@pytest.mark.parametrize("name", SAMPLED)
def test_samples_may_be_typed(name, visit):
    """What dragging does can be typed."""
    shown = visit(name)
    shown.root.get_by_text("Samples as numbers").click()
    box = shown.root.get_by_label("Sample 1, x₁")
    box.fill("0.3")
    box.press("Enter")
    expect(shown.slider("Sample 1")).to_have_attribute("aria-valuetext", re.compile("^0.3, "))


# Everywhere -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SAMPLED)
def test_a_link_brings_the_state_back(name, visit):
    """The link is an ordinary one; opened elsewhere it shows the same, mangled it changes nothing."""
    shown = visit(name)
    first = shown.says()
    shown.slider("Sample 1").focus()
    shown.keys("ArrowLeft", "Shift+ArrowDown", "Shift+ArrowDown")
    says, link = shown.says(), shown.root.get_by_role("link", name="Link").get_attribute("href")
    assert says != first
    again = visit(name, link)
    assert again.says() == says
    assert again.figure.evaluate(
        "f => { const r = f.getBoundingClientRect(); return r.top < 200 && r.top >= 0 }"
    )
    mangled = visit(name, re.sub("X=[^&]*", "X=1%2Cnonsense", link))
    assert mangled.says() == first


@pytest.mark.parametrize("name", PLACES)
def test_paper_and_no_script_have_the_drawing(name, visit):
    """On paper, and where no script runs, the figure is the drawing that it was."""
    shown = visit(name)
    drawing = shown.figure.locator(".drawing")
    assert shown.root.is_visible() and not drawing.is_visible()
    shown.tab.emulate_media(media="print")
    assert drawing.is_visible() and not shown.root.is_visible()
    drawn = drawing.locator("img:visible").element_handle()
    shown.tab.wait_for_function("image => image.naturalWidth > 100", arg=drawn)
    plain = visit(name, script=False)
    assert plain.figure.locator(".drawing").is_visible()
    assert not plain.tab.locator("[data-explore]").is_visible()
    assert not plain.tab.get_by_text("install anywidget").is_visible()


WHERE = """root => [...root.querySelectorAll("*")].filter((e) => e.checkVisibility())
    .filter((e) => %s).map((e) => e.outerHTML.slice(0, 200))"""
OUT = """!e.closest("svg, .unseen")
    && e.getBoundingClientRect().right > root.getBoundingClientRect().right + 1"""
SMALL = "parseFloat(getComputedStyle(e).fontSize) < 10"
MOVING = "e.getAnimations().length || parseFloat(getComputedStyle(e).transitionDuration) > 0.01"


@pytest.mark.slow(one_in=48)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390, 320])
@pytest.mark.parametrize("name", PLACES)
def test_everyone_can_use_it(name, width, theme, visit):
    """No fault that axe finds, with everything open; nothing sticks out, is small, or moves by itself."""
    size = {"width": width, "height": 900}
    shown = visit(name, viewport=size, color_scheme=theme, reduced_motion="reduce")
    if name in SAMPLED:
        shown.root.get_by_text("Samples as numbers").click()
    shown.says()
    shown.tab.add_script_tag(path=str(AXE))
    assert shown.tab.evaluate(FAULTS, [shown.figure.element_handle(), {}]) == []
    assert shown.figure.evaluate("figure => figure.scrollWidth - figure.clientWidth") <= 0
    for fault in (OUT, SMALL, MOVING):
        assert shown.root.evaluate(WHERE % fault) == []


def test_only_pages_that_explore_load_the_script():
    """The script is a tenth of a page's budget, so a page without an explorable does without."""
    for page in HTML.rglob("*.html"):
        if "_static" not in page.parts:
            text = page.read_text("utf8")
            assert ("explore.js" in text) == ("data-explore" in text) == ("explore.css" in text), (
                page
            )
