"""The independent checker agrees with the package on many sets, and sees through every forged bound."""

import ast
import json
import pickle
import subprocess
import sys
from dataclasses import replace
from functools import cache
from math import inf, nextafter
from pathlib import Path

import nasty
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import SVC, LinearSVC

import linlearn as ll
from linlearn import check, estimators
from linlearn.certificates import Cover

# Sparse samples far from the origin leave a gap, which their estimators warn about.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
PROGRAM = Path(check.__file__)
METHODS = {
    "perceptron": lambda X, y: ll.perceptron(X, y, max_updates=300),
    "separate": ll.separate,
    "max margin": ll.max_margin,
    "fisher": ll.fisher,
    "least squares": ll.least_squares,
    "balanced targets": lambda X, y: ll.least_squares(X, y, targets="fisher"),
    "logistic": ll.logistic,
    "weighted logistic": lambda X, y: ll.logistic(
        X, y, lam=0.1, sample_weight=1.0 + np.arange(len(y)) % 3
    ),
    "weighted logistic, free": lambda X, y: ll.logistic(
        X, y, sample_weight=0.1 + np.arange(len(y)) % 3
    ),
    "balanced logistic": lambda X, y: ll.logistic(X, y, sample_weight="balanced"),
    "logistic, penalised": lambda X, y: ll.logistic(X, y, lam=0.1),
    "linear program": ll.linear_program,
    "balanced linear program": lambda X, y: ll.linear_program(X, y, sample_weight="balanced"),
    "weighted linear program": lambda X, y: ll.linear_program(
        X, y, sample_weight=1.0 + np.arange(len(y)) % 3
    ),
    "svm": lambda X, y: ll.svm(X, y, C=0.3),
    "weighted svm": lambda X, y: ll.svm(X, y, C=0.1, sample_weight=1.0 + np.arange(len(y)) % 3),
    "sparse logistic": lambda X, y: estimators.Logistic().fit(sparse.csr_array(X), y).fit_,
    "sparse svm": lambda X, y: estimators.SVM(C=0.3).fit(sparse.csr_array(X), y).fit_,
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


@cache
def claims():
    """Every method's fit of every set that it has an answer to."""
    found = []
    for name, (X, y) in SETS.items():
        for method, fit in METHODS.items():
            try:
                one = fit(X, y)
            except ValueError:  # the method has no answer here
                continue
            if not isinstance(one.certificate.dual, Cover):
                found.append((f"{name}, {method}", X, y, one))
    return found


def checked(X, y, claim):
    ends = check.proved(claim, np.asarray(X).tolist(), [int(v) for v in y])
    return check.holds(claim, ends), ends


def test_it_agrees_with_the_package_on_many_sets():
    """What is written holds, as sharply as it was claimed."""
    held = {}
    for name, X, y, fit in claims():
        claim = json.loads(fit.to_json())
        holds, (lower, upper) = checked(X, y, claim)
        assert holds and lower <= upper, name
        size = max(abs(v) for v in (fit.certificate.scale, float(lower)) if v < inf)
        ends = [float(v) for v in check.claimed(claim)]
        assert fit.certificate.lower - ends[0] <= 1e-9 * size or ends[0] == inf, name
        assert ends[1] - fit.certificate.upper <= 1e-9 * size or ends[1] == inf, name
        held[claim["quantity"]] = held.get(claim["quantity"], 0) + 1
    assert set(check.QUANTITIES) - set(held) == {"ridge", "softmax"} and min(held.values()) >= 5


def test_an_end_better_than_what_is_proved_is_refused_by_the_last_digit():
    """On any set, for any quantity: the claim that is proved holds, the next float beyond does not."""
    tried = set()
    for name, X, y, fit in claims():
        claim = json.loads(fit.to_json())
        low, high = checked(X, y, claim)[1]
        ends = {
            "lower": check.rounded_outward(low, -inf),
            "upper": check.rounded_outward(high, inf),
        }
        assert checked(X, y, claim | {k: v.hex() for k, v in ends.items()})[0], name
        for end, side in (("lower", inf), ("upper", -inf)):
            if abs(ends[end]) < inf:
                other = {"lower": "-inf", "upper": "inf"}
                lie = claim | other | {end: nextafter(ends[end], side).hex()}
                assert not checked(X, y, lie)[0], f"{name}: {end}"
                tried.add((claim["quantity"], end))
    assert len(tried) == 2 * (len(check.QUANTITIES) - 2)


def written(quantity, lower, upper, primal, dual, **options):
    """A certificate that somebody wrote by hand."""

    def plain(v):
        return (
            v.hex()
            if isinstance(v, float)
            else [plain(one) for one in v]
            if isinstance(v, list)
            else v
        )

    dual = plain(dual) if isinstance(dual, list) else {k: plain(v) for k, v in dual.items()}
    return {"format": check.FORMAT, "quantity": quantity, "lower": plain(lower), "upper": plain(upper),
            "score_bound": "inf", "options": {k: plain(v) for k, v in options.items()},
            "primal": plain(primal), "dual": dual}  # fmt: skip


PAIR = ([[1.0], [-1.0]], [1, -1])  # the soft margin for C = 1 is 1/2


def test_a_worthless_witness_buys_nothing():
    """However large a plane or a multiplier makes one end, the other one is not forgiven a digit."""
    for factor in (1e3, 1e12, 1e150):
        lie = written("soft margin", 0.5 + 1e-12, 1e308, [factor, 0.0], [0.5, 0.5], C=1.0)
        assert not checked(*PAIR, lie)[0]
        lie = written("fisher", 0.0, 1e-3, [factor], [1e-9, -1e-9, 0.0, 0.0])
        assert not checked([[0.0], [2.0], [3.0], [5.0]], [-1, -1, 1, 1], lie)[0]
    assert checked(*PAIR, written("soft margin", 0.5, 0.5, [1.0, 0.0], [0.5, 0.5], C=1.0))[0]


ALTERNATING = ([[float(i)] for i in range(7)], [1, -1, 1, -1, 1, -1, 1])  # 3 mistakes
SET, LONG = [[0, 1, 2], [1.0, 2.0, 1.0]], [[0, 1, 2, 3, 4, 5], [1.0, 2.0, 1.0, 1.0, 2.0, 1.0]]


def packing(lower, upper, *sets):
    return written("mistakes", lower, upper, [0.0, 0.0], {"kind": "Packing", "sets": list(sets)})


OUTSIDE = {
    "an amount below 0": (
        ALTERNATING, packing(9.0, 9.0, *[[*SET, 1.0]] * 9, *[[*LONG, -1.0]] * 8),
    ),
    "a set with a sample twice": (ALTERNATING, packing(1.0, 7.0, [[0, 1, 1], [1.0, 1.0, 1.0], 1.0])),
    "a sample that there is not": (ALTERNATING, packing(0.0, 7.0, [[0, 1, 99], [1.0, 2.0, 1.0], 1.0])),
    "a start with a penalty": (
        PAIR,
        written("logistic", 0.0, 1e-9, [1e-9, 0.0], [0.0, 0.0], lam=1.0, start=[0.0, 0.0]),
    ),
    "a penalty below 0": (
        PAIR, written("ridge", 0.4, 0.6, [0.0, 0.0], [0.1, -0.1], lam=-1.0, targets="labels"),
    ),
    "no penalty": (PAIR, written("ridge", 0.0, 0.6, [0.0, 0.0], [0.1, -0.1], lam=0.0, targets="labels")),
    "C below 0": (PAIR, written("soft margin", -9.0, 0.0, [0.0, 0.0], [0.0, 0.0], C=-1.0)),
    "weights < 0": (PAIR, written("hinge", -9.0, 0.0, [0.0, 0.0], [0.0, 0.0], sample_weight=[-1.0, -1.0])),
    "a multiplier below 0": (PAIR, written("hinge", 0.0, 1.0, [0.0, 0.0], [-1.0, 0.0], sample_weight=None)),
    "a multiplier above C": (PAIR, written("soft margin", 0.0, 1.0, [1.0, 0.0], [9.0, 9.0], C=1.0)),
    "an option of another quantity": (
        PAIR, written("soft margin", 0.0, 0.0, [1.0], [0.0, 0.0], C=1.0, fit_intercept=False),
    ),
    "ends in the wrong order": (PAIR, written("soft margin", 0.5, 0.25, [1.0, 0.0], [0.5, 0.5], C=1.0)),
    "a plane too short": (PAIR, written("soft margin", 0.0, 0.5, [1.0], [0.5, 0.5], C=1.0)),
    "multipliers of other samples": (
        PAIR, written("soft margin", 0.0, 0.5, [1.0, 0.0], [0.5, 0.5, 0.0], C=1.0),
    ),
    "a key of its own": (PAIR, written("hinge", 0.0, 1.0, [0.0, 0.0], [0.0, 0.0]) | {"slack": "1"}),
    "a plane without length": (PAIR, written("soft margin", 0.0, 0.5, {"w": [1.0]}, [0.5, 0.5], C=1.0)),
}  # fmt: skip


@pytest.mark.parametrize("what", OUTSIDE)
def test_what_is_outside_its_domain_is_refused(what):
    """As the enclosures refuse it: nothing that is put in such a place can prove an end."""
    (X, y), claim = OUTSIDE[what]
    with pytest.raises(check.Refused):
        checked(X, y, claim)


def test_whether_a_plane_separates_knows_no_slack():
    X, y = ll.data.xor()
    claim = json.loads(ll.separate(X, y).to_json())
    assert checked(X, y, claim)[0]
    assert not checked(X, y, claim | {"lower": (5e-324).hex(), "upper": "inf"})[0]
    X, y = np.array([[0.0], [1e-13]]), np.array([-1.0, 1.0])
    claim = json.loads(ll.separate(X, y).to_json())
    assert checked(X, y, claim)[0]
    assert not checked(X, y, claim | {"lower": "-inf", "upper": (0.0).hex()})[0]


# -- what is written ------------------------------------------------------------------------------------


def bag(rng):
    """Rare words, most of them in a few documents of one class only."""
    return (rng.random((30, 20)) < 0.12) * rng.integers(1, 4, (30, 1)).astype(float)


def one_hot(rng):
    return np.hstack([np.eye(4)[column] for column in rng.integers(0, 4, (3, 30))])


def sizes(rng):
    return rng.normal(size=(30, 4)) * 10.0 ** np.array([-6, 0, 4, 9])


def stamp(rng):
    """A time in milliseconds beside a small feature and a dummy."""
    return np.column_stack(
        [1.6e12 + rng.integers(0, 10**9, 30), rng.normal(size=30), rng.integers(0, 2, 30)]
    )


def whole(rng):
    return rng.integers(-2, 3, (30, 2)).astype(float)


ORDINARY = {"words": bag, "one-hot": one_hot, "sizes": sizes, "time": stamp, "whole": whole}


@pytest.mark.parametrize("kind", ORDINARY)
def test_certificates_of_ordinary_tables_are_proved(kind):
    """Also where multipliers have to be exactly 0: those of a word that one class alone uses."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X, y = ORDINARY[kind](rng), np.append([1.0, -1.0], rng.choice([-1.0, 1.0], 28))
        for name, method in METHODS.items():
            if name == "zero-one":
                continue
            try:
                fit = method(X, y)
            except ValueError:  # the method has no answer here
                continue
            claim = json.loads(fit.to_json())
            assert checked(X, y, claim)[0], f"{name}, {seed}"
            lower, size = (
                float(check.claimed(claim)[0]),
                max(fit.certificate.scale, fit.certificate.lower),
            )
            assert lower == inf or fit.certificate.lower - lower <= 1e-9 * size, f"{name}, {seed}"


def test_a_multiplier_that_has_to_be_0_is_dropped():
    X, y = [[3.0, 0.0], [3.0, 0.0], [4.0, 1.0], [5.0, 0.0], [2.0, 0.0]], [1, -1, 1, -1, 1]
    claim = json.loads(ll.linear_program(X, y).to_json())
    assert checked(X, y, claim)[1][0] > 0.4 - 1e-12 and claim["dual"][2] == "0x0.0p+0"


MODELS = [
    SVC(kernel="linear"),
    LinearSVC(loss="hinge", max_iter=10**6),
    LinearSVC(loss="hinge", fit_intercept=False, max_iter=10**6),
    LogisticRegression(),
    LogisticRegression(solver="liblinear", intercept_scaling=3.0),
]


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_certificates_of_other_libraries_are_proved_of_the_samples_themselves(model, tmp_path):
    """Where planes through the origin compete, the claim is about mirror images, too: it says so, and the
    table need not have them."""
    X, y = ll.data.drawn(overlap=True)
    claim = ll.certify(model.fit(X, y), X, y).certificate.to_json()
    done = run(*saved(tmp_path, claim, table(X, y)))
    assert done.returncode == 0, done.stdout
    assert ("with mirror images" in done.stdout) == (len(json.loads(claim)["dual"]) > len(y))


def test_ridge_of_another_library():
    X, y = ll.data.drawn(overlap=True)
    found = ll.certify(Ridge(alpha=2.0).fit(X, y), X, y)
    claim = json.loads(found.certificate.to_json())
    holds, (low, high) = checked(X, y, claim)
    assert holds and high - low < 1e-9
    assert not checked(X, y, claim | {"upper": (float(low) - 1e-9).hex(), "lower": "-inf"})[0]


SPARSE_WEIGHTS = [
    LogisticRegression(l1_ratio=1.0, solver="liblinear", tol=1e-8),
    LogisticRegression(l1_ratio=0.5, solver="saga", tol=1e-8, max_iter=10_000),
    LogisticRegression(l1_ratio=0.5, solver="saga", tol=1e-8, max_iter=10_000, fit_intercept=False),
    LinearSVC(penalty="l1", tol=1e-8, max_iter=10**6),
]
SEVERAL = [
    LogisticRegression(tol=1e-8),
    LogisticRegression(tol=1e-8, C=0.1, fit_intercept=False),
    LogisticRegression(tol=1e-8, class_weight="balanced"),
]


def of_model(model):
    """The samples as a checker reads them, and the claim about a model of them."""
    X, y = ll.data.drawn(overlap=True)
    if model in SEVERAL:
        y = np.where(y < 0, 0, 1 + (X[:, 0] > np.median(X[:, 0])))
    certificate = ll.certify(model.fit(X, y), X, y).certificate
    return X, y, certificate, json.loads(certificate.to_json())


@pytest.mark.parametrize("model", [*SPARSE_WEIGHTS, *SEVERAL], ids=str)
def test_l1_and_softmax_certificates_are_proved_as_sharply_as_they_are_claimed(model, tmp_path):
    X, y, certificate, claim = of_model(model)
    assert ("l1_ratio" in claim["options"]) == (model in SPARSE_WEIGHTS)
    assert certificate.relative_gap < 1e-8
    done = run(*saved(tmp_path, json.dumps(claim), table(X, y)))
    assert done.returncode == 0, done.stdout
    low, high = checked(X, y, claim)[1]
    assert certificate.lower <= low <= high <= certificate.upper
    assert high - low <= certificate.gap
    for ends in (
        {"lower": nextafter(check.rounded_outward(low, -inf), inf).hex(), "upper": "inf"},
        {"upper": nextafter(check.rounded_outward(high, inf), -inf).hex(), "lower": "-inf"},
    ):
        assert not checked(X, y, claim | ends)[0]


@pytest.mark.parametrize("model", [*SPARSE_WEIGHTS, *SEVERAL], ids=str)
def test_no_other_witness_of_an_l1_or_softmax_certificate_proves_what_is_false(model):
    """Each changed witness is refused, or proves ends that contain the optimum; other settings refute it."""
    X, y, certificate, claim = of_model(model)
    rng, proved = np.random.default_rng(0), 0
    for _ in range(150):
        witness = rng.choice(["primal", "dual"])
        v = np.array(getattr(certificate, witness), dtype=float)
        unit = np.zeros(v.size)
        unit[rng.integers(v.size)] = 10.0 ** rng.integers(-12, 2)
        changed = [
            lambda v=v: v * 10.0 ** rng.integers(-9, 9), lambda v=v: -v, lambda v=v: rng.permutation(v),
            lambda v=v: v * 0, lambda v=v: v * (1 + 1e-9), lambda v=v: v[:-1],
            lambda v=v, unit=unit: v + unit.reshape(v.shape), lambda v=v: rng.normal(size=v.shape),
        ][rng.integers(8)]()  # fmt: skip
        plain = json.loads(json.dumps(changed.tolist()), parse_float=lambda t: float(t).hex())
        try:
            low, high = checked(X, y, claim | {witness: plain})[1]
        except check.Refused:
            continue
        proved += 1
        assert low <= certificate.upper and certificate.lower <= high, (witness, plain)
    assert proved > 20
    for name, other in (("l1_ratio", "0.25"), ("C", "0.5"), ("fit_intercept", False)):
        old = claim["options"].get(name)
        if old is not None:
            different = claim | {"options": claim["options"] | {name: other}}
            try:
                assert not checked(X, y, different)[0] or old == other
            except check.Refused:
                continue


def test_what_would_be_refused_is_not_written(tmp_path):
    """But an error says why: a false end, a quantity or a proof that is not checked, samples not at hand."""
    X, y = ll.data.drawn()
    fit = ll.svm(X, y, C=1.0)
    claim = fit.certificate
    with pytest.raises(
        ValueError, match=r"must prove .* in exact arithmetic.* Rescale the features"
    ):
        replace(claim, dual=np.zeros(len(y))).to_json()
    twin = np.column_stack([X, X[:, 0] + 1e-6 * np.cos(np.arange(len(y)))])
    other = ll.svm(twin, y, C=1.0).certificate
    with pytest.raises(
        ValueError, match=r"\. Columns 0 and 2 are nearly dependent .*: drop one of them and"
    ):
        replace(other, dual=np.zeros(len(y))).to_json()
    with pytest.raises(ValueError, match=r"does not support certificates of 'empirical risk'"):
        ll.certificates.enclose_empirical_risk(
            X, y, primal=claim.primal, dual=-np.ones(len(y)), loss="hinge", radius=1.0
        ).to_json()
    fit.save(tmp_path / "fit.npz")
    loaded = ll.Fit.load(tmp_path / "fit.npz")
    with pytest.raises(ValueError, match=r"must contain its samples.* `Fit.verify\(X, y\)`"):
        loaded.to_json()
    assert loaded.verify(X, y).to_json() == fit.verify(X, y).to_json()
    with pytest.raises(ValueError, match="must contain its samples"):
        pickle.loads(pickle.dumps(claim)).to_json()
    with pytest.raises(ValueError, match="takes more than 1e-06 seconds"):
        fit.to_json(limit=1e-6)
    with pytest.raises(ValueError, match="`limit` must be a finite number > 0; got -1"):
        fit.to_json(limit=-1)
    with pytest.raises(
        ValueError, match=r"its lower bound is a `Cover`, which .* Use `Fit\.verify`"
    ):
        ll.zero_one(*ll.data.gaussians(24, delta=1.0, seed=0)).to_json()


@pytest.mark.parametrize("dual", [None, {"kind": "Cover", "sets": []}, {"kind": "Packing"}])
def test_mistakes_are_bounded_by_a_packing_only(dual):
    with pytest.raises(check.Refused, match="must be a Packing with its `sets`; a Cover by cells"):
        checked(*PAIR, packing(0.0, 1.0) | {"dual": dual})


def test_samples_that_change_later_do_not_matter():
    X, y = ll.data.drawn()
    fit = ll.svm(X, y, C=1.0)
    text = fit.to_json()
    X *= 2
    assert fit.to_json() == text


# -- the program ----------------------------------------------------------------------------------------


def table(X, y, names=""):
    rows = [
        ",".join([*map(repr, row), str(int(label))])
        for row, label in zip(np.asarray(X).tolist(), y, strict=True)
    ]
    return "\n".join([*([names] if names else []), *rows]) + "\n"


def saved(folder, claim, data):
    paths = folder / "certificate.json", folder / "data.csv"
    for path, text in zip(paths, (claim, data), strict=True):
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return paths


@pytest.fixture
def files(tmp_path):
    X, y = ll.data.drawn()
    return saved(tmp_path, ll.svm(X, y, C=1.0).to_json(), table(X, y, "width,height,label"))


def run(*arguments, alone=True):
    how = ["-I", "-S", str(PROGRAM)] if alone else ["-m", "linlearn.check"]
    return subprocess.run(
        [sys.executable, *how, *map(str, arguments)], capture_output=True, text=True, timeout=100
    )


@pytest.mark.parametrize("alone", [True, False])
def test_the_program_stands_alone(files, alone):
    """With Python's own library and nothing else on the path, and as a module of the package."""
    done = run(*files, alone=alone)
    assert done.returncode == 0 and done.stdout.endswith("THE CLAIM HOLDS\n"), done.stderr
    assert "24 samples of 2 features, below a first row 'width,height,label'" in done.stdout
    certificate, _ = files
    claim = json.loads(certificate.read_text())
    certificate.write_text(json.dumps(claim | {"lower": (0.95).hex(), "upper": (0.96).hex()}))
    done = run(*files, alone=alone)
    assert done.returncode == 1 and "NOT PROVED" in done.stdout


def test_other_samples_do_not_pass(files):
    _, data = files
    text = data.read_text().replace(",-1\n", ",1\n", 1)
    data.write_text(text)
    assert run(*files).returncode == 1


def refused(done):
    """Status 2, and a single line."""
    assert done.returncode == 2 and not done.stderr, done
    assert done.stdout.startswith("CANNOT BE CHECKED: ") and done.stdout.count("\n") == 1
    return done.stdout


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (dict(quantity="empirical risk"), "got 'empirical risk'"),
        (dict(quantity=[]), "got []"),
        (dict(score_bound=(2.0**20).hex()), "`score_bound` must be inf; got '0x1.0"),
        (dict(format="linlearn certificate 2"), "got 'linlearn certificate 2'"),
        (
            dict(primal=["0x1p+0"]),
            "`primal` must have 3 numbers, one for each feature in the table and one",
        ),
        (dict(primal=None), "one for the intercept; got None"),
        (dict(dual=["0x1p+0"]), "`dual` must have 24 numbers"),
        (dict(dual=["nan"] * 24), "`dual[0]` must be a number, such as"),
        (dict(options={}), "`options` must contain `C`"),
        (dict(options=[]), "`options` of soft margin must be an object with no keys but C"),
        (dict(options={"C": "0x1p0", "fit_intercept": False}), "got 'fit_intercept'"),
        (dict(options={"C": "0x1p0", "mirrored": "yes"}), "`mirrored` must be true or false"),
        (dict(lower=True), "`lower` must be a number, such as"),
        (dict(extra=1), "differs in 'extra'"),
    ],
)
def test_what_it_cannot_check_it_refuses_by_name(files, change, says):
    certificate, _ = files
    certificate.write_text(json.dumps(json.loads(certificate.read_text()) | change))
    assert says in refused(run(*files))


