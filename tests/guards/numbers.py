"""Guard on numbers in prose: what is written in digits was computed on the page.

A number written in digits in a sentence, title, caption or alternative text must occur in the text
outputs or in the code of the same notebook; inside mathematics, only decimals of three significant
digits or more must. It may also be the correct rounding of what is printed there, if it keeps two
significant digits: 0.34 or 0.343 for an output 0.3427, but not 0.3. A percentage may stand for a
printed fraction. What was not computed is written as a word ("two classes"), in mathematics, or as
code. Exempt: years 1600-2100, dates, "note 3", "chapter 03", "Python 3.11", digits in a name
(2-D, S0.4), and places in a cited work ("Exercise 14.3 of {cite:t}`…`"). Comments and cells tagged
`remove-cell` prove nothing.
"""

import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

from nbformat import NotebookNode

from guards.page import Page, guard, outputs, tags
from guards.reading import CITED

MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
PLACES = r"(?:chapter|corollary|equation|exercise|figure|lemma|page|problem|proposition|section|theorem)s?"
EXEMPT = re.compile(
    rf"""\b(?:notes?|chapters?|Python)\s+\d[\d.]*(?:(?:\s*,\s*|\s*–\s*|\s+(?:and|or|to)\s+)\d[\d.]*)*
    |\b\d{{1,2}}\s+(?:{MONTHS})\b | \b(?:{MONTHS})\s+\d{{1,2}}\b
    |\b{PLACES}\s+[\d.–]+(?=\s+(?:of|in)\s+{CITED}) | {CITED}\s*,?\s+\(?{PLACES}\s+[\d.–]+""",
    re.IGNORECASE | re.VERBOSE,
)
HEADING = re.compile(r"^\d+(?:\.\d+)*\.?\s+(?=[A-Z])")
NUMBER = re.compile(
    r"""(?<![\w.#])                            # not inside a name such as x2 or S0.4
    (?P<sign>(?<![\w)\].])[-−+])?
    (?P<digits>\d{1,3}(?:[,_\u2009\u202f\u00a0]\d{3})+(?!\d)|\d+)
    (?P<fraction>\.\d+)?
    (?:e(?P<e>[-+]?\d+)|\s?(?:×|\\times|\\cdot)\s?10(?:\^\{?(?P<power>[-−]?\d+)\}?|(?P<raised>[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)))?
    (?:(?:st|nd|rd|th)\b|(?!\.?\d|[A-Za-z_]|-D\b))              # nor 2-D, 3b, 1.2.3
    (?P<percent>\s?(?:%|per\s?cent\b))?""",
    re.VERBOSE,
)
RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


@dataclass(frozen=True)
class Number:
    """A number as written: value, decimals after the point, significant digits, signs shown."""

    written: str
    value: Decimal
    places: int
    significant: int
    signed: bool
    percent: bool

    def stands_for(self, token: "Number") -> bool:
        """Whether it is the token, or its correct rounding with at least two significant digits."""
        shifts = [0]
        if self.percent and not token.percent and abs(token.value) <= 1:
            shifts.append(2)
        if token.percent and not self.percent:
            shifts.append(-2)
        return any(
            self._rounds(token.value.scaleb(shift), token.places - shift) for shift in shifts
        )

    def _rounds(self, value: Decimal, places: int) -> bool:
        mine, value = (self.value, value) if self.signed else (abs(self.value), abs(value))
        if self.places > max(places, 0):
            return False
        if mine == value:
            return True
        unit = Decimal(1).scaleb(-self.places)
        return (
            self.places < places
            and self.significant >= 2
            and mine
            in {value.quantize(unit, rounding) for rounding in (ROUND_HALF_EVEN, ROUND_HALF_UP)}
        )


def find(text: str) -> list[Number]:
    """The numbers written in a text, with thousands separators, Unicode minus and ×10ⁿ understood."""
    return [_number(found) for found in NUMBER.finditer(text)]


def _number(found: re.Match) -> Number:
    exponent = int(
        (found["e"] or found["power"] or (found["raised"] or "0").translate(RAISED)).replace(
            "−", "-"
        )
    )
    fraction = found["fraction"] or ""
    digits = re.sub(r"\D", "", found["digits"]) + fraction
    value = Decimal(digits).scaleb(exponent) * (-1 if found["sign"] in ("-", "−") else 1)
    return Number(
        found[0].strip(),
        value,
        places=len(fraction.lstrip(".")) - exponent,
        significant=len(digits.replace(".", "").lstrip("0")),
        signed=bool(found["sign"]),
        percent=bool(found["percent"]),
    )


def prose_numbers(text: str) -> list[Number]:
    """The numbers of a paragraph that claim to be computed."""
    text = EXEMPT.sub(" ", HEADING.sub("", text))
    return [n for n in find(text) if not re.fullmatch(r"1[6-9]\d\d|20\d\d|2100", n.written)]


def math_numbers(formula: str) -> list[Number]:
    """Inside mathematics: decimals of three significant digits or more."""
    formula = re.sub(r"(?<=\d)(?:\{,\}|\\,|\\;)(?=\d{3})", ",", formula).replace("{}", "")
    return [
        n for n in find(formula) if re.match(r"[-−+]?[\d,]+\.\d", n.written) and n.significant >= 3
    ]


def evidence(page: Page) -> list[Number]:
    """The numbers in text outputs and in the code (comments left out) of cells that the reader can see."""
    texts = []
    for cell in page.code:
        if "remove-cell" in tags(cell):
            continue
        texts.append(_without_comments(cell))
        for mime, text in outputs(cell):
            if not mime.startswith("image/") and "data-explore" not in text:  # nobody sees those
                texts.append(re.sub(r"<[^>]+>", " ", text) if mime == "text/html" else text)
    split = [
        re.sub(r"(?<=\d),(?=\d)", ", ", text) for text in texts
    ]  # "[1,365]" may be a pair, too
    return list({n for text in texts + split for n in find(text)})


def _without_comments(cell: NotebookNode) -> str:
    try:
        tokens = tokenize.generate_tokens(io.StringIO(cell.source).readline)
        return " ".join(token.string for token in tokens if token.type != tokenize.COMMENT)
    except (tokenize.TokenError, IndentationError):
        return cell.source


@guard
def numbers(page: Page) -> Iterator[str]:
    """Every number in prose was computed on the page."""
    if page.path.suffix == ".md":
        return
    known = evidence(page)
    for cell, reading in page.readings:
        written = [(n, text) for text in reading.prose for n in prose_numbers(text)]
        written += [(n, text) for text in reading.math for n in math_numbers(text)]
        for number, text in written:
            if not any(number.stands_for(token) for token in known):
                at = max(text.find(number.written) - 30, 0)
                context = " ".join(text[at : at + 70].split())
                yield (
                    f"{page.at(cell)}: the number {number.written} (in “{context}”) occurs in no "
                    "output and no code of this "
                    "page. Correct it, print it, or write what was not computed as a word, as "
                    "mathematics or as code."
                )
