"""The perceptron is the textbook's, sample for sample, and obeys its theorems on every run."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nasty import SAMPLES

import linlearn as ll
from linlearn.solvers import perceptron as reading
from linlearn.textbook.perceptron import rosenblatt


def textbook(Z, a=0.0, rate=1.0, max_updates=10**6, max_epochs=1000, order=range):
    """The algorithm that the lesson shows, stopped: (a, indices added, reads at each update)."""
    read, added, at = rosenblatt(Z, max_epochs, order, a, rate), [], []
    a = a + np.zeros(Z.shape[1])
    for reads, (i, mistake, after) in enumerate(read, start=1):
        if len(added) == max_updates:
            break
        if mistake:
            a = after
            added.append(i)
            at.append(reads)
    return a, added, at


def most_violated(mistakes, margins):
    return mistakes[margins.argmin()]


def least_violated(mistakes, margins):
    return mistakes[margins.argmax()]


ORDERS = ["cyclic", "random", most_violated, least_violated, lambda mistakes, margins: mistakes[0]]


def samples(kind, n, d, seed):
    """Samples and labels on which a reading in blocks may go wrong."""
    rng = np.random.default_rng(seed)
    if kind == "separable":
        return ll.data.separable(n, d, margin=rng.choice([1e-3, 0.05, 1.0]), seed=seed)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    if kind == "ties":  # whole numbers: many margins are exactly 0
        return rng.integers(-2, 3, (n, d)).astype(float), y
    X = rng.standard_normal((n, d))
    if kind == "duplicates":
        return X[rng.integers(0, 1 + n // 4, n)], y
    return X * {
        "overlap": 1.0,
        "huge": 1e98,
        "tiny": 1e-98,
        "mixed": 10.0 ** rng.integers(-30, 30, d),
    }[kind], y


@settings(deadline=None)
@given(
    kind=st.sampled_from(["separable", "ties", "duplicates", "overlap", "huge", "tiny", "mixed"]),
    seed=st.integers(0, 10**6),
    n=st.integers(2, 60),
    d=st.integers(1, 6),
    rate=st.sampled_from([1.0, 0.3, 7.0]),
    order=st.sampled_from(["cyclic", "random"]),
    fit_intercept=st.booleans(),
    at_zero=st.booleans(),
    max_updates=st.sampled_from([0, 1, 500]),
    max_epochs=st.sampled_from([0, 1, 7, 200]),
)
def test_the_update_sequence_is_the_textbooks(
    kind, seed, n, d, rate, order, fit_intercept, at_zero, max_updates, max_epochs
):
    """Blocks and blocks' rounding change nothing: same samples, same reads, same floats."""
    X, y = samples(kind, n, d, seed)
    start = ll.Hyperplane(np.zeros(d) if at_zero else np.arange(1.0, d + 1) / 3)
    budget = dict(max_updates=max_updates, max_epochs=max_epochs)
    options = dict(rate=rate, start=start, fit_intercept=fit_intercept, order=order, seed=seed)
    fit = ll.perceptron(X, y, **options, **budget)
    permutation = np.random.default_rng(seed).permutation
    a, added, reads = textbook(
        ll.signed(X, y, fit_intercept=fit_intercept),
        start.a if fit_intercept else start.w,
        rate,
        order=range if order == "cyclic" else permutation,
        **budget,
    )
    assert fit.trace["i"][1:].tolist() == added
    assert fit.trace["reads"][1:].tolist() == reads
    assert np.array_equal(fit.plane.a if fit_intercept else fit.plane.w, a)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("order", ["cyclic", "random"])
def test_nasty_samples_are_read_as_the_textbook_reads_them(name, order):
    X, y = SAMPLES[name]
    fit = ll.perceptron(X, y, order=order, max_updates=300, max_epochs=3)
    permutation = np.random.default_rng(0).permutation
    _, added, _ = textbook(
        ll.signed(X, y),
        max_updates=300,
        max_epochs=3,
        order=range if order == "cyclic" else permutation,
    )
    assert fit.trace["i"][1:].tolist() == added