def text_of(lower="0.0", upper="1.0"):
    return f'''{{"format": "{check.FORMAT}", "quantity": "hinge", "lower": {lower}, "upper": {upper},
    "score_bound": "inf", "options": {{}}, "primal": ["0", "0"], "dual": ["0", "0"]}}'''


@pytest.mark.parametrize(
    ("number", "value"),
    [
        ('"10"', 10), ('"1e1"', 10), ('"0x1.4p3"', 10), ('"0xA"', 10), ('"20/2"', 10), ("10", 10),
        ("1e1", 10), ('"inf"', inf), ('"10."', 10),
    ],
)  # fmt: skip
def test_a_number_has_one_meaning(number, value):
    assert check.claimed(check.parsed(text_of(upper=number)))[1] == value


@pytest.mark.parametrize(
    "number",
    ['"1_000"', '"\uff11"', '"1,5"', '"nan"', "NaN", "Infinity", '"infinity"', '""', '" 1"', '"1/0"', '"A"',
     '"1p3"', '"0x1p99999"', '"1e400"', '"\u22121"', "null", "true", "[]", '"' + "9" * 5000 + "/1" + '"'],
)  # fmt: skip
def test_what_is_no_number_is_refused(number, tmp_path):
    refused(run(*saved(tmp_path, text_of(upper=number), "1,1\n-1,-1\n")))


