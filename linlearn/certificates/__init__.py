"""Why we believe an answer: lower ≤ optimum ≤ upper, each end with a witness anyone can check."""

from collections.abc import Callable

from linlearn.certificates.certificate import Certificate, NotSeparable
from linlearn.certificates.exact import gordan_exact, margin_exact
from linlearn.certificates.margin import enclose_margin

ENCLOSE: dict[str, Callable[..., Certificate]] = {"margin": enclose_margin}

__all__ = [
    "ENCLOSE",
    "Certificate",
    "NotSeparable",
    "enclose_margin",
    "gordan_exact",
    "margin_exact",
]
