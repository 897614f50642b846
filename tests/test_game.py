"""The game: streams, traces, duels, long games, and what is refused at the door."""

import copy
from fractions import Fraction

import numpy as np
import pytest
from helpers import (
    LEARNERS,
    assert_same_trace,
    bad_entry,
    bits,
    examples,
    run_alone,
    stream,
)
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array, csr_array

import olc
from olc import play_one_by_one
from olc.core.learner import Learner, Linear
from olc.halving import VersionSpace

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
    assert trace.rounds.tolist() == trace.updates.tolist() == [1]
    assert (len(trace), trace.mistakes, scribe.rounds) == (3, 1, 3)
    assert trace.expected_mistakes == 1.0
    assert repr(trace) == "Trace(1 mistake in 3 rounds)"


@both_ways
def test_a_trace_counts_in_the_singular_and_in_the_plural(play):
    assert repr(play(Scribe(), [[7]], [-1])) == "Trace(1 mistake in 1 round)"
    assert repr(play(Scribe(), [[7]], [1])) == "Trace(0 mistakes in 1 round)"
    both = repr(play(Scribe(), [[7], [8]], [-1, 1]))
    assert both == "Trace(2 mistakes in 2 rounds)"


@given(st.integers(0, 2**32), st.integers(1, 5))
def test_the_loop_agrees_with_exact_arithmetic(seed, n):
    random = np.random.default_rng(seed)
    X = random.integers(-3, 4, (60, n))
    y = random.choice([-1, 1], 60)
    weights, wrong = [Fraction(0)] * n, []
    for t, (x, label) in enumerate(zip(X.tolist(), y.tolist(), strict=True)):
        if label * sum(w * a for w, a in zip(weights, x, strict=True)) <= 0:
            weights = [w + label * a for w, a in zip(weights, x, strict=True)]
            wrong.append(t)
    learner = olc.Perceptron(n)
    assert play_one_by_one(learner, X, y).rounds.tolist() == wrong
    assert learner.weights.tolist() == weights


# ------------------------------------------------------------------ traces


@every_learner
def test_a_replay_walks_through_the_same_game_and_a_record_keeps_it(name):
    learner = LEARNERS[name](4)
    game = stream(learner, 50, seed=5, n=4)
    trace = olc.play(learner, game, record=True)
    assert bits(trace.before) == bits(LEARNERS[name](4))
    steps = []
    for step, row in zip(trace.replay(), trace.weights, strict=True):
        steps.append(step.t)
        assert step.y == game.y[step.t]
        assert step.x.tolist() == game.X[step.t].tolist()
        now = step.learner.weights
        assert row[: len(now)].tobytes() == now.tobytes()
        assert not row[len(now) :].any()
    assert steps == trace.updates.tolist() != []
    assert now.tobytes() == learner.weights.tobytes()


def test_weights_are_recorded_only_when_asked_for():
    assert olc.play(olc.Perceptron(1), [[1]], [1]).weights is None
    learner = olc.Perceptron(2)
    learner.state = np.array([1.0, 0.0])
    trace = olc.play(learner, [[1, 0]], [1], record=True)
    assert trace.weights.shape == (0, 2)


def test_a_replay_shows_the_score_before_the_update():
    X, y = [[1.0], [1.0], [-1.0]], [1, 1, 1]
    trace = olc.play(olc.MarginPerceptron(1, thickness=1.5), X, y)
    scores = [(step.t, float(step.score)) for step in trace.replay()]
    assert scores == [(0, 0.0), (1, 1.0), (2, -2.0)]


def test_a_replay_goes_on_from_where_the_game_began():
    learner = olc.AveragedPerceptron(3)
    game = stream(learner, 90, seed=1, noise=0.3)
    olc.play(learner, game[:40])
    second = olc.play(learner, game[40:])
    assert second.mistakes
    for step in second.replay():
        last = step.learner
    assert last.late.tobytes() == learner.late.tobytes()
    alone = copy.deepcopy(second.before)
    olc.play(alone, game[40 : 40 + last.rounds - 40])
    assert last.average.tolist() == alone.average.tolist()


