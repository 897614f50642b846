"""Randomized weighted majority: expected mistakes, both bounds, vanishing regret."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from helpers import assert_between, opinions
from hypothesis import given, settings
from hypothesis import strategies as st

from olc import RandomizedWeightedMajority, Stream, adversaries, duel, play, streams
from olc import randomized_weighted_majority as theory


def assert_proof_steps(trace):
    """Check every inequality of the proof, in every round and at every mistake."""
    ledger, stream = theory.proof(trace), trace.stream
    eta, n = trace.before.eta, stream.n
    assert ledger["round"].tolist() == trace.rounds.tolist()
    assert_between(ledger)
    losses = np.cumsum(stream.y[:, None] != stream.X, axis=0)
    totals = ((1 - eta) ** losses.astype(float)).sum(axis=1)
    # each round multiplies the total weight by exactly 1 - ηF, F the chance to err
    ratios = totals / np.append(n, totals[:-1])
    np.testing.assert_allclose(ratios, 1 - eta * trace.expected, rtol=1e-9)
    rows = trace.rounds
    np.testing.assert_allclose(ledger.potential, np.log(totals[rows]), atol=1e-9)
    np.testing.assert_allclose(ledger.chance, trace.expected[rows], atol=1e-12)
    so_far = np.cumsum(trace.expected)
    np.testing.assert_allclose(ledger.expected, so_far[rows], atol=1e-9)
    assert ledger.best.tolist() == losses[rows].min(axis=1, initial=10**9).tolist()
    best = theory.best_expert(stream)[1]
    assert trace.expected_mistakes <= theory.mistake_bound(n, best, eta) + 1e-9
    if eta <= theory.SIMPLE_ETA:
        simple = theory.mistake_bound(n, best, eta, simple=True)
        assert trace.expected_mistakes <= simple + 1e-9
    return ledger


etas = st.sampled_from([0.01, 0.1, 0.25, 0.5, 0.68, 0.9])


# ------------------------------------------------------- expected mistakes, exactly


def by_enumeration(stream, eta):
    """The expected mistakes: all ways to draw an expert in every round, exactly."""
    total = Fraction(0)
    for drawn in itertools.product(range(stream.n), repeat=len(stream)):
        weights, chance, mistakes = [Fraction(1)] * stream.n, Fraction(1), 0
        for expert, (x, y) in zip(drawn, stream, strict=True):
            chance *= weights[expert] / sum(weights)
            mistakes += int(x[expert]) != y
            weights = [
                w if o == y else w * (1 - eta) for w, o in zip(weights, x, strict=True)
            ]
        total += chance * mistakes
    return float(total)


@settings(max_examples=25)
@given(opinions(most=3, longest=5), st.sampled_from([0.25, 0.5, 0.75]))
def test_expected_mistakes_are_those_over_all_draws_of_an_expert(stream, eta):
    trace = play(RandomizedWeightedMajority(stream.n, eta=eta), stream)
    expected = by_enumeration(stream, Fraction(eta))
    assert trace.expected_mistakes == pytest.approx(expected, abs=1e-12)


def test_mistakes_of_many_runs_average_to_the_expected_ones():
    stream = streams.experts(5, 60, seed=3, error=0.4)
    runs = [
        play(RandomizedWeightedMajority(5, eta=0.3, seed=seed), stream)
        for seed in range(300)
    ]
    assert len({run.expected_mistakes for run in runs}) == 1  # no coin is in them
    mean = np.mean([run.mistakes for run in runs])
    chances = runs[0].expected
    sigma = math.sqrt(float(np.sum(chances * (1 - chances))) / len(runs))
    assert abs(mean - runs[0].expected_mistakes) < 4 * sigma


def test_one_coin_does_the_work_of_drawing_an_expert():
    learner = RandomizedWeightedMajority(3, eta=0.5, seed=1)
    learner.update([-1, 1, 1], 1)  # weights ½, 1, 1
    said = np.array([learner.predict([1, -1, 1]) for _ in range(4000)])
    assert set(said) == {-1, 1}
    assert np.mean(said == 1) == pytest.approx(1.5 / 2.5, abs=0.04)


def test_same_seed_gives_the_same_game_and_another_seed_another():
    stream = streams.experts(7, 200, seed=0)
    games = [
        play(RandomizedWeightedMajority(7, eta=0.1, seed=seed), stream).predictions
        for seed in (4, 4, 5)
    ]
    assert (games[0] == games[1]).all()
    assert (games[0] != games[2]).any()


def test_unanimous_experts_leave_nothing_to_chance():
    X = np.repeat([[1, 1, 1], [-1, -1, -1]], 50, axis=0)
    y = X[:, 0]
    trace = play(RandomizedWeightedMajority(3, eta=0.5), X, y)
    assert trace.mistakes == trace.expected_mistakes == 0
    assert play(RandomizedWeightedMajority(3, eta=0.5), X, -y).mistakes == 100


# ------------------------------------------------------------------- the bounds


@given(st.integers(1, 2000), st.integers(0, 500), etas)
def test_exact_bound_is_that_of_the_theorem(n, best, eta):
    found = theory.mistake_bound(n, best, eta)
    expected = (best * math.log(1 / (1 - eta)) + math.log(n)) / eta
    assert found == pytest.approx(expected)
    if eta <= theory.SIMPLE_ETA:
        simple = theory.mistake_bound(n, best, eta, simple=True)
        assert simple == pytest.approx((1 + eta) * best + math.log(n) / eta)
        assert found <= simple + 1e-9


@given(opinions(most=12), etas)
def test_theorem_and_every_step_of_its_proof_hold_on_any_stream(stream, eta):
    trace = play(RandomizedWeightedMajority(stream.n, eta=eta), stream)
    assert_proof_steps(trace)


@settings(max_examples=20)
@given(st.integers(2, 12), st.integers(0, 20), etas)
def test_theorem_and_every_step_of_its_proof_hold_in_duels(n, best, eta):
    learner = RandomizedWeightedMajority(n, eta=eta)
    trace = duel(learner, adversaries.OneByOne(best), rounds=300)
    assert_proof_steps(trace)


def test_exact_bound_is_nearly_attained():
    learner = RandomizedWeightedMajority(16, eta=0.1)
    trace = duel(learner, adversaries.OneByOne(best=50), rounds=30_000)
    assert theory.best_expert(trace.stream) == (0, 50)
    bound = theory.mistake_bound(16, 50, 0.1)
    assert round(trace.expected_mistakes / bound, 4) == 0.9969


def test_exact_bound_is_attained_up_to_three_in_ten_thousand_by_many_experts():
    # what OneByOne does: expert 0 errs ten times, then the others in turn
    wrong = np.append(np.zeros(10, int), 1 + np.arange(23_763) % 127)
    X = np.ones((len(wrong), 128), np.int8)
    X[np.arange(len(wrong)), wrong] = -1
    trace = play(RandomizedWeightedMajority(128, eta=0.1), X, np.ones(len(X)))
    bound = theory.mistake_bound(128, 10, 0.1)
    assert round(trace.expected_mistakes / bound, 4) == 0.9997


def test_simple_bound_wastes_about_half_of_eta_m():
    exact = theory.mistake_bound(128, 1000, 0.1)
    simple = theory.mistake_bound(128, 1000, 0.1, simple=True)
    assert simple - exact == pytest.approx(0.1 * 1000 / 2, rel=0.1)


def test_no_sequence_of_four_rounds_breaks_the_bound_for_three_experts():
    # by symmetry the answer is +1 throughout: flip a round's opinions instead
    rows = np.array(list(itertools.product([-1, 1], repeat=3)))
    for eta, choice in itertools.product(
        (0.25, 0.9), itertools.product(range(8), repeat=4)
    ):
        losses, expected = np.zeros(3), 0.0
        for x in rows[list(choice)]:
            weights = (1 - eta) ** losses
            expected += weights[x < 0].sum() / weights.sum()
            losses += x < 0
        assert expected <= theory.mistake_bound(3, losses.min(), eta) + 1e-9


# --------------------------------------------------------------------- the regret


def test_regret_is_the_expected_one():
    stream = streams.experts(6, 200, seed=2, error=0.5, best=0.2)
    trace = play(RandomizedWeightedMajority(6, eta=0.2), stream)
    best = theory.best_expert(stream)
    assert best[0] == 0
    assert theory.regret(trace) == trace.expected_mistakes - best[1]


def mean_regret(n, rounds, seeds):
    eta = theory.best_eta(n, rounds)
    regrets = []
    for seed in seeds:
        stream = streams.experts(n, rounds, seed)
        trace = play(RandomizedWeightedMajority(n, eta=eta), stream)
        regrets.append(theory.regret(trace))
        assert regrets[-1] <= theory.regret_bound(n, rounds)
    return float(np.mean(regrets)) / rounds


def test_regret_a_round_vanishes_with_coin_flipping_experts():
    found = [mean_regret(10, rounds, range(10)) for rounds in (100, 1000, 10_000)]
    assert found[0] > 2.5 * found[1] > 6 * found[2]
    for measured, observed in zip(found, (0.075, 0.0241, 0.0082), strict=True):
        assert measured == pytest.approx(observed, rel=0.25)
    bounds = [theory.regret_bound(10, t) / t for t in (100, 1000, 10_000)]
    assert [round(bound, 4) for bound in bounds] == [0.3035, 0.096, 0.0303]


@given(opinions(most=8, longest=60))
def test_regret_bound_holds_for_short_games_too(stream):
    if stream.n == 1:
        return
    eta = theory.best_eta(stream.n, len(stream))
    trace = play(RandomizedWeightedMajority(stream.n, eta=eta), stream)
    bound = theory.regret_bound(stream.n, len(stream))
    assert theory.regret(trace) <= bound + 1e-9


@given(st.integers(2, 500), st.integers(1, 10**6))
def test_best_eta_makes_the_simple_bound_least(n, best):
    def simple(eta):
        return (1 + eta) * best + math.log(n) / eta

    eta = theory.best_eta(n, best)
    assert eta <= 0.5
    if eta < 0.5:
        assert simple(eta) == pytest.approx(best + 2 * math.sqrt(best * math.log(n)))
        assert simple(eta) <= min(simple(0.9 * eta), simple(1.1 * eta))


def test_one_over_root_t_gives_root_t_times_one_plus_ln_n():
    for rounds in (4, 100, 2500):
        stream = streams.experts(12, rounds, seed=rounds)
        trace = play(RandomizedWeightedMajority(12, eta=1 / math.sqrt(rounds)), stream)
        bound = math.sqrt(rounds) * (1 + math.log(12))
        assert theory.regret(trace) <= bound


# ----------------------------------------------- what fails without an assumption


def test_simple_bound_is_valid_up_to_0_6838_and_no_further():
    def excess(eta):
        return -math.log1p(-eta) - eta - eta**2

    assert all(excess(eta) <= 0 for eta in np.linspace(1e-6, theory.SIMPLE_ETA, 999))
    assert excess(theory.SIMPLE_ETA + 1e-4) > 0
    with pytest.raises(ValueError, match=r"it needs eta at most 0\.6838"):
        theory.mistake_bound(9, 1, theory.SIMPLE_ETA + 1e-4, simple=True)


@pytest.mark.parametrize(
    ("n", "eta", "cycles", "expected"), [(100, 0.9, 10, 25.14), (100, 0.99, 5, 21.17)]
)
def test_simple_bound_is_broken_where_the_experts_err_in_turn(n, eta, cycles, expected):
    X = np.tile(1 - 2 * np.eye(n, dtype=np.int8), (cycles, 1))
    stream = Stream(X, np.ones(len(X)))
    trace = play(RandomizedWeightedMajority(n, eta=eta), stream)
    assert trace.expected_mistakes == pytest.approx(expected, abs=0.005)
    assert trace.expected_mistakes > (1 + eta) * cycles + math.log(n) / eta
    assert trace.expected_mistakes <= theory.mistake_bound(n, cycles, eta)
    assert_proof_steps(trace)


def test_simple_bound_is_broken_just_beyond_its_range():
    n, eta, best = 2000, 0.7, 1000  # the same game, summed up without playing it
    expected = best * sum(1 / (n - i * eta) for i in range(n))
    assert expected == pytest.approx(1719.38, abs=0.005)
    assert expected > (1 + eta) * best + math.log(n) / eta
    assert expected <= theory.mistake_bound(n, best, eta)


# ------------------------------------------------------------------ the rest


def test_proof_goes_on_where_an_earlier_game_ended():
    learner = RandomizedWeightedMajority(6, eta=0.5)
    play(learner, streams.experts(6, 2000, seed=0))
    stream = streams.experts(6, 300, seed=1)
    ledger = theory.proof(play(learner, stream))
    assert_between(ledger)
    assert ledger.upper.iloc[0] < -100


def test_representation_shows_the_parameters():
    text = "RandomizedWeightedMajority(n=4, eta=0.5, seed=7)"
    assert repr(RandomizedWeightedMajority(4, eta=0.5, seed=7)) == text


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: RandomizedWeightedMajority(0, eta=0.5), "n must be at least 1"),
        (lambda: RandomizedWeightedMajority(2, eta=1), "eta must lie"),
        (lambda: RandomizedWeightedMajority(2, eta=0.5).predict([1, 0]), "map 0 to -1"),
        (lambda: theory.mistake_bound(0, 1, 0.5), "n must be at least 1"),
        (lambda: theory.mistake_bound(2, -1, 0.5), "best must"),
        (lambda: theory.mistake_bound(2, 1, 0), "eta must lie"),
        (lambda: theory.best_eta(1, 10), "n must be at least 2"),
        (lambda: theory.best_eta(2, 0), "rounds must be at least 1"),
        (lambda: theory.regret_bound(2, 0), "rounds must be at least 1"),
        (lambda: theory.regret_bound(0, 2), "n must be at least 1"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_envelopes_are_those_of_the_proof():
    stream, eta = streams.experts(8, rounds=80, seed=1, error=0.5, best=0.3), 0.3
    trace = play(RandomizedWeightedMajority(8, eta=eta, seed=2), stream)
    ledger = theory.proof(trace)
    assert len(ledger) == trace.mistakes > 9
    spent = np.cumsum(trace.expected)[trace.rounds]
    np.testing.assert_allclose(ledger.upper, math.log(8) - eta * spent)
    np.testing.assert_allclose(ledger.lower, ledger.best * math.log(1 - eta))


class Coins:
    """Coins that fall as they are told."""

    def __init__(self, coins):
        self.coins, self.next = coins, 0

    def random(self, shape):
        first, self.next = self.next, self.next + math.prod(shape)
        return self.coins[first : self.next].reshape(shape)


def test_a_coin_at_the_edge_falls_as_in_the_loop():
    stream = streams.experts(7, rounds=400, seed=2, error=0.4)
    learner, chances = RandomizedWeightedMajority(7, eta=0.3), []
    for x, y in stream:
        chances.append((1 + learner.score(x)) / 2)
        learner.update(x, y)
    edge = np.array(chances)
    coins = np.where(np.arange(400) % 2, np.nextafter(edge, 0), edge)
    learner = RandomizedWeightedMajority(7, eta=0.3)
    learner.random = Coins(coins)
    said = play(learner, stream).predictions
    assert said.tolist() == np.where(coins < edge, 1, -1).tolist()


def test_simple_bound_is_still_valid_at_the_end_of_its_range():
    eta = theory.SIMPLE_ETA
    simple = theory.mistake_bound(16, best=10, eta=eta, simple=True)
    assert simple == pytest.approx((1 + eta) * 10 + math.log(16) / eta)


@pytest.mark.parametrize("eta", [1, 1.5])
def test_bound_needs_a_share_that_stays(eta):
    with pytest.raises(ValueError, match="eta"):
        theory.mistake_bound(16, best=10, eta=eta)


def test_best_eta_falls_with_the_rounds_and_is_at_most_a_half():
    assert theory.best_eta(16, rounds=400) == pytest.approx(
        math.sqrt(math.log(16) / 400)
    )
    assert theory.best_eta(16, rounds=1) == 0.5


def test_every_row_of_a_block_gets_a_coin_of_its_own():
    said = RandomizedWeightedMajority(2, eta=0.3).predict(np.array([[1, -1]] * 200))
    assert said.dtype == np.int8
    assert 70 < (said > 0).sum() < 130


def test_the_seed_is_0_unless_another_is_given():
    split, X = RandomizedWeightedMajority(2, eta=0.3), np.array([[1, -1]] * 50)
    same = RandomizedWeightedMajority(2, eta=0.3, seed=0)
    assert split.predict(X).tolist() == same.predict(X).tolist()
