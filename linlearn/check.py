"""Check a certificate again, in fractions: nothing is needed but Python, neither NumPy nor this package.

    python check.py certificate.json data.csv        (or: python -m linlearn.check …)

`certificate.json` is what `Fit.to_json` wrote: a claim lower ≤ quantity ≤ upper and two witnesses, floats
in hexadecimal. `data.csv` has a row per sample, its features and then its label, -1 or +1; a first row of
names is skipped. A number in it means the float nearest to it. Floats are fractions, so that sums and
products are exact; roots and logarithms are rounded outwards. A plane is a = (w, b), zᵢ = yᵢ(xᵢ, 1), and
mᵢ = ⟨a, zᵢ⟩ is a margin.

An end that rests on a plane is compared as it is. One that rests on multipliers α needs them to satisfy
equations, which floats rarely do: they are repaired here, exactly, in a way that may differ from the
package's in the last digits. Such an end may therefore be claimed better than it is proved here by 2⁻⁴⁰
of the value that the plane 0 has. What is printed as proved is proved.

Exit status: 0 the claim holds, 1 it is not proved, 2 it cannot be checked here. Meant for small data.
"""

import csv
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction as Q
from math import inf, isqrt, nextafter
from typing import Any

Vector = Sequence[Q]
Rows = Sequence[Sequence[Q]]
Claim = dict[str, Any]
End = Q | float  # a float where it is infinite
Ends = tuple[End, End, Q]

FORMAT = "linlearn certificate 2"  # in 1, C was n times what it is, and options had other names
SLACK = Q(1, 2**40)
SPARE = Q(1, 2**36)  # share of all α given up where those at their bound must be able to move
DOWN, UP = (Context(prec=50, rounding=r, Emin=-999) for r in (ROUND_FLOOR, ROUND_CEILING))
ONE = Decimal(1)


# -- vectors, equations, roots and logarithms ---------------------------------------------------------


def dot(u: Vector, v: Vector) -> Q:
    return sum((p * q for p, q in zip(u, v, strict=True)), Q(0))


def combination(weights: Vector, rows: Rows) -> list[Q]:
    """Σ weightᵢ·rowᵢ."""
    return [dot(weights, column) for column in zip(*rows, strict=True)]


def solve(G: Rows, g: Vector) -> list[Q] | None:
    """Some h with Gh = g by elimination, None if there is none."""
    rows = [[*row, v] for row, v in zip(G, g, strict=True)]
    p, used, pivots = len(g), 0, []
    for j in range(p):
        k = next((i for i in range(used, p) if rows[i][j]), None)
        if k is None:
            continue
        rows[used], rows[k] = rows[k], rows[used]
        rows[used] = [v / rows[used][j] for v in rows[used]]
        for i in range(p):
            if i != used and rows[i][j]:
                rows[i] = [u - rows[i][j] * v for u, v in zip(rows[i], rows[used], strict=True)]
        pivots.append(j)
        used += 1
    if any(row[p] for row in rows[used:]):
        return None
    h = [Q(0)] * p
    for row, j in zip(rows, pivots, strict=False):
        h[j] = row[p]
    return h


def repaired(alpha: Vector, rows: Rows, goal: Vector, room: Vector) -> list[Q] | None:
    """α moved, each in proportion to its room, so that Σαᵢrowᵢ = goal; None if that cannot be."""
    some = [i for i, r in enumerate(room) if r]
    columns = list(zip(*rows, strict=True))
    G = [[sum((room[i] * u[i] * v[i] for i in some), Q(0)) for u in columns] for v in columns]
    h = solve(G, [u - v for u, v in zip(combination(alpha, rows), goal, strict=True)])
    if h is None:
        return None
    return [a - r * dot(h, row) if r else a for a, r, row in zip(alpha, room, rows, strict=True)]


