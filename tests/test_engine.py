"""The fast referee gives the trace of the plain loop, bit for bit, near ties too."""

import tracemalloc

import numpy as np
import pytest
from conftest import (
    DTYPES,
    LEARNERS,
    assert_same_trace,
    bits,
    examples,
    labels,
    stream,
)
from hypothesis import given
from hypothesis import strategies as st

import olc
from olc import _checks, _engine
from olc.game import Linear, play_one_by_one

products = _engine._products
LINEAR = {
    name: make(4) for name, make in LEARNERS.items() if isinstance(make(4), Linear)
}
REAL = [name for name, learner in LINEAR.items() if learner.features == "real"]
BITS = [name for name, learner in LINEAR.items() if learner.features == "bits"]
STEPS = [name for name, learner in LINEAR.items() if _engine.in_step([learner])]

every_learner = pytest.mark.parametrize("name", LEARNERS)
every_dtype = pytest.mark.parametrize("dtype", DTYPES)


def assert_play_is_the_loop(make, X, y):
    """Play fast and slowly; compare the traces and what became of the learners."""
    slow, fast = make(), make()
    slow_trace, fast_trace = play_one_by_one(slow, X, y), olc.play(fast, X, y)
    assert_same_trace(slow_trace, fast_trace)
    assert slow.weights.tobytes() == fast.weights.tobytes()
    assert bits(slow) == bits(fast)
    return fast_trace


def test_every_learner_of_the_package_is_played_here():
    public = {getattr(olc, name) for name in olc.__all__}
    learners = {
        thing
        for thing in public
        if isinstance(thing, type) and issubclass(thing, olc.Learner)
    }
    assert {type(make(4)) for make in LEARNERS.values()} == learners - {olc.Learner}


# ------------------------------------------------------------------ types, layouts


def layouts(X, folder):
    """Yield the same rows in all the ways in which an array may lie in memory."""
    yield np.ascontiguousarray(X)
    yield np.asfortranarray(X)
    wide = np.zeros((2 * len(X), 2 * X.shape[1]), X.dtype)
    wide[::2, ::2] = X
    yield wide[::2, ::2]
    yield np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1]
    X.tofile(folder / "X")
    yield np.memmap(folder / "X", X.dtype, mode="r", shape=X.shape)
    yield np.memmap(folder / "X", X.dtype, mode="r", shape=X.shape)[:, :]
    if X.dtype.itemsize > 1:
        yield X.astype(X.dtype.newbyteorder())


@every_dtype
@every_learner
def test_no_type_and_no_layout_changes_the_game(name, dtype, tmp_path):
    def make():
        return LEARNERS[name](6)

    X = examples(make(), 120, seed=1, dtype=dtype)
    y = labels(make(), X, seed=1, noise=0.2)
    loop = play_one_by_one(slow := make(), X, y)
    for same in layouts(X, tmp_path):
        trace = olc.play(fast := make(), same, y)
        assert_same_trace(trace, loop)
        assert bits(fast) == bits(slow)


@pytest.mark.parametrize("noise", [0.0, 0.01, 0.5])
@every_learner
def test_sparse_and_dense_mistakes_are_played_alike(name, noise):
    def make():
        return LEARNERS[name](10)

    game = stream(make(), 700, seed=3, noise=noise)
    assert_play_is_the_loop(make, game.X, game.y)


@pytest.mark.parametrize("n", [1, 2, 17])
@every_learner
def test_small_dimensions_are_played_alike(name, n):
    def make():
        return LEARNERS[name](n)

    game = stream(make(), 257, seed=n, dtype="int8", noise=0.1, n=n)
    assert_play_is_the_loop(make, game.X, game.y)


@pytest.mark.parametrize("chunk", [1, 20, 1000])
@every_learner
def test_the_size_of_a_chunk_does_not_matter(name, chunk, monkeypatch):
    def make():
        return LEARNERS[name](5)

    game = stream(make(), 150, seed=4, noise=0.1)
    loop = play_one_by_one(make(), game)
    monkeypatch.setattr(_checks, "CHUNK", chunk)
    monkeypatch.setattr(_engine, "BLOCK", chunk)
    for X in (game.X, np.asfortranarray(game.X)):
        assert_same_trace(olc.play(make(), X, game.y), loop)


