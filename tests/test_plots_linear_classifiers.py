"""The figures of the chapter on linear classifiers say what the geometry is."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from olc import geometry, streams
from olc.plots import linear_classifiers as draw


def test_halfspaces_counts_the_positive_points_and_the_distance_from_0():
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.5, 0.5]])
    figure = draw.halfspaces(X, [((1, 0), 0), ((3, 4), 5)])
    assert "w = (1, 0), b = 0: 2 of 3 points are positive" in figure.alt
    assert "w = (3, 4), b = 5: 3 of 3 points are positive" in figure.alt
    assert "at a distance of 1." in figure.alt


@pytest.mark.parametrize(("theta", "answer"), [(2, "+1"), (3, "−1")])
def test_a_threshold_unit_answers_by_its_score(theta, answer):
    figure = draw.threshold_unit([1, 1, 0, 1], [0, 1, 1, 1], theta)
    assert "give the score 2" in figure.alt
    assert f"the output is {answer}." in figure.alt


def test_a_lifted_threshold_is_a_slope():
    figure = draw.lift([1, 3], [-1, 1], threshold=2)
    assert "a threshold at 2 separates 2 points" in figure.alt
    assert "the slope 1/2." in figure.alt


def test_constants_finds_the_cheapest():
    rows = [[1.0, 202, 12322.0], [10.0, 21, 442.0], [100.0, 700, 10221.0]]
    figure = draw.constants(pd.DataFrame(rows, columns=["c", "updates", "bound"]))
    assert "With c = 1 the Perceptron needs 202 updates, 21 with c = 10" in figure.alt
    assert "the fewest, 21, come at c = 10" in figure.alt
    assert "The bound is 12322 at c = 1 and 442 at c = 10." in figure.alt


@pytest.mark.parametrize("angle", [0, 40, 160])
def test_turning_a_line_shows_the_margin_that_the_geometry_computes(angle):
    clouds, bias = draw.clouds(), -0.3
    w = [math.cos(math.radians(angle)), math.sin(math.radians(angle)), bias]
    lifted = geometry.homogenise(clouds)
    margin = geometry.margin(w, lifted.X, lifted.y) * math.hypot(*w)
    shown = f"{margin:.2f}".replace("-", "−")
    assert f"the margin is {shown}." in draw.turn(angle, bias).alt


def test_a_line_says_how_many_points_it_gets_wrong():
    assert "all 24 points are right" in draw.turn(40, -0.3).alt
    assert "1 of 24 points is wrong" in draw.turn(0, -0.6).alt


def test_the_corner_of_a_ball_moves_out_with_p():
    figure = draw.balls([1, 2, math.inf])
    assert "0.5 for p = 1, 0.707 for p = 2, 1 for p = ∞." in figure.alt


def test_the_product_separates_exclusive_or():
    assert "above the plane are negative" in draw.higher_dimension(streams.xor()).alt
    mixed = streams.xor()[[0, 1, 3, 3]]
    mixed.y[0] = 1
    assert "above the plane are mixed" in draw.higher_dimension(mixed).alt


def test_a_line_separates_or_on_the_square_and_none_exclusive_or():
    figure = draw.on_the_square({"or": [0, 1, 1, 1], "xor": [0, 1, 1, 0]})
    assert figure.alt == (
        "or is true at 3 of 4 corners, and a line separates them; "
        "xor is true at 2 of 4 corners, and no line separates them."
    )
