"""Samples in files, on workers and sparse: the same bits from everywhere, proved ends, little memory."""

import json
import re
import subprocess
import sys
import tracemalloc
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import linlearn as ll
from linlearn import certificates as certs
from linlearn.certificates import SparseDual
from linlearn.certificates.ball import gamma
from linlearn.out_of_core import hinge, methods, samples, sources
from linlearn.out_of_core.samples import SampleSums, suggest_combinations
from linlearn.out_of_core.tree_reduction import Leaf, Node, PartialSums, merged, root

ROOT = Path(__file__).resolve().parent.parent
N, D = 12_001, 5
FITS = [
    ("least_squares", {}),
    ("least_squares", {"targets": "fisher"}),
    ("fisher", {}),
    ("lda", {"priors": "equal"}),
    ("logistic", {}),
    ("logistic", {"lam": 1e-3}),
    ("logistic", {"lam": 1e-3, "sample_weight": "balanced"}),
    ("svm", {"C": 1.0}),
    ("linear_program", {}),
    ("linear_program", {"sample_weight": "balanced"}),
]


def needs(*modules):
    """Skip where an extra is not installed: the package works without them."""
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        pytest.skip(
            f"{' and '.join(missing)} not installed: an extra of linlearn that is not there"
        )


def drawn(n=N, d=D, seed=0):
    r = np.random.default_rng(seed)
    X = (r.standard_normal((n, d)) * np.geomspace(1, 50, d) + 3).astype(np.float32)
    X[np.abs(X) < 0.5] = 0.0
    noise = 30 * r.standard_normal(n)
    return X, np.where(X @ r.standard_normal(d) + noise > 0, 1, -1).astype(np.int8)


@pytest.fixture(scope="module")
def data():
    return drawn()


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    """Some pieces, of some leaves each, for samples that are few."""
    monkeypatch.setattr(sources, "PIECE", 2**12)
    monkeypatch.setattr(sources, "LEAF", 2**11)
    monkeypatch.setattr(hinge, "PILOT", 2**14)  # so that not all samples are solved for


def bits(X, y):
    """Planes and ends of every method."""
    found = []
    for name, options in (FITS[1], FITS[3], FITS[4], FITS[7]):
        fit = getattr(ll, name)(X, y, **options)
        found += [*fit.plane.a, fit.certificate.lower, fit.certificate.upper]
    found += [*fit.certificate.dual.samples, *fit.certificate.dual.amounts]
    return np.array(found)


def parquet(path, X, y, files=1, rows=1_007, **also):
    """X and y in files of a folder; `also` replaces columns of the last one."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path.mkdir()
    for k, part in enumerate(np.array_split(np.arange(len(y)), files)):
        columns = {f"x{j}": X[part, j] for j in range(X.shape[1])} | {"label": y[part]}
        if k == files - 1:
            columns |= {name: values(len(part)) for name, values in also.items()}
        pq.write_table(pa.table(columns), path / f"part-{k:02}.parquet", row_group_size=rows)
    return path


@pytest.fixture
def memmap(tmp_path, data):
    np.save(tmp_path / "X.npy", data[0])
    return np.load(tmp_path / "X.npy", mmap_mode="r"), data[1]


# -- the same bits ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def expected(data, tmp_path_factory):
    """What a memory map gives, with the pieces of the first test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "LEAF", 2**11)
        patch.setattr(hinge, "PILOT", 2**14)
        path = tmp_path_factory.mktemp("map") / "X.npy"
        np.save(path, data[0])
        return bits(np.load(path, mmap_mode="r"), data[1])


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("piece", [2**11, 2**13, 2**21])
def test_threads_and_pieces_do_not_show(memmap, expected, monkeypatch, threads, piece):
    monkeypatch.setenv("OMP_NUM_THREADS", threads)
    monkeypatch.setattr(sources, "PIECE", piece)
    assert np.array_equal(bits(*memmap), expected)


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_array, sparse.csr_matrix])
def test_sparse_samples_give_the_same_bits(data, expected, kind):
    assert np.array_equal(bits(kind(data[0]), data[1]), expected)


@pytest.mark.parametrize("files", [1, 4])
def test_files_give_the_same_bits(data, expected, tmp_path, files):
    needs("pyarrow")
    folder = parquet(tmp_path / "samples", *data, files=files)
    assert np.array_equal(bits(folder, "label"), expected)
    listed = sorted(map(str, folder.glob("*.parquet")))
    assert np.array_equal(bits(listed if files > 1 else listed[0], "label"), expected)


@pytest.mark.parametrize("chunks", [(2**10, 2), (3 * 2**8, 5), (2**13, 5)])
def test_chunks_of_whole_leaves_give_the_same_bits(data, expected, chunks):
    """However many leaves a chunk has; and labels may be chunked otherwise, or be an array here."""
    needs("dask")
    import dask.array as da

    X, y = da.from_array(data[0], chunks=chunks), da.from_array(data[1], chunks=4096)
    assert np.array_equal(bits(X, y), expected)
    assert np.array_equal(bits(X, data[1]), expected)


