"""Load the script and style of figures that move on the pages that have one, and on no other."""

from pathlib import Path

from linlearn.explore import _script


def write_files(app):
    """Put the joined script and the style where the pages load them from."""
    static = Path(app.outdir) / "_static"
    static.mkdir(parents=True, exist_ok=True)
    (static / "explore.js").write_text(_script.page(), encoding="utf-8")
    (static / "explore.css").write_text(_script.style(), encoding="utf-8")


def load_files(app, pagename, templatename, context, doctree):
    if "data-explore" in context.get("body", ""):
        app.add_css_file("explore.css")
        app.add_js_file("explore.js", loading_method="defer")


def setup(app):
    app.connect("builder-inited", write_files)
    app.connect("html-page-context", load_files)
    return {"version": "1"}
