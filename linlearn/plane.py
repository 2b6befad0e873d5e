"""`Hyperplane(w, b)`, margins of samples, and the signed samples zᵢ = yᵢ(xᵢ, 1), the rows of Z."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from linlearn._console import printable
from linlearn.validation import (
    STEEPEST,
    Array,
    check_number,
    check_points,
    check_samples,
    check_vector,
)

OF, WHERE = "weight of the hyperplane", "scores and predictions (`predict`)"  # for the messages


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Hyperplane:  # numpydoc ignore=PR02
    """The set {x : ⟨w, x⟩ + b = 0} with its positive side {x : ⟨w, x⟩ + b > 0}.

    Parameters
    ----------
    w : array-like, shape (d,)
        Normal vector, finite; it points to the positive side. w = 0, which does not define a hyperplane, is
        allowed because the perceptron starts there and some linear programs end there: it has scores and
        predictions, but no distance, projection or canonical form.
    b : float
        The intercept, also called bias or offset.

    Notes
    -----
    Many pairs (w, b) define the same hyperplane; this object keeps the pair. Lesson "Weights, intercept,
    margin".

    Examples
    --------
    >>> plane = Hyperplane([3.0, 4.0], b=-5.0)
    >>> plane.score([[3.0, 4.0]]), plane.distance([[3.0, 4.0]])
    (array([20.]), array([4.]))
    """

    w: Array
    b: float = 0.0

    def __post_init__(self) -> None:
        w = check_vector(self.w, None, "w").copy()
        w.flags.writeable = False  # a hyperplane in a trace must not change behind its back
        object.__setattr__(self, "w", w)
        object.__setattr__(self, "b", check_number(self.b, "b", below=STEEPEST))

    @classmethod
    def from_homogeneous(cls, a: ArrayLike) -> "Hyperplane":
        """The hyperplane with a = (w, b), shape (d+1,): the intercept comes last."""
        a = check_vector(a, None, "a")
        if a.size < 2:
            raise ValueError(f"`a` must have shape (d+1,) with d ≥ 1; got shape {a.shape}.")
        return cls(a[:-1], float(a[-1]))

    @property
    def a(self) -> Array:
        """Homogeneous form (w, b), shape (d+1,)."""
        return np.append(self.w, self.b)

    def score(self, X: ArrayLike) -> Array:
        """f(x) = ⟨w, x⟩ + b for each row, shape (n,)."""
        return check_points(X, d=self.w.size, of=OF, where=WHERE) @ self.w + self.b

    def predict(self, X: ArrayLike) -> Array:
        """Labels sgn f(x) in {-1, +1}, shape (n,); a point on the hyperplane gets -1."""
        return np.where(self.score(X) > 0, 1.0, -1.0)

    def distance(self, X: ArrayLike) -> Array:
        """Signed distance f(x)/‖w‖ in the units of x, shape (n,): positive on the side of w."""
        return self.score(X) / self._norm("distance")

    def project(self, X: ArrayLike) -> Array:
        """The nearest points on the hyperplane, shape (n, d)."""
        unit = self.w / self._norm("project")
        return check_points(X, d=self.w.size, of=OF, where=WHERE) - np.outer(self.distance(X), unit)

    def canonical(self, X: ArrayLike, y: ArrayLike) -> "Hyperplane":
        """The same classifier, scaled so that the smallest margin on (X, y) is 1.

        Raises
        ------
        ValueError
            If the hyperplane does not separate the samples.
        """
        self._norm("canonical")
        gamma = margins(self, X, y).min()
        if gamma <= 0:
            raise ValueError(
                f"`canonical` needs a hyperplane that separates the samples; got smallest margin {gamma:g}."
            )
        return Hyperplane(self.w / gamma, self.b / gamma)

    def _norm(self, what: str) -> float:
        norm = float(np.linalg.norm(self.w))
        if norm == 0:
            raise ValueError(f"`{what}` needs a hyperplane; got w = 0, which has no direction.")
        return norm

    def __repr__(self) -> str:
        w = ", ".join(f"{v + 0.0:.4g}" for v in self.w[:4]) + (", …" if self.w.size > 4 else "")
        return printable(f"Hyperplane(w=[{w}], b={self.b + 0.0:.4g})")


def signed(X: ArrayLike, y: ArrayLike, *, fit_intercept: bool = True) -> Array:
    """The signed samples zᵢ = yᵢ(xᵢ, 1) as rows, shape (n, d+1); zᵢ = yᵢxᵢ if `fit_intercept` is False.

    A hyperplane a = (w, b) separates the samples if and only if Za > 0.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,), labels ±1
    fit_intercept : bool
        False: leave out the last column, for hyperplanes through the origin; a single label is then allowed.

    Examples
    --------
    >>> signed([[2.0, 1.0], [0.0, 3.0]], [1, -1])
    array([[ 2.,  1.,  1.],
           [ 0., -3., -1.]])
    """
    X, y = check_samples(X, y, fit_intercept=fit_intercept)
    Z = np.empty((len(X), X.shape[1] + bool(fit_intercept)))
    np.einsum("ij,i->ij", X, y, out=Z[:, : X.shape[1]])
    Z[:, X.shape[1] :] = y[:, None]
    return Z


def radius(Z: Array) -> float:
    """R = max‖zᵢ‖ over the rows of Z, shape (n, p): the size of the data."""
    squared = float(np.einsum("ij,ij->i", Z, Z).max())
    if squared < 1e-280:  # a product may lose 5e-324: below this that could be a digit
        unit = float(np.abs(Z).max()) or 1.0
        return unit * float(np.linalg.norm(Z / unit, axis=1).max())
    return float(np.sqrt(squared))


def margins(plane: Hyperplane, X: ArrayLike, y: ArrayLike) -> Array:
    """Functional margins mᵢ = yᵢf(xᵢ), shape (n,); a sample with mᵢ ≤ 0 is a mistake, ties included.

    Parameters
    ----------
    plane : Hyperplane
    X, y : samples, shapes (n, d) and (n,), labels ±1
        A single label is allowed.

    Examples
    --------
    >>> margins(Hyperplane([1.0], b=-1.0), [[3.0], [1.0], [0.0]], [1, 1, -1])
    array([2., 0., 1.])
    """
    X, y = check_samples(X, y, fit_intercept=False)
    return y * plane.score(X)


def first_state(start: Hyperplane | None, d: int, *, fit_intercept: bool = True) -> Array:
    """The array of `start`, 0 if there is none, shape (d+1,) or, without intercept, (d,)."""
    if start is None:
        return np.zeros(d + bool(fit_intercept))
    if not isinstance(start, Hyperplane):
        raise ValueError(
            f"`start` must be a Hyperplane; got {type(start).__name__}. Pass `linlearn.Hyperplane(w, b)`."
        )
    if start.w.size != d:
        raise ValueError(f"`start` must have {d} weights, one per feature; got {start.w.size}.")
    if not fit_intercept and start.b != 0:
        raise ValueError(f"`start` must have b = 0 when `fit_intercept=False`; got {start.b:g}.")
    return start.a if fit_intercept else start.w


def plane_of(a: Array, *, fit_intercept: bool) -> Hyperplane:
    """The hyperplane of that array."""
    return Hyperplane.from_homogeneous(a) if fit_intercept else Hyperplane(a)
