"""What an address, the browser's store or a file brings is data: it breaks nothing and runs nothing."""

import json
import re
from html import unescape
from random import Random
from urllib.parse import quote

import pytest
from javascript import MODULES, module
from playwright.sync_api import expect
from test_browser import HTML, Visitor, address, browser  # noqa: F401 - the last two are fixtures
from test_explore_pages import PLACES, SAMPLED

# ruff: noqa: E501 - crafted values read best as they are
pytestmark = pytest.mark.slow(one_in=30, together=True)  # `make browser` runs all
LINKS, BATCHES = 300, 6  # for each explorable; beside them all that is mangled

# Links to explorables -------------------------------------------------------------------------

WORDS = ['0', '-0', '1', '-1', '2', '0.5', '1e-5', '1e-9', '1e-300', '5e-324', '-1e-7', '99999', '999999', '-999999', '999999.9999', '1e6', '1e308', '1e999', '-1e999', 'NaN', 'Infinity', 'x', '0x10', '1_0', '0.1', '0.30000000000000004', '3.0000000001', '1e5', '2.5', '100', '-180', '180', 'null', 'undefined', 'true', 'false']  # fmt: skip
WORDS += ["", " ", "\u0661", "1e5;1", "1,2", "1;", ";", "9" * 5000]
ALIEN = [
    "toString=1", "__proto__=1", "constructor=1;2", "hasOwnProperty=0", "valueOf=", "X", "=", "&&&", "%", "%25", "%E0%A4%A",
    "X=%", "X=%00", "X[]=1", "name=1", "state=1", "k=1&k=2", "X=1&X=2", "w=1,2", "?", "?k=1", "<img src=x onerror=alert(1)>",
    "k=" + "1" * 100_000, "edges=1;0&chosen=1&C=2&cap=1&t=1&angle=3&start=1;1&damped=true&shown=1&alpha=1&i=0",
]  # fmt: skip


def rows(draw: Random, n: int) -> list[list[float]]:
    """Samples that a figure may not expect: in one place, in a row, equal in both classes, of any size."""
    size = draw.choice([1e-5, 1e-3, 1, 1, 1, 8, 1e3, 1e5, 9.9e5])
    at = [draw.choice([0, 0, -0.0, 1, 1e3, -9e4]) for _ in range(2)]
    u, v = draw.random() - 0.5, draw.random() - 0.5
    kind = draw.randrange(10)
    points = {
        0: lambda i: [0, 0],
        1: lambda i: [1, 0],
        2: lambda i: [u * (i % 3), v * (i % 3)],
        3: lambda i: [i / 8, 0],
        4: lambda i: [draw.choice([0, 1]), draw.choice([0, 1])],
        5: lambda i: [draw.gauss(0, 1), draw.gauss(0, 1)],
        6: lambda i: [i % 2, draw.choice([0, 1e-4, 1e-8])],
        7: lambda i: [draw.gauss(0, 1), draw.gauss(0, 1e-9)],
        8: lambda i: [u, v] if i else [1, 1],
        9: lambda i: [draw.choice([-1, 1]) * 10 ** draw.uniform(-9, 0) for _ in range(2)],
    }[kind]
    return [[at[j] + size * x for j, x in enumerate(points(i))] for i in range(n)]


def labels(draw: Random, n: int) -> list:
    one = draw.choice([1, -1])
    return draw.choice(
        [
            [one] * n,
            [one] * (n - 1) + [-one],
            [one * (-1) ** i for i in range(n)],
            [draw.choice([1, -1]) for _ in range(n)],
            [draw.choice([1, -1, 0, 2]) for _ in range(n)],
        ]
    )


def weights(draw: Random, n: int) -> list[float]:
    kinds = [
        lambda i: 0,
        lambda i: -0.0,
        lambda i: 1,
        lambda i: +(i == 0),
        lambda i: 1e-300,
        lambda i: 9e5,
        lambda i: 5e-324,
    ]
    kinds += [
        lambda i: draw.random(),
        lambda i: draw.choice([0, 1]),
        lambda i: 10 ** draw.uniform(-320, 5),
        lambda i: i - 1,
    ]
    kind = draw.choice(kinds)
    return [kind(i) for i in range(n)]


def value(draw: Random, key: str, first):
    """A value of the right kind and shape most of the time, and of an unexpected size."""
    n = len(first) if isinstance(first, list) else 0
    if n and draw.random() < 0.08:
        n = draw.choice([0, 1, 2, n - 1, n + 1, 3 * n, 1000])
    if draw.random() < 0.3:
        return first if first is not True and first is not False else str(first).lower()
    if isinstance(first, bool):
        return draw.choice(["true", "false", "1", "TRUE", ""])
    if key in ("X", "T", "points", "W"):
        return rows(draw, n)
    if key in ("y", "t"):
        return labels(draw, n)
    if isinstance(first, list):
        return weights(draw, n) if draw.random() < 0.8 else [draw.choice(WORDS) for _ in range(n)]
    return draw.choice([*WORDS, draw.randrange(30), draw.random(), 10 ** draw.uniform(-9, 6)])


