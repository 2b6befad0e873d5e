"""Samples on which a method that works on nice ones may fail, for the tests of several methods."""

import numpy as np

import linlearn as ll

OVERLAP = ll.data.drawn(overlap=True)
rng = np.random.default_rng(0)

SAMPLES = {
    "drawn": ll.data.drawn(),
    "overlap": OVERLAP,
    "xor": ll.data.xor(),
    "one per class": (np.array([[1.0, 2.0], [3.0, 5.0]]), np.array([1.0, -1.0])),
    "contradiction": (np.array([[1.0], [1.0]]), np.array([1.0, -1.0])),
    "one point in space": (np.tile([-1.0, 2.0, 2.0], (2, 1)), np.array([1.0, -1.0])),
    "two points": (
        np.array([[1.0, 1]] * 3 + [[0.0, -1]] + [[1.0, 1]] * 3),
        np.array([1.0, 1, 1, -1, -1, -1, -1]),
    ),
    "near contradiction": (np.array([[1.0], [1.0 + 1e-6], [2.0]]), np.array([1.0, -1.0, 1.0])),
    "copied column": (OVERLAP[0][:, [0, 1, 0]], OVERLAP[1]),
    "constant column": (np.column_stack([OVERLAP[0], np.full(28, 3.1)]), OVERLAP[1]),
    "duplicates": (np.repeat(OVERLAP[0], 7, axis=0), np.repeat(OVERLAP[1], 7)),
    "wide": ll.data.gaussians(20, 60, delta=0.5),
    "wide contradictions": (
        np.repeat(ll.data.gaussians(10, 60)[0], 2, axis=0),
        np.tile([1.0, -1.0], 10),
    ),
    "unscaled": (
        ll.data.gaussians(300, 5, delta=1.0)[0] * [1e-6, 1e-3, 1, 1e3, 1e6],
        ll.data.gaussians(300, 5)[1],
    ),
    "far from the origin": (OVERLAP[0] + 1e5, OVERLAP[1]),
    "tiny margin": ll.data.separable(300, 3, margin=1e-5, seed=2),
    "heavy tails": (rng.standard_cauchy((500, 4)), np.where(rng.random(500) < 0.4, 1.0, -1.0)),
    "99:1": (ll.data.gaussians(300, 3, seed=4)[0], np.where(np.arange(300) < 3, 1.0, -1.0)),
    "1 of 20000": (
        np.vstack([np.zeros(6), ll.data.gaussians(20_000, 6)[0]]),
        np.append(1.0, -np.ones(20_000)),
    ),
    "large": ll.data.gaussians(20_000, 10, delta=1.0),
    "large separable": ll.data.separable(20_000, 10, margin=0.01),
}
