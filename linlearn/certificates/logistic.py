"""What is the least logistic loss? A plane bounds it from above, balanced weights from below."""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import LinAlgError, cho_solve, cholesky, qr, solve_triangular
from scipy.special import entr

from linlearn.certificates._centred import Centred
from linlearn.certificates._sums import margins_within
from linlearn.certificates.certificate import Certificate, rounding
from linlearn.checks import Array, check_number, check_samples, check_vector
from linlearn.exact.elimination import eliminated
from linlearn.exact.gordan import margin_exact

ENOUGH = 2_000  # rows that suffice to repair a dual witness; the others keep their weights
SLIGHT = 1e-9  # weights that are left out where the rest cannot be repaired with them
MOST_EXACT = 20_000  # products of fractions that are spent on finding dependent features


def enclose_logistic(
    X: ArrayLike,
    y: ArrayLike,
    *,
    primal: ArrayLike,
    dual: ArrayLike,
    lam: float = 0.0,
    start: ArrayLike | None = None,
) -> Certificate:
    """Enclose inf mean ln(1 + exp(-mᵢ)) + (λ/2)‖w‖² = max mean H(αᵢ) - ‖Σ αᵢyᵢxᵢ/n‖²/2λ.

    The maximum is over 0 ≤ α ≤ 1 with Σ αᵢyᵢ = 0; H is the binary entropy in nats. For λ = 0 the
    penalty of the dual becomes the constraint Zᵀα = 0. Both directions follow from Fenchel's
    inequality ln(1 + exp(-m)) ≥ H(α) - αm, an equality for α = σ(-m).

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (d+1,)
        Any a = (w, b); upper is its objective. If λ = 0, Za ≥ 0 and Za ≠ 0 (decided without
        rounding), the loss falls along a for ever: no minimiser exists, and upper is the limit of
        the fall, what the samples on the plane cost at `start`: 0 if it separates. Then the certificate's
        `attained` is False, and its option `start` says from where.
    dual : shape (n,)
        Any weights. They are clipped to [0, 1] (non-finite ones become 0) and projected on the
        constraint in the metric of α(1 - α); where that leads out of the interval, the heavier
        class is scaled down (λ > 0) or α = 0 serves (λ = 0).
    lam : float ≥ 0
        λ; the offset is not penalised.
    start : shape (d+1,), optional
        Any plane, from which the fall along a is followed; if None, 0, where a sample costs ln 2.

    Notes
    -----
    Rounding is allowed for in both ends. No computed α satisfies the constraint exactly, but one that
    does is near: the residual Aᵀα, A the rows of the constraint, is removed by a shift of
    α(1 - α)·Au with AᵀWAu = Aᵀα, W = diag(α(1 - α)). If |Au| ≤ τ, the shift moves α towards 0 or 1 by
    at most the fraction τ of its way, so that H, concave and 0 at both ends, keeps at least 1 - τ of
    its value. τ is bounded through the Cholesky factor of AᵀWA. Chapter "Logistic regression".

    >>> X, y = [[0.0], [1.0], [2.0]], [1, -1, 1]
    >>> enclose_logistic(X, y, primal=[0.0, np.log(2)], dual=[1 / 3, 2 / 3, 1 / 3])
    Certificate(0.636514 ≤ logistic ≤ 0.636514)
    """
    X, y = check_samples(X, y)
    a, lam = check_vector(primal, X.shape[1] + 1, "primal"), check_number(lam, "lam", least=0)
    from_here = np.zeros_like(a) if start is None else check_vector(start, a.size, "start")
    alpha = _clipped(dual, len(y))
    lower = _dual_value(X, y, alpha, lam)
    upper, falls = _primal_value(X, y, a, lam, from_here)
    options = {"lam": lam} | ({"start": from_here.tolist()} if falls else {})
    return Certificate("logistic", lower, upper, a, alpha, options, math.log(2))


def recedes(X: ArrayLike, y: ArrayLike, a: ArrayLike) -> bool:
    """Whether Za ≥ 0 and Za ≠ 0, decided without rounding: then no logistic minimiser exists.

    Along such a direction the loss falls from every starting point (Albert and Anderson 1984;
    chapter "Logistic regression").

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    a : shape (d+1,)
        A direction (w, b).

    >>> recedes([[0.0], [1.0], [1.0], [2.0]], [-1, -1, 1, 1], [1.0, -1.0])
    True
    """
    X, y = check_samples(X, y)
    a = check_vector(a, X.shape[1] + 1, "a")
    m, doubt = margins_within(X, y, a)
    return _recedes(X, y, a, m, doubt)


