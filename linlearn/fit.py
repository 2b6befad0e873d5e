"""`Fit`, what every method returns: hyperplane, trace, certificate; `verify`, `summary`, `save`, `load`."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from linlearn._dispatch import REMEDIES, out_of_core_kind
from linlearn._html import bounded_in_words, fit_html
from linlearn._npz import Stored, is_count, open_stored, write
from linlearn.certificates import ENCLOSE, Certificate, SparseDual
from linlearn.certificates.certificate import in_words
from linlearn.certificates.logistic import signed_scores
from linlearn.certificates.to_npz import CLAIM_KEYS, claim_from_dict, claim_to_dict
from linlearn.collinearity import near_dependence
from linlearn.inference import Summary, summary
from linlearn.plane import Hyperplane
from linlearn.trace import LastStep, Trace
from linlearn.validation import (
    Array,
    as_array,
    check_columns,
    check_names,
    check_number,
    check_points,
    check_samples,
    check_truth,
)

# In 1, C was n times what it is; 2 had no sums; in 3, weights kept their sum; 4 had no number of samples.
FORMAT = "linlearn fit 6"
CONVERGED = 1e-6  # relative gap up to which a fit counts as converged
CERTAIN = 1000.0  # log-odds of which floats make 0 and 1, with room to spare
# What helps beside dropping a column, by quantity.
PENALTY = {"logistic": ", or raise `lam`", "soft margin": ", or lower `C`"}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Fit:
    """The result of a method: the fitted hyperplane, the trace of the run and the certificate.

    >>> import linlearn as ll
    >>> fit = ll.perceptron([[2.0], [0.5], [-1.0]], [1, 1, -1])
    >>> fit
    Fit(w=[2], b=1, 1 update, 0.447214 ≤ augmented margin ≤ 2.23607)
    >>> fit.verify([[2.0], [0.5], [-1.0]], [1, 1, -1])
    Certificate(0.447214 ≤ augmented margin ≤ 2.23607)
    """

    plane: Hyperplane
    trace: Trace
    certificate: Certificate
    diagnosis: str = ""
    """Which nearly dependent columns may leave the certificate open, and what to do."""

    @classmethod
    def of(cls, X: Array, plane: Hyperplane, trace: Trace, certificate: Certificate) -> "Fit":
        """The fit of these samples, with a diagnosis if its certificate leaves a gap."""
        fit = cls(plane, trace, certificate)
        if fit.converged and certificate.score_bound == np.inf:
            return fit
        cause = near_dependence(X)
        remedy = PENALTY.get(certificate.quantity, "")
        return replace(fit, diagnosis=f"{cause}{remedy}" if cause else "")

    @property
    def limit(self) -> Hyperplane | None:
        """The classifier for points on the hyperplane, if a logistic loss has no minimiser; else None.

        The loss decreases to its infimum along t·plane + limit as t → ∞. So the predicted probabilities tend
        to 0 or 1 off the hyperplane, and on it to those given by the scores of `limit`.
        """
        if self.certificate.attained is not False:
            return None
        return Hyperplane.from_homogeneous(self.certificate.options["start"])

    def decision_function(self, X: ArrayLike) -> Array:
        """Scores f(x) = ⟨w, x⟩ + b, shape (n,).

        If there is a `limit`, points on the hyperplane (decided without rounding) get its scores. Points off
        it get scores beyond ±1000 in place of ±∞, so that their probabilities are 0 or 1 and their order is
        kept.
        """
        if (limit := self.limit) is None:
            return self.plane.score(X)
        f, on = self._on_which_side(X), limit.score(X)
        return np.where(f == 0, on, f + np.copysign(CERTAIN, f))

    def _on_which_side(self, X: ArrayLike) -> Array:
        """f(x), shape (n,), with the sign that it has without rounding; 0 exactly on the hyperplane."""
        X, exact = check_points(X, d=self.plane.w.size), self.certificate.options.get("exact")
        way = None if exact is None else [Fraction(v) for v in exact]
        scores = signed_scores(np.column_stack([X, np.ones(len(X))]), self.plane.a, way)
        assert scores is not None  # no least one was asked for
        return scores

    def predict(self, X: ArrayLike) -> Array:
        """Labels sgn f(x) in {-1, +1}, shape (n,); on the hyperplane -1, or the label given by `limit`."""
        return np.where(self.decision_function(X) > 0, 1.0, -1.0)

    def score(self, X: ArrayLike, y: ArrayLike) -> float:
        """The accuracy: the proportion of samples classified correctly. A single class is allowed."""
        X, y = check_samples(X, y, fit_intercept=False)
        return float(np.mean(self.predict(X) == y))

    @property
    def converged(self) -> bool:
        """Whether the method converged: whether the relative gap of its certificate is at most 1e-6.

        If the certificate encloses a margin, a proof that the samples are separable or inseparable suffices.
        For the number of mistakes the bounds must be equal.
        """
        claim = self.certificate
        if claim.quantity == "margin":
            return claim.separable is not None
        return claim.relative_gap <= (0.0 if claim.quantity == "mistakes" else CONVERGED)

    def verify(self, X: ArrayLike, y: ArrayLike) -> Certificate:
        """Recompute the certificate from (X, y), the witnesses and its options.

        The bounds that it states must hold up to 1e-12 of `scale`, or of the bound itself if that is larger:
        other processors add in another order. For sums in blocks it is 1e-9; the number of
        mistakes must agree.

        Raises
        ------
        ValueError
            If the witnesses do not prove the claim of the certificate on these data, or if the
            primal witness is not the hyperplane of the fit.
        """
        claim = self.certificate
        if claim.quantity not in ENCLOSE:
            raise ValueError(
                "`quantity` must be one that this version of linlearn can enclose; got "
                f"{claim.quantity!r}. Verify with the version of linlearn that made the fit."
            )
        whole = np.array_equal(claim.primal, self.plane.a)
        direction = np.array_equal(claim.primal, self.plane.w)  # Fisher's ratio leaves b open
        through_origin = claim.options.get("fit_intercept") is False
        if not (whole or (direction and not (through_origin and self.plane.b))):
            lacks_b = claim.primal.size == self.plane.w.size
            given = claim.primal if not lacks_b else np.append(claim.primal, 0.0)
            raise ValueError(
                f"the primal witness must be the hyperplane of this fit, {self.plane!r}; got "
                f"{Hyperplane.from_homogeneous(given)!r}. The two come from different fits: fit again."
            )
        check_rows(claim, y)
        if out_of_core_kind(X) not in REMEDIES:
            shape = getattr(X, "shape", None) or as_array(X, "X").shape
            check_columns(shape, self.plane.w.size, "feature of the fit")
        dual = claim.dual
        if isinstance(dual, np.ndarray) and out_of_core_kind(X) in REMEDIES:
            dual = SparseDual(np.arange(len(dual)), dual)  # for as many samples as there may be
        found = ENCLOSE[claim.quantity](X, y, primal=claim.primal, dual=dual, **claim.options)
        check_sample_count(claim, found.sample_count)  # of samples read from files
        if (
            unproved_answer(claim, found)
            or not claim_holds(claim, found)
            or claim.score_bound > found.score_bound
        ):
            raise ValueError(not_proved(claim, found))
        return found

    def summary(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        level: float = 0.95,
        firth: bool = False,
        names: Sequence[str] | None = None,
    ) -> Summary:
        """Standard errors, confidence intervals and likelihood-ratio tests of a logistic regression.

        Parameters
        ----------
        X, y : the samples of the fit
            The fit does not keep them; `verify` makes sure that these are the same.
        level : float in (0, 1)
            The confidence level of the intervals.
        firth : bool
            Maximise Firth's penalised likelihood instead, whose estimates are finite even if the samples are
            separable.
        names : d names of the columns, optional
            If None, the column names of a data frame, otherwise x1, x2, ….

        Returns
        -------
        Summary
            The coefficients, as a table and as arrays.

        Raises
        ------
        ValueError
            If the fit is not a maximum-likelihood estimate (another method, a penalty, sample weights), or if
            columns are linearly dependent; the message names them.

        Notes
        -----
        Wald intervals are estimate ± z · standard error. A profile interval contains the values of the
        coefficient that the likelihood-ratio test, with all other coefficients refitted, does not reject;
        each of its ends solves an equation (Venzon and Moolgavkar 1988). Firth (1993) adds ½ ln det I to the
        log-likelihood, where I is the Fisher information; the tests are the same for the penalised
        likelihood (Heinze and Schemper 2002). That one need not be concave: of several maxima the highest
        that was found is shown, and the note says so. Lesson "Logistic regression".

        >>> import linlearn as ll
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [-1, 1, -1, 1]
        >>> ll.logistic(X, y).summary(X, y, names=["dose"]).profile.round(3).tolist()
        [[-0.96, 4.011], [-7.034, 2.155]]
        """
        claim = self.certificate
        if claim.quantity != "logistic":
            raise ValueError(
                "`summary` describes a maximum-likelihood estimate; this fit optimises the "
                f"{in_words(claim)}, which is not a likelihood. Fit `logistic(X, y)`."
            )
        if claim.options["lam"]:
            raise ValueError(
                f"`summary` needs `lam=0`; this fit has lam={claim.options['lam']:g}. A penalty biases the "
                "estimates towards 0 by an unknown amount, so intervals around them would not have their "
                "nominal coverage. Fit with `lam=0`, then call `summary(X, y)`, or "
                "`summary(X, y, firth=True)` if there is no finite estimate."
            )
        if claim.options["sample_weight"] is not None:
            raise ValueError(
                "`summary` needs a fit without sample weights: standard errors depend on what a weight "
                "means. If it counts identical samples, repeat each row that often and fit again."
            )
        level = check_number(level, "level", above=0, below=1)
        firth = check_truth(firth, "firth")
        names = check_names(X, names)
        X, y = check_samples(X, y)
        self.verify(X, y)
        return summary(X, y, names, level=level, firth=firth, attained=claim.attained)

    def to_json(self, *, limit: float = 30.0) -> str:
        """The certificate as JSON, for the checker `linlearn/check.py`, a file that needs Python alone."""
        return self.certificate.to_json(limit=limit)

    def save(
        self, path: str | os.PathLike[str], *, beside: Mapping[str, Any] | None = None
    ) -> None:
        """Write the hyperplane, the certificate and its witnesses to `path` (NumPy's .npz, nothing pickled).

        Of the trace, only the number of the last state is kept. `beside` holds further arrays to be written
        to the same file.
        """
        head, arrays = claim_to_dict(self.certificate)
        head |= {"format": FORMAT, "k": self.trace[-1].k, "count": self.trace[-1].count}
        arrays |= {"head": json.dumps(head), "w": self.plane.w, "b": self.plane.b}
        write(path, arrays | dict(beside or {}))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Fit":
        """Read what `save` wrote; call `verify` on the result before you rely on it.

        Raises
        ------
        ValueError
            If the file is damaged or was not written by `save`. Never more is read than the file's length.
        """
        with open_stored(path, "Fit.save", FORMAT) as stored:
            return cls.read(stored)

    @classmethod
    def read(cls, stored: Stored) -> "Fit":
        """The fit among the members of an open file."""
        if "head" not in stored.members and "claim" in stored.members:
            raise ValueError("it holds a multiclass model. Use `estimators.load`")
        head = stored.head("head", FORMAT, (*CLAIM_KEYS, "k", "count"))
        plane = Hyperplane(stored.array("w", "f", None), float(stored.array("b", "f")))
        primal = stored.array("primal", "f", None)
        if primal.size not in (plane.w.size, plane.w.size + 1):
            raise ValueError(
                f"'primal' has {primal.size} entries, but the hyperplane has {plane.w.size} weights"
            )
        certificate = claim_from_dict(head, stored, primal)
        match head["count"]:
            case [done, str(unit)] if is_count(head["k"]) and is_count(done):
                last = LastStep(k=head["k"], plane=plane, done=done, unit=unit)
                return cls(plane, Trace((last,)), certificate)
        raise ValueError("a count in 'head' is not an integer ≥ 0")

    def __repr__(self) -> str:
        proof = repr(self.certificate).removeprefix("Certificate(").removesuffix(")")
        return (
            f"Fit({', '.join([self._plane, *self._counted, proof, *self._separated, *self._open])})"
        )

    def _repr_html_(self) -> str:
        head = [self._plane, *self._counted, *self._separated, *self._open]
        return fit_html(head, self.certificate)

    @property
    def _open(self) -> list[str]:
        """Whether a gap is left, and why."""
        cause = f": {self.diagnosis}" if self.diagnosis else ""
        return [] if self.converged else [f"not converged{cause}"]

    @property
    def _plane(self) -> str:
        return repr(self.plane).removeprefix("Hyperplane(").removesuffix(")")

    @property
    def _separated(self) -> list[str]:
        """Quasi-complete separation (Albert and Anderson 1984): the classifier on the hyperplane itself."""
        limit = self.limit
        if limit is None or not self.certificate.upper > 0:
            return []
        decides = repr(limit).removeprefix("Hyperplane(").removesuffix(")")
        return [f"quasi-separated: where f(x) = 0 decides {decides}"]

    @property
    def _counted(self) -> list[str]:
        done, unit = self.trace[-1].count
        return [f"{done} {unit}{'' if done == 1 else 's'}"] if unit else []


def not_proved(claim: Certificate, found: Certificate) -> str:
    """What is said of witnesses that do not prove a claim; six digits, or all if those are the same."""
    again = (
        "Pass the samples and labels that the model was fitted on, in the same order and on the same scale; "
        "if these are the same, fit again."
    )
    answer = unproved_answer(claim, found)
    if answer and claim_holds(claim, found):
        return (
            f"the certificate claims that {answer}, but on these samples the stored primal and dual "
            f"solutions do not prove it. {again}"
        )
    ends = [(one.lower, one.upper) for one in (claim, found)]
    digits = 6 if len({tuple(f"{end:.6g}" for end in one) for one in ends}) == 2 else 17
    said, proved = (
        f"{low:.{digits}g} ≤ {in_words(claim)} ≤ {high:.{digits}g}" for low, high in ends
    )
    contradicted = found.score_bound == np.inf and (
        found.lower > claim.upper or found.upper < claim.lower
    )
    verdict = f"only {proved}{bounded_in_words(found)}"
    if contradicted:
        verdict = f"{proved}, which contradicts it: the certificate is wrong for these samples"
    return (
        f"the certificate claims {said}, but on these samples the stored primal and dual solutions prove "
        f"{verdict}. {again}"
    )


def unproved_answer(claim: Certificate, found: Certificate) -> str:
    """What a claim says beside its bounds, if the certificate found does not prove it; else nothing."""
    if claim.separable is not None and claim.separable != found.separable:
        return f"the samples are {'' if claim.separable else 'in'}separable"
    if claim.attained is not None and claim.attained is not found.attained:
        return f"{'a' if claim.attained else 'no'} hyperplane attains the optimum"
    return ""


def check_rows(claim: Certificate, y: ArrayLike) -> None:
    """Refuse labels of another number of samples than the certificate is about."""
    shape = getattr(y, "shape", None) or ((len(y),) if isinstance(y, list | tuple) else ())
    if shape and isinstance(shape[0], int):
        check_sample_count(claim, shape[0])


def check_sample_count(claim: Certificate, n: int | None) -> None:
    """Refuse another number of samples than the certificate is about, if both are known."""
    expected = claim.sample_count
    if expected is not None and n is not None and n != expected:
        raise ValueError(
            f"`X` and `y` must be the {expected} samples of the fit; got {n}. Pass the "
            "whole training set, in the same order."
        )


def claim_holds(claim: Certificate, found: Certificate) -> bool:
    """Whether no end claimed is better than the one found, up to another processor's rounding of the sums.

    The tolerance is 1e-12 times the larger of `scale` and the modulus of the bound; 1e-9 times, if one of the
    two was proved from sums in blocks. The number of mistakes must agree exactly.
    """
    part = 1e-9 if claim.dual_is_summary or found.dual_is_summary else 1e-12
    part = 0.0 if claim.quantity == "mistakes" else part

    def end(one: float) -> float:
        return one + part * max(found.scale, abs(one)) if abs(one) < np.inf else one

    return claim.lower <= end(found.lower) and found.upper <= end(claim.upper)
