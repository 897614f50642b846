"""Margin Winnow in both forms: updates, what they leave, and their ledgers."""

import math
from functools import partial

import numpy as np
import pytest
from helpers import positive, until_converged
from hypothesis import given
from hypothesis import strategies as st
from worst_games import worst_disjunctions

import olc
from olc import (
    MarginWinnow,
    Stream,
    ThresholdMarginWinnow,
    margin_winnow,
    play,
    streams,
)


def relative_entropy(p, q):
    """The relative entropy of two coins, term by term."""
    return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))


@given(st.floats(0.01, 0.99), st.floats(0, 0.98), st.integers(2, 5000))
def test_winnow_bound_is_ln_n_over_a_divergence_and_below_the_simple_one(
    gamma, share, n
):
    tau = share * gamma
    eta = margin_winnow.best_eta(gamma, tau)
    assert math.exp(2 * eta) == pytest.approx(
        (1 + gamma) * (1 - tau) / ((1 - gamma) * (1 + tau))
    )
    drop = relative_entropy((1 + gamma) / 2, (1 + tau) / 2)
    least_drop = partial(olc.normalized_winnow.least_drop, thickness=tau)
    assert least_drop(eta, gamma) == pytest.approx(drop, rel=1e-6)
    bound = margin_winnow.mistake_bound(n, gamma, tau)
    assert bound == pytest.approx(math.log(n) / drop, rel=1e-6)
    assert bound <= 2 * math.log(n) / (gamma - tau) ** 2 * (1 + 1e-6)
    for other in (0.8 * eta, 1.2 * eta):
        assert least_drop(other, gamma) <= drop * (1 + 1e-6)
    plain = olc.normalized_winnow.mistake_bound(n, gamma)
    assert margin_winnow.mistake_bound(n, gamma, 0) == pytest.approx(plain)


def test_winnow_bound_of_a_thin_margin_does_not_drown_in_rounding():
    # For small margins the divergence is (γ - τ)²/2.
    for gamma, tau in ((1e-6, 0), (1e-9, 4e-10), (1e-12, 0)):
        assert margin_winnow.mistake_bound(100, gamma, tau) == pytest.approx(
            2 * math.log(100) / (gamma - tau) ** 2, rel=1e-3
        )


@given(positive(most=30), st.sampled_from([0, 0.5, 0.8]))
def test_updates_of_margin_winnow_keep_the_bound_and_leave_the_margin(stream, share):
    gamma = olc.geometry.margin(stream.target, stream.X, stream.y, p=1)
    thickness = share * gamma
    eta = margin_winnow.best_eta(gamma, thickness)
    learner = MarginWinnow(stream.n, thickness=thickness, eta=eta)
    updates = until_converged(learner, stream)
    assert updates <= margin_winnow.mistake_bound(stream.n, gamma, thickness)
    assert olc.geometry.margin(learner.weights, stream.X, stream.y, p=1) > thickness


@given(st.integers(1, 400))
def test_a_first_weight_is_its_share_and_no_more_than_a_margin_of_that_size(n):
    learner = MarginWinnow(n, eta=0.1, thickness=1 / n)
    assert learner.weights.tolist() == [1 / n] * n
    assert len(play(learner, np.eye(n)[:1], [1]).update_rounds) == 1
    assert math.fsum(learner.weights) == pytest.approx(1, abs=1e-15)


@given(positive(most=30), st.floats(0.05, 2))
def test_without_thickness_it_is_normalised_winnow(stream, eta):
    thick = MarginWinnow(stream.n, thickness=0, eta=eta)
    plain = olc.NormalizedWinnow(stream.n, eta=eta)
    assert (
        play(thick, stream).update_rounds.tolist()
        == play(plain, stream).update_rounds.tolist()
    )
    assert (thick.weights == plain.weights).all()


def test_margin_winnow_needs_a_target_without_negative_weights():
    stream = Stream(-np.ones((100, 2)), np.ones(100), [-1, -1])
    trace = play(MarginWinnow(2, thickness=0.1, eta=0.5), stream)
    assert trace.mistakes == 100 > margin_winnow.mistake_bound(2, 0.99, 0.1)
    with pytest.raises(ValueError, match="negative weight"):
        margin_winnow.proof(trace)


def test_the_ledger_takes_examples_without_an_active_feature():
    stream = Stream(np.zeros((2, 3)), [1, -1], [1, 0, 0])
    ledger = margin_winnow.proof(play(MarginWinnow(3, eta=0.2, thickness=0.1), stream))
    assert ledger["drop"].tolist() == [0, 0]
    assert (ledger.guaranteed < 0).all()


# ------------------------------------------------------ Winnow with two thresholds


@given(st.integers(2, 60), st.integers(1, 4), st.floats(0, 0.9), st.integers(0, 10**6))
def test_updates_of_two_thresholds_keep_the_bound(n, k, share, seed):
    k = min(k, n)
    stream = streams.disjunction(n, k, 400, seed=seed, density=(seed % 7 + 1) / 10)
    learner = ThresholdMarginWinnow(n, thickness=share * n)
    high, low = n * (1 + share), n * (1 - share)
    updates = play(learner, stream).update_rounds
    assert len(updates) <= margin_winnow.threshold_bound(n, k, low, high)


