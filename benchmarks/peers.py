"""The libraries as contestants: each function returns a thunk that ends in a `Hyperplane`.

A peer that is not installed is None, and its rows say "not installed". Imports and copies into a
peer's own format (sparse matrices for the solvers) are part of its job only where its user, too,
would have to make them at every call.
"""

import warnings
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

from linlearn import Hyperplane

Thunk = Callable[[], Hyperplane]


def _sklearn(make) -> Callable[[np.ndarray, np.ndarray], Thunk]:
    def contestant(X, y):
        def fit():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a peer that stops early says so in its accuracy
                model = make(len(y)).fit(X, y)
            return Hyperplane(np.ravel(model.coef_), float(np.ravel(model.intercept_)[0]))

        return fit

    return contestant


def lda(solver):
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    return _sklearn(lambda n: LinearDiscriminantAnalysis(solver=solver))


def linear_regression(X, y):
    from sklearn.linear_model import LinearRegression

    return _sklearn(lambda n: LinearRegression())(X, y)


def lstsq(X, y):
    return lambda: Hyperplane.from_homogeneous(
        np.linalg.lstsq(np.column_stack([X, np.ones(len(X))]), y, rcond=None)[0]
    )


def logistic_regression(solver, *, lam, tol=None):
    """scikit-learn's C multiplies the sum of the losses: λ = 1/(Cn)."""
    from sklearn.linear_model import LogisticRegression

    def make(n):
        options = {"solver": solver, "C": 1 / (lam * n) if lam else np.inf, "max_iter": 10_000}
        return LogisticRegression(**options, **({} if tol is None else {"tol": tol}))

    return _sklearn(make)


def statsmodels_logit(X, y):
    import statsmodels.api as sm

    design = np.column_stack([X, np.ones(len(X))])
    return lambda: Hyperplane.from_homogeneous(
        sm.Logit((y + 1) / 2, design).fit(disp=0, tol=1e-10).params
    )


def svc(C):
    """LIBSVM, in scikit-learn's scaling C·Σξ."""
    from sklearn.svm import SVC

    return _sklearn(lambda n: SVC(kernel="linear", C=C, cache_size=1000))


def linear_svc(C):
    """LIBLINEAR with the hinge. It penalises the offset, which is another problem: so its w is judged
    with the offset that is best for it, found outside the time that is measured."""
    from sklearn.svm import LinearSVC

    contestant = _sklearn(lambda n: LinearSVC(loss="hinge", C=C, max_iter=10_000))
    contestant.adjusted = best_offset
    return contestant


def best_offset(plane: Hyperplane, X: np.ndarray, y: np.ndarray) -> Hyperplane:
    """The same w with the b that minimises Σ(1 - y(⟨w, x⟩ + b))₊, convex and piecewise linear in b."""
    kinks = y - X @ plane.w
    order = np.argsort(kinks)
    slope = np.cumsum(np.ones(len(y))) - (y > 0).sum()  # behind the k-th kink, whatever its label
    return Hyperplane(plane.w, float(kinks[order][np.flatnonzero(slope >= 0)[0]]))


def highs_lp(X, y):
    """The hinge's linear program in its dual form, the fastest for HiGHS; the plane from its duals."""
    from scipy.optimize import linprog

    n = len(y)
    A = np.vstack([(y[:, None] * X).T, y])

    def solve():
        r = linprog(-np.ones(n), A_eq=A, b_eq=np.zeros(len(A)), bounds=(0, 1 / n), method="highs")
        return Hyperplane.from_homogeneous(-r.eqlin.marginals)

    return solve


def _soft_margin_program(X, y, C):
    """min ½‖w‖² + C Σξ over u = (w, b, ξ) as P, q, G, l: min ½uᵀPu + qᵀu subject to Gu ≥ l."""
    from scipy import sparse

    n, d = X.shape
    P = sparse.diags(np.append(np.ones(d), np.zeros(n + 1))).tocsc()
    q = np.append(np.zeros(d + 1), np.full(n, C))
    Z = y[:, None] * np.column_stack([X, np.ones(n)])
    eye = sparse.identity(n)
    G = sparse.vstack(
        [sparse.hstack([Z, eye]), sparse.hstack([sparse.csc_matrix((n, d + 1)), eye])]
    ).tocsc()
    return P, q, G, np.append(np.ones(n), np.zeros(n))


def clarabel_svm(X, y, *, C):
    """The soft margin as Clarabel wants it, l - Gu in a cone: -Gu ≤ -l."""
    import clarabel

    P, q, G, low = _soft_margin_program(X, y, C)
    A, b = -G, -low

    def solve():
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        cones = [clarabel.NonnegativeConeT(len(b))]
        answer = clarabel.DefaultSolver(P, q, A, b, cones, settings).solve()
        return Hyperplane.from_homogeneous(np.array(answer.x[: X.shape[1] + 1]))

    return solve


def osqp_svm(X, y, *, C):
    """The same quadratic program as OSQP wants it, l ≤ Gu ≤ h, to a tolerance of 1e-6."""
    import osqp

    P, q, G, low = _soft_margin_program(X, y, C)
    high = np.full(len(low), np.inf)
    options = {
        "verbose": False,
        "eps_abs": 1e-6,
        "eps_rel": 1e-6,
        "max_iter": 20_000,
        "time_limit": 60.0,
    }

    def solve():
        solver = osqp.OSQP()
        solver.setup(P, q, G, low, high, **options)
        answer = solver.solve(raise_error=False)
        return Hyperplane.from_homogeneous(np.array(answer.x[: X.shape[1] + 1]))

    return solve


def neighbours(algorithm, Q, *, k):
    """The labels of the points Q, the fit included: that is where a tree is built."""
    from sklearn.neighbors import KNeighborsClassifier

    return lambda X, y: lambda: KNeighborsClassifier(k, algorithm=algorithm).fit(X, y).predict(Q)


def perceptron(*, epochs):
    """scikit-learn's Perceptron, run without shuffling for exactly as many epochs as ours needed."""
    from sklearn.linear_model import Perceptron

    return _sklearn(lambda n: Perceptron(shuffle=False, max_iter=epochs, tol=None, alpha=0.0))


def installed(name: str) -> bool:
    """Whether a peer's package can be imported."""
    return find_spec(name) is not None


__all__ = [
    name for name in dir() if not name.startswith("_") and name not in ("partial", "warnings")
]
