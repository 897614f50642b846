"""The consistent learner and halving: every game of small classes."""

import math

import numpy as np
import pytest
from helpers import tables
from hypothesis import given
from hypothesis import strategies as st
from worst_games import realizable, worst_case

from olc import Consistent, Halving, Stream, halving, play

# ---------------------------------------------------------------------- theorems


@given(tables)
def test_learners_err_at_most_as_often_as_their_bounds_say_in_every_game(table):
    size = len(table)
    assert worst_case(Consistent(size), table) <= halving.consistent_bound(size)
    bound = halving.mistake_bound(size)
    assert worst_case(Halving(size), table) <= bound == int(math.log2(size))


# --------------------------------------------------- what happens in right rounds


def test_halving_strikes_out_half_at_a_mistake_only():
    """The thresholds on 16 points, target 5: one set of notes says "each iteration"."""
    table = halving.thresholds(16)
    points = [15, 1, 14, 6, 4, 5]
    stream = Stream(table.T[points], table[5, points])
    learner, sizes = Halving(17), [17]
    trace = play(learner, stream)
    for step in trace.replay():
        sizes.append(int(step.learner.alive.sum()))
    assert sizes == [17, 16, 14, 13, 5, 2, 1]
    assert trace.mistake_rounds.tolist() == [3, 4, 5]  # the last one is a tie


@given(tables, st.sampled_from([Consistent, Halving]), st.integers(0, 2**32 - 1))
def test_version_space_is_what_agrees_with_every_label(table, kind, seed):
    stream, learner = realizable(table, seed), kind(len(table))
    play(learner, stream)
    agree = (stream.y[:, None] == stream.X).all(axis=0)
    assert learner.weights.tolist() == agree.astype(float).tolist()
    votes = table[agree].sum(axis=0) if kind is Halving else table[agree][0]
    assert learner.predict(table.T).tolist() == np.sign(votes).tolist()


# ----------------------------------------------------------------- assumptions


@pytest.mark.parametrize("kind", [Consistent, Halving])
def test_refuses_a_stream_that_no_hypothesis_explains(kind):
    table = halving.singletons(3)
    learner = kind(len(table))
    learner.learn(table[:, 0], +1)
    with pytest.raises(ValueError, match=r"not realisable by .* use WeightedMajority"):
        learner.learn(table[:, 0], -1)
    assert learner.alive.tolist() == [True, False, False]


def test_class_of_disjunctions_agrees_with_its_definition():
    table = halving.disjunctions(3, 2, at_most=True)
    subsets = [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
    for row, subset in zip(table, subsets, strict=True):
        for point, sign in enumerate(row):
            assert (sign == 1) == any(point >> i & 1 for i in subset)


def test_a_class_is_a_table_of_small_signs_without_repetition():
    for make in (
        halving.singletons,
        halving.thresholds,
        halving.all_functions,
        lambda points: halving.disjunctions(points, 2),
    ):
        table = make(3)
        assert table.dtype == np.int8
        assert set(np.unique(table)) == {-1, 1}
        assert len(np.unique(table, axis=0)) == len(table)
    assert halving.disjunctions(3, 2).shape == (3, 2**3)