BROKEN = {
    "nothing": ("", "1,1\n-1,-1\n"),
    "a list": ("[1, 2]", "1,1\n-1,-1\n"),
    "depth": ("[" * 100_000, "1,1\n-1,-1\n"),
    "deep objects": ('{"format":' * 100_000, "1,1\n-1,-1\n"),
    "a key twice": (text_of().replace('"lower"', '"lower": 0, "lower"'), "1,1\n-1,-1\n"),
    "no lower end": (text_of().replace("lower", "least"), "1,1\n-1,-1\n"),
    "other bytes": (b"\xff\xfe\x00", "1,1\n-1,-1\n"),
    "no samples": (text_of(), ""),
    "names alone": (text_of(), "x,label\n"),
    "labels alone": (text_of(), "1\n-1\n"),
    "UTF-16": (text_of(), "1,1\n-1,-1\n".encode("utf-16")),
    "an open quote": (text_of(), '"1,1\n-1,-1\n'),
    "one class": (text_of(), "1,1\n2,1\n"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_is_broken_is_refused_in_one_line(what, tmp_path):
    refused(run(*saved(tmp_path, *BROKEN[what])))


def test_what_is_not_there_is_refused_in_one_line(files, tmp_path):
    refused(run(files[0], tmp_path / "nowhere.csv"))
    refused(run(tmp_path, files[1]))
    refused(run(files[0]))
    refused(run(*files, "--limit", "soon"))
    assert "`--limit` must be > 0; got -10" in refused(run(*files, "--limit", "-10"))


def test_tables_as_they_are_exported(tmp_path):
    """With a byte order mark, lines of Windows, names or numbers of columns, or none of them."""
    X, y = ll.data.drawn()
    claim = ll.svm(X, y, C=1.0).to_json()
    frame = pd.DataFrame(X).assign(label=y.astype(int))
    counted = frame.set_axis(range(3), axis=1)
    for data in (
        table(X, y),
        frame.to_csv(index=False),
        counted.to_csv(index=False),
        b"\xef\xbb\xbf" + frame.to_csv(index=False, lineterminator="\r\n").encode(),
        b"\xef\xbb\xbf" + table(X, y).encode(),
        table(X, y).replace("\n", "\n\n"),
    ):
        done = run(*saved(tmp_path, claim, data))
        assert done.returncode == 0 and "24 samples of 2 features" in done.stdout, done.stdout
    for data in (frame.to_csv(), counted.to_csv()):
        assert "is an index without a name" in refused(run(*saved(tmp_path, claim, data)))
    assert "if it is an index" in refused(
        run(*saved(tmp_path, claim, counted.to_csv(header=False)))
    )


@pytest.mark.parametrize(
    "row",
    ["\ufeff\ufeff-5,1", ",1", '"0,5",1', "\u22125,1", "NA,1", "nan,1", "inf,1", "1_0,1", "\uff15,1", "-5,NA",
     "-5;1", "5cm,1", "-5,0", "-5,2", "-5", "-5,1,1", "1e999,1"],
)  # fmt: skip
@pytest.mark.parametrize("first", [True, False])
def test_no_sample_is_dropped_in_silence(row, first, tmp_path):
    """Not even the first, which might have been a row of names: it is read or refused with its line."""
    others = ["1,1", "-1,-1"]
    rows = [row, *others] if first else [*others, row]
    lie = written("mistakes", 0.0, 0.0, [1.0, 0.0], {"kind": "Packing", "sets": []})
    said = refused(run(*saved(tmp_path, json.dumps(lie), "\n".join(rows) + "\n")))
    assert f"line {1 if first else 3}" in said or (first and "line 2" in said) or row == "-5", said


def test_a_row_that_may_be_either_is_a_sample_and_that_is_said(tmp_path):
    lie = written("mistakes", 0.0, 3.0, [1.0, 0.0], {"kind": "Packing", "sets": []})
    done = run(*saved(tmp_path, json.dumps(lie), "0,1\n1,1\n-1,-1\n"))
    assert (
        done.returncode == 0
        and "3 samples of 1 features, of which 0,1 in the first row is one" in done.stdout
    )


def test_numbers_in_32_bits_are_explained(tmp_path):
    X, y = ll.data.drawn()
    short = (X / 3).astype(np.float32)
    claim = ll.svm(short, y, C=1.0).to_json()
    frame = pd.DataFrame(short).assign(label=y.astype(int))
    done = run(*saved(tmp_path, claim, frame.to_csv(index=False)))
    assert done.returncode == 1 and "in 32 bits" in done.stdout
    done = run(*saved(tmp_path, claim, frame.astype({0: float, 1: float}).to_csv(index=False)))
    assert done.returncode == 0


@pytest.mark.parametrize("power", [0, 300])
def test_a_small_file_takes_no_minutes(power, tmp_path):
    """Work is estimated before it is done, and refused; an option allows for more."""
    rng = np.random.default_rng(0)
    n, p = 60, 20
    X = rng.normal(size=(n, p)) * 10.0 ** rng.integers(-power, power + 1, (n, p))
    y = np.where(np.arange(n) % 2, 1, -1)
    claim = json.dumps(written("hinge", 0.0, inf, [1.0] * (p + 1), (rng.random(n) * 1e-3).tolist()))
    paths = saved(tmp_path, claim, table(X, y))
    assert run(*paths).returncode == 0  # within 100 seconds
    if power:
        said = refused(run(*paths, "--limit", "0.01"))
        assert "more than 0.01 seconds; allow more with `--limit 0.1`" in said


def test_it_can_be_read_in_one_sitting_and_uses_pythons_library_alone():
    tree = ast.parse(PROGRAM.read_text(encoding="utf-8"))
    used = {n.module if isinstance(n, ast.ImportFrom) else n.names[0].name
            for n in ast.walk(tree) if isinstance(n, ast.Import | ast.ImportFrom)}  # fmt: skip
    assert {name.split(".")[0] for name in used} <= sys.stdlib_module_names
    assert len(PROGRAM.read_text(encoding="utf-8").splitlines()) < 940  # of these softmax takes 57
