"""What the scripts say, read without Coq: their sentences, each theorem with every definition that it uses,
the quotations from the book; and the pairs of statements that somebody has read side by side.

A theorem is named as the label of the book that it proves: `thm_convergence` for `thm-convergence`.
`python3 proofs/formal.py LABEL` prints what it says, with everything that it rests on.
"""

import hashlib
import json
import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
BOOK = HERE.parent / "book"
STATED = ("Definition", "Fixpoint", "Inductive")
PROVED = ("Theorem", "Lemma", "Example")
CONTEXT = ("Variable", "Variables", "Notation", "Arguments", "Open", "Require", "From", "Import")
TAKING = ("From", "Require", "Import")
SILENT = ("Section", "End", "Implicit")  # say nothing that a statement could rest on
# What a script may take in: other scripts, and these of Coq's libraries. Such lines are part of no hash, and
# another library could give another meaning to a sign or a name that a statement uses.
LIBRARIES = "Reals|Lra|Lia|Arith|List|Bool|FinFun|Classical_Prop"
OURS = re.compile(r"From\s+LinearClassification\s+Require\s+(?:Import|Export)\s+([\w\s]+)\.")
THEIRS = re.compile(
    rf"Require\s+(?:Import|Export)(?:\s+(?:{LIBRARIES}))+\.|Import\s+ListNotations\."
)
# Where a comment begins, a sentence ends, or a bullet may stand; where a comment begins or ends.
MARK = re.compile(r"\(\*|\.(?=\s|\Z)|(?:\d+:\s*)?\{|\}|[-+*]+(?=\s)")
COMMENT = re.compile(r"\(\*|\*\)")
# What would let a theorem rest on something that has no proof.
FORBIDDEN = re.compile(
    r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Hypothes[ie]s|Context|Conjecture|Abort|Load|Let|"
    r"bypass_check|Unset\s+\w+\s+Checking|type-in-type|Declare\s+ML)\b"
)


# Scripts ------------------------------------------------------------------------------------


def sentences(source: str) -> list[str]:
    """The parts of a script as the prover takes them, comments in place; bullets stand alone."""
    parts, start, at = [], 0, 0
    while found := MARK.search(source, at):
        mark, at = found[0], found.start()
        if mark == "(*":
            at = after_comment(source, at)
        elif mark == "." or not bare(source[start:at]).strip():
            at = found.end()
            parts.append(source[start:at])
            start = at
        else:
            at += 1  # a sign inside a sentence
    return parts


def after_comment(source: str, at: int) -> int:
    """Where the comment that begins here ends; comments nest."""
    depth = 0
    for mark in COMMENT.finditer(source, at):
        depth += 1 if mark[0] == "(*" else -1
        if depth == 0:
            return mark.end()
    raise ValueError(f"a comment does not end: {source[at : at + 60]!r}")


def bare(source: str) -> str:
    """A script without its comments."""
    kept, at = [], 0
    while (begins := source.find("(*", at)) >= 0:
        kept.append(source[at:begins])
        at = after_comment(source, begins)
    return "".join(kept) + source[at:]


def without_leading_comments(sentence: str) -> str:
    text = sentence.lstrip()
    while text.startswith("(*"):
        text = text[after_comment(text, 0) :].lstrip()
    return text.rstrip()


def names(word: str, rest: str) -> list[str]:
    """What a definition or a theorem makes known: its name, what stands with it, and the cases."""
    cases = re.findall(r"(?::=|\|)\s*([\w']+)", rest) if word == "Inductive" else []
    return [re.match(r"[\w']+", rest)[0], *re.findall(r"\bwith\s+([\w']+)[^=|]*:=", rest), *cases]


@dataclass
class Script:
    """One file: what its definitions and theorems say, and in which context each stands."""

    name: str
    source: str
    definitions: dict[str, list[str]]  # name: its context, then itself
    theorems: dict[str, list[str]]
    known: dict[str, list[str]]  # definitions, and lemmas: a statement can name one, such as a test
    examples: list[str]
    opened: list[str]  # what holds outside its sections
    imports: list[str]

    @classmethod
    def read(cls, name: str, source: str) -> "Script":
        found: Script = cls(name, source, {}, {}, {}, [], [], [])
        frames = [found.opened]
        for sentence in sentences(source):
            text = without_leading_comments(sentence)
            word, _, rest = text.rstrip(".").partition(" ")
            if word == "Section":
                frames.append([])
            elif word == "End":
                frames.pop()
            elif word in CONTEXT:
                if word.startswith("Variable") and len(frames) == 1:
                    raise ValueError(f"{name}.v: a variable outside a section is an axiom: {text}")
                if ours := OURS.fullmatch(text):
                    found.imports += ours[1].split()
                frames[-1].append(text)
            elif word in (*STATED, *PROVED):
                whole = [*(line for frame in frames for line in frame), text]
                said = dict.fromkeys(names(word, rest), whole)
                found.theorems |= said if word == "Theorem" else {}
                found.known |= said if word != "Theorem" else {}
                found.definitions |= said if word in STATED else {}
                found.examples += said if word == "Example" else ()
        return found