def test_a_rounded_tie_is_decided_as_the_loop_decides_it():
    """Thousands of samples at distance 0 up to rounding, and steps too short to move them away: every
    read is a tie up to rounding, so the block scan must decide each as the loop does."""
    rng = np.random.default_rng(0)
    w = rng.standard_normal(7)
    X = rng.standard_normal((4000, 7))
    X -= np.outer(X @ w, w) / (w @ w)
    y = np.where(np.arange(4000) % 2, 1.0, -1.0)
    for order, rate in (("cyclic", 1e-20), ("cyclic", 1.0)):
        options = dict(start=ll.Hyperplane(w), fit_intercept=False, rate=rate, max_updates=3000)
        fit = ll.perceptron(X, y, order=order, **options)
        _, added, _ = textbook(ll.signed(X, y, fit_intercept=False), w, rate, max_updates=3000)
        assert fit.trace["i"][1:].tolist() == added


@pytest.mark.parametrize(
    ("samples", "first", "rate"),
    [(1e-98, 1e12, 1e-9), (1e-98, 1e90, 1e-9), (1.0, 1e-200, 1e-220)],
)
def test_ties_are_seen_where_squares_underflow(samples, first, rate):
    """R as short as may be, or a start so short that ‖a₀‖² is 0: their product, and its rounding, are not."""
    rng = np.random.default_rng(0)
    w = rng.standard_normal(40)
    X = rng.standard_normal((4000, 40))
    X = samples * (X - np.outer(X @ w, w) / (w @ w))
    y = np.where(np.arange(4000) % 2, 1.0, -1.0)
    options = dict(start=ll.Hyperplane(first * w), fit_intercept=False, rate=rate, max_updates=3000)
    fit = ll.perceptron(X, y, **options)
    _, added, _ = textbook(ll.signed(X, y, fit_intercept=False), first * w, rate, max_updates=3000)
    assert fit.trace["i"][1:].tolist() == added


def test_the_doubt_grows_with_the_weights():
    """A long a rounds more: samples orthogonal to what the run has built up stay ties up to rounding."""
    rng = np.random.default_rng(1)
    big = 1e8 * rng.standard_normal(7)
    X = rng.standard_normal((3000, 7))
    X -= np.outer(X @ big, big) / (big @ big)
    X, y = np.vstack([big, 1e-9 * X]), np.ones(3001)
    fit = ll.perceptron(X, y, fit_intercept=False, max_updates=2000)
    _, added, _ = textbook(X, np.zeros(7), max_updates=2000)
    assert fit.trace["i"][1:].tolist() == added


def test_a_pick_reads_every_sample_for_each_choice():
    X, y = ll.data.drawn()
    trace = ll.perceptron(X, y, order=most_violated).trace
    assert trace["reads"].tolist() == [24 * k for k in range(len(trace))]


@pytest.mark.parametrize("epochs", [0, 1, 2, 5])
def test_epochs_are_whole_passes(epochs):
    """N epochs read nN samples and no more, whatever is left to correct (the notes' parameter N)."""
    X, y = ll.data.gaussians(50, 3, delta=1.0)
    fit = ll.perceptron(X, y, max_epochs=epochs)
    assert (
        fit.trace["i"][1:].tolist() == textbook(ll.signed(X, y), np.zeros(4), max_epochs=epochs)[1]
    )
    assert fit.trace["reads"].max() <= 50 * epochs


@pytest.mark.parametrize("order", ORDERS)
def test_novikoffs_two_curves_enclose_every_run(order):
    """kγ* ≤ ‖a_k‖ ≤ R√k at every k, so the run ends by (R/γ*)²; the lower curve needs γ*, not γ*/2."""
    for seed in range(10):
        X, y = ll.data.separable(40, 2, margin=0.1, seed=seed)
        best, R = ll.separate(X, y).certificate, np.linalg.norm(ll.signed(X, y), axis=1).max()
        fit = ll.perceptron(X, y, order=order, seed=seed)
        k, length = fit.trace["k"], np.linalg.norm(fit.trace["a"], axis=1)
        assert (k * best.lower <= length + 1e-9).all()
        assert (length <= R * np.sqrt(k) + 1e-9).all()
        assert len(fit.trace) - 1 <= ll.capacity.perceptron_bound(R, best.lower)
        assert fit.certificate.lower > 0
        assert (ll.margins(fit.plane, X, y) > 0).all()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("d", range(1, 7))