def written(value) -> str:
    if isinstance(value, list):
        return ";".join(",".join(map(str, v)) if isinstance(v, list) else str(v) for v in value)
    return str(value)


def crafted(first: dict, count: int, seed: int) -> list[str]:
    """Links to one explorable: other figures' keys, mangled ones, and values at the edge of what is meant."""
    draw, links = Random(seed), list(ALIEN)
    links += [f"{key}={quote(word)}" for key in first for word in WORDS]
    while len(links) < count + len(ALIEN) + len(first) * len(WORDS):
        keys = draw.sample(sorted(first), draw.randint(1, len(first)))
        rare = "y", "t", "classes", "names"  # most values of these are refused
        keys = [key for key in keys if key not in rare or draw.random() < 0.5]
        links.append(
            "&".join(
                f"{key}={quote(written(value(draw, key, first[key])), safe=';,')}" for key in keys
            )
        )
    draw.shuffle(links)
    return links


# Follow each link; then press, slide and move, as a reader would. Collects what the reader is told.
FOLLOW = """async ([id, links, poked]) => {
  const root = document.querySelector(`#${id} .explorable`), bad = [];
  const frame = () => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
  let failed = [], read = 0;
  addEventListener("error", ({message}) => failed.push(message));
  const odd = /null|NaN|undefined|Infinity|\\[object/;
  const told = () => [...root.querySelectorAll(".says, svg text, td, .slider span, .notice")].map((e) => e.textContent)
    .concat([...root.querySelectorAll("*")].flatMap((e) => [...e.attributes].map((a) => a.value)).filter((v) => odd.test(v) && !v.startsWith("#")));
  const look = async (link, when) => {
    await frame();
    const words = told().filter((w) => odd.test(w));
    if (failed.length || words.length) bad.push([link.slice(0, 1500), when, failed.concat(words.map((w) => w.slice(0, 160)))]);
    failed = [];
  };
  const fire = (node, kind, more = {}) => node.dispatchEvent(new (kind.startsWith("key") ? KeyboardEvent : Event)(kind, {bubbles: true, ...more}));
  for (const [k, link] of links.entries()) {
    location.hash = `#${id}?${link}`;
    await new Promise((go) => setTimeout(go));
    await look(link, "link");
    read += !root.querySelector(".notice").textContent;
    if (k % poked) continue;
    for (const slider of root.querySelectorAll("input[type=range]")) for (const to of [slider.max, slider.min]) {
      slider.value = to; fire(slider, "input"); fire(slider, "change"); await look(link, "slider to " + to);
    }
    for (const button of root.querySelectorAll(".controls button")) {
      if (button.textContent === "Reset") continue;
      button.click(); await look(link, button.textContent);
    }
    for (const handle of root.querySelectorAll(".handle")) if (handle.matches(":first-of-type, :last-of-type")) for (const key of ["ArrowRight", "ArrowUp", " "]) {
      fire(handle, "keydown", {key}); await look(link, "key " + key);
    }
  }
  return [bad, read];
}"""


@pytest.fixture
def visitor(browser):  # noqa: F811
    visitor = Visitor(browser.new_page(viewport={"width": 1280, "height": 900}))
    yield visitor
    visitor.tab.close()


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("name", PLACES)
def test_no_link_breaks_an_explorable(name, batch, visitor, address):  # noqa: F811
    """Hundreds of crafted links: no error, no word such as NaN, and controls go on working without Reset."""
    page, figure = PLACES[name]
    visitor.visit(f"{address}{page}.html")
    first = json.loads(visitor.tab.locator(f"[data-explore={name}]").first.text_content())
    links = crafted(first, LINKS, 7)[batch::BATCHES]
    bad, read = visitor.tab.evaluate(FOLLOW, [figure, links, 5])
    assert read > len(links) / 10, "most of these links are refused: craft better ones"
    assert not bad and not visitor.complaints, (len(bad), bad[:5], visitor.complaints[:5])


def test_a_refused_link_is_said(visitor, address):  # noqa: F811
    """A word below the figure says so until something moves; a sound link is followed without one."""
    page, figure = PLACES["perceptron"]
    visitor.visit(f"{address}{page}.html#{figure}?k=2&toString=1")
    note = visitor.tab.locator(f"#{figure} .notice")
    expect(note).to_have_text("This link cannot be read, so the figure shows its first state.")
    assert "k = 5 of 5" in visitor.tab.locator(f"#{figure} .says").inner_text()
    visitor.tab.locator(f"#{figure}").get_by_role("button", name="Previous").click()
    expect(note).to_have_text("")
    visitor.tab.evaluate("hash => { location.hash = hash }", f"#{figure}?k=2")
    expect(visitor.tab.locator(f"#{figure} .says")).to_contain_text("k = 2 of 5")
    expect(note).to_have_text("")


