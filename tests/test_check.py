"""The independent checker agrees with the package on many sets, and sees through every forged bound."""

import ast
import json
import subprocess
import sys
from fractions import Fraction
from math import inf
from pathlib import Path

import nasty
import numpy as np
import pytest
from sklearn.linear_model import Ridge

import linlearn as ll
from linlearn import check

PROGRAM = Path(check.__file__)
METHODS = {
    "perceptron": lambda X, y: ll.perceptron(X, y, max_updates=300),
    "separate": ll.separate,
    "max margin": ll.max_margin,
    "fisher": ll.fisher,
    "least squares": ll.least_squares,
    "balanced targets": lambda X, y: ll.least_squares(X, y, targets="fisher"),
    "logistic": ll.logistic,
    "priced logistic": lambda X, y: ll.logistic(X, y, lam=0.1, prices=1.0 + np.arange(len(y)) % 3),
    "priced logistic, free": lambda X, y: ll.logistic(X, y, prices=0.1 + np.arange(len(y)) % 3),
    "balanced logistic": lambda X, y: ll.logistic(X, y, prices="balanced"),
    "logistic, penalised": lambda X, y: ll.logistic(X, y, lam=0.1),
    "linear programme": ll.linear_program,
    "balanced programme": lambda X, y: ll.linear_program(X, y, prices="balanced"),
    "priced programme": lambda X, y: ll.linear_program(X, y, prices=1.0 + np.arange(len(y)) % 3),
    "svm": lambda X, y: ll.svm(X, y, C=0.3),
    "priced svm": lambda X, y: ll.svm(X, y, C=0.1 * (1.0 + np.arange(len(y)) % 3)),
    "zero-one": ll.zero_one,
}