@pytest.mark.parametrize("dtype", ["int8", "float32", "float64"])
@pytest.mark.parametrize("name", ["Perceptron", "NormalizedWinnow", "Winnow"])
def test_a_stream_of_many_chunks_is_played_as_the_loop_does(name, dtype):
    def make():
        return LEARNERS[name](300)

    game = stream(make(), 3000, seed=6, dtype=dtype, noise=0.005)
    assert game.X.size > 3 * _checks.CHUNK > 1.2 * _engine.BLOCK
    assert_play_is_the_loop(make, game.X, game.y)


def test_a_row_longer_than_a_chunk_is_played():
    n = max(_checks.CHUNK, _engine.BLOCK) + 5
    X = np.random.default_rng(0).normal(size=(3, n))
    assert_play_is_the_loop(lambda: olc.Perceptron(n), X, [1, -1, 1])


@every_learner
def test_two_halves_of_a_game_are_the_whole(name):
    game = stream(LEARNERS[name](7), 300, seed=8, noise=0.1, n=7)
    whole, halves = LEARNERS[name](7), LEARNERS[name](7)
    trace = olc.play(whole, game)
    first, second = olc.play(halves, game[:131]), olc.play(halves, game[131:])
    together = np.concatenate([first.predictions, second.predictions])
    assert np.array_equal(trace.predictions, together)
    assert bits(whole) == bits(halves)
    assert halves.rounds == 300
    assert second.before.rounds == 131


@every_learner
def test_a_game_of_no_rounds_changes_nothing(name):
    learner = LEARNERS[name](4)
    before = bits(learner)
    trace = olc.play(learner, np.empty((0, 4)), [])
    assert len(trace) == trace.mistakes == len(trace.updates) == 0
    assert trace.expected_mistakes == 0
    assert bits(learner) == before


# ------------------------------------------------------------------ ties, near-ties


@given(
    name=st.sampled_from(list(LEARNERS)),
    n=st.integers(1, 6),
    seed=st.integers(0, 2**32),
    dtype=st.sampled_from(["int8", "int64", "float16", "float32", "float64"]),
    most=st.sampled_from([1, 2, 100]),
    noise=st.sampled_from([0, 0.02, 0.5]),
)
def test_exact_ties_of_whole_numbers(name, n, seed, dtype, most, noise):
    def make():
        return LEARNERS[name](n)

    if LEARNERS[name](n).features == "real":
        X = np.random.default_rng(seed).integers(-most, most + 1, (300, n))
    else:
        X = examples(make(), 300, seed, n=n)
    y = labels(make(), X, seed, noise)
    assert_play_is_the_loop(make, X.astype(dtype), y)


class Brink:
    """Choose rows whose score is within a few ulps of where the learner decides.

    The labels are the learner's own predictions, but for a few: so mistakes are as
    rare as `noise`, and a wrong decision anywhere shows. `gaps` are the distances
    from the edge in units of |w||x|.
    """

    def __init__(self, seed, noise, dtype, scale=1.0, cancel=0.0):
        self.random, self.noise = np.random.default_rng(seed), noise
        self.dtype, self.scale, self.cancel = np.dtype(dtype), scale, cancel
        self.gaps = []

    def __call__(self, learner):
        random, weights = self.random, learner.weights
        peak = np.abs(weights).max() or 1.0
        unit, edges = weights / peak, learner.margin * np.array([-1, 0, 0, 1])
        edge = learner.threshold + random.choice(edges)
        if abs(edge) > 1e6 * peak:  # out of reach of such weights
            edge = 0.0
        x = random.normal(size=learner.n)
        if self.cancel:  # large entries that (nearly) cancel
            i, j = random.choice(learner.n, 2)
            x[i] += self.cancel * unit[j]
            x[j] -= self.cancel * unit[i]
        x *= self.scale
        if unit.any():
            x += (edge / peak - unit @ x) / (unit @ unit) * unit
        x = x.astype(self.dtype)
        if random.random() < 0.5:  # a nudge of one ulp
            i = random.integers(learner.n)
            x[i] = np.nextafter(x[i], random.choice([-1, 1]) * self.dtype.type(np.inf))
        size = peak * np.linalg.norm(unit) * np.linalg.norm(x) + abs(edge)
        self.gaps.append(abs(float(learner.score(x)) - edge) / (size or 1.0))
        y = int(learner.predict(x)) or 1
        wrong = random.random() < self.noise or not unit.any()  # from 0 it sets out
        return x, -y if wrong else y