def within(alpha: Vector, rows: Rows, top: Vector) -> list[Q] | None:
    """α moved inside 0 ≤ α ≤ top until Σαᵢrowᵢ = 0, None if that fails."""
    for spare in (Q(0), SPARE):
        less = [a * (1 - spare) for a in alpha]
        room = [min(a, t - a) for a, t in zip(less, top, strict=True)]
        moved = repaired(less, rows, [Q(0)] * len(rows[0]), room)
        if moved and all(0 <= a <= t for a, t in zip(moved, top, strict=True)):
            return moved
    return None


def balanced(alpha: Vector, y: Sequence[int]) -> list[Q]:
    """The class with the larger sum of α scaled down to the other's."""
    plus = sum((a for a, s in zip(alpha, y, strict=True) if s > 0), Q(0))
    minus = sum((a for a, s in zip(alpha, y, strict=True) if s < 0), Q(0))
    less = min(plus, minus)
    if not less:
        return [Q(0)] * len(alpha)
    return [a * less / (plus if s > 0 else minus) for a, s in zip(alpha, y, strict=True)]


def root(q: Q, *, up: bool) -> Q:
    """√q, rounded down or up by at most 2⁻⁸⁰ of itself."""
    unit = q.denominator << 80
    r = isqrt(q.numerator * q.denominator << 160)
    return Q(r + 1, unit) if up and Q(r, unit) ** 2 != q else Q(r, unit)


def logarithm(q: Q, *, up: bool) -> Q:
    """ln q, rounded: Decimal's ln errs by less than the last of fifty digits."""
    context = UP if up else DOWN
    found = context.ln(context.divide(Decimal(q.numerator), Decimal(q.denominator)))
    return Q(context.next_plus(found) if up else context.next_minus(found))


def loss(m: Q) -> Q:
    """ln(1 + exp(-m)) rounded up."""
    power = UP.next_plus(UP.exp(UP.divide(Decimal(-m.numerator), Decimal(m.denominator))))
    return Q(UP.next_plus(UP.ln(UP.add(ONE, power))))


def entropy(a: Q) -> Q:
    """-a ln a - (1 - a) ln(1 - a), rounded down."""
    return -sum((p * logarithm(p, up=True) for p in (a, 1 - a) if 0 < p < 1), Q(0))


# -- the quantities: each returns what its witnesses prove ---------------------------------------------


class Refused(Exception):
    """Cannot be checked here, and why."""


class Data:
    """The samples and the claim's witnesses, as fractions."""

    def __init__(self, X: Rows, y: Sequence[int], claim: Claim) -> None:
        self.X, self.y, self.n, self.options = X, y, len(y), claim["options"]
        self.offset = self.options.get("offset", True)
        self.lifted = [[*x, Q(1)] if self.offset else x for x in X]
        self.Z = [[s * v for v in x] for s, x in zip(y, self.lifted, strict=True)]
        self.a = numbers(self.options.get("exact") or claim["primal"])
        fits = len(self.a) == len(self.Z[0])
        self.m = [dot(self.a, z) for z in self.Z] if fits else []
        self.sets: Claim = claim["dual"] if isinstance(claim["dual"], dict) else {}
        self.dual = [] if self.sets else numbers(claim["dual"])
        if len(self.dual) != self.n and not self.sets:
            raise Refused(
                f"`dual` must have {self.n} numbers, one per sample; got {len(self.dual)}"
            )

    def number(self, name: str) -> Q:
        return numbers([self.options[name]])[0]

    def prices(self, name: str) -> list[Q]:
        c = self.options[name]
        if c in (None, "balanced"):
            return [Q(1, self.y.count(s) if c else self.n) for s in self.y]
        return [max(v, Q(0)) for v in numbers(c if isinstance(c, list) else [c] * self.n)]

    def targets(self) -> list[Q]:
        t = self.options["targets"]
        if t == "labels":
            return [Q(s) for s in self.y]
        if t == "fisher":
            return [Q(self.n, self.y.count(s)) * s for s in self.y]
        return numbers(t)


def numbers(values: Iterable[str]) -> list[Q]:
    return [Q(v) if "/" in v or v.lstrip("-").isdigit() else Q(float.fromhex(v)) for v in values]