def test_the_expected_mistakes_are_those_over_the_coins():
    X, y = np.array([[1, -1], [1, -1]]), [1, 1]
    learner = olc.RandomizedWeightedMajority(2, eta=0.5, seed=0)
    trace = olc.play(learner, X, y)
    # half of the weight is wrong at first; then ½ of 1½
    assert trace.expected == pytest.approx([0.5, 1 / 3], rel=1e-15)
    assert trace.expected_mistakes == trace.expected.sum()


# ------------------------------------------------------------------ streams


def test_a_stream_can_be_looped_over_and_cut():
    X, y = np.arange(12).reshape(4, 3), [1, -1, 1, 1]
    whole = olc.Stream(X, y, target=[1, 2, 3])
    assert (len(whole), whole.n) == (4, 3)
    assert [(x.tolist(), label) for x, label in whole][1] == ([3, 4, 5], -1)
    part = whole[1:3]
    assert part.X.tolist() == X[1:3].tolist()
    assert part.y.tolist() == [-1, 1]
    assert part.target.tolist() == [1, 2, 3]
    assert np.shares_memory(part.X, X)
    assert whole[[3, 0]].X.tolist() == X[[3, 0]].tolist()
    assert whole[whole.y > 0].y.tolist() == [1, 1, 1]
    assert whole[::-1].X.tolist() == X[::-1].tolist()
    with pytest.raises(ValueError, match="one row per round"):
        whole[2]


def test_a_stream_does_not_copy_its_examples_but_its_target():
    X, u = np.ones((3, 2)), np.array([1.0, 2.0])
    kept = olc.Stream(X, [1, 1, 1], u)
    assert kept.X is X
    u[:] = 0
    assert kept.target.tolist() == [1, 2]


def test_radius_and_margin_are_those_of_the_definition():
    game = olc.Stream([[3, 4], [0, -1]], [1, -1], target=[0, 2])
    assert game.radius == 5.0
    assert game.margin == 1.0
    assert olc.Stream(np.empty((0, 3)), []).radius == 0.0
    X = np.ones((300_000, 2), np.float32)  # more than a chunk
    X[-1] = [3, 4]
    assert olc.Stream(X, np.ones(len(X))).radius == 5.0


@given(st.integers(-98, 100), st.integers(0, 2**32))
def test_the_radius_neither_overflows_nor_vanishes(exponent, seed):
    X = np.random.default_rng(seed).normal(size=(7, 3)) * 10.0**exponent
    X = np.clip(X, -1e100, 1e100)
    exact = max(sum(Fraction(float(a)) ** 2 for a in x) for x in X)
    radius = Fraction(olc.Stream(X, np.ones(7)).radius)
    assert abs(radius**2 - exact) <= exact * Fraction(1, 10**12)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_a_number_has_neither_radius_nor_margin(bad):
    X = np.ones((300_000, 2))
    X[299_999, 1] = bad
    broken = olc.Stream(X, np.ones(len(X)), target=[1, 1])
    for ask in (lambda: broken.radius, lambda: broken.margin):
        with pytest.raises(ValueError, match=r"X\[\d+, 1\] = .*finite"):
            ask()
    with pytest.raises(ValueError, match=r"X\[299999, 1\]"):
        olc.play(olc.Perceptron(2), broken)


def test_a_stream_without_a_target_says_so():
    game = olc.Stream([[1]], [1])
    for ask in (lambda: game.margin, lambda: game.additions, game.need_target):
        with pytest.raises(ValueError, match="target"):
            ask()


def test_additions_count_what_enters_the_target():
    game = olc.Stream(
        np.zeros((9, 4), int),
        -np.ones(9),
        target=[0, 0, 1, 0],
        drifts=[(0, [1, 1, 0, 0]), (3, [1, 0, 0, 1]), (6, [0, 0, 1, 0])],
    )
    assert game.additions == 2 + 1 + 1
    assert olc.Stream(game.X, game.y, target=[1, 0, 1, 0]).additions == 2
    # a variable that leaves and comes back is paid for twice
    again = olc.Stream(
        game.X, game.y, drifts=[(0, [1, 0, 0, 0]), (2, [0] * 4), (5, [1, 0, 0, 0])]
    )
    assert again.additions == 2


