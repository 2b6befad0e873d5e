"""The course in other forms, made from the finished build: one module an edition."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "book" / "_ext"))  # there it is read which lessons there are


class Missing(Exception):
    """What an edition needs is not on this machine; the message says how to install it."""


class Faulty(Exception):
    """An edition is written, but not as it should be; the message says what is wrong, and where."""