def _recedes(X: Array, y: Array, a: Array, m: Array, doubt: Array) -> bool:
    if (m < -doubt).any() or not (m > doubt).any():
        return False
    ties = np.flatnonzero(m <= doubt)
    if not ties.size:
        return True
    rows = np.unique(np.column_stack([X[ties], np.ones(len(ties)), y[ties]]), axis=0)
    return margin_exact(rows[:, :-1], rows[:, -1], a, offset=False) >= 0


def _primal_value(X: Array, y: Array, a: Array, lam: float, start: Array) -> tuple[float, bool]:
    """The objective at a, or its limit from `start` along a, rounded up; and whether it is the limit."""
    m, doubt = margins_within(X, y, a)
    more = 1 + rounding(len(y) + a.size + 16)
    if lam == 0 and (m >= -doubt).all() and _recedes(X, y, a, m, doubt):
        ties = np.flatnonzero(m <= doubt)
        m, doubt = margins_within(X[ties], y[ties], start)
        return float(np.logaddexp(0.0, doubt - m).sum()) / len(y) * more, True
    loss = float(np.logaddexp(0.0, doubt - m).mean())
    return (loss + lam / 2 * float(a[:-1] @ a[:-1])) * more, False


def _dual_value(X: Array, y: Array, alpha: Array, lam: float) -> float:
    """The dual objective at a feasible point near α, rounded down."""
    if not alpha.any():
        return 0.0
    rows = Centred.of(X)
    if lam > 0:
        return max(0.0, _penalised(rows, y, alpha, lam))
    beta, tau = _repaired(rows, y, alpha)
    if beta is not None:
        return _entropy(beta, tau)
    for least in (0.0, SLIGHT):
        # Only samples with weight can move, and among them alone fewer features may be independent.
        used = np.flatnonzero(alpha > least)
        if not used.size:
            break
        few = X[used]
        found, tau = _repaired(Centred.of(few).features(_independent(few)), y[used], alpha[used])
        if found is not None:
            beta = np.zeros_like(alpha)
            beta[used] = found
            return _entropy(beta, tau)
    return 0.0


def _penalised(rows: Centred, y: Array, alpha: Array, lam: float) -> float:
    """The dual objective for λ > 0, -inf where nothing feasible is near."""
    n, more = len(y), 1 + rounding(len(y) + rows.shape[1] + 16)
    beta, tau = _repaired(rows.features(slice(0)), y, alpha)
    if beta is None:
        beta, tau = _balanced(y, alpha)
    v, size = rows.sums_and_sizes(y * beta)
    doubt = (rows.allowance + tau) * size[:-1] / n * more
    v = np.abs(v[:-1]) / n
    value = _entropy(beta, tau) - float((v + doubt) @ (v + doubt)) / (2 * lam) * more
    if float((2 * v + doubt) @ doubt) / (2 * lam) > 1e-10 * abs(value):
        # Rounding of v costs too much: take the computed v as prescribed, and let α give way instead.
        v = rows.sums(y * alpha)
        v[-1] = 0.0
        beta, tau = _repaired(rows, y, alpha, target=v)
        if beta is not None:
            penalty = float(v @ v) / n**2 / (2 * lam) * more
            value = max(value, _entropy(beta, tau) - penalty)
    return value


def _entropy(beta: Array, tau: float) -> float:
    """Mean H of an α′ with |α′ - β| ≤ τβ(1 - β), rounded down."""
    # At most 1 - 2⁻⁵³, so that the logarithm is finite; at 1 itself H = 0 either way.
    entropy = entr(beta) - (1 - beta) * np.log1p(-np.minimum(beta, 1 - 2.0**-53))
    return float(entropy.mean()) * (1 - tau) * (1 - rounding(len(beta) + 24))