def random_set(seed):
    """A few samples of a few features: whole numbers with ties and contradictions, or reals."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(4, 13), rng.integers(1, 4)
    X = rng.integers(-2, 3, (n, d)).astype(float) if seed % 2 else rng.normal(size=(n, d))
    return X, np.append([1.0, -1.0], rng.choice([-1.0, 1.0], n - 2))


SETS = {f"random {seed}": random_set(seed) for seed in range(12)}
SETS |= {k: (X, y) for k, (X, y) in nasty.SAMPLES.items() if len(y) < 200 and X.shape[1] < 7}


def claims():
    for name, (X, y) in SETS.items():
        for method, fit in METHODS.items():
            try:
                yield f"{name}, {method}", X, y, json.loads(fit(X, y).to_json())
            except ValueError:  # the method has no answer here
                continue


def checked(X, y, claim):
    table = [[Fraction(v) for v in row] for row in X.tolist()]
    ends = check.proved(claim, table, [int(v) for v in y])
    return check.holds(claim, ends), ends


def test_it_agrees_with_the_package_on_many_sets():
    """What it checks holds, nearly as sharply as claimed; it refuses covers and bounded planes, by name."""
    held, refused = {}, []
    for name, X, y, claim in claims():
        try:
            holds, (lower, upper, _) = checked(X, y, claim)
        except check.Refused as error:
            refused.append((claim["quantity"], str(error)[:7]))
            continue
        assert holds, name
        assert lower <= upper, name
        held[claim["quantity"]] = held.get(claim["quantity"], 0) + 1
    assert set(refused) <= {("mistakes", "a cover"), ("hinge", "it spea"), ("fisher", "it spea")}
    assert set(check.QUANTITIES) - set(held) == {"ridge"} and min(held.values()) >= 5
    assert len(refused) < 0.1 * sum(held.values())


FORGED = {"lower": ("upper", 1), "upper": ("lower", -1)}


def test_every_forged_bound_is_refused():
    """An end that is moved past the truth by a millionth of the size is not proved, on any set."""
    tried = set()
    for name, X, y, claim in claims():
        try:
            _, (low, high, size) = checked(X, y, claim)
        except check.Refused:
            continue
        step = max(1e-6 * float(max([size, *(abs(v) for v in (low, high) if v != inf)])), 1e-12)
        if low not in (-inf, inf):
            lie = claim | {"lower": (float(low) + step).hex(), "upper": "inf"}
            assert not checked(X, y, lie)[0], f"{name}: lower"
            tried.add((claim["quantity"], "lower"))
        if 0 < high < inf:
            lie = claim | {"lower": "-inf", "upper": (float(high) - step).hex()}
            assert not checked(X, y, lie)[0], f"{name}: upper"
            tried.add((claim["quantity"], "upper"))
    assert len(tried) == 2 * (len(check.QUANTITIES) - 1)


def test_whether_a_plane_separates_knows_no_slack():
    X, y = ll.data.xor()
    claim = json.loads(ll.separate(X, y).to_json())
    assert checked(X, y, claim)[0]
    assert not checked(X, y, claim | {"lower": (5e-324).hex(), "upper": "inf"})[0]
    X, y = np.array([[0.0], [1e-13]]), np.array([-1.0, 1.0])
    claim = json.loads(ll.separate(X, y).to_json())
    assert checked(X, y, claim)[0]
    assert not checked(X, y, claim | {"lower": "-inf", "upper": (0.0).hex()})[0]


def test_ridge_of_another_library():
    X, y = ll.data.drawn(overlap=True)
    found = ll.certify(Ridge(alpha=2.0).fit(X, y), X, y)
    claim = json.loads(found.certificate.to_json())
    holds, (low, high, _) = checked(X, y, claim)
    assert holds and high - low < 1e-9
    assert not checked(X, y, claim | {"upper": (float(low) - 1e-9).hex(), "lower": "-inf"})[0]


@pytest.fixture
def files(tmp_path):
    X, y = ll.data.drawn()
    fit = ll.svm(X, y, C=1.0)
    certificate, data = tmp_path / "certificate.json", tmp_path / "data.csv"
    certificate.write_text(fit.to_json())
    rows = [f"{a!r},{b!r},{int(label)}" for (a, b), label in zip(X.tolist(), y, strict=True)]
    data.write_text("\n".join(["width,height,label", *rows]) + "\n")
    return certificate, data


def run(*arguments, alone=True):
    how = ["-I", "-S", str(PROGRAM)] if alone else ["-m", "linlearn.check"]
    return subprocess.run(
        [sys.executable, *how, *map(str, arguments)], capture_output=True, text=True
    )


@pytest.mark.parametrize("alone", [True, False])
def test_the_program_stands_alone(files, alone):
    """With Python's own library and nothing else on the path, and as a module of the package."""
    done = run(*files, alone=alone)
    assert done.returncode == 0 and done.stdout.endswith("THE CLAIM HOLDS\n"), done.stderr
    certificate, _ = files
    claim = json.loads(certificate.read_text())
    certificate.write_text(json.dumps(claim | {"lower": (0.95).hex(), "upper": (0.96).hex()}))
    done = run(*files, alone=alone)
    assert done.returncode == 1 and "NOT PROVED" in done.stdout


def test_other_samples_do_not_pass(files):
    _, data = files
    text = data.read_text().replace(",-1\n", ",+1\n", 1)
    data.write_text(text)
    assert run(*files).returncode == 1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (dict(quantity="empirical risk"), "'empirical risk' has no check here"),
        (dict(within=(2.0**20).hex()), "it speaks of some planes only"),
        (dict(format="linlearn certificate 1"), "format 'linlearn certificate 1', not"),
        (dict(primal=["0x1p+0"]), "`primal` must have 3 numbers; got 1"),
        (dict(dual=["0x1p+0"]), "`dual` must have 24 numbers"),
        (dict(dual=["nan"] * 24), "CANNOT BE CHECKED"),
        (dict(options={}), "CANNOT BE CHECKED: 'C'"),
    ],
)
def test_what_it_cannot_check_it_refuses_by_name(files, change, says):
    certificate, _ = files
    certificate.write_text(json.dumps(json.loads(certificate.read_text()) | change))
    done = run(*files)
    assert done.returncode == 2 and says in done.stdout and "HOLDS" not in done.stdout


def test_it_can_be_read_in_one_sitting_and_uses_pythons_library_alone():
    tree = ast.parse(PROGRAM.read_text(encoding="utf-8"))
    used = {n.module if isinstance(n, ast.ImportFrom) else n.names[0].name
            for n in ast.walk(tree) if isinstance(n, ast.Import | ast.ImportFrom)}  # fmt: skip
    assert {name.split(".")[0] for name in used} <= sys.stdlib_module_names
    assert len(PROGRAM.read_text(encoding="utf-8").splitlines()) < 400