def test_other_chunks_give_the_same_bits_on_every_scheduler(data):
    needs("dask")
    import dask
    import dask.array as da

    X, y = (da.from_array(a, chunks=333) for a in data)
    with dask.config.set(scheduler="synchronous"):
        first = ll.logistic(X, y, lam=1e-3)
    with dask.config.set(scheduler="threads", num_workers=3):
        second = ll.logistic(X, y, lam=1e-3)
    assert np.array_equal(first.plane.a, second.plane.a)
    assert first.certificate.lower == second.certificate.lower


def test_a_data_frame_gives_the_same_bits(data, expected):
    needs("dask", "pyarrow", "pandas")
    import dask.dataframe as dd
    import pandas as pd

    table = pd.DataFrame({f"x{j}": data[0][:, j] for j in range(D)}).assign(label=data[1])
    frame = dd.from_pandas(table, chunksize=2**10)
    assert np.array_equal(bits(frame, "label"), expected)
    assert np.array_equal(bits(frame.drop(columns="label"), frame["label"]), expected)


@pytest.mark.parametrize("leaves", range(1, 40))
def test_whoever_joins_them_the_leaves_are_added_in_one_tree(leaves):
    values = np.random.default_rng(leaves).standard_normal(leaves)
    nodes = [Node(0, i, PartialSums((v,), np.array([v]))) for i, v in enumerate(values)]
    whole = root(nodes)
    for size in range(1, leaves + 1):
        pieces = [merged(nodes[i : i + size]) for i in range(0, leaves, size)]
        assert root(n for piece in pieces for n in piece).sums == whole.sums
        assert all(len(piece) <= 2 * leaves.bit_length() for piece in pieces)
    assert whole.most == values.max()


# -- answers and certificates ----------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "options"), FITS)
def test_the_answer_is_that_of_samples_in_memory(data, memmap, name, options):
    X, y = data
    here, there = getattr(ll, name)(X, y, **options), getattr(ll, name)(*memmap, **options)
    assert there.converged and there.certificate.relative_gap < 1e-10
    assert here.certificate.lower <= there.certificate.upper
    assert there.certificate.lower <= here.certificate.upper
    assert np.allclose(here.plane.a, there.plane.a, rtol=1e-3, atol=1e-6)
    assert here.certificate.scale == pytest.approx(there.certificate.scale)
    verified = there.verify(*memmap)
    if (
        there.certificate.quantity != "fisher"
    ):  # which is asked by two readings, one more than the fit
        assert verified.lower == there.certificate.lower
        assert verified.upper == there.certificate.upper
    assert there.verify(X, y).dual.shape == y.shape  # by somebody who has them in memory
    here.verify(*memmap)


def test_a_certificate_is_about_its_samples(data, memmap):
    fit = ll.logistic(*memmap, lam=1e-3)
    flipped = data[1].copy()
    flipped[:100] *= -1
    with pytest.raises(ValueError, match=r"on these samples the stored .* prove .* contradicts it"):
        fit.verify(memmap[0], flipped)


@pytest.mark.parametrize("more", [-1, 1])
def test_a_fit_is_verified_with_its_number_of_rows(tmp_path, data, more):
    """Rows of a file are counted while they are read; the multipliers were not passed by the user."""
    needs("pyarrow")
    X, y = data[0][:500], data[1][:500]
    fit = ll.linear_program(X, y)
    fit.verify(parquet(tmp_path / "same", X, y), "label")
    n = 500 + more
    folder = parquet(tmp_path / "other", data[0][:n], data[1][:n])
    with pytest.raises(ValueError, match=f"must be the 500 samples of the fit; got {n}"):
        fit.verify(folder, "label")


def test_a_fit_without_multipliers_is_saved_and_says_what_it_lacks(memmap, tmp_path):
    fit = ll.lda(*memmap)
    fit.save(tmp_path / "fit.npz")
    again = ll.Fit.load(tmp_path / "fit.npz")
    assert again.certificate.dual is None and np.array_equal(again.plane.a, fit.plane.a)
    again.verify(*memmap)
    with pytest.raises(ValueError, match="must have a dual witness with an entry"):
        fit.to_json()
    assert json.loads(_in_memory(fit, memmap).to_json())["quantity"] == "fisher"


def _in_memory(fit, memmap):
    return fit.verify(np.array(memmap[0]), memmap[1])


@pytest.mark.parametrize("name", ["least_squares", "fisher", "logistic"])
def test_in_memory_the_plane_suggests_the_multipliers(data, name):
    fit = getattr(ll, name)(*data)
    enclose = getattr(ll.certificates, f"enclose_{name}")
    found = enclose(*data, primal=fit.certificate.primal, **fit.certificate.options)
    assert found.lower <= fit.certificate.upper and fit.certificate.lower <= found.upper
    assert found.relative_gap < 1e-9


def exact(X, t):
    """The least ½‖X̃a - t‖², in fractions; None if columns depend on each other."""
    rows = [
        [*map(Fraction, row), Fraction(1), Fraction(v)]
        for row, v in zip(X.tolist(), t.tolist(), strict=True)
    ]
    G = [[sum(r[j] * r[k] for r in rows) for k in range(len(rows[0]))] for j in range(len(rows[0]))]
    for j in range(len(G) - 1):  # eliminate the columns of X̃: what is left of ‖t‖² is the misfit
        if not G[j][j]:
            return None
        for i in range(j + 1, len(G)):
            factor = G[i][j] / G[j][j]
            G[i] = [u - factor * v for u, v in zip(G[i], G[j], strict=True)]
    return G[-1][-1] / 2


