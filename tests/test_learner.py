"""Learners: parameters declared once, checked doors, and rules of one's own."""

import copy
import inspect
import math
import pickle
import types

import numpy as np
import pytest
from helpers import (
    KINDS,
    LEARNERS,
    Stubborn,
    assert_play_is_the_loop,
    assert_same_trace,
    bad_entry,
    bits,
    examples,
    labels,
    learner,
    stream,
)
from scipy import sparse

import olc
from olc import play_one_by_one
from olc.core.check import above, whole
from olc.core.learner import Learner, Linear, Threshold, parameter
from olc.halving import VersionSpace

every_learner = pytest.mark.parametrize("name", LEARNERS)


# ------------------------------------------------------------------ parameters


class Forget(Linear):
    """A Perceptron that keeps only a part of its weights."""

    keep: float = parameter(above(0, 2), default=1.0)
    patience: int = parameter(whole(0), derived=lambda self: 2 * self.n)

    def step(self, state, x, y):
        return self.keep * state + y * x


def test_a_parameter_has_a_range_and_a_default_which_may_depend_on_n():
    learner = Forget(3)
    assert (learner.n, learner.keep, learner.patience) == (3, 1.0, 6)
    assert repr(learner) == "Forget(n=3, keep=1.0, patience=6)"
    assert learner.get_params() == {"n": 3, "keep": 1.0, "patience": None}
    assert str(inspect.signature(Forget)) == "(n, *, keep=1.0, patience=None)"
    assert repr(learner.with_n(5)) == "Forget(n=5, keep=1.0, patience=10)"
    assert repr(Forget(3, patience=1).with_n(5)) == "Forget(n=5, keep=1.0, patience=1)"
    for wrong in ({"keep": 2}, {"patience": -1}, {"n": 0}):
        (name,) = wrong
        with pytest.raises(ValueError, match=f"{name} must "):
            Forget(**({"n": 3} | wrong))
        with pytest.raises(ValueError, match=f"{name} must "):
            setattr(learner, name, wrong[name])
        with pytest.raises(ValueError, match=f"{name} must "):
            learner.set_params(**wrong)
    with pytest.raises(ValueError, match="keep must "):
        learner.set_params(n=5, keep=2)
    assert bits(learner) == bits(Forget(3))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Forget(), "n"),
        (lambda: Forget(3, 0.5), "positional"),
        (lambda: Forget(3, kep=0.5), "kep"),
        (lambda: Forget(3).set_params(kep=0.5), "kep"),
        (lambda: olc.NormalizedWinnow(3), "eta"),
        (lambda: olc.MarginPerceptron(3, 0.1), "positional"),
        (lambda: olc.Perceptron(3, start=[1, 2, 3]), "start"),
    ],
)
def test_a_parameter_that_is_missing_unknown_or_nameless_is_refused(make, words):
    with pytest.raises(TypeError, match=words):
        make()


@every_learner
def test_the_representation_makes_an_equal_learner(name):
    learner = LEARNERS[name](4)
    names = vars(olc) | vars(np) | {"linear": olc.kernel_perceptron.linear}
    text = repr(learner).replace("<function linear at ", "linear #")
    if "#" not in text:
        names |= vars(olc.kernel_perceptron)
        assert eval(text, names) == learner
    assert text.startswith(type(learner).__name__ + "(")
    for parameter in inspect.signature(type(learner)).parameters:
        assert f"{parameter}=" in text


@every_learner
def test_copies_are_equal_and_play_on_alike(name):
    learner = LEARNERS[name](5)
    game = stream(learner, 90, seed=1, noise=0.3, n=5)
    olc.play(learner, game[:40])
    copies = [
        copy.deepcopy(learner),
        copy.copy(learner),
        pickle.loads(pickle.dumps(learner)),
    ]
    for other in (copies[0], copies[2]):
        assert bits(other) == bits(learner)
    assert copies == [learner] * 3
    traces = [olc.play(other, game[40:]) for other in (copies[0], copies[2], learner)]
    assert_same_trace(traces[0], traces[1])
    assert_same_trace(traces[0], traces[2])


