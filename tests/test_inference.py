"""Inference agrees with sixty digits and with published tables, and says when not to ask."""

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.stats import chi2, norm

import linlearn as ll
from linlearn import data, plot
from linlearn.inference import _Likelihood

RINGS = np.array(
    [
        *(53, 57, 58, 63, 70, 70, 75),
        *(66, 67, 67, 67, 68, 69, 70, 70, 72, 73, 75, 76, 76, 78, 79, 81),
    ]
)
RINGS = RINGS[:, None].astype(float), np.repeat([1.0, -1.0], [7, 16])
DRAWN = ll.data.drawn(overlap=True)

# Urinary tract infections (Foxman et al. 1997), the example of R's logistf: for each pattern
# of six yes-no features the number of cases and of controls.
COLUMNS = ["age", "oc", "vic", "vicl", "vis", "dia"]
COUNTS = """000010 1 1, 001000 14 2, 001010 3 1, 001100 10 8, 001110 12 18, 001111 1 0,
010000 44 42, 010001 3 0, 010010 0 1, 011000 15 1, 011001 1 0, 011010 2 0,
011100 7 5, 011110 3 6, 101000 2 0, 101010 1 0, 101011 1 0, 101100 1 2,
101110 0 4, 101111 1 0, 110000 5 14, 110010 0 1, 111000 3 1, 111110 0 2"""


def infections():
    X, y = [], []
    for pattern, cases, controls in (group.split() for group in COUNTS.split(",")):
        X += [[int(v) for v in pattern]] * (int(cases) + int(controls))
        y += [1] * int(cases) + [-1] * int(controls)
    return pd.DataFrame(X, columns=COLUMNS), np.array(y)


def summary(X, y, **options):
    return ll.logistic(X, y).summary(X, y, **options)


# The oracle: 60 digits, from the definitions (mpmath's findroot; Firth's score by the derivative of ln det).
ORACLE = {
    ("rings", False): {
        "estimates": [-0.23216274421859648, 15.042901647702442],
        "standard_errors": [0.10823652164928543, 7.3786363849165655],
        "profile": [
            [-0.515432537595287, -0.06078625719865355],
            [3.328697793371418, 34.339582609498926],
        ],
        "statistics": [7.951960046426671, 6.947381400056698],
        "log_likelihood": -10.157596343933413,
    },
    ("drawn", False): {
        "estimates": [0.8918486900898815, 0.9851822349835719, -2.903446422933145],
        "standard_errors": [0.4547806835370859, 0.41260501975513086, 1.183921001551674],
        "profile": [
            [0.14982146141591005, 2.0355212820468194],
            [0.29617852679267964, 1.9739059277741355],
            [-5.915379426678787, -1.0244079519120817],
        ],
        "statistics": [5.881309803676165, 8.847798766815687, 11.542579589494043],
        "log_likelihood": -9.507587823893209,
    },
    ("rings", True): {
        "estimates": [-0.18604191552378685, 11.949515132941846],
        "standard_errors": [0.09158226312969421, 6.255438672912692],
        "profile": [
            [-0.41953281233569834, -0.040528526728283006],
            [2.0011220219672565, 27.895470802593653],
        ],
        "statistics": [6.76449727917162, 5.8317883004978075],
        "log_likelihood": -7.222188162975091,
    },
    ("drawn", True): {
        "estimates": [0.6974890079034163, 0.7991903022008551, -2.300812244365506],
        "standard_errors": [0.3807759776918218, 0.35567357756481116, 0.9722304502025414],
        "profile": [
            [0.06526959422666911, 1.6466911191411604],
            [0.20038866863174226, 1.6415859937023094],
            [-4.758565531339947, -0.7168899115464091],
        ],
        "statistics": [4.787823538373217, 7.408361483768852, 9.510149335958467],
        "log_likelihood": -7.069328195878692,
    },
}


@pytest.mark.parametrize(("name", "firth"), list(ORACLE))
def test_the_numbers_agree_with_sixty_digits(name, firth):
    X, y = {"rings": RINGS, "drawn": DRAWN}[name]
    found, true = summary(X, y, firth=firth), ORACLE[name, firth]
    for what, value in true.items():
        assert getattr(found, what) == pytest.approx(np.array(value), rel=1e-11), what
    off = norm.ppf(0.975) * np.array(true["standard_errors"])
    wald = np.array(true["estimates"])[:, None] + off[:, None] * [-1, 1]
    assert found.wald == pytest.approx(wald, rel=1e-10)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.999])
