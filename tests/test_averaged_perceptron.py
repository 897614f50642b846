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
from sklearn.linear_model import SGDClassifier

import olc
from olc import (
    AveragedPerceptron,
    Perceptron,
    Stream,
    VotedPerceptron,
    adversaries,
    averaged_perceptron,
    geometry,
    play,
    streams,
)

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
def test_average_is_the_mean_of_the_weights_that_predicted(stream, rate):
    weights, rounds = history(stream, rate)
    learner = AveragedPerceptron(stream.n, rate=rate)
    assert play(learner, stream).rounds.tolist() == rounds
    assert (learner.weights == weights[-1]).all()
    assert learner.average == pytest.approx(weights[:-1].mean(axis=0), abs=1e-12)


@given(labelled())
def test_average_needs_the_rounds_of_the_mistakes_only(stream):
    """T w̄ = T w_{T+1} - Σ s y_s x_s, in whole numbers."""
    weights, rounds = history(stream)
    late = sum((t + 1) * stream.y[t] * stream.X[t] for t in rounds)
    rounds_played, last = len(stream), weights[-1]
    assert (weights[:-1].sum(axis=0) == rounds_played * last - late).all()
    assert (weights[1:].sum(axis=0) == (rounds_played + 1) * last - late).all()
    assert (weights.sum(axis=0) == (rounds_played + 1) * last - late).all()


@given(labelled(), rates)
def test_average_weighs_each_hypothesis_by_its_lifetime(stream, rate):
    averaged, voted = (
        AveragedPerceptron(stream.n, rate=rate),
        VotedPerceptron(stream.n, rate=rate),
    )
    play(averaged, stream)
    trace = play(voted, stream)
    lifetimes, hypotheses = voted.lifetimes, voted.hypotheses
    assert lifetimes.sum() == len(stream)
    assert len(lifetimes) == len(hypotheses) == trace.mistakes + 1
    assert lifetimes @ hypotheses / len(stream) == pytest.approx(averaged.average)
    assert (hypotheses[-1] == averaged.weights).all()
    weights, _ = history(stream, rate)
    assert (np.repeat(hypotheses, lifetimes.astype(int), axis=0) == weights[:-1]).all()


@given(labelled())
def test_vote_is_the_sum_of_the_signs_of_all_rounds(stream):
    weights, _ = history(stream)
    voted = VotedPerceptron(stream.n)
    play(voted, stream)
    votes = np.sign(stream.X @ weights[:-1].T).sum(axis=1)
    assert voted.output(stream.X).tolist() == votes.tolist()
    assert voted.classify(stream.X).tolist() == np.sign(votes).tolist()
    assert voted.output(stream.X[0]) == votes[0]


@given(labelled())
def test_all_of_them_play_the_perceptrons_game(stream):
    plain = play(Perceptron(stream.n), stream)
    for kind in (AveragedPerceptron, VotedPerceptron):
        trace = play(kind(stream.n), stream)
        assert trace.rounds.tolist() == plain.rounds.tolist()
        assert trace.predictions.tolist() == plain.predictions.tolist()


@given(labelled(), st.integers(2, 4))
def test_several_epochs_are_one_long_game(stream, epochs):
    long = stream[np.tile(np.arange(len(stream)), epochs)]
    for kind in (AveragedPerceptron, VotedPerceptron):
        once, again = kind(stream.n), kind(stream.n)
        play(once, long)
        for _ in range(epochs):
            play(again, stream)
        assert once.rounds == again.rounds == len(long)
        assert (once.weights == again.weights).all()
        assert once.output(stream.X) == pytest.approx(again.output(stream.X))


def test_average_agrees_with_scikit_learn():
    """It averages the weights after the round; ours predict before it."""
    stream = streams.flip_labels(streams.separable(8, 0.05, 400, seed=0), 0.1, seed=1)
    theirs = SGDClassifier(
        loss="perceptron",
        penalty=None,
        learning_rate="constant",
        eta0=1.0,
        average=True,
        fit_intercept=False,
        shuffle=False,
        max_iter=1,
        tol=None,
    ).fit(stream.X, stream.y)
    learner = AveragedPerceptron(8)
    play(learner, stream)
    after = learner.average + learner.weights / len(stream)
    assert after == pytest.approx(theirs.coef_[0])