def assert_duel_can_be_replayed(make, brink, rounds=250):
    """A duel is played by the plain loop; `play` must get the same from its stream."""
    learner = make()
    duel = olc.duel(learner, brink, rounds)
    X = duel.stream.X.astype(brink.dtype)
    again = make()
    assert_same_trace(olc.play(again, X, duel.stream.y), duel)
    assert bits(again) == bits(learner)


def backwards(rows, others, out=None):
    """Sum in single precision from the last to the first, as some machine may."""
    if rows.dtype == np.float64:
        return products(rows, others, out=out)
    sums = np.cumsum((rows * others)[:, ::-1], axis=1)[:, -1]
    return sums if out is None else np.copyto(out, sums) or out


@pytest.mark.parametrize("noise", [0.01, 0.3])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", REAL)
def test_scores_within_ulps_of_the_edge(name, dtype, noise):
    for n in (2, 5, 33):
        brink = Brink(n, noise, dtype)
        assert_duel_can_be_replayed(lambda n=n: LEARNERS[name](n), brink)
        assert np.median(brink.gaps) < np.finfo(dtype).eps


@pytest.mark.parametrize("noise", [0.01, 0.3])
@pytest.mark.parametrize("name", REAL)
def test_single_precision_may_sum_in_any_order(name, noise, monkeypatch):
    monkeypatch.setattr(_engine, "_products", backwards)
    for n in (5, 33, 300):
        brink = Brink(n, noise, "float32")
        assert_duel_can_be_replayed(lambda n=n: LEARNERS[name](n), brink)


@given(
    name=st.sampled_from(REAL),
    n=st.integers(2, 40),
    seed=st.integers(0, 2**32),
    dtype=st.sampled_from(["float32", "float64"]),
    noise=st.sampled_from([0.01, 0.1, 0.5]),
    scale=st.sampled_from([1, 1e-3, 1e3, 1e8]),
    cancel=st.sampled_from([0, 1, 1e4, 1e9, 1e16]),
)
def test_near_ties_of_any_scale(name, n, seed, dtype, noise, scale, cancel):
    brink = Brink(seed, noise, dtype, scale, cancel)
    assert_duel_can_be_replayed(lambda: LEARNERS[name](n), brink)


@pytest.mark.parametrize("scale", [1e-300, 1e-170, 1e-150, 1e-40, 1e-26, 1e-22])
@pytest.mark.parametrize("name", REAL)
def test_tiny_features_are_told_apart(name, scale):
    def make():
        return LEARNERS[name](4)

    def make_experienced():
        learner = LEARNERS[name](9)
        learner._set(np.random.default_rng(6).normal(size=9))
        return learner

    random = np.random.default_rng(5)
    dtype = np.float32 if scale > 1e-45 else np.float64
    X = random.integers(-2, 3, (300, 4)) + random.normal(size=(300, 4)) * 1e-7
    y = labels(make(), X, seed=5, noise=0.02)
    assert_play_is_the_loop(make, (X * scale).astype(dtype), y)
    assert_duel_can_be_replayed(make_experienced, Brink(5, 0.02, dtype, scale))


@pytest.mark.parametrize("rate", [1e-300, 1e-170, 1e-150, 1e-40, 1e-25])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_tiny_weights_are_told_apart(dtype, rate):
    for noise in (0.01, 0.3):
        brink = Brink(6, noise, dtype)
        assert_duel_can_be_replayed(lambda: olc.Perceptron(9, rate=rate), brink)


