"""`play` gives the trace of the plain loop, to the last tie, in both gears."""

import copy
import importlib.util
import inspect
import math
import tracemalloc
import types
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import product

import numpy as np
import pytest
from helpers import (
    GEARS,
    LEARNERS,
    Stubborn,
    assert_play_is_the_loop,
    assert_same_trace,
    bits,
    examples,
    in_gear,
    labels,
    run_alone,
    stream,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import olc
from olc import play_one_by_one
from olc.core import check
from olc.core.learner import Linear, products
from olc.fast import play as engine

#: One learner for each way through the engine: it adds, averages, is thin; is alike,
#: with a table or without; is linked; moves by its own step; votes; is asked each time.
WAYS = [
    "Perceptron", "AveragedPerceptron", "MarginPerceptron", "Winnow",
    "ThresholdMarginWinnow", "WinnowR", "Winnow, eliminate", "NormalizedWinnow",
    "ThresholdRelative", "WeightedMajority", "RandomizedWeightedMajority",
    "KernelPerceptron", "StandardOptimal",
]  # fmt: skip
LINEAR = {name: make(4) for name, make in LEARNERS.items()}
LINEAR = {name: made for name, made in LINEAR.items() if isinstance(made, Linear)}
REAL = [name for name, made in LINEAR.items() if made.features == "real"]
every_way = pytest.mark.parametrize("name", WAYS)

# ------------------------------------------------------------------ types and layouts


def layouts(X, folder):
    """Yield the same rows as they may lie in memory, or in a sparse matrix."""
    yield np.asfortranarray(X)
    wide = np.zeros((2 * len(X), 2 * X.shape[1]), X.dtype)
    wide[::2, ::2] = X
    yield wide[::2, ::2]
    yield np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1]
    X.tofile(folder / "X")
    yield np.memmap(folder / "X", X.dtype, mode="r", shape=X.shape)
    yield sparse.csr_array(X)
    yield sparse.csc_array(X)


def sparse_forms(X):
    """Yield the same rows as nobody but a fuzzer gives them."""
    wide = sparse.csr_array(X)
    wide.indices, wide.indptr = wide.indices.astype("q"), wide.indptr.astype("q")
    yield wide
    at, ends = np.indices(X.shape, "i")[1].ravel(), X.shape[1] * np.arange(len(X) + 1)
    yield sparse.csr_array((X.ravel(), at, ends), X.shape)  # zeros are stored too
    yield sparse.csr_array((X[:, ::-1].ravel(), at[::-1].copy(), ends), X.shape)
    yield X.astype(X.dtype.newbyteorder())


@every_way
def test_no_type_and_no_layout_changes_the_game(name, tmp_path):
    for dtype in ("int8", "float64", "float32", "int32", "uint64", "bool"):
        learner = LEARNERS[name](6)
        X = examples(learner, 90, seed=1, dtype=dtype)
        if learner.features != "signs":
            X[np.random.default_rng(2).random(X.shape) < 0.4] = 0
        y = labels(learner, X, seed=1, noise=0.2)
        same = layouts(X, tmp_path)
        assert_play_is_the_loop(lambda: LEARNERS[name](6), X, y, *same)
    if name in ("Perceptron", "Winnow"):
        X = X.astype(float)
        assert_play_is_the_loop(lambda: LEARNERS[name](6), X, y, *sparse_forms(X))


@settings(max_examples=120)
@given(
    name=st.sampled_from(list(LEARNERS)),
    n=st.integers(1, 12),
    rounds=st.integers(0, 120),
    seed=st.integers(0, 2**32),
    dtype=st.sampled_from(["float64", "int8", "float32", "int64", "uint8"]),
    noise=st.sampled_from([0, 0.02, 0.5]),
    change=st.sampled_from(["none", "halves", "orders of magnitude", "few, whole"]),
    chunk=st.sampled_from([1, 20, 300, check.CHUNK]),
)
def test_any_game_is_that_of_the_loop(
    name, n, rounds, seed, dtype, noise, change, chunk
):
    learner, random = LEARNERS[name](n), np.random.default_rng(seed)
    X = examples(learner, rounds, seed, dtype, n)
    y = labels(learner, X, seed, noise)
    if learner.features == "real" and X.dtype == float:
        if change == "halves":
            X = np.round(X * 2) / 2
        if change == "orders of magnitude":
            X = X * 10.0 ** random.integers(-8, 8, X.shape)
        if change == "few, whole":
            X = np.round(X) * (random.random(X.shape) < 0.4)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(check, "CHUNK", chunk)
        patch.setattr(engine, "AT_ONCE", chunk)
        same = np.asfortranarray(X), sparse.csr_array(X)
        assert_play_is_the_loop(lambda: LEARNERS[name](n), X, y, *same)


