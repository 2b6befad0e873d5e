"""List the files that a copy of the book needs, for the service worker and the offline edition.

`book.js` offers to keep the book where it is served. Then the worker, which this writes, fetches the files
listed in it, and answers from them without a network. Its version is a digest of them all.
"""

import hashlib
import json
import os
import re
from pathlib import Path

MANIFEST = "manifest.webmanifest"
WORKER = "worker.js"
LINKS = re.compile(r'\b(?:href|src|action)="([^"#?]+)')  # in a page
ADDRESSES = re.compile(r"""(?:\burl\(["']?|@import ["'])([^"')#?]+)""")  # in a style sheet
START = ("index.html", "search.html")
LICENCES = "_static/*-OFL.txt"  # which a copy of the fonts must bring along


def needed(html):
    """The files that the pages lead to and load, from the front page on."""
    found, new = set(), {*(html / name for name in START), *html.glob(LICENCES)}
    while new:
        found |= new
        new = {other for path in new for other in named_in(path) if kept(html, other)} - found
    return sorted(path.relative_to(html).as_posix() for path in found)


def named_in(path):
    """The files that a page or a style sheet names."""
    pattern = {".html": LINKS, ".css": ADDRESSES}.get(path.suffix)
    names = set(pattern.findall(path.read_text("utf8"))) if pattern else ()
    return {Path(os.path.normpath(path.parent / name)) for name in names if ":" not in name}


def kept(html, path):
    return path.is_relative_to(html) and path.is_file()


def manifest(title):
    """What a browser asks for to install the book as an app."""
    icon = {"src": "_static/favicon.svg", "sizes": "any", "type": "image/svg+xml"}
    look = {"display": "standalone", "background_color": "#ffffff", "theme_color": "#1f5fa8"}
    return {"name": title, "short_name": title, "start_url": "index.html", "icons": [icon], **look}


def write(app, exception):
    if exception or app.builder.format != "html":
        return
    html = Path(app.outdir).resolve()
    (html / MANIFEST).write_text(json.dumps(manifest(app.config.html_title)), encoding="utf-8")
    files = [*needed(html), MANIFEST]
    digest = hashlib.sha256()
    for name in files:
        digest.update(name.encode() + b"\0" + hashlib.sha256((html / name).read_bytes()).digest())
    script = Path(__file__).with_name(WORKER).read_text("utf8")
    values = {"VERSION": digest.hexdigest()[:16], "FILES": files}
    head = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in values.items())
    (html / WORKER).write_text(head + script, encoding="utf-8")


def setup(app):
    app.connect("build-finished", write, priority=900)  # when all others have written
    return {"version": "1"}
