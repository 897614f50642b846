"""The threshold-relative update: projections, the aim, and the zig-zag without one."""

import math
from fractions import Fraction

import numpy as np
import pytest
from helpers import assert_between
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from olc import Stream, ThresholdRelative, play, streams, threshold_relative

vectors = hnp.arrays(np.int64, 3, elements=st.integers(-9, 9))
steps = st.sampled_from([0.25, 0.5, 1.0, 1.5, 1.75])


@given(vectors, st.integers(-20, 20), steps, st.sampled_from([-1, 1]))
def test_step_leaves_one_minus_r_of_what_was_missing(x, threshold, rate, y):
    assume(x.any())
    learner = ThresholdRelative(3, threshold=threshold, rate=rate)
    learner.update([1, -2, 3], y)
    missing = threshold - learner.score(x)
    learner.update(x, y)
    assert threshold - learner.score(x) == pytest.approx((1 - rate) * missing, abs=1e-9)


@given(vectors, st.integers(-20, 20), st.integers(0, 2**32 - 1))
def test_full_step_is_the_orthogonal_projection_onto_the_plane(x, threshold, seed):
    assume(x.any())
    learner = ThresholdRelative(3, threshold=threshold)
    learner.update([2, 1, -1], 1)
    before = learner.weights
    learner.update(x, 1)
    after = learner.weights
    assert after @ x == pytest.approx(threshold, abs=1e-9)
    learner.update(x, 1)
    assert learner.weights == pytest.approx(after, abs=1e-9)  # a projection rests
    others = np.random.default_rng(seed).normal(size=(50, 3)) * 10
    on_plane = others + np.outer((threshold - others @ x) / (x @ x), x)
    distances = np.linalg.norm(on_plane - before, axis=1)
    assert np.linalg.norm(after - before) <= distances.min() + 1e-9


def test_update_as_printed_adds_a_number_and_misses_the_plane():
    # Printed without the vector x: the same number goes to every weight.
    weights, x, threshold = np.array([1.0, -1.0]), np.array([3.0, 1.0]), 0.7
    printed = weights + (threshold - weights @ x) / (x @ x)
    assert printed @ x != pytest.approx(threshold)
    mended = weights + (threshold - weights @ x) / (x @ x) * x
    assert mended @ x == pytest.approx(threshold)


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
    total = 0
    for _ in range(3):
        trace = play(learner, stream)
        total += trace.mistakes
        ledger = threshold_relative.proof(trace)
        assert ledger["round"].tolist() == trace.rounds.tolist()
        assert_between(ledger, scale=distance**2)
        assert (ledger["drop"] >= ledger.guaranteed - 1e-9).all()
        least = rate * (2 - rate) * (aim / stream.radius) ** 2
        assert (ledger.guaranteed >= least * (1 - 1e-9)).all()
        assert (stream.y[trace.rounds] * ledger.missing >= aim * (1 - 1e-9)).all()
    assert total <= bound


@given(cleared(), steps)
def test_without_an_aim_the_distance_still_never_grows(game, rate):
    stream, threshold, _ = game
    trace = play(ThresholdRelative(stream.n, threshold=threshold, rate=rate), stream)
    ledger = threshold_relative.proof(trace)
    assert_between(ledger, scale=float(stream.target @ stream.target))
    assert (ledger["drop"] >= ledger.guaranteed - 1e-9).all()


# Two positives; u = (2, 7) clears the threshold 1 by 1 and by 0.7.
ZIG_ZAG = Stream(np.tile([[1.0, 0.0], [-0.9, 0.5]], (30, 1)), np.ones(60), [2, 7])


def test_without_an_aim_it_zig_zags_for_ever():
    learner = ThresholdRelative(2, threshold=1)
    assert play(learner, ZIG_ZAG).mistakes == 60
    # The same in rational arithmetic, where no rounding can help.
    points = [(Fraction(1), Fraction(0)), (Fraction(-9, 10), Fraction(1, 2))]
    weights = (Fraction(0), Fraction(0))
    for t in range(60):
        x = points[t % 2]
        missing = 1 - sum(w * v for w, v in zip(weights, x, strict=True))
        assert missing > 0
        step = missing / sum(v * v for v in x)
        weights = tuple(w + step * v for w, v in zip(weights, x, strict=True))
    assert float(missing) == pytest.approx(7.78e-4, rel=0.01)
    assert learner.weights == pytest.approx([float(w) for w in weights])


