"""Leave out of the built pages the style rules and icons that no page and no script uses."""

import logging
import re
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

logging.getLogger("fontTools").setLevel(logging.ERROR)  # Sphinx would print what it did

ICONS = "vendor/fontawesome/webfonts"
SHEETS = ("styles/*.css", "basic.css", "mystnb*.css")
GLYPH = re.compile(r'content:\s*"\\([0-9a-f]{4})"')
CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
HEAD = re.compile(r'(?:[^{;"\']|"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\')*')
STRING_OR_BRACE = re.compile(r'[{}]|"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')
ASIDE = re.compile(
    r":(?:not|is|where|has)\((?:[^()]|\([^()]*\))*\)|\[[^]]*\]"
)  # such names need not exist


def named(out):
    """Every word of a page or a script of the book that may be the name of a class."""
    files = [path for path in out.rglob("*.html") if "_static" not in path.parts]
    files += (out / "_static").rglob("*.js")
    return {word for path in files for word in re.findall(r"[\w-]+", path.read_text("utf8"))}


def blocks(sheet):
    """(what stands before the brace, what stands inside) of each block of a style sheet, and each `@…;`."""
    sheet, start = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL), 0
    while start < len(sheet.rstrip()):
        at = HEAD.match(sheet, start).end()
        body = sheet[at] == "{"
        end = closing(sheet, at) if body else at
        yield sheet[start:at], sheet[at + 1 : end] if body else None
        start = end + 1


def closing(sheet, at):
    """The brace that closes the one at this place; braces in strings are text."""
    depth = 0
    for found in STRING_OR_BRACE.finditer(sheet, at):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if not depth:
            return found.start()
    raise ValueError(f"a brace of the style sheet is not closed: {sheet[at : at + 60]!r}")


def selectors(head):
    """The selectors of a rule: split at commas outside brackets."""
    return [part.strip() for part in re.split(r",(?![^(\[]*[)\]])", head)]


def used_rules(sheet, names):
    """The style sheet without the rules that match nothing."""
    kept = []
    for head, body in blocks(sheet):
        head = head.strip()
        if body is None:
            kept.append(f"{head};")
        elif head.startswith(("@media", "@supports", "@container", "@layer")):
            if inner := used_rules(body, names):
                kept.append(f"{head}{{{inner}}}")
        elif head.startswith("@"):
            kept.append(f"{head}{{{body}}}")
        else:
            used = [s for s in selectors(head) if set(CLASS.findall(ASIDE.sub("", s))) <= names]
            if used:
                kept.append(f"{','.join(used)}{{{body}}}")
    return "".join(kept)


def subset_font(path, signs):
    """The font with these signs only."""
    font = TTFont(path, recalcTimestamp=False)  # the same bytes from every build
    cut = subset.Subsetter(subset.Options(layout_features=[], notdef_outline=True))
    cut.populate(unicodes=signs)
    cut.subset(font)
    font.flavor = "woff2"
    font.save(path)


def finish(app, exception):
    if exception or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    names = named(Path(app.outdir))
    sheets = sorted(path for pattern in SHEETS for path in static.glob(pattern))
    for path in sheets:
        text = re.sub(r',url\([^)]*\.ttf\) format\("truetype"\)', "", path.read_text("utf8"))
        path.write_text(used_rules(text, names), encoding="utf8")
    texts = "".join(path.read_text("utf8") for path in sheets)
    signs = {int(code, 16) for code in GLYPH.findall(texts)}
    for path in (static / ICONS).iterdir():
        if path.suffix == ".woff2" and "regular" not in path.name:
            subset_font(path, signs)
        elif path.suffix in (".woff2", ".ttf"):
            path.unlink()


def setup(app):
    app.connect("build-finished", finish, priority=600)  # after linlearn_book has tidied the pages
    return {"version": "1"}
