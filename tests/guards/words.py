"""Guards on words, links and marks: nothing is loaded from elsewhere, nothing is called easy."""

import ast
import re
from collections.abc import Iterator

from guards.page import Page, code_without_magics, figure_data, guard, outputs

UNPROVED = (  # what is said in the place of a reason
    "obviously",
    "trivially",
    "it can be shown",
    "easy to see",
    "easily seen",
    "left to the reader",
    "left as an exercise",
)
RETIRED = {  # what the field calls otherwise, and its own word for it
    r"most probable (?:plane|line|classifier)": "maximum-likelihood estimate",
    r"vot(?:e|es|er|ers|ing)": "convex combination, dual variables or certificate of inseparability",
    r"borders?": "decision boundary",
    r"offsets?": "intercept",
    r"lift(?:ed|ing)": "augmented",
    r"wrong labels?": "misclassified, or noisy label",
    r"needless catch(?:es)?": "false positive",
    r"shortfalls?|(?:falls?|falling) short": "slack, or violates the margin",
    r"programmes?": "linear program",
    r"sweeps?": "epoch",
    r"doubts?": "failure probability, or confidence",
    r"rows that (?:do not |did not )?(?:teach|taught)|drawer": "training set, or test set",
    r"said and seen": "reliability diagram",
    r"aims? right|aiming right": "classification-calibrated",
    r"far samples?": "outlier",
    r"machines? that steps?": "iterative method",
    r"columns of a word": "one-hot encoding",
    r"second loop": "nested cross-validation",
}
NAMED = ("prf:", "exercise", "mistake", "admonition")  # directives whose argument is a title
NEIGHBOURS = re.compile(
    r"(?:00_|errata_4)"
)  # pages on which neighbours vote, as they do in the field
EMOJI = re.compile(
    "[\U0001f000-\U0001faff\u2705\u274c\u274e\u2728\u2b50\u2b55\u26a0\u2757\u2753\ufe0f]"
)
MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
SURNAME = rf"(?!(?:{MONTHS})\b)[A-Z][\w’'-]*[^\W\d_A-Z]"
AUTHORS = rf"{SURNAME}(?:(?:, and |, | and |–){SURNAME})*(?: et al\.)?"
YEAR = r"(?:1[5-9]|20)\d\d[a-z]?\b"
WORK = re.compile(rf"(?:{AUTHORS} \({YEAR}|(?<=\()(?:[^()]* )?{AUTHORS},? {YEAR})\)?")
ELSEWHERE = r"(?:https?:)?//"
LOADS = re.compile(
    rf"<(?:img|script|iframe|link|source|video|audio|embed|object|track|image|use)\b[^>]*?"
    rf"\b(?:src|srcset|href|data|poster)\s*=\s*[\"']?\s*(?P<tag>{ELSEWHERE}[^\s\"'>]*)"
    rf"|@import\s+(?:url\()?[\"']?(?P<sheet>{ELSEWHERE}[^\s\"')]*)"
    rf"|url\(\s*[\"']?(?P<style>{ELSEWHERE}[^\s\"')]*)",
    re.IGNORECASE,
)


def loaded(html: str) -> list[str]:
    """The addresses on other hosts that a piece of HTML, SVG or CSS loads; `<a href>` loads nothing."""
    return [found["tag"] or found["sheet"] or found["style"] for found in LOADS.finditer(html)]


