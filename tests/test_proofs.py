"""The machine-checked proofs: somebody has read each pair of statements, and what changes is noticed.

Most of this runs without Coq; `make proofs` has Coq check the scripts themselves.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache

import check
import formal
import linlearn_proofs
import pytest
from conftest import loud_skip
from formal import Script
from guards import ROOT
from linlearn_lessons import lessons
from setuptools import find_packages

SCRIPTS = formal.scripts()
PAIRS = formal.pairs()
TEXT = formal.prose()
needs_coq = pytest.mark.skipif(
    not shutil.which("coqc"), reason="Coq is missing; `make proofs` says"
)


def changed(name: str, old: str, new: str) -> dict[str, Script]:
    """The scripts, with one text in one of them replaced."""
    source = SCRIPTS[name].source
    assert source.count(old) == 1, f"{old!r} must stand once in {name}.v"
    return SCRIPTS | {name: Script.read(name, source.replace(old, new))}


def noticed(among=SCRIPTS, text=TEXT, read=PAIRS) -> set[str]:
    """The labels of the pairs that are not what was read."""
    return {message.partition(":")[0] for message in formal.unread(among, text, read)}


# As it stands -------------------------------------------------------------------------------


def test_every_pair_has_been_read():
    """Both statements of each pair are those that somebody read, line against line."""
    assert formal.unread(SCRIPTS, TEXT, PAIRS) == []


def test_nothing_is_left_out():
    """No script says `Admitted`, declares an axiom, or turns one of Coq's checks off."""
    assert formal.unproved(SCRIPTS) == []


def test_every_sentence_is_read():
    """Between proofs the scripts say nothing that a hash could miss, and no name twice."""
    assert formal.strange(SCRIPTS) == [] and formal.ambiguous(SCRIPTS) == []


def test_only_listed_libraries_are_taken_in():
    """The lines that no hash covers name other scripts, or libraries that somebody has looked at."""
    assert formal.foreign(SCRIPTS) == [] and any("Reals" in s.source for s in SCRIPTS.values())


@pytest.mark.parametrize("label", PAIRS)
def test_statement_is_whole(label):
    """With each name that a statement uses comes its definition, and with that the names that it uses."""
    script = formal.proved(label, SCRIPTS)
    said = formal.statement(script, formal.named(label), SCRIPTS)
    reached = [SCRIPTS[name] for name in formal.reached(script.name, SCRIPTS)]
    ours = {name: text[-1] for s in reached for name, text in s.known.items()}
    used = formal.words(said)
    assert len(said) == len(set(said)) and {ours[n] for n in used & set(ours)} <= set(said)


def test_quotations_stand_in_the_book():
    """What the scripts quote from the proofs of the book is there."""
    assert sum(len(formal.quotations(s)) for s in SCRIPTS.values()) > 10
    assert formal.misquoted(SCRIPTS, TEXT) == []


@pytest.mark.parametrize("label", PAIRS)
def test_what_is_said_of_a_pair(label):
    """Each pair says what is the same and what is not, as sentences."""
    pair = PAIRS[label]
    assert set(pair) <= {"part", "same", "other", "rests", "lines", "book", "formal"}
    assert all(pair[key].endswith(".") for key in ("same", "other"))


@pytest.mark.parametrize("label", [label for label, pair in PAIRS.items() if "lines" in pair])
def test_recorded_lines_are_the_scripts(label):
    """The lines that a page shows with their goals are those of the script, and the first has a goal."""
    lines = PAIRS[label]["lines"]
    parts = formal.sentences(SCRIPTS[lines["script"]].source)
    recorded = json.loads((formal.HERE / f"{label}.goals.json").read_text("utf8"))
    asked = [parts[k].strip() for k in formal.lines_of(lines["proofs"], parts)]
    assert [line["text"] for line in recorded] == asked
    assert recorded[0]["left"].startswith("1 goal")


def test_proofs_are_not_in_the_wheel():
    """The package that is installed does not carry the scripts, nor does it need Coq."""
    packed = find_packages(str(ROOT), include=["linlearn*"])
    assert "linlearn" in packed and all(name.startswith("linlearn") for name in packed)
    assert not (ROOT / "proofs" / "__init__.py").exists()


