"""Names lead to the reference and terms to the glossary, at their first use, and only there."""

import re

import pytest
from conftest import loud_skip
from guards import ROOT
from linlearn_links import link_names

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
    """Each chapter links to both, and to no term twice."""
    page = path.read_text("utf8")
    assert '<a class="api" href="reference/' in page
    terms = TERM.findall(page)
    assert len(terms) > 1 and len(set(terms)) == len(terms)
    assert not re.search('<strong><a [^>]*href="glossary', page), "what a page defines leads away"


def test_there_are_chapters():
    """The test above has pages to look at."""
    if not list(HTML.glob("[0-9][0-9]_*.html")):
        loud_skip("links of the chapters (_build/html is missing)", "Run `make book` first.")
