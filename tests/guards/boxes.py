"""Guards on boxes and marks: each is written in one way, and says what it is for."""

import re
from collections.abc import Iterator

from guards.page import Page, guard

EXERCISES = ("exercise", "exercise-start")
CLASSES = ("star-1", "star-2", "star-3")


@guard
def mistakes(page: Page) -> Iterator[str]:
    """A common mistake is said as its believers say it, and refuted in the box."""
    for cell, reading in page.readings:
        for box in reading.directives:
            if box.name == "mistake" and (not box.argument.strip() or len(box.body.split()) < 8):
                yield (
                    f"{page.at(cell)}: a `mistake` must have the belief as its title and a counterexample "
                    f"in it, got {box.argument!r}. Write the smallest one."
                )


@guard
def marks(page: Page) -> Iterator[str]:
    """Of an exercise's classes only its stars, on all exercises of a page or on none; a mark has no text."""
    starred, bare = [], []
    for cell, reading in page.readings:
        for box in reading.directives:
            if box.name in EXERCISES:
                classes = box.options.get("class", "").split()
                (starred if classes else bare).append(cell)
                if len(classes) > 1 or not set(classes) <= set(CLASSES):
                    yield (
                        f"{page.at(cell)}: an exercise must have one of the classes {', '.join(CLASSES)}, "
                        f"got {' '.join(classes)}. Keep one."
                    )
            if box.name == "second-reading" and (box.argument or box.body):
                yield (
                    f"{page.at(cell)}: `second-reading` must be empty, got "
                    f"{(box.argument or box.body).strip()[:30]!r}. It marks what it stands in."
                )
    for cell in bare if starred else []:
        yield f"{page.at(cell)}: the other exercises have stars. Add `:class: star-1`, -2 or -3."


@guard
def hints(page: Page) -> Iterator[str]:
    """Hints name an exercise that stands above them, once, and are a list with an item for each step."""
    above, helped = set(), set()
    for cell, reading in page.readings:
        for box in reading.directives:
            if box.name in EXERCISES:
                above.add(box.options.get("label", ""))
            if box.name != "hints":
                continue
            if box.argument not in above or box.argument in helped:
                yield (
                    f"{page.at(cell)}: `hints` must name an exercise above that has none yet, got "
                    f"{box.argument!r}. Put them below its exercise."
                )
            helped.add(box.argument)
            if not re.match(r"[-*] \S", box.body.strip()):
                yield (
                    f"{page.at(cell)}: `hints` must be a list, got {box.body.strip()[:30]!r}. Write an "
                    "item for each step."
                )
