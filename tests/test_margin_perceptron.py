"""The margin Perceptron: updates, the margin that it reaches, and a printed rule."""

import numpy as np
import pytest
from helpers import separable, until_converged
from hypothesis import assume, given
from hypothesis import strategies as st

import olc
from olc import MarginPerceptron, Perceptron, Stream, geometry, margin_perceptron
from olc.adversaries import MinimalMargin

thicknesses = st.sampled_from([0, 0.5, 1, 4, 30])
rates = st.sampled_from([0.25, 1.0, 4.0])


@given(separable(longest=20), rates)
def test_without_thickness_it_is_the_perceptron(stream, rate):
    thick, plain = (
        MarginPerceptron(stream.n, thickness=0, rate=rate),
        Perceptron(stream.n, rate=rate),
    )
    trace = olc.play(thick, stream)
    assert (
        trace.update_rounds.tolist() == olc.play(plain, stream).update_rounds.tolist()
    )
    assert trace.update_rounds.tolist() == trace.mistake_rounds.tolist()
    assert (thick.weights == plain.weights).all()


@given(separable(longest=20), thicknesses, rates)
def test_updates_and_final_margin_keep_their_bounds(stream, thickness, rate):
    learner = MarginPerceptron(stream.n, thickness=thickness, rate=rate)
    radius, margin = stream.radius, stream.margin
    bound = margin_perceptron.mistake_bound(radius, margin, thickness, rate)
    assume(bound < 3000)
    assert until_converged(learner, stream) <= bound * (1 + 1e-9)
    reached = geometry.margin(learner.weights, stream.X, stream.y)
    least = margin_perceptron.final_margin(radius, margin, thickness, rate)
    assert reached > least * (1 - 1e-9)
    assert least < margin / 2


def test_perceptron_is_no_large_margin_classifier():
    # It is done after one update, with a margin of 0.01 where 0.71 is possible.
    stream = Stream(np.array([[1.0, 0.0], [0.01, 1.0]]), [1, 1])
    plain, thick = Perceptron(2), MarginPerceptron(2, thickness=5)
    assert until_converged(plain, stream) == 1
    until_converged(thick, stream)
    best, _ = geometry.maximal_margin(stream)
    assert best == pytest.approx(0.71, abs=0.005)
    assert geometry.margin(plain.weights, stream.X, stream.y) == 0.01
    assert geometry.margin(thick.weights, stream.X, stream.y) > 0.9 * best


def test_thick_separator_as_printed_diverges_and_errs_in_half_of_the_rounds():
    class Printed(Perceptron):
        """Promote if w·x > γ, demote if w·x < -γ; the label does not matter."""

        def start(self):
            return np.array([0.2, 0.0])

        def wants_update(self, score, y):
            return np.abs(score) > 0.1

        def update(self, x, y):
            super().update(x, int(np.sign(self.score(x))))

    X, y = np.tile([[1.0, 0.2], [1.0, -0.2]], (500, 1)), np.tile([1, -1], 500)
    printed, stream = Printed(2), Stream(X, y, [0, 1])
    assert olc.play(printed, stream).mistakes == 500
    assert np.linalg.norm(printed.weights) == pytest.approx(1000.2)
    bound = margin_perceptron.mistake_bound(stream.radius, stream.margin, 0.1)
    updates = olc.play(MarginPerceptron(2, thickness=0.1), stream).update_rounds
    assert len(updates) <= min(bound, 20)


def test_bounds_at_thickness_0_are_the_perceptrons_and_to_the_digit_with_a_rate():
    for radius, margin in ((0.5, 0.1), (3, 0.4)):
        bound = margin_perceptron.mistake_bound(radius, margin, 0)
        assert bound == pytest.approx(olc.perceptron.mistake_bound(radius, margin))
        assert margin_perceptron.final_margin(radius, margin, 0) == 0
    assert margin_perceptron.mistake_bound(2, 0.5, 3, rate=2) == (4 + 3) / 0.25
    assert margin_perceptron.final_margin(2, 0.5, 3, rate=2) == 0.5 * 3 / (8 + 6)
    assert margin_perceptron.final_margin(1, 0.1, 1e9) == pytest.approx(0.1 / 2)


@given(separable(), thicknesses, rates)
def test_mistakes_alone_keep_their_bound(stream, thickness, rate):
    learner = MarginPerceptron(stream.n, thickness=thickness, rate=rate)
    radius, margin = stream.radius, stream.margin
    made = sum(olc.play(learner, stream).mistakes for _ in range(3))
    alone = margin_perceptron.mistakes_alone(radius, margin, thickness, rate)
    assert made <= alone * (1 + 1e-9)
    updates = margin_perceptron.mistake_bound(radius, margin, thickness, rate)
    assert alone <= updates * (1 + 1e-9)


@pytest.mark.parametrize(
    ("thickness", "first", "forced"),
    [(0.25, 0, 100), (0.5, 0, 100), (1, 37, 112), (2, 93, 155), (10, 498, 542)],
)
def test_thin_updates_first_and_then_mistakes_come_near_the_bound(
    thickness, first, forced
):
    learner, made = MarginPerceptron(3, thickness=thickness), 0
    for score, rounds in ((thickness, first), (0, 10_000)):
        thin = MinimalMargin(0.1, score)
        made += olc.duel(learner, thin, rounds=rounds).mistakes if rounds else 0
    assert made == forced
    assert made > 0.98 * margin_perceptron.mistakes_alone(1, 0.1, thickness)


def test_mistakes_alone_to_the_digit():
    bound = margin_perceptron.mistakes_alone
    assert bound(2, 0.5, 1) == bound(2, 0.5, 2) == 16
    assert bound(2, 0.5, 4) == 16 * 9 / 8
    assert bound(2, 0.5, 8, rate=2) == 16 * 9 / 8