def test_a_run_of_a_drifting_stream_drifts_as_the_whole_does():
    game = olc.streams.drifting_disjunction(20, 3, rounds=90, drifts=2, seed=0)
    starts = [start for start, _ in game.drifts]
    assert starts == [0, 30, 60]
    cut = game[10:70]
    assert [start for start, _ in cut.drifts] == [0, 20, 50]
    assert (cut.additions, game[:30].additions, game[35:].additions) == (5, 3, 4)
    assert game[:30].target.tolist() == game.drifts[0][1].tolist()
    assert cut.target.tolist() == game.target.tolist()
    for (start, u), stop in zip(cut.drifts, [20, 50, 60], strict=True):
        scores = cut.X[start:stop] @ u
        assert np.array_equal(cut.y[start:stop], np.where(scores >= 1, 1, -1))
    for mixed in (game[::-1], game[[1, 2]], game[::2]):
        assert mixed.target is None
        assert not mixed.drifts


def test_rounds_before_the_first_drift_have_no_target():
    late = olc.Stream(np.ones((5, 1)), np.ones(5), [1], drifts=[(3, np.ones(1))])
    assert late[:2].target is None
    assert late[2:].drifts[0][0] == 1


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
    learner = olc.Perceptron(2)
    trace = olc.duel(learner, Cycle(*moves, target=[1, -2]), rounds=10)
    assert trace.rounds.tolist() == [0, 1, 2]
    assert trace.stream.X.tolist() == [[1, 0], [0, 1], [1, 1]]
    assert trace.stream.y.tolist() == [1, -1, 1]
    assert trace.stream.target.tolist() == [1, -2]
    assert learner.rounds == 3


@every_learner
def test_a_duel_is_the_game_on_the_stream_that_it_leaves(name):
    learner, again = LEARNERS[name](4), LEARNERS[name](4)
    game = stream(learner, 60, seed=7, n=4)
    trace = olc.duel(learner, Cycle(*game), rounds=100)
    assert np.array_equal(trace.stream.X, game.X)
    assert_same_trace(trace, olc.play(again, trace.stream))
    assert bits(again) == bits(learner)


def test_a_duel_with_a_bad_target_has_not_begun():
    learner = olc.Perceptron(2)
    with pytest.raises(ValueError, match=r"target has shape \(3,\).*n = 2"):
        olc.duel(learner, Cycle(([1, 1], 1), target=[1, 2, 3]), rounds=2)
    assert bits(learner) == bits(olc.Perceptron(2))


def test_an_adversary_that_reuses_its_array_does_not_rewrite_the_past():
    x = np.zeros(2)

    def adversary(learner):
        x[:] = [1 + learner.rounds, -1]
        return x, -1

    trace = olc.duel(olc.Perceptron(2), adversary, rounds=3)
    assert trace.stream.X.tolist() == [[1, -1], [2, -1], [3, -1]]


def test_a_duel_carries_the_drifts_of_the_adversary():
    drifts = [(0, np.array([1.0]))]
    trace = olc.duel(olc.Winnow(1), Cycle(([1], 1), drifts=drifts), rounds=1)
    drifts.append((9, np.array([0.0])))
    assert [start for start, _ in trace.stream.drifts] == [0]


