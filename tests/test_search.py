"""The search finds by any name, in any spelling, and leads to the lesson first."""

import json

import pytest
from conftest import loud_skip
from guards import ROOT
from javascript import module
from linlearn_glossary import entries

HTML = ROOT / "_build" / "html"

# What rank.js finds for each query, and what a misspelt one may have meant.
FIND = """
import { readFileSync } from "node:fs";
const { queries, index, code } = JSON.parse(readFileSync(0, "utf8"));
const { rank, prepare, meant } = new Function(`${code}; return { rank, prepare, meant }`)();
const book = prepare(index);
console.log(JSON.stringify(queries.map((query) => {
  const { results, unknown } = rank(query, book);
  const place = ({ page, anchor }) => `${index.docnames[page]}#${anchor}`;
  const found = results.map((one) => [place(one), one.says, one.tier]);
  return { found, unknown, meant: meant(query, unknown, book) };
})));
"""


@pytest.fixture(scope="module")
def index():
    path = HTML / "searchindex.js"
    if not path.exists():
        loud_skip("what a search finds (_build/html is missing)", "Run `make book` first.")
    return json.loads(path.read_text("utf8").removeprefix("Search.setIndex(").removesuffix(")"))


@pytest.fixture(scope="module")
def find(index):
    """The results of queries, each a dictionary."""
    stemmer = (HTML / "_static" / "language_data.js").read_text("utf8")
    code = stemmer + (ROOT / "book" / "assets" / "rank.js").read_text("utf8")

    def found(*queries, index=index):
        given = json.dumps({"queries": queries, "index": index, "code": code})
        return json.loads(module(FIND, given))

    return found


# What readers ask, and the page that they want first; a term that no lesson introduces has its entry.
WANTED = """
SVM                                             09_svm
support vectors                                 09_svm
maximum margin classifier                       09_svm
overfitting                                     00_choice
underfit                                        00_choice
regularization                                  06_overfitting
regularised                                     06_overfitting
weight decay                                    06_overfitting
L2                                              06_overfitting
L1                                              06_overfitting
lasso                                           06_overfitting
ridge                                           05_regression
softmax                                         11_multiclass
kernel trick                                    glossary#term-kernel-trick
Platt                                           11_costs
random forest                                   glossary#term-decision-tree
fit_intercept                                   01_hyperplanes
bias                                            01_hyperplanes
margin                                          01_hyperplanes
decision_function                               01_hyperplanes
one-hot                                         11_table
OneHotEncoder                                   11_table
dummy variable trap                             11_table
missing values                                  11_table
LDA                                             04_threshold
Fisher discriminant                             04_fisher
dataset                                         00_choice
test set                                        00_choice
hyperparameters                                 00_choice
decision boundary                               00_classification
KNN                                             00_classification
nearest neighbors                               00_classification
StandardScaler                                  00_classification
ROC                                             11_costs
AUC                                             11_costs
confusion matrix                                11_costs
imbalanced                                      11_costs
recall                                          11_costs
calibration                                     11_costs
cross entropy                                   06_logistic
maximum likelihood                              06_logistic
MLE                                             06_logistic
logit                                           06_logistic
IRLS                                            06_logistic
odds ratio                                      06_inference
Wald interval                                   06_inference
likelihood ratio test                           06_inference
calibration curve                               06_inference
C                                               06_overfitting
class_weight                                    08_linear_program
SGD                                             05_gradient
hinge                                           07_losses
learning rate                                   05_gradient
perceptron                                      03_perceptron
VC dimension                                    02_depth
PAC                                             02_depth
crossvalidation                                 10_prediction
p value                                         10_prediction
linear programme                                08_linear_program
separable                                       01_certificates
max_margin                                      reference/methods#linlearn.max_margin
how do I choose C                               09_soft
what is a support vector                        09_svm
my classes are imbalanced                       11_costs
my features have different units                00_classification
predict_proba for SVM                           11_costs
which threshold                                 11_costs
is my data linearly separable                   01_certificates
why does LogisticRegression warn about convergence  06_existence
multiclass                                      11_multiclass
multinomial                                     11_multiclass
one-vs-rest                                     11_multiclass
OvO                                             11_multiclass
macro average                                   11_multiclass
outliers                                        05_regression
cross-validation                                10_prediction
how many samples do I need                      02_samples
why does the perceptron stop                    03_perceptron
why not minimize the training error             02_hardness
""".strip().split("\n")
ROWS = [tuple(row.rsplit(maxsplit=1)) for row in WANTED]


