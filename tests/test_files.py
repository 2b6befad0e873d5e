"""A saved file is read for what it is, or refused by one ValueError that names it, in little memory."""

import io
import json
import os
import time
import tracemalloc
import warnings
import zipfile
from collections import OrderedDict

import numpy as np
import pytest
from scipy import sparse
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import linlearn as ll
from linlearn import estimators
from linlearn._npz import write
from linlearn.estimators.base import KINDS

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
X, Y = ll.data.drawn(overlap=True)
WORDS = np.where(Y > 0, "spam", "ham")
THIRDS = np.where(X[:, 0] > np.median(X[:, 0]), "c", WORDS)
START = ll.Hyperplane([1.0, -2.0], 0.5)
MODELS = {
    "weights of classes": lambda: estimators.SVM(class_weight={"spam": 2.0}).fit(X, WORDS),
    "a pair": lambda: estimators.LDA(priors=(0.25, 0.75)).fit(X, Y > 0),
    "a plane": lambda: estimators.Logistic(C=np.inf, start=START).fit(X, Y.astype(int)),
    "targets": lambda: estimators.LeastSquares(targets=2 * Y).fit(X, Y),
    "a list": lambda: estimators.LMS(targets=Y.tolist(), max_epochs=3).fit(X, Y),
    "numbers of NumPy": lambda: estimators.SVM(
        C=np.float64(2), class_weight=OrderedDict({np.int64(3): np.float64(2)})
    ).fit(X, 3 * Y.astype(int)),
    "a cover": lambda: estimators.ZeroOne().fit(X, Y),
    "scaled": lambda: make_pipeline(StandardScaler(), estimators.SVM()).fit(1000 * X, WORDS),
    "several classes": lambda: estimators.Logistic(class_weight={"c": 2.0}).fit(X, THIRDS),
    "several, scaled": lambda: make_pipeline(StandardScaler(), estimators.Logistic()).fit(
        X, THIRDS
    ),
    "sparse, weighted": lambda: estimators.Logistic(class_weight="balanced").fit(
        sparse.csr_array(X[3:]), WORDS[3:]
    ),
    "half scaled": lambda: make_pipeline(
        StandardScaler(with_mean=False), estimators.Fisher(), verbose=True
    ).fit(X, Y),
}


def sides():
    return ll.svm(sparse.csr_array(np.repeat(X, 9, axis=0)), np.repeat(Y, 9), C=1.0)


FITS = {"margin": lambda: ll.separate(X, Y), "cover": lambda: ll.zero_one(X, Y), "sides": sides}


def described(found):
    """All that a loaded fit or model is."""
    if isinstance(found, ll.Fit):
        inside = [found, found.trace[-1].count, arrays_of({"a": found.plane.a})]
        return repr([*inside, described(found.certificate)])
    if isinstance(found, ll.certificates.Certificate):
        dual = {} if found.dual is None else found.dual
        dual = dual.to_arrays() if hasattr(dual, "to_arrays") else {"dual": dual}
        bounds = [found.lower, found.upper, found.scale, found.score_bound, found.attained]
        arrays = arrays_of({"primal": found.primal, **dual, **found.options})
        return repr([found.quantity, bounds, arrays])
    if hasattr(found, "steps"):
        options = {k: v for k, v in vars(found).items() if k != "steps"}
        return repr([options, *((name, described(step)) for name, step in found.steps)])
    inside = vars(found).copy()
    proofs = [described(inside.pop(one)) for one in ("fit_", "certificate_") if one in inside]
    return repr([type(found), arrays_of(inside), *proofs])


def arrays_of(values):
    """With their kinds and all digits, in the order of their names."""
    told = {}
    for name, v in values.items():
        plane = v.a.tolist() if isinstance(v, ll.Hyperplane) else v
        told[name] = (v.dtype, v.tolist()) if isinstance(v, np.ndarray) else plane
        if name == "sample_weight" and v is not None:  # a list, or an array
            told[name] = np.asarray(v).tolist()
    return sorted(told.items())


