"""Out-of-core learning: the methods that need only sums over samples, for files, Dask and sparse matrices.

`sources` reads blocks, `tree_reduction` adds sums over them, `samples` validates and centres, `losses` and
`hinge` enclose the optimum, `newton` minimises, and `methods` holds the methods under their own names.
Nothing here is imported before such samples are passed to a method: see `linlearn._dispatch`.
"""
