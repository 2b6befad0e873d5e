"""Write the numbers, titles and places of the book into `numbers.json`, beside the folder of its pages.

What is made from the finished book (`tools/editions`) reads there what a reference is called and where it
leads, and so needs no Sphinx. Nothing of it is served.
"""

import json
from pathlib import Path

from docutils import nodes
from linlearn_lessons import LABEL, TRACKS, chapters, hours, lessons
from pybtex.richtext import Text

NAME = "numbers.json"
KINDS = {"figure": "Figure", "table": "Table", "exercise": "Exercise"}


def numbers(app):
    """All tables; a place is the page, the anchor in it, and what the book calls it."""
    env, known = app.env, {lesson.page: lesson for lesson in lessons(app.srcdir).values()}
    return {
        "address": app.config.html_baseurl,
        "titles": {page: env.titles[page].astext() for page in pages(env)},
        "sections": {page: sections(of) for page, of in env.toc_secnumbers.items()},
        "labels": labels(env),
        "glossary": "book/glossary",
        "terms": terms(env),
        "bibliography": "book/bibliography",
        "works": works(env),
        "way": LABEL,
        "lessons": {page: about(lesson, known) for page, lesson in known.items()},
        "chapters": [
            {"name": name, "pages": [f"book/{stem}" for stem in stems]}
            for name, stems in chapters(app.srcdir).items()
        ],
        "tracks": list(tracks(known.values())),
    }


def pages(env):
    """In the order of the contents, the front page first."""
    return [page for page in env.collect_relations() if page in env.titles]


def sections(numbered):
    """The numbers of a page's headings, in their order."""
    return [dotted(number) for number in numbered.values() if number]


def labels(env):
    standard = env.domaindata["std"]
    places = {name: (page, anchor, "") for name, (page, anchor) in standard["anonlabels"].items()}
    places |= standard["labels"]
    for page, kinds in env.toc_fignumbers.items():
        for kind, counted in kinds.items():
            if kind != "displaymath":
                for label, number in counted.items():
                    places[label] = page, label, f"{called(env, label, kind)} {dotted(number)}"
    for label, (page, _) in env.domaindata["math"]["objects"].items():
        anchor = nodes.make_id(f"equation-{label}")
        number = dotted(env.toc_fignumbers[page]["displaymath"][anchor])
        places[label] = page, anchor, f"({number})"
    return {label: [*map(str, place)] for label, place in places.items()}


def called(env, label, kind):
    """What a statement is called, which is counted with those of other kinds; or a figure, an exercise."""
    proved = env.proof_list.get(label)
    return proved["realtype"].title() if proved else KINDS[kind]


def dotted(number):
    return ".".join(map(str, number))


def terms(env):
    objects = env.domaindata["std"]["objects"]
    return {name.lower(): anchor for (kind, name), (_, anchor) in objects.items() if kind == "term"}


def works(env):
    """Who wrote each work, and when, as the book cites it; `place` is its place in the bibliography."""
    return {
        cited.key: {
            "who": writers(cited.entry.persons),
            "year": str(Text.from_latex(cited.entry.fields.get("year", "n.d."))),
            "anchor": cited.citation_id,
            "place": place,
        }
        for place, cited in enumerate(env.domaindata["cite"]["citations"])
    }


def writers(persons):
    names = [
        str(Text.from_latex(" ".join([*person.prelast_names, *person.last_names])))
        for person in persons.get("author") or persons["editor"]
    ]
    if len(names) > 2:
        return f"{names[0]} *et al.*"
    return " and ".join(names)


def about(lesson, known):
    before = {other.stem: page for page, other in known.items()}
    return {
        "number": lesson.number,
        "name": lesson.name,
        "track": lesson.kind,
        "time": lesson.time,
        "can": lesson.can,
        "after": [before[stem] for stem in lesson.after],
        "knows": lesson.knows,
    }


def tracks(known):
    for track, (name, says) in TRACKS.items():
        own = [lesson.minutes for lesson in known if lesson.track == track]
        pages = "pages" if track == "depth" else "lessons"
        yield {"name": name, "says": says, "time": f"{len(own)} {pages}, about {hours(*own)}"}


def write(app, exception):
    if not exception and app.builder.format == "html":
        text = json.dumps(numbers(app), ensure_ascii=False, indent=1)
        Path(app.outdir).with_name(NAME).write_text(f"{text}\n", encoding="utf-8")


def setup(app):
    app.connect("build-finished", write)
    return {"version": "1"}
