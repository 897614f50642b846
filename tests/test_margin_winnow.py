"""Margin Winnow in both forms: updates, what they leave, and their ledgers."""

import math

import numpy as np
import pytest
from helpers import assert_between, promotions_and_demotions
from hypothesis import assume, given
from hypothesis import strategies as st
from worst_games import worst_disjunctions

import olc
from olc import (
    BalancedMarginWinnow,
    MarginWinnow,
    NormalizedWinnow,
    Stream,
    ThresholdBalancedWinnow,
    ThresholdMarginWinnow,
    Winnow,
    adversaries,
    geometry,
    margin_winnow,
    perceptron,
    play,
    streams,
)


@st.composite
def spread(draw):
    """Numbers in [-1, 1] that a distribution u separates with some margin."""
    n, seed = draw(st.integers(2, 30)), draw(st.integers(0, 2**32 - 1))
    random = np.random.default_rng(seed)
    u = random.random(n) * (random.random(n) < 0.3)
    u[random.integers(n)] += 1
    u /= u.sum()
    X = random.uniform(-1, 1, (60, n))
    X = X[abs(X @ u) > 0.1]
    assume(len(X))
    return Stream(X, np.sign(X @ u), u)


def settle(learner, stream):
    """Cycle until a pass changes nothing; return the number of updates."""
    updates, _, at_rest = perceptron.settle(learner, stream, max_epochs=2000)
    assert at_rest
    return updates


def relative_entropy(p, q):
    """The relative entropy of two coins, term by term."""
    return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))


@given(st.floats(0.01, 0.99), st.floats(0, 0.98), st.integers(2, 5000))
def test_winnow_bound_is_ln_n_over_a_divergence_and_below_the_simple_one(
    delta, share, n
):
    tau = share * delta
    eta = margin_winnow.best_eta(delta, tau)
    assert eta == pytest.approx(math.atanh(delta) - math.atanh(tau))
    assert math.exp(2 * eta) == pytest.approx(
        (1 + delta) * (1 - tau) / ((1 - delta) * (1 + tau))
    )
    drop = relative_entropy((1 + delta) / 2, (1 + tau) / 2)
    assert margin_winnow.thick_drop(eta, delta, tau) == pytest.approx(drop, rel=1e-6)
    bound = margin_winnow.mistake_bound(n, delta, tau)
    assert bound == pytest.approx(math.log(n) / drop, rel=1e-6)
    assert bound <= 2 * math.log(n) / (delta - tau) ** 2 * (1 + 1e-6)
    for other in (0.8 * eta, 1.2 * eta):
        assert margin_winnow.thick_drop(other, delta, tau) <= drop * (1 + 1e-6)


def test_winnow_bound_of_a_thin_margin_does_not_drown_in_rounding():
    # For small margins the divergence is (δ - τ)²/2.
    for delta, tau in ((1e-6, 0), (1e-9, 4e-10), (1e-12, 0)):
        assert margin_winnow.mistake_bound(100, delta, tau) == pytest.approx(
            2 * math.log(100) / (delta - tau) ** 2, rel=1e-3
        )


@given(spread(), st.sampled_from([0, 0.5, 0.8]))
def test_updates_of_margin_winnow_keep_the_bound_and_leave_the_margin(stream, share):
    delta = geometry.margin(stream.target, stream.X, stream.y, p=1)
    thickness = share * delta
    eta = margin_winnow.best_eta(delta, thickness)
    learner = MarginWinnow(stream.n, thickness=thickness, eta=eta)
    updates = settle(learner, stream)
    assert updates <= margin_winnow.mistake_bound(stream.n, delta, thickness)
    assert geometry.margin(learner.weights, stream.X, stream.y, p=1) > thickness


@given(spread(), st.floats(0, 0.3), st.floats(0.01, 2), st.sampled_from([0.5, 1, 3]))
def test_ledger_of_margin_winnow_holds(stream, thickness, eta, scale):
    scaled = Stream(scale * stream.X, stream.y, 7 * stream.target)
    learner = MarginWinnow(stream.n, thickness=scale * thickness, eta=eta)
    for _ in range(2):
        trace = play(learner, scaled)
        ledger = margin_winnow.proof(trace)
        assert ledger["round"].tolist() == trace.updates.tolist()
        assert_between(ledger, scale=1 + math.log(stream.n))
        assert (ledger["drop"] >= ledger.guaranteed - 1e-9).all()
        change = -np.diff(ledger.potential)
        assert np.allclose(change, ledger["drop"][1:])
        largest = geometry.radius(scaled.X, math.inf)
        chord = math.cosh(eta * largest)
        chord += scale * thickness / largest * math.sinh(eta * largest)
        assert (ledger.log_Z <= math.log(chord) + 1e-9).all()
        assert np.allclose(ledger.advantage - ledger.log_Z, ledger["drop"])


