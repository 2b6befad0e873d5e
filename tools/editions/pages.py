"""What several editions read off the built pages."""

from pathlib import Path

from bs4 import BeautifulSoup, Tag

BETWEEN = "form.practice, details.hint, details.solution"
"""What may stand between an exercise and its question."""


def article(html: Path, stem: str) -> Tag:
    """The text of a built page."""
    page = (html / "book" / f"{stem}.html").read_text("utf8")
    start, end = page.index("<article"), page.rindex("</article>")
    return BeautifulSoup(page[start:end], "html.parser").article


def exercise_of(form: Tag) -> Tag | None:
    """The exercise to which a question on a page belongs, if it is not a question of its own."""
    before = form.find_previous_sibling()
    while before is not None and before.css.match(BETWEEN):
        before = before.find_previous_sibling()
    return before if before is not None and "exercise" in before.get("class", ()) else None