@pytest.mark.parametrize(
    ("move", "error", "words"),
    [
        ([1.0, 2.0, 3.0], TypeError, r"pair \(x, y\) or None"),
        (7, TypeError, r"pair \(x, y\) or None"),
        (([1, 2, 3], 1), ValueError, r"x has shape \(3,\).*n = 2"),
        (([1, np.nan], 1), ValueError, r"x\[1\] = nan"),
        (([1, 2], 0), ValueError, "map 0 to -1"),
        (([1, 2], "up"), TypeError, "y must be a number, not 'up'"),
    ],
)
def test_a_bad_move_ends_the_duel_as_if_it_had_not_begun(move, error, words):
    learner = olc.Perceptron(2)
    before = bits(learner)
    with pytest.raises(error, match=words):
        olc.duel(learner, Cycle(([1, 1], 1), ([1, 1], -1), move), rounds=9)
    assert bits(learner) == before


@pytest.mark.parametrize(
    ("rounds", "error"), [(0, ValueError), (2.5, TypeError), (True, TypeError)]
)
def test_the_rounds_of_a_duel_are_counted(rounds, error):
    with pytest.raises(error, match="rounds must be"):
        olc.duel(olc.Perceptron(1), Cycle(), rounds=rounds)


# ------------------------------------------------------------------ refusals


@both_ways
@every_learner
def test_a_refused_row_leaves_the_learner_as_it_was(name, play):
    learner = LEARNERS[name](5)
    fast = play is olc.play and isinstance(learner, Linear)
    row = 5000 if fast else 200  # far beyond the first chunk, or at least not the first
    game = stream(learner, row + 100, seed=8, noise=0.1, n=5)
    olc.play(learner, game[:100])  # not a fresh one
    before = bits(learner)
    game.X[row, 3] = bad_entry(learner)
    with pytest.raises(ValueError, match=rf"X\[{row}, 3\] = .*: give "):
        play(learner, game)
    assert bits(learner) == before
    assert learner.rounds == 100
    assert len(play(learner, game[:row])) == row  # and it can still play


@both_ways
@pytest.mark.parametrize("name", ["Consistent", "Halving", "StandardOptimal"])
def test_an_unrealizable_stream_leaves_the_learner_as_it_was(name, play):
    learner = LEARNERS[name](4)
    before = bits(learner)
    X = stream(learner, 50, seed=9).X
    y = X[:, 0].astype(int)
    X[40:], y[40:] = X[0], -y[0]
    with pytest.raises(ValueError, match="realizable"):
        play(learner, X, y)
    assert bits(learner) == before


@pytest.mark.parametrize("hook", ["update", "link", "decide"])
@pytest.mark.parametrize("name", ["AveragedPerceptron", "Winnow", "WeightedMajority"])
def test_an_interrupted_game_leaves_the_learner_as_it_was(name, hook, gear):
    learner = LEARNERS[name](2)
    base = getattr(type(learner), hook)

    def impatient(self, *given):
        if self.rounds > 105:
            raise KeyboardInterrupt
        return base(self, *given)

    olc.play(learner, np.ones((100, 2)), np.tile([1, -1], 50))
    learner.__class__ = type("Impatient", (type(learner),), {hook: impatient})
    before = bits(learner)
    for X in (np.ones((20, 2)), csr_array(np.ones((20, 2)))):
        with pytest.raises(KeyboardInterrupt):
            olc.play(learner, X, np.tile([1, -1], 10))
        assert bits(learner) == before