@pytest.mark.parametrize(("n", "k"), [(64, 3), (128, 5)])
def test_ledger_of_margin_winnow_holds_in_a_duel(n, k):
    thickness = 0.3 / k
    eta = margin_winnow.best_eta(1 / k, thickness)
    learner = MarginWinnow(n, thickness=thickness, eta=eta)
    trace = olc.duel(learner, adversaries.Panel(n, k), 5000)
    assert len(trace) == len(trace.updates)
    assert (trace.stream.y * (trace.stream.X @ trace.stream.target) == 1).all()
    assert_between(margin_winnow.proof(trace), scale=1)
    bound = margin_winnow.mistake_bound(n, 1 / k, thickness, spread=k)
    assert 0.94 * bound < len(trace) <= bound
    assert bound < margin_winnow.mistake_bound(n, 1 / k, thickness)


@given(spread(), st.floats(0.05, 2))
def test_without_thickness_it_is_normalised_winnow(stream, eta):
    thick, plain = (
        MarginWinnow(stream.n, thickness=0, eta=eta),
        NormalizedWinnow(stream.n, eta=eta),
    )
    assert play(thick, stream).updates.tolist() == play(plain, stream).updates.tolist()
    assert (thick.weights == plain.weights).all()
    assert margin_winnow.thick_drop(eta, 0.3, 0) == pytest.approx(
        olc.normalized_winnow.least_drop(eta, 0.3)
    )


def test_margin_winnow_never_rests_if_its_margin_is_above_that_of_the_data():
    stream = Stream(
        np.tile([[1.0, -0.2], [-0.2, 1.0]], (500, 1)), np.ones(1000), [1, 1]
    )
    delta = geometry.margin(stream.target, stream.X, stream.y, p=1)
    assert delta == pytest.approx(0.4)  # no distribution has more
    above = play(MarginWinnow(2, thickness=0.5, eta=0.1), stream)
    assert len(above.updates) >= 500 > 2 * math.log(2) / (0.5 - 0.4) ** 2
    below = play(MarginWinnow(2, thickness=0.3, eta=0.1), stream)
    assert len(below.updates) < 10
    with pytest.raises(ValueError, match="must be below the margin of the data"):
        margin_winnow.best_eta(delta, 0.5)


def test_margin_winnow_needs_a_target_without_negative_weights():
    stream = Stream(-np.ones((100, 2)), np.ones(100), [-1, -1])
    trace = play(MarginWinnow(2, thickness=0.1, eta=0.5), stream)
    assert trace.mistakes == 100 > margin_winnow.mistake_bound(2, 0.99, 0.1)
    with pytest.raises(ValueError, match="negative weight"):
        margin_winnow.proof(trace)


# ------------------------------------------------------ Winnow with two thresholds


@given(st.integers(2, 60), st.integers(1, 4), st.floats(0, 0.9), st.integers(0, 10**6))
def test_updates_of_two_thresholds_keep_the_bound(n, k, share, seed):
    k = min(k, n)
    stream = streams.disjunction(n, k, 400, seed=seed, density=(seed % 7 + 1) / 10)
    learner = ThresholdMarginWinnow(n, thickness=share * n)
    high, low = n * (1 + share), n * (1 - share)
    trace = play(learner, stream)
    assert len(trace.updates) <= margin_winnow.threshold_bound(n, k, low, high)
    ledger = margin_winnow.proof(trace)
    assert_between(ledger, scale=0.0)
    up = k * (math.floor(math.log2(high)) + 1)
    assert (ledger.most_promotions == up).all()
    assert (ledger.promotions <= up).all()
    assert (ledger.demotions <= 2 * n / low + 2 * ledger.promotions * high / low).all()
    assert (ledger.promotions + ledger.demotions == ledger.index).all()
    promoted = stream.y[trace.updates] > 0
    assert (ledger.score[promoted] <= high).all()
    assert (ledger.score[~promoted] >= low).all()