@pytest.mark.parametrize("firth", [False, True])
def test_the_deviance_at_both_ends_is_the_quantile(level, firth):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((80, 4)) * [1, 100, 1e-3, 1] + [0, 1000, 0, 0]
    X[:, 3] += X[:, 0]  # correlated
    y = np.where(rng.random(80) < 1 / (1 + np.exp(-X[:, 0])), 1.0, -1.0)
    found, A = summary(X, y, level=level, firth=firth), np.column_stack([X, np.ones(80)])
    for j, ends in enumerate(found.profile):
        assert ends[0] < found.estimates[j] < ends[1]
        others = np.delete(np.arange(5), j)
        for end in ends:
            # The others are refitted.
            held = _Likelihood(A[:, [*others, j]], y, firth)
            R = held.at(found.estimates[[*others, j]])[2]
            moved = -np.linalg.solve(R[:-1, :-1], R[:-1, -1]) * (end - found.estimates[j])
            start = np.append(found.estimates[others] + moved, end)
            fall = 2 * (found.log_likelihood - held.maximum(start, held=1)[1])
            assert fall == pytest.approx(chi2.ppf(level, 1), abs=1e-9)


def test_a_binary_feature_has_closed_forms():
    """In a two-by-two table: the log odds ratio, and variance Σ 1/count; Firth adds ½ to each count."""
    counts = np.array([[13, 5], [4, 9]])
    X = np.repeat([0.0, 0.0, 1.0, 1.0], counts.ravel())[:, None]
    y = np.repeat([1.0, -1.0, 1.0, -1.0], counts.ravel())
    for firth in (False, True):
        (a, b), (c, d) = counts + firth / 2
        found = summary(X, y, firth=firth)
        assert found.estimates == pytest.approx([np.log(b * c / (a * d)), np.log(a / b)], rel=1e-12)
        assert found.odds_ratios[0] == pytest.approx(b * c / (a * d), rel=1e-12)
    found = summary(X, y)
    assert found.standard_errors[0] == pytest.approx(np.sqrt((1 / counts).sum()), rel=1e-12)
    rows, columns, n = counts.sum(1, keepdims=True), counts.sum(0, keepdims=True), counts.sum()
    G = 2 * (counts * np.log(counts * n / rows / columns)).sum()  # the G test of independence
    assert found.statistics[0] == pytest.approx(G, rel=1e-10)
    assert found.model_test == pytest.approx((G, 1, chi2.sf(G, 1)), rel=1e-10)
    assert found.p_values[0] == pytest.approx(chi2.sf(G, 1), rel=1e-9)


def test_firth_agrees_with_what_logistf_published():
    """Six digits of each number, as the reference of R's logistf prints them for these data."""
    found = summary(*infections(), firth=True)
    assert found.estimates == pytest.approx(
        [-1.10598, -0.0688167, 2.26887, -2.11141, -0.788317, 3.09601, 0.120254], rel=5e-6
    )
    assert found.standard_errors == pytest.approx(
        [0.42366, 0.443793, 0.548416, 0.543082, 0.417368, 1.67501, 0.485542], rel=5e-6
    )
    ends = [[-1.97379, -0.307427], [-0.941436, 0.789202], [1.27304, 3.43543], [-3.26086, -1.11774]]
    ends += [[-1.60809, 0.0151846], [0.774568, 8.03028], [-0.818559, 1.07315]]
    assert found.profile == pytest.approx(np.array(ends), rel=2e-5)  # it stops at 1e-5
    assert found.model_test == pytest.approx((49.09064, 6, 7.15089e-09), rel=1e-6)
    assert found.log_likelihood == pytest.approx(-132.5394, abs=5e-5)


def test_quasi_separation_is_named_and_its_interval_has_one_end():
    X, y = infections()
    found = summary(X, y)
    assert "Separated along column 'dia':" in found.note and "no Wald interval" in found.note
    assert "firth=True" in found.note and "age" not in found.note
    assert found.estimates[5] == np.inf and np.isfinite(np.delete(found.estimates, 5)).all()
    assert np.isnan(found.standard_errors).all() and np.isnan(found.wald).all()
    assert found.profile[5, 1] == np.inf
    assert np.isfinite(np.delete(found.profile.ravel(), 11)).all()
    # Where the model without the other features of the limit ends: the samples with dia = 0 decide the rest.
    rest = X["dia"] == 0
    limit = summary(X[rest].drop(columns="dia"), y[rest])
    assert np.delete(found.estimates, 5) == pytest.approx(limit.estimates, rel=1e-9)
    assert found.log_likelihood == pytest.approx(limit.log_likelihood, abs=1e-10)
    # The finite end solves the same equation.
    order = [0, 1, 2, 3, 4, 6, 5]
    A = np.column_stack([X, np.ones(len(X))])[:, order]
    held = _Likelihood(A, y.astype(float), False).maximum(
        np.append(limit.estimates, found.profile[5, 0]), held=1
    )
    assert 2 * (found.log_likelihood - held[1]) == pytest.approx(chi2.ppf(0.95, 1), abs=1e-9)