def load(path):
    return estimators.load(path) if path.name == "model" else ll.Fit.load(path)


def outcome(path, *, measured=False):
    """What is loaded, described; or None, where the one error came."""
    start = time.monotonic()
    if measured:  # which takes as long again, and more
        tracemalloc.start()
    try:
        return described(load(path))
    except ValueError as error:
        said = str(error)
        assert said.startswith("`path` must be a file written by `") and str(path) in said, said
        assert "\n" not in said and len(said) < 700
        return None
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 12 * path.stat().st_size + 2**21, f"{peak} bytes"
        assert time.monotonic() - start < 10


DAMAGED = ("weights of classes", "a plane", "several classes", "scaled")


@pytest.fixture(scope="module", params=[*DAMAGED, *FITS])
def saved(request, tmp_path_factory):
    """A file, and what is in it."""
    folder = tmp_path_factory.mktemp("saved")
    if request.param in FITS:
        path = folder / "fit"
        FITS[request.param]().save(path)
    else:
        path = folder / "model"
        estimators.save(MODELS[request.param](), path)
    return path, described(load(path))


def members(path):
    with np.load(path) as stored:
        return {name: stored[name] for name in stored.files if name != "checks"}


# -- there and back ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODELS)
def test_what_a_model_has_survives(name, tmp_path):
    """Every attribute: parameters of any kind, the scaler's, the pipeline's."""
    model = MODELS[name]()
    estimators.save(model, tmp_path / "model")
    back = estimators.load(tmp_path / "model")
    if name == "numbers of NumPy":  # which come back as Python's
        assert back.get_params() == model.get_params()
    else:
        assert described(back) == described(model)
    assert np.array_equal(back.decision_function(X), model.decision_function(X))
    kept = described(back)
    estimators.save(back, tmp_path / "model")
    assert described(estimators.load(tmp_path / "model")) == kept


def test_what_set_output_chose_survives(tmp_path):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(1000 * X + 7, columns=["width", "height"])
    pipe = make_pipeline(StandardScaler(), estimators.SVM()).set_output(transform="pandas")
    pipe.fit(table, WORDS)
    estimators.save(pipe, tmp_path / "model")
    back = estimators.load(tmp_path / "model")
    with warnings.catch_warnings(action="error"):
        assert np.array_equal(back.predict(table), pipe.predict(table))
    assert back[:-1].transform(table).equals(pipe[:-1].transform(table))
    assert back[0].get_feature_names_out().tolist() == ["width", "height"]
    assert next(zip(*back.steps, strict=True)) == ("standardscaler", "svm")