def test_missing_coq_is_said():
    """Without Coq, `make proofs` installs nothing and says what to install."""
    done = subprocess.run(
        [sys.executable, ROOT / "proofs" / "check.py"],
        env=os.environ | {"PATH": os.devnull},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and "apt-get install --no-install-recommends coq" in done.stderr


# Broken in one place ------------------------------------------------------------------------

USE_POS = {
    "prop-lp-weak",
    "prop-sv-gap",
    "thm-sv-kkt",
    "prop-fi-enclosure",
    "cor-lo-mistakes",
    "thm-lp-strong",
}
CHANGES = {
    "a definition": ("Vectors", "Rmax 0 s", "Rmax 1 s", USE_POS),
    "a definition of one lesson": (
        "Perceptron",
        "< n)%nat /\\\n     ⟨a k, z (i (S k))⟩ <= 0",
        "< n)%nat /\\\n     ⟨a k, z (i (S k))⟩ <= 1",
        {
            "lem-upper",
            "thm-convergence",
            "prop-certificate",
            "thm-slow",
            "cor-slow",
            "cor-lo-mistakes",
        },
    ),
    "what a sign means": (
        "Hinge",
        '"⟨ a , b ⟩" := (dot p a b)',
        '"⟨ a , b ⟩" := (dot p a a)',
        {"prop-lp-weak", "thm-lp-strong"},
    ),
    "a variable": ("SoftMargin", "(C : R)", "(C : nat)", {"prop-sv-gap", "thm-sv-kkt"}),
    "a test that a statement names": (
        "Coins",
        "{for_all event s} + {~ for_all event s}",
        "{for_all event s} + {~ for_all event []}",
        {"cor-list"},
    ),
    "which arguments are left out": (
        "Coins",
        "Arguments er {A H}.",
        "Arguments er {A} {H}.",
        {"cor-list", "thm-occam", "thm-compression"},
    ),
    "a case": (
        "Ties",
        "minus => false | _",
        "minus => true | _",
        {"prop-hd-reduction", "thm-hd-vc"},
    ),
    "a hypothesis, removed": (
        "Perceptron",
        "gamma > 0 ->\n  (forall l, (l < n)%nat -> ‖(z l)‖ <= bigR) ->\n  (* the two",
        "(forall l, (l < n)%nat -> ‖(z l)‖ <= bigR) ->\n  (* the two",
        {"thm-convergence"},
    ),
    "a claim": (
        "Perceptron",
        "separating (a T) /\\ INR T <= (bigR / gamma) ^ 2).\nProof",
        "separating (a T)).\nProof",
        {"thm-convergence"},
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_changed_script_is_noticed(what):
    """What a statement says, and everything that it rests on, is part of what was read; nothing else is."""
    name, old, new, labels = CHANGES[what]
    assert noticed(changed(name, old, new)) == labels


def test_other_scripts_are_free():
    """What a statement says does not depend on scripts that it does not import."""
    first = Script.read("Aaa", "From LinearClassification Require Import Margin.")
    assert not noticed({"Aaa": first} | dict(reversed(SCRIPTS.items())))


def test_comments_and_line_breaks_are_free():
    """A comment, or another line break, does not change what is said."""
    old = "Theorem lem_upper i a k bigR :\n  run i a k ->"
    assert not noticed(changed("Perceptron", old, old.replace("\n ", " (* a run *)\n\n ")))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"\le\ R^2k .", r"\le\ R^2k+1 ."),  # of the statement
        (r"And let $R=\max_i\lVert z_i\rVert$", r"And let $R=\min_i\lVert z_i\rVert$"),  # below it
    ],
)
def test_changed_page_is_noticed(old, new):
    """So is the statement in the book, and what it says elsewhere of its letters."""
    assert TEXT.count(old) == 1
    assert "lem-upper" in noticed(text=TEXT.replace(old, new))


def test_pair_without_partner_is_noticed():
    """A theorem that nobody has compared with the book, and an entry without a theorem."""
    extra = changed(
        "Ties", "(** Is a sample", "Theorem thm_new : True.\nProof. exact I. Qed.\n(** Is a"
    )
    assert formal.unread(extra, TEXT, PAIRS) == ["Ties.v: `thm_new` has no entry in pairs.json"]
    assert noticed(read=PAIRS | {"thm-gone": {}}) == {"thm-gone"}
    assert noticed(read=PAIRS | {"lem-upper": PAIRS["lem-upper"] | {"book": ""}}) == {"lem-upper"}


@pytest.mark.parametrize(
    "line",
    [
        "Admitted.",
        "Axiom cheap : False.",
        "Hypothesis h : False.",
        "Unset Guard Checking.",
        "#[bypass_check(positivity)] Inductive t := c.",
        "(* (* *) *) Abort.",
    ],
)
def test_missing_proof_is_noticed(line):
    """Each of these would let a theorem stand without a proof; in a comment they are words."""
    assert formal.unproved({"New": Script.read("New", line)})
    assert not formal.unproved({"New": Script.read("New", f"(* {line} *)")})


