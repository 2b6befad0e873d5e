"""The question bank as Moodle XML: `moodle.xml`, one category for each lesson, every reason as feedback.

A question that belongs to an exercise begins with the text of the exercise, which stands on the built page.
Choices become questions of the type `multichoice`, one number `numerical`, several numbers `cloze` with one
field for each. Moodle reads decimals only, so a number that is no integer may be rounded to three digits.
"""

import math
from pathlib import Path
from xml.etree import ElementTree

from bs4 import BeautifulSoup, Tag
from linlearn_lessons import lessons
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from linlearn.practice.bank import Question, bank, numbers
from tools.editions import ROOT
from tools.editions.pages import article, exercise_of

TOP = "$course$/top/Linear classification"
DIGITS = 3  # how far a student rounds
DECIMALS = "Type decimals, with three digits or more after the leading zeros."


def formula(tex: str) -> str:
    r"""Between \( and \), where Moodle's MathJax looks; `<` and `>` by name, since they are also HTML."""
    for sign, name in (("<", r"\lt "), (">", r"\gt "), ("&", "&amp;")):
        tex = tex.replace(sign, name)
    return rf"\({tex.strip()}\)"


MARKDOWN = MarkdownIt("commonmark", {"html": False}).use(dollarmath_plugin)
MARKDOWN.add_render_rule("math_inline", lambda _, tokens, k, *_rest: formula(tokens[k].content))


def rich(text: str) -> str:
    """Markdown of the bank as HTML."""
    return MARKDOWN.renderInline(text)


def plain(exercise: Tag) -> str:
    """The text of an exercise on a built page, with its formulas in TeX and without links."""
    copy = BeautifulSoup(str(exercise), "html.parser")
    for element in copy.select(".headerlink, .machine, .eqno, .only-dark, script, details"):
        element.decompose()
    for element in copy.select("[data-tex]"):
        element.replace_with(formula(element["data-tex"]))
    for paragraph in copy.select("p"):
        if set(paragraph.get_text(strip=True)) == {"⋆"}:  # how hard it is
            paragraph.decompose()
    title = copy.select_one(".admonition-title")
    title.name = "strong"
    for element in copy.find_all(True):
        if element.name in ("a", "span", "div", "section"):
            element.unwrap()
        else:
            element.attrs.clear()
    return copy.decode_contents().strip()


def exercises(html: Path) -> dict[str, str]:
    """For each question that belongs to an exercise, the text of that."""
    found = {}
    for lesson in lessons(ROOT).values():
        for form in article(html, lesson.stem).select("form.practice"):
            if exercise := exercise_of(form):
                found[form["data-practice"]] = plain(exercise)
    return found


def tolerance(value: float, within: float, errors: list[float]) -> float:
    """How far from `value` an answer counts as right: as far as the bank says, or as rounding moves it.

    It never reaches an answer for which the bank has a diagnosis.
    """
    if not value.is_integer():
        within = max(within, 0.51 * 10.0 ** (math.floor(math.log10(abs(value))) + 1 - DIGITS))
    others = [abs(value - error) / 3 for error in errors if error != value]
    return min([within, *others])


def put(
    parent: ElementTree.Element, tag: str, text: str, *, is_html: bool = True, **attributes: str
) -> ElementTree.Element:
    """An element whose text stands in an element `text` of its own, as Moodle wants it."""
    if is_html:
        attributes["format"] = "html"
    element = ElementTree.SubElement(parent, tag, attributes)
    ElementTree.SubElement(element, "text").text = text
    return element


def put_value(parent: ElementTree.Element, tag: str, text: str) -> None:
    """An element that is its text."""
    ElementTree.SubElement(parent, tag).text = text