def _repaired(
    rows: Centred, y: Array, alpha: Array, *, target: Array | float = 0.0
) -> tuple[Array, float] | tuple[None, float]:
    """(β, τ): some α′ with Σ α′ᵢyᵢBᵢ = target has |α′ - β| ≤ τβ(1 - β); (None, 1) if none is proved.

    Subtracting centres in B changes nothing, since its last column demands Σ αᵢyᵢ = 0.
    """
    n, p = rows.shape
    every = 1 + n // max(ENOUGH, 50 * p, n // 20)
    some = slice(None, None, every)
    B, W = rows.take(every), (alpha * (1 - alpha))[some]
    factors = _factor(np.sqrt(W)[:, None] * B)
    if factors is None:
        return None, 1.0
    lower, inverse, norms = factors
    total = rows.sums(y * alpha)
    shift = cho_solve((lower, True), (total - target) / norms, check_finite=False) / norms
    beta = alpha.copy()
    beta[some] -= W * y[some] * (B @ shift)
    if not ((beta >= 0) & (beta <= 1)).all():
        return None, 1.0
    W, room = W[W > 0], (beta * (1 - beta))[some][W > 0]
    if not (room > 0).all():
        return None, 1.0
    total, size = rows.sums_and_sizes(y * beta)
    residual = np.abs(total - target) + rows.allowance * size * (1 + rounding(n))
    # Leverage: |Au| ≤ reach·‖Lᵀu‖, u in units of the column lengths.
    B /= norms
    leverage = solve_triangular(lower, B.T, lower=True, check_finite=False)
    reach = float(np.sqrt(np.einsum("ij,ij->j", leverage, leverage).max()))
    reach += rounding(4 * p) * float(np.abs(B).max(axis=0) @ np.linalg.norm(inverse, axis=0))
    tau = 4 * reach * float(np.linalg.norm(inverse @ (residual / norms)) * (W / room).max())
    return (beta, tau) if tau < 1 else (None, 1.0)


def _factor(A: Array) -> tuple[Array, Array, Array] | None:
    """(L, |L⁻¹|, column lengths s) with LLᵀ near diag(1/s) AᵀA diag(1/s), or None.

    Near: between a half and twice of it in every direction, rounding included; for M̂ = LLᵀ differs
    from it by at most γ in every entry, so that L⁻¹(M̂ - M)L⁻ᵀ has norm at most γ‖|L⁻¹|1‖².
    """
    M = A.T @ A
    norms = np.sqrt(np.diag(M))
    if not (norms > 0).all():
        return None
    try:
        lower = cholesky(M / norms / norms[:, None], lower=True, check_finite=False)
    except LinAlgError:
        return None
    inverse = np.abs(solve_triangular(lower, np.eye(len(M)), lower=True, check_finite=False))
    distortion = 2 * rounding(len(A) + len(M) + 8) * float((inverse.sum(axis=1) ** 2).sum())
    return (lower, inverse, norms) if distortion < 0.5 else None


def _balanced(y: Array, alpha: Array) -> tuple[Array, float]:
    """α with the heavier class scaled down to the weight of the other, and how far it may be off."""
    plus, minus = float(alpha[y > 0].sum()), float(alpha[y < 0].sum())
    scale = np.where(y > 0, min(1.0, minus / (plus or 1.0)), min(1.0, plus / (minus or 1.0)))
    return alpha * scale, 4 * rounding(len(y) + 4)


def _independent(X: Array) -> NDArray[np.intp]:
    """Features of which all others are exact combinations: by rational arithmetic where there are few
    different samples; else what is due to constants, copies and integer relations."""
    different = np.unique(X, axis=0) if X.size <= 50 * MOST_EXACT else X
    if different.size * min(different.shape) <= MOST_EXACT:
        rows = [[Fraction(1), *map(Fraction, row)] for row in different.tolist()]
        return np.array(eliminated(rows, X.shape[1] + 1)[1][1:], dtype=np.intp) - 1
    varying = np.flatnonzero(X.min(axis=0) < X.max(axis=0))
    _, first = np.unique(X[:, varying], axis=1, return_index=True)
    columns = np.sort(varying[first])
    whole = columns[~(X[:, columns] % 1).any(axis=0) & (np.abs(X[:, columns]).max(axis=0) < 2**20)]
    A = np.column_stack([np.ones(len(X)), X[:, whole]])
    R, order = qr(A, mode="r", pivoting=True, check_finite=False)
    pivots = np.abs(np.diag(R))
    rank = int((pivots > 1e-10 * pivots[0]).sum())
    weights = np.rint(solve_triangular(R[:rank, :rank], R[:rank, rank:], check_finite=False))
    if (A[:, order[:rank]] @ weights != A[:, order[rank:]]).any() or (
        np.abs(weights) > 2**20
    ).any():
        return columns
    extra = order[rank:]
    # The relations may express the constant feature by others; then one of these goes in its place.
    spare = [int(order[np.abs(weights[:, extra == 0]).argmax()])] if 0 in extra else []
    return np.setdiff1d(columns, whole[np.append(extra[extra > 0], spare).astype(int) - 1])


def _clipped(dual: ArrayLike, n: int) -> Array:
    alpha = np.asarray(dual, dtype=np.float64)
    if alpha.shape != (n,):
        raise ValueError(
            f"`dual` must have shape ({n},), one weight per sample; got {alpha.shape}."
        )
    return np.clip(np.where(np.isfinite(alpha), alpha, 0.0), 0.0, 1.0)