def clipped(alpha: Vector, top: Vector) -> list[Q]:
    return [min(max(a, Q(0)), t) for a, t in zip(alpha, top, strict=True)]


def half(v: Vector) -> Q:
    return dot(v, v) / 2


def shortfalls(d: Data) -> list[Q]:
    return [max(Q(0), 1 - m) for m in d.m]


def margin(d: Data) -> Ends:
    """minᵢ⟨a, zᵢ⟩/‖a‖ ≤ γ* ≤ ‖Σαᵢzᵢ‖ for Σαᵢ = 1."""
    least, length = min(d.m), dot(d.a, d.a)
    lower = root(least**2 / length, up=False) if least > 0 else Q(0)
    alpha = [max(a, Q(0)) for a in d.dual]
    alpha = alpha if any(alpha) else [Q(1)] * d.n
    upper = root(dot(v := combination(alpha, d.Z), v), up=True) / sum(alpha)
    return lower, Q(0) if surround(d.Z, alpha) else upper, Q(0)


def surround(Z: Rows, alpha: Vector) -> bool:
    """Whether weights on the samples that α uses make 0: then no plane has all of them on its right side."""
    some = [i for i, a in enumerate(alpha) if a > 0]
    rows, weights = [Z[i] for i in some], [alpha[i] for i in some]
    moved = repaired(weights, rows, [Q(0)] * len(Z[0]), weights)
    return moved is not None and min(moved) >= 0 and any(moved)


def hard_margin(d: Data) -> Ends:
    """(Σα)²/2‖Σαᵢyᵢxᵢ‖² ≤ ½‖w‖² over planes with all margins ≥ 1 ≤ ‖w‖²/2γ²."""
    upper = half(d.a[:-1]) / min(d.m) ** 2 if min(d.m) > 0 else inf
    alpha = balanced([max(a, Q(0)) for a in d.dual], d.y)
    point = half(combination(alpha, d.Z)[:-1])
    lower = sum(alpha) ** 2 / point / 4 if point else inf if any(alpha) else Q(0)
    return lower, upper, Q(0)


def soft_margin(d: Data) -> Ends:
    """Σα - ½‖Σαᵢyᵢxᵢ‖² ≤ min ½‖w‖² + C Σ(1 - mᵢ)₊ for 0 ≤ α ≤ C, Σαᵢyᵢ = 0."""
    C = d.prices("C")
    alpha = balanced(clipped(d.dual, C), d.y)
    upper = half(d.a[:-1]) + dot(C, shortfalls(d))
    return sum(alpha) - half(combination(alpha, d.Z)[:-1]), upper, sum(C, Q(0))


def hinge(d: Data) -> Ends:
    """Σα ≤ min Σcᵢ(1 - mᵢ)₊ for 0 ≤ α ≤ c, Σαᵢzᵢ = 0."""
    c = d.prices("prices")
    alpha = within(clipped(d.dual, c), d.Z, c)
    return sum(alpha or [], Q(0)), dot(c, shortfalls(d)), sum(c, Q(0))


def squares(d: Data, lam: Q) -> tuple[list[Q], Q]:
    t = d.targets()
    misfit = [dot(d.a, x) - v for x, v in zip(d.lifted, t, strict=True)]
    return t, half(misfit) + lam * d.n * half(d.a[:-1])


def least_squares(d: Data) -> Ends:
    """⟨t, r⟩²/2‖r‖² ≤ min ½Σ(f(xᵢ) - tᵢ)² for r orthogonal to the features and to 1."""
    t, upper = squares(d, Q(0))
    r = repaired(d.dual, d.lifted, [Q(0)] * len(d.a), [Q(1)] * d.n) or [Q(0)]
    return dot(t, r) ** 2 / dot(r, r) / 2 if any(r) else Q(0), upper, half(t)


