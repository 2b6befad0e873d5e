"""Names lead to the reference and terms to the glossary, at their first use, and only there."""

import re
import xml.etree.ElementTree as ET
from html import unescape

import pytest
from conftest import loud_skip
from guards import ROOT
from linlearn_links import link_names, mentions
from linlearn_math import mathml
from linlearn_search import letters

HTML = ROOT / "_build" / "html" / "book"
CODE = '<span class="n">ll</span><span class="o">.</span><span class="n">svm</span>'
PROSE = '<code class="docutils literal notranslate"><span class="pre">data.drawn</span></code>'
TERM = re.compile(r'<a class="[^"]*" href="glossary\.html#term-([^"]+)"')


def address(short):
    return {"svm": "there#svm", "data.drawn": "there#drawn"}.get(short)


def test_the_first_use_in_a_section_is_linked():
    """In code and in prose, once a section of the contents; what is unknown stays as it is."""
    unknown = CODE.replace("svm", "nonsense")
    page = f"<h2></h2>{CODE}{PROSE}<h3></h3>{CODE}{PROSE}{unknown}<h2></h2>{PROSE}"
    linked = link_names(page, address)
    assert linked.count('<a class="api" href="there#svm">') == 1
    assert linked.count('<a class="api" href="there#drawn">') == 2
    assert re.sub("</?a[^>]*>", "", linked) == page


@pytest.mark.parametrize("path", sorted(HTML.glob("[0-9][0-9]_*.html")), ids=lambda p: p.stem)
def test_chapters_lead_to_reference_and_glossary(path):
    """Each chapter links to both, and no page to a term twice."""
    page = path.read_text("utf8")
    chapter = [other.read_text("utf8") for other in HTML.glob(f"{path.stem[:3]}*.html")]
    assert any('<a class="api" href="reference/' in other for other in chapter)
    assert len({term for other in chapter for term in TERM.findall(other)}) > 1
    terms = TERM.findall(page)
    assert len(set(terms)) == len(terms)
    assert not re.search('<strong><a [^>]*href="glossary', page), "what a page defines leads away"


def test_there_are_chapters():
    """The test above has pages to look at."""
    if not list(HTML.glob("[0-9][0-9]_*.html")):
        loud_skip("links of the chapters (_build/html is missing)", "Run `make book` first.")


@pytest.mark.parametrize("path", sorted(HTML.glob("[0-9][0-9]_*.html")), ids=lambda p: p.stem)
def test_a_term_says_under_the_mouse_what_the_glossary_says(path):
    """The definition's own first words, its formulas in letters and signs."""
    glossary = (HTML / "glossary.html").read_text("utf8")
    links = re.findall(
        r'href="glossary\.html#(term-[^"]+)"( title="([^"]+)")?', path.read_text("utf8")
    )
    for term, titled, said in links:
        entry = re.search(rf'<dt id="{term}">.*?<dd>(.*?)</dd>', glossary, re.DOTALL)[1]
        assert titled, term
        paragraph = re.search("<p>(.*?)</p>", entry, re.DOTALL)[1]
        prose = re.sub("<[^>]+>", " ", re.sub("<math.*?</math>", "", paragraph))
        first = re.findall(r"[a-z]{3,}", prose)[:5]
        assert first and re.search(".*".join(first), unescape(said)), said
        assert not re.search(r"\\|Symbol: |See |\(\W*\)|\b(def|thm|prop|cor|lem|ex|fig)-", said), (
            said
        )


@pytest.mark.parametrize(
    ("tex", "said"),
    [
        (r"\tfrac12\|w\|^2+C\sum_i\xi_i\ge x_{n-1}^\top", "1/2‖w‖²+C∑ᵢξᵢ≥xₙ₋₁ᵀ"),
        (r"\ln(1+e^{-m}),\ S_W,\ \max(0,1-m)", "ln(1+e^(−m)),S_W,max(0,1−m)"),
        (r"\bar X^+t", "X\u0304⁺t"),
    ],
)
def test_formulas_are_said_in_letters_and_signs(tex, said):
    assert letters(ET.fromstring(mathml(tex, display=False))).replace("\xa0", "") == said


# Sentences in which readers found a tooltip that told of something else, or would have found one.
OTHER_MEANINGS = """Recall the score and its sign.
Numbers whose sum does not matter: signed votes.
How far do votes mend wrong labels?
The slack says how far sample 3 falls short of margin one.
It is the mean of independent variables with values in an interval.
A common mistake is to cut at zero, and to call the plane best."""
LINKED = [
    ("A support vector machine, or SVM, is one of many SVMs.", ["support vector machine"]),
    ("Training sets, and one training set among them.", ["Training sets"]),
    (
        "Least squares has a precision; nearest neighbors vote.",
        ["Least squares", "nearest neighbors"],
    ),
]


@pytest.mark.parametrize("sentence", OTHER_MEANINGS.split("\n"))
def test_no_term_is_linked_in_another_meaning(sentence):
    """A common word is linked only where an author marks it."""
    assert [match[0] for match in mentions(sentence, set())] == []


@pytest.mark.parametrize(("sentence", "linked"), LINKED)
def test_a_term_is_linked_once_by_any_of_its_names(sentence, linked):
    assert [match[0] for match in mentions(sentence, set())] == linked


def test_a_page_that_defines_a_term_does_not_link_it_afterwards():
    """In bold any name counts, a common word as well."""
    seen = set()
    assert [match[0] for match in mentions("sensitivity", seen, everything=True)] == ["sensitivity"]
    assert not list(mentions("The true positive rate is another name.", seen))
