"""Linear classifiers that return a certificate of optimality with every fit."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from linlearn._dispatch import register

if TYPE_CHECKING:  # what `__getattr__` imports, for type checkers
    from linlearn import (
        capacity,
        certificates,
        data,
        estimators,
        explore,
        hardness,
        losses,
        plot,
        practice,
    )
    from linlearn.branch_and_bound.steps import ZeroOneStep
    from linlearn.certificates import Certificate, NotSeparable, Undecided
    from linlearn.certified import Certified, CertifiedParts, certify
    from linlearn.fit import Fit
    from linlearn.inference import Summary
    from linlearn.methods.fisher import fisher, lda
    from linlearn.methods.gradient_descent import gradient_descent
    from linlearn.methods.ho_kashyap import ho_kashyap
    from linlearn.methods.k_nearest_neighbors import Neighbors, k_nearest_neighbors
    from linlearn.methods.least_squares import least_squares
    from linlearn.methods.linear_program import inequality_form, linear_program
    from linlearn.methods.lms import lms
    from linlearn.methods.logistic import logistic
    from linlearn.methods.perceptron import perceptron
    from linlearn.methods.separation import separate
    from linlearn.methods.svm import max_margin, svm
    from linlearn.methods.zero_one import zero_one
    from linlearn.plane import Hyperplane, margins, signed
    from linlearn.solvers.logistic import NewtonStep
    from linlearn.solvers.sample_path import PerceptronStep, SampleStep
    from linlearn.table import Table
    from linlearn.trace import HoKashyapStep, Step, Trace

__version__ = "0.1.0"

# `svm(path)` finds its out-of-core version here.
register(lambda name: getattr(import_module("linlearn.out_of_core.methods"), name))

__all__ = [
    "Certificate",
    "Certified",
    "CertifiedParts",
    "Fit",
    "HoKashyapStep",
    "Hyperplane",
    "Neighbors",
    "NewtonStep",
    "NotSeparable",
    "PerceptronStep",
    "SampleStep",
    "Step",
    "Summary",
    "Table",
    "Trace",
    "Undecided",
    "ZeroOneStep",
    "capacity",
    "certificates",
    "certify",
    "data",
    "estimators",
    "explore",
    "fisher",
    "gradient_descent",
    "hardness",
    "ho_kashyap",
    "inequality_form",
    "k_nearest_neighbors",
    "lda",
    "least_squares",
    "linear_program",
    "lms",
    "logistic",
    "losses",
    "margins",
    "max_margin",
    "perceptron",
    "plot",
    "practice",
    "separate",
    "signed",
    "svm",
    "zero_one",
]

# Where names are defined that are imported when first asked for, since no program needs all of them.
_DEFINED_IN = {
    "certificates": "Certificate NotSeparable Undecided",
    "certified": "Certified CertifiedParts certify",
    "fit": "Fit",
    "inference": "Summary",
    "methods.fisher": "fisher lda",
    "methods.gradient_descent": "gradient_descent",
    "methods.ho_kashyap": "ho_kashyap",
    "methods.k_nearest_neighbors": "Neighbors k_nearest_neighbors",
    "methods.least_squares": "least_squares",
    "methods.linear_program": "inequality_form linear_program",
    "methods.lms": "lms",
    "methods.logistic": "logistic",
    "methods.perceptron": "perceptron",
    "methods.separation": "separate",
    "methods.svm": "max_margin svm",
    "methods.zero_one": "zero_one",
    "plane": "Hyperplane margins signed",
    "solvers.logistic": "NewtonStep",
    "solvers.sample_path": "PerceptronStep SampleStep",
    "table": "Table",
    "trace": "HoKashyapStep Step Trace",
    "branch_and_bound.steps": "ZeroOneStep",
}
_HOME = {name: module for module, names in _DEFINED_IN.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        found = getattr(import_module(f"linlearn.{_HOME[name]}"), name)
        return globals().setdefault(name, found)
    if name in __all__:
        return import_module(f"linlearn.{name}")
    raise AttributeError(f"module 'linlearn' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
