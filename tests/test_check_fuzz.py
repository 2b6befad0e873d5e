"""Claims that are false, from true ones by all sorts of changes: the checker and `Fit.verify` accept none.

What is true an oracle says that shares no code with them. `make test` tries a few sets of samples; with
FUZZ=1 in the environment there are 20,000 changed claims and 5,000 true ones, at least.
"""

import json
import os
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import inf

import exact_oracle
import numpy as np
import pytest

import linlearn as ll
from linlearn import check
from linlearn.certificates import Cover, enclose_ridge
from linlearn.certificates.least_squares import regression_targets

FUZZ = os.environ.get("FUZZ") == "1"
PARTS, SETS, CHANGES = (48, 4, 9) if FUZZ else (2, 2, 9)


def ridge(X, y, lam, targets="labels"):
    """Its best plane and residuals, as no method of the package finds them."""
    t = regression_targets(y, targets)
    middle = X - X.mean(0)
    w = np.linalg.solve(
        middle.T @ middle + len(y) * lam * np.eye(X.shape[1]), middle.T @ (t - t.mean())
    )
    a = np.append(w, t.mean() - X.mean(0) @ w)
    found = enclose_ridge(X, y, primal=a, dual=t - X @ w - a[-1], lam=lam, targets=targets)
    return ll.Fit(ll.Hyperplane.from_homogeneous(a), ll.least_squares(X, y).trace, found)


METHODS = {
    "margin": ll.separate,
    "margin through 0": lambda X, y: ll.separate(X, y, fit_intercept=False),
    "margin, not reached": lambda X, y: ll.perceptron(X, y, max_updates=7),
    "hard margin": ll.max_margin,
    "soft margin": lambda X, y: ll.svm(X, y, C=0.3),
    "soft margin, weighted": lambda X, y: ll.svm(X, y, C=0.1, sample_weight=1.0 + np.arange(len(y)) % 3),
    "hinge": ll.linear_program,
    "hinge, balanced": lambda X, y: ll.linear_program(X, y, sample_weight="balanced"),
    "hinge, weighted": lambda X, y: ll.linear_program(X, y, sample_weight=1.0 + np.arange(len(y)) % 3),
    "least squares": ll.least_squares,
    "least squares, Fisher's": lambda X, y: ll.least_squares(X, y, targets="fisher"),
    "least squares, not reached": lambda X, y: ll.lms(X, y, max_epochs=3),
    "ridge": lambda X, y: ridge(X, y, 0.5),
    "ridge, Fisher's": lambda X, y: ridge(X, y, 0.01, "fisher"),
    "fisher": ll.fisher,
    "logistic": lambda X, y: ll.logistic(X, y, lam=0.1),
    "logistic, weighted": lambda X, y: ll.logistic(X, y, lam=0.1, sample_weight=1.0 + np.arange(len(y)) % 3),
    "logistic, free": ll.logistic,
    "mistakes": ll.zero_one,
    "mistakes through 0": lambda X, y: ll.zero_one(X, y, fit_intercept=False),
}  # fmt: skip


def drawn(rng):
    """A few samples: small whole numbers with ties and contradictions, features of other sizes, dummies."""
    n, d = rng.integers(3, 6), rng.integers(1, 3)
    X = rng.integers(-2, 3, (n, d)).astype(float)
    if rng.random() < 0.3:
        X = X * 2.0 ** rng.integers(-8, 9, d)
    if rng.random() < 0.2:
        X[:, -1] = X[:, -1] > 0
    if rng.random() < 0.2:
        X = np.round(rng.normal(size=(n, d)), 1)
    return X, np.append([1.0, -1.0], rng.choice([-1.0, 1.0], n - 2))


class Truth:
    """The optimum for each set of options, found once."""

    def __init__(self, X, y):
        self.X = [[Fraction(v) for v in x] for x in X.tolist()]
        self.y, self.known = [int(v) for v in y], {}

    def of(self, quantity, options):
        key = repr((quantity, sorted(options.items())))
        if key not in self.known:
            given = {name: _exact(v) for name, v in options.items()}
            given.pop("start", None), given.pop("exact", None)
            self.known[key] = exact_oracle.OPTIMUM[quantity](self.X, self.y, **given)
        return self.known[key]

    def contained(self, quantity, options, lower, upper, part=0.0):
        optimum = self.of(quantity, options)
        if optimum is None:
            return True
        given = {name: _exact(v) for name, v in options.items()}
        size = exact_oracle.at_zero(quantity, self.X, self.y, given)
        size = max(size, float(optimum) if optimum != inf else 0.0)
        return exact_oracle.contains(quantity, lower, upper, optimum, Fraction(part * size))


