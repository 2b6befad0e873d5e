"""Find formulas in plain text, such as `½‖w‖² + Σ αᵢzᵢ` in a docstring, and write them as LaTeX.

A docstring is read in a terminal, where Unicode is the best that there is, and on a page, where it is
not. So it is written once, for the terminal, and this file finds the formulas in it: the longest
pieces between words, with their brackets in pairs. What it cannot know stands in the lists below; a
test demands that no formula is left in the text of the built pages.
"""

import itertools
import re
import unicodedata
from collections.abc import Iterator

from docutils import nodes

FUNCTIONS = {"ln", "log", "exp", "max", "min", "inf", "sup", "sgn", "diag", "sqrt"}
PRODUCTS = {"Za", "Au", "Gu", "nd", "sm", "WA", "WAu"}  # letters that are no word
NAMES = {"er"}  # a word that is a number
# Before one of these `a` is a vector; before any other word it is an article.
AFTER_A_LETTER = (
    "of and or has had with in for from is are to as at by on the that which there some such only "
    "solves separates moves exists must where if so it be"
)

SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₖₙ", "0123456789+-ijkn", strict=True))
SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ*", "0123456789+-n*", strict=True)) | {"ᵀ": r"\top "}
PRIMES = {"′": "'", "″": "''", "‴": "'''"}
ACCENTS = {"\u0304": "bar", "\u0302": "hat", "\u0303": "tilde"}
FRACTIONS = {"½": r"\tfrac12 ", "¼": r"\tfrac14 ", "¾": r"\tfrac34 ", "⅓": r"\tfrac13 "}
OPENING, CLOSING = "([{⟨", ")]}⟩"
RELATIONS = "=≤≥<>≠∈∉→↦≈⇒←↔∋"

BELOW, ABOVE = "".join(SUBSCRIPTS), "".join(SUPERSCRIPTS).replace("*", "")
LATIN = rf"[^\W\d_Α-ωℝ{BELOW}{ABOVE}]"  # the letters that words are made of

TOKEN = re.compile(
    rf"""(?P<space>\s+)
    |(?P<letters>(?:[A-Za-z]\.){{2,}}|[A-Za-z](?=-[A-Za-z]{{2}})|(?<=\w)[’']s\b)  # i.i.d., k-nearest
    |(?P<word>{LATIN}{{2,}}(?:[-’']{LATIN}+)*(?![\u0300-\u036f]))
    |(?P<script>[_^](?:\{{[^{{}}]*\}}|\([^()]*\)|∞|\w(?![A-Za-z0-9]))|\^[-+]?[A-Za-z]+)
    |(?P<below>[{BELOW}]+)
    |(?P<prime>[{"".join(PRIMES)}]+)
    |(?P<above>(?:[{ABOVE}]|(?<=[^\W\d])(?<![a-z]{{2}})\*(?!\*))+)
    |(?P<accent>[{"".join(ACCENTS)}])
    |(?P<number>\d+(?:[.,]\d+)*(?:e-?\d+)?)
    |(?P<letter>[^\W\d_]|[∞∇#…½¼¾⅓])
    |(?P<sign>[-−+±∓·/×∘√Σ{RELATIONS}])
    |(?P<bar>[|‖])
    |(?P<open>[{re.escape(OPENING)}])
    |(?P<close>[{re.escape(CLOSING)}])
    |(?P<inner>[,:;!])
    |(?P<other>.)""",
    re.VERBOSE,
)

Token = tuple[str, str]


def tokens(text: str) -> list[Token]:
    """The text cut into pairs (kind, piece), which together are the text."""
    found = [(match.lastgroup, match[0]) for match in TOKEN.finditer(text)]
    return [named(found, k) for k in range(len(found))]


OUTSIDE = {"word", "letters", "other"}  # what no formula holds
ARGUMENTS = ("open", "bar", "below", "script", "letter", "number")


