"""Certificates lower ≤ optimum ≤ upper, each end with a witness that anyone can check."""

from collections.abc import Callable

from linlearn.certificates.certificate import Certificate, NotSeparable, Undecided
from linlearn.certificates.empirical_risk import enclose_empirical_risk
from linlearn.certificates.fisher import enclose_fisher
from linlearn.certificates.hinge import enclose_hinge
from linlearn.certificates.hinge_exact import hard_margin_exact, hinge_exact, soft_margin_exact
from linlearn.certificates.least_squares import enclose_least_squares
from linlearn.certificates.logistic import enclose_logistic, recedes
from linlearn.certificates.margin import enclose_margin
from linlearn.certificates.mistakes import enclose_mistakes
from linlearn.certificates.regularised_risk import enclose_regularised_risk
from linlearn.certificates.ridge import enclose_ridge
from linlearn.certificates.soft_margin import enclose_hard_margin, enclose_soft_margin
from linlearn.certificates.softmax import enclose_softmax
from linlearn.certificates.sparse_dual import SparseDual
from linlearn.certificates.zero_one_witnesses import Claim, Cover, Packing
from linlearn.exact.gordan import gordan_exact, margin_exact

ENCLOSE: dict[str, Callable[..., Certificate]] = {
    "empirical risk": enclose_empirical_risk,
    "fisher": enclose_fisher,
    "hard margin": enclose_hard_margin,
    "hinge": enclose_hinge,
    "least squares": enclose_least_squares,
    "logistic": enclose_logistic,
    "margin": enclose_margin,
    "mistakes": enclose_mistakes,
    "regularised risk": enclose_regularised_risk,
    "ridge": enclose_ridge,
    "soft margin": enclose_soft_margin,
    "softmax": enclose_softmax,
}
"""For each quantity the function that encloses it: `Fit.verify` calls it with the fit's witnesses."""

__all__ = [
    "ENCLOSE",
    "Certificate",
    "Claim",
    "Cover",
    "NotSeparable",
    "Packing",
    "SparseDual",
    "Undecided",
    "enclose_empirical_risk",
    "enclose_fisher",
    "enclose_hard_margin",
    "enclose_hinge",
    "enclose_least_squares",
    "enclose_logistic",
    "enclose_margin",
    "enclose_mistakes",
    "enclose_regularised_risk",
    "enclose_ridge",
    "enclose_soft_margin",
    "enclose_softmax",
    "gordan_exact",
    "hard_margin_exact",
    "hinge_exact",
    "margin_exact",
    "recedes",
    "soft_margin_exact",
]
