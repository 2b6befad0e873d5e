"""Five assignments, one a week of the core: their tasks, the notebook to hand out and the one with solutions.

The data of an assignment are drawn anew for each `seed`; keys are computed from them.
"""

import hashlib
import json
import math
from dataclasses import dataclass
from typing import Any

import nbformat
import numpy as np
from scipy import stats
from sklearn.dummy import DummyClassifier
from sklearn.neighbors import KNeighborsClassifier

import linlearn as ll
from linlearn import data
from linlearn.practice.bank import Verdict
from linlearn.textbook.perceptron import rosenblatt
from tools.editions.problems import DIGITS, ROUNDED, Problem, bounds, posed, reason

SEED = 1  # change it every year
CLOSE = 3e-2  # how far, relatively, a bound that is handed in may be from the best one
LEAST = 1e-6  # of a smaller margin, rounding errors decide whether there is one
FAR = 1e6  # larger numbers have no place in an answer about samples near 0


@dataclass(frozen=True)
class Assignment:
    """The tasks of one week and the samples that they are about."""

    week: int
    about: str
    samples: dict[str, Any]
    tasks: tuple[Problem, ...]

    @property
    def points(self) -> int:
        return sum(task.points for task in self.tasks)


def variable(task: Problem) -> str:
    """The name under which a notebook hands in the answer: task 1a in `answer_1a`."""
    return f"answer_{task.name}"


def version(assignment: Assignment) -> str:
    """A name for its week and data; it does not tell the seed, from which solutions could be made."""
    data = {name: array.tolist() for name, array in assignment.samples.items()}
    return f"{assignment.week}-{hashlib.sha256(json.dumps(data).encode()).hexdigest()[:6]}"