def scripts(folder: Path = HERE) -> dict[str, Script]:
    """All files, each after those that it imports."""
    read = {p.stem: Script.read(p.stem, p.read_text("utf8")) for p in sorted(folder.glob("*.v"))}
    ordered: dict[str, Script] = {}

    def enter(name: str) -> None:
        for needed in read[name].imports:
            enter(needed)
        ordered.setdefault(name, read[name])

    for name in read:
        enter(name)
    return ordered


def statement(script: Script, theorem: str, among: dict[str, Script]) -> list[str]:
    """The theorem's sentence, after each definition, lemma, variable and notation that it names."""
    seen = [among[name] for name in reached(script.name, among)]
    known = {name: lines for s in seen for name, lines in s.known.items()}
    opened = [line for s in seen for line in s.opened]
    lines = list(dict.fromkeys(opened + (script.known | script.theorems)[theorem]))
    while True:
        used = words(telling(lines))
        needed = [line for name, text in known.items() if name in used for line in text]
        whole = list(dict.fromkeys(needed + lines))
        if len(whole) == len(lines):
            return telling(whole)
        lines = whole


def lines_of(proofs: list[str], parts: list[str]) -> list[int]:
    """The numbers of the sentences of these lemmas and theorems, each to the end of its proof."""
    plain, numbers = [bare(part).strip() for part in parts], []
    for name in proofs:
        begins = next(k for k, p in enumerate(plain) if re.match(rf"(?:Lemma|Theorem) {name}\b", p))
        numbers += range(begins, plain.index("Qed.", begins) + 1)
    return numbers


def reached(name: str, among: dict[str, Script]) -> list[str]:
    """The file after those that it imports, in an order that no other file can change."""
    before = [deep for needed in among[name].imports for deep in reached(needed, among)]
    return list(dict.fromkeys([*before, name]))


def telling(lines: list[str]) -> list[str]:
    """The lines without what only makes names known, and without signs and arguments of what is not used."""
    kept = [line for line in lines if not line.startswith(TAKING)]
    rest = bare("".join(line for line in kept if not line.startswith("Notation")))
    kept = [k for k in kept if not k.startswith("Notation") or signs(k) <= set(rest)]
    used = words(line for line in kept if not line.startswith("Arguments"))
    return [k for k in kept if not k.startswith("Arguments") or k.split()[1] in used]


def words(lines) -> set[str]:
    """The names in these lines."""
    return set(re.findall(r"[A-Za-z_][\w']*", bare(" ".join(lines))))


def signs(notation: str) -> set[str]:
    return set(re.findall(r"[^\x00-\x7f]", notation.partition(":=")[0]))


def quotations(script: Script) -> list[str]:
    """What the comments of a script quote from the book."""
    comments = re.findall(r"\(\*.*?\*\)", script.source, flags=re.DOTALL)
    quoted = [q for c in comments for q in re.findall(r'"([^"]+)"', c)]
    return [piece for q in quoted for piece in q.split("...")]


# The book -----------------------------------------------------------------------------------


def prose(book: Path = BOOK) -> str:
    """All text of the notebooks."""
    pages = (json.loads(path.read_text("utf8")) for path in sorted(book.glob("*.ipynb")))
    cells = (cell for page in pages for cell in page["cells"])
    return "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")


@cache
def block(label: str, text: str) -> str | None:
    """The statement with this label, or the formula; None if there is none."""
    if label.startswith("eq-"):
        found = re.search(rf"\$\$((?:(?!\$\$).)*)\$\$ \({label}\)", text, flags=re.DOTALL)
    else:
        begins = r"^[`:]{3,}\{prf:(?!proof)\w+\}"
        found = re.search(
            rf"{begins}([^\n]*\n:label: {label}\n.*?)\n[`:]{{3,}}$", text, re.DOTALL | re.MULTILINE
        )
    return found[1] if found else None


def letters(text: str) -> str:
    """What is left of a sentence whose formulas are typed in another way."""
    text = re.sub(r"\{(?:prf:ref|eq|doc|ref)\}`[^`]*`", " ", text)
    text = re.sub(r"\\[A-Za-z]+", " ", text)
    text = re.sub(r"alpha|gamma|\btau\b|\bmin_|\bOpt\b|\bbeta\b|\bdelta\b", " ", text)
    return re.sub(r"[^A-Za-z]", "", text).lower()


