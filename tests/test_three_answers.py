"""Separable, with a plane; inseparable, with Gordan's vector; undecided only where the work was spent."""

from fractions import Fraction

import numpy as np
import pytest
from nasty import SAMPLES

import linlearn as ll
from linlearn.certificates import hard_margin_exact, margin_exact
from linlearn.exact import simplex
from linlearn.exact.column_space import independent_columns
from linlearn.exact.dyadic import products, shifted, smallest_product
from linlearn.exact.elimination import kernel
from linlearn.exact.simplex import decide
from linlearn.solvers.exact_separability import exact_separability

ALTERNATE = np.array([1.0, -1.0] * 50)


def gordan(Z, weights):
    """The samples with weight have one relation Zᵀα = 0, α > 0, Σα = 1, in fractions; these are about it."""
    rows = [[Fraction(v) for v in column] for column in Z[list(weights)].T.tolist()]
    alpha = kernel(rows, len(weights))
    exact = np.array([float(v / sum(alpha)) for v in alpha])
    return (exact > 0).all() and list(weights.values()) == pytest.approx(exact, rel=1e-15)


@pytest.mark.parametrize("seed", range(120))
def test_the_simplex_method_proves_its_answer(seed):
    """Few whole numbers or the last bits of numbers near 1, in any unit, from any start."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 12)), int(rng.integers(1, 5))
    whole = rng.integers(-2, 3, (n, d))
    X = np.ldexp(whole if seed % 3 else 1 + 2.0**-52 * whole, int(rng.choice([-300, 0, 300])))
    Z = ll.signed(X, ALTERNATE[:n])
    found = decide(Z, rng.permutation(n)[: rng.integers(0, n)])
    if found.plane is not None:
        by_hand = [
            sum(Fraction(u) * v for u, v in zip(z, found.plane, strict=True)) for z in Z.tolist()
        ]
        assert min(by_hand) == smallest_product(Z, found.plane) > 0
        about, unit = products(Z, found.plane)
        assert about == pytest.approx([float(v / unit) for v in by_hand], rel=1e-15)
    else:
        assert gordan(Z, found.weights)
    fit = ll.separate(X, ALTERNATE[:n])
    assert fit.certificate.separable is (found.plane is not None)
    assert fit.verify(X, ALTERNATE[:n]).separable is fit.certificate.separable


NEIGHBOURS = [
    [1.0, 1.0 + 2.0**-52],
    [1.0, 1.0 + 1e-14],
    [1.7e9, 1.7e9 + 1e-6],
    [1.7e9, 1.7e9 + 1e-3],
    [1e8, 1e8 + 3e-8],
    [1e6, 1e6 + 1e-6],
]


@pytest.mark.parametrize("pair", NEIGHBOURS)
def test_neighbours_are_separable(pair):
    """Two time stamps a microsecond apart: a plane of floats is between them, and all methods know."""
    X, y = np.array(pair)[:, None], np.array([-1.0, 1.0])
    fit, widest = ll.separate(X, y), ll.max_margin(X, y)
    assert fit.certificate.separable and margin_exact(X, y, a=fit.plane.a) > 0
    assert widest.certificate.separable and margin_exact(X, y, a=widest.plane.a) > 0
    exact = Fraction(2) / (Fraction(pair[1]) - Fraction(pair[0])) ** 2
    assert Fraction(widest.certificate.lower) <= exact <= Fraction(widest.certificate.upper)
    assert not ll.logistic(X, y).certificate.attained


def corridor(d, width, seed):
    """Samples on both sides of a plane, so near to it that the last digits tell how wide the corridor is."""
    rng = np.random.default_rng(seed)
    y, w = ALTERNATE[: 6 * d], rng.standard_normal(d)
    w /= np.sqrt(w @ w)
    x = rng.standard_normal((6 * d, d))
    return x - np.outer(x @ w, w) + np.outer(width * y * (1 + rng.random(6 * d)), w), y


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("d", [2, 5, 10, 15])
@pytest.mark.parametrize("width", [1e-7, 1e-10, 1e-13])
def test_a_narrow_corridor_is_enclosed_truly(width, d, seed):
    """The last digits tell how wide it is: the ends may leave a gap there, but never miss the optimum."""
    X, y = corridor(d, width, seed)
    found = ll.max_margin(X, y).certificate
    assert found.lower <= found.upper < np.inf
    lower, upper = hard_margin_exact(X, y, primal=found.primal, dual=found.dual)
    assert found.lower <= upper
    assert lower <= found.upper


@pytest.mark.parametrize("exact", [["1"], "11", ["1", "1/0"], ["1", "x"], 3])
def test_fractions_that_are_none(exact):
    X, y = [[0.0], [2.0]], [-1, 1]
    with pytest.raises(ValueError, match="`exact` must be a list of 2 fractions"):
        ll.certificates.enclose_margin(X, y, primal=[1, -1], dual=[1, 1], exact=exact)


@pytest.mark.parametrize("seed", range(40))
def test_far_from_the_origin(seed):
    """A shift of 10¹⁴ leaves two decimals: what is separable in them is found, the rest is refuted."""
    rng = np.random.default_rng(seed)
    X = 1e14 + rng.standard_normal((8, 2))
    y = ALTERNATE[:8]
    near = ll.separate(X - X[0], y).certificate.separable
    assert ll.separate(X, y).certificate.separable is near
    if near:
        assert ll.max_margin(X, y).certificate.separable
    else:
        with pytest.raises(ll.NotSeparable) as caught:
            ll.max_margin(X, y)
        assert caught.value.certificate.separable is False


@pytest.mark.parametrize("name", SAMPLES)
def test_an_answer_on_nasty_samples(name):
    X, y = SAMPLES[name]
    fit = ll.separate(X, y)
    assert fit.certificate.separable is bool(fit.plane.a.any())


def dependent(kind, n, d, seed, *, separable):
    """Columns that depend on each other up to rounding; labels of a plane, or some of them turned."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, d))
    y = np.where(x @ rng.standard_normal(d) > 0, 1.0, -1.0)
    flip = np.zeros(n, dtype=bool) if separable else rng.random(n) < 0.1
    more = {
        "degrees": [1.8 * x[:, 0] + 32],
        "sum": [x[:, 0] + x[:, 1]],
        "standardised": [(x[:, 0] - x[:, 0].mean()) / x[:, 0].std()],
        "three": [1.8 * x[:, 0] + 32, 1.3 * x[:, 0] - 2, x[:, 0] + x[:, 1]],
        "cents": [np.round(x[:, 0], 2)],
    }[kind]
    return np.column_stack([x, *more]), np.where(flip, -y, y)