def test_longest_survivor_predicted_for_the_most_rounds():
    X, y = [[1.0], [1.0], [1.0], [-1.0], [-1.0]], [1, 1, 1, 1, 1]
    learner = VotedPerceptron(1)
    assert play(learner, X, y).rounds.tolist() == [0, 3, 4]
    assert np.ravel(learner.hypotheses).tolist() == [0, 1, 0, -1]
    assert learner.lifetimes.tolist() == [1, 3, 1, 0]
    assert learner.longest_survivor.tolist() == [1]
    learner.longest_survivor[0] = 99
    assert np.ravel(learner.hypotheses).tolist() == [0, 1, 0, -1]


def test_fresh_learner_has_no_opinion():
    for kind in (AveragedPerceptron, VotedPerceptron):
        learner = kind(2)
        assert learner.output([[1.0, 2.0]]).tolist() == [0]
        assert int(learner.classify([1.0, 2.0])) == 0
    assert AveragedPerceptron(2).average.tolist() == [0, 0]
    assert VotedPerceptron(2).longest_survivor.tolist() == [0, 0]


def test_update_by_hand_counts_as_a_round():
    averaged, voted = AveragedPerceptron(1), VotedPerceptron(1)
    for learner in (averaged, voted):
        for value in (1.0, 3.0, -2.0):
            learner.update([value], 1)
        assert learner.rounds == 3
    assert averaged.average.tolist() == pytest.approx([(0 + 1 + 4) / 3])
    assert voted.lifetimes.tolist() == [1, 1, 1, 0]
    assert np.ravel(voted.hypotheses).tolist() == [0, 1, 4, 2]


def test_refused_example_leaves_the_average_as_it_was():
    learner = AveragedPerceptron(1)
    play(learner, [[1.0], [-2.0]], [1, 1])
    before = learner.average
    with pytest.raises(ValueError, match="nan"):
        play(learner, [[3.0], [math.nan]], [-1, 1])
    assert learner.average.tolist() == before.tolist()
    assert learner.rounds == 2


# ----------------------------------------------------------------------- the ledger


def assert_proof_steps(trace):
    ledger = averaged_perceptron.proof(trace)
    assert ledger["round"].tolist() == trace.rounds.tolist()
    slack = 1e-9 * (1 + ledger.potential)
    assert (ledger.lower <= ledger.alignment + slack).all()
    assert (ledger.alignment <= ledger.potential + slack).all()
    assert_between(ledger)
    return ledger


@given(separable(), rates, st.sampled_from([AveragedPerceptron, VotedPerceptron]))
def test_ledger_holds_in_every_epoch(stream, rate, kind):
    learner = kind(stream.n, rate=rate)
    for _ in range(3):
        assert_proof_steps(play(learner, stream))


@given(separable())
def test_ledger_holds_the_length_of_the_mean_so_far(stream):
    weights, rounds = history(stream)
    ledger = assert_proof_steps(play(AveragedPerceptron(stream.n), stream))
    for t, potential in zip(rounds, ledger.potential, strict=True):
        mean = weights[: t + 1].mean(axis=0)
        assert np.linalg.norm(mean) == pytest.approx(potential, abs=1e-12)


@pytest.mark.parametrize(
    "adversary",
    [adversaries.MinimalMargin(0.1), adversaries.Panel(16, 3)],
    ids=["margin", "panel"],
)
def test_ledger_holds_in_a_duel(adversary):
    trace = olc.duel(AveragedPerceptron(len(adversary.target)), adversary, 200)
    assert len(assert_proof_steps(trace)) > 30


def test_ledger_of_a_small_game_to_the_digit():
    stream = Stream([[1.0], [1.0], [1.0], [-2.0]], [1, 1, 1, -1], [1])
    assert len(averaged_perceptron.proof(play(AveragedPerceptron(1), stream))) == 1
    stream = Stream([[1.0, 0], [1.0, 0], [0, 1.0], [0, 1.0]], [1, 1, 1, 1], [1, 1])
    ledger = averaged_perceptron.proof(play(AveragedPerceptron(2), stream))
    half = math.sqrt(0.5)
    assert ledger["round"].tolist() == [0, 2]
    assert ledger.potential.tolist() == pytest.approx([0, 2 / 3])
    assert ledger.lower.tolist() == pytest.approx([0, 2 / 3 * half])
    assert ledger.upper.tolist() == pytest.approx([0, 2 / 3])


