"""The Moodle edition: what its importer asks of a file, and every reason of the question bank."""

import html
import re
from xml.etree import ElementTree

import pytest
from conftest import loud_skip
from guards import ROOT

from linlearn.practice.bank import Question, Wrong, bank, numbers
from tools.editions import moodle

HTML = ROOT / "_build" / "html"
NUMBER = r"-?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?"  # as question/type/multianswer reads it
ALTERNATIVE = re.compile(rf"(=|%-?[0-9]+%)({NUMBER})(?::({NUMBER}))?#(.*?)(?<!\\)(?=[~}}])")
FIELD = re.compile(r"\{([0-9]*):NUMERICAL:((?:[^~}]|~)*?)\}")


@pytest.fixture(scope="module")
def questions():
    """The questions that an importer reads back from the file, by name."""
    text = ElementTree.tostring(moodle.quiz({}), encoding="unicode", xml_declaration=True)
    found = ElementTree.fromstring(text).findall("question[@type!='category']")
    return {question.findtext("name/text"): question for question in found}


def answers(question):
    """What an importer makes of the answers: for each field its (percent, value, tolerance, reason)."""
    if question.get("type") == "cloze":
        text = question.findtext("questiontext/text")
        return [
            [
                (
                    100.0 if p == "=" else float(p.strip("%")),
                    float(x),
                    float(near),
                    html.unescape(why),
                )
                for p, x, near, why in ALTERNATIVE.findall(field + "}")
            ]
            for _, field in FIELD.findall(text)
        ]
    return [
        [
            (
                float(answer.get("fraction")),
                float(answer.findtext("text")),
                float(answer.findtext("tolerance")),
                answer.findtext("feedback/text"),
            )
            for answer in question.findall("answer")
        ]
    ]


def grade(alternatives, typed):
    """Moodle takes the first alternative that an answer is near to; the tolerance itself is near enough."""
    near = (a for a in alternatives if abs(a[1] - typed) <= a[2] + 1e-9 * abs(a[1]))
    return next(((percent, why) for percent, _, _, why in near), (0.0, ""))


def test_every_question_of_the_bank_is_there(questions):
    """Each has a name, a text and a number to know it by; hints are kept in their order."""
    assert questions.keys() == bank().keys()
    for name, question in questions.items():
        assert question.findtext("idnumber") == name
        assert question.findtext("questiontext/text").startswith("<p>")
        hints = [hint.findtext("text") for hint in question.findall("hint")]
        assert hints == [moodle.rich(hint) for hint in bank()[name].hints]


def test_a_choice_has_one_right_answer_and_every_reason(questions):
    """One answer of 100 percent, none of the others counts, and each is explained."""
    choices = {name: q for name, q in questions.items() if q.get("type") == "multichoice"}
    assert {name for name, q in bank().items() if q.choices} == choices.keys()
    for name, question in choices.items():
        fractions = [answer.get("fraction") for answer in question.findall("answer")]
        assert fractions.count("100") == 1 and set(fractions) == {"0", "100"}, name
        said = {answer.findtext("text"): answer for answer in question.findall("answer")}
        for choice in bank()[name].choices:
            answer = said[moodle.rich(choice.says)]
            assert answer.findtext("feedback/text") == moodle.rich(choice.why)
            assert (answer.get("fraction") == "100") == choice.right


def test_typed_answers_are_graded_as_the_bank_grades_them(questions):
    """The right numbers get 100 percent, rounded to three digits too; each known error its reason."""
    for name, question in questions.items():
        known = bank()[name]
        if known.choices:
            continue
        fields, right = answers(question), numbers(known.answer)
        assert len(fields) == len(right), name
        for alternatives, value in zip(fields, right, strict=True):
            assert [percent for percent, *_ in alternatives].count(100) == 1
            assert grade(alternatives, value) == (100, moodle.rich(known.why)), name
            assert grade(alternatives, float(f"{value:.3g}"))[0] == 100 or value > 999, name
        for wrong in known.wrong:
            said = [grade(f, x) for f, x in zip(fields, numbers(wrong.answer), strict=True)]
            assert min(percent for percent, _ in said) == 0 or known.scale, (name, wrong.answer)
        given = " ".join(why for alternatives in fields for *_, why in alternatives)
        lost = [wrong for wrong in known.wrong if moodle.rich(wrong.why) not in given]
        assert not lost, (name, lost)


def test_text_is_html_with_formulas_for_mathjax(questions):
    r"""Every text parses as XML, has no dollar left, and as many \( as \)."""
    for name, question in questions.items():
        for element in question.iter("text"):
            text = element.text or ""
            assert "$" not in text and text.count(r"\(") == text.count(r"\)"), (name, text)
            ElementTree.fromstring(f"<p>{text}</p>")


@pytest.fixture(scope="module")
def texts():
    """The exercises of the built pages, by question."""
    if not (HTML / "index.html").exists():
        loud_skip(
            "exercises and the file for Moodle (_build/html is missing)", "Run `make book` first."
        )
    return moodle.exercises(HTML)


