"""A copy of the book, kept by a browser or unpacked from the offline edition, needs no network."""

import json
import os
import re
import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import linlearn_kept
import pytest
from conftest import loud_skip
from guards import ROOT
from playwright.sync_api import expect

from tools.chromium import CHROMIUM, launched
from tools.editions import offline

HTML = ROOT / "_build" / "html"
LESSONS = ("00_classification", "03_perceptron", "09_svm")


@pytest.fixture(scope="module")
def tab():
    if not HTML.exists() or not CHROMIUM:
        loud_skip("a kept copy of the book", "Install Chromium, and run `make book` first.")
    with launched() as browser:
        yield browser.new_page()


class Quiet(SimpleHTTPRequestHandler):
    """A server that says nothing, and lacks one file if told so."""

    lacks = None

    def log_message(self, *_):
        pass

    def send_head(self):
        return self.send_error(404) if self.path == self.lacks else super().send_head()


def serve(handler: type = Quiet) -> ThreadingHTTPServer:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=HTML))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def stop(server: ThreadingHTTPServer) -> None:
    server.shutdown()
    server.server_close()


def read_lessons(tab, home: str) -> None:
    """Three lessons are read, with their figures, and a search finds one of them."""
    complaints = []
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on("requestfailed", lambda request: complaints.append(request.url))
    for stem in LESSONS:
        tab.goto(f"{home}book/{stem}.html?highlight=margin")
        drawing = tab.locator("article .drawing img:visible").first
        drawing.scroll_into_view_if_needed()
        tab.wait_for_function("image => image.naturalWidth > 0", arg=drawing.element_handle())
        assert (
            tab.locator("article").evaluate("e => getComputedStyle(e).fontFamily").count("Linlearn")
        )
    tab.goto(f"{home}search.html?q=SVM")
    expect(tab.locator("#search-results a").first).to_have_attribute("href", re.compile("09_svm"))
    assert not complaints


def test_the_book_is_kept_and_read_without_a_server(tab):
    """Nothing is kept unasked; kept, the book is read with the server stopped; removed, it is gone."""
    server = serve()
    home = f"http://127.0.0.1:{server.server_port}/"
    try:
        tab.goto(home)
        workers = "async () => (await navigator.serviceWorker.getRegistrations()).length"
        assert (
            tab.evaluate(workers) == 0
            and tab.evaluate("async () => (await caches.keys()).length") == 0
        )
        button, status = tab.locator("button.keep-book"), tab.locator(".keep-book + [role=status]")
        button.press("Enter")
        expect(status).to_contain_text("without a network", timeout=60_000)
        stop(server)
        read_lessons(tab, home)
        tab.goto(home)  # the folder itself
        expect(button).to_have_text("Remove the book from this device")
        button.press("Enter")
        expect(status).to_have_text("It is no longer kept here.")
        assert tab.evaluate("async () => (await caches.keys()).length") == 0
    finally:
        stop(server)


def test_a_file_that_is_missing_is_said(tab):
    """A copy with a hole is not kept."""
    server = serve(type("Lacking", (Quiet,), {"lacks": "/book/glossary.html"}))
    try:
        tab.goto(f"http://127.0.0.1:{server.server_port}/")
        tab.locator("button.keep-book").press("Enter")
        status = tab.locator(".keep-book + [role=status]")
        expect(status).to_contain_text("could not be kept", timeout=60_000)
        cached = "async () => (await (await caches.open((await caches.keys())[0])).keys()).length"
        assert tab.evaluate(cached) == 0
    finally:
        stop(server)


def test_from_a_disk_nothing_is_offered(tab):
    """A page opened from the disk is kept already."""
    tab.goto((HTML / "index.html").as_uri())
    expect(tab.locator("article h1")).to_be_visible()
    expect(tab.locator("button.keep-book, link[rel=manifest]")).to_have_count(0)


def test_the_version_is_that_of_the_files(tmp_path):
    """What a page names is listed, and nothing else; when a file changes, the version does."""
    for name, text in {
        "index.html": '<a href="a.html#b">a</a><a href="https://x.org/">x</a>',
        "search.html": "",
        "a.html": '<link href="look.css?v=1">',
        "look.css": '@import "more.css"; i { background: url("sign.svg") }',
        "more.css": "",
        "sign.svg": "<svg/>",
        "lonely.html": "",
    }.items():
        (tmp_path / name).write_text(text, "utf8")
    expected = ["a.html", "index.html", "look.css", "more.css", "search.html", "sign.svg"]
    assert linlearn_kept.needed(tmp_path) == expected
    app = SimpleNamespace(
        outdir=tmp_path,
        builder=SimpleNamespace(format="html"),
        config=SimpleNamespace(html_title="A book"),
    )
    versions = set()
    for drawing in ("<svg/>", "<svg/>", "<svg></svg>"):
        (tmp_path / "sign.svg").write_text(drawing)
        linlearn_kept.write(app, None)
        worker = (tmp_path / "worker.js").read_text("utf8")
        versions.add(re.search('VERSION = "([0-9a-f]{16})"', worker)[1])
    assert len(versions) == 2
    assert json.loads(offline.FILES.search(worker)[1]) == [*expected, "manifest.webmanifest"]
    assert json.loads((tmp_path / "manifest.webmanifest").read_text("utf8"))["name"] == "A book"


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    if not HTML.exists():
        loud_skip("the offline edition", "Run `make book` first.")
    folder = tmp_path_factory.mktemp("offline")
    offline.write(HTML, folder)
    with zipfile.ZipFile(folder / f"{offline.NAME}.zip") as packed:
        packed.extractall(folder)
    return folder


def test_the_archive_is_whole_and_small(archive):
    """Every file that a page names is in it, and no source is."""
    packed, book = archive / f"{offline.NAME}.zip", archive / offline.NAME
    assert packed.stat().st_size < 25e6
    files = {path for path in book.rglob("*") if path.is_file()}
    named = {other for path in files for other in linlearn_kept.named_in(path)}
    assert len(files) > 400
    built = {path for path in named if (HTML / path.relative_to(book)).is_file()}
    assert len(built) > 400 and built <= files


def test_two_archives_have_the_same_bytes(tmp_path):
    """Whenever their files were written."""
    packed, names = [], ["b.html", "a.html"]
    (tmp_path / "worker.js").write_text(f"const FILES = {json.dumps(names)};\n", "utf8")
    for moment in (10**9, 2 * 10**9):
        for name in names:
            (tmp_path / name).write_text(name, "utf8")
            os.utime(tmp_path / name, (moment, moment))
        offline.write(tmp_path, tmp_path)
        packed.append((tmp_path / f"{offline.NAME}.zip").read_bytes())
    assert packed[0] == packed[1]


def test_the_archive_opens_from_a_disk(tab, archive):
    read_lessons(tab, f"{(archive / offline.NAME).as_uri()}/")


def test_the_archive_has_notebooks_and_no_sources(archive):
    """The button of a page gives its plain notebook; what the book is written in stays out."""
    book = archive / offline.NAME
    assert list(book.glob("notebooks/*.ipynb")) and not (book / "_sources").exists()


def test_the_list_is_that_of_the_build():
    """The worker names the files that the pages of this build need."""
    listed = offline.FILES.search((HTML / "worker.js").read_text("utf8"))[1]
    for name in linlearn_kept.needed(Path(HTML)):
        assert f'"{name}"' in listed