def named(found: list[Token], k: int) -> Token:
    """A word that belongs to a formula after all: a function, a product, or one tied to a sign."""
    kind, piece = found[k]
    before, after = (found[j] if 0 <= j < len(found) else ("", "") for j in (k - 1, k + 1))
    beyond = found[k + 2] if k + 2 < len(found) else ("other", "")
    if kind == "letter" and piece in "aA" and after[0] == "space":
        capital = beyond[0] == "letter" and beyond[1].isupper()
        article = beyond[0] == "word" and beyond[1] not in AFTER_A_LETTER.split()
        return ("word" if capital or article or beyond[0] in OUTSIDE - {"word"} else kind), piece
    if kind != "word":
        return kind, piece
    if piece in PRODUCTS or (len(piece) == 2 and "bar" in (before[0], after[0])):  # ‖Bv‖
        return "letter", piece
    if piece in FUNCTIONS:
        argument = beyond if after[0] == "space" else after
        return ("function" if argument[0] in ARGUMENTS else kind), piece
    tied = after[0] == "below" or "·" in (before[1], after[1])
    part = after[1] == "/" and beyond[0] in ("open", "number")  # rate/(k + 1), delta/2
    return ("name" if tied or part or piece in NAMES else kind), piece


# Where formulas are ---------------------------------------------------------------------------


def pieces(text: str) -> list[tuple[bool, str]]:
    """The text as pairs (is a formula, piece): for a formula its LaTeX."""
    found = []
    for formula, group in itertools.groupby(cut(text), key=lambda pair: pair[0]):
        parts = [piece for _, piece in group if piece]
        found += [(formula, piece) for piece in (parts if formula else ["".join(parts)]) if piece]
    return found


def cut(text: str) -> Iterator[tuple[bool, str]]:
    run: list[Token] = []
    for kind, piece in [*tokens(text), ("other", "")]:
        depth = sum(k == "open" for k, _ in run) - sum(k == "close" for k, _ in run)
        if kind in OUTSIDE or (kind in ("inner", "close") and not depth):
            yield from parted(run)
            yield False, piece
            run = []
        else:
            run.append((kind, piece))


def written(text: str) -> list[nodes.Node]:
    """The text with its formulas as formulas, for a page that is made of nodes."""
    return [
        nodes.math("", piece) if formula else nodes.Text(piece) for formula, piece in pieces(text)
    ]


def parted(run: list[Token]) -> Iterator[tuple[bool, str]]:
    """A piece between words, cut where a bracket is not closed in it, without the space around it."""
    lone = unmatched_bracket(run)
    if lone is not None:
        yield from parted(run[:lone])
        yield False, run[lone][1]
        yield from parted(run[lone + 1 :])
        return
    inner = [k for k, (kind, _) in enumerate(run) if kind not in ("space", "inner")]
    if not inner or not is_formula([run[k] for k in inner]):
        yield False, "".join(piece for _, piece in run)
        return
    first, last = inner[0], inner[-1] + 1
    yield False, "".join(piece for _, piece in run[:first])
    yield True, latex(run[first:last])
    yield False, "".join(piece for _, piece in run[last:])


def unmatched_bracket(run: list[Token]) -> int | None:
    """The place of a bracket or a bar that has no partner in the piece."""
    open_at: list[int] = []
    for k, (kind, piece) in enumerate(run):
        if kind == "open":
            open_at.append(k)
        elif kind == "close":
            if not open_at:
                return k
            open_at.pop()
        elif piece == "‖" and sum(p == "‖" for _, p in run) % 2:
            return k
    return open_at[-1] if open_at else None


SPEAKING = ("letter", "function", "name", "below", "above", "prime", "script")


def is_formula(run: list[Token]) -> bool:
    """Numbers, dashes and dots alone are text; -1 is a formula."""
    signed = [kind for kind, _ in run] == ["sign", "number"]
    spoken = any(kind in SPEAKING and piece not in "…#" for kind, piece in run)
    return signed or spoken or any(piece in "≤≥≠∈∉→↦≈←∋±Σ{" for _, piece in run)


