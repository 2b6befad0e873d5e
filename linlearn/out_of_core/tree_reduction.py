"""Check blocks of samples and add them in one fixed tree: the same bits for any number of workers.

Its leaves are a few thousand samples. A node is known by its level and its place there, so that two
neighbours can be joined wherever they meet, on one thread or on another machine, and only siblings ever are.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from functools import cache
from importlib import import_module
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from linlearn._scipy import linalg
from linlearn.validation import Array, Refusal, floats_or_refusal, labels_or_refusal, merged_refusal

LARGE = 1e60  # entries below it, and columns with an entry above its inverse, keep squares among the floats


class Leaf(NamedTuple):
    """Samples x, shape (k, d), their labels y, and the number of the first one."""

    x: Array
    y: Array
    first: int


class PartialSums(NamedTuple):
    """What is said of some samples: `sums` are added, of `most` the larger is kept, `rows` stay in order."""

    sums: tuple[Array, ...]
    most: Array = np.zeros(0)
    rows: Array = np.empty((0, 0))


class Node(NamedTuple):
    """The part of leaves place·2^level, …, (place + 1)·2^level - 1, as far as there are any."""

    level: int
    place: int
    part: PartialSums | Refusal


Read = Callable[..., PartialSums]


def join(early: PartialSums | Refusal, late: PartialSums | Refusal) -> PartialSums | Refusal:
    """The part of the samples of both; where some are refused, why they are."""
    if isinstance(early, Refusal) or isinstance(late, Refusal):
        return merged_refusal(one for one in (early, late) if isinstance(one, Refusal))
    sums = tuple(a + b for a, b in zip(early.sums, late.sums, strict=True))
    most = np.maximum(early.most, late.most)
    rows = [one.rows for one in (early, late) if one.rows.size]
    return PartialSums(sums, most, np.concatenate(rows) if rows else early.rows)


def merged(nodes: Iterable[Node]) -> list[Node]:
    """The fewest nodes that say the same: siblings join as soon as both are there."""
    stack: list[Node] = []
    for level, place, part in nodes:
        while stack and place % 2 and stack[-1][:2] == (level, place - 1):
            level, place, part = level + 1, place // 2, join(stack.pop().part, part)
        stack.append(Node(level, place, part))
    return stack


def root(nodes: Iterable[Node]) -> PartialSums | Refusal:
    """The part of all samples, or why some are refused.

    What has no sibling at the end joins the rest from the right.
    """
    parts: list[PartialSums | Refusal] = [node.part for node in merged(nodes)]
    whole = parts.pop()
    while parts:
        whole = join(parts.pop(), whole)
    return whole


def read(piece: Any, first: int, place: int, leaf: int, f: Read, args: Sequence[Any]) -> list[Node]:
    """The nodes of one piece, (x, y) or what loads them: f(leaf, *args) is the part of a leaf.

    `first` is the number of the piece's first sample, `place` that of its first leaf.
    """
    x, y = piece() if callable(piece) else piece
    with one_thread(), np.errstate(all="ignore"):
        leaves = (
            (place + at // leaf, checked(x[at : at + leaf], y[at : at + leaf], first + at))
            for at in range(0, len(y), leaf)
        )
        return merged(
            Node(0, k, one if isinstance(one, Refusal) else f(one, *args)) for k, one in leaves
        )


def checked(x: Any, y: Any, first: int) -> Leaf | Refusal:
    """Samples and labels as floats, or what is wrong with them: every source has its blocks asked here."""
    x = x.toarray() if hasattr(x, "toarray") else x
    samples = floats_or_refusal(x, first=first, below=LARGE)
    labels = labels_or_refusal(y, first=first)
    refusals = [one for one in (samples, labels) if isinstance(one, Refusal)]
    if refusals:
        return merged_refusal(refusals)
    return Leaf(np.asarray(samples), np.asarray(labels), first)


class _OneThread(AbstractContextManager[None]):
    """Holds BLAS to one thread, whose count would show in the last bits, until the last user has left."""

    def __init__(self) -> None:
        self.lock, self.users, self.limit = Lock(), 0, None

    def __enter__(self) -> None:
        with self.lock:
            if self.limit is None and (controller := _controller()):
                self.limit = controller.limit(limits=1, user_api="blas")
            self.users += 1

    def __exit__(self, *error: object) -> None:
        with self.lock:
            self.users -= 1
            if not self.users and self.limit is not None:
                self.limit.restore_original_limits()
                self.limit = None


@cache
def _controller() -> Any:
    """What knows the BLAS libraries, if threadpoolctl is there, which the extras bring along."""
    try:
        pools = import_module("threadpoolctl")
    except ImportError:
        return None
    linalg.eigh  # noqa: B018  SciPy's library must be loaded before they are looked for
    return pools.ThreadpoolController()


_ONES: dict[int, _OneThread] = {}


def one_thread() -> _OneThread:
    """The one of all threads of this process; a fork has its own, as no other thread goes on in it."""
    return _ONES.setdefault(os.getpid(), _OneThread())
