"""Exact arithmetic and what stands in for it: solutions are solutions, and a float's proof is a proof."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from linlearn.certificates.inseparable_subsets import origin_in_hull_by_floats
from linlearn.exact.elimination import eliminated, kernel, solve_near
from linlearn.exact.simplex import _Tableau

SMALL = st.integers(-3, 3)


def fractions(table):
    return [[Fraction(v) for v in row] for row in np.asarray(table).tolist()]


def dot(u, v):
    return sum((s * t for s, t in zip(u, v, strict=True)), Fraction(0))


@pytest.mark.parametrize("shape", [(2, 4), (4, 2)])
@given(table=hnp.arrays(np.int64, (5, 5), elements=SMALL))
def test_a_solution_near_the_guess_solves_and_stays_near(shape, table):
    """The equations hold exactly; where the guess solves them it is returned; None means there is none."""
    A, right, guess = table[: shape[0], : shape[1]], table[: shape[0], 4], table[4, : shape[1]]
    equations, [right], [guess] = fractions(A), fractions([right]), fractions([guess])
    found = solve_near(equations, right, guess)
    if found is None:
        ranks = [
            np.linalg.matrix_rank(M) for M in (A, np.column_stack([A, np.array(right, float)]))
        ]
        assert ranks[0] < ranks[1]
        return
    assert [dot(row, found) for row in equations] == right
    assert sum(u != v for u, v in zip(found, guess, strict=True)) <= np.linalg.matrix_rank(A)
    if [dot(row, guess) for row in equations] == right:
        assert found == guess


def positive_kernel(Z):
    """Whether Zᵀα = 0 for one α up to scale, with all entries of one sign."""
    alpha = kernel([list(column) for column in zip(*fractions(Z), strict=True)], len(Z))
    return alpha is not None and (all(v > 0 for v in alpha) or all(v < 0 for v in alpha))


@pytest.mark.parametrize("p", [1, 2, 3, 5])
def test_surrounded_is_never_wrong(p):
    """Samples squashed and moved until α has an entry at the rounding error: no claim that is not exact."""
    rng = np.random.default_rng(p)
    claimed = 0
    for k in range(1500):
        Z = rng.normal(size=(p + 1, p))
        if k % 3:
            Z[:, 0] = Z[:, -1] + 10.0 ** rng.uniform(-17, -8) * Z[:, 0] if p > 1 else Z[:, 0]
        alpha = rng.random(p) + 0.1
        alpha[0] *= 10.0 ** rng.uniform(-19, 0) * rng.choice([-1, 1], p=[0.2, 0.8])
        Z[-1] = -alpha @ Z[:-1] * (1 + rng.choice([0, 1e-16, 1e-15, 1e-13]) * rng.normal(size=p))
        Z *= 2.0 ** rng.integers(-40, 40, size=p)
        claim = origin_in_hull_by_floats(Z)
        assert not claim or positive_kernel(Z)
        claimed += claim
    assert claimed > 300  # it is of use, too


def test_surrounded_wants_as_many_samples_as_it_takes():
    """A column of zeros, or a sample too few: no proof."""
    assert origin_in_hull_by_floats(np.array([[1.0], [-1.0]]))
    assert not origin_in_hull_by_floats(np.array([[1.0, 0.0], [-1.0, 0.0], [1.0, 0.0]]))
    assert not origin_in_hull_by_floats(np.array([[1.0, 0.0], [-1.0, 0.0]]))


@given(table=hnp.arrays(np.int64, (4, 5), elements=st.integers(-9, 9)), shift=st.integers(0, 200))
def test_elimination_solves_or_knows_that_it_cannot(table, shift):
    """The one solution of Cramer; long numbers as well, and fractions."""
    equations = [[Fraction(v << shift, 3) for v in row] for row in table[:, :4].tolist()]
    right = [Fraction(v) for v in table[:, 4].tolist()]
    singular = round(np.linalg.det(table[:, :4])) == 0
    rows, pivots = eliminated([[*row, v] for row, v in zip(equations, right, strict=True)], 4)
    assert (len(pivots) < 4) is singular
    if not singular:
        found = [row[-1] for row in rows]
        assert [dot(row, found) for row in equations] == right
        assert solve_near(equations, right, [Fraction(1)] * 4) == found


@given(table=hnp.arrays(np.int64, (4, 3), elements=SMALL))
def test_the_one_relation_of_rows(table):
    """Found where the rank is one less than the rows, and then it holds."""
    columns = fractions(table.T)
    alpha = kernel(columns, 4)
    assert (alpha is not None) == (np.linalg.matrix_rank(table) == 3)
    if alpha is not None:
        assert any(alpha) and not any(dot(column, alpha) for column in columns)


def tableau(rows, digits=256):
    return _Tableau(np.array(rows, dtype=object), digits, 1e9)


@pytest.mark.parametrize("hair", [-1, 0, 1])
def test_a_basis_is_proved_only_with_its_inverse(hair):
    """0 a hair inside a triangle, or outside: positive weights prove nothing, nor does a rough inverse."""
    rows = [[2**60, -hair], [-(2**60), -hair], [0, 2**60]]
    one = tableau(rows)
    one.start(np.arange(3))
    one.run()
    assert (one.proved() is not None) is (hair >= 0)
    if hair:
        exact = one.N.copy()
        one.basis = [0, 1, 2]
        B = np.column_stack([one.column(i) for i in one.basis])
        exact = np.array(np.linalg.inv((B / 2.0**256).astype(float)) * 2.0**200, dtype=object)
        one.N = np.array([[int(v) << 56 for v in row] for row in exact])  # about the inverse
        one.N[:, -1] = [max(v, 2**200) for v in one.N[:, -1]]  # and no weight negative
        assert one.proved() is None


def test_what_is_proposed_is_checked(monkeypatch):
    """A plane that separates nothing, or meets a sample; relations of mixed sign; flat rows."""
    for wrong in ([0], [1], [-1]):
        monkeypatch.setattr(_Tableau, "run", lambda self, w=wrong: np.array(w, dtype=object))
        assert tableau([[1], [-2]]).decided(np.arange(2)) == (None, None)
        assert tableau([[0]]).decided(np.arange(1)) == (None, None)
    monkeypatch.undo()
    assert tableau([[1], [2]])._related([0, 1]) == {}
    assert tableau([[1], [-2]])._related([0, 1]) == {0: 2, 1: 1}
    flat = tableau([[1, 0], [-1, 0], [2, 0]])
    flat.basis, flat.N[:, -1] = [0, 1, 2], flat.one
    assert not flat._surrounded()