# --------------------------------------------------------- what the mistakes bound --


def expectations(points, labels, chances, rounds):
    """Play every sequence; return E[M], the error of a random index, and of the vote.

    And the loss max(0, -y⟨w̄, x⟩) of the average. All exactly: chances are fractions.
    """
    mistakes = random_index = vote = loss = Fraction(0)
    for sequence in itertools.product(range(len(points)), repeat=rounds):
        chance = math.prod(chances[i] for i in sequence)
        stream = Stream(points[list(sequence)], labels[list(sequence)])
        learner = VotedPerceptron(points.shape[1])
        mistakes += chance * play(learner, stream).mistakes
        wrong = (
            labels[:, None] * np.sign(points @ np.transpose(learner.hypotheses)) <= 0
        )
        shares = [Fraction(int(life), rounds) for life in learner.lifetimes]
        random_index += chance * sum(
            share * chances[i]
            for i in range(len(points))
            for share, errs in zip(shares, wrong[i], strict=True)
            if errs
        )
        outvoted = labels * learner.output(points) <= 0
        vote += chance * sum(
            c for c, errs in zip(chances, outvoted, strict=True) if errs
        )
        lives = [int(life) for life in learner.lifetimes]
        total = np.array(lives) @ np.array(learner.hypotheses)
        depths = np.maximum(0, -labels * (points @ total)).astype(int).tolist()
        loss += chance * sum(
            c * Fraction(depth, rounds)
            for c, depth in zip(chances, depths, strict=True)
        )
    return mistakes, random_index, vote, loss


@st.composite
def distributions(draw):
    """Two or three labelled points, even contradictory ones, and their chances."""
    count = draw(st.integers(2, 3))
    points = draw(hnp.arrays(np.int64, (count, 2), elements=st.integers(-2, 2)))
    labels = draw(hnp.arrays(np.int8, count, elements=st.sampled_from([-1, 1])))
    parts = draw(st.lists(st.integers(1, 5), min_size=count, max_size=count))
    return points, labels, [Fraction(part, sum(parts)) for part in parts]


@settings(max_examples=15)
@given(distributions(), st.integers(1, 4))
def test_random_hypothesis_errs_as_often_as_the_game_exactly(distribution, rounds):
    mistakes, random_index, *_ = expectations(*distribution, rounds)
    assert random_index == mistakes / rounds
    assert averaged_perceptron.expected_error(float(mistakes), rounds) == pytest.approx(
        float(random_index)
    )


@settings(max_examples=15)
@given(distributions(), st.integers(1, 4))
def test_vote_errs_at_most_twice_as_often_as_the_game(distribution, rounds):
    mistakes, _, vote, _ = expectations(*distribution, rounds)
    if rounds > 1:
        assert vote <= 2 * (mistakes - 1) / (rounds - 1)
    assert vote <= 2 * mistakes / (rounds + 1)
    bound = averaged_perceptron.voted_error(float(mistakes), rounds)
    assert float(vote) <= bound * (1 + 1e-12)


@settings(max_examples=15)
@given(distributions(), st.integers(1, 4))
def test_average_is_on_the_wrong_side_by_half_of_r2_m_over_t_at_most(
    distribution, rounds
):
    mistakes, *_, loss = expectations(*distribution, rounds)
    points = distribution[0]
    square = int((points**2).sum(axis=1).max())
    assert loss <= mistakes * square / (2 * rounds)
    if square:
        bound = averaged_perceptron.averaged_loss(
            float(mistakes), rounds, math.sqrt(square)
        )
        assert bound == pytest.approx(float(mistakes * square / (2 * rounds)))
        assert averaged_perceptron.averaged_loss(
            3, 10, radius=2, rate=0.5
        ) == pytest.approx(0.5 * 3 * 4 / 20)


@given(labelled(), rates)
def test_losses_of_a_game_sum_to_at_most_half_of_rmr2(stream, rate):
    weights, rounds = history(stream, rate)
    losses = [abs(weights[t] @ stream.X[t]) for t in rounds]
    most = rate * len(rounds) * stream.radius**2 / 2
    assert sum(losses) <= most * (1 + 1e-9)