@pytest.mark.parametrize(
    ("X", "y", "error", "words"),
    [
        ([1, 2], [1], ValueError, r"X has 1 dimension: .*X\.reshape\(1, -1\)"),
        ([], [], ValueError, r"X has 1 dimension: .*, np\.empty\(\(0, n\)\) for no"),
        ([[[1]]], [1], ValueError, r"X has 3 dim.*reshape\(len\(X\), -1\)"),
        ([[1, 2, 3]], [1], ValueError, r"X has shape \(1, 3\): .* n = 2 features"),
        (np.empty((2, 0)), [1, 1], ValueError, r"X has shape \(2, 0\): give rows"),
        ([], [], ValueError, "X has 1 dimension"),
        ([[1, 2], [3]], [1, 1], ValueError, "X is not an array of numbers"),
        ([[1, 2]], [1, 1], ValueError, r"y has shape \(2,\) and X has 1 rows"),
        ([[1, 2]], [[1]], ValueError, r"y has shape \(1, 1\).* a row, y\.ravel\(\)"),
        ([[1, 2]], 1, ValueError, r"y has shape \(\)"),
        ([[1, 2]] * 3, [1, -1, 0], ValueError, r"y\[2\] = 0: .*\(map 0 to -1\)"),
        ([[1, 2]] * 2, [1, 2], ValueError, r"y\[1\] = 2: labels are -1 and \+1"),
        ([[1, 2]], [np.nan], ValueError, r"y\[0\] = nan"),
        ([[1, 2]], [0.5], ValueError, r"y\[0\] = 0.5"),
        ([[1, 2]], [False], ValueError, r"y\[0\] = False: .*map 0 to -1"),
        ([[1, 2]], ["a"], TypeError, r"labels are -1 and \+1: np\.where\(y == "),
        ([["a", "b"]], [1], TypeError, "X has dtype <U1: text must .*CountVectorizer"),
        (["a", "b"], [1, 1], TypeError, "text must become numbers .*CountVectorizer"),
        ([{"a": 1}], [1], TypeError, "DictVectorizer makes rows of dicts"),
        ({"a": [1, 2]}, [1], TypeError, "X is a dict: give a table with one row per"),
        ([[1, 2]], {0: 1}, TypeError, r"y is a dict: .*pass list\(y\.values\(\)\)"),
        (iter([[1, 2]]), [1], TypeError, r"X is a list_iterator.* pass list\(X\)"),
        ({(1, 2)}, [1], TypeError, r"X is a set.* no order .* pass list\(X\)"),
        ([[1, 2]], iter([1]), TypeError, r"y is a list_iterator.* pass list\(y\)"),
        pytest.param(
            coo_array([1, 2]),
            [1],
            ValueError,
            "sparse vector: give a sparse matrix",
            marks=pytest.mark.skipif(
                coo_array([1, 2]).ndim == 2, reason="an old SciPy makes it a matrix"
            ),
        ),
        (csr_array([[1, 2j]]), [1], TypeError, "X has dtype complex128"),
        (csr_array([[1, 2, 3]]), [1], ValueError, r"X has shape \(1, 3\): .* n = 2"),
        ([[1, 2]], csr_array([[1]]), TypeError, r"pass y\.toarray\(\)\.ravel\(\)"),
        ([[1, 2j]], [1], TypeError, "X has dtype complex128"),
        ([[1, None]], [1], TypeError, "X has dtype object"),
        ([[1, 2]], None, TypeError, "examples X and their labels y"),
        (None, [1], TypeError, "X is None: give a table with one row per round"),
        ([[1, 1], [1e101, 1]], [1, 1], ValueError, r"X\[1, 0\] = 1e\+101: .*1e\+100"),
        (np.ma.masked_array([[1, 2]]), [1], TypeError, r"masked array.*X\.filled"),
    ],
)
@both_ways
def test_bad_examples_and_labels_are_refused_with_the_remedy(X, y, error, words, play):
    learner = olc.Perceptron(2)
    before = bits(learner)
    with pytest.raises(error, match=words):
        play(learner, X, y)
    assert bits(learner) == before


@pytest.mark.parametrize("learner", [olc.Perceptron, None, "perceptron", 3])
def test_only_a_learner_plays(learner):
    for play in (olc.play, play_one_by_one):
        with pytest.raises(TypeError, match=r"such as Perceptron\(n\), not"):
            play(learner, [[1]], [1])
    with pytest.raises(TypeError, match="learner must be"):
        olc.duel(learner, Cycle(), 1)


def test_a_stream_brings_its_own_labels():
    with pytest.raises(TypeError, match="leave y out"):
        olc.play(olc.Perceptron(1), olc.Stream([[1]], [1]), [1])


