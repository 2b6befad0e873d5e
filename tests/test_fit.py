"""A fit can be stored, read back and believed only as far as its witnesses carry."""

from dataclasses import replace

import numpy as np
import pytest

import linlearn as ll


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


@pytest.mark.parametrize("lie", [dict(lower=0.5), dict(upper=0.1), dict(dual=np.eye(24)[0])])
def test_verify_refuses_a_claim_its_witnesses_do_not_carry(lie):
    X, y = ll.data.drawn()
    fit = ll.separate(X, y)
    false = replace(fit, certificate=replace(fit.certificate, **lie))
    with pytest.raises(ValueError, match="the certificate claims"):
        false.verify(X, y)


def test_verify_refuses_other_samples(fitted):
    X, y, fit = fitted
    with pytest.raises(ValueError, match="Pass the samples the plane was fitted on"):
        fit.verify(X, -y)


def test_verify_refuses_another_plane(fitted):
    X, y, fit = fitted
    with pytest.raises(ValueError, match="not the plane of this fit"):
        replace(fit, plane=ll.Hyperplane([1.0, 1.0])).verify(X, y)


@pytest.mark.parametrize("offset", [True, False])
def test_saved_and_loaded_it_still_proves_itself(tmp_path, offset):
    X, y = ll.data.drawn()
    fit = ll.perceptron(X - X.mean(axis=0), y, offset=offset, max_updates=50)
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


def test_loading_something_else_says_so(tmp_path):
    (tmp_path / "note.txt").write_text("not a fit")
    np.savez(tmp_path / "other.npz", w=[1.0])
    for name in ("note.txt", "other.npz"):
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
    error = ll.NotSeparable("no plane separates these samples.", fit.certificate)
    assert isinstance(error, ValueError) and error.certificate.upper < 1e-12
