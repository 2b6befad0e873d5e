"""Optima of a few samples with a few features, by looking at every face: in fractions, or to fifty digits.

Nothing here is shared with the package or with its checker, and nothing is clever. `optimum` takes the
quantity, the samples and the options as a certificate has them, as fractions.
"""

from decimal import Decimal, localcontext
from fractions import Fraction as Q
from itertools import combinations, product
from math import inf


def dot(u, v):
    return sum((a * b for a, b in zip(u, v, strict=True)), Q(0))


def solved(A, b):
    """A solution of Ax = b with 0 for what is free, or None: Gauss and Jordan."""
    M = [[*row, v] for row, v in zip(A, b, strict=True)]
    pivots = []
    for j in range(len(A[0]) if A else 0):
        r = len(pivots)
        k = next((k for k in range(r, len(M)) if M[k][j]), None)
        if k is None:
            continue
        M[r], M[k] = M[k], M[r]
        M[r] = [v / M[r][j] for v in M[r]]
        M = [row if i == r else [u - row[j] * v for u, v in zip(row, M[r], strict=True)]
             for i, row in enumerate(M)]  # fmt: skip
        pivots.append(j)
    if any(row[-1] for row in M[len(pivots) :]):
        return None
    x = [0 * b[0]] * len(A[0])
    for row, j in zip(M, pivots, strict=False):
        x[j] = row[-1]
    return x


def nearest(points):
    """The square of the distance of 0 from the hull: the least over the affine hulls of all its faces."""
    best = None
    for size in range(1, min(len(points), len(points[0]) + 1) + 1):
        for face in combinations(points, size):
            G = [[dot(u, v) for v in face] + [Q(1)] for u in face] + [[Q(1)] * size + [Q(0)]]
            x = solved(G, [Q(0)] * size + [Q(1)])
            if x is not None and min(x[:-1]) >= 0:
                v = [dot(x[:-1], column) for column in zip(*face, strict=True)]
                best = dot(v, v) if best is None else min(best, dot(v, v))
    return best


def signed(X, y, fit_intercept=True):
    return [
        [s * v for v in ([*x, Q(1)] if fit_intercept else x)] for x, s in zip(X, y, strict=True)
    ]


def margin(X, y, fit_intercept=True, **_):
    """Its square."""
    return nearest(signed(X, y, fit_intercept))


def hard_margin(X, y, **_):
    apart = nearest([[u - v for u, v in zip(p, q, strict=True)]
                     for p, s in zip(X, y, strict=True) if s > 0
                     for q, t in zip(X, y, strict=True) if t < 0])  # fmt: skip
    return 2 / apart if apart else inf


def mistakes(X, y, fit_intercept=True, **_):
    Z = signed(X, y, fit_intercept)
    for wrong in range(len(Z) + 1):
        for right in combinations(Z, len(Z) - wrong):
            if not right or nearest(list(right)) > 0:
                return wrong
    return None


def weights(y, s):
    """What each sample counts: once, or as often as its class is rarer than half of all, or as given."""
    if s is None:
        return [Q(1)] * len(y)
    return [Q(len(y), 2 * list(y).count(k)) for k in y] if s == "balanced" else s


def shares(y, s):
    s = weights(y, s)
    return [v / sum(s) for v in s]


def hinge(X, y, sample_weight=None, **_):
    """The best vertex of 0 ≤ α ≤ c, Σαᵢzᵢ = 0."""
    Z, c, best = signed(X, y), shares(y, sample_weight), Q(0)
    for where in product((0, 1, 2), repeat=len(y)):
        free = [i for i, k in enumerate(where) if k == 2]
        if len(free) > len(Z[0]):
            continue
        alpha = [c[i] if k == 1 else Q(0) for i, k in enumerate(where)]
        missing = [-dot(alpha, column) for column in zip(*Z, strict=True)]
        if free:
            x = solved([[Z[i][j] for i in free] for j in range(len(missing))], missing)
        else:
            x = None if any(missing) else []
        if x is None:
            continue
        for i, v in zip(free, x, strict=True):
            alpha[i] = v
        if all(0 <= v <= w for v, w in zip(alpha, c, strict=True)):
            best = max(best, sum(alpha))
    return best


def soft_margin(X, y, C, sample_weight=None, **_):
    """The plane and multipliers that satisfy Karush, Kuhn and Tucker's conditions, found by looking at all
    faces; its value is checked to be that of both."""
    Z, c, d = signed(X, y), [C * s for s in weights(y, sample_weight)], len(X[0])
    for where in product((2, 0, 1), repeat=len(y)):
        free = [i for i, k in enumerate(where) if k == 2]
        fixed = [c[i] if k == 1 else Q(0) for i, k in enumerate(where)]
        base = [dot(fixed, column) for column in zip(*Z, strict=True)]
        A = [[dot(Z[i][:d], Z[j][:d]) for j in free] + [Z[i][d]] for i in free]
        A.append([Z[j][d] for j in free] + [Q(0)])
        x = solved(A, [1 - dot(base[:d], Z[i][:d]) for i in free] + [-base[d]])
        if x is None:
            continue
        alpha = list(fixed)
        for i, v in zip(free, x, strict=False):
            alpha[i] = v
        if not all(0 <= v <= w for v, w in zip(alpha, c, strict=True)):
            continue
        w = [dot(alpha, column) for column in zip(*Z, strict=True)][:d]
        low = sum(alpha) - dot(w, w) / 2
        bends = [s * (1 - s * dot(w, p)) for p, s in zip(X, y, strict=True)]
        high = min(
            dot(w, w) / 2
            + sum(k * max(Q(0), 1 - dot([*w, b], z)) for k, z in zip(c, Z, strict=True))
            for b in bends
        )
        if low == high:
            return low
    return None


