"""Linear classifiers that return a certificate of optimality with every fit."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from linlearn._dispatch import register

if TYPE_CHECKING:  # what `__getattr__` imports, for type checkers; `as` makes a name public
    from linlearn import capacity as capacity
    from linlearn import certificates as certificates
    from linlearn import data as data
    from linlearn import estimators as estimators
    from linlearn import explore as explore
    from linlearn import hardness as hardness
    from linlearn import losses as losses
    from linlearn import plot as plot
    from linlearn import practice as practice
    from linlearn.branch_and_bound.steps import ZeroOneStep as ZeroOneStep
    from linlearn.certificates import Certificate as Certificate
    from linlearn.certificates import NotSeparable as NotSeparable
    from linlearn.certificates import Undecided as Undecided
    from linlearn.certified import Certified as Certified
    from linlearn.certified import CertifiedParts as CertifiedParts
    from linlearn.certified import certify as certify
    from linlearn.fit import Fit as Fit
    from linlearn.inference import Summary as Summary
    from linlearn.methods.fisher import fisher as fisher
    from linlearn.methods.fisher import lda as lda
    from linlearn.methods.gradient_descent import gradient_descent as gradient_descent
    from linlearn.methods.ho_kashyap import ho_kashyap as ho_kashyap
    from linlearn.methods.k_nearest_neighbors import Neighbors as Neighbors
    from linlearn.methods.k_nearest_neighbors import k_nearest_neighbors as k_nearest_neighbors
    from linlearn.methods.least_squares import least_squares as least_squares
    from linlearn.methods.linear_program import inequality_form as inequality_form
    from linlearn.methods.linear_program import linear_program as linear_program
    from linlearn.methods.lms import lms as lms
    from linlearn.methods.logistic import logistic as logistic
    from linlearn.methods.perceptron import perceptron as perceptron
    from linlearn.methods.separation import separate as separate
    from linlearn.methods.svm import max_margin as max_margin
    from linlearn.methods.svm import svm as svm
    from linlearn.methods.zero_one import zero_one as zero_one
    from linlearn.plane import Hyperplane as Hyperplane
    from linlearn.plane import margins as margins
    from linlearn.plane import signed as signed
    from linlearn.solvers.logistic import NewtonStep as NewtonStep
    from linlearn.solvers.sample_path import PerceptronStep as PerceptronStep
    from linlearn.solvers.sample_path import SampleStep as SampleStep
    from linlearn.table import Table as Table
    from linlearn.trace import HoKashyapStep as HoKashyapStep
    from linlearn.trace import Step as Step
    from linlearn.trace import Trace as Trace

__version__ = "0.1.0"

# `svm(path)` finds its out-of-core version here.
register(lambda name: getattr(import_module("linlearn.out_of_core.methods"), name))

# Where names are defined that are imported when first asked for, since no program needs all of them.
_DEFINED_IN = {
    "branch_and_bound.steps": "ZeroOneStep",
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
}
_HOME = {name: module for module, names in _DEFINED_IN.items() for name in names.split()}
_MODULES = "capacity certificates data estimators explore hardness losses plot practice"

__all__ = sorted([*_HOME, *_MODULES.split()])


def __getattr__(name: str) -> Any:
    if name in _HOME:
        found = getattr(import_module(f"linlearn.{_HOME[name]}"), name)
        return globals().setdefault(name, found)
    if name in __all__:
        return import_module(f"linlearn.{name}")
    raise AttributeError(f"module 'linlearn' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
