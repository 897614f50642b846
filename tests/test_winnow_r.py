"""Winnow-R: what the floor costs, what it saves, and the drifting bound."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from helpers import assert_between, promotions_and_demotions
from hypothesis import given
from hypothesis import strategies as st
from worst_games import worst_disjunctions, worst_drift

from olc import Stream, Winnow, WinnowR, adversaries, duel, play, streams, winnow_r


def assert_proof_steps(trace):
    """Check every inequality of the proof at every mistake."""
    ledger, stream = winnow_r.proof(trace), trace.stream
    learner = trace.before
    n, alpha, theta = learner.n, learner.alpha, learner.threshold
    assert ledger["round"].tolist() == trace.rounds.tolist()
    assert_between(ledger)
    assert (ledger.promotions <= ledger.most_promotions).all()
    assert (ledger.promotions + ledger.demotions == ledger.index).all()
    up = np.diff(ledger.promotions, prepend=0) == 1
    assert (ledger.change[up] < (alpha - 1) * theta).all()
    drop = winnow_r.least_drop(n, alpha, theta)
    assert (ledger.change[~up] < -drop * (1 - 1e-12)).all()
    if len(ledger):
        last = ledger.iloc[-1]
        most = (n - n / alpha + last.promotions * (alpha - 1) * theta) / drop
        assert last.demotions < most
    cost = stream.additions
    assert trace.mistakes <= winnow_r.mistake_bound(n, cost, alpha, theta)
    return ledger


# ----------------------------------------------------------------- the floor


@given(st.integers(1, 40), st.sampled_from([1.5, 2.0, 3.0]), st.integers(0, 999))
def test_no_weight_falls_below_the_floor(n, alpha, seed):
    stream = streams.disjunction(n, 1, 60, seed, density=0.9)
    noisy = streams.flip_labels(stream, 0.4, seed)
    trace = play(WinnowR(n, alpha=alpha), noisy, record=True)
    assert (trace.weights >= 1 / alpha).all()


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


@pytest.mark.parametrize("n", [7, 15, 63, 255])
def test_the_least_drop_is_attained(n):
    learner = WinnowR(n)
    learner.state = np.append(math.log2((n + 1) / 2), -np.ones(n - 1))
    assert learner.score(np.ones(n)) == n
    before = learner.weights.sum()
    learner.update(np.ones(n), -1)
    assert before - learner.weights.sum() == (n + 1) / 4


# ------------------------------------------------------------------ the bound


@given(st.integers(2, 5000), st.integers(1, 50))
def test_bound_is_five_times_the_promotions_and_one(n, additions):
    each = math.ceil(math.log2(n)) + 1
    assert winnow_r.promotions(n) == each
    assert winnow_r.mistake_bound(n, additions) == 5 * additions * each + 1


@given(
    st.integers(2, 300), st.integers(1, 9), st.sampled_from([1.25, 1.5, 2.0, 3.0, 4.0])
)
def test_bound_for_any_factor_is_that_of_the_theorem(n, additions, alpha):
    up = additions * winnow_r.promotions(n, alpha)
    alpha = Fraction(alpha)
    fewer = (alpha**2 * up + alpha) / (alpha - 1)
    bound = winnow_r.mistake_bound(n, additions, float(alpha))
    assert bound == up + math.ceil(fewer) - 1
    assert winnow_r.least_drop(n, float(alpha)) == pytest.approx(
        float(n * (1 - 1 / alpha) ** 2)
    )


@pytest.mark.parametrize(
    ("n", "times"), [(63, 7), (64, 7), (65, 8), (1000, 11), (1024, 11)]
)
def test_a_variable_at_the_floor_is_promoted_so_often(n, times):
    learner = WinnowR(n)
    learner.update(np.ones(n), -1)
    x = np.eye(n)[0]
    assert play(learner, np.tile(x, (40, 1)), np.ones(40)).mistakes == times
    assert winnow_r.promotions(n) == times


def test_a_first_stay_takes_one_promotion_less():
    X = np.tile(np.eye(64)[0], (40, 1))
    assert play(WinnowR(64), X, np.ones(40)).mistakes == 6


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
def test_theorem_and_every_step_of_its_proof_hold_on_drifting_streams(
    stream, alpha, thresholds
):
    learner = WinnowR(stream.n, alpha=alpha, threshold=thresholds * stream.n)
    assert_proof_steps(play(learner, stream))


@given(
    st.sampled_from([adversaries.Floor, adversaries.Doubling, adversaries.Flip]),
    st.integers(3, 70),
    st.integers(1, 9),
    st.sampled_from([1.5, 2.0, 3.0]),
)
def test_theorem_and_every_step_of_its_proof_hold_in_duels(kind, n, times, alpha):
    adversary = kind(n, min(times, n - 1))
    trace = duel(WinnowR(n, alpha=alpha), adversary, rounds=400)
    assert_proof_steps(trace)


def test_ledger_counts_the_additions_so_far():
    target = np.eye(4)
    drifts = [
        (0, target[0]),
        (3, target[0] + target[1]),
        (5, target[1]),
        (7, target[0]),
    ]
    X = np.tile(target[2], (9, 1))
    stream = Stream(X, [-1, -1, -1, -1, -1, -1, -1, -1, -1], target[0], drifts)
    assert stream.additions == 3
    assert stream.costs == [(0, 1), (3, 2), (5, 2), (7, 3)]
    assert Stream(X, stream.y, target[0] + target[1]).costs == [(0, 2)]
    noisy = Stream(X, np.ones(9), target[0], drifts)
    trace = play(WinnowR(4), noisy)
    assert winnow_r.proof(trace).additions.tolist() == [1, 1]
    later = play(WinnowR(4, threshold=64), noisy)
    assert winnow_r.proof(later).additions.tolist() == [1, 1, 1, 2, 2, 2]


# --------------------------------------------- what is false, and what fails


def test_printed_bound_on_the_demotions_is_false_for_a_fixed_target():
    trace = duel(WinnowR(1024), adversaries.Floor(1024, additions=1), rounds=1000)
    ledger = assert_proof_steps(trace)
    up, down = ledger.promotions.iloc[-1], ledger.demotions.iloc[-1]
    assert (up, down) == (11, 35)
    assert down >= 2 * (up + 1)  # printed: v < 2(u + 1)
    assert down < 4 * up + 2


def test_demotions_come_near_four_for_every_promotion():
    ratios = []
    for n in (64, 256, 1024):
        trace = duel(WinnowR(n), adversaries.Floor(n, additions=20), rounds=2000)
        ledger = assert_proof_steps(trace)
        ratios.append(float(ledger.demotions.iloc[-1] / ledger.promotions.iloc[-1]))
    assert ratios == sorted(ratios)
    assert 3.6 < ratios[-1] < 4


@pytest.mark.parametrize(
    ("n", "additions", "worst"),
    [(2, 1, 5), (2, 2, 9), (3, 2, 14), (4, 1, 8), (4, 2, 16), (4, 3, 24), (8, 1, 12)],
)
def test_no_drifting_game_breaks_the_sharp_bound(n, additions, worst):
    assert worst_drift(n, additions) == worst
    assert worst <= winnow_r.sharp_bound(n, additions)
    if n > 2:
        floor = duel(WinnowR(n), adversaries.Floor(n, additions), rounds=100)
        assert 0.7 * worst < floor.mistakes <= worst


@pytest.mark.parametrize("n", [2, 3, 16, 63, 64, 65, 1000, 1024])
def test_sharp_bound_is_the_smaller_one(n):
    log = math.ceil(math.log2(n))
    for additions in (1, 2, 20):
        sharp = winnow_r.sharp_bound(n, additions)
        assert sharp <= winnow_r.mistake_bound(n, additions)
        if n == 2**log:
            assert sharp <= additions * (5 * log + 4)


def test_sharp_potential_falls_by_as_much_as_its_proof_says():
    n, (_, *stays) = 64, duel(WinnowR(64), adversaries.Floor(64, 3), 500).stream.drifts
    assert len(stays) == 4  # three variables, and nothing at the end
    trace = duel(WinnowR(n), adversaries.Floor(n, 3), rounds=500)
    values, weights = [float(n)], []
    for step in trace.replay():
        weights.append(step.learner.weights)
        values.append(np.where(weights[-1] < n, weights[-1], n / 2 + (n + 1) / 4).sum())
    change, y = np.diff(values), trace.stream.y
    assert (change[y < 0] <= -(n + 1) / 4).all()
    assert (change[y > 0] <= n - 0.5).all()
    last = int(np.flatnonzero(y < 0)[-1])
    assert values[last] >= n
    for (start, target), (stop, _) in itertools.pairwise(stays):
        ups = change[start:stop][y[start:stop] > 0]
        assert len(ups) == winnow_r.promotions(n)
        assert weights[stop - 1][target > 0] == n
        assert ups[-1] <= n - 0.5 - n / 2 + (n + 1) / 4


def test_plain_winnow_has_no_drifting_bound():
    mistakes = {}
    for c in (1, 2, 4, 6, 8, 10):
        for kind in (Winnow, WinnowR):
            trace = duel(kind(64), adversaries.Doubling(64, c), rounds=10_000)
            mistakes[kind, c] = trace.mistakes
            assert trace.stream.additions == c
            if kind is WinnowR:
                assert_proof_steps(trace)
    plain = [mistakes[Winnow, c] for c in (1, 2, 4, 6, 8, 10)]
    assert plain == [6, 17, 79, 321, 1283, 5125]
    assert [mistakes[WinnowR, c] for c in (1, 2, 4, 6, 8, 10)] == [
        6,
        17,
        43,
        69,
        95,
        121,
    ]
    bounds = [winnow_r.mistake_bound(64, c) for c in (1, 2, 4, 6, 8, 10)]
    assert bounds == [36, 71, 141, 211, 281, 351]
    assert plain[-1] == pytest.approx(2**10 * math.log2(64 / 2), rel=0.01)


def slow_doubling(n, c, floor):
    """The same game in exact arithmetic: u and v."""
    weights, up, down = [Fraction(1)] * (c + 1), 0, 0
    for now in range(1, c + 1):
        while True:
            shown = [0, *range(now + 1, c + 1)]
            if sum(weights[i] for i in shown) >= n:
                for i in shown:
                    weights[i] = max(weights[i] / 2, Fraction(1, 2) if floor else 0)
                down += 1
                continue
            if weights[now] + weights[0] < n:
                shown = [now, 0]
            elif weights[now] < n:
                shown = [now]
            else:
                break
            for i in shown:
                weights[i] *= 2
            up += 1
    return up, down


@pytest.mark.parametrize(("kind", "floor"), [(Winnow, False), (WinnowR, True)])
def test_doubling_goes_as_exact_arithmetic_says(kind, floor):
    for c in (2, 4, 8):
        trace = duel(kind(64), adversaries.Doubling(64, c), rounds=10_000)
        up, down = slow_doubling(64, c, floor)
        assert (trace.stream.y > 0).sum() == up
        assert (trace.stream.y < 0).sum() == down


def test_a_threshold_that_the_floor_reaches_means_mistakes_for_ever():
    stream = Stream(np.ones((300, 8)), -np.ones(300), np.eye(8)[0])
    learner = WinnowR(8, threshold=4)
    assert play(learner, stream).mistakes == 300
    with pytest.raises(ValueError, match=r"above n / alpha = 4\.0"):
        winnow_r.mistake_bound(8, 1, threshold=4)
    with pytest.raises(ValueError, match="above n / alpha"):
        winnow_r.proof(play(learner, stream))


# -------------------------------------------------------------------- the rest


def test_weights_survive_a_million_demotions_and_promotions():
    learner = WinnowR(2)
    learner.state = np.array([-1.0, 1e6])
    assert np.isfinite(learner.weights).all()
    learner.update([1, 1], -1)
    assert learner.weights[0] == 0.5


def test_representation_shows_the_parameters():
    assert repr(WinnowR(4)) == "WinnowR(n=4, threshold=4.0, alpha=2.0)"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: WinnowR(0), "n must be at least 1"),
        (lambda: WinnowR(3, alpha=1), "alpha must lie"),
        (lambda: WinnowR(2).update([1, -1], 1), "0 and 1 only"),
        (lambda: winnow_r.mistake_bound(8, 0), "additions must be at least 1"),
        (lambda: winnow_r.mistake_bound(0, 1), "n must be at least 1"),
        (lambda: winnow_r.mistake_bound(8, 1, alpha=1), "alpha must lie"),
        (lambda: winnow_r.least_drop(8, 1.5, 5), "above n / alpha"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_envelopes_are_those_of_the_proof():
    stream = streams.drifting_disjunction(16, k=2, rounds=400, drifts=3, seed=1)
    trace = play(WinnowR(16, alpha=3.0, threshold=12.0), stream)
    ledger = winnow_r.proof(trace)
    up, down = promotions_and_demotions(ledger, stream.y[trace.rounds])
    drop = (1 - 1 / 3) * (12 - 16 / 3)
    np.testing.assert_allclose(ledger.upper, 16 + up * 2 * 12 - down * drop)
    np.testing.assert_allclose(ledger.lower, 16 / 3)


def test_late_mistakes_are_those_since_the_last_drift():
    target = np.eye(3)
    drifts = [(0, target[0]), (2, target[1])]
    stream = Stream(np.eye(3)[[0, 0, 1, 1]], np.ones(4), target[1], drifts)
    trace = play(WinnowR(3), stream)
    assert trace.rounds.tolist() == [0, 1, 2, 3]
    assert winnow_r.late_mistakes(trace) == 2


def test_bound_follows_the_threshold():
    # ⌈log₂ 96⌉ + 1 = 8 promotions each, and a demotion takes (96 - 32)/2 = 32
    assert winnow_r.promotions(64, 2.0, 96) == 8
    down = (64 - 32 + 8 * 96) / 32
    assert winnow_r.mistake_bound(64, 1, threshold=96) == 8 + math.ceil(down) - 1