def ridge(d: Data) -> Ends:
    """⟨t, r⟩ - ½‖r‖² - ‖Xᵀr‖²/2nλ ≤ n min mean ½(f(xᵢ) - tᵢ)² + (λ/2)‖w‖² for Σr = 0."""
    lam = d.number("lam")
    t, upper = squares(d, lam)
    mean = sum(d.dual, Q(0)) / d.n
    r = [v - mean for v in d.dual]
    lower = dot(t, r) - half(r) - half(combination(r, d.X)) / (d.n * lam)
    return lower / d.n, upper / d.n, half(t) / d.n


def fisher(d: Data) -> Ends:
    """⟨w, δ⟩²/‖X_W w‖² ≤ max of that ≤ ‖β‖² for X_Wᵀβ = δ: X_W are the samples less their class means."""
    means = {}
    for s in (1, -1):
        own = [x for x, label in zip(d.X, d.y, strict=True) if label == s]
        means[s] = [sum(column) / len(own) for column in zip(*own, strict=True)]
    centred = [
        [u - v for u, v in zip(x, means[s], strict=True)] for x, s in zip(d.X, d.y, strict=True)
    ]
    delta = [u - v for u, v in zip(means[1], means[-1], strict=True)]
    pulled, spread = dot(d.a, delta), sum(dot(d.a, x) ** 2 for x in centred)
    lower = Q(0) if pulled <= 0 else pulled**2 / spread if spread else inf
    beta = repaired(d.dual, centred, delta, [Q(1)] * d.n)
    return (inf, inf, Q(0)) if beta is None else (lower, dot(beta, beta), Q(0))  # without β: ∞


def logistic(d: Data) -> Ends:
    """ΣcᵢH(αᵢ/cᵢ) - ‖Σαᵢyᵢxᵢ‖²/2λ ≤ inf Σcᵢ ln(1 + exp(-mᵢ)) + (λ/2)‖w‖², Σαᵢyᵢ = 0 (Σαᵢzᵢ = 0 if λ = 0)."""
    lam, c = d.number("lam"), d.prices("prices")
    alpha = [w * a for w, a in zip(c, clipped(d.dual, [Q(1)] * d.n), strict=True)]
    if "start" in d.options:  # along a the loss falls for ever, to that of the samples on the plane
        if min(costly := [w * m for w, m in zip(c, d.m, strict=True)]) < 0 or not any(costly):
            raise Refused("`primal` must be a direction with all margins ≥ 0, not all 0")
        start = numbers(d.options["start"])
        losses = [Q(0) if m else loss(dot(start, z)) for m, z in zip(d.m, d.Z, strict=True)]
    else:
        losses = [loss(m) for m in d.m]
    upper = dot(c, losses) + lam * half(d.a[:-1])
    alpha = balanced(alpha, d.y) if lam else within(alpha, d.Z, c) or [Q(0)] * d.n
    paid = half(combination(alpha, d.Z)[:-1]) / lam if lam else 0
    H = sum((w * entropy(a / w) for a, w in zip(alpha, c, strict=True) if w), Q(0))
    return H - paid, upper, sum(c, Q(0))


