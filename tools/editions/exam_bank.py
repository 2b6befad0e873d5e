"""Problems for a written examination on the core, each with two sets of numbers, A and B.

A problem is a function of its numbers that returns the text, the key, how one finds it, and a proof of
the key: pairs of numbers that agree, the two bounds of a certificate or two computations. No key is typed.
A third set of numbers makes a third variant. Above the function stand the steps of the answer, each with
the points that it earns, and common wrong turns, each with the points that it still earns and with what it
leads to, so that a test can tell that no wrong turn leads to the key.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from scipy import optimize, special, stats
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import precision_score, recall_score, roc_auc_score

import linlearn as ll
from linlearn import capacity, data, losses
from linlearn.textbook.perceptron import rosenblatt
from tools.editions.problems import Problem, bounds, posed, shown, shown_all


@dataclass(frozen=True)
class Turn:
    """A common wrong turn: the points it still earns, and the answer it leads to, if it leads to one."""

    points: int
    said: str
    leads_to: Callable[..., Any] | None = None  # of the numbers of the problem


@dataclass(frozen=True)
class Item:
    """A problem of the bank; `pose` makes it from numbers, and `answer` says which number is what."""

    pose: Callable[..., tuple[str, Any, str, list[tuple[float, float]]]]
    lesson: str
    steps: tuple[tuple[int, str], ...]
    turns: tuple[Turn, ...]
    answer: str
    numbers: dict[str, dict[str, Any]]

    @property
    def name(self) -> str:
        return self.pose.__name__.replace("_", "-")

    @property
    def points(self) -> int:
        return sum(points for points, _ in self.steps)

    def variant(self, letter: str) -> Problem:
        """The problem with the numbers of one variant."""
        ask, key, why, proof = self.pose(**self.numbers[letter])
        question = posed(self.name, ask, key, why)
        return Problem(
            question=question, lesson=self.lesson, points=self.points, proof=tuple(proof)
        )


BANK: list[Item] = []
ORDINALS = ("first", "second", "third")


def problem(
    lesson: str,
    *,
    steps: tuple[tuple[int, str], ...],
    turns: tuple[Turn, ...],
    a: dict[str, Any],
    b: dict[str, Any],
    answer: str = "${}$",
) -> Callable:
    """Put the function below into the bank."""

    def register(pose: Callable) -> Callable:
        BANK.append(Item(pose, lesson, steps, turns, answer, {"A": a, "B": b}))
        return pose

    return register


def matrix(rows: Any) -> str:
    """A matrix in TeX."""
    lines = r" \\ ".join(" & ".join(f"{x:g}" for x in row) for row in rows)
    return rf"\begin{{pmatrix}} {lines} \end{{pmatrix}}"


def points(X: Any, y: Any) -> str:
    """Samples in words, in brackets: the positive ones, then the negative ones."""
    said = []
    for side, name in ((1, "positive"), (-1, "negative")):
        own = [x for x, label in zip(X, y, strict=True) if label == side]
        said.append(f"{name}: {', '.join(f'${point(x)}$' for x in own)}")
    return f"({'; '.join(said)})"


def point(x: Any) -> str:
    """A number, or a vector in brackets."""
    values = np.atleast_1d(x)
    return f"{values[0]:g}" if len(values) == 1 else f"({', '.join(f'{v:g}' for v in values)})"


def column(values: Any) -> np.ndarray:
    """Numbers as samples with one feature."""
    return np.array(values, dtype=float)[:, None]


def vector(values: Any) -> str:
    """A vector of computed numbers, in brackets."""
    return f"({', '.join(shown_all(values))})"


# What several wrong turns of a problem compute


def nearest_label(x: Any, y: Any, at: float) -> int:
    """The label of the nearest sample."""
    return min(zip(x, y, strict=True), key=lambda sample: abs(sample[0] - at))[1]


def perceptron_path(Z: Any, *, restart: bool = False) -> list[np.ndarray]:
    """Each a of the perceptron, from 0 on; `restart`: after an update it reads the first sample next."""
    path, k, right = [np.zeros(len(Z[0]))], 0, 0
    while right < len(Z):
        mistake = path[-1] @ Z[k] <= 0
        if mistake:
            path.append(path[-1] + Z[k])
        right = 0 if mistake else right + 1
        k = 0 if mistake and restart else (k + 1) % len(Z)
    return path


def ended(path: list[np.ndarray]) -> tuple[float, ...]:
    """Where a path ends, and the number of its updates."""
    return (*path[-1], len(path) - 1)


def derivatives(x: Any, y: Any) -> tuple[float, float]:
    """The first two derivatives at 0 of the sum of the logistic losses of wx."""
    return -np.dot(x, y) / 2, np.dot(x, x) / 4


def with_sum(bias: float, variance: float) -> tuple[float, float, float]:
    return bias, variance, bias + variance


def log_odds_ratio(table: Any) -> float:
    (no0, yes0), (no1, yes1) = table
    return math.log(yes1 * no0 / (no1 * yes0))


def reciprocals(table: Any) -> float:
    """The sum of the reciprocals of the counts."""
    return float((1 / np.array(table)).sum())


def line_margins(w: float, b: float, x: Any, y: Any) -> np.ndarray:
    return np.array(y) * (w * np.array(x) + b)


def bisector_of_nearest_samples(X: Any, y: Any) -> tuple[float, ...]:
    """The line half-way between the nearest samples of the two classes, and half their distance."""
    sides = ([np.array(x) for x, label in zip(X, y, strict=True) if label == s] for s in (1, -1))
    p, q = min(product(*sides), key=lambda pair: math.dist(*pair))
    w = 2 * (p - q) / math.dist(p, q) ** 2
    return (*w, -w @ (p + q) / 2, math.dist(p, q) / 2)


def misclassified_by_the_others(x: Any, y: Any) -> int:
    """For how many samples the nearest of the others has the other label."""
    others = [[j for j in range(len(x)) if j != i] for i in range(len(x))]
    near = [min(own, key=lambda j: abs(x[j] - x[i])) for i, own in enumerate(others)]
    return sum(y[j] != label for j, label in zip(near, y, strict=True))


def ordered_pairs(order: str) -> int:
    """In how many pairs of a + and a - the + comes first."""
    return sum(order[k:].count("-") for k, sign in enumerate(order) if sign == "+")


# 0 Classification


@problem(
    "00_classification",
    steps=(
        (1, "The more probable label at each of the three values."),
        (1, "The probability of the other label there."),
        (1, "The mean of these, weighted by the probabilities of the values."),
    ),
    turns=(
        Turn(
            2,
            "The three errors are averaged with equal weights.",
            lambda p, q: sum(min(qi, 1 - qi) for qi in q) / len(q),
        ),
        Turn(
            2,
            "The probability of the more probable label is taken: that is the accuracy.",
            lambda p, q: sum(pi * max(qi, 1 - qi) for pi, qi in zip(p, q, strict=True)),
        ),
    ),
    a=dict(p=(0.5, 0.3, 0.2), q=(0.9, 0.4, 0.2)),
    b=dict(p=(0.4, 0.4, 0.2), q=(0.2, 0.7, 0.4)),
)
def bayes_error(p, q):
    ask = (
        f"A feature has the values 1, 2, 3 with probabilities ${p[0]}$, ${p[1]}$, ${p[2]}$. Given "
        f"these values, the label is $+1$ "
        f"with probability ${q[0]}$, ${q[1]}$, ${q[2]}$. What is the error of the Bayes classifier?"
    )
    key = sum(pi * min(qi, 1 - qi) for pi, qi in zip(p, q, strict=True))
    rules = product((0, 1), repeat=3)
    least = min(
        sum(pi * abs(r - qi) for pi, qi, r in zip(p, q, rule, strict=True)) for rule in rules
    )
    return (
        ask,
        key,
        "It predicts the more probable label and errs with the probability of the other, at the "
        f"three values with probability ${vector(min(qi, 1 - qi) for qi in q)}$.",
        [(key, least)],
    )


@problem(
    "00_classification",
    steps=(
        (1, "The nearest sample, and its label."),
        (1, "The three nearest samples, and the label of their majority."),
    ),
    turns=(
        Turn(
            1,
            "All samples vote, not the three nearest.",
            lambda x, y, at: (nearest_label(x, y, at), np.sign(sum(y))),
        ),
        Turn(
            1,
            "The label of the nearest sample is given twice.",
            lambda x, y, at: (nearest_label(x, y, at),) * 2,
        ),
    ),
    answer="one neighbour: ${}$; three: ${}$",
    a=dict(x=(0, 1, 4, 5, 9), y=(1, -1, 1, -1, 1), at=4.2),
    b=dict(x=(0, 2, 3, 7, 8), y=(1, 1, -1, -1, -1), at=3.3),
)
def nearest_neighbours(x, y, at):
    ask = (
        f"The samples are numbers {points(x, y)}. Which label does the rule of one nearest neighbour predict "
        f"at ${at}$, and which label the rule of three?"
    )
    key = [float(ll.k_nearest_neighbors(column(x), y, k=k).predict([[at]])[0]) for k in (1, 3)]
    order = sorted(range(len(x)), key=lambda i: abs(x[i] - at))
    votes = [float(np.sign(sum(y[i] for i in order[:k]))) for k in (1, 3)]
    return (
        ask,
        key,
        "The label of the nearest sample; the majority among the three nearest, which are, in the "
        f"order of distance, ${', '.join(f'{x[i]:g}' for i in order[:3])}$.",
        list(zip(key, votes, strict=True)),
    )


@problem(
    "00_choice",
    steps=(
        (1, "The union bound: $2Me^{-2n\\varepsilon^2}\\le\\delta$."),
        (1, "This is solved for $n$."),
        (1, "The number, rounded up."),
    ),
    turns=(
        Turn(
            2,
            "Only one side is counted: $\\ln(M/\\delta)$.",
            lambda M, eps, delta: math.ceil(math.log(M / delta) / (2 * eps**2)),
        ),
        Turn(
            2,
            "There is no union bound: $\\ln(2/\\delta)$.",
            lambda M, eps, delta: math.ceil(math.log(2 / delta) / (2 * eps**2)),
        ),
        Turn(
            2,
            "The number is rounded down.",
            lambda M, eps, delta: math.floor(math.log(2 * M / delta) / (2 * eps**2)),
        ),
    ),
    a=dict(M=20, eps=0.05, delta=0.05),
    b=dict(M=50, eps=0.04, delta=0.1),
)
def held_out_samples(M, eps, delta):
    ask = (
        f"Among ${M}$ classifiers one is chosen by its error on a validation set. What is "
        f"the smallest number of samples for which Hoeffding's "
        f"inequality and the union bound guarantee, with confidence ${1 - delta:g}$, that all "
        f"${M}$ validation errors differ from the "
        f"true errors by at most ${eps}$?"
    )
    key = math.ceil(math.log(2 * M / delta) / (2 * eps**2))
    first = next(n for n in range(1, 10**6) if 2 * M * math.exp(-2 * n * eps**2) <= delta)
    return (
        ask,
        key,
        "The smallest integer $n\\ge\\ln(2M/\\delta)/(2\\varepsilon^2) = "
        f"{math.log(2 * M / delta) / (2 * eps**2):.2f}$.",
        [(key, first)],
    )


# 1 Linear classifiers


@problem(
    "01_hyperplanes",
    steps=(
        (1, "The score $\\langle w, x\\rangle + b$."),
        (1, "The margin: the label times the score."),
        (1, "The margin divided by $\\lVert w\\rVert$."),
    ),
    turns=(
        Turn(
            2,
            "The label is left out, or both are given as distances, without a sign.",
            lambda w, b, x, y: (np.dot(w, x) + b, (np.dot(w, x) + b) / math.hypot(*w)),
        ),
        Turn(
            2,
            "The margin is divided by $\\lVert w\\rVert^2$.",
            lambda w, b, x, y: (y * (np.dot(w, x) + b), y * (np.dot(w, x) + b) / np.dot(w, w)),
        ),
    ),
    answer="$m = {}$; $m/\\lVert w\\rVert = {}$",
    a=dict(w=(3, -4), b=2, x=(3, 1), y=-1),
    b=dict(w=(5, 12), b=4, x=(2, 1), y=-1),
)
def geometric_margin(w, b, x, y):
    ask = (
        f"A linear classifier has $w = {point(w)}$ and $b = {b}$. What are the margin $m = "
        f"y(\\langle w, x\\rangle + b)$ and the geometric "
        f"margin $m/\\lVert w\\rVert$ of the sample $x = {point(x)}$ with the label ${y:+d}$?"
    )
    m = float(ll.margins(ll.Hyperplane(w, b), [x], [y])[0])
    key = (m, m / math.hypot(*w))
    return (
        ask,
        key,
        f"The score is ${y * m:g}$, and $\\lVert w\\rVert = {math.hypot(*w):g}$. A negative margin means "
        "a misclassified sample.",
        [(m, y * (w[0] * x[0] + w[1] * x[1] + b))],
    )


@problem(
    "01_hyperplanes",
    steps=(
        (1, "The score of the point."),
        (1, "The direction $w$, and how far to move: the score divided by $\\lVert w\\rVert^2$."),
        (1, "The point."),
    ),
    turns=(
        Turn(
            2,
            "The score is divided by $\\lVert w\\rVert$.",
            lambda w, b, x: np.array(x) - (np.dot(w, x) + b) / math.hypot(*w) * np.array(w),
        ),
        Turn(
            2,
            "The point is moved away from the line.",
            lambda w, b, x: np.array(x) + (np.dot(w, x) + b) / np.dot(w, w) * np.array(w),
        ),
        Turn(
            1,
            "The point of the line that is nearest to 0 is given.",
            lambda w, b, x: -b / np.dot(w, w) * np.array(w),
        ),
    ),
    answer="$({}, {})$",
    a=dict(w=(3, 4), b=-10, x=(7, 6)),
    b=dict(w=(1, -1), b=2, x=(1, 7)),
)
def nearest_point_of_a_line(w, b, x):
    ask = (
        f"Which point of the line $\\langle w, x\\rangle + b = 0$ with $w = {point(w)}$, $b = "
        f"{b}$ is nearest to ${point(x)}$?"
    )
    w, x = np.array(w, dtype=float), np.array(x, dtype=float)
    foot = x - (w @ x + b) / (w @ w) * w
    along = np.array([-w[1], w[0]])
    start = -b * w / (w @ w)
    again = start + along * ((x - start) @ along) / (along @ along)
    return (
        ask,
        foot,
        f"Subtract the score ${w @ x + b:g}$, divided by $\\lVert w\\rVert^2 = {w @ w:g}$, times $w$.",
        list(zip(foot, again, strict=True)),
    )


@problem(
    "01_certificates",
    steps=(
        (1, "The middle sample as a convex combination of the two others."),
        (1, "Equal total weights of both classes, so that the last coordinates cancel."),
        (1, "All weights divided by their sum."),
    ),
    turns=(
        Turn(
            2,
            "The weights of each class sum to 1, so that all sum to 2.",
            lambda x, y: (x[2] - x[1], x[2] - x[0], x[1] - x[0]) / np.array(x[2] - x[0]),
        ),
        Turn(1, "Only $\\sum_i\\alpha_iy_ix_i = 0$ is satisfied."),
        Turn(0, "It is only said that the middle sample is between the others."),
    ),
    answer="$\\alpha = ({}, {}, {})$",
    a=dict(x=(0, 1, 3), y=(1, -1, 1)),
    b=dict(x=(-1, 1, 2), y=(-1, 1, -1)),
)
def certificate_of_inseparability(x, y):
    ask = (
        f"No threshold separates the samples {points(x, y)}. Prove it: find $\\alpha_i\\ge0$ with "
        f"sum 1 such that "
        f"$\\sum_i\\alpha_iy_i(x_i, 1) = 0$, for the samples in increasing order."
    )
    Z = ll.signed(column(x), np.array(y))
    inner = (x[2] - x[1]) / (x[2] - x[0])
    key = np.array([inner, 1, 1 - inner]) / 2
    by_package = ll.linear_program(column(x), y).certificate.dual
    why = (
        f"The middle sample ${x[1]}$ is a convex combination of ${x[0]}$ and ${x[2]}$, with the weights "
        f"${shown(inner)}$ and ${shown(1 - inner)}$."
    )
    return ask, key, why, [
        *((v, 0) for v in Z.T @ key), *zip(key, by_package / by_package.sum(), strict=True)
    ]  # fmt: skip


@problem(
    "01_certificates",
    steps=(
        (1, "The two convex combinations."),
        (1, "The distance of these two points."),
        (1, "Half of it."),
    ),
    turns=(
        Turn(
            2,
            "The distance is not halved.",
            lambda p, q, u, v: math.dist(np.dot(u, p), np.dot(v, q)),
        ),
        Turn(
            1,
            "The nearest pair of samples is used: that bound is true, but other weights prove it.",
            lambda p, q, u, v: min(math.dist(one, other) for one in p for other in q) / 2,
        ),
    ),
    a=dict(p=((5, 3), (1, 5)), q=((0, 0), (1, -1)), u=(0.5, 0.5), v=(1, 0)),
    b=dict(p=((5, 1), (3, 5)), q=((-1, 0), (1, 2)), u=(0.5, 0.5), v=(0.5, 0.5)),
)
def bound_on_the_margin(p, q, u, v):
    ask = (
        f"The positive samples ${point(p[0])}$ and ${point(p[1])}$ have the weights {u[0]:g} and "
        f"{u[1]:g}, the negative samples "
        f"${point(q[0])}$ and ${point(q[1])}$ the weights {v[0]:g} and {v[1]:g}. Which upper "
        f"bound on the geometric margin of every "
        "separating line do these weights prove?"
    )
    d = np.array(u) @ np.array(p) - np.array(v) @ np.array(q)
    key = float(np.linalg.norm(d)) / 2
    weights = np.array([*u, *v]) / key**2 / 2
    fit = ll.max_margin([*p, *q], [1, 1, -1, -1])
    found = ll.certificates.enclose_hard_margin(
        [*p, *q], [1, 1, -1, -1], primal=fit.plane.a, dual=weights
    )
    best = math.sqrt(1 / (2 * found.lower))
    why = (
        f"Half the distance of the two convex combinations ${vector(np.dot(u, p))}$ and "
        f"${vector(np.dot(v, q))}$."
    )
    return ask, key, why, [(key, best)]


# 3 The perceptron


@problem(
    "03_perceptron",
    steps=(
        (1, "The first update, to $a = z_1$, because a tie is a mistake."),
        (2, "The other updates, in the cyclic order."),
        (1, "The end, when every margin is positive, and the number of updates."),
    ),
    turns=(
        Turn(0, "A tie is not a mistake, so that it stops at $a = 0$.", lambda Z: (0, 0, 0)),
        Turn(
            2,
            "After an update it begins with $z_1$ again.",
            lambda Z: ended(perceptron_path(Z, restart=True)),
        ),
        Turn(
            3,
            "The passes through the samples are counted, also the last one.",
            lambda Z: (*perceptron_path(Z)[-1], len(list(rosenblatt(np.array(Z)))) // len(Z)),
        ),
    ),
    answer="$a = ({}, {})$; ${}$ updates",
    a=dict(Z=((4, -1), (-1, 1), (0, 1))),
    b=dict(Z=((-1, -2), (4, 1), (-1, -1))),
)
def perceptron_by_hand(Z):
    listed = ", ".join(f"$z_{k} = {point(z)}$" for k, z in enumerate(Z, 1))
    ask = (
        f"Run the perceptron on the signed samples {listed} from $a = 0$ in this cyclic order; a "
        f"tie is a mistake. At which $a$ does it "
        "stop, and after how many updates?"
    )
    fit = ll.perceptron(Z, [1] * len(Z), fit_intercept=False)
    *_, (_, _, last) = rosenblatt(np.array(Z, dtype=float))
    count = sum(added for _, added, _ in rosenblatt(np.array(Z, dtype=float)))
    key = (*fit.plane.w, len(fit.trace) - 1)
    return (
        ask,
        key,
        "Each update adds the sample that is a mistake: $a$ is "
        f"${', '.join(vector(a) for a in perceptron_path(Z))}$.",
        list(zip(key, (*last, count), strict=True)),
    )


@problem(
    "03_perceptron",
    steps=(
        (1, "The theorem: at most $(R/\\gamma)^2$ updates."),
        (1, "The number."),
    ),
    turns=(
        Turn(1, "The ratio is not squared.", lambda R, gamma: R / gamma),
        Turn(1, "Only $R$ is squared.", lambda R, gamma: R**2 / gamma),
    ),
    a=dict(R=10, gamma=0.5),
    b=dict(R=6, gamma=0.4),
)
def perceptron_bound(R, gamma):
    ask = (
        f"All signed samples have length at most ${R}$, and some unit vector has margin at least "
        f"${gamma}$ on each of them. How many updates "
        "does the perceptron make at most, from the start 0?"
    )
    return (
        ask,
        capacity.perceptron_bound(R, gamma),
        "$(R/\\gamma)^2$.",
        [(capacity.perceptron_bound(R, gamma), (R / gamma) ** 2)],
    )


# 4 Fisher's discriminant and LDA


@problem(
    "04_fisher",
    steps=(
        (1, "The equations $S_Ww = \\delta$, or the inverse of $S_W$."),
        (2, "Their solution $w^*$."),
        (1, "The largest ratio, $\\langle w^*, \\delta\\rangle$."),
    ),
    turns=(
        Turn(
            1,
            "The matrix is not inverted: $S_W\\delta$.",
            lambda S, delta: (*np.dot(S, delta), np.dot(delta, np.dot(S, delta))),
        ),
        Turn(
            3,
            "The inverse is not divided by the determinant: a right direction of a wrong length.",
            lambda S, delta: (
                np.linalg.det(S)
                * np.array([*np.linalg.solve(S, delta), np.dot(delta, np.linalg.solve(S, delta))])
            ),
        ),
    ),
    answer="$w^* = ({}, {})$; largest ratio: ${}$",
    a=dict(S=((2, 1), (1, 3)), delta=(3, -1)),
    b=dict(S=((4, -1), (-1, 1)), delta=(1, 2)),
)
def fisher_direction(S, delta):
    ask = (
        f"The within-class scatter matrix is $S_W = {matrix(S)}$, and the difference of the class "
        f"means is $\\delta = {point(delta)}$. "
        "Compute $w^* = S_W^{-1}\\delta$ and the largest value of Fisher's ratio $\\langle w, "
        "\\delta\\rangle^2/\\langle w, S_Ww\\rangle$."
    )
    S, delta = np.array(S, dtype=float), np.array(delta, dtype=float)
    w = np.linalg.solve(S, delta)
    largest = float(np.linalg.eigvals(np.linalg.inv(S) @ np.outer(delta, delta)).real.max())
    return (
        ask,
        (*w, w @ delta),
        f"The determinant of $S_W$ is ${np.linalg.det(S):g}$; the largest ratio is "
        "$\\langle\\delta, S_W^{-1}\\delta\\rangle$.",
        [(float(w @ delta), largest)],
    )


@problem(
    "04_threshold",
    steps=(
        (1, "Both densities, multiplied by the priors, are equal."),
        (1, "The midpoint of the means."),
        (2, "The shift by $-\\sigma^2\\ln(\\pi_+/\\pi_-)/(\\mu_+-\\mu_-)$, with its sign."),
    ),
    turns=(
        Turn(
            3,
            "The threshold moves in the wrong direction.",
            lambda low, high, var, prior: (
                (low + high) / 2 + var * math.log(prior / (1 - prior)) / (high - low)
            ),
        ),
        Turn(
            3,
            "The standard deviation stands in place of the variance.",
            lambda low, high, var, prior: (
                (low + high) / 2 - math.sqrt(var) * math.log(prior / (1 - prior)) / (high - low)
            ),
        ),
        Turn(
            1,
            "The priors are left out: the midpoint is given.",
            lambda low, high, var, prior: (low + high) / 2,
        ),
    ),
    a=dict(low=0, high=4, var=4, prior=0.2),
    b=dict(low=1, high=5, var=2, prior=0.75),
)
def lda_threshold(low, high, var, prior):
    ask = (
        f"Within the classes a feature is normally distributed with the common variance ${var}$ "
        f"and the means ${low}$ (negative) and "
        f"${high}$ (positive). The prior probability of the positive class is ${prior}$. Above "
        f"which value does LDA predict this class?"
    )
    key = (low + high) / 2 - var / (high - low) * math.log(prior / (1 - prior))
    sd = math.sqrt(var)
    same = prior * stats.norm.pdf(key, high, sd), (1 - prior) * stats.norm.pdf(key, low, sd)
    return (
        ask,
        key,
        "There both densities times their priors are equal, at $\\frac12(\\mu_++\\mu_-) - "
        "\\sigma^2\\ln(\\pi_+/\\pi_-)/(\\mu_+-\\mu_-)$: here "
        f"${(low + high) / 2:g} - ({shown((low + high) / 2 - key)})$.",
        [same],
    )


@problem(
    "04_threshold",
    steps=(
        (1, "The threshold half-way between the means."),
        (1, "Its distance from each mean, in standard deviations."),
        (1, "The probability beyond it, $\\Phi(-\\Delta/2)$."),
    ),
    turns=(
        Turn(
            2,
            "The distance is divided by the variance.",
            lambda distance, var: stats.norm.cdf(-distance / 2 / var),
        ),
        Turn(
            2,
            "The whole distance is used: $\\Phi(-\\Delta)$.",
            lambda distance, var: stats.norm.cdf(-distance / math.sqrt(var)),
        ),
        Turn(
            2,
            "The accuracy $\\Phi(\\Delta/2)$ is given.",
            lambda distance, var: stats.norm.cdf(distance / 2 / math.sqrt(var)),
        ),
    ),
    a=dict(distance=4, var=4),
    b=dict(distance=3, var=4),
)
def lda_error(distance, var):
    ask = (
        f"Two equally probable classes are normally distributed on a line with the variance "
        f"${var}$; their means are ${distance}$ apart. "
        "What is the error of the best classifier?"
    )
    half = distance / 2 / math.sqrt(var)
    overlap = optimize.minimize_scalar(
        lambda t: (stats.norm.sf(t, 0, math.sqrt(var)) + stats.norm.cdf(t, distance, math.sqrt(var))) / 2,
        bounds=(0, distance), method="bounded", options={"xatol": 1e-10},
    )  # fmt: skip
    return (
        ask,
        stats.norm.cdf(-half),
        f"$\\Phi(-\\Delta/2) = \\Phi(-{half:g})$ with the distance $\\Delta$ in standard deviations.",
        [(stats.norm.cdf(-half), overlap.fun)],
    )


# 5 Least squares


@problem(
    "05_regression",
    steps=(
        (1, "The means of $x$ and of $y$."),
        (1, "The slope $w$: covariance divided by variance."),
        (1, "The intercept $b$."),
        (1, "The threshold, where the score is 0."),
    ),
    turns=(
        Turn(
            1,
            "The line is fitted without an intercept.",
            lambda x, y: (np.dot(x, y) / np.dot(x, x), 0, 0),
        ),
        Turn(
            3,
            "The threshold is taken where the score is $\\frac12$.",
            lambda x, y: (
                *np.polyfit(x, y, 1),
                (0.5 - np.polyfit(x, y, 1)[1]) / np.polyfit(x, y, 1)[0],
            ),
        ),
    ),
    answer="$w = {}$; $b = {}$; threshold: ${}$",
    a=dict(x=(0, 1, 2, 5), y=(-1, -1, 1, 1)),
    b=dict(x=(-2, 0, 1, 5), y=(-1, 1, -1, 1)),
)
def least_squares_on_labels(x, y):
    ask = (
        f"Fit $wx + b$ by least squares to the labels of the samples {points(x, y)}. Compute $w$, "
        f"$b$ and the threshold on $x$."
    )
    fit = ll.least_squares(column(x), y)
    w, b = float(fit.plane.w[0]), fit.plane.b
    again = np.polyfit(x, y, 1)
    return (
        ask,
        (w, b, -b / w),
        f"The means are ${shown(np.mean(x))}$ and ${shown(np.mean(y))}$; $w$ is the covariance "
        f"${shown(w * np.var(x))}$ divided by the variance ${shown(np.var(x))}$.",
        [bounds(fit), *zip((w, b), again, strict=True)],
    )


@problem(
    "05_regression",
    steps=(
        (1, "The derivative in $w$ is 0."),
        (1, "The sums $\\sum_ix_iy_i$ and $\\sum_ix_i^2$."),
        (1, "The weight $w$, with $\\lambda$ in the denominator."),
    ),
    turns=(
        Turn(
            2,
            "The penalty is left out: the least-squares weight.",
            lambda x, y, lam: np.dot(x, y) / np.dot(x, x),
        ),
        Turn(
            2,
            "The denominator has $2\\lambda$: one of the derivatives lacks its factor 2.",
            lambda x, y, lam: np.dot(x, y) / (np.dot(x, x) + 2 * lam),
        ),
    ),
    a=dict(x=(1, 2, 2), y=(1, 1, -1), lam=3),
    b=dict(x=(1, -1, 3), y=(1, -1, 1), lam=5),
)
def ridge_by_hand(x, y, lam):
    pairs = ", ".join(f"$({u}, {v:+d})$" for u, v in zip(x, y, strict=True))
    ask = (
        f"For the pairs $(x_i, y_i)$ = {pairs}: which $w$ minimises $\\sum_i(wx_i - y_i)^2 + "
        f"{lam}w^2$? There is no intercept."
    )
    key = float(np.dot(x, y) / (np.dot(x, x) + lam))
    [again], *_ = np.linalg.lstsq(column([*x, math.sqrt(lam)]), np.array([*y, 0.0]), rcond=None)
    why = f"$\\sum_ix_iy_i/(\\sum_ix_i^2+\\lambda) = {np.dot(x, y):g}/({np.dot(x, x):g}+{lam:g})$."
    return ask, key, why, [(key, float(again))]


@problem(
    "05_gradient",
    steps=(
        (1, "Both eigenvalues of $H$."),
        (1, "The limit $2/\\lambda_{\\max}$."),
        (1, "The ratio of the eigenvalues."),
    ),
    turns=(
        Turn(
            2,
            "The limit is given as $1/\\lambda_{\\max}$.",
            lambda H: (
                1 / np.linalg.eigvalsh(H)[1],
                np.linalg.eigvalsh(H)[1] / np.linalg.eigvalsh(H)[0],
            ),
        ),
        Turn(
            2,
            "The limit is given as $2/\\lambda_{\\min}$.",
            lambda H: (
                2 / np.linalg.eigvalsh(H)[0],
                np.linalg.eigvalsh(H)[1] / np.linalg.eigvalsh(H)[0],
            ),
        ),
        Turn(
            1,
            "Trace and determinant are used as if they were the eigenvalues.",
            lambda H: (
                2 / max(np.trace(H), np.linalg.det(H)),
                max(np.trace(H), np.linalg.det(H)) / min(np.trace(H), np.linalg.det(H)),
            ),
        ),
    ),
    answer="step size: ${}$; condition number: ${}$",
    a=dict(H=((3, 1), (1, 3))),
    b=dict(H=((5, 2), (2, 2))),
)
def step_sizes(H):
    ask = (
        f"Gradient descent minimises $\\frac12\\langle a, Ha\\rangle$ with $H = {matrix(H)}$. "
        f"Below which step size does it converge from every start, "
        "and what is the condition number of $H$?"
    )
    low, high = np.linalg.eigvalsh(np.array(H, dtype=float))
    trace, det = H[0][0] + H[1][1], H[0][0] * H[1][1] - H[0][1] ** 2
    return (
        ask,
        (2 / high, high / low),
        "$2/\\lambda_{\\max}$, and $\\lambda_{\\max}/\\lambda_{\\min}$, with the eigenvalues "
        f"${low:g}$ and ${high:g}$.",
        [(low + high, trace), (low * high, det)],
    )


@problem(
    "05_gradient",
    steps=(
        (1, "The margin, which is below 1."),
        (1, "The gradient $-yx$."),
        (1, "The step against it."),
    ),
    turns=(
        Turn(
            2,
            "The step goes along the gradient.",
            lambda w, x, y, rate: np.array(w) - rate * y * np.array(x),
        ),
        Turn(
            0,
            "The label is left out of the margin, so that no step is made.",
            lambda w, x, y, rate: np.array(w) + rate * y * np.array(x) * (np.dot(w, x) < 1),
        ),
    ),
    answer="$w = ({}, {})$",
    a=dict(w=(1, -1), x=(2, 1), y=-1, rate=0.5),
    b=dict(w=(0, 1), x=(1, 3), y=-1, rate=0.2),
)
def stochastic_step(w, x, y, rate):
    ask = (
        f"Stochastic gradient descent on the hinge loss $\\max(0, 1 - y\\langle w, x\\rangle)$ is "
        f"at $w = {point(w)}$ and draws the sample "
        f"$x = {point(x)}$ with the label ${y:+d}$. Where is it after a step of size ${rate}$?"
    )
    loss = lambda v: float(losses.HINGE.value(np.array([y * np.dot(v, x)]))[0])  # noqa: E731
    key = np.array(w) + rate * y * np.array(x) * (y * np.dot(w, x) < 1)
    numeric = optimize.approx_fprime(np.array(w, dtype=float), loss, 1e-7)
    why = f"The margin ${y * np.dot(w, x):g}$ is below 1, so the gradient is $-yx$."
    return ask, key, why, [
        (round(k, 5), round(float(v), 5)) for k, v in zip(key, np.array(w) - rate * numeric, strict=True)
    ]  # fmt: skip


# 6 Logistic regression


@problem(
    "06_logistic",
    steps=(
        (1, "The odds in both groups."),
        (1, "The intercept, the log-odds where $x = 0$."),
        (1, "The coefficient, the difference of the log-odds."),
    ),
    turns=(
        Turn(
            2,
            "The log-odds where $x = 1$ are given as $w$.",
            lambda table: [math.log(yes / no) for no, yes in reversed(table)],
        ),
        Turn(
            1,
            "Proportions are used in place of odds.",
            lambda table: (
                math.log(table[1][1] / sum(table[1])) - math.log(table[0][1] / sum(table[0])),
                math.log(table[0][1] / sum(table[0])),
            ),
        ),
        Turn(
            2,
            "The odds are those of the label $-1$.",
            lambda table: (
                math.log(table[1][0] / table[1][1]) - math.log(table[0][0] / table[0][1]),
                math.log(table[0][0] / table[0][1]),
            ),
        ),
    ),
    answer="$w = {}$; $b = {}$",
    a=dict(table=((6, 2), (3, 9))),
    b=dict(table=((8, 4), (2, 10))),
)
def logistic_with_one_binary_feature(table):
    (no0, yes0), (no1, yes1) = table
    ask = (
        f"${no0}$ negative and ${yes0}$ positive samples have $x = 0$; ${no1}$ negative and ${yes1}$ "
        "positive samples have $x = 1$. Which "
        "$w$ and $b$ maximise the likelihood of $P(+\\mid x) = \\sigma(wx + b)$?"
    )
    X = column([0] * (no0 + yes0) + [1] * (no1 + yes1))
    y = [-1] * no0 + [1] * yes0 + [-1] * no1 + [1] * yes1
    fit = ll.logistic(X, y)
    b = math.log(yes0 / no0)
    w = math.log(yes1 / no1) - b
    return (
        ask,
        (w, b),
        f"The log-odds of both groups are $b = \\ln({yes0}/{no0})$ and $w + b = \\ln({yes1}/{no1})$.",
        [bounds(fit), (w, fit.plane.w[0]), (b, fit.plane.b)],
    )


@problem(
    "06_logistic",
    steps=(
        (1, "The first derivative of one loss, $-yx\\,\\sigma(-ywx)$."),
        (1, "The second one, $x^2\\sigma(wx)\\,(1 - \\sigma(wx))$."),
        (1, "Both sums at $w = 0$."),
        (1, "The step to $-g/h$."),
    ),
    turns=(
        Turn(
            3,
            "The step goes to $+g/h$.",
            lambda x, y: (*derivatives(x, y), derivatives(x, y)[0] / derivatives(x, y)[1]),
        ),
        Turn(
            3,
            "Both derivatives are those of the mean loss; the step is right.",
            lambda x, y: (
                *np.divide(derivatives(x, y), len(x)),
                -derivatives(x, y)[0] / derivatives(x, y)[1],
            ),
        ),
        Turn(
            3,
            "A gradient step $-g$ is made.",
            lambda x, y: (*derivatives(x, y), -derivatives(x, y)[0]),
        ),
    ),
    answer="derivatives: ${}$ and ${}$; the step leads to $w = {}$",
    a=dict(x=(1, 2, -1), y=(1, 1, -1)),
    b=dict(x=(1, 3, 2), y=(-1, 1, 1)),
)
def newton_step(x, y):
    pairs = ", ".join(f"$({u}, {v:+d})$" for u, v in zip(x, y, strict=True))
    ask = (
        f"For the pairs $(x_i, y_i)$ = {pairs} and the model $\\sigma(wx)$ compute the first and "
        f"the second derivative of the sum of the "
        "logistic losses at $w = 0$, and where one Newton step from 0 leads."
    )
    m = np.zeros(len(x))
    g = float(
        sum(y_i * x_i * s for x_i, y_i, s in zip(x, y, losses.LOGISTIC.slope(m), strict=True))
    )
    h = float(sum(x_i**2 * c for x_i, c in zip(x, losses.LOGISTIC.curvature(m), strict=True)))
    total = lambda w: sum(math.log1p(math.exp(-v * u * w)) for u, v in zip(x, y, strict=True))  # noqa: E731
    e = 1e-3
    proof = [
        (round(g, 5), round((total(e) - total(-e)) / (2 * e), 5)),
        (round(h, 4), round((total(e) - 2 * total(0) + total(-e)) / e**2, 4)),
    ]
    return ask, (g, h, -g / h), "$-\\frac12\\sum_iy_ix_i$ and $\\frac14\\sum_ix_i^2$.", proof


@problem(
    "06_logistic",
    steps=(
        (1, "The score $b + wx$."),
        (1, "The logistic function of it."),
    ),
    turns=(
        Turn(1, "The odds $e^{b+wx}$ are given.", lambda b, w, x: math.exp(b + w * x)),
        Turn(
            1,
            "The probability of the label 0 is given.",
            lambda b, w, x: 1 / (1 + math.exp(b + w * x)),
        ),
    ),
    a=dict(b=-3, w=0.5, x=4),
    b=dict(b=1, w=-0.8, x=3),
)
def predicted_probability(b, w, x):
    ask = (
        f"A logistic regression with labels 0 and 1 has the intercept ${b}$ and the coefficient "
        f"${w}$. How probable is the label 1 at $x = {x}$?"
    )
    key = float(special.expit(b + w * x))
    return (
        ask,
        key,
        f"$1/(1+e^{{-(b+wx)}})$ with $b + wx = {b + w * x:g}$.",
        [(math.log(key / (1 - key)), b + w * x)],
    )


@problem(
    "06_overfitting",
    steps=(
        (
            1,
            "What is minimised in both cases, divided so that the losses have the same factor.",
        ),
        (1, "The number $1/(nC)$."),
    ),
    turns=(
        Turn(1, "The number of samples is left out: $1/C$.", lambda n, C: 1 / C),
        Turn(0, "A larger $C$ is thought to regularise more: $C/n$.", lambda n, C: C / n),
    ),
    a=dict(n=250, C=0.2),
    b=dict(n=80, C=5),
)
def strength_from_C(n, C):
    ask = (
        f"`LogisticRegression(C={C})` is fitted to ${n}$ samples. Which $\\lambda$ gives the same "
        f"minimiser in the mean loss plus "
        "$\\frac\\lambda2\\lVert w\\rVert^2$?"
    )
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n, 2)), np.resize([1, -1], n)
    key = 1 / (n * C)
    ours = ll.logistic(X, y, lam=key).plane.w
    theirs = LogisticRegression(C=C, tol=1e-10).fit(X, y).coef_[0]
    return (
        ask,
        key,
        "$\\lambda = 1/(nC)$.",
        [(round(u, 5), round(v, 5)) for u, v in zip(ours, theirs, strict=True)],
    )


@problem(
    "06_overfitting",
    steps=(
        (1, "The lasso: the derivative has $\\lambda$ times the sign of $w$."),
        (1, "Its weight, moved towards 0 by $\\lambda$."),
        (1, "The ridge weight $z/(1+\\lambda)$."),
    ),
    turns=(
        Turn(
            1,
            "Lasso and ridge are exchanged.",
            lambda z, lam: (z / (1 + lam), z - math.copysign(lam, z)),
        ),
        Turn(
            2,
            "The lasso moves the weight away from 0.",
            lambda z, lam: (z + math.copysign(lam, z), z / (1 + lam)),
        ),
    ),
    answer="lasso: ${}$; ridge: ${}$",
    a=dict(z=5, lam=2),
    b=dict(z=-4, lam=1),
)
def shrinkage(z, lam):
    ask = (
        f"With orthonormal columns each weight is found by itself. The least-squares weight is "
        f"${z}$. Which weight minimises "
        f"$\\frac12(w {-z:+g})^2 + {lam}\\lvert w\\rvert$ (lasso), and which "
        f"$\\frac12(w {-z:+g})^2 + \\frac{{{lam}}}2w^2$ (ridge)?"
    )
    lasso, ridge = math.copysign(max(abs(z) - lam, 0), z), z / (1 + lam)
    one = optimize.minimize_scalar(
        lambda w: (w - z) ** 2 / 2 + lam * abs(w), bounds=(-9, 9), method="bounded"
    ).x
    two = optimize.minimize_scalar(lambda w: (w - z) ** 2 / 2 + lam * w**2 / 2).x
    return (
        ask,
        (lasso, ridge),
        "Soft thresholding; division by $1+\\lambda$.",
        [(round(one, 4), round(lasso, 4)), (round(two, 6), round(ridge, 6))],
    )


@problem(
    "06_overfitting",
    steps=(
        (1, "The smallest mean error plus one standard error."),
        (1, "The largest $\\lambda$ whose error is at most that."),
    ),
    turns=(
        Turn(
            0,
            "The $\\lambda$ of the smallest error is given.",
            lambda lams, means, se: lams[means.index(min(means))],
        ),
        Turn(
            1,
            "The smallest $\\lambda$ within one standard error is given.",
            lambda lams, means, se: next(
                lam for lam, mean in zip(lams, means, strict=True) if mean <= min(means) + se
            ),
        ),
    ),
    a=dict(lams=(0.01, 0.1, 1, 10), means=(0.19, 0.18, 0.19, 0.26), se=0.015),
    b=dict(lams=(0.01, 0.03, 0.1, 0.3), means=(0.3, 0.23, 0.22, 0.235), se=0.02),
)
def one_standard_error_rule(lams, means, se):
    rows = "; ".join(f"$\\lambda = {lam}$: ${mean}$" for lam, mean in zip(lams, means, strict=True))
    ask = (
        f"Cross-validation gives the mean errors {rows}. Each has the standard error ${se}$. "
        f"Which $\\lambda$ does the one-standard-error rule choose?"
    )
    near = [lam for lam, mean in zip(lams, means, strict=True) if mean <= min(means) + se]
    again = next(
        lam for lam, mean in zip(lams[::-1], means[::-1], strict=True) if mean - min(means) <= se
    )
    return (
        ask,
        max(near),
        f"The largest $\\lambda$ whose error is at most ${min(means):g} + {se:g}$, one standard error "
        "above the smallest.",
        [(max(near), again)],
    )


@problem(
    "06_overfitting",
    steps=(
        (1, "The squared bias $((c-1)\\mu)^2$."),
        (1, "The variance $c^2\\sigma^2/n$."),
        (1, "Their sum."),
    ),
    turns=(
        Turn(
            2,
            "The bias is not squared.",
            lambda mean, var, n, c: with_sum((c - 1) * mean, c**2 * var / n),
        ),
        Turn(
            2,
            "The variance is $c\\,\\sigma^2/n$: the factor is not squared.",
            lambda mean, var, n, c: with_sum(((c - 1) * mean) ** 2, c * var / n),
        ),
        Turn(
            2,
            "The variance is that of one sample.",
            lambda mean, var, n, c: with_sum(((c - 1) * mean) ** 2, c**2 * var),
        ),
    ),
    answer="squared bias: ${}$; variance: ${}$; expected squared error: ${}$",
    a=dict(mean=2, var=9, n=9, c=0.8),
    b=dict(mean=3, var=16, n=4, c=0.5),
)
def bias_and_variance(mean, var, n, c):
    ask = (
        f"The mean ${mean}$ of a distribution with the variance ${var}$ is estimated by ${c}\\bar "
        f"x$, from ${n}$ independent samples. Compute the squared bias, "
        "the variance and the expected squared error of this estimate."
    )
    bias, variance = ((c - 1) * mean) ** 2, c**2 * var / n
    two = [
        (mean + s * math.sqrt(var / n)) * c for s in (1, -1)
    ]  # a distribution with these two moments
    return (
        ask,
        (bias, variance, bias + variance),
        "The error is the sum of the two.",
        [(bias + variance, sum((v - mean) ** 2 for v in two) / 2)],
    )


@problem(
    "06_inference",
    steps=(
        (1, "The odds ratio $e^w$."),
        (1, "The interval $w\\pm1.96\\,\\mathrm{se}$ of the coefficient."),
        (1, "The exponentials of its ends."),
    ),
    turns=(
        Turn(
            1,
            "The interval is built around the odds ratio.",
            lambda w, se: (math.exp(w), math.exp(w) - 1.96 * se, math.exp(w) + 1.96 * se),
        ),
        Turn(
            2,
            "1.645 is used in place of 1.96.",
            lambda w, se: np.exp([w, w - 1.645 * se, w + 1.645 * se]),
        ),
        Turn(
            2,
            "The ends are not exponentiated.",
            lambda w, se: (math.exp(w), w - 1.96 * se, w + 1.96 * se),
        ),
    ),
    answer="odds ratio: ${}$; interval: from ${}$ to ${}$",
    a=dict(w=0.9, se=0.25),
    b=dict(w=-0.6, se=0.4),
)
def wald_interval(w, se):
    ask = (
        f"A coefficient of a logistic regression is estimated as ${w}$ with the standard error "
        f"${se}$. Give the odds ratio and the two ends of its 95 % "
        "Wald interval."
    )
    key = np.exp([w, w - 1.959964 * se, w + 1.959964 * se])
    again = np.exp(stats.norm.interval(0.95, w, se))
    return (
        ask,
        key,
        "Exponentiate the coefficient and the ends $w\\pm1.96\\,\\mathrm{se}$, which are "
        f"${w - 1.96 * se:.3f}$ and ${w + 1.96 * se:.3f}$.",
        list(zip(key[1:].round(5), again.round(5), strict=True)),
    )


@problem(
    "06_inference",
    steps=(
        (1, "The odds ratio."),
        (1, "Its logarithm."),
        (1, "The root of the sum of the four reciprocals."),
    ),
    turns=(
        Turn(
            2,
            "The ratio is inverted.",
            lambda table: (-log_odds_ratio(table), math.sqrt(reciprocals(table))),
        ),
        Turn(
            2,
            "The root is not taken.",
            lambda table: (log_odds_ratio(table), reciprocals(table)),
        ),
        Turn(
            1,
            "Proportions are used in place of odds.",
            lambda table: (
                math.log(table[1][1] / sum(table[1])) - math.log(table[0][1] / sum(table[0])),
                math.sqrt(reciprocals(table)),
            ),
        ),
    ),
    answer="log odds ratio: ${}$; standard error: ${}$",
    a=dict(table=((10, 5), (4, 8))),
    b=dict(table=((12, 6), (3, 4))),
)
def standard_error_of_a_log_odds_ratio(table):
    (no0, yes0), (no1, yes1) = table
    ask = (
        f"Of those not exposed, ${no0}$ are healthy and ${yes0}$ are ill; of those exposed, ${no1}$ are "
        f"healthy and ${yes1}$ are ill. Compute the log odds ratio and its standard error."
    )
    cells = np.array([no0, yes0, no1, yes1])
    ratio, error = math.log(yes1 * no0 / (no1 * yes0)), math.sqrt((1 / cells).sum())
    X = np.array([[0, 1]] * (no0 + yes0) + [[1, 1]] * (no1 + yes1), dtype=float)
    p = np.where(X[:, 0] == 0, yes0 / (no0 + yes0), yes1 / (no1 + yes1))
    information = (X * (p * (1 - p))[:, None]).T @ X
    return (
        ask,
        (ratio, error),
        f"The logarithm of the odds ratio ${shown(math.exp(ratio))}$; the root of the sum of the "
        f"reciprocals of the four counts, ${shown(reciprocals(table))}$.",
        [(error**2, np.linalg.inv(information)[0, 0])],
    )


# 7 Surrogate losses


@problem(
    "07_losses",
    steps=(
        (1, "The hinge loss."),
        (1, "The squared hinge loss."),
        (1, "The logistic loss."),
    ),
    turns=(
        Turn(
            2,
            "The hinge is taken at 0: $\\max(0, -m)$.",
            lambda m: (max(0, -m), max(0, -m) ** 2, math.log1p(math.exp(-m))),
        ),
        Turn(
            2,
            "The squared hinge loss is given without the square.",
            lambda m: (max(0, 1 - m), max(0, 1 - m), math.log1p(math.exp(-m))),
        ),
        Turn(
            2,
            "The logarithm has the base 2.",
            lambda m: (max(0, 1 - m), max(0, 1 - m) ** 2, math.log2(1 + math.exp(-m))),
        ),
    ),
    answer="hinge: ${}$; squared hinge: ${}$; logistic: ${}$",
    a=dict(m=-1),
    b=dict(m=0.5),
)
def losses_at_a_margin(m):
    ask = (
        f"Compute the hinge loss, the squared hinge loss and the logistic loss "
        f"$\\ln(1+e^{{-m}})$ at the margin $m = {m}$."
    )
    at = np.array([float(m)])
    key = [
        float(loss.value(at)[0]) for loss in (losses.HINGE, losses.SQUARED_HINGE, losses.LOGISTIC)
    ]
    again = (max(0, 1 - m), max(0, 1 - m) ** 2, math.log(1 + math.exp(-m)))
    return ask, key, "$1-m$, its square, and the logarithm.", list(zip(key, again, strict=True))


@problem(
    "07_losses",
    steps=(
        (1, "The conditional risk $p\\,\\varphi(m) + (1-p)\\,\\varphi(-m)$."),
        (1, "The minimiser for the squared loss, $2p-1$."),
        (1, "The minimiser for the logistic loss, the log-odds."),
    ),
    turns=(
        Turn(
            2,
            "The squared loss is minimised for the labels 0 and 1, by $p$.",
            lambda p: (p, math.log(p / (1 - p))),
        ),
        Turn(
            1,
            "For both losses only the sign of the better label is given.",
            lambda p: (np.sign(p - 0.5),) * 2,
        ),
    ),
    answer="squared loss: ${}$; logistic loss: ${}$",
    a=dict(p=0.8),
    b=dict(p=0.3),
)
def minimisers_of_the_conditional_risk(p):
    ask = (
        f"At some $x$ the label is $+1$ with probability ${p}$. Which score minimises the "
        f"conditional risk of the squared loss "
        "$(1 - m)^2$, and which that of the logistic loss?"
    )
    key = (2 * p - 1, math.log(p / (1 - p)))
    found = []
    for loss in (losses.SQUARED, losses.LOGISTIC):
        value = lambda s, loss=loss: float(np.array([p, 1 - p]) @ loss.value(np.array([s, -s])))  # noqa: E731
        found.append(optimize.minimize_scalar(value, bracket=(-1, 1)).x)
    return (
        ask,
        key,
        "The mean label, and the log-odds.",
        [(round(k, 5), round(v, 5)) for k, v in zip(key, found, strict=True)],
    )


# 8 Linear programming


@problem(
    "08_linear_program",
    steps=(
        (2, "A classifier, its slacks and their sum."),
        (2, "A proof that no sum is smaller: dual variables, or constraints that are added up."),
    ),
    turns=(
        Turn(1, "The sum of the slacks of another classifier, without a proof."),
        Turn(2, "The right sum without a proof."),
        Turn(
            0,
            "The number of misclassified samples is given.",
            lambda x, y: np.sum(
                ll.margins(ll.linear_program(column(x), y).plane, column(x), y) <= 0
            ),
        ),
    ),
    a=dict(x=(0, 2, 1, 3), y=(-1, -1, 1, 1)),
    b=dict(x=(0, 3, 1, 4), y=(-1, -1, 1, 1)),
)
def least_total_slack(x, y):
    ask = (
        f"The samples {points(x, y)} are to satisfy $y_i(wx_i + b) \\ge 1 - \\xi_i$ with "
        f"$\\xi_i \\ge 0$. What is the smallest possible sum of the slacks? Prove that none is smaller."
    )
    fit = ll.linear_program(column(x), y)
    total = round(len(x) * fit.certificate.upper, 9)
    slacks = losses.HINGE.value(ll.margins(fit.plane, column(x), y))
    alpha = len(x) * fit.certificate.dual
    balanced = [(float((alpha * y) @ values), 0.0) for values in (np.ones(len(x)), np.array(x))]
    return (
        ask,
        total,
        f"The classifier $w = {shown(fit.plane.w[0])}$, $b = {shown(fit.plane.b)}$ has the slacks "
        f"${vector(slacks)}$. For every other one, add up the constraints with the dual variables "
        f"$\\alpha = {vector(alpha)}$, in the order of $x = {', '.join(map(str, x))}$. They are between "
        "0 and 1, and $\\sum_i\\alpha_iy_i = \\sum_i\\alpha_iy_ix_i = 0$, so $\\sum_i\\xi_i \\ge "
        "\\sum_i\\alpha_i\\xi_i \\ge \\sum_i\\alpha_i(1 - y_i(wx_i + b)) = \\sum_i\\alpha_i "
        f"= {shown(alpha.sum())}$.",
        [bounds(fit), (total, float(slacks.sum())), (total, float(alpha.sum())), *balanced],
    )


@problem(
    "08_linear_program",
    steps=(
        (1, "The four margins."),
        (1, "The slacks and their sum."),
        (1, "The number of negative margins."),
    ),
    turns=(
        Turn(
            2,
            "Only misclassified samples get a slack.",
            lambda w, b, x, y: (
                sum(1 - m for m in line_margins(w, b, x, y) if m <= 0),
                sum(line_margins(w, b, x, y) <= 0),
            ),
        ),
        Turn(
            2,
            "Every sample with a slack is counted as misclassified.",
            lambda w, b, x, y: (
                sum(1 - m for m in line_margins(w, b, x, y) if m < 1),
                sum(line_margins(w, b, x, y) < 1),
            ),
        ),
    ),
    answer="total slack: ${}$; misclassified: ${}$",
    a=dict(w=1, b=-2, x=(1.5, 3, 2.5, 5), y=(-1, -1, 1, 1)),
    b=dict(w=0.5, b=-1, x=(0, 3, 4, 1), y=(-1, 1, -1, 1)),
)
def slack_of_a_classifier(w, b, x, y):
    ask = (
        f"The score is $wx + b$ with $w = {w}$ and $b = {b}$, and the samples are {points(x, y)}. "
        f"How large is the total slack $\\sum_i\\max(0, 1 - m_i)$, and how many samples are "
        "misclassified?"
    )
    m = ll.margins(ll.Hyperplane([w], b), column(x), y)
    total, wrong = float(losses.HINGE.value(m).sum()), float((m <= 0).sum())
    again = sum(max(0, 1 - label * (w * u + b)) for u, label in zip(x, y, strict=True))
    return (
        ask,
        (total, wrong),
        f"The margins are ${vector(m)}$. A sample on the correct side, too, has a slack if its margin is "
        "below 1.",
        [(total, again)],
    )


# 9 Support vector machines


@problem(
    "09_svm",
    steps=(
        (1, "The nearest points of the two convex hulls."),
        (1, "The direction of $w$: their difference."),
        (1, "The canonical scale, margin 1 at the support vectors, and $b$."),
        (1, "The margin $1/\\lVert w\\rVert$."),
    ),
    turns=(
        Turn(3, "The right line, not in canonical form."),
        Turn(
            3,
            "The margin width $2/\\lVert w\\rVert$ is given.",
            lambda X, y: (
                *ll.max_margin(X, y).plane.a,
                2 / np.linalg.norm(ll.max_margin(X, y).plane.w),
            ),
        ),
        Turn(
            1,
            "The line bisects the segment between the nearest samples.",
            bisector_of_nearest_samples,
        ),
    ),
    answer="$w = ({}, {})$; $b = {}$; margin: ${}$",
    a=dict(X=((3, 1), (1, 3), (0, 0)), y=(1, 1, -1)),
    b=dict(X=((2, 2), (5, 2), (0, 1), (-1, 4)), y=(1, 1, -1, -1)),
)
def hard_margin(X, y):
    ask = (
        f"Find the maximum-margin classifier of the samples {points(X, y)}, in canonical form: "
        f"$w_1$, $w_2$, $b$; and its margin $1/\\lVert w\\rVert$."
    )
    fit = ll.max_margin(X, y)
    key = (*fit.plane.a, 1 / float(np.linalg.norm(fit.plane.w)))
    m = ll.margins(fit.plane, np.array(X, dtype=float), y)
    alpha, labels, samples = fit.certificate.dual, np.array(y), np.array(X, dtype=float)
    nearest = [
        alpha[labels == s] @ samples[labels == s] / alpha[labels == s].sum() for s in (1, -1)
    ]
    return (
        ask,
        np.round(key, 9),
        "It bisects the shortest segment between the convex hulls, from "
        f"${vector(nearest[0])}$ to ${vector(nearest[1])}$.",
        [bounds(fit), (round(float(m.min()), 7), 1.0)],
    )


@problem(
    "09_svm",
    steps=(
        (1, "$w = \\alpha(x_+-x_-)$."),
        (1, "The score rises by 2: $\\alpha = 2/\\lVert x_+-x_-\\rVert^2$."),
        (1, "The margin, half the distance."),
    ),
    turns=(
        Turn(
            2,
            "The score rises by 1: half of the right $\\alpha$.",
            lambda p, q: (1 / math.dist(p, q) ** 2, math.dist(p, q) / 2),
        ),
        Turn(
            2,
            "The whole distance is given as the margin.",
            lambda p, q: (2 / math.dist(p, q) ** 2, math.dist(p, q)),
        ),
    ),
    answer="$\\alpha = {}$; margin: ${}$",
    a=dict(p=(3, 3), q=(1, -1)),
    b=dict(p=(0, 4), q=(-2, 3)),
)
def two_support_vectors(p, q):
    ask = (
        f"The only support vectors of a hard-margin SVM are ${point(p)}$ (positive) and "
        f"${point(q)}$ (negative). Compute their dual variable $\\alpha$, which "
        "is the same for both, and the margin."
    )
    distance = math.dist(p, q)
    fit = ll.max_margin([p, q], [1, -1])
    key = (2 / distance**2, distance / 2)
    return (
        ask,
        key,
        f"$w = \\alpha(x_+ - x_-)$, and the score rises by 2 between them; their squared distance is "
        f"${distance**2:g}$.",
        [bounds(fit), (key[0], float(fit.certificate.dual[0]))],
    )


@problem(
    "09_soft",
    steps=(
        (2, "The slope $w$, with the labels as signs."),
        (1, "The sum of the dual variables."),
        (1, "Half the square of the slope is subtracted."),
    ),
    turns=(
        Turn(
            2,
            "The labels are left out of the slope.",
            lambda x, y, C: (C * sum(x), C * len(x) - (C * sum(x)) ** 2 / 2),
        ),
        Turn(
            3,
            "The square is not halved.",
            lambda x, y, C: (C * np.dot(x, y), C * len(x) - (C * np.dot(x, y)) ** 2),
        ),
        Turn(
            3,
            "The square is added.",
            lambda x, y, C: (C * np.dot(x, y), C * len(x) + (C * np.dot(x, y)) ** 2 / 2),
        ),
    ),
    answer="$w = {}$; dual objective: ${}$",
    a=dict(x=(0, 3, 2, 5), y=(-1, -1, 1, 1), C=0.25),
    b=dict(x=(0, 4, 2, 6), y=(-1, -1, 1, 1), C=0.1),
)
def soft_margin_bounds(x, y, C):
    ask = (
        f"Consider the soft margin with $C = {C}$ on the samples {points(x, y)}. Setting every dual "
        f"variable to $C$ is dual feasible. Compute the slope "
        "$w = \\sum_i\\alpha_iy_ix_i$ and the value of the dual objective."
    )
    alpha, labels = np.full(len(x), C), np.array(y)
    w = float((alpha * labels) @ np.array(x))
    value = float(alpha.sum() - w**2 / 2)
    fit = ll.svm(column(x), y, C=C)
    found = ll.certificates.enclose_soft_margin(column(x), y, primal=fit.plane.a, dual=alpha, C=C)
    return (
        ask,
        (w, value),
        f"$\\sum_i\\alpha_i-\\frac12w^2 = {alpha.sum():g} - \\frac12\\cdot{shown(w**2)}$, a lower bound on "
        "the primal objective.",
        [(value, found.lower)],
    )


@problem(
    "09_soft",
    steps=(
        (1, "The samples with a margin above 1."),
        (1, "The samples with a margin below 1."),
        (1, "The sum of their slacks."),
    ),
    turns=(
        Turn(
            2,
            "Samples with margin 1 are counted among those with $\\alpha_i = 0$.",
            lambda m, C: (
                sum(v >= 1 for v in m),
                sum(v < 1 for v in m),
                sum(max(0, 1 - v) for v in m),
            ),
        ),
        Turn(
            1,
            "Only misclassified samples have $\\alpha_i = C$ and a slack.",
            lambda m, C: (
                sum(v > 1 for v in m),
                sum(v < 0 for v in m),
                sum(1 - v for v in m if v < 0),
            ),
        ),
    ),
    answer="$\\alpha_i = 0$: ${}$; $\\alpha_i = C$: ${}$; sum of the slacks: ${}$",
    a=dict(m=(1.7, 1, 0.4, -0.3, 2.2, 1), C=2),
    b=dict(m=(1, 0.9, 1.2, 3, -1, 0.1, 1.4), C=0.5),
)
def kkt_conditions(m, C):
    ask = (
        f"At the optimum of a soft-margin SVM with $C = {C}$ the margins are "
        f"${', '.join(map(str, m))}$. For how many samples do the KKT conditions imply "
        "$\\alpha_i = 0$, and for how many $\\alpha_i = C$? What is the sum of all slacks?"
    )
    slack = sum(max(0, 1 - v) for v in m)
    key = (sum(v > 1 for v in m), sum(v < 1 for v in m), slack)
    again = float(losses.HINGE.value(np.array(m)).sum())
    slopes = -losses.HINGE.slope(np.array([v for v in m if v != 1]))
    return (
        ask,
        key,
        "Where the margin is above 1, $\\alpha_i = 0$; below 1, $C$; at 1, anything between.",
        [(slack, again), (key[1], float(slopes.sum()))],
    )


# 10 Comparing methods


@problem(
    "10_prediction",
    steps=(
        (1, "The fits of one inner search: inner folds times values."),
        (1, "One refit is added, and the sum is multiplied by the outer folds."),
    ),
    turns=(
        Turn(1, "The refits are left out.", lambda outer, inner, grid: outer * inner * grid),
        Turn(
            0,
            "Inner and outer folds are added.",
            lambda outer, inner, grid: (outer + inner) * grid,
        ),
    ),
    a=dict(outer=5, inner=10, grid=7),
    b=dict(outer=10, inner=5, grid=12),
)
def fits_of_nested_cross_validation(outer, inner, grid):
    ask = (
        f"Nested cross-validation has ${outer}$ outer and ${inner}$ inner folds, and a grid of "
        f"${grid}$ values; the inner search refits the best value on its "
        "whole training set. How many models are fitted?"
    )
    count = sum(1 for _ in range(outer) for _ in [*product(range(inner), range(grid)), "refit"])
    return (
        ask,
        outer * (inner * grid + 1),
        "In each outer fold: folds times values, and the refit.",
        [(count, outer * (inner * grid + 1))],
    )


@problem(
    "10_prediction",
    steps=(
        (1, "Only the discordant samples count; each is a coin with probability $\\frac12$."),
        (1, "The probability of so few or fewer."),
        (1, "Twice that."),
    ),
    turns=(
        Turn(
            2,
            "One side only.",
            lambda first, second: stats.binom.cdf(min(first, second), first + second, 0.5),
        ),
        Turn(
            2,
            "The probability of exactly this number is doubled.",
            lambda first, second: 2 * stats.binom.pmf(min(first, second), first + second, 0.5),
        ),
        Turn(
            1,
            "The approximation by $\\chi^2$.",
            lambda first, second: stats.chi2.sf((first - second) ** 2 / (first + second), 1),
        ),
    ),
    a=dict(first=2, second=9),
    b=dict(first=11, second=3),
)
def exact_mcnemar(first, second):
    ask = (
        f"On a test set ${first}$ samples are misclassified by the first classifier alone and "
        f"${second}$ by the second alone. Compute the two-sided p-value of the "
        "exact McNemar test."
    )
    n, k = first + second, min(first, second)
    key = 2 * sum(math.comb(n, i) for i in range(k + 1)) / 2**n
    return (
        ask,
        key,
        "Twice the binomial tail with probability $\\frac12$: "
        f"$2\\cdot{sum(math.comb(n, i) for i in range(k + 1))}/2^{{{n}}}$.",
        [(key, float(stats.binomtest(first, n).pvalue))],
    )


@problem(
    "10_prediction",
    steps=(
        (1, "Each sample in turn is classified by the others, not by itself."),
        (1, "The nearest of the others for each sample, and its label."),
        (1, "The proportion of misclassified samples."),
    ),
    turns=(
        Turn(
            0,
            "Each sample is its own nearest neighbour, so that the error is 0.",
            lambda x, y: 0,
        ),
        Turn(
            2,
            "The number of misclassified samples is given.",
            misclassified_by_the_others,
        ),
    ),
    a=dict(x=(0, 1, 3, 4, 8), y=(-1, -1, 1, 1, -1)),
    b=dict(x=(0, 2, 3, 6, 7), y=(1, -1, -1, 1, -1)),
)
def leave_one_out(x, y):
    ask = (
        f"The samples are numbers {points(x, y)}. What is the leave-one-out error of the nearest-neighbour "
        f"rule?"
    )
    X, labels, n = column(x), np.array(y), len(x)
    left = [
        ll.k_nearest_neighbors(np.delete(X, i, 0), np.delete(labels, i)).predict(X[i : i + 1])[0]
        != y[i]
        for i in range(n)
    ]
    near = [y[min((abs(x[j] - x[i]), j) for j in range(n) if j != i)[1]] != y[i] for i in range(n)]
    return (
        ask,
        sum(left) / n,
        f"Each sample is classified by the nearest of the others, ${sum(left)}$ of ${n}$ wrongly.",
        [(sum(left), sum(near))],
    )


# 11 From a table to a model


@problem(
    "11_table",
    steps=(
        (1, "Mean and standard deviation of the training values."),
        (1, "The new value minus the mean, divided by the standard deviation."),
    ),
    turns=(
        Turn(
            1,
            "The variance is divided by $n-1$.",
            lambda train, new: (new - np.mean(train)) / np.std(train, ddof=1),
        ),
        Turn(
            1,
            "The new value takes part in mean and standard deviation.",
            lambda train, new: (new - np.mean([*train, new])) / np.std([*train, new]),
        ),
        Turn(
            1,
            "The variance is used in place of its root.",
            lambda train, new: (new - np.mean(train)) / np.var(train),
        ),
    ),
    a=dict(train=(2, 4, 4, 6, 9), new=7),
    b=dict(train=(1, 3, 3, 5), new=6),
)
def standardise_a_new_value(train, new):
    ask = (
        f"A pipeline standardises a column whose training values are "
        f"${', '.join(map(str, train))}$ (division by $n$ in the variance). Which value does the "
        f"classifier see for a new row with ${new}$?"
    )
    key = float(data.standardise([[float(new)]], like=column(train))[0, 0])
    mean = sum(train) / len(train)
    sd = math.sqrt(sum((v - mean) ** 2 for v in train) / len(train))
    return (
        ask,
        key,
        "Mean and standard deviation come from the training set alone: "
        f"${shown(mean)}$ and ${shown(sd)}$.",
        [(key, (new - mean) / sd)],
    )


@problem(
    "11_costs",
    steps=(
        (1, "Recall: divided by the positive samples."),
        (1, "Precision: divided by the positive predictions."),
        (1, "False positive rate: divided by the negative samples."),
    ),
    turns=(
        Turn(
            1,
            "Recall and precision are exchanged.",
            lambda tp, fn, fp, tn: (tp / (tp + fp), tp / (tp + fn), fp / (fp + tn)),
        ),
        Turn(
            2,
            "The false positive rate is divided by the positive predictions.",
            lambda tp, fn, fp, tn: (tp / (tp + fn), tp / (tp + fp), fp / (tp + fp)),
        ),
    ),
    answer="recall: ${}$; precision: ${}$; false positive rate: ${}$",
    a=dict(tp=40, fn=10, fp=20, tn=130),
    b=dict(tp=18, fn=6, fp=2, tn=54),
)
def rates_of_a_confusion_matrix(tp, fn, fp, tn):
    ask = (
        f"A test has ${tp}$ true positives, ${fn}$ false negatives, ${fp}$ false positives and "
        f"${tn}$ true negatives. Compute recall, precision and the false "
        "positive rate."
    )
    y = [1] * (tp + fn) + [-1] * (fp + tn)
    said = [1] * tp + [-1] * fn + [1] * fp + [-1] * tn
    key = (tp / (tp + fn), tp / (tp + fp), fp / (fp + tn))
    again = (
        recall_score(y, said),
        precision_score(y, said),
        1 - recall_score(y, said, pos_label=-1),
    )
    return (
        ask,
        key,
        f"Divide by the ${tp + fn}$ positives, by the ${tp + fp}$ predicted positives, by the "
        f"${fp + tn}$ negatives.",
        list(zip(key, again, strict=True)),
    )


@problem(
    "11_costs",
    steps=(
        (1, "All pairs of a positive and a negative sample; or the axes of the curve."),
        (1, "The pairs in the right order; or the steps of the curve."),
        (1, "Their proportion; or the area."),
    ),
    turns=(
        Turn(
            2,
            "The pairs in the wrong order are counted.",
            lambda order: 1 - ordered_pairs(order) / (order.count("+") * order.count("-")),
        ),
        Turn(2, "The pairs are not divided by their number.", ordered_pairs),
        Turn(0, "The accuracy at one threshold is given."),
    ),
    a=dict(order="+-++-+--"),
    b=dict(order="+-+--+-"),
)
def area_below_the_roc_curve(order):
    ask = (
        f"Sorted by decreasing score, the labels of a test set are ${','.join(order)}$. What is "
        f"the area under the ROC curve?"
    )
    y = [1 if sign == "+" else -1 for sign in order]
    pairs = [i < j for i, u in enumerate(y) for j, v in enumerate(y) if u > v]
    key = sum(pairs) / len(pairs)
    return (
        ask,
        key,
        "The share of pairs in which the positive sample has the higher score: "
        f"${sum(pairs)}$ of ${len(pairs)}$.",
        [(key, roc_auc_score(y, range(len(y), 0, -1)))],
    )


@problem(
    "11_costs",
    steps=(
        (1, "The expected costs of both predictions."),
        (1, "The threshold, where they are equal."),
        (1, "The smaller of the two costs at the given probability."),
    ),
    turns=(
        Turn(
            2,
            "The two costs are exchanged.",
            lambda miss, alarm, p: (miss / (alarm + miss), min(p * alarm, (1 - p) * miss)),
        ),
        Turn(
            2,
            "The ratio of the costs is given as the threshold.",
            lambda miss, alarm, p: (alarm / miss, min(p * miss, (1 - p) * alarm)),
        ),
        Turn(
            1,
            "The threshold is $\\frac12$ whatever the costs are.",
            lambda miss, alarm, p: (0.5, p * miss if p < 0.5 else (1 - p) * alarm),
        ),
    ),
    answer="threshold: ${}$; expected cost: ${}$",
    a=dict(miss=9, alarm=1, p=0.15),
    b=dict(miss=5, alarm=2, p=0.3),
)
def threshold_from_costs(miss, alarm, p):
    ask = (
        f"A false negative costs ${miss}$ and a false positive ${alarm}$. Above which probability "
        f"should the positive class be predicted? What is the smaller "
        f"expected cost for a sample whose probability is ${p}$?"
    )
    threshold = alarm / (alarm + miss)
    least = min(p * miss, (1 - p) * alarm)
    why = (
        f"Compare the expected costs $p$ times ${miss}$ and $1-p$ times ${alarm}$; at $p = {p}$ they are "
        f"${shown(p * miss)}$ and ${shown((1 - p) * alarm)}$."
    )
    return ask, (threshold, least), why, [
        (threshold * miss, (1 - threshold) * alarm), (least, p * miss if p < threshold else (1 - p) * alarm)
    ]  # fmt: skip


@problem(
    "11_multiclass",
    steps=(
        (1, "The three probabilities."),
        (1, "Minus the logarithm of that of the true class."),
        (2, "The derivatives: probabilities minus the one-hot code."),
    ),
    turns=(
        Turn(
            3,
            "The derivatives are the probabilities; 1 is not subtracted at the true class.",
            lambda f, label: (-math.log(special.softmax(f)[label - 1]), *special.softmax(f)),
        ),
        Turn(
            3,
            "The derivatives have the opposite sign.",
            lambda f, label: (
                -math.log(special.softmax(f)[label - 1]),
                *(np.eye(3)[label - 1] - special.softmax(f)),
            ),
        ),
    ),
    answer="loss: ${}$; derivatives: $({}, {}, {})$",
    a=dict(f=(2, 1, 0), label=2),
    b=dict(f=(0, 1, 1), label=1),
)
def softmax_and_its_gradient(f, label):
    ask = (
        f"Three classes have the scores ${point(f)}$. Compute the cross-entropy loss of a sample "
        f"of the {ORDINALS[label - 1]} class, and the derivatives of this loss with respect "
        "to the three scores."
    )
    p = special.softmax(np.array(f, dtype=float))
    one = np.eye(3)[label - 1]
    loss = lambda v: float(special.logsumexp(v) - v[label - 1])  # noqa: E731
    numeric = optimize.approx_fprime(np.array(f, dtype=float), loss, 1e-7)
    key = (-math.log(p[label - 1]), *(p - one))
    proof = [
        (key[0], loss(np.array(f, dtype=float))),
        *((round(u, 5), round(v, 5)) for u, v in zip(p - one, numeric, strict=True)),
    ]
    return (
        ask,
        key,
        "Minus the logarithm of the probability; probabilities minus the one-hot code. The "
        f"probabilities are ${vector(p)}$.",
        proof,
    )


@problem(
    "11_multiclass",
    steps=(
        (1, "One classifier for each class."),
        (1, "One for each pair of classes."),
    ),
    turns=(
        Turn(1, "Ordered pairs are counted: $K(K-1)$.", lambda K: (K, K * (K - 1))),
        Turn(1, "One class gets no classifier: $K-1$.", lambda K: (K - 1, K * (K - 1) // 2)),
    ),
    answer="one-vs-rest: ${}$; one-vs-one: ${}$",
    a=dict(K=7),
    b=dict(K=12),
)
def binary_classifiers(K):
    ask = f"How many binary classifiers do one-vs-rest and one-vs-one train for ${K}$ classes?"
    pairs = sum(1 for i in range(K) for j in range(i))
    return (
        ask,
        (K, K * (K - 1) // 2),
        "One for each class; one for each pair.",
        [(pairs, K * (K - 1) // 2)],
    )