def test_a_parameter_that_no_file_can_hold_is_refused(tmp_path):
    model = estimators.SVM().fit(X, Y).set_params(C=[Y])
    with pytest.raises(ValueError, match=r"`C` must be None, a number, a string, .* got \[array"):
        estimators.save(model, tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_every_estimator_can_be_loaded():
    assert set(KINDS) == {name for name in estimators.__all__ if name[0].isupper()}


def test_every_option_of_every_certificate_has_its_kinds():
    import inspect

    from linlearn.certificates import ENCLOSE
    from linlearn.certificates.to_npz import OPTIONS

    names = {name for f in ENCLOSE.values() for name in inspect.signature(f).parameters}
    assert names - {"X", "y", "primal", "dual"} == set(OPTIONS)


# -- damage -----------------------------------------------------------------------------------------------


def test_flipped_bytes_and_truncation_change_nothing_or_are_refused(saved, tmp_path):
    path, known = saved
    whole, there = path.read_bytes(), tmp_path / path.name
    r = np.random.default_rng(0)
    refused = 0
    for _ in range(100):
        data = bytearray(whole)
        for at in r.integers(len(data), size=r.integers(1, 4)):
            data[at] ^= 1 << r.integers(8)
        there.write_bytes(data)
        found = outcome(there, measured=refused % 10 == 0)
        assert found in (None, known)
        refused += found is None
    assert refused > 50
    for length in [0, 1, 21, 22, *r.integers(len(whole), size=40), len(whole) - 1]:
        there.write_bytes(whole[:length])
        assert outcome(there) is None
    there.write_bytes(whole + b"more")
    assert outcome(there) in (None, known)


def test_members_in_each_others_place_are_refused(saved, tmp_path):
    """As they are in the file, and with the sums of what is then there, which a forger would write."""
    path, known = saved
    there, arrays = tmp_path / path.name, members(path)
    names = list(arrays)
    with zipfile.ZipFile(path) as file:
        raw = {name: file.read(name) for name in file.namelist()}
    for one in names:
        for other in names[names.index(one) + 1 :]:
            swapped = raw | {f"{one}.npy": raw[f"{other}.npy"], f"{other}.npy": raw[f"{one}.npy"]}
            rezipped(there, swapped)
            assert outcome(there) in (None, known)
            write(there, arrays | {one: arrays[other], other: arrays[one]})
            outcome(there)
        rezipped(there, {name: data for name, data in raw.items() if name != f"{one}.npy"})
        assert outcome(there) is None, one
        write(there, {name: values for name, values in arrays.items() if name != one})
        outcome(there)


def rezipped(path, raw, method=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", method) as file:
        for name, data in raw.items():
            file.writestr(name, data)


def places(value, way=()):
    """The way to each value in what JSON holds."""
    yield way
    if isinstance(value, dict | list):
        inside = value.items() if isinstance(value, dict) else enumerate(value)
        for key, one in list(inside)[:4]:
            yield from places(one, (*way, key))


def replaced(value, way, new):
    if not way:
        return new
    copy = value.copy()
    copy[way[0]] = replaced(value[way[0]], way[1:], new)
    return copy


OTHERS = [None, True, -1, 0.5, 1e400, 10**400, "word", [], [1], {"plane": [1]}]


@pytest.mark.parametrize("sums", ["of what was written", "of what is there"])
def test_other_values_in_each_place_of_a_head_are_refused(saved, tmp_path, sums):
    path, known = saved
    there, arrays = tmp_path / path.name, members(path)
    loaded = refused = 0
    for name in {"head", "model"} & set(arrays):
        head = json.loads(str(arrays[name]))
        for way in places(head):
            for new in OTHERS:
                changed = arrays | {name: np.array(json.dumps(replaced(head, way, new)))}
                if sums == "of what is there":
                    write(there, changed)
                    found = outcome(there)  # another claim, or a parameter that `fit` would refuse
                else:
                    with there.open("wb") as file:
                        np.savez(file, **changed, checks=np.load(path)["checks"])
                    found = outcome(there)
                    assert found in (None, known)
                loaded, refused = loaded + (found is not None), refused + (found is None)
    assert refused > loaded


def test_other_arrays_in_each_place_are_refused(saved, tmp_path):
    """Also with sums of their own: nothing comes out but a model or the one error."""
    path, _ = saved
    there, arrays = tmp_path / path.name, members(path)
    odd = [np.zeros(0), np.zeros((2, 2)), np.array("word"), np.array([np.nan, 1.0]), np.arange(5)]
    odd += [
        np.array(1 + 1j),
        np.array([True]),
        np.array(["b", "a"]),
        np.full(3, 1e300),
        -np.arange(3),
    ]
    for name in arrays:
        for one in odd:
            write(there, arrays | {name: one})
            outcome(there)


def test_nothing_but_a_classifier_is_built(tmp_path):
    """Once a file chose the function that was called, and its arguments."""
    path = tmp_path / "model"
    estimators.save(estimators.SVM().fit(X, Y), path)
    arrays = members(path)
    for name in ("load", "save", "verify", "LinearClassifier", "Pipeline", "os", "__class__", "np"):
        for parameters in ({}, {"path": str(path)}):
            head = json.loads(str(arrays["model"])) | {"model": name, "parameters": parameters}
            write(path, arrays | {"model": json.dumps(head)})
            with pytest.raises(ValueError, match=r"is not a classifier of `linlearn\.estimators`"):
                estimators.load(path)


# -- sizes ------------------------------------------------------------------------------------------------


def header(descr, shape):
    text = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape}, }}".encode()
    text += b" " * (117 - len(text)) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


