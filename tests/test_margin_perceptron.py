"""The margin Perceptron: updates, the margin that it reaches, and a printed rule."""

import math
from fractions import Fraction

import numpy as np
import pytest
from helpers import assert_between, separable
from hypothesis import assume, given
from hypothesis import strategies as st

import olc
from olc import (
    MarginPerceptron,
    Perceptron,
    Stream,
    geometry,
    margin_perceptron,
    perceptron,
    play,
    streams,
)

thicknesses = st.sampled_from([0, 0.5, 1, 4, 30])
rates = st.sampled_from([0.25, 1.0, 4.0])


def settle(learner, stream):
    """Cycle until a pass changes nothing; return the number of updates."""
    updates, _, at_rest = perceptron.settle(learner, stream, max_epochs=2000)
    assert at_rest
    return updates


@given(separable(longest=20), rates)
def test_without_thickness_it_is_the_perceptron(stream, rate):
    thick, plain = (
        MarginPerceptron(stream.n, thickness=0, rate=rate),
        Perceptron(stream.n, rate=rate),
    )
    trace = play(thick, stream)
    assert trace.updates.tolist() == play(plain, stream).updates.tolist()
    assert trace.updates.tolist() == trace.rounds.tolist()
    assert (thick.weights == plain.weights).all()


@given(separable(longest=20), thicknesses, rates)
def test_updates_and_final_margin_keep_their_bounds(stream, thickness, rate):
    learner = MarginPerceptron(stream.n, thickness=thickness, rate=rate)
    radius, margin = stream.radius, stream.margin
    bound = margin_perceptron.mistake_bound(radius, margin, thickness, rate)
    assume(bound < 3000)
    assert settle(learner, stream) <= bound * (1 + 1e-9)
    reached = geometry.margin(learner.weights, stream.X, stream.y)
    least = margin_perceptron.final_margin(radius, margin, thickness, rate)
    assert reached > least * (1 - 1e-9)
    assert least < margin / 2


@given(separable(longest=20), thicknesses, rates)
def test_ledger_of_the_margin_perceptron_holds(stream, thickness, rate):
    learner = MarginPerceptron(stream.n, thickness=thickness, rate=rate)
    for _ in range(2):
        trace = play(learner, stream)
        ledger = margin_perceptron.proof(trace)
        assert ledger["round"].tolist() == trace.updates.tolist()
        assert ledger.index.name == "update"
        assert_between(ledger, scale=0.0)
        assert (ledger.cross <= 2 * rate * thickness).all()
        before = trace.before.weights
        growth = np.diff(ledger.potential, prepend=before @ before)
        assert growth == pytest.approx(ledger.cross + ledger.length)
        u = geometry.unit(stream.target)
        lessons = np.diff(ledger.alignment, prepend=u @ before)
        assert (lessons >= rate * stream.margin - 1e-6).all()


@given(separable(longest=20), thicknesses, rates)
def test_margin_perceptron_agrees_with_rational_arithmetic(stream, thickness, rate):
    learner = MarginPerceptron(stream.n, thickness=thickness / 8, rate=rate)
    updates = play(learner, stream.X / 8, stream.y).updates.tolist()
    weights, expected = [Fraction(0)] * stream.n, []
    for t, (x, y) in enumerate(stream):
        features = [Fraction(int(value), 8) for value in x]
        score = sum(w * v for w, v in zip(weights, features, strict=True))
        if y * score <= Fraction(thickness) / 8:
            expected.append(t)
            step = Fraction(rate) * y
            weights = [w + step * v for w, v in zip(weights, features, strict=True)]
    assert updates == expected
    assert [Fraction(w) for w in learner.weights] == weights


class ThinnestMargin:
    """Points of length 1 and margin γ whose score is the thickness, or just below."""

    target = np.array([1.0, 0.0, 0.0])

    def __init__(self, margin):
        self.margin, self.across = margin, math.sqrt(1 - margin**2)

    def __call__(self, learner):
        first, *rest = learner.weights
        length = math.hypot(*rest)
        if length == 0:
            return np.array([self.margin, self.across, 0.0]), 1
        along = (learner.thickness * (1 - 1e-12) - self.margin * first) / length
        if along < -self.across:
            return None
        along = min(along, self.across)
        aside = math.sqrt(self.across**2 - along**2)
        direction = np.array(rest) / length
        normal = np.array([-direction[1], direction[0]])
        return np.array([self.margin, *(along * direction + aside * normal)]), 1


@pytest.mark.parametrize(
    ("margin", "thickness", "updates", "reached"),
    [(0.2, 1.0, 73, 0.0679), (0.1, 0.5, 199, 0.0502), (0.1, 5.0, 1094, 0.0456)],
)
def test_both_bounds_are_nearly_reached(margin, thickness, updates, reached):
    learner = MarginPerceptron(3, thickness=thickness)
    trace = olc.duel(learner, ThinnestMargin(margin), 5000)
    bound = margin_perceptron.mistake_bound(1, margin, thickness)
    assert len(trace.updates) == len(trace) == updates > 0.97 * bound
    assert updates <= bound
    assert trace.mistakes == 1  # the other updates are thin margins
    final = geometry.margin(learner.weights, trace.stream.X, trace.stream.y)
    assert final == pytest.approx(reached, abs=0.0001)
    assert final > margin_perceptron.final_margin(1, margin, thickness)
    assert_between(margin_perceptron.proof(trace), scale=0.0)


