"""The glossary: each term has one entry, and is introduced where its entry says."""

import re
from collections import Counter
from html import unescape

import pytest
from conftest import loud_skip
from guards import ROOT
from guards.page import opened
from linlearn_glossary import entries
from linlearn_lessons import lessons as listed

BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
HTML = ROOT / "_build" / "html"


def lessons():
    return [*sorted((ROOT / "book").glob("[0-9][0-9]_*.ipynb")), ROOT / "book/prerequisites.ipynb"]


def prose(path):
    return "\n\n".join(
        cell.source for cell in opened(path).notebook.cells if cell.cell_type == "markdown"
    )


def places(text):
    """The label of each statement and section of a page, with its title and what it says."""
    for found in re.finditer(r"^([`:]{3,})\{prf:\w+\} ?(.*)\n:label: (\S+)$", text, re.MULTILINE):
        yield found[3], found[2], text[found.end() :].partition(f"\n{found[1]}")[0]
    for found in re.finditer(r"^((?:\([\w-]+\)=\n)+)(#+) (.*)$", text, re.MULTILINE):
        after = text[found.end() :]
        ends = re.search(rf"^#{{1,{max(2, len(found[2]))}}} ", after, re.MULTILINE)
        for label in re.findall(r"\((.+)\)=", found[1]):
            yield label, found[3], after[: ends.start() if ends else None]


def introduces(term, title, body):
    """Whether the term is in bold there, or in the title; in the plural, too."""
    bold = [" ".join(words.split()).casefold() for words in BOLD.findall(body)]
    term = term.casefold()
    return (
        any(f"{term}{ending}" in bold for ending in ("", "s", "es"))
        or term in title.replace("$", "").casefold()
    )


PLACES = {label: said for path in lessons() for label, *said in places(prose(path))}
TRACK = {
    label: lesson.track
    for stem, lesson in listed(ROOT).items()
    for label, *_ in places(prose(ROOT / f"book/{stem}.ipynb"))
}
INTRODUCED = [entry for entry in entries() if "at" in entry]


@pytest.mark.parametrize("entry", INTRODUCED, ids=lambda entry: entry["names"][0])
def test_a_term_is_introduced_where_its_entry_says(entry):
    """A reader who follows the link finds the term in bold, as a definition has it."""
    assert entry["at"] in PLACES, f"no statement or section of a lesson has the label {entry['at']}"
    term = entry["names"][0]
    assert introduces(term, *PLACES[entry["at"]]), f"{entry['at']} does not say **{term}**"


@pytest.mark.parametrize("entry", INTRODUCED, ids=lambda entry: entry["names"][0])
def test_a_term_of_the_core_leads_to_the_core(entry):
    """A term that a core lesson introduces is not looked up in the theory."""
    if TRACK.get(entry["at"], "core") != "core":
        core = [label for label, track in TRACK.items() if track == "core"]
        found = [label for label in core if introduces(entry["names"][0], *PLACES[label])]
        assert not found, f"`at` of this entry must be a place of the core: one of {found}"


def test_what_counts_as_introduced():
    page = "(sec-a)=\n## On tests\nThe **test\nsets** are *kept back*.\n## Next\nThe **validation set**."
    page += (
        "\n```{prf:lemma} Hoeffding's inequality for coins\n:label: lem-a\nA **fair coin**.\n```\n"
    )
    found = {label: (title, body) for label, title, body in places(page)}
    assert set(found) == {"sec-a", "lem-a"}
    assert introduces("test set", *found["sec-a"])
    assert introduces("Hoeffding's inequality", *found["lem-a"])
    for term, label in [("set", "sec-a"), ("kept back", "sec-a"), ("validation set", "sec-a")]:
        assert not introduces(term, *found[label]), term


def test_an_entry_is_complete():
    """A name belongs to one entry; an entry says where the term is introduced, or where to read."""
    names = Counter(name.casefold() for entry in entries() for name in entry["names"])
    assert [name for name, count in names.items() if count > 1] == []
    first = [entry["names"][0].casefold() for entry in entries()]
    assert first == sorted(first), "the entries are in the order of the alphabet"
    for entry in entries():
        assert set(entry) <= {
            "names",
            "says",
            "symbol",
            "sklearn",
            "at",
            "read",
            "ambiguous",
            "asked",
        }
        assert ("at" in entry) != ("read" in entry), entry["names"][0]
        assert re.search(r"[.)]$", entry["says"].strip()), entry["names"][0]
        assert not entry["says"].lstrip().startswith("Said of"), (
            f"{entry['names'][0]}: write a sentence with the term as its subject, such as "
            '"A function is quasiconvex if …"'
        )
        assert set(entry.get("ambiguous", ())) <= set(entry["names"])


WANTED = """
intercept, bias, offset, fit_intercept, SVM, support vector machine, regularisation, regularization,
one-hot encoding, dummy variable, overfitting, softmax, maximum likelihood, Lagrange multiplier, weight
decay, shrinkage, learning rate, true positive rate, sensitivity, log loss, cross-entropy, LDA,
decision_function, k-nearest neighbors, predict_proba, class_weight, empirical risk minimization,
confusion matrix, test set"""


def test_the_names_of_the_field_have_entries():
    """What textbooks and scikit-learn call a thing is a name here, in both spellings."""
    names = {name for entry in entries() for name in entry["names"]}
    assert set(" ".join(WANTED.split()).split(", ")) <= names


def test_the_index_lists_every_name():
    if not (HTML / "genindex.html").exists():
        loud_skip("names in the index (_build/html is missing)", "Run `make book` first.")
    index = unescape((HTML / "genindex.html").read_text("utf8")).replace("’", "'")
    listed = set(
        re.findall(r'<a href="book/glossary\.html#term-[^"]*">(?:<strong>)?([^<]+)', index)
    )
    assert {name for entry in entries() for name in entry["names"]} <= listed
