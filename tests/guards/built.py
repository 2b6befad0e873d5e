"""Guards on the built pages: links lead somewhere, nothing comes from elsewhere, figures are described."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from guards.words import loaded


@dataclass(eq=False)
class Built(HTMLParser):
    """One built page: its identifiers, its images, and what it links to or loads."""

    site: Path
    path: Path
    ids: set[str] = field(default_factory=set)
    images: list[dict[str, str]] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self):
        super().__init__()
        self.name = str(self.path.relative_to(self.site))
        self.text = self.path.read_text("utf8")
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {key: value or "" for key, value in attrs}
        self.ids |= {values[key] for key in ("id", "name") if key in values}
        if tag == "img":
            self.images.append(values)
        self.links += [(tag, values[key]) for key in ("href", "src", "action") if key in values]


def built_pages(site: Path) -> list[Built]:
    """Every page of a built book; the theme's own templates are none."""
    return [
        Built(site, path) for path in sorted(site.rglob("*.html")) if "_static" not in path.parts
    ]


def dead_links(pages: list[Built]) -> Iterator[str]:
    """Every link inside the book leads to a file, and to a place in it, that exists."""
    ids = {page.path.resolve(): page.ids for page in pages}
    file = cache(lambda folder, path: (there := (folder / path).resolve(), there.is_file()))
    for page in pages:
        for tag, url in page.links:
            parts = urlsplit(url)
            if parts.scheme or parts.netloc:
                continue
            target, exists = file(page.path.parent, unquote(parts.path) or page.path.name)
            place = unquote(parts.fragment)
            if not exists:
                yield f"{page.name}: <{tag}> leads to {url}, which does not exist. Mend the link."
            elif place and place not in ids.get(target, {place}):
                yield (
                    f"{page.name}: <{tag}> leads to {url}, but that page has no such place. Mend "
                    "the label."
                )


def loads_elsewhere(pages: list[Built]) -> Iterator[str]:
    """Only `<a href>` and the canonical address name another host: no script, style, font or image does."""
    for page in pages:
        text = re.sub(r"<link\b[^>]*\brel=[\"']canonical[\"'][^>]*>", "", page.text)
        for url in loaded(text):
            yield f"{page.name}: loads {url}. Serve it from the book."
    for sheet in sorted(pages[0].site.rglob("*.css")) if pages else []:
        for url in loaded(sheet.read_text("utf8")):
            yield f"{sheet.relative_to(pages[0].site)}: loads {url}. Serve it from the book."


# What only a formula holds, in no font as it should be: ⟨a, zᵢ⟩ is written $\langle a,z_i\rangle$.
SOUP = re.compile(r"\S*[⟨⟩‖∑Σℝᵀ⁰¹²³⁴-⁹⁺⁻ⁿ₀-₉₊₋ᵢⱼₖₙ\u0302-\u0304]\S*")
SET_APART = re.compile(
    r'<(math|pre|code|script|style|head|dt class="sig)\b.*?</(?:math|pre|code|script|style|head|dt)>'
    r'|<table class="table results">.*?</table>'  # printed by a cell, as is the next
    r'|(?<=<details class="check">)\s*<summary>.*?</summary>',
    re.DOTALL,
)


def unset_formulas(pages: list[Built]) -> Iterator[str]:
    """Formulas are typeset, and not spelt in letters that happen to be small or raised."""
    for page in pages:
        text = re.sub(r"<[^>]*>", " ", SET_APART.sub("", page.text))
        for found in SOUP.findall(unescape(text)):
            yield (
                f"{page.name}: {found} is not typeset. In a page write it as $…$; in a docstring help "
                "book/_ext/linlearn_plain.py to find it."
            )


def poor_images(pages: list[Built]) -> Iterator[str]:
    """Each image says what it shows; each figure has a light and a dark drawing."""
    for page in pages:
        drawn = {image["src"] for image in page.images}
        for image in page.images:
            source, alt = image["src"], image.get("alt", "").strip()
            if not alt or Path(source).name in alt:
                yield f"{page.name}: image {source} has no alternative text. Write one."
            if not re.search(r"_images/.*\.svg$", source):
                continue
            if 0 < len(alt) < 40:
                yield (
                    f"{page.name}: figure {source} needs an alternative text of 40 characters. "
                    "Write one."
                )
            if source.endswith(".dark.svg"):
                continue
            twin = source.removesuffix(".svg") + ".dark.svg"
            if twin not in drawn or not (page.path.parent / twin).is_file():
                yield (
                    f"{page.name}: figure {source} has no dark twin {Path(twin).name}. Build "
                    "again, see book/_ext."
                )
