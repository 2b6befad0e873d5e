"""Linear classifiers that return a certificate of optimality with every fit."""

from importlib import import_module
from typing import Any

from linlearn import capacity, certificates, data, hardness, losses
from linlearn._dispatch import register
from linlearn.certificates import Certificate, NotSeparable, Undecided
from linlearn.certify import Certified, CertifiedParts, certify
from linlearn.fit import Fit
from linlearn.inference import Summary
from linlearn.methods.fisher import fisher, lda
from linlearn.methods.gradient_descent import gradient_descent, gradient_descent_steps
from linlearn.methods.ho_kashyap import ho_kashyap, ho_kashyap_steps
from linlearn.methods.k_nearest_neighbors import Neighbors, k_nearest_neighbors
from linlearn.methods.least_squares import least_squares
from linlearn.methods.linear_program import linear_program, standard_form
from linlearn.methods.lms import lms, lms_steps
from linlearn.methods.logistic import logistic, logistic_steps
from linlearn.methods.perceptron import perceptron, perceptron_steps
from linlearn.methods.separation import separate
from linlearn.methods.svm import max_margin, svm, svm_path
from linlearn.methods.zero_one import zero_one, zero_one_steps
from linlearn.plane import Hyperplane, margins, signed
from linlearn.solvers.newton import NewtonStep
from linlearn.solvers.sample_path import PerceptronStep, SampleStep
from linlearn.table import Table
from linlearn.trace import HoKashyapStep, Step, Trace
from linlearn.zero_one.progress import ZeroOneStep

__version__ = "0.1.0"

register(lambda name: getattr(import_module("linlearn.out_of_core"), name))

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
    "gradient_descent_steps",
    "hardness",
    "ho_kashyap",
    "ho_kashyap_steps",
    "k_nearest_neighbors",
    "lda",
    "least_squares",
    "linear_program",
    "lms",
    "lms_steps",
    "logistic",
    "logistic_steps",
    "losses",
    "margins",
    "max_margin",
    "perceptron",
    "perceptron_steps",
    "plot",
    "practice",
    "separate",
    "signed",
    "standard_form",
    "svm",
    "svm_path",
    "zero_one",
    "zero_one_steps",
]


def __getattr__(name: str) -> Any:
    """Imported when first asked for: `plot` needs matplotlib, `estimators` scikit-learn, the others files."""
    if name in ("estimators", "explore", "plot", "practice"):
        return import_module(f"linlearn.{name}")
    raise AttributeError(f"module 'linlearn' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
