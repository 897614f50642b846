"""Winnow-R: what the floor costs, what it saves, and the drifting bound."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from worst_games import worst_disjunctions

from olc import (
    Stream,
    Winnow,
    WinnowR,
    play,
    streams,
    winnow,
    winnow_r,
)

# ----------------------------------------------------------------- the floor


def test_winnow_r_is_winnow_until_a_weight_would_fall_below_the_floor():
    stream = streams.disjunction(30, 2, 200, seed=4)
    floored, plain = (play(kind(30), stream, record=True) for kind in (WinnowR, Winnow))
    low = np.flatnonzero((plain.weights < 0.5).any(axis=1))[0]
    assert low > 5
    assert (floored.weights[:low] == plain.weights[:low]).all()
    assert (floored.weights[low] == np.maximum(plain.weights[low], 0.5)).all()


@given(st.integers(2, 80), st.integers(0, 9999))
def test_a_demotion_takes_half_of_what_is_shown_above_the_floor(n, seed):
    random = np.random.default_rng(seed)
    learner = WinnowR(n)
    learner.state = random.integers(-1, 6, n).astype(float)
    x = (random.random(n) < 0.8).astype(float)
    score, before = float(learner.score(x)), learner.weights
    at_floor = int(((before == 0.5) & (x == 1)).sum())
    learner.update(x, -1)
    drop = before.sum() - learner.weights.sum()
    assert drop == (score - at_floor / 2) / 2
    if score >= n:
        assert drop >= (n + 1) / 4 > winnow_r.least_drop(n)


# ------------------------------------------------------------------ the bound


@given(
    st.integers(2, 5000), st.integers(1, 9), st.sampled_from([1.25, 1.5, 2.0, 3.0, 4.0])
)
def test_bound_is_that_of_the_theorem_and_5_times_the_promotions_and_1_for_factor_2(
    n, additions, alpha
):
    up = additions * winnow_r.promotions(n, alpha)
    if alpha == 2:
        assert up == additions * (math.ceil(math.log2(n)) + 1)
        assert winnow_r.mistake_bound(n, additions) == 5 * up + 1
    alpha = Fraction(alpha)
    fewer = (alpha**2 * up + alpha) / (alpha - 1)
    bound = winnow_r.mistake_bound(n, additions, float(alpha))
    assert bound == up + math.ceil(fewer) - 1
    drop = float(n * (1 - 1 / alpha) ** 2)
    assert winnow_r.least_drop(n, float(alpha)) == pytest.approx(drop)


def test_bound_follows_the_threshold():
    # ⌈log₂ 96⌉ + 1 = 8 promotions each, and a demotion takes (96 - 32)/2 = 32
    assert winnow_r.promotions(64, 2.0, 96) == 8
    down = (64 - 32 + 8 * 96) / 32
    assert winnow_r.mistake_bound(64, 1, threshold=96) == 8 + math.ceil(down) - 1


@pytest.mark.parametrize(
    ("n", "times"), [(63, 7), (64, 7), (65, 8), (1000, 11), (1024, 11)]
)
def test_a_variable_at_the_floor_is_promoted_so_often(n, times):
    learner, alone = WinnowR(n), np.tile(np.eye(n)[0], (40, 1))
    learner.update(np.ones(n), -1)
    assert play(learner, alone, np.ones(40)).mistakes == times
    assert winnow_r.promotions(n) == times
    assert play(WinnowR(n), alone, np.ones(40)).mistakes == times - 1  # a first stay


# The most demotions of any game against a fixed target of k among n variables.
DEMOTIONS = {(3, 1): 1, (4, 1): 2, (5, 2): 4, (6, 2): 6, (7, 2): 7}


@pytest.mark.parametrize(("n", "k"), DEMOTIONS)
def test_no_adversary_breaks_the_bounds_of_small_games(n, k):
    found = worst_disjunctions(
        n,
        k,
        theta=2 * n,
        promote=lambda weight: 2 * weight,
        demote=lambda weight: max(weight // 2, 1),
        one=2,  # counted in halves, so that all are whole
    )
    assert max(found) == k * math.ceil(math.log2(n))
    assert max(found.values()) == DEMOTIONS[n, k]
    for up, down in found.items():
        assert down <= 4 * up
    worst = max(up + down for up, down in found.items())
    assert worst <= winnow_r.mistake_bound(n, k)


@st.composite
def drifting(draw):
    n = draw(st.integers(2, 25))
    k, drifts = draw(st.integers(1, n - 1)), draw(st.integers(0, 8))
    density = draw(st.sampled_from([None, 0.1, 0.6]))
    seed = draw(st.integers(0, 999))
    return streams.drifting_disjunction(n, k, 200, drifts, seed, density)


@given(drifting(), st.sampled_from([1.5, 2.0, 3.0]), st.sampled_from([0.8, 1.0, 4.0]))
def test_the_bounds_hold_while_the_target_drifts(stream, alpha, share):
    n, theta = stream.n, share * stream.n
    trace = play(WinnowR(n, alpha=alpha, threshold=theta), stream)
    up = stream.y[trace.mistake_rounds] > 0
    drop = (1 - 1 / alpha) * (theta - n / alpha)
    most = (n - n / alpha + up.sum() * (alpha - 1) * theta) / drop
    assert (~up).sum() < most
    cost = winnow_r.additions(stream)
    assert trace.mistakes <= winnow_r.mistake_bound(n, cost, alpha, theta)
    if (alpha, share) == (2, 1):
        assert trace.mistakes <= winnow_r.sharp_bound(n, cost)


@given(drifting(), st.sampled_from([0.02, 0.3]), st.integers(0, 99))
def test_an_attribute_error_costs_five_mistakes_at_most(stream, chance, seed):
    for noise in (streams.flip_labels, streams.flip_features):
        trace = play(WinnowR(stream.n), noise(stream, chance, seed))
        errors, cost = winnow.attribute_errors(trace), winnow_r.additions(stream)
        bound = winnow_r.mistake_bound(stream.n, cost, errors=errors)
        assert bound == winnow_r.mistake_bound(stream.n, cost) + 5 * errors
        assert trace.mistakes <= bound
        ledger = winnow_r.proof(trace)
        assert (ledger.promotions <= ledger.most_promotions).all()
        assert ledger.errors.max() == errors or trace.mistakes == 0


def test_ledger_counts_the_additions_so_far():
    one, two, shown, _ = np.eye(4)
    drifts = [(0, one), (3, one + two), (5, two), (7, one)]
    X = np.tile(shown, (9, 1))
    stream = Stream(X, np.ones(9), one, drifts)
    assert winnow_r.additions(stream) == 3
    assert winnow_r.costs(stream) == [(0, 1), (3, 2), (5, 2), (7, 3)]
    assert winnow_r.costs(Stream(X, stream.y, one + two)) == [(0, 2)]
    for threshold, counts in ((4, [1, 1]), (64, [1, 1, 1, 2, 2, 2])):
        ledger = winnow_r.proof(play(WinnowR(4, threshold=threshold), stream))
        assert ledger.additions.tolist() == counts
        each = math.log2(threshold) + 1
        errors = range(1, len(counts) + 1)  # nothing relevant is on
        most = [
            each * count + wrong for count, wrong in zip(counts, errors, strict=True)
        ]
        assert ledger.most_promotions.tolist() == most


def test_late_mistakes_are_those_since_the_last_drift():
    target = np.eye(3)
    drifts = [(0, target[0]), (2, target[1])]
    stream = Stream(np.eye(3)[[0, 0, 1, 1]], np.ones(4), target[1], drifts)
    trace = play(WinnowR(3), stream)
    assert trace.mistake_rounds.tolist() == [0, 1, 2, 3]
    assert winnow_r.late_mistakes(trace) == 2


# --------------------------------------------- what is false, and what fails


@pytest.mark.parametrize("n", [2, 3, 16, 63, 64, 65, 1000, 1024])
def test_sharp_bound_is_the_smaller_one(n):
    log = math.ceil(math.log2(n))
    for additions in (1, 2, 20):
        sharp = winnow_r.sharp_bound(n, additions)
        assert sharp <= winnow_r.mistake_bound(n, additions)
        if n == 2**log:
            assert sharp <= additions * (5 * log + 4)


def test_a_threshold_that_the_floor_reaches_means_mistakes_for_ever():
    stream = Stream(np.ones((300, 8)), -np.ones(300), np.eye(8)[0])
    trace = play(WinnowR(8, threshold=4), stream)
    assert trace.mistakes == 300
    with pytest.raises(ValueError, match=r"above n / alpha = 4\.0"):
        winnow_r.proof(trace)