@pytest.mark.parametrize("eliminate", [False, True])
@pytest.mark.parametrize("alpha", [1.5, 2.0, 3.0])
def test_ledger_of_two_thresholds_holds_for_other_factors(alpha, eliminate):
    stream = streams.disjunction(30, 3, 2000, seed=1)
    options = {"alpha": alpha, "threshold": 25, "eliminate": eliminate}
    learner = ThresholdMarginWinnow(30, thickness=12, **options)
    for _ in range(2):
        ledger = margin_winnow.proof(play(learner, stream))
        assert_between(ledger, scale=0.0)
        assert (ledger.promotions <= ledger.most_promotions).all()


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


@pytest.mark.parametrize(
    ("n", "k", "thickness"), [(32, 1, 8), (64, 3, 16), (64, 2, 32)]
)
def test_two_thresholds_keep_the_bound_in_a_duel(n, k, thickness):
    learner = ThresholdMarginWinnow(n, thickness=thickness)
    trace = olc.duel(learner, adversaries.Disjunction(n, k), 5000)
    low, high = n - thickness, n + thickness
    bound = margin_winnow.threshold_bound(n, k, low, high, sharp=True)
    assert bound - 3 <= len(trace.updates) == len(trace) <= bound
    assert bound < margin_winnow.threshold_bound(n, k, low, high)
    ledger = margin_winnow.proof(trace)
    assert_between(ledger, scale=0.0)
    assert ledger.promotions.max() == ledger.most_promotions.max()


def test_in_the_end_the_two_thresholds_keep_positive_and_negative_apart():
    stream = streams.disjunction(20, 2, 300, seed=3)
    learner = ThresholdMarginWinnow(20, thickness=10)
    settle(learner, stream)
    scores = learner.score(stream.X)
    assert scores[stream.y > 0].min() > 30
    assert scores[stream.y < 0].max() < 10


@given(st.integers(0, 10**6))
def test_with_a_threshold_that_no_sum_meets_it_is_winnow(seed):
    stream = streams.disjunction(12, 2, 100, seed=seed)
    thick = ThresholdMarginWinnow(12, thickness=0, threshold=35 / 3)
    plain = Winnow(12, threshold=35 / 3)
    assert play(thick, stream).rounds.tolist() == play(plain, stream).rounds.tolist()
    assert (thick.weights == plain.weights).all()


def test_a_sum_at_either_threshold_is_not_enough():
    learner = ThresholdMarginWinnow(8, thickness=4, threshold=8)
    positive = [[1, 1, 1, 1, 1, 1, 0, 0]] * 4
    assert play(learner, positive, [1] * 4).updates.tolist() == [0, 1]  # 6, 12, then 24
    learner = ThresholdMarginWinnow(8, thickness=4, threshold=8)
    trace = play(learner, [[1, 1, 1, 1, 0, 0, 0, 0]] * 3, [-1] * 3)
    assert trace.updates.tolist() == [0]  # 4, then 2
    assert trace.mistakes == 0


@pytest.mark.parametrize("thickness", [1e-262, 1e-16, 0.1])
def test_two_thresholds_that_round_to_one_are_one(thickness):
    """Where θ + τ is θ to a float, a sum of θ must not be promoted for ever."""
    learner = ThresholdMarginWinnow(2, thickness=thickness)
    trace = play(learner, [[1, 0]] * 9, [1] * 9)
    assert trace.updates.tolist() == [0, 1]  # 1, 2, then 4


def test_envelopes_of_two_thresholds_are_those_of_the_proof():
    stream = streams.disjunction(16, k=2, rounds=300, seed=3)
    trace = play(ThresholdMarginWinnow(16, thickness=4, alpha=3.0), stream)
    ledger = margin_winnow.proof(trace)
    up, down = promotions_and_demotions(ledger, stream.y[trace.updates])
    assert (ledger.most_promotions == 2 * 3).all()  # 3³ is the first power above 20
    np.testing.assert_allclose(ledger.upper, 16 + up * 2 * 20 - down * 12 * 2 / 3)
    np.testing.assert_allclose(ledger.lower, np.where(down, 12 / 3, 16))


def test_envelopes_of_margin_winnow_are_those_of_the_proof():
    stream = streams.panel(9, k=3, rounds=200, seed=1)
    stream = Stream(2.0 * stream.X, stream.y, stream.target)
    trace = play(MarginWinnow(9, thickness=0.1, eta=0.2), stream)
    ledger = margin_winnow.proof(trace)
    drop = 0.2 * (2 / 3) - math.log(math.cosh(0.4) + 0.1 / 2 * math.sinh(0.4))
    count = np.arange(1, len(ledger) + 1)
    assert len(ledger) > 5
    np.testing.assert_allclose(ledger.upper, math.log(9 / 3) - count * drop)