@pytest.mark.parametrize("delta", [0.05, 0.3])
def test_mean_error_is_likely_below_its_bound(delta):
    """One feature ±1 with a label that errs in 30 % of the rounds: all is known."""
    bad = 0
    for seed in range(200):
        random = np.random.default_rng(seed)
        X = random.choice([-1.0, 1.0], (60, 1))
        y = np.where(random.random(60) < 0.3, -X[:, 0], X[:, 0])
        learner = VotedPerceptron(1)
        mistakes = play(learner, X, y).mistakes
        errors = np.select(
            [np.ravel(learner.hypotheses) > 0, np.ravel(learner.hypotheses) < 0],
            [0.3, 0.7],
            1.0,
        )
        mean = learner.lifetimes @ errors / 60
        bad += mean > averaged_perceptron.likely_error(mistakes, 60, delta)
    assert bad <= 200 * delta


def test_likely_error_is_its_formula():
    bound = averaged_perceptron.likely_error(5, 50, math.exp(-4))
    assert bound == pytest.approx(0.1 + math.sqrt(4 / 100))


@given(st.integers(0, 60), st.floats(0.02, 0.9), st.floats(0.01, 0.9))
def test_conversion_sizes_suffice_by_the_exact_binomial(mistakes, epsilon, delta):
    play_on, choose = averaged_perceptron.conversion_sizes(mistakes, epsilon, delta)
    # all hypotheses above ε/2 and still no more than M mistakes
    assert binom.cdf(mistakes, play_on, epsilon / 2) <= delta / 2
    # the good one seems bad, or one of the bad ones good
    most = 0.75 * epsilon * choose
    good_seems_bad = binom.sf(math.ceil(most) - 1, choose, epsilon / 2)
    bad_seems_good = binom.cdf(math.floor(most), choose, epsilon)
    worse = max(good_seems_bad, bad_seems_good)
    assert (mistakes + 1) * worse <= delta / 2


def test_conversion_takes_fewer_examples_than_a_long_survivor():
    for mistakes in (100, 1000):
        sizes = averaged_perceptron.conversion_sizes(mistakes, 0.05, 0.05)
        assert sum(sizes) < averaged_perceptron.examples_needed(mistakes, 0.05, 0.05)


def test_conversion_finds_a_good_hypothesis():
    margin, epsilon, delta = 0.3, 0.2, 0.2
    most = averaged_perceptron.mistake_bound(1, margin)
    first, second = averaged_perceptron.conversion_sizes(most, epsilon, delta)
    good = 0
    for seed in range(20):
        stream = streams.separable(3, margin, first + second + 1000, seed=seed)
        learner = VotedPerceptron(3)
        play(learner, stream[:first])
        choice = stream[first : first + second]
        scores = choice.y[:, None] * (choice.X @ np.transpose(learner.hypotheses))
        best = learner.hypotheses[int((scores <= 0).sum(axis=0).argmin())]
        X, y = stream.X[first + second :], stream.y[first + second :]
        good += np.mean(y * (X @ best) <= 0) <= epsilon
    assert good >= 16


@given(labelled())
def test_votes_after_the_round_are_freund_and_schapires(stream):
    learner = VotedPerceptron(stream.n, after=True)
    play(learner, stream)
    weights, _ = history(stream)
    assert learner.lifetimes.sum() == len(stream)
    votes = np.sign(stream.X @ weights[1:].T).sum(axis=1)
    assert learner.output(stream.X).tolist() == votes.tolist()


def test_the_average_of_wandering_lines_errs_less_than_the_last_twelve_of_them():
    clean = streams.separable(2, 0.15, 120, 2)
    noisy = streams.flip_labels(clean, 0.15, 2)
    learner = AveragedPerceptron(2)
    lines = play(learner, noisy, record=True).weights[-12:]
    wrong = np.mean(np.sign(clean.X @ lines.T) != clean.y[:, None], axis=0)
    average = np.mean(learner.classify(clean.X) != clean.y)
    assert average <= wrong.min()
    assert average < 0.15 / 3 < wrong.mean()  # it was told 15 % wrong labels


