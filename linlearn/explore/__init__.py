"""Interactive figures: samples, lines and proofs that the reader can move, in a page or a notebook.

The reader can move the samples by mouse, by touch or by keyboard; everything is recomputed at once, and a
sentence below the figure describes what it shows. In a notebook this needs anywidget: pip install anywidget.
On a page of the book it needs no kernel: there, the interactive figure replaces a drawing.
"""

import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache, partial
from html import escape
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from linlearn.certificates import Certificate, enclose_hard_margin
from linlearn.certificates.softmax import softmax_risk
from linlearn.data import standardise
from linlearn.explore import _script as script
from linlearn.fit import Fit
from linlearn.hardness import Samples, Sets, hitting_set_plane, vertex_cover_samples
from linlearn.methods.fisher import fisher as learn_fisher
from linlearn.methods.fisher import lda
from linlearn.methods.least_squares import least_squares
from linlearn.methods.linear_program import linear_program
from linlearn.methods.logistic import logistic
from linlearn.methods.perceptron import perceptron as learn_perceptron
from linlearn.methods.svm import max_margin, svm
from linlearn.methods.zero_one import zero_one
from linlearn.plane import Hyperplane, margins
from linlearn.solvers.softmax import minimised
from linlearn.validation import (
    Array,
    check_choice,
    check_count,
    check_edges,
    check_number,
    check_points,
    check_samples,
    check_vector,
)

MOST = 100  # samples: every one of them is a thing to take hold of
VERTICES = 5  # of a graph; more would not fit a phone
PAIRS = list(combinations(range(VERTICES), 2))
LOSSES = ("zero-one", "perceptron", "hinge", "logistic", "squared")  # as `losses` shows them
PENALTY = 1e-3  # on the weights of hinge and logistic loss there, so that a best line exists
STRENGTHS = 10.0 ** (np.arange(17) / 4 - 3)  # λ of `regularisation`, from 0.001 to 10
FACTORS = [1 / 8, 1 / 4, 1 / 2, 1.0, 2.0, 4.0, 8.0]  # of the scores in `softmax`
UPDATES = {"perceptron": 200, "methods": 1000, "newton": 30, "softmax": 1000}  # at most
NOTE = (
    "To make this figure interactive in a notebook, install anywidget (pip install anywidget) and run "
    "the cell again."
)

State = dict[str, Any]