small = st.integers(6, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.tuples(*[st.integers(-9, 9)] * 2), min_size=n, max_size=n),
        st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n),
        st.tuples(*[st.sampled_from([1e-20, 1e-3, 1.0, 1e7])] * 2),
        st.sampled_from([0.0, 1.0, 1e5]),
        st.tuples(*[st.floats(-2, 2)] * 3),
    )
)


KINKS = [
    ("svm", certs.soft_margin_exact, certs.enclose_soft_margin, {"C": 1.0}),
    ("linear_program", certs.hinge_exact, certs.enclose_hinge, {}),
    ("linear_program", certs.hinge_exact, certs.enclose_hinge, {"sample_weight": "balanced"}),
]


@settings(deadline=None)
@given(small)
def test_ends_hold_for_every_plane_on_nasty_samples(case):
    """The exact optimum, in fractions, is between the ends, at the answer and at any other plane."""
    points, y, scales, shift, witness = case
    X = (np.array(points) + shift) * scales
    if len(set(y)) < 2:
        return
    y, B = np.array(y), sparse.csr_array(X)
    truth = exact(X, y)
    if truth is None:
        return
    fit = ll.least_squares(B, y)
    found = [fit.certificate]
    a = np.array(witness) / [*scales, 1.0]
    found.append(ll.certificates.enclose_least_squares(B, y, primal=a))
    for one in found:
        assert Fraction(one.lower) <= truth <= Fraction(one.upper)
    truth = exact(X, np.where(y > 0, len(y) / (y > 0).sum(), -len(y) / (y < 0).sum()))
    if truth:  # the ratio from it, up to the rounding of these targets
        n, k = len(y), float((y > 0).sum() * (y < 0).sum()) / len(y)
        ratio = float(n * n / (2 * k * k * truth)) - 1 / k
        one = ll.certificates.enclose_fisher(B, y, primal=a[:2] if a[:2].any() else [1.0, 0.0])
        assert one.lower <= ratio * (1 + 1e-12) + 1e-12 and ratio <= one.upper * (1 + 1e-12) + 1e-12
    for lam in (0.0, 0.1):
        one = ll.certificates.enclose_logistic(B, y, primal=a, lam=lam)
        best = ll.logistic(X, y, lam=lam).certificate
        assert one.lower <= best.upper and best.lower <= one.upper


@pytest.mark.parametrize(("method", "exact_ends", "enclose", "options"), KINKS)
@settings(deadline=None, max_examples=15)
@given(small, st.sampled_from([0.0, 0.3, 1e-9]))
def test_any_plane_and_any_multipliers_prove_ends_of_a_hinge_loss(
    method, exact_ends, enclose, options, case, width
):
    points, y, scales, shift, witness = case
    X, y = (np.array(points) + shift) * scales, np.array(y)
    if len(set(y.tolist())) < 2:
        return
    B, a = sparse.csr_array(X), np.array(witness) / [*scales, 1.0]
    best = getattr(ll, method)(X, y, **options).certificate
    low, high = exact_ends(X, y, primal=best.primal, dual=best.dual, **options)
    fit = getattr(ll, method)(B, y, **options).certificate
    for primal, dual in (
        (fit.primal, fit.dual),
        (fit.primal, best.dual),
        (a, np.abs(X[:, 0])),
        (a, SparseDual(np.array([1]), np.array([0.5]), width)),
    ):
        one = enclose(B, y, primal=primal, dual=dual, **options)
        assert one.lower <= high and low <= one.upper


def test_sums_err_by_less_than_gamma(data):
    """Which grows with the size of a leaf and the depth of the tree, not with n."""
    S = SampleSums(*data)
    total = S.total(lambda leaf: PartialSums((leaf.y @ leaf.x**2,), np.zeros(0))).sums[0]
    for j in range(2):
        terms = [
            int(s) * Fraction(float(v)) ** 2 for s, v in zip(data[1], data[0][:, j], strict=True)
        ]
        assert abs(Fraction(float(total[j])) - sum(terms)) <= Fraction(S.gamma(1)) * sum(
            map(abs, terms)
        )
    assert S.gamma() < gamma(N) / 10


def test_a_plane_beyond_all_floats_proves_nothing_false(data):
    X, y = sparse.csr_array(data[0].astype(np.float64) * 1e50), data[1]
    far = ll.certificates.enclose_least_squares(X, y, primal=np.full(D + 1, 1e130))
    assert (far.lower, far.upper) == (0, np.inf)
    best = ll.logistic(X, y).certificate
    far = ll.certificates.enclose_logistic(X, y, primal=np.full(D + 1, 1e130))
    assert far.lower <= best.upper and best.lower <= far.upper
    for enclose, options in ((certs.enclose_soft_margin, {"C": 1.0}), (certs.enclose_hinge, {})):
        for dual in (SparseDual.by_width(0.0), SparseDual.by_width(1e-3), np.full(N, 1e300)):
            far = enclose(X, y, primal=np.full(D + 1, 1e130), dual=dual, **options)
            assert far.lower <= options.get("C", 1 / N) * N and far.upper > 0