@every_learner
def test_scikit_learn_can_clone_and_a_new_learner_begins_anew(name):
    from sklearn.base import clone

    learner = LEARNERS[name](5)
    olc.play(learner, stream(learner, 60, seed=1, noise=0.3, n=5))
    fresh = bits(LEARNERS[name](5))
    assert bits(clone(learner, safe=False)) == fresh
    if name == "StandardOptimal":
        with pytest.raises(TypeError, match="cannot be made anew with n = 6"):
            learner.with_n(6)
    else:
        assert bits(learner.with_n(5)) == fresh
    assert learner == LEARNERS[name](5)
    learner.set_params(**learner.get_params())
    assert bits(learner) == fresh


def test_learners_are_equal_if_their_class_and_their_parameters_are():
    assert olc.Perceptron(3) == olc.Perceptron(3)
    assert olc.Perceptron(3) != olc.Perceptron(4)
    assert olc.Perceptron(3) != olc.Perceptron(3, rate=2.0)
    assert olc.Perceptron(3) != olc.AveragedPerceptron(3)
    assert olc.Perceptron(3) != "Perceptron(n=3, rate=1.0)"
    one, two = -np.ones((2, 3)), np.ones((2, 3))
    assert olc.StandardOptimal(one) == olc.StandardOptimal(one.copy())
    assert olc.StandardOptimal(one) != olc.StandardOptimal(two)
    with pytest.raises(TypeError, match="unhashable"):
        hash(olc.Perceptron(3))


def test_a_class_may_settle_a_parameter_of_its_base():
    class Triple(olc.Winnow):
        alpha = 3.0

    learner = Triple(4)
    assert learner.get_params() == {"n": 4, "threshold": None, "eliminate": False}
    learner.update([1, 0, 0, 0], 1)
    assert learner.weights.tolist() == [3, 1, 1, 1]
    with pytest.raises(TypeError, match="alpha"):
        Triple(4, alpha=2)


def test_weights_follow_a_parameter_and_a_state_that_are_set():
    learner = olc.Winnow(2)
    learner.update([1, 0], 1)
    assert learner.weights.tolist() == [2, 1]
    learner.alpha = 3
    assert learner.weights.tolist() == [3, 1]
    learner.state = np.array([0.0, 2.0])
    assert learner.weights.tolist() == [1, 9]


@pytest.mark.parametrize(
    ("kind", "wrong", "error", "words"),
    [
        (olc.Perceptron, {"n": 0}, ValueError, "n must be at least 1, not 0"),
        (olc.Perceptron, {"n": 2.0}, TypeError, "n must be a whole number, not 2.0"),
        (olc.Perceptron, {"n": True}, TypeError, "n must be a whole number, not True"),
        (olc.Perceptron, {"rate": 0}, ValueError, "rate must lie between"),
        (olc.Perceptron, {"rate": 1e300}, ValueError, "rate must lie between"),
        (olc.Perceptron, {"rate": np.nan}, ValueError, "rate must lie between"),
        (olc.WeightedMajority, {"eta": 1}, ValueError, "between 0 and 1, not 1"),
        (olc.WeightedMajority, {"eta": "x"}, TypeError, "eta must be a number"),
        (
            olc.RandomizedWeightedMajority,
            {"seed": -1},
            ValueError,
            "seed .* at least 0",
        ),
        (olc.NormalizedWinnow, {"eta": np.inf}, ValueError, "eta must lie"),
        (olc.BalancedWinnow, {"eta": 0}, ValueError, "eta must lie between"),
        (olc.Winnow, {"alpha": 1}, ValueError, "alpha must lie between 1"),
        (olc.Winnow, {"alpha": None}, TypeError, "alpha must be a number"),
        (olc.Winnow, {"threshold": 0}, ValueError, "threshold must lie between"),
        (olc.Winnow, {"eliminate": "no"}, TypeError, "eliminate must be True or"),
        (olc.ThresholdBalancedWinnow, {"plus": 0}, ValueError, "plus must lie between"),
        (olc.MarginPerceptron, {"thickness": -1}, ValueError, "thickness must"),
        (
            olc.ThresholdMarginWinnow,
            {"thickness": 3},
            ValueError,
            "= 3.* must be below",
        ),
        (olc.ThresholdRelative, {"rate": 2}, ValueError, "rate must lie between"),
        (olc.ThresholdRelative, {"aim": -1}, ValueError, "aim must be"),
        (olc.KernelPerceptron, {"kernel": 3}, TypeError, "kernel must be callable"),
        (olc.StandardOptimal, {"table": [[1, 0]]}, ValueError, r"1\] = 0: give -1"),
    ],
)
def test_parameters_out_of_range_are_refused_by_name(kind, wrong, error, words):
    with pytest.raises(error, match=words):
        learner(kind, 2, **wrong)


