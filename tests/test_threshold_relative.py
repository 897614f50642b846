"""The threshold-relative update: projections, the aim, and the zig-zag without one."""

import numpy as np
import pytest
from helpers import assert_between
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from olc import Stream, ThresholdRelative, play, threshold_relative

vectors = hnp.arrays(np.int64, 3, elements=st.integers(-9, 9))
steps = st.sampled_from([0.25, 0.5, 1.0, 1.5, 1.75])


@given(vectors, st.integers(-20, 20), steps, st.integers(0, 2**32 - 1))
def test_full_step_is_the_projection_onto_the_plane_and_others_a_part_of_it(
    x, threshold, rate, seed
):
    assume(x.any())
    before = np.array([2.0, 1.0, -1.0])
    after, part = (
        ThresholdRelative(3, threshold=threshold, rate=r).step(before, x, 1)
        for r in (1, rate)
    )
    assert after @ x == pytest.approx(threshold, abs=1e-9)
    assert part == pytest.approx(before + rate * (after - before), abs=1e-9)
    others = np.random.default_rng(seed).normal(size=(50, 3)) * 10
    on_plane = others + np.outer((threshold - others @ x) / (x @ x), x)
    distances = np.linalg.norm(on_plane - before, axis=1)
    assert np.linalg.norm(after - before) <= distances.min() + 1e-9


@st.composite
def cleared(draw):
    """Points that some u keeps away from a threshold by at least `aim`."""
    n, seed = draw(st.integers(1, 5)), draw(st.integers(0, 2**32 - 1))
    random = np.random.default_rng(seed)
    u, threshold = 2 * random.normal(size=n), float(random.normal())
    X = random.uniform(-1, 1, (100, n))
    aim = draw(st.sampled_from([0.05, 0.2, 0.5]))
    X = X[abs(X @ u - threshold) >= aim]
    assume(len(X))
    return Stream(X, np.sign(X @ u - threshold), u), threshold, aim


@given(cleared(), steps)
def test_aiming_beyond_the_threshold_bounds_the_mistakes(game, rate):
    stream, threshold, aim = game
    learner = ThresholdRelative(stream.n, threshold=threshold, rate=rate, aim=aim)
    distance = float(np.linalg.norm(stream.target))
    bound = threshold_relative.mistake_bound(stream.radius, aim, distance, rate)
    traces = [play(learner, stream) for _ in range(3)]
    assert sum(trace.mistakes for trace in traces) <= bound
    for trace in traces:
        assert_between(threshold_relative.proof(trace), scale=distance**2)


def test_aim_above_every_clearance_never_rests():
    # Positive at 1, negative at 0.9, threshold 1: u clears it by 0.05 at most.
    stream = Stream(np.tile([[1.0], [0.9]], (500, 1)), np.tile([1, -1], 500), [1.05])
    trace = play(ThresholdRelative(1, threshold=1, aim=0.5), stream)
    assert trace.mistakes == 1000 > threshold_relative.mistake_bound(1, 0.5, 1.05)
    with pytest.raises(ValueError, match=r"clears the threshold by 0\.05, less than"):
        threshold_relative.proof(trace)
    modest = play(ThresholdRelative(1, threshold=1, aim=0.05), stream)
    assert modest.mistakes <= threshold_relative.mistake_bound(1, 0.05, 1.05)
    assert modest.mistakes < 10


def test_at_threshold_zero_without_an_aim_it_never_moves():
    learner = ThresholdRelative(2)
    trace = play(learner, np.tile(np.eye(2), (50, 1)), np.tile([-1, 1], 50))
    assert learner.weights.tolist() == [0, 0]
    assert trace.mistakes == 50


def test_full_step_leaves_a_negative_on_the_threshold_and_wrong():
    learner = ThresholdRelative(1, threshold=1)
    assert learner.learn([0.5], 1) == -1
    assert learner.weights.tolist() == [2]
    assert play(learner, np.ones((100, 1)), -np.ones(100)).mistakes == 100
    assert learner.weights.tolist() == [1]


def test_example_of_length_zero_has_no_plane_to_step_to():
    learner = ThresholdRelative(2, threshold=1, aim=0.5)
    for size in (0.0, 1e-200):  # the square of the second is 0
        assert learner.learn([size, 0], 1) == -1
        assert learner.weights.tolist() == [0, 0]


def test_bound_and_ledger_to_the_digit():
    bound = threshold_relative.mistake_bound(1, aim=0.5, distance=2, rate=0.5)
    assert bound == pytest.approx(16 / 0.75)
    learner = ThresholdRelative(1, threshold=1, aim=1, rate=0.5)
    ledger = threshold_relative.proof(play(learner, Stream([[2.0]], [1], [2])))
    assert ledger.iloc[0].to_dict() == {
        "round": 0, "missing": 2, "drop": 1.75, "guaranteed": 0.75,
        "lower": 0, "potential": 2.25, "upper": 4 - 0.75 / 4,
    }  # fmt: skip


def test_a_mistake_on_a_row_of_zeros_is_a_row_of_the_ledger():
    for X in ([[0.0, 0.0]], [[0.0, 0.0], [1.0, 0.0]]):
        trace = play(ThresholdRelative(2), Stream(X, [-1, 1][: len(X)], [1.0, 0.0]))
        assert trace.mistakes == 1
        (row,) = threshold_relative.proof(trace).itertuples()
        assert (row.missing, row.drop, row.guaranteed) == (0, 0, 0)
        assert row.lower <= row.potential <= row.upper
