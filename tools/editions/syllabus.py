"""The syllabus: the core in five weeks or in ten, with meetings, reading, assignments, hours and rules."""

import tomllib
from collections import defaultdict
from functools import cache
from itertools import accumulate, pairwise

from linlearn_lessons import Lesson, hours, lessons

from tools.editions import ROOT
from tools.editions.assignments import SEED, WEEKS
from tools.editions.meetings import in_class, lecture, sixth

MEETING = {5: 90, 10: 45}  # minutes of a lecture, and of an exercise class; in all the same time
WORK = 90  # minutes for an assignment: an estimate, like the hours of the lessons
GLUE = "\N{NO-BREAK SPACE}"  # after a number in a table
# What to leave out if time is short, in this order; the front page gives the same advice.
SHORTER = ("06_inference", "07_losses", "05_gradient", "11_multiclass")
URLS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))["project"]["urls"]
INSTALL = f'python -m pip install jupyterlab "linclass[book] @ git+{URLS["Homepage"]}"'
NEEDED = f"""## What students need

Linear algebra, derivatives, a little probability with the normal distribution, and Python with NumPy. The
page *What you need* of the book explains what else the lessons assume.

Python 3.11 or later, Git, JupyterLab, and the package of the course, which is installed as `linclass` and
imported as `linlearn`:

    {INSTALL}
"""
RULES = """## Rules

- The assignments count 40 % of the grade, the examination 60 %. Of the assignments the best four count.
- Assignments are accepted until the exercise class that discusses them begins; late ones earn nothing.
- Discuss the assignments with others, and ask a language model to explain what you do not understand. But
  write your code yourself, name who or what helped you, and be ready to explain each line.
"""


def core() -> list[Lesson]:
    """The core lessons in their order."""
    return [lesson for lesson in lessons(ROOT).values() if lesson.track == "core"]


def minutes(lesson: Lesson) -> int:
    """How long a lesson takes, in half-hours as it is shown, so that sums agree with what is shown."""
    return 30 * round(lesson.minutes / 30)


def plan(core: list[Lesson], weeks: int) -> list[list[Lesson]]:
    """The core in its order; each week ends with the lesson at which its share of the time is nearest."""
    spent = [0, *accumulate(map(minutes, core))]
    shares = (week * spent[-1] / weeks for week in range(weeks + 1))
    ends = [min(range(len(spent)), key=lambda k: abs(spent[k] - share)) for share in shares]
    return [core[start:end] for start, end in pairwise(ends)]


@cache
def week_of(stem: str, weeks: int = 5) -> int:
    """The week that teaches a core lesson."""
    own = plan(core(), weeks)
    return next(week for week, taught in enumerate(own, 1) if stem in {one.stem for one in taught})


@cache
def handed_out(weeks: int) -> dict[int, int]:
    """The number of each assignment, by the week at whose end all is taught that it asks."""
    last = {
        number: max(week_of(task.lesson, weeks) for task in make(SEED).tasks)
        for number, make in WEEKS.items()
    }
    return {week: number for number, week in last.items()}


def halves(own: list[Lesson]) -> tuple[list[Lesson], list[Lesson]]:
    """What is read before the lecture and before the exercise class; of one lesson, nothing is left."""
    if len(own) == 1:
        return own, []
    first, second = plan(own, 2)
    return first, second


def named(own: list[Lesson]) -> str:
    return "; ".join(
        f"{one.number}{GLUE}{one.name}{' (optional)' if one.optional else ''}" for one in own
    )


def glued(text: str) -> str:
    """Words that stay on one line."""
    return text.replace(" ", GLUE)


def shorter(core: list[Lesson]) -> str:
    """The advice what to leave out, in words."""
    numbers = [next(one.number for one in core if one.stem == stem) for stem in SHORTER]
    [optional] = [one.number for one in core if one.optional]
    return (
        f"Lesson {optional} is optional. If time is short, leave out lessons {', '.join(numbers[:-1])} and "
        f"{numbers[-1]}, in this order: no other core lesson requires them."
    )


