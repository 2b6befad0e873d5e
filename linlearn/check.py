"""Check a certificate in fractions, with Python alone: neither NumPy nor this package is needed.

    python check.py [--limit SECONDS] certificate.json data.csv       (or: python -m linlearn.check …)

`certificate.json` is what `Fit.to_json` wrote: a claim lower ≤ quantity ≤ upper, and two witnesses. A number
in it is a float in hexadecimal, with 0x, or a decimal, or a fraction p/q, and means exactly what it says.
`data.csv` has a row per sample, its features and then its label, -1 or +1, with commas between them; a first
row of names, or of the numbers 0, 1, 2, … of columns, is skipped, and that is said. A number in it means the
float nearest to it. A hyperplane is a = (w, b), zᵢ = yᵢ(xᵢ, 1), and mᵢ = ⟨a, zᵢ⟩ is a margin. For a softmax
objective the labels are 0, …, K - 1, the numbers of the classes in sorted order.

Floats are fractions, so that sums and products are exact; roots and logarithms are rounded outwards. So
each witness proves an end, and the claim holds if it contains both. There is no tolerance. Multipliers α
that have to satisfy equations, which floats rarely do, are first moved a little, by `repaired`: whatever it
finds, it is believed only after the equations have been checked in fractions.

Exit status: 0 the claim holds, 1 it is not proved, 2 it cannot be checked here. The work is estimated before
it is done; more than about half a minute of it is refused, unless --limit allows for more.
"""

import csv
import json
import re
import struct
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction as Q
from io import StringIO
from math import inf, isfinite, isqrt, lcm, nextafter
from operator import mul
from typing import Any

Vector = Sequence[Q]
Claim = dict[str, Any]
End = Q | float  # a float where it is infinite
Ends = tuple[End, End]

FORMAT = "linlearn certificate 4"  # in 3, weights were not divided by their sum
KEYS = ("format", "quantity", "lower", "upper", "score_bound", "options", "primal", "dual")
LIMIT = 30.0  # seconds, about
PRIME = 2**61 - 1
DOWN, UP = (Context(prec=30, rounding=r, Emin=-999) for r in (ROUND_FLOOR, ROUND_CEILING))
ONE = Decimal(1)


class Refused(Exception):
    """Cannot be checked here, and why."""


class Work:
    """About how many seconds were spent; more than the limit is refused before it is begun."""

    def __init__(self, limit: float = LIMIT) -> None:
        self.limit, self.spent = limit, 0.0

    def take(self, products: float, bits: float = 60, other: float = 60) -> None:
        """So many products of integers with so many bits."""
        self.spent += products * (3e-7 + 2e-9 * (bits / 30) * (other / 30))
        if self.spent > self.limit:
            raise Refused(
                f"it takes more than {self.limit:g} seconds; allow more with `--limit {10 * self.limit:g}` "
                f"(in Python, `limit={10 * self.limit:g}`)"
            )


# -- whole numbers, equations, roots and logarithms ----------------------------------------------------