def put_question(quiz: ElementTree.Element, question: Question, exercise: str) -> None:
    """One question with its reasons and hints, after the exercise that it belongs to, if any."""
    values = [] if question.choices else numbers(question.answer)
    kind = "multichoice" if question.choices else "numerical" if len(values) == 1 else "cloze"
    element = ElementTree.SubElement(quiz, "question", {"type": kind})
    put(element, "name", question.name, is_html=False)
    put(element, "questiontext", exercise + asked(question, values))
    put(element, "generalfeedback", rich(question.why))
    put_value(element, "penalty", "0.3333333")
    put_value(element, "idnumber", question.name)
    if kind == "multichoice":
        put_value(element, "single", "true")
        put_value(element, "shuffleanswers", "true")
        put_value(element, "answernumbering", "abc")
        for choice in question.choices:
            fraction = "100" if choice.right else "0"
            answer = put(element, "answer", rich(choice.says), fraction=fraction)
            put(answer, "feedback", rich(choice.why))
    if kind == "numerical":
        for value, near, fraction, why in alternatives(question, 0):
            answer = put(element, "answer", f"{value:.10g}", is_html=False, fraction=fraction)
            put(answer, "feedback", rich(why))
            put_value(answer, "tolerance", f"{near:.3g}")
    for hint in question.hints:
        put(element, "hint", rich(hint))


def asked(question: Question, values: list[float]) -> str:
    """The text of a question; where numbers are asked for, how to type them, and a field for each."""
    parts = [rich(question.ask)]
    if question.scale:
        parts.append(
            f"Of the multiples that are right, type the one whose first number is {values[0]:g}."
        )
    if not all(value.is_integer() for value in values):
        parts.append(DECIMALS)
    if len(values) > 1:
        parts.append(", ".join(field(question, place) for place in range(len(values))))
    return "".join(f"<p>{part}</p>" for part in parts)


def alternatives(question: Question, place: int) -> list[tuple[float, float, str, str]]:
    """The answers that the bank knows in one place: value, tolerance, percent, reason; the right one first.

    Errors that give the same number there are told together.
    """
    right = numbers(question.answer)[place]
    errors: dict[float, str] = {}
    for wrong in question.wrong:
        value = numbers(wrong.answer)[place]
        if not math.isclose(value, right, rel_tol=1e-9):
            said = errors.get(value)
            errors[value] = f"{said} Or: {wrong.why}" if said else wrong.why
    near = tolerance(right, question.within, list(errors))
    found = [(right, near, "100", question.why)]
    for value, why in errors.items():
        others = [right, *errors]
        found.append((value, tolerance(value, question.within, others), "0", why))
    return found


def field(question: Question, place: int) -> str:
    """A field of a `cloze` question: {1:NUMERICAL:=right:tolerance#reason~%0%wrong:tolerance#reason}."""
    said = [
        f"%{percent}%{value:.10g}:{near:.3g}#{encoded(rich(why))}"
        for value, near, percent, why in alternatives(question, place)
    ]
    return f"{{1:NUMERICAL:{'~'.join(said)}}}"


def encoded(html: str) -> str:
    """The signs that structure a field, as entities, which Moodle decodes."""
    for sign in "{}~":
        html = html.replace(sign, f"&#{ord(sign)};")
    return html


def quiz(texts: dict[str, str]) -> ElementTree.Element:
    """All questions, below the lesson that asks them; `texts` has the exercises, by question."""
    tree = ElementTree.Element("quiz")
    for lesson in lessons(ROOT).values():
        if lesson.questions:
            category = ElementTree.SubElement(tree, "question", {"type": "category"})
            name = f"{lesson.number} {lesson.name}".replace("/", "//")
            put(category, "category", f"{TOP}/{name}", is_html=False)
        for name in lesson.questions:
            put_question(tree, bank()[name], texts.get(name, ""))
    ElementTree.indent(tree)
    return tree


def write(html: Path, out: Path) -> None:
    """Write `moodle.xml` into the folder `out`."""
    text = ElementTree.tostring(quiz(exercises(html)), encoding="unicode", xml_declaration=True)
    (out / "moodle.xml").write_text(text + "\n", encoding="utf8")