def test_thickness_buys_up_to_half_of_the_best_margin_and_pays_in_updates():
    stream = streams.separable(5, 0.1, 100, seed=0)
    best, _ = geometry.maximal_margin(stream)
    shares, counts = [], []
    for thickness in (0, 0.5, 2, 10, 30):
        learner = MarginPerceptron(5, thickness=thickness)
        counts.append(settle(learner, stream))
        reached = geometry.margin(learner.weights, stream.X, stream.y)
        shares.append(reached / best)
        least = margin_perceptron.final_margin(stream.radius, best, thickness)
        assert reached > least
    assert counts == sorted(counts)
    assert shares[0] < 0.5 < shares[-1]
    assert margin_perceptron.final_margin(1, best, 1e9) == pytest.approx(best / 2)


def test_perceptron_is_no_large_margin_classifier():
    # It is done after one update, with a margin of 0.01 where 0.71 is possible.
    stream = Stream(np.array([[1.0, 0.0], [0.01, 1.0]]), [1, 1])
    plain, thick = Perceptron(2), MarginPerceptron(2, thickness=5)
    assert settle(plain, stream) == 1
    settle(thick, stream)
    best, _ = geometry.maximal_margin(stream)
    assert best == pytest.approx(0.71, abs=0.005)
    assert geometry.margin(plain.weights, stream.X, stream.y) == 0.01
    assert geometry.margin(thick.weights, stream.X, stream.y) > 0.9 * best


class PrintedPerceptron(Perceptron):
    """The rule as printed: promote if w·x > γ, demote if w·x < -γ; no label."""

    def start(self):
        return np.array([0.2, 0.0])

    def wants_update(self, score, y):
        return np.abs(score) > 0.1

    def update(self, x, y):
        super().update(x, int(np.sign(self.score(x))))


def test_thick_separator_as_printed_diverges_and_errs_in_half_of_the_rounds():
    X = np.tile([[1.0, 0.2], [1.0, -0.2]], (500, 1))
    y = np.tile([1, -1], 500)
    printed = PrintedPerceptron(2)
    assert play(printed, X, y).mistakes == 500
    assert np.linalg.norm(printed.weights) == pytest.approx(1000.2)
    mended = MarginPerceptron(2, thickness=0.1)
    assert len(play(mended, X, y).updates) < 20
    stream = Stream(X, y, [0, 1])
    bound = margin_perceptron.mistake_bound(stream.radius, stream.margin, 0.1)
    assert len(play(MarginPerceptron(2, thickness=0.1), stream).updates) <= bound


def test_mistakes_are_fewer_than_updates_and_counted_apart():
    trace = play(MarginPerceptron(1, thickness=3), np.ones((9, 1)), np.ones(9))
    assert trace.rounds.tolist() == [0]
    assert trace.updates.tolist() == [0, 1, 2, 3]  # scores 0, 1, 2, 3


def test_thickness_0_gives_back_the_perceptrons_bound_and_no_margin():
    for radius, margin in ((0.5, 0.1), (3, 0.4)):
        bound = margin_perceptron.mistake_bound(radius, margin, 0)
        assert bound == pytest.approx(perceptron.mistake_bound(radius, margin))
        assert margin_perceptron.final_margin(radius, margin, 0) == 0


def test_bounds_are_their_formulas():
    final = margin_perceptron.final_margin(2, 0.5, 3)
    assert final == margin_perceptron.final_margin(2, 0.5, 3, rate=1.0)
    assert final == pytest.approx(0.5 * 3 / (4 + 6))
    assert margin_perceptron.mistake_bound(2, 0.5, 3, rate=2) == (4 + 3) / 0.25


def test_repr_shows_the_parameters():
    learner = MarginPerceptron(2, thickness=1)
    assert repr(learner) == "MarginPerceptron(n=2, rate=1.0, thickness=1.0)"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: MarginPerceptron(2, thickness=-1), "^thickness"),
        (lambda: MarginPerceptron(2, thickness=math.inf), "^thickness"),
        (lambda: MarginPerceptron(2, thickness=1, rate=0), "^rate"),
        (lambda: margin_perceptron.mistake_bound(0, 1, 1), "^radius"),
        (lambda: margin_perceptron.mistake_bound(1, 0, 1), "^margin"),
        (lambda: margin_perceptron.mistake_bound(1, 1, -1), "^thickness"),
        (lambda: margin_perceptron.mistake_bound(1, 1, 1, 0), "^rate"),
        (lambda: margin_perceptron.final_margin(1, 0, 1), "^margin"),
        (lambda: margin_perceptron.final_margin(1, 1, 1, 0), "^rate"),
    ],
)
def test_refuses(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()