@pytest.mark.parametrize("largest", [65504, 1e30, 3.4e38, 1e77, 1e100])
@pytest.mark.parametrize("name", REAL)
def test_huge_features_are_played_without_overflow(name, largest):
    def make():
        return LEARNERS[name](3)

    random = np.random.default_rng(7)
    X = random.uniform(-1, 1, (400, 3)) * 10.0 ** -random.integers(0, 40, (400, 1))
    X = X * largest
    X[0] = largest
    dtype = np.float32 if largest < 3.5e38 else np.float64
    y = labels(make(), X / largest, seed=7, noise=0.1)
    trace = assert_play_is_the_loop(make, X.astype(dtype), y)
    assert np.isfinite(trace.before.weights).all()


@pytest.mark.parametrize("name", REAL)
def test_entries_that_cancel_are_summed_as_the_loop_sums_them(name):
    def make():
        return LEARNERS[name](5)

    random = np.random.default_rng(11)
    X = np.tile([1e16, -1e16 + 2, 1.0, -1.0, 3e15], (800, 1))
    X = random.permuted(X, axis=1) * random.choice([-1.0, 1.0], (800, 1))
    y = random.choice([-1, 1], 800, p=[0.05, 0.95])
    assert_play_is_the_loop(make, X, y)
    assert_play_is_the_loop(make, X.astype(np.float32), y)


def test_weights_from_a_huge_block_survive_a_tiny_one(monkeypatch):
    monkeypatch.setattr(_engine, "BLOCK", 12)
    random = np.random.default_rng(12)
    X = random.normal(size=(600, 3)) * np.repeat([3e37, 1e-37], 300)[:, None]
    y = labels(olc.Perceptron(3), X, seed=2, noise=0.1)
    assert_play_is_the_loop(lambda: olc.Perceptron(3, rate=50), X.astype("f4"), y)


@pytest.mark.parametrize("dtype", ["int8", "int16", "uint8", "uint16"])
def test_a_type_much_wider_than_its_entries_is_measured(dtype, monkeypatch):
    monkeypatch.setattr(_engine, "BLOCK", 60 * 500)
    monkeypatch.setattr(_engine, "VAIN", 1)
    random = np.random.default_rng(15)
    X = random.integers(0, 2, (3000, 60)).astype(dtype)
    y = np.where(X[:, 0] > 0, 1, -1)
    calls, measured = [], _engine.Block.measured
    monkeypatch.setattr(
        _engine.Block, "measured", lambda block: calls.append(1) or measured(block)
    )
    assert_play_is_the_loop(lambda: olc.MarginPerceptron(60, margin=0.5), X, y)
    assert (len(calls) > 1) == (dtype in ("int16", "uint16"))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e200])
@pytest.mark.parametrize("row", [0, 70, 2990])
def test_a_number_that_is_not_finite_is_refused_wherever_it_stands(row, bad):
    game = olc.streams.separable(5, margin=0.2, rounds=3000, seed=3)
    learner = olc.Perceptron(5, start=game.target * [1, 1, 0, 1, 1])
    X, y = game.X.copy(), game.y.copy()
    X[row, 2] = bad
    y[row] *= -1 if bad == 1e200 and learner.predict(X[row] / 1e200) == y[row] else 1
    before = bits(learner)
    with pytest.raises(ValueError, match=rf"X\[{row}, 2\]"):
        olc.play(learner, X, y)
    assert bits(learner) == before


@pytest.mark.parametrize("kind", ["<i8", "<u8"])
def test_whole_numbers_beyond_53_bits_are_rounded_as_floats(kind):
    random = np.random.default_rng(13)
    low = 0 if kind == "<u8" else -(2**62)
    X = random.integers(low, 2**62, (300, 3), dtype=kind)
    y = random.choice([-1, 1], 300)
    assert_play_is_the_loop(lambda: olc.Perceptron(3), X, y)
    assert_play_is_the_loop(lambda: olc.MarginPerceptron(3, margin=1e36), X, y)


