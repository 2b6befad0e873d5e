"""A fit can be stored, read back and believed only as far as its witnesses carry."""

import json
import os
import pickle
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import linlearn as ll
from linlearn.fit import not_proved


@pytest.fixture(params=["perceptron", "separate"])
def fitted(request):
    X, y = ll.data.drawn()
    return X, y, getattr(ll, request.param)(X, y)


def test_verify_computes_the_certificate_again(fitted):
    X, y, fit = fitted
    found = fit.verify(X, y)
    assert found is not fit.certificate
    assert found.lower == pytest.approx(fit.certificate.lower, rel=1e-12)
    assert found.upper == pytest.approx(fit.certificate.upper, rel=1e-12)


LIES = [
    dict(lower=0.5),
    dict(upper=0.1),
    dict(lower=0.332945 * (1 + 1e-5)),
    dict(upper=0.332945 * (1 - 1e-5)),
    dict(dual=np.eye(24)[0]),
    dict(lower=5.0, upper=np.inf),
    dict(lower=1.0, upper=1e13),
    dict(lower=np.nan),
    dict(upper=np.nan),
    dict(lower=5.0, scale=1e20),
]


@pytest.mark.parametrize("lie", LIES)
def test_verify_refuses_a_claim_its_witnesses_do_not_carry(lie):
    X, y = ll.data.drawn()
    fit = ll.separate(X, y)
    with pytest.raises(ValueError, match=r"the certificate claims|`lower` must be at most `upper`"):
        replace(fit, certificate=replace(fit.certificate, **lie)).verify(X, y)


def test_verify_accepts_rounding_and_nothing_more():
    """A claim better by 1e-13 of the longest sample is another machine's rounding; by 1e-9 it is false."""
    X, y = ll.data.drawn()
    fit = ll.separate(X, y)
    for excess, false in ((1e-13, False), (1e-9, True)):
        lower = fit.certificate.lower + excess * fit.certificate.scale
        claim = replace(fit.certificate, lower=lower, upper=max(lower, fit.certificate.upper))
        if false:
            with pytest.raises(ValueError, match="the certificate claims"):
                replace(fit, certificate=claim).verify(X, y)
        else:
            replace(fit, certificate=claim).verify(X, y)


def test_verify_never_takes_zero_for_positive():
    """`lower > 0` says separable, so no allowance for rounding may let it pass on XOR."""
    X, y = ll.data.xor()
    fit = ll.separate(1e6 * X, y)
    false = replace(fit, certificate=replace(fit.certificate, lower=1e-6, upper=1.0))
    with pytest.raises(ValueError, match="the certificate claims"):
        false.verify(1e6 * X, y)


def test_verify_never_takes_small_for_zero():
    """`upper == 0` says inseparable, so a margin of 10⁻¹³ may not pass for it."""
    X, y = np.array([[0.0], [1e-13]]), [-1, 1]
    fit = ll.separate(X, y)
    assert fit.certificate.separable
    false = replace(fit.certificate, lower=0.0, upper=0.0, primal=np.zeros(2))
    with pytest.raises(ValueError, match="the certificate claims"):
        replace(fit, plane=ll.Hyperplane([0.0]), certificate=false).verify(X, y)


def test_without_a_minimiser_the_file_says_so(tmp_path):
    """Also to the probabilities of the estimator: its path is not stored, its certificate is."""
    X, y = ll.data.drawn()
    for fit, attained in ((ll.logistic(X, y), False), (ll.logistic(X, y, lam=1.0), True)):
        fit.save(tmp_path / "fit.npz")
        again = ll.Fit.load(tmp_path / "fit.npz")
        assert again.certificate.attained is fit.certificate.attained is attained
        assert again.verify(X, y).attained is attained


def test_without_offset_the_plane_has_none():
    X, y = ll.data.drawn()
    fit = ll.perceptron(X, y, fit_intercept=False, max_updates=10)
    with pytest.raises(ValueError, match="the primal witness must be the hyperplane"):
        replace(fit, plane=ll.Hyperplane(fit.plane.w, 100.0)).verify(X, y)


