"""Averages, votes and survivors of the Perceptron, and the bounds on their errors."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from helpers import assert_between, labelled, separable
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import binom

from olc import (
    AveragedMarginPerceptron,
    AveragedPerceptron,
    MarginPerceptron,
    Stream,
    VotedPerceptron,
    play,
)
from olc import averaged_perceptron as theory

rates = st.sampled_from([0.25, 1.0, 4.0])


def history(stream, rate=1.0):
    """The weights w_1, ..., w_{T+1} and the mistakes, by the plain loop."""
    weights, rounds = [np.zeros(stream.n)], []
    for t, (x, y) in enumerate(stream):
        wrong = y * (weights[-1] @ x) <= 0
        weights.append(weights[-1] + rate * y * x if wrong else weights[-1])
        rounds += [t] * bool(wrong)
    return np.array(weights), rounds


# --------------------------------------------------------------------- identities


@given(labelled(), rates)
def test_average_votes_and_lifetimes_are_those_of_the_plain_loop(stream, rate):
    weights, rounds = history(stream, rate)
    averaged, voted, after = (
        AveragedPerceptron(stream.n, rate=rate),
        VotedPerceptron(stream.n, rate=rate),
        VotedPerceptron(stream.n, rate=rate, after=True),
    )
    for learner in (averaged, voted, after):
        assert play(learner, stream).mistake_rounds.tolist() == rounds
        assert (learner.weights == weights[-1]).all()
    assert averaged.average == pytest.approx(weights[:-1].mean(axis=0), abs=1e-12)
    lived = np.repeat(voted.hypotheses, voted.lifetimes.astype(int), axis=0)
    assert (lived == weights[:-1]).all()
    assert len(voted.hypotheses) == len(voted.lifetimes) == len(rounds) + 1
    # Freund and Schapire count the hypotheses after the round
    for learner, used in ((voted, weights[:-1]), (after, weights[1:])):
        votes = np.sign(stream.X @ used.T).sum(axis=1)
        assert learner.scores(stream.X, final=True).tolist() == votes.tolist()
        assert learner.predict(stream.X, final=True).tolist() == np.sign(votes).tolist()
        assert learner.scores(stream.X[0], final=True) == votes[0]


def test_longest_survivor_predicted_for_the_most_rounds():
    X, y = [[1.0], [1.0], [1.0], [-1.0], [-1.0]], [1, 1, 1, 1, 1]
    learner = VotedPerceptron(1)
    assert play(learner, X, y).mistake_rounds.tolist() == [0, 3, 4]
    assert np.ravel(learner.hypotheses).tolist() == [0, 1, 0, -1]
    assert learner.lifetimes.tolist() == [1, 3, 1, 0]
    assert learner.longest_survivor.tolist() == [1]
    learner.longest_survivor[0] = 99
    assert np.ravel(learner.hypotheses).tolist() == [0, 1, 0, -1]


def test_fresh_learner_has_no_opinion():
    for kind in (AveragedPerceptron, VotedPerceptron):
        learner = kind(2)
        assert learner.scores([[1.0, 2.0]], final=True).tolist() == [0]
        assert int(learner.predict([1.0, 2.0], final=True)) == 0
    assert AveragedPerceptron(2).average.tolist() == [0, 0]
    assert VotedPerceptron(2, after=True).lifetimes.tolist() == [0]


# --------------------------------------------------------- what the mistakes bound --


def sequences(points, labels, chances, rounds):
    """Yield every sequence of examples, with its chance."""
    for drawn in map(list, itertools.product(range(len(points)), repeat=rounds)):
        yield math.prod(chances[drawn]), Stream(points[drawn], labels[drawn])


def expectations(points, labels, chances, rounds):
    """Play every sequence; return E[M], the error of a random index, and of the vote.

    And the loss max(0, -y⟨w̄, x⟩) of the average. All exactly: chances are fractions.
    """
    total = np.zeros(4, dtype=object)
    for chance, stream in sequences(points, labels, chances, rounds):
        learner = VotedPerceptron(points.shape[1])
        mistakes = play(learner, stream).mistakes
        lives = learner.lifetimes.astype(int)
        wrong = labels[:, None] * (points @ learner.hypotheses.T) <= 0
        outvoted = labels * learner.scores(points, final=True) <= 0
        depths = np.maximum(0, -labels * (points @ (lives @ learner.hypotheses)))
        mean, loss = chances @ wrong @ lives, chances @ depths.astype(int)
        parts = [mistakes, mean / rounds, chances @ outvoted, loss / rounds]
        total += chance * np.array(parts, dtype=object)
    return total


@st.composite
def distributions(draw):
    """Two or three labelled points, even contradictory ones, and their chances."""
    count = draw(st.integers(2, 3))
    points = draw(hnp.arrays(np.int64, (count, 2), elements=st.integers(-2, 2)))
    labels = draw(hnp.arrays(np.int8, count, elements=st.sampled_from([-1, 1])))
    parts = draw(st.lists(st.integers(1, 5), min_size=count, max_size=count))
    return points, labels, np.array([Fraction(part, sum(parts)) for part in parts])


@settings(max_examples=25)
@given(distributions(), st.integers(1, 4))
def test_errors_and_loss_are_what_the_mistakes_allow_exactly(distribution, rounds):
    mistakes, random_index, vote, loss = expectations(*distribution, rounds)
    assert random_index == mistakes / rounds
    if rounds > 1:
        assert vote <= 2 * (mistakes - 1) / (rounds - 1)
    assert vote <= 2 * mistakes / (rounds + 1)
    square = int((distribution[0] ** 2).sum(axis=1).max())
    most = mistakes * square / (2 * rounds)
    assert loss <= most
    mean, M = float(random_index), float(mistakes)
    assert theory.expected_error(M, rounds) == pytest.approx(mean)
    assert theory.voted_error(M, rounds) >= float(vote) * (1 - 1e-12)
    if square:
        bound = theory.averaged_loss(M, rounds, math.sqrt(square))
        assert bound == pytest.approx(float(most))


@given(st.integers(0, 60), st.floats(0.02, 0.9), st.floats(0.01, 0.9))
def test_conversion_sizes_suffice_by_the_exact_binomial(mistakes, epsilon, delta):
    play_on, choose = theory.conversion_sizes(mistakes, epsilon, delta)
    # all hypotheses above ε/2 and still no more than M mistakes
    assert binom.cdf(mistakes, play_on, epsilon / 2) <= delta / 2
    # the good one seems bad, or one of the bad ones good
    most = 0.75 * epsilon * choose
    good_seems_bad = binom.sf(math.ceil(most) - 1, choose, epsilon / 2)
    bad_seems_good = binom.cdf(math.floor(most), choose, epsilon)
    worse = max(good_seems_bad, bad_seems_good)
    assert (mistakes + 1) * worse <= delta / 2


def test_bound_on_the_error_needs_examples_drawn_independently():
    # e₁ a hundred times, then a test on e₁ and e₂: one mistake, and half are wrong.
    learner = VotedPerceptron(2)
    trace = play(learner, np.tile([1.0, 0.0], (100, 1)), np.ones(100))
    bound = theory.voted_error(trace.mistakes, 100)
    assert bound < 0.02
    assert np.mean(learner.predict(np.eye(2), final=True) != 1) == 0.5


@given(st.floats(0, 1000), st.floats(0.01, 0.99), st.floats(0.001, 0.999))
def test_bad_hypothesis_survives_the_stretch_with_chance_delta_at_most(
    mistakes, epsilon, delta
):
    stretch = theory.stretch(mistakes, epsilon, delta)
    assert (1 - epsilon) ** stretch * (mistakes + 1) <= delta * (1 + 1e-9)
    assert math.exp(-epsilon * (stretch - 1)) * (mistakes + 1) > delta * (1 - 1e-9)


def test_bounds_to_the_digit():
    assert theory.examples_needed(10.9, 0.5, 0.5) == 11 * 7
    assert theory.stretch(0, epsilon=0.5, delta=0.5) == 2
    assert theory.averaged_loss(3, 10, radius=2, rate=0.5) == 0.5 * 3 * 4 / 20


# ------------------------------------------------------- the averaged margin Perceptron


@given(labelled(), rates, st.sampled_from([0.0, 0.5, 3.0]))
def test_average_of_the_margin_perceptron_is_that_of_its_weights(stream, rate, tau):
    averaged = AveragedMarginPerceptron(stream.n, thickness=tau, rate=rate)
    plain = MarginPerceptron(stream.n, thickness=tau, rate=rate)
    used = []
    for x, y in stream.rounds():
        used.append(plain.weights)
        plain.learn(x, y)
    assert play(averaged, stream).update_rounds.size >= 0
    assert (averaged.weights == plain.weights).all()
    assert averaged.average == pytest.approx(np.mean(used, axis=0), abs=1e-12)


@given(separable(), st.sampled_from([0.1, 0.5, 1.0, 4.0]), rates)
def test_losses_of_the_margin_perceptron_keep_their_bound(stream, share, rate):
    tau = share * rate * stream.radius**2
    learner = AveragedMarginPerceptron(stream.n, thickness=tau, rate=rate)
    trace = play(learner, stream)
    ledger = theory.proof(trace)
    assert_between(ledger, scale=1 + float(ledger["potential"].max()))
    losses = ledger["loss"].sum() / tau
    rounds = len(stream)
    gamma, beta = stream.margin, 2 * share
    bound = theory.averaged_error(
        stream.radius, gamma, rounds, beta * stream.radius**2 / 2
    )
    assert trace.mistakes <= losses * (1 + 1e-9) <= bound * rounds * (1 + 1e-8)


@settings(max_examples=25)
@given(distributions(), st.integers(1, 4))
def test_error_of_the_average_keeps_its_bound_exactly(distribution, rounds):
    """All sequences of a few points are played, with thickness R²/2 and any labels."""
    points, labels, chances = distribution
    square = int((points**2).sum(axis=1).max())
    if not square:
        return
    error = Fraction(0)
    for chance, stream in sequences(*distribution, rounds):
        learner = AveragedMarginPerceptron(2, thickness=square / 2)
        play(learner, stream)
        error += chance * (chances @ (labels * learner.scores(points, final=True) <= 0))
    for u in np.array([[1.0, 0.0], [0.6, 0.8], [-0.6, 0.8], [0.0, -1.0]]):
        for gamma in (0.3, 1.0, 2.0):
            lacks = np.maximum(0, 1 - labels * (points @ u) / gamma)
            loss = float(chances @ lacks)
            bound = theory.averaged_error(math.sqrt(square), gamma, rounds, loss=loss)
            assert float(error) <= bound * (1 + 1e-9)


def test_error_bounds_of_few_mistakes_to_the_digit_and_their_order():
    assert theory.averaged_error(2, 0.5, 100) == pytest.approx(0.16)
    assert theory.averaged_error(1, 0.1, 1000, loss=0.02) == pytest.approx(0.14)
    few = theory.few_mistakes_error(20, 1000, 0.05, tilt=1.0)
    assert few == pytest.approx((20 + math.log(20)) / (1 - math.exp(-1)) / 1000)
    for mistakes in (1, 10, 1000):
        total = theory.sum_of_errors(mistakes, 0.05)
        lack = total - mistakes - mistakes * math.log(total / mistakes)
        assert lack == pytest.approx(math.log(20))
        tilt = math.log(total / mistakes)
        assert theory.few_mistakes_error(mistakes, 1, 0.05, tilt) == pytest.approx(
            total
        )
    assert theory.sum_of_errors(0, 0.05) == pytest.approx(math.log(20))


@given(st.integers(1, 40), st.floats(0.01, 0.5), st.floats(0.02, 0.5))
def test_sum_of_errors_is_likely_by_the_exact_binomial(mistakes, error, delta):
    """Hypotheses of one error until M mistakes are made, and perfect ones after."""
    total = theory.sum_of_errors(mistakes, delta)
    rounds = math.floor(total / error) + 1  # so many rounds of it are too many
    assert binom.cdf(mistakes - 1, rounds - 1, error) <= delta * (1 + 1e-9)