# What they say --------------------------------------------------------------------------------


def latex(run: list[Token]) -> str:
    """LaTeX for a piece of plain mathematics."""
    out: list[str] = []
    opened: list[set[str]] = [set()]  # for each bracket that is open, the bars that are open in it
    k = 0
    while k < len(run):
        kind, piece = run[k]
        if piece in ("√", "sqrt") and k + 1 < len(run):
            end = group_end(run, k + 1)
            inside = run[k + 1 : end]
            bare = inside[1:-1] if inside[0][1] == "(" else inside
            out.append(rf"\sqrt{{{latex(bare)}}}")
            k = end
            continue
        if kind == "open":
            opened.append(set())
        elif kind == "close":
            opened.pop()
        if kind == "accent":
            out[-1] = rf"\{ACCENTS[piece]}{{{out[-1].strip()}}}"
        elif kind == "bar":
            out.append(bar(run, k, opened[-1]))
        elif kind == "space":
            out.append(space(run, k))
        else:
            out.append(SPELT.get(kind, symbol)(piece, run[k + 1 : k + 2]))
        k += 1
    return "".join(out).strip()


def group_end(run: list[Token], k: int) -> int:
    """The end of what begins at k: a bracket with all that is in it, or one sign."""
    depth = 0
    for j in range(k, len(run)):
        depth += (run[j][0] == "open") - (run[j][0] == "close")
        if not depth:
            return j + 1
    return len(run)


def symbol(piece: str, after: list[Token]) -> str:
    if piece == "Σ" and not (after and after[0][1][0] in "\u0302⁻"):  # else it is a covariance
        return r"\sum "
    letter, *accent = unicodedata.normalize("NFD", piece)
    if accent and accent[0] in ACCENTS:  # ŵ has a place of its own among the letters
        return rf"\{ACCENTS[accent[0]]}{{{letter}}}"
    return FRACTIONS.get(piece) or {"{": r"\{", "}": r"\}", "#": r"\#"}.get(piece, piece)


def function(piece: str, _after: list[Token]) -> str:
    return rf"\operatorname{{{piece}}}" if piece in ("diag", "sgn") else rf"\{piece} "


def raised(piece: str, _after: list[Token]) -> str:
    return "^{" + "".join(SUPERSCRIPTS[c] for c in piece) + "}"


def lowered(piece: str, _after: list[Token]) -> str:
    return "_{" + "".join(SUBSCRIPTS[c] for c in piece) + "}"


def script(piece: str, _after: list[Token]) -> str:
    """What stands after `_` or `^`: a sign, or all in its brackets."""
    inside = piece[2:-1] if piece[1] in "{(" else piece[1:]
    return f"{piece[0]}{{{latex(tokens(inside))}}}"


SPELT = {
    "function": function,
    "name": lambda piece, _after: rf"\mathrm{{{piece}}}",
    "word": lambda piece, _after: rf"\mathrm{{{piece}}}",
    "above": raised,
    "below": lowered,
    "prime": lambda piece, _after: "".join(PRIMES[c] for c in piece),
    "script": script,
}


def space(run: list[Token], k: int) -> str:
    """Space beside a bracket parts a name from a pair, as in X (n, d); other space is TeX's own affair."""
    pair = k and k + 1 < len(run) and run[k + 1][0] == "open"
    return r"\," if pair and run[k - 1][0] in ("letter", "below", "above", "name") else " "


def bar(run: list[Token], k: int, opened: set[str]) -> str:
    """`|` and `‖` open and close in turn; a single one in its brackets, as in P(y | x), is a relation."""
    piece = run[k][1]
    name = {"|": "vert", "‖": "Vert"}[piece]
    if piece in opened:
        opened.remove(piece)
        return rf"\r{name} "
    depth = 0
    for kind, later in run[k + 1 :]:
        depth += (kind == "open") - (kind == "close")
        if later == piece and not depth:
            opened.add(piece)
            return rf"\l{name} "
        if depth < 0:
            break
    return r"\mid "