HEADERS = [
    header("<f8", "(1099511627776,)"),
    header("<f8", "(4, 1099511627776)"),
    header("<U99999999", "()"),
    header("<f8", "(0, 99999999999999999999999999)"),
    header("|O", "(3,)"),
    header("<f8", "(-1,)"),
    header("<f8", "(1,)").replace(b"(1,)", b"(" * 60),
    b"\x93NUMPY\x01\x00\xff\xff" + b"-" * 65535 + b"1",
]


@pytest.mark.parametrize("data", HEADERS, ids=range(len(HEADERS)))
@pytest.mark.parametrize("member", ["w", "head"])
def test_headers_that_ask_for_more_than_there_is_are_refused(member, data, tmp_path):
    path = tmp_path / "fit"
    ll.separate(X, Y).save(path)
    with zipfile.ZipFile(path) as file:
        raw = {name: file.read(name) for name in file.namelist()}
    raw[f"{member}.npy"] = data
    crc = {name.removesuffix(".npy"): zipfile.crc32(one) for name, one in raw.items()}
    sums = io.BytesIO()
    np.save(sums, np.array(json.dumps({k: v for k, v in crc.items() if k != "checks"})))
    rezipped(path, raw | {"checks.npy": sums.getvalue()})
    assert outcome(path, measured=True) is None


@pytest.mark.parametrize("unused", [False, True])
def test_a_small_file_does_not_become_a_large_array(unused, tmp_path):
    """No member is compressed, so that a file is read in the memory that it takes on the disk."""
    path = tmp_path / "model"
    estimators.save(estimators.SVM().fit(X, Y), path)
    known = outcome(path)
    with zipfile.ZipFile(path) as file:
        raw = {name: file.read(name) for name in file.namelist()}
    large = header("<f8", "(33554432,)") + bytes(2**28)
    with zipfile.ZipFile(path, "w") as file:
        for name, data in raw.items():
            if unused or name != "w.npy":
                file.writestr(name, data)
        file.writestr("unused.npy" if unused else "w.npy", large, zipfile.ZIP_DEFLATED)
    del large
    assert path.stat().st_size < 2**20
    assert outcome(path, measured=True) == (known if unused else None)


def test_a_long_list_of_members_takes_no_more_memory_than_the_file(tmp_path):
    path = tmp_path / "fit"
    ll.separate(X, Y).save(path)
    known = outcome(path)
    with zipfile.ZipFile(path, "a") as file:
        for k in range(20_000):
            file.writestr(f"{k}", b"")
    assert outcome(path, measured=True) in (None, known)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_not_waited_for(tmp_path):
    for path in (tmp_path / "model", tmp_path / "fit"):
        os.mkfifo(path)
        with pytest.raises(ValueError, match="it is not a regular file"):
            load(path)
    with pytest.raises(ValueError, match="it is not a regular file"):
        ll.Fit.load(tmp_path)
    with pytest.raises(FileNotFoundError):
        ll.Fit.load(tmp_path / "nothing")


@pytest.mark.parametrize(("write", "read", "what"), [
    (lambda path: ll.svm(X, Y, C=1.0).save(path), ll.Fit.load, "fit"),
    (lambda path: estimators.save(estimators.SVM().fit(X, Y), path), estimators.load, "model"),
])  # fmt: skip
def test_what_is_damaged_is_to_be_saved_again(tmp_path, write, read, what):
    path = tmp_path / "saved"
    write(path)
    data = bytearray(path.read_bytes())
    data[data.index(b"\x93NUMPY") + 130] ^= 1
    path.write_bytes(data)
    with pytest.raises(ValueError, match=f"damaged .*; save the {what} again"):
        read(path)
