"""The plan of a lecture: which slides of a deck it shows, and for how many minutes each.

The lecture of a week is shared among its lessons in proportion to their time. A deck has more slides than
its share has minutes for, mostly questions; those that the plan leaves out stay in the deck, in reserve.
"""

from collections import Counter
from itertools import accumulate, pairwise

from linlearn_lessons import Lesson

from tools.editions import syllabus

WEEKS = 5  # ten weeks have lectures half as long, so that a lesson gets the same time
LEAST = {
    "title": 1,
    "start": 1,
    "figure": 1,
    "definition": 2,
    "statement": 2,
    "proved": 2,
    "mistake": 1,
    "question": 2,
    "keep": 1,
}
"""Minutes that a slide of each kind takes, if there is time."""
STATEMENTS = ("proved", "statement", "definition")
"""A statement is proved if the notes of its slide have its proof."""
ASKED = 2  # questions that a lecture has left when it shortens a proof


def share(lesson: Lesson) -> int:
    """The minutes of the week's lecture for a lesson; those of all its lessons sum to the lecture."""
    own = syllabus.plan(syllabus.core(), WEEKS)[syllabus.week_of(lesson.stem, WEEKS) - 1]
    spent = [0, *accumulate(map(syllabus.minutes, own))]
    ends = [round(syllabus.MEETING[WEEKS] * time / spent[-1]) for time in spent]
    return dict(zip((one.stem for one in own), (b - a for a, b in pairwise(ends)), strict=True))[
        lesson.stem
    ]


def plan(slides: list[tuple[str, str]], total: int) -> list[int]:
    """The minutes of each slide, given by its kind and its section; 0 for one in reserve.

    Where there are too few, questions go into reserve until each section has one, then mistakes; then
    statements without a proof get a minute less; then other questions go, but for two; then statements with
    a proof get a minute less, because nobody explains one in a minute if there is time for more; always from
    the last. Minutes that are left go to proofs, questions, other statements and figures in turn.
    """
    minutes = [LEAST[kind] for kind, _ in slides]
    while sum(minutes) > total:
        at = spared(slides, minutes)
        minutes[at] = 1 if minutes[at] > 1 and slides[at][0] in STATEMENTS else 0
    longer = [
        k
        for kind in ("proved", "question", "statement", "definition", "figure")
        for k, (own, _) in enumerate(slides)
        if own == kind and minutes[k]
    ]
    for turn in range(total - sum(minutes)):
        minutes[longer[turn % len(longer)]] += 1
    return minutes


def spared(slides: list[tuple[str, str]], minutes: list[int]) -> int:
    """The slide that loses time next, as `plan` says."""
    shown = [k for k, time in enumerate(minutes) if time]
    asked = Counter(section for kind, section in (slides[k] for k in shown) if kind == "question")
    most = max(asked.values(), default=0)

    def rank(k: int) -> tuple[int, int]:
        kind, section = slides[k]
        if kind == "question" and asked[section] == most > 1:
            return 6, k
        if kind == "mistake":
            return 5, k
        if kind in STATEMENTS and minutes[k] > 1:
            return (2 if kind == "proved" else 4), k
        if kind == "question":
            return (3 if asked.total() > ASKED else 1), k
        return 0, k

    return max(shown, key=rank)


def words(minutes: list[int]) -> list[str]:
    """What the notes of each slide say of its time."""
    total = sum(minutes)
    return [
        f"{time} minute{'s' * (time > 1)}, up to minute {end} of {total}."
        if time
        else f"Reserve slide, not counted in the {total} minutes."
        for time, end in zip(minutes, accumulate(minutes), strict=True)
    ]