@given(
    name=st.sampled_from(BITS),
    n=st.integers(1, 9),
    seed=st.integers(0, 2**32),
    dtype=st.sampled_from(DTYPES),
    noise=st.sampled_from([0, 0.02, 0.5]),
)
def test_bits_hit_the_threshold_exactly(name, n, seed, dtype, noise):
    def make():
        return LEARNERS[name](n)

    X = examples(make(), 300, seed, dtype)
    trace = assert_play_is_the_loop(make, X, labels(make(), X, seed, noise))
    assert set(trace.predictions.tolist()) <= {-1, 1}


@pytest.mark.parametrize(("strict", "mistakes"), [(False, 0), (True, 1)])
def test_winnow_at_its_threshold_is_decided_by_the_rule(strict, mistakes):
    X = np.ones((1000, 7))
    trace = olc.play(olc.Winnow(7, strict=strict), X, np.ones(1000))
    assert trace.mistakes == mistakes


def test_a_margin_that_is_met_exactly_is_an_update():
    X, y = np.full((1000, 1), 0.5), np.ones(1000)
    learner = olc.MarginPerceptron(1, margin=1)
    trace = olc.play(learner, X, y)
    assert trace.updates.tolist() == [0, 1, 2, 3, 4]  # at weight 2 the score is 1
    assert trace.rounds.tolist() == [0]


# ------------------------------------------------------------------ majorities


@given(
    n=st.integers(1, 12),
    seed=st.integers(0, 2**32),
    eta=st.sampled_from([1e-17, 1e-9, 0.01, 0.3, 0.5, 0.9, 1 - 1e-9, 1 - 2**-53]),
    error=st.sampled_from([0.1, 0.5, 0.9]),
    randomized=st.booleans(),
    rounds=st.sampled_from([1, 7, 8, 9, 500]),
)
def test_majorities_count_every_vote(n, seed, eta, error, randomized, rounds):
    def make():
        if randomized:
            return olc.RandomizedWeightedMajority(n, eta=eta, seed=seed)
        return olc.WeightedMajority(n, eta=eta)

    game = olc.streams.experts(n, rounds, seed, error)
    assert_play_is_the_loop(make, game.X, game.y)