class Explorable:
    """An interactive figure, made by the functions of `linlearn.explore`.

    `state` is everything that it shows, as plain lists and numbers; `place` is the name of the figure on the
    page that it replaces. `samples` computes X and y from a state that does not contain them.
    """

    def __init__(
        self,
        name: str,
        state: State,
        shows: str,
        learn: Callable[[State], Any],
        place: str | None,
        samples: Callable[[State], tuple[Any, Any]] = lambda state: (state["X"], state["y"]),
    ):
        self.name, self.place, self._samples = name, place, samples
        self._first, self._shows, self._learn, self._widget = state, shows, learn, None

    @property
    def state(self) -> State:
        """What the figure shows now, after the reader's changes."""
        return dict(self._widget.state) if self._widget else dict(self._first)

    @property
    def X(self) -> Array:
        """The samples as they are now, shape (n, 2); for a graph, with a column for each vertex."""
        return np.array(self._samples(self.state)[0], dtype=np.float64)

    @property
    def y(self) -> Array:
        """Their labels, shape (n,)."""
        return np.array(self._samples(self.state)[1], dtype=np.float64)

    @property
    def fit(self) -> Any:
        """The fit of `linlearn` to the samples as they are now: a `Fit`, or a dict of fits by method."""
        return self._learn(self.state)

    def observe(self, call: Callable[[State], object]) -> None:
        """Call `call(state)` each time the reader has moved something and let go."""
        self.widget().observe(lambda change: call(change["new"]), "state")

    def widget(self) -> Any:
        """The widget that a notebook shows; needs anywidget."""
        if self._widget is None:
            self._widget = _widget_class()(name=self.name, state=self._first)
        return self._widget

    def __repr__(self) -> str:
        return f"explore.{self.name}(n = {len(self._samples(self._first)[1])}, {self._shows})"

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The place in the page, always the same; beside it the live view, which is never committed."""
        where = f' data-in="{escape(self.place)}"' if self.place else ""
        state = escape(json.dumps(self._first, separators=(",", ":")), quote=False)
        bundle = {
            "text/plain": repr(self),
            "text/html": f'<div data-explore="{self.name}"{where} hidden>{state}</div>'
            f'<p class="explore-note">{NOTE}</p>',
        }
        try:
            live, metadata = self.widget()._repr_mimebundle_()
        except ImportError:
            return bundle, {}
        return live | bundle, metadata  # Colab finds its widget manager in the metadata


def perceptron(
    X: ArrayLike, y: ArrayLike, *, fit_intercept: bool = True, place: str | None = None
) -> Explorable:
    """The perceptron, one update at a time: the line, the weights, and the two bounds of the proof.

    Parameters
    ----------
    X, y : samples, shapes (n, 2) and (n,), labels ±1, n ≤ 100
    fit_intercept : bool
        False: lines through the origin only; the plane of the weights then shows all weights.
    place : str, optional
        The name of the figure on the page that it replaces.

    Notes
    -----
    At most 200 updates are shown, the last one first. `.fit` is the fit of `perceptron` to the samples as
    they are now.

    Examples
    --------
    >>> perceptron([[2.0, 1.0], [-1.0, 0.5]], [1, -1])
    explore.perceptron(n = 2, 1 update)
    """
    most = UPDATES["perceptron"]
    state = _samples(X, y, fit_intercept=fit_intercept)
    state |= {"fit_intercept": bool(fit_intercept), "k": most}

    learn = _fit_by(partial(learn_perceptron, max_updates=most), "fit_intercept")
    updates = len(learn(state).trace) - 1
    shows = f"{updates} update{'s' * (updates != 1)}" + " and more" * (updates == most)
    return Explorable("perceptron", state, shows, learn, place)


def capped(X: ArrayLike, y: ArrayLike, *, cap: float = 1.0, place: str | None = None) -> Explorable:
    """Reduced convex hulls, in which no weight exceeds a cap, and the line with the least total slack.

    If the two reduced hulls have a common point, its weights are dual variables that prove that the total
    slack of every line is at least 2/`cap`.

    Parameters
    ----------
    X, y : samples, shapes (n, 2) and (n,), labels ±1, n ≤ 100
    cap : float, 0 < cap ≤ 1
        The initial cap on the weight of each sample in a convex combination. Below 1/n₊ or 1/n₋ a reduced
        hull would be empty; then the larger of these two numbers is used.
    place : str, optional
        The name of the figure on the page that it replaces.

    Notes
    -----
    `.fit` is the fit of `linear_program` to the samples as they are now.

    Examples
    --------
    >>> capped([[0, 0], [3, 0], [1, 0], [4, 0]], [-1, -1, 1, 1], cap=0.75)
    explore.capped(n = 4, cap = 0.75)
    """
    state = _samples(X, y)
    state["cap"] = check_number(cap, "cap", above=0, most=1)
    return Explorable("capped", state, f"cap = {state['cap']:g}", _fit_by(linear_program), place)


def certificate(
    X: ArrayLike,
    y: ArrayLike,
    *,
    plane: Hyperplane | None = None,
    alpha: ArrayLike | None = None,
    place: str | None = None,
) -> Explorable:
    """A line bounds the largest margin ρ* from below; two points, one in each hull, bound it from above.

    ρ* is the largest margin of a line that separates the classes. The margin of any line is a lower bound on
    ρ*; half the distance between any two points, one in the convex hull of each class, is an upper bound.

    Parameters
    ----------
    X, y : samples, shapes (n, 2) and (n,), labels ±1, n ≤ 100
    plane : Hyperplane, optional
        The initial line; if None, the one half-way between the class means.
    alpha : shape (n,), optional
        Weights ≥ 0 for the two initial points; those of each class are scaled to sum 1/2. If None, equal
        weights, which give the class means.
    place : str, optional
        The name of the figure on the page that it replaces.

    Notes
    -----
    `.fit` is the fit of `max_margin` to the samples as they are now.

    Examples
    --------
    >>> certificate([[0, 0], [1, 0], [3, 0]], [-1, -1, 1], plane=Hyperplane([1.0, 0.0], -1.5))
    explore.certificate(n = 3, 0.5 ≤ ρ* ≤ 1.25)
    """
    state = _samples(X, y)
    plane, share = _line(state, plane), _weights(state, alpha)
    state |= {"w": plane.w.tolist(), "b": plane.b, "alpha": _rounded(share)}
    shows = _enclosed(state, plane, share)
    return Explorable("certificate", state, shows, _fit_by(max_margin), place)


def fisher(X: ArrayLike, y: ArrayLike, *, place: str | None = None) -> Explorable:
    """Turn the direction of projection: two histograms, and bounds on the largest Fisher ratio.

    The direction w bounds the largest ratio from below; dual variables β with X_Wᵀβ = δ bound it from above.
    The first direction is that of the difference of the class means, and the first β are a feasible choice
    on two samples.

    Parameters
    ----------
    X, y : samples, shapes (n, 2) and (n,), labels ±1, n ≤ 100
    place : str, optional
        The name of the figure on the page that it replaces.

    Notes
    -----
    `.fit` is the fit of `linlearn.fisher` to the samples as they are now.

    Examples
    --------
    >>> fisher([[0, 0], [0, 2], [4, 4], [4, 6]], [-1, -1, 1, 1])
    explore.fisher(n = 4, 45°)
    """
    state = _samples(X, y)
    w = _line(state, None).w
    state |= {"angle": round(float(np.degrees(np.arctan2(w[1], w[0]))), 6), "t": 0.0}
    return Explorable("fisher", state, f"{state['angle']:g}°", _fit_by(learn_fisher), place)


def hulls(
    X: ArrayLike, y: ArrayLike, *, alpha: ArrayLike | None = None, place: str | None = None
) -> Explorable:
    """Weights on the samples, the two points of the convex hulls that they give, and the line half-way.

    The line bounds the largest geometric margin ρ* from below; half the distance between the two points
    bounds it from above.

    Parameters
    ----------
    X, y : samples, shapes (n, 2) and (n,), labels ±1, n ≤ 100
    alpha : shape (n,), optional
        Initial weights ≥ 0, such as the dual witness of `max_margin`; those of each class are scaled to sum
        1/2. If None, equal weights, which give the class means.
    place : str, optional
        The name of the figure on the page that it replaces.

    Notes
    -----
    `.fit` is the fit of `max_margin` to the samples as they are now.

    Examples
    --------
    >>> hulls([[0, 0], [1, 0], [3, 0]], [-1, -1, 1], alpha=[0, 1, 1])
    explore.hulls(n = 3, 1 ≤ ρ* ≤ 1)
    """
    state = _samples(X, y)
    share = _weights(state, alpha)
    state |= {"alpha": _rounded(share), "i": int(share.argmax())}
    shows = _enclosed(state, _bisector(state, share), share)
    return Explorable("hulls", state, shows, _fit_by(max_margin), place)


def far(X: ArrayLike, y: ArrayLike, *, place: str | None = None) -> Explorable:
    """Least squares on the labels: the line, and the squared loss (1 - m)² of each sample.

    Parameters
    ----------
    X, y : samples, shapes (n, 2) and (n,), labels ±1, n ≤ 100
    place : str, optional
        The name of the figure on the page that it replaces.

    Notes
    -----
    `.fit` is the fit of `least_squares` to the samples as they are now. The line of the perceptron is drawn
    as well if it separates the samples.

    Examples
    --------
    >>> figure = far([[-1, 0], [0, 0], [1, 0], [20, 0]], [-1, -1, 1, 1])
    >>> figure
    explore.far(n = 4, 1 mistake)
    >>> figure.fit.plane
    Hyperplane(w=[0.07285, 0], b=-0.3642)
    """
    state = _samples(X, y)
    learn = _fit_by(least_squares)
    wrong = int((margins(learn(state).plane, state["X"], state["y"]) <= 0).sum())
    return Explorable("far", state, f"{wrong} mistake{'s' * (wrong != 1)}", learn, place)


def losses(
    X: ArrayLike, y: ArrayLike, *, loss: str = "hinge", place: str | None = None
) -> Explorable:
    """Surrogate losses compared on the same samples: the best line for each, and the loss of each sample.

    Parameters
    ----------
    X, y : samples, shapes (n, 2) and (n,), labels ±1, n ≤ 100
    loss : "zero-one", "perceptron", "hinge", "logistic" or "squared"
        The loss shown first.
    place : str, optional
        The name of the figure on the page that it replaces.

    Notes
    -----
    Hinge and logistic loss are regularised with λ = 0.001. `.fit` is a dict with a `Fit` for each loss except
    the perceptron loss, which has its minimum where all weights are 0.

    Examples
    --------
    >>> figure = losses([[-1, 0], [0, 0], [1, 0], [20, 0]], [-1, -1, 1, 1], loss="squared")
    >>> figure
    explore.losses(n = 4, squared)
    >>> figure.fit["squared"].plane
    Hyperplane(w=[0.07285, 0], b=-0.3642)
    """
    state = _samples(X, y)
    check_choice(loss, "loss", LOSSES)
    state["k"] = LOSSES.index(loss)
    return Explorable("losses", state, loss, _of_losses, place)


def methods(X: ArrayLike, y: ArrayLike, *, C: float = 1.0, place: str | None = None) -> Explorable:
    """All methods compared: eight lines for the same samples, and the mistakes of each.

    They are the perceptron (at most 1,000 updates), Fisher's discriminant, LDA, least squares, logistic
    regression with λ = 1/(nC), the soft margin with C, the hard margin, and the zero-one loss.

    Parameters
    ----------
    X, y : samples, shapes (n, 2) and (n,), labels ±1, n ≤ 100
    C : float > 0
        The initial penalty parameter, as in `svm`.
    place : str, optional
        The name of the figure on the page that it replaces.

    Notes
    -----
    `.fit` is a dict with a `Fit` for each method that accepts the samples.

    Examples
    --------
    >>> figure = methods([[0, 0], [1, 1], [0, 2], [3, 0], [4, 1], [2, -1]], [-1, -1, -1, 1, 1, 1])
    >>> figure
    explore.methods(n = 6, C = 1)
    >>> figure.fit["Fisher"].plane
    Hyperplane(w=[1.9, -1.2], b=-2.567)
    """
    state = _samples(X, y)
    state |= {"C": check_number(C, "C", above=0), "shown": [1] * 8}
    return Explorable("methods", state, f"C = {state['C']:g}", _all, place)


def soft(X: ArrayLike, y: ArrayLike, *, C: float = 1.0, place: str | None = None) -> Explorable:
    """The soft margin, from small penalty parameters C to large ones, where it becomes the hard margin.

    Parameters
    ----------
    X, y : samples, shapes (n, 2) and (n,), labels ±1, n ≤ 100
    C : float > 0
        The initial penalty parameter, as in `svm`.
    place : str, optional
        The name of the figure on the page that it replaces.

    Notes
    -----
    `.fit` is the fit of `svm` to the samples as they are now.

    Examples
    --------
    >>> figure = soft([[0, 0], [1, 0], [3, 0]], [-1, -1, 1])
    >>> figure
    explore.soft(n = 3, C = 1)
    >>> figure.fit.plane
    Hyperplane(w=[1, 0], b=-2)
    """
    state = _samples(X, y)
    state["C"] = check_number(C, "C", above=0)
    return Explorable("soft", state, f"C = {state['C']:g}", _fit_by(svm, "C"), place)


def turn(
    X: ArrayLike, y: ArrayLike, *, plane: Hyperplane | None = None, place: str | None = None
) -> Explorable:
    """Turn the line: each sample has a score along the normal, and a threshold on it decides the labels.

    Parameters
    ----------
    X, y : samples, shapes (n, 2) and (n,), labels ±1, n ≤ 100
    plane : Hyperplane, optional
        The initial line; if None, the one half-way between the class means.
    place : str, optional
        The name of the figure on the page that it replaces.

    Notes
    -----
    `.fit` is the fit of `zero_one` to the samples as they are now.

    Examples
    --------
    >>> turn([[0, 0], [1, 0], [3, 0]], [-1, -1, 1], plane=Hyperplane([0.0, 1.0], 0.0))
    explore.turn(n = 3, 1 misclassified)
    """
    state = _samples(X, y)
    plane = _line(state, plane)
    state |= {"w": plane.w.tolist(), "b": plane.b}
    wrong = int((plane.predict(state["X"]) != state["y"]).sum())
    return Explorable("turn", state, f"{wrong} misclassified", _fit_by(zero_one), place)


def graph(edges: Sets = (), *, chosen: Iterable[int] = (), place: str | None = None) -> Explorable:
    """Draw a graph with five vertices: its samples, the mistakes of a hyperplane, and the fewest possible.

    Each vertex is a sample labelled -1, each edge one labelled +1, as in `vertex_cover_samples`.

    Parameters
    ----------
    edges : iterable of pairs of vertices
        The vertices are 0, …, 4; in the figure they are numbered from 1.
    chosen : iterable of vertices
        The vertices whose initial weight is 5, as in `hitting_set_plane`; the others have weight -1.
    place : str, optional
        The name of the figure on the page that it replaces.

    Notes
    -----
    `.X` and `.y` are the samples of the graph as it is now, and `.fit` is the fit of `zero_one` to them,
    without intercept.

    Examples
    --------
    >>> figure = graph([(0, 1), (1, 2), (0, 2)], chosen=[0])
    >>> figure
    explore.graph(n = 8, 2 mistakes)
    >>> figure.fit.certificate
    Certificate(2 ≤ mistakes ≤ 2)
    """
    drawn, heavy = {tuple(sorted(edge, key=str)) for edge in check_edges(edges)}, set(chosen)
    if drawn - set(PAIRS):
        raise ValueError(
            f"`edges` must be pairs of different vertices from 0 to {VERTICES - 1}; got "
            f"{min(drawn - set(PAIRS), key=str)}."
        )
    if heavy - set(range(VERTICES)):
        raise ValueError(f"`chosen` must hold vertices 0, …, {VERTICES - 1}; got {max(heavy)}.")
    X, y = vertex_cover_samples(VERTICES, drawn)
    plane = hitting_set_plane(VERTICES, heavy)
    state = {
        "edges": [int(pair in drawn) for pair in PAIRS],
        "chosen": (plane.w > 0).astype(int).tolist(),
    }
    wrong = int((margins(plane, X, y) <= 0).sum())
    shows = f"{wrong} mistake{'s' * (wrong != 1)}"
    return Explorable("graph", state, shows, _covering, place, _reduced)


def newton(
    X: ArrayLike, y: ArrayLike, *, start: ArrayLike | None = None, place: str | None = None
) -> Explorable:
    """Newton's method for the logistic loss, without intercept: its steps, and the starts that converge.

    Parameters
    ----------
    X, y : samples, shapes (n, 2) and (n,), labels ±1, n ≤ 100
    start : shape (2,), optional
        The initial weights; 0 if None.
    place : str, optional
        The name of the figure on the page that it replaces.

    Notes
    -----
    At most 30 steps are made. The reader can have them damped: halved until the loss decreases by a quarter
    of what its derivative predicts (backtracking line search). `.fit` is the fit of `logistic`, with an
    intercept, to the samples as they are now.

    Examples
    --------
    >>> newton([[1, 0], [0, 1], [1, 1], [2, 1]], [1, -1, 1, -1], start=[3, -2])
    explore.newton(n = 4, undamped from 3, -2)
    """
    state = _samples(X, y)
    state["start"] = (np.zeros(2) if start is None else check_vector(start, 2, "start")).tolist()
    state |= {"damped": False, "k": UPDATES["newton"]}
    shows = f"undamped from {state['start'][0]:g}, {state['start'][1]:g}"
    return Explorable("newton", state, shows, _fit_by(logistic), place)


def regularisation(
    X: ArrayLike,
    y: ArrayLike,
    *,
    test: Samples,
    degree: int = 4,
    lam: float = 0.01,
    place: str | None = None,
) -> Explorable:
    """The strength of an L2 penalty: its effect on a fit, on the weights, and on training and test error.

    Logistic regression on polynomial features, standardised before and after the products are formed.

    Parameters
    ----------
    X, y : samples, shapes (n, 2) and (n,), labels ±1, n ≤ 100
        The training set, whose samples can be moved.
    test : pair (X, y) of samples, as above
        The test set.
    degree : int, 1 to 4
        The initial degree of the polynomial features.
    lam : float, 0.001 ≤ `lam` ≤ 10
        The initial strength λ, rounded to the nearest of 17 positions of the slider.
    place : str, optional
        The name of the figure of the page that it takes the place of.

    Notes
    -----
    `.fit` is a list of what `logistic` learns for each of the 17 strengths, from 0.001 to 10.

    Examples
    --------
    >>> X, y = [[0, 0], [1, 1], [0, 2], [3, 0]], [-1, 1, -1, 1]
    >>> figure = regularisation(X, y, test=([[1, 0], [2, 2]], [1, -1]), degree=2, lam=0.1)
    >>> figure
    explore.regularisation(n = 4, degree 2, λ = 0.1)
    >>> len(figure.fit[8].plane.w)
    5
    """
    state = _samples(X, y)
    new = _samples(*test)
    if not 1 <= check_count(degree, "degree") <= 4:
        raise ValueError(f"`degree` must be 1, 2, 3 or 4; got {degree}.")
    lam = check_number(lam, "lam", least=STRENGTHS[0], most=STRENGTHS[-1])
    k = int(np.abs(np.log(STRENGTHS / lam)).argmin())
    state |= {"T": new["X"], "t": new["y"], "degree": int(degree), "k": k}
    shows = f"degree {degree}, λ = {STRENGTHS[k]:.2g}"
    return Explorable("regularisation", state, shows, _penalised, place)


def softmax(
    X: ArrayLike,
    y: ArrayLike,
    *,
    C: float = 1.0,
    at: ArrayLike | None = None,
    place: str | None = None,
) -> Explorable:
    """Softmax regression of three classes: a point of the plane, and its probabilities in a triangle.

    The features are standardised for the fit. The reader moves the point, and multiplies all scores
    by 1/8, 1/4, 1/2, 1, 2, 4 or 8.

    Parameters
    ----------
    X : shape (n, 2)
    y : shape (n,)
        Labels of any kind, of three classes.
    C : float > 0
        The penalty parameter, as in `estimators.Logistic`.
    at : shape (2,), optional
        The initial point; the mean of the samples if None.
    place : str, optional
        The name of the figure on the page that it replaces.

    Notes
    -----
    `.y` has the numbers 0, 1, 2 of the sorted classes, and `.fit` is the certificate of the fit: its `primal`
    holds a row (w, b) for each class, for standardised features.

    Examples
    --------
    >>> figure = softmax([[0, 0], [4, 0], [0, 4]], ["a", "b", "c"], at=[1, 1])
    >>> figure
    explore.softmax(n = 3, classes a, b, c)
    >>> figure.fit
    Certificate(1.92512 ≤ softmax ≤ 1.92512)
    """
    X = _in_the_plane(check_points(X))
    names, classes = np.unique(np.asarray(y), return_inverse=True)
    if len(names) != 3:
        few = ", ".join(map(str, names[:5]))
        raise ValueError(
            f"`y` must hold three classes, one for each corner of a triangle; got {len(names)}: {few}. "
            "Select the samples of three classes."
        )
    learned = _multinomial(X, classes, C).primal
    W = learned[:, :-1] / X.std(axis=0)  # for the features in their own units
    b = learned[:, -1] - W @ X.mean(axis=0)
    state = {
        "points": X.tolist(),
        "classes": classes.tolist(),
        "names": [str(name) for name in names],
        "W": [_significant(w) for w in W],
        "b": _significant(b),
        "at": (X.mean(axis=0) if at is None else check_vector(at, 2, "at")).tolist(),
        "k": FACTORS.index(1.0),
    }

    def learn(state: State) -> Certificate:
        return _multinomial(np.array(state["points"]), state["classes"], C)

    shows = f"classes {', '.join(state['names'])}"
    return Explorable("softmax", state, shows, learn, place, lambda s: (s["points"], s["classes"]))


# What linlearn learns from a state -------------------------------------------------------------


def _fit_by(method: Callable[..., Fit], *options: str) -> Callable[[State], Fit]:
    """What this method learns, with those of its options that the state holds."""
    return lambda state: method(state["X"], state["y"], **{name: state[name] for name in options})


def _penalised(state: State) -> list[Fit]:
    X = np.array(state["X"])
    A = _polynomial(X, state["degree"], at=X)
    return [logistic(A, state["y"], lam=lam) for lam in STRENGTHS]


def _multinomial(X: Array, classes: ArrayLike, C: float) -> Certificate:
    F = softmax_risk(standardise(X), classes, C=C, sample_weight=None, fit_intercept=True)
    return minimised(F, np.zeros((3, 3)), steps=UPDATES["softmax"])[0]


def _polynomial(X: Array, degree: int, at: Array) -> Array:
    """The features of the points `at`: products of up to `degree` coordinates, in units of the rows of X."""
    powers = [(k - j, j) for k in range(1, degree + 1) for j in range(k + 1)]
    A, B = (_standard(Z, X) for Z in (X, at))
    A, B = (np.column_stack([Z[:, 0] ** i * Z[:, 1] ** j for i, j in powers]) for Z in (A, B))
    return _standard(B, A)


def _standard(X: Array, like: Array) -> Array:
    """As `data.standardise`, but with 0 for a column that is constant in `like`."""
    off = like - like.mean(axis=0)
    spread = np.sqrt((off**2).mean(axis=0))
    varies = spread > 1e-12 * np.abs(like).max(axis=0)
    return np.asarray((X - like.mean(axis=0)) / np.where(varies, spread, np.inf))


def _reduced(state: State) -> Samples:
    edges = [pair for pair, drawn in zip(PAIRS, state["edges"], strict=True) if drawn]
    return vertex_cover_samples(VERTICES, edges)


def _covering(state: State) -> Fit:
    return zero_one(*_reduced(state), fit_intercept=False)


def _of_losses(state: State) -> dict[str, Fit]:
    X, y = state["X"], state["y"]
    return {
        "zero-one": zero_one(X, y),
        "hinge": svm(X, y, C=1 / (PENALTY * len(y))),
        "logistic": logistic(X, y, lam=PENALTY),
        "squared": least_squares(X, y),
    }


def _all(state: State) -> dict[str, Fit]:
    X, y, C = state["X"], state["y"], state["C"]
    methods: dict[str, Callable[[], Fit]] = {
        "perceptron": lambda: learn_perceptron(X, y, max_updates=UPDATES["methods"]),
        "Fisher": lambda: learn_fisher(X, y),
        "LDA": lambda: lda(X, y),
        "least squares": lambda: least_squares(X, y),
        "logistic": lambda: logistic(X, y, lam=1 / (C * len(y))),
        "soft margin": lambda: svm(X, y, C=C),
        "largest margin": lambda: max_margin(X, y),
        "fewest mistakes": lambda: zero_one(X, y),
    }
    fits = {}
    for name, method in methods.items():
        with suppress(ValueError):  # the samples are good: the method refuses them
            fits[name] = method()
    return fits


# What a state is made of ---------------------------------------------------------------------


def _samples(X: ArrayLike, y: ArrayLike, *, fit_intercept: bool = True) -> State:
    X, y = check_samples(X, y, fit_intercept=fit_intercept)
    X = _in_the_plane(X)
    if len(y) > MOST:
        step = -(-len(y) // MOST)
        raise ValueError(
            f"`X` must have at most {MOST} samples, so that each can be moved; got {len(y)}. "
            f"Select some of them: `X[::{step}]` and `y[::{step}]`."
        )
    return {"X": X.tolist(), "y": y.astype(int).tolist()}


def _in_the_plane(X: Array) -> Array:
    if X.shape[1] != 2:
        raise ValueError(
            f"`X` must have 2 columns to be drawn in the plane; got shape {X.shape}. "
            "Select two features, for example `X[:, :2]`."
        )
    return X


def _weights(state: State, alpha: ArrayLike | None) -> Array:
    """Weights ≥ 0, each class's sum ½, shape (n,)."""
    y = np.array(state["y"])
    alpha = (
        np.ones(len(y)) if alpha is None else check_vector(alpha, len(y), "alpha", each="samples")
    )
    sums = np.where(y > 0, alpha[y > 0].sum(), alpha[y < 0].sum())
    if (alpha < 0).any() or (sums == 0).any():
        raise ValueError(
            f"`alpha` must be ≥ 0, with a positive entry in each class; got {alpha}. Leave it out for "
            "equal weights."
        )
    return np.asarray(alpha / sums / 2)