def test_a_loss_that_falls_for_ever_is_recognised(memmap):
    X, _ = memmap
    y = np.where(X[:, 0] > 3, 1, -1)
    gap = np.array(X, dtype=np.float64)
    gap[:, 0] += 0.1 * y
    fit = ll.logistic(sparse.csr_array(gap), y)
    assert (fit.certificate.lower, fit.certificate.upper) == (0, 0)
    assert not fit.certificate.attained and np.isinf(fit.trace[-1].rate)
    assert not fit.verify(gap, y).attained
    assert not fit.verify(sparse.csr_array(gap), y).attained


@pytest.mark.parametrize("plane", [[1.0, 3.0], [0.0, 0.5], [-2.0, 0.0], [0.5, -0.2]])
@pytest.mark.parametrize("dual", [[1, 1, 1e-3, 1e-3], [0.9, 0.9, 0.4, 0.4], [0.2, 0.9, 0.6, 0.1]])
def test_unbalanced_multipliers_at_a_wrong_offset_prove_nothing_false(plane, dual):
    """Optima are known: 0 of the linear program, since a hyperplane separates, and 1/2 of the soft margin."""
    X, y = sparse.csr_array([[-1.0], [-1.0], [1.0], [1.0]]), [-1, -1, 1, 1]
    assert certs.enclose_hinge(X, y, primal=plane, dual=np.array(dual) / 4).lower == 0
    soft = certs.enclose_soft_margin(X, y, primal=plane, dual=dual, C=1.0)
    assert soft.lower <= 0.5 <= soft.upper


def test_an_end_is_claimed_only_if_the_corrected_multipliers_are_feasible():
    """α + κ⟨A, u⟩ of the proof are in [0, k] wherever the linear program's lower end is above 0."""
    r, x, y = np.random.default_rng(0), np.array([0.0, 1.0, 2.0, 4.0]), np.array([1, -1, 1, -1])
    A = y[:, None] * np.column_stack([x, np.ones(4)])
    claimed = outside = 0
    for alpha, v in zip(r.random((300, 4)) / 4, r.standard_normal((300, 2)), strict=True):
        kappa = alpha * (0.25 - alpha) / 0.25
        moved = alpha + kappa * (A @ np.linalg.solve((A.T * kappa) @ A, -alpha @ A))
        inside = bool((moved >= 0).all() and (moved <= 0.25).all())
        dual = SparseDual(np.arange(4), alpha)
        one = certs.enclose_hinge(sparse.csr_array(x[:, None]), y, primal=v, dual=dual)
        assert inside or not one.lower
        claimed, outside = claimed + (one.lower > 0), outside + (not inside)
    assert claimed > 5 and outside > 5


def test_multipliers_that_are_nearly_balanced_pay_for_what_is_missing():
    """The optimum is 2/3; at this plane these multipliers, taken as they are, would claim more."""
    X, y = sparse.csr_array([[0.0], [1.0], [2.0]]), [1, -1, 1]
    dual = [1 / 6 + 0.01, 1 / 3, 1 / 6]
    assert np.dot(dual, [4, -2, 4]) > 0.7
    found = certs.enclose_hinge(X, y, primal=[0.0, -3.0], dual=dual)
    assert 0.6 < found.lower <= 2 / 3 <= found.upper


@pytest.mark.parametrize("seed", range(20))
def test_a_plane_has_the_coordinates_that_were_read(data, seed):
    """Whatever the mean: else a certificate asked for again would end a rounding beside the first one."""
    rng, S = np.random.default_rng(seed), SampleSums(*data)
    for size in 10.0 ** rng.integers(-6, 7, size=50):
        S.m = size * rng.normal(size=S.d)
        v = S.coordinates(rng.normal(size=S.p) * 10.0 ** rng.integers(-6, 7, size=S.p))
        assert np.array_equal(S.coordinates(S.plane(v)), v)


@pytest.mark.parametrize(
    ("method", "quantity"), [("svm", "soft margin"), ("linear_program", "hinge")]
)
def test_few_samples_have_a_multiplier_of_their_own(memmap, tmp_path, method, quantity):
    """Those at margin 1; the others' are told by their side, wherever the fit is read again."""
    options = {"C": 1.0} if method == "svm" else {}
    fit = getattr(ll, method)(*memmap, **options)
    assert fit.certificate.quantity == quantity and len(fit.certificate.dual.samples) < 10 * D
    margins = memmap[1] * fit.decision_function(memmap[0])
    own = fit.certificate.dual.samples
    assert np.abs(margins[own] - 1).max() < 1e-2
    fit.save(tmp_path / "fit.npz")
    again = ll.Fit.load(tmp_path / "fit.npz")
    assert again.verify(*memmap).lower == fit.certificate.lower
    whole = again.verify(np.array(memmap[0]), memmap[1])
    assert "SparseDual" not in whole.to_json()
    with pytest.raises(ValueError, match=r"an entry for each sample .* got SparseDual"):
        fit.to_json()
    wrong = SparseDual(own, np.zeros(len(own)), again.certificate.dual.width)
    enclose = ll.certificates.ENCLOSE[quantity]
    found = enclose(*memmap, primal=fit.certificate.primal, dual=wrong, **fit.certificate.options)
    assert found.upper == fit.certificate.upper and found.lower < fit.certificate.lower