# ------------------------------------------------------------------ doors


@every_learner
def test_one_example_or_many_get_the_same_answers(name):
    learner = LEARNERS[name](5)
    game = stream(learner, 60, seed=1, noise=0.2, n=5)
    olc.play(learner, game)
    block = game.X[:20]
    scores = learner.score(block)
    assert scores.tolist() == [learner.score(x) for x in block]
    assert learner.score(sparse.csr_array(block)).tolist() == scores.tolist()
    assert learner.score(np.empty((0, 5))).shape == (0,)
    if not learner.randomized:
        predictions = learner.predict(block)
        assert predictions.dtype == np.int8
        assert predictions.tolist() == [int(learner.predict(x)) for x in block]
        assert set(learner.classify(block).tolist()) <= {-1, 0, 1}
    outputs = [learner.output(x) for x in block]
    assert np.allclose(learner.output(block), outputs, rtol=1e-12, atol=1e-12)
    assert learner.rounds == 60


@every_learner
def test_the_doors_check_what_comes_from_outside(name):
    learner = LEARNERS[name](4)
    good = examples(learner, 1, seed=1, n=4)[0]
    learner.update(good, int(good[0]) if isinstance(learner, VersionSpace) else 1)
    assert learner.rounds == 1
    before = bits(learner)
    bad = good.copy()
    bad[2] = bad_entry(learner)
    for call, error, words in [
        (lambda: learner.score(bad), ValueError, r"x\[2\] = "),
        (lambda: learner.predict([good, bad]), ValueError, r"X\[1, 2\] = "),
        (lambda: learner.output([good, bad]), ValueError, r"X\[1, 2\] = "),
        (lambda: learner.score(good[:3]), ValueError, r"x has shape \(3,\).*n = 4"),
        (lambda: learner.score(7), ValueError, r"X has shape \(\).*n = 4"),
        (lambda: learner.score([[good]]), ValueError, r"X has shape \(1, 1, 4\)"),
        (lambda: learner.score(["a"]), TypeError, "X has dtype"),
        (lambda: learner.update(bad, 1), ValueError, r"x\[2\] = "),
        (lambda: learner.update([good], 1), ValueError, r"x has shape \(1, 4\)"),
        (lambda: learner.update(good, 0), ValueError, "map 0 to -1"),
        (lambda: learner.update(good, "1"), TypeError, "y must be a number"),
    ]:
        with pytest.raises(error, match=words):
            call()
        assert bits(learner) == before


class Watcher(olc.Perceptron):
    """Note what the hooks are given."""

    def start(self):
        self.seen = []
        return super().start()

    def score(self, x):
        self.seen.append(x)
        return super().score(x)

    def update(self, x, y):
        self.seen.append(x)
        super().update(x, y)
        self.score(x * math.nan)  # inside, nobody checks

    def output(self, X):
        self.seen.append(X)
        return X @ self.weights


def test_a_hook_sees_one_checked_vector_of_floats():
    learner = Watcher(2)
    learner.score([1, 2])
    learner.score(np.array([[1, 2], [3, 4]], np.int8))
    learner.update((1, 2), 1)
    olc.play(learner, np.array([[5, 6]], np.float32), [-1])
    olc.duel(learner, lambda learner: ([7, 8], learner.predict([9, 9])), rounds=1)
    assert all(x.dtype == np.float64 and x.shape == (2,) for x in learner.seen)
    seen = [float(x[0]) for x in learner.seen]
    assert [x for x in seen if x == x] == [1, 1, 3, 1, 5, 5, 9, 7]
    learner.output([[1, 2], [3, 4]])
    assert learner.seen[-1].shape == (2, 2)
    with pytest.raises(ValueError, match=r"X\[0, 1\] = nan"):
        learner.output([[1, math.nan]])


@every_learner
def test_weights_cannot_be_written_to(name):
    learner = LEARNERS[name](4)
    olc.play(learner, stream(learner, 30, seed=2, n=4))
    before = bits(learner)
    if isinstance(learner, Linear):
        with pytest.raises(ValueError, match="read-only"):
            learner.weights[:] = 7
    else:
        learner.weights[:] = 7  # a copy
    assert bits(learner) == before


