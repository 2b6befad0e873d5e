"""Linear classifiers whose every answer carries its proof: the package of "Linear classification"."""

from importlib import import_module
from typing import Any

from linlearn import capacity, certificates, data, hardness, losses
from linlearn.certificates import Certificate, NotSeparable
from linlearn.fit import Fit
from linlearn.methods.perceptron import PerceptronStep, perceptron, perceptron_steps
from linlearn.methods.separation import separate
from linlearn.plane import Hyperplane, margins, signed
from linlearn.trace import Step, Trace

__version__ = "0.1.0"

__all__ = [
    "Certificate",
    "Fit",
    "Hyperplane",
    "NotSeparable",
    "PerceptronStep",
    "Step",
    "Trace",
    "capacity",
    "certificates",
    "data",
    "hardness",
    "losses",
    "margins",
    "perceptron",
    "perceptron_steps",
    "plot",
    "separate",
    "signed",
]


def __getattr__(name: str) -> Any:
    """`linlearn.plot` needs matplotlib, so it is imported when first asked for."""
    if name == "plot":
        return import_module("linlearn.plot")
    raise AttributeError(f"module 'linlearn' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