@pytest.mark.parametrize("separable", [True, False])
@pytest.mark.parametrize("kind", ["degrees", "sum", "standardised", "three", "cents"])
@pytest.mark.parametrize(("n", "d"), [(12, 2), (60, 2), (300, 12)])
def test_columns_that_depend_up_to_rounding(n, d, kind, separable):
    """Decided, and verified; with few samples even the roundings separate."""
    for seed in range(2):
        X, y = dependent(kind, n, d, seed, separable=separable)
        certificate = ll.separate(X, y).certificate
        assert certificate.separable is not None
        assert certificate.separable or not separable
        fit = ll.Fit(ll.separate(X, y).plane, ll.separate(X, y).trace, certificate)
        assert fit.verify(X, y).separable is certificate.separable


def test_a_plane_that_floats_cannot_hold(tmp_path):
    """The roundings of a sum separate; their weights round away. The certificate holds it in fractions."""
    for seed in range(100):
        rng = np.random.default_rng(seed)
        x = rng.standard_normal((12, 2))
        X, y = np.column_stack([x, x.sum(axis=1)]), ALTERNATE[:12]
        fit = ll.separate(X, y)
        if "exact" in fit.certificate.options:
            break
    assert not fit.plane.a.any() and fit.certificate.separable is True
    plane = [Fraction(v) for v in fit.certificate.options["exact"]]
    margin, top = smallest_product(ll.signed(X, y), plane), max(map(abs, plane))
    length = np.linalg.norm([float(v / top) for v in plane])
    assert fit.certificate.lower == pytest.approx(float(margin / top) / length, rel=1e-12, abs=0)
    assert fit.certificate.lower > 0
    fit.save(tmp_path / "fit.npz")
    again = ll.Fit.load(tmp_path / "fit.npz")
    assert again.verify(X, y).separable is again.certificate.separable is True
    with pytest.raises(
        ValueError,
        match="`X` is separable, but only by a hyperplane whose weights need more digits",
    ):
        ll.max_margin(X, y)