@pytest.mark.parametrize(
    ("n", "k", "thickness"), [(2, 1, 0), (2, 1, 1), (3, 1, 1), (4, 1, 1), (3, 2, 0)]
)
def test_no_adversary_breaks_the_bound_of_small_games(n, k, thickness):
    found = worst_disjunctions(
        n, k, n, lambda w: 2.0 * w, lambda w: w / 2, thickness=thickness
    )
    low, high = n - thickness, n + thickness
    assert max(found) == k * (math.floor(math.log2(high)) + 1)  # attained exactly
    worst = max(up + down for up, down in found.items())
    sharp = margin_winnow.threshold_bound(n, k, low, high, sharp=True)
    assert worst <= sharp <= margin_winnow.threshold_bound(n, k, low, high)
    for up, down in found.items():
        assert down <= 2 * n / low + 2 * up * high / low


def test_in_the_end_the_two_thresholds_keep_positive_and_negative_apart():
    stream = streams.disjunction(20, 2, 300, seed=3)
    learner = ThresholdMarginWinnow(20, thickness=10)
    until_converged(learner, stream)
    scores = learner.scores(stream.X)
    assert scores[stream.y > 0].min() > 30
    assert scores[stream.y < 0].max() < 10


def test_without_thickness_it_differs_from_winnow_at_the_threshold_only():
    for seed in range(20):
        stream = streams.disjunction(12, 2, 100, seed=seed)
        thick = ThresholdMarginWinnow(12, thickness=0, threshold=35 / 3)  # no sum
        plain = olc.Winnow(12, threshold=35 / 3)
        assert (
            play(thick, stream).update_rounds.tolist()
            == play(plain, stream).mistake_rounds.tolist()
        )
        assert (thick.weights == plain.weights).all()
    thick = ThresholdMarginWinnow(2, thickness=0)
    trace = play(thick, [[1, 1]] * 2, [1] * 2)
    assert (trace.mistakes, trace.update_rounds.tolist()) == (
        0,
        [0],
    )  # 2 is right, then 4


@pytest.mark.parametrize(
    ("shown", "y", "thickness", "threshold", "updates", "mistakes"),
    [
        ([1, 1, 1, 1, 1, 1, 0, 0], 1, 4, 8, 2, 1),  # 6, 12, then 24
        ([1, 1, 1, 1, 0, 0, 0, 0], -1, 4, 8, 1, 0),  # 4, then 2
        ([1, 0, 0, 0, 0, 0, 0, 0], 1, 1, 3, 3, 2),  # 1, 2, 4 = 3 + 1, then 8
        ([1, 0, 0, 0, 0, 0, 0, 0], 1, 1e-262, 2, 2, 1),  # 1, 2, then 4: 2 + τ is 2
        ([1, 0, 0, 0, 0, 0, 0, 0], 1, 0.1, 2, 2, 1),
    ],
)
def test_a_sum_at_either_threshold_is_not_enough(
    shown, y, thickness, threshold, updates, mistakes
):
    learner = ThresholdMarginWinnow(8, thickness=thickness, threshold=threshold)
    trace = play(learner, [shown] * 9, [y] * 9)
    assert trace.update_rounds.tolist() == list(range(updates))
    assert trace.mistakes == mistakes


def test_at_thickness_0_a_weight_is_promoted_up_to_the_threshold_and_at_it():
    assert margin_winnow.threshold_bound(64, k=1, low=64, high=64) == 7 + 2 + 14


# ------------------------------------------------------------ the balanced form


def test_balanced_winnow_without_thickness_is_the_one_without_a_margin():
    stream = streams.disjunction(20, 3, 300, seed=0)
    thin = olc.BalancedMarginWinnow(20, thickness=0, alpha=1.5)
    plain = olc.ThresholdBalancedWinnow(20, threshold=1, plus=1, minus=1, alpha=1.5)
    assert (
        play(thin, stream).update_rounds.tolist()
        == play(plain, stream).update_rounds.tolist()
    )
    assert np.array_equal(thin.weights, plain.weights)


@pytest.mark.parametrize("thickness", [2, 3])
def test_balanced_margin_winnow_updates_up_to_theta_plus_tau(thickness):
    learner = olc.BalancedMarginWinnow(3, thickness=thickness)
    assert learner.weights.tolist() == [0, 0, 0]  # no vote before an update
    assert (learner.threshold, learner.plus, learner.minus) == (1, 1, 1)
    trace = play(learner, [[1, 1, 0]] * 4, [1] * 4)
    # scores 0, 3 and 7.5: wrong, right by 2 only, right by 6.5
    assert trace.mistakes == 1
    assert trace.update_rounds.tolist() == [0, 1]
    assert learner.weights.tolist() == [3.75, 3.75, 0]