@pytest.mark.parametrize("method", ["svm", "linear_program"])
def test_samples_that_share_a_margin_share_a_multiplier(data, method):
    """Features of two values have few margins, and more samples at 1 than could be solved for."""
    X, y = (data[0] > 3) * 1.0, data[1]
    options = {"C": 1.0} if method == "svm" else {}
    fit = getattr(ll, method)(sparse.csr_array(X), y, **options)
    assert fit.certificate.dual.width > 0 and fit.certificate.relative_gap < 1e-8
    best = getattr(ll, method)(X, y, **options).certificate
    assert fit.certificate.lower <= best.upper and best.lower <= fit.certificate.upper
    assert fit.verify(sparse.csr_array(X), y).dual.width == fit.certificate.dual.width
    if (
        method == "svm"
    ):  # in memory the linear program's claim is about fewer planes: within a bound
        assert fit.verify(X, y).dual.shape == y.shape


def test_a_plane_that_separates_costs_nothing(memmap):
    X = np.array(memmap[0], dtype=np.float64)
    y = np.where(X[:, 0] > 3, 1, -1)
    X[:, 0] += 0.1 * y
    fit = ll.linear_program(sparse.csr_array(X), y)
    assert (fit.certificate.lower, fit.certificate.upper) == (0, 0)
    assert (y * fit.decision_function(X)).min() >= 1


def with_dependent(name, X):
    """Columns that others determine, exactly, and how many."""
    group = np.arange(len(X)) * 7919 % 3
    if name == "a difference":  # of single precision: a float
        return np.column_stack([X, X[:, 0] - X[:, 1]]), 1
    if name == "a copy, and zeros and ones":
        return np.column_stack([X[:, 0], X, np.eye(3)[group]]), 2
    rounded = np.round(X * 4) / 4
    return np.column_stack([X, rounded[:, :2], rounded[:, 0] * 1.5 - rounded[:, 1] * 0.25 + 3]), 1


DEPENDENT = ["a difference", "a copy, and zeros and ones", "fractions and a constant"]


@pytest.mark.parametrize("name", DEPENDENT)
def test_columns_that_depend_exactly_leave_both_ends_sharp(data, name):
    X, y = data[0].astype(np.float64), data[1]
    wide, redundant = with_dependent(name, X)
    B = sparse.csr_array(wide)
    S = SampleSums(B, y)
    assert S.redundant.sum() == redundant
    left = wide[:, ~S.redundant[:-1]]
    for method in ("least_squares", "logistic", "linear_program", "fisher", "lda"):
        found = getattr(ll, method)(B, y).certificate
        known = getattr(ll, method)(left, y).certificate
        assert found.relative_gap < 1e-8
        assert found.lower <= known.upper and known.lower <= found.upper
    assert ll.logistic(B, y, lam=1e-2).converged


def test_columns_that_depend_but_for_a_rounding_leave_an_end_open(data):
    """Along the difference a plane with huge weights costs less: no sum over samples excludes it."""
    copy, y = data[0][:, 0].astype(np.float64), data[1]
    copy[-1] = np.nextafter(copy[-1], np.inf)
    X = np.column_stack([data[0], copy])
    B = sparse.csr_array(X)
    assert not SampleSums(B, y).redundant.any()
    known = ll.least_squares(data[0], y).certificate
    found = ll.least_squares(B, y).certificate
    assert found.lower == 0 and found.upper == pytest.approx(known.upper, rel=1e-9)
    assert ll.linear_program(B, y).certificate.lower == 0
    with pytest.raises(ValueError, match="or columns are nearly dependent"):
        ll.fisher(B, y)


@pytest.mark.parametrize("scaled", [False, True])
def test_a_leaked_label_leaves_fishers_upper_end_open(data, scaled):
    """A column that is constant within each class: along it the ratio is infinite."""
    X, y = np.column_stack([data[0][:, :2], 3.0 * (data[1] > 0) + 1]), data[1]
    X = (X - X.mean(axis=0)) / X.std(axis=0) if scaled else X.astype(np.float64)
    B = sparse.csr_array(X)
    for w in ([1.0, 0, 0], [1.0, 0, 1], [0.0, 0, 1]):
        assert ll.certificates.enclose_fisher(B, y, primal=w).upper == np.inf
    for method in (ll.fisher, ll.lda):
        with pytest.raises(ValueError, match=r"constant within each class .* reveal the label"):
            method(B, y)


def test_a_sum_that_a_rounding_makes_zero_is_no_dependence():
    """Of a + b and its rounding those rows whose difference, computed, is 0 and in truth is not."""
    a, b = np.random.default_rng(0).random((2, 2_000))
    rows = np.column_stack([a, b, a + b])
    kept = []
    for row in rows:
        found = samples._combination_extremes(
            Leaf(row[None], np.ones(1), 0), np.array([[-1.0, -1.0, 1.0]])
        )
        if not found.most.any() and sum(map(Fraction, row * [-1, -1, 1])):
            kept.append(row)
    assert len(kept) > 100
    S = SampleSums(sparse.csr_array(np.array(kept)), np.where(np.arange(len(kept)) % 2, 1, -1))
    assert len(suggest_combinations(S.total(samples._products, S.m).sums[0], S.reach > 0)) == 1
    assert not S.redundant.any()


