"""The game: the order of a round, traces and their replays, duels, broken-off games."""

import copy

import numpy as np
import pytest
from helpers import LEARNERS, assert_same_trace, bad_entry, bits, stream

import olc
from olc import play_one_by_one
from olc.core.learner import Learner, Linear

every_learner = pytest.mark.parametrize("name", LEARNERS)
both_ways = pytest.mark.parametrize("play", [olc.play, play_one_by_one])

# ------------------------------------------------------------------ the protocol


class Scribe(Learner):
    """Predict what it was told last; write down what happens to it."""

    def __init__(self):
        self.n, self.last, self.diary = 1, 1, []

    def score(self, x):
        self.diary.append(f"sees {x[0]:g}")
        return np.float64(self.last)

    def update(self, x, y):
        self.diary.append(f"round {self.rounds}: learns {y}")
        self.last = y


@both_ways
def test_the_learner_sees_predicts_and_only_then_learns(play):
    scribe = Scribe()
    trace = play(scribe, [[7], [8], [9]], [1, -1, -1])
    assert scribe.diary == ["sees 7", "sees 8", "round 1: learns -1", "sees 9"]
    assert trace.predictions.tolist() == [1, 1, -1]
    assert trace.mistake_rounds.tolist() == trace.update_rounds.tolist() == [1]
    assert (len(trace), trace.mistakes, scribe.rounds) == (3, 1, 3)
    assert trace.expected_mistakes == 1.0
    assert repr(trace) == "Trace(1 mistake in 3 rounds)"
    assert repr(play(Scribe(), [[7]], [-1])) == "Trace(1 mistake in 1 round)"
    assert repr(play(Scribe(), [[7]], [1])) == "Trace(0 mistakes in 1 round)"


# ------------------------------------------------------------------ traces


@every_learner
def test_a_replay_walks_through_the_same_game_and_a_record_keeps_it(name):
    learner = LEARNERS[name](4)
    game = stream(learner, 80, seed=5, n=4)
    olc.play(learner, game[:30])
    began = copy.deepcopy(learner)
    trace = olc.play(learner, game[30:], record=True)
    assert bits(trace.before) == bits(began)
    steps = []
    for step, row in zip(trace.replay(), trace.weights, strict=True):
        steps.append(step.t)
        assert (step.x.tolist(), step.y) == (
            game.X[30 + step.t].tolist(), game.y[30 + step.t],
        )  # fmt: skip
        assert step.learner.rounds == 30 + step.t + 1
        now = step.learner.weights
        assert row[: len(now)].tobytes() == now.tobytes()
        assert not row[len(now) :].any()
    assert steps == trace.update_rounds.tolist() != []
    assert now.tobytes() == learner.weights.tobytes()
    assert bits(trace.before) == bits(began)  # and can be replayed again


def test_a_replay_shows_the_score_before_the_update():
    X, y = [[1.0], [1.0], [-1.0]], [1, 1, 1]
    trace = olc.play(olc.MarginPerceptron(1, thickness=1.5), X, y)
    scores = [(step.t, float(step.score)) for step in trace.replay()]
    assert scores == [(0, 0.0), (1, 1.0), (2, -2.0)]
    assert (trace.mistakes, len(trace.update_rounds)) == (2, 3)
    assert trace.weights is None
    none = olc.play(olc.Perceptron(2), np.empty((0, 2)), [], record=True)
    assert none.weights.shape == (0, 2)


def test_a_replay_of_rows_that_were_changed_is_refused():
    X = np.ones((3, 2))
    trace = olc.play(olc.Perceptron(2), X, [1, -1, 1])
    X[1] = -1
    with pytest.raises(
        ValueError, match="row 1 of the stream is no longer what it was"
    ):
        trace.recorded()


def test_the_expected_mistakes_are_those_over_the_coins():
    X, y = np.array([[1, -1], [1, -1]]), [1, 1]
    for play in (olc.play, play_one_by_one):
        trace = play(olc.RandomizedWeightedMajority(2, eta=0.5, seed=0), X, y)
        # half of the weight is wrong at first; then ½ of 1½
        assert trace.expected == pytest.approx([0.5, 1 / 3], rel=1e-9)
        assert trace.expected_mistakes == trace.expected.sum()


# ------------------------------------------------------------------ duels


class Cycle:
    """Play these moves, then end the duel."""

    def __init__(self, *moves, **facts):
        self.moves = iter(moves)
        self.__dict__.update(facts)

    def __call__(self, learner):
        return next(self.moves, None)


def test_a_duel_ends_after_its_rounds_or_when_the_adversary_passes():
    moves = [([1.0, 0.0], 1), ([0.0, 1.0], -1), ([1, 1], 1)]
    assert len(olc.duel(olc.Perceptron(2), Cycle(*moves), rounds=2)) == 2
    assert len(olc.duel(olc.KernelPerceptron(), Cycle(), rounds=3).stream) == 0
    learner, drifts = olc.Perceptron(2), [(0, np.ones(2))]
    facts = {"target": [1, -2], "drifts": drifts}
    trace = olc.duel(learner, Cycle(*moves, **facts), rounds=10)
    assert trace.mistake_rounds.tolist() == [0, 1, 2]
    assert trace.stream.X.tolist() == [[1, 0], [0, 1], [1, 1]]
    assert trace.stream.y.tolist() == [1, -1, 1]
    assert trace.stream.target.tolist() == [1, -2]
    drifts.append((9, np.zeros(2)))
    assert [start for start, _ in trace.stream.drifts] == [0]
    assert learner.rounds == 3


