"""Optima of small samples in rational arithmetic (logistic: 60 decimal digits), of the floats as they are."""

from decimal import MAX_EMAX, MIN_EMIN, Decimal, getcontext, localcontext
from fractions import Fraction
from itertools import combinations
from math import lcm
from operator import mul

getcontext().prec = 60

ZERO, ONE, ONE_DECIMAL = Fraction(0), Fraction(1), Decimal(1)


def rationals(A):
    return [[Fraction(v) for v in row] for row in A.tolist()]


def dot(u, v):
    return sum((s * t for s, t in zip(u, v, strict=True)), ZERO)


def whole(row):
    """The row times the least whole number that makes all of it whole."""
    times = lcm(*(Fraction(v).denominator for v in row))
    return [int(v * times) for v in row]


def solve(equations, right):
    """A solution with 0 for free unknowns, or None: Gauss and Jordan in whole numbers (Bareiss 1968)."""
    rows, unknowns = (
        [whole([*r, b]) for r, b in zip(equations, right, strict=True)],
        len(equations[0]),
    )
    at, pivot = [], 1
    for c in range(unknowns):
        r = len(at)
        i = next((i for i in range(r, len(rows)) if rows[i][c]), None)
        if i is None:
            continue
        rows[r], rows[i] = rows[i], rows[r]
        before, pivot, chosen = pivot, rows[r][c], rows[r]
        for k, row in enumerate(rows):
            if k != r:  # entries stay minors of the equations, so the division leaves nothing
                rows[k] = [
                    (pivot * u - row[c] * v) // before for u, v in zip(row, chosen, strict=True)
                ]
        at.append(c)
    if any(row[-1] for row in rows[len(at) :]):
        return None
    x = [ZERO] * unknowns
    for row, c in zip(rows, at, strict=False):
        x[c] = Fraction(row[-1], pivot)
    return x


def signed(X, y):
    return [
        [Fraction(v) * int(s) for v in [*row, 1.0]] for row, s in zip(X.tolist(), y, strict=True)
    ]


def least_squares(X, t):
    """(value, plane, residual) of min ½‖X̃a - t‖²."""
    Z, t = [[*row, ONE] for row in rationals(X)], [Fraction(v) for v in t.tolist()]
    columns = list(zip(*Z, strict=True))
    a = solve([[dot(u, v) for v in columns] for u in columns], [dot(u, t) for u in columns])
    r = [b - dot(z, a) for z, b in zip(Z, t, strict=True)]
    return dot(r, r) / 2, a, r


def hinge(X, y):
    """(value, plane) of min (1/n)Σ(1 - mᵢ)₊: best where some samples have margin 1 and decide the plane."""
    Z = signed(X, y)
    times = lcm(*(v.denominator for z in Z for v in z))
    longer = [[int(v * times) for v in z] for z in Z]
    best = ONE, [ZERO] * len(Z[0])
    for k in range(1, len(Z[0]) + 1):
        for some in combinations(Z, k):
            a = solve(some, [ONE] * k)
            if a is not None:
                *u, one = whole([*a, ONE])  # a = u/one, and whole numbers add up without a gcd
                short = (times * one - sum(map(mul, z, u)) for z in longer)
                value = Fraction(sum(max(0, v) for v in short), times * one * len(Z))
                best = min(best, (value, a), key=lambda found: found[0])
    return best


def fisher(X, y):
    """(value, direction) of max ⟨w, δ⟩²/‖X_W w‖², None where it is infinite."""
    groups = [[x for x, s in zip(rationals(X), y, strict=True) if s == sign] for sign in (1, -1)]
    means = [[sum(c, ZERO) / len(g) for c in zip(*g, strict=True)] for g in groups]
    delta = [u - v for u, v in zip(*means, strict=True)]
    within = [
        [u - m for u, m in zip(x, mean, strict=True)]
        for g, mean in zip(groups, means, strict=True)
        for x in g
    ]
    columns = list(zip(*within, strict=True))
    w = solve([[dot(u, v) for v in columns] for u in columns], delta)
    return None if w is None else (dot(w, delta), w)


def nearest(points):
    """(squared distance from 0 to the hull, weights by index): the nearest point is in some face."""
    best = None
    for k in range(1, len(points[0]) + 2):
        for face in combinations(range(len(points)), k):
            rows = [[dot(points[i], points[j]) for j in face] + [-ONE] for i in face]
            x = solve([*rows, [ONE] * k + [ZERO]], [ZERO] * k + [ONE])
            if x is None or min(x[:k]) < 0:
                continue
            point = [
                sum((x[c] * points[i][j] for c, i in enumerate(face)), ZERO)
                for j in range(len(points[0]))
            ]
            if best is None or dot(point, point) < best[0]:
                best = dot(point, point), dict(zip(face, x, strict=False))
    return best


