"""Text as the standard output can show it, so that printing an answer never raises."""

import sys

PLAIN = str.maketrans({"≤": "<=", "≥": ">=", "…": "...", "−": "-", "±": "+-", "—": "-"})


def shown(text: str) -> str:
    """The text itself; where `sys.stdout` cannot write it, as under LC_ALL=C without UTF-8, in ASCII."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(PLAIN).encode("ascii", "backslashreplace").decode("ascii")
    return text
