"""Scores to probabilities: the fit, its oracle, and scores that are honest."""

from types import MethodType

import numpy as np
import pytest
from helpers import LEARNERS, examples, labels
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from sklearn.calibration import _SigmoidCalibration

import olc
from olc.probability import fit_sigmoid, fit_softmax, online_scores, sigmoid, softmax


def drawn(rounds, slope=2.0, offset=-1.0, scale=1.0, seed=0):
    """Scores, and labels whose probabilities are a sigmoid of them."""
    random = np.random.default_rng(seed)
    scores = random.normal(size=rounds)
    heads = random.random(rounds) < sigmoid(scores, slope, offset)
    return scale * scores, np.where(heads, 1, -1)


@pytest.mark.parametrize("scale", [1.0, 1e-8, 1e6, 1e150])
@pytest.mark.parametrize("rounds", [20, 3000])
def test_the_sigmoid_is_scikit_learns_on_the_same_scores(rounds, scale):
    scores, y = drawn(rounds)
    theirs = _SigmoidCalibration().fit(scores, y)
    slope, offset = fit_sigmoid(scale * scores, y)
    assert slope * scale == pytest.approx(-theirs.a_, rel=1e-5)
    assert offset == pytest.approx(-theirs.b_, rel=1e-5)
    assert np.allclose(sigmoid(scores, slope * scale, offset), theirs.predict(scores))


def test_the_sigmoid_is_the_one_that_the_labels_were_drawn_from():
    slope, offset = fit_sigmoid(*drawn(200_000))
    assert slope == pytest.approx(2, abs=0.05)
    assert offset == pytest.approx(-1, abs=0.05)