def test_the_budget_is_work_and_its_end_is_undecided(monkeypatch):
    """The same number on every machine. More work decides; `max_margin` says so in words."""
    X, y = dependent("sum", 300, 12, 0, separable=False)
    left_open = ll.separate(X, y, max_work=1).certificate
    assert left_open.separable is None and left_open.lower == 0 < left_open.upper
    assert ll.separate(X, y).certificate.separable is False
    spent = {exact_separability(X, y, fit_intercept=True, max_work=1e9).work for _ in range(2)}
    assert len(spent) == 1 and spent.pop() > 1000
    monkeypatch.setattr("linlearn.solvers.svm.separation", lambda X, y: left_open)
    with pytest.raises(ll.Undecided, match="`separate` stopped before it could decide") as caught:
        ll.max_margin(X, y)
    assert caught.value.certificate.separable is None
    with pytest.raises(ValueError, match="`max_work` must be"):
        ll.separate(X, y, max_work=-1)


@pytest.mark.parametrize("kind", ["degrees", "sum", "three"])
def test_ten_thousand_entries_take_little_work(kind):
    """300 × 30 is decided within 10⁷ products, a hundredth of what `separate` may spend."""
    X, y = dependent(kind, 300, 30, 1, separable=False)
    assert ll.separate(X, y, max_work=1e7).certificate.separable is not None


def monomials(n, d, seed):
    """1, x, …, x^d of one feature, which floats cannot tell apart, with any labels."""
    rng = np.random.default_rng(seed)
    return rng.uniform(-1, 1, n)[:, None] ** np.arange(1, d + 1), rng.choice([-1.0, 1.0], n)


def twins(n, d, seed):
    """Samples and their copies a few last digits off, labels of a plane, but for one near it."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n // 2, d))
    X = np.vstack([x, x * (1 + 2.0**-50 * rng.integers(-3, 4, x.shape))])
    m = X @ rng.standard_normal(d)
    y = np.where(m > 0, 1.0, -1.0)
    y[np.abs(m).argmin()] *= -1
    return X, y


def one_sided(n, d, seed):
    """Exponents of ten all over the place."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) * 10.0 ** rng.integers(-60, 60, d)
    return X, rng.choice([-1.0, 1.0], n)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("samples", [monomials, twins, one_sided])
@pytest.mark.parametrize(("n", "d"), [(40, 12), (200, 49)])
def test_hairs_take_little_work(n, d, samples, seed):
    """Decided within 3·10⁷ products, a tenth of the budget, and verified anew; flipped, the same."""
    X, y = samples(n, d, seed)
    fit = ll.separate(X, y, max_work=3e7)
    assert fit.certificate.separable is not None
    assert fit.verify(X, y).separable is fit.certificate.separable
    assert (
        ll.separate(-X[:, ::-1], -y, max_work=3e7).certificate.separable
        is fit.certificate.separable
    )
    used = np.flatnonzero(fit.certificate.dual)
    if fit.certificate.separable is False and d == 12:  # its fractions are found soon, too
        assert min(ll.certificates.gordan_exact(X[used], y[used], dual=np.ones(len(used)))) > 0


@pytest.mark.parametrize("scale", [1.0, 2.0**-400])
@pytest.mark.parametrize("tenth", [-1, 0, 1])
def test_more_digits_where_they_are_needed(monkeypatch, tenth, scale):
    """0 a hair inside of a triangle, on its side, or outside; with 8 digits to begin with, as with 256."""
    hair = tenth * 2.0**-40
    Z = scale * np.array([[1.0, -hair], [-1.0, -hair], [0.0, 1.0]])
    for digits in (8, 256):
        monkeypatch.setattr(simplex, "DIGITS", digits)
        for support in ([], [0, 1, 2], [2], [1, 0]):
            found = decide(Z, np.array(support, dtype=int))
            assert (found.plane is None) is (tenth >= 0)
            assert found.plane or set(found.weights) == ({0, 1, 2} if tenth else {0, 1})


def test_samples_that_were_not_looked_at_are_looked_at_in_the_end():
    """One of 2000 is wrong, far from where the others meet: no plane of the first few separates."""
    x = np.linspace(-1, 1, 2000)
    y = np.where(x > 0, 1.0, -1.0)
    assert exact_separability(x[:, None], y, fit_intercept=True, max_work=1e8).plane is not None
    for at in (123, 1777):
        turned = np.where(np.arange(2000) == at, -y, y)
        found = exact_separability(x[:, None], turned, fit_intercept=True, max_work=1e8)
        assert at in found.weights and gordan(ll.signed(x[:, None], turned), found.weights)


