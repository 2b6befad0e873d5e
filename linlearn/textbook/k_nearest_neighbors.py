"""The k nearest neighbours of a point, by computing every distance."""

from linlearn.validation import Array


def k_nearest(X: Array, x: Array, k: int) -> list[int]:
    """Indices of the k nearest rows of X; of equals the first."""
    far = [sum((a - b) ** 2 for a, b in zip(z, x)) for z in X]
    left, found = list(range(len(X))), []
    for _ in range(k):
        best = left[0]
        for i in left[1:]:
            if far[i] < far[best]:
                best = i
        found.append(best)
        left.remove(best)
    return found