@pytest.mark.parametrize("eta", [0.5, 0.3])
@pytest.mark.parametrize("n", [2, 16])
def test_a_balanced_vote_is_no_prediction(n, eta):
    # experts in pairs that always disagree, and the label takes turns: all stay even
    X = np.tile([1, -1], (400, n // 2))
    y = np.tile([1, -1], 200)
    trace = assert_play_is_the_loop(lambda: olc.WeightedMajority(n, eta=eta), X, y)
    assert (trace.predictions[::2] == 0).all()
    assert trace.mistakes >= 200


def test_a_game_of_experts_goes_on_from_any_losses():
    game = olc.streams.experts(5, 3000, seed=3, error=0.5)
    for eta in (0.999, 0.5, 0.01):
        one, other = (olc.WeightedMajority(5, eta=eta) for _ in range(2))
        one.losses = other.losses = np.array([10**6, 10**6 + 3, 0, 10**9, 7])
        slow, fast = play_one_by_one(one, game), olc.play(other, game)
        assert_same_trace(slow, fast)


# ------------------------------------------------------------------ many games


@pytest.mark.parametrize("dtype", ["int8", "float32", "float64"])
@every_learner
def test_many_games_are_each_its_own_game(name, dtype):
    def make():
        return LEARNERS[name](6)

    games = [
        stream(make(), rounds, seed, dtype, noise=0.1, n=6)
        for seed, rounds in enumerate([60, 70, 60, 150])
    ]
    together = olc.play_many(make, games)
    for game, trace in zip(games, together, strict=True):
        assert_same_trace(trace, olc.play(make(), game))
        assert trace.stream is game
        assert all(step.t in trace.updates for step in trace.replay())


@pytest.mark.parametrize("name", STEPS)
def test_many_games_near_ties(name, monkeypatch):
    monkeypatch.setattr(_engine, "_products", backwards)

    def make():
        learners.append(LEARNERS[name](9))
        return learners[-1]

    learners = []
    if make().features == "real":
        games = [
            olc.duel(make(), Brink(seed, 0.1, "float64"), 200).stream
            for seed in range(4)
        ]
    else:
        games = [stream(make(), 200, seed, noise=0.1) for seed in range(4)]
    traces = olc.play_many(make, games)
    for game, trace, learner in zip(games, traces, learners[-4:], strict=True):
        alone = make()
        assert_same_trace(trace, olc.play(alone, game))
        assert bits(alone) == bits(learner)


class WholeBrink:
    """Choose whole numbers whose score is as near to 0 as the last of them allows."""

    def __init__(self, seed, most):
        self.random, self.most = np.random.default_rng(seed), most

    def __call__(self, learner):
        weights = learner.weights
        x = self.random.integers(-self.most, self.most + 1, learner.n).astype(float)
        if weights[-1]:
            x[-1] = np.rint(-(weights[:-1] @ x[:-1]) / weights[-1])
            if abs(x[-1]) > self.most:
                x[-1] = 1
        y = int(learner.predict(x)) or 1
        return x, -y if self.random.random() < 0.05 or not weights.any() else y


@pytest.mark.parametrize("most", [1, 100, 10**4, 10**6, 10**9, 10**15])
def test_whole_numbers_are_summed_exactly_or_looked_at(most, monkeypatch):
    monkeypatch.setattr(_engine, "_products", backwards)
    duels = [
        olc.duel(olc.Perceptron(7), WholeBrink(seed, most), 250) for seed in (1, 2)
    ]
    games = [olc.Stream(duel.stream.X.astype(int), duel.stream.y) for duel in duels]
    for duel, game in zip(duels, games, strict=True):
        assert_same_trace(olc.play(olc.Perceptron(7), game), duel)
    for duel, trace in zip(
        duels, olc.play_many(lambda: olc.Perceptron(7), games), strict=True
    ):
        assert_same_trace(trace, duel)


class Reach(olc.Perceptron):
    """A Perceptron that says +1 where its score reaches a threshold."""

    def _decide(self, score):
        return np.where(score >= 2, 1, -1).astype(np.int8)


class Timid(olc.WeightedMajority):
    """A majority that says +1 only where two thirds do."""

    def _decide(self, score):
        return np.where(score >= 1 / 3, 1, -1).astype(np.int8)


def test_a_majority_of_ones_own_is_played_by_its_own_rules():
    game = olc.streams.experts(5, 300, seed=3, error=0.4)
    assert_play_is_the_loop(lambda: Timid(5, eta=0.3), game.X, game.y)


@pytest.mark.parametrize("dtype", ["int8", "int64", "float32", "float64"])
def test_a_learner_of_ones_own_is_played_by_its_own_rules(dtype):
    random = np.random.default_rng(14)
    games = [
        olc.Stream(
            random.integers(-1, 2, (300, 3)).astype(dtype),
            random.choice([-1, 1], 300, p=[0.3, 0.7]),
        )
        for _ in range(5)
    ]
    for game, trace in zip(games, olc.play_many(lambda: Reach(3), games), strict=True):
        alone = assert_play_is_the_loop(lambda: Reach(3), game.X, game.y)
        assert_same_trace(trace, alone)


def test_learners_move_in_step_only_if_they_are_alike():
    a, b = olc.Perceptron(3), olc.Perceptron(3, rate=0.5)
    assert _engine.in_step([a, olc.Perceptron(3)])
    assert not _engine.in_step([a, b])
    assert not _engine.in_step([a, olc.MarginPerceptron(3, margin=0)])
    assert not _engine.in_step([olc.AveragedPerceptron(3)])
    assert not _engine.in_step([olc.WeightedMajority(3, eta=0.5)])


def test_many_games_of_learners_that_differ():
    rates = iter([1.0, 0.5, 2.0])
    games = [olc.streams.panel(5, 3, 80, seed=seed) for seed in range(3)]
    traces = olc.play_many(lambda: olc.MarginPerceptron(5, 1.5, next(rates)), games)
    for rate, game, trace in zip([1.0, 0.5, 2.0], games, traces, strict=True):
        alone = olc.play(olc.MarginPerceptron(5, margin=1.5, rate=rate), game)
        assert_same_trace(trace, alone)


def test_no_games_and_games_without_rounds():
    assert olc.play_many(lambda: olc.Perceptron(3), []) == []
    empty = olc.Stream(np.empty((0, 3)), [])
    full = olc.streams.panel(3, 1, 20, seed=0)
    traces = olc.play_many(lambda: olc.Perceptron(3), [empty, full])
    assert [len(trace) for trace in traces] == [0, 20]
    assert_same_trace(traces[1], olc.play(olc.Perceptron(3), full))


def test_a_bad_row_in_one_of_many_games_is_refused():
    games = [olc.streams.separable(3, 0.1, 50, seed=seed) for seed in range(3)]
    X = games[1].X.copy()
    X[40, 2] = np.nan
    games[1] = olc.Stream(X, games[1].y)
    with pytest.raises(ValueError, match=r"X\[40, 2\] = nan"):
        olc.play_many(lambda: olc.Perceptron(3), games)


def test_whole_features_of_many_games_are_checked_too():
    class Bits(olc.Perceptron):
        features = "bits"

    games = [olc.Stream([[0, 1], [1, 2]], [1, -1])] * 2
    with pytest.raises(ValueError, match=r"X\[1, 1\] = 2"):
        olc.play_many(lambda: Bits(2), games)


def test_many_games_of_huge_features_start_with_mistakes():
    X = np.full((5, 2), 1e100)
    traces = olc.play_many(lambda: olc.Perceptron(2), [olc.Stream(X, np.ones(5))] * 2)
    assert [trace.rounds.tolist() for trace in traces] == [[0], [0]]


# ------------------------------------------------------------------ memory


@pytest.mark.parametrize("dtype", ["int8", "float32", "float64"])
@pytest.mark.parametrize("name", ["Perceptron", "Winnow", "WeightedMajority"])
def test_a_mapped_stream_is_never_copied_whole(name, dtype, tmp_path):
    rounds, n = 20_000, 512
    learner = LEARNERS[name](n)
    mapped = np.memmap(tmp_path / "X", dtype, "w+", shape=(rounds, n))
    mapped[:] = np.tile(examples(learner, 100, seed=1, dtype="int8"), (200, 1))
    y = np.where(mapped[:, 0] > 0, 1, -1).astype(np.int8)
    game = olc.Stream(mapped, y)
    assert np.shares_memory(game.X, mapped)
    tracemalloc.start()
    try:
        trace = olc.play(learner, game)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(trace) == rounds
    # a few numbers a round for the trace, a few chunks to look at
    assert peak < 8_000_000 < rounds * n
    assert peak < 26 * _checks.CHUNK + 25 * rounds


def test_rounds_at_the_threshold_cost_no_memory_each():
    X, y = np.ones((20_000, 4), np.int8), np.ones(20_000, np.int8)
    tracemalloc.start()
    try:
        trace = olc.play(olc.Winnow(4), X, y)  # the score is the threshold
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert trace.mistakes == 0
    assert peak < 1_000_000


@pytest.mark.parametrize("products", [products, _engine._by_rows])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_products_by_rows_have_the_bits_of_the_loop(dtype, products):
    # The reason why double precision needs no close look; one product does need it.
    random, apart = np.random.default_rng(0), 0
    for n in [*range(1, 70), 127, 128, 1000, 4097, 10_001]:
        X = random.normal(size=(9, n)).astype(dtype)
        w = random.normal(size=n + 1).astype(dtype)[1:]  # not where a vector starts
        loop = np.array([x @ w for x in X])
        assert np.array_equal(products(X, w), loop)
        assert np.array_equal(products(X, w, out=np.empty(9, dtype)), loop)
        assert np.array_equal(products(X, np.tile(w, (9, 1))), loop)
        assert np.array_equal(loop, [w.dot(x) for x in X])
        apart += np.any(X @ w != loop)
    assert apart > 30