def rounded(samples: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Samples that a notebook can spell out."""
    X, y = samples
    return np.round(X, 2), y.astype(int)


def largest_margin(X: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Bounds on the largest margin, from those on the minimum of half the squared length of w."""
    lower, upper = bounds(ll.max_margin(X, y))
    return math.sqrt(1 / (2 * upper)), math.sqrt(1 / (2 * lower))


def nearest_errors(
    V: np.ndarray, v: np.ndarray, train: slice, test: slice
) -> tuple[np.ndarray, np.ndarray]:
    """Training and test error of the nearest neighbour, and test error of the more frequent label.

    They are computed twice: by this package, and by scikit-learn.
    """
    ours = ll.k_nearest_neighbors(V[train], v[train], k=1)
    theirs = KNeighborsClassifier(1).fit(V[train], v[train])
    frequent = DummyClassifier().fit(V[train], v[train]).predict(V[test])
    share = np.mean(v[test] != (1 if v[train].sum() > 0 else -1))
    one, two = (
        [np.mean(found.predict(V[part]) != v[part]) for part in (train, test)]
        for found in (ours, theirs)
    )
    return np.array([*one, share]), np.array([*two, np.mean(frequent != v[test])])


def mixed_units(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """30 samples whose features have different units; the first 21 are the training set.

    They are drawn until each error changes the answer: standardised by the training set, by all rows (so that
    the test samples take part in making the classifier) and not at all, they give three different test
    errors; and the first of these is neither 0 nor that of the more frequent label.
    """
    rng = np.random.default_rng([seed, 1])
    while True:
        V, v = rounded(data.gaussians(36, 2, delta=2.5, seed=int(rng.integers(2**31))))
        kept = [*np.flatnonzero(v == -1), *np.flatnonzero(v == 1)[:12]]
        order = rng.permutation(kept)
        V, v = V[order] * [1, 10], v[order]  # unless standardised, the second feature decides alone
        scaled = (data.standardise(V, like=V[:21]), data.standardise(V), V)
        found = [nearest_errors(Z, v, slice(21), slice(21, 30))[0] for Z in scaled]
        _, right, frequent = found[0]
        if len({right, 0.0, frequent}) == 3 and len({test for _, test, _ in found}) == 3:
            return V, v


def given_line(X: np.ndarray, y: np.ndarray) -> ll.Hyperplane:
    """A line that separates the samples, but not best: the best one, turned a little, in whole numbers."""
    p, q = nearest_points(X, y)
    first, second = 20 * (p - q) / math.dist(p, q)
    w = np.round([first - second / 10, second + first / 10])
    return ll.Hyperplane(w, -np.round(w @ (p + q) / 2))


def nearest_points(X: np.ndarray, y: np.ndarray) -> list[np.ndarray]:
    """The points of the hulls of the two classes that are closest to each other."""
    alpha = ll.max_margin(X, y).certificate.dual
    return [alpha[y == side] @ X[y == side] / alpha[y == side].sum() for side in (1, -1)]


def middle(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """A sample half-way between the nearest points p, q of the hulls, and the best line after adding it."""
    p, q = nearest_points(X, y)
    new, w = (p + q) / 2, p - q
    return np.array([*new, *w, -w @ (new + q) / 2])


def week_1(seed: int) -> Assignment:
    """Training and test error, margins, certificates, and how far a test error can be trusted."""
    V, v = mixed_units(seed)
    train, test = slice(21), slice(21, 30)  # an odd number: one label is more frequent
    key, by_sklearn = nearest_errors(data.standardise(V, like=V[train]), v, train, test)
    raw, _ = nearest_errors(V, v, train, test)
    leaked, _ = nearest_errors(data.standardise(V), v, train, test)

    X, y = rounded(data.separable(16, 2, margin=0.4, seed=seed))
    rho, line = largest_margin(X, y), given_line(X, y)
    m, length = ll.margins(line, X, y), float(np.linalg.norm(line.w))
    means = [X[y == side].mean(axis=0) for side in (1, -1)]
    lower, upper = float(m.min()) / length, math.dist(*means) / 2
    alpha = np.where(y == 1, 1 / (y == 1).sum(), 1 / (y == -1).sum())
    again = ll.certificates.enclose_hard_margin(
        X, y, primal=line.a / m.min(), dual=alpha / (2 * upper**2)
    )
    half = middle(X, y)

    def halved(answer: list[float]) -> Verdict:
        if len(answer) != 5 or not any(answer[2:4]):
            return Verdict(
                False, "Five numbers are asked for: $x_1, x_2, w_1, w_2, b$; and $w$ is not 0."
            )
        if not np.abs(answer).max() < FAR:
            return Verdict(False, f"Every number must lie between $-{FAR:g}$ and ${FAR:g}$.")
        more, labels = np.vstack([X, answer[:2]]), np.append(y, 1)
        found = ll.separate(more, labels)
        if not found.certificate.lower > LEAST:
            return Verdict(
                False,
                "With your sample no line separates the classes, or hardly one: it lies in the convex "
                "hull of the negative samples, on its edge, or beyond.",
            )
        largest = largest_margin(more, labels)[0]
        if abs(largest - rho[0] / 2) > CLOSE * rho[0] / 2:
            return Verdict(
                False,
                f"With your sample the largest margin is {largest:.4f}; "
                f"half of the old one is {rho[0] / 2:.4f}.",
            )
        reached = float((labels * (more @ answer[2:4] + answer[4])).min()) / math.hypot(
            *answer[2:4]
        )
        if not reached >= (1 - CLOSE) * largest:  # not a number is not large
            return Verdict(
                False,
                f"The sample is right. But your line has the margin {reached:.4f} on the "
                f"{len(labels)} samples, and another one has {largest:.4f}.",
            )
        return Verdict(
            True, f"The largest margin is now {largest:.4f}, half of the old one, {rho[0]:.4f}."
        )

    held, delta = 200 + 50 * (seed % 5), 0.05
    epsilon = math.sqrt(math.log(2 / delta) / (2 * held))
    return Assignment(
        1,
        "Training and test error, margins, certificates",
        {"V": V, "v": v, "X": X, "y": y},
        (
            Problem(
                question=posed(
                    "1a",
                    "The first 21 rows of `V` with the labels `v` are the training set, the other "
                    "9 the test set. Standardise the features by the training set, and classify "
                    "by the nearest neighbour. Hand in the training error of this classifier, its "
                    "test error, and the test error of the classifier that always predicts the "
                    "more frequent label of the training set.",
                    key,
                    "Each training sample is its own nearest neighbour, so only the test error "
                    "says something about new samples.",
                    [
                        (raw, "The features are not standardised: the second one decides alone."),
                        (
                            leaked,
                            "Mean and standard deviation are those of all rows, so the test "
                            "samples took part in making the classifier.",
                        ),
                        ((key[1], key[0], key[2]), "Training and test error are exchanged."),
                        (
                            (1 - key[0], 1 - key[1], 1 - key[2]),
                            "Those are accuracies. An error is one minus the accuracy.",
                        ),
                        (
                            tuple(key * [21, 9, 9]),
                            "Those are numbers of misclassified samples. An error is a proportion.",
                        ),
                        (
                            tuple(100 * key),
                            "Those are percentages. An error is a proportion, between 0 and 1.",
                        ),
                        (
                            (*key[:2], min(np.mean(v[train] == 1), np.mean(v[train] == -1))),
                            "The first two numbers are right. The third is the training error of always "
                            "predicting the more frequent label.",
                        ),
                    ],
                ),
                lesson="00_classification",
                points=3,
                proof=tuple(zip(key, by_sklearn, strict=True)),
                solution="""mean, sd = V[:21].mean(axis=0), V[:21].std(axis=0)
Z = (V - mean) / sd
nearest = ll.k_nearest_neighbors(Z[:21], v[:21], k=1).predict(Z)
frequent = 1 if v[:21].sum() > 0 else -1
wrong = nearest != v
np.mean(wrong[:21]), np.mean(wrong[21:]), np.mean(v[21:] != frequent)""",
            ),
            Problem(
                question=posed(
                    "1b",
                    f"Two witnesses for the samples `X`, `y` are the line with $w = "
                    f"({line.w[0]:g}, {line.w[1]:g})$ and $b = {line.b:g}$, and equal weights for "
                    "all samples of a class. Which lower bound on the largest geometric margin $\\rho^*$ "
                    "does the line prove, and which upper bound do the weights prove? Hand in both.",
                    (lower, upper),
                    "The smallest signed distance of a sample from the line, and half the distance "
                    "of the class means.",
                    [
                        (
                            (lower * length, upper),
                            "The second number is right. The first is the smallest $m_i$: divide "
                            "by the length of $w$.",
                        ),
                        (
                            (lower, 2 * upper),
                            "The first number is right. The second is the whole distance of the "
                            "two points, but one of them is at most half of it from the line.",
                        ),
                        (
                            (lower * length, 2 * upper),
                            "Divide the smallest $m_i$ by the length of $w$, and halve the distance "
                            "of the means.",
                        ),
                        ((upper, lower), "The bounds are exchanged."),
                        (
                            (-lower, upper),
                            "The second number is right. The first has the wrong sign: all samples are on "
                            "the right side of the line, so every $m_i$ is positive.",
                        ),
                        (
                            (float((m * y).min()) / length, upper),
                            "The second number is right. The first is the smallest score over the length "
                            "of $w$: multiply each score by its label.",
                        ),
                    ],
                ),
                lesson="01_certificates",
                points=2,
                proof=(
                    (lower, math.sqrt(1 / (2 * again.upper))),
                    (upper, math.sqrt(1 / (2 * again.lower))),
                ),
                solution=f"""w, b = np.array([{line.w[0]:g}, {line.w[1]:g}]), {line.b:g}
p, q = X[y == 1].mean(axis=0), X[y == -1].mean(axis=0)
min(y * (X @ w + b)) / np.linalg.norm(w), np.linalg.norm(p - q) / 2""",
            ),
            Problem(
                question=posed(
                    "1c",
                    "Add one sample with the label $+1$ to `X`, `y` so that the largest margin of "
                    "all samples becomes half as large as before. Hand in five numbers: the "
                    "coordinates $x_1, x_2$ of the new sample, and $w_1, w_2, b$ of a line that has "
                    "this margin on all samples; any positive multiple of $w$, $b$ will do. "
                    f"Margins may differ by {100 * CLOSE:g} %. (Which "
                    "points prove that the old margin is the largest?)",
                    half,
                    "Half-way between the nearest points $p$, $q$ of the two hulls, for instance: then "
                    "$q$ and the new sample are nearest points. The new line is half-way between "
                    "these two, parallel to the old one.",
                ),
                lesson="01_certificates",
                points=3,
                proof=(rho, (rho[0] / 2, largest_margin(np.vstack([X, half[:2]]), [*y, 1])[0])),
                solution="""best = ll.max_margin(X, y)
alpha = best.certificate.dual / best.certificate.dual[y == 1].sum()
p, q = alpha[y == 1] @ X[y == 1], alpha[y == -1] @ X[y == -1]
new = (p + q) / 2
w = p - q
*new, *w, -w @ (new + q) / 2""",
                judged=halved,
            ),
            Problem(
                question=posed(
                    "1d",
                    f"A classifier is tested on {held} samples that were held out. By the two-sided "
                    "Hoeffding inequality, how far can its test error be from its error, with "
                    f"confidence {1 - delta:.2f}?",
                    epsilon,
                    "$2e^{-2n\\varepsilon^2} = \\delta$ is solved for $\\varepsilon$.",
                    [
                        (epsilon**2, reason("ch-share", "0.037")),
                        (math.sqrt(math.log(1 / delta) / (2 * held)), reason("ch-share", "0.173")),
                        (math.sqrt(math.log(2 / delta) / held), reason("ch-share", "0.272")),
                    ],
                ),
                lesson="00_choice",
                points=2,
                proof=((2 * math.exp(-2 * held * epsilon**2), delta),),
                solution=f"np.sqrt(np.log(2 / {delta}) / (2 * {held}))",
            ),
        ),
    )


def week_2(seed: int) -> Assignment:
    """The perceptron, Fisher's discriminant, least squares."""
    X, y = rounded(data.separable(14, 2, margin=0.1, seed=10 + seed))
    U, t = rounded(data.gaussians(24, 2, delta=1.5, seed=seed))
    run = ll.perceptron(X, y)
    *_, (_, _, last) = rosenblatt(ll.signed(X, y))
    gamma, radius = bounds(ll.separate(X, y)), float(np.linalg.norm(ll.signed(X, y), axis=1).max())
    most = (radius / gamma[0]) ** 2
    means = [U[t == side].mean(axis=0) for side in (1, -1)]
    scatter = sum((U[t == s] - m).T @ (U[t == s] - m) for s, m in zip((1, -1), means, strict=True))
    delta, direction = means[0] - means[1], np.linalg.solve(scatter, means[0] - means[1])
    fit, fisher = ll.least_squares(U, t), ll.fisher(U, t)
    through = np.linalg.lstsq(U, t, rcond=None)[0]
    return Assignment(
        2,
        "Perceptron, Fisher's discriminant, least squares",
        {"X": X, "y": y, "U": U, "t": t},
        (
            Problem(
                question=posed(
                    "2a",
                    "Run the perceptron on the augmented samples of `X`, `y`, from $a = 0$, "
                    "reading them in their order "
                    "again and again. Which $a = (w_1, w_2, b)$ does it stop at?",
                    run.plane.a,
                    "The first $a$ at which every margin is positive.",
                    [((0, 0, 0), "At $a = 0$ every margin is 0, and a tie is a mistake.")],
                ),
                lesson="03_perceptron",
                points=2,
                proof=tuple(zip(run.plane.a, last, strict=True)),
                solution="ll.perceptron(X, y).plane",
            ),
            Problem(
                question=posed(
                    "2b",
                    "At most how many updates does the perceptron's theorem allow for these samples? Hand in "
                    "$(R/\\gamma^*)^2$, not rounded, with the largest margin $\\gamma^*$ of the "
                    "augmented samples.",
                    most,
                    "$R$ is the largest length of an augmented sample.",
                    [
                        (radius / gamma[0], reason("pc-bound", "√10")),
                        (radius**2, "That is $R^2$. It is still to be divided by $\\gamma^{*2}$."),
                        (
                            most - (1 / gamma[0]) ** 2,
                            "Is the 1 of the augmented sample missing in the length?",
                        ),
                    ],
                ),
                lesson="03_perceptron",
                points=2,
                proof=(gamma,),
                solution="(np.linalg.norm(np.c_[X, np.ones(len(X))], axis=1).max() / "
                "ll.separate(X, y).certificate.lower) ** 2",
            ),
            Problem(
                question=posed(
                    "2c",
                    "Compute the direction of Fisher's discriminant for the samples `U` with the "
                    "labels `t`. Every positive "
                    "multiple is right.",
                    direction,
                    "$S_W^{-1}$ times the difference of the class means.",
                    [
                        (
                            -direction,
                            "The direction is reversed: it points from the positive class to the "
                            "negative one.",
                        ),
                        (scatter @ delta, reason("fi-by-hand", "4, 32, 136")),
                        (delta, "That is the difference of the class means, without the scatter."),
                    ],
                    scale=True,
                ),
                lesson="04_fisher",
                points=3,
                proof=(
                    bounds(fisher),
                    (direction[0] / direction[1], fisher.plane.w[0] / fisher.plane.w[1]),
                ),
                solution="ll.fisher(U, t).plane.w",
            ),
            Problem(
                question=posed(
                    "2d",
                    "Fit the labels `t` of `U` by least squares with an intercept. Hand in $w_1, w_2, b$.",
                    fit.plane.a,
                    "The residuals are orthogonal to every column, and to the column of ones.",
                    [
                        ((*through, 0), reason("rg-certificate-line", "5/11, 0")),
                        (
                            -fit.plane.a,
                            "All signs are reversed: every sample gets the score of the other class.",
                        ),
                    ],
                ),
                lesson="05_regression",
                points=3,
                proof=(bounds(fit),),
                solution="ll.least_squares(U, t).plane",
            ),
        ),
    )


def week_3(seed: int) -> Assignment:
    """Step sizes, logistic regression, the strength of regularisation."""
    X, y = data.gaussians(40, 2, delta=1.4, seed=20 + seed)
    # turned and moved: no coefficient is nearly 0, so a solver's tolerance leaves three digits of each
    X, y = rounded((X @ np.array([[1, 1], [-1, 1]]) / math.sqrt(2) + 0.5, y))
    A = np.c_[X, np.ones(len(X))]
    largest = float(np.linalg.eigvalsh(A.T @ A)[-1])
    fit = ll.logistic(X, y)
    w, b = fit.plane.w, fit.plane.b
    x = np.array([1.0, -1.0])
    odds = math.exp(float(w @ x) + b)
    n, C = 100 + 20 * (seed % 7), 0.5
    lam = 1 / (n * C)
    return Assignment(
        3,
        "Gradient descent and logistic regression",
        {"X": X, "y": y},
        (
            Problem(
                question=posed(
                    "3a",
                    "Gradient descent minimises half the sum of squared residuals, "
                    "$\\frac12\\sum_i(\\langle a, \\tilde x_i\\rangle"
                    " - y_i)^2$, with the augmented samples of `X`, `y`. It converges from every start "
                    "if and only if the step size is between 0 and which number?",
                    2 / largest,
                    "Two divided by the largest eigenvalue of the Hessian, the sum of $\\tilde "
                    "x_i\\tilde x_i^\\top$.",
                    [
                        (
                            1 / largest,
                            "With that step the factor of the steepest direction is 0. It may go "
                            "down to $-1$.",
                        ),
                        (
                            2 * len(y) / largest,
                            "That is the answer for the mean of the squares. This is their sum.",
                        ),
                        (
                            2 / np.linalg.eigvalsh(X.T @ X)[-1],
                            "The intercept is a coordinate, too: augment the samples.",
                        ),
                    ],
                ),
                lesson="05_gradient",
                points=2,
                proof=((largest, float(np.linalg.norm(A, 2)) ** 2),),
                solution="2 / np.linalg.norm(np.c_[X, np.ones(len(X))], 2) ** 2",
            ),
            Problem(
                question=posed(
                    "3b",
                    "Find the maximum-likelihood estimate of a logistic regression on `X`, `y`, without "
                    "regularisation. Hand in $w_1, w_2, b$.",
                    fit.plane.a,
                    "There the gradient of the mean loss is 0.",
                    [
                        (-fit.plane.a, reason("lg-two", "1.897, -0.511")),
                        (
                            ll.logistic(X, y, lam=1 / len(y)).plane.a,
                            "That is what scikit-learn's default `C=1` gives: it regularises. "
                            "Choose a large `C`, or `lam=0`.",
                        ),
                    ],
                ),
                lesson="06_logistic",
                points=3,
                proof=(bounds(fit),),
                solution="ll.logistic(X, y).plane",
            ),
            Problem(
                question=posed(
                    "3c",
                    "By which factor do the odds of the label $+1$ change in the model of 3b if the first "
                    "feature grows by one unit, and how probable is this label at $x = (1, -1)$? Hand in "
                    "both numbers.",
                    (math.exp(w[0]), odds / (1 + odds)),
                    "$e^{w_1}$, and the odds at the point divided by one plus the odds.",
                    [
                        (
                            (w[0], odds / (1 + odds)),
                            "$w_1$ is what one unit adds to the log-odds. What does that do to the odds?",
                        ),
                        (
                            (math.exp(-w[0]), odds / (1 + odds)),
                            "That is the factor for one unit less.",
                        ),
                        (
                            (math.exp(w[0]), 1 / (1 + odds)),
                            "The factor is right. The second number belongs to the label $-1$.",
                        ),
                        (
                            (math.exp(w[0]), odds),
                            "The factor is right. " + reason("lg-ratio", "18"),
                        ),
                    ],
                ),
                lesson="06_inference",
                points=3,
                proof=(bounds(fit), (math.log(odds), float(fit.decision_function(x[None])[0]))),
                solution="(np.exp(ll.logistic(X, y).plane.w[0]), "
                "1 / (1 + np.exp(-ll.logistic(X, y).decision_function([[1, -1]])[0])))",
            ),
            Problem(
                question=posed(
                    "3d",
                    f"scikit-learn's `LogisticRegression` has `C={C}` and {n} samples. For which "
                    f"$\\lambda$ has the mean loss plus "
                    "$\\frac\\lambda2\\lVert w\\rVert^2$ the same minimiser?",
                    lam,
                    "$\\lambda = 1/(nC)$.",
                    [
                        (1 / C, reason("ov-strength", "10")),
                        (C / n, reason("ov-strength", "0.001")),
                    ],
                ),
                lesson="06_overfitting",
                points=2,
                proof=((lam * n * C, 1.0),),
                solution=f"1 / ({n} * {C})",
            ),
        ),
    )


def week_4(seed: int) -> Assignment:
    """Hinge loss, linear programming, support vector machines."""
    X, y = rounded(data.separable(16, 2, margin=0.3, seed=40 + seed))
    U, t = rounded(data.gaussians(20, 2, delta=1.6, seed=30 + seed))
    program, C = ll.linear_program(U, t), 0.5
    soft, rho = ll.svm(U, t, C=C), largest_margin(X, y)
    total = len(t) * program.certificate.upper
    m = ll.margins(program.plane, U, t)
    n, mean = 40 + seed % 10, 0.17

    def multipliers(answer: list[float]) -> Verdict:
        if len(answer) != len(t):
            return Verdict(
                False, f"There must be a dual variable for each of the {len(t)} samples."
            )
        alpha = np.array(answer)
        if alpha.min() < -1e-9 or alpha.max() > C * (1 + 1e-9):
            return Verdict(False, f"Every dual variable must be between 0 and $C = {C}$.")
        totals = [alpha[t == side].sum() for side in (1, -1)]
        if max(totals) - min(totals) > 2 * ROUNDED * max(totals):
            return Verdict(
                False,
                "The sum of $\\alpha_i y_i$ must be 0: that is stationarity in the intercept.",
            )
        for side, total in zip((1, -1), totals, strict=True):  # what rounding has left
            alpha[t == side] *= min(totals) / total if total > 0 else 0
        value = float(alpha.sum() - ((alpha * t) @ U) @ ((alpha * t) @ U) / 2)
        if not value >= (1 - CLOSE) * soft.certificate.lower:
            said = f"These are dual feasible and prove that the minimum is at least {value:.4f}."
            return Verdict(False, f"{said} Other dual variables prove more.")
        return Verdict(
            True, f"The minimum is at least {value:.4f}, and at most {soft.certificate.upper:.4f}."
        )

    return Assignment(
        4,
        "Linear programming and support vector machines",
        {"X": X, "y": y, "U": U, "t": t},
        (
            Problem(
                question=posed(
                    "4a",
                    f"On {n} samples a classifier has the mean hinge loss {mean}. How many "
                    f"samples can it misclassify at most?",
                    math.floor(n * mean),
                    "Each misclassified sample has a loss of at least 1, and the losses sum to "
                    "the mean times $n$.",
                    [
                        (
                            math.floor(n * mean) + 1,
                            "That many would have a larger sum of losses than there is.",
                        ),
                        (n * mean, reason("lo-forty", "6.4")),
                    ],
                ),
                lesson="07_losses",
                points=2,
                proof=((math.floor(n * mean), max(k for k in range(n) if k <= n * mean)),),
                solution=f"np.floor({n} * {mean})",
            ),
            Problem(
                question=posed(
                    "4b",
                    "The samples `U` with the labels `t` are not separable. What is the least total slack "
                    "$\\sum_i\\xi_i$ with $m_i \\ge 1 - \\xi_i$ and $\\xi_i\\ge0$?",
                    total,
                    "The optimal value of the linear program. Its dual variables prove it.",
                    [
                        (
                            total / len(t),
                            "That is the mean. The total is the sum over all samples.",
                        ),
                        (float(np.maximum(0, -m).sum()), reason("lp-short", "1")),
                        (float((m <= 0).sum()), reason("lp-short", "2")),
                    ],
                ),
                lesson="08_linear_program",
                points=3,
                proof=(bounds(program), (total, float(np.maximum(0, 1 - m).sum()))),
                solution="len(t) * ll.linear_program(U, t).certificate.upper",
            ),
            Problem(
                question=posed(
                    "4c",
                    "How large is the largest margin $\\rho^*$ of the separable samples `X`, `y`?",
                    rho[0],
                    "$1/\\lVert w^*\\rVert$ for the hard margin's $w^*$.",
                    [
                        (2 * rho[0], reason("sv-sum", "2/5")),
                        (1 / rho[0], reason("sv-sum", "5")),
                        (
                            1 / (2 * rho[0] ** 2),
                            "That is $\\frac12\\lVert w^*\\rVert^2$, the optimal value.",
                        ),
                    ],
                ),
                lesson="09_svm",
                points=2,
                proof=(rho,),
                solution="1 / np.linalg.norm(ll.max_margin(X, y).plane.w)",
            ),
            Problem(
                question=posed(
                    "4d",
                    f"Consider the soft margin with $C = {C}$ on `U`, `t`. Hand in dual variables "
                    f"of all samples, in their "
                    f"order, whose dual objective is within {100 * CLOSE:g} % of the minimum of the "
                    "primal one.",
                    soft.certificate.lower,
                    "The dual objective is $\\sum_i\\alpha_i - "
                    "\\frac12\\lVert\\sum_i\\alpha_iy_ix_i\\rVert^2$.",
                ),
                lesson="09_soft",
                points=3,
                proof=(bounds(soft),),
                solution=f"np.clip(ll.svm(U, t, C={C}).certificate.dual, 0, {C})",
                judged=multipliers,
            ),
        ),
    )


def week_5(seed: int) -> Assignment:
    """Comparing classifiers, thresholds, more than two classes."""
    rng = np.random.default_rng(seed)
    scores = np.round(rng.normal(size=12), 2)
    labels = np.where(scores + rng.normal(size=12) > 0, 1, -1)
    labels[:2] = 1, -1
    table = np.array([[30, 4, 2], [3, 9, 1], [1, 2, 5]]) + rng.integers(0, 3, size=(3, 3))
    only, other = 3, 12 + seed % 4
    both = float(stats.binomtest(only, only + other).pvalue)
    one_sided = sum(math.comb(only + other, k) for k in range(only + 1)) / 2 ** (only + other)
    miss, alarm = 4 + seed % 5, 1
    pairs = [(p, q) for p in scores[labels == 1] for q in scores[labels == -1]]
    right = sum((p > q) + (p == q) / 2 for p, q in pairs)
    rank = stats.rankdata(scores)[labels == 1].sum() - (k := int((labels == 1).sum())) * (k + 1) / 2
    recall, precision = np.diag(table) / table.sum(axis=1), np.diag(table) / table.sum(axis=0)
    return Assignment(
        5,
        "Comparing models, thresholds, several classes",
        {"scores": scores, "labels": labels, "table": table},
        (
            Problem(
                question=posed(
                    "5a",
                    f"Two classifiers are compared on one test set. {only} samples are "
                    f"misclassified by the first alone, {other} by "
                    "the second alone. What is the p-value of the two-sided sign test (the exact "
                    "McNemar test)?",
                    both,
                    "Twice the probability of so few heads among as many coins as there are "
                    "discordant samples.",
                    [
                        (
                            one_sided,
                            "That is one side. All heads and all tails both count: double it.",
                        )
                    ],
                ),
                lesson="10_prediction",
                points=2,
                proof=((both, 2 * one_sided),),
                solution=f"stats.binomtest({only}, {only + other}).pvalue",
            ),
            Problem(
                question=posed(
                    "5b",
                    f"A false negative costs {miss} and a false positive {alarm}. Above which "
                    f"probability should one predict "
                    "the positive class?",
                    alarm / (alarm + miss),
                    "Predict positive where $p$ times the cost of a miss exceeds $1-p$ times that "
                    "of a false positive.",
                    [
                        (alarm / miss, reason("tc-three-one", "1/3")),
                        (miss / (alarm + miss), reason("tc-three-one", "3/4")),
                        (0.5, reason("tc-three-one", "1/2")),
                    ],
                ),
                lesson="11_costs",
                points=2,
                proof=((miss * alarm / (alarm + miss), alarm * (1 - alarm / (alarm + miss))),),
                solution=f"{alarm} / ({alarm} + {miss})",
            ),
            Problem(
                question=posed(
                    "5c",
                    "A model gives twelve samples the `scores`; their true `labels` are known. "
                    "What is the area under the ROC curve?",
                    right / len(pairs),
                    "The share of pairs of a positive and a negative sample that the scores order correctly.",
                    [
                        (right, reason("tc-area", "3")),
                        (
                            1 - right / len(pairs),
                            "That is the share of the pairs in the wrong order.",
                        ),
                        (
                            (labels == 1).mean(),
                            "That is the share of positive samples. Count pairs of a $+$ and a $-$.",
                        ),
                    ],
                ),
                lesson="11_costs",
                points=3,
                proof=((right, float(rank)),),
                solution="np.mean([p > q for p in scores[labels == 1] for q in scores[labels == -1]])",
            ),
            Problem(
                question=posed(
                    "5d",
                    "In the confusion matrix `table` each row is a true class and each column a "
                    "predicted one. What is the "
                    "macro-averaged recall?",
                    recall.mean(),
                    "Each diagonal entry is divided by the sum of its row; the mean is taken over "
                    "the classes.",
                    [
                        (precision.mean(), reason("mc-macro", "0.7244")),
                        (
                            np.trace(table) / table.sum(),
                            "That is the accuracy, in which a large class counts more than a small one.",
                        ),
                    ],
                ),
                lesson="11_multiclass",
                points=3,
                proof=(
                    (float(recall.mean()), sum(table[k, k] / sum(table[k]) for k in range(3)) / 3),
                ),
                solution="np.mean(np.diag(table) / table.sum(axis=1))",
            ),
        ),
    )


WEEKS = {1: week_1, 2: week_2, 3: week_3, 4: week_4, 5: week_5}

OPENING = """# Assignment {week}: {about}

{points} points. Put each answer into the variable named in its cell, in place of `...`: a number, several
numbers as a tuple, list or array, or a hyperplane of `linlearn`. Give exact numbers, or numbers rounded to
{digits} or more. You may use any method and any package. The notebook must run from top to bottom
in less than a minute; when it is marked, it can neither write files, nor use the network, nor start programs.
A cell that fails costs the lines after it in that cell.

Version {version}. Keep this line: it tells the grader which assignment this is."""
IMPORTS = """import numpy as np
from scipy import stats

import linlearn as ll"""


def notebook(assignment: Assignment, *, solved: bool = False) -> nbformat.NotebookNode:
    """The notebook to hand out; `solved`: with the answers and the reasons."""
    opening = OPENING.format(
        week=assignment.week,
        about=assignment.about,
        points=assignment.points,
        digits=DIGITS,
        version=version(assignment),
    )
    spelled = "\n".join(f"{name} = {spell(value)}" for name, value in assignment.samples.items())
    cells = [("markdown", opening), ("code", f"{IMPORTS}\n\n{spelled}")]
    for task in assignment.tasks:
        cells.append(("markdown", f"**{task.name}** ({task.points} points) {task.question.ask}"))
        cells.append(("code", solution(task) if solved else f"{variable(task)} = ..."))
        if solved:
            cells.append(("markdown", f"*Solution.* {shown(task)} {task.question.why}"))
    made = nbformat.v4.new_notebook()
    for number, (kind, source) in enumerate(cells):
        new = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
        made.cells.append(new(source, id=f"week-{assignment.week}-{number}"))
    made.metadata = nbformat.from_dict(
        {
            "kernelspec": {
                "display_name": "Python 3 (ipykernel)",
                "language": "python",
                "name": "python3",
            }
        }
    )
    return made


def solution(task: Problem) -> str:
    """Code that ends with handing in the answer."""
    *before, last = task.solution.split("\n")
    return "\n".join([*before, f"{variable(task)} = {last}"])


def shown(task: Problem) -> str:
    """The answer in four digits."""
    values = ", ".join(f"{float(value):.4g}" for value in task.question.answer.split(","))
    return f"**{values}**{' (others are right, too).' if task.judged else '.'}"


def spell(array: np.ndarray) -> str:
    """An array as code, a few numbers a line."""
    return (
        f"np.array({np.array2string(array, separator=', ', max_line_width=84, threshold=10_000)})"
    )
