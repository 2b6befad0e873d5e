"""Out-of-core learning: the methods that need only sums over samples, for files, Dask and sparse matrices.

`tree` adds, `sources` read, `samples` looks before anything is computed, `losses` and `hinge` enclose,
`newton` descends, `fits` answers.
Nothing of this is imported before the first such samples come: see `linlearn._dispatch`.
"""

from linlearn.out_of_core.fits import (
    enclose_fisher,
    enclose_hinge,
    enclose_least_squares,
    enclose_logistic,
    enclose_soft_margin,
    fisher,
    lda,
    least_squares,
    linear_program,
    logistic,
    svm,
)

__all__ = [
    "enclose_fisher",
    "enclose_hinge",
    "enclose_least_squares",
    "enclose_logistic",
    "enclose_soft_margin",
    "fisher",
    "lda",
    "least_squares",
    "linear_program",
    "logistic",
    "svm",
]