# Pairs --------------------------------------------------------------------------------------


def pairs(folder: Path = HERE) -> dict[str, dict]:
    return json.loads((folder / "pairs.json").read_text("utf8"))


def digest(text: str) -> str:
    """A hash of a text, whatever its line breaks."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:16]


def named(label: str) -> str:
    return label.replace("-", "_")


def proved(label: str, among: dict[str, Script]) -> Script | None:
    """The script with the theorem of this label."""
    return next((s for s in among.values() if named(label) in s.theorems), None)


def now(label: str, pair: dict, among: dict[str, Script], text: str) -> dict[str, str]:
    """The hashes of both statements as they stand, each with what it rests on."""
    script = proved(label, among)
    formal = bare("\n".join(statement(script, named(label), among))) if script else ""
    rests = [
        block(r, text) if r.startswith(KINDS) else r * (text.count(r) == 1)
        for r in pair.get("rests", [])
    ]
    human = [block(label, text), *rests]
    return {
        "book": digest("\n".join(human)) if all(human) else "missing",
        "formal": digest(formal) if formal else "missing",
    }


KINDS = ("eq-", "def-", "thm-", "prop-", "lem-", "cor-", "alg-")


def unread(among: dict[str, Script], text: str, read: dict[str, dict]) -> list[str]:
    """What is wrong with the pairs: a statement that has changed since it was read, or has no partner."""
    found = [
        f"{script.name}.v: `{name}` has no entry in pairs.json"
        for script in among.values()
        for name in script.theorems
        if name not in map(named, read)
    ]
    for label, pair in read.items():
        for side, is_now in now(label, pair, among, text).items():
            if is_now == "missing":
                found.append(f"{label}: the {side} statement, or what it rests on, is missing")
            elif is_now != pair.get(side):
                found.append(
                    f"{label}: the {side} statement is not the one that was read. Read both, line "
                    f"against line, then: python3 proofs/check.py --accept {label}"
                )
    return found


def misquoted(among: dict[str, Script], text: str) -> list[str]:
    """Quotations in the scripts that the book does not have."""
    said = letters(text)
    return [
        f"{s.name}.v quotes what is not in the book: {q!r}"
        for s in among.values()
        for q in quotations(s)
        if letters(q) not in said
    ]


def strange(among: dict[str, Script]) -> list[str]:
    """What stands between proofs and is not read here: such a definition would escape the hashes."""
    return [
        f"{s.name}.v: nobody reads a sentence that begins so: `{word}`"
        for s in among.values()
        for word in escaping(s.source)
    ]


def foreign(among: dict[str, Script]) -> list[str]:
    """Lines that take in what is neither a script nor one of the listed libraries."""
    return [
        f"{s.name}.v takes in more than `LIBRARIES` in proofs/formal.py lists: {line}"
        for s in among.values()
        for line in map(without_leading_comments, sentences(s.source))
        if line.startswith(TAKING) and not (OURS.fullmatch(line) or THEIRS.fullmatch(line))
    ]


def escaping(source: str) -> list[str]:
    """The first words of sentences that are neither read nor tactics in a proof that ends in `Qed`.

    Coq takes a definition within a proof, too; tactics begin with a small letter.
    """
    found, proving = [], False
    for sentence in sentences(source):
        word = without_leading_comments(sentence).rstrip(".").split()[0]
        begins = word in PROVED
        tactic = word in ("Proof", "Qed") or not (word[0].isupper() or word[0] == "#")
        known = tactic if proving else begins or word in READ
        if not known:
            found.append(word)
        proving = begins or (proving and word != "Qed")
    return found


READ = (*CONTEXT, *STATED, *SILENT)


def ambiguous(among: dict[str, Script]) -> list[str]:
    """Names that two of the scripts define which one theorem can use."""
    found = []
    for name, script in among.items():
        defined = [d for r in reached(name, among) for d in among[r].definitions]
        twice = sorted({d for d in defined if defined.count(d) > 1})
        if script.theorems and twice:
            found.append(f"{name}.v: {twice} mean two things")
    return found


def unproved(among: dict[str, Script]) -> list[str]:
    """Words that would let a theorem stand without a proof."""
    return [
        f"{s.name}.v must not say `{word}`"
        for s in among.values()
        for word in FORBIDDEN.findall(bare(s.source))
    ]


if __name__ == "__main__":
    among = scripts()
    for label in sys.argv[1:]:
        print(*statement(proved(label, among), named(label), among), sep="\n", end="\n\n")