@pytest.mark.parametrize("method", ["least_squares", "logistic"])
def test_a_column_far_from_zero_comes_to_an_end(data, monkeypatch, method):
    """Where rounding lets neither value nor decrement fall, ever shorter steps would never end."""
    left, total = iter([True] * 100), SampleSums.total
    monkeypatch.setattr(SampleSums, "total", lambda *args: next(left) and total(*args))
    r = np.random.default_rng(0)
    y = np.where(np.arange(4000) % 2, 1, -1)
    x = 1 + 1e-12 * (r.standard_normal(len(y)) + 0.3 * y)
    found = getattr(ll, method)(sparse.csr_array(np.column_stack([x, r.standard_normal(4000)])), y)
    assert found.converged


def test_a_constant_column_changes_nothing(data):
    X, y = sparse.csr_array(np.column_stack([data[0], np.full(N, 7.0)])), data[1]
    assert ll.least_squares(X, y).converged and ll.logistic(X, y).converged


# -- memory, progress, interruption ----------------------------------------------------------------------


@pytest.mark.parametrize(("name", "options"), FITS[4:5] + FITS[:1] + FITS[7:8])
def test_memory_is_bounded(tmp_path, monkeypatch, name, options):
    """A fit holds a small part of what the samples would take, and no vector of their number."""
    monkeypatch.setattr(sources, "PIECE", 2**15)
    monkeypatch.setattr(samples, "PILOT", 2**14)
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    n, d = 150_000, 10
    X = np.lib.format.open_memmap(tmp_path / "X.npy", "w+", np.float32, (n, d))
    r = np.random.default_rng(0)
    y = np.empty(n, dtype=np.int8)
    for rows in np.array_split(np.arange(n), 10):
        X[rows] = r.standard_normal((len(rows), d), dtype=np.float32)
        y[rows] = np.where(X[rows, 0] + r.standard_normal(len(rows)) > 0, 1, -1)
    tracemalloc.start()
    fit = getattr(ll, name)(X, y, **options)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert fit.converged
    assert peak < 8 * n * 2  # as float64 the samples would take ten times 8n


GROWN = """
import sys
import linlearn as ll
from benchmarks.blocks import watched
from linlearn.out_of_core import samples, sources
sources.PIECE, samples.PILOT = 2**16, 2**15
ll.least_squares(sys.argv[1], "label")  # imports
with watched() as peak:
    ll.least_squares(sys.argv[2], "label")
print(peak())
"""