def whole(values: Vector) -> tuple[list[int], int]:
    """Numerators, and the least common denominator."""
    common = lcm(*(v.denominator for v in values))
    return [v.numerator * (common // v.denominator) for v in values], common


def total(values: Vector) -> Q:
    numerators, common = whole(values)
    return Q(sum(numerators), common)


def dot(u: Vector, v: Vector) -> Q:
    (p, below), (q, under) = whole(u), whole(v)
    return Q(sum(map(mul, p, q)), below * under)


def bits(values: Iterable[int]) -> int:
    return max((v.bit_length() for v in values), default=0) or 1


class Matrix:
    """Rows of floats as integers: entry j of row i is columns[j][i]/units[j]."""

    def __init__(self, rows: Sequence[Sequence[float]], work: Work) -> None:
        self.columns, self.units, self.work = [], [], work
        for column in zip(*rows, strict=True):
            ratios = [float(v).as_integer_ratio() for v in column]
            unit = max(below for _, below in ratios)  # of powers of two
            self.columns.append([above * (unit // below) for above, below in ratios])
            self.units.append(unit)
        self.bits = [bits(column) for column in self.columns]
        self.size = [
            Q(max(map(abs, c)), unit) for c, unit in zip(self.columns, self.units, strict=True)
        ]

    def times(self, a: Vector) -> list[Q]:
        """⟨a, rowᵢ⟩ for each row."""
        plane, common = whole([v / unit for v, unit in zip(a, self.units, strict=True)])
        self.work.take(len(self.columns[0]) * len(plane), bits(plane), max(self.bits))
        return [Q(sum(map(mul, plane, row)), common) for row in zip(*self.columns, strict=True)]

    def sums(self, weights: Vector) -> list[Q]:
        """Σ weightᵢ·rowᵢ."""
        parts, common = whole(weights)
        self.work.take(len(parts) * len(self.columns), bits(parts), max(self.bits))
        pairs = zip(self.columns, self.units, strict=True)
        return [Q(sum(map(mul, parts, column)), common * unit) for column, unit in pairs]


def independent(rows: Matrix, candidates: Iterable[int], equations: Sequence[int]) -> list[Any]:
    """Rows, each with an equation, that are independent modulo a prime: first come, first chosen."""
    chosen: list[tuple[int, int]] = []
    echelon: list[tuple[int, list[int]]] = []
    for i in candidates:
        rows.work.take((len(echelon) + 1) * len(equations))
        v = [rows.columns[j][i] % PRIME for j in equations]
        for k, u in echelon:
            if factor := v[k]:
                v = [(s - factor * t) % PRIME for s, t in zip(v, u, strict=True)]
        k = next((k for k, s in enumerate(v) if s), -1)
        if k >= 0:
            inverse = pow(v[k], -1, PRIME)
            echelon.append((k, [s * inverse % PRIME for s in v]))
            chosen.append((i, equations[k]))
        if len(chosen) == len(equations):
            break
    return chosen


def solve(A: list[list[int]], b: list[int], work: Work) -> list[Q]:
    """x with Ax = b, for A invertible modulo the prime, digit by digit in powers of it (Dixon 1982)."""
    n = len(A)
    size = sum(bits(row) + n.bit_length() for row in A)  # bits of every determinant
    digits = (size + bits(b)) // 30 + 2
    work.take(2 * n**3 + 2 * n * n * digits, bits=max(bits(row) for row in A))
    work.take(n + 5, 90 * digits, 60 * digits)
    M = [[v % PRIME for v in row] + [int(i == j) for j in range(n)] for i, row in enumerate(A)]
    for k in range(n):
        r = next(r for r in range(k, n) if M[r][k])
        M[k], M[r] = M[r], M[k]
        inverse = pow(M[k][k], -1, PRIME)
        M[k] = [v * inverse % PRIME for v in M[k]]
        for i, row in enumerate(M):
            if i != k and (factor := row[k]):
                M[i] = [(u - factor * v) % PRIME for u, v in zip(row, M[k], strict=True)]
    x, power, left = [0] * n, 1, b
    for _ in range(digits):
        digit = [sum(map(mul, row[n:], left)) % PRIME for row in M]
        x = [u + power * v for u, v in zip(x, digit, strict=True)]
        left = [(u - sum(map(mul, row, digit))) // PRIME for u, row in zip(left, A, strict=True)]
        power *= PRIME
    found: list[int] = []
    below = 1  # all have about the same denominator, so that it is sought once
    for v in x:
        v = v * below % power  # r/t, of numbers with half of the digits
        t = Q(v, power).limit_denominator(1 << 30 * digits).denominator
        r = v * t % power
        found, below = [u * t for u in found], below * t
        found.append(r - power * (2 * r > power))
    return [Q(v, below) for v in found]


def repaired(
    alpha: Vector, rows: Matrix, goal: Vector, distances: Vector, must: Sequence[int] | None = None
) -> tuple[list[Q], list[Q]] | None:
    """α moved so that Σαᵢrowᵢ = goal, and that sum; None if that cannot be.

    As few as possible are moved, those farthest from their bounds first. Of the equations those that `must`
    hold do, if some are named; of the others, as many as can be, those with the largest numbers first.
    """
    every = range(len(goal))
    others = sorted(set(every) - set(must or []), key=lambda j: -rows.size[j])
    order = sorted((i for i, r in enumerate(distances) if r > 0), key=lambda i: -distances[i])
    chosen = independent(rows, order, [*(must or []), *others])
    now = rows.sums(alpha)
    wanted, below = whole([(goal[j] - now[j]) * rows.units[j] for j in every])
    A = [[rows.columns[j][i] for i, _ in chosen] for _, j in chosen]
    found = solve(A, [wanted[j] for _, j in chosen], rows.work) if chosen else []
    moved = list(alpha)
    for (i, _), v in zip(chosen, found, strict=True):
        moved[i] += v / below
    # From here on nothing that was found is trusted.
    changes, common = whole([moved[i] - alpha[i] for i, _ in chosen])
    rows.work.take(len(chosen) * len(goal), bits(changes))
    at = [[column[i] for i, _ in chosen] for column in rows.columns]
    sums = [
        now[j] + Q(sum(map(mul, changes, at[j])), common * rows.units[j])
        for j in every
    ]  # fmt: skip
    good = all(sums[j] == goal[j] for j in (every if must is None else must))
    return (moved, sums) if good else None


def inside(alpha: Vector, top: Vector) -> bool:
    return all(0 <= a <= t for a, t in zip(alpha, top, strict=True))


def root(q: Q, *, up: bool) -> Q:
    """√q, rounded down or up by at most 2⁻⁸⁰ of itself."""
    unit = q.denominator << 80
    r = isqrt(q.numerator * q.denominator << 160)
    return Q(r + 1, unit) if up and r * r != q.numerator * q.denominator << 160 else Q(r, unit)


def decimal(q: Q, context: Context) -> Decimal:
    return context.divide(Decimal(q.numerator), Decimal(q.denominator))


def logarithm(q: Q) -> Q:
    """ln q, rounded up: Decimal's ln errs by less than the last of thirty digits."""
    return Q(UP.next_plus(UP.ln(decimal(q, UP))))


def log_sum_exp(scores: Vector) -> Q:
    """ln Σ exp(scores), rounded up; without the largest no exponent is positive."""
    first, *others = sorted(scores, reverse=True)
    powers = ONE
    for v in others:
        powers = UP.add(powers, UP.next_plus(UP.exp(decimal(max(v - first, Q(-2000)), UP))))
    return Q(UP.next_plus(UP.ln(powers))) + first


def loss(m: Q) -> Q:
    """ln(1 + exp(-m)) rounded up."""
    return log_sum_exp([Q(0), -m])


def entropy(*chances: Q) -> Q:
    """-Σ p ln p, rounded down."""
    return -sum((p * logarithm(p) for p in chances if 0 < p < 1), Q(0))


# -- numbers and options -------------------------------------------------------------------------------

HEXADECIMAL = r"0[xX][0-9a-fA-F]+(\.[0-9a-fA-F]*)?([pP][+-]?[0-9]+)?"
DECIMAL = r"([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,4})?"
FLOAT = re.compile(f"[+-]?({HEXADECIMAL}|{DECIMAL})", re.ASCII)
FRACTION = re.compile(r"[+-]?[0-9]+/[0-9]+", re.ASCII)


def finite(text: str) -> float | None:
    """The float that a text means, None if it is not one."""
    if not FLOAT.fullmatch(text):
        return None
    try:
        found = float.fromhex(text) if "x" in text.lower() else float(text)
    except OverflowError:
        return None
    return found if isfinite(found) else None


def end(value: Any, name: str) -> End:
    """A number, or "inf" or "-inf"."""
    return float(value) if value in ("inf", "-inf") else number(value, name)


def number(value: Any, name: str) -> Q:
    """What a text says, exactly; floats have to be able to come near it."""
    if isinstance(value, str) and len(value) < 4000:
        if FRACTION.fullmatch(value) and int(value.split("/")[1]):
            return Q(value)
        if (found := finite(value)) is not None:
            return Q(found) if "x" in value.lower() else Q(value)
    raise Refused(
        f"`{name}` must be a number, such as 0x1.8p+1, 3.0 or 3/1; got {abbreviated(value)}"
    )


def numbers(
    values: Any, name: str, length: int, least: float = -inf, of: str = "sample"
) -> list[Q]:
    if not isinstance(values, list) or len(values) != length:
        got = len(values) if isinstance(values, list) else abbreviated(values)
        raise Refused(f"`{name}` must have {length} numbers, one for each {of}; got {got}")
    found = [number(v, f"{name}[{i}]") for i, v in enumerate(values)]
    if any(v < least for v in found):
        raise Refused(f"`{name}` must be at least {least:g}; got {float(min(found)):g}")
    return found


def abbreviated(value: Any) -> str:
    text = ascii(value) if not isinstance(value, dict) else "an object"
    return text if len(text) < 60 else text[:50] + " …"


class Data:
    """The samples, and what the claim says of them, each part in its domain."""

    def __init__(self, X: Sequence[Sequence[float]], y: Sequence[int], claim: Claim, work: Work):
        self.claim, self.quantity, self.work = claim, claim["quantity"], work
        self.options, self.dual = claim["options"], claim["dual"]
        known = OPTIONS[self.quantity]
        if not isinstance(self.options, dict) or set(self.options) - set(known):
            extra = ", ".join(map(abbreviated, sorted(set(self.options) - set(known))))
            may = ", ".join(known) or "nothing"
            raise Refused(
                f"`options` of {self.quantity} must be an object with no keys but {may}; got "
                f"{extra or 'no object'}"
            )
        self.offset = self.flag("fit_intercept", default=True)
        self.X, self.y = self.extended(X, y)
        self.n, self.d = len(self.y), len(self.X[0])
        several = self.quantity == "softmax"
        planes, K = claim["primal"] if several else [claim["primal"]], len(set(self.y))
        if several and not (isinstance(planes, list) and len(planes) >= K):
            raise Refused(
                f"`primal` must have {K} rows, one for each class; got {abbreviated(planes)}"
            )
        if not set(self.y) <= set(labels_of(claim)):
            raise Refused(f"the labels must be {', '.join(map(str, labels_of(claim)))}")
        if len(set(self.y)) < 2 and self.offset and not several:
            raise Refused("both labels, -1 and +1, must occur unless `fit_intercept` is false")
        whole = several or self.quantity == "regularised risk"  # b is there even where it must be 0
        lifts = (self.offset and self.quantity != "fisher") or whole
        one = [[1.0]] * self.n if lifts else [[]] * self.n
        self.augmented = [[*x, *more] for x, more in zip(self.X, one, strict=True)]
        self.p = len(self.augmented[0])
        signs = [1] * self.n if several else self.y
        self.rows = [[s * v for v in x] for s, x in zip(signs, self.augmented, strict=True)]
        self.Z = Matrix(self.rows, work)
        self.planes = [self.plane(a, "primal") for a in planes]
        if "exact" in self.options:
            self.planes.append(self.plane(self.options["exact"], "exact"))

    def extended(self, X: Any, y: Any) -> tuple[list[list[float]], list[int]]:
        """Add the mirror images (-x, -y) that the claim names and the table lacks."""
        X, y, mirrored = [list(x) for x in X], list(y), self.flag("mirrored", default=False)
        if mirrored and isinstance(self.dual, list) and len(self.dual) == 2 * len(y):
            X, y = X + [[-v for v in x] for x in X], y + [-s for s in y]
        return X, y

    def flag(self, name: str, *, default: bool) -> bool:
        found = self.options.get(name, default)
        if not isinstance(found, bool):
            raise Refused(f"`{name}` must be true or false; got {abbreviated(found)}")
        return found

    def plane(self, values: Any, name: str) -> list[Q]:
        intercept = " and one for the intercept" if self.p > self.d else ""
        return numbers(values, name, self.p, of=f"feature in the table{intercept}")

    def margins(self) -> list[list[Q]]:
        return [self.Z.times(a) for a in self.planes]

    def residuals(self) -> list[Q]:
        return numbers(self.dual, "dual", self.n)

    def multipliers(self, top: Vector | None = None) -> list[Q]:
        alpha = numbers(self.dual, "dual", self.n, 0)
        if top is not None and not inside(alpha, top):
            raise Refused(
                "each entry of `dual` must be at most the weight of its sample (or C); got a larger one"
            )
        return alpha

    def positive(self, name: str, least: float | None = None) -> Q:
        if least is None and name not in self.options:
            raise Refused(f"`options` must contain `{name}`")
        value = number(self.options.get(name, "0"), name)
        if value < 0 or (value == 0 and least is None):
            raise Refused(f"`{name}` must be {'0 or ' if least == 0 else ''}positive; got {value}")
        return value

    def weights(self) -> list[Q]:
        """sᵢ: 1, or n/2n₊ and n/2n₋, or what is written."""
        s, name = self.options.get("sample_weight"), "sample_weight"
        if s in (None, "balanced"):
            return [Q(self.n, 2 * self.y.count(k)) if s else Q(1) for k in self.y]
        found = numbers(s, name, self.n, 0)
        if not all(
            any(v for v, s in zip(found, self.y, strict=True) if s == k) for k in set(self.y)
        ):
            raise Refused(f"`{name}` must be positive for a sample of each class")
        return found

    def shares(self) -> list[Q]:
        """sᵢ/Σs."""
        s = self.weights()
        whole = total(s)
        return [v / whole for v in s]

    def capped(self) -> list[Q]:
        """kᵢ = C times what is written, or C; a class may have no weight."""
        C, s = self.positive("C"), self.options.get("sample_weight")
        return (
            [C] * self.n if s is None else [C * v for v in numbers(s, "sample_weight", self.n, 0)]
        )

    def targets(self) -> list[Q]:
        t = self.options.get("targets", "labels")
        if t == "labels":
            return [Q(s) for s in self.y]
        if t == "fisher":
            return [Q(self.n, self.y.count(s)) * s for s in self.y]
        return numbers(t, "targets", self.n)


# -- the quantities: each returns what its witnesses prove ---------------------------------------------


def half(v: Vector) -> Q:
    return dot(v, v) / 2


def costs(c: Vector, margins: Vector) -> Q:
    return dot(c, [max(Q(0), 1 - m) for m in margins])


def repairs(
    d: Data, alpha: list[Q], top: Vector | None, w: Vector
) -> list[tuple[list[Q], list[Q]]]:
    """Repair α so that Σαᵢyᵢ = 0, by scaling the heavier class down or by moving Σαᵢyᵢxᵢ towards w.

    Each of the two comes with its Σαᵢyᵢxᵢ.
    """
    sums = {s: total([a for a, k in zip(alpha, d.y, strict=True) if k == s]) for s in (1, -1)}
    less = min(sums.values())
    scaled = [a * less / (sums[s] or 1) for a, s in zip(alpha, d.y, strict=True)]
    found = [(scaled, d.Z.sums(scaled)[:-1])]
    distances = alpha if top is None else [min(a, t - a) for a, t in zip(alpha, top, strict=True)]
    moved = repaired(alpha, d.Z, [*w, Q(0)], distances, must=[d.p - 1])
    if moved and min(moved[0]) >= 0 and (top is None or inside(moved[0], top)):
        found.append((moved[0], moved[1][:-1]))
    return found


def origin_in_hull(rows: list[list[float]], alpha: Vector, work: Work) -> bool:
    """Whether 0 is a convex combination of the zᵢ with αᵢ > 0: then no hyperplane has all of them right."""
    with_ones = Matrix([[*z, 1.0] for z in rows], work)
    moved = repaired(alpha, with_ones, [*[Q(0)] * len(rows[0]), total(alpha)], alpha)
    return moved is not None and min(moved[0]) >= 0 and any(moved[0])


def margin(d: Data) -> Ends:
    """minᵢ⟨a, zᵢ⟩/‖a‖ ≤ γ* ≤ ‖Σαᵢzᵢ‖ for Σαᵢ = 1."""
    lower, alpha = Q(0), d.multipliers()
    for a, m in zip(d.planes, d.margins(), strict=True):
        if min(m) > 0:
            lower = max(lower, root(min(m) ** 2 / dot(a, a), up=False))
    if not any(alpha):
        return lower, inf
    if not lower and origin_in_hull(d.rows, alpha, d.work):
        return Q(0), Q(0)
    v = d.Z.sums(alpha)
    return lower, root(dot(v, v) / total(alpha) ** 2, up=True)


def hard_margin(d: Data) -> Ends:
    """(Σα)²/2‖Σαᵢyᵢxᵢ‖² ≤ ½‖w‖² over hyperplanes with all margins ≥ 1 ≤ ‖w‖²/2γ²."""
    alpha, w = d.multipliers(), [Q(0)] * d.d
    upper: End = inf
    for a, m in zip(d.planes, d.margins(), strict=True):
        if min(m) > 0 and half(a[:-1]) / min(m) ** 2 < upper:
            w = [v / min(m) for v in a[:-1]]
            upper = half(w)
    if not any(alpha):
        return Q(0), upper
    if upper == inf and origin_in_hull(d.rows, alpha, d.work):
        return inf, inf
    values = [(total(a), half(v)) for a, v in repairs(d, alpha, None, w)]
    return max(u**2 / v / 4 if v else inf if u else Q(0) for u, v in values), upper


def soft_margin(d: Data) -> Ends:
    """Σα - ½‖Σαᵢyᵢxᵢ‖² ≤ min ½‖w‖² + C Σsᵢ(1 - mᵢ)₊ for 0 ≤ α ≤ Cs, Σαᵢyᵢ = 0."""
    C, w = d.positive("C"), d.planes[0][:-1]
    c = [C * s for s in d.weights()]
    upper = half(w) + costs(c, d.margins()[0])
    return max(total(a) - half(v) for a, v in repairs(d, d.multipliers(c), c, w)), upper


def orthogonal(d: Data, alpha: list[Q], top: Vector) -> list[Q]:
    """0 ≤ α ≤ top with Σαᵢzᵢ = 0: 0 where none is near."""
    distances = [min(a, t - a) for a, t in zip(alpha, top, strict=True)]
    moved = repaired(alpha, d.Z, [Q(0)] * d.p, distances)
    return moved[0] if moved and inside(moved[0], top) else [Q(0)] * d.n


def hinge(d: Data) -> Ends:
    """Σα ≤ min Σcᵢ(1 - mᵢ)₊ for cᵢ = sᵢ/Σs, 0 ≤ α ≤ c, Σαᵢzᵢ = 0."""
    c = d.shares()
    return total(orthogonal(d, d.multipliers(c), c)), costs(c, d.margins()[0])


def squares(d: Data, lam: Q) -> tuple[Matrix, list[Q], Q]:
    t, rows = d.targets(), Matrix(d.augmented, d.work)
    misfit = [u - v for u, v in zip(rows.times(d.planes[0]), t, strict=True)]
    return rows, t, half(misfit) + lam * d.n * half(d.planes[0][:-1])


def spread(n: int) -> list[Q]:
    """Room for everybody, neighbours apart from each other in the order."""
    return [1 + Q(i * 40503 % 65536, 65536) for i in range(n)]


def least_squares(d: Data) -> Ends:
    """⟨t, r⟩²/2‖r‖² ≤ min ½Σ(f(xᵢ) - tᵢ)² for r orthogonal to the features and to 1."""
    rows, t, upper = squares(d, Q(0))
    moved = repaired(d.residuals(), rows, [Q(0)] * d.p, spread(d.n))
    if moved is None or not any(moved[0]):
        return Q(0), upper
    return dot(t, moved[0]) ** 2 / half(moved[0]) / 4, upper


def ridge(d: Data) -> Ends:
    """⟨t, r⟩ - ½‖r‖² - ‖Xᵀr‖²/2nλ ≤ n min mean ½(f(xᵢ) - tᵢ)² + (λ/2)‖w‖² for Σr = 0."""
    lam, r = d.positive("lam"), d.residuals()
    rows, t, upper = squares(d, lam)
    mean = total(r) / d.n
    centred = [v - mean for v in r]
    pairs = [(centred, rows.sums(centred))]
    goal = [d.n * lam * v for v in d.planes[0][:-1]]
    pairs += filter(None, [repaired(r, rows, [*goal, Q(0)], spread(d.n), must=[d.p - 1])])
    lower = max(dot(t, r) - half(r) - half(v[:-1]) / (d.n * lam) for r, v in pairs)
    return lower / d.n, upper / d.n


def fisher(d: Data) -> Ends:
    """⟨w, δ⟩²/‖X_W w‖² ≤ max of that ≤ ‖β‖² for X_Wᵀβ = δ: X_W are the samples less their class means.

    For β with sum 0 in each class X_Wᵀβ = Xᵀβ, and only such ones are considered.
    """
    kind = {s: [float(k == s) for k in d.y] for s in (1, -1)}
    rows = Matrix([[*x, kind[1][i], kind[-1][i]] for i, x in enumerate(d.X)], d.work)
    means = [rows.sums([Q(v, d.y.count(s)) for v in map(int, kind[s])])[: d.d] for s in (1, -1)]
    delta = [u - v for u, v in zip(*means, strict=True)]
    w, score = d.planes[0], rows.times([*d.planes[0], Q(0), Q(0)])
    centre = {s: dot(w, mean) for s, mean in zip((1, -1), means, strict=True)}
    scatter = 2 * half([v - centre[s] for v, s in zip(score, d.y, strict=True)])
    moment = dot(w, delta)
    lower = Q(0) if moment <= 0 else moment**2 / scatter if scatter else inf
    moved = repaired(d.residuals(), rows, [*delta, Q(0), Q(0)], spread(d.n))
    if moved:
        return lower, 2 * half(moved[0])
    columns = [[*column, 0.0] for column in zip(*d.X, strict=True)]
    turned = Matrix([*columns, [*kind[1], -1.0], [*kind[-1], 1.0]], d.work)
    apart = repaired([Q(0)] * (d.d + 2), turned, [*[Q(0)] * d.n, Q(1)], spread(d.d + 2))
    # A direction with the same score in each class, and two scores, makes the ratio infinite.
    return (inf if apart else lower), inf


def logistic(d: Data) -> Ends:
    """ΣcᵢH(αᵢ/cᵢ) - ‖Σαᵢyᵢxᵢ‖²/2λ ≤ inf Σcᵢ ln(1 + exp(-mᵢ)) + (λ/2)‖w‖², Σαᵢyᵢ = 0 (Σαᵢzᵢ = 0 if λ = 0)."""
    lam, c, m = d.positive("lam", 0), d.shares(), d.margins()[-1]
    w = [lam * v for v in d.planes[0][:-1]]
    alpha = list(map(mul, c, d.multipliers([Q(1)] * d.n)))
    d.work.take(3000 * d.n)
    if "start" in d.options:  # along a the loss tends to that of the samples on the hyperplane
        weighted_margins = list(map(mul, c, m))
        if lam or min(weighted_margins) < 0 or not any(weighted_margins):
            raise Refused(
                "`start` requires `lam` = 0 and a `primal` whose margins are ≥ 0 and not all 0"
            )
        start = d.Z.times(d.plane(d.options["start"], "start"))
        losses = [Q(0) if v else loss(s) for v, s in zip(m, start, strict=True)]
    elif "exact" in d.options:
        raise Refused("`exact` may be given only together with `start`")
    else:
        losses = [loss(v) for v in m]
    upper = dot(c, losses) + dot(w, w) / 2 / (lam or 1)
    if lam:
        pairs = [(a, half(v) / lam) for a, v in repairs(d, alpha, c, w)]
    else:
        pairs = [(orthogonal(d, alpha, c), Q(0))]
    return max(total([k * entropy(a / k, 1 - a / k) for a, k in zip(one, c, strict=True) if k]) - penalty
               for one, penalty in pairs), upper  # fmt: skip


def regularised_risk(d: Data) -> Ends:
    """Σ-kᵢφ*(-αᵢ/kᵢ) - cost ≤ min P(w) + νP(b) + Σkᵢφ(mᵢ), P(w) = r‖w‖₁ + ½(1 - r)‖w‖²; Σαᵢyᵢ = 0 if ν = 0.

    With v = (Σαᵢyᵢxᵢ, Σαᵢyᵢ/ν) and e = (|v| - r)₊ the cost is ½(‖e_w‖² + νe_b²)/(1 - r); or, where F ≤ U,
    U max(e)/r, as r(‖w‖₁ + ν|b|) ≤ U. With `mean` all of it is divided by Σk.
    """
    name, nu, k = d.options.get("loss"), d.positive("intercept_penalty", 0), d.capped()
    (*w, b), m = d.planes[0], d.margins()[0]
    if not d.offset and b:
        raise Refused("`primal` must end with 0 where `fit_intercept` is false")
    if name == "logistic":
        d.work.take(3000 * d.n)
        upper = dot(k, [loss(v) for v in m])
    elif name in ("hinge", "squared hinge"):
        power = 1 if name == "hinge" else 2
        upper = total([c * max(1 - v, Q(0)) ** power for c, v in zip(k, m, strict=True)])
    else:
        raise Refused(f"`loss` must be logistic, hinge or squared hinge; got {abbreviated(name)}")
    alpha = d.multipliers(None if name == "squared hinge" else k)
    *moment, surplus = d.Z.sums(alpha)
    if d.offset and not nu and surplus:
        raise Refused(
            "the `dual` entries of the two classes must have equal sums if the intercept is free"
        )
    if any(a and not c for a, c in zip(alpha, k, strict=True)):
        raise Refused("the `dual` of a sample of weight 0 must be 0")
    pairs = [(a, c) for a, c in zip(alpha, k, strict=True) if c]
    if name == "logistic":
        conjugates = total([c * entropy(a / c, 1 - a / c) for a, c in pairs])
    else:
        conjugates = total([a - (a * a / (4 * c) if name != "hinge" else 0) for a, c in pairs])
    r = d.positive("l1_ratio", 0)
    if r > 1:
        raise Refused(f"`l1_ratio` must be at most 1; got {r}")
    over = [max(abs(v) - r, Q(0)) for v in moment]
    more = max(abs(surplus) / nu - r, Q(0)) if nu and d.offset else Q(0)
    upper += r * (sum(map(abs, w)) + nu * abs(b)) + (1 - r) * (half(w) + nu * b * b / 2)
    penalties = [upper * max(*over, more) / r] if r else []
    if r < 1:
        penalties.append((half(over) + nu * more * more / 2) / (1 - r))
    unit = total(k) if d.flag("mean", default=False) else Q(1)  # no loss is negative
    return max(Q(0), conjugates - min(penalties)) / unit, upper / unit


def softmax(d: Data) -> Ends:
    """ΣkᵢH(pᵢ) - ½‖AᵀX‖² ≤ min ½‖W‖² + Σkᵢ(ln Σ_c exp(z_ic) - z_iy), zᵢ = Wxᵢ + b.

    A has the rows kᵢ(e_y - pᵢ), pᵢ ≥ 0 with sum 1; its columns add up to 0 where there is an intercept.
    """
    K, k = len(d.planes), d.capped()
    if not d.offset and any(a[-1] for a in d.planes):
        raise Refused("each row of `primal` must end with 0 where `fit_intercept` is false")
    if not isinstance(d.dual, list) or len(d.dual) != d.n:
        raise Refused(f"`dual` must have {d.n} rows, one per sample; got {abbreviated(d.dual)}")
    A = [numbers(row, f"dual[{i}]", K, of="class") for i, row in enumerate(d.dual)]
    d.work.take(1500 * d.n * K)
    upper, gain = sum((half(a[:-1]) for a in d.planes), Q(0)), Q(0)
    rows = zip(k, d.y, A, zip(*d.margins(), strict=True), strict=True)
    for i, (c, y, row, scores) in enumerate(rows):
        upper += c * (log_sum_exp(scores) - scores[y])
        masses = [c * (j == y) - v for j, v in enumerate(row)]
        if min(masses) < 0 or total(row):
            raise Refused(
                f"`dual[{i}]` must be C times the weight of sample {i}, times e - p, where e is 1 for its "
                "class and 0 for the others, and p are probabilities ≥ 0 with sum 1; got "
                f"{abbreviated(d.dual[i])}"
            )
        gain += c * entropy(*(v / c for v in masses)) if c else 0
    sums = [d.Z.sums(column) for column in zip(*A, strict=True)]
    if d.offset and any(column[-1] for column in sums):
        raise Refused("each column of `dual` must add up to 0 if there is an intercept")
    return max(Q(0), gain - total([half(column[:-1]) for column in sums])), upper


def mistakes(d: Data) -> Ends:
    """Inseparable sets, each counted as often as its samples allow, against the mistakes of a hyperplane.

    Of samples in one place (zᵢ equal or opposite) the smaller class is always wrong, as zᵢ = 0 is, and the
    larger one counts for as many samples as it has more.
    """
    sets = (
        d.dual.get("sets") if isinstance(d.dual, dict) and d.dual.get("kind") == "Packing" else None
    )
    if not isinstance(sets, list) or set(d.dual) != {"kind", "sets"}:
        raise Refused("`dual` must be a Packing with its `sets`; a Cover by cells is not supported")
    Z = list(map(tuple, d.rows))
    place = Counter(Z)
    always = place.pop((0.0,) * d.p, 0)
    opposite = {z: place[tuple(-v for v in z)] for z in place}
    always += sum(min(place[z], opposite[z]) for z in place) // 2  # of each pair one
    load = dict.fromkeys(place, Q(0))
    amounts = [Q(0)]
    for one in sets:
        if not isinstance(one, list) or len(one) != 3 or not isinstance(one[0], list):
            raise Refused("each of `sets` must be [samples, weights, amount]")
        at = [int(v) if str(v).isascii() and str(v).isdigit() else -1 for v in one[0][: d.n]]
        if not at or len(one[0]) != len(set(at)) or not all(0 <= i < d.n for i in at):
            raise Refused(f"the samples of a set must be distinct integers from 0 to {d.n - 1}")
        weights = numbers(one[1], "weights", len(at), 0, "sample of the set")
        amount = number(one[2], "amount")
        if amount <= 0:
            raise Refused(f"`amount` must be positive; got {amount}")
        used = {Z[i] for i in at}
        if all(place[z] > opposite.get(z, 0) for z in used) and origin_in_hull(
            [d.rows[i] for i in at], weights, d.work
        ):
            amounts.append(min([amount, *(Q(place[z] - opposite[z]) for z in used)]))
            for z in used:
                load[z] += amounts[-1]
    over = max([Q(1), *(v / (place[z] - opposite[z]) for z, v in load.items() if v)])
    least = -(-total(amounts) / over // 1)
    return Q(always + least), Q(min(sum(v <= 0 for v in m) for m in d.margins()))


QUANTITIES: dict[str, Callable[[Data], Ends]] = {
    "margin": margin, "hard margin": hard_margin, "soft margin": soft_margin, "hinge": hinge,
    "least squares": least_squares, "ridge": ridge, "fisher": fisher, "logistic": logistic,
    "regularised risk": regularised_risk, "softmax": softmax, "mistakes": mistakes,
}  # fmt: skip
# In these the mirror images (-x, -y) of the samples may count, too.
EXTENDED = ("soft margin", "hinge", "least squares", "ridge", "logistic")
OPTIONS: dict[str, tuple[str, ...]] = {
    "margin": ("fit_intercept", "exact"), "hard margin": (), "fisher": (),
    "soft margin": ("C", "sample_weight", "mirrored"), "hinge": ("sample_weight", "mirrored"),
    "least squares": ("targets", "mirrored"), "ridge": ("lam", "targets", "mirrored"),
    "logistic": ("lam", "sample_weight", "start", "exact", "mirrored"),
    "mistakes": ("fit_intercept", "exact"),
    "regularised risk": ("loss", "C", "sample_weight", "fit_intercept", "intercept_penalty",
                         "l1_ratio", "mean"), "softmax": ("C", "sample_weight", "fit_intercept"),
}  # fmt: skip


# -- the claim -----------------------------------------------------------------------------------------


def proved(claim: Claim, X: Any, y: Sequence[int], *, limit: float = LIMIT) -> Ends:
    """The ends that the witnesses prove here, or `Refused`."""
    if not isinstance(claim, dict):
        raise Refused(f"a certificate must be a JSON object; got {abbreviated(claim)}")
    if claim.get("format") != FORMAT:
        raise Refused(
            f"`format` must be {FORMAT!r}; got {abbreviated(claim.get('format'))}: write the certificate "
            "again with `to_json`"
        )
    if odd := sorted(set(claim) ^ set(KEYS), key=str):
        raise Refused(
            f"the certificate must have the keys {', '.join(KEYS)} and no others; it differs in "
            f"{', '.join(map(abbreviated, odd))}"
        )
    lower, upper = claimed(claim)
    if lower > upper:
        raise Refused(f"`lower` must be at most `upper`; got {float(lower)!r} and {float(upper)!r}")
    if not isinstance(claim["quantity"], str) or claim["quantity"] not in QUANTITIES:
        raise Refused(
            f"`quantity` must be one of {', '.join(QUANTITIES)}; got {abbreviated(claim['quantity'])}"
        )
    if end(claim["score_bound"], "score_bound") != inf:
        raise Refused(
            f"`score_bound` must be inf; got {abbreviated(claim['score_bound'])}, so the bounds hold only if "
            "no feature moves a score by more than that. Write the certificate again with `to_json`"
        )
    return QUANTITIES[claim["quantity"]](Data(X, y, claim, Work(limit)))


def labels_of(claim: Any) -> Sequence[int]:
    """The labels that a table may have: -1 and +1, or the numbers of the classes."""
    several = isinstance(claim, dict) and claim.get("quantity") == "softmax"
    if several and isinstance(claim.get("primal"), list):
        return range(len(claim["primal"]))
    return -1, 1


def claimed(claim: Claim) -> Ends:
    return end(claim["lower"], "lower"), end(claim["upper"], "upper")


def holds(claim: Claim, ends: Ends) -> bool:
    """Whether the claim contains what is proved."""
    lower, upper = claimed(claim)
    return lower <= ends[0] and ends[1] <= upper


def rounded_outward(end: End, side: float) -> float:
    """The end as a float that is no better."""
    try:
        found = float(end)
    except OverflowError:
        found = inf if end > 0 else -inf
    if isfinite(found):
        return nextafter(found, side) if (Q(found) - end) * (1 if side > 0 else -1) < 0 else found
    return found if found in (end, side) else nextafter(found, 0)


# -- the files -----------------------------------------------------------------------------------------

MISSING = ("", "na", "n/a", "nan", "null", "none", "nil", "inf", "infinity", "missing", "?", "-")


def text_of(path: str, limit: float) -> str:
    most = int(4e6 * limit)
    with open(path, encoding="utf-8-sig", newline="") as file:
        try:
            text = file.read(most + 1)
        except UnicodeDecodeError as error:
            raise Refused(f"{path} must be text in UTF-8: {error}") from None
    if len(text) > most:
        raise Refused(
            f"{path} has more than {most} characters; allow more with `--limit {10 * limit:g}`"
        )
    return text


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Refused("a key occurs twice in the certificate")
    return found


def parsed(text: str) -> Any:
    """JSON with its numbers as they are written."""
    try:
        return json.loads(
            text, object_pairs_hook=once, parse_int=str, parse_float=str, parse_constant=str
        )
    except ValueError as error:
        raise Refused(f"the certificate must be JSON: {error}") from None


def is_name(cell: str) -> bool:
    """A word: the first of its letters and digits is a letter."""
    first = next((c for c in cell if c.isalnum()), "0")
    return first.isalpha() and not first.isnumeric() and cell.lower().lstrip("+-") not in MISSING


def is_header(cells: list[str]) -> bool:
    """Names of all columns; or their numbers 0, 1, 2, …, where the last, of the label, may be a name.

    No sample looks like that, but 0,1: that is one.
    """
    counted = [str(j) for j in range(len(cells))]
    if all(map(is_name, cells)) or (cells == counted and len(cells) > 2):
        return True
    return cells[:-1] == counted[:-1] and is_name(cells[-1])


def read_table(
    path: str, limit: float, labels: Sequence[int]
) -> tuple[list[list[float]], list[int], str]:
    """Samples, labels, and what to say about the first row."""
    lines = csv.reader(StringIO(text_of(path, limit), newline=""), strict=True)
    rows = [(lines.line_num, [cell.strip(" \t") for cell in row]) for row in lines if row]
    first, said = rows[0][1] if rows else [], ""
    if first[:1] == [""] and (is_header(first[1:]) or first[1:] == ["0", "1"]):
        raise Refused(
            f"the first column of {path} is an index without a name: write the table without it"
        )
    if first and is_header(first):
        said, rows = f", below a first row {abbreviated(','.join(first))}", rows[1:]
    elif first == ["0", "1"]:
        said = ", of which 0,1 in the first row is one"
    if not rows or len(first) < 2:
        raise Refused(f"line 1 of {path} must contain features and a label, separated by commas")
    samples = [sample(path, line, cells, len(first), labels) for line, cells in rows]
    return [x[:-1] for x in samples], [int(x[-1]) for x in samples], said


def read(certificate: str, data: str) -> tuple[Claim, list[list[float]], list[int]]:
    """A claim, and the samples and labels of a table."""
    claim = parsed(text_of(certificate, LIMIT))
    X, y, _ = read_table(data, LIMIT, labels_of(claim))
    return claim, X, y


def sample(
    path: str, line: int, cells: list[str], width: int, labels: Sequence[int]
) -> list[float]:
    """The features and the label of a row."""
    where = f"line {line} of {path} must"
    if len(cells) != width:
        raise Refused(f"{where} have {width} columns, like the first line; got {len(cells)}")
    values = []
    for j, cell in enumerate(cells):
        value = finite(cell)
        if value is None:
            raise Refused(
                f"{where} have a finite number in column {j + 1}, such as -1.5e3 (decimal point, ASCII, "
                f"commas between columns); got {abbreviated(cell)}"
            )
        values.append(value)
    if values[-1] not in labels:
        which = "-1 or +1" if -1 in labels else f"a class from 0 to {len(labels) - 1}"
        raise Refused(f"{where} end with a label, {which}; got {abbreviated(cells[-1])}")
    return values


def misfit(claim: Any, X: list[list[float]]) -> str:
    """What may be wrong with a table that does not fit."""
    n, d = len(X), len(X[0])
    primal, dual = (
        claim.get(key) if isinstance(claim, dict) else None for key in ("primal", "dual")
    )
    if isinstance(primal, list) and len(primal) <= d and [x[0] - X[0][0] for x in X] == [*range(n)]:
        return " (the first column counts the rows: if it is an index, write the table without it)"
    if isinstance(dual, list) and len(dual) == n - 1 and X[0] == [*range(d)]:
        return " (the first row 0, 1, … was read as a sample: if it numbers the columns, give them names)"
    return ""


def in_32_bits(X: list[list[float]]) -> list[list[float]]:
    return [[struct.unpack("f", struct.pack("f", v))[0] for v in x] for x in X]


def checked(certificate: str, data: str, limit: float) -> int:
    claim = parsed(text_of(certificate, limit))
    X, y, said = read_table(data, limit, labels_of(claim))
    try:
        ends = proved(claim, X, y, limit=limit)
    except Refused as error:
        raise Refused(f"{error}{misfit(claim, X)}") from None
    lower, upper = (float(v) for v in claimed(claim))
    more = "; with mirror images" if claim["options"].get("mirrored") else ""
    print(f"read:    {len(y)} samples of {len(X[0])} features{said}{more}")
    print(f"claimed: {lower:.17g} <= {claim['quantity']} <= {upper:.17g}")
    low, high = rounded_outward(ends[0], -inf), rounded_outward(ends[1], inf)
    print(f"proved:  {low:.17g} <= {claim['quantity']} <= {high:.17g}")
    if holds(claim, ends):
        print("THE CLAIM HOLDS")
        return 0
    print("NOT PROVED: the claim says more than its witnesses prove")
    with suppress(Refused, OverflowError):
        rounded = in_32_bits(X)
        if rounded != X and holds(claim, proved(claim, rounded, y, limit=limit)):
            print("(It holds for these numbers in 32 bits, float32: write the table in float64.)")
    return 1


def main(arguments: list[str]) -> int:
    limit, paths = LIMIT, list(arguments)
    try:
        if "--limit" in paths:
            at = paths.index("--limit")
            limit = float(number(given := "".join(paths[at + 1 : at + 2]), "--limit"))
            if limit <= 0:
                raise Refused(f"`--limit` must be > 0; got {given}")
            del paths[at : at + 2]
        if len(paths) != 2:
            raise Refused("usage: python check.py [--limit SECONDS] certificate.json data.csv")
        return checked(paths[0], paths[1], limit)
    except (Refused, OSError, ValueError, TypeError, LookupError, ArithmeticError, AttributeError,
            RecursionError, MemoryError, csv.Error) as error:  # fmt: skip
        what = " ".join(str(error).split()) or type(error).__name__
        print(f"CANNOT BE CHECKED: {what}".encode("ascii", "backslashreplace").decode())
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