def _exact(v):
    """Numbers as fractions, also those that are written as floats in hexadecimal."""
    if isinstance(v, list):
        return [_exact(one) for one in v]
    if isinstance(v, str) and ("x" in v or "/" in v):
        return Fraction(float.fromhex(v)) if "x" in v else Fraction(v)
    return Fraction(v) if isinstance(v, float) else v


def accepted(claim, X, y):
    try:
        claim = check.parsed(json.dumps(claim))
        return check.holds(claim, check.proved(claim, X.tolist(), [int(v) for v in y]))
    except check.Refused:
        return False


# -- the changes: each makes a claim or its witnesses something else ------------------------------------


def hexed(values):
    return [float(v).hex() for v in values]


def plain(values):
    return [float(_exact(v)) for v in values]


def ends(rng, claim, optimum):
    """An end beyond the optimum, by much or by next to nothing."""
    if optimum in (None, inf):
        optimum = 1.0
    near = float(optimum) ** 0.5 if claim["quantity"] == "margin" else float(optimum)
    step = 10.0 ** rng.integers(-15, 7) * max(abs(near), 1e-3)
    if rng.random() < 0.5:
        lower = near + step
        return {"lower": lower.hex(), "upper": (lower + rng.choice([0.0, 1.0, 1e30, inf])).hex()}
    upper = near - step
    return {"upper": upper.hex(), "lower": (upper - rng.choice([0.0, 1.0, 1e30])).hex()}


def primal(rng, claim):
    a = np.array(plain(claim["primal"]))
    return {"primal": hexed([
        lambda: a * 10.0 ** rng.integers(-40, 40), lambda: -a, lambda: rng.normal(size=a.size),
        lambda: a * 0, lambda: rng.permutation(a), lambda: a * 1e12 + 1,
    ][rng.integers(6)]())}  # fmt: skip


def dual(rng, claim):
    if isinstance(claim["dual"], dict):
        return packed(rng, claim)
    r = np.array(plain(claim["dual"]))
    unit = np.eye(r.size)[rng.integers(r.size)] * (np.abs(r).max() or 1.0)
    return {"dual": hexed([
        lambda: r * 10.0 ** rng.integers(-20, 20), lambda: -r, lambda: rng.random(r.size), lambda: r * 0,
        lambda: rng.permutation(r), lambda: r + unit, lambda: r - unit, lambda: r + 1e-17, lambda: r[:-1],
        lambda: r * (1 + 1e-12), lambda: np.append(r, r),
    ][rng.integers(11)]())}  # fmt: skip


def packed(rng, claim):
    sets = [list(one) for one in claim["dual"]["sets"]] or [
        [[0, 1], hexed([1.0, 1.0]), (1.0).hex()]
    ]
    one = sets[rng.integers(len(sets))]
    which = rng.integers(6)
    if which == 0:
        one[2] = float(rng.choice([-1.0, 2.0, 1e9])).hex()
    elif which == 1:
        sets = sets * int(rng.integers(2, 9))
    elif which == 2:
        one[1] = hexed(-np.array(plain(one[1])))
    elif which == 3:
        one[0] = one[0][:-1]
    elif which == 4:
        one[0] = [int(i) for i in rng.permutation(3)][: len(one[0])]
    else:
        one[0], one[1] = one[0] * 2, one[1] * 2
    return {"dual": {"kind": "Packing", "sets": sets}}


def options(rng, claim):
    had, quantity = dict(claim["options"]), claim["quantity"]
    factor = float(rng.choice([-1.0, 0.0, 0.5, 1.0 + 1e-15, 2.0, 1e6]))
    for name, v in had.items():
        if isinstance(v, str) and "x" in v:
            had[name] = (float.fromhex(v) * factor).hex()
        elif isinstance(v, list) and v and name != "exact":
            had[name] = hexed(factor * np.array(plain(v)))
    p, which = len(claim["primal"]), rng.integers(4)
    if which == 0:
        had["fit_intercept"] = not had.get("fit_intercept", True)
    elif which == 1 and quantity == "logistic":
        had["start"] = hexed(rng.normal(size=p))
    elif which == 2 and quantity in ("hinge", "logistic"):
        had["sample_weight"] = None if rng.random() < 0.5 else "balanced"
    elif which == 3 and quantity in ("margin", "mistakes"):
        had["exact"] = [f"{rng.integers(-9, 9)}/3" for _ in range(p)]
    return {"options": had}


