"""The syllabus: the core in five weeks or in ten, with meetings, reading, assignments and hours."""

from functools import cache
from itertools import accumulate, pairwise

from linlearn_lessons import Lesson, hours, lessons

from tools.editions import ROOT
from tools.editions.assignments import SEED, WEEKS

MEETING = {5: 90, 10: 45}  # minutes of a lecture, and of an exercise class; in all the same time
WORK = 90  # minutes for an assignment: an estimate, like the hours of the lessons


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
    return "; ".join(f"{one.number} {one.name}" for one in own)


def syllabus(core: list[Lesson], weeks: int) -> str:
    """For each week its meetings with what is read before them, assignments, hours and outcomes."""
    taught, out, meeting = plan(core, weeks), handed_out(weeks), MEETING[weeks]
    lines = [f"# Linear classification in {weeks} weeks", ""]
    lines += [
        f"Each week has two meetings, a lecture and an exercise class, of {meeting} minutes each. The "
        "lecture treats the lessons that students have read before it, and introduces the others by "
        "their slides. In the exercise class students solve exercises of all lessons of the week. An "
        "assignment is handed out in the exercise class, and handed in before the exercise class of the "
        "week after, which discusses its solutions.",
        "",
        "| week | read before the lecture | read before the exercise class | assignment out | "
        "assignment in | in class | at home |",
        "|--:|---|---|:-:|:-:|---|---|",
    ]
    home = []
    for week, own in enumerate(taught, 1):
        first, second = halves(own)
        given, due = (f"{out[w]}" if w in out else "–" for w in (week, week - 1))
        home.append(at_home(own, meeting, due=week - 1 in out))
        lines += [
            f"| {week} | {named(first)} | {named(second) or 'its exercises'} "
            f"| {given} | {due} | {hours(2 * meeting)} | {hours(home[-1])} |"
        ]
    if weeks in out:
        home.append(WORK)
        lines += [f"| {weeks + 1} | – | – | – | {out[weeks]} | – | {hours(WORK)} |"]
    in_class = [2 * meeting] * weeks
    lines += [
        "",
        f"In all {hours(*in_class)} in class and {hours(*home)} at home. The time for the lessons, "
        f"{hours(*map(minutes, core))} with all exercises, is an estimate for a careful "
        "reader; what is done in class counts as part of it. An assignment takes about "
        f"{hours(WORK)} more.",
        "",
        "## Outcomes",
        "",
        "After each week students can do the following.",
        *(line for week, own in enumerate(taught, 1) for line in outcomes(week, own)),
    ]
    return "\n".join(lines) + "\n"


def outcomes(week: int, own: list[Lesson]) -> list[str]:
    """What students can do after the lessons of a week."""
    return ["", f"**Week {week}**", "", *(f"- {one.number} {one.name}: {one.can}" for one in own)]


def at_home(own: list[Lesson], meeting: int, *, due: bool) -> int:
    """Minutes of a week outside class: for the lessons, without the meetings, and for an assignment due."""
    return sum(map(minutes, own)) - 2 * meeting + WORK * due