# Addresses ------------------------------------------------------------------------------------

FRAGMENTS = ["#%", "#%E0%A4%A", "#%00", "#?", "#fig-front?", "#fig-front?%", '#"]', "#[id]", "#1", "#:~:text=%", "#__proto__",
             "#<img src=x onerror=alert(1)>", "#javascript:alert(1)", "#" + "a" * 60_000]  # fmt: skip


@pytest.mark.parametrize("page", ["index", "book/03_perceptron", "book/reference", "search"])
def test_no_fragment_breaks_a_page(page, visitor, address):  # noqa: F811
    """Whatever follows the `#`, when the page opens and afterwards, nothing fails and nothing else opens."""
    for fragment in FRAGMENTS:
        visitor.visit(f"{address}{page}.html?{len(fragment)}{fragment}")
        visitor.tab.evaluate("hash => { location.hash = ''; location.hash = hash }", fragment)
        visitor.tab.wait_for_timeout(80)
        assert not visitor.complaints and not visitor.outside(address), fragment[:80]
        assert visitor.tab.url.startswith(f"{address}{page}.html")


@pytest.mark.parametrize(
    "words",
    ["constructor", "__proto__ margin", '"]<img src=x onerror=alert(1)>', "%", "*", "a" * 5000],
)
def test_no_query_breaks_the_search(words, visitor, address):  # noqa: F811
    """Words that mean something to JavaScript, CSS or HTML are words."""
    visitor.visit(f"{address}search.html?q={quote(words)}")
    visitor.tab.wait_for_function(
        "document.querySelector('.search-summary')?.textContent.match(/found|did not match/i)",
        timeout=20_000,
    )
    assert not visitor.complaints and not visitor.outside(address)


# What a browser keeps, and files with progress ------------------------------------------------

LONG = "x" * 100_000
NO_STATES = ["", "null", "true", "1", '"right"', "[]", "[1, 2]", "{", "NaN", "undefined", '{"a": {"b": 1}}', '{"__proto__": "right"}',
             '{"__proto__": "right", "constructor": 1}', json.dumps({LONG: "right"}), json.dumps(LONG), '{"pc-forecast": "won"}',
             '{"pc-forecast": ["right"]}', '{"pc-forecast": null}', '{"\\"]": "right"}', '{"javascript:alert(1)": "done"}']  # fmt: skip
NO_PLACES = [*NO_STATES, *(json.dumps(place) for place in (
    {"page": "javascript:window.ran=1//"}, {"page": 'javascript:void(window.ran=1)//"],body,[x="'}, {"page": "//example.org/book/00_choice"},
    {"page": "https://example.org/a"}, {"page": "../index"}, {"page": "data:text/html,x"}, {"page": "book/gone"}, {"page": ["book/03_perceptron"]},
    {"page": {"toString": 1}}, {"page": LONG}, {"page": None}, {"page": True}, {"page": "book/03_perceptron.html\"], * [x=\""}, {"page": "__proto__"},
))]  # fmt: skip
UNFIT = [
    '"><script>window.ran=1</script>',
    "javascript:window.ran=1",
    "a b",
    "%",
    "a#b",
    "1a",
    LONG,
    7,
    ["x"],
    None,
    {"id": "x"},
]


def stored(visitor, url: str, **values: str) -> None:
    """Open a page of a browser that keeps these values."""
    visitor.visit(url)
    visitor.tab.evaluate(
        "kept => { localStorage.clear(); for (const k in kept) localStorage.setItem(`linlearn.${k}`, kept[k]) }",
        values,
    )
    visitor.requests.clear(), visitor.complaints.clear()
    visitor.tab.goto("about:blank")  # a page that is left remembers its place
    visitor.tab.goto(url)


def sound(visitor, home: str) -> None:
    assert not visitor.complaints and not visitor.outside(home)
    assert not visitor.tab.evaluate("window.ran")


@pytest.mark.parametrize("page", ["index", "book/03_perceptron"])
def test_no_kept_state_stops_the_progress(page, visitor, address):  # noqa: F811
    """Whatever is kept: progress is displayed, what is wrong is left out and this is said, questions still count."""
    for value in NO_STATES:
        stored(visitor, f"{address}{page}.html", practice=value)
        count = visitor.tab.locator(".practice-progress .count")
        expect(count).to_contain_text(re.compile(r"\b0 of [1-9]\d* questions"))
        expect(visitor.tab.locator(".practice-progress .notice")).to_contain_text(
            "could not be read"
        )
        sound(visitor, address)
    if page != "index":
        visitor.tab.locator("#practice-pc-forecast input[data-right]").check()
        expect(count).to_contain_text("1 of ")
        sound(visitor, address)


