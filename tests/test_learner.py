"""Learners: parameters declared once, plain hooks, checked doors, clear complaints."""

import copy
import inspect
import os
import pickle
import sys
from functools import partial

import numpy as np
import pytest
from helpers import LEARNERS, bad_entry, bits, examples, stream
from scipy import sparse
from sklearn.base import clone

import olc
from olc.core.check import above, whole
from olc.core.learner import Linear, parameter
from olc.halving import VersionSpace

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
    assert [*inspect.signature(Forget).parameters] == ["n", "keep", "patience"]
    assert repr(learner.replaced(n=5)) == "Forget(n=5, keep=1.0, patience=10)"
    assert Forget(3, patience=1).replaced(n=5).patience == 1
    for wrong in ({"keep": 2}, {"patience": -1}, {"n": 0}):
        (name,) = wrong
        for make in (lambda **given: Forget(**({"n": 3} | given)), learner.set_params):
            with pytest.raises(ValueError, match=f"{name} must "):
                make(**wrong)
    with pytest.raises(ValueError, match="keep must "):
        learner.set_params(n=5, keep=2)
    assert bits(learner) == bits(Forget(3))
    assert learner.set_params(n=5) is learner
    assert bits(learner) == bits(Forget(5))


def test_a_class_may_give_a_parameter_of_its_base_another_default():
    class Triple(olc.Winnow):
        alpha = 3.0

    assert Triple(4).get_params() == {
        "n": 4, "threshold": None, "alpha": 3.0, "eliminate": False,
    }  # fmt: skip
    learner = Triple(4)
    learner.learn([1, 0, 0, 0], 1)
    assert learner.weights.tolist() == [3, 1, 1, 1]
    assert Triple(4, alpha=5).alpha == 5.0
    with pytest.raises(ValueError, match="alpha must lie between 1"):
        type("Flat", (olc.Winnow,), {"alpha": 1.0})(3)


class Fast(olc.Perceptron):
    """One with an `__init__` written by hand, which gives a parameter a value."""

    def __init__(self, n):
        super().__init__(n, rate=2)


class MoveOn(olc.Learner):
    """The learner of the first chapter: it follows an expert until that one errs."""

    def __init__(self, n):
        self.n, self.trusted = n, 0

    def score(self, x):
        return x[self.trusted]

    def update(self, x, y):
        self.trusted = (self.trusted + 1) % self.n


def test_an_init_written_by_hand_is_inherited():
    class Faster(Fast):
        def decide(self, score):
            return 1 if score >= 0 else -1

    class Back(MoveOn):
        def update(self, x, y):
            self.trusted = (self.trusted - 1) % self.n

    class Slow:
        def __init__(self, n):
            super().__init__(n, rate=0.5)

    class Mixed(Slow, olc.Perceptron):
        pass

    class Again(olc.Perceptron):
        keep: float = parameter(above(0), default=1.0)

    assert [kind(3).rate for kind in (Fast, Faster, Mixed)] == [2.0, 2.0, 0.5]
    assert Back(3).learn([1, 1, 1], -1) == 1
    assert [*inspect.signature(Faster).parameters] == ["n"]
    assert [*inspect.signature(Again).parameters] == ["n", "rate", "keep"]
    learner = Back(3)
    olc.play(learner, -np.ones((2, 3)), [1, 1])
    assert (learner.trusted, learner.rounds) == (1, 2)


def test_a_good_name_is_no_slip_unless_a_hook_that_is_needed_is_missing():
    def answer(self, *_):
        return 1.0

    good = [
        "steps", "stats", "updates", "links", "linked", "scored", "restart", "rescore",
        "error_chances",
    ]  # fmt: skip
    for kind in (olc.Perceptron, Fast, MoveOn):
        own = type("Own", (kind,), dict.fromkeys(good, answer))
        assert all(getattr(own(2), name)() == 1.0 for name in good)
    type("Own", (olc.Learner,), dict.fromkeys(["score", "update", *good], answer))
    type("Own", (olc.Linear,), dict.fromkeys(["update", *good], answer))
    for kind, name, hook in [
        (olc.Linear, "steps", "step"),
        (olc.Learner, "updates", "update"),
        (olc.Learner, "scored", "score"),
    ]:
        with pytest.raises(TypeError, match=f"defines {name}: did you mean {hook}"):
            type("Own", (kind,), {name: answer})