def test_the_adversary_sees_the_present_round_and_may_reuse_its_array():
    learner, x = olc.Perceptron(2), np.zeros(2)
    olc.play(learner, [[1.0, 0.0]] * 5, [1] * 5)

    def adversary(learner):
        x[:] = [learner.rounds, -1]
        return x, -1

    trace = olc.duel(learner, adversary, rounds=3)
    assert trace.stream.X.tolist() == [[5, -1], [6, -1], [7, -1]]


def resets(learner):
    learner.rounds, learner.state = 99, 0 * learner.state
    learner.step = lambda state, x, y: state
    return [1.0, 0.0], -1 if learner.score(np.array([1.0, 0.0])) > 0 else 1


def test_nothing_that_an_adversary_does_to_the_learner_changes_the_game():
    learner = olc.WeightedMajority(2, eta=0.5)

    def restores(shown):
        shown.state = np.zeros(2, int)
        return [1.0, -1.0], 1

    assert olc.duel(learner, restores, rounds=6).mistakes == 1  # the first, a tie
    assert learner.losses.tolist() == [0, 6]
    learner = olc.Perceptron(2)
    trace = olc.duel(learner, resets, rounds=6)
    assert_same_trace(trace, olc.play(again := olc.Perceptron(2), trace.stream))
    assert bits(learner) == bits(again)


@every_learner
def test_an_adversary_may_look_ahead(name):
    learner, again = LEARNERS[name](4), LEARNERS[name](4)
    game, seen = stream(learner, 60, seed=7, n=4), []
    moves = iter(game)

    def tries(shown):
        if (move := next(moves, None)) is not None:
            seen.append(shown)
            assert shown.rounds == len(seen) - 1
            shown.update(*move)  # which tosses no coin
            shown.rounds += 5
        return move

    trace = olc.duel(learner, tries, rounds=100)
    assert_same_trace(trace, olc.play(again, trace.stream))
    assert bits(again) == bits(learner)
    assert all(each is seen[0] is not learner for each in seen)


def test_an_honest_look_ahead_finds_the_worse_of_two_examples():
    def worse(learner):
        before, forced = vars(learner).copy(), []
        for x in ([1.0, 0.0], [0.0, 1.0]):
            vars(learner).update(before)
            forced.append((-learner.learn(x, 1), x))
        return max(forced)[1], 1

    trace = olc.duel(learner := olc.Perceptron(2), worse, rounds=6)
    assert (trace.mistakes, learner.weights.tolist()) == (2, [1.0, 1.0])
    olc.perceptron.proof(trace, [1.0, 1.0])


def test_a_bad_move_ends_the_duel_as_if_it_had_not_begun():
    learner, moves = olc.Perceptron(2), [([1, 1], 1), ([1, 1], -1)]
    for cycle, words in [
        (Cycle(*moves, [1.0, 2.0, 3.0]), "too many values to unpack"),
        (Cycle(*moves, 7), "cannot unpack non-iterable int"),
        (Cycle(*moves, ([1, 2, 3], 1)), r"x has shape \(3,\).*n = 2"),
        (Cycle(*moves, ([1, np.nan], 1)), r"x\[1\] = nan"),
        (Cycle(*moves, ([1, 2], 0)), "map 0 to -1"),
        (Cycle(*moves, target=[1, 2, 3]), r"target has shape \(3,\).*n = 2"),
    ]:
        with pytest.raises((TypeError, ValueError), match=words):
            olc.duel(learner, cycle, rounds=9)
        assert bits(learner) == bits(olc.Perceptron(2))


# ------------------------------------------------------------------ refusals


@both_ways
@every_learner
def test_a_refused_row_leaves_the_learner_as_it_was(name, play):
    learner = LEARNERS[name](5)
    game = stream(learner, 200, seed=8, noise=0.1, n=5)
    olc.play(learner, game[:100])  # not a fresh one
    before = bits(learner)
    game.X[170, 3] = bad_entry(learner)
    with pytest.raises(ValueError, match=r"X\[170, 3\] = .*: give "):
        play(learner, game)
    assert bits(learner) == before
    assert learner.rounds == 100
    assert len(play(learner, game[:170])) == 170  # and it can still play


@both_ways
@pytest.mark.parametrize("name", ["Consistent", "Halving", "StandardOptimal"])
def test_an_unrealisable_stream_leaves_the_learner_as_it_was(name, play):
    learner = LEARNERS[name](4)
    before = bits(learner)
    X = stream(learner, 50, seed=9).X
    y = X[:, 0].astype(int)
    X[40:], y[40:] = X[0], -y[0]
    with pytest.raises(ValueError, match="realisable"):
        play(learner, X, y)
    assert bits(learner) == before


# ------------------------------------------------------------------ long games

KINDS = [name for name in LEARNERS if ", " not in name]
STEEP = {
    "Winnow, steep": lambda n: olc.Winnow(n, alpha=1e6),
    "NormalizedWinnow, steep": lambda n: olc.NormalizedWinnow(n, eta=50),
    "BalancedWinnow, steep": lambda n: olc.BalancedWinnow(n, eta=50),
}


@pytest.mark.parametrize("name", [*KINDS, *STEEP])
def test_a_long_game_ends_with_weights_that_still_predict(name):
    learner = (LEARNERS | STEEP)[name](3)
    rounds = 5000 if isinstance(learner, Linear) else 500
    game = stream(learner, rounds, seed=10, dtype="int8", noise=0.5, n=3)
    trace = olc.play(learner, game)
    assert len(trace) == rounds
    assert np.isfinite(learner.weights).all()
    assert np.isfinite(learner.scores(game.X[:100])).all()
    assert np.abs(trace.predictions[-1000:]).sum() > 0
