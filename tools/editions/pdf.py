"""Two PDFs, the core lessons and the whole course: the built pages, joined and printed by Chromium.

`pdf.js` arranges what is joined, the book's own `print.css` says how paper looks, and Chromium writes links,
outline and tags. The page numbers of the contents are added here, and the outline gets its spaces back.
"""

import html as text
import re
import tomllib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml

from tools.chromium import CHROMIUM, launched

from . import Faulty, Missing

ROOT = Path(__file__).resolve().parents[2]
TITLE = "Linear classification"
SUBTITLES = {
    "core": "The core lessons, with answers at the end",
    "whole": "All lessons, with answers at the end",
}
APPENDICES = ("prerequisites", "notation", "beyond_one_machine", "glossary", "bibliography")
OF_CORE = (
    "notation",
    "bibliography",
)  # what lessons of the core lead to; the glossary alone is fifteen pages
ARTICLE = re.compile(r'<article class="bd-article">(.*)</article>', re.DOTALL)
SIZE = 7.5  # of the page numbers in the contents, in points
DIGIT = 0.556  # the width of a digit of Helvetica
# A page with less than six lines and nothing drawn is nearly empty.
FEWEST_LETTERS, FEWEST_CURVES = 500, 200
MOST_PAGES = {"core": 200}
SHOWN = re.compile(rb"<([0-9A-Fa-f]+)> Tj")
CURVE = re.compile(rb" [cl]\n")
RUNNING = "color: #57606a; font: 7.5pt sans-serif;"  # as the title at the left, in `print.css`
STYLES = re.compile(r'<link[^>]* rel="stylesheet"[^>]*>')
HEAD = re.compile(r"<title>(.*?)(?: &#8212; .*?)?</title>")


def chapters(core: bool) -> dict[str, list[str]]:
    """The names of the pages to print, by chapter."""
    table = tomllib.loads((ROOT / "book/_data/lessons.toml").read_text("utf8"))
    lessons = [stem for stem, row in table.items() if not core or row["track"] == "core"]
    printed = {"quickstart", *lessons, *(OF_CORE if core else APPENDICES)}
    parts = yaml.safe_load((ROOT / "_toc.yml").read_text("utf8"))["parts"]
    stems = {
        part["caption"]: [Path(page["file"]).stem for page in part["chapters"]] for part in parts
    }
    chosen = {
        caption: [stem for stem in names if stem in printed] for caption, names in stems.items()
    }
    return {caption: names for caption, names in chosen.items() if names}


def joined(html: Path, parts: dict[str, list[str]], subtitle: str) -> str:
    """One page that holds a cover, the contents and the articles; its files are those of the book."""
    stems = [stem for names in parts.values() for stem in names]
    pages = {stem: (html / "book" / f"{stem}.html").read_text("utf8") for stem in stems}
    titles = {stem: HEAD.search(page)[1] for stem, page in pages.items()}
    titles["answers"] = "Answers"
    running = "".join(
        f"@page {name(stem)} {{ @top-right {{ content: {quoted(title)}; {RUNNING} }} }}\n"
        for stem, title in titles.items()
    )
    contents = "".join(
        f"<p>{text.escape(caption)}</p>{''.join(entry(stem, titles[stem]) for stem in names)}"
        for caption, names in {**parts, "Appendices": [*parts["Appendices"], "answers"]}.items()
    )
    articles = "".join(section(stem, ARTICLE.search(page)[1]) for stem, page in pages.items())
    answers = section("answers", "<h1>Answers</h1>").replace("<section", '<section class="answers"')
    # A style sheet may ask for more than one page needs; together they ask for all that is used.
    styles = dict.fromkeys(style for page in pages.values() for style in STYLES.findall(page))
    whole = f"""<!doctype html>
<html lang="en" data-theme="light" data-mode="light">
<head><meta charset="utf-8"><title>{TITLE}: {subtitle}</title>{"".join(styles)}<style>{running}</style></head>
<body class="edition">
<div class="cover"><p class="title">{TITLE}</p><p>{subtitle}</p></div>
<main class="bd-article"><nav class="toc"><h1>Contents</h1>{contents}</nav>{articles}{answers}</main>
</body></html>"""
    # What a page shows is read from its folder; what it offers to download is a link as any other.
    whole = re.sub(r'"\.\./(?=_(?!downloads/))', f'"{html.as_uri()}/', whole)
    return whole.replace(' loading="lazy"', "")


def name(stem: str) -> str:
    """The name of a lesson's pages in CSS, which begins with a letter."""
    return f"at-{stem}"


def quoted(title: str) -> str:
    """A title as a string of CSS."""
    return '"' + text.unescape(title).replace("\\", r"\\").replace('"', r"\"") + '"'


def entry(stem: str, title: str) -> str:
    return f'<a href="#{stem}">{title}</a>'


