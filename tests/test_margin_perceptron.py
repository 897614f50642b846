"""The margin Perceptron: updates, the margin that it reaches, and a printed rule."""

import pytest
from helpers import separable, until_converged
from hypothesis import assume, given
from hypothesis import strategies as st

import olc
from olc import MarginPerceptron, geometry, margin_perceptron

thicknesses = st.sampled_from([0, 0.5, 1, 4, 30])
rates = st.sampled_from([0.25, 1.0, 4.0])


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


def test_mistakes_alone_to_the_digit():
    bound = margin_perceptron.mistakes_alone
    assert bound(2, 0.5, 1) == bound(2, 0.5, 2) == 16
    assert bound(2, 0.5, 4) == 16 * 9 / 8
    assert bound(2, 0.5, 8, rate=2) == 16 * 9 / 8
