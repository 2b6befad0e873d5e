"""The rules of the book as pure functions: one message for each place that breaks a rule.

A message says where (notebook, cell id), what is wrong, and what to do. `GUARDS` holds the rules
for one page, `BOOK_GUARDS` those for all pages together, `built` those for the HTML;
`tests/test_guards.py` breaks each of them.
"""

from guards import boxes, cells, figures, inventory, numbers, state, textbook, variants, words
from guards.page import BOOK_GUARDS, GUARDS, ROOT, Page, opened

__all__ = [
    "BOOK_GUARDS",
    "GUARDS",
    "ROOT",
    "Page",
    "boxes",
    "cells",
    "figures",
    "inventory",
    "numbers",
    "opened",
    "state",
    "textbook",
    "variants",
    "words",
]
