"""Randomized weighted majority: expected mistakes, both bounds, vanishing regret."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from helpers import opinions
from hypothesis import given, settings
from hypothesis import strategies as st

from olc import RandomizedWeightedMajority, play, play_one_by_one, streams
from olc import randomized_weighted_majority as theory

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
    assert trace.expected_mistakes == pytest.approx(expected, abs=1e-9)


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


def test_every_row_of_a_block_gets_a_coin_of_its_own_and_the_seed_is_0():
    X = np.array([[1, -1]] * 200)
    said = RandomizedWeightedMajority(2, eta=0.3).predict(X)
    assert said.dtype == np.int8
    assert 70 < (said > 0).sum() < 130
    for seed in (0, 1):
        same = RandomizedWeightedMajority(2, eta=0.3, seed=seed).predict(X)
        assert (same.tolist() == said.tolist()) == (seed == 0)


@pytest.mark.parametrize("eta", [0.1, 0.5, 0.9, 0.99])
def test_unanimous_experts_leave_nothing_to_chance(eta):
    random, X = np.random.default_rng(0), np.repeat([[1] * 40, [-1] * 40], 10, axis=0)
    for start, game in itertools.product(range(20), (play, play_one_by_one)):
        y = X[:, 0] * (-1) ** start
        learner = RandomizedWeightedMajority(40, eta=eta)
        learner.state = random.integers(0, 40, 40)
        trace = game(learner, X, y)
        assert trace.mistakes == trace.expected_mistakes == start % 2 * 20


# ------------------------------------------------------------------- the bounds


@given(opinions(most=12), etas)
def test_theorem_holds_on_any_stream_and_each_round_takes_its_share(stream, eta):
    trace = play(RandomizedWeightedMajority(stream.n, eta=eta), stream)
    losses = np.cumsum(stream.y[:, None] != stream.X, axis=0)
    totals = ((1 - eta) ** losses.astype(float)).sum(axis=1)
    # each round multiplies the total weight by exactly 1 - ηF, F the chance to err
    ratios = totals / np.append(stream.n, totals[:-1])
    np.testing.assert_allclose(ratios, 1 - eta * trace.expected, rtol=1e-9)
    best = int(losses[-1].min())
    bound = theory.mistake_bound(stream.n, best, eta)
    assert trace.expected_mistakes <= bound + 1e-9
    if eta <= theory.SIMPLE_ETA:
        assert bound <= theory.mistake_bound(stream.n, best, eta, simple=True) + 1e-9


# --------------------------------------------------------------------- the regret


@given(opinions(most=8, longest=60).filter(lambda stream: stream.n > 1))
def test_regret_bounds_hold_for_short_games_too(stream):
    n, rounds = stream.n, len(stream)
    for eta, most in (
        (theory.best_eta(n, rounds), theory.regret_bound(n, rounds)),
        (1 / math.sqrt(rounds + 3), math.sqrt(rounds + 3) * (1 + math.log(n))),
    ):
        trace = play(RandomizedWeightedMajority(n, eta=eta), stream)
        assert theory.regret(trace) <= most + 1e-9


@given(st.integers(2, 500), st.integers(1, 10**6))
def test_best_eta_makes_the_simple_bound_least(n, best):
    def simple(eta):
        return (1 + eta) * best + math.log(n) / eta

    eta = theory.best_eta(n, best)
    assert eta <= 0.5
    if eta < 0.5:
        assert simple(eta) == pytest.approx(best + 2 * math.sqrt(best * math.log(n)))
        assert simple(eta) <= min(simple(0.9 * eta), simple(1.1 * eta))


# ----------------------------------------------- what fails without an assumption


def test_simple_bound_is_valid_up_to_0_6838_and_no_further():
    def excess(eta):
        return -math.log1p(-eta) - eta - eta**2

    assert all(excess(eta) <= 0 for eta in np.linspace(1e-6, theory.SIMPLE_ETA, 999))
    assert excess(theory.SIMPLE_ETA + 1e-4) > 0
    simple = theory.mistake_bound(16, best=10, eta=0.6838, simple=True)
    assert simple == pytest.approx(1.6838 * 10 + math.log(16) / 0.6838)