def pair(game):
    return game.X, game.y


def test_long_rows_and_many_chunks_are_played_too():
    n = check.CHUNK + 5
    X = np.random.default_rng(0).normal(size=(3, n))
    assert_play_is_the_loop(lambda: olc.Perceptron(n), X, [1, -1, 1])
    for name in ("Perceptron", "AveragedPerceptron", "Winnow", "WeightedMajority"):
        game = stream(LEARNERS[name](300), 2000, seed=6, dtype="float32", noise=0.005)
        assert game.X.size > 2 * check.CHUNK
        make = lambda name=name: LEARNERS[name](300)  # noqa: E731
        loop = assert_play_is_the_loop(make, *pair(game))
        assert loop.update_rounds[-1] * 300 > check.CHUNK


def test_many_quiet_rounds_are_scored_at_once_however_many_features_there_are():
    empty = sparse.csr_array((300, 10**6))
    with in_gear("plain"):
        assert olc.play(olc.Winnow(10**6), empty, -np.ones(300)).mistakes == 0
    rounds = sparse.csr_array((np.ones(4000), np.arange(4000) % 2, np.arange(4001)))
    rounds.resize(4000, 10**6)
    with in_gear("plain"), pytest.MonkeyPatch.context() as patch:
        blocks, certain = [], engine.FastState.certain
        note = lambda *given: blocks.append(given) or certain(*given)  # noqa: E731
        patch.setattr(engine.FastState, "certain", note)
        assert olc.play(olc.Perceptron(10**6), rounds, np.ones(4000)).mistakes == 2
    assert len(blocks) < 20


def test_two_halves_of_a_game_are_the_whole_and_no_rounds_are_nothing(gear):
    for make in LEARNERS.values():
        whole, halves = make(7), make(7)
        game = stream(whole, 200, seed=8, noise=0.1, n=7)
        trace = olc.play(whole, game)
        first, second = olc.play(halves, game[:91]), olc.play(halves, game[91:])
        together = np.concatenate([first.predictions, second.predictions])
        assert np.array_equal(trace.predictions, together)
        assert bits(whole) == bits(halves)
        assert (second.before.rounds, halves.rounds) == (91, 200)
        for X in (np.empty((0, 7)), sparse.csr_array((0, 7))):
            before = bits(halves)
            trace = olc.play(halves, X, [])
            assert len(trace) == trace.mistakes == len(trace.update_rounds) == 0
            assert trace.expected_mistakes == 0
            assert bits(halves) == before


def test_a_mapped_stream_is_never_copied_whole(tmp_path, gear):
    shape = rounds, n = 12_000, 512
    mapped = np.memmap(tmp_path / "X", np.float32, "w+", shape=shape)
    mapped[:] = np.tile(examples(olc.Perceptron(n), 100, 1, "int8"), (120, 1))
    y = np.where(mapped[:, 0] > 0, 1, -1).astype(np.int8)
    olc.play(olc.Perceptron(n), mapped[:9], y[:9])  # whatever is compiled
    tracemalloc.start()
    try:
        assert len(olc.play(olc.Perceptron(n), mapped, y)) == rounds
        # a few numbers a round for the trace, a few chunks to look at
        assert tracemalloc.get_traced_memory()[1] < mapped.nbytes / 4
    finally:
        tracemalloc.stop()


# ------------------------------------------------------------------ ties, near-ties


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
        size = peak * np.linalg.norm(unit) * np.linalg.norm(x) + abs(edge)
        self.gaps.append(abs(float(learner.scores(x)) - edge) / (size or 1.0))
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


def assert_duel_can_be_replayed(make, brink, rounds=120):
    """A duel is played by the plain loop; `play` must get the same from its stream."""
    duel = olc.duel(make(), brink, rounds)
    X = duel.stream.X.astype(brink.dtype)
    loop = assert_play_is_the_loop(make, X, duel.stream.y, sparse.csr_array(X))
    assert_same_trace(loop, duel)


