"""`Packing` and `Cover`, dual witnesses for the number of mistakes; `certificates.mistakes` checks them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from linlearn.certificates.cells import Frame, pieces
from linlearn.validation import Array, Ints


class Claim(NamedTuple):
    """Proof that no hyperplane classifies all of a set of samples correctly.

    Every hyperplane a has ⟨a, Σ weightsᵢ zᵢ⟩ ≤ 0 with weights ≥ 0, so that some margin ⟨a, zᵢ⟩ is not
    positive. `samples` are the indices of the samples, shape (k,), and `weights` has the same shape.
    """

    samples: Ints
    weights: Array


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Packing:
    """A fractional packing of inseparable sets of samples, each with its certificate of inseparability.

    Every hyperplane makes a mistake in each set. If, for each sample, the amounts of the sets that contain
    it add up to at most 1, then every hyperplane makes at least Σ amounts mistakes.
    """

    claims: tuple[Claim, ...]
    amounts: Array

    def to_arrays(self) -> dict[str, np.ndarray]:
        """What `from_arrays` needs, as plain arrays."""
        return {**_flat(self.claims), "amounts": self.amounts}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> "Packing":
        claims, amounts = _ragged(arrays), arrays["amounts"]
        if len(claims) != len(amounts):
            raise ValueError("`amounts` must have one entry per set.")
        return cls(claims, amounts)

    def __repr__(self) -> str:
        return f"Packing({len(self.claims)} inseparable sets)"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Cover:
    """Cells that cover all weight directions, or inseparable sets of samples that may overlap; or both.

    Every hyperplane lies in a cell, and makes the mistakes that are certain in it. The cells are the leaves
    of a tree, so that they cover all directions by construction. Split 0 divides the space into the faces of
    a cube in the coordinates of `frame`; split k > 0 divides piece `piece[k]` of split `parent[k]` further.
    Without splits there are no cells. And every hyperplane makes a mistake in each set, so at least as many
    as there are in the fewest samples that meet all sets.
    """

    frame: Frame
    parent: Ints
    piece: Ints
    claims: tuple[Claim, ...]

    def below(self) -> dict[int, dict[int, int]]:
        """For each split, which of its pieces are split again, and by which split."""
        p = len(self.frame.A)
        below: dict[int, dict[int, int]] = {}
        splits = zip(self.parent.tolist(), self.piece.tolist(), strict=True)
        for number, (parent, piece) in enumerate(splits):
            count = 2 * p if parent == 0 else pieces(p) ** (p - 1)
            if 0 <= parent < number and 0 <= piece < count:
                below.setdefault(parent, {})[piece] = number
        return below

    def to_arrays(self) -> dict[str, np.ndarray]:
        """What `from_arrays` needs, as plain arrays."""
        frame = {"centre": self.frame.centre, "scale": self.frame.scale, "A": self.frame.A}
        tree = {"parent": self.parent, "piece": self.piece}
        return {**frame, **tree, **_flat(self.claims)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> "Cover":
        frame = Frame(arrays["centre"], arrays["scale"], arrays["A"])
        parent, piece, p = arrays["parent"], arrays["piece"], len(frame.A)
        if len(parent) != len(piece) or frame.A.shape != (p, p):
            raise ValueError("`piece` must be as long as `parent`, and `A` must be square.")
        return cls(frame, parent, piece, _ragged(arrays))

    def __repr__(self) -> str:
        splits, sets = len(self.parent), len(self.claims)
        cells = [f"{splits} split{'' if splits == 1 else 's'}"] if splits or not sets else []
        return f"Cover({', '.join(cells + [f'{sets} inseparable sets'] * bool(sets))})"


def _flat(claims: Sequence[Claim]) -> dict[str, np.ndarray]:
    return {
        "start": np.cumsum([0] + [len(c.samples) for c in claims]),
        "samples": np.concatenate([np.zeros(0, np.int64), *(c.samples for c in claims)]),
        "weights": np.concatenate([np.zeros(0), *(c.weights for c in claims)]),
    }


def _ragged(arrays: Mapping[str, np.ndarray]) -> tuple[Claim, ...]:
    start, samples, weights = arrays["start"], arrays["samples"], arrays["weights"]
    ends = (0, len(samples), len(weights))
    if (np.diff(start) < 0).any() or ends != (*start[:1], *start[-1:], len(samples)):
        raise ValueError(
            "`start` must increase from 0 to the length of `samples`, which is also that of `weights`."
        )
    pairs = zip(start[:-1].tolist(), start[1:].tolist(), strict=True)
    return tuple(Claim(samples[a:b], weights[a:b]) for a, b in pairs)
