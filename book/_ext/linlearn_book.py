"""Number the chapters, make figures for the dark theme, tidy the pages that Sphinx and the theme write."""

import colorsys
import functools
import gc
import json
import re
import shutil
from pathlib import Path

import pybtex.plugin
from docutils import nodes
from linlearn_lessons import lessons, number
from linlearn_math import TOGETHER
from sphinx.errors import ExtensionError
from sphinx_external_toc.collectors import TocTreeCollectorWithStyles as TocTreeCollector

# Chapters -----------------------------------------------------------------------------------


def number_by_file_name(assign_section_numbers):
    """Let Sphinx count, then put the number of the chapter in the first place of every number."""

    def assign(collector, env):
        before = env.toc_secnumbers
        assign_section_numbers(collector, env)
        known = lessons(env.srcdir)
        for docname, numbers in env.toc_secnumbers.items():
            chapter = number(docname, known)
            if chapter is None:
                continue
            for anchor, counted in numbers.items():
                numbers[anchor] = counted and (chapter, *counted[1:])
            titles = [env.titles[docname], *env.tocs[docname].findall(nodes.reference)]
            for title in titles:
                if title.get("secnumber"):
                    title["secnumber"] = [chapter, *title["secnumber"][1:]]
        return [name for name, numbers in env.toc_secnumbers.items() if numbers != before.get(name)]

    return assign


# Figures in the dark ------------------------------------------------------------------------

LIGHT_TO_DARK = {
    "#24292f": "#e6edf3",  # ink
    "#57606a": "#9aa7b4",  # muted
    "#d0d7de": "#3d444d",  # grid
    "#ffffff": "#0d1117",  # paper
    "#1f5fa8": "#79b8ff",  # class +1
    "#bf4b0b": "#ffa657",  # class -1
    "#1a7f4b": "#63d297",  # green
    "#7a3fb0": "#c9a2f5",  # purple
    "#b3261e": "#ff8a80",  # red
}