def test_the_slow_families_take_the_same_exact_count_in_every_order(order, d):
    """(4^d - 1)/3 and F_{d+1}F_{d+2} - 1 updates, no more and no fewer."""
    F = [0, 1]
    while len(F) < d + 3:
        F.append(F[-1] + F[-2])
    for family, count in (
        (ll.hardness.slow_ternary, (4**d - 1) // 3),
        (ll.hardness.slow_binary, F[d + 1] * F[d + 2] - 1),
    ):
        fit = ll.perceptron(*family(d), order=order, fit_intercept=False)
        assert len(fit.trace) - 1 == count


@pytest.mark.parametrize("call", [1.0, reading.CALL])
def test_a_random_order_stops_only_after_a_whole_clean_permutation(call, monkeypatch):
    """n right answers in a row that straddle two permutations need not have met every sample.

    Cheap calls make short blocks: a permutation is then many of them, and its end is looked for.
    """
    monkeypatch.setattr(reading, "CALL", call)
    for seed in range(200):
        X, y = ll.data.separable(60 if call == 1 else 6, 2, margin=0.02, seed=seed)
        fit = ll.perceptron(X, y, order="random", seed=seed)
        assert (ll.margins(fit.plane, X, y) > 0).all()


def test_seed_decides_the_random_order_and_nothing_global_is_touched():
    X, y = ll.data.gaussians(60, 3, delta=1.0)
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    one, two, other = (
        ll.perceptron(X, y, order="random", seed=s, max_updates=50).trace["i"] for s in (1, 1, 2)
    )
    assert one.tolist() == two.tolist() != other.tolist()
    assert (np.random.get_state()[1] == state).all()  # noqa: NPY002


def test_the_trace_rebuilds_every_state_without_storing_it():
    """Any state on demand, equal to the run's to the last bit, from two integers per state."""
    X, y = ll.data.gaussians(80, 4, delta=0.5)
    options = dict(max_updates=700, rate=0.1, start=ll.Hyperplane([1.0, 2, 3, 4], 5.0))
    trace = ll.perceptron(X, y, **options).trace
    steps, a = list(trace), options["start"].a
    assert len(trace) == len(steps) == 701
    for step, z in zip(steps, ll.signed(X, y)[trace["i"]], strict=True):
        a = a + 0.1 * z if step.k else a
        assert np.array_equal(step.plane.a, a)
    for k in (0, 1, 26, 27, 350, 700, -1, -701):
        assert np.array_equal(trace[k].plane.a, steps[k].plane.a)
        assert (trace[k].k, trace[k].i, trace[k].reads) == (steps[k].k, steps[k].i, steps[k].reads)
    assert [s.k for s in trace] == list(range(701)) == trace["k"].tolist()
    assert np.array_equal(trace["a"], [s.plane.a for s in steps])
    assert [s.k for s in trace[3:9:2]] == [3, 5, 7]
    held = (
        len(trace.steps.i) * trace.steps.i.itemsize
        + len(trace.steps.reads) * trace.steps.reads.itemsize
    )
    assert held == 701 * 16  # the start has both, too
    with pytest.raises(KeyError, match="it has k, i, reads"):
        trace["objective"]
    with pytest.raises(IndexError):
        trace[701]


def test_steps_share_no_memory():
    steps = list(ll.perceptron(*ll.data.drawn(), max_updates=4).trace)
    assert not any(
        np.shares_memory(p.plane.w, q.plane.w) for p, q in itertools.combinations(steps, 2)
    )


def test_the_dual_counts_updates_and_the_upper_end_is_the_mean_step():
    """From 0 with rate 1, Zᵀα = a_k/k, so upper = ‖a_k‖/k up to its rounding allowance."""
    X, y = ll.data.drawn(overlap=True)
    fit = ll.perceptron(X, y, max_updates=5000)
    k = len(fit.trace) - 1
    assert fit.certificate.dual * k == pytest.approx(
        np.bincount(fit.trace["i"][1:], minlength=len(y))
    )
    assert fit.certificate.upper == pytest.approx(np.linalg.norm(fit.plane.a) / k, rel=1e-12)
    R = np.linalg.norm(ll.signed(X, y), axis=1).max()
    assert fit.certificate.upper <= R / np.sqrt(k) * (1 + 1e-12)


def test_with_no_updates_the_dual_is_uniform():
    fit = ll.perceptron(*ll.data.drawn(), max_updates=0)
    assert len(fit.trace) == 1 and fit.certificate.lower == 0
    assert fit.certificate.dual == pytest.approx(np.full(24, 1 / 24))


@pytest.mark.parametrize("rate", [0.1, 3.0])
def test_from_zero_the_rate_only_rescales(rate):
    X, y = ll.data.separable(30, 3, margin=0.1)
    assert (
        ll.perceptron(X, y, rate=rate).trace["i"].tolist()
        == ll.perceptron(X, y).trace["i"].tolist()
    )


def test_flipping_all_labels_flips_the_plane():
    X, y = ll.data.separable(30, 3, margin=0.1)
    assert np.array_equal(ll.perceptron(X, -y).plane.a, -ll.perceptron(X, y).plane.a)


def test_arguments_are_not_changed():
    X, y = ll.data.drawn()
    before = X.copy(), y.copy()
    ll.perceptron(X, y)
    assert np.array_equal(X, before[0]) and np.array_equal(y, before[1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            dict(order="zigzag"),
            r'`order` must be "cyclic" or "random"; got \'zigzag\'. Or pass a function',
        ),
        (dict(rate=0), r"`rate` must be a finite number > 0; got 0"),
        (dict(rate=float("nan")), r"`rate` must be a finite number > 0"),
        (dict(max_updates=-1), r"`max_updates` must be an integer ≥ 0; got -1"),
        (dict(max_updates=2.5), r"`max_updates` must be an integer ≥ 0; got 2.5"),
        (dict(start=[0, 0]), r"`start` must be a Hyperplane; got list"),
        (dict(start=ll.Hyperplane([1.0])), r"`start` must have 2 weights"),
        (
            dict(start=ll.Hyperplane([1.0, 1.0], 2.0), fit_intercept=False),
            r"`start` must have b = 0",
        ),
        (dict(order=np.array([0, 1])), r'`order` must be "cyclic" or "random"; got an array'),
        (dict(order=lambda mistakes, margins: -1), r"`order` must return one of the mistakes"),
        (dict(order=lambda mistakes, margins: 0.0), r"`order` must return one of the mistakes"),
        (
            dict(order=lambda mistakes, margins: mistakes[:1]),
            r"`order` must return one of the mist",
        ),
        (dict(seed=-1), r"`seed` must be an integer ≥ 0; got -1"),
        (dict(seed="x"), r"`seed` must be an integer ≥ 0; got 'x'"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        ll.perceptron(*ll.data.drawn(), **options)


def test_what_is_not_said_is_rate_one_from_zero():
    """Without options the weights are sums of samples, each as often as it was added."""
    X, y = ll.data.drawn()
    fit = ll.perceptron(X, y)
    for field in ("i", "reads", "k"):
        assert fit.trace[field].tolist() == [getattr(step, field) for step in fit.trace]
    assert fit.trace["i"][0] == -1
    times = np.bincount(fit.trace["i"][1:], minlength=len(y))
    assert fit.plane.a == pytest.approx(ll.signed(X, y).T @ times)


def test_an_epoch_of_a_rule_that_looks_at_all_samples_is_one_update():
    """Each pick reads every margin, so N epochs allow N updates."""
    X, y = ll.data.drawn(overlap=True)
    for epochs, updates in ((3, 10), (10, 3)):
        fit = ll.perceptron(
            X, y, order=lambda mistakes, m: mistakes[0], max_epochs=epochs, max_updates=updates
        )
        assert len(fit.trace) - 1 == 3