def mistakes(d: Data) -> Ends:
    """Inseparable sets, each counted as often as its samples allow, against the mistakes of a plane.

    Of samples in one place (zᵢ equal or opposite) the smaller class is always wrong, as zᵢ = 0 is, and the
    larger one counts for as many samples as it has more.
    """
    if d.sets.get("kind") != "Packing":
        raise Refused("a cover of all planes by cells is not checked here: ask `Fit.verify`")
    place: dict[tuple[Q, ...], int] = {}
    for z in map(tuple, d.Z):
        place[z] = place.get(z, 0) + 1
    always = place.pop((Q(0),) * len(d.Z[0]), 0)
    opposite = {z: place.get(tuple(-v for v in z), 0) for z in place}
    always += sum(min(place[z], opposite[z]) for z in place) // 2  # of each pair one
    load: dict[tuple[Q, ...], Q] = {}
    total = Q(0)
    for samples, weights, amount in d.sets["sets"]:
        used = {tuple(d.Z[i]) for i in samples}
        room = [place.get(z, 0) - opposite.get(z, 0) for z in used]
        if min(room) > 0 and surround([d.Z[i] for i in samples], numbers(weights)):
            share = min([*numbers([amount]), *map(Q, room)])
            total += share
            load |= {z: load.get(z, Q(0)) + share for z in used}
    over = max([Q(1), *(v / (place[z] - opposite[z]) for z, v in load.items())])
    return Q(always - (-total / over // 1)), Q(sum(m <= 0 for m in d.m)), Q(0)


QUANTITIES: dict[str, Callable[[Data], Ends]] = {
    "margin": margin, "hard margin": hard_margin, "soft margin": soft_margin, "hinge": hinge,
    "least squares": least_squares, "ridge": ridge, "fisher": fisher, "logistic": logistic,
    "mistakes": mistakes,
}  # fmt: skip


# -- the claim -----------------------------------------------------------------------------------------


def proved(claim: Claim, X: Rows, y: Sequence[int]) -> Ends:
    """(lower, upper, size): the ends that the witnesses prove here, and what the plane 0 costs."""
    if claim["quantity"] not in QUANTITIES:
        raise Refused(f"{claim['quantity']!r} has no check here, only {', '.join(QUANTITIES)}")
    if claim["within"] != "inf":
        raise Refused("it speaks of some planes only (`within`): features depend on each other")
    d = Data(X, y, claim)
    if not d.m and claim["quantity"] != "fisher":
        raise Refused(f"`primal` must have {len(d.Z[0])} numbers; got {len(d.a)}")
    return QUANTITIES[claim["quantity"]](d)


def holds(claim: Claim, ends: Ends) -> bool:
    """Whether no claimed end is better than the one that is proved, but for the slack of the repaired one."""
    lower, upper = float.fromhex(claim["lower"]), float.fromhex(claim["upper"])
    low, high, size = ends
    finite = [abs(Q(v)) for v in (low, high) if v != inf]
    slack = SLACK * max([size, *finite])
    if claim["quantity"] == "mistakes":
        return lower <= low and high <= upper
    if claim["quantity"] in ("margin", "fisher"):  # planes are their lower ends
        return lower <= low and (high <= upper or (high != inf and 0 < upper >= high - slack))
    return (lower <= low or (low != inf and lower <= low + slack)) and high <= upper


def outwards(end: End, side: float) -> float:
    """The end as a float that is no better."""
    if end == inf:
        return inf
    found = float(end)
    return nextafter(found, side) if (Q(found) - end) * side < 0 else found


def read(certificate: str, data: str) -> tuple[Claim, list[list[Q]], list[int]]:
    with open(certificate, encoding="utf-8") as file:
        claim = json.load(file)
    if claim.get("format") != FORMAT:
        raise Refused(f"{certificate} is of the format {claim.get('format')!r}, not {FORMAT!r}")
    with open(data, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if row]
    try:
        float(rows[0][0])
    except ValueError:
        rows = rows[1:]  # names
    table = [[Q(float(v)) for v in row] for row in rows]
    y = [int(row[-1]) if row[-1] in (-1, 1) else 0 for row in table]
    if set(y) != {-1, 1} and not (len(set(y)) == 1 and 0 not in y):
        raise Refused(f"the last column of {data} must hold the labels -1 and +1")
    return claim, [row[:-1] for row in table], y


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print(__doc__)
        return 2
    try:
        claim, X, y = read(*arguments)
        ends = proved(claim, X, y)
    except (Refused, OSError, KeyError, TypeError, ValueError, ArithmeticError) as error:
        print(f"CANNOT BE CHECKED: {error}")
        return 2
    lower, upper = (float.fromhex(claim[end]) for end in ("lower", "upper"))
    print(f"claimed: {lower:.17g} <= {claim['quantity']} <= {upper:.17g}")
    low, high = outwards(ends[0], -inf), outwards(ends[1], inf)
    print(f"proved:  {low:.17g} <= {claim['quantity']} <= {high:.17g}")
    good = holds(claim, ends)
    print("THE CLAIM HOLDS" if good else "NOT PROVED: the claim says more than its witnesses carry")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