def test_complete_separation_leaves_a_bound_where_there_is_one():
    X, y = np.arange(6.0)[:, None], np.repeat([-1.0, 1.0], 3)
    found = summary(X, y)
    assert found.estimates[0] == np.inf and found.log_likelihood == pytest.approx(0, abs=1e-9)
    assert 0 < found.profile[0, 0] < found.profile[0, 1] == np.inf
    two = summary(*ll.data.drawn())
    assert np.isinf(two.profile).any() and "Separated along column" in two.note
    assert np.isfinite(summary(*ll.data.drawn(), firth=True).profile).all()


def test_a_mirror_turns_the_signs_and_a_scale_the_units():
    X, y = DRAWN
    here, mirror, scaled = summary(X, y), summary(X, -y), summary(X * [100, 1], y)
    assert mirror.profile == pytest.approx(-here.profile[:, ::-1], rel=1e-10)
    assert scaled.profile[0] * 100 == pytest.approx(here.profile[0], rel=1e-10)
    assert scaled.profile[1:] == pytest.approx(here.profile[1:], rel=1e-9)
    assert scaled.statistics == pytest.approx(here.statistics, rel=1e-9)


def test_the_tests_of_weights_do_not_depend_on_units_and_origins():
    """In grams and millimetres: if one weight is 0 and the others are kept, all probabilities are 0 or 1."""
    table = [row.split(",") for row in data.penguins().read_text("utf8").splitlines()[1:]]
    birds = [row for row in table if row[0] == "Adelie" and "NA" not in row]
    X = np.array([row[2:6] for row in birds], dtype=float)
    y = np.where([row[6] == "male" for row in birds], 1, -1)
    raw, scaled = (ll.logistic(Z, y).summary(Z, y) for Z in (X, data.standardise(X)))
    assert raw.statistics[:4] == pytest.approx(scaled.statistics[:4], rel=1e-8)
    assert raw.statistics.max() < raw.model_test[0] < 2 * len(y) * np.log(2)


def test_the_table_has_the_names_of_the_frame_and_every_number():
    X, y = infections()
    for found in (summary(X, y), summary(X, y, firth=True, level=0.9)):
        text, html = repr(found), found._repr_html_()
        for name in [
            *COLUMNS,
            "intercept",
            "standard error",
            f"profile {100 * found.level:g} %",
            "odds ratio",
        ]:
            assert name in text and name in html
        assert f"n = {len(y)}" in text and "nan" not in text and "inf " not in text
    assert "1.397 to ∞" in repr(summary(X, y))
    kept = found.to_dict()
    assert kept["names"][:6] == tuple(COLUMNS) and kept["z"] == pytest.approx(
        kept["estimates"] / kept["standard_errors"]
    )
    assert found.plane.score(X) == pytest.approx(
        X.to_numpy() @ found.estimates[:-1] + found.estimates[-1]
    )


def test_a_summary_fits_a_terminal_with_long_names_and_a_note():
    """88 characters: of tumours, and of separated samples, about which a note says more."""
    X, y = ll.data.breast_cancer()[:2]
    names = ["a mean fractal dimension", "the worst of all concave points"]
    tumours = ll.logistic(X[:, :2], y).summary(X[:, :2], y, names=names)
    for found in (tumours, summary(*infections())):
        lines = repr(found).split("\n")
        assert max(map(len, lines)) <= 88
        for name in found.names:
            rows = [line for line in lines if line.startswith(name + " ")]
            assert len(rows) == 2, "one in each part"
        assert " ".join(lines).endswith(found.note)


X4, Y4 = [[0.0], [1.0], [2.0], [3.0]], [-1, 1, -1, 1]


@pytest.mark.parametrize(
    ("fit", "options", "message"),
    [
        (lambda: ll.logistic(X4, Y4, lam=0.1), {}, r"needs `lam=0`.*lam=0\.1.*firth=True"),
        (
            lambda: ll.logistic(X4, Y4, sample_weight=[1, 2, 1, 1]),
            {},
            "without sample weights.*repeat each row",
        ),
        (lambda: ll.svm(X4, Y4, C=1), {}, r"optimises the soft margin objective.*Fit `logistic"),
        (lambda: ll.logistic(X4, Y4), {"level": 95}, "`level`.*95"),
        (lambda: ll.logistic(X4, Y4), {"level": 1.0}, "`level`"),
        (lambda: ll.logistic(X4, Y4), {"names": ["a", "b"]}, r"list of 1 name,.* got \['a', 'b'\]"),
        (lambda: ll.logistic(X4, Y4), {"names": "a"}, "list of 1 name,.* got the string 'a'"),
        (lambda: ll.logistic(X4, Y4), {"firth": "yes"}, "`firth` must be True or False"),
        (lambda: ll.logistic(X4[::-1], Y4), {}, "Pass the samples and labels that"),
    ],
)  # fmt: skip
def test_what_cannot_be_summarised_is_refused_with_the_reason(fit, options, message):
    with pytest.raises(ValueError, match=message):
        fit().summary(X4, Y4, **options)