def test_an_unknown_quantity_is_named():
    X, y = ll.data.drawn()
    fit = ll.separate(X, y)
    with pytest.raises(ValueError, match=r"`quantity` must be one .*; got 'beauty'"):
        replace(fit, certificate=replace(fit.certificate, quantity="beauty")).verify(X, y)


def test_verify_refuses_other_samples(fitted):
    X, y, fit = fitted
    with pytest.raises(
        ValueError, match="Pass the samples and labels that the model was fitted on"
    ):
        fit.verify(X, -y)


def test_verify_refuses_another_plane(fitted):
    X, y, fit = fitted
    with pytest.raises(ValueError, match="the primal witness must be the hyperplane of this fit"):
        replace(fit, plane=ll.Hyperplane([1.0, 1.0])).verify(X, y)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_saved_and_loaded_it_still_proves_itself(tmp_path, fit_intercept):
    X, y = ll.data.drawn()
    fit = ll.perceptron(X - X.mean(axis=0), y, fit_intercept=fit_intercept, max_updates=50)
    fit.save(tmp_path / "a plane")
    back = ll.Fit.load(tmp_path / "a plane")
    assert np.array_equal(back.plane.a, fit.plane.a)
    assert np.array_equal(back.certificate.dual, fit.certificate.dual)
    assert (back.certificate.lower, back.certificate.upper) == (
        fit.certificate.lower,
        fit.certificate.upper,
    )
    assert repr(back) == repr(fit)
    assert back.verify(X - X.mean(axis=0), y).lower == pytest.approx(fit.certificate.lower)


@pytest.mark.parametrize("ends", [(1.0, 0.5), (np.nan, 1.0), (0.0, np.nan), (np.inf, 1.0)])
def test_ends_that_enclose_nothing_are_refused(ends):
    with pytest.raises(ValueError, match="`lower` must be at most `upper`; got"):
        ll.Certificate("margin", *ends, np.zeros(1), np.zeros(1))
    assert ll.Certificate("margin", np.inf, np.inf, np.zeros(1), np.zeros(1)).gap == 0


def test_a_bound_of_planes_is_shown_kept_and_verified(fitted, tmp_path):
    """`score_bound` is part of the claim: a wider one than the witnesses prove is refused."""
    X, y, fit = fitted
    assert "score bound" not in repr(fit.certificate)
    bounded = replace(fit, certificate=replace(fit.certificate, score_bound=1e6))
    assert repr(bounded.certificate).endswith(", for hyperplanes with score bound 1e+06)")
    assert ", for hyperplanes with score bound 1e+06" in bounded.certificate._repr_html_()
    bounded.save(tmp_path / "fit.npz")
    assert ll.Fit.load(tmp_path / "fit.npz").certificate.score_bound == 1e6
    assert bounded.verify(X, y).score_bound == np.inf


def test_files_without_a_bound_of_planes_are_refused(fitted, tmp_path):
    """Without `score_bound` a claim about some planes would be read as one about all."""
    _, _, fit = fitted
    fit.save(tmp_path / "new.npz")
    with np.load(tmp_path / "new.npz") as stored:
        old = {name: stored[name] for name in stored.files}
    np.savez(tmp_path / "old.npz", **(old | {"bounds": old["bounds"][:3]}))
    with pytest.raises(ValueError, match=r"`path` must be a file written by `Fit.save`"):
        ll.Fit.load(tmp_path / "old.npz")


