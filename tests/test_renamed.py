"""Old keywords: whoever uses one is told the new one, wherever it was."""

import inspect

import pytest

import linlearn as ll
from linlearn import certificates, estimators
from linlearn._renamed import RENAMED

X, Y = ll.data.drawn()
WITNESSES = dict(primal=[0.0, 0.0, 1.0], dual=[0.0] * 24)
OLD = [
    (ll.linear_program, dict(balanced=True), "prices"),
    (certificates.enclose_hinge, dict(balanced=True) | WITNESSES, "prices"),
    (certificates.hinge_exact, dict(balanced=True) | WITNESSES, "prices"),
    (ll.lms, dict(epochs=5), "max_epochs"),
    (ll.lms_steps, dict(batch=True), "stochastic"),
    (ll.lms, dict(batch=True), "stochastic"),
    (ll.gradient_descent, dict(loss="hinge", epochs=5), "max_epochs"),
    (ll.gradient_descent_steps, dict(loss="hinge", epochs=5), "max_epochs"),
    (ll.logistic, dict(max_steps=5), "max_updates"),
    (ll.logistic_steps, dict(max_steps=5), "max_updates"),
    (ll.zero_one, dict(max_nodes=5), "max_work"),
    (ll.zero_one_steps, dict(max_nodes=5), "max_work"),
]


@pytest.mark.parametrize(("function", "options", "new"), OLD)
def test_an_old_keyword_is_answered_with_the_new_one(function, options, new):
    (old,) = RENAMED.keys() & options.keys()
    with pytest.raises(TypeError, match=rf"`{old}` must be written as `{new}.* now; got `{old}="):
        function(X, Y, **options)


@pytest.mark.parametrize(
    ("model", "old"),
    [
        ("LMS", "epochs"),
        ("LMS", "batch"),
        ("Logistic", "max_steps"),
        ("LinearProgram", "balanced"),
        ("ZeroOne", "max_nodes"),
    ],
)
def test_estimators_answer_too(model, old):
    with pytest.raises(TypeError, match=f"`{old}` must be written as"):
        getattr(estimators, model)(**{old: 1})


def test_no_function_has_an_old_keyword():
    for room in (ll, certificates, estimators):
        for name in room.__all__:
            one = getattr(room, name)
            if callable(one) and not isinstance(one, dict):
                assert not RENAMED.keys() & inspect.signature(one).parameters.keys(), name


def test_old_targets_are_refused_by_name():
    with pytest.raises(ValueError, match='`targets` must be "labels", "fisher" or'):
        ll.least_squares(X, Y, targets="balanced")


def test_after_samples_and_labels_everything_has_a_name():
    """`recedes` asks one question of one plane, as `margins` does."""
    for room in (ll, certificates):
        for name in set(room.__all__) - {"recedes"}:
            one = getattr(room, name)
            if inspect.isfunction(one):
                words = list(inspect.signature(one).parameters.values())
                if [word.name for word in words[:2]] == ["X", "y"]:
                    assert all(w.kind is w.KEYWORD_ONLY for w in words[2:]), name