@pytest.mark.parametrize("name", REAL)
def test_scores_within_ulps_of_the_edge(name):
    for n, dtype, noise in [(2, "f8", 0.3), (33, "f4", 0.01), (300, "f8", 0.01)]:
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


def test_whole_numbers_are_summed_exactly_or_looked_at():
    for name in ("Perceptron", "MarginPerceptron", "ThresholdRelative"):
        for most in (1, 100, 10**6, 10**9, 10**15):
            brink = WholeBrink(most, most)
            assert_duel_can_be_replayed(lambda name=name: LEARNERS[name](7), brink)


def test_whole_numbers_beyond_53_bits_are_rounded_as_floats():
    random = np.random.default_rng(13)
    y = random.choice([-1, 1], 200)
    for kind, low in (("<i8", -(2**62)), ("<u8", 0)):
        X = random.integers(low, 2**62, (200, 3), dtype=kind)
        for make in (olc.Perceptron, lambda n: olc.MarginPerceptron(n, thickness=1e36)):
            same = sparse.csr_array(X)
            assert_play_is_the_loop(lambda make=make: make(3), X, y, same)


def test_what_is_met_exactly_is_decided_by_the_rule(gear):
    ones, half = np.ones((300, 7)), np.full((300, 1), 0.5)
    for as_rows in (np.asarray, sparse.csr_array):
        for theta, mistakes in [(7, 0), (np.nextafter(7, 8), 1)]:
            learner = olc.Winnow(7, threshold=theta)
            assert olc.play(learner, as_rows(ones), np.ones(300)).mistakes == mistakes
        thick = olc.MarginPerceptron(1, thickness=1)
        trace = olc.play(thick, as_rows(half), np.ones(300))
        assert (trace.mistakes, trace.update_rounds.tolist()) == (1, [0, 1, 2, 3, 4])


def test_products_have_the_sign_that_exact_sums_have():
    random, apart = np.random.default_rng(0), 0
    for n in [*range(2, 70), 127, 1000, 4097]:
        X = random.choice([-1.0, 1.0], size=(9, n))
        w = 2.0 ** random.integers(-70, 70, size=n) * random.choice([-1, 1], size=n)
        X[:, 0], w[0] = 1, -(X[0, 1:] @ w[1:])  # all but cancels in the first row
        exact = [np.sign(math.fsum(x * w)) for x in X]
        assert np.sign(products(X, w)).tolist() == exact
        assert np.sign(products(sparse.csr_array(X), w)).tolist() == exact
        apart += (np.sign(X @ w) != exact).any()
    assert apart > 5


# ------------------------------------------------------------------ rules of one's own


def changed(value, odd):
    """Return nearly, but not quite, this value: another one in every second round."""
    if isinstance(value, bool | np.bool_):
        return value != odd
    if np.asarray(value).dtype == np.float64:
        return value * (0.75 - 0.25 * odd)
    return value


def perturbed(name, base):
    """Return a function that does nearly, but not quite, what this one does."""
    return {
        "start": lambda self: changed(base(self), False),
        "score": lambda self, x: 0.75 * base(self, x) + 0.25,  # a mean stays a mean
        "decide": lambda self, score: np.asarray(base(self, -score)).astype(int)[()],
        "error_chance": lambda self, score, y: 0.5 - y / 4,
        "update": lambda self, x, y: base(self, x, y) or base(self, x, y),
        "step": lambda self, state, x, y: base(self, base(self, state, x, y), x, y),
        "link": lambda self, state: base(self, state) + 0.25,
    }.get(name, lambda self, *given: changed(base(self, *given), self.rounds % 2 > 0))


def as_property(name, get, set_):
    """Return a property of nearly the same value, which can be set if that can."""

    def put(self, value):
        set_(self, value) if set_ else vars(self).update({name: value})

    return property(lambda self: changed(get(self), self.rounds % 2 > 0), put)


def rules(learner):
    """Yield what a class of this learner may do in its own way: a name, and how."""
    kind = type(learner)
    for name in {*dir(kind), *vars(learner)}:
        here = inspect.getattr_static(kind, name, None)
        data = vars(learner).get(name)
        if name.startswith("_") or name in ("rounds", "n", "predict"):
            continue
        if isinstance(here, property):
            yield name, as_property(name, here.fget, here.fset)
        elif name in vars(learner) and not callable(data):
            yield name, as_property(name, lambda self, n=name: vars(self)[n], None)
        elif inspect.isfunction(here) and not callable(data):
            yield name, perturbed(name, here)