@guard
def self_contained(page: Page) -> Iterator[str]:
    """Nothing is loaded from another host; ordinary hyperlinks are welcome."""
    for cell, reading in page.readings:
        urls = [url for html in reading.html for url in loaded(html)]
        urls += [src for src, _ in reading.images if re.match(ELSEWHERE, src)]
        urls += [
            d.argument
            for d in reading.directives
            if d.name in ("figure", "image") and re.match(ELSEWHERE, d.argument)
        ]
        for url in urls:
            yield (
                f"{page.at(cell)}: loads {url}. Put the file into the book, or make it a hyperlink."
            )
    for cell in page.code:
        urls = [
            url
            for mime, text in outputs(cell)
            if mime in ("text/html", "image/svg+xml", "text/markdown")
            for url in loaded(text)
        ]
        for node in ast.walk(ast.parse(code_without_magics(cell))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                urls += re.findall(r"https?://\S+", node.value)
            if (name := getattr(node, "attr", getattr(node, "id", ""))).startswith("fetch_"):
                urls.append(f"what `{name}` downloads")
        for url in urls:
            yield f"{page.at(cell)}: loads {url}. Use data that `linlearn.data` carries."


@guard
def modest(page: Page) -> Iterator[str]:
    """No phrase that tells the reader how easy it is, instead of giving the reason."""
    for cell, reading in page.readings:
        for text in reading.prose + reading.links:
            plain = " ".join(text.split())
            for phrase in UNPROVED:
                if found := re.search(rf"\b{phrase}\b", plain, re.IGNORECASE):
                    yield f"{page.at(cell)}: says “{found[0]}”. Delete it, or give the reason."


def retired(text: str, page: str) -> Iterator[str]:
    """One message for each retired word in what names a thing on a page."""
    plain = " ".join(re.sub(r"\{[\w:-]+\}`[^`]*`|`[^`]*`|\$[^$]*\$", " ", text).split())
    for words, standard in RETIRED.items():
        if words.startswith("vot") and NEIGHBOURS.match(page):
            continue
        if found := re.search(rf"\b(?:{words})\b", plain, re.IGNORECASE):
            yield f"“{found[0]}” in “{plain[:60]}”: the field's term is {standard}."


@guard
def named_by_the_field(page: Page) -> Iterator[str]:
    """Titles, headings, captions and alternative texts use the field's terms."""
    named = []
    for cell in page.notebook.cells:
        if cell.cell_type == "code":
            image, figure = figure_data(cell)
            named += [(cell, image.get("alt", "")), (cell, figure.get("caption", ""))]
        else:
            named += [(cell, line) for line in re.findall(r"^#+ (.*)", cell.source, re.MULTILINE)]
    for cell, reading in page.readings:
        for box in reading.directives:
            named += [(cell, box.argument)] if box.name.startswith(NAMED) else []
            named += [(cell, box.options.get("alt", ""))]
    for cell, text in named:
        for message in retired(text, page.path.name):
            yield f"{page.at(cell)}: {message}"


@guard
def described_images(page: Page) -> Iterator[str]:
    """Images placed by Markdown or by a directive have an alternative text."""
    for cell, reading in page.readings:
        for src, alt in reading.images:
            if not alt.strip():
                yield (
                    f"{page.at(cell)}: image {src} has no alternative text. Write it between the "
                    "brackets."
                )
        for directive in reading.directives:
            if directive.name in ("figure", "image") and len(directive.options.get("alt", "")) < 40:
                yield (
                    f"{page.at(cell)}: `{directive.name}` {directive.argument} must have an "
                    "`:alt:` of at least 40 characters."
                )


@guard
def no_emoji(page: Page) -> Iterator[str]:
    """Words and mathematics carry the meaning."""
    for cell in page.notebook.cells:
        shown = outputs(cell) if cell.cell_type == "code" else []
        for text in [cell.source, *(text for mime, text in shown if not mime.startswith("image/"))]:
            if found := EMOJI.search(text):
                yield f"{page.at(cell)}: contains the emoji U+{ord(found[0]):04X}. Write a word."


@guard
def cited(page: Page) -> Iterator[str]:
    """A work named by its authors and year is a citation, so that the bibliography has it."""
    for cell, reading in page.readings:
        for text in reading.prose + reading.links:
            for found in WORK.finditer(" ".join(text.split())):
                yield (
                    f"{page.at(cell)}: names a work, “{found[0].strip()}”. Cite it by "
                    "{cite:t}`key` or {cite:p}`key`, with an entry in book/references.bib."
                )