def test_dependent_columns_are_named():
    X, y = DRAWN
    frame = pd.DataFrame({"height": X[:, 0], "weight": X[:, 1]})
    for column, reason in (
        (X[:, 0] - 2 * X[:, 1], "'both' is a combination of columns 'height' and 'weight'"),
        (
            1,
            r"'both' is constant and duplicates the intercept\. .*`np\.delete\(X, \[2\], axis=1\)`",
        ),
    ):
        with pytest.raises(ValueError, match=reason):
            summary(frame.assign(both=column), y)
        with pytest.raises(
            ValueError, match=r"column 2 is (a combination of columns 0 and 1|constant)"
        ):
            summary(frame.assign(both=column).to_numpy(), y)
    near = frame.assign(twin=X[:, 0] + 1e-5 * np.cos(np.arange(len(y))))
    assert "columns 'height' and 'twin' are nearly dependent" in summary(near, y).note
    near["twin"] = X[:, 0] + 1e-9 * np.cos(np.arange(len(y)))
    for firth in (False, True):
        with pytest.raises(
            ValueError,
            match=r"within rounding error\. Columns 'height' and 'twin' are nearly.*drop one",
        ):
            summary(near, y, firth=firth)


def test_the_forest_plot_carries_the_numbers():
    found = summary(*infections())
    _, ax = plt.subplots()
    reference, *artists = plot.forest(ax, found)
    assert [label.get_text() for label in ax.get_yticklabels()] == COLUMNS
    assert set(reference.get_xdata()) == {1.0} and ax.get_xscale() == "log"
    bars = [line for line in artists if len(line.get_xdata()) == 2]
    for bar, (left, right) in zip(bars, found.profile, strict=False):
        assert bar.get_xdata()[0] == pytest.approx(np.exp(left))
        assert bar.get_xdata()[1] == pytest.approx(min(np.exp(right), ax.get_xlim()[1]))
    dots = [line for line in artists if line.get_marker() == "o"]
    assert [dot.get_xdata()[0] for dot in dots] == pytest.approx(found.odds_ratios[:5])
    (arrow,) = [line for line in artists if line.get_marker() == ">"]
    assert arrow.get_ydata()[0] == 5
    firth = summary(*infections(), firth=True)
    assert len(plot.forest(plt.figure().subplots(), firth)) == 1 + 2 * 6
    plt.close("all")


def test_the_information_is_the_derivative_of_the_score():
    rng = np.random.default_rng(0)
    A, y = rng.normal(size=(60, 5)), np.where(rng.random(60) < 0.4, 1.0, -1.0)
    firth, a, step = _Likelihood(A, y, True), rng.normal(size=5) / 2, 1e-5
    scores = [[firth.at(a + side * one)[1] for side in (1, -1)] for one in step * np.eye(5)]
    differences = np.array([(up - down) / (-2 * step) for up, down in scores])
    assert firth.information(a) == pytest.approx(differences, abs=1e-8)


def test_of_several_maxima_the_highest_that_is_found_is_shown():
    """Tumours that are almost separated; the oracle tries many starts, and knows the definition alone."""
    X, y = ll.data.breast_cancer()[:2]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    rows = np.random.default_rng(113).choice(569, 20, replace=False)
    X, y = X[rows][:, [7, 13]], y[rows]
    A = np.column_stack([X, np.ones(20)])

    def minus(a):
        m = y * (A @ a)
        V = np.exp(-np.logaddexp(0, m) - np.logaddexp(0, -m))
        return np.logaddexp(0, -m).sum() - np.linalg.slogdet((A.T * V) @ A)[1] / 2

    starts = np.random.default_rng(0).normal(size=(30, 3)) * 4
    ends = sorted(-minimize(minus, start, method="Nelder-Mead").fun for start in starts)
    found = summary(X, y, firth=True)
    assert found.log_likelihood == pytest.approx(ends[-1], abs=1e-4)
    rise = found.log_likelihood + minimize(minus, np.zeros(3), method="BFGS").fun
    assert 0.3 < rise and f"the one that is reached from 0 is lower by {rise:.4g}" in found.note
    holds_zero = (found.profile[:, 0] <= 0) & (found.profile[:, 1] >= 0)
    assert (holds_zero == (found.statistics <= chi2.ppf(0.95, 1))).all()