def test_every_learner_can_be_shown_compared_copied_cloned_and_made_anew():
    shown = vars(olc) | vars(np) | vars(olc.kernel_perceptron)
    for name, make in LEARNERS.items():
        learner = make(5)
        assert eval(repr(learner), shown) == learner, name
        for parameter_ in inspect.signature(type(learner)).parameters:
            assert f"{parameter_}=" in repr(learner)
        game = stream(learner, 80, seed=1, noise=0.3, n=5)
        olc.play(learner, game[:40])
        deep, again = copy.deepcopy(learner), pickle.loads(pickle.dumps(learner))
        assert bits(deep) == bits(again) == bits(learner)
        assert deep == again == copy.copy(learner) == learner == make(5)
        traces = [olc.play(each, game[40:]) for each in (deep, again, learner)]
        assert np.array_equal(traces[0].predictions, traces[1].predictions)
        assert np.array_equal(traces[0].predictions, traces[2].predictions)
        if isinstance(learner, Linear):
            frozen = deep.state, deep.weights, again.state, again.weights
            assert not any(array.flags.writeable for array in frozen)
        fresh = bits(make(5))
        assert bits(clone(learner)) == bits(learner.replaced()) == fresh
        assert bits(learner.set_params(**learner.get_params())) == fresh


def test_learners_are_equal_if_their_class_and_their_parameters_are():
    assert olc.Perceptron(3) != olc.Perceptron(4) != olc.AveragedPerceptron(4)
    assert olc.Perceptron(3) != olc.Perceptron(3, rate=2)
    assert olc.Winnow(3) == olc.Winnow(3, threshold=3)
    one = -np.ones((2, 3))
    assert olc.StandardOptimal(one) == olc.StandardOptimal(one.copy())
    assert olc.StandardOptimal(one) != olc.StandardOptimal(-one)
    with pytest.raises(TypeError, match="unhashable"):
        hash(olc.Perceptron(3))


# ------------------------------------------------------------------ doors


def test_one_example_rows_and_sparse_rows_get_the_same_answers():
    for name, make in LEARNERS.items():
        learner = make(5)
        game = stream(learner, 60, seed=1, noise=0.2, n=5)
        olc.play(learner, game)
        block = game.X[:20]
        for door in (learner.scores, partial(learner.scores, final=True)):
            answers = [door(x) for x in block]
            for rows in (block, sparse.csr_array(block)):
                assert np.allclose(door(rows), answers, rtol=1e-12, atol=1e-12), name
                assert np.sign(door(rows)).tolist() == np.sign(answers).tolist(), name
            assert door(np.empty((0, 5))).shape == (0,)
        assert learner.scores(block[0]) == learner.score(block[0])
        if not learner.randomized:
            for door in (learner.predict, partial(learner.predict, final=True)):
                assert door(block).dtype == door(block[0]).dtype == np.int8
                assert door(block).tolist() == [int(door(x)) for x in block]
        assert learner.rounds == 60


@pytest.mark.parametrize("name", LEARNERS)
def test_the_doors_check_what_comes_from_outside(name):
    learner = LEARNERS[name](4)
    good = examples(learner, 1, seed=1, n=4)[0]
    learner.learn(good, int(good[0]) if isinstance(learner, VersionSpace) else 1)
    learner.update(good, int(good[0]))  # now a kernel has its width, too
    before = bits(learner)
    bad = good.copy()
    bad[2] = bad_entry(learner)
    rows = np.array([good, bad])
    doors = [
        partial(door, final=final)
        for final in (False, True)
        for door in (learner.predict, learner.scores)
    ]
    calls = [(door, bad, r"x\[2\] = ") for door in doors]
    calls += [(door, rows, r"X\[1, 2\] = ") for door in doors]
    calls += [
        (learner.scores, sparse.csr_array(rows), r"X\[1, 2\] = "),
        (learner.scores, good[:3], r"x has shape \(3,\).*n = 4"),
        (learner.scores, 7, r"X has shape \(\).*n = 4"),
        (learner.scores, [[good]], r"X has shape \(1, 1, 4\)"),
        (lambda x: learner.learn(x, 1), bad, r"x\[2\] = "),
        (lambda x: learner.learn(x, 1), rows, r"x has shape \(2, 4\)"),
        (lambda y: learner.learn(good, y), 0, "map 0 to -1"),
    ]
    for call, given, words in calls:
        with pytest.raises(ValueError, match=words):
            call(given)
    with pytest.raises(TypeError, match="X has dtype"):
        learner.scores(["a"])
    with pytest.raises(TypeError, match="y must be a number"):
        learner.learn(good, "1")
    assert bits(learner) == before