def test_of_a_long_file_little_is_held(tmp_path):
    """Arrow's reading ahead would keep every row group of an open file in memory, here 54 MiB."""
    needs("pyarrow")
    if not Path("/proc/self/status").is_file():
        pytest.skip("no /proc: anonymous memory is not told")
    r = np.random.default_rng(0)
    X = r.random((500_000, 20), dtype=np.float32)
    y = np.where(r.random(len(X)) < 0.5, 1, -1).astype(np.int8)
    short = parquet(tmp_path / "short", X[:20_000], y[:20_000], rows=5_000)
    long = parquet(tmp_path / "long", X, y, rows=5_000)
    command = [sys.executable, "-c", GROWN, str(short), str(long)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    size = sum(path.stat().st_size for path in long.iterdir()) / 2**20
    assert float(done.stdout) < size / 2


class Stops(sources.Source):
    """Is interrupted in a reading."""

    def __init__(self, X, y, reading):
        super().__init__(X, y)
        self.left = reading

    def pieces(self):
        self.left -= 1
        for k, piece in enumerate(super().pieces()):
            if not self.left and k == 3:
                raise KeyboardInterrupt
            yield piece


def test_an_interrupted_run_says_how_far_it_came(data, monkeypatch):
    monkeypatch.setattr(samples, "source", lambda X, y: Stops(X, y, 4))
    with pytest.raises(KeyboardInterrupt) as told:
        methods.logistic(*data, lam=1e-3)
    monkeypatch.undo()
    first, second = told.value.__notes__
    assert first.startswith("Pass 4 over the samples: ") and "blocks" in first
    assert second.startswith("After 1 Newton steps the objective was 0.")
    fit = methods.logistic(*data, lam=1e-3, start=told.value.plane)
    assert fit.converged and len(fit.trace) < 4


def test_a_bar_moves_in_a_terminal(memmap, monkeypatch, capsys):
    needs("tqdm")
    from linlearn import _progress_bar

    ll.least_squares(*memmap)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(_progress_bar, "PATIENCE", 0.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    ll.least_squares(*memmap)
    assert "blocks read" in capsys.readouterr().err


# -- workers that die ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster():
    """Two processes of one thread each, for the tests that need real ones; nobody waits for ever."""
    needs("dask", "distributed")
    import dask
    from distributed import Client, LocalCluster

    with (
        dask.config.set({"distributed.scheduler.no-workers-timeout": "60s"}),
        LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, scheduler_port=0
        ) as workers,
        Client(workers) as client,
    ):
        yield client


def chunks_that_kill(path, X, at):
    """A Dask array of which the k-th reading of a chunk, k in `at`, kills the worker that reads it."""
    import dask
    import dask.array as da

    np.save(path / "copy.npy", X)
    rows = 1024

    def load(first):
        import os
        import signal
        from pathlib import Path

        import numpy as np

        Path(path / f"read-{os.getpid()}-{len(list(path.glob('read-*')))}").touch()
        if len(list(path.glob("read-*"))) in at:
            os.kill(os.getpid(), signal.SIGKILL)
        return np.load(path / "copy.npy")[first : first + rows]

    parts = [
        da.from_delayed(dask.delayed(load)(k), (min(rows, len(X) - k), X.shape[1]), X.dtype)
        for k in range(0, len(X), rows)
    ]
    return da.concatenate(parts)


@pytest.mark.parametrize(("name", "options"), FITS[5:6] + FITS[7:8])
def test_workers_that_are_killed_change_nothing(cluster, memmap, tmp_path, name, options):
    """At three moments: while the samples are looked at, in a step, and in the certificate's reading.

    Nothing of a sample stays with a worker, of the soft margin neither: multipliers come with each reading.
    """
    expected = getattr(ll, name)(*memmap, **options)
    X = chunks_that_kill(tmp_path, memmap[0], at={5, 20, 40})
    fit = getattr(ll, name)(X, memmap[1], **options)
    killed = {name.name.split("-")[1] for name in tmp_path.glob("read-*")}
    assert len(killed) > 2  # processes that have read: others took the place of the dead
    assert np.array_equal(fit.plane.a, expected.plane.a)
    assert fit.certificate.lower == expected.certificate.lower
    assert fit.certificate.upper == expected.certificate.upper


def test_a_chunk_that_kills_every_worker_is_an_error(cluster, memmap, tmp_path, monkeypatch):
    """At the first death here: Dask does not start one again that dies before it is said to be up."""
    monkeypatch.setattr(cluster.cluster.scheduler, "allowed_failures", 0)
    X = chunks_that_kill(tmp_path, memmap[0], at=range(1, 1000))
    with pytest.raises(RuntimeError, match="several workers died one after the other"):
        ll.least_squares(X, memmap[1])


@pytest.mark.filterwarnings("ignore:Port 8787 is already in use")
def test_the_recipe_on_the_page_runs(data, tmp_path, monkeypatch):
    """Both blocks of code as they stand there, in a folder that holds such samples."""
    needs("dask", "distributed", "pyarrow")
    cells = json.loads((ROOT / "book/beyond_one_machine.ipynb").read_text("utf8"))["cells"]
    page = next("".join(cell["source"]) for cell in cells if cell["id"] == "bo-recipe")
    parquet(tmp_path / "samples", *data, files=2)
    monkeypatch.chdir(tmp_path)
    names = {"ll": ll, "__name__": "__main__"}
    files, workers = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(files, names)
    first = names["fit"]
    exec(workers, names)
    names["client"].shutdown()
    assert np.allclose(first.plane.a, names["fit"].plane.a, rtol=1e-6)


# -- what is sent back -----------------------------------------------------------------------------------


def test_what_is_not_a_number_is_named_with_its_row(data):
    X, y = data[0].copy(), data[1].copy()
    X[N - 1, 2] = np.nan
    X[N - 1, 3] = np.inf
    with pytest.raises(
        ValueError, match=r"finite; got nan at row 12000, column 2 \(2 such entries"
    ):
        ll.logistic(sparse.csr_array(X), y)
    y[123] = 0
    with pytest.raises(
        ValueError, match=r"`y` must contain only .* \(1 sample has another label: 0 at row 123\)"
    ):
        ll.logistic(sparse.csr_array(data[0]), y)
    with pytest.raises(ValueError, match="both labels"):
        ll.logistic(sparse.csr_array(data[0]), np.ones(N))


def test_a_file_is_named_with_row_and_column(data, tmp_path):
    needs("pyarrow")
    spoiled = {"x3": lambda n: np.where(np.arange(n) == n - 1, np.nan, 1.0)}
    folder = parquet(tmp_path / "a", *data, files=10, **spoiled)
    with pytest.raises(ValueError, match=r"got nan at row 1199 of .*part-09.parquet, column 'x3'"):
        ll.least_squares(folder, "label")
    nulls = {"label": lambda n: [1] * (n - 1) + [None]}
    folder = parquet(tmp_path / "b", *data, files=10, **nulls)
    with pytest.raises(
        ValueError, match=r"`y` must .*row 1199 of .*part-09.parquet, column 'label'"
    ):
        ll.least_squares(folder, "label")


def test_a_column_that_changes_its_type_is_named_with_its_file(data, tmp_path):
    needs("pyarrow")
    folder = parquet(tmp_path / "a", *data, files=10, x1=lambda n: ["high"] * n)
    said = r"got 'high' of type str at row 0 of .*part-09.parquet, column 'x1' .*. Encode text"
    with pytest.raises(ValueError, match=said):
        ll.fisher(folder, "label")
    wider = parquet(tmp_path / "b", *data, files=10, x1=lambda n: np.arange(n))
    assert ll.fisher(wider, "label").converged  # whole numbers are numbers, and none is lost


def test_a_truncated_file_is_named(data, tmp_path):
    needs("pyarrow")
    folder = parquet(tmp_path / "a", *data, files=3)
    last = folder / "part-02.parquet"
    last.write_bytes(last.read_bytes()[:-1000])
    with pytest.raises(ValueError, match=r"intact Parquet files; .*part-02.parquet cannot be read"):
        ll.lda(folder, "label")


def test_a_file_that_breaks_in_its_middle_is_named(data, tmp_path):
    """Its end, which is read first, is whole."""
    needs("pyarrow")
    folder = parquet(tmp_path / "a", *data, files=2, rows=2000)
    last = folder / "part-01.parquet"
    content = bytearray(last.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 4096] = b"\xff" * 4096
    last.write_bytes(content)
    with pytest.raises(ValueError, match=r"part-01.parquet"):
        ll.lda(folder, "label")


def test_columns_and_files_must_be_there(data, tmp_path):
    needs("pyarrow")
    folder = parquet(tmp_path / "a", *data)
    with pytest.raises(ValueError, match=r"must have the column 'target' .* Its columns are x0"):
        ll.lda(folder, "target")
    with pytest.raises(ValueError, match="`y` must be the name of the column of labels"):
        ll.lda(folder, data[1])
    with pytest.raises(FileNotFoundError):
        ll.lda(folder / "nothing.parquet", "label")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=r"no file that ends in \.parquet"):
        ll.lda(tmp_path / "empty", "label")