def test_two_thresholds_lie_about_the_one_that_is_given():
    learner = ThresholdMarginWinnow(4, thickness=1, threshold=3)
    assert learner.threshold == 3
    trace = play(learner, [[1, 0, 0, 0]] * 5, [1] * 5)
    assert trace.updates.tolist() == [0, 1, 2]  # 1, 2, 4 = 3 + 1, then 8


def test_a_score_at_the_margin_is_not_enough_for_margin_winnow():
    trace = play(MarginWinnow(2, thickness=0.5, eta=0.1), [[1, 0]], [1])
    assert trace.mistakes == 0
    assert trace.updates.tolist() == [0]


def test_thickness_0_gives_back_the_bound_of_normalised_winnow():
    for margin in (0.1, 0.4):
        assert margin_winnow.mistake_bound(100, margin, 0) == pytest.approx(
            olc.normalized_winnow.mistake_bound(100, margin)
        )


def test_threshold_bound_is_its_formula():
    assert margin_winnow.threshold_bound(64, k=2, low=32, high=96) == 14 + 4 + 84
    # up to 64, and at 64 once more
    assert margin_winnow.threshold_bound(64, k=1, low=64, high=64) == 7 + 2 + 14


def test_repr_shows_the_parameters():
    assert repr(MarginWinnow(2, thickness=0.1, eta=0.5)) == (
        "MarginWinnow(n=2, eta=0.5, thickness=0.1)"
    )
    assert repr(ThresholdMarginWinnow(4, thickness=1)) == (
        "ThresholdMarginWinnow(n=4, threshold=4.0, alpha=2.0, eliminate=False, "
        "thickness=1.0)"
    )


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: MarginWinnow(2, thickness=-0.1, eta=1), "^thickness"),
        (lambda: MarginWinnow(2, thickness=0.1, eta=0), "^eta"),
        (lambda: ThresholdMarginWinnow(4, thickness=4), "must be below threshold"),
        (lambda: ThresholdMarginWinnow(4, thickness=-1), "^thickness"),
        (lambda: margin_winnow.best_eta(1, 0), "^margin"),
        (lambda: margin_winnow.best_eta(0.5, -0.1), "^thickness"),
        (lambda: margin_winnow.best_eta(0.5, 0.5), "below the margin"),
        (lambda: margin_winnow.mistake_bound(4, 0.5, 0.1, spread=5), "^k = 5"),
        (lambda: margin_winnow.mistake_bound(0, 0.5, 0.25), "^n must"),
        (lambda: margin_winnow.threshold_bound(4, 5, 1, 2), "^k = 5"),
        (lambda: margin_winnow.threshold_bound(4, 1, 0, 2), "^low"),
        (lambda: margin_winnow.threshold_bound(4, 1, 3, 2), "^high"),
        (lambda: margin_winnow.threshold_bound(0, 1, 1, 1), "^n must"),
    ],
)
def test_refuses(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()


def test_balanced_winnow_without_thickness_is_the_one_without_a_margin():
    stream = streams.disjunction(20, 3, 300, seed=0)
    thin = BalancedMarginWinnow(20, thickness=0, alpha=1.5)
    plain = ThresholdBalancedWinnow(20, threshold=1, plus=1, minus=1, alpha=1.5)
    one, two = play(thin, stream), play(plain, stream)
    assert np.array_equal(one.updates, two.updates)
    assert np.array_equal(thin.weights, plain.weights)


def test_a_feature_of_balanced_margin_winnow_votes_only_after_an_update():
    learner = BalancedMarginWinnow(3, thickness=1)
    assert learner.weights.tolist() == [0, 0, 0]
    assert (learner.threshold, learner.plus, learner.minus) == (1, 1, 1)
    learner.update([1, 1, 0], -1)
    assert learner.weights.tolist() == [-1.5, -1.5, 0]


def test_balanced_margin_winnow_updates_until_the_score_is_beyond_theta_plus_tau():
    learner = BalancedMarginWinnow(2, thickness=3)
    trace = play(learner, [[1, 1]] * 4, [1] * 4)
    # scores 0, 3 and 7.5: wrong, right by 2 only, right by more than 3
    assert trace.mistakes == 1
    assert trace.updates.tolist() == [0, 1]
    assert learner.weights.tolist() == [3.75, 3.75]


def test_the_ledger_takes_examples_without_an_active_feature():
    stream = Stream(np.zeros((2, 3)), [1, -1], [1, 0, 0])
    trace = play(MarginWinnow(3, eta=0.2, thickness=0.1), stream)
    assert_between(margin_winnow.proof(trace))
