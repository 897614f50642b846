"""Passive–Aggressive: projections, what caps are for, and the three bounds."""

import math

import numpy as np
import pytest
from helpers import assert_between, labelled
from hypothesis import assume, given
from hypothesis import strategies as st

from olc import PassiveAggressive, Stream, ThresholdRelative, play
from olc import passive_aggressive as theory

KINDS = [{}, {"C": 0.05}, {"C": 1.0}, {"C": 0.2, "squared": True}]
kinds = st.sampled_from(KINDS)


def losses(stream, u):
    """The hinge losses of u."""
    return np.maximum(0, 1 - stream.y * (stream.X @ u))


@st.composite
def games(draw):
    """Points with labels of any kind, and any vector to compare with."""
    n, seed = draw(st.integers(1, 5)), draw(st.integers(0, 2**32 - 1))
    random = np.random.default_rng(seed)
    u = draw(st.sampled_from([0.5, 3.0, 20.0])) * random.normal(size=n)
    X = random.uniform(-1, 1, (60, n))
    flipped = random.random(60) < draw(st.sampled_from([0, 0.1, 0.5]))
    y = np.where(X @ u > 0, 1, -1) * np.where(flipped, -1, 1)
    return Stream(X, y, u)


@given(games(), kinds)
def test_mistakes_and_losses_keep_the_bound_of_every_target(stream, kind):
    learner, u = PassiveAggressive(stream.n, **kind), stream.target
    trace = play(learner, stream)
    loss = losses(stream, u)
    total = float(np.sum(loss**2 if kind.get("squared") else loss))
    length = float(np.linalg.norm(u))
    bound = theory.mistake_bound(stream.radius, length, total, **kind)
    assert trace.mistakes <= bound * (1 + 1e-9)
    ledger = theory.proof(trace)
    assert_between(ledger, scale=length**2)
    assert (ledger["drop"] >= ledger["guaranteed"] - 1e-9 * (1 + length**2)).all()
    if kind.get("squared") or (not kind and total == 0):
        assert (ledger["loss"] ** 2).sum() <= bound * (1 + 1e-9)
    start = np.sum((learner.weights - u) ** 2)  # a second game sets out from here
    later = theory.proof(play(learner, stream))
    np.testing.assert_allclose(later["upper"] + later["guaranteed"].cumsum(), start)


@given(games(), st.sampled_from([0.05, 1.0]), st.booleans())
def test_step_is_the_least_change_of_its_box(stream, C, squared):
    """No other weights have a smaller ½‖w - w₁‖² + Cξ (or Cξ²), ξ being the loss."""
    random = np.random.default_rng(0)
    before, x, y = random.normal(size=stream.n), stream.X[0], int(stream.y[0])
    assume(1 - y * (x @ before) > 0)

    def cost(w):
        slack = max(0.0, 1 - y * float(w @ x))
        square = float(np.sum((w - before) ** 2)) / 2
        return square + C * (slack**2 if squared else slack)

    learner = PassiveAggressive(stream.n, C=C, squared=squared)
    after = learner.step(before, x, y)
    for size in (1e-3, 0.1, 1.0):
        for nudge in size * random.normal(size=(20, stream.n)):
            assert cost(after) <= cost(after + nudge) + 1e-12


@given(games())
def test_without_a_cap_the_step_is_a_projection(stream):
    learner = PassiveAggressive(stream.n)
    for x, y in stream.rounds():
        before = learner.weights
        learner.learn(x, y)
        if y * (before @ x) < 1:
            assert y * (learner.weights @ x) == pytest.approx(1)
        else:
            assert (learner.weights == before).all()


@given(labelled())
def test_at_mistakes_only_it_is_the_threshold_relative_update(stream):
    class AtMistakes(PassiveAggressive):
        def wants_update(self, score, y):
            return y * score <= 0

    mine, theirs = AtMistakes(stream.n), ThresholdRelative(stream.n, aim=1.0)
    for x, y in stream.rounds():
        if mine.score(x) != 0:  # a tie is a mistake for both labels here
            mine.learn(x, y)
            theirs.learn(x, y)
            assert mine.weights == pytest.approx(theirs.weights)


def test_bounds_to_the_digit():
    assert theory.mistake_bound(2, 3) == 36
    assert theory.mistake_bound(2, 3, loss=1) == math.inf
    assert theory.mistake_bound(2, 3, loss=5, C=0.5) == 4 * (9 + 5)
    assert theory.mistake_bound(2, 3, loss=5, C=0.125) == 8 * (9 + 1.25)
    assert theory.mistake_bound(2, 3, loss=5, C=0.5, squared=True) == 5 * (9 + 5)


def test_ledger_to_the_digit():
    learner = PassiveAggressive(1, C=0.25)
    ledger = theory.proof(play(learner, Stream([[2.0], [1.0]], [1, 1], [1.0])))
    assert ledger.iloc[0].to_dict() == {
        "round": 0, "loss": 1, "size": 0.25, "drop": 0.75, "guaranteed": 0.25,
        "lower": 0, "potential": 0.25, "upper": 0.75,
    }  # fmt: skip
    assert ledger["loss"].tolist() == [1, 0.5]


def test_example_of_length_zero_changes_nothing():
    for kind in KINDS:
        learner = PassiveAggressive(2, **kind)
        for size in (0.0, 1e-200):  # the square of the second is 0
            assert learner.learn([size, 0], 1) != -1
            assert learner.weights.tolist() == [0, 0]