def test_sound_states_beside_wrong_ones_count(visitor, address):  # noqa: F811
    """One wrong value costs only itself; a state of a page is none of a question."""
    kept = {
        "pc-forecast": "right",
        "pc-bound": "done",
        "book/03_perceptron": "right",
        "x y": "right",
        "__proto__": "right",
    }
    stored(visitor, f"{address}book/03_perceptron.html", practice=json.dumps(kept))
    expect(visitor.tab.locator(".practice-progress .count")).to_contain_text("1 of ")
    expect(visitor.tab.locator(".practice-progress .notice")).to_contain_text("could not be read")
    assert visitor.tab.locator("#practice-pc-bound").get_attribute("data-done") == ""
    visitor.visit(f"{address}index.html")
    expect(visitor.tab.locator(".practice-progress .count")).to_contain_text("Done: 0 of ")
    sound(visitor, address)


def test_no_kept_place_becomes_a_link(visitor, address):  # noqa: F811
    """`Go on` leads where the map leads, in its words, or is not offered."""
    front = f"{address}index.html"
    for value in NO_PLACES:
        stored(visitor, front, place=value)
        expect(visitor.tab.locator("a.go-on")).to_have_count(0)
        sound(visitor, address)
    page, link = "book/03_perceptron", visitor.tab.locator("a.go-on")
    words = visitor.tab.locator(f".lessons a[href='{page}.html']").first.inner_text().strip()
    for place in UNFIT:
        stored(
            visitor,
            front,
            place=json.dumps({"page": page, "place": place, "title": "Pay here", "section": "now"}),
        )
        assert (
            link.get_attribute("href") == f"{page}.html" and link.inner_text() == f"Go on: {words}"
        )
        sound(visitor, address)
    stored(visitor, front, place=json.dumps({"page": page, "place": "why-does-it-stop"}))
    assert link.get_attribute("href") == f"{page}.html#why-does-it-stop"


def test_a_file_with_progress_is_read_the_same_way(visitor, address):  # noqa: F811
    """What is no progress changes nothing and is said; what is beside it counts."""
    stored(visitor, f"{address}book/03_perceptron.html", practice='{"pc-forecast": "right"}')
    footer = visitor.tab.locator(".practice-progress")
    for value in [*NO_STATES, "1" * 2_000_000]:
        file = {"name": "progress.json", "mimeType": "application/json", "buffer": value.encode()}
        footer.locator("input").set_input_files(file)
        expect(footer.locator(".notice")).to_have_text("That file holds no progress of this book.")
        expect(footer.locator(".count")).to_contain_text("1 of ")
        footer.locator(".notice").evaluate("note => { note.textContent = '' }")
    mixed = b'{"pc-bound": "right", "__proto__": "right", "x": 1}'
    footer.locator("input").set_input_files(
        {"name": "p.json", "mimeType": "application/json", "buffer": mixed}
    )
    expect(footer.locator(".count")).to_contain_text("2 of ")
    expect(footer.locator(".notice")).to_contain_text("was left out")
    sound(visitor, address)


# The mathematics alone, on many more samples than a browser can draw --------------------------

DERIVE = """
  import { readFileSync } from "node:fs";
  const [folder, name, states] = JSON.parse(readFileSync(0, "utf8")), { EXPLORABLES } = await import(`${folder}/page.js`);
  const { derive, says } = EXPLORABLES[name], bad = [];
  for (const state of states) {
    let words;
    try { words = says(state, derive(state)); } catch (error) { words = `NaN: ${error.message}`; }
    if (/null|NaN|undefined|Infinity/.test(words)) bad.push([words, JSON.stringify(state)]);
  }
  console.log(JSON.stringify(bad));"""


@pytest.mark.parametrize("name", SAMPLED)
def test_no_samples_break_the_mathematics(name):
    """Samples in one place, in a row, of mixed sizes, then moved to the grid: every read-out is whole."""
    page, _ = PLACES[name]
    found = re.search(
        rf'data-explore="{name}"[^>]*>([^<]*)<', (HTML / f"{page}.html").read_text("utf8")
    )
    first, draw, states = json.loads(unescape(found[1])), Random(name), []
    n = len(first["y"])
    while len(states) < 1000:
        X, y = rows(draw, n), labels(draw, n)
        if draw.random() < 0.5:  # one of them is dragged
            X[draw.randrange(n)] = [draw.randrange(-8, 9) / 8, draw.randrange(-8, 9) / 8]
        if set(y) == {1, -1}:
            states.append(first | {"X": X, "y": y})
    bad = json.loads(module(DERIVE, json.dumps([MODULES.as_uri(), name, states])))
    assert not bad, (len(bad), bad[:3])
