"""At every scale a method answers, or says what is wrong with an argument that was passed to it."""

import inspect
import re
import warnings
from datetime import date
from decimal import Decimal

import numpy as np
import pytest

import linlearn as ll
from linlearn import certificates, estimators
from linlearn.certificates import enclose_least_squares, margin_exact
from linlearn.validation import GLANCE, check_samples, check_training

METHODS = {
    "perceptron": lambda X, y: ll.perceptron(X, y, max_updates=100),
    "perceptron, homogeneous": lambda X, y: ll.perceptron(
        X, y, max_updates=100, fit_intercept=False
    ),
    "lms": lambda X, y: ll.lms(X, y, max_epochs=3),
    "lms, batch": lambda X, y: ll.lms(X, y, max_epochs=3, stochastic=False),
    "ho_kashyap": lambda X, y: ll.ho_kashyap(X, y, max_updates=20),
    "fisher": ll.fisher,
    "lda": ll.lda,
    "least_squares": ll.least_squares,
    "logistic": lambda X, y: ll.logistic(X, y, max_updates=50),
    "logistic, penalty": lambda X, y: ll.logistic(X, y, lam=1.0, max_updates=50),
    "separate": ll.separate,
    "separate, homogeneous": lambda X, y: ll.separate(X, y, fit_intercept=False),
    "linear_program": ll.linear_program,
    "linear_program, balanced": lambda X, y: ll.linear_program(X, y, sample_weight="balanced"),
    "svm": lambda X, y: ll.svm(X, y, C=1.0),
    "max_margin": ll.max_margin,
    "zero_one": lambda X, y: ll.zero_one(X, y, max_work=1e7),
    "zero_one, homogeneous": lambda X, y: ll.zero_one(X, y, fit_intercept=False, max_work=1e7),
    "gradient_descent": lambda X, y: ll.gradient_descent(X, y, loss="hinge", max_epochs=3),
}
SCALES = (-1074, -1060, -1022, -700, -400, -340, -333, -328, -300, -100, 0, 100, 300, 328)
NAMES = re.compile(
    r"`(X|fisher|lda)`"
)  # the last two: their mean or scatter, in words about the features


def drawn(seed, k):
    """Ten samples, separable or not: columns in several units, constant ones, spreads of few digits."""
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((10, 2)), np.where(np.arange(10) % 2 == 0, 1.0, -1.0)
    x[:, 0] += 4 * y * (seed % 2)
    column = np.ldexp(x[:, 0], k)
    other = {
        0: np.ldexp(x[:, 1], k),
        1: x[:, 1],
        2: np.full(10, 3.1),
        3: np.ldexp(x[:, 1], max(-1074, min(331, -k))),
        4: np.ldexp(1 + 2.0**-52 * rng.integers(-4, 5, 10), k),
        5: 1 + 1e-9 * x[:, 1],
    }[seed // 2 % 6]
    return np.column_stack([column, other]), y


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("k", SCALES)
@pytest.mark.parametrize("method", METHODS)
def test_a_method_answers_or_names_what_was_passed(method, k):
    """A certificate whose ends are in order; or an error about `X`, never one about a plane."""
    answers = 0
    for seed in range(12):
        X, y = drawn(seed, k)
        try:
            fit = METHODS[method](X, y)
        except ll.NotSeparable as error:
            assert error.certificate.separable is False
            answers += 1
        except ValueError as error:
            assert NAMES.match(str(error)), error
            assert "rescale" in str(error).lower() or "needs" in str(error), error
        else:
            answers += 1
            certificate = fit.certificate
            assert certificate.lower <= certificate.upper and np.isfinite(certificate.lower)
            homogeneous = certificate.options.get("fit_intercept") is False
            a = fit.plane.w if homogeneous else fit.plane.a
            if certificate.quantity == "margin" and certificate.lower > 0 and a.any():
                assert margin_exact(X, y, a=a, fit_intercept=not homogeneous) > 0
    assert answers or k <= -333, "it refused all samples of a size that is let in"


@pytest.mark.parametrize("scale", [1e-101, 1e-200, 5e-324])
@pytest.mark.parametrize("method", METHODS)
def test_a_column_that_is_too_small_is_refused(method, scale):
    X, y = np.array([[0.0, 1.0], [0.0, -1.0], [scale, 2.0]]), [1, -1, 1]
    with pytest.raises(
        ValueError,
        match=r"`X` must have, in every column .* at least 1e-100; the largest in column 0 is .*\. Rescale",
    ):
        METHODS[method](X, y)
    zero = X * [0, 1]
    assert METHODS[method](zero, y).plane.w.size == 2 if method not in ("fisher", "lda") else True


@pytest.mark.parametrize(
    ("first", "then", "answers"),
    [
        (0.0, 0.0, True),
        (0.0, 1e-99, True),
        (1.0, 1e-200, True),
        (0.0, 1e-200, False),
        (1e-200, 1.0, True),
    ],
)
def test_a_columns_largest_entry_is_looked_for_in_all_samples(first, then, answers):
    """The first few settle most columns, and none of them is refused for what they are."""
    n = 2 * GLANCE
    X = np.column_stack([np.linspace(-1, 1, n), np.where(np.arange(n) < GLANCE, first, then)])
    y = np.where(np.arange(n) % 3, 1, -1)
    if answers:
        assert check_training(X, y)[0] is X
    else:
        with pytest.raises(ValueError, match=r"the largest in column 1 is 1e-200\. Rescale"):
            check_training(X, y)


@pytest.mark.parametrize("entry", [1e200, -1e100, np.nan, np.inf, -np.inf])
def test_what_is_too_large_is_refused_and_nothing_else_is_said(entry):
    X, y = np.array([[0.0], [entry], [np.nextafter(1e100, 0)]]), [-1, 1, 1]
    with warnings.catch_warnings(action="error"), np.errstate(all="raise"):
        with pytest.raises(ValueError, match=r"row 1, column 0 \(1 such entry\)"):
            check_samples(X, y)
        X[1] = -X[2]
        assert check_samples(X, y)[0] is X


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda X, y: ll.logistic(X, y, lam=1e-200), "`lam` must be 0 or at least 1e-100"),
        (lambda X, y: ll.logistic(X, y, lam=1e200), "`lam` must be a finite number"),
        (lambda X, y: ll.svm(X, y, C=1e-200), "`C` must be at least 1e-100"),
        (lambda X, y: ll.svm(X, y, C=1e200), "`C` must be a finite number"),
        (lambda X, y: ll.least_squares(X, y, targets=np.full(24, 1e-200)), "`targets` must have"),
        (
            lambda X, y: ll.least_squares(X, y, targets=np.full(24, 1e120)),
            r"`targets` must have.* `np\.asarray\(targets\) / 1e\+120`",
        ),
        (
            lambda X, y: ll.lms(X, y, targets=np.full(24, 1e-200)),
            "`targets` must have a largest absolute",
        ),
        (lambda X, y: ll.estimators.SVM(C=1e-150).fit(X, y), "`C` must be at least 1e-100"),
        (lambda X, y: ll.estimators.Logistic(C=1e-150).fit(X, y), "`C` must be at least 1e-100"),
        (
            lambda X, y: ll.estimators.Logistic(C=9e99).fit(X, y),
            r"`C` must be at most 4\.16667e\+98, which is 1e\+100 divided",
        ),
    ],
)
def test_constants_have_a_range(call, message):
    with pytest.raises(ValueError, match=message):
        call(*ll.data.drawn())