def regression(X, y, targets):
    n = len(y)
    if targets == "labels":
        return [Q(s) for s in y]
    if targets == "fisher":
        return [Q(n, list(y).count(s)) * s for s in y]
    return targets


def ridge(X, y, lam, targets="labels", **_):
    t, rows, n = regression(X, y, targets), [[*x, Q(1)] for x in X], len(y)
    p = len(rows[0])
    G = [
        [sum(r[i] * r[j] for r in rows) + (n * lam if i == j < p - 1 else 0) for j in range(p)]
        for i in range(p)
    ]
    a = solved(G, [sum(r[i] * v for r, v in zip(rows, t, strict=True)) for i in range(p)])
    misfit = [dot(a, r) - v for r, v in zip(rows, t, strict=True)]
    return dot(misfit, misfit) / 2 / n + lam / 2 * dot(a[:-1], a[:-1])


def least_squares(X, y, targets="labels", **_):
    return len(y) * ridge(X, y, Q(0), targets)


def fisher(X, y, **_):
    d, kind = len(X[0]), {s: [x for x, k in zip(X, y, strict=True) if k == s] for s in (1, -1)}
    mean = {s: [sum(c) / len(own) for c in zip(*own, strict=True)] for s, own in kind.items()}
    delta = [u - v for u, v in zip(mean[1], mean[-1], strict=True)]
    W = [[u - v for u, v in zip(x, mean[s], strict=True)] for x, s in zip(X, y, strict=True)]
    w = solved([[sum(r[i] * r[j] for r in W) for j in range(d)] for i in range(d)], delta)
    return inf if w is None else dot(w, delta)


def logistic(X, y, lam=Q(0), sample_weight=None, **_):
    """Newton's method with fifty digits; 0 where a plane separates, None where nothing is attained."""
    Z, c = signed(X, y), shares(y, sample_weight)
    if not lam and nearest([z for z, k in zip(Z, c, strict=True) if k]) > 0:
        return Q(0)
    with localcontext() as context:
        context.prec = 60
        real = lambda q: Decimal(q.numerator) / Decimal(q.denominator)  # noqa: E731
        Z, c, lam = [[real(v) for v in z] for z in Z], list(map(real, c)), real(Q(lam))
        p = len(Z[0])

        def value(a):
            total = lam / 2 * sum(v * v for v in a[:-1])
            for z, k in zip(Z, c, strict=True):
                m = sum(u * v for u, v in zip(a, z, strict=True))
                total += k * ((1 + (-abs(m)).exp()).ln() + max(-m, 0))
            return total

        a = [Decimal(0)] * p
        for _step in range(200):
            g, H = [lam * v for v in a[:-1]] + [Decimal(0)], [[Decimal(0)] * p for _ in range(p)]
            for i in range(p - 1):
                H[i][i] += lam
            for z, k in zip(Z, c, strict=True):
                s = 1 / (1 + sum(u * v for u, v in zip(a, z, strict=True)).exp())
                for i in range(p):
                    g[i] -= k * s * z[i]
                    for j in range(p):
                        H[i][j] += k * s * (1 - s) * z[i] * z[j]
            if max(map(abs, g)) < Decimal("1e-45"):
                return Q(value(a))
            if max(map(abs, a)) > 200:
                return None
            move = solved(H, g)
            if move is None:
                return None
            now, t = value(a), Decimal(1)
            while value([u - t * v for u, v in zip(a, move, strict=True)]) > now and t > Decimal(
                "1e-9"
            ):
                t /= 2
            a = [u - t * v for u, v in zip(a, move, strict=True)]
    return None


OPTIMUM = {"margin": margin, "hard margin": hard_margin, "soft margin": soft_margin, "hinge": hinge,
           "least squares": least_squares, "ridge": ridge, "fisher": fisher, "logistic": logistic,
           "mistakes": mistakes}  # fmt: skip
DIGITS = {"logistic": Q(1, 10**40)}  # by which an optimum may be off


def at_zero(quantity, X, y, options):
    """The value of the plane 0, or the length of the longest sample: the size of the data."""
    if quantity == "margin":
        return (
            max(float(dot(z, z)) for z in signed(X, y, options.get("fit_intercept", True))) ** 0.5
        )
    if quantity == "soft margin":
        return float(options["C"] * sum(weights(y, options.get("sample_weight"))))
    if quantity in ("hinge", "logistic"):
        return 1.0
    if quantity in ("least squares", "ridge"):
        t = regression(X, y, options.get("targets", "labels"))
        return float(dot(t, t)) / (2 if quantity == "least squares" else 2 * len(y))
    return 0.0


def contains(quantity, lower, upper, optimum, slack=Q(0)):
    """Whether lower ≤ optimum ≤ upper, up to slack."""
    slack = slack + DIGITS.get(quantity, 0)
    if quantity == "margin":  # its square is known
        least, most = lower - slack, upper + slack
        return (least <= 0 or least**2 <= optimum) and (
            most == inf or (most >= 0 and most**2 >= optimum)
        )
    if optimum == inf:
        return upper == inf
    return (lower == -inf or (lower != inf and lower - slack <= optimum)) and (
        upper == inf or optimum <= upper + slack
    )
