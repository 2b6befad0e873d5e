"""Fisher's direction w = S_W⁻¹(μ₊ - μ₋)."""

import numpy as np

from linlearn.validation import Array


def fisher_direction(X: Array, y: Array) -> Array:
    """w = S_W⁻¹δ: the difference of the means in units of the scatter about them."""
    mu_plus, mu_minus = X[y > 0].mean(axis=0), X[y < 0].mean(axis=0)
    X_W = X - np.where(y[:, None] > 0, mu_plus, mu_minus)
    return np.linalg.solve(X_W.T @ X_W, mu_plus - mu_minus)
