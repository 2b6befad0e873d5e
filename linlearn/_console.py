"""Encode text for a standard output that may lack UTF-8, so that printing never raises."""

import sys

PLAIN = str.maketrans({"≤": "<=", "≥": ">=", "…": "...", "−": "-", "±": "+-", "—": "-"})


def printable(text: str) -> str:
    """The text itself; where `sys.stdout` cannot write it, as under LC_ALL=C without UTF-8, in ASCII."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(PLAIN).encode("ascii", "backslashreplace").decode("ascii")
    return text