def test_free_variable_is_noticed():
    """Outside a section a variable is an axiom."""
    with pytest.raises(ValueError, match="is an axiom"):
        Script.read("New", "Variable h : False.")


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("Local Definition t := 1.", "Local"),
        ("Record r := { f : nat }.", "Record"),
        ("Lemma l : True. Proof. exact I. Defined.", "Defined"),
        ("Lemma l : True. Lemma k : True. Proof. exact I. Qed.", "Lemma"),
        ("Lemma l : True. Proof. Record r := { f : nat }. exact I. Qed.", "Record"),
        ("Lemma l : True. Proof. Definition t := 1. exact I. Qed.", "Definition"),
        ("Lemma l : True. Proof. #[local] Definition t := 1. exact I. Qed.", "#[local]"),
    ],
)
def test_unread_command_is_noticed(line, word):
    """What the reader of statements does not know could change without a hash that changes."""
    (message,) = formal.strange({"New": Script.read("New", line)})
    assert message.endswith(f"`{word}`")


@pytest.mark.parametrize(
    "line",
    [
        "Require Import ssrbool.",  # takes a boolean for a statement
        "Require Import List\n  Rlogic.",
        "From Coq Require Import ZArith.",
        "From LinearClassification Require Vectors.",  # its names would be read as nobody's
        "Require Import Vectors.",
        "Import Nat.",
    ],
)
def test_other_library_is_refused(line):
    """A library could give another meaning to what a statement says, and no hash would change."""
    (message,) = formal.foreign({"New": Script.read("New", f"(* Why. *)\n{line}")})
    assert message.startswith("New.v takes in more") and message.endswith(line)


def test_imports_on_two_lines_are_read():
    """A statement may rest on each of them."""
    source = "From LinearClassification Require Import Vectors\n  Hinge."
    assert Script.read("New", source).imports == ["Vectors", "Hinge"]


def test_name_that_means_two_things_is_noticed():
    """Of two definitions of one name only one would be part of what was read."""
    extra = changed(
        "Perceptron", "Section Perceptron.", "Definition simplex := 0. Section Perceptron."
    )
    assert "PerceptronDuality.v: ['simplex'] mean two things" in formal.ambiguous(extra)
    assert not any(message.startswith("Hinge.v") for message in formal.ambiguous(extra))


def test_every_name_is_known():
    """Names with a prime, what is defined together, and the cases of a type; no pattern of a `match`."""
    source = """Definition f' := 1.
    Fixpoint g n := match n with b :: _ => h n | _ => 0 end with h n := g n.
    Inductive t := a' | c.
    Lemma l' : True. Proof. exact I. Qed."""
    script = Script.read("New", source)
    assert script.definitions.keys() == {"f'", "g", "h", "t", "a'", "c"}
    assert script.known.keys() - script.definitions.keys() == {"l'"}


def test_false_quotation_is_noticed():
    """Words that the book does not have."""
    script = Script.read("New", '(* "No run has a single update" *)')
    assert len(formal.misquoted({"New": script}, TEXT)) == 1


def test_sentences_are_split_as_coq_does():
    """Comments nest and belong to what follows, numbers have no end, bullets stand alone."""
    source = "(* a. (* b. *) c. *) Lemma x : 1 = 1.\nProof. - { lra. } Qed."
    parts = ["(* a. (* b. *) c. *) Lemma x : 1 = 1.", "Proof.", "-", "{", "lra.", "}", "Qed."]
    assert [part.strip() for part in formal.sentences(source)] == parts


# On the pages -------------------------------------------------------------------------------

HTML = ROOT / "_build" / "html" / "book"


@pytest.fixture(scope="module")
def page():
    if not (HTML / "machine_checked.html").exists():
        loud_skip(
            "badges of machine-checked theorems (_build/html is missing)", "Run `make book` first."
        )
    return cache(lambda stem: (HTML / f"{stem}.html").read_text("utf8"))


@pytest.mark.parametrize("label", PAIRS)
def test_badge_leads_to_the_statement_at_the_foot(label, page):
    """The title says what is machine-checked; the formal statement stands behind the page."""
    _, stem = linlearn_proofs.titles()[label]
    lesson, foot = page(stem).split('<details class="box behind" id="behind">')
    part = PAIRS[label].get("part")
    said = f"machine-checked: {part}" if part else "machine-checked"
    title = lesson.split(f'id="{label}"')[1].split("</p>")[0]
    assert f'<a class="machine reference internal" href="#{label}-formal">{said}</a>' in title
    shown = foot.split(f'id="{label}-formal"')[1].split("</details>")[0]
    assert f"Theorem {formal.named(label)}" in shown and f'href="#{label}"' in shown
    assert f'{stem}.html#{label}"' in page("machine_checked")