def test_a_question_of_an_exercise_begins_with_it(texts):
    """Its numbers stand in the exercise; what belongs to none has no such text."""
    assert len(texts) > 50 and texts.keys() < bank().keys()
    for name, text in texts.items():
        ElementTree.fromstring(f"<p>{text}</p>")
        assert text.count(r"\(") == text.count(r"\)") and "data-tex" not in text, name
    assert texts["pc-by-hand"] == texts["pc-by-hand"].strip() and "pc-bound" not in texts
    tree = moodle.quiz({"pc-by-hand": "<p>Two samples.</p>"})
    [asked] = [q for q in tree.iter("question") if q.findtext("name/text") == "pc-by-hand"]
    assert asked.findtext("questiontext/text").startswith("<p>Two samples.</p><p>Find")


def test_a_tolerance_reaches_no_diagnosed_error():
    """Two errors near the answer keep their reasons, however generous the bank is."""
    question = Question(
        name="q", ask="?", answer="1/3, 2", why="since", within=0.1,
        wrong=(Wrong("0.3, 2", "rounded too early"), Wrong("1/3, 2.05", "added twice")),
    )  # fmt: skip
    first, second = (moodle.alternatives(question, place) for place in (0, 1))
    assert [a[3] for a in first] == ["since", "rounded too early"]
    assert first[0][1] < abs(1 / 3 - 0.3) / 2 and second[0][1] < 0.025


def test_signs_of_a_field_do_not_end_it():
    """Braces and tildes of a reason reach the student."""
    question = Question(name="q", ask="?", answer="1, 2", why=r"$\frac{1}{2} < \{x\}$ ~", wrong=())
    fields = FIELD.findall(moodle.field(question, 0))
    [(_, _, _, why)] = ALTERNATIVE.findall(fields[0][1] + "}")
    assert html.unescape(why) == r"\(\frac{1}{2} \lt  \{x\}\) ~"


# What the importer reads of a question (question/format/xml/format.php): once each, but answers and hints.
COMMON = {"name", "questiontext", "generalfeedback", "penalty", "idnumber", "hint"}
READ = {
    "category": {"category"},
    "multichoice": COMMON | {"answer", "single", "shuffleanswers", "answernumbering"},
    "numerical": COMMON | {"answer"},
    "cloze": COMMON,
}
NEEDED = {"multichoice": {"answer", "single"}, "numerical": {"answer"}}
TEXTS = ("questiontext", "generalfeedback", "hint", "feedback")  # in HTML, which says so


@pytest.fixture(scope="module")
def file(texts, tmp_path_factory):
    """The bytes of the file, with the exercises of the built pages, which are read once."""
    out = tmp_path_factory.mktemp("moodle")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moodle, "exercises", {HTML: texts}.get)
        moodle.write(HTML, out)
    return (out / "moodle.xml").read_bytes()


def test_the_file_begins_as_moodle_wants_it(file):
    """The declaration is the first line, of UTF-8, and the root is a quiz."""
    assert re.match(rb"<\?xml version=['\"]1\.0['\"] encoding=['\"]utf-8['\"]\?>\n<quiz>", file)
    file.decode("utf8")


def test_every_field_is_one_that_the_importer_reads(file):
    """No element is unknown, double or missing; every value is one that Moodle takes."""
    kinds, names, filed = set(), [], False
    for question in ElementTree.fromstring(file):
        kind, tags = question.get("type"), [child.tag for child in question]
        kinds.add(kind)
        assert question.tag == "question" and set(question.attrib) == {"type"}
        assert set(tags) <= READ[kind], (kind, tags)
        once = [tag for tag in tags if tag not in ("answer", "hint")]
        assert len(once) == len(set(once)), tags
        if kind == "category":
            path = question.findtext("category/text").replace("//", "")
            filed = path.startswith("$course$/top/") and all(path.split("/"))
            assert filed, path
            continue
        assert filed and {"name", "questiontext"} | NEEDED.get(kind, set()) <= set(tags)
        names.append(question.findtext("idnumber"))
        assert 0 < len(question.findtext("name/text")) <= 255 and 0 < len(names[-1]) <= 100
        assert 0 <= float(question.findtext("penalty")) <= 1
        for tag, values in (
            ("single", {"true"}),
            ("shuffleanswers", {"true", "false"}),
            ("answernumbering", {"none", "abc", "ABCD", "123", "iii", "IIII"}),
        ):
            assert {element.text for element in question.iter(tag)} <= values
        for answer in question.iter("answer"):
            assert answer.get("fraction") in ("0", "100")
            wanted = {"text", "feedback"} | ({"tolerance"} if kind == "numerical" else set())
            assert {child.tag for child in answer} == wanted
            assert answer.get("format") == ("html" if kind == "multichoice" else None)
            if kind == "numerical":
                assert re.fullmatch(NUMBER, answer.findtext("text"))
                assert float(answer.findtext("tolerance")) >= 0
        for tag in TEXTS:
            for element in question.iter(tag):
                assert element.get("format") == "html" and [c.tag for c in element] == ["text"]
    assert kinds == set(READ) and len(names) == len(set(names)) == len(bank())


def test_a_question_needs_no_other_file(file):
    """No text shows an image, which would have to stand in the file, or has a script, a style or a link."""
    for element in ElementTree.fromstring(file).iter("text"):
        used = set(re.findall(r"<(\w+)", element.text or ""))
        assert used <= {
            "p",
            "em",
            "strong",
            "code",
            *["table", "thead", "tbody", "tr", "th", "td"],
        }, used
        assert not re.search(r"<\w+ ", element.text or ""), element.text