def meetings(taught: list[list[Lesson]], weeks: int) -> list[str]:
    """What each lecture treats and each exercise class solves, with the minutes, as a table."""
    lines = [
        "## Meetings",
        "",
        "Suggested minutes are in brackets; in the lecture they include questions and discussion. The "
        "exercises are solved on paper, and confirmed with the package at home. One star (⋆) marks an "
        "exercise that applies what the lesson has shown, two stars one that needs an idea, three a longer "
        "proof.",
        "",
        "| week | lecture | exercise class |",
        "|--:|---|---|",
    ]
    for week, own in enumerate(taught, 1):
        minutes, back = MEETING[weeks], handed_out(weeks).get(week - 1)
        parts = [
            f"{one.number}{GLUE}{one.name}{GLUE}({time})"
            for one, time in lecture(*halves(own), minutes)
        ]
        left = minutes - (sixth(minutes) if back else 0)
        solved = [f"solutions of assignment {back} ({sixth(minutes)})"] if back else []
        solved += [
            f"{one.number}{GLUE}*{one.title}*{GLUE}{'⋆' * one.stars}{GLUE}({one.minutes})"
            for one in in_class(own, left)
        ]
        lines += [f"| {week} | {'; '.join(parts)} | {'; '.join(solved)} |"]
    return lines


def syllabus(core: list[Lesson], weeks: int) -> str:
    """For each week its meetings with what is read before them, assignments, hours and outcomes."""
    taught, out, meeting = plan(core, weeks), handed_out(weeks), MEETING[weeks]
    lines = [f"# Linear classification in {weeks} weeks", ""]
    lines += [
        f"Each week has two meetings, a lecture and an exercise class, of {meeting} minutes each. The "
        "lecture treats the lessons that students have read before it, and introduces the others. In the "
        "exercise class students solve exercises of all lessons of the week. The reading for the first "
        f"lecture takes {hours(*map(minutes, halves(taught[0])[0]))}. An "
        "assignment is handed out in the exercise class, and handed in before the exercise class of the "
        "week after, which discusses its solutions.",
        "",
        "| week | read before the lecture | read before the exercise class | assignment out | "
        "assignment in | in class | at home |",
        "|--:|---|---|:-:|:-:|---|---|",
    ]
    home = in_half_hours(
        [at_home(own, meeting, due=week - 1 in out) for week, own in enumerate(taught, 1)]
    )
    for week, own in enumerate(taught, 1):
        first, second = halves(own)
        given, due = (f"{out[w]}" if w in out else "–" for w in (week, week - 1))
        lines += [
            f"| {week} | {named(first)} | {named(second) or 'its exercises'} "
            f"| {given} | {due} | {glued(hours(2 * meeting))} | {glued(hours(home[week - 1]))} |"
        ]
    if weeks in out:
        home.append(WORK)
        lines += [f"| {weeks + 1} | – | – | – | {out[weeks]} | – | {glued(hours(WORK))} |"]
    met = [2 * meeting] * weeks
    lines += [
        "",
        f"The lessons take {hours(*map(minutes, core))} with all exercises, which is an estimate for a "
        f"careful reader, and the assignments {hours(WORK)} each. The exercise classes are part of this "
        f"time, the lectures are not: together {hours(*met)} in class and {hours(*home)} at home.",
        "",
        f"{shorter(core)} The missing numbers are optional lessons, on theory and further depth. So follow "
        "the reading list, not the links *next* of the pages.",
        "",
        *meetings(taught, weeks),
        "",
        *assignments(),
        "",
        *NEEDED.split("\n"),
        *RULES.split("\n"),
        "## Outcomes",
        "",
        "After each week students can do the following.",
        *(line for week, own in enumerate(taught, 1) for line in outcomes(week, own)),
    ]
    return "\n".join(lines) + "\n"


def assignments() -> list[str]:
    """What each assignment is about, and which task belongs to which lesson, as a table."""
    lines = [
        "## Assignments",
        "",
        "| assignment | about | lessons, with their tasks |",
        "|--:|---|---|",
    ]
    for number, make in WEEKS.items():
        one, asked = make(SEED), defaultdict(list)
        for task in one.tasks:
            asked[task.lesson_name.replace(" ", GLUE, 1)].append(task.name)
        told = "; ".join(f"*{name}*: {', '.join(tasks)}" for name, tasks in asked.items())
        lines.append(f"| {number} | {one.about} | {told} |")
    return lines


def outcomes(week: int, own: list[Lesson]) -> list[str]:
    """What students can do after the lessons of a week."""
    return ["", f"**Week {week}**", "", *(f"- {one.number} {one.name}: {one.can}" for one in own)]


def at_home(own: list[Lesson], meeting: int, *, due: bool) -> int:
    """Minutes of a week outside class: for the lessons, less an exercise class, and an assignment due."""
    return sum(map(minutes, own)) - meeting + WORK * due


def in_half_hours(minutes: list[int]) -> list[int]:
    """Minutes in half-hours that have the same sum, up to rounding."""
    sums = [30 * round(total / 30) for total in accumulate(minutes, initial=0)]
    return [after - before for before, after in pairwise(sums)]