def _rounded(alpha: Array) -> list[float]:
    """As it is written down: other processors may compute another last digit."""
    return [round(a, 10) for a in alpha.tolist()]


def _significant(values: Array) -> list[float]:
    """The same for numbers of any size: nine digits of each."""
    return [float(f"{v:.9g}") for v in values]


def _bisector(state: State, alpha: Array) -> Hyperplane:
    """The line half-way between the two points that weights mean; w = 0 where the points are one."""
    X, y = np.array(state["X"]), np.array(state["y"])
    w = (alpha * y) @ X
    return Hyperplane(w, -float(w @ (alpha @ X)))


def _line(state: State, plane: Hyperplane | None) -> Hyperplane:
    """The line to begin with: that of the user, or the one half-way between the class means.

    Where the means are one point, it is an upright line through it.
    """
    if plane is None:
        share = _weights(state, None)
        middle = share @ np.array(state["X"])
        between = _bisector(state, share)
        return between if between.w.any() else Hyperplane(np.array([1.0, 0.0]), -float(middle[0]))
    if plane.w.shape != (2,) or not plane.w.any():
        raise ValueError(f"`plane` must be a line in ℝ²: two weights, not both 0; got {plane!r}.")
    return plane


def _enclosed(state: State, plane: Hyperplane, alpha: Array) -> str:
    """Both bounds of ρ* in words; that of a line which does not separate is left out."""
    half = enclose_hard_margin(state["X"], state["y"], primal=plane.a, dual=alpha)  # of 1/(2ρ*²)
    lower = f"{(2 * half.upper) ** -0.5:.6g} ≤ " if np.isfinite(half.upper) else ""
    upper = (2 * half.lower) ** -0.5
    return f"{lower}ρ* ≤ {0.0 if upper <= 1e-9 * np.abs(state['X']).max() else upper:.6g}"


# The live widget -----------------------------------------------------------------------------


@cache
def _widget_class() -> Any:
    import anywidget
    import traitlets

    class Widget(anywidget.AnyWidget):
        _esm, _css = script.module(), script.style()
        name = traitlets.Unicode().tag(sync=True)
        state = traitlets.Dict().tag(sync=True)

    return Widget