def test_each_question_leads_to_its_page(find):
    queries, pages = zip(*ROWS, strict=True)
    firsts = [results["found"][0][0] if results["found"] else "" for results in find(*queries)]
    wrong = [
        f"{query}: {first} instead of {page}"
        for query, page, first in zip(queries, pages, firsts, strict=True)
        if not first.startswith(f"book/{page}")
    ]
    assert not wrong


def test_every_name_leads_to_its_lesson_then_to_its_entry(find, index):
    """Synonyms and abbreviations as well as the standard term; in capitals, too."""
    names = [(name, entry) for entry in entries() for name in entry["names"]]
    lesson = {row[0][0]: len(row) > 4 for row in index["names"]}
    assert all(lesson[entry["names"][0]] == ("at" in entry) for entry in entries())
    for (name, entry), results in zip(names, find(*(n.upper() for n, _ in names)), strict=True):
        first, second = (place for place, *_ in results["found"][:2])
        leading = (second, first) if "at" in entry else (first, second)
        assert leading[0].startswith("book/glossary#term-"), (name, first, second)
        assert not leading[1].startswith("book/glossary#") or "at" not in entry, (name, first)


@pytest.mark.parametrize(
    "spellings",
    [
        ("regularisation", "regularization", "Regularisations", "REGULARIZATION"),
        ("nearest neighbours", "nearest neighbors", "nearest-neighbor", "nearest neighbour"),
        ("Cauchy–Schwarz inequality", "cauchy schwarz inequality", "Cauchy-Schwarz inequalities"),
        ("Carathéodory's theorem", "caratheodory theorem", "Carathéodory’s theorem"),
        ("linear programme", "linear program", "linear programs"),
        ("log-loss", "log loss", "logloss", "log_loss"),
        ("labelling", "labeling", "labellings"),
        ("penalisation", "penalization"),
        ("normalised exponential", "normalized exponential"),
        ("mislabelled sample", "mislabeled samples"),
        ("Carathéodory few samples", "caratheodory few samples"),
    ],
)
def test_spellings_are_alike(spellings, find):
    assert len({results["found"][0][0] for results in find(*spellings)}) == 1


def test_names_are_found_as_one_types(find):
    queries = ("percep", "support vec", "logistic reg", "crossval", "overfi", "regulariz")
    assert [results["found"][0][0][:9] for results in find(*queries)] == [
        "book/03_p", "book/09_s", "book/06_l", "book/10_p", "book/00_c", "book/06_o",
    ]  # fmt: skip


def test_a_letter_that_is_wrong_is_mended(find):
    misspelt = {
        "preceptron": "perceptron",
        "crossvalidaton": "cross-validation",
        "hyperplain": None,  # no term is one letter away
        "separabel": "separable",
        "softmx": "softmax",
        "Lagrnge multiplier": "Lagrange multiplier",
    }
    for (query, right), results in zip(misspelt.items(), find(*misspelt), strict=True):
        assert results["unknown"], query
        assert (results["meant"] or "").casefold() == (right or "").casefold()
    assert [results["unknown"] for results in find("perceptron", "soft margin")] == [[], []]


def test_results_are_few_and_say_something(find, index):
    """At most sixty, each once and with an excerpt; the index is not much larger than Sphinx's own."""
    for results in find("margin", "samples", "SVM"):
        places = [place for place, *_ in results["found"]]
        assert 3 <= len(places) <= 60 and len(set(places)) == len(places)
        silent = [place for place, says, _ in results["found"] if not says]
        assert len(silent) < 0.1 * len(places), silent
        assert not [says for _, says, _ in results["found"] if "\\" in says]
    ours = sum(len(json.dumps(index[part])) for part in ("names", "places", "tiers"))
    assert ours < 400_000 and not {"alltitles", "indexentries", "objects"} & set(index)
    assert find("zzyzx")[0]["found"] == []


def small_book(titles, tiers):
    """An index of pages whose text, and perhaps title, has the word widget."""
    names = [f"page{k}" for k, _ in enumerate(tiers)]
    places = [[k, "", title, "It says something else."] for k, title in enumerate(titles)]
    book = {"docnames": names, "tiers": tiers, "places": places, "names": [], "titleterms": {}}
    return book | {"terms": {"widget": [*range(len(tiers))]}}


def test_lessons_lead_among_equals(find):
    """Core, theory, depth, appendices, glossary, what is looked up; a better title makes up for little."""
    tiers = [5, 3, 0, 2, 1, 4]
    (results,) = find("widgets", index=small_book([f"Page {k}" for k in tiers], tiers))
    assert [tier for *_, tier in results["found"]] == sorted(tiers)
    titles = ["Widgets", "What do widgets tell of samples?", "Samples"]
    (results,) = find("widget", index=small_book(titles, [5, 0, 0]))
    assert [place for place, *_ in results["found"]] == ["page1#", "page0#", "page2#"]