@every_learner
def test_many_games_are_each_its_own_game(name):
    def make():
        return LEARNERS[name](6)

    games = [
        stream(make(), rounds, seed, "int8", noise=0.1, n=6)
        for seed, rounds in enumerate([60, 0, 70, 150])
    ]
    for game, trace in zip(games, olc.play_many(make, games), strict=True):
        assert_same_trace(trace, olc.play(make(), game))
        assert trace.stream is game
    assert olc.play_many(make, []) == []


def test_the_memory_order_of_many_games_does_not_matter():
    import pandas as pd

    random = np.random.default_rng(1)
    X = random.choice([0.1, 0.2, 0.3, -0.1, -0.2, -0.3], (200, 33))
    y = random.choice([-1, 1], 200)
    games = [olc.Stream(same, y) for same in (X, pd.DataFrame(X), np.asfortranarray(X))]
    loop = play_one_by_one(olc.Perceptron(33), X, y)
    for trace in olc.play_many(lambda: olc.Perceptron(33), games):
        assert_same_trace(trace, loop)


def test_a_bad_row_in_one_of_many_games_is_named():
    games = [olc.streams.separable(3, 0.1, 90, seed=seed) for seed in range(3)]
    games[1].X[70, 2] = np.nan
    with pytest.raises(ValueError, match=r"X\[70, 2\] = nan"):
        olc.play_many(lambda: olc.Perceptron(3), games)


def test_many_games_need_a_new_learner_each():
    games = [olc.streams.panel(3, 1, 9, seed=seed) for seed in range(2)]
    learner = olc.Perceptron(3)
    with pytest.raises(TypeError, match=r"make_learner must .*lambda: Perceptron\("):
        olc.play_many(learner, games)
    with pytest.raises(ValueError, match="a new learner at every call"):
        olc.play_many(lambda: learner, games)
    with pytest.raises(TypeError, match="Stream"):
        olc.play_many(lambda: olc.Perceptron(3), [games[0].X])
    with pytest.raises(ValueError, match=r"X has shape \(9, 3\).*n = 4"):
        olc.play_many(lambda: olc.Perceptron(4), games)
    with pytest.raises(ValueError, match=r"X has shape \(9, 3\).*n = 4"):
        olc.play_many(lambda: olc.AveragedPerceptron(4), games)
    with pytest.raises(TypeError, match="such as Perceptron"):
        olc.play_many(lambda: object(), games)


# ------------------------------------------------------------------ other containers


def test_lists_tables_and_matrices_are_arrays_too():
    import pandas as pd

    X, y = [[1, 2], [2, 1], [-1, -1], [-1, 1]], [1, 1, -1, -1]
    expected = olc.play(olc.Perceptron(2), np.array(X), np.array(y))
    table = pd.DataFrame(X, columns=["a", "b"])
    with pytest.warns(PendingDeprecationWarning):
        matrix = np.asmatrix(X)
    for same in (X, tuple(map(tuple, X)), table, matrix):
        for labels_too in (y, tuple(y), pd.Series(y), np.array(y, float)):
            trace = olc.play(olc.Perceptron(2), same, labels_too)
            assert_same_trace(trace, expected)
            again = play_one_by_one(olc.Perceptron(2), same, labels_too)
            assert_same_trace(again, expected)


# ------------------------------------------------------------------ long games

MILLION = 1_000_000

LONG = {name: make for name, make in LEARNERS.items() if ", " not in name} | {
    "RandomizedWeightedMajority": lambda n: olc.RandomizedWeightedMajority(n, eta=0.5),
    "Winnow, steep": lambda n: olc.Winnow(n, alpha=1e6),
    "NormalizedWinnow, steep": lambda n: olc.NormalizedWinnow(n, eta=50),
    "BalancedWinnow, steep": lambda n: olc.BalancedWinnow(n, eta=50),
}