def test_what_floats_propose_may_be_nothing():
    """Their nearest point is 0 itself, and no plane; and a column that others make up has no weight."""
    for X, y in (SAMPLES["xor"], SAMPLES["contradiction"], ([[0.0], [1.0], [2.0]], [1, -1, 1])):
        X, y = np.array(X), np.array(y, dtype=float)
        assert gordan(
            ll.signed(X, y), exact_separability(X, y, fit_intercept=True, max_work=1e8).weights
        )
    x, y = np.arange(4.0), np.array([-1.0, -1, 1, 1])
    twice = np.column_stack([x, 2 * x, np.full(4, 3.0)])
    assert exact_separability(twice, y, fit_intercept=True, max_work=1e8).plane[1:3] == [0, 0]


@pytest.mark.parametrize("entry", [0, 1, -1])
def test_what_floats_propose_is_asked_of_all_samples(monkeypatch, entry):
    """A plane through samples, or on their wrong side, is none; the simplex method answers then."""

    def proposal(Z):
        n, p = Z.shape
        return np.full(n, 1 / n), [Fraction(entry)] * p

    monkeypatch.setattr("linlearn.solvers.exact_separability._propose", proposal)
    x = np.array([[-1.0], [1.0], [2.0]])
    for y in ([-1.0, 1, 1], [1.0, -1, 1]):
        found = exact_separability(x, np.array(y), fit_intercept=True, max_work=1e7)
        if y[0] < 0:
            assert smallest_product(ll.signed(x, y), found.plane) > 0
        else:
            assert gordan(ll.signed(x, y), found.weights)


def test_the_work_of_the_simplex_method_is_bounded():
    """It stops where it is spent: soon after, at any budget; and it is undecided then."""
    X, y = monomials(120, 20, 0)
    whole = exact_separability(X, y, fit_intercept=True, max_work=1e12)
    assert whole.plane or whole.weights
    for part in (1e-9, 0.1, 0.5, 0.9):
        cut = exact_separability(X, y, fit_intercept=True, max_work=part * whole.work)
        assert cut.plane is cut.weights is None
        assert cut.work <= part * whole.work + 0.2 * whole.work


def test_shifting_is_exact():
    X = np.column_stack([1.7e9 + np.arange(9) * 1e-6, np.random.default_rng(0).standard_normal(9)])
    D, m = shifted(X)
    assert m[0] > 1e9 and m[1] == 0
    exact = [Fraction(float(v)) - Fraction(float(m[0])) for v in X[:, 0]]
    assert [Fraction(float(v)) for v in D[:, 0]] == exact
    assert len(independent_columns(D)) == 2


def test_which_ends_decide():
    X, y = ll.data.drawn()
    Xo, yo = ll.data.drawn(overlap=True)
    assert ll.max_margin(X, y).certificate.separable is True
    assert ll.zero_one(X, y).certificate.separable is True
    assert ll.zero_one(Xo, yo).certificate.separable is False
    assert ll.separate(Xo, yo).certificate.separable is False
    assert ll.perceptron(Xo, yo, max_updates=10).certificate.separable is None
    assert ll.linear_program(Xo, yo).certificate.separable is None


def test_a_margin_that_is_no_float_is_not_called_undecided():
    """A plane separates, by some 1e-647: no bound could say so, and the error names the samples."""
    least = 2.0**-1074
    X = least * np.array([[-1.0, -1], [3, 3], [2, 2], [-1, -1], [0, 0]])
    X[-1], y = [1.0, 1.0 + 2.0**-52], np.array([1.0, -1, 1, 1, 1])
    assert exact_separability(X, y, fit_intercept=True, max_work=1e9).plane is not None
    for method in (ll.separate, ll.max_margin):
        with pytest.raises(
            ValueError,
            match=r"margin is not below 5e-324.*Set the entries below 1e-100 in columns 0 and 1 to 0",
        ):
            method(X, y)
    assert ll.zero_one(X, y).certificate.separable
    assert ll.logistic(X, y).certificate.upper < np.inf
    X[:-1] = 0
    assert ll.separate(X, y).certificate.separable is False