def test_bound_on_the_error_needs_examples_drawn_independently():
    # e₁ a hundred times, then a test on e₁ and e₂: one mistake, and half are wrong.
    learner = VotedPerceptron(2)
    trace = play(learner, np.tile([1.0, 0.0], (100, 1)), np.ones(100))
    bound = averaged_perceptron.voted_error(trace.mistakes, 100)
    assert bound < 0.02
    assert np.mean(learner.classify(np.eye(2)) != 1) == 0.5


@given(st.floats(0, 1000), st.floats(0.01, 0.99), st.floats(0.001, 0.999))
def test_bad_hypothesis_survives_the_stretch_with_chance_delta_at_most(
    mistakes, epsilon, delta
):
    stretch = averaged_perceptron.stretch(mistakes, epsilon, delta)
    assert (1 - epsilon) ** stretch * (mistakes + 1) <= delta * (1 + 1e-9)
    assert math.exp(-epsilon * (stretch - 1)) * (mistakes + 1) > delta * (1 - 1e-9)
    assert averaged_perceptron.examples_needed(mistakes, epsilon, delta) == stretch * (
        math.floor(mistakes) + 1
    )


def test_stretch_to_the_digit():
    assert averaged_perceptron.stretch(10, 0.1, 0.05) == 54
    assert averaged_perceptron.examples_needed(10, 0.1, 0.05) == 594
    assert averaged_perceptron.stretch(100, 0.05, 0.01) == 185
    assert averaged_perceptron.examples_needed(100, 0.05, 0.01) == 18685


@pytest.mark.parametrize(("mistakes", "stretch"), [(1, 3), (2, 3), (3, 2)])
def test_stretch_must_have_happened_after_m_plus_1_times_as_many_rounds(
    mistakes, stretch
):
    def longest_run(rounds, wrong):
        ends = [-1, *wrong, rounds]
        return max(b - a - 1 for a, b in itertools.pairwise(ends))

    enough = (mistakes + 1) * stretch
    for rounds in (enough, enough - 1):
        runs = [
            longest_run(rounds, wrong)
            for count in range(mistakes + 1)
            for wrong in itertools.combinations(range(rounds), count)
        ]
        assert (min(runs) >= stretch) == (rounds == enough)


def test_longest_survivor_keeps_its_bound():
    margin, epsilon, delta = 0.3, 0.1, 0.1
    bound = averaged_perceptron.mistake_bound(1, margin)
    rounds = averaged_perceptron.examples_needed(bound, epsilon, delta)
    good = 0
    for seed in range(20):
        stream = streams.separable(3, margin, rounds + 1000, seed=seed)
        learner = VotedPerceptron(3)
        play(learner, stream[:rounds])
        assert learner.lifetimes.max() >= averaged_perceptron.stretch(
            bound, epsilon, delta
        )
        X, y = stream.X[rounds:], stream.y[rounds:]
        good += np.mean(y * (X @ learner.longest_survivor) <= 0) <= epsilon
    assert good >= 18


def errors(learner, test):
    survivor = getattr(learner, "longest_survivor", learner.weights)
    answers = {
        "last": learner.predict(test.X),
        "output": learner.classify(test.X),
        "survivor": np.sign(test.X @ survivor),
    }
    return {name: float(np.mean(answer != test.y)) for name, answer in answers.items()}


def test_on_the_sphere_averages_and_votes_forgive_noise_and_the_last_weights_do_not():
    runs = []
    for seed in range(12):
        stream = streams.separable(20, 0.1, 6000, seed=seed)
        train, test = stream[:4000], stream[4000:]
        noisy = streams.flip_labels(train, 0.1, seed=seed)
        voted, averaged = VotedPerceptron(20), AveragedPerceptron(20)
        mistakes = play(voted, noisy).mistakes
        play(averaged, noisy)
        found = errors(voted, test)
        assert max(found["output"], errors(averaged, test)["output"]) < 0.003
        noisy_error = 0.1 + 0.8 * found["output"]
        assert noisy_error < averaged_perceptron.voted_error(mistakes, 4000)
        runs.append([found["output"], found["survivor"], found["last"]])
    voted_error, survivor, last = np.mean(runs, axis=0)
    assert last > 0.05
    assert voted_error < survivor < last


