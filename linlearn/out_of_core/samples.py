"""`SampleSums`: sums over samples, their centre and range, every k-th sample, exactly redundant columns."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np

from linlearn.certificates.ball import gamma, round_up
from linlearn.certificates.samples import two_sum
from linlearn.out_of_core.sources import source
from linlearn.out_of_core.tree_reduction import (
    LARGE,
    Leaf,
    Node,
    PartialSums,
    Read,
    one_thread,
    root,
)
from linlearn.solvers.logistic import MANY
from linlearn.validation import NOT_TOO_SMALL, Array, Bools, Refusal, only_one_label

WIDE = 1000  # features: a sum of squares and products holds d² numbers for each level of the tree
APART = 1e-9  # of a column's square: what others leave of it if it is no combination of them, as sums tell it
SIMPLE = 100  # denominator of a fraction that columns are combined with
WHOLE = 2.0**26
PILOT = 2**22  # entries of the pilot, 32 MiB: every k-th sample, in memory, for a start


class SampleSums:
    """The rows uᵢ = (xᵢ - m, 1) of a source, known by sums over them.

    `m` is about the mean, and equal to a column that is constant; `reach` is at least |uᵢⱼ|, shape (p,);
    `counts` are the samples of the two classes, the positive first, `means` their means, shape (2, d).
    """

    def __init__(self, X: Any, y: Any) -> None:
        self.source = source(X, y)
        self.n, self.d, self.p = self.source.n, self.source.d, self.source.d + 1
        self.readings = 0
        if self.p > self.n:
            raise ValueError(
                "`X` must have more samples than features to be read in blocks; got shape "
                f"{(self.n, self.d)}. So few samples fit in memory: pass them as an array."
            )
        if self.d > WIDE:
            raise ValueError(
                f"`X` must have at most {WIDE} features to be read in blocks; got {self.d}. Select "
                "fewer features, or pass samples that fit in memory as an array."
            )
        self._survey_samples()

    def _survey_samples(self) -> None:
        """One pass, before anything is computed."""
        every = max(16, -(-self.n * self.d // PILOT)) | 1  # odd, since labels often alternate
        found = self.total(_survey, every if self.n >= every * MANY * self.p else 0)
        counts, sums, absolute = found.sums
        high, low = found.most[: self.d], -found.most[self.d :]
        if not counts.all():
            raise only_one_label(1.0 if counts[0] else -1.0)
        self.counts, self.means = counts, sums / counts[:, None]
        self.m = np.where(high == low, high, sums.sum(axis=0) / self.n)
        self.reach = np.append(round_up(np.maximum(high - self.m, self.m - low), 2), 1.0)
        self.mean_error = round_up(self.gamma() * (absolute / counts.min()), 4)
        largest = np.maximum(high, -low)
        small = np.flatnonzero((largest > 0) & (largest < 1 / LARGE))
        if small.size:
            raise ValueError(
                f"{NOT_TOO_SMALL.format(1 / LARGE)}; the largest in column {small[0]} is "
                f"{largest[small[0]]:g}. Rescale column {small[0]}."
            )
        self.pilot_rows = found.rows

    @cached_property
    def pilot(self) -> "SampleSums | None":
        """Every k-th sample, in memory; None where samples are few, or some class has none there."""
        rows, self.pilot_rows = self.pilot_rows, np.empty((0, 0))
        if not rows.size or len(set(rows[:, -1])) < 2:
            return None
        return SampleSums(rows[:, :-1], rows[:, -1])

    @cached_property
    def redundant(self) -> Bools:
        """Columns of z that are combinations of the others in every sample, exactly, shape (p,).

        Such a column changes no infimum of a loss that does not penalise it. Sums over samples suggest
        which they are and with which fractions; a pass whose sums must come out without rounding
        proves it: copies, columns of zeros and ones that add up to one. What a rounding keeps from
        being dependent is not: along the difference a hyperplane with huge weights tells samples apart.
        """
        redundant = np.zeros(self.p, dtype=bool)
        combined = suggest_combinations(self.total(_products, self.m).sums[0], self.reach > 0)
        if combined:
            found = self.total(_combination_extremes, np.array([n for _, n in combined])[:, :-1])
            (lost,), (high, low) = found.sums, np.split(found.most, 2)
            proved = (lost == 0) & (high == -low)
            redundant[[j for (j, _), true in zip(combined, proved, strict=True) if true]] = True
        return redundant

    # -- sums ----------------------------------------------------------------------------------------

    def total(self, f: Read, *args: Any) -> PartialSums:
        """The part of all samples, in one pass over them, in which each block is validated."""
        self.readings += 1
        with one_thread():
            found = root(self._nodes(f, args))
        if isinstance(found, Refusal):
            raise self.source.refused(found)
        return found

    def _nodes(self, f: Read, args: tuple[Any, ...]) -> Iterator[Node]:
        done, pieces = 0, len(self.source.lengths)
        try:
            for nodes in self.source.read(f, *args):
                done += 1
                yield from nodes
        except BaseException as error:
            error.add_note(f"Pass {self.readings} over the samples: {done} of {pieces} blocks.")
            raise

    def gamma(self, more: int = 0) -> float:
        """A sum over samples errs by at most this share of the sum of moduli; `more` roundings in a term."""
        leaves = sum(self.source.leaves)
        return gamma(min(self.source.leaf, self.n) + leaves.bit_length() + 1 + more)

    # -- planes --------------------------------------------------------------------------------------

    def coordinates(self, a: Array) -> Array:
        """v = (w, b + ⟨w, m⟩), the last entry rounded once."""
        return np.append(a[:-1], float(Fraction(float(a[-1])) + self._at_centre(a[:-1])))

    def plane(self, v: Array) -> Array:
        """a = (w, b) of coordinates, rounded once: what is read again at a is what was read at v.

        That is at coordinates of a hyperplane of floats; more roundings would lead to a neighbour of a.
        """
        return np.append(v[:-1], float(Fraction(float(v[-1])) - self._at_centre(v[:-1])))

    def _at_centre(self, w: Array) -> Fraction:
        pairs = zip(w.tolist(), self.m.tolist(), strict=True)
        return sum((Fraction(u) * Fraction(m) for u, m in pairs), Fraction(0))


def _survey(leaf: Leaf, every: int) -> PartialSums:
    x, y = leaf.x, leaf.y
    plus, minus = (y == 1).astype(np.float64), (y == -1).astype(np.float64)
    counts = np.array([plus.sum(), minus.sum()])
    sums = np.array([plus @ x, minus @ x])
    absolute = np.abs(x).sum(axis=0)
    rows = np.column_stack([x[::every], y[::every]]) if every else np.empty((0, 0))
    return PartialSums((counts, sums, absolute), np.append(x.max(axis=0), -x.min(axis=0)), rows)


def _products(leaf: Leaf, m: Array) -> PartialSums:
    z = np.column_stack([leaf.x - m, np.ones(len(leaf.x))])
    return PartialSums((z.T @ z,))


def suggest_combinations(G: Array, use: Bools) -> list[tuple[int, Array]]:
    """(j, n) with Σ nᵢzᵢ about 0 and nⱼ ≠ 0, the nᵢ integers, of the Gram matrix G of columns z."""
    s = np.sqrt(np.diag(G))
    order = [len(G) - 1, *np.flatnonzero(use[:-1] & (s[:-1] > 0)).tolist()]
    size = np.where(s > 0, s, 1.0)
    M, kept, found = G / size / size[:, None], [], []
    for j in order:  # elimination leaves in column j its coefficients on the columns that are kept
        if M[j, j] > APART:
            kept.append(j)
            row = M[j] / M[j, j]
            M -= np.outer(M[:, j], row)
            M[j] = row
    for j in order:
        if j in kept:
            continue
        coefficients = M[kept, j] * size[j] / size[kept]
        shares = [Fraction(c).limit_denominator(SIMPLE) for c in coefficients.tolist()]
        over = lcm(*(share.denominator for share in shares))
        n = np.zeros(len(G))
        n[kept] = [float(-share * over) for share in shares]
        n[j] = over
        if np.abs(n[:-1]).max() < WHOLE:
            found.append((j, n))
    return found


def _combination_extremes(leaf: Leaf, n: Array) -> PartialSums:
    """Σⱼ nⱼxⱼ of each row of n, shape (q, d): the largest, minus the least, and how many roundings occurred.

    Each term is two exact ones, as half of a number's digits times an integer below 2^26 is a float; a
    sum is exact if Knuth's remainder of it is 0.
    """
    total, lost = np.zeros((len(leaf.x), len(n))), np.zeros(len(n))
    for j in np.flatnonzero(n.any(axis=0)):
        x = leaf.x[:, j]
        far = x * (2.0**27 + 1)
        upper = far - (far - x)
        for half in (upper, x - upper):
            total, more = two_sum(total, half[:, None] * n[:, j])
            lost += (more != 0).sum(axis=0)
    return PartialSums((lost,), np.append(total.max(axis=0), -total.min(axis=0)))