def test_with_an_aim_the_zig_zag_ends():
    for aim in (0.1, 0.5, 0.7):
        trace = play(ThresholdRelative(2, threshold=1, aim=aim), ZIG_ZAG)
        distance = math.hypot(2, 7)
        bound = threshold_relative.mistake_bound(ZIG_ZAG.radius, aim, distance)
        assert trace.mistakes < 30
        assert trace.mistakes <= bound


def test_aim_above_every_clearance_never_rests():
    # Positive at 1, negative at 0.9, threshold 1: u clears it by 0.05 at most.
    stream = Stream(np.tile([[1.0], [0.9]], (500, 1)), np.tile([1, -1], 500), [1.05])
    trace = play(ThresholdRelative(1, threshold=1, aim=0.5), stream)
    assert trace.mistakes == 1000 > threshold_relative.mistake_bound(1, 0.5, 1.05)
    with pytest.raises(ValueError, match=r"clears the threshold by 0\.05 only"):
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
    learner.update([0.5], 1)
    assert learner.weights.tolist() == [2]
    assert play(learner, np.ones((100, 1)), -np.ones(100)).mistakes == 100
    assert learner.weights.tolist() == [1]


def test_example_of_length_zero_has_no_plane_to_step_to():
    learner = ThresholdRelative(2, threshold=1, aim=0.5)
    learner.update([0, 0], 1)
    assert learner.weights.tolist() == [0, 0]


def test_proof_of_zero_rows_or_zero_examples_is_empty():
    zeros = Stream(np.zeros((3, 2)), -np.ones(3), [1, 1])
    learner = ThresholdRelative(2, threshold=1, aim=0.5)
    assert len(threshold_relative.proof(play(learner, zeros))) == 0
    none = Stream(np.empty((0, 2)), np.empty(0), [1, 1])
    assert len(threshold_relative.proof(play(learner, none))) == 0


def test_envelopes_of_the_threshold_relative_update_are_those_of_the_proof():
    stream = streams.separable(3, margin=0.2, rounds=200, seed=1)
    u, aim, rate = stream.target / stream.margin, 0.5, 0.7
    stream = Stream(stream.X, stream.y, u)
    learner = ThresholdRelative(3, aim=aim, rate=rate)
    learner.update(stream.X[0], stream.y[0])  # it need not start at 0
    start = float(np.sum((learner.weights - u) ** 2))
    trace = play(learner, stream)
    ledger = threshold_relative.proof(trace)
    count = np.arange(1, len(ledger) + 1)
    assert len(ledger) > 5
    fall = rate * (2 - rate) * (aim / stream.radius) ** 2
    np.testing.assert_allclose(ledger.upper, start - count * fall)
    np.testing.assert_allclose(
        ledger["drop"], -np.diff(ledger.potential, prepend=start), atol=1e-12
    )
    assert ledger.lower.tolist() == [0.0] * len(ledger)


def test_bound_is_its_formula():
    bound = threshold_relative.mistake_bound(1, aim=0.5, distance=2, rate=0.5)
    assert bound == pytest.approx(16 / 0.75)


def test_repr_shows_the_parameters():
    assert repr(ThresholdRelative(2)) == (
        "ThresholdRelative(n=2, threshold=0.0, rate=1.0, aim=0.0)"
    )


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: ThresholdRelative(2, threshold=math.inf), "^threshold"),
        (lambda: ThresholdRelative(2, rate=2), "^rate"),
        (lambda: ThresholdRelative(2, aim=-1), "^aim"),
        (lambda: threshold_relative.mistake_bound(1, 0, 1), "^aim"),
        (lambda: threshold_relative.mistake_bound(0, 1, 1), "^radius"),
        (lambda: threshold_relative.mistake_bound(1, 1, -1), "^distance"),
        (lambda: threshold_relative.mistake_bound(1, 1, 1, 2), "^rate"),
    ],
)
def test_refuses(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()