def test_the_softmax_of_two_classes_is_a_sigmoid_without_offset():
    scores, y = drawn(2000)
    scores, y = np.append(scores, -scores), np.append(y, -y)  # the offset is then 0
    slope, offset = fit_sigmoid(scores, y)
    assert offset == pytest.approx(0, abs=1e-9)
    as_two = np.column_stack([np.zeros(4000), scores])
    assert slope == pytest.approx(fit_softmax(as_two, (y + 1) // 2))


def test_the_softmax_minimises_the_log_loss_of_smoothed_labels():
    random = np.random.default_rng(1)
    scores, y = random.normal(size=(300, 4)), random.integers(0, 3, 300)
    scores[np.arange(300), y] += 1
    counts = np.bincount(y)[y]
    targets = np.repeat(1 / (counts + 4.0)[:, None], 4, axis=1)
    targets[np.arange(300), y] = (counts + 1) / (counts + 4)

    def loss(slope):
        return -(targets * np.log(softmax(scores, slope[0]))).sum()

    assert fit_softmax(scores, y) == pytest.approx(minimize(loss, 1.0).x[0], rel=1e-4)
    assert fit_softmax(scores, y.astype(float)) == fit_softmax(scores, y)


def test_a_slope_stays_finite_where_no_score_is_wrong():
    slope, offset = fit_sigmoid([-1.0, 1.0] * 50, [-1, 1] * 50)
    assert sigmoid(1.0, slope, offset) == pytest.approx(51 / 52)
    assert softmax([1.0, 0.0], fit_softmax(np.eye(2), [0, 1]))[0] == pytest.approx(
        2 / 3
    )


def test_scores_that_are_worse_than_chance_leave_the_frequencies():
    scores, y = [3.0, 2.0, 1.0, -1.0, -2.0], [-1, -1, -1, 1, 1]
    slope, offset = fit_sigmoid(scores, y)
    upside_down = fit_sigmoid(np.negative(scores), y)
    smoothed = (3 * 1 / 5 + 2 * 3 / 4) / 5  # of three negatives and two positives
    assert upside_down[0] > 0
    assert slope == 0
    assert sigmoid(9.0, slope, offset) == pytest.approx(smoothed)


def test_scores_that_say_nothing_leave_the_frequencies():
    slope, offset = fit_sigmoid(np.zeros(10), [1] * 7 + [-1] * 3)
    assert slope == 0
    assert sigmoid(5.0, slope, offset) == pytest.approx((7 * 8 / 9 + 3 / 5) / 10)
    assert fit_softmax([[0.0, 1.0]] * 9, [0] * 9) == 0.0  # they are always wrong
    assert fit_sigmoid([], []) == (0.0, 0.0)
    assert sigmoid(2.0, *fit_sigmoid([1.0, 2.0], [1, 1])) > 0.5  # one class only


@given(st.floats(-1e300, 1e300), st.floats(0, 1e6))
def test_probabilities_neither_overflow_nor_exceed_one(score, slope):
    assert 0 <= sigmoid(score, slope) <= 1
    chances = softmax([score / 1e10, 0.0, -1.0], slope)
    assert chances.sum() == pytest.approx(1)


@pytest.mark.parametrize("slope", [10.0, 0.0, -10.0])
def test_the_largest_scores_have_a_softmax(slope):
    chances = softmax([1e308, -1e308], slope)
    assert chances.tolist() == [(1 + np.sign(slope)) / 2, (1 - np.sign(slope)) / 2]


def test_scores_that_are_almost_zero_are_taken_for_zero():
    slope, _ = fit_sigmoid([1e-320, -1e-320, 1e-320], [1, -1, 1])
    assert slope == pytest.approx(0, abs=1e-6)
    assert fit_softmax(csr_matrix([[1.0, 0.0, 0.0], [0.0, 3.0, 1.0]]), [0, 1]) > 0


@pytest.mark.parametrize("name", LEARNERS)
def test_online_scores_are_those_before_each_update(name):
    make = LEARNERS[name]
    X = examples(make(6), 60, seed=3)
    y = labels(make(6), X, seed=3)
    trace, slow, scores = olc.play(make(6), X, y), make(6), []
    for x, label in zip(X, y, strict=True):
        scores.append(slow.score(x) - slow.threshold)
        slow.learn(x, label)
    assert online_scores(trace).tolist() == scores  # to the last bit
    zeros_too = csr_matrix((X.ravel(), np.tile(range(6), 60), range(0, 361, 6)))
    for rows in (csr_matrix(X), zeros_too):
        assert online_scores(olc.play(make(6), rows, y)).tolist() == scores


def test_online_scores_heed_an_update_that_was_set_by_hand():
    def twice(self, x, y):
        self.state = self.state + 2 * y * x

    X, y = np.array([[1.0, 0], [0, 1], [2, 1], [1, 1]]), [1, -1, -1, 1]
    learner = olc.Perceptron(2)
    learner.update = MethodType(twice, learner)
    trace = olc.play(learner, X, y)
    assert online_scores(trace).tolist() == [0, 0, 2, -6]


def test_a_score_may_be_too_large_for_a_number():
    with np.errstate(over="ignore"):
        trace = olc.play(olc.Perceptron(2), [[1e154, 1e154]] * 2, [1, 1])
    assert online_scores(trace).tolist() == [0, np.inf]


def test_a_game_without_a_round_has_no_scores():
    trace = olc.play(olc.KernelPerceptron(), np.empty((0, 2)), [])
    assert online_scores(trace).tolist() == []


def test_one_score_that_is_far_larger_does_not_hide_the_others():
    scores, y = drawn(10_000, slope=3.0, offset=0.0)
    scores, y = np.append(scores, 1e6), np.append(y, 1)
    theirs = _SigmoidCalibration().fit(scores, y)
    slope, offset = fit_sigmoid(scores, y)
    assert slope == pytest.approx(-theirs.a_, rel=1e-5) == pytest.approx(2.5, abs=0.3)
    assert offset == pytest.approx(-theirs.b_, abs=1e-5)


def test_a_step_that_goes_too_far_is_halved():
    scores, y = np.zeros(82), -np.ones(82)
    scores[:2], y[0] = (500, -7500), 1
    theirs = _SigmoidCalibration().fit(scores, y)
    assert fit_sigmoid(scores, y) == pytest.approx((-theirs.a_, -theirs.b_), rel=1e-6)