@every_learner
def test_update_is_what_a_mistake_does(name):
    learner, other = LEARNERS[name](4), LEARNERS[name](4)
    game = stream(learner, 40, seed=3, dtype="int8", n=4)
    trace = olc.play(learner, game)
    for t in trace.updates:
        other.rounds = int(t)
        other.update(game.X[t], game.y[t])
    assert other.weights.tobytes() == learner.weights.tobytes()


@every_learner
def test_a_learner_keeps_no_hold_on_the_examples(name):
    learner, other = LEARNERS[name](4), LEARNERS[name](4)
    X = examples(learner, 30, seed=4, n=4)
    y = labels(learner, X, seed=4)
    olc.play(learner, X.copy(), y)
    olc.play(other, mine := X.copy(), y)
    x = mine[0].copy()
    mine[:] = 1
    assert bits(learner) == bits(other)
    learner.update(x, int(y[0]))
    after = bits(learner)
    x[:] = 1
    assert bits(learner) == after


def test_a_bare_learner_says_what_it_still_has_to_say():
    class Bare(Learner):
        pass

    learner = Bare()
    with pytest.raises(TypeError, match=r"Bare has no n: set self\.n"):
        olc.play(learner, [[1]], [1])
    learner.n = 1
    for unsaid, words in [
        (lambda: learner.score([1]), r"Bare must define score\(x\)"),
        (lambda: learner.update([1], 1), r"Bare must define update\(x, y\)"),
        (lambda: learner.error_chance(0, 1), r"define error_chance\(score, y\)"),
        (lambda: learner.weights, "define a property weights"),
    ]:
        with pytest.raises(NotImplementedError, match=words):
            unsaid()
    assert repr(learner) == "Bare(n=1)"


def test_predict_is_not_for_overriding():
    with pytest.raises(TypeError, match=r"Own defines predict.*define decide\(score\)"):
        type("Own", (olc.Perceptron,), {"predict": lambda self, x: 1})


def test_a_kind_of_features_that_nobody_knows_is_refused():
    with pytest.raises(ValueError, match=r"Own.features is 'sign': choose one of 're"):
        type("Own", (olc.Perceptron,), {"features": "sign"})


# ------------------------------------------------------------------ your own learner


class Coin(Stubborn):
    """Randomized: say +1 with the share of positive labels so far."""

    randomized = True

    def __init__(self, n):
        super().__init__(n)
        self.random = np.random.default_rng(1)

    def score(self, x):
        return (self.yes + 1) / (abs(self.yes) + 2)

    def decide(self, score):
        return 1 if self.random.random() < (1 + score) / 2 else -1

    def error_chance(self, score, y):
        return (1 - y * score) / 2


class SoftPerceptron(olc.Perceptron):
    """Linear and randomized."""

    randomized = True

    def start(self):
        self.random = np.random.default_rng(2)
        return super().start()

    def decide(self, score):
        return 1 if self.random.random() < 1 / (1 + math.exp(-score)) else -1

    def error_chance(self, score, y):
        return 1 / (1 + math.exp(y * score))


class Frozen(olc.WeightedMajority):
    def update(self, x, y):
        pass


class Moving(olc.Winnow):
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


class Late(olc.MarginPerceptron):
    thickness = property(lambda self: self.rounds / 100)


class Slow(olc.Perceptron):
    rate = property(lambda self: 1 / (1 + self.rounds))


class Lifted(Threshold):
    threshold = property(lambda self: 1 + np.abs(self.state).max())


class Doubled(olc.Perceptron):
    weights = property(lambda self: 2 * self.state - 1)


class Thirds(olc.Perceptron):
    def wants_update(self, score, y):
        return self.rounds % 3 == 0


class Fancy(Linear):
    state: dict

    def start(self):
        return {"w": np.zeros(self.n)}

    def step(self, state, x, y):
        return {"w": state["w"] + y * x}

    def link(self, state):
        return state["w"]


class InPlace(Linear):
    def step(self, state, x, y):
        state += y * x
        return state

    def link(self, state):
        return state * np.abs(state)


def set_threshold(n):
    learner = olc.Perceptron(n)
    learner.threshold = 2
    return learner


OWN = {
    kind.__name__: kind
    for kind in (Stubborn, Coin, SoftPerceptron, Moving, Slow, Lifted, Doubled)
} | {
    "Thirds": Thirds,
    "Fancy": Fancy,
    "InPlace": InPlace,
    "Forget": lambda n: Forget(n, keep=0.5),
    "Frozen": lambda n: Frozen(n, eta=0.3),
    "Heavy": lambda n: Heavy(n, eta=0.3),
    "Growing": lambda n: Growing(n, thickness=0.1),
    "Late": Late,
    "threshold = 2": set_threshold,
}