def changed(rng, claim, optimum):
    new = dict(claim)
    for change in (
        [primal, dual, options][: rng.integers(4)]
        if rng.random() < 0.3
        else [[primal, dual, options][rng.integers(3)]]
    ):
        new |= change(rng, new)
    if rng.random() < 0.9:
        new |= ends(rng, new, optimum)
    if rng.random() < 0.03:
        new["quantity"] = str(rng.choice(list(check.QUANTITIES)))
    return new


# -- the tests ------------------------------------------------------------------------------------------


def fits(rng):
    X, y = drawn(rng)
    for name, method in METHODS.items():
        try:
            yield name, X, y, method(X, y)
        except ValueError:  # the method has no answer here
            continue


@pytest.mark.parametrize("part", range(PARTS))
def test_no_false_claim_is_accepted_and_no_true_one_refused(part, record_property):
    """By the checker. A claim that it accepts contains the optimum, whatever it was made of."""
    count = Counter()
    for number in range(SETS):
        rng = np.random.default_rng([part, number])
        truth = None
        for name, X, y, fit in fits(rng):
            truth = truth or Truth(X, y)
            try:
                claim = json.loads(fit.to_json())
            except ValueError as error:  # it says which of the two it is, and is right
                some = isinstance(fit.certificate.dual, Cover) or fit.certificate.score_bound < inf
                assert some and re.search("Cover|planes within", str(error)), name
                count["not written"] += 1
                continue
            assert accepted(claim, X, y), f"refused: {name}, {X.tolist()}, {y.tolist()}"
            count["true"] += 1
            lower, upper = check.claimed(check.parsed(json.dumps(claim)))
            assert truth.contained(claim["quantity"], claim["options"], lower, upper), name
            for _ in range(CHANGES):
                new = changed(rng, claim, truth.of(claim["quantity"], claim["options"]))
                count["changed"] += 1
                if not accepted(new, X, y):
                    continue
                count["changed and accepted"] += 1
                lower, upper = check.claimed(check.parsed(json.dumps(new)))
                assert truth.contained(new["quantity"], new["options"], lower, upper), (
                    f"accepted: {json.dumps(new)} of {X.tolist()}, {y.tolist()}"
                )
    assert count["changed"] > 20 * SETS and count["changed and accepted"] > 0
    for what, times in count.items():
        record_property(what, times)


@pytest.mark.parametrize("part", range(PARTS))
def test_verify_accepts_no_false_claim(part, tmp_path, record_property):
    """A part in 10¹² of the value at plane 0 is forgiven, never a part of what a witness makes large."""
    count = Counter()
    for number in range(SETS):
        rng = np.random.default_rng([part, number, 1])
        truth = None
        for name, X, y, fit in fits(rng):
            truth, kept = truth or Truth(X, y), fit.certificate
            fit.save(tmp_path / "fit")
            assert ll.Fit.load(tmp_path / "fit").verify(X, y), name
            count["true"] += 1
            known = {k: v for k, v in kept.options.items() if k not in ("exact", "start")}
            own = hexed(kept.dual) if isinstance(kept.dual, np.ndarray) else {"sets": []}
            claim = {"quantity": kept.quantity, "primal": hexed(kept.primal), "dual": own}
            for _ in range(CHANGES):
                new = claim | primal(rng, claim) if rng.random() < 0.7 else dict(claim)
                if isinstance(kept.dual, np.ndarray) and rng.random() < 0.5:
                    new |= dual(rng, new)
                new |= ends(rng, new, truth.of(kept.quantity, known))
                lower, upper = float.fromhex(new["lower"]), float.fromhex(new["upper"])
                a = np.array(plain(new["primal"]))
                witness = (
                    kept.dual if isinstance(new["dual"], dict) else np.array(plain(new["dual"]))
                )
                w, b = (a[:-1], a[-1]) if a.size > X.shape[1] else (a, 0.0)
                count["changed"] += 1
                try:
                    lie = replace(kept, lower=lower, upper=upper, primal=a, dual=witness)
                    replace(fit, plane=ll.Hyperplane(w, b), certificate=lie).verify(X, y)
                except ValueError:
                    continue
                count["changed and accepted"] += 1
                assert truth.contained(kept.quantity, known, lower, upper, 2e-12), (
                    f"accepted: {name}, {lie}, {X}, {y}"
                )
    assert count["changed"] > 20 * SETS
    for what, times in count.items():
        record_property(what, times)
