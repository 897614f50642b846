"""Weighted majority: both bounds, where they hold, and why its regret is linear."""

import math
from fractions import Fraction

import numpy as np
import pytest
from helpers import opinions
from hypothesis import given
from hypothesis import strategies as st

import olc
from olc import WeightedMajority, play, streams
from olc import weighted_majority as theory

etas = st.sampled_from([0.01, 0.1, 0.25, 0.5, 0.75, 0.89, 0.99])


# --------------------------------------------------------------- the algorithm


def slow_majority(stream, eta):
    """Weighted majority in exact arithmetic; a tie is a mistake."""
    weights, predictions = [Fraction(1)] * stream.n, []
    for x, y in stream:
        vote = sum(w * int(o) for w, o in zip(weights, x, strict=True))
        predictions.append((vote > 0) - (vote < 0))
        weights = [
            w if o == y else w * (1 - eta) for w, o in zip(weights, x, strict=True)
        ]
    return predictions, weights


@given(opinions(), st.sampled_from([0.25, 0.5, 0.75]))
def test_majority_predicts_what_exact_arithmetic_does(stream, eta):
    learner = WeightedMajority(stream.n, eta=eta)
    trace = play(learner, stream)
    predictions, weights = slow_majority(stream, Fraction(eta))
    assert trace.predictions.tolist() == predictions
    exact = [float(w) for w in weights]
    np.testing.assert_allclose(learner.weights, exact, rtol=1e-9)


@pytest.mark.parametrize("n", [2, 8, 16, 64])
@pytest.mark.parametrize("eta", [0.01, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9])
def test_sides_in_balance_tie_in_every_way_to_play(n, eta):
    # weights have 32 binary digits, and a float 53: 15 are left for their spread
    spread = int(15 / -math.log2(1 - eta))
    random = np.random.default_rng(n)
    half = random.integers(0, spread, (20, n // 2), endpoint=True)
    X = np.tile([1, -1], (20, n // 2))
    for losses in half:
        order = random.permutation(n)
        learner = WeightedMajority(n, eta=eta)
        learner.state = np.repeat(losses, 2)[order]
        assert (learner.predict(X[:, order]) == 0).all()  # a block
        assert learner.learn(X[0, order], 1) == 0  # the loop
    for y in (-1, 1):
        ties = np.repeat(X, 2, axis=0)
        ties[1::2] *= -1  # after which the sides are in balance again
        trace = play(WeightedMajority(n, eta=eta), ties, np.full(40, y))
        assert (trace.predictions[::2] == 0).all()
        assert trace.mistakes == 40  # a tie is one, whatever the label


def test_weights_and_votes_survive_long_games():
    learner = WeightedMajority(2, eta=0.5)
    X = np.tile([[1, -1], [-1, 1]], (4000, 1))
    assert play(learner, X, np.ones(8000)).mistakes == 8000
    assert learner.losses.tolist() == [4000, 4000]
    assert learner.log_total == pytest.approx(4000 * math.log(0.5) + math.log(2))
    assert learner.learn([1, -1], 1) == 0
    assert learner.predict([1, -1]) == 1
    learner = WeightedMajority(2, eta=1e-5)
    learner.state = np.array([0, 70_000])
    expected = math.exp(70_000 * math.log1p(-1e-5))
    assert learner.weights.tolist() == pytest.approx([1, expected], rel=1e-9)


# ------------------------------------------------------------------- the bounds


@given(opinions(most=12), etas)
def test_theorem_holds_on_any_stream(stream, eta):
    trace = play(WeightedMajority(stream.n, eta=eta), stream)
    best = theory.best_expert(stream)[1]
    bound = theory.mistake_bound(stream.n, best, eta)
    assert trace.mistakes <= bound + 1e-9
    if eta <= theory.SIMPLE_ETA:
        assert bound <= theory.mistake_bound(stream.n, best, eta, simple=True) + 1e-9


# ----------------------------------------------- what fails without an assumption


def test_simple_bound_is_valid_up_to_0_8939_and_no_further():
    def excess(eta):
        return -math.log1p(-eta) + 2 * (1 + eta) * math.log1p(-eta / 2)

    assert all(excess(eta) <= 0 for eta in np.linspace(1e-6, theory.SIMPLE_ETA, 999))
    assert excess(theory.SIMPLE_ETA + 1e-4) > 0
    simple = theory.mistake_bound(16, best=10, eta=0.8939, simple=True)
    assert simple == pytest.approx(2 * 1.8939 * 10 + 2 * math.log(16) / 0.8939)


def test_the_simple_bound_is_broken_and_the_exact_one_nearly_attained():
    for n, eta, rounds, ratio in ((64, 0.99, 1000, 0.69), (1024, 0.5, 330, 0.985)):
        trace = olc.duel(WeightedMajority(n, eta=eta), olc.adversaries.Split(), rounds)
        best = theory.best_expert(trace.stream)[1]
        assert trace.mistakes == rounds
        assert round(rounds / theory.mistake_bound(n, best, eta), 3) == ratio
        simple = 2 * (1 + eta) * best + 2 * math.log(n) / eta
        assert (rounds > simple + 50) == (eta == 0.99)


def test_losses_and_the_best_expert_are_counted_over_the_whole_stream():
    stream = streams.experts(50, 20_000, seed=0, error=0.4, best=0.1)
    losses = theory.losses_over_time(stream)
    assert losses.shape == (20_001, 50)
    assert (losses[0] == 0).all()
    assert (np.diff(losses, axis=0) == (stream.y[:, None] != stream.X)).all()
    assert theory.best_expert(stream) == (0, losses[-1].min())
    late = olc.Stream(stream.X[:, ::-1], stream.y)
    assert theory.best_expert(late) == (49, losses[-1].min())
