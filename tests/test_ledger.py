"""Ledgers: what all proofs share."""

import inspect
import math
import sys

import numpy as np
import pandas as pd
import pytest
from helpers import KINDS, LEARNERS, assert_between, stream
from scipy.sparse import csr_array

import olc
from olc import Stream, play, streams
from olc.core import ledger

# The balanced form with a threshold has no bound, with a margin or without one.
PROVED = [kind for kind in KINDS if not issubclass(kind, olc.ThresholdBalancedWinnow)]
each_kind = pytest.mark.parametrize("kind", PROVED)


def game_of(kind):
    """Return a learner, a stream that it can learn, and the proof of its bound."""
    learner, proof = LEARNERS[kind.__name__](5), sys.modules[kind.__module__].proof
    if kind is olc.StandardOptimal:
        return learner, stream(learner, 60, seed=0), proof
    if learner.features == "bits":
        return learner, streams.disjunction(5, 2, 60, seed=0), proof
    return learner, streams.panel(5, 1 if kind.features == "signs" else 3, 60, 0), proof


@each_kind
def test_a_ledger_has_a_row_per_update_or_mistake_and_its_bounds_hold(kind):
    learner, game, proof = game_of(kind)
    trace = play(learner, game)
    ledger = proof(trace)
    rounds = trace.rounds if kind.features == "signs" else trace.updates
    assert len(ledger) > 0
    assert ledger["round"].tolist() == rounds.tolist()
    assert ledger.index.tolist() == list(range(1, len(ledger) + 1))
    assert ledger.index.name == (
        "update" if hasattr(learner, "thickness") else "mistake"
    )
    assert_between(ledger)
    if "target" in inspect.signature(proof).parameters:
        assert proof(trace, game.target).equals(ledger)
        sparse = Stream(csr_array(game.X), game.y, game.target)
        pd.testing.assert_frame_equal(
            proof(play(LEARNERS[kind.__name__](5), sparse)), ledger
        )
        bare = play(LEARNERS[kind.__name__](5), Stream(game.X, game.y))
        with pytest.raises(ValueError, match="target=u"):
            proof(bare)


@each_kind
def test_a_ledger_of_a_game_without_a_mistake_is_empty_with_all_columns(kind):
    learner, game, proof = game_of(kind)
    full = proof(play(learner, game))
    for _ in range(500):
        trace = play(learner, game)
        if not len(trace.rounds if kind.features == "signs" else trace.updates):
            break
    ledger = proof(trace)
    assert len(ledger) == 0
    assert ledger.columns.tolist() == full.columns.tolist()
    assert set(ledger.dtypes.astype(str)) == {"float64"}


@each_kind
def test_a_proof_refuses_the_game_of_another_learner(kind):
    *_, proof = game_of(kind)
    for other in PROVED:
        learner, game, own = game_of(other)
        same = own is proof or (kind, issubclass(other, olc.Perceptron)) == (
            olc.Perceptron,
            other is not olc.MarginPerceptron,
        )
        if not same:
            with pytest.raises(TypeError, match=f"played by {other.__name__}"):
                proof(play(learner, game))


def test_a_proof_refuses_a_learner_with_rules_of_its_own():
    class Bold(olc.Perceptron):
        def step(self, state, x, y):
            return state + 2 * y * x

    with pytest.raises(TypeError, match="played by Bold"):
        olc.perceptron.proof(play(Bold(5), streams.panel(5, 3, 60, 0)))


def test_the_perceptrons_proof_covers_the_learners_that_play_as_it_does():
    game = streams.separable(4, 0.1, 100, seed=0)
    plain = olc.perceptron.proof(play(olc.Perceptron(4), game))
    for learner in (olc.AveragedPerceptron(4), olc.VotedPerceptron(4)):
        assert olc.perceptron.proof(play(learner, game)).equals(plain)


@pytest.mark.parametrize(
    "changed",
    [lambda X: -X[::-1], lambda X: -X, lambda X: 10 * X, lambda X: X[:, ::-1]],
)
def test_a_proof_notices_that_the_examples_were_changed(changed):
    game = streams.separable(4, 0.1, 100, seed=0)
    trace = play(olc.Perceptron(4), game)
    game.X[:] = changed(game.X.copy())
    with pytest.raises(ValueError, match="no longer what it was"):
        olc.perceptron.proof(trace)


def test_relative_entropy_leaves_out_what_the_target_does_not_hold():
    u = np.array([0.5, 0.5, 0.0])
    log_w = np.array([math.log(0.25), math.log(0.75), -math.inf])
    expected = 0.5 * math.log(2) + 0.5 * math.log(2 / 3)
    assert ledger.relative_entropy(u, log_w) == pytest.approx(expected)


def test_log_sum_exp_neither_overflows_nor_vanishes():
    for shift in (0.0, 5000.0, -5000.0):
        found = ledger.log_sum_exp(np.array([shift, shift + math.log(2)]))
        assert found == pytest.approx(shift + math.log(3))
