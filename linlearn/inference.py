"""`Fit.summary` of logistic regression: standard errors, intervals, likelihood-ratio tests, Firth."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from html import escape
from textwrap import wrap
from typing import Any

import numpy as np

from linlearn._progress_bar import with_progress
from linlearn._scipy import expit, linalg, optimize, special
from linlearn.collinearity import near_dependence
from linlearn.exact.column_space import combination, independent_columns
from linlearn.plane import Hyperplane
from linlearn.table import WIDTH, Table
from linlearn.validation import Array, Bools, name_columns

# Squared decrement at which the log-likelihood is maximal to all digits, and the estimate, too.
SMALL = 1e-24
FLOOR = 1e-14  # the same, at which it stops if a step no longer halves it: rounding is reached
STEPS = 500  # along a direction of recession a step divides the slope by e
NEAR = 0.1  # squared decrement below which Firth's scoring gives way to Newton's method, if a step left
SLOW = 0.01  # more than this part of it
BLOCK = 2**22  # numbers in an array of products that is formed at a time
CLOSE = 1e-10  # of a standard error: a Newton step as short as that leaves an error of its square
FLAT = 1e-7  # a relative variation below this costs standard errors nine of their sixteen digits
MOVED = 1e-5  # of a direction's largest entry, columns of size 1; HiGHS satisfies rows up to 1e-7


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Summary:  # numpydoc ignore=PR02
    """The coefficients of a logistic regression with their uncertainty, the intercept last.

    `print` shows it as a table; `to_dict` returns arrays.

    Parameters
    ----------
    names : the names of the columns, then "intercept"; p = d + 1 in all
    estimates : shape (p,)
        ±inf if the likelihood increases for ever as the coefficient tends to ±∞, nan if in both directions.
    standard_errors : shape (p,)
        The square roots of the diagonal of the inverse Fisher information; nan if the samples are separable.
    wald, profile : shape (p, 2)
        The ends of the two intervals.
    statistics : shape (p,)
        Likelihood-ratio statistics: twice the decrease of the log-likelihood if the coefficient is set to 0.
    log_likelihood, null_log_likelihood : float
        The maximum, and the maximum for the model with only an intercept; penalised if `firth`.
    n : int
        The number of samples.
    level : float
        The confidence level of the intervals.
    firth : bool
        Whether the likelihood is Firth's penalised one.
    note : str
        Which numbers not to trust, and why; usually empty.
    """

    names: tuple[str, ...]
    estimates: Array
    standard_errors: Array
    wald: Array
    profile: Array
    statistics: Array
    log_likelihood: float
    null_log_likelihood: float
    n: int
    level: float
    firth: bool
    note: str = ""

    @property
    def z(self) -> Array:
        """Estimates divided by their standard errors, shape (p,)."""
        return self.estimates / self.standard_errors

    @property
    def p_values(self) -> Array:
        """The p-values of the likelihood-ratio tests, shape (p,)."""
        return np.asarray(special.chdtrc(1, self.statistics))

    @property
    def odds_ratios(self) -> Array:
        """exp(estimates), shape (p,): the factors by which the odds change if a feature grows by one unit."""
        return np.exp(self.estimates)

    @property
    def model_test(self) -> tuple[float, int, float]:
        """The likelihood-ratio test that all weights are 0: statistic, degrees of freedom, p-value."""
        fall, d = 2 * (self.log_likelihood - self.null_log_likelihood), len(self.names) - 1
        return fall, d, float(special.chdtrc(d, fall))

    @property
    def plane(self) -> Hyperplane:
        """The hyperplane given by the estimates, which must be finite."""
        return Hyperplane.from_homogeneous(self.estimates)

    def to_dict(self) -> dict[str, Any]:
        """All numbers by name."""
        kept = {one.name: getattr(self, one.name) for one in fields(self)}
        return kept | {name: getattr(self, name) for name in ("z", "p_values", "odds_ratios")}

    @property
    def table(self) -> Table:
        """One row for each coefficient."""
        level = f"{100 * self.level:g} %"
        columns = (
            *(self.names, self.estimates, self.standard_errors, self.z),
            *(map(_interval, self.wald), map(_interval, self.profile)),
            *(self.odds_ratios, self.statistics, self.p_values),
        )
        # What is unknown, nan, is a dash.
        rows = [[None if v != v else v for v in row] for row in zip(*columns, strict=True)]
        return Table(
            *("coefficient", "estimate:.4g", "standard error:.4g", "z:.2f"),
            *(f"Wald {level}", f"profile {level}", "odds ratio:.4g", "LR:.2f", "p:.2g"),
            rows=rows,
        )

    @property
    def _head(self) -> str:
        fall, d, p = self.model_test
        penalised = "penalised " if self.firth else ""
        return (
            f"logistic regression{', Firth' if self.firth else ''}: n = {self.n}, {penalised}log-likelihood "
            f"{self.log_likelihood:.4f};\nall weights 0: LR = {fall:.2f}, df = {d}, p = {p:.2g}"
        ).replace("-likelihood -", "-likelihood −")

    def __repr__(self) -> str:
        return "\n".join([self._head, repr(self.table), *wrap(self.note, WIDTH)])

    def _repr_html_(self) -> str:
        head, *note = (f"<p>{escape(text)}</p>" for text in (self._head, self.note) if text)
        return "\n".join([head, self.table._repr_html_(), *note])


def summary(
    X: Array,
    y: Array,
    names: Sequence[str] | None,
    *,
    level: float,
    firth: bool,
    attained: bool | None,
) -> Summary:
    """The summary of samples already checked; `attained` as in the certificate of their fit.

    Columns without `names` are called x1, x2 and so on in the table, and go by their numbers in errors.
    """
    (n, d), A = X.shape, np.column_stack([X, np.ones(len(X))])
    _refuse_dependence(X, names)
    near = near_dependence(X)
    unproved = attained is None and not firth
    if unproved or (near is not None and near.relative < FLAT):
        remedy = "Raise `max_updates`" if near is None else near.sentence(names)
        raise ValueError(
            "`summary` needs samples that determine the coefficients; these samples do not determine them to "
            f"within rounding error. {remedy}."
        )
    names = (*(names or [f"x{j + 1}" for j in range(d)]), "intercept")
    note = "" if near is None else f"{near.told(names)}."
    infinite = np.zeros((d + 1, 2), dtype=bool)
    if attained is False and not firth:
        infinite = _infinite(A, y)
        note = f"{_separated(names, infinite)} {note}".strip()
    orders = [np.append(np.delete(np.arange(d + 1), j), j) for j in range(d + 1)]
    likelihood = _Likelihood(A, y, firth)
    maxima, without = _highest(likelihood, orders)
    a, top, R = maxima[-1]
    if len(maxima) > 1:
        note = f"{_several(top - maxima[0][1])} {note}".strip()
    # W = R⁻¹: the inverse information is WWᵀ.
    errors = np.linalg.norm(linalg.solve_triangular(R, np.eye(d + 1)), axis=1)
    width = float(special.ndtri(0.5 + level / 2)) * errors
    fall = float(special.chdtri(1, 1 - level)) / 2
    if infinite.any():
        errors = np.full(d + 1, np.nan)
        width = 1 / np.append(X.std(axis=0), 1.0)
    profile, statistics = np.array([[-np.inf, np.inf]] * (d + 1)), 2 * np.maximum(top - without, 0)
    every = with_progress(enumerate(orders), total=d + 1, unit="coefficients", progress=None)
    for j, order in every:
        held = likelihood.reordered(order)
        for k, side in enumerate((-1, 1)):
            if not infinite[j, k]:
                start = np.zeros(d + 1) if infinite.any() else a[order]
                profile[j, k] = _end(held, start, top - fall, side, width[j])
    estimates = np.where(infinite[:, 1], np.inf, np.where(infinite[:, 0], -np.inf, a))
    estimates[infinite.all(axis=1)] = np.nan
    off = errors * float(special.ndtri(0.5 + level / 2))
    wald = np.column_stack([estimates - off, estimates + off])
    null = likelihood.reordered(np.arange(d + 1)[::-1]).maximum(np.zeros(d + 1), held=d)[1]
    found = (estimates, errors, wald, profile, statistics, top, null)
    return Summary(names, *found, n, level, firth, note)


def _highest(
    likelihood: "_Likelihood", orders: Sequence[Array]
) -> tuple[list[tuple[Array, float, Array]], Array]:
    """Maxima, each higher than the one before, and the maxima with each coefficient held at 0.

    Firth's likelihood need not be concave: there each search with a coefficient at 0 has two starts, and
    where it ends higher, the next one of all coefficients begins.
    """
    found = [likelihood.maximum(np.zeros(len(orders)))]
    while True:
        a, top, _ = found[-1]
        ends = [_without(likelihood.reordered(order), a[order]) for order in orders]
        values = np.array([value for _, value, _ in ends])
        j = int(values.argmax())
        if not values[j] > top + 1e-9 * abs(top):
            return found, values
        found.append(likelihood.maximum(ends[j][0][np.argsort(orders[j])]))


def _without(held: "_Likelihood", a: Array) -> tuple[Array, float, Array]:
    """The maximum with the last coefficient at 0; Firth's from a without it, and from there to first order.

    Without the penalty it is searched from zero: near a the Hessian may be singular up to rounding.
    """
    if not held.firth:
        return held.maximum(np.zeros(len(a)), held=1)
    starts = np.append(a[:-1], 0.0), a - a[-1] * held.tangent(a)
    return max((held.maximum(start, held=1) for start in starts), key=lambda found: found[1])


class _Likelihood:
    """-Σ ln(1 + exp(-mᵢ)) as a function of a, for the rows of A; with Firth's penalty ½ ln det I(a) added.

    I(a) = AᵀVA is the Fisher information, V = diag σ(m)σ(-m). √V·A = QR is factorised instead, which keeps
    twice as many digits; the rows of Q have the leverages as squared lengths.
    """

    def __init__(self, A: Array, y: Array, firth: bool) -> None:
        self.A, self.y, self.firth = A, y, firth

    def reordered(self, order: Array) -> "_Likelihood":
        """The same function of the coefficients in another order."""
        return _Likelihood(self.A[:, order], self.y, self.firth)

    def at(self, a: Array) -> tuple[float, Array, Array]:
        """Value, score and R."""
        s = self.A @ a
        m = self.y * s
        wrong = expit(-m)
        rows = np.sqrt(wrong * expit(m))[:, None] * self.A
        value, residual = -float(np.logaddexp(0.0, -m).sum()), self.y * wrong
        Q, R = linalg.qr(rows, mode="economic", check_finite=False)
        if self.firth:
            with np.errstate(divide="ignore"):  # far off, where no step ends
                value += float(np.log(np.abs(np.diag(R))).sum())
            residual -= (Q**2).sum(axis=1) * np.tanh(s / 2) / 2  # leverage · (½ - p)
        return value, residual @ self.A, R

    def information(self, a: Array) -> Array:
        """The negative Hessian: less than I(a) by what the penalty bends.

        With the leverages hᵢ = ‖qᵢ‖², variances vᵢ and tᵢ = ½ - pᵢ it is Aᵀ(V + HV)A - 2AᵀTHTA + 2AᵀTQTA.
        Here Qᵢₖ = ⟨qᵢ, qₖ⟩², since hᵢ changes by 2tᵢhᵢ with its own score, and by -2Qᵢₖtₖ with that of k.
        """
        s, p = self.A @ a, len(a)
        v, t = expit(s) * expit(-s), -np.tanh(s / 2) / 2
        q = linalg.qr(np.sqrt(v)[:, None] * self.A, mode="economic", check_finite=False)[0]
        h = (q**2).sum(axis=1)
        found, tA = (self.A.T * (v + h * (v - 2 * t * t))) @ self.A, t[:, None] * self.A
        i, j = np.triu_indices(p)
        weights = np.where(i == j, 1.0, np.sqrt(2.0))  # of qᵢⱼ = qⱼᵢ, which is formed once
        q, M = np.ascontiguousarray(q.T), np.zeros((len(i), p))
        rows = max(1, BLOCK // len(i))
        for r in range(0, len(t), rows):
            part = q[:, r : r + rows]
            M += (part[i] * part[j]) @ tA[r : r + rows]
        M *= weights[:, None]
        return np.asarray(found + 2 * M.T @ M)

    def tangent(self, a: Array) -> Array:
        """How the maximum moves with its last entry, to first order."""
        R = self.at(a)[2]
        others = linalg.solve_triangular(R[:-1, :-1], R[:-1, -1], check_finite=False)
        return np.append(-others, 1.0)

    def maximum(self, a: Array, held: int = 0) -> tuple[Array, float, Array]:
        """Where it is largest with the last `held` entries kept, by damped steps; value, and R there.

        Scoring, whose matrix is I(a). Where this converges slowly near a maximum of Firth's likelihood, its
        own information takes the place of I(a), and is kept as long as steps with it converge fast.
        """
        k, before, root = len(a) - held, np.inf, None
        value, score, R = self.at(a)
        for _ in range(STEPS):
            step = np.zeros_like(a)
            U = R if root is None else root
            step[:k] = linalg.cho_solve((U[:k, :k], False), score[:k], check_finite=False)
            squared = float(score @ step)
            if not np.isfinite(squared):
                break
            rate, old = 1.0, value - 1e-13 * abs(value)
            value, score, R = self.at(a + step)
            while not value >= old and rate > 1e-9:
                rate /= 2
                value, score, R = self.at(a + rate * step)
            a = a + rate * step
            if squared <= SMALL or (squared <= FLOOR and squared > before / 2):
                break
            if self.firth and squared < NEAR and squared > SLOW * before:
                with suppress(linalg.LinAlgError):
                    root = linalg.cholesky(self.information(a)[:k, :k], check_finite=False)
            before = squared
        return a, value, R


def _end(held: _Likelihood, a: Array, goal: float, side: int, width: float) -> float:
    """θ beyond a's last entry, on that side, where the maximum over the other entries is `goal`.

    Newton's method in θ, whose slope is the score's last entry (envelope theorem), kept in a bracket and
    from steps too long: from outside it is monotone where the profile is concave. The other entries start
    where they are to first order. nan where rounding hides the end.
    """
    inside, outside, reach, step = -np.inf, np.inf, width, width
    for _ in range(STEPS):
        a, value, _ = held.maximum(a + side * step * held.tangent(a), held=1)
        t, excess, slope = side * float(a[-1]), value - goal, side * float(held.at(a)[1][-1])
        if excess > 0 or slope >= 0:
            inside = t
        else:
            outside = t
        step = -excess / slope if slope < 0 else reach
        if abs(step) <= CLOSE * width:
            return side * (t + step)
        step, reach = float(np.clip(step, -reach, reach)), 2 * reach
        if not inside < t + step < outside:
            step = (inside + outside) / 2 - t
    return np.nan


def _infinite(A: Array, y: Array) -> Bools:
    """Which coefficients some direction of recession, Za ≥ 0, lowers and raises, shape (p, 2)."""
    Z = A * (y[:, None] / np.abs(A).max(axis=0))
    p = Z.shape[1]
    free: dict[str, Any] = dict(A_ub=-Z, b_ub=np.zeros(len(Z)), bounds=(-1, 1))
    ends = [[-optimize.linprog(-s * np.eye(p)[j], **free).fun for s in (-1, 1)] for j in range(p)]
    return np.array(ends) > MOVED


def _several(rise: float) -> str:
    """That the likelihood has more than one maximum."""
    return (
        "The penalised likelihood has several maxima: the one that is reached from 0 is lower by "
        f"{rise:.4g}. The highest that was found is shown; a higher one may exist. Drop columns that others "
        "nearly determine, or use a penalty."
    )


def _separated(names: Sequence[str], infinite: Bools) -> str:
    """Which columns separate, and what follows."""
    moved = [name for name, ends in zip(names[:-1], infinite[:-1], strict=True) if ends.any()]
    return (
        f"Separated along {name_columns(moved)}: the likelihood increases for ever as the coefficients grow "
        "that way, and has no maximum. So there is no standard error and no Wald interval, and a profile "
        "interval may have an infinite end. `firth=True` gives finite estimates."
    )


def _refuse_dependence(X: Array, names: Sequence[str] | None) -> None:
    """Name a column that others and the constant make up exactly: many coefficients fit equally well."""
    rows = np.unique(X, axis=0)
    kept, known = independent_columns(rows), range(X.shape[1]) if names is None else names
    for j in np.setdiff1d(np.arange(X.shape[1]), kept):
        c = combination(rows[:, kept], rows[:, j]) or []
        others = [known[k] for k, v in zip(kept, c, strict=False) if v]
        if others:
            reason = f"is a combination of {name_columns(others)} and a constant"
            remedy = "Drop one of them"
        else:
            reason = "is constant and duplicates the intercept"
            remedy = f"Drop it (`np.delete(X, [{j}], axis=1)`)"
        raise ValueError(
            f"`X` must have linearly independent columns; {name_columns([known[j]])} {reason}. {remedy} and "
            "fit again."
        )


def _interval(ends: Array) -> str | None:
    if np.isnan(ends).any():
        return None
    return " to ".join(f"{v:.4g}" for v in ends).replace("-", "−").replace("inf", "∞")