def section(stem: str, article: str) -> str:
    return f'<section id="{stem}" style="page: {name(stem)}">{article}</section>'


def print_page(page: Path, out: Path, home: str, look: Callable = lambda tab: None) -> list[str]:
    """Have Chromium arrange and print a page, of which one may `look` at the tab; return its headings."""
    arrange = (Path(__file__).with_suffix(".js")).read_text("utf8").partition("\n\n")[2]
    with launched() as browser:
        tab = browser.new_page()
        tab.emulate_media(media="print", color_scheme="light")
        tab.goto(page.as_uri(), timeout=120_000)
        headings = tab.evaluate(arrange, home)
        tab.evaluate("document.fonts.ready")
        look(tab)
        tab.pdf(
            path=out, prefer_css_page_size=True, print_background=True, outline=True, tagged=True
        )
    return headings


def finish(path: Path, headings: list[str], first: str, author: str) -> None:
    """Number the contents, which stand before the page `first`, mend the outline, and pack the file."""
    import pikepdf

    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        number_contents(pdf, first)
        # Chromium leaves out the space where a heading is broken into lines.
        spaced = {"".join(heading.split()): heading for heading in headings}
        with pdf.open_outline() as outline:
            mend(outline.root, spaced)
        pdf.docinfo["/Author"] = author
        pdf.save(path, object_stream_mode=pikepdf.ObjectStreamMode.generate, recompress_flate=True)


def mend(items, spaced: dict[str, str]) -> None:
    for item in items:
        item.title = spaced.get("".join(item.title.split()), item.title)
        mend(item.children, spaced)


def number_contents(pdf, first: str) -> None:
    """Write at the end of each line of the contents, before the page `first`, where its link leads."""
    from pikepdf import Dictionary, Name

    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    numbers = {page.objgen: number for number, page in enumerate(pdf.pages, start=1)}
    for page in pdf.pages[: numbers[pdf.Root.Dests[f"/{first}"][0].objgen] - 1]:
        drawn = []
        for link in page.get("/Annots", []):
            number = str(numbers[pdf.Root.Dests[link.Dest][0].objgen])
            right, bottom = float(link.Rect[2]), float(link.Rect[1])
            left = right - len(number) * SIZE * DIGIT
            drawn.append(f"1 0 0 1 {left:.2f} {bottom + SIZE / 2:.2f} Tm ({number}) Tj")
        if not drawn:
            continue
        name = page.add_resource(font, Name.Font)
        text = f"BT {name} {SIZE} Tf {' '.join(drawn)} ET"
        page.contents_add(b"q\n", prepend=True)  # what Chromium writes turns the page upside down
        page.contents_add(f"\nQ\n/Artifact BMC {text} EMC\n".encode())


def complaints(path: Path) -> list[str]:
    """What is wrong with a file: pages with few lines and no drawing, or too many pages."""
    import pikepdf

    with pikepdf.open(path) as pdf:
        pages = [b"".join(part.read_bytes() for part in streams(page)) for page in pdf.pages]
    said = [
        f"page {number} is nearly empty"
        for number, drawn in enumerate(pages[2:], start=3)
        if letters(drawn) < FEWEST_LETTERS and len(CURVE.findall(drawn)) < FEWEST_CURVES
    ]
    if len(pages) > MOST_PAGES.get(path.stem, len(pages)):
        said.append(
            f"{len(pages)} pages, more than {MOST_PAGES[path.stem]}: set it closer in `print.css`"
        )
    return said


def streams(page):
    import pikepdf

    parts = page.Contents
    return parts if isinstance(parts, pikepdf.Array) else [parts]


def letters(drawn: bytes) -> int:
    """How many letters a page shows: of one byte each where a word is spaced, of two elsewhere."""
    return sum(max(1, len(shown) // 4) for shown in SHOWN.findall(drawn))


def write(html: Path, out: Path) -> None:
    """Write `core.pdf` and `whole.pdf` into the folder `out`."""
    if not CHROMIUM:
        raise Missing("Chromium prints the PDF; install it: `apt-get install chromium`.")
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))
    home = config["sphinx"]["config"]["html_baseurl"]

    def make(kind: str) -> None:
        page, path = out / f"{kind}.html", out / f"{kind}.pdf"
        parts = chapters(core=kind == "core")
        page.write_text(joined(html, parts, SUBTITLES[kind]), "utf8")
        [first, *_], *_ = parts.values()
        finish(path, print_page(page, path, home), first, config["author"])
        page.unlink()

    with ThreadPoolExecutor() as pool:  # each in a Chromium of its own
        list(pool.map(make, SUBTITLES))
    files = sorted(out.glob("*.pdf"))
    if said := [f"{path.name}: {each}" for path in files for each in complaints(path)]:
        raise Faulty("; ".join(said))