def long_game(learner):
    """Return a million rounds that pull the weights to and fro.

    Experts err half of the time. The others meet two thousand labels that contradict
    each other, and now and then one more. What is played round by round, and holds
    no numbers that could grow, meets fewer rounds.
    """
    random = np.random.default_rng(10)
    played_fast = isinstance(learner, Linear)
    rounds = MILLION if played_fast else 20_000
    rows = examples(learner, 64, 10, "int8", n=3)
    if learner.features == "real":
        rows = rows[rows[:, 0] != 0]
    X = rows[random.integers(len(rows), size=rounds)]
    if isinstance(learner, VersionSpace):
        return X, X[:, 0]
    if learner.features == "signs":
        return X, random.choice(np.array([-1, 1], np.int8), rounds)
    y = np.where(X[:, 0] > 0, 1, -1).astype(np.int8)
    noise = np.where(np.arange(rounds) < 2000, 0.5, 1e-4)
    return X, np.where(random.random(rounds) < noise, -y, y)


@pytest.mark.parametrize("name", LONG)
def test_a_million_rounds_neither_overflow_nor_exhaust_the_weights(name):
    learner = LONG[name](3)
    X, y = long_game(learner)
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        trace = olc.play(learner, X, y)
    assert len(trace) == len(X)
    assert np.isfinite(learner.weights).all()
    assert np.abs(learner.weights).max() > 0
    assert np.isfinite(learner.score(X[:100])).all()
    assert np.abs(trace.predictions[-1000:]).sum() > 0
    assert np.abs(trace.predictions).max() == 1


MULTIPLICATIVE = [
    name
    for name, make in LEARNERS.items()
    if isinstance(made := make(3), Linear) and made.features != "signs"
    if type(made).link is not Linear.link
]


@pytest.mark.parametrize("name", MULTIPLICATIVE)
@given(
    state=st.lists(st.integers(-(10**15), 10**15), min_size=3, max_size=3),
    bits_of_x=st.lists(st.integers(0, 1), min_size=3, max_size=3),
    label=st.sampled_from([-1, 1]),
)
def test_weights_stay_finite_however_far_they_went(name, state, bits_of_x, label):
    learner = LEARNERS[name](3)
    learner.state = np.array(state, dtype=float)
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        learner.update(bits_of_x, label)
        assert np.isfinite(learner.weights).all()
        assert np.isfinite(learner.score(np.eye(3))).all()
        assert np.isfinite(learner.score(np.ones(3)))
    started_at_zero = not LEARNERS[name](3).weights.any()
    if learner.state.any() if started_at_zero else max(learner.state) > -100:
        assert np.abs(learner.weights).max() > 0


@pytest.mark.parametrize("alpha", [1 + 1e-12, 1.001, 1.01, 1e10, 1e49])
def test_winnow_takes_every_factor_above_one(alpha):
    learner = olc.Winnow(3, alpha=alpha, threshold=1e3)
    X = np.eye(3, dtype=np.int8)[np.arange(400) % 3]
    y = np.where(np.arange(400) % 2, 1, -1)
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        trace = olc.play(learner, X, y)
        assert np.isfinite(learner.score(np.ones(3)))
    assert_same_trace(trace, play_one_by_one(learner.with_n(3), X, y))
    assert np.isfinite(learner.weights).all()


# ------------------------------------------------------------------ the import


def test_the_package_can_do_without_what_it_does_not_need():
    # the solvers, the ledgers and the pictures alone need more than numpy
    printed = run_alone(
        "import sys;"
        "sys.modules.update(dict.fromkeys(['scipy', 'pandas', 'matplotlib']));"
        "import olc; game = olc.streams.panel(9, k=3, rounds=200, seed=0);"
        "print(olc.play(olc.Perceptron(9), game).mistakes, game.radius)"
    )
    game = olc.streams.panel(9, k=3, rounds=200, seed=0)
    assert printed == [str(olc.play(olc.Perceptron(9), game).mistakes), "3.0"]


def test_a_trace_holds_the_learner_as_it_was_and_not_as_it_is():
    learner = olc.Perceptron(2)
    trace = olc.play(learner, [[1, 2]], [1])
    kept = copy.deepcopy(trace.before)
    olc.play(learner, [[5, 5]], [-1])
    assert bits(trace.before) == bits(kept) == bits(olc.Perceptron(2))
