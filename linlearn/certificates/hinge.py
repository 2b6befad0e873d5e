"""Enclose the least mean hinge loss: hyperplanes bound it from above, dual variables from below."""

import numpy as np
from numpy.typing import ArrayLike

from linlearn._dispatch import out_of_core
from linlearn.certificates.ball import quietly
from linlearn.certificates.certificate import Certificate, store_samples
from linlearn.certificates.duality import HingeTerms, Margins, lower_bound
from linlearn.certificates.sample_weights import SampleWeights, Weights
from linlearn.certificates.samples import Samples
from linlearn.certificates.sparse_dual import SparseDual, multipliers
from linlearn.validation import Array, check_samples, check_vector, clean_multipliers


@store_samples
@out_of_core
@quietly
def enclose_hinge(
    X: ArrayLike,
    y: ArrayLike,
    *,
    primal: ArrayLike,
    dual: ArrayLike | SparseDual,
    sample_weight: Weights = None,
) -> Certificate:
    """Enclose min over (w, b) of Σ cᵢ(1 - mᵢ)₊ = max Σαᵢ over 0 ≤ α ≤ c, Zᵀα = 0.

    Here cᵢ = sᵢ/Σs for sample weights s, and cᵢ = 1/n without weights, so that the sum is a weighted mean.
    For any (w, b) and any such α, Σαᵢ = Σαᵢ(1 - mᵢ) ≤ Σ cᵢ(1 - mᵢ)₊.

    Parameters
    ----------
    X, y : samples, shapes (n, d) and (n,)
    primal : shape (d+1,)
        Any hyperplane a = (w, b).
    dual : shape (n,), or `SparseDual`
        Any dual variables: negative and non-finite ones are set to 0, and the others are clipped to cᵢ. They
        are then moved towards Zᵀα = 0 within 0 ≤ α ≤ c, and what the remaining residual can cost is
        subtracted from the bound.
    sample_weight : None, "balanced" or s, shape (n,)
        As in `linear_program`.

    Notes
    -----
    The lower bound is Σαᵢ(1 - m̂ᵢ) - ⟨a - â, Zᵀα⟩ at the given â, where the last term is bounded over all a
    whose objective is no larger (`duality`). Linear programming duality: lesson "LP duality".

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0]], [1, -1, 1]
    >>> enclose_hinge(X, y, primal=[0.0, 1.0], dual=[1 / 6, 1 / 3, 1 / 6])
    Certificate(0.666667 ≤ hinge ≤ 0.666667)
    """
    X, y = check_samples(X, y)
    a, s = check_vector(primal, X.shape[1] + 1, "primal"), SampleWeights.of(y, sample_weight)
    alpha = multipliers(dual, X, y, a, s.shares().rounded)
    return hinge_certificate(Samples(X), y, s, a, alpha)


@quietly
def hinge_certificate(S: Samples, y: Array, s: SampleWeights, a: Array, dual: Array) -> Certificate:
    """`enclose_hinge` of samples already checked."""
    c = s.shares()
    alpha = np.minimum(clean_multipliers(dual, len(y)), c.below)
    margins = Margins.at(S, y, a)
    upper = float(margins.hinge_loss(c).hi)
    found = lower_bound(margins, HingeTerms(c.below), alpha, upper, scale=1.0)
    options = {"sample_weight": s.given}
    return Certificate("hinge", found.lower, upper, a, alpha, options, 1.0, found.score_bound)
