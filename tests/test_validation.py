"""Bad input is sent back at one door, with what was expected, what came and what to do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import linlearn as ll
from linlearn.validation import check_points, check_samples

GOOD_X, GOOD_Y = [[0.0, 1.0], [2.0, 3.0]], [1, -1]

BAD = [
    (
        [1.0, 2.0],
        GOOD_Y,
        r"`X` must have shape \(n, d\).*got shape \(2,\).*np.reshape\(X, \(-1, 1\)\)",
    ),
    (3.0, GOOD_Y, r"`X` must have shape \(n, d\).*got shape \(\)"),
    (np.zeros((2, 2, 2)), GOOD_Y, r"`X` must have shape.*got shape \(2, 2, 2\)"),
    ([], [], r"`X` must hold at least one sample and one feature; got shape \(0,\)"),
    (np.zeros((0, 2)), [], r"`X` must hold at least one sample"),
    (np.zeros((2, 0)), GOOD_Y, r"at least one sample and one feature; got shape \(2, 0\)"),
    ([[1, 2], [3]], GOOD_Y, r"`X` must be a rectangular array; .* every row the same number"),
    (
        [[np.nan, 1], [2, 3]],
        GOOD_Y,
        r"`X` must be finite; got nan at row 0, column 0.*Drop or impute",
    ),
    ([[1, np.inf], [np.inf, 3]], GOOD_Y, r"got inf at row 0, column 1 \(2 such entries\)"),
    (
        [[1, 1e200], [2, 3]],
        GOOD_Y,
        r"`X` must be below 1e\+100 in absolute value; got 1e\+200.*Rescale",
    ),
    (
        [["a", "b"], ["c", "d"]],
        GOOD_Y,
        r"`X` must hold real numbers; got 'a' of type str at row 0, column 0",
    ),
    (
        [[1, None], [2, 3]],
        GOOD_Y,
        r"`X` must hold real numbers; got None of type NoneType at row 0, column 1",
    ),
    (
        [[np.float32(1), None], [2, 3]],
        GOOD_Y,
        r"got None of type NoneType .* \(1 such entry\). Drop or impute missing",
    ),
    (
        [[10**400, 1], [2, 3]],
        GOOD_Y,
        r"`X` must be below 1e\+100 in absolute value; got 10{9}.* at row 0, column 0 .*Rescale",
    ),
    (
        GOOD_X,
        np.ma.masked_less([1, -1], 0),
        r"`y` must have no missing labels; got a masked one at row 1",
    ),
    (
        [[1j, 1], [2, 3]],
        GOOD_Y,
        r"`X` must hold real numbers; got 1j of type complex at row 0, column 0",
    ),
    (np.ma.masked_less(GOOD_X, 1), GOOD_Y, r"`X` must have no masked entries"),
    (
        GOOD_X,
        [0, 1],
        r"only the labels -1 and \+1; got the labels \[0, 1\] \(1 sample .*: 0 at row 0\).*np.where",
    ),
    (GOOD_X, ["ham", "spam"], r"got the labels \['ham', 'spam'\]"),
    (GOOD_X, [True, False], r"`y` must contain only the labels -1 and \+1"),
    (GOOD_X, [1, 1], r"`y` must contain both labels.*got only \+1"),
    (
        GOOD_X,
        [1, np.nan],
        r"`y` must have no missing labels; got nan at row 1 \(1 such label\). Drop those samples",
    ),
    (GOOD_X, [[1], [-1]], r"`y` must have shape \(n,\).*got shape \(2, 1\).*np.ravel"),
    (GOOD_X, [1, -1, 1], r"same number of samples; got 2 rows and 3 labels"),
    (
        GOOD_X,
        np.arange(9),
        r"\[0, 1, 2, 3, 4, …\] \(8 samples have other labels, such as 0 at row 0\). Keep two classes",
    ),
]


@pytest.mark.parametrize(("X", "y", "message"), BAD)
@pytest.mark.parametrize("method", [check_samples, ll.signed, ll.perceptron, ll.separate])
def test_each_kind_of_bad_samples_has_its_message(method, X, y, message):
    with pytest.raises(ValueError, match=message):
        method(X, y)


def test_sparse_input_is_named():
    from scipy.sparse import csr_array

    with pytest.raises(
        ValueError, match=r"`X` must be a dense array; got csr_array. Use `.toarray\(\)`"
    ):
        check_samples(csr_array(np.eye(2)), GOOD_Y)


def test_sparse_labels_are_named():
    from scipy.sparse import csr_array

    with pytest.raises(ValueError, match="`y` must be a dense array; got csr_array"):
        check_samples(GOOD_X, csr_array([[1, -1]]))


@pytest.mark.parametrize(
    "convert",
    [
        list,
        np.float32,
        np.asfortranarray,
        lambda v: np.array(v, dtype=object),
        lambda v: np.array(v)[:, ::-1],
    ],
)
def test_any_layout_of_numbers_is_read(convert):
    """Lists, single precision, Fortran order, objects and views all become the same contiguous floats."""
    X, _ = check_samples(convert(GOOD_X), GOOD_Y)
    assert X.dtype == np.float64 and X.flags.c_contiguous
    assert sorted(X.ravel()) == [0, 1, 2, 3]


def test_pandas_like_object_columns_of_numbers_are_numbers():
    X, y = check_samples(
        np.array([[1, 2.5], [np.float32(3), 4]], dtype=object), np.array([1, -1], dtype=object)
    )
    assert X.dtype == y.dtype == np.float64


def test_one_label_is_allowed_without_offset():
    assert check_samples(GOOD_X, [1, 1], fit_intercept=False)[1].tolist() == [1, 1]


anything = st.one_of(
    st.none(),
    st.text(max_size=3),
    st.floats(),
    st.lists(st.one_of(st.none(), st.floats(), st.text(max_size=2), st.booleans()), max_size=4),
    st.lists(st.lists(st.floats(), max_size=3), max_size=4),
    hnp.arrays(
        st.sampled_from([float, int, bool, complex, "U2", "M8[s]"]),
        hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3),
    ),
    st.dictionaries(st.text(max_size=2), st.floats(), max_size=2),
)


@given(X=anything, y=anything)
def test_fuzz_either_samples_or_a_reason(X, y):
    """Whatever comes is accepted as clean samples or refused with a ValueError that names its argument."""
    try:
        Xs, ys = check_samples(X, y)
    except ValueError as error:
        assert str(error).startswith(("`X` must", "`X` and `y` must", "`y` must"))
    else:
        assert Xs.dtype == ys.dtype == np.float64
        assert np.isfinite(Xs).all() and set(ys) == {-1.0, 1.0} and len(Xs) == len(ys)


def test_all_columns_with_entries_that_are_too_large_are_named():
    pandas = pytest.importorskip("pandas")
    X = np.array([[1.0, 2.0, 1e200], [1e150, 3.0, 1.0]])
    with pytest.raises(
        ValueError, match=r"at row 0, column 2 .*\. Rescale columns 0 and 2 first\."
    ):
        check_points(X)
    for table in (pandas.DataFrame(X, columns=["a", "b", "c"]),
                  pandas.DataFrame({"a": X[:, 0], "b": [2, 3], "c": X[:, 2]})):  # fmt: skip
        with pytest.raises(ValueError, match=r"Rescale columns 'a' and 'c' first\."):
            check_points(table)