def test_as_many_badges_as_pairs(page):
    """No other theorem has a badge, and the pages count them."""
    badges = sum(page(stem).count('class="machine reference internal"') for stem in lessons(ROOT))
    assert badges == len(PAIRS)
    for stem in ("machine_checked", "checked"):
        assert f"<p>{len(PAIRS)} statements are machine-checked" in page(stem)


def test_unread_statement_has_no_badge(monkeypatch):
    """Where a statement has changed since it was read, the page does not say that it is checked."""
    monkeypatch.setattr(
        formal, "prose", lambda book: TEXT.replace(r"\le\ R^2k .", r"\le\ R^2k+1 .")
    )
    assert linlearn_proofs.read.__wrapped__().keys() == PAIRS.keys() - {"lem-upper"}


def test_lines_open_to_their_goals(page):
    """Each recorded line stands on the page, with its goals where there are any."""
    html, text = page("machine_checked"), formal.letters(TEXT)
    for label in [label for label, pair in PAIRS.items() if "lines" in pair]:
        recorded = json.loads((formal.HERE / f"{label}.goals.json").read_text("utf8"))
        goals = sum(bool(left) for _, lines in linlearn_proofs.steps(recorded) for _, left in lines)
        assert goals > 20 and html.count('class="goal"') >= goals
        for said, _ in linlearn_proofs.steps(recorded):
            assert formal.letters(said.replace("...", "")) in text


# With Coq -----------------------------------------------------------------------------------


@pytest.fixture
def build(tmp_path, monkeypatch):
    monkeypatch.setattr(check, "BUILD", tmp_path / "build")


def only(among: dict[str, Script], *wanted: str) -> dict[str, Script]:
    return {name: among[name] for name in wanted}


@needs_coq
@pytest.mark.parametrize("what", ["a hypothesis, removed", "a definition of one lesson"])
def test_proof_of_another_statement_fails(what, build):
    """Coq does not take the proof of one statement for the proof of another."""
    name, old, new, _ = CHANGES[what]
    (message,) = check.compiled(only(changed(name, old, new), "Vectors", "Perceptron"))
    assert message.startswith("Perceptron.v does not check")


@needs_coq
@pytest.mark.parametrize(
    ("source", "axiom"),
    [
        (
            "Axiom cheap : 1 = 2.\nTheorem thm_new : 2 = 1. Proof. symmetry. exact cheap. Qed.",
            "New.cheap",
        ),
        ("Theorem thm_new : False. Admitted.", "New.thm_new"),
        ("Axiom cheap : False.\nExample thm_new : 1 = 2. Proof. case cheap. Qed.", "New.cheap"),
        (  # one that stands in Coq's own library
            "Require Import ProofIrrelevance.\n"
            "Theorem thm_new (p q : 1 = 1) : p = q. Proof. apply proof_irrelevance. Qed.",
            "ProofIrrelevance.proof_irrelevance",
        ),
    ],
)
def test_borrowed_axiom_is_found(source, axiom, build):
    """Coq names what a theorem or an example rests on; an axiom that is not one of the reals' is refused."""
    among = {"New": Script.read("New", source)}
    assert check.compiled(among) == []
    assert check.borrowed(check.axioms(among), among) == [
        f"New.thm_new rests on ['{axiom}'], which must be proved"
    ]


@needs_coq
def test_hidden_name_is_found(build):
    """Below our definition a library on the list may hide it, so that a theorem speaks of another thing."""
    ours, list_, theorem = (
        "Definition nth := 0.\n",
        "Require Import List.\n",
        "Theorem thm_new : @nth = @nth. Proof. reflexivity. Qed.",
    )
    for source, found in {
        list_ + ours + theorem: [],
        ours + list_ + theorem: ["New.v: `nth` is that of Coq.Lists.List"],
    }.items():
        among = {"New": Script.read("New", source)}
        assert check.compiled(among) == [] and formal.foreign(among) == []
        assert check.hidden(among) == found


def test_excluded_middle_is_for_calculus():
    """What Coq's calculus costs is granted to the theorems that speak of exp or ln, and to no other."""
    free = ("Logistic.lem_lg_young", "Coins.lem_coins", "Fisher.thm_fisher")
    used = dict.fromkeys(free, check.OF_CALCULUS)
    (message,) = check.borrowed(used, SCRIPTS)
    assert message.startswith("Fisher.thm_fisher rests on ['Classical_Prop.classic']")


def test_continuous_integration_checks_the_proofs():
    """The proofs are checked in every run, with Debian's Coq."""
    run = (ROOT / ".ci" / "run").read_text("utf8")
    assert re.search(r"^make .*\bproofs\b", run, re.MULTILINE) and "coq" in run