def test_learn_is_one_round_of_the_game():
    for name, make in LEARNERS.items():
        by_hand, learner = make(4), make(4)
        game = stream(learner, 40, seed=3, dtype="int8", noise=0.2, n=4)
        trace = olc.play(learner, game)
        said = [by_hand.learn(x, y) for x, y in zip(game.X, game.y, strict=True)]
        assert said == trace.predictions.tolist(), name
        assert {type(each) for each in said} == {int}
        assert bits(by_hand) == bits(learner)
        assert by_hand.rounds == 40


class Watcher(olc.Perceptron):
    """Note what the hooks are given."""

    def start(self):
        self.seen = []
        return super().start()

    def score(self, x):
        self.seen.append(x)
        return super().score(x)


def test_a_hook_sees_one_vector_of_floats():
    learner = Watcher(2)
    learner.scores([1, 2])
    learner.predict(np.array([[1, 2], [3, 4]], np.int8))
    learner.predict(sparse.csr_array([[4, 0]]), final=True)
    learner.learn((1, 2), 1)
    olc.play(learner, np.array([[5, 6]], np.float32), [-1])
    olc.duel(learner, lambda learner: ([7, 8], learner.predict([9, 9])), rounds=1)
    assert all(x.dtype == np.float64 and x.shape == (2,) for x in learner.seen)
    assert all(x.flags.c_contiguous for x in learner.seen)
    # what the adversary asks about, its copy has seen
    assert [int(x[0]) for x in learner.seen] == [1, 1, 3, 4, 1, 5, 7]


def test_states_and_weights_are_frozen_and_follow_each_other():
    learner = olc.Winnow(2)
    learner.learn([1, 0], 1)
    assert learner.weights.tolist() == [2, 1]
    learner.state = [0, 2]
    assert learner.weights.tolist() == [1, 4]
    for name, make in LEARNERS.items():
        learner = make(4)
        olc.play(learner, stream(learner, 30, seed=2, n=4))
        before = bits(learner)
        if isinstance(learner, Linear):
            for array in (learner.state, learner.weights):
                with pytest.raises(ValueError, match="read-only"):
                    array[:] = 7
            assert bits(learner.weights) == bits(copy.deepcopy(learner).weights), name
        else:
            learner.weights[:] = 7  # a copy
        assert bits(learner) == before


def frames(function):
    """Return the names of the functions of olc that run."""
    seen, home = [], os.path.dirname(olc.__file__) + os.sep

    def note(frame, event, argument):
        if event == "call" and frame.f_code.co_filename.startswith(home):
            seen.append(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(None)
    return seen


def test_an_update_by_hand_and_a_round_of_a_game_are_a_short_walk():
    learner, x = olc.Perceptron(3), np.array([1.0, 2.0, 3.0])
    walk = frames(lambda: learner.learn(x, 1))
    assert "step" in walk
    assert len(walk) <= 8
    games = [olc.Stream(np.tile(x, (rounds, 1)), [-1] * rounds) for rounds in (1, 2)]
    thick = olc.MarginPerceptron(3, thickness=1e9)  # it updates in every round
    walks = [frames(lambda g=game: olc.play_one_by_one(thick, g)) for game in games]
    one, two = walks
    assert two.count("step") == 2
    assert len(two) - len(one) <= 14