def dark(colour):
    """The palette's dark partner; any other colour keeps its hue and has its lightness mirrored."""
    colour = colour.lower()
    if colour in LIGHT_TO_DARK:
        return LIGHT_TO_DARK[colour]
    hue, light, saturation = colorsys.rgb_to_hls(
        *(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    )
    return "#" + "".join(
        f"{round(255 * c):02x}" for c in colorsys.hls_to_rgb(hue, 1 - light, saturation)
    )


def darken(svg):
    """The same drawing in the dark palette; what has no colour of its own is black, so it is set."""
    svg = re.sub(r"#[0-9a-fA-F]{6}\b", lambda match: dark(match[0]), svg)
    return re.sub(r"<svg\b", f'<svg fill="{dark("#000000")}"', svg, count=1)


FIGURE = re.compile(r'<img\b[^>]*\bsrc="[^"]*_images/([^"/]+)\.svg"[^>]*>')


def both_themes(page, images):
    """Put every figure's dark twin beside it; the theme shows one, and a browser loads only that."""

    def pair(tag):
        width, height = re.search(
            r'viewBox="0 0 ([\d.]+) ([\d.]+)"',
            (images / f"{tag[1]}.svg").read_text(encoding="utf-8"),
        ).groups()
        size = f'width="{round(float(width) * 4 / 3)}" height="{round(float(height) * 4 / 3)}"'
        bare = re.sub(r' (?:class|width|height|style)="[^"]*"', "", tag[0])
        light = bare.replace("<img", f'<img class="only-light" loading="lazy" {size}', 1)
        dark = light.replace("only-light", "only-dark").replace(".svg", ".dark.svg")
        # In a box of their own: beside a hidden image the theme would hide the caption too.
        return f'<span class="drawing">{light}{dark}</span>'

    return FIGURE.sub(pair, page)


# Pages --------------------------------------------------------------------------------------

# The contents list the chapters by name; each unfolds into its lessons, and the one being read is open.
CHAPTER = re.compile(
    r'<p aria-level="2" class="caption" role="heading"><span class="caption-text">(?P<name>[^<]*)</span></p>'
    r'\s*(?P<pages><ul class="(?P<own>current )?nav bd-sidenav">.*?\n</ul>)(?=\s*(?:<p aria-level|</div>))',
    re.DOTALL,
)
LESSON = re.compile(
    r'<li class="toctree-l1([^"]*)">\s*(<a [^>]*>)\s*((\d+)[a-z]?)\. ([^<:]*)(:[^<]*)?</a>'
)


def fold_part(match):
    """A part of several pages folds; a part of one page is a link."""
    if match["pages"].count("<li") == 1:
        return match["pages"].replace('<ul class="', '<ul class="alone ')
    first = LESSON.search(match["pages"])
    number = f'<span class="section-number">{first[4]}</span> ' if first else ""
    name = match["name"].replace("&#39;", "’").replace("'", "’")  # as in the titles
    opened = " open" if match["own"] else ""
    return (
        f'<details class="chapter"{opened}><summary>{number}{name}</summary>\n'
        f"{match['pages']}\n</details>"
    )


def mark_tracks(tracks):
    """Each lesson in the contents has its track as a class, and those of the core say so."""

    def mark(match):
        classes, link, number, _, name, question = match.groups(default="")
        track = tracks.get(number, "")
        core = ' <span class="track">core</span>' if track == "core" else ""
        return (
            f'<li class="toctree-l1{classes} {track}">{link}{number}. <span class="name">{name}</span>'
            f"{question}{core}</a>"
        )

    return mark


# The pictures in the menu of launchers are fetched when it opens.
LAUNCHERS = (r'<img alt="(\w+) logo"', r'<img alt="\1 logo" loading="lazy"')
# In code, names, signs and spaces stand in ink: an element for each would be a third of a page's.
CODE = re.compile(
    r'(<div class="highlight"><pre[^>]*>)(?:<span></span>)?(.*?)(?=</pre>)', re.DOTALL
)
IN_INK = re.compile(r'<span class="[nopw]">([^<]*)</span>')


TIDY = (
    (CODE, lambda m: m[1] + IN_INK.sub(r"\1", m[2])),
    # The theme's icons come from its web font; this script, 1.5 MB on every page, draws them again.
    (r"\s*<script\b[^>]*scripts/fontawesome\.js[^>]*></script>", ""),
    # Menus open by themselves (below), and what else these two scripts do is a few lines of ours.
    (
        r"\s*<(script|link)\b[^>]*scripts/(?:bootstrap|sphinx-book-theme)\.js[^>]*>(?:</script>)?",
        "",
    ),
    # Only the search page searches; the index, 0.2 MB, would be read by every page.
    (
        r'(?:\s*<script src="[^"]*(?:searchtools|language_data|searchindex)\.js"></script>){3}(?=\s*</head>)',
        "",
    ),
    # The title of a folded solution is what a reader opens it by.
    (
        r'<details class="solution[^"]*"([^>]*)>\s*<p class="admonition-title">(.*?)</p>',
        r'<details class="solution"\1>\n<summary>\2</summary>',
    ),
    # A proof looks like prose, not like a box; and one identifier may stand only once in a page.
    (
        r'<div class="proof admonition" id="proof">\s*<p>Proof\. ',
        '<div class="proof-text">\n<p><em>Proof.</em> ',
    ),
    (r'(<section\b[^>]*) id="(?:proof|exercise|solution)-content"', r"\1"),
    # Titles of exercises stand as those of theorems do, without brackets.
    (
        r'(<p class="admonition-title"><span class="caption-number">Exercise [^<]*</span>) \((.*?)\)</p>',
        r"\1 \2</p>",
    ),
    TOGETHER,
    # A name that leaves out the visible text: the visible text is the better name.
    (r'(<button\b[^>]*\bsearch-button-field\b[^>]*?) aria-label="[^"]*"', r"\1"),
    (r'(<summary\b[^>]*?) aria-label="[^"]*"', r"\1"),
    # A menu opens without a script, and its button has the name that it had.
    (
        r'<div class="dropdown (dropdown-[\w-]+)">\s*<button class="(btn) dropdown-toggle"'
        r'[^>]*( aria-label="[^"]*")>(?s:(.*?))</button>'
        r'(\s*<ul class="dropdown-menu">(?s:.*?)</ul>)\s*</div>',
        r'<details class="dropdown \1"><summary class="\2"\3>\4</summary>\5</details>',
    ),
    # What unfolds a part of the contents says which.
    (
        r'(<a class="[^"]*reference internal" href="[^"]*">([^<]*)</a><details[^>]*>)<summary>'
        r'<span class="toctree-toggle" role="presentation">(.*?)</span></summary>',
        r'\1<summary aria-label="Pages of “\2”">\3</summary>',
    ),
    LAUNCHERS,
    # Without a script the theme would be neither, and show both drawings of a figure.
    (r'(<html\b[^>]*) data-theme="auto"', r'\1 data-theme="light"'),
    # The front page is called by the title of the book, once.
    (r"<title>(.*?) &#8212; \1</title>", r"<title>\1</title>"),
    # The link to the front page stands outside every landmark.
    (
        r'<div class="sidebar-primary-item">(\s*<a class="navbar-brand)',
        r'<div class="sidebar-primary-item" role="navigation" aria-label="Front page">\1',
    ),
    # A role that ARIA has withdrawn, inside an element that no longer allows it.
    (r'role="doc-biblioentry"', 'role="listitem"'),
)
UNUSED = (
    "scripts/fontawesome.js*",
    "scripts/bootstrap.js*",
    "scripts/sphinx-book-theme.js*",
    "**/*.map",
    "webpack-macros.html",
    "locales",
)


PRELOAD = """<script>
  // The fonts that the top of a page is set in. From the disk a browser may not fetch them so.
  if (location.protocol !== "file:") for (const href of {}) {{
    const link = {{rel: "preload", as: "font", type: "font/woff2", crossOrigin: "", href}};
    document.head.append(Object.assign(document.createElement("link"), link));
  }}
</script>
"""


def preload_fonts(app, pagename, templatename, context, doctree):
    names = ["serif", "sans", *(["stix-two-math"] if "<math" in context.get("body", "") else [])]
    fonts = [context["pathto"](f"_static/{name}.woff2", 1) for name in names]
    context["metatags"] = context.get("metatags", "") + PRELOAD.format(json.dumps(fonts))


def tidy(page, images, rules):
    """Rewrite one page; return how often the pattern of each rule was found."""
    html = both_themes(page.read_text(encoding="utf-8"), images)
    counts = []
    for pattern, replacement in rules:
        html, count = re.subn(pattern, replacement, html)
        counts.append(count)
    page.write_text(html, encoding="utf-8")
    return counts


def add_twins(figures):
    """Put beside each figure the same in the dark."""
    for figure in list(figures):
        twin = figure.with_suffix(".dark.svg")
        twin.write_text(darken(figure.read_text(encoding="utf-8")), encoding="utf-8")


def set_base_url(app, config):
    """The address where the book is published is written once."""
    config.ogp_site_url = config.html_baseurl


NEEDS_ADDRESS = re.compile(r'\s*<meta property="og:(?:url|image|image:alt)"[^>]*>')


NEEDS_REPOSITORY = {"launch-buttons", "source-buttons"}


def drop_addresses(app, pagename, templatename, context, doctree):
    """Before it is published, a book has no address to show with a link, and no repository to lead to."""
    if not app.config.html_baseurl:
        context["metatags"] = NEEDS_ADDRESS.sub("", context.get("metatags", ""))
        buttons = context.get("header_buttons", [])
        buttons[:] = [each for each in buttons if each["label"] not in NEEDS_REPOSITORY]


def sitemap(app):
    """Of all pages, also those that this build has not written: sphinx-sitemap lists what is written."""
    home = app.config.html_baseurl
    pages = "".join(
        f"<url><loc>{home}{app.builder.get_target_uri(name)}</loc></url>"
        for name in sorted(app.env.found_docs - {"genindex"})
    )
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{pages}</urlset>\n'


def finish(app, exception):
    """Give every figure its dark twin, tidy what was written, drop the files that no page loads."""
    if exception or app.builder.format != "html":
        return
    out = Path(app.outdir)
    add_twins((out / "_images").glob("*.svg"))
    tracks = {lesson.number: lesson.track for lesson in lessons(app.srcdir).values()}
    listed = ((CHAPTER, fold_part), (LESSON, mark_tracks(tracks)))
    rules = (*TIDY, *listed)
    found = [tidy(page, out / "_images", rules) for page in out.rglob("*.html")]
    expected = {**dict.fromkeys(listed, bool(tracks)), LAUNCHERS: app.config.html_baseurl}
    for pattern, counts in zip(rules, zip(*found, strict=True), strict=True):
        if not sum(counts) and expected.get(pattern, True):
            raise ExtensionError(
                f"no page has {pattern[0]!r}: the theme has changed, so change TIDY"
            )
    if app.config.html_baseurl:
        (out / "sitemap.xml").write_text(sitemap(app), encoding="utf-8")
    for pattern in UNUSED:
        for path in (out / "_static").glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


WRITE_NO_PAGES = ("linkcheck", "dummy")
INSTEAD = {
    **dict.fromkeys(("latex", "singlehtml"), ("a PDF", "pdf")),
    "epub": ("a copy to read without a network", "offline"),
}


def refuse_other_builders(app):
    """Say in one line what to use instead; any other builder would lose half of each page."""
    builder = app.builder.name
    if builder == "html" or builder in WRITE_NO_PAGES:
        return
    form, edition = INSTEAD.get(builder, ("other forms of the course", ""))
    command = f"make editions EDITIONS={edition}" if edition else "make editions"
    # Not an exception of Sphinx's, under which Jupyter Book would print forty lines of its own.
    raise SystemExit(
        f"The builder `{builder}` cannot write this book, whose pages are HTML (`make book`). "
        f"For {form}, run `{command}`."
    )


def forget_earlier_build(app):
    """Have Sphinx read all pages anew.

    It would not notice that an extension, the package or a table has changed, and would write some pages
    only, whose numbers and links may depend on all.
    """
    shutil.rmtree(app.doctreedir, ignore_errors=True)
    app.doctreedir.mkdir(parents=True)


def remove_earlier_pages(app):
    if (app.outdir / ".buildinfo").exists():  # a build wrote this folder
        shutil.rmtree(app.outdir)
        app.outdir.mkdir()


def skip_freeing_doctrees(app, exception):
    """To take them apart, at the end, would take as long as to write them."""
    gc.freeze()


def setup(app):
    forget_earlier_build(app)
    gc.disable()  # the trees of all pages stay to the end: looking for garbage would double the time
    # For each citation the files of all packages would be read for a name.
    pybtex.plugin.entry_points = functools.cache(pybtex.plugin.entry_points)
    TocTreeCollector.assign_section_numbers = number_by_file_name(
        TocTreeCollector.assign_section_numbers
    )
    app.connect("config-inited", set_base_url)
    app.connect("builder-inited", refuse_other_builders, priority=1)
    app.connect("builder-inited", remove_earlier_pages, priority=2)  # before others write theirs
    app.connect("html-page-context", preload_fonts)
    app.connect("html-page-context", drop_addresses, priority=900)  # after all have written theirs
    app.connect("build-finished", finish)
    app.connect("build-finished", skip_freeing_doctrees, priority=1000)
    return {"version": "1"}
