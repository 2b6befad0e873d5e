"""Soft and hard margin: an interior-point solution, polished on the support vectors, and certified."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import numpy as np

from linlearn._scipy import least_norm
from linlearn.certificates.ball import U, quietly
from linlearn.certificates.bound import CLOSED
from linlearn.certificates.certificate import Certificate, NotSeparable, Undecided, tightest
from linlearn.certificates.sample_weights import SampleWeights
from linlearn.certificates.samples import Samples
from linlearn.certificates.soft_margin import enclose_hard_margin, soft_margin_certificate
from linlearn.solvers.hinge import TOLERANCE, solve_margins
from linlearn.solvers.separation import separation
from linlearn.validation import STEEPEST, Array

# None of these is trusted: hyperplanes and multipliers are certified in turn until a gap is small enough, and
# the tightest certificate is returned. A poor constant costs time or leaves a gap.
EXACT = 1e-11  # relative gap at which no other candidate is tried: the sums of a million samples leave 1e-12
# Multipliers this near to 0 or C, relative to the largest, are put there; then with the smaller tolerance, if
# those were too many. At a relative gap of 1e-10 the products of multipliers and distances from margin 1 that
# should be 0 are about that: so each factor may be 1e-5.
SUPPORT = (1e-4, 1e-6)
# The same after the equations: their solution errs by some thousand roundings.
SUPPORT_SOLVED = 1e-12
MOST_SOLVED = 6  # times; where it takes longer, the method's own answer is as good
MOST_ROUNDS = 4  # of `max_margin`; each starts from a better bound of the multipliers

Candidate = tuple[Array, Array, float]


@quietly
def soft_margin(X: Array, y: Array, C: float, s: SampleWeights) -> Certificate:
    """The enclosure of min ½‖w‖² + C Σsᵢ(1 - mᵢ)₊, with hyperplane and multipliers."""
    # Not scaled: the penalty fixes the units of w.
    S, costs = Samples(X, scaled=False), s.times(C).rounded
    a, alpha = solve_margins(X, y, costs, lam=1.0, tolerance=TOLERANCE)

    def enclose(primal: Array, dual: Array) -> Certificate:
        return soft_margin_certificate(S, y, C, s, primal, dual)

    best = _first_tight(enclose, _candidates(X, y, a, alpha, costs))
    # A value below every Csᵢ leaves each slack below 1: the hyperplane separates. If the gap is still open, C
    # is so large that rounding of the slacks hides ‖w‖; the hard margin has no C.
    if best.gap > CLOSED * best.upper and best.upper < costs.min():
        widest_margin = hard_margin(X, y)
        best = _first_tight(enclose, [(widest_margin.primal, widest_margin.dual, CLOSED)], best)
    return best


@quietly
def hard_margin(X: Array, y: Array) -> Certificate:
    """The enclosure of min ½‖w‖² over hyperplanes with all margins ≥ 1.

    It is the soft margin with a C that is large enough: a hyperplane (w₀, b₀) with margins ≥ 1, from the
    linear program, bounds the multipliers by αᵢ ≤ Σα/2 = ‖w‖²/2 ≤ ‖w₀‖²/2, and from C = maxᵢ αᵢ on both
    problems have the same w.
    """
    zeros, enclose = np.zeros(len(y)), partial(enclose_hard_margin, X, y)
    a, _ = solve_margins(X, y, zeros + 1, lam=0.0, tolerance=TOLERANCE)
    best = _first_tight(enclose, [(a, zeros, CLOSED)])
    if np.isinf(best.upper):
        best = enclose(primal=_separating(X, y), dual=zeros)
    for _ in range(MOST_ROUNDS):
        C = zeros + 2 * best.upper  # twice the bound: multipliers stay strictly below
        a, alpha = solve_margins(X, y, C, lam=1.0, tolerance=TOLERANCE)
        candidates = (
            (_with_margin_one(primal, X, y), dual, enough)
            for primal, dual, enough in _candidates(X, y, a, alpha, np.inf)
        )
        best = _first_tight(enclose, candidates, best)
        if best.gap <= CLOSED * best.upper:
            return best
    return best


def _first_tight(
    enclose: Callable[..., Certificate],
    candidates: Iterable[Candidate],
    best: Certificate | None = None,
) -> Certificate:
    """The tightest certificate of the candidates, up to the first whose gap is small enough."""
    for primal, dual, enough in candidates:
        if not np.abs(primal).max() < STEEPEST:  # NaN, or more than a `Hyperplane` may hold
            primal = np.zeros_like(primal)
        found = enclose(primal=primal, dual=dual)
        best = found if best is None else tightest((best, found))
        if best.gap <= enough * best.upper:
            break
    assert best is not None  # something was tried
    return best


def _candidates(
    X: Array, y: Array, a: Array, alpha: Array, c: float | Array
) -> Iterator[Candidate]:
    """Planes, multipliers, and the relative gap at which the next need not be tried."""
    roughly_snapped, snapped = (_snap_to_bounds(alpha, c, tolerance) for tolerance in SUPPORT)
    if (roughly_snapped != snapped).any():
        yield from _solve_on_margin(X, y, a, roughly_snapped, c, EXACT)
    yield from _solve_on_margin(X, y, a, snapped, c, CLOSED)
    yield a, snapped, CLOSED
    yield _with_margin_one(a, X, y), snapped, CLOSED
    yield a, alpha, CLOSED
    yield _with_margin_one(a, X, y), alpha, CLOSED


def _solve_on_margin(
    X: Array, y: Array, a: Array, alpha: Array, c: float | Array, enough: float
) -> Iterator[Candidate]:
    """Solve mᵢ = 1 for the αᵢ with 0 < αᵢ < c and for b: this polishes the interior-point solution.

    Multipliers that leave [0, c] are put on its end, and the others solved for again.
    """
    w = (alpha * y) @ X
    for _ in range(MOST_SOLVED):
        free = np.flatnonzero((alpha > 0) & (alpha < c))
        if not 0 < len(free) <= 2 * len(a) + 100:
            return
        y_free, most = y[free], np.broadcast_to(c, alpha.shape)[free]
        Z = X[free] * y_free[:, None]
        # The intercept and Σαᵢyᵢ in a unit that makes them as large as the rest: else rounding hides them.
        gram = Z @ Z.T
        unit = 2.0 ** int(np.frexp(gram.max())[1])
        bordered = np.zeros((len(free) + 1, len(free) + 1))
        bordered[:-1, :-1] = gram
        bordered[:-1, -1] = bordered[-1, :-1] = unit * y_free
        rhs = np.append(1 - Z @ w - y_free * a[-1], -unit * alpha.dot(y))
        change = least_norm(bordered, rhs, 2 * U)
        change[-1] *= unit
        moved = alpha[free] + change[:-1]
        clipped = np.minimum(np.maximum(moved, 0), most)
        inside = _snap_to_bounds(clipped, most, SUPPORT_SOLVED)
        solved, change_of_free = alpha.copy(), inside - alpha[free]
        solved[free] = inside
        a = np.append(w + change_of_free @ Z, a[-1] + change[-1])
        outside = (moved < 0) | (moved > most)
        if not outside.any():
            break
        alpha, w = alpha.copy(), w + change_of_free[outside] @ Z[outside]
        alpha[free[outside]] = inside[outside]
    yield a, solved, enough
    if (solved < c).all():  # no slack: margins of 1 to the last rounding cost nothing
        yield _with_margin_one(a, X, y), solved, CLOSED


def _snap_to_bounds(alpha: Array, c: float | Array, tolerance: float) -> Array:
    """α with entries near 0 and c set to 0 and c: the rest are support vectors on the margin."""
    tolerance = tolerance * np.minimum(alpha.max(), c)
    return np.where(alpha <= tolerance, 0.0, np.where(alpha >= c - tolerance, c, alpha))


def _with_margin_one(a: Array, X: Array, y: Array) -> Array:
    """a, scaled so that the smallest margin is 1 or, by a few roundings, more; if it is positive."""
    smallest_margin = float((y * (X @ a[:-1] + a[-1])).min())
    size = float((np.abs(X[:: max(1, len(X) // 1024)]) @ np.abs(a[:-1])).max())
    # A margin of p terms errs by p·2⁻⁵³ times their moduli, of which `size` is the most that some have: so
    # nine times that.
    return (
        a / smallest_margin * (1 + len(a) * 1e-15 * (1 + size / smallest_margin))
        if smallest_margin > 0
        else a
    )


def _separating(X: Array, y: Array) -> Array:
    """A separating (w, b), or an error that says why there is none."""
    certificate = separation(X, y)
    if certificate.primal.any():
        return certificate.primal
    if certificate.separable:
        raise ValueError(
            "`X` is separable, but only by a hyperplane whose weights need more digits than floats have "
            '(see `separate(X, y).certificate.options["exact"]`). Subtract one sample from all '
            "samples and fit again."
        )
    if certificate.separable is None:
        raise Undecided(
            "`X` must be separable; `separate` stopped before it could decide whether it is. Standardise "
            "`X`, drop nearly dependent columns, or call `separate(X, y, max_work=…)` with a larger limit.",
            certificate,
        )
    raise NotSeparable(
        "`X` must be separable; the convex hulls of its two classes have a common point (the convex "
        "weights that give this point are twice the entries of the exception's `certificate.dual`). Use "
        "`svm`, or the estimator `SVM`, which allow slack.",
        certificate,
    )