def margin(X, y):
    """(γ*², Gordan's weights)."""
    return nearest(signed(X, y))


def hard_margin(X, y):
    """(1/2ρ*², α, plane) with ρ* half the distance of the hulls, None where they meet."""
    plus, minus = ([i for i, s in enumerate(y) if s == sign] for sign in (1, -1))
    pairs = [(i, j) for i in plus for j in minus]
    rows = rationals(X)
    apart = [[u - v for u, v in zip(rows[i], rows[j], strict=True)] for i, j in pairs]
    square, weights = nearest(apart)
    if square == 0:
        return None
    alpha = [ZERO] * len(y)
    for k, share in weights.items():
        for i in pairs[k]:
            alpha[i] += share * 2 / square
    w = [
        sum((a * int(s) * row[j] for a, s, row in zip(alpha, y, rows, strict=True)), ZERO)
        for j in range(len(rows[0]))
    ]
    b = next(int(y[i]) - dot(w, rows[i]) for i, a in enumerate(alpha) if a)
    return 2 / square, alpha, [*w, b]


def soft_margin(X, y, C):
    """(value, α, plane) of min ½‖w‖² + CΣ(1 - mᵢ)₊: every way to put α at 0, at C, or between."""
    rows, n, c = rationals(X), len(y), Fraction(C)
    signs = [int(s) for s in y]
    gram = [
        [dot(u, v) * s * t for v, t in zip(rows, signs, strict=True)]
        for u, s in zip(rows, signs, strict=True)
    ]
    best = None

    def states(i):
        if i == n:
            yield []
            return
        for rest in states(i + 1):
            for state in (0, 1, 2):
                yield [state, *rest]

    for state in states(0):
        free = [i for i in range(n) if state[i] == 2]
        if len(free) > len(rows[0]) + 1:
            continue
        alpha = [c if s == 1 else ZERO for s in state]
        right = [1 - dot(gram[i], alpha) for i in free]
        equations = [[gram[i][j] for j in free] + [Fraction(signs[i])] for i in free]
        equations.append([Fraction(signs[j]) for j in free] + [ZERO])
        x = solve(
            equations, [*right, -sum((a * s for a, s in zip(alpha, signs, strict=True)), ZERO)]
        )
        if x is None or not all(0 <= v <= c for v in x[:-1]):
            continue
        for i, v in zip(free, x, strict=False):
            alpha[i] = v
        value = sum(alpha, ZERO) - dot([dot(g, alpha) for g in gram], alpha) / 2
        if best is None or value > best[0]:
            best = value, alpha
    value, alpha = best
    w = [
        sum((a * s * row[j] for a, s, row in zip(alpha, signs, rows, strict=True)), ZERO)
        for j in range(len(rows[0]))
    ]
    bends = [s - dot(w, row) for s, row in zip(signs, rows, strict=True)]

    def cost(b):
        margins = [t * (dot(w, row) + b) for t, row in zip(signs, rows, strict=True)]
        return sum((max(ZERO, 1 - m) for m in margins), ZERO)

    return value, alpha, [*w, min(bends, key=cost)]


def logistic(X, y, lam, start=0):
    """(value, plane, α) of the penalised loss of one feature, to 40 digits."""
    signs = [int(s) for s in y]
    Z = [[Decimal(float(x[0])) * s, Decimal(s)] for x, s in zip(X, signs, strict=True)]
    c, ridge = [ONE_DECIMAL / len(Z)] * len(Z), [Decimal(lam), Decimal(0)]
    value, (w, b) = _newton(Z, c, ridge, [Decimal(start), Decimal(0)], Decimal("1e-40"))
    alpha = [float(1 / (1 + (w * x + b * s).exp())) for x, s in Z]
    return value, (float(w), float(b)), alpha


def penalised_logistic(Z, y, c, ridge, start):
    """Ends of min Σcᵢ ln(1 + exp(-yᵢ⟨a, zᵢ⟩)) + ½Σrⱼaⱼ², 30 digits apart."""
    Z = [[Decimal(float(v)) * int(s) for v in row] for row, s in zip(Z, y, strict=True)]
    c, ridge = (
        [Decimal(v.numerator) / v.denominator for v in map(Fraction, u)] for u in (c, ridge)
    )
    best, _ = _newton(Z, c, ridge, [Decimal(float(v)) for v in start], rest=Decimal("1e-40"))
    return best - Decimal("1e-30"), best