@pytest.mark.parametrize("kind", [AveragedPerceptron, VotedPerceptron])
def test_without_noise_all_that_a_game_hands_out_is_good(kind):
    for seed in range(3):
        stream = streams.separable(20, 0.1, 6000, seed=seed)
        learner = kind(20)
        play(learner, stream[:4000])
        assert max(errors(learner, stream[4000:]).values()) < 0.005


def test_average_of_a_margin_stream_grows_towards_the_target():
    stream = streams.separable(10, 0.05, 3000, seed=0)
    learner = AveragedPerceptron(10)
    trace = play(learner, stream)
    assert trace.mistakes <= averaged_perceptron.mistake_bound(1, stream.margin)
    last, average = geometry.unit(learner.weights), geometry.unit(learner.average)
    assert stream.target @ average > stream.target @ last > 0.9


# --------------------------------------------------------------------- at the door


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda: AveragedPerceptron(0), ValueError, "^n must be at least 1"),
        (lambda: VotedPerceptron(2, rate=-1), ValueError, "^rate"),
        (lambda: AveragedPerceptron(2).output([1.0]), ValueError, "n = 2"),
        (lambda: VotedPerceptron(2).output([[np.inf, 1]]), ValueError, "finite"),
        (lambda: averaged_perceptron.expected_error(1, 0), ValueError, "^rounds"),
        (lambda: averaged_perceptron.expected_error(-1, 5), ValueError, "^mistakes"),
        (lambda: averaged_perceptron.voted_error(-1, 5), ValueError, "^mistakes"),
        (lambda: averaged_perceptron.voted_error(1, 0), ValueError, "^rounds"),
        (lambda: averaged_perceptron.stretch(-1, 0.1, 0.1), ValueError, "^mistakes"),
        (lambda: averaged_perceptron.stretch(1, 1, 0.1), ValueError, "^epsilon"),
        (lambda: averaged_perceptron.stretch(1, 0.1, 0), ValueError, "^delta"),
        (
            lambda: averaged_perceptron.examples_needed(-1, 0.1, 0.1),
            ValueError,
            "^mistakes",
        ),
        (
            lambda: averaged_perceptron.conversion_sizes(1e300, 0.1, 0.1),
            ValueError,
            "^mistakes",
        ),
        (lambda: averaged_perceptron.stretch(1, 1e-300, 0.1), ValueError, "^epsilon"),
        (lambda: averaged_perceptron.likely_error(1, 9, 1), ValueError, "^delta"),
        (lambda: averaged_perceptron.averaged_loss(1, 9, 0), ValueError, "^radius"),
    ],
)
def test_refuses(wrong, error, message):
    with pytest.raises(error, match=message):
        wrong()


def test_envelopes_are_those_of_the_proof_wherever_the_weights_start():
    stream = streams.separable(5, margin=0.03, rounds=400, seed=4)
    learner, u = AveragedPerceptron(5, rate=0.5), stream.target
    for part in (stream[:20], stream[20:]):
        part = Stream(part.X, part.y, u)
        start = learner.weights
        trace = play(learner, part)
        ledger = averaged_perceptron.proof(trace)
        assert trace.mistakes > 1
        for row, t in enumerate(trace.rounds):
            before = np.searchsorted(trace.rounds, np.arange(t + 1))  # mistakes so far
            lower = u @ start / np.linalg.norm(u) + 0.5 * part.margin * before
            upper = np.sqrt(start @ start + before * (0.5 * part.radius) ** 2)
            assert ledger.lower.iloc[row] == pytest.approx(lower.mean())
            assert ledger.upper.iloc[row] == pytest.approx(upper.mean())


def test_error_bounds_are_their_formulas_from_no_mistake_on():
    assert averaged_perceptron.expected_error(3, rounds=12) == 0.25
    assert averaged_perceptron.expected_error(0, rounds=12) == 0
    assert averaged_perceptron.voted_error(3, rounds=11) == 0.5
    assert averaged_perceptron.voted_error(0, rounds=11) == 0
    assert averaged_perceptron.stretch(0, epsilon=0.5, delta=0.5) == 2


@pytest.mark.parametrize("delta", [0, 1, 1.5])
def test_a_chance_of_failure_lies_between_0_and_1(delta):
    with pytest.raises(ValueError, match="delta"):
        averaged_perceptron.stretch(10, epsilon=0.1, delta=delta)