def test_certificates_take_what_methods_refuse():
    """They are asked about any floats."""
    X, y = np.array([[0.0], [1e-200], [3e-200]]), [-1, 1, 1]
    found = enclose_least_squares(X, y, primal=[0, 1 / 3], dual=[0, 0, 0])
    assert found.lower <= found.upper


NANOSECONDS = 1_700_000_000_000_000_000
LONGER = {
    "nanoseconds": [[NANOSECONDS], [NANOSECONDS + 1]],
    "the largest": np.array([[0], [2**64 - 1]], dtype=np.uint64),
    "the first": np.array([[0], [2**53 + 1]]),
    "among others": np.array([[0.5], [2**53 + 1]], dtype=object),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("X", LONGER.values(), ids=LONGER)
def test_numbers_that_no_float_holds_are_not_rounded_in_silence(X):
    """Else two time stamps a nanosecond apart were proved to be inseparable."""
    facade = ll.estimators.LeastSquares().fit if np.asarray(X).dtype != object else ll.lda
    for method in (ll.separate, ll.max_margin, facade):  # scikit-learn itself makes objects floats
        with pytest.raises(
            ValueError, match=r"`X` must hold numbers that float64 .* \(1 such entry\)"
        ):
            method(X, [-1, 1])
    apart = np.asarray(X, dtype=object) - int(np.asarray(X, dtype=object)[0, 0])
    assert ll.separate(apart % 7, [-1, 1]).certificate.separable is bool((apart % 7).any())


@pytest.mark.filterwarnings("error")
@pytest.mark.skipif(np.finfo(np.longdouble).nmant <= 52, reason="long double is double here")
def test_longer_floats_are_not_rounded_in_silence():
    X = np.array([[1], [1 + np.longdouble(2) ** -60]])
    with pytest.raises(
        ValueError, match=r"`X` must hold numbers that float64 .* got 1\.0000000000000000"
    ):
        ll.separate(X, [-1, 1])
    with pytest.raises(ValueError, match=r"`X` must be below 1e\+100 .* got 1e\+400"):
        ll.separate(X * np.longdouble("1e400"), [-1, 1])
    with pytest.raises(ValueError, match="`X` must be finite; got nan"):
        ll.separate(X * np.longdouble("nan"), [-1, 1])
    assert ll.separate((X - 1) * 2.0**60, [-1, 1]).certificate.separable


def test_what_floats_hold_is_let_in_whatever_its_kind():
    x = np.array([[0], [1], [3], [4]])
    for kind in (np.int8, np.uint8, np.float16, np.float32, np.longdouble, object, int):
        fit = ll.least_squares(x.astype(kind), [-1, 1, -1, 1])
        assert fit.plane.w.tolist() == ll.least_squares(x, [-1, 1, -1, 1]).plane.w.tolist()
    assert ll.separate([[2**60], [2**60 + 2**8]], [-1, 1]).certificate.separable


@pytest.mark.parametrize(
    ("odd", "remedy"),
    [
        (Decimal("0.1"), "Decimal. Convert them with `np.asarray"),
        (1j, "complex. Pass the real and imaginary parts"),
        (date(2020, 1, 1), "date. Convert a column of dates to numbers"),
        (None, "NoneType. Drop or impute"),
        ("a", "str. Encode text"),
    ],
)
def test_the_remedy_fits_what_came(odd, remedy):
    X = np.array([[0, 1], [odd, 2]], dtype=object)
    kind, then = remedy.split(". ")
    said = rf"`X` must hold real numbers; got .* of type {kind} at row 1, column 0 \(1 such entry\). {then}"
    with pytest.raises(ValueError, match=said):
        ll.separate(X, [-1, 1])


def test_a_column_of_dates_is_converted_as_the_message_says():
    dates, known = [date(2020, 1, 1), date(2020, 1, 2)], {"np": np}
    with pytest.raises(ValueError, match="column of dates") as told:
        ll.separate([[one] for one in dates], [-1, 1])
    (call,) = re.findall(r"`(np.array.*?float\))`", str(told.value))
    seconds = eval(call, known | {"dates": dates})
    assert ll.separate((seconds - seconds[0])[:, None], [-1, 1]).certificate.separable


def test_the_remedy_fits_arrays_of_one_kind():
    days = np.array([["2020-01-01"], ["2020-01-02"]], dtype="M8[D]")
    with pytest.raises(
        ValueError,
        match=r"type datetime64\[D\] at row 0, column 0 .*subtract a reference date and divide by",
    ):
        ll.separate(days, [-1, 1])
    assert ll.separate((days - days[0]) / np.timedelta64(1, "s"), [-1, 1]).certificate.separable
    with pytest.raises(ValueError, match=r"type complex128 at .*Pass the real and imaginary"):
        ll.separate(np.eye(2) * 1j, [-1, 1])


@pytest.mark.parametrize("word", ["no", "False", 1, None])
def test_a_truth_value_is_no_word(word):
    """Any word would count as True."""
    X, y = ll.data.drawn()
    for call, name in (
        (lambda: ll.separate(X, y, fit_intercept=word), "fit_intercept"),
        (lambda: ll.perceptron(X, y, fit_intercept=word), "fit_intercept"),
        (lambda: ll.zero_one(X, y, fit_intercept=word), "fit_intercept"),
        (lambda: ll.lms(X, y, stochastic=word), "stochastic"),
        (lambda: ll.gradient_descent(X, y, loss="hinge", stochastic=word), "stochastic"),
        (lambda: ll.estimators.LMS(stochastic=word).fit(X, y), "stochastic"),
    ):
        with pytest.raises(ValueError, match=f"`{name}` must be True or False; got {word!r}"):
            call()


def test_after_samples_and_labels_everything_has_a_name():
    """`recedes` asks one question of one plane, as `margins` does."""
    for module in (ll, certificates):
        for name in set(module.__all__) - {"recedes"}:
            one = getattr(module, name)
            if inspect.isfunction(one):
                words = list(inspect.signature(one).parameters.values())
                if [word.name for word in words[:2]] == ["X", "y"]:
                    assert all(w.kind is w.KEYWORD_ONLY for w in words[2:]), name


FEW, LABELS = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]], [-1, 1, -1, 1]


@pytest.mark.parametrize("value", [np.arange(5000.0), "x" * 5000], ids=["array", "text"])
@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("metric", lambda v: ll.k_nearest_neighbors(FEW, LABELS, metric=v)),
        ("loss", lambda v: ll.gradient_descent(FEW, LABELS, loss=v)),
        ("order", lambda v: ll.perceptron(FEW, LABELS, order=v)),
        ("progress", lambda v: ll.perceptron(FEW, LABELS, progress=v)),
        ("priors", lambda v: ll.lda(FEW, LABELS, priors=v)),
        ("targets", lambda v: ll.least_squares(FEW, LABELS, targets=v)),
        ("sample_weight", lambda v: ll.svm(FEW, LABELS, C=1.0, sample_weight=v)),
        ("class_weight", lambda v: estimators.SVM(class_weight=v).fit(FEW, LABELS)),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_a_large_value_does_not_flood_the_message(name, call, value):
    with pytest.raises(ValueError, match=f"`{name}`") as error:
        call(value)
    assert len(str(error.value)) < 250