def _newton(Z, c, ridge, a, share=Decimal(0), rest=Decimal(0)):
    """min Σcᵢ ln(1 + exp(-⟨a, zᵢ⟩)) + ½Σrⱼaⱼ² and its a: Newton's method with backtracking, from a on.

    It ends where the squared decrement is at most `share` of the value plus `rest`.
    """
    p = len(a)
    size = [max(abs(z[j]) for z in Z) or ONE_DECIMAL for j in range(p)]
    columns = [[z[j] / size[j] for z in Z] for j in range(p)]  # of entries up to 1
    faint = Decimal(10) ** (-getcontext().prec // 3)

    def value(a):
        m, loss = [sum(map(mul, z, a)) for z in Z], Decimal(0)
        for k, v in zip(c, m, strict=True):
            e = (-abs(v)).exp()  # of one this faint the logarithm's series has all digits
            log = e - e * e / 2 + e**3 / 3 if e < faint else (1 + e).ln()
            loss += k * (log + max(-v, Decimal(0)))
        return loss + sum(r * v * v for r, v in zip(ridge, a, strict=True)) / 2, m

    best, m = value(a)
    for _ in range(1000):
        q = [1 / (1 + v.exp()) for v in m]
        pull, bend = list(map(mul, c, q)), [k * t * (1 - t) for k, t in zip(c, q, strict=True)]
        g = [ridge[j] * a[j] / size[j] - sum(map(mul, pull, columns[j])) for j in range(p)]
        H = [[sum(map(mul, bend, map(mul, u, v))) for v in columns] for u in columns]
        for j in range(p):
            H[j][j] += ridge[j] / size[j] ** 2
        step = _eliminated(H, g)
        fall, rate = sum(map(mul, g, step)), ONE_DECIMAL
        if fall <= share * best + rest:
            return best, a
        step = [v / s for v, s in zip(step, size, strict=True)]
        while True:
            there = [u - rate * v for u, v in zip(a, step, strict=True)]
            now, m = value(there)
            if now <= best - rate * fall / 4 or rate < Decimal("1e-12"):
                break
            rate /= 2
        a, best = there, now
    raise ArithmeticError("Newton has not arrived")


def _eliminated(H, g):
    """H⁻¹g for a positive definite H."""
    rows = [[*row, v] for row, v in zip(H, g, strict=True)]
    for j, pivot in enumerate(rows):
        for i, row in enumerate(rows):
            if i != j:
                share = row[j] / pivot[j]
                rows[i] = [u - share * v for u, v in zip(row, pivot, strict=True)]
    return [row[-1] / row[j] for j, row in enumerate(rows)]


def ridge(X, t, lam):
    """min mean ½(f(xᵢ) - tᵢ)² + (λ/2)‖w‖²."""
    Z, t, n = [[*row, ONE] for row in rationals(X)], [Fraction(v) for v in t.tolist()], len(t)
    columns, lam = list(zip(*Z, strict=True)), Fraction(lam)
    last = len(columns) - 1
    equations = [
        [dot(u, v) + (n * lam if i == j < last else 0) for j, v in enumerate(columns)]
        for i, u in enumerate(columns)
    ]
    a = solve(equations, [dot(u, t) for u in columns])
    r = [b - dot(z, a) for z, b in zip(Z, t, strict=True)]
    return dot(r, r) / 2 / n + lam * dot(a[:-1], a[:-1]) / 2


FAINT = Decimal("1e-100")  # a ridge so faint that 40 digits of the infimum do not notice it


def logistic_infimum(X, y, lam=0):
    """inf mean ln(1 + exp(-mᵢ)) + (λ/2)‖w‖², and whether a plane has it: Newton's steps with `FAINT` added.

    Weights of 10³⁰, of columns that differ in their last digits, add 10⁻⁴⁰ to it, and a direction along which
    the loss falls for ever leaves the samples beside its plane a loss of about 10⁻⁹⁰.
    """
    with localcontext() as context:
        context.prec, context.Emax, context.Emin = 220, MAX_EMAX, MIN_EMIN
        Z = [[Decimal(float(v)) * int(s) for v in [*x, 1.0]] for x, s in zip(X, y, strict=True)]
        n, p = len(Z), len(Z[0])
        ridge = [Decimal(float(lam)) + FAINT] * (p - 1) + [FAINT]
        enough = {"share": Decimal("1e-60"), "rest": Decimal("1e-90")}
        value, a = _newton(Z, [ONE_DECIMAL / n] * n, ridge, [Decimal(0)] * p, **enough)
        most = max(sum(map(mul, z, a)) for z in Z)
        return value - FAINT * sum(v * v for v in a) / 2, most < 100


def fewest(X, y):
    """The fewest mistakes of a plane, where a tie is one: without so many samples 0 leaves the hull."""
    Z = signed(X, y)
    for k in range(len(Z) + 1):
        for some in combinations(range(len(Z)), len(Z) - k):
            if not some or nearest([Z[i] for i in some])[0] > 0:
                return k
    return len(Z)