def test_weights_follow_a_state_that_is_written_into(gear):
    learner, x = olc.Winnow(3), [1.0, 0.0, 0.0]
    assert learner.score(x) == learner.weights[0] == 1
    learner.state[0] = 5
    assert learner.score(x) == learner.weights[0] == 32
    learner.state[0] = 1
    assert olc.play(learner, [x], [1]).mistakes == 1
    assert learner.weights[0] == 4


def assert_it_plays_everywhere(make, X, y):
    """Play in both gears, in a duel, in many games, recorded and again."""
    trace = assert_play_is_the_loop(make, X, y, sparse.csr_array(X))
    game = olc.Stream(X, y)
    moves = iter(game)
    assert_same_trace(olc.duel(make(), lambda learner: next(moves), len(X)), trace)
    for other in olc.play_many(make, [game, game]):
        assert_same_trace(other, trace)
    again = list(trace.replay())
    assert [step.t for step in again] == trace.updates.tolist()
    if isinstance(make(), Linear):
        recorded = olc.play(learner := make(), X, y, record=True)
        assert len(recorded.weights) == len(trace.updates)
        if len(recorded.weights):
            assert recorded.weights[-1].tolist() == list(learner.weights)
    if trace.before.randomized:
        assert len(trace.expected) == len(X)
    return trace


@pytest.mark.parametrize("name", OWN)
def test_a_learner_of_ones_own_plays_by_its_own_rules(name):
    for seed, noise in enumerate([0.02, 0.4]):
        game = stream(OWN[name](5), 300, seed, "int8", noise)
        assert_it_plays_everywhere(lambda: OWN[name](5), game.X, game.y)


def test_what_the_rules_say_is_what_happens():
    X = np.random.default_rng(0).choice([-1, 1], (150, 5))
    y = X[:, 0]
    assert np.array_equal(
        olc.play(Frozen(5, eta=0.5), X, y).predictions, np.sign(X.sum(axis=1))
    )
    assert olc.play(Thirds(5), X, y).updates.tolist() == list(range(0, 150, 3))
    coin = olc.play(Coin(5), X, np.ones(150))
    assert coin.expected[0] == 0.25
    assert coin.expected_mistakes == coin.expected.sum() < 150


@pytest.mark.parametrize(
    ("hook", "returned", "error", "words"),
    [
        ("score", None, TypeError, r"Own\.score returned None: return a number"),
        ("decide", None, TypeError, r"Own\.decide returned None: return \+1, -1, or 0"),
        ("decide", True, TypeError, "decide returned True"),
        ("decide", np.False_, TypeError, "decide returned .*False"),
        ("decide", 0.5, TypeError, "decide returned 0.5"),
        ("decide", "+1", TypeError, "decide returned '\\+1'"),
        ("decide", np.ones(2), TypeError, "decide returned array"),
        ("wants_update", None, TypeError, "wants_update returned None: return True or"),
        (
            "step",
            None,
            ValueError,
            r"weights of Own.* have shape \(\): step must return",
        ),
        (
            "link",
            np.ones(3),
            ValueError,
            r"shape \(3,\): .* one weight for each feature",
        ),
        ("link", np.array(["a", "b"]), ValueError, "have dtype <U1: .* one weight"),
        ("link", np.ones(2, complex), ValueError, "have dtype complex128: .* link"),
    ],
)
def test_a_hook_that_gives_no_answer_is_named(hook, returned, error, words, gear):
    own = type("Own", (olc.Perceptron,), {hook: lambda self, *_: returned})
    learner = own(2)
    for play in (olc.play, play_one_by_one):
        with pytest.raises(error, match=words):
            play(learner, [[1, 2], [2, 1]], [1, -1])
    assert learner.rounds == 0


@pytest.mark.parametrize("chance", [2.0, -0.1, math.nan, None])
def test_a_chance_that_is_no_probability_is_refused(chance):
    body = {"error_chance": entrywise(lambda self, score, y: chance)}
    experts = type("Own", (olc.RandomizedWeightedMajority,), body)
    words = f"Own.error_chance returned {chance}: return a probability"
    for own in (type("Own", (Coin,), body)(2), experts(2, eta=0.2, seed=0)):
        with pytest.raises(TypeError, match=words):
            olc.play(own, [[1, 1]], [1])