def test_loading_something_else_says_so(tmp_path):
    (tmp_path / "note.txt").write_text("not a fit")
    np.savez(tmp_path / "other.npz", w=[1.0])
    np.savez(tmp_path / "list.npz", head="[1]")
    np.save(tmp_path / "plain.npy", [1.0])
    for name in ("note.txt", "other.npz", "list.npz", "plain.npy"):
        with pytest.raises(ValueError, match=r"`path` must be a file written by `Fit.save`"):
            ll.Fit.load(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        ll.Fit.load(tmp_path / "missing")


def test_reprs_are_one_line(fitted):
    _, _, fit = fitted
    for thing in (fit, fit.certificate, fit.trace, fit.plane):
        assert "\n" not in repr(thing) and len(repr(thing)) < 120


def test_not_separable_carries_its_proof():
    fit = ll.separate(*ll.data.xor())
    for kind in (ll.NotSeparable, ll.Undecided):
        error = kind("no plane separates these samples.", fit.certificate)
        assert isinstance(error, ValueError) and error.certificate.upper < 1e-12
        back = pickle.loads(pickle.dumps(error))  # as it comes out of a worker
        assert type(back) is kind and str(back) == str(error)
        assert repr(back.certificate) == repr(fit.certificate)


FITS = {
    "perceptron": ll.perceptron,
    "separate": ll.separate,
    "fisher": ll.fisher,
    "lda": ll.lda,
    "least squares": ll.least_squares,
    "lms": ll.lms,
    "ho kashyap": ll.ho_kashyap,
    "logistic": lambda X, y: ll.logistic(X, y, lam=0.1),
    "linear program": ll.linear_program,
    "svm": lambda X, y: ll.svm(X, y, C=3.0),
    "zero-one": ll.zero_one,
    "gradient descent": lambda X, y: ll.gradient_descent(X, y, loss="logistic"),
}


@pytest.mark.parametrize("name", FITS)
@pytest.mark.parametrize("overlap", [False, True])
def test_every_method_returns_a_plane_a_trace_and_a_proof_that_travel(tmp_path, name, overlap):
    """None is missing, the enclosure is one, and saved and loaded it proves itself on the samples."""
    X, y = ll.data.drawn(overlap=overlap)
    fit = FITS[name](X, y)
    assert fit.certificate.lower <= fit.certificate.upper and len(fit.trace) >= 1
    assert np.array_equal(fit.trace[-1].plane.a, fit.plane.a)
    fit.save(tmp_path / "fit.npz")
    found = ll.Fit.load(tmp_path / "fit.npz").verify(X, y)
    assert found.upper == pytest.approx(fit.certificate.upper, rel=1e-9, abs=1e-12)
    assert found.lower == pytest.approx(fit.certificate.lower, rel=1e-9, abs=1e-12)
    assert "\n" not in repr(fit) and len(repr(fit)) < 140


PRINTED = """
import linlearn as ll
from linlearn import data, practice
fit = ll.separate(*data.drawn())
print(fit, fit.certificate, fit.plane, ll.Hyperplane(range(1, 9), 0.5), sep="\\n")
for question in practice.bank().values():
    print(question)
"""


BARE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
WRITES = {  # the encoding that the output has, and what becomes of two signs there
    "ascii": ({"PYTHONIOENCODING": "ascii"}, "<=", "..."),
    "bare": (BARE, "<=", "..."),
    "latin-1": ({"PYTHONIOENCODING": "latin-1"}, "<=", "..."),
    "cp1252": ({"PYTHONIOENCODING": "cp1252"}, "<=", "…"),
    "utf-8": ({"PYTHONIOENCODING": "utf-8"}, "≤", "…"),
}


@pytest.mark.parametrize("name", WRITES)
def test_printing_never_raises(name):
    """Where the output cannot write a sign, as under LC_ALL=C without UTF-8, another stands for it."""
    environment, sign, dots = WRITES[name]
    done = subprocess.run(
        [sys.executable, "-c", PRINTED], env=os.environ | environment, capture_output=True
    )
    assert done.returncode == 0, done.stderr.decode()
    said = done.stdout.decode("ascii" if name == "bare" else name)
    fit, _, _, plane, *_ = said.splitlines()
    assert fit.count(sign) == 2
    assert plane == f"Hyperplane(w=[1, 2, 3, 4, {dots}], b=0.5)"


def test_a_fit_predicts_and_is_scored():
    """Labels ±1, a tie is -1, and the score is the share that is right, also of one class alone."""
    fit = ll.perceptron([[2.0], [0.5], [-1.0]], [1, 1, -1])  # w = 2, b = 1
    assert fit.decision_function([[1.0], [-0.5]]).tolist() == [3, 0]
    assert fit.predict([[1.0], [-0.5], [-2.0]]).tolist() == [1, -1, -1]
    assert fit.score([[1.0], [-2.0], [3.0], [4.0]], [1, -1, 1, -1]) == 0.75
    assert fit.score([[1.0], [2.0]], [1, 1]) == 1.0
    with pytest.raises(ValueError, match="`y` must contain only the labels -1 and \\+1"):
        fit.score([[1.0]], [0])


COUNTS = {
    "perceptron": ", 13 updates, ",
    "lms": " updates, ",
    "logistic": " Newton steps, ",
    "zero-one": " cells, ",
}


@pytest.mark.parametrize("name", FITS)
def test_the_repr_counts_what_the_method_counts(tmp_path, name):
    """Updates, Newton steps, cells; an answer that comes at once counts nothing; a file keeps the count."""
    fit = FITS[name](*ll.data.drawn())
    if name in COUNTS:
        assert COUNTS[name] in repr(fit)
    if name in ("separate", "fisher", "lda", "least squares", "linear program", "svm"):
        assert repr(fit).count(",") == 3 and "0 updates" not in repr(fit)
    fit.save(tmp_path / "fit.npz")
    assert repr(ll.Fit.load(tmp_path / "fit.npz")) == repr(fit)


def test_an_open_gap_is_said():
    """A budget that ran out is told from an answer, in the repr and by `converged`."""
    X, y = ll.data.drawn(overlap=True)
    for arrived in (ll.separate(X, y), ll.svm(X, y, C=3.0), ll.logistic(X, y), ll.zero_one(X, y)):
        assert arrived.converged and "not converged" not in repr(arrived)
    for stopped in (
        ll.perceptron(X, y, max_updates=100),
        ll.logistic(X, y, max_updates=1),
        ll.zero_one(X, y, max_work=1),
        ll.lms(X, y, max_epochs=2),
    ):
        assert not stopped.converged and repr(stopped).endswith(", not converged)")
    assert ll.perceptron(*ll.data.drawn()).converged  # it was to separate, and does


def test_files_of_other_formats_are_refused_by_name(tmp_path):
    """In the first one C was n times what it is now, and nothing in the file would show it."""
    fit = ll.svm(*ll.data.drawn(overlap=True), C=1.0)
    fit.save(tmp_path / "new.npz")
    assert repr(ll.Fit.load(tmp_path / "new.npz")) == repr(fit)
    with np.load(tmp_path / "new.npz") as stored:
        arrays = {name: stored[name] for name in stored.files}
    head = json.loads(str(arrays["head"])) | {"format": "linlearn fit 1"}
    np.savez(tmp_path / "old.npz", **(arrays | {"head": json.dumps(head)}))
    with pytest.raises(
        ValueError,
        match=r"'linlearn fit 6'.*its format is 'linlearn fit 1', which another version wrote",
    ):
        ll.Fit.load(tmp_path / "old.npz")


def test_a_margin_says_which_one():
    """Planes of the lifted samples compete, or those through 0 alone: two numbers on the same samples."""
    X, y = [[1.0], [2.0]], [1, 1]
    through = ll.separate(X, y, fit_intercept=False).certificate
    assert repr(through) == "Certificate(1 ≤ margin through 0 ≤ 1)"
    lifted = ll.separate([[1.0], [-1.0]], [1, -1]).certificate
    assert repr(lifted) == "Certificate(1 ≤ augmented margin ≤ 1)"
    for claim in (through, lifted):
        assert f"≤ {claim.named} ≤" in claim._repr_html_()
    with pytest.raises(ValueError, match=r"claims [0-9.]+ ≤ augmented margin ≤ 1"):
        ll.separate([[1.0], [-1.0]], [1, -1]).verify([[1.0], [-1.0]], [-1, 1])


@pytest.mark.parametrize(
    ("method", "says"),
    [
        (ll.logistic, "≤ logistic objective ≤"),
        (ll.lda, "≤ Fisher's ratio ≤"),
        (ll.zero_one, "≤ number of mistakes ≤"),
    ],
)
def test_what_is_not_verified_is_told_in_words(method, says):
    X, y = ll.data.gaussians(12, delta=0.5, seed=1)
    fit = method(X, y)
    with pytest.raises(ValueError, match=f"claims .* {says} .* dual solutions prove .* {says}"):
        fit.verify(X, -y)
    for fewer in (X[:, :1], X[:, :1].tolist()):
        with pytest.raises(ValueError, match=r"`X` must have 2 columns, one for each feature of"):
            fit.verify(fewer, y)


def test_a_false_claim_is_told_with_as_many_digits_as_it_needs():
    X, y = ll.data.drawn()
    fit = ll.svm(X, y, C=1.0)
    true = fit.certificate
    for part, said in ((1.5, r"≤ [0-9.]{1,8}, but"), (1 + 1e-9, r"≤ [0-9.]{15,19}, but")):
        false = replace(true, lower=true.lower * part, upper=true.upper * part)
        with pytest.raises(ValueError, match=f"the certificate claims .* {said} on these samples"):
            replace(fit, certificate=false).verify(X, y)


@pytest.mark.parametrize("method", [ll.max_margin, ll.logistic, ll.perceptron, ll.lda])
def test_other_numbers_of_samples_are_not_those_of_the_fit(method):
    X, y = ll.data.gaussians(12, seed=1)
    fit = method(X, y)
    for rows in (X[1:], y[1:]), (X[1:].tolist(), y[1:].tolist()):
        with pytest.raises(ValueError, match=r"the 12 samples of the fit; got 11\."):
            fit.verify(*rows)


@pytest.mark.parametrize("method", [ll.zero_one, ll.logistic, ll.lda, ll.least_squares, ll.svm])
def test_the_number_of_samples_is_kept_with_the_fit(method, tmp_path):
    """By `zero_one`, whose dual witness is a cover or packing, and of a file that is read in blocks."""
    X, y = ll.data.gaussians(12, delta=0.5, seed=1)
    options = {"C": 1.0} if method is ll.svm else {}
    fit = method(X, y, **options)
    fit.save(tmp_path / "fit.npz")
    fewer = X[1:], y[1:]
    pairs = [(fit, fewer), (ll.Fit.load(tmp_path / "fit.npz"), fewer)]
    if method is not ll.zero_one:
        pd = pytest.importorskip("pandas")
        table = pd.DataFrame(X, columns=["a", "b"]).assign(label=y)
        for name, rows in ("all.parquet", table), ("fewer.parquet", table[1:]):
            rows.to_parquet(tmp_path / name)
        read = method(str(tmp_path / "all.parquet"), "label", **options)
        pairs += [(read, fewer), (read, (str(tmp_path / "fewer.parquet"), "label"))]
    for fit, rows in pairs:
        with pytest.raises(ValueError, match=r"12 samples of the fit; got 11\."):
            fit.verify(*rows)


def test_what_is_not_proved_beside_the_bounds_is_named():
    """Bounds that agree are not printed twice."""
    claim = ll.logistic(*ll.data.gaussians(12, delta=0.5, seed=1)).certificate
    said = not_proved(claim, replace(claim, attained=None))
    assert "claims that a hyperplane attains the optimum, but" in said and "≤" not in said
    claim = ll.separate([[0.0], [1.0]], [-1, 1]).certificate
    nothing = replace(claim, lower=-1e-15, upper=claim.upper)
    claim = replace(claim, lower=1e-15)
    said = not_proved(claim, nothing)
    assert "claims that the samples are separable, but" in said and "≤" not in said


def test_a_claim_that_the_witnesses_contradict_is_called_wrong():
    """`only` is said of bounds that are looser than the claim, not of bounds that exclude it."""
    claim = ll.logistic(*ll.data.gaussians(12, delta=0.5, seed=1), lam=0.1).certificate
    looser = replace(claim, lower=claim.lower / 2)
    apart = replace(claim, lower=2 * claim.upper, upper=3 * claim.upper)
    assert "prove only" in not_proved(claim, looser)
    assert "contradicts" not in not_proved(claim, looser)
    assert "contradicts it: the certificate is wrong for these samples" in not_proved(claim, apart)
    assert "only" not in not_proved(claim, apart)
