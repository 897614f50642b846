"""The consistent learner and halving: every game of small classes."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from worst_games import Contrary, realizable, worst_case

import olc
from olc import Consistent, Halving, Stream, halving, play

tables = st.tuples(st.integers(1, 7), st.integers(1, 4)).flatmap(
    lambda shape: hnp.arrays(np.int8, shape, elements=st.sampled_from([-1, 1]))
)
learners = st.sampled_from([Consistent, Halving])


# ---------------------------------------------------------------------- theorems


@given(tables)
def test_consistent_errs_at_most_h_minus_1_times_in_every_game(table):
    most = worst_case(Consistent(len(table)), table)
    assert most <= halving.consistent_bound(len(table))


@given(tables)
def test_halving_errs_at_most_log2_h_times_in_every_game(table):
    most = worst_case(Halving(len(table)), table)
    assert most <= halving.mistake_bound(len(table)) == int(math.log2(len(table)))


@given(tables, learners, st.integers(0, 2**32 - 1))
def test_ledger_holds_on_random_streams(table, kind, seed):
    stream = realizable(table, seed)
    trace = play(kind(len(table)), stream)
    ledger = halving.proof(trace)
    assert ledger["round"].tolist() == trace.rounds.tolist()
    assert (ledger.lower <= ledger.potential).all()
    assert (ledger.potential <= ledger.upper).all()
    assert (ledger.alive >= 1).all()


@pytest.mark.parametrize("kind", [Consistent, Halving])
def test_ledger_holds_in_a_duel_and_starts_where_the_learner_stood(kind):
    table = halving.disjunctions(4, 2, at_most=True)
    learner = kind(len(table))
    learner.update(table[:, 3], -1)
    trace = olc.duel(learner, Contrary(table), 20)
    ledger = halving.proof(trace)
    assert len(ledger) > 1
    assert (ledger.lower <= ledger.potential).all()
    assert (ledger.potential <= ledger.upper).all()
    assert ledger.potential.iloc[-1] == ledger.lower.iloc[-1]


def test_ledger_of_all_functions_halves_to_the_digit():
    table = halving.all_functions(3)
    stream = Stream(table.T, table[-1])
    ledger = halving.proof(play(Halving(8), stream))
    assert ledger.alive.tolist() == ledger.potential.tolist() == [4, 2, 1]
    assert ledger.upper.tolist() == [4, 2, 1]
    assert ledger.lower.tolist() == [1, 1, 1]


def test_ledger_of_singletons_counts_down_to_the_digit():
    table = halving.singletons(4)
    stream = Stream(table.T[:3], table[3, :3])
    ledger = halving.proof(play(Consistent(4), stream))
    assert ledger.potential.tolist() == ledger.upper.tolist() == [3, 2, 1]


# ---------------------------------------------------------------- how tight they are


@pytest.mark.parametrize("n", [8, 64, 1024])
def test_consistent_errs_n_minus_1_times_on_singletons(n):
    table = halving.singletons(n)
    stream = Stream(table.T[:-1], -np.ones(n - 1))
    assert play(Consistent(n), stream).mistakes == n - 1 == halving.consistent_bound(n)
    assert play(Halving(n), stream).mistakes <= 1


@pytest.mark.parametrize("points", [1, 3, 6])
def test_halving_errs_at_every_point_of_all_functions(points):
    table = halving.all_functions(points)
    trace = olc.duel(Halving(len(table)), Contrary(table), 100)
    assert trace.mistakes == points == halving.mistake_bound(len(table))


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
    assert trace.rounds.tolist() == [3, 4, 5]  # the last one is a tie


@given(tables, st.integers(0, 2**32 - 1))
def test_halving_strikes_out_at_least_half_at_every_mistake(table, seed):
    stream = realizable(table, seed)
    trace = play(Halving(len(table)), stream)
    size = len(table)
    for step in trace.replay():
        left = int(step.learner.alive.sum())
        assert step.t not in trace.rounds or left <= size / 2
        size = left


@given(tables, learners, st.integers(0, 2**32 - 1))
def test_version_space_is_what_agrees_with_every_label(table, kind, seed):
    stream = realizable(table, seed)
    learner = kind(len(table))
    play(learner, stream)
    agree = (stream.y[:, None] == stream.X).all(axis=0)
    assert learner.weights.tolist() == agree.astype(float).tolist()


@given(tables, learners, st.integers(0, 2**32 - 1))
def test_block_of_points_is_predicted_as_one_by_one(table, kind, seed):
    learner = kind(len(table))
    play(learner, realizable(table, seed))
    together = learner.predict(table.T)
    assert together.tolist() == [int(learner.predict(x)) for x in table.T]
    assert together.dtype == np.int8


# ----------------------------------------------------------------- assumptions


@pytest.mark.parametrize("kind", [Consistent, Halving])
def test_refuses_a_stream_that_no_hypothesis_explains(kind):
    table = halving.singletons(3)
    learner = kind(len(table))
    stream = Stream(np.tile(table.T[0], (2, 1)), [1, -1])
    with pytest.raises(ValueError, match="not realizable by this class"):
        play(learner, stream)
    assert learner.alive.all()
    learner.update(table[:, 0], +1)
    with pytest.raises(ValueError, match="use WeightedMajority"):
        learner.update(table[:, 0], -1)
    assert learner.alive.tolist() == [True, False, False]


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda: Halving(0), ValueError, "^n must be at least 1"),
        (lambda: Halving(2).predict([0, 1]), ValueError, "map 0 to -1"),
        (lambda: halving.mistake_bound(0), ValueError, "^size must be at least 1"),
        (lambda: halving.consistent_bound(1.5), TypeError, "whole number"),
        (lambda: halving.consistent_bound(0), ValueError, "^size must"),
        (lambda: halving.disjunctions(0, 1), ValueError, "^n must"),
        (lambda: halving.disjunctions(3, 4), ValueError, "^k = 4"),
        (lambda: halving.singletons(0), ValueError, "^points"),
        (lambda: halving.thresholds(0), ValueError, "^points"),
        (lambda: halving.all_functions(0), ValueError, "^points"),
    ],
)
def test_refuses(wrong, error, message):
    with pytest.raises(error, match=message):
        wrong()


def test_class_of_disjunctions_agrees_with_its_definition():
    table = halving.disjunctions(3, 2, at_most=True)
    subsets = [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
    for row, subset in zip(table, subsets, strict=True):
        for point, sign in enumerate(row):
            assert (sign == 1) == any(point >> i & 1 for i in subset)


@pytest.mark.parametrize(
    "make",
    [
        halving.singletons,
        halving.thresholds,
        halving.all_functions,
        lambda points: halving.disjunctions(points, 2),
    ],
)
def test_a_class_is_a_table_of_small_signs(make):
    table = make(3)
    assert table.dtype == np.int8
    assert set(np.unique(table)) == {-1, 1}
    assert len(np.unique(table, axis=0)) == len(table)


def test_disjunctions_are_told_apart_at_every_point_of_the_cube():
    assert halving.disjunctions(3, 2).shape[1] == 2**3