@pytest.mark.parametrize("score", [True, np.False_])
def test_a_score_that_is_true_or_false_has_no_sign(score):
    own = type("Own", (Stubborn,), {"score": lambda self, x: score})
    with pytest.raises(TypeError, match=f"Own.score returned {score}: return a number"):
        olc.play(own(2), [[1, 2]], [1])


def test_a_score_that_is_no_number_is_no_prediction():
    own = type("Own", (Stubborn,), {"score": lambda self, x: math.nan})
    with pytest.raises(TypeError, match=r"Own\.decide returned .*nan"):
        olc.play(own(2), [[1, 2]], [1])


def test_what_was_set_by_hand_is_not_lost_when_a_learner_is_made_anew():
    for name, value in (("threshold", 2), ("decide", lambda score: 1)):
        learner = olc.Perceptron(3)
        setattr(learner, name, value)
        with pytest.raises(TypeError, match=f"declare {name}, which was set by hand"):
            learner.with_n(5)


def test_a_majority_with_its_own_coin_has_expected_mistakes_and_a_proof():
    game = olc.streams.experts(5, 200, seed=3, error=0.3)
    trace = olc.play(Heavy(5, eta=0.3), game)
    assert len(trace.expected) == 200
    assert len(olc.randomized_weighted_majority.proof(trace)) == trace.mistakes


def test_a_class_is_known_by_what_it_does_and_not_by_its_module():
    body = {"update": lambda self, x, y: None, "__module__": "olc.perceptron"}
    still = type("Perceptron", (olc.Perceptron,), body)
    X, y = np.ones((68, 2)), np.ones(68)
    trace = assert_it_plays_everywhere(lambda: still(2), X, y)
    assert trace.mistakes == len(trace.updates) == 68


def test_many_games_ask_each_learner_for_its_own_rules():
    game = olc.streams.panel(5, 3, 200, seed=1)
    for values in ([1.0, 0.5], [0.5, 1.0]):
        keeps = iter(values)
        traces = olc.play_many(lambda: Forget(5, keep=next(keeps)), [game, game])  # noqa: B023
        for keep, trace in zip(values, traces, strict=True):
            assert_same_trace(trace, olc.play(Forget(5, keep=keep), game))


def perturbed(kind, hook):
    """Return a hook that does nearly, but not quite, what that of the class does."""
    base = getattr(kind, hook)
    return {
        "start": lambda self: base(self) + np.arange(self.n),
        "score": lambda self, x: 0.75 * base(self, x) + 0.25,  # a mean stays a mean
        "decide": lambda self, score: base(self, -score),
        "error_chance": lambda self, score, y: 0.25,
        "wants_update": lambda self, score, y: (
            base(self, score, y) if self.rounds % 3 else True
        ),
        "update": lambda self, x, y: base(self, x, y) or base(self, x, y),
        "step": lambda self, state, x, y: base(self, base(self, state, x, y), x, y),
        "link": lambda self, state: base(self, state) + 0.25,
    }[hook]


def hooks(kind):
    own = ["score", "decide", "wants_update", "update"]
    own += ["start", "step", "link"] * issubclass(kind, Linear)
    return own + ["error_chance"] * kind.randomized


@pytest.mark.parametrize("kind", [Linear, *KINDS])
def test_any_hook_of_any_learner_may_be_overridden(kind):
    original = LEARNERS.get(kind.__name__, kind)(5)
    game = stream(original, 150, seed=5, dtype="int8", noise=0.1, n=5)
    as_it_was = olc.play(copy.deepcopy(original), game)
    changed = []
    for hook in hooks(kind):
        own = type("Own", (kind,), {hook: perturbed(kind, hook)})

        def make(own=own):
            return own(**original.get_params())

        def make_by_hand(hook=hook):
            learner = copy.deepcopy(original)
            setattr(learner, hook, types.MethodType(perturbed(kind, hook), learner))
            return learner

        trace = assert_it_plays_everywhere(make, game.X, game.y)
        if hook != "start":
            by_hand = assert_it_plays_everywhere(make_by_hand, game.X, game.y)
            assert np.array_equal(trace.predictions, by_hand.predictions)
        if (trace.predictions != as_it_was.predictions).any():
            changed.append(hook)
    assert changed
