"""Both gears give the trace of the plain loop, bit for bit, near ties too."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from helpers import (
    DTYPES,
    LEARNERS,
    assert_play_is_the_loop,
    assert_same_trace,
    bits,
    examples,
    in_gear,
    labels,
    run_alone,
    stream,
)
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import olc
from olc.core import check
from olc import play_one_by_one
from olc.core.learner import Linear
from olc.fast import engine

LINEAR = {name: make(4) for name, make in LEARNERS.items()}
LINEAR = {name: made for name, made in LINEAR.items() if isinstance(made, Linear)}
REAL = [name for name, made in LINEAR.items() if made.features == "real"]
BITS = [name for name, made in LINEAR.items() if made.features == "bits"]

every_learner = pytest.mark.parametrize("name", LEARNERS)


every_real_one = pytest.mark.parametrize("name", REAL)

# One learner for each way through the engine: these play every form of every type. The
# others play every form of one type, and one form besides the plain one of every type
# that a kernel reads as it lies.
WAYS = [
    "Perceptron",
    "MarginPerceptron",
    "AveragedPerceptron",
    "PNormPerceptron",
    "Winnow",
    "NormalizedWinnow",
    "WeightedMajority",
    "Halving",
    "KernelPerceptron",
]


def every_learner_and_type(dtypes):
    """Share the games out among the workers, all of one type to one of them."""
    return pytest.mark.parametrize(
        ("name", "dtype"),
        [
            pytest.param(name, dtype, marks=pytest.mark.xdist_group(dtype))
            for name in LEARNERS
            for dtype in dtypes
            if name in WAYS or np.dtype(dtype).str[1:] in engine.COMPILED
        ],
    )


def forms(name, dtype, same):
    """Return the other forms of the rows that this learner is to play."""
    return same if name in WAYS or dtype == "float64" else [next(same)]


# ------------------------------------------------------------------ types, layouts


def layouts(X, folder):
    """Yield the same rows in all the ways in which an array may lie in memory."""
    yield np.asfortranarray(X)
    wide = np.zeros((2 * len(X), 2 * X.shape[1]), X.dtype)
    wide[::2, ::2] = X
    yield wide[::2, ::2]
    yield np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1]
    X.tofile(folder / "X")
    yield np.memmap(folder / "X", X.dtype, mode="r", shape=X.shape)
    if X.dtype.itemsize > 1:
        yield X.astype(X.dtype.newbyteorder())
    yield pd.DataFrame(X)


@every_learner_and_type(DTYPES)
def test_no_type_and_no_layout_changes_the_game(name, dtype, tmp_path):
    learner = LEARNERS[name](6)
    X = examples(learner, 120, seed=1, dtype=dtype)
    y = labels(learner, X, seed=1, noise=0.2)
    same = forms(name, dtype, layouts(X, tmp_path))
    assert_play_is_the_loop(lambda: LEARNERS[name](6), X, y, *same)


def sparse_forms(X):
    """Yield the same rows in all the ways in which a sparse matrix may be given."""
    rows = sparse.csr_array(X)
    yield rows
    yield sparse.csr_matrix(X)
    yield sparse.csc_array(X)
    if X.dtype == float:  # indices of 64 bits need another kernel for every type
        wide = rows.copy()
        wide.indices, wide.indptr = wide.indices.astype("q"), wide.indptr.astype("q")
        yield wide
    entries, at = np.indices(X.shape, "i").reshape(2, -1)  # zeros are stored too
    ends = X.shape[1] * np.arange(len(X) + 1, dtype="i")
    yield sparse.coo_array((X.ravel(), (entries, at)), X.shape)
    yield sparse.csr_array((X.ravel(), at, ends), X.shape)
    back = at[::-1].copy()  # the columns in no order
    yield sparse.csr_array((X[:, ::-1].ravel(), back, ends), X.shape)
    if X.dtype != bool:  # every entry stands twice, and one of the two counts
        twice = np.concatenate([X.ravel(), 0 * X.ravel()])
        places = np.tile(entries, 2), np.tile(at, 2)
        yield sparse.coo_array((twice, places), X.shape)
        beside = np.stack([X, 0 * X], 2).ravel()
        yield sparse.csr_array((beside, np.repeat(at, 2), 2 * ends), X.shape)


@every_learner_and_type(["bool", "int8", "int64", "float32", "float64"])
def test_sparse_examples_are_played_as_the_dense_ones(name, dtype):
    learner = LEARNERS[name](7)
    X = examples(learner, 150, seed=2, dtype=dtype, n=7)
    if learner.features != "signs":
        X[np.random.default_rng(2).random(X.shape) < 0.6] = 0
        X[::10] = 0
    y = labels(learner, X, seed=2, noise=0.2)
    same = forms(name, dtype, sparse_forms(X))
    assert_play_is_the_loop(lambda: LEARNERS[name](7), X, y, *same)


def test_a_sparse_stream_is_not_changed_by_the_game():
    twice = sparse.csr_array(([1.0, 2.0], [1, 1], [0, 2]), (1, 3))
    olc.play(olc.Perceptron(3), twice, [1])
    assert twice.data.tolist() == [1.0, 2.0]
    X = sparse.random(50, 9, density=0.3, format="csr", random_state=1)
    assert olc.Stream(X, np.ones(50)).X is X


@every_learner
def test_rare_and_dense_mistakes_are_played_alike(name):
    for n, noise in [(1, 0.1), (2, 0.5), (10, 0), (10, 0.01), (17, 0.1), (17, 0.5)]:
        game = stream(LEARNERS[name](n), 301, seed=n, noise=noise, n=n)
        same = (sparse.csr_array(game.X),)
        assert_play_is_the_loop(lambda n=n: LEARNERS[name](n), game.X, game.y, *same)


@pytest.mark.parametrize("chunk", [1, 20, 1000])
@every_learner
def test_the_size_of_a_chunk_does_not_matter(name, chunk, monkeypatch):
    game = stream(LEARNERS[name](5), 150, seed=4, noise=0.1)
    monkeypatch.setattr(check, "CHUNK", chunk)
    monkeypatch.setattr(engine, "LONG", chunk)
    same = np.asfortranarray(game.X), sparse.csr_array(game.X)
    assert_play_is_the_loop(lambda: LEARNERS[name](5), game.X, game.y, *same)


@pytest.mark.parametrize("reach", [1, 2, 5])
@pytest.mark.parametrize("name", BITS)
def test_a_state_may_leave_the_table_and_come_back(name, reach, monkeypatch):
    game = stream(LEARNERS[name](6), 300, seed=reach, dtype="int8", noise=0.3)
    monkeypatch.setattr(engine, "REACH", reach)
    same = game.X.astype(float), sparse.csr_array(game.X)
    assert_play_is_the_loop(lambda: LEARNERS[name](6), game.X, game.y, *same)


@pytest.mark.parametrize("dtype", ["int8", "float32", "float64"])
@pytest.mark.parametrize(
    "name", ["Perceptron", "NormalizedWinnow", "Winnow", "WeightedMajority"]
)
def test_a_stream_of_many_chunks_is_played_as_the_loop_does(name, dtype):
    game = stream(LEARNERS[name](300), 3000, seed=6, dtype=dtype, noise=0.005)
    assert game.X.size > 3 * check.CHUNK
    assert_play_is_the_loop(lambda: LEARNERS[name](300), game.X, game.y)


def test_a_row_longer_than_a_chunk_is_played():
    n = check.CHUNK + 5
    X = np.random.default_rng(0).normal(size=(3, n))
    assert_play_is_the_loop(lambda: olc.Perceptron(n), X, [1, -1, 1])


@every_learner
def test_two_halves_of_a_game_are_the_whole(name, gear):
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
def test_a_game_of_no_rounds_changes_nothing(name, gear):
    for X in (np.empty((0, 4)), sparse.csr_array((0, 4))):
        learner = LEARNERS[name](4)
        before = bits(learner)
        trace = olc.play(learner, X, [])
        assert len(trace) == trace.mistakes == len(trace.updates) == 0
        assert trace.expected_mistakes == 0
        assert bits(learner) == before


@pytest.mark.parametrize("linked", [None, "int", "bool", "float32"])
@pytest.mark.parametrize("begun", ["int", "float32", "float64"])
def test_states_and_weights_may_be_of_any_kind(begun, linked):
    class Odd(olc.Linear):
        def start(self):
            return np.zeros(self.n, begun)

        if linked:

            def link(self, state):
                return state.astype(linked)

    game = stream(Odd(6), 200, seed=3, noise=0.1)
    assert_play_is_the_loop(lambda: Odd(6), game.X, game.y, sparse.csr_array(game.X))


def test_a_sparse_matrix_whose_columns_do_not_exist_is_refused():
    for column in (-1, 9):
        X = sparse.csr_array(np.eye(9))
        X.indices[4] = column
        with pytest.raises(ValueError, match="X is no sound CSR matrix"):
            olc.play(olc.Perceptron(9), X, np.ones(9))


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
    X = examples(LEARNERS[name](n), 300, seed, n=n)
    if LEARNERS[name](n).features == "real":
        X = np.random.default_rng(seed).integers(-most, most + 1, (300, n))
    y = labels(LEARNERS[name](n), X, seed, noise)
    same = [] if dtype == "float16" else [sparse.csr_array(X.astype(dtype))]
    assert_play_is_the_loop(lambda: LEARNERS[name](n), X.astype(dtype), y, *same)


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
        tau = getattr(learner, "thickness", 0.0)
        unit, edges = weights / peak, tau * np.array([-1, 0, 0, 1])
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
        x[np.abs(x) < 1e-100] = 0
        size = peak * np.linalg.norm(unit) * np.linalg.norm(x) + abs(edge)
        self.gaps.append(abs(float(learner.score(x)) - edge) / (size or 1.0))
        y = int(learner.predict(x)) or 1
        wrong = random.random() < self.noise or not unit.any()  # from 0 it sets out
        return x, -y if wrong else y


class WholeBrink:
    """Choose whole numbers whose score is as near to 0 as the last of them allows."""

    dtype = np.dtype(int)

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


def assert_duel_can_be_replayed(make, brink, rounds=160):
    """A duel is played by the plain loop; `play` must get the same from its stream."""
    duel = olc.duel(make(), brink, rounds)
    X = duel.stream.X.astype(brink.dtype)
    loop = assert_play_is_the_loop(make, X, duel.stream.y, sparse.csr_array(X))
    assert_same_trace(loop, duel)


@pytest.mark.parametrize("noise", [0.01, 0.3])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@every_real_one
def test_scores_within_ulps_of_the_edge(name, dtype, noise):
    for n in (2, 33, 300):
        brink = Brink(n, noise, dtype)
        assert_duel_can_be_replayed(lambda n=n: LEARNERS[name](n), brink)
        assert np.median(brink.gaps) < np.finfo(dtype).eps


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


@pytest.mark.parametrize("most", [1, 100, 10**4, 10**6, 10**9, 10**15])
@pytest.mark.parametrize(
    "name", ["Perceptron", "MarginPerceptron", "ThresholdRelative"]
)
def test_whole_numbers_are_summed_exactly_or_looked_at(name, most):
    for seed in (1, 2):
        assert_duel_can_be_replayed(lambda: LEARNERS[name](7), WholeBrink(seed, most))


@pytest.mark.parametrize("scale", [1e-98, 1e-60, 1e-40, 1e-26, 1e-22])
@every_real_one
def test_tiny_features_are_told_apart(name, scale):
    def make_experienced():
        learner = LEARNERS[name](9)
        learner.state = np.random.default_rng(6).normal(size=9)
        return learner

    random = np.random.default_rng(5)
    dtype = np.float32 if scale > 1e-45 else np.float64
    X = random.integers(-2, 3, (300, 4)) + random.normal(size=(300, 4)) * 1e-7
    y = labels(LEARNERS[name](4), X, seed=5, noise=0.02)
    X = (np.where(np.abs(X) < 1e-2, 0, X) * scale).astype(dtype)
    assert_play_is_the_loop(lambda: LEARNERS[name](4), X, y, sparse.csr_array(X))
    assert_duel_can_be_replayed(make_experienced, Brink(5, 0.02, dtype, scale))


@pytest.mark.parametrize("rate", [2e-50, 1e-40, 1e-25, 1e20, 5e49])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_tiny_and_huge_weights_are_told_apart(dtype, rate):
    for noise in (0.01, 0.3):
        brink = Brink(6, noise, dtype)
        assert_duel_can_be_replayed(lambda: olc.Perceptron(9, rate=rate), brink)


@pytest.mark.parametrize("largest", [65504, 1e30, 3.4e38, 1e77, 1e100])
@every_real_one
def test_huge_features_are_played_without_overflow(name, largest):
    random = np.random.default_rng(7)
    X = random.uniform(-1, 1, (400, 3)) * 10.0 ** -random.integers(0, 40, (400, 1))
    y = labels(LEARNERS[name](3), X, seed=7, noise=0.1)
    X = X * largest
    X[0] = largest
    X = X.astype(np.float32 if largest < 3.5e38 else np.float64)
    assert_play_is_the_loop(lambda: LEARNERS[name](3), X, y, sparse.csr_array(X))


@every_real_one
def test_entries_that_cancel_are_summed_as_the_loop_sums_them(name):
    random = np.random.default_rng(11)
    X = np.tile([1e16, -1e16 + 2, 1.0, -1.0, 3e15], (800, 1))
    X = random.permuted(X, axis=1) * random.choice([-1.0, 1.0], (800, 1))
    y = random.choice([-1, 1], 800, p=[0.05, 0.95])
    for dtype in ("f8", "f4"):
        same = sparse.csr_array(X.astype(dtype))
        assert_play_is_the_loop(lambda: LEARNERS[name](5), X.astype(dtype), y, same)


@pytest.mark.parametrize("kind", ["<i8", "<u8"])
def test_whole_numbers_beyond_53_bits_are_rounded_as_floats(kind):
    random = np.random.default_rng(13)
    low = 0 if kind == "<u8" else -(2**62)
    X = random.integers(low, 2**62, (300, 3), dtype=kind)
    y = random.choice([-1, 1], 300)
    for make in (olc.Perceptron, lambda n: olc.MarginPerceptron(n, thickness=1e36)):
        assert_play_is_the_loop(lambda make=make: make(3), X, y, sparse.csr_array(X))


@given(
    name=st.sampled_from(BITS),
    n=st.integers(1, 9),
    seed=st.integers(0, 2**32),
    dtype=st.sampled_from(["bool", "uint8", "float32"]),
    noise=st.sampled_from([0, 0.02, 0.5]),
)
def test_bits_hit_the_threshold_exactly(name, n, seed, dtype, noise):
    X = examples(LEARNERS[name](n), 300, seed, dtype)
    y = labels(LEARNERS[name](n), X, seed, noise)
    same = sparse.csr_array(X)
    trace = assert_play_is_the_loop(lambda: LEARNERS[name](n), X, y, same)
    assert set(trace.predictions.tolist()) <= {-1, 1}


@pytest.mark.parametrize(("above", "mistakes"), [(7, 0), (np.nextafter(7, 8), 1)])
def test_winnow_at_its_threshold_is_decided_by_the_rule(above, mistakes, gear):
    for X in (np.ones((1000, 7)), sparse.csr_array(np.ones((1000, 7)))):
        trace = olc.play(olc.Winnow(7, threshold=above), X, np.ones(1000))
        assert trace.mistakes == mistakes


def test_a_margin_that_is_met_exactly_is_an_update(gear):
    X, y = np.full((1000, 1), 0.5), np.ones(1000)
    trace = olc.play(olc.MarginPerceptron(1, thickness=1), X, y)
    assert trace.updates.tolist() == [0, 1, 2, 3, 4]  # at weight 2 the score is 1
    assert trace.rounds.tolist() == [0]


# ------------------------------------------------------------------ refusals


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e200, 1.1e100])
@pytest.mark.parametrize("row", [0, 70, 2990])
def test_a_number_out_of_range_is_refused_wherever_it_stands(row, bad, gear):
    # also where the learner would have been right
    game = olc.streams.separable(5, margin=0.2, rounds=3000, seed=3)
    for kind in (olc.Perceptron, olc.AveragedPerceptron, olc.ThresholdRelative):
        for right in (True, False):
            learner = kind(5)
            learner.state = game.target * [1, 1, 0, 1, 1] * (1 if right else -1)
            X, before = game.X.copy(), bits(learner)
            X[row, 2] = bad
            for rows in (X, np.asfortranarray(X), sparse.csr_array(X)):
                for play in (olc.play, play_one_by_one):
                    with pytest.raises(ValueError, match=rf"X\[{row}, 2\] = .*: give"):
                        play(learner, rows, game.y)
                    assert bits(learner) == before


@pytest.mark.parametrize("row", [0, 1990])
def test_a_row_so_short_that_its_products_vanish_is_refused(row, gear):
    game = olc.streams.separable(5, margin=0.2, rounds=2000, seed=3)
    game.X[5] = 0  # which is no short row
    game.X[row] *= 1e-165
    learner = olc.Perceptron(5)
    for X in (game.X, np.asfortranarray(game.X), sparse.csr_array(game.X)):
        for play in (olc.play, play_one_by_one):
            with pytest.raises(ValueError, match=rf"row {row} of X is shorter .*scale"):
                play(learner, X, game.y)
            assert bits(learner) == bits(olc.Perceptron(5))


@pytest.mark.parametrize("row", [0, 400])
@pytest.mark.parametrize("dtype", ["int8", "float32", "float64"])
@pytest.mark.parametrize("name", ["Winnow", "WeightedMajority", "Halving"])
def test_a_feature_that_a_learner_cannot_take_is_refused(name, dtype, row, gear):
    learner = LEARNERS[name](4)
    game = stream(learner, 500, seed=1, dtype=dtype, noise=0)
    before = bits(learner)
    game.X[row, 2] = 2
    for X in (game.X, sparse.csr_array(game.X)):
        with pytest.raises(ValueError, match=rf"X\[{row}, 2\] = 2.*: give .* only"):
            olc.play(learner, X, game.y)
        assert bits(learner) == before


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


@pytest.mark.parametrize("losses", [[10**6, 10**6 + 3, 0, 10**9, 7], [70_000] * 5])
@pytest.mark.parametrize("eta", [0.999, 0.5, 0.01])
def test_a_game_of_experts_goes_on_from_any_losses(eta, losses):
    def make():
        learner = olc.WeightedMajority(5, eta=eta)
        learner.state = np.array(losses)
        return learner

    game = olc.streams.experts(5, 3000, seed=3, error=0.5)
    assert_play_is_the_loop(make, game.X, game.y)


# ------------------------------------------------------------------ memory


def peak_of(play):
    """Return the trace, and the most memory that was held while it was made."""
    tracemalloc.start()
    try:
        return play(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("dtype", ["int8", "float32", "float64"])
@pytest.mark.parametrize(
    "name", ["Perceptron", "Winnow", "WeightedMajority", "AveragedPerceptron"]
)
def test_a_mapped_stream_is_never_copied_whole(name, dtype, tmp_path, gear):
    rounds, n = 20_000, 512
    learner = LEARNERS[name](n)
    mapped = np.memmap(tmp_path / "X", dtype, "w+", shape=(rounds, n))
    mapped[:] = np.tile(examples(learner, 100, seed=1, dtype="int8"), (200, 1))
    y = np.where(mapped[:, 0] > 0, 1, -1).astype(np.int8)
    olc.play(LEARNERS[name](n), mapped[:9], y[:9])  # whatever is compiled or cached
    game = olc.Stream(mapped, y)
    assert np.shares_memory(game.X, mapped)
    trace, peak = peak_of(lambda: olc.play(learner, game))
    assert len(trace) == rounds
    # a few numbers a round for the trace, a few chunks to look at
    assert peak < 8_000_000 < rounds * n


def test_rounds_at_the_threshold_cost_no_memory_each(gear):
    X, y = np.ones((20_000, 4), np.int8), np.ones(20_000, np.int8)
    olc.play(olc.Winnow(4), X[:9], y[:9])
    trace, peak = peak_of(lambda: olc.play(olc.Winnow(4), X, y))  # at the threshold
    assert trace.mistakes == 0
    assert peak < 1_000_000


# ------------------------------------------------------------------ the gears


def test_products_by_rows_have_the_bits_of_the_loop():
    # The reason why the plain gear needs no close look; one product does need it.
    random, apart = np.random.default_rng(0), 0
    for n in [*range(1, 70), 127, 128, 1000, 4097, 10_001]:
        X = random.normal(size=(9, n))
        w = random.normal(size=n + 1)[1:]  # not where a vector starts
        loop = np.array([x @ w for x in X])
        assert np.array_equal(engine.products(X, w), loop)
        assert np.array_equal(engine._by_rows(X, w), loop)
        apart += np.any(X @ w != loop)
    assert apart > 30


def test_there_is_no_third_gear():
    learner = olc.Perceptron(1)
    with (
        in_gear("nonsense"),
        pytest.raises(ValueError, match="OLC_GEAR is 'nonsense': set it to plain or"),
    ):
        olc.play(learner, [[1.0]], [1])
    assert learner.rounds == 0


GAME = """
import numpy as np, olc, sys
X = np.random.default_rng(0).normal(size=({rounds}, 40))
trace = olc.play(olc.Perceptron(40), X, np.where(X[:, 0] > 0, 1, -1))
print(trace.mistakes, sys.modules.get("numba") is not None)
"""


def expected_mistakes(rounds):
    X = np.random.default_rng(0).normal(size=(rounds, 40))
    y = np.where(X[:, 0] > 0, 1, -1)
    with in_gear("plain"):
        return str(olc.play(olc.Perceptron(40), X, y).mistakes)


@pytest.mark.parametrize(("rounds", "compiled"), [(500, "False"), (200_000, "True")])
def test_a_game_loads_the_compiler_if_it_is_worth_it(rounds, compiled):
    alone = run_alone(GAME.format(rounds=rounds))
    assert alone == [expected_mistakes(rounds), compiled]
    assert run_alone(GAME.format(rounds=rounds), OLC_GEAR="plain") == [
        alone[0],
        "False",
    ]


def test_many_short_games_load_the_compiler_too():
    games = GAME.replace("trace =", "for _ in range(900):\n    trace =")
    assert run_alone(games.format(rounds=50))[1] == "False"
    assert run_alone(games.format(rounds=500))[1] == "True"


def test_without_the_compiler_a_long_game_is_played_in_plain_numpy():
    missing = "import sys; sys.modules['numba'] = None\n" + GAME.format(rounds=200_000)
    assert run_alone(missing) == [expected_mistakes(200_000), "False"]
    assert "pip install 'olc[fast]'" in run_alone(missing, OLC_GEAR="compiled")[0]


def test_a_cache_that_cannot_be_written_to_is_no_error():
    no_cache = """
from numba.core import caching
def refuse(self):
    raise OSError("read-only")
caching._CacheLocator.ensure_cache_path = refuse
"""
    printed = run_alone(no_cache + GAME.format(rounds=500), OLC_GEAR="compiled")
    assert printed == [expected_mistakes(500), "True"]