def test_chunks_must_have_lengths(data):
    needs("dask")
    import dask.array as da

    X, y = (da.from_array(a, chunks=1000) for a in data)
    with pytest.raises(ValueError, match="compute_chunk_sizes"):
        ll.lda(X[X[:, 0] > 0], y)
    with pytest.raises(ValueError, match="got 12001 rows and 100 labels"):
        ll.lda(X, y[:100])


@pytest.mark.parametrize(
    ("shape", "said"), [((6, 6), "more samples than features"), ((3000, 1001), "at most 1000")]
)
def test_columns_must_be_fewer(shape, said):
    X = sparse.csr_array(np.ones(shape))
    with pytest.raises(ValueError, match=said):
        ll.least_squares(X, np.ones(len(X.indptr) - 1))


def enclose_svm(X, y, dual):
    return ll.certificates.enclose_soft_margin(X, y, primal=np.zeros(D + 1), dual=dual, C=1.0)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda X, y: ll.least_squares(X, y, targets=np.ones(N)), "`targets` must be"),
        (lambda X, y: ll.logistic(X, y, sample_weight=np.ones(N)), "`sample_weight` must be"),
        (lambda X, y: ll.svm(X, y, C=np.ones(N)), "`C` must be one number"),
        (lambda X, y: ll.linear_program(X, y, sample_weight=np.ones(N)), "`sample_weight` must be"),
        (lambda X, y: ll.svm(X, y, C=0.0), "`C` must be a finite number > 0"),
        (
            lambda X, y: enclose_svm(X, y, np.ones(3)),
            r"`dual` must hold one \w+ for each of the 12001 samples",
        ),
        (lambda X, y: ll.logistic(X, y[:-1]), "same number of samples"),
        (lambda X, y: ll.logistic(X * 1e70, y), "below 1e"),
        (lambda X, y: ll.logistic(X * 1e-70, y), "absolute value at least 1e"),
        (lambda X, y: ll.fisher(sparse.vstack([X, X]), np.repeat([1, -1], N)), "means that differ"),
    ],
)
def test_what_blocks_do_not_take_says_so(data, call, said):
    X = sparse.csr_array(data[0].astype(np.float64))
    with pytest.raises(ValueError, match=said):
        call(X, data[1])


ORDERED = [
    "gradient_descent",
    "ho_kashyap",
    "lms",
    "k_nearest_neighbors",
    "perceptron",
    "separate",
    "zero_one",
]
KINKED = ["max_margin"]


@pytest.mark.parametrize("name", ORDERED + KINKED)
def test_what_needs_all_samples_says_why_and_what_instead(name):
    with pytest.raises(
        ValueError,
        match=rf"in memory for `{name}`, since .* into an array. Only .* a file in blocks",
    ):
        getattr(ll, name)("samples.parquet", "label")


def test_everything_else_says_that_samples_must_come_to_memory(data):
    with pytest.raises(ValueError, match="`X` must be an array in memory for this call"):
        ll.margins(ll.Hyperplane([1.0]), ["a.parquet", "b.parquet"], [1])
    needs("dask")
    import dask.array as da

    X = da.from_array(data[0], chunks=1000)
    with pytest.raises(
        ValueError,
        match=r"\(`predict`\); got a Dask collection. Call `.compute\(\)`.* can read a Dask",
    ):
        ll.lda(data[0], data[1]).predict(X)
    with pytest.raises(
        ValueError, match=r"for `max_margin`, since it must know whether a hyperplane"
    ):
        ll.max_margin(X, data[1])
    with pytest.raises(ValueError, match=r"for `perceptron`, since each update"):
        ll.perceptron(X, data[1])