@contextmanager
def ways(learner, name, rule):
    """Yield makers of learners with this rule, as a person may come to have them."""
    kind, given = type(learner), learner.get_params()
    parent = kind.__bases__[0]

    def of(*bases, **own):
        own = type("Own", bases, own)
        return lambda: own(**given)

    def by_hand():
        mine = copy.deepcopy(learner)
        setattr(mine, name, types.MethodType(rule, mine))
        if isinstance(mine, Linear):
            mine.state = mine.state  # which links anew
        return mine

    def update(self, x, y):
        kind.update(self, x, y)
        if self.rounds > 8:
            vars(self)[name] = types.MethodType(rule, self)

    def patched(place):
        def make():
            patch.setattr(place, name, rule, raising=False)
            return kind(**given)

        return make

    mixed = type("Mixed", (), {name: rule})
    yield_ = {
        "subclass": of(kind, **{name: rule}),
        "mix-in": of(mixed, kind),
        "patched class": patched(kind),
    }
    if hasattr(parent, name):
        yield_["sibling"] = of(kind, type("Sibling", (parent,), {name: rule}))
        yield_["sibling first"] = of(type("Sibling", (parent,), {name: rule}), kind)
        home = next(base for base in kind.__mro__ if name in vars(base))
        yield_["patched base"] = patched(home)
    if inspect.isfunction(rule):
        bound = property(lambda self: types.MethodType(rule, self))
        yield_["property"] = of(kind, **{name: bound})
        yield_["instance"] = by_hand
        yield_["in the midst of a game"] = of(kind, update=update)
    with pytest.MonkeyPatch.context() as patch, np.errstate(all="ignore"):
        yield yield_, patch


def outcome(play, make, X, y):
    """Return all that a game leaves, or the error that it ends with."""
    try:
        trace = play(learner := make(), X, y)
    except Exception as error:
        return type(error), ()
    made = trace.predictions, trace.update_rounds, trace.expected
    return bits(learner), *map(bits, made)


@pytest.mark.parametrize("name", LEARNERS)
def test_whatever_rule_a_class_has_of_its_own_play_is_the_loop(name):
    learner = LEARNERS[name](3)
    games = {
        size: stream(learner, size, seed=5, dtype="int8", noise=0.1, n=3)
        for size in (12, 40, 320)
    }
    rows = {size: (game.X, sparse.csr_array(game.X)) for size, game in games.items()}
    plain = {size: outcome(play_one_by_one, lambda: learner.replaced(), game.X, game.y)
             for size, game in games.items()}  # fmt: skip
    differs, count = set(), 0
    for rule_name, rule in sorted(rules(learner), key=lambda pair: pair[0]):
        with ways(learner, rule_name, rule) as (makers, patch):
            for way, make in makers.items():
                count += 1
                for size in (12, 320 if count % 10 == 0 else 40):
                    y, both = games[size].y, rows[size]
                    loop = outcome(play_one_by_one, make, both[0], y)
                    if loop[1:] != plain[size][1:]:
                        differs.add(rule_name)
                    for turn, gear in enumerate(GEARS):
                        with in_gear(gear):
                            X = both[(count + turn + size // 40) % 2]
                            fast = outcome(olc.play, make, X, y)
                        assert fast == loop, (rule_name, way, size, gear, type(X))
                patch.undo()
    assert "decide" in differs
    assert len(differs) >= 2


#: What a learner may be given by hand, where a parameter would be refused.
BY_HAND = {
    "weights": lambda n: np.arange(1.0, n + 1),
    "state": lambda n: np.arange(n),
    "rate": lambda n: np.arange(1.0, n + 1),
    "eta": lambda n: np.linspace(0.1, 0.9, n),
    "alpha": lambda n: np.arange(n) + 1.5,
    "thickness": lambda n: -0.5,
    "threshold": lambda n: np.nan,
}


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("attribute", BY_HAND)
def test_what_is_set_by_hand_is_played_as_it_is(name, attribute):
    def make():
        learner = LEARNERS[name](4)
        setattr(learner, attribute, BY_HAND[attribute](4))
        return learner

    if hasattr(LEARNERS[name](4), attribute):
        for game in (
            stream(LEARNERS[name](4), size, 3, noise=0.2, n=4) for size in (9, 200)
        ):
            for X, gear in product([game.X, sparse.csr_array(game.X)], GEARS):
                with np.errstate(all="ignore"), in_gear(gear):
                    loop = outcome(play_one_by_one, make, X, game.y)
                    assert outcome(olc.play, make, X, game.y) == loop


class Backwards(olc.Stream):
    """A stream whose examples are not the rows of its X."""

    def row(self, t):
        return super().row(len(self) - 1 - t)


def test_a_stream_of_ones_own_yields_its_own_examples(gear):
    game = Backwards(*pair(stream(olc.Perceptron(5), 200, 1, noise=0.1)))
    loop = play_one_by_one(olc.Perceptron(5), game)
    assert_same_trace(olc.play(olc.Perceptron(5), game), loop)


class Raising(olc.Winnow):
    def update(self, x, y):
        super().update(x, y)
        self.threshold = self.threshold + 0.25


class Growing(olc.MarginPerceptron):
    def update(self, x, y):
        super().update(x, y)
        self.thickness = 1.5 * self.thickness


class Heavy(olc.RandomizedWeightedMajority):
    def decide(self, score):
        return 1 if self.random.random() ** 2 < (1 + score) / 2 else -1


class Chancy(olc.Perceptron):
    randomized = True

    def error_chance(self, score, y):
        return 0.25


class Between(olc.Winnow):
    def start(self):
        return super().start() + 0.5  # which no table knows


class Off(Linear):
    """One whose weights depend on the round in which they were made."""

    def step(self, state, x, y):
        return state + y * x

    def link(self, state):
        return state + np.sin(self.rounds)


OWN = {kind.__name__: kind for kind in (Raising, Chancy, Between, Off)} | {
    "Growing": lambda n: Growing(n, thickness=0.1),
    "Heavy": lambda n: Heavy(n, eta=0.3),
}


@pytest.mark.parametrize("name", OWN)
def test_a_learner_of_ones_own_plays_by_its_own_rules(name):
    for seed, noise in enumerate([0.02, 0.4]):
        game = stream(OWN[name](5), 200, seed, noise=noise)
        same = sparse.csr_array(game.X)
        trace = assert_play_is_the_loop(lambda: OWN[name](5), *pair(game), same)
        assert [step.t for step in trace.replay()] == trace.update_rounds.tolist()
        halves = OWN[name](5)
        olc.play(halves, game[:70])
        second = olc.play(halves, game[70:], record=True)
        assert np.array_equal(second.predictions, trace.predictions[70:])


# ------------------------------------------------------------------ broken-off games


@pytest.mark.parametrize("hook", ["update", "step", "link", "decide", "score"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_a_game_that_breaks_off_leaves_the_learner_as_it_was(hook, error, gear):
    for name in ("AveragedPerceptron", "Winnow", "WeightedMajority"):
        learner = LEARNERS[name](2)
        base = getattr(type(learner), hook)

        def impatient(self, *given, base=base):
            if self.rounds > 105:
                raise error
            return base(self, *given)

        olc.play(learner, np.ones((100, 2)), np.tile([1, -1], 50))
        learner.__class__ = type("Impatient", (type(learner),), {hook: impatient})
        before = bits(learner)
        for X in (np.ones((20, 2)), sparse.csr_array(np.ones((20, 2)))):
            with pytest.raises(error):
                olc.play(learner, X, np.tile([1, -1], 10))
            assert bits(learner) == before
            assert not learner.state.flags.writeable


def test_weights_that_become_nan_are_named_in_every_form_and_the_game_undone(gear):
    X = np.array([[1e308, 1e308], [1e308, -1e308], [1e308, 1e308], [1, 1]])
    for kind in ("Perceptron", "MarginPerceptron", "AveragedPerceptron"):
        learner = LEARNERS[kind](2).replaced(rate=10.0)
        for rows in (X, np.asfortranarray(X), sparse.csr_array(X)):
            with (
                np.errstate(all="ignore"),
                pytest.raises(TypeError, match=rf"{kind}\.score returned .*nan"),
            ):
                olc.play(learner, rows, [1, 1, 1, 1])
            assert bits(learner) == bits(learner.replaced())


def test_what_cannot_be_recorded_is_refused_before_it_is_played():
    learner = Stubborn(1)
    with pytest.raises(TypeError, match="Stubborn has no weights: leave record out"):
        olc.play(learner, [[1.0]], [1], record=True)
    assert (learner.yes, learner.rounds) == (0, 0)


def test_the_arrays_of_the_user_are_neither_changed_nor_frozen(gear):
    for name in WAYS:
        learner = LEARNERS[name](5)
        game = stream(learner, 60, seed=1, noise=0.2, n=5)
        X, y = game.X.copy(), game.y.astype(np.int8)
        matrix = sparse.csr_array(X)
        mine = [X, y, matrix.data, matrix.indices, matrix.indptr]
        if isinstance(learner, Linear):
            mine.append(own := learner.state.copy())
            learner.state = own
            assert not np.shares_memory(learner.state, own)
        kept = [array.copy() for array in mine]
        for rows in (X, matrix):
            olc.play(copy.deepcopy(learner), rows, y, record=True)
        learner.learn(X[0], int(y[0]))
        learner.scores(X)
        for array, before in zip(mine, kept, strict=True):
            assert array.flags.writeable
            assert np.array_equal(array, before)
        after = bits(learner)
        X[:] = 1
        assert bits(learner) == after


def test_two_threads_may_ask_one_learner():
    for make in (olc.KernelPerceptron, lambda: olc.Perceptron(5)):
        learner = make()
        game = stream(olc.Perceptron(5), 150, seed=1, noise=0.2)
        olc.play(learner, game)
        alone = learner.predict(game.X).tolist()
        with ThreadPoolExecutor(4) as threads:
            answers = threads.map(lambda _: learner.predict(game.X).tolist(), range(24))  # noqa: B023
            assert all(answer == alone for answer in answers)


# ------------------------------------------------------------------ the gears

GAME = """
import numpy as np, olc, sys
random = np.random.default_rng(0)
for rounds in (50, 200):
    X = random.normal(size=(rounds, 40))
    trace = olc.play(olc.Perceptron(40), X, np.where(X[:, 0] > 0, 1, -1))
    print(trace.mistakes, sys.modules.get("numba") is not None)
"""


def test_a_game_loads_numba_if_it_is_worth_it_and_can_do_without():
    random, mistakes = np.random.default_rng(0), []
    for rounds in (50, 200):
        X = random.normal(size=(rounds, 40))
        assert (X.size >= engine.WORTH_COMPILING) == (rounds == 200)
        loop = olc.play_one_by_one(olc.Perceptron(40), X, np.where(X[:, 0] > 0, 1, -1))
        mistakes.append(str(loop.mistakes))
    assert run_alone(GAME) == [mistakes[0], "False", mistakes[1], "True"]
    missing = "import sys; sys.modules['numba'] = None\n" + GAME
    plain = [mistakes[0], "False", mistakes[1], "False"]
    assert run_alone(missing) == plain
    assert "pip install numba" in run_alone(missing, OLC_GEAR="compiled")[0]


def test_there_is_no_third_gear():
    learner = olc.Perceptron(1)
    with (
        in_gear("nonsense"),
        pytest.raises(ValueError, match="OLC_GEAR is 'nonsense': set it to plain or"),
    ):
        olc.play(learner, [[1.0]], [1])
    assert learner.rounds == 0


KERNEL = """
from olc.fast.kernels import _jit

@_jit
def double(x):
    return 2 * x
"""


@pytest.mark.parametrize("damage", ["none", "empty index", "data cut short"])
def test_a_cache_that_is_damaged_or_not_to_be_written_is_no_error(
    damage, tmp_path, monkeypatch
):
    from numba.core import caching, config

    def load():
        place = importlib.util.spec_from_file_location("kernel", source)
        module = importlib.util.module_from_spec(place)
        place.loader.exec_module(module)
        return module.double

    (source := tmp_path / "kernel.py").write_text(KERNEL)
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "cache"))
    assert load()(2) == 4
    (index,) = (tmp_path / "cache").rglob("*.nbi")
    (data,) = (tmp_path / "cache").rglob("*.nbc")
    if damage == "none":

        def refuse(self):
            raise OSError("read-only")

        monkeypatch.setattr(caching._CacheLocator, "ensure_cache_path", refuse)
    elif damage == "empty index":
        index.write_bytes(b"")
    else:
        data.write_bytes(data.read_bytes()[:40])
    double = load()
    assert (double(2), double(2), double(1.5)) == (4, 4, 3.0)
